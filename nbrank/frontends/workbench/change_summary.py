"""What has been set otherwise since the last setting, and what followed from it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nbrank.charts.board_drawing.shown_board import MAX_ROWS
from nbrank.findings.labels import DisplayNames, agree_verb, join_labels, rule_title
from nbrank.frontends.workbench.workbench_state import RULE_DEFAULT, WorkbenchView
from nbrank.votes.formatting import Label, pluralize

#: So many winners that changed are told, beside the one by the rule that orders.
_MAX_RULES = 2
#: More weights that changed are counted, and not told one by one.
_MAX_WEIGHTS = 3
#: Why one orders by minimax under weights that make a system lose to nobody.
MINIMAX_NOTE = "minimax looks at a system's worst defeat, so an unbeaten system is first"


def describe_change(before: WorkbenchView, now: WorkbenchView, names: DisplayNames) -> str:
    """Say what was set, and what followed; nothing where nothing was set."""
    moved = _describe_settings_change(before, now)
    return f"You changed {moved}: {_describe_effects(before, now, names)}." if moved else ""


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
    """Who wins instead of whom, and how many rose and fell."""
    parts = []
    # A rule that is chosen anew is told from the one before it, the others each from itself.
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
    moves = np.nan_to_num(old - new)  # a system without a score before has no rank to move from
    rose, fell = int((moves > 0).sum()), int((moves < 0).sum())
    if rose or fell:
        # Of those that are drawn: of the others one sees nothing.
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
    """Say who wins now and did not, or no longer does."""
    who, instead = (names.join(item, 3) or "nobody" for item in (now, before))
    added = [system for system in now if system not in before]
    gone = [system for system in before if system not in now]
    if before and not gone:
        return f"{names.join(added, 3)} {agree_verb('is', len(added))} now level with {instead}"
    if now and not added:
        alone = "alone, " * (len(now) == 1)
        return f"{who} now {agree_verb('wins', len(now))} {alone}without {names.join(gone, 3)}"
    return f"{who} {agree_verb('wins', len(now))} instead of {instead}"
