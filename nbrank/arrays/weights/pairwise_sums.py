"""Ranks by who beats whom, over all weightings allowed."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from nbrank.arrays.ballots.profile import TOLERANCE, competition_ranks_columns
from nbrank.arrays.chunking import chunk_slices
from nbrank.arrays.orders.majority_graphs import PairwiseScore, condorcet, copeland
from nbrank.arrays.typing import Bools, Floats, Ints
from nbrank.arrays.weights import extreme_ranks
from nbrank.arrays.weights.task_weightings import WeightPolytope

#: Weightings x pairs of systems looked at a time.
_CELLS = 1 << 22
#: This many weightings are drawn to look at, and this many corners.
_DRAWN, _CORNERS = 500, 1500


@dataclass(frozen=True, eq=False)
class PairwiseSums:
    """Rules that look at who beats whom: `weights @ wins` is the weight for the row."""

    score: PairwiseScore
    wins: Floats  # tasks x systems x systems: per unit of the task's weight
    sizes: Floats  # of the tasks: how many ballots each has
    scored: Bools  # systems x tasks

    def ranks(self, weights: Floats) -> Ints:
        """Rank under each weighting: weightings x systems; systems without a score are last."""
        n, unscored = self.wins.shape[1], np.asarray(~self.scored.any(axis=1))
        result = np.empty((len(weights), n), dtype=np.int64)
        for some in chunk_slices(0, len(weights), max(1, _CELLS // n**2)):
            block = weights[some]
            wins = np.tensordot(block, self.wins, axes=1)
            total = (block @ self.sizes)[:, None, None]
            margins = wins - wins.transpose(0, 2, 1)
            margins[np.abs(margins) <= TOLERANCE * total] = 0.0
            beside = np.eye(n, dtype=bool) | unscored
            scores = self.score(margins, wins.transpose(0, 2, 1), beside)
            # A system that is alone has lost to no other.
            scores[np.isinf(scores)] = 0.0
            scores[block @ self.scored.T <= 0] = np.nan
            result[some] = competition_ranks_columns(scores.T, total[:, 0, 0]).T
        return result

    def bound_ranks(
        self, allowed: WeightPolytope, board_weights: Floats, deadline: float
    ) -> extreme_ranks.RankBounds:
        """Bound the ranks by the largest and the smallest margins over all weightings."""
        # Of Condorcet's rule that is all there is to tell: a linear programme says who can beat all
        # others at once. Of Copeland's and minimax it is a bound.
        n, scored = self.wins.shape[1], np.asarray(self.scored.any(axis=1))
        pool = [board_weights[None, :], allowed.sample(_DRAWN, np.random.default_rng(0))]
        # A margin that the deadline leaves open may be as large as all ballots.
        largest = float(self.sizes.max())
        low, high = np.full((n, n), -largest), np.full((n, n), largest)
        least, most = np.zeros((n, n)), np.full((n, n), largest)
        for system in range(n):
            if time.monotonic() >= deadline:
                break
            against = self.wins[:, :, system].T
            margins = self.wins[:, system].T - against
            low[system], high[system] = allowed.ranges(margins)
            least[system], most[system] = allowed.ranges(against)
            open_ = (low[system] <= 0) & (high[system] >= 0) & (low[system] < high[system])
            corners = margins[open_][: max(1, _CORNERS // n)]
            pool += [allowed.maximize_within_bounds(forms) for forms in (corners, -corners)]
        for ends in (low, high):
            ends[np.abs(ends) <= TOLERANCE * self.sizes.max()] = 0.0
        # Under weights that leave a system without a score it is last, and no system's opponent.
        vanishes = allowed.upper_bounds(-self.scored.astype(float)) >= -1e-12
        itself = np.eye(n, dtype=bool)
        up = self.score(high, least, itself | vanishes)
        down = self.score(low, most, itself | ~scored)
        if self.score is condorcet:
            winning = []
            for system in np.flatnonzero((up == 1) & scored).tolist():
                others = ~vanishes & (np.arange(n) != system)
                if not others.any() or time.monotonic() >= deadline:
                    continue
                rows = (self.wins[:, system].T - self.wins[:, :, system].T)[others]
                level, weights, _ = extreme_ranks.maximize_smallest_row(rows, allowed)
                up[system] = float(level > TOLERANCE)
                winning += [weights] if weights is not None and up[system] else []
            winning += self._find_weights_without_winner(winning)
            pool.append(np.reshape(winning, (-1, len(board_weights))))
        at_most = 1 if self.score is condorcet else n
        tie = TOLERANCE * self.sizes.max() if self.score not in (condorcet, copeland) else 0.0
        never, always = up[:, None] <= down + tie, down[:, None] > up + tie
        if vanishes[scored].any():
            never, always, at_most = never & ~vanishes, always & ~vanishes[:, None], n
        extreme_ranks.rank_unscored_last(never, always, scored, ~vanishes)
        tried = np.concatenate(pool)
        tried = tried[[allowed.contains(weights) for weights in tried]]
        best, worst = extreme_ranks.find_extremes(
            tried, self.ranks, n, deadline, block_size=max(1, _CELLS // n**2)
        )
        return extreme_ranks.RankBounds(best, worst, scored, never, always, at_most)

    def _find_weights_without_winner(self, winning: list[Floats]) -> list[Floats]:
        """Find weights without an unbeaten system between two weightings with different winners."""
        # Where the first winner's least margin is 0 it ties, and no other beats it.
        if len(winning) < 2:
            return []
        here, observed = winning[:2]
        first = int(self.ranks(here[None, :])[0].argmin())
        others = self.scored.any(axis=1) & (np.arange(self.wins.shape[1]) != first)
        for _ in range(60):
            middle = (here + observed) / 2
            wins = np.tensordot(middle, self.wins, axes=1)
            lead = (wins[first] - wins[:, first])[others].min()
            here, observed = (middle, observed) if lead > 0 else (here, middle)
        return [here]
