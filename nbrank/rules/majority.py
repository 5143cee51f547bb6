"""Majority rules: from who beats whom and by how much, and along the paths of such wins."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal, Unpack

import pandas as pd

from nbrank.arrays.ballots.profile import Missing
from nbrank.arrays.orders import majority_graphs as arrays
from nbrank.rules.ranking import rank_votes
from nbrank.rules.registry import format_negated, register_rule
from nbrank.votes.base import Votes
from nbrank.votes.formatting import Label
from nbrank.votes.leaderboard import VotesLike, as_votes, unwarned_votes
from nbrank.votes.table.task_options import TableOptions
from nbrank.votes.table.validation import PairOptions, ViewRequest, check_choice

#: Facts that rules on majorities share.
register_majority_rule = partial(
    register_rule, "majority", requires="pairs", ties="no vote for either"
)

_MINIMAX = ("winning_votes", "margins", "opposition")


def make_pair_request(
    rule: str,
    source: VotesLike,
    /,
    *,
    ranks: bool = True,
    missing: Missing = "ignore",
    levels: int = 1,
    **table: Unpack[TableOptions],
) -> tuple[Votes, ViewRequest]:
    """Return the votes, and what a rule, or a question that ranks nothing, asks of their pairs."""
    votes = (as_votes if ranks else unwarned_votes)(source, **table)
    return votes, ViewRequest.for_pairs(rule, len(votes.systems), missing, levels)


def _rank(
    rule: str, source: VotesLike, score: str, /, **options: Unpack[PairOptions]
) -> pd.DataFrame:
    votes, asked = make_pair_request(rule, source, **options)
    bound = partial(arrays.score_pairwise, score=arrays.PAIRWISE_SCORES[score])
    return rank_votes(votes, asked, bound, max_per_ballot=1.0 if score in _MINIMAX else None)


def _condorcet_winners(*args: Any, **options: Any) -> list[Label]:
    ranked = condorcet(*args, **options)
    return list(ranked.index[ranked["score"] == 1])


@register_majority_rule(
    source="Condorcet 1785",
    score_description="whether it beats every other system on a majority of {tasks}{weighed}",
    holds="transitivity anonymity monotonicity reinforcement majority condorcet_winner "
    "condorcet_loser",
    format_score=lambda score: "yes" if score == 1 else "no",
    find_winners=_condorcet_winners,
)
def condorcet(scores: VotesLike, **options: Unpack[PairOptions]) -> pd.DataFrame:
    """Is there a system that beats every other on a majority of the tasks?

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
        How a missing score counts: "ignore" (a pair counts where both have a score), "compatible"
        (by the share of compatible complete rankings), "median" (fill with the median of the task),
        "worst" (missing scores share the places below all others) or "raise". A system with no
        score at all is last with a score of NaN, unless "compatible"; models refuse it.
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
            1 for the Condorcet winner, 0 for the others; without one all tie,
            `winners` is empty, and `.attrs["note"]` says so.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    References
    ----------
    Condorcet, Essai sur l'application de l'analyse, 1785.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame([[3, 3, 1], [2, 2, 3], [1, 1, 2]], index=["A", "B", "C"])
    >>> condorcet(scores)
       rank  score
    A     1    1.0
    B     2    0.0
    C     2    0.0
    """
    ranked = _rank("condorcet", scores, "condorcet", **options)
    if not (ranked["score"] == 1).any():
        ranked.attrs["note"] = "no system beats every other one, so none wins and all tie"
    return ranked


@register_majority_rule(
    source="Copeland 1951",
    score_description="the systems that it beats on most {tasks}{weighed}, less those that beat it",
    holds="transitivity anonymity unanimity monotonicity majority condorcet_winner condorcet_loser",
)
def copeland(scores: VotesLike, **options: Unpack[PairOptions]) -> pd.DataFrame:
    """Which system beats most others pair by pair?

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
        How a missing score counts: "ignore" (a pair counts where both have a score), "compatible"
        (by the share of compatible complete rankings), "median" (fill with the median of the task),
        "worst" (missing scores share the places below all others) or "raise". A system with no
        score at all is last with a score of NaN, unless "compatible"; models refuse it.
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
            The number of systems it beats on a majority of the tasks, minus
            the number that beat it.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    References
    ----------
    Copeland, A reasonable social welfare function, 1951.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame([[3, 3, 1], [2, 2, 3], [1, 1, 2]], index=["A", "B", "C"])
    >>> copeland(scores)
       rank  score
    A     1    2.0
    B     2    0.0
    C     3   -2.0
    """
    return _rank("copeland", scores, "copeland", **options)


@register_majority_rule(
    source="Simpson 1969; Kramer 1977",
    score_description="the {tasks}{weighed} on which the one that beats it worst is above it",
    holds="transitivity anonymity monotonicity majority condorcet_winner",
    format_score=format_negated,
)
def minimax(
    scores: VotesLike,
    *,
    variant: Literal["winning_votes", "margins", "opposition"] = "winning_votes",
    **options: Unpack[PairOptions],
) -> pd.DataFrame:
    """Which system's worst defeat is the mildest?

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
        How a missing score counts: "ignore" (a pair counts where both have a score), "compatible"
        (by the share of compatible complete rankings), "median" (fill with the median of the task),
        "worst" (missing scores share the places below all others) or "raise". A system with no
        score at all is last with a score of NaN, unless "compatible"; models refuse it.
    levels
        For instance-level scores: 1 pools all instances of all tasks, 2 ranks
        within each task and applies the rule again to the tasks' rankings.
    variant
        How a defeat is measured: "winning_votes", the weight for the other system where it wins,
        and 0 where it doesn't; "margins", the weight for the other minus the weight against it,
        below 0 where it loses; "opposition", the weight for the other, whether it wins or not. Ties
        are not votes.

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the
        columns below; `.attrs["rule"]` names the rule.

        rank
            1 for the best; tied systems share the smallest (1, 2, 2, 4).
        score
            Minus the worst defeat.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    References
    ----------
    Simpson, On defining areas of voter choice, 1969; Kramer, A dynamical model of political
    equilibrium, 1977.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame([[3, 3, 1], [2, 2, 3], [1, 1, 2]], index=["A", "B", "C"])
    >>> minimax(scores)
       rank  score
    A     1    0.0
    B     2   -2.0
    C     3   -3.0
    >>> minimax(scores, variant="margins")["score"].tolist()
    [1.0, -1.0, -3.0]
    """
    if variant not in _MINIMAX:
        check_choice("minimax", "variant", variant, _MINIMAX)
    return _rank("minimax", scores, variant, **options)


@register_majority_rule(
    source="Schulze 2011",
    score_description="wins on most {tasks}{weighed}, also by way of others (A beats B, B beats C)",
    holds="transitivity anonymity unanimity monotonicity majority condorcet_winner condorcet_loser",
    format_score=None,
)
def schulze(scores: VotesLike, **options: Unpack[PairOptions]) -> pd.DataFrame:
    """Which system beats the others along the strongest paths of wins?

    A path is as strong as its narrowest win, measured by the margin. One
    system beats another by strongest paths if its strongest path to the other
    is stronger than the other's to it; this relation has no cycle.

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
        How a missing score counts: "ignore" (a pair counts where both have a score), "compatible"
        (by the share of compatible complete rankings), "median" (fill with the median of the task),
        "worst" (missing scores share the places below all others) or "raise". A system with no
        score at all is last with a score of NaN, unless "compatible"; models refuse it.
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
            Minus the number of systems that beat it by strongest paths; 0 for the winners.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    References
    ----------
    Schulze, A new monotonic, clone-independent, reversal symmetric, and Condorcet-consistent
    single-winner election method, 2011.

    Examples
    --------
    A beats B by 3 tasks to 2, B beats C by 4 to 1, C beats A by 3 to 2. B reaches C by a margin of
    3, C reaches B (through A) by 1 only; the other paths are as strong one way as the other.

    >>> import pandas as pd
    >>> scores = pd.DataFrame([[3, 3, 1, 1, 2], [2, 2, 3, 3, 1], [1, 1, 2, 2, 3]], list("ABC"))
    >>> schulze(scores)
       rank  score
    A     1    0.0
    B     1    0.0
    C     3   -1.0
    """
    votes, asked = make_pair_request("schulze", scores, **options)
    return rank_votes(votes, asked, arrays.schulze)
