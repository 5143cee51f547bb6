"""Rules and sets that follow the paths of the majority graph, and the graph itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays import tournament as arrays
from nbrank.arrays.pairwise import PairwiseCounts
from nbrank.arrays.profile import Missing
from nbrank.labelled.comparisons import Comparisons
from nbrank.labelled.described import described
from nbrank.labelled.leaderboard import (
    Groups,
    Label,
    Leaderboard,
    LowerIsBetter,
    Weights,
    as_leaderboard,
    named,
)
from nbrank.labelled.majority import rank_by_counts
from nbrank.labelled.pairwise import counts_of
from nbrank.labelled.ranking import ranking
from nbrank.labelled.tally import Source, Tally

if TYPE_CHECKING:
    import networkx as nx


@described
def schulze(
    scores: Source,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "ignore",
    levels: int = 1,
) -> pd.DataFrame:
    """Which system beats the others along the strongest paths of wins?

    A path is as strong as its narrowest win, measured by the margin. One
    system beats another by strongest paths if its strongest path to the other
    is stronger than the other's to it; this relation has no cycle.

    Parameters
    ----------
    {source}
    {missing_pairs}
    {levels}

    Returns
    -------
    {ranking}
        score
            Minus the number of systems that beat it by strongest paths; 0 for
            the winners.
    {unscored}

    Raises
    ------
    {errors}

    References
    ----------
    Schulze, A new monotonic, clone-independent, reversal symmetric, and
    Condorcet-consistent single-winner election method, Social Choice and
    Welfare, 2011.

    Examples
    --------
    A beats B by 3 tasks to 2, B beats C by 4 to 1, C beats A by 3 to 2. B
    reaches C by a margin of 3, C reaches B (through A) by 1 only; the other
    paths are as strong one way as the other.

    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     [[3, 3, 1, 1, 2], [2, 2, 3, 3, 1], [1, 1, 2, 2, 3]], index=["A", "B", "C"]
    ... )
    >>> schulze(scores)
       rank  score
    A     1    0.0
    B     1    0.0
    C     3   -1.0
    """
    return rank_by_counts(
        scores,
        "schulze",
        arrays.schulze,
        weights=weights,
        groups=groups,
        lower_is_better=lower_is_better,
        missing=missing,
        levels=levels,
    )


@described
def ranked_pairs(
    scores: Source,
    tie_order: Iterable[Label] | None = None,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "ignore",
    levels: int = 1,
) -> pd.DataFrame:
    """Who is unbeaten when wins are locked in from the clearest on, unless they close a cycle?

    Wins are as clear as their margin. Where several pairs have the same margin
    their order matters; a system wins here if it wins under some order of them,
    so that no tie is broken by chance or by name. To find all winners is
    NP-hard in general, and takes no time on almost every real leaderboard: the
    search is exact, and gives up past 5,000 states.

    Parameters
    ----------
    {source}
    tie_order
        All systems, the preferred first, to settle tied pairs by a fixed order
        instead: of pairs with the same margin the one whose winner stands first
        is locked first, and of those with the same winner the one whose loser
        stands last; where two systems tie, the one that stands first counts as
        the winner, after all wins. One system wins then.
    {missing_pairs}
    {levels}

    Returns
    -------
    {ranking}
        score
            1 for the winners, 0 for the others.
    {unscored}

    Raises
    ------
    {errors}
        Also if `tie_order` does not name every system once, and (as
        `SearchLimitError`) if the search gives up.

    References
    ----------
    Tideman, Independence of clones as a criterion for voting rules, Social
    Choice and Welfare, 1987; Zavist and Tideman, Complete independence of
    clones in the ranked pairs rule, 1989. Winners under some order, and how
    hard they are to find: Brill and Fischer, The price of neutrality for the
    ranked pairs method, 2012.

    Examples
    --------
    A beats B by 3 tasks to 2, B beats C by 4 to 1, C beats A by 3 to 2. B's
    win over C is locked first; then A is left unbeaten if its win over B comes
    next, and B if C's win over A does.

    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     [[3, 3, 1, 1, 2], [2, 2, 3, 3, 1], [1, 1, 2, 2, 3]], index=["A", "B", "C"]
    ... )
    >>> ranked_pairs(scores)
       rank  score
    A     1    1.0
    B     1    1.0
    C     3    0.0
    >>> ranked_pairs(scores, tie_order=["C", "B", "A"])
       rank  score
    B     1    1.0
    A     2    0.0
    C     2    0.0
    """
    if tie_order is not None:
        if not isinstance(tie_order, Iterable):
            raise TypeError(f"ranked_pairs: tie_order={tie_order!r} must be a list of all systems")
        return _ranked_pairs_in_order(
            scores,
            list(tie_order),
            weights=weights,
            groups=groups,
            lower_is_better=lower_is_better,
            missing=missing,
            levels=levels,
        )
    return _searched_ranked_pairs(
        scores,
        arrays.ranked_pairs,
        weights=weights,
        groups=groups,
        lower_is_better=lower_is_better,
        missing=missing,
        levels=levels,
    )


#: A state of the search takes time as the square of the number of systems does: of these squares
#: so many are about a second.
_A_SECOND = 3_000_000


def quick_ranked_pairs(
    scores: Source,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "ignore",
    levels: int = 1,
) -> pd.DataFrame:
    """`ranked_pairs`, or an error if the search would take more than about a second.

    For tables of ranks, and for whoever waits at a slider.

    Parameters
    ----------
    scores, weights, groups, lower_is_better, missing, levels
        As for `ranked_pairs`.

    Raises
    ------
    SearchLimitError
        If the search gives up, on large boards sooner than that of `ranked_pairs`.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [2, 3, 1]}, index=["A", "B", "C"])
    >>> quick_ranked_pairs(scores)["score"].tolist()
    [1.0, 1.0, 0.0]
    """

    def searched(counts: PairwiseCounts) -> NDArray[np.float64]:
        states = _A_SECOND // len(counts.wins) ** 2
        return arrays.ranked_pairs(counts, min(arrays.SEARCH_LIMIT, max(1, states)))

    return _searched_ranked_pairs(
        scores,
        searched,
        weights=weights,
        groups=groups,
        lower_is_better=lower_is_better,
        missing=missing,
        levels=levels,
    )


def _searched_ranked_pairs(
    scores: Source,
    search: Callable[[PairwiseCounts], NDArray[np.float64]],
    *,
    weights: Weights,
    groups: Groups,
    lower_is_better: LowerIsBetter,
    missing: Missing,
    levels: int,
) -> pd.DataFrame:
    try:
        return rank_by_counts(
            scores,
            "ranked_pairs",
            search,
            weights=weights,
            groups=groups,
            lower_is_better=lower_is_better,
            missing=missing,
            levels=levels,
        )
    except arrays.SearchLimitError as error:
        raise arrays.SearchLimitError(
            f"ranked_pairs: so many pairs have the same margin that the search for those who win "
            f"under some order of them gave up {error} (the problem is NP-hard); settle tied "
            f"pairs by a fixed order of the systems, tie_order=[...], the preferred first"
        ) from None


def _ranked_pairs_in_order(
    scores: Source,
    order: list[Label],
    *,
    weights: Weights,
    groups: Groups,
    lower_is_better: LowerIsBetter,
    missing: Missing,
    levels: int,
) -> pd.DataFrame:
    source: Leaderboard | Comparisons | Tally
    if isinstance(scores, Comparisons):
        source, systems = scores, scores.systems
        _check_order(order, systems)
    elif isinstance(scores, Tally):
        systems = scores.systems
        _check_order(order, systems)
        source = scores.with_systems(order)
    else:
        board = as_leaderboard(scores, weights, groups, lower_is_better)
        weights, groups, lower_is_better = None, None, ()
        systems = board.systems
        _check_order(order, systems)
        # Also within the tasks, at two levels, the first row is then the preferred system.
        source = board.with_systems(order)
    found, counts, scored = counts_of(
        source,
        rule="ranked_pairs",
        weights=weights,
        groups=groups,
        lower_is_better=lower_is_better,
        missing=missing,
        levels=levels,
        within=arrays.ranked_pairs_in_order,
    )
    numbers = {system: position for position, system in enumerate(found)}
    preferred = np.array([numbers[system] for system in order if scored[numbers[system]]], np.intp)
    chosen = np.ix_(preferred, preferred)
    result = np.full(len(found), np.nan)
    result[preferred] = arrays.ranked_pairs_in_order(
        PairwiseCounts(counts.wins[chosen], counts.ties[chosen], counts.total)
    )
    in_table = [numbers[system] for system in systems]
    return ranking(systems, result[in_table], "ranked_pairs")


def _check_order(order: list[Label], systems: pd.Index) -> None:
    left_out = [system for system in systems if system not in order]
    unknown = [system for system in order if system not in systems]
    twice = list(dict.fromkeys(system for system in order if order.count(system) > 1))
    for wrong, what in [(left_out, "leaves out"), (unknown, "has unknown"), (twice, "repeats")]:
        if wrong:
            raise ValueError(
                f"ranked_pairs: tie_order {what} {named(wrong)}; name every system once, "
                f"the preferred first"
            )


@described
def maximal_lotteries(
    scores: Source,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "ignore",
    levels: int = 1,
) -> pd.DataFrame:
    """By which odds should one draw a system so that no other is expected to beat the one drawn?

    The optimal mixed strategy of the game in which two players each name a
    system and the margin between the two is paid. If several lotteries are
    optimal, the leximin one is taken: its smallest probability is as large as
    can be, then its second smallest, and so on.

    Parameters
    ----------
    {source}
    {missing_pairs}
    {levels}

    Returns
    -------
    {ranking}
        score
            The probability.

        `.attrs["unique"]` says whether no other lottery is maximal.
    {unscored}

    Raises
    ------
    {errors}

    References
    ----------
    Kreweras, Aggregation of preference orderings, 1965; Fishburn,
    Probabilistic social choice based on simple voting comparisons, Review of
    Economic Studies, 1984; Brandl, Brandt and Seedig, Consistent probabilistic
    social choice, Econometrica, 2016.

    Examples
    --------
    A beats B by a margin of 1, B beats C by 3, C beats A by 1: each has the
    margin between the other two as its share.

    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     [[3, 3, 1, 1, 2], [2, 2, 3, 3, 1], [1, 1, 2, 2, 3]], index=["A", "B", "C"]
    ... )
    >>> lottery = maximal_lotteries(scores)
    >>> lottery
       rank  score
    A     1    0.6
    B     2    0.2
    C     2    0.2
    >>> lottery.attrs["unique"]
    True
    """
    systems, counts, scored = counts_of(
        scores,
        rule="maximal_lotteries",
        weights=weights,
        groups=groups,
        lower_is_better=lower_is_better,
        missing=missing,
        levels=levels,
        within=arrays.maximal_lotteries,
    )
    result = np.full(len(systems), np.nan)
    unique = True
    if scored.any():
        lottery = arrays.leximin_lottery(counts.of(scored))
        result[scored], unique = lottery.probabilities, lottery.unique
    return ranking(systems, result, "maximal_lotteries", {"unique": unique})


def _members(
    scores: Source,
    name: str,
    chosen: Callable[[PairwiseCounts], NDArray[np.bool_]],
    *,
    weights: Weights,
    groups: Groups,
    lower_is_better: LowerIsBetter,
    missing: Missing,
    levels: int,
) -> list[Label]:
    systems, counts, scored = counts_of(
        scores,
        rule=name,
        weights=weights,
        groups=groups,
        lower_is_better=lower_is_better,
        missing=missing,
        levels=levels,
    )
    if not scored.any():
        return []
    return list(systems[scored][chosen(counts.of(scored))])


@described
def smith_set(
    scores: Source,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "ignore",
    levels: int = 1,
) -> list[Label]:
    """Which is the smallest set of systems that each beat every system outside?

    Parameters
    ----------
    {source}
    {missing_pairs}
    levels
        For instance-level scores: 1 pools all instances of all tasks, 2 counts
        the tasks on which the majority of instances favours a system.

    Returns
    -------
    list
        Its members in table order; the Condorcet winner alone where there is
        one. A system with no score at all is in no set.

    Raises
    ------
    {errors}

    References
    ----------
    Smith, Aggregation of preferences with variable electorate, Econometrica,
    1973.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     {"t1": [4, 3, 2, 1], "t2": [2, 4, 3, 1], "t3": [3, 2, 4, 1]}, index=list("ABCD")
    ... )
    >>> smith_set(scores)
    ['A', 'B', 'C']
    """
    return _members(
        scores,
        "smith_set",
        arrays.smith_set,
        weights=weights,
        groups=groups,
        lower_is_better=lower_is_better,
        missing=missing,
        levels=levels,
    )


@described
def schwartz_set(
    scores: Source,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "ignore",
    levels: int = 1,
) -> list[Label]:
    """Which systems are in a smallest set that no system outside beats any member of?

    It differs from the Smith set only where pairs are tied, and is part of it.

    Parameters
    ----------
    {source}
    {missing_pairs}
    levels
        For instance-level scores: 1 pools all instances of all tasks, 2 counts
        the tasks on which the majority of instances favours a system.

    Returns
    -------
    list
        The union of all such sets, in table order. A system with no score at
        all is in no set.

    Raises
    ------
    {errors}

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
    return _members(
        scores,
        "schwartz_set",
        arrays.schwartz_set,
        weights=weights,
        groups=groups,
        lower_is_better=lower_is_better,
        missing=missing,
        levels=levels,
    )


@described
def uncovered_set(
    scores: Source,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "ignore",
    levels: int = 1,
) -> list[Label]:
    """Which systems does no other cover?

    A system covers another if it beats it, beats every system that the other
    beats, and every system that beats it beats the other too (McKelvey's
    reading, which covers least where pairs are tied).

    Parameters
    ----------
    {source}
    {missing_pairs}
    levels
        For instance-level scores: 1 pools all instances of all tasks, 2 counts
        the tasks on which the majority of instances favours a system.

    Returns
    -------
    list
        The systems that are not covered, in table order; part of the Smith
        set. A system with no score at all is in no set.

    Raises
    ------
    {errors}

    References
    ----------
    Miller, A new solution set for tournaments and majority voting, American
    Journal of Political Science, 1980; McKelvey, Covering, dominance, and
    institution-free properties of social choice, 1986; Duggan, Uncovered sets,
    Social Choice and Welfare, 2013.

    Examples
    --------
    Each beats the next of A, B, C, D, and D beats A. But C covers D: it beats
    D, it beats A as D does, and B, which beats C, beats D too.

    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     {"t1": [4, 3, 2, 1], "t2": [1, 4, 3, 2], "t3": [2, 1, 4, 3]}, index=list("ABCD")
    ... )
    >>> smith_set(scores)
    ['A', 'B', 'C', 'D']
    >>> uncovered_set(scores)
    ['A', 'B', 'C']
    """
    return _members(
        scores,
        "uncovered_set",
        arrays.uncovered_set,
        weights=weights,
        groups=groups,
        lower_is_better=lower_is_better,
        missing=missing,
        levels=levels,
    )


@described
def condorcet_loser(
    scores: Source,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "ignore",
    levels: int = 1,
) -> Label | None:
    """Which system loses to every other, one against one?

    Parameters
    ----------
    {source}
    {missing_pairs}
    levels
        For instance-level scores: 1 pools all instances of all tasks, 2 counts
        the tasks on which the majority of instances favours a system.

    Returns
    -------
    label or None
        The system that every other beats by strict majority, or None if there
        is no such system. A system with no score at all counts as none.

    Raises
    ------
    {errors}

    References
    ----------
    Fishburn, Condorcet social choice functions, SIAM Journal on Applied
    Mathematics, 1977.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     {"t1": [3, 2, 1], "t2": [1, 3, 2], "t3": [3, 2, 1]}, index=["A", "B", "C"]
    ... )
    >>> condorcet_loser(scores)
    'C'
    """
    found = _members(
        scores,
        "condorcet_loser",
        arrays.condorcet_loser,
        weights=weights,
        groups=groups,
        lower_is_better=lower_is_better,
        missing=missing,
        levels=levels,
    )
    return found[0] if found else None


@described
def majority_graph(
    scores: Source,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "ignore",
    levels: int = 1,
) -> pd.DataFrame:
    """Who beats whom, and how clearly?

    Parameters
    ----------
    {source}
    {missing_pairs}
    levels
        For instance-level scores: 1 pools all instances of all tasks, 2 counts
        the tasks on which the majority of instances favours a system.

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
    {errors}

    References
    ----------
    McGarvey, A theorem on the construction of voting paradoxes, Econometrica,
    1953.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     [[3, 3, 1, 1, 2], [2, 2, 3, 3, 1], [1, 1, 2, 2, 3]], index=["A", "B", "C"]
    ... )
    >>> majority_graph(scores)
      winner loser  margin
    0      B     C     3.0
    1      A     B     1.0
    2      C     A     1.0
    """
    systems, counts, _ = counts_of(
        scores,
        rule="majority_graph",
        weights=weights,
        groups=groups,
        lower_is_better=lower_is_better,
        missing=missing,
        levels=levels,
    )
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


@described
def majority_networkx(
    scores: Source,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "ignore",
    levels: int = 1,
) -> nx.DiGraph[Label]:
    """Who beats whom, as a graph to draw or to ask for its paths and cycles?

    Parameters
    ----------
    {source}
    {missing_pairs}
    levels
        For instance-level scores: 1 pools all instances of all tasks, 2 counts
        the tasks on which the majority of instances favours a system.

    Returns
    -------
    networkx.DiGraph
        A node for each system in table order, an edge from each winner to each
        system that it beats, with the attribute `margin` as in
        `majority_graph`.

    Raises
    ------
    {errors}

    Examples
    --------
    >>> import networkx as nx
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     [[3, 3, 1, 1, 2], [2, 2, 3, 3, 1], [1, 1, 2, 2, 3]], index=["A", "B", "C"]
    ... )
    >>> graph = majority_networkx(scores)
    >>> graph.edges["B", "C"]["margin"]
    3.0
    >>> sorted(nx.find_cycle(graph))
    [('A', 'B'), ('B', 'C'), ('C', 'A')]
    """
    import networkx as nx

    systems, counts, _ = counts_of(
        scores,
        rule="majority_networkx",
        weights=weights,
        groups=groups,
        lower_is_better=lower_is_better,
        missing=missing,
        levels=levels,
    )
    margins = counts.margins
    graph: nx.DiGraph[Label] = nx.DiGraph()
    graph.add_nodes_from(systems)
    graph.add_edges_from(
        (systems[winner], systems[loser], {"margin": float(margins[winner, loser])})
        for winner, loser in np.argwhere(margins > 0)
    )
    return graph
