"""A live chart: it follows Python, its clicks come back, and it loads nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

import altair as alt
import ipywidgets as widgets
import traitlets
from altair.utils.schemapi import debug_mode


class LiveChart(alt.JupyterChart):
    """A live chart that loads no script from elsewhere, and the drawing script once a page.

    Altair's own offline chart brings nearly a megabyte of script, which the
    browser reads again for each chart of a page, and which has to be read within
    the two seconds that anywidget gives a widget to start. Here the widget starts
    by a few lines; the first chart drawn reads the rest, for all of them.
    """

    _esm = """
        const scripts = (globalThis.nbrankScripts ??= new Map());
        function loaded(script) {
          if (!scripts.has(script)) {
            const blob = new Blob([script], {type: "text/javascript"});
            scripts.set(script, import(URL.createObjectURL(blob)));
          }
          return scripts.get(script);
        }
        export default {
          async render(context) {
            const script = await loaded(context.model.get("_script"));
            return script.default.render(context);
          },
        };
    """
    _script = traitlets.Unicode().tag(sync=True)

    def __init__(self, chart: alt.Chart, **options: Any) -> None:
        self._put: dict[str, float] = {}
        super().__init__(chart, _script=_drawing_script(), **options)

    def put(self, values: Mapping[str, float]) -> None:
        """Put parameters of the chart at values, and keep them there.

        A page that shows the chart anew sends the values with which it was drawn:
        these are not taken.
        """
        self._put |= values
        self._params = {**self._params, **values}

    @traitlets.observe("_params")
    def _on_change_params(self, change: Any) -> None:
        """Follow the page, as Altair does, but for what was put elsewhere."""
        kept = {**change["new"], **self._put}
        for name, value in kept.items():
            setattr(self.params, name, value)
        if kept != self._params:
            self._params = kept


@cache
def _drawing_script() -> str:
    """Altair's script for a live chart, with all that it needs."""

    class Offline(alt.JupyterChart):
        """A class of its own: the user's charts stay as they are."""

    Offline.enable_offline()
    return str(Offline._esm)


def live_chart(
    selections: Mapping[str, Iterable[str]] = MappingProxyType({}),
    params: Mapping[str, float] = MappingProxyType({}),
) -> LiveChart:
    """Make a live chart that draws nothing yet, and whose clicks come back by name.

    What is drawn later, by `draw_live`, has to hold each of these selections (and their fields)
    and parameters (and their values): Altair listens to those of the chart it was made with.
    """
    empty = alt.Chart(alt.InlineData(values=[])).mark_point()
    points = [alt.selection_point(name=name, fields=[*of]) for name, of in selections.items()]
    values = [alt.param(name=name, value=value) for name, value in params.items()]
    if points or values:
        empty = empty.add_params(*points, *values)
    return LiveChart(empty, embed_options={"actions": False})


def draw_live(figure: alt.JupyterChart, draw: Callable[[], alt.LayerChart]) -> None:
    """Draw a chart in a live chart, whose selections and parameters stay registered."""
    # Altair checks every part of a chart against its schema, which takes half a second.
    with debug_mode(False):
        figure.spec = draw().to_dict(validate=False)


def scrolling(figure: alt.JupyterChart) -> widgets.Box:
    """Put a chart in a box that scrolls if it is larger."""
    return widgets.Box(
        [figure], layout=widgets.Layout(overflow="auto", max_height="620px", max_width="100%")
    )
