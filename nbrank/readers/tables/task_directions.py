"""Orientation of each task: as given, stated, by name, else higher is better; and its doubts.

The order is fixed: the user's choice; the file's statement; the name of the score, which decides
for all its tasks; the name of a task, only if the score has none. Values only raise doubts.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbrank.arrays.typing import Floats
from nbrank.readers.tables.roles import Advice, roles_call
from nbrank.votes.table.direction_names import (
    HIGHER_METRICS,
    DirectionHint,
    direction_hint,
    is_metric_name,
    stated_direction,
    without_statement,
)
from nbrank.votes.table.name_heuristics import is_named_like, make_word_set, split_words
from nbrank.votes.table.reading import Direction, column_key

#: Names of a column of scores that do not describe them.
_NAMELESS = frozenset({"score", "value", "result"})
#: Words of a title that speaks of some tasks.
_SOME = HIGHER_METRICS | make_word_set("for on in except but")


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
