"""Charts of rankings, scores, pairs and weights: from our frames to Altair.

Every chart is white with dark text, so that it reads the same in print and in a
dark notebook; colours are told apart by the colour-blind. In a notebook without
a network, choose a renderer that needs none: `altair.renderers.enable("svg")`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import wraps
from typing import Any, Literal, ParamSpec, TypeVar

import altair as alt
import numpy as np
import pandas as pd
from altair.utils.schemapi import debug_mode
from numpy.typing import NDArray

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

Options = ParamSpec("Options")
Drawn = TypeVar("Drawn")
Side = Literal["left", "right"]

#: Okabe and Ito's palette, which the colour-blind can tell apart, black and yellow left out.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#7F7F7F")
_QUIET = "#C8C8C8"
_FAINT = "#EEEEEE"
_INK = "#222222"
#: More rows than this get thin rows.
_ROWS_WITH_LABELS = 60
#: Up to so many systems stand to both sides of one axis of mean ranks; more get a row each.
_MOST_ON_AN_AXIS = 24
#: So far apart, in pixels, labels don't run into each other.
_LINE = 12


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


def _data(columns: Mapping[str, Any]) -> alt.InlineData:
    """Hand all rows to a chart: a large board has more cells than Altair takes in a frame."""
    rows = zip(*map(_plain, columns.values()), strict=True)
    return _Rows(values=[dict(zip(columns, row, strict=True)) for row in rows])


def _plain(column: Iterable[Any]) -> list[Any]:
    """Write a column for JSON, which knows neither NaN nor infinity."""
    if isinstance(column, list):
        return column
    values = pd.Series(column) if not isinstance(column, pd.Series) else column
    listed: list[Any] = values.tolist()
    if isinstance(values.dtype, np.dtype) and values.dtype.kind in "biuf":
        known = np.isfinite(values.to_numpy())
    else:
        known = values.notna().to_numpy()
    if known.all():
        return listed
    return [value if there else None for value, there in zip(listed, known.tolist(), strict=True)]


def _checked_at_the_end(draw: Callable[Options, Drawn]) -> Callable[Options, Drawn]:
    """Put a chart together unchecked: Altair checks every part then, and the whole when shown."""

    @wraps(draw)
    def drawing(*args: Options.args, **options: Options.kwargs) -> Drawn:
        with debug_mode(False):
            return draw(*args, **options)

    return drawing


def _require(function: str, frame: object, columns: Sequence[str], source: str) -> None:
    """Refuse what is no frame with the columns that are drawn, and say where such a frame is from.

    Parameters
    ----------
    function
        The chart, for the message.
    frame
        What was given.
    columns
        The columns needed.
    source
        The function of ours that returns such frames, as it is called.
    """
    start = f"charts.{function} draws what {source} returns"
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"{start}, not {type(frame).__name__}")
    there = list(frame.columns)
    missing = [column for column in columns if column not in there]
    if missing:
        raise ValueError(f"{start}; this frame has no {named(missing)}, but {named(there)}")
    if frame.empty:
        raise ValueError(f"{start}; this frame has no rows")
    if not frame.index.is_unique:
        twice = frame.index[frame.index.duplicated()].unique()
        raise ValueError(f"{start}; this frame has duplicate rows: {named(twice)}")


def _row_step(n_rows: int) -> int:
    """How high a row is, where all rows have to be seen at once."""
    return 20 if n_rows <= _ROWS_WITH_LABELS else max(4, 1200 // n_rows)


def _readable_step(n_rows: int) -> int:
    """How high a row is, where one may scroll and every row is labelled."""
    return 20 if n_rows <= _ROWS_WITH_LABELS else _LINE


def _columns(field: str, names: Sequence[str], step: int) -> alt.X:
    """The columns of a table, named above it: upright names where they stand close together."""
    narrow = step < 20
    axis = alt.Axis(
        labelAngle=-90 if narrow else -40,
        labelOverlap="greedy" if narrow else False,
        labelFontSize=min(10, max(9, step - 2)),
        labelLimit=220,
        title=None,
        orient="top",
    )
    # The order is the scale's: layers of different data would not agree on one of their own.
    return alt.X(field=field, type="nominal", scale=alt.Scale(domain=list(names)), axis=axis)


def _rows(field: str, names: Sequence[str], step: int) -> alt.Y:
    """The rows of a table, named to its left; every name, unless they would run together."""
    axis = alt.Axis(
        labelLimit=220,
        labelOverlap="greedy" if step < _LINE else False,
        labelFontSize=10 if step > _LINE else 9,
        title=None,
    )
    return alt.Y(field=field, type="nominal", scale=alt.Scale(domain=list(names)), axis=axis)


def _tip(
    field: str,
    kind: Literal["nominal", "quantitative"] = "quantitative",
    title: str | None = None,
    digits: int | None = None,
) -> alt.Tooltip:
    # Not as much as an empty format, which Vega-Lite takes for one.
    form = alt.Undefined if digits is None else f".{digits}f"
    return alt.Tooltip(field=field, type=kind, title=title or field, format=form)


def _number(field: str) -> dict[str, Any]:
    return {"field": field, "type": "quantitative"}


def _name(field: str) -> dict[str, Any]:
    return {"field": field, "type": "nominal"}


def _layered(
    layers: Sequence[alt.Chart],
    *,
    width: float,
    height: float,
    title: str,
    subtitle: str = "",
    frame: bool = True,
) -> alt.LayerChart:
    return alt.LayerChart(
        layer=list(layers),
        width=width,
        height=height,
        title=alt.TitleParams(title, subtitle=subtitle, anchor="start"),
        view=alt.Undefined if frame else alt.ViewBackground(stroke=None),
    )


def _text_by_number(texts: dict[int, str]) -> str:
    """Write the expression by which a legend shows a text for each number."""
    return f"({json.dumps({str(number): text for number, text in texts.items()})})[datum.value]"


@_checked_at_the_end
def ranks(comparison: pd.DataFrame, highlight: Iterable[Hashable] | None = None) -> alt.LayerChart:
    """Draw how the ranks move from rule to rule: a line for each system.

    Parameters
    ----------
    comparison
        The ranks, systems x rules, as `nbrank.compare` returns them; a rule
        that is NA throughout is left out, and named below the chart.
    highlight
        The systems to draw in colour; by default those that are first under
        some rule, at most seven; of more than 60 systems the seven with the
        best ranks under some rule.

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
    _require("ranks", comparison, [], "nbrank.compare(scores, rules)")
    if not comparison.columns.is_unique:
        twice = comparison.columns[comparison.columns.duplicated()].unique()
        raise ValueError(f"charts.ranks: duplicate rules: {named(twice)}; rename them")
    places = _as_ranks(comparison)
    there = ~np.isnan(places).all(axis=0)
    rules = comparison.columns[np.flatnonzero(there)]
    refused = comparison.columns[np.flatnonzero(~there)]
    places = places[:, there]
    if not len(rules):
        raise ValueError(f"no rule ranked the systems: {named(refused)} are NA")
    systems = comparison.index
    if highlight is None:
        highlight = [systems[row] for row in _to_highlight(places)]
    shown = list(highlight)
    position = {system: place for place, system in enumerate(systems)}
    unknown = [system for system in shown if system not in position]
    if unknown:
        raise ValueError(f"highlight: unknown {named(unknown)}; systems: {named(systems)}")
    names, columns = names_of(systems), names_of(rules)
    # Colours go by number: a system may have any name. Those that are not shown come first,
    # so that the others lie above them.
    number = {position[system]: place for place, system in enumerate(shown)}
    quiet = len(shown)
    in_order = sorted(range(len(names)), key=lambda row: -number.get(row, quiet))
    drawn = [
        (row, column)
        for row in in_order
        for column in np.flatnonzero(~np.isnan(places[row])).tolist()
    ]
    data = _data(
        {
            "system": [names[row] for row, _ in drawn],
            "rule": [columns[column] for _, column in drawn],
            "rank": [int(places[cell]) for cell in drawn],
            "colour": [number.get(row, quiet) for row, _ in drawn],
        }
    )
    # Of some rows only, such as the first ten, the ranks may reach beyond their number.
    lowest = max(len(names), int(np.nanmax(places)))
    step = _row_step(lowest)
    x = alt.X(
        field="rule",
        type="nominal",
        axis=alt.Axis(
            labelAngle=-40,
            labelLimit=180,
            title=None,
            orient="top",
            domain=False,
            ticks=False,
            labelPadding=8,
        ),
        scale=alt.Scale(domain=columns, padding=0.2),
    )
    y = alt.Y(**_number("rank"), scale=alt.Scale(domain=[lowest + 0.5, 0.5], nice=False), axis=None)
    colours = [*(PALETTE[place % len(PALETTE)] for place in range(quiet)), _QUIET]
    colour = alt.Color(
        **_name("colour"),
        scale=alt.Scale(domain=list(range(quiet + 1)), range=colours),
        legend=None,
    )
    hover = alt.selection_point(name="hover", on="pointerover", fields=["system"], empty=False)
    # Written out: Altair takes longer over a condition of its own than over the rest of the chart.
    width = alt.StrokeWidthValue(
        3,
        condition=[
            {"param": "hover", "empty": False, "value": 5},
            {"test": f"datum.colour == {quiet}", "value": 1 if step > 12 else 0.5},
        ],
    )
    base = alt.Chart(data).encode(
        x=x,
        y=y,
        color=colour,
        detail=alt.Detail(**_name("system")),
        tooltip=[_tip("system", "nominal"), _tip("rule", "nominal"), _tip("rank")],
    )
    lines = base.mark_line(interpolate="monotone").encode(strokeWidth=width)
    points = base.mark_circle(size=min(40, step * step // 2), opacity=1)
    points["name"] = "points"
    points = points.add_params(hover)
    line = 12 if step > 12 else 10
    named_rows = range(len(names)) if step >= line else list(number)
    texts = []
    ends: list[tuple[Side, int]] = [("right", 0), ("left", len(columns) - 1)]
    for end, column in ends[: len(columns)]:
        labels = _end_labels(places[:, column], names, named_rows, line / step)
        texts.append(
            alt.Chart(
                _data(
                    {
                        "rule": [columns[column]] * len(labels),
                        "rank": [at for at, _, _ in labels],
                        "label": [label for _, label, _ in labels],
                        "systems": [every for _, _, every in labels],
                    }
                )
            )
            .mark_text(
                align=end,
                dx=-12 if end == "right" else 12,
                color=_INK,
                limit=240,
                fontSize=line - 1,
            )
            .encode(
                x=x,
                y=y,
                text=alt.Text(**_name("label")),
                tooltip=[_tip("systems", "nominal")],
            )
        )
    note = f"left out, since they refuse the table: {', '.join(names_of(refused))}"
    return _layered(
        [lines, points, *texts],
        width=max(160, 70 * len(columns)),
        height=lowest * step,
        title="Ranks under each rule",
        subtitle=note if len(refused) else "",
        frame=False,
    )


def _to_highlight(places: NDArray[np.float64]) -> list[int]:
    """The rows that are first under some rule; where there are many, the best seven somewhere."""
    best = np.where(np.isnan(places), np.inf, places).min(axis=1)
    if len(places) > _ROWS_WITH_LABELS:
        order = np.lexsort((np.nan_to_num(places, nan=len(places)).mean(axis=1), best))
    else:
        order = np.flatnonzero(best == 1)
    return [int(row) for row in order[: len(PALETTE)]]


def _as_ranks(comparison: pd.DataFrame) -> NDArray[np.float64]:
    """The ranks as numbers, NaN for NA; refused unless they are whole and 1 or more."""
    try:
        ranks: NDArray[np.float64] = comparison.to_numpy(dtype=float, na_value=np.nan)
        wrong = (ranks < 1) | (ranks % 1 != 0) & ~np.isnan(ranks)
    except (TypeError, ValueError):
        ranks = comparison.apply(pd.to_numeric, errors="coerce").to_numpy(float, na_value=np.nan)
        wrong = np.isnan(ranks) & comparison.notna().to_numpy()
    if wrong.any():
        row, column = (int(place[0]) for place in np.nonzero(wrong))
        raise ValueError(
            f"charts.ranks draws ranks, whole numbers from 1 on, and "
            f"{comparison.iloc[row, column]!r} of {named([comparison.index[row]])} in "
            f"{named([comparison.columns[column]])} is none; give it "
            f"nbrank.compare(scores, rules), or draw scores with charts.scores(scores)"
        )
    return ranks


def _end_labels(
    places: NDArray[np.float64], names: Sequence[str], rows: Iterable[int], apart: float
) -> list[tuple[float, str, str]]:
    """Where labels stand, what they say, and all of the systems each stands for.

    Systems of one rank, and of ranks that are not so far apart as labels have to be, stand
    side by side in one label, not on top of each other.
    """
    clusters: list[dict[int, list[str]]] = []
    for rank, row in sorted((int(places[row]), row) for row in rows if places[row] > 0):
        if not clusters or rank - min(clusters[-1]) >= max(apart, 1):
            clusters.append({})
        clusters[-1].setdefault(rank, []).append(names[row])
    return [
        (
            float(min(cluster)),
            "; ".join(f"{rank}. {_shortened(tied)}" for rank, tied in cluster.items()),
            ", ".join(name for tied in cluster.values() for name in tied),
        )
        for cluster in clusters
    ]


def _shortened(names: list[str], most: int = 2) -> str:
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


@_checked_at_the_end
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
    if ranking is not None:
        _require("scores", ranking, ["rank"], "a rule such as nbrank.borda(scores) as its ranking")
        different = ranking.index.symmetric_difference(board.systems, sort=False)
        if len(different):
            raise ValueError(
                f"charts.scores: the ranking and the scores have different systems: "
                f"{named(different)}"
            )
    order = (borda(board) if ranking is None else ranking)["rank"]
    frame = board.scores
    if board.is_instance_level:
        frame = frame.groupby(level="system", sort=False).mean().reindex(board.systems)
    places = frame.mul(np.where(board.lower, -1.0, 1.0), axis=1).rank(ascending=False)
    counts = frame.notna().sum()
    goodness = (1 - (places - 1) / (counts - 1).clip(lower=1)).to_numpy().ravel()
    name = dict(zip(frame.index, names_of(frame.index), strict=True))
    rows = [f"{rank}. {name[system]}" for system, rank in order.items()]
    row = dict(zip(order.index, rows, strict=True))
    tasks = names_of(frame.columns)
    values = frame.to_numpy().ravel()
    n_rows, n_columns = frame.shape
    texts = n_rows <= _ROWS_WITH_LABELS and n_columns <= 30
    data = _data(
        {
            "system": [row[system] for system in frame.index for _ in tasks],
            "task": tasks * n_rows,
            "row": np.repeat(np.arange(n_rows), n_columns),
            "column": np.tile(np.arange(n_columns), n_rows),
            "score": values,
            "shown": [_in_short(value) for value in values.tolist()],
            "place": places.to_numpy().ravel(),
            "goodness": goodness.round(6),
        }
    )
    step, across = _readable_step(n_rows), 38 if texts else 16
    base = alt.Chart(data).encode(
        x=_columns("task", tasks, across),
        y=_rows("system", rows, step),
        tooltip=[
            _tip("system", "nominal"),
            _tip("task", "nominal"),
            _tip("shown", "nominal", title="score"),
            _tip("place"),
        ],
    )
    cells = base.mark_rect(stroke="white", strokeWidth=0.5).encode(
        color=alt.condition(
            "isValid(datum.goodness)",
            alt.Color(
                **_number("goodness"),
                scale=alt.Scale(scheme="blues", domain=[0, 1]),
                legend=alt.Legend(title="place", values=[0, 1], labelExpr=_ENDS),
            ),
            alt.value("#FFFFFF"),
        )
    )
    clicked = alt.selection_point(name="cell", fields=["row", "column"])
    cells["name"] = "cells"
    layers: list[alt.Chart] = [cells.add_params(clicked)]
    if texts:
        layers.append(
            base.mark_text(fontSize=9).encode(
                text=alt.Text(**_name("shown")),
                color=alt.condition("datum.goodness > 0.65", alt.value("white"), alt.value(_INK)),
            )
        )
    return _layered(
        layers,
        width=n_columns * across,
        height=n_rows * step,
        title="Scores, coloured by the place on each task",
        subtitle="an empty cell is a missing score",
    )


def _in_short(value: float) -> str:
    """Three digits; nothing for a missing score."""
    if np.isinf(value):
        return "∞" if value > 0 else "−∞"
    return "" if np.isnan(value) else f"{value:.3g}"


_ENDS = "datum.value == 1 ? 'first' : 'last'"


@_checked_at_the_end
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
        significant pair; a pair that never met is grey.

    Examples
    --------
    >>> import nbrank
    >>> from nbrank.datasets import load_llm_chat
    >>> chart = pairwise(nbrank.confidence(load_llm_chat()))
    """
    needed = ["wins", "low", "high", "n", "significant"]
    _require("pairwise", confidence, needed, "nbrank.confidence(scores)")
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
    step = _row_step(len(order))
    x, y = _columns("opponent", order, step), _rows("system", order, step)
    cells = (
        alt.Chart(_data(data))
        .mark_rect()
        .encode(
            x=x,
            y=y,
            color=alt.condition(
                "isValid(datum.wins)",
                alt.Color(
                    **_number("wins"),
                    scale=alt.Scale(scheme="purpleorange", domain=[0, 1], reverse=True),
                    legend=alt.Legend(title="row beats column", format="%"),
                ),
                alt.value(_QUIET),
            ),
            tooltip=[
                _tip("system", "nominal"),
                _tip("opponent", "nominal"),
                _tip("wins", digits=3),
                _tip("low", digits=3),
                _tip("high", digits=3),
                _tip("n"),
                _tip("significant", "nominal"),
            ],
        )
    )
    sure = confidence["significant"].astype(bool).to_numpy()
    dots = (
        alt.Chart(
            _data({key: np.asarray(data[key])[sure] for key in ("system", "opponent", "wins")})
        )
        .mark_circle(size=min(30, step * step / 4), opacity=1, tooltip=None)
        .encode(
            x=x,
            y=y,
            color=alt.condition(
                "abs(datum.wins - 0.5) > 0.25", alt.value("white"), alt.value(_INK)
            ),
        )
    )
    return _layered(
        [cells, dots],
        width=len(order) * step,
        height=len(order) * step,
        title="Who beats whom",
        subtitle="a dot: one of the two is significantly better"
        + ("; grey: the two never met" if confidence["wins"].isna().any() else ""),
    )


@_checked_at_the_end
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
    data = _data(
        {
            "system": [name[system] for system in pairs.index.get_level_values("system")],
            "opponent": [name[system] for system in pairs.index.get_level_values("opponent")],
            **{column: pairs[column] for column in ("share", "n", "low")},
            "lead": (pairs["low"] - 0.5).clip(lower=0.0),
        }
    )
    step = _row_step(len(order))
    cells = (
        alt.Chart(data)
        .mark_rect(stroke="white", strokeWidth=0.5)
        .encode(
            x=_columns("opponent", order, step),
            y=_rows("system", order, step),
            color=alt.condition(
                "datum.lead > 0",
                alt.Color(
                    **_number("lead"),
                    scale=alt.Scale(scheme="greens", domain=[0, 0.5]),
                    legend=alt.Legend(title="interval above one half by", format=".1f"),
                ),
                alt.value("#E4E4E4"),
            ),
            tooltip=[
                _tip("system", "nominal"),
                _tip("opponent", "nominal"),
                _tip("share", digits=3),
                _tip("low", digits=3),
                _tip("n"),
            ],
        )
    )
    return _layered(
        [cells],
        width=len(order) * step,
        height=len(order) * step,
        title="Who beats whom, missing scores filled in",
        subtitle=f"one-sided bound, delta = {delta:g}, no coverage claimed",
    )


@_checked_at_the_end
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
    names = names_of(systems)
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
    arrows = _data(
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
            "x": alt.X(**_number(across), scale=scale, axis=None),
            "y": alt.Y(**_number(up), scale=scale, axis=None),
        }

    tooltip = [_tip("winner", "nominal"), _tip("loser", "nominal"), _tip("margin")]
    lines = (
        alt.Chart(arrows)
        .mark_rule(color="#888888")
        .encode(**at("x", "y"), x2=alt.X2(field="x2"), y2=alt.Y2(field="y2"), tooltip=tooltip)
    )
    heads = (
        alt.Chart(arrows)
        .mark_point(shape="triangle", filled=True, size=70, color="#555555", opacity=1)
        .encode(
            **at("x2", "y2"),
            angle=alt.Angle(**_number("angle"), scale=alt.Scale(domain=[0, 360], range=[0, 360])),
            tooltip=tooltip,
        )
    )
    nodes = {"system": names, "x": x, "y": y, "place": np.arange(1, len(systems) + 1)}
    dots = (
        alt.Chart(_data(nodes))
        .mark_circle(size=160, color=PALETTE[0], opacity=1)
        .encode(**at("x", "y"), tooltip=[_tip("system", "nominal"), _tip("place")])
    )
    sides: list[tuple[NDArray[np.bool_], Literal["left", "center", "right"], int, int]] = [
        (x > 0.1, "left", 12, 0),
        (x < -0.1, "right", -12, 0),
        ((np.abs(x) <= 0.1) & (y > 0), "center", 0, -16),
        ((np.abs(x) <= 0.1) & (y <= 0), "center", 0, 18),
    ]
    labels = [
        alt.Chart(
            _data(
                {
                    "system": [name for name, on in zip(names, side.tolist(), strict=True) if on],
                    "x": x[side],
                    "y": y[side],
                }
            )
        )
        .mark_text(align=align, dx=dx, dy=dy, color=_INK, limit=260)
        .encode(**at("x", "y"), text=alt.Text(**_name("system")))
        for side, align, dx, dy in sides
        if side.any()
    ]
    left_out = len(scored) - len(systems)
    notes = [f"the first {len(systems)} by Copeland; {left_out} more not drawn"] * (left_out > 0)
    notes += [] if len(wins) == len(names) * (len(names) - 1) / 2 else ["no arrow: level"]
    return _layered(
        [lines, heads, dots, *labels],
        # Equal sides, so that the arrowheads point along their lines.
        width=460,
        height=460,
        title="Who beats whom on a majority of the tasks",
        subtitle="; ".join(notes),
        frame=False,
    )


@_checked_at_the_end
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
    source = "nbrank.rank_confidence(scores, rule) or nbrank.bootstrap(scores, rule)"
    _require("rank_intervals", intervals, ["rank", "low", "high"], source)
    table = intervals.sort_values(["rank", "low", "high"], kind="stable")
    names = names_of(table.index)
    base, x, step = _interval_rows(table, names)
    bars = base.mark_rule(strokeWidth=max(2, step // 3), color=PALETTE[4]).encode(
        x=x("low"), x2=alt.X2(field="high")
    )
    points = base.mark_circle(size=60, color=PALETTE[0], opacity=1).encode(x=x("rank"))
    return _layered(
        [bars, points],
        width=420,
        height=len(names) * step,
        title="Which ranks are possible",
    )


def _interval_rows(
    table: pd.DataFrame, names: list[str]
) -> tuple[alt.Chart, Callable[[str], alt.X], int]:
    """A row for each system with its ranks, the axis of ranks, and how high a row is."""
    # Of some rows only, such as the first ten, the ranks may reach beyond their number.
    last = max(len(names), int(table["high"].max()))
    step = _readable_step(len(names))
    base = alt.Chart(
        _data({**{column: table[column] for column in ("rank", "low", "high")}, "system": names})
    ).encode(
        y=_rows("system", names, step),
        tooltip=[_tip("system", "nominal"), _tip("rank"), _tip("low"), _tip("high")],
    )

    def x(field: str) -> alt.X:
        return alt.X(
            **_number(field),
            scale=alt.Scale(domain=[0.5, last + 0.5], nice=False),
            axis=alt.Axis(
                tickMinStep=1,
                format="d",
                title="rank (1 is best)",
                orient="top" if len(names) > _ROWS_WITH_LABELS else "bottom",
            ),
        )

    return base, x, step


@_checked_at_the_end
def tie_groups(groups: pd.DataFrame, intervals: pd.DataFrame | None = None) -> alt.LayerChart:
    """Draw which systems can't be told apart: a coloured band for each group.

    Parameters
    ----------
    groups
        A row for each group with the columns `low`, `high` and `systems`, as
        `nbrank.tie_groups` returns them.
    intervals
        The ranks that each system may have, as `nbrank.rank_confidence`
        returned them for the same systems; None draws the groups alone.

    Returns
    -------
    altair.LayerChart
        A row for each system, best first. A group is a vertical line with a
        block in the row of each of its systems, at the ranks that are open to
        all of them; behind them, in grey, are all ranks open to the system.

    Raises
    ------
    TypeError, ValueError
        If the frames are no such frames, or have different systems.

    Examples
    --------
    >>> import nbrank
    >>> from nbrank.datasets import load_llm_chat
    >>> sets = nbrank.rank_confidence(load_llm_chat(), "borda", delta=0.2, seed=0)
    >>> chart = tie_groups(nbrank.tie_groups(sets), sets)
    """
    source = "nbrank.tie_groups(scores, rule), or nbrank.tie_groups(rank_confidence(...)),"
    _require("tie_groups", groups, ["low", "high", "systems"], source)
    members = [list(systems) for systems in groups["systems"]]
    found = list(dict.fromkeys(system for systems in members for system in systems))
    if intervals is None:
        order = pd.Index(found, tupleize_cols=False)
        last = max(len(order), int(groups["high"].max()))
        bounds = pd.DataFrame({"rank": 1, "low": 1, "high": last}, index=order)
    else:
        _require(
            "tie_groups",
            intervals,
            ["rank", "low", "high"],
            "nbrank.rank_confidence(scores, rule) as its intervals",
        )
        bounds = intervals.sort_values(["rank", "low", "high"], kind="stable")
        different = set(found).symmetric_difference(bounds.index)
        if different:
            raise ValueError(
                f"charts.tie_groups: the groups and the intervals have different systems: "
                f"{named(different)}"
            )
    names = names_of(bounds.index)
    name = dict(zip(bounds.index, names, strict=True))
    row = {system: place for place, system in enumerate(bounds.index)}
    base, x, step = _interval_rows(bounds, names)
    low, high = groups["low"].to_numpy(), groups["high"].to_numpy()
    each = [(group, system) for group, systems in enumerate(members) for system in systems]
    together = [
        "only the system itself" if len(systems) == 1 else _shortened([name[s] for s in systems], 5)
        for systems in members
    ]
    blocks_data = _data(
        {
            "system": [name[system] for _, system in each],
            "from": [float(low[group]) - 0.4 for group, _ in each],
            "to": [float(high[group]) + 0.4 for group, _ in each],
            "colour": [group % _GROUP_COLOURS for group, _ in each],
            "group": [str(groups.index[group]) for group, _ in each],
            "ranks": [_span(low[group], high[group]) for group, _ in each],
            "together": [together[group] for group, _ in each],
        }
    )
    ends = [sorted(systems, key=row.__getitem__) for systems in members]
    several = [group for group, systems in enumerate(members) if len(systems) > 1]
    joints_data = _data(
        {
            "first": [name[ends[group][0]] for group in several],
            "last": [name[ends[group][-1]] for group in several],
            "middle": [(float(low[group]) + float(high[group])) / 2 for group in several],
            "colour": [group % _GROUP_COLOURS for group in several],
        }
    )
    colour = alt.Color(
        **_name("colour"),
        scale=alt.Scale(domain=list(range(_GROUP_COLOURS)), range=list(PALETTE[:_GROUP_COLOURS])),
        legend=None,
    )
    layers = []
    if intervals is not None:
        layers.append(
            base.mark_rule(strokeWidth=max(2, step // 4), color=_QUIET).encode(
                x=x("low"), x2=alt.X2(field="high")
            )
        )
    layers.append(
        alt.Chart(joints_data)
        .mark_rule(strokeWidth=2 if step > _LINE else 1)
        .encode(x=x("middle"), y=_rows("first", names, step), y2=alt.Y2(field="last"), color=colour)
    )
    layers.append(
        alt.Chart(blocks_data)
        .mark_rule(strokeWidth=max(4, step // 2))
        .encode(
            x=x("from"),
            x2=alt.X2(field="to"),
            y=_rows("system", names, step),
            color=colour,
            tooltip=[
                _tip("system", "nominal"),
                _tip("group", "nominal"),
                _tip("ranks", "nominal", title="ranks open to all of it"),
                _tip("together", "nominal", title="in the group"),
            ],
        )
    )
    if intervals is not None:
        layers.append(base.mark_circle(size=40, color=_INK, opacity=1).encode(x=x("rank")))
    return _layered(
        layers,
        # Wide enough for a block to stand out from the line, which also crosses other rows.
        width=min(900, max(420, 7 * len(names))),
        height=len(names) * step,
        title="Which systems can't be told apart",
        subtitle="a coloured line joins systems that may all have the same rank",
    )


def _span(low: int, high: int) -> str:
    return f"{low}" if low == high else f"{low} to {high}"


@_checked_at_the_end
def strengths(found: pd.DataFrame) -> alt.LayerChart:
    """Draw how strong each system is by Bradley and Terry's model, and how sure that is.

    Parameters
    ----------
    found
        A row for each system with the columns `rank`, `strength`, `low` and
        `high`, as `nbrank.strengths` returns them.

    Returns
    -------
    altair.LayerChart
        A row for each system, best first: a point at its log-strength, a line
        for its interval, and a dashed line at 0, the strength of an average
        system.

    Raises
    ------
    TypeError, ValueError
        If it is no such frame.

    Examples
    --------
    >>> import nbrank
    >>> from nbrank.datasets import load_llm_chat
    >>> chart = strengths(nbrank.strengths(load_llm_chat(), prior=1))
    """
    needed = ["rank", "strength", "low", "high"]
    _require("strengths", found, needed, "nbrank.strengths(scores)")
    table = found.sort_values("rank", kind="stable")
    names = names_of(table.index)
    step = _readable_step(len(names))
    base = alt.Chart(
        _data({"system": names, **{column: table[column] for column in needed}})
    ).encode(
        y=_rows("system", names, step),
        tooltip=[
            _tip("system", "nominal"),
            _tip("rank"),
            *(_tip(column, digits=3) for column in needed[1:]),
        ],
    )

    def x(field: str) -> alt.X:
        side: Literal["top", "bottom"] = "top" if len(names) > _ROWS_WITH_LABELS else "bottom"
        title = "log-strength (0 is an average system)"
        return alt.X(**_number(field), axis=alt.Axis(title=title, orient=side))

    average = (
        alt.Chart(_data({"strength": [0.0]}))
        .mark_rule(color="#888888", strokeDash=[4, 3])
        .encode(x=x("strength"))
    )
    lines = base.mark_rule(strokeWidth=2, color=PALETTE[0]).encode(
        x=x("low"), x2=alt.X2(field="high")
    )
    points = base.mark_circle(size=60, color=PALETTE[0], opacity=1).encode(x=x("strength"))
    return _layered(
        [average, lines, points],
        width=420,
        height=len(names) * step,
        title="How strong is each system?",
        subtitle="Bradley and Terry's strengths, and their intervals",
    )


@_checked_at_the_end
def critical_difference(found: pd.DataFrame, distance: float | None = None) -> alt.LayerChart:
    """Draw Demsar's diagram: mean ranks on a line, and bars over what can't be told apart.

    Parameters
    ----------
    found
        A row for each system with the columns `rank`, `mean_rank` and `groups`,
        as `nbrank.critical_difference` returns them.
    distance
        Nemenyi's critical difference, which is drawn as a ruler: what that
        function gives as `found.attrs["critical_difference"]`. None draws none.

    Returns
    -------
    altair.LayerChart
        Up to 24 systems stand to the left (the better half) and to the right of
        one axis of mean ranks, and a thick bar joins those of a group. More
        have a row each, with a bar from the best to the worst system that it
        shares a group with.

    Raises
    ------
    TypeError, ValueError
        If it is no such frame, or the distance is not above 0.

    References
    ----------
    Demsar, Statistical comparisons of classifiers over multiple data sets,
    Journal of Machine Learning Research, 2006, figure 1.

    Examples
    --------
    >>> import nbrank
    >>> from nbrank.datasets import load_toy_votes
    >>> found = nbrank.critical_difference(load_toy_votes())
    >>> chart = critical_difference(found, found.attrs["critical_difference"])
    """
    needed = ["rank", "mean_rank", "groups"]
    _require("critical_difference", found, needed, "nbrank.critical_difference(scores)")
    if distance is not None and not distance > 0:
        raise ValueError(f"charts.critical_difference: distance={distance!r} must be above 0")
    table = found.sort_values(["rank", "mean_rank"], kind="stable")
    means = table["mean_rank"].to_numpy(dtype=float)
    letters = [str(letters).split() for letters in table["groups"]]
    group_rows: dict[str, list[int]] = {}
    for position, own in enumerate(letters):
        for letter in own:
            group_rows.setdefault(letter, []).append(position)
    names = names_of(table.index)
    draw = _on_one_axis if len(names) <= _MOST_ON_AN_AXIS else _in_rows
    return draw(names, table["rank"].tolist(), means, list(group_rows.values()), distance)


def _mean_rank_domain(means: NDArray[np.float64], distance: float | None) -> list[float]:
    """Whole ranks around the mean ranks, with room for the ruler."""
    low, high = float(np.floor(means.min() + 1e-9)), float(np.ceil(means.max() - 1e-9))
    if high - low < 2:
        low, high = max(1.0, low - 1), high + 1
    return [low, max(high, low + (distance or 0.0))]


def _on_one_axis(
    names: list[str],
    ranks: list[int],
    means: NDArray[np.float64],
    groups: list[list[int]],
    distance: float | None,
) -> alt.LayerChart:
    """The classic diagram; y counts pixels downward from the top."""
    domain = _mean_rank_domain(means, distance)
    n = len(names)
    on_left = (n + 1) // 2
    top = 14 if distance is None else 46
    bars = [(float(means[g[0]]), float(means[g[-1]])) for g in groups if len(g) > 1]
    # A bar goes into the first line where there is room.
    reached: list[float] = []
    lanes = []
    gap = (domain[1] - domain[0]) / 50
    for start, end in bars:
        lane = next((i for i, last in enumerate(reached) if last + gap < start), len(reached))
        reached[lane : lane + 1] = [end]
        lanes.append(lane)
    first_line = top + 16 + 8 * len(reached)
    # From the outside in, so that no line crosses a name: the best and the worst stand highest.
    line = [first_line + 18 * (place if place < on_left else n - 1 - place) for place in range(n)]
    left = np.arange(n) < on_left
    height = first_line + 18 * (on_left - 1) + 10

    def x(field: str) -> alt.X:
        return alt.X(
            **_number(field),
            scale=alt.Scale(domain=domain, nice=False),
            axis=alt.Axis(
                orient="top", offset=-top, title=None, grid=False, tickMinStep=1, format="d"
            ),
        )

    def y(field: str) -> alt.Y:
        return alt.Y(**_number(field), scale=alt.Scale(domain=[height, 0], nice=False), axis=None)

    system = {
        "system": names,
        "rank": ranks,
        "mean_rank": means,
        "edge": np.where(left, domain[0], domain[1]),
        "axis": np.full(n, float(top)),
        "line": line,
    }
    tooltip = [_tip("system", "nominal"), _tip("rank"), _tip("mean_rank", digits=3)]
    base = alt.Chart(_data(system)).encode(tooltip=tooltip)
    layers = [
        base.mark_rule(color="#888888").encode(
            x=x("mean_rank"), y=y("axis"), y2=alt.Y2(field="line")
        ),
        base.mark_rule(color="#888888").encode(
            x=x("mean_rank"), x2=alt.X2(field="edge"), y=y("line")
        ),
    ]
    sides: list[tuple[NDArray[np.bool_], Side, int]] = [(left, "right", -6), (~left, "left", 6)]
    for side, align, dx in sides:
        if side.any():
            picked = {key: np.asarray(value)[side] for key, value in system.items()}
            layers.append(
                alt.Chart(_data(picked))
                .mark_text(align=align, dx=dx, color=_INK, limit=240)
                .encode(x=x("edge"), y=y("line"), text=alt.Text(**_name("system")), tooltip=tooltip)
            )
    if bars:
        inside = gap / 4
        layers.append(
            alt.Chart(
                _data(
                    {
                        "from": [max(start - inside, domain[0]) for start, _ in bars],
                        "to": [min(end + inside, domain[1]) for _, end in bars],
                        "line": [float(top + 12 + 8 * lane) for lane in lanes],
                        "together": [
                            _shortened([names[place] for place in g], 5)
                            for g in groups
                            if len(g) > 1
                        ],
                    }
                )
            )
            .mark_rule(strokeWidth=5, color=PALETTE[0])
            .encode(
                x=x("from"),
                x2=alt.X2(field="to"),
                y=y("line"),
                tooltip=[_tip("together", "nominal", title="not told apart")],
            )
        )
    if distance is not None:
        layers += _ruler(distance, domain[0], x, y)
    return _layered(
        layers,
        width=520,
        height=height,
        title="Mean ranks over the tasks (1 is best)",
        subtitle=_CAN_NOT_BE_TOLD_APART,
        frame=False,
    )


def _ruler(
    distance: float, start: float, x: Callable[[str], alt.X], y: Callable[[str], alt.Y]
) -> list[alt.Chart]:
    """The critical difference as a ruler over the axis."""
    ends = {"from": [start], "to": [start + distance], "middle": [start + distance / 2]}
    data = _data({**ends, "line": [14.0], "text": [f"critical difference {distance:.2f}"]})
    ticks = _data({"at": [start, start + distance], "from": [9.0, 9.0], "to": [19.0, 19.0]})
    return [
        alt.Chart(data)
        .mark_rule(color=_INK)
        .encode(x=x("from"), x2=alt.X2(field="to"), y=y("line")),
        alt.Chart(ticks)
        .mark_rule(color=_INK)
        .encode(x=x("at"), y=y("from"), y2=alt.Y2(field="to")),
        alt.Chart(data)
        .mark_text(color=_INK, align="left", dy=-11)
        .encode(x=x("from"), y=y("line"), text=alt.Text(**_name("text"))),
    ]


def _in_rows(
    names: list[str],
    ranks: list[int],
    means: NDArray[np.float64],
    groups: list[list[int]],
    distance: float | None,
) -> alt.LayerChart:
    """A row for each system, with a bar over the mean ranks of those not told from it."""
    first, last = np.arange(len(names)), np.arange(len(names))
    for group in groups:
        first[group] = np.minimum(first[group], group[0])
        last[group] = np.maximum(last[group], group[-1])
    step = _readable_step(len(names))
    domain = _mean_rank_domain(means, distance)

    def x(field: str) -> alt.X:
        return alt.X(
            **_number(field),
            scale=alt.Scale(domain=domain, nice=False),
            axis=alt.Axis(title="mean rank (1 is best)", orient="top"),
        )

    data = _data(
        {
            "system": names,
            "rank": ranks,
            "mean_rank": means,
            "from": means[first],
            "to": means[last],
            "best": [names[place] for place in first],
            "worst": [names[place] for place in last],
        }
    )
    base = alt.Chart(data).encode(
        y=_rows("system", names, step),
        tooltip=[
            _tip("system", "nominal"),
            _tip("rank"),
            _tip("mean_rank", digits=3),
            _tip("best", "nominal", title="not told from those from"),
            _tip("worst", "nominal", title="to"),
        ],
    )
    bars = base.mark_rule(strokeWidth=max(2, step // 3), color=PALETTE[4]).encode(
        x=x("from"), x2=alt.X2(field="to")
    )
    points = base.mark_circle(size=40, color=PALETTE[0], opacity=1).encode(x=x("mean_rank"))
    ruler = "" if distance is None else f"; the critical difference is {distance:.2f}"
    return _layered(
        [bars, points],
        width=520,
        height=len(names) * step,
        title="Mean ranks over the tasks (1 is best)",
        subtitle=f"a bar reaches over the systems that can't be told from its own{ruler}",
    )


_CAN_NOT_BE_TOLD_APART = "a bar joins systems that can't be told apart"
#: Groups in turn have one of so many colours.
_GROUP_COLOURS = 6


@_checked_at_the_end
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
    source = "nbrank.weight_map(scores, rule)"
    _require("weight_map", weightings, ["winners"], source)
    groups = [column for column in weightings.columns if column != "winners"]
    if len(groups) != 3 or any(weightings[group].dtype.kind != "f" for group in groups):
        raise ValueError(
            f"charts.weight_map draws what {source} returns, with the weights of three groups "
            f"beside the winners; this frame has {named(groups) or 'none'}"
        )
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
    data = _data(
        {
            "point": np.arange(len(weightings)),
            "x": x.round(6),
            "y": y.round(6),
            "winner": drawn,
            "winners": [said[systems] for systems in found],
            **{f"weight {place}": weights[:, place].round(3) for place in range(3)},
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
    across = alt.X(**_number("x"), scale=alt.Scale(domain=[-0.15, 1.15]), axis=None)
    up = alt.Y(**_number("y"), scale=alt.Scale(domain=[-0.1, 1.0]), axis=None)
    points = (
        alt.Chart(data, name="points")
        .mark_square(size=max(9.0, (1.25 * side / max(n_steps, 1)) ** 2), opacity=1, clip=False)
        .encode(
            x=across,
            y=up,
            color=alt.Color(
                **_name("winner"),
                scale=alt.Scale(domain=domain, range=[entries[number][1] for number in domain]),
                legend=alt.Legend(
                    title="who wins",
                    labelLimit=240,
                    labelExpr=_text_by_number({n: entries[n][0] for n in domain}),
                ),
            ),
            tooltip=[
                _tip("winners", "nominal"),
                *(
                    _tip(f"weight {place}", title=group)
                    for place, group in enumerate(names_of(groups))
                ),
            ],
        )
        .add_params(chosen)
    )
    corner = {
        "x": corners[:, 0],
        "y": corners[:, 1] + [-0.05, -0.05, 0.05],
        "group": names_of(groups),
    }
    labels = (
        alt.Chart(_data(corner))
        .mark_text(color=_INK, fontWeight="bold", limit=220)
        .encode(x=across, y=up, text=alt.Text(**_name("group")))
    )
    return _layered(
        [points, labels],
        width=side * 1.3,
        height=side * np.sqrt(3) / 2 * 1.1,
        title="Who wins at each weighting",
        subtitle="a corner gives that group all the weight, the middle a third to each",
        frame=False,
    )


@_checked_at_the_end
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
    _require("robustness", results.reset_index(drop=True), [], "a function of nbrank.experiments")
    there = list(results.columns)
    for argument, column in (("x", x), ("y", y), ("by", by)):
        if column not in there:
            raise ValueError(
                f"charts.robustness: {argument}={column!r} is no column of the results; choose "
                f"from {named(there)}"
            )
    for argument, column in (("x", x), ("y", y)):
        if not pd.api.types.is_numeric_dtype(results[column]):
            raise ValueError(
                f"charts.robustness: {argument}={column!r} holds no numbers, so it has no axis"
            )
    if not 0 <= band[0] <= band[1] <= 1:
        raise ValueError(f"charts.robustness: band={band!r} must be two quantiles, low then high")
    grouped = results.groupby([by, x], sort=False)[y]
    summary = grouped.agg(
        mean="mean", low=lambda v: v.quantile(band[0]), high=lambda v: v.quantile(band[1])
    )
    parts = summary.index.get_level_values(0)
    kinds = parts.unique()
    labels = names_of(kinds)
    name = dict(zip(kinds, labels, strict=True))
    data = _data(
        {
            "by": [name[part] for part in parts],
            "setting": summary.index.get_level_values(1),
            **{column: summary[column] for column in ("mean", "low", "high")},
        }
    )
    colour = alt.Color(
        **_name("by"),
        title=by,
        scale=alt.Scale(
            domain=labels, range=[PALETTE[i % len(PALETTE)] for i in range(len(labels))]
        ),
        sort=labels,
        # As strong as the lines, not as faint as the bands.
        legend=alt.Legend(symbolOpacity=1, labelLimit=240),
    )
    # Half a task is no setting: a few whole numbers get ticks where something was measured. (Over a
    # longer range ticks fall on whole numbers anyway.)
    settings = sorted(results[x].dropna().unique().tolist())
    few = pd.api.types.is_integer_dtype(results[x]) and settings[-1] - settings[0] <= 12
    axis = alt.Axis(values=settings, format="d") if few else alt.Undefined
    base = alt.Chart(data).encode(x=alt.X(**_number("setting"), title=x, axis=axis), color=colour)
    area = base.mark_area(opacity=0.15).encode(
        y=alt.Y(**_number("low"), title=y), y2=alt.Y2(field="high")
    )
    line = base.mark_line(point=True).encode(
        y=alt.Y(**_number("mean"), title=y, scale=alt.Scale(zero=False)),
        tooltip=[
            _tip("by", "nominal", title=by),
            _tip("setting", title=x),
            _tip("mean", title=f"mean {y}", digits=3),
        ],
        strokeDash=alt.StrokeDash(**_name("by"), sort=labels, legend=None),
    )
    return alt.LayerChart(layer=[area, line], width=360, height=260)
