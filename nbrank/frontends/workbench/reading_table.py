"""How a file was read, column by column: what one says otherwise is a click."""

from __future__ import annotations

import json
from html import escape
from typing import Any, get_args
from urllib.parse import quote

from nbrank.findings.labels import agree_verb
from nbrank.findings.overview import describe_tasks, task_noun
from nbrank.frontends.workbench.html import render_button
from nbrank.votes.base import Votes
from nbrank.votes.formatting import pluralize
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.table.reading import ReadColumn, Reading, Role, column_key

_WAYS = {"higher": "▲ higher", "lower": "▼ lower"}
_COUNTED = ("task", "score")
_LEFT_OUT = ("average", "description", "error", "low", "high", "n")


def render_reading(reading: Reading, votes: Votes) -> str:
    """Set the columns as a table, with a choice of role and direction for each."""
    named = [*(vars(reading).get("task_directions") or {}).values()]
    columns = [ReadColumn(*row) for row in reading.itertuples(index=False)]
    # A doubt without its call: on the page one chooses from a list instead.
    facts: dict[str, str] = vars(reading).get("facts") or {}
    rows = "".join(
        _render_row(row, facts.get(row.doubt, row.doubt))
        for row in sorted([*columns, *named], key=lambda row: not row.doubt)
    )
    head = "".join(f"<th>{name}</th>" for name in ("column", "read as", "better is", "why"))
    toml = quote(reading.to_toml() or "")
    return (
        f"<details{' open' * bool(reading.doubts)}>"
        f"<summary><h3>{escape(_describe_reading(reading, votes))}</h3></summary>"
        f'<div class="nbrank-reading"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
        f'<p><a download="reading.toml" href="data:text/plain;charset=utf-8,{toml}">'
        "keep this reading (reading.toml)</a></p></details>"
    )


def holds_lines(votes: Any) -> bool:
    """Return whether votes were read from lines, a ballot each: without columns to be read."""
    reading = getattr(votes, "reading", None)
    ballots = isinstance(votes, Leaderboard) and task_noun(votes) == "ballot"
    return ballots and reading is not None and "task" not in [*reading["role"]]


def _describe_reading(reading: Reading, votes: Votes) -> str:
    """Say how many columns count and how many don't, and of how many there is a doubt."""
    parts = [pluralize(len(votes.systems), "system")]
    if isinstance(votes, Leaderboard) and task_noun(votes) == "ballot":
        parts.append(describe_tasks(votes))
    elif isinstance(votes, Leaderboard):
        tasks = int((votes.weights > 0).sum())
        parts.append(f"{pluralize(tasks, 'task')} {agree_verb('is', tasks)} ranked")
    if out := int(reading["role"].isin(_LEFT_OUT).sum()):
        parts.append(f"{pluralize(out, 'column')} left out")
    doubts = len(reading.doubts)
    yours = f"; {pluralize(doubts, 'doubt')} {agree_verb('is', doubts)} yours to settle"
    return f"{', '.join(parts)}{yours * bool(doubts)}"


def _render_row(row: ReadColumn, doubt: str) -> str:
    key = column_key(row.column)
    roles = [*dict.fromkeys(("task", *get_args(Role)))]
    options = "".join(
        f"<option{' selected' * (role == row.role)}>{escape(role)}</option>" for role in roles
    )
    name = escape(json.dumps(["role", key]))
    role = f'<select data-name="{name}" aria-label="role of {escape(key)}">{options}</select>'
    better = "–"
    if row.role in _COUNTED:
        better = " ".join(
            render_button(json.dumps(["role", key]), way, text, pressed=way == row.direction)
            for way, text in _WAYS.items()
        )
    why = escape(row.why or "nothing says otherwise" * (row.role in _COUNTED))
    if doubt:
        why = f"<b>A doubt.</b> {escape(doubt)}"
    look = "doubt" if doubt else "out" if row.role in _LEFT_OUT else ""
    return (
        f'<tr class="nbrank-{look}"><th>{escape(key)}</th><td>{role}</td>'
        f"<td>{better}</td><td>{why}</td></tr>"
    )
