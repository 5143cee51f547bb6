"""Tests of which means of skewed scores may be the best: signs are turned, and units redrawn."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from nbrank.arrays.ballots.profile import safe_divide
from nbrank.arrays.chunking import chunk_slices
from nbrank.arrays.typing import Floats, Positions
from nbrank.arrays.uncertainty.influence import Contributions
from nbrank.arrays.uncertainty.rank_confidence_sets import (
    PairTests,
    UnitParts,
    sign_flip_pair_tests,
)

#: Squared mean over variance of a lead that never varies.
_CERTAIN = 1e10
#: Differences computed at a time: they stay in the processor's cache.
_CACHED = 2**17


@dataclass(frozen=True, kw_only=True)
class SkewedPairTests(PairTests):
    """Tests by sign flips, and by the bootstrap, of which systems may be the best."""

    parts: UnitParts
    counts: Floats  # units x draws: how often each is drawn

    @classmethod
    def from_contributions(
        cls, contributions: Contributions, n_draws: int, rng: np.random.Generator
    ) -> SkewedPairTests:
        """Make the tests of all pairs of means over independent units."""
        flipped = sign_flip_pair_tests(contributions, n_draws, rng)
        parts = UnitParts.from_contributions(contributions.counted)
        # Each time one unit fewer is drawn than there are (Rao and Wu, 1988).
        n_units = parts.amounts.shape[1]
        counts = rng.multinomial(n_units - 1, np.full(n_units, 1 / n_units), size=n_draws - 1)
        options = {field.name: getattr(flipped, field.name) for field in fields(flipped)}
        return cls(**options, parts=parts, counts=counts.T.astype(np.float64))

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
        # A draw reaches the largest t if its squared mean is so many times its variance.
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
