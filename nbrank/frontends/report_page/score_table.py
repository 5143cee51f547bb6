"""The table of the page: ranks, descriptions and scores, which a click on a heading sorts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import chain, repeat

import numpy as np
import pandas as pd

from nbrank.charts.board_drawing.headings import level_headings
from nbrank.charts.text_metrics import max_text_width
from nbrank.findings.best_set_text import describe_small_sample, possibly_best
from nbrank.findings.labels import format_ranks, format_score_column, label_text, unique_label_texts
from nbrank.findings.overview import task_noun
from nbrank.frontends.report_page.section import MAX_ROWS, ReportContext, render_cut
from nbrank.frontends.shared_html import render_sortable_heading
from nbrank.votes.formatting import Label
from nbrank.votes.leaderboard import Leaderboard

#: Maximum number of tasks in the table.
_MAX_TASKS = 100
#: Maximum number of tasks whose scores are printed: a sheet of A4 has room for these.
_MAX_PRINTED = 16
#: How many letters side by side a sheet of A4 has room for.
_PRINTED_LETTERS = 69
#: Maximum number of letters that stay on one line: of a heading, and of a cell.
_SHORT, _SHORT_CELL = 12, 24
_ON_SCREEN = '<p class="printed">The scores are in the table on the screen.</p>'


@dataclass(frozen=True)
class TableColumn:
    """A column: its heading, its cells, whether the best are low, and the rows in bold."""

    title: str
    cells: tuple[str, ...]
    kind: str
    is_lower_better: bool = True
    bold: frozenset[int] = frozenset()

    @property
    def letters(self) -> float:
        """How wide it is, in sizes of its letters."""
        return max_text_width(self.cells, 1, bold=bool(self.bold)) + 0.9

    def render_cell(self, row: int) -> str:
        """Write the cell of a row."""
        text = escape(self.cells[row])
        return f'<td class="{self.kind}">{f"<b>{text}</b>" if row in self.bold else text}</td>'


def render_score_table(case: ReportContext) -> str:
    """Write what is known of each system as a table that scrolls; the names stay in sight."""
    systems, votes, best = case.ranking.index, case.votes, case.overview.best
    columns = [*_rank_columns(case)]
    if votes.descriptions is not None:
        columns += _describe_systems(votes.descriptions.reindex(systems))
    n_tasks = 0
    if isinstance(votes, Leaderboard) and task_noun(votes) == "task":
        n_tasks = len(votes.tasks)
        columns += _task_columns(votes, votes.task_scores().reindex(systems))
    else:
        points = tuple(format_score_column(case.ranking["score"].to_numpy(dtype=float)))
        columns.insert(1, TableColumn("score", points, "number", is_lower_better=False))
    may = set[Label]()
    if best is not None and not describe_small_sample(best):
        may = set(possibly_best(best))
    names = unique_label_texts(systems)
    many = n_tasks > _MAX_PRINTED
    in_bold = " The best scores of each task are bold." * bool(n_tasks)
    if many:
        in_bold = f'<span class="screen">{in_bold}</span>'
    best_row = '<tr class="best">'
    rows = "".join(
        f'{best_row if system in may else "<tr>"}<th scope="row">{escape(name)}</th>'
        f"{''.join(column.render_cell(at) for column in columns)}</tr>"
        for at, (system, name) in enumerate(zip(systems, names, strict=True))
        if at < MAX_ROWS
    )
    return (
        f"<section class='scores{' many' * many}'><h2>All systems</h2><p>Ranked by "
        f'{case.rule_title}<span class="screen">; a click on a heading sorts otherwise</span>.'
        f"{in_bold}{' Systems in bold may be the best.' * bool(may)}</p>"
        f"{render_cut('rows', len(systems), MAX_ROWS)}{render_cut('tasks', n_tasks, _MAX_TASKS)}"
        f"{_ON_SCREEN * many}"
        f"{_begin_table(columns, names, is_cut=many)}"
        f"<tbody>{rows}</tbody></table></div></section>"
    )


def _begin_table(columns: Sequence[TableColumn], names: Sequence[str], *, is_cut: bool) -> str:
    """Begin the table: its headings, and how wide it is in print, where headings stand level."""
    # Tasks are the last columns.
    printed = [column for column in columns if not (is_cut and column.kind == "task")]
    numbers = sum(column.letters for column in printed if "words" not in column.kind)
    n_words = sum("words" in column.kind for column in printed)
    first = min(16.0, max_text_width([*names, "system"], 1, bold=True) + 0.5)
    room = max(6.0, (_PRINTED_LETTERS - first - numbers) / max(n_words, 1))
    widths = [
        min(column.letters, room) if "words" in column.kind else column.letters
        for column in printed
    ]
    styles = level_headings([column.title for column in printed], widths, bold=True)
    cols = "".join(f'<col style="--wide: {wide:.2f}"/>' for wide in (first, *widths))
    heads = "".join(
        render_sortable_heading(
            column.title,
            is_lower_better=column.is_lower_better,
            is_sorted=column.kind == "rank",
            attributes=f' class="{column.kind}{" short" * (len(column.title) <= _SHORT)}"'
            f' style="{style}"',
        )
        for column, style in zip(columns, chain(styles, repeat("")), strict=False)
    )
    return (
        f'<div class="frame" tabindex="0" role="region" aria-label="All systems" '
        f'style="--wide: {first + sum(widths):.2f}"><table class="sortable">'
        f"<colgroup>{cols}</colgroup>"
        f"<thead><tr>{render_sortable_heading('system')}{heads}</tr></thead>"
    )


def _rank_columns(case: ReportContext) -> Iterator[TableColumn]:
    """Give the ranks by the rule, and the ranks that each system may have."""
    yield TableColumn("rank", tuple(format_ranks(case.ranking["rank"])), "rank")
    sets = case.overview.rank_sets
    if sets is not None and not describe_small_sample(sets):
        ends = sets[["low", "high"]].reindex(case.ranking.index).to_numpy().tolist()
        texts = (f"{low}–{high}" if low < high else f"{low}" for low, high in ends)
        yield TableColumn("rank set", tuple(texts), "set")


def _describe_systems(descriptions: pd.DataFrame) -> Iterator[TableColumn]:
    """Give what else is known of the systems."""
    for label, values in descriptions.items():
        cells = tuple("" if pd.isna(value) else str(value) for value in values)
        is_number = pd.to_numeric(values, errors="coerce").notna().any()
        is_short = max(map(len, cells)) <= _SHORT_CELL
        kind = "number" if is_number else "words short" if is_short else "words"
        yield TableColumn(label_text(label), cells, kind, is_lower_better=not is_number)


def _task_columns(board: Leaderboard, scores: pd.DataFrame) -> Iterator[TableColumn]:
    """Give the scores on the tasks; those that are best on one are bold."""
    lower = dict(zip(board.tasks, board.is_lower_better.tolist(), strict=True))
    titles = dict(zip(board.tasks, unique_label_texts(board.tasks), strict=True))
    for task in scores.columns[:_MAX_TASKS]:
        values = scores[task].to_numpy(dtype=float)
        known = values[np.isfinite(values)]
        top = (known.min() if lower[task] else known.max()) if len(known) else None
        arrow = " ↓" if lower[task] and "↓" not in titles[task] else ""
        bold = frozenset(np.flatnonzero(values == top).tolist())
        yield TableColumn(
            f"{titles[task]}{arrow}", tuple(format_score_column(values)), "task", lower[task], bold
        )
