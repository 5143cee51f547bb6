"""Tables whose cells were measured with errors: standard errors, or runs of each system."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, get_args

import numpy as np
import pandas as pd

from nbrank.arrays import measurement_errors as arrays
from nbrank.arrays.influence import Contributions
from nbrank.arrays.kinds import Bools, Floats
from nbrank.arrays.measurement_errors import by_covariance
from nbrank.arrays.profile import ratio
from nbrank.arrays.rank_sets import PairTests
from nbrank.questions.binomial_errors import warn_of_zero_errors
from nbrank.questions.contributions import contributions_of, valued
from nbrank.questions.told_rule import ToldRule
from nbrank.votes.draws import Draws, Units, check_over
from nbrank.votes.label_cleaning import clean_axes
from nbrank.votes.labelled import as_frame
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.naming import check_same, named
from nbrank.votes.progress import progress
from nbrank.votes.row_levels import Clusters
from nbrank.votes.score_table import numbers

#: What is drawn anew where cells were measured with errors; "both": these, and tasks as well.
OverErrors = Literal["errors", "seeds", "both"]

#: Tables that a rule ranks to see how its scores vary, where that is not known by a formula.
_TABLES = 1000


def over_of(
    function: str,
    board: Leaderboard,
    over: str | None,
    errors: pd.DataFrame | None,
    cluster: Clusters = None,
) -> str:
    """What is drawn, checked: as one says, or else what the scores suggest."""
    runs = board.replicates
    if cluster is not None and (over not in (None, "instances") or errors is not None):
        raise ValueError(
            f"{function}: cluster= says which instances are drawn together, so it goes with "
            f"over='instances' alone"
        )
    if over is None:
        if errors is not None:
            return "errors"
        if runs is not None:
            return "both"
        return "instances" if board.is_instance_level else "tasks"
    if over not in get_args(OverErrors):
        check_over(board, over, function)
    if errors is not None and over not in ("errors", "both"):
        raise ValueError(f"{function}: errors= goes with over='errors' or over='both'")
    has = {
        "errors=, a frame of standard errors": errors is not None and over != "seeds",
        "rows with the levels 'system' and 'seed'": runs is not None and over != "errors",
    }
    if over in get_args(OverErrors) and not any(has.values()):
        wanted = {"errors": list(has)[:1], "seeds": list(has)[1:]}.get(over, has)
        raise ValueError(
            f"{function}: over={over!r} needs what was measured; give {', or '.join(wanted)}"
        )
    return over


def redrawn_tables(
    board: Leaderboard,
    over: str,
    errors: pd.DataFrame | None,
    units: Units | None,
    n: int,
    rng: np.random.Generator,
) -> Iterator[Leaderboard]:
    """Tables with errors, or the runs of each cell, drawn anew; and tasks, for "both"."""
    runs = board.replicates
    if errors is not None:
        tables = CellErrors.of("bootstrap", board, errors).tables(board, n, rng)
    elif runs is None or (runs.numbers < 2).all():
        raise ValueError("bootstrap: no cell has two runs, so all resamples are the same")
    else:
        tables = (board.with_replicates(runs.redrawn(rng)) for _ in range(n))
    return _with_tasks_drawn(board, tables, units, rng) if over == "both" else tables


def _with_tasks_drawn(
    board: Leaderboard, tables: Iterator[Leaderboard], units: Units | None, rng: np.random.Generator
) -> Iterator[Leaderboard]:
    """Yield the tables with weights for how often each task is drawn."""
    draws, task_of = Draws.of(board, "tasks", units), board.ballot_task
    for one in tables:
        times = rng.multinomial(draws.n_units, np.full(draws.n_units, 1 / draws.n_units))
        drawn = np.zeros(len(board.tasks))
        drawn[task_of] = times[draws.unit_of]
        yield one.with_task_weights(board.weights * drawn)


@dataclass(frozen=True)
class CellErrors:
    """How far each cell (systems x tasks) may be off, and how well that is known."""

    errors: Floats  # the standard errors; 0 where there is no score
    degrees: Floats  # their degrees of freedom; infinite where they were given

    @classmethod
    def of(cls, function: str, board: Leaderboard, errors: pd.DataFrame | None) -> CellErrors:
        """From standard errors that were given, or from the runs behind the scores."""
        if board.is_instance_level:
            raise ValueError(
                f"{function}: these are instances, whose errors are seen in them; choose "
                f"over='instances' or over='tasks'"
            )
        there = ~np.isnan(board.values)
        if errors is not None:
            given = _aligned(function, board, errors)
            mended = "give errors=nbrank.binomial_errors(scores, n)"
            values = board.values.astype(np.float64)
            warn_of_zero_errors(function, values, given, board.where, mended)
            return cls(np.where(there, given, 0.0), np.full(given.shape, np.inf))
        runs = board.replicates
        if runs is None:
            raise ValueError(
                f"{function}: nothing says how far the scores may be off; give errors=, a frame "
                f"of standard errors, or rows with the levels 'system' and 'seed'"
            )
        single = there & (runs.numbers == 1)
        if single.any():
            raise ValueError(
                f"{function}: there is a single {runs.level} of {board.where(single)}, which "
                f"says nothing of how far it may be off; give errors=, choose over='tasks', or "
                f"leave them out"
            )
        return cls(np.where(there, runs.errors, 0.0), np.maximum(runs.numbers - 1.0, 1.0))

    def tests(
        self, board: Leaderboard, rule: ToldRule, n_draws: int, rng: np.random.Generator
    ) -> PairTests:
        """Tests of all pairs of systems by a rule, given that these cells may be off."""
        terms = self._terms(board, rule) or self._of_one_task(board, rule)
        if terms is not None:
            estimates, deviations = terms
            known = ~np.isnan(estimates)
            parts = estimates[known], deviations[known], self.degrees[known]
            found = arrays.by_errors(*parts, n_draws, rng)
        else:
            added = added_by(board, rule)
            scores = (
                partial(_scores, rule=rule) if added is None else lambda one: added(one).estimates
            )
            known, centre, spread = self._redrawn(board, scores, rng)
            found = by_covariance(centre, spread, n_draws, rng)
        return replace(found, known=known)

    def estimated(
        self, board: Leaderboard, rule: ToldRule, rng: np.random.Generator
    ) -> tuple[Floats, Floats, Floats]:
        """The mean of what the ballots add, its standard error, and the degrees of freedom."""
        found = self._terms(board, rule)
        if found is not None:
            return found[0], *arrays.errors_of_sums(found[1], self.degrees)
        added = added_by(board, rule)
        if added is None:
            raise ValueError(
                f"score_intervals: how far errors of cells move {rule.label} has no formula; "
                f"choose over='tasks', or compare the systems by rank_confidence"
            )
        seen = added(board)
        # The ballots err independently, each about what it is seen to add: in a table with errors
        # drawn a second time all points are nearer to the middle, which would add up over ballots.
        squares = np.zeros(seen.amounts.shape)
        tables = progress(self.tables(board, _TABLES, rng), total=_TABLES, desc="score_intervals")
        for one in tables:
            squares += (added(one).amounts - seen.amounts) ** 2
        error = ratio(np.sqrt(squares.sum(axis=1) / _TABLES), seen.weights.sum(axis=1))
        return seen.estimates, error, np.full(len(error), np.inf)

    def _terms(self, board: Leaderboard, rule: ToldRule) -> tuple[Floats, Floats] | None:
        """For a mean of what the cells stand for: it, and how far each cell moves it."""
        additive = rule.additive(board)
        if additive is None or additive.cells is None:
            return None
        if rule.arguments["missing"] not in ("raise", "ignore"):
            return None

        def measure(one: Leaderboard) -> Contributions | None:
            return contributions_of(one, rule, Draws.each_column(board))

        found = measure(board)
        if found is None:
            return None
        total = found.weights.sum(axis=1)[:, None]
        # Over as far as the errors reach; or over less, where that leads to scores without a mean.
        for step in (1.0, 1e-3):
            moved = self._moved(board, measure, step)
            if moved is not None:
                deviations = np.zeros(self.errors.shape)
                deviations[:, board.that_count] = moved / np.where(total > 0, total, 1.0)
                return found.estimates, deviations
        return None

    def _of_one_task(self, board: Leaderboard, rule: ToldRule) -> tuple[Floats, Floats] | None:
        """The scores of a single task and their errors, where the rule orders systems by them."""
        cells, errors = board.profile().scores, self.errors * board.that_count
        if cells.shape[1] > 1 or np.isnan(cells).any():
            return None
        scores, values = _scores(board, rule), cells[:, 0].astype(np.float64)
        order, by_score = (np.sign(one[:, None] - one) for one in (scores, values))
        # Points, which go by steps, would be far from normal on one task.
        return (values, errors) if np.array_equal(order, by_score) else None

    def _moved(
        self,
        board: Leaderboard,
        measure: Callable[[Leaderboard], Contributions | None],
        step: float,
    ) -> Floats | None:
        """How far an error of each cell moves what it adds; None where that is not to be had."""
        try:
            ends = [
                measure(board.with_values(board.values + s * self.errors)) for s in (step, -step)
            ]
        except ValueError:
            return None
        if ends[0] is None or ends[1] is None:
            return None
        moved: Floats = np.abs(ends[0].amounts - ends[1].amounts) / (2 * step)
        return moved if np.isfinite(moved).all() else None

    def _redrawn(
        self, board: Leaderboard, scores: Callable[[Leaderboard], Floats], rng: np.random.Generator
    ) -> tuple[Bools, Floats, Floats]:
        """Who is scored, the mean scores on tables drawn anew, and their spread about the seen."""
        # Not about their own mean: a rule that counts places makes less of differences in a table
        # with errors drawn a second time, and by how much it does is an uncertainty, too.
        seen = scores(board)
        tables = progress(self.tables(board, _TABLES, rng), total=_TABLES, desc="rank_confidence")
        drawn = np.column_stack([scores(one) for one in tables])
        known = ~np.isnan(seen) & ~np.isnan(drawn).any(axis=1)
        drawn, away = drawn[known], (drawn - seen[:, None])[known]
        return known, drawn.mean(axis=1), away @ away.T / drawn.shape[1]

    def tables(self, board: Leaderboard, n: int, rng: np.random.Generator) -> Iterator[Leaderboard]:
        """The board with its errors drawn anew."""
        for _ in range(n):
            values = arrays.redraws(board.values.astype(np.float64), self.errors, self.degrees, rng)
            yield board.measured_anew(values)


def added_by(board: Leaderboard, rule: ToldRule) -> Callable[[Leaderboard], Contributions] | None:
    """From tables like this one to what the ballots add to the means whose order is the rule's."""
    additive = rule.additive(board)
    if additive is None or additive.score is not None:
        return None
    return lambda one: valued(one.views, additive, rule.arguments["missing"])


def _scores(board: Leaderboard, rule: ToldRule) -> Floats:
    found: Floats = rule.run(board)["score"].reindex(board.systems).to_numpy(dtype=float)
    return found


def _aligned(function: str, board: Leaderboard, errors: pd.DataFrame) -> Floats:
    """The standard errors in the order of the board, checked."""
    errors = as_frame(errors)
    if not isinstance(errors, pd.DataFrame):
        raise TypeError(f"{function}: errors must be a frame of standard errors, like the scores")
    errors = clean_axes(errors)
    for axis, ours, theirs in (
        ("systems", board.systems, errors.index),
        ("tasks", board.tasks, errors.columns),
    ):
        if not theirs.is_unique:
            twice = named(theirs[theirs.duplicated()])
            raise ValueError(f"{function}: errors has duplicate {axis}: {twice}")
        check_same(ours, theirs, f"{function}: the scores and their errors", axis)
    given = numbers(errors.reindex(index=board.systems, columns=board.tasks)).astype(np.float64)
    there = ~np.isnan(board.values)
    for wrong, what in (
        (there & np.isnan(given), "no standard error"),
        (there & ~(np.nan_to_num(given, nan=0.0) >= 0), "a standard error below 0"),
        (there & np.isinf(given), "an infinite standard error"),
    ):
        if wrong.any():
            raise ValueError(f"{function}: {what} for {board.where(wrong)}")
    return given
