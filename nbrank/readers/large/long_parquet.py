"""Reader of long tables larger than memory, from Parquet files on disk."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from nbrank.arrays.ballots.ballot_counts import BallotCounts, count_ballots
from nbrank.arrays.chunking import map_threaded
from nbrank.arrays.typing import Array, Positions
from nbrank.readers.large.long_columns import LongColumns, Paths, empty_table_error
from nbrank.readers.large.parquet_files import (
    LongFile,
    decimals_to_floats,
    encode_names,
    encode_new_names,
    hash_names,
    list_files,
)
from nbrank.votes.formatting import Label, format_labels
from nbrank.votes.progress import progress_bar
from nbrank.votes.table.score_frame import warn_no_common_instances
from nbrank.votes.table.validation import check_counts_fit
from nbrank.votes.tallies import Tally

#: Number of rows sorted into buckets at a time; fewer if their names are long.
_ROWS_IN_CHUNK = 1 << 19
_BYTES_IN_CHUNK = 1 << 27
#: Average number of rows in a bucket, which a thread holds in memory while it counts.
_ROWS_IN_BUCKET = 1 << 20
#: Maximum number of bytes held in memory; beyond it, a file in the temporary folder is used.
_BYTES_IN_MEMORY = 1 << 26
#: Number of threads; each holds a chunk or a bucket.
_THREADS = min(os.cpu_count() or 1, 4)
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


def tally_parquet(path: Paths, columns: LongColumns[str]) -> Tally:
    """Count a long table in files: read it for its names, then again to group its instances."""
    table = _FileTable.from_path(path, columns)
    with tempfile.SpooledTemporaryFile(_BYTES_IN_MEMORY) as file:
        buckets = _BucketFile(file, [[] for _ in range(table.n_buckets)])
        with _progress_bar("reading", table.n_rows) as bar:
            for n_rows, pieces in map_threaded(table.sort_into_buckets, table.chunks(), _THREADS):
                buckets.append(pieces)
                bar.update(n_rows)
        counts = {
            number: BallotCounts.zero(len(table.systems)) for number in range(len(table.tasks))
        }
        with _progress_bar("counting", table.n_rows) as bar:
            for n_rows, results in map_threaded(table.count_bucket, buckets, _THREADS):
                for number, of_block in results:
                    counts[number] += of_block
                bar.update(n_rows)
    return table.tally(counts)


@dataclass(frozen=True)
class _FileTable:
    """Long table in files, with its systems and tasks numbered."""

    columns: LongColumns[str]
    systems: dict[Label, int]
    tasks: dict[Label, int]
    rows_per_task: NDArray[np.int64]
    files: tuple[LongFile, ...]

    @classmethod
    def from_path(cls, path: Paths, columns: LongColumns[str]) -> _FileTable:
        """Look through the files for the names of systems and tasks."""
        files = list_files(path, columns)
        systems: dict[Label, int] = {}
        tasks: dict[Label, int] = {}
        rows_of_task = np.zeros(0, dtype=np.int64)
        names = [columns.system, columns.task]
        with _progress_bar("names", sum(file.n_rows for file in files)) as bar:
            for file in files:
                for batch in file.batches(names):
                    encode_new_names(batch.column(0), systems, columns.system, file.columns)
                    task = encode_new_names(batch.column(1), tasks, columns.task, file.columns)
                    result = np.bincount(task, minlength=len(tasks))
                    result[: len(rows_of_task)] += rows_of_task
                    rows_of_task = result
                    bar.update(len(batch))
        if not rows_of_task.sum():
            raise empty_table_error()
        check_counts_fit(
            "from_parquet",
            len(systems),
            Tally.BYTES_PER_PAIR * len(tasks),
            "read files with the rows of fewer systems or tasks",
        )
        return cls(columns, systems, tasks, rows_of_task, tuple(files))

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self.rows_per_task.sum())

    @property
    def n_buckets(self) -> int:
        """The number of buckets into which the rows are sorted."""
        return n_buckets(self.rows_per_task, _ROWS_IN_BUCKET)

    @property
    def dtype(self) -> np.dtype[np.floating]:
        """The type of the scores, as in memory: float32 only if they all are."""
        # A writer may set no type if all scores are missing.
        types = {file.score_type for file in self.files} - {pa.null()}
        return np.dtype(np.float32 if types == {pa.float32()} else np.float64)

    @property
    def schema(self) -> pa.Schema:
        """The columns of a row in a bucket: a number for task and system, instance, score."""
        cells = len(self.systems) * len(self.tasks)
        return pa.schema(
            [
                ("cell", pa.from_numpy_dtype(np.min_scalar_type(cells - 1))),
                ("instance", self.files[0].instance_type),
                ("score", pa.from_numpy_dtype(self.dtype)),
            ]
        )

    def chunks(self) -> Iterator[list[tuple[LongFile, pa.RecordBatch]]]:
        """Yield batches that are large enough to be worth sorting."""
        held: list[tuple[LongFile, pa.RecordBatch]] = []
        for file in self.files:
            for batch in file.batches(self.columns.all_names):
                held.append((file, batch))
                n_rows = sum(len(item) for _, item in held)
                if (
                    n_rows >= _ROWS_IN_CHUNK
                    or sum(item.nbytes for _, item in held) >= _BYTES_IN_CHUNK
                ):
                    yield held
                    held = []
        if held:
            yield held

    def sort_into_buckets(
        self, chunk: list[tuple[LongFile, pa.RecordBatch]]
    ) -> tuple[int, list[tuple[int, pa.Buffer]]]:
        """Sort the rows into buckets; return their number, and each bucket with its rows."""
        rows = pa.Table.from_batches([self._encode_batch(*item) for item in chunk], self.schema)
        rows = rows.combine_chunks().to_batches()[0]
        task = rows.column("cell").to_numpy() // len(self.systems)
        hash_of = hash_names(rows.column("instance"))
        bucket = assign_buckets(task, hash_of, self.rows_per_task, _ROWS_IN_BUCKET)
        # A stable sort makes numpy use radix sort for such small numbers.
        small = np.min_scalar_type(self.n_buckets)
        rows = rows.take(pa.array(np.argsort(bucket.astype(small), kind="stable")))
        stops = np.cumsum(np.bincount(bucket)).tolist()
        starts = [0, *stops]
        return len(rows), [
            (number, rows.slice(start, stop - start).serialize())
            for number, (start, stop) in enumerate(zip(starts, stops, strict=False))
            if stop > start
        ]

    def _encode_batch(self, file: LongFile, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Number the systems and tasks of a batch, and convert names and scores to one type."""
        columns = file.columns
        task = encode_names(batch.column(columns.task), self.tasks)
        cell = task * len(self.systems) + encode_names(batch.column(columns.system), self.systems)
        instance = batch.column(columns.instance)
        if pa.types.is_dictionary(instance.type):
            instance = instance.dictionary_decode()
        if instance.null_count:
            raise columns.missing_name_error([columns.instance])
        score = batch.column(columns.score)
        whole = pa.types.is_integer(score.type)
        if pa.types.is_decimal(score.type):
            score = decimals_to_floats(score, columns)
        elif not pa.types.is_floating(score.type):
            score = score.cast(pa.float64(), safe=False)
        scores = score.to_numpy(zero_copy_only=False).astype(self.dtype, copy=False)
        # Scores are compared exactly, and float64 has no odd integers above 2 ** 53.
        if whole and (np.abs(scores) >= 2**53).any():
            raise ValueError(
                f"{format_labels([columns.score])} holds integers from 2 ** 53 on"
                f"{columns.location}, which can't be told apart as floats; rescale them"
            )
        cells, instances, _ = self.schema.types
        return pa.record_batch(
            [pa.array(cell, cells, safe=False), instance.cast(instances), pa.array(scores)],
            schema=self.schema,
        )

    def count_bucket(self, bucket: list[bytes]) -> tuple[int, list[tuple[int, BallotCounts]]]:
        """Count a bucket: return its number of rows, and the tasks in it with their counts."""
        rows = pa.Table.from_batches(
            [pa.ipc.read_record_batch(item, self.schema) for item in bucket]
        )
        cell, instance, score = (column.combine_chunks() for column in rows.columns)
        task, system = np.divmod(cell.to_numpy(), len(self.systems))
        if pa.types.is_integer(instance.type):
            number = instance.to_numpy()
        else:
            number = instance.dictionary_encode().indices.to_numpy()
        blocks = instance_blocks(system, task, number, score.to_numpy(), len(self.systems))
        try:
            return len(rows), [(task, count_ballots(block)) for task, block in blocks]
        except DuplicateCellError as error:
            row = error.rows[0]
            raise self.duplicate_score_error(
                system[row], task[row], instance[row].as_py()
            ) from None

    def tally(self, counts: Mapping[int, BallotCounts]) -> Tally:
        """Name the counts of each task, and warn if no two systems share any instance."""
        of_tasks = tuple(counts[task] for task in self.tasks.values())
        alone = np.sum([ballot_counts.places.n_ballots[1] for ballot_counts in of_tasks])
        scored = np.any([ballot_counts.places.scored for ballot_counts in of_tasks], axis=0)
        if np.count_nonzero(scored) > 1 and alone == self.rows_per_task.sum():
            warn_no_common_instances()
        systems, tasks = (
            pd.Index(list(labels), tupleize_cols=False) for labels in (self.systems, self.tasks)
        )
        return Tally(systems, tasks, of_tasks)

    def duplicate_score_error(self, system: int, task: int, instance: Label) -> ValueError:
        """Make the error for a cell that has two rows."""
        cell = (list(self.systems)[system], list(self.tasks)[task], instance)
        return self.columns.duplicate_score_error([cell])


@dataclass(frozen=True)
class _BucketFile:
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


def _progress_bar(what: str, n_rows: int) -> Any:
    return progress_bar(total=n_rows, desc=what, unit=" rows", unit_scale=True)
