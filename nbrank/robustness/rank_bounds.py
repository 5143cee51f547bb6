"""Which ranks can each system have under any weights of the tasks?"""

from __future__ import annotations

import time
from functools import cache
from typing import Any, Unpack

import numpy as np
import pandas as pd

from nbrank.arrays.orders import majority_graphs
from nbrank.arrays.typing import Floats, Ints
from nbrank.arrays.weights import extreme_ranks as arrays
from nbrank.arrays.weights.extreme_ranks import PairwiseSums
from nbrank.arrays.weights.task_weightings import WeightPolytope
from nbrank.robustness.weight_constraints import Bounds, Conditions, LabelPairs, NetWins
from nbrank.rules.bound_rule import BoundRule, parse_board_and_rule
from nbrank.rules.registry import RuleLike
from nbrank.rules.search_limits import TimeLimit
from nbrank.uncertainty.contributions import check_room, task_values
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.method_registry import register_method
from nbrank.votes.progress import progress_bar
from nbrank.votes.table.task_options import RankBoundOptions
from nbrank.votes.table.validation import validate_number

#: Heading of the questions about weights that make other systems win.
WEIGHT_HEADING = "who could win"


@register_method(WEIGHT_HEADING, sees="ballots")
def possible_ranks(
    scores: pd.DataFrame | Leaderboard,
    rule: RuleLike = "borda",
    *,
    within: float | None = 0.2,
    bounds: Bounds | None = None,
    at_least: LabelPairs | None = None,
    time_limit: float | None = 45.0,
    **options: Unpack[RankBoundOptions],
) -> pd.DataFrame:
    """Which ranks can each system have, if the tasks may count more or less than they do?

    Best and worst are over all of the infinitely many weightings that are allowed: mixed-integer
    programmes find and prove them, and the rule itself ranks by these weights.
    Systems that tie share the better rank.

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance), or a `Leaderboard`.
    rule
        The name of a rule that adds up the tasks, "condorcet", "copeland" or "minimax",
        or its function; with arguments by `functools.partial`, or as further arguments here.
        Of `copeland`, `minimax` and means that leave missing scores out, and where weights may
        leave a system without any score, `best` and `worst` are bounds: a weighting that leads so
        far was found only where `proven` is True.
    weights
        A mapping from task to weight, or from group to a weight that its tasks share, or "balanced"
        for the same total in every group; None gives every task weight 1. Rules ignore tasks of
        weight 0, and treat a system with scores on such tasks only as one without scores.
        True weighs as None does (with a `Leaderboard`: as that does), and shows the
        weightings that were found.
    groups
        A mapping from group to its tasks, or from task to its group; MultiIndex
        columns (group, task) give the groups by themselves.
    lower_is_better
        The tasks on which a lower score is better, True for all of them, or a mapping from task to
        True (or "min") where lower is better, and to False (or "max") where higher is.
    within
        By which share of its own each weight may be larger or smaller: 0.2 for a
        fifth. None for all weightings, also of tasks that weigh 0 on the board.
    bounds
        A mapping from a task or group to (low, high), between which its share of
        the weight (of a group: the total) has to lie, besides `within`.
    at_least
        Pairs (a, b), each side a task, a group or a list of them: the total
        weight of a has to be at least that of b.
    time_limit
        How many seconds the search may take; None for no limit.
    **options
        Arguments of the rule, such as `missing="ignore"`.

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the columns

        rank
            By the board's own weights.
        best, worst
            The least and the largest rank, or bounds of them.
        proven
            Whether weights were found that reach both, by the rule itself.
        best_weights, worst_weights
            With `weights=True`: the weights, as a mapping from task to weight that the rule takes.
            Where nothing is proven, the best and the worst that were found.

        `.attrs["necessary"]` lists the systems that are first, alone or shared,
        under all weightings, `.attrs["possible"]` those that are under some.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if it is another rule, or if no weights meet the conditions.

    References
    ----------
    Kadzinski, Greco and Slowinski, Extreme ranking analysis in robust ordinal regression, 2012.

    Examples
    --------
    Whatever the two tasks count, A or B is first. C is second at best, where one task
    counts far more than the other.

    >>> import pandas as pd
    >>> scores = pd.DataFrame({"maths": [90, 60, 70], "code": [60, 90, 65]}, index=list("ABC"))
    >>> possible_ranks(scores, "mean", within=None)
       rank  best  worst  proven
    A     1     1      3    True
    B     1     1      3    True
    C     3     2      3    True

    With each weight within a fifth of its own, C is last:

    >>> found = possible_ranks(scores, "mean", weights=True)
    >>> found[["best", "worst"]].loc["C"].tolist()
    [3, 3]
    >>> found.loc["A", "worst_weights"]
    {'maths': 0.4, 'code': 0.6}
    """
    shown = options.get("weights") is True
    if isinstance(options.get("weights"), bool):
        del options["weights"]
    board, bound_rule = parse_board_and_rule("possible_ranks", scores, rule, **options)
    order = bound_rule.function(board)
    asked = select_weighted_tasks("possible_ranks", board, within)
    allowed, own = _build_polytope(board, asked, within, bounds, at_least)
    deadline = TimeLimit("possible_ranks", time_limit).deadline.moment
    pairs = _find_pairwise_sums(asked, bound_rule)
    if pairs is not None:
        known, gaps = pairs.bound_ranks(allowed, own, deadline), None
    else:
        check_room("possible_ranks", asked, bound_rule)
        values = task_values("possible_ranks", asked, bound_rule)
        known = arrays.bound_ranks_of_sums(values, allowed, own, deadline)
        gaps = values.gaps if values.is_linear_for_all(allowed) else None

    @cache
    def ranks(weighed: bytes) -> Ints:
        return bound_rule.ranks(asked.with_task_weights(np.frombuffer(weighed)))

    def holds(system: int, end: arrays.BoundedExtreme) -> bool:
        # The rule itself ranks by the best weights of the search, unless the time is up.
        in_time = end.proven and time.monotonic() < deadline
        return in_time and bool(ranks(end.weights.tobytes())[system] == end.attained)

    found = progress_bar(
        arrays.extreme_ranks(known, gaps, allowed, deadline),
        total=len(board.systems),
        desc="possible ranks",
        unit="system",
    )
    results: list[Any] = sorted(
        (system, best, worst, holds(system, best) and holds(system, worst))
        for system, best, worst in found
    )
    rows = [(best.bound, worst.bound, proven) for _, best, worst, proven in results]
    frame = pd.DataFrame(rows, index=board.systems, columns=["best", "worst", "proven"])
    frame.insert(0, "rank", order["rank"].reindex(board.systems))
    if shown:
        for column, end in (("best_weights", 1), ("worst_weights", 2)):
            # The weights for the rule: a task that is left out keeps its 0.
            none = dict.fromkeys(board.tasks, 0.0)
            each = [result[end].weights.tolist() for result in results]
            cells = [none | dict(zip(asked.tasks, item, strict=True)) for item in each]
            frame[column] = pd.Series(cells, index=board.systems, dtype=object)
    first = np.array([best.attained == 1 for _, best, *_ in results])
    possible = order.index[first[board.systems.get_indexer(order.index)]]
    frame = frame.reindex(order.index)
    necessary = frame.index[frame["worst"] == 1]
    frame.attrs = {"rule": order.attrs.get("rule", "")}
    frame.attrs["within"] = None if within is None else float(within)
    for name, labels in (("necessary", necessary), ("possible", possible)):
        # Labels of numpy's types become Python's.
        frame.attrs[name] = [x.item() if isinstance(x, np.generic) else x for x in labels]
    return frame


def select_weighted_tasks(function: str, board: Leaderboard, within: float | None) -> Leaderboard:
    """Select the tasks whose weights vary: all, or with `within` those with a weight above 0."""
    if within is None:
        return board
    if not 0 <= validate_number(function, "within", within) < np.inf:
        raise ValueError(
            f"{function}: within={within!r} must be a share from 0, such as 0.2 for a fifth, or "
            f"None for all weightings"
        )
    return board.select_tasks(board.tasks[board.weights > 0])


def _build_polytope(
    board: Leaderboard,
    asked: Leaderboard,
    within: float | None,
    bounds: Bounds | None,
    at_least: LabelPairs | None,
) -> tuple[WeightPolytope, Floats]:
    """Build the set of allowed weightings, and choose one: the board's own if allowed."""
    own = asked.weights / asked.weights.sum()
    near = WeightPolytope.from_relative_bounds(own, within)
    if bounds is None and at_least is None:
        return near, own
    conditions = Conditions.from_options(NetWins(board), bounds, at_least, None)
    selected = np.isin(np.arange(len(board.tasks)), board.tasks.get_indexer(asked.tasks))
    low, high = np.zeros(len(board.tasks)), np.ones(len(board.tasks))
    low[selected], high[selected], high[~selected] = near.low, near.high, 0.0
    rows, least = conditions.polytope.rows, conditions.polytope.lower_bounds
    of_one = np.count_nonzero(rows, axis=1) == 1
    for row, bound in zip(rows[of_one], least[of_one], strict=True):
        low = np.where(row > 0, np.maximum(low, bound), low)
        high = np.where(row < 0, np.minimum(high, -bound), high)
    totals = rows[~of_one][:, selected], least[~of_one]
    allowed = WeightPolytope(low[selected], high[selected], *totals)
    result = allowed.maximize(np.zeros(len(own))) if (low <= high).all() else None
    if result is None:
        if not conditions.can_be_met:
            raise ValueError(
                f"possible_ranks: no weights are allowed: {conditions.describe_conflict()}"
            )
        raise ValueError(
            f"possible_ranks: no weights are allowed: the conditions can't hold with each weight "
            f"within {within:g} of its own; give within=None, or a larger share"
        )
    return allowed, own if allowed.contains(own) else result


def _find_pairwise_sums(board: Leaderboard, rule: BoundRule) -> PairwiseSums | None:
    """Compute each task's pairwise wins for a rule that uses them; None for other rules."""
    if rule.name not in ("condorcet", "copeland", "minimax"):
        return None
    if board.is_instance_level and rule.arguments["levels"] == 2:
        return None
    each = [
        board.with_task_weights(task).data.pairs(rule.arguments["missing"])
        for task in np.eye(len(board.tasks))
    ]
    return PairwiseSums(
        majority_graphs.PAIRWISE_SCORES[rule.arguments.get("variant", rule.name)],
        np.stack([seen.data.wins for seen in each]),
        np.array([seen.data.total for seen in each]),
        np.stack([seen.ranked for seen in each], axis=1),
    )
