"""Warnings on tables that say something else than their owner may think."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from decimal import Decimal
from math import exp, inf, lgamma, log, log1p
from typing import Any

import numpy as np
import pandas as pd

from nbrank.arrays.kinds import Bools, Floats, Ints
from nbrank.arrays.robust import usual_range
from nbrank.votes.caller import warn_caller
from nbrank.votes.column_names import hints, similar_labels
from nbrank.votes.label_cleaning import spelled, spellings
from nbrank.votes.naming import Label, counted, named
from nbrank.votes.task_names import LowerIsBetter, TaskNames, Weights
from nbrank.votes.votes import Votes
from nbrank.votes.warning_categories import (
    AverageColumnWarning,
    DescriptionWarning,
    LeaderboardWarning,
    NoOpponentsWarning,
    OrientationWarning,
    PartialWeightsWarning,
    PlacesWarning,
    ScaleWarning,
    SimilarNamesWarning,
    TransposedWarning,
    UnscoredWarning,
)


def warn_of_doubts(
    scores: pd.DataFrame,
    board: Votes,
    names: TaskNames,
    weights: Weights,
    lower: LowerIsBetter,
    *,
    given: object,
) -> Callable[[pd.Index], None] | None:
    """Warn of what a newcomer may have overlooked in a table, and in what goes with it.

    What was said is remembered of the frame as it was given, be it of polars. Return what warns of
    systems without a score, once a rule ranks them; None without any.
    """
    named_ones = tuple(dict(weights)) if isinstance(weights, Mapping | pd.Series) else ()
    options = type(lower), board.lower.tobytes(), named_ones, board.weights.tobytes()
    _boards[board] = _memory(given)
    _warn_once(board, options, _doubts(scores, board, names, weights, lower))
    return _unscored_look(board)


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
    for what, similar in names_hint.similar.items():
        yield from _similar_names(what, similar)
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


def _similar_names(what: str, groups: list[list[Label]]) -> Iterator[SimilarNamesWarning]:
    """Yield a warning of systems, or tasks, whose names are equal but for case or spaces."""
    if groups:
        yield SimilarNamesWarning(
            f"{'; '.join(map(spelled, groups))} count as different {what}, and their names are "
            f"equal but for case or spaces; if they are the same, give them one name, and if not, "
            f"names that differ more"
        )


def warn_of_merged_names(names: Iterable[Label]) -> None:
    """Warn of names that are taken as one system."""
    for name, listed in spellings(names).items():
        warn_caller(
            f"{spelled(listed)} are taken as one system, {name!r}: they differ only in spaces "
            f"around them or in their Unicode form; if they are two, rename one of them",
            SimilarNamesWarning,
        )


def warn_of_similar_names(systems: pd.Index) -> None:
    """Warn of systems whose names are equal but for case or spaces."""
    for warning in _similar_names("systems", similar_labels(systems)):
        warn_caller(str(warning), SimilarNamesWarning)


def sounding_lower(board: Votes) -> list[Label]:
    """The tasks that count, and on which higher is taken as better in spite of their names."""
    return _though_higher(board, hints(board.systems, board.tasks).lower)


def _though_higher(board: Votes, sound_lower: Bools) -> list[Label]:
    return list(board.tasks[sound_lower & ~board.lower & (board.weights > 0)])


def warn_of_no_opponents(votes: Votes, systems: pd.Index) -> None:
    """Warn of systems that met no other, unless it is in a table that was made of one."""
    if len(systems) and (votes in _boards or "ballots" not in votes.offers):
        advice = "; leave it out, or take missing='worst'"
        warn_caller(
            f"mean_win_rate: {named(systems)} has scores, but none beside another system's, so its "
            f"share of wins is unknown (NaN) and it is ranked last"
            f"{advice if len(systems) < len(votes.systems) else ''}",
            NoOpponentsWarning,
        )


def warn_of_scales(board: Votes) -> None:
    """Warn that a mean is taken over fractions beside percents, or percents beside larger units."""
    _warn_once(board, "scales", _scales(board))


def _unscored_look(board: Votes) -> Callable[[pd.Index], None] | None:
    """Return what warns of systems without a score, as far as they are ranked; None without any."""
    empty = ~(~np.isnan(board.values) & (board.weights[board.column_task] > 0)).any(axis=1)
    if not empty.any():
        return None
    memory, values, systems = _boards[board], board.values, board.systems

    def look(ranked: pd.Index) -> None:
        named_ones = empty & systems.isin(ranked)
        if not named_ones.any():
            return
        unscored = systems[named_ones]
        has, is_ranked, it = ("has", "is", "it") if len(unscored) == 1 else ("have", "are", "them")
        rest = "df.dropna(how='all')"
        if not np.isnan(values[named_ones]).all():  # it has scores on tasks without weight
            rest = f"df.drop(index=[{named(unscored)}])"
        message = (
            f"{named(unscored)} {has} no score at all, and {is_ranked} ranked all the same: by the "
            f"points to be expected where missing='compatible', else last; to leave {it} out, rank "
            f"{rest}"
        )
        if message not in memory.said and warn_caller(message, UnscoredWarning):
            memory.said.add(message)

    return look


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
    """Return whether a column's scores are between the lowest and the highest of the others."""
    column, rest = values[:, at], np.delete(values, at, axis=1)
    low = np.nanmin(rest, axis=1, initial=np.inf)
    high = np.nanmax(rest, axis=1, initial=-np.inf)
    return _in_most_rows(np.isnan(column) | ((low <= column) & (column <= high)))


def _in_most_rows(holds: Bools) -> bool:
    """Return whether something holds in all rows but one of twenty, as it is of another version."""
    return bool(holds.mean() >= 0.95)


def means_and_sums(table: Floats) -> dict[str, Floats]:
    """For each cell, the mean and the sum of the others of its row."""
    there = ~np.isnan(table)
    filled = np.where(there, table, 0.0)
    n_others = there.sum(axis=1, keepdims=True) - there
    with np.errstate(over="ignore", invalid="ignore"):  # of huge and infinite scores
        sums = np.where(n_others > 0, filled.sum(axis=1, keepdims=True) - filled, np.nan)
    return {"the mean": sums / np.maximum(n_others, 1), "the sum": sums}


def column_like(table: Floats, others: Floats, near: float = 0.0) -> int | None:
    """Find the first column that repeats what the others of each row come to, hardly by chance.

    How near that has to be hangs on each cell and on the usual size of its column, so that one
    score that is far off all others brings nothing nearer.
    """
    finite = ~np.isinf(table).any(axis=1)
    table, others = table[finite], others[finite]
    if min(table.shape) < 3:
        return None
    apart = np.abs(table - others)
    usual, sizes = _usual_size(np.where(np.isnan(apart), np.nan, table)), np.abs(table)
    far = (apart > 0.1 * np.fmax(usual, sizes)).sum(axis=0)
    for number in np.flatnonzero(far <= 0.05 * len(table)):
        there = ~np.isnan(apart[:, number])
        column, away = table[there, number], apart[there, number]
        if len(column) < 3:
            continue
        rest = np.delete(table[there], number, axis=1) - column[:, None]
        for decimals in _decimals(column):
            # A published figure may have been cut off; one of single precision has seven digits.
            step = np.maximum(1e-6 * np.maximum(sizes[there, number], usual[number]), near)
            step = np.maximum(step, 1.01 * 10.0**-decimals)
            chance = np.prod(2 * step / np.maximum(usual_range(column), 2 * step))
            repeated = _in_most_rows(~(np.abs(rest) > step[:, None]).any(axis=1))
            if chance < _BY_CHANCE and not repeated and _in_most_rows(away <= step):
                return int(number)
    return None


def _usual_size(table: Floats) -> Floats:
    """Return for each column the largest |cell| without a tenth of the cells, but at least one.

    >>> _usual_size(np.array([[0.5], [-0.4], [0.2], [1e8]]))
    array([0.5])
    """
    sizes = np.sort(np.abs(table), axis=0)  # NaN comes last
    n_cells = (~np.isnan(sizes)).sum(axis=0)
    last = np.maximum(n_cells - 1 - np.maximum(n_cells // 10, 1), 0)
    found = np.take_along_axis(sizes, last[None, :], axis=0)[0]
    return np.where(n_cells > 0, found, 0.0)


def _decimals(column: Floats) -> set[int]:
    """Return how many decimals the scores are written with at most, and most of them at most."""
    shown = [Decimal(repr(value)).as_tuple().exponent for value in column[:100].tolist()]
    decimals = np.array([min(max(-int(one), 0), 12) for one in shown], dtype=float)
    return {int(decimals.max()), int(_usual_size(decimals[:, None])[0])}


def are_places(board: Votes) -> bool:
    """Return whether higher is better, and scores are the systems' places, hardly by chance.

    Systems that a column leaves out may be below those it ranks (lists of the best few), or at
    the places that it doesn't show.
    """
    if board.instances is not None or board.lower.any():
        return False
    values = np.asarray(board.values[:, board.weights > 0], dtype=float)
    highest = np.nanmax(values, initial=1.0)
    if highest > len(values) or (values < 1).any() or (2 * values % 1 > 0).any():
        return False
    telling, as_lists, with_gaps = 0, 0.0, 0.0
    for column in values.T:
        cells, lacking = np.sort(column[~np.isnan(column)]), int(np.isnan(column).sum())
        if not len(cells):
            continue
        chances = _chances_of_places(cells, lacking, highest)
        if chances is None:
            return False
        telling += min(chances) < 0
        as_lists, with_gaps = as_lists + chances[0], with_gaps + chances[1]
    return telling >= 2 and min(as_lists, with_gaps) < log(_PLACES_BY_CHANCE)


def _chances_of_places(cells: Floats, lacking: int, highest: float) -> tuple[float, float] | None:
    """Return how likely a task's scores are places by chance: the first ones, or some with gaps.

    Logarithms: 0 where they say little, infinite where they are not the first ones. None if these
    sorted scores can't be places, although as many are lacking.
    """
    levels, times = np.unique(cells, return_counts=True)
    m, k = len(cells), len(levels)
    ways = (_ends(levels, times, averaged=averaged) for averaged in (False, True))
    ends = min((last for last in ways if last is not None and last - m <= lacking), default=None)
    if ends is not None:
        # Whole numbers up to the highest of the table are equally likely; of those that leave
        # systems out, up to 5 at least, as grades are.
        n = max(int(highest), m) if lacking else m
        orders = lgamma(m + 1) - (0.0 if k == m else log(2) + (m + 1) * log(log(2)))
        first = orders - m * log(max(n, 5) if lacking else n)
        gaps = min(lacking, n - m) if k == m else lacking
        some = orders + _log_choices(m + gaps, m) - m * log(n)
        says = k >= 4 or (lacking > 0 and k == m > 1)
    elif not (levels % 1).any() and 1 <= levels[0] and levels[-1] - k <= lacking:
        # Dense places: so likely are the numbers up to the last, of whatever scale, all there.
        n, ends = int(levels[-1]), m + int(levels[-1]) - k
        filled = log1p(-exp(-m / n))
        first, some = n * filled, max(n - lacking, 0) * filled + _log_choices(n, min(lacking, n))
        says = k >= 4
    else:
        return None
    if not says:
        first = some = 0.0
    return min(first, 0.0) if ends == m else inf, min(some, 0.0)


def _log_choices(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def _ends(levels: Floats, times: Ints, *, averaged: bool) -> int | None:
    """Return the last place that scores take if they are places; None if they can't be."""
    # Tied systems share the first of their places, or the average; then one more may be lacking.
    sizes = times + (averaged & ((2 * levels - times) % 2 == 0))
    first = levels - (sizes - 1) / 2 if averaged else levels
    apart = np.diff(first) >= sizes[:-1]
    if (first % 1).any() or first[0] < 1 or not apart.all():
        return None
    return int(first[-1] + sizes[-1] - 1)


#: Whole numbers look so much like places at most once in so many tables.
_PLACES_BY_CHANCE = 5e-3
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


def _memory(frame: object) -> _Memory:
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
