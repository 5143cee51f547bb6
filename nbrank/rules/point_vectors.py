"""Points for places as one chooses them, summed over the tasks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

import numpy as np
import pandas as pd

from nbrank.arrays.ballots import positional_scoring as arrays
from nbrank.arrays.ballots.profile import Missing, Ties
from nbrank.rules.positional_rules import points_additive, rank_by_points, register_positional_rule
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.table.task_options import TableOptions


@register_positional_rule(
    source="Young 1975",
    score_description="the points of its place on each {task}, added up{weighed}",
    holds="transitivity anonymity monotonicity reinforcement",
    additive=lambda board, arguments: points_additive(
        lambda n: np.asarray(arguments["vector"], dtype=float)[:n], board, arguments
    ),
)
def positional(
    scores: pd.DataFrame | Leaderboard,
    vector: Sequence[float],
    *,
    missing: Missing = "compatible",
    ties: Ties = "average",
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    """Which system has the most points, if you choose the points of each place?

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance), or a `Leaderboard`.
    vector
        The points of each place, best first: one number for every system,
        none larger than the one before it.
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
        How a missing score counts: "compatible" (the average over all complete rankings compatible
        with the observed one), "ignore" (places among the scored, and nothing for a missing score;
        a task with only one scored system does not count), "median" (fill with the median of
        the task), "worst" (missing scores share the places below all others) or "raise". A system
        with no score at all stands in the middle if "compatible", else it is last with a score of
        NaN.
        "zero" gives nothing for a missing score either, but the scored get the points that their
        places have among all systems of the table.
    ties
        Which points tied systems get: "average" (they share those of their places), "min" (all take
        the best of their places) or "max" (all take the worst).

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the
        columns below; `.attrs["rule"]` names the rule.

        rank
            1 for the best; tied systems share the smallest (1, 2, 2, 4).
        score
            The sum of the points over the tasks, by weight.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    References
    ----------
    Young, Social choice scoring functions, 1975.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 3, 1]}, index=["A", "B", "C"])
    >>> positional(scores, [5, 1, 0])
       rank  score
    A     1    8.0
    B     2    4.0
    C     3    0.0
    """
    board = as_leaderboard(scores, **table)
    value = _validate_vector(vector, len(board.systems))
    return rank_by_points(board, "positional", lambda n: value[:n], missing=missing, ties=ties)


#: Sums of more points, and squares of them, may be out of a float's reach.
_MAX_POINTS = 1e100


def _validate_vector(vector: Sequence[float], n_systems: int) -> arrays.Vector:
    try:
        value = np.asarray(vector, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"positional: vector={vector!r} must be a list of numbers") from None
    if value.shape != (n_systems,):
        raise ValueError(
            f"positional: vector has the shape {value.shape}, and there are {n_systems} systems; "
            f"give the points of every place, zeros included"
        )
    if not (np.abs(value) <= _MAX_POINTS).all():
        raise ValueError(
            f"positional: vector must be finite numbers up to {_MAX_POINTS:g}; divide larger ones "
            f"by the same number"
        )
    rises = np.flatnonzero(np.diff(value) > 0)
    if len(rises):
        place = int(rises[0]) + 2
        raise ValueError(
            f"positional: place {place} gets {value[place - 1]} points and place {place - 1} only "
            f"{value[place - 2]}; a better place can't be worth less"
        )
    return value
