"""The direction of the scores of a file and its reasons: the second line of every output."""

from __future__ import annotations

from nbrank.findings.labels import join_labels
from nbrank.votes.formatting import group_values
from nbrank.votes.leaderboard import Leaderboard


def describe_directions(board: Leaderboard) -> str:
    """Say which way the scores of a file were read, why, and which are doubtful."""
    rows = {} if board.reading is None else {row.column: row for row in board.reading.directed}
    lower = {
        task: getattr(rows.get(task), "why", "")
        for task in board.tasks[board.is_lower_better & (board.weights > 0)]
    }
    kinds = group_values((why.partition(",")[0], task) for task, why in lower.items())
    reasons = {"you": "as you say", "the file says so": "as the file says", "": ""}
    parts = [
        f"{join_labels(tasks, 3)}"
        + (f" ({text})" if (text := reasons.get(why, f"by {why}")) else "")
        for why, tasks in kinds.items()
    ]
    n = int((board.weights > 0).sum())
    if not lower:
        text = "higher is better" + " on all" * (n > 1)
    elif len(lower) == n:
        reason = f" ({reasons.get(why, f'by {why}')})" if (why := next(iter(kinds))) else ""
        text = "lower is better" + " on all" * (n > 1) + reason * (len(kinds) == 1)
    else:
        text = f"lower is better on {' and on '.join(parts)}, higher on all others"
    found = {} if board.reading is None else board.reading.doubts
    doubts = group_values((doubt.partition(": ")[0], task) for task, doubt in found.items())
    for doubt, tasks in doubts.items():
        text += f"; doubtful on {join_labels(tasks, 3)}: {doubt}"
    return text
