"""How good Kemeny's consensus is, which orders are as good, and how far rankings are from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Unpack

import numpy as np
import pandas as pd

from nbrank.agreement import Ranking, align_ranks, kendall_distance
from nbrank.arrays.ballots.profile import competition_ranks
from nbrank.arrays.orders import kemeny_orders as arrays
from nbrank.arrays.typing import Floats
from nbrank.rules.kemeny_rule import Accept, Preferences
from nbrank.rules.search_limits import DEFAULT_SECONDS, TimeLimit
from nbrank.votes.formatting import Label
from nbrank.votes.labeled_values import as_frame
from nbrank.votes.leaderboard import VotesLike
from nbrank.votes.required_arguments import spell_out_options
from nbrank.votes.table.validation import PairOptions

__all__ = ["bound", "disagreement", "quality", "swaps", "winners"]


@spell_out_options
def winners(
    scores: VotesLike, *, time_limit: float | None = DEFAULT_SECONDS, **options: Unpack[PairOptions]
) -> list[Label]:
    """Which systems come first in some order that reverses the fewest preferences?

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
        The number of seconds after which the search for the consensus (at two
        levels, also of those within tasks) gives up; None for no limit.

    Returns
    -------
    list
        The systems in table order; the first of `kemeny` is one of them.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also (as `SearchLimitError`) if the search gives up.

    References
    ----------
    Young and Levenglick, A consistent extension of Condorcet's election principle, 1978.

    Examples
    --------
    Two orders are optimal: A, B, C and B, C, A.

    >>> import pandas as pd
    >>> scores = pd.DataFrame([[3, 3, 1, 1, 2], [2, 2, 3, 3, 1], [1, 1, 2, 2, 3]], list("ABC"))
    >>> winners(scores)
    ['A', 'B']
    """
    with TimeLimit("consensus.winners", time_limit) as search:
        return Preferences.from_votes(scores, search, **options).find_winners(search)


@spell_out_options
def swaps(
    scores: VotesLike, *, time_limit: float | None = DEFAULT_SECONDS, **options: Unpack[PairOptions]
) -> pd.DataFrame:
    """Which pairs of Kemeny's consensus stand the other way round in an order that is as good?

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
        The number of seconds after which the search for the consensus (at two
        levels, also of those within tasks) gives up; None for no limit.

    Returns
    -------
    pandas.DataFrame
        One row for each such pair, by their places in the consensus, with the columns

        above
            The system that stands above in the consensus, as `kemeny` gives it.
        below
            The system that stands below there, and above in some other optimal order.
        margin
            The weight of the tasks that prefer `above`, minus that of those that prefer `below`.

        No rows where the consensus is unique. Pairs may depend on each other:
        not every set of them can be turned round at once.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also (as `SearchLimitError`) if the search gives up.

    Examples
    --------
    Two orders are optimal: A, B, C and B, C, A.

    >>> import pandas as pd
    >>> scores = pd.DataFrame([[3, 3, 1, 1, 2], [2, 2, 3, 3, 1], [1, 1, 2, 2, 3]], list("ABC"))
    >>> swaps(scores)
      above below  margin
    0     A     B     1.0
    1     A     C    -1.0
    """
    with TimeLimit("consensus.swaps", time_limit) as search:
        return Preferences.from_votes(scores, search, **options).find_swaps(search)


@spell_out_options
def disagreement(
    scores: VotesLike,
    ranking: Ranking,
    *,
    time_limit: float | None = DEFAULT_SECONDS,
    **options: Unpack[PairOptions],
) -> float:
    """How many pairwise preferences of the tasks does a ranking reverse, by weight?

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance),
        a `Leaderboard`, a `Tally`, or `Comparisons`.
    ranking
        A ranking of the same systems, as for `kendall_tau`. A pair that it ties
        reverses nothing, so compare rankings that tie as many.
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
        The number of seconds after which the search for the consensus (at two
        levels, also of those within tasks) gives up; None for no limit.

    Returns
    -------
    float
        The weight of the preferences (a task, or an instance, that scores one
        system above another) that the ranking has the other way round.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if the ranking is not one, or is about other systems; and (as
        `SearchLimitError`) if time runs out within a task, at two levels.

    References
    ----------
    Kemeny, Mathematics without numbers, Daedalus, 1959.

    Examples
    --------
    2 of 5 tasks prefer B to A, 3 prefer C to A, and 1 prefers C to B.

    >>> import pandas as pd
    >>> scores = pd.DataFrame([[3, 3, 1, 1, 2], [2, 2, 3, 3, 1], [1, 1, 2, 2, 3]], list("ABC"))
    >>> disagreement(scores, ["A", "B", "C"])
    6.0
    """
    with TimeLimit("consensus.disagreement", time_limit) as search:
        value = Preferences.from_votes(scores, search, **options)
    return arrays.reversed_weight(value.counts, _align_ranks(value, ranking))


@spell_out_options
def bound(
    scores: VotesLike, *, time_limit: float | None = DEFAULT_SECONDS, **options: Unpack[PairOptions]
) -> float:
    """How many preferences must any ranking without ties reverse at least, by weight?

    A quick bound: of each pair of systems an order reverses one side, at best
    the smaller; and it cannot follow the majority all around a circle of three,
    so circles that share no pair cost their narrowest margins besides.

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
        The number of seconds after which the search for the consensus (at two
        levels, also of those within tasks) gives up; None for no limit.

    Returns
    -------
    float
        A lower bound: no order has a smaller disagreement.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    References
    ----------
    Davenport and Kalagnanam, A computational study of the Kemeny rule, AAAI, 2004.

    Examples
    --------
    The smaller sides are 2, 1 and 2; A, B and C beat each other round, by 1, 3 and 1.

    >>> import pandas as pd
    >>> scores = pd.DataFrame([[3, 3, 1, 1, 2], [2, 2, 3, 3, 1], [1, 1, 2, 2, 3]], list("ABC"))
    >>> bound(scores)
    6.0
    """
    with TimeLimit("consensus.bound", time_limit) as search:
        value = Preferences.from_votes(scores, search, **options)
    return arrays.disagreement_bound(value.counts)


@spell_out_options
def quality(
    scores: VotesLike,
    rankings: Mapping[Label, Ranking] | pd.DataFrame,
    *,
    time_limit: float | None = DEFAULT_SECONDS,
    accept: Accept = "proven",
    **options: Unpack[PairOptions],
) -> pd.DataFrame:
    """How far is each ranking from the order that reverses the fewest preferences?

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance),
        a `Leaderboard`, a `Tally`, or `Comparisons`.
    rankings
        A mapping from a label to a ranking of the same systems, or a frame of
        ranks such as `compare` returns; a column without ranks (a rule that
        refused the table) gives a row of NaN.
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
        The number of seconds after which the search for the consensus (at two
        levels, also of those within tasks) gives up; None for no limit.
    accept
        What will do when time is up: "proven" (nothing but the consensus) or "best"
        (the best order found stands for the consensus, and the proven lower bound
        for the optimum: `excess` and `ratio` are then at most what they say).

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
            The pairs that it has the other way round than `kemeny`; a tied pair counts 1/2.

        `.attrs["optimum"]` is the least disagreement of an order, or the lower
        bound; `.attrs["optimal"]` whether it is the least.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if a ranking is not one, or is about other systems; and (as
        `SearchLimitError`) if the search gives up.

    References
    ----------
    Coppersmith, Fleischer and Rudra, Ordering by weighted number of wins gives a good ranking for
    weighted tournaments, 2010.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame([[3, 3, 1, 1, 2], [2, 2, 3, 3, 1], [1, 1, 2, 2, 3]], list("ABC"))
    >>> quality(scores, {"by hand": ["C", "A", "B"], "all tied": pd.Series(1, list("ABC"))})
              disagreement  undecided  excess     ratio  kendall_distance
    by hand            8.0        0.0     2.0  1.333333               2.0
    all tied           0.0       15.0     1.5  1.250000               1.5
    """
    rankings = as_frame(rankings)
    is_frame = isinstance(rankings, pd.DataFrame)
    if not (is_frame or isinstance(rankings, Mapping)) or (is_frame and "rank" in rankings):
        raise TypeError(
            "consensus.quality: rankings must be a mapping from names to rankings, such as "
            '{"borda": df.rank.borda()}, or the frame of ranks that compare returns'
        )
    with TimeLimit("consensus.quality", time_limit) as search:
        value = Preferences.from_votes(scores, search, **options)
        result = value.find_consensus(search, accept)
    labels = value.systems[value.candidates]
    consensus = pd.Series(1 + np.argsort(result.order), index=labels)
    rows = {}
    for label, ranking in rankings.items():
        if isinstance(ranking, pd.Series) and ranking.isna().all():
            rows[label] = [np.nan] * 5
            continue
        ranks = _align_ranks(value, ranking)
        reverses = arrays.reversed_weight(value.counts, ranks)
        ties = arrays.tied_weight(value.counts, ranks)
        middle = reverses + ties / 2
        rows[label] = [
            reverses,
            ties,
            middle - result.bound,
            middle / result.bound if result.bound > 0 else 1.0 if middle == 0 else np.inf,
            # Those without a score have ranks among all, too.
            kendall_distance(consensus, pd.Series(competition_ranks(-ranks), labels)),
        ]
    columns = ["disagreement", "undecided", "excess", "ratio", "kendall_distance"]
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=columns, dtype=float)
    frame.attrs = {"optimum": result.bound, "optimal": result.optimal}
    return frame


def _align_ranks(preferences: Preferences, ranking: Ranking) -> Floats:
    """Align a ranking of all systems with those that the preferences are about."""
    return align_ranks(list(preferences.systems), ranking)[1][preferences.candidates]
