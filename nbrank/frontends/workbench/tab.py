"""A question of the page: its controls, and what is said; and work that may follow later."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import ipywidgets as widgets

from nbrank.frontends.shared_html import render_paragraphs
from nbrank.frontends.workbench.html import HtmlWidget
from nbrank.frontends.workbench.workbench_state import WorkbenchState

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
