"""A rule within each group of tasks first, and then over the groups."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, Unpack

import numpy as np
import pandas as pd

from nbrank.rules.bound_rule import BoundRule
from nbrank.rules.registry import RuleLike
from nbrank.votes import user_warnings
from nbrank.votes.formatting import format_labels
from nbrank.votes.labeled_values import clean_label, is_labelled
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.method_registry import register_method
from nbrank.votes.table.task_options import TableOptions


@register_method("rules side by side", sees="ballots")
def two_step(
    scores: pd.DataFrame | Leaderboard,
    rule: RuleLike,
    *,
    group_weights: Mapping[Any, float] | pd.Series | None = None,
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    """Which system is best if one ranks within each group of tasks first, and then over the groups?

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance), or a `Leaderboard`.
    rule
        A name of `RULES`, or a function from a `Leaderboard` to a ranking,
        which is used for both steps.
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
    group_weights
        A mapping from group to its weight in the second step; 1 if it is not named.

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the
        columns below; `.attrs["rule"]` names the rule.

        rank
            1 for the best; tied systems share the smallest (1, 2, 2, 4).
        score
            The rule's score on the table of the groups' scores.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also without groups.

    References
    ----------
    Rofin et al., Vote'n'Rank, 2023, section 2.4.

    Examples
    --------
    >>> import pandas as pd
    >>> columns = pd.MultiIndex.from_tuples([("math", "t1"), ("math", "t2"), ("code", "t3")])
    >>> scores = pd.DataFrame([[3, 3, 1], [2, 2, 2], [1, 1, 3]], index=list("ABC"), columns=columns)
    >>> two_step(scores, "borda", group_weights={"code": 2})
       rank  score
    C     1    4.0
    B     2    3.0
    A     3    2.0
    """
    board = as_leaderboard(scores, **table)
    if board.groups is None:
        raise ValueError(f"two_step needs groups; {board.groups_advice}")
    bound = BoundRule.bind(rule)
    bound.check_arguments()
    apply = bound.function
    steps = {}
    for group, tasks in board.groups.items():
        if board.weights[board.task_names.get_positions(tasks, "groups")].any():
            ranked = apply(board.select_tasks(tasks))
            # Systems that share a rank are tied, whatever rounding makes of their scores.
            tied = ranked["score"].groupby(ranked["rank"].to_numpy()).transform("first")
            steps[group] = tied.reindex(board.systems)
    of_groups = pd.DataFrame(steps, index=board.systems)
    if group_weights is not None:
        if not is_labelled(group_weights):
            raise TypeError(
                f"group_weights must be a mapping from group to a number, not {group_weights!r}"
            )
        group_weights = {clean_label(group): weight for group, weight in group_weights.items()}
        if unknown := [group for group in group_weights if group not in board.groups]:
            raise ValueError(
                f"group_weights: unknown {format_labels(unknown)}; groups: "
                f"{format_labels(board.groups)}"
            )
        group_weights = {
            group: weight for group, weight in group_weights.items() if group in of_groups
        }
    scored = ~np.isnan(board.values).all(axis=1)
    scoreless = of_groups.isna().all(axis=1).to_numpy() & np.asarray(scored)
    if scoreless.any():
        user_warnings.warn_user(
            f"two_step: {bound.label} gives {format_labels(board.systems[scoreless])} no "
            f"score in any group, although there are scores in the table; give other groups or "
            f"another rule, or leave such systems out",
            user_warnings.NoOpponentsWarning,
        )
    with warnings.catch_warnings():
        # Only the weights of the table of groups come from the user.
        for category in set(user_warnings.LeaderboardWarning.__subclasses__()) - {
            user_warnings.PartialWeightsWarning
        }:
            warnings.simplefilter("ignore", category)
        ranked = apply(Leaderboard(of_groups, weights=group_weights, lower_is_better=False))
    name = ranked.attrs.get("rule", bound.label)
    ranked.attrs = {**ranked.attrs, "rule": f"two_step {name}"}
    return ranked
