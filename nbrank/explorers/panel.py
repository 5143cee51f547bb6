"""What the explorers share: words, a live chart and a table, and sliders that stay few."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cache
from html import escape
from numbers import Real
from types import MappingProxyType
from typing import Any

import altair as alt
import ipywidgets as widgets
import numpy as np
import pandas as pd
import traitlets
from altair.utils.schemapi import debug_mode

from nbrank.arrays.tournament import SearchLimitError
from nbrank.charts import name_of
from nbrank.charts.names import in_brief
from nbrank.labelled.comparisons import Comparisons
from nbrank.labelled.leaderboard import (
    Groups,
    Label,
    Leaderboard,
    LowerIsBetter,
    Weights,
    as_leaderboard,
    counted,
    named,
)
from nbrank.labelled.registry import RULES
from nbrank.reporting import MISSING_IN_WORDS

#: From so many sliders on, there is a field to find one.
_MANY = 10
#: Texts longer than this stand at the left of their column.
_LONG = 15
#: The list's own arrow is black, which no one sees in a dark theme.
_ARROW = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 18 18'%3E"
    "%3Cpath d='M4 7l5 5 5-5' fill='none' stroke='%23808080' stroke-width='2'/%3E%3C/svg%3E"
)
_STYLE = (
    f"""<style>
.nbrank-panel {{--jp-widgets-dropdown-arrow: url("{_ARROW}")}}
</style>"""
    """<style>
.nbrank-words p, .nbrank-said p {margin: .3em 0; line-height: 1.45; max-width: 60em}
.nbrank-words, .nbrank-said {color: var(--jp-content-font-color1, inherit)}
.nbrank-table {overflow: auto; max-height: 24em; color: var(--jp-content-font-color1, inherit)}
.nbrank-table table {border-collapse: separate; border-spacing: 0}
.nbrank-table thead th {position: sticky; top: 0; background: var(--jp-layout-color0, white)}
.nbrank-table th, .nbrank-table td {padding: .15em .6em; text-align: right; white-space: nowrap;
  border-bottom: 1px solid rgba(128, 128, 128, .35)}
.nbrank-table .text {text-align: left; white-space: normal; min-width: 14em}
.nbrank-table td, .nbrank-table tbody th {vertical-align: top}
.nbrank-table td, .nbrank-table tbody th {line-height: 1.6}
.nbrank-table tbody th {text-align: left; font-weight: normal; white-space: normal;
  overflow-wrap: break-word; max-width: 26em}
.nbrank-why td, .nbrank-why thead th {text-align: left; white-space: normal; line-height: 1.35;
  min-width: 8em}
</style>"""
)


def board_to_explore(
    explorer: str,
    scores: pd.DataFrame | Leaderboard,
    weights: Weights,
    groups: Groups,
    lower_is_better: LowerIsBetter,
) -> Leaderboard:
    """Check what an explorer is given, and say what to use where it is no table of scores.

    Parameters
    ----------
    explorer
        The name of the function, for the message.
    scores
        A frame of scores or a leaderboard.
    weights, groups, lower_is_better
        As for `nbrank.Leaderboard`.

    Raises
    ------
    TypeError, ValueError
        As `nbrank.Leaderboard`; also if the scores are comparisons.
    """
    if isinstance(scores, Comparisons):
        raise TypeError(
            f"{explorer} needs scores, systems x tasks, and these are comparisons; look at them "
            f"with explore_confidence(comparisons), or compare(comparisons)"
        )
    return as_leaderboard(scores, weights, groups, lower_is_better)


def why_refused(rule: str, board: Leaderboard, error: Exception, choosable: bool = True) -> str:
    """Say why a rule refuses a table, and what somebody at an explorer can do.

    Parameters
    ----------
    rule
        The name of the rule.
    board
        The leaderboard that it refuses.
    error
        What it said.
    choosable
        Whether the explorer lets one choose how missing scores count.
    """
    if not isinstance(error, SearchLimitError) and (ways := _ways_to_count_missing(rule, board)):
        absent = counted(int(np.isnan(board.values).sum()), "missing score")
        if choosable:
            return f"{absent}; above you can choose to count them by {ways}"
        return f"{absent}; choose another rule"
    return str(error).removeprefix(f"{rule}: ").removesuffix(".")


def _ways_to_count_missing(rule: str, board: Leaderboard) -> str:
    """How missing scores would have to count for the rule to rank; empty if no way is enough."""
    if "missing" not in RULES[rule].parameters or not np.isnan(board.values).any():
        return ""
    ways = []
    for how in MISSING_IN_WORDS:
        try:
            RULES[rule].function(board, missing=how)
        except (ValueError, RuntimeError):
            continue
        ways.append(f"“{how}”")
    return " or ".join(ways)


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


def said_in_a_panel(sentences: Iterable[str]) -> str:
    """Set sentences as HTML that reads as the panel's own words do.

    Parameters
    ----------
    sentences
        Plain text.
    """
    return f'{_STYLE}<div class="nbrank-said">{in_paragraphs(sentences)}</div>'


def in_a_table(frame: pd.DataFrame) -> str:
    r"""Set a frame as an HTML table; pandas takes ten times as long, which one would feel.

    Parameters
    ----------
    frame
        The numbers; a cell that is missing is left empty.

    Examples
    --------
    >>> print(in_a_table(pd.DataFrame({"a < b": [1]}, index=["A"])).replace("<tb", "\n<tb"))
    <table><thead><tr><th></th><th>a &lt; b</th></tr></thead>
    <tbody><tr><th>A</th><td>1</td></tr></tbody></table>
    """
    cells = frame.to_numpy(dtype=object, na_value="")
    # A column of long texts is one of texts throughout, its short ones and its heading included.
    sides = [' class="text"' if any(map(_long, column)) else "" for column in cells.T.tolist()]
    head = "".join(
        f"<th{side}>{escape(name_of(column))}</th>"
        for column, side in zip(frame.columns, sides, strict=True)
    )
    rows = []
    for label, row in zip(frame.index.tolist(), cells.tolist(), strict=True):
        written = "".join(
            f"<td{side}>{escape(str(value))}</td>" for value, side in zip(row, sides, strict=True)
        )
        rows.append(f"<tr><th>{escape(name_of(label))}</th>{written}</tr>")
    return f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _long(value: Any) -> bool:
    return isinstance(value, str) and len(value) > _LONG


class LiveChart(alt.JupyterChart):
    """A live chart that loads no script from elsewhere, and the drawing script once a page.

    Altair's own offline chart brings nearly a megabyte of script, which the
    browser reads again for each chart of a page, and which has to be read within
    the two seconds that anywidget gives a widget to start. Here the widget starts
    by a few lines; the first chart drawn reads the rest, for all of them.

    Parameters
    ----------
    chart
        The chart to begin with.
    **options
        As `altair.JupyterChart` takes them.
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

        Parameters
        ----------
        values
            Parameter -> its value.
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

    What is drawn later, by `draw_live`, has to hold each of these selections and
    parameters: Altair listens to those of the chart that it was made with.

    Parameters
    ----------
    selections
        Selection of points -> its fields. Observe `.selections` for them.
    params
        Parameter -> its value to begin with. Move it by `put`, and the chart
        follows without being drawn anew.
    """
    empty = alt.Chart(alt.InlineData(values=[])).mark_point()
    points = [alt.selection_point(name=name, fields=[*of]) for name, of in selections.items()]
    values = [alt.param(name=name, value=value) for name, value in params.items()]
    if points or values:
        empty = empty.add_params(*points, *values)
    return LiveChart(empty, embed_options={"actions": False})


def draw_live(figure: alt.JupyterChart, draw: Callable[[], alt.LayerChart]) -> None:
    """Draw a chart in a live chart, whose selections and parameters stay registered.

    Parameters
    ----------
    figure
        The live chart.
    draw
        Makes the chart.
    """
    # Altair checks every part of a chart against its schema, which takes half a second.
    with debug_mode(False):
        figure.spec = draw().to_dict(validate=False)


class Panel(widgets.VBox):  # type: ignore[misc]
    """Controls above, then what one sees in words, a chart, the reasons, and the table behind it.

    Parameters
    ----------
    board
        The leaderboard, or the comparisons, that are explored.
    controls
        What the user moves, from top to bottom.
    beside
        What stands between the words and the chart.
    below
        What stands between the reasons and the table.

    Attributes
    ----------
    words : str
        What one sees, in plain sentences, a line each.
    """

    words = traitlets.Unicode()

    def __init__(
        self,
        board: Any,
        controls: Iterable[widgets.Widget],
        beside: Iterable[widgets.Widget] = (),
        below: Iterable[widgets.Widget] = (),
    ) -> None:
        self.board = board
        self._said = widgets.HTML()
        self._figure = live_chart()
        self._reasons = widgets.HTML()
        self._rows = widgets.HTML()
        drawn = scrolling(self._figure)
        super().__init__(
            [*controls, self._said, *beside, drawn, self._reasons, *below, self._rows],
            layout=widgets.Layout(width="100%"),
        )
        self.add_class("nbrank-panel")

    def __repr__(self) -> str:
        return f"{type(self).__name__}\n{self.words}"

    def show(
        self,
        sentences: Iterable[str],
        draw: Callable[[], alt.LayerChart] | None,
        table: pd.DataFrame | None,
        reasons: Iterable[str] = (),
    ) -> None:
        """Show what was found.

        Parameters
        ----------
        sentences
            What one sees, in words: above the chart, so few of them.
        draw
            Makes the chart of it; None shows none.
        table
            The numbers; None shows none.
        reasons
            Why it is so, in words: below the chart.
        """
        said, why = list(sentences), list(reasons)
        self.words = "\n".join([*said, *why])
        self._said.value = f'{_STYLE}<div class="nbrank-words">{in_paragraphs(said)}</div>'
        self._reasons.value = f'<div class="nbrank-reasons nbrank-said">{in_paragraphs(why)}</div>'
        self._figure.layout.display = "none" if draw is None else None
        if draw is not None:
            draw_live(self._figure, draw)
        html = "" if table is None else in_a_table(table)
        self._rows.value = f'<div class="nbrank-table">{html}</div>'


def _step(weights: Iterable[float], top: float) -> float:
    """The largest round step on which all of these weights lie: the browser moves others to it."""
    rounded = [step for step in (0.5, 0.25, 0.1, 0.05) if step <= top / 25]
    on_it = (s for s in rounded if all(abs(w / s - round(w / s)) < 1e-9 for w in weights))
    return next(on_it, top / 50)


def is_a_weight(value: Any) -> bool:
    """Whether something can be a weight: a number from 0 on, and not an infinite one.

    Parameters
    ----------
    value
        Anything.

    Examples
    --------
    >>> [is_a_weight(value) for value in (0, 2.5, -1, float("nan"), float("inf"), "1")]
    [True, True, False, False, False, False]
    """
    return isinstance(value, Real) and 0 <= float(value) < math.inf


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
                step=_step(start.values(), top),
                description=name,
                tooltip=name_of(label),
                style={"description_width": "14em"},
                layout=widgets.Layout(width="30em", max_width="98%"),
            )
            for (label, weight), name in zip(start.items(), in_brief(start, 22), strict=True)
        }
        self._holding = False
        self._put = dict(self._start)
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
            Label -> its weight. A task of a group may be named without it, where no
            other task is called so.

        Raises
        ------
        traitlets.TraitError
            If a label is unknown, or a weight is no number from 0 on.
        """
        given = {self._full_name(label): weight for label, weight in weights.items()}
        unknown = [label for label in given if label not in self.sliders]
        if unknown:
            raise traitlets.TraitError(
                f"weights: unknown {named(unknown)}; there are {named(self.sliders)}"
            )
        for label, weight in given.items():
            if not is_a_weight(weight):
                raise traitlets.TraitError(
                    f"weights: {weight!r} for {named([label])} is no weight; give a number from 0 "
                    f"on, and not an infinite one"
                )
        result: dict[Label, float] = {}
        for label, slider in self.sliders.items():
            put = self._put[label]
            # The browser moves a value that it is given to the nearest step: nobody asked for it.
            result[label] = put if abs(slider.value - put) <= 0.51 * slider.step else slider.value
        for label, weight in given.items():
            result[label] = float(weight)
        return result

    def _full_name(self, label: Label) -> Label:
        """A task of a group may be called by its own name, where no other is called so."""
        if label in self.sliders:
            return label
        called = [full for full in self.sliders if isinstance(full, tuple) and full[-1] == label]
        return called[0] if len(called) == 1 else label

    @traitlets.validate("value")
    def _known(self, proposal: Any) -> dict[Label, float]:
        return self.completed(proposal["value"])

    @traitlets.observe("value")
    def _move(self, _: Any) -> None:
        self._holding = True
        self._put = dict(self.value)
        for label, weight in self.value.items():
            slider = self.sliders[label]
            slider.max = max(slider.max, weight)
            slider.value = weight
        self._holding = False


def in_a_row(children: Iterable[widgets.Widget]) -> widgets.Box:
    """Set controls beside each other, in as many rows as the page is wide for.

    Parameters
    ----------
    children
        The controls.
    """
    return widgets.Box(list(children), layout=widgets.Layout(flex_flow="row wrap", width="100%"))


def scrolling(figure: alt.JupyterChart) -> widgets.Box:
    """Put a chart in a box that scrolls if it is larger.

    Parameters
    ----------
    figure
        The chart.
    """
    return widgets.Box(
        [figure], layout=widgets.Layout(overflow="auto", max_height="620px", max_width="100%")
    )


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
