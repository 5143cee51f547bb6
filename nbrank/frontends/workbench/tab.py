"""A question of the page: its controls, what is said, and a chart; and how controls stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import ipywidgets as widgets

from nbrank.frontends.workbench.debounce import Debouncer
from nbrank.frontends.workbench.html import HtmlWidget, render_paragraphs
from nbrank.frontends.workbench.live_chart import LiveChart
from nbrank.frontends.workbench.workbench_state import WorkbenchState

if TYPE_CHECKING:
    import altair as alt


class Tab:
    """What all questions have; each has a `title`, and shows in its `show` what it found."""

    #: Whether scores in the picture are clicked, which then has room for them at any cost.
    needs_cells = False

    def __init__(self, bench: WorkbenchState, *controls: widgets.Widget) -> None:
        self.bench = bench
        self.html = HtmlWidget(pressed=bench.on_button)
        self.map = LiveChart(bench.on_button)
        self.pane = widgets.VBox([*controls, self.html, self.map])
        self.later = Debouncer(self.compute)
        #: What stands above the picture, where there is more room.
        self.wide: tuple[widgets.Widget, ...] = ()

    def compute(self) -> None:
        """Find what takes long, for which `show` has asked, and have it shown."""

    def render(
        self, said: Sequence[str], html: str = "", draw: Callable[[], alt.LayerChart] | None = None
    ) -> list[str]:
        """Show sentences, what stands below them, and a chart; returns what was said."""
        self.html.html = render_paragraphs(said) + html
        self.map.draw(draw, " ".join(said))
        return [*filter(None, said)]

    def clear(self) -> list[str]:
        """Show nothing of an earlier setting."""
        return self.render([])


def make_row(children: Iterable[widgets.Widget]) -> widgets.Box:
    """Set controls beside each other, in as many rows as the page is wide for."""
    return widgets.Box(list(children), layout=widgets.Layout(flex_flow="row wrap", width="100%"))
