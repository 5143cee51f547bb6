"""Options that are given once for two tables that differ in their tasks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pandas as pd

from nbrank.votes.labeled_values import clean_label, clean_labels
from nbrank.votes.method_registry import MethodsMixin
from nbrank.votes.table.task_options import TableOptions, TaskIndex


def select_table_options(scores: Any, other: Any, options: Mapping[str, Any]) -> TableOptions:
    """Select the options about a table's own tasks and groups.

    Names that neither table has stay, so that they are refused.
    """
    if any(isinstance(table, MethodsMixin) for table in (scores, other)):
        return cast("TableOptions", dict(options))
    groups = options.get("groups")
    own, others = _TableNames.from_frame(scores, groups), _TableNames.from_frame(other, groups)

    def belongs(name: Any) -> bool:
        return name in own or name not in others

    selected = {name: _select_named(option, belongs) for name, option in options.items()}
    if groups is not None:
        selected["groups"] = _select_grouped(groups, belongs)
    return cast("TableOptions", selected)


@dataclass(frozen=True)
class _TableNames:
    """The names by which options may speak of a table's tasks and groups."""

    tasks: TaskIndex
    groups: frozenset[Any]

    @classmethod
    def from_frame(cls, scores: Any, groups: Any) -> _TableNames:
        columns = scores.columns if isinstance(scores, pd.DataFrame) else pd.Index(scores.columns)
        tasks = TaskIndex.from_groups(clean_labels(columns), None)
        named = set(tasks.members)
        if groups is not None:
            own = _select_grouped(groups, lambda name: tasks.get_position(name) is not None)
            listed = any(map(pd.api.types.is_list_like, own.values()))
            named |= set(own if listed else own.values())
        return cls(tasks, frozenset(map(clean_label, named)))

    def __contains__(self, name: Any) -> bool:
        return self.tasks.get_position(name) is not None or clean_label(name) in self.groups


def _select_named(option: Any, belongs: Callable[[Any], bool]) -> Any:
    """Select the entries of a mapping or list of names that belong to a table."""
    if isinstance(option, Mapping | pd.Series):
        return {name: value for name, value in option.items() if belongs(name)} or None
    if option is None or isinstance(option, bool | np.bool_) or option == "balanced":
        return option
    if isinstance(option, str):
        return option if belongs(option) else ()
    return [name for name in option if isinstance(name, bool | np.bool_) or belongs(name)]


def _select_grouped(groups: Any, belongs: Callable[[Any], bool]) -> dict[Any, Any]:
    """Select the tasks of a table from group -> tasks, or from task -> group."""
    listed = {
        group: [task for task in tasks if belongs(task)]
        for group, tasks in groups.items()
        if pd.api.types.is_list_like(tasks)
    }
    if listed:
        return {group: tasks for group, tasks in listed.items() if tasks}
    return {task: group for task, group in groups.items() if belongs(task)}
