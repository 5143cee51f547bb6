"""What changed since an older table?"""

from __future__ import annotations

from typing import cast

from nbrank.comparison.table_changes import BoardPair
from nbrank.findings.context import ReportContext, describe_bars
from nbrank.findings.table_changes_text import TableChangesText
from nbrank.frontends.report_page.section import Section, system_bars
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
    moved = moved.sort_values(key=abs, ascending=False, kind="stable")
    ends = changes_text.table.loc[moved.index, ["before", "after"]].to_numpy().tolist()
    most = moved.abs().max()
    rows = (
        (system, f"{'▼' if by > 0 else '▲'} {abs(by)}: rank {before} to {after}", abs(by) / most)
        for system, by, (before, after) in zip(moved.index, moved.tolist(), ends, strict=True)
    )
    note = describe_bars(len(moved), "systems whose rank changed most")
    table = changes_text.table.rename(index=changes_text.names.short)
    table["passed_by"] = [changes_text.names.join(passed) for passed in table["passed_by"]]
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
    return Section(
        _TITLE, sentences, (meaning,), bars=system_bars(case, rows), table=table, figure=figure
    )
