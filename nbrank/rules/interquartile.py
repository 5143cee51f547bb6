"""The interquartile mean: of all runs of all tasks together, the middle half."""

from __future__ import annotations

from typing import Unpack

import numpy as np
import pandas as pd

from nbrank.arrays.ballots import averages as arrays
from nbrank.arrays.ballots.profile import Missing
from nbrank.arrays.typing import Floats
from nbrank.rules.means import check_averageable, check_single_orientation, register_mean_rule
from nbrank.rules.ranking import build_ranking
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.table.task_options import TableOptions


@register_mean_rule(
    source="Agarwal et al. 2021",
    score_description="the average of the middle half of its scores, all {tasks} together",
    holds="transitivity anonymity unanimity iia monotonicity",
)
def interquartile_mean(
    scores: pd.DataFrame | Leaderboard, *, missing: Missing = "raise", **table: Unpack[TableOptions]
) -> pd.DataFrame:
    """Which system has the highest mean of its middle scores, without the best and worst quarter?

    Of the N scores of a system, on all tasks together and of all runs if there are several
    (rows of system and seed), the N // 4 lowest and as many of the highest are left out. A task
    that weighs twice as much counts twice; where weights are not multiples of the smallest, exactly
    a quarter of the weight is left out at either end.

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance), or a `Leaderboard`.
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
        skipping the hard ones), "ignore" (the middle of what is there) or "median" (fill with the
        median of the task; not for runs, which you fill yourself). A system with no score at all
        is last, with a score of NaN.

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the
        columns below; `.attrs["rule"]` names the rule.

        rank
            1 for the best; tied systems share the smallest (1, 2, 2, 4).
        score
            The mean of the middle scores, in their unit, so that tasks of different units have
            to be normalised before; negated if lower is better on all tasks.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if scores are infinite or missing, if runs are to be filled with medians, or if lower
        is better on some tasks only.

    References
    ----------
    Agarwal, Schwarzer, Castro, Courville and Bellemare, Deep reinforcement learning at the edge of
    the statistical precipice, 2021.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame([[1, 2, 4, 90], [3, 3, 5, 5]], index=["A", "B"])
    >>> interquartile_mean(scores)
       rank  score
    B     1    4.0
    A     2    3.0
    """
    board = as_leaderboard(scores, **table)
    check_single_orientation(board, "interquartile_mean")
    check_averageable(board, "interquartile_mean", missing)
    _refuse_to_fill_runs(board, missing)
    of_voters = (board.weights / board.voter_counts)[board.weights > 0]
    runs = _runs_by_system(board, missing)
    result, sizes = arrays.interquartile_means(runs, float(of_voters.min()))
    return build_ranking(board.systems, result, "interquartile_mean", scale=sizes)


def _refuse_to_fill_runs(board: Leaderboard, missing: Missing) -> None:
    """Refuse to fill in medians where they would count as one run next to several of others."""
    runs = board.replicates
    if runs is None or missing != "median":
        return
    lacking = (runs.n_runs == 0) & (board.weights > 0)
    if lacking.any():
        raise ValueError(
            f"interquartile_mean: no {runs.level} has a score of {board.format_cells(lacking)}, "
            "and one median can't stand for several of them. Fill the runs, "
            "scores.fillna(scores.median()), or choose missing='ignore'"
        )


def _runs_by_system(board: Leaderboard, missing: Missing) -> list[tuple[Floats, Floats]]:
    """List each system's scores, higher being better, and how often each counts."""
    profile = board.data.scores(missing).data
    results = []
    for system, row in enumerate(profile.scores.astype(np.float64)):
        columns, weights = row[None, :], profile.weights
        if board.replicates is not None:
            runs = board.select_runs(system)[:, board.active_columns]
            columns = np.where(board.is_lower_better[board.ballot_task_codes], -runs, runs)
        observed = ~np.isnan(columns)
        results.append((columns[observed], np.broadcast_to(weights, columns.shape)[observed]))
    return results
