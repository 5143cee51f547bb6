"""Where everything stands in the picture of a leaderboard, in pixels."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbrank.charts.axes import kept_apart
from nbrank.charts.text import balanced, text_width, widest
from nbrank.charts.theme import SMALL
from nbrank.findings.names import BRIEF, Names, in_brief, in_percent, in_words
from nbrank.findings.overview import Overview, too_few
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
    """A panel with an axis: from where on, how wide, which numbers at its ends, lines below.

    The first ranks have most room.
    """

    start: float
    wide: float
    least: float
    most: float
    said: tuple[str, ...]
    of_ranks: bool = False

    def at(self, number: Any) -> Any:
        """Where numbers stand; those beyond the ends stand there."""
        how = np.log if self.of_ranks else np.positive
        least, most = how(self.least), how(max(self.most, self.least + 1))
        share = (np.clip(how(number), least, most) - least) / (most - least)
        return self.start + 6 + (self.wide - 12) * share

    def ticks(self) -> list[tuple[str, float]]:
        """Round numbers whose labels don't run into each other, and where they stand."""
        if self.of_ranks:
            return list(self._rank_ticks())
        apart = 34 * (self.most - self.least) / (self.wide - 12)
        steps = (digit * 10.0**power for power in range(-9, 99) for digit in (1, 2, 5))
        step = next(step for step in steps if step >= apart)
        whole = range(math.ceil(self.least / step), math.floor(self.most / step) + 1)
        return [(f"{at * step:.6g}".replace("-", "−"), self.at(at * step)) for at in whole]

    def _rank_ticks(self) -> Iterator[tuple[str, float]]:
        """Ranks from 1 to the last."""
        last, reached = int(self.most), -math.inf
        end = self.at(last) - text_width(str(last), SMALL) / 2 - 3
        for tick in (digit * 10**power for power in range(9) for digit in (1, 2, 3, 5)):
            there, room = self.at(tick), text_width(str(tick), SMALL) / 2 + 3
            if tick < last and reached <= there - room and there + room <= end:
                yield str(tick), there
                reached = there + room
        yield str(last), self.at(last)


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


class Page:
    """Where everything stands, in pixels from the corner above and on the left."""

    def __init__(
        self, seen: Overview, n_first: int, live: Live | None = None, look: Look = WIDE
    ) -> None:
        self.seen, self.n_first, self.live, self.look = seen, n_first, live, look
        first = list(seen.ranking.index[:n_first])
        looked_at = None if live is None else live.looked_at
        #: The systems that are drawn, best first, and the one that is looked at.
        self.systems = first if looked_at in (None, *first) else [*first, looked_at]
        self.position = {system: at for at, system in enumerate(seen.votes.systems)}
        self.names = Names.of(seen.votes.systems, look.letters)
        self.rules = list(map(in_words, seen.ranks.columns))
        #: The rank sets, unless they are drawn from too little to tell anything apart.
        self.sets = None if too_few(seen.sets) else seen.sets
        self.across = self._across()
        self._place_across()
        self._place_down()

    def of_rows(self, rows: NDArray[np.intp]) -> dict[str, Any]:
        """What the marks in some rows are: of which row, which place in the table, and whose."""
        systems = [self.systems[row] for row in rows.tolist()]
        return {
            "row": rows,
            "position": [self.position[system] for system in systems],
            "system": [self.names.whole[system] for system in systems],
        }

    def _across(self) -> list[tuple[Label, float]]:
        """What has a column of cells, and its share of their width.

        The tasks that weigh anything, those of a group together; without tasks the opponents.
        """
        board = self.seen.votes
        if not self.look.cells:
            return []
        if not isinstance(board, Leaderboard):
            alike = 1 / len(self.systems)
            return [(system, alike) for system in self.systems] if alike < 1 else []
        weights = dict(zip(board.tasks, board.weights / board.weights.sum(), strict=True))
        ordered = board.tasks if board.groups is None else sum(board.groups.values(), ())
        return [(task, weights[task]) for task in ordered if weights[task] > 0]

    def _place_across(self) -> None:
        """From the left: the names, the cells, the panels, the ranks by each rule."""
        look, n = self.look, len(self.across)
        start = widest([self.names.brief[system] for system in self.systems], LETTERS) + 10
        self.rules_lean = 45 if look.cells else 90
        # How far the names of rules reach beyond the last column, with the room beside it.
        over = math.cos(math.radians(self.rules_lean))
        ends = (
            over * text_width(rule, LETTERS) - (len(self.rules) - at) * look.rule
            for at, rule in enumerate(self.rules)
        )
        columns = look.rule * len(self.rules) + max(0.0, *ends) + 8
        room = look.room if self.live is None else self.live.room
        room -= start + look.gap + columns
        # Of pairs, each is looked for in its row and column.
        least = (6 if self.seen.places is not None else 12) * n
        strip = look.gap + look.strip
        rated = None if self.seen.ratings is None else self.seen.ratings.table
        fits = look is WIDE or room - least >= strip * (1 + (self.sets is not None)) or not n
        #: The strengths of the systems that are drawn, where there are any, and room for them.
        self.rated = rated.loc[self.systems] if rated is not None and look.cells and fits else None
        panels = (self.sets is not None) + (self.rated is not None)
        wide = min(max(28 * n, 150), max(320, min(10 * n, 500))) if n else 0
        #: From where to where the cells go, and where each column of them begins and ends.
        self.cells = start, start + min(wide, max(least, room - strip * panels))
        shares = np.cumsum([share for _, share in self.across]).tolist()
        self.bounds = [start + (self.cells[1] - start) * at for at in (0.0, *shares)]
        x = self.cells[1] + (look.gap if n else 0)
        self.of_ranks, self.of_ratings = self._of_ranks(x), None
        if self.rated is not None:
            self.of_ratings = self._of_ratings(x + strip * (panels - 1))
        x += strip * panels
        self.rule_middles = [x + look.rule * (at + 0.5) for at in range(len(self.rules))]
        self.width = max(x + columns, 300)

    def _of_ranks(self, start: float) -> Strip | None:
        if self.sets is None:
            return None
        of, delta = (self.sets.attrs.get(name) for name in ("rule", "delta"))
        by = "" if of in (None, self.seen.rule) else f" by {in_words(of)}"
        sure = f"{in_percent(1 - (0.05 if delta is None else delta))} for all at once"
        said = self._below(f"ranks it could have{by}", sure)
        return Strip(start, self.look.strip, 1, len(self.seen.votes.systems), said, True)

    def _of_ratings(self, start: float) -> Strip:
        assert self.rated is not None
        assert self.seen.ratings is not None
        ends = self.rated[["strength", "low", "high"]].to_numpy()
        ends = ends[np.isfinite(ends)]
        least, most = float(ends.min()), float(ends.max())
        said = self._below(self.seen.ratings.unit, self.seen.ratings.sure)
        return Strip(start, self.look.strip, least, max(most, least + 1), said)

    def _below(self, said: str, sure: str) -> tuple[str, ...]:
        """The lines below an axis; while they are computed, that."""
        if self.live is not None and self.live.waits:
            said = "being computed ..."
        room = self.look.strip + self.look.gap - 2
        if text_width(said, SMALL) <= room:
            return (said, sure)
        parts = said.replace(" by ", "\nby ").splitlines()
        return (*(line for part in parts for line in balanced(part, room, SMALL)), sure)

    def _columns(self) -> list[tuple[str, int]]:
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

    def _place_down(self) -> None:
        """From above: the names over the columns, the rows, the axes."""
        columns = self._columns()
        ends = [self.bounds[end] for end in np.cumsum([0, *(size for _, size in columns)])]
        #: The names over the cells, and from where to where each reaches.
        self.spans = [(name, ends[k], ends[k + 1]) for k, (name, _) in enumerate(columns)]
        middles = [(start + end) / 2 for _, start, end in self.spans]
        apart = min(np.diff(middles), default=15)
        level = all(text_width(name, LETTERS) <= end - at - 4 for name, at, end in self.spans)
        #: By how many degrees those names lean: not at all where all fit; and how large they are.
        self.lean = 0 if level else 45 if apart >= _SLANTED_APART else 90
        self.letters = LETTERS if apart >= 15 or level else LETTERS - 1
        self.heads = self._heads(middles)
        #: How high the lines are that lead from columns to names that moved apart.
        self.lead = 12 if any(abs(to - at) > 1 for _, at, to in self.heads) else 0
        rules = math.sin(math.radians(self.rules_lean)) * (widest(self.rules, LETTERS) + LETTERS)
        tasks = widest([name for name, _, _ in self.heads], self.letters) + LETTERS
        over_cells = math.sin(math.radians(self.lean)) * tasks + self.lead
        self.top = 6 + max(rules, over_cells if self.across else 0)
        self.step = 22 if len(self.systems) <= 60 else 13
        self.bottom = self.top + len(self.systems) * self.step
        self.middles = [self.top + (row + 0.5) * self.step for row in range(len(self.systems))]
        strips = [strip.said for strip in (self.of_ranks, self.of_ratings) if strip is not None]
        lines = max(map(len, strips), default=2 if self.across else 0)
        self.height = self.bottom + (24 + 13 * lines if lines else 8)

    def _heads(self, middles: list[float]) -> list[tuple[str, float, float]]:
        """The names over the cells: where the middle of what is named is, and where each stands.

        Upright ones move apart where columns are narrow; of too many only some are named.
        """
        named = [(name, at) for (name, _, _), at in zip(self.spans, middles, strict=True)]
        if self.lean < 90:
            return [(name, middle, middle) for name, middle in named]
        end = self.cells[1] + self.look.gap - 8
        # Above the systems' names there is nothing else.
        start = max(self.cells[0] - 60, 8)
        room = int((end - start) / _UPRIGHT_APART) + 1
        shown = named[:: math.ceil(len(named) / room)]
        moved = kept_apart([middle for _, middle in shown], _UPRIGHT_APART, end)
        return [(name, at, to) for (name, at), to in zip(shown, moved, strict=True)]
