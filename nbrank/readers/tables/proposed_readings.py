"""Readings that are proposed for a table whose rows repeat, or whose systems are unclear."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import pandas as pd

from nbrank.readers.tables.cell_parsing import is_bool, is_text_number
from nbrank.readers.tables.column import ERRORS, SCORES, TASKS, Column, counts_rows, find_column
from nbrank.readers.tables.error_collector import ErrorCollector, error_text
from nbrank.readers.tables.parsed_scores import ScoresWithErrors
from nbrank.readers.tables.raw_table import RawTable, is_blank
from nbrank.readers.tables.roles import Roles, resolve_roles, roles_call
from nbrank.readers.tables.system_columns import (
    DATE,
    PEOPLE,
    find_pair,
    is_of_people,
    may_be_ranked,
    may_name_systems,
)
from nbrank.readers.tables.table_side import is_system_name
from nbrank.votes.table.direction_names import direction_hint, is_metric_name, stated_direction
from nbrank.votes.table.name_heuristics import (
    INSTANCES,
    REPLICATES,
    RUNS,
    SYSTEMS,
    is_benchmark_name,
    is_metadata_name,
    is_named_like,
    make_word_set,
    split_words,
)
from nbrank.votes.table.reading import column_key

#: Names of columns that tell how far a run had come: its last row counts.
_PROGRESS = make_word_set("epoch iteration round step stage")
#: Names of the parts of a data set, the one that counts last.
_SPLITS = ("train", "training", "val", "valid", "validation", "dev", "test")
#: Number of different whole numbers beyond which they are hardly settings.
_MAX_SETTINGS = 9
#: Maximum numbers of readings that are tried, and of calls that a message names.
_MAX_PROPOSALS, _MAX_CALLS = 8, 2
#: Options of `read` that make a reading.
ReadOptions = dict[str, Any]


def find_calls(
    frame: pd.DataFrame,
    said: Mapping[Any, str],
    problems: ErrorCollector,
    read: Callable[[pd.DataFrame, ReadOptions], tuple[ScoresWithErrors | None, ErrorCollector]],
) -> list[str]:
    """Find calls by which a table that is unclear can be read, one for each choice of systems."""
    whole = RawTable.from_frame(frame)
    table = whole.drop_unnamed_columns()
    roles = resolve_roles(said, table.names, table.source_name, table.problems)
    # Names that only differ in their group or type are not distinguished by roles.
    if roles is None or any(find_column(whole.names, name) is None for name in table.names):
        return []
    known = {error_text(error) for error in problems.errors}
    calls: dict[frozenset[Any], str] = {}
    for proposed in islice(CrossedColumns.from_table(table, roles).propose(), _MAX_PROPOSALS):
        options = proposed | {"roles": {**said, **proposed.get("roles", {})}}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result, wrong = read(frame, options)
        if result is not None and known >= {*map(error_text, wrong.errors)} and result.compares:
            systems = frozenset(result.scores.index.get_level_values(0))
            calls.setdefault(systems, format_options(options))
    return [*calls.values()][:_MAX_CALLS]


def format_options(options: ReadOptions) -> str:
    """Write options as the arguments of a call.

    >>> format_options({"roles": {"m": "system"}, "duplicates": "mean"})
    "roles={'m': 'system'}, duplicates='mean'"
    """
    return ", ".join(
        roles_call(value) if name == "roles" else f"{name}={value!r}"
        for name, value in options.items() if value
    )  # fmt: skip


@dataclass(frozen=True)
class CrossedColumns:
    """Columns of a table by what they do: settings and repeats name a row, and scores are of it."""

    table: RawTable
    roles: Roles
    #: Columns that together distinguish the rows, as far as any do, settings first.
    key: list[Any]
    scores: list[Any]

    @classmethod
    def from_table(cls, table: RawTable, roles: Roles) -> CrossedColumns:
        """Find what the columns do, apart from those whose role is given."""
        columns = [table.column(name) for name in table.names if roles.role(name) is None
                   and name not in roles.directions and table[name].nunique() > 1]  # fmt: skip
        said = roles.columns("system", "group", "task", "instance", "run", "cluster")
        labels = [each for each in columns if _may_be_label(each, each is columns[-1])]
        key, fewest = list(said), table.count_repeats([], said) if said else len(table.cells)
        for column in sorted(labels, key=_label_rank):
            if fewest and (left := table.count_repeats([], [*key, column.name])) < fewest:
                key, fewest = [*key, column.name], left
        # The first words may name what the next ones are variants of.
        words = [name for name in table.names if name in key and may_name_systems(table[name])]
        kept = [*said, *words[:1], *(name for name in key if is_named_like(name, SYSTEMS))]
        for name in [name for name in reversed(key) if name not in kept]:
            others = [other for other in key if other != name]
            if others and table.count_repeats([], others) == fewest:
                key = others
        asked = [*roles.columns("score"), *roles.directions]
        numbers = [each for each in columns if each.name not in key and each.scores.n_scores]
        # A column called 320000 has a row of scores in place of the names.
        numbers = [each for each in numbers if not is_text_number(str(each.name))]
        likely = [column for column in numbers if not _is_no_score(column)] or numbers
        return cls(table, roles, key, asked or [column.name for column in likely])

    def propose(self) -> Iterator[ReadOptions]:
        """Yield options of `read`, the likeliest reading first."""
        if find_pair(self.table, self.key):
            return  # who won can't be told from the cells
        head = self.table.names[0]
        of_rows = [
            name for name in self.key if is_of_people(name) or _are_metrics(self.table[name])
        ]
        rest = [name for name in self.key if name not in of_rows]
        if of_rows and len(self.scores) > 1 and not self.table.find_columns(SYSTEMS):
            yield {"roles": _task_roles([*rest, *of_rows])}
        for systems in self._list_systems():
            yield from self._propose_by(systems)
        if not self.roles.by_column and not self._words:
            is_number = is_metadata_name(head) or not may_be_ranked(head)
            if self.table.column(head).is_whole and not is_number:
                yield {"roles": {head: "system"}}
            if not is_named_like(head, REPLICATES):
                yield {"transpose": True}

    @property
    def _words(self) -> list[Any]:
        """The columns that may name what is ranked, by their cells and names."""
        return [name for name in self.key
                if may_name_systems(self.table[name]) and may_be_ranked(name)]  # fmt: skip

    def _repeats(self, names: Sequence[Any]) -> int:
        return self.table.count_repeats([], names)

    def _list_systems(self) -> Iterator[list[Any]]:
        """Yield columns that may name the systems, the likeliest first."""
        if said := self.roles.columns("system"):
            yield said
            return
        inner = [name for name in self.key if _is_repeat(name) or is_named_like(name, INSTANCES)]
        words = [name for name in self.key if not (name in inner or is_of_people(name))
                 and not _is_split(self.table[name])
                 and (may_name_systems(self.table[name]) or "id" in split_words(name)[1:])
                 ]  # fmt: skip
        ranked = [name for name in words if may_be_ranked(name)] or words
        named = [name for name in ranked if not self._system_rank(name)[0]]
        yield from ([name] for name in sorted(named or ranked, key=self._system_rank))
        settings = [name for name in self.key if name not in (*inner, *words)
                    and not is_of_people(name)]  # fmt: skip
        if settings and not words:
            yield settings
        # What is called a run may name a system.
        yield from ([name] for name in inner if may_name_systems(self.table[name]))

    def _system_rank(self, name: Any) -> tuple[bool, float]:
        """Return how likely a column names systems, by its name and cells; less is likelier.

        Names that are numbered, such as q1 and q2, are those of parts or items.
        """
        texts = [*map(str, self.table[name].dropna().unique())]
        stems = {re.sub(r"\d+", "", text) for text in texts}
        is_numbered = len(stems) == 1 < len(texts)
        tasks = sum(is_benchmark_name(text) or is_metric_name(text) for text in texts)
        likely = sum(map(is_system_name, texts)) - tasks - len(texts) * is_numbered
        return not {*split_words(name)[-1:]} & SYSTEMS, -likely / max(1, len(texts))

    def _propose_by(self, systems: list[Any]) -> Iterator[ReadOptions]:
        """Yield options by which these columns name the systems, first with all conditions."""
        others = [name for name in self.key if name not in systems]
        conditions = {name: self._condition_role(name, systems) for name in others}
        yield self._write_options(systems, conditions)
        joined = {name: "system" if role == "task" and name in self._words else role
                  for name, role in conditions.items()}  # fmt: skip
        if joined != conditions:
            yield self._write_options(systems, joined)

    def _write_options(self, systems: list[Any], conditions: dict[Any, str]) -> ReadOptions:
        """Write the options of `read` by which columns name systems, tasks and repeats."""
        where: dict[str, Any] = {column_key(name): last for name, role in conditions.items()
                 if role == "where" and (last := self._find_last(name))}  # fmt: skip
        parts = [name for name, role in conditions.items() if role == "system"]
        tasks = [name for name, role in conditions.items() if role == "task"]
        inner = {name: role for name, role in conditions.items() if role in ("run", "instance")}
        named = {name: "system" for name in self.table.names if name in (*systems, *parts)}
        scores = dict.fromkeys(self.scores, "score") if tasks else {}
        aside = {name: "description" for name, role in conditions.items()
                 if role == "where" and self.table.column(name).scores.n_scores}  # fmt: skip
        roles = named | _task_roles(tasks) | inner | scores | aside
        options: ReadOptions = {"roles": roles}
        if blank := [name for name in named if is_blank(self.table[name]).any()]:
            cells = self.table[blank[0]]
            where |= {column_key(blank[0]): [*map(str, cells[~is_blank(cells)].unique())]}
        if where:
            options["where"] = where
        if not blank and self._repeats(self.key):
            options["duplicates"] = "mean"
        is_known = [*roles] == self.table.find_system_columns()[:1]
        if is_known and not self.roles.by_column and len(options) > 1:
            del options["roles"]
        return options

    def _condition_role(self, name: Any, systems: list[Any]) -> str:
        """Return what a setting is: a repeat, a part of a system, or a task."""
        if said := self.roles.role(name):
            return "task" if said == "group" else said
        cells = self.table[name]
        if is_named_like(name, _PROGRESS) or _is_split(cells):
            return "where"
        if _is_repeat(name) or _is_date(cells):
            return "run"
        column = self.table.column(name)
        if is_named_like(name, INSTANCES) or (column.is_whole and cells.nunique() > _MAX_SETTINGS):
            return "instance"
        if is_named_like(name, SYSTEMS):
            return "system"
        if is_named_like(name, frozenset(TASKS)) or is_of_people(name):
            return "task"
        pairs = len(self.table.cells) - self._repeats([*systems, name])
        n_systems = len(self.table.cells) - self._repeats(systems)
        least = 0.7 if may_name_systems(cells) else 0.8  # a version is rather a part of a name
        is_crossed = pairs > least * n_systems * cells.nunique()
        # Where columns are benchmarks, a setting is hardly one more task.
        are_tasks = len(self.scores) > 1 and any(map(is_benchmark_name, self.scores))
        return "task" if is_crossed and not are_tasks else "system"

    def _find_last(self, name: Any) -> str:
        """Find the last cell of a column that all others have; empty without any."""
        cells = self.table[name]
        rest = [other for other in self.key if other != name]
        if _is_split(cells):
            order = sorted(cells.dropna().unique(), key=lambda cell: _SPLITS.index(_fold(cell)))
        else:
            values = pd.Series(self.table.parse_column(name).values, index=cells)
            order = values[~values.index.duplicated()].sort_values().index.tolist()
        every = len(cells) - self._repeats(rest) if rest else 1
        counts = {cell: int((cells == cell).sum()) for cell in order}
        return next((str(cell) for cell in reversed(order) if counts[cell] >= every), "")


def _task_roles(names: Sequence[Any]) -> dict[Any, str]:
    """Return the roles of columns that together name a task."""
    return dict.fromkeys(names[:-1], "group") | dict.fromkeys(names[-1:], "task")


def _fold(cell: object) -> str:
    return str(cell).strip().lower()


def _is_split(cells: pd.Series) -> bool:
    return {*map(_fold, cells.dropna().unique())} <= {*_SPLITS}


def _is_date(cells: pd.Series) -> bool:
    return all(DATE.fullmatch(str(cell).strip()) for cell in cells.dropna().unique())


def _are_metrics(cells: pd.Series) -> bool:
    return all(
        is_metric_name(cell) or stated_direction(cell) for cell in cells.astype(str).unique()
    )


def _is_repeat(name: Any) -> bool:
    """Return whether a column numbers repeats, or the steps of a run: seed, trial_num, epoch."""
    kinds = RUNS | _PROGRESS
    return is_named_like(name, kinds) or bool({*split_words(name)} & REPLICATES)


def _is_no_score(column: Column) -> bool:
    """Return whether a column of numbers is not one of scores: an error, a size, a number."""
    return (
        is_named_like(column.name, ERRORS)
        or is_metadata_name(column.name)
        or counts_rows(column.cells)
        or _is_repeat(column.name)
    )


def _may_be_label(column: Column, is_last: bool) -> bool:
    """Return whether a column may name rows: words, or numbers that come again."""
    if not column.scores.n_scores:
        is_setting = not column.cells.is_unique and not all(map(is_bool, column.cells))
        return may_name_systems(column.cells) or is_setting or _is_date(column.cells)
    if _is_repeat(column.name) or is_named_like(column.name, INSTANCES | PEOPLE):
        return True
    counts = column.cells.value_counts()
    hint = direction_hint(column.name)
    is_score = is_metric_name(column.name) or bool(hint and hint.sure)
    is_score = is_score or is_named_like(column.name, SCORES)
    if not (is_score or is_last) and column.is_whole:
        return not column.cells.is_unique
    return bool(counts.min() > 1 and counts.max() <= (2 - is_score) * counts.min())


def _label_rank(column: Column) -> tuple[bool, bool]:
    """Return the order in which columns are tried as labels: words, settings, repeats."""
    return _is_repeat(column.name) or _is_date(column.cells), column.scores.n_scores > 0
