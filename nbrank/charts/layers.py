"""Rows of data, which Altair neither copies nor checks cell by cell, and layers of marks.

Marks may stand at a place in pixels, from the corner above and on the left.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd


def inline_data(columns: Mapping[str, Any]) -> alt.InlineData:
    """Hand all rows to a chart: a large board has more cells than Altair takes in a frame."""
    rows = zip(*map(to_json_values, columns.values()), strict=True)
    return _UncopiedData(values=[dict(zip(columns, row, strict=True)) for row in rows])


def to_json_values(column: Iterable[Any]) -> list[Any]:
    """Write a column for JSON, which knows neither NaN nor infinity; a list as it is."""
    if isinstance(column, list):
        return column
    values = pd.Series(column) if not isinstance(column, pd.Series) else column
    listed: list[Any] = values.tolist()
    if isinstance(values.dtype, np.dtype) and values.dtype.kind in "biuf":
        known = np.isfinite(values.to_numpy())
    else:
        known = values.notna().to_numpy()
    if known.all():
        return listed
    return [
        value if observed else None for value, observed in zip(listed, known.tolist(), strict=True)
    ]


class _UncopiedData(alt.InlineData):
    """Rows of data, checked by none and copied by none: Altair would do both cell by cell."""

    def __deepcopy__(self, memo: object) -> _UncopiedData:
        return self

    def to_dict(self, *_: Any, **__: Any) -> dict[str, Any]:
        return {"values": self._kwds["values"]}


def make_layer(columns: Mapping[str, Any]) -> alt.Chart:
    """Make a layer from columns: field -> its values."""
    return alt.Chart(inline_data(columns))


def tooltip_fields(*fields: str) -> list[alt.Tooltip]:
    """Return the fields of a tooltip: `system:N` for names, `n` for numbers, or `wins:.3f`.

    A line is called by its field, or by the text after a sign of equality: `low=best rank`.
    """
    lines = []
    for field in fields:
        written, _, called = field.partition("=")
        name, _, how = written.partition(":")
        kind: Any = "nominal" if how == "N" else "quantitative"
        # Vega-Lite would take an empty text for a format.
        look = alt.Undefined if how in ("", "N") else how
        lines.append(alt.Tooltip(field=name, type=kind, title=called or name, format=look))
    return lines


def quantitative(field: str) -> dict[str, Any]:
    """Return the parts of a channel of numbers, which Altair takes faster than its shorthand."""
    return {"field": field, "type": "quantitative"}


def nominal(field: str) -> dict[str, Any]:
    """Return the parts of a channel of names, which Altair takes faster than its shorthand."""
    return {"field": field, "type": "nominal"}


def text_encoding(field: str) -> dict[str, Any]:
    """Return the channel of a text in a field."""
    return {"text": alt.Text(field=field, type="nominal")}


def opacity_encoding(field: str) -> dict[str, Any]:
    """Return the channel of a color's strength, which a field gives from 0 to 1."""
    return {"fillOpacity": alt.FillOpacity(**quantitative(field), scale=None, legend=None)}


@cache
def x_encoding(field: str, other: str | None = None) -> dict[str, Any]:
    """Return the horizontal channels: the distance from the left, with two fields an interval."""
    x = {"x": alt.X(field=field, type="quantitative", scale=None, axis=None)}
    return x if other is None else {**x, "x2": alt.X2(field=other)}


@cache
def y_encoding(field: str, other: str | None = None) -> dict[str, Any]:
    """Return the vertical channels: the distance from the top, with two fields an interval."""
    y = {"y": alt.Y(field=field, type="quantitative", scale=None, axis=None)}
    return y if other is None else {**y, "y2": alt.Y2(field=other)}
