"""Long tables on a cluster: equal to the same rows in memory, whatever happens to a worker."""

import os
import signal
import sys
from uuid import uuid4

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.votes.tallies import tally

pytest.importorskip("distributed")

import cloudpickle
import dask
import dask.dataframe as dd
import pyarrow as pa
from distributed import Client, LocalCluster

from nbrank.readers.large import long_dask

# Workers cannot import a test file.
cloudpickle.register_pickle_by_value(sys.modules[__name__])

NAMES = {"system": "model", "task": "bench", "instance": "item", "score": "value"}
N_PARTITIONS = 6


def long_table(seed=0, n_systems=5, n_tasks=3, n_instances=80):
    """Rows in any order, with ties, some of them missing, and some scores."""
    rng = np.random.default_rng(seed)
    cell = rng.permutation(n_systems * n_tasks * n_instances)[: n_tasks * n_instances * 4]
    system, task, instance = np.unravel_index(cell, (n_systems, n_tasks, n_instances))
    score = rng.integers(0, 5, len(cell)).astype("float32") / 4
    return pd.DataFrame(
        {
            "model": [f"system {i}" for i in system],
            "bench": [f"task {i}" for i in task],
            "item": instance - 7,
            "value": np.where(rng.random(len(cell)) < 0.05, np.nan, score).astype("float32"),
        }
    )


LONG = long_table()
META = LONG.iloc[:0]


def part(number):
    start, stop = (edge * len(LONG) // N_PARTITIONS for edge in (number, number + 1))
    return LONG.iloc[start:stop]


def partitioned(make=part):
    return dd.from_map(make, range(N_PARTITIONS), meta=META)


def in_memory(frame):
    return tally(nbrank.from_long(frame, **NAMES))


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with (
        dask.config.set({"temporary-directory": str(tmp_path_factory.mktemp("workers"))}),
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
    ):
        yield cluster


@pytest.fixture
def client(cluster):
    with Client(cluster) as client:
        yield client


@pytest.fixture(params=["cluster", "threads"])
def scheduler(request):
    """Dask's two kinds of scheduler: two processes of a cluster, or its own threads."""
    if request.param == "cluster":
        request.getfixturevalue("client")
        yield
    else:
        with dask.config.set(scheduler="threads"):
            yield


def test_counts_equal_those_in_memory_to_the_last_bit(scheduler):
    found = nbrank.from_long(partitioned(), **NAMES)
    assert found == in_memory(LONG)
    assert repr(found) == repr(in_memory(LONG))


def test_partitions_may_be_many_empty_and_of_other_types(scheduler, monkeypatch):
    monkeypatch.setattr(long_dask, "_ROWS_IN_PARTITION", 40)

    def make(number):
        types = {1: {"value": "float64"}, 2: {"item": "category"}, 3: {"model": "category"}}
        return part(number).astype(types.get(number, {})).iloc[: 0 if number == 4 else None]

    rows = pd.concat([part(number) for number in range(N_PARTITIONS) if number != 4])
    expected = in_memory(rows.astype({"value": "float64"}))
    found = nbrank.from_long(partitioned(make), **NAMES)
    assert found == expected
    text = rows.assign(item=[f"i{item}" for item in rows["item"]])
    cut = dd.from_pandas(text, npartitions=3, sort=False)
    assert nbrank.from_long(cut, **NAMES) == in_memory(text)


def test_arrays_of_arrow_are_counted_as_in_memory():
    names, items = (pa.dictionary(size, pa.string()) for size in (pa.int8(), pa.int32()))
    numbered = {"model": names, "bench": pa.large_string(), "item": pa.int16()}
    for frame, types in (
        (LONG, {**numbered, "value": pa.float32()}),
        (LONG.assign(item=LONG["item"].astype(str)), {"item": items, "value": pa.float64()}),
    ):
        typed = frame.astype({name: pd.ArrowDtype(one) for name, one in types.items()})
        cut = dd.from_pandas(typed, npartitions=3, sort=False)
        assert nbrank.from_long(cut, **NAMES) == in_memory(frame)


@pytest.mark.parametrize("read", ["first", "second"])
def test_a_worker_killed_half_way_changes_nothing(client, read, tmp_path):
    def deadly(number):
        """The process is gone while it reads partition 3, for names or to be counted."""
        (tmp_path / f"{number} {uuid4()}").touch()
        times = len(list(tmp_path.glob(f"{number} *")))
        if number == 3 and times == {"first": 1, "second": 2}[read]:
            (tmp_path / f"killed {os.getpid()}").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return part(number)

    workers = {worker["id"] for worker in client.scheduler_info()["workers"].values()}
    found = nbrank.from_long(partitioned(deadly), **NAMES)
    assert len(list(tmp_path.glob("killed *"))) == 1
    assert found == in_memory(LONG)
    client.wait_for_workers(len(workers))


def broken(number, **changes):
    return lambda asked: part(asked).assign(**changes) if asked == number else part(asked)


def without_scores(number):
    return part(number).drop(columns="value") if number == 2 else part(number)


WRONG = {
    "a missing column": (without_scores, KeyError, "no column 'value' in partition 2"),
    "a Series": (
        lambda asked: part(asked)["value"] if asked == 3 else part(asked),
        TypeError,
        "a partition must be a DataFrame, not Series in partition 3",
    ),
    "text for scores": (
        broken(1, value="good"),
        TypeError,
        "scores must be numbers, but 'value' holds something else in partition 1",
    ),
    "a system without a name": (
        broken(4, model=None),
        ValueError,
        r"rows without a name \(NaN\) in 'model' in partition 4",
    ),
    "text among integers": (
        broken(5, item="one"),
        TypeError,
        "'item' holds integers in partition 0 and text in partition 5; name the instances in one",
    ),
    "long doubles for scores": (
        broken(2, value=np.longdouble(1)),
        TypeError,
        "'value' holds long doubles in partition 2, which are compared as float64",
    ),
    "huge integers for scores": (
        broken(2, value=2**53 + 1),
        ValueError,
        r"'value' holds integers from 2 \*\* 53 on in partition 2, which can't be told apart",
    ),
    "instances named by dates": (
        broken(3, item=pd.Timestamp("2026-01-01")),
        TypeError,
        "'item' holds dates or times in partition 3; name the instances by integers or text",
    ),
}


def test_instances_named_by_huge_integers_are_refused():
    huge = LONG.assign(item=pd.Series([2**63] * len(LONG), index=LONG.index, dtype=object))
    with dask.config.set({"scheduler": "threads", "dataframe.convert-string": False}):
        frame = dd.from_pandas(huge, npartitions=1, sort=False)
        with pytest.raises(TypeError, match="'item' holds integers too large for int64 in part"):
            nbrank.from_long(frame, **NAMES)


@pytest.mark.parametrize(("make", "error", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_partition_is_named(make, error, message, scheduler):
    with pytest.raises(error, match=message):
        nbrank.from_long(partitioned(make), **NAMES)


def test_a_partition_that_cannot_be_read_is_named(scheduler):
    def unreadable(number):
        if number == 3:
            raise ValueError("the file is cut off")
        return part(number)

    with pytest.raises(ValueError, match="partition 3 cannot be read: ValueError: the file is cut"):
        nbrank.from_long(partitioned(unreadable), **NAMES)


@pytest.mark.parametrize(("number", "where"), [(0, "partition 0"), (4, "partitions 0 and 4")])
def test_a_score_that_is_there_twice_is_named(number, where, scheduler):
    first = part(0).iloc[[0]]

    def twice(asked):
        return pd.concat([part(asked), first]) if asked == number else part(asked)

    model, bench, item = first[["model", "bench", "item"]].iloc[0]
    cell = rf"\('{model}', '{bench}', {item}\) \(model, bench, item\) in {where};"
    with pytest.raises(ValueError, match=f"more than one score for {cell}"):
        nbrank.from_long(partitioned(twice), **NAMES)


def test_tables_that_cannot_be_counted_are_refused():
    without_instance = {name: NAMES[name] for name in ("system", "task", "score")}
    with pytest.raises(ValueError, match="name the column of the instances"):
        nbrank.from_long(partitioned(), **without_instance)
    with pytest.raises(ValueError, match="the column 'model' is given for two things"):
        nbrank.from_long(partitioned(), **{**NAMES, "task": "model"})
    with pytest.raises(KeyError, match="no column 'Model'; the columns are 'model', 'bench'"):
        nbrank.from_long(partitioned(), **{**NAMES, "system": "Model"})
    with pytest.raises(ValueError, match="the long table is empty"):
        nbrank.from_long(partitioned(lambda number: META), **NAMES)


def test_a_bar_shows_how_far_a_run_is(scheduler, monkeypatch):
    made = []

    class Recorded:
        """A bar as tqdm's, of which each step is noted."""

        def __init__(self, total, desc):
            self.n, self.total, self.desc = 0, total, desc
            made.append(self)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def close(self):
            assert self.total

        def update(self):
            self.n += 1

    monkeypatch.setattr(long_dask, "progress_bar", lambda total, desc, unit: Recorded(total, desc))
    nbrank.from_long(partitioned(), **NAMES)
    assert [bar.desc for bar in made] == ["names", "counting"]
    assert all(bar.n == bar.total > 0 for bar in made)
