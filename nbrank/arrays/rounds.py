"""Rules in rounds: some systems leave, the others close up, and one looks again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nbrank.arrays.kinds import Bools, Floats, Positions
from nbrank.arrays.points import borda_of_places
from nbrank.arrays.profile import TOLERANCE, Missing, Places, Profile, Ties, places


@dataclass(frozen=True)
class Round:
    """The ballots as they stand among the systems still in."""

    found: Places  # the places among them
    weights: Floats  # the weight of each ballot
    compatible: bool  # whether a missing score counts the average over compatible rankings
    ties: Ties  # which of their places tied systems take

    @property
    def borda(self) -> Floats:
        """Borda points among the systems left."""
        missing: Missing = "compatible" if self.compatible else "ignore"
        return borda_of_places(self.found, self.weights, missing, self.ties)

    def _at_the_end(self, beyond: Positions, sharing: Ties) -> Floats:
        """The weight that puts each system on the place at one end, where none stands beyond it."""
        found = self.found
        n = len(found.observed)
        n_observed = np.count_nonzero(found.observed, axis=0)
        share = {
            "average": 1.0 / (found.tied + 1),
            "min": np.ones(found.tied.shape),
            "max": (found.tied == 0).astype(float),
        }[sharing]
        # The end of a compatible ranking is held by a scored system in k of n cases.
        end = n_observed / n if self.compatible else np.ones(n_observed.shape)
        elsewhere = 1.0 / n if self.compatible else 0.0
        return np.where(found.observed, (beyond == 0) * share * end, elsewhere) @ self.weights

    @property
    def first_places(self) -> Floats:
        """The weight of the first places among the systems left."""
        found = self.found
        scored = np.count_nonzero(found.observed, axis=0)
        return self._at_the_end(scored - 1 - found.below - found.tied, self.ties)

    @property
    def last_places(self) -> Floats:
        """The weight of the last places among the systems left."""
        # A tie's best place is the last only for a system alone there; its worst is, for all.
        mirrored: dict[Ties, Ties] = {"average": "average", "min": "max", "max": "min"}
        return self._at_the_end(self.found.below, mirrored[self.ties])


#: Which of the systems left go, given the round; none or all of them ends the rule.
Eliminate = Callable[[Round], Bools]


def _lowest(values: Floats) -> Bools:
    return values <= values.min() + TOLERANCE * np.abs(values).max()


def lowest_borda(round_: Round) -> Bools:
    """Baldwin: the lowest Borda score goes."""
    return _lowest(round_.borda)


def below_mean_borda(round_: Round) -> Bools:
    """Nanson: all strictly below the mean Borda score go."""
    borda = round_.borda
    return borda < borda.mean() - TOLERANCE * np.abs(borda).max()


def most_last_places(round_: Round) -> Bools:
    """Coombs: the most last places go."""
    return _lowest(-round_.last_places)


def fewest_first_places(round_: Round) -> Bools:
    """Instant runoff: the fewest first places go."""
    return _lowest(round_.first_places)


def rounds_survived(profile: Profile, eliminate: Eliminate, missing: Missing, ties: Ties) -> Floats:
    """How many rounds each system survives; those left at the end have survived them all."""
    # Systems tied for elimination go together, and if that is everybody, they stay and win
    # together.
    scores = profile.scores
    survived = np.zeros(len(scores))
    left = np.arange(len(scores))
    found = places(scores)
    while len(left) > 1:
        out = eliminate(Round(found, profile.weights, missing == "compatible", ties))
        if not out.any() or out.all():
            break
        below, tied = found.below[~out], found.tied[~out]
        kept = scores[~out]
        for gone in scores[out]:
            below = below - (kept > gone)
            tied = tied - (kept == gone)
        observed = found.observed[~out]
        if missing != "compatible":
            # Who is left alone on a ballot is neither first nor last there.
            observed = observed & (np.count_nonzero(observed, axis=0) > 1)
        found = Places(below, tied, observed)
        scores = kept
        left = left[~out]
        survived[left] += 1
    return survived
