"""Orientation of each task: as given, stated, by name, else higher is better; also of places.

The order is fixed: the user's choice; the file's statement; the name of the score, which decides
for all its tasks; the name of a task, only if the score has none. Values only raise doubts.
"""

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
from nbrank.readers.tables.roles import Advice, roles_call
from nbrank.votes.table.direction_names import (
    HIGHER_METRICS,
    DirectionHint,
    direction_hint,
    is_gain_name,
    is_metric_name,
    stated_direction,
    without_statement,
)
from nbrank.votes.table.name_heuristics import (
    NAMELESS,
    is_named_like,
    make_word_set,
    split_words,
)
from nbrank.votes.table.place_detection import cells_look_like_places
from nbrank.votes.table.reading import FILE_SAYS, Direction, column_key
from nbrank.votes.user_warnings import PlacesWarning, warn_user

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
    user_directions: Mapping[Any, Direction],
    score: Any = None,
    *,
    title: str = "",
    are_metrics: bool = False,
) -> dict[Any, TaskDirection]:
    """Decide on each task by roles, statements or names; `score` is its column's name.

    The title of the table may state the orientation of tasks whose names do not.

    If the tasks are metrics on data sets, (data set, metric), the metric alone decides.
    """
    has_name = score is not None and not is_named_like(score, NAMELESS)
    by_score = direction_hint(score) if score is not None else None
    results = {}
    is_unit = _is_min_a_unit(tasks)
    for task in tasks:
        stated = _said_of(task, user_directions)
        name = str(task).replace("(min)", "(minutes)") if is_unit and "(min)" in str(task) else task
        own = direction_hint(name)
        # The arrow may be that of a group.
        if are_metrics and isinstance(task, tuple) and (own is None or own.why != FILE_SAYS):
            name = task[-1]
            own = direction_hint(name)
        if stated is None and score is not None:
            stated = user_directions.get(score)
        in_title = None if own is not None and own.sure else _direction_of_title(title, task)
        if stated is not None:
            results[task] = TaskDirection(stated, "you")
        elif own is not None and own.why == FILE_SAYS:
            results[task] = _as_direction(task, own)
        elif in_title is not None:
            results[task] = TaskDirection(in_title, FILE_SAYS)
        elif by_score is not None and (has_name or by_score.sure):
            results[task] = _as_direction(score, by_score)
        elif has_name or own is None:
            results[task] = TaskDirection("higher")
        else:
            results[task] = _as_direction(name if are_metrics else task, own)
    return results


def _is_min_a_unit(tasks: Sequence[Any]) -> bool:
    """Return whether "(min)" means minutes: there are other units, and no "(max)"."""
    names = [str(task[-1] if isinstance(task, tuple) else task) for task in tasks]
    others = [
        name for name in names if re.search(r"\([^()\s]{1,4}\)$", name) and "(min)" not in name
    ]
    return bool(others) and not any(re.search(r"\(\s*max", name, re.IGNORECASE) for name in names)


def directions_of_winners(winners: Mapping[Any, Any], scores: pd.DataFrame) -> dict[Any, Direction]:
    """Return the direction of each task that its winner, named in the file, states by the scores.

    >>> scores = pd.DataFrame({"imports": [1, 0], "tests": [8, 6]}, index=["Model A", "Model B"])
    >>> directions_of_winners({"imports": "B (fewer)", "tests": "A"}, scores)
    {'imports': 'lower', 'tests': 'higher'}
    """
    names = [str(name).casefold() for name in scores.index]
    keys = [{name, name.split()[-1]} for name in names]
    results: dict[Any, Direction] = {}
    for task, values in scores.items():
        text = re.sub(r"^\W+", "", str(winners[task]).casefold())
        won = [any(re.match(rf"{re.escape(key)}(?!\w)", text) for key in of_name)
               for of_name in keys]  # fmt: skip
        if sum(won) != 1 or values.isna().any():
            continue
        best, others = values[won].iloc[0], values[np.invert(won)]
        if (best < others).all():
            results[task] = "lower"
        elif (best > others).all():
            results[task] = "higher"
    return results


def _direction_of_title(title: str, task: Any) -> Direction | None:
    """Return the direction that a title states of all its tasks, unless it speaks of some."""
    name = task[-1] if isinstance(task, tuple) else task
    words = {*split_words(without_statement(title))}
    return None if is_known_metric(name) or words & _SOME else stated_direction(title)


def is_known_metric(name: Any) -> bool:
    """Return whether a task is called a metric, or has the word of one where more is better."""
    return is_gain_name(name) or is_metric_name(name)


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


PLACES = make_word_set("rank ranks ranking rankings place places position positions pos placing")
_MEAN_OF_RANKS = make_word_set("mean avg average median overall final ø")
#: Why a column of points is set aside if there are places.
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
    if not PLACES & {*re.split(r"[\W_\d]+", text.lower())} or len(known) < 2:
        return False
    whole = not (known % 1).any() and known.min() >= 1 and known.max() <= len(values)
    return are_places(known) or bool(whole and len(np.unique(known)) >= 0.5 * len(known))


def are_places(numbers: Floats) -> bool:
    """Return whether numbers are the places of their own order, however ties are placed."""
    if len(numbers) < 2 or not (np.abs(numbers) <= len(numbers)).all():
        return False
    if not (2 * numbers % 1 == 0).all():
        return False
    series = pd.Series(numbers)
    return any(series.rank(method=way).eq(series).all() for way in _METHODS)


def find_ranks_beside_scores(columns: Sequence[Column]) -> dict[Any, Evidence]:
    """Find the columns of ranks among columns of scores."""
    ranks = [column.name for column in columns if holds_ranks(column.name, column.values)]
    return {} if _are_ranks(columns) else dict.fromkeys(ranks, Evidence("description", "places"))


def find_ranks_alone(columns: Sequence[Column], excluded: Mapping[Any, Evidence]) -> list[Any]:
    """Find the ranks that were set aside although only ranks are left to be ranked."""
    ranks = {column.name for column in columns if holds_ranks(column.name, column.values)}
    if not _are_ranks(
        [item for item in columns if item.name in ranks or item.name not in excluded]
    ):
        return []
    return [
        column.name for column in columns if column.name in excluded and column.name in ranks
        and excluded[column.name].why in ("its name", "places")
        and {*column.words} - PLACES - {"#", "overall", "total", "final"}
    ]  # fmt: skip


def _are_ranks(columns: Sequence[Column]) -> bool:
    """Return whether all columns hold ranks, or are the sum or the mean of those that do."""
    ranks = [column.values for column in columns if holds_ranks(column.name, column.values)]
    others = [column.values for column in columns if not holds_ranks(column.name, column.values)]
    totals = [np.sum(ranks, axis=0), np.mean(ranks, axis=0)] if ranks else []
    return all(any(np.allclose(values, total, atol=0.06) for total in totals) for values in others)


def point_ranks_down(
    directions: Mapping[Any, TaskDirection], scores: pd.DataFrame, score: Any = None
) -> dict[Any, TaskDirection]:
    """Read the tasks that hold ranks so that lower is better, unless something else was said.

    The column of all scores, if there is one, names them; of an average of ranks, it is a doubt.
    """
    results = dict(directions)
    n_systems = scores.index.get_level_values(0).nunique()
    for at, (task, item) in enumerate(directions.items()):
        name = task if score is None else score
        values = scores.iloc[:, at].to_numpy(dtype=float)
        words, known = {*split_words(name)}, values[~np.isnan(values)]
        places = bool(words & PLACES) and words <= PLACES | _MEAN_OF_RANKS
        places = places and len(known) > 0 and known.min() >= 1 and known.max() <= n_systems
        if item.why == "" and (holds_ranks(name, values) or (places and not (known % 1).any())):
            results[task] = TaskDirection("lower", "places, by its name and its numbers")
        elif item.why == "" and places and not item.doubt:
            doubt = Advice("its name is that of places", f": {roles_call({name: 'lower'})}")
            results[task] = replace(item, doubt=doubt)
    return results


def doubt_places(
    scores: pd.DataFrame, directions: Mapping[Any, TaskDirection], whys: Collection[str]
) -> dict[Any, TaskDirection]:
    """Warn of tasks that look like places, where 1 is best, and doubt their directions."""
    results = dict(directions)
    ways = {item.direction for item in directions.values()}
    table = scores.to_numpy(dtype=float)
    has_zeros = bool((table == 0).any())
    are_rankings = min(table.shape) > 2 and table.shape[1] > 3 and all(map(are_places, table.T))
    look_so = POINTS_OF_PLACES in whys or are_rankings
    look_so = look_so or cells_look_like_places(np.where(table == 0, np.nan, table))
    if scores.index.nlevels > 1 or len(ways) > 1 or not look_so:
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
