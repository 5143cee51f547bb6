"""What does each task add to the winner's lead, and which tasks repeat each other?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Unpack

import numpy as np
import pandas as pd

from nbrank.arrays.ballots.profile import safe_divide
from nbrank.arrays.chunking import chunk_slices
from nbrank.arrays.typing import Floats, Positions
from nbrank.arrays.weights.task_weightings import TaskContributions
from nbrank.robustness.weight_constraints import get_system_position
from nbrank.rules.bound_rule import BoundRule, parse_board_and_rule
from nbrank.rules.registry import RuleLike
from nbrank.uncertainty.contributions import STRENGTH_MODEL, check_room, find_task_values
from nbrank.votes.formatting import format_labels
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.method_registry import register_method
from nbrank.votes.progress import progress_bar
from nbrank.votes.table.task_options import Groups, LowerIsBetter, RuleOptions
from nbrank.votes.table.validation import ViewRequest, make_rng, validate_integer


@register_method("tasks and their weights", sees="ballots")
def task_influence(
    scores: pd.DataFrame | Leaderboard,
    rule: RuleLike = "borda",
    *,
    whole_groups: bool = False,
    n_draws: int = 100,
    seed: int | None = 0,
    **options: Unpack[RuleOptions],
) -> pd.DataFrame:
    """How much of the winner's lead over the second is each task's doing?

    The Shapley value of a task is what it adds to the lead, averaged over all orders in which the
    tasks may be added; the values sum to the lead. If scores are sums over the tasks, it is exactly
    the task's contribution. The same holds for means: each system's is divided from the start by
    the weight of all tasks on which it has a score, not of those added so far. For rules that don't
    add up the tasks, such as `median` or `copeland`, orders are drawn, and the rule ranks by the
    tasks added so far. `bradley_terry` without a prior can't rank by single tasks: there the tasks
    not yet added count as ties between all systems with scores on them.

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance), or a `Leaderboard`.
    rule
        The name of a rule, or a function from a leaderboard to a ranking; with
        arguments by `functools.partial`, or as further arguments here.
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
    whole_groups
        Whether whole groups come in instead of single tasks.
    n_draws
        How many orders are drawn, for a rule whose scores are not sums.
    seed
        The seed of the draws; None takes a fresh one.
    **options
        Arguments of the rule, such as `missing="ignore"`.

    Returns
    -------
    pandas.DataFrame
        Indexed by task (or group), the largest influence first, with the columns

        influence
            What it adds to the winner's score less the second's, in the unit of the
            rule's scores (of `geometric_mean` in that of their logarithm).
        error
            The standard error; 0 for exact values.
        share
            The influence as a share of the lead; NaN without a lead.

        `.attrs["winner"]` and `.attrs["second"]` are the two, as text.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also with fewer than two systems.

    References
    ----------
    Shapley, A value for n-person games, 1953.

    Examples
    --------
    A leads B by two points: t1 and t2 give it one each, and t3 takes none.

    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 2, 1], "t3": [2, 2, 3]}, list("ABC"))
    >>> task_influence(scores)
        influence  error  share
    t1        1.0    0.0    0.5
    t2        1.0    0.0    0.5
    t3        0.0    0.0    0.0
    """
    name = "task_influence"
    rng, n_draws = make_rng(name, seed), validate_integer(name, "n_draws", n_draws)
    board, bound_rule = parse_board_and_rule(name, scores, rule, **options)
    board = board.select_tasks(board.tasks[board.weights > 0])
    if bound_rule.registered is not None and not bound_rule.registered.uses_places_only:
        check_room(name, board, bound_rule)
    if len(board.systems) < 2:
        raise ValueError(f"{name}: {format_labels(board.systems)} is alone, and has no lead")
    order = bound_rule.function(board)
    first, second = order.index[0], order.index[1]
    parts = board.task_names.unit_positions(name, whole_groups=whole_groups)
    values = find_task_values(board, bound_rule)
    if values is not None:
        places = [get_system_position(board, system) for system in (first, second)]
        is_mean = bound_rule.registered is not None and bound_rule.registered.family == "mean"
        each = _added(values, places, board.weights, is_mean=is_mean)
        influence = np.array([each[list(part)].sum() for part in parts.values()])
        error = np.zeros(len(parts))
    else:

        def lead(units: list[int]) -> float:
            tasks = [place for unit in units for place in sides[unit]]
            result = _ranked_by(board, bound_rule, tasks)["score"]
            both = float(result[first]) - float(result[second])
            return 0.0 if np.isnan(both) else both

        sides = [list(part) for part in parts.values()]
        influence, error = _sample_shapley_values(lead, len(sides), n_draws, rng)
    labels = pd.Index(list(parts), tupleize_cols=False) if whole_groups else board.tasks
    frame = pd.DataFrame({"influence": influence, "error": error}, index=labels)
    # Rounding may leave a lead between two tied systems.
    total = influence.sum() if order["rank"].iloc[1] > order["rank"].iloc[0] else 0.0
    frame["share"] = influence / total if total > 0 else np.nan
    frame = frame.iloc[np.argsort(-influence, kind="stable")]
    frame.attrs = {"rule": order.attrs.get("rule", ""), "winner": str(first)}
    frame.attrs["second"] = str(second)
    return frame


def _added(values: TaskContributions, pair: list[int], weights: Floats, *, is_mean: bool) -> Floats:
    """Compute each task's part of the gap between two scores, by denominators of all tasks."""
    if not values.scored[pair].all():
        return np.zeros(len(weights))
    totals = values.counts @ weights
    if values.linear:
        added = (values.amounts[pair[0]] - values.amounts[pair[1]]) * weights
        return np.asarray(added / totals if is_mean else added)
    parts = values.amounts[pair] * weights
    parts = parts / totals[pair, None] if is_mean else parts
    return np.asarray(parts[0] - parts[1])


def _ranked_by(board: Leaderboard, rule: BoundRule, tasks: list[int]) -> pd.DataFrame:
    """Rank by some of the tasks alone; for a model without a prior, with ties on the rest."""
    if rule.name == STRENGTH_MODEL and not rule.prior:
        rest = ~np.isin(board.task_codes, tasks)
        values = board.values.astype(float)
        values[:, rest] = np.where(np.isnan(values[:, rest]), np.nan, 0.0)
        return rule.function(board.with_values(values))
    labels = board.tasks[tasks]
    try:
        return rule.function(board.select_tasks(labels))
    except ValueError as error:
        raise ValueError(
            f"task_influence: {rule.label} can't rank by {format_labels(labels, max_items=3)} "
            f"alone, which the orders of the tasks need; choose another rule, such as 'borda'. "
            f"{error}"
        ) from error


def _sample_shapley_values(
    lead: Callable[[list[int]], float], n_units: int, n: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Estimate the Shapley values by drawn orders, and their standard errors."""
    known: dict[frozenset[int], float] = {frozenset(): 0.0}
    added = np.zeros((n, n_units))
    for draw in progress_bar(range(n), desc="orders of the tasks"):
        before = frozenset[int]()
        for unit in rng.permutation(n_units).tolist():
            after = before | {unit}
            if after not in known:
                known[after] = lead(sorted(after))
            added[draw, unit] = known[after] - known[before]
            before = after
    spread = added.std(axis=0, ddof=1) if n > 1 else np.full(n_units, np.nan)
    return added.mean(axis=0), spread / np.sqrt(n)


@register_method("tasks and their weights", sees="ballots")
def repeated_tasks(
    scores: pd.DataFrame | Leaderboard,
    *,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> pd.DataFrame:
    """Which tasks repeat each other: how alike do they rank the systems?

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance), or a `Leaderboard`.
    groups
        A mapping from group to its tasks, or from task to its group; MultiIndex
        columns (group, task) give the groups by themselves.
    lower_is_better
        The tasks on which a lower score is better, True for all of them, or a mapping from task to
        True (or "min") where lower is better, and to False (or "max") where higher is.

    Returns
    -------
    pandas.DataFrame
        Tasks x tasks: Kendall's tau-b of the two tasks' orders of the systems that
        both have scores of (of instances: by the mean of the task); NaN where one
        parts none of them. Tasks stand in the order of a clustering (average linkage
        of 1 - tau), so that those that repeat each other are neighbours.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    References
    ----------
    Kendall, The treatment of ties in ranking problems, Biometrika, 1945.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [1, 2, 3], "t3": [9, 8, 7]}, list("ABC"))
    >>> repeated_tasks(scores)
         t2   t3   t1
    t2  1.0 -1.0 -1.0
    t3 -1.0  1.0  1.0
    t1 -1.0  1.0  1.0
    """
    board = as_leaderboard(scores, groups=groups, lower_is_better=lower_is_better)
    board.check(ViewRequest("repeated_tasks", "pairs", "ignore"))
    upward = np.where(board.is_lower_better[board.task_codes], -board.values, board.values)
    cells = pd.DataFrame(upward.T.astype(np.float64))
    taus = task_taus(cells.groupby(board.task_codes).mean().to_numpy().T)
    order = cluster_order(taus)
    tasks = board.tasks[order]
    return pd.DataFrame(taus[np.ix_(order, order)], index=tasks, columns=tasks)


#: Pairs of systems compared on all tasks at a time.
_PAIRS = 1 << 20


def task_taus(scores: Floats) -> Floats:
    """Return tasks x tasks: Kendall's tau-b over systems scored on both; NaN if one ties all."""
    n_systems, n_tasks = scores.shape
    agreed, ordered = np.zeros((2, n_tasks, n_tasks))
    first, second = np.triu_indices(n_systems, 1)
    for block in chunk_slices(0, len(first), _PAIRS):
        left, right = scores[first[block]], scores[second[block]]
        above, below = left > right, left < right
        signs = above.astype(np.float32) - below
        agreed += signs.T @ signs
        # Of the pairs scored on both tasks, how many the row's task orders.
        ordered += (above | below).astype(np.float32).T @ (above | below | (left == right))
    return safe_divide(agreed, np.sqrt(ordered * ordered.T))


def cluster_order(taus: Floats) -> Positions:
    """Order the tasks so that similar ones are neighbors."""
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    if len(taus) < 3:
        return np.arange(len(taus))
    apart = np.nan_to_num(1 - (taus + taus.T) / 2, nan=1.0)
    np.fill_diagonal(apart, 0.0)
    joined = linkage(squareform(apart, checks=False), method="average", optimal_ordering=True)
    return np.asarray(leaves_list(joined), dtype=np.intp)
