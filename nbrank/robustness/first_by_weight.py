"""Who is first at each weight of one task or group, while all other weights stay."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from nbrank.arrays.typing import Floats
from nbrank.arrays.weights.task_contributions import TaskContributions
from nbrank.rules.bound_rule import BoundRule
from nbrank.rules.registry import RuleLike
from nbrank.uncertainty.contributions import find_task_values
from nbrank.votes.formatting import Label
from nbrank.votes.leaderboard import Leaderboard

#: So much to the right of a weight, as a share of the range, one sees who is first from there on.
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
