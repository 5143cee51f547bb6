"""How sure: which systems can be told apart, as delta moves."""

from __future__ import annotations

import math
from typing import Any

import ipywidgets as widgets
import pandas as pd

from nbrank.explorers.bench import DRAWS, HIGHEST, LOWEST, Bench, Seen
from nbrank.explorers.prose import Prose, folded, in_a_table, in_paragraphs
from nbrank.explorers.told_apart import groups_in_words, where_it_may_be, who_is_told_apart
from nbrank.questions.tie_groups import tie_groups
from nbrank.votes.leaderboard import Leaderboard


class HowSure:
    """A slider for delta, and the groups of systems that can't be told apart."""

    title = "How sure"

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self._delta = widgets.FloatLogSlider(
            bench.delta,
            # The browser moves a value to the nearest step, so 0.05 has to be one.
            min=math.log10(0.05) - 1.7,
            max=math.log10(HIGHEST),
            step=0.05,
            description="chance of error (delta)",
            readout_format=".3f",
        )
        self._draws = widgets.Dropdown(options=DRAWS, description="what counts as a draw")
        self._delta.observe(self._read, "value")
        bench.observe(self._follow, "delta")
        bench.tie(draws=self._draws)
        self.said = Prose(pressed=bench.press)
        grouped = isinstance(bench.board, Leaderboard) and bench.board.groups is not None
        self.pane = widgets.VBox([self._delta, *[self._draws] * grouped, self.said])
        self.groups = pd.DataFrame()

    def _read(self, change: Any) -> None:
        # The browser moves a value that it is given to the nearest step, which nobody asked for.
        if abs(math.log10(change["new"] / self.bench.delta)) > 0.51 * self._delta.step:
            self.bench.delta = max(LOWEST, min(change["new"], HIGHEST))

    def _follow(self, _: Any) -> None:
        self._delta.value = self.bench.delta

    def show(self, seen: Seen) -> list[str]:
        """Say what can be told apart; without rank sets, why there are none."""
        sets, note = seen.sets, seen.note
        if sets is None:
            self.said.html = in_paragraphs([note])
            return [note]
        names, system = self.bench.names, self.bench.system
        self.groups = tie_groups(sets[["rank", "low", "high"]])
        told, *more = who_is_told_apart(names, sets, self.groups, self.bench.delta)
        meaning, said = more[:1], [told, *more[1:]]
        if system is not None and len(sets) > 1:
            said.insert(0, where_it_may_be(names, sets, list(sets.index).index(system)))
        table = in_a_table(groups_in_words(names, self.groups)) if len(self.groups) > 1 else ""
        self.said.html = (
            in_paragraphs([note, *said])
            + folded("what is delta?", in_paragraphs(meaning))
            + folded("all groups that can't be told apart", table)
        )
        return [*[note] * bool(note), *said, *meaning]
