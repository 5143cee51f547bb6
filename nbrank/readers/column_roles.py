"""What a table's columns are for, by what they are called: systems, tasks, runs, or no scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.readers.cell_texts import is_text_number
from nbrank.votes.column_names import ERRORS, REPLICATES, stands_for, words
from nbrank.votes.naming import Label


def error_of(name: object, tasks: Sequence[object]) -> object | None:
    """The task whose standard errors a column holds, by its name; None if it is no such column.

    >>> error_of("acc_stderr", ["acc", "f1"]), error_of("stderr", ["acc"]), error_of("f1", ["acc"])
    ('acc', 'acc', None)
    """
    found = words(name)
    if not found or found[-1] not in ERRORS or (len(found) > 1 and found[-1] == "error"):
        return None
    rest = [word for word in found[:-1] if not word.isdigit()]
    near = [task for task in tasks if words(task) == rest]
    return near[0] if near else (tasks[0] if not rest and len(tasks) == 1 else None)


def summary_of_others(table: NDArray[np.float64]) -> tuple[int, str] | None:
    """The first column that is the mean, the sum or the mean win rate of the others, if any is.

    >>> summary_of_others(np.array([[11.0, 12.0, 11.5], [23.0, 25.0, 24.0], [32.0, 38.0, 35.0]]))
    (2, 'the mean')
    """
    there = ~np.isnan(table)
    places = pd.DataFrame(table).rank().to_numpy()
    beaten = (places - 1) / np.maximum(there.sum(axis=0) - 1, 1)
    n_others = there.sum(axis=1, keepdims=True) - there
    sums = np.nansum(table, axis=1, keepdims=True) - np.where(there, table, 0.0)
    wins = np.nansum(beaten, axis=1, keepdims=True) - np.where(there, beaten, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        kinds = {
            "the mean": sums / n_others,
            "the sum": np.where(n_others > 0, sums, np.nan),
            "the mean win rate": wins / n_others,
        }
    for number in range(table.shape[1]):
        compared = there[:, number] & (n_others[:, number] > 0)
        column = table[compared, number]
        if len(column) < 3 or table.shape[1] < 3:
            continue
        decimals = max(len(repr(value).partition(".")[2]) for value in column[:100].tolist())
        # A published figure may have been cut off, and one of twenty be of another version.
        step = max(1.01 * 10.0 ** -min(decimals, 12), 1e-9 * np.abs(column).max())
        for what, expected in kinds.items():
            near = max(step, 0.01) if "win" in what else step
            agree = np.abs(column - expected[compared, number]) <= near
            if step <= 0.05 * column.std() and agree.mean() >= 0.95:
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
