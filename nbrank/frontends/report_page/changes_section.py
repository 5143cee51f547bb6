"""What changed since an older table?"""

from __future__ import annotations

from typing import cast

from nbrank.comparison.bound_rule import BoundRule
from nbrank.comparison.table_changes import BoardPair
from nbrank.findings.changes_since import ChangesSince
from nbrank.findings.context import MAX_BARS, ReportContext, describe_bars
from nbrank.frontends.report_page.page import Bar, Section
from nbrank.votes.leaderboard import Leaderboard

_TITLE = "What changed since?"


def changes_section(case: ReportContext, before: Leaderboard) -> Section:
    """Say what changed since the older table, and by what."""
    bound_rule = BoundRule.from_options("report", case.rule.function, case.options)
    try:
        old = cast("Leaderboard", before.drop_unscored())
        since = ChangesSince(BoardPair.from_boards("report", old, case.board, bound_rule))
        return _describe_changes(case, since)
    except ValueError as error:
        return Section(_TITLE, (f"{case.display_message(str(error))}.",))


def _describe_changes(case: ReportContext, since: ChangesSince) -> Section:
    moved = since.moves[since.moves != 0]
    order = moved.abs().sort_values(ascending=False, kind="stable").index
    largest = int(moved.abs().max()) if len(moved) else 1
    bars = tuple(
        Bar(
            since.names.short[system],
            f"rank {since.table['before'][system]} to {since.table['after'][system]}",
            abs(int(moved[system])) / largest,
            system in case.winners,
        )
        for system in order[:MAX_BARS]
    )
    note = describe_bars(len(moved), "systems whose rank changed most")
    table = since.table.drop(columns="passed_by").rename(index=since.names.short)
    table.insert(
        len(table.columns),
        "passed by",
        [since.names.join(passed) for passed in since.table["passed_by"]],
    )
    table.columns = table.columns.str.replace("_", " ")
    meaning = (
        "Each part is the change of rank at one step, in this order: new scores of the systems and "
        "tasks of both tables, other tasks, systems that left, systems that came in. Another order "
        "gives other parts."
    )
    figure = (
        f"{len(moved)} of {len(since.moves)}",
        "systems of both tables that have another rank than before",
    )
    sentences = (*since.describe(), *note)
    return Section(_TITLE, sentences, (meaning,), bars=bars, table=table, figure=figure)
