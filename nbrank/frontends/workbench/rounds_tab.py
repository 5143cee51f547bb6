"""Round by round: who goes in each round of an elimination rule, and why."""

from __future__ import annotations

from html import escape

import ipywidgets as widgets
import numpy as np
import pandas as pd

from nbrank.findings.labels import agree_verb, capitalize, describe_score, join_rules, rule_title
from nbrank.frontends.workbench.html import render_bars, render_button
from nbrank.frontends.workbench.tab import Tab
from nbrank.frontends.workbench.workbench_state import WorkbenchState, WorkbenchView
from nbrank.rules.registry import RULES, Rounds
from nbrank.votes.formatting import Label, pluralize

#: Rules that eliminate systems in rounds.
ROUNDS = [name for name, rule in RULES.items() if rule.rounds is not None]
#: Maximum number of rows; of more, only the first and those around the edge are shown.
_MOST_ROWS, _NEAR = 20, 5
#: Maximum number of systems named in a sentence; the bars show the others.
_MAX_LISTED = 3
#: Milliseconds of a round, at least and at most, and of all rounds together.
_SHORTEST, _LONGEST, _ALL_ROUNDS = 300, 1500, 40_000


class RoundsTab(Tab):
    """A slider for the rounds played, and who goes next."""

    title = "Round by round"

    def __init__(self, bench: WorkbenchState) -> None:
        self._slider = widgets.IntSlider(description="rounds played", min=0, max=1)
        self._play = widgets.Play(min=0, max=1, show_repeat=False)
        # The link is within the browser, so that "stop" doesn't wait for rounds that aren't drawn
        # yet.
        widgets.jslink((self._play, "value"), (self._slider, "value"))
        self._moves = widgets.VBox([self._slider, self._play])
        super().__init__(bench, self._moves)
        bench.link_controls(round=self._slider)
        self.ranking = pd.DataFrame()
        self.n_rounds = 0
        self.remaining: list[Label] = []
        self.eliminated: list[Label] = []
        self.counts = pd.Series(dtype=float)
        self._followed: Label = None

    def show(self, view: WorkbenchView) -> list[str]:
        """Say who goes next, and show what decides it."""
        known = view.get_rule(view.rule)
        rounds = None if known is None else known.rounds
        self._moves.layout.display = "none" if rounds is None else None
        choice = " ".join(render_button("rule", rule, rule_title(rule)) for rule in ROUNDS)
        if rounds is None:
            none = f"{rule_title(view.rule)} doesn't go in rounds: {join_rules(ROUNDS)} do."
            return self.render([none], choice)
        self._play_rounds(view, rounds)
        said = [" ".join(self._describe_round(view.rule, rounds)), *self._describe_elimination()]
        return self.render(said, self._render_bars(view, rounds))

    def _play_rounds(self, seen: WorkbenchView, rounds: Rounds) -> None:
        """Play the rounds, up to that in which a system goes that is newly looked at."""
        survived = seen.ranking["score"]
        if not seen.ranking.equals(self.ranking):
            self.ranking, self.n_rounds = seen.ranking, max(int(survived.max()), 0)
            self._play.playing = False
            self.bench.most_rounds = self.n_rounds
            with self.bench.hold_updates():
                self.bench.round = self.bench.round  # it may be too large
            self._slider.max = self._play.max = self.n_rounds
            pace = _ALL_ROUNDS // max(self.n_rounds, 1)
            self._play.interval = max(_SHORTEST, min(_LONGEST, pace))
        if (looked_at := seen.looked_at(self.bench.system)) != self._followed:
            self._followed = looked_at
            if self._followed is not None:
                with self.bench.hold_updates():
                    self.bench.round = int(self._system_row()["score"])
        here = self.bench.round
        self.remaining = list(self.ranking.index[(survived >= here).to_numpy()])
        out = self.ranking.index[(survived == here).to_numpy()]
        self.eliminated = list(out) if here < self.n_rounds else []
        among = seen.board.select_systems(self.remaining)
        self.counts = RULES[rounds.score_rule].function(among)["score"]

    def _system_row(self) -> pd.Series:
        # The position is used, because pandas would take a tuple for a path through levels.
        return self.ranking.iloc[list(self.ranking.index).index(self._followed)]

    def _describe_elimination(self) -> list[str]:
        """Say what happens to the selected system."""
        if self._followed is None:
            return []
        whom, (rank, survived) = self.bench.names.short[self._followed], self._system_row()
        if survived == self.n_rounds:
            return [f"{whom} never goes: it stays to the end, and has rank {rank:.0f}."]
        when = "went" if survived < self.bench.round else "goes"
        number = f"{survived + 1:.0f} of {self.n_rounds}"
        return [f"{whom} {when} in round {number}, and has rank {rank:.0f}."]

    def _describe_round(self, rule: str, rounds: Rounds) -> list[str]:
        """Say what happens in this round, and whether the present leader wins in the end."""
        names, winners = self.bench.names, self.ranking.index[self.ranking["rank"] == 1]
        first = names.join(winners, _MAX_LISTED)
        sentences = [f"{pluralize(len(self.remaining), 'system')} of {len(self.ranking)} left."]
        if self.eliminated:
            n = len(self.eliminated)
            go = "goes" if n == 1 else "go together" if n <= _MAX_LISTED else f"go, {n} together"
            # The order is that of the bars, from the system that came closest to staying.
            of_out = set(self.eliminated)
            going = [system for system in self.counts.index if system in of_out]
            reason = f"for {rounds.elimination_criterion} of those left"
            sentences = [
                f"Round {self.bench.round + 1} of {self.n_rounds}:",
                *sentences,
                f"{names.join(going, _MAX_LISTED)} {go}, {reason}.",
            ]
        elif len(self.remaining) > 1:
            sentences.append(
                f"{first} are level: all would go at once, so they stay and win together."
            )
        else:
            sentences.append(f"{first} wins by {rule_title(rule)}.")
        counts = self.counts.to_numpy()
        ahead = self.counts.index[np.isclose(counts, counts.max(), rtol=1e-12, atol=1e-9)]
        if set(ahead) != set(winners):
            sentences.append(
                f"Ahead in this round {agree_verb('is', len(ahead))} "
                f"{names.join(ahead, _MAX_LISTED)}; "
                f"in the end {first} {agree_verb('wins', len(winners))}."
            )
        return sentences

    def _render_bars(self, seen: WorkbenchView, rounds: Rounds) -> str:
        """Write a bar for each system, or for those near the edges with counts between them."""
        left, going = list(self.counts.index), set(self.eliminated)
        followed = left.index(self._followed) if self._followed in left else None
        places = _visible_places(len(left), len(left) - len(going), followed)
        rows: list[tuple[str, float | None, str]] = []
        for before, place in zip([-1, *places], [*places, len(left)], strict=True):
            if place > before + 1:
                rows.append((escape(f"… {place - before - 1} more …"), None, ""))
            if place < len(left):
                count = float(self.counts.iloc[place])
                goes = ", goes" if left[place] in going else ""
                rows.append((self.bench.system_button(left[place]), count, f"{count:.4g}{goes}"))
        unit = "instance" if seen.board.is_instance_level else "task"
        weighed = not np.allclose(seen.board.weights, 1)
        what = describe_score(RULES[rounds.score_rule].score_description, unit, weighed)
        return render_bars(capitalize(what), rows)


def _visible_places(n_left: int, edge: int, followed: int | None) -> list[int]:
    """Return the visible positions of a list: the first of many, and those around the edges."""
    if n_left <= _MOST_ROWS:
        return list(range(n_left))
    near = {*range(_NEAR), *range(edge - _NEAR, edge + _NEAR), followed}
    return sorted(place for place in near if place is not None and 0 <= place < n_left)
