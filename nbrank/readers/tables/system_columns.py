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
from nbrank.votes.table.name_heuristics import (
    CLUSTERS,
    CONTAINERS,
    INSTANCES,
    REPLICATES,
    SYSTEMS,
    is_metadata_name,
    is_named_like,
    make_word_set,
    split_words,
)

#: People whose answers rank the things that they rate, and others who may do so.
RATERS = make_word_set("respondent voter judge rater annotator assessor evaluator")
PEOPLE = RATERS | (CLUSTERS - CONTAINERS - {"cluster"}) | make_word_set("student customer")
#: Names of a column of systems next to a column of the one model that all of them use.
_PRODUCTS = make_word_set("tool library package product vendor provider name variant codec")
#: Pattern of dates, times and durations, and of figures: ~50, <0.1, 60%+.
DATE = re.compile(
    r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[ T]+\d{1,2}:\d\d.*)?|(?:\d+ days? )?\d{1,2}:\d\d.*"
)
#: Maximum length of a name; longer texts are answers or the like.
_MAX_NAME, _MAX_SURE_NAME = 120, 40
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
    texts = [str(cell).strip() for cell in cells.dropna().unique()]
    texts = [text for text in texts if re.search(r"\w", text)]  # a dash stands for no date
    named = bool(texts) and is_text(cells) and max(map(len, texts)) <= _MAX_NAME
    # 3a and 3b are names.
    units = {re.sub(r"\(.*\)|[\W\d_]", "", text) for text in texts}
    figures = len(units) == 1 and all(map(_FIGURE.fullmatch, texts))
    return named and not figures and not all(map(DATE.fullmatch, texts)) and not (
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
        and may_be_ranked(name) and not is_metadata_name(name)
        and table[name].astype(str).str.len().max() <= _MAX_SURE_NAME
    ]  # fmt: skip
    called_so = [
        name for name in table.find_system_columns()
        if name not in said and not _holds_amounts(table[name])
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
    head, are_texts = free[0], texts[:1] == free[:1]
    is_variable = are_texts and not table[head].is_unique and not is_named_like(head, {*TASKS})
    if is_variable and len(unique) == 1:
        table.warn(f"the systems are read from the column {unique[0]!r}")
        return unique
    if are_texts or (head == "" and not texts) or _has_names(head, table[head], unique):
        return free[:1]
    alone = [name for name in texts if table[name].is_unique]
    called_names = [name for name in alone if "name" in split_words(name)]
    alone = called_names if len(called_names) == 1 else alone
    if len(alone) == 1:
        table.warn(f"the systems are read from the column {alone[0]!r}")
        return alone
    first = next(filter(is_text_number, table[head]), table[head].iloc[0])
    numbers = " (it numbers the rows)" * counts_rows(table[head])
    raise table.unclear(
        f"the first column, {head!r}, holds {str(first)!r}, which is not a name of a "
        f"system{numbers}",
        _advise(table, free, texts),
    )


def _has_names(head: Any, cells: pd.Series, unique: Sequence[Any]) -> bool:
    """Return whether the first column may name systems for want of another that does."""
    # For want of names, sizes or marks may be such.
    texts = [str(cell).strip() for cell in cells.dropna() if re.search(r"\w", str(cell))]
    is_date = all(map(DATE.fullmatch, texts))
    if is_text(cells) and not is_date and len(unique) != 1:
        return True
    # Medals and numbers, 🥇 and 4, are places next to a column of names.
    return _are_mostly_names(head, cells) and (head in unique or len(unique) != 1)


def _advise(table: RawTable, free: Sequence[Any], texts: Sequence[Any]) -> str:
    """Say how to name the systems of a table in which no column clearly does."""
    if pair := find_pair(table, texts):
        call = roles_call({pair[0]: "left", pair[1]: "right", "...": "winner"})
        return f"say who won, {call}, since {pair[0]!r} and {pair[1]!r} hold the same names"
    if is_named_like(free[0], REPLICATES):
        call = roles_call({"file": "system", free[0]: "run"})
        return f"if the rows are runs of one system, read the files of several, read([...], {call})"
    alone = [name for name in texts if table[name].is_unique]
    calls = [roles_call({name: "system"}) for name in alone[:2]] or ["roles={'...': 'system'}"]
    added = "" if alone else "add a column of the systems' names, or "
    return f"{added}say which one names them, {', or '.join(calls)}"


def find_pair(table: RawTable, names: Sequence[Any]) -> tuple[Any, Any] | None:
    """Find two columns in which the same names stand, in different rows."""
    for first, second in combinations([name for name in names if may_name_systems(table[name])], 2):
        cells = {*table[first]}, {*table[second]}
        n = max(map(len, cells))
        if 1 < n < len(table.cells) and 2 * len(cells[0] & cells[1]) >= n and (
            table[first].astype(str) != table[second].astype(str)
        ).all():  # fmt: skip
            return first, second
    return None


def is_of_people(name: Any) -> bool:
    """Return whether a column holds those who rate: voter, from_country."""
    return is_named_like(name, PEOPLE) or split_words(name)[:1] == ["from"]


def may_be_ranked(name: Any) -> bool:
    """Return whether a name is not one of tasks, runs or people."""
    return not is_named_like(name, {*TASKS} | INSTANCES | REPLICATES) and not is_of_people(name)


def _holds_amounts(cells: pd.Series) -> bool:
    """Return whether cells are fractions, or have separators of thousands: 41,127."""
    grouped = cells.astype(str).str.fullmatch(r"\d{1,3}(,\d{3})+")
    return bool(grouped.any() or (pd.to_numeric(cells, errors="coerce").dropna() % 1).any())


def _are_mostly_names(name: object, column: pd.Series) -> bool:
    """Return whether a first column holds names, and some are numbers: 118."""
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
