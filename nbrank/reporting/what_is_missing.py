"""What is missing, and does it matter?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nbrank.charts.doubtful_zeros import doubtful_zeros
from nbrank.findings.names import MISSING_IN_WORDS, in_percent, listed, name_of, verb
from nbrank.findings.verdict import in_letters
from nbrank.questions.compare import missing_treatments
from nbrank.reporting.case import MOST_BARS, Case, bars_of, some_of
from nbrank.reporting.page import Bar, Section
from nbrank.votes.missing_runs import missing_runs
from nbrank.votes.naming import counted

_TITLE = "What is missing, and does it matter?"


def what_is_missing(case: Case) -> Section:
    """Say which scores are missing, and what depends on how they count."""
    missing = np.isnan(case.board.values)
    zeros = _doubtful_zeros(case)
    left_out = [f"{said}." for said in [case.seen.left_out()] if said]
    runs = missing_runs(case.board, case.system.brief.__getitem__, case.task.brief.__getitem__)
    if not missing.any():
        answer = "No score is missing."
        if runs:
            answer = f"{runs}; every score is there, as the average of the other runs."
        return Section(_TITLE, (answer, *left_out, *zeros))
    how_many, of_runs = _how_many(case, missing), [f"{runs}."] * bool(runs)
    ranks = missing_treatments(case.board, case.rule, case.options)
    if ranks.shape[1] < 2:
        one = f"{case.by[:1].upper()}{case.by[1:]} has only one way to treat them."
        return Section(_TITLE, (how_many, *of_runs, one, *left_out, *zeros))
    ways = in_letters(ranks.shape[1])
    answer = (
        f"{case.is_first} in each of the {ways} ways to count a missing score; the scores "
        f"themselves, if they were known, might say otherwise."
    )
    if changed := _other_heads(case, ranks.columns.tolist()):
        answer = f"Who is first by {case.by} depends on how missing scores count: {changed}."
    best, worst = ranks.min(axis=1), ranks.max(axis=1)
    moves = (worst - best).sort_values(ascending=False, kind="stable")
    moved = moves[moves > 0]
    moving = (
        f"{some_of(len(moved), len(ranks), 'system') if len(moved) else 'No system'} "
        f"{verb('changes', len(moved))} rank between these ways to count."
    )
    bars = tuple(
        Bar(
            case.system.brief[system],
            f"rank {best[system]} to {worst[system]}",
            moved[system] / len(ranks),
            system in case.first,
        )
        for system in moved.index[:MOST_BARS]
    )
    note = bars_of(len(moved), "systems whose rank changes most")
    table = ranks.loc[case.ranked.index].rename(index=name_of, columns=MISSING_IN_WORDS)
    said = (answer, *of_runs, *left_out, *zeros, *note)
    return Section(_TITLE, said, (how_many, moving), bars=bars, table=table)


def _how_many(case: Case, missing: NDArray[np.bool_]) -> str:
    """Say how many scores are missing, and of which systems on which tasks most of them."""
    board, total = case.board, int(missing.sum())
    of_task = np.array([missing[:, columns].sum() for columns in board.columns_by_task()])
    holes, tasks = (
        [place for place in np.argsort(-n, kind="stable").tolist() if n[place]]
        for n in (missing.sum(axis=1), of_task)
    )
    return (
        f"{some_of(total, missing.size, 'score')} {verb('is', total)} missing "
        f"({in_percent(total / missing.size)}), of {counted(len(holes), 'system')} "
        f"({case.system.listed(board.systems[holes], 4)}) and on {counted(len(tasks), 'task')} "
        f"({case.task.listed(board.tasks[tasks], 4)})."
    )


def _other_heads(case: Case, treatments: list[str]) -> str:
    """Who else is first, and how missing scores have to count for that."""
    ways: dict[str, list[str]] = {}
    for how in treatments:
        won = case.rule.winners(case.board, **{**case.options, "missing": how})
        if set(won) != set(case.seen.first[case.seen.rule]):
            head = case.system.listed(won, 3) or "nobody"
            ways.setdefault(head, []).append(f"“{MISSING_IN_WORDS[how]}”")
    return "; ".join(f"with {' or '.join(how)} it is {head}" for head, how in ways.items())


def _doubtful_zeros(case: Case) -> list[str]:
    """Name scores of exactly 0 that may stand for what was not reported."""
    board = case.board
    pairs = [
        f"{case.system.brief[board.systems[i]]} on {case.task.brief[board.tasks[j]]}"
        for i, j in doubtful_zeros(board)
    ]
    if not pairs:
        return []
    whose, cells = "a system that is", "cell"
    if len(pairs) > 1:
        whose, cells = "systems that are", "cells"
    said = (
        f"{counted(len(pairs), 'score')} {verb('is', len(pairs))} exactly 0, of {whose} in the "
        f"better half on most other tasks: {listed(pairs)}. If that stands for “not reported”, "
        f"leave the {cells} empty (NaN): a 0 counts as a result."
    )
    return [said]
