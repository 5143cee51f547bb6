"""Triangle of all weightings of three groups: who wins at each, and a ring at the present one."""

from __future__ import annotations

from collections import Counter
from html import escape

import numpy as np
import pandas as pd

from nbrank.charts.board_drawing.sheet import write_element
from nbrank.charts.text_metrics import cut_text
from nbrank.findings.labels import DisplayNames, abbreviate_labels, join_labels, rule_title
from nbrank.rules.registry import Rule
from nbrank.votes.formatting import Label
from nbrank.votes.leaderboard import Leaderboard

#: Number of steps on each side of the triangle, and maximum number of systems with a color.
_RESOLUTION, _N_COLORS = 40, 5
#: Width of the drawing, distance of the triangle from its edges, and height of a line.
_WIDE, _EDGE, _LINE = 480.0, 30.0, 20.0
_SIDE = _WIDE - 2 * _EDGE
#: Position of each group's corner.
_CORNERS = np.array([[0, 1], [1, 1], [0.5, 1 - np.sqrt(0.75)]]) * _SIDE + [_EDGE, 0]
#: Cell of a point, a hexagon as wide as points are apart: such cells leave no gap.
_HALF = _SIDE / _RESOLUTION / 2
_HEXAGON = (
    "m0,-{1:.2f}l{0:.2f},{2:.2f}v{1:.2f}l-{0:.2f},{2:.2f}l-{0:.2f},-{2:.2f}v-{1:.2f}z".format(
        _HALF, _HALF / np.sqrt(0.75), _HALF / np.sqrt(3)
    )
)


class WeightTriangle:
    """Triangle of the winners at all weightings of three groups.

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
        #: Rule and scores to which `winners_by_point` belongs.
        self._asked: tuple[str, bytes] | None = None

    def point_to_weights(self, point: int) -> dict[Label, float]:
        """Return the weights of the groups at a point."""
        assert self.winners_by_point is not None
        row = self.winners_by_point[[*self.members]].to_numpy()[point] * self.total
        return dict(zip(self.members, row.tolist(), strict=True))

    def show(self, rule: Rule | None, board: Leaderboard) -> tuple[str, str]:
        """Say at which share of the triangle each system wins by a rule of means, and draw it."""
        name = "borda" if rule is None or rule.additive is None else rule.name
        asked = (name, board.values.tobytes())
        if self._asked != asked:
            equal = board.with_task_weights(np.ones(len(board.tasks)))
            self._asked, self.winners_by_point = None, None
            try:
                self.winners_by_point = equal.weight_map(name, resolution=_RESOLUTION)
            except ValueError as error:
                return f"The triangle can't be drawn for {rule_title(name)}: {error}", ""
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
        text = (
            f"The winner by {rule_title(name)} as {corners} count more or less: "
            f"{join_labels(sentences, 4)} of the triangle's points. "
            "The ring is where the weights are; click or drag to move it."
        )
        first = [system for system, _ in alone.most_common(_N_COLORS)]
        return text, self._draw(self.winners_by_point, first, board, text)

    def _draw(self, won: pd.DataFrame, first: list[Label], board: Leaderboard, label: str) -> str:
        """Draw the triangle, its corners, what the colors mean, and a ring at a board's weights."""
        color = {(system,): f"var(--s{at})" for at, system in enumerate(first, 1)}
        weights = won[[*self.members]].to_numpy()
        points = []
        for place, share, systems in zip(weights @ _CORNERS, weights, won["winners"], strict=True):
            shares = ", ".join(map("{}: {:.3g}".format, self.members, share))
            says = f"{self.names.join(systems) or 'nobody'} ({shares})"
            points.append(
                write_element(
                    "path",
                    write_element("title", escape(says)),
                    d=f"M{place[0]:.1f},{place[1]:.1f}{_HEXAGON}",
                    fill=color.get(tuple(systems), "var(--s0)"),
                )
            )
        now = np.array([board.weights[members].sum() for members in self.members.values()])
        x, y = (now / now.sum()) @ _CORNERS
        ring = {"cx": float(x), "cy": float(y), "r": 9, "fill": "none"}
        marks = [
            write_element("g", *points, class_="points"),
            *(
                write_element("circle", **ring, stroke=f"var(--{name})", stroke_width=wide)
                for name, wide in (("ground", 6), ("ink", 2.5))
            ),
        ]
        bottom = _SIDE + 1.4 * _LINE
        ends = zip(self.members, ("start", "end", "middle"), (0.0, _WIDE, _WIDE / 2), strict=True)
        for at, (group, anchor, x) in enumerate(ends):
            y = bottom if at < 2 else _CORNERS[2, 1] - 0.7 * _LINE
            text = cut_text(str(group), _WIDE / 2, 14)
            marks.append(write_element("text", escape(text), x=x, y=y, text_anchor=anchor))
        shown = [*(self.names.short[system] for system in first), "several or another"]
        for at, text in enumerate(shown):
            x, y = (at % 2) * _WIDE / 2, bottom + (at // 2 + 1.5) * _LINE
            fill = f"var(--s{(at + 1) % len(shown)})"
            marks.append(write_element("circle", cx=x + 6, cy=y - 5, r=6, fill=fill))
            marks.append(write_element("text", escape(cut_text(text, 200, 14)), x=x + 18, y=y))
        top, high = _CORNERS[2, 1] - 2 * _LINE, bottom + (len(shown) // 2 + 2) * _LINE
        view = f"0 {top:.0f} {_WIDE:.0f} {high - top:.0f}"
        return write_element(
            "svg", *marks, class_="triangle", viewBox=view, role="img", aria_label=label
        )
