"""Which tasks decide? The ranking without each of them."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
import pandas as pd

from nbrank.rules.bound_rule import parse_board_and_rule
from nbrank.rules.registry import RuleLike
from nbrank.votes.formatting import Label, format_labels
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.method_registry import register_method
from nbrank.votes.table.task_options import RuleOptions


@register_method("tasks and their weights", sees="ballots")
def leave_one_out(
    scores: pd.DataFrame | Leaderboard,
    rule: RuleLike = "borda",
    *,
    whole_groups: bool = False,
    **options: Unpack[RuleOptions],
) -> pd.DataFrame:
    """Which tasks decide: who wins, and how many ranks change, if one task is left out?

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
        Whether to leave out one group after the other instead of one task after the other (of a
        task with a count, one of its voters).
    **options
        Arguments of the rule, such as `missing="ignore"`.

    Returns
    -------
    pandas.DataFrame
        A row for each task (or group) that has a weight, in table order, with the columns

        decides
            Whether others win without it than win with it.
        winners
            The list of those who win without it.
        ranks_changed
            The number of systems whose rank changes.
        largest_change
            The largest change of a rank, in places.
        refused
            Why the rule refuses the other tasks, where it does: the other columns are then missing
            (`winners` is empty).

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if fewer than two tasks (or groups) have a weight, with `whole_groups=True` if the
        table has no groups, or if the rule fails on the whole table.

    References
    ----------
    Quenouille, Notes on Bias in Estimation, 1956; Tukey, Bias and Confidence in Not-quite Large
    Samples, 1958.

    Examples
    --------
    A and B share the first place. Without t1 or t2 one of them has it alone.

    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [1, 2, 0], "t3": [2, 2, 1]}, list("ABC"))
    >>> leave_one_out(scores, "borda").drop(columns="refused")
        decides winners  ranks_changed  largest_change
    t1     True     [B]              1               1
    t2     True     [A]              1               1
    t3    False  [A, B]              0               0
    """
    board, bound_rule = parse_board_and_rule("leave_one_out", scores, rule, **options)
    rests = _drop_each_unit(board, whole_groups=whole_groups)
    ranked, winners = bound_rule.rank_and_elect(board)
    before = ranked["rank"].reindex(board.systems)
    rows: list[tuple[Any, ...]] = []
    for rest in rests.values():
        try:
            ranked, first = bound_rule.rank_and_elect(rest)
        except (ValueError, RuntimeError) as error:
            rows.append((pd.NA, [], pd.NA, pd.NA, str(error)))
            continue
        change = (ranked["rank"].reindex(board.systems) - before).abs()
        rows.append(
            (set(first) != set(winners), first, int((change > 0).sum()), int(change.max()), pd.NA)
        )
    labels = board.tasks[board.weights > 0]
    if whole_groups:
        labels = pd.Index(list(rests), tupleize_cols=False)
    columns = ["decides", "winners", "ranks_changed", "largest_change", "refused"]
    kinds = dict(zip(columns, ["boolean", "object", "Int64", "Int64", "string"], strict=True))
    result = pd.DataFrame(rows, columns=columns, index=labels).astype(kinds)
    result.attrs = {"rule": str(ranked.attrs.get("rule", bound_rule.label))}
    return result


def _drop_each_unit(board: Leaderboard, *, whole_groups: bool) -> dict[Label, Leaderboard]:
    """Map each task or group with a weight to the board without it, or without one voter of it."""
    parts = board.task_names.unit_positions("leave_one_out", whole_groups=whole_groups)
    weighing = {label: part for label, part in parts.items() if board.weights[part].any()}
    voters = np.ones_like(board.voter_counts) if whole_groups else board.voter_counts
    if len(weighing) < 2 and all((voters[part] == 1).all() for part in weighing.values()):
        raise ValueError(
            f"leave_one_out: only {format_labels(weighing)} has a weight, so nothing would be left "
            f"without it. Give at least two {'groups' if whole_groups else 'tasks'} a weight"
        )

    def drop_unit(part: list[int]) -> Leaderboard:
        if (voters[part] == 1).all():
            return board.select_tasks(board.tasks.delete(part))
        weights = board.weights.copy()
        weights[part] *= 1 - 1 / voters[part]
        return board.with_task_weights(weights)

    return {label: drop_unit(part) for label, part in weighing.items()}
