"""Long tables larger than memory, from Parquet files on disk."""

from __future__ import annotations

import errno
import os
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays.counting import BallotCounts, count_ballots
from nbrank.arrays.instance_blocks import (
    TwiceError,
    bucket_of,
    hashed_integers,
    hashed_text,
    instance_blocks,
    n_buckets,
)
from nbrank.readers.long import (
    Columns,
    check_columns,
    empty,
    nameless,
    no_instances,
    no_numbers,
    scored_twice,
    several_kinds,
)
from nbrank.votes.naming import Label, named
from nbrank.votes.progress import progress
from nbrank.votes.score_cells import refuse_large_integers
from nbrank.votes.tally import Tally, checked

if TYPE_CHECKING:
    import pyarrow as pa

Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
Item = TypeVar("Item")
Result = TypeVar("Result")

#: Rows read at a time.
_ROWS_IN_BATCH = 1 << 17
#: Rows sorted into buckets at a time; fewer where their names are long.
_ROWS_IN_CHUNK = 1 << 19
_BYTES_IN_CHUNK = 1 << 27
#: Rows of a bucket, on average: what a thread holds in memory while it counts.
_ROWS_IN_BUCKET = 1 << 20
#: Bytes that are kept in memory before a file is made in the temporary folder.
_BYTES_IN_MEMORY = 1 << 26
#: Bytes of a column that are read from a file at a time.
_BUFFER = 1 << 20
#: Threads at work; each holds a chunk or a bucket.
_THREADS = min(os.cpu_count() or 1, 4)


def from_parquet(path: Paths, *, system: str, task: str, instance: str, score: str) -> Tally:
    """What is left of a long Parquet data set (a row for each score) once it is counted?

    The files are read in batches, and the scores of an instance are brought
    together through a file in the temporary folder: the memory needed does not
    grow with the number of rows, whatever their order.

    Parameters
    ----------
    path
        A Parquet file, a folder of such files, or a list of both; or their
        address as pyarrow knows it ("s3://..."). The files of a folder, and of the
        folders in it, come in the order of their paths, without those whose names
        begin with "." or "_"; folders named like `model=A` are columns of text, so
        that `model=01` and `model=1` are two models. A pattern is not looked up:
        give `sorted(glob.glob("scores/*.parquet"))`.
    system
        The column that names the system.
    task
        The column that names the task.
    instance
        The column that names the instance of the task: integers or text. The same
        name in two tasks is two instances.
    score
        The column that holds the score: floats, integers, decimals or booleans;
        null or NaN where it is missing.

    Returns
    -------
    Tally
        The counts, equal to those of the same rows in memory,
        `nbrank.tally(nbrank.from_long(frame, ...))`; systems and tasks in the order
        in which they first appear. Every rule that needs no more than counts takes
        it like a table of scores; `weights`, `groups` and `lower_is_better` are
        given to the rule, as in `counts.borda(lower_is_better=["latency"])`.

    Raises
    ------
    ImportError
        If pyarrow is not installed.
    OSError
        If a file can't be opened.
    KeyError
        If a file has no such column.
    TypeError
        If the scores are not numbers, instances neither integers nor text, or
        `path` is no path.
    ValueError
        If there are no rows, a file is not Parquet or is torn, a column is given for two
        things, a name is missing, a score is there twice, or scores are integers
        from 2 ** 53 on or decimals of more digits than floats have; the message
        names it.

    Notes
    -----
    The temporary folder needs about 16 bytes for each row, and the length of the
    instance's name where that is text. It is the one of Python's `tempfile`, which
    the environment variable `TMPDIR` sets: choose one on disk where `/tmp` is kept
    in memory. Nothing is left there, whatever happens.

    At most four threads hold about a million rows each; the names of systems, and
    counts of systems x systems for each task, have to fit into memory.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import pandas as pd
    >>> long = pd.DataFrame(
    ...     {"model": ["A", "A", "B"], "bench": "b", "item": [1, 2, 1], "value": [0.5, 0.7, 0.9]}
    ... )
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "scores.parquet")
    ...     long.to_parquet(file)
    ...     from_parquet(file, system="model", task="bench", instance="item", score="value")
    Tally: 2 systems x 1 task, 2 instances, 3 scores, 1 missing
    """
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError as error:
        raise ImportError(
            "from_parquet reads by pyarrow, which is not installed: pip install 'nbrank[big]'"
        ) from error
    table = _LongTable.of(path, Columns(system, task, instance, score))
    with (
        tempfile.SpooledTemporaryFile(_BYTES_IN_MEMORY) as file,
        ThreadPoolExecutor(_THREADS) as pool,
    ):
        buckets = _Buckets(file, [[] for _ in range(table.n_buckets)])
        with _bar("reading", table.n_rows) as bar:
            for n_rows, pieces in _in_turn(pool, table.sorted_into_buckets, table.chunks()):
                buckets.append(pieces)
                bar.update(n_rows)
        counts = [BallotCounts.zero(len(table.systems)) for _ in table.tasks]
        with _bar("counting", table.n_rows) as bar:
            for n_rows, found in _in_turn(pool, table.counted, buckets):
                for number, of_block in found:
                    counts[number] += of_block
                bar.update(n_rows)
    systems, tasks = (
        pd.Index(list(names), tupleize_cols=False) for names in (table.systems, table.tasks)
    )
    return checked(Tally(systems, tasks, tuple(counts)), table.n_rows)


@dataclass(frozen=True)
class _File:
    """A file that has all columns, or whose folders (`of_folder`) name them."""

    path: str
    opened: Callable[[], Any]
    of_folder: dict[str, Any]
    instance_type: pa.DataType
    score_type: pa.DataType
    n_rows: int

    @property
    def where(self) -> str:
        """The file, at the end of a sentence on what is wrong."""
        return f" in {self.path}"

    def batches(self, columns: Sequence[str], names: list[str]) -> Iterator[pa.RecordBatch]:
        """Some rows at a time of some columns; `names` are those with few different values."""
        import pyarrow as pa

        inside = [name for name in columns if name not in self.of_folder]
        # Through a small buffer: a row group may be as large as the file. A batch without any
        # column would not know how many rows it has.
        few = [name for name in names if name in inside]
        for batch in self._read(inside or None, few):
            arrays = [
                pa.repeat(pa.scalar(self.of_folder[name]), len(batch))
                if name in self.of_folder
                else batch.column(name)
                for name in columns
            ]
            yield pa.record_batch(arrays, names=list(columns))

    def _read(self, columns: list[str] | None, few: list[str]) -> Iterator[pa.RecordBatch]:
        """Rows as they are in the file."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            with pq.ParquetFile(
                self.opened(), read_dictionary=few, buffer_size=_BUFFER, pre_buffer=False
            ) as file:
                yield from file.iter_batches(_ROWS_IN_BATCH, columns=columns)
        except (pa.ArrowInvalid, OSError) as error:
            raise unreadable(self.path, error) from error


@dataclass(frozen=True)
class _LongTable:
    """A long table in files, its systems and tasks found and numbered."""

    files: tuple[_File, ...]
    columns: Columns[str]
    systems: dict[Label, int]
    tasks: dict[Label, int]
    rows_of_task: NDArray[np.int64]

    @classmethod
    def of(cls, path: Paths, columns: Columns[str]) -> _LongTable:
        """Look through the files for the names of systems and tasks."""
        files = _files(path, columns)
        systems: dict[Label, int] = {}
        tasks: dict[Label, int] = {}
        rows_of_task = np.zeros(0, dtype=np.int64)
        names = [columns.system, columns.task]
        with _bar("names", sum(file.n_rows for file in files)) as bar:
            for file in files:
                for batch in file.batches(names, names):
                    _number(batch.column(0), systems, columns.system, file)
                    _number(batch.column(1), tasks, columns.task, file)
                    found = np.bincount(_numbers(batch.column(1), tasks), minlength=len(tasks))
                    found[: len(rows_of_task)] += rows_of_task
                    rows_of_task = found
                    bar.update(len(batch))
        if not rows_of_task.sum():
            raise empty()
        return cls(tuple(files), columns, systems, tasks, rows_of_task)

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self.rows_of_task.sum())

    @property
    def n_buckets(self) -> int:
        """The number of buckets into which the rows are sorted."""
        return n_buckets(self.rows_of_task, _ROWS_IN_BUCKET)

    @property
    def dtype(self) -> np.dtype[np.floating]:
        """The type of the scores, as in memory: float32 only if they all are."""
        import pyarrow as pa

        # Where all are missing, a writer may know of no type.
        types = {file.score_type for file in self.files} - {pa.null()}
        return np.dtype(np.float32 if types == {pa.float32()} else np.float64)

    @property
    def schema(self) -> pa.Schema:
        """The columns of a row in a bucket: a number for task and system, instance, score."""
        import pyarrow as pa

        cells = len(self.systems) * len(self.tasks)
        return pa.schema(
            [
                ("cell", pa.from_numpy_dtype(np.min_scalar_type(cells - 1))),
                ("instance", self.files[0].instance_type),
                ("score", pa.from_numpy_dtype(self.dtype)),
            ]
        )

    def chunks(self) -> Iterator[list[tuple[_File, pa.RecordBatch]]]:
        """Batches that are worth sorting at a time."""
        columns = self.columns
        every = columns.every
        held: list[tuple[_File, pa.RecordBatch]] = []
        for file in self.files:
            for batch in file.batches(every, [columns.system, columns.task]):
                held.append((file, batch))
                n_rows = sum(len(one) for _, one in held)
                if (
                    n_rows >= _ROWS_IN_CHUNK
                    or sum(one.nbytes for _, one in held) >= _BYTES_IN_CHUNK
                ):
                    yield held
                    held = []
        if held:
            yield held

    def sorted_into_buckets(
        self, chunk: list[tuple[_File, pa.RecordBatch]]
    ) -> tuple[int, list[tuple[int, pa.Buffer]]]:
        """The number of rows, and the buckets into which they fall with the rows of each."""
        import pyarrow as pa

        rows = pa.Table.from_batches([self._numbered(*one) for one in chunk], self.schema)
        rows = rows.combine_chunks().to_batches()[0]
        task = rows.column("cell").to_numpy() // len(self.systems)
        hashed = _hashed(rows.column("instance"))
        bucket = bucket_of(task, hashed, self.rows_of_task, _ROWS_IN_BUCKET)
        # Stable, so that numpy sorts such small numbers by their digits.
        small = np.min_scalar_type(self.n_buckets)
        rows = rows.take(pa.array(np.argsort(bucket.astype(small), kind="stable")))
        stops = np.cumsum(np.bincount(bucket)).tolist()
        starts = [0, *stops]
        return len(rows), [
            (number, rows.slice(start, stop - start).serialize())
            for number, (start, stop) in enumerate(zip(starts, stops, strict=False))
            if stop > start
        ]

    def _numbered(self, file: _File, batch: pa.RecordBatch) -> pa.RecordBatch:
        """A batch with its systems and tasks numbered, and names and scores of one type."""
        import pyarrow as pa

        columns = self.columns
        task = _numbers(batch.column(columns.task), self.tasks)
        cell = task * len(self.systems) + _numbers(batch.column(columns.system), self.systems)
        instance = batch.column(columns.instance)
        if pa.types.is_dictionary(instance.type):
            instance = instance.dictionary_decode()
        if instance.null_count:
            raise nameless([columns.instance], file.where)
        score = batch.column(columns.score)
        whole = pa.types.is_integer(score.type)
        if pa.types.is_decimal(score.type):
            score = _as_floats(score, columns.score, file.where)
        elif not pa.types.is_floating(score.type):
            score = score.cast(pa.float64(), safe=False)
        scores = score.to_numpy(zero_copy_only=False).astype(self.dtype, copy=False)
        if whole:
            refuse_large_integers(columns.score, scores, file.where)
        cells, instances, _ = self.schema.types
        return pa.record_batch(
            [pa.array(cell, cells, safe=False), instance.cast(instances), pa.array(scores)],
            schema=self.schema,
        )

    def counted(self, bucket: list[bytes]) -> tuple[int, list[tuple[int, BallotCounts]]]:
        """The number of rows of a bucket, and the tasks in it with the counts of each."""
        import pyarrow as pa

        rows = pa.Table.from_batches([pa.ipc.read_record_batch(one, self.schema) for one in bucket])
        cell, instance, score = (column.combine_chunks() for column in rows.columns)
        task, system = np.divmod(cell.to_numpy(), len(self.systems))
        if pa.types.is_integer(instance.type):
            number = instance.to_numpy()
        else:
            number = instance.dictionary_encode().indices.to_numpy()
        blocks = instance_blocks(system, task, number, score.to_numpy(), len(self.systems))
        try:
            return len(rows), [(task, count_ballots(block)) for task, block in blocks]
        except TwiceError as error:
            row = error.rows[0]
            twice = (
                list(self.systems)[system[row]],
                list(self.tasks)[task[row]],
                instance[row].as_py(),
            )
            raise scored_twice([twice], self.columns.cell) from None


@dataclass(frozen=True)
class _Buckets:
    """Rows sorted into buckets, in a file."""

    file: IO[bytes]
    places: list[list[tuple[int, int]]]

    def append(self, pieces: list[tuple[int, pa.Buffer]]) -> None:
        """Write rows to the end of the file."""
        try:
            for number, rows in pieces:
                self.places[number].append((self.file.tell(), rows.size))
                self.file.write(memoryview(rows))
        except OSError as error:
            if error.errno == errno.ENOSPC:
                error.add_note(
                    f"the temporary folder {tempfile.gettempdir()} is full; set TMPDIR to one with "
                    f"16 bytes for each row, and the length of the instance's name if it is text"
                )
            raise

    def __iter__(self) -> Iterator[list[bytes]]:
        for places in self.places:
            pieces = []
            for place, size in places:
                self.file.seek(place)
                pieces.append(self.file.read(size))
            if pieces:
                yield pieces


def _bar(what: str, n_rows: int) -> Any:
    return progress(total=n_rows, desc=what, unit=" rows", unit_scale=True)


def _in_turn(
    pool: ThreadPoolExecutor, function: Callable[[Item], Result], items: Iterable[Item]
) -> Iterator[Result]:
    """The results in the order of the items, of which only a few are held at a time."""
    waiting: deque[Future[Result]] = deque()
    for item in items:
        if len(waiting) > _THREADS:
            yield waiting.popleft().result()
        waiting.append(pool.submit(function, item))
    while waiting:
        yield waiting.popleft().result()


def _files(path: Paths, columns: Columns[str]) -> list[_File]:
    """The files in their order, each checked."""
    import pyarrow as pa
    import pyarrow.dataset as ds

    # Else the folders `model=01` and `model=1` would be read as integers, and as one model.
    # A schema is not looked for in the first file either, where an error would not name it.
    text = pa.schema([(name, pa.string()) for name in dict.fromkeys(columns.every)])
    paths = _paths(path)
    found: list[_File | None] = []
    for one in paths:
        try:
            fragments = ds.dataset(one, schema=text, format="parquet", partitioning="hive")
        except FileNotFoundError as error:
            absent = unreadable(os.fspath(one), error)
            if set("*?[") & set(os.fspath(one)):
                absent.add_note(
                    "a pattern is not looked up: give the files, sorted(glob.glob(...))"
                )
            raise absent from None
        ordered = sorted(fragments.get_fragments(), key=lambda file: file.path)
        found += [_checked(file, columns) for file in ordered]
    if not found:
        raise ValueError(
            f"no Parquet file in {named(map(str, paths)) or 'an empty list'}; give a file, folder "
            f"or list"
        )
    files = [file for file in found if file is not None]
    for file in files[1:]:
        if file.instance_type != files[0].instance_type:
            raise several_kinds(
                columns.instance,
                *((_kind(one.instance_type), one.where) for one in (files[0], file)),
            )
    return files


def _paths(path: object) -> list[str | os.PathLike[str]]:
    """The files and folders given, in their order."""
    if isinstance(path, str | os.PathLike):
        return [path]
    # The order of the files is that of the systems and tasks, and a set has none.
    if isinstance(path, Iterable) and not isinstance(path, pd.DataFrame | bytes | Set | Mapping):
        paths = list(path)
        if all(isinstance(one, str | os.PathLike) for one in paths):
            return paths
    advice = "; nbrank.from_long takes a frame" if isinstance(path, pd.DataFrame) else ""
    raise TypeError(
        f"from_parquet takes a path or a list of paths, not {type(path).__name__}{advice}"
    )


def _checked(fragment: Any, columns: Columns[str]) -> _File | None:
    """A file that has all columns, of types that can be read; None if it has no rows."""
    import pyarrow as pa
    import pyarrow.dataset as ds

    where = f" in {fragment.path}"
    try:
        schema, n_rows = fragment.physical_schema, fragment.metadata.num_rows
    except (pa.ArrowInvalid, OSError) as error:
        advice = (
            "where a folder holds other files too, give those to be read: "
            "sorted(pathlib.Path(folder).glob('*.parquet'))"
        )
        raise unreadable(fragment.path, error, advice) from error
    types = {column.name: column.type for column in schema}
    of_folder = {
        name: value
        for name, value in ds.get_partition_keys(fragment.partition_expression).items()
        if name not in types
    }
    check_columns(columns.every, [*schema.names, *of_folder], where)
    if not n_rows:
        # Whoever writes no rows may know of no types.
        return None
    types |= {name: pa.scalar(value).type for name, value in of_folder.items()}
    for name in (columns.system, columns.task):
        if pa.types.is_nested(types[name]):
            raise TypeError(
                f"{name!r} holds {types[name]} values{where}; name every one by text or a number"
            )
    score = types[columns.score]
    numbers = ("floating", "integer", "boolean", "decimal", "null")
    if not any(getattr(pa.types, f"is_{kind}")(score) for kind in numbers):
        raise no_numbers(columns.score, where)
    instance = types[columns.instance]
    if pa.types.is_dictionary(instance):
        instance = instance.value_type
    if pa.types.is_integer(instance):
        instance = pa.uint64() if pa.types.is_uint64(instance) else pa.int64()
    elif str(instance) in ("string", "large_string", "string_view"):
        instance = pa.large_string()
    else:
        raise no_instances(columns.instance, _kind(instance), where)
    return _File(fragment.path, fragment.open, of_folder, instance, score, n_rows)


def unreadable(
    path: str, error: Exception, advice: str = "write the file again, or get another copy"
) -> Exception:
    """The error of reading a file with the file's name and the reason; pyarrow lacks one or both.

    Parameters
    ----------
    path
        The file.
    error
        The error of reading it.
    advice
        What to do where it is the content that is wrong.
    """
    if isinstance(error, FileNotFoundError):
        return FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    if isinstance(error, OSError) and error.errno is not None:
        return error
    reason = " ".join(str(error).split()).rstrip(".")
    return ValueError(f"{path} cannot be read as Parquet: {reason}; {advice}")


def _as_floats(decimals: pa.Array, column: str, where: str) -> pa.Array:
    """The floats nearest to decimals; none may become one with another."""
    import pyarrow as pa
    import pyarrow.compute as pc

    # By their digits: pyarrow's own cast may miss the nearest by a bit, and 0.1 be two numbers.
    floats = decimals.cast(pa.string()).cast(pa.float64())
    again = floats.cast(pa.string()).cast(decimals.type)
    if pc.all(pc.equal(again, decimals)).as_py() is False:
        raise ValueError(
            f"{named([column])} holds decimals of more digits than floats have{where}, which can't "
            f"be told apart as floats; round them"
        )
    return floats


def _kind(names: pa.DataType) -> str:
    """What instances of a type are named by, in words."""
    import pyarrow as pa

    kinds: dict[str, Callable[[pa.DataType], bool]] = {
        "unsigned integers of 64 bits": pa.types.is_uint64,
        "integers": pa.types.is_integer,
        "text": pa.types.is_large_string,
        "floats": pa.types.is_floating,
        "booleans": pa.types.is_boolean,
        "decimals": pa.types.is_decimal,
        "dates or times": pa.types.is_temporal,
    }
    return next((kind for kind, is_kind in kinds.items() if is_kind(names)), f"{names} values")


def _number(names: pa.Array, known: dict[Label, int], column: str, file: _File) -> None:
    """Give the next numbers to those names that come for the first time, in their order."""
    coded = _coded(names)
    labels = coded.dictionary.to_pylist()
    if coded.null_count:
        raise nameless([column], file.where)
    new = np.array([label not in known for label in labels], dtype=np.bool_)
    # A dictionary's order need not be that of the rows, nor every entry have a row.
    codes = coded.indices.to_numpy()
    if new.any():
        for code in pd.unique(codes[new[codes]]).tolist():
            if pd.isna(labels[code]):
                raise nameless([column], file.where)
            known.setdefault(labels[code], len(known))


def _coded(names: pa.Array) -> pa.DictionaryArray:
    import pyarrow as pa

    return names if pa.types.is_dictionary(names.type) else names.dictionary_encode()


def _numbers(names: pa.Array, known: dict[Label, int]) -> NDArray[np.int64]:
    """The number of each row's name."""
    coded = _coded(names)
    labels = coded.dictionary.to_pylist()
    number = np.array([known.get(label, -1) for label in labels], dtype=np.int64)
    numbers: NDArray[np.int64] = number[coded.indices.to_numpy()]
    return numbers


def _hashed(names: pa.Array) -> NDArray[np.uint64]:
    """A hash of each name."""
    import pyarrow as pa

    if pa.types.is_integer(names.type):
        return hashed_integers(names.to_numpy())
    _, places, text = names.buffers()
    places = np.frombuffer(places, np.int64)[names.offset : names.offset + len(names) + 1]
    return hashed_text(np.frombuffer(text, np.uint8), places)
