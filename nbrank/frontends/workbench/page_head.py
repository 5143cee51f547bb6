"""Text above the tabs: what changed since the last setting, and which systems may be first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np

from nbrank.charts.board_drawing.shown_board import MAX_ROWS
from nbrank.findings.best_set_text import how_else, possibly_best
from nbrank.findings.labels import DisplayNames, agree_verb, join_labels, rule_title
from nbrank.frontends.shared_html import render_paragraphs
from nbrank.frontends.workbench.html import render_details
from nbrank.frontends.workbench.workbench_state import RULE_DEFAULT, WorkbenchState, WorkbenchView
from nbrank.votes.formatting import Label, group_values, pluralize

#: Maximum number of changed winners in a sentence, besides that of the ordering rule.
_MAX_RULES = 2
#: Maximum number of changed weights that a sentence names; more are only counted.
_MAX_WEIGHTS = 3
#: Reason for ordering by minimax under weights that make a system lose to no other.
MINIMAX_NOTE = "minimax looks at a system's worst defeat, so an unbeaten system is first"


def describe_change(before: WorkbenchView, view: WorkbenchView, names: DisplayNames) -> str:
    """Say what was set, and what followed; empty if nothing was set."""
    moved = _describe_settings_change(before, view)
    return f"You changed {moved}: {_describe_effects(before, view, names)}." if moved else ""


def _describe_settings_change(before: WorkbenchView, now: WorkbenchView) -> str:
    brief = DisplayNames.from_labels(now.weights).short
    sentences = []
    if before.rule != now.rule:
        sentences.append(f"the rule from {rule_title(before.rule)} to {rule_title(now.rule)}")
    moved = [label for label, weight in now.weights.items() if before.weights.get(label) != weight]
    if before.weight_level != now.weight_level:
        sentences.append(f"the sliders from {before.weight_level} to {now.weight_level}")
    elif len(moved) > _MAX_WEIGHTS:
        sentences.append(f"the weights of {len(moved)} {now.weight_level}")
    else:
        sentences += [
            f"the weight of {brief[label]} from {before.weights.get(label, 0):g} to "
            f"{now.weights[label]:g}"
            for label in moved
        ]
    if before.missing != now.missing:
        was, is_now = (seen.missing or RULE_DEFAULT for seen in (before, now))
        sentences.append(f"missing scores from “{was}” to “{is_now}”")
    if before.deletions != now.deletions:
        sentences.append("which scores are deleted")
    return join_labels(sentences)


def _describe_effects(before: WorkbenchView, now: WorkbenchView, names: DisplayNames) -> str:
    """Say which systems win instead of which others, and how many rose and fell."""
    parts = []
    # A newly chosen rule is compared with the previous one, each other rule with itself.
    was = {**before.winners, now.rule: before.winners.get(before.rule, ())}
    for rule, won in now.winners.items():
        then = was.get(rule, won)
        if {*won} != {*then}:
            named = not rule == now.rule == before.rule
            why = f" ({MINIMAX_NOTE})" * (rule == now.rule == "minimax" != before.rule)
            parts.append(
                f"under {rule_title(rule)} " * named
                + describe_winner_change(won, then, names)
                + why
            )
    if len(parts) > _MAX_RULES + 1:
        more = pluralize(len(parts) - _MAX_RULES, "more rule")
        parts = [*parts[:_MAX_RULES], f"under {more} others win than before"]
    old = before.ranking["rank"].reindex(now.ranking.index).to_numpy()
    new = now.ranking["rank"].to_numpy()
    moves = np.nan_to_num(old - new)  # a system without an earlier score has no rank to move from
    rose, fell = int((moves > 0).sum()), int((moves < 0).sum())
    if rose or fell:
        # Only the drawn systems count, because the moves of others aren't visible.
        most = int(np.argmax(np.abs(moves[:MAX_ROWS])))
        tied = int((new == new[most]).sum())
        level = f" (shared by {tied})" * (tied > 1)
        whom = f"the system {names.short[now.ranking.index[most]]}"
        far = f"most of all {whom}, from rank {old[most]:g} to {new[most]:g}{level}"
        if len(moves) > MAX_ROWS:
            among = f"of the first {MAX_ROWS}"
            far = f"{among} {far}" if moves[most] else f"none {among}"
        parts.append(f"{rose} rose and {fell} fell, {far}")
    return "; ".join(parts) or "no winner and no rank changed"


def describe_winner_change(
    now: Sequence[Label], before: Sequence[Label], names: DisplayNames
) -> str:
    """Say which systems win now and did not before, or no longer win."""
    who, instead = (names.join(item, 3) or "nobody" for item in (now, before))
    added = [system for system in now if system not in before]
    gone = [system for system in before if system not in now]
    if before and not gone:
        return f"{names.join(added, 3)} {agree_verb('is', len(added))} now level with {instead}"
    if now and not added:
        alone = "alone, " * (len(now) == 1)
        return f"{who} now {agree_verb('wins', len(now))} {alone}without {names.join(gone, 3)}"
    return f"{who} {agree_verb('wins', len(now))} instead of {instead}"


#: Maximum number of rules that are named with their winners.
_MAX_NAMED_RULES = 3


def render_contenders(bench: WorkbenchState, view: WorkbenchView) -> str:
    """Fold the systems that can be first in each way, with their number in the title."""
    by_rule = view.first_by_rule
    under = group_values(
        (system, rule_title(rule)) for rule, results in by_rule.items() for system in results
    )
    every = all(len(rules) == len(by_rule) for rules in under.values())
    number = len(by_rule)
    where = f"all {number} rules" if every else f"some of the {number} rules"
    if len(by_rule) == 1:
        where = rule_title(next(iter(by_rule)))
    elif len(by_rule) == 2 and every:
        where = "both rules"
    lists: dict[str, dict[Label, str]] = {}
    if view.best is not None and not view.note and "note" not in view.best.attrs:
        may = dict.fromkeys(possibly_best(view.best), "")
        title = f"{len(may)} may be best" if len(may) > 1 else "1 is surely first"
        lists[f"{title} {how_else(view.best, view.votes)}"] = may
    if by_rule:
        lists[f"{len(under)} first under {where}"] = {
            system: f"{len(rules)} rules" if len(rules) > _MAX_NAMED_RULES else join_labels(rules)
            for system, rules in under.items()
        }
    folds = (render_system_details(bench, title, results) for title, results in lists.items())
    return f'<div class="nbrank-first">{"".join(folds)}</div>{render_paragraphs([view.note])}'


def render_system_details(bench: WorkbenchState, title: str, texts: Mapping[Label, str]) -> str:
    """Fold a button and a text for each system under a title; empty without systems."""
    rows = [
        f"<li>{bench.system_button(system)} <small>{escape(beside)}</small></li>"
        for system, beside in texts.items()
    ]
    return render_details(title, f"<ul>{''.join(rows)}</ul>" * bool(rows))
