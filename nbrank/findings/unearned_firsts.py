"""Systems that are first because they were not scored: never met, or only where they are strong."""

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd

from nbrank.comparison.pairwise_wins import compared
from nbrank.findings.labels import DisplayNames, agree_verb, join_labels, rule_title
from nbrank.rules.bound_rule import top_ranked
from nbrank.rules.registry import RULES
from nbrank.votes.formatting import Label
from nbrank.votes.leaderboard import Leaderboard

#: Rules by which a missing score is a part of a first place.
_FIRST_PLACE_RULES = ("plurality", "instant_runoff")


def describe_unearned_firsts(
    board: Leaderboard, places: pd.DataFrame, first_by_rule: Mapping[str, Iterable[Label]]
) -> list[str]:
    """Say which systems are first only since scores are missing, and under which rules."""
    gaps = set(board.systems[places.isna().any(axis=1)])
    firsts = {rule: gaps & set(won) for rule, won in first_by_rule.items()}
    if not any(firsts.values()):
        return []
    return [*filter(None, [_describe_unmet(board, firsts), _describe_skippers(board, firsts)])]


def describe_sparse_firsts(
    board: Leaderboard, places: pd.DataFrame, first_by_rule: Mapping[str, Iterable[Label]]
) -> list[str]:
    """Say which systems are first under some rules with at most half of the scores."""
    known = places.notna().sum(axis=1).to_numpy()
    won, n_tasks = set[Label]().union(*first_by_rule.values()), places.shape[1]
    scores = {
        system: number
        for system, number in zip(board.systems, known.tolist(), strict=True)
        if system in won and 2 * number <= n_tasks
    }
    if not scores:
        return []
    names = DisplayNames.from_labels(board.systems)
    who = [f"{names.short[system]} on {number}" for system, number in scores.items()]
    return [f"Some first places rest on few of the {n_tasks} tasks: {join_labels(who, 4)}"]


def _describe_unmet(board: Leaderboard, firsts: dict[str, set[Label]]) -> str:
    """Say that nobody beats a system that shares no task with another."""
    met = compared(board).to_numpy(dtype=float, copy=True)
    np.fill_diagonal(met, 0.0)
    alone = board.systems[met.max(axis=1) <= 0]
    rules = [rule for rule, won in firsts.items() if won & set(alone)]
    if not rules:
        return ""
    who = [system for system in alone if any(system in firsts[rule] for rule in rules)]
    were, they, them = ("were", "they are", "them") if len(who) > 1 else ("was", "it is", "it")
    return (
        f"{_join(board, who)} {were} never compared with another system: {they} first under "
        f"{join_labels(map(rule_title, rules), 8)} since no system beats {them}"
    )


def _describe_skippers(board: Leaderboard, firsts: dict[str, set[Label]]) -> str:
    """Say that a rule counts a missing score as a part of a first place, if that decides."""
    unearned: dict[str, set[Label]] = {}
    for name in _FIRST_PLACE_RULES:
        if firsts.get(name) and name in RULES:
            rule = RULES[name].function
            first, otherwise = (
                set(top_ranked(rule(board, missing=way))) for way in ("compatible", "ignore")
            )
            unearned[name] = (firsts[name] & first) - otherwise
    rules = [name for name, systems in unearned.items() if systems]
    who = [system for system in board.systems if any(system in unearned[name] for name in rules)]
    if not who:
        return ""
    return (
        f"{_join(board, who)} {agree_verb('is', len(who))} first under "
        f"{join_labels(map(rule_title, rules), 8)} by tasks without a score, since each counts "
        "as a part of a first place; with missing='ignore' it does not"
    )


def _join(board: Leaderboard, systems: list[Label]) -> str:
    return DisplayNames.from_labels(board.systems).join(systems, 4)
