"""What all sections look at: what was ranked, the rule, and what it gives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import pandas as pd

from nbrank.findings.labels import (
    DisplayNames,
    agree_verb,
    display_message,
    join_labels,
    rule_title,
)
from nbrank.findings.overview import (
    Overview,
    describe_tasks,
    pairs_fit,
    task_names,
    task_noun,
    without_pairs,
)
from nbrank.robustness.rank_bounds import possible_ranks
from nbrank.rules.registry import Rule, RuleFunction
from nbrank.votes.base import Votes
from nbrank.votes.formatting import Label, pluralize
from nbrank.votes.leaderboard import Leaderboard

#: Charts of more systems than this show the first of them only.
MAX_CHART_SYSTEMS = 20
#: Drawings of bars have so many at most.
MAX_BARS = 12
#: How many systems are asked how far they move, and under which weights they would win.
MAX_CONTENDERS = 15
#: So many seconds a search may take whose answer the page can do without.
SEARCH_TIME_LIMIT = 5.0
#: The same in seconds beyond so many systems, of which few searches can end in either time.
_MANY, _LESS_PATIENCE = 400, 1.0
#: Names in sentences have so many letters at most.
_LETTERS = 40


@dataclass(frozen=True, eq=False)
class ReportContext:
    """What was ranked, the rule looked at closely, and what this and other rules give.

    `options` are those that the rule is called with.
    """

    overview: Overview
    rule: Rule
    options: Mapping[str, Any]
    seed: int

    @property
    def bound_rule(self) -> RuleFunction:
        """The rule with its options."""
        return partial(self.rule.function, **self.options)

    @property
    def votes(self) -> Votes:
        """What was ranked."""
        return self.overview.votes

    @property
    def board(self) -> Leaderboard:
        """The leaderboard, where it is one."""
        assert isinstance(self.votes, Leaderboard)
        return self.votes

    @property
    def ranking(self) -> pd.DataFrame:
        """The ranking by the rule."""
        return self.overview.ranking

    @cached_property
    def winners(self) -> list[Label]:
        """Who is first by the rule; where it elects nobody, who shares the first rank."""
        elected = list(self.overview.winners[self.overview.rule])
        return elected or list(self.ranking.index[self.ranking["rank"] == 1])

    @cached_property
    def possible_ranks(self) -> pd.DataFrame | None:
        """The ranks under all weights within a fifth of these, where the rule adds up the tasks."""
        # Many ranks 1 by Condorcet's rule elect nobody.
        if self.rule.name == "condorcet" or not pairs_fit(self.votes):
            return None
        try:
            seconds = SEARCH_TIME_LIMIT if len(self.votes.systems) <= _MANY else _LESS_PATIENCE
            return possible_ranks(self.board, self.bound_rule, time_limit=seconds)
        except ValueError:
            return None

    @cached_property
    def system_names(self) -> DisplayNames:
        """What the systems are called."""
        return DisplayNames.from_labels(self.votes.systems, _LETTERS)

    @cached_property
    def task_names(self) -> DisplayNames:
        """What the tasks are called."""
        return task_names(self.board, _LETTERS)

    @property
    def winner_text(self) -> str:
        """Who is first."""
        return self.system_names.join(self.winners, 3)

    @property
    def rule_title(self) -> str:
        """The rule, in words."""
        return rule_title(self.rule.name)

    @property
    def winner_clause(self) -> str:
        """Who is first by the rule, as the beginning of a sentence."""
        if not self.overview.winners[self.overview.rule]:
            return f"Nobody wins by {self.rule_title}"
        return (
            f"{self.winner_text} {agree_verb('is', len(self.winners))} first by {self.rule_title}"
        )

    def describe_input(self) -> str:
        """Say what was ranked, and how it was read."""
        systems = pluralize(len(self.votes.systems), "system")
        if not isinstance(self.votes, Leaderboard):
            return f"{systems}, ranked by {self.rule_title}."
        # Ballots weigh what they stand for: their voters are told.
        weighted = task_noun(self.board) == "task" and np.ptp(self.board.weights) > 0
        value = " with the weights given" if weighted else ""
        # A label stays as it is, at the start of a sentence, too.
        unscored, aside = self.overview.left_out(), without_pairs(self.votes)
        asides = (unscored, f"{aside[:1].upper()}{aside[1:]}")
        left_out = "".join(f" {sentence}." for sentence in asides if sentence)
        return (
            f"{systems} on {describe_tasks(self.board)}; ranked by "
            f"{self.rule_title}{value}.{left_out}"
        )

    def display_message(self, reason: str) -> str:
        """Write why a rule refuses, with names as the page has them instead of Python's."""
        tasks = self.task_names.short if isinstance(self.votes, Leaderboard) else {}
        return display_message(reason, {**tasks, **self.system_names.short}).removesuffix(".")

    def describe_failed_rules(self) -> list[str]:
        """Say which rules give no ranking, and why."""
        return [
            f"Left out {agree_verb('is', len(those))} {join_labels(map(rule_title, those), 30)}, "
            "which "
            f"{agree_verb('gives', len(those))} no ranking here: {self.display_message(reason)}."
            for reason, those in self.overview.reasons().items()
        ]

    def qualify_systems(self, systems: Iterable[Label]) -> str:
        """Say of whom one speaks, where only the first of them by the rule are asked."""
        observed = list(systems)
        return (
            ""
            if len(observed) == len(self.ranking)
            else f" of the first {len(observed)} by {self.rule_title}"
        )


def describe_bars(number: int, which: str) -> list[str]:
    """Say of how many rows the bars are, and which, where they are not all drawn."""
    return [f"The bars show the {MAX_BARS} of {number:,} {which}."] * (number > MAX_BARS)


def format_part_of_whole(part: int, whole: int, noun: str) -> str:
    """Write how many of them, as the subject of a sentence."""
    if part == whole:
        every = {1: f"The only {noun}", 2: f"Both {noun}s"}
        return every.get(whole, f"All {pluralize(whole, noun)}")
    return f"{part:,} of {pluralize(whole, noun)}"
