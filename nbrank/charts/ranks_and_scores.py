"""Draw rankings and scores: how ranks move from rule to rule, and the table behind them."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable
from typing import Any, Literal
from zlib import crc32

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.charts.axes import (
    ROWS_WITH_LABELS,
    RowGrid,
    check_columns,
    layer_charts,
    row_step,
    spread_labels,
)
from nbrank.charts.layers import (
    make_layer,
    nominal,
    opacity_encoding,
    quantitative,
    text_encoding,
    tooltip_fields,
)
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

#: Alignment of the names at the first and at the last rule, and their distance from the ranks.
_ENDS: tuple[tuple[Literal["left", "right"], int], ...] = (("right", -12), ("left", 12))
#: Options of an axis that has only names.
_NO_AXIS: Any = {"orient": "top", "domain": False, "ticks": False, "labelPadding": 8}


#: Width in pixels between the names at both ends, if the rules fit into it.
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
    if not len(rules):
        raise ValueError(f"no rule ranked the systems: {format_labels(refused)} are NA")
    places, systems = places[:, ranked], list(clean_labels(comparison.index))
    rows = _default_highlight(places)
    if highlight is not None:
        shown = [*map(clean_label, highlight)]
        if unknown := [system for system in shown if system not in systems]:
            raise ValueError(
                f"highlight: unknown {format_labels(unknown)}; systems: {format_labels(systems)}"
            )
        rows = [systems.index(system) for system in shown]
    table = _RankTable(places, rows, unique_label_texts(systems), _unique_rule_titles(rules))
    ends = table.end_labels()
    notes = ["a grey bar joins systems that share a rank"] * table.has_ties
    if len(refused):
        left_out = ", ".join(_unique_rule_titles(refused))
        notes.append(f"left out, since they give no ranks: {left_out}")
    return layer_charts(
        table.layers(ends),
        # With many rules, the names at both ends must still be visible.
        width=max(160, max(26, min(70, _PLOT // len(rules))) * len(rules)),
        height=table.lowest * table.step,
        title=_ranks_title(places, table.brief),
        subtitle="; ".join(notes),
        frame=False,
        # A label ends at its rank.
        left=ends[0]["label"],
        right=ends[1]["label"] if len(ends) > 1 else (),
    )


class _RankTable:
    """Ranks, systems x rules, as lines: the cells that have one, and their colours by number.

    Colours go by number, since a system may have any name: rows in colour have their place in
    `in_color`, all others its length.
    """

    def __init__(
        self, places: NDArray[np.float64], in_color: list[int], names: list[str], rules: list[str]
    ) -> None:
        self.n_colors, self.rules = len(in_color), rules
        self.names, self.brief = names, abbreviate_labels(names)
        color = np.full(len(names), self.n_colors)
        color[in_color] = np.arange(self.n_colors)
        row, column = np.nonzero(~np.isnan(places))
        slots = _assign_slots(places)
        cells = {
            "row": row,
            "column": column,
            "system": [names[at] for at in row],
            "rule": [rules[at] for at in column],
            "rank": places[row, column].astype(int),
            "slot": slots[row, column],
            "colour": color[row],
        }
        #: A row for each rank; colored ones come last, so that they are drawn above the others.
        self.cells = pd.DataFrame(cells).sort_values("colour", ascending=False, kind="stable")
        self.has_ties = bool(self.cells.duplicated(["column", "rank"]).any())
        # If only some rows are drawn, such as the first ten, ranks may exceed their number.
        self.lowest = max(len(names), int(np.nanmax(slots)))
        self.step = row_step(self.lowest)
        axis = alt.Axis(labelAngle=-40, labelLimit=180, title=None, **_NO_AXIS)
        self.position: dict[str, Any] = {
            "x": alt.X(**nominal("rule"), axis=axis, scale=alt.Scale(domain=rules, padding=0.2)),
            "y": alt.Y(
                **quantitative("slot"), axis=None,
                scale=alt.Scale(domain=[self.lowest + 0.5, 0.5], nice=False),
            ),
        }  # fmt: skip
        palette = [*(PALETTE[at % len(PALETTE)] for at in range(self.n_colors)), QUIET]
        scale = alt.Scale(domain=list(range(self.n_colors + 1)), range=palette)
        self.color: dict[str, Any] = {**nominal("colour"), "scale": scale, "legend": None}

    def layers(self, ends: list[dict[str, list[Any]]]) -> list[alt.Chart]:
        """Draw a bar for each shared rank, the lines and points, and the names at both ends."""
        # The name depends on the systems, so that charts of other systems on a page don't share it.
        hover = f"hover_{crc32(json.dumps([self.names, self.rules]).encode()):x}"
        of_others = f"datum.colour == {self.n_colors}"
        # The condition is written out, because Altair takes longer to make one than for all the
        # rest.
        hovered = {"param": hover, "empty": False, "value": 5}
        thin = {"test": of_others, "value": 1 if self.step > 12 else 0.5}
        shown = ["system", "rule", "rank", "slot", "colour"]
        base = make_layer({name: self.cells[name] for name in shown}).encode(
            **self.position,
            color=alt.Color(**self.color),
            detail=alt.Detail(**nominal("system")),
            tooltip=tooltip_fields("system:N", "rule:N", "rank"),
        )
        lines = base.mark_line(interpolate="monotone").encode(
            strokeWidth=alt.StrokeWidthValue(3, condition=[hovered, thin])
        )
        points = base.mark_circle(size=min(40, self.step**2 // 2), opacity=1).add_params(
            alt.selection_point(name=hover, on="pointerover", fields=["system"], empty=False)
        )
        look: Any = {"strokeWidth": min(14, self.step), "strokeCap": "round", "opacity": 0.45}
        ties = make_layer(self._shared_ranks()).mark_rule(color=QUIET, **look).encode(
            **self.position, y2=alt.Y2(field="last"),
            tooltip=tooltip_fields("rule:N", "rank", "shared by:N"),
        )  # fmt: skip
        ink = {"test": of_others, "value": INK}
        texts = [
            make_layer(labels)
            .mark_text(align=align, dx=dx, limit=400, fontSize=self._line - 1)
            .encode(
                **self.position,
                **text_encoding("label"),
                tooltip=tooltip_fields("system:N"),
                color=alt.Color(**self.color, condition=ink),
            )
            for labels, (align, dx) in zip(ends, _ENDS, strict=False)
        ]
        return [*[ties] * self.has_ties, lines, points, *texts]

    @property
    def _line(self) -> int:
        """The height of a label's line, in pixels."""
        return 12 if self.step > 12 else 10

    def end_labels(self) -> list[dict[str, list[Any]]]:
        """Write ranks and names at the first rule and the last; those in colour, if not all fit."""
        ends = []
        for column in dict.fromkeys((0, len(self.rules) - 1)):
            cells = self.cells[self.cells["column"] == column].sort_values(["slot", "row"])
            if self.step < self._line:
                cells = cells[cells["colour"] < self.n_colors]
            labels = {name: cells[name].tolist() for name in ("rule", "system", "colour")}
            labels["slot"] = spread_labels(
                cells["slot"].tolist(), self._line / self.step, self.lowest
            )
            pairs = zip(cells["rank"], cells["row"], strict=True)
            labels["label"] = [f"{rank}. {self.brief[row]}" for rank, row in pairs]
            ends.append(labels)
        return ends

    def _shared_ranks(self) -> dict[str, Any]:
        """List the ranks that several share: by whom, and from which slot to which."""
        tied = self.cells[self.cells.duplicated(["column", "rank"], keep=False)].sort_index()
        groups = tied.groupby(["column", "rank"])
        slots = groups["slot"]
        return {
            "rule": groups["rule"].first(),
            "rank": groups["rank"].first(),
            "slot": slots.min(),
            "last": slots.max(),
            "shared by": [join_labels(names, 5) for _, names in groups["system"]],
        }


def _assign_slots(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Assign positions to ranks; tied systems are neighbors in the previous column's order."""
    slots = np.full_like(places, np.nan)
    before = pd.DataFrame(places).mean(axis=1).fillna(np.inf).to_numpy(copy=True)
    for column, ranks in enumerate(places.T):
        taken = 0.0
        for row in np.lexsort((before, ranks))[: np.count_nonzero(ranks > 0)].tolist():
            slots[row, column] = before[row] = taken = max(taken + 1, ranks[row])
    return slots


def _default_highlight(places: NDArray[np.float64]) -> list[int]:
    """Return the rows that are first under some rule, the best seven of many, by the first rule."""
    bound = separates_first(places)
    if bound.any():
        places = places[:, bound]
    best = np.where(np.isnan(places), np.inf, places).min(axis=1)
    order = np.lexsort((places[:, 0], best))
    if len(places) <= ROWS_WITH_LABELS:
        order = order[best[order] == 1]
    return [int(row) for row in order[: len(PALETTE)]]


def _validate_ranks(comparison: pd.DataFrame) -> NDArray[np.float64]:
    """Return the ranks as numbers, NaN for NA; refuse any that aren't whole numbers from 1 on."""
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
    """Return the titles of rules; their names if two titles would be equal."""
    names = unique_label_texts(rules)
    words = [rule_title(name) for name in names]
    return words if len(set(words)) == len(words) else names


def _ranks_title(places: NDArray[np.float64], brief: list[str]) -> str:
    """Write the title of ranks side by side: which system is first by how many rules."""
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
