"""How controls stand together: in rows, in lists, and folded."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import ipywidgets as widgets


def in_a_row(children: Iterable[widgets.Widget]) -> widgets.Box:
    """Set controls beside each other, in as many rows as the page is wide for."""
    return widgets.Box(list(children), layout=widgets.Layout(flex_flow="row wrap", width="100%"))


def in_a_list(children: Iterable[widgets.Widget]) -> widgets.VBox:
    """Set many controls below each other, in a box that scrolls."""
    box = widgets.VBox(list(children))
    box.add_class("nbrank-list")
    return box


def fold(title: str, child: widgets.Widget) -> widgets.VBox:
    """Fold a control away under a button, which the keyboard reaches."""
    button = widgets.ToggleButton(description=title, icon="caret-down")

    def show(_: Any) -> None:
        child.layout.display = "block" if button.value else "none"

    button.observe(show, "value")
    show(None)
    return widgets.VBox([button, child])
