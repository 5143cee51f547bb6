"""HTML on a live page, whose buttons answer: sentences, tables, folds and the picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import anywidget
import pandas as pd
import traitlets

from nbrank.charts.board_drawing.saved_drawing import PICTURE_STYLE, Drawing
from nbrank.charts.board_drawing.sizes import readable_width
from nbrank.charts.palette import PLACE_STYLE
from nbrank.findings.labels import label_text
from nbrank.frontends.shared_html import SORT_SCRIPT, TABLE_STYLE
from nbrank.frontends.vote_drawing import VOTE_STYLE

#: Length above which texts are aligned left.
_LONG = 15
_FRONT = Path(__file__).parent / "front"


class HtmlWidget(anywidget.AnyWidget):
    """HTML whose folds stay open, and whose buttons call back, as it is written anew.

    Parameters
    ----------
    pressed
        What is called with the name and the value of a button (`render_button`).
    """

    _esm = f"const sortTables = {SORT_SCRIPT}; {(_FRONT / 'prose.js').read_text(encoding='utf-8')}"
    _css = (
        PICTURE_STYLE.replace(".nbrank-picture", ":is(.nbrank-bench, .nbrank-app, .nbrank-picture)")
        + f"\n{PLACE_STYLE}\n{TABLE_STYLE}\n{VOTE_STYLE}"
        + (_FRONT / "page.css").read_text(encoding="utf-8")
    )
    html = traitlets.Unicode().tag(sync=True)

    def __init__(self, html: str = "", pressed: Callable[[str, str], None] | None = None) -> None:
        super().__init__(html=html)
        self.add_class("nbrank-prose")
        if pressed is not None:
            self.on_msg(lambda _, sent, __: pressed(*sent))


def render_button(name: str, value: Any, text: str, *, pressed: bool | None = None) -> str:
    """Write a button of a `HtmlWidget`; of a choice, whether it is the one that is chosen."""
    state = "" if pressed is None else f' aria-pressed="{str(pressed).lower()}"'
    return (
        f'<button data-name="{escape(name)}" data-value="{escape(str(value))}"{state}>'
        f"{escape(text)}</button>"
    )


def render_tabs(titles: Mapping[str, str], chosen_tab: str) -> str:
    """Write a row of tabs: name -> title, one of them chosen."""
    buttons = "".join(
        f'<button role="tab" data-name="tab" data-value="{name}" '
        f'aria-selected="{str(name == chosen_tab).lower()}" '
        f'tabindex="{0 if name == chosen_tab else -1}">'
        f"{escape(title)}</button>"
        for name, title in titles.items()
    )
    return f'<div role="tablist" aria-label="questions" class="nbrank-tabs">{buttons}</div>'


def render_details(title: str, html: str) -> str:
    """Fold HTML away under a title; empty HTML stays empty."""
    return f"<details><summary>{escape(title)}</summary>{html}</details>" if html else ""


def render_table(frame: pd.DataFrame) -> str:
    """Set a frame as an HTML table; pandas takes ten times as long, which one would feel."""
    columns, labels = map(label_text, frame.columns), map(label_text, frame.index.tolist())
    cells = frame.to_numpy(dtype=object, na_value="")
    # If a column has a long text, all its texts and its heading are aligned left.
    is_long = [any(isinstance(x, str) and len(x) > _LONG for x in column) for column in cells.T]
    sides = [' class="text"' * each for each in is_long]
    head = "".join(f"<th{side}>{escape(x)}</th>" for x, side in zip(columns, sides, strict=True))
    rows = [
        f"<tr><th>{escape(label)}</th>"
        + "".join(f"<td{side}>{escape(str(x))}</td>" for x, side in zip(row, sides, strict=True))
        + "</tr>"
        for label, row in zip(labels, cells.tolist(), strict=True)
    ]
    return wrap_table("nbrank-table", f"<th></th>{head}", rows)


def wrap_table(css: str, head: str, rows: Iterable[str], attributes: str = "") -> str:
    """Put a heading and rows into a table, in a box of a class that may scroll."""
    return (
        f'<div class="{css}"><table{attributes}><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def render_bars(heading: str, rows: Sequence[tuple[str, float | None, str]]) -> str:
    """Write rows as a table with bars: HTML, an amount or None, and a text next to the bar."""
    most = max((amount for _, amount, _ in rows if amount is not None), default=0) or 1
    written = [
        f"<tr><th>{html}</th><td><span style='width:{60 * (amount or 0) / most:.2f}%'></span> "
        f"{escape(text)}</td></tr>"
        for html, amount, text in rows
    ]
    return wrap_table("nbrank-table nbrank-bars", f"<th></th><th>{escape(heading)}</th>", written)


#: Width in pixels for the picture before the page reports its own, and the maximum.
_ROOM, _MOST_ROOM = 750, 4000


class LiveDrawing(anywidget.AnyWidget):
    """A drawing that is laid out for the room that its page has.

    Parameters
    ----------
    clicked
        What is called with what was clicked: the names of the `system` and `task`, or the `rule`.
    """

    _esm = (_FRONT / "picture.js").read_text(encoding="utf-8")
    _css = PICTURE_STYLE
    svg = traitlets.Unicode().tag(sync=True)

    def __init__(self, clicked: Callable[[dict[str, Any]], None]) -> None:
        super().__init__()
        for name in ("nbrank", "nbrank-picture"):
            self.add_class(name)
        self._clicked, self._room = clicked, _ROOM
        self._make: Callable[[float], Drawing] | None = None
        self.on_msg(self._on_message)

    def draw(self, make: Callable[[float], Drawing] | None) -> None:
        """Show what is made for a width; None shows nothing."""
        self._make = make
        self.svg = "" if make is None else make(readable_width(self._room)).template

    def _on_message(self, _: Any, fields: dict[str, Any], __: Any) -> None:
        """Lay it out anew for other room, or say what was clicked."""
        room = fields.get("room")
        if room is None:
            self._clicked(fields)
        elif isinstance(room, int | float) and 0 < room < _MOST_ROOM and room != self._room:
            self._room = int(room)
            self.draw(self._make)
