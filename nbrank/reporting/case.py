"""What all sections look at: what was ranked, the rule, and what it gives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import pandas as pd

from nbrank.findings.names import Names, in_names, in_words, listed, verb
from nbrank.findings.overview import (
    Overview,
    pairs_fit,
    task_names,
    task_of,
    tasks_of,
    without_pairs,
)
from nbrank.questions.possible_ranks import possible_ranks
from nbrank.rules.rule import Rule, RuleFunction
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.naming import Label, counted
from nbrank.votes.votes import Votes

#: Charts of more systems than this show the first of them only.
MOST_DRAWN = 20
#: Drawings of bars have so many at most.
MOST_BARS = 12
#: How many systems are asked how far they move, and under which weights they would win.
MOST_CONTENDERS = 15
#: So many seconds a search may take whose answer the page can do without.
PATIENCE = 5.0
#: The same in seconds beyond so many systems, of which few searches can end in either time.
_MANY, _LESS_PATIENCE = 400, 1.0
#: Names in sentences have so many letters at most.
_LETTERS = 40


@dataclass(frozen=True, eq=False)
class Case:
    """What was ranked, the rule looked at closely, and what this and other rules give.

    `options` are those that the rule is called with.
    """

    seen: Overview
    rule: Rule
    options: Mapping[str, Any]
    seed: int

    @property
    def asked(self) -> RuleFunction:
        """The rule with its options."""
        return partial(self.rule.function, **self.options)

    @property
    def votes(self) -> Votes:
        """What was ranked."""
        return self.seen.votes

    @property
    def board(self) -> Leaderboard:
        """The leaderboard, where it is one."""
        assert isinstance(self.votes, Leaderboard)
        return self.votes

    @property
    def ranked(self) -> pd.DataFrame:
        """The ranking by the rule."""
        return self.seen.ranking

    @cached_property
    def first(self) -> list[Label]:
        """Who is first by the rule; where it elects nobody, who shares the first rank."""
        elected = list(self.seen.first[self.seen.rule])
        return elected or list(self.ranked.index[self.ranked["rank"] == 1])

    @cached_property
    def possible(self) -> pd.DataFrame | None:
        """The ranks under all weights within a fifth of these, where the rule adds up the tasks."""
        # Many ranks 1 by Condorcet's rule elect nobody.
        if self.rule.name == "condorcet" or not pairs_fit(self.votes):
            return None
        try:
            seconds = PATIENCE if len(self.votes.systems) <= _MANY else _LESS_PATIENCE
            return possible_ranks(self.board, self.asked, time_limit=seconds)
        except ValueError:
            return None

    @cached_property
    def system(self) -> Names:
        """What the systems are called."""
        return Names.of(self.votes.systems, _LETTERS)

    @cached_property
    def task(self) -> Names:
        """What the tasks are called."""
        return task_names(self.board, _LETTERS)

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
        if not self.seen.first[self.seen.rule]:
            return f"Nobody wins by {self.by}"
        return f"{self.who} {verb('is', len(self.first))} first by {self.by}"

    def lead(self) -> str:
        """Say what was ranked, and how it was read."""
        systems = counted(len(self.votes.systems), "system")
        if not isinstance(self.votes, Leaderboard):
            return f"{systems}, ranked by {self.by}."
        # Ballots weigh what they stand for: their voters are told.
        weighted = task_of(self.board) == "task" and np.ptp(self.board.weights) > 0
        given = " with the weights given" if weighted else ""
        asides = (self.seen.left_out() if self.seen.unscored else "", without_pairs(self.votes))
        left_out = "".join(f" {one[:1].upper()}{one[1:]}." for one in asides if one)
        return f"{systems} on {tasks_of(self.board)}; ranked by {self.by}{given}.{left_out}"

    def reads(self, reason: str) -> str:
        """Write why a rule refuses, with names as the page has them instead of Python's."""
        tasks = self.task.brief if isinstance(self.votes, Leaderboard) else {}
        return in_names(reason, {**tasks, **self.system.brief}).removesuffix(".")

    def left_out(self) -> list[str]:
        """Say which rules give no ranking, and why."""
        return [
            f"Left out {verb('is', len(those))} {listed(map(in_words, those), 30)}, which "
            f"{verb('gives', len(those))} no ranking here: {self.reads(reason)}."
            for reason, those in self.seen.reasons().items()
        ]

    def of_the_first(self, systems: Iterable[Label]) -> str:
        """Say of whom one speaks, where only the first of them by the rule are asked."""
        there = list(systems)
        return "" if len(there) == len(self.ranked) else f" of the first {len(there)} by {self.by}"


def bars_of(number: int, which: str) -> list[str]:
    """Say of how many rows the bars are, and which, where they are not all drawn."""
    return [f"The bars show the {MOST_BARS} of {number:,} {which}."] * (number > MOST_BARS)


def some_of(part: int, whole: int, noun: str) -> str:
    """Write how many of them, as the subject of a sentence."""
    if part == whole:
        every = {1: f"The only {noun}", 2: f"Both {noun}s"}
        return every.get(whole, f"All {counted(whole, noun)}")
    return f"{part:,} of {counted(whole, noun)}"
