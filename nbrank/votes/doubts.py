"""Warnings on tables that say something else than their owner may think."""

from __future__ import annotations

import weakref
from collections.abc import Hashable, Iterable, Iterator, Mapping
from math import exp, factorial, log
from typing import Any

import numpy as np
import pandas as pd

from nbrank.arrays.kinds import Bools, Floats
from nbrank.votes.caller import warn_caller
from nbrank.votes.column_names import hints
from nbrank.votes.naming import Label, counted, named
from nbrank.votes.task_names import LowerIsBetter, TaskNames, Weights
from nbrank.votes.votes import Votes


class LeaderboardWarning(UserWarning):
    """A table may say something else than its owner thinks; each kind has a class of its own.

    A warning is shown once for a table; of scores that nearly tie, at every call.
    `warnings.filterwarnings("ignore", category=nbrank.LeaderboardWarning)` silences
    all of them, and a class of `nbrank.votes.doubts` one kind.

    Examples
    --------
    >>> import warnings, nbrank, pandas as pd
    >>> scores = pd.DataFrame({"accuracy": [0.9, 0.8], "latency": [30, 10]}, index=["A", "B"])
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     ranking = nbrank.borda(scores)
    >>> print(caught[0].message)
    higher is taken as better on 'latency', whose name says that lower is; give
    lower_is_better=['latency'], or lower_is_better=False if higher is better on all tasks
    """


class OrientationWarning(LeaderboardWarning):
    """A task is called like something of which less is better, and nothing was said of it."""


class PlacesWarning(LeaderboardWarning):
    """The cells look like places, of which 1 is best, and nothing was said of it."""


class TransposedWarning(LeaderboardWarning):
    """The rows look like tasks, and the columns like systems."""


class AverageColumnWarning(LeaderboardWarning):
    """A column looks like an average of the others, and counts as a task."""


class DescriptionWarning(LeaderboardWarning):
    """A column is called like something that describes the systems, and counts as a task."""


class PartialWeightsWarning(LeaderboardWarning):
    """Weights are given for some tasks only."""


class ScaleWarning(LeaderboardWarning):
    """A mean is taken over tasks of visibly different scales."""


class NearTieWarning(LeaderboardWarning):
    """Scores that are all but equal take different places."""


def warn_of_doubts(
    scores: pd.DataFrame,
    board: Votes,
    names: TaskNames,
    weights: Weights,
    lower: LowerIsBetter,
) -> None:
    """Warn of what a newcomer may have overlooked in a table, and in what goes with it."""
    named_ones = tuple(dict(weights)) if isinstance(weights, Mapping | pd.Series) else ()
    given = type(lower), board.lower.tobytes(), named_ones, board.weights.tobytes()
    _boards[board] = _memory(scores)
    _warn_once(board, given, _doubts(scores, board, names, weights, lower))


def _doubts(
    scores: pd.DataFrame,
    board: Votes,
    names: TaskNames,
    weights: Weights,
    lower: LowerIsBetter,
) -> Iterator[LeaderboardWarning]:
    names_hint = hints(board.systems, board.tasks)
    if names_hint.transposed:
        yield TransposedWarning(
            "the rows look like tasks, and the columns like systems; nbrank ranks the rows, so "
            "give df.T instead of df"
        )
        return
    unsaid = not isinstance(lower, bool | np.bool_ | Mapping | pd.Series)
    weighed = {
        position
        for name in (dict(weights) if isinstance(weights, Mapping | pd.Series) else ())
        for position in names.members_of(name, "weights")
    }
    about = names_hint.describing & (board.weights > 0) & ~board.lower
    about[list(weighed)] = False
    # A table of nothing else, or one that `read_scores` was told to read so, is meant.
    about &= "metadata" not in scores.attrs and not names_hint.describing.all()
    if about.any():
        described, plural = list(board.tasks[about]), about.sum() > 1
        yield DescriptionWarning(
            f"{named(described)} {'describe' if plural else 'describes'} the systems, it seems, "
            f"and {'count' if plural else 'counts'} as a task; leave it out with "
            f"df.drop(columns={described!r}), or read the table with nbrank.read_scores, which "
            f"sets such columns aside"
        )
    doubtful = _though_higher(board, names_hint.lower & ~about)
    if unsaid and doubtful:
        yield OrientationWarning(
            f"higher is taken as better on {named(doubtful)}, whose name says that lower is; give "
            f"lower_is_better={doubtful[:8]!r}, or lower_is_better=False if higher is better on "
            f"all tasks"
        )
    unsaid = unsaid and not board.lower.any()
    score = scores.attrs.get("score")
    if unsaid and score is not None and hints(board.systems, pd.Index([score])).lower.any():
        yield OrientationWarning(
            f"higher is taken as better, and the scores are called {score!r}, of which lower is; "
            f"give lower_is_better=True, or False if higher is better on all tasks"
        )
    elif unsaid and not doubtful and are_places(board):
        yield PlacesWarning(
            "higher is taken as better, and the cells look like places, of which 1 is best; give "
            "lower_is_better=True, or False if they are points"
        )
    if averages := _averages(board, names_hint.averages, about):
        yield AverageColumnWarning(
            f"{named(averages)} looks like an average or a sum of the other tasks, and counts as "
            f"a task of its own; leave it out with df.drop(columns={averages!r})"
        )
    if weighed:
        left = [task for position, task in enumerate(board.tasks) if position not in weighed]
        if left:
            yield PartialWeightsWarning(
                f"weights name {counted(len(weighed), 'task')} of {len(board.tasks)}; "
                f"the weight of {named(left)} is 1. Name every task, with 1 where that is meant"
            )


def sounding_lower(board: Votes) -> list[Label]:
    """The tasks that count, and on which higher is taken as better in spite of their names."""
    return _though_higher(board, hints(board.systems, board.tasks).lower)


def _though_higher(board: Votes, sound_lower: Bools) -> list[Label]:
    return list(board.tasks[sound_lower & ~board.lower & (board.weights > 0)])


def warn_of_scales(board: Votes) -> None:
    """Warn that a mean is taken over fractions beside percents, or percents beside larger units."""
    _warn_once(board, "scales", _scales(board))


def _scales(board: Votes) -> Iterator[LeaderboardWarning]:
    if board.instances is not None:
        return
    # One or two scores say nothing of a task's scale.
    enough = ((~np.isnan(board.values)).sum(axis=0) >= 3) & (board.weights > 0)
    tasks, seen = board.tasks[enough], np.asarray(board.values, dtype=float)[:, enough]
    for limit, factor in ((1, 10), (100, 2)):
        below = np.nanmax(np.abs(seen), axis=0) <= limit
        above = (np.nanmin(seen, axis=0) > limit) & (np.nanmax(seen, axis=0) > factor * limit)
        if below.any() and above.any():
            yield ScaleWarning(
                f"mean: all scores on {named(tasks[below])} are at most {limit}, and all on "
                f"{named(tasks[above])} are above it, so these decide the mean; bring the "
                f"tasks to one scale, or use a rule that looks at places, such as borda"
            )
            return


def _averages(board: Votes, called: Bools, about: Bools) -> list[Label]:
    """The columns that sum up the others, or are called so and lie between the others."""
    if board.instances is not None or len(board.systems) < 3:
        return []
    scores = np.flatnonzero(~about)
    values, called = np.asarray(board.values, dtype=float)[:, scores], called[scores]
    found = [at for at in np.flatnonzero(called).tolist() if _lies_between(values, at)]
    others = np.delete(np.arange(len(scores)), found)
    few, rest = values[:_SEEN, others], values[:, others]
    # The first rows say at once where there is none.
    kinds = [
        what for what, sums in means_and_sums(few).items() if column_like(few, sums) is not None
    ]
    summaries = [column_like(rest, means_and_sums(rest)[what]) for what in kinds]
    found += [int(others[one]) for one in summaries if one is not None]
    # Where most columns are alike, none of them stands out as the average of the others.
    if 2 * len(found) >= len(scores):
        return []
    return [board.tasks[at] for at in np.unique(scores[found]).tolist() if board.weights[at] > 0]


def _lies_between(values: Floats, at: int) -> bool:
    """Whether the scores of a column are all between the lowest and the highest of the others."""
    column, rest = values[:, at], np.delete(values, at, axis=1)
    low = np.nanmin(rest, axis=1, initial=np.inf)
    high = np.nanmax(rest, axis=1, initial=-np.inf)
    return bool((np.isnan(column) | ((low <= column) & (column <= high))).all())


def means_and_sums(table: Floats) -> dict[str, Floats]:
    """For each cell, the mean and the sum of the others of its row."""
    there = ~np.isnan(table)
    filled = np.where(there, table, 0.0)
    n_others = there.sum(axis=1, keepdims=True) - there
    with np.errstate(over="ignore", invalid="ignore"):  # of huge and infinite scores
        sums = np.where(n_others > 0, filled.sum(axis=1, keepdims=True) - filled, np.nan)
    return {"the mean": sums / np.maximum(n_others, 1), "the sum": sums}


def column_like(table: Floats, others: Floats, near: float = 0.0) -> int | None:
    """The first column that repeats what the others of each row come to, and hardly by chance."""
    if min(table.shape) < 3 or np.isinf(table).any():
        return None
    largest = np.nanmax(np.abs(table), axis=0, initial=0.0)
    apart = np.abs(table - others)
    there = ~np.isnan(apart)
    for number in np.flatnonzero((apart > 0.05 * largest).sum(axis=0) <= 0.05 * len(table)):
        column, away = table[there[:, number], number], apart[there[:, number], number]
        if len(column) < 3:
            continue
        decimals = max(len(repr(value).partition(".")[2]) for value in column[:100].tolist())
        # A published figure may have been cut off, and one of twenty be of another version; one of
        # single precision has seven digits.
        step = max(1.01 * 10.0 ** -min(decimals, 12), 1e-6 * largest[number], near)
        chance = (2 * step / max(np.ptp(column), 2 * step)) ** len(column)
        rest = np.delete(table, number, axis=1) - table[:, [number]]
        repeated = not (np.abs(rest) > step).any()
        if chance < _BY_CHANCE and not repeated and (away <= step).mean() >= 0.95:
            return int(number)
    return None


def are_places(board: Votes) -> bool:
    """Whether higher is better, and scores are the systems' places, and hardly so by chance."""
    if board.instances is not None or board.lower.any():
        return False
    values = np.asarray(board.values[:, board.weights > 0], dtype=float)
    least = np.nanmin(values, axis=0, initial=np.inf)
    if not ((least >= 1) & (least <= (len(values) + 1) / 2)).all():
        return False
    telling, by_chance = 0, 1.0
    for column in values.T:
        cells = np.sort(column[~np.isnan(column)])
        _, first, times = np.unique(cells, return_index=True, return_counts=True)
        k = len(first)
        strict, dense = k == len(cells), np.arange(1, k + 1)
        shared = [first + 1, first + (times + 1) / 2]
        if any(np.array_equal(cells[first], places) for places in shared):
            # So likely are whole numbers from 1 to n to be places.
            n = min(len(cells), 20)
            chance = (factorial(n) if strict else factorial(n) / 2 / log(2) ** (n + 1)) / n**n
        elif np.array_equal(cells[first], dense):
            # And so likely those from 1 to k, of whatever scale, to be all there.
            chance = (1 - exp(-len(cells) / k)) ** k
        else:
            return False
        # Few places say little.
        if k >= 4:
            telling, by_chance = telling + 1, by_chance * chance
    return telling >= 3 and by_chance < 1e-3


#: A column of noise comes so near to a figure of the others once in a million tables.
_BY_CHANCE = 1e-6
#: So many rows are looked at before a column is compared as a whole.
_SEEN = 50


class _Memory:
    """What was asked and said of a table."""

    def __init__(self) -> None:
        self.labels: tuple[pd.Index, ...] = ()
        self.asked: set[Hashable] = set()
        self.said: set[str] = set()


#: Memories by the ids of frames, as long as these are there.
_frames: dict[int, _Memory] = {}
#: And by leaderboards, of which those of one frame share its memory.
_boards: weakref.WeakKeyDictionary[Any, _Memory] = weakref.WeakKeyDictionary()


def _memory(frame: pd.DataFrame) -> _Memory:
    """What is known of a frame."""
    if id(frame) not in _frames:
        _frames[id(frame)] = _Memory()
        weakref.finalize(frame, _frames.pop, id(frame), None)
    return _frames[id(frame)]


def _warn_once(board: Votes, asked: Hashable, doubts: Iterable[LeaderboardWarning]) -> None:
    """Look for doubts in a table, unless it was looked at before, and say none of them twice."""
    memory, labels = _boards.setdefault(board, _Memory()), (board.systems, board.tasks)
    if not memory.labels or not all(map(pd.Index.identical, memory.labels, labels)):
        memory.labels = labels
        memory.asked.clear()
    # Values may be changed in their place. Of single instances only the names are looked at.
    looked_at = asked, hash(b"" if board.instances is not None else board.values.tobytes())
    if looked_at in memory.asked:
        return
    unheard = False
    for doubt in doubts:
        message = str(doubt)
        if message not in memory.said:
            # One that is made an error, or is silenced, is none that was given.
            if warn_caller(message, type(doubt)):
                memory.said.add(message)
            else:
                unheard = True
    if not unheard:
        memory.asked.add(looked_at)
