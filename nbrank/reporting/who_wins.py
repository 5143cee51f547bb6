"""Who wins, under which rules, and which rules give no ranking?"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

import pandas as pd

from nbrank.charts.names import in_words, listed, verb
from nbrank.questions.compare import (
    RuleList,
    RuleRefusedWarning,
    compare,
    labelled_rules,
    winners,
)
from nbrank.reporting.case import Case, Found
from nbrank.reporting.page import Section
from nbrank.rules.rule import RuleLike, rule_of
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.naming import Label, counted


def side_by_side(case: Case, rules: RuleList) -> tuple[pd.DataFrame, pd.Series, list[str]]:
    """The ranks by each rule, its winners, and in words which rules rank nobody, and why."""
    labelled = labelled_rules(rules)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ranks = compare(case.board, labelled)
        by_rule = _winners(case.board, labelled, _without(ranks, _refused(caught)))
        # A search for the winners may take longer than the one for the ranks, and give up.
        refused = _refused(caught)
    ranks = _without(ranks, refused)
    said = [
        f"Left out {verb('is', len(those))} {listed(map(in_words, those), 30)}, which "
        f"{verb('gives', len(those))} no ranking here: {case.reads(reason)}."
        for reason, those in refused.items()
    ]
    return ranks.dropna(axis=1, how="all"), by_rule.reindex(ranks.columns), said


def _refused(caught: Sequence[warnings.WarningMessage]) -> dict[str, list[str]]:
    """Reason -> the labels of the rules that give no ranking, each once, by its first reason."""
    found: dict[str, list[str]] = {}
    seen: set[str] = set()
    for warned in caught:
        if isinstance(warned.message, RuleRefusedWarning):
            new = [label for label in warned.message.rules if label not in seen]
            seen |= set(new)
            if new:
                found.setdefault(warned.message.reason, []).extend(new)
    return found


def _without(ranks: pd.DataFrame, refused: Mapping[str, list[str]]) -> pd.DataFrame:
    return ranks.drop(columns=[label for labels in refused.values() for label in labels])


def _winners(
    board: Leaderboard, labelled: Mapping[str, RuleLike], ranks: pd.DataFrame
) -> pd.Series:
    """Rule -> its winners, of the rules that rank; asked for only where ranks don't tell them."""
    asked = {
        label: rule
        for label, rule in labelled.items()
        if label in ranks and (known := rule_of(rule)) is not None and known.elect is not None
    }
    first = ranks.eq(1).fillna(False).astype(bool)
    found = {label: list(ranks.index[first[label]]) for label in labelled if label in ranks}
    elected = winners(board, asked)
    found |= {label: elected[label] for label in asked}
    return pd.Series(found, index=list(found), dtype=object)


def who_wins(case: Case, by_rule: pd.Series, refusals: list[str]) -> Found:
    """Say who wins under which rules."""
    groups: dict[tuple[Label, ...], list[Label]] = {}
    for rule, found in by_rule.items():
        groups.setdefault(tuple(found), []).append(rule)
    ordered = sorted(groups.items(), key=lambda item: -len(item[1]))
    total = len(by_rule)
    sentences = []
    for found, elected_by in ordered:
        names = listed(map(in_words, map(str, elected_by)), 30)
        of = f"{len(elected_by)} of {counted(total, 'rule')}: {names}."
        whom = case.system.listed(found)
        wins = f"{whom or 'Nobody'} wins{' alone' * len(found)}"
        sentences.append(f"{f'{whom} share the win' if len(found) > 1 else wins} under {of}")
    if len(ordered) == 1:
        elected = ordered[0][0]
        wins = "share the win" if len(elected) > 1 else "wins"
        under = "the only rule" if total == 1 else f"every one of {total} rules"
        summary = f"{case.system.listed(elected) or 'Nobody'} {wins} under {under}."
    else:
        summary = _in_short(
            case, {found[0]: len(by) for found, by in ordered if len(found) == 1}, total
        )
    return summary, Section("Who wins, under which rules?", (*sentences, *refusals))


def _in_short(case: Case, alone: Mapping[Label, int], total: int) -> str:
    """Say how many rules agree with the one looked at closely, and whom others put first."""
    others = listed(
        [f"{case.system.brief[s]} (under {n})" for s, n in alone.items() if s not in case.first], 4
    )
    if len(case.first) > 1:
        summary = f"{case.who} share the first place by {case.by}"
        return summary + (f"; other rules put {others} alone there." if others else ".")
    agreed = sum(alone.get(system, 0) for system in case.first)
    summary = f"{case.who} wins alone under {agreed} of {counted(total, 'rule')}"
    return summary + (f"; other rules put {others} first." if others else ".")
