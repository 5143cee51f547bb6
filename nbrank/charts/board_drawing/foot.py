"""What stands around the rows of the picture: names above them, and the key and a note below."""

from __future__ import annotations

import math
from collections.abc import Sequence

from nbrank.charts.board_drawing.columns import AxisPanel
from nbrank.charts.board_drawing.headings import Heading
from nbrank.charts.board_drawing.layout import BoardLayout
from nbrank.charts.board_drawing.sheet import BASELINE, HALO, Sheet
from nbrank.charts.board_drawing.sizes import place_bounds
from nbrank.charts.text_metrics import max_text_width, text_width, wrap_text
from nbrank.findings.labels import format_percent, rule_title
from nbrank.votes.formatting import pluralize


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
    """Return the heading of the cells, as long as there is room for."""
    seen, size = page.overview, page.sizes.letters
    if seen.places is None:
        options = ["% won against each of the others, by rank", "% won against, by rank", "% won"]
    else:
        task = page.task_noun
        width = f"; width: its {'voters' if task == 'ballot' else 'weight'}"
        width *= page.has_unequal_shares
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
            sheet.text(heading.x, y, text, "ink", bold=heading.column.bold)
        sheet.close()


#: Widths of the marks of the key, as multiples of its font size.
_MARK_WIDTHS = {"best": 1.0, "dot": 1.2, "bar": 3.4, "ticks": 2.6, "missing": 1.9, "classes": 0.0}


def draw_foot(page: BoardLayout, sheet: Sheet, y: float, *, has_gaps: bool) -> float:
    """Draw how many more there are, the key and a note, from a height on; returns their end."""
    size, line = page.sizes.letters, page.sizes.line
    left = page.name_start
    if text := _rest(page):
        y += 1.5 * line
        sheet.text(left, y, text, "second", size)
    y = _draw_key(page, sheet, y + 1.9 * line, _key_items(page, has_gaps=has_gaps))
    size = page.sizes.letters
    room = page.width - 2 * page.sizes.margin - size
    notes = (page.cell_headings.legend, _explain_bars(page))
    lines = [line for note in notes if note for line in wrap_text(note, room, size)]
    for at, text in enumerate(lines):
        y += (1.25 if at else 1.6) * line
        sheet.text(page.sizes.text_start, y, text, "second", size)
    return y + 0.9 * line


def _rest(page: BoardLayout) -> str:
    """Say how many systems are not drawn, and whether one of them may be best."""
    more = page.n_systems - len(page.systems)
    if not more:
        return ""
    text = f"{more:,} more"
    if len(page.systems) == page.n_first and not page.sizes.is_narrow:
        hidden = [rank for system, rank in page.ranks.items() if system not in page.systems]
        low, high = min(hidden), max(hidden)
        text += f", ranked {low} to {high}" if low < high else f", ranked {low}"
    if page.best:
        others = len(page.best - set(page.systems))
        which = "none" if not others else "all" if others == more else str(others)
        text += f"; {which} of them may be best"
    return text


def _draw_key(page: BoardLayout, sheet: Sheet, y: float, items: Sequence[tuple[str, str]]) -> float:
    """Draw what each mark means, in as many lines as it takes; returns the last one's height."""
    size = page.sizes.letters
    x = start = page.sizes.text_start
    edge, apart = page.width - page.sizes.margin, 2.0 * size
    for kind, text in items:
        squares = _key_classes(page) if kind == "classes" else []
        marks = _MARK_WIDTHS[kind] * size + sum(wide for _, wide in squares)
        lines = [text] if squares else wrap_text(text, edge - start - marks, size)
        wide = marks + max_text_width(lines, size) + 0.5 * size
        if x > start and x + wide > edge:
            x, y = start, y + 2.0 * size
        if squares:
            sheet.text(x, y, text, "second", size)
            _draw_classes(page, sheet, x + text_width(text, size), y, squares)
        else:
            _draw_key_mark(page, sheet, kind, x, y - BASELINE * size)
            for at, line in enumerate(lines):
                sheet.text(x + marks, y + 1.25 * size * at, line, "second", size)
        x, y = x + wide + apart, y + 1.25 * size * (len(lines) - 1)
    return y


def _draw_classes(
    page: BoardLayout, sheet: Sheet, x: float, y: float, squares: Sequence[tuple[str, float]]
) -> None:
    """Draw the shades, each with the places that it stands for."""
    size = page.sizes.letters
    x += 0.5 * size
    for at, (label, wide) in enumerate(squares, 1):
        top = y - (BASELINE + 0.8) * size
        sheet.rect(x, top, wide - 1.5, 1.6 * size, f"p{at}", rx=2)
        sheet.text(x + wide / 2 - 0.75, y, label, f"t{at}", size, "middle", bold=at == 1)
        x += wide


def _draw_key_mark(page: BoardLayout, sheet: Sheet, kind: str, x: float, y: float) -> None:
    size = page.sizes.letters
    if kind == "best":
        sheet.dot(x + 0.33 * size, y, 0.33 * size, "best")
    elif kind == "bar":
        thick = 0.42 * size
        sheet.rect(x, y - thick / 2, 2.8 * size, thick, "bar", rx=thick / 2)
        sheet.dot(x + 1.0 * size, y, 0.37 * size, "ink", **HALO)
    elif kind == "dot":
        sheet.dot(x + 0.4 * size, y, 0.37 * size, "ink")
    elif kind == "ticks":
        for at in (0.1, 0.5, 0.7, 1.3, 1.9):
            sheet.line(x + at * size, y - 0.6 * size, x + at * size, y + 0.6 * size, "third", 0.8)
    elif kind == "missing":
        sheet.outline(x, y - 0.6 * size, 1.4 * size, 1.2 * size)


def _key_items(page: BoardLayout, *, has_gaps: bool) -> list[tuple[str, str]]:
    """Return the items of the key: the kind of mark, and its meaning."""
    seen, items = page.overview, []
    if page.best and seen.best is not None:
        sure = format_percent(1 - seen.best.attrs.get("delta", 0.05))
        items.append(("best", f"may be best, {sure}"))
    if page.rank_axis is not None:
        items.append(_rank_item(page))
    if page.rating_axis is not None:
        assert seen.ratings is not None
        sure = f", {seen.ratings.confidence_text}" * bool(seen.ratings.confidence_text)
        items.append(("bar", f"{seen.ratings.unit}{sure}"))
    if seen.places is not None and not page.columns:
        n_tasks = pluralize(len(page.cell_shares), page.task_noun)
        last = math.inf if page.rank_axis is None else page.rank_axis.maximum
        more = f", beyond {last:.0f} at the end" if last < page.n_systems else ""
        items.append(("ticks", f"places on {n_tasks}{more}"))
    if page.columns and seen.places is None:
        items.append(("classes", "% won by the row"))
    elif not page.sizes.is_narrow:
        items.append(("classes", "place or rank" if page.columns else "rank"))
    if has_gaps:
        what = "never met" if seen.places is None else "no score"
        items.append(("missing", what))
    # The longest comes last, so that two of the others share a line.
    return sorted(items, key=lambda item: item[0] == "bar") if page.sizes.is_narrow else items


def _rank_item(page: BoardLayout) -> tuple[str, str]:
    """Explain the dots on the axis of ranks, and the bars where there are rank sets."""
    rule, sets = rule_title(page.overview.rule), page.sets
    if sets is None:
        return "dot", f"rank by {rule}"
    if page.is_pending:
        return "bar", "ranks it may have: being computed …"
    by = rule_title(str(sets.attrs.get("rule") or page.overview.rule))
    sure = format_percent(1 - sets.attrs.get("delta", 0.05))
    if rule != by:
        return "bar", f"rank by {rule}; ranks it may have by {by}, {sure}"
    ghost = " (dashed: at the start)" * any(map(page.rank_before, page.systems))
    return "bar", f"rank by {by}{ghost}; ranks it may have, {sure} for all at once"


def _key_classes(page: BoardLayout) -> list[tuple[str, float]]:
    """Return the classes of places, or of shares, and the width of their squares."""
    size = page.sizes.letters
    if page.overview.places is None and page.columns:
        texts = ["80–100", "60–80", "40–60", "20–40", "0–20"]
    else:
        bounds = place_bounds(page.n_systems)
        texts = [
            f"{low + 1}–{high}" if high > low + 1 else f"{high}"
            for low, high in zip([0, *bounds], bounds, strict=False)
        ]
    return [
        (text, max(2.4 * size, text_width(text, size, bold=True) + 1.0 * size)) for text in texts
    ]


def _explain_bars(page: BoardLayout) -> str:
    """Explain why more of the drawn bars reach the first rank than systems may be best."""
    if page.sets is None or page.rank_axis is None or not page.best or page.sizes.is_narrow:
        return ""
    ends = zip(page.sets.index.tolist(), page.sets["low"].tolist(), strict=True)
    reach = {system for system, low in ends if low == 1}
    more = len(reach.intersection(page.systems).difference(page.best))
    bars = "bar reaches" if more == 1 else "bars reach"
    text = (
        f"{more} more {bars} rank 1, because they hold for all "
        f"{page.n_systems} systems at once. “May be best” asks about the first place alone, "
        "and is sharper."
    )
    if not reach.issuperset(page.best):
        return "Scores are skewed: “may be best” allows for that, and the bars do not."
    return text * (more > 0)
