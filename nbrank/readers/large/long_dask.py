"""Long tables larger than one machine: a Dask DataFrame, counted where its partitions are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import dask
import numpy as np
import pandas as pd
import pyarrow as pa
from dask.dataframe import DataFrame, from_delayed
from numpy.typing import NDArray
from tqdm.dask import TqdmCallback

from nbrank.arrays.ballots.ballot_counts import BallotCounts, count_ballots, sum_by_key
from nbrank.arrays.ballots.instance_bucketing import (
    DuplicateCellError,
    assign_buckets,
    instance_blocks,
    n_buckets,
)
from nbrank.readers.large.long_columns import LongColumns, LongTable, empty_table_error
from nbrank.readers.large.parquet_files import common_instance_type, type_name
from nbrank.votes.formatting import Label
from nbrank.votes.progress import progress_bar
from nbrank.votes.table.score_frame import scores_to_floats
from nbrank.votes.tallies import Tally

#: Rows of a partition in which instances are brought together, on average, at most.
_ROWS_IN_PARTITION = 1 << 20
#: Buckets in such a partition: several, so that Dask's hash spreads them evenly.
_BUCKETS_IN_PARTITION = 4
#: Counts that are added up at a time.
_BRANCHES = 8


@dataclass(frozen=True)
class _PartitionSummary:
    """What one partition says of the table: its names in their order, and its types."""

    systems: list[Label]
    tasks: list[Label]
    rows_of_task: list[int]
    instance: pa.DataType
    score: np.dtype[np.floating]


@dataclass(frozen=True)
class _PartitionedTable(LongTable[Label]):
    """A long table in partitions."""

    rows_in_bucket: int
    instance: pa.DataType
    score: np.dtype[np.floating]

    @property
    def meta(self) -> pd.DataFrame:
        """What Dask has to know of a partition: its columns and their types."""
        scores_to_floats = dict.fromkeys(
            ("bucket", "system", "task", "partition"), np.dtype(np.int64)
        )
        types = {**scores_to_floats, "instance": _DTYPES[self.instance], "score": self.score}
        names = ["bucket", "system", "task", "instance", "score", "partition"]
        return pd.DataFrame({name: pd.Series(dtype=types[name]) for name in names})


#: How the names of instances are kept.
_DTYPES: dict[pa.DataType, Any] = {
    pa.int64(): np.dtype(np.int64),
    pa.uint64(): np.dtype(np.uint64),
    pa.large_string(): pd.StringDtype("pyarrow"),
}


def tally_dask(frame: DataFrame, columns: LongColumns[Label]) -> Tally:
    """Count a long Dask table, read once for its names and once to bring each instance together."""
    wanted = columns.all_names
    columns.check(frame.columns)
    names = _summarize_partitions(frame, frame[wanted], columns)
    table = _merge_summaries(names, columns, frame.npartitions)
    shared = dask.delayed(table)
    prepared = from_delayed(
        [
            dask.delayed(_encode_partition)(part, number, shared)
            for number, part in enumerate(frame[wanted].to_delayed())
        ],
        meta=table.meta,
        verify_meta=False,
    )
    size = table.rows_in_bucket * _BUCKETS_IN_PARTITION
    # Dask asks whether there is a cluster, and not whether it is the one to compute here.
    method = dask.config.get("dataframe.shuffle.method") or (None if _get_client() else "disk")
    parts = prepared.shuffle(
        "bucket", npartitions=n_buckets(table.rows_per_task, size), shuffle_method=method
    )
    sums = [dask.delayed(_count_partition)(part, shared) for part in parts.to_delayed()]
    first = sums = _tree_sum_step(sums)
    while len(sums) > 1:
        sums = _tree_sum_step(sums)
    (counts,) = _compute_with_progress(
        sums, "counting", intermediate=first if first is not sums else []
    )
    return table.tally(counts)


def _summarize_partitions(
    frame: DataFrame, chosen: DataFrame, columns: LongColumns[Label]
) -> list[_PartitionSummary | None]:
    """What each partition says, in their order."""

    def summarize_batch(parts: Sequence[Any], start: int = 0) -> list[Any]:
        names = dask.delayed(_summarize_partition)
        return [names(part, number, columns) for number, part in enumerate(parts, start)]

    try:
        results = _compute_with_progress(summarize_batch(chosen.to_delayed()), "names")
    except (KeyError, TypeError, ValueError):
        # Dask does not say in which partition: one after the other, with all its columns.
        for number, part in enumerate(frame.to_delayed()):
            try:
                (item,) = dask.compute(*summarize_batch([part], number))
            except Exception as error:
                raise ValueError(
                    f"partition {number} cannot be read: {type(error).__name__}: {error}"
                ) from error
            if isinstance(item, Exception):
                raise item from None
        raise
    for item in results:
        if isinstance(item, Exception):
            raise item
    return results


def _merge_summaries(
    names: Sequence[_PartitionSummary | None], columns: LongColumns[Label], n_partitions: int
) -> _PartitionedTable:
    """Number the systems and tasks in the order of the partitions."""
    filled = [(number, name) for number, name in enumerate(names) if name is not None]
    if not filled:
        raise empty_table_error()
    first_number, first = filled[0]
    systems: dict[Label, int] = {}
    rows: dict[Label, int] = {}
    for number, item in filled:
        if item.instance != first.instance:
            raise columns.mixed_type_error(
                f"{type_name(first.instance)} in partition {first_number}",
                f"{type_name(item.instance)} in partition {number}",
            )
        for system in item.systems:
            systems.setdefault(system, len(systems))
        for task, n_rows in zip(item.tasks, item.rows_of_task, strict=True):
            rows[task] = rows.get(task, 0) + n_rows
    rows_of_task = np.array(list(rows.values()), dtype=np.int64)
    # As many partitions as there were, more where they would be too large.
    in_partition = min(_ROWS_IN_PARTITION, -(-int(rows_of_task.sum()) // n_partitions))
    return _PartitionedTable(
        columns,
        systems,
        {task: number for number, task in enumerate(rows)},
        rows_of_task,
        max(in_partition // _BUCKETS_IN_PARTITION, 1),
        first.instance,
        np.result_type(*(item.score for _, item in filled)),
    )


# ------------------------------------------------------------------------- what workers do


def _summarize_partition(
    part: pd.DataFrame, number: int, columns: LongColumns[Label]
) -> _PartitionSummary | Exception | None:
    """What a partition says of the table, or what is wrong with it; None if it has no rows."""
    columns = columns.with_location(f" in partition {number}")
    try:
        if not isinstance(part, pd.DataFrame):
            raise TypeError(
                f"a partition must be a DataFrame, not {type(part).__name__}{columns.location}"
            )
        columns.check(part.columns)
        if part.empty:
            return None
        scores = columns.floats(part)
        columns.check_names(part)
        _, systems = pd.factorize(part[columns.system])
        task, tasks = pd.factorize(part[columns.task])
        return _PartitionSummary(
            systems.tolist(),
            tasks.tolist(),
            np.bincount(task).tolist(),
            _common_instance_type(part[columns.instance], columns),
            scores.dtype,
        )
    except (KeyError, TypeError, ValueError) as error:
        return error


def _common_instance_type(names: pd.Series, columns: LongColumns[Label]) -> pa.DataType:
    """How instances are named: as what `_DTYPES` knows."""
    try:
        return common_instance_type(pa.array(names, from_pandas=True).type, columns)
    except pa.ArrowException:
        raise columns.instance_type_error("values of several kinds") from None
    except OverflowError:
        raise columns.instance_type_error("integers too large for int64") from None


def _encode_partition(part: pd.DataFrame, number: int, table: _PartitionedTable) -> pd.DataFrame:
    """A partition with its systems and tasks numbered, and the bucket of each row."""
    columns = table.columns
    if part.empty:
        return table.meta
    instance = part[columns.instance].astype(_DTYPES[table.instance])
    task = _encode_names(part[columns.task], table.tasks, number)
    hashed = pd.util.hash_array(
        instance.to_numpy(dtype=object if table.instance == pa.large_string() else None)
    )
    return pd.DataFrame(
        {
            "bucket": assign_buckets(task, hashed, table.rows_per_task, table.rows_in_bucket),
            "system": _encode_names(part[columns.system], table.systems, number),
            "task": task,
            "instance": instance.array,
            "score": scores_to_floats(part[[columns.score]])[:, 0].astype(table.score, copy=False),
            "partition": number,
        }
    )


def _encode_names(names: pd.Series, known: dict[Label, int], partition: int) -> NDArray[np.int64]:
    """The number of each row's name."""
    codes, labels = pd.factorize(names)
    if any(label not in known for label in labels.tolist()):
        raise ValueError(
            f"partition {partition} had other names when it was read again; store it first"
        )
    return np.array([known[label] for label in labels.tolist()], dtype=np.int64)[codes]


def _count_partition(part: pd.DataFrame, table: _PartitionedTable) -> dict[int, BallotCounts]:
    """The counts of each task, from all rows of some instances."""
    if part.empty:
        return {}
    system, task = part["system"].to_numpy(), part["task"].to_numpy()
    instance, names = pd.factorize(part["instance"])
    scores = part["score"].to_numpy()
    try:
        blocks = instance_blocks(system, task, instance, scores, len(table.systems))
        return sum_by_key((number, count_ballots(block)) for number, block in blocks)
    except DuplicateCellError as error:
        row = error.rows[0]
        partitions = sorted({*part["partition"].iloc[list(error.rows)].tolist()})
        where = f" in partition{'s' * (len(partitions) > 1)} {' and '.join(map(str, partitions))}"
        twice = names[instance[[row]]].tolist()[0]
        raise table.duplicate_score_error(system[row], task[row], twice, where) from None


def _merge_counts(several: list[dict[int, BallotCounts]]) -> dict[int, BallotCounts]:
    """The counts of each task in any of several."""
    return sum_by_key(results for item in several for results in item.items())


# ------------------------------------------------------------------------- where they do it


def _tree_sum_step(sums: list[Any]) -> list[Any]:
    """One level of a tree of sums."""
    added = dask.delayed(_merge_counts)
    return [added(sums[start : start + _BRANCHES]) for start in range(0, len(sums), _BRANCHES)]


def _get_client() -> Any:
    """The client of the cluster that is to compute, or None for one of Dask's own schedulers."""
    return getattr(dask.base.get_scheduler(), "__self__", None)


def _compute_with_progress(
    wanted: list[Any], what: str, intermediate: Sequence[Any] = ()
) -> list[Any]:
    """Compute by the user's scheduler, and show how far it and what is on the way are."""
    client = _get_client()
    if client is None:
        with TqdmCallback(tqdm_class=cast("Any", progress_bar), desc=what, unit=" tasks"):
            return list(dask.compute(*wanted))
    from distributed import as_completed

    futures = client.compute([*wanted, *intermediate])
    with progress_bar(total=len(futures), desc=what, unit=" tasks") as bar:
        for future in as_completed(futures):
            if future.status != "finished":
                future.result()
            bar.update()
    results: list[Any] = client.gather(futures[: len(wanted)])
    return results
