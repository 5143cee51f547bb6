"""Ranks and places among scores: which columns hold them, and what to say where none is named."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pandas as pd

from nbrank.arrays.typing import Floats
from nbrank.readers.tables.column import Column
from nbrank.readers.tables.column_evidence import Evidence
from nbrank.readers.tables.roles import Advice
from nbrank.readers.tables.task_directions import TaskDirection
from nbrank.votes.table.name_heuristics import make_word_set
from nbrank.votes.table.place_detection import cells_look_like_places
from nbrank.votes.user_warnings import PlacesWarning, warn_user

_PLACES = make_word_set("rank ranks ranking rankings place places position positions pos placing")
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
    return {} if _are_ranks(columns) else dict.fromkeys(ranks, Evidence("description", "places"))


def find_ranks_alone(columns: Sequence[Column], aside: Mapping[Any, Evidence]) -> list[Any]:
    """Find the ranks that were set aside although only ranks are left to be ranked."""
    ranks = {column.name for column in columns if holds_ranks(column.name, column.values)}
    if not _are_ranks([item for item in columns if item.name in ranks or item.name not in aside]):
        return []
    return [
        column.name for column in columns if column.name in aside and column.name in ranks
        and aside[column.name].why in ("its name", "places")
        and {*column.words} - _PLACES - {"#", "overall", "total", "final"}
    ]  # fmt: skip


def _are_ranks(columns: Sequence[Column]) -> bool:
    """Return whether all columns hold ranks, or are the sum or the mean of those that do."""
    ranks = [column.values for column in columns if holds_ranks(column.name, column.values)]
    others = [column.values for column in columns if not holds_ranks(column.name, column.values)]
    totals = [np.sum(ranks, axis=0), np.mean(ranks, axis=0)] if ranks else []
    return all(any(np.allclose(values, total, atol=0.06) for total in totals) for values in others)


def point_ranks_down(
    directions: Mapping[Any, TaskDirection], scores: pd.DataFrame
) -> dict[Any, TaskDirection]:
    """Read the tasks that hold ranks so that lower is better, unless something else was said."""
    results = dict(directions)
    for at, (task, item) in enumerate(directions.items()):
        if item.why == "" and holds_ranks(task, scores.iloc[:, at].to_numpy(dtype=float)):
            results[task] = TaskDirection("lower", "places, by its name and its numbers")
    return results


def doubt_places(
    scores: pd.DataFrame, directions: Mapping[Any, TaskDirection], whys: Collection[str]
) -> dict[Any, TaskDirection]:
    """Warn of tasks that look like places, where 1 is best, and doubt their directions."""
    results = dict(directions)
    ways = {item.direction for item in directions.values()}
    table = scores.to_numpy(dtype=float)
    has_zeros = bool((table == 0).any())
    if scores.index.nlevels > 1 or len(ways) > 1 or not (
        POINTS_OF_PLACES in whys or cells_look_like_places(np.where(table == 0, np.nan, table))
    ):  # fmt: skip
        return results
    if ways == {"lower"}:
        if has_zeros:
            fact, unless = "0 counts as better than place 1", "; if it means a missing place, "
            warn_user(Advice(fact, f"{unless}give na='0'"), PlacesWarning)
            doubt = Advice(fact, f"{unless}na='0'")
            results = {task: replace(item, doubt=doubt) for task, item in results.items()}
        return results
    if any(item.why == "you" for item in directions.values()):
        return results
    zeros = ", with 0 for a missing place" if has_zeros else ""
    mark = "na='0'" if has_zeros else ""
    looks = f"the cells look like places, where 1 is best{zeros}"
    warn_user(
        Advice(
            f"higher is taken as better, and {looks}",
            f"; give {mark}{' and ' * bool(mark)}lower_is_better=True, or False if they are points",
        ),
        PlacesWarning,
    )
    call = f"{mark}{', ' * bool(mark)}lower_is_better=True"
    doubt = Advice(looks, f": {call}")
    return {task: replace(item, doubt=item.doubt or doubt) for task, item in results.items()}
