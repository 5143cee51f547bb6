"""Tests of which means of skewed scores may be the best: signs are turned, and units redrawn."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from nbrank.arrays.typing import Floats, Positions
from nbrank.arrays.uncertainty.influence import Contributions
from nbrank.arrays.uncertainty.rank_confidence_sets import (
    PairTests,
    UnitParts,
    sign_flip_pair_tests,
)

#: Whoever may be the best at this level, by turned signs, is compared with all.
_LEVEL = 0.05


@dataclass(frozen=True, kw_only=True)
class SkewedPairTests(PairTests):
    """Tests by turned signs that claim who is not the best only if the bootstrap does so, too."""

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
        known = {field.name: getattr(flipped, field.name) for field in fields(flipped)}
        return cls(**known, parts=parts, counts=counts.T.astype(np.float64))

    def best_p_values(self) -> Floats:
        """Compute how likely others lead each system by as much if it is best; NaN if unranked."""
        # Turned signs take errors to point either way alike, so they leave out too often a system
        # that owes its mean to few big wins. The studentised bootstrap allows for skewness, but it
        # is easily misled by pairs that differ on hardly a unit. So it compares each system only
        # with those that turned signs leave in.
        p_values = super().best_p_values()
        rivals = np.flatnonzero(p_values[self.ranked] > _LEVEL)
        redrawn = [self._bootstrap_p_value(i, rivals) for i in range(len(self.observed))]
        p_values[self.ranked] = np.maximum(p_values[self.ranked], redrawn)
        return p_values

    def _bootstrap_p_value(self, system: int, rivals: Positions) -> float:
        leads = self._drop_rounding_errors(
            self.parts.differences(rivals, np.full(len(rivals), system))
        )
        means, n_drawn = leads.mean(axis=1, keepdims=True), leads.shape[1] - 1
        leads = self._drop_rounding_errors(leads - means)
        errors = (leads**2).mean(axis=1, keepdims=True) / n_drawn
        lag = _studentise(means, errors).max(initial=0.0)
        if lag <= 0:
            return 1.0
        drawn, squares = leads @ self.counts / n_drawn, leads**2 @ self.counts / n_drawn
        errors = squares - drawn**2
        errors[errors <= 1e-12 * squares] = 0.0
        largest = _studentise(drawn, errors / (n_drawn - 1)).max(axis=0)
        # The units as they are belong to the draws.
        return float((1 + (largest >= lag * (1 - 1e-9)).sum()) / (1 + len(largest)))

    def _drop_rounding_errors(self, leads: Floats) -> Floats:
        smallest = 1e-12 * np.abs(self.parts.amounts).max(initial=0.0)
        return np.where(np.abs(leads) > smallest, leads, 0.0)


def _studentise(means: Floats, variances: Floats) -> Floats:
    """Divide means by their standard errors; one without an error is infinite, or 0."""
    certain = np.where(means == 0, 0.0, np.copysign(np.inf, means))
    errors = np.sqrt(np.where(variances > 0, variances, 1.0))
    return np.where(variances > 0, means / errors, certain)
