"""Contributions of ballots, tasks or clusters to means and to Bradley-Terry strengths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nbrank.arrays import paired_comparison_models as models
from nbrank.arrays.ballots.profile import Profile, compute_places, power_of_two, safe_divide
from nbrank.arrays.chunking import group_sort
from nbrank.arrays.typing import Array, Bools, Floats, Positions

if TYPE_CHECKING:
    from scipy.sparse import csr_array


#: A unit with such a share is all that is known of a system.
_FULL_INFORMATION = 1 - 1e-9


@dataclass(frozen=True)
class UnitGradients:
    """Gradients and information of each independent unit about each system."""

    scores: csr_array  # units x systems: the derivative of the unit's log-likelihood
    #: Units x systems: minus its second derivative, of the same unit by the same system.
    information: csr_array

    def meat(self, total: Floats) -> Floats:
        """Sum the outer products of the units' scores with themselves."""
        # A unit draws the estimate towards itself, so its score is too small by the square root of
        # one minus its share, and is divided by that (Bell and McCaffrey, 2002). What one unit
        # tells about has a score of 0, which stays.
        factors = (self.information * safe_divide(1.0, total, 0.0)).tocsr()
        alone = factors.data >= _FULL_INFORMATION
        factors.data = np.where(alone, 1.0, 1 / np.sqrt(1 - np.where(alone, 0.0, factors.data)))
        # A unit without information about a system has no score of it either.
        corrected = self.scores * factors
        return np.asarray((corrected.T @ corrected).toarray())

    def degrees_of_freedom(self, total: Floats) -> Floats:
        """Compute the degrees of freedom of each strength's variance (Bell and McCaffrey, 2002)."""
        # They are Satterthwaite's if the comparisons were independent and the model held: twice the
        # squared mean of the estimated variance, over its variance. A system has none with
        # which a single unit tells.
        n = len(total)
        result, inverse = np.zeros(n), safe_divide(1.0, total, 0.0)
        alone = self.information.max(axis=0).toarray() >= _FULL_INFORMATION * total
        for system in np.flatnonzero(~alone):
            # The strength less the mean of all: how much of its variance is due to each unit.
            squares = np.full(n, 1 / n**2)
            squares[system] = (1 - 1 / n) ** 2
            result[system] = _satterthwaite(self.information @ (squares * inverse**2))
        return result


def _satterthwaite(variances: Floats) -> float:
    """Compute the degrees of freedom of a sum's variance from what the units add."""
    # Of G units that add alike they are G - 1; a unit that adds most leaves few.
    share = variances[variances > 0] / variances.sum()
    if len(share) < 2 or share.max() >= _FULL_INFORMATION:
        return 0.0
    # The residuals' covariance is diag(share) less the outer product of the shares, and each is
    # divided by the square root of one minus its share. Then the sum of their squares has mean 1.
    corrected = share**2 / (1 - share)
    half_of_variance = (corrected / (1 - share) * (1 - 2 * share)).sum() + corrected.sum() ** 2
    return float(1 / half_of_variance)


def merge_small_units(units: Positions, weights: Floats | None, max_units: int) -> Positions:
    """Merge the smallest units if there are more than the maximum."""
    # Independent units stay so. Half of the units stay alone, the largest ones; the rest are
    # dealt out, one by one in the order of their sizes (their weights, or numbers of rows).
    sizes = np.bincount(units, weights)
    if len(sizes) <= max_units:
        return units
    place = np.empty(len(sizes), dtype=np.intp)
    place[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    alone = max_units // 2
    place = np.where(place < alone, place, alone + (place - alone) % (max_units - alone))
    return place[units]


def gradients_from_ballots(profile: Profile, units: Positions, strengths: Floats) -> UnitGradients:
    """Compute gradients from the systems beaten on each ballot, less the expected number."""
    from scipy.sparse import csr_array

    result = compute_places(profile.scores)
    expected = models.expected_win_rates(strengths)
    variances = expected * expected.T
    np.fill_diagonal(expected, 0.0)
    np.fill_diagonal(variances, 0.0)
    surplus = result.n_beaten - expected @ result.observed
    n_ballots = len(units)
    weights = np.where(result.observed, profile.weights, 0.0)
    gather = csr_array((np.ones(n_ballots), (units, np.arange(n_ballots))))
    return UnitGradients(
        csr_array(gather @ (surplus * weights).T),
        csr_array(gather @ (variances @ result.observed * weights).T),
    )


#: Shares so close are the same for all systems.
_ALIKE = 1e-12


@dataclass(frozen=True)
class Contributions:
    """Contributions of units (ballots, tasks, groups) to the weighted mean of each system."""

    # The estimate of a system is the sum of its amounts divided by the sum of its weights.

    amounts: Floats  # systems x units: weight times value, 0 where the unit doesn't count
    weights: Floats  # systems x units; 1 x units where each counts alike for all systems

    @classmethod
    def from_values(cls, values: Array, observed: Bools | None, weights: Floats) -> Contributions:
        """Take each system's values on the ballots, where they count, and the ballots' weights."""
        if observed is None or observed.all():
            return cls(values * weights, weights[None, :])
        return cls(np.where(observed, values, 0.0) * weights, observed * weights)

    @property
    def n_units(self) -> int:
        """The number of units."""
        return len(self.amounts.T)

    @property
    def estimates(self) -> Floats:
        """The mean of each system; NaN for one on which no unit tells anything."""
        return safe_divide(self.amounts.sum(axis=1), self.weights.sum(axis=1))

    @property
    def counted(self) -> Contributions:
        """The same without units that count for no system."""
        some = (self.weights > 0).any(axis=0)
        if some.all():
            return self
        return Contributions(self.amounts[:, some], self.weights[:, some])

    @property
    def rescaled(self) -> Contributions:
        """The same in another unit where squares would be too large, or too small, for a float."""
        largest = float(np.abs(self.amounts).max(initial=0.0))
        if largest == 0 or 1e-100 <= largest <= 1e100:
            return self
        return Contributions(self.amounts / power_of_two(largest), self.weights)

    def sum_by_unit(self, unit_codes: Positions) -> Contributions:
        """Add up the ballots of a unit."""
        order, starts = group_sort(unit_codes)
        if len(starts) == len(order):
            return Contributions(self.amounts[:, order], self.weights[:, order])
        return Contributions(
            np.add.reduceat(self.amounts[:, order], starts, axis=1),
            np.add.reduceat(self.weights[:, order], starts, axis=1),
        )


def strength_contributions(
    units: UnitGradients, strengths: Floats, inverse: Floats
) -> Contributions:
    """Compute what each unit adds to fitted Bradley-Terry strengths, to first order."""
    # A unit moves the strengths by the inverse information times its score: by how many systems
    # each beats in it, less how many it is expected to beat. These influences sum to 0, so each
    # unit also gets its share of the strength: as much as it knows of the system, of all that is
    # known. The inverse is that of all information, some strength held fixed.
    influence = inverse @ units.scores.toarray().T
    influence -= influence.mean(axis=0)
    known = units.information.toarray().T[: len(strengths)]
    total = known.sum(axis=1, keepdims=True)
    shares = safe_divide(known, total, 0.0)
    if np.ptp(shares, axis=0).max() <= _ALIKE:
        share = shares.mean(axis=0, keepdims=True)
        return Contributions(influence + strengths[:, None] * share, share)
    return Contributions(influence * total + strengths[:, None] * known, known)
