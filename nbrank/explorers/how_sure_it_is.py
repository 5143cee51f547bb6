"""How sure: which systems can be told apart, as delta moves, and who may be first."""

from __future__ import annotations

import math
from collections import Counter
from itertools import chain
from typing import Any

import ipywidgets as widgets
import pandas as pd

from nbrank.explorers.bench import DRAWS, HIGHEST, LOWEST, Bench, Seen
from nbrank.explorers.prose import folded, in_a_table, in_paragraphs
from nbrank.explorers.tab import Tab
from nbrank.findings.names import Names, in_percent, in_words, span, verb
from nbrank.findings.overview import drawn_from, draws_of, over_what, too_few
from nbrank.questions.tie_groups import tie_groups
from nbrank.votes.naming import counted
from nbrank.votes.votes import Votes

#: Who is named in a sentence about many systems, and about few; the chart has all of them.
_NAMED, _LISTED = 3, 6
#: Groups that are few enough to be read one by one.
_FEW_GROUPS = 3


class HowSure(Tab):
    """A slider for delta, and the groups of systems that may share a rank."""

    title = "How sure"

    def __init__(self, bench: Bench) -> None:
        self._delta = widgets.FloatLogSlider(
            bench.delta,
            # The browser moves a value to the nearest step, so 0.05 has to be one.
            min=math.log10(0.05) - 1.7,
            max=math.log10(HIGHEST),
            step=0.05,
            description="chance of error (delta)",
            readout_format=".3f",
        )
        ways = [*zip(("each group of tasks", DRAWS[1]), DRAWS, strict=True)]
        draws = widgets.Dropdown(options=ways, description="what counts as one draw")
        self._delta.observe(self._read, "value")
        bench.observe(self._follow, "delta")
        bench.tie(draws=draws)
        grouped = getattr(bench.board, "groups", None) is not None
        super().__init__(bench, self._delta, *[draws] * grouped)
        self.groups = pd.DataFrame()

    def _read(self, change: Any) -> None:
        # The browser moves a value that it is given to the nearest step, which nobody asked for.
        if abs(math.log10(change["new"] / self.bench.delta)) > 0.51 * self._delta.step:
            self.bench.delta = max(LOWEST, min(change["new"], HIGHEST))

    def _follow(self, _: Any) -> None:
        self._delta.value = self.bench.delta

    def show(self, seen: Seen) -> list[str]:
        """Say what can be told apart; without rank sets, why there are none."""
        if (sets := seen.sets) is None:
            return self.tell([seen.note])
        names, delta = self.bench.names, self.bench.delta
        system = seen.looked_at(self.bench.system)
        if len(sets) == 1:
            return self.tell(["There is only one system, and none to tell it apart from."])
        self.groups = tie_groups(sets[["rank", "low", "high"]])
        # The sets may be of another rule than the one that orders.
        by = f" by {in_words(sets.attrs['rule'])}" * bool(seen.note)
        said = [seen.note, *_who_is_told_apart(names, sets, self.groups, delta, by)]
        if system is not None:
            said.insert(1, _where_it_may_be(names, sets, list(sets.index).index(system), by))
        table = in_a_table(_in_words(names, self.groups)) if len(self.groups) > 1 else ""
        meaning = _what_delta_means(sets, delta, seen.votes)
        html = folded("what is delta?", in_paragraphs([meaning]))
        html += folded("all groups that may share a rank", table)
        return [*self.tell(said, html), meaning]


def _what_delta_means(sets: pd.DataFrame, delta: float, votes: Votes) -> str:
    what = draws_of(sets)
    like = over_what(sets, votes)
    meaning = (
        f"delta is the chance of error that we accept: {in_percent(delta)} that any of the bars "
        f"misses the rank that its system would have on ever more {like} like these."
    )
    if what == "tasks":
        meaning += (
            " Each task is taken as a draw of its own; two metrics of one task are not: they "
            "belong in one group."
        )
    return meaning


def _who_is_told_apart(
    names: Names, sets: pd.DataFrame, groups: pd.DataFrame, delta: float, by: str
) -> list[str]:
    """Who may be first, and who can't be told apart."""
    n, sure = len(sets), in_percent(1 - delta)
    grouped = sets.attrs.get("over") == "groups"
    if "note" in sets.attrs:
        few = f"With {sure} confidence {too_few(sets)} to tell anything apart, whatever the scores"
        return [f"{few} are: {_what_helps(sets.attrs['n'], draws_of(sets))}."]
    could = _who_could_be_first(names, sets, by)
    many = [row for row in groups["systems"] if len(row) > 1]
    if not many:
        every = "both" if n == 2 else f"all {n}"
        return [f"With {sure} confidence {every} systems can be told apart.", could]
    drawn = "the " * ("n" not in sets.attrs) + drawn_from(sets) + " of tasks" * grouped
    told = f"With {sure} confidence, from {drawn},"
    if (sets["low"] == 1).all() and (sets["high"] == n).all():
        return [f"{told} no two of the {n} systems can be told apart.", could]
    level = f"Systems that may share a rank form {counted(len(many), 'group')}"
    if len(many[0]) == n:
        level = f"There is a rank that all {n} systems could have: they form one group."
    elif len(many) <= _FEW_GROUPS and len(max(many, key=len)) <= _LISTED:
        level += f": {'; '.join(names.listed(row, _LISTED) for row in many)}."
    else:
        # One after the other, they would read nearly alike.
        sizes = [*map(len, many)]
        level += f" of {span(min(sizes), max(sizes))} systems"
        if several := sum(number > 1 for number in Counter(chain(*many)).values()):
            level += f"; {counted(several, 'system')} {verb('is', several)} in more than one"
        level += "."
    return [f"{told} {could[0].lower()}{could[1:]}", level]


def _who_could_be_first(names: Names, sets: pd.DataFrame, by: str) -> str:
    first, others = sets.index[sets["low"] == 1], sets.index[sets["low"] > 1]
    if len(first) == 1:
        one = names.listed(first)
        return (
            f"Only {one} could be first{by}: for each other system, some system is surely better."
        )
    if len(others) <= _NAMED < len(first):
        all_of = f"All but {names.listed(others, _NAMED)}" if len(others) else "Any of them"
        return f"{all_of} could be first{by}: no system is surely better."
    return (
        f"{counted(len(first), 'system')} could be first{by}, since no system is surely better "
        f"than they are: {names.listed(first, _NAMED)}."
    )


def _what_helps(n: int, what: str) -> str:
    """What one can do where n draws are too few: at 2 / 2**n, all may point one way by chance."""
    least, ways = 2 / 2**n, []
    if least <= HIGHEST:
        ways.append(f"move delta to {least:.3g}{' or more' if least < HIGHEST else ''}")
    if what == "groups":
        ways.append(f"take {DRAWS[1]} as a draw")
    return " or ".join(ways) or f"it takes more {what}"


def _where_it_may_be(names: Names, sets: pd.DataFrame, place: int, by: str) -> str:
    """Which ranks the system may have that stands at a place."""
    rank, low, high = sets.iloc[place][["rank", "low", "high"]]
    better, worse = low - 1, len(sets) - high
    may = f"rank {low} only" if low == high else f"any from {low} to {high}"
    return (
        f"{names.brief[sets.index[place]]} has rank {rank}{by}, and could have {may}: "
        f"{counted(better, 'system') if better else 'no system'} {verb('is', better)} surely "
        f"better, and {f'{worse:,}' if worse else 'none'} surely worse."
    )


def _in_words(names: Names, groups: pd.DataFrame) -> pd.DataFrame:
    """The groups, and which ranks are open to all of each."""
    columns = {
        "ranks open to all": list(map(span, groups["low"], groups["high"])),
        "systems": [len(row) for row in groups["systems"]],
        "which": [names.listed(row, _LISTED) for row in groups["systems"]],
    }
    return pd.DataFrame(columns, index=groups.index)
