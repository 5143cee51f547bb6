"""Averages over the tasks of places and of wins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Unpack

import pandas as pd

from nbrank.arrays.ballots import averages
from nbrank.arrays.ballots import positional_scoring as arrays
from nbrank.arrays.ballots.ballot_counts import Standings
from nbrank.arrays.ballots.profile import Missing, Profile, compute_places
from nbrank.arrays.typing import Floats
from nbrank.rules.additive_form import AdditiveForm, BallotValues
from nbrank.rules.means import MISSING_IN_MEAN_ADVICE
from nbrank.rules.ranking import rank_votes
from nbrank.rules.registry import format_negated, register_rule
from nbrank.votes.leaderboard import Leaderboard, VotesLike, as_votes
from nbrank.votes.table import data_warnings
from nbrank.votes.table.task_options import TableOptions
from nbrank.votes.table.validation import ViewRequest


def _mean_rank_additive(board: Leaderboard, arguments: Mapping[str, Any]) -> AdditiveForm:
    n = len(board.systems)
    if arguments["missing"] == "compatible":
        return replace(
            AdditiveForm.from_points(arrays.borda_vector, "compatible", "average", n),
            max_value=float(n),
        )

    def values(profile: Profile) -> BallotValues:
        result = compute_places(profile.scores)
        return -(result.n_above + result.n_tied / 2 + 1), result.observed

    return AdditiveForm.from_places(values, float(n))


def _win_rate_additive(board: Leaderboard, arguments: Mapping[str, Any]) -> AdditiveForm:
    if arguments["missing"] == "compatible":
        return AdditiveForm.from_points(
            arrays.borda_vector, "compatible", "average", len(board.systems)
        )
    return AdditiveForm.from_places(lambda profile: averages.win_rates(profile.scores), 1.0)


@register_rule(
    "mean",
    requires="standings tasks",
    source="Friedman 1937",
    score_description="the place on each {task}, averaged{weighed} (low is good)",
    ties="share their places",
    holds="transitivity anonymity unanimity monotonicity reinforcement condorcet_loser",
    format_score=format_negated,
    additive=_mean_rank_additive,
)
def mean_rank(
    scores: VotesLike, *, missing: Missing = "raise", **table: Unpack[TableOptions]
) -> pd.DataFrame:
    """Which system has the best place on average?

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance),
        a `Leaderboard`, or a `Tally`.
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
        How a missing score counts: "raise" (refuse, since a mean over different
        tasks rewards skipping the hard ones), "ignore" (the mean of its places
        among the scored, on tasks where others are scored too), "compatible" (the
        average place over all compatible complete rankings), "median" or "worst".

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the
        columns below; `.attrs["rule"]` names the rule.

        rank
            1 for the best; tied systems share the smallest (1, 2, 2, 4).
        score
            Minus the weighted mean of its place, tied systems sharing the average of theirs.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if scores are missing.

    References
    ----------
    Friedman, The use of ranks to avoid the assumption of normality, 1937.

    Examples
    --------
    >>> import pandas as pd
    >>> mean_rank(pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 3, 1]}, index=["A", "B", "C"]))
       rank  score
    A     1  -1.25
    B     2  -1.75
    C     3  -3.00
    """
    votes = as_votes(scores, "standings tasks", **table)
    n = len(votes.systems)

    def score(standings: Standings) -> Floats:
        if missing == "compatible":
            return arrays.mean_borda(standings) - n
        return -averages.mean_place(standings)

    asked = ViewRequest("mean_rank", "standings", missing, missing_advice=MISSING_IN_MEAN_ADVICE)
    return rank_votes(votes, asked, score, scale=n)


@register_rule(
    "mean",
    requires="standings",
    source="Liang et al. 2022",
    score_description="the share of the others that it is above, averaged over {tasks}{weighed}",
    ties="half a win",
    holds="transitivity anonymity unanimity monotonicity reinforcement condorcet_loser",
    format_score="{:.1%}".format,
    additive=_win_rate_additive,
)
def mean_win_rate(
    scores: VotesLike, *, missing: Missing = "ignore", **table: Unpack[TableOptions]
) -> pd.DataFrame:
    """Which system beats the largest share of the others, on average over its tasks?

    On comparisons it is the share that a system won, ties half.

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
        How a missing score counts: "ignore" (the others are those scored on the task, and the mean
        is over the tasks on which the system is scored), "compatible" (the average over all
        compatible complete rankings), "median", "worst" or "raise".

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the
        columns below; `.attrs["rule"]` names the rule.

        rank
            1 for the best; tied systems share the smallest (1, 2, 2, 4).
        score
            The weighted mean over the tasks of the share of the other scored systems that it beats,
            ties half. A task on which it is alone is left out. A system that met no other has no
            score (NaN) and shares the last rank, as a warning says.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    References
    ----------
    Liang et al., Holistic Evaluation of Language Models, 2022.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [1, 2, None]}, index=["A", "B", "C"])
    >>> mean_win_rate(scores)
       rank  score
    B     1   0.75
    A     2   0.50
    C     3   0.00
    """
    votes = as_votes(scores, "standings", **table)
    others = len(votes.systems) - 1

    def score(standings: Standings) -> Floats:
        if missing == "compatible" and others:
            return arrays.mean_borda(standings) / others
        return averages.mean_win_rate(standings)

    asked = ViewRequest(
        "mean_win_rate", "standings", missing, missing_advice=MISSING_IN_MEAN_ADVICE
    )
    ranked = rank_votes(votes, asked, score, scale=1.0)
    lacking = ranked["score"].isna()
    if lacking.any():
        unscored = ranked.index[lacking]
        data_warnings.warn_of_no_opponents(
            votes, unscored[unscored.isin(votes.systems[votes.data.scored])]
        )
    return ranked
