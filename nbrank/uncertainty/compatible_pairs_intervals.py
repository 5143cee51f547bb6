"""The pairs that equation 4 of the missing-scores paper calls decided."""

from __future__ import annotations

from typing import Unpack

import numpy as np
import pandas as pd

from nbrank.comparison.pairwise_wins import compared, pairwise, stack_pairs
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.method_registry import spell_out_options
from nbrank.votes.table.task_options import TableOptions
from nbrank.votes.table.validation import check_delta


@spell_out_options
def compatible_pairs(
    scores: pd.DataFrame | Leaderboard, *, delta: float = 0.01, **table: Unpack[TableOptions]
) -> pd.DataFrame:
    """Which pairs does the missing-scores paper call decided? No coverage is claimed.

    The share of the ballots on which one system beats the other is taken with missing scores filled
    in by compatible rankings (the paper's matrix M). The half width around it is the one-sided
    Hoeffding bound, sqrt(-log(delta) / (2 z)), where z is how often the two were really compared.
    It holds for the share of the real comparisons only; around one that is partly filled in, it can
    miss the true share almost always. The intervals of `nbrank.confidence` do cover.

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance), or a `Leaderboard`.
    delta
        The paper's level; 0.01 in its figures 6 and 11.
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

    Returns
    -------
    pandas.DataFrame
        A row for each ordered pair, in table order; the index has the levels
        `system` and `opponent`. The columns are

        share
            The share of the ballots on which the system beats the opponent,
            missing scores filled in, a tie being half.
        n
            The number of ballots on which both were scored, whatever their weights.
        low
            The lower end of the interval, 0 for a pair that never met.
        decided
            Whether the lower end is above one half.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if delta is not between 0 and 1.

    References
    ----------
    Himmi, Irurozki, Noiry, Clémençon and Colombo, Towards more robust NLP system evaluation, 2024,
    equation 4 and figures 6 and 11.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2], "t2": [2, 1], "t3": [2, None]}, index=["A", "B"])
    >>> compatible_pairs(scores, delta=0.5).round(3)
                     share  n    low  decided
    system opponent
    A      B         0.833  2  0.417    False
    B      A         0.167  2  0.000    False
    """
    check_delta("compatible_pairs", delta)
    board = as_leaderboard(scores, **table)
    board = board.expand_voters(each=True)
    won = pairwise(board, missing="compatible").to_numpy()
    # The bound counts the ballots on which two systems met, whatever these weigh.
    present = board.with_task_weights((board.weights > 0).astype(float))
    met = compared(present).to_numpy()
    with np.errstate(divide="ignore", invalid="ignore"):
        share = won / (won + won.T)
        low = np.maximum(share - np.sqrt(-np.log(delta) / (2 * met)), 0.0)
    columns = {"share": share, "n": met.round().astype(int), "low": low, "decided": low > 0.5}
    return stack_pairs(board.systems, columns)
