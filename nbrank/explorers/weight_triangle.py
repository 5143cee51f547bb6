"""The triangle of three groups: who wins at each weighting, and where one is in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import altair as alt
import ipywidgets as widgets
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank import charts
from nbrank.charts import PALETTE
from nbrank.charts.names import Names, in_brief, in_words, listed
from nbrank.explorers.controls import BESIDE
from nbrank.explorers.live_chart import draw_live, live_chart
from nbrank.questions.weight_map import weight_map
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.naming import Label
from nbrank.votes.task_names import TaskNames

#: Into how many steps each side of the triangle is divided: whole percents, as on the sliders.
_RESOLUTION = 50
#: Where `charts.weight_map` puts the corner of each group.
_CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]])
#: Where the ring is that marks the weights shown.
_AT = {"at_x": 0.5, "at_y": 0.3}
#: The colours of the triangle's winners, of which `charts.weight_map` shows so many.
_COLOURS = PALETTE[:-1]


class Triangle:
    """Three groups of tasks, a slider for each, and the map of who wins at each weighting.

    `won` is who wins at each point, as `nbrank.weight_map` returns it; None where nothing is drawn.
    """

    def __init__(self, board: Leaderboard, names: Names) -> None:
        self.board = board
        self.names = names
        groups = {} if board.groups is None else board.groups
        tasks = TaskNames.of(board.tasks, board.groups)
        self.members = {
            group: tasks.positions(members, "groups")
            for group, members in groups.items()
            if len(groups) == 3
        }
        called = Names.of(self.members)
        self.sliders = {
            group: widgets.FloatSlider(
                0.5,
                min=0,
                max=1,
                step=0.01,
                readout_format=".0%",
                description=brief,
                tooltip=called.whole[group],
                style={"description_width": "12em"},
                layout=widgets.Layout(**BESIDE),
            )
            for group, brief in zip(self.members, in_brief(self.members, 22), strict=True)
        }
        self.map = live_chart({"weighting": ["point"]}, _AT)
        self.won: pd.DataFrame | None = None
        self.shares: list[float] = []
        #: Whether the sliders are just being put somewhere, and not moved by somebody.
        self.moving = False
        self._colours: dict[Label, str] = {}

    def spread(self, shares: Iterable[float]) -> NDArray[np.float64]:
        """The weights of the tasks where those of a group are alike."""
        weights = np.zeros(len(self.board.tasks))
        for members, share in zip(self.members.values(), shares, strict=True):
            weights[members] = share / len(members)
        return weights

    def gathered(self, weights: NDArray[np.float64]) -> list[float]:
        """What the groups have of the weights of the tasks."""
        return [float(weights[members].sum()) for members in self.members.values()]

    def told(self, word: str, shares: Iterable[float] | None = None) -> str:
        """The shares of the groups, as the sliders show them."""
        shown = self.shares if shares is None else shares
        names = in_brief(self.members)
        return listed(
            [f"{_whole(share):.0%} {word} {name}" for share, name in zip(shown, names, strict=True)]
        )

    def move_to(self, shares: list[float]) -> None:
        """Put the sliders and the ring at these shares of the groups."""
        self.shares = shares
        self.map.put(dict(zip(_AT, (np.array(shares) @ _CORNERS).tolist(), strict=True)))
        self.moving = True
        for slider, share in zip(self.sliders.values(), shares, strict=True):
            # What the words say too; and the browser would move another value to it.
            slider.value = _whole(share)
        self.moving = False

    def moved(self, slider: widgets.FloatSlider) -> dict[Label, float]:
        """Give one group what its slider says; the others share the rest as they did."""
        its = [one is slider for one in self.sliders.values()]
        rest = np.where(its, 0.0, self.shares)
        rest = rest if rest.any() else np.where(its, 0.0, 1.0)
        shares = np.where(its, slider.value, (1 - slider.value) * rest / rest.sum())
        return dict(zip(self.members, shares.tolist(), strict=True))

    def clicked(self, places: Iterable[Mapping[str, Any]]) -> dict[Label, float]:
        """The shares at the point that was clicked; none if it was none."""
        # Between two charts the selection is empty, and the ring around the point has no number.
        points = [place.get("point") for place in places]
        if not points or points[0] is None or self.won is None:
            return {}
        row = self.won[[*self.members]].to_numpy()[int(points[0])]
        return dict(zip(self.members, row.tolist(), strict=True))

    def ask(self, rule: str) -> None:
        """Find who wins at each point; none are known where the rule refuses the table."""
        self.won = None
        self.map.layout.display = "none"
        equal = self.board.with_task_weights(np.ones(len(self.board.tasks)))
        self.won = weight_map(equal, rule, resolution=_RESOLUTION)
        self.map.layout.display = None

    def draw(self) -> None:
        """Draw who wins at each point, and the ring where the sliders are."""
        if self.won is not None:
            draw_live(self.map, self._drawn)

    def _drawn(self) -> alt.LayerChart:
        won: Any = self.won
        chart: Any = charts.weight_map(won)
        # In the chart colours go by who wins most; here they stay with a system at another rule.
        colours = chart.layer[0].encoding.color["scale"]
        shown = list(self.alone())[: len(_COLOURS)]
        self._colours = _kept(self._colours, shown)
        colours["range"] = [
            self._colours[shown[number]] if number < len(shown) else other
            for number, other in zip(colours["domain"], colours["range"], strict=True)
        ]
        ring = alt.Chart(alt.InlineData(values=[{}])).encode(
            x=alt.XDatum(alt.ExprRef("at_x"), type="quantitative", axis=None),
            y=alt.YDatum(alt.ExprRef("at_y"), type="quantitative", axis=None),
        )
        # Not filled: what lies under the ring can still be clicked.
        marks = [
            ring.mark_point(
                size=320, filled=False, stroke=colour, strokeWidth=width, opacity=1
            ).properties(name=name)
            for name, colour, width in (("halo", "white", 6), ("ring", "black", 2.5))
        ]
        chart.layer = [*chart.layer, *marks]
        at: Any = self.map.params
        given = [alt.VariableParameter(name=name, value=getattr(at, name)) for name in _AT]
        chart.params = [*chart.params, *given]
        drawn: alt.LayerChart = chart
        return drawn

    def alone(self) -> Counter[Label]:
        """At how many weightings a system is the only winner, the most first."""
        won: Any = self.won
        found = Counter(winners[0] for winners in won["winners"] if len(winners) == 1)
        return Counter(dict(found.most_common()))

    def nearest_other(self, here: Iterable[float], winners: Iterable[Label]) -> int | None:
        """The row of the nearest point at which others win; None if nobody else does."""
        won: Any = self.won
        far = np.abs(won[[*self.members]].to_numpy() - np.array(list(here))).sum(axis=1) / 2
        others = [set(found) != set(winners) for found in won["winners"]]
        return int(np.argmin(np.where(others, far, np.inf))) if any(others) else None

    def shares_of(self, systems: Iterable[Label], rule: str) -> str:
        """Say how much of the triangle some systems win alone."""
        won: Any = self.won
        alone, n = self.alone(), len(won)
        parts = {self.names.brief[system]: alone[system] / n for system in systems}
        if len(parts) == 1:
            ((name, part),) = parts.items()
            return f"{name} wins by {in_words(rule)} at {part:.0%} of the triangle's points."
        said = [f"{name} at {part:.0%}" for name, part in parts.items()]
        several = n - alone.total()
        if several:
            said.append(f"several systems at {several / n:.0%}")
        return f"Of the triangle's points, the winner is {listed(said, 4)}."


def _whole(share: float) -> float:
    """A share in whole percents, as sliders and words have it."""
    return round(share, 2)


def _kept(colours: Mapping[Label, str], winners: Iterable[Label]) -> dict[Label, str]:
    """Let each winner have the colour that it had; new ones take those that nobody has now.

    >>> _kept({"A": "#0072B2", "B": "#D55E00"}, ["C", "B"])
    {'A': '#0072B2', 'B': '#D55E00', 'C': '#009E73'}
    """
    shown = list(winners)
    kept = {system: colours[system] for system in shown if system in colours}
    never = [colour for colour in _COLOURS if colour not in colours.values()]
    free = [*never, *(c for c in _COLOURS if c not in never and c not in kept.values())]
    new = dict(zip([system for system in shown if system not in kept], free, strict=False))
    before = {system: c for system, c in colours.items() if c not in new.values()}
    return before | kept | new
