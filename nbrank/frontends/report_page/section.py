"""Parts that all sections of the page share: their results, and the HTML of sections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from html import escape
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd

from nbrank.findings.labels import (
    DisplayNames,
    agree_verb,
    capitalize,
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
from nbrank.frontends.shared_html import render_paragraphs, render_rank_table, render_text
from nbrank.robustness.rank_bounds import possible_ranks
from nbrank.rules.registry import Rule, RuleFunction
from nbrank.votes.base import Votes
from nbrank.votes.formatting import Label, pluralize
from nbrank.votes.leaderboard import Leaderboard

#: Maximum number of systems in a chart, the first ones.
MAX_CHART_SYSTEMS = 20
#: Maximum number of bars in a chart.
MAX_BARS = 12
#: Number of systems whose moves and winning weights are computed, the first ones.
MAX_CONTENDERS = 15
#: Time limit in seconds of a search whose answer the page can do without; above MANY_SYSTEMS, where
#: few searches finish, the shorter one.
_SEARCH_SECONDS, MANY_SYSTEMS, _FEWER_SECONDS = 5.0, 100, 1.0
#: Maximum number of letters of a name in a sentence.
_LETTERS = 40


@dataclass(frozen=True, eq=False)
class ReportContext:
    """The votes, the rule in focus, and the results of this and other rules.

    `options` are the arguments of the rule.
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
        """The votes that were ranked."""
        return self.overview.votes

    @property
    def board(self) -> Leaderboard:
        """The votes as a leaderboard; only for tables of scores."""
        assert isinstance(self.votes, Leaderboard)
        return self.votes

    @property
    def ranking(self) -> pd.DataFrame:
        """The ranking by the rule."""
        return self.overview.ranking

    @cached_property
    def winners(self) -> list[Label]:
        """The winners by the rule, or without winners the systems that share the first rank."""
        elected = list(self.overview.winners[self.overview.rule])
        return elected or list(self.ranking.index[self.ranking["rank"] == 1])

    @property
    def search_seconds(self) -> float:
        """How many seconds a search may take whose answer the page can do without."""
        return _SEARCH_SECONDS if len(self.votes.systems) <= MANY_SYSTEMS else _FEWER_SECONDS

    @cached_property
    def possible_ranks(self) -> pd.DataFrame | None:
        """The ranks under all weights within a fifth of these, or None if the rule has none."""
        # Condorcet's rule elects no system if several share rank 1.
        if self.rule.name == "condorcet" or not pairs_fit(self.votes):
            return None
        try:
            return possible_ranks(self.board, self.bound_rule, time_limit=self.search_seconds)
        except ValueError:
            return None

    @cached_property
    def system_names(self) -> DisplayNames:
        """The names of the systems."""
        return DisplayNames.from_labels(self.votes.systems, _LETTERS)

    @cached_property
    def task_names(self) -> DisplayNames:
        """The names of the tasks."""
        return task_names(self.board, _LETTERS)

    @cached_property
    def first_place_caveats(self) -> list[str]:
        """The doubts about first places where scores are missing, in whole sentences."""
        seen = self.overview
        return [f"{text}." for text in (*seen.sparse_firsts, *seen.unearned_firsts)]

    @property
    def winner_text(self) -> str:
        """The names of the first systems."""
        return self.system_names.join(self.winners, 3)

    @property
    def rule_title(self) -> str:
        """The name of the rule in a sentence."""
        return rule_title(self.rule.name)

    @property
    def winner_clause(self) -> str:
        """The winners by the rule, as the beginning of a sentence."""
        if not self.overview.winners[self.overview.rule]:
            return f"No system wins by {self.rule_title}"
        return (
            f"{self.winner_text} {agree_verb('is', len(self.winners))} first by {self.rule_title}"
        )

    def describe_input(self) -> str:
        """Say what was ranked, and how it was read."""
        systems = pluralize(len(self.votes.systems), "system")
        if not isinstance(self.votes, Leaderboard):
            return f"{systems}, ranked by {self.rule_title}."
        # The weight of a ballot is its number of voters, which the text mentions already.
        weighted = task_noun(self.board) == "task" and np.ptp(self.board.weights) > 0
        value = " with the weights given" if weighted else ""
        # A label stays as it is, at the start of a sentence, too.
        unscored, aside = self.overview.left_out(), without_pairs(self.votes)
        asides = (unscored, capitalize(aside))
        left_out = "".join(f" {sentence}." for sentence in asides if sentence)
        return (
            f"{systems} on {describe_tasks(self.board)}; ranked by "
            f"{self.rule_title}{value}.{left_out}"
        )

    def display_message(self, reason: str) -> str:
        """Write why a rule fails, with the page's names instead of Python's."""
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


def describe_bars(number: int, which: str) -> list[str]:
    """Say which of how many rows have a bar; empty if all are drawn."""
    return [f"The bars show the {MAX_BARS} of {number:,} {which}."] * (number > MAX_BARS)


def format_part_of_whole(part: int, total: int, noun: str) -> str:
    """Write a number out of a whole, as the subject of a sentence."""
    if part == total:
        every = {1: f"The only {noun}", 2: f"Both {noun}s"}
        return every.get(total, f"All {pluralize(total, noun)}")
    return f"{part:,} of {pluralize(total, noun)}"


#: Maximum number of rows of a table on the page; the section's frame has them all.
MAX_ROWS = 500


@dataclass(frozen=True)
class Bar:
    """A row of a bar chart: a name, a text about it, and a bar of a length from 0 to 1.

    The colour is "first" for winners, "best" for systems that may be best, "strong" for what
    stands out, or "" for none.
    """

    name: str
    says: str
    length: float
    colour: str = ""


@dataclass(frozen=True, eq=False)
class Section:
    """A question, the answer from the table, and a picture of it.

    Parameters
    ----------
    title
        The question.
    sentences
        The answer in one sentence, and its necessary qualifications.
    details
        Further details to look up.
    bars
        The rows of a bar chart, or else:
    ranks
        ranks, systems x rules, which are shaded by rank.
    table
        The numbers.
    figure
        The answer as a number, with a unit or none, and what it counts.
    """

    title: str
    sentences: tuple[str, ...]
    details: tuple[str, ...] = ()
    bars: tuple[Bar, ...] = field(default=(), repr=False)
    table: pd.DataFrame | None = field(default=None, repr=False)
    figure: tuple[str, str] | None = None
    ranks: pd.DataFrame | None = field(default=None, repr=False)


def system_bars(case: ReportContext, rows: Iterable[tuple[Label, str, float]]) -> tuple[Bar, ...]:
    """Make bars of the first rows: each is a system, a text about it, and a length."""
    return tuple(
        Bar(case.system_names.short[system], says, length, "first" * (system in case.winners))
        for system, says, length in islice(rows, MAX_BARS)
    )


def render_section(section: Section, link: str) -> str:
    """Write a section: the answer, the picture, and what is looked up."""
    ranks = section.ranks
    picture = _render_bars(section.bars) if ranks is None else _render_ranks(ranks)
    folded = render_paragraphs(section.details)
    if section.table is not None:
        folded += render_cut("rows", len(section.table), MAX_ROWS)
        html = section.table.head(MAX_ROWS).to_html(border=0, na_rep="", index_names=False)
        folded += f'<div class="wide">{html}</div>'
    if folded:
        what = "more" if section.table is None else "the numbers"
        folded = f"<details><summary>{what}</summary>{folded}</details>"
    answer = f"<h2>{escape(section.title)}</h2>{render_paragraphs(section.sentences)}"
    if not picture:
        return f'<section id="{link}">{answer}{folded}</section>'
    # Ranks under all rules have the width of the page.
    columns = "" if ranks is not None else ' class="columns"'
    return (
        f'<section id="{link}"{columns}><div>{answer}</div><div>{picture}</div>{folded}</section>'
    )


def render_cut(noun: str, whole: int, max_rows: int) -> str:
    """Say that a table has the first rows or tasks only, if it has not all of them."""
    return f"<p>The table has the first {max_rows:,} of {whole:,} {noun}.</p>" * (whole > max_rows)


def _render_bars(bars: Iterable[Bar]) -> str:
    rows = "".join(
        f'<li class="{bar.colour}">'
        f'<b>{escape(bar.name)}</b><i style="width: {100 * bar.length:.4g}%"></i>'
        f"<span>{render_text(bar.says)}</span></li>"
        for bar in bars
    )
    return f'<ul class="bars">{rows}</ul>' if rows else ""


def _render_ranks(ranks: pd.DataFrame) -> str:
    # A sheet of A4 has room for 53 letters behind the names of the systems.
    wide = float(np.clip(53 / ranks.shape[1], 2.4, 4))
    table = render_rank_table(ranks, list(map(escape, ranks.index)), wide, MAX_CHART_SYSTEMS)
    return f'<div class="wide">{table}</div>{render_cut("systems", len(ranks), MAX_CHART_SYSTEMS)}'
