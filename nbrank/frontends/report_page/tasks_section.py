"""What is missing, and does it matter? Which tasks decide, and do their weights?"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.comparison.rules_side_by_side import rank_by_missing_treatment
from nbrank.findings.labels import (
    MISSING_DESCRIPTIONS,
    agree_verb,
    capitalize,
    format_percent,
    join_labels,
    label_text,
)
from nbrank.findings.missing_text import find_suspect_zeros
from nbrank.findings.nearest_weights import describe_possible_winners, describe_task_removal
from nbrank.findings.overview import pairs_fit, task_noun
from nbrank.frontends.report_page.section import (
    MAX_BARS,
    Bar,
    ReportContext,
    Section,
    describe_bars,
    format_part_of_whole,
    system_bars,
)
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


_MISSING_TITLE = "What is missing, and does it matter?"


def missing_section(case: ReportContext) -> Section:
    """Say which scores are missing, and what depends on how they count."""
    missing = np.isnan(case.board.values)
    zeros = _describe_suspect_zeros(case)
    left_out = [f"{text}." for text in [case.overview.left_out()] if text]
    short = case.system_names.short.__getitem__, case.task_names.short.__getitem__
    runs = case.board.describe_missing_runs(*short)
    if not missing.any():
        answer = "No score is missing."
        if runs:
            answer = f"{runs}; every score is there, as the average of the other runs."
        return Section(_MISSING_TITLE, (answer, *left_out, *zeros))
    how_many, of_runs = _count_missing(case, missing), [f"{runs}."] * bool(runs)
    unearned = [f"{text}." for text in case.overview.unearned_firsts]
    ranks = rank_by_missing_treatment(case.board, case.rule, case.options)
    if ranks.shape[1] < 2:
        name = f"{capitalize(case.rule_title)} has only one way to treat them."
        return Section(_MISSING_TITLE, (how_many, *unearned, *of_runs, name, *left_out, *zeros))
    ways = ranks.shape[1]
    answer = (
        f"{case.winner_clause} in each of the {ways} ways to count a missing score; the scores "
        f"themselves, if they were known, might say otherwise."
    )
    if changed := _describe_other_winners(case, ranks.columns.tolist()):
        answer = (
            f"The first place by {case.rule_title} depends on how missing scores count: {changed}."
        )
    best, worst = ranks.min(axis=1), ranks.max(axis=1)
    moves = (worst - best).sort_values(ascending=False, kind="stable")
    moved = moves[moves > 0]
    moving = (
        f"{format_part_of_whole(len(moved), len(ranks), 'system') if len(moved) else 'No system'} "
        f"{agree_verb('changes', len(moved))} rank between these ways to count."
    )
    rows = (
        (system, f"rank {low} to {high}", (high - low) / len(ranks))
        for system, low, high in zip(
            moved.index, best.reindex(moved.index), worst.reindex(moved.index), strict=True
        )
    )
    note = describe_bars(len(moved), "systems whose rank changes most")
    table = ranks.reindex(case.ranking.index).rename(index=label_text, columns=MISSING_DESCRIPTIONS)
    sentences = (answer, *unearned, *of_runs, *left_out, *zeros, *note)
    return Section(
        _MISSING_TITLE, sentences, (how_many, moving), bars=system_bars(case, rows), table=table
    )


def _count_missing(case: ReportContext, missing: NDArray[np.bool_]) -> str:
    """Say how many scores are missing, and which systems and tasks lack most."""
    board, total = case.board, int(missing.sum())
    of_task = np.array([missing[:, columns].sum() for columns in board.columns_by_task()])
    holes, tasks = (
        [place for place in np.argsort(-n, kind="stable").tolist() if n[place]]
        for n in (missing.sum(axis=1), of_task)
    )
    return (
        f"{format_part_of_whole(total, missing.size, 'score')} {agree_verb('is', total)} missing "
        f"({format_percent(total / missing.size)}), of {pluralize(len(holes), 'system')} "
        f"({case.system_names.join(board.systems[holes], 4)}) and on "
        f"{pluralize(len(tasks), 'task')} ({case.task_names.join(board.tasks[tasks], 4)})."
    )


def _describe_other_winners(case: ReportContext, treatments: list[str]) -> str:
    """Say which other systems are first, and how missing scores have to count for that."""
    ways: dict[str, list[str]] = {}
    for how in treatments:
        won = case.rule.winners(case.board, **{**case.options, "missing": how})
        if set(won) != set(case.overview.winners[case.overview.rule]):
            head = case.system_names.join(won, 3) or "nobody"
            ways.setdefault(head, []).append(f"“{MISSING_DESCRIPTIONS[how]}”")
    return "; ".join(f"with {' or '.join(how)} it is {head}" for head, how in ways.items())


def _describe_suspect_zeros(case: ReportContext) -> list[str]:
    """Name scores of exactly 0 that may stand for missing ones."""
    board = case.board
    pairs = [
        f"{case.system_names.short[board.systems[i]]} on {case.task_names.short[board.tasks[j]]}"
        for i, j in find_suspect_zeros(board)
    ]
    if not pairs:
        return []
    whose, cells = "a system that is", "cell"
    if len(pairs) > 1:
        whose, cells = "systems that are", "cells"
    text = (
        f"{pluralize(len(pairs), 'score')} {agree_verb('is', len(pairs))} exactly 0, of {whose} in "
        f"the better half on most other tasks: {join_labels(pairs)}. If that stands for "
        f"“not reported”, leave the {cells} empty (NaN): a 0 counts as a result."
    )
    return [text]
