"""Draw pairs: who beats whom, how often, and for which of them that is sure."""

from __future__ import annotations

from typing import Any, Literal

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.charts.axes import (
    layered,
    named_columns,
    named_rows,
    nominal,
    quantitative,
    row_step,
    tip,
)
from nbrank.charts.colours import INK, PALETTE, QUIET
from nbrank.charts.data import Layer, checked_at_the_end, data_of
from nbrank.charts.frames import require
from nbrank.charts.names import in_brief, names_of
from nbrank.labelled import tournament
from nbrank.labelled.compatible_pairs import compatible_pairs as decided_pairs
from nbrank.labelled.leaderboard import (
    Groups,
    Leaderboard,
    LowerIsBetter,
    Weights,
    as_leaderboard,
    named,
)
from nbrank.labelled.majority import copeland
from nbrank.labelled.positional import borda


@checked_at_the_end
def pairwise(confidence: pd.DataFrame) -> alt.LayerChart:
    """Draw how often each system beats each other, and for which pairs that is sure.

    Parameters
    ----------
    confidence
        The pairs as `nbrank.confidence` returns them.

    Returns
    -------
    altair.LayerChart
        A row and a column for each system, best first; the colour is the share
        of tasks or instances on which the row beats the column, a dot marks a
        significant pair (of more than 150 systems, the others are faint). A pair
        that never met is grey.

    Examples
    --------
    >>> import nbrank
    >>> from nbrank.datasets import load_llm_chat
    >>> chart = pairwise(nbrank.confidence(load_llm_chat()))
    """
    needed = ["wins", "low", "high", "n", "significant"]
    require("pairwise", confidence, needed, "nbrank.confidence(scores)")
    if confidence.index.nlevels != 2:
        raise ValueError(
            "charts.pairwise draws what nbrank.confidence(scores) returns, with a row for each "
            "system and opponent; the rows of this frame have one label"
        )
    rows, columns = (confidence.index.get_level_values(level) for level in (0, 1))
    won = confidence["wins"].groupby(level=0, sort=False).mean()
    systems = won.sort_values(ascending=False, kind="stable").index
    order = names_of(systems)
    name = dict(zip(systems, order, strict=True))
    alone = columns.difference(systems, sort=False)
    if len(alone):
        raise ValueError(
            f"charts.pairwise: {named(alone)} stand among the opponents, but have no rows of "
            f"their own; give it all rows that nbrank.confidence returned"
        )
    data = {
        "system": [name[system] for system in rows],
        "opponent": [name[opponent] for opponent in columns],
        **{column: confidence[column].round(6) for column in ("wins", "low", "high")},
        "n": confidence["n"],
        "significant": confidence["significant"].astype(bool),
    }
    step = row_step(len(order))
    # A dot would cover a small cell: there, what is not sure is faint.
    small = step < 8
    base = Layer(data_of(data)).encode(
        x=named_columns("opponent", order, step),
        y=named_rows("system", order, step),
        tooltip=[
            tip("system", "nominal"),
            tip("opponent", "nominal"),
            tip("wins", digits=3),
            tip("low", digits=3),
            tip("high", digits=3),
            tip("n"),
            tip("significant", "nominal"),
        ],
    )
    cells = base.mark_rect().encode(
        color=alt.condition(
            "isValid(datum.wins)",
            alt.Color(
                **quantitative("wins"),
                scale=alt.Scale(scheme="purpleorange", domain=[0, 1], reverse=True),
                legend=alt.Legend(title="row beats column", format="%"),
            ),
            alt.value(QUIET),
        ),
        opacity=alt.condition("datum.significant", alt.value(1), alt.value(0.4 if small else 1)),
    )
    dots = (
        base.mark_circle(size=min(30, step * step / 4), opacity=1)
        .transform_filter("datum.significant")
        .encode(
            color=alt.condition("abs(datum.wins - 0.5) > 0.25", alt.value("white"), alt.value(INK))
        )
    )
    sure = "faint: neither" if small else "a dot: one"
    notes = [f"{sure} of the two is significantly better"]
    notes += ["grey: the two never met"] if confidence["wins"].isna().any() else []
    return layered(
        [cells] if small else [cells, dots],
        width=len(order) * step,
        height=len(order) * step,
        left=in_brief(order),
        title="Who beats whom",
        subtitle="; ".join(notes),
    )


@checked_at_the_end
def compatible_pairs(
    scores: pd.DataFrame | Leaderboard,
    delta: float = 0.01,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> alt.LayerChart:
    """Draw which pairs the missing-scores paper calls decided; no coverage is claimed.

    What is drawn, and why it claims nothing, is said by
    `nbrank.labelled.compatible_pairs`. `pairwise` draws the intervals of
    `nbrank.confidence`, which do cover.

    Parameters
    ----------
    scores
        A frame of scores or a leaderboard.
    delta
        The paper's level; 0.01 in its figures 6 and 11.
    weights, groups, lower_is_better
        As for `nbrank.Leaderboard`.

    Returns
    -------
    altair.LayerChart
        A row and a column for each system, by `borda`, best first. A cell is
        green where the interval of the row's share lies above one half, the
        darker the farther; grey where it does not, as for pairs that never met.

    Raises
    ------
    TypeError, ValueError
        As `nbrank.Leaderboard`; also if delta is not between 0 and 1.

    References
    ----------
    A. Himmi, E. Irurozki, N. Noiry, S. Clémençon and P. Colombo, "Towards more
    robust NLP system evaluation: handling missing scores in benchmarks", 2024,
    equation 4 and figures 6 and 11.

    Examples
    --------
    >>> from nbrank.datasets import load_llm_chat
    >>> chart = compatible_pairs(load_llm_chat(), delta=0.05)
    """
    board = as_leaderboard(scores, weights, groups, lower_is_better)
    pairs = decided_pairs(board, delta)
    systems = borda(board).index
    order = names_of(systems)
    name = dict(zip(systems, order, strict=True))
    data = data_of(
        {
            "system": [name[system] for system in pairs.index.get_level_values("system")],
            "opponent": [name[system] for system in pairs.index.get_level_values("opponent")],
            **{column: pairs[column] for column in ("share", "n", "low")},
            "lead": (pairs["low"] - 0.5).clip(lower=0.0),
        }
    )
    step = row_step(len(order))
    cells = (
        Layer(data)
        .mark_rect(stroke="white", strokeWidth=0.5)
        .encode(
            x=named_columns("opponent", order, step),
            y=named_rows("system", order, step),
            color=alt.condition(
                "datum.lead > 0",
                alt.Color(
                    **quantitative("lead"),
                    scale=alt.Scale(scheme="greens", domain=[0, 0.5]),
                    legend=alt.Legend(title="interval above one half by", format=".1f"),
                ),
                alt.value("#E4E4E4"),
            ),
            tooltip=[
                tip("system", "nominal"),
                tip("opponent", "nominal"),
                tip("share", digits=3),
                tip("low", digits=3),
                tip("n"),
            ],
        )
    )
    return layered(
        [cells],
        width=len(order) * step,
        height=len(order) * step,
        left=in_brief(order),
        title="Who beats whom, missing scores filled in",
        subtitle=f"one-sided bound, delta = {delta:g}, no coverage claimed",
    )


@checked_at_the_end
def majority_graph(
    scores: pd.DataFrame | Leaderboard,
    most: int = 12,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> alt.LayerChart:
    """Draw who beats whom on a majority of the tasks: an arrow from winner to loser.

    Parameters
    ----------
    scores
        A frame of scores, a leaderboard, or comparisons.
    most
        How many systems to draw at most: the first by `copeland`.
    weights, groups, lower_is_better
        As for `nbrank.Leaderboard`.

    Returns
    -------
    altair.LayerChart
        Systems on a circle, in the order of their Copeland scores; an arrow
        from each winner to each loser, none between two that are level.

    Examples
    --------
    >>> from nbrank.datasets import load_toy_votes
    >>> chart = majority_graph(load_toy_votes())
    """
    options: dict[str, Any] = {
        "weights": weights,
        "groups": groups,
        "lower_is_better": lower_is_better,
    }
    scored = copeland(scores, **options)["score"]
    systems = list(scored.index[np.isfinite(scored)])[:most]
    names, brief = names_of(systems), in_brief(systems)
    place = {system: position for position, system in enumerate(systems)}
    angle = np.pi / 2 - 2 * np.pi * np.arange(len(systems)) / len(systems)
    x, y = np.cos(angle), np.sin(angle)
    graph = tournament.majority_graph(scores, **options)
    wins = [
        (place[winner], place[loser], margin)
        for winner, loser, margin in graph.itertuples(index=False, name=None)
        if winner in place and loser in place
    ]
    i, j = np.array([win[:2] for win in wins], dtype=int).reshape(-1, 2).T
    # The line stops short of the node, where the arrowhead sits.
    dx, dy = x[j] - x[i], y[j] - y[i]
    length = np.hypot(dx, dy)
    arrows = data_of(
        {
            "winner": [names[position] for position in i],
            "loser": [names[position] for position in j],
            "margin": [margin for _, _, margin in wins],
            "x": x[i],
            "y": y[i],
            "x2": x[j] - dx / length * 0.1,
            "y2": y[j] - dy / length * 0.1,
            "angle": np.degrees(np.arctan2(dx, dy)) % 360,
        }
    )
    scale = alt.Scale(domain=[-1.6, 1.6])

    def at(across: str, up: str) -> dict[str, Any]:
        return {
            "x": alt.X(**quantitative(across), scale=scale, axis=None),
            "y": alt.Y(**quantitative(up), scale=scale, axis=None),
        }

    tooltip = [tip("winner", "nominal"), tip("loser", "nominal"), tip("margin")]
    lines = (
        Layer(arrows)
        .mark_rule(color="#888888")
        .encode(**at("x", "y"), x2=alt.X2(field="x2"), y2=alt.Y2(field="y2"), tooltip=tooltip)
    )
    heads = (
        Layer(arrows)
        .mark_point(shape="triangle", filled=True, size=70, color="#555555", opacity=1)
        .encode(
            **at("x2", "y2"),
            angle=alt.Angle(
                **quantitative("angle"), scale=alt.Scale(domain=[0, 360], range=[0, 360])
            ),
            tooltip=tooltip,
        )
    )
    nodes = {"system": names, "x": x, "y": y, "place": np.arange(1, len(systems) + 1)}
    dots = (
        Layer(data_of(nodes))
        .mark_circle(size=160, color=PALETTE[0], opacity=1)
        .encode(**at("x", "y"), tooltip=[tip("system", "nominal"), tip("place")])
    )
    sides: list[tuple[NDArray[np.bool_], Literal["left", "center", "right"], int, int]] = [
        (x > 0.1, "left", 12, 0),
        (x < -0.1, "right", -12, 0),
        ((np.abs(x) <= 0.1) & (y > 0), "center", 0, -16),
        ((np.abs(x) <= 0.1) & (y <= 0), "center", 0, 18),
    ]
    labels = [
        Layer(
            data_of(
                {
                    "system": [name for name, on in zip(brief, side.tolist(), strict=True) if on],
                    "x": x[side],
                    "y": y[side],
                }
            )
        )
        .mark_text(align=align, dx=dx, dy=dy, color=INK, limit=260)
        .encode(**at("x", "y"), text=alt.Text(**nominal("system")))
        for side, align, dx, dy in sides
        if side.any()
    ]
    left_out = len(scored) - len(systems)
    notes = [f"the first {len(systems)} by Copeland; {left_out} more not drawn"] * (left_out > 0)
    notes += [] if len(wins) == len(names) * (len(names) - 1) / 2 else ["no arrow: level"]
    return layered(
        [lines, heads, dots, *labels],
        # Equal sides, so that the arrowheads point along their lines.
        width=460,
        height=460,
        title="Who beats whom on a majority of the tasks",
        subtitle="; ".join(notes),
        frame=False,
    )
