"""Axes, channels and headings: where names stand, how high rows are, what is shown on pointing."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd

from nbrank.charts.layers import inline_data, make_layer, nominal, quantitative, tooltip_fields
from nbrank.charts.palette import FAINT, LEADER
from nbrank.charts.text_metrics import max_text_width, text_width, wrap_balanced, wrap_text
from nbrank.charts.theme import SMALL, TEXT, TITLE, Chart
from nbrank.findings.labels import abbreviate_labels
from nbrank.votes.formatting import format_labels

#: More rows than this get thin rows.
ROWS_WITH_LABELS = 60
#: Width of the widest font that a browser may draw charts in, relative to the measured one.
WIDEST_FONT = 1.2
#: Distance in pixels at which labels don't run into each other.
LINE_HEIGHT = 12
#: Maximum width of a shortened name in pixels, in the fonts of any system.
_MAX_LABEL_PIXELS = 280
#: Width in pixels up to which a heading may be wider than its chart.
_HEADING = 340
#: How steep names over columns are.
_LABEL_ANGLE = math.radians(40)
#: Function that makes an axis from the name of a field.
XEncoder = Callable[[str], alt.X]


def check_columns(
    function: str,
    frame: object,
    columns: Sequence[str],
    source: str,
    use: str = "draws",
) -> None:
    """Refuse a frame without the columns that are drawn, and say which function gives one."""
    start = f"charts.{function} {use} what {source} returns"
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"{start}, not {type(frame).__name__}")
    observed = list(frame.columns)
    missing = [column for column in columns if column not in observed]
    if missing:
        raise ValueError(
            f"{start}; this frame has no {format_labels(missing)}, but {format_labels(observed)}"
        )
    if frame.empty:
        raise ValueError(f"{start}; this frame has no rows")
    if not frame.index.is_unique:
        twice = frame.index[frame.index.duplicated()].unique()
        raise ValueError(f"{start}; this frame has duplicate rows: {format_labels(twice)}")


def in_brief_on_axis(names: Sequence[str], brief: Sequence[str]) -> Any:
    """Write the expression by which an axis shows long names in brief; undefined without any."""
    if list(brief) == list(names):
        return alt.Undefined
    return label_expression(dict(zip(names, brief, strict=True)))


def label_expression(texts: Mapping[str, str] | Mapping[int, str]) -> str:
    """Write the expression by which an axis or a legend shows a text for each of its values."""
    return f"({json.dumps(texts)})[datum.value]"


def row_step(n_rows: int) -> int:
    """Return the height of a row in pixels if all rows must be visible at once."""
    return 20 if n_rows <= ROWS_WITH_LABELS else max(4, 1200 // n_rows)


class RowGrid:
    """Grid of named rows, and of columns if they have names, too.

    One may scroll through the rows, and each is labelled, unless one says how high they are; the
    columns are as wide, unless one says so. `axis_labels` are the names of the rows in brief.
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
        self.axis_labels = abbreviate_labels(names) if shown is None else shown
        self.high = high or (20 if len(names) <= ROWS_WITH_LABELS else LINE_HEIGHT)
        self.wide = wide or self.high

    @property
    def has_aria_labels(self) -> bool:
        """Whether each cell has a text for screen readers; a large grid would have too many."""
        return len(self.names) <= ROWS_WITH_LABELS

    @classmethod
    def from_names(cls, names: Sequence[str]) -> RowGrid:
        """Make a grid with a row and a column for each name, all visible at once."""
        return cls(names, names, row_step(len(names)))

    def place_layer(
        self, data: Mapping[str, Any], row: str = "system", column: str = ""
    ) -> alt.Chart:
        """Place marks of some data in the rows, and columns, that these fields name."""
        x = self.x_axis(column) if column else alt.Undefined
        drawn: alt.Chart = make_layer(data).encode(x=x, y=self.y_axis(row))
        return drawn

    def y_axis(self, field: str) -> alt.Y:
        """Make the axis of the rows, with short names on the left, but none that would collide."""
        axis = alt.Axis(
            minExtent=10 + max_text_width(self.axis_labels, SMALL),
            labelLimit=_MAX_LABEL_PIXELS,
            labelExpr=in_brief_on_axis(self.names, self.axis_labels),
            labelOverlap="greedy" if self.high < LINE_HEIGHT else False,
            labelFontSize=10 if self.high > LINE_HEIGHT else 9,
            title=None,
        )
        return alt.Y(**nominal(field), scale=alt.Scale(domain=self.names), axis=axis)

    def x_axis(self, field: str) -> alt.X:
        """Make the axis of the columns: names above them, upright if the columns are narrow."""
        narrow, brief = self.wide < 20, abbreviate_labels(self.columns)
        axis = alt.Axis(
            labelAngle=-90 if narrow else -40,
            minExtent=8 + max_text_width(brief, SMALL) * (1 if narrow else math.sin(_LABEL_ANGLE)),
            labelOverlap="greedy" if narrow else False,
            labelFontSize=min(10, max(9, self.wide - 2)),
            labelLimit=_MAX_LABEL_PIXELS,
            labelExpr=in_brief_on_axis(self.columns, brief),
            title=None,
            orient="top",
        )
        # The scale has the order, because layers of different data would not agree on one.
        return alt.X(**nominal(field), scale=alt.Scale(domain=self.columns), axis=axis)

    def rank_axis(self, highest: int, padding: float = 0.0) -> XEncoder:
        """Make the axis of ranks below the rows, up to the highest rank and some beyond it."""
        last = max(len(self.names), highest)
        return self.numeric_axis(
            "rank (1 is best)",
            [0.5, last + 0.5 + padding],
            values=whole_ticks(1, last),
            format="d",
            titleAnchor="start" if padding else alt.Undefined,
        )

    def numeric_axis(
        self, title: str, ends: Sequence[float] | None = None, **look: Any
    ) -> XEncoder:
        """Make an axis of numbers below the rows, or above them if there are many."""
        side = "top" if len(self.names) > ROWS_WITH_LABELS else "bottom"
        return make_x_encoder(ends, axis=alt.Axis(**{"title": title, "orient": side, **look}))

    def interval_layers(
        self,
        rows: pd.DataFrame,
        x: XEncoder,
        point: str = "rank",
        digits: str = "",
        colours: tuple[str, str] | None = None,
    ) -> list[alt.Chart]:
        """Make the layers of intervals: for each name a bar from low to high, and a point."""
        of_bar, of_point = colours or (LEADER, LEADER)
        fields = [field for field in (point, "low", "high") if field != "rank"]
        data = {field: rows[field] for field in ("rank", *fields)}
        base = self.place_layer({"system": self.names, **data}).encode(
            tooltip=tooltip_fields("system:N", "rank", *(field + digits for field in fields))
        )
        width, opacity = max(2, self.high // 3), 1 if colours else 0.35
        bars = base.mark_rule(strokeWidth=width, color=of_bar, strokeOpacity=opacity)
        points = base.mark_circle(opacity=1, size=50, color=of_point)
        return [bars.encode(x=x("low"), x2=alt.X2(field="high")), points.encode(x=x(point))]

    def chart(
        self, layers: Sequence[alt.Chart], title: str, subtitle: str, width: float = 0
    ) -> alt.LayerChart:
        """Lay drawings on top of each other, the lowest first, with a heading."""
        return layer_charts(
            layers,
            width=width or len(self.columns) * self.wide,
            height=len(self.names) * self.high,
            title=title,
            subtitle=subtitle,
            left=self.axis_labels,
            beyond=self._label_overhang(),
        )

    def _label_overhang(self) -> float:
        """Return how many pixels the slanted names over columns extend beyond the last one."""
        if self.wide < 20 or not self.columns:
            return 0.0
        ends = (
            (place + 0.5) * self.wide + math.cos(_LABEL_ANGLE) * text_width(name, SMALL)
            for place, name in enumerate(abbreviate_labels(self.columns))
        )
        return max(0.0, max(ends) - len(self.columns) * self.wide) + 4


def whole_ticks(start: float, end: float) -> list[int]:
    """Choose the ticks of an axis of ranks: whole numbers, and not halves as Vega would."""
    steps = (digit * 10**power for power in range(9) for digit in (1, 2, 5))
    step = next(step for step in steps if end - start <= 12 * step)
    whole = range(math.ceil(start), math.floor(end) + 1)
    return [tick for tick in whole if tick % step == 0 or tick == 1]


def make_x_encoder(ends: Sequence[float] | None, **look: Any) -> XEncoder:
    """Make a function that returns a horizontal axis of numbers for a field."""
    scale: Any = alt.Undefined if ends is None else alt.Scale(domain=list(ends), nice=False)
    return lambda field: alt.X(**quantitative(field), scale=scale, **look)


def assign_lanes(spans: Iterable[tuple[float, float]], gap: float) -> list[int]:
    """Assign each span to a lane, so that spans in one lane are more than a gap apart."""
    reached: list[float] = []
    results = []
    for start, end in spans:
        lane = next((at for at, last in enumerate(reached) if last + gap < start), len(reached))
        reached[lane : lane + 1] = [end]
        results.append(lane)
    return results


def spread_labels(positions: Sequence[float], min_gap: float, last: float) -> list[float]:
    """Spread labels to legible distances, in order and near their own positions."""
    results: list[float] = []
    for place in positions:
        results.append(max(place, results[-1] + min_gap) if results else place)
    below = last + min_gap
    for label in reversed(range(len(results))):
        results[label] = below = min(results[label], below - min_gap)
    return results


def layer_charts(
    layers: Sequence[alt.Chart],
    *,
    width: float,
    height: float,
    title: str,
    subtitle: str,
    frame: bool = True,
    left: Sequence[str] = (),
    right: Sequence[str] = (),
    beyond: float = 0.0,
) -> alt.LayerChart:
    """Lay drawings on top of each other, the lowest first, with a heading."""
    start, end = -_label_width(left), width + _label_width(right) + beyond
    # A heading begins where the names begin. It is as wide as the chart, or as a line that is easy
    # to read.
    sentences = max_text_width([title], TITLE, bold=True), max_text_width([subtitle], TEXT)
    wide = max(end - start, min(_HEADING, max(sentences)))
    lines = (
        wrap_balanced(title, wide / WIDEST_FONT, TITLE, bold=True),
        wrap_text(subtitle, wide / WIDEST_FONT, TEXT),
    )
    text, below = (line if len(line) > 1 else "".join(line) for line in lines)
    return Chart(
        layer=[*layers, _make_spacer(start, start + wide)],
        width=width,
        height=height,
        title=alt.TitleParams(text, subtitle=below),
        view=alt.ViewBackground(stroke=FAINT) if frame else alt.Undefined,
    )


def _label_width(names: Sequence[str]) -> float:
    """Return the width in pixels of the names on an axis, in the widest font of a browser."""
    return 14 + WIDEST_FONT * max_text_width(names, 11) if names else 0.0


def _make_spacer(start: float, end: float) -> alt.Chart:
    """Nothing to see, from here to there: names fit also where a browser's font is wider."""
    mark = alt.Chart(inline_data({"room": [end - start]})).mark_rule(opacity=0, tooltip=None)
    # With `alt.value`, Altair would find the classes only after a long search.
    room: alt.Chart = mark.encode(
        x=alt.XValue(start),  # type: ignore[no-untyped-call]
        x2=alt.X2Value(end),  # type: ignore[no-untyped-call]
        y=alt.YValue(0),  # type: ignore[no-untyped-call]
    )
    return room
