"""What has been set otherwise since the last setting, and what followed from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nbrank.charts.picture import MOST_ROWS
from nbrank.explorers.bench import AS_EACH_DOES, Seen
from nbrank.findings.names import Names, in_brief, in_percent, in_words, listed, verb
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.naming import Label, counted

#: So many winners that changed are told, beside the one by the rule that orders.
_MOST_RULES = 2
#: More weights that changed are counted, and not told one by one.
_MOST_WEIGHTS = 3
#: Why one orders by minimax under weights that make a system lose to nobody.
WHY_MINIMAX = "minimax looks at a system's worst defeat, so losing to nobody is enough"


def since(before: Seen, now: Seen, names: Names) -> str:
    """Say what was set, and what followed; nothing where nothing was set."""
    moved = _set(before, now)
    return f"You changed {moved}: {_followed(before, now, names)}." if moved else ""


def _set(before: Seen, now: Seen) -> str:
    brief = Names.of(now.weights).brief
    said = []
    if before.rule != now.rule:
        said.append(f"the rule from {in_words(before.rule)} to {in_words(now.rule)}")
    moved = [label for label, weight in now.weights.items() if before.weights.get(label) != weight]
    if before.weights_of != now.weights_of:
        said.append(f"the sliders from {before.weights_of} to {now.weights_of}")
    elif len(moved) > _MOST_WEIGHTS:
        said.append(f"the weights of {len(moved)} {now.weights_of}")
    else:
        said += [
            f"the weight of {brief[label]} from {before.weights.get(label, 0):g} to "
            f"{now.weights[label]:g}"
            for label in moved
        ]
    if before.missing != now.missing:
        was, is_now = (seen.missing or AS_EACH_DOES for seen in (before, now))
        said.append(f"missing scores from “{was}” to “{is_now}”")
    if before.deletions != now.deletions:
        said.append("which scores are deleted")
    return listed(said)


def _followed(before: Seen, now: Seen, names: Names) -> str:
    """Who wins instead of whom, and how many rose and fell."""
    parts = []
    # A rule that is chosen anew is told from the one before it, the others each from itself.
    was = {**before.first, now.rule: before.first.get(before.rule, ())}
    for rule, won in now.first.items():
        then = was.get(rule, won)
        if {*won} != {*then}:
            named = not rule == now.rule == before.rule
            why = f" ({WHY_MINIMAX})" * (rule == now.rule == "minimax" != before.rule)
            parts.append(f"under {in_words(rule)} " * named + wins_instead(won, then, names) + why)
    if len(parts) > _MOST_RULES + 1:
        more = counted(len(parts) - _MOST_RULES, "more rule")
        parts = [*parts[:_MOST_RULES], f"under {more} others win than before"]
    old = before.ranking["rank"].reindex(now.ranking.index).to_numpy()
    new = now.ranking["rank"].to_numpy()
    moves = np.nan_to_num(old - new)  # a system without a score before has no rank to move from
    rose, fell = int((moves > 0).sum()), int((moves < 0).sum())
    if rose or fell:
        # Of those that are drawn: of the others one sees nothing.
        most = int(np.argmax(np.abs(moves[:MOST_ROWS])))
        tied = int((new == new[most]).sum())
        level = f" (shared by {tied})" * (tied > 1)
        whom = f"the system {names.brief[now.ranking.index[most]]}"
        far = f"most of all {whom}, from rank {old[most]:g} to {new[most]:g}{level}"
        if len(moves) > MOST_ROWS:
            among = f"of the first {MOST_ROWS}"
            far = f"{among} {far}" if moves[most] else f"none {among}"
        parts.append(f"{rose} rose and {fell} fell, {far}")
    return "; ".join(parts) or "no winner and no rank changed"


def instead_of(before: Seen, now: Seen) -> str:
    """Say how many could be first now instead, where weights alone made others so."""
    was, is_now = map(_could_be_first, (before, now))
    if was is None or is_now is None or was[1:] != is_now[1:] or was[0] == is_now[0]:
        return ""
    said = f"{is_now[0]} instead of {was[0]} could be first"
    heaviest, share = _heaviest(now)
    if is_now[0] > was[0] and share > _heaviest(before)[1] and len(heaviest) == 1:
        said += f", since {heaviest[0]} now carries {in_percent(share)} of the weight"
    return said


def _could_be_first(seen: Seen) -> tuple[Any, ...] | None:
    """How many could be, and of what that is asked; None of comparisons, and where nobody knows."""
    if seen.sets is None or seen.note or not isinstance(seen.whole, Leaderboard):
        return None
    asked = [seen.sets.attrs.get(name) for name in ("rule", "delta", "over", "draws")]
    return int((seen.sets["low"] == 1).sum()), asked, seen.missing, seen.deletions


def _heaviest(seen: Seen) -> tuple[list[str], float]:
    """The tasks that weigh most, where tasks are what is drawn, and the share of each."""
    assert seen.sets is not None
    assert isinstance(seen.whole, Leaderboard)
    weights = seen.whole.weights / seen.whole.weights.sum()
    most = np.flatnonzero(np.isclose(weights, weights.max()))
    named = in_brief(seen.whole.tasks) if seen.sets.attrs.get("over") == "tasks" else []
    return [named[task] for task in most if named], float(weights.max())


def wins_instead(now: Sequence[Label], then: Sequence[Label], names: Names) -> str:
    """Say who wins now and did not, or no longer does."""
    who, instead = (names.listed(one, 3) or "nobody" for one in (now, then))
    added = [system for system in now if system not in then]
    gone = [system for system in then if system not in now]
    if then and not gone:
        return f"{names.listed(added, 3)} {verb('is', len(added))} now level with {instead}"
    if now and not added:
        alone = "alone, " * (len(now) == 1)
        return f"{who} now {verb('wins', len(now))} {alone}without {names.listed(gone, 3)}"
    return f"{who} {verb('wins', len(now))} instead of {instead}"
