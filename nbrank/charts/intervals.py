"""Draw what the data leave open: ranks, groups that can't be told apart, and strengths."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import altair as alt
import numpy as np
import pandas as pd

from nbrank.charts.axes import (
    LINE,
    ROWS_WITH_LABELS,
    layered,
    named_rows,
    nominal,
    quantitative,
    readable_step,
    tip,
    whole_ticks,
)
from nbrank.charts.colours import INK, PALETTE, QUIET
from nbrank.charts.data import Layer, checked_at_the_end, data_of
from nbrank.charts.frames import require
from nbrank.charts.names import in_brief, listed, names_of
from nbrank.rules.ranking import in_order
from nbrank.votes.naming import counted, named

#: Groups in turn have one of so many colours. More groups, and groups of many systems, stand in
#: lanes beside the ranks, where they don't cover each other.
_GROUP_COLOURS = 6
#: How many lanes there are at most, and how many pixels wide they are.
_MOST_LANES, _LANE = 60, 12


@checked_at_the_end
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
        A row for each system, best first: a bar from the lowest to the highest
        rank, and a point at the rank. Of `nbrank.bootstrap` the title says that
        it is a spread; how sure the ranks are stands below it, as long as the
        frame's `.attrs` say so.

    Raises
    ------
    TypeError, ValueError
        If it is no such frame, or the intervals are not of ranks.

    Examples
    --------
    >>> import nbrank
    >>> from nbrank.datasets import load_llm_chat
    >>> chart = rank_intervals(nbrank.bootstrap(load_llm_chat(), "borda", n=50, seed=0))
    """
    source = "nbrank.rank_confidence(scores, rule) or nbrank.bootstrap(scores, rule)"
    _require_intervals("rank_intervals", intervals, source)
    resampled = "p_best" in intervals.columns
    notes = _how_sure(intervals, resampled)
    table = in_order(intervals, "rank", "low", "high")
    names = names_of(table.index)
    base, x, step = _interval_rows(table, names)
    bars = base.mark_rule(strokeWidth=max(2, step // 3), color=PALETTE[4]).encode(
        x=x("low"), x2=alt.X2(field="high")
    )
    points = base.mark_circle(size=60, color=PALETTE[0], opacity=1).encode(x=x("rank"))
    return layered(
        [bars, points],
        width=420,
        height=len(names) * step,
        left=in_brief(names),
        title="How far the ranks spread" if resampled else "Which ranks are possible",
        subtitle="; ".join(notes),
    )


def _how_sure(intervals: pd.DataFrame, resampled: bool) -> list[str]:
    """What the intervals are, as far as the frame says."""
    said = intervals.attrs
    delta = said.get("delta")
    if resampled:
        share = "" if delta is None else f"{100 * (1 - delta):g} % of "
        return [f"in {share}the draws of {said.get('over', 'the tasks')}, which claims no coverage"]
    if delta is None:
        return []
    of = "of all systems at once" if said.get("joint", True) else "of each system by itself"
    return [f"with {100 * (1 - delta):g} % confidence, {of}"]


def _require_intervals(
    function: str, intervals: pd.DataFrame, source: str, use: str = "draws"
) -> None:
    """Refuse what is no frame of intervals of ranks, such as the intervals of strengths."""
    require(function, intervals, ["rank", "low", "high"], source, use)
    for column in ("low", "high"):
        numbers = pd.to_numeric(intervals[column], errors="coerce").to_numpy(float, na_value=np.nan)
        wrong = ~(np.isfinite(numbers) & (numbers >= 1) & (np.floor(numbers) == numbers))
        if wrong.any():
            raise ValueError(
                f"charts.{function} {use} what {source} returns; {column!r} is no rank, a whole "
                f"number from 1 on, for {named(intervals.index[wrong])}; the intervals of "
                f"strengths are drawn by charts.strengths"
            )


def _interval_rows(
    table: pd.DataFrame, names: list[str], beyond: float = 0.0
) -> tuple[alt.Chart, Callable[[str], alt.X], int]:
    """A row for each system with its ranks, the axis of ranks, and how high a row is.

    The axis has room for what stands beside the ranks, as wide as so many ranks beyond the last.
    """
    # Of some rows only, such as the first ten, the ranks may reach beyond their number.
    last = max(len(names), int(table["high"].max()))
    step = readable_step(len(names))
    base = Layer(
        data_of({**{column: table[column] for column in ("rank", "low", "high")}, "system": names})
    ).encode(
        y=named_rows("system", names, step),
        tooltip=[tip("system", "nominal"), tip("rank"), tip("low"), tip("high")],
    )

    def x(field: str) -> alt.X:
        return alt.X(
            **quantitative(field),
            scale=alt.Scale(domain=[0.5, last + 0.5 + beyond], nice=False),
            axis=alt.Axis(
                values=whole_ticks(1, last),
                tickMinStep=1,
                format="d",
                title="rank (1 is best)",
                titleAnchor="start" if beyond else alt.Undefined,
                orient="top" if len(names) > ROWS_WITH_LABELS else "bottom",
            ),
        )

    return base, x, step


@checked_at_the_end
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
        all of them; behind them, in grey, are all ranks open to the system. More
        than six groups, or groups of more than 60 systems, stand on the right,
        a line with a dot in the row of each of its systems; as many as 60 side
        by side are drawn.

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
    require("tie_groups", groups, ["low", "high", "systems"], source)
    members = [list(systems) for systems in groups["systems"]]
    found = list(dict.fromkeys(system for systems in members for system in systems))
    if intervals is None:
        order = pd.Index(found, tupleize_cols=False)
        last = max(len(order), int(groups["high"].max()))
        bounds = pd.DataFrame({"rank": 1, "low": 1, "high": last}, index=order)
    else:
        source = "nbrank.rank_confidence(scores, rule)"
        _require_intervals("tie_groups", intervals, source, "takes as intervals")
        bounds = in_order(intervals, "rank", "low", "high")
        different = set(found).symmetric_difference(bounds.index)
        if different:
            raise ValueError(
                f"charts.tie_groups: the groups and the intervals have different systems: "
                f"{named(different)}"
            )
    names = names_of(bounds.index)
    name = dict(zip(bounds.index, names, strict=True))
    row = {system: place for place, system in enumerate(bounds.index)}
    several = [group for group, systems in enumerate(members) if len(systems) > 1]
    many = len(several) > _GROUP_COLOURS or len(names) > ROWS_WITH_LABELS
    low, high = groups["low"].to_numpy(), groups["high"].to_numpy()
    each = [(group, system) for group, systems in enumerate(members) for system in systems]
    together = [
        "only the system itself" if len(systems) == 1 else listed([name[s] for s in systems], 5)
        for systems in members
    ]
    ends = [sorted(systems, key=row.__getitem__) for systems in members]
    of_each = {
        "system": [name[system] for _, system in each],
        "group": [str(groups.index[group]) for group, _ in each],
        "ranks": [_span(low[group], high[group]) for group, _ in each],
        "together": [together[group] for group, _ in each],
        "colour": [group % _GROUP_COLOURS for group, _ in each],
    }
    if many:
        return _in_lanes(
            bounds if intervals is not None else None,
            names,
            of_each,
            [group for group, _ in each],
            [(row[systems[0]], row[systems[-1]]) for systems in ends],
        )
    base, x, step = _interval_rows(bounds, names)
    blocks_data = data_of(
        {
            **of_each,
            "from": [float(low[group]) - 0.4 for group, _ in each],
            "to": [float(high[group]) + 0.4 for group, _ in each],
        }
    )
    joints_data = data_of(
        {
            "first": [name[ends[group][0]] for group in several],
            "last": [name[ends[group][-1]] for group in several],
            "middle": [(float(low[group]) + float(high[group])) / 2 for group in several],
            "colour": [group % _GROUP_COLOURS for group in several],
        }
    )
    colour = _group_colour()
    layers = [] if intervals is None else _ranks_behind(base, x, step)
    layers.append(
        Layer(joints_data)
        .mark_rule(strokeWidth=2 if step > LINE else 1)
        .encode(
            x=x("middle"), y=named_rows("first", names, step), y2=alt.Y2(field="last"), color=colour
        )
    )
    layers.append(
        Layer(blocks_data)
        .mark_rule(strokeWidth=max(4, step // 2))
        .encode(
            x=x("from"),
            x2=alt.X2(field="to"),
            y=named_rows("system", names, step),
            color=colour,
            tooltip=_group_tips(),
        )
    )
    # The bars lie behind the groups, the points before them.
    if intervals is not None:
        layers.append(layers.pop(1))
    return layered(
        layers,
        # Wide enough for a block to stand out from the line, which also crosses other rows.
        width=min(900, max(420, 7 * len(names))),
        height=len(names) * step,
        left=in_brief(names),
        title="Which systems can't be told apart",
        subtitle="a coloured line joins systems that may all have the same rank",
    )


def _ranks_behind(base: alt.Chart, x: Callable[[str], alt.X], step: int) -> list[alt.Chart]:
    """All ranks open to each system, in grey, and its rank."""
    bars = base.mark_rule(strokeWidth=max(2, step // 4), color=QUIET)
    points = base.mark_circle(size=40, color=INK, opacity=1)
    return [bars.encode(x=x("low"), x2=alt.X2(field="high")), points.encode(x=x("rank"))]


def _group_colour() -> alt.Color:
    return alt.Color(
        **nominal("colour"),
        scale=alt.Scale(domain=list(range(_GROUP_COLOURS)), range=list(PALETTE[:_GROUP_COLOURS])),
        legend=None,
    )


def _group_tips() -> list[alt.Tooltip]:
    return [
        tip("system", "nominal"),
        tip("group", "nominal"),
        tip("ranks", "nominal", title="ranks open to all of it"),
        tip("together", "nominal", title="in the group"),
    ]


def _in_lanes(
    bounds: pd.DataFrame | None,
    names: list[str],
    of_each: dict[str, list[Any]],
    group_of: list[int],
    ends: list[tuple[int, int]],
) -> alt.LayerChart:
    """Groups side by side, on the right of the ranks; those that don't touch share a lane."""
    lane: dict[int, int] = {}
    reached: list[int] = []
    for group in sorted(range(len(ends)), key=ends.__getitem__):
        start, end = ends[group]
        free = (place for place, last in enumerate(reached) if last + 1 < start)
        lane[group] = next(free, len(reached))
        reached[lane[group] : lane[group] + 1] = [end]
    n_lanes = min(len(reached), _MOST_LANES)
    ranks_wide = 0 if bounds is None else 420
    last = 0 if bounds is None else max(len(names), int(bounds["high"].max()))
    # The axis of ranks goes on through the lanes, which are so many ranks wide.
    wide = 1.0 if bounds is None else _LANE * last / ranks_wide
    step = readable_step(len(names))
    drawn = [place for place, group in enumerate(group_of) if lane[group] < n_lanes]
    at = {group: last + 0.5 + (place + 1) * wide for group, place in lane.items()}
    dots = {field: [values[place] for place in drawn] for field, values in of_each.items()}
    dots["lane"] = [at[group_of[place]] for place in drawn]
    lines = [group for group in lane if lane[group] < n_lanes and ends[group][0] < ends[group][1]]
    joints = {
        "first": [names[ends[group][0]] for group in lines],
        "last": [names[ends[group][1]] for group in lines],
        "lane": [at[group] for group in lines],
        "colour": [group % _GROUP_COLOURS for group in lines],
    }

    def only_lanes(field: str) -> alt.X:
        scale = alt.Scale(domain=[0.5, 0.5 + (n_lanes + 1) * wide], nice=False)
        return alt.X(**quantitative(field), scale=scale, axis=None)

    x: Callable[[str], alt.X] = only_lanes
    layers: list[alt.Chart] = []
    if bounds is not None:
        base, x, _ = _interval_rows(bounds, names, (n_lanes + 1) * wide)
        layers += _ranks_behind(base, x, step)
    layers += [
        Layer(data_of(joints))
        .mark_rule(strokeWidth=2)
        .encode(
            x=x("lane"),
            y=named_rows("first", names, step),
            y2=alt.Y2(field="last"),
            color=_group_colour(),
        ),
        Layer(data_of(dots))
        .mark_circle(size=45, opacity=1)
        .encode(
            x=x("lane"),
            y=named_rows("system", names, step),
            color=_group_colour(),
            tooltip=_group_tips(),
        ),
    ]
    left_out = sum(place >= n_lanes for place in lane.values())
    note = "a coloured line joins systems that may all have the same rank: those with a dot on it"
    return layered(
        layers,
        width=ranks_wide + _LANE * (n_lanes + 1),
        height=len(names) * step,
        left=in_brief(names),
        title="Which systems can't be told apart",
        subtitle=f"{note}; {counted(left_out, 'group')} more not drawn" if left_out else note,
    )


def _span(low: int, high: int) -> str:
    return f"{low}" if low == high else f"{low} to {high}"


@checked_at_the_end
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
    require("strengths", found, needed, "nbrank.strengths(scores)")
    table = in_order(found, "rank")
    names = names_of(table.index)
    step = readable_step(len(names))
    base = Layer(data_of({"system": names, **{column: table[column] for column in needed}})).encode(
        y=named_rows("system", names, step),
        tooltip=[
            tip("system", "nominal"),
            tip("rank"),
            *(tip(column, digits=3) for column in needed[1:]),
        ],
    )

    def x(field: str) -> alt.X:
        side: Literal["top", "bottom"] = "top" if len(names) > ROWS_WITH_LABELS else "bottom"
        title = "log-strength (0 is an average system)"
        return alt.X(**quantitative(field), axis=alt.Axis(title=title, orient=side))

    average = (
        Layer(data_of({"strength": [0.0]}))
        .mark_rule(color="#888888", strokeDash=[4, 3])
        .encode(x=x("strength"))
    )
    lines = base.mark_rule(strokeWidth=2, color=PALETTE[0]).encode(
        x=x("low"), x2=alt.X2(field="high")
    )
    points = base.mark_circle(size=60, color=PALETTE[0], opacity=1).encode(x=x("strength"))
    return layered(
        [average, lines, points],
        width=420,
        height=len(names) * step,
        left=in_brief(names),
        title="How strong is each system?",
        subtitle="Bradley and Terry's strengths, and their intervals",
    )
