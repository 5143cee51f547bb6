"""Long Parquet data sets, counted without holding them: equal to the same rows in memory."""

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import nbrank
from nbrank.labelled import long_parquet
from nbrank.labelled.tally import tally

NAMES = {"system": "model", "task": "bench", "instance": "item", "score": "value"}
LONG = pd.DataFrame(
    {
        "model": ["B", "A", "B", "A", "A"],
        "bench": ["t2", "t2", "t1", "t1", "t1"],
        "item": [0, 0, 0, 0, 1],
        "value": [0.1, 0.2, 0.3, 0.4, np.nan],
    }
)


@pytest.fixture
def small(monkeypatch):
    """Few rows at a time, so that a few hundred rows fill buckets on disk."""
    monkeypatch.setattr(long_parquet, "_ROWS_IN_BATCH", 7)
    monkeypatch.setattr(long_parquet, "_ROWS_IN_CHUNK", 20)
    monkeypatch.setattr(long_parquet, "_ROWS_IN_BUCKET", 30)
    monkeypatch.setattr(long_parquet, "_BYTES_IN_MEMORY", 500)


def in_memory(frame):
    return tally(nbrank.from_long(frame, **NAMES))


def write(frame, folder, rows_in_group=None, n_files=1):
    """Write files of consecutive rows; return the paths in their order."""
    paths = []
    for number in range(n_files):
        rows = slice(number * len(frame) // n_files, (number + 1) * len(frame) // n_files)
        paths.append(Path(folder) / f"part-{number}.parquet")
        frame.iloc[rows].to_parquet(paths[-1], row_group_size=rows_in_group, index=False)
    return paths


def assert_same(found, frame):
    expected = in_memory(frame)
    assert found == expected
    assert repr(found) == repr(expected)
    for one, two in zip(found.counts, expected.counts, strict=True):
        np.testing.assert_allclose(one.scores.sums, two.scores.sums, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(one.points.products, two.points.products, rtol=1e-12, atol=1e-12)
        assert np.array_equal(one.largest, two.largest)


def random_rows(rng, *, dtype="float32", text=True, categorical=False, missing=0.2):
    """A long table with ties, rows that are not there, scores that are not, in any order."""
    n_systems, n_tasks, n_instances = rng.integers(1, 7), rng.integers(1, 6), rng.integers(1, 60)
    cell = np.flatnonzero(rng.random(n_systems * n_tasks * n_instances) > missing)
    if not len(cell):
        cell = np.array([0])
    order = rng.choice(["instance", "system", "shuffled"])
    if order == "shuffled":
        cell = rng.permutation(cell)
    shape = (n_systems, n_tasks, n_instances)
    system, task, instance = np.unravel_index(cell, shape if order == "system" else shape[::-1])
    if order != "system":
        system, instance = instance, system
    score = rng.integers(-3, 4, len(cell))
    frame = pd.DataFrame(
        {
            "model": [f"system {i}" for i in system],
            "note": "columns that nobody asks for do no harm",
            "bench": [f"task {i}" for i in task],
            "item": [f"{i} " * (1 + i % 9) for i in instance] if text else instance * 7 - 100,
            "value": score.astype(dtype),
        }
    )
    if np.dtype(dtype).kind == "f":
        frame["value"] = (
            (frame["value"] / 4).astype(dtype).mask(rng.random(len(cell)) < missing / 2)
        )
        frame.loc[rng.random(len(cell)) < 0.02, "value"] = np.inf
    if categorical:
        for name, also in (("model", "nobody"), ("bench", "nothing")):
            values = rng.permutation([*frame[name].unique(), also])
            frame[name] = pd.Categorical(frame[name], categories=values)
        if text:
            frame["item"] = frame["item"].astype("category")
    return frame


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    seed=st.integers(0, 2**32),
    dtype=st.sampled_from(["float32", "float64", "float16", "int8", "int64", "uint16"]),
    text=st.booleans(),
    categorical=st.booleans(),
    missing=st.sampled_from([0.0, 0.2, 0.8]),
    rows_in_group=st.sampled_from([1, 13, 100_000]),
    n_files=st.integers(1, 3),
)
def test_counts_equal_those_in_memory_to_the_last_bit(
    small, seed, dtype, text, categorical, missing, rows_in_group, n_files
):
    rng = np.random.default_rng(seed)
    frame = random_rows(rng, dtype=dtype, text=text, categorical=categorical, missing=missing)
    with tempfile.TemporaryDirectory() as folder:
        write(frame, folder, rows_in_group, n_files)
        assert_same(nbrank.from_parquet(folder, **NAMES), frame)


def test_the_order_of_the_rows_changes_only_the_order_of_the_labels(small, tmp_path):
    frame = random_rows(np.random.default_rng(1), missing=0.1)
    for number in range(3):
        rows = frame.sample(frac=1, random_state=number)
        found = nbrank.from_parquet(write(rows, tmp_path)[0], **NAMES)
        assert list(found.systems) == list(rows["model"].unique())
        assert list(found.tasks) == list(rows["bench"].unique())
        assert_same(found, rows)
