"""The cells of the picture: places on tasks or wins over opponents, their names, and a key."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

import altair as alt
import numpy as np
from numpy.typing import NDArray

from nbrank.charts.channels import at, down, fading, tips
from nbrank.charts.colours import PLACES, QUIET, SOFT
from nbrank.charts.data import layer_of, leaning, words
from nbrank.charts.picture_page import Page
from nbrank.charts.text import text_width
from nbrank.charts.theme import SMALL
from nbrank.findings.names import Names, in_percent
from nbrank.findings.overview import task_of
from nbrank.questions.pairwise import compared, pairwise
from nbrank.votes.leaderboard import Leaderboard

#: The darker, the better; an empty cell is no place at all.
_SHADES = alt.Scale(
    domain=list(range(len(PLACES) + 1)), range=["transparent", *(light for light, _ in PLACES)]
)
_BOX = {**at("from", "to"), **down("above", "below")}
_SHADED = alt.Fill(field="shade", type="ordinal", scale=_SHADES, legend=None)


def places(page: Page) -> list[alt.Chart]:
    """The places on the tasks."""
    assert page.seen.places is not None
    task = task_of(cast("Leaderboard", page.seen.votes))
    name = Names.of(page.seen.places.columns).whole
    order, shares = zip(*page.across, strict=True)
    own = page.seen.places[[*order]]
    last = len(page.seen.votes.systems)
    there = own.loc[page.systems].to_numpy()
    facts = {
        "task": list(map(name.__getitem__, order)),
        "place": there,
        "of": own.notna().sum().to_numpy(),
        "weight": np.round(shares, 6),
    }
    tooltip = tips("system:N", f"task:N={task}", "place", "of", "weight:.1%")
    # Which places each shade stands for: of many, several.
    shades, low, number = np.unique(
        -_shade(np.arange(1.0, last + 1), last), return_index=True, return_counts=True
    )
    spans = map(_from_to, (low + 1).tolist(), (low + number).tolist())
    key = dict(zip(spans, (-shades).tolist(), strict=True))
    absent, shade = np.isnan(there), _shade(there, last)
    cells = _cells(page, absent, shade, facts, tooltip)
    return [*cells, *_key(page, f"place on the {task}", key, "missing" * bool(absent.any()))]


def _from_to(low: int, high: int) -> str:
    return f"{low}–{high}" if high > low else f"{low}"


def wins(page: Page) -> list[alt.Chart]:
    """How often each row beat each column; who stands in both is crossed out."""
    votes, systems = page.seen.votes, page.systems
    met = compared(votes).loc[systems, systems].to_numpy()
    with np.errstate(invalid="ignore"):
        share = pairwise(votes).loc[systems, systems].to_numpy() / met
    itself, never = np.eye(len(systems), dtype=bool), met == 0
    names = [page.names.whole[system] for system in systems]
    says = [
        [_who_won(one, other, *pair) for other, *pair in zip(names, *of_row, strict=True)]
        for one, *of_row in zip(names, share.tolist(), met.tolist(), strict=True)
    ]
    facts = {"opponent": names, "share": share, "says": np.array(says, dtype=object)}
    marks = [0, 25, 50, 75, 100]
    key = dict(zip(map(str, marks), _share_shade(np.array(marks) / 100).tolist(), strict=True))
    absent = never & ~itself
    return [
        *_cells(page, absent, _share_shade(share), facts, tips("says:N"), itself),
        *_key(page, "% won by the row", key, "never met" * bool(absent.any())),
    ]


def _who_won(one: str, other: str, share: float, met: float) -> str:
    if not met:
        return f"{one} and {other} never met"
    return f"{one} won {in_percent(share)} of {met:,.6g} against {other}"


def _cells(
    page: Page,
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
        **page.of_rows(rows),
        **{name: np.broadcast_to(of, shown.shape)[rows, columns] for name, of in facts.items()},
        **box(rows, columns),
        "shade": np.where(absent, 0, shade)[rows, columns],
    }
    cells = layer_of(data).mark_rect(aria=shown.size <= 1000)
    cells["name"] = "cells"
    lines = layer_of(box(*np.nonzero(crossed), inside=2)).mark_rule(color=QUIET, tooltip=None)
    return [
        *[_outlined(box(*np.nonzero(absent), inside=0.5))] * bool(absent.any()),
        *[lines.encode(**_BOX)] * bool(crossed.any()),
        cells.encode(
            **_BOX, **fading(), fill=_SHADED,
            tooltip=tooltip,
        ),
        *_over_columns(page),
    ]  # fmt: skip


def _outlined(boxes: dict[str, Any]) -> alt.Chart:
    """Empty cells: no place is paler than the last one, and an outline tells them from it."""
    empty = layer_of(boxes).mark_rect(filled=False, stroke=QUIET, strokeWidth=1, tooltip=None)
    outlined: alt.Chart = empty.encode(**_BOX)
    return outlined


def _shade(places: NDArray[np.float64], last: int) -> NDArray[np.int_]:
    """From 1 for the last place to 9 for the first, with most steps among the first; 0 for none.

    Between two places, as where two are level, it is that of the better one: the key has no halves.
    """
    best = len(PLACES)
    steps = best - (best - 1) * np.log(np.floor(places)) / math.log(max(2, last))
    return np.nan_to_num(np.rint(steps)).astype(int)


def _share_shade(share: NDArray[np.float64]) -> NDArray[np.int_]:
    """From 1 for no win to 9 for nothing but wins; 0 for none."""
    return np.nan_to_num(np.rint(1 + (len(PLACES) - 1) * share)).astype(int)


def _over_columns(page: Page) -> list[alt.Chart]:
    """The names over the cells, a line over what each group has, and lines to names that moved."""
    foot = page.top - page.lead
    # A level name stands wholly above the line over its group, a slanted one with its corner.
    raised = {0: 11, 45: 9, 90: 6}[page.lean]
    shown = [(name, x, foot - raised) for name, _, x in page.heads]
    layers = [leaning(shown, page.lean, page.letters)]
    ends = [(start + 1, end - 3) for _, start, end in page.spans]
    if len(page.spans) < len(page.across):
        start, end = zip(*ends, strict=True)
        layers.append(_lines(start, end, page.top - 4, page.top - 4, SOFT))
    if page.lead:
        _, above, below = zip(*page.heads, strict=True)
        layers.append(_lines(above, below, page.top - 3, foot - 4, QUIET))
    return layers


def _lines(
    start: Sequence[float], end: Sequence[float], above: float, below: float, colour: str
) -> alt.Chart:
    """Lines between two heights."""
    n, across = len(start), {"from": np.round(start, 3), "to": np.round(end, 3)}
    ends = layer_of({**across, "above": [above] * n, "below": [below] * n})
    drawn: alt.Chart = ends.mark_rule(color=colour, tooltip=None).encode(**_BOX)
    return drawn


def _key(page: Page, said: str, marks: dict[str, int], absent: str) -> list[alt.Chart]:
    """Which shade is what, and how a cell looks of which nothing is known."""
    beside, more = text_width(said, SMALL) + 10, text_width(absent, SMALL)
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
    squares = layer_of({**shades, **height}).mark_rect(tooltip=None)
    middles = ((left + right) / 2).tolist()
    numbers = [(mark, x, y + 14) for mark, x in zip(shown, middles, strict=True) if mark]
    middle = float(edges[-1]) + 5 + more / 2
    empty = {"from": [middle - 11], "to": [middle + 11], "above": [y - 6], "below": [y + 4]}
    numbers += [(absent, middle, y + 14)] * bool(absent)
    return [
        *[_outlined(empty)] * bool(absent),
        squares.encode(**_BOX, fill=_SHADED),
        words(numbers, color=SOFT, fontSize=SMALL),
        words([(said, float(edges[0]) - beside, y)], align="left", color=SOFT, fontSize=SMALL),
    ]
