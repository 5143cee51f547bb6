"""The majority graph, and the sets of systems that its wins and cycles single out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Unpack

import numpy as np
import pandas as pd

from nbrank.arrays.ballots.pairwise_counts import PairwiseCounts
from nbrank.arrays.orders import majority_graphs as arrays
from nbrank.arrays.typing import Bools
from nbrank.rules.majority import make_pair_request
from nbrank.votes.formatting import Label
from nbrank.votes.leaderboard import VotesLike
from nbrank.votes.required_arguments import spell_out_options
from nbrank.votes.table.validation import PairOptions

__all__ = ["condorcet_loser", "majority_graph", "schwartz_set", "smith_set", "uncovered_set"]


@spell_out_options
def smith_set(scores: VotesLike, **options: Unpack[PairOptions]) -> list[Label]:
    """Which is the smallest set of systems that each beat every system outside?

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
        For instance-level scores: 1 counts the instances of all tasks, 2 the tasks
        on which the majority of instances favours the system.

    Returns
    -------
    list
        Its members in table order; the Condorcet winner alone if there is
        one. A system with no score at all is in no set.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    References
    ----------
    Smith, Aggregation of preferences with variable electorate, 1973.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     {"t1": [9, 7, 5, 3], "t2": [5, 9, 7, 3], "t3": [7, 5, 9, 3]}, index=list("ABCD")
    ... )
    >>> smith_set(scores)
    ['A', 'B', 'C']
    """
    return _select_members("smith_set", arrays.smith_set, scores, **options)


@spell_out_options
def schwartz_set(scores: VotesLike, **options: Unpack[PairOptions]) -> list[Label]:
    """Which systems are in a smallest set whose members lose to no system outside it?

    It differs from the Smith set only where pairs are tied, and is part of it.

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
        For instance-level scores: 1 counts the instances of all tasks, 2 the tasks
        on which the majority of instances favours the system.

    Returns
    -------
    list
        The union of all such sets, in table order. A system with no score at all is in no set.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    References
    ----------
    Schwartz, The logic of collective choice, 1986.

    Examples
    --------
    B ties with A and with C, and A beats C: the Smith set needs all three.

    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 1, 2], "t2": [2, 3, 1]}, index=["A", "B", "C"])
    >>> schwartz_set(scores)
    ['A', 'B']
    >>> smith_set(scores)
    ['A', 'B', 'C']
    """
    return _select_members("schwartz_set", arrays.schwartz_set, scores, **options)


@spell_out_options
def uncovered_set(scores: VotesLike, **options: Unpack[PairOptions]) -> list[Label]:
    """Which systems does no other cover?

    A system covers another if it beats it, beats every system that the other
    beats, and every system that beats it beats the other too (McKelvey's
    reading, which covers least where pairs are tied).

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
        For instance-level scores: 1 counts the instances of all tasks, 2 the tasks
        on which the majority of instances favours the system.

    Returns
    -------
    list
        The systems that are not covered, in table order; part of the Smith
        set. A system with no score at all is in no set.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    References
    ----------
    Miller, A new solution set for tournaments and majority voting, 1980; McKelvey, Covering,
    dominance, and institution-free properties of social choice, 1986; Duggan, Uncovered sets, 2013.

    Examples
    --------
    Each beats the next of A, B, C, D, and D beats A. But C covers D: it beats
    D, it beats A as D does, and B, which beats C, beats D too.

    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     {"t1": [9, 7, 5, 3], "t2": [3, 9, 7, 5], "t3": [5, 3, 9, 7]}, index=list("ABCD")
    ... )
    >>> smith_set(scores)
    ['A', 'B', 'C', 'D']
    >>> uncovered_set(scores)
    ['A', 'B', 'C']
    """
    return _select_members("uncovered_set", arrays.uncovered_set, scores, **options)


@spell_out_options
def condorcet_loser(scores: VotesLike, **options: Unpack[PairOptions]) -> Label | None:
    """Which system loses to every other, pair by pair?

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
        For instance-level scores: 1 counts the instances of all tasks, 2 the tasks
        on which the majority of instances favours the system.

    Returns
    -------
    label or None
        The system that every other beats by strict majority, or None if there
        is no such system. A system with no score at all counts as none.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    References
    ----------
    Fishburn, Condorcet social choice functions, 1977.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     {"t1": [3, 2, 1], "t2": [1, 3, 2], "t3": [3, 2, 1]}, index=["A", "B", "C"]
    ... )
    >>> condorcet_loser(scores)
    'C'
    """
    results = _select_members("condorcet_loser", arrays.condorcet_loser, scores, **options)
    return results[0] if results else None


@spell_out_options
def majority_graph(scores: VotesLike, **options: Unpack[PairOptions]) -> pd.DataFrame:
    """Who beats whom, and how clearly?

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
        For instance-level scores: 1 counts the instances of all tasks, 2 the tasks
        on which the majority of instances favours the system.

    Returns
    -------
    pandas.DataFrame
        A row for each pair of which one beats the other, the clearest wins
        first (then in table order), with the columns

        winner
            The system that beats the other.
        loser
            The system that is beaten.
        margin
            The weight of the tasks (or instances) on which the winner is above
            the loser minus the weight of those on which it is below; above 0.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    References
    ----------
    McGarvey, A theorem on the construction of voting paradoxes, 1953.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame([[3, 3, 1, 1, 2], [2, 2, 3, 3, 1], [1, 1, 2, 2, 3]], list("ABC"))
    >>> majority_graph(scores)
      winner loser  margin
    0      B     C     3.0
    1      A     B     1.0
    2      C     A     1.0
    """
    votes, request = make_pair_request("majority_graph", scores, ranks=False, **options)
    systems, counts = votes.systems, votes.view_pairs(request).data
    sizes = arrays.margin_levels(counts)
    winners, losers = np.nonzero(sizes)
    clearest = np.argsort(-sizes[winners, losers], kind="stable")
    winners, losers = winners[clearest], losers[clearest]
    labels = systems.to_flat_index()
    return pd.DataFrame(
        {
            "winner": labels[winners],
            "loser": labels[losers],
            "margin": counts.margins[winners, losers],
        }
    )


def _select_members(
    name: str,
    select: Callable[[PairwiseCounts], Bools],
    scores: VotesLike,
    /,
    **options: Unpack[PairOptions],
) -> list[Label]:
    votes, request = make_pair_request(name, scores, ranks=True, **options)
    systems, seen = votes.systems, votes.view_pairs(request)
    if not seen.ranked.any():
        return []
    return list(systems[seen.ranked][select(seen.select(seen.ranked))])
