"""Who wins at each weighting of three groups of tasks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays.profile import TOLERANCE
from nbrank.questions.contributions import Sizes
from nbrank.questions.told_rule import ToldRule
from nbrank.rules.rule import RuleLike, elected
from nbrank.votes.draws import Draws
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.methods import question
from nbrank.votes.naming import Label, named
from nbrank.votes.options import whole_number
from nbrank.votes.progress import progress
from nbrank.votes.task_names import Groups, LowerIsBetter, TaskNames


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

    Returns
    -------
    pandas.DataFrame
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
    resolution = whole_number("weight_map", "resolution", resolution)
    if "winners" in board.groups:
        raise ValueError(
            "a group can't be called 'winners', as a column of the result is; rename it"
        )
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
    corners = [weighted(corner) for corner in np.eye(3)]
    sums = _Sums.of(
        ToldRule.of("weight_map", rule, {}), board, corners, weighted(np.full(3, 1 / 3))
    )
    if sums is not None:
        winners = sums.winners(grid, lambda weights: elected(rule, weighted(weights)))
    else:
        points = progress(grid, desc="weightings")
        winners = [elected(rule, weighted(weights)) for weights in points]
    table = pd.DataFrame(grid, columns=pd.Index(list(board.groups), tupleize_cols=False))
    return table.assign(winners=pd.Series(winners, dtype=object))


@dataclass(frozen=True)
class _Sums:
    """The scores of a rule that adds up the tasks, from which all weightings follow."""

    #: The systems in table order.
    systems: list[Label]
    #: Systems x groups: the score where one group has all the weight.
    scores: NDArray[np.float64]
    #: What each group's score is a mean over: groups with more instances count more where instances
    #: are pooled.
    totals: NDArray[np.float64]
    #: The most by which the rule tells ties.
    rounding: float

    @classmethod
    def of(
        cls, rule: ToldRule, board: Leaderboard, corners: list[Leaderboard], centre: Leaderboard
    ) -> _Sums | None:
        """Rank at the three corners; None where the rule's scores don't add up."""
        additive = rule.additive(board)
        if rule.known is None or additive is None or additive.score is not None:
            return None
        if np.isnan(board.values).any() and rule.arguments["missing"] != "compatible":
            return None
        # A rule can refuse tasks together that it takes one by one: a mean, of two orientations.
        rule.run(centre)
        scores = [rule.run(corner)["score"].reindex(board.systems) for corner in corners]
        totals = np.ones(len(corners))
        of_means = rule.known.family == "mean"
        if of_means and rule.arguments.get("levels", 1) == 1:
            # Without instances these are 1, up to rounding.
            totals = np.array([corner.profile().weights.sum() for corner in corners])
        sizes = Sizes.of(board, additive, Draws.of(board, "tasks"))
        # Means are over the ballots, points are added up.
        n_ballots = 1 if of_means else board.that_count.sum()
        return cls(
            list(board.systems),
            np.column_stack(scores),
            totals,
            float(sizes.largest.max() * n_ballots),
        )

    def winners(
        self,
        grid: NDArray[np.float64],
        winners_at: Callable[[NDArray[np.float64]], list[Label]],
    ) -> list[list[Label]]:
        """The systems of rank 1 at each weighting.

        Parameters
        ----------
        grid
            Weightings x groups.
        winners_at
            Asks the rule itself, where it depends on how it measures rounding.
        """
        shares = grid * self.totals
        sums = self.scores @ (shares / shares.sum(axis=1, keepdims=True)).T
        # No score is larger than what it is counted of, by which the rule tells ties.
        best = np.abs(sums.max(axis=0, where=~np.isnan(sums), initial=-np.inf))
        first = _first(sums, TOLERANCE * np.where(np.isinf(best), 0.0, best))
        at_most = _first(sums, np.full(len(grid), TOLERANCE * self.rounding))
        doubtful = (first != at_most).any(axis=0)
        members = np.nonzero(first.T)[1].tolist()
        ends = np.cumsum(first.sum(axis=0)).tolist()
        found = [
            [self.systems[member] for member in members[start:end]]
            for start, end in zip([0, *ends[:-1]], ends, strict=True)
        ]
        for point in np.flatnonzero(doubtful).tolist():
            found[point] = winners_at(grid[point])
        return found


def _first(scores: NDArray[np.float64], tolerance: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which rows are within the tolerance of the largest of each column."""
    best = np.where(np.isnan(scores), -np.inf, scores).max(axis=0)
    first: NDArray[np.bool_] = scores >= best - tolerance
    return first
