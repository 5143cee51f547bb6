"""How sure is each system's score by itself, and would more seeds help, or more tasks?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack, cast

import numpy as np
import pandas as pd

from nbrank.arrays.influence import Contributions
from nbrank.arrays.kinds import Floats
from nbrank.arrays.measurement_errors import errors_of_units
from nbrank.arrays.profile import power_of_two
from nbrank.questions.contributions import drawn_contributions, places_worth, why_no_mean
from nbrank.questions.measured import CellErrors, OverErrors, over_of
from nbrank.questions.told_rule import ToldRule, board_and_rule
from nbrank.rules.ranking import beside
from nbrank.rules.rule import RuleLike
from nbrank.votes.draws import Draws, Over, Units, check_units, of_single_voters
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.methods import question
from nbrank.votes.options import check_delta, generator
from nbrank.votes.task_names import RuleOptions, TableOptions


@question("how sure it is", sees="ballots")
def score_intervals(
    scores: pd.DataFrame | Leaderboard,
    rule: RuleLike = "mean",
    delta: float = 0.05,
    seed: int | None = None,
    *,
    over: Over | OverErrors | None = None,
    errors: pd.DataFrame | None = None,
    draws: Units | None = None,
    **options: RuleOptions,
) -> pd.DataFrame:
    """How sure is each system's score, by itself?

    Student's t intervals of a rule that is a mean over tasks, or adds up points of them. Each is
    meant to hold for its own system: docs/coverage_measured.md says how often it does. Do not
    compare systems by whether their intervals overlap, since a task that is hard for all moves all
    scores together; `rank_confidence` compares them task by task.

    Points of places go by steps, so their intervals are wider by half a place on one task, and end
    where the points do. Over errors or seeds, an interval is for the average over ever more such
    measurements, which pull points towards the middle. Tables with errors drawn a second time then
    say how far points may be off, which makes their intervals rather too wide.

    Parameters
    ----------
    {board}
    rule
        The name of the rule, or its function: "mean", "normalized_mean", "geometric_mean",
        "optimality_gap", "mean_rank", "mean_win_rate", "borda" or another positional one.
    {delta}
    seed
        The seed of the draws of errors, where points of places have no formula; None takes a
        fresh one.
    {over_errors}
    {cell_errors}
    {draws}
    {rule_options}

    {returns_best_first}

        rank, score
            As the rule has them.
        standard_error
            That of the score, to first order.
        low, high
            The interval, in the unit of the score; NaN where a single task tells nothing.

        `.attrs["over"]` says what is drawn.

    {raises}
        Also if the rule is no mean over tasks.

    References
    ----------
    Student, The probable error of a mean, 1908; of errors of cells: Satterthwaite, An approximate
    distribution of estimates of variance components, 1946.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame([[9, 8, 9, 8], [5, 6, 4, 5]], index=["A", "B"])
    >>> score_intervals(scores).round(2)
       rank  score  standard_error   low  high
    A     1    8.5            0.29  7.58  9.42
    B     2    5.0            0.41  3.70  6.30
    """
    from scipy.special import stdtrit

    check_delta("score_intervals", delta)
    board, told = board_and_rule("score_intervals", scores, rule, **options)
    check_units(board, draws, "score_intervals")
    additive = told.additive(board)
    if additive is None:
        raise ValueError(why_no_mean("score_intervals", told))
    ranked = told.run(board)
    board = of_single_voters(cast("Leaderboard", told.averaged(board)), each=True)
    what = over_of("score_intervals", board, over, errors)
    if what in ("errors", "seeds"):
        cells = CellErrors.of("score_intervals", board, errors)
        rng = generator("score_intervals", seed)
        estimates, error, degrees = cells.estimated(board, told, rng)
        facts: dict[Any, Any] = {"over": what}
    else:
        units, drawn, facts = drawn_contributions(
            "score_intervals", board, told, what, draws, ranked
        )
        estimates = units.estimates
        error, degrees = errors_of_units(units, drawn.strata)
    to_score = additive.score or _scale(board, told)
    # The correction for continuity: points of places go by steps, and their mean does, too.
    weights, steps = board.profile().weights, max(len(board.systems) - 1, 1)
    half_a_place = additive.most / steps / 2 * weights.max() / weights.sum()
    half = stdtrit(degrees, 1 - delta / 2) * error + half_a_place
    low, high = estimates - half, estimates + half
    if additive.cells is None:
        points = places_worth(additive, len(board.systems))
        if "ties" in told.arguments and told.arguments["missing"] in ("ignore", "zero"):
            # A missing score gets nothing.
            points = np.append(points, 0.0)
        low = np.maximum(low, min(points.min(), np.nanmin(estimates)))
        high = np.minimum(high, max(points.max(), np.nanmax(estimates)))
    ends = np.sort([to_score(low), to_score(high)], axis=0)
    slope = to_score(estimates + error) - to_score(estimates - error)
    found = {"standard_error": np.abs(slope) / 2, "low": ends[0], "high": ends[1]}
    frame = beside(ranked, board.systems, **found)
    frame.insert(1, "score", ranked["score"])
    frame.attrs = {"rule": ranked.attrs["rule"], "delta": float(delta)} | facts
    return frame


def _scale(board: Leaderboard, rule: ToldRule) -> Callable[[Floats], Floats]:
    """From the mean over ballots to the score of a rule that has them in another unit."""
    n = len(board.systems)
    if rule.known is not None and rule.known.family == "positional":
        total = board.total_weight(rule.arguments.get("levels", 1))
        return lambda means: means * total
    if rule.arguments["missing"] == "compatible":
        # Both are then the mean number of systems below.
        if rule.label == "mean_rank":
            return lambda means: means - n
        return lambda means: means / max(n - 1, 1)
    return lambda means: means


@question("how sure it is", sees="ballots")
def variance_split(
    scores: pd.DataFrame | Leaderboard,
    *,
    errors: pd.DataFrame | None = None,
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    """How much of the uncertainty is due to seeds, and how much to tasks: which would help more?

    What is split is the uncertainty of each system's mean score less the mean of all systems, so
    that tasks that are hard for all count for nothing.

    Parameters
    ----------
    {board}
    {cell_errors}

    {returns_frame}
        Indexed by system in table order, with the columns, in the unit of the scores,

        score
            The mean over the tasks, less that of all systems.
        standard_error
            That of the score, over seeds and tasks.
        seeds
            The part of it that more seeds (or smaller errors of the cells) could take away.
        tasks
            The part that only more tasks could take away; 0 where the seeds explain all of it. The
            squares of both parts add up to that of the standard error.
        twice_the_seeds, twice_the_tasks
            What the standard error would be with twice as many of either.

    {raises}
        Also if scores are missing, or if nothing says how far they may be off.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.MultiIndex.from_product([["A", "B"], [0, 1]], names=["system", "seed"])
    >>> scores = pd.DataFrame({"t1": [3.0, 5, 1, 1], "t2": [6.0, 8, 2, 4]}, index=rows)
    >>> variance_split(scores).round(2)
            score  standard_error  seeds  tasks  twice_the_seeds  twice_the_tasks
    system
    A        1.75            0.43   0.43    0.0             0.31             0.31
    B       -1.75            0.43   0.43    0.0             0.31             0.31
    """
    board = as_leaderboard(scores, **table)
    missing = "seeds and tasks are told apart on complete tables only; drop systems or tasks"
    board.refuse_cells("variance_split", np.isnan, "missing score", missing)
    board.refuse_infinite("variance_split", "they have no average")
    cells = CellErrors.of("variance_split", board, errors)
    profile, n = board.profile(), len(board.systems)
    # In a unit near the largest score, so that squares are within reach of a float.
    unit = power_of_two(float(np.abs(profile.scores).max()) or 1.0)
    relative = profile.scores / unit - (profile.scores / unit).mean(axis=0)
    found = Contributions.of(relative, None, profile.weights)
    draws = Draws.of(board, "tasks")
    whole = errors_of_units(found.by_unit(draws.unit_of), draws.strata)[0] ** 2
    of_cells = cells.errors[:, board.that_count] / unit
    squares = (of_cells * profile.weights / profile.weights.sum()) ** 2
    of_system = squares.sum(axis=1)
    # The mean of all systems, which is taken off, has errors of its own.
    of_seeds = of_system * (1 - 2 / n) + of_system.sum() / n**2
    of_tasks = np.maximum(whole - of_seeds, 0.0)
    total = of_seeds + of_tasks
    columns = {
        "score": found.estimates,
        "standard_error": np.sqrt(total),
        "seeds": np.sqrt(of_seeds),
        "tasks": np.sqrt(of_tasks),
        "twice_the_seeds": np.sqrt(of_seeds / 2 + of_tasks),
        "twice_the_tasks": np.sqrt(total / 2),
    }
    return pd.DataFrame(columns, index=board.systems) * unit
