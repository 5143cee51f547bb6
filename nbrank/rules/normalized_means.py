"""Averages of scores that are measured against a floor and a ceiling, or a target, per task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Unpack

import numpy as np
import pandas as pd

from nbrank.arrays.ballots import averages as arrays
from nbrank.arrays.ballots.profile import Missing, Profile
from nbrank.arrays.typing import Floats
from nbrank.rules.additive_form import AdditiveForm, BallotValues
from nbrank.rules.means import rank_by_average, register_mean_rule
from nbrank.rules.registry import format_negated
from nbrank.votes.formatting import format_labels
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.table.task_options import PerTask, TableOptions
from nbrank.votes.table.validation import validate_number


def broadcast_to_ballots(board: Leaderboard, value: PerTask, rule: str, option: str) -> Floats:
    """Broadcast a number, or a mapping task (or group) -> number, to each ballot."""
    if isinstance(value, Mapping | pd.Series):
        user_value = np.full(len(board.tasks), np.nan)
        for name, number in value.items():
            user_value[board.task_names.member_positions(name, f"{rule}: {option}")] = (
                validate_number(rule, option, number)
            )
        left_out = board.tasks[np.isnan(user_value) & (board.weights > 0)]
        if len(left_out):
            raise ValueError(f"{rule}: {option} is not given for {format_labels(left_out)}")
    elif isinstance(value, int | float | np.number):
        user_value = np.full(len(board.tasks), validate_number(rule, option, value))
    else:
        raise TypeError(
            f"{rule}: {option} must be a number or a mapping from task to number, not {value!r}"
        )
    if not np.isfinite(user_value[board.weights > 0]).all():
        raise ValueError(f"{rule}: {option} must be finite numbers")
    return user_value[board.ballot_task_codes]


def orientation(board: Leaderboard) -> Floats:
    """Return -1 for each ballot on which lower is better, 1 for the others."""
    return np.where(board.is_lower_better[board.ballot_task_codes], -1.0, 1.0)


def _floor_and_ceiling(board: Leaderboard, low: PerTask, high: PerTask) -> tuple[Floats, Floats]:
    """Return low and high for each ballot, higher being better."""
    sign = orientation(board)
    lowest = sign * broadcast_to_ballots(board, low, "normalized_mean", "low")
    return lowest, sign * broadcast_to_ballots(board, high, "normalized_mean", "high")


def _suggest_ends(board: Leaderboard, lowest: Floats, highest: Floats) -> str:
    """Write low and high for each task, the better as high; of equal ones the extreme scores."""
    scores, equal = board.profile().scores, lowest == highest
    names = board.tasks[board.ballot_task_codes].tolist()
    worse = np.where(equal, np.fmin.reduce(scores), np.minimum(lowest, highest))
    better = np.where(equal, np.fmax.reduce(scores), np.maximum(lowest, highest))
    better = np.where(better == worse, worse + 1, better)  # all have the same score
    low, high = (
        dict(zip(names, (orientation(board) * end + 0.0).tolist(), strict=True))
        for end in (worse, better)
    )
    return f"low={low!r}, high={high!r}"


def _target_per_ballot(board: Leaderboard, arguments: Mapping[str, Any]) -> Floats:
    """Return the target for each ballot, higher being better."""
    return orientation(board) * broadcast_to_ballots(
        board, arguments["gamma"], "optimality_gap", "gamma"
    )


def _normalized_additive(board: Leaderboard, arguments: Mapping[str, Any]) -> AdditiveForm:
    return AdditiveForm.from_transform(
        arrays.make_normalizing_transform(
            *_floor_and_ceiling(board, arguments["low"], arguments["high"])
        )
    )


def _clip_runs_at_target(board: Leaderboard, arguments: Mapping[str, Any]) -> Leaderboard:
    """Clip runs at the target, so that those beyond it make up for no other run."""
    runs = board.rounded_runs
    if runs is None:
        return board
    sign, target = orientation(board), _target_per_ballot(board, arguments)
    values = runs.values.copy()
    values[:, board.active_columns] = sign * np.minimum(
        sign * values[:, board.active_columns], target
    )
    return board.exact().with_replicates(replace(runs, values=values))


def _optimality_gap_additive(board: Leaderboard, arguments: Mapping[str, Any]) -> AdditiveForm:
    target = _target_per_ballot(board, arguments)

    def values(profile: Profile) -> BallotValues:
        return -arrays.make_shortfall_transform(target)(
            profile.scores, slice(None)
        ), profile.observed

    return AdditiveForm(values, transform=arrays.make_clipping_transform(target))


@register_mean_rule(
    source="Mnih et al. 2015",
    score_description="the average{weighed} of the scores between a floor and a ceiling",
    additive=_normalized_additive,
)
def normalized_mean(
    scores: pd.DataFrame | Leaderboard,
    low: PerTask,
    high: PerTask,
    *,
    missing: Missing = "raise",
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    """Which system has the highest average once each task is put between a floor and a ceiling?

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance), or a `Leaderboard`.
    low
        The score that counts 0, such as that of chance: a number, or a mapping
        from task (or group) to a number.
    high
        The score that counts 1, such as the best possible or a human's: a number, or a mapping.
        It is above `low`, or below it on tasks on which lower is better.
    weights
        A mapping from task to weight, or from group to a weight that its tasks share, or "balanced"
        for the same total in every group; None gives every task weight 1. Rules ignore tasks of
        weight 0, and treat a system with scores on such tasks only as one without scores.
    groups
        A mapping from group to its tasks, or from task to its group; MultiIndex
        columns (group, task) give the groups by themselves.
    lower_is_better
        The tasks on which a lower score is better, True for all of them, or a mapping from task to
        True (or "min") where lower is better, and to False (or "max") where higher is.
    missing
        How a missing score counts: "raise" (refuse, since a mean over different tasks rewards
        skipping the hard ones), "ignore" (the average over what is there) or "median" (fill with
        the median of the task). A system with no score at all is last, with a score of NaN.

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the
        columns below; `.attrs["rule"]` names the rule.

        rank
            1 for the best; tied systems share the smallest (1, 2, 2, 4).
        score
            The weighted mean of (score - low) / (high - low).

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if `low` and `high` stand the wrong way round, or scores are infinite or missing.

    References
    ----------
    Mnih et al., Human-level control through deep reinforcement learning, 2015.

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
    board = as_leaderboard(scores, **table)
    lowest, highest = _floor_and_ceiling(board, low, high)
    with np.errstate(over="ignore"):
        span = highest - lowest
    reversed_ends = span <= 0
    for wrong, advice in (
        (reversed_ends, "high is not better than low; give "),
        (span == np.inf, "high - low is too large for a float; rescale the scores, low and high"),
    ):
        if wrong.any():
            tasks = board.tasks[np.unique(board.ballot_task_codes[wrong])]
            if wrong is reversed_ends:
                advice += _suggest_ends(board, lowest, highest)
            raise ValueError(f"normalized_mean: on {format_labels(tasks)} {advice}")
    cells = arrays.make_normalizing_transform(lowest, highest)
    return rank_by_average(
        board,
        "normalized_mean",
        lambda ballots: arrays.weighted_mean(ballots, ballots.scores, transform=cells),
        lambda ballots: arrays.max_abs_cell(ballots, cells),
        missing,
    )


@register_mean_rule(
    source="Agarwal et al. 2021",
    score_description="how far its scores fall short of a target, averaged{weighed}",
    # Above gamma all are tied.
    holds="transitivity anonymity iia monotonicity reinforcement",
    format_score=format_negated,
    additive=_optimality_gap_additive,
    transform_runs=_clip_runs_at_target,
)
def optimality_gap(
    scores: pd.DataFrame | Leaderboard,
    gamma: PerTask,
    *,
    missing: Missing = "raise",
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    """Which system falls least short of a target, where going beyond it earns nothing?

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance), or a `Leaderboard`.
    gamma
        The target, in the unit of the scores: a number, or a mapping from task
        (or group) to a number.
    weights
        A mapping from task to weight, or from group to a weight that its tasks share, or "balanced"
        for the same total in every group; None gives every task weight 1. Rules ignore tasks of
        weight 0, and treat a system with scores on such tasks only as one without scores.
    groups
        A mapping from group to its tasks, or from task to its group; MultiIndex
        columns (group, task) give the groups by themselves.
    lower_is_better
        The tasks on which a lower score is better, True for all of them, or a mapping from task to
        True (or "min") where lower is better, and to False (or "max") where higher is.
    missing
        How a missing score counts: "raise" (refuse, since a mean over different tasks rewards
        skipping the hard ones), "ignore" (the average over what is there) or "median" (fill with
        the median of the task). A system with no score at all is last, with a score of NaN.

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the
        columns below; `.attrs["rule"]` names the rule.

        rank
            1 for the best; tied systems share the smallest (1, 2, 2, 4).
        score
            Minus the weighted mean of max(gamma - score, 0), or of
            max(score - gamma, 0) on tasks on which lower is better; of runs (rows of system
            and seed), the average over those of each task.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if scores are infinite or missing.

    References
    ----------
    Agarwal, Schwarzer, Castro, Courville and Bellemare, Deep reinforcement learning at the edge of
    the statistical precipice, 2021.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [99, 90], "t2": [80, 90]}, index=["A", "B"])
    >>> optimality_gap(scores, gamma=95)
       rank  score
    B     1   -5.0
    A     2   -7.5
    """
    board = as_leaderboard(scores, **table)
    target = _target_per_ballot(board, {"gamma": gamma})
    board = _clip_runs_at_target(board, {"gamma": gamma})
    short = arrays.make_shortfall_transform(target)
    return rank_by_average(
        board,
        "optimality_gap",
        lambda ballots: -arrays.weighted_mean(ballots, ballots.scores, transform=short) + 0.0,
        lambda ballots: arrays.max_abs_cell(ballots, arrays.make_clipping_transform(target)),
        missing,
    )
