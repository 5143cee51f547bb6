"""Which systems differ significantly over the tasks? Demsar's tests, by label."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pandas as pd

from nbrank.arrays import multiple_comparisons as arrays
from nbrank.arrays.averages import mean_place
from nbrank.arrays.profile import Profile, competition_ranks
from nbrank.votes.draws import of_single_voters
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.methods import question
from nbrank.votes.naming import counted
from nbrank.votes.options import Asked, check_choice, check_delta
from nbrank.votes.task_names import LowerIsBetter

PostHoc = Literal["nemenyi", "wilcoxon_holm"]


@question(
    "how sure it is", sees="ballots", instead=("tie_groups(rule='bradley_terry')", "confidence()")
)
def critical_difference(
    scores: pd.DataFrame | Leaderboard,
    delta: float = 0.05,
    method: PostHoc = "nemenyi",
    *,
    lower_is_better: LowerIsBetter = (),
) -> pd.DataFrame:
    """Which systems can't be told apart by their ranks over the tasks?

    Demsar's procedure: Friedman's test first, in Iman and Davenport's form. If it rejects that all
    systems are alike, all pairs are tested; else no pair is called different. Tasks (or instances)
    count alike, and are taken as independent of each other, which two metrics of one task are not.

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns; or rows of system
        and instance), or a `Leaderboard` with equal weights; no score missing.
    delta
        The probability of calling any two equal systems different.
    method
        The test of pairs: "nemenyi" compares the mean ranks, and its verdict on two systems depends
        on which others are there; "wilcoxon_holm" tests each pair's differences by signed ranks,
        with Holm's correction, and depends only on their number.
    {lower_is_better}

    {returns_best_first}

        rank
            The rank by mean rank; tied systems share the smallest.
        mean_rank
            The mean over the tasks of the tie-averaged place; 1 is the best.
        groups
            Letters: systems that share one are, together with all between
            them, not significantly different.

        `.attrs` holds `friedman_chi_square` and `friedman_p_value`, `iman_davenport_f` and
        `iman_davenport_p_value`, `n_tasks`, for "nemenyi" the `critical_difference` of two mean
        ranks, and `p_values`: a row and a column for each system in the frame's order, corrected
        for the number of pairs.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given beside a Leaderboard.
    ValueError
        If a score is missing (the message says whose), if weights differ, or with fewer than two
        systems or tasks; for "wilcoxon_holm" also if a score is infinite.

    References
    ----------
    Demsar, Statistical comparisons of classifiers over multiple data sets, 2006; for Wilcoxon's
    test instead of Nemenyi's: Benavoli, Corani and Mangili, Should we really use post-hoc tests
    based on mean-ranks?, 2016.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     [[9, 8, 9, 9, 8, 9, 8], [5, 6, 4, 6, 5, 6, 5], [4, 5, 6, 5, 6, 4, 6]],
    ...     index=["A", "B", "C"],
    ... )
    >>> found = critical_difference(scores)
    >>> found.round(3)
       rank  mean_rank groups
    A     1      1.000      a
    B     2      2.429      b
    C     3      2.571      b
    >>> round(found.attrs["critical_difference"], 3)
    1.252
    >>> [round(p_value, 3) for p_value in found.attrs["p_values"][0]]
    [1.0, 0.021, 0.009]
    """
    name = "critical_difference"
    check_delta(name, delta)
    check_choice(name, "method", method, ("nemenyi", "wilcoxon_holm"))
    board = as_leaderboard(scores, lower_is_better=lower_is_better)
    board.check(Asked(name, "ballots", "ignore"))
    board = of_single_voters(board, each=True)
    _refuse(name, board, method)
    ballots = board.profile().scores
    n_systems, n_tasks = ballots.shape
    friedman, means = arrays.friedman(ballots), mean_place(Profile(ballots, np.ones(n_tasks)))
    distance: dict[Any, float] = {}
    if method == "nemenyi":
        least = arrays.nemenyi_distance(delta, n_systems, n_tasks)
        distance = {"critical_difference": least}
        p_values = arrays.nemenyi_p_values(means, n_tasks)
        # What p_values <= delta says, and by the distance that is given.
        different = np.abs(means[:, None] - means) >= least
    else:
        p_values = arrays.wilcoxon_holm_p_values(ballots)
        different = p_values <= delta
    different &= friedman["iman_davenport_p_value"] <= delta
    ranks = competition_ranks(-means)
    order = np.argsort(ranks, kind="stable")
    in_order = np.ix_(order, order)
    runs = list(enumerate(arrays.runs(different[in_order])))
    groups = [
        " ".join(_letters(number) for number, (first, last) in runs if first <= place <= last)
        for place in range(n_systems)
    ]
    columns = {"rank": ranks[order], "mean_rank": means[order], "groups": groups}
    frame = pd.DataFrame(columns, index=board.systems[order])
    frame.attrs = {"method": method, "delta": float(delta), "n_tasks": n_tasks, **friedman}
    frame.attrs |= {"p_values": p_values[in_order].tolist(), **distance}
    return frame


def _refuse(name: str, board: Leaderboard, method: PostHoc) -> None:
    """Refuse what the tests don't take."""
    if board.cluster_of is not None and board.clusters is not None:
        level = board.clusters.name
        raise ValueError(
            f"{name}: the tests take all instances as independent, and these lie in clusters "
            f"({level!r}); average each cluster first, scores.groupby(level=['system', {level!r}])"
            f".mean().rename_axis(index={{{level!r}: 'instance'}})"
        )
    board.refuse_cells(
        name,
        np.isnan,
        "missing score",
        "mean ranks over different tasks can't be compared; leave out those tasks "
        "(scores.dropna(axis='columns')) or those systems (scores.dropna())",
    )
    weights = board.weights[board.weights > 0]
    if (weights != weights[0]).any():
        raise ValueError(
            f"{name}: the tests take all tasks alike, but these have different weights; "
            f"leave the weights out, or choose tasks by a weight of 0 for the others"
        )
    k, n = len(board.systems), int(board.that_count.sum())
    if k < 2 or n < 2:
        raise ValueError(
            f"{name}: {counted(k, 'system')} on {counted(n, 'task')}; it takes two of each at least"
        )
    if method == "wilcoxon_holm":
        board.refuse_infinite(
            name, "they have no differences; choose method='nemenyi', which looks at ranks only"
        )


def _letters(number: int) -> str:
    """The number as a letter: a to z, then aa, ab and so on."""
    letter = chr(ord("a") + number % 26)
    return letter if number < 26 else _letters(number // 26 - 1) + letter
