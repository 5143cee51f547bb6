"""Scores and runs that are missing, in sentences."""

from __future__ import annotations

import re

from nbrank.findings.labels import agree_verb, join_labels, label_text, rule_title
from nbrank.findings.overview import Overview
from nbrank.votes.leaderboard import Leaderboard

#: Part of the message of a rule that fails on missing scores.
_REFUSAL = re.compile(r"(?P<number>[\d,]+) missing scores?, of (?P<systems>.*) on (?P<tasks>.*)")


def count_missing_scores(overview: Overview) -> str:
    """Say how many scores are missing; empty if none is."""
    if overview.places is None or not (number := int(overview.places.isna().to_numpy().sum())):
        return ""
    return f"{number:,} of {overview.places.size:,} scores {agree_verb('is', number)} missing"


def describe_missing_runs(overview: Overview) -> str:
    """Say how many runs are missing behind the scores; empty if none is."""
    if not isinstance(overview.votes, Leaderboard):
        return ""
    return overview.votes.describe_missing_runs(label_text, label_text)


def describe_failed_rules(overview: Overview) -> list[str]:
    """Say which rules are left out, and why; for missing scores, which these are."""
    return [
        f"{join_labels(map(rule_title, rules), 30)} {agree_verb('is', len(rules))} left out: "
        f"{_plain_reason(reason.partition(';')[0], count_missing_scores(overview))}"
        for reason, rules in overview.reasons().items()
    ]


def _plain_reason(reason: str, count: str) -> str:
    refusal = _REFUSAL.fullmatch(reason)
    if refusal is None:
        return reason
    number, systems, tasks = refusal.groups()
    if number == "1":
        return f"{systems} has no score on {tasks}"
    return f"{count or f'{number} scores are missing'}, for {systems} on {tasks}"


def describe_missing(overview: Overview) -> list[str]:
    """Say once what is missing, and which rules are left out for this or another reason."""
    failed = describe_failed_rules(overview)
    count = count_missing_scores(overview)
    is_said = any("has no score on" in text or (count and count in text) for text in failed)
    facts = filter(None, ["" if is_said else count, describe_missing_runs(overview)])
    return [*facts, *overview.unearned_firsts, *failed]
