"""Draw pairs: who beats whom, how often, and for which of them that is sure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank import tournament
from nbrank.charts.axes import (
    ROWS_WITH_LABELS,
    layered,
    named_columns,
    named_rows,
    nominal,
    quantitative,
    row_step,
    tip,
)
from nbrank.charts.colours import INK, PALETTE, QUIET
from nbrank.charts.data import Layer, checked_at_the_end, data_of, plain
from nbrank.charts.frames import require
from nbrank.charts.names import in_brief, names_of
from nbrank.questions.compatible_pairs import compatible_pairs as decided_pairs
from nbrank.questions.pairwise import compared
from nbrank.rules.majority import copeland
from nbrank.rules.positional import borda
from nbrank.votes.as_votes import Source
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.naming import counted, named
from nbrank.votes.options import whole_number
from nbrank.votes.orientation import LowerIsBetter
from nbrank.votes.task_names import Groups, Weights


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
        that never met is grey. Below the title stands whether each pair was
        tested by itself or all at once, and the level, as long as the frame's
        `.attrs` say so.

    Raises
    ------
    TypeError, ValueError
        If it is no such frame, or lacks the rows of some system.

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
    won = confidence["wins"].groupby(level=0, sort=False).mean()
    systems = won.sort_values(ascending=False, kind="stable").index
    order = names_of(systems)
    opponents = confidence.index.get_level_values(1)
    alone = opponents.difference(systems, sort=False)
    if len(alone):
        raise ValueError(
            f"charts.pairwise: {named(alone)} stand among the opponents, but have no rows of "
            f"their own; give it all rows that nbrank.confidence returned"
        )
    step = row_step(len(order))
    # A dot would cover a small cell: there, what is not sure is faint.
    small = step < 8
    base = _cells(
        confidence,
        systems,
        order,
        {
            # As exact as they are shown: of 300 systems there are 90,000 pairs.
            **{column: confidence[column].round(3) for column in ("wins", "low", "high")},
            "n": confidence["n"],
            "significant": confidence["significant"].astype(bool),
        },
    ).encode(
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
    cells = base.mark_rect(aria=_read_out(order)).encode(
        color=alt.Color(
            **quantitative("wins"),
            scale=alt.Scale(scheme="purpleorange", domain=[0, 1], reverse=True),
            legend=alt.Legend(title="row beats column", format="%"),
        ),
        opacity=alt.condition("datum.significant", alt.value(1), alt.value(0.4 if small else 1)),
    )
    dots = (
        base.mark_circle(size=min(30, step * step / 4), opacity=1, aria=False)
        .transform_filter("datum.significant")
        .encode(
            color=alt.condition("abs(datum.wins - 0.5) > 0.25", alt.value("white"), alt.value(INK))
        )
    )
    sure = "faint: neither" if small else "a dot: one"
    notes = [f"{sure} of the two is significantly better{_tested(confidence)}"]
    layers = [cells] if small else [cells, dots]
    if confidence["wins"].isna().any():
        notes.append("grey: the two never met")
        # A layer of their own: Vega draws no cell whose colour goes by a number that isn't there.
        never = base.mark_rect(color=QUIET, aria=_read_out(order))
        layers.append(never.transform_filter("!isValid(datum.wins)"))
    return layered(
        layers,
        width=len(order) * step,
        height=len(order) * step,
        left=in_brief(order),
        title="Who beats whom",
        subtitle="; ".join(notes),
    )


def _tested(confidence: pd.DataFrame) -> str:
    """At which level pairs were tested, and whether each by itself, where the frame says so."""
    delta, adjust = (confidence.attrs.get(key) for key in ("delta", "adjust"))
    if delta is None:
        return ""
    how = "each pair tested by itself" if adjust is None else "over all pairs at once"
    return f" ({how}, level {100 * delta:g} %)"


def _cells(
    pairs: pd.DataFrame, systems: pd.Index, names: list[str], columns: Mapping[str, pd.Series]
) -> alt.Chart:
    """Cells of pairs, with the fields `system`, `opponent` and those given.

    The page holds a row for each system, with a list for each field, which takes an eighth of
    what a row for each pair would take.
    """
    place = {system: position for position, system in enumerate(systems)}
    row, column = (
        [place[system] for system in pairs.index.get_level_values(level)] for level in (0, 1)
    )
    lists = {}
    for field, values in columns.items():
        square = np.full((len(names), len(names)), None, dtype=object)
        square[row, column] = plain(values)
        lists[field] = square.tolist()
    opponents = data_of({"place": list(range(1, len(names) + 1)), "opponent": names})
    cells = Layer(data_of({"system": names, **lists}))
    cells["transform"] = [
        {"flatten": list(lists)},
        {"window": [{"op": "row_number", "as": "opponent"}], "groupby": ["system"]},
        {"filter": "isValid(datum.n)"},
        {
            "lookup": "opponent",
            "from": {"data": opponents, "key": "place", "fields": ["opponent"]},
        },
    ]
    return cells


def _read_out(names: list[str]) -> bool:
    """Whether each cell carries its line for those who listen: of many nobody hears them all."""
    return len(names) <= ROWS_WITH_LABELS


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
    `nbrank.questions.compatible_pairs`. `pairwise` draws the intervals of
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
    step = row_step(len(order))
    cells = (
        _cells(
            pairs,
            systems,
            order,
            {
                **{column: pairs[column].round(3) for column in ("share", "low")},
                "n": pairs["n"],
                # Not so round: what is just above one half is decided too.
                "lead": (pairs["low"] - 0.5).clip(lower=0.0).round(9),
            },
        )
        .mark_rect(stroke="white", strokeWidth=0.5, aria=_read_out(order))
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
    scores: Source,
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
        A frame of scores, a leaderboard, comparisons, or a tally.
    most
        How many systems to draw at most, a whole number from 1 on: the first by
        `copeland`.
    weights, groups, lower_is_better
        As for `nbrank.Leaderboard`.

    Returns
    -------
    altair.LayerChart
        Systems on a circle, in the order of their Copeland scores; an arrow
        from each winner to each loser, none between two that are level, and a
        dotted line between two that never met. A system without any score is
        not drawn.

    Raises
    ------
    TypeError, ValueError
        As `nbrank.Leaderboard`; also if `most` is no whole number from 1 on.

    Examples
    --------
    >>> from nbrank.datasets import load_toy_votes
    >>> chart = majority_graph(load_toy_votes())
    """
    most = whole_number("charts.majority_graph", "most", most)
    options: dict[str, Any] = {
        "weights": weights,
        "groups": groups,
        "lower_is_better": lower_is_better,
    }
    scored = copeland(scores, **options)["score"]
    ranked = scored.index[np.isfinite(scored)]
    systems = list(ranked[:most])
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
    met = compared(scores, **options).reindex(index=systems, columns=systems).to_numpy() > 0
    never = np.argwhere(np.triu(~met, 1))
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
    apart = [
        Layer(
            data_of(
                {
                    "system": [names[position] for position in never[:, 0]],
                    "never met": [names[position] for position in never[:, 1]],
                    "x": x[never[:, 0]],
                    "y": y[never[:, 0]],
                    "x2": x[never[:, 1]],
                    "y2": y[never[:, 1]],
                }
            )
        )
        .mark_rule(color=QUIET, strokeDash=[2, 4])
        .encode(
            **at("x", "y"),
            x2=alt.X2(field="x2"),
            y2=alt.Y2(field="y2"),
            tooltip=[tip("system", "nominal"), tip("never met", "nominal")],
        )
    ] * (len(never) > 0)
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
    left_out, unscored = len(ranked) - len(systems), len(scored) - len(ranked)
    notes = [f"the first {len(systems)} by Copeland; {left_out} more not drawn"] * (left_out > 0)
    notes += [f"{counted(unscored, 'system')} without a score not drawn"] * (unscored > 0)
    level = len(systems) * (len(systems) - 1) // 2 - len(wins) - len(never)
    notes += ["no arrow: level"] * (level > 0)
    notes += ["dotted: never met"] * (len(never) > 0)
    return layered(
        [*apart, lines, heads, dots, *labels],
        # Equal sides, so that the arrowheads point along their lines.
        width=460,
        height=460,
        title="Who beats whom on a majority of the tasks",
        subtitle="; ".join(notes),
        frame=False,
    )
