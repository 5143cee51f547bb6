"""Rows of a long table, in any order, into ballots: one for each instance of each task."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from nbrank.arrays.typing import Array, Positions

#: Cells of a table that is made at a time: 64 MiB of float32.
_CELLS = 1 << 24

Codes = NDArray[np.integer]


class DuplicateCellError(ValueError):
    """One cell of the table has two rows."""

    def __init__(self, rows: tuple[int, int]) -> None:
        self.rows = rows
        super().__init__(f"rows {rows[0]} and {rows[1]} are of the same system and instance")


def instance_blocks(
    system: Codes, task: Codes, instance: Codes, scores: Array, n_systems: int
) -> Iterator[tuple[int, Array]]:
    """Bring the scores of each instance together, whatever the order of the rows."""
    # A row has the numbers of its system, its task and its instance, which is one of its task only.
    # A task comes with a table of systems x some of its instances, NaN without a row,
    # without instances that no system has a score on; it may come again with others. Two rows
    # of one system and instance raise `DuplicateCellError`.
    if not len(scores):
        return
    order = np.argsort(instance)
    if task.min() != task.max():
        # Stable, so that numpy sorts such small numbers by their digits.
        small = np.min_scalar_type(int(task.max()))
        order = order[np.argsort(task[order].astype(small), kind="stable")]
    system, task, instance = system[order], task[order], instance[order]
    scores, some_missing = scores[order], bool(np.isnan(scores).any())
    change = np.flatnonzero(task[1:] != task[:-1]) + 1
    width = max(_CELLS // n_systems, 1)
    for start, stop in zip([0, *change], [*change, len(task)], strict=True):
        new = np.ones(stop - start, dtype=np.bool_)
        np.not_equal(instance[start + 1 : stop], instance[start : stop - 1], out=new[1:])
        starts = np.flatnonzero(new)[::width] + start
        for low, high in zip(starts, [*starts[1:], stop], strict=True):
            number = np.cumsum(new[low - start : high - start]) - 1
            n_instances = int(number[-1]) + 1
            cell = system[low:high].astype(np.int64) * n_instances + number
            block = np.full(n_systems * n_instances, np.nan, dtype=scores.dtype)
            block[cell] = scores[low:high]
            filled = np.zeros(len(block), dtype=np.bool_)
            filled[cell] = True
            if np.count_nonzero(filled) < len(cell):
                raise DuplicateCellError(_find_duplicate_rows(cell, order[low:high]))
            table = block.reshape(n_systems, n_instances)
            if some_missing:
                table = table[:, ~np.isnan(table).all(axis=0)]
            if table.size:
                yield int(task[low]), table


def _find_duplicate_rows(cell: Codes, row: Codes) -> tuple[int, int]:
    """Find two rows of one cell."""
    ordered = np.sort(cell)
    first = ordered[1:][ordered[1:] == ordered[:-1]][0]
    item, two, *_ = np.sort(row[cell == first])
    return int(item), int(two)


def n_buckets(rows_per_task: Codes, size: int) -> int:
    """Count the buckets that hold about this many rows each, for the rows of all tasks."""
    return int(rows_per_task.sum()) // size + 1


def assign_buckets(
    task: Codes, hashed: NDArray[np.uint64], rows_of_task: Codes, size: int
) -> Positions:
    """Assign a bucket to each row: all rows of an instance to one, and few tasks to each."""
    # The tasks lie one after the other on a line, each as long as it has rows, and the line is cut
    # into buckets of this many rows, on average; an instance stands within its task by its hash.
    start = (np.cumsum(rows_of_task) - rows_of_task) / size
    place = (hashed >> np.uint64(11)).astype(np.float64)
    place *= (rows_of_task / size * 2.0**-53)[task]
    place += start[task]
    return place.astype(np.intp)
