"""Scores after parsing, and the treatment of rows with the same name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Literal, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.readers.tables.error_collector import UnclearReading
from nbrank.votes.formatting import Label, format_labels
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.table.name_heuristics import (
    is_average_name,
    label_parts,
    make_word_set,
    split_words,
)
from nbrank.votes.table.reading import Direction, ReadColumn, column_key
from nbrank.votes.user_warnings import warn_user

Duplicates = Literal["refuse", "first", "best", "mean"]
_SUMMARIES = make_word_set(
    "total sum std sd stdev stddev standarddeviation meansd meanstd variance min max minimum "
    "maximum count weight weights aggregate all"
)

_OF_POINTS = make_word_set("possible points score scores marks total")


@dataclass(frozen=True)
class ScoresWithErrors:
    """Scores and their errors by the names of rows, which may be duplicate."""

    scores: pd.DataFrame
    errors: pd.DataFrame
    #: Columns that were set aside, and the name of all scores if a single column holds them.
    attrs: dict[Label, Any]
    #: Role in which each column of the file was read, without the directions.
    columns: list[ReadColumn] = field(default_factory=list)
    #: Descriptions of the systems: a row for each.
    descriptions: pd.DataFrame = field(default_factory=pd.DataFrame)
    #: Names of the file and of its table, which may tell what all scores are.
    titles: tuple[str, ...] = ()
    #: Units of the cells of tasks that have one: "s" for times.
    units: dict[Any, str] = field(default_factory=dict)
    #: Cells of each column that the file has in bold.
    bold: dict[Any, Sequence[str]] = field(default_factory=dict)
    #: Directions of tasks that a column of the file states.
    stated: dict[Any, Direction] = field(default_factory=dict)
    #: Metric of each column of scores whose name crosses one with a system.
    metrics: dict[Any, str] = field(default_factory=dict)
    #: Whether numbers have commas for points.
    has_decimal_commas: bool = False
    #: The text above the table, which may say that lower is better.
    note: str = ""

    def drop_tasks(self, names: Sequence[Any]) -> tuple[ScoresWithErrors, set[Any]]:
        """Drop tasks by name, also those in rows; return the names found here or set aside."""
        tasks: list[Any] = [*self.scores.columns]
        found = {
            task: [name for name in names if name in (task, column_key(task), *label_parts(task))]
            for task in tasks
        }
        dropped = [task for task in tasks if found[task]]
        kept = ~self.scores.columns.isin(dropped)
        read = [ReadColumn(task, "description", why="you") for task in dropped]
        scores, errors = self.scores.loc[:, kept], self.errors.loc[:, kept]
        aside = {column_key(item.column) for item in self.columns if item.role != "task"}
        every = {*chain(*found.values()), *(name for name in names if column_key(name) in aside)}
        return replace(self, scores=scores, errors=errors, columns=[*self.columns, *read]), every

    @property
    def compares(self) -> bool:
        """Whether there are several systems, most of them with a score on a common task."""
        systems = self.scores.index.get_level_values(0)
        on_task = self.scores.notna().groupby(systems).any().mean()
        return len(set(systems)) > 1 and bool((on_task > 0.5).any())

    @property
    def called(self) -> str:
        """The name of the file."""
        return self.titles[0]

    def drop_summary_rows(self) -> ScoresWithErrors:
        """Drop rows that are named an average or a total, because these are not systems."""
        systems = self.scores.index.get_level_values(0)
        averages = np.array([_is_summary_row(system) for system in systems], dtype=bool)
        averages &= ~self._is_out_of_place(systems, averages)
        if averages.any():  # a report of a classifier ends in its accuracy and averages
            averages |= [str(system).lower() == "accuracy" for system in systems]
        if not averages.any() or averages.all():
            return self
        warn_user(
            f"{self.called}: set aside, by its name no system: "
            f"{format_labels(systems[averages].unique())}; to rank it, give it another name"
        )
        return replace(self, scores=self.scores[~averages], errors=self.errors[~averages])

    def _is_out_of_place(self, systems: pd.Index, averages: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which rows named a maximum or a minimum have scores that others exceed."""
        doubted = np.zeros(len(systems), dtype=bool)
        rest = self.scores[~averages]
        for at in np.flatnonzero(averages).tolist():
            words = split_words(re.sub(r"\([^)]*\)", "", str(systems[at])))
            row = self.scores.iloc[at]
            if words and words[0] in ("max", "maximum"):
                doubted[at] = (row < rest.max()).any()
            elif words and words[0] in ("min", "minimum"):
                doubted[at] = (row > rest.min()).any()
        return doubted

    def warn_empty_rows(self) -> None:
        """Warn of rows without a score on any of several tasks, which may be headings or notes."""
        empty = self.scores.isna().all(axis=1).to_numpy(dtype=bool)
        if 0 < empty.sum() < len(empty) and self.scores.shape[1] > 1 == self.scores.index.nlevels:
            has, are = ("has", "is") if empty.sum() == 1 else ("have", "are")
            warn_user(
                f"{self.called}: {format_labels(self.scores.index[empty])} {has} no score at all, "
                f"and {are} ranked all the same; delete a row that is not a system"
            )

    def resolve_duplicates(self, duplicates: Duplicates) -> ScoresWithErrors:
        """Reduce the rows to one of each name."""
        keys = self.scores.index
        again = keys.duplicated()
        if not again.any():
            return self
        empty = self.scores.isna().all(axis=1).to_numpy(dtype=bool) & keys.duplicated(keep=False)
        if empty.any() and not keys[~empty].duplicated().any() and not empty.all():
            warn_user(
                f"{self.called}: set aside, named again without a single score: "
                f"{format_labels(keys[empty].unique())}"
            )
            return replace(self, scores=self.scores[~empty], errors=self.errors[~empty])
        if duplicates == "refuse":
            raise UnclearReading(
                f"{self.called}: duplicate {keys.names[-1]}s: "
                f"{format_labels(keys[again].unique())}",
                "rename them, or take one of each, duplicates='first' (or 'best', or 'mean')",
            )
        number, _ = pd.factorize(keys)
        by_name = self.scores.groupby(number)
        if duplicates == "mean":
            scores = by_name.mean()
            size, known = (
                item.notna().groupby(number).sum() for item in (self.scores, self.errors)
            )
            errors = ((self.errors**2).groupby(number).sum() ** 0.5 / size).where(known >= size)
        elif duplicates == "best":
            scores = by_name.max()
            best = self.scores == by_name.transform("max")
            errors = self.errors.where(best).groupby(number).first()
        else:
            scores, errors = self.scores[~again], self.errors[~again]
        scores, errors = (item.set_axis(keys[~again]) for item in (scores, errors))
        return replace(self, scores=scores, errors=errors)

    def described(self, scores: pd.DataFrame) -> pd.DataFrame:
        """Return the descriptions of the systems that have scores, in their order."""
        systems = scores.index.get_level_values(0).unique()
        frame = self.descriptions[~self.descriptions.index.duplicated()]
        return frame.reindex(systems)

    def frames(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return the scores and their errors in their final form."""
        rows = self.scores.index
        # Names get the types of the values read, and not of cells.
        levels = [rows.get_level_values(level).tolist() for level in range(rows.nlevels)]
        index: pd.Index = pd.Index(levels[0], name="system", tupleize_cols=False)
        if len(levels) > 1:
            index = pd.MultiIndex.from_arrays(levels, names=rows.names)
        scores, errors = (item.set_axis(index) for item in (self.scores, self.errors))
        scores.attrs, errors.attrs = {**self.attrs}, {**self.attrs}
        return scores, errors


def _is_summary_row(system: object) -> bool:
    """Return whether a row is named an average, a total, a weight or the like of the others.

    >>> [_is_summary_row(name) for name in ("Avg.", "TOTAL (5)", "Total Recall", "mean teacher")]
    [True, True, False, False]
    """
    results = split_words(re.sub(r"\([^)]*\)", "", str(system)))
    return (
        is_average_name(system)
        or "".join(results) in _SUMMARIES
        or (results[:1] in (["max"], ["maximum"], ["possible"]) and {*results[1:]} <= _OF_POINTS)
    )


def build_columns(names: Sequence[Any]) -> pd.Index:
    """Build the index of tasks, with groups if all have one."""
    levels = {len(name) if isinstance(name, tuple) else 1 for name in names}
    in_groups = len(levels) == 1 and levels != {1}
    columns: pd.Index = pd.Index(list(names), tupleize_cols=in_groups)
    return columns


def leave_out_unscored(board: Leaderboard, source_name: str) -> Leaderboard:
    """Leave out the systems without a score, and name them; all stay where none has any."""
    unscored = board.unscored
    if not 0 < len(unscored) < len(board.systems):
        return board
    warn_user(f"{source_name}: left out, without a single score: {format_labels(unscored)}")
    return cast("Leaderboard", board.drop_unscored())
