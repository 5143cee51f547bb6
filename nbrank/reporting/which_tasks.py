"""Which tasks decide?"""

from __future__ import annotations

import pandas as pd

from nbrank.findings.names import listed, name_of
from nbrank.findings.overview import pairs_fit, task_of
from nbrank.findings.without_tasks import without_tasks
from nbrank.questions.leave_one_out import leave_one_out
from nbrank.reporting.case import MOST_BARS, PATIENCE, Case, bars_of, some_of
from nbrank.reporting.page import Bar, Section
from nbrank.votes.naming import Label, counted


def _without_each(case: Case) -> pd.DataFrame:
    """What `leave_one_out` says of the tasks, after what it says of the groups there are."""
    board, groups = case.board, case.board.groups or {}
    tables = []
    counted_tasks = set(board.tasks[board.weights > 0])
    if 1 < sum(bool(counted_tasks & set(tasks)) for tasks in groups.values()) < len(board.tasks):
        by_group = leave_one_out(board, case.asked, "groups")
        by_group = by_group[[len(groups[group]) > 1 for group in by_group.index]]
        tables.append(
            by_group.set_axis([f"{name_of(group)} (the whole group)" for group in by_group.index])
        )
    by_task = leave_one_out(board, case.asked)
    tables.append(by_task.set_axis([case.task.brief[task] for task in by_task.index]))
    return pd.concat(tables)


def which_tasks_decide(case: Case) -> Section:
    """Say without which tasks others would be first, and whose ranks change most."""
    n_tasks, n_systems = int((case.board.weights > 0).sum()), len(case.ranked)
    task = task_of(case.board)
    title = f"Which {task}s decide?"
    if n_tasks < 2:
        return Section(title, (f"No {task} can be left out: there is one only.",))
    every = _without_each(case)
    refused = list(every.index[every["refused"].notna()])
    table = every[every["refused"].isna()].drop(columns="refused")
    if table.empty:
        return Section(title, (f"No {task} can be left out: the rule can't rank the rest.",))
    then = {
        left_out: case.system.listed(row["winners"], 3) or "nobody"
        for left_out, row in table.iterrows()
        if row["decides"]
    }
    if then:
        several = {left_out for left_out, row in table.iterrows() if len(row["winners"]) > 1}
        without: dict[str, list[Label]] = {}
        for left_out, who in then.items():
            is_first = "are first together" if left_out in several else "is first"
            without.setdefault(f"{who} {is_first}", []).append(left_out)
        told = "; ".join(
            f"without any one of {listed(each, 8)}, {first}"
            if len(each) > 2
            else f"{' or '.join(f'without {left_out}' for left_out in each)}, {first}"
            for first, each in without.items()
        )
        answer = f"{told[:1].upper()}{told[1:]}."
    else:
        what = task if len(every) == n_tasks else "task or group"
        answer = f"{case.is_first}, whichever {what} is left out"
        answer += ", as far as the rule can rank the rest." if refused else "."
    columns = ["decides", "ranks_changed", "largest_change"]
    order = table.sort_values(columns, ascending=False, kind="stable")
    changes = order["ranks_changed"]
    said = "No rank at all changes."
    if changes.max():
        top, whose = changes.idxmax(), some_of(changes.max(), n_systems, "system").lower()
        furthest = order["largest_change"].iloc[changes.argmax()]
        said = f"Leaving out {top} changes most: the ranks of {whose}, by up to {furthest}."
    more = [f"Without {listed(refused, 8)} the rule can't rank the rest."] if refused else []
    what = f"{task}s" if len(every) == n_tasks else "tasks and groups"
    after = ", below those (dark) without which the first place changes" * bool(then)
    note = bars_of(len(changes), f"{what} without which most ranks change{after}")
    bars = tuple(
        Bar(
            f"without {left_out}",
            f"{changed} of {counted(n_systems, 'rank')} change"
            + (f"; then first: {then[left_out]}" if left_out in then else ""),
            changed / n_systems,
            strong=left_out in then,
        )
        for left_out, changed in changes.head(MOST_BARS).items()
    )
    shown = pd.DataFrame(
        {
            "then first": [case.system.listed(found, 3) for found in order["winners"]],
            "ranks changed": changes,
            "largest change": order["largest_change"],
        }
    )
    deciding = int(every["decides"].fillna(False).tail(n_tasks).sum())
    figure = (f"{deciding} of {n_tasks}", f"{task}s without which the first place changes")
    left_out = (
        f"Which {task}s would have to go for others to be first is not asked of so many systems."
    )
    if pairs_fit(case.board):
        left_out, _ = without_tasks(case.board, case.asked, case.system, case.task, PATIENCE)
    sentences = (answer, *filter(None, [left_out, *note]))
    return Section(title, sentences, (said, *more), bars=bars, table=shown, figure=figure)
