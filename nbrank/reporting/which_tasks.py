"""Which tasks decide?"""

from __future__ import annotations

import pandas as pd

from nbrank.charts.names import listed, name_of
from nbrank.questions.leave_one_out import leave_one_out
from nbrank.reporting.case import Case, Found, answered, some_of


def _without_each(case: Case) -> pd.DataFrame:
    """What `leave_one_out` says of the tasks, after what it says of the groups there are."""
    board = case.board
    tables = []
    counted_tasks = set(board.tasks[board.weights > 0])
    groups = [tasks for tasks in (board.groups or {}).values() if counted_tasks & set(tasks)]
    if 1 < len(groups) < len(board.tasks):
        by_group = leave_one_out(board, case.rule.name, "groups")
        tables.append(by_group.set_axis([f"all of {name_of(group)}" for group in by_group.index]))
    by_task = leave_one_out(board, case.rule.name)
    tables.append(by_task.set_axis([case.task.brief[task] for task in by_task.index]))
    return pd.concat(tables)


def which_tasks_decide(case: Case) -> Found:
    """Say without which tasks others would be first, and whose ranks change most."""
    title = "Which tasks decide?"
    n_tasks = (case.board.weights > 0).sum()
    if n_tasks < 2:
        return answered(title, "No task can be left out: there is one only.")
    every = _without_each(case)
    refused = list(every.index[every["refused"].notna()])
    table = every[every["refused"].isna()].drop(columns="refused")
    if table.empty:
        return answered(title, "No task can be left out: the rule refuses the rest.")
    then = [
        f"{left_out} (then {case.system.listed(row['winners'], 3) or 'nobody'})"
        for left_out, row in table.iterrows()
        if row["decides"]
    ]
    if then:
        alone = "is no longer alone in first place"
        if len(case.first) > 1:
            alone = "no longer share the first place among themselves"
        answer = f"{case.who} {alone} without {listed(then)}."
    else:
        what = "task" if len(every) == n_tasks else "task or group"
        answer = f"{case.is_first}, whichever {what} is left out"
        answer += ", as far as the rule takes the rest." if refused else "."
    order = table.sort_values(["ranks_changed", "largest_change"], ascending=False, kind="stable")
    moved, furthest = order["ranks_changed"].iloc[0], order["largest_change"].iloc[0]
    changes = "No rank at all changes."
    if moved:
        whose = some_of(moved, len(case.ranked), "system").lower()
        top = order.index[0]
        changes = f"To leave out {top} changes most: the ranks of {whose}, by up to {furthest}."
    more = [f"Without {listed(refused, 8)} the rule refuses the rest."] if refused else []
    shown = pd.DataFrame(
        {
            "then first": [case.system.listed(found, 3) for found in order["winners"]],
            "ranks changed": order["ranks_changed"],
            "largest change": order["largest_change"],
        }
    )
    return answered(title, answer, changes, *more, table=shown)
