"""Kemeny's consensus: the order nearest to all tasks, and how far other rankings are from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays import kemeny as arrays
from nbrank.arrays.pairwise import PairwiseCounts, count, count_compatible
from nbrank.arrays.positional import borda, borda_of_counts
from nbrank.arrays.profile import Missing, Profile, competition_ranks
from nbrank.arrays.tournament import SearchLimitError
from nbrank.labelled.agreement import Ranking, aligned, kendall_distance
from nbrank.labelled.ballots import (
    EVERY_MISSING,
    refuse_missing,
    task_rankings,
    treated,
)
from nbrank.labelled.comparisons import Comparisons
from nbrank.labelled.described import described
from nbrank.labelled.leaderboard import (
    Groups,
    Label,
    LowerIsBetter,
    Weights,
    as_leaderboard,
)
from nbrank.labelled.options import check_choice
from nbrank.labelled.pairwise import counts_of
from nbrank.labelled.ranking import ranking as ranked
from nbrank.labelled.tally import ByWeight, CountedTasks, Source, Tally, pairs_of, places_of


@dataclass(frozen=True)
class _Preferences:
    """The preferences to agree on, and the reference that chooses among optimal orders.

    `counts` and `reference` (Borda's ranks) are about the systems on the ballots,
    `scored`: those with a score, or that missing scores give a place. Of these,
    `ranked` says who has a score of its own.
    """

    systems: pd.Index
    scored: NDArray[np.bool_]
    ranked: NDArray[np.bool_]
    counts: PairwiseCounts
    reference: NDArray[np.int64]

    @property
    def labels(self) -> pd.Index:
        """The systems on the ballots, in table order."""
        return self.systems[self.scored]

    def ranks(self, ranking: Ranking) -> NDArray[np.float64]:
        """The ranks that a ranking of all systems gives those on the ballots."""
        return aligned(list(self.systems), ranking)[1][self.scored]


def _preferences(
    source: Source,
    rule: str,
    time_limit: float | None = None,
    *,
    weights: Weights,
    groups: Groups,
    lower_is_better: LowerIsBetter,
    missing: Missing,
    levels: int,
) -> _Preferences:
    _check_time_limit(rule, time_limit)
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
        reference = competition_ranks(_net_wins(counts))
        return _Preferences(systems, scored, scored, counts, reference)

    def within(counts: PairwiseCounts, reference: NDArray[np.int64]) -> NDArray[np.float64]:
        found = arrays.kemeny(counts, reference, time_limit=time_limit)
        if not found.canonical:
            raise SearchLimitError(
                f"{rule}: the order within a task was not proven within the time limit of "
                f"{time_limit:g} seconds; raise time_limit, or use levels=1"
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
    seen = treated(profile, missing)
    return _Preferences(systems, seen.part, seen.ranked, *_of_ballots(seen.ballots, missing))


def _of_tally(tasks: CountedTasks, missing: Missing) -> _Preferences:
    everyone = np.ones(len(tasks.systems), dtype=bool)
    ranked = everyone if missing == "compatible" else tasks.scored
    part = everyone if missing == "worst" else ranked
    found = {weight: one.of(np.flatnonzero(part)) for weight, one in tasks.by_weight().items()}
    return _Preferences(tasks.systems, part, ranked, *_of_counts(found, missing))


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


@contextmanager
def _named(function: str) -> Iterator[None]:
    """Say which function gave up, and what to do."""
    try:
        yield
    except SearchLimitError as error:
        raise SearchLimitError(f"{function}: {error}; raise time_limit") from None


def _check_time_limit(rule: str, time_limit: float | None) -> None:
    if time_limit is None:
        return
    if isinstance(time_limit, bool) or not isinstance(time_limit, int | float | np.number):
        raise TypeError(f"{rule}: time_limit is a number of seconds, not {time_limit!r}")
    if not time_limit > 0:
        raise ValueError(f"{rule}: time_limit is a number of seconds above 0, not {time_limit!r}")


@described
def kemeny(
    scores: Source,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "ignore",
    levels: int = 1,
    time_limit: float | None = None,
) -> pd.DataFrame:
    """Which strict order of the systems reverses the fewest pairwise preferences of the tasks?

    A task prefers one system to another where it scores it higher; ties and
    missing scores prefer nobody and cost nothing. The order returned is proven
    to be optimal, unless `time_limit` ends the search first. Where several
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
        Seconds after which the search ends with the best order found so far,
        and what has been proven about it; None for no limit. At two levels,
        every task has so many seconds, as has the last step.

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
        Also (as `SearchLimitError`) if time runs out within a task, at two
        levels.

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
    given = _preferences(
        scores,
        "kemeny",
        time_limit,
        weights=weights,
        groups=groups,
        lower_is_better=lower_is_better,
        missing=missing,
        levels=levels,
    )
    found = arrays.kemeny(given.counts, given.reference, time_limit=time_limit)
    facts = {
        "disagreement": found.disagreement,
        "optimal": found.optimal,
        "gap": found.gap,
        "unique": found.unique,
        "canonical": found.canonical,
    }
    return ranked(given.systems, _below(given, found), "kemeny", facts)


def proven_kemeny(
    scores: Source,
    *,
    time_limit: float,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> pd.DataFrame:
    """`kemeny`, or an error if it isn't proven within the time limit.

    For tables of ranks, which have no place for a gap.

    Parameters
    ----------
    scores, weights, groups, lower_is_better
        As for `kemeny`.
    time_limit
        Seconds after which it gives up.

    Raises
    ------
    SearchLimitError
        If the order is not proven to be the canonical one by then.
    """
    given = _preferences(
        scores,
        "kemeny",
        time_limit,
        weights=weights,
        groups=groups,
        lower_is_better=lower_is_better,
        missing="ignore",
        levels=1,
    )
    found = arrays.kemeny(given.counts, given.reference, time_limit=time_limit)
    if not found.canonical:
        raise SearchLimitError(
            f"kemeny: not proven within {time_limit:g} seconds; nbrank.kemeny(scores, time_limit=) "
            f"gives the best order found and how far it may be from the optimum"
        )
    return ranked(given.systems, _below(given, found), "kemeny")


def _below(given: _Preferences, found: arrays.Consensus) -> NDArray[np.float64]:
    """The score of every system; NaN for one without any score of its own."""
    below = np.full(len(given.systems), np.nan)
    below[given.scored] = _placed_below(found.order)
    below[~given.ranked] = np.nan
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
    time_limit: float | None = None,
) -> list[Label]:
    """Which systems come first in some order that reverses the fewest preferences?

    Parameters
    ----------
    {source}
    {missing_pairs}
    {levels}
    time_limit
        Seconds after which the search gives up; None for no limit.

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
    given = _preferences(
        scores,
        "kemeny_winners",
        time_limit,
        weights=weights,
        groups=groups,
        lower_is_better=lower_is_better,
        missing=missing,
        levels=levels,
    )
    with _named("kemeny_winners"):
        first = arrays.heads(given.counts, time_limit=time_limit)
    return list(given.labels[first & given.ranked[given.scored]])


@described
def kemeny_swaps(
    scores: Source,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "ignore",
    levels: int = 1,
    time_limit: float | None = None,
) -> pd.DataFrame:
    """Which pairs of Kemeny's consensus stand the other way round in an order that is as good?

    Parameters
    ----------
    {source}
    {missing_pairs}
    {levels}
    time_limit
        Seconds after which the search gives up; None for no limit.

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
    given = _preferences(
        scores,
        "kemeny_swaps",
        time_limit,
        weights=weights,
        groups=groups,
        lower_is_better=lower_is_better,
        missing=missing,
        levels=levels,
    )
    with _named("kemeny_swaps"):
        may = arrays.may_stand_above(given.counts, time_limit=time_limit)
        found = arrays.kemeny(given.counts, given.reference, time_limit=time_limit)
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

    Returns
    -------
    float
        The weight of the preferences (a task, or an instance, that scores one
        system above another) that the ranking has the other way round.

    Raises
    ------
    {errors}
        Also if the ranking is not one, or is about other systems.

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
    given = _preferences(
        scores,
        "disagreement",
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
    given = _preferences(
        scores,
        "kemeny_distance_bound",
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
    time_limit: float | None = None,
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
        Seconds for the search of the consensus; None for no limit. Where time
        runs out, the proven lower bound stands for the optimum: `excess` and
        `ratio` are then at most what they say.

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
        Also if a ranking is not one, or is about other systems.

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
    given = _preferences(
        scores,
        "kemeny_quality",
        time_limit,
        weights=weights,
        groups=groups,
        lower_is_better=lower_is_better,
        missing=missing,
        levels=levels,
    )
    found = arrays.kemeny(given.counts, given.reference, time_limit=time_limit)
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
