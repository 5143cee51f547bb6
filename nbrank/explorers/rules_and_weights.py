"""Rules and weights: how much each task counts, and which rules stand beside each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ipywidgets as widgets
import numpy as np
from numpy.typing import NDArray

from nbrank.charts.names import in_words
from nbrank.explorers.bench import Bench, Seen
from nbrank.explorers.controls import across, fold, in_a_list
from nbrank.explorers.prose import Prose, folded, in_a_table, in_paragraphs
from nbrank.explorers.weight_sliders import WeightSliders
from nbrank.rules.rule import RULES
from nbrank.votes.naming import Label
from nbrank.votes.task_names import TaskNames


class Rules:
    """A box for each rule, and who wins under which."""

    title = "Rules"

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.said = Prose(pressed=bench.press)
        style, layout = {"description_width": "initial"}, across()
        self.boxes = {
            name: widgets.Checkbox(
                description=f"{in_words(name)}: {RULES[name].answers}",
                tooltip=RULES[name].answers,
                indent=False,
                style=style,
                layout=layout,
            )
            for name in bench.offered
        }
        for box in self.boxes.values():
            box.observe(self._read_boxes, "value")
        self.pane = widgets.VBox(
            [self.said, fold("which rules to compare", in_a_list(self.boxes.values()))]
        )

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
        said = seen.ranked.who_wins(self.bench.names)
        said = said if len(said) > 1 else []  # the verdict has it
        refused = seen.ranked.who_refuses()
        ranks = seen.ranked.table(self.bench.rules, seen.rule).rename(columns=in_words)
        # Long tables would make each move of a slider slow.
        self.said.html = in_paragraphs([*said, *refused]) + folded("all ranks", in_a_table(ranks))
        return [*said, *refused]


class RulesAndWeights(Rules):
    """The same, and a slider for each task or group."""

    title = "Rules and weights"

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.board = board = bench.scores
        self._members = TaskNames.of(board.tasks, board.groups).members or {}
        self._sliders = widgets.VBox()
        self._of = widgets.ToggleButtons(
            options=[("groups of tasks", "groups"), ("single tasks", "tasks")],
            description="sliders for",
            style={"button_width": "auto", "description_width": "initial"},
        )
        self.pane.children = [self._sliders, *self.pane.children]
        bench.weights_of = "tasks" if board.groups is None else "groups"
        bench.tie(weights_of=self._of)
        self.begin(board.weights)
        bench.observe(self._turn, "weights_of")
        bench.observe(self._move, "weights")

    def begin(self, weights: NDArray[np.float64]) -> None:
        """Make the sliders, and put them at these weights of the tasks."""
        sliders = WeightSliders(self._by_label(self.board.weights))
        sliders.value = self._by_label(weights)
        sliders.observe(self._read_sliders, "value")
        self.bench.sliders = sliders
        self.bench.weights = sliders.value
        self._sliders.children = [*[self._of] * bool(self._members), sliders]

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

    def _turn(self, change: Any) -> None:
        with self.bench.at_once():
            self.begin(self.by_task(self.bench.weights, change["old"]))
        self.bench.follow()

    def _move(self, change: Any) -> None:
        if self.bench.sliders is not None:
            self.bench.sliders.value = change["new"]

    def _read_sliders(self, change: Any) -> None:
        if change["owner"] is self.bench.sliders:
            self.bench.weights = change["new"]
