"""Rules that follow the paths of the majority graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Unpack

import numpy as np
import pandas as pd

from nbrank.arrays import majority_graphs
from nbrank.arrays import ranked_pairs as arrays
from nbrank.arrays.kinds import Floats
from nbrank.arrays.lotteries import leximin_lottery
from nbrank.arrays.pair_counts import PairwiseCounts
from nbrank.rules import wording
from nbrank.rules.majority import asked_of_pairs, of_majorities
from nbrank.rules.ranking import rank, ranking
from nbrank.votes.leaderboard import Source
from nbrank.votes.naming import Label, named
from nbrank.votes.options import Asked, PairOptions
from nbrank.votes.views import among
from nbrank.votes.votes import Votes, rankings_within


@of_majorities(
    source="Schulze 2011",
    counts="wins on most {tasks}{weighed}, also by way of others (A beats B, B beats C)",
    holds="transitivity anonymity unanimity monotonicity majority condorcet_winner condorcet_loser",
    written=None,
)
def schulze(scores: Source, **options: Unpack[PairOptions]) -> pd.DataFrame:
    """Which system beats the others along the strongest paths of wins?

    A path is as strong as its narrowest win, measured by the margin. One
    system beats another by strongest paths if its strongest path to the other
    is stronger than the other's to it; this relation has no cycle.

    {takes_pairs}

    {returns_ranking}
        score
            Minus the number of systems that beat it by strongest paths; 0 for the winners.

    {raises}

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
    votes, asked = asked_of_pairs("schulze", scores, **options)
    return rank(votes, asked, majority_graphs.schulze)


#: A state of the search takes time as the square of the number of systems does: of these squares
#: so many are about a second.
_A_SECOND = 3_000_000


def _quick_ranked_pairs(scores: Source, **options: Unpack[PairOptions]) -> pd.DataFrame:
    """`ranked_pairs`, or an error if the search would take more than about a second."""

    def searched(counts: PairwiseCounts) -> Floats:
        states = _A_SECOND // len(counts.wins) ** 2
        return arrays.ranked_pairs(counts, min(arrays.SEARCH_LIMIT, max(1, states)))

    return _searched(*asked_of_pairs("ranked_pairs", scores, **options), searched)


@of_majorities(
    source="Tideman 1987",
    counts="the clearest wins first, as long as they don't go in a circle",
    # Its score tells winners from the rest and no more.
    holds="transitivity anonymity monotonicity majority condorcet_winner condorcet_loser",
    side_by_side=_quick_ranked_pairs,
    written=None,
)
def ranked_pairs(
    scores: Source,
    tie_order: Iterable[Label] | None = None,
    **options: Unpack[PairOptions],
) -> pd.DataFrame:
    """Who is unbeaten when wins are locked in from the clearest on, unless they close a cycle?

    The larger the margin, the clearer the win. Where several pairs have the same margin their order
    matters; a system wins here if it wins under some order of them, so that no tie is broken by
    chance or by name. To find all winners is NP-hard in general, and takes no time on almost every
    real leaderboard: the search is exact, and gives up past 5,000 states.

    {takes_pairs}
    tie_order
        All systems, the preferred first, to settle tied pairs by a fixed order instead: of pairs
        with the same margin the one whose winner stands first is locked first, and of those with
        the same winner the one whose loser stands last; where two systems tie, the one that stands
        first counts as the winner, after all wins. One system wins then.

    {returns_ranking}
        score
            1 for the winners, 0 for the others.

    {raises}
        Also if `tie_order` does not name every system once, and (as
        `SearchLimitError`) if the search gives up.

    References
    ----------
    Tideman, Independence of clones as a criterion for voting rules, 1987; Zavist and Tideman,
    Complete independence of clones in the ranked pairs rule, 1989; Brill and Fischer, The price of
    neutrality for the ranked pairs method, 2012 (winners under some order).

    Examples
    --------
    A beats B by 3 tasks to 2, B beats C by 4 to 1, C beats A by 3 to 2. B's win over C is locked
    first; then A is left unbeaten if its win over B comes next, and B if C's win over A does.

    >>> import pandas as pd
    >>> scores = pd.DataFrame([[3, 3, 1, 1, 2], [2, 2, 3, 3, 1], [1, 1, 2, 2, 3]], list("ABC"))
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
    votes, asked = asked_of_pairs("ranked_pairs", scores, **options)
    if tie_order is None:
        return _searched(votes, asked, arrays.ranked_pairs)
    if not isinstance(tie_order, Iterable):
        raise TypeError(f"ranked_pairs: tie_order={tie_order!r} must be a list of all systems")
    order = list(tie_order)
    _check_order(order, votes.systems)
    # Also within the tasks, at two levels, the first row is then the preferred system.
    found = rank(votes.in_order(order), asked, arrays.ranked_pairs_in_order)
    score = found["score"].reindex(votes.systems).to_numpy()
    return ranking(votes.systems, score, "ranked_pairs")


def _searched(
    votes: Votes, asked: Asked, search: Callable[[PairwiseCounts], Floats]
) -> pd.DataFrame:
    try:
        return rank(votes, asked, search)
    except majority_graphs.SearchLimitError as error:
        raise majority_graphs.SearchLimitError(
            f"ranked_pairs: so many pairs have the same margin that the search for those who win "
            f"under some order of them gave up {error} (the problem is NP-hard); settle tied "
            f"pairs by a fixed order of the systems, tie_order=[...], the preferred first"
        ) from None


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


@of_majorities(
    source="Kreweras 1965; Fishburn 1984",
    counts="the odds for it in a draw that no other system beats",
    # A winner that rises can pass probability on to a third system.
    holds="transitivity anonymity majority condorcet_winner condorcet_loser",
    written=wording.share,
)
def maximal_lotteries(scores: Source, **options: Unpack[PairOptions]) -> pd.DataFrame:
    """By which odds should one draw a system so that no other is expected to beat the one drawn?

    The optimal mixed strategy of the game in which two players each name a system and the margin
    between the two is paid. If several lotteries are optimal, the leximin one is taken: its
    smallest probability is as large as can be, then its second smallest, and so on.

    {takes_pairs}

    {returns_ranking}
        score
            The probability.

        `.attrs["unique"]` says whether no other lottery is maximal.

    {raises}

    References
    ----------
    Kreweras, Aggregation of preference orderings, 1965; Fishburn, Probabilistic social choice based
    on simple voting comparisons, 1984; Brandl, Brandt and Seedig, Consistent probabilistic social
    choice, 2016.

    Examples
    --------
    A beats B by a margin of 1, B beats C by 3, C beats A by 1: each has the
    margin between the other two as its share.

    >>> import pandas as pd
    >>> scores = pd.DataFrame([[3, 3, 1, 1, 2], [2, 2, 3, 3, 1], [1, 1, 2, 2, 3]], list("ABC"))
    >>> lottery = maximal_lotteries(scores)
    >>> lottery
       rank  score
    A     1    0.6
    B     2    0.2
    C     2    0.2
    >>> lottery.attrs["unique"]
    True
    """
    votes, asked = asked_of_pairs("maximal_lotteries", scores, **options)
    votes.check(asked)
    missing, views = asked.missing, votes.views
    if asked.levels == 2:
        views = rankings_within(votes, "pairs", lambda counts: leximin_lottery(counts)[0], missing)
    seen = views.pairs(missing)
    odds, unique = np.full(len(votes.systems), np.nan), True
    if seen.scored.any():
        odds[seen.scored], unique = leximin_lottery(among(seen.view, seen.scored))
    return ranking(votes.systems, odds, "maximal_lotteries", {"unique": unique}, scale=1.0)
