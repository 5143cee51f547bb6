"""Who wins under which rules, how do the ranks move between them, and what changed since?"""

from __future__ import annotations

from typing import cast

from nbrank.comparison.table_changes import BoardPair
from nbrank.findings.labels import agree_verb, join_labels, join_rules, rule_title
from nbrank.findings.overview import task_noun
from nbrank.findings.table_changes_text import TableChangesText
from nbrank.frontends.report_page.section import (
    MAX_CONTENDERS,
    Bar,
    ReportContext,
    Section,
    describe_bars,
    format_part_of_whole,
    system_bars,
)
from nbrank.robustness.rank_changes import RankChanges
from nbrank.rules.bound_rule import BoundRule
from nbrank.rules.registry import RULES
from nbrank.votes.formatting import Label, pluralize
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.table.data_warnings import find_mixed_scales

_WINNERS_TITLE = "Who wins, under which rules?"


def winners_section(case: ReportContext) -> Section:
    """Say who wins under which rules."""
    total = pluralize(len(case.overview.first_by_rule), "rule")
    first = set(case.overview.winners[case.overview.rule])
    groups: dict[tuple[Label, ...], list[str]] = {}
    for rule, results in case.overview.first_by_rule.items():
        groups.setdefault(results, []).append(rule)
    bars = tuple(
        Bar(
            (
                case.system_names.join(sorted(results, key=lambda won: won not in first), 3)
                or "nobody"
            )
            + " share the win" * (len(results) > 1),
            f"under {len(by)} of {total}: {join_rules(by)}",
            len(by) / len(case.overview.first_by_rule),
            "first" * (set(results) == first),
        )
        for results, by in sorted(groups.items(), key=lambda group: -len(group[1]))
    )
    more = (*_rule_questions(case), *case.describe_failed_rules())
    beside = [
        f"Several orders are best by {rule_title(rule)}, and whoever heads any of them wins."
        for rule in case.overview.non_unique_rules
    ]
    beside += [f"{text}." for text in case.overview.of_given()]
    beside += _describe_scales(case)
    beside += case.first_place_caveats
    by_rule = list(map(set, case.overview.first_by_rule.values()))
    text, who, wins = _describe_wins(case, first, by_rule)
    figure = (f"{wins} of {len(by_rule)}", f"rules {who}")
    return Section(_WINNERS_TITLE, (f"{text}.", *beside), more, bars=bars, figure=figure)


def _describe_wins(
    case: ReportContext, first: set[Label], winners_by_rule: list[set[Label]]
) -> tuple[str, str, int]:
    """Say under how many rules the first win: in a sentence, in a few words, and the number."""
    total = pluralize(len(winners_by_rule), "rule")
    if not first:
        elect = sum(map(bool, winners_by_rule))
        text = f"No system wins under {case.rule_title}; {elect} of {total} have a winner"
        return text, "that have a winner", elect
    wins, alone = sum(first <= others for others in winners_by_rule), winners_by_rule.count(first)
    parts = sum(bool(first & others) for others in winners_by_rule) - wins
    others = len(winners_by_rule) - wins - parts
    win = "wins alone" if len(first) == 1 else "share the win"
    text = f"{case.winner_text} {win} under {alone} of {total}"
    text += f", and with others under {wins - alone}" * (wins > alone)
    text += f"; some of them win under {parts}" * bool(parts)
    if others:
        nobody = sum(not other for other in winners_by_rule)
        who = "no system" if nobody == others else "another" + " or no system" * bool(nobody)
        text += f"; {who} wins under {'the other ' * (others > 1)}{others}"
    return text, f"under which {case.winner_text} {agree_verb('wins', len(first))}", wins


def _describe_scales(case: ReportContext) -> list[str]:
    """Say which tasks decide the mean, because their scores are much larger."""
    if "mean" not in case.overview.first_by_rule or not isinstance(case.votes, Leaderboard):
        return []
    if (found := find_mixed_scales(case.board)) is None:
        return []
    limit, below, above = found
    large, small = case.task_names.join(above, 4), case.task_names.join(below, 4)
    who = f"{large} {agree_verb('decides', len(above))} the mean"
    return [f"{who}: all scores there are above {limit}, and at most {limit} on {small}."]


def _rule_questions(case: ReportContext) -> list[str]:
    """Write the question that each rule answers, for readers to whom it is new."""
    if not case.votes.has_scores:
        return []
    known = [rule for rule in case.overview.first_by_rule if rule in RULES]
    asked = {rule_title(rule): RULES[rule].answers for rule in known}
    unit = task_noun(case.board)
    return [f"{rule}: {answers.replace('task', unit)}" for rule, answers in asked.items()]


_MOVES_TITLE = "How do the ranks move from rule to rule?"


def rank_changes_section(case: ReportContext) -> Section:
    """Say how the ranks move from rule to rule."""
    ranks = case.overview.ranks.dropna(axis=1, how="all")
    if ranks.shape[1] < 2 or len(ranks) < 2:
        only = "There is nothing to set side by side: fewer than two rules, or than two systems."
        return Section(_MOVES_TITLE, (only,))
    # A move in one of several equally good orders may be arbitrary.
    compared = ranks.drop(columns=case.overview.non_unique_rules)
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
    shown = (compared if compared.shape[1] > 1 else ranks).reindex(case.ranking.index)
    shown = shown.rename(index=case.system_names.short, columns=lambda rule: rule_title(str(rule)))
    return Section(_MOVES_TITLE, sentences, more, ranks=shown)


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
        whom = f" of the first {len(top)} by {case.rule_title}" * (len(top) < n)
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
    own = moves.ranks.iloc[moves.ranks.index.get_loc(case.winners[0])]
    has = f"is between rank {own.min()} and rank {own.max()}"
    if own.min() == own.max():
        has = f"has rank {own.min()}"
    where = under if own.notna().all() else f"under the {own.count()} rules that rank it"
    return (*sentences, f"{name[case.winners[0]]} {has} {where}.")


_CHANGES_TITLE = "What changed since?"


def changes_section(case: ReportContext, before: Leaderboard) -> Section:
    """Say what changed since the older table, and why."""
    bound_rule = BoundRule.from_options("report", case.rule.function, case.options)
    try:
        old = cast("Leaderboard", before.drop_unscored())
        changes_text = TableChangesText(
            BoardPair.from_boards("report", old, case.board, bound_rule)
        )
        return _render_changes(case, changes_text)
    except ValueError as error:
        return Section(_CHANGES_TITLE, (f"{case.display_message(str(error))}.",))


def _render_changes(case: ReportContext, changes_text: TableChangesText) -> Section:
    moved = changes_text.moves[changes_text.moves != 0]
    moved = moved.sort_values(key=abs, ascending=False, kind="stable")
    ends = changes_text.table[["before", "after"]].reindex(moved.index).to_numpy().tolist()
    most = moved.abs().max()
    rows = (
        (system, f"{'▼' if by > 0 else '▲'} {abs(by)}: rank {before} to {after}", abs(by) / most)
        for system, by, (before, after) in zip(moved.index, moved.tolist(), ends, strict=True)
    )
    note = describe_bars(len(moved), "systems whose rank changed most")
    table = changes_text.table.rename(index=changes_text.names.short)
    table["passed_by"] = [changes_text.names.join(passed) for passed in table["passed_by"]]
    table.columns = table.columns.str.replace("_", " ")
    meaning = (
        "Each part is the change of rank at one step, in this order: new scores of the systems and "
        "tasks of both tables, other tasks, systems that left, systems that came in. Another order "
        "gives other parts."
    )
    figure = (
        f"{len(moved)} of {len(changes_text.moves)}",
        "systems of both tables that have another rank than before",
    )
    sentences = (*changes_text.describe(), *note)
    return Section(
        _CHANGES_TITLE,
        sentences,
        (meaning,),
        bars=system_bars(case, rows),
        table=table,
        figure=figure,
    )
