"""A question of the page: its controls, what is said, a chart; and work that may follow later."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

from nbrank.charts.svg import render_svg
from nbrank.frontends.shared_html import render_paragraphs
from nbrank.frontends.workbench.html import HtmlWidget
from nbrank.frontends.workbench.workbench_state import WorkbenchState

if TYPE_CHECKING:
    import altair as alt

#: So long, in seconds, nothing may move before the work is done.
_PAUSE = 0.15


class Debouncer:
    """Work that is asked for often and takes long: it is done once the asking pauses."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        self._waiting: asyncio.TimerHandle | None = None

    @property
    def is_pending(self) -> bool:
        """Whether there is work that was asked for, and isn't done yet."""
        return self._waiting is not None

    def schedule(self) -> bool:
        """Have the work done soon, or at once where no loop runs; says whether it waits."""
        self.cancel()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._work()
        else:
            self._waiting = loop.call_later(_PAUSE, self.run_now)
        return self._waiting is not None

    def run_now(self) -> None:
        """Do the work now, if it waits."""
        if self.cancel():
            self._work()

    def cancel(self) -> bool:
        """Do what waits never; says whether there was any."""
        waited, self._waiting = self._waiting, None
        if waited is not None:
            waited.cancel()
        return waited is not None


class LastResult:
    """What came of the last settings, kept until they change."""

    def __init__(self) -> None:
        self._settings: Any = None
        self._result: Any = None

    def find(self, settings: tuple[Any, ...], search: Callable[[], Any]) -> Any:
        """Return what comes of these settings; it is searched for if they are others."""
        if self._settings != settings:
            self._result, self._settings = search(), settings
        return self._result


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


class Tab:
    """What all questions have; each has a `title`, and shows in its `show` what it found."""

    #: Whether scores in the picture are clicked, which then has room for them at any cost.
    needs_cells = False

    def __init__(self, bench: WorkbenchState, *controls: widgets.Widget) -> None:
        self.bench = bench
        self.html = HtmlWidget(pressed=bench.on_button)
        self.map = LiveChart(self.on_mark)
        self.pane = widgets.VBox([*controls, self.html, self.map])
        self.later = Debouncer(self.compute)
        #: What stands above the picture, where there is more room.
        self.wide: tuple[HtmlWidget, ...] = ()

    def on_mark(self, name: str, value: str) -> None:
        """Do what a click on the chart asks for."""
        self.bench.on_button(name, value)

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
        self.later.cancel()
        for part in self.wide:
            part.html = ""
        return self.render([])


def make_row(children: Iterable[widgets.Widget]) -> widgets.Box:
    """Set controls beside each other, in as many rows as the page is wide for."""
    return widgets.Box(list(children), layout=widgets.Layout(flex_flow="row wrap", width="100%"))
