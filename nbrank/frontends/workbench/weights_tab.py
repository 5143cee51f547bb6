"""Who could win: the nearest weights under which a system does, and what other weights change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from nbrank import charts
from nbrank.findings.best_set_text import describe_small_sample
from nbrank.findings.labels import (
    DisplayNames,
    abbreviate_labels,
    format_percent,
    join_labels,
    rule_title,
)
from nbrank.findings.nearest_weights import (
    NearestWeightsText,
    describe_possible_winners,
    describe_task_removal,
)
from nbrank.findings.overview import task_names
from nbrank.frontends.shared_html import render_paragraphs
from nbrank.frontends.workbench.delayed_work import LastResult
from nbrank.frontends.workbench.html import LiveChart, render_bars, render_details
from nbrank.frontends.workbench.page_head import render_system_details
from nbrank.frontends.workbench.tab import Tab
from nbrank.frontends.workbench.workbench_state import WorkbenchState, WorkbenchView
from nbrank.rules.registry import Rule
from nbrank.votes.formatting import Label
from nbrank.votes.leaderboard import Leaderboard

if TYPE_CHECKING:
    import altair as alt

#: Time limit in seconds of the search for winners without some tasks, or by other weights.
_TIME_LIMIT = 0.5
#: Maximum number of systems for which the ranks that weights leave open are computed.
_MAX_RANKED_SYSTEMS = 400
#: Width of the chart in pixels without the names, and maximum number of bars that aren't folded.
_WIDE, _MOST_BARS = 130, 10
#: Titles of a list and of bars, and a note on the bars.
_WITHOUT_SOME = "who would be, without some tasks"
_MOVED_WEIGHT_TITLE = "weight that has to move until it draws level with or beats every other"
_MINIMAX_NOTE = (
    "A system that is unbeaten pair by pair is first by minimax, perhaps tied; by other "
    "rules it need not be."
)
#: Start of the count once a slider has moved.
_CURRENT_WEIGHTS = "the weights that you set"


class WeightsTab(Tab):
    """Tab of weights: the nearest at which each system wins, and winners at all of 3 groups."""

    title = "Who could win"

    def __init__(self, bench: WorkbenchState) -> None:
        super().__init__(bench)
        self.board = bench.scores
        self.triangle = WeightTriangle(self.board, bench.names)
        self.map, self.ranks = LiveChart(self.on_mark), LiveChart(bench.on_button)
        self.wide = (self.map,)
        self.pane.children = [self.html, self.ranks]
        self._view: WorkbenchView | None = None
        #: The view, the ranks that weights leave open, and the text on fewer tasks.
        self._result: Any = None
        self._nearest = LastResult()

    @property
    def nearest(self) -> NearestWeightsText:
        """The nearest weights under which each system wins, without deleted scores."""
        deletions, board = self.bench.deletions, self.bench.weighted_board
        is_start = np.allclose(board.weights, self.board.weights)
        moved = {} if is_start else {"unequal": _CURRENT_WEIGHTS}
        result: NearestWeightsText = self._nearest.find(
            (deletions, board.weights.tolist()),
            lambda: NearestWeightsText(deletions.apply(board), self.bench.names, **moved),
        )
        return result

    def apply_nearest_weights(self, system: Label) -> None:
        """Set the nearest weights under which a system loses to no other."""
        result = self.nearest.get(system)
        if result is None:
            return
        # A system that loses to no other is first by minimax, perhaps tied.
        total = float(self.board.weights.sum())
        of_task = dict(zip(self.board.tasks, (result.weights * total).tolist(), strict=True))
        rules = tuple(dict.fromkeys(("minimax", *self.bench.rules)))
        self.bench.set_values(weights_of="tasks", rules=rules, rule="minimax", weights=of_task)

    def compute(self) -> None:
        """Find the systems that other weights, or fewer tasks, would make first."""
        seen, ranks = self._view, None
        assert seen is not None
        self.nearest.moved_shares()
        # Condorcet's rule elects no system if several share rank 1.
        if len(seen.board.systems) <= _MAX_RANKED_SYSTEMS and seen.rule != "condorcet":
            with suppress(ValueError):  # the rule may have no such ranks
                ranks = seen.board.possible_ranks(
                    seen.ordering_rule, time_limit=_TIME_LIMIT, **seen.options
                )
        names, by = (self.bench.names, task_names(seen.board)), seen.ordering_rule
        without = describe_task_removal(seen.board, by, *names, _TIME_LIMIT, **seen.options)
        self._result = (seen, ranks, without)
        self.bench.render()

    def _show_ranks(self, seen: WorkbenchView, found: pd.DataFrame | None) -> str:
        """Show the ranks that weights leave open, and those that the tasks leave open."""
        if found is None:
            self.ranks.draw(None)
            why = "the rule does not add up the tasks, or the table is too large"
            return f"Ranks by {rule_title(seen.rule)} under other weights are unknown: {why}."
        from nbrank.charts import weight_sensitivity

        text = describe_possible_winners(found, rule_title(seen.rule), self.bench.names)
        rows = seen.visible_names(self.bench.system, 24)
        drawn = found.loc[[*rows]].rename(index=rows)
        sets = seen.rank_sets
        # Only sets of this rule are drawn, and only if they exclude something.
        if sets is not None:
            tells = not (seen.note or describe_small_sample(sets))
            sets = sets.loc[[*rows]].rename(index=rows) if tells else None
        self.ranks.draw(lambda: weight_sensitivity.draw_possible_ranks(drawn, sets, _WIDE), text)
        return text

    def on_mark(self, name: str, value: str) -> None:
        """Set the weights of a point of the triangle, or handle another click."""
        if name == "point" and self.triangle.winners_by_point is not None:
            weights = self.triangle.point_to_weights(int(value))
            self.bench.set_values(weights_of="groups", weights=weights)
        else:
            self.bench.on_button(name, value)

    def clear(self) -> list[str]:
        """Clear the results of an earlier setting."""
        self.ranks.draw(None)
        self.map.draw(None)
        return super().clear()

    def show(self, seen: WorkbenchView) -> list[str]:
        """Say which systems are near, and list all; earlier results are pale until then."""
        self._view = seen
        if self._result is None or self._result[0].ranking is not seen.ranking:
            self.later.schedule()
        text, chart = "", None
        if self.triangle.members:
            text, chart = self.triangle.show(seen.get_rule(seen.rule), seen.board)
        if self.later.is_pending:
            self.pane.add_class("nbrank-waits")
            self.map.draw(chart, text)
            if not self.html.html:
                return self.render([text, "One moment ..."])
            return [text] * bool(text)
        self.pane.remove_class("nbrank-waits")
        _, ranks, (without, able) = self._result
        sentences = [self.nearest.describe_all(), _MINIMAX_NOTE, without]
        shares = self.nearest.moved_shares().dropna()
        buttons = map(self.bench.system_button, shares.index)
        amounts = [format_percent(share) if share > 1e-6 else "none" for share in shares]
        bars = [*zip(buttons, shares, amounts, strict=True)]
        more = bars[_MOST_BARS:]
        rest = render_bars(_MOVED_WEIGHT_TITLE, more) if more else ""
        open_to = self._show_ranks(seen, ranks)
        html = [
            "<h4>Which weights would make another system unbeaten?</h4>",
            render_paragraphs(sentences),
            render_system_details(self.bench, _WITHOUT_SOME, dict.fromkeys(able, "")),
            render_bars(_MOVED_WEIGHT_TITLE, bars[:_MOST_BARS]),
            render_details(f"{len(more)} more", rest),
            render_paragraphs([open_to]),
        ]
        self.map.draw(chart, text)
        self.render([text], "".join(html))
        return [*filter(None, [text, *sentences, open_to])]


#: Number of steps on each side of the triangle.
_RESOLUTION = 40


class WeightTriangle:
    """Triangle of the winners at all weightings of three groups, with a ring at the present one.

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
        won: Any = self.winners_by_point
        row = won[[*self.members]].to_numpy()[point] * self.total
        return dict(zip(self.members, row.tolist(), strict=True))

    def show(
        self, rule: Rule | None, board: Leaderboard
    ) -> tuple[str, Callable[[], alt.LayerChart] | None]:
        """Say at which share of the triangle each system wins by a rule of means, and draw it."""
        name = "borda" if rule is None or rule.additive is None else rule.name
        asked = (name, board.values.tobytes())
        if self._asked != asked:
            equal = board.with_task_weights(np.ones(len(board.tasks)))
            self._asked, self.winners_by_point = None, None
            try:
                self.winners_by_point = equal.weight_map(name, resolution=_RESOLUTION)
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
        """Draw the triangle with a ring at the weights of a board."""
        import altair as alt

        from nbrank.charts.weight_space import TRIANGLE_CORNERS

        assert self.winners_by_point is not None
        chart = charts.weight_map(self.winners_by_point)
        weights = np.array([board.weights[members].sum() for members in self.members.values()])
        x, y = (weights / weights.sum()) @ TRIANGLE_CORNERS
        at = alt.Chart(alt.InlineData(values=[{"x": float(x), "y": float(y)}])).encode(
            x=alt.X("x:Q", axis=None), y=alt.Y("y:Q", axis=None)
        )
        # The ring isn't filled, so that points under it can be clicked.
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
