"""The sentence on systems that could be first if tasks were left out."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from nbrank.findings.labels import DisplayNames, agree_verb, join_labels
from nbrank.findings.overview import task_noun
from nbrank.robustness.cherry_picking import cherry_pick, unseat
from nbrank.rules.bound_rule import BoundRule, top_ranked
from nbrank.rules.registry import RuleLike
from nbrank.votes.formatting import Label, pluralize
from nbrank.votes.leaderboard import Leaderboard


def describe_task_removal(
    board: Leaderboard,
    rule: RuleLike,
    names: DisplayNames,
    tasks: DisplayNames,
    time_limit: float,
    **options: Any,
) -> tuple[str, list[Label]]:
    """Say how many others can be first without some tasks, and how few unseat the first; list them.

    The result is empty if the rule doesn't add up the tasks, or if several systems are first.
    """
    try:
        picked = cherry_pick(board, rule, time_limit=time_limit, **options)
        rivals = unseat(board, rule, **options)
    except ValueError:
        return "", []
    what, ranker = task_noun(board), BoundRule.bind(rule, **options).function
    now = top_ranked(ranker(board))
    who, others = names.join(now, 3), picked[~picked.index.isin(now)]
    # Only whether a system can be first on some tasks matters, not on how many.
    can = others["kept"] > 0
    decided = (others["proven"] | can).all()
    if decided and not can.any():
        return f"Whatever {what}s are left out, {who} stays first.", []
    sentences = []
    if decided or can.any():
        count = f"{'' if decided else 'At least '}{pluralize(int(can.sum()), 'system')}"
        sentences.append(f"{count} other than {who} would be first if some {what}s were left out.")
    if rivals["removed"].notna().any():
        fewest = rivals.iloc[0]
        # A ballot of many voters is listed once for each voter that is left out.
        often = Counter(fewest["tasks"])
        of_each = [
            tasks.short[task] + f" ({times} times)" * (times > 1) for task, times in often.items()
        ]
        out = f"{pluralize(fewest['removed'], what)}: {join_labels(of_each, 8)}"
        sentences.append(f"To unseat {who}, leave out {out}.")
        places = board.task_names.get_positions(often, "tasks")
        weights = board.weights.copy()
        weights[places] *= 1 - np.array([*often.values()]) / board.voter_counts[places]
        first = top_ranked(ranker(board.with_task_weights(weights)))
        sentences.append(f"Then {names.join(first, 3)} {agree_verb('is', len(first))} first.")
    return " ".join(sentences), list(others.index[can])
