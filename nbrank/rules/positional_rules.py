"""Positional rules: points for places, summed over the tasks."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Unpack

import numpy as np
import pandas as pd

from nbrank.arrays.ballots import positional_scoring as arrays
from nbrank.arrays.ballots.profile import Missing, Ties
from nbrank.rules.additive_form import AdditiveForm
from nbrank.rules.ranking import rank_votes
from nbrank.rules.registry import register_rule
from nbrank.votes.leaderboard import Leaderboard, VotesLike, as_leaderboard, as_votes
from nbrank.votes.table.task_options import TableOptions
from nbrank.votes.table.validation import MISSING_TREATMENTS, PlaceOptions, ViewRequest

#: A missing score may also get no points, where places have the points of the whole table.
_MISSING_FOR_POINTS: tuple[Missing, ...] = (*MISSING_TREATMENTS, "zero")


#: Facts that these rules share, unless they give others.
register_positional_rule = partial(
    register_rule, "positional", requires="ballots", ties="share their places (`ties=`)"
)


def points_additive(
    family: arrays.ScoringVectorFactory, board: Leaderboard, arguments: Mapping[str, Any]
) -> AdditiveForm:
    """Return the points' form as a mean over the ballots."""
    return AdditiveForm.from_points(
        family, arguments["missing"], arguments["ties"], len(board.systems)
    )


def rank_by_points(
    scores: pd.DataFrame | Leaderboard,
    rule: str,
    family: arrays.ScoringVectorFactory,
    /,
    *,
    missing: Missing = "compatible",
    ties: Ties = "average",
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    """Rank by the points that a family of vectors gives the places."""
    board = as_leaderboard(scores, **table)
    score = partial(arrays.positional, family=family, missing=missing, ties=ties)
    most = float(np.abs(family(len(board.systems))).max())
    asked = ViewRequest(rule, "ballots", missing, ties=ties, allowed_missing=_MISSING_FOR_POINTS)
    return rank_votes(board, asked, score, max_per_ballot=most)


@register_positional_rule(
    source="folklore",
    score_description=(
        "the {tasks}{weighed} on which it is first (shared places in part), and nothing else"
    ),
    holds="transitivity anonymity monotonicity reinforcement majority",
    additive=partial(points_additive, arrays.plurality_vector),
)
def plurality(scores: pd.DataFrame | Leaderboard, **options: Unpack[PlaceOptions]) -> pd.DataFrame:
    """Which system comes first on most tasks?

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
            The weight of the tasks on which the system is first.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    References
    ----------
    Brandt et al. (eds.), Handbook of Computational Social Choice, 2016, chapter 2.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 3, 1]}, index=["A", "B", "C"])
    >>> plurality(scores)
       rank  score
    A     1    1.5
    B     2    0.5
    C     3    0.0
    """
    return rank_by_points(scores, "plurality", arrays.plurality_vector, **options)


@register_positional_rule(
    source="folklore",
    score_description=(
        "the {tasks}{weighed} on which it is not last (shared ones in part), and nothing else"
    ),
    holds="transitivity anonymity monotonicity reinforcement",
    additive=partial(points_additive, arrays.antiplurality_vector),
)
def antiplurality(
    scores: pd.DataFrame | Leaderboard, **options: Unpack[PlaceOptions]
) -> pd.DataFrame:
    """Which system comes last on fewest tasks?

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
            The weight of the tasks on which the system is not last.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    References
    ----------
    Brandt et al. (eds.), Handbook of Computational Social Choice, 2016, chapter 2 ("veto").

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 2, 3]}, index=["A", "B", "C"])
    >>> antiplurality(scores)
       rank  score
    A     1    2.0
    B     2    1.0
    C     2    1.0
    """
    return rank_by_points(scores, "antiplurality", arrays.antiplurality_vector, **options)


@register_positional_rule(
    requires="standings",
    source="Borda 1781",
    score_description="the systems that it is above, added up over the {tasks}{weighed}",
    holds="transitivity anonymity unanimity monotonicity reinforcement condorcet_loser",
    additive=partial(points_additive, arrays.borda_vector),
)
def borda(
    scores: VotesLike,
    *,
    missing: Missing = "compatible",
    ties: Ties = "average",
    levels: int = 1,
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    """Which system stands above most others, summed over the tasks?

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance),
        a `Leaderboard`, a `Tally`, or `Comparisons`.
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
    levels
        For instance-level scores: 1 pools all instances of all tasks, 2 ranks
        within each task and applies the rule again to the tasks' rankings.

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the
        columns below; `.attrs["rule"]` names the rule.

        rank
            1 for the best; tied systems share the smallest (1, 2, 2, 4).
        score
            The number of systems below it, summed over the tasks by weight.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    Notes
    -----
    With missing scores, `missing="compatible"` orders as sigma^l of Himmi et
    al. (2024), without enumeration: each of the n - k unscored systems falls into every gap
    between the k scored ones with probability 1 / (k + 1), so the scored system that has r
    others below it has r + (n - k)(r + 1) / (k + 1) = (r + 1)(n + 1) / (k + 1) - 1 below it
    on average, and an unscored one (n - 1) / 2.

    The Massive Text Embedding Benchmark ranks by `missing="zero"` (Enevoldsen et al., MMTEB, 2025).

    References
    ----------
    Borda, Mémoire sur les élections au scrutin, 1781; with missing scores Himmi, Irurozki, Noiry,
    Clémençon and Colombo, Towards more robust NLP system evaluation, 2024; at two levels Colombo,
    Noiry, Irurozki and Clémençon, What are the best systems?, 2022.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 3, 1]}, index=["A", "B", "C"])
    >>> borda(scores)
       rank  score
    A     1    3.5
    B     2    2.5
    C     3    0.0

    An unscored system stands in the middle of its task, on average; or it gets no points:

    >>> scores["t2"] = [3, 2, None]
    >>> borda(scores)
       rank     score
    A     1  3.666667
    B     2  1.333333
    C     3  1.000000
    >>> borda(scores, missing="zero")
       rank  score
    A     1    4.0
    B     2    2.0
    C     3    0.0
    """
    votes = as_votes(scores, **table)
    score = partial(arrays.borda, missing=missing, ties=ties)
    asked = ViewRequest("borda", "standings", missing, levels, ties, _MISSING_FOR_POINTS)
    return rank_votes(votes, asked, score, max_per_ballot=len(votes.systems) - 1)


@register_positional_rule(
    source="Dowdall 1971",
    score_description=(
        "1 for a first place, 1/2 for a second, 1/3 for a third, and so on, added up{weighed}"
    ),
    holds="transitivity anonymity unanimity monotonicity reinforcement",
    additive=partial(points_additive, arrays.dowdall_vector),
)
def dowdall(scores: pd.DataFrame | Leaderboard, **options: Unpack[PlaceOptions]) -> pd.DataFrame:
    """Which system has the best places, if the first counts 1, the second 1/2, the third 1/3?

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
            The sum over the tasks, by weight, of 1 / place.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    References
    ----------
    Fraenkel and Grofman, The Borda Count and its real-world alternatives, 2014.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 3, 1]}, index=["A", "B", "C"])
    >>> dowdall(scores)
       rank     score
    A     1  1.750000
    B     2  1.250000
    C     3  0.666667
    """
    return rank_by_points(scores, "dowdall", arrays.dowdall_vector, **options)
