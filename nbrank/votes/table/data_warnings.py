"""Warnings about tables that are probably not what the user intended."""

import weakref
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from nbrank.arrays.ballots.profile import usual_range
from nbrank.arrays.typing import Bools, Floats
from nbrank.votes import user_warnings
from nbrank.votes.base import Votes
from nbrank.votes.formatting import Label, format_labels, pluralize
from nbrank.votes.labeled_values import spell_out, spellings
from nbrank.votes.leaderboard_copies import LeaderboardCopies
from nbrank.votes.table.direction_names import is_lower_name, is_metric_name
from nbrank.votes.table.name_heuristics import (
    SYSTEMS,
    find_metadata_columns,
    is_benchmark_name,
    is_called_average,
    is_named_like,
    similar_labels,
)
from nbrank.votes.table.near_ties import warn_near_ties
from nbrank.votes.table.place_detection import looks_like_places
from nbrank.votes.table.task_options import LowerIsBetter, Weights

_TASK_LEVEL = ("task", "benchmark", "dataset", "metric", "criterion", "criteria")


def warn_suspicious_data(
    board: LeaderboardCopies,
    given: object,
    attrs: Mapping[Any, Any],
    weights: Weights,
    lower: LowerIsBetter,
) -> list[user_warnings.RankingCheck]:
    """Warn of likely mistakes in a table and its options; return what to check when it is ranked.

    Warnings are remembered for the user's own frame, also one of polars.
    """
    named_ones = tuple(dict(weights)) if isinstance(weights, Mapping | pd.Series) else ()
    options = type(lower), board.is_lower_better.tobytes(), named_ones, board.weights.tobytes()
    _boards[board] = _get_state(given)
    _warn_once(board, options, _iter_data_warnings(board, attrs, weights, lower))
    if board.instances is not None:
        return _unscored_check(board)
    # The check holds the arrays and not the board, because a reference cycle would delay freeing
    # the scores.
    near = partial(warn_near_ties, board.values, board.systems, board.tasks, board.weights > 0)
    return [user_warnings.RankingCheck("scores", near), *_unscored_check(board)]


user_warnings.BOARD_CHECKS.append(warn_suspicious_data)


def _iter_data_warnings(
    board: LeaderboardCopies, attrs: Mapping[Any, Any], weights: Weights, lower: LowerIsBetter
) -> Iterator[user_warnings.LeaderboardWarning]:
    if rows_look_like_tasks(board.systems, board.tasks):
        yield user_warnings.TransposedWarning(
            "the rows look like tasks, and the columns like systems; nbrank ranks the rows, so "
            "give df.T instead of df"
        )
        return
    similar = [*map(similar_labels, (board.systems, board.tasks))]
    describing = find_metadata_columns(board.tasks)
    called_averages = [*map(is_called_average, board.tasks)]
    named_lower = [*map(is_lower_name, board.tasks)]
    for what, groups in zip(("systems", "tasks"), similar, strict=True):
        if groups:
            yield _similar_names_warning(what, groups)
    unsaid = not isinstance(lower, bool | np.bool_ | Mapping | pd.Series)
    weighed = {
        position
        for name in (dict(weights) if isinstance(weights, Mapping | pd.Series) else ())
        for position in board.task_names.member_positions(name, "weights")
    }
    # A column without a name is an index in a file, but in a frame the user left it so.
    is_described = np.array([name in describing and name != "" for name in board.tasks], dtype=bool)
    about = is_described & (board.weights > 0) & ~board.is_lower_better
    about[list(weighed)] = False
    # Such columns are intended if there are no others, or if `read` was asked to rank them.
    about &= "metadata" not in attrs and not is_described.all()
    if about.any():
        described, plural = list(board.tasks[about]), about.sum() > 1
        yield user_warnings.DescriptionWarning(
            f"{format_labels(described)} {'describe' if plural else 'describes'} the systems, it "
            f"seems, and {'count' if plural else 'counts'} as a task; leave it out with "
            f"df.drop(columns={described!r}), or read the table with nbrank.read, which sets such "
            "columns aside"
        )
    doubtful = _select_suspected(board, named_lower, ~about)
    if unsaid:
        yield from _iter_direction_warnings(board, doubtful, attrs.get("score"))
    if averages := _find_average_columns(board, about, called_averages):
        yield user_warnings.AverageColumnWarning(
            f"{format_labels(averages)} looks like an average or a sum of the other tasks, and "
            f"counts as a task of its own; leave it out with df.drop(columns={averages!r})"
        )
    if weighed:
        left = [task for position, task in enumerate(board.tasks) if position not in weighed]
        if left:
            yield user_warnings.PartialWeightsWarning(
                f"weights name {pluralize(len(weighed), 'task')} of {len(board.tasks)}; the weight "
                f"of {format_labels(left)} is 1. Name every task, with 1 where that is meant"
            )


def _iter_direction_warnings(
    board: LeaderboardCopies, doubtful: list[Label], score: Label
) -> Iterator[user_warnings.LeaderboardWarning]:
    """Warn of tasks, of a score and of cells that look as if lower were better."""
    if doubtful:
        yield user_warnings.OrientationWarning(
            f"higher is taken as better on {format_labels(doubtful)}, whose name says that lower "
            f"is; give lower_is_better={doubtful[:8]!r}, or lower_is_better=False if higher is "
            "better on all tasks"
        )
    if board.is_lower_better.any():
        return
    if score is not None and is_lower_name(score):
        yield user_warnings.OrientationWarning(
            f"higher is taken as better, and the scores are called {score!r}, "
            f"where lower is better; give lower_is_better=True, or False if higher is better on "
            "all tasks"
        )
    elif not doubtful and looks_like_places(board):
        yield user_warnings.PlacesWarning(
            "higher is taken as better, and the cells look like places, where 1 is best; give "
            "lower_is_better=True, or False if they are points"
        )


def rows_look_like_tasks(rows: pd.Index, columns: pd.Index) -> bool:
    """Return whether the names of rows, of columns or of their levels are those of df.T.

    >>> rows_look_like_tasks(pd.Index(["bleu", "latency"]), pd.Index(["gpt", "claude"]))
    True
    """
    if is_named_like(rows.name, _TASK_LEVEL) or is_named_like(columns.name, SYSTEMS):
        return True
    few = rows[:20]  # A sample is enough to judge the others.
    if len(rows) > 1 and sum(map(is_benchmark_name, few)) >= 0.8 * len(few):
        return not any(is_benchmark_name(name) or is_metric_name(name) for name in columns)
    return len(rows) > 1 and all(map(is_metric_name, rows))


def _similar_names_warning(
    noun: str, groups: Iterable[list[Label]]
) -> user_warnings.SimilarNamesWarning:
    """Warn of systems, or tasks, whose names are equal but for case or spaces."""
    return user_warnings.SimilarNamesWarning(
        f"{'; '.join(map(spell_out, groups))} count as different {noun}, and their names are "
        f"equal but for case or spaces; if they are the same, give them one name, and if not, "
        f"names that differ more"
    )


def find_suspected_lower_is_better(board: Votes) -> list[Label]:
    """Find the tasks that count and whose names contradict that higher is better on them."""
    return _select_suspected(board, [*map(is_lower_name, board.tasks)])


def _select_suspected(
    board: Votes, named_lower: Sequence[bool], candidates: Bools | bool = True
) -> list[Label]:
    suspected = np.array(named_lower, dtype=bool) & ~board.is_lower_better & (board.weights > 0)
    return list(board.tasks[suspected & candidates])


def warn_of_no_opponents(votes: Votes, systems: pd.Index) -> None:
    """Warn of systems without opponents, except in a table that nbrank itself derived."""
    if len(systems) and (votes in _boards or "ballots" not in votes.provides):
        has, its, it, they_are = (
            ("has", "its", "it", "it is")
            if len(systems) == 1
            else ("have", "their", "them", "they are")
        )
        advice = f"; leave {it} out, or take missing='worst'"
        user_warnings.warn_user(
            f"mean_win_rate: {format_labels(systems)} {has} scores, but none on a task with "
            f"another system's score, so {its} share of wins is unknown (NaN) and {they_are} "
            f"ranked last{advice if len(systems) < len(votes.systems) else ''}",
            user_warnings.NoOpponentsWarning,
        )


def warn_mixed_scales(board: Votes) -> None:
    """Warn of a mean over fractions and percents together, or over percents and larger units."""
    if "ballots" in board.provides:
        _warn_once(board, "scales", _iter_scale_warnings(board))


def _unscored_check(board: Votes) -> list[user_warnings.RankingCheck]:
    """Return the check that warns of ranked systems without a score; nothing if all have one."""
    empty = ~(~np.isnan(board.values) & (board.weights[board.task_codes] > 0)).any(axis=1)
    if not empty.any():
        return []
    memory, values, systems = _boards[board], board.values, board.systems

    def warn_of_unscored(_: str, ranked: pd.Index) -> None:
        named_ones = empty & systems.isin(ranked)
        if not named_ones.any():
            return
        unscored = systems[named_ones]
        has, is_ranked, it = ("has", "is", "it") if len(unscored) == 1 else ("have", "are", "them")
        rest = "df.dropna(how='all')"
        if not np.isnan(values[named_ones]).all():  # it has scores on tasks without weight
            rest = f"df.drop(index=[{format_labels(unscored)}])"
        message = (
            f"{format_labels(unscored)} {has} no score at all, and {is_ranked} ranked all the "
            "same: by the points to be expected where missing='compatible', else last; to leave "
            f"{it} out, rank {rest}"
        )
        if message not in memory.messages_shown and user_warnings.warn_user(
            message, user_warnings.UnscoredWarning
        ):
            memory.messages_shown.add(message)

    return [user_warnings.RankingCheck("raise", warn_of_unscored)]


def _iter_scale_warnings(board: Votes) -> Iterator[user_warnings.LeaderboardWarning]:
    if (found := find_mixed_scales(board)) is not None:
        limit, below, above = found
        yield user_warnings.ScaleWarning(
            f"mean: all scores on {format_labels(below)} are at most {limit}, and all "
            f"on {format_labels(above)} are above it, so the latter "
            f"{'decide' if len(above) > 1 else 'decides'} the mean; bring "
            "the tasks to one scale, or use a rule that looks at places, such as borda"
        )


def find_mixed_scales(board: Votes) -> tuple[int, pd.Index, pd.Index] | None:
    """Find a limit, the tasks with all scores up to it, and those with all above; else None."""
    if board.instances is not None:
        return None
    # One or two scores do not reveal a task's scale.
    enough = ((~np.isnan(board.values)).sum(axis=0) >= 3) & (board.weights > 0)
    tasks, seen = board.tasks[enough], np.asarray(board.values, dtype=float)[:, enough]
    for limit, factor in ((1, 10), (100, 2)):
        below = np.nanmax(np.abs(seen), axis=0) <= limit
        above = (np.nanmin(seen, axis=0) > limit) & (np.nanmax(seen, axis=0) > factor * limit)
        if below.any() and above.any():
            return limit, tasks[below], tasks[above]
    return None


def _find_average_columns(
    board: Votes, is_metadata: Bools, called_averages: Sequence[bool]
) -> list[Label]:
    """Find columns that sum up the others, or are named averages and lie between the others."""
    if board.instances is not None or len(board.systems) < 3:
        return []
    scores = np.flatnonzero(~is_metadata)
    values = np.asarray(board.values, dtype=float)[:, scores]
    results = [at for at, column in enumerate(scores.tolist())
               if called_averages[column] and _is_between_others(values, at)]  # fmt: skip
    others = np.delete(np.arange(len(scores)), results)
    few, rest = values[:_N_PROBED_ROWS, others], values[:, others]
    # A few rows are probed first, which rules out most tables.
    kinds = [
        what
        for what, sums in row_means_and_sums(few).items()
        if find_summary_column(few, sums) is not None
    ]
    summaries = [find_summary_column(rest, row_means_and_sums(rest)[what]) for what in kinds]
    results += [int(others[summary]) for summary in summaries if summary is not None]
    # If most columns are alike, none of them is distinct as the average of the others.
    if 2 * len(results) >= len(scores):
        return []
    return [board.tasks[at] for at in np.unique(scores[results]).tolist() if board.weights[at] > 0]


def _is_between_others(values: Floats, position: int) -> bool:
    """Return whether a column's scores are between the lowest and the highest of the others."""
    column, rest = values[:, position], np.delete(values, position, axis=1)
    low = np.nanmin(rest, axis=1, initial=np.inf)
    high = np.nanmax(rest, axis=1, initial=-np.inf)
    return _in_most_rows(np.isnan(column) | ((low <= column) & (column <= high)))


def _in_most_rows(holds: Bools) -> bool:
    """Return whether something holds in 95 % of rows; the others may be of another version."""
    return bool(holds.mean() >= 0.95)


def row_means_and_sums(table: Floats) -> dict[str, Floats]:
    """Compute for each cell the mean and the sum of the other cells in its row."""
    observed = ~np.isnan(table)
    filled = np.where(observed, table, 0.0)
    n_others = observed.sum(axis=1, keepdims=True) - observed
    with np.errstate(over="ignore", invalid="ignore"):  # scores may be huge or infinite
        sums = np.where(n_others > 0, filled.sum(axis=1, keepdims=True) - filled, np.nan)
    return {"the mean": sums / np.maximum(n_others, 1), "the sum": sums}


def find_summary_column(table: Floats, others: Floats, tolerance: float = 0.0) -> int | None:
    """Find the first column that equals the mean or sum of the others, too closely for chance.

    The tolerance depends on each cell and on the usual size of its column, so that a single
    outlier does not widen it.
    """
    finite = ~(np.abs(table) > 1e300).any(axis=1)  # differences must be finite, too
    table, others = table[finite], others[finite]
    if min(table.shape) < 3:
        return None
    apart = np.abs(table - others)
    usual, sizes = _usual_size(np.where(np.isnan(apart), np.nan, table)), np.abs(table)
    far = (apart > 0.1 * np.fmax(usual, sizes)).sum(axis=0)
    for number in np.flatnonzero(far <= 0.05 * len(table)):
        observed = ~np.isnan(apart[:, number])
        column, away = table[observed, number], apart[observed, number]
        if len(column) < 3:
            continue
        rest = np.delete(table[observed], number, axis=1) - column[:, None]
        for decimals in _decimals(column):
            # A published figure may be truncated; single precision has seven digits.
            step = np.maximum(1e-6 * np.maximum(sizes[observed, number], usual[number]), tolerance)
            step = np.maximum(step, 1.01 * 10.0**-decimals)
            # A value that repeats, such as a fill value, is evidence once.
            _, once = np.unique(column, return_index=True)
            chance = np.prod(2 * step[once] / np.maximum(usual_range(column), 2 * step[once]))
            repeated = _in_most_rows(~(np.abs(rest) > step[:, None]).any(axis=1))
            if chance < _CHANCE_THRESHOLD and not repeated and _in_most_rows(away <= step):
                return int(number)
    return None


def _usual_size(table: Floats) -> Floats:
    """Return for each column the largest |cell| without a tenth of the cells, but at least one.

    >>> _usual_size(np.array([[0.5], [-0.4], [0.2], [1e8]]))
    array([0.5])
    """
    sizes = np.sort(np.abs(table), axis=0)  # NaN is sorted last
    n_cells = (~np.isnan(sizes)).sum(axis=0)
    last = np.maximum(n_cells - 1 - np.maximum(n_cells // 10, 1), 0)
    result = np.take_along_axis(sizes, last[None, :], axis=0)[0]
    return np.where(n_cells > 0, result, 0.0)


def _decimals(column: Floats) -> set[int]:
    """Return the largest number of decimals of all scores, and of 90 % of them."""
    shown = [Decimal(repr(value)).as_tuple().exponent for value in column[:100].tolist()]
    decimals = np.array([min(max(-int(item), 0), 12) for item in shown], dtype=float)
    return {int(decimals.max()), int(_usual_size(decimals[:, None])[0])}


#: Maximum probability that a column of noise matches a summary of the others.
_CHANCE_THRESHOLD = 1e-6
#: Number of rows that are probed before a whole column is compared.
_N_PROBED_ROWS = 50


class _WarningState:
    """Checks that were done and warnings that were shown for a table."""

    def __init__(self) -> None:
        self.labels: tuple[pd.Index, ...] = ()
        self.checks_done: set[Hashable] = set()
        self.messages_shown: set[str] = set()


#: Warning states by the ids of frames, as long as the frames exist.
_frames: dict[int, _WarningState] = {}
#: Warning states by leaderboard; leaderboards of the same frame share its state.
_boards: weakref.WeakKeyDictionary[Any, _WarningState] = weakref.WeakKeyDictionary()


def _get_state(frame: object) -> _WarningState:
    """Return the warning state of a frame."""
    if id(frame) not in _frames:
        _frames[id(frame)] = _WarningState()
        weakref.finalize(frame, _frames.pop, id(frame), None)
    return _frames[id(frame)]


def _warn_once(
    board: Votes, key: Hashable, doubts: Iterable[user_warnings.LeaderboardWarning]
) -> None:
    """Check a table unless it was checked before, and show each warning once."""
    memory, labels = _boards.setdefault(board, _WarningState()), (board.systems, board.tasks)
    if not memory.labels or not all(map(pd.Index.identical, memory.labels, labels)):
        memory.labels = labels
        memory.checks_done.clear()
    # Values may change in place. For single instances only the names are checked.
    looked_at = key, hash(b"" if board.instances is not None else board.values.tobytes())
    if looked_at in memory.checks_done:
        return
    unheard = False
    for doubt in doubts:
        message = str(doubt)
        if message not in memory.messages_shown:
            # A warning that is silenced or raised as an error does not count as shown.
            if user_warnings.warn_user(message, type(doubt)):
                memory.messages_shown.add(message)
            else:
                unheard = True
    if not unheard:
        memory.checks_done.add(looked_at)


def warn_of_merged_names(names: Iterable[Label]) -> None:
    """Warn of names that are read as the same system."""
    for name, listed in spellings(names).items():
        user_warnings.warn_user(
            f"{spell_out(listed)} are taken as one system, {name!r}: they differ only in spaces "
            f"around them or in their Unicode form; if they are two, rename one of them",
            user_warnings.SimilarNamesWarning,
        )


def warn_of_similar_names(systems: pd.Index) -> None:
    """Warn of systems whose names are equal but for case or spaces."""
    if groups := similar_labels(systems):
        warning = _similar_names_warning("systems", groups)
        user_warnings.warn_user(str(warning), user_warnings.SimilarNamesWarning)
