"""Draw who beats whom on a majority: an arrow for each win, or for what goes against the order."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any, Literal

import altair as alt
import numpy as np

from nbrank import tournament
from nbrank.arrays.typing import Floats
from nbrank.charts.axes import WIDEST_FONT, layer_charts
from nbrank.charts.layers import (
    make_layer,
    quantitative,
    text_encoding,
    tooltip_fields,
    x_encoding,
    y_encoding,
)
from nbrank.charts.palette import INK, LEADER, PAPER, QUIET, SOFT
from nbrank.charts.text_metrics import max_text_width, wrap_name
from nbrank.comparison.pairwise_wins import compared
from nbrank.findings.labels import abbreviate_labels, unique_label_texts
from nbrank.rules.majority import copeland
from nbrank.votes.formatting import pluralize
from nbrank.votes.leaderboard import VotesLike, as_votes
from nbrank.votes.table.task_options import Groups, LowerIsBetter, Weights
from nbrank.votes.table.validation import validate_integer

#: Maximum number of systems for which all arrows are drawn; with more, those that follow the order
#: would cover the circle.
_MAX_ALL_ARROWS = 7
_LETTERS = 11
#: Width in pixels above which a name takes two lines.
_NAME_WIDTH = 100
#: Winner and loser of a pair, as positions in the drawing -> the margin.
_Wins = dict[tuple[int, int], float]
#: Pairs of systems that don't beat each other, and whether they met.
_UndecidedPairs = list[tuple[int, int, bool]]
_ALIGNMENT: dict[int, Literal["left", "center", "right"]] = {-1: "right", 0: "center", 1: "left"}


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
        Maximum number of systems to draw, a whole number from 1 on: the first by `copeland`.
    weights, groups, lower_is_better
        As for `nbrank.Leaderboard`.

    Returns
    -------
    altair.LayerChart
        The systems stand on a circle, clockwise in the order of their Copeland scores, with an
        arrow from each winner to each loser and its margin on it. More than seven are numbered,
        and only the arrows against that order are drawn: each beats all with higher numbers, but
        for these. Dotted lines join two that are level or never met. A system without any score is
        not drawn.

    Raises
    ------
    TypeError, ValueError
        As `nbrank.Leaderboard`; also if `max_systems` is not a whole number from 1 on.

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
        for above, below in combinations(range(len(systems)), 2)
        if not wins.keys() & {(above, below), (below, above)}
    ]
    left_out, unscored = len(ranked) - len(systems), len(scored) - len(ranked)
    is_brief = len(systems) > _MAX_ALL_ARROWS
    drawn = {pair: wins[pair] for pair in wins if not is_brief or pair[0] > pair[1]}
    notes = {
        f"the first {len(systems)} by Copeland; {left_out} more not drawn": left_out,
        f"{pluralize(unscored, 'system')} without a score not drawn": unscored,
        f"each beats all with higher numbers{', but for the arrows' * bool(drawn)}": is_brief,
        "a number is the margin": drawn,
        "dotted: level": any(both for *_, both in apart),
        "dotted and pale: never met": any(not both for *_, both in apart),
    }
    won, lost = (Counter(pair[side] for pair in wins) for side in (0, 1))
    won_lost = [f"{won[at]} : {lost[at]}" for at in range(len(systems))]
    layers, width, height = _circle_layout(systems, won_lost, drawn, apart)
    # A system that beats all others is first by Copeland.
    beaten = int((edges["winner"] == ranked[0]).sum()) if len(ranked) else 0
    title = "No system beats every other pair by pair"
    if len(ranked) == 1:
        title = f"{abbreviate_labels(systems)[0]} is the only system"
    elif beaten == len(ranked) - 1:
        title = f"{abbreviate_labels(systems)[0]} beats every other system pair by pair"
    text = "; ".join(note for note, holds in notes.items() if holds)
    return layer_charts(layers, width=width, height=height, title=title, subtitle=text, frame=False)


def _circle_layout(
    systems: list[Any], scores: list[str], wins: _Wins, undecided_pairs: _UndecidedPairs
) -> tuple[list[alt.Chart], float, float]:
    """Draw a node for each system and an arrow for each win; return the width and height, too."""
    names, brief, n = unique_label_texts(systems), abbreviate_labels(systems), len(systems)
    if n > _MAX_ALL_ARROWS:
        brief = [f"{number}. {name}" for number, name in enumerate(brief, 1)]
    lines = [wrap_name(name, _NAME_WIDTH, _LETTERS) for name in brief]
    radius = 90 + 8 * n
    angle = 2 * np.pi * np.arange(n) / n
    # A name stands outside its node, on the right, on the left, or above, so that no arrow crosses
    # it.
    side = np.sign(np.sin(angle).round(9)).astype(int)
    room = np.array([WIDEST_FONT * max_text_width(name, _LETTERS) + 16 for name in lines])
    more = 13 * np.array([len(name) - 1 for name in lines])
    x, y = radius * np.sin(angle), radius * (1 - np.cos(angle)) + 28 + more[0]
    x -= min(x - np.maximum(10, room * (1 - side) / 2))
    width = max(x + np.maximum(10, room * (1 + side) / 2))
    place = np.arange(1, n + 1)
    nodes = make_layer({"system": names, "place": place, "score": scores, "x": x, "y": y})
    dots = nodes.mark_circle(size=150, color=LEADER, opacity=1).encode(
        **x_encoding("x"),
        **y_encoding("y"),
        tooltip=tooltip_fields("system:N", "place", "score:N=won : lost"),
    )
    outward = np.where(side == 0, np.where(y < y.mean(), -18 - more, 18), -more / 2)
    texts = map("\n".join, lines)
    labels = list(zip(texts, (x + 12 * side).tolist(), (y + outward).tolist(), strict=True))
    names_beside = [
        _text_layer(
            [labels[k] for k in np.flatnonzero(side == at)],
            align=align, fontSize=_LETTERS, lineBreak="\n", lineHeight=13,
        )
        for at, align in _ALIGNMENT.items()
        if (side == at).any()
    ]  # fmt: skip
    layers = [*_undecided_layers(names, undecided_pairs, x, y), *_arrow_layers(names, wins, x, y)]
    return [*layers, dots, *names_beside], float(width), float(max(y + more)) + 28


def _place_line_labels(x: Floats, y: Floats, dx: Floats, dy: Floats) -> list[tuple[float, float]]:
    """Place a number on each line, nearer to its beginning, apart from all other numbers."""
    taken: list[tuple[float, float]] = []
    for start_x, start_y, right, down in zip(x, y, dx, dy, strict=True):
        shares = (0.36, 0.3, 0.42, 0.25, 0.47)
        places = [(start_x + right * share, start_y + down * share) for share in shares]
        free = (at for at in places if all(math.dist(at, other) > 20 for other in taken))
        taken.append(next(free, places[0]))
    return taken


def _arrow_layers(names: list[str], wins: _Wins, x: Floats, y: Floats) -> list[alt.Chart]:
    """Draw arrows from winners to losers, with their margins on them."""
    i, j = np.array(list(wins), dtype=int).reshape(-1, 2).T
    dx, dy = x[j] - x[i], y[j] - y[i]
    length = np.hypot(dx, dy)
    across, up = np.array(_place_line_labels(x[i], y[i], dx, dy)).reshape(-1, 2).T
    data = {
        "winner": [names[winner] for winner, _ in wins],
        "loser": [names[loser] for _, loser in wins],
        "margin": list(wins.values()),
        "says": [f"{margin:.3g}" for margin in wins.values()],
        "x": x[i],
        "y": y[i],
        # The line ends before the node, at the arrowhead.
        "x2": x[j] - dx / length * 13,
        "y2": y[j] - dy / length * 13,
        "across": across,
        "up": up,
        "angle": np.degrees(np.arctan2(dx, -dy)) % 360,
    }
    base = make_layer(data).encode(tooltip=tooltip_fields("winner:N", "loser:N", "margin"))
    turned = alt.Angle(**quantitative("angle"), scale=alt.Scale(domain=[0, 360], range=[0, 360]))
    heads = base.mark_point(shape="triangle", filled=True, size=70, color=SOFT, opacity=1)
    numbers = base.encode(**x_encoding("across"), **y_encoding("up"), **text_encoding("says"))
    return [
        base.mark_rule(color=QUIET).encode(**x_encoding("x", "x2"), **y_encoding("y", "y2")),
        heads.encode(**x_encoding("x2"), **y_encoding("y2"), angle=turned),
        # An outline in the color of the page makes a number legible across lines.
        numbers.mark_text(fontSize=_LETTERS, stroke=PAPER, strokeWidth=5, strokeJoin="round"),
        numbers.mark_text(fontSize=_LETTERS, color=INK),
    ]


def _undecided_layers(
    names: list[str], apart: _UndecidedPairs, x: Floats, y: Floats
) -> list[alt.Chart]:
    """Draw dotted lines between those who are level, fainter ones between those who never met."""
    i, j = np.array([pair[:2] for pair in apart], dtype=int).reshape(-1, 2).T
    data = {
        "system": [names[item] for item, _, _ in apart],
        "other": [names[other] for _, other, _ in apart],
        "what": ["level" if met else "never met" for *_, met in apart],
        "x": x[i],
        "y": y[i],
        "x2": x[j],
        "y2": y[j],
    }
    colour = alt.ColorValue(QUIET, condition={"test": "datum.what == 'level'", "value": SOFT})
    lines = make_layer(data).mark_rule(strokeDash=[2, 4], strokeWidth=1.5)
    lines = lines.encode(color=colour, tooltip=tooltip_fields("system:N", "other:N", "what:N"))
    return [lines.encode(**x_encoding("x", "x2"), **y_encoding("y", "y2"))] * bool(apart)


def _text_layer(texts: Sequence[tuple[str, float, float]], **look: Any) -> alt.Chart:
    """Make a layer of texts at positions in pixels, from the left and from the top."""
    data = {
        "says": [text for text, _, _ in texts],
        "x": [round(x, 3) for _, x, _ in texts],
        "y": [y for _, _, y in texts],
    }
    text = make_layer(data).mark_text(**{"color": INK, "tooltip": None, **look})
    written: alt.Chart = text.encode(
        **x_encoding("x"), **y_encoding("y"), text=alt.Text(field="says", type="nominal")
    )
    return written
