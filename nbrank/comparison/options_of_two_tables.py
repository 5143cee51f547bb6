"""Options that are given once for two tables that differ in their tasks."""

from collections.abc import Callable, Mapping
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
    is_own, is_of_other = (_make_test_of_names(table, groups) for table in (scores, other))

    def belongs(name: Any) -> bool:
        return is_own(name) or not is_of_other(name)

    selected = {name: _select_named(option, belongs) for name, option in options.items()}
    if groups is not None:
        selected["groups"] = _select_grouped(groups, belongs)
    return cast("TableOptions", selected)


def _make_test_of_names(scores: Any, groups: Any) -> Callable[[Any], bool]:
    """Make the function that says whether a name is of one of the table's tasks or groups."""
    columns = scores.columns if isinstance(scores, pd.DataFrame) else pd.Index(scores.columns)
    tasks = TaskIndex.from_groups(clean_labels(columns), None)

    def is_task(name: Any) -> bool:
        return tasks.get_position(name) is not None

    named = set(tasks.members)
    if groups is not None:
        own = _select_grouped(groups, is_task)
        listed = any(map(pd.api.types.is_list_like, own.values()))
        named |= set(own if listed else own.values())
    of_groups = set(map(clean_label, named))
    return lambda name: is_task(name) or clean_label(name) in of_groups


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
