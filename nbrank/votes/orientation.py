"""On which tasks lower is better: read from all that users may say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.votes.naming import Label, named
from nbrank.votes.task_names import TaskNames

LowerIsBetter = Iterable[Any] | Mapping[Any, bool | Literal["min", "max"]] | bool | None

_BEST = {"min": True, "max": False}


def lower_of(names: TaskNames, lower_is_better: LowerIsBetter) -> NDArray[np.bool_]:
    """Whether lower is better, for each task.

    Parameters
    ----------
    names
        What the tasks are called.
    lower_is_better
        As for `Leaderboard`.

    Raises
    ------
    TypeError
        If it is neither of what `Leaderboard` takes.
    ValueError
        If it names no task, or one twice, or a mapping says something else of a
        task than whether lower is better.
    """
    if lower_is_better is None:
        return np.zeros(len(names.tasks), dtype=bool)
    if isinstance(lower_is_better, bool | np.bool_):
        return np.full(len(names.tasks), bool(lower_is_better))
    if _is_mapping(names, lower_is_better):
        tasks, values = _said(lower_is_better)
    else:
        tasks = _listed(names, lower_is_better)
        values = [True] * len(tasks)
    lower = np.zeros(len(names.tasks), dtype=bool)
    lower[names.positions(tasks, "lower_is_better")] = values
    return lower


def _is_mapping(names: TaskNames, lower_is_better: object) -> bool:
    if isinstance(lower_is_better, pd.Series):
        # A Series may also list tasks.
        return any(_is_truth(value) or names.position(value) is None for value in lower_is_better)
    return isinstance(lower_is_better, Mapping)


def _said(said: Any) -> tuple[list[Label], list[bool]]:
    """The tasks that a mapping names, and whether lower is better on each."""
    tasks, values, wrong = [], [], []
    for task, value in said.items():
        tasks.append(task)
        if _is_truth(value):
            values.append(bool(value))
        elif isinstance(value, str) and value in _BEST:
            values.append(_BEST[value])
        else:
            wrong.append(f"{task!r}: {value!r}")
    if wrong:
        raise ValueError(
            f"lower_is_better says {', '.join(wrong[:8])}"
            f"{f' and {len(wrong) - 8} more' if len(wrong) > 8 else ''}; say True or 'min' of a "
            f"task on which lower is better, False or 'max' of one on which higher is"
        )
    return tasks, values


def _is_truth(value: object) -> bool:
    return isinstance(value, bool | np.bool_)


def _listed(names: TaskNames, lower_is_better: object) -> list[Label]:
    if isinstance(lower_is_better, str) or names.position(lower_is_better) is not None:
        return [lower_is_better]  # one task by its name
    if isinstance(lower_is_better, pd.DataFrame) or not isinstance(lower_is_better, Iterable):
        raise TypeError(
            f"lower_is_better must be tasks, a mapping from task to True or False, or True for "
            f"all tasks, not {lower_is_better!r}"
        )
    listed = list(lower_is_better)
    truths = [value for value in listed if _is_truth(value)]
    if truths and not pd.api.types.is_bool_dtype(names.tasks):
        # As numbers, False and True would be the names of the tasks 0 and 1.
        raise TypeError(
            f"lower_is_better is a list with {named(truths[:1])} in it; name the tasks on which "
            f"lower is better, or give a mapping from task to True or False"
        )
    return listed
