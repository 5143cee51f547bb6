"""Averages over the tasks: of scores, of places and of wins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Unpack, cast

import numpy as np
import pandas as pd

from nbrank.arrays import averages as arrays
from nbrank.arrays.counting import Standings
from nbrank.arrays.kinds import Floats
from nbrank.arrays.points import borda_vector, mean_below
from nbrank.arrays.profile import Missing, Profile, places
from nbrank.rules import wording
from nbrank.rules.additive import Additive, Values, of_cells, of_places, of_points
from nbrank.rules.ranking import rank, ranking
from nbrank.rules.rule import rule
from nbrank.votes.doubts import warn_of_no_opponents, warn_of_scales
from nbrank.votes.leaderboard import Leaderboard, Source, as_leaderboard, as_votes
from nbrank.votes.naming import named
from nbrank.votes.options import Asked
from nbrank.votes.task_names import TableOptions
from nbrank.votes.votes import Votes

Averaging = Callable[[Profile], Floats]

#: What to do about scores that a mean refuses.
A_MEAN_OVER_OTHERS = (
    "a mean over different tasks rewards skipping the hard ones. Choose missing='ignore' for the "
    "mean over what is there, missing='median' to fill with the task's median, or a rule that can "
    "rank with missing scores, such as borda, mean_win_rate or copeland"
)
_INFINITE = (
    "they have no average. Replace them, or use a rule that looks at places, such as borda or "
    "copeland"
)
_OF_SCORES: tuple[Missing, ...] = ("raise", "ignore", "median")


#: What is known of averages of scores, unless they say otherwise.
averages = partial(
    rule,
    "mean",
    sees="ballots",
    ties="equal scores",
    holds="transitivity anonymity unanimity iia monotonicity",
)


def refuse_mixed(votes: Votes, rule: str) -> None:
    """An average of scores makes sense in one orientation only."""
    counts = votes.weights > 0
    lower = votes.lower & counts
    if lower.any() and not lower[counts].all():
        raise ValueError(
            f"{rule}: lower is better on {named(votes.tasks[lower])} and higher on the "
            f"other tasks, so their scores can't be averaged; use normalized_mean with low and "
            f"high per task, or a rule that looks at places, such as borda or copeland"
        )


def refuse_negative(board: Leaderboard, rule: str, shift: float = 0.0) -> None:
    """Refuse scores that are below 0 even after a shift."""
    advice = "rescale those tasks, or use mean, borda or copeland"
    board.refuse_cells(rule, lambda values: values + shift < 0, "negative score", advice)


def check_average(votes: Votes, rule: str, missing: Missing, levels: int = 1) -> None:
    """Refuse infinite and missing scores, of which there is no average."""
    asked = Asked(rule, "scores", missing, levels, treatments=_OF_SCORES, advice=A_MEAN_OVER_OTHERS)
    votes.refuse_infinite(rule, _INFINITE)
    votes.check(asked)


def rank_by_average(
    board: Leaderboard, rule: str, average: Averaging, size: Averaging, missing: Missing
) -> pd.DataFrame:
    """Rank by an average, and tell ties by the size of the cells that it is taken of."""
    check_average(board, rule, missing)
    seen = board.views.scores(missing)
    scores = seen.scores(average)
    sizes = scores if size is average else seen.scores(size)
    wrong = ~np.isfinite(scores) & ~np.isnan(sizes)
    if wrong.any():
        columns = np.flatnonzero(board.that_count)
        cells = np.nan_to_num(np.abs(board.values[np.ix_(wrong, columns)]))
        largest = columns[(cells == cells.max(axis=1, keepdims=True)).any(axis=0)]
        tasks = board.tasks[np.unique(board.column_task[largest])]
        raise _too_large(rule, board.systems[wrong], tasks)
    return ranking(board.systems, scores, rule, scale=sizes)


def _too_large(rule: str, systems: pd.Index, tasks: pd.Index) -> ValueError:
    return ValueError(
        f"{rule}: the average of {named(systems)} is too large for a float, with the scores on "
        f"{named(tasks)}; rescale them"
    )


@averages(
    sees="sums",
    source="",
    counts="the average{weighed} of all scores",
    additive=lambda *_: of_cells(arrays.unchanged),
)
def mean(
    scores: Source, *, missing: Missing = "raise", levels: int = 2, **table: Unpack[TableOptions]
) -> pd.DataFrame:
    """Which system has the highest average score?

    Parameters
    ----------
    {scores_or_tally}
    {missing_mean}
    levels
        For instance-level scores: 2 is the mean of the task means, 1 the mean
        of all instances of all tasks.

    {returns_ranking}
        score
            The weighted arithmetic mean, in the unit of the scores; negated
            if lower is better on all tasks.

    {raises}
        Also if scores are infinite or missing, or lower is better on some tasks only.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [90, 80], "t2": [50, 70]}, index=["A", "B"])
    >>> mean(scores)
       rank  score
    B     1   75.0
    A     2   70.0
    >>> mean(scores, weights={"t1": 3})
       rank  score
    A     1   80.0
    B     2   77.5
    """
    votes = as_votes(scores, "sums", **table)
    refuse_mixed(votes, "mean")
    check_average(votes, "mean", missing, levels)
    if "ballots" in votes.offers:
        warn_of_scales(cast("Leaderboard", votes))
    tasks, found = votes.sums(missing)
    means = found.means(levels)
    wrong = np.flatnonzero(np.isinf(means))
    if len(wrong):
        sizes = found.largest[wrong]
        at = np.flatnonzero((sizes == sizes.max(axis=1, keepdims=True)).any(axis=0))
        raise _too_large("mean", votes.systems[wrong], tasks[at])
    return ranking(votes.systems, means, "mean", scale=found.largest.max(axis=1, initial=0.0))


@averages(
    source="Shavrina and Malykh 2021",
    counts="an average{weighed} that a single low score pulls down",
)
def harmonic_mean(
    scores: pd.DataFrame | Leaderboard, *, missing: Missing = "raise", **table: Unpack[TableOptions]
) -> pd.DataFrame:
    """Which system has the highest harmonic mean, which a single low score pulls down?

    {takes_scores}

    {returns_ranking}
        score
            The weighted harmonic mean; 0 for a system with a score of 0.

    {raises}
        Also if scores are negative, infinite or missing, or lower is better on a task.

    References
    ----------
    Shavrina and Malykh, How not to lie with a benchmark, 2021.

    Examples
    --------
    >>> import pandas as pd
    >>> harmonic_mean(pd.DataFrame({"t1": [1, 2], "t2": [3, 2]}, index=["A", "B"]))
       rank  score
    B     1    2.0
    A     2    1.5
    """
    board = as_leaderboard(scores, **table)
    if board.lower.any():
        raise ValueError(
            f"harmonic_mean: lower is better on {named(board.lower_is_better)}, and this mean has "
            f"no meaning for negated scores; use normalized_mean, borda or copeland"
        )
    refuse_negative(board, "harmonic_mean")
    # Nothing cancels in it, and cells far from the result don't blur it.
    average = arrays.harmonic_mean
    return rank_by_average(board, "harmonic_mean", average, average, missing)


@averages(source="", counts="the middle one{weighed} of the scores")
def median(
    scores: pd.DataFrame | Leaderboard, *, missing: Missing = "raise", **table: Unpack[TableOptions]
) -> pd.DataFrame:
    """Which system has the highest median score, which outlying tasks don't move?

    {takes_scores}

    {returns_ranking}
        score
            The weighted median: half of the weight on either side, the middle of two scores where
            both split it; negated if lower is better on all tasks.

    {raises}
        Also if scores are infinite or missing, or lower is better on some tasks only.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [1, 2], "t2": [3, 2], "t3": [9, 2]}, index=["A", "B"])
    >>> median(scores)
       rank  score
    A     1    3.0
    B     2    2.0
    """
    board = as_leaderboard(scores, **table)
    refuse_mixed(board, "median")
    return rank_by_average(
        board,
        "median",
        arrays.median,
        lambda ballots: np.abs(arrays.middle(ballots)).max(axis=1),
        missing,
    )


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
    return of_places(lambda profile: arrays.win_rates(profile.scores), 1.0)


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
        return -arrays.mean_place(standings)

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
            ties half. A task on which it is alone is left out. A system that met no other has no
            score (NaN) and shares the last rank, as a warning says.

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
    others = len(votes.systems) - 1

    def score(standings: Standings) -> Floats:
        if missing == "compatible" and others:
            return mean_below(standings) / others
        return arrays.mean_win_rate(standings)

    asked = Asked("mean_win_rate", "standings", missing, advice=A_MEAN_OVER_OTHERS)
    ranked = rank(votes, asked, score, scale=1.0)
    lacking = ranked["score"].isna()
    if lacking.any():
        unscored = ranked.index[lacking]
        warn_of_no_opponents(votes, unscored[unscored.isin(votes.systems[votes.views.scored])])
    return ranked
