"""Doubts about directions raised by the rest of a file: its title, its ranks, its order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

import numpy as np
import pandas as pd

from nbrank.arrays.typing import Floats
from nbrank.readers.tables.cell_parsing import parse_column
from nbrank.readers.tables.parsed_scores import ScoresWithErrors
from nbrank.readers.tables.places import holds_ranks
from nbrank.readers.tables.roles import roles_call
from nbrank.readers.tables.task_directions import TaskDirection
from nbrank.votes.table.direction_names import (
    is_lower_metric,
    is_metric_name,
    stated_direction,
    without_statement,
)
from nbrank.votes.table.name_heuristics import split_words

#: Minimum numbers of systems for a doubt by a column of ranks, and by the order of the rows.
_MIN_RANKED, _MIN_SORTED = 5, 8
#: Rank correlation of scores with ranks from which these contradict the direction.
_AGAINST = 0.9

Directions = Mapping[Any, TaskDirection]


def doubt_by_file(
    directions: Directions, scores: pd.DataFrame, result: ScoresWithErrors
) -> dict[Any, TaskDirection]:
    """Doubt the directions that the title, the ranks or the order of a file contradict."""
    descriptions = result.described(scores)
    averages = [item.column for item in result.columns if item.role == "average"]
    # "Average WER" tells what the scores are of which it is the average.
    results = doubt_by_title(
        directions, [*result.titles, *(name for name in averages if isinstance(name, str))]
    )
    results = doubt_by_ranks(results, scores, descriptions)
    results = doubt_by_order(results, descriptions, averages)
    results = doubt_totals(doubt_by_bold(results, scores, result.bold))
    return doubt_flags(doubt_constants(doubt_without_arrow(results), scores), scores)


def _add(directions: Directions, tasks: Sequence[Any], doubt: str) -> dict[Any, TaskDirection]:
    """Add a doubt to the tasks that have none."""
    return {
        task: replace(item, doubt=item.doubt or doubt) if task in tasks else item
        for task, item in directions.items()
    }


def _lower(tasks: Sequence[Any], directions: Directions) -> str:
    """Write the call that reads tasks so that lower is better."""
    return "lower_is_better=True" if len(tasks) == len(directions) else (
        roles_call(dict.fromkeys(tasks, "lower"))
    )  # fmt: skip


def _undecided(directions: Directions) -> list[Any]:
    """List the tasks without a stated direction or a name that decides."""
    return [task for task, item in directions.items() if item.why == "" and not item.doubt]


def doubt_by_title(directions: Directions, titles: Sequence[str]) -> dict[Any, TaskDirection]:
    """Doubt tasks without a metric's name if the file or the table has that of an error.

    >>> doubt_by_title({"test-clean": TaskDirection("higher")}, ["WER (%)"])["test-clean"].doubt
    "'WER (%)' names the scores: lower_is_better=True"
    """
    paths = [PurePath(title) for title in titles if title]
    named = [path.name if " " in path.suffix else path.stem for path in paths]  # Avg. WER
    lower = [title for title in named if is_lower_metric(split_words(without_statement(title)))]
    if not lower:
        return dict(directions)
    tasks = [task for task in _undecided(directions) if not is_metric_name(task)]
    return _add(directions, tasks, f"{lower[-1]!r} names the scores: {_lower(tasks, directions)}")


def doubt_by_ranks(
    directions: Directions, scores: pd.DataFrame, descriptions: pd.DataFrame
) -> dict[Any, TaskDirection]:
    """Doubt tasks on which those with the better rank in the file have the worse scores."""
    results = dict(directions)
    for name, cells in descriptions.items():
        ranks = parse_column(cells).values
        if not holds_ranks(name, ranks):
            continue
        for at, (task, item) in enumerate(directions.items()):
            sign = -1.0 if item.direction == "lower" else 1.0
            against = _correlate(ranks, sign * scores.iloc[:, at].to_numpy(dtype=float))
            if item.why != "you" and against >= _AGAINST:
                other = "higher" if item.direction == "lower" else "lower"
                doubt = f"those with a better {str(name)!r} are worse on it: " + roles_call(
                    {task: other}
                )
                results |= _add({task: results[task]}, [task], doubt)
    return results


def _correlate(ranks: Floats, scores: Floats) -> float:
    known = ~np.isnan(ranks) & ~np.isnan(scores)
    pair = pd.DataFrame({"rank": ranks[known], "score": scores[known]}).rank()
    if len(pair) < _MIN_RANKED or (pair.nunique() < 2).any():
        return 0.0
    return float(pair["rank"].corr(pair["score"]))


def doubt_by_order(
    directions: Directions, descriptions: pd.DataFrame, averages: Sequence[Any]
) -> dict[Any, TaskDirection]:
    """Doubt tasks if the file lists the lowest average first, as if it were the best."""
    for name, cells in descriptions.items():
        values = parse_column(cells).values if name in averages else np.array([])
        is_sorted = len(values) >= _MIN_SORTED and bool((np.diff(values) >= 0).all())
        if is_sorted and values[0] < values[-1]:
            tasks = _undecided(directions)
            doubt = f"the file lists the lowest {str(name)!r} first: {_lower(tasks, directions)}"
            return _add(directions, tasks, doubt)
    return dict(directions)


def doubt_by_bold(
    directions: Directions, scores: pd.DataFrame, bold: Mapping[Any, Sequence[str]]
) -> dict[Any, TaskDirection]:
    """Doubt tasks of which the file has the worst scores in bold, as if they were the best."""
    results = dict(directions)
    for at, (task, item) in enumerate(directions.items()):
        marked = parse_column(pd.Series(bold.get(task, ()), dtype=object)).values
        marked, values = (
            marked[~np.isnan(marked)],
            scores.iloc[:, at].dropna().to_numpy(dtype=float),
        )
        if not 0 < len(marked) < len(values) or item.why in ("you", "the file says so"):
            continue
        worst, end = ("highest", values.max()) if item.direction == "lower" else (
            "lowest", values.min()
        )  # fmt: skip
        if (marked == end).all() and np.ptp(values) > 0:
            other = "higher" if item.direction == "lower" else "lower"
            doubt = f"the file has its {worst} score in bold: {roles_call({task: other})}"
            results |= _add({task: results[task]}, [task], doubt)
    return results


def doubt_totals(directions: Directions) -> dict[Any, TaskDirection]:
    """Doubt tasks that are only called points or score, among others: they may be a total.

    >>> found = doubt_totals(
    ...     dict.fromkeys(["100m", "discus", "javelin", "Points"], TaskDirection("higher"))
    ... )
    >>> found["Points"].doubt
    "it may be a total of the others: roles={'Points': 'average'}"
    """
    results = dict(directions)
    for task in _undecided(directions) if len(directions) > 3 else ():
        if str(task).strip().lower() in ("points", "pts", "score", "total points"):
            doubt = f"it may be a total of the others: {roles_call({task: 'average'})}"
            results |= _add({task: results[task]}, [task], doubt)
    return results


def doubt_without_arrow(directions: Directions) -> dict[Any, TaskDirection]:
    """Doubt tasks without an arrow in a file that has arrows up and down."""
    stated = {task: stated_direction(task) for task in directions}
    n_stated = sum(way is not None for way in stated.values())
    if not {"lower", "higher"} <= set(stated.values()) or 2 * n_stated < len(stated):
        return dict(directions)
    results = dict(directions)
    for task in _undecided(directions):
        if stated[task] is None and not is_metric_name(task):
            doubt = f"other tasks have arrows, and it has none: {roles_call({task: 'lower'})}"
            results |= _add({task: results[task]}, [task], doubt)
    return results


def doubt_constants(directions: Directions, scores: pd.DataFrame) -> dict[Any, TaskDirection]:
    """Doubt tasks on which all systems have the same score, if others tell them apart."""
    same = (scores.nunique() <= 1).to_numpy() & (scores.notna().sum() > 2).to_numpy()
    if same.all():
        return dict(directions)
    results = dict(directions)
    for task in (task for task, item in zip(directions, same, strict=True) if item):
        if directions[task].why != "you":
            call = roles_call({task: "description"})
            results |= _add({task: results[task]}, [task], f"it is the same for all: {call}")
    return results


def doubt_flags(directions: Directions, scores: pd.DataFrame) -> dict[Any, TaskDirection]:
    """Doubt tasks of 0 and 1 among others with fractions: yes and no may describe a system."""
    results = dict(directions)
    values = scores.to_numpy(dtype=float)
    has_fractions = (np.nan_to_num(values) % 1 != 0).any(axis=0)
    for at, task in enumerate(directions):
        found = set(values[~np.isnan(values[:, at]), at])
        is_flag = found == {0.0, 1.0} and len(values) > 3 and has_fractions.any()
        if is_flag and directions[task].why != "you":
            doubt = f"it holds only 0 and 1: {roles_call({task: 'description'})}"
            results |= _add({task: results[task]}, [task], doubt)
    return results
