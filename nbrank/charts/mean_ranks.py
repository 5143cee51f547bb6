"""Draw mean ranks and critical differences: Demsar's diagram."""

from __future__ import annotations

from typing import Any, Literal

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.charts.axes import Across, Table, across, lanes, layered, whole_ticks
from nbrank.charts.channels import down, saying, tips
from nbrank.charts.colours import INK, LEADER, QUIET
from nbrank.charts.data import checked_at_the_end, layer_of
from nbrank.charts.frames import require
from nbrank.findings.names import in_brief, listed, names_of
from nbrank.rules.ranking import in_order
from nbrank.votes.options import real_number

#: Up to so many systems stand to both sides of one axis of mean ranks; more get a row each.
_MOST_ON_AN_AXIS = 24
_TITLE = "Mean ranks over the tasks (1 is best)"
Side = Literal["left", "right"]


@checked_at_the_end
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
        Up to 24 systems stand to the left (the better half) and to the right of one axis of mean
        ranks, and a thick bar joins those of a group. More systems have a row each, with a bar from
        the best to the worst system of their groups.

    Raises
    ------
    TypeError, ValueError
        If it is no such frame, or the distance is not above 0.

    References
    ----------
    Demsar, Statistical comparisons of classifiers over multiple data sets, 2006, figure 1.

    Examples
    --------
    >>> import nbrank
    >>> from nbrank.datasets import load_toy_votes
    >>> found = nbrank.critical_difference(load_toy_votes())
    >>> chart = critical_difference(found, found.attrs["critical_difference"])
    """
    needed = ["rank", "mean_rank", "groups"]
    require("critical_difference", found, needed, "nbrank.critical_difference(scores)")
    name = "charts.critical_difference"
    if distance is not None and not real_number(name, "distance", distance) > 0:
        raise ValueError(f"{name}: distance={distance!r} must be above 0")
    table = in_order(found, "rank", "mean_rank")
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
    gap = (domain[1] - domain[0]) / 50
    lane = lanes(bars, gap)
    first_line = top + 16 + 8 * (max(lane, default=-1) + 1)
    # From the outside in, so that no line crosses a name: the best and the worst stand highest.
    line = [first_line + 18 * (place if place < on_left else n - 1 - place) for place in range(n)]
    left = np.arange(n) < on_left
    height = first_line + 18 * (on_left - 1) + 10

    look: Any = {"title": None, "grid": False, "tickMinStep": 1, "format": "d"}
    x = across(
        domain, axis=alt.Axis(orient="top", offset=-top, values=whole_ticks(*domain), **look)
    )
    brief = in_brief(names)
    system = {
        "system": names,
        "brief": brief,
        "rank": ranks,
        "mean_rank": means,
        "edge": np.where(left, domain[0], domain[1]),
        "axis": np.full(n, float(top)),
        "line": line,
    }
    tooltip = tips("system:N", "rank", "mean_rank:.3f")
    lines = layer_of(system).encode(tooltip=tooltip).mark_rule(color=QUIET)
    layers = [
        lines.encode(x=x("mean_rank"), **down("axis", "line")),
        lines.encode(x=x("mean_rank"), x2=alt.X2(field="edge"), **down("line")),
    ]
    sides: list[tuple[NDArray[np.bool_], Side, int]] = [(left, "right", -6), (~left, "left", 6)]
    for side, align, dx in sides:
        if side.any():
            picked = layer_of({key: np.asarray(value)[side] for key, value in system.items()})
            text = picked.mark_text(align=align, dx=dx, color=INK, limit=280).encode(x=x("edge"))
            layers.append(text.encode(**down("line"), **saying("brief"), tooltip=tooltip))
    if bars:
        inside = gap / 4
        several = [group for group in groups if len(group) > 1]
        joints = layer_of(
            {
                "from": [max(start - inside, domain[0]) for start, _ in bars],
                "to": [min(end + inside, domain[1]) for _, end in bars],
                "line": [float(top + 12 + 8 * place) for place in lane],
                "together": [listed([names[place] for place in g], 5) for g in several],
            }
        ).mark_rule(strokeWidth=5, color=LEADER)
        joined = joints.encode(x=x("from"), x2=alt.X2(field="to"), **down("line"))
        layers.append(joined.encode(tooltip=tips("together:N=not told apart")))
    if distance is not None:
        layers += _ruler(distance, domain[0], x)
    return layered(
        layers,
        width=520,
        height=height,
        title=_TITLE,
        subtitle="a bar joins systems that can't be told apart",
        frame=False,
        left=brief[:on_left],
        right=brief[on_left:],
    )


def _ruler(distance: float, start: float, x: Across) -> list[alt.Chart]:
    """The critical difference as a ruler over the axis."""
    end = start + distance
    said = {"text": [f"critical difference {distance:.2f}"], "line": [14.0]}
    base = layer_of({"from": [start], "to": [end], **said}).encode(x=x("from"), **down("line"))
    ticks = layer_of({"at": [start, end], "from": [9.0, 9.0], "to": [19.0, 19.0]})
    return [
        base.mark_rule(color=INK).encode(x2=alt.X2(field="to")),
        ticks.mark_rule(color=INK).encode(x=x("at"), **down("from", "to")),
        base.mark_text(color=INK, align="left", dy=-11).encode(**saying("text")),
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
    table = Table(names)
    x = table.numbers("mean rank (1 is best)", _mean_rank_domain(means, distance), orient="top")
    data = {
        "rank": ranks,
        "mean_rank": means,
        "from": means[first],
        "to": means[last],
        "best": [names[place] for place in first],
        "worst": [names[place] for place in last],
    }
    shown = tips("rank", "mean_rank:.3f", "best:N=not told from those from", "worst:N=to")
    bars = table.bars(data, x, ("from", "to", "mean_rank"), shown)
    ruler = "" if distance is None else f"; the critical difference is {distance:.2f}"
    said = f"a bar reaches over the systems that can't be told from its own{ruler}"
    return table.chart(bars, _TITLE, said, 520)
