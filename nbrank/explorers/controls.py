"""What the user moves beside sliders: lists, fields to find a name, rows and folds of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import ipywidgets as widgets

from nbrank.charts.names import MISSING_IN_WORDS, in_brief, in_words
from nbrank.rules.rule import RULES, Rule
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.naming import Label

#: Descriptions as long as they are.
WIDE = {"description_width": "initial"}
#: A control beside others, and on a narrow page below them.
BESIDE = {"width": "28em", "max_width": "98%"}


def rules_for_scores() -> dict[str, Rule]:
    """The rules that rank a table of scores and need no argument."""
    return {
        name: rule
        for name, rule in RULES.items()
        if rule.takes(Leaderboard.offers) and not rule.arguments
    }


def rules_of_means() -> list[str]:
    """Of these, the rules whose score is a mean over ballots."""
    return [name for name, rule in rules_for_scores().items() if rule.additive]


def in_a_row(children: Iterable[widgets.Widget]) -> widgets.Box:
    """Set controls beside each other, in as many rows as the page is wide for."""
    return widgets.Box(list(children), layout=widgets.Layout(flex_flow="row wrap", width="100%"))


def in_a_list(children: Iterable[widgets.Widget]) -> widgets.VBox:
    """Set many controls below each other, in a box that scrolls."""
    layout = widgets.Layout(max_height="240px", overflow="auto", display="block")
    return widgets.VBox(list(children), layout=layout)


def folded(children: Mapping[str, widgets.Widget], opened: int | None = None) -> widgets.Accordion:
    """Fold controls away under their titles."""
    return widgets.Accordion(list(children.values()), titles=tuple(children), selected_index=opened)


def chooser(what: str, labels: Iterable[Label]) -> widgets.Dropdown:
    """Offer labels in a list; its value is the position of the label."""
    return widgets.Dropdown(
        # A list that is closed shows the beginning of a name, which may be that of all.
        options=[(name, position) for position, name in enumerate(in_brief(labels))],
        value=0,
        description=what,
        style=WIDE,
        layout=widgets.Layout(**BESIDE),
    )


def rule_chooser(what: str, rules: Iterable[str], **options: Any) -> widgets.Dropdown:
    """Offer rules in a list, in words; its value is the name of the rule."""
    offered = [(in_words(name), name) for name in rules]
    return widgets.Dropdown(options=offered, description=what, **options)


def missing_chooser(otherwise: str) -> widgets.Dropdown:
    """Offer the ways in which a missing score may count, after the rule's own."""
    ways = [(f"{how}: {words}", how) for how, words in MISSING_IN_WORDS.items()]
    return widgets.Dropdown(
        description="missing scores",
        options=[(otherwise, otherwise), *ways],
        style=WIDE,
        layout=widgets.Layout(max_width="98%"),
    )


def place_slider(what: str, first: int, last: int) -> widgets.IntSlider:
    """Offer a whole number, from the first to the last."""
    layout = widgets.Layout(**BESIDE)
    return widgets.IntSlider(
        first, min=first, max=last, description=what, style=WIDE, layout=layout
    )


def finder(what: str, names: Iterable[str]) -> widgets.Combobox:
    """Offer a field that offers the names in which what one types stands; its value is a name."""
    return widgets.Combobox(
        description=what,
        options=list(names),
        placeholder="a system's name",
        ensure_option=True,
        continuous_update=False,
        style=WIDE,
    )
