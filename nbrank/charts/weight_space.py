"""Draw who wins at each weighting of three groups."""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal

import altair as alt
import numpy as np
import pandas as pd

from nbrank.charts.axes import check_columns, label_expression, layer_charts
from nbrank.charts.layers import make_layer, nominal, quantitative, text_encoding, tooltip_fields
from nbrank.charts.palette import FAINT, INK, PALETTE, QUIET
from nbrank.findings.labels import DisplayNames, unique_label_texts
from nbrank.votes.formatting import format_labels

#: Cell of a point in a triangular grid. Such cells cover the plane once, so that no cell is hidden
#: by a neighbor that is drawn later.
_HEXAGON = "M0,-1L0.866,-0.5L0.866,0.5L0,1L-0.866,0.5L-0.866,-0.5Z"

#: Position of each group's corner.
_CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]])


def weight_map(weightings: pd.DataFrame) -> alt.LayerChart:
    """Draw a triangle of weightings of three groups, coloured by who wins at each.

    Parameters
    ----------
    weightings
        The weightings and their winners as `nbrank.weight_map` returns them.

    Returns
    -------
    altair.LayerChart
        A cell for each weighting: a corner gives one group all the weight,
        the middle gives each a third. Grey cells have several winners, pale ones
        none.

    Raises
    ------
    TypeError, ValueError
        If the frame has other columns, or not the weights of three groups.

    Examples
    --------
    >>> import pandas as pd
    >>> import nbrank
    >>> scores = pd.DataFrame(
    ...     {"speed": [3, 2, 1], "strength": [1, 3, 2], "skill": [2, 1, 3]}, list("ABC")
    ... )
    >>> chart = weight_map(nbrank.weight_map(scores, groups={g: [g] for g in scores}))
    """
    source = "nbrank.weight_map(scores, rule)"
    check_columns("weight_map", weightings, ["winners"], source)
    groups = [column for column in weightings.columns if column != "winners"]
    if len(groups) != 3 or any(weightings[group].dtype.kind != "f" for group in groups):
        raise ValueError(
            f"charts.weight_map draws what {source} returns, with the weights of three groups "
            f"and the winners; this frame has {format_labels(groups) or 'none'}"
        )
    weights, titles = weightings[groups].to_numpy(), unique_label_texts(groups)
    x, y = (weights @ _CORNERS).T
    results = [tuple(systems) for systems in weightings["winners"]]
    counts = Counter(systems[0] for systems in results if len(systems) == 1)
    shown = [system for system, _ in counts.most_common(len(PALETTE) - 1)]
    name = DisplayNames.from_labels(
        dict.fromkeys(system for systems in dict.fromkeys(results) for system in systems)
    )
    # Colors depend on numbers, because a system may be called like another entry of the legend.
    entries = [(name.short[system], PALETTE[number]) for number, system in enumerate(shown)]
    entries += [("another system", INK), ("several systems", QUIET), ("nobody", FAINT)]
    another, several, nobody = range(len(shown), len(entries))
    numbers: dict[tuple[Any, ...], int] = {(): nobody}
    numbers |= {(system,): number for number, system in enumerate(shown)}
    drawn = [numbers.get(won, another if len(won) == 1 else several) for won in results]
    domain = sorted(set(drawn))
    texts = {
        won: ", ".join(name.full[system] for system in won) or "nobody"
        for won in dict.fromkeys(results)
    }
    data = {
        "x": x.round(6),
        "y": y.round(6),
        "winner": drawn,
        "winners": [texts[systems] for systems in results],
        **{f"weight {place}": weights[:, place].round(3) for place in range(3)},
    }
    side = 440
    # Distance between neighboring weightings, in pixels and along the side of length 1.
    step = side * min(float(weights[weights > 0].min()), 1 / 8)
    beyond = 0.03 + step / side / np.sqrt(3)
    observed: dict[str, Any] = {
        "x": alt.X(**quantitative("x"), scale=alt.Scale(domain=[-0.15, 1.15]), axis=None),
        "y": alt.Y(**quantitative("y"), scale=alt.Scale(domain=[-0.1, 1.0]), axis=None),
    }
    legend = alt.Legend(
        title="who wins",
        # The legend is below, so that a page has room for sliders next to the triangle.
        orient="bottom",
        columns=2,
        labelLimit=280,
        labelExpr=label_expression({number: entries[number][0] for number in domain}),
    )
    colours = alt.Scale(domain=domain, range=[entries[number][1] for number in domain])
    points = make_layer(data).encode(
        **observed,
        color=alt.Color(**nominal("winner"), scale=colours, legend=legend),
        tooltip=tooltip_fields(
            "winners:N", *(f"weight {place}={group}" for place, group in enumerate(titles))
        ),
    )
    size = 1.12 * step**2 * 4 / 3
    points = points.mark_point(shape=_HEXAGON, size=size, filled=True, opacity=1)
    labels = []
    # On the left a name begins at the edge, and on the right it ends there, so that it stays
    # inside.
    sides: list[tuple[Literal["left", "center", "right"], float]] = [
        ("left", -0.14 * side), ("right", 0.14 * side), ("center", 0.0),
    ]  # fmt: skip
    for place, (align, dx) in enumerate(sides):
        low = beyond if place == 2 else -beyond
        (right, above), group = _CORNERS[place], titles[place]
        corner = make_layer({"x": [right], "y": [above + low], "group": [group]})
        label = corner.mark_text(align=align, dx=dx, color=INK, fontWeight="bold", limit=270)
        labels.append(label.encode(**observed, **text_encoding("group")))
    return layer_charts(
        [points, *labels],
        width=side * 1.3,
        height=side * 1.1,
        title=_weight_map_title([name.short[system] for system in shown], counts, results),
        subtitle="a corner gives that group all the weight, the middle a third to each",
        frame=False,
    )


def _weight_map_title(
    names: list[str], counts: Counter[Any], winners: list[tuple[Any, ...]]
) -> str:
    """Say which system wins most often, and at which share of the weightings."""
    if not names:
        return "No system wins alone at any weighting"
    share = counts.most_common(1)[0][1] / len(winners)
    if share == 1:
        return f"{names[0]} wins at every weighting"
    # A share is never rounded to 0 or 100 percent.
    percent = min(99, max(1, round(100 * share)))
    return f"{names[0]} wins at {percent} % of the weightings"
