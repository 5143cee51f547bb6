"""The cells of the picture: places on tasks or wins over opponents, their names, and a key."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

import altair as alt
import numpy as np
from numpy.typing import NDArray

from nbrank.charts.board_drawing.layout import LeaderboardLayout
from nbrank.charts.encodings import hover_opacity, tooltip_fields, x_encoding, y_encoding
from nbrank.charts.layers import make_layer, rotated_text_layer, text_layer
from nbrank.charts.palette import PLACE_COLORS, QUIET, SOFT
from nbrank.charts.text_metrics import text_width
from nbrank.charts.theme import SMALL
from nbrank.comparison.pairwise_wins import compared, pairwise
from nbrank.findings.labels import DisplayNames, format_percent
from nbrank.findings.overview import task_noun
from nbrank.votes.leaderboard import Leaderboard

#: The darker, the better; an empty cell is no place at all.
_SHADES = alt.Scale(
    domain=list(range(len(PLACE_COLORS) + 1)),
    range=["transparent", *(light for light, _ in PLACE_COLORS)],
)
_BOX = {**x_encoding("from", "to"), **y_encoding("above", "below")}
_SHADED = alt.Fill(field="shade", type="ordinal", scale=_SHADES, legend=None)


def place_layers(page: LeaderboardLayout) -> list[alt.Chart]:
    """The places on the tasks."""
    assert page.overview.places is not None
    task = task_noun(cast("Leaderboard", page.overview.votes))
    name = DisplayNames.from_labels(page.overview.places.columns).full
    order, shares = zip(*page.column_positions, strict=True)
    own = page.overview.places[[*order]]
    last = len(page.overview.votes.systems)
    observed = own.loc[page.systems].to_numpy()
    facts = {
        "task": list(map(name.__getitem__, order)),
        "place": observed,
        "of": own.notna().sum().to_numpy(),
        "weight": np.round(shares, 6),
    }
    tooltip = tooltip_fields("system:N", f"task:N={task}", "place", "of", "weight:.1%")
    # Which places each shade stands for: of many, several.
    shades, low, number = np.unique(
        -_place_shades(np.arange(1.0, last + 1), last), return_index=True, return_counts=True
    )
    spans = map(_format_place_range, (low + 1).tolist(), (low + number).tolist())
    key = dict(zip(spans, (-shades).tolist(), strict=True))
    absent, shade = np.isnan(observed), _place_shades(observed, last)
    cells = _cell_layers(page, absent, shade, facts, tooltip)
    return [
        *cells,
        *_legend_layers(page, f"place on the {task}", key, "missing" * bool(absent.any())),
    ]


def _format_place_range(low: int, high: int) -> str:
    return f"{low}–{high}" if high > low else f"{low}"


def win_layers(page: LeaderboardLayout) -> list[alt.Chart]:
    """How often each row beat each column; who stands in both is crossed out."""
    votes, systems = page.overview.votes, page.systems
    met = compared(votes).loc[systems, systems].to_numpy()
    with np.errstate(invalid="ignore"):
        share = pairwise(votes).loc[systems, systems].to_numpy() / met
    itself, never = np.eye(len(systems), dtype=bool), met == 0
    names = [page.names.full[system] for system in systems]
    says = [
        [_describe_record(name, other, *pair) for other, *pair in zip(names, *of_row, strict=True)]
        for name, *of_row in zip(names, share.tolist(), met.tolist(), strict=True)
    ]
    facts = {"opponent": names, "share": share, "says": np.array(says, dtype=object)}
    marks = [0, 25, 50, 75, 100]
    key = dict(zip(map(str, marks), _win_rate_shades(np.array(marks) / 100).tolist(), strict=True))
    absent = never & ~itself
    return [
        *_cell_layers(
            page, absent, _win_rate_shades(share), facts, tooltip_fields("says:N"), itself
        ),
        *_legend_layers(page, "% won by the row", key, "never met" * bool(absent.any())),
    ]


def _describe_record(one: str, other: str, share: float, met: float) -> str:
    if not met:
        return f"{one} and {other} never met"
    return f"{one} won {format_percent(share)} of {met:,.6g} against {other}"


def _cell_layers(
    page: LeaderboardLayout,
    absent: NDArray[np.bool_],
    shade: NDArray[np.int_],
    facts: dict[str, Any],
    tooltip: Any,
    itself: NDArray[np.bool_] | None = None,
) -> list[alt.Chart]:
    """Cells, systems x columns, with facts of them, and the names over the columns."""
    # On a live page, and of pairs, one can point at what is missing, too.
    shown = ~absent | (page.live is not None or itself is not None)
    crossed = np.zeros_like(absent) if itself is None else itself
    rows, columns = np.nonzero(shown & ~crossed)
    start = np.asarray(page.bounds[:-1])
    # Between neighbours stands a line of the ground, unless they are too narrow for it.
    wide = np.diff(page.bounds)
    end, low = start + wide - np.minimum(2.0, 0.15 * wide), page.step - min(2.0, 0.15 * page.step)

    def box(row: Any, column: Any, *, inside: float = 0.0) -> dict[str, Any]:
        """From where to where cells go, or lines that are so far inside of them."""
        top = page.top + row * page.step
        return {
            "from": np.round(start[column] + inside, 3),
            "to": np.round(end[column] - inside, 3),
            "above": top + inside,
            "below": top + low - inside,
        }

    data = {
        **page.row_fields(rows),
        **{name: np.broadcast_to(of, shown.shape)[rows, columns] for name, of in facts.items()},
        **box(rows, columns),
        "shade": np.where(absent, 0, shade)[rows, columns],
    }
    cells = make_layer(data).mark_rect(aria=shown.size <= 1000)
    cells["name"] = "cells"
    lines = make_layer(box(*np.nonzero(crossed), inside=2)).mark_rule(color=QUIET, tooltip=None)
    return [
        *[_outline_layer(box(*np.nonzero(absent), inside=0.5))] * bool(absent.any()),
        *[lines.encode(**_BOX)] * bool(crossed.any()),
        cells.encode(
            **_BOX, **hover_opacity(), fill=_SHADED,
            tooltip=tooltip,
        ),
        *_column_header_layers(page),
    ]  # fmt: skip


def _outline_layer(boxes: dict[str, Any]) -> alt.Chart:
    """Empty cells: no place is paler than the last one, and an outline tells them from it."""
    empty = make_layer(boxes).mark_rect(filled=False, stroke=QUIET, strokeWidth=1, tooltip=None)
    outlined: alt.Chart = empty.encode(**_BOX)
    return outlined


def _place_shades(places: NDArray[np.float64], last: int) -> NDArray[np.int_]:
    """From 1 for the last place to 9 for the first, with most steps among the first; 0 for none.

    Between two places, as where two are level, it is that of the better one: the key has no halves.
    """
    best = len(PLACE_COLORS)
    steps = best - (best - 1) * np.log(np.floor(places)) / math.log(max(2, last))
    return np.nan_to_num(np.rint(steps)).astype(int)


def _win_rate_shades(share: NDArray[np.float64]) -> NDArray[np.int_]:
    """From 1 for no win to 9 for nothing but wins; 0 for none."""
    return np.nan_to_num(np.rint(1 + (len(PLACE_COLORS) - 1) * share)).astype(int)


def _column_header_layers(page: LeaderboardLayout) -> list[alt.Chart]:
    """The names over the cells, a line over what each group has, and lines to names that moved."""
    foot = page.top - page.lead
    # A level name stands wholly above the line over its group, a slanted one with its corner.
    raised = {0: 11, 45: 9, 90: 6}[page.lean]
    shown = [(name, x, foot - raised) for name, _, x in page.heads]
    layers = [rotated_text_layer(shown, page.lean, page.letters)]
    ends = [(start + 1, end - 3) for _, start, end in page.spans]
    if len(page.spans) < len(page.column_positions):
        start, end = zip(*ends, strict=True)
        layers.append(_rule_layer(start, end, page.top - 4, page.top - 4, SOFT))
    if page.lead:
        _, above, below = zip(*page.heads, strict=True)
        layers.append(_rule_layer(above, below, page.top - 3, foot - 4, QUIET))
    return layers


def _rule_layer(
    start: Sequence[float], end: Sequence[float], above: float, below: float, colour: str
) -> alt.Chart:
    """Lines between two heights."""
    n, across = len(start), {"from": np.round(start, 3), "to": np.round(end, 3)}
    ends = make_layer({**across, "above": [above] * n, "below": [below] * n})
    drawn: alt.Chart = ends.mark_rule(color=colour, tooltip=None).encode(**_BOX)
    return drawn


def _legend_layers(
    page: LeaderboardLayout, caption: str, marks: dict[str, int], absent: str
) -> list[alt.Chart]:
    """Which shade is what, and how a cell looks of which nothing is known."""
    beside, more = text_width(caption, SMALL) + 10, text_width(absent, SMALL)
    room, y = page.cells[1] + page.look.gap / 2 - beside - more, page.bottom + 14
    # A figure and the dash are 0.56 of their size wide.
    wide = np.array([max(20.0, 0.56 * SMALL * len(mark) + 3) for mark in marks])
    spread, shown = room / wide.sum(), list(marks)
    if spread < 1:  # then it says what its ends are
        shown[1:-1] = [""] * (len(shown) - 2)
    wide *= min(1.2, spread)
    # Where the cells are narrow, it begins below the names.
    edges = min(page.cells[0], room - wide.sum()) + beside + np.cumsum([0.0, *wide])
    left, right = edges[:-1], edges[1:] - 2
    height = {"above": y - 6 + 0 * left, "below": y + 4 + 0 * left}
    shades = {"shade": [*marks.values()], "from": left, "to": right}
    squares = make_layer({**shades, **height}).mark_rect(tooltip=None)
    middles = ((left + right) / 2).tolist()
    numbers = [(mark, x, y + 14) for mark, x in zip(shown, middles, strict=True) if mark]
    middle = float(edges[-1]) + 5 + more / 2
    empty = {"from": [middle - 11], "to": [middle + 11], "above": [y - 6], "below": [y + 4]}
    numbers += [(absent, middle, y + 14)] * bool(absent)
    return [
        *[_outline_layer(empty)] * bool(absent),
        squares.encode(**_BOX, fill=_SHADED),
        text_layer(numbers, color=SOFT, fontSize=SMALL),
        text_layer(
            [(caption, float(edges[0]) - beside, y)], align="left", color=SOFT, fontSize=SMALL
        ),
    ]
