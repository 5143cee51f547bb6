"""Scores that were read, with rows of one name brought together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd

from nbrank.votes.formatting import Label, format_labels
from nbrank.votes.table.name_heuristics import is_average_name, make_word_set, split_words
from nbrank.votes.user_warnings import warn_user

Duplicates = Literal["refuse", "first", "best", "mean"]
_SUMMARIES = make_word_set(
    "total sum std sd stdev stddev standarddeviation meansd meanstd variance min max minimum "
    "maximum count weight weights"
)


@dataclass(frozen=True)
class ScoresWithErrors:
    """Scores and their errors under names of rows, which may be there twice."""

    scores: pd.DataFrame
    errors: pd.DataFrame
    #: What columns were set aside, and what all scores are called where one column holds them.
    attrs: dict[Label, Any]

    def drop_summary_rows(self, called: str) -> ScoresWithErrors:
        """The same without rows that are called an average or a total, which is no system."""
        systems = self.scores.index.get_level_values(0)
        averages = np.array([_is_summary_row(system) for system in systems], dtype=bool)
        if not averages.any() or averages.all():
            return self
        warn_user(
            f"{called}: set aside, by its name no system: "
            f"{format_labels(systems[averages].unique())}; "
            f"to rank it, give it another name"
        )
        return replace(self, scores=self.scores[~averages], errors=self.errors[~averages])

    def warn_empty_rows(self, called: str) -> None:
        """Warn of systems without a score on any of several tasks: headings and notes are none."""
        empty = self.scores.isna().all(axis=1).to_numpy(dtype=bool)
        if 0 < empty.sum() < len(empty) and self.scores.shape[1] > 1 == self.scores.index.nlevels:
            has, are = ("has", "is") if empty.sum() == 1 else ("have", "are")
            warn_user(
                f"{called}: {format_labels(self.scores.index[empty])} {has} no score at all, and "
                f"{are} "
                f"ranked all the same; delete the row of what is no system"
            )

    def resolve_duplicates(self, duplicates: Duplicates, called: str) -> ScoresWithErrors:
        """The same with one row of each name."""
        keys = self.scores.index
        again = keys.duplicated()
        if not again.any():
            return self
        if duplicates == "refuse":
            raise ValueError(
                f"{called}: duplicate {keys.names[-1]}s: {format_labels(keys[again].unique())}; "
                "rename "
                f"them, name what tells the rows apart (instance='...', or systems=['...', '...'], "
                f"or task='...' where each row is a score; a column of runs is to be called 'seed' "
                f"or 'run'), or take one of each, "
                f"duplicates='first' (or 'best', or 'mean')"
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

    def frames(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """The scores and their errors, as they are given back."""
        rows = self.scores.index
        # The names have the types of what was read, and not of cells.
        levels = [rows.get_level_values(level).tolist() for level in range(rows.nlevels)]
        index: pd.Index = pd.Index(levels[0], name="system", tupleize_cols=False)
        if len(levels) > 1:
            index = pd.MultiIndex.from_arrays(levels, names=rows.names)
        scores, errors = (item.set_axis(index) for item in (self.scores, self.errors))
        scores.attrs, errors.attrs = {**self.attrs}, {**self.attrs}
        return scores, errors


def _is_summary_row(system: object) -> bool:
    """Whether a row is called an average, a total, a weight or the like of the others.

    >>> [_is_summary_row(name) for name in ("Avg.", "TOTAL (5)", "Total Recall", "mean teacher")]
    [True, True, False, False]
    """
    results = split_words(re.sub(r"\([^)]*\)", "", str(system)))
    return is_average_name(system) or "".join(results) in _SUMMARIES


def build_columns(names: Sequence[Any]) -> pd.Index:
    """Tasks, in their groups where all have one."""
    in_groups = all(isinstance(name, tuple) and len(name) == 2 for name in names)
    columns: pd.Index = pd.Index(list(names), tupleize_cols=in_groups)
    return columns
