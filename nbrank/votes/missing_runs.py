"""Missing runs behind the averages of a leaderboard."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nbrank.votes.formatting import Label, join_truncated
from nbrank.votes.leaderboard import Leaderboard

#: Maximum number of systems, and of tasks of each, that are listed.
_MAX_LISTED = 3


def missing_runs(
    board: Leaderboard, system: Callable[[Label], str] = str, task: Callable[[Label], str] = str
) -> str:
    """Count the missing runs, with their systems and tasks, in words; empty without any.

    Every system should have as many runs on every task as the cell with the most; on every
    instance of a task, as the instance with the most.
    """
    if board.replicates is not None:
        n_runs = board.replicates.n_runs
        expected = np.full(len(board.task_codes), n_runs.max())
    elif board.averaged is not None:
        n_runs, expected = board.averaged.n_runs, board.averaged.expected(board.task_codes)
    else:
        return ""
    if expected.max() < 2:
        return ""
    lost = np.zeros((len(board.systems), len(board.tasks)), dtype=np.int64)
    np.add.at(lost.T, board.task_codes, (expected - n_runs).T)
    total, by_system = int(lost.sum()), lost.sum(axis=1)
    whose = np.flatnonzero(by_system)[np.argsort(-by_system[by_system > 0], kind="stable")]
    if not total:
        return ""
    each = []
    for row in whose.tolist():
        tasks = [task(board.tasks[column]) for column in np.flatnonzero(lost[row]).tolist()]
        where = f"all {len(tasks)} tasks" if len(tasks) == len(board.tasks) > 1 else ""
        number = f" ({by_system[row]:,})" * bool(len(whose) > 1 and by_system.max() > 1)
        each.append(f"{system(board.systems[row])} on {where or _listed(tasks)}{number}")
    return (
        f"{total:,} of {int(expected.sum()) * len(n_runs):,} runs {'is' if total == 1 else 'are'} "
        f"missing, of {join_truncated(each, _MAX_LISTED)}"
    )


def _listed(names: list[str]) -> str:
    """List names in a sentence, cut short if there are many."""
    if len(names) > _MAX_LISTED:
        return join_truncated(names, _MAX_LISTED)
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
