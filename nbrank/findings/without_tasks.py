"""Who could be called first if tasks were left out, in a sentence."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from nbrank.findings.names import Names, listed, verb
from nbrank.findings.overview import task_of
from nbrank.questions.cherry_picking import cherry_pick, unseat
from nbrank.rules.rule import RuleLike, called, first_ranked
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.naming import Label, counted


def without_tasks(
    board: Leaderboard,
    rule: RuleLike,
    names: Names,
    tasks: Names,
    time_limit: float,
    **options: Any,
) -> tuple[str, list[Label]]:
    """Say how many can be first if tasks are left out, and how few unseat the first; list who can.

    Nothing where the rule doesn't add up the tasks, or where several are first.
    """
    try:
        picked = cherry_pick(board, rule, time_limit=time_limit, **options)
        rivals = unseat(board, rule, **options)
    except ValueError:
        return "", []
    what = task_of(board)
    who = names.listed(first_ranked(called(rule)(board, **options)), 3)
    # Who is first on some tasks, or surely on none; it matters not on how many.
    decided, could = (
        (picked["proven"] | (picked["kept"] > 0)).all(),
        int((picked["kept"] > 0).sum()),
    )
    if decided and could == 1:
        return f"Whatever {what}s are left out, {who} stays first.", []
    said = []
    if decided or could > 1:
        least = "" if decided else "At least "
        of = counted(len(picked), "system")
        said.append(f"{least}{could} of {of} would be first if some {what}s were left out.")
    if rivals["removed"].notna().any():
        fewest = rivals.iloc[0]
        # Of a ballot that stands for many voters, as many are left out as it is named.
        often = Counter(fewest["tasks"])
        of_each = [
            tasks.brief[task] + f" ({times} times)" * (times > 1) for task, times in often.items()
        ]
        out = f"{counted(fewest['removed'], what)}: {listed(of_each, 8)}"
        said.append(f"To unseat {who}, leave out {out}.")
        places = board.names.positions(often, "tasks")
        weights = board.weights.copy()
        weights[places] *= 1 - np.array([*often.values()]) / board.counts[places]
        first = first_ranked(called(rule)(board.with_task_weights(weights), **options))
        said.append(f"Then {names.listed(first, 3)} {verb('is', len(first))} first.")
    return " ".join(said), list(picked.index[picked["kept"] > 0])
