"""Where everything stands in the picture of a leaderboard, in pixels."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbrank.charts.names import BRIEF, Names, in_brief, in_words
from nbrank.charts.overview import Overview
from nbrank.charts.text import text_width, widest
from nbrank.charts.theme import SMALL
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.naming import Label

#: The size of names and ranks.
LETTERS = 11
#: So far apart, in pixels, slanted names can be read.
LEAST_APART = 12.5
_SLANT = math.radians(45)


@dataclass(frozen=True)
class Live:
    """What a picture shows on a page on which it moves, and has its title, beside controls.

    Parameters
    ----------
    room
        How wide it is, if it can be.
    looked_at
        A system that is looked at, with a row of its own; None for none.
    waits
        Whether the rank sets are those of before, and the new ones yet to come.
    """

    room: float
    looked_at: Label = None
    waits: bool = False


@dataclass(frozen=True, eq=False)
class Page:
    """Where everything stands, in pixels from the corner above and on the left."""

    seen: Overview
    n_first: int
    live: Live | None = None

    @cached_property
    def systems(self) -> list[Label]:
        """The systems that are drawn, best first, and the one that is looked at."""
        first = list(self.seen.ranking.index[: self.n_first])
        looked_at = None if self.live is None else self.live.looked_at
        return first if looked_at in (None, *first) else [*first, looked_at]

    @cached_property
    def n_rows(self) -> int:
        """How many systems are drawn."""
        return len(self.systems)

    def of_rows(self, rows: NDArray[np.intp]) -> dict[str, Any]:
        """What the marks in some rows are: of which row, which place in the table, and whose."""
        systems = [self.systems[row] for row in rows.tolist()]
        return {
            "row": rows,
            "position": [self._position[system] for system in systems],
            "system": [self.names.whole[system] for system in systems],
        }

    @cached_property
    def _position(self) -> dict[Label, int]:
        return {system: position for position, system in enumerate(self.seen.votes.systems)}

    @cached_property
    def names(self) -> Names:
        """What the systems are called."""
        return Names.of(self.seen.votes.systems, BRIEF if self.live is None else 26)

    @cached_property
    def panels(self) -> tuple[float, float, float]:
        """How wide the rank sets are, a column of ranks, and the room between panels."""
        return (170, 34, 26) if self.live is None else (120, 27, 18)

    @cached_property
    def overhang(self) -> float:
        """How far the last slanted name reaches beyond its column, with the room beside it."""
        name = math.cos(_SLANT) * text_width(self.rules[-1], LETTERS)
        return max(0.0, name - self.panels[1] / 2) + 8

    @cached_property
    def tasks(self) -> list[tuple[Label, float]]:
        """The tasks that weigh anything, with their shares; those of a group together."""
        board = self.seen.votes
        if self.seen.places is None or not isinstance(board, Leaderboard):
            return []
        weights = dict(zip(board.tasks, board.weights / board.weights.sum(), strict=True))
        ordered = board.tasks if board.groups is None else sum(board.groups.values(), ())
        return [(task, weights[task]) for task in ordered if weights[task] > 0]

    @cached_property
    def columns(self) -> list[tuple[str, int]]:
        """What is named over the cells, from the left, and over how many of them it stands."""
        groups = getattr(self.seen.votes, "groups", None)
        weighing = [task for task, _ in self.tasks]
        each = [(name, 1) for name in in_brief(weighing, 24)]
        if groups is None:
            return each
        sizes = [len({*weighing}.intersection(tasks)) for tasks in groups.values()]
        named = zip(in_brief(groups, 24), sizes, strict=True)
        of_groups = [(name, size) for name, size in named if size]
        # Where groups are no easier to name than their tasks, the tasks say more.
        few = all(size * self.narrowest > text_width(name, LETTERS) for name, size in of_groups)
        return of_groups if few or self.narrowest < LEAST_APART else each

    @cached_property
    def narrowest(self) -> float:
        """How wide the narrowest column of cells is."""
        return float(min(np.diff(self.bounds)))

    @cached_property
    def slanted(self) -> float:
        """How large slanted names over the cells are."""
        apart = min(np.diff([start + end for _, start, end in self.spans]) / 2, default=15)
        return LETTERS if apart >= 15 else LETTERS - 2

    @cached_property
    def rules(self) -> list[str]:
        """The rules in words."""
        return list(map(in_words, self.seen.ranks.columns))

    @cached_property
    def step(self) -> int:
        """How high a row is."""
        return 22 if self.n_rows <= 60 else 13

    @cached_property
    def cells(self) -> tuple[float, float]:
        """From where to where the cells go."""
        start = widest([self.names.brief[system] for system in self.systems], LETTERS) + 10
        n = len(self.tasks)
        wide: float = min(max(28 * n, 150), max(420, min(12 * n, 560))) if n else 0
        if self.live is not None:
            sets, rule, gap = self.panels
            beyond = 2 * gap + sets + rule * len(self.rules) + self.overhang
            wide = min(wide, max(8 * n, self.live.room - start - beyond))
        return start, start + wide

    @cached_property
    def bounds(self) -> list[float]:
        """Where the columns of cells begin and end."""
        start, end = self.cells
        shares = [share for _, share in self.tasks]
        return [start + (end - start) * at for at in (0.0, *np.cumsum(shares).tolist())]

    @cached_property
    def ranks_from(self) -> float:
        """Where the panel of rank sets begins."""
        return self.cells[1] + (self.panels[2] if self.tasks else 0)

    @cached_property
    def rules_from(self) -> float:
        """Where the columns of ranks begin."""
        return self.ranks_from + (0 if self.seen.sets is None else self.panels[0] + self.panels[2])

    @cached_property
    def spans(self) -> list[tuple[str, float, float]]:
        """The names over the cells, and from where to where each reaches."""
        ends = np.cumsum([0, *(size for _, size in self.columns)])
        at = [self.bounds[end] for end in ends]
        return [(name, at[k], at[k + 1]) for k, (name, _) in enumerate(self.columns)]

    @cached_property
    def flat(self) -> bool:
        """Whether all names over the cells fit between the ends of theirs."""
        return all(text_width(name, LETTERS) <= end - start - 4 for name, start, end in self.spans)

    @cached_property
    def top(self) -> float:
        """Where the rows begin: below the names over the columns."""
        slanted = [*self.rules, *([] if self.flat else [name for name, _, _ in self.spans])]
        return 6 + math.sin(_SLANT) * (widest(slanted, LETTERS) + LETTERS)

    @cached_property
    def bottom(self) -> float:
        """Where the rows end."""
        return self.top + self.n_rows * self.step

    @cached_property
    def height(self) -> float:
        """How high everything is, with the axes below."""
        return self.bottom + 50

    @cached_property
    def width(self) -> float:
        """How wide everything is, with the last slanted name."""
        ends = [
            middle + math.cos(_SLANT) * text_width(rule, LETTERS)
            for rule, middle in zip(self.rules, self.rule_middles, strict=True)
        ]
        return max(*ends, self.rules_from + self.panels[1] * len(self.rules), 300) + 8

    @cached_property
    def rule_middles(self) -> list[float]:
        """Where the middles of the columns of ranks are."""
        return [self.rules_from + self.panels[1] * (at + 0.5) for at in range(len(self.rules))]

    @cached_property
    def middles(self) -> list[float]:
        """Where the middles of the rows are."""
        return [self.top + (row + 0.5) * self.step for row in range(self.n_rows)]

    def at_rank(self, rank: Any) -> Any:
        """Where ranks stand on their axis, on which the first have most room."""
        last = max(2, len(self.seen.votes.systems))
        return self.ranks_from + 6 + (self.panels[0] - 12) * np.log(rank) / math.log(last)

    def rank_ticks(self) -> Iterator[int]:
        """Ranks from 1 to the last, whose numbers don't run into each other."""
        last = len(self.seen.votes.systems)
        end = self.at_rank(last) - text_width(str(last), SMALL) / 2 - 3
        reached = -math.inf
        for tick in (digit * 10**power for power in range(9) for digit in (1, 2, 3, 5)):
            room = text_width(str(tick), SMALL) / 2 + 3
            if (
                tick < last
                and reached <= self.at_rank(tick) - room
                and self.at_rank(tick) + room <= end
            ):
                yield tick
                reached = self.at_rank(tick) + room
        yield last
