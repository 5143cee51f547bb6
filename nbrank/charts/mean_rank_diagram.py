"""Draw mean ranks and critical differences: Demsar's diagram."""

from __future__ import annotations

from typing import Any, Literal

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.charts.axes import (
    XEncoder,
    assign_lanes,
    check_columns,
    layer_charts,
    make_x_encoder,
    whole_ticks,
)
from nbrank.charts.layers import make_layer, text_encoding, tooltip_fields, y_encoding
from nbrank.charts.palette import INK, LEADER, QUIET
from nbrank.findings.labels import abbreviate_labels, join_labels, unique_label_texts
from nbrank.rules.ranking import stable_sort
from nbrank.votes.table.validation import validate_number

_TITLE = "Mean ranks over the tasks (1 is best)"
TextAlign = Literal["left", "right"]


def critical_difference(
    mean_ranks: pd.DataFrame, *, distance: float | None = None
) -> alt.LayerChart:
    """Draw Demsar's diagram: mean ranks on a line, and bars over what can't be told apart.

    Parameters
    ----------
    mean_ranks
        A row for each system with the columns `rank`, `mean_rank` and `groups`,
        as `nbrank.critical_difference` returns them.
    distance
        Nemenyi's critical difference, which is drawn as a ruler. None takes what that function
        gives as `mean_ranks.attrs["critical_difference"]`, and draws none where there is none, as
        of tests of single pairs.

    Returns
    -------
    altair.LayerChart
        The systems stand to the left (the better half) and to the right of one axis of mean
        ranks, and a thick bar joins those of a group. Where a group skips systems, its bar is thin
        above them, and a dot marks a member without neighbors.

    Raises
    ------
    TypeError, ValueError
        If the frame has other columns or too many letters, or the distance is not above 0.

    References
    ----------
    Demsar, Statistical comparisons of classifiers over multiple data sets, 2006, figure 1.

    Examples
    --------
    >>> import nbrank
    >>> from nbrank.datasets import load_toy_votes
    >>> mean_ranks = nbrank.critical_difference(load_toy_votes())
    >>> chart = critical_difference(mean_ranks)
    """
    needed = ["rank", "mean_rank", "groups"]
    check_columns("critical_difference", mean_ranks, needed, "nbrank.critical_difference(scores)")
    name = "charts.critical_difference"
    if distance is None:
        distance = mean_ranks.attrs.get("critical_difference")
    if distance is not None and not validate_number(name, "distance", distance) > 0:
        raise ValueError(f"{name}: distance={distance!r} must be above 0")
    table = stable_sort(mean_ranks, "rank", "mean_rank")
    if table["groups"].isna().any():
        raise ValueError(
            f"{name}: 'groups' has no letters, because it takes too many. Draw the pairs instead: "
            f"charts.pairwise_p_values(nbrank.pairwise_p_values(scores, method=method))"
        )
    means = table["mean_rank"].to_numpy(dtype=float)
    letters = [str(letters).split() for letters in table["groups"]]
    group_rows: dict[str, list[int]] = {}
    for position, own in enumerate(letters):
        for letter in own:
            group_rows.setdefault(letter, []).append(position)
    names = unique_label_texts(table.index)
    groups = list(group_rows.values())
    return _axis_layout(names, table["rank"].tolist(), means, groups, distance)


def _axis_layout(
    names: list[str],
    ranks: list[int],
    means: NDArray[np.float64],
    groups: list[list[int]],
    distance: float | None,
) -> alt.LayerChart:
    """Lay out the classic diagram; y counts pixels downward from the top."""
    # The axis ends at whole ranks around the mean ranks, and has room for the ruler.
    low, high = float(np.floor(means.min() + 1e-9)), float(np.ceil(means.max() - 1e-9))
    if high - low < 2:
        low, high = max(1.0, low - 1), high + 1
    domain = [low, max(high, low + (distance or 0.0))]
    n = len(names)
    on_left = (n + 1) // 2
    top = 14 if distance is None else 46
    bars = [(float(means[g[0]]), float(means[g[-1]])) for g in groups if len(g) > 1]
    # A bar goes into the first line that has room for it.
    gap = (domain[1] - domain[0]) / 50
    lane = assign_lanes(bars, gap)
    first_line = top + 16 + 8 * (max(lane, default=-1) + 1)
    # The best and the worst system have the highest lines, so that no line crosses a name.
    line = [first_line + 18 * (place if place < on_left else n - 1 - place) for place in range(n)]
    left = np.arange(n) < on_left
    height = first_line + 18 * (on_left - 1) + 10

    look: Any = {"title": None, "grid": False, "tickMinStep": 1, "format": "d", "orient": "top"}
    x = make_x_encoder(domain, axis=alt.Axis(offset=-top, values=whole_ticks(*domain), **look))
    brief = abbreviate_labels(names)
    system: dict[str, Any] = {
        "system": names,
        "brief": brief,
        "rank": ranks,
        "mean_rank": means,
        "edge": np.where(left, domain[0], domain[1]),
        "axis": np.full(n, float(top)),
        "line": line,
    }
    tooltip = tooltip_fields("system:N", "rank", "mean_rank:.3f")
    lines = make_layer(system).encode(tooltip=tooltip).mark_rule(color=QUIET)
    layers = [
        lines.encode(x=x("mean_rank"), **y_encoding("axis", "line")),
        lines.encode(x=x("mean_rank"), x2=alt.X2(field="edge"), **y_encoding("line")),
    ]
    sides: list[tuple[slice, TextAlign, int]] = [
        (slice(on_left), "right", -6), (slice(on_left, n), "left", 6),
    ]  # fmt: skip
    for side, align, dx in sides[: min(n, 2)]:
        text = make_layer({key: value[side] for key, value in system.items()}).mark_text(
            align=align, dx=dx, color=INK, limit=280
        )
        layers.append(
            text.encode(
                x=x("edge"), **y_encoding("line"), **text_encoding("brief"), tooltip=tooltip
            )
        )
    lines = [float(top + 12 + 8 * place) for place in lane]
    several = [group for group in groups if len(group) > 1]
    together = [join_labels([names[place] for place in group], 5) for group in several]
    layers += _joints(means, several, lines, together, domain, x)
    if distance is not None:
        layers += _ruler_layers(distance, domain[0], x)
    text = "a bar joins systems that can't be told apart"
    more = "; a thin line passes over systems that are not in its group"
    return layer_charts(
        layers,
        width=520,
        height=height,
        title=_TITLE,
        subtitle=text + more * any(len(_runs(group)) > 1 for group in several),
        frame=False,
        left=brief[:on_left],
        right=brief[on_left:],
    )


def _joints(
    means: NDArray[np.float64],
    groups: list[list[int]],
    lines: list[float],
    together: list[str],
    domain: list[float],
    x: XEncoder,
) -> list[alt.Chart]:
    """Draw a bar for each group; it is thin, with dots on members, where it passes others."""
    inside = (domain[1] - domain[0]) / 200
    marks = []
    for group, line, members in zip(groups, lines, together, strict=True):
        runs = _runs(group)
        if len(runs) > 1:
            marks.append((1, means[group[0]], means[group[-1]], line, members))
        for first, last in runs:
            start, end, wide = means[first], means[last], 0
            if first < last:
                start, end, wide = max(start - inside, domain[0]), min(end + inside, domain[1]), 5
            marks.append((wide, start, end, line, members))
    table, layers = pd.DataFrame(marks, columns=["wide", "from", "to", "line", "together"]), []
    for wide in (1, 5, 0):
        rows = table[table["wide"] == wide]
        if rows.empty:
            continue
        layer = make_layer({name: rows[name].tolist() for name in rows.columns[1:]}).encode(
            x=x("from"), **y_encoding("line"), tooltip=tooltip_fields("together:N=not told apart")
        )
        layers.append(
            layer.mark_rule(strokeWidth=wide, color=LEADER).encode(x2=alt.X2(field="to"))
            if wide
            else layer.mark_circle(size=40, opacity=1, color=LEADER)
        )
    return layers


def _runs(group: list[int]) -> list[tuple[int, int]]:
    """Return the first and the last of each run of neighbors in a group."""
    breaks = [at for at in range(1, len(group)) if group[at] > group[at - 1] + 1]
    starts, ends = [0, *breaks], [*breaks, len(group)]
    return [(group[start], group[end - 1]) for start, end in zip(starts, ends, strict=True)]


def _ruler_layers(distance: float, start: float, x: XEncoder) -> list[alt.Chart]:
    """Draw the critical difference as a ruler over the axis."""
    end = start + distance
    texts = {"text": [f"critical difference {distance:.2f}"], "line": [14.0]}
    base = make_layer({"from": [start], "to": [end], **texts}).encode(
        x=x("from"), **y_encoding("line")
    )
    ticks = make_layer({"at": [start, end], "from": [9.0, 9.0], "to": [19.0, 19.0]})
    return [
        base.mark_rule(color=INK).encode(x2=alt.X2(field="to")),
        ticks.mark_rule(color=INK).encode(x=x("at"), **y_encoding("from", "to")),
        base.mark_text(color=INK, align="left", dy=-11).encode(**text_encoding("text")),
    ]
