"""What stands over the rows of the picture: families of rules, rules, axes, tasks and groups."""

from __future__ import annotations

from collections.abc import Sequence

from nbrank.charts.board_drawing.axis_panel import AxisPanel
from nbrank.charts.board_drawing.headings import Heading
from nbrank.charts.board_drawing.layout import BoardLayout
from nbrank.charts.board_drawing.sheet import Sheet, font
from nbrank.charts.text_metrics import text_width


def draw_headings(page: BoardLayout, sheet: Sheet, *, has_scores: bool) -> None:
    """Draw what is over the columns: families of rules, rules, axes, tasks."""
    size = page.sizes.letters
    sheet.open(text_anchor="middle", font_size=f"{size:.1f}")
    for text, start, end in page.rules.spanners:
        _draw_spanner(page, sheet, text, start, end)
    for panel in (page.rank_axis, page.rating_axis):
        if panel is not None:
            _draw_axis_heading(page, sheet, panel)
    if page.columns:
        start, end = page.columns[0].start, page.columns[-1].end
        _draw_spanner(
            page, sheet, _cells_heading(page, end - start, has_scores=has_scores), start, end
        )
    _draw_names(page, sheet, page.rule_headings, size, "rule")
    sheet.close()
    small = page.sizes.small
    sheet.open(text_anchor="middle", font_size=f"{small:.1f}")
    for text, x in page.cell_headings.leaves:
        sheet.text(x, page.heading_foot, text, "second")
    for start, end, has_names in page.cell_headings.lines:
        y = page.heading_foot + (-small if has_names else 0.25 * small)
        sheet.line(start, y, end, y, "line")
    _draw_names(page, sheet, page.cell_headings.placed, small, "")
    sheet.close()


def _draw_spanner(page: BoardLayout, sheet: Sheet, text: str, start: float, end: float) -> None:
    size = page.sizes.letters
    if text:
        sheet.text((start + end) / 2, page.spanner_line - 0.5 * size, text, "second")
        sheet.line(start + 1, page.spanner_line, end - 2, page.spanner_line, "third")


def _draw_axis_heading(page: BoardLayout, sheet: Sheet, panel: AxisPanel) -> None:
    size = page.sizes.letters
    middle = panel.start + panel.width / 2
    room = panel.width + 1.9 * size
    title = next((text for text in panel.titles if text_width(text, size) <= room), "")
    sheet.text(middle, page.spanner_line - 0.5 * size, title, "second")
    for text, x in panel.ticks:
        sheet.text(x, page.heading_foot, text, "second")


def _cells_heading(page: BoardLayout, room: float, *, has_scores: bool) -> str:
    """What the cells are, in as many words as there is room for."""
    seen, size = page.overview, page.sizes.letters
    if seen.places is None:
        options = ["% won against each of the others, by rank", "% won against, by rank", "% won"]
    else:
        task = page.task_noun
        shares = [share for _, share in page.cell_shares]
        weighed = bool(max(shares) > min(shares) * (1 + 1e-9))
        width = ("; width: its voters" if task == "ballot" else "; width: its weight") * weighed
        options = [f"place on each {task}", f"{task}s"]
        if has_scores and task == "task":
            options = [
                "score on each task, shaded by its place",
                "score, shaded by place",
                "scores",
            ]
        options = [option + width for option in options] + options
    return next((text for text in options if text_width(text, size) <= room), "")


def _draw_names(
    page: BoardLayout, sheet: Sheet, headings: Sequence[Heading], size: float, kind: str
) -> None:
    """Draw names over columns, with lines down from those that stand higher."""
    line = page.sizes.line
    for heading in headings:
        if heading.level > heading.column.base:
            base = page.heading_foot - heading.level * line + 0.28 * size
            sheet.line(heading.foot, base, heading.foot, page.heading_foot + 0.25 * size, "third")
        named = {"data_rule": heading.column.key} if kind else {}
        sheet.open(**named)
        if "".join(heading.lines) != heading.column.name.replace(" ", ""):
            sheet.title(heading.column.name)
        for at, text in enumerate(reversed(heading.lines)):
            y = page.heading_foot - (heading.level + at) * line
            sheet.text(heading.x, y, text, "ink", font(bold=heading.column.bold))
        sheet.close()
