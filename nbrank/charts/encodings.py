"""Channels: where marks stand, what they say, how strong they are, what is shown on pointing.

They are written out: Altair takes far longer over its shorthand and its conditions.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import altair as alt


def tooltip_field(field: str, title: str = "") -> alt.Tooltip:
    """A line of what is shown on pointing: `system:N` of names, `n` of numbers, or `wins:.3f`.

    It is called by its field, or by what stands after a sign of equality: `low=best rank`.
    """
    written, _, called = field.partition("=")
    name, _, how = written.partition(":")
    # Not as much as an empty format, which Vega-Lite takes for one.
    return alt.Tooltip(
        field=name,
        type="nominal" if how == "N" else "quantitative",
        title=title or called or name,
        format=alt.Undefined if how in ("", "N") else how,
    )


def tooltip_fields(*fields: str) -> list[alt.Tooltip]:
    """Lines of what is shown on pointing at a mark."""
    return [tooltip_field(field) for field in fields]


def quantitative(field: str) -> dict[str, Any]:
    """What a channel of numbers is made of: far faster for Altair than its shorthand."""
    return {"field": field, "type": "quantitative"}


def nominal(field: str) -> dict[str, Any]:
    """What a channel of names is made of: far faster for Altair than its shorthand."""
    return {"field": field, "type": "nominal"}


def text_encoding(field: str) -> dict[str, Any]:
    """The channel of a text that stands in a field."""
    return {"text": alt.Text(field=field, type="nominal")}


def opacity_encoding(field: str) -> dict[str, Any]:
    """The channel of a colour that is as strong as a field says, from 0 to 1."""
    return {"fillOpacity": alt.FillOpacity(**quantitative(field), scale=None, legend=None)}


@cache
def x_encoding(field: str, other: str | None = None) -> dict[str, Any]:
    """How far from the left; with another field, from there to there."""
    x = {"x": alt.X(field=field, type="quantitative", scale=None, axis=None)}
    return x if other is None else {**x, "x2": alt.X2(field=other)}


@cache
def y_encoding(field: str, other: str | None = None) -> dict[str, Any]:
    """How far down; with another field, from there to there."""
    y = {"y": alt.Y(field=field, type="quantitative", scale=None, axis=None)}
    return y if other is None else {**y, "y2": alt.Y2(field=other)}
