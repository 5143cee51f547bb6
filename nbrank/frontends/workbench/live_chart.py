"""A live chart: it follows Python and its page, its clicks come back, and it loads nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import ipywidgets as widgets
import traitlets

from nbrank.charts import svg
from nbrank.charts.palette import DARK_COLORS

if TYPE_CHECKING:
    import altair as alt

_FRONT = Path(__file__).parent / "front"


class LiveChart(anywidget.AnyWidget):
    """A chart whose `spec` and `signals` Python sets, and whose clicks come back.

    Parameters
    ----------
    script
        What returns all that draws, as `drawing_script` does, when the first chart is drawn: all
        charts of a page share one.
    clicked
        What is called with the fields of the mark that was clicked.
    """

    _esm = (_FRONT / "chart.js").read_text(encoding="utf-8")
    script = traitlets.Instance(widgets.Widget, allow_none=True).tag(
        sync=True, **widgets.widget_serialization
    )
    # As text: on the way to a page, a kernel in a browser loses what is null.
    spec = traitlets.Dict().tag(sync=True, to_json=lambda spec, _: json.dumps(spec))
    signals = traitlets.Dict().tag(sync=True)
    label = traitlets.Unicode().tag(sync=True)
    dark = traitlets.Dict(DARK_COLORS).tag(sync=True)

    def __init__(
        self,
        script: Callable[[], widgets.Widget],
        clicked: Callable[[dict[str, Any]], None] | None = None,
    ) -> None:
        super().__init__()
        self._load_script = script
        self.add_class("nbrank-chart")
        if clicked is not None:
            self.on_msg(lambda _, fields, __: clicked(fields))

    def draw(self, make: Callable[[], alt.LayerChart] | None, label: str = "") -> None:
        """Draw a chart, which the label describes to who can't see it; None draws nothing."""
        self.layout.display = "none" if make is None else None
        if make is None:
            with self.hold_sync():
                self.spec, self.label = {}, label
            return
        if self.script is None:
            self.script = self._load_script()
        # Not before a chart is drawn: the page's first screen has none.
        import altair as alt
        from altair.utils.schemapi import debug_mode

        # Altair would check every part against its schema, and look for data that are alike.
        as_it_is = alt.data_transformers.enable(consolidate_datasets=False)
        with self.hold_sync(), debug_mode(False), as_it_is:
            self.spec, self.label = make().to_dict(validate=False), label


class _Script(widgets.Widget):  # type: ignore[misc]
    """What draws, once for all charts of a page."""

    value = traitlets.Unicode().tag(sync=True)


def drawing_script() -> widgets.Widget:
    """Make what the charts of a page share: all that draws."""
    source = svg.drawing_script() + (_FRONT / "draw.js").read_text(encoding="utf-8")
    return _Script(value=source)
