"""Long Parquet data sets, counted without holding them: equal to the same rows in memory."""

import errno
import io
import subprocess
import sys
import tempfile
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import nbrank
from nbrank.readers.large import long_parquet, parquet_files
from nbrank.votes import progress
from nbrank.votes.tallies import tally

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
    monkeypatch.setattr(parquet_files, "_ROWS_IN_BATCH", 7)
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
        assert np.array_equal(one.max_abs_score, two.max_abs_score)


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


@pytest.mark.filterwarnings("ignore:no two systems share an instance")  # where few are there
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
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


def test_the_same_instance_in_two_tasks_is_two_instances(tmp_path):
    found = nbrank.from_parquet(write(LONG, tmp_path)[0], **NAMES)
    assert found == in_memory(LONG)
    assert [counts.places.n_ballots.sum() for counts in found.counts] == [1, 1]


def test_files_come_in_the_order_of_a_list_and_of_their_paths_in_a_folder(tmp_path):
    first, second = write(LONG, tmp_path, n_files=2)
    assert list(nbrank.from_parquet(tmp_path, **NAMES).systems) == ["B", "A"]
    assert list(nbrank.from_parquet(str(tmp_path), **NAMES).tasks) == ["t2", "t1"]
    assert list(nbrank.from_parquet([second, str(first)], **NAMES).tasks) == ["t1", "t2"]


def test_folders_that_name_a_column_are_read_as_such(tmp_path):
    LONG.to_parquet(tmp_path / "table", partition_cols=["model", "bench"])
    found = nbrank.from_parquet(tmp_path / "table", **NAMES)
    assert found == in_memory(LONG.sort_values(["model", "bench"]))


def test_folders_named_by_numbers_are_read_as_text(tmp_path):
    numbered = LONG.assign(model=LONG["model"].map({"A": "01", "B": "1"}))
    numbered.to_parquet(tmp_path / "models", partition_cols=["model"])
    found = nbrank.from_parquet(tmp_path / "models", **NAMES)
    assert list(found.systems) == ["01", "1"]
    assert found == in_memory(numbered.sort_values("model", kind="stable"))
    items = LONG.assign(item=["1", "1", "01", "1", "01"])
    items.to_parquet(tmp_path / "items", partition_cols=["item"])
    found = nbrank.from_parquet(tmp_path / "items", **NAMES)
    assert found == in_memory(items.sort_values("item", kind="stable"))


def test_a_folder_without_a_name_is_refused(tmp_path):
    LONG.assign(model=["A", None, "A", "A", "A"]).to_parquet(tmp_path, partition_cols=["model"])
    with pytest.raises(ValueError, match=r"rows without a name \(NaN\) in 'model' in .*HIVE"):
        nbrank.from_parquet(tmp_path, **NAMES)


def test_a_column_in_the_file_goes_before_a_folder_of_that_name(tmp_path):
    (tmp_path / "bench=1").mkdir()
    LONG.to_parquet(tmp_path / "bench=1" / "scores.parquet")
    assert_same(nbrank.from_parquet(tmp_path, **NAMES), LONG)


def test_scores_of_several_types_are_compared_as_in_memory(tmp_path):
    # float32 and float64 of 0.1 are two numbers.
    one = LONG.astype({"value": "float32"})
    two = LONG.assign(model=["C", "D", "C", "D", "D"])
    paths = [tmp_path / "one.parquet", tmp_path / "two.parquet"]
    for frame, path in zip((one, two), paths, strict=True):
        frame.to_parquet(path)
    assert_same(nbrank.from_parquet(paths, **NAMES), pd.concat([one, two]))


def test_numbers_of_every_kind_name_systems_tasks_and_instances(tmp_path):
    names = LONG.assign(
        model=[2.5, -1.0, 2.5, -1.0, -1.0],
        bench=[7, 7, 3, 3, 3],
        item=np.array([2**64 - 1, 2**64 - 1, 0, 0, 1], dtype=np.uint64),
        value=[True, False, True, False, False],
    )
    assert_same(nbrank.from_parquet(write(names, tmp_path)[0], **NAMES), names)
    days = names.assign(model=pd.to_datetime(["2026-01-02", "2026-01-01"])[[0, 1, 0, 1, 1]])
    found = nbrank.from_parquet(write(days, tmp_path)[0], **NAMES)
    assert list(found.systems) == list(in_memory(days).systems)


def table_of(frame, **columns):
    """The frame for Parquet, some of its columns as given."""
    table = pa.Table.from_pandas(frame, preserve_index=False)
    for name, values in columns.items():
        table = table.set_column(table.schema.get_field_index(name), name, values)
    return table


DECIMALS = pa.array([Decimal("0.10"), Decimal("0.20"), Decimal("0.30"), Decimal("-0.40"), None])
TEXT = pa.array(["item zero", "item zero", "0", "0", ""])
AS_IN_MEMORY = {
    "decimals for scores": (
        table_of(LONG, value=DECIMALS.cast(pa.decimal128(38, 6))),
        LONG.assign(value=[0.1, 0.2, 0.3, -0.4, np.nan]),
    ),
    "booleans, some of them missing": (
        table_of(LONG, value=pa.array([True, None, False, True, False])),
        LONG.assign(value=[1, np.nan, 0, 1, 0]),
    ),
    "scores in a dictionary": (
        table_of(LONG, value=pa.array([0.5, 1.5, 0.5, 1.5, None]).dictionary_encode()),
        LONG.assign(value=[0.5, 1.5, 0.5, 1.5, np.nan]),
    ),
    "no score at all": (table_of(LONG, value=pa.nulls(5)), LONG.assign(value=np.nan)),
    "large text in a dictionary": (
        table_of(LONG, item=TEXT.cast(pa.large_string()).dictionary_encode()),
        LONG.assign(item=TEXT.to_pylist()),
    ),
    "integers in a dictionary": (
        table_of(LONG, item=pa.array([0, 0, 0, 0, 1], pa.int8()).dictionary_encode()),
        LONG,
    ),
    "the largest integers": (
        table_of(LONG, item=pa.array([2**63 - 1, 2**63 - 1, -(2**63), -(2**63), 0])),
        LONG.assign(item=[2**63 - 1, 2**63 - 1, -(2**63), -(2**63), 0]),
    ),
    "columns in another order": (table_of(LONG[["value", "item", "bench", "model"]]), LONG),
}

# Older versions of pyarrow can't write it.
if int(pa.__version__.split(".")[0]) >= 18:
    AS_IN_MEMORY["text as a view"] = (
        table_of(LONG, item=TEXT.cast(pa.string_view()), bench=TEXT.cast(pa.string_view())),
        LONG.assign(item=TEXT.to_pylist(), bench=TEXT.to_pylist()),
    )


@pytest.mark.parametrize(("table", "frame"), AS_IN_MEMORY.values(), ids=AS_IN_MEMORY)
def test_types_that_files_may_have_are_read_as_in_memory(table, frame, tmp_path):
    pq.write_table(table, tmp_path / "scores.parquet")
    assert_same(nbrank.from_parquet(tmp_path, **NAMES), frame)


def test_a_part_may_have_no_rows_no_types_or_no_scores(small, tmp_path):
    first, second = write(LONG, tmp_path, n_files=2)
    # Whoever writes such a part may know of no types.
    LONG.iloc[:0].astype(object).to_parquet(tmp_path / "part-00.parquet")
    assert_same(nbrank.from_parquet(tmp_path, **NAMES), LONG)
    narrow = pq.read_table(first).cast(pq.read_schema(first).set(3, pa.field("value", "float32")))
    pq.write_table(narrow, first)
    pq.write_table(table_of(LONG.iloc[2:], value=pa.nulls(3)), second)
    expected = LONG.assign(value=np.float32([0.1, 0.2, np.nan, np.nan, np.nan]))
    assert_same(nbrank.from_parquet(tmp_path, **NAMES), expected)


def test_what_programs_leave_beside_the_parts_is_passed_over(tmp_path):
    write(LONG, tmp_path, n_files=2)
    for name in ("_SUCCESS", "._SUCCESS.crc", ".part-0.parquet.crc", "_metadata"):
        (tmp_path / name).write_bytes(b"crc")
    assert_same(nbrank.from_parquet(tmp_path, **NAMES), LONG)
    (tmp_path / "README.md").write_text("What these scores are.")
    with pytest.raises(ValueError, match=r"README.md cannot be read as Parquet: .*sorted\(pathlib"):
        nbrank.from_parquet(tmp_path, **NAMES)
    assert_same(nbrank.from_parquet(sorted(tmp_path.glob("*.parquet")), **NAMES), LONG)


@pytest.mark.parametrize(
    ("path", "name"),
    [(3, "int"), (b"scores", "bytes"), ({"a", "b"}, "set"), ([3], "list"), (None, "NoneType")],
)
def test_what_is_no_path_is_refused(path, name):
    with pytest.raises(TypeError, match=f"takes a path or a list of paths, not {name}$"):
        nbrank.from_parquet(path, **NAMES)


def test_a_frame_goes_elsewhere_and_a_pattern_has_to_be_looked_up(tmp_path):
    with pytest.raises(TypeError, match="not DataFrame; nbrank.from_long takes a frame"):
        nbrank.from_parquet(LONG, **NAMES)
    with pytest.raises(ValueError, match="no Parquet file in an empty list"):
        nbrank.from_parquet([], **NAMES)
    write(LONG, tmp_path)
    with pytest.raises(FileNotFoundError) as error:
        nbrank.from_parquet(str(tmp_path / "*.parquet"), **NAMES)
    assert error.value.__notes__ == [
        "a pattern is not looked up: give the files, sorted(glob.glob(...))"
    ]


def wrong(frame=LONG, **columns):
    return frame.assign(**columns)


WRONG = {
    "a missing column": (
        LONG.drop(columns="item"),
        KeyError,
        r"no column 'item' in .*two.parquet; the columns are 'model', 'bench', 'value'",
    ),
    "text for scores": (
        wrong(value=["good"] * 5),
        TypeError,
        r"scores must be numbers, but 'value' holds something else in .*two.parquet",
    ),
    "huge integers for scores": (
        wrong(value=pd.array([2**53 + 1, 2**53, None, 1, 2], dtype="Int64")),
        ValueError,
        r"'value' holds integers from 2 \*\* 53 on in .*two.parquet, which can't be told apart",
    ),
    "decimals that are one float": (
        table_of(LONG, value=pa.array([Decimal("0.10000000000000000001")] * 5)),
        ValueError,
        r"'value' holds decimals of more digits than floats have in .*two.parquet, which can't be ",
    ),
    "lists for systems": (
        wrong(model=[["A"]] * 5),
        TypeError,
        r"'model' holds list<.*> values in .*two.parquet; name every one by text or a number",
    ),
    "a system without a name": (
        wrong(model=["A", None, "A", "B", "B"]),
        ValueError,
        r"rows without a name \(NaN\) in 'model' in .*two.parquet",
    ),
    "a system named NaN": (
        wrong(model=[1.0, np.nan, 1.0, 2.0, 2.0]),
        ValueError,
        r"rows without a name \(NaN\) in 'model' in .*two.parquet",
    ),
    "an instance without a name": (
        wrong(item=pd.array([5, None, 6, 7, 8], dtype="Int64")),
        ValueError,
        r"rows without a name \(NaN\) in 'item' in .*two.parquet",
    ),
    "text among integers": (
        wrong(item=list("abcde")),
        TypeError,
        r"'item' holds integers in .*one.parquet and text in .*two.parquet; name the instances in",
    ),
    "instances named by dates": (
        wrong(item=pd.Timestamp("2026-01-01")),
        TypeError,
        r"'item' holds timestamp.* values in .*two.parquet; name the instances by integers or text",
    ),
    "a score that is there twice": (
        wrong(item=[9, 9, 9, 1, 2]),
        ValueError,
        (
            r"more than one score for \('A', 't1', 1\) \(model, bench, item\); keep one of each, "
            r"or name the column of the runs \(run=\)"
        ),
    ),
    "a score that is there twice, once missing": (
        wrong(item=[9, 9, 9, 0, 2], value=np.nan),
        ValueError,
        r"more than one score for \('A', 't1', 0\) \(model, bench, item\); keep one of each",
    ),
}


@pytest.mark.parametrize(("frame", "error", "message"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_named_with_its_file(frame, error, message, small, tmp_path):
    LONG.to_parquet(tmp_path / "one.parquet")
    table = frame if isinstance(frame, pa.Table) else table_of(frame)
    pq.write_table(table, tmp_path / "two.parquet")
    with pytest.raises(error, match=message):
        nbrank.from_parquet(tmp_path, **NAMES)


def test_no_rows_and_no_files_are_refused(tmp_path):
    with pytest.raises(ValueError, match="no Parquet file"):
        nbrank.from_parquet(tmp_path, **NAMES)
    LONG.iloc[:0].to_parquet(tmp_path / "empty.parquet")
    with pytest.raises(ValueError, match="the long table is empty"):
        nbrank.from_parquet(tmp_path, **NAMES)
    with pytest.raises(FileNotFoundError, match="nowhere"):
        nbrank.from_parquet(tmp_path / "nowhere", **NAMES)


def test_one_column_is_wanted_for_each_thing(tmp_path):
    LONG.to_parquet(tmp_path / "scores.parquet")
    with pytest.raises(ValueError, match="the column 'model' is given for two things"):
        nbrank.from_parquet(tmp_path, **{**NAMES, "task": "model"})
    double = pa.table([[0.5]] * 5, names=["model", "bench", "item", "value", "bench"])
    pq.write_table(double, tmp_path / "scores.parquet")
    with pytest.raises(ValueError, match=r"several columns are called 'bench' in .*scores.parquet"):
        nbrank.from_parquet(tmp_path, **NAMES)


@pytest.mark.parametrize("name", ["a-first.parquet", "last.parquet"])
@pytest.mark.parametrize("content", [b"", b"no Parquet file", b"PAR1 and then cut off"])
def test_a_file_that_is_no_parquet_is_named_wherever_it_stands(name, content, tmp_path):
    LONG.to_parquet(tmp_path / "between.parquet")
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=rf"{name} cannot be read as Parquet"):
        nbrank.from_parquet(tmp_path, **NAMES)


def torn(path, column):
    """Overwrite the head of the first page of a column."""
    found = pq.ParquetFile(path).metadata.row_group(0).column(column)
    content = bytearray(path.read_bytes())
    start = found.dictionary_page_offset or found.data_page_offset
    content[start : start + 20] = b"\xff" * 20
    path.write_bytes(content)


@pytest.mark.parametrize("column", range(4), ids=list(LONG))
def test_a_torn_page_is_refused_with_the_name_of_its_file(column, tmp_path):
    _, second = write(LONG, tmp_path, n_files=2)
    torn(second, column)
    with pytest.raises(ValueError, match=r"part-1.parquet cannot be read as Parquet: .*; write"):
        nbrank.from_parquet(tmp_path, **NAMES)


def test_a_file_that_is_not_there_has_a_reason():
    with pytest.raises(FileNotFoundError, match="No such file or directory: 'none.parquet'"):
        nbrank.from_parquet("none.parquet", **NAMES)


def test_without_pyarrow_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ImportError, match=r"pip install 'nbrank\[big\]'"):
        nbrank.from_parquet("scores.parquet", **NAMES)


@pytest.mark.parametrize("twice", [False, True])
def test_nothing_is_left_in_the_temporary_folder(small, tmp_path, monkeypatch, twice):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    frame = random_rows(np.random.default_rng(3), missing=0.0)
    (path,) = write(pd.concat([frame, frame]) if twice else frame, tmp_path)
    if twice:
        with pytest.raises(ValueError, match="more than one score"):
            nbrank.from_parquet(path, **NAMES)
    else:
        nbrank.from_parquet(path, **NAMES)
    assert list(temporary.iterdir()) == []


def test_a_full_temporary_folder_is_said_to_be_full(small, tmp_path, monkeypatch):
    class Full(tempfile.SpooledTemporaryFile):
        def write(self, data):
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "SpooledTemporaryFile", Full)
    with pytest.raises(OSError, match="No space left") as error:
        nbrank.from_parquet(write(LONG, tmp_path)[0], **NAMES)
    assert "set TMPDIR to one with 16 bytes for each row" in error.value.__notes__[0]


def test_bars_show_how_far_a_run_is(small, tmp_path, monkeypatch):
    from tqdm import std

    made = []

    class Recorded(std.tqdm):
        def __init__(self, *args, **options):
            super().__init__(*args, **options, file=io.StringIO())
            made.append(self)

    monkeypatch.setattr("tqdm.auto.tqdm", Recorded)
    monkeypatch.setattr(progress, "MIN_SECONDS_BEFORE_BAR", 0)
    monkeypatch.delenv("TQDM_DISABLE", raising=False)
    nbrank.from_parquet(write(LONG, tmp_path)[0], **NAMES)
    assert [bar.desc for bar in made] == ["names", "reading", "counting"]
    assert [(bar.n, bar.total) for bar in made] == [(5, 5)] * 3


def test_the_hash_of_a_name_is_that_of_it_in_a_part_of_the_column():
    for names in (pa.array(["one", "", "three"], pa.large_string()), pa.array([3, 1, 2])):
        hashed = parquet_files.hash_names(names)
        assert np.array_equal(parquet_files.hash_names(names[1:]), hashed[1:])


MEASURED = """
import re, sys
from pathlib import Path
import nbrank
from nbrank.readers.large import long_parquet, parquet_files

parquet_files._ROWS_IN_BATCH = long_parquet._ROWS_IN_CHUNK = 1 << 15
long_parquet._ROWS_IN_BUCKET = 1 << 16
long_parquet._BYTES_IN_MEMORY = 1 << 20
long_parquet._THREADS = 2
names = {"system": "model", "task": "bench", "instance": "item", "score": "value"}
for path in sys.argv[1:]:
    nbrank.from_parquet(path, **names)
    print(re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the peak of a process is read from /proc")
def test_memory_does_not_grow_with_the_rows(tmp_path):
    n_systems, paths = 8, []
    # Both are enough rows for every thread to have its hands full.
    for n_rows in (1 << 20, 1 << 22):
        row = np.random.default_rng(0).permutation(n_rows)
        table = pa.table(
            {
                "model": pa.DictionaryArray.from_arrays(row % n_systems, list("ABCDEFGH")),
                "bench": pa.DictionaryArray.from_arrays(np.zeros(n_rows, np.int8), ["task"]),
                "item": row // n_systems,
                "value": row.astype(np.float32),
            }
        )
        paths.append(tmp_path / f"{n_rows}.parquet")
        # One row group: as much as a writer may leave to a reader at a time.
        pq.write_table(table, paths[-1], row_group_size=n_rows)
    code = [sys.executable, "-c", MEASURED, *map(str, paths)]
    run = subprocess.run(code, capture_output=True, text=True, check=True)
    few, many = (int(peak) * 1024 for peak in run.stdout.split())
    assert many - few < table.nbytes / 2


def test_hashes_are_spread_evenly_and_their_own():
    numbers = np.concatenate([np.arange(-5000, 5000), np.arange(0, 2**62, 2**50)])
    texts = pa.array(
        ["", *(letter * n for letter in "abé" for n in range(1, 40))], pa.large_string()
    )
    assert len(np.unique(parquet_files.hash_names(texts))) == len(texts)
    assert np.array_equal(
        parquet_files.hash_names(texts[50:]), parquet_files.hash_names(texts)[50:]
    )
    found = parquet_files.hash_names(pa.array(numbers))
    assert len(np.unique(found)) == len(np.unique(numbers))
    sizes = np.bincount((found >> np.uint64(61)).astype(int))
    assert len(sizes) == 8
    assert sizes.min() > 0.9 * sizes.max()
