"""Rules that are means over ballots, taken apart: what each ballot adds to each system's mean."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nbrank.arrays.kinds import Array, Bools, Floats, Positions
from nbrank.arrays.parts import side_by_side
from nbrank.arrays.profile import power_of_two, ratio
from nbrank.arrays.unit_scores import UnitScores

#: Shares so close are the same for all systems.
_ALIKE = 1e-12


@dataclass(frozen=True)
class Contributions:
    """What each unit (a ballot, a task, a group) adds to the weighted mean of each system."""

    # The estimate of a system is the sum of its amounts divided by the sum of its weights.

    amounts: Floats  # systems x units: weight times value, 0 where the unit doesn't count
    weights: Floats  # systems x units; 1 x units where each counts alike for all systems

    @classmethod
    def of(cls, values: Array, there: Bools | None, weights: Floats) -> Contributions:
        """Take each system's values on the ballots, where they count, and the ballots' weights."""
        if there is None or there.all():
            return cls(values * weights, weights[None, :])
        return cls(np.where(there, values, 0.0) * weights, there * weights)

    @property
    def n_units(self) -> int:
        """The number of units."""
        return len(self.amounts.T)

    @property
    def estimates(self) -> Floats:
        """The mean of each system; NaN for one on which no unit tells anything."""
        return ratio(self.amounts.sum(axis=1), self.weights.sum(axis=1))

    @property
    def within_reach(self) -> Contributions:
        """The same in another unit where squares would be too large, or too small, for a float."""
        largest = float(np.abs(self.amounts).max(initial=0.0))
        if largest == 0 or 1e-100 <= largest <= 1e100:
            return self
        return Contributions(self.amounts / power_of_two(largest), self.weights)

    def by_unit(self, unit_of: Positions) -> Contributions:
        """Add up the ballots of a unit."""
        order, starts = side_by_side(unit_of)
        if len(starts) == len(order):
            return Contributions(self.amounts[:, order], self.weights[:, order])
        return Contributions(
            np.add.reduceat(self.amounts[:, order], starts, axis=1),
            np.add.reduceat(self.weights[:, order], starts, axis=1),
        )


def of_strengths(units: UnitScores, strengths: Floats, inverse: Floats) -> Contributions:
    """What each unit adds to fitted Bradley-Terry strengths, to first order."""
    # A unit moves the strengths by the inverse information times its score: by how many systems
    # each beats in it, less how many it is expected to beat. These influences sum to 0, so each
    # unit also gets its share of the strength: as much as it knows of the system, of all that is
    # known. The inverse is that of all information, some strength held fixed.
    influence = inverse @ units.scores.toarray().T
    influence -= influence.mean(axis=0)
    known = units.information.toarray().T
    total = known.sum(axis=1, keepdims=True)
    shares = ratio(known, total, 0.0)
    if np.ptp(shares, axis=0).max() <= _ALIKE:
        share = shares.mean(axis=0, keepdims=True)
        return Contributions(influence + strengths[:, None] * share, share)
    return Contributions(influence * total + strengths[:, None] * known, known)
