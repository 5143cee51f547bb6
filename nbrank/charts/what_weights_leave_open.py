"""Draw what the weights leave open, and which tasks rank the systems alike."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from nbrank.charts.axes import (
    across_ranks,
    in_a_square,
    in_rows,
    layered,
    named_columns,
    named_rows,
    nominal,
    quantitative,
    readable_step,
    row_step,
    tip,
    tips,
    whole_ticks,
)
from nbrank.charts.colours import LEADER, LOOKED_AT, SOFT
from nbrank.charts.data import checked_at_the_end, layer_of
from nbrank.charts.frames import require
from nbrank.charts.names import Names, in_percent, names_of, verb
from nbrank.votes.naming import check_same, named

_WEIGHTS, _SAMPLE = "other weights", "other tasks"


@checked_at_the_end
def possible_ranks(found: pd.DataFrame, sets: pd.DataFrame | None = None) -> alt.LayerChart:
    """Draw the ranks that other weights leave open, next to those that other tasks do.

    Parameters
    ----------
    found
        A row for each system as `nbrank.possible_ranks` returns them.
    sets
        The ranks of the same systems as `nbrank.rank_confidence` returns them;
        None draws the weights alone.

    Returns
    -------
    altair.LayerChart
        A row for each system, best first: a point at its rank, a bar from its best to its worst
        rank over all weightings allowed, dashed where they are only bounds, and behind it a pale
        one for the ranks that the sample of tasks leaves open.

    Raises
    ------
    TypeError, ValueError
        If they are no such frames, or have different systems.

    Examples
    --------
    >>> import nbrank
    >>> from nbrank.datasets import load_llm_chat
    >>> scores = load_llm_chat()
    >>> sets = nbrank.rank_confidence(scores, "borda", seed=0)
    >>> chart = possible_ranks(nbrank.possible_ranks(scores, missing="compatible"), sets)
    """
    return spans_of_ranks(found, sets, 420)


def spans_of_ranks(found: pd.DataFrame, sets: pd.DataFrame | None, width: float) -> alt.LayerChart:
    """Draw the possible ranks, with so many pixels for the axis."""
    source = "nbrank.possible_ranks(scores, rule)"
    require("possible_ranks", found, ["rank", "best", "worst", "proven"], source)
    names, spans = names_of(found.index), {}
    if sets is not None:
        beside = "nbrank.rank_confidence(scores, rule)"
        require("possible_ranks", sets, ["low", "high"], beside, "takes as sets")
        both = "charts.possible_ranks: the ranks and the sets"
        check_same(found.index, sets.index, both, "systems")
        sets = sets.reindex(found.index)
        spans[_SAMPLE] = sets["low"], sets["high"]
    spans[_WEIGHTS] = found["best"], found["worst"]
    last = max(int(high.max()) for _, high in spans.values())
    step = readable_step(len(names))
    x = across_ranks(len(names), last)
    y = named_rows("system", names, step)
    # As wherever ranks are drawn that a sample leaves open: pale, in the leader's colour.
    looks = {_SAMPLE: (LEADER, 0.35, 2 / 3), _WEIGHTS: (SOFT, 1, 1 / 4)}
    bars = []
    for what, (low, high) in spans.items():
        colour, opacity, share = looks[what]
        data = {
            "system": names,
            "rank": found["rank"],
            "low": low,
            "high": high,
            "open to": [what] * len(names),
            "bound": ~found["proven"].astype(bool) & (what == _WEIGHTS),
            # A span of one rank has to be seen, too.
            "start": low - 0.15,
            "end": high + 0.15,
        }
        rows = layer_of(data).mark_rule(
            color=colour, strokeOpacity=opacity, strokeWidth=max(2, int(step * share))
        )
        bars.append(
            rows.encode(
                x=x("start"),
                x2=alt.X2(field="end"),
                y=y,
                strokeDash=alt.StrokeDashValue(
                    [1, 0], condition={"test": "datum.bound", "value": [4, 3]}
                ),
                tooltip=[
                    *tips("system:N", "rank", "open to:N"),
                    tip("low", "best"),
                    tip("high", "worst"),
                ],
            )
        )
    points = layer_of({"system": names, "rank": found["rank"]}).mark_circle(
        size=min(60, 4 * step), color=LEADER, opacity=1
    )
    points = points.encode(x=x("rank"), y=y)
    return in_rows(
        [*bars, points],
        names,
        width=width,
        title="Which ranks are possible",
        subtitle=_how_far(found) + "; blue: with other tasks like these" * (sets is not None),
    )


def first_within(found: pd.DataFrame, by: str, names: Names) -> str:
    """Say who may be first, by a rule, while no weight changes by more than a fifth."""
    first, may = found["rank"] == 1, found["best"] == 1
    who = f"{names.listed(found.index[may])} would each be first by {by} under some weights"
    if may.equals(first):
        heads = names.listed(found.index[first])
        who = f"{heads} {verb('stays', first.sum())} first by {by}"
        if (found["worst"][first] > 1).any():
            who = f"nobody but {heads} would be first by {by}"
            if may.all():
                who = f"any of these systems can be first by {by}"
    elif not found["proven"][may].all():
        who = f"at most {may.sum()} systems would be first by {by}"
    return f"As long as no weight changes by more than a fifth, {who}."


def _how_far(found: pd.DataFrame) -> str:
    """Which weightings are allowed, as far as the frame says."""
    within = found.attrs.get("within")
    said = "grey: under other weights"
    if within is not None:
        said = f"grey: under weights up to {in_percent(within)} larger or smaller"
    return said if found["proven"].all() else f"{said} (dashed: no more than bounds)"


@checked_at_the_end
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
        If it is no such frame.

    Examples
    --------
    >>> import nbrank
    >>> from nbrank.datasets import load_llm_chat
    >>> chart = rank_acceptability(nbrank.rank_acceptability(load_llm_chat(), n=100))
    """
    source = "nbrank.rank_acceptability(scores, rule)"
    require("rank_acceptability", shares, [], source)
    if not shares.columns.equals(pd.RangeIndex(1, len(shares.columns) + 1)):
        raise ValueError(
            f"charts.rank_acceptability draws what {source} returns, with a column for each rank "
            f"from 1 on; this frame has {named(shares.columns)}"
        )
    names = names_of(shares.index)
    values = shares.to_numpy(dtype=float)
    row, column = np.nonzero(values > 0)
    step = row_step(len(names))
    ranks = [str(rank) for rank in shares.columns]
    cells = layer_of(
        {
            "system": [names[place] for place in row],
            "rank": [ranks[place] for place in column],
            "share": values[row, column].round(4),
        }
    )
    labels = set(map(str, whole_ticks(1, len(ranks))))
    rows = cells.mark_rect(fill=LEADER).encode(
        x=alt.X(
            **nominal("rank"),
            scale=alt.Scale(domain=ranks),
            axis=alt.Axis(
                title="rank (1 is best)",
                labelAngle=0,
                orient="top",
                values=[rank for rank in ranks if rank in labels],
            ),
        ),
        y=named_rows("system", names, step),
        # So that the rarest can be seen, too.
        fillOpacity=alt.FillOpacity(
            **quantitative("share"), scale=alt.Scale(domain=[0, 1], range=[0.08, 1]), legend=None
        ),
        tooltip=[*tips("system:N", "rank:N"), tip("share:.1%", "share of the weightings")],
    )
    return layered(
        [rows],
        width=max(step, 16) * len(ranks) if len(ranks) < 40 else 640,
        height=len(names) * step,
        title="Which ranks most weightings give",
        subtitle="the stronger the colour, the larger the share of the weightings; each that is "
        "allowed is as likely as any other",
    )


@checked_at_the_end
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
        If it is no such frame.

    Examples
    --------
    >>> import nbrank
    >>> from nbrank.datasets import load_llm_chat
    >>> chart = repeated_tasks(nbrank.repeated_tasks(load_llm_chat()))
    """
    source = "nbrank.repeated_tasks(scores)"
    require("repeated_tasks", taus, list(taus.index), source)
    names = names_of(taus.index)
    step = row_step(len(names))
    values = taus.to_numpy(dtype=float)
    row, column = np.nonzero(~np.isnan(values))
    cells = layer_of(
        {
            "task": [names[place] for place in row],
            "other": [names[place] for place in column],
            "tau": values[row, column].round(3),
            "strength": np.abs(values[row, column]).round(3),
        }
    )
    squares = cells.mark_rect().encode(
        x=named_columns("other", names, step),
        y=named_rows("task", names, step),
        fill=alt.FillValue(LEADER, condition={"test": "datum.tau < 0", "value": LOOKED_AT}),
        fillOpacity=alt.FillOpacity(**quantitative("strength"), scale=None, legend=None),
        tooltip=tips("task:N", "other:N", "tau:.2f"),
    )
    return in_a_square(
        [squares],
        names,
        title="Which tasks repeat each other",
        subtitle="blue: they order the systems alike, orange: the other way (Kendall's tau); "
        "neighbours are alike",
    )
