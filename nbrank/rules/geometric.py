"""The geometric mean: ratios of scores, to a baseline, shifted, with penalties for failures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

import numpy as np
import pandas as pd

from nbrank.arrays.ballots import averages as arrays
from nbrank.arrays.ballots.profile import Missing, Profile
from nbrank.arrays.typing import Array, Bools, Floats
from nbrank.rules.additive_form import AdditiveForm, BallotValues
from nbrank.rules.means import check_nonnegative, rank_by_average, register_mean_rule
from nbrank.rules.normalized_means import broadcast_to_ballots, orientation
from nbrank.votes.formatting import Label, find_position, format_labels
from nbrank.votes.labeled_values import clean_label
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.table.task_options import PerTask, TableOptions
from nbrank.votes.table.validation import validate_number

_RULE = "geometric_mean"


def _log_mean_additive(board: Leaderboard, arguments: Mapping[str, Any]) -> AdditiveForm | None:
    ratios = _LogRatios(board, arguments["baseline"], arguments["shift"], arguments["penalty"])
    if ratios.zero.any():
        return None

    def values(profile: Profile) -> BallotValues:
        penalised = arguments["penalty"] is not None
        result = ratios.cells(profile.scores, slice(None))
        return result, None if penalised else profile.observed

    return AdditiveForm(values, transform=ratios.cells, score=ratios.score)


class _LogRatios:
    """The checked logarithms of the scores, or of their ratios."""

    def __init__(
        self, board: Leaderboard, baseline: Label, shift: float, penalty: PerTask | None
    ) -> None:
        self.board, self.sign = board, orientation(board)
        self.shift = validate_number(_RULE, "shift", shift)
        if not 0 <= self.shift < np.inf:
            raise ValueError(f"{_RULE}: shift={shift!r} must be a number from 0")
        self.penalty = np.full(len(self.sign), np.nan)
        if penalty is not None:
            self.penalty = broadcast_to_ballots(board, penalty, _RULE, "penalty")
            self._raise_for_tasks(self.penalty < 0, "the penalty is negative")
        check_nonnegative(board, _RULE, self.shift)
        self.relative = baseline is not None
        self.negated = bool((self.sign < 0).all())
        if not self.negated and not self.relative and (self.sign < 0).any():
            raise ValueError(
                f"{_RULE}: lower is better on {format_labels(board.lower_is_better)} and higher on "
                "the other tasks, so their scores have no mean; give baseline=, a system or "
                "'best', for a mean of how many times as good each score is"
            )
        scores = board.values[:, np.flatnonzero(board.active_columns)]
        self.zero = (np.where(np.isnan(scores), self.penalty, scores) + self.shift) == 0
        if not self.negated:
            self._raise_for_tasks(
                (self.zero & (self.sign < 0)).any(axis=0), "a score of 0 is infinitely good"
            )
        reference = np.ones(len(self.sign))
        if self.relative:
            reference = self._baseline_scores(baseline, scores) + self.shift
            self._raise_for_tasks(~(reference > 0), f"the baseline {baseline!r} has 0, or no score")
        self._log_reference = np.log(reference)

    def cells(self, scores: Array, block: slice) -> Array:
        """Return the logarithms of the ballots' scores, or of their ratios to the baseline."""
        # In double precision whatever is given. A gap counts as the penalty, NaN without one.
        sign = self.sign[block]
        amounts = scores.astype(np.float64) * sign
        amounts = np.where(np.isnan(amounts), self.penalty[block], amounts)
        with np.errstate(divide="ignore"):
            result: Array = (np.log(amounts + self.shift) - self._log_reference[block]) * sign
        return result

    def _baseline_scores(self, baseline: Label, scores: Array) -> Floats:
        """Return the baseline's score on each ballot."""
        if isinstance(baseline, Mapping | pd.Series | pd.DataFrame | np.ndarray):
            raise TypeError(
                f"{_RULE}: baseline is the name of a system, or 'best', and not a "
                f"{type(baseline).__name__}; for ratios to numbers of your own add them to the "
                f"table as a row, and give its name"
            )
        systems, baseline = self.board.systems, clean_label(baseline)
        position = find_position(systems, baseline)
        if position is not None:
            if baseline == "best":
                raise ValueError(
                    f"{_RULE}: baseline='best' is the best score of each task, and the name of a "
                    f"system; rename the system"
                )
            return np.asarray(scores[position], dtype=np.float64)
        if baseline != "best":
            raise ValueError(
                f"{_RULE}: baseline={baseline!r} is not a system; choose one of "
                f"{format_labels(systems)}, or 'best' for the best score of each task"
            )
        best = np.fmax.reduce(scores * self.sign, axis=0, initial=-np.inf)
        return np.where(np.isinf(best), np.nan, best * self.sign).astype(np.float64)

    def _raise_for_tasks(self, wrong: Bools, reason: str) -> None:
        """Name the tasks of the ballots at fault."""
        if wrong.any():
            columns = np.flatnonzero(self.board.active_columns)[wrong]
            tasks = self.board.tasks[np.unique(self.board.task_codes[columns])]
            raise ValueError(
                f"{_RULE}: {reason} on {format_labels(tasks)}; correct or drop them, or give a "
                f"shift"
            )

    def score(self, means: Floats) -> Floats:
        """Turn means of logarithms, higher being better, into the scores."""
        amounts = self.tie_scale(means)
        if not self.relative:
            amounts = amounts - self.shift
        return 0.0 - amounts if self.negated else amounts

    def tie_scale(self, means: Floats) -> Floats:
        """Return the scale of the ties: of the means before a shift is subtracted."""
        with np.errstate(over="ignore"):
            result: Floats = np.exp(-means if self.negated else means)
        return result


@register_mean_rule(
    source="Fleming and Wallace 1986",
    score_description="an average{weighed} for which ratios of scores count, not differences",
    additive=_log_mean_additive,
)
def geometric_mean(
    scores: pd.DataFrame | Leaderboard,
    *,
    baseline: Label = None,
    shift: float = 0.0,
    penalty: PerTask | None = None,
    missing: Missing = "raise",
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    """Which system has the highest geometric mean, where ratios count and not differences?

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
    baseline
        The system to whose score every score of a task is divided, or "best" for
        the best score of each task; None takes the scores as they are.
    shift
        What is added to every score, so that those near 0 don't decide (Mittelmann's
        shifted geometric mean: 10 seconds); it is taken off the mean again. With a
        baseline, scores and baseline are both shifted, as ClickBench has it.
    penalty
        What a missing score counts as, such as the time limit of a solver that failed: a number, or
        a mapping from task (or group) to a number. None leaves it to `missing`.
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
            The weighted geometric mean; 0 for a system with a score of 0. Minus that if lower is
            better on all tasks. If it is on some, how many times as good as the baseline the system
            is: on those the ratio is turned over.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if scores are negative, infinite or missing, if lower is better on some
        tasks only without a baseline, or if the baseline has no score above 0.

    References
    ----------
    Fleming and Wallace, How not to lie with statistics, 1986; Mittelmann, Benchmarks for
    optimization software (shifted); Ansari et al., Chronos, 2024 (ratios to a baseline).

    Examples
    --------
    >>> import pandas as pd
    >>> geometric_mean(pd.DataFrame({"t1": [1, 3], "t2": [16, 3]}, index=["A", "B"]))
       rank  score
    A     1    4.0
    B     2    3.0

    Of seconds, where B failed once and is given the limit of 128; and in relation to A:

    >>> seconds = pd.DataFrame({"p1": [2, 8], "p2": [32, None]}, index=["A", "B"])
    >>> geometric_mean(seconds, penalty=128, lower_is_better=True)
       rank  score
    A     1   -8.0
    B     2  -32.0
    >>> geometric_mean(seconds, penalty=128, lower_is_better=True, baseline="A")
       rank  score
    A     1   -1.0
    B     2   -4.0
    """
    board = as_leaderboard(scores, **table)
    ratios = _LogRatios(board, baseline, shift, penalty)
    if penalty is not None:
        values = board.values.astype(np.float64)
        scores_that_count = values[:, board.active_columns]
        values[:, board.active_columns] = np.where(
            np.isnan(scores_that_count), ratios.penalty, scores_that_count
        )
        board = board.with_values(values)

    def mean(profile: Profile) -> Floats:
        return arrays.weighted_mean(profile, profile.scores, transform=ratios.cells)

    return rank_by_average(
        board,
        _RULE,
        lambda profile: ratios.score(mean(profile)),
        lambda profile: ratios.tie_scale(mean(profile)),
        missing,
    )
