"""Draw what the data leave open: ranks, groups that can't be told apart, and strengths."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from nbrank.charts.axes import (
    Across,
    across,
    across_ranks,
    axis_side,
    bars_in_rows,
    in_rows,
    lanes,
    named_rows,
    nominal,
    readable_step,
    tip,
    tips,
)
from nbrank.charts.colours import INK, PALETTE, QUIET, SOFT
from nbrank.charts.data import checked_at_the_end, layer_of
from nbrank.charts.frames import require
from nbrank.charts.names import in_percent, listed, names_of, span
from nbrank.charts.theme import SMALL
from nbrank.rules.ranking import in_order
from nbrank.votes.naming import check_same, counted, named

#: Groups in turn have one of so many colours.
_GROUP_COLOURS = 6
#: How many lanes there are at most, and how many pixels wide they are.
_MOST_LANES, _LANE = 60, 16


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
        A row for each system, best first: a bar from the lowest to the highest rank, and a point at
        the rank. For `nbrank.bootstrap` the title says that it is a spread. Below it stands how
        sure the ranks are, if the frame's `.attrs` say so.

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
    return in_rows(
        _intervals(table, names),
        names,
        width=420,
        title=_how_far(table, resampled),
        subtitle="; ".join(notes),
    )


def _how_far(table: pd.DataFrame, resampled: bool) -> str:
    """What one sees: how many could be first, unless these are some systems of more."""
    could = int((table["low"] == 1).sum())
    if resampled:
        return "How far the ranks spread"
    if table["high"].max() > len(table):
        return "Which ranks are possible"
    return f"{could} of {counted(len(table), 'system')} could be first"


def _how_sure(intervals: pd.DataFrame, resampled: bool) -> list[str]:
    """What the intervals are, as far as the frame says."""
    said = intervals.attrs
    delta = said.get("delta")
    if resampled:
        share = "" if delta is None else f"{in_percent(1 - delta, 6)} of "
        return [f"in {share}the draws of {said.get('over', 'the tasks')}, which claims no coverage"]
    if delta is None:
        return []
    of = "of all systems at once" if said.get("joint", True) else "of each system by itself"
    return [f"with {in_percent(1 - delta, 6)} confidence, {of}"]


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


def _intervals(
    table: pd.DataFrame,
    names: list[str],
    x: Across | None = None,
    colours: tuple[str, str] | None = None,
) -> list[alt.Chart]:
    """A row for each system with the ranks open to it, on the axis of ranks or one that goes on."""
    ranks = {column: table[column] for column in ("rank", "low", "high")}
    x = x or across_ranks(len(names), int(table["high"].max()))
    return bars_in_rows(names, ranks, x, ("low", "high"), "rank", tips(*ranks), colours)


@checked_at_the_end
def tie_groups(groups: pd.DataFrame, intervals: pd.DataFrame | None = None) -> alt.LayerChart:
    """Draw which systems can't be told apart: a coloured line for each group.

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
        A row for each system, best first: a bar over the ranks that are open to it, with a dot at
        its rank. On the right each group is a vertical line with a dot in the row of each of its
        systems, and its label at the upper end; as many as 60 side by side are drawn.

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
    bounds, order = None, pd.Index(found, tupleize_cols=False)
    if intervals is not None:
        source = "nbrank.rank_confidence(scores, rule)"
        _require_intervals("tie_groups", intervals, source, "takes as intervals")
        bounds = in_order(intervals, "rank", "low", "high")
        order = bounds.index
        check_same(found, order, "charts.tie_groups: the groups and the intervals", "systems")
    names, labels = names_of(order), [str(label) for label in groups.index]
    row = {system: place for place, system in enumerate(order)}
    rows = [[row[system] for system in systems] for systems in members]
    ends = [(min(own), max(own)) for own in rows]
    # Those that don't touch share a lane.
    in_turn = sorted(range(len(rows)), key=ends.__getitem__)
    lane = dict(zip(in_turn, lanes([ends[group] for group in in_turn], 1), strict=True))
    n_lanes = min(max(lane.values()) + 1, _MOST_LANES)
    drawn = [group for group in in_turn if lane[group] < n_lanes]
    ranks_wide, last, wide, step = 0, 0, 1.0, readable_step(len(names))
    layers: list[alt.Chart] = []
    notes = ["on the right, a line joins systems that may all have the same rank: those with a dot"]
    if bounds is not None:
        # The axis of ranks goes on through the lanes, which are so many ranks wide.
        ranks_wide, last = 420, max(len(names), int(bounds["high"].max()))
        wide = _LANE * last / ranks_wide
        of_ranks = across_ranks(len(names), last, (n_lanes + 1) * wide)
        layers = _intervals(bounds, names, of_ranks, (QUIET, INK))
        notes.insert(0, "a bar: the ranks open to the system; its dot: its rank")
    if len(drawn) < len(rows):
        notes.append(f"{counted(len(rows) - len(drawn), 'group')} more not drawn")
    only_lanes = alt.Scale(domain=[0.5, 0.5 + (n_lanes + 1) * wide], nice=False)
    x = across(scale=only_lanes, axis=None) if bounds is None else of_ranks
    at = {group: last + 0.5 + (lane[group] + 1) * wide for group in drawn}
    scale = alt.Scale(domain=list(range(_GROUP_COLOURS)), range=list(PALETTE[:_GROUP_COLOURS]))
    colour = alt.Color(**nominal("colour"), scale=scale, legend=None)

    def marks(of: list[int], field: str, **data: list[Any]) -> alt.Chart:
        """Marks of groups in their lanes, in the rows that a field names."""
        own = {"colour": [group % _GROUP_COLOURS for group in of], "lane": [at[g] for g in of]}
        return layer_of({**data, **own}).encode(x=x("lane"), y=named_rows(field, names, step))

    several = [group for group in drawn if len(rows[group]) > 1]
    joints = marks(
        several,
        "first",
        first=[names[ends[group][0]] for group in several],
        last=[names[ends[group][1]] for group in several],
    )
    each = [(group, place) for group in range(len(rows)) if group in at for place in rows[group]]
    of = [group for group, _ in each]
    together = [listed([names[place] for place in own], 5) for own in rows]
    spans = list(map(span, groups["low"], groups["high"]))
    dots = marks(
        of,
        "system",
        system=[names[place] for _, place in each],
        group=[labels[group] for group in of],
        ranks=[spans[group] for group in of],
        together=[together[group] for group in of],
    )
    heads = marks(
        drawn,
        "system",
        system=[names[ends[group][0]] for group in drawn],
        label=[labels[group] for group in drawn],
    ).mark_text(dy=-11, fontSize=SMALL - 1, color=SOFT, tooltip=None)
    tooltip = [
        *tips("system:N", "group:N"),
        tip("ranks:N", "ranks open to all of it"),
        tip("together:N", "in the group"),
    ]
    layers += [
        joints.mark_rule(strokeWidth=2).encode(y2=alt.Y2(field="last"), color=colour),
        dots.mark_circle(size=45, opacity=1).encode(color=colour, tooltip=tooltip),
        heads.encode(text=alt.Text(**nominal("label"))),
    ]
    width = ranks_wide + _LANE * (n_lanes + 1)
    return in_rows(layers, names, width=width, title=_title(rows), subtitle="; ".join(notes))


def _title(groups: list[list[int]]) -> str:
    several = sum(len(rows) > 1 for rows in groups)
    if several == len(groups) == 1:
        return "No system can be told apart from another"
    if not several:
        return "Every system can be told apart from every other"
    return f"{counted(several, 'group')} of systems that can't be told apart"


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
        A row for each system, best first: a point at its log-strength, a line for its interval, and
        a dashed line at 0, the strength of an average system.

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
    title = "log-strength (0 is an average system)"
    x = across(axis=alt.Axis(title=title, orient=axis_side(len(names))))
    average = layer_of({"strength": [0.0]}).mark_rule(color=SOFT, strokeDash=[4, 3])
    data = {column: table[column] for column in needed}
    shown = tips("rank", "strength:.3f", "low:.3f", "high:.3f")
    bars = bars_in_rows(names, data, x, ("low", "high"), "strength", shown)
    return in_rows(
        [average.encode(x=x("strength")), *bars],
        names,
        width=420,
        title="How strong is each system?",
        subtitle="Bradley and Terry's strengths, and their intervals",
    )
