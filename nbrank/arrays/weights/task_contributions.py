"""Contributions of tasks to the scores, and the scores for any weights."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nbrank.arrays.ballots.profile import competition_ranks_columns, safe_divide
from nbrank.arrays.chunking import chunk_slices
from nbrank.arrays.typing import Bools, Floats, Ints, Positions
from nbrank.arrays.weights.weight_polytope import WeightPolytope

#: Weightings x systems looked at a time.
_CELLS = 1 << 22


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

    @classmethod
    def from_amounts(
        cls, amounts: Floats, counts: Floats, sizes: Floats, present: Bools
    ) -> TaskContributions:
        """See whether the tasks count alike for all."""
        if (counts == counts[:1]).all():
            counts = counts[:1]
        return cls(amounts, counts, sizes, present)

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
