"""Where everything stands in the picture of a leaderboard, in pixels."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbrank.charts.axes import spread_labels
from nbrank.charts.text_metrics import max_text_width, text_width, wrap_balanced
from nbrank.charts.theme import SMALL
from nbrank.findings.labels import (
    MAX_LABEL_LENGTH,
    DisplayNames,
    abbreviate_labels,
    format_percent,
    rule_title,
)
from nbrank.findings.overview import Overview
from nbrank.findings.sample_text import describe_small_sample
from nbrank.votes.formatting import Label
from nbrank.votes.leaderboard import Leaderboard

#: The size of names and ranks.
LETTERS = 11
#: So far apart, in pixels, slanted names can be read, and upright ones.
_SLANTED_APART, _UPRIGHT_APART = 12.5, 10.0


@dataclass(frozen=True)
class LayoutOptions:
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
    LayoutOptions(140, 30, 22, MAX_LABEL_LENGTH, room=1040),
    LayoutOptions(110, 27, 18, 26, room=830),
    LayoutOptions(84, 21, 10, 18, cells=False),
)  # fmt: skip


@dataclass(frozen=True)
class AxisPanel:
    """A panel with an axis: from where on, how wide, which numbers at its ends, lines below.

    The first ranks have most room.
    """

    start: float
    width: float
    minimum: float
    maximum: float
    caption: tuple[str, ...]
    shows_ranks: bool = False

    def to_pixels(self, number: Any) -> Any:
        """Where numbers stand; those beyond the ends stand there."""
        how = np.log if self.shows_ranks else np.positive
        least, most = how(self.minimum), how(max(self.maximum, self.minimum + 1))
        share = (np.clip(how(number), least, most) - least) / (most - least)
        return self.start + 6 + (self.width - 12) * share

    def ticks(self) -> list[tuple[str, float]]:
        """Round numbers whose labels don't run into each other, and where they stand."""
        if self.shows_ranks:
            return list(self._rank_ticks())
        apart = 34 * (self.maximum - self.minimum) / (self.width - 12)
        steps = (digit * 10.0**power for power in range(-9, 99) for digit in (1, 2, 5))
        step = next(step for step in steps if step >= apart)
        whole = range(math.ceil(self.minimum / step), math.floor(self.maximum / step) + 1)
        return [(f"{at * step:.6g}".replace("-", "−"), self.to_pixels(at * step)) for at in whole]

    def _rank_ticks(self) -> Iterator[tuple[str, float]]:
        """Ranks from 1 to the last."""
        last, reached = int(self.maximum), -math.inf
        end = self.to_pixels(last) - text_width(str(last), SMALL) / 2 - 3
        for tick in (digit * 10**power for power in range(9) for digit in (1, 2, 3, 5)):
            observed, room = self.to_pixels(tick), text_width(str(tick), SMALL) / 2 + 3
            if tick < last and reached <= observed - room and observed + room <= end:
                yield str(tick), observed
                reached = observed + room
        yield str(last), self.to_pixels(last)


@dataclass(frozen=True)
class LiveOptions:
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
    selected_system: Label = None
    is_pending: bool = False


class LeaderboardLayout:
    """Where everything stands, in pixels from the corner above and on the left."""

    def __init__(
        self,
        seen: Overview,
        n_first: int,
        live: LiveOptions | None = None,
        look: LayoutOptions = WIDE,
    ) -> None:
        self.overview, self.n_first, self.live, self.look = seen, n_first, live, look
        first = list(seen.ranking.index[:n_first])
        looked_at = None if live is None else live.selected_system
        #: The systems that are drawn, best first, and the one that is looked at.
        self.systems = first if looked_at in (None, *first) else [*first, looked_at]
        self.position = {system: at for at, system in enumerate(seen.votes.systems)}
        self.names = DisplayNames.from_labels(seen.votes.systems, look.letters)
        self.rules = list(map(rule_title, seen.ranks.columns))
        #: The rank sets, unless they are drawn from too little to tell anything apart.
        self.sets = None if describe_small_sample(seen.rank_sets) else seen.rank_sets
        self.column_positions = self._column_shares()
        self._layout_columns()
        self._layout_rows()

    def row_fields(self, rows: NDArray[np.intp]) -> dict[str, Any]:
        """What the marks in some rows are: of which row, which place in the table, and whose."""
        systems = [self.systems[row] for row in rows.tolist()]
        return {
            "row": rows,
            "position": [self.position[system] for system in systems],
            "system": [self.names.full[system] for system in systems],
        }

    def _column_shares(self) -> list[tuple[Label, float]]:
        """What has a column of cells, and its share of their width.

        The tasks that weigh anything, those of a group together; without tasks the opponents.
        """
        board = self.overview.votes
        if not self.look.cells:
            return []
        if not isinstance(board, Leaderboard):
            alike = 1 / len(self.systems)
            return [(system, alike) for system in self.systems] if alike < 1 else []
        weights = dict(zip(board.tasks, board.weights / board.weights.sum(), strict=True))
        ordered = board.tasks if board.groups is None else sum(board.groups.values(), ())
        return [(task, weights[task]) for task in ordered if weights[task] > 0]

    def _layout_columns(self) -> None:
        """From the left: the names, the cells, the panels, the ranks by each rule."""
        look, n = self.look, len(self.column_positions)
        start = max_text_width([self.names.short[system] for system in self.systems], LETTERS) + 10
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
        least = (6 if self.overview.places is not None else 12) * n
        strip = look.gap + look.strip
        rated = None if self.overview.ratings is None else self.overview.ratings.table
        fits = look is WIDE or room - least >= strip * (1 + (self.sets is not None)) or not n
        #: The strengths of the systems that are drawn, where there are any, and room for them.
        self.rated = rated.loc[self.systems] if rated is not None and look.cells and fits else None
        panels = (self.sets is not None) + (self.rated is not None)
        wide = min(max(28 * n, 150), max(320, min(10 * n, 500))) if n else 0
        #: From where to where the cells go, and where each column of them begins and ends.
        self.cells = start, start + min(wide, max(least, room - strip * panels))
        shares = np.cumsum([share for _, share in self.column_positions]).tolist()
        self.bounds = [start + (self.cells[1] - start) * at for at in (0.0, *shares)]
        x = self.cells[1] + (look.gap if n else 0)
        self.of_ranks, self.rating_panel = self._rank_panel(x), None
        if self.rated is not None:
            self.rating_panel = self._rating_panel(x + strip * (panels - 1))
        x += strip * panels
        self.rule_middles = [x + look.rule * (at + 0.5) for at in range(len(self.rules))]
        self.width = max(x + columns, 300)

    def _rank_panel(self, start: float) -> AxisPanel | None:
        if self.sets is None:
            return None
        of, delta = (self.sets.attrs.get(name) for name in ("rule", "delta"))
        by = "" if of in (None, self.overview.rule) else f" by {rule_title(of)}"
        sure = f"{format_percent(1 - (0.05 if delta is None else delta))} for all at once"
        sentences = self._axis_caption(f"ranks it could have{by}", sure)
        return AxisPanel(
            start, self.look.strip, 1, len(self.overview.votes.systems), sentences, True
        )

    def _rating_panel(self, start: float) -> AxisPanel:
        assert self.rated is not None
        assert self.overview.ratings is not None
        ends = self.rated[["strength", "low", "high"]].to_numpy()
        ends = ends[np.isfinite(ends)]
        least, most = float(ends.min()), float(ends.max())
        sentences = self._axis_caption(
            self.overview.ratings.unit, self.overview.ratings.confidence_text
        )
        return AxisPanel(start, self.look.strip, least, max(most, least + 1), sentences)

    def _axis_caption(self, said: str, sure: str) -> tuple[str, ...]:
        """The lines below an axis; while they are computed, that."""
        if self.live is not None and self.live.is_pending:
            said = "being computed ..."
        room = self.look.strip + self.look.gap - 2
        if text_width(said, SMALL) <= room:
            return (said, sure)
        parts = said.replace(" by ", "\nby ").splitlines()
        return (*(line for part in parts for line in wrap_balanced(part, room, SMALL)), sure)

    def _column_groups(self) -> list[tuple[str, int]]:
        """What is named over the cells, from the left, and over how many of them it stands."""
        groups = getattr(self.overview.votes, "groups", None)
        labels = [label for label, _ in self.column_positions]
        each = [(name, 1) for name in abbreviate_labels(labels, 24)]
        if groups is None:
            return each
        sizes = [len({*labels}.intersection(tasks)) for tasks in groups.values()]
        named = zip(abbreviate_labels(groups, 24), sizes, strict=True)
        of_groups = [(name, size) for name, size in named if size]
        return of_groups if len(of_groups) < len(each) else each

    def _layout_rows(self) -> None:
        """From above: the names over the columns, the rows, the axes."""
        columns = self._column_groups()
        ends = [self.bounds[end] for end in np.cumsum([0, *(size for _, size in columns)])]
        #: The names over the cells, and from where to where each reaches.
        self.spans = [(name, ends[k], ends[k + 1]) for k, (name, _) in enumerate(columns)]
        middles = [(start + end) / 2 for _, start, end in self.spans]
        apart = min(np.diff(middles), default=15)
        level = all(text_width(name, LETTERS) <= end - at - 4 for name, at, end in self.spans)
        #: By how many degrees those names lean: not at all where all fit; and how large they are.
        self.lean = 0 if level else 45 if apart >= _SLANTED_APART else 90
        self.letters = LETTERS if apart >= 15 or level else LETTERS - 1
        self.heads = self._column_headers(middles)
        #: How high the lines are that lead from columns to names that moved apart.
        self.lead = 12 if any(abs(to - at) > 1 for _, at, to in self.heads) else 0
        rules = math.sin(math.radians(self.rules_lean)) * (
            max_text_width(self.rules, LETTERS) + LETTERS
        )
        tasks = max_text_width([name for name, _, _ in self.heads], self.letters) + LETTERS
        over_cells = math.sin(math.radians(self.lean)) * tasks + self.lead
        self.top = 6 + max(rules, over_cells if self.column_positions else 0)
        self.step = 22 if len(self.systems) <= 60 else 13
        self.bottom = self.top + len(self.systems) * self.step
        self.middles = [self.top + (row + 0.5) * self.step for row in range(len(self.systems))]
        strips = [
            strip.caption for strip in (self.of_ranks, self.rating_panel) if strip is not None
        ]
        lines = max(map(len, strips), default=2 if self.column_positions else 0)
        self.height = self.bottom + (24 + 13 * lines if lines else 8)

    def _column_headers(self, middles: list[float]) -> list[tuple[str, float, float]]:
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
        moved = spread_labels([middle for _, middle in shown], _UPRIGHT_APART, end)
        return [(name, at, to) for (name, at), to in zip(shown, moved, strict=True)]
