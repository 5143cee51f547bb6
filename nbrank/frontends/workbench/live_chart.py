"""A chart on a live page: SVG, drawn by Python, that is light or dark as its page is."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING

from nbrank.charts.svg import render_svg
from nbrank.frontends.workbench.html import HtmlWidget

if TYPE_CHECKING:
    import altair as alt


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
