"""Ranks and places among scores: which columns hold them, and what to say where none is named."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd

from nbrank.arrays.typing import Floats
from nbrank.readers.tables.column import Column
from nbrank.readers.tables.column_evidence import Evidence
from nbrank.readers.tables.roles import roles_call
from nbrank.readers.tables.task_directions import TaskDirection
from nbrank.votes.formatting import format_labels
from nbrank.votes.table.name_heuristics import make_word_set, split_words
from nbrank.votes.table.place_detection import cells_look_like_places
from nbrank.votes.user_warnings import warn_user
from nbrank.votes.warning_categories import PlacesWarning

_PLACES = make_word_set("rank ranks ranking rankings place places position positions pos placing")
_POINTS = make_word_set("points pts total")
#: Why a column of points is set aside beside places.
POINTS_OF_PLACES = "points for the places of the others"
_METHODS: tuple[Literal["min", "max", "dense", "average"], ...] = ("min", "max", "dense", "average")


def holds_ranks(name: Any, values: Floats) -> bool:
    """Return whether a column is called a rank or place, and its numbers are some of 1 to n.

    >>> holds_ranks("rank_x", np.array([2.0, 1, 3])), holds_ranks("rank_x", np.array([9.0, 1, 3]))
    (True, False)
    >>> holds_ranks("score_x", np.array([2.0, 1, 3]))
    False
    """
    known = values[~np.isnan(values)]
    text = str(name[-1] if isinstance(name, tuple) else name)
    # RankQA is a task.
    if not _PLACES & {*re.split(r"[\W_\d]+", text.lower())} or len(known) < 2:
        return False
    whole = not (known % 1).any() and known.min() >= 1 and known.max() <= len(values)
    return are_places(known) or bool(whole and len(np.unique(known)) >= 0.5 * len(known))


def are_places(numbers: Floats) -> bool:
    """Return whether numbers are the places of their own order, however ties are placed."""
    series = pd.Series(numbers)
    return len(series) > 1 and any(series.rank(method=way).eq(series).all() for way in _METHODS)


def find_ranks_beside_scores(columns: Sequence[Column]) -> dict[Any, Evidence]:
    """Find the columns of ranks among columns of scores."""
    ranks = [column.name for column in columns if holds_ranks(column.name, column.values)]
    if len(ranks) == len(columns):
        return {}
    return {name: Evidence("description", "places") for name in ranks}


def find_ranks_alone(columns: Sequence[Column], aside: Mapping[Any, Evidence]) -> list[Any]:
    """Find the ranks that were set aside although only ranks are left to be ranked."""
    ranks = {column.name for column in columns if holds_ranks(column.name, column.values)}
    if any(column.name not in ranks and column.name not in aside for column in columns):
        return []
    return [
        column.name
        for column in columns
        if column.name in aside
        and column.name in ranks
        and aside[column.name].why in ("its name", "places")
        and {*column.words} - _PLACES - {"#", "overall", "total", "final"}
    ]


def point_ranks_down(
    directions: Mapping[Any, TaskDirection], scores: pd.DataFrame
) -> dict[Any, TaskDirection]:
    """Read the tasks that hold ranks so that lower is better, unless something else was said."""
    results = dict(directions)
    for at, (task, item) in enumerate(directions.items()):
        if item.why == "" and holds_ranks(task, scores.iloc[:, at].to_numpy(dtype=float)):
            results[task] = TaskDirection("lower", "places, by its name and its numbers")
    return results


@dataclass(frozen=True)
class _Places:
    """Which tasks look like places, whether zeros stand among them, and by what they are told."""

    tasks: list[Any]
    has_zeros: bool
    points: Any = None


def doubt_places(
    scores: pd.DataFrame, directions: Mapping[Any, TaskDirection], whys: Collection[str]
) -> dict[Any, TaskDirection]:
    """Warn of tasks that look like places of which 1 is best, and doubt their directions."""
    results = dict(directions)
    ways = {item.direction for item in directions.values()}
    places = _find_places(scores, whys) if scores.index.nlevels == 1 else None
    if places is None or len(ways) > 1:
        return results
    if ways == {"lower"}:
        if places.has_zeros and places.points is None:
            doubt = "0 counts as better than place 1; if it means a missing place, na='0'"
            warn_user(doubt.replace(", na=", ", give na="), PlacesWarning)
            results = {task: replace(item, doubt=doubt) for task, item in results.items()}
        return results
    if any(item.why == "you" for item in directions.values()):
        return results
    zeros = ", with 0 for a missing place" if places.has_zeros else ""
    mark = "na='0'" if places.has_zeros else ""
    if places.points is None:
        warn_user(
            f"higher is taken as better, and the cells look like places, where 1 is best{zeros};"
            f" give {mark}{' and ' * bool(mark)}lower_is_better=True, or False if they are points",
            PlacesWarning,
        )
        call = f"{mark}{', ' * bool(mark)}lower_is_better=True"
    else:
        call = f"{mark}{', ' * bool(mark)}{roles_call(dict.fromkeys(places.tasks, 'lower'))}"
        warn_user(
            f"higher is taken as better, and {format_labels(places.tasks)} may hold places, "
            f"where 1 is best{zeros}: {places.points!r} falls with them; if so, give {call}",
            PlacesWarning,
        )
    for task in places.tasks:
        doubt = f"the cells look like places, where 1 is best{zeros}: {call}"
        results[task] = replace(results[task], doubt=results[task].doubt or doubt)
    return results


def _find_places(scores: pd.DataFrame, whys: Collection[str]) -> _Places | None:
    table = scores.to_numpy(dtype=float)
    tasks = list(scores.columns)
    has_zeros = bool((table == 0).any())
    placed = np.where(table == 0, np.nan, table)
    if POINTS_OF_PLACES in whys or cells_look_like_places(placed):
        return _Places(tasks, has_zeros)
    called = [at for at, task in enumerate(tasks) if _POINTS & {*split_words(task)[-1:]}]
    if len(called) != 1 or len(tasks) < 2 or len(table) < 3:
        return None
    points = table[:, called[0]]
    others = np.delete(placed, called[0], axis=1)
    if not all(are_places(column[~np.isnan(column)]) for column in others.T):
        return None
    means = pd.DataFrame(others).mean(axis=1)
    if not pd.Series(points).rank().corr(means.rank()) <= -0.8:
        return None
    left = [task for at, task in enumerate(tasks) if at != called[0]]
    return _Places(left, bool(np.isnan(others).sum() > np.isnan(table).sum()), tasks[called[0]])
