"""The tab of rules and weights: how much each task counts, and which rules are compared."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from html import escape
from time import monotonic
from typing import Any

import ipywidgets as widgets
import numpy as np
from numpy.typing import NDArray

from nbrank.arrays.orders.majority_graphs import SearchLimitError
from nbrank.comparison.rules_side_by_side import missing_option
from nbrank.findings.labels import (
    MISSING_DESCRIPTIONS,
    DisplayNames,
    agree_verb,
    display_message,
    join_rules,
    rule_title,
)
from nbrank.findings.missing_text import groups_apart
from nbrank.findings.overview import error_reason
from nbrank.frontends.shared_html import render_rank_table
from nbrank.frontends.workbench.html import HtmlWidget, render_details
from nbrank.frontends.workbench.tab import Tab
from nbrank.frontends.workbench.weight_sliders import WeightSliders
from nbrank.frontends.workbench.workbench_state import WorkbenchState, WorkbenchView
from nbrank.rules.bound_rule import BoundRule
from nbrank.rules.registry import RuleLike
from nbrank.votes.base import Votes
from nbrank.votes.formatting import Label, group_values, pluralize

#: The width of a column of ranks, in letters.
_RANK_WIDTH = 2.3
#: Seconds after which the next move of a slider counts as a new one.
_SLIDER_PAUSE = 1.0


class RulesTab(Tab):
    """A box for each rule, and who wins under which."""

    title = "Rules"

    def __init__(self, bench: WorkbenchState) -> None:
        super().__init__(bench)
        self.boxes = HtmlWidget(pressed=bench.on_button)
        self.pane.children = [self.html, self.boxes]
        self._table = ""
        self._questions = {name: _rule_question(rule) for name, rule in bench.known.items()}

    def _render_boxes(self) -> str:
        """Write a box for each rule, ticked if it is compared; the last one stays."""
        shown = self.bench.rules
        rows = [
            f'<label><input type="checkbox" data-name="compare" data-value="{escape(name)}" '
            f'value="{escape(name)}"{" checked" * (name in shown)}'
            f"{' disabled' * (shown == (name,))}> "
            f"{escape(f'{rule_title(name)}: {question}')}</label>"
            for name, question in self._questions.items()
        ]
        return render_details(
            "which rules to compare", f'<div class="nbrank-list">{"".join(rows)}</div>'
        )

    def show(self, seen: WorkbenchView) -> list[str]:
        """Say who wins under which rules, and fold the ranks below it."""
        self.boxes.html = self._render_boxes()
        sentences, refused = self._describe_winners(seen), _describe_failures(seen)
        if not (self._table and self.bench.is_pending):
            self._table = self._render_ranks(seen)
        apart = groups_apart(seen.votes)
        return self.render(
            [apart and f"{apart}.", *sentences, *refused], render_details("all ranks", self._table)
        )

    def _render_ranks(self, seen: WorkbenchView) -> str:
        """Set the ranks of all systems by all rules, shaded as in the picture."""
        ranks = seen.ranks.reindex(seen.ranking.index).rename(columns=rule_title)
        names = list(map(self.bench.system_button, ranks.index))
        table = render_rank_table(ranks, names, _RANK_WIDTH, len(ranks))
        return f'<div class="nbrank-list">{table}</div>'

    def _describe_winners(self, seen: WorkbenchView) -> list[str]:
        """Say who wins under which rules, where they differ: else the verdict has it."""
        by_winner = group_values([(won, rule) for rule, won in seen.first_by_rule.items()])
        return [
            f"{self.bench.names.join(results, 3) or 'No system'} "
            f"{agree_verb('wins', len(results))} under {join_rules(rules)}."
            for results, rules in by_winner.items()
        ] * (len(by_winner) > 1)


def _rule_question(rule: RuleLike) -> str:
    known = BoundRule.bind(rule).registered
    return "ranks that were given" if known is None else known.answers


def _describe_failures(view: WorkbenchView) -> list[str]:
    """Say which rules refuse the table, and why."""
    reasons = [
        (describe_remedy(view.rules_by_label[rule], view.votes, error), rule)
        for rule, error in view.errors.items()
        if rule in view.ranks
    ]
    by_reason = group_values(reasons)
    return [
        f"Not shown {agree_verb('is', len(rules))} {join_rules(rules)}: {reason}."
        for reason, rules in by_reason.items()
    ]


def describe_remedy(rule: RuleLike, votes: Votes, error: Exception) -> str:
    """Say why a rule refuses a table, and what one can do, such as to count missing scores."""
    how: Any
    ways = []
    if votes.has_scores and not isinstance(error, SearchLimitError):
        absent = int(np.isnan(votes.values).sum())
        if absent == votes.values.size:
            return "no system has a score at this setting; bring some back"
        for how in MISSING_DESCRIPTIONS if absent else ():
            with suppress(ValueError, RuntimeError):
                BoundRule.bind(rule, **missing_option(rule, how)).function(votes)
                ways.append(f"“{how}”")
    if not ways:
        # The advised rules take arguments, which are given in Python.
        why, python, _ = error_reason(rule, error).partition("; use normalized_mean")
        why += "; a rule that looks at places can, such as Borda or Copeland" * bool(python)
        tasks = DisplayNames.from_labels(getattr(votes, "tasks", ())).short
        return display_message(
            why, {**tasks, **DisplayNames.from_labels(votes.systems).short}
        ).removesuffix(".")
    missing = pluralize(absent, "missing score")
    return f"{missing}; under “Missing scores” you can choose to count them by {' or '.join(ways)}"


def find_refusing_rules(bench: WorkbenchState, seen: WorkbenchView) -> set[str]:
    """Find the rules that refuse the table: of those not compared the averages, soon tried."""
    refusing = {*seen.errors}
    known = {
        label: seen.get_rule(label) for label in bench.ordering_rules if label not in seen.winners
    }
    for label in [label for label, rule in known.items() if rule and rule.family == "mean"]:
        try:
            options = missing_option(label, seen.missing)
            BoundRule.bind(bench.known[label], **options).function(seen.votes)
        except (ValueError, RuntimeError):
            refusing.add(label)
    return refusing


class RulesAndWeightsTab(RulesTab):
    """The same, and a slider for each task or group."""

    title = "Rules and weights"

    def __init__(self, bench: WorkbenchState) -> None:
        super().__init__(bench)
        self.board = board = bench.scores
        self._members = board.task_names.members
        self._sliders = widgets.VBox()
        self._weight_level = widgets.ToggleButtons(
            options=[("groups of tasks", "groups"), ("single tasks", "tasks")],
            description="sliders for",
            style={"button_width": "auto"},
        )
        self.pane.children = [self._sliders, *self.pane.children]
        bench.weights_of = "tasks" if board.groups is None else "groups"
        bench.link_controls(weights_of=self._weight_level)
        self.build_sliders(board.weights)
        bench.observe(self._on_weight_level_change, "weights_of")

    def build_sliders(self, weights: NDArray[np.float64]) -> None:
        """Make the sliders, and put them at these weights of the tasks."""
        bench, now = self.bench, self._weights_by_label(weights)
        moved = partial(self._set_weights, bench.weights_of)
        bench.sliders = WeightSliders(self._weights_by_label(self.board.weights), moved)
        bench.sliders.set_weights(now)
        bench.weights = now
        self._sliders.children = [*[self._weight_level] * bool(self._members), bench.sliders]

    def _weights_by_label(self, weights: NDArray[np.float64]) -> dict[Label, float]:
        """Return the weight of each task, or the total of each group."""
        if self.bench.weights_of == "tasks":
            return dict(zip(self.board.tasks, weights.tolist(), strict=True))
        return {group: float(weights[tasks].sum()) for group, tasks in self._members.items()}

    def weights_by_task(
        self, weights_by_label: Mapping[Any, float], weights_kind: str
    ) -> NDArray[np.float64]:
        """Return the weight of each task; groups divide theirs as on the board."""
        if weights_kind == "tasks":
            return np.array([weights_by_label[task] for task in self.board.tasks])
        weights = np.zeros(len(self.board.tasks))
        for group, members in self._members.items():
            own = self.board.weights[members]
            shares = own / own.sum() if own.any() else np.full(len(members), 1 / len(members))
            weights[members] = weights_by_label[group] * shares
        return weights

    def _set_weights(self, weights_of: str, weights: dict[Label, float]) -> None:
        """Set weights as a slider moves; until it rests, changes are described from its start."""
        if weights_of != (bench := self.bench).weights_of:  # a replaced slider may still move
            return
        rests = monotonic() - bench.shown_at > _SLIDER_PAUSE
        bench.drags_on = bench.dragged_labels == [*weights] and not rests
        bench.weights = weights
        bench.dragged_labels, bench.drags_on = [*weights], False

    def _on_weight_level_change(self, change: Any) -> None:
        with self.bench.hold_updates():
            self.build_sliders(self.weights_by_task(self.bench.weights, change["old"]))
        self.bench.update()
