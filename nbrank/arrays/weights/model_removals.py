"""The fewest votes without which Bradley and Terry's model puts a rival above the winner."""

import math
from dataclasses import dataclass
from itertools import chain, combinations_with_replacement, islice, repeat

import numpy as np

from nbrank.arrays import paired_comparison_models as models
from nbrank.arrays.ballots.profile import TOLERANCE
from nbrank.arrays.typing import Bools, Floats, Positions
from nbrank.arrays.weights.removable_votes import VoteBatches, VoteRemoval, take_first

#: Orders of the votes that are tried for a rival, each by their influence after the last removal.
_MAX_ORDERS = 6
#: Stages in which few votes are removed, the influences being found anew before each.
_STAGES = 20
#: The most votes that are removed in stages.
_MAX_STAGED_VOTES = 400
#: Ratio of a rival's estimated number of votes to the smallest one from which on it isn't tried.
_HOPELESS = 3.0
#: Maximum number of sets of votes that are tried to prove a number, and the size of a block of
#: them.
_MAX_SETS = 20_000
_BLOCK = 2_000
#: The most work for that: sets times the cube of the number of systems.
_MAX_WORK = 2e7
#: Newton steps for a set, and the step that is the last.
_MAX_STEPS = 100
_LAST_STEP = 1e-8


def is_above(strengths: Floats, rivals: Positions | int, winner: int) -> Bools:
    """Return whether strengths (one row or several) put rivals strictly above the winner."""
    own, others = strengths[..., winner], strengths[..., rivals]
    own = np.expand_dims(own, -1) if np.ndim(rivals) else own
    scale = np.maximum(1.0, np.maximum(np.abs(own), np.abs(others)))
    return np.asarray(others - own > TOLERANCE * scale)


@dataclass(frozen=True)
class ModelRemovals:
    """Votes, and the winner by Bradley and Terry's model that loses some of them."""

    batches: VoteBatches
    winner: int
    prior: float = 0.0

    def fit(self, removed: Floats) -> Floats | None:
        """Fit the strengths without some votes; None if they are not determined."""
        counts = self.batches.count(removed)
        if not self.prior and models.find_identifiability_issue(counts) is not None:
            return None
        fit = models.bradley_terry(counts, self.prior)
        return fit.strengths if fit.converged else None

    def influences(self, removed: Floats, strengths: Floats, rival: int) -> Floats:
        """Compute how far a vote of each batch keeps the rival below the winner, to first order."""
        made = self.batches
        inverse = models.inverse_information(made.count(removed), strengths, self.prior)
        first, second = made.first, made.second
        lead = inverse[:, self.winner] - inverse[:, rival]
        expected = models.expected_win_rates(strengths)[first, second]
        influence = made.weights * (np.where(made.tied, 0.5, 1.0) - expected)
        influence *= lead[first] - lead[second]
        # One Newton step with the information that is left without the vote.
        spread = inverse[first, first] + inverse[second, second] - 2 * inverse[first, second]
        leverage = made.weights * expected * (1 - expected) * spread
        return influence / np.maximum(1 - leverage, 0.1)

    def fewest(self, rivals: Positions, *, only_best: bool = False) -> list[VoteRemoval]:
        """Find few votes for each rival, and prove the numbers where all sets can be tried.

        Of `only_best`, rivals are skipped that are far from needing the fewest.
        """
        nothing = np.zeros(len(self.batches))
        strengths = self.fit(nothing)
        if strengths is None:
            return [VoteRemoval(rival) for rival in rivals.tolist()]
        found: dict[int, VoteRemoval] = {}
        estimates = {}
        for rival in rivals.tolist():
            influences = self.influences(nothing, strengths, rival)
            lead = strengths[self.winner] - strengths[rival]
            order = np.argsort(-influences, kind="stable")
            falls = np.maximum(influences[order], 0.0) * self.batches.numbers[order]
            steps = np.cumsum(self.batches.numbers[order])
            place = int(np.searchsorted(np.cumsum(falls), lead))
            estimates[rival] = float(steps[min(place, len(steps) - 1)])
            found[rival] = VoteRemoval(rival)
        best = math.inf
        for rival in sorted(estimates, key=estimates.__getitem__):
            if only_best and estimates[rival] > _HOPELESS * best + 10:
                continue
            limit = best if only_best else math.inf
            found[rival] = VoteRemoval(rival, self._search(rival, strengths, limit))
            best = min(best, found[rival].n_votes)
        return self._prove(found, only_best=only_best)

    def _search(self, rival: int, strengths: Floats, limit: float) -> Floats | None:
        """Find few votes for a rival, along orders by influence; None if none below the limit."""
        nothing = np.zeros(len(self.batches))
        best: Floats | None = None
        numbers = self.batches.numbers
        # If votes may not go all, the last of them stays, and with it who beat whom.
        for caps in (numbers, np.where(self.batches.tied, numbers, numbers - 1)):
            influences = self.influences(nothing, strengths, rival)
            for _ in range(_MAX_ORDERS):
                lead = float(strengths[self.winner] - strengths[rival])
                shorter = self._bisect(rival, caps, influences, lead, limit)
                if shorter is None:
                    break
                best, limit = shorter, float(shorter.sum())
                after = self.fit(best)
                if limit <= 1 or after is None:
                    break
                influences = self.influences(best, after, rival)
            if best is not None:
                break
        if best is not None and 1 < best.sum() <= _MAX_STAGED_VOTES:
            staged = self._remove_in_stages(rival, float(best.sum()))
            best = best if staged is None else staged
        return best

    def _bisect(
        self, rival: int, caps: Floats, influences: Floats, lead: float, limit: float
    ) -> Floats | None:
        """Find the first votes by influence that put the rival above; None if none below a limit.

        With any number of votes between two that are tried, the bisection takes what follows from
        them: that after more votes the rival is above, too.
        """
        order = np.argsort(-influences, kind="stable")
        order = order[(influences[order] > 0) & (caps[order] > 0)]
        numbers = caps[order]
        most = min(float(numbers.sum()), limit - 1)
        place = int(np.searchsorted(np.cumsum(influences[order] * numbers), lead))
        guess = float(numbers[:place].sum()) + 1
        low, high = 0.0, most + 1
        solution: Floats | None = None
        step = min(max(guess, 1.0), most)
        while high - low > 1 and step > low:
            removed = np.zeros(len(self.batches))
            removed[order] = take_first(numbers, step)
            after = self.fit(removed)
            if after is None:  # beyond what the votes determine
                high = step
            elif is_above(after, rival, self.winner):
                high, solution = step, removed
            else:
                low = step
            step = min(2 * step, most) if high > most else (low + high) // 2
        return solution

    def _remove_in_stages(self, rival: int, limit: float) -> Floats | None:
        """Remove votes a few at a time; None if that takes no fewer than the limit."""
        removed = np.zeros(len(self.batches))
        stage = max(1.0, limit // _STAGES)
        strengths = self.fit(removed)
        while strengths is not None and removed.sum() < limit - 1:
            influences = self.influences(removed, strengths, rival)
            influences[self.batches.numbers <= removed] = -np.inf
            best = int(influences.argmax())
            if influences[best] <= 0:
                return None
            free = self.batches.numbers[best] - removed[best]
            removed[best] += min(stage, free, limit - 1 - removed.sum())
            strengths = self.fit(removed)
            if strengths is not None and is_above(strengths, rival, self.winner):
                return self._trim(removed, best, rival)
        return None

    def _trim(self, removed: Floats, last: int, rival: int) -> Floats:
        """Take back votes of the last stage for as long as the rival stays above."""
        while removed[last] > 0:
            fewer = removed.copy()
            fewer[last] -= 1
            after = self.fit(fewer)
            if after is None or not is_above(after, rival, self.winner):
                break
            removed = fewer
        return removed

    # ------------------------------------------------------------------------------------- proofs

    def _prove(self, removals: dict[int, VoteRemoval], *, only_best: bool) -> list[VoteRemoval]:
        """Try all sets of 1, 2, ... votes, as long as they are few enough."""
        # A vote that the winner lost never helps to unseat it, however many others go: removing it
        # moves the winner up in relation to everybody.
        useful = np.flatnonzero(self.batches.tied | (self.batches.second != self.winner))
        sets, work = 0, float(self.batches.n_systems + bool(self.prior)) ** 3
        size, most = 0, self.batches.numbers[useful].sum()
        while size < most:
            needed = [removal.n_votes for removal in removals.values()]
            largest = min(needed) if only_best else max(needed)
            if size + 1 >= largest:
                break
            more = math.comb(len(useful) + size, size + 1)
            sets += more
            if sets > _MAX_SETS or sets * work > _MAX_WORK:
                break
            size += 1
            self._try_all(useful, size, removals)
        return [
            VoteRemoval(rival, item.removed, proven=item.n_votes <= size + 1)
            for rival, item in removals.items()
        ]

    def _try_all(self, useful: Positions, size: int, found: dict[int, VoteRemoval]) -> None:
        """Take sets of this many votes for rivals that needed more so far and need no more."""
        rivals = np.array([rival for rival, item in found.items() if item.n_votes > size])
        chosen = combinations_with_replacement(useful.tolist(), size)
        while len(rivals) and (rows := list(islice(chosen, _BLOCK))):
            # Sets by how many votes of each batch they have.
            removed = np.zeros((len(rows), len(self.batches)))
            batch = np.fromiter(chain.from_iterable(rows), np.intp, len(rows) * size)
            np.add.at(removed, (np.repeat(np.arange(len(rows)), size), batch), 1.0)
            removed = removed[(removed <= self.batches.numbers).all(axis=1)]
            strengths, known = self._fit_all(removed)
            above = is_above(strengths, rivals, self.winner) & known[:, None]
            for column in np.flatnonzero(above.any(axis=0)).tolist():
                rival = int(rivals[column])
                found[rival] = VoteRemoval(rival, removed[above[:, column].argmax()])
            rivals = rivals[~above.any(axis=0)]

    def _fit_all(self, removed: Floats) -> tuple[Floats, Bools]:
        """Fit the strengths without each set of votes (rows), and say if they are known."""
        shares, compared = self.batches.count_each(removed)
        n = self.batches.n_systems
        if self.prior:
            shares = np.pad(shares, ((0, 0), (0, 1), (0, 1)))
            shares[:, :n, n] = shares[:, n, :n] = self.prior / 2
            compared = shares + shares.transpose(0, 2, 1)
        linked = np.eye(shares.shape[1], dtype=bool) | (shares > 0)
        for _ in repeat(None, max(1, math.ceil(math.log2(shares.shape[1])))):
            linked = (linked.astype(np.float32) @ linked.astype(np.float32)) > 0
        known = linked.all(axis=(1, 2))
        strengths = np.zeros(shares.shape[:2])
        left = np.flatnonzero(known)
        won, lost = shares.sum(axis=2), shares.sum(axis=1)
        strengths[left] = np.log((won[left] + 1) / (lost[left] + 1))
        settled = np.zeros(len(shares), dtype=bool)
        for _ in range(_MAX_STEPS):
            if not len(left):
                break
            point = strengths[left]
            expected = 0.5 + 0.5 * np.tanh((point[:, :, None] - point[:, None]) / 2)
            gradient = won[left] - (compared[left] * expected).sum(axis=2)
            variance = compared[left] * expected * (1 - expected)
            information = -variance
            diagonal = np.arange(point.shape[1])
            information[:, diagonal, diagonal] = variance.sum(axis=2)
            step = np.zeros_like(point)
            step[:, 1:] = np.linalg.solve(information[:, 1:, 1:], gradient[:, 1:, None])[..., 0]
            size = np.ptp(step, axis=1)
            damped = np.where(size < _LAST_STEP, 1.0, np.log1p(size) / np.maximum(size, 1e-300))
            strengths[left] = point + step * damped[:, None]
            settled[left[size < _LAST_STEP]] = True
            left = left[size >= _LAST_STEP]
        strengths = strengths[:, :n]
        return strengths - strengths.mean(axis=1, keepdims=True), settled
