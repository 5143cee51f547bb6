"""Kemeny's consensus: the order nearest to all tasks, and how far other rankings are from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.agreement import Ranking, aligned, kendall_distance
from nbrank.arrays import kemeny as arrays, optimal_orders as arrays
from nbrank.arrays.majority_graphs import SearchLimitError
from nbrank.arrays.orders import OutOfTime
from nbrank.arrays.pair_counts import PairwiseCounts, count, count_compatible
from nbrank.arrays.points import borda, borda_of_counts
from nbrank.arrays.profile import Missing, Profile, competition_ranks
from nbrank.questions.pairwise import counts_of
from nbrank.rules.described import described
from nbrank.rules.ranking import ranking as ranked
from nbrank.rules.rule import rule
from nbrank.votes.ballots import (
    EVERY_MISSING,
    refuse_missing,
    task_rankings,
    treated,
)
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.leaderboard import (
    Groups,
    Label,
    LowerIsBetter,
    Weights,
    as_leaderboard,
)
from nbrank.rules.limited_search import LimitedSearch
from nbrank.questions.pairwise import counts_of
from nbrank.rules.ranking import ranking as ranked
from nbrank.votes.options import check_choice
from nbrank.votes.tally import ByWeight, CountedTasks, Source, Tally, pairs_of, places_of

#: Which order will do: the one proven to be the rule's, or the best found by the time limit.
Accept = Literal["proven", "best"]
_ACCEPT: tuple[Accept, ...] = ("proven", "best")
#: Seconds after which a search that isn't told otherwise gives up.
_SECONDS = 30.0


@dataclass(frozen=True)
class _Preferences:
    """The preferences to agree on, and the reference that chooses among optimal orders.

    `counts` and `reference` (Borda's ranks) are about the systems with a score,
    `scored`.
    """

    systems: pd.Index
    scored: NDArray[np.bool_]
    counts: PairwiseCounts
    reference: NDArray[np.int64]

    @property
    def labels(self) -> pd.Index:
        """The systems with a score, in table order."""
        return self.systems[self.scored]

    def ranks(self, ranking: Ranking) -> NDArray[np.float64]:
        """The ranks that a ranking of all systems gives those with a score."""
        return aligned(list(self.systems), ranking)[1][self.scored]


def _preferences(
    source: Source,
    search: LimitedSearch,
    *,
    weights: Weights,
    groups: Groups,
    lower_is_better: LowerIsBetter,
    missing: Missing,
    levels: int,
) -> _Preferences:
    rule = search.function
    if isinstance(source, Comparisons):
        systems, counts, scored = counts_of(
            source,
            rule=rule,
            weights=weights,
            groups=groups,
            lower_is_better=lower_is_better,
            missing=missing,
            levels=levels,
        )
        # Up to scale, these are Borda's expected points of ballots on two systems.
        return _Preferences(systems, scored, counts, competition_ranks(_net_wins(counts)))

    def within(counts: PairwiseCounts, reference: NDArray[np.int64]) -> NDArray[np.float64]:
        found = arrays.kemeny(counts, reference, search.deadline)
        if not found.canonical:
            raise SearchLimitError(
                f"{rule}: the order within a task was not proven within {search.limit}; raise "
                f"time_limit (None is no limit), or use levels=1"
            )
        return _placed_below(found.order)

    advice = "choose how they count, such as missing='ignore'"
    if isinstance(source, Tally):
        tasks = source.weighed(weights, groups, lower_is_better)
        tasks.check(rule, missing, levels, advice)
        if levels == 1:
            return _of_tally(tasks, missing)
        profile = tasks.rankings(lambda found: within(*_of_counts(found, missing)))
        return _of_profile(tasks.systems, profile, missing)
    board = as_leaderboard(source, weights, groups, lower_is_better)
    check_choice(rule, "missing", missing, EVERY_MISSING)
    check_choice(rule, "levels", levels, (1, 2))
    if missing == "raise":
        refuse_missing(board, rule, advice)
    profile = board.profile()
    if levels == 2:
        profile = task_rankings(board, lambda seen: within(*_of_ballots(seen, missing)), missing)
    return _of_profile(board.systems, profile, missing)


def _of_profile(systems: pd.Index, profile: Profile, missing: Missing) -> _Preferences:
    seen, part = treated(profile, missing)
    counts, reference = _of_ballots(seen, missing)
    scored = part if missing == "compatible" else profile.scored
    return _Preferences(systems, scored, counts.of(scored[part]), reference[scored[part]])


def _of_tally(tasks: CountedTasks, missing: Missing) -> _Preferences:
    everyone = np.ones(len(tasks.systems), dtype=bool)
    scored = everyone if missing == "compatible" else tasks.scored
    part = everyone if missing == "worst" else scored
    found = {weight: one.of(np.flatnonzero(part)) for weight, one in tasks.by_weight().items()}
    counts, reference = _of_counts(found, missing)
    return _Preferences(tasks.systems, scored, counts.of(scored[part]), reference[scored[part]])


def _of_counts(found: ByWeight, missing: Missing) -> tuple[PairwiseCounts, NDArray[np.int64]]:
    """As `_of_ballots`, of ballots that were counted."""
    return pairs_of(found, missing), competition_ranks(
        borda_of_counts(places_of(found, missing), "compatible", "average")
    )


def _of_ballots(ballots: Profile, missing: Missing) -> tuple[PairwiseCounts, NDArray[np.int64]]:
    """The counts of treated ballots, and the ranks of their systems by Borda's expected points."""
    counts = count_compatible(ballots) if missing == "compatible" else count(ballots)
    return counts, competition_ranks(borda(ballots, "compatible", "average"))


def _net_wins(counts: PairwiseCounts) -> NDArray[np.float64]:
    net: NDArray[np.float64] = (counts.wins - counts.wins.T).sum(axis=1)
    return net


def _placed_below(order: NDArray[np.intp]) -> NDArray[np.float64]:
    return (len(order) - 1 - np.argsort(order)).astype(float)


def _unproven(search: LimitedSearch, found: arrays.Consensus) -> SearchLimitError:
    """What to say where the order found is not known to be the one asked for."""
    if found.optimal:
        what = (
            f"the order found reverses the least weight there is, {found.disagreement:,.10g}, but "
            f"others may do so too, and which of them is to be chosen was not proven within "
            f"{search.limit}"
        )
    else:
        what = (
            f"no order was proven to be optimal within {search.limit}: the best one found "
            f"reverses preferences of weight {found.disagreement:,.10g}, and every order reverses "
            f"at least {found.bound:,.10g}"
        )
    return SearchLimitError(
        f"{search.function}: {what}; give nbrank.{search.function} a larger time_limit (None is no "
        f"limit), or accept='best', to go on with that order, which .attrs then marks as not proven"
    )


def _searched(given: _Preferences, search: LimitedSearch, accept: Accept) -> arrays.Consensus:
    """The consensus, if it is what may be accepted."""
    found = arrays.kemeny(given.counts, given.reference, search.deadline)
    if accept == "proven" and not found.canonical:
        raise _unproven(search, found)
    return found


@rule(
    "consensus",
    sees="pairs standings",
    source="Kemeny 1959; Young and Levenglick 1978",
    counts="the order that contradicts the {tasks}{weighed} on fewest pairs of systems",
    ties="cost nothing",
    holds="transitivity anonymity unanimity monotonicity majority condorcet_winner condorcet_loser",
    elect=_winners,
    side_by_side=_proven,
)
@described
def kemeny(
    scores: Source,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "ignore",
    levels: int = 1,
    time_limit: float | None = _SECONDS,
    accept: Accept = "proven",
) -> pd.DataFrame:
    """Which strict order of the systems reverses the fewest pairwise preferences of the tasks?

    A task prefers one system to another where it scores it higher; ties and
    missing scores prefer nobody and cost nothing. The order returned is proven
    to be optimal, unless you accept the best one found in time. Where several
    orders are optimal it is the one nearest to Borda's ranking (the fewest
    pairs the other way round; pairs that Borda ties are free), and of those the
    one that names the first system in table order at the first place where two
    differ. Borda's ranking is that of the same ballots, with expected points
    for missing scores.

    To find the order is NP-hard in general, and quick on almost every real
    leaderboard: systems that all win against all others further down are
    ordered by themselves, small groups by a table of all subsets, larger ones
    by a linear programme with triangle constraints, and by branching where its
    solution is fractional.

    Parameters
    ----------
    {source}
    {missing_pairs}
    {levels}
    time_limit
        The number of seconds after which the search ends; None for no limit.
        Groups of up to 12 systems are always ordered, whatever time is left.
        At two levels, the tasks share these seconds with the last step. A bar
        shows the time that a long search has taken.
    accept
        Which order will do when time is up: "proven" (none but the one
        described above: a `SearchLimitError` says how good the best order
        found is, and what is proven) or "best" (that order; `.attrs` says
        what is not proven of it).

    Returns
    -------
    {ranking}
        score
            The number of systems placed below it.
    {unscored}
    In `.attrs`:

        disagreement
            The weight of the pairwise preferences that the order reverses.
        optimal
            Whether it is proven that no order reverses less.
        gap
            The weight by which another order could be better at most: the
            disagreement minus a proven lower bound; 0 if optimal.
        unique
            Whether no other order is as good; None where time ran out before
            that was known.
        canonical
            Whether the order is proven to be the one chosen among the optimal
            ones, as said above.

    Raises
    ------
    {errors}
        Also (as `SearchLimitError`) if time runs out, unless you accept the
        best order found; at two levels, if it runs out within a task.

    References
    ----------
    Kemeny, Mathematics without numbers, Daedalus, 1959; Young and Levenglick, A
    consistent extension of Condorcet's election principle, 1978. Triangle
    constraints: Groetschel, Juenger and Reinelt, A cutting plane algorithm for
    the linear ordering problem, Operations Research, 1984.

    Examples
    --------
    A beats B by 3 tasks to 2, B beats C by 4 to 1, C beats A by 3 to 2. Two
    orders reverse 6 preferences: A, B, C (where 2 tasks prefer B to A, 3 prefer
    C to A, and 1 prefers C to B) and B, C, A. Borda ranks B, A, C, one pair
    away from both, and A stands first in the table.

    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     [[3, 3, 1, 1, 2], [2, 2, 3, 3, 1], [1, 1, 2, 2, 3]], index=["A", "B", "C"]
    ... )
    >>> found = kemeny(scores)
    >>> found
       rank  score
    A     1    2.0
    B     2    1.0
    C     3    0.0
    >>> found.attrs["disagreement"], found.attrs["optimal"], found.attrs["unique"]
    (6.0, True, False)
    """
    check_choice("kemeny", "accept", accept, _ACCEPT)
    with LimitedSearch("kemeny", time_limit) as search:
        given = _preferences(
            scores,
            search,
            weights=weights,
            groups=groups,
            lower_is_better=lower_is_better,
            missing=missing,
            levels=levels,
        )
        found = _searched(given, search, accept)
    facts = {
        "disagreement": found.disagreement,
        "optimal": found.optimal,
        "gap": found.gap,
        "unique": found.unique,
        "canonical": found.canonical,
    }
    return ranked(given.systems, _below(given, found), "kemeny", facts)


def _below(given: _Preferences, found: arrays.Consensus) -> NDArray[np.float64]:
    """The score of every system; NaN for one without any score of its own."""
    below = np.full(len(given.systems), np.nan)
    below[given.scored] = _placed_below(found.order)
    return below


@described
def kemeny_winners(
    scores: Source,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "ignore",
    levels: int = 1,
    time_limit: float | None = _SECONDS,
) -> list[Label]:
    """Which systems come first in some order that reverses the fewest preferences?

    Parameters
    ----------
    {source}
    {missing_pairs}
    {levels}
    time_limit
        The number of seconds after which the search gives up, as for `kemeny`;
        None for no limit.

    Returns
    -------
    list
        The systems in table order; the first of `kemeny` is one of them.

    Raises
    ------
    {errors}
        Also (as `SearchLimitError`) if the search gives up.

    References
    ----------
    Young and Levenglick, A consistent extension of Condorcet's election
    principle, 1978.

    Examples
    --------
    Two orders are optimal, A, B, C and B, C, A; see `kemeny`.

    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     [[3, 3, 1, 1, 2], [2, 2, 3, 3, 1], [1, 1, 2, 2, 3]], index=["A", "B", "C"]
    ... )
    >>> kemeny_winners(scores)
    ['A', 'B']
    """
    with LimitedSearch("kemeny_winners", time_limit) as search:
        given = _preferences(
            scores,
            search,
            weights=weights,
            groups=groups,
            lower_is_better=lower_is_better,
            missing=missing,
            levels=levels,
        )
        first = arrays.heads(given.counts, search.deadline)
    return list(given.labels[first])


@described
def kemeny_swaps(
    scores: Source,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "ignore",
    levels: int = 1,
    time_limit: float | None = _SECONDS,
) -> pd.DataFrame:
    """Which pairs of Kemeny's consensus stand the other way round in an order that is as good?

    Parameters
    ----------
    {source}
    {missing_pairs}
    {levels}
    time_limit
        The number of seconds after which the search gives up, as for `kemeny`;
        None for no limit.

    Returns
    -------
    pandas.DataFrame
        One row for each such pair, by their places in the consensus, with the
        columns

        above
            The system that stands above in the consensus, as `kemeny` gives it.
        below
            The system that stands below there, and above in some other optimal
            order.
        margin
            The weight of the tasks that prefer `above`, minus that of those
            that prefer `below`.

        No rows where the consensus is unique. Pairs may depend on each other:
        not every set of them can be turned round at once.

    Raises
    ------
    {errors}
        Also (as `SearchLimitError`) if the search gives up.

    References
    ----------
    Young and Levenglick, A consistent extension of Condorcet's election
    principle, 1978.

    Examples
    --------
    Two orders are optimal, A, B, C and B, C, A; see `kemeny`.

    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     [[3, 3, 1, 1, 2], [2, 2, 3, 3, 1], [1, 1, 2, 2, 3]], index=["A", "B", "C"]
    ... )
    >>> kemeny_swaps(scores)
      above below  margin
    0     A     B     1.0
    1     A     C    -1.0
    """
    with LimitedSearch("kemeny_swaps", time_limit) as search:
        given = _preferences(
            scores,
            search,
            weights=weights,
            groups=groups,
            lower_is_better=lower_is_better,
            missing=missing,
            levels=levels,
        )
        may = arrays.may_stand_above(given.counts, search.deadline)
        found = arrays.kemeny(given.counts, given.reference, search.deadline)
        if not found.canonical:
            raise OutOfTime
    order = found.order
    above, below = np.nonzero(np.triu(may.T[np.ix_(order, order)], 1))
    above, below = order[above], order[below]
    return pd.DataFrame(
        {
            "above": given.labels[above],
            "below": given.labels[below],
            "margin": given.counts.margins[above, below],
        }
    )


@described
def disagreement(
    scores: Source,
    ranking: Ranking,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "ignore",
    levels: int = 1,
    time_limit: float | None = _SECONDS,
) -> float:
    """How many pairwise preferences of the tasks does a ranking reverse, by weight?

    Parameters
    ----------
    {source}
    ranking
        A ranking of the same systems: a frame that a rule returns, a Series of
        ranks, or a sequence of systems, best first. A pair that it ties
        reverses nothing, so compare rankings that tie as many.
    {missing_pairs}
    {levels}
    time_limit
        The number of seconds that the search for the orders within the tasks
        may take at two levels; None for no limit.

    Returns
    -------
    float
        The weight of the preferences (a task, or an instance, that scores one
        system above another) that the ranking has the other way round.

    Raises
    ------
    {errors}
        Also if the ranking is not one, or is about other systems; and (as
        `SearchLimitError`) if time runs out within a task, at two levels.

    References
    ----------
    Kemeny, Mathematics without numbers, Daedalus, 1959.

    Examples
    --------
    2 of 5 tasks prefer B to A, 3 prefer C to A, and 1 prefers C to B.

    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     [[3, 3, 1, 1, 2], [2, 2, 3, 3, 1], [1, 1, 2, 2, 3]], index=["A", "B", "C"]
    ... )
    >>> disagreement(scores, ["A", "B", "C"])
    6.0
    """
    with LimitedSearch("disagreement", time_limit) as search:
        given = _preferences(
            scores,
            search,
            weights=weights,
            groups=groups,
            lower_is_better=lower_is_better,
            missing=missing,
            levels=levels,
        )
    return arrays.reversed_weight(given.counts, given.ranks(ranking))


@described
def kemeny_distance_bound(
    scores: Source,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "ignore",
    levels: int = 1,
    time_limit: float | None = _SECONDS,
) -> float:
    """How many preferences must any ranking without ties reverse at least, by weight?

    A quick bound: of each pair of systems an order reverses one side, at best
    the smaller; and it cannot follow the majority all around a circle of three,
    so circles that share no pair cost their narrowest margins besides.

    Parameters
    ----------
    {source}
    {missing_pairs}
    {levels}
    time_limit
        The number of seconds that the search for the orders within the tasks
        may take at two levels; None for no limit.

    Returns
    -------
    float
        The disagreement of no order is smaller.

    Raises
    ------
    {errors}

    References
    ----------
    Davenport and Kalagnanam, A computational study of the Kemeny rule for
    preference aggregation, AAAI, 2004.

    Examples
    --------
    The smaller sides are 2, 1 and 2; A, B and C beat each other round, by 1, 3
    and 1.

    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     [[3, 3, 1, 1, 2], [2, 2, 3, 3, 1], [1, 1, 2, 2, 3]], index=["A", "B", "C"]
    ... )
    >>> kemeny_distance_bound(scores)
    6.0
    """
    with LimitedSearch("kemeny_distance_bound", time_limit) as search:
        given = _preferences(
            scores,
            search,
            weights=weights,
            groups=groups,
            lower_is_better=lower_is_better,
            missing=missing,
            levels=levels,
        )
    return arrays.distance_bound(given.counts)


@described
def kemeny_quality(
    scores: Source,
    rankings: Mapping[Label, Ranking] | pd.DataFrame,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "ignore",
    levels: int = 1,
    time_limit: float | None = _SECONDS,
    accept: Accept = "proven",
) -> pd.DataFrame:
    """How far is each ranking from the order that reverses the fewest preferences?

    Parameters
    ----------
    {source}
    rankings
        A mapping from a label to a ranking of the same systems, or a frame of
        ranks such as `compare` returns; a column without ranks (a rule that
        refused the table) gives a row of NaN.
    {missing_pairs}
    {levels}
    time_limit
        The number of seconds for the search of the consensus, as for `kemeny`;
        None for no limit.
    accept
        What will do when time is up: "proven" (nothing but the consensus, so a
        `SearchLimitError` is raised) or "best" (the best order found stands for
        the consensus, and the proven lower bound for the optimum: `excess` and
        `ratio` are then at most what they say).

    Returns
    -------
    pandas.DataFrame
        One row for each ranking, in the order given, with the columns

        disagreement
            The weight of the preferences that it reverses.
        undecided
            The weight of the preferences between systems that it ties.
        excess
            By how much it reverses more than the optimum, half of the undecided
            preferences added: the average over all ways to break its ties.
        ratio
            The same divided by the optimum: 1 is as good as can be. Borda's
            order is proven to stay within 5 on complete tables.
        kendall_distance
            The pairs that it has the other way round than `kemeny`; a tied pair
            counts 1/2.

        `.attrs["optimum"]` is the least disagreement of an order, or the lower
        bound; `.attrs["optimal"]` whether it is the least.

    Raises
    ------
    {errors}
        Also if a ranking is not one, or is about other systems; and (as
        `SearchLimitError`) if the search gives up.

    References
    ----------
    Coppersmith, Fleischer and Rudra, Ordering by weighted number of wins gives
    a good ranking for weighted tournaments, ACM Transactions on Algorithms,
    2010.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     [[3, 3, 1, 1, 2], [2, 2, 3, 3, 1], [1, 1, 2, 2, 3]], index=["A", "B", "C"]
    ... )
    >>> kemeny_quality(scores, {"by hand": ["C", "A", "B"], "all tied": pd.Series(1, list("ABC"))})
              disagreement  undecided  excess     ratio  kendall_distance
    by hand            8.0        0.0     2.0  1.333333               2.0
    all tied           0.0       15.0     1.5  1.250000               1.5
    """
    check_choice("kemeny_quality", "accept", accept, _ACCEPT)
    with LimitedSearch("kemeny_quality", time_limit) as search:
        given = _preferences(
            scores,
            search,
            weights=weights,
            groups=groups,
            lower_is_better=lower_is_better,
            missing=missing,
            levels=levels,
        )
        found = _searched(given, search, accept)
    consensus = pd.Series(1 + np.argsort(found.order), index=given.labels)
    rows = {}
    for label, ranking in rankings.items():
        if isinstance(ranking, pd.Series) and ranking.isna().all():
            rows[label] = [np.nan] * 5
            continue
        ranks = given.ranks(ranking)
        reverses = arrays.reversed_weight(given.counts, ranks)
        ties = arrays.tied_weight(given.counts, ranks)
        middle = reverses + ties / 2
        rows[label] = [
            reverses,
            ties,
            middle - found.bound,
            middle / found.bound if found.bound > 0 else 1.0 if middle == 0 else np.inf,
            kendall_distance(consensus, pd.Series(ranks, index=given.labels)),
        ]
    columns = ["disagreement", "undecided", "excess", "ratio", "kendall_distance"]
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=columns, dtype=float)
    frame.attrs = {"optimum": found.bound, "optimal": found.optimal}
    return frame
