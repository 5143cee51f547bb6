"""What the user moves beside sliders: lists, fields to find a name, rows and folds of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import ipywidgets as widgets

from nbrank.charts.names import in_brief, in_words
from nbrank.votes.naming import Label

#: Descriptions as long as they are.
WIDE = {"description_width": "initial"}


def across(**more: Any) -> widgets.Layout:
    """As wide as there is room."""
    return widgets.Layout(width="98%", **more)


def in_a_row(children: Iterable[widgets.Widget]) -> widgets.Box:
    """Set controls beside each other, in as many rows as the page is wide for."""
    return widgets.Box(list(children), layout=widgets.Layout(flex_flow="row wrap", width="100%"))


def in_a_list(children: Iterable[widgets.Widget]) -> widgets.VBox:
    """Set many controls below each other, in a box that scrolls."""
    layout = widgets.Layout(max_height="440px", overflow="auto", display="block")
    return widgets.VBox(list(children), layout=layout)


def fold(title: str, child: widgets.Widget) -> widgets.VBox:
    """Fold a control away under a button, which the keyboard reaches."""
    button = widgets.ToggleButton(description=title, icon="caret-down", layout=across())

    def show(_: Any) -> None:
        child.layout.display = "block" if button.value else "none"

    button.observe(show, "value")
    show(None)
    return widgets.VBox([button, child])


def chooser(what: str, labels: Iterable[Label]) -> widgets.Dropdown:
    """Offer labels in a list; its value is the position of the label."""
    return widgets.Dropdown(
        # A list that is closed shows the beginning of a name, which may be that of all.
        options=[(name, position) for position, name in enumerate(in_brief(labels))],
        value=0,
        description=what,
        style=WIDE,
        layout=across(),
    )


def rule_chooser(what: str, rules: Iterable[str]) -> widgets.Dropdown:
    """Offer rules in a list, in words; its value is the name of the rule."""
    offered = [(in_words(name), name) for name in rules]
    return widgets.Dropdown(options=offered, description=what, style=WIDE, layout=across())


def finder(what: str, names: Iterable[str]) -> widgets.Combobox:
    """Offer a field for a name, or a part of one; its value is what was typed."""
    return widgets.Combobox(
        description=what,
        options=list(names),
        placeholder="a system's name, or click its row",
        continuous_update=False,
        style=WIDE,
        layout=across(),
    )
