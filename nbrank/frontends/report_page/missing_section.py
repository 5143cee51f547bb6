"""What is missing, and does it matter?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nbrank.comparison.rules_side_by_side import rank_by_missing_treatment
from nbrank.findings.context import ReportContext, describe_bars, format_part_of_whole
from nbrank.findings.labels import (
    MISSING_DESCRIPTIONS,
    agree_verb,
    capitalize,
    format_percent,
    join_labels,
    label_text,
)
from nbrank.findings.missing_text import find_suspect_zeros
from nbrank.frontends.report_page.section import Section, system_bars
from nbrank.votes.formatting import pluralize

_TITLE = "What is missing, and does it matter?"


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
        return Section(_TITLE, (answer, *left_out, *zeros))
    how_many, of_runs = _count_missing(case, missing), [f"{runs}."] * bool(runs)
    unearned = [f"{text}." for text in case.overview.unearned_firsts]
    ranks = rank_by_missing_treatment(case.board, case.rule, case.options)
    if ranks.shape[1] < 2:
        name = f"{capitalize(case.rule_title)} has only one way to treat them."
        return Section(_TITLE, (how_many, *unearned, *of_runs, name, *left_out, *zeros))
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
            moved.index, best[moved.index], worst[moved.index], strict=True
        )
    )
    note = describe_bars(len(moved), "systems whose rank changes most")
    table = ranks.loc[case.ranking.index].rename(index=label_text, columns=MISSING_DESCRIPTIONS)
    sentences = (answer, *unearned, *of_runs, *left_out, *zeros, *note)
    return Section(_TITLE, sentences, (how_many, moving), bars=system_bars(case, rows), table=table)


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
