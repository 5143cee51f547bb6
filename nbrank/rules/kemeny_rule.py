"""Kemeny's consensus: the order nearest to all tasks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Unpack

import numpy as np
import pandas as pd

from nbrank.arrays.ballots.pairwise_counts import PairwiseCounts
from nbrank.arrays.ballots.positional_scoring import borda
from nbrank.arrays.ballots.profile import Missing, competition_ranks
from nbrank.arrays.orders import kemeny_orders as arrays
from nbrank.arrays.orders.linear_orders import DeadlineExceeded
from nbrank.arrays.orders.majority_graphs import SearchLimitError, majority_circles
from nbrank.arrays.typing import Bools, Floats, Ints, Positions
from nbrank.rules.majority import make_pair_request
from nbrank.rules.ranking import build_ranking
from nbrank.rules.registry import QUICK_TIME_LIMIT, register_rule
from nbrank.rules.search_limits import DEFAULT_SECONDS, TimeLimit
from nbrank.votes.formatting import Label
from nbrank.votes.leaderboard import VotesLike
from nbrank.votes.table.validation import PairOptions, check_choice
from nbrank.votes.views import VoteData

#: Which order will do: the one proven to be the rule's, or the best found by the time limit.
Accept = Literal["proven", "best"]
_ACCEPT: tuple[Accept, ...] = ("proven", "best")
#: Circles of three systems beyond which no order is proven in this many seconds.
_MOST_CIRCLES, _IN_SECONDS = 50_000, 10.0


@dataclass(frozen=True)
class Preferences:
    """The preferences to agree on, and what chooses among optimal orders."""

    systems: pd.Index
    #: Those of them that the order is of.
    candidates: Bools
    #: Those that it ranks: the others have no score at all.
    scored: Bools
    #: The pairwise preferences among the systems of the order.
    counts: PairwiseCounts
    #: Their ranks by Borda's expected points.
    reference: Ints

    @classmethod
    def from_data(cls, systems: pd.Index, views: VoteData, missing: Missing) -> Preferences:
        """Count the preferences from the views of the votes."""
        pairs, standings = views.pairs(missing), views.standings(missing)
        points = borda(standings.select(pairs.candidates), "compatible", "average")
        counts = pairs.select(pairs.candidates)
        reference = competition_ranks(points, counts.total * max(len(points) - 1, 1))
        return cls(systems, pairs.candidates, pairs.ranked, counts, reference)

    @classmethod
    def from_votes(
        cls, scores: VotesLike, search: TimeLimit, **options: Unpack[PairOptions]
    ) -> Preferences:
        """Count the preferences of votes, at two levels those of the consensus within each task."""
        votes, asked = make_pair_request(search.function, scores, **options)
        votes.check(asked)
        if asked.levels == 1:
            return cls.from_data(votes.systems, votes.data, asked.missing)

        def within(task: VoteData) -> Floats:
            value = cls.from_data(votes.systems, task, asked.missing)
            value.check_size(search)
            consensus = arrays.kemeny(value.counts, value.reference, search.deadline)
            if not consensus.is_reference_choice:
                raise SearchLimitError(
                    f"{search.function}: the order within a task was not proven within "
                    f"{search.description}; raise time_limit (None removes it), or use levels=1"
                )
            return value.n_placed_below(consensus.order)

        return cls.from_data(votes.systems, votes.build_task_ballots(within), asked.missing)

    def n_placed_below(self, order: Positions) -> Floats:
        """Count the systems that an order places below each; NaN for one that it doesn't rank."""
        below = np.full(len(self.candidates), np.nan)
        below[self.candidates] = len(order) - 1 - np.argsort(order)
        below[~self.scored] = np.nan
        return below

    def check_size(self, search: TimeLimit, remedy: str = "") -> None:
        """Raise a `SearchLimitError` where no order can be proven optimal within the limit."""
        most = _MOST_CIRCLES * max(search.seconds / _IN_SECONDS, 1.0)
        circles = 0 if np.isinf(most) else majority_circles(self.counts)
        if circles > most:
            raise SearchLimitError(
                f"{search.function}: the search is not started, because no order can be proven to "
                f"be optimal within {search.description}: the majorities go round in {circles:,} "
                f"circles of three systems, and {most:,.0f} are the most that are tried. Give "
                f"nbrank.{search.function} time_limit=None (no limit){remedy}"
            )

    def find_consensus(self, search: TimeLimit, accept: Accept) -> arrays.Consensus:
        """Find the consensus; fail if it is not proven to be the requested one."""
        check_choice(search.function, "accept", accept, _ACCEPT)
        if accept == "proven":
            self.check_size(search, ", or accept='best' (the best order found)")
        consensus = arrays.kemeny(self.counts, self.reference, search.deadline)
        if accept == "best" or consensus.is_reference_choice:
            return consensus
        if consensus.optimal:
            what = (
                "the order found reverses the least weight there is, "
                f"{consensus.disagreement:,.10g}, but others may do so too, and which of them is "
                f"to be chosen was not proven within {search.description}"
            )
        else:
            what = (
                f"no order was proven to be optimal within {search.description}: the best one "
                f"found reverses preferences of weight {consensus.disagreement:,.10g}, and every "
                f"order reverses at least {consensus.bound:,.10g}"
            )
        raise SearchLimitError(
            f"{search.function}: {what}; give nbrank.{search.function} a larger time_limit (None "
            f"removes it), or accept='best', to go on with that order, which .attrs then marks as "
            f"not proven"
        )

    def find_winners(self, search: TimeLimit) -> list[Label]:
        """Find the systems that come first in some optimal order, in table order."""
        self.check_size(search)
        first = np.zeros(len(self.systems), dtype=bool)
        first[self.candidates] = arrays.possible_winners(self.counts, search.deadline)
        return list(self.systems[first & self.scored])

    def find_swaps(self, search: TimeLimit) -> pd.DataFrame:
        """Find the pairs that the consensus and another optimal order put in opposite order."""
        self.check_size(search)
        may = arrays.possible_above(self.counts, search.deadline)
        consensus = arrays.kemeny(self.counts, self.reference, search.deadline)
        if not consensus.is_reference_choice:
            raise DeadlineExceeded
        labels, order = self.systems[self.candidates], consensus.order
        above, below = np.nonzero(np.triu(may.T[np.ix_(order, order)], 1))
        above, below = order[above], order[below]
        margin = self.counts.margins[above, below]
        return pd.DataFrame({"above": labels[above], "below": labels[below], "margin": margin})


def _elect(
    scores: VotesLike,
    *,
    time_limit: float | None = QUICK_TIME_LIMIT,
    accept: Accept = "proven",
    **options: Unpack[PairOptions],
) -> list[Label]:
    check_choice("kemeny", "accept", accept, _ACCEPT)
    with TimeLimit("kemeny", time_limit) as search:
        return Preferences.from_votes(scores, search, **options).find_winners(search)


def _quick_kemeny(scores: VotesLike, **options: Any) -> pd.DataFrame:
    """Rank by `kemeny`; fail if its order isn't proven soon."""
    return kemeny(scores, **{"time_limit": QUICK_TIME_LIMIT, **options})


@register_rule(
    "consensus",
    requires="pairs standings",
    source="Kemeny 1959; Young and Levenglick 1978",
    score_description="the order that contradicts the {tasks}{weighed} on fewest pairs of systems",
    ties="cost nothing",
    holds="transitivity anonymity unanimity monotonicity majority condorcet_winner condorcet_loser",
    find_winners=_elect,
    quick_function=_quick_kemeny,
    format_score=None,
)
def kemeny(
    scores: VotesLike,
    *,
    time_limit: float | None = DEFAULT_SECONDS,
    accept: Accept = "proven",
    **options: Unpack[PairOptions],
) -> pd.DataFrame:
    """Which strict order of the systems reverses the fewest pairwise preferences of the tasks?

    A task prefers one system to another where it scores it higher; ties and missing scores prefer
    nobody and cost nothing. The order returned is proven to be optimal, unless you accept the best
    one found in time. Where several orders are optimal it is the one nearest to Borda's ranking of
    the same ballots (the fewest pairs the other way round; pairs that Borda ties are free), and of
    those the one that names the first system in table order at the first place where two differ.

    To find the order is NP-hard in general, and quick on almost every real leaderboard:
    groups that win against all further down are ordered by themselves, small ones by a
    table of all subsets, larger ones by a linear programme and by branching.

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
    time_limit
        The number of seconds after which the search ends, at two levels with those within
        tasks; None for no limit. Groups of up to 12 systems are always ordered.
    accept
        Which order will do when time is up: "proven" (only the one described above: a
        `SearchLimitError` says how good the best one found is) or "best" (the best one found;
        `.attrs` says what is not proven of it).

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the
        columns below; `.attrs["rule"]` names the rule.

        rank
            1 for the best; tied systems share the smallest (1, 2, 2, 4).
        score
            The number of systems placed below it.

        In `.attrs`:

            disagreement
                The weight of the pairwise preferences that the order reverses.
            optimal
                Whether it is proven that no order reverses less.
            gap
                By how much another order could be better at most; 0 if optimal.
            unique
                Whether no other order is as good; None where time ran out before.
            canonical
                Whether it is proven to be the one of the optimal orders that is chosen as above.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also (as `SearchLimitError`) if time runs out, unless you accept the
        best order found; at two levels, if it runs out within a task.

    References
    ----------
    Kemeny, Mathematics without numbers, 1959; Young and Levenglick, A consistent extension of
    Condorcet's election principle, 1978; Grötschel, Jünger and Reinelt, A cutting plane algorithm
    for the linear ordering problem, 1984.

    Examples
    --------
    A beats B by 3 tasks to 2, B beats C by 4 to 1, C beats A by 3 to 2. Two orders reverse 6
    preferences: A, B, C (where 2 tasks prefer B to A, 3 prefer C to A, and 1 prefers C to B) and B,
    C, A. Borda ranks B, A, C, one pair away from both, and A stands first in the table.

    >>> import pandas as pd
    >>> scores = pd.DataFrame([[3, 3, 1, 1, 2], [2, 2, 3, 3, 1], [1, 1, 2, 2, 3]], list("ABC"))
    >>> found = kemeny(scores)
    >>> found
       rank  score
    A     1    2.0
    B     2    1.0
    C     3    0.0
    >>> found.attrs["disagreement"], found.attrs["optimal"], found.attrs["unique"]
    (6.0, True, False)
    """
    with TimeLimit("kemeny", time_limit) as search:
        value = Preferences.from_votes(scores, search, **options)
        consensus = value.find_consensus(search, accept)
    facts = {
        "disagreement": consensus.disagreement,
        "optimal": consensus.optimal,
        "gap": consensus.gap,
        "unique": consensus.unique,
        "canonical": consensus.is_reference_choice,
    }
    return build_ranking(value.systems, value.n_placed_below(consensus.order), "kemeny", facts)
