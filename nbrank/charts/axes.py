"""Axes, channels and headings: where names stand, how high rows are, what is shown on pointing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import altair as alt

from nbrank.charts.data import Layer, data_of
from nbrank.charts.names import BRIEF, in_brief_on_axis

#: More rows than this get thin rows.
ROWS_WITH_LABELS = 60
#: So far apart, in pixels, labels don't run into each other.
LINE = 12
#: So wide, in pixels, a name in brief is at most, in the fonts of any system.
_LIMIT = 280


def row_step(n_rows: int) -> int:
    """How many pixels high a row is, where all rows have to be seen at once.

    Parameters
    ----------
    n_rows
        The number of rows.
    """
    return 20 if n_rows <= ROWS_WITH_LABELS else max(4, 1200 // n_rows)


def readable_step(n_rows: int) -> int:
    """How many pixels high a row is, where one may scroll and every row is labelled.

    Parameters
    ----------
    n_rows
        The number of rows.
    """
    return 20 if n_rows <= ROWS_WITH_LABELS else LINE


def named_columns(field: str, names: Sequence[str], step: int) -> alt.X:
    """The columns of a table, named above it: upright names where they stand close together.

    Parameters
    ----------
    field
        The field that holds the name of the column.
    names
        The names, from left to right.
    step
        How many pixels wide a column is.
    """
    narrow = step < 20
    axis = alt.Axis(
        labelAngle=-90 if narrow else -40,
        labelOverlap="greedy" if narrow else False,
        labelFontSize=min(10, max(9, step - 2)),
        labelLimit=_LIMIT,
        labelExpr=in_brief_on_axis(names),
        title=None,
        orient="top",
    )
    # The order is the scale's: layers of different data would not agree on one of their own.
    return alt.X(field=field, type="nominal", scale=alt.Scale(domain=list(names)), axis=axis)


def named_rows(
    field: str, names: Sequence[str], step: int, brief: Sequence[str] | None = None
) -> alt.Y:
    """The rows of a table, named to its left; every name, unless they would run together.

    Parameters
    ----------
    field
        The field that holds the name of the row.
    names
        The names, from top to bottom.
    step
        How many pixels high a row is.
    brief
        How the names are shown where there is room for the beginning only; None
        takes `in_brief`.
    """
    axis = alt.Axis(
        labelLimit=_LIMIT,
        labelExpr=in_brief_on_axis(names, brief),
        labelOverlap="greedy" if step < LINE else False,
        labelFontSize=10 if step > LINE else 9,
        title=None,
    )
    return alt.Y(field=field, type="nominal", scale=alt.Scale(domain=list(names)), axis=axis)


def whole_ticks(start: float, end: float) -> list[int]:
    """Where the ticks of an axis of ranks stand: at whole numbers, up to a dozen of them.

    Vega ticks a short axis at halves, whatever the smallest step is, and writes them as the whole
    numbers nearest to them.

    Parameters
    ----------
    start, end
        The ends of the axis.

    Examples
    --------
    >>> whole_ticks(0.5, 3.5)
    [1, 2, 3]
    >>> whole_ticks(0.5, 105.5)
    [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]
    """
    steps = (digit * 10**power for power in range(9) for digit in (1, 2, 5))
    step = next(step for step in steps if end - start <= 12 * step)
    return [tick for tick in range(math.ceil(start), math.floor(end) + 1) if tick % step == 0]


def tip(
    field: str,
    kind: Literal["nominal", "quantitative"] = "quantitative",
    title: str | None = None,
    digits: int | None = None,
) -> alt.Tooltip:
    """A line of what is shown on pointing at a mark.

    Parameters
    ----------
    field
        The field that is shown.
    kind
        Whether it holds numbers or names.
    title
        What it is called; None calls it by the field.
    digits
        How many digits stand after the point; None leaves that to Vega-Lite.
    """
    # Not as much as an empty format, which Vega-Lite takes for one.
    form = alt.Undefined if digits is None else f".{digits}f"
    return alt.Tooltip(field=field, type=kind, title=title or field, format=form)


def quantitative(field: str) -> dict[str, Any]:
    """What a channel of numbers is made of: far faster for Altair than its shorthand.

    Parameters
    ----------
    field
        The field that holds the numbers.
    """
    return {"field": field, "type": "quantitative"}


def nominal(field: str) -> dict[str, Any]:
    """What a channel of names is made of: far faster for Altair than its shorthand.

    Parameters
    ----------
    field
        The field that holds the names.
    """
    return {"field": field, "type": "nominal"}


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
) -> alt.LayerChart:
    """Lay drawings on top of each other, with a heading.

    Parameters
    ----------
    layers
        The drawings, the lowest first.
    width, height
        The size of the drawing in pixels, without its labels.
    title, subtitle
        The heading, and what has to be known to read the chart; without the
        first there is none.
    frame
        Whether a frame is drawn around.
    left, right
        The names that stand on either side, for which room is kept.
    """
    room = [_room_for(-_width_of(left), 0)] if left else []
    room += [_room_for(width, width + _width_of(right))] if right else []
    return alt.LayerChart(
        layer=[*layers, *room],
        width=width,
        height=height,
        title=alt.TitleParams(title, subtitle=subtitle, anchor="start") if title else alt.Undefined,
        view=alt.Undefined if frame else alt.ViewBackground(stroke=None),
    )


def _width_of(names: Sequence[str]) -> float:
    """How many pixels wide names are, in brief and in as wide a font as a browser may have."""
    return 8 + 7 * min(max(map(len, names)), BRIEF + 3)


def _room_for(start: float, end: float) -> alt.Chart:
    """Nothing to see, from here to there.

    A picture drawn ahead is as wide as its names are in the font that was there; in a browser
    whose font is wider the names would be cut off.
    """
    mark = Layer(data_of({"room": [end - start]})).mark_rule(opacity=0, tooltip=None)
    # Not `alt.value`, from which Altair finds the classes only after a long search.
    room: alt.Chart = mark.encode(
        x=alt.XValue(start),  # type: ignore[no-untyped-call]
        x2=alt.X2Value(end),  # type: ignore[no-untyped-call]
        y=alt.YValue(0),  # type: ignore[no-untyped-call]
    )
    return room
