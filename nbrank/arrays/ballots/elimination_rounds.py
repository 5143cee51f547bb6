"""Rules in rounds: some systems leave, the others close up, and one looks again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nbrank.arrays.ballots.positional_scoring import borda_from_places
from nbrank.arrays.ballots.profile import TOLERANCE, Missing, Places, Profile, Ties, compute_places
from nbrank.arrays.typing import Bools, Floats


@dataclass(frozen=True)
class Round:
    """The ballots as they stand among the systems still in."""

    places: Places  # the places among them
    weights: Floats  # the weight of each ballot
    compatible: bool  # whether a missing score counts the average over compatible rankings
    ties: Ties  # which of their places tied systems take

    @property
    def borda(self) -> Floats:
        """Borda points among the systems left."""
        missing: Missing = "compatible" if self.compatible else "ignore"
        return borda_from_places(self.places, self.weights, missing, self.ties)

    def _end_place_weights(self, *, last: bool) -> Floats:
        """Return the weight that puts each system on the first place, or the last."""
        places = self.places
        n, n_observed = len(places.observed), np.count_nonzero(places.observed, axis=0)
        best = worst = n_observed - 1 - places.n_below - places.n_tied
        if self.ties != "min":
            worst = best + places.n_tied
        if self.ties == "max":
            best = worst
        share = (worst == n_observed - 1 if last else best == 0) / (worst - best + 1)
        # The end of a compatible ranking is held by a scored system in k of n cases.
        end, elsewhere = (n_observed / n, 1.0 / n) if self.compatible else (1.0, 0.0)
        return np.where(places.observed, share * end, elsewhere) @ self.weights

    @property
    def first_places(self) -> Floats:
        """The weight of the first places among the systems left."""
        return self._end_place_weights(last=False)

    @property
    def last_places(self) -> Floats:
        """The weight of the last places among the systems left."""
        return self._end_place_weights(last=True)


#: Mask of the remaining systems that go, given the round; none or all ends the rule.
EliminationCriterion = Callable[[Round], Bools]


def _is_lowest(values: Floats) -> Bools:
    return values <= values.min() + TOLERANCE * np.abs(values).max()


def has_lowest_borda(round_: Round) -> Bools:
    """Return whether a system has the lowest Borda score, and goes by Baldwin's rule."""
    return _is_lowest(round_.borda)


def is_below_mean_borda(round_: Round) -> Bools:
    """Return whether a Borda score is strictly below the mean, and goes by Nanson's rule."""
    borda = round_.borda
    return borda < borda.mean() - TOLERANCE * np.abs(borda).max()


def has_most_last_places(round_: Round) -> Bools:
    """Return whether a system has the most last places, and goes by Coombs' rule."""
    return _is_lowest(-round_.last_places)


def has_fewest_first_places(round_: Round) -> Bools:
    """Return whether a system has the fewest first places, and goes by instant runoff."""
    return _is_lowest(round_.first_places)


def rounds_survived(
    profile: Profile, eliminate: EliminationCriterion, missing: Missing, ties: Ties
) -> Floats:
    """Count the rounds that each system survives; those left at the end survive all."""
    # Systems tied for elimination go together, and if these are all, they stay and win
    # together.
    scores = profile.scores
    survived = np.zeros(len(scores))
    left = np.arange(len(scores))
    result = compute_places(scores)
    while len(left) > 1:
        out = eliminate(Round(result, profile.weights, missing == "compatible", ties))
        if not out.any() or out.all():
            break
        below, tied = result.n_below[~out], result.n_tied[~out]
        selected = scores[~out]
        for gone in scores[out]:
            below = below - (selected > gone)
            tied = tied - (selected == gone)
        observed = result.observed[~out]
        if missing != "compatible":
            # A system that is left alone on a ballot is neither first nor last there.
            observed = observed & (np.count_nonzero(observed, axis=0) > 1)
        result = Places(below, tied, observed)
        scores = selected
        left = left[~out]
        survived[left] += 1
    return survived
