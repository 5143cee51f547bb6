"""What the charts share: names that differ, rows of data, axes, and a look at the frame first."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import wraps
from typing import Any, Literal, ParamSpec, TypeVar

import altair as alt
import numpy as np
import pandas as pd
from altair.utils.schemapi import debug_mode

from nbrank.labelled.leaderboard import (
    named,
)

#: Okabe and Ito's palette, which the colour-blind can tell apart, black and yellow left out.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#7F7F7F")


QUIET = "#C8C8C8"


FAINT = "#E6E6E6"


INK = "#222222"


#: More rows than this get thin rows.
ROWS_WITH_LABELS = 60


#: So far apart, in pixels, labels don't run into each other.
LINE = 12


Options = ParamSpec("Options")


Drawn = TypeVar("Drawn")


def name_of(label: Hashable) -> str:
    """Write a label as text; the parts of a tuple are joined.

    Parameters
    ----------
    label
        The label of a system or a task.

    Examples
    --------
    >>> name_of(("Code", "Codeforces"))
    'Code / Codeforces'
    """
    return " / ".join(map(str, label)) if isinstance(label, tuple) else str(label)


def names_of(labels: Iterable[Hashable]) -> list[str]:
    """Write labels as texts of which no two are alike, as marks on an axis have to be.

    Labels that `name_of` would write alike are written as in Python, and numbered if
    that doesn't part them either.

    Parameters
    ----------
    labels
        The labels of systems or tasks, no two of them equal.

    Examples
    --------
    >>> names_of(["A", 1, "1", ("a", "b"), "a / b"])
    ['A', '1', "'1'", "('a', 'b')", "'a / b'"]
    """
    listed = list(labels)
    names = [name_of(label) for label in listed]
    as_in_python = [repr(label) for label in listed]
    numbered = [f"{text} ({place})" for place, text in enumerate(as_in_python, start=1)]
    for unlike in (as_in_python, numbered):
        counts = Counter(names)
        names = [
            other if counts[name] > 1 else name for name, other in zip(names, unlike, strict=True)
        ]
    return names


#: So many letters of a name are shown on an axis or in a legend, where there is room for no more.
_ROOM = 34


#: So wide, in pixels, these letters are at most, in the fonts of any system.
_LIMIT = 280


def in_brief(labels: Iterable[Hashable], most: int = _ROOM) -> list[str]:
    """Write labels as texts of which no two are alike, long ones with letters left out.

    The beginning and the end stay. Of names that are alike at both ends, the part where
    they differ stays too; those that still look alike are numbered.

    Parameters
    ----------
    labels
        The labels of systems or tasks, no two of them equal.
    most
        How many letters there is room for, at least 16.

    Examples
    --------
    >>> in_brief(["GPT-4o", "a model fine-tuned on everything, seed 1"], 20)
    ['GPT-4o', 'a model fi…g, seed 1']
    >>> in_brief([f"a family of models, fine-tuned for {n} days, seed 1" for n in (2, 30)], 24)
    ['a fa…d for 2 days, …ed 1', 'a fa…d for 30 days,…ed 1']
    """
    names = names_of(labels)
    half = most // 2
    brief = [
        name if len(name) <= most else f"{name[:half]}…{name[half - most + 1 :]}" for name in names
    ]
    for alike in _alike(brief):
        inner = _where_they_differ([names[place] for place in alike], most)
        for place, text in zip(alike, inner, strict=True):
            brief[place] = text
    for alike in _alike(brief):
        for place in alike:
            number = f" ({place + 1})"
            brief[place] = f"{names[place][: most - len(number) - 1]}…{number}"
    return brief


def _alike(texts: Sequence[str]) -> list[list[int]]:
    """The places of texts that are equal, where there are several."""
    places: dict[str, list[int]] = {}
    for place, text in enumerate(texts):
        places.setdefault(text, []).append(place)
    return [several for several in places.values() if len(several) > 1]


def _where_they_differ(names: Sequence[str], most: int) -> list[str]:
    """Shorten long names to both ends and the stretch in which they differ."""
    same = _shared(names)
    longest = max(map(len, names)) - _shared([name[same:][::-1] for name in names])
    ends = most // 5
    room = most - 2 * ends - 2
    start = max(ends, same - max(0, room - (longest - same)) // 2)
    return [f"{name[:ends]}…{name[start : start + room]}…{name[-ends:]}" for name in names]


def _shared(texts: Sequence[str]) -> int:
    """With how many letters all of these texts begin."""
    unlike = (n for n, letters in enumerate(zip(*texts, strict=False)) if len(set(letters)) > 1)
    return next(unlike, min(map(len, texts)))


def briefly(names: Sequence[str], brief: Sequence[str] | None = None) -> Any:
    """Write the expression by which an axis shows long names in brief; undefined if none is long.

    The data keep the whole names, and so do the lines shown on pointing at a mark.

    Parameters
    ----------
    names
        The names on the axis, no two of them alike.
    brief
        How they are shown; None takes `in_brief`.
    """
    shown = in_brief(names) if brief is None else list(brief)
    if shown == list(names):
        return alt.Undefined
    return f"({json.dumps(dict(zip(names, shown, strict=True)))})[datum.value]"


class _Rows(alt.InlineData):
    """Rows of data, checked by none and copied by none: Altair would do both cell by cell."""

    def __deepcopy__(self, memo: object) -> _Rows:
        return self

    def to_dict(self, *_: Any, **__: Any) -> dict[str, Any]:
        return {"values": self._kwds["values"]}


class Layer(alt.Chart):
    """A layer of a chart whose data and lists of names are shared by its copies.

    Altair copies each layer six times until the chart is shown, name by name.
    """

    def __deepcopy__(self, memo: object) -> Layer:
        return Layer(**{key: _copied(part) for key, part in self._kwds.items()})


def _copied(part: Any) -> Any:
    if isinstance(part, alt.SchemaBase) and not isinstance(part, _Rows):
        given = {k: _copied(v) for k, v in part._kwds.items() if v is not alt.Undefined}
        return type(part)(*map(_copied, part._args), **given)
    if isinstance(part, dict):
        return {key: _copied(value) for key, value in part.items()}
    if isinstance(part, list) and any(isinstance(p, alt.SchemaBase | dict | list) for p in part):
        return [_copied(item) for item in part]
    return part


def data_of(columns: Mapping[str, Any]) -> alt.InlineData:
    """Hand all rows to a chart: a large board has more cells than Altair takes in a frame.

    Parameters
    ----------
    columns
        Field -> its values; what is missing or infinite is null.
    """
    rows = zip(*map(_plain, columns.values()), strict=True)
    return _Rows(values=[dict(zip(columns, row, strict=True)) for row in rows])


def _plain(column: Iterable[Any]) -> list[Any]:
    """Write a column for JSON, which knows neither NaN nor infinity."""
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


def checked_at_the_end(draw: Callable[Options, Drawn]) -> Callable[Options, Drawn]:
    """Put a chart together unchecked: Altair checks every part then, and the whole when shown.

    Parameters
    ----------
    draw
        The function that makes the chart.
    """

    @wraps(draw)
    def drawing(*args: Options.args, **options: Options.kwargs) -> Drawn:
        with debug_mode(False):
            return draw(*args, **options)

    return drawing


def require(
    function: str,
    frame: object,
    columns: Sequence[str],
    source: str,
    use: str = "draws",
) -> None:
    """Refuse what is no frame with the columns that are drawn, and say where such a frame is from.

    Parameters
    ----------
    function
        The chart, for the message.
    frame
        What was given.
    columns
        The columns needed.
    source
        The function of ours that returns such frames, as it is called.
    use
        What the chart does with it.
    """
    start = f"charts.{function} {use} what {source} returns"
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"{start}, not {type(frame).__name__}")
    there = list(frame.columns)
    missing = [column for column in columns if column not in there]
    if missing:
        raise ValueError(f"{start}; this frame has no {named(missing)}, but {named(there)}")
    if frame.empty:
        raise ValueError(f"{start}; this frame has no rows")
    if not frame.index.is_unique:
        twice = frame.index[frame.index.duplicated()].unique()
        raise ValueError(f"{start}; this frame has duplicate rows: {named(twice)}")


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
        labelExpr=briefly(names),
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
        labelExpr=briefly(names, brief),
        labelOverlap="greedy" if step < LINE else False,
        labelFontSize=10 if step > LINE else 9,
        title=None,
    )
    return alt.Y(field=field, type="nominal", scale=alt.Scale(domain=list(names)), axis=axis)


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
    title: str,
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
        The heading, and what has to be known to read the chart.
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
        title=alt.TitleParams(title, subtitle=subtitle, anchor="start"),
        view=alt.Undefined if frame else alt.ViewBackground(stroke=None),
    )


def _width_of(names: Sequence[str]) -> float:
    """How many pixels wide names are, in brief and in as wide a font as a browser may have."""
    return 8 + 7 * min(max(map(len, names)), _ROOM + 3)


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


def text_by_number(texts: dict[int, str]) -> str:
    """Write the expression by which a legend shows a text for each number.

    Parameters
    ----------
    texts
        Number -> its text.

    Examples
    --------
    >>> text_by_number({0: "A", 1: "nobody"})
    '({"0": "A", "1": "nobody"})[datum.value]'
    """
    return f"({json.dumps({str(number): text for number, text in texts.items()})})[datum.value]"


def shortened(names: Sequence[str], most: int = 2) -> str:
    """List names, and count those that don't fit.

    Parameters
    ----------
    names
        The names.
    most
        How many are listed at most.

    Examples
    --------
    >>> shortened(["A", "B", "C", "D"])
    'A, B and 2 more'
    """
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
