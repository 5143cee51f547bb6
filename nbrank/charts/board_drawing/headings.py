"""Names over columns: always level, each as low as there is room, a line down to its column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from nbrank.charts.text_metrics import cut_text, max_text_width, text_width

#: Distances in pixels: between names of one level, and between names and lines.
_APART, _BESIDE = 4.0, 2.0
#: Minimum width to which a name is cut, as a multiple of the font size.
_LEAST_EMS = 1.6


@dataclass(frozen=True)
class Column:
    """A heading over columns: its lines, and the middle of the columns.

    The lines of another name may begin at a higher level. `base` is the lowest free level.
    """

    name: str
    middle: float
    lines: tuple[str, ...] = ()
    bold: bool = False
    base: int = 0
    key: str = ""


@dataclass(frozen=True)
class Heading:
    """A name over a column: its lines from above, where their middle is, and how high they stand.

    The line down, from level 1 on, leads to `foot`.
    """

    column: Column
    lines: tuple[str, ...]
    x: float
    level: int

    @property
    def foot(self) -> float:
        """The middle of the named columns."""
        return self.column.middle

    @property
    def top(self) -> int:
        """The highest level that it takes."""
        return self.level + len(self.lines) - 1


class HeadingPlacer:
    """Places names from right to left, each at the lowest level where it crosses nothing.

    A name that is wider than its column begins at its line, so that names on its left have room
    above it.
    """

    def __init__(self, left: float, right: float, size: float, levels: int) -> None:
        self.left, self.right, self.size, self.levels = left, right, size, levels
        self._boxes: list[tuple[float, float, int]] = []
        self._leads: list[tuple[float, int]] = []

    def block(self, start: float, end: float, level: int) -> None:
        """Keep a stretch of a level free."""
        self._boxes.append((start, end, level))

    def place(self, columns: Sequence[Column]) -> list[Heading]:
        """Return the names that have room, from the left; those in bold choose first."""
        placed = []
        order = sorted(range(len(columns)), key=lambda at: (not columns[at].bold, -at))
        for at in order:
            before = columns[at - 1].middle if at else self.left - 1e6
            heading = self._heading(columns[at], before)
            if heading is not None:
                wide = max_text_width(heading.lines, self.size, bold=heading.column.bold)
                for level in range(heading.level, heading.top + 1):
                    self.block(heading.x - wide / 2, heading.x + wide / 2, level)
                if heading.level > heading.column.base:
                    self._leads.append((heading.foot, heading.level))
                placed.append(heading)
        return sorted(placed, key=lambda heading: heading.foot)

    def _heading(self, column: Column, before: float) -> Heading | None:
        options = [column.lines or (column.name,)]
        if len(options[0]) > 1:
            options.append((" ".join(options[0]),))
        for level in range(column.base, self.levels):
            for lines in options:
                if level + len(lines) > self.levels:
                    continue
                wide = max_text_width(lines, self.size, bold=column.bold)
                raised = level > column.base
                for x in self._middles(column.middle, wide, before, is_raised=raised):
                    if self._is_free(column, x, wide, level, len(lines)):
                        return Heading(column, lines, x, level)
        return self._cut_heading(column)

    def _middles(
        self, middle: float, wide: float, before: float, *, is_raised: bool
    ) -> list[float]:
        """Return positions for the middle of a name: over its column, or beginning there."""
        results = []
        if middle - wide / 2 > before + _BESIDE:
            results.append(middle)
        beginning, ending = middle + wide / 2 - 3, self.right - wide / 2
        if ending < beginning and ending - wide / 2 > before + _BESIDE:
            results.append(ending)
        # On a higher line, a name at the edge may extend over the names on its left.
        return [*results, beginning, *[ending] * (is_raised and ending < beginning)]

    def _is_free(self, column: Column, x: float, wide: float, level: int, lines: int) -> bool:
        start, end = x - wide / 2, x + wide / 2
        if start < self.left or end > self.right:
            return False
        taken = range(level, level + lines)
        if any(
            start < high + _APART and low < end + _APART and at in taken
            for low, high, at in self._boxes
        ):
            return False
        if any(
            start - _BESIDE < foot < end + _BESIDE and level < above for foot, above in self._leads
        ):
            return False
        return not any(
            low - _BESIDE < column.middle < high + _BESIDE and at < level
            for low, high, at in self._boxes
            if at >= column.base
        )

    def _cut_heading(self, column: Column) -> Heading | None:
        """Cut a name to its beginning, at the level with the most room."""
        best: Heading | None = None
        room = 0.0
        for level in range(column.base, self.levels):
            start = column.middle - 3
            ends = [low - _APART for low, high, at in self._boxes if at == level and high > start]
            ends += [
                foot - _BESIDE for foot, above in self._leads if foot > start and above > level
            ]
            wide = min([self.right, *ends]) - start
            text = cut_text(column.name, wide, self.size, bold=column.bold)
            own = text_width(text, self.size, bold=column.bold)
            if (
                wide > max(room, _LEAST_EMS * self.size)
                and own <= wide
                and self._is_free(column, start + own / 2, own, level, 1)
            ):
                best, room = Heading(column, (text,), start + own / 2, level), wide
        return best


def place_headings(
    columns: Sequence[Column],
    bounds: tuple[float, float],
    size: float,
    blocks: Sequence[tuple[float, float, int]] = (),
    max_levels: int = 5,
) -> list[Heading]:
    """Return the names in three levels, or in more where one of them would be cut else."""
    placed: list[Heading] = []
    for levels in range(3, max_levels + 1):
        placer = HeadingPlacer(*bounds, size, levels)
        for block in blocks:
            placer.block(*block)
        placed = placer.place(columns)
        whole = sum(heading.lines[-1][-1:] != "…" for heading in placed)
        if whole == len(columns):
            break
    # A beginning that several names share identifies none of them.
    return [
        heading
        for heading in placed
        if heading.lines[-1][-1:] != "…"
        or sum(column.name.startswith(heading.lines[-1][:-1]) for column in columns) == 1
    ]


def level_headings(names: Sequence[str], widths: Sequence[float], *, bold: bool) -> list[str]:
    """Place names level over columns of given widths in letters; return the CSS of each."""
    size, styles = 10.0, [""] * len(names)
    starts = [size * start for start in accumulate(widths, initial=0.0)]
    columns = [
        Column(name, sum(ends) / 2, bold=bold, key=str(at))
        for at, (name, ends) in enumerate(zip(names, pairwise(starts), strict=True))
    ]
    # The last name may end beyond its column.
    bounds = -6 * size, starts[-1] + 3 * size
    placed = place_headings(columns, bounds, size, max_levels=max(len(names), 3))
    if len(placed) < len(columns):
        # Stairs have room for every name: each begins at its line, above those on its right.
        levels = reversed(range(len(columns)))
        placed = [
            Heading(one, (one.name,), one.middle - 3 + text_width(one.name, size) / 2, level)
            for one, level in zip(columns, levels, strict=True)
        ]
    for heading in placed:
        at, half = int(heading.column.key), text_width(heading.lines[0], size, bold=bold) / 2
        left = (heading.x - half - starts[at]) / size
        styles[at] = f"--up: {1.2 * heading.level:.1f}em; --left: {left:.2f}em"
    return styles
