"""The triangle of three groups: who wins at each weighting, and where one is in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
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
    nothing is drawn. There are no `members` where there are no three groups.
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
        #: The rule and the scores of which `winners_by_point` are.
        self._asked: tuple[str, bytes] | None = None

    def point_to_weights(self, point: int) -> dict[Label, float]:
        """The weights of the groups at a point."""
        won: Any = self.winners_by_point
        row = won[[*self.members]].to_numpy()[point] * self.total
        return dict(zip(self.members, row.tolist(), strict=True))

    def show(
        self, rule: Rule | None, board: Leaderboard
    ) -> tuple[str, Callable[[], alt.LayerChart] | None]:
        """Say how much of the triangle who wins by a rule that is a mean, and draw it."""
        name = "borda" if rule is None or rule.additive is None else rule.name
        asked = (name, board.values.tobytes())
        if self._asked != asked:
            equal = board.with_task_weights(np.ones(len(board.tasks)))
            self._asked, self.winners_by_point = None, None
            try:
                self.winners_by_point = weight_map(equal, name, resolution=_RESOLUTION)
            except ValueError as error:
                return f"The triangle can't be drawn for {rule_title(name)}: {error}", None
            self._asked = asked
        assert self.winners_by_point is not None
        winners: list[list[Label]] = self.winners_by_point["winners"].tolist()
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
            "The ring is where the weights are; click or drag to move it."
        ), partial(self._draw, board)

    def _draw(self, board: Leaderboard) -> alt.LayerChart:
        """Draw the triangle, with the ring where the weights of a board are."""
        import altair as alt

        from nbrank.charts.weight_space import TRIANGLE_CORNERS

        assert self.winners_by_point is not None
        chart = charts.weight_map(self.winners_by_point)
        weights = np.array([board.weights[members].sum() for members in self.members.values()])
        x, y = (weights / weights.sum()) @ TRIANGLE_CORNERS
        at = alt.Chart(alt.InlineData(values=[{"x": float(x), "y": float(y)}])).encode(
            x=alt.X(field="x", type="quantitative", axis=None),
            y=alt.Y(field="y", type="quantitative", axis=None),
        )
        # Not filled: what lies under the ring can still be clicked.
        chart.layer = [
            *chart.layer,
            *(
                at.mark_point(
                    size=320, filled=False, stroke=colour, strokeWidth=width, opacity=1
                ).properties(name=name)
                for name, colour, width in (("halo", "white", 6), ("ring", "black", 2.5))
            ),
        ]
        return chart
