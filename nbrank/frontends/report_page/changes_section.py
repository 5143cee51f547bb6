"""What changed since an older table?"""

from __future__ import annotations

from typing import cast

from nbrank.comparison.table_changes import BoardPair
from nbrank.findings.context import MAX_BARS, ReportContext, describe_bars
from nbrank.findings.table_changes_text import TableChangesText
from nbrank.frontends.report_page.section import Bar, Section
from nbrank.rules.bound_rule import BoundRule
from nbrank.votes.leaderboard import Leaderboard

_TITLE = "What changed since?"


def changes_section(case: ReportContext, before: Leaderboard) -> Section:
    """Say what changed since the older table, and why."""
    bound_rule = BoundRule.from_options("report", case.rule.function, case.options)
    try:
        old = cast("Leaderboard", before.drop_unscored())
        changes_text = TableChangesText(
            BoardPair.from_boards("report", old, case.board, bound_rule)
        )
        return _describe_changes(case, changes_text)
    except ValueError as error:
        return Section(_TITLE, (f"{case.display_message(str(error))}.",))


def _describe_changes(case: ReportContext, changes_text: TableChangesText) -> Section:
    moved = changes_text.moves[changes_text.moves != 0]
    order = moved.abs().sort_values(ascending=False, kind="stable").index
    largest = int(moved.abs().max()) if len(moved) else 1
    bars = tuple(
        Bar(
            changes_text.names.short[system],
            f"{'▼' if moved[system] > 0 else '▲'} {abs(moved[system])}: rank "
            f"{changes_text.table['before'][system]} to {changes_text.table['after'][system]}",
            abs(int(moved[system])) / largest,
            "first" if system in case.winners else "quiet",
        )
        for system in order[:MAX_BARS]
    )
    note = describe_bars(len(moved), "systems whose rank changed most")
    table = changes_text.table.drop(columns="passed_by").rename(index=changes_text.names.short)
    table.insert(
        len(table.columns),
        "passed by",
        [changes_text.names.join(passed) for passed in changes_text.table["passed_by"]],
    )
    table.columns = table.columns.str.replace("_", " ")
    meaning = (
        "Each part is the change of rank at one step, in this order: new scores of the systems and "
        "tasks of both tables, other tasks, systems that left, systems that came in. Another order "
        "gives other parts."
    )
    figure = (
        f"{len(moved)} of {len(changes_text.moves)}",
        "systems of both tables that have another rank than before",
    )
    sentences = (*changes_text.describe(), *note)
    return Section(_TITLE, sentences, (meaning,), bars=bars, table=table, figure=figure)
