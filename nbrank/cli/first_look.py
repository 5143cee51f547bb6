"""One ranking to look at: ranks, how sure they are, and the ranks under other rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from textwrap import fill
from typing import Any

import pandas as pd

from nbrank.cli.sources import Source
from nbrank.findings.names import in_words, listed, verb
from nbrank.findings.overview import (
    Overview,
    one_of_several_orders,
    overview,
    rank_sets,
    tasks_of,
    without_pairs,
)
from nbrank.findings.verdict import verdict
from nbrank.rules.rule import Rule
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.naming import named

#: So many rules fit side by side: the one that orders the systems, and four others.
_MOST = 5


def first_look(
    source: Source, rule: Rule, options: Mapping[str, Any], errors: pd.DataFrame | None
) -> tuple[pd.DataFrame, str]:
    """The systems, best first, with their ranks under five rules and rank sets; and the verdict."""
    asked = partial(rule.function, **options)
    seen = overview(source, asked)
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
    pairs = without_pairs(seen.votes)
    left_out = f" {pairs[:1].upper()}{pairs[1:]}." if pairs else ""
    facts = (_of_sets(seen.sets), left_out, *orders, _missing(seen), *refused, _tasks(source))
    return table, f"{verdict(seen)}.{''.join(facts)}"


def _of_sets(sets: pd.DataFrame | None) -> str:
    """What a rank set is, and what it takes as uncertain."""
    if sets is None:
        return ""
    given = ", given the standard errors" if sets.attrs.get("over") == "errors" else ""
    return f" Rank set: the ranks a system may have, with 95 % confidence for all at once{given}."


def _missing(seen: Overview) -> str:
    """Whether scores are missing, and who has none."""
    if seen.places is None or not (missing := seen.places.isna()).to_numpy().any():
        return ""
    unscored = list(missing.index[missing.all(axis=1)])
    none = f", and {named(unscored, 3)} {verb('has', len(unscored))} none" if unscored else ""
    number = int(missing.to_numpy().sum())
    return f" {number} of {missing.size} scores {verb('is', number)} missing{none}."


def _tasks(source: Source) -> str:
    """How many tasks there are, and which way their scores were read."""
    return f" Ranked on {tasks_of(source)}." if isinstance(source, Leaderboard) else ""


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
