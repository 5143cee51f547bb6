"""Under which share of all weightings does each system have each rank?"""

from __future__ import annotations

from typing import Unpack

import numpy as np
import pandas as pd

from nbrank.arrays.typing import Floats, Ints
from nbrank.arrays.weights.task_weightings import WeightPolytope
from nbrank.robustness.rank_bounds import WEIGHT_HEADING, select_weighted_tasks
from nbrank.robustness.weight_constraints import check_column_clash
from nbrank.rules.bound_rule import BoundRule, parse_board_and_rule
from nbrank.rules.registry import RuleLike
from nbrank.uncertainty.contributions import find_task_values
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.method_registry import register_method
from nbrank.votes.progress import progress_bar
from nbrank.votes.table.task_options import RuleOptions
from nbrank.votes.table.validation import make_rng, validate_integer


@register_method(WEIGHT_HEADING, sees="ballots")
def rank_acceptability(
    scores: pd.DataFrame | Leaderboard,
    rule: RuleLike = "borda",
    *,
    within: float | None = None,
    n_draws: int = 10_000,
    seed: int | None = 0,
    **options: Unpack[RuleOptions],
) -> pd.DataFrame:
    """Under which share of all weightings does each system have each rank?

    Every weighting that is allowed is as likely as any other. The shares show what the weights
    leave open; what the sample of tasks leaves open is the subject of `bootstrap` and
    `rank_confidence`.

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance), or a `Leaderboard`.
    rule
        The name of a rule, or a function from a leaderboard to a ranking; with
        arguments by `functools.partial`, or as further arguments here.
        One that doesn't add up the tasks ranks anew for each weighting.
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
    within
        By which share of its own each weight may be larger or smaller: 0.2 for a
        fifth. None for all weightings, also of tasks that weigh 0 on the board.
    n_draws
        How many weightings are drawn.
    seed
        The seed of the draws; None takes a fresh one.
    **options
        Arguments of the rule, such as `missing="ignore"`.

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first by the rule, with a column for each rank, from
        1 on: the share of the weightings under which the system has it. A row sums
        to 1. `.attrs["error"]` is the largest standard error of a share, given `n` draws.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    References
    ----------
    Lahdelma, Hokkanen and Salminen, SMAA: stochastic multiobjective acceptability analysis, 1998;
    Lahdelma and Salminen, SMAA-2, 2001.

    Examples
    --------
    A is first where maths has more than half of the weight:

    >>> import pandas as pd
    >>> scores = pd.DataFrame({"maths": [90, 60, 70], "code": [60, 90, 65]}, index=list("ABC"))
    >>> rank_acceptability(scores, "mean", n_draws=1000).round(1)
    rank    1    2    3
    A     0.5  0.3  0.2
    B     0.5  0.2  0.3
    C     0.0  0.5  0.5
    """
    board, bound_rule = parse_board_and_rule("rank_acceptability", scores, rule, **options)
    order, ranks, _ = _sample_ranks("rank_acceptability", board, bound_rule, within, n_draws, seed)
    n_systems = len(board.systems)
    shares = np.stack([(ranks == rank).mean(axis=0) for rank in range(1, n_systems + 1)], axis=1)
    columns = pd.RangeIndex(1, n_systems + 1, name="rank")
    frame = pd.DataFrame(shares, index=board.systems, columns=columns).reindex(order.index)
    error = float(np.sqrt(shares * (1 - shares) / len(ranks)).max())
    frame.attrs = {"rule": order.attrs.get("rule", ""), "n_draws": len(ranks), "error": error}
    return frame


@register_method(WEIGHT_HEADING, sees="ballots")
def central_weights(
    scores: pd.DataFrame | Leaderboard,
    rule: RuleLike = "borda",
    *,
    within: float | None = None,
    n_draws: int = 10_000,
    seed: int | None = 0,
    **options: Unpack[RuleOptions],
) -> pd.DataFrame:
    """Who would have to value which tasks to put each system first?

    The mean of the weightings under which a system is first, alone or shared, is
    typical of those who would choose it.

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance), or a `Leaderboard`.
    rule, within, n_draws, seed
        As for `rank_acceptability`, whose draws are the same.
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
    **options
        Arguments of the rule, such as `missing="ignore"`.

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the columns

        first
            The share of the weightings that make it first.
        error
            Its standard error.
        one column for each task, under the task's label
            The weight of the task in the mean of these weightings; NaN if none
            of those drawn makes it first.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    References
    ----------
    Lahdelma, Hokkanen and Salminen, SMAA: stochastic multiobjective acceptability analysis, 1998.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"maths": [90, 60, 70], "code": [60, 90, 65]}, index=list("ABC"))
    >>> central_weights(scores, "mean", n_draws=1000)[["maths", "code"]].round(1)
       maths  code
    A    0.7   0.3
    B    0.3   0.7
    C    NaN   NaN
    """
    board, bound_rule = parse_board_and_rule("central_weights", scores, rule, **options)
    check_column_clash("central_weights", board.tasks, ("first", "error"), "task")
    order, ranks, drawn = _sample_ranks("central_weights", board, bound_rule, within, n_draws, seed)
    first = ranks == 1
    times = first.sum(axis=0)[:, None]
    with np.errstate(invalid="ignore"):
        centres = np.where(times > 0, first.T.astype(float) @ drawn / times, np.nan)
    share = times[:, 0] / len(ranks)
    frame = pd.DataFrame(centres, board.systems, pd.Index(list(board.tasks), tupleize_cols=False))
    frame.insert(0, "first", share)
    frame.insert(1, "error", np.sqrt(share * (1 - share) / len(ranks)))
    frame = frame.reindex(order.index)
    frame.attrs = {"rule": order.attrs.get("rule", ""), "n_draws": len(ranks)}
    return frame


def _sample_ranks(
    function: str,
    board: Leaderboard,
    bound_rule: BoundRule,
    within: float | None,
    n_draws: int,
    seed: int | None,
) -> tuple[pd.DataFrame, Ints, Floats]:
    """Return the ranking, the ranks (weightings x systems) and the weights (x tasks)."""
    rng = make_rng(function, seed)
    n_draws = validate_integer(function, "n_draws", n_draws)
    order = bound_rule.function(board)
    asked = select_weighted_tasks(function, board, within)
    near = WeightPolytope.from_relative_bounds(asked.weights / asked.weights.sum(), within)
    drawn = near.sample(n_draws, rng)
    values = find_task_values(asked, bound_rule)
    if values is not None:
        ranks = values.ranks(drawn)
    else:
        shown = progress_bar(drawn, desc="weightings")
        ranks = np.array([bound_rule.ranks(asked.with_task_weights(weights)) for weights in shown])
    every = np.zeros((n_draws, len(board.tasks)))
    every[:, board.tasks.get_indexer(asked.tasks)] = drawn
    return order, ranks, every
