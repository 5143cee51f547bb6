"""What all long tables share: the columns, what is wrong with them, and names by their number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Generic, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays.counting import BallotCounts
from nbrank.votes.comparisons import check_one_column_each
from nbrank.votes.naming import Label, named
from nbrank.votes.score_table import numbers, warn_of_nothing_shared
from nbrank.votes.tally import Tally

Name = TypeVar("Name", bound=Label)
#: Files and folders.
Paths = str | PathLike[str] | Sequence[str | PathLike[str]]


@dataclass(frozen=True)
class Columns(Generic[Name]):
    """The columns of a long table, and for messages, in which part of it they are."""

    system: Name
    task: Name
    score: Name
    instance: Name | None = None
    where: str = ""

    def within(self, where: str) -> Columns[Name]:
        """The same columns of a part of the table."""
        return replace(self, where=where)

    @property
    def cell(self) -> list[Name]:
        """The columns that name a score."""
        return [self.system, self.task, *([] if self.instance is None else [self.instance])]

    @property
    def every(self) -> list[Name]:
        """All of them."""
        return [*self.cell, self.score]

    def check(self, columns: Iterable[Label]) -> None:
        """Refuse a table that lacks one column for each."""
        columns = list(columns)
        absent = [name for name in self.every if name not in columns]
        if absent:
            raise KeyError(
                f"no column {named(absent)}{self.where}; the columns are {named(columns)}"
            )
        check_one_column_each(self.every, columns, self.where)

    def floats(self, frame: pd.DataFrame) -> NDArray[np.floating]:
        """The scores, refused where they are no numbers or would become one with others."""
        return numbers(frame[[self.score]], self.where)[:, 0]

    def check_names(self, frame: pd.DataFrame) -> None:
        """Refuse rows without a name."""
        unnamed = [name for name in self.cell if frame[name].isna().any()]
        if unnamed:
            raise self.nameless(unnamed)

    def no_numbers(self) -> TypeError:
        """The error of scores that are no numbers."""
        return TypeError(
            f"scores must be numbers, but {self.score!r} holds something else{self.where}; "
            f"convert them"
        )

    def nameless(self, columns: Iterable[Label]) -> ValueError:
        """The error of rows without a name in these columns."""
        return ValueError(
            f"rows without a name (NaN) in {named(columns)}{self.where}; name every one"
        )

    def scored_twice(self, cells: Iterable[tuple[Label, ...]]) -> ValueError:
        """The error of cells that have several rows."""
        # System and task alone may be those of many instances.
        otherwise = ", or name the column of the instances (instance=)"
        return ValueError(
            f"more than one score for {named(cells)} ({', '.join(map(str, self.cell))})"
            f"{self.where}; keep one of each{otherwise if self.instance is None else ''}"
        )

    def no_instances(self, kind: str) -> TypeError:
        """The error of instances named by what they can't be brought together by."""
        return TypeError(
            f"{self.instance!r} holds {kind}{self.where}; name the instances by integers or text"
        )

    def several_kinds(self, *kinds: str) -> TypeError:
        """The error of instances named in two ways, each said with where it is."""
        return TypeError(
            f"{self.instance!r} holds {' and '.join(kinds)}; name the instances in one way"
        )


def empty() -> ValueError:
    """The error of a long table without rows."""
    return ValueError("the long table is empty; give one row for each score")


@dataclass(frozen=True)
class LongTable(Generic[Name]):
    """A long table that is read in parts, its systems and tasks found and numbered."""

    columns: Columns[Name]
    systems: dict[Label, int]
    tasks: dict[Label, int]
    rows_of_task: NDArray[np.int64]

    def tally(self, counts: Mapping[int, BallotCounts]) -> Tally:
        """The counts of each task under its name; a warning where no two systems share any."""
        zero = BallotCounts.zero(len(self.systems))
        of_tasks = tuple(counts.get(task, zero) for task in self.tasks.values())
        alone = np.sum([one.places.n_ballots[1] for one in of_tasks])
        scored = np.any([one.places.scored for one in of_tasks], axis=0)
        if np.count_nonzero(scored) > 1 and alone == self.rows_of_task.sum():
            warn_of_nothing_shared()
        systems, tasks = (
            pd.Index(list(labels), tupleize_cols=False) for labels in (self.systems, self.tasks)
        )
        return Tally(systems, tasks, of_tasks)

    def scored_twice(self, system: int, task: int, instance: Label, where: str = "") -> ValueError:
        """The error of a cell that has two rows."""
        cell = (list(self.systems)[system], list(self.tasks)[task], instance)
        return self.columns.within(where).scored_twice([cell])
