"""Columns shared by all readers of long tables: their checks and error messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Generic, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.readers.tables.column import level_name
from nbrank.votes.comparisons import check_distinct_columns
from nbrank.votes.formatting import Label, format_labels
from nbrank.votes.table.name_heuristics import CLUSTERS, INSTANCES, REPLICATES, RUNS, is_named_like
from nbrank.votes.table.row_levels import REPLICATE_LEVELS
from nbrank.votes.table.score_frame import scores_to_floats
from nbrank.votes.user_warnings import warn_user

Name = TypeVar("Name", bound=Label)
#: Files and folders.
Paths = str | PathLike[str] | Sequence[str | PathLike[str]]


@dataclass(frozen=True)
class LongColumns(Generic[Name]):
    """Columns of a long table, and for messages the part of the table in which they are."""

    system: Name
    task: Name
    score: Name
    instance: Name | None = None
    location: str = ""
    run: Name | None = None
    cluster: Name | None = None

    def with_location(self, where: str) -> LongColumns[Name]:
        """Return the same columns, located in a part of the table."""
        return replace(self, location=where)

    @property
    def cell(self) -> list[Name]:
        """The columns that name a score."""
        inner = (self.cluster, self.instance, self.run)
        return [self.system, self.task, *(name for name in inner if name is not None)]

    @property
    def levels(self) -> dict[Name, str]:
        """The columns that make the levels of the rows, and what these are called."""
        if self.cluster is not None and self.instance is None:
            raise ValueError(
                f"cluster={self.cluster!r} holds instances; name their column, too, instance='...'"
            )
        levels = {self.system: "system"}
        if self.cluster is not None:
            levels[self.cluster] = level_name(self.cluster, CLUSTERS, "cluster")
        if self.instance is not None:
            levels[self.instance] = "instance"
        if self.run is not None:
            levels[self.run] = level_name(
                self.run, REPLICATE_LEVELS if self.instance is None else RUNS, "run"
            )
        return levels

    def warn_of_runs(self, caller: str, *, counts: bool = True) -> None:
        """Warn of runs that are given as instances, because each then counts on its own."""
        if self.instance is None or not is_named_like(self.instance, REPLICATES):
            return
        call = f"say run={self.instance!r} instead"
        if counts:
            call = f"do so first, or give a frame to from_long(frame, ..., run={self.instance!r})"
        warn_user(
            f"{caller}: instance={self.instance!r} makes each {self.instance!r} an instance of its "
            f"own, independent of all others, though its name is one of runs of the systems; to "
            f"average the runs, {call}"
        )

    def telling_apart(self, frame: pd.DataFrame) -> tuple[str, Label] | None:
        """Return the option and the column that distinguish duplicate scores, if any."""
        options = {"run": REPLICATES, "instance": INSTANCES | CLUSTERS}
        if self.instance is not None:
            options = {"run": RUNS | CLUSTERS}
        for option, kinds in options.items():
            for name in frame.columns:
                if name in self.all_names or getattr(self, option) is not None:
                    continue
                if is_named_like(name, kinds) and not frame.duplicated([*self.cell, name]).any():
                    return option, name
        return None

    @property
    def all_names(self) -> list[Name]:
        """Names of all columns."""
        return [*self.cell, self.score]

    def check(self, columns: Iterable[Label]) -> None:
        """Fail unless the table has exactly one column of each name."""
        columns = list(columns)
        absent = [name for name in self.all_names if name not in columns]
        if absent:
            raise KeyError(
                f"no column {format_labels(absent)}{self.location}; the columns are "
                f"{format_labels(columns)}"
            )
        check_distinct_columns(self.all_names, columns, self.location)

    def floats(self, frame: pd.DataFrame) -> NDArray[np.floating]:
        """Convert the scores to floats; fail if they are not numbers or two would become equal."""
        return scores_to_floats(frame[[self.score]], self.location)[:, 0]

    def check_names(self, frame: pd.DataFrame) -> None:
        """Fail if a row has no name."""
        unnamed = [name for name in self.cell if frame[name].isna().any()]
        if unnamed:
            raise self.missing_name_error(unnamed)

    def missing_name_error(self, columns: Iterable[Label]) -> ValueError:
        """Make the error for rows without a name in these columns."""
        return ValueError(
            f"rows without a name (NaN) in {format_labels(columns)}{self.location}; name every one"
        )

    def duplicate_score_error(
        self, cells: Iterable[tuple[Label, ...]], distinguishing: tuple[str, Label] | None = None
    ) -> ValueError:
        """Make the error for cells with several rows, which another column may distinguish."""
        # Many instances, or many runs, may share a system and a task.
        otherwise = ""
        if distinguishing is not None:
            otherwise = (
                f", or name what tells them apart, {distinguishing[0]}={distinguishing[1]!r}"
            )
        elif self.instance is None and self.run is None:
            otherwise = (
                ", or name the column of the runs (run=), such as seeds, or of the instances "
                "(instance=)"
            )
        elif self.run is None:
            otherwise = ", or name the column of the runs (run=), such as seeds, which are averaged"
        return ValueError(
            f"more than one score for {format_labels(cells)} ({', '.join(map(str, self.cell))})"
            f"{self.location}; keep one of each{otherwise}"
        )


def empty_table_error() -> ValueError:
    """Make the error for a long table without rows."""
    return ValueError("the long table is empty; give one row for each score")
