"""Scores, runs and meetings that are missing, in sentences; and zeros that may stand for them."""

import re
from ast import literal_eval

import numpy as np
import pandas as pd

from nbrank.findings.labels import DisplayNames, agree_verb, join_labels, label_text, rule_title
from nbrank.findings.overview import Overview
from nbrank.votes.base import Votes
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.formatting import join_truncated
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.table.reading import column_key

#: Part of the message of a rule that fails on missing scores.
_REFUSAL = re.compile(r"(?P<number>[\d,]+) missing scores?, of (?P<systems>.*) on (?P<tasks>.*)")
#: Pattern of the label of a task in groups.
_GROUPED = re.compile(r"""\((?:'[^']*'|"[^"]*")(?:, (?:'[^']*'|"[^"]*"))+\)""")


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
    """Write a reason with (group, task) as group / task, and missing scores by their number."""
    reason = _GROUPED.sub(lambda label: repr(column_key(literal_eval(label[0]))), reason)
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


def groups_apart(votes: Votes) -> str:
    """Say which groups of systems never met, without a full stop; empty if all are linked."""
    if not isinstance(votes, Comparisons) or not votes.apart:
        return ""
    names = DisplayNames.from_labels(votes.systems)
    groups = join_truncated([f"({names.join(group, 4)})" for group in votes.apart], max_items=4)
    return (
        f"{len(votes.apart)} groups of systems never met, directly or through others, and a rank "
        f"compares the systems of one group only: {groups}"
    )


def find_suspect_zeros(board: Leaderboard) -> list[tuple[int, int]]:
    """Find the positions (system, task) of zeros that were perhaps never reported.

    Such zeros are in the worst tenth of a task with decimals, by systems good on most other tasks.
    """
    if board.is_instance_level or len(board.systems) < 10 or len(board.tasks) < 3:
        return []
    scores = pd.DataFrame(np.where(board.is_lower_better, -board.values, board.values))
    decimal = (scores.notna() & (scores % 1 != 0)).sum() > scores.notna().sum() / 2
    not_above = scores.rank(method="max", pct=True)
    odd = (scores == 0) & decimal & (not_above <= 0.1)
    return [
        (i, j)
        for i, j in np.argwhere(odd.to_numpy()).tolist()
        if not_above.iloc[i].drop(j).median() > 0.5
    ]
