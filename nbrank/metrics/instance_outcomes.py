"""From instance-level scores to comparisons of two systems, all of them or a sample."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from nbrank.votes.formatting import format_labels
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.required_arguments import with_call
from nbrank.votes.table.task_options import LowerIsBetter
from nbrank.votes.table.validation import make_rng, validate_integer, validate_number

#: The columns of `pairwise_outcomes` that name the two systems.
_PAIR = ["left", "right"]
#: The c of c m ln(m), the comparisons of each pair of m systems.
_MULTIPLIER = 12.0


@with_call("nbrank.metrics.pairwise_outcomes(scores, tie_within=0.01)")
def pairwise_outcomes(
    scores: pd.DataFrame | Leaderboard, *, tie_within: float, lower_is_better: LowerIsBetter = ()
) -> pd.DataFrame:
    """Which of two systems did better, instance by instance and pair by pair?

    Parameters
    ----------
    scores
        Instance-level scores: what `instance_scores` gives, or a frame with rows of
        `system` and `instance`.
    tie_within
        Two scores that are no further apart than this tie, whatever the metric.
    lower_is_better
        The metrics on which a lower score is better, or True for all of them.

    Returns
    -------
    pandas.DataFrame
        A row for each metric, instance and pair of systems with a score there, ready
        for `nbrank.from_comparisons(frame, left="left", right="right",
        winner="winner")`, with the columns

        task
            The metric.
        instance
            The instance.
        left, right
            The two systems; the one that is first on the board is left.
        winner
            "left", "right" or "tie".

    Raises
    ------
    TypeError, ValueError
        If `lower_is_better` is given together with a Leaderboard, the scores are not
        instance-level, or `tie_within` is not a number from 0.

    Examples
    --------
    >>> import pandas as pd
    >>> from nbrank.metrics import instance_scores
    >>> values = pd.DataFrame({"A": [0.7, 0.2], "B": [1.0, 0.3]}, index=["x", "y"])
    >>> board = instance_scores(values, pd.Series([1, 0], ["x", "y"]), ["mean absolute error"])
    >>> pairwise_outcomes(board, tie_within=0.15)
                      task instance left right winner
    0  mean absolute error        x    A     B  right
    1  mean absolute error        y    A     B    tie
    """
    tie_within = validate_number("pairwise_outcomes", "tie_within", tie_within)
    if not (math.isfinite(tie_within) and tie_within >= 0):
        raise ValueError(f"tie_within={tie_within!r}; it must be a number, 0 or above")
    board = as_leaderboard(scores, lower_is_better=lower_is_better)
    if board.instances is None:
        raise ValueError(
            "pairwise_outcomes compares instance by instance; give scores with rows of 'system' "
            "and 'instance', or count a leaderboard's tasks with nbrank.pairwise"
        )
    oriented = np.where(board.is_lower_better[board.task_codes], -1.0, 1.0) * board.values
    left, right = np.triu_indices(len(board.systems), 1)
    # Two infinite scores may tie, and have no difference.
    level = oriented[left] == oriented[right]
    difference = np.subtract(
        oriented[left], oriented[right], out=np.zeros(level.shape), where=~level
    ).T
    column, pair = np.nonzero(~np.isnan(difference))
    apart = difference[column, pair]
    winner = np.select([apart > tie_within, apart < -tie_within], ["left", "right"], "tie")
    return pd.DataFrame(
        {
            "task": board.tasks[board.task_codes[column]],
            "instance": board.instances[column],
            "left": board.systems[left[pair]],
            "right": board.systems[right[pair]],
            "winner": winner,
        }
    )


def sampled(
    outcomes: pd.DataFrame, *, per_pair: int | None = None, seed: int | None = 0
) -> pd.DataFrame:
    """Draw some of the comparisons of each pair, with replacement.

    Parameters
    ----------
    outcomes
        Comparisons with columns `left` and `right`, in either order of a pair.
    per_pair
        How many comparisons of each pair are drawn; None draws 12 m ln(m), rounded up, for m
        systems. A pair with no more than that keeps them all.
    seed
        The seed of the draws; None takes a fresh one.

    Returns
    -------
    pandas.DataFrame
        The rows drawn, with their index; pair by pair, in the order in which the
        pairs first appear.

    Raises
    ------
    ValueError
        If a column or a name is missing, the frame is empty, or `per_pair` is below 1.

    References
    ----------
    Levtsov and Ustalov, Confidence and stability of global and pairwise scores in NLP evaluation,
    2025, section 4 (which does not name the base of the logarithm), after Maystre and Grossglauser,
    2017.

    Examples
    --------
    >>> import pandas as pd
    >>> outcomes = pd.DataFrame({"left": "A", "right": "B", "winner": ["left"] * 8 + ["tie"] * 2})
    >>> sampled(outcomes, per_pair=4, seed=0)["winner"].value_counts().to_dict()
    {'left': 3, 'tie': 1}
    """
    absent = [column for column in _PAIR if column not in outcomes]
    if absent:
        raise ValueError(
            f"no column {format_labels(absent)}; name the systems compared left and right"
        )
    if not len(outcomes):
        raise ValueError("no comparisons to draw from")
    if outcomes[_PAIR].isna().any(axis=None):
        raise ValueError("a comparison names no system (NaN); drop such rows, or fill them in")
    numbers, systems = pd.factorize(np.concatenate([outcomes[side] for side in _PAIR]))
    if len(systems) == 1:
        raise ValueError(f"{format_labels(systems)} is compared only with itself; drop such rows")
    left, right = numbers.reshape(2, -1)
    if per_pair is None:
        per_pair = math.ceil(_MULTIPLIER * len(systems) * math.log(len(systems)))
    per_pair = validate_integer("sampled", "per_pair", per_pair)
    pair, _ = pd.factorize(np.minimum(left, right) * len(systems) + np.maximum(left, right))
    by_pair = np.argsort(pair, kind="stable")
    rng = make_rng("sampled", seed)
    drawn = [
        rows if len(rows) <= per_pair else rng.choice(rows, per_pair)
        for rows in np.split(by_pair, np.cumsum(np.bincount(pair))[:-1])
    ]
    return outcomes.iloc[np.concatenate(drawn)]
