"""Long tables, a row for each score, into the wide ones that rules take."""

from __future__ import annotations

import sys
from typing import Any, Protocol, overload

import numpy as np
import pandas as pd

from nbrank.readers.long_columns import Columns, empty
from nbrank.votes.naming import Label
from nbrank.votes.tally import Tally


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

    A Dask DataFrame, which may be larger than memory, is counted where its partitions are.

    Parameters
    ----------
    frame
        A frame with a row for each score: of pandas, or of Dask (`pip install 'nbrank[dask]'`).
    system
        The column that names the system.
    task
        The column that names the task.
    score
        The column that holds the score; NaN where it is missing.
    instance
        The column that names the instance of the task, for instance-level scores; the same name in
        two tasks is two instances. A Dask DataFrame needs it, as integers or text.

    Returns
    -------
    pandas.DataFrame
        Of a pandas frame: a row for each system and a column for each task, in the order in which
        they first appear; NaN where the long table has no row. With `instance`, a row for each
        system and instance: a MultiIndex with the levels `system` and `instance`.
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
    A Dask DataFrame is read twice, first for the names of systems and tasks, then to shuffle its
    rows, so that each instance is in one partition. Use `frame.persist()` first where reading is
    slow and the memory of the workers suffices.

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

        return tally_of_dask(frame, Columns(system, task, score, instance))
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"from_long takes a pandas or a Dask DataFrame, not {type(frame).__name__}")
    if frame.empty:
        raise empty()
    columns = Columns(system, task, score, instance)
    keys = [system, task] if instance is None else [system, instance, task]
    columns.check(frame.columns)
    values = columns.floats(frame)
    columns.check_names(frame)
    codes, labels = zip(*(pd.factorize(frame[name]) for name in keys), strict=True)
    row = codes[0]
    if instance is not None:
        row = row.astype(np.int64) * len(labels[1]) + codes[1]
    rows, row = np.unique(row, return_inverse=True)
    cell = row * len(labels[-1]) + codes[-1]
    if len(np.unique(cell)) < len(cell):
        again = pd.Series(cell, index=frame.index).duplicated(keep="first")
        twice = frame.loc[again, columns.cell].drop_duplicates()
        raise columns.scored_twice([tuple(one) for one in twice.itertuples(index=False)])
    table = np.full(len(rows) * len(labels[-1]), np.nan, dtype=values.dtype)
    table[cell] = values
    index: pd.Index = pd.Index(labels[0])
    if instance is not None:
        system_of, instance_of = np.divmod(rows, len(labels[1]))
        index = pd.MultiIndex.from_arrays(
            [labels[0].take(system_of), labels[1].take(instance_of)], names=["system", "instance"]
        )
    found = pd.DataFrame(
        table.reshape(len(rows), -1), index=index, columns=pd.Index(labels[-1], tupleize_cols=False)
    )
    found.attrs = {"score": str(columns.score)}
    return found


def _is_dask(frame: object) -> bool:
    """Whether this is a Dask DataFrame, of which there is none before Dask is imported."""
    dask = sys.modules.get("dask.dataframe")
    return dask is not None and isinstance(frame, dask.DataFrame)
