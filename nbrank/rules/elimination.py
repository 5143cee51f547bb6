"""Elimination rules: in rounds, or by who has fewest of the last places."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Unpack

import pandas as pd

from nbrank.arrays.ballots import positional_scoring as arrays
from nbrank.arrays.ballots.profile import Missing, Ties
from nbrank.arrays.typing import Floats
from nbrank.rules.ranking import rank_votes
from nbrank.rules.registry import Rounds, register_rule
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.table.task_options import TableOptions
from nbrank.votes.table.validation import PlaceOptions, ViewRequest

#: Facts that these rules share.
register_elimination_rule = partial(
    register_rule, "elimination", requires="ballots", ties="share their places (`ties=`)"
)


def rank_by_elimination(
    scores: pd.DataFrame | Leaderboard,
    rule: str,
    score: Callable[..., Floats],
    /,
    *,
    missing: Missing = "compatible",
    ties: Ties = "average",
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    """Rank by a function from ballots, and from how missing scores and ties count."""
    board = as_leaderboard(scores, **table)
    asked = ViewRequest(rule, "ballots", missing, ties=ties)
    return rank_votes(board, asked, partial(score, missing=missing, ties=ties), scale=1.0)


@register_elimination_rule(
    source="Aleskerov et al. 2010",
    score_description="last places, then places last but one, and so on: fewest is best",
    holds="transitivity anonymity unanimity monotonicity reinforcement",
    format_score=None,
)
def threshold(scores: pd.DataFrame | Leaderboard, **options: Unpack[PlaceOptions]) -> pd.DataFrame:
    """Which system is worst on fewest tasks, then last or last but one on fewest, and so on?

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
            Minus the number of distinct positions above it, so 0 for the best.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    References
    ----------
    Aleskerov, Chistyakov and Kalyagin, The threshold aggregation, 2010.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [1, 2, 3]}, index=["A", "B", "C"])
    >>> threshold(scores)
       rank  score
    B     1    0.0
    A     2   -1.0
    C     2   -1.0
    """
    return rank_by_elimination(scores, "threshold", arrays.threshold, **options)


@register_elimination_rule(
    source="Baldwin 1926",
    score_description="rounds survived, if who is above fewest others goes each time",
    holds="transitivity anonymity unanimity majority condorcet_winner condorcet_loser",
    rounds=Rounds("borda", "the fewest Borda points"),
)
def baldwin(scores: pd.DataFrame | Leaderboard, **options: Unpack[PlaceOptions]) -> pd.DataFrame:
    """Which system is left if the lowest Borda score goes, again and again?

    Systems tied for elimination go together; if all are tied they win together.

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
            The number of rounds survived.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    References
    ----------
    Baldwin, The technique of the Nanson preferential majority system of election, 1926.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame([[3, 3, 1], [2, 2, 3], [1, 1, 2]], index=["A", "B", "C"])
    >>> baldwin(scores)
       rank  score
    A     1    2.0
    B     2    1.0
    C     3    0.0
    """
    return rank_by_elimination(scores, "baldwin", arrays.baldwin, **options)


@register_elimination_rule(
    source="Nanson 1882",
    score_description="rounds survived, if all below the average Borda score go each time",
    # Systems that leave in one round are tied, though one may dominate another.
    holds="transitivity anonymity majority condorcet_winner condorcet_loser",
    rounds=Rounds("borda", "Borda points below the mean"),
)
def nanson(scores: pd.DataFrame | Leaderboard, **options: Unpack[PlaceOptions]) -> pd.DataFrame:
    """Which system is left if all strictly below the mean Borda score go, again and again?

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
            The number of rounds survived.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    References
    ----------
    Nanson, Methods of election, 1882; Niou, A note on Nanson's rule, 1987, on strictly below
    against at or below.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame([[3, 3, 1], [2, 2, 3], [1, 1, 2]], index=["A", "B", "C"])
    >>> nanson(scores)
       rank  score
    A     1    2.0
    B     2    1.0
    C     3    0.0
    """
    return rank_by_elimination(scores, "nanson", arrays.nanson, **options)


@register_elimination_rule(
    source="Coombs 1964",
    score_description="rounds survived, if who has most last places goes each time",
    holds="transitivity anonymity unanimity",
    rounds=Rounds("antiplurality", "the most last places"),
)
def coombs(scores: pd.DataFrame | Leaderboard, **options: Unpack[PlaceOptions]) -> pd.DataFrame:
    """Which system is left if the one with the most last places goes, again and again?

    The rounds don't stop at a majority of first places. Systems tied for elimination go together;
    if all are tied they win together.

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
            The number of rounds survived.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    References
    ----------
    Coombs, A Theory of Data, 1964; Grofman and Feld, If you like the alternative vote, then you
    ought to know about the Coombs rule, 2004, on the two variants.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame([[3, 3, 1], [2, 2, 3], [1, 1, 2]], index=["A", "B", "C"])
    >>> coombs(scores)
       rank  score
    A     1    2.0
    B     2    1.0
    C     3    0.0
    """
    return rank_by_elimination(scores, "coombs", arrays.coombs, **options)


@register_elimination_rule(
    source="Ware 1871",
    score_description="rounds survived, if who has fewest first places goes each time",
    holds="transitivity anonymity majority",
    rounds=Rounds("plurality", "the fewest first places"),
)
def instant_runoff(
    scores: pd.DataFrame | Leaderboard, **options: Unpack[PlaceOptions]
) -> pd.DataFrame:
    """Which system is left if the one with the fewest first places goes, again and again?

    Systems tied for elimination go together; if all are tied they win together.

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
            The number of rounds survived.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    References
    ----------
    Tideman, Collective Decisions and Voting, 2006 (as alternative vote).

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame([[3, 3, 1], [2, 2, 3], [1, 1, 2]], index=["A", "B", "C"])
    >>> instant_runoff(scores)
       rank  score
    A     1    2.0
    B     2    1.0
    C     3    0.0
    """
    return rank_by_elimination(scores, "instant_runoff", arrays.instant_runoff, **options)
