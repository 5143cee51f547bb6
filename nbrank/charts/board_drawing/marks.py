"""The rows of the picture: names, ranks by each rule, intervals, and cells of places or wins."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from html import escape
from typing import cast

import numpy as np
from numpy.typing import NDArray

from nbrank.charts.board_drawing.columns import AxisPanel
from nbrank.charts.board_drawing.layout import BoardLayout
from nbrank.charts.board_drawing.sheet import BASELINE, HALO, Sheet, write_attributes, write_element
from nbrank.charts.board_drawing.sizes import place_class, share_class
from nbrank.charts.text_metrics import text_width
from nbrank.comparison.pairwise_wins import compared, pairwise
from nbrank.findings.labels import format_percent, rule_title
from nbrank.votes.formatting import Label
from nbrank.votes.leaderboard import Leaderboard

#: Outline of a mark that shows an earlier rank.
_DASHED = {"stroke": "var(--ink)", "stroke_width": 1.1, "stroke_dasharray": "2 1.6"}


@dataclass(frozen=True)
class BoardMarks:
    """Draws the rows of a layout; `cells` has the cells of each row."""

    page: BoardLayout
    sheet: Sheet
    cells: Sequence[Sequence[Cell]]

    def draw_rows(self) -> None:
        """Draw a row for each system, as a group with a title."""
        page = self.page
        places = place_marks(page)
        self.sheet.open(role="list")
        for row, system in enumerate(page.systems):
            title = self._row_title(row, system)
            self.sheet.open(
                class_="row",
                role="listitem",
                aria_label=title,
                data_name=page.names[system] if page.live is not None else None,
                transform=f"translate(0 {page.top + row * page.row:.1f})",
            )
            self.sheet.title(title)
            self._draw_ground(system)
            self._draw_name(system)
            self._draw_ranks(row)
            self._draw_intervals(row, system, places[row] if places is not None else [])
            if self.cells:
                self._draw_cells(self.cells[row])
            self.sheet.close()
        self.sheet.close()

    # ------------------------------------------------------------------------------ a row

    def _row_title(self, row: int, system: Label) -> str:
        page = self.page
        parts = [f"rank {page.rank_texts[system]} by {rule_title(page.overview.rule)}"]
        if (was := page.rank_before(system)) is not None:
            parts[0] += f", {was} at the start"
        if system in page.best:
            parts.append("may be best")
        if page.rank_ends is not None:
            low, high = page.rank_ends[row]
            parts.append(f"ranks {low:.0f} to {high:.0f}" if low < high else f"rank {low:.0f} only")
        if page.rated is not None:
            parts.append(f"strength {page.rated['strength'].iloc[row]:.4g}")
        others = [
            f"{page.rule_texts[rule][row]} by {rule_title(rule)}"
            for rule in page.rules.middles
            if rule != page.overview.rule
        ]
        text = "; ".join(parts) + (f"; {', '.join(others)}" if others else "")
        return f"{page.names[system]}: {text}"

    def _draw_ground(self, system: Label) -> None:
        page = self.page
        edge, wide = page.band
        fill = "best-row" if system in page.best else "ground"
        self.sheet.rect(edge, 0, wide, page.row + 0.4, fill, class_="ground")
        if page.live is not None and page.live.selected_system == system:
            frame = {"stroke": "var(--ink)", "stroke_width": 1.6, "rx": 3}
            self.sheet.rect(edge + 1, 1, wide - 2, page.row - 2, "none", **frame)

    def _draw_name(self, system: Label) -> None:
        page, size = self.page, self.page.sizes.letters
        bold, middle = system in page.best, page.row / 2
        base, colour = middle + BASELINE * size, "ink" if bold else "second"
        rank = page.rank_texts[system]
        self.sheet.text(page.rank_end, base, rank, colour, size, "end", bold=bold)
        if bold:
            self.sheet.dot(page.dot, middle, 0.33 * size, "best")
        lines = page.lines[system]
        step = min(1.05 * size, page.row / 2)
        for at, line in enumerate(lines):
            y = base + (at - (len(lines) - 1) / 2) * step
            self.sheet.text(page.name_start, y, line, "ink", size, bold=bold)
        if (was := page.rank_before(system)) is not None:
            moved = was - page.ranks[system]
            sign, colour = ("▲", "gained") if moved > 0 else ("▼", "lost")
            text = f"{sign}{abs(moved)}"
            self.sheet.text(page.move_end, base, text, colour, 0.9 * size, "end", bold=True)

    def _draw_ranks(self, row: int) -> None:
        """Draw the ranks by each rule, on the shade of their class."""
        page, size = self.page, self.page.sizes.letters
        high = 1.55 * size
        wide = page.rules.width - max(2.0, 0.2 * size)
        y = page.row / 2 + BASELINE * size
        self.sheet.open(text_anchor="middle", font_size=f"{size:.1f}")
        for rule, middle in page.rules.middles.items():
            text = page.rule_texts[rule][row]
            if text == "–":
                self.sheet.text(middle, y, text, "third")
                continue
            rank = int(text.removeprefix("="))
            shade = place_class(rank, page.n_systems)
            left, top = middle - wide / 2, (page.row - high) / 2
            self.sheet.rect(left, top, wide, high, f"p{shade}", rx=high / 2)
            self.sheet.text(middle, y, text, f"t{shade}", bold=rank == 1)
        self.sheet.close()

    def _draw_intervals(self, row: int, system: Label, places: list[float]) -> None:
        page = self.page
        best = system in page.best
        if page.rank_axis is not None:
            own = None if page.rank_ends is None else page.rank_ends[row]
            self._draw_interval(page.rank_axis, own, page.ranks[system], places, best=best)
            if (was := page.rank_before(system)) is not None:
                x, size = page.rank_axis.to_pixels(was), page.sizes.letters
                self.sheet.dot(x, page.row / 2, 0.37 * size, "none", **_DASHED)
        if page.rating_axis is not None:
            strength, low, high = page.rated[["strength", "low", "high"]].iloc[row].tolist()
            interval = None if math.isnan(low) else (low, high)
            self._draw_interval(page.rating_axis, interval, strength, [], best=best)

    def _draw_interval(
        self,
        panel: AxisPanel,
        interval: tuple[float, ...] | None,
        point: float,
        places: list[float],
        *,
        best: bool,
    ) -> None:
        """Draw a bar over the interval of a number, a dot at the number, and marks of places."""
        page, size = self.page, self.page.sizes.letters
        middle = page.row / 2
        for at, (_, x) in enumerate(panel.ticks):
            if at == 0 or not page.sizes.is_narrow:
                colour = "line" if at == 0 and panel is page.rank_axis else "grid"
                self.sheet.line(x, 0, x, page.row, colour)
        for place in sorted(set(places)):
            x = panel.to_pixels(place)
            self.sheet.line(x, middle - 0.8 * size, x, middle + 0.8 * size, "third", 0.8)
        if interval is not None:
            low, high = (panel.to_pixels(end) for end in interval)
            thick = 0.42 * size
            colour = "line" if page.is_pending else "best-bar" if best else "bar"
            start, top, wide = low - thick / 2, middle - thick / 2, high - low + thick
            self.sheet.rect(start, top, wide, thick, colour, rx=thick / 2)
        self.sheet.dot(panel.to_pixels(point), middle, 0.37 * size, "ink", **HALO)

    @cached_property
    def _cell_starts(self) -> list[tuple[str, str]]:
        """How each column's shades and texts begin: they are alike but for the class."""
        page, starts = self.page, []
        gap, baseline = 0.1 * page.sizes.letters, page.row / 2 + BASELINE * page.sizes.small
        high = page.row - 2 * gap
        for column in page.columns:
            box = {"x": column.start, "y": gap, "width": column.width, "height": high}
            task = {"data_task": column.full_name} if page.live is not None else {}
            more = write_attributes(task) + ' rx="2"' * (column.width > 8)
            text = write_attributes({"x": column.middle, "y": baseline})
            starts.append((f"<rect{write_attributes(box)}{more}", f"<text{text}"))
        return starts

    def _draw_cells(self, cells: Sequence[Cell]) -> None:
        """Draw the shades, each with a title, and the texts over them, which hide no title."""
        page, sheet, texts = self.page, self.sheet, []
        gap, middle = 0.1 * page.sizes.letters, page.row / 2
        for column, cell, (box, start) in zip(page.columns, cells, self._cell_starts, strict=True):
            if cell.is_itself:
                inset = 0.3 * column.width
                sheet.line(column.start + inset, middle, column.end - inset, middle, "line")
            elif cell.shade is None:
                place = column.start, gap, column.width, page.row - 2 * gap
                task = column.full_name if page.live is not None else None
                sheet.outline(*place, cell.title, data_task=task)
            else:
                sheet.parts.append(f'{box} fill="var(--p{cell.shade})">{cell.title}</rect>')
            if cell.text:
                bold = ' font-weight="700"' * (cell.shade == 1)
                fill = f' fill="var(--t{cell.shade})"'
                texts.append(f"{start}{fill}{bold}>{escape(cell.text)}</text>")
        sheet.open(text_anchor="middle", font_size=f"{page.sizes.small:.1f}", pointer_events="none")
        sheet.parts += texts
        sheet.close()


@dataclass(frozen=True)
class Cell:
    """A cell: its class from 1 to 5, None for a missing score; its text and its title."""

    shade: int | None
    text: str
    says: str
    is_itself: bool = False

    @cached_property
    def title(self) -> str:
        """The title as SVG."""
        return write_element("title", escape(self.says))


def compute_cells(page: BoardLayout) -> list[list[Cell]]:
    """Compute the cells of each row, in the order of the columns."""
    if not page.columns:
        return []
    return _win_cells(page) if page.overview.places is None else _place_cells(page)


def shared_places(page: BoardLayout) -> NDArray[np.float64]:
    """Return the places on the tasks; tied systems have the first of theirs, as with ranks."""
    assert page.overview.places is not None
    places = page.overview.places.to_numpy(dtype=float)[:, page.task_positions]
    columns = [np.searchsorted(np.sort(column), column) + 1.0 for column in places.T]
    first: NDArray[np.float64] = np.where(np.isnan(places), np.nan, np.array(columns).T)
    return first


def place_marks(page: BoardLayout) -> list[list[float]] | None:
    """Return the places of each system that are drawn as marks on the axis of ranks."""
    if page.columns or page.overview.places is None:
        return None
    places = shared_places(page)[page.table_rows]
    return [[place for place in row if not math.isnan(place)] for row in places.tolist()]


def _place_cells(page: BoardLayout) -> list[list[Cell]]:
    assert page.overview.places is not None
    board = cast("Leaderboard", page.overview.votes)
    ballots, size = page.task_noun == "ballot", page.sizes.small
    places = shared_places(page)
    scores = board.task_scores().to_numpy(dtype=float)[page.table_rows][:, page.task_positions]
    columns = []
    for at, column in enumerate(page.columns):
        values = None if ballots else scores[:, at].tobytes()
        every, shown = places[:, at].tobytes(), page.table_rows.tobytes()
        cells, bare, widest = _column_cells(column.full_name, every, shown, values, size)
        # If one of the texts doesn't fit, none is written.
        columns.append(cells if widest <= column.width - 2 else bare)
    return [list(row) for row in zip(*columns, strict=True)]


@lru_cache(256)
def _column_cells(
    name: str, places: bytes, shown: bytes, scores: bytes | None, size: float
) -> tuple[list[Cell], list[Cell], float]:
    """The cells of a task with and without texts, and how wide the widest is, at any weight.

    `places` are those of all systems, `shown` the rows that are drawn. Of ballots, which have no
    scores, the places are written.
    """
    every = np.frombuffer(places)
    ranks, number = every[np.frombuffer(shown, np.intp)].tolist(), Counter(every.tolist())
    of = int(np.isfinite(every).sum())
    values = ranks if scores is None else np.frombuffer(scores).tolist()
    if scores is None:
        texts = ["" if math.isnan(rank) else f"{rank:g}" for rank in ranks]
    else:
        texts = format_scores(values)
    cells = []
    for rank, value, text in zip(ranks, values, texts, strict=True):
        if math.isnan(rank):
            cells.append(Cell(None, "", f"{name}: no score"))
            continue
        others = f", shared by {number[rank]}" if number[rank] > 1 else ""
        score = "" if scores is None else f"{value:.6g}, ".replace("-", "−")
        says = f"{name}: {score}place {rank:g} of {of}{others}"
        cells.append(Cell(place_class(rank, len(every)), text, says))
    widest = max(text_width(cell.text, size, bold=cell.shade == 1) for cell in cells)
    return cells, [replace(cell, text="") for cell in cells], widest


def _win_cells(page: BoardLayout) -> list[list[Cell]]:
    """Compute cells that say how often each row beat each column; the diagonal is empty."""
    votes, systems = page.overview.votes, page.systems
    cells = np.ix_(*2 * [votes.find_positions(systems)])
    met = compared(votes).to_numpy()[cells]
    with np.errstate(invalid="ignore", divide="ignore"):
        share = pairwise(votes).to_numpy()[cells] / met
    names = [page.names[system] for system in systems]
    size = page.sizes.small
    fits = page.columns[0].end - page.columns[0].start - 2 >= text_width("100", size, bold=True)
    rows = []
    for at, name in enumerate(names):
        row = []
        for other, won, number in zip(names, share[at].tolist(), met[at].tolist(), strict=True):
            if name == other:
                row.append(Cell(None, "", name, is_itself=True))
            elif not number:
                row.append(Cell(None, "", f"{name} and {other} never met"))
            else:
                says = f"{name} won {format_percent(won)} of {number:,.6g} against {other}"
                text = f"{100 * won:.0f}" if fits else ""
                row.append(Cell(share_class(won), text, says))
        rows.append(row)
    return rows


def format_scores(values: list[float]) -> list[str]:
    """Write the scores of a task with as many decimals as they need: 93.5, 0.71, 1203."""
    known = [value for value in values if math.isfinite(value)]
    most = max(map(abs, known), default=0.0)
    whole = all(value == round(value) for value in known)
    digits = 0 if whole or most >= 1000 else 1 if most >= 10 else 2
    if most >= 1e5:
        return [f"{value:.2g}" if math.isfinite(value) else "" for value in values]
    return [
        ""
        if not math.isfinite(value)
        else "100"
        if value == 100
        else f"{value + 0.0:.{digits}f}".replace("-", "−")
        for value in values
    ]
