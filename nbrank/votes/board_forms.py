"""A leaderboard in the forms in which it is shown: a line of text, and a frame."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from nbrank.votes.naming import counted, named

#: A `nbrank.Leaderboard`, whose module imports this one.
Board = Any


def summary_line(board: Board) -> str:
    """Return the size of a leaderboard, and what else is known of it, in a line."""
    size = f"{counted(len(board.systems), 'system')} x {counted(len(board.tasks), 'task')}"
    if board.instances is not None:
        size += f" ({counted(board.values.shape[1], 'instance')})"
    notes = []
    if (board.counts > 1).any():
        notes.append(counted(int(board.counts.sum()), "voter"))
    if board.groups is not None:
        notes.append(f"groups: {named(board.groups)}")
    if board.lower.any():
        notes.append(f"lower is better: {named(board.tasks[board.lower])}")
    if board.replicates is not None:
        notes.append(f"averages of {board.replicates}")
    missing = int(np.isnan(board.values).sum())
    if missing:
        notes.append(f"{missing} missing")
    return f"Leaderboard: {size}" + (f" ({'; '.join(notes)})" if notes else "")


def instance_frame(board: Board, instances: pd.Index) -> pd.DataFrame:
    """Return instance-level scores as a frame: system and instance x tasks."""
    n_systems = len(board.systems)
    unique = instances.unique()
    row = unique.get_indexer(instances)
    cube = np.full((n_systems, len(unique), len(board.tasks)), np.nan, board.values.dtype)
    cube[:, row, board.column_task] = board.values
    index = pd.MultiIndex.from_product([board.systems, unique], names=["system", "instance"])
    frame = pd.DataFrame(cube.reshape(-1, len(board.tasks)), index=index, columns=board.tasks)
    return frame.dropna(how="all")
