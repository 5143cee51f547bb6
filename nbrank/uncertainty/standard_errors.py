"""Standard errors of shares of n, such as accuracies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from nbrank.arrays.typing import Bools, Floats
from nbrank.votes.formatting import format_labels
from nbrank.votes.labeled_values import Labelled, as_frame, as_series, clean_axes, is_labelled
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.method_registry import register_method
from nbrank.votes.table.score_frame import scores_to_floats
from nbrank.votes.table.task_options import TaskIndex
from nbrank.votes.table.validation import validate_number
from nbrank.votes.user_warnings import ZeroErrorWarning, warn_user


@register_method("how sure it is", sees="ballots")
def binomial_errors(
    scores: pd.DataFrame | Leaderboard,
    n: float | Mapping[Any, float] | pd.Series | pd.DataFrame,
    *,
    high: float | Mapping[Any, float] | pd.Series = 1.0,
) -> pd.DataFrame:
    """How far may each score be off, if it is the share of n items that were right?

    The standard error of Agresti and Coull, with two more successes and two more failures: 0 and
    100 % of few items are not certain.

    Parameters
    ----------
    scores
        A frame of shares, from 0 to `high`; NaN where a system was not evaluated.
    n
        The number of items: one number, a mapping (or Series) from task or group to a number, or a
        frame like the scores.
    high
        The score of all right, such as 100 for percentages: one number, or a mapping (or Series)
        from task or group to a number.

    Returns
    -------
    pandas.DataFrame
        The standard errors, in the unit of the scores, with their labels: what
        `rank_confidence(scores, rule, errors=...)` takes.

    Raises
    ------
    ValueError
        If a score is not a share, or a number of items is missing or below 1.

    References
    ----------
    Agresti and Coull, Approximate is better than "exact" for interval estimation of binomial
    proportions, The American Statistician, 1998.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [0.8, 1.0], "t2": [0.5, 0.6]}, index=["A", "B"])
    >>> binomial_errors(scores, n={"t1": 100, "t2": 1000}).round(3)
          t1     t2
    A  0.040  0.016
    B  0.013  0.015
    """
    board = as_leaderboard(scores)
    frame = board.scores
    if is_labelled(high):
        ceiling = "high"
        top: Any = _by_task(board.task_names, as_series(high), "high")
        if np.isnan(top).any():
            raise ValueError(
                f"binomial_errors: high is missing on {format_labels(board.tasks[np.isnan(top)])}; "
                f"give the score of all right for each task"
            )
    else:
        top = validate_number("binomial_errors", "high", high)
        ceiling = f"{top:g}"
    shares = frame / top
    wrong = ~(shares.isna() | ((shares >= 0) & (shares <= 1)))
    if wrong.to_numpy().any():
        raise ValueError(
            f"binomial_errors: scores on {format_labels(frame.columns[wrong.any()])} are not "
            f"shares from 0 to {ceiling}; give high=, the score of all right"
        )
    sizes: Any = as_frame(n)
    if isinstance(sizes, pd.DataFrame | pd.Series):
        sizes = clean_axes(sizes)
    if is_labelled(sizes):
        sizes = _by_task(board.task_names, sizes, "n")
    elif not isinstance(sizes, pd.DataFrame):
        sizes = validate_number("binomial_errors", "n", sizes)
    items = (shares * 0 + sizes).reindex(index=frame.index, columns=frame.columns)
    items = pd.DataFrame(scores_to_floats(items), frame.index, frame.columns)
    lacking = shares.notna() & ~(items >= 1)
    if lacking.to_numpy().any():
        raise ValueError(
            "binomial_errors: n is missing or below 1 on "
            f"{format_labels(frame.columns[lacking.any()])}"
        )
    more = (shares * items + 2) / (items + 4)
    errors: pd.DataFrame = (more * (1 - more) / (items + 4)) ** 0.5 * top
    return errors


def _by_task(names: TaskIndex, n: Labelled, option: str) -> Floats:
    """Return an option's number for each task; NaN if it has none."""
    result = np.full(len(names.tasks), np.nan)
    options: dict[Any, Any] = dict(n.items())
    for name, number in options.items():
        position = names.get_position(name)
        places = names.members.get(name, []) if position is None else [position]
        if not pd.isna(number):
            result[places] = validate_number("binomial_errors", f"{option}[{name!r}]", number)
    return result


def warn_of_zero_errors(
    called: str, scores: Floats, errors: Floats, where: Callable[[Bools], str], instead: str
) -> None:
    """Warn about shares with standard error 0 other than none and all, such as rounded ones.

    On a task with scores above 1, all from 0 to 100, scores are percentages. The exception is
    ratings: scores from 1 to 10 may be exact.
    """
    high = np.where(_are_percents(scores), 100.0, 1.0)
    exact = (errors == 0) & (scores > 0) & (scores < high)
    if exact.any():
        ends = "0 and 1" if (scores[exact] < 1).all() else "0 and 100 %"
        warn_user(
            f"{called}: the standard error of {where(exact)} is 0, so the score counts as known "
            f"exactly, which a share of some items between {ends} is not; {instead}, or give a "
            f"tiny standard error such as 1e-12 if it is",
            ZeroErrorWarning,
        )


def _are_percents(scores: Floats) -> Bools:
    """Return for each task (or for a single one) whether its scores are percentages."""
    observed = np.where(np.isnan(scores), 0.0, scores)
    in_range = ((observed >= 0) & (observed <= 100)).all(axis=0)
    ratings = (np.isnan(scores) | ((observed >= 1) & (observed <= 10))).all(axis=0)
    return np.asarray(in_range & (observed > 1).any(axis=0) & ~ratings)
