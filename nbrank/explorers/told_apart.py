"""Which systems can be told apart, in words, and who may be first."""

from __future__ import annotations

import pandas as pd

from nbrank.charts.names import Names, in_percent, span, verb
from nbrank.charts.overview import drawn_from
from nbrank.explorers.bench import DRAWS, HIGHEST
from nbrank.votes.naming import counted

#: Who is named in a sentence about many systems, and about few; the chart has all of them.
_NAMED, _LISTED = 3, 6
#: Groups that are few enough to be read one by one.
_FEW_GROUPS = 3


def who_is_told_apart(
    names: Names, sets: pd.DataFrame, groups: pd.DataFrame, delta: float
) -> list[str]:
    """Who can't be told apart, what delta means, and who may be first."""
    n, sure = len(sets), in_percent(1 - delta)
    if n == 1:
        return ["There is only one system, and none to tell it apart from."]
    what = sets.attrs.get("over", "comparisons")
    drawn, like = drawn_from(sets), "groups of tasks" if what == "groups" else what
    meaning = (
        f"delta is the chance of error that we accept: {in_percent(delta)} that any of the bars "
        f"misses the rank that its system would have on ever more {like} like these."
    )
    if like == "tasks":
        meaning += (
            " Each task is taken as a draw of its own; two metrics of one task are not: they "
            "belong in one group."
        )
    if "note" in sets.attrs:
        return [_too_few(drawn, sets.attrs["n"], sure, what), meaning]
    could = _who_could_be_first(names, sets)
    many = [row for row in groups["systems"] if len(row) > 1]
    if not many:
        every = "both" if n == 2 else f"all {n}"
        told = f"With {sure} confidence {every} systems can be told apart."
        return [told, meaning, could]
    of_tasks = " of tasks" if what == "groups" else ""
    told = f"With {sure} confidence, from {'the ' * ('n' not in sets.attrs)}{drawn}{of_tasks},"
    if (sets["low"] == 1).all() and (sets["high"] == n).all():
        return [f"{told} no two of the {n} systems can be told apart.", meaning, could]
    if len(many[0]) == n:
        level = f"There is a rank that all {n} systems could have: they form one group."
    else:
        level = f"Systems that can't be told apart form {counted(len(many), 'group')}"
        if len(many) <= _FEW_GROUPS:
            level += f": {'; '.join(names.listed(row, _LISTED) for row in many)}."
        else:
            # Neighbouring groups overlap: one after the other, they would read nearly alike.
            row = max(many, key=len)
            level += f", the largest of {len(row)}: {names.listed(row, _NAMED)}."
    return [f"{told} {could[0].lower()}{could[1:]}", meaning, level]


def _who_could_be_first(names: Names, sets: pd.DataFrame) -> str:
    first, others = sets.index[sets["low"] == 1], sets.index[sets["low"] > 1]
    if len(first) == 1:
        one = names.listed(first)
        return f"Only {one} could be first: for each other system, some system is surely better."
    if len(others) <= _NAMED < len(first):
        all_of = f"All but {names.listed(others, _NAMED)}" if len(others) else "Any of them"
        return f"{all_of} could be first: no system is surely better."
    return (
        f"{counted(len(first), 'system')} could be first, since no system is surely better: "
        f"{names.listed(first, _NAMED)}."
    )


def _too_few(drawn: str, n: int, sure: str, what: str) -> str:
    """Why nothing can be told apart, and what would help."""
    # The least delta at which all draws pointing one way are rare enough.
    least = 2 / 2**n
    ways = []
    if least <= HIGHEST:
        ways.append(f"move delta to {least:.3g}{' or more' if least < HIGHEST else ''}")
    if what == "groups":
        ways.append(f"take {DRAWS[1]} as a draw")
    return (
        f"{drawn} {verb('is', n)} too few to tell anything apart with {sure} confidence, whatever "
        f"the scores are: {' or '.join(ways) or f'it takes more {what}'}."
    )


def where_it_may_be(names: Names, sets: pd.DataFrame, place: int) -> str:
    """Which ranks the system may have that stands at a place."""
    rank, low, high = sets.iloc[place][["rank", "low", "high"]]
    better, worse = low - 1, len(sets) - high
    may = f"rank {low} only" if low == high else f"any from {low} to {high}"
    return (
        f"{names.brief[sets.index[place]]} has rank {rank}, and could have {may}: "
        f"{counted(better, 'system') if better else 'no system'} {verb('is', better)} surely "
        f"better, and {f'{worse:,}' if worse else 'none'} surely worse."
    )


def groups_in_words(names: Names, groups: pd.DataFrame) -> pd.DataFrame:
    """The groups, and which ranks are open to all of each."""
    members = [list(row) for row in groups["systems"]]
    return pd.DataFrame(
        {
            "ranks open to all": list(map(span, groups["low"], groups["high"])),
            "systems": [len(row) for row in members],
            "which": [names.listed(row, _LISTED) for row in members],
        },
        index=groups.index,
    )
