"""Readers that turn long tables (a row for each score) into the wide ones that rules take."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from nbrank.readers.large.long_columns import LongColumns, Paths, empty_table_error
from nbrank.votes.formatting import Label
from nbrank.votes.labeled_values import plain_frame
from nbrank.votes.required_arguments import with_call
from nbrank.votes.tallies import Tally


@with_call("nbrank.from_long(frame, system='model', task='task', score='score')")
def from_long(
    frame: pd.DataFrame,
    *,
    system: Label,
    task: Label,
    score: Label,
    instance: Label | None = None,
    run: Label | None = None,
    cluster: Label | None = None,
) -> pd.DataFrame:
    """What does a long table (a row for each score) look like as systems x tasks?

    Of a table larger than memory `from_parquet` keeps the counts.

    Parameters
    ----------
    frame
        A frame with a row for each score.
    system
        The column that names the system.
    task
        The column that names the task.
    score
        The column that holds the score; NaN where it is missing.
    instance
        The column that names the instance of the task, for instance-level scores; the same name in
        two tasks is two instances.
    run
        The column that distinguishes the runs of a system, such as one for each seed. Rules
        average them; with `instance`, they do so within each instance.
    cluster
        The column of what holds several instances, such as the passage of a question: instances of
        one cluster depend on each other. It needs `instance`.

    Returns
    -------
    pandas.DataFrame
        A row for each system and a column for each task, in the order in which they first appear;
        NaN where the long table has no row. With `instance`, a row for each system and instance: a
        MultiIndex with the levels `system` and `instance`; also of the cluster and of the run,
        under the column's name where that says so, else `cluster` and `run`.

    Raises
    ------
    KeyError
        If the frame has no such column.
    TypeError
        If `frame` is not a DataFrame, or the scores are not numbers.
    ValueError
        If the table is empty, a column is given for two roles, a name is missing,
        a score occurs twice, or scores are integers from 2 ** 53 on; the message
        names it.

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
    table: Any = plain_frame(frame)
    if not isinstance(table, pd.DataFrame):
        kind = f"{type(table).__module__}.{type(table).__name__}"
        raise TypeError(
            f"from_long takes a pandas DataFrame, not {kind}; write a table larger than memory as "
            f"Parquet, and give its folder to nbrank.from_parquet"
        )
    frame = table
    if frame.empty:
        raise empty_table_error()
    columns = LongColumns(system, task, score, instance, run=run, cluster=cluster)
    columns.check(frame.columns)
    columns.warn_of_runs("from_long", counts=False)
    values = columns.floats(frame)
    columns.check_names(frame)
    levels = columns.levels
    keys = [*levels, task]
    codes, labels = zip(*(pd.factorize(frame[name]) for name in keys), strict=True)
    row = codes[0].astype(np.int64)
    for code, level in zip(codes[1:-1], labels[1:-1], strict=True):
        row = row * len(level) + code
    rows, first, row = np.unique(row, return_index=True, return_inverse=True)
    cell = row * len(labels[-1]) + codes[-1]
    if len(np.unique(cell)) < len(cell):
        again = pd.Series(cell, index=frame.index).duplicated(keep="first")
        twice = frame.loc[again, columns.cell].drop_duplicates()
        raise columns.duplicate_score_error(
            [tuple(itertuple) for itertuple in twice.itertuples(index=False)],
            columns.telling_apart(frame),
        )
    cells = np.full(len(rows) * len(labels[-1]), np.nan, dtype=values.dtype)
    cells[cell] = values
    index: pd.Index = pd.Index(labels[0])
    if len(levels) > 1:
        index = pd.MultiIndex.from_arrays(
            [label.take(code[first]) for code, label in zip(codes[:-1], labels[:-1], strict=True)],
            names=list(levels.values()),
        )
    result = pd.DataFrame(
        cells.reshape(len(rows), -1), index=index, columns=pd.Index(labels[-1], tupleize_cols=False)
    )
    result.attrs = {"score": str(columns.score)}
    return result


@with_call(
    "nbrank.from_parquet('scores.parquet', system='model', task='task', instance='id', "
    "score='score')"
)
def from_parquet(path: Paths, *, system: str, task: str, instance: str, score: str) -> Tally:
    """What is left of a long Parquet data set (a row for each score) once it is counted?

    The files are read in batches, and the scores of an instance are brought
    together through a file in the temporary folder: the memory needed does not
    grow with the number of rows, whatever their order.

    Parameters
    ----------
    path
        A Parquet file, a folder of such files, or a list of both; or their address as pyarrow knows
        it ("s3://..."). The files of a folder, and of the folders in it, come in the order of their
        paths, without those whose names begin with "." or "_"; folders named like `model=A` are
        columns of text, so that `model=01` and `model=1` are two models. A pattern is not looked
        up: give `sorted(glob.glob("scores/*.parquet"))`.
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
        The counts, equal to those of the same rows in memory, `nbrank.tally(nbrank.from_long(frame,
        ...))`; systems and tasks in the order in which they first appear. Every rule that needs no
        more than counts takes it like a table of scores, as in
        `counts.borda(lower_is_better=["latency"])`.

    Raises
    ------
    ImportError
        If pyarrow is not installed.
    OSError
        If a file can't be opened.
    KeyError
        If a file has no such column.
    TypeError
        If the scores are not numbers, instances neither integers nor text, or `path` not a path.
    ValueError
        If the data set is empty, a file is not Parquet or is damaged, a column is given for two
        roles, a name is missing, a score occurs twice, or scores are integers from 2 ** 53 on or
        decimals of more digits than floats have; the message names it.

    Notes
    -----
    The temporary folder needs about 16 bytes for each row, and the length of the instance's name
    where that is text. The environment variable `TMPDIR` names it: choose one on disk where `/tmp`
    is kept in memory. Nothing is left there.

    At most four threads hold about a million rows each; counts of systems x systems for each task
    have to fit into memory.

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
    from nbrank.readers.large.long_parquet import tally_parquet

    columns = LongColumns(system, task, score, instance)
    columns.warn_of_runs("from_parquet")
    return tally_parquet(path, columns)
