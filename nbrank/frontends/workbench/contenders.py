"""Systems that may be best, that are first under a rule, and that win under other weights."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

import pandas as pd

from nbrank.findings.best_set_text import how_else, possibly_best
from nbrank.findings.labels import format_percent, join_labels, rule_title
from nbrank.frontends.shared_html import render_paragraphs
from nbrank.frontends.workbench.html import render_details
from nbrank.frontends.workbench.workbench_state import WorkbenchState, WorkbenchView
from nbrank.votes.formatting import Label

#: So many rules are named beside who is first under them.
_MAX_RULES = 3


def render_contenders(bench: WorkbenchState, seen: WorkbenchView, near: pd.Series | None) -> str:
    """Set a fold for each way to be first: its title has the number, and it lists the names."""
    by_rule = seen.first_by_rule
    under: dict[Label, list[str]] = {}
    for rule, results in by_rule.items():
        for system in results:
            under.setdefault(system, []).append(rule_title(rule))
    every = all(len(rules) == len(by_rule) for rules in under.values())
    number = len(by_rule)
    where = f"all {number} rules" if every else f"some of the {number} rules"
    if len(by_rule) == 1:
        where = rule_title(next(iter(by_rule)))
    elif len(by_rule) == 2 and every:
        where = "both rules"
    lists: dict[str, dict[Label, str]] = {}
    if seen.best is not None and not seen.note and "note" not in seen.best.attrs:
        may = dict.fromkeys(possibly_best(seen.best), "")
        title = f"{len(may)} may be best" if len(may) > 1 else "1 is surely first"
        lists[f"{title} {how_else(seen.best, seen.votes)}"] = may
    if by_rule:
        lists[f"{len(under)} first under {where}"] = {
            system: f"{len(rules)} rules" if len(rules) > _MAX_RULES else join_labels(rules)
            for system, rules in under.items()
        }
    if near is not None:
        able = near.dropna()
        least = "at least " * (len(near) < len(seen.votes.systems))
        lists[f"{least}{len(able)} would be unbeaten under some weights"] = {
            system: f"if {format_percent(share)} of the weight moves"
            if share > 1e-6
            else "as they are"
            for system, share in able.items()
        }
    folds = (render_system_details(bench, title, results) for title, results in lists.items())
    return f'<div class="nbrank-first">{"".join(folds)}</div>{render_paragraphs([seen.note])}'


def render_system_details(bench: WorkbenchState, title: str, said: Mapping[Label, str]) -> str:
    """Fold a button for each system, with what is said beside it; nothing where there are none."""
    rows = [
        f"<li>{bench.system_button(system)} <small>{escape(beside)}</small></li>"
        for system, beside in said.items()
    ]
    return render_details(title, f"<ul>{''.join(rows)}</ul>" * bool(rows))
