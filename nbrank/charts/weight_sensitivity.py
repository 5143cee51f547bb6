"""Draw what the weights leave open, and which tasks rank the systems alike."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from nbrank.charts.axes import RowGrid, check_columns, row_step, whole_ticks
from nbrank.charts.layers import nominal, opacity_encoding, tooltip_fields
from nbrank.charts.palette import LEADER, LOOKED_AT, SOFT
from nbrank.findings.best_set_text import how_else
from nbrank.findings.labels import format_percent, unique_label_texts
from nbrank.votes.formatting import check_same_labels, format_labels

_WEIGHTS = "other weights"


def possible_ranks(bounds: pd.DataFrame, sets: pd.DataFrame | None = None) -> alt.LayerChart:
    """Draw the ranks that other weights leave open, next to those that other tasks do.

    Parameters
    ----------
    bounds
        A row for each system as `nbrank.possible_ranks` returns them.
    sets
        The ranks of the same systems as `nbrank.rank_confidence` returns them;
        None draws the weights alone.

    Returns
    -------
    altair.LayerChart
        A row for each system, best first: a point at its rank, a bar from its best to its worst
        rank over all weightings allowed, dashed where they are only bounds, and behind it a pale
        one for the ranks that the sets leave open, be it with other tasks or within the scores'
        standard errors.

    Raises
    ------
    TypeError, ValueError
        If the frames have other columns, or different systems.

    Examples
    --------
    >>> import nbrank
    >>> from nbrank.datasets import load_llm_chat
    >>> scores = load_llm_chat()
    >>> sets = nbrank.rank_confidence(scores, "borda", seed=0)
    >>> chart = possible_ranks(nbrank.possible_ranks(scores, missing="compatible"), sets)
    """
    source = "nbrank.possible_ranks(scores, rule)"
    check_columns("possible_ranks", bounds, ["rank", "best", "worst", "proven"], source)
    names, spans, sample, how = unique_label_texts(bounds.index), {}, "", ""
    if sets is not None:
        beside = "nbrank.rank_confidence(scores, rule)"
        check_columns("possible_ranks", sets, ["low", "high"], beside, "takes as sets")
        both = "charts.possible_ranks: the ranks and the sets"
        check_same_labels(bounds.index, sets.index, both, "systems")
        sets = sets.reindex(bounds.index)
        how = how_else(sets)
        sample = how.removeprefix("with ").removeprefix("within the ").removesuffix(" like these")
        spans[sample] = sets["low"], sets["high"]
    spans[_WEIGHTS] = bounds["best"], bounds["worst"]
    table = RowGrid(names)
    x = table.rank_axis(max(int(high.max()) for _, high in spans.values()))
    # Ranks that a sample leaves open are pale and in the leader's color in all charts.
    looks = {sample: (LEADER, 0.35, 2 / 3), _WEIGHTS: (SOFT, 1, 1 / 4)}
    dashed = alt.StrokeDashValue([1, 0], condition={"test": "datum.bound", "value": [4, 3]})
    layers = []
    for what, (low, high) in spans.items():
        colour, opacity, share = looks[what]
        data = {
            "system": names,
            "rank": bounds["rank"],
            "low": low,
            "high": high,
            "open to": [what] * len(names),
            "bound": ~bounds["proven"].astype(bool) & (what == _WEIGHTS),
            # A span of a single rank must be visible, too.
            "start": low - 0.15,
            "end": high + 0.15,
        }
        shown = tooltip_fields("system:N", "rank", "open to:N", "low=best", "high=worst")
        bars = table.place_layer(data).encode(x=x("start"), x2=alt.X2(field="end"), tooltip=shown)
        wide = max(2, int(table.high * share))
        look = bars.mark_rule(color=colour, strokeOpacity=opacity, strokeWidth=wide)
        layers.append(look.encode(strokeDash=dashed))
    points = table.place_layer({"system": names, "rank": bounds["rank"]}).encode(x=x("rank"))
    layers.append(points.mark_circle(size=min(60, 4 * table.high), color=LEADER, opacity=1))
    text = _weights_caption(bounds) + f"; blue: {how}" * bool(sample)
    return table.chart(layers, "Which ranks are possible", text, 420)


def _weights_caption(bounds: pd.DataFrame) -> str:
    """Say which weightings are allowed, if the frame says it."""
    within = bounds.attrs.get("within")
    text = "grey: under other weights"
    if within is not None:
        text = f"grey: under weights up to {format_percent(within)} larger or smaller"
    return text if bounds["proven"].all() else f"{text} (dashed: no more than bounds)"


def rank_acceptability(shares: pd.DataFrame) -> alt.LayerChart:
    """Draw under which share of the weightings each system has each rank.

    Parameters
    ----------
    shares
        Systems x ranks as `nbrank.rank_acceptability` returns them.

    Returns
    -------
    altair.LayerChart
        A row for each system and a column for each rank: the darker, the more of the weightings.

    Raises
    ------
    TypeError, ValueError
        If it is not such a frame.

    Examples
    --------
    >>> import nbrank
    >>> from nbrank.datasets import load_llm_chat
    >>> chart = rank_acceptability(nbrank.rank_acceptability(load_llm_chat(), n_draws=100))
    """
    source = "nbrank.rank_acceptability(scores, rule)"
    check_columns("rank_acceptability", shares, [], source)
    if not shares.columns.equals(pd.RangeIndex(1, len(shares.columns) + 1)):
        raise ValueError(
            f"charts.rank_acceptability draws what {source} returns, with a column for each rank "
            f"from 1 on; this frame has {format_labels(shares.columns)}"
        )
    names, ranks = unique_label_texts(shares.index), [str(rank) for rank in shares.columns]
    values = shares.to_numpy(dtype=float)
    row, column = np.nonzero(values > 0)
    table = RowGrid(names, high=row_step(len(names)))
    data = {
        "system": [names[place] for place in row],
        "rank": [ranks[place] for place in column],
        "share": values[row, column].round(4),
        # The rarest ranks must be visible, too.
        "shade": 0.08 + 0.92 * values[row, column],
    }
    labels = set(map(str, whole_ticks(1, len(ranks))))
    ticks = [rank for rank in ranks if rank in labels]
    axis = alt.Axis(title="rank (1 is best)", labelAngle=0, orient="top", values=ticks)
    cells = (
        table.place_layer(data)
        .mark_rect(fill=LEADER)
        .encode(
            x=alt.X(**nominal("rank"), scale=alt.Scale(domain=ranks), axis=axis),
            **opacity_encoding("shade"),
            tooltip=tooltip_fields("system:N", "rank:N", "share:.1%=share of the weightings"),
        )
    )
    return table.chart(
        [cells],
        "Which ranks most weightings give",
        "the stronger the colour, the larger the share of the weightings; each that is allowed is "
        "as likely as any other",
        max(table.high, 16) * len(ranks) if len(ranks) < 40 else 640,
    )


def repeated_tasks(taus: pd.DataFrame) -> alt.LayerChart:
    """Draw which tasks rank the systems alike.

    Parameters
    ----------
    taus
        Tasks x tasks as `nbrank.repeated_tasks` returns them.

    Returns
    -------
    altair.LayerChart
        A row and a column for each task, those that repeat each other side by
        side; the colour is Kendall's tau.

    Raises
    ------
    TypeError, ValueError
        If it is not such a frame.

    Examples
    --------
    >>> import nbrank
    >>> from nbrank.datasets import load_llm_chat
    >>> chart = repeated_tasks(nbrank.repeated_tasks(load_llm_chat()))
    """
    source = "nbrank.repeated_tasks(scores)"
    check_columns("repeated_tasks", taus, list(taus.index), source)
    names = unique_label_texts(taus.index)
    values = taus.to_numpy(dtype=float)
    row, column = np.nonzero(~np.isnan(values))
    data = {
        "task": [names[place] for place in row],
        "other": [names[place] for place in column],
        "tau": values[row, column].round(3),
        "strength": np.abs(values[row, column]).round(3),
    }
    table = RowGrid.from_names(names)
    squares = (
        table.place_layer(data, "task", "other")
        .mark_rect()
        .encode(
            fill=alt.FillValue(LEADER, condition={"test": "datum.tau < 0", "value": LOOKED_AT}),
            **opacity_encoding("strength"),
            tooltip=tooltip_fields("task:N", "other:N", "tau:.2f"),
        )
    )
    return table.chart(
        [squares],
        "Which tasks repeat each other",
        "blue: they order the systems alike, orange: the other way (Kendall's tau); neighbours are "
        "alike",
    )
