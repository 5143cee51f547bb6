"""Comparisons of two systems at a time, one after the other, and their counts."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from nbrank.arrays.ballots.pairwise_counts import PairwiseCounts
from nbrank.arrays.typing import Floats, Positions


@dataclass(frozen=True)
class ComparisonArrays:
    """Comparisons in the order in which they were made, by the numbers of their systems."""

    left: NDArray[np.int32]  # a system in each row
    right: NDArray[np.int32]  # another one
    outcomes: NDArray[np.int8]  # 1 where the left one won, -1 where the right one did, 0 for a tie
    weights: Floats | None = None  # of one comparison, at least 0; None for 1 each
    #: How many comparisons a row stands for; None for one each. A row that stands for 10
    #: comparisons tells more than one of weight 10.
    repeats: Floats | None = None

    def __len__(self) -> int:
        return len(self.outcomes)

    @property
    def total_weights(self) -> Floats | None:
        """The weight of each row: of one comparison, times how many there are; None for 1 each."""
        values = [first for first in (self.weights, self.repeats) if first is not None]
        return np.prod(values, axis=0) if values else None


def tabulate_comparisons(
    comparisons: ComparisonArrays, n_systems: int
) -> tuple[PairwiseCounts, PairwiseCounts]:
    """Count the comparisons of each pair, and the squares of their weights."""
    # The weights' sums say how strong the systems are, the sums of their squares how sure that is.
    # One number for each (outcome, left, right), built in place: five million rows are 40 MB.
    cell = comparisons.outcomes.astype(np.intp)
    cell += 1
    for system in (comparisons.left, comparisons.right):
        cell *= n_systems
        cell += system
    counts = _fold_cells(cell, comparisons.total_weights, n_systems)
    if comparisons.weights is None:
        return counts, counts
    squares = replace(comparisons, weights=comparisons.weights**2)
    return counts, _fold_cells(cell, squares.total_weights, n_systems)


def _fold_cells(cell: Positions, weights: Floats | None, n_systems: int) -> PairwiseCounts:
    sums = np.bincount(cell, weights, minlength=3 * n_systems**2).astype(float)
    right_won, tied, left_won = sums.reshape(3, n_systems, n_systems)
    total = float(len(cell) if weights is None else weights.sum())
    return PairwiseCounts(left_won + right_won.T, tied + tied.T, total)
