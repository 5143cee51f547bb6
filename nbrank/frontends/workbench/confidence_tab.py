"""The tab "How sure": which systems may be best, and which differ, as delta moves."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from itertools import chain
from typing import Any

import ipywidgets as widgets
import numpy as np
import pandas as pd

from nbrank.comparison.rules_side_by_side import missing_option
from nbrank.findings.best_set_text import (
    describe_best,
    describe_separated_pairs,
    over_what,
    sampled_unit_name,
)
from nbrank.findings.labels import (
    DisplayNames,
    agree_verb,
    display_message,
    format_percent,
    format_range,
    rule_title,
)
from nbrank.findings.overview import error_reason
from nbrank.frontends.shared_html import render_paragraphs
from nbrank.frontends.workbench.html import render_details, render_table
from nbrank.frontends.workbench.tab import Tab
from nbrank.frontends.workbench.workbench_state import DRAW_CHOICES, WorkbenchState, WorkbenchView
from nbrank.rules.bound_rule import BoundRule
from nbrank.uncertainty.rank_sets import pair_tests
from nbrank.uncertainty.rules_with_sets import supports_confidence_sets
from nbrank.uncertainty.sampling_design import DrawOptions
from nbrank.uncertainty.tied_groups import tie_groups
from nbrank.votes.base import Votes
from nbrank.votes.formatting import Label, pluralize
from nbrank.votes.leaderboard import Leaderboard

_LOWEST, _HIGHEST = WorkbenchState.delta.min, WorkbenchState.delta.max
#: Maximum number of systems of a group that are named.
_MAX_NAMED = 6
#: Groups that are few enough to be read one by one.
_FEW_GROUPS = 3


class ConfidenceTab(Tab):
    """A slider for delta, and the groups of systems that may share a rank."""

    title = "How sure"

    def __init__(self, bench: WorkbenchState) -> None:
        self._delta = widgets.FloatLogSlider(
            bench.delta,
            # The browser moves a value to the nearest step, so 0.05 must be a step.
            min=math.log10(0.05) - 1.7,
            max=math.log10(_HIGHEST),
            step=0.05,
            description="chance of error (delta)",
            readout_format=".3f",
        )
        ways = [*zip(("each group of tasks", DRAW_CHOICES[1]), DRAW_CHOICES, strict=True)]
        draws = widgets.Dropdown(options=ways, description="what counts as one draw")
        self._delta.observe(self._on_slider, "value")
        bench.observe(self._on_delta_change, "delta")
        bench.link_controls(draws=draws)
        grouped = getattr(bench.board, "groups", None) is not None
        super().__init__(bench, self._delta, *[draws] * grouped)
        self.groups = pd.DataFrame()

    def _on_slider(self, change: Any) -> None:
        # A small move is the browser's, which rounds a value to the nearest step.
        if abs(math.log10(change["new"] / self.bench.delta)) > 0.51 * self._delta.step:
            self.bench.delta = max(_LOWEST, min(change["new"], _HIGHEST))

    def _on_delta_change(self, _: Any) -> None:
        self._delta.value = self.bench.delta

    def show(self, seen: WorkbenchView) -> list[str]:
        """Say which systems differ; without rank sets, explain why there are none."""
        if (sets := seen.rank_sets) is None:
            return self.render([seen.note])
        names, delta = self.bench.names, self.bench.delta
        if len(sets) == 1:
            return self.render(["There is only one system, and none to tell it apart from."])
        self.groups = tie_groups(sets[["rank", "low", "high"]])
        sentences = [seen.note, *_describe_separation(names, seen, self.groups, delta)]
        table = render_table(_groups_table(names, self.groups)) if len(self.groups) > 1 else ""
        meaning = _describe_delta(sets, delta, seen.votes)
        html = render_details("what is delta?", render_paragraphs([meaning]))
        html += render_details("all groups that may share a rank", table)
        return [*self.render(sentences, html), meaning]


def _describe_delta(sets: pd.DataFrame, delta: float, votes: Votes) -> str:
    what = sampled_unit_name(sets)
    like = over_what(sets, votes)
    meaning = (
        f"delta is the chance of error that we accept: {format_percent(delta)} that any of the "
        f"bars misses the rank that its system would have on ever more {like} like these."
    )
    if what == "tasks":
        meaning += (
            " Each task is taken as a draw of its own; two metrics of one task are not: they "
            "belong in one group."
        )
    return meaning


def _describe_separation(
    names: DisplayNames, view: WorkbenchView, groups: pd.DataFrame, delta: float
) -> list[str]:
    """Say which systems may be best, and which groups of systems may be equal."""
    sets, best = view.rank_sets, view.best
    assert sets is not None
    assert best is not None
    if "note" in sets.attrs:
        few = describe_separated_pairs(sets, names).removesuffix(".")
        remedy = _suggest_delta(sets.attrs["n"], sampled_unit_name(sets))
        text = f"With {format_percent(1 - delta)} confidence {few[:1].lower()}{few[1:]}"
        text += f", whatever the scores are: {remedy}."
        return [*[describe_best(best, view.votes, names)] * ("note" not in best.attrs), text]
    sentences = [describe_best(best, view.votes, names), describe_separated_pairs(sets, names)]
    many = [row for row in groups["systems"] if len(row) > 1]
    if not many:
        return sentences
    level = f"Systems that may share a rank form {pluralize(len(many), 'group')}"
    if len(many[0]) == len(sets):
        level = f"There is a rank that all {len(sets)} systems could have: they form one group."
    elif len(many) <= _FEW_GROUPS and len(max(many, key=len)) <= _MAX_NAMED:
        level += f": {'; '.join(names.join(row, _MAX_NAMED) for row in many)}."
    else:
        # Several sentences of this kind would read nearly alike.
        sizes = [*map(len, many)]
        level += f" of {format_range(min(sizes), max(sizes))} systems"
        if several := sum(number > 1 for number in Counter(chain(*many)).values()):
            level += (
                f"; {pluralize(several, 'system')} {agree_verb('is', several)} in more than one"
            )
        level += "."
    return [*sentences, level]


def _suggest_delta(n: int, unit: str) -> str:
    """Suggest a larger delta if n units are too few: all point one way by chance with 2 / 2**n."""
    least, ways = 2 / 2**n, []
    if least <= _HIGHEST:
        ways.append(f"move delta to {least:.3g}{' or more' if least < _HIGHEST else ''}")
    if unit == "groups":
        ways.append(f"take {DRAW_CHOICES[1]} as a draw")
    return " or ".join(ways) or f"it takes more {unit}"


def _groups_table(names: DisplayNames, groups: pd.DataFrame) -> pd.DataFrame:
    """Write the table of groups, with the ranks that all systems of a group may have."""
    columns = {
        "ranks open to all": list(map(format_range, groups["low"], groups["high"])),
        "systems": [len(row) for row in groups["systems"]],
        "which": [names.join(row, _MAX_NAMED) for row in groups["systems"]],
    }
    return pd.DataFrame(columns, index=groups.index)


def find_rank_sets(bench: WorkbenchState, seen: WorkbenchView) -> WorkbenchView:
    """Add the best set and the rank sets, or a note on why there are none or another rule's."""
    by, votes, sets, best, pairs, note = seen.ordering_rule, seen.votes, None, None, None, ""
    scored, known = isinstance(votes, Leaderboard), seen.get_rule(bench.rule)
    # For comparisons, only the model has rank sets.
    if not (scored and known is not None and supports_confidence_sets(known)):
        by = "borda" if scored else "bradley_terry"
    rule = BoundRule.bind(by).label
    if by != seen.ordering_rule:
        asked, other = rule_title(bench.rule), rule_title(rule)
        note = f"{asked} has no rank sets: those shown are of {other}. Which systems may be best "
        note += f"by {asked} is not known."
    draws: Any = None if bench.draws == DRAW_CHOICES[0] else "tasks"
    try:
        # Results that don't depend on delta are kept, and so is the ranking, so that no other gets
        # its id.
        options = missing_option(by, seen.missing)
        drawn = DrawOptions("rank_confidence", draws=draws)
        tests, _ = bench.tested.find(
            (id(seen.ranking), rule, draws),
            lambda: (pair_tests(votes, by, drawn, **options), seen.ranking),
        )
        sets, best = tests.frame(bench.delta, joint=True), tests.best_frame(bench.delta)
        pairs = tests.different(bench.delta)
    except (ValueError, RuntimeError) as error:
        why = error_reason("rank_confidence", error).removeprefix(f"{rule}: ")
        note = f"Rank sets are not available: {display_message(why, bench.names.short)}."
    return replace(seen, rank_sets=sets, best=best, told_apart=pairs, note=note)


def rank_at_start(bench: WorkbenchState, seen: WorkbenchView) -> dict[Label, int] | None:
    """Rank by the rule that orders, with weights and scores as they were given.

    None of comparisons, whose weights and scores can't change.
    """
    if not isinstance(bench.board, Leaderboard):
        return None
    ranking = seen.ranking
    if not (seen.deletions.is_none and np.array_equal(seen.board.weights, bench.board.weights)):
        try:
            rule = BoundRule.bind(seen.ordering_rule, **seen.options)
            ranking = rule.function(bench.board)
        except (ValueError, RuntimeError):  # the rule may refuse the votes at the start
            return {}
    return ranking["rank"].dropna().astype(int).to_dict()
