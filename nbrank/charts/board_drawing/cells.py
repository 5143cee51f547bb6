"""The cells of the picture: places on tasks with scores, or wins over opponents."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from html import escape
from typing import cast

import numpy as np
from numpy.typing import NDArray

from nbrank.charts.board_drawing.layout import BoardLayout
from nbrank.charts.board_drawing.sizes import place_class, share_class
from nbrank.charts.text_metrics import text_width
from nbrank.comparison.pairwise_wins import compared, pairwise
from nbrank.findings.labels import format_percent
from nbrank.votes.leaderboard import Leaderboard


@dataclass(frozen=True)
class Cell:
    """A cell: its class from 1 to 5, or None where nothing is known; its text, and what it says."""

    shade: int | None
    text: str
    says: str
    is_itself: bool = False

    @cached_property
    def title(self) -> str:
        """What it says, as SVG."""
        return f"<title>{escape(self.says)}</title>"


def compute_cells(page: BoardLayout) -> list[list[Cell]]:
    """The cells of each row, in the order of the columns."""
    if not page.columns:
        return []
    return _win_cells(page) if page.overview.places is None else _place_cells(page)


def shared_places(page: BoardLayout) -> NDArray[np.float64]:
    """The places on the tasks: who shares some has the first of them, as with shared ranks."""
    assert page.overview.places is not None
    places = page.overview.places.to_numpy(dtype=float)[:, page.task_positions]
    columns = [np.searchsorted(np.sort(column), column) + 1.0 for column in places.T]
    first: NDArray[np.float64] = np.where(np.isnan(places), np.nan, np.array(columns).T)
    return first


def place_marks(page: BoardLayout) -> list[list[float]] | None:
    """The places of each system on the tasks, where they are marks on the axis of ranks."""
    if page.columns or page.overview.places is None:
        return None
    places = shared_places(page)[page.table_rows]
    return [[place for place in row if not math.isnan(place)] for row in places.tolist()]


def _place_cells(page: BoardLayout) -> list[list[Cell]]:
    assert page.overview.places is not None
    board = cast("Leaderboard", page.overview.votes)
    ballots, size = page.task_noun == "ballot", page.sizes.small
    places = shared_places(page)
    scores = board.task_scores().to_numpy(dtype=float)[page.table_rows][:, page.task_positions]
    columns = []
    for at, column in enumerate(page.columns):
        values = None if ballots else scores[:, at].tobytes()
        every, shown = places[:, at].tobytes(), page.table_rows.tobytes()
        cells, widest = _column_cells(column.full_name, every, shown, values, size)
        fits = widest <= column.end - column.start - 2
        columns.append(cells if fits else [replace(cell, text="") for cell in cells])
    return [list(row) for row in zip(*columns, strict=True)]


@lru_cache(256)
def _column_cells(
    name: str, places: bytes, shown: bytes, scores: bytes | None, size: float
) -> tuple[list[Cell], float]:
    """The cells of a task, and how wide the widest text is: a moved weight changes none of them.

    `places` are those of all systems, `shown` the rows that are drawn. Of ballots, which have no
    scores, the places are written.
    """
    every = np.frombuffer(places)
    ranks, number = every[np.frombuffer(shown, np.intp)].tolist(), Counter(every.tolist())
    of = int(np.isfinite(every).sum())
    values = ranks if scores is None else np.frombuffer(scores).tolist()
    if scores is None:
        texts = ["" if math.isnan(rank) else f"{rank:g}" for rank in ranks]
    else:
        texts = format_scores(values)
    cells = []
    for rank, value, text in zip(ranks, values, texts, strict=True):
        if math.isnan(rank):
            cells.append(Cell(None, "", f"{name}: no score"))
            continue
        others = f", shared by {number[rank]}" if number[rank] > 1 else ""
        score = "" if scores is None else f"{value:.6g}, ".replace("-", "−")
        says = f"{name}: {score}place {rank:g} of {of}{others}"
        cells.append(Cell(place_class(rank, len(every)), text, says))
    # If one of them doesn't fit, none is written.
    widest = max(text_width(cell.text, size, bold=cell.shade == 1) for cell in cells)
    return cells, widest


def _win_cells(page: BoardLayout) -> list[list[Cell]]:
    """How often each row beat each column; nothing of a system against itself."""
    votes, systems = page.overview.votes, page.systems
    met = compared(votes).loc[systems, systems].to_numpy()
    with np.errstate(invalid="ignore", divide="ignore"):
        share = pairwise(votes).loc[systems, systems].to_numpy() / met
    names = [page.names[system] for system in systems]
    size = page.sizes.small
    fits = page.columns[0].end - page.columns[0].start - 2 >= text_width("100", size, bold=True)
    rows = []
    for at, name in enumerate(names):
        row = []
        for other, won, number in zip(names, share[at].tolist(), met[at].tolist(), strict=True):
            if name == other:
                row.append(Cell(None, "", name, is_itself=True))
            elif not number:
                row.append(Cell(None, "", f"{name} and {other} never met"))
            else:
                says = f"{name} won {format_percent(won)} of {number:,.6g} against {other}"
                text = f"{100 * won:.0f}" if fits else ""
                row.append(Cell(share_class(won), text, says))
        rows.append(row)
    return rows


def format_scores(values: list[float]) -> list[str]:
    """Write the scores of a task with as many decimals as they need: 93.5, 0.71, 1203."""
    known = [value for value in values if math.isfinite(value)]
    most = max(map(abs, known), default=0.0)
    whole = all(value == round(value) for value in known)
    digits = 0 if whole or most >= 1000 else 1 if most >= 10 else 2
    if most >= 1e5:
        return [f"{value:.2g}" if math.isfinite(value) else "" for value in values]
    return [
        ""
        if not math.isfinite(value)
        else "100"
        if value == 100
        else f"{value + 0.0:.{digits}f}".replace("-", "−")
        for value in values
    ]
