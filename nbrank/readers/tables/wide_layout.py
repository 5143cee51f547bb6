"""Layout of wide tables (a row for each system): the columns of scores, and the others."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from statistics import NormalDist
from typing import Any

import numpy as np
import pandas as pd

from nbrank.arrays.typing import Floats
from nbrank.readers.tables.cell_parsing import ParsedColumn, is_text_number, parse_interval
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
#: Names of a mean that do not say what is averaged.
_BARE_MEANS = ("mean", "avg", "average")


def read_wide(table: RawTable, roles: Roles) -> ScoresWithErrors:
    """Read a row for each system (and instance, or run) and a column for each task."""
    if n := roles.columns("n"):
        raise table.error(
            f"{roles_call({n[0]: 'n'})} goes with a table of one score a row; "
            f"name its columns, roles={{'...': 'system', '...': 'task', '...': 'score'}}"
        )
    if not len(table.cells):
        raise table.error("the table has no systems; give one row for each system")
    system = roles.columns("system") or find_system_columns(table, roles)
    table = table.drop_headings(system[0])
    check_not_ranking(name for name in table.names if name not in system and not roles.others)
    labels = table.build_labels(system, "system")
    # Further labels of the rows may distinguish those of a system, as columns may.
    labelled = [name for name in table.names[: table.n_labels] if name not in system]
    levels = find_inner_columns(table, [labels], roles, labelled, (*system, *roles.by_column))
    rows = levels.rows(table, labels)
    known = (*system, *levels.every)
    before: dict[Any, Any] = {}
    last: Any = None
    for name in table.names:
        before[name] = last
        last = last if is_error_mark(name) else name
    columns = [
        Column(
            name,
            table[name],
            table.parse_column(name, is_asked=_is_asked(roles, name)),
            before.get(name),
        )
        for name in table.names
        if name not in known
    ]
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
    # Deviations of runs look like standard errors.
    of_runs = [name for name, item in chosen.aside.items() if item.why == "standard errors"
               and _DEVIATION_WORDS & {*split_words(name)}]  # fmt: skip
    read |= {name: read[name]._replace(why=_DEVIATIONS) for name in of_runs}
    for name, column in chosen.scores.items():
        if not read[name].why and not np.isnan(column.errors).all():
            what = "±" if _has_plus_minus(table[name]) else "the numbers behind the scores"
            read[name] = read[name]._replace(why=f"{what} as standard errors")
        elif not read[name].why and table[name].astype("str").str.contains(_IN_BRACKETS).any():
            read[name] = read[name]._replace(why="without the numbers in brackets")
    # Mean and StdDev do not say of what: a benchmark's are mostly times.
    nameless = any(_last_part(name) in _BARE_MEANS for name in chosen.errors)
    units = {name: column.unit for name, column in chosen.scores.items() if column.unit}
    units |= {name: "?" for name in chosen.scores
              if nameless and _last_part(name) in (*_BARE_MEANS, "user", "system")}  # fmt: skip
    for name, item in chosen.aside.items():
        # Rows may belong to different data sets.
        if (
            is_named_like(name, TASKS)
            and not (labels.is_unique and is_named_like(name, {"language"}))
            and item.why == "words"
            and (1 < table[name].nunique() < len(table.cells))
        ):
            call = roles_call({name: "task"} | dict.fromkeys(selected[:1], "score"))
            doubt = Advice("its name is one of tasks", f": {call}")
            read[name] = read[name]._replace(doubt=doubt)
    described = [name for name in chosen.aside if read[name].role not in ("error", "low", "high")]
    return ScoresWithErrors(
        scores,
        of_scores,
        {"metadata": [str(name) for name in chosen.aside]},
        [read[name] for name in table.names if name in read],
        table.describe_rows(labels, described),
        units=units,
    )


def _last_part(name: object) -> str:
    """Return the last part of a name with points, in lower case: mean, of stats.mean."""
    return str(name).lower().rpartition(".")[2]


def _has_plus_minus(cells: pd.Series) -> bool:
    return bool(cells.astype("str").str.contains(r"±|\\pm|\+/?-").any())


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
    aside: dict[Any, Evidence] = {}
    for column in columns:
        if (role := roles.role(column.name)) is not None and column.name not in said:
            named = column.name in roles.by_column
            found = _look_at_cells(column, aside) or find_evidence(column, columns)
            of = found.of if found is not None and found.role == role else None
            aside[column.name] = Evidence(role, "you" if named else "not named", of)
    guessed = [column for column in columns if column.name not in (*aside, *said)]
    first = table.names.index(system[0])
    means = find_means(columns) or find_means(guessed)
    for column in guessed:
        others = [other for other in columns if other is not column
                  and (other.name not in aside or other.name in said
                       or aside[other.name].role in ("low", "high"))]  # fmt: skip
        if found := _look_at_cells(column, aside) or find_evidence(column, others, means):
            aside[column.name] = found
        elif table.names.index(column.name) < first and counts_rows(column.cells):
            aside[column.name] = Evidence("description", "it numbers the rows")
    for name in [] if is_instance_level or said else find_ranks_alone(guessed, aside):
        del aside[name]
    aside |= {column.name: Evidence("average", "its name") for column in guessed
              if column.scores.has_other_cells and is_average_name(column.name)}  # fmt: skip
    left = {name: column for name, column in by_name.items() if name not in aside}
    wrong = {name: column.scores for name, column in left.items() if column.scores.has_other_cells}
    alone = not any(column.scores.n_scores for name, column in left.items() if name not in wrong)
    asked = table.is_turned or alone or set(wrong) <= set(said)
    table.report_unparsed_cells(labels, wrong, asked)
    # +/- is below 0 where more is lost than won.
    marked = {name: mark for name, column in left.items()
              if name not in wrong and not is_error_mark(name)
              and (mark := find_missing_marker(column.values)) is not None}  # fmt: skip
    table.warn_missing_markers({name: mark for name, mark in marked.items() if name in said})
    aside |= {name: Evidence("description", f"{mark} for what was not measured")
              for name, mark in marked.items() if name not in said}  # fmt: skip
    asked = bool(said) and roles.others is not None
    if not asked:
        left = {name: column for name, column in left.items() if name not in (*aside, *wrong)}
        file = PurePath(table.source_name).stem
        again = find_redundant_columns(list(left.values()), file, by_values=not is_instance_level)
        aside |= {name: item for name, item in again.items() if name not in (*said, *means)}
    selected = [column.name for column in columns if column.name not in aside]
    if not columns:
        raise table.error(
            f"the only column is {format_labels(system)}; give one of "
            "scores for each task, separated by commas, semicolons or tabs"
        )
    if not selected:
        text = "; ".join(
            f"{name!r} was set aside ({item.why}"
            + f", such as {by_name[name].cells.iloc[0]!r}" * by_name[name].is_words + ")"
            for name, item in aside.items()
        )  # fmt: skip
        numbers = [name for name in aside if not by_name[name].is_words
                   or by_name[name].holds_sizes]  # fmt: skip
        advised = dict.fromkeys(numbers[:1], "task")
        if not labels.is_unique and len(numbers) > 1:  # country, year, place
            advised[numbers[-1]] = "score"
        call = f"; or name them, {roles_call(advised)}" if advised else ""
        raise table.error(
            f"the table has no tasks; give one column of scores for each task: {text}{call}"
        )
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
    errors = _errors_of(table, aside, selected, by_name, roles)
    return _Choice({name: by_name[name].scores for name in selected}, aside, errors)


def _look_at_cells(column: Column, aside: Mapping[Any, Evidence]) -> Evidence | None:
    """Recognize the intervals of the scores before them (43.7, 51.7), and p-values (<0.001)."""
    named = {"ci", "interval"} & {*column.words} and column.is_words
    if named and all(map(parse_interval, column.cells)):
        ends = any(item.role == "low" for item in aside.values())
        return None if ends else Evidence("error", "intervals", column.previous)
    small = "p" in column.words and any("<" in cell for cell in column.scores.rough)
    return Evidence("description", "p-values") if small else None


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


def _errors_of(
    table: RawTable,
    aside: dict[Any, Evidence],
    selected: list[Any],
    columns: dict[Any, Column],
    roles: Roles,
) -> dict[Any, Floats]:
    """Find the standard errors in columns next to the scores, by their task."""
    errors: dict[Any, Floats] = {}
    ends: dict[Any, dict[str, Floats]] = {}
    for name, item in aside.items():
        if item.role == "error":
            task = item.of if item.of in selected else find_error_task(name, selected)
            if task is None and columns[name].previous == selected[0]:
                task = find_error_task(name, selected[:1])  # win_rate, standard_error, ...
                if task is not None and item.why != "you":
                    aside[name] = replace(item, why=f"standard errors of {task!r}")
            if task is None and len(selected) == 1 and roles.role(name) == "error":
                task = selected[0]
            if task is None and roles.by_column.get(name) != "error":
                aside[name] = Evidence("description", "standard errors, of no task")
            elif task is None:
                raise table.error(
                    f"{roles_call({name: 'error'})} may be of any of "
                    f"{format_labels(selected)}; call it after its task, as in "
                    f"'{selected[0]}_stderr'"
                )
            else:
                errors[task] = table.parse_errors(name)
        elif item.role in ("low", "high"):
            task = item.of if item.of in selected else selected[0] if len(selected) == 1 else None
            ends.setdefault(task, {})[item.role] = columns[name].values
    z = NormalDist().inv_cdf(0.975)
    for named, bounds in ends.items():
        if len(bounds) < 2:
            continue
        low, high = bounds["low"], bounds["high"]
        around = {task: np.mean((low <= columns[task].values) & (columns[task].values <= high))
                  for task in (selected if named is None else [named])}  # fmt: skip
        tasks = [task for task, share in around.items() if share > 0.8 and task not in errors]
        for task in tasks if len(tasks) == 1 else ():
            errors[task] = np.where(high >= low, (high - low) / 2 / z, np.nan)
    return errors
