"""Draw rankings and scores: how ranks move from rule to rule, and the table behind them."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Literal
from zlib import crc32

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.charts.axes import ROWS_WITH_LABELS, RowGrid, layer_charts, row_step, spread_labels
from nbrank.charts.encodings import (
    nominal,
    opacity_encoding,
    quantitative,
    text_encoding,
    tooltip_fields,
)
from nbrank.charts.frame_checks import check_columns
from nbrank.charts.layers import make_layer
from nbrank.charts.palette import INK, LEADER, PALETTE, PAPER, QUIET
from nbrank.findings.labels import (
    DisplayNames,
    abbreviate_labels,
    join_labels,
    rule_title,
    unique_label_texts,
)
from nbrank.findings.overview import task_places
from nbrank.robustness.rank_changes import separates_first
from nbrank.rules.positional_rules import borda
from nbrank.votes.formatting import check_same_labels, format_labels
from nbrank.votes.labeled_values import clean_axes, clean_label, clean_labels
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.table.task_options import Groups, LowerIsBetter, Weights

TextAlign = Literal["left", "right"]
#: How an axis looks that only names what is below it.
_NO_AXIS: Any = {"orient": "top", "domain": False, "ticks": False, "labelPadding": 8}


#: Pixels between the names at both ends, if they are enough.
_PLOT = 546


def ranks(
    comparison: pd.DataFrame, *, highlight: Iterable[Hashable] | None = None
) -> alt.LayerChart:
    """Draw how the ranks move from rule to rule: a line for each system.

    Parameters
    ----------
    comparison
        The ranks, systems x rules, as `nbrank.compare` returns them; a rule
        that is NA throughout is left out, and named below the title.
    highlight
        The systems to draw in colour; by default those that are first under some rule, at most
        seven; of more than 60 systems the seven with the best ranks under some rule. A rule that
        puts more than half of the systems first does not count here, unless all do.

    Returns
    -------
    altair.LayerChart
        Lines with the systems' names at the first and at the last rule, and the rank under every
        rule on hovering. Systems that share a rank stand below each other, joined by a grey bar.
        Where there is no room for all names, those in colour are named.

    Raises
    ------
    TypeError, ValueError
        If it is no such frame, if a cell is no rank, if no rule ranked the
        systems, or if a system to highlight is unknown.

    Examples
    --------
    >>> import nbrank
    >>> from nbrank.datasets import load_llm_chat
    >>> chart = ranks(nbrank.compare(load_llm_chat(), ["borda", "copeland"]))
    """
    check_columns("ranks", comparison, [], "nbrank.compare(scores, rules)")
    if list(comparison.columns) == ["rank", "score"]:
        raise ValueError(
            "charts.ranks draws what nbrank.compare(scores, rules) returns; this is the ranking of "
            "one rule, with its scores"
        )
    if not comparison.columns.is_unique:
        twice = comparison.columns[comparison.columns.duplicated()].unique()
        raise ValueError(f"charts.ranks: duplicate rules: {format_labels(twice)}; rename them")
    places = _validate_ranks(comparison)
    ranked = ~np.isnan(places).all(axis=0)
    rules, refused = (comparison.columns[np.flatnonzero(which)] for which in (ranked, ~ranked))
    places = places[:, ranked]
    if not len(rules):
        raise ValueError(f"no rule ranked the systems: {format_labels(refused)} are NA")
    systems = clean_labels(comparison.index)
    if highlight is None:
        highlight = [systems[row] for row in _default_highlight(places)]
    shown = [*map(clean_label, highlight)]
    position = {system: place for place, system in enumerate(systems)}
    unknown = [system for system in shown if system not in position]
    if unknown:
        raise ValueError(
            f"highlight: unknown {format_labels(unknown)}; systems: {format_labels(systems)}"
        )
    names, columns = unique_label_texts(systems), _unique_rule_titles(rules)
    brief = abbreviate_labels(names)
    # Colours go by number: a system may have any name. Those that are not shown come first,
    # so that the others lie above them.
    number = {position[system]: place for place, system in enumerate(shown)}
    quiet = len(shown)
    in_order = sorted(range(len(names)), key=lambda row: -number.get(row, quiet))
    slots = _assign_slots(places)
    drawn = [
        (row, column)
        for row in in_order
        for column in np.flatnonzero(~np.isnan(places[row])).tolist()
    ]
    data = {
        "system": [names[row] for row, _ in drawn],
        "rule": [columns[column] for _, column in drawn],
        "rank": [int(places[cell]) for cell in drawn],
        "slot": [slots[cell] for cell in drawn],
        "colour": [number.get(row, quiet) for row, _ in drawn],
    }
    # Of some rows only, such as the first ten, the ranks may reach beyond their number.
    lowest = max(len(names), int(np.nanmax(slots)))
    step = row_step(lowest)
    axis = alt.Axis(labelAngle=-40, labelLimit=180, title=None, **_NO_AXIS)
    observed: dict[str, Any] = {
        "x": alt.X(**nominal("rule"), axis=axis, scale=alt.Scale(domain=columns, padding=0.2)),
        "y": alt.Y(
            **quantitative("slot"), axis=None,
            scale=alt.Scale(domain=[lowest + 0.5, 0.5], nice=False),
        ),
    }  # fmt: skip
    colours = [*(PALETTE[place % len(PALETTE)] for place in range(quiet)), QUIET]
    scale = alt.Scale(domain=list(range(quiet + 1)), range=colours)
    of_others = f"datum.colour == {quiet}"
    # Its name goes by the systems: charts of others side by side don't share it.
    hover = f"hover_{crc32(json.dumps([names, columns]).encode()):x}"
    # Written out: Altair takes longer over a condition of its own than over the rest of the chart.
    width = alt.StrokeWidthValue(
        3,
        condition=[
            {"param": hover, "empty": False, "value": 5},
            {"test": of_others, "value": 1 if step > 12 else 0.5},
        ],
    )
    base = make_layer(data).encode(
        **observed,
        color=alt.Color(**nominal("colour"), scale=scale, legend=None),
        detail=alt.Detail(**nominal("system")),
        tooltip=tooltip_fields("system:N", "rule:N", "rank"),
    )
    lines = base.mark_line(interpolate="monotone").encode(strokeWidth=width)
    points = base.mark_circle(size=min(40, step * step // 2), opacity=1)
    points = points.add_params(
        alt.selection_point(name=hover, on="pointerover", fields=["system"], empty=False)
    )
    shared = _shared_ranks(places, slots, columns, names)
    look: Any = {"strokeWidth": min(14, step), "strokeCap": "round", "opacity": 0.45}
    ties = make_layer(shared).mark_rule(color=QUIET, **look).encode(
        **observed, y2=alt.Y2(field="last"), tooltip=tooltip_fields("rule:N", "rank", "shared by:N")
    )  # fmt: skip
    line = 12 if step > 12 else 10
    labelled = range(len(names)) if step >= line else list(number)
    ink = {"test": of_others, "value": INK}
    texts, written = [], dict[TextAlign, list[str]](left=[], right=[])
    ends: list[tuple[TextAlign, int]] = [("right", 0), ("left", len(columns) - 1)]
    for end, column in ends[: len(columns)]:
        rows = sorted((slots[row, column], row) for row in labelled if places[row, column] > 0)
        written[end] = [f"{places[row, column]:.0f}. {brief[row]}" for _, row in rows]
        labels = {
            "rule": [columns[column]] * len(rows),
            "slot": spread_labels([slot for slot, _ in rows], line / step, lowest),
            "label": written[end],
            "system": [names[row] for _, row in rows],
            "colour": [number.get(row, quiet) for _, row in rows],
        }
        text = make_layer(labels).mark_text(
            align=end, dx=-12 if end == "right" else 12, limit=400, fontSize=line - 1
        )
        coloured = alt.Color(**nominal("colour"), scale=scale, legend=None, condition=ink)
        texts.append(
            text.encode(
                **observed,
                **text_encoding("label"),
                tooltip=tooltip_fields("system:N"),
                color=coloured,
            )
        )
    several = bool(shared["rule"])
    notes = ["a grey bar joins systems that share a rank"] * several
    if len(refused):
        notes.append(
            f"left out, since they give no ranks: {', '.join(_unique_rule_titles(refused))}"
        )
    return layer_charts(
        [*[ties] * several, lines, points, *texts],
        # Of many rules the names at both ends still have to be in sight.
        width=max(160, max(26, min(70, _PLOT // len(columns))) * len(columns)),
        height=lowest * step,
        title=_ranks_title(places, brief),
        subtitle="; ".join(notes),
        frame=False,
        # A label ends where its rank stands.
        left=written["right"],
        right=written["left"],
    )


def _assign_slots(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where ranks stand: who shares one is side by side, in the order of the column before."""
    slots = np.full_like(places, np.nan)
    before = pd.DataFrame(places).mean(axis=1).fillna(np.inf).to_numpy(copy=True)
    for column, ranks in enumerate(places.T):
        taken = 0.0
        for row in np.lexsort((before, ranks))[: np.count_nonzero(ranks > 0)].tolist():
            slots[row, column] = before[row] = taken = max(taken + 1, ranks[row])
    return slots


def _shared_ranks(
    places: NDArray[np.float64],
    slots: NDArray[np.float64],
    columns: Sequence[str],
    names: Sequence[str],
) -> dict[str, list[Any]]:
    """The ranks that several share: under which rule, from which slot to which, and by whom."""
    tied = [
        (rule, int(rank), np.flatnonzero(places[:, column] == rank))
        for column, rule in enumerate(columns)
        for rank, number in zip(*np.unique(places[:, column], return_counts=True), strict=True)
        if number > 1 and rank > 0
    ]
    at = {rule: slots[:, column] for column, rule in enumerate(columns)}
    return {
        "rule": [rule for rule, _, _ in tied],
        "rank": [rank for _, rank, _ in tied],
        "slot": [at[rule][rows].min() for rule, _, rows in tied],
        "last": [at[rule][rows].max() for rule, _, rows in tied],
        "shared by": [join_labels([names[row] for row in rows.tolist()], 5) for _, _, rows in tied],
    }


def _default_highlight(places: NDArray[np.float64]) -> list[int]:
    """The rows that are first under some rule, by the first rule; of many the best seven."""
    bound = separates_first(places)
    if bound.any():
        places = places[:, bound]
    best = np.where(np.isnan(places), np.inf, places).min(axis=1)
    order = np.lexsort((places[:, 0], best))
    if len(places) <= ROWS_WITH_LABELS:
        order = order[best[order] == 1]
    return [int(row) for row in order[: len(PALETTE)]]


def _validate_ranks(comparison: pd.DataFrame) -> NDArray[np.float64]:
    """The ranks as numbers, NaN for NA; refused unless they are whole and 1 or more."""
    numbers = comparison.apply(pd.to_numeric, errors="coerce")
    ranks: NDArray[np.float64] = numbers.to_numpy(dtype=float, na_value=np.nan)
    with np.errstate(invalid="ignore"):
        rank = (ranks >= 1) & np.isfinite(ranks) & (np.floor(ranks) == ranks)
    wrong = ~rank & comparison.notna().to_numpy()
    if wrong.any():
        row, column = (int(place[0]) for place in np.nonzero(wrong))
        (cell,) = comparison.iloc[[row], column].tolist()
        raise ValueError(
            f"charts.ranks draws ranks, whole numbers from 1 on, and {cell!r} of "
            f"{format_labels([comparison.index[row]])} in "
            f"{format_labels([comparison.columns[column]])} is not one; "
            f"give it nbrank.compare(scores, rules), or draw scores with charts.scores(scores)"
        )
    return ranks


def _unique_rule_titles(rules: Iterable[Hashable]) -> list[str]:
    """The names of rules in words, unless two would be alike."""
    names = unique_label_texts(rules)
    words = [rule_title(name) for name in names]
    return words if len(set(words)) == len(words) else names


def _ranks_title(places: NDArray[np.float64], brief: list[str]) -> str:
    """Who has the first rank where one does: the title of ranks side by side."""
    bound = places[:, separates_first(places)]
    first = np.flatnonzero((bound == 1).any(axis=1)).tolist()
    if not first:
        return "How the ranks move"
    everywhere = bound.shape[1] == places.shape[1]
    always = [row for row in first if (bound[row] == 1).all()]
    if always or len(first) == 1:
        heads = join_labels([brief[row] for row in always or first], 3)
        others = [brief[row] for row in first if row not in always]
        if len(first) == 1:
            return f"{heads} is first {'throughout' if always and everywhere else 'where one is'}"
        where = "throughout" if everywhere else "where few are"
        text = f"{heads} is first {where}, at times shared with "
        if len(always) > 1:
            text = f"{heads} share first place {where}" + ", at times with " * bool(others)
        return text + (join_labels(others, 2) if len(others) < 3 else f"{len(others)} others")
    names = join_labels([brief[row] for row in first], 3)
    if len(first) > 3 or len(names) > 70:
        return f"First place moves among {len(first)} systems"
    return f"First place moves {'between' if len(first) == 2 else 'among'} {names}"


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
        A row for each system, best first, a column for each task; dark is a good place, an empty
        cell is a missing score.

    Raises
    ------
    TypeError, ValueError
        As `nbrank.Leaderboard`; also if the ranking is none, or has other systems.

    Examples
    --------
    >>> from nbrank.datasets import load_llm_chat
    >>> chart = scores(load_llm_chat())
    """
    board = as_leaderboard(scores, weights=weights, groups=groups, lower_is_better=lower_is_better)
    if ranking is not None:
        check_columns(
            "scores", ranking, ["rank"], "a rule such as nbrank.borda(scores)", "orders rows by"
        )
        ranking, both = clean_axes(ranking), "charts.scores: the ranking and the scores"
        check_same_labels(ranking.index, board.systems, both, "systems")
    order = (borda(board) if ranking is None else ranking)["rank"]
    frame, places = board.task_scores(), task_places(board)
    counts = frame.notna().sum()
    goodness = (1 - (places - 1) / (counts - 1).clip(lower=1)).to_numpy().ravel()
    name = DisplayNames.from_labels(frame.index)
    rows = [f"{rank}. {name.full[system]}" for system, rank in order.items()]
    shown = [f"{rank}. {name.short[system]}" for system, rank in order.items()]
    row = dict(zip(order.index, rows, strict=True))
    tasks = unique_label_texts(frame.columns)
    values = frame.to_numpy().ravel()
    n_rows, n_columns = frame.shape
    texts = n_rows <= ROWS_WITH_LABELS and n_columns <= 30
    data = {
        "system": [row[system] for system in frame.index for _ in tasks],
        "task": tasks * n_rows,
        "score": values,
        "shown": [_format_cell(value) for value in values.tolist()],
        "place": places.to_numpy().ravel(),
        # A missing score has no place, and its cell is empty.
        "shade": np.where(np.isnan(goodness), 0.0, 0.07 + 0.93 * goodness).round(6),
    }
    table = RowGrid(rows, tasks, wide=38 if texts else 16, shown=shown)
    base = table.place_layer(data, column="task").encode(
        tooltip=tooltip_fields("system:N", "task:N", "shown:N=score", "place")
    )
    cells = base.mark_rect(fill=LEADER, stroke=PAPER, strokeWidth=0.5)
    cells = cells.encode(**opacity_encoding("shade"))
    layers: list[alt.Chart] = [cells]
    if texts:
        ink = alt.ColorValue(INK, condition={"test": "datum.shade > 0.55", "value": PAPER})
        layers.append(base.mark_text(fontSize=9).encode(**text_encoding("shown"), color=ink))
    text = "the stronger the colour, the better the place"
    text += "; an empty cell is a missing score" * bool(np.isnan(values).any())
    return table.chart(layers, "Scores and places by task", text)


def _format_cell(value: float) -> str:
    """Three digits; nothing for a missing score."""
    if np.isinf(value):
        return "∞" if value > 0 else "−∞"
    return "" if np.isnan(value) else f"{value:.3g}"
