"""Orientation of each task: as given, stated, by name, else higher is better; and its doubts.

The order is fixed: the user's choice; the file's statement; the name of the score, which decides
for all its tasks; the name of a task, only if the score has none. Values only raise doubts.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays.typing import Floats
from nbrank.readers.tables.roles import Advice, roles_call
from nbrank.votes.table.direction_names import (
    HIGHER_METRICS,
    Direction,
    DirectionHint,
    direction_hint,
    is_metric_name,
    stated_direction,
    without_statement,
)
from nbrank.votes.table.name_heuristics import is_named_like, make_word_set, split_words
from nbrank.votes.table.name_hints import is_benchmark_name
from nbrank.votes.table.reading import column_key

#: Names of a column of scores that do not describe them.
_NAMELESS = frozenset({"score", "value", "result"})
#: Minimum numbers of systems, and of other tasks, for doubts raised by values.
_MIN_SYSTEMS, _MIN_OTHERS = 8, 4
#: Words of whole numbers that are scores, and of others that count what was judged.
_RATED = HIGHER_METRICS | make_word_set("elo arena rating score points index")
_COUNTED = make_word_set(
    "gp matches games questions images appearances attempts played views scenes "
    "hypotheses keypoints"
)
_NUMBER_OF = make_word_set("n num number of total")
#: Words of a title that speaks of some tasks.
_SOME = HIGHER_METRICS | make_word_set("for on in except but")
#: Maximum rank correlation with the other tasks that raises a doubt.
_REVERSED = -0.8


@dataclass(frozen=True)
class TaskDirection:
    """Orientation of a task, the reason, and the doubt about it."""

    direction: Direction
    why: str = ""
    doubt: str = ""


def decide_directions(
    tasks: Sequence[Any],
    said: Mapping[Any, Direction],
    score: Any = None,
    *,
    title: str = "",
    are_metrics: bool = False,
) -> dict[Any, TaskDirection]:
    """Decide on each task by roles, statements or names; `score` is its column's name.

    The title of the table may state the orientation of tasks whose names do not.

    If the tasks are metrics on data sets, (data set, metric), the metric alone decides.
    """
    has_name = score is not None and not is_named_like(score, _NAMELESS)
    by_score = direction_hint(score) if score is not None else None
    results = {}
    for task in tasks:
        stated = _said_of(task, said)
        own = direction_hint(task[-1] if are_metrics and isinstance(task, tuple) else task)
        if stated is None and score is not None:
            stated = said.get(score)
        in_title = None if own is not None and own.sure else _direction_of_title(title, task)
        if stated is not None:
            results[task] = TaskDirection(stated, "you")
        elif own is not None and own.why == "the file says so":
            results[task] = _as_direction(task, own)
        elif in_title is not None:
            results[task] = TaskDirection(in_title, "the file says so")
        elif by_score is not None and (has_name or by_score.sure):
            results[task] = _as_direction(score, by_score)
        elif has_name or own is None:
            results[task] = TaskDirection("higher")
        else:
            results[task] = _as_direction(task, own)
    return results


def _direction_of_title(title: str, task: Any) -> Direction | None:
    """Return the direction that a title states of all its tasks, unless it speaks of some."""
    name = task[-1] if isinstance(task, tuple) else task
    words = {*split_words(without_statement(title))}
    return None if is_known_metric(name) or words & _SOME else stated_direction(title)


def is_known_metric(name: Any) -> bool:
    """Return whether a task is called a metric, or has the word of one where more is better."""
    return is_metric_name(name) or bool(HIGHER_METRICS & {*split_words(name)})


def _said_of(task: Any, said: Mapping[Any, Direction]) -> Direction | None:
    """Return the given direction of a task, by its name, its bare name, or as a text."""
    bare = task[-1] if isinstance(task, tuple) else task
    for name in (task, column_key(task), bare, str(bare)):
        if name in said:
            return said[name]
    return None


def _as_direction(name: Any, hint: DirectionHint) -> TaskDirection:
    if hint.sure:
        why = hint.why if hint.why != "its name" else f"its name, {column_key(name)!r}"
        return TaskDirection(hint.direction, why)
    call = roles_call({name: hint.direction})
    return TaskDirection("higher", "", Advice(hint.why, f": {call}"))


def doubt_by_values(
    directions: Mapping[Any, TaskDirection], table: Floats
) -> dict[Any, TaskDirection]:
    """Doubt the tasks whose order of systems is nearly the reverse of that of all others."""
    tasks = list(directions)
    if len(table) < _MIN_SYSTEMS or len(tasks) <= _MIN_OTHERS:
        return dict(directions)
    signs = [-1.0 if directions[task].direction == "lower" else 1.0 for task in tasks]
    alike = pd.DataFrame(table * np.array(signs)).corr("spearman", min_periods=_MIN_SYSTEMS)
    results = dict(directions)
    for at, task in enumerate(tasks):
        seen = alike[at].drop(at).dropna()
        if len(seen) < _MIN_OTHERS or directions[task].why == "you":
            continue
        if np.median(seen) <= _REVERSED and (seen < 0).mean() >= 0.9:
            other: Direction = "higher" if directions[task].direction == "lower" else "lower"
            fact, call = "its order is nearly the reverse of the others'", roles_call({task: other})
            doubt = Advice(fact, f": {call}")
            results[task] = TaskDirection(directions[task].direction, directions[task].why, doubt)
    return results


def doubt_counts(
    directions: Mapping[Any, TaskDirection], table: Floats
) -> dict[Any, TaskDirection]:
    """Doubt tasks of whole numbers that are called counts, are large, or stand among fractions."""
    results = dict(directions)
    filled = np.where(np.isnan(table), 0.0, table)
    sizes, whole = np.abs(filled).max(axis=0), np.asarray((filled % 1 == 0).all(axis=0))
    for at, (task, item) in enumerate(directions.items()):
        words = {*split_words(task)}
        same = np.ptp(filled[:, at], axis=0) == 0
        few = 2 * np.isnan(table[:, at]).sum() > len(table)
        if not whole[at] or same or few or words & _RATED or "/" in str(task):
            continue
        large = len(table) > 2 and sizes[at] >= 1000 and (sizes <= 100).mean() >= 0.5
        alone = whole.sum() == 1 and len(whole) > 3 and sizes[at] > 100
        among_shares = ((sizes <= 1) & ~whole).sum() > 2 and sizes[at] > 1
        alone |= among_shares and not is_benchmark_name(task)
        counts = words & _COUNTED and words <= _COUNTED | _NUMBER_OF
        if (large or alone or counts) and item.why == "" and not item.doubt:
            call = roles_call({task: "description"})
            doubt = Advice("its whole numbers may count something", f": {call}")
            results[task] = replace(item, doubt=doubt)
    return results


def find_rows_in_shares(table: Floats) -> NDArray[np.intp]:
    """Find the rows with shares (0.62) if all others have per cents (83.8).

    >>> find_rows_in_shares(np.array([[83.8, 49.2], [71.0, 52.1], [0.84, 0.49]]))
    array([2])
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a row or column may lack scores
        highest = np.nanmax(table, axis=1)
        usual = np.nanmedian(table, axis=0)
    shares = (highest <= 1) & (np.nanmin(table, axis=1, initial=np.inf) >= 0)
    per_cents = bool((usual > 10).mean() > 0.5) and table.shape[1] > 1
    few = shares.sum() <= 0.2 * len(table) or shares.sum() == 1
    return np.flatnonzero(shares if per_cents and few else np.zeros(len(table), dtype=bool))
