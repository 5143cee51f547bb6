"""Tables of scores as people have them, into the frames that rules take: `nbrank.read_scores`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, TypedDict, Unpack, cast, overload

import pandas as pd

from nbrank.readers.tables.error_collector import ErrorCollector
from nbrank.readers.tables.long_layout import find_long_roles, read_long
from nbrank.readers.tables.parsed_scores import Duplicates, ScoresWithErrors
from nbrank.readers.tables.raw_table import ColumnNames, ColumnSelection, RawTable
from nbrank.readers.tables.table_files import File, read_table
from nbrank.readers.tables.wide_layout import is_transposed, read_wide, transpose_table
from nbrank.votes.formatting import Label
from nbrank.votes.labeled_values import plain_frame
from nbrank.votes.table.validation import check_choice


class ReadOptions(TypedDict, total=False):
    """How a table is to be read, as `read_scores` is told."""

    systems: ColumnNames
    tasks: ColumnNames
    drop: ColumnNames
    metadata: ColumnNames
    transpose: bool
    system: ColumnNames
    task: ColumnNames
    score: Label | None
    instance: ColumnNames
    stderr: Label | None
    n: Label | None
    duplicates: Duplicates


@overload
def read_scores(
    path_or_frame: File | pd.DataFrame,
    *,
    errors: Literal[False] = False,
    **how: Unpack[ReadOptions],
) -> pd.DataFrame: ...
@overload
def read_scores(
    path_or_frame: File | pd.DataFrame, *, errors: Literal[True], **how: Unpack[ReadOptions]
) -> tuple[pd.DataFrame, pd.DataFrame]: ...
def read_scores(
    path_or_frame: File | pd.DataFrame,
    *,
    systems: ColumnNames = None,
    tasks: ColumnNames = None,
    drop: ColumnNames = None,
    metadata: ColumnNames = None,
    transpose: bool = False,
    system: ColumnNames = None,
    task: ColumnNames = None,
    score: Label | None = None,
    instance: ColumnNames = None,
    stderr: Label | None = None,
    n: Label | None = None,
    duplicates: Duplicates = "refuse",
    errors: bool = False,
) -> pd.DataFrame | tuple[pd.DataFrame, pd.DataFrame]:
    r"""Which scores does a file or a frame hold, as a table that can be ranked?

    A wide table (a row for each system) and a long one (a row for each score) are told apart by
    their columns' names. What is no score is never ranked in silence: columns that describe the
    systems are set aside and named, and cells that can't be read are refused, all at once.

    Parameters
    ----------
    path_or_frame
        A path or address of CSV, TSV, Excel, JSON (records, columns or lines), Parquet,
        Markdown or HTML; an open file, or its content as bytes; or a frame.
    systems
        The column that names the systems, or several that do together; None looks for
        one called model, system, method or the like, else takes the first. With
        `transpose`, the columns that are systems.
    tasks
        The columns to be ranked; None takes all that hold scores. With `transpose`, the
        column that names the tasks.
    drop
        Columns to be left out.
    metadata
        Columns that describe the systems, set aside without a warning.
    transpose
        Whether the table has tasks in its rows and systems in its columns.
    system, task, score
        Of a long table, the columns that name the system and the task and hold the
        score. Two columns of the task are its group and its name.
    instance
        The column that names the instance, or several that do together, where a task has
        a score for each.
    stderr
        The column of the scores' standard errors.
    n
        The column of the numbers of instances behind the scores, which are shares, from
        0 to 1 or to 100. Without `stderr`, the standard errors are `binomial_errors`.
    duplicates
        What to do where a system is there more than once: "refuse", or take of its
        scores on each task the "first", the "best" (highest) or the "mean".
    errors
        Whether the standard errors are wanted, too: those of `stderr` or `n`, of columns such as
        `mmlu_stderr`, or written in the cells, as in `68.4 ± 7.1`, `68.4(7.1)` or `1287 +5/-5` (the
        mean of both). A column such as `95% CI` holds intervals, whose half is divided by 1.96.
        What stands in brackets is taken for one, though some hosts write other figures there: `1.04
        (3)` has 3 folds that failed (AMLB).

    Returns
    -------
    pandas.DataFrame
        A row for each system (with a MultiIndex of `system` and `instance`, or `seed`,
        where each has many), and a column for each task; floats, NaN where a cell is
        empty or says that there is no score. `.attrs["metadata"]` names the columns that
        were set aside, and `.attrs["score"]` the one column that held all scores.
    tuple of pandas.DataFrame
        With `errors`, the scores, and the standard errors in a frame of the same shape,
        NaN where there are none.

    Raises
    ------
    OSError, ImportError
        If the file can't be opened, or needs a library that is not there.
    ValueError
        If the table can't be read, columns that are asked for are not there, or cells are no
        scores; the message names the file, all such rows and columns, and the option that mends it.

    Warns
    -----
    UserWarning
        Where columns are set aside, or a choice is made that can be made otherwise.

    Examples
    --------
    >>> import pandas as pd
    >>> page = b"| model | size | mmlu |\n|---|---|---|\n| A | 7B | **68.4(7.1)** |\n"
    >>> scores, errors = read_scores(page, metadata="size", errors=True)
    >>> scores, errors
    (        mmlu
    system
    A       68.4,         mmlu
    system
    A        7.1)
    >>> long = pd.DataFrame(
    ...     {"model": ["A", "A", "B"], "task": ["t1", "t2", "t1"], "score": ["95 %", "7 %", "80 %"]}
    ... )
    >>> read_scores(long)
            t1   t2
    system
    A     95.0  7.0
    B     80.0  NaN
    """
    check_choice("read_scores", "duplicates", duplicates, ("refuse", "first", "best", "mean"))
    path_or_frame = plain_frame(path_or_frame)
    if hasattr(path_or_frame, "to_pandas"):  # a table of Arrow
        path_or_frame = cast("Any", path_or_frame).to_pandas()
    if not isinstance(path_or_frame, pd.DataFrame):
        path_or_frame = read_table(path_or_frame)
    result, problems = find_scores(
        path_or_frame, transpose=transpose, duplicates=duplicates, systems=systems, tasks=tasks,
        drop=drop, metadata=metadata, system=system, task=task, score=score, instance=instance,
        stderr=stderr, n=n,
    )  # fmt: skip
    problems.raise_all()
    whole = cast("ScoresWithErrors", result)
    whole.warn_empty_rows(str(path_or_frame.attrs.get("file", "the table")))
    scores, of_scores = whole.frames()
    return (scores, of_scores) if errors else scores


def find_scores(
    frame: pd.DataFrame, **how: Unpack[ReadOptions]
) -> tuple[ScoresWithErrors | None, ErrorCollector]:
    """The scores of a table, as far as they can be told, and all that is wrong with it."""
    table = RawTable.from_frame(frame)
    result, asked = None, table.resolve_columns(cast("dict[str, ColumnNames]", how))
    if asked is None:
        return None, table.problems
    with table.problems.collect():
        table = table.drop_columns(asked.drop).drop_unnamed_columns()
        result = _read_table(table, asked, how.get("transpose", False)).drop_summary_rows(
            table.source_name
        )
        result = result.resolve_duplicates(how.get("duplicates", "refuse"), table.source_name)
    return result, table.problems


def _read_table(table: RawTable, asked: ColumnSelection, transpose: bool) -> ScoresWithErrors:
    """The scores of a table, by what its columns are, or are likely to be."""
    if not (asked.system or asked.task or asked.score):
        likely = None if asked.tasks or transpose else find_long_roles(table, asked.systems)
        if likely is None:
            if transpose or (not asked.systems and is_transposed(table)):
                table, aside = transpose_table(table, asked)
                asked = replace(asked, systems=[], tasks=[], metadata=aside)
            return read_wide(table, asked)
        asked = replace(asked, system=likely[0], task=likely[1])
    return read_long(table, asked)
