"""The majority graph, and the sets of systems that its wins and cycles single out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Unpack

import numpy as np
import pandas as pd

from nbrank.arrays.ballots.pairwise_counts import PairwiseCounts
from nbrank.arrays.orders import majority_graphs as arrays
from nbrank.arrays.typing import Bools
from nbrank.comparison.pairwise_wins import get_pair_view
from nbrank.votes.docstrings import fill_docstring
from nbrank.votes.formatting import Label
from nbrank.votes.leaderboard import VotesLike
from nbrank.votes.table.validation import PairOptions
from nbrank.votes.views import select_systems

__all__ = ["condorcet_loser", "majority_graph", "schwartz_set", "smith_set", "uncovered_set"]


@fill_docstring
def smith_set(scores: VotesLike, **options: Unpack[PairOptions]) -> list[Label]:
    """Which is the smallest set of systems that each beat every system outside?

    {takes_majorities}

    Returns
    -------
    list
        Its members in table order; the Condorcet winner alone where there is
        one. A system with no score at all is in no set.

    {raises}

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


@fill_docstring
def schwartz_set(scores: VotesLike, **options: Unpack[PairOptions]) -> list[Label]:
    """Which systems are in a smallest set whose members lose to nobody outside it?

    It differs from the Smith set only where pairs are tied, and is part of it.

    {takes_majorities}

    Returns
    -------
    list
        The union of all such sets, in table order. A system with no score at all is in no set.

    {raises}

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


@fill_docstring
def uncovered_set(scores: VotesLike, **options: Unpack[PairOptions]) -> list[Label]:
    """Which systems does no other cover?

    A system covers another if it beats it, beats every system that the other
    beats, and every system that beats it beats the other too (McKelvey's
    reading, which covers least where pairs are tied).

    {takes_majorities}

    Returns
    -------
    list
        The systems that are not covered, in table order; part of the Smith
        set. A system with no score at all is in no set.

    {raises}

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


@fill_docstring
def condorcet_loser(scores: VotesLike, **options: Unpack[PairOptions]) -> Label | None:
    """Which system loses to every other, one against one?

    {takes_majorities}

    Returns
    -------
    label or None
        The system that every other beats by strict majority, or None if there
        is no such system. A system with no score at all counts as none.

    {raises}

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


@fill_docstring
def majority_graph(scores: VotesLike, **options: Unpack[PairOptions]) -> pd.DataFrame:
    """Who beats whom, and how clearly?

    {takes_majorities}

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

    {raises}

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
    systems, seen = get_pair_view("majority_graph", scores, **options)
    counts = seen.data
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
    systems, seen = get_pair_view(name, scores, ranks=True, **options)
    if not seen.ranked.any():
        return []
    return list(systems[seen.ranked][select(select_systems(seen.data, seen.ranked))])
