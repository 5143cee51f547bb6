"""Who could win: the nearest weights under which a system does, and what other weights change."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
import pandas as pd

from nbrank.charts.what_weights_leave_open import first_within, spans_of_ranks
from nbrank.explorers.bench import Bench, Seen
from nbrank.explorers.deletions import Deletions
from nbrank.explorers.live_chart import LiveChart
from nbrank.explorers.prose import folded, in_bars, in_paragraphs
from nbrank.explorers.tab import Tab
from nbrank.explorers.weight_triangle import Triangle
from nbrank.explorers.who_is_first import systems_folded
from nbrank.findings.names import in_percent, in_words
from nbrank.findings.nearest_to_winning import Nearest
from nbrank.findings.overview import task_names, too_few
from nbrank.findings.without_tasks import without_tasks
from nbrank.questions.possible_ranks import possible_ranks
from nbrank.votes.naming import Label

#: So many seconds one waits for who could be first without some tasks, or by other weights.
_PATIENCE = 0.5
#: Of more systems it takes too long to find the ranks that weights leave open.
_MOST_RANKED = 400
#: How wide these are drawn, in pixels, beside the names; and so many bars are read, not folded.
_WIDE, _MOST_BARS = 190, 10
#: What the bars show, and what they don't.
_HAS_TO_MOVE = "weight that has to move until it draws level with or beats every other"
_NOT_YET_FIRST = (
    "Who loses to nobody, one against one, is first by minimax, perhaps beside others; by other "
    "rules it need not be."
)
#: From where one counts once a slider has moved.
_AS_SET = "the weights that you set"


class WhoCouldWin(Tab):
    """For whom how little of the weight has to move; of three groups, who wins at which weights."""

    title = "Who could win"

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.board = bench.scores
        self.map = LiveChart(bench.script, self._clicked)
        self.triangle = Triangle(self.board, bench.names)
        self.ranks = LiveChart(bench.script, bench.clicked)
        self.pane.children = [self.map, self.said, self.ranks]
        self._seen: Seen | None = None
        #: What was seen, the ranks that weights leave open, and what is said of fewer tasks.
        self._found: tuple[Seen, pd.DataFrame | None, tuple[str, list[Label]]] | None = None
        self._nearest: tuple[Deletions, list[float], Nearest] | None = None

    @property
    def nearest(self) -> Nearest:
        """The weights of each system nearest to those that are set, without what is deleted."""
        deletions, board = self.bench.deletions, self.bench.weighed
        weights = board.weights.tolist()
        if self._nearest is None or self._nearest[:2] != (deletions, weights):
            moved = {} if np.allclose(weights, self.board.weights) else {"unequal": _AS_SET}
            found = Nearest(deletions.of(board), self.bench.names, **moved)
            self._nearest = (deletions, weights, found)
        return self._nearest[2]

    def take(self, system: Label) -> None:
        """Put the weights at the nearest ones under which a system loses to no other."""
        found = self.nearest.of(system)
        if found is None:
            return
        # Who loses to nobody is first by minimax, perhaps beside others.
        total = float(self.board.weights.sum())
        of_task = dict(zip(self.board.tasks, (found.weights * total).tolist(), strict=True))
        rules = tuple(dict.fromkeys(("minimax", *self.bench.rules)))
        self.bench.put(weights_of="tasks", rules=rules, rule="minimax", weights=of_task)

    def find(self) -> None:
        """Find who is near, and who could be first by other weights or without some tasks."""
        seen, ranks = self._seen, None
        assert seen is not None
        self.nearest.shares()
        # Many ranks 1 by condorcet elect nobody.
        if len(seen.board.systems) <= _MOST_RANKED and seen.rule != "condorcet":
            with suppress(ValueError):  # not all rules have such ranks
                ranks = possible_ranks(seen.board, seen.by, time_limit=_PATIENCE, **seen.options)
        names, tasks = self.bench.names, task_names(seen.board)
        without = without_tasks(seen.board, seen.by, names, tasks, _PATIENCE, **seen.options)
        self._found = (seen, ranks, without)
        self.bench.show()

    def _show_ranks(self, seen: Seen, found: pd.DataFrame | None) -> str:
        """Show the ranks that weights leave open, beside those that the tasks do."""
        if found is None:
            self.ranks.draw(None)
            why = "the rule does not add up the tasks, or the table is too large"
            return f"Which ranks by {in_words(seen.rule)} other weights give is open: {why}."
        told = first_within(found, in_words(seen.rule), self.bench.names)
        rows = seen.shown(self.bench.system, 24)
        drawn = found.loc[[*rows]].rename(index=rows)
        sets = None
        # The sets of this rule, and no other, where they say more than that all is open.
        if seen.sets is not None and not seen.note and not too_few(seen.sets):
            sets = seen.sets.loc[[*rows]].rename(index=rows)
        self.ranks.draw(lambda: spans_of_ranks(drawn, sets, _WIDE), told)
        return told

    def _clicked(self, fields: dict[str, Any]) -> None:
        if "point" in fields and self.triangle.won is not None:
            self.bench.put(weights_of="groups", weights=self.triangle.at(int(fields["point"])))

    def clear(self) -> list[str]:
        """Show nothing of an earlier setting."""
        self.later.drop()
        self.ranks.draw(None)
        return super().clear()

    def show(self, seen: Seen) -> list[str]:
        """Say who is near, and list them all; until they are found, what was so before fades."""
        self._seen = seen
        if self._found is None or self._found[0].ranking is not seen.ranking:
            self.later.ask()
        told, chart = "", None
        if self.triangle.members:
            told, chart = self.triangle.show(seen.rule_of(seen.rule), seen.board)
            self.map.signals = self.triangle.ring
        if self.later.waits:
            self.pane.add_class("nbrank-waits")
            if not self.said.html:
                return self.tell([told, "One moment ..."], draw=chart)
            self.map.draw(chart, told)
            return [told] * bool(told)
        assert self._found is not None
        self.pane.remove_class("nbrank-waits")
        _, ranks, (without, able) = self._found
        said = [self.nearest.who_is_near(), _NOT_YET_FIRST, without]
        without_some = "who would be, without some tasks"
        listed = systems_folded(self.bench, without_some, dict.fromkeys(able, ""))
        bars = [
            (self.bench.button_of(system), share, in_percent(share) if share > 1e-6 else "none")
            for system, share in self.nearest.shares().dropna().items()
        ]
        heading = "<h4>Under which weights would another system lose to nobody?</h4>"
        html = heading + in_paragraphs(said) + listed + in_bars(_HAS_TO_MOVE, bars[:_MOST_BARS])
        if more := bars[_MOST_BARS:]:
            html += folded(f"{len(more)} more", in_bars(_HAS_TO_MOVE, more))
        open_to = self._show_ranks(seen, ranks)
        self.tell([told], html + in_paragraphs([open_to]), chart)
        return [*filter(None, [told, *said, open_to])]
