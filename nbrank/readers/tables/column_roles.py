"""What a table's columns are for, by what they are called: systems, tasks, runs, or no scores."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.readers.tables.cell_parsing import is_text_number
from nbrank.votes.table.data_warnings import find_summary_column, row_means_and_sums
from nbrank.votes.table.name_heuristics import ERRORS, make_word_set, split_words

#: How names of standard errors end that are hardly names of tasks.
_ERROR = r"\b(stderr|stddev|stdev|std|ci|(std|standard) (err|error|dev|deviation))$"
#: What else is said of a task in a column beside it.
_FIGURES = make_word_set("rank place lower upper lb ub bound ci n count")


def find_error_task(name: object, tasks: Sequence[object]) -> object | None:
    """The task whose standard errors a column holds, by its name; None if it is no such column.

    >>> (
    ...     find_error_task("acc_stderr", ["acc", "f1"]),
    ...     find_error_task("stderr", ["acc"]),
    ...     find_error_task("f1", ["acc"]),
    ... )
    ('acc', 'acc', None)
    """
    results = [*split_words(name), *(["se"] if "±" in str(name) else [])]
    if not results or results[-1] not in ERRORS or (len(results) > 1 and results[-1] == "error"):
        return None
    rest = results[:-1]
    level = bool(rest) and rest[-1].isdigit()  # F1 95 % CI
    for wanted in (rest, rest[: len(rest) - level]):
        near = [task for task in tasks if wanted and split_words(task) == wanted]
        if near:
            return near[0]
    return tasks[0] if not wanted and len(tasks) == 1 else None


def is_error(name: object) -> bool:
    """Whether a column holds standard errors by its name alone, of whatever task.

    >>> [is_error(name) for name in ("arc_stderr", "arc (SE)", "arc_se", "word error")]
    [True, True, False, False]
    """
    marked = re.search(r"±|\((se|sd|sem)\)$", str(name), re.IGNORECASE)
    return marked is not None or re.search(_ERROR, " ".join(split_words(name))) is not None


def find_figure_task(name: object, tasks: Sequence[object]) -> object | None:
    """The task of which a column holds the rank, the number of instances or an interval's end.

    >>> find_figure_task("mmlu_rank", ["mmlu"]), find_figure_task("mmlu CI low", ["mmlu"])
    ('mmlu', 'mmlu')
    """
    results = split_words(name)
    figures = _FIGURES | {"low", "high"} if "ci" in results else _FIGURES
    rest = [word for word in results if word not in figures]
    near = [task for task in tasks if rest and rest != results and split_words(task) == rest]
    return near[0] if near else None


def find_summary_role(table: NDArray[np.float64]) -> tuple[int, str] | None:
    """The first column that is the mean, the sum or the mean win rate of the others, if any is."""
    beaten = (pd.DataFrame(table).rank() - 1) / np.maximum((~np.isnan(table)).sum(axis=0) - 1, 1)
    kinds = row_means_and_sums(table)
    kinds["the mean win rate"] = row_means_and_sums(beaten.to_numpy())["the mean"]
    for what, others in kinds.items():
        number = find_summary_column(table, others, tolerance=0.01 if "win" in what else 0.0)
        if number is not None:
            return number, what
    return None


def find_missing_marker(column: NDArray[np.float64]) -> int | None:
    """What stands for "not measured", such as -99: the only score below 0; -1 if others exceed 1.

    >>> [find_missing_marker(np.array([0.3, mark])) for mark in (-99.0, -1.0)]
    [-99, None]
    """
    below = np.unique(column[column < 0])
    marks = len(below) == 1 and below[0] in (-1, -99, -999, -9999)
    return int(below[0]) if marks and np.nanmax(column) > (1 if below[0] == -1 else 0) else None


def find_column(names: Sequence[object], wanted: object) -> int | None:
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


def is_text(column: pd.Series) -> bool:
    """Whether a column names things: texts of which none is a number."""
    cells = column.dropna().unique()
    return len(cells) > 0 and not any(map(is_text_number, cells))
