"""Under which weights would another system win?"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.charts.names import in_percent, listed, name_of
from nbrank.questions.condorcet_weights import nearest_weights
from nbrank.reporting.case import MOST_CONTENDERS, Case, Found, answered
from nbrank.votes.naming import counted


def other_weights(case: Case) -> Found:
    """Say for whom the weights would have to move how far to win."""
    title = "Under which weights would another system win?"
    board = case.board
    if len(board.tasks) < 2 or len(board.systems) < 2:
        only = "There is nothing to weigh: fewer than two tasks, or than two systems."
        return answered(title, only)
    asked = list(case.ranked.index[:MOST_CONTENDERS])
    found = {system: nearest_weights(board, system) for system in asked}
    moved = {system: nearest.moved for system, nearest in found.items() if nearest is not None}
    more = {
        system: _more_on(case, nearest.weights)
        for system, nearest in found.items()
        if nearest is not None
    }
    others = [system for system in moved if system not in case.first]
    whom = case.of_the_first(asked)
    if others:
        nearest = min(others, key=moved.__getitem__)
        who = case.system.brief[nearest]
        many = counted(len(others), "other system")
        answer = f"{many}{whom} would lose to nobody under other weights; "
        answer += (
            f"nearest to it is {who}, for which {in_percent(moved[nearest])} of the weight has to "
            f"move, to {more[nearest]}."
            if moved[nearest] > 1e-6
            else f"{who} loses to nobody as it is."
        )
    elif len(case.first) == len(board.systems):
        answer = "There is no other system: all share the first place."
    else:
        answer = f"No weights at all let another system{whom} win against everybody."
    same = case.rule.name == "condorcet"
    is_other = "" if same else f", which is not yet to be first by {case.by}"
    meaning = (
        "To win means here to lose to no other system, one against one, by the weight of the "
        f"tasks{is_other}. The table starts from "
        f"{'the weights given' if case.weighted else 'equal weights'}, and moves as little as "
        "is enough."
    )
    never = [system for system in asked if system not in moved]
    enough = [f"No weights are enough for {case.system.listed(never, 8)}."] if never else []
    table = None
    if moved:
        order = sorted(moved, key=moved.__getitem__)
        table = pd.DataFrame(
            {
                "weight to move": [in_percent(moved[system]) for system in order],
                "more on": [more[system] for system in order],
            },
            index=[name_of(system) for system in order],
        )
    return answered(title, answer, meaning, *enough, table=table)


def _more_on(case: Case, weights: NDArray[np.float64]) -> str:
    """Which tasks count more than they do now, and how much."""
    gains = pd.Series(weights)[weights > case.board.weights / case.board.weights.sum() + 1e-6]
    # Equal but for rounding, they stand in the table's order.
    gains = gains.round(9).sort_values(ascending=False, kind="stable")
    tasks = [case.task.brief[task] for task in case.board.tasks[gains.index]]
    told = [f"{task} (then {in_percent(w)})" for task, w in zip(tasks, gains, strict=True)]
    return listed(told, 4) or "nothing"
