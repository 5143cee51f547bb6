"""What the user moves beside sliders: lists, fields to find a name, rows and folds of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import ipywidgets as widgets

from nbrank.charts.names import in_brief
from nbrank.votes.naming import Label


def in_a_row(children: Iterable[widgets.Widget]) -> widgets.Box:
    """Set controls beside each other, in as many rows as the page is wide for.

    Parameters
    ----------
    children
        The controls.
    """
    return widgets.Box(list(children), layout=widgets.Layout(flex_flow="row wrap", width="100%"))


def folded(children: Mapping[str, widgets.Widget], opened: int | None = None) -> widgets.Accordion:
    """Fold controls away under their titles.

    Parameters
    ----------
    children
        Title -> what is below it.
    opened
        Which one is open to begin with.
    """
    return widgets.Accordion(list(children.values()), titles=tuple(children), selected_index=opened)


def chooser(what: str, labels: Iterable[Label], value: int = 0) -> widgets.Dropdown:
    """Offer labels in a list; its value is the position of the label.

    Parameters
    ----------
    what
        What is chosen.
    labels
        The labels.
    value
        The position chosen to begin with.
    """
    return widgets.Dropdown(
        # A list that is closed shows the beginning of a name, which may be that of all.
        options=[(name, position) for position, name in enumerate(in_brief(labels))],
        value=value,
        description=what,
        style={"description_width": "initial"},
        layout=widgets.Layout(width="28em", max_width="98%"),
    )


def finder(what: str, names: Iterable[str]) -> widgets.Combobox:
    """Offer a field that offers the names in which what one types stands; its value is a name.

    Parameters
    ----------
    what
        What is done with the one that is found.
    names
        The names, no two of them alike.
    """
    return widgets.Combobox(
        description=what,
        options=list(names),
        placeholder="a system's name",
        ensure_option=True,
        continuous_update=False,
        style={"description_width": "initial"},
    )
