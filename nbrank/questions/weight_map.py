"""Who wins at each weighting of three groups of tasks."""

from __future__ import annotations

import numpy as np
import pandas as pd

from nbrank.arrays.kinds import Floats
from nbrank.questions.contributions import values_if_additive
from nbrank.questions.told_rule import ToldRule
from nbrank.questions.weight_conditions import (
    refuse_columns,
)
from nbrank.rules.rule import RuleLike, elected
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.methods import question
from nbrank.votes.naming import Label, named
from nbrank.votes.options import whole_number
from nbrank.votes.progress import progress
from nbrank.votes.task_names import Groups, LowerIsBetter


@question("tasks and their weights", sees="ballots")
def weight_map(
    scores: pd.DataFrame | Leaderboard,
    rule: RuleLike = "borda",
    *,
    resolution: int = 40,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> pd.DataFrame:
    """Who wins at each weighting of three groups, say performance, efficiency and fairness?

    The board's own weights part each group's weight among its tasks; a group
    whose tasks all have weight 0 has no say to begin with and is refused.

    Parameters
    ----------
    scores
        A frame of scores or a leaderboard with exactly three groups.
    rule
        A name of `RULES`, or a function from scores to a ranking.
    resolution
        Into how many steps each side of the triangle is divided; there are
        (resolution + 1)(resolution + 2) / 2 weightings.
    {groups}
    {lower_is_better}

    {returns_frame}
        A row for each weighting, with the columns

        one for each group
            Its weight; the three sum to 1.
        winners
            The list of the systems that win there.

    {raises}
        Also if there are not three groups.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     {"speed": [3, 2, 1], "care": [1, 3, 2], "skill": [2, 1, 3]}, list("ABC")
    ... )
    >>> weight_map(scores, resolution=2, groups={g: [g] for g in scores})
       speed  care  skill    winners
    0    0.0   0.0    1.0        [C]
    1    0.0   0.5    0.5        [C]
    2    0.0   1.0    0.0        [B]
    3    0.5   0.0    0.5        [A]
    4    0.5   0.5    0.0        [B]
    5    1.0   0.0    0.0        [A]
    """
    board = as_leaderboard(scores, groups=groups, lower_is_better=lower_is_better)
    if board.groups is None or len(board.groups) != 3:
        found = "none" if board.groups is None else named(board.groups)
        raise ValueError(
            f"a weight map needs exactly three groups, and there are: {found}; "
            f"give groups={{group: [tasks]}}, with the tasks in three groups"
        )
    resolution = whole_number("weight_map", "resolution", resolution)
    refuse_columns("weight_map", board.groups, ["winners"], "group")
    shares = np.zeros((3, len(board.tasks)))
    for group, (name, tasks) in enumerate(board.groups.items()):
        members = board.names.positions(tasks, "groups")
        shares[group, members] = board.weights[members]
        if not shares[group].any():
            raise ValueError(f"all tasks of {name!r} have weight 0; give them some")
    shares /= shares.sum(axis=1, keepdims=True)

    steps = range(resolution + 1)
    pairs = [(one, two) for one in steps for two in steps if one + two <= resolution]
    grid = np.array([(*pair, resolution - sum(pair)) for pair in pairs]) / resolution
    told = ToldRule.of("weight_map", rule, {})
    weights = grid @ shares
    # Where a task weighs nothing, the rule itself says how near the others tie.
    inside = np.flatnonzero((weights > 0).all(axis=1))
    winners = dict(zip(inside.tolist(), _added_up(board, told, weights[inside]), strict=False))
    for at in progress([at for at in range(len(grid)) if at not in winners], desc="weightings"):
        winners[at] = elected(rule, board.with_task_weights(weights[at]))
    table = pd.DataFrame(grid, columns=pd.Index(list(board.groups), tupleize_cols=False))
    return table.assign(winners=pd.Series([winners[at] for at in range(len(grid))], dtype=object))


def _added_up(board: Leaderboard, rule: ToldRule, weights: Floats) -> list[list[Label]]:
    """Who wins at each weighting by what each task adds; empty for a rule that is no such sum."""
    if not len(weights) or rule.known is None or rule.known.additive is None:
        return []
    rule.run(board)  # It can refuse tasks together that it takes one by one.
    values = values_if_additive(board, rule)
    if values is None:
        return []
    first = (values.ranks(weights) == 1) & values.scored
    return [list(board.systems[np.flatnonzero(row)]) for row in first]
