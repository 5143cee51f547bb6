"""Majority rules that search: every order of tied wins, and lotteries that no system beats."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Unpack

import numpy as np
import pandas as pd

from nbrank.arrays.ballots.pairwise_counts import PairwiseCounts
from nbrank.arrays.orders import majority_graphs as arrays
from nbrank.arrays.orders import ranked_pairs_search as locked
from nbrank.arrays.orders.linear_orders import DeadlineExceeded
from nbrank.arrays.typing import Floats
from nbrank.rules.majority import make_pair_request, register_majority_rule
from nbrank.rules.ranking import build_ranking, rank_votes
from nbrank.rules.registry import QUICK_TIME_LIMIT
from nbrank.rules.search_limits import DEFAULT_SECONDS, TimeLimit
from nbrank.votes.base import Votes
from nbrank.votes.formatting import Label, format_labels
from nbrank.votes.labeled_values import clean_label
from nbrank.votes.leaderboard import VotesLike
from nbrank.votes.table.validation import PairOptions, ViewRequest

#: A state of the search takes time as the square of the number of systems does: of these squares
#: this many are about a second.
_STATES_PER_SECOND = 3_000_000


def _quick_ranked_pairs(
    scores: VotesLike,
    *,
    time_limit: float | None = QUICK_TIME_LIMIT,
    **options: Unpack[PairOptions],
) -> pd.DataFrame:
    """Rank by `ranked_pairs`; fail if the search would take more than about a second."""

    def states(counts: PairwiseCounts) -> int:
        return min(locked.SEARCH_LIMIT, max(1, _STATES_PER_SECOND // len(counts.wins) ** 2))

    return _rank_with_search(
        *make_pair_request("ranked_pairs", scores, **options), time_limit, states
    )


@register_majority_rule(
    source="Tideman 1987",
    score_description="the clearest wins first, as long as they don't go in a circle",
    # Its score tells winners from the rest and no more.
    holds="transitivity anonymity monotonicity majority condorcet_winner condorcet_loser",
    quick_function=_quick_ranked_pairs,
    format_score=None,
)
def ranked_pairs(
    scores: VotesLike,
    *,
    tie_order: Iterable[Label] | None = None,
    time_limit: float | None = DEFAULT_SECONDS,
    **options: Unpack[PairOptions],
) -> pd.DataFrame:
    """Who is unbeaten when wins are locked in from the clearest on, unless they close a cycle?

    The larger the margin, the clearer the win. Where several pairs have the same margin their order
    matters; a system wins here if it wins under some order of them, so that no tie is broken by
    chance or by name. To find all winners is NP-hard in general, and takes no time on almost every
    real leaderboard: the search is exact, and gives up past 5,000 states.

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
    tie_order
        All systems, the preferred first, to settle tied pairs by a fixed order instead: of pairs
        with the same margin the one whose winner stands first is locked first, and of those with
        the same winner the one whose loser stands last; where two systems tie, the one that stands
        first counts as the winner, after all wins. One system wins then.
    time_limit
        The number of seconds after which the search for all winners gives up; None for no limit.

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the
        columns below; `.attrs["rule"]` names the rule.

        rank
            1 for the best; tied systems share the smallest (1, 2, 2, 4).
        score
            1 for the winners, 0 for the others.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
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
    votes, asked = make_pair_request("ranked_pairs", scores, **options)
    if tie_order is None:
        return _rank_with_search(votes, asked, time_limit, lambda _: locked.SEARCH_LIMIT)
    if not isinstance(tie_order, Iterable):
        raise TypeError(f"ranked_pairs: tie_order={tie_order!r} must be a list of all systems")
    order = list(map(clean_label, tie_order))
    _check_order(order, votes.systems)
    # Also within the tasks, at two levels, the first row is then the preferred system.
    result = rank_votes(votes.select_systems(order), asked, locked.ranked_pairs_with_tie_order)
    score = result["score"].reindex(votes.systems).to_numpy()
    return build_ranking(votes.systems, score, "ranked_pairs")


def _rank_with_search(
    votes: Votes,
    view_request: ViewRequest,
    seconds: float | None,
    states: Callable[[PairwiseCounts], int],
) -> pd.DataFrame:
    """Search for all winners, within limits of seconds and states."""
    with TimeLimit("ranked_pairs", seconds) as search:
        try:
            return rank_votes(
                votes,
                view_request,
                lambda counts: locked.ranked_pairs(counts, states(counts), search.deadline),
            )
        except (arrays.SearchLimitError, DeadlineExceeded) as error:
            raise arrays.SearchLimitError(
                "ranked_pairs: too many pairs have the same margin: the search for those that "
                f"win under some order of them gave up {str(error) or f'at {search.description}'} "
                "(the problem is NP-hard); settle tied pairs by a fixed order of the systems, "
                "tie_order=[...], the preferred first"
            ) from None


def _check_order(order: list[Label], systems: pd.Index) -> None:
    left_out = [system for system in systems if system not in order]
    unknown = [system for system in order if system not in systems]
    twice = list(dict.fromkeys(system for system in order if order.count(system) > 1))
    for wrong, what in [(left_out, "leaves out"), (unknown, "has unknown"), (twice, "repeats")]:
        if wrong:
            raise ValueError(
                f"ranked_pairs: tie_order {what} {format_labels(wrong)}; name every system once, "
                f"the preferred first"
            )


@register_majority_rule(
    source="Kreweras 1965; Fishburn 1984",
    score_description="the odds for it in a draw that no other system beats",
    # A winner that rises can pass probability on to a third system.
    holds="transitivity anonymity majority condorcet_winner condorcet_loser",
    format_score="{:.1%}".format,
)
def maximal_lotteries(scores: VotesLike, **options: Unpack[PairOptions]) -> pd.DataFrame:
    """By which odds should one draw a system so that no other is expected to beat the one drawn?

    The optimal mixed strategy of the game in which two players each name a system and the margin
    between the two is paid. If several lotteries are optimal, the leximin one is taken: its
    smallest probability is as large as can be, then its second smallest, and so on.

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
            The probability.

        `.attrs["unique"]` says whether no other lottery is maximal.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

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
    votes, asked = make_pair_request("maximal_lotteries", scores, **options)
    votes.check(asked)
    missing, views = asked.missing, votes.data
    if asked.levels == 2:
        views = votes.rank_within_tasks(
            "pairs", lambda counts: arrays.leximin_lottery(counts)[0], missing
        )
    seen = views.pairs(missing)
    odds, unique = np.full(len(votes.systems), np.nan), True
    if seen.ranked.any():
        counts = seen.select(seen.ranked)
        try:
            odds[seen.ranked], unique = arrays.leximin_lottery(counts)
        except arrays.UnevenMarginsError as error:
            raise _too_uneven(votes.systems[seen.ranked], counts.margins) from error
    return build_ranking(votes.systems, odds, "maximal_lotteries", {"unique": unique}, scale=1.0)


def _too_uneven(systems: pd.Index, margins: Floats) -> ValueError:
    """Make the error that names the narrowest and the clearest win."""
    wins = np.where(margins > 0, margins, np.nan)
    narrow, clear = (divmod(int(place(wins)), len(wins)) for place in (np.nanargmin, np.nanargmax))
    name, other = (
        f"{systems[first]!r} beats {systems[second]!r} by {margins[first, second]:g}"
        for first, second in (narrow, clear)
    )
    return ValueError(
        f"maximal_lotteries: {name} and {other}, too unequal for odds in floats; give weights "
        f"nearer to each other, or use schulze, for which the order of the margins is enough"
    )
