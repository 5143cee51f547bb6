"""How do the ranks move from rule to rule?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.findings.context import (
    MAX_CONTENDERS,
    ReportContext,
    format_part_of_whole,
)
from nbrank.findings.labels import join_labels, join_rules, rule_title
from nbrank.findings.overview import non_unique_rules
from nbrank.frontends.report_page.section import Section
from nbrank.robustness.rank_changes import RankChanges
from nbrank.votes.formatting import Label

_TITLE = "How do the ranks move from rule to rule?"


def rank_changes_section(case: ReportContext) -> Section:
    """Say how the ranks move from rule to rule."""
    ranks = case.overview.ranks.dropna(axis=1, how="all")
    values = [label for label in ranks if label in case.overview.published]
    if ranks.shape[1] < 2 or len(ranks) < 2:
        only = "There is nothing to set side by side: fewer than two rules, or than two systems."
        return Section(_TITLE, (only,))
    # A move in one of several equally good orders may be arbitrary.
    compared = ranks.drop(columns=non_unique_rules(case.overview))
    by_rule = compared.drop(columns=values)
    moves = RankChanges.from_ranks(by_rule)
    not_counted = [rule for rule in ranks if rule not in moves.ranks and rule not in values]
    sentences = list(_describe_changes(case, moves, by_rule))
    more = sentences[2:]
    if by_rule.shape[1] > 1 and _same_everywhere(by_rule).all():
        every = format_part_of_whole(len(ranks), len(ranks), "system")
        where = _describe_compared_rules(case, by_rule, by_rule)
        sentences = [f"{every} {_keep_phrase(len(ranks))} rank {where}."]
    elif not_counted:
        left_out = join_rules(not_counted)
        more.append(
            f"These sentences leave out {left_out}: moves mean nothing under a rule that tells "
            f"few systems apart, or has several best orders."
        )
    more += [f"{text}." for text in case.overview.of_given()]
    shown = (compared if compared.shape[1] > 1 else ranks).loc[case.ranking.index]
    shown = shown.rename(index=case.system_names.short, columns=lambda rule: rule_title(str(rule)))
    return Section(_TITLE, tuple(sentences[:2]), tuple(more), ranks=shown)


def _describe_compared_rules(case: ReportContext, kept: pd.DataFrame, drawn: pd.DataFrame) -> str:
    """Name the compared rules, if some rank no system or would show no true moves."""
    if kept.shape[1] == case.overview.ranks.shape[1] - len(case.overview.published):
        return "under all rules"
    if kept.shape[1] == drawn.shape[1]:
        return f"under the {kept.shape[1]} rules shown here"
    among = f"these {drawn.shape[1]} rules that tell enough systems apart"
    return f"under the {kept.shape[1]} of {among}"


def _same_everywhere(ranks: pd.DataFrame) -> NDArray[np.bool_]:
    """Return which systems have the same rank under all rules, or none under any."""
    values = ranks.to_numpy(dtype=float, na_value=0.0)
    return np.asarray((values == values[:, :1]).all(axis=1))


def _keep_phrase(systems: int) -> str:
    return "keep their" if systems > 1 else "keeps its"


def _describe_changes(
    case: ReportContext, moves: RankChanges, drawn: pd.DataFrame
) -> Iterator[str]:
    """Say who moves furthest, how the first moves, and who keeps the same rank."""
    n = len(moves.ranks)
    if moves.ranks.shape[1] < 2:
        yield "Fewer than two rules rank these systems finely enough to speak of moves."
        return
    top = case.ranking.index[:MAX_CONTENDERS]
    if furthest := moves.largest_changes(top):
        whom = case.qualify_systems(top)
        among = f", among all {n}" * (n > len(top))
        by_rank = moves.rules_by_rank(list(moves.ranks.index).index(furthest[0]))
        ends = []
        for rank in (min(by_rank), max(by_rank)):
            rules = [_shared_rank_phrase(*rule) for rule in by_rank[rank].items()]
            ends.append(f"rank {rank} under {join_labels(rules, 3)}")
        yield (
            f"{f'None{whom}' if whom else 'No system'} moves further than "
            f"{case.system_names.short[furthest[0]]}: from {' to '.join(ends)}{among}."
        )
    fixed = moves.ranks.index[_same_everywhere(moves.ranks)]
    under = _describe_compared_rules(case, moves.ranks, drawn)
    if len(fixed) < n:
        own = moves.ranks.loc[[case.winners[0]]].iloc[0]
        between = f"is between rank {own.min()} and rank {own.max()}"
        has = between if own.min() != own.max() else f"has rank {own.min()}"
        where = under if own.notna().all() else f"under the {own.count()} rules that rank it"
        yield f"{case.system_names.short[case.winners[0]]} {has} {where}."
    same = f"{format_part_of_whole(len(fixed), n, 'system')} {_keep_phrase(len(fixed))}"
    yield f"{same if len(fixed) else 'No system keeps its'} rank {under}."


def _shared_rank_phrase(rule: Label, by: int) -> str:
    return rule_title(str(rule)) + f" (shared by {by})" * (by > 1)
