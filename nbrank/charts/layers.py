"""Rows of data, which Altair neither copies nor checks cell by cell, and layers of marks.

Marks may stand at a place in pixels, from the corner above and on the left.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from nbrank.charts.encodings import x_encoding, y_encoding
from nbrank.charts.palette import INK


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
    """A layer that draws these rows: field -> its values."""
    return alt.Chart(inline_data(columns))


def text_layer(shown: Sequence[tuple[str, float, float]], **look: Any) -> alt.Chart:
    """Words, each at so many pixels from the left and from above."""
    data = {
        "says": [text for text, _, _ in shown],
        "x": [round(x, 3) for _, x, _ in shown],
        "y": [y for _, _, y in shown],
    }
    text = make_layer(data).mark_text(**{"color": INK, "tooltip": None, **look})
    written: alt.Chart = text.encode(
        **x_encoding("x"), **y_encoding("y"), text=alt.Text(field="says", type="nominal")
    )
    return written
