"""Axes, channels and headings: where names stand, how high rows are, what is shown on pointing."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

import altair as alt

from nbrank.charts.colours import FAINT, LEADER
from nbrank.charts.data import Layer, data_of, layer_of
from nbrank.charts.names import in_brief, in_brief_on_axis
from nbrank.charts.text import balanced, text_width, widest, wrapped
from nbrank.charts.theme import SMALL, TEXT, TITLE, Chart

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


def row_step(n_rows: int) -> int:
    """How many pixels high a row is, where all rows have to be seen at once."""
    return 20 if n_rows <= ROWS_WITH_LABELS else max(4, 1200 // n_rows)


def readable_step(n_rows: int) -> int:
    """How many pixels high a row is, where one may scroll and every row is labelled."""
    return 20 if n_rows <= ROWS_WITH_LABELS else LINE


def named_columns(field: str, names: Sequence[str], step: int) -> alt.X:
    """The columns of a table, named above it: upright names where they stand close together."""
    narrow = step < 20
    long = widest(in_brief(names), SMALL)
    axis = alt.Axis(
        labelAngle=-90 if narrow else -40,
        minExtent=8 + long * (1 if narrow else math.sin(_SLANT)),
        labelOverlap="greedy" if narrow else False,
        labelFontSize=min(10, max(9, step - 2)),
        labelLimit=_LIMIT,
        labelExpr=in_brief_on_axis(names),
        title=None,
        orient="top",
    )
    # The order is the scale's: layers of different data would not agree on one of their own.
    return alt.X(field=field, type="nominal", scale=alt.Scale(domain=list(names)), axis=axis)


def beyond_columns(names: Sequence[str], step: int) -> float:
    """How many pixels the slanted names over columns reach beyond the last one."""
    if step < 20:
        return 0.0
    ends = (
        (place + 0.5) * step + math.cos(_SLANT) * text_width(name, SMALL)
        for place, name in enumerate(in_brief(names))
    )
    return max(0.0, max(ends, default=0.0) - len(names) * step) + 4


def named_rows(
    field: str, names: Sequence[str], step: int, brief: Sequence[str] | None = None
) -> alt.Y:
    """The rows of a table, named to its left in brief; every name, unless they would collide."""
    axis = alt.Axis(
        minExtent=10 + widest(in_brief(names) if brief is None else brief, SMALL),
        labelLimit=_LIMIT,
        labelExpr=in_brief_on_axis(names, brief),
        labelOverlap="greedy" if step < LINE else False,
        labelFontSize=10 if step > LINE else 9,
        title=None,
    )
    return alt.Y(field=field, type="nominal", scale=alt.Scale(domain=list(names)), axis=axis)


def whole_ticks(start: float, end: float) -> list[int]:
    """Where an axis of ranks has ticks: at whole numbers, and not at halves, as Vega's."""
    steps = (digit * 10**power for power in range(9) for digit in (1, 2, 5))
    step = next(step for step in steps if end - start <= 12 * step)
    whole = range(math.ceil(start), math.floor(end) + 1)
    return [tick for tick in whole if tick % step == 0 or tick == 1]


def axis_side(n_rows: int) -> Literal["top", "bottom"]:
    """On which side of rows their axis stands: above, where one would scroll down to it."""
    return "top" if n_rows > ROWS_WITH_LABELS else "bottom"


def across(**look: Any) -> Across:
    """An axis of numbers that looks so, from left to right, for any field."""
    return lambda field: alt.X(**quantitative(field), **look)


def across_ranks(n_rows: int, highest: int, beyond: float = 0.0) -> Across:
    """The axis of ranks below rows, up to the highest, with room beyond for so many more."""
    last = max(n_rows, highest)
    return across(
        scale=alt.Scale(domain=[0.5, last + 0.5 + beyond], nice=False),
        axis=alt.Axis(
            values=whole_ticks(1, last),
            format="d",
            title="rank (1 is best)",
            titleAnchor="start" if beyond else alt.Undefined,
            orient=axis_side(n_rows),
        ),
    )


def tip(field: str, title: str | None = None) -> alt.Tooltip:
    """A line of what is shown on pointing: `system:N` of names, `n` of numbers, or `wins:.3f`."""
    name, _, how = field.partition(":")
    # Not as much as an empty format, which Vega-Lite takes for one.
    return alt.Tooltip(
        field=name,
        type="nominal" if how == "N" else "quantitative",
        title=title or name,
        format=alt.Undefined if how in ("", "N") else how,
    )


def tips(*fields: str) -> list[alt.Tooltip]:
    """Lines of what is shown on pointing at a mark, each called by its field."""
    return [tip(field) for field in fields]


def quantitative(field: str) -> dict[str, Any]:
    """What a channel of numbers is made of: far faster for Altair than its shorthand."""
    return {"field": field, "type": "quantitative"}


def nominal(field: str) -> dict[str, Any]:
    """What a channel of names is made of: far faster for Altair than its shorthand."""
    return {"field": field, "type": "nominal"}


def bars_in_rows(
    names: Sequence[str],
    data: Mapping[str, Any],
    x: Across,
    ends: tuple[str, str],
    at: str,
    tooltip: Sequence[alt.Tooltip],
    colours: tuple[str, str] | None = None,
) -> list[alt.Chart]:
    """A row for each name: a bar from one field to another, and a point at a third."""
    step, (low, high) = readable_step(len(names)), ends
    of_bar, of_point = colours or (LEADER, LEADER)
    base = layer_of({"system": names, **data}).encode(
        y=named_rows("system", names, step), tooltip=[*tips("system:N"), *tooltip]
    )
    bars = base.mark_rule(
        strokeWidth=max(2, step // 3), color=of_bar, strokeOpacity=1 if colours else 0.35
    )
    points = base.mark_circle(opacity=1, size=50, color=of_point)
    return [bars.encode(x=x(low), x2=alt.X2(field=high)), points.encode(x=x(at))]


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


def in_rows(layers: Sequence[alt.Chart], names: Sequence[str], **options: Any) -> alt.LayerChart:
    """Lay drawings on top of each other, of which every row has a name."""
    height = len(names) * readable_step(len(names))
    return layered(layers, height=height, **{"left": in_brief(names), **options})


def in_a_square(
    layers: Sequence[alt.Chart], names: Sequence[str], **options: Any
) -> alt.LayerChart:
    """Lay drawings on top of each other, of which every row and every column has a name."""
    step = row_step(len(names))
    side, beyond = len(names) * step, beyond_columns(names, step)
    left = in_brief(names)
    return layered(layers, width=side, height=side, left=left, beyond=beyond, **options)


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
