"""What tasks add to the scores, the weightings that are allowed, and the scores under these."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nbrank.arrays.ballots.profile import competition_ranks_columns, safe_divide
from nbrank.arrays.chunking import chunk_slices
from nbrank.arrays.orders.linear_programming import solve_lp
from nbrank.arrays.typing import Bools, Floats, Ints, Positions

#: Weightings x systems looked at a time.
_CELLS = 1 << 22
#: Weights that sum to 1 within this do.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class WeightPolytope:
    """Weights between bounds, with the sum 1, and `rows @ weights >= lower_bounds`."""

    low: Floats
    high: Floats
    rows: Floats  # conditions x tasks
    lower_bounds: Floats  # what each condition has to reach

    @classmethod
    def from_relative_bounds(cls, shares: Floats, within: float | None) -> WeightPolytope:
        """Allow all weightings, or those in which each weight is within a share of its own."""
        low, high = np.zeros(len(shares)), np.ones(len(shares))
        if within is not None:
            low = np.maximum((1 - within) * shares, 0.0)
            high = np.minimum((1 + within) * shares, 1.0)
        return cls(low, high, np.empty((0, len(shares))), np.empty(0))

    @classmethod
    def from_conditions(cls, rows: Floats, lower_bounds: Floats) -> WeightPolytope:
        """Allow the weightings that meet conditions."""
        return cls(np.zeros(rows.shape[1]), np.ones(rows.shape[1]), rows, lower_bounds)

    @property
    def uniform(self) -> Floats:
        """The same weight for every task, allowed or not."""
        return np.full(len(self.low), 1 / len(self.low))

    def contains(self, weights: Floats) -> bool:
        """Return whether these weights are allowed."""
        inside = (weights >= self.low - _ROUNDING) & (weights <= self.high + _ROUNDING)
        return bool(inside.all() and (self.rows @ weights >= self.lower_bounds - _ROUNDING).all())

    def maximize(self, form: Floats) -> Floats | None:
        """Maximize a linear form over the weights; None if no weights are allowed."""
        total = np.ones((1, len(form))), np.ones(1)
        box = np.column_stack([self.low, self.high])
        result = solve_lp(-form, (-self.rows, -self.lower_bounds), total, box)
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

    def ranges(self, forms: Floats) -> tuple[Floats, Floats]:
        """Bound how small, and how large, each form can become."""
        return -self.upper_bounds(-forms), self.upper_bounds(forms)

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


@dataclass(frozen=True, eq=False)
class TaskContributions:
    """Sums over tasks: a score is `weights @ amounts` divided by `weights @ counts`."""

    amounts: Floats  # systems x tasks: what a task adds per unit of its weight
    counts: Floats  # systems x tasks: what it counts; 1 x tasks where it counts alike for all
    sizes: Floats  # the scale of each system's summands, by which scores tie
    present: Bools  # systems x tasks: where a system is scored, or counts as if it were

    @property
    def linear(self) -> bool:
        """Whether scores compare as sums do: every task counts alike for all who have a score."""
        return len(self.counts) == 1

    @cached_property
    def observed(self) -> Bools:
        """Systems x tasks: which give a system its score."""
        return (self.counts > 0) & self.present

    @cached_property
    def scored(self) -> Bools:
        """Mask of the systems with a score."""
        return np.asarray(self.observed.any(axis=1))

    def can_lose_all_weight(self, allowed: WeightPolytope) -> Bools:
        """Return whether all weight may be on tasks without a score of a system."""
        return allowed.upper_bounds(-self.observed.astype(float)) >= -1e-12

    def is_linear_for_all(self, allowed: WeightPolytope) -> bool:
        """Return whether scores compare as sums do, whatever the weights."""
        # Means that leave missing scores out don't, nor does who is left without a score, which is
        # last. Such scores are bounded by how large and how small each can be.
        return self.linear and not (self.scored & self.can_lose_all_weight(allowed)).any()

    def select_systems(self, systems: Bools) -> TaskContributions:
        """Select some of the systems."""
        counts = self.counts if self.linear else self.counts[systems]
        return TaskContributions(
            self.amounts[systems], counts, self.sizes[systems], self.present[systems]
        )

    def select_tasks(self, tasks: Positions) -> TaskContributions:
        """Select these tasks, each possibly several times."""
        amounts, counts = self.amounts[:, tasks], self.counts[:, tasks]
        return TaskContributions(amounts, counts, self.sizes, self.present[:, tasks])

    def scores(self, weights: Floats) -> Floats:
        """Score each system: weightings x systems; NaN if no task with a weight has its score."""
        scores = safe_divide(weights @ self.amounts.T, weights @ self.counts.T)
        if not self.present.all():
            scores[(weights > 0).astype(float) @ self.present.T == 0] = np.nan
        return scores

    def maximize_scores(self, allowed: WeightPolytope, sign: float) -> Floats:
        """Maximize each system's score (of sign -1: minus the smallest), by Dinkelbach's steps."""
        counts = np.broadcast_to(self.counts, self.amounts.shape)
        amounts = sign * self.amounts
        each = safe_divide(amounts, counts)
        top = np.fmax.reduce(each, axis=1)
        level = np.fmin.reduce(each, axis=1)
        for _ in range(60):
            forms = amounts - level[:, None] * counts
            weights = allowed.maximize_within_bounds(np.nan_to_num(forms))
            counted = np.einsum("st,st->s", weights, counts)
            higher = safe_divide(np.einsum("st,st->s", weights, amounts), counted)
            higher = np.where(counted > 1e-12, np.fmax(higher, level), top)
            if np.allclose(higher, level, rtol=1e-13, atol=0, equal_nan=True):
                break
            level = higher
        return np.minimum(level + 1e-12 * np.abs(level), top)

    def ranks(self, weights: Floats) -> Ints:
        """Rank under each weighting: weightings x systems; systems without a score are last."""
        blocks = chunk_slices(0, len(weights), max(1, _CELLS // len(self.amounts)))
        sizes = self.sizes[:, None]
        return np.concatenate(
            [competition_ranks_columns(self.scores(weights[block]).T, sizes).T for block in blocks]
        )

    def gaps(self, system: int) -> Floats:
        """Return systems x tasks: what each has more than this one, relative to the tie scale."""
        # Only where the tasks count alike for all: who is above by more than `TOLERANCE` is above.
        sizes = np.maximum(self.sizes, self.sizes[system])[:, None] * self.counts.max()
        return (self.amounts - self.amounts[system]) / np.where(sizes > 0, sizes, 1.0)
