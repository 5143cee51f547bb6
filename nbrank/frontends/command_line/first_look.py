"""One ranking to look at: ranks, how sure they are, and the ranks under other rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from textwrap import fill
from typing import Any

import pandas as pd

from nbrank.findings.disconnected_groups import groups_apart
from nbrank.findings.labels import agree_verb, join_labels, label_text, rule_title
from nbrank.findings.overview import (
    Overview,
    compute_overview,
    describe_tasks,
    drop_errors,
    non_unique_rules,
    over_what,
    rank_sets,
    without_pairs,
)
from nbrank.findings.verdict import verdict
from nbrank.frontends.command_line.inputs import CliInput
from nbrank.rules.registry import Rule
from nbrank.votes.base import Votes
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.missing_runs import missing_runs

#: So many rules fit side by side: the one that orders the systems, and four others.
_MAX_RULES = 5


def summarize(
    source: CliInput, rule: Rule, options: Mapping[str, Any], errors: pd.DataFrame | None
) -> tuple[pd.DataFrame, str]:
    """The systems, best first, with their ranks under five rules and rank sets; and the verdict."""
    asked = partial(rule.function, **options)
    seen = compute_overview(source, asked)
    errors = drop_errors(errors, seen.unscored)
    shown = [str(label) for label in seen.ranks if label in seen.winners][:_MAX_RULES]
    seen = replace(
        seen,
        ranks=seen.ranks[shown],
        winners={label: seen.winners[label] for label in shown},
        rank_sets=rank_sets(seen.votes, asked, errors=errors),
    )
    table = seen.ranks.loc[seen.ranking.index].rename(columns={seen.rule: "rank"})
    if seen.rank_sets is not None:
        table.insert(1, "low", seen.rank_sets["low"])
        table.insert(2, "high", seen.rank_sets["high"])
    refused = [
        f" Not by {join_labels(rules, 30)}: {why.partition(';')[0]}."
        for why, rules in seen.reasons().items()
    ]
    orders = [
        f" Of several best orders by {rule_title(label)}, one is shown."
        for label in non_unique_rules(seen)
    ]
    sentences = (seen.left_out() if seen.unscored else "", groups_apart(seen.votes))
    asides = [
        f" {name[:1].upper()}{name[1:]}."
        for name in (*sentences, without_pairs(seen.votes))
        if name
    ]
    facts = (
        _describe_rank_sets(seen),
        *asides,
        *orders,
        _describe_missing(seen),
        _describe_errors(seen.votes, errors),
        *refused,
    )
    lines = (f"{verdict(seen)}.", _describe_tasks(seen.votes), "".join(facts).strip())
    return table, "\n".join(filter(None, lines))


def _describe_rank_sets(seen: Overview) -> str:
    """Say what a rank set is, and over what its confidence is."""
    if seen.rank_sets is None:
        return ""
    sure = f"with 95 % confidence for all at once, over {over_what(seen.rank_sets, seen.votes)}"
    return f" Rank set: the ranks a system may have, {sure}."


def _describe_missing(seen: Overview) -> str:
    """Say how many scores are missing, and how many runs."""
    sentences = []
    if seen.places is not None and (number := int(seen.places.isna().to_numpy().sum())):
        sentences.append(
            f"{number} of {seen.places.size} scores {agree_verb('is', number)} missing"
        )
    if isinstance(seen.votes, Leaderboard):
        sentences += filter(None, [missing_runs(seen.votes, label_text, label_text)])
    return "".join(f" {name}." for name in sentences)


def _describe_errors(votes: Votes, errors: pd.DataFrame | None) -> str:
    """Say that a file has standard errors, where they are not counted with."""
    if votes.errors is None or errors is not None:
        return ""
    return " The file has standard errors; to count with them, say --errors."


def _describe_tasks(votes: Votes) -> str:
    """Say how many tasks there are, and which way their scores were read."""
    return f"Ranked on {describe_tasks(votes)}." if isinstance(votes, Leaderboard) else ""


def format_summary(table: pd.DataFrame, verdict: str, rule: str, width: int | None) -> str:
    """The table and the verdict, in lines of no more than so many characters."""
    shown = table.drop(columns=["low", "high"], errors="ignore").astype(str)
    shown = shown.rename(columns={"rank": rule})
    if "low" in table:
        ends = zip(table["low"], table["high"], strict=True)
        sets = [f"{low}-{high}" if low < high else str(low) for low, high in ends]
        shown.insert(1, "rank set", sets)
    lines = shown.to_string(index=False).splitlines()
    longest = max(map(len, lines))
    room = None if width is None else max(width - longest - 2, 8)
    names = [_fit_name(_column_title(name), room) for name in shown.index]
    pad = max(map(len, names))
    body = [
        f"{name:<{pad}}  {line:>{longest}}".rstrip()
        for name, line in zip(["", *names], lines, strict=True)
    ]
    return "\n".join([*body, "", *(lines_of(verdict, width)), ""])


def lines_of(text: str, width: int | None) -> list[str]:
    """The lines of a text, of no more than so many characters."""
    lines = text.splitlines()
    return lines if width is None else [fill(line, width) for line in lines]


def _column_title(name: object) -> str:
    return " / ".join(map(str, name)) if isinstance(name, tuple) else str(name)


def _fit_name(name: str, room: int | None) -> str:
    """A name that leaves room for the rest of its line; what tells names apart is at both ends.

    >>> _fit_name("a-very-long-name-v2", 11)
    'a-very…e-v2'
    """
    if room is None or len(name) <= room:
        return name
    tail = (room - 1) * 2 // 5
    return f"{name[: room - 1 - tail]}…{name[-tail:]}"
