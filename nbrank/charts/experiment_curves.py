"""Draw what the runs of an experiment found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

import altair as alt
import pandas as pd

from nbrank.charts.axes import WIDEST_FONT, check_columns, layer_charts
from nbrank.charts.layers import make_layer, nominal, quantitative, tooltip_fields
from nbrank.charts.palette import FAMILY_COLORS, PALETTE
from nbrank.charts.text_metrics import max_text_width, wrap_text
from nbrank.charts.theme import SMALL, TEXT, TITLE, Panels
from nbrank.findings.labels import format_percent, rule_title, unique_label_texts
from nbrank.rules.registry import RULES
from nbrank.votes.formatting import format_labels, pluralize

#: Titles of the columns of experiments; a part in brackets is for the axis only.
_COLUMN_TITLES = {
    "kendall_tau": "Kendall's tau (1: the same order)",
    "kept": "number of tasks kept",
    "systems": "number of systems kept",
    "share": "share of the scores removed",
    "corrupted": "number of corrupted tasks",
    "factor": "factor on one task's scores",
}
#: Minimum number of repetitions for which quantiles are drawn.
_MIN_BAND_REPETITIONS = 5
#: Ratio of the last to the first setting from which on an axis is logarithmic.
_LOG_RATIO = 30


def robustness(
    results: pd.DataFrame | Mapping[str, pd.DataFrame],
    x: str,
    y: str = "kendall_tau",
    *,
    by: str = "rule",
    band: tuple[float, float] = (0.1, 0.9),
) -> alt.LayerChart | alt.ConcatChart:
    """Draw how a measure falls as an experiment gets harder: a line and a band for each rule.

    Parameters
    ----------
    results
        A row for each repetition, as the functions of `nbrank.experiments` return them; or several
        such frames by their names, which are drawn side by side, on the same axes.
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
    altair.LayerChart or altair.ConcatChart
        A line for each rule at the mean over the repetitions, and a band
        between the two quantiles, if each setting was repeated five times or
        more. Settings that span a wide range stand on an axis of powers.

    Raises
    ------
    TypeError, ValueError
        If it is no frame, if a column isn't there or holds no numbers, or if
        the band is not two quantiles.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"rule": ["a"] * 4, "eta": [0, 0, 1, 1], "kendall_tau": [1, 1, 0, 1]})
    >>> chart = robustness(frame, "eta")
    >>> both = robustness({"before": frame, "after": frame}, "eta")
    """
    if not isinstance(results, Mapping):
        return _draw_panel(_validate_results(results, x, y, by, band), x, y, by, band)
    if not results:
        raise ValueError("charts.robustness: the mapping is empty; give a frame for each name")
    frames = {name: _validate_results(frame, x, y, by, band) for name, frame in results.items()}
    columns = min(len(frames), 3)
    panels = [
        _draw_panel(frame, x, y, by, band, f"{name}", small=True, first=place % columns == 0)
        for place, (name, frame) in enumerate(frames.items())
    ]
    wide = 230.0 * columns
    notes = dict.fromkeys(_repetitions_note(frame, x, y, by, band) for frame in frames.values())
    below = wrap_text("; ".join(filter(None, notes)), wide, TEXT)
    heading = alt.TitleParams(wrap_text(_title(x, y), wide, TITLE, bold=True), subtitle=below)
    together = Panels(concat=panels, columns=columns, title=heading)
    shared: dict[str, Any] = dict.fromkeys(("x", "y", "color", "strokeDash"), "shared")
    drawn: alt.ConcatChart = together.resolve_scale(**shared)
    return drawn


def _validate_results(
    results: pd.DataFrame, x: str, y: str, by: str, band: tuple[float, float]
) -> pd.DataFrame:
    """Return the checked results with numbered rows, because several runs may have equal rows."""
    rows = results
    if isinstance(cast("object", results), pd.DataFrame):
        rows = results.reset_index(drop=True)
    check_columns("robustness", rows, [], "a function of nbrank.experiments")
    observed = list(rows.columns)
    for argument, column in (("x", x), ("y", y), ("by", by)):
        if column not in observed:
            raise ValueError(
                f"charts.robustness: {argument}={column!r} is not a column of the results; choose "
                f"from {format_labels(observed)}"
            )
        try:
            if argument != "by":
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
    return rows


def _draw_panel(
    results: pd.DataFrame,
    x: str,
    y: str,
    by: str,
    band: tuple[float, float],
    name: str = "",
    *,
    small: bool = False,
    first: bool = True,
) -> alt.LayerChart:
    """Draw one chart of lines and bands; among small ones only the first has an axis title."""
    grouped = results.groupby([by, x], sort=False)[y]
    summary = grouped.agg(
        mean="mean", low=lambda v: v.quantile(band[0]), high=lambda v: v.quantile(band[1])
    )
    parts = summary.index.get_level_values(0)
    kinds = parts.unique()
    of_rules = set(kinds) <= RULES.keys()
    labels = [rule_title(kind) for kind in kinds] if of_rules else unique_label_texts(kinds)
    called = dict(zip(kinds, labels, strict=True))
    data = {
        "by": [called[part] for part in parts],
        "setting": summary.index.get_level_values(1),
        **{column: summary[column] for column in ("mean", "low", "high")},
    }
    # Color and dash share one legend, because colors repeat after seven lines and dashes after
    # five. Its symbols are as strong as the lines, and not as faint as the bands.
    symbol: Any = {"symbolType": "stroke", "symbolOpacity": 1, "symbolStrokeWidth": 2}
    legend = alt.Legend(title=None, labelLimit=240, symbolSize=300, **symbol)
    # The first two colors belong to the mean and to Borda; lines that aren't rules begin after
    # them.
    first_colour = 0 if by == "rule" else 2
    colours = [PALETTE[(first_colour + at) % len(PALETTE)] for at in range(len(labels))]
    if of_rules:
        colours = [FAMILY_COLORS[RULES[kind].family] for kind in kinds]
    scale = alt.Scale(domain=labels, range=colours)
    colour = alt.Color(**nominal("by"), scale=scale, legend=legend)
    dash = alt.StrokeDash(**nominal("by"), scale=alt.Scale(domain=labels), legend=legend)
    base = make_layer(data).encode(x=_setting_axis(results[x], x), color=colour)
    title = _column_title(y) if first else ""
    if small:  # a small chart has no room for the part in brackets
        title = title.partition(" (")[0]
    start, end = (format_percent(at, 6) for at in band)
    lines = base.mark_line(point=True).encode(
        y=alt.Y(**quantitative("mean"), title=title, scale=alt.Scale(zero=False)),
        tooltip=tooltip_fields(
            f"by:N={by}",
            f"setting={_column_title(x)}",
            f"mean:.3f=mean {rule_title(y)}",
            f"low:.3f={start} quantile",
            f"high:.3f={end} quantile",
        ),
        strokeDash=dash,
    )
    layers = [lines]
    if grouped.size().min() >= _MIN_BAND_REPETITIONS:
        area = base.mark_area(opacity=0.15 * min(1, 7 / len(labels)))
        range_ = alt.Y(**quantitative("low"), title=title)
        layers.insert(0, area.encode(y=range_, y2=alt.Y2(field="high")))
    return layer_charts(
        layers,
        width=210 if small else 360,
        height=170 if small else 260,
        title=name or _title(x, y),
        subtitle="" if small else _repetitions_note(results, x, y, by, band),
        # The legend of several charts stands next to all of them and needs no room in each.
        beyond=0.0 if small else _legend_width(labels),
    )


def _column_title(column: str) -> str:
    return _COLUMN_TITLES.get(column, rule_title(column))


def _title(x: str, y: str) -> str:
    short = _column_title(y).partition(" (")[0]
    return f"{short[0].upper()}{short[1:]} by {_column_title(x)}"


def _legend_width(labels: Iterable[str]) -> float:
    """Return the width in pixels of a legend on the right of a chart."""
    return 60 + WIDEST_FONT * max_text_width(labels, SMALL)


def _repetitions_note(
    results: pd.DataFrame, x: str, y: str, by: str, band: tuple[float, float]
) -> str:
    """Say what the band is, or of how many repetitions the lines are means."""
    fewest = int(results.groupby([by, x])[y].size().min())
    if fewest >= _MIN_BAND_REPETITIONS:
        start, end = (format_percent(at, 6) for at in band)
        return f"the band: between the {start} and the {end} quantile of the repetitions"
    return f"the mean of {pluralize(fewest, 'repetition')}" if fewest > 1 else ""


def _setting_axis(found: pd.Series, x: str) -> alt.X:
    """Make the axis of the settings."""
    settings = sorted(found.dropna().unique().tolist())
    axis: Any = alt.Undefined
    scale: Any = alt.Undefined
    if len(settings) > 2 and settings[0] > 0 and settings[-1] >= _LOG_RATIO * settings[0]:
        scale = alt.Scale(type="log", nice=False)
        axis = alt.Axis(values=settings, format="~g", labelOverlap=True)
    elif x == "share":
        axis = alt.Axis(format="%")
    elif pd.api.types.is_integer_dtype(found) and settings[-1] - settings[0] <= 12:
        # A few whole numbers get ticks at the measured settings, because half a task isn't a
        # setting. (Over a longer range, ticks are at whole numbers anyway.)
        axis = alt.Axis(values=settings, format="d")
    return alt.X(**quantitative("setting"), title=_column_title(x), axis=axis, scale=scale)
