"""The axes of the picture: of ranks, always linear, and of strengths."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from nbrank.charts.board_drawing.shown_board import ShownBoard
from nbrank.charts.text_metrics import text_width

#: Of more systems the axis of ranks ends where the ranks of those that are drawn do.
_MOST_ON_AXIS = 60


@dataclass(frozen=True)
class AxisPanel:
    """A panel with an axis: its heading, whole or in brief, where it is, and its ends."""

    titles: tuple[str, ...]
    start: float
    width: float
    minimum: float
    maximum: float
    letters: float
    shows_ranks: bool = False

    def to_pixels(self, number: float) -> float:
        """Where a number stands; one beyond the ends stands there."""
        span = max(self.maximum - self.minimum, 1e-9)
        return self.start + self.width * min(1.0, max(0.0, (number - self.minimum) / span))

    @cached_property
    def ticks(self) -> list[tuple[str, float]]:
        """Round numbers whose labels don't run into each other, and where they stand."""
        if self.shows_ranks:
            ranks = rank_ticks(int(self.maximum), self.width, self._label_width)
            return [(str(rank), self.to_pixels(rank)) for rank in ranks]
        apart = 2.2 * self.letters * (self.maximum - self.minimum) / self.width
        steps = (digit * 10.0**power for power in range(-9, 99) for digit in (1, 2, 5))
        step = next(step for step in steps if step >= apart)
        whole = range(math.ceil(self.minimum / step), math.floor(self.maximum / step) + 1)
        return [(f"{at * step:.6g}".replace("-", "−"), self.to_pixels(at * step)) for at in whole]

    def _label_width(self, rank: int) -> float:
        return text_width(str(rank), self.letters)


def make_rank_axis(board: ShownBoard, start: float, width: float) -> AxisPanel:
    """The axis of ranks; one that doesn't go to the last rank says so."""
    last, beyond = board.n_systems, ""
    if last > _MOST_ON_AXIS:
        drawn = [board.ranks[system] for system in board.systems]
        drawn += [int(high) for _, high in board.rank_ends or ()]
        last = max(drawn)
        beyond = f", to {last} of {board.n_systems}" if last < board.n_systems else ""
    titles = ["rank"] if board.sets is None else ["ranks it may have", "ranks", "rank"]
    if board.sizes.is_narrow:
        titles = ["rank"]
    named = tuple(title + beyond for title in titles)
    named += (f"rank to {last}",) * bool(beyond)
    return AxisPanel(named, start, width, 1, max(last, 2), board.sizes.letters, shows_ranks=True)


def make_rating_axis(board: ShownBoard, start: float, width: float) -> AxisPanel:
    """The axis of strengths, from the lowest end of an interval to the highest."""
    assert board.overview.ratings is not None
    ends = board.rated[["strength", "low", "high"]].to_numpy()
    ends = ends[np.isfinite(ends)]
    least, most = float(ends.min()), float(ends.max())
    title = board.overview.ratings.unit.partition(",")[0]
    titles = (title, title.partition(" ")[0])
    most = max(most, least + 1e-6)
    return AxisPanel(titles, start, width, least, most, board.sizes.letters)


def rank_ticks(last: int, width: float, label_width: Callable[[int], float]) -> list[int]:
    """Return ranks from 1 to the last whose numbers don't run into each other."""
    room = width / max(last - 1, 1)

    def are_apart(low: int, high: int) -> bool:
        return (high - low) * room >= (label_width(low) + label_width(high)) / 2 + 4

    for step in (digit * 10**power for power in range(9) for digit in (1, 2, 5)):
        # The first and the last number have their places, of those between some give way.
        between = [
            tick
            for tick in range(step, last, step)
            if tick > 1 and are_apart(1, tick) and are_apart(tick, last)
        ]
        ticks = [1, *between, last] if last > 1 else [1]
        if step >= last or all(are_apart(*pair) for pair in pairwise(ticks)):
            return ticks
    return [1, last]
