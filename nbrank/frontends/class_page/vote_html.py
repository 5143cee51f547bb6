"""The class page as HTML: a card for each rule, the duels, the rounds, and what changes them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from itertools import accumulate

import numpy as np

from nbrank.charts.text_metrics import cut_text, max_text_width
from nbrank.findings.labels import agree_verb, capitalize, join_labels, rule_title
from nbrank.frontends.class_page.vote_result import CARDS, VoteResult

#: How many options have a colour of their own; all others share the last.
_N_COLOURS = 5
_SHORT = {"instant_runoff": "runoff"}


def render_result(result: VoteResult) -> str:
    """Write all that some ballots come to."""
    first = [name for found in result.winners.values() for name in found]
    order = dict.fromkeys([*first, *result.scores["plurality"]])
    css = {name: f"o{min(number, _N_COLOURS - 1)}" for number, name in enumerate(order)}
    cards = "".join(_render_card(result, rule, css) for rule in CARDS)
    return (
        f"<h1>{escape(result.headline)}</h1><div class='cards'>{cards}</div>"
        f"{_render_further(result, css)}<div class='parts'>{_render_duels(result, css)}"
        f"{_render_rounds(result, css)}{_render_changes(result, css)}</div>"
    )


def render_notes(result: VoteResult) -> str:
    """Write how the text was read."""
    n, options = result.ballots.n_voters, join_labels(result.board.systems, 20)
    notes = [f"{n} ballots on {options}", *result.ballots.notes]
    return "".join(f"<p>{escape(note)}.</p>".replace("?.", "?") for note in notes)


def _render_card(result: VoteResult, rule: str, css: Mapping[str, str]) -> str:
    first, scores = result.winners[rule], result.scores[rule]
    best = css[first[0]] if len(first) == 1 else ""
    most = max(*scores.values(), 1e-9)
    rows = "".join(
        f"<tr{' class=won' if name in first else ''}><th>{escape(name)}</th><td><i "
        f'class="{css[name] if name in first else ""}" style="width:{70 * value / most:.1f}%"></i>'
        f"{value:.4g}</td></tr>"
        for name, value in scores.items()
    )
    long = sum(map(len, first)) > 14
    return (
        f'<section class="card {best}"><p><b>{capitalize(rule_title(rule))}</b>: '
        f"{CARDS[rule]}</p>"
        f"<h2{' class=long' * long}>{_render_names(first, css) or 'nobody'}</h2>"
        f"<p>{escape(result.explain(rule))}</p>"
        f"<table class='bars'>{rows}</table></section>"
    )


def _render_names(names: Sequence[str], css: Mapping[str, str]) -> str:
    return join_labels([f'<b class="name {css[name]}">{escape(name)}</b>' for name in names], 20)


def _render_further(result: VoteResult, css: Mapping[str, str]) -> str:
    by_winner: dict[tuple[str, ...], list[str]] = {}
    for rule, first in result.further.items():
        by_winner.setdefault(tuple(first), []).append(rule)
    listed = "; ".join(
        f"{_render_names(first, css)} by {escape(join_labels([rule_title(r) for r in rules], 20))}"
        for first, rules in by_winner.items()
    )
    return f"<p class='further'>Further rules: {listed}.</p>"


def _render_duels(result: VoteResult, css: Mapping[str, str]) -> str:
    first = result.winners["condorcet"]
    says = f"{_render_names(first, css) if first else 'No option'} beats all others."
    names, lead = list(css), result.lead
    drawn = draw_duels(result, css) if len(names) <= MAX_GRAPH else ""
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    rows = "".join(
        f"<tr><th>{escape(one)}</th>"
        + "".join(
            "<td>–</td>" if one == other else
            f"<td{' class=won' * (lead[one, other] > 0)}>{result.duels[one, other]:.4g}</td>"
            for other in names
        )
        + "</tr>"
        for one in names
    )  # fmt: skip
    table = (
        f"<div class='wide'><table class='duels'><tr><th>before</th>{head}</tr>{rows}</table></div>"
    )
    folded = f"<details><summary>as a table</summary>{table}</details>" if drawn else table
    return (
        f"<section><h3>Every duel: who beats whom?</h3><p>Thicker is clearer. {says}</p>"
        f"{drawn}{folded}</section>"
    )


def _render_rounds(result: VoteResult, css: Mapping[str, str]) -> str:
    return (
        "<section><h3>Round by round</h3><p>The last drops out; its voters go to their next "
        f"choice.</p>{draw_rounds(result, css)}</section>"
    )


def _render_changes(result: VoteResult, css: Mapping[str, str]) -> str:
    head = "".join(f"<th>{_SHORT.get(rule, rule_title(rule))}</th>" for rule in CARDS)
    rows = _render_row(
        "as it is", "", [_render_winner(result.winners[rule], css) for rule in CARDS]
    )
    for name, found in result.winners_without.items():
        same = [set(found[rule]) == set(result.winners[rule]) for rule in CARDS]
        cells = [
            "<td class='same'>same</td>" if alike else _render_winner(found[rule], css)
            for rule, alike in zip(CARDS, same, strict=True)
        ]
        rows += _render_row(name, css[name], cells)
    table = (
        "<div class='wide'><p>Take one option off the ballot:</p><table class='changes'><tr>"
        f"<th>without</th>{head}</tr>{rows}</table></div>"
    )
    says = "".join(f"<p>{escape(text)}</p>" for text in result.changes)
    return (
        f"<section><h3>What would change it?</h3>{table * bool(result.winners_without)}"
        f"<div>{says}</div></section>"
    )


def _render_row(title: str, colour: str, cells: Sequence[str]) -> str:
    return f'<tr><th class="name {colour}">{escape(title)}</th>{"".join(cells)}</tr>'


def _render_winner(first: Sequence[str], css: Mapping[str, str]) -> str:
    if len(first) != 1:
        return f"<td>{'a tie' if first else 'nobody'}</td>"
    return f'<td class="name {css[first[0]]}">{escape(first[0])}</td>'


_LETTERS, _WIDTH = 18, 440.0
#: More options stand in a table: of their arrows nobody reads the numbers.
MAX_GRAPH = 6
#: How high the bar of a round is, and what is above it; and how far it is to the next.
_BAR, _SAYS, _STEP = 54.0, 30.0, 138.0
_Point = tuple[float, float]


def draw_duels(result: VoteResult, classes: Mapping[str, str]) -> str:
    """Draw an arrow from the winner of each duel, as thick as it is clear."""
    won, lead, duels = result.scores["condorcet"], result.lead, result.duels
    names = list(won)
    boxes = _place_boxes(names)
    ends = {
        (a, b): (_line_start(*boxes[a], *boxes[b]), _line_start(*boxes[b], *boxes[a]))
        for (a, b), more in lead.items()
        if more > 0 or (more == 0 and names.index(a) < names.index(b))
    }
    lines, labels, taken = [], [], [(x, y) for x, y, _ in boxes.values()]
    # Of a short line only the middle is free, so that its number is placed first.
    for (a, b), line in sorted(ends.items(), key=lambda item: math.dist(*item[1])):
        css = f"edge {classes[a]}" if won[a] == len(names) - 1 else "edge"
        width = 1.5 + 5 * lead[a, b] / max(*lead.values(), 1)
        x, y = _find_free_place(*line, taken)
        taken.append((x, y))
        lines.append(f'<g class="{css}">{_draw_arrow(*line, width, level=not lead[a, b])}</g>')
        count = f"{duels[a, b]:.4g}:{duels[b, a]:.4g}"
        labels.append(f'<text class="{css}" x="{x:.1f}" y="{y + 6:.1f}">{count}</text>')
    nodes = [
        _draw_block(name, classes[name], x - half, y - 19, 2 * half, 38, [_shorten_name(name)], 19)
        for name, (x, y, half) in boxes.items()
    ]
    return _draw_svg("who beats whom", 400, [*lines, *labels, *nodes])


def _place_boxes(names: list[str]) -> dict[str, tuple[float, float, float]]:
    """Place the options round a circle, from the top on: their middles, and half their widths."""
    boxes = {}
    for number, name in enumerate(names):
        turn = 2 * math.pi * number / len(names) - math.pi / (4 if len(names) == 4 else 2)
        half = max_text_width([_shorten_name(name)], _LETTERS, bold=True) / 2 + 13
        # Those above and below stand farther out than on a circle.
        across = round(math.cos(turn), 9)
        across = math.copysign(abs(across) ** 0.4, across)
        x = _WIDTH / 2 + (_WIDTH / 2 - half) * across
        boxes[name] = x, 200 + 178 * math.sin(turn), half
    return boxes


def _shorten_name(name: str) -> str:
    return cut_text(name, 150, _LETTERS, bold=True)


def _line_start(x: float, y: float, half: float, x2: float, y2: float, _: float) -> _Point:
    """Return where the line to another option leaves the box of the first."""
    dx, dy = x2 - x, y2 - y
    share = min((half + 5) / max(abs(dx), 1e-9), 24 / max(abs(dy), 1e-9), 0.45)
    return x + share * dx, y + share * dy


def _find_free_place(start: _Point, end: _Point, taken: list[_Point]) -> _Point:
    """Return the place on a line that is farthest from all numbers and boxes."""
    shares = np.array([0.5, 0.44, 0.56, 0.38, 0.62, 0.32, 0.68, 0.26])[:, None]
    places = np.array(start) + shares * (np.array(end) - np.array(start))
    # A number is twice as wide as high.
    away = (places[:, None] - np.array(taken)) / [2, 1]
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


def draw_rounds(result: VoteResult, classes: Mapping[str, str]) -> str:
    """Draw a bar of voters for each round, and where the votes of those who go move."""
    rounds, scale = result.rounds, _WIDTH / result.ballots.n_voters
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


def _draw_band(x: float, x2: float, wide: float, top: float, css: str) -> str:
    low, bend = top + _STEP - _BAR, top + (_STEP - _BAR) / 2
    right, right2 = x + wide, x2 + wide
    return (
        f'<path class="{css}" d="M{x:.1f} {top:g} C{x:.1f} {bend:g} {x2:.1f} {bend:g} {x2:.1f} '
        f"{low:g} H{right2:.1f} C{right2:.1f} {bend:g} {right:.1f} {bend:g} {right:.1f} "
        f'{top:g} z"/>'
    )


def _draw_svg(label: str, height: float, parts: list[str]) -> str:
    return (
        f'<svg viewBox="0 0 {_WIDTH:g} {height:g}" role="img" aria-label="{label}">'
        f"{''.join(parts)}</svg>"
    )
