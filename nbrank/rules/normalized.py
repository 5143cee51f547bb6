"""Averages of scores that are measured against a floor and a ceiling, or a target, per task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Unpack

import numpy as np
import pandas as pd

from nbrank.arrays import averages as arrays
from nbrank.arrays.kinds import Floats
from nbrank.arrays.profile import Missing, Profile
from nbrank.rules import wording
from nbrank.rules.additive import Additive, Values, of_cells
from nbrank.rules.means import averages, rank_by_average
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.naming import named
from nbrank.votes.options import real_number
from nbrank.votes.task_names import TableOptions

PerTask = float | Mapping[Any, float] | pd.Series


def per_ballot(board: Leaderboard, value: PerTask, rule: str, option: str) -> Floats:
    """One number for each ballot, from a number or a mapping task (or group) -> number."""
    if isinstance(value, Mapping | pd.Series):
        given = np.full(len(board.tasks), np.nan)
        for name, number in value.items():
            given[board.names.members_of(name, f"{rule}: {option}")] = real_number(
                rule, option, number
            )
        left_out = board.tasks[np.isnan(given) & (board.weights > 0)]
        if len(left_out):
            raise ValueError(f"{rule}: {option} is not given for {named(left_out)}")
    elif isinstance(value, int | float | np.number):
        given = np.full(len(board.tasks), real_number(rule, option, value))
    else:
        raise TypeError(
            f"{rule}: {option} must be a number or a mapping from task to number, not {value!r}"
        )
    if not np.isfinite(given[board.weights > 0]).all():
        raise ValueError(f"{rule}: {option} must be finite numbers")
    return given[board.ballot_task]


def orientation(board: Leaderboard) -> Floats:
    """-1 for each ballot on which lower is better, 1 for the others."""
    return np.where(board.lower[board.ballot_task], -1.0, 1.0)


def _ends(board: Leaderboard, low: PerTask, high: PerTask) -> tuple[Floats, Floats]:
    """Low and high for each ballot, higher being better."""
    sign = orientation(board)
    lowest = sign * per_ballot(board, low, "normalized_mean", "low")
    return lowest, sign * per_ballot(board, high, "normalized_mean", "high")


def _target(board: Leaderboard, arguments: Mapping[str, Any]) -> Floats:
    """The target for each ballot, higher being better."""
    return orientation(board) * per_ballot(board, arguments["gamma"], "optimality_gap", "gamma")


def _normalized(board: Leaderboard, arguments: Mapping[str, Any]) -> Additive:
    return of_cells(arrays.normalized(*_ends(board, arguments["low"], arguments["high"])))


def _up_to_the_target(board: Leaderboard, arguments: Mapping[str, Any]) -> Leaderboard:
    """Runs beyond the target count as runs at it: they make up for no other run."""
    runs = board.rounded_runs
    if runs is None:
        return board
    sign, target = orientation(board), _target(board, arguments)
    values = runs.values.copy()
    values[:, board.that_count] = sign * np.minimum(sign * values[:, board.that_count], target)
    return board.exact().with_replicates(replace(runs, values=values))


def _gap(board: Leaderboard, arguments: Mapping[str, Any]) -> Additive:
    target = _target(board, arguments)

    def values(profile: Profile) -> Values:
        return -arrays.shortfalls(target)(profile.scores, slice(None)), profile.observed

    return Additive(values, cells=arrays.up_to(target))


@averages(
    source="Mnih et al. 2015",
    counts="the average{weighed} of the scores between a floor and a ceiling",
    additive=_normalized,
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
    {board}
    low
        The score that counts 0, such as that of chance: a number, or a mapping
        from task (or group) to a number.
    high
        The score that counts 1, such as the best possible or a human's: a number, or a mapping.
        It is above `low`, or below it on tasks on which lower is better.
    {missing_mean}

    {returns_ranking}
        score
            The weighted mean of (score - low) / (high - low).

    {raises}
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
    lowest, highest = _ends(board, low, high)
    with np.errstate(over="ignore"):
        too_far = np.isinf(highest - lowest)
    if too_far.any():
        far = board.tasks[np.unique(board.ballot_task[too_far])]
        raise ValueError(
            f"normalized_mean: on {named(far)} high - low is too large for a float; rescale the "
            f"scores, low and high"
        )
    wrong = board.tasks[np.unique(board.ballot_task[highest <= lowest])]
    if len(wrong):
        raise ValueError(
            f"normalized_mean: on {named(wrong)} high is no better than low; high is the better "
            f"end, so it is above low, and below it where lower is better"
        )
    cells = arrays.normalized(lowest, highest)
    return rank_by_average(
        board,
        "normalized_mean",
        lambda ballots: arrays.average(ballots, ballots.scores, cells=cells),
        lambda ballots: arrays.largest(ballots, cells),
        missing,
    )


@averages(
    source="Agarwal et al. 2021",
    counts="how far its scores fall short of a target, averaged{weighed}",
    # Above gamma all are tied.
    holds="transitivity anonymity iia monotonicity",
    written=wording.negated,
    additive=_gap,
    of_runs=_up_to_the_target,
)
def optimality_gap(
    scores: pd.DataFrame | Leaderboard,
    gamma: PerTask,
    *,
    missing: Missing = "raise",
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    """Which system falls least short of a target, where going beyond it earns nothing?

    {takes_scores}
    gamma
        The target, in the unit of the scores: a number, or a mapping from task
        (or group) to a number.

    {returns_ranking}
        score
            Minus the weighted mean of max(gamma - score, 0), or of
            max(score - gamma, 0) on tasks on which lower is better; of runs (rows of system
            and seed), the average over those of each task.

    {raises}
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
    board, target = _up_to_the_target(board, {"gamma": gamma}), _target(board, {"gamma": gamma})
    short = arrays.shortfalls(target)
    return rank_by_average(
        board,
        "optimality_gap",
        lambda ballots: -arrays.average(ballots, ballots.scores, cells=short) + 0.0,
        lambda ballots: arrays.largest(ballots, arrays.up_to(target)),
        missing,
    )
