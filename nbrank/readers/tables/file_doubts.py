"""Doubts about directions raised by the rest of a file: its title, its ranks, its order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

import numpy as np
import pandas as pd

from nbrank.readers.tables.cell_parsing import parse_column
from nbrank.readers.tables.parsed_scores import ScoresWithErrors
from nbrank.readers.tables.places import holds_ranks
from nbrank.readers.tables.roles import Advice, roles_call
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
#: Type of doubts: a task, and what speaks against its direction, with the call that settles it.
Doubts = Iterator[tuple[Any, str, str]]


def doubt_by_file(
    directions: Directions, scores: pd.DataFrame, result: ScoresWithErrors
) -> dict[Any, TaskDirection]:
    """Doubt the directions that the title, the ranks or the order of a file contradict."""
    results = dict(directions)
    for look in _LOOKS:
        # A doubt that a task has already stays.
        for task, fact, call in [*look(results, scores, result)]:
            doubt = results[task].doubt or Advice(fact, f": {call}")
            results[task] = replace(results[task], doubt=doubt)
    return results


def _lower(tasks: Sequence[Any], directions: Directions) -> str:
    """Write the call that reads tasks so that lower is better."""
    return "lower_is_better=True" if len(tasks) == len(directions) else (
        roles_call(dict.fromkeys(tasks, "lower"))
    )  # fmt: skip


def _turn(task: Any, item: TaskDirection) -> str:
    """Write the call that turns the direction of a task."""
    return roles_call({task: "higher" if item.direction == "lower" else "lower"})


def _undecided(directions: Directions) -> list[Any]:
    """List the tasks without a stated direction or a name that decides."""
    return [task for task, item in directions.items() if item.why == "" and not item.doubt]


def _averages(result: ScoresWithErrors) -> list[Any]:
    return [item.column for item in result.columns if item.role == "average"]


def _doubt_by_title(directions: Directions, _: pd.DataFrame, result: ScoresWithErrors) -> Doubts:
    """Doubt tasks without a metric's name if the file or an average has that of an error."""
    # "Average WER" tells what the scores are of which it is the average.
    titles = [*result.titles, *(name for name in _averages(result) if isinstance(name, str))]
    paths = [PurePath(title) for title in titles if title]
    named = [path.name if " " in path.suffix else path.stem for path in paths]  # Avg. WER
    lower = [title for title in named if is_lower_metric(split_words(without_statement(title)))]
    tasks = [task for task in _undecided(directions) if not is_metric_name(task)]
    for task in tasks if lower else ():
        yield task, f"{lower[-1]!r} names the scores", _lower(tasks, directions)


def _doubt_by_ranks(
    directions: Directions, scores: pd.DataFrame, result: ScoresWithErrors
) -> Doubts:
    """Doubt tasks on which those with the better rank in the file have the worse scores."""
    for name, cells in result.described(scores).items():
        ranks = parse_column(cells).values
        if not holds_ranks(name, ranks):
            continue
        for at, (task, item) in enumerate(directions.items()):
            if item.why == "you":
                continue
            sign = -1.0 if item.direction == "lower" else 1.0
            pair = pd.DataFrame({"rank": ranks, "score": sign * scores.iloc[:, at].to_numpy()})
            if pair.corr("spearman", min_periods=_MIN_RANKED).to_numpy()[0, 1] >= _AGAINST:
                call = _turn(task, item)
                yield task, f"those with a better {str(name)!r} are worse on it", call


def _doubt_by_order(
    directions: Directions, scores: pd.DataFrame, result: ScoresWithErrors
) -> Doubts:
    """Doubt tasks if the file lists the lowest average first, as if it were the best."""
    about = result.described(scores)
    tasks = _undecided(directions)
    for name in (name for name in about.columns if name in _averages(result)):
        values = parse_column(about[name]).values
        is_sorted = len(values) >= _MIN_SORTED and bool((np.diff(values) >= 0).all())
        if is_sorted and values[0] < values[-1]:
            for task in tasks:
                call = _lower(tasks, directions)
                yield task, f"the file lists the lowest {str(name)!r} first", call


def _doubt_by_bold(
    directions: Directions, scores: pd.DataFrame, result: ScoresWithErrors
) -> Doubts:
    """Doubt tasks of which the file has the worst scores in bold, as if they were the best."""
    for at, (task, item) in enumerate(directions.items()):
        marked = parse_column(pd.Series(result.bold.get(task, ()), dtype=object)).values
        marked, values = (
            marked[~np.isnan(marked)],
            scores.iloc[:, at].dropna().to_numpy(dtype=float),
        )
        if not 0 < len(marked) < len(values) or item.why in ("you", "the file says so"):
            continue
        worst, end = ("highest", max) if item.direction == "lower" else ("lowest", min)
        if (marked == end(values)).all() and np.ptp(values) > 0:
            yield task, f"the file has its {worst} score in bold", _turn(task, item)


def _doubt_totals(directions: Directions, *_: Any) -> Doubts:
    """Doubt tasks that are only called points or score, among others: they may be a total."""
    for task in _undecided(directions) if len(directions) > 3 else ():
        if str(task).strip().lower() in ("points", "pts", "score", "total points"):
            yield task, "it may be a total of the others", roles_call({task: "average"})


def _doubt_without_arrow(directions: Directions, *_: Any) -> Doubts:
    """Doubt tasks without an arrow in a file that has arrows up and down."""
    stated = {task: way for task in directions if (way := stated_direction(task)) is not None}
    if not {"lower", "higher"} <= set(stated.values()) or 2 * len(stated) < len(directions):
        return
    for task in _undecided(directions):
        if task not in stated and not is_metric_name(task):
            yield task, "other tasks have arrows, and it has none", roles_call({task: "lower"})


def _doubt_constants(directions: Directions, scores: pd.DataFrame, _: ScoresWithErrors) -> Doubts:
    """Doubt tasks on which all systems have the same score, if others tell them apart."""
    same = (scores.nunique() <= 1).to_numpy() & (scores.notna().sum() > 2).to_numpy()
    for at, (task, item) in enumerate(directions.items()):
        if same[at] and not same.all() and item.why != "you":
            yield task, "it is the same for all", roles_call({task: "description"})


def _doubt_flags(directions: Directions, scores: pd.DataFrame, _: ScoresWithErrors) -> Doubts:
    """Doubt tasks of 0 and 1 among others with fractions: yes and no may describe a system."""
    values = scores.to_numpy(dtype=float)
    has_fractions = (np.nan_to_num(values) % 1 != 0).any()
    for at, (task, item) in enumerate(directions.items()):
        is_flag = set(values[~np.isnan(values[:, at]), at]) == {0.0, 1.0}
        if is_flag and len(values) > 3 and has_fractions and item.why != "you":
            yield task, "it holds only 0 and 1", roles_call({task: "description"})


_LOOKS = (_doubt_by_title, _doubt_by_ranks, _doubt_by_order, _doubt_by_bold, _doubt_totals,
          _doubt_without_arrow, _doubt_constants, _doubt_flags)  # fmt: skip
