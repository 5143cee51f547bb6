"""Long tables, a row for each score, into the wide ones that rules take."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, overload

import numpy as np
import pandas as pd

from nbrank.votes.comparisons import check_one_column_each
from nbrank.votes.naming import Label, named
from nbrank.votes.score_cells import numbers
from nbrank.votes.tally import Tally

Name = TypeVar("Name", bound=Label)


@dataclass(frozen=True)
class Columns(Generic[Name]):
    """The columns of a long table of instances.

    Parameters
    ----------
    system, task, instance
        Those that name a score.
    score
        The one that holds it.
    """

    system: Name
    task: Name
    instance: Name
    score: Name

    @property
    def cell(self) -> list[Name]:
        """The columns that name a score."""
        return [self.system, self.task, self.instance]

    @property
    def every(self) -> list[Name]:
        """All of them."""
        return [*self.cell, self.score]


class DaskDataFrame(Protocol):
    """A Dask DataFrame, of which this is enough to know before Dask is imported."""

    npartitions: int

    def to_delayed(self) -> list[Any]:
        """The partitions."""


@overload
def from_long(
    frame: pd.DataFrame,
    *,
    system: Label,
    task: Label,
    score: Label,
    instance: Label | None = None,
) -> pd.DataFrame: ...
@overload
def from_long(
    frame: DaskDataFrame, *, system: Label, task: Label, score: Label, instance: Label
) -> Tally: ...
def from_long(
    frame: pd.DataFrame | DaskDataFrame,
    *,
    system: Label,
    task: Label,
    score: Label,
    instance: Label | None = None,
) -> pd.DataFrame | Tally:
    """What does a long table (a row for each score) look like as systems x tasks?

    A Dask DataFrame, which may be larger than memory, is counted where its
    partitions are: by the cluster of the active client, or by Dask's own scheduler.

    Parameters
    ----------
    frame
        A frame with a row for each score: of pandas, or of Dask (`pip install
        'nbrank[dask]'`).
    system
        The column that names the system.
    task
        The column that names the task.
    score
        The column that holds the score; NaN where it is missing.
    instance
        The column that names the instance of the task, for instance-level
        scores; the same name in two tasks does no harm. A Dask DataFrame needs
        it, and there its names are integers or text.

    Returns
    -------
    pandas.DataFrame
        Of a pandas frame: a row for each system and a column for each task, in the
        order in which they first appear; NaN where the long table has no row. With
        `instance`, a row for each system and instance: a MultiIndex with the levels
        `system` and `instance`.
    Tally
        Of a Dask DataFrame: the counts, equal to those of the same rows in memory,
        `nbrank.tally(from_long(frame.compute(), ...))`; systems and tasks in the
        order in which they first appear. Every rule that needs no more than counts
        takes it like a table of scores, as in `counts.borda()`.

    Raises
    ------
    KeyError
        If the frame has no such column.
    TypeError
        If `frame` is no DataFrame, the scores are not numbers, or the instances of
        a Dask DataFrame are neither integers nor text.
    ValueError
        If there are no rows, a column is given for two things, a name is missing,
        a score is there twice, or scores are integers from 2 ** 53 on; the message
        names it, and the partition of a Dask DataFrame.

    Notes
    -----
    A Dask DataFrame is read twice, first for the names of systems and tasks; then
    Dask shuffles its rows, so that each instance is in one partition, which is
    counted there. Use `frame.persist()` first where reading is slow and the memory
    of the workers suffices. A worker that is lost is replaced as Dask does it.

    Examples
    --------
    >>> import pandas as pd
    >>> long = pd.DataFrame(
    ...     {"model": ["A", "A", "B"], "bench": ["t1", "t2", "t1"], "value": [0.5, 0.7, 0.9]}
    ... )
    >>> from_long(long, system="model", task="bench", score="value")
        t1   t2
    A  0.5  0.7
    B  0.9  NaN
    """
    if _is_dask(frame):
        if instance is None:
            raise ValueError(
                "a Dask DataFrame is counted instance by instance; name the column of the "
                "instances (instance=), or give a table that needs no instances as pandas: "
                "from_long(frame.compute(), ...)"
            )
        from nbrank.readers.long_dask import tally_of_dask

        return tally_of_dask(frame, system=system, task=task, instance=instance, score=score)
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"from_long takes a pandas or a Dask DataFrame, not {type(frame).__name__}")
    if frame.empty:
        raise empty()
    keys = [system, task] if instance is None else [system, instance, task]
    check_columns([*keys, score], frame.columns)
    values = numbers(frame[[score]])[:, 0]
    unnamed = [name for name in keys if frame[name].isna().any()]
    if unnamed:
        raise nameless(unnamed)
    codes, labels = zip(*(pd.factorize(frame[name]) for name in keys), strict=True)
    row = codes[0]
    if instance is not None:
        row = row.astype(np.int64) * len(labels[1]) + codes[1]
    rows, row = np.unique(row, return_inverse=True)
    cell = row * len(labels[-1]) + codes[-1]
    if len(np.unique(cell)) < len(cell):
        names = [system, task] if instance is None else [system, task, instance]
        twice = frame.loc[pd.Series(cell, index=frame.index).duplicated(keep="first"), names]
        listed = [tuple(found) for found in twice.drop_duplicates().itertuples(index=False)]
        raise scored_twice(listed, names)
    table = np.full(len(rows) * len(labels[-1]), np.nan, dtype=values.dtype)
    table[cell] = values
    index: pd.Index = pd.Index(labels[0])
    if instance is not None:
        index = pd.MultiIndex.from_arrays(
            [labels[0].take(rows // len(labels[1])), labels[1].take(rows % len(labels[1]))],
            names=["system", "instance"],
        )
    return pd.DataFrame(
        table.reshape(len(rows), -1), index=index, columns=pd.Index(labels[-1], tupleize_cols=False)
    )


def _is_dask(frame: object) -> bool:
    """Whether this is a Dask DataFrame, of which there is none before Dask is imported."""
    dask = sys.modules.get("dask.dataframe")
    return dask is not None and isinstance(frame, dask.DataFrame)


def empty() -> ValueError:
    """The error of a long table without rows."""
    return ValueError("the long table is empty; give one row for each score")


def check_columns(names: Iterable[Label], columns: Iterable[Label], where: str = "") -> None:
    """Refuse a long table, or the part of it said by `where`, that lacks one column for each."""
    names, columns = list(names), list(columns)
    absent = [name for name in names if name not in columns]
    if absent:
        raise KeyError(f"no column {named(absent)}{where}; the columns are {named(columns)}")
    check_one_column_each(names, columns, where)


def no_numbers(score: Label, where: str = "") -> TypeError:
    """The error of scores that are no numbers."""
    return TypeError(
        f"scores must be numbers, but {score!r} holds something else{where}; convert them"
    )


def nameless(columns: Iterable[Label], where: str = "") -> ValueError:
    """The error of rows without a name in these columns."""
    return ValueError(f"rows without a name (NaN) in {named(columns)}{where}; name every one")


def scored_twice(
    cells: Iterable[tuple[Label, ...]], columns: Sequence[Label], where: str = ""
) -> ValueError:
    """The error of cells that have several rows; a cell is named by these columns."""
    # System and task alone may be those of many instances.
    otherwise = ", or name the column of the instances (instance=)" if len(columns) < 3 else ""
    return ValueError(
        f"more than one score for {named(cells)} ({', '.join(map(str, columns))}){where}; "
        f"keep one of each{otherwise}"
    )


def no_instances(column: Label, kind: str, where: str) -> TypeError:
    """The error of instances named by what they can't be brought together by."""
    return TypeError(f"{column!r} holds {kind}{where}; name the instances by integers or text")


def several_kinds(column: Label, one: tuple[str, str], other: tuple[str, str]) -> TypeError:
    """The error of instances named in two ways, each given by its kind and where it is."""
    return TypeError(
        f"{column!r} holds {''.join(one)} and {''.join(other)}; name the instances in one way"
    )
