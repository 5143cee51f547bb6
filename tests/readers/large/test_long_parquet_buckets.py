"""Rows of long tables into ballots, in any order, and into buckets."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbrank.readers.large import long_parquet as blocks
from nbrank.readers.large.long_parquet import (
    DuplicateCellError,
    assign_buckets,
    instance_blocks,
    n_buckets,
)


def columns_of(found):
    """The ballots of each task, as a sorted list of tuples."""
    ballots = {}
    for task, block in found:
        ballots.setdefault(task, []).extend(np.nan_to_num(block, nan=-1).T.tolist())
    return {task: sorted(columns) for task, columns in ballots.items()}


@given(st.data())
def test_every_instance_has_its_column_whatever_the_order_of_the_rows(data):
    n_systems, n_tasks, n_instances = (data.draw(st.integers(1, 4)) for _ in range(3))
    cells = [
        (system, task, instance - 2, data.draw(st.sampled_from([0.0, 1.0, 2.5, np.nan])))
        for system in range(n_systems)
        for task in range(n_tasks)
        for instance in range(n_instances)
        if data.draw(st.booleans())
    ]
    expected = {}
    for system, task, instance, score in cells:
        columns = expected.setdefault(task, {})
        columns.setdefault(instance, [-1.0] * n_systems)[system] = -1.0 if score != score else score
    expected = {
        task: sorted(column for column in columns.values() if max(column) >= 0)
        for task, columns in expected.items()
    }
    rows = data.draw(st.permutations(cells))
    system, task, instance, score = (np.array([row[i] for row in rows]) for i in range(4))
    system, task, instance = (codes.astype(np.int64) for codes in (system, task, instance))
    found = instance_blocks(system, task, instance, score.astype(np.float64), n_systems)
    assert columns_of(found) == {task: columns for task, columns in expected.items() if columns}


def test_a_wide_task_comes_in_several_tables_of_different_instances(monkeypatch):
    monkeypatch.setattr(blocks, "_CELLS", 10)
    rng = np.random.default_rng(0)
    order = rng.permutation(3 * 40)
    system, instance = order % 3, order // 3
    scores = (instance * 3 + system).astype(np.float32)
    found = list(instance_blocks(system, np.zeros(120, np.uint8), instance, scores, 3))
    assert {block.shape for _, block in found} == {(3, 3), (3, 1)}
    assert {block.dtype for _, block in found} == {np.dtype(np.float32)}
    assert np.sort(np.concatenate([block[0] for _, block in found])).tolist() == list(
        range(0, 120, 3)
    )


@pytest.mark.parametrize("cells", [10, 1 << 20])
@pytest.mark.parametrize("second", [0.5, np.nan])
def test_two_rows_of_one_cell_are_named(cells, second, monkeypatch):
    monkeypatch.setattr(blocks, "_CELLS", cells)
    system = np.array([0, 1, 0, 1, 1, 0, 1])
    task = np.array([0, 0, 0, 0, 1, 1, 1])
    instance = np.array([5, 5, 6, 6, 5, 6, 5])
    scores = np.array([0.5, 0.5, 0.5, 0.5, 0.5, 0.5, second])
    with pytest.raises(DuplicateCellError) as error:
        list(instance_blocks(system, task, instance, scores, 2))
    assert error.value.rows == (4, 6)


@given(
    st.lists(st.integers(0, 50), min_size=1, max_size=6).filter(sum),
    st.integers(1, 40),
    st.integers(0, 2**32),
)
def test_buckets_are_even_and_hold_consecutive_tasks(rows_of_task, size, seed):
    rows = np.array(rows_of_task)
    task = np.repeat(np.arange(len(rows)), rows)
    hashed = np.random.default_rng(seed).integers(0, 2**64, len(task), dtype=np.uint64)
    bucket = assign_buckets(task, hashed, rows, size)
    start = np.cumsum(rows) - rows
    assert np.all(bucket >= start[task] // size)
    assert np.all(bucket <= (start[task] + rows[task]) // size)
    assert bucket.max() < n_buckets(rows, size) <= rows.sum() // size + 1
    extreme = np.full(len(task), 2**64 - 1, dtype=np.uint64)
    assert assign_buckets(task, extreme, rows, size).max() < n_buckets(rows, size)
