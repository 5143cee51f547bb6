"""What one sees on the page, as a call in Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from nbrank.frontends.workbench.workbench_state import WorkbenchState, WorkbenchView
from nbrank.rules.bound_rule import BoundRule
from nbrank.votes.leaderboard import Leaderboard


def write_python_call(bench: WorkbenchState, seen: WorkbenchView) -> str:
    """Write the call that gives the ranking on the page, of the frame `df` or of comparisons."""
    rule = BoundRule.bind(seen.ordering_rule)
    known, options = rule.registered, {**rule.options, **seen.options}
    if known is None:
        return f"# {seen.rule} is a function or a ranking of your own."
    if not isinstance(seen.votes, Leaderboard):
        return f"comparisons.{known.name}({_write_options(options)})"
    lines, board = [], bench.scores
    if bench.unscored:
        lines.append('df = df.dropna(how="all")')
    if cells := seen.deletions.list_cells(board):
        lines += ["df = df.astype(float)", f"for system, task in {_write(cells)}:"]
        lines += ["    df.loc[system, task] = None"]
    weights = seen.board.weights
    own = {
        task: weight
        for task, weight in zip(board.tasks, weights.tolist(), strict=True)
        if weight != 1
    }
    if own:
        options = {"weights": own, **options}
    if lower := list(board.lower_is_better):
        options["lower_is_better"] = True if len(lower) == len(board.tasks) else lower
    return "\n".join([*lines, f"df.rank.{known.name}({_write_options(options)})"])


def _write_options(options: dict[str, Any]) -> str:
    return ", ".join(f"{name}={_write(value)}" for name, value in options.items())


def _write(value: Any) -> str:
    """Write plain Python, also of numbers and labels that are numpy's."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_write(key)}: {_write(item)}' for key, item in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_write, value))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(_write, value))}{',' * (len(value) == 1)})"
    if isinstance(value, np.generic):
        value = value.item()
    return repr(int(value) if isinstance(value, float) and value.is_integer() else value)
