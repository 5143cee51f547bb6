"""The triangle of three groups: who wins at each weighting, and where one is in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from nbrank import charts
from nbrank.findings.labels import DisplayNames, abbreviate_labels, join_labels, rule_title
from nbrank.robustness.weight_regions import weight_map
from nbrank.rules.registry import Rule
from nbrank.votes.formatting import Label
from nbrank.votes.leaderboard import Leaderboard

if TYPE_CHECKING:
    import altair as alt

#: Into how many steps each side of the triangle is divided.
_RESOLUTION = 40


class WeightTriangle:
    """Who wins at each weighting of three groups, and a ring where the weights are.

    `winners_by_point` is who wins at each point, as `nbrank.weight_map` returns it; None where
    nothing is drawn. `marker` is where the ring is. There are no `members` where there are
    no three groups.
    """

    def __init__(self, board: Leaderboard, names: DisplayNames) -> None:
        self.names = names
        groups = {} if board.groups is None else board.groups
        tasks = board.task_names
        self.members = {
            group: tasks.get_positions(members, "groups")
            for group, members in groups.items()
            if len(groups) == 3
        }
        self.total = float(board.weights.sum())
        self.winners_by_point: pd.DataFrame | None = None
        self.marker: dict[str, float] = {}
        self._cached_chart: tuple[Any, Callable[[], alt.LayerChart]] | None = None

    def point_to_weights(self, point: int) -> dict[Label, float]:
        """The weights of the groups at a point."""
        won: Any = self.winners_by_point
        row = won[[*self.members]].to_numpy()[point] * self.total
        return dict(zip(self.members, row.tolist(), strict=True))

    def show(
        self, rule: Rule | None, board: Leaderboard
    ) -> tuple[str, Callable[[], alt.LayerChart] | None]:
        """Say how much of the triangle who wins by a rule that is a mean, and draw it."""
        from nbrank.charts.weight_space import TRIANGLE_CORNERS

        name = "borda" if rule is None or rule.additive is None else rule.name
        weights = np.array([board.weights[members].sum() for members in self.members.values()])
        at = (weights / weights.sum()) @ TRIANGLE_CORNERS
        self.marker = {"at_x": float(at[0]), "at_y": float(at[1])}
        asked = (name, board.values.tobytes())
        if self._cached_chart is None or self._cached_chart[0] != asked:
            equal = board.with_task_weights(np.ones(len(board.tasks)))
            try:
                self.winners_by_point = weight_map(equal, name, resolution=_RESOLUTION)
            except ValueError as error:
                self.winners_by_point = self._cached_chart = None
                return f"The triangle can't be drawn for {rule_title(name)}: {error}", None
            won = self.winners_by_point
            self._cached_chart = (asked, lambda: self._add_marker(charts.weight_map(won)))
        winners: list[list[Label]] = self.winners_by_point["winners"].tolist()  # type: ignore[index]
        alone, n = Counter(won[0] for won in winners if len(won) == 1), len(winners)
        sentences = [
            f"{self.names.short[item]} at {part / n:.0%}" for item, part in alone.most_common()
        ]
        several = n - alone.total()
        sentences += [f"several systems at {several / n:.0%}"] if several > 0.01 * n else []
        corners = join_labels(abbreviate_labels(self.members))
        return (
            f"The winner by {rule_title(name)} as {corners} count more or less: "
            f"{join_labels(sentences, 4)} of the triangle's points. "
            "The ring is where the weights are; click to move it."
        ), self._cached_chart[1]

    def _add_marker(self, chart: Any) -> alt.LayerChart:
        import altair as alt

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
        values = [
            alt.VariableParameter(name=name, value=value) for name, value in self.marker.items()
        ]
        chart.params = [*chart.params, *values]
        drawn: alt.LayerChart = chart
        return drawn
