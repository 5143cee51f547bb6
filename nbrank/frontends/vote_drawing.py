"""Drawings of votes that stand on pages: who beats whom, and the rounds of an elimination."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate
from pathlib import Path

import numpy as np

from nbrank.charts.text_metrics import cut_text, max_text_width, wrap_name
from nbrank.findings.labels import agree_verb, join_labels

#: Font size and width of a drawing.
_LETTERS, _WIDTH = 18, 440.0
#: Maximum number of systems in a graph; with more, its numbers would be illegible, and a table is
#: shown.
MAX_GRAPH = 6
#: The look of these drawings on a page.
VOTE_STYLE = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
#: Heights of a round's bar and of the text above it, and the distance to the next round.
_BAR, _SAYS, _STEP = 54.0, 30.0, 138.0
_Point = tuple[float, float]
#: Middle of a box, and half its width and height.
_Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Round:
    """The votes of the options left, who goes, and how many votes move from whom to whom."""

    votes: dict[str, float]
    eliminated: list[str]
    transfers: dict[tuple[str, str], float]


def draw_majorities(wins: Mapping[tuple[str, str], float], classes: Mapping[str, str]) -> str:
    """Draw an arrow from the winner of each pair, as thick as it is clear.

    `wins` has how often the first of two beats the second; two that never met have no line. Who has
    no class of its own has "all" if it beats all others.
    """
    lead = {(a, b): number - wins[b, a] for (a, b), number in wins.items()}
    won = {a: sum(more > 0 for (one, _), more in lead.items() if one == a) for a, _ in wins}
    names = sorted(won, key=lambda name: -won[name])
    css = {name: "all" * (won[name] == len(names) - 1) for name in names} | dict(classes)
    boxes = _place_boxes(names)
    ends = {
        (a, b): (_line_start(boxes[a], boxes[b]), _line_start(boxes[b], boxes[a]))
        for (a, b), more in lead.items()
        if more > 0 or (more == 0 and wins[a, b] and names.index(a) < names.index(b))
    }
    lines, labels, taken = [], [], [(x, y) for x, y, *_ in boxes.values()]
    # The numbers of short lines are placed first, because only the middle of such a line is free.
    for (a, b), line in sorted(ends.items(), key=lambda item: math.dist(*item[1])):
        look = f"edge {css[a]}" if won[a] == len(names) - 1 else "edge"
        width = 1.5 + 5 * lead[a, b] / max(*lead.values(), 1)
        x, y = _find_free_place(*line, taken)
        taken.append((x, y))
        lines.append(f'<g class="{look}">{_draw_arrow(*line, width, level=not lead[a, b])}</g>')
        count = f"{wins[a, b]:.4g}:{wins[b, a]:.4g}"
        labels.append(f'<text class="{look}" x="{x:.1f}" y="{y + 6:.1f}">{count}</text>')
    nodes = [
        _draw_block(name, css[name], x - half, y - up, 2 * half, 2 * up, _wrap(name), 19)
        for name, (x, y, half, up) in boxes.items()
    ]
    return _draw_svg("who beats whom", 400, [*lines, *labels, *nodes])


def _wrap(name: str) -> list[str]:
    return wrap_name(name, 130, _LETTERS, bold=True)


def _place_boxes(names: list[str]) -> dict[str, _Box]:
    """Place the systems round a circle, from the top on."""
    boxes = {}
    for number, name in enumerate(names):
        turn = 2 * math.pi * number / len(names) - math.pi / (4 if len(names) == 4 else 2)
        half = max_text_width(_wrap(name), _LETTERS, bold=True) / 2 + 13
        # Names above and below are farther out than on a circle.
        across = round(math.cos(turn), 9)
        across = math.copysign(abs(across) ** 0.4, across)
        x = _WIDTH / 2 + (_WIDTH / 2 - half) * across
        boxes[name] = x, 200 + 171 * math.sin(turn), half, 9.0 + 10 * len(_wrap(name))
    return boxes


def _line_start(box: _Box, other: _Box) -> _Point:
    """Return where the line to another system leaves the box of the first."""
    x, y, half, up = box
    dx, dy = other[0] - x, other[1] - y
    share = min((half + 5) / max(abs(dx), 1e-9), (up + 5) / max(abs(dy), 1e-9), 0.45)
    return x + share * dx, y + share * dy


def _find_free_place(start: _Point, end: _Point, taken_places: list[_Point]) -> _Point:
    """Return the place on a line that is farthest from all numbers and boxes."""
    shares = np.array([0.5, 0.44, 0.56, 0.38, 0.62, 0.32, 0.68, 0.26])[:, None]
    places = np.array(start) + shares * (np.array(end) - np.array(start))
    # A number is twice as wide as it is high.
    away = (places[:, None] - np.array(taken_places)) / [2, 1]
    x, y = places[np.hypot(away[..., 0], away[..., 1]).min(axis=1).clip(max=30).argmax()]
    return float(x), float(y)


def _draw_arrow(start: _Point, end: _Point, width: float, *, level: bool) -> str:
    (x, y), (x2, y2), length = start, end, math.dist(start, end)
    dx, dy, size = (x2 - x) / length, (y2 - y) / length, 9 + width
    if level:
        return f'<path d="M{x:.1f} {y:.1f} L{x2:.1f} {y2:.1f}" stroke-dasharray="3 5"/>'
    across, up = size / 2 * dy, size / 2 * dx
    x1, y1 = x2 - size * dx, y2 - size * dy
    return (
        f'<path d="M{x:.1f} {y:.1f} L{x1:.1f} {y1:.1f}" stroke-width="{width:.1f}"/><polygon points'
        f'="{x2:.1f},{y2:.1f} {x1 + across:.1f},{y1 - up:.1f} {x1 - across:.1f},{y1 + up:.1f}"/>'
    )


def draw_rounds(rounds: Sequence[Round], classes: Mapping[str, str]) -> str:
    """Draw a bar of voters for each round, and where the votes of those who go move."""
    scale = _WIDTH / sum(rounds[0].votes.values())
    gone = [name for played in rounds for name in played.eliminated]
    order = [*(name for name in classes if name not in gone), *gone[::-1]]
    bars, bands = [], []
    for number, played in enumerate(rounds):
        top = number * _STEP
        says = f"{join_labels(played.eliminated)} {agree_verb('goes', len(played.eliminated))}"
        says = cut_text(
            f"Round {number + 1}: {says if played.eliminated else 'level'}", _WIDTH, _LETTERS
        )
        bars.append(f'<text x="0" y="{top + 20:.1f}">{escape(says)}</text>')
        starts = _place_blocks(played.votes, scale, order)
        for name, x in starts.items():
            wide, count = played.votes[name] * scale, f"{played.votes[name]:.4g}"
            choices = ([f"{name} {count}"], [name, count], [count])
            fitting = (c for c in choices if max_text_width(c, _LETTERS, bold=True) < wide - 5)
            lines = next(fitting, [])
            block = x + 1, top + _SAYS, max(wide - 2, 0), _BAR, lines
            bars.append(_draw_block(f"{name}: {count}", classes[name], *block))
        if number + 1 < len(rounds):
            ends = _place_blocks(rounds[number + 1].votes, scale, order)
            for name, end in ends.items():
                sources = [(name, played.votes[name], "stays")]
                sources += [
                    (out, played.transfers[out, name], "moves") for out in played.eliminated
                ]
                for source, votes, css in sources:
                    start, wide = starts[source], votes * scale
                    low = top + _SAYS + _BAR
                    bands.append(_draw_band(start, end, wide, low, f"{css} {classes[source]}"))
                    starts[source], end = start + wide, end + wide
    return _draw_svg("round by round", len(rounds) * _STEP - 50, [*bands, *bars])


def _place_blocks(votes: Mapping[str, float], scale: float, order: list[str]) -> dict[str, float]:
    """Map each option to where its block begins."""
    there = [name for name in order if name in votes]
    ends = accumulate(votes[name] * scale for name in there)
    return dict(zip(there, [0.0, *ends], strict=False))


def _draw_band(x: float, x2: float, wide: float, top: float, css: str) -> str:
    low, bend = top + _STEP - _BAR, top + (_STEP - _BAR) / 2
    right, right2 = x + wide, x2 + wide
    return (
        f'<path class="{css}" d="M{x:.1f} {top:g} C{x:.1f} {bend:g} {x2:.1f} {bend:g} {x2:.1f} '
        f"{low:g} H{right2:.1f} C{right2:.1f} {bend:g} {right:.1f} {bend:g} {right:.1f} "
        f'{top:g} z"/>'
    )


def _draw_block(
    title: str,
    css: str,
    x: float,
    y: float,
    wide: float,
    high: float,
    lines: list[str],
    radius: int = 0,
) -> str:
    first = y + high / 2 + 6.5 - 10 * (len(lines) - 1)
    texts = "".join(
        f'<text x="{x + wide / 2:.1f}" y="{first + 20 * row:.1f}">{escape(line)}</text>'
        for row, line in enumerate(lines)
    )
    return (
        f'<g class="block {css}"><title>{escape(title)}</title><rect x="{x:.1f}" y="{y:.1f}" '
        f'width="{wide:.1f}" height="{high:g}" rx="{radius}"/>{texts}</g>'
    )


def _draw_svg(label: str, height: float, parts: list[str]) -> str:
    return (
        f'<svg class="votes" viewBox="0 0 {_WIDTH:g} {height:g}" role="img" aria-label="{label}">'
        f"{''.join(parts)}</svg>"
    )
