"""The verdict on a leaderboard in one sentence, which is true of every leaderboard."""

from collections.abc import Mapping, Sequence
from itertools import chain

from nbrank.findings.best_set_text import best_clause
from nbrank.findings.labels import DisplayNames, capitalize, join_labels, rule_title
from nbrank.findings.overview import Overview
from nbrank.votes.formatting import Label
from nbrank.votes.leaderboard import Leaderboard

#: Headings that are longer are shortened.
_LONG_HEADING = 140


def verdict(overview: Overview) -> str:
    """Say which system is first, under how many of the rules, and which may be best."""
    return verdict_and_heading(overview)[0]


def verdict_and_heading(seen: Overview) -> tuple[str, str]:
    """Write the verdict, and the heading of a page: a long one is without the best systems' names.

    A best set that is doubted is named in the heading, too.
    """
    systems = list(seen.votes.systems)
    names = DisplayNames.from_labels(systems)
    if len(systems) == 1:
        alone = f"{names.short[systems[0]]} is the only system"
        alone += " with a score" * bool(seen.unscored)
        return alone, alone
    text = _add_condition(_winner_clause(seen, names), seen)
    if seen.best is None:
        return text, text
    heads = {*chain.from_iterable(seen.winners.values())}
    whole = f"{text}; {best_clause(seen.best, seen.votes, names, heads)}"
    if len(whole) <= _LONG_HEADING or "skewed" in seen.best.attrs:
        return whole, whole
    return whole, text + _brief_best_clause(seen, len(systems))


def verdicts_by_length(seen: Overview) -> list[str]:
    """Return the verdict in three lengths, the whole one first."""
    whole, names = verdict(seen), DisplayNames.from_labels(seen.votes.systems)
    if len(names.short) == 1:
        return [whole]
    brief = _wins_phrase(seen.winners[seen.rule], names)
    if len(seen.winners[seen.rule]) in (0, len(names.short)):
        brief = capitalize(brief)
    rule = f" by {rule_title(seen.rule)}" if seen.winners[seen.rule] else ""
    end = _brief_best_clause(seen, len(names.short))
    clauses = [_winner_clause(seen, names), f"{brief}{rule}", brief]
    return [whole, *(f"{_add_condition(clause, seen)}{end}" for clause in clauses)]


def _add_condition(clause: str, seen: Overview) -> str:
    """Say before a clause which directions must be right for the first system to be first."""
    tasks = seen.decisive_guesses
    if not tasks:
        return clause
    if len(seen.winners[seen.rule]) in (0, len(seen.votes.systems)):  # Both systems tie
        clause = f"{clause[:1].lower()}{clause[1:]}"
    is_about_all = isinstance(seen.votes, Leaderboard) and len(tasks) == len(seen.votes.tasks)
    where = "" if is_about_all else f" on {join_labels(tasks, 3)}"
    return f"If higher is better{where}, {clause}"


def _brief_best_clause(seen: Overview, number: int) -> str:
    """Say how many systems may be best, without the sample; empty if that is unknown."""
    if seen.best is None or "note" in seen.best.attrs:
        return ""
    best = int(seen.best["best"].sum())
    if best in (1, number):
        return "; no other may be best" if best == 1 else f"; any of the {number} may be best"
    return f"; the best is one of {best}"


def _winner_clause(seen: Overview, names: DisplayNames) -> str:
    """Say who is first by the sorting rule and by the others, without published rankings."""
    by_rule = seen.first_by_rule if seen.published else seen.winners
    if seen.rule in by_rule:
        return _under_rules(seen, seen.rule, by_rule, names)
    heads = seen.winners[seen.rule]
    win = _wins_phrase(heads, names) if heads else "No system is first"
    value = f"{win} in “{rule_title(seen.rule)}”, a ranking that is given"
    rules = [_under_rules(seen, next(iter(by_rule)), by_rule, names)] if by_rule else []
    return "; ".join([value, *rules])


def _under_rules(
    seen: Overview,
    first_rule: str,
    winners_by_rule: Mapping[str, tuple[Label, ...]],
    names: DisplayNames,
) -> str:
    leaders, every = winners_by_rule[first_rule], len(winners_by_rule)
    # Maps other sets of first systems to the rules that rank them first.
    others: dict[frozenset[Label], list[str]] = {}
    for rule, results in winners_by_rule.items():
        if set(results) != set(leaders):
            others.setdefault(frozenset(results), []).append(rule)
    agree = every - sum(map(len, others.values()))
    text = _wins_phrase(leaders, names)
    if len(leaders) in (0, len(names.short)):
        text = capitalize(text)
    shared = {result: rules for result, rules in others.items() if result > set(leaders)}
    if len(leaders) == 1 < every and (shared == others or (shared and len(others) > 1)):
        # The leader is first under all these rules, alone or tied with others.
        apart = {result: rules for result, rules in others.items() if result not in shared}
        level = _shared_phrase(leaders[0], shared, names)
        if not apart:
            return f"{text} under {_all_rules_phrase(every, seen)}{level}"
        first = f"{every - sum(map(len, apart.values()))} of {every} rules"
        rest = _other_rules_clause(apart, names, every, alone=True)[1:]
        return f"{text} under {first}{level};{rest}"
    if agree == 1:
        text += f" under {rule_title(first_rule)}"
    elif not others:
        text += f" under {_all_rules_phrase(every, seen)}"
    else:
        text += f" under {agree} of {every} rules"
    return text + _other_rules_clause(others, names, every, alone=len(leaders) == 1)


def _all_rules_phrase(number: int, seen: Overview) -> str:
    every = "both rules" if number == 2 else f"all {number} rules"
    n_rules = sum(label not in seen.published for label in seen.ranks)
    return every if number == n_rules else f"{every} that can rank this table"


def _wins_phrase(first: Sequence[Label], names: DisplayNames) -> str:
    """Say which systems are first, as the beginning of a sentence."""
    if not first:
        return "no system wins"
    if len(first) == len(names.short):
        return "both systems tie" if len(first) == 2 else f"all {len(first)} systems tie"
    if len(first) > 3:
        return f"{len(first)} systems tie for first"
    return names.join(first) + (" is first" if len(first) == 1 else " tie for first")


def _shared_phrase(
    leader: Label, others: Mapping[frozenset[Label], list[str]], names: DisplayNames
) -> str:
    """Say under which rules the first system shares its rank, and with which others."""
    if not others:
        return ""
    rules = list(chain.from_iterable(others.values()))
    where = rule_title(rules[0]) if len(rules) == 1 else f"{len(rules)} of them"
    level = set[Label]().union(*others) - {leader}
    beside = [system for system in names.short if system in level]
    if len(others) == 1 and len(beside) <= 2:
        return f", level with {names.join(beside)} under {where}"
    return f", though not alone under {where}"


def _other_rules_clause(
    others: Mapping[frozenset[Label], list[str]], names: DisplayNames, n_rules: int, *, alone: bool
) -> str:
    """Say which systems are first under the rules that disagree, as the end of a sentence."""
    sentences = []
    for result, rules in others.items():
        win = _wins_phrase([system for system in names.short if system in result], names)
        where = f"{'the other ' * (len(others) == 1)}{len(rules)}"
        if len(rules) == 1:
            where = rule_title(rules[0])
        sentences.append(
            f"{win.removesuffix(' is first') if alone and len(result) == 1 else win} under {where}"
        )
    if len(sentences) == 2 and alone and {*map(len, others)} == {1}:
        return f", {sentences[0]} and {sentences[1]}"
    if len(sentences) > 1:
        counts = [len(rules) for rules in others.values()]
        rest, most = sum(counts), max(counts)
        more = ""
        if most > n_rules - rest:  # the systems mentioned so far win under fewer rules
            more = f", {sentences[counts.index(most)]}"
            rest -= most
        left = f"{rest} rules disagree" if rest > 1 else "rule disagrees"
        return f"{more}; the other {left}"
    return "".join(f", {name}" for name in sentences)
