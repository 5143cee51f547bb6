"""Draw pairs: who beats whom, how often, and for which of them that is sure."""

from __future__ import annotations

import math
from collections.abc import Mapping

import altair as alt
import numpy as np
import pandas as pd

from nbrank.charts.axes import RowGrid, check_columns
from nbrank.charts.layers import (
    inline_data,
    opacity_encoding,
    quantitative,
    to_json_values,
    tooltip_fields,
)
from nbrank.charts.palette import FAINT, INK, LEADER, LOOKED_AT, PAPER, QUIET
from nbrank.comparison.pairwise_wins import stack_pairs
from nbrank.findings.best_set_text import over_what
from nbrank.findings.labels import format_percent, unique_label_texts
from nbrank.rules.positional_rules import borda
from nbrank.uncertainty.pair_intervals import compatible_pairs as decided_pairs
from nbrank.votes.formatting import format_labels, pluralize
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.table.task_options import Groups, LowerIsBetter, Weights
from nbrank.votes.table.validation import check_delta


def pairwise(confidence: pd.DataFrame) -> alt.LayerChart:
    """Draw how often each system beats each other, and for which pairs that is sure.

    Parameters
    ----------
    confidence
        The pairs as `nbrank.confidence` returns them.

    Returns
    -------
    altair.LayerChart
        A row and a column for each system, best first; blue where the row beats the column on more
        than half of the tasks or instances, the darker the more, orange where the column beats the
        row; a dot marks a significant pair (of more than 150 systems, the others are faint). A pair
        that never met is grey. Below the title stands whether each pair was tested by itself or all
        at once, the level, and over what it holds, as long as the frame's `.attrs` say so.

    Raises
    ------
    TypeError, ValueError
        If the frame has other columns, or lacks the rows of some system.

    Examples
    --------
    >>> import nbrank
    >>> from nbrank.datasets import load_llm_chat
    >>> chart = pairwise(nbrank.confidence(load_llm_chat()))
    """
    needed = ["wins", "low", "high", "n", "significant"]
    check_columns("pairwise", confidence, needed, "nbrank.confidence(scores)")
    if confidence.index.nlevels != 2:
        raise ValueError(
            "charts.pairwise draws what nbrank.confidence(scores) returns, with a row for each "
            "system and opponent; the rows of this frame have one label"
        )
    won = confidence["wins"].groupby(level=0, sort=False).mean()
    systems = won.sort_values(ascending=False, kind="stable").index
    opponents = confidence.index.get_level_values(1)
    alone = opponents.difference(systems, sort=False)
    if len(alone):
        raise ValueError(
            f"charts.pairwise: {format_labels(alone)} stand among the opponents, but have no rows "
            "of "
            f"their own; give it all rows that nbrank.confidence returned"
        )
    table = RowGrid.from_names(unique_label_texts(systems))
    # A dot would cover a small cell, so cells that aren't sure are faint there.
    small = table.high < 8
    # Numbers are rounded as they are shown, because 300 systems have 90,000 pairs.
    columns = {column: confidence[column].round(3) for column in ("wins", "low", "high")}
    columns["n"] = confidence["n"]
    columns["significant"] = confidence["significant"].astype(bool)
    faint = "(datum.significant ? 1 : 0.4) * " if small else ""
    base = _pair_cells(
        table, confidence, systems, columns, f"{faint}(0.06 + 0.94 * abs(2 * datum.wins - 1))"
    )
    shown = "wins:.3f", "low:.3f", "high:.3f", "n", "significant:N"
    base = base.encode(tooltip=tooltip_fields("system:N", "opponent:N", *shown))
    # The color shows which of the two is better, and its strength how clearly.
    level = [0.5 - 1e-9, 0.5 + 1e-9]
    colour = alt.Scale(type="threshold", domain=level, range=[LOOKED_AT, QUIET, LEADER])
    cells = base.mark_rect(aria=table.has_aria_labels).encode(
        color=alt.Color(**quantitative("wins"), scale=colour, legend=None),
        **opacity_encoding("shade"),
    )
    light = {"test": "abs(datum.wins - 0.5) > 0.25", "value": PAPER}
    dots = base.mark_circle(size=min(30, table.high**2 / 4), opacity=1, aria=False)
    dots = dots.transform_filter("datum.significant").encode(
        color=alt.ColorValue(INK, condition=light)
    )
    sure_pairs, every = int(confidence["significant"].sum()) // 2, math.comb(len(systems), 2)
    notes = ["blue: the row is better, orange: the column"]
    sure = "no pair differs significantly"
    if sure_pairs:
        sure = f"{'faint: neither' if small else 'a dot: one'} of the two is significantly better"
    notes.append(sure + _test_caption(confidence))
    layers = [cells] if small else [cells, dots]
    if confidence["wins"].isna().any():
        notes.append("grey: the two never met")
        # These cells are a layer of their own, because Vega draws no cell whose color depends on a
        # missing number.
        never = base.mark_rect(color=QUIET, aria=table.has_aria_labels)
        layers.append(never.transform_filter("!isValid(datum.wins)"))
    return table.chart(layers, _pairs_title(sure_pairs, every), "; ".join(notes))


def _pairs_title(told_apart: int, n_pairs: int) -> str:
    number = f"{told_apart:,}" if told_apart else "None"
    return f"{number} of {pluralize(n_pairs, 'pair')} can be told apart"


def _test_caption(confidence: pd.DataFrame) -> str:
    """Say at which level pairs were tested, and whether for all at once, if the frame says it."""
    delta, adjust = (confidence.attrs.get(key) for key in ("delta", "adjust"))
    if delta is None:
        return ""
    how = "each pair tested by itself" if adjust is None else "over all pairs at once"
    over = f", over {over_what(confidence)}" if "over" in confidence.attrs else ""
    return f" ({how}, level {format_percent(delta, 6)}{over})"


def _pair_cells(
    table: RowGrid,
    pairs: pd.DataFrame,
    systems: pd.Index,
    columns: Mapping[str, pd.Series],
    shade: str,
    there: str = "n",
) -> alt.Chart:
    """Cells of pairs: a row for each system, with lists, takes an eighth of one for each pair."""
    row, column = (systems.get_indexer(pairs.index.get_level_values(level)) for level in (0, 1))
    n, lists = len(systems), {}
    for field, values in columns.items():
        square = np.full((n, n), None, dtype=object)
        square[row, column] = to_json_values(values)
        lists[field] = square.tolist()
    opponents = inline_data({"place": list(range(1, n + 1)), "opponent": table.names})
    cells = table.place_layer({"system": table.names, **lists}, column="opponent")
    cells["transform"] = [
        {"flatten": list(lists)},
        {"window": [{"op": "row_number", "as": "opponent"}], "groupby": ["system"]},
        {"filter": f"isValid(datum.{there})"},
        {
            "lookup": "opponent",
            "from": {"data": opponents, "key": "place", "fields": ["opponent"]},
        },
        {"calculate": shade, "as": "shade"},
    ]
    return cells


def pairwise_p_values(p_values: pd.DataFrame, *, delta: float = 0.05) -> alt.LayerChart:
    """Draw for which pairs of systems a test finds a difference.

    Parameters
    ----------
    p_values
        The square frame that `nbrank.pairwise_p_values` returns.
    delta
        The level: a pair is different if its p-value is at most delta.

    Returns
    -------
    altair.LayerChart
        A row and a column for each system, in the order of the frame; a cell is blue where the two
        are different, grey where they are not.

    Raises
    ------
    TypeError, ValueError
        If the frame has other columns, or delta is not between 0 and 1.

    Examples
    --------
    >>> import nbrank
    >>> from nbrank.datasets import load_toy_votes
    >>> chart = pairwise_p_values(nbrank.pairwise_p_values(load_toy_votes()))
    """
    name, source = "charts.pairwise_p_values", "nbrank.pairwise_p_values(scores)"
    check_delta(name, delta)
    check_columns("pairwise_p_values", p_values, [], source)
    if not p_values.index.equals(p_values.columns):
        raise TypeError(f"{name} draws the square frame that {source} returns")
    numbers = p_values.to_numpy(dtype=float)
    if not ((numbers >= 0) & (numbers <= 1)).all():
        raise ValueError(f"{name}: p-values must be between 0 and 1, as {source} returns them")
    table = RowGrid.from_names(unique_label_texts(p_values.index))
    pairs = stack_pairs(p_values.index, {"p_value": numbers})
    # Numbers aren't rounded here, because a p-value just above delta isn't significant.
    base = _pair_cells(table, pairs, p_values.index, {"p_value": pairs["p_value"]}, "1", "p_value")
    test = {"test": f"datum.p_value <= {delta!r}", "value": LEADER}
    cells = base.mark_rect(aria=table.has_aria_labels).encode(
        color=alt.ColorValue(FAINT, condition=test),
        tooltip=tooltip_fields("system:N", "opponent:N", "p_value:.3g"),
    )
    different, every = int((pairs["p_value"] <= delta).sum()) // 2, math.comb(len(numbers), 2)
    return table.chart(
        [cells],
        _pairs_title(different, every),
        f"blue: the two systems are different (p at most {delta:g}); grey: not told apart",
    )


def compatible_pairs(
    scores: pd.DataFrame | Leaderboard,
    *,
    delta: float = 0.01,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> alt.LayerChart:
    """Draw which pairs the missing-scores paper calls decided; no coverage is claimed.

    `nbrank.uncertainty.pair_intervals` says what is drawn, and why it claims nothing;
    `pairwise` draws the intervals of `nbrank.confidence`, which do cover.

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
        blue where the interval of the row's share lies above one half, the
        darker the farther; grey where it does not, as for pairs that never met.

    Raises
    ------
    TypeError, ValueError
        As `nbrank.Leaderboard`; also if delta is not between 0 and 1.

    References
    ----------
    Himmi, Irurozki, Noiry, Clémençon and Colombo, Towards more robust NLP system evaluation, 2024,
    equation 4 and figures 6 and 11.

    Examples
    --------
    >>> from nbrank.datasets import load_llm_chat
    >>> chart = compatible_pairs(load_llm_chat(), delta=0.05)
    """
    board = as_leaderboard(scores, weights=weights, groups=groups, lower_is_better=lower_is_better)
    pairs = decided_pairs(board, delta=delta)
    systems = borda(board).index
    table = RowGrid.from_names(unique_label_texts(systems))
    columns = {column: pairs[column].round(3) for column in ("share", "low")}
    columns["n"] = pairs["n"]
    # The lead keeps nine digits, because a bound just above one half is decided, too.
    columns["lead"] = (pairs["low"] - 0.5).clip(lower=0.0).round(9)
    base = _pair_cells(
        table, pairs, systems, columns, "datum.lead > 0 ? 0.25 + 1.5 * datum.lead : 1"
    )
    cells = base.mark_rect(stroke=PAPER, strokeWidth=0.5, aria=table.has_aria_labels).encode(
        color=alt.ColorValue(FAINT, condition={"test": "datum.lead > 0", "value": LEADER}),
        **opacity_encoding("shade"),
        tooltip=tooltip_fields("system:N", "opponent:N", "share:.3f", "low:.3f", "n"),
    )
    return table.chart(
        [cells],
        f"{pluralize(int(pairs['decided'].sum()), 'pair')} decided, missing scores filled in",
        "blue: the row is better, the stronger the farther its share lies above one half; "
        f"grey: open; one-sided bound, delta = {delta:g}, no coverage claimed",
    )
