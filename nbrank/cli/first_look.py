"""One ranking to look at: ranks, how sure they are, and the ranks under other rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from textwrap import fill
from typing import Any

import pandas as pd

from nbrank.cli.sources import Source
from nbrank.findings.groups_apart import groups_apart
from nbrank.findings.names import in_words, listed, name_of, verb
from nbrank.findings.overview import (
    Overview,
    drop_errors,
    one_of_several_orders,
    over_what,
    overview,
    rank_sets,
    tasks_of,
    without_pairs,
)
from nbrank.findings.verdict import verdict
from nbrank.rules.rule import Rule
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.missing_runs import missing_runs
from nbrank.votes.votes import Votes

#: So many rules fit side by side: the one that orders the systems, and four others.
_MOST = 5


def first_look(
    source: Source, rule: Rule, options: Mapping[str, Any], errors: pd.DataFrame | None
) -> tuple[pd.DataFrame, str]:
    """The systems, best first, with their ranks under five rules and rank sets; and the verdict."""
    asked = partial(rule.function, **options)
    seen = overview(source, asked)
    errors = drop_errors(errors, seen.unscored)
    shown = [str(label) for label in seen.ranks if label in seen.first][:_MOST]
    seen = replace(
        seen,
        ranks=seen.ranks[shown],
        first={label: seen.first[label] for label in shown},
        sets=rank_sets(seen.votes, asked, errors=errors),
    )
    table = seen.ranks.loc[seen.ranking.index].rename(columns={seen.rule: "rank"})
    if seen.sets is not None:
        table.insert(1, "low", seen.sets["low"])
        table.insert(2, "high", seen.sets["high"])
    refused = [
        f" Not by {listed(rules, 30)}: {why.partition(';')[0]}."
        for why, rules in seen.reasons().items()
    ]
    orders = [
        f" Of several best orders by {in_words(label)}, one is shown."
        for label in one_of_several_orders(seen)
    ]
    said = (seen.left_out() if seen.unscored else "", groups_apart(seen.votes))
    asides = [f" {one[:1].upper()}{one[1:]}." for one in (*said, without_pairs(seen.votes)) if one]
    facts = (_of_sets(seen), *asides, *orders, _missing(seen), *refused, _tasks(seen.votes))
    return table, f"{verdict(seen)}.{''.join(facts)}"


def _of_sets(seen: Overview) -> str:
    """Say what a rank set is, and over what its confidence is."""
    if seen.sets is None:
        return ""
    sure = f"with 95 % confidence for all at once, over {over_what(seen.sets, seen.votes)}"
    return f" Rank set: the ranks a system may have, {sure}."


def _missing(seen: Overview) -> str:
    """Say how many scores are missing, and how many runs."""
    said = []
    if seen.places is not None and (number := int(seen.places.isna().to_numpy().sum())):
        said.append(f"{number} of {seen.places.size} scores {verb('is', number)} missing")
    if isinstance(seen.votes, Leaderboard):
        said += filter(None, [missing_runs(seen.votes, name_of, name_of)])
    return "".join(f" {one}." for one in said)


def _tasks(votes: Votes) -> str:
    """Say how many tasks there are, and which way their scores were read."""
    return f" Ranked on {tasks_of(votes)}." if isinstance(votes, Leaderboard) else ""


def in_lines(table: pd.DataFrame, said: str, rule: str, width: int | None) -> str:
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
    names = [_within(_called(name), room) for name in shown.index]
    pad = max(map(len, names))
    body = [
        f"{name:<{pad}}  {line:>{longest}}".rstrip()
        for name, line in zip(["", *names], lines, strict=True)
    ]
    return "\n".join([*body, "", said if width is None else fill(said, width), ""])


def _called(name: object) -> str:
    return " / ".join(map(str, name)) if isinstance(name, tuple) else str(name)


def _within(name: str, room: int | None) -> str:
    """A name that leaves room for the rest of its line; what tells names apart is at both ends.

    >>> _within("a-very-long-name-v2", 11)
    'a-very…e-v2'
    """
    if room is None or len(name) <= room:
        return name
    tail = (room - 1) * 2 // 5
    return f"{name[: room - 1 - tail]}…{name[-tail:]}"
