"""Averages over the tasks: of the scores themselves, of places, and of wins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays import means as arrays
from nbrank.arrays.contributions import Contributions
from nbrank.arrays.positional import borda
from nbrank.arrays.profile import Missing, Profile
from nbrank.arrays.tally import PlaceCounts
from nbrank.labelled.ballots import (
    EVERY_MISSING,
    Treated,
    filled,
    refuse_cells,
    refuse_missing,
    treated,
)
from nbrank.labelled.described import described
from nbrank.labelled.leaderboard import (
    Groups,
    Leaderboard,
    LowerIsBetter,
    TaskNames,
    Weights,
    as_leaderboard,
    named,
)
from nbrank.labelled.options import check_choice
from nbrank.labelled.ranking import ranking
from nbrank.labelled.tally import CountedTasks, Tally, places_of, points_of

Averaging = Callable[[Profile], NDArray[np.float64]]
PerTask = float | Mapping[Any, float] | pd.Series

#: Of the tolerance, what rounding alone needs.
_ROUNDING = 1e-5
#: What to do about scores that a mean refuses.
_MISSING = (
    "a mean over different tasks rewards skipping the hard ones. Choose missing='ignore' for the "
    "mean over what is there, missing='median' to fill with the task's median, or a rule that can "
    "rank with missing scores, such as borda, mean_win_rate or copeland"
)
_INFINITE = (
    "they have no average. Replace them, or use a rule that looks at places, such as borda or "
    "copeland"
)
_OF_SCORES: tuple[Missing, ...] = ("raise", "ignore", "median")


def _averages(
    board: Leaderboard,
    rule: str,
    average: Averaging,
    missing: Missing,
    seen: Callable[[Profile, Missing], Treated],
) -> NDArray[np.float64]:
    """The rule's scores in table order, NaN for a system that has none."""
    if missing == "raise":
        refuse_missing(board, rule, _MISSING)
    return seen(board.profile(), missing).scored(average)


def _refuse_infinite(board: Leaderboard, rule: str) -> None:
    refuse_cells(board, rule, np.isinf, "infinite score", _INFINITE)


def _refuse_mixed(board: Leaderboard | CountedTasks, rule: str) -> None:
    """An average of scores makes sense in one orientation only."""
    lower = board.lower & (board.weights > 0)
    if lower.any() and not lower[board.weights > 0].all():
        raise ValueError(
            f"{rule}: lower is better on {named(board.tasks[lower])} and higher on the "
            f"other tasks, so their scores can't be averaged; use normalized_mean with low and "
            f"high per task, or a rule that looks at places, such as borda or copeland"
        )


def _refuse_negative_and_lower(board: Leaderboard, rule: str) -> None:
    if board.lower.any():
        raise ValueError(
            f"{rule}: lower is better on {named(board.lower_is_better)}, and this mean has no "
            f"meaning for negated scores; use normalized_mean, borda or copeland"
        )
    refuse_cells(
        board,
        rule,
        lambda values: values < 0,
        "negative score",
        "rescale those tasks, or use mean, borda or copeland",
    )


def _rank_scores(
    board: Leaderboard, rule: str, average: Averaging, missing: Missing
) -> pd.DataFrame:
    check_choice(rule, "missing", missing, _OF_SCORES)
    _refuse_infinite(board, rule)
    scores = _averages(board, rule, average, missing, filled)
    if np.isinf(scores).any():
        raise ValueError(
            f"{rule}: the average of {named(board.systems[np.isinf(scores)])} is too large for a "
            f"float; rescale the scores"
        )
    # Sums that cancel leave a rounding error of the size of what was summed.
    summed = np.abs(board.values[:, board.counted])
    scale = float(np.nanmax(summed, initial=0.0)) * _ROUNDING
    return ranking(board.systems, scores, rule, scale=scale)


def _mean_of_task_means(board: Leaderboard) -> Averaging:
    def average(profile: Profile) -> NDArray[np.float64]:
        task = board.column_task[board.counted]
        tasks = np.unique(task)
        means = np.column_stack(
            [
                arrays.mean(Profile(profile.scores[:, task == one], profile.weights[task == one]))
                for one in tasks
            ]
        )
        return arrays.mean(Profile(means, board.weights[tasks]))

    return average


def _mean_of_tally(tasks: CountedTasks, missing: Missing, levels: int) -> pd.DataFrame:
    check_choice("mean", "levels", levels, (1, 2))
    _refuse_mixed(tasks, "mean")
    check_choice("mean", "missing", missing, _OF_SCORES)
    largest = np.array([counts.largest for counts in tasks.counts])
    infinite = np.isinf(largest)
    if infinite.any():
        raise ValueError(
            f"mean: infinite scores, of "
            f"{named(tasks.systems[np.flatnonzero(infinite.any(axis=0))])} on "
            f"{named(tasks.tasks[np.flatnonzero(infinite.any(axis=1))])}; {_INFINITE}"
        )
    tasks.check("mean", missing, levels, _MISSING)
    scores = tally_mean(tasks, levels).estimates
    return ranking(tasks.systems, scores, "mean", scale=largest.max(initial=0.0) * _ROUNDING)


def tally_mean(tasks: CountedTasks, levels: int) -> Contributions:
    """What each task adds to the mean of each system.

    Parameters
    ----------
    tasks
        The tasks.
    levels
        1 for the mean of all instances of all tasks, 2 for that of the task means.
    """
    shape = (len(tasks.tasks), len(tasks.systems))
    sums = np.reshape([counts.scores.sums for counts in tasks.counts], shape).T
    number = np.reshape([counts.places.observed.sum(axis=1) for counts in tasks.counts], shape).T
    if levels == 1:
        return Contributions(sums * tasks.weights, number * tasks.weights)
    there = number > 0
    means = np.divide(sums, number, out=np.zeros(sums.shape), where=there)
    return Contributions(means * tasks.weights, there * tasks.weights)


@described
def mean(
    scores: pd.DataFrame | Leaderboard | Tally,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "raise",
    levels: int = 2,
) -> pd.DataFrame:
    """Which system has the highest average score?

    Parameters
    ----------
    {counted}
    {missing_mean}
    levels
        For instance-level scores: 2 is the mean of the task means, 1 the mean
        of all instances of all tasks.

    Returns
    -------
    {ranking}
        score
            The weighted arithmetic mean, in the unit of the scores; negated
            if lower is better on all tasks.

    Raises
    ------
    {errors}
        Also if scores are infinite or missing, or lower is better on some
        tasks only.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [90, 80], "t2": [50, 70]}, index=["A", "B"])
    >>> mean(scores)
       rank  score
    B     1   75.0
    A     2   70.0
    >>> mean(scores, weights={"t1": 3})
       rank  score
    A     1   80.0
    B     2   77.5
    """
    if isinstance(scores, Tally):
        tasks = scores.weighed(weights, groups, lower_is_better)
        return _mean_of_tally(tasks, missing, levels)
    board = as_leaderboard(scores, weights, groups, lower_is_better)
    check_choice("mean", "levels", levels, (1, 2))
    _refuse_mixed(board, "mean")
    two_levels = board.is_instance_level and levels == 2
    average = _mean_of_task_means(board) if two_levels else arrays.mean
    return _rank_scores(board, "mean", average, missing)


@described
def geometric_mean(
    scores: pd.DataFrame | Leaderboard,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "raise",
) -> pd.DataFrame:
    """Which system has the highest geometric mean, where ratios count and not differences?

    Parameters
    ----------
    {board}
    {missing_mean}

    Returns
    -------
    {ranking}
        score
            The weighted geometric mean; 0 for a system with a score of 0.

    Raises
    ------
    {errors}
        Also if scores are negative, infinite or missing, or lower is better
        on a task.

    References
    ----------
    Fleming and Wallace, How not to lie with statistics: the correct way to
    summarize benchmark results, Communications of the ACM, 1986.

    Examples
    --------
    >>> import pandas as pd
    >>> geometric_mean(pd.DataFrame({"t1": [1, 3], "t2": [16, 3]}, index=["A", "B"]))
       rank  score
    A     1    4.0
    B     2    3.0
    """
    board = as_leaderboard(scores, weights, groups, lower_is_better)
    _refuse_negative_and_lower(board, "geometric_mean")
    return _rank_scores(board, "geometric_mean", arrays.geometric_mean, missing)


@described
def harmonic_mean(
    scores: pd.DataFrame | Leaderboard,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "raise",
) -> pd.DataFrame:
    """Which system has the highest harmonic mean, which a single low score pulls down?

    Parameters
    ----------
    {board}
    {missing_mean}

    Returns
    -------
    {ranking}
        score
            The weighted harmonic mean; 0 for a system with a score of 0.

    Raises
    ------
    {errors}
        Also if scores are negative, infinite or missing, or lower is better
        on a task.

    References
    ----------
    Shavrina and Malykh, How not to lie with a benchmark: rearranging NLP
    leaderboards, 2021.

    Examples
    --------
    >>> import pandas as pd
    >>> harmonic_mean(pd.DataFrame({"t1": [1, 2], "t2": [3, 2]}, index=["A", "B"]))
       rank  score
    B     1    2.0
    A     2    1.5
    """
    board = as_leaderboard(scores, weights, groups, lower_is_better)
    _refuse_negative_and_lower(board, "harmonic_mean")
    return _rank_scores(board, "harmonic_mean", arrays.harmonic_mean, missing)


@described
def median(
    scores: pd.DataFrame | Leaderboard,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "raise",
) -> pd.DataFrame:
    """Which system has the highest median score, which outlying tasks don't move?

    Parameters
    ----------
    {board}
    {missing_mean}

    Returns
    -------
    {ranking}
        score
            The weighted median: half of the weight on either side, the middle
            of two scores where both split it; negated if lower is better on
            all tasks.

    Raises
    ------
    {errors}
        Also if scores are infinite or missing, or lower is better on some
        tasks only.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [1, 2], "t2": [3, 2], "t3": [9, 2]}, index=["A", "B"])
    >>> median(scores)
       rank  score
    A     1    3.0
    B     2    2.0
    """
    board = as_leaderboard(scores, weights, groups, lower_is_better)
    _refuse_mixed(board, "median")
    return _rank_scores(board, "median", arrays.median, missing)


def _rank_places(
    board: Leaderboard, rule: str, average: Averaging, compatible: Averaging, missing: Missing
) -> pd.DataFrame:
    check_choice(rule, "missing", missing, EVERY_MISSING)
    chosen = compatible if missing == "compatible" else average
    return ranking(board.systems, _averages(board, rule, chosen, missing, treated), rule)


def _rank_counted(
    tasks: CountedTasks,
    rule: str,
    average: Callable[[Mapping[float, PlaceCounts]], NDArray[np.float64]],
    compatible: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    missing: Missing,
) -> pd.DataFrame:
    """Rank what was counted: by places, or by the mean number of systems below if "compatible"."""
    tasks.check(rule, missing, 1, _MISSING)
    counts = tasks.by_weight()
    if missing == "compatible":
        weight = sum(one * int(found.places.n_ballots.sum()) for one, found in counts.items())
        below = _mean_below(points_of(counts, "compatible", "average"), weight)
        return ranking(tasks.systems, compatible(below), rule)
    scores = average(places_of(counts, missing))
    return ranking(tasks.systems, np.where(tasks.scored, scores, np.nan), rule)


def _mean_borda(profile: Profile) -> NDArray[np.float64]:
    """The mean number of systems below, a missing score by compatible rankings."""
    return _mean_below(borda(profile, "compatible", "average"), float(profile.weights.sum()))


def _mean_below(points: NDArray[np.float64], weight: float) -> NDArray[np.float64]:
    """The mean number of systems below; NaN where there is no ballot, and so no mean."""
    return points / weight if weight else np.full(len(points), np.nan)


@described
def mean_rank(
    scores: pd.DataFrame | Leaderboard | Tally,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "raise",
) -> pd.DataFrame:
    """Which system has the best place on average?

    Parameters
    ----------
    {counted}
    missing
        How a missing score counts: "raise" (refuse, since a mean over different
        tasks rewards skipping the hard ones), "ignore" (the mean of its places
        among the scored), "compatible" (the average place over all compatible
        complete rankings), "median" or "worst".

    Returns
    -------
    {ranking}
        score
            Minus the weighted mean of its place, tied systems sharing the
            average of theirs.

    Raises
    ------
    {errors}
        Also if scores are missing.

    References
    ----------
    Friedman, The use of ranks to avoid the assumption of normality, Journal of
    the American Statistical Association, 1937.

    Examples
    --------
    >>> import pandas as pd
    >>> mean_rank(pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 3, 1]}, index=["A", "B", "C"]))
       rank  score
    A     1  -1.25
    B     2  -1.75
    C     3  -3.00
    """
    if isinstance(scores, Tally):
        return _rank_counted(
            scores.weighed(weights, groups, lower_is_better),
            "mean_rank",
            lambda places: -arrays.mean_place_of_counts(places),
            lambda below: below - len(scores.systems),
            missing,
        )
    board = as_leaderboard(scores, weights, groups, lower_is_better)
    n = len(board.systems)
    return _rank_places(
        board,
        "mean_rank",
        lambda profile: -arrays.mean_place(profile),
        lambda profile: _mean_borda(profile) - n,
        missing,
    )


@described
def mean_win_rate(
    scores: pd.DataFrame | Leaderboard | Tally,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "ignore",
) -> pd.DataFrame:
    """Which system beats the largest share of the others, on average over its tasks?

    Parameters
    ----------
    {counted}
    missing
        How a missing score counts: "ignore" (the others are those scored on
        the task, and the mean is over the tasks on which the system is
        scored), "compatible" (the average over all compatible complete
        rankings), "median", "worst" or "raise".

    Returns
    -------
    {ranking}
        score
            The weighted mean over the tasks of the share of the other scored
            systems that it beats, ties half. A task on which it is alone is
            left out.

    Raises
    ------
    {errors}

    References
    ----------
    Liang et al., Holistic Evaluation of Language Models, 2022.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [1, 2, None]}, index=["A", "B", "C"])
    >>> mean_win_rate(scores)
       rank  score
    B     1   0.75
    A     2   0.50
    C     3   0.00
    """
    if isinstance(scores, Tally):
        return _rank_counted(
            scores.weighed(weights, groups, lower_is_better),
            "mean_win_rate",
            arrays.mean_win_rate_of_counts,
            lambda below: below / max(len(scores.systems) - 1, 1),
            missing,
        )
    board = as_leaderboard(scores, weights, groups, lower_is_better)
    others = max(len(board.systems) - 1, 1)
    return _rank_places(
        board,
        "mean_win_rate",
        arrays.mean_win_rate,
        lambda profile: _mean_borda(profile) / others,
        missing,
    )


def per_ballot(board: Leaderboard, value: PerTask, rule: str, option: str) -> NDArray[np.float64]:
    """One number for each ballot, from a number or a mapping task (or group) -> number."""
    if isinstance(value, Mapping | pd.Series):
        names = TaskNames.of(board.tasks, board.groups)
        given = np.full(len(board.tasks), np.nan)
        for name, number in value.items():
            given[names.members_of(name, f"{rule}: {option}")] = number
        left_out = board.tasks[np.isnan(given) & (board.weights > 0)]
        if len(left_out):
            raise ValueError(f"{rule}: {option} is not given for {named(left_out)}")
    elif isinstance(value, int | float | np.number):
        given = np.full(len(board.tasks), float(value))
    else:
        raise TypeError(
            f"{rule}: {option} must be a number or a mapping from task to number, not {value!r}"
        )
    if not np.isfinite(given[board.weights > 0]).all():
        raise ValueError(f"{rule}: {option} must be finite numbers")
    return given[board.column_task[board.counted]]


def orientation(board: Leaderboard) -> NDArray[np.float64]:
    """-1 for each ballot on which lower is better, 1 for the others."""
    return np.where(board.lower[board.column_task[board.counted]], -1.0, 1.0)


@described
def normalized_mean(
    scores: pd.DataFrame | Leaderboard,
    low: PerTask,
    high: PerTask,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "raise",
) -> pd.DataFrame:
    """Which system has the highest average once each task is put between a floor and a ceiling?

    Parameters
    ----------
    {board}
    low
        The score that counts 0, such as that of chance: a number, or a mapping
        from task (or group) to a number.
    high
        The score that counts 1, such as the best possible or a human's: a
        number, or a mapping. Below `low` on tasks on which lower is better,
        above it on all others.
    {missing_mean}

    Returns
    -------
    {ranking}
        score
            The weighted mean of (score - low) / (high - low).

    Raises
    ------
    {errors}
        Also if `low` and `high` stand the wrong way round, or scores are
        infinite or missing.

    References
    ----------
    Mnih et al., Human-level control through deep reinforcement learning,
    Nature, 2015 (human-normalised scores).

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"binary": [0.6, 0.7], "error": [2.0, 4.0]}, index=["A", "B"])
    >>> normalized_mean(
    ...     scores,
    ...     low={"binary": 0.5, "error": 10},
    ...     high={"binary": 1, "error": 0},
    ...     lower_is_better=["error"],
    ... )
       rank  score
    A     1    0.5
    B     1    0.5
    """
    board = as_leaderboard(scores, weights, groups, lower_is_better)
    sign = orientation(board)
    lowest = sign * per_ballot(board, low, "normalized_mean", "low")
    highest = sign * per_ballot(board, high, "normalized_mean", "high")
    wrong = board.tasks[np.unique(board.column_task[board.counted][highest <= lowest])]
    if len(wrong):
        raise ValueError(
            f"normalized_mean: on {named(wrong)} high is no better than low; high is the better "
            f"end, so it is above low, and below it where lower is better"
        )
    return _rank_scores(
        board,
        "normalized_mean",
        lambda profile: arrays.normalized_mean(profile, lowest, highest),
        missing,
    )


@described
def optimality_gap(
    scores: pd.DataFrame | Leaderboard,
    gamma: PerTask,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "raise",
) -> pd.DataFrame:
    """Which system falls least short of a target, where going beyond it earns nothing?

    Parameters
    ----------
    {board}
    gamma
        The target, in the unit of the scores: a number, or a mapping from task
        (or group) to a number.
    {missing_mean}

    Returns
    -------
    {ranking}
        score
            Minus the weighted mean of max(gamma - score, 0), or of
            max(score - gamma, 0) on tasks on which lower is better.

    Raises
    ------
    {errors}
        Also if scores are infinite or missing.

    References
    ----------
    Agarwal, Schwarzer, Castro, Courville and Bellemare, Deep reinforcement
    learning at the edge of the statistical precipice, 2021.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [99, 90], "t2": [80, 90]}, index=["A", "B"])
    >>> optimality_gap(scores, gamma=95)
       rank  score
    B     1   -5.0
    A     2   -7.5
    """
    board = as_leaderboard(scores, weights, groups, lower_is_better)
    target = orientation(board) * per_ballot(board, gamma, "optimality_gap", "gamma")
    return _rank_scores(
        board,
        "optimality_gap",
        lambda profile: arrays.optimality_gap(profile, target) + 0.0,
        missing,
    )
