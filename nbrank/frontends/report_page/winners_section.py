"""Who wins, under which rules?"""

from __future__ import annotations

from nbrank.findings.context import ReportContext
from nbrank.findings.labels import agree_verb, join_rules, rule_title
from nbrank.findings.overview import non_unique_rules, task_noun
from nbrank.frontends.report_page.section import Bar, Section
from nbrank.rules.registry import RULES
from nbrank.votes.formatting import Label, pluralize
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.table.data_warnings import find_mixed_scales

_TITLE = "Who wins, under which rules?"


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
        for rule in non_unique_rules(case.overview)
    ]
    beside += [f"{text}." for text in case.overview.of_given()]
    beside += _describe_scales(case)
    beside += case.first_place_caveats
    by_rule = list(map(set, case.overview.first_by_rule.values()))
    text, who, wins = _describe_wins(case, first, by_rule)
    figure = (f"{wins} of {len(by_rule)}", f"rules {who}")
    return Section(_TITLE, (f"{text}.", *beside), more, bars=bars, figure=figure)


def _describe_wins(
    case: ReportContext, first: set[Label], by_rule: list[set[Label]]
) -> tuple[str, str, int]:
    """Say under how many rules the first win: in a sentence, in a few words, and the number."""
    total = pluralize(len(by_rule), "rule")
    if not first:
        elect = sum(map(bool, by_rule))
        text = f"No system wins under {case.rule_title}; {elect} of {total} have a winner"
        return text, "that have a winner", elect
    wins, alone = sum(first <= others for others in by_rule), by_rule.count(first)
    parts = sum(bool(first & others) for others in by_rule) - wins
    others = len(by_rule) - wins - parts
    win = "wins alone" if len(first) == 1 else "share the win"
    text = f"{case.winner_text} {win} under {alone} of {total}"
    text += f", and with others under {wins - alone}" * (wins > alone)
    text += f"; some of them win under {parts}" * bool(parts)
    if others:
        nobody = sum(not other for other in by_rule)
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
