"""All weightings that are allowed: how large a sum can become under them, and draws from them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nbrank.arrays.orders.linear_programming import solve_lp
from nbrank.arrays.typing import Floats

#: Weights that sum to 1 within this do.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class WeightPolytope:
    """Weights between bounds, with the sum 1, and `rows @ weights >= least`."""

    low: Floats
    high: Floats
    rows: Floats  # conditions x tasks
    row_lower_bounds: Floats  # what each condition has to reach

    @classmethod
    def from_relative_bounds(cls, shares: Floats, within: float | None) -> WeightPolytope:
        """Allow all weightings, or those in which each weight is within a share of its own."""
        low, high = np.zeros(len(shares)), np.ones(len(shares))
        if within is not None:
            low = np.maximum((1 - within) * shares, 0.0)
            high = np.minimum((1 + within) * shares, 1.0)
        return cls(low, high, np.empty((0, len(shares))), np.empty(0))

    def contains(self, weights: Floats) -> bool:
        """Return whether these weights are allowed."""
        inside = (weights >= self.low - _ROUNDING) & (weights <= self.high + _ROUNDING)
        return bool(
            inside.all() and (self.rows @ weights >= self.row_lower_bounds - _ROUNDING).all()
        )

    def maximize(self, form: Floats) -> Floats | None:
        """Maximize a linear form over the weights; None if no weights are allowed."""
        total = np.ones((1, len(form))), np.ones(1)
        box = np.column_stack([self.low, self.high])
        result = solve_lp(-form, (-self.rows, -self.row_lower_bounds), total, box)
        return None if result is None else np.asarray(result.x)

    def maximize_within_bounds(self, forms: Floats) -> Floats:
        """Maximize each form (a row) over the weights within bounds; return the weights."""
        # The conditions are not looked at: with them no form is larger. The rest of the weight goes
        # to the task that counts most, until it has its share, then to the next.
        order = np.argsort(-forms, axis=1, kind="stable")
        room = (self.high - self.low)[order]
        before = np.cumsum(room, axis=1) - room
        value = np.clip(max(1 - self.low.sum(), 0.0) - before, 0.0, room)
        weights = np.empty_like(forms, dtype=float)
        np.put_along_axis(weights, order, self.low[order] + value, axis=1)
        return weights

    def upper_bounds(self, forms: Floats) -> Floats:
        """Bound how large each form can become; with conditions, the bound need not be reached."""
        return np.einsum("kt,kt->k", forms, self.maximize_within_bounds(forms))

    def sample(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw weightings, each as likely as any other; conditions are ignored."""
        # All weights but the last are drawn from exponential laws that are cut off at the bounds,
        # with the rate at which the weights sum to 1 on average; the last is what is left, and is
        # kept as often as its own law has it. On the weightings, whose sum is 1, the product of
        # these laws is the same everywhere.
        width = self.high - self.low
        free = np.flatnonzero(width > _ROUNDING)
        weights = np.tile(self.low, (n, 1))
        left = 1 - self.low.sum()
        if len(free) == 0 or left <= _ROUNDING:
            return weights
        # The task with the widest bounds takes what is left, which it can most often.
        last = free[width[free].argmax()]
        others = free[free != last]
        if len(others) == 0:
            weights[:, last] += left
            return weights
        rate = _solve_truncation_rate(width[free], left)
        done = 0
        while done < n:
            size = max(2 * (n - done), 1000)
            drawn = _truncated_exponential(rng.random((size, len(others))), width[others], rate)
            rest = left - drawn.sum(axis=1)
            likely = np.exp(-rate * (rest if rate >= 0 else rest - width[last]))
            selected = (rest >= 0) & (rest <= width[last]) & (rng.random(size) < likely)
            taken = np.flatnonzero(selected)[: n - done]
            rows = slice(done, done + len(taken))
            weights[rows, others] += drawn[taken]
            weights[rows, last] += rest[taken]
            done += len(taken)
        return weights


def _solve_truncation_rate(width: Floats, total: float) -> float:
    """Solve for the rate at which exponentials, cut at these widths, sum to `total`."""
    from scipy.optimize import brentq

    def beyond(rate: float) -> float:
        x = rate * width
        small = np.abs(x) < 1e-4
        x = np.where(small, 1.0, x)
        mean = np.where(small, 0.5 - rate * width / 12, 1 / x - 1 / np.expm1(np.clip(x, -700, 700)))
        return float((width * mean).sum()) - total

    reach = 1e3 / float(width.min())
    if beyond(reach) > 0 or beyond(-reach) < 0:
        return reach if beyond(reach) > 0 else -reach
    return float(brentq(beyond, -reach, reach))


def _truncated_exponential(uniform: Floats, width: Floats, rate: float) -> Floats:
    """Draw truncated exponentials between 0 and the width, from uniform values."""
    if abs(rate) * float(width.max()) < 1e-9:
        return uniform * width
    x = rate * width
    if rate > 0:
        return -np.log1p(uniform * np.expm1(-x)) / rate
    # From the other end, so that no exponential overflows.
    return width + np.log1p(uniform * np.expm1(x)) / -rate
