"""Who could win: the nearest weights under which a system does, and what other weights change."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
import pandas as pd

from nbrank.findings.labels import format_percent, format_range, rule_title
from nbrank.findings.nearest_weights import (
    NearestWeightsText,
    describe_possible_winners,
    describe_task_removal,
)
from nbrank.findings.overview import task_names
from nbrank.frontends.shared_html import render_paragraphs
from nbrank.frontends.workbench.delayed_work import LastResult
from nbrank.frontends.workbench.html import (
    HtmlWidget,
    render_bars,
    render_details,
    render_table,
)
from nbrank.frontends.workbench.page_head import render_system_details
from nbrank.frontends.workbench.tab import Tab
from nbrank.frontends.workbench.weight_triangle import WeightTriangle
from nbrank.frontends.workbench.workbench_state import WorkbenchState, WorkbenchView
from nbrank.votes.formatting import Label

#: Time limit in seconds of the search for winners without some tasks, or by other weights.
_TIME_LIMIT = 0.5
#: Maximum number of systems for which the ranks that weights leave open are computed.
_MAX_RANKED_SYSTEMS = 400
#: Maximum number of bars, and of ranks, that aren't folded.
_MOST_BARS = 10
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
        self.map = HtmlWidget(pressed=self.on_mark)
        self.wide = (self.map,)
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

    def _describe_ranks(self, seen: WorkbenchView, found: pd.DataFrame | None) -> tuple[str, str]:
        """Say which ranks other weights leave open, and set them as a table of all systems."""
        if found is None:
            why = "the rule does not add up the tasks, or the table is too large"
            return f"Ranks by {rule_title(seen.rule)} under other weights are unknown: {why}.", ""
        open_to = [
            format_range(best, worst) + " at most" * (not proven)
            for best, worst, proven in found[["best", "worst", "proven"]].to_numpy()
        ]
        names = self.bench.names.full
        index = [names[system] for system in found.index]
        table = pd.DataFrame({"rank": found["rank"].to_list(), "may become": open_to}, index)
        text = describe_possible_winners(found, rule_title(seen.rule), self.bench.names)
        return text, render_details("ranks under such weights", render_table(table))

    def on_mark(self, name: str, value: str) -> None:
        """Set the weights of a point of the triangle, or handle another click."""
        if name == "point" and self.triangle.winners_by_point is not None:
            weights = self.triangle.point_to_weights(int(value))
            self.bench.set_values(weights_of="groups", weights=weights)
        else:
            self.bench.on_button(name, value)

    def show(self, seen: WorkbenchView) -> list[str]:
        """Say which systems are near, and list all; earlier results are pale until then."""
        self._view = seen
        if self._result is None or self._result[0].ranking is not seen.ranking:
            self.later.schedule()
        text = ""
        if self.triangle.members:
            text, self.map.html = self.triangle.show(seen.get_rule(seen.rule), seen.board)
        if self.later.is_pending:
            self.pane.add_class("nbrank-waits")
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
        open_to, table = self._describe_ranks(seen, ranks)
        html = [
            "<h4>Which weights would make another system unbeaten?</h4>",
            render_paragraphs(sentences),
            render_system_details(self.bench, _WITHOUT_SOME, dict.fromkeys(able, "")),
            render_bars(_MOVED_WEIGHT_TITLE, bars[:_MOST_BARS]),
            render_details(f"{len(more)} more", rest),
            render_paragraphs([open_to]),
            table,
        ]
        self.render([text], "".join(html))
        return [*filter(None, [text, *sentences, open_to])]
