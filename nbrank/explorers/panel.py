"""What the explorers share: words, a live chart and a table, and sliders that stay few."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from html import escape
from typing import Any

import altair as alt
import ipywidgets as widgets
import pandas as pd
import traitlets
from altair.utils.schemapi import debug_mode

from nbrank.charts import name_of
from nbrank.labelled.leaderboard import Label, Leaderboard

#: From so many sliders on, there is a field to find one.
_MANY = 10
_STYLE = """<style>
.nbrank-words p {margin: .3em 0; line-height: 1.45; max-width: 60em}
.nbrank-words {color: var(--jp-content-font-color1, inherit)}
.nbrank-table {overflow: auto; max-height: 24em; color: var(--jp-content-font-color1, inherit)}
.nbrank-table table {border-collapse: collapse}
.nbrank-table th, .nbrank-table td {padding: .15em .6em; text-align: right; white-space: nowrap;
  border-bottom: 1px solid rgba(128, 128, 128, .35)}
.nbrank-table tbody th {text-align: left; font-weight: normal}
</style>"""


def in_paragraphs(sentences: Iterable[str]) -> str:
    """Set sentences as HTML, a paragraph each.

    Parameters
    ----------
    sentences
        Plain text.

    Examples
    --------
    >>> in_paragraphs(["A < B", "so it is"])
    '<p>A &lt; B</p><p>so it is</p>'
    """
    return "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)


class Panel(widgets.VBox):  # type: ignore[misc]
    """Controls above, then what one sees in words, a chart, and the table behind it.

    Parameters
    ----------
    board
        The leaderboard that is explored.
    controls
        What the user moves, from top to bottom.
    below
        What else there is, below all.

    Attributes
    ----------
    words : str
        What one sees, in plain sentences, a line each.
    """

    words = traitlets.Unicode()

    def __init__(
        self,
        board: Leaderboard,
        controls: Iterable[widgets.Widget],
        below: Iterable[widgets.Widget] = (),
    ) -> None:
        # A chart that loads no script from elsewhere; Altair does it once.
        alt.JupyterChart.enable_offline()
        self.board = board
        self._said = widgets.HTML()
        self._figure = alt.JupyterChart(
            alt.Chart(alt.InlineData(values=[])).mark_point(),
            embed_options={"actions": False},
        )
        self._rows = widgets.HTML()
        figure = widgets.Box(
            [self._figure], layout=widgets.Layout(overflow="auto", max_height="620px", width="100%")
        )
        super().__init__(
            [*controls, self._said, figure, self._rows, *below], layout=widgets.Layout(width="100%")
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}\n{self.words}"

    def show(
        self,
        sentences: Iterable[str],
        draw: Callable[[], alt.LayerChart] | None,
        table: pd.DataFrame | None,
    ) -> None:
        """Show what was found.

        Parameters
        ----------
        sentences
            What one sees, in words.
        draw
            Makes the chart of it; None leaves the one that stands.
        table
            The numbers; None shows none.
        """
        said = list(sentences)
        self.words = "\n".join(said)
        self._said.value = f'{_STYLE}<div class="nbrank-words">{in_paragraphs(said)}</div>'
        if draw is not None:
            # Altair checks every part of a chart against its schema, which takes half a second.
            with debug_mode(False):
                self._figure.spec = draw().to_dict(validate=False)
        html = "" if table is None else table.to_html(border=0, na_rep="", index_names=False)
        self._rows.value = f'<div class="nbrank-table">{html}</div>'


class WeightSliders(widgets.VBox):  # type: ignore[misc]
    """A slider for each task or group, in a box that scrolls, with a field to find one.

    Parameters
    ----------
    start
        Label -> its weight to begin with.

    Attributes
    ----------
    value : dict
        Label -> its weight; set it to move the sliders.
    """

    value: traitlets.Dict[Any, Any] = traitlets.Dict()

    def __init__(self, start: Mapping[Any, float]) -> None:
        self._start: dict[Label, float] = dict(start.items())
        top = max(5.0, 2 * max(start.values()))
        self.sliders: dict[Hashable, widgets.FloatSlider] = {
            label: widgets.FloatSlider(
                weight,
                min=0,
                max=top,
                step=top / 50,
                description=name_of(label),
                tooltip=name_of(label),
                style={"description_width": "12em"},
                layout=widgets.Layout(width="28em", max_width="98%"),
            )
            for label, weight in start.items()
        }
        self._holding = False
        for slider in self.sliders.values():
            slider.observe(self._read, "value")
        equal = widgets.Button(description="as at the start", layout=widgets.Layout(width="10em"))
        equal.on_click(lambda _: self.set_trait("value", dict(self._start)))
        head: list[widgets.Widget] = [equal]
        if len(self.sliders) >= _MANY:
            find = widgets.Text(placeholder="find one by its name", continuous_update=True)
            find.observe(lambda change: self.find(change["new"]), "value")
            head.append(find)
        box = widgets.VBox(
            list(self.sliders.values()),
            layout=widgets.Layout(max_height="240px", overflow="auto", display="block"),
        )
        super().__init__([widgets.HBox(head), box])
        self.value = dict(start)

    def find(self, text: str) -> None:
        """Show only the sliders whose name holds a text.

        Parameters
        ----------
        text
            The text, in capitals or not.
        """
        for label, slider in self.sliders.items():
            shown = text.casefold() in name_of(label).casefold()
            slider.layout.display = None if shown else "none"

    def _read(self, _: Any) -> None:
        if not self._holding:
            self.value = self.completed({})

    def completed(self, weights: Mapping[Any, float]) -> dict[Label, float]:
        """Take the weights that are not named from the sliders.

        Parameters
        ----------
        weights
            Label -> its weight.

        Raises
        ------
        traitlets.TraitError
            If a label is unknown, or a weight is below 0.
        """
        unknown = [label for label in weights if label not in self.sliders]
        if unknown:
            raise traitlets.TraitError(
                f"weights: unknown {', '.join(map(repr, unknown))}; "
                f"there are {', '.join(map(repr, self.sliders))}"
            )
        if any(not weight >= 0 for weight in weights.values()):
            raise traitlets.TraitError("weights: none may be below 0")
        result: dict[Label, float] = {}
        for label, slider in self.sliders.items():
            result[label] = slider.value
        for label, weight in weights.items():
            result[label] = float(weight)
        return result

    @traitlets.validate("value")
    def _known(self, proposal: Any) -> dict[Label, float]:
        return self.completed(proposal["value"])

    @traitlets.observe("value")
    def _move(self, _: Any) -> None:
        self._holding = True
        for label, weight in self.value.items():
            slider = self.sliders[label]
            slider.max = max(slider.max, weight)
            slider.value = weight
        self._holding = False


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
        options=[(name_of(label), position) for position, label in enumerate(labels)],
        value=value,
        description=what,
        style={"description_width": "initial"},
        layout=widgets.Layout(max_width="98%"),
    )
