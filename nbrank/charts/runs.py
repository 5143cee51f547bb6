"""Draw what the runs of an experiment found."""

from __future__ import annotations

import altair as alt
import pandas as pd

from nbrank.charts.axes import layered, nominal, quantitative, tip
from nbrank.charts.colours import PALETTE
from nbrank.charts.data import checked_at_the_end, layer_of
from nbrank.charts.frames import require
from nbrank.charts.names import in_percent, in_words, names_of
from nbrank.votes.naming import named


@checked_at_the_end
def robustness(
    results: pd.DataFrame,
    x: str,
    y: str = "kendall_tau",
    by: str = "rule",
    band: tuple[float, float] = (0.1, 0.9),
) -> alt.LayerChart:
    """Draw how a measure falls as an experiment gets harder: a line and a band for each rule.

    Parameters
    ----------
    results
        A row for each repetition, as the functions of `nbrank.experiments`
        return them.
    x
        The column of the setting.
    y
        The column of the measure.
    by
        The column that parts the lines.
    band
        The quantiles over the repetitions between which the band lies.

    Returns
    -------
    altair.LayerChart
        A line for each rule at the mean over the repetitions, and a band
        between the two quantiles.

    Raises
    ------
    TypeError, ValueError
        If it is no frame, if a column isn't there or holds no numbers, or if
        the band is not two quantiles.

    Examples
    --------
    >>> frame = pd.DataFrame({"rule": ["a"] * 4, "eta": [0, 0, 1, 1], "kendall_tau": [1, 1, 0, 1]})
    >>> chart = robustness(frame, "eta")
    """
    # Of several runs side by side, rows may have the same label.
    given: object = results
    rows = given.reset_index(drop=True) if isinstance(given, pd.DataFrame) else given
    require("robustness", rows, [], "a function of nbrank.experiments")
    there = list(results.columns)
    for argument, column in (("x", x), ("y", y), ("by", by)):
        if column not in there:
            raise ValueError(
                f"charts.robustness: {argument}={column!r} is no column of the results; choose "
                f"from {named(there)}"
            )
    for argument, column in (("x", x), ("y", y)):
        try:
            pd.to_numeric(results[column])
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"charts.robustness: {argument}={column!r} holds no numbers, so it has no axis"
            ) from error
    try:
        low, high = band
        ordered = 0 <= low <= high <= 1
    except (TypeError, ValueError):
        ordered = False
    if not ordered:
        raise ValueError(f"charts.robustness: band={band!r} must be two quantiles, low then high")
    grouped = results.groupby([by, x], sort=False)[y]
    summary = grouped.agg(
        mean="mean", low=lambda v: v.quantile(band[0]), high=lambda v: v.quantile(band[1])
    )
    parts = summary.index.get_level_values(0)
    kinds = parts.unique()
    labels = names_of(kinds)
    name = dict(zip(kinds, labels, strict=True))
    data = {
        "by": [name[part] for part in parts],
        "setting": summary.index.get_level_values(1),
        **{column: summary[column] for column in ("mean", "low", "high")},
    }
    # One legend for colour and dash: colours come again after seven rules, dashes after five. It is
    # as strong as the lines, not as faint as the bands.
    legend = alt.Legend(
        title=by,
        labelLimit=240,
        symbolType="stroke",
        symbolOpacity=1,
        symbolStrokeWidth=2,
        symbolSize=300,
    )
    colours = [PALETTE[place % len(PALETTE)] for place in range(len(labels))]
    scale = alt.Scale(domain=labels, range=colours)
    colour = alt.Color(**nominal("by"), scale=scale, legend=legend)
    dash = alt.StrokeDash(**nominal("by"), scale=alt.Scale(domain=labels), legend=legend)
    # Half a task is no setting: a few whole numbers get ticks where something was measured. (Over a
    # longer range ticks fall on whole numbers anyway.)
    settings = sorted(results[x].dropna().unique().tolist())
    few = pd.api.types.is_integer_dtype(results[x]) and settings[-1] - settings[0] <= 12
    axis = alt.Axis(values=settings, format="d") if few else alt.Undefined
    base = layer_of(data).encode(
        x=alt.X(**quantitative("setting"), title=x, axis=axis), color=colour
    )
    area = base.mark_area(opacity=0.15 * min(1, 7 / len(labels))).encode(
        y=alt.Y(**quantitative("low"), title=y), y2=alt.Y2(field="high")
    )
    start, end = (in_percent(at, 6) for at in band)
    line = base.mark_line(point=True).encode(
        y=alt.Y(**quantitative("mean"), title=y, scale=alt.Scale(zero=False)),
        tooltip=[
            tip("by:N", by),
            tip("setting", x),
            tip("mean:.3f", f"mean {y}"),
            tip("low:.3f", f"{start} quantile"),
            tip("high:.3f", f"{end} quantile"),
        ],
        strokeDash=dash,
    )
    return layered(
        [area, line],
        width=360,
        height=260,
        title=f"Mean {in_words(y)} by {in_words(x)}",
        subtitle=f"the band: between the {start} and the {end} quantile of the repetitions",
    )
