"""A rule that goes down the places until a system has a majority."""

from __future__ import annotations

from typing import Unpack

import pandas as pd

from nbrank.arrays.ballots import positional_scoring as arrays
from nbrank.rules.elimination import rank_by_elimination, register_elimination_rule
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.table.validation import PlaceOptions


@register_elimination_rule(
    source="Bucklin 1909",
    score_description="how good a place it reaches on a majority of the {tasks}{weighed}",
    holds="transitivity anonymity unanimity monotonicity majority",
    format_score=None,
)
def bucklin(scores: pd.DataFrame | Leaderboard, **options: Unpack[PlaceOptions]) -> pd.DataFrame:
    """Which system is placed first, or first or second, or ... by a majority of the tasks, soonest?

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
        How a missing score counts: "compatible" (the average over all complete rankings compatible
        with the observed one), "ignore" (places among the scored, and nothing for a missing score;
        a task with only one scored system does not count), "median" (fill with the median of
        the task), "worst" (missing scores share the places below all others) or "raise". A system
        with no score at all stands in the middle if "compatible", else it is last with a score of
        NaN.
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
            Minus the first depth at which more than half of the weight places the system there or
            higher, plus the share that does: between -depth + 1/2 and -depth + 1, so that an
            earlier depth always beats a later one. With `missing="ignore"` the weight is that of
            the tasks on which two systems are scored, and a system placed on at most half of it
            comes after the last depth. With `missing="compatible"` any other task counts as if all
            orders were equally likely.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    References
    ----------
    Hoag and Hallett, Proportional Representation, 1926; Brams and Sanver, Voting systems that
    combine approval and preference, 2009.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame([[3, 3, 1], [2, 2, 3], [1, 1, 2]], index=["A", "B", "C"])
    >>> bucklin(scores)
       rank     score
    A     1 -0.333333
    B     2 -1.000000
    C     3 -2.000000
    """
    return rank_by_elimination(scores, "bucklin", arrays.bucklin, **options)
