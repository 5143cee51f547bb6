"""Who wins at each weighting of three groups of tasks."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays.profile import competition_ranks
from nbrank.labelled.described import described
from nbrank.labelled.leaderboard import (
    Groups,
    Leaderboard,
    LowerIsBetter,
    TaskNames,
    as_leaderboard,
    named,
)
from nbrank.labelled.progress import progress
from nbrank.labelled.registry import RuleLike, called, elected, rule_of, unwrapped


@described
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
    groups
        A mapping from group to its tasks; MultiIndex columns (group, task)
        give the groups by themselves.
    lower_is_better
        The tasks on which a lower score is better, or True for all of them.

    Returns
    -------
    pandas.DataFrame
        A row for each weighting, with the columns

        one for each group
            Its weight; the three sum to 1.
        winners
            The list of the systems that win there.

    Raises
    ------
    {errors}
        Also if there are not three groups.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     {"speed": [3, 2, 1], "size": [1, 3, 2], "skill": [2, 1, 3]}, list("ABC")
    ... )
    >>> weight_map(scores, resolution=2, groups={g: [g] for g in scores})
       speed  size  skill    winners
    0    0.0   0.0    1.0        [C]
    1    0.0   0.5    0.5        [C]
    2    0.0   1.0    0.0        [B]
    3    0.5   0.0    0.5        [A]
    4    0.5   0.5    0.0        [B]
    5    1.0   0.0    0.0        [A]
    """
    board = as_leaderboard(scores, None, groups, lower_is_better)
    if board.groups is None or len(board.groups) != 3:
        found = "none" if board.groups is None else named(board.groups)
        raise ValueError(
            f"a weight map needs exactly three groups, and there are: {found}; "
            f"give groups={{group: [tasks]}}, with the tasks in three groups"
        )
    if resolution < 1:
        raise ValueError(f"resolution must be 1 or more, not {resolution}")
    names = TaskNames.of(board.tasks, board.groups)
    shares = np.zeros((3, len(board.tasks)))
    for group, (name, tasks) in enumerate(board.groups.items()):
        members = names.positions(tasks, "groups")
        shares[group, members] = board.weights[members]
        if not shares[group].any():
            raise ValueError(f"all tasks of {name!r} have weight 0; give them some")
    shares /= shares.sum(axis=1, keepdims=True)

    def weighted(weights: NDArray[np.float64]) -> Leaderboard:
        return board.with_task_weights(weights @ shares)

    steps = [
        (first, second, resolution - first - second)
        for first in range(resolution + 1)
        for second in range(resolution + 1 - first)
    ]
    grid = np.array(steps) / resolution
    if _is_a_sum(rule, board):
        corners = [called(rule)(weighted(corner))["score"] for corner in np.eye(3)]
        sums = pd.concat(corners, axis=1).reindex(board.systems).to_numpy() @ grid.T
        winners = [list(board.systems[competition_ranks(column) == 1]) for column in sums.T]
    else:
        points = progress(grid, desc="weightings")
        winners = [elected(rule, weighted(weights)) for weights in points]
    table = pd.DataFrame(grid, columns=pd.Index(list(board.groups), tupleize_cols=False))
    return table.assign(winners=pd.Series(winners, dtype=object))


def _is_a_sum(rule: RuleLike, board: Leaderboard) -> bool:
    """Whether the score is a sum over the tasks, so that weighted groups can be added up."""
    known, (_, options) = rule_of(rule), unwrapped(rule)
    complete = not np.isnan(board.values).any()
    compatible = known is not None and options.get("missing", known.missing) == "compatible"
    return known is not None and known.additive and (complete or compatible)
