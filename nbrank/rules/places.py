"""Averages over the tasks of places and of wins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Unpack

import numpy as np
import pandas as pd

from nbrank.arrays import averages
from nbrank.arrays.counting import Standings
from nbrank.arrays.kinds import Floats
from nbrank.arrays.points import borda_vector, mean_below
from nbrank.arrays.profile import Missing, Profile, places
from nbrank.rules import wording
from nbrank.rules.additive import Additive, Values, of_places, of_points
from nbrank.rules.means import A_MEAN_OVER_OTHERS
from nbrank.rules.ranking import rank
from nbrank.rules.rule import rule
from nbrank.votes.leaderboard import Leaderboard, Source, as_votes
from nbrank.votes.options import Asked
from nbrank.votes.task_names import TableOptions


def _mean_place(board: Leaderboard, arguments: Mapping[str, Any]) -> Additive:
    n = len(board.systems)
    if arguments["missing"] == "compatible":
        return replace(of_points(borda_vector, "compatible", "average", n), most=float(n))

    def values(profile: Profile) -> Values:
        found = places(profile.scores)
        return -(found.above + found.tied / 2 + 1), found.observed

    return of_places(values, float(n))


def _win_rate(board: Leaderboard, arguments: Mapping[str, Any]) -> Additive:
    if arguments["missing"] == "compatible":
        return of_points(borda_vector, "compatible", "average", len(board.systems))
    return of_places(lambda profile: averages.win_rates(profile.scores), 1.0)


@rule(
    "mean",
    sees="standings tasks",
    source="Friedman 1937",
    counts="the place on each {task}, averaged{weighed} (low is good)",
    ties="share their places",
    holds="transitivity anonymity unanimity monotonicity condorcet_loser",
    written=wording.negated,
    additive=_mean_place,
)
def mean_rank(
    scores: Source, *, missing: Missing = "raise", **table: Unpack[TableOptions]
) -> pd.DataFrame:
    """Which system has the best place on average?

    Parameters
    ----------
    {scores_or_tally}
    missing
        How a missing score counts: "raise" (refuse, since a mean over different
        tasks rewards skipping the hard ones), "ignore" (the mean of its places
        among the scored, on tasks where others are scored too), "compatible" (the
        average place over all compatible complete rankings), "median" or "worst".

    {returns_ranking}
        score
            Minus the weighted mean of its place, tied systems sharing the average of theirs.

    {raises}
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
            return mean_below(standings) - n
        return -averages.mean_place(standings)

    asked = Asked("mean_rank", "standings", missing, advice=A_MEAN_OVER_OTHERS)
    return rank(votes, asked, score, scale=n)


@rule(
    "mean",
    sees="standings",
    source="Liang et al. 2022",
    counts="the share of the others that it is above, averaged over {tasks}{weighed}",
    ties="half a win",
    holds="transitivity anonymity unanimity monotonicity condorcet_loser",
    written=wording.share,
    additive=_win_rate,
)
def mean_win_rate(
    scores: Source, *, missing: Missing = "ignore", **table: Unpack[TableOptions]
) -> pd.DataFrame:
    """Which system beats the largest share of the others, on average over its tasks?

    On comparisons it is the share that a system won, ties half.

    Parameters
    ----------
    {source}
    missing
        How a missing score counts: "ignore" (the others are those scored on the task, and the mean
        is over the tasks on which the system is scored), "compatible" (the average over all
        compatible complete rankings), "median", "worst" or "raise".

    {returns_ranking}
        score
            The weighted mean over the tasks of the share of the other scored systems that it beats,
            ties half. A task on which it is alone is left out; the only system of a table has 0.

    {raises}

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
    others = max(len(votes.systems) - 1, 1)

    def score(standings: Standings) -> Floats:
        if missing == "compatible":
            return mean_below(standings) / others
        rates = averages.mean_win_rate(standings)
        # Whoever is the only one with a score met none of the others.
        return rates if len(rates) > 1 or len(votes.systems) == 1 else np.full_like(rates, np.nan)

    asked = Asked("mean_win_rate", "standings", missing, advice=A_MEAN_OVER_OTHERS)
    return rank(votes, asked, score, scale=1.0)
