"""Where everything stands in the picture of a leaderboard, in pixels."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.charts.axes import kept_apart
from nbrank.charts.names import BRIEF, Names, in_brief, in_percent, in_words
from nbrank.charts.overview import Overview, too_few
from nbrank.charts.text import balanced, text_width, widest
from nbrank.charts.theme import SMALL
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.naming import Label

#: The size of names and ranks.
LETTERS = 11
#: So far apart, in pixels, slanted names can be read, and upright ones.
_SLANTED_APART, _UPRIGHT_APART = 12.5, 10.0


@dataclass(frozen=True)
class Look:
    """How wide an axis, a column of ranks, a gap and all are, how long names; are there cells?

    Wide are pixels, long are letters.
    """

    strip: int
    rule: int
    gap: int
    letters: int
    cells: bool = True
    room: float = math.inf


#: Alone, on a page of text, and on the screen of a telephone.
WIDE, ON_PAGE, NARROW = (
    Look(140, 30, 22, BRIEF, room=1040), Look(110, 27, 18, 26, room=830),
    Look(84, 21, 10, 18, cells=False),
)  # fmt: skip


@dataclass(frozen=True)
class Strip:
    """A panel with an axis: from where on, how wide, which numbers at its ends, lines below."""

    start: float
    wide: float
    least: float
    most: float
    said: tuple[str, ...] = ()

    def at(self, number: Any) -> Any:
        """Where numbers stand; those beyond the ends stand there."""
        share = (np.clip(number, self.least, self.most) - self.least) / (self.most - self.least)
        return self.start + 6 + (self.wide - 12) * share

    def ticks(self) -> list[tuple[str, float]]:
        """Round numbers whose labels don't run into each other, and where they stand."""
        apart = 34 * (self.most - self.least) / (self.wide - 12)
        steps = (digit * 10.0**power for power in range(-9, 99) for digit in (1, 2, 5))
        step = next(step for step in steps if step >= apart)
        whole = range(math.ceil(self.least / step), math.floor(self.most / step) + 1)
        return [(f"{at * step:.6g}".replace("-", "−"), self.at(at * step)) for at in whole]


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
    look: Look = WIDE

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
            "position": [self.position[system] for system in systems],
            "system": [self.names.whole[system] for system in systems],
        }

    @cached_property
    def position(self) -> dict[Label, int]:
        """Where each system stands in the table."""
        return {system: position for position, system in enumerate(self.seen.votes.systems)}

    @cached_property
    def names(self) -> Names:
        """What the systems are called."""
        return Names.of(self.seen.votes.systems, self.look.letters)

    @cached_property
    def rules_lean(self) -> int:
        """By how many degrees the names of rules lean over their columns."""
        return 45 if self.look.cells else 90

    @cached_property
    def overhang(self) -> float:
        """How far the names of rules reach beyond the last column, with the room beside it."""
        over = math.cos(math.radians(self.rules_lean))
        last = len(self.rules) - 0.5
        ends = (
            over * text_width(rule, LETTERS) - (last - at) * self.look.rule
            for at, rule in enumerate(self.rules)
        )
        return max(0.0, *(end - self.look.rule / 2 for end in ends)) + 8

    @cached_property
    def across(self) -> list[tuple[Label, float]]:
        """What has a column of cells, and its share of their width.

        The tasks that weigh anything, those of a group together; without tasks the opponents.
        """
        board = self.seen.votes
        if not self.look.cells:
            return []
        if not isinstance(board, Leaderboard):
            alike = 1 / self.n_rows
            return [(system, alike) for system in self.systems] if self.n_rows > 1 else []
        weights = dict(zip(board.tasks, board.weights / board.weights.sum(), strict=True))
        ordered = board.tasks if board.groups is None else sum(board.groups.values(), ())
        return [(task, weights[task]) for task in ordered if weights[task] > 0]

    @cached_property
    def columns(self) -> list[tuple[str, int]]:
        """What is named over the cells, from the left, and over how many of them it stands."""
        groups = getattr(self.seen.votes, "groups", None)
        labels = [label for label, _ in self.across]
        each = [(name, 1) for name in in_brief(labels, 24)]
        if groups is None:
            return each
        sizes = [len({*labels}.intersection(tasks)) for tasks in groups.values()]
        named = zip(in_brief(groups, 24), sizes, strict=True)
        of_groups = [(name, size) for name, size in named if size]
        return of_groups if len(of_groups) < len(each) else each

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
        n = len(self.across)
        wide: float = min(max(28 * n, 150), max(320, min(10 * n, 500))) if n else 0
        strips = self._room_of_strips * ((self.sets is not None) + (self.rated is not None))
        start = self._names_end
        return start, start + min(wide, max(self._least, self._room - strips))

    @cached_property
    def _names_end(self) -> float:
        """How far the names of the systems reach."""
        return widest([self.names.brief[system] for system in self.systems], LETTERS) + 10

    @cached_property
    def _room(self) -> float:
        """How wide cells and panels can be together."""
        beyond = self.look.gap + self.look.rule * len(self.rules) + self.overhang
        room = self.look.room if self.live is None else self.live.room
        return room - self._names_end - beyond

    @property
    def _room_of_strips(self) -> int:
        return self.look.gap + self.look.strip

    @cached_property
    def _least(self) -> int:
        """How wide the cells are at least: of pairs, each is looked for in its row and column."""
        return (6 if self.seen.places is not None else 12) * len(self.across)

    @cached_property
    def bounds(self) -> list[float]:
        """Where the columns of cells begin and end."""
        start, end = self.cells
        shares = [share for _, share in self.across]
        return [start + (end - start) * at for at in (0.0, *np.cumsum(shares).tolist())]

    @cached_property
    def sets(self) -> pd.DataFrame | None:
        """The rank sets, unless they are drawn from too little to tell anything apart."""
        return None if too_few(self.seen.sets) else self.seen.sets

    @cached_property
    def rated(self) -> pd.DataFrame | None:
        """The strengths of the systems that are drawn, where there are any, and room for them."""
        found = self.seen.ratings
        if found is None or found.table is None or not self.look.cells:
            return None
        strips = self._room_of_strips * (1 + (self.sets is not None))
        if self.look is not WIDE and strips > max(0, self._room - self._least):
            return None
        return found.table.loc[self.systems]

    @cached_property
    def of_ranks(self) -> Strip:
        """The panel of rank sets, on which the first ranks have most room."""
        start = self.cells[1] + (self.look.gap if self.across else 0)
        facts = {} if self.seen.sets is None else self.seen.sets.attrs
        of, delta = facts.get("rule", self.seen.rule), facts.get("delta", 0.05)
        by = "" if of == self.seen.rule else f" by {in_words(of)}"
        said = self._below(f"ranks it could have{by}", f"{in_percent(1 - delta)} for all at once")
        most = math.log(max(2, len(self.seen.votes.systems)))
        return Strip(start, self.look.strip, 0, most, said)

    def _below(self, said: str, sure: str) -> tuple[str, ...]:
        """The lines below an axis; while they are computed, that."""
        if self.live is not None and self.live.waits:
            said = "being computed ..."
        room = self.look.strip + self.look.gap - 2
        if text_width(said, SMALL) <= room:
            return (said, sure)
        parts = said.replace(" by ", "\nby ").splitlines()
        return (*(line for part in parts for line in balanced(part, room, SMALL)), sure)

    @cached_property
    def of_ratings(self) -> Strip:
        """The panel of strengths."""
        assert self.rated is not None
        assert self.seen.ratings is not None
        ends = self.rated[["strength", "low", "high"]].to_numpy()
        ends = ends[np.isfinite(ends)]
        least, most = float(ends.min()), float(ends.max())
        sets = 0 if self.sets is None else self.look.strip + self.look.gap
        said = self._below(self.seen.ratings.unit, self.seen.ratings.sure)
        start = self.of_ranks.start + sets
        return Strip(start, self.look.strip, least, max(most, least + 1), said)

    @cached_property
    def strips(self) -> list[Strip]:
        """The panels that there are."""
        sets = [] if self.sets is None else [self.of_ranks]
        return sets if self.rated is None else [*sets, self.of_ratings]

    @cached_property
    def rules_from(self) -> float:
        """Where the columns of ranks begin."""
        return self.of_ranks.start + len(self.strips) * (self.look.strip + self.look.gap)

    @cached_property
    def spans(self) -> list[tuple[str, float, float]]:
        """The names over the cells, and from where to where each reaches."""
        ends = np.cumsum([0, *(size for _, size in self.columns)])
        at = [self.bounds[end] for end in ends]
        return [(name, at[k], at[k + 1]) for k, (name, _) in enumerate(self.columns)]

    @cached_property
    def lean(self) -> int:
        """By how many degrees the names over the cells lean: not at all where all fit."""
        if all(text_width(name, LETTERS) <= end - start - 4 for name, start, end in self.spans):
            return 0
        return 45 if self._apart >= _SLANTED_APART else 90

    @cached_property
    def _apart(self) -> float:
        """How far apart the middles of what is named over the cells are at least."""
        return min(np.diff([start + end for _, start, end in self.spans]) / 2, default=15)

    @cached_property
    def letters(self) -> int:
        """How large the names over the cells are."""
        return LETTERS if self._apart >= 15 or self.lean == 0 else LETTERS - 1

    @cached_property
    def heads(self) -> list[tuple[str, float, float]]:
        """The names over the cells: where the middle of what is named is, and where each stands.

        Upright ones move apart where columns are narrow; of too many only some are named.
        """
        middles = [(name, (start + end) / 2) for name, start, end in self.spans]
        if self.lean < 90:
            return [(name, middle, middle) for name, middle in middles]
        end = self.cells[1] + self.look.gap - 8
        # Above the systems' names there is nothing else.
        start = max(self.cells[0] - 60, 8)
        room = int((end - start) / _UPRIGHT_APART) + 1
        shown = middles[:: math.ceil(len(middles) / room)]
        moved = kept_apart([middle for _, middle in shown], _UPRIGHT_APART, end)
        return [(name, at, to) for (name, at), to in zip(shown, moved, strict=True)]

    @cached_property
    def top(self) -> float:
        """Where the rows begin: below the names over the columns."""
        rules = math.sin(math.radians(self.rules_lean)) * (widest(self.rules, LETTERS) + LETTERS)
        tasks = widest([name for name, _, _ in self.heads], self.letters) + LETTERS
        over_cells = math.sin(math.radians(self.lean)) * tasks + self.lead
        return 6 + max(rules, over_cells if self.across else 0)

    @cached_property
    def lead(self) -> float:
        """How high the lines are that lead from columns to names that moved apart."""
        return 12 if any(abs(to - at) > 1 for _, at, to in self.heads) else 0

    @cached_property
    def bottom(self) -> float:
        """Where the rows end."""
        return self.top + self.n_rows * self.step

    @cached_property
    def height(self) -> float:
        """How high everything is, with the axes below."""
        lines = max((len(strip.said) for strip in self.strips), default=2 if self.across else 0)
        return self.bottom + (24 + 13 * lines if lines else 8)

    @cached_property
    def width(self) -> float:
        """How wide everything is, with the last slanted name."""
        return max(self.rules_from + self.look.rule * len(self.rules) + self.overhang, 300)

    @cached_property
    def rule_middles(self) -> list[float]:
        """Where the middles of the columns of ranks are."""
        return [self.rules_from + self.look.rule * (at + 0.5) for at in range(len(self.rules))]

    @cached_property
    def middles(self) -> list[float]:
        """Where the middles of the rows are."""
        return [self.top + (row + 0.5) * self.step for row in range(self.n_rows)]

    def at_rank(self, rank: Any) -> Any:
        """Where ranks stand on their axis, on which the first have most room."""
        return self.of_ranks.at(np.log(rank))

    def rank_ticks(self) -> Iterator[tuple[str, float]]:
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
                yield str(tick), self.at_rank(tick)
                reached = self.at_rank(tick) + room
        yield str(last), self.at_rank(last)
