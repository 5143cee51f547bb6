"""The verdict on a leaderboard in one sentence, which is true of every leaderboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from nbrank.findings.names import Names, in_words
from nbrank.findings.overview import Overview, over_what, task_of, too_few
from nbrank.votes.doubts import are_places
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.naming import Label

_NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


def in_letters(number: int) -> str:
    """Write a small number as one says it."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def verdict(seen: Overview) -> str:
    """Who is first, under how many of the rules, and how many others could be."""
    board = seen.votes
    doubtful = isinstance(board, Leaderboard) and are_places(board) and task_of(board) == "task"
    systems = list(seen.votes.systems)
    names = Names.of(systems)
    if len(systems) == 1:
        with_score = " with a score" * bool(seen.unscored)
        return f"{names.brief[systems[0]]} is the only system{with_score}"
    said = _who_is_first(seen, names)
    if doubtful:
        said += ", if higher is better"
    if seen.sets is not None:
        said += f"; {_who_could_be(seen, len(systems))}"
    return said


def _who_is_first(seen: Overview, names: Names) -> str:
    """Say who is first by the rule that orders, and by the others; a given ranking is not one."""
    by_rule = seen.first_by_rule if seen.published else seen.first
    if seen.rule in by_rule:
        return _under_rules(seen, seen.rule, by_rule, names)
    heads = seen.first[seen.rule]
    win = _win(heads, names) if heads else "Nobody is first"
    given = f"{win} in “{in_words(seen.rule)}”, a ranking that is given"
    rules = [_under_rules(seen, next(iter(by_rule)), by_rule, names)] if by_rule else []
    return "; ".join([given, *rules])


def _under_rules(
    seen: Overview, first_rule: str, by_rule: Mapping[str, tuple[Label, ...]], names: Names
) -> str:
    leaders, every = by_rule[first_rule], len(by_rule)
    # Who else is first -> the rules that say so.
    others: dict[frozenset[Label], list[str]] = {}
    for rule, found in by_rule.items():
        if set(found) != set(leaders):
            others.setdefault(frozenset(found), []).append(rule)
    agree = every - sum(map(len, others.values()))
    said = _win(leaders, names)
    if len(leaders) in (0, len(names.brief)):
        said = said[:1].upper() + said[1:]
    shared = {found: rules for found, rules in others.items() if found > set(leaders)}
    if len(leaders) == 1 < every and (shared == others or (shared and len(others) > 1)):
        # Alone at the top or beside others, it is first.
        apart = {found: rules for found, rules in others.items() if found not in shared}
        level = _level(leaders[0], shared, names)
        if not apart:
            return f"{said} under {_every(every, seen)}{level}"
        first = f"{in_letters(every - sum(map(len, apart.values())))} of {in_letters(every)} rules"
        return f"{said} under {first}{level};{_elsewhere(apart, names, every, alone=True)[1:]}"
    if agree == 1:
        said += f" under {in_words(first_rule)}"
    elif not others:
        said += f" under {_every(every, seen)}"
    else:
        said += f" under {in_letters(agree)} of {in_letters(every)} rules"
    return said + _elsewhere(others, names, every, alone=len(leaders) == 1)


def _every(number: int, seen: Overview) -> str:
    every = "both rules" if number == 2 else f"all {in_letters(number)} rules"
    n_rules = sum(label not in seen.published for label in seen.ranks)
    return every if number == n_rules else f"{every} that can rank this table"


def _win(first: Sequence[Label], names: Names) -> str:
    """Who is first, as the beginning of a sentence."""
    if not first:
        return "nobody wins"
    if len(first) == len(names.brief):
        return "both systems tie" if len(first) == 2 else f"all {len(first)} systems tie"
    if len(first) > 3:
        return f"{len(first)} systems tie for first"
    return names.listed(first) + (" is first" if len(first) == 1 else " tie for first")


def _level(leader: Label, others: Mapping[frozenset[Label], list[str]], names: Names) -> str:
    """Where who is first has others beside it."""
    if not others:
        return ""
    rules = list(chain.from_iterable(others.values()))
    where = in_words(rules[0]) if len(rules) == 1 else f"{in_letters(len(rules))} of them"
    level = set[Label]().union(*others) - {leader}
    beside = [system for system in names.brief if system in level]
    if len(others) == 1 and len(beside) <= 2:
        return f", level with {names.listed(beside)} under {where}"
    return f", though not alone under {where}"


def _elsewhere(
    others: Mapping[frozenset[Label], list[str]], names: Names, every: int, *, alone: bool
) -> str:
    """Who is first under the rules that disagree, as the end of a sentence that begins with one."""
    said = []
    for found, rules in others.items():
        win = _win([system for system in names.brief if system in found], names)
        where = f"{'the other ' * (len(others) == 1)}{in_letters(len(rules))}"
        if len(rules) == 1:
            where = in_words(rules[0])
        said.append(
            f"{win.removesuffix(' is first') if alone and len(found) == 1 else win} under {where}"
        )
    if len(said) == 2 and alone and {*map(len, others)} == {1}:
        return f", {said[0]} and {said[1]}"
    if len(said) > 1:
        counts = [len(rules) for rules in others.values()]
        rest, most = sum(counts), max(counts)
        more = ""
        if most > every - rest:  # who is told of first wins under fewer
            more = f", {said[counts.index(most)]}"
            rest -= most
        left = f"{in_letters(rest)} rules disagree" if rest > 1 else "rule disagrees"
        return f"{more}; the other {left}"
    return "".join(f", {one}" for one in said)


def _who_could_be(seen: Overview, number: int) -> str:
    assert seen.sets is not None
    if "note" in seen.sets.attrs:
        return f"{too_few(seen.sets)} to tell systems apart"
    could = int((seen.sets["low"] == 1).sum())
    who = f"{could} of {number} systems"
    if could == number:
        who = "either" if number == 2 else f"any of the {number} systems"
    elif could == 1:
        who = "no other"
    sure = f"{100 * (1 - seen.sets.attrs.get('delta', 0.05)):.6g} % confidence"
    return f"{who} could be first ({sure} over {over_what(seen.sets, seen.votes)})"
