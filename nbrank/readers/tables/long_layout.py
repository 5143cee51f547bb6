"""Layout of long tables (a row for each score): the columns of system, task and score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from nbrank.readers.tables.cell_parsing import ParsedColumn, is_text_number
from nbrank.readers.tables.column import (
    COUNTS,
    ERRORS,
    SCORES,
    TASKS,
    find_missing_marker,
    is_text,
)
from nbrank.readers.tables.column_evidence import bound_of, find_error_task, find_evidence
from nbrank.readers.tables.inner_columns import find_inner_columns
from nbrank.readers.tables.parsed_scores import ScoresWithErrors, build_columns
from nbrank.readers.tables.raw_table import RawTable, is_blank
from nbrank.readers.tables.roles import Roles, as_role, roles_call
from nbrank.uncertainty.cell_errors import binomial_errors
from nbrank.votes.formatting import format_labels, pluralize
from nbrank.votes.table.direction_names import direction_hint, is_gain_name, stated_direction
from nbrank.votes.table.name_heuristics import (
    CLUSTERS,
    INSTANCES,
    REPLICATES,
    RUNS,
    is_average_name,
    is_named_like,
    label_parts,
)
from nbrank.votes.table.reading import Direction, ReadColumn, column_key

#: Words of cells that state directions.
_WAYS: dict[str, Direction] = dict.fromkeys(("lower", "min", "minimize", "down", "↓"), "lower")
_WAYS |= dict.fromkeys(("higher", "max", "maximize", "up", "↑"), "higher")


def find_long_roles(table: RawTable, roles: Roles) -> Roles | None:
    """Find the columns of system and task, if each row is clearly a score, and complete the roles.

    A score, or the name of a task in each row, makes it one.
    """
    if _is_long(table, roles):
        return roles
    found = None if roles.columns("task") else _find_columns(table, roles)
    if found is None:
        return None
    systems, tasks = found
    columns = dict.fromkeys(systems, "system") | dict.fromkeys(tasks[:-1], "group")
    columns |= dict.fromkeys(tasks[-1:], "task")
    guessed = frozenset(columns) - {*roles.by_column, *roles.directions}
    return replace(roles, by_column=columns | roles.by_column, guessed=guessed)


def _find_columns(table: RawTable, roles: Roles) -> tuple[list[Any], list[Any]] | None:
    """Find the columns of system and task by their names, the fewest that distinguish the rows."""
    by_name = roles.columns("system") or table.find_system_columns()[:1]
    known = (*by_name, *roles.by_column, *roles.directions)
    tasks = [name for kind in TASKS for name in table.find_columns((kind,)) if name not in known
             and is_text(table[name]) and not table[name].is_unique]  # fmt: skip
    if not by_name or not tasks or table[by_name[0]].is_unique:
        return None
    system = table.build_labels(by_name, "system")
    called_so = [n for n in table.find_columns(INSTANCES | REPLICATES) if n not in known]
    wide = [n for n in table.find_columns(INSTANCES | RUNS | CLUSTERS) if n not in known]
    said = roles.columns("instance", "run", "cluster")
    inner = [said, *([*said, name] for name in called_so), [*said, *called_so], [*said, *wide]]
    best, fewest = tasks[:1], len(table.cells)
    # The fewest columns that distinguish rows are taken (task, or group and task).
    for level in inner:
        pairs = [[b, a] for at, a in enumerate(tasks) for b in tasks[at + 1 :] if b != "metric"]
        pairs += [[a, "metric"] for a in tasks if a != "metric" and "metric" in tasks]
        for chosen in [*([task] for task in tasks), *pairs]:
            repeats = table.count_repeats([system], [*dict.fromkeys(level), *chosen])
            if repeats < fewest:
                best, fewest = chosen, repeats
            if not repeats:
                return by_name, chosen
    return by_name, best


def _find_systems(table: RawTable, roles: Roles) -> list[Any]:
    """Find the columns that name systems: as given, by name, or the only other one of words."""
    if named := roles.columns("system") or table.find_system_columns()[:1]:
        return named
    words = [name for name in table.names if is_text(table[name])
             and name not in (*roles.by_column, *roles.directions)]  # fmt: skip
    return words if len(words) == 1 and roles.columns("task") else []


def _is_long(table: RawTable, roles: Roles) -> bool:
    """Return whether the roles make each row a score: by a score, or by the name of its task."""
    systems = _find_systems(table, roles)
    if roles.columns("score") or (systems and roles.columns("group")):
        return True
    named = [name for name in roles.columns("task") if is_text(table[name])]
    repeated = [name for name in named if not table[name].is_unique]
    return bool(systems and repeated and not table[systems[0]].is_unique)


def read_long(table: RawTable, roles: Roles) -> ScoresWithErrors:
    """Read a table with a row for each score, and its system and task (and group) in columns."""
    systems = _find_systems(table, roles)
    tasks = [*roles.columns("group"), *roles.columns("task")]
    known = (*systems, *roles.by_column, *roles.directions)
    asked = [*roles.columns("score"), *(name for name in roles.directions if name in table.names
                                        and name not in roles.by_column)]  # fmt: skip
    if not tasks:
        free = [name for kind in TASKS for name in table.find_columns((kind,)) if name not in known]
        tasks = free[:1]
    lacking = ["system"] * (not systems) + ["task"] * (not tasks and not asked)
    if lacking:
        free = [name for name in table.names if name not in roles.by_column]
        options = roles_call(dict(zip(["...", "....."], lacking, strict=False)))
        raise table.unclear(
            f"this table has one score a row, and no column names the {' and the '.join(lacking)}",
            f"say which, {options}: {format_labels(free)}",
        )
    table = _drop_rows_without_task(table, tasks)
    labels = table.build_labels(systems, "system")
    names = [table.build_labels([task], "task") for task in tasks]
    beside = roles.columns("error", "n", "low", "high", "description", "average", "score")
    others = (*systems, *tasks, *beside, *asked)
    levels = find_inner_columns(table, [labels, *names], roles, (), others)
    inner, rows = levels.every, levels.rows(table, labels)
    taken = [*systems, *tasks, *inner, *(name for name in beside if name not in asked)]
    values = asked or [_find_score_column(table, taken, names)]
    read_values = {value: table.parse_column(value, is_asked=value in asked) for value in values}
    for value, read in read_values.items():
        if read.unparsed_rows and read.is_boolean and not read.n_scores:
            read_values[value] = read.parse_booleans(table[value])
    table.report_large_integers(labels, read_values)
    wrong = {value: read for value, read in read_values.items() if read.has_other_cells}
    table.report_unparsed_cells(labels, wrong, is_asked_for=True)
    used: list[Any] = []
    parts = []
    for value, read in read_values.items():
        errors, beside_used = _find_errors(table, value, read, roles, len(values) == 1)
        used += beside_used
        if (mark := find_missing_marker(read.values)) is not None:
            table.warn_missing_markers({value: mark})
        parts.append((value, read.values, errors))
    table.warn_ambiguous_cells(read_values)
    listed = list(zip(*names, strict=True)) if len(names) > 1 else list(names[0]) if names else []
    columns = _task_labels(listed, [value for value, *_ in parts], len(rows))
    said = roles.columns("description", "average", "low", "high", "error", "n")
    aside = [name for name in table.names if name not in (*taken, *values, *used, *said)]
    ways = _find_ways(table, aside, names, columns) if len(values) == 1 else {}
    aside = [name for name in aside if name not in ways]
    stated = {task: way for of_task in ways.values() for task, way in of_task.items()}
    _warn_unneeded(table, aside, values, used)
    everything = rows.append([rows] * (len(parts) - 1)) if len(parts) > 1 else rows
    _, *numbers = (list(part) for part in zip(*parts, strict=True))
    both = dict(zip(("score", "error"), map(np.concatenate, numbers), strict=True))
    scores, of_scores = _pivot(everything, columns, both)
    averages = [] if inner or not names else _find_averages(table, scores, roles, len(values))
    scores, of_scores = (frame.drop(columns=averages) for frame in (scores, of_scores))
    metadata = [str(name) for name in (*roles.columns("description", "average"), *aside)]
    attrs: dict[Any, Any] = {"metadata": metadata}
    if len(values) == 1:
        attrs["score"] = str(values[0])
    chosen = {name: roles.by_column[name] for name in said}
    chosen |= dict.fromkeys(tasks[:-1], "group") | dict.fromkeys(tasks[-1:], "task")
    chosen |= dict.fromkeys(systems, "system") | dict.fromkeys(values, "score")
    chosen |= {name: _beside_role(name) for name in used} | levels.roles
    why = dict.fromkeys(aside, "not needed") | dict.fromkeys(ways, "it states directions")
    why |= dict.fromkeys(roles.said, "you")
    read_columns = [ReadColumn(name, chosen.get(name, "description"), why=why.get(name, "its name"))
                    for name in table.names if name in chosen or name in why]  # fmt: skip
    rows_aside = [ReadColumn(name, "average", why="its name") for name in averages]
    return ScoresWithErrors(
        scores,
        of_scores,
        attrs,
        [*read_columns, *rows_aside],
        table.describe_rows(labels, [*roles.columns("description"), *aside]),
        stated=stated,
        units=_find_units(table, aside, columns) | _units_of_tasks(scores.columns, read_values),
    )  # fmt: skip


def _find_ways(
    table: RawTable, names: Sequence[Any], tasks: Sequence[pd.Series], labels: list[Any]
) -> dict[Any, dict[Any, Direction]]:
    """Find the columns that say for each task which scores are better."""
    results: dict[Any, dict[Any, Direction]] = {}
    for name in names:
        if not tasks or not _is_of_tasks(table[name], tasks):
            continue
        own = stated_direction(name)  # higher_is_better: True
        texts = table[name].astype(str).str.strip().str.lower()
        if own is not None and texts.isin(["true", "false", "yes", "no"]).all():
            other: Direction = "lower" if own == "higher" else "higher"
            ways = texts.isin(["true", "yes"]).map({True: own, False: other})
        elif texts.isin(_WAYS).all():
            ways = texts.map(_WAYS)
        elif is_named_like(name, {"metric", "measure"}):
            ways = table[name].map(_direction_of_metric)
            if ways.isna().any():
                continue
        else:
            continue
        results[name] = dict(zip(labels, ways, strict=True))
    return results


def _direction_of_metric(name: Any) -> Direction | None:
    """Return the direction of a metric by its name; None if the name leaves it open."""
    hint = direction_hint(name)
    if hint is not None:
        return hint.direction if hint.sure else None
    return "higher" if is_gain_name(name) else None


def _find_averages(table: RawTable, scores: pd.DataFrame, roles: Roles, n_values: int) -> list[Any]:
    """Find the tasks in rows that are named averages of the others, and warn of them."""
    said = {*roles.directions, *roles.of_rows}
    tasks = {task: label_parts(task)[: -1 if n_values > 1 else None] for task in scores.columns}
    averages = [task for task, parts in tasks.items() if any(map(is_average_name, parts))
                and not said & {task, column_key(task), *parts}]  # fmt: skip
    if not 0 < len(averages) < len(scores.columns) - 1:
        return []
    call = roles_call({averages[0]: "higher"})
    table.warn_excluded_columns(dict.fromkeys(averages, "its name"), f"to rank one, {call}")
    return averages


def _find_units(table: RawTable, names: Sequence[Any], tasks: list[Any]) -> dict[Any, str]:
    """Find the unit of each task in a column of units, where a task has but one."""
    units: dict[Any, str] = {}
    for name in [name for name in names if is_named_like(name, {"unit"})]:
        of_task = table[name].astype(str).groupby(pd.Index(tasks, tupleize_cols=False)).unique()
        units |= {task: cells[0] for task, cells in of_task.items() if len(cells) == 1}
    return units


def _units_of_tasks(tasks: pd.Index, values: dict[Any, ParsedColumn]) -> dict[Any, str]:
    """Map each task to the unit of its column of scores; with several, the task ends in it."""
    units = {name: read.unit for name, read in values.items()}
    ends: list[Any] = [task[-1] if isinstance(task, tuple) else task for task in tasks]
    columns = ends if len(values) > 1 else [*values] * len(tasks)
    return {task: units[name] for task, name in zip(tasks, columns, strict=True) if units[name]}


def _drop_rows_without_task(table: RawTable, tasks: list[Any]) -> RawTable:
    """Drop rows without the name of a task, and warn of them."""
    empty = np.zeros(len(table.cells), dtype=bool)
    for task in tasks:
        empty |= is_blank(table[task])
    if not empty.any() or empty.all():
        return table
    table.warn(
        f"{pluralize(int(empty.sum()), 'row')} set aside, without a name in {format_labels(tasks)}"
    )
    return replace(table, cells=table.cells[~empty].reset_index(drop=True))


def _task_labels(score_columns: list[Any], values: list[Any], n_rows: int) -> list[Any]:
    """Return the task of each score; with several columns of scores, the task and the metric."""
    if not score_columns:
        return [value for value in values for _ in range(n_rows)]
    if len(values) == 1:
        return score_columns
    parts = [item if isinstance(item, tuple) else (item,) for item in score_columns]
    return [(" / ".join(map(str, part)), value) for value in values for part in parts]


def _beside_role(name: Any) -> str:
    end = bound_of([str(name).lower()])
    return end[0] if end else "n" if is_named_like(name, COUNTS) else "error"


def _warn_unneeded(
    table: RawTable, excluded: list[Any], values: list[Any], used_columns: Sequence[Any]
) -> None:
    if not excluded:
        return
    sizes = [] if used_columns else [item for item in excluded if is_named_like(item, COUNTS)]
    rest = [name for name in excluded if name not in sizes]
    why = {item: f"with {roles_call({item: 'n'})}, errors follow" for item in sizes}
    call = roles_call({(rest or excluded)[0]: "score"})
    table.warn_excluded_columns(
        {item: why.get(item, "not needed") for item in excluded},
        f"the scores are those of {format_labels(values)}, which {call} can change",
    )


def _pivot(rows: pd.Index, columns: list[Any], values: dict[str, Any]) -> Iterator[pd.DataFrame]:
    """Pivot values by system (and instance) and task; a duplicate gets another row."""
    row, _ = pd.factorize(rows)
    column, column_names = pd.factorize(pd.Index(columns, tupleize_cols=False))
    cells = pd.DataFrame({"row": row, "column": column, **values})
    cells["nth"] = cells.groupby(["row", "column"]).cumcount()
    table = cells.set_index(["row", "nth", "column"]).unstack("column")
    labels = rows[~rows.duplicated()][table.index.get_level_values("row")]
    for what in values:
        result = pd.DataFrame(table[what]).set_axis(labels)
        yield result.set_axis(build_columns(list(column_names)), axis=1)


def _find_score_column(
    table: RawTable, known_columns: Sequence[Any], tasks: Sequence[pd.Series]
) -> Any:
    """Find the column of scores: by its name, or the only one with numbers that differ."""
    rest = [name for name in table.names if name not in known_columns]
    called_so = [name for kind in SCORES for name in rest if is_named_like(name, (kind,))]
    if called_so:
        return called_so[0]
    numbers = [name for name in rest if any(map(is_text_number, table[name]))
               and not is_named_like(name, INSTANCES | ERRORS)]  # fmt: skip
    columns = [table.column(name) for name in numbers]
    numbers = [
        column.name for column in columns
        if not find_evidence(column, [other for other in columns if other is not column])
    ]  # fmt: skip
    # A column that is the same for all systems describes a task, such as its number.
    differ = [name for name in numbers if not _is_of_tasks(table[name], tasks)]
    numbers = differ or numbers
    if len(numbers) == 1:
        return numbers[0]
    what = f"{format_labels(numbers)} may all be its score" if numbers else (
        "no column holds its score"
    )  # fmt: skip
    raise table.unclear(
        f"each row is of one system and one task, and {what}",
        f"say which, {as_role('score', numbers[:1] or ['...'])}",
    )


def _is_of_tasks(cells: pd.Series, tasks: Sequence[pd.Series]) -> bool:
    """Return whether a column has one value for each task, so that it describes the tasks."""
    if not tasks or len(cells) < 4:
        return False
    by_task = cells.astype(str).groupby([task.astype(str).to_numpy() for task in tasks])
    return bool((by_task.size() > 1).any() and (by_task.nunique() == 1).all())


def _find_errors(
    table: RawTable, value: Any, read: ParsedColumn, roles: Roles, alone: bool
) -> tuple[Any, list[Any]]:
    """Find the standard errors of the scores, and the columns that hold them."""
    said, sizes = roles.columns("error"), roles.columns("n")
    ends = [name for role in ("low", "high") for name in roles.columns(role)[:1]]
    if alone and len(ends) == 2:
        low, high = (table.parse_column(name).values for name in ends)
        return (high - low) / (2 * 1.959963984540054), ends
    by_name = [] if sizes else [
        name for name in table.names
        if name != value and roles.role(name) in (None, "error")
        and (is_named_like(name, ERRORS) or find_error_task(name, [value]) is not None)
    ]  # fmt: skip
    named = [name for name in said or by_name if find_error_task(name, [value]) is not None]
    for column in (said or by_name)[:1] if alone else named[:1]:
        return table.parse_errors(column), [column]
    if not sizes:
        return read.errors, []
    n = sizes[0]
    shares, counts = (
        pd.DataFrame({value: scores.values}) for scores in (read, table.parse_column(n))
    )
    top = 100.0 if (read.values > 1).any() else 1.0
    try:
        return binomial_errors(shares, counts, high=top)[value].to_numpy(), [n]
    except ValueError as error:
        raise table.error(
            f"{roles_call({n: 'n'})} is for shares, and {error}; or give the "
            "column of the standard errors, roles={'...': 'error'}"
        ) from None
