"""Entry point of all readers: files and frames to leaderboards or comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from typing import Any, Unpack, cast

import numpy as np
import pandas as pd

from nbrank.readers.hosts.log_detection import read_log
from nbrank.readers.tables.board_from_scores import ComparisonOptions, ReadTableOptions, build_board
from nbrank.readers.tables.column import find_column, is_text
from nbrank.readers.tables.comparison_tables import read_votes
from nbrank.readers.tables.error_collector import ErrorCollector, UnclearReading
from nbrank.readers.tables.long_layout import find_long_roles, read_long
from nbrank.readers.tables.missing_marks import (
    fill_merged_cells,
    flatten_cells,
    mark_missing,
    name_variants,
)
from nbrank.readers.tables.name_grid import find_name_grid
from nbrank.readers.tables.parsed_scores import Duplicates, ScoresWithErrors, leave_out_unscored
from nbrank.readers.tables.proposed_readings import find_calls
from nbrank.readers.tables.quantity_parsing import looks_like_sizes
from nbrank.readers.tables.raw_table import RawTable
from nbrank.readers.tables.roles import (
    FILE,
    Roles,
    RolesLike,
    as_role,
    known_warnings,
    load_roles,
    plain_value,
    resolve_roles,
)
from nbrank.readers.tables.several_files import read_tables
from nbrank.readers.tables.system_columns import PEOPLE
from nbrank.readers.tables.table_files import File, read_table
from nbrank.readers.tables.table_side import (
    doubt_side,
    is_item_name,
    rows_are_tasks,
    transpose_table,
)
from nbrank.readers.tables.task_directions import directions_of_winners
from nbrank.readers.tables.wide_layout import read_wide
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.formatting import format_labels
from nbrank.votes.labeled_values import plain_frame
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.required_arguments import name_unknown_keywords
from nbrank.votes.table.name_heuristics import INSTANCES, SYSTEMS, is_named_like
from nbrank.votes.table.reading import Direction
from nbrank.votes.table.validation import check_choice
from nbrank.votes.user_warnings import remember_warnings

Source = File | pd.DataFrame | Sequence[str | PathLike[str]]


@name_unknown_keywords
def read(
    source: Source,
    *,
    roles: RolesLike = None,
    table: int | str | None = None,
    na: str | Sequence[str] = (),
    transpose: bool | None = None,
    duplicates: Duplicates = "refuse",
    where: Mapping[Any, Any] | None = None,
    **table_options: Unpack[ReadTableOptions],
) -> Leaderboard | Comparisons:
    r"""What can be ranked in this file, and how was it read?

    One reader for Python, the command line and the app. A wide table (a row for each system), a
    long one (a row for each score) and comparisons (a row for each pair) are distinguished by
    their columns, and so are ballots (a row for each voter) and squares of wins. `board.reading`
    lists for each column its role, the orientation of its scores, the reasons and the doubts;
    `roles` changes them. A column is ranked only if it is a task by its name or its values, and
    every column that is left out has its row in the reading.

    Parameters
    ----------
    source
        A path or address of CSV, TSV, Excel, JSON, Parquet, Markdown, HTML, LaTeX or text in
        columns; a list of paths (a file for each system, task or run, as in
        `roles={"file": "task"}`); an open file, or its content as bytes; or a frame of pandas or
        polars. Files of Every Eval Ever, and samples of lm-evaluation-harness, are read, too.
    roles
        A mapping from column to its role: "system", "task", "group", "score", "instance", "run",
        "cluster", "error", "low", "high", "n", "weight", "left", "right", "winner", "loser",
        "average" or "description"; or "lower" or "higher" for a column (or a task) of scores on
        which lower or higher is better. The key "*" is the role of all columns that are not named.
        Or a file of such a mapping in TOML or JSON, as `board.reading.to_toml()` writes it. Roles
        that are given take precedence over all guesses.
    table
        The table of a page or sheet of a workbook: its number from 1, or its name.
    na
        Further cells that stand for a missing score, such as "DNF" or "??".
    transpose
        Whether the tasks are in rows and the systems in columns; None detects it.
    duplicates
        The treatment of a system (or its instance) that occurs more than once: "refuse", or take
        of its scores on each task the "first", the "best" (the highest number) or the "mean".
    where
        A mapping from column to the cell, or cells, of the rows that are read.
    **table_options
        `weights`, `groups`, `lower_is_better`, `counts` and `decimals` of `Leaderboard`. Tasks that
        `lower_is_better` names are read so, and the others by their names. For comparisons,
        `ties` and `sides` of `from_comparisons`.

    Returns
    -------
    Leaderboard or Comparisons
        With `reading`, `errors` (standard errors of the scores, if the file has any) and
        `descriptions` (of the systems); `to_frame()` has the scores so that higher is
        better, and `board.rank.borda()` is `board.borda()`.

    Raises
    ------
    OSError, ImportError
        If the file can't be opened, or needs a library that is not installed.
    ValueError
        If the table can't be read, named columns are missing, or cells are not scores;
        the message names the file, all such rows and columns, and the call that fixes it.

    Warns
    -----
    UserWarning
        If columns are set aside, systems without a score are left out, or a choice is made that the
        user can change.

    Examples
    --------
    >>> page = b"| model | size | mmlu | WER |\n|---|---|---|---|\n| A | 7B | 68.4(7.1) | 5.1 |\n"
    >>> board = read(page, roles={"size": "description"})
    >>> board.reading[["column", "role", "direction"]]
      column         role direction
    0  model       system       NaN
    1   size  description       NaN
    2   mmlu         task    higher
    3    WER         task     lower
    >>> for why in board.reading["why"][1:]:
    ...     print(why)
    you
    its name, 'mmlu'; the numbers behind the scores as standard errors
    its name, 'WER'
    >>> board.lower_is_better, board.errors.loc["A", "mmlu"].item()
    (('WER',), 7.1)
    """
    table, na, transpose, duplicates, where = map(
        plain_value, (table, na, transpose, duplicates, where)
    )
    table_options = plain_value(table_options)
    said, kept = load_roles(roles)
    said = plain_value(said)
    given = {"table": table, "na": na, "transpose": transpose, "where": where}
    given |= {"duplicates": None if duplicates == "refuse" else duplicates}
    given |= {"file": said.get("file")} if isinstance(source, list | tuple) else {}
    options = kept | {name: value for name, value in given.items() if value not in (None, ())}
    # The file of another month may have another name.
    name = fspath(source) if isinstance(source, str | PathLike) else "the file"
    with remember_warnings(known_warnings(options, name)) as facts:
        votes = _read(source, said, options, {**table_options})
    if facts:
        options["known"] = list(dict.fromkeys(fact.replace(name, FILE) for fact in facts))
    if votes.reading is not None:
        votes.reading.keep(options)
    return votes


def _read(
    source: Source,
    user_roles: dict[Any, str],
    reading_options: Mapping[str, Any],
    options: dict[str, Any],
) -> Leaderboard | Comparisons:
    """Read votes with these roles, the reader's options, and those of a leaderboard."""
    transpose, duplicates = (
        reading_options.get("transpose"),
        reading_options.get("duplicates", "refuse"),
    )
    check_choice("read", "duplicates", duplicates, ("refuse", "first", "best", "mean"))
    if (log := read_log(source, user_roles)) is not None:
        return log
    file_role = user_roles.pop("file", None) if isinstance(source, list | tuple) else None
    frame = load_frame(
        source,
        table=reading_options.get("table"),
        na=reading_options.get("na", ()),
        file_role=file_role,
    )
    if reading_options.get("where"):
        frame = select_rows(frame, reading_options["where"])
    words = {
        name: options.pop(name) for name in ComparisonOptions.__annotations__ if name in options
    }
    if transpose is None:
        votes = read_votes(frame, user_roles, options, **cast("ComparisonOptions", words))
        if votes is not None:
            return votes
    if words:
        raise ValueError(f"{', '.join(words)} goes with comparisons, and the table holds scores")
    result, problems = find_scores(frame, user_roles, transpose=transpose, duplicates=duplicates)
    problems.raise_all()
    scores = cast("ScoresWithErrors", result)
    board = build_board(scores, user_roles, cast("ReadTableOptions", options))
    return leave_out_unscored(board, scores.called)


def load_frame(
    source: Source,
    *,
    table: int | str | None = None,
    na: str | Sequence[str] = (),
    header_rows: int | None = None,
    file_role: Any = None,
) -> pd.DataFrame:
    """Load the unchanged cells of a source under their names."""
    source = cast("Any", plain_frame(source))
    if hasattr(source, "to_pandas"):  # a table of Arrow
        source = cast("Any", source).to_pandas()
    if isinstance(source, pd.DataFrame):
        return name_variants(mark_missing(flatten_cells(source), na))
    if isinstance(source, list | tuple):
        return read_tables(source, header_rows, table=table, na=na, file_role=file_role)
    frame = read_table(cast("File", source), header_rows, table=table, na=na)
    return name_variants(fill_merged_cells(frame))


def read_frames(
    frame: pd.DataFrame, said: Mapping[Any, str], **options: Any
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Read the scores of a table and their standard errors, as frames of one shape."""
    result, problems = find_scores(frame, said, **options)
    problems.raise_all()
    whole = cast("ScoresWithErrors", result)
    whole.warn_empty_rows()
    return whole.frames()


def select_rows(frame: pd.DataFrame, where: Mapping[Any, Any]) -> pd.DataFrame:
    """Select the rows in which columns hold the requested cells."""
    table = RawTable.from_frame(frame)
    chosen = np.ones(len(frame), dtype=bool)
    for column, wanted in where.items():
        if find_column(table.names, column) is None:
            raise table.error(
                f"where={{{column!r}: ...}}: unknown column; the columns are "
                f"{format_labels(table.names, 40)}"
            )
        cells = table[column]
        listed = wanted if isinstance(wanted, list | tuple | set | frozenset) else [wanted]
        texts = {str(item).strip() for item in listed}
        here = cells.astype(str).str.strip().isin(texts) | cells.isin(list(listed))
        if not here.any():
            raise table.error(
                f"no row holds {format_labels(listed)} in {column!r}; it holds "
                f"{format_labels(cells.dropna().unique(), 10)}"
            )
        chosen &= here.to_numpy()
    selected = frame.loc[chosen]
    if isinstance(frame.index, pd.RangeIndex):
        selected = selected.reset_index(drop=True)
    selected.attrs = frame.attrs
    return selected


def find_scores(
    frame: pd.DataFrame,
    said: Mapping[Any, str],
    *,
    transpose: bool | None = None,
    duplicates: Duplicates = "refuse",
) -> tuple[ScoresWithErrors | None, ErrorCollector]:
    """Find the scores of a table, as far as possible, and all its errors, with calls that help."""
    result, problems = _find_scores(frame, said, transpose, duplicates)
    if any(isinstance(error, UnclearReading) for error in problems.errors):
        calls = find_calls(frame, said, problems, _read_proposed)
        # Where rows only repeat, a name may be mistyped.
        rename = "rename them, or " * (calls == ["duplicates='mean'"])
        problems.errors = [
            ValueError(f"{error.fact}; {rename}say {'; or, '.join(calls)}")
            if calls and isinstance(error, UnclearReading) else error
            for error in problems.errors
        ]  # fmt: skip
    return result, problems


def _read_proposed(
    frame: pd.DataFrame, options: dict[str, Any]
) -> tuple[ScoresWithErrors | None, ErrorCollector]:
    """Read a table with options that are proposed for it."""
    selected = select_rows(frame, options.get("where", {}))
    duplicates = options.get("duplicates", "refuse")
    return _find_scores(selected, options["roles"], options.get("transpose"), duplicates)


def _find_scores(
    frame: pd.DataFrame,
    said: Mapping[Any, str],
    transpose: bool | None,
    duplicates: Duplicates,
) -> tuple[ScoresWithErrors | None, ErrorCollector]:
    """Find the scores of a table, as far as possible, and all its errors."""
    table = RawTable.from_frame(frame)
    result, found = None, set[Any]()
    # Tasks in rows may be given directions, although they are not columns.
    roles = resolve_roles(said, table.names, table.source_name, table.problems)
    if roles is None:
        return None, table.problems
    with table.problems.collect():
        nameless = [name for name in roles.columns("description") if str(name) == ""]
        for system in roles.columns("system")[:1] if nameless else ():
            table = table.drop_headings(system)  # which may stand in a column without a name
        table = table.drop_columns(nameless).drop_unnamed_columns()
        if table.numbered:
            table.warn(f"names that come again are numbered: {format_labels(table.numbered)}")
        result = replace(
            _read_layout(table, roles, transpose),
            titles=(table.source_name, str(frame.attrs.get("table", ""))),
            bold=dict(zip(frame.columns, frame.attrs.get("bold", ()), strict=False)),
            note=frame.attrs.get("note", ""),
            has_decimal_commas=table.has_thousands,
        )
        result = result.drop_summary_rows().resolve_duplicates(duplicates)
        result, found = result.drop_tasks([*roles.of_rows])
        if found and not result.scores.shape[1]:
            table.report(f"{as_role('description', roles.of_rows)} leaves out all tasks; keep one")
    if unknown := roles.describe_lost(found, table.names, table.source_name):
        table.problems.errors.insert(0, ValueError(unknown))
    return result, table.problems


def _read_layout(table: RawTable, roles: Roles, transpose: bool | None) -> ScoresWithErrors:
    """Read the scores of a table by the given or likely roles of its columns."""
    inner = roles.columns("instance", "run", "cluster")
    is_turned = bool(transpose) or _are_labels(table, roles.columns("group", "task"), inner)
    grid = None if transpose is False else find_name_grid(table, roles, is_turned=is_turned)
    if grid is not None and grid.is_sure:
        return grid.read(roles, is_asked=is_turned)
    if transpose:
        return _read_transposed(table, roles)
    if (long := find_long_roles(table, roles)) is not None:
        return read_long(table, long)
    if transpose is None:
        roles = _complete_labels(table, roles)
        turned_so = _are_labels(table, roles.columns("group", "task"))
        if turned_so and not roles.columns("instance", "run"):
            return _read_transposed(table, roles)
        if not roles.columns("system", "task") and rows_are_tasks(table):
            return _read_transposed(table, roles)
    result = read_wide(table, roles)
    doubt = grid.doubt if grid else doubt_side(result.columns, result.scores)
    if doubt and not roles.columns("system") and transpose is None:
        result = replace(result, columns=[
            item._replace(doubt=doubt) if item.role == "system" else item
            for item in result.columns
        ])  # fmt: skip
    return result


def _are_labels(table: RawTable, names: Sequence[Any], inner: Sequence[Any] = ()) -> bool:
    """Return whether columns with the role of a task (and group) name each row, or run, once."""
    if not names or {*table.find_columns(SYSTEMS)} - {*names}:
        return False
    words = all(
        (is_text(table[name]) and not looks_like_sizes(table[name]))
        or is_named_like(name, PEOPLE | INSTANCES)
        or (name != names[0] and is_item_name(name))
        for name in names
    )
    return words and not table.count_repeats([], [*names, *inner])


def _complete_labels(table: RawTable, roles: Roles) -> Roles:
    """Complete the columns that name tasks in rows by those of raters and items."""
    labels = roles.columns("group", "task")
    free = [name for name in table.find_columns(PEOPLE | INSTANCES) if name not in roles.by_column]
    if not labels or table.find_columns(SYSTEMS) or not table.count_repeats([], labels):
        return roles
    if not _are_labels(table, [*free, *labels]):
        return roles
    return replace(roles, by_column=dict.fromkeys(free, "group") | roles.by_column)


def _read_transposed(table: RawTable, roles: Roles) -> ScoresWithErrors:
    numbers = None
    if not table.n_labels and not roles.by_column and all(
        table.column(name).scores.n_scores and (table.parse_column(name).values % 1).any()
        for name in table.names
    ):  # fmt: skip
        numbers = "row"
        rows = pd.Series(range(1, len(table.cells) + 1), dtype=object)
        cells = pd.concat([rows, table.cells], axis=1).set_axis(range(len(table.names) + 1), axis=1)
        table = replace(table, cells=cells, names=[numbers, *table.names])
    turned, left, columns = transpose_table(table, roles)
    columns = [item for item in columns if item.column != numbers]
    result = read_wide(turned, left)
    stated: dict[Any, Direction] = {}
    for at, item in enumerate(columns):
        winners = dict(zip(turned.names[1:], table[item.column], strict=True))
        ways = directions_of_winners(winners, result.scores) if item.why == "words" else {}
        if 2 * len(ways) >= result.scores.shape[1]:
            stated |= ways
            columns[at] = item._replace(why="it states directions")
    described = [str(item.column) for item in columns if item.role == "description"]
    aside = [item for item in result.columns if item.role not in ("system", "task")]
    metadata: dict[Any, Any] = {"metadata": described + result.attrs["metadata"]}
    return replace(result, columns=[*columns, *aside], attrs=metadata, stated=stated)
