"""Default output: ranks, their uncertainty, and the ranks under other rules."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from textwrap import fill
from typing import Any, cast

import pandas as pd

from nbrank.comparison.table_changes import STEPS, BoardPair
from nbrank.findings.best_set_text import (
    describe_separated_pairs,
    describe_small_sample,
    explain_no_best_set,
    format_confidence,
    possibly_best,
)
from nbrank.findings.labels import DisplayNames, capitalize, label_text, rule_title
from nbrank.findings.missing_text import describe_missing, groups_apart
from nbrank.findings.overview import (
    Overview,
    compute_overview,
    describe_tasks,
    pairs_fit,
    without_pairs,
)
from nbrank.findings.table_changes_text import TableChangesText
from nbrank.findings.verdict import verdict
from nbrank.frontends.command_line.inputs import CliInput
from nbrank.rules.bound_rule import BoundRule
from nbrank.rules.registry import Rule
from nbrank.votes.leaderboard import Leaderboard

#: Maximum number of rules side by side: the one that orders the systems, and four others.
_MAX_RULES = 5


def summarize(
    source: CliInput,
    rule: Rule,
    options: Mapping[str, Any],
    errors: pd.DataFrame | None,
    older: Leaderboard | None = None,
) -> tuple[pd.DataFrame, str]:
    """List the systems, best first, with ranks under five rules and rank sets; add the verdict.

    An older table adds what changed since.
    """
    asked = partial(rule.function, **options)
    seen = compute_overview(source, asked)
    shown = [str(label) for label in seen.ranks if label in seen.winners][:_MAX_RULES]
    seen = replace(
        seen,
        ranks=seen.ranks[shown],
        winners={label: seen.winners[label] for label in shown},
    ).with_confidence(asked, errors=errors)
    table = seen.ranks.reindex(seen.ranking.index).rename(columns={seen.rule: "rank"})
    if seen.rank_sets is not None:
        table.insert(1, "low", seen.rank_sets["low"])
        table.insert(2, "high", seen.rank_sets["high"])
    # A label stays as it is, at the start of a sentence, too.
    others = map(capitalize, (groups_apart(seen.votes), without_pairs(seen.votes)))
    orders = [
        f"Of several best orders by {rule_title(label)}, one is shown"
        for label in seen.non_unique_rules
    ]
    asides = filter(None, [seen.left_out(), *others, *orders, *describe_missing(seen)])
    facts = [_describe_rank_sets(seen), *(f"{sentence}." for sentence in asides)]
    if seen.votes.errors is not None and errors is None:
        facts.append(
            "The file has errors of its scores, in columns or after ±. If they are standard "
            "errors, and not deviations of runs or half an interval, add --errors."
        )
    since = ""
    if older is not None and isinstance(seen.votes, Leaderboard):
        bound_rule = BoundRule.from_options("nbrank", rule.function, options)
        old = cast("Leaderboard", older.drop_unscored())
        found = TableChangesText(BoardPair.from_boards("nbrank", old, seen.votes, bound_rule))
        since = f"Since then: {' '.join(found.describe())}"
        parts = ["before", *(f"by_{step}" for step in STEPS)]
        table = table.join(found.table[parts].reindex(table.index))
    lines = [f"{verdict(seen)}.", " ".join(filter(None, facts)), since]
    if isinstance(seen.votes, Leaderboard):
        lines.insert(1, f"Ranked on {describe_tasks(seen.votes)}.")
    return table, "\n".join(filter(None, lines))


def _describe_rank_sets(overview: Overview) -> str:
    """Describe the separated pairs and the rank sets, or why rank sets are not available."""
    if overview.rank_sets is None:
        why = explain_no_best_set(overview.rule) if pairs_fit(overview.votes) else ""
        return f"{capitalize(why)}." if why else ""
    if describe_small_sample(overview.best):
        return ""  # The verdict explains it.
    names = DisplayNames.from_labels(overview.votes.systems)
    first = overview.rank_sets.index[overview.rank_sets["low"] == 1]
    more = overview.best is not None and not set(first) <= {*possibly_best(overview.best)}
    wider = ", and so wider than the best set" * more
    return (
        f"{describe_separated_pairs(overview.rank_sets, names)} Rank set: the ranks that a system "
        f"may have, with {format_confidence(overview.rank_sets, overview.votes)}, for all at "
        f"once{wider}."
    )


def format_summary(table: pd.DataFrame, verdict: str, rule: str, width: int | None) -> str:
    """Format the table and the verdict in lines of at most `width` characters."""
    parts = [f"by_{step}" for step in STEPS]  # The sentences contain these facts.
    shown = table.drop(columns=["low", "high", *parts], errors="ignore").astype(str)
    shown = shown.rename(columns={"rank": rule})
    if "low" in table:
        ends = zip(table["low"], table["high"], strict=True)
        sets = [f"{low}-{high}" if low < high else str(low) for low, high in ends]
        shown.insert(1, "rank set", sets)
    lines = shown.to_string(index=False).splitlines()
    longest = max(map(len, lines))
    room = None if width is None else max(width - longest - 2, 8)
    names = [_fit_name(name, room) for name in list(map(label_text, shown.index))]
    pad = max(map(len, names))
    body = [
        f"{name:<{pad}}  {line:>{longest}}".rstrip()
        for name, line in zip(["", *names], lines, strict=True)
    ]
    said = verdict.splitlines()
    if width is not None:
        said = [fill(line, width) for line in said]
    return "\n".join([*body, "", *said, ""])


def _fit_name(name: str, room: int | None) -> str:
    """Shorten a name to leave room for its line; keep both ends, where names differ.

    >>> _fit_name("a-very-long-name-v2", 11)
    'a-very…e-v2'
    """
    if room is None or len(name) <= room:
        return name
    tail = (room - 1) * 2 // 5
    return f"{name[: room - 1 - tail]}…{name[-tail:]}"
