"""Columns that may name systems: the one that does, and what is recommended where none does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pandas as pd

from nbrank.readers.tables.cell_parsing import is_bool, is_text_number
from nbrank.readers.tables.column import TASKS, counts_rows, is_text
from nbrank.readers.tables.raw_table import RawTable
from nbrank.readers.tables.roles import Roles, roles_call
from nbrank.votes.formatting import format_labels, pluralize
from nbrank.votes.table.direction_names import stated_direction
from nbrank.votes.table.name_heuristics import (
    CLUSTERS,
    CONTAINERS,
    INSTANCES,
    REPLICATES,
    RUNS,
    SYSTEMS,
    is_metadata_name,
    is_named_like,
    make_word_set,
    split_words,
)
from nbrank.votes.table.reading import column_key

#: People whose answers rank the things that they rate, and others who may do so.
RATERS = make_word_set("respondent voter judge rater annotator assessor evaluator")
PEOPLE = RATERS | (CLUSTERS - CONTAINERS - {"cluster"}) | make_word_set("student customer")
#: Names of what is ranked beside a column of the one model that all use.
_PRODUCTS = make_word_set("tool library package product vendor provider name variant codec")
#: Words in the name of a column that numbers the rows.
_NUMBERING = make_word_set("row rownames names index id no nr number unnamed rank pos position")
#: Patterns of dates, times and durations, and of figures: ~50, <0.1, 60%+.
_DATE = re.compile(
    r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[ T]+\d{1,2}:\d\d.*)?|(?:\d+ days? )?\d{1,2}:\d\d.*"
)
#: Maximum length of a name; longer texts are answers or the like.
_MAX_NAME, _MAX_SURE_NAME = 120, 40
#: Number of different whole numbers beyond which they hardly count something.
_MAX_COUNTS = 9
_FIGURE = re.compile(
    r"[~<>≈≤≥±+-]?\s*\d[\d.,]*(?:\W*\d[\d.,]*)?\W*\w{0,3}(?:/\w{1,3})?\W*(?:\([^)]*\))?"
)


def may_name_systems(cells: pd.Series) -> bool:
    """Return whether a column may hold names: words, and no figures, sizes, dates or marks.

    >>> [may_name_systems(pd.Series(cells)) for cells in (["A", "GPT-4"], ["~50", "~200"])]
    [True, False]
    >>> [may_name_systems(pd.Series(cells)) for cells in (["✓", "✗"], ["0 days 00:05:00"], [3, 1])]
    [False, False, False]
    """
    texts = [str(cell).strip() for cell in cells.dropna().unique() if str(cell).strip()]
    named = any(re.search(r"\w", text) for text in texts) and is_text(cells)
    named = named and max(map(len, texts)) <= _MAX_NAME
    # 3a and 3b are names.
    units = {re.sub(r"\(.*\)|[\W\d_]", "", text) for text in texts}
    figures = len(units) == 1 and all(map(_FIGURE.fullmatch, texts))
    return named and not figures and not all(map(_DATE.fullmatch, texts)) and not (
        all(map(is_bool, texts))
    )  # fmt: skip


def is_figure(cell: object) -> bool:
    """Return whether a cell is a number, perhaps with marks or a unit: ~50, 7/10, 3 ms."""
    return _FIGURE.fullmatch(str(cell).strip()) is not None or is_text_number(cell)


def find_system_columns(table: RawTable, roles: Roles) -> list[Any]:
    """Find the column that names the systems; the first, unless it holds numbers."""
    said = [name for name in table.names if roles.by_column.get(name) or name in roles.directions]
    if table.n_labels == 1:
        return table.names[:1]
    if table.n_labels > 1:
        return _find_system_labels(table, table.names[: table.n_labels])
    free = [name for name in table.names if name not in said]
    texts = [name for name in free if may_name_systems(table[name])
             and not table.parse_column(name).n_scores]  # fmt: skip
    unique = [
        name for name in free
        if (name in texts or _are_mostly_names(name, table[name])) and table[name].is_unique
        and _may_be_ranked(name) and not is_metadata_name(name)
        and table[name].astype(str).str.len().max() <= _MAX_SURE_NAME
    ]  # fmt: skip
    called_so = [
        name for name in table.find_system_columns()
        if name not in said and not _holds_fractions(table[name])
        and not (unique and all(map(is_figure, table[name])))
        and not (table[name].nunique() == 1 and any(is_named_like(n, _PRODUCTS) for n in unique))
    ]  # fmt: skip
    if called_so:
        # With team_id and team_name, the column of words holds the names.
        named = [*called_so, *(n for n in table.names if str(n).strip().lower() == "name")]
        texts = [name for name in named if is_text(table[name])]
        return (texts if "id" in split_words(called_so[0]) and texts else called_so)[:1]
    if not free:
        raise table.error(
            "no column is left that names the systems; say which, roles={'...': 'system'}"
        )
    if texts[:1] == free[:1] and not table[free[0]].is_unique and len(unique) == 1 and (
        not is_named_like(free[0], {*TASKS})
    ):  # fmt: skip
        table.warn(f"the systems are read from the column {unique[0]!r}")
        return unique
    if texts[:1] == free[:1] or (free[:1] == [""] and not texts):
        return free[:1]
    cells = table[free[0]]
    # For want of names, sizes or marks may be such.
    is_date = all(_DATE.fullmatch(str(cell).strip()) for cell in cells.dropna())
    if is_text(cells) and not is_date and len(unique) != 1:
        return free[:1]
    # Medals and numbers, 🥇 and 4, are places beside a column of names.
    if _are_mostly_names(free[0], cells) and (free[0] in unique or len(unique) != 1):
        return free[:1]
    alone = [name for name in texts if table[name].is_unique]
    called_names = [name for name in alone if "name" in split_words(name)]
    alone = called_names if len(called_names) == 1 else alone
    if len(alone) == 1:
        table.warn(f"the systems are read from the column {alone[0]!r}")
        return alone
    first = next(filter(is_text_number, table[free[0]]), table[free[0]].iloc[0])
    numbers = " (it numbers the rows)" * counts_rows(table[free[0]])
    raise table.error(
        f"the first column, {free[0]!r}, holds {str(first)!r}, which is not a "
        f"name of a system{numbers}; {_advise(table, free, texts)}"
    )


def _advise(table: RawTable, free: Sequence[Any], texts: Sequence[Any]) -> str:
    """Say how to name the systems of a table in which no column clearly does."""
    likely = [name for name in texts if table[name].is_unique and _may_be_ranked(name)]
    if not likely and (pair := _find_pair(table, texts)):
        return f"say who won, {_advise_comparisons(pair)}"
    if people := [name for name in free if _is_of_people(name) and table[name].is_unique]:
        call = roles_call({people[0]: "task"})
        return f"if the columns are systems that the {people[0]!r} rate, {call}"
    if not is_named_like(free[0], REPLICATES):
        likely += [name for name in texts if _may_be_ranked(name) and table[name].nunique() > 1]
        likely += [name for name in free if "id" in split_words(name)[1:]
                   and 1 < table[name].nunique() < len(table.cells)]  # fmt: skip
    if table[free[0]].is_unique and _may_be_ranked(free[0]) and not (
        {*split_words(free[0])} <= _NUMBERING
    ):  # fmt: skip
        likely.append(free[0])
    if likely:
        return f"say which column names them, {roles_call(_advise_keys(table, likely[0], free))}"
    if is_named_like(free[0], REPLICATES):
        call = roles_call({"file": "system", free[0]: "run"})
        return f"if the rows are runs of one system, read the files of several, read([...], {call})"
    dots = {"." * 3: "system", "." * 5: "task", "." * 7: "score"}
    return f"say which columns name the systems and the tasks, {roles_call(dots)}"


def _advise_keys(table: RawTable, system: Any, free: Sequence[Any]) -> dict[Any, str]:
    """Advise on roles: the system, and what tells its rows apart (a task, or a run)."""
    columns = [table.column(name) for name in free if name != system]
    for column in sorted(columns, key=lambda column: not may_name_systems(column.cells)):
        is_label = (column.is_words or column.is_whole) and not column.cells.is_unique
        if (
            table[system].is_unique
            or not is_label
            or table.count_repeats([table[system]], [column.name])
        ):
            continue
        if is_named_like(column.name, RUNS):
            return {system: "system", column.name: "run"}
        scores = [other.name for other in columns if other.scores.n_scores and other is not column
                  and not counts_rows(other.cells) and not is_metadata_name(other.name)
                  ]  # fmt: skip
        return {system: "system", column.name: "task"} | dict.fromkeys(scores, "score")
    return {system: "system"}


def tell_apart(
    table: RawTable,
    keys_of: Sequence[Any],
    keys: Sequence[pd.Series],
    others: Sequence[Any],
    scores: Sequence[Any] = (),
    role: str = "system",
) -> str:
    """Return the call that distinguishes rows of equal keys by a further column, if any does.

    `keys_of` are the columns of the keys. If the column has the same few values for all, such as
    the splits of a data set, one is chosen, or each is a task of its scores.
    """
    of_scores = dict.fromkeys(scores, "score")
    system = keys_of[0]
    # Whole numbers that recur for each system are more likely instances than scores.
    wholes = [name for name in (scores if len(scores) > 1 else ())
              if table.column(name).is_whole
              and not table.count_repeats(keys, [name]) and not table[name].is_unique]  # fmt: skip
    rounds = RUNS | {"round", "step", "stage", "day", "week"}
    if numbered := [name for name in wholes if table[name].nunique() > _MAX_COUNTS
                    or is_named_like(name, rounds)]:  # fmt: skip
        return roles_call({numbered[0]: "instance"})
    if role == "system" and (pair := _find_pair(table, [system, *others])):
        return _advise_comparisons(pair)
    apart = [name for name in others if not table.count_repeats(keys, [name])
             and table[name].astype(str).str.len().max() <= _MAX_NAME]  # fmt: skip
    for name in sorted(apart, key=lambda name: not may_name_systems(table[name])):
        if role == "system" and _is_of_people(system) and not _is_of_people(name):
            return roles_call({name: "system", system: "task"} | of_scores)
        if role == "system" and _is_of_people(name) and table[name].nunique() > 1:
            return roles_call({system: "system", name: "task"} | of_scores)
        # WER ↓; samples that listeners rate
        if all(map(stated_direction, table[system])) or is_named_like(system, INSTANCES):
            return roles_call({name: "group", system: "task"})
        n_keys = len(table.cells) - table.count_repeats(keys)
        if table[name].nunique(dropna=False) * n_keys == len(table.cells):  # all in each
            call = roles_call({name: "task"} | of_scores)
            if role != "system":
                call = roles_call(dict.fromkeys(keys_of, "group") | {name: role})
            either = not is_named_like(system, SYSTEMS) and _may_be_ranked(name)
            if role == "system" and either and may_name_systems(table[name]):
                call += f", or {roles_call({name: 'system', system: 'task'} | of_scores)}"
            return f"where={{{column_key(name)!r}: {str(table[name].iloc[0])!r}}}, or {call}"
        if role != "system" or may_name_systems(table[system]):
            others_are = "system" if role == "system" else "group"
            return roles_call(dict.fromkeys(keys_of, others_are) | {name: role})
    for name in (name for name in others if role == "system" and may_name_systems(table[name])):
        for run in scores:
            values = {*table.parse_column(run).values}
            if values == {*range(1, len(values) + 1)} and not (
                table.count_repeats(keys, [name, run])
            ):  # fmt: skip
                return roles_call({name: "task"} | of_scores | {run: "run"})
    return roles_call({wholes[0]: "instance"}) if wholes else ""


def _find_pair(table: RawTable, names: Sequence[Any]) -> tuple[Any, Any] | None:
    """Find two columns in which the same names stand, in different rows."""
    for first, second in combinations([name for name in names if may_name_systems(table[name])], 2):
        cells = {*table[first]}, {*table[second]}
        n = max(map(len, cells))
        if 1 < n < len(table.cells) and 2 * len(cells[0] & cells[1]) >= n and (
            table[first].astype(str) != table[second].astype(str)
        ).all():  # fmt: skip
            return first, second
    return None


def _advise_comparisons(pair: tuple[Any, Any]) -> str:
    call = roles_call({pair[0]: "left", pair[1]: "right", "...": "winner"})
    return f"{call}, since {pair[0]!r} and {pair[1]!r} hold the same names"


def _is_of_people(name: Any) -> bool:
    """Return whether a column holds those who rate: voter, from_country."""
    return is_named_like(name, PEOPLE) or split_words(name)[:1] == ["from"]


def _may_be_ranked(name: Any) -> bool:
    """Return whether a name is not one of tasks, runs or people."""
    return not is_named_like(name, {*TASKS} | INSTANCES | REPLICATES) and not _is_of_people(name)


def _holds_fractions(cells: pd.Series) -> bool:
    return bool((pd.to_numeric(cells, errors="coerce").dropna() % 1).any())


def _are_mostly_names(name: object, column: pd.Series) -> bool:
    """Return whether a first column holds names, some of which are numbers: 118."""
    cells = [cell for cell in column.dropna() if str(cell).strip()]
    numbers = sum(map(is_figure, cells))
    few = numbers <= 0.5 * len(cells) or bool({"id", "name", "user", "team"} & {*split_words(name)})
    return 0 < numbers < len(cells) and few and len(set(map(str, cells))) == len(cells)


def _find_system_labels(table: RawTable, labels: list[Any]) -> list[Any]:
    known = [name for name in labels if is_named_like(name, SYSTEMS)]
    inner = [name for name in labels if is_named_like(name, INSTANCES | REPLICATES | CLUSTERS)]
    if (inner and len(known) == 1) or len(inner) == len(labels) - 1:
        return known or [name for name in labels if name not in inner]
    if inner:
        call = roles_call({labels[0]: "system", labels[-1]: "instance"})
        raise table.error(
            f"each row has the labels {format_labels(labels)}; say which of them is what, {call}"
        )
    item = [*known, labels[0]][0]
    call = roles_call({item: "system"} | {name: "instance" for name in labels if name != item})
    table.warn(
        f"each of the {pluralize(len(table.cells), 'row')} is read as a "
        f"system, named by the labels {format_labels(labels)} together",
        f"; if they are instances or runs of systems, say {call}",
    )
    return labels
