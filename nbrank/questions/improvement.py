"""How likely does a run of one system beat a run of another, on a task drawn at random?"""

from __future__ import annotations

from typing import Unpack

import numpy as np
import pandas as pd

from nbrank.arrays.kinds import Floats
from nbrank.questions.pairwise import by_pair
from nbrank.votes.draws import of_single_voters
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.methods import question
from nbrank.votes.options import Asked, check_delta
from nbrank.votes.task_names import TableOptions


@question("pairs of systems", sees="ballots")
def probability_of_improvement(
    scores: pd.DataFrame | Leaderboard, delta: float = 0.05, **table: Unpack[TableOptions]
) -> pd.DataFrame:
    """How likely does a run of one system beat a run of another, on average over the tasks?

    On each task all runs of one system are paired with all runs of the other, and it counts in
    which share of the pairs the system is better, ties half (Mann and Whitney's U).

    Parameters
    ----------
    {board}
    delta
        One minus the confidence: each interval is meant to hold for its pair alone.

    {returns_pairs}

        probability
            The weighted mean of these shares over the tasks on which both have runs.
        low, high
            Student's t interval of that mean over the tasks, within 0 and 1, as if the tasks
            were drawn at random; the scatter of the runs is in it. NaN with a single task.
        n
            The number of tasks on which both have runs.

    {raises}

    References
    ----------
    Agarwal, Schwarzer, Castro, Courville and Bellemare, Deep reinforcement learning at the edge of
    the statistical precipice, 2021; Mann and Whitney, On a test of whether one of two random
    variables is stochastically larger than the other, 1947.

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
    from scipy.special import stdtrit

    check_delta("probability_of_improvement", delta)
    board = as_leaderboard(scores, **table)
    board.check(Asked("probability_of_improvement", "pairs", "ignore"))
    board = of_single_voters(board, each=True)
    shares = _shares(board)
    weight = board.weights[board.ballot_task] * ~np.isnan(shares)
    total = weight.sum(axis=2)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.nansum(shares * weight, axis=2) / total
        away = np.nan_to_num(shares - means[:, :, None])
        effective = total**2 / (weight**2).sum(axis=2)
        variance = ((away * weight) ** 2).sum(axis=2) / total**2 * effective / (effective - 1)
        half = stdtrit(effective - 1, 1 - delta / 2) * np.sqrt(variance)
    columns = {
        "probability": means,
        "low": np.maximum(means - half, 0.0),
        "high": np.minimum(means + half, 1.0),
        "n": (weight > 0).sum(axis=2),
    }
    frame = by_pair(board.systems, columns)
    frame.attrs = {"delta": float(delta), "over": "tasks"}
    return frame


def _shares(board: Leaderboard) -> Floats:
    """Systems x systems x columns: the share of pairs of runs that the first wins; NaN for none."""
    sign = np.where(board.lower[board.ballot_task], -1.0, 1.0)
    of = board.replicates.of_system if board.replicates else lambda system: board.values[[system]]
    runs = [of(system)[:, board.that_count] * sign for system in range(len(board.systems))]
    found = np.full((len(runs), len(runs), len(sign)), np.nan)
    for i, ours in enumerate(runs):
        for j, theirs in enumerate(runs[:i]):
            won = (ours[:, None, :] > theirs).sum(axis=(0, 1))
            lost = (ours[:, None, :] < theirs).sum(axis=(0, 1))
            met = (~np.isnan(ours)).sum(axis=0) * (~np.isnan(theirs)).sum(axis=0)
            with np.errstate(invalid="ignore"):
                # What is neither won nor lost is level: 1/2 + (won - lost) / 2.
                found[i, j] = 0.5 + (won - lost) / np.where(met, 2 * met, np.nan)
            found[j, i] = 1 - found[i, j]
    return found
