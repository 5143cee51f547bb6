"""Averages of scores over the tasks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Unpack

import numpy as np
import pandas as pd

from nbrank.arrays.ballots import averages as arrays
from nbrank.arrays.ballots.profile import Missing, Profile
from nbrank.arrays.typing import Floats
from nbrank.rules.additive_form import AdditiveForm
from nbrank.rules.ranking import build_ranking
from nbrank.rules.registry import register_rule
from nbrank.votes.base import Votes
from nbrank.votes.formatting import format_labels
from nbrank.votes.leaderboard import Leaderboard, VotesLike, as_leaderboard, as_votes
from nbrank.votes.source_functions import FunctionBySource
from nbrank.votes.table import data_warnings
from nbrank.votes.table.task_options import TableOptions
from nbrank.votes.table.validation import ViewRequest
from nbrank.votes.tallies import WeightedTally

ProfileScorer = Callable[[Profile], Floats]

#: Advice about scores that a mean refuses.
MISSING_IN_MEAN_ADVICE = (
    "a mean over different tasks rewards skipping the hard ones. Choose missing='ignore' for the "
    "mean over what is there, missing='median' to fill with the task's median, or a rule that can "
    "rank with missing scores, such as borda, mean_win_rate or copeland"
)
_INFINITE_ADVICE = (
    "they have no average. Replace them, or use a rule that looks at places, such as borda or "
    "copeland"
)
_MISSING_FOR_SCORES: tuple[Missing, ...] = ("raise", "ignore", "median")


#: Facts that averages share, unless they give others.
register_mean_rule = partial(
    register_rule,
    "mean",
    requires="ballots",
    ties="equal scores",
    holds="transitivity anonymity unanimity iia monotonicity reinforcement",
)

#: Advice for mixed orientations.
_OTHER_RULES = (
    "use normalized_mean with low and high per task, or a rule that looks at places, such as borda "
    "or copeland"
)


def check_single_orientation(votes: Votes, rule: str, advice: str = _OTHER_RULES) -> None:
    """Refuse mixed orientations, since one average can't hold both."""
    counts = votes.weights > 0
    lower = votes.is_lower_better & counts
    if lower.any() and not lower[counts].all():
        raise ValueError(
            f"{rule}: lower is better on {format_labels(votes.tasks[lower])} and higher on the "
            f"other tasks, so their scores can't be averaged; {advice}"
        )


def check_nonnegative(board: Leaderboard, rule: str, shift: float = 0.0) -> None:
    """Refuse scores that are below 0 even after a shift."""
    advice = "rescale those tasks, or use mean, borda or copeland"
    board.raise_for_cells(rule, board.values + shift < 0, "negative score", advice)


def check_averageable(votes: Votes, rule: str, missing: Missing, levels: int = 1) -> None:
    """Refuse infinite and missing scores, which have no average."""
    asked = ViewRequest(
        rule,
        "scores",
        missing,
        levels,
        allowed_missing=_MISSING_FOR_SCORES,
        missing_advice=MISSING_IN_MEAN_ADVICE,
    )
    votes.check_finite(rule, _INFINITE_ADVICE)
    votes.check(asked)


def rank_by_average(
    board: Leaderboard, rule: str, average: ProfileScorer, size: ProfileScorer, missing: Missing
) -> pd.DataFrame:
    """Rank by an average, and tell ties by the size of the cells that it is taken of."""
    check_averageable(board, rule, missing)
    seen = board.data.scores(missing)
    scores = seen.scores(average)
    sizes = scores if size is average else seen.scores(size)
    wrong = ~np.isfinite(scores) & ~np.isnan(sizes)
    if wrong.any():
        columns = np.flatnonzero(board.active_columns)
        cells = np.nan_to_num(np.abs(board.values[np.ix_(wrong, columns)]))
        largest = columns[(cells == cells.max(axis=1, keepdims=True)).any(axis=0)]
        tasks = board.tasks[np.unique(board.task_codes[largest])]
        raise _overflow_error(rule, board.systems[wrong], tasks)
    return build_ranking(board.systems, scores, rule, scale=sizes)


def _overflow_error(rule: str, systems: pd.Index, tasks: pd.Index) -> ValueError:
    return ValueError(
        f"{rule}: the average of {format_labels(systems)} is too large for a float, with the "
        f"scores on {format_labels(tasks)}; rescale them"
    )


TasksAndSums = tuple[pd.Index, arrays.TaskSums]


def _sum_scores(board: Leaderboard, missing: Missing) -> TasksAndSums:
    tasks, task_of = np.unique(board.ballot_task_codes, return_inverse=True)
    seen = board.data.scores(missing)
    # A system without a score has no mean, even if missing scores are filled in.
    scores = np.where(seen.ranked[:, None], seen.data.scores, np.nan)
    return board.tasks[tasks], arrays.TaskSums.from_scores(scores, task_of, board.weights[tasks])


def _sum_counted(tally: WeightedTally, _: Missing) -> TasksAndSums:
    sums = tally.stack_by_task([count.scores.sums for count in tally.counts])
    numbers = tally.stack_by_task([count.places.n_observed.sum(axis=1) for count in tally.counts])
    largest = tally.stack_by_task([count.max_abs_score for count in tally.counts])
    return tally.tasks, arrays.TaskSums(sums, numbers, tally.weights, largest)


#: The tasks that count, and on each the scores of each system, summed over its instances.
sum_by_task = FunctionBySource(_sum_scores, counts=_sum_counted)


@register_mean_rule(
    requires="sums",
    source="",
    score_description="the average{weighed} of all scores",
    additive=lambda *_: AdditiveForm.from_transform(arrays.identity_transform),
)
def mean(
    scores: VotesLike, *, missing: Missing = "raise", levels: int = 2, **table: Unpack[TableOptions]
) -> pd.DataFrame:
    """Which system has the highest average score?

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
        How a missing score counts: "raise" (refuse, since a mean over different tasks rewards
        skipping the hard ones), "ignore" (the average over what is there) or "median" (fill with
        the median of the task). A system with no score at all is last, with a score of NaN.
    levels
        For instance-level scores: 2 is the mean of the task means, 1 the mean
        of all instances of all tasks.

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the
        columns below; `.attrs["rule"]` names the rule.

        rank
            1 for the best; tied systems share the smallest (1, 2, 2, 4).
        score
            The weighted arithmetic mean, in the unit of the scores; negated
            if lower is better on all tasks.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if scores are infinite or missing, or lower is better on some tasks only.

    References
    ----------
    Colombo et al., What are the best systems? New perspectives on NLP benchmarking, 2022. It says
    what is wrong with means of several metrics.

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
    check_single_orientation(votes, "mean")
    check_averageable(votes, "mean", missing, levels)
    data_warnings.warn_mixed_scales(votes)
    tasks, result = sum_by_task(votes, missing)
    means = result.means(levels)
    wrong = np.flatnonzero(np.isinf(means))
    if len(wrong):
        sizes = result.max_abs_score[wrong]
        at = np.flatnonzero((sizes == sizes.max(axis=1, keepdims=True)).any(axis=0))
        raise _overflow_error("mean", votes.systems[wrong], tasks[at])
    return build_ranking(
        votes.systems, means, "mean", scale=result.max_abs_score.max(axis=1, initial=0.0)
    )


@register_mean_rule(
    source="Shavrina and Malykh 2021",
    score_description="an average{weighed} that a single low score pulls down",
)
def harmonic_mean(
    scores: pd.DataFrame | Leaderboard, *, missing: Missing = "raise", **table: Unpack[TableOptions]
) -> pd.DataFrame:
    """Which system has the highest harmonic mean, which a single low score pulls down?

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance), or a `Leaderboard`.
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
        How a missing score counts: "raise" (refuse, since a mean over different tasks rewards
        skipping the hard ones), "ignore" (the average over what is there) or "median" (fill with
        the median of the task). A system with no score at all is last, with a score of NaN.

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the
        columns below; `.attrs["rule"]` names the rule.

        rank
            1 for the best; tied systems share the smallest (1, 2, 2, 4).
        score
            The weighted harmonic mean; 0 for a system with a score of 0.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
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
    if board.is_lower_better.any():
        raise ValueError(
            f"harmonic_mean: lower is better on {format_labels(board.lower_is_better)}, and this "
            "mean has no meaning for negated scores; use normalized_mean, borda or copeland"
        )
    check_nonnegative(board, "harmonic_mean")
    # Nothing cancels in it, and cells far from the result don't blur it.
    average = arrays.harmonic_mean
    return rank_by_average(board, "harmonic_mean", average, average, missing)


@register_mean_rule(
    source="",
    score_description="the middle one{weighed} of the scores",
    holds="transitivity anonymity unanimity iia monotonicity",
)
def median(
    scores: pd.DataFrame | Leaderboard, *, missing: Missing = "raise", **table: Unpack[TableOptions]
) -> pd.DataFrame:
    """Which system has the highest median score, which outlying tasks don't move?

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance), or a `Leaderboard`.
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
        How a missing score counts: "raise" (refuse, since a mean over different tasks rewards
        skipping the hard ones), "ignore" (the average over what is there) or "median" (fill with
        the median of the task). A system with no score at all is last, with a score of NaN.

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the
        columns below; `.attrs["rule"]` names the rule.

        rank
            1 for the best; tied systems share the smallest (1, 2, 2, 4).
        score
            The weighted median: half of the weight on either side, the middle of two scores where
            both split it; negated if lower is better on all tasks.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if scores are infinite or missing, or lower is better on some tasks only.

    References
    ----------
    Agarwal et al., Deep reinforcement learning at the edge of the statistical precipice, 2021.

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
    check_single_orientation(board, "median")
    return rank_by_average(
        board,
        "median",
        arrays.median,
        lambda ballots: np.abs(arrays.weighted_median_bounds(ballots)).max(axis=1),
        missing,
    )
