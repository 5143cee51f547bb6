"""Scores of exactly 0 that may stand for missing ones."""

from __future__ import annotations

import numpy as np
import pandas as pd

from nbrank.votes.leaderboard import Leaderboard


def find_suspect_zeros(board: Leaderboard) -> list[tuple[int, int]]:
    """Find the positions (system, task) of zeros that were perhaps never reported.

    Such zeros are in the worst tenth of a task with decimals, by systems good on most other tasks.
    """
    if board.is_instance_level or len(board.systems) < 10 or len(board.tasks) < 3:
        return []
    scores = pd.DataFrame(np.where(board.is_lower_better, -board.values, board.values))
    decimal = (scores.notna() & (scores % 1 != 0)).sum() > scores.notna().sum() / 2
    not_above = scores.rank(method="max", pct=True)
    odd = (scores == 0) & decimal & (not_above <= 0.1)
    return [
        (i, j)
        for i, j in np.argwhere(odd.to_numpy()).tolist()
        if not_above.iloc[i].drop(j).median() > 0.5
    ]
