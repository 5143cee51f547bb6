"""Base of the tabs: the controls of a question, and its answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import ipywidgets as widgets

from nbrank.frontends.shared_html import render_paragraphs
from nbrank.frontends.workbench.delayed_work import Debouncer
from nbrank.frontends.workbench.html import HtmlWidget
from nbrank.frontends.workbench.workbench_state import WorkbenchState


class Tab:
    """Base of all tabs. Each has a `title`, and its `show` shows the answer."""

    #: Whether users click scores in the picture, which must then have room for them.
    needs_cells = False

    def __init__(self, bench: WorkbenchState, *controls: widgets.Widget) -> None:
        self.bench = bench
        self.html = HtmlWidget(pressed=bench.on_button)
        self.pane = widgets.VBox([*controls, self.html])
        self.later = Debouncer(self.compute)
        #: Widgets above the picture, which has more room.
        self.wide: tuple[HtmlWidget, ...] = ()

    def compute(self) -> None:
        """Find what takes long, for which `show` has asked, and have it shown."""

    def render(self, sentences: Sequence[str], html: str = "") -> list[str]:
        """Show sentences with HTML below them; return the sentences as text."""
        self.html.html = render_paragraphs(sentences) + html
        return [*filter(None, sentences)]

    def clear(self) -> list[str]:
        """Clear the results of an earlier setting."""
        self.later.cancel()
        for part in self.wide:
            part.html = ""
        return self.render([])


def make_row(children: Iterable[widgets.Widget]) -> widgets.Box:
    """Put controls into a row, which continues below on a narrow page."""
    return widgets.Box(list(children), layout=widgets.Layout(flex_flow="row wrap", width="100%"))
