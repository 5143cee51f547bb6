"""Skewed scores: whether they are, and which of their means may be the best.

Signs are turned, and units redrawn.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nbrank.arrays.ballots.profile import safe_divide
from nbrank.arrays.chunking import chunk_slices
from nbrank.arrays.typing import Floats, Positions
from nbrank.arrays.uncertainty import rank_confidence_sets as pair_tests
from nbrank.arrays.uncertainty.influence import Contributions

#: With more units, turned signs alone claim hardly more about means of skewed scores than they may.
_MAX_UNITS = 150

#: With fewer units, the bootstrap says too little of skewness: all signs are tried, with a warning.
ENOUGH_UNITS = 14

#: Draws of signs, and the level of the test.
_DRAWS, _LEVEL = 999, 0.05

#: Squared mean over variance of a lead that never varies.
_CERTAIN = 1e10
#: Differences computed at a time: they stay in the processor's cache.
_CACHED = 2**17


def are_skewed(contributions: Contributions) -> bool:
    """Return whether what units add to the systems' means is skewed, mostly to one side."""
    # The mean skewness of the systems, against the same where the signs of units are turned, as for
    # sets. Heavy tails alone are not skewed: they lie to one side of some systems, and to the other
    # side of others. What a unit adds to all systems alike is in no difference of two.
    contributions = contributions.counted.rescaled
    n_units = contributions.n_units
    if not 2 < n_units <= _MAX_UNITS or len(contributions.amounts) < 2:
        return False
    estimates = np.nan_to_num(contributions.estimates)[:, None]
    totals = np.maximum(contributions.weights.sum(axis=1, keepdims=True), 1e-300)
    added = (contributions.amounts - estimates * contributions.weights) / totals
    added -= added.mean(axis=0)
    # The draws are always the same: the answer doesn't depend on a seed.
    rng = np.random.default_rng(0)
    signs = np.where(rng.integers(0, 2, size=(n_units, _DRAWS), dtype=np.int8) == 1, 1.0, -1.0)
    signs[:, 0] = 1.0
    drawn = np.abs(_skewness(added, signs).mean(axis=0))
    return bool((drawn >= drawn[0] * (1 - 1e-9)).mean() <= _LEVEL)


def _skewness(signed: Floats, signs: Floats) -> Floats:
    """Compute the skewness of each row with signs of its columns turned: rows x draws."""
    largest = np.abs(signed).max(axis=1, keepdims=True)
    added = signed / np.where(largest > 0, largest, 1.0)
    n_units = len(signs)
    means, squares = added @ signs / n_units, (added**2).mean(axis=1, keepdims=True)
    variances = squares - means**2
    cubes = added**3 @ signs / n_units - means * (3 * squares - 2 * means**2)
    spread = np.where(variances > 1e-9, variances, np.inf)
    return cubes / (spread * np.sqrt(spread))


@dataclass(frozen=True, kw_only=True)
class SkewedPairTests(pair_tests.PairTests):
    """Tests by sign flips, and by the bootstrap, of which systems may be the best."""

    parts: pair_tests.UnitParts
    counts: Floats  # units x draws: how often each is drawn

    @classmethod
    def from_contributions(
        cls, contributions: Contributions, n_draws: int, rng: np.random.Generator
    ) -> SkewedPairTests:
        """Make the tests of all pairs of means over independent units."""
        flipped = pair_tests.sign_flip_pair_tests(contributions, n_draws, rng)
        parts = pair_tests.UnitParts.from_contributions(contributions.counted)
        # Each time one unit fewer is drawn than there are (Rao and Wu, 1988).
        n_units = parts.amounts.shape[1]
        counts = rng.multinomial(n_units - 1, np.full(n_units, 1 / n_units), size=n_draws - 1)
        return cls(**vars(flipped), parts=parts, counts=counts.T.astype(np.float64))

    def best_p_values_of_both(self, delta: float) -> Floats:
        """Compute the p-values of the best by sign flips; if at most delta, the larger of both."""
        # Sign flips take errors to point either way alike, so they leave out too often a system
        # that owes its mean to few big wins. The studentised bootstrap allows for skewness, but it
        # is easily misled by pairs that differ on hardly a unit. So it compares those that sign
        # flips leave out with those that they leave in, and with no others.
        result = self.best_p_values()
        p_values = result[self.ranked]
        rivals = np.flatnonzero(p_values > delta)
        for system in np.flatnonzero(p_values <= delta).tolist():
            p_values[system] = max(p_values[system], self._bootstrap_p_value(system, rivals))
        result[self.ranked] = p_values
        return result

    def _bootstrap_p_value(self, system: int, rivals: Positions) -> float:
        """Compute how often any rival leads the system by as much in a draw, if all are equal."""
        leads = self._drop_rounding_errors(
            self.parts.differences(rivals, np.full(len(rivals), system))
        )
        means, n_drawn = leads.mean(axis=1, keepdims=True), leads.shape[1] - 1
        leads = self._drop_rounding_errors(leads - means)
        ahead = means[:, 0] > 0
        if not ahead.any():
            return 1.0
        # A draw reaches the largest t if its squared mean is at least this multiple of its
        # variance.
        times = safe_divide(means[:, 0] ** 2, (leads**2).mean(axis=1), _CERTAIN)[ahead].max()
        times = min(times, _CERTAIN) * n_drawn / (n_drawn - 1) * (1 - 1e-9)
        reached = np.zeros(self.counts.shape[1], dtype=bool)
        for part in chunk_slices(0, len(rivals), max(1, _CACHED // len(reached))):
            drawn = np.maximum(leads[part] @ self.counts, 0.0) / n_drawn
            squares = leads[part] ** 2 @ self.counts / n_drawn
            # The variance is the mean square less the squared mean.
            drawn *= drawn
            reached |= ((drawn > 0) & (drawn * (1 + times) >= squares * times)).any(axis=0)
        # The units as they are belong to the draws.
        return float((1 + reached.sum()) / (1 + len(reached)))

    def _drop_rounding_errors(self, leads: Floats) -> Floats:
        smallest = 1e-12 * np.abs(self.parts.amounts).max(initial=0.0)
        return np.where(np.abs(leads) > smallest, leads, 0.0)
