"""Rows of data and layers of marks, which Altair neither copies nor checks piece by piece.

Marks may stand at a place in pixels, from the corner above and on the left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import altair as alt
import numpy as np
import pandas as pd
from altair.utils.schemapi import debug_mode

from nbrank.charts.channels import at, down
from nbrank.charts.colours import INK

Options = ParamSpec("Options")
Drawn = TypeVar("Drawn")


def data_of(columns: Mapping[str, Any]) -> alt.InlineData:
    """Hand all rows to a chart: a large board has more cells than Altair takes in a frame."""
    rows = zip(*map(plain, columns.values()), strict=True)
    return _Rows(values=[dict(zip(columns, row, strict=True)) for row in rows])


def plain(column: Iterable[Any]) -> list[Any]:
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
    return [value if there else None for value, there in zip(listed, known.tolist(), strict=True)]


class _Rows(alt.InlineData):
    """Rows of data, checked by none and copied by none: Altair would do both cell by cell."""

    def __deepcopy__(self, memo: object) -> _Rows:
        return self

    def to_dict(self, *_: Any, **__: Any) -> dict[str, Any]:
        return {"values": self._kwds["values"]}


class Layer(alt.Chart):
    """A layer of a chart whose data and lists of names its many copies share."""

    def __deepcopy__(self, memo: object) -> Layer:
        return Layer(**{key: _copied(part) for key, part in self._kwds.items()})


def layer_of(columns: Mapping[str, Any]) -> Layer:
    """A layer that draws these rows: field -> its values."""
    return Layer(data_of(columns))


def words(shown: Sequence[tuple[str, float, float]], **look: Any) -> alt.Chart:
    """Words, each at so many pixels from the left and from above."""
    data = {
        "says": [text for text, _, _ in shown],
        "x": [round(x, 3) for _, x, _ in shown],
        "y": [y for _, _, y in shown],
    }
    text = layer_of(data).mark_text(**{"color": INK, "tooltip": None, **look})
    written: alt.Chart = text.encode(
        **at("x"), **down("y"), text=alt.Text(field="says", type="nominal")
    )
    return written


def leaning(shown: list[tuple[str, float, float]], lean: int, size: int) -> alt.Chart:
    """Names over columns that lean by so many degrees."""
    align = "left" if lean else "center"
    shown = [(name, x + 3 * (lean == 45), y) for name, x, y in shown]
    return words(shown, angle=360 - lean if lean else 0, align=align, fontSize=size)


def _copied(part: Any) -> Any:
    if isinstance(part, alt.SchemaBase) and not isinstance(part, _Rows):
        given = {k: _copied(v) for k, v in part._kwds.items() if v is not alt.Undefined}
        return type(part)(*map(_copied, part._args), **given)
    if isinstance(part, dict):
        return {key: _copied(value) for key, value in part.items()}
    if isinstance(part, list) and any(isinstance(p, alt.SchemaBase | dict | list) for p in part):
        return [_copied(item) for item in part]
    return part


def checked_at_the_end(draw: Callable[Options, Drawn]) -> Callable[Options, Drawn]:
    """Put a chart together unchecked: Altair checks every part then, and the whole when shown."""

    @wraps(draw)
    def drawing(*args: Options.args, **options: Options.kwargs) -> Drawn:
        with debug_mode(False):
            return draw(*args, **options)

    return drawing
