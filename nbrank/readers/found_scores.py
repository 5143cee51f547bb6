"""Scores that were read, with rows of one name brought together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import pandas as pd

from nbrank.votes.caller import warn_caller
from nbrank.votes.column_names import is_average, word_set, words
from nbrank.votes.naming import named

Duplicates = Literal["refuse", "first", "best", "mean"]
_SUMMARIES = word_set(
    "total sum std sd stdev stddev standarddeviation meansd meanstd variance min max minimum "
    "maximum count weight weights"
)


@dataclass(frozen=True)
class FoundScores:
    """Scores and their errors with the names of rows and columns, which may be there twice."""

    rows: list[pd.Series]
    levels: list[str]
    scores: pd.DataFrame
    errors: pd.DataFrame
    metadata: list[str] = field(default_factory=list)
    #: What all the scores are called, where one column holds them.
    score: str | None = None

    def without_summaries(self, called: str) -> FoundScores:
        """The same without rows that are called an average or a total, which is no system."""
        averages = self.rows[0].map(_sums_up).to_numpy(dtype=bool)
        if not averages.any() or averages.all():
            return self
        warn_caller(
            f"{called}: set aside, by its name no system: "
            f"{named(self.rows[0][averages].unique())}; to rank it, give it another name"
        )
        rows = [one[~averages].reset_index(drop=True) for one in self.rows]
        scores, errors = (
            one[~averages].reset_index(drop=True) for one in (self.scores, self.errors)
        )
        return replace(self, rows=rows, scores=scores, errors=errors)

    def warn_of_empty_rows(self, called: str) -> None:
        """Warn of systems without a score on any of several tasks: headings and notes are none."""
        empty = self.scores.isna().all(axis=1).to_numpy(dtype=bool)
        if 0 < empty.sum() < len(empty) and self.scores.shape[1] > 1 == len(self.rows):
            has, are = ("has", "is") if empty.sum() == 1 else ("have", "are")
            warn_caller(
                f"{called}: {named(self.rows[0][empty])} {has} no score at all, and {are} "
                f"ranked all the same; delete the row of what is no system"
            )

    def unique(self, duplicates: Duplicates, called: str) -> FoundScores:
        """The same with one row of each name."""
        keys = pd.MultiIndex.from_arrays(self.rows)
        again = keys.duplicated()
        if not again.any():
            return self
        if duplicates == "refuse":
            twice = [key if len(key) > 1 else key[0] for key in keys[again].unique()]
            raise ValueError(
                f"{called}: duplicate {self.levels[-1]}s: {named(twice)}; rename them, name what "
                f"tells the rows apart (instance='...', or systems=['...', '...'], or task='...' "
                f"where each row is a score), or take one of each, duplicates='first' (or 'best', "
                f"or 'mean')"
            )
        number, _ = pd.factorize(keys)
        first = pd.Series(number).drop_duplicates().index
        by_name = self.scores.groupby(number)
        if duplicates == "mean":
            scores = by_name.mean()
            size, known = (one.notna().groupby(number).sum() for one in (self.scores, self.errors))
            errors = ((self.errors**2).groupby(number).sum() ** 0.5 / size).where(known >= size)
        elif duplicates == "best":
            scores = by_name.max()
            best = self.scores == by_name.transform("max")
            errors = self.errors.where(best).groupby(number).first()
        else:
            scores, errors = self.scores.iloc[first], self.errors.iloc[first]
        rows = [one.iloc[first] for one in self.rows]
        return replace(self, rows=rows, scores=scores, errors=errors)

    def frames(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """The scores and their errors, as they are given back."""
        index: pd.Index = pd.Index(self.rows[0].tolist(), name="system", tupleize_cols=False)
        if len(self.rows) > 1:
            index = pd.MultiIndex.from_arrays([one.tolist() for one in self.rows])
            index.names = self.levels
        for frame in (self.scores, self.errors):
            frame.index = index
            frame.attrs = {"metadata": self.metadata}
            if self.score is not None:
                frame.attrs["score"] = self.score
        return self.scores, self.errors


def _sums_up(system: object) -> bool:
    """Whether a row is called an average, a total, a weight or the like of the others.

    >>> [_sums_up(name) for name in ("Avg.", "TOTAL (5)", "Total Recall", "mean teacher")]
    [True, True, False, False]
    """
    found = words(re.sub(r"\([^)]*\)", "", str(system)))
    return is_average(system) or "".join(found) in _SUMMARIES


def columns_of(names: Sequence[Any]) -> pd.Index:
    """Tasks, in their groups where all have one."""
    if names and all(isinstance(name, tuple) and len(name) == 2 for name in names):
        groups: pd.Index = pd.MultiIndex.from_tuples(names)
        return groups
    plain: pd.Index = pd.Index(list(names), tupleize_cols=False)
    return plain
