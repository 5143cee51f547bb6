"""Charts of what the data leave open: ranks, groups of systems, and strengths."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd

from nbrank.charts.axes import RowGrid, assign_lanes, check_columns, make_x_encoder
from nbrank.charts.layers import make_layer, nominal, text_encoding, tooltip_fields
from nbrank.charts.palette import INK, PALETTE, QUIET, SOFT
from nbrank.charts.theme import SMALL
from nbrank.findings.best_set_text import over_what
from nbrank.findings.labels import format_percent, format_range, join_labels, unique_label_texts
from nbrank.rules.ranking import stable_sort
from nbrank.votes.formatting import check_same_labels, format_labels, pluralize

#: Number of colors that groups take in turn.
_GROUP_COLOURS = 6
#: Maximum number of lanes, and the width of a lane in pixels.
_MOST_LANES, _LANE = 60, 16


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
        sure the ranks are, and over what, if the frame's `.attrs` say so.

    Raises
    ------
    TypeError, ValueError
        If the frame has other columns, or the intervals are not of ranks.

    Examples
    --------
    >>> import nbrank
    >>> from nbrank.datasets import load_llm_chat
    >>> chart = rank_intervals(nbrank.bootstrap(load_llm_chat(), "borda", n_draws=50, seed=0))
    """
    source = "nbrank.rank_confidence(scores, rule) or nbrank.bootstrap(scores, rule)"
    _check_rank_intervals("rank_intervals", intervals, source)
    resampled = "p_best" in intervals.columns
    notes = _interval_caption(intervals, resampled)
    rows = stable_sort(intervals, "rank", "low", "high")
    table = RowGrid(unique_label_texts(rows.index))
    bars = table.interval_layers(rows, table.rank_axis(int(rows["high"].max())))
    return table.chart(bars, _interval_title(rows, resampled), "; ".join(notes), 420)


def _interval_title(table: pd.DataFrame, resampled: bool) -> str:
    """Count the sets that hold rank 1, unless these are some systems of more."""
    could = int((table["low"] == 1).sum())
    if resampled:
        return "How far the ranks spread"
    if table["high"].max() > len(table):
        return "Which ranks are possible"
    return f"Rank 1 is in {could} of {pluralize(len(table), 'rank set')}"


def _interval_caption(intervals: pd.DataFrame, resampled: bool) -> list[str]:
    """Say what the intervals are, if the frame says it."""
    texts = intervals.attrs
    delta = texts.get("delta")
    if resampled:
        share = "" if delta is None else f"{format_percent(1 - delta, 6)} of "
        drawn = over_what(intervals) if "over" in texts else "the tasks"
        return [f"in {share}the draws of {drawn}, which claims no coverage"]
    if delta is None:
        return []
    of = "of all systems at once" if texts.get("joint", True) else "of each system by itself"
    # Sets of comparisons have no `over`, and the source of sets from estimates is unknown.
    known = "over" in texts or texts.get("rule") == "bradley_terry"
    over = f", over {over_what(intervals)}" if known else ""
    return [f"with {format_percent(1 - delta, 6)} confidence, {of}{over}"]


def _check_rank_intervals(
    function: str, intervals: pd.DataFrame, source: str, use: str = "draws"
) -> None:
    """Refuse frames without intervals of ranks, such as those of strengths."""
    check_columns(function, intervals, ["rank", "low", "high"], source, use)
    for column in ("low", "high"):
        numbers = pd.to_numeric(intervals[column], errors="coerce").to_numpy(float, na_value=np.nan)
        wrong = ~(np.isfinite(numbers) & (numbers >= 1) & (np.floor(numbers) == numbers))
        if wrong.any():
            raise ValueError(
                f"charts.{function} {use} what {source} returns; {column!r} is not a rank, a whole "
                f"number from 1 on, for {format_labels(intervals.index[wrong])}; the intervals of "
                f"strengths are drawn by charts.strengths"
            )


def tie_groups(groups: pd.DataFrame, intervals: pd.DataFrame | None = None) -> alt.LayerChart:
    """Draw which systems can't be told apart: a coloured line for each group.

    Groups of rank sets are of systems that may share a rank, and are called so.

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
        If the frames have other columns, or different systems.

    Examples
    --------
    >>> import nbrank
    >>> from nbrank.datasets import load_llm_chat
    >>> sets = nbrank.rank_confidence(load_llm_chat(), "borda", delta=0.2, seed=0)
    >>> chart = tie_groups(nbrank.tie_groups(sets), sets)
    """
    source = "nbrank.tie_groups(scores, rule), or nbrank.tie_groups(rank_confidence(...)),"
    check_columns("tie_groups", groups, ["low", "high", "systems"], source)
    members = [list(systems) for systems in groups["systems"]]
    results = list(dict.fromkeys(system for systems in members for system in systems))
    bounds, order = None, pd.Index(results, tupleize_cols=False)
    if intervals is not None:
        source = "nbrank.rank_confidence(scores, rule)"
        _check_rank_intervals("tie_groups", intervals, source, "takes as intervals")
        bounds = stable_sort(intervals, "rank", "low", "high")
        order = bounds.index
        check_same_labels(
            results, order, "charts.tie_groups: the groups and the intervals", "systems"
        )
    names, labels = unique_label_texts(order), [str(label) for label in groups.index]
    row = {system: place for place, system in enumerate(order)}
    rows = [[row[system] for system in systems] for systems in members]
    ends = [(min(own), max(own)) for own in rows]
    # Groups that don't touch share a lane.
    in_turn = sorted(range(len(rows)), key=ends.__getitem__)
    lane = dict(zip(in_turn, assign_lanes([ends[group] for group in in_turn], 1), strict=True))
    n_lanes = min(max(lane.values()) + 1, _MOST_LANES)
    drawn = [group for group in in_turn if lane[group] < n_lanes]
    table, ranks_wide, last, wide = RowGrid(names), 0, 0, 1.0
    x = make_x_encoder([0.5, n_lanes + 1.5], axis=None)
    layers: list[alt.Chart] = []
    by_pairs = groups.attrs.get("of") == "pairs"
    joined_are = "that can't be told apart" if by_pairs else "that may share a rank"
    notes = [f"on the right, a line joins systems {joined_are}: those with a dot"]
    if not by_pairs:
        notes.append("two systems may be told apart although they may share a rank")
    if bounds is not None:
        # The axis of ranks continues through the lanes, so their width is measured in ranks.
        ranks_wide, last = 420, max(len(names), int(bounds["high"].max()))
        wide = _LANE * last / ranks_wide
        x = table.rank_axis(last, (n_lanes + 1) * wide)
        layers = table.interval_layers(bounds, x, colours=(QUIET, INK))
        notes.insert(0, "a bar: the ranks open to the system; its dot: its rank")
    if len(drawn) < len(rows):
        notes.append(f"{pluralize(len(rows) - len(drawn), 'group')} more not drawn")
    together = [join_labels([names[place] for place in own], 5) for own in rows]
    # The ends are missing if the systems of a group have no rank in common.
    ends_of = zip(groups["low"], groups["high"], strict=True)
    spans = ["none" if pd.isna(low) else format_range(low, high) for low, high in ends_of]
    scale = alt.Scale(domain=list(range(_GROUP_COLOURS)), range=list(PALETTE[:_GROUP_COLOURS]))
    colour = alt.Color(**nominal("colour"), scale=scale, legend=None)

    def marks(each: list[tuple[int, int]], **facts: Sequence[str]) -> alt.Chart:
        """Marks in the lanes of some groups, each in a row, with facts of its group."""
        own = [group for group, _ in each]
        data = {
            "system": [names[place] for _, place in each],
            "lane": [last + 0.5 + (lane[group] + 1) * wide for group in own],
            "colour": [group % _GROUP_COLOURS for group in own],
            **{fact: [of[group] for group in own] for fact, of in facts.items()},
        }
        return table.place_layer(data).encode(x=x("lane"))

    tooltip = tooltip_fields(
        "system:N", "group:N", "ranks:N=ranks open to all of it", "together:N=in the group"
    )
    upper = [(group, ends[group][0]) for group in drawn]
    joined = [pair for pair in upper if len(rows[pair[0]]) > 1]
    first, end = ([names[row] for row in own] for own in zip(*ends, strict=True))
    joints = marks(joined, first=first, last=end)
    each = [(group, place) for group in sorted(drawn) for place in rows[group]]
    dots = marks(each, group=labels, ranks=spans, together=together)
    heads = marks(upper, label=labels).encode(**text_encoding("label"))
    layers += [
        joints.mark_rule(strokeWidth=2).encode(y2=alt.Y2(field="last"), color=colour),
        dots.mark_circle(size=45, opacity=1).encode(color=colour, tooltip=tooltip),
        heads.mark_text(dy=-11, fontSize=SMALL - 1, color=SOFT, tooltip=None),
    ]
    width = ranks_wide + _LANE * (n_lanes + 1)
    return table.chart(layers, _tie_groups_title(rows, by_pairs), "; ".join(notes), width)


def _tie_groups_title(groups: list[list[int]], by_pairs: bool) -> str:
    several = sum(len(rows) > 1 for rows in groups)
    if not several:
        return "Every system can be told apart from every other"
    if several == len(groups) == 1:
        return "No two systems can be told apart" if by_pairs else "All systems may share a rank"
    which = "can't be told apart" if by_pairs else "may share a rank"
    return f"{pluralize(several, 'group')} of systems that {which}"


def strengths(estimates: pd.DataFrame) -> alt.LayerChart:
    """Draw how strong each system is by Bradley and Terry's model, and how sure that is.

    Parameters
    ----------
    estimates
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
        If it is not such a frame.

    Examples
    --------
    >>> import nbrank
    >>> from nbrank.datasets import load_llm_chat
    >>> chart = strengths(nbrank.strengths(load_llm_chat(), prior=1))
    """
    needed = ["rank", "strength", "low", "high"]
    check_columns("strengths", estimates, needed, "nbrank.strengths(scores)")
    rows = stable_sort(estimates, "rank")
    table = RowGrid(unique_label_texts(rows.index))
    x = table.numeric_axis("log-strength (0 is an average system)")
    average = make_layer({"strength": [0.0]}).mark_rule(color=SOFT, strokeDash=[4, 3])
    bars = table.interval_layers(rows, x, "strength", ":.3f")
    text = "Bradley and Terry's strengths, and their intervals"
    layers = [average.encode(x=x("strength")), *bars]
    return table.chart(layers, "How strong is each system?", text, 420)
