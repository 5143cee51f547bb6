"""Tables whose cells were measured with errors: standard errors, or runs of each system."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from nbrank.arrays.ballots.profile import safe_divide
from nbrank.arrays.typing import Bools, Floats
from nbrank.arrays.uncertainty import measurement_errors as arrays
from nbrank.arrays.uncertainty import rank_confidence_sets
from nbrank.arrays.uncertainty.influence import Contributions
from nbrank.rules.bound_rule import BoundRule
from nbrank.uncertainty import contributions as means
from nbrank.uncertainty.sampling_design import SamplingDesign
from nbrank.votes import labeled_values
from nbrank.votes.formatting import Label, check_same_labels, format_labels
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.method_registry import register_method
from nbrank.votes.progress import progress_bar
from nbrank.votes.table.score_frame import scores_to_floats
from nbrank.votes.table.task_options import TaskIndex
from nbrank.votes.table.validation import validate_number
from nbrank.votes.user_warnings import ZeroErrorWarning, warn_user

#: Number of simulated tables for the spread of a rule's scores, if no formula gives it.
_N_SIMULATED_TABLES = 1000


def drop_errors(errors: pd.DataFrame | None, unscored: Iterable[Label]) -> pd.DataFrame | None:
    """Drop the standard errors of systems that are left out."""
    frame: Any = labeled_values.mapping_to_frame(errors)
    if not isinstance(frame, pd.DataFrame):
        return errors
    return frame[~frame.index.isin(list(unscored))]


@dataclass(frozen=True)
class CellErrors:
    """How far each cell (systems x tasks) may be off, and how well that is known."""

    errors: Floats  # standard errors; 0 for missing scores
    degrees_of_freedom: Floats  # of the errors; infinite if the caller gave these

    @classmethod
    def from_board(
        cls, function: str, board: Leaderboard, errors: pd.DataFrame | None
    ) -> CellErrors:
        """Take the caller's standard errors, or estimate them from the runs behind the scores."""
        if board.is_instance_level:
            mend = "choose over='instances' or over='tasks'"
            if function == "variance_split":  # It has no over= to choose.
                mend = (
                    "average them, and give the errors of the averages, variance_split("
                    "scores.groupby(level='system').mean(), "
                    "errors=scores.groupby(level='system').sem())"
                )
            raise ValueError(
                f"{function}: these are instances, whose errors are seen in them; {mend}"
            )
        observed = ~np.isnan(board.values)
        if errors is not None:
            value = _align_errors(function, board, errors)
            mended = "give errors=nbrank.binomial_errors(scores, n)"
            values = board.values.astype(np.float64)
            warn_of_zero_errors(function, values, value, board.format_cells, mended)
            return cls(np.where(observed, value, 0.0), np.full(value.shape, np.inf))
        runs = board.replicates
        if runs is None:
            raise ValueError(
                f"{function}: no errors of the scores are given; give errors=, a frame "
                f"of standard errors, or rows with the levels 'system' and 'seed'"
            )
        single = observed & (runs.n_runs == 1)
        if single.any():
            raise ValueError(
                f"{function}: there is a single {runs.level} of {board.format_cells(single)}, "
                "which does not show how far it may be off; give errors=, choose over='tasks', or "
                "leave them out"
            )
        return cls(
            np.where(observed, runs.standard_errors, 0.0), np.maximum(runs.n_runs - 1.0, 1.0)
        )

    def pair_tests(
        self, board: Leaderboard, rule: BoundRule, n_draws: int, rng: np.random.Generator
    ) -> rank_confidence_sets.PairTests:
        """Test all pairs of systems by a rule, given the errors of the cells."""
        terms = self._linearize(board, rule) or self._single_task_terms(board, rule)
        if terms is not None:
            estimates, deviations = terms
            known = ~np.isnan(estimates)
            parts = estimates[known], deviations[known], self.degrees_of_freedom[known]
            pair_tests = arrays.cell_error_pair_tests(*parts, n_draws, rng)
        else:
            known, centre, spread = self._simulate_scores(board, rule, rng)
            pair_tests = arrays.covariance_pair_tests(centre, spread, n_draws, rng)
        return replace(pair_tests, ranked=known)

    def estimate_means(
        self, board: Leaderboard, rule: BoundRule, rng: np.random.Generator
    ) -> tuple[Floats, Floats, Floats]:
        """Estimate each mean over ballots, its standard error, and the degrees of freedom."""
        results = self._linearize(board, rule)
        if results is not None:
            return results[0], *arrays.standard_errors_of_sums(results[1], self.degrees_of_freedom)
        added = _contribution_function(board, rule)
        if added is None:
            raise ValueError(
                f"score_intervals: how far errors of cells move {rule.label} has no formula; "
                f"choose over='tasks', or compare the systems by rank_confidence"
            )
        seen = added(board)
        # Each ballot's errors are taken about its observed contribution. A second draw of errors
        # pulls all points towards the middle, and that bias would add up over the ballots.
        squares = np.zeros(seen.amounts.shape)
        for table in self.simulate_boards(board, _N_SIMULATED_TABLES, rng, "score_intervals"):
            squares += (added(table).amounts - seen.amounts) ** 2
        deviation = np.sqrt(squares.sum(axis=1) / _N_SIMULATED_TABLES)
        error = safe_divide(deviation, seen.weights.sum(axis=1))
        return seen.estimates, error, np.full(len(error), np.inf)

    def _linearize(self, board: Leaderboard, rule: BoundRule) -> tuple[Floats, Floats] | None:
        """Return means, and how far each cell's error moves them; None for other rules."""
        additive = rule.additive(board)
        if additive is None or additive.transform is None:
            return None
        if rule.arguments["missing"] not in ("raise", "ignore"):
            return None
        columns = SamplingDesign.from_columns(board)
        if (result := means.find_contributions(board, rule, columns)) is None:
            return None
        total = result.weights.sum(axis=1)[:, None]
        # A step of one error is tried first; a smaller one helps if scores then have no mean.
        for step in (1.0, 1e-3):
            try:
                ends = [
                    means.find_contributions(board.with_values(board.values + error), rule, columns)
                    for error in (step * self.errors, -step * self.errors)
                ]
            except ValueError:
                continue
            if ends[0] is None or ends[1] is None:
                continue
            moved = np.abs(ends[0].amounts - ends[1].amounts) / (2 * step)
            if np.isfinite(moved).all():
                deviations = np.zeros(self.errors.shape)
                deviations[:, board.active_columns] = moved / np.where(total > 0, total, 1.0)
                return result.estimates, deviations
        return None

    def _single_task_terms(
        self, board: Leaderboard, rule: BoundRule
    ) -> tuple[Floats, Floats] | None:
        """Return a single task's scores and errors if they give the rule's order; else None."""
        cells, errors = board.profile().scores, self.errors * board.active_columns
        if cells.shape[1] > 1 or np.isnan(cells).any():
            return None
        scores, values = _rule_scores(board, rule), cells[:, 0].astype(np.float64)
        order, by_score = (np.sign(first[:, None] - first) for first in (scores, values))
        # Points change in steps, so on one task they would be far from normal.
        return (values, errors) if np.array_equal(order, by_score) else None

    def _simulate_scores(
        self, board: Leaderboard, rule: BoundRule, rng: np.random.Generator
    ) -> tuple[Bools, Floats, Floats]:
        """Return the scored systems, their mean simulated scores, and their spread."""
        # The spread is about the observed scores, not the simulated mean: for a rule that counts
        # places, a second draw of errors shrinks differences, by an amount that is uncertain, too.
        added = _contribution_function(board, rule)

        def scores(one: Leaderboard) -> Floats:
            return _rule_scores(one, rule) if added is None else added(one).estimates

        seen = scores(board)
        tables = self.simulate_boards(board, _N_SIMULATED_TABLES, rng, "rank_confidence")
        drawn = np.column_stack([scores(table) for table in tables])
        known = ~np.isnan(seen) & ~np.isnan(drawn).any(axis=1)
        drawn, away = drawn[known], (drawn - seen[:, None])[known]
        return known, drawn.mean(axis=1), away @ away.T / drawn.shape[1]

    def simulate_boards(
        self, board: Leaderboard, n: int, rng: np.random.Generator, task: str | None = None
    ) -> Iterator[Leaderboard]:
        """Yield the board with its errors drawn again, n times; show the progress of a task."""
        values = board.values.astype(np.float64)
        for _ in range(n) if task is None else progress_bar(range(n), desc=task):
            yield board.measured_anew(
                arrays.draw_measurements(values, self.errors, self.degrees_of_freedom, rng)
            )


def _contribution_function(
    board: Leaderboard, rule: BoundRule
) -> Callable[[Leaderboard], Contributions] | None:
    """Return a function from a board to its ballots' contributions; None for other rules."""
    additive = rule.additive(board)
    if additive is None or additive.score is not None:
        return None
    return lambda one: means.ballot_contributions(one.data, additive, rule.arguments["missing"])


def _rule_scores(board: Leaderboard, rule: BoundRule) -> Floats:
    return rule.function(board)["score"].reindex(board.systems).to_numpy(dtype=float)


def _align_errors(function: str, board: Leaderboard, errors: pd.DataFrame) -> Floats:
    """Align the standard errors with the board, and validate them."""
    errors = labeled_values.mapping_to_frame(labeled_values.as_frame(errors))
    if not isinstance(errors, pd.DataFrame):
        raise TypeError(
            f"{function}: errors must be a frame of standard errors, like the scores, or a mapping "
            f"from task to a mapping from system to its error, not {type(errors).__name__}"
        )
    errors = labeled_values.clean_axes(errors)
    for axis, ours, theirs in (
        ("systems", board.systems, errors.index),
        ("tasks", board.tasks, errors.columns),
    ):
        if not theirs.is_unique:
            twice = format_labels(theirs[theirs.duplicated()])
            raise ValueError(f"{function}: errors has duplicate {axis}: {twice}")
        check_same_labels(ours, theirs, f"{function}: the scores and their errors", axis)
    value = scores_to_floats(errors.reindex(index=board.systems, columns=board.tasks)).astype(
        np.float64
    )
    observed = ~np.isnan(board.values)
    for wrong, what in (
        (observed & np.isnan(value), "no standard error"),
        (observed & ~(np.nan_to_num(value, nan=0.0) >= 0), "a standard error below 0"),
        (observed & np.isinf(value), "an infinite standard error"),
    ):
        if wrong.any():
            raise ValueError(f"{function}: {what} for {board.format_cells(wrong)}")
    return value


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
    if labeled_values.is_labelled(high):
        ceiling = "high"
        top: Any = _by_task(board.task_names, labeled_values.as_series(high), "high")
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
    sizes: Any = labeled_values.as_frame(n)
    if isinstance(sizes, pd.DataFrame | pd.Series):
        sizes = labeled_values.clean_axes(sizes)
    if labeled_values.is_labelled(sizes):
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


def _by_task(names: TaskIndex, n: labeled_values.Labelled, option: str) -> Floats:
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
    function_name: str, scores: Floats, errors: Floats, locate: Callable[[Bools], str], remedy: str
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
            f"{function_name}: the standard error of {locate(exact)} is 0, so the score counts as "
            f"known exactly, which a share of some items between {ends} is not; {remedy}, or give "
            f"a tiny standard error such as 1e-12 if it is",
            ZeroErrorWarning,
        )


def _are_percents(scores: Floats) -> Bools:
    """Return for each task (or for a single one) whether its scores are percentages."""
    observed = np.where(np.isnan(scores), 0.0, scores)
    in_range = ((observed >= 0) & (observed <= 100)).all(axis=0)
    ratings = (np.isnan(scores) | ((observed >= 1) & (observed <= 10))).all(axis=0)
    return np.asarray(in_range & (observed > 1).any(axis=0) & ~ratings)
