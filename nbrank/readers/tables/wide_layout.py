"""Layout of wide tables (a row for each system): the columns of scores, and the others."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from statistics import NormalDist
from typing import Any

import numpy as np
import pandas as pd

from nbrank.arrays.typing import Floats
from nbrank.readers.tables.cell_parsing import ParsedColumn, is_text_number
from nbrank.readers.tables.column import (
    TASKS,
    Column,
    counts_rows,
    find_missing_marker,
    is_error_mark,
)
from nbrank.readers.tables.column_evidence import (
    Evidence,
    find_error_task,
    find_evidence,
    find_means,
)
from nbrank.readers.tables.inner_columns import find_inner_columns
from nbrank.readers.tables.parsed_scores import ScoresWithErrors, build_columns
from nbrank.readers.tables.raw_table import RawTable
from nbrank.readers.tables.redundant_columns import find_redundant_columns, find_summary_row
from nbrank.readers.tables.roles import Advice, Roles, roles_call
from nbrank.readers.tables.system_columns import find_system_columns
from nbrank.readers.tables.task_directions import find_ranks_alone
from nbrank.votes.formatting import format_labels
from nbrank.votes.table.name_heuristics import (
    find_metadata_columns,
    is_average_name,
    is_named_like,
    make_word_set,
    split_words,
)
from nbrank.votes.table.reading import ReadColumn
from nbrank.votes.table.score_frame import check_not_ranking

#: Words of columns that may hold the deviations of runs, and what their numbers are taken for.
_DEVIATION_WORDS = make_word_set("std sd stddev stdev deviation")
_DEVIATIONS = "taken as standard errors, not deviations of runs"
#: Pattern of a whole number in brackets behind another number.
_IN_BRACKETS = re.compile(r"\d\s*\(\d+%?\)")
_PLUS_MINUS = re.compile(r"±|\\pm|\+/?-")
#: Names of a mean that do not say what is averaged.
_BARE_MEANS = ("mean", "avg", "average")


def read_wide(table: RawTable, roles: Roles) -> ScoresWithErrors:
    """Read a row for each system (and instance, or run) and a column for each task."""
    _check_wide(table, roles)
    system = roles.columns("system") or find_system_columns(table, roles)
    table = table.drop_headings(system[0])
    check_not_ranking(name for name in table.names if name not in system and not roles.others)
    labels = table.build_labels(system, "system")
    # Further labels of the rows may distinguish those of a system, as columns may.
    labelled = [name for name in table.names[: table.n_labels] if name not in system]
    levels = find_inner_columns(table, [labels], roles, labelled, (*system, *roles.by_column))
    rows = levels.rows(table, labels)
    columns = _parse_columns(table, roles, (*system, *levels.every))
    numeric = [column for column in columns if column.scores.n_scores]
    if not levels.every and numeric and (found := find_summary_row(numeric)):
        row, what = found
        table.warn(f"set aside, {what}: {labels[row]!r}")
        return read_wide(replace(table, cells=table.cells.drop(row).reset_index(drop=True)), roles)
    chosen = _choose_scores(table, system, labels, columns, roles, bool(levels.every))
    selected = list(chosen.scores)
    values = {at: column.values for at, column in enumerate(chosen.scores.values())}
    errors = {at: column.errors for at, column in enumerate(chosen.scores.values())}
    for task, of_errors in chosen.errors.items():
        errors[selected.index(task)] = of_errors
    scores, of_scores = (pd.DataFrame(item, index=rows) for item in (values, errors))
    scores.columns = of_scores.columns = build_columns(selected)
    of_names = dict.fromkeys(system, "system") | levels.roles | dict.fromkeys(selected, "task")
    why = dict.fromkeys(levels.every, "its name")
    why |= dict.fromkeys((*roles.by_column, *roles.directions), "you")
    read = {name: ReadColumn(name, role, why=why.get(name, "")) for name, role in of_names.items()}
    read |= {name: ReadColumn(name, item.role, why=item.why) for name, item in chosen.aside.items()}
    read |= _explain_errors(table, chosen, read) | _doubt_tasks_in_rows(table, labels, chosen, read)
    described = [name for name in chosen.aside if read[name].role not in ("error", "low", "high")]
    return ScoresWithErrors(
        scores,
        of_scores,
        {"metadata": [str(name) for name in chosen.aside]},
        [read[name] for name in table.names if name in read],
        table.describe_rows(labels, described),
        units=_find_units(chosen),
    )


def _check_wide(table: RawTable, roles: Roles) -> None:
    """Refuse roles of a long table, and a table without rows."""
    if n := roles.columns("n"):
        raise table.error(
            f"{roles_call({n[0]: 'n'})} goes with a table of one score a row; "
            f"name its columns, roles={{'...': 'system', '...': 'task', '...': 'score'}}"
        )
    if not len(table.cells):
        raise table.error("the table has no systems; give one row for each system")


def _parse_columns(table: RawTable, roles: Roles, row_columns: Sequence[Any]) -> list[Column]:
    """Parse the columns that neither name rows nor distinguish them; each knows the one before."""
    columns: list[Column] = []
    last: Any = None
    for name in table.names:
        if name not in row_columns:
            scores = table.parse_column(name, is_asked=_is_asked(roles, name))
            columns.append(Column(name, table[name], scores, last))
        last = last if is_error_mark(name) else name
    return columns


def _explain_errors(
    table: RawTable, choice: _Choice, read: Mapping[Any, ReadColumn]
) -> dict[Any, ReadColumn]:
    """Say what is taken as standard errors, and what is left out behind the scores."""
    whys = dict.fromkeys([
        name for name, item in choice.aside.items()
        if item.why == "standard errors" and _DEVIATION_WORDS & {*split_words(name)}
    ], _DEVIATIONS)  # fmt: skip
    for name, column in choice.scores.items():
        cells = table[name].astype("str")
        if not np.isnan(column.errors).all():
            what = "±" if cells.str.contains(_PLUS_MINUS).any() else "the numbers behind the scores"
            whys[name] = read[name].why or f"{what} as standard errors"
        elif cells.str.contains(_IN_BRACKETS).any():
            whys[name] = read[name].why or "without the numbers in brackets"
    return {name: read[name]._replace(why=why) for name, why in whys.items()}


def _find_units(chosen: _Choice) -> dict[Any, str]:
    """Find the units of scores; bare means and deviations are mostly of times."""
    units = {name: column.unit for name, column in chosen.scores.items() if column.unit}
    if any(_last_part(name) in _BARE_MEANS for name in chosen.errors):
        units |= {name: "?" for name in chosen.scores
                  if _last_part(name) in (*_BARE_MEANS, "user", "system")}  # fmt: skip
    return units


def _doubt_tasks_in_rows(
    table: RawTable, labels: pd.Series, chosen: _Choice, read: Mapping[Any, ReadColumn]
) -> dict[Any, ReadColumn]:
    """Doubt descriptions that are called like tasks: the rows may belong to different data sets."""
    doubted = {}
    for name, item in chosen.aside.items():
        of_system = labels.is_unique and is_named_like(name, {"language"})
        if item.why == "words" and is_named_like(name, TASKS) and not of_system and (
            1 < table[name].nunique() < len(table.cells)
        ):  # fmt: skip
            call = roles_call({name: "task"} | dict.fromkeys([*chosen.scores][:1], "score"))
            doubt = Advice("its name is one of tasks", f": {call}")
            doubted[name] = read[name]._replace(doubt=doubt)
    return doubted


def _last_part(name: object) -> str:
    """Return the last part of a name with points, in lower case: mean, of stats.mean."""
    return str(name).lower().rpartition(".")[2]


@dataclass(frozen=True)
class _Choice:
    """Columns of scores, roles of the others, and the errors of each task."""

    scores: dict[Any, ParsedColumn]
    aside: dict[Any, Evidence]
    errors: dict[Any, Floats]


def _choose_scores(
    table: RawTable,
    system: Sequence[Any],
    labels: pd.Series,
    columns: list[Column],
    roles: Roles,
    is_instance_level: bool,
) -> _Choice:
    """Separate scores from descriptions of the systems, and refuse cells that are neither."""
    said = [column.name for column in columns if _is_asked(roles, column.name)]
    columns = _read_truths(columns, said, labels if is_instance_level else None)
    by_name = {column.name: column for column in columns}
    aside = _set_aside_as_asked(columns, roles, said)
    guessed = [column for column in columns if column.name not in (*aside, *said)]
    first = table.names.index(system[0])
    before = {*table.names[:first]}
    means = find_means(columns) or find_means(guessed)
    aside |= _set_aside_by_evidence(columns, guessed, aside, means, before)
    for name in [] if is_instance_level or said else find_ranks_alone(guessed, aside):
        del aside[name]
    aside |= {column.name: Evidence("average", "its name") for column in guessed
              if column.scores.has_other_cells and is_average_name(column.name)}  # fmt: skip
    left = {name: column for name, column in by_name.items() if name not in aside}
    wrong = {name: column.scores for name, column in left.items() if column.scores.has_other_cells}
    alone = not any(column.scores.n_scores for name, column in left.items() if name not in wrong)
    asked = table.is_turned or alone or set(wrong) <= set(said)
    table.report_unparsed_cells(labels, wrong, asked)
    left = {name: column for name, column in left.items() if name not in wrong}
    aside |= _set_aside_by_marks(table, left, said)
    if not said or roles.others is None:
        left = {name: column for name, column in left.items() if name not in aside}
        again = find_redundant_columns(
            list(left.values()), _name_of_all(table, left), use_values=not is_instance_level
        )
        aside |= {name: item for name, item in again.items() if name not in (*said, *means)}
    selected = [column.name for column in columns if column.name not in aside]
    if not columns:
        raise table.error(
            f"the only column is {format_labels(system)}; give one of "
            "scores for each task, separated by commas, semicolons or tabs"
        )
    if not selected:
        raise _no_tasks_error(table, labels, by_name, aside)
    about = find_metadata_columns(list(by_name))
    of_numbers = {name: column.scores for name, column in by_name.items() if name not in about
                  and (name in selected or aside[name].why != "you")}  # fmt: skip
    table.report_large_integers(labels, of_numbers)
    # The warning comes once, when all cells can be read.
    quiet = {"you", "not named"}
    news = {name: item.why for name, item in aside.items() if item.why not in quiet}
    if news and not table.problems.errors:
        table.warn_excluded_columns(news)
    _warn_number_names(table, selected)
    table.warn_ambiguous_cells({name: by_name[name].scores for name in selected})
    errors = _find_errors(table, aside, selected, by_name, roles)
    errors |= _find_half_widths(aside, selected, by_name, errors)
    return _Choice({name: by_name[name].scores for name in selected}, aside, errors)


def _name_of_all(table: RawTable, columns: Mapping[Any, Column]) -> str:
    """Return the file's name, unless a column of it is near the others, and not between them."""
    file = PurePath(table.source_name).stem
    others = [column for name, column in columns.items() if name != file]
    own = columns.get(file)
    is_one = own is not None and others and all(map(own.is_near, others))
    return "" if own is not None and is_one and not own.is_between(others) else file


def _set_aside_as_asked(
    columns: Sequence[Column], roles: Roles, said: Sequence[Any]
) -> dict[Any, Evidence]:
    """Set aside the columns to which the user gives such a role."""
    aside = {}
    for column in columns:
        if (role := roles.role(column.name)) is not None and column.name not in said:
            found = find_evidence(column, columns)
            of = found.of if found is not None and found.role == role else None
            why = "you" if column.name in roles.by_column else "not named"
            aside[column.name] = Evidence(role, why, of)
    return aside


def _set_aside_by_evidence(
    columns: Sequence[Column],
    guessed: Sequence[Column],
    excluded: Mapping[Any, Evidence],
    means: Sequence[Any],
    before: Container[Any],
) -> dict[Any, Evidence]:
    """Set aside the columns that do not hold tasks, by their names or cells, one by one."""
    aside: dict[Any, Evidence] = {}
    free = {column.name for column in columns} - {*excluded}
    for column in guessed:
        others = [other for other in columns if other is not column and other.name in free and (
            other.name not in aside or aside[other.name].role in ("low", "high")
        )]  # fmt: skip
        if found := find_evidence(column, others, means):
            aside[column.name] = found
        elif column.name in before and counts_rows(column.cells):
            aside[column.name] = Evidence("description", "it numbers the rows")
    return aside


def _set_aside_by_marks(
    table: RawTable, left: Mapping[Any, Column], said: Sequence[Any]
) -> dict[Any, Evidence]:
    """Set aside the columns with a mark of what was not measured; warn of those asked for."""
    # +/- is below 0 where more is lost than won.
    marked = {name: mark for name, column in left.items() if not is_error_mark(name)
              and (mark := find_missing_marker(column.values)) is not None}  # fmt: skip
    table.warn_missing_markers({name: mark for name, mark in marked.items() if name in said})
    return {name: Evidence("description", f"{mark} for what was not measured")
            for name, mark in marked.items() if name not in said}  # fmt: skip


def _no_tasks_error(
    table: RawTable,
    labels: pd.Series,
    columns: Mapping[Any, Column],
    excluded: Mapping[Any, Evidence],
) -> ValueError:
    """Make the error about a table all of whose columns are set aside."""
    text = "; ".join(
        f"{name!r} was set aside ({item.why}"
        + f", such as {columns[name].cells.iloc[0]!r}" * columns[name].is_words + ")"
        for name, item in excluded.items()
    )  # fmt: skip
    numbers = [name for name in excluded if not columns[name].is_words or columns[name].holds_sizes]
    advised = dict.fromkeys(numbers[:1], "task")
    if not labels.is_unique and len(numbers) > 1:  # country, year, place
        advised[numbers[-1]] = "score"
    call = f"; or name them, {roles_call(advised)}" if advised else ""
    return table.error(
        f"the table has no tasks; give one column of scores for each task: {text}{call}"
    )


def _is_asked(roles: Roles, name: Any) -> bool:
    """Return whether a column is to be ranked, as the user says."""
    return name in roles.directions or roles.role(name) in ("task", "score")


def _read_truths(
    columns: list[Column], said: Sequence[Any], systems: pd.Series | None
) -> list[Column]:
    """Read truth values as scores if given so, of instances, or if all columns are such.

    Those that are the same on all instances of each of several systems describe these.
    """
    by_system = None if systems is None else systems.to_numpy()
    few = systems is not None and systems.nunique() < 3
    truths = [column for column in columns if column.is_words and column.scores.is_boolean]
    scored = {column.name for column in truths if column.name in said or (
        len(truths) == len(columns) if by_system is None
        else few or (column.cells.groupby(by_system).nunique() > 1).any()
    )}  # fmt: skip
    return [replace(column, scores=column.scores.parse_booleans(column.cells))
            if column.name in scored else column for column in columns]  # fmt: skip


def _warn_number_names(table: RawTable, selected: Sequence[Any]) -> None:
    numbers = [str(name) for name in selected if isinstance(name, str) and is_text_number(name)]
    # Whole numbers in a row are names of years, ballots or judges; scores include decimals.
    named = all(name.isdecimal() and 1900 < int(name) < 2100 for name in numbers)
    if len(numbers) == len(selected) and not named:
        table.warn(
            f"the first row is read as names, of the tasks "
            f"{format_labels(selected)}; if these are scores, put a row of names above them"
        )


def _find_errors(
    table: RawTable,
    aside: dict[Any, Evidence],
    selected: list[Any],
    columns: Mapping[Any, Column],
    roles: Roles,
) -> dict[Any, Floats]:
    """Find the standard errors in columns next to the scores, by their task, which is said."""
    errors: dict[Any, Floats] = {}
    for name, item in [*aside.items()]:
        if item.role != "error":
            continue
        task = item.of if item.of in selected else find_error_task(name, selected)
        if task is None and columns[name].previous == selected[0]:
            task = find_error_task(name, selected[:1])  # win_rate, standard_error, ...
            if task is not None and item.why != "you":
                aside[name] = replace(item, why=f"standard errors of {task!r}")
        is_asked = roles.by_column.get(name) == "error"
        if task is None and is_asked and len(selected) == 1:
            task = selected[0]
        if task is not None:
            errors[task] = table.parse_errors(name)
        elif is_asked:
            raise table.error(
                f"{roles_call({name: 'error'})} may be of any of "
                f"{format_labels(selected)}; call it after its task, as in "
                f"'{selected[0]}_stderr'"
            )
        else:
            aside[name] = Evidence("description", "standard errors, of no task")
    return errors


def _find_half_widths(
    aside: Mapping[Any, Evidence],
    selected: list[Any],
    columns: Mapping[Any, Column],
    errors: Mapping[Any, Floats],
) -> dict[Any, Floats]:
    """Find the standard errors of tasks that lie within two columns of bounds."""
    ends: dict[Any, dict[str, Floats]] = {}
    for name, item in aside.items():
        if item.role in ("low", "high"):
            task = item.of if item.of in selected else selected[0] if len(selected) == 1 else None
            ends.setdefault(task, {})[item.role] = columns[name].values
    widths = {}
    for named, bounds in ends.items():
        if len(bounds) < 2:
            continue
        low, high = bounds["low"], bounds["high"]
        around = {task: np.mean((low <= columns[task].values) & (columns[task].values <= high))
                  for task in (selected if named is None else [named])}  # fmt: skip
        tasks = [task for task, share in around.items() if share > 0.8 and task not in errors]
        for task in tasks if len(tasks) == 1 else ():
            z = NormalDist().inv_cdf(0.975)
            widths[task] = np.where(high >= low, (high - low) / 2 / z, np.nan)
    return widths
