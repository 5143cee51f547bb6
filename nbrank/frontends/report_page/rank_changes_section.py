"""How do the ranks move from rule to rule?"""

from __future__ import annotations

from nbrank.findings.context import MAX_CONTENDERS, ReportContext, format_part_of_whole
from nbrank.findings.labels import join_labels, rule_title
from nbrank.findings.overview import non_unique_rules
from nbrank.frontends.report_page.section import Section
from nbrank.robustness.rank_changes import RankChanges

_TITLE = "How do the ranks move from rule to rule?"


def rank_changes_section(case: ReportContext) -> Section:
    """Say how the ranks move from rule to rule."""
    ranks = case.overview.ranks.dropna(axis=1, how="all")
    if ranks.shape[1] < 2 or len(ranks) < 2:
        only = "There is nothing to set side by side: fewer than two rules, or than two systems."
        return Section(_TITLE, (only,))
    # A move in one of several equally good orders may be arbitrary.
    compared = ranks.drop(columns=non_unique_rules(case.overview))
    given = [label for label in compared if label in case.overview.published]
    by_rule = compared.drop(columns=given)
    n_rules = len(case.overview.first_by_rule)
    if by_rule.shape[1] > 1 and (by_rule.nunique(axis=1, dropna=False) == 1).all():
        where = f"the {by_rule.shape[1]}" if by_rule.shape[1] < n_rules else "all"
        everyone = f"{format_part_of_whole(len(ranks), len(ranks), 'system')} keep their rank"
        sentences: tuple[str, ...] = (
            f"{everyone} under {where} rules{' shown here' * (where != 'all')}.",
        )
    else:
        sentences = _describe_changes(case, RankChanges.from_ranks(by_rule))
    more = tuple(f"{text}." for text in case.overview.of_given())
    shown = (compared if compared.shape[1] > 1 else ranks).loc[case.ranking.index]
    shown = shown.rename(index=case.system_names.short, columns=lambda rule: rule_title(str(rule)))
    return Section(_TITLE, sentences, more, ranks=shown)


def _describe_changes(case: ReportContext, moves: RankChanges) -> tuple[str, ...]:
    """Say who moves furthest, and how the first moves; if rules tell enough apart."""
    n, counted = moves.ranks.shape
    if counted < 2:
        return ("Fewer than two rules rank these systems finely enough to speak of moves.",)
    under, n_rules = "under all rules", len(case.overview.first_by_rule)
    if counted < n_rules:
        under = (
            f"under the {counted} of {n_rules} rules that tell enough systems apart in one order"
        )
    sentences = []
    top, name = case.ranking.index[:MAX_CONTENDERS], case.system_names.short
    if furthest := moves.largest_changes(top):
        whom = case.qualify_systems(top)
        by_rank = moves.rules_by_rank(list(moves.ranks.index).index(furthest[0]))
        ends = [
            f"rank {rank} under "
            + join_labels((rule_title(str(rule)) + f" (shared by {by})" * (by > 1)
                           for rule, by in by_rank[rank].items()), 3)
            for rank in (min(by_rank), max(by_rank))
        ]  # fmt: skip
        sentences.append(
            f"{f'None{whom}' if whom else 'No system'} moves further than {name[furthest[0]]}: "
            f"from {' to '.join(ends)}{f', among all {n}' * (n > len(top))}."
        )
    own = moves.ranks.loc[[case.winners[0]]].iloc[0]
    has = f"is between rank {own.min()} and rank {own.max()}"
    if own.min() == own.max():
        has = f"has rank {own.min()}"
    where = under if own.notna().all() else f"under the {own.count()} rules that rank it"
    return (*sentences, f"{name[case.winners[0]]} {has} {where}.")
