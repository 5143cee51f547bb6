"""Who beats whom: on how many tasks, how often each pair met, and how likely of their runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays.chunking import group_sort
from nbrank.arrays.typing import Floats, Positions
from nbrank.arrays.uncertainty import win_rate_intervals
from nbrank.rules.majority import make_pair_request
from nbrank.uncertainty.sampling_design import MIN_CLUSTERS, clusters_drawn
from nbrank.votes.leaderboard import Leaderboard, VotesLike, as_leaderboard
from nbrank.votes.method_registry import register_method
from nbrank.votes.table.row_levels import Clusters
from nbrank.votes.table.task_options import TableOptions
from nbrank.votes.table.validation import PairOptions, ViewRequest, check_delta


def stack_pairs(systems: pd.Index, columns: Mapping[str, NDArray[Any]]) -> pd.DataFrame:
    """Stack square arrays into a row for each ordered pair, in table order."""
    others = ~np.eye(len(systems), dtype=bool)
    # Systems may be tuples; each is one label.
    labels = pd.Index(systems.tolist(), tupleize_cols=False)
    codes = [of_level.tolist() for of_level in np.nonzero(others)]
    pairs = pd.MultiIndex(levels=[labels, labels], codes=codes, names=["system", "opponent"])
    return pd.DataFrame({name: of[others] for name, of in columns.items()}, index=pairs)


@register_method("pairs of systems", sees="pairs")
def pairwise(scores: VotesLike, **options: Unpack[PairOptions]) -> pd.DataFrame:
    """On how many tasks does each system beat each other?

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
        "ignore" (a pair counts where both have a score), "compatible" (by the share of compatible
        complete rankings: the matrix M of Himmi et al., 2024), "median", "worst" or "raise".
    levels
        For instance-level scores: 1 counts the instances of all tasks, 2 the tasks
        on which the majority of instances favours the system.

    Returns
    -------
    pandas.DataFrame
        Square, a row and a column for each system in table order: the weight of the tasks (or
        instances) on which the row beats the column, a tie being half to each; 0 on the diagonal.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    References
    ----------
    Condorcet, Essai sur l'application de l'analyse à la probabilité des décisions rendues à la
    pluralité des voix, 1785.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2], "t2": [1, 1], "t3": [2, None]}, index=["A", "B"])
    >>> pairwise(scores)
         A    B
    A  0.0  1.5
    B  0.5  0.0
    """
    votes, request = make_pair_request("pairwise", scores, ranks=False, **options)
    shares = votes.view_pairs(request).data.shares
    return pd.DataFrame(shares, index=votes.systems, columns=votes.systems)


@register_method("pairs of systems", sees="pairs")
def compared(scores: VotesLike, **options: Unpack[PairOptions]) -> pd.DataFrame:
    """How often did each pair of systems meet?

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
    missing, levels
        As for `pairwise`; with "ignore" a pair meets where both have a score.

    Returns
    -------
    pandas.DataFrame
        Square, a row and a column for each system in table order: the weight of the tasks (or
        instances) on which both were scored; 0 on the diagonal.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2], "t2": [1, 1], "t3": [2, None]}, index=["A", "B"])
    >>> compared(scores)
         A    B
    A  0.0  2.0
    B  2.0  0.0
    """
    votes, request = make_pair_request("compared", scores, ranks=False, **options)
    met = votes.view_pairs(request).data.compared
    return pd.DataFrame(met, index=votes.systems, columns=votes.systems)


@register_method("pairs of systems", sees="ballots", suggested_calls=("win_probabilities()",))
def probability_of_improvement(
    scores: pd.DataFrame | Leaderboard,
    *,
    delta: float = 0.05,
    cluster: Clusters = None,
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    """How likely does a run of one system beat a run of another, on average over the tasks?

    On each task all runs of one system are paired with all runs of the other, and it counts in
    which share of the pairs the system is better, ties half (Mann and Whitney's U).

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
    delta
        One minus the confidence: each interval is meant to hold for its pair alone.
    cluster
        Which instances depend on each other, such as the questions on a passage, and are drawn
        together: a level of the rows, or a mapping or Series from instance to cluster. None takes
        the level called `cluster`, `passage`, `document`, `user` or the like, if there is one;
        "instance" takes each instance on its own. Fewer than 5 clusters separate no systems.

    Returns
    -------
    pandas.DataFrame
        A row for each ordered pair, in table order; the index has the levels
        `system` and `opponent`. The columns are

        probability
            The weighted mean of these shares over the tasks (or instances) on which both have runs.
        low, high
            An interval of that mean, as if the tasks (or instances, or their clusters) were drawn
            at random; the scatter of the runs is in it. Where each task is won or lost and all
            weigh the same, it is Clopper and Pearson's. Unequal weights count as fewer tasks, and
            shares within 0 and 1 narrow it (Gaffke's random weights with an unseen task at the far
            end, their distribution taken for a beta distribution). A bootstrap would be a point
            where all tasks agree. 0 and 1 with fewer than 5 clusters.
        n
            The number of tasks (or instances, or clusters) on which both have runs.

        `.attrs` say what is drawn (`over`).

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    References
    ----------
    Agarwal, Schwarzer, Castro, Courville and Bellemare, Deep reinforcement learning at the edge of
    the statistical precipice, 2021; Mann and Whitney, On a test of whether one of two random
    variables is stochastically larger than the other, 1947. Of the interval: Clopper and Pearson,
    The use of confidence or fiducial limits illustrated in the case of the binomial, 1934; Gaffke,
    Three test statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative
    variable, 2005; Learned-Miller and Thomas, A new confidence interval for the mean of a bounded
    random variable, 2019.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.MultiIndex.from_product([["A", "B"], [0, 1]], names=["system", "seed"])
    >>> scores = pd.DataFrame({"t1": [3, 5, 1, 4], "t2": [6, 8, 2, 4]}, index=rows)
    >>> probability_of_improvement(scores)["probability"]
    system  opponent
    A       B           0.875
    B       A           0.125
    Name: probability, dtype: float64
    """
    check_delta("probability_of_improvement", delta)
    board = as_leaderboard(scores, cluster, **table)
    board.check(ViewRequest("probability_of_improvement", "pairs", "ignore"))
    board = board.expand_voters(each=True)
    shares = _improvement_probabilities(board)
    weight = board.weights[board.ballot_task_codes] * ~np.isnan(shares)
    total = weight.sum(axis=2)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.nansum(shares * weight, axis=2) / total
        away = np.nan_to_num(shares - means[:, :, None]) * weight
        if board.column_clusters is not None:
            away, weight = (_sum_clusters(each, board.column_clusters) for each in (away, weight))
        squares = (weight**2).sum(axis=2)
        low, high = win_rate_intervals.bounded_mean_interval(
            means, (away**2).sum(axis=2) / squares, total**2 / squares, delta
        )
    n = (weight > 0).sum(axis=2)
    if board.column_clusters is not None:
        few = (n > 0) & (n < MIN_CLUSTERS)
        low[few], high[few] = 0.0, 1.0
    columns = {"probability": means, "low": low, "high": high, "n": n}
    frame = stack_pairs(board.systems, columns)
    drawn = "instances" if board.is_instance_level else "tasks"
    frame.attrs = {"delta": float(delta), "over": drawn} | clusters_drawn(board)
    return frame


def _sum_clusters(values: Floats, column_clusters: Positions) -> Floats:
    """Sum the columns of each cluster, of arrays systems x systems x columns."""
    order, starts = group_sort(column_clusters)
    return np.add.reduceat(values[:, :, order], starts, axis=2)


def _improvement_probabilities(board: Leaderboard) -> Floats:
    """Return the share of pairs of runs that the first wins, by task; NaN without any."""
    sign = np.where(board.is_lower_better[board.ballot_task_codes], -1.0, 1.0)
    systems = range(len(board.systems))
    runs = [board.select_runs(system)[:, board.active_columns] * sign for system in systems]
    result = np.full((len(runs), len(runs), len(sign)), np.nan)
    for i, ours in enumerate(runs):
        for j, theirs in enumerate(runs[:i]):
            won = (ours[:, None, :] > theirs).sum(axis=(0, 1))
            lost = (ours[:, None, :] < theirs).sum(axis=(0, 1))
            met = (~np.isnan(ours)).sum(axis=0) * (~np.isnan(theirs)).sum(axis=0)
            with np.errstate(invalid="ignore"):
                # The rest of the comparisons are level: 1/2 + (won - lost) / 2.
                result[i, j] = 0.5 + (won - lost) / np.where(met, 2 * met, np.nan)
            result[j, i] = 1 - result[i, j]
    return result
