"""Names of columns that cross systems with metrics: gpt4_score, gpt4_time, llama_score, ...

The rows of such a table are items. It becomes a row for each system and item, with a column for
each metric.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from nbrank.arrays.typing import Floats
from nbrank.readers.tables.cell_parsing import is_text_number
from nbrank.readers.tables.column import ERRORS, SCORES, is_text
from nbrank.readers.tables.column_evidence import bound_of, find_evidence, find_means
from nbrank.readers.tables.file_doubts import TIMED_SYSTEMS
from nbrank.readers.tables.long_layout import read_long
from nbrank.readers.tables.parsed_scores import ScoresWithErrors
from nbrank.readers.tables.raw_table import RawTable
from nbrank.readers.tables.roles import Advice, Roles, roles_call
from nbrank.readers.tables.table_side import (
    is_item_name,
    is_system_name,
    why_no_system,
)
from nbrank.readers.tables.task_directions import is_known_metric
from nbrank.votes.formatting import format_labels
from nbrank.votes.table.direction_names import direction_hint, has_unit
from nbrank.votes.table.name_heuristics import (
    REPLICATES,
    SYSTEMS,
    is_average_name,
    is_benchmark_name,
    is_metadata_name,
    is_named_like,
    make_word_set,
    split_words,
)
from nbrank.votes.table.reading import ReadColumn

#: Places at which a name may be split: between words, before brackets and before capitals.
_JOINT = re.compile(r"[\s_./:|-]+|(?=[(\[])|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
#: Words of statistics of runs, which are parts of names as metrics are.
_STATISTICS = ERRORS | make_word_set("mean avg average median best worst min max iteration iter")
#: Conditions of a measurement, unlike systems.
_CONDITIONS = make_word_set(
    "train training val valid validation dev test zero few one shot all micro macro weighted total "
    "overall pre post before after home away in out"
)
#: Share of a grid's places that columns fill, and of its medians' spread that one part explains.
_FILLED, _EXPLAINED = 0.75, 0.6
_MAX_COLUMNS = 300
#: Names of a first column of numbers, and those of systems that may be people who rate them.
_SIZES = make_word_set("n size year")
_PERHAPS_PEOPLE = make_word_set("participant candidate player entry")


@dataclass(frozen=True)
class NameGrid:
    """Columns whose names have two parts that are crossed, in a table with items in its rows."""

    table: RawTable
    #: Columns that name the items.
    labels: list[Any]
    #: Column -> its system and its metric.
    parts: dict[Any, tuple[str, str]]
    #: Whether the names are clear, or the user says that rows are tasks.
    is_sure: bool = True

    @property
    def systems(self) -> list[str]:
        """The systems, in the order of the columns."""
        return [*dict.fromkeys(system for system, _ in self.parts.values())]

    @property
    def metrics(self) -> list[str]:
        """The metrics, in the order of the columns."""
        return [*dict.fromkeys(metric for _, metric in self.parts.values())]

    @property
    def why(self) -> str:
        """What the columns cross."""
        systems, metrics = (format_labels(part, 3) for part in (self.systems, self.metrics))
        return f"the columns seem to cross systems ({systems}) with metrics ({metrics})"

    @property
    def doubt(self) -> Advice:
        """The doubt about rows that are read as systems, with the call that reads the grid."""
        call = roles_call(dict.fromkeys(self.labels[:-1], "group") | {self.labels[-1]: "task"})
        return Advice(self.why, f": {call} turns the table")

    @property
    def head(self) -> str:
        """A name for the column of systems that no other column has."""
        return next(name for name in ("system", "system /") if name not in self.table.names)

    def _unpivot(self) -> RawTable:
        """Make a row for each system and item, with a column for each metric."""
        table, places = self.table, {parts: name for name, parts in self.parts.items()}
        kept = [name for name in table.names if name not in self.parts]
        empty = pd.Series([""] * len(table.cells), dtype=object)
        blocks = []
        for system in self.systems:
            block = [pd.Series([system] * len(table.cells), dtype=object)]
            block += [table[name] for name in kept]
            block += [table[places[system, metric]] if (system, metric) in places else empty
                      for metric in self.metrics]  # fmt: skip
            blocks.append(pd.DataFrame(dict(enumerate(block)), dtype=object))
        cells = pd.concat(blocks, ignore_index=True)
        return replace(table, cells=cells, names=[self.head, *kept, *self.metrics], n_labels=0)

    def read(self, roles: Roles, *, is_asked: bool) -> ScoresWithErrors:
        """Read the scores of all systems on the items, each metric from all its columns at once."""
        long = self._unpivot()
        said = {metric: roles.role(name) or "score" for name, (_, metric) in self.parts.items()
                if roles.role(name) or name in roles.directions}  # fmt: skip
        columns = [long.column(metric) for metric in self.metrics]
        means = find_means(columns)
        others = {one.name: [other for other in columns if other is not one] for one in columns}
        aside = {one.name: found for one in columns if one.name not in said
                 and (found := find_evidence(one, others[one.name], means))}  # fmt: skip
        aside = aside if len(aside) < len(columns) else {}
        if unranked := {name: aside[metric].why for name, (_, metric) in self.parts.items()
                        if metric in aside}:  # fmt: skip
            call = roles_call({next(iter(unranked)): "score"})
            self.table.warn_excluded_columns(unranked, f"to rank one after all, {call}")
        kinds = dict.fromkeys(self.metrics, "score") | said
        kinds |= {metric: found.role for metric, found in aside.items()}
        labels = dict.fromkeys(self.labels[:-1], "group") | {self.labels[-1]: "task"}
        beside = {name: role for name, role in roles.by_column.items() if name not in self.parts}
        ways = {self.parts.get(name, ("", name))[1]: way for name, way in roles.directions.items()}
        by_column = {self.head: "system"} | kinds | labels | beside
        guessed = frozenset(by_column) - {*beside}
        result = read_long(
            long, replace(roles, by_column=by_column, directions=ways, guessed=guessed)
        )
        if not is_asked:
            self.table.warn(
                f"the rows are read as tasks, since {self.why}",
                f"; if the rows are systems, say {roles_call({self.labels[0]: 'system'})}",
            )
        read = {item.column: item for item in result.columns}
        for name, (system, metric) in self.parts.items():
            why = aside[metric].why if metric in aside else f"of {system!r}"
            read[name] = ReadColumn(name, kinds[metric], why=why)
        return replace(
            result,
            columns=[read[name] for name in self.table.names if name in read],
            metrics={name: metric for name, (_, metric) in self.parts.items()},
        )


def find_name_grid(table: RawTable, roles: Roles, *, is_turned: bool) -> NameGrid | None:
    """Find the grid of systems and metrics that the names of nearly all columns make.

    `is_turned`: the user says that the rows are items.
    """
    said = roles.columns("group", "task")
    if roles.columns("system") or (said and not is_turned) or not table.names:
        return None
    labels = said or _find_label(table)
    numeric = [name for name in table.names if name not in labels
               and roles.role(name) in (None, "score", "error") and not _is_no_system(name)
               and any(map(is_text_number, table[name]))]  # fmt: skip
    parts = _find_grid(numeric) if 1 < len(numeric) <= _MAX_COLUMNS else {}
    if not parts or 3 * len(parts) < 2 * len(numeric):
        return None
    sides = [[*dict.fromkeys(pair[at] for pair in parts.values())] for at in (0, 1)]
    shares = [_share_of_metrics(side) for side in sides]
    metric = int(shares[1] >= shares[0])
    by_words = shares[metric] >= 0.5 and shares[metric] > shares[1 - metric]
    if not by_words:
        metric = _find_quantities(table, parts) if min(map(len, sides)) > 1 else -1
    if metric < 0 or not _may_be_systems(sides[1 - metric]):
        return None
    kept = {name: (parts[name][1 - metric], parts[name][metric]) for name in numeric
            if name in parts and not _is_no_system(parts[name][1 - metric])}  # fmt: skip
    if not said and table.count_repeats([], labels):
        before = table.names[: table.names.index(next(iter(kept), labels[0]))]
        labels = [*labels, *(name for name in before if name not in labels
                             and not is_named_like(name, REPLICATES))]  # fmt: skip
    grid = NameGrid(table, labels, kept)
    if len(grid.systems) < 2 or {*grid.metrics} & {*table.names}:
        return None
    sure, perhaps = (True, True) if is_turned else _judge_rows(grid, by_words)
    return replace(grid, is_sure=sure) if perhaps else None


def _find_label(table: RawTable) -> list[Any]:
    """Find the column that names the rows by its name; else it is the first."""
    likely = [name for name in table.names if is_item_name(name) and is_text(table[name])
              and 2 * table[name].nunique() > len(table.cells)]  # fmt: skip
    head = table.names[: table.n_labels] or likely[:1]
    if not head and is_metadata_name(table.names[0]):  # a rank before the names
        head = [name for name in table.names[:4] if is_text(table[name])][:1]
    return head or table.names[:1]


def _judge_rows(grid: NameGrid, by_words: bool) -> tuple[bool, bool]:
    """Return whether the rows are surely items, and whether they may be.

    Their column is called so, or the other parts of the names alone are called like systems, or a
    column compares these.
    """
    cells = [str(cell) for cell in grid.table[grid.labels[-1]]]
    if grid.table.find_columns(SYSTEMS - _PERHAPS_PEOPLE) or any(map(is_system_name, cells)):
        return False, False
    known = sum(is_system_name(name) or bool({*split_words(name)} & TIMED_SYSTEMS)
                for name in grid.systems)  # fmt: skip
    named = any(is_item_name(name) or is_named_like(name, _SIZES) for name in grid.labels)
    named |= known >= max(2, 0.5 * len(grid.systems))
    named |= any(map(why_no_system, grid.table.names))
    is_numbered = len({re.sub(r"\d+", "", cell) for cell in cells}) == 1 < len({*cells})
    return named and by_words, named or is_numbered


def _list_splits(name: Any) -> Iterator[tuple[str, str]]:
    """Yield the two parts of a name, at each place at which it may be split."""
    if isinstance(name, tuple):
        if len(name) == 2:
            yield str(name[0]), str(name[1])
        return
    text = str(name).strip()
    for joint in _JOINT.finditer(text):
        first, second = text[: joint.start()].strip(), text[joint.end() :].strip()
        if first and second:
            bare = second.strip("()[]")
            yield first, second if has_unit(second) and not is_known_metric(bare) else bare


def _find_grid(names: Sequence[Any]) -> dict[Any, tuple[str, str]]:
    """Find the two parts of the names that together make the largest nearly complete grid."""
    splits = [(pair, name) for name in names for pair in _list_splits(name)]
    best: dict[Any, tuple[str, str]] = {}
    for at in (1, 0):
        by_part: dict[str, dict[str, Any]] = defaultdict(dict)
        of_other: dict[str, list[str]] = defaultdict(list)
        for pair, name in splits:
            by_part[pair[at]][pair[1 - at]] = name
            of_other[pair[1 - at]].append(pair[at])
        for others in {frozenset(row) for row in by_part.values() if len(row) > 1}:
            counts: dict[str, int] = defaultdict(int)
            for part in (part for other in others for part in of_other[other]):
                counts[part] += 1
            parts = [part for part, count in counts.items() if 2 * count >= len(others)]
            found = {by_part[part][other]: (other, part) if at else (part, other)
                     for part in parts for other in others if other in by_part[part]}  # fmt: skip
            filled = len(found) >= _FILLED * len(parts) * len(others)
            if filled and _weigh_grid(found) > _weigh_grid(best):
                best = found
    return best


def _weigh_grid(parts: dict[Any, tuple[str, str]]) -> tuple[int, int]:
    """Return how many names a grid has, and how short its parts are, each counted once."""
    sides = [{pair[at] for pair in parts.values()} for at in (0, 1)]
    return len(parts), -sum(len(part) for side in sides for part in side)


def _share_of_metrics(parts: Sequence[str]) -> float:
    """Return the share of metrics or units among parts of names; statistics count if all are."""
    # A rank or a size that all names share is hardly what is crossed.
    metrics = [(len(parts) > 1 or not is_metadata_name(part)) and (
        has_unit(part) or is_known_metric(part) or direction_hint(part) is not None
        or is_named_like(part, frozenset(SCORES))) for part in parts]  # fmt: skip
    are_statistics = [set() < {*split_words(part)} <= _STATISTICS for part in parts]
    every = all(map(any, zip(metrics, are_statistics, strict=True)))
    return 1.0 if every else sum(metrics) / len(parts)


def _may_be_systems(parts: Sequence[str]) -> bool:
    """Return whether parts of names may be systems: no tasks, numbers or conditions."""
    words = [{*split_words(part)} for part in parts]
    known = sum(not of_part - _CONDITIONS or bound_of([*of_part]) is not None
                or all(map(str.isdigit, of_part))
                for of_part, part in zip(words, parts, strict=True))  # fmt: skip
    return not any(map(is_benchmark_name, parts)) and 2 * known < len(parts)


def _is_no_system(part: str) -> bool:
    """Return whether a part is what systems are compared with, or a mean or difference of them."""
    return is_average_name(part) or bool(why_no_system(part))


def _find_quantities(table: RawTable, parts: dict[Any, tuple[str, str]]) -> int:
    """Find the part of names by which the usual numbers of the columns differ; -1 for none."""
    usual = np.array([np.nanmedian(table.column(name).values) for name in parts])
    shares = [_explained(usual, [pair[at] for pair in parts.values()]) for at in (0, 1)]
    metric = int(np.argmax(shares))
    return metric if shares[metric] >= _EXPLAINED and shares[1 - metric] < 0.5 * _EXPLAINED else -1


def _explained(numbers: Floats, groups: Sequence[str]) -> float:
    """Return the share of the spread of numbers that their groups explain.

    >>> _explained(np.array([70, 72, 30, 31.0]), list("aabb")) > 0.9
    True
    """
    by_group = pd.Series(numbers).groupby(list(groups)).transform("mean").to_numpy()
    return float(by_group.var() / numbers.var()) if numbers.var() > 0 else 0.0
