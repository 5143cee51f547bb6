"""The settings that were tried, with buttons that restore them, and the call for the page."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from itertools import chain
from typing import Any
from zlib import crc32

import numpy as np

from nbrank.findings.labels import rule_title
from nbrank.frontends.workbench.html import HtmlWidget, render_button
from nbrank.frontends.workbench.workbench_state import WorkbenchState, WorkbenchView
from nbrank.rules.bound_rule import BoundRule
from nbrank.votes.formatting import Label
from nbrank.votes.leaderboard import Leaderboard

#: Maximum number of settings that are kept, the latest first.
_MAX_TRIED = 12


@dataclass(frozen=True)
class Tried:
    """Weights and a rule that were tried, and their winners."""

    weights_of: str
    weights: dict[Label, float]
    rule: str
    title: str
    outcome: str

    @property
    def setting(self) -> tuple[Any, ...]:
        """The weights and the rule in words."""
        return self.weights_of, self.weights, self.rule

    @property
    def key(self) -> str:
        """Key that its button sends, which doesn't depend on its place in the list."""
        return f"{crc32(repr(self.setting).encode()):x}"


class Trail:
    """List of the settings that were tried with their winners, and the call of the present one."""

    def __init__(self, bench: WorkbenchState) -> None:
        self.bench = bench
        self.html = HtmlWidget(pressed=bench.on_button)
        #: The settings that were tried, the latest first.
        self.tried: list[Tried] = []
        #: The call that gives the ranking on the page, and the call that reads the votes from a
        #: file.
        self.python, self.source = "", ""
        self._seen: WorkbenchView | None = None

    def show(self, seen: WorkbenchView | None) -> None:
        """Write the call, and the list if several settings were tried."""
        self.python = "" if seen is None else write_python_call(self.bench, seen)
        self._seen = seen
        if self.source and seen is not None:
            is_scored = isinstance(seen.votes, Leaderboard)
            votes = f"df = {self.source}.scores" if is_scored else f"comparisons = {self.source}"
            self.python = f"{votes}\n{self.python}"
        python = (
            f"<h4>As Python</h4><pre>{escape(self.python)}</pre>"
            f"<button data-copy>copy as Python</button>"
        )
        rows = "".join(
            f"<li>{render_button('tried', one.key, one.title)} "
            f"<small>{escape(one.outcome)}</small></li>"
            for one in self.tried
        )
        tried = f'<h4>Tried so far</h4><ol class="nbrank-tried">{rows}</ol>'
        self.html.html = python * bool(self.python) + tried * (len(self.tried) > 1)

    def name_source(self, source: str) -> None:
        """Begin the call with the one that reads the votes from a file."""
        self.source = source
        self.show(self._seen)

    def add(self, seen: WorkbenchView) -> None:
        """Keep the weights and the rule, if they are tried for the first time."""
        bench, names = self.bench, self.bench.names
        if bench.sliders is None:
            return
        first = seen.winners.get(seen.rule, ())
        others = [won for rule, won in seen.first_by_rule.items() if rule != seen.rule]
        # As in the verdict, a system that is first alone counts as first where it shares the rank,
        # too.
        alike = sum({*won} == {*first} or (len(first) == 1 and first[0] in won) for won in others)
        also = f" and {alike} of {len(others)} other rules" * bool(others)
        instead = [*dict.fromkeys(chain(*(won for won in others if not {*won} >= {*first})))]
        also += f"; else {names.join(instead, 3)}" * bool(instead)
        tried = Tried(
            bench.weights_of,
            dict(bench.weights),
            seen.rule,
            f"{bench.sliders.describe_moved()}, {rule_title(seen.rule)}",
            f"{names.join(first, 3) or 'nobody'} first by {rule_title(seen.rule)}{also}",
        )
        self.tried = [one for one in self.tried if one.setting != tried.setting]
        self.tried = [tried, *self.tried][:_MAX_TRIED]

    def go_back(self, key: str) -> None:
        """Restore a setting that was tried."""
        tried = next(one for one in self.tried if one.key == key)
        rules = tuple(dict.fromkeys((*self.bench.rules, tried.rule)))
        self.bench.set_values(
            weights_of=tried.weights_of, rules=rules, rule=tried.rule, weights=tried.weights
        )


def write_python_call(bench: WorkbenchState, view: WorkbenchView) -> str:
    """Write the call that gives the ranking on the page, of the frame `df` or of comparisons."""
    rule = BoundRule.bind(view.ordering_rule)
    known, options = rule.registered, {**rule.options, **view.options}
    if known is None:
        return f"# {view.rule} is a function or a ranking of your own."
    if not isinstance(view.votes, Leaderboard):
        return f"comparisons.{known.name}({_write_options(options)})"
    lines, board = [], bench.scores
    if bench.unscored:
        lines.append('df = df.dropna(how="all")')
    if cells := view.deletions.list_cells(board):
        lines += ["df = df.astype(float)", f"for system, task in {_plain(cells)!r}:"]
        lines += ["    df.loc[system, task] = None"]
    weights = zip(board.tasks, view.board.weights.tolist(), strict=True)
    if own := {task: weight for task, weight in weights if weight != 1}:
        options = {"weights": own, **options}
    if lower := list(board.lower_is_better):
        options["lower_is_better"] = True if len(lower) == len(board.tasks) else lower
    return "\n".join([*lines, f"df.rank.{known.name}({_write_options(options)})"])


def _write_options(options: dict[str, Any]) -> str:
    return ", ".join(f"{name}={_plain(value)!r}" for name, value in options.items())


def _plain(value: Any) -> Any:
    """Return a value of plain Python, also of numbers and labels that are numpy's."""
    if isinstance(value, dict):
        return {_plain(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(_plain, value))
    if isinstance(value, np.generic):
        value = value.item()
    return int(value) if isinstance(value, float) and value.is_integer() else value
