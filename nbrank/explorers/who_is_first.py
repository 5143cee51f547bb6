"""Who is first under some rule, who could be with other tasks, and who under other weights."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

import pandas as pd

from nbrank.explorers.bench import Bench, Seen
from nbrank.explorers.prose import folded, in_paragraphs
from nbrank.findings.names import in_percent, in_words, listed
from nbrank.findings.overview import how_else
from nbrank.findings.verdict import in_letters
from nbrank.votes.naming import Label

#: So many rules are named beside who is first under them.
_MOST_RULES = 3


def who_is_first(bench: Bench, seen: Seen, near: pd.Series | None) -> str:
    """Set a fold for each way to be first: its title has the number, and it lists the names."""
    by_rule = seen.first_by_rule
    under: dict[Label, list[str]] = {}
    for rule, found in by_rule.items():
        for system in found:
            under.setdefault(system, []).append(in_words(rule))
    every = all(len(rules) == len(by_rule) for rules in under.values())
    number = in_letters(len(by_rule))
    where = f"all {number} rules" if every else f"some of the {number} rules"
    if len(by_rule) == 1:
        where = in_words(next(iter(by_rule)))
    elif len(by_rule) == 2 and every:
        where = "both rules"
    lists = (
        {
            f"{len(under)} first under {where}": {
                system: f"{len(rules)} rules" if len(rules) > _MOST_RULES else listed(rules)
                for system, rules in under.items()
            }
        }
        if by_rule
        else {}
    )
    if seen.sets is not None and not seen.note and "note" not in seen.sets.attrs:
        could = seen.sets.index[seen.sets["low"] == 1]
        lists[f"{len(could)} could be first {how_else(seen.sets, seen.votes)}"] = dict.fromkeys(
            could, ""
        )
    if near is not None:
        able = near.dropna()
        least = "at least " * (len(near) < len(seen.votes.systems))
        lists[f"{least}{len(able)} would lose to nobody under some weights"] = {
            system: f"if {in_percent(share)} of the weight moves" if share > 1e-6 else "as they are"
            for system, share in able.items()
        }
    folds = (systems_folded(bench, title, found) for title, found in lists.items())
    return f'<div class="nbrank-first">{"".join(folds)}</div>{in_paragraphs([seen.note])}'


def systems_folded(bench: Bench, title: str, said: Mapping[Label, str]) -> str:
    """Fold a button for each system, with what is said beside it; nothing where there are none."""
    rows = [
        f"<li>{bench.button_of(system)} <small>{escape(beside)}</small></li>"
        for system, beside in said.items()
    ]
    return folded(title, f"<ul>{''.join(rows)}</ul>" * bool(rows))
