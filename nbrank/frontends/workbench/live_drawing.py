"""The picture and charts on a live page: they follow Python, and their clicks come back."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from nbrank.charts.board_drawing.saved_drawing import PICTURE_STYLE, Drawing
from nbrank.charts.board_drawing.sizes import readable_width
from nbrank.charts.svg import render_svg
from nbrank.frontends.workbench.html import HtmlWidget

if TYPE_CHECKING:
    import altair as alt

_FRONT = Path(__file__).parent / "front"
#: How many pixels there are for the picture, until the page says it; and at most.
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


class LiveChart(HtmlWidget):
    """A chart that Python draws anew. A click on a mark called "points" sends its number.

    Parameters
    ----------
    pressed
        What is called with "point" and the number of the mark that was clicked.
    """

    def __init__(self, pressed: Callable[[str, str], None] | None = None) -> None:
        super().__init__(pressed=pressed)
        self.add_class("nbrank-chart")

    def draw(self, make: Callable[[], alt.LayerChart] | None, label: str = "") -> None:
        """Draw a chart, for which screen readers say the label; None draws nothing."""
        self.layout.display = "none" if make is None else None
        if make is None:
            self.html = ""
            return
        # Not before a chart is drawn: the page's first screen has none.
        import altair as alt
        from altair.utils.schemapi import debug_mode

        from nbrank.charts.theme import adaptive_spec

        # Altair would check every part against its schema, and look for data that are alike.
        as_it_is = alt.data_transformers.enable(consolidate_datasets=False)
        with debug_mode(False), as_it_is:
            spec = make().to_dict(validate=False)
        drawn = render_svg(adaptive_spec(spec))
        self.html = f'<div role="figure" aria-label="{escape(label)}">{drawn}</div>'
