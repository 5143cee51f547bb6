"""Charts of rankings, scores, pairs and weights: from our frames to Altair.

Every chart is white with dark text, so that it reads the same in print and in a
dark notebook; colours are told apart by the colour-blind. In a notebook without
a network, choose a renderer that needs none: `altair.renderers.enable("svg")`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Hashable, Iterable
from typing import Any, Literal

import altair as alt
import numpy as np
import pandas as pd
from altair.utils.schemapi import debug_mode
from numpy.typing import NDArray

from nbrank.labelled.options import check_delta
from nbrank.labelled.leaderboard import (
    Groups,
    Leaderboard,
    LowerIsBetter,
    Weights,
    as_leaderboard,
    named,
)
from nbrank.labelled.majority import copeland
from nbrank.labelled.pairwise import compared, counts_of
from nbrank.labelled.pairwise import pairwise as shares_of_pairs
from nbrank.labelled.positional import borda

#: Okabe and Ito's palette, which the colour-blind can tell apart, black and yellow left out.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#7F7F7F")
_QUIET = "#C8C8C8"
_FAINT = "#EEEEEE"
_INK = "#222222"
#: More rows than this get thin rows, and only as many labels as fit.
_ROWS_WITH_LABELS = 60


def name_of(label: Hashable) -> str:
    """Write a label as text; the parts of a tuple are joined.

    Parameters
    ----------
    label
        The label of a system or a task.

    Examples
    --------
    >>> name_of(("Code", "Codeforces"))
    'Code / Codeforces'
    """
    return " / ".join(map(str, label)) if isinstance(label, tuple) else str(label)


def names_of(labels: Iterable[Hashable]) -> list[str]:
    """Write labels as texts of which no two are alike, as marks on an axis have to be.

    Labels that `name_of` would write alike are written as in Python, and numbered if
    that doesn't part them either.

    Parameters
    ----------
    labels
        The labels of systems or tasks, no two of them equal.

    Examples
    --------
    >>> names_of(["A", 1, "1", ("a", "b"), "a / b"])
    ['A', '1', "'1'", "('a', 'b')", "'a / b'"]
    """
    listed = list(labels)
    names = [name_of(label) for label in listed]
    as_in_python = [repr(label) for label in listed]
    numbered = [f"{text} ({place})" for place, text in enumerate(as_in_python, start=1)]
    for unlike in (as_in_python, numbered):
        counts = Counter(names)
        names = [
            other if counts[name] > 1 else name for name, other in zip(names, unlike, strict=True)
        ]
    return names


class _Rows(alt.InlineData):
    """Rows of data, checked by none and copied by none: Altair would do both cell by cell."""

    def __deepcopy__(self, memo: object) -> _Rows:
        return self

    def to_dict(self, *_: Any, **__: Any) -> dict[str, Any]:
        return {"values": self._kwds["values"]}


def _data(frame: pd.DataFrame) -> alt.InlineData:
    """Hand all rows to a chart: a large board has more cells than Altair takes in a frame."""
    names = [str(name) for name in frame.columns]
    columns = [_plain(frame.iloc[:, place]) for place in range(frame.shape[1])]
    with debug_mode(False):
        rows = zip(*columns, strict=True)
        return _Rows(values=[dict(zip(names, row, strict=True)) for row in rows])


def _plain(column: pd.Series) -> list[Any]:
    """Write a column for JSON, which knows neither NaN nor infinity."""
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "biuf":
        values = column.to_numpy()
        known = np.isfinite(values)
        listed: list[Any] = values.tolist()
    else:
        known = column.notna().to_numpy()
        listed = column.tolist()
    if known.all():
        return listed
    return [value if there else None for value, there in zip(listed, known.tolist(), strict=True)]


def _row_step(n_rows: int) -> int:
    return 20 if n_rows <= _ROWS_WITH_LABELS else max(4, 1200 // n_rows)


def _columns_axis() -> alt.Axis:
    return alt.Axis(labelAngle=-40, labelLimit=180, title=None, orient="top")


def _rows_axis() -> alt.Axis:
    return alt.Axis(labelLimit=220, labelOverlap="greedy", title=None)


def ranks(comparison: pd.DataFrame, highlight: Iterable[Hashable] | None = None) -> alt.LayerChart:
    """Draw how the ranks move from rule to rule: a line for each system.

    Parameters
    ----------
    comparison
        The ranks, systems x rules, as `nbrank.compare` returns them; a rule
        that is NA throughout is left out, and named below the chart.
    highlight
        The systems to draw in colour; by default those that are first under
        some rule, at most seven.

    Returns
    -------
    altair.LayerChart
        Lines with the systems' names at the first and at the last rule, and
        the rank under every rule on hovering.

    Examples
    --------
    >>> import nbrank
    >>> from nbrank.datasets import load_llm_chat
    >>> chart = ranks(nbrank.compare(load_llm_chat(), ["borda", "copeland"]))
    """
    refused = [rule for rule in comparison if comparison[rule].isna().all()]
    table = comparison.drop(columns=refused)
    if table.empty:
        raise ValueError(f"no rule ranked the systems: {named(refused)} are NA")
    rules = names_of(table.columns)
    best = table.min(axis=1)
    if highlight is None:
        highlight = best.index[best == 1][: len(PALETTE)]
    shown = list(highlight)
    unknown = [system for system in shown if system not in table.index]
    if unknown:
        raise ValueError(f"highlight: unknown {named(unknown)}; systems: {named(table.index)}")
    long = (
        table.set_axis(names_of(table.index), axis=0)
        .set_axis(rules, axis=1)
        .rename_axis(index="system")
        .reset_index()
        .melt(id_vars="system", var_name="rule", value_name="rank")
        .dropna()
        .astype({"rank": int})
    )
    names = names_of(shown)
    long["drawn"] = long["system"].where(long["system"].isin(names), "other")
    n = len(table)
    x = alt.X("rule:N", sort=rules, axis=_columns_axis(), scale=alt.Scale(padding=0.2))
    y = alt.Y(
        "rank:Q",
        scale=alt.Scale(domain=[n + 0.5, 0.5], nice=False),
        axis=None,
    )
    colour = alt.Color(
        "drawn:N",
        scale=alt.Scale(domain=[*names, "other"], range=[*PALETTE[: len(names)], _QUIET]),
        legend=None,
    )
    hover = alt.selection_point(on="pointerover", fields=["system"], empty=False)
    base = alt.Chart(_data(long)).encode(
        x=x, y=y, color=colour, detail="system:N", tooltip=["system:N", "rule:N", "rank:Q"]
    )
    lines = base.mark_line(interpolate="monotone").encode(
        strokeWidth=alt.when(hover)
        .then(alt.value(5))
        .when(alt.datum.drawn == "other")
        .then(alt.value(1))
        .otherwise(alt.value(3)),
        order=alt.Order("drawn:N"),
    )
    points = base.mark_circle(size=40, opacity=1).add_params(hover)
    labelled = long if n <= _ROWS_WITH_LABELS else long[long["drawn"] != "other"]
    # Systems of one rank stand side by side in one label, not on top of each other.
    ends = pd.concat(
        [
            labelled[labelled["rule"] == rule]
            .groupby("rank", as_index=False)
            .agg(system=("system", lambda tied: _shortened(list(tied))), rule=("rule", "first"))
            .assign(end=end, label=lambda ends: ends["rank"].astype(str) + ". " + ends["system"])
            for end, rule in (("first", rules[0]), ("last", rules[-1]))
        ]
    )
    text = alt.Chart(_data(ends)).encode(x=x, y=y, text="label:N", tooltip="system:N")
    first = text.transform_filter(alt.datum.end == "first").mark_text(
        align="right", dx=-12, color=_INK, limit=240
    )
    last = text.transform_filter(alt.datum.end == "last").mark_text(
        align="left", dx=12, color=_INK, limit=240
    )
    note = (
        f"left out, since they refuse the table: {', '.join(names_of(refused))}" if refused else ""
    )
    return alt.LayerChart(layer=[lines, points, first, last]).properties(
        width=max(160, 70 * len(rules)),
        height=n * _row_step(n),
        view=alt.ViewBackground(stroke=None),
        title=alt.TitleParams("Ranks under each rule", subtitle=note, anchor="start"),
    )


def _shortened(names: list[str], most: int = 2) -> str:
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def scores(
    scores: pd.DataFrame | Leaderboard,
    ranking: pd.DataFrame | None = None,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> alt.LayerChart:
    """Draw the scores as a heat map, coloured by the place within each task.

    Parameters
    ----------
    scores
        A frame of scores or a leaderboard; instance-level scores are drawn as
        the means of the tasks.
    ranking
        The order of the rows; that of `borda` by default.
    weights, groups, lower_is_better
        As for `nbrank.Leaderboard`.

    Returns
    -------
    altair.LayerChart
        A row for each system, best first, a column for each task; dark is a
        good place, an empty cell is a missing score. A click on a cell sets the
        selection `cell`: its fields `row` and `column` are the positions of the
        system and of the task in the table of scores.

    Examples
    --------
    >>> from nbrank.datasets import load_llm_chat
    >>> chart = scores(load_llm_chat())
    """
    board = as_leaderboard(scores, weights, groups, lower_is_better)
    order = borda(board) if ranking is None else ranking
    frame = board.scores
    if board.is_instance_level:
        frame = frame.groupby(level="system", sort=False).mean()
    places = frame.mul(np.where(board.lower, -1.0, 1.0), axis=1).rank(ascending=False)
    counts = frame.notna().sum()
    goodness = 1 - (places - 1) / (counts - 1).clip(lower=1)
    name = dict(zip(frame.index, names_of(frame.index), strict=True))
    rows = [f"{rank}. {name[system]}" for system, rank in order["rank"].items()]
    row = dict(zip(order.index, rows, strict=True))
    tasks = names_of(frame.columns)
    long = pd.DataFrame(
        {
            "system": [row[system] for system in frame.index for _ in tasks],
            "task": tasks * len(frame),
            "row": np.repeat(np.arange(len(frame)), len(tasks)),
            "column": np.tile(np.arange(len(tasks)), len(frame)),
            "score": frame.to_numpy().ravel(),
            "place": places.to_numpy().ravel(),
            "goodness": goodness.to_numpy().ravel(),
        }
    )
    long["shown"] = [f"{value:.3g}" if np.isfinite(value) else "" for value in long["score"]]
    n_rows, n_columns = frame.shape
    base = alt.Chart(_data(long)).encode(
        x=alt.X("task:N", sort=tasks, axis=_columns_axis()),
        y=alt.Y("system:N", sort=rows, axis=_rows_axis()),
        tooltip=["system:N", "task:N", "score:Q", "place:Q"],
    )
    cells = base.mark_rect(stroke="white", strokeWidth=0.5).encode(
        color=alt.condition(
            "isValid(datum.score)",
            alt.Color(
                "goodness:Q",
                scale=alt.Scale(scheme="blues", domain=[0, 1]),
                legend=alt.Legend(title="place", values=[0, 1], labelExpr=_ENDS),
            ),
            alt.value("#FFFFFF"),
        )
    )
    clicked = alt.selection_point(name="cell", fields=["row", "column"])
    layers: list[alt.Chart] = [cells.properties(name="cells").add_params(clicked)]
    if n_rows <= _ROWS_WITH_LABELS and n_columns <= 30:
        layers.append(
            base.mark_text(fontSize=9).encode(
                text="shown:N",
                color=alt.condition(alt.datum.goodness > 0.55, alt.value("white"), alt.value(_INK)),
            )
        )
    return alt.LayerChart(layer=[*layers]).properties(
        width=n_columns * (34 if n_columns <= 30 else 16),
        height=n_rows * _row_step(n_rows),
        title=alt.TitleParams(
            "Scores, coloured by the place on each task",
            subtitle="an empty cell is a missing score",
            anchor="start",
        ),
    )


_ENDS = "datum.value == 1 ? 'first' : 'last'"


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
        significant pair.

    Examples
    --------
    >>> import nbrank
    >>> from nbrank.datasets import load_llm_chat
    >>> chart = pairwise(nbrank.confidence(load_llm_chat()))
    """
    table = confidence.copy()
    wins = table["wins"].groupby(level=0, sort=False).mean()
    systems = wins.sort_values(ascending=False, kind="stable").index
    order = names_of(systems)
    name = dict(zip(systems, order, strict=True))
    long = table.reset_index(drop=True).assign(
        system=[name[system] for system in table.index.get_level_values(0)],
        opponent=[name[opponent] for opponent in table.index.get_level_values(1)],
    )
    long["mark"] = np.where(long["significant"].astype(bool), "●", "")
    n = len(order)
    base = alt.Chart(_data(long)).encode(
        x=alt.X("opponent:N", sort=order, axis=_columns_axis()),
        y=alt.Y("system:N", sort=order, axis=_rows_axis()),
        tooltip=[
            "system:N",
            "opponent:N",
            alt.Tooltip("wins:Q", format=".3f"),
            alt.Tooltip("low:Q", format=".3f"),
            alt.Tooltip("high:Q", format=".3f"),
            "n:Q",
            "significant:N",
        ],
    )
    cells = base.mark_rect().encode(
        color=alt.condition(
            "isValid(datum.wins)",
            alt.Color(
                "wins:Q",
                scale=alt.Scale(scheme="purpleorange", domain=[0, 1], reverse=True),
                legend=alt.Legend(title="row beats column", format="%"),
            ),
            alt.value("#FFFFFF"),
        )
    )
    dots = base.mark_text(fontSize=max(4, min(10, _row_step(n) - 4)), color=_INK).encode(
        text="mark:N"
    )
    return alt.LayerChart(layer=[cells, dots]).properties(
        width=n * _row_step(n),
        height=n * _row_step(n),
        title=alt.TitleParams(
            "Who beats whom",
            subtitle="● one of the two is significantly better",
            anchor="start",
        ),
    )


def compatible_pairs(
    scores: pd.DataFrame | Leaderboard,
    delta: float = 0.01,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> alt.LayerChart:
    """Draw which pairs the missing-scores paper calls decided; no coverage is claimed.

    The share of the ballots on which the row beats the column is taken with the
    missing scores filled in by compatible rankings (the paper's matrix M), and
    the interval around it has the half width sqrt(-log(delta) / (2 z)), where z
    is how often the two were really compared. That half width is the one-sided
    Hoeffding bound, and it belongs to the share of the real comparisons, not to
    one that is partly filled in: around that, it can miss the true share almost
    always. `pairwise` draws the intervals of `nbrank.confidence`, which do cover.

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
    check_delta("compatible_pairs", delta)
    board = as_leaderboard(scores, weights, groups, lower_is_better)
    order = borda(board).index
    names = names_of(order)
    won = shares_of_pairs(board, missing="compatible").loc[order, order].to_numpy()
    # How often two systems met is a number of ballots, whatever these weigh.
    present = {
        task: float(weight > 0) for task, weight in zip(board.tasks, board.weights, strict=True)
    }
    met = compared(board.with_weights(present)).loc[order, order].to_numpy()
    rows, columns = np.nonzero(~np.eye(len(order), dtype=bool))
    share = won[rows, columns] / (won + won.T)[rows, columns]
    with np.errstate(divide="ignore"):
        half_width = np.sqrt(-np.log(delta) / (2 * met[rows, columns]))
    lead = share - half_width - 0.5
    long = pd.DataFrame(
        {
            "system": [names[row] for row in rows],
            "opponent": [names[column] for column in columns],
            "share": share,
            "low": np.maximum(share - half_width, 0.0),
            "n": met[rows, columns],
            "lead": np.maximum(lead, 0.0),
        }
    )
    cells = (
        alt.Chart(_data(long))
        .mark_rect(stroke="white", strokeWidth=0.5)
        .encode(
            x=alt.X("opponent:N", sort=names, axis=_columns_axis()),
            y=alt.Y("system:N", sort=names, axis=_rows_axis()),
            color=alt.condition(
                alt.datum.lead > 0,
                alt.Color(
                    "lead:Q",
                    scale=alt.Scale(scheme="greens", domain=[0, 0.5]),
                    legend=alt.Legend(title="interval above one half by", format=".1f"),
                ),
                alt.value("#E4E4E4"),
            ),
            tooltip=[
                "system:N",
                "opponent:N",
                alt.Tooltip("share:Q", format=".3f"),
                alt.Tooltip("low:Q", format=".3f"),
                "n:Q",
            ],
        )
    )
    step = _row_step(len(order))
    return alt.LayerChart(layer=[cells]).properties(
        width=len(order) * step,
        height=len(order) * step,
        title=alt.TitleParams(
            "Who beats whom, missing scores filled in",
            subtitle=f"one-sided bound, delta = {delta:g}, no coverage claimed",
            anchor="start",
        ),
    )


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
    systems, counts, _ = counts_of(scores, rule="majority_graph", **options)
    order = [
        system
        for system, score in copeland(scores, **options)["score"].items()
        if np.isfinite(score)
    ][:most]
    position = {system: place for place, system in enumerate(systems)}
    chosen = [position[system] for system in order]
    margins = counts.margins[np.ix_(chosen, chosen)]
    angle = np.pi / 2 - 2 * np.pi * np.arange(len(order)) / len(order)
    x, y = np.cos(angle), np.sin(angle)
    names = names_of(order)
    nodes = pd.DataFrame({"system": names, "x": x, "y": y, "place": range(1, len(order) + 1)})
    edges = []
    for i, j in zip(*np.nonzero(margins > 0), strict=True):
        # The line stops short of the node, where the arrowhead sits.
        dx, dy = x[j] - x[i], y[j] - y[i]
        length = float(np.hypot(dx, dy))
        edges.append(
            {
                "winner": names[i],
                "loser": names[j],
                "margin": margins[i, j],
                "x": x[i],
                "y": y[i],
                "x2": x[j] - dx / length * 0.1,
                "y2": y[j] - dy / length * 0.1,
                "angle": float(np.degrees(np.arctan2(dx, dy))),
            }
        )
    columns = ["winner", "loser", "margin", "x", "y", "x2", "y2", "angle"]
    arrows = pd.DataFrame(edges, columns=columns)
    scale = alt.Scale(domain=[-1.6, 1.6])
    tooltip = ["winner:N", "loser:N", "margin:Q"]
    lines = (
        alt.Chart(_data(arrows))
        .mark_rule(color="#888888")
        .encode(
            x=alt.X("x:Q", scale=scale, axis=None),
            y=alt.Y("y:Q", scale=scale, axis=None),
            x2="x2:Q",
            y2="y2:Q",
            tooltip=tooltip,
        )
    )
    heads = (
        alt.Chart(_data(arrows))
        .mark_point(shape="triangle", filled=True, size=70, color="#555555", opacity=1)
        .encode(
            x=alt.X("x2:Q", scale=scale, axis=None),
            y=alt.Y("y2:Q", scale=scale, axis=None),
            angle=alt.Angle("angle:Q", scale=alt.Scale(domain=[0, 360], range=[0, 360])),
            tooltip=tooltip,
        )
    )
    dots = (
        alt.Chart(_data(nodes))
        .mark_circle(size=160, color=PALETTE[0], opacity=1)
        .encode(
            x=alt.X("x:Q", scale=scale, axis=None),
            y=alt.Y("y:Q", scale=scale, axis=None),
            tooltip=["system:N", "place:Q"],
        )
    )
    sides: list[tuple[NDArray[np.bool_], Literal["left", "center", "right"], int, int]] = [
        (x > 0.1, "left", 12, 0),
        (x < -0.1, "right", -12, 0),
        ((np.abs(x) <= 0.1) & (y > 0), "center", 0, -16),
        ((np.abs(x) <= 0.1) & (y <= 0), "center", 0, 18),
    ]
    labels = [
        alt.Chart(_data(nodes[side]))
        .mark_text(align=align, dx=dx, dy=dy, color=_INK, limit=200)
        .encode(
            x=alt.X("x:Q", scale=scale, axis=None),
            y=alt.Y("y:Q", scale=scale, axis=None),
            text="system:N",
        )
        for side, align, dx, dy in sides
        if side.any()
    ]
    left_out = len(systems) - len(order)
    subtitle = f"the first {len(order)} by Copeland; {left_out} more not drawn" if left_out else ""
    return alt.LayerChart(layer=[lines, heads, dots, *labels]).properties(
        # Equal sides, so that the arrowheads point along their lines.
        width=460,
        height=460,
        view=alt.ViewBackground(stroke=None),
        title=alt.TitleParams(
            "Who beats whom on a majority of the tasks", subtitle=subtitle, anchor="start"
        ),
    )


def rank_intervals(intervals: pd.DataFrame) -> alt.LayerChart:
    """Draw for each system the ranks that the data leave open.

    Parameters
    ----------
    intervals
        A row for each system with the columns `rank`, `low` and `high`, as
        `nbrank.rank_confidence` and `nbrank.bootstrap` return them.

    Returns
    -------
    altair.LayerChart
        A bar from the lowest to the highest rank, and a point at the rank.

    Examples
    --------
    >>> import nbrank
    >>> from nbrank.datasets import load_llm_chat
    >>> chart = rank_intervals(nbrank.bootstrap(load_llm_chat(), "borda", n=50, seed=0))
    """
    table = intervals.sort_values(["rank", "low", "high"], kind="stable")
    names = names_of(table.index)
    long = table.reset_index(drop=True).assign(system=names)
    n = len(long)
    # Of some rows only, such as the first ten, the ranks may reach beyond their number.
    x = alt.Scale(domain=[0.5, max(n, int(long["high"].max())) + 0.5], nice=False)
    base = alt.Chart(_data(long)).encode(
        y=alt.Y("system:N", sort=names, axis=_rows_axis()),
        tooltip=["system:N", "rank:Q", "low:Q", "high:Q"],
    )
    bars = base.mark_rule(strokeWidth=max(2, _row_step(n) // 3), color=PALETTE[4]).encode(
        x=alt.X("low:Q", scale=x, axis=alt.Axis(tickMinStep=1, title="rank (1 is best)")),
        x2="high:Q",
    )
    points = base.mark_circle(size=60, color=PALETTE[0], opacity=1).encode(
        x=alt.X("rank:Q", scale=x)
    )
    return alt.LayerChart(layer=[bars, points]).properties(
        width=420,
        height=n * _row_step(n),
        title=alt.TitleParams("Which ranks are possible", anchor="start"),
    )


def weight_map(weightings: pd.DataFrame) -> alt.LayerChart:
    """Draw a triangle of weightings of three groups, coloured by who wins at each.

    Parameters
    ----------
    weightings
        The weightings and their winners as `nbrank.weight_map` returns them.

    Returns
    -------
    altair.LayerChart
        A point for each weighting: a corner gives one group all the weight,
        the middle gives each a third. Grey points have several winners, or none.
        A click on a point, or dragging over the triangle, sets the selection
        `weighting`: its field `point` is the position of the row in the frame.

    Examples
    --------
    >>> import nbrank
    >>> scores = pd.DataFrame(
    ...     {"speed": [3, 2, 1], "size": [1, 3, 2], "skill": [2, 1, 3]}, list("ABC")
    ... )
    >>> chart = weight_map(nbrank.weight_map(scores, groups={g: [g] for g in scores}))
    """
    groups = [column for column in weightings.columns if column != "winners"]
    weights = weightings[groups].to_numpy()
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]])
    x, y = (weights @ corners).T
    found = [tuple(systems) for systems in weightings["winners"]]
    counts = Counter(systems[0] for systems in found if len(systems) == 1)
    shown = [system for system, _ in counts.most_common(len(PALETTE) - 1)]
    everybody = list(
        dict.fromkeys(system for systems in dict.fromkeys(found) for system in systems)
    )
    name = dict(zip(everybody, names_of(everybody), strict=True))
    # Colours go by number: a system may have any name, also that of another entry of the legend.
    numbers = {(system,): number for number, system in enumerate(shown)}
    another, several, nobody = range(len(shown), len(shown) + 3)
    number_of = {
        systems: numbers.get(systems, another if len(systems) == 1 else several)
        for systems in dict.fromkeys(found)
    } | {(): nobody}
    entries = {
        **{number: (name[system], PALETTE[number]) for number, system in enumerate(shown)},
        another: ("another system", _INK),
        several: ("several systems", _QUIET),
        nobody: ("nobody", _FAINT),
    }
    drawn = np.array([number_of[systems] for systems in found])
    domain = sorted(set(drawn.tolist()))
    said = {
        systems: ", ".join(name[system] for system in systems) or "nobody" for systems in number_of
    }
    long = pd.DataFrame(
        {
            "point": np.arange(len(weightings)),
            "x": x.round(6),
            "y": y.round(6),
            "winner": drawn,
            "winners": [said[systems] for systems in found],
            **{f"weight {place}": weights[:, place].round(3) for place in range(len(groups))},
        }
    )
    n_steps = round((np.sqrt(8 * len(weightings) + 1) - 3) / 2)
    side = 440
    chosen = alt.selection_point(
        name="weighting",
        fields=["point"],
        # Also while the button is held down: the point can be dragged.
        on="pointerdown, [pointerdown, window:pointerup] > pointermove",
        toggle=False,
    )
    points = (
        alt.Chart(_data(long), name="points")
        .mark_square(size=max(9.0, (1.25 * side / max(n_steps, 1)) ** 2), opacity=1, clip=False)
        .encode(
            x=alt.X("x:Q", scale=alt.Scale(domain=[-0.15, 1.15]), axis=None),
            y=alt.Y("y:Q", scale=alt.Scale(domain=[-0.1, 1.0]), axis=None),
            color=alt.Color(
                "winner:N",
                scale=alt.Scale(domain=domain, range=[entries[number][1] for number in domain]),
                legend=alt.Legend(
                    title="who wins",
                    labelLimit=240,
                    labelExpr=_text_by_number({n: entries[n][0] for n in domain}),
                ),
            ),
            tooltip=[
                "winners:N",
                *(
                    alt.Tooltip(f"weight {place}:Q", title=group)
                    for place, group in enumerate(names_of(groups))
                ),
            ],
        )
        .add_params(chosen)
    )
    names = pd.DataFrame(
        {"x": corners[:, 0], "y": corners[:, 1] + [-0.05, -0.05, 0.05], "group": names_of(groups)}
    )
    labels = (
        alt.Chart(_data(names))
        .mark_text(color=_INK, fontWeight="bold", limit=220)
        .encode(x="x:Q", y="y:Q", text="group:N")
    )
    return alt.LayerChart(layer=[points, labels]).properties(
        width=side * 1.3,
        height=side * np.sqrt(3) / 2 * 1.1,
        view=alt.ViewBackground(stroke=None),
        title=alt.TitleParams(
            "Who wins at each weighting",
            subtitle="a corner gives that group all the weight, the middle a third to each",
            anchor="start",
        ),
    )


def _text_by_number(texts: dict[int, str]) -> str:
    """Write the expression by which a legend or an axis shows a text for each number."""
    return f"({json.dumps({str(number): text for number, text in texts.items()})})[datum.value]"


def _field(name: str) -> str:
    """Escape the characters that Vega-Lite reads as part of a path or a type."""
    for mark in ("\\", ".", "[", "]", ":"):
        name = name.replace(mark, f"\\{mark}")
    return name


def robustness(
    results: pd.DataFrame,
    x: str,
    y: str = "kendall_tau",
    by: str = "rule",
    band: tuple[float, float] = (0.1, 0.9),
) -> alt.LayerChart:
    """Draw how a measure falls as an experiment gets harder: a line and a band for each rule.

    Parameters
    ----------
    results
        A row for each repetition, as the functions of `nbrank.experiments`
        return them.
    x
        The column of the setting.
    y
        The column of the measure.
    by
        The column that parts the lines.
    band
        The quantiles over the repetitions between which the band lies.

    Returns
    -------
    altair.LayerChart
        The mean over the repetitions, and the band.

    Examples
    --------
    >>> frame = pd.DataFrame({"rule": ["a"] * 4, "eta": [0, 0, 1, 1], "kendall_tau": [1, 1, 0, 1]})
    >>> chart = robustness(frame, "eta")
    """
    grouped = results.groupby([by, x], sort=False)[y]
    summary = grouped.agg(
        mean="mean", low=lambda v: v.quantile(band[0]), high=lambda v: v.quantile(band[1])
    ).reset_index()
    labels = list(dict.fromkeys(summary[by].map(name_of)))
    summary[by] = summary[by].map(name_of)
    colour = alt.Color(
        f"{by}:N",
        scale=alt.Scale(domain=labels, range=list(PALETTE[: len(labels)])),
        sort=labels,
        # As strong as the lines, not as faint as the bands.
        legend=alt.Legend(symbolOpacity=1),
    )
    # Half a task is no setting: a few whole numbers get ticks where something was measured. (Over a
    # longer range ticks fall on whole numbers anyway.)
    settings = sorted(results[x].unique().tolist())
    few = pd.api.types.is_integer_dtype(results[x]) and settings[-1] - settings[0] <= 12
    axis = alt.Axis(values=settings, format="d") if few else alt.Undefined
    base = alt.Chart(_data(summary)).encode(x=alt.X(f"{x}:Q", axis=axis), color=colour)
    area = base.mark_area(opacity=0.15).encode(y=alt.Y("low:Q", title=y), y2="high:Q")
    line = base.mark_line(point=True).encode(
        y=alt.Y("mean:Q", title=y, scale=alt.Scale(zero=False)),
        tooltip=[f"{by}:N", f"{x}:Q", alt.Tooltip("mean:Q", format=".3f")],
        strokeDash=alt.StrokeDash(f"{by}:N", sort=labels, legend=None),
    )
    return alt.LayerChart(layer=[area, line]).properties(width=360, height=260)
