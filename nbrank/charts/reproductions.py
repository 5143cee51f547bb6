"""Draw which figures of a paper come out."""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from nbrank.charts.axes import RowGrid, check_columns
from nbrank.charts.layers import nominal, text_encoding, tooltip_fields
from nbrank.charts.palette import BASE_COLORS, INK, PAPER
from nbrank.charts.text_metrics import max_text_width
from nbrank.charts.theme import SMALL

_COLOURS = {"exact": "green", "within rounding": "orange", "differs": "looked_at"}


def reproduction(figures: pd.DataFrame) -> alt.LayerChart:
    """Draw which figures of a paper come out, and by how much the others differ.

    Parameters
    ----------
    figures
        Printed figures beside one's own, as `nbrank.experiments.reproduction` returns them.

    Returns
    -------
    altair.LayerChart
        The printed table: each cell holds the printed figure, with one's own behind an arrow where
        it is not the same; the colour says whether it came out. What is not legible in print is
        left blank.

    Raises
    ------
    TypeError, ValueError
        If it is not such a frame.

    Examples
    --------
    >>> from nbrank.datasets import load_published
    >>> from nbrank.experiments import reproduction as compared
    >>> printed = load_published("vote_n_rank", "table 1")
    >>> chart = reproduction(compared(printed, printed["published"].unstack()))
    """
    source = "nbrank.experiments.reproduction(published, ours)"
    check_columns("reproduction", figures, ["published", "ours", "digits", "status"], source)
    rows, columns = (list(dict.fromkeys(figures.index.get_level_values(i))) for i in (0, 1))
    sentences = [
        _cell_text(*cell) for cell in figures[["published", "ours", "digits", "status"]].to_numpy()
    ]
    data = {
        "row": figures.index.get_level_values(0),
        "column": figures.index.get_level_values(1),
        "figures": sentences,
        "status": figures["status"],
    }
    table = RowGrid(rows, columns, 22, max(max_text_width(sentences, SMALL) + 12, 56))
    base = table.place_layer(data, "row", "column").encode(tooltip=tooltip_fields(*data))
    lights = [BASE_COLORS[colour][0] for colour in _COLOURS.values()]
    colour = alt.Scale(domain=list(_COLOURS), range=lights)
    legend = alt.Legend(title=None, orient="bottom")
    cells = base.mark_rect(stroke=PAPER, fillOpacity=0.3).encode(
        color=alt.Color(**nominal("status"), scale=colour, legend=legend)
    )
    return table.chart(
        [cells, base.mark_text(color=INK, fontSize=SMALL).encode(**text_encoding("figures"))],
        f"{(figures['status'] == 'exact').sum()} of {len(figures)} printed figures come out",
        "in a cell the printed figure; behind an arrow ours, where it is another",
    )


def _cell_text(published: Any, ours: Any, digits: int, status: str) -> str:
    if digits < 0:
        return f"{published}" if status == "exact" else f"{published} → {ours}"
    printed = f"{published:.{digits}f}"
    # One digit more than in print shows the distance; whole numbers don't have one.
    more = digits + (ours % 1 > 0)
    return printed if status == "exact" else f"{printed} → {ours:.{more}f}"
