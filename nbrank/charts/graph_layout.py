"""Draw who beats whom on a majority: an arrow for each win, or for what goes against the order."""

from __future__ import annotations

import math
from typing import Any, Literal

import altair as alt
import numpy as np

from nbrank import tournament
from nbrank.charts.axes import WIDEST_FONT, assign_lanes, layer_charts
from nbrank.charts.encodings import (
    quantitative,
    text_encoding,
    tooltip_fields,
    x_encoding,
    y_encoding,
)
from nbrank.charts.layers import make_layer, text_layer
from nbrank.charts.palette import FAINT, INK, LEADER, PAPER, QUIET, SOFT
from nbrank.charts.text_metrics import max_text_width, text_width
from nbrank.charts.theme import SMALL
from nbrank.comparison.pairwise_wins import compared
from nbrank.findings.labels import abbreviate_labels, unique_label_texts
from nbrank.rules.majority import copeland
from nbrank.votes.formatting import pluralize
from nbrank.votes.leaderboard import VotesLike, as_votes
from nbrank.votes.table.task_options import Groups, LowerIsBetter, Weights
from nbrank.votes.table.validation import validate_integer

#: More systems stand below each other: their arrows would cover a circle.
_MAX_CIRCLE_NODES = 7
_LETTERS = 11
#: The winner and the loser of a pair, by their places in the drawing, and the margin.
_Wins = dict[tuple[int, int], float]
#: Two that don't beat each other, and whether they met.
_UndecidedPairs = list[tuple[int, int, bool]]
#: What is drawn, how wide, and how high.
_Drawing = tuple[list[alt.Chart], float, float]
TextAlign = Literal["left", "center", "right"]


def majority_graph(
    scores: VotesLike,
    *,
    max_systems: int = 12,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> alt.LayerChart:
    """Draw who beats whom on a majority of the tasks: an arrow from winner to loser.

    Parameters
    ----------
    scores
        A frame of scores, a leaderboard, comparisons, or a tally.
    max_systems
        How many systems to draw at most, a whole number from 1 on: the first by `copeland`.
    weights, groups, lower_is_better
        As for `nbrank.Leaderboard`.

    Returns
    -------
    altair.LayerChart
        Up to seven systems stand on a circle, in the order of their Copeland scores, with an arrow
        from each winner to each loser and its margin on it. More systems stand below each other in
        that order: each beats all below it, except where an arrow points up. Dotted lines join two
        that are level or never met. A system without any score is not drawn.

    Raises
    ------
    TypeError, ValueError
        As `nbrank.Leaderboard`; also if `max_systems` is no whole number from 1 on.

    Examples
    --------
    >>> from nbrank.datasets import load_toy_votes
    >>> chart = majority_graph(load_toy_votes())
    """
    max_systems = validate_integer("charts.majority_graph", "max_systems", max_systems)
    votes = as_votes(scores, weights=weights, groups=groups, lower_is_better=lower_is_better)
    scored = copeland(votes)["score"]
    ranked = scored.index[np.isfinite(scored)]
    systems = list(ranked[:max_systems])
    place = {system: position for position, system in enumerate(systems)}
    edges = tournament.majority_graph(votes)
    wins = {
        (place[winner], place[loser]): float(margin)
        for winner, loser, margin in edges.itertuples(index=False, name=None)
        if winner in place and loser in place
    }
    met = compared(votes).reindex(index=systems, columns=systems).to_numpy() > 0
    apart = [
        (above, below, bool(met[above, below]))
        for above in range(len(systems))
        for below in range(above + 1, len(systems))
        if (above, below) not in wins and (below, above) not in wins
    ]
    left_out, unscored = len(ranked) - len(systems), len(scored) - len(ranked)
    in_order = len(systems) > _MAX_CIRCLE_NODES
    against = in_order and any(winner > loser for winner, loser in wins)
    notes = {
        f"the first {len(systems)} by Copeland; {left_out} more not drawn": left_out,
        f"{pluralize(unscored, 'system')} without a score not drawn": unscored,
        "each beats all below it" + ", but for the arrows" * against: in_order,
        "a number is the margin": against or (wins and not in_order),
        "dotted: level": any(both for *_, both in apart),
        "dotted and pale: never met": any(not both for *_, both in apart),
    }
    draw = _ordered_layout if in_order else _circle_layout
    layers, width, height = draw(systems, wins, apart)
    # Who beats all others is the first by Copeland.
    beaten = int((edges["winner"] == ranked[0]).sum()) if len(ranked) else 0
    title = "No system beats every other one against one"
    if len(ranked) == 1:
        title = f"{abbreviate_labels(systems)[0]} is the only system"
    elif beaten == len(ranked) - 1:
        title = f"{abbreviate_labels(systems)[0]} beats every other system one against one"
    text = "; ".join(note for note, holds in notes.items() if holds)
    return layer_charts(layers, width=width, height=height, title=title, subtitle=text, frame=False)


def _circle_layout(systems: list[Any], wins: _Wins, apart: _UndecidedPairs) -> _Drawing:
    """Everybody on a circle, and an arrow for each win."""
    names, brief, n = unique_label_texts(systems), abbreviate_labels(systems), len(systems)
    radius = 126 + 10 * n
    angle = 2 * np.pi * np.arange(n) / n
    x, y = radius * np.sin(angle), -radius * np.cos(angle)
    # A name stands outside its node, so that no arrow crosses it: on the right, the left, or above.
    align: list[TextAlign] = [
        "center" if abs(x_encoding) < 1 else "left" if x_encoding > 0 else "right"
        for x_encoding in x
    ]
    room = [WIDEST_FONT * text_width(name, _LETTERS) + 16 for name in brief]
    share = {"left": (0, 1), "center": (0.5, 0.5), "right": (1, 0)}
    left = min(x[k] - max(10, share[align[k]][0] * room[k]) for k in range(n))
    right = max(x[k] + max(10, share[align[k]][1] * room[k]) for k in range(n))
    x, y = x - left, y - min(y) + 28
    i, j = np.array(list(wins), dtype=int).reshape(-1, 2).T
    dx, dy = x[j] - x[i], y[j] - y[i]
    length = np.hypot(dx, dy)
    across, up = (
        np.array(_place_line_labels(list(zip(x[i], y[i], dx, dy, strict=True)))).reshape(-1, 2).T
    )
    # The line stops short of the node, where the arrowhead sits.
    lines = {
        "x": x[i],
        "y": y[i],
        "x2": x[j] - dx / length * 13,
        "y2": y[j] - dy / length * 13,
        "across": across,
        "up": up,
        "angle": np.degrees(np.arctan2(dx, -dy)) % 360,
    }
    first, other = np.array([pair[:2] for pair in apart], dtype=int).reshape(-1, 2).T
    ends = {"x": x[first], "y": y[first], "x2": x[other], "y2": y[other]}
    nodes = make_layer({"system": names, "place": np.arange(1, n + 1), "x": x, "y": y})
    dots = nodes.mark_circle(size=150, color=LEADER, opacity=1)
    beside = {"left": 12, "center": 0, "right": -12}
    above = np.where(np.abs(x - x[0]) < 1, np.where(y < y.mean(), -18, 18), 0)
    texts = [
        text_layer(
            [(brief[k], float(x[k]) + beside[align[k]], float(y[k] + above[k]))],
            align=align[k],
            fontSize=_LETTERS,
        )
        for k in range(n)
    ]
    layers = [
        *_undecided_layers(names, apart, ends),
        *_arrow_layers(names, wins, lines),
        dots.encode(
            **x_encoding("x"), **y_encoding("y"), tooltip=tooltip_fields("system:N", "place")
        ),
        *texts,
    ]
    return layers, float(right - left), float(max(y)) + 28


def _place_line_labels(lines: list[tuple[float, float, float, float]]) -> list[tuple[float, float]]:
    """A place for a number on each line, nearer to its beginning, apart from all other numbers."""
    taken: list[tuple[float, float]] = []
    for x, y, dx, dy in lines:
        places = [(x + dx * share, y + dy * share) for share in (0.36, 0.3, 0.42, 0.25, 0.47)]
        free = (
            x_encoding
            for x_encoding in places
            if all(math.dist(x_encoding, other) > 20 for other in taken)
        )
        taken.append(next(free, places[0]))
    return taken


def _ordered_layout(systems: list[Any], wins: _Wins, apart: _UndecidedPairs) -> _Drawing:
    """Everybody below each other; beside them, in lanes, what goes against that order."""
    names, brief, n = unique_label_texts(systems), abbreviate_labels(systems), len(systems)
    y = np.array([30.0 + 22 * place for place in range(n)])
    won = [sum(winner == place for winner, _ in wins) for place in range(n)]
    lost = [sum(loser == place for _, loser in wins) for place in range(n)]
    score = [f"{a} : {b}" for a, b in zip(won, lost, strict=True)]
    up = sorted((pair for pair in wins if pair[0] > pair[1]), key=lambda pair: pair[::-1])
    spans = [(float(high), float(low)) for low, high in up]
    lane = assign_lanes(spans + [(float(a), float(b)) for a, b, _ in apart], 0)
    texts = max_text_width(brief, _LETTERS) + max_text_width([*score, "won : lost"], _LETTERS)
    first = WIDEST_FONT * texts + 40
    x = np.array([first + 32 * number for number in lane])
    end = max(x, default=first) + 24
    of_wins, of_apart = x[: len(up)], x[len(up) :]
    low, high = np.array(up, dtype=int).reshape(-1, 2).T
    lines = {
        "x": of_wins,
        "y": y[low],
        "x2": of_wins,
        "y2": y[high] + 5,
        "across": of_wins + 10,
        "up": (y[low] + y[high]) / 2,
        "angle": np.zeros(len(up)),
    }
    array, other = np.array([pair[:2] for pair in apart], dtype=int).reshape(-1, 2).T
    ends = {"x": of_apart, "y": y[array], "x2": of_apart, "y2": y[other]}
    wide = WIDEST_FONT * max_text_width(brief, _LETTERS)
    data = {
        "system": names,
        "brief": brief,
        "score": score,
        "y": y,
        "name": [wide] * n,
        "beside": [wide + 12] * n,
        "start": [first - 14] * n,
        "end": [end] * n,
    }
    rows = make_layer(data).encode(
        **y_encoding("y"), tooltip=tooltip_fields("system:N", "score:N=won : lost")
    )
    names_there = rows.mark_text(align="right", fontSize=_LETTERS, color=INK)
    scores = rows.mark_text(align="left", fontSize=_LETTERS, color=SOFT)
    layers = [
        rows.mark_rule(color=FAINT).encode(**x_encoding("start", "end")),
        names_there.encode(**x_encoding("name"), **text_encoding("brief")),
        scores.encode(**x_encoding("beside"), **text_encoding("score")),
        text_layer([("won : lost", wide + 12, 8)], align="left", color=SOFT, fontSize=SMALL),
        *_undecided_layers(names, apart, ends),
        *_arrow_layers(names, {pair: wins[pair] for pair in up}, lines),
    ]
    return layers, float(end), float(y[-1]) + 16


def _arrow_layers(names: list[str], wins: _Wins, lines: dict[str, Any]) -> list[alt.Chart]:
    """Arrows from winners to losers, with their margins on them."""
    data = {
        "winner": [names[winner] for winner, _ in wins],
        "loser": [names[loser] for _, loser in wins],
        "margin": list(wins.values()),
        "says": [f"{margin:.3g}" for margin in wins.values()],
    }
    base = make_layer(data | lines).encode(tooltip=tooltip_fields("winner:N", "loser:N", "margin"))
    turned = alt.Angle(**quantitative("angle"), scale=alt.Scale(domain=[0, 360], range=[0, 360]))
    heads = base.mark_point(shape="triangle", filled=True, size=70, color=SOFT, opacity=1)
    numbers = base.encode(**x_encoding("across"), **y_encoding("up"), **text_encoding("says"))
    return [
        base.mark_rule(color=QUIET).encode(**x_encoding("x", "x2"), **y_encoding("y", "y2")),
        heads.encode(**x_encoding("x2"), **y_encoding("y2"), angle=turned),
        # The ground around a number, on which it can be read across lines.
        numbers.mark_text(fontSize=_LETTERS, stroke=PAPER, strokeWidth=5, strokeJoin="round"),
        numbers.mark_text(fontSize=_LETTERS, color=INK),
    ]


def _undecided_layers(
    names: list[str], apart: _UndecidedPairs, ends: dict[str, Any]
) -> list[alt.Chart]:
    """Dotted lines between those who are level, fainter ones between those who never met."""
    data = {
        "system": [names[item] for item, _, _ in apart],
        "other": [names[other] for _, other, _ in apart],
        "what": ["level" if met else "never met" for *_, met in apart],
    }
    colour = alt.ColorValue(QUIET, condition={"test": "datum.what == 'level'", "value": SOFT})
    lines = make_layer(data | ends).mark_rule(strokeDash=[2, 4], strokeWidth=1.5)
    lines = lines.encode(color=colour, tooltip=tooltip_fields("system:N", "other:N", "what:N"))
    return [lines.encode(**x_encoding("x", "x2"), **y_encoding("y", "y2"))] * bool(apart)
