"""Majorities over all weightings: what each task adds to who beats whom, and how far that goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nbrank.arrays.extreme_ranks import Known, put_unscored_last, together
from nbrank.arrays.kinds import Bools, Floats, Ints
from nbrank.arrays.profile import TOLERANCE, ranks_of
from nbrank.arrays.weight_space import Weightings

_CELLS = 1 << 22
#: So many weightings are drawn to look at, and so many corners.
_DRAWN, _CORNERS = 500, 1500


@dataclass(frozen=True, eq=False)
class PairSums:
    """Rules that look at who beats whom: `weights @ wins` is the weight for the row."""

    counts: str  # "condorcet", "copeland", or minimax's "winning_votes", "margins", "opposition"
    wins: Floats  # tasks x systems x systems: per unit of the task's weight
    sizes: Floats  # of the tasks: how many ballots each has
    scored: Bools  # systems x tasks

    def ranks(self, weights: Floats) -> Ints:
        """Weightings x systems: the ranks; who has no score is last."""
        n, unscored = self.wins.shape[1], np.asarray(~self.scored.any(axis=1))
        step = max(1, _CELLS // n**2)
        found = np.empty((len(weights), n), dtype=np.int64)
        for start in range(0, len(weights), step):
            block = weights[start : start + step]
            wins = np.tensordot(block, self.wins, axes=1)
            total = (block @ self.sizes)[:, None, None]
            margins = wins - wins.transpose(0, 2, 1)
            margins[np.abs(margins) <= TOLERANCE * total] = 0.0
            scores = self._scores(margins, wins.transpose(0, 2, 1), unscored)
            # Who is alone has lost to nobody.
            scores[np.isinf(scores)] = 0.0
            scores[block @ self.scored.T <= 0] = np.nan
            found[start : start + step] = ranks_of(scores.T, total[:, 0, 0]).T
        return found

    def _scores(self, margins: Floats, against: Floats, beside: Bools) -> Any:
        """The score of each row, from its margins over and the weight of each column against it.

        Columns that are `beside` are nobody's opponents.
        """
        own = np.eye(margins.shape[-1], dtype=bool) | beside
        if self.counts == "copeland":
            return np.where(own, 0.0, np.sign(margins)).sum(axis=-1)
        if self.counts == "condorcet":
            return ((margins > 0) | own).all(axis=-1).astype(float)
        if self.counts == "winning_votes":
            against = np.where(margins < 0, against, 0.0)
        lost = -margins if self.counts == "margins" else against
        return -np.where(own, -np.inf, lost).max(axis=-1)

    def known(self, allowed: Weightings, own: Floats) -> Known:
        """What the largest and the smallest margins tell of all weightings.

        Of Condorcet's rule that is all there is to tell: a linear programme says who can
        beat all others at once. Of Copeland's and minimax it is a bound.
        """
        n, scored = self.wins.shape[1], np.asarray(self.scored.any(axis=1))
        pool = [own[None, :], allowed.draw(_DRAWN, np.random.default_rng(0))]
        (low, high), (least, most) = np.empty((2, 2, n, n))
        for system in range(n):
            against = self.wins[:, :, system].T
            margins = self.wins[:, system].T - against
            low[system], high[system] = -allowed.most(-margins), allowed.most(margins)
            least[system], most[system] = -allowed.most(-against), allowed.most(against)
            open_ = (low[system] <= 0) & (high[system] >= 0) & (low[system] < high[system])
            corners = (margins[open_], -margins[open_])
            pool += [allowed.furthest(forms[: max(1, _CORNERS // n)]) for forms in corners]
        for ends in (low, high):
            ends[np.abs(ends) <= TOLERANCE * self.sizes.max()] = 0.0
        # Under weights that leave a system without a score it is last, and nobody's opponent.
        vanishes = allowed.most(-self.scored.astype(float)) >= -1e-12
        up, down = self._scores(high, least, vanishes), self._scores(low, most, ~scored)
        if self.counts == "condorcet":
            winning = []
            for system in np.flatnonzero((up == 1) & scored).tolist():
                others = ~vanishes & (np.arange(n) != system)
                if not others.any():
                    continue
                rows = (self.wins[:, system].T - self.wins[:, :, system].T)[others]
                level, weights, _ = together(rows, allowed)
                up[system] = float(level > TOLERANCE)
                winning += [weights] if weights is not None and up[system] else []
            pool += [np.array([*winning, *self._without_winner(winning)]).reshape(-1, len(own))]
        at_most = 1 if self.counts == "condorcet" else n
        tie = TOLERANCE * self.sizes.max() if self.counts not in ("condorcet", "copeland") else 0.0
        never, always = up[:, None] <= down + tie, down[:, None] > up + tie
        if vanishes[scored].any():
            never, always, at_most = never & ~vanishes, always & ~vanishes[:, None], n
        put_unscored_last(never, always, scored, ~vanishes)
        tried = np.concatenate(pool)
        tried = tried[[allowed.holds(weights) for weights in tried]]
        return Known(tried, self.ranks(tried), scored, never, always, at_most)

    def _without_winner(self, winning: list[Floats]) -> list[Floats]:
        """Between two weightings with different winners, one under which nobody beats all others.

        Where the first winner's least margin is 0 it ties, and nobody else beats it.
        """
        if len(winning) < 2:
            return []
        here, there = winning[:2]
        first = int(self.ranks(here[None, :])[0].argmin())
        others = self.scored.any(axis=1) & (np.arange(self.wins.shape[1]) != first)
        for _ in range(60):
            middle = (here + there) / 2
            wins = np.tensordot(middle, self.wins, axes=1)
            lead = (wins[first] - wins[:, first])[others].min()
            here, there = (middle, there) if lead > 0 else (here, middle)
        return [here]
