"""How sure is each system's score by itself, and would more seeds or tasks help?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack, cast

import numpy as np
import pandas as pd

from nbrank.arrays.ballots.profile import Profile, power_of_two, safe_divide
from nbrank.arrays.typing import Array, Floats
from nbrank.arrays.uncertainty import measurement_errors as arrays
from nbrank.arrays.uncertainty.influence import Contributions
from nbrank.rules.additive_form import AdditiveForm
from nbrank.rules.bound_rule import BoundRule, parse_board_and_rule
from nbrank.rules.means import check_single_orientation
from nbrank.rules.ranking import join_columns
from nbrank.rules.registry import RuleLike
from nbrank.uncertainty import contributions as means
from nbrank.uncertainty.cell_errors import CellErrors
from nbrank.uncertainty.sampling_design import DrawnUnit, DrawOptions, SamplingDesign, UnitKind
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.method_registry import register_method
from nbrank.votes.table.row_levels import Clusters
from nbrank.votes.table.task_options import RuleOptions, TableOptions
from nbrank.votes.table.validation import check_delta

#: Largest score whose mean has an interval that fits into floats.
_MAX_MEAN = 5e307


@register_method("how sure it is", sees="ballots", suggested_calls=("strengths()",))
def score_intervals(
    scores: pd.DataFrame | Leaderboard,
    rule: RuleLike = "mean",
    *,
    delta: float = 0.05,
    seed: int | None = 0,
    over: DrawnUnit | None = None,
    errors: pd.DataFrame | None = None,
    draws: UnitKind | None = None,
    cluster: Clusters = None,
    **options: Unpack[RuleOptions],
) -> pd.DataFrame:
    """How sure is each system's score, by itself?

    Student's t intervals of a rule that is a mean over tasks, or adds up points of them. Each is
    meant to hold for its own system: docs/coverage_measured.md says how often it does. Do not
    compare systems by whether their intervals overlap, since a task that is hard for all moves all
    scores together; `rank_confidence` compares them task by task.

    Points of places change in steps, so their intervals are wider by half a place on one task, and
    end where the points do. Over errors or seeds, an interval is for the average over ever more
    such measurements, which pull points towards the middle. Simulated tables, with errors drawn a
    second time, then show how far points may be off, which makes their intervals rather too wide.

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance), or a `Leaderboard`.
    rule
        The name of the rule, or its function: "mean", "normalized_mean", "geometric_mean",
        "optimality_gap", "mean_rank", "mean_win_rate", "borda" or another positional one.
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
        One minus the confidence.
    seed
        The seed of the draws of errors, where points of places have no formula; None takes a
        fresh one.
    over
        The units that are drawn: "tasks", and with them whole groups if the table has any, since
        two metrics of one task are not two draws; "instances", each within its task; "errors", the
        errors of single cells (`errors`), if these tasks are the only ones of interest; "seeds",
        the same if the rows are runs (levels `system` and `seed`, `run`, `fold` or `repeat`); or
        "both", tasks as well as seeds or errors. None takes "errors" if they are given, "both" for
        runs, and instances if the rows have any. "both" sees errors only as they fell on these
        tasks, so with few tasks it can be narrower than "seeds", by chance.
    errors
        The standard error of each score, a frame like the scores; where the rows are
        runs, their spread says it. `binomial_errors` has those of shares of n. Rank sets
        of means allow for tails as heavy as those of Student's t with 3 degrees of
        freedom: docs/coverage_measured.md says how often they hold.
    draws
        Where tasks are drawn and have groups: "groups" (what None takes) draws whole groups, and
        "tasks" each task alone, for groups that are there for the weights only. `.attrs["over"]`
        says which, or for "both" `.attrs["draws"]`.
    cluster
        Which instances depend on each other, such as the questions on a passage, and are drawn
        together: a level of the rows, or a mapping or Series from instance to cluster. None takes
        the level called `cluster`, `passage`, `document`, `user` or the like, if there is one;
        "instance" takes each instance on its own. Fewer than 5 clusters separate no systems.
    **options
        Arguments of the rule, such as `missing="ignore"`.

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the columns

        rank, score
            As the rule has them.
        standard_error
            That of the score, to first order.
        low, high
            The interval, in the unit of the score; NaN where a single task, or fewer than 5
            clusters, tell nothing.

        `.attrs["over"]` says what is drawn.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if the rule is not a mean over tasks.

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
    board, bound_rule = parse_board_and_rule("score_intervals", scores, rule, cluster, **options)
    asked = DrawOptions("score_intervals", over, errors, draws, cluster, seed)
    asked.check_units(board)
    additive = bound_rule.additive(board)
    if additive is None:
        raise ValueError(means.explain_not_a_mean("score_intervals", bound_rule))
    means.check_room("score_intervals", board, bound_rule, max_size=_MAX_MEAN)
    ranked = bound_rule.function(board)
    board = bound_rule.transform_runs(board).expand_voters(each=True)
    asked = asked.resolve(board)
    if asked.over in ("errors", "seeds"):
        cells = CellErrors.from_board("score_intervals", board, asked.errors)
        estimates, error, degrees = cells.estimate_means(board, bound_rule, asked.make_rng())
        facts: dict[Any, Any] = {"over": asked.over}
    else:
        units, drawn, facts = means.unit_contributions(board, bound_rule, asked, ranked)
        estimates = units.estimates
        in_clusters = drawn.unit_kind == "clusters"
        expected = _expected_by_task(board, bound_rule, drawn) if in_clusters else None
        error, degrees = arrays.stratified_standard_errors(units, drawn.strata, expected)
        if "note" in facts:
            error = np.full(error.shape, np.nan)
    to_score = additive.score or _make_score_transform(board, bound_rule)
    # Points of places change in steps, and so does their mean: a correction for continuity.
    weights, steps = board.profile().weights, max(len(board.systems) - 1, 1)
    largest_share = weights.max(initial=0.0) / (weights.sum() or 1.0)
    half_a_place = additive.max_value / steps / 2 * largest_share
    half = stdtrit(degrees, 1 - delta / 2) * error + half_a_place
    low, high = estimates - half, estimates + half
    if additive.transform is None:
        points = _points_by_place(additive, len(board.systems))
        if "ties" in bound_rule.arguments and bound_rule.arguments["missing"] in ("ignore", "zero"):
            # A missing score gets no points.
            points = np.append(points, 0.0)
        low = np.maximum(low, min(points.min(), np.fmin.reduce(estimates)))
        high = np.minimum(high, max(points.max(), np.fmax.reduce(estimates)))
    ends = np.sort([to_score(low), to_score(high)], axis=0)
    slope = to_score(estimates + error) - to_score(estimates - error)
    results = {"standard_error": np.abs(slope) / 2, "low": ends[0], "high": ends[1]}
    frame = join_columns(ranked, board.systems, **results)
    frame.insert(1, "score", ranked["score"])
    frame.attrs = {"rule": ranked.attrs["rule"], "delta": float(delta)} | facts
    return frame


def _expected_by_task(board: Leaderboard, rule: BoundRule, design: SamplingDesign) -> Floats:
    """Compute each cluster's contribution if a task's instances were alike: tasks are not drawn."""
    task = board.ballot_task_codes
    _, cell = np.unique(np.column_stack([design.unit_codes, task]), axis=0, return_inverse=True)
    first = np.unique(cell, return_index=True)[1]
    cells = SamplingDesign("instances", cell, task[first])
    contributions = cast("Contributions", means.find_contributions(board, rule, cells))
    in_task = contributions.sum_by_unit(cells.strata)
    place = np.unique(cells.strata, return_inverse=True)[1]
    share = safe_divide(in_task.amounts, in_task.weights, 0.0)[:, place]
    task_means = Contributions(share * contributions.weights, contributions.weights)
    return task_means.sum_by_unit(design.unit_codes[first]).amounts


def _make_score_transform(board: Leaderboard, rule: BoundRule) -> Callable[[Floats], Floats]:
    """Return a function from the mean over ballots to the rule's score, in its own unit."""
    n = len(board.systems)
    if rule.registered is not None and rule.registered.family == "positional":
        total = board.total_weight(rule.arguments.get("levels", 1))
        return lambda values: values * total
    if rule.arguments["missing"] == "compatible":
        # Both rules' means are then the mean number of systems below.
        if rule.name == "mean_rank":
            return lambda values: values - n
        return lambda values: values / max(n - 1, 1)
    return lambda values: values


def _points_by_place(additive: AdditiveForm, n_systems: int) -> Array:
    """Return the points of each place on a ballot of all systems without ties."""
    ladder = Profile(np.arange(n_systems, dtype=float)[:, None], np.ones(1))
    return additive.values(ladder)[0]


@register_method("how sure it is", sees="ballots")
def variance_split(
    scores: pd.DataFrame | Leaderboard,
    *,
    errors: pd.DataFrame | None = None,
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    """How much of the uncertainty is due to seeds, and how much to tasks: which would help more?

    The uncertainty of each system's mean score less the mean of all systems is split, so tasks
    that are hard for all systems count for nothing.

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
    errors
        The standard error of each score, a frame like the scores; where the rows are
        runs, their spread says it. `binomial_errors` has those of shares of n. Rank sets
        of means allow for tails as heavy as those of Student's t with 3 degrees of
        freedom: docs/coverage_measured.md says how often they hold.

    Returns
    -------
    pandas.DataFrame
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

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if lower is better on some tasks only, if scores are missing, or if nothing says how
        far they may be off.

    References
    ----------
    Bouthillier et al., Accounting for variance in machine learning benchmarks, 2021.

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
    lower = board.tasks[board.is_lower_better].tolist()
    advice = f"ask for one direction at a time, as of scores.drop(columns={lower!r})"
    check_single_orientation(board, "variance_split", advice)
    missing = "seeds and tasks are told apart on complete tables only; drop systems or tasks"
    board.raise_for_cells("variance_split", np.isnan(board.values), "missing score", missing)
    board.check_finite("variance_split", "they have no average")
    cells = CellErrors.from_board("variance_split", board, errors)
    profile, n = board.profile(), len(board.systems)
    # Scores are divided by a unit near the largest, so that squares don't overflow.
    values = profile.scores.astype(np.float64)
    unit = power_of_two(float(np.abs(values).max()) or 1.0)
    relative = values / unit - (values / unit).mean(axis=0)
    contributions = Contributions.from_values(relative, None, profile.weights)
    draws = SamplingDesign.from_board(board, "tasks")
    by_unit = contributions.sum_by_unit(draws.unit_codes)
    whole = arrays.stratified_standard_errors(by_unit, draws.strata)[0] ** 2
    of_cells = cells.errors[:, board.active_columns] / unit
    squares = (of_cells * profile.weights / profile.weights.sum()) ** 2
    of_system = squares.sum(axis=1)
    # The mean of all systems, which is subtracted, has errors of its own.
    of_seeds = of_system * (1 - 2 / n) + of_system.sum() / n**2
    of_tasks = np.maximum(whole - of_seeds, 0.0)
    total = of_seeds + of_tasks
    columns = {
        "score": contributions.estimates,
        "standard_error": np.sqrt(total),
        "seeds": np.sqrt(of_seeds),
        "tasks": np.sqrt(of_tasks),
        "twice_the_seeds": np.sqrt(of_seeds / 2 + of_tasks),
        "twice_the_tasks": np.sqrt(total / 2),
    }
    return pd.DataFrame(columns, index=board.systems) * unit
