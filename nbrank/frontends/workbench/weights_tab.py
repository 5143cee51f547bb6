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

#: Limit in seconds of the search for who could be first without some tasks, or by other weights.
_TIME_LIMIT = 0.5
#: Of more systems it takes too long to find the ranks that weights leave open.
_MAX_RANKED_SYSTEMS = 400
#: How wide these are drawn, in pixels, beside the names; and so many bars are read, not folded.
_WIDE, _MOST_BARS = 130, 10
#: Titles of a list and of bars; and what these don't show.
_WITHOUT_SOME = "who would be, without some tasks"
_MOVED_WEIGHT_TITLE = "weight that has to move until it draws level with or beats every other"
_MINIMAX_NOTE = (
    "A system that is unbeaten pair by pair is first by minimax, perhaps tied; by other "
    "rules it need not be."
)
#: From where one counts once a slider has moved.
_CURRENT_WEIGHTS = "the weights that you set"


class WeightsTab(Tab):
    """For whom how little of the weight has to move; of three groups, who wins at which weights."""

    title = "Who could win"

    def __init__(self, bench: WorkbenchState) -> None:
        super().__init__(bench)
        self.board = bench.scores
        self.triangle = WeightTriangle(self.board, bench.names)
        self.map, self.ranks = LiveChart(self.on_mark), LiveChart(bench.on_button)
        self.wide = (self.map,)
        self.pane.children = [self.html, self.ranks]
        self._view: WorkbenchView | None = None
        #: What was seen, the ranks that weights leave open, and what is said of fewer tasks.
        self._result: Any = None
        self._nearest = LastResult()

    @property
    def nearest(self) -> NearestWeightsText:
        """The weights of each system nearest to those that are set, without what is deleted."""
        deletions, board = self.bench.deletions, self.bench.weighted_board
        is_start = np.allclose(board.weights, self.board.weights)
        moved = {} if is_start else {"unequal": _CURRENT_WEIGHTS}
        result: NearestWeightsText = self._nearest.find(
            (deletions, board.weights.tolist()),
            lambda: NearestWeightsText(deletions.apply(board), self.bench.names, **moved),
        )
        return result

    def apply_nearest_weights(self, system: Label) -> None:
        """Put the weights at the nearest ones under which a system loses to no other."""
        result = self.nearest.get(system)
        if result is None:
            return
        # Who loses to nobody is first by minimax, perhaps beside others.
        total = float(self.board.weights.sum())
        of_task = dict(zip(self.board.tasks, (result.weights * total).tolist(), strict=True))
        rules = tuple(dict.fromkeys(("minimax", *self.bench.rules)))
        self.bench.set_values(weights_of="tasks", rules=rules, rule="minimax", weights=of_task)

    def compute(self) -> None:
        """Find who is near, and who could be first by other weights or without some tasks."""
        seen, ranks = self._view, None
        assert seen is not None
        self.nearest.moved_shares()
        # Many ranks 1 by condorcet elect nobody.
        if len(seen.board.systems) <= _MAX_RANKED_SYSTEMS and seen.rule != "condorcet":
            with suppress(ValueError):  # not all rules have such ranks
                ranks = seen.board.possible_ranks(
                    seen.ordering_rule, time_limit=_TIME_LIMIT, **seen.options
                )
        names, by = (self.bench.names, task_names(seen.board)), seen.ordering_rule
        without = describe_task_removal(seen.board, by, *names, _TIME_LIMIT, **seen.options)
        self._result = (seen, ranks, without)
        self.bench.render()

    def _show_ranks(self, seen: WorkbenchView, found: pd.DataFrame | None) -> str:
        """Show the ranks that weights leave open, beside those that the tasks do."""
        if found is None:
            self.ranks.draw(None)
            why = "the rule does not add up the tasks, or the table is too large"
            return f"Ranks by {rule_title(seen.rule)} under other weights are unknown: {why}."
        from nbrank.charts import weight_sensitivity

        text = describe_possible_winners(found, rule_title(seen.rule), self.bench.names)
        rows = seen.visible_names(self.bench.system, 24)
        drawn = found.loc[[*rows]].rename(index=rows)
        sets = seen.rank_sets
        # The sets of this rule, and no other, where they say more than that all is open.
        if sets is not None:
            tells = not (seen.note or describe_small_sample(sets))
            sets = sets.loc[[*rows]].rename(index=rows) if tells else None
        self.ranks.draw(lambda: weight_sensitivity.draw_possible_ranks(drawn, sets, _WIDE), text)
        return text

    def on_mark(self, name: str, value: str) -> None:
        """Take the weights of a point of the triangle, or do what else is asked for."""
        if name == "point" and self.triangle.winners_by_point is not None:
            weights = self.triangle.point_to_weights(int(value))
            self.bench.set_values(weights_of="groups", weights=weights)
        else:
            self.bench.on_button(name, value)

    def clear(self) -> list[str]:
        """Show nothing of an earlier setting."""
        self.ranks.draw(None)
        self.map.draw(None)
        return super().clear()

    def show(self, seen: WorkbenchView) -> list[str]:
        """Say who is near, and list them all; until they are found, what was so before fades."""
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
        """Draw the triangle, with the ring where the weights of a board are."""
        import altair as alt

        from nbrank.charts.weight_space import TRIANGLE_CORNERS

        assert self.winners_by_point is not None
        chart = charts.weight_map(self.winners_by_point)
        weights = np.array([board.weights[members].sum() for members in self.members.values()])
        x, y = (weights / weights.sum()) @ TRIANGLE_CORNERS
        at = alt.Chart(alt.InlineData(values=[{"x": float(x), "y": float(y)}])).encode(
            x=alt.X("x:Q", axis=None), y=alt.Y("y:Q", axis=None)
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
