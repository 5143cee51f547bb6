"""Axes, channels and headings: where names stand, how high rows are, what is shown on pointing."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import altair as alt

from nbrank.charts.channels import nominal, quantitative, tip
from nbrank.charts.colours import FAINT, LEADER
from nbrank.charts.data import Layer, data_of, layer_of
from nbrank.charts.text import balanced, text_width, widest, wrapped
from nbrank.charts.theme import SMALL, TEXT, TITLE, Chart
from nbrank.findings.names import in_brief

#: More rows than this get thin rows.
ROWS_WITH_LABELS = 60
#: So far apart, in pixels, labels don't run into each other.
LINE = 12
#: So wide, in pixels, a name in brief is at most, in the fonts of any system.
_LIMIT = 280
#: So wide, in pixels, the lines of a heading are at least, where it is that long.
_HEADING = 340
#: How steep names over columns are.
_SLANT = math.radians(40)
#: From the name of a field to its axis.
Across = Callable[[str], alt.X]


def in_brief_on_axis(names: Sequence[str], brief: Sequence[str] | None = None) -> Any:
    """Write the expression by which an axis shows long names in brief; undefined without any."""
    shown = in_brief(names) if brief is None else list(brief)
    if shown == list(names):
        return alt.Undefined
    return label_expression(dict(zip(names, shown, strict=True)))


def label_expression(texts: Mapping[str, str] | Mapping[int, str]) -> str:
    """Write the expression by which an axis or a legend shows a text for each of its values."""
    return f"({json.dumps(texts)})[datum.value]"


def row_step(n_rows: int) -> int:
    """How many pixels high a row is, where all rows have to be seen at once."""
    return 20 if n_rows <= ROWS_WITH_LABELS else max(4, 1200 // n_rows)


class Table:
    """Rows of which each has a name, and columns, if they have names, too.

    One may scroll through the rows, and each is labelled, unless one says how high they are; the
    columns are as wide, unless one says so. `shown` are the names of the rows in brief.
    """

    def __init__(
        self,
        names: Sequence[str],
        columns: Sequence[str] = (),
        high: int | None = None,
        wide: float | None = None,
        shown: Sequence[str] | None = None,
    ) -> None:
        self.names, self.columns = list(names), list(columns)
        self.shown = in_brief(names) if shown is None else shown
        self.high = high or (20 if len(names) <= ROWS_WITH_LABELS else LINE)
        self.wide = wide or self.high

    @classmethod
    def square(cls, names: Sequence[str]) -> Table:
        """A row and a column for each name, all of which have to be seen at once."""
        return cls(names, names, row_step(len(names)))

    def layer(self, data: Mapping[str, Any], row: str = "system", column: str = "") -> alt.Chart:
        """What is drawn of some data, in the rows, and columns, that these fields name."""
        x = self.across(column) if column else alt.Undefined
        drawn: alt.Chart = layer_of(data).encode(x=x, y=self.down(row))
        return drawn

    def down(self, field: str) -> alt.Y:
        """The rows, named on their left in brief; every name, unless they would collide."""
        axis = alt.Axis(
            minExtent=10 + widest(self.shown, SMALL),
            labelLimit=_LIMIT,
            labelExpr=in_brief_on_axis(self.names, self.shown),
            labelOverlap="greedy" if self.high < LINE else False,
            labelFontSize=10 if self.high > LINE else 9,
            title=None,
        )
        return alt.Y(**nominal(field), scale=alt.Scale(domain=self.names), axis=axis)

    def across(self, field: str) -> alt.X:
        """The columns, named above them: upright names where they stand close together."""
        narrow, brief = self.wide < 20, in_brief(self.columns)
        axis = alt.Axis(
            labelAngle=-90 if narrow else -40,
            minExtent=8 + widest(brief, SMALL) * (1 if narrow else math.sin(_SLANT)),
            labelOverlap="greedy" if narrow else False,
            labelFontSize=min(10, max(9, self.wide - 2)),
            labelLimit=_LIMIT,
            labelExpr=in_brief_on_axis(self.columns, brief),
            title=None,
            orient="top",
        )
        # The order is the scale's: layers of different data would not agree on one of their own.
        return alt.X(**nominal(field), scale=alt.Scale(domain=self.columns), axis=axis)

    def ranks(self, highest: int, beyond: float = 0.0) -> Across:
        """The axis of ranks below the rows, up to the highest, and so many more beyond."""
        last = max(len(self.names), highest)
        return self.numbers(
            "rank (1 is best)",
            [0.5, last + 0.5 + beyond],
            values=whole_ticks(1, last),
            format="d",
            titleAnchor="start" if beyond else alt.Undefined,
        )

    def numbers(self, title: str, ends: Sequence[float] | None = None, **look: Any) -> Across:
        """An axis of numbers below the rows, or above, where one would scroll down to it."""
        side = "top" if len(self.names) > ROWS_WITH_LABELS else "bottom"
        return across(ends, axis=alt.Axis(**{"title": title, "orient": side, **look}))

    def bars(
        self,
        data: Mapping[str, Any],
        x: Across,
        fields: tuple[str, str, str],
        tooltip: Sequence[alt.Tooltip],
        colours: tuple[str, str] | None = None,
    ) -> list[alt.Chart]:
        """A row for each name: a bar from one field to another, and a point at a third."""
        (low, high, point), (of_bar, of_point) = fields, colours or (LEADER, LEADER)
        base = self.layer({"system": self.names, **data}).encode(
            tooltip=[tip("system:N"), *tooltip]
        )
        width, opacity = max(2, self.high // 3), 1 if colours else 0.35
        bars = base.mark_rule(strokeWidth=width, color=of_bar, strokeOpacity=opacity)
        points = base.mark_circle(opacity=1, size=50, color=of_point)
        return [bars.encode(x=x(low), x2=alt.X2(field=high)), points.encode(x=x(point))]

    def chart(
        self, layers: Sequence[alt.Chart], title: str, subtitle: str, width: float = 0
    ) -> alt.LayerChart:
        """Lay drawings on top of each other, the lowest first, with a heading."""
        wide = width or len(self.columns) * self.wide
        high, beyond = len(self.names) * self.high, self._beyond()
        heading: dict[str, Any] = {"title": title, "subtitle": subtitle}
        return layered(layers, width=wide, height=high, left=self.shown, beyond=beyond, **heading)

    def _beyond(self) -> float:
        """How many pixels the slanted names over columns reach beyond the last one."""
        if self.wide < 20 or not self.columns:
            return 0.0
        ends = (
            (place + 0.5) * self.wide + math.cos(_SLANT) * text_width(name, SMALL)
            for place, name in enumerate(in_brief(self.columns))
        )
        return max(0.0, max(ends) - len(self.columns) * self.wide) + 4


def whole_ticks(start: float, end: float) -> list[int]:
    """Where an axis of ranks has ticks: at whole numbers, and not at halves, as Vega's."""
    steps = (digit * 10**power for power in range(9) for digit in (1, 2, 5))
    step = next(step for step in steps if end - start <= 12 * step)
    whole = range(math.ceil(start), math.floor(end) + 1)
    return [tick for tick in whole if tick % step == 0 or tick == 1]


def across(ends: Sequence[float] | None = None, **look: Any) -> Across:
    """An axis of numbers that looks so, from left to right, for any field."""
    scale: Any = alt.Undefined if ends is None else alt.Scale(domain=list(ends), nice=False)
    return lambda field: alt.X(**quantitative(field), scale=scale, **look)


def lanes(spans: Iterable[tuple[float, float]], gap: float) -> list[int]:
    """In which lane each span lies, so that those in one lane keep more than a gap apart."""
    reached: list[float] = []
    found = []
    for start, end in spans:
        lane = next((at for at, last in enumerate(reached) if last + gap < start), len(reached))
        reached[lane : lane + 1] = [end]
        found.append(lane)
    return found


def kept_apart(at: Sequence[float], apart: float, last: float) -> list[float]:
    """As near to where they belong as labels can stand, in their order, none beyond the last."""
    found: list[float] = []
    for place in at:
        found.append(max(place, found[-1] + apart) if found else place)
    below = last + apart
    for label in reversed(range(len(found))):
        found[label] = below = min(found[label], below - apart)
    return found


def layered(
    layers: Sequence[alt.Chart],
    *,
    width: float,
    height: float,
    title: str = "",
    subtitle: str = "",
    frame: bool = True,
    left: Sequence[str] = (),
    right: Sequence[str] = (),
    beyond: float = 0.0,
) -> alt.LayerChart:
    """Lay drawings on top of each other, the lowest first, with a heading."""
    start, end = -_width_of(left), width + _width_of(right) + beyond
    # A heading begins where the names do, and is as wide as the chart, or as one can read.
    said = widest([title], TITLE, bold=True), widest([subtitle], TEXT)
    wide = max(end - start, min(_HEADING, max(said)))
    room = [_room_for(start, start + wide)] if title or left or right else []
    heading: Any = alt.Undefined
    if title:
        lines = balanced(title, wide, TITLE, bold=True), wrapped(subtitle, wide, TEXT)
        text, below = (line if len(line) > 1 else "".join(line) for line in lines)
        heading = alt.TitleParams(text, subtitle=below)
    return Chart(
        layer=[*layers, *room],
        width=width,
        height=height,
        title=heading,
        view=alt.ViewBackground(stroke=FAINT) if frame else alt.Undefined,
    )


def _width_of(names: Sequence[str]) -> float:
    """How many pixels wide names are on an axis, in as wide a font as a browser may have."""
    return 14 + widest(names, 11) if names else 0.0


def beside(labels: Iterable[str]) -> float:
    """How many pixels a legend takes on the right of a chart."""
    return 60 + widest(labels, SMALL)


def _room_for(start: float, end: float) -> alt.Chart:
    """Nothing to see, from here to there: names fit also where a browser's font is wider."""
    mark = Layer(data_of({"room": [end - start]})).mark_rule(opacity=0, tooltip=None)
    # Not `alt.value`, from which Altair finds the classes only after a long search.
    room: alt.Chart = mark.encode(
        x=alt.XValue(start),  # type: ignore[no-untyped-call]
        x2=alt.X2Value(end),  # type: ignore[no-untyped-call]
        y=alt.YValue(0),  # type: ignore[no-untyped-call]
    )
    return room
