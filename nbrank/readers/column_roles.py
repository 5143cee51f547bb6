"""What a table's columns are for, by what they are called: systems, tasks, runs, or no scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.readers.cell_texts import is_text_number
from nbrank.votes.column_names import ERRORS, REPLICATES, stands_for, words
from nbrank.votes.doubts import column_like, means_and_sums
from nbrank.votes.naming import Label


def error_of(name: object, tasks: Sequence[object]) -> object | None:
    """The task whose standard errors a column holds, by its name; None if it is no such column.

    >>> error_of("acc_stderr", ["acc", "f1"]), error_of("stderr", ["acc"]), error_of("f1", ["acc"])
    ('acc', 'acc', None)
    """
    found = words(name)
    if not found or found[-1] not in ERRORS or (len(found) > 1 and found[-1] == "error"):
        return None
    rest = found[:-1]
    level = bool(rest) and rest[-1].isdigit()  # F1 95 % CI
    for wanted in (rest, rest[: len(rest) - level]):
        near = [task for task in tasks if wanted and words(task) == wanted]
        if near:
            return near[0]
    return tasks[0] if not wanted and len(tasks) == 1 else None


def summary_of_others(table: NDArray[np.float64]) -> tuple[int, str] | None:
    """The first column that is the mean, the sum or the mean win rate of the others, if any is."""
    beaten = (pd.DataFrame(table).rank() - 1) / np.maximum((~np.isnan(table)).sum(axis=0) - 1, 1)
    kinds = means_and_sums(table)
    kinds["the mean win rate"] = means_and_sums(beaten.to_numpy())["the mean"]
    for what, others in kinds.items():
        number = column_like(table, others, near=0.01 if "win" in what else 0.0)
        if number is not None:
            return number, what
    return None


def has_marks_of_missing(column: NDArray[np.float64]) -> bool:
    """Whether -1 stands for "not measured": the only score below 0, others above 1.

    >>> has_marks_of_missing(np.array([524.9, -1.0])), has_marks_of_missing(np.array([0.3, -1.0]))
    (True, False)
    """
    below = column[column < 0]
    return len(below) > 0 and bool((below == -1).all()) and bool(np.nanmax(column) > 1)


def find(names: Sequence[object], wanted: object) -> int | None:
    """Where a column stands, by its name, by its bare name without a group, or as a text."""
    for same in (
        lambda name: name == wanted,
        lambda name: isinstance(name, tuple) and name[-1] == wanted,
        lambda name: str(name) == str(wanted),
    ):
        places = [place for place, name in enumerate(names) if same(name)]
        if len(places) == 1:
            return places[0]
    return None


def level_of(name: object, instance: Label | None = None) -> str:
    """What a level of the rows is called, whatever the column is."""
    return "seed" if instance is None and stands_for(name, REPLICATES) else "instance"


def is_text(column: pd.Series) -> bool:
    """Whether a column names things: texts of which none is a number."""
    cells = column.dropna().unique()
    return len(cells) > 0 and not any(map(is_text_number, cells))
