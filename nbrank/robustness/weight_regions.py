"""Who is first at each weight of one task or group, and at each weighting of three groups?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Unpack

import numpy as np
import pandas as pd

from nbrank.arrays.typing import Floats
from nbrank.arrays.weights.task_weightings import TaskContributions
from nbrank.robustness.weight_constraints import check_column_clash
from nbrank.rules.bound_rule import BoundRule, parse_board_and_rule
from nbrank.rules.registry import RuleLike
from nbrank.uncertainty.contributions import find_task_values
from nbrank.votes.formatting import Label, format_labels
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.method_registry import register_method
from nbrank.votes.progress import progress_bar
from nbrank.votes.table.task_options import RuleOptions
from nbrank.votes.table.validation import validate_integer


@register_method("tasks and their weights", sees="ballots")
def weight_map(
    scores: pd.DataFrame | Leaderboard,
    rule: RuleLike = "borda",
    *,
    resolution: int = 40,
    **options: Unpack[RuleOptions],
) -> pd.DataFrame:
    """Who wins at each weighting of three groups, say performance, efficiency and fairness?

    The board's own weights divide each group's weight among its tasks; a group
    whose tasks all have weight 0 is an error.

    Parameters
    ----------
    scores
        A frame of scores or a leaderboard with exactly three groups.
    rule
        A name of `RULES`, or a function from scores to a ranking.
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
    resolution
        Into how many steps each side of the triangle is divided; there are
        (resolution + 1)(resolution + 2) / 2 weightings.
    **options
        Arguments of the rule, such as `missing="ignore"`.

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
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if there are not three groups.

    References
    ----------
    Lahdelma, Hokkanen and Salminen, SMAA: stochastic multiobjective acceptability analysis, 1998.

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
    board, bound_rule = parse_board_and_rule("weight_map", scores, rule, **options)
    if board.groups is None or len(board.groups) != 3:
        match = "none" if board.groups is None else format_labels(board.groups)
        raise ValueError(
            f"a weight map needs exactly three groups, and there are: {match}; "
            f"{board.groups_advice}, with the tasks in three groups"
        )
    resolution = validate_integer("weight_map", "resolution", resolution)
    check_column_clash("weight_map", board.groups, ["winners"], "group")
    shares = np.zeros((3, len(board.tasks)))
    for group, (name, tasks) in enumerate(board.groups.items()):
        members = board.task_names.get_positions(tasks, "groups")
        shares[group, members] = board.weights[members]
        if not shares[group].any():
            raise ValueError(f"all tasks of {name!r} have weight 0; give them some")
    shares /= shares.sum(axis=1, keepdims=True)

    steps = range(resolution + 1)
    pairs = [(step, two) for step in steps for two in steps if step + two <= resolution]
    grid = np.array([(*pair, resolution - sum(pair)) for pair in pairs]) / resolution
    weights = grid @ shares
    # If a task has weight 0, the rule itself decides which of the others tie.
    inside = np.flatnonzero((weights > 0).all(axis=1))
    of_sums = _winners_by_sums(board, bound_rule, weights[inside])
    winners = dict(zip(inside.tolist(), of_sums, strict=False))
    for at in progress_bar([at for at in range(len(grid)) if at not in winners], desc="weightings"):
        winners[at] = bound_rule.elect(board.with_task_weights(weights[at]))
    table = pd.DataFrame(grid, columns=pd.Index(list(board.groups), tupleize_cols=False))
    return table.assign(winners=pd.Series([winners[at] for at in range(len(grid))], dtype=object))


def _winners_by_sums(board: Leaderboard, rule: BoundRule, weights: Floats) -> list[list[Label]]:
    """List the winners at each weighting by sums over the tasks; empty for other rules."""
    if not len(weights) or not rule.is_additive:
        return []
    # The rule can fail on all tasks together but not on each alone, and then names all at fault.
    rule.function(board)
    values = find_task_values(board, rule)
    if values is None:
        return []
    first = (values.ranks(weights) == 1) & values.scored
    return [list(board.systems[np.flatnonzero(row)]) for row in first]


#: Step to the right of a weight, as a share of the range, at which to look who is first from there.
_STEP = 1e-7


@dataclass(frozen=True)
class WeightSpan:
    """A range of weights, and who is first at each of them, alone or beside others."""

    low: float
    high: float
    systems: tuple[Label, ...]


@dataclass(frozen=True, eq=False)
class FirstByWeight:
    """The scores of a rule that adds up the tasks, as the weights move.

    A score is a ratio of two linear functions of any one weight, so that two systems change places
    where a quadratic equation says so: the ends of the spans are exact.
    """

    systems: tuple[Label, ...]
    values: TaskContributions

    @classmethod
    def from_board(cls, board: Leaderboard, rule: RuleLike, **options: Any) -> FirstByWeight | None:
        """Add up the tasks as the rule does; None of a rule that doesn't add them up."""
        values = find_task_values(board, BoundRule.from_options("explore", rule, options))
        return None if values is None else cls(tuple(board.systems), values)

    def spans(self, rest: Floats, direction: Floats, max_weight: float) -> list[WeightSpan]:
        """Find who is first at each weight from 0 to the largest.

        Parameters
        ----------
        rest
            The weights of the tasks where the one that moves is 0.
        direction
            What a unit of the weight that moves adds to each of them.
        max_weight
            The largest weight.
        """
        ends = [0.0, *self._find_changes(rest, direction, max_weight), max_weight]
        middles = np.array([(low + high) / 2 for low, high in pairwise(ends)])
        weights = rest + middles[:, None] * direction
        first = (self.values.ranks(weights) == 1) & ~np.isnan(self.values.scores(weights))
        spans: list[WeightSpan] = []
        for at, row in enumerate(first):
            systems = tuple(self.systems[place] for place in np.flatnonzero(row))
            low = spans.pop().low if spans and spans[-1].systems == systems else ends[at]
            spans.append(WeightSpan(low, ends[at + 1], systems))
        return spans

    def _find_changes(self, rest: Floats, direction: Floats, max_weight: float) -> Iterator[float]:
        """Yield the weights at which another system comes to be first."""
        amounts, counts = self.values.amounts, self.values.counts
        base, slope = amounts @ rest, amounts @ direction
        if self.values.linear:
            below, growth = np.ones(1), np.zeros(1)
        else:
            below, growth = counts @ rest, counts @ direction
        scored = ~np.isnan(self.values.scores((rest + max_weight / 2 * direction)[None])[0])
        lines = np.stack([*np.broadcast_arrays(base, slope, below, growth)])[:, scored]
        weight, step = 0.0, _STEP * max_weight
        while lines.size and weight < max_weight:
            base, slope, below, growth = lines
            at = weight + step
            first = int(np.argmax((base + at * slope) / (below + at * growth)))
            weight = _next_lead(lines, lines[:, first], weight + 2 * step)
            if weight < max_weight:
                yield weight


def _next_lead(lines: Floats, first: Floats, start: float) -> float:
    """Return the least weight from the start on at which a line rises above the first."""
    (base, slope, below, growth), (own, rise, under, more) = lines, first
    # Who has the larger ratio is the sign of a quadratic: square * w**2 + linear * w + constant.
    square = slope * more - rise * growth
    linear = base * more + slope * under - own * growth - rise * below
    constant = base * under - own * below
    with np.errstate(all="ignore"):
        root = np.sqrt(linear**2 - 4 * square * constant)
        half = -(linear + np.copysign(root, linear)) / 2
        found = np.stack([half / square, constant / half])
        rises = (2 * square * found + linear > 0) & (found >= start)
    return float(found[rises].min(initial=np.inf))
