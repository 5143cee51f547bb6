"""What all sections look at: the leaderboard, the rule, and what it gives."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import altair as alt
import numpy as np
import pandas as pd

from nbrank.charts.names import Names, in_words, verb
from nbrank.reporting.page import Section
from nbrank.rules.rule import RULES, Rule
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.naming import Label, counted

#: Charts of more systems than this show the first of them only.
MOST_DRAWN = 30
#: How many systems are asked how far they move, and under which weights they would win.
MOST_CONTENDERS = 15
#: Names in sentences have so many letters at most.
_LETTERS = 40
#: The sentence for the top of the page, and the section behind it.
Found = tuple[str, Section]


@dataclass(frozen=True)
class Case:
    """The leaderboard, the rule looked at closely, and what it gives."""

    board: Leaderboard
    rule: Rule
    ranked: pd.DataFrame
    first: list[Label]

    @cached_property
    def system(self) -> Names:
        """What the systems are called."""
        return Names.of(self.board.systems, _LETTERS)

    @cached_property
    def task(self) -> Names:
        """What the tasks are called."""
        return Names.of(self.board.tasks, _LETTERS)

    @property
    def who(self) -> str:
        """Who is first."""
        return self.system.listed(self.first, 3)

    @property
    def by(self) -> str:
        """The rule, in words."""
        return in_words(self.rule.name)

    @property
    def is_first(self) -> str:
        """Who is first by the rule, as the beginning of a sentence."""
        return f"{self.who} {verb('is', len(self.first))} first by {self.by}"

    @property
    def weighted(self) -> bool:
        """Whether the tasks count differently."""
        return bool(np.ptp(self.board.weights) > 0)

    def reads(self, reason: str) -> str:
        """Write why a rule refuses, with names as the page has them instead of Python's."""
        labels = {**self.task.brief, **self.system.brief}
        for label in sorted(labels, key=lambda label: -len(repr(label))):
            if isinstance(label, str | tuple):
                reason = reason.replace(repr(label), labels[label])
        for name in RULES:
            reason = reason.replace(name, in_words(name))
        return reason.removesuffix(".")

    def of_the_first(self, systems: Iterable[Label]) -> str:
        """Say of whom one speaks, where only the first of them by the rule are asked."""
        there = list(systems)
        return "" if len(there) == len(self.ranked) else f" of the first {len(there)} by {self.by}"


def answered(
    title: str,
    answer: str,
    *more: str,
    table: pd.DataFrame | None = None,
    chart: alt.LayerChart | None = None,
) -> Found:
    """A section whose first sentence is also the one for the top of the page."""
    return answer, Section(title, (answer, *more), table, chart)


def some_of(part: int, whole: int, noun: str) -> str:
    """Write how many of them, as the subject of a sentence."""
    if part == whole:
        every = {1: f"The only {noun}", 2: f"Both {noun}s"}
        return every.get(whole, f"All {counted(whole, noun)}")
    return f"{part:,} of {counted(whole, noun)}"
