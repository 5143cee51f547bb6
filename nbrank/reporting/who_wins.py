"""Who wins, under which rules?"""

from __future__ import annotations

from nbrank.findings.names import in_words, rules_listed, verb
from nbrank.findings.overview import one_of_several_orders, task_of
from nbrank.reporting.case import Case
from nbrank.reporting.page import Bar, Section
from nbrank.rules.rule import RULES
from nbrank.votes.naming import Label, counted

_TITLE = "Who wins, under which rules?"


def who_wins(case: Case) -> Section:
    """Say who wins under which rules."""
    total = counted(len(case.seen.first_by_rule), "rule")
    first = set(case.seen.first[case.seen.rule])
    groups: dict[tuple[Label, ...], list[str]] = {}
    for rule, found in case.seen.first_by_rule.items():
        groups.setdefault(found, []).append(rule)
    bars = tuple(
        Bar(
            (case.system.listed(found, 3) or "nobody") + " share the win" * (len(found) > 1),
            f"under {len(by)} of {total}: {rules_listed(by)}",
            len(by) / len(case.seen.first_by_rule),
            set(found) == first,
        )
        for found, by in sorted(groups.items(), key=lambda group: -len(group[1]))
    )
    more = (*_what_they_ask(case), *case.left_out())
    beside = [
        f"Several orders are best by {in_words(rule)}, and whoever heads any of them wins."
        for rule in one_of_several_orders(case.seen)
    ]
    beside += [f"{said}." for said in case.seen.of_given()]
    by_rule = list(map(set, case.seen.first_by_rule.values()))
    if not first:
        elect = sum(map(bool, by_rule))
        said = f"Nobody wins under {case.by}; somebody does under {elect} of {total}"
        figure = (f"{elect} of {len(by_rule)}", "rules under which somebody wins")
        return Section(_TITLE, (f"{said}.", *beside), more, bars=bars, figure=figure)
    wins, alone = sum(first <= others for others in by_rule), by_rule.count(first)
    parts = sum(bool(first & others) for others in by_rule) - wins
    others = len(by_rule) - wins - parts
    win = "wins alone" if len(first) == 1 else "share the win"
    said = f"{case.who} {win} under {alone} of {total}"
    said += f", and with others under {wins - alone}" * (wins > alone)
    said += f"; some of them win under {parts}" * bool(parts)
    if others:
        nobody = sum(not other for other in by_rule)
        who = "nobody" if nobody == others else "somebody else" + " or nobody" * bool(nobody)
        said += f"; {who} wins under {'the other ' * (others > 1)}{others}"
    return Section(
        _TITLE,
        (f"{said}.", *beside),
        more,
        bars=bars,
        figure=(
            f"{wins} of {len(by_rule)}",
            f"rules under which {case.who} {verb('wins', len(first))}",
        ),
    )


def _what_they_ask(case: Case) -> list[str]:
    """What each rule asks of the tasks, for who has never heard of it."""
    if "ballots" not in case.votes.offers:
        return []
    known = [rule for rule in case.seen.first_by_rule if rule in RULES]
    asked = {in_words(rule): RULES[rule].answers for rule in known}
    unit = task_of(case.board)
    return [f"{rule}: {answers.replace('task', unit)}" for rule, answers in asked.items()]
