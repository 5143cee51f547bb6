"""Where everything stands in the picture of a leaderboard, in pixels; texts are measured once."""

from __future__ import annotations

from collections import Counter

from nbrank.charts.board_drawing import columns
from nbrank.charts.board_drawing.shown_board import MAX_ROWS, LiveOptions, ShownBoard
from nbrank.charts.board_drawing.sizes import SCREEN, Sizes
from nbrank.charts.text_metrics import cut_text, max_text_width, text_width, wrap_alike, wrap_name
from nbrank.findings.overview import Overview
from nbrank.votes.formatting import Label

#: Share by which the column of a rule may grow if the picture has room.
_WIDER_RULE = 0.6
#: Minimum width of a cell that users click, as a share of the usual minimum.
_CLICKED_CELL = 0.7


class BoardLayout(ShownBoard):
    """Where everything stands, in pixels from the corner above and on the left.

    Widths are given out from the left: the names, the ranks by each rule, the ranks that may be,
    and what is left to the tasks.
    """

    def __init__(
        self,
        overview: Overview,
        top: int = MAX_ROWS,
        width: float | None = None,
        live: LiveOptions | None = None,
    ) -> None:
        sizes = Sizes.at_width(SCREEN if width is None else width)
        super().__init__(overview, top, sizes, live)
        self._layout_columns(width)
        self._layout_rows()

    def _layout_names(self) -> tuple[float, float]:
        """Place ranks and names; returns how wide the names are at least, and the widest."""
        sizes, fs = self.sizes, self.sizes.letters
        numbers = max_text_width([self.rank_texts[s] for s in self.systems], fs, bold=True)
        self.rank_end = sizes.margin + numbers + (0 if sizes.is_narrow else 0.5 * fs)
        self.dot = self.rank_end + 0.9 * fs
        self.name_start = self.rank_end + (1.65 if self.best else 0.8) * fs
        full = [self.names[system] for system in self.systems]
        widest = max_text_width(full, fs, bold=bool(self.best)) + 2
        share = 0.28 if sizes.is_narrow else 0.18
        return min(widest, max(share * sizes.width, 5 * fs)), widest

    def _layout_columns(self, width: float | None) -> None:
        sizes = self.sizes
        fs, gap = sizes.letters, sizes.gap
        names, widest = self._layout_names()
        texts = [text for column in self.rule_texts.values() for text in column]
        rule_width = max(sizes.rule, max_text_width(texts, fs) + 0.9 * fs)
        edge, n = sizes.width - sizes.margin, len(self.cell_shares)
        axes = int(self.sets is not None) + int(self.rated is not None)
        ticks = self.overview.places is not None and n > 0
        # In the column of a paper, places on tasks are drawn as marks on the axis of ranks.
        if sizes.is_narrow and ticks:
            axes = max(axes, 1)
        beside = (sizes.axis + gap) * axes
        left = self.name_start + names + 0.7 * fs
        if self.live is not None and self.live.before is not None:
            left += 2.1 * fs  # for how far a system moved
        # A narrower cell is not worth drawing.
        room, cells_least = edge - left - beside, n * max(12.0, 0.6 * fs)
        if self.live is not None and self.live.needs_cells and not sizes.is_narrow:
            cells_least *= _CLICKED_CELL
            room -= gap + cells_least
        families, blocks = columns.rules_by_family(self, room, rule_width)
        slack = edge - left - sum(blocks) - sizes.family_gap * (len(blocks) - 1) - beside
        self.has_cells = not sizes.is_narrow and n > 0 and slack - gap >= cells_least
        cells, named = 0.0, []
        if self.has_cells:
            # The names of a few tasks fit side by side.
            named = columns.column_names(self)
            widest_name = max_text_width([name for _, name in named], sizes.small)
            most = max(3.6 * fs, min(widest_name + fs, 9 * fs))
            cells = min(slack - gap, most * max(n, 2))
            slack -= cells + gap
        elif axes == 0 and ticks:
            axes, slack = 1, slack - sizes.axis - gap
        longer = max(0.0, min(slack, widest - names))
        self.name_width, slack = names + longer, max(0.0, slack - longer)
        more = sizes.axis * (0.8 if self.has_cells else 3.0)
        if width is None and self.has_cells:
            more = 0.0
        axis = sizes.axis + min(slack / max(axes, 1), more)
        if width is not None:
            # The columns of a small table share the remaining width of a wide picture.
            slack -= axes * (axis - sizes.axis)
            numbers_of = [len(rules) for rules in families.values()]
            wider = min(slack / sum(numbers_of), _WIDER_RULE * rule_width)
            blocks = [
                room + number * wider for room, number in zip(blocks, numbers_of, strict=True)
            ]
            rule_width += wider
            cells += slack - wider * sum(numbers_of)
        self.move_end = left + longer - 0.5 * fs
        self.rules = columns.layout_rules(self, families, blocks, rule_width, left + longer)
        x = self._place_axes(self.rules.end, axis, has_ticks=ticks and not self.has_cells)
        self.columns = columns.layout_cells(self, named, x + gap, cells) if self.has_cells else []
        end = self.columns[-1].end if self.columns else x
        least = min(max(end + sizes.margin, 40 * fs), sizes.width)
        self.width = least if width is None else sizes.width
        edge = 0.0 if sizes.is_narrow else sizes.margin / 2
        #: Left and right end of the colored band of a row, which is no wider than its content.
        self.band = edge, min(end + 0.8 * fs, self.width - edge) - edge

    def _place_axes(self, x: float, width: float, *, has_ticks: bool) -> float:
        """Place the axes of ranks and of strengths from a place on; returns where they end."""
        gap, size = self.sizes.gap, self.sizes.letters
        self.rank_axis: columns.AxisPanel | None = None
        self.rating_axis: columns.AxisPanel | None = None
        if self.sets is not None or has_ticks:
            self.rank_axis = columns.make_rank_axis(self, x + gap + 0.5 * size, width - size)
            x += gap + width
        if self.rated is not None:
            self.rating_axis = columns.make_rating_axis(self, x + gap + 0.5 * size, width - size)
            x += gap + width
        return x

    def _layout_rows(self) -> None:
        """Lay out the names over the columns and the rows, from top to bottom."""
        sizes, fs = self.sizes, self.sizes.letters
        left = self.name_start + 0.3 * self.name_width
        self.rule_headings = columns.rule_headings(self, self.rules, left, self.width - 1)
        self.cell_headings = columns.cell_headings(self, self.columns, self.width - 2)
        placed = (*self.rule_headings, *self.cell_headings.placed)
        levels = max(heading.top + 1 for heading in placed)
        #: From top to bottom: the names of the families, a line, the names of the rules, the rows.
        self.spanner_line = 1.5 * fs
        self.heading_foot = self.spanner_line + 0.55 * fs + levels * sizes.line
        self.top = self.heading_foot + 0.55 * fs
        row = sizes.row
        if sizes.is_projected and self.live is None:
            room = sizes.width * 0.5625 - self.top - 18 * fs
            row = min(max(row, room / len(self.systems)), 2.75 * fs)
        self.row = row
        self.lines = self._name_lines()
        self.bottom = self.top + len(self.systems) * row

    def _name_lines(self) -> dict[Label, list[str]]:
        """Return the name of each system in one or two lines, all different."""
        size, width = self.sizes.letters, self.name_width
        results: dict[Label, list[str]] = {}
        for wrap in (wrap_name, wrap_alike):
            number = Counter(map(tuple, results.values()))
            for system in self.systems:
                if number[tuple(results.get(system, ()))] != 1:
                    bold = system in self.best
                    results[system] = wrap(self.names[system], width, size, bold=bold)
        number = Counter(map(tuple, results.values()))
        for system, lines in results.items():
            if number[tuple(lines)] > 1:
                place = f" ({self.position[system] + 1})"
                room = width - text_width(place, size, bold=True)
                results[system] = [lines[0], cut_text(lines[-1], room, size, bold=True) + place]
        return results
