"""The triangle of three groups: who wins at each weighting, and where one is in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from nbrank import charts
from nbrank.charts.weightings import CORNERS
from nbrank.findings.names import Names, in_brief, in_words, listed
from nbrank.questions.weight_map import weight_map
from nbrank.rules.rule import Rule
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.naming import Label

#: Into how many steps each side of the triangle is divided.
_RESOLUTION = 40


class Triangle:
    """Who wins at each weighting of three groups, and a ring where the weights are.

    `won` is who wins at each point, as `nbrank.weight_map` returns it; None where nothing is drawn.
    `ring` is where the ring is. There are no `members` where there are no three groups.
    """

    def __init__(self, board: Leaderboard, names: Names) -> None:
        self.names = names
        groups = {} if board.groups is None else board.groups
        tasks = board.names
        self.members = {
            group: tasks.positions(members, "groups")
            for group, members in groups.items()
            if len(groups) == 3
        }
        self.total = float(board.weights.sum())
        self.won: pd.DataFrame | None = None
        self.ring: dict[str, float] = {}
        self._drawn: tuple[Any, Callable[[], alt.LayerChart]] | None = None

    def at(self, point: int) -> dict[Label, float]:
        """The weights of the groups at a point."""
        won: Any = self.won
        row = won[[*self.members]].to_numpy()[point] * self.total
        return dict(zip(self.members, row.tolist(), strict=True))

    def show(
        self, rule: Rule | None, board: Leaderboard
    ) -> tuple[str, Callable[[], alt.LayerChart] | None]:
        """Say how much of the triangle who wins by a rule that is a mean, and draw it."""
        name = "borda" if rule is None or rule.additive is None else rule.name
        weights = np.array([board.weights[members].sum() for members in self.members.values()])
        at = (weights / weights.sum()) @ CORNERS
        self.ring = {"at_x": float(at[0]), "at_y": float(at[1])}
        asked = (name, board.values.tobytes())
        if self._drawn is None or self._drawn[0] != asked:
            equal = board.with_task_weights(np.ones(len(board.tasks)))
            try:
                self.won = weight_map(equal, name, resolution=_RESOLUTION)
            except ValueError as error:
                self.won = self._drawn = None
                return f"There is no triangle by {in_words(name)}: {error}", None
            won = self.won
            self._drawn = (asked, lambda: self._with_a_ring(charts.weight_map(won)))
        winners: list[list[Label]] = self.won["winners"].tolist()  # type: ignore[index]
        alone, n = Counter(won[0] for won in winners if len(won) == 1), len(winners)
        said = [f"{self.names.brief[one]} at {part / n:.0%}" for one, part in alone.most_common()]
        several = n - alone.total()
        said += [f"several systems at {several / n:.0%}"] if several > 0.01 * n else []
        corners = listed(in_brief(self.members))
        return (
            f"Who wins by {in_words(name)} as {corners} count more or less: {listed(said, 4)} of "
            f"the triangle's points. The ring is where the weights are; click to move it."
        ), self._drawn[1]

    def _with_a_ring(self, chart: Any) -> alt.LayerChart:
        at = alt.Chart(alt.InlineData(values=[{}])).encode(
            x=alt.XDatum(alt.ExprRef("at_x"), type="quantitative", axis=None),
            y=alt.YDatum(alt.ExprRef("at_y"), type="quantitative", axis=None),
        )
        # Not filled: what lies under the ring can still be clicked.
        marks = [
            at.mark_point(
                size=320, filled=False, stroke=colour, strokeWidth=width, opacity=1
            ).properties(name=name)
            for name, colour, width in (("halo", "white", 6), ("ring", "black", 2.5))
        ]
        chart.layer = [*chart.layer, *marks]
        given = [alt.VariableParameter(name=name, value=value) for name, value in self.ring.items()]
        chart.params = [*chart.params, *given]
        drawn: alt.LayerChart = chart
        return drawn
