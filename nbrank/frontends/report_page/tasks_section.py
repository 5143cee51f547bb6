"""Which tasks decide, and do their weights?"""

from __future__ import annotations

import pandas as pd

from nbrank.charts.weight_sensitivity import describe_possible_winners
from nbrank.findings.context import MAX_BARS, ReportContext, describe_bars
from nbrank.findings.labels import capitalize, join_labels, label_text
from nbrank.findings.overview import pairs_fit, task_noun
from nbrank.findings.task_removal import describe_task_removal
from nbrank.frontends.report_page.section import Bar, Section
from nbrank.robustness.single_removals import leave_one_out
from nbrank.votes.formatting import Label, pluralize


def _leave_out_tasks_and_groups(case: ReportContext) -> pd.DataFrame:
    """Leave out each group, if the table has any, and each task in turn."""
    board, groups = case.board, case.board.groups or {}
    tables = []
    counted_tasks = set(board.tasks[board.weights > 0])
    if 1 < sum(bool(counted_tasks & set(tasks)) for tasks in groups.values()) < len(board.tasks):
        by_group = leave_one_out(board, case.bound_rule, whole_groups=True)
        by_group = by_group[[len(groups[group]) > 1 for group in by_group.index]]
        tables.append(
            by_group.set_axis(
                [f"{label_text(group)} (the whole group)" for group in by_group.index]
            )
        )
    by_task = leave_one_out(board, case.bound_rule)
    tables.append(by_task.set_axis([case.task_names.short[task] for task in by_task.index]))
    return pd.concat(tables)


def tasks_section(case: ReportContext) -> Section:
    """Say without which tasks others would be first, and whose ranks change most."""
    n_tasks, n_systems = int((case.board.weights > 0).sum()), len(case.ranking)
    task = task_noun(case.board)
    title = f"Which {task}s decide?"
    if n_tasks < 2:
        return Section(title, (f"No {task} can be left out: there is one only.",))
    every = _leave_out_tasks_and_groups(case)
    refused = list(every.index[every["refused"].notna()])
    table = every[every["refused"].isna()]
    if table.empty:
        return Section(title, (f"No {task} can be left out: the rule can't rank the rest.",))
    then = {
        left_out: case.system_names.join(row["winners"], 3) or "nobody"
        for left_out, row in table.iterrows()
        if row["decides"]
    }
    if then:
        several = {left_out for left_out, row in table.iterrows() if len(row["winners"]) > 1}
        without: dict[str, list[Label]] = {}
        for left_out, who in then.items():
            is_first = "are first together" if left_out in several else "is first"
            without.setdefault(f"{who} {is_first}", []).append(left_out)
        text = "; ".join(
            f"without any one of {join_labels(each, 8)}, {first}"
            if len(each) > 2
            else f"{' or '.join(f'without {left_out}' for left_out in each)}, {first}"
            for first, each in without.items()
        )
        answer = f"{capitalize(text)}."
    else:
        what = task if len(every) == n_tasks else "task or group"
        answer = f"{case.winner_clause}, whichever {what} is left out"
        answer += ", as far as the rule can rank the rest." if refused else "."
    columns = ["decides", "ranks_changed", "largest_change"]
    order = table.sort_values(columns, ascending=False, kind="stable")
    changes = order["ranks_changed"]
    more = [f"Without {join_labels(refused, 8)} the rule can't rank the rest."] * bool(refused)
    what = f"{task}s" if len(every) == n_tasks else "tasks and groups"
    after = ", below those (dark) without which the first place changes" * bool(then)
    note = describe_bars(len(changes), f"{what} without which most ranks change{after}")
    bars = tuple(
        Bar(
            f"without {left_out}",
            f"{changed} of {pluralize(n_systems, 'rank')} change"
            + (f"; then first: {then[left_out]}" if left_out in then else ""),
            changed / n_systems,
            "strong" * (left_out in then),
        )
        for left_out, changed in changes.head(MAX_BARS).items()
    )
    shown = pd.DataFrame(
        {
            "then first": [case.system_names.join(result, 3) for result in order["winners"]],
            "ranks changed": changes,
            "largest change": order["largest_change"],
        }
    )
    deciding = int(every["decides"].fillna(False).tail(n_tasks).sum())
    figure = (f"{deciding} of {n_tasks}", f"{task}s without which the first place changes")
    left_out = (
        f"The {task}s without which others would be first are not searched with this many systems."
    )
    if pairs_fit(case.board):
        left_out, _ = describe_task_removal(
            case.board, case.bound_rule, case.system_names, case.task_names, case.search_seconds
        )
    sentences = [answer, *filter(None, [left_out, *note])]
    if (ranks := case.possible_ranks) is not None:
        sentences.append(describe_possible_winners(ranks, case.rule_title, case.system_names))
        if not ranks["proven"].all():
            call = f"(scores, {case.rule.name!r}, time_limit=600)"
            more.append(
                f"The searches among weights and tasks were cut after {case.search_seconds:g} s; "
                f"nbrank.possible_ranks{call} and nbrank.cherry_pick{call} go on."
            )
    return Section(title, tuple(sentences), tuple(more), bars=bars, table=shown, figure=figure)
