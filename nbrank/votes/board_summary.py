"""Summary of a leaderboard as a line of text, and its scores as a frame."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from nbrank.votes.formatting import format_labels, pluralize
from nbrank.votes.table.row_levels import instance_frame

#: A `nbrank.Leaderboard`, whose module imports this one.
Board = Any


def summary_line(board: Board) -> str:
    """Describe the size and further facts of a leaderboard in a line."""
    size = f"{pluralize(len(board.systems), 'system')} x {pluralize(len(board.tasks), 'task')}"
    if board.instances is not None:
        size += f" ({board.sample_size})"
    notes = []
    if (board.voter_counts > 1).any():
        notes.append(pluralize(int(board.voter_counts.sum()), "voter"))
    if board.groups is not None:
        notes.append(f"groups: {format_labels(board.groups)}")
    if board.is_lower_better.any():
        notes.append(f"lower is better: {format_labels(board.tasks[board.is_lower_better])}")
    if board.replicates is not None:
        notes.append(f"averages of {board.replicates}")
    if board.averaged is not None:
        notes.append(f"averages of {board.averaged}")
    missing = int(np.isnan(board.values).sum())
    if missing:
        notes.append(f"{missing} missing")
    return f"Leaderboard: {size}" + (f" ({'; '.join(notes)})" if notes else "")


def frame_of_scores(board: Board) -> pd.DataFrame:
    """Return the scores with their labels; `.attrs` list the columns that were set aside."""
    values, systems, tasks = board.values, board.systems, board.tasks
    if board.instances is None:
        frame = pd.DataFrame(values.copy(), index=systems, columns=tasks)
    else:
        columns = board.task_codes, board.instances, board.clusters
        frame = instance_frame(values, systems, tasks, *columns)
    frame.attrs = {} if board.reading is None else board.reading.frame_attrs
    return frame
