"""A question of the page: its controls, and what is said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import ipywidgets as widgets

from nbrank.frontends.shared_html import render_paragraphs
from nbrank.frontends.workbench.delayed_work import Debouncer
from nbrank.frontends.workbench.html import HtmlWidget
from nbrank.frontends.workbench.workbench_state import WorkbenchState


class Tab:
    """What all questions have; each has a `title`, and shows in its `show` what it found."""

    #: Whether scores in the picture are clicked, which then has room for them at any cost.
    needs_cells = False

    def __init__(self, bench: WorkbenchState, *controls: widgets.Widget) -> None:
        self.bench = bench
        self.html = HtmlWidget(pressed=bench.on_button)
        self.pane = widgets.VBox([*controls, self.html])
        self.later = Debouncer(self.compute)
        #: What stands above the picture, where there is more room.
        self.wide: tuple[HtmlWidget, ...] = ()

    def compute(self) -> None:
        """Find what takes long, for which `show` has asked, and have it shown."""

    def render(self, said: Sequence[str], html: str = "") -> list[str]:
        """Show sentences, and what stands below them; returns what was said."""
        self.html.html = render_paragraphs(said) + html
        return [*filter(None, said)]

    def clear(self) -> list[str]:
        """Show nothing of an earlier setting."""
        self.later.cancel()
        for part in self.wide:
            part.html = ""
        return self.render([])


def make_row(children: Iterable[widgets.Widget]) -> widgets.Box:
    """Set controls beside each other, in as many rows as the page is wide for."""
    return widgets.Box(list(children), layout=widgets.Layout(flex_flow="row wrap", width="100%"))
