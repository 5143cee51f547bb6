"""Rules and weights: how much each task counts, and which rules stand beside each other."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import ipywidgets as widgets
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays.majority_graphs import SearchLimitError
from nbrank.charts.names import MISSING_IN_WORDS, in_brief, in_words, rules_listed, verb
from nbrank.charts.overview import why_refused
from nbrank.explorers.bench import Bench, Seen
from nbrank.explorers.controls import fold, in_a_list
from nbrank.explorers.prose import folded, in_a_table
from nbrank.explorers.tab import Tab
from nbrank.explorers.weight_sliders import WeightSliders
from nbrank.questions.compare import told_of_missing
from nbrank.rules.rule import Rule, RuleLike, called, rule_of
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.naming import Label, counted
from nbrank.votes.votes import Votes

#: So many letters of a name stand beside its ranks, on one line.
_LETTERS = 20


class Rules(Tab):
    """A box for each rule, and who wins under which."""

    title = "Rules"

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.boxes = {
            name: widgets.Checkbox(
                description=f"{in_words(name)}: {_question(rule_of(given))}",
                indent=False,
            )
            for name, given in bench.known.items()
        }
        for box in self.boxes.values():
            box.observe(self._read_boxes, "value")
        boxes = fold("which rules to compare", in_a_list(self.boxes.values()))
        self.pane.children = [self.said, boxes]

    def _read_boxes(self, _: Any) -> None:
        chosen = [name for name, box in self.boxes.items() if box.value]
        shown = self.bench.rules
        if chosen and set(chosen) != set(shown):
            # In the order in which they stand already, the new ones at the end.
            kept = [name for name in shown if name in chosen]
            self.bench.rules = (*kept, *(name for name in chosen if name not in kept))

    def tick(self) -> None:
        """Tick the rules that are compared."""
        for box in self.boxes.values():
            box.unobserve(self._read_boxes, "value")
        for name, box in self.boxes.items():
            box.value = name in self.bench.rules
            box.observe(self._read_boxes, "value")

    def show(self, seen: Seen) -> list[str]:
        """Say who wins under which rules, and fold the ranks below it."""
        self.tick()
        said, refused = self._who_wins(seen), _who_refuses(seen)
        ranks = seen.ranks.reindex(seen.ranking.index).rename(columns=in_words)
        ranks.index = pd.Index(in_brief(ranks.index, _LETTERS))
        # Long tables would make each move of a slider slow.
        table = f'<div class="nbrank-ranks">{in_a_table(ranks)}</div>'
        return self.tell([*said, *refused], folded("all ranks", table))

    def _who_wins(self, seen: Seen) -> list[str]:
        """Say who wins under which rules, where they differ: else the verdict has it."""
        by_winner: dict[tuple[Label, ...], list[str]] = {}
        for rule, found in seen.first.items():
            by_winner.setdefault(found, []).append(rule)
        if len(by_winner) == 1:
            return []
        return [
            f"{self.bench.names.listed(found, 3) or 'Nobody'} {verb('wins', len(found))} under "
            f"{rules_listed(rules)}."
            for found, rules in by_winner.items()
        ]


def _question(rule: Rule | None) -> str:
    return "ranks that were given" if rule is None else rule.answers


def _who_refuses(seen: Seen) -> list[str]:
    """Say which rules refuse the table, and why."""
    by_reason: dict[str, list[str]] = {}
    for rule, error in seen.refused.items():
        if rule in seen.ranks:
            by_reason.setdefault(what_helps(seen.known[rule], seen.votes, error), []).append(rule)
    return [
        f"Not shown {verb('is', len(rules))} {rules_listed(rules)}: {reason}."
        for reason, rules in by_reason.items()
    ]


def what_helps(rule: RuleLike, votes: Votes, error: Exception) -> str:
    """Say why a rule refuses a table, and what one can do, such as to count missing scores."""
    how: Any
    ways = []
    if isinstance(votes, Leaderboard) and not isinstance(error, SearchLimitError):
        absent = int(np.isnan(votes.values).sum())
        for how in MISSING_IN_WORDS if absent else ():
            with suppress(ValueError, RuntimeError):
                called(rule)(votes, **told_of_missing(rule, how))
                ways.append(f"“{how}”")
    if not ways:
        return why_refused(rule, error).removesuffix(".")
    missing = counted(absent, "missing score")
    return f"{missing}; under “Missing scores” you can choose to count them by {' or '.join(ways)}"


class RulesAndWeights(Rules):
    """The same, and a slider for each task or group."""

    title = "Rules and weights"

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.board = board = bench.scores
        self._members = board.names.members or {}
        self._sliders = widgets.VBox()
        self._of = widgets.ToggleButtons(
            options=[("groups of tasks", "groups"), ("single tasks", "tasks")],
            description="sliders for",
            style={"button_width": "auto"},
        )
        self.pane.children = [self._sliders, *self.pane.children]
        bench.weights_of = "tasks" if board.groups is None else "groups"
        bench.tie(weights_of=self._of)
        self.begin(board.weights)
        bench.observe(self._turn, "weights_of")
        bench.observe(self._move, "weights")

    def begin(self, weights: NDArray[np.float64]) -> None:
        """Make the sliders, and put them at these weights of the tasks."""
        bench, now = self.bench, self._by_label(weights)
        moved = partial(self._weigh, bench.weights_of)
        bench.sliders = WeightSliders(self._by_label(self.board.weights), moved)
        bench.sliders.put(now)
        bench.weights = now
        self._sliders.children = [*[self._of] * bool(self._members), bench.sliders]

    def _by_label(self, weights: NDArray[np.float64]) -> dict[Label, float]:
        """The weight of each task, or what the tasks of each group have together."""
        if self.bench.weights_of == "tasks":
            return dict(zip(self.board.tasks, weights.tolist(), strict=True))
        return {group: float(weights[tasks].sum()) for group, tasks in self._members.items()}

    def by_task(self, by_label: Mapping[Any, float], weights_of: str) -> NDArray[np.float64]:
        """The weight of each task, where groups share theirs as they do on the board."""
        if weights_of == "tasks":
            return np.array([by_label[task] for task in self.board.tasks])
        weights = np.zeros(len(self.board.tasks))
        for group, members in self._members.items():
            own = self.board.weights[members]
            shares = own / own.sum() if own.any() else np.full(len(members), 1 / len(members))
            weights[members] = by_label[group] * shares
        return weights

    def _weigh(self, weights_of: str, weights: dict[Label, float]) -> None:
        if weights_of == self.bench.weights_of:  # sliders that were replaced may still move
            self.bench.weights = weights

    def _turn(self, change: Any) -> None:
        with self.bench.at_once():
            self.begin(self.by_task(self.bench.weights, change["old"]))
        self.bench.follow()

    def _move(self, change: Any) -> None:
        assert self.bench.sliders is not None
        self.bench.sliders.put(change["new"])
