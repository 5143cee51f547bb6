"""The look of all charts: on a light page, on a dark one, and on a page that changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import altair as alt

from nbrank.charts.palette import DARK_COLORS, FAINT, INK, PALETTE, PAPER, QUIET, SOFT
from nbrank.charts.text_metrics import wrap_text

#: These fonts are as wide as Arial; every system has one of them.
FONT = "Arial, 'Liberation Sans', Arimo, Helvetica, sans-serif"
#: Font sizes in pixels: of names and numbers, of other texts, of the title.
SMALL, TEXT, TITLE = 10, 12, 15

_WORDS = {
    "labelColor": INK,
    "labelFontSize": SMALL,
    "titleColor": SOFT,
    "titleFontSize": TEXT,
    "titleFontWeight": "normal",
}
_LINES = {"gridColor": FAINT, "domainColor": QUIET, "tickColor": QUIET, "labelFlush": False}
CONFIG: dict[str, Any] = {
    "background": PAPER,
    "font": FONT,
    "padding": 8,
    "view": {"stroke": None},
    "title": {
        "color": INK,
        "fontSize": TITLE,
        "anchor": "start",
        "frame": "bounds",
        "offset": 6,
        "subtitleColor": SOFT,
        "subtitleFontSize": TEXT,
        "subtitlePadding": 4,
    },
    "axis": _WORDS | _LINES,
    "legend": _WORDS,
    "header": {"labelColor": INK, "titleColor": SOFT, "labelFontSize": TEXT},
    "text": {"color": INK, "fontSize": SMALL},
    "range": {"category": list(PALETTE)},
}
_SVG = "image/svg+xml"
#: Parts of a chart that hold data, and no colors of the theme.
_UNTHEMED_KEYS = frozenset({"datasets", "domain", "text", "subtitle", "values"})


class _ThemedMixin:
    def to_dict(self, *args: Any, **options: Any) -> dict[str, Any]:
        """Write it for Vega-Lite, as Altair does, with the theme."""
        context = options.get("context") or {}
        spec: dict[str, Any] = super().to_dict(*args, **options)  # type: ignore[misc]
        return _themed_spec(spec) if context.get("top_level", True) else spec

    def _repr_mimebundle_(self, *args: Any, **options: Any) -> Any:
        """Show it as Altair does; as a picture, it goes by the page around it."""
        shown = super()._repr_mimebundle_(*args, **options)  # type: ignore[misc]
        if isinstance(shown, dict) and _SVG in shown:
            shown[_SVG] = add_dark_mode(shown[_SVG])
        return shown

    def save(self, fp: Any, *args: Any, **options: Any) -> None:
        """Save it as Altair does; an SVG goes by the page around it."""
        named = isinstance(fp, str | Path)
        kind = args[0] if args else options.get("format") or (named and Path(fp).suffix[1:])
        super().save(fp, *args, **options)  # type: ignore[misc]
        if kind == "svg" and named:
            Path(fp).write_text(add_dark_mode(Path(fp).read_text("utf-8")), "utf-8")


class Chart(_ThemedMixin, alt.LayerChart):
    """A chart in our theme, unless it is a part of another chart."""

    def properties(self, **options: Any) -> Chart:
        """Set properties as Altair does; a width is that of the whole, with names and title."""
        chart: Chart = super().properties(**options)
        if isinstance(options.get("width"), int | float):
            _fit_to_width(chart, options["width"], rewrap="title" not in options)
        return chart


def _fit_to_width(chart: Chart, width: float, *, rewrap: bool) -> None:
    """Fit a chart into a width in pixels: its plot gets narrower, its title has more lines."""
    chart.autosize = alt.AutoSizeParams(type="fit-x", contains="padding")
    # The invisible layer is left out, because it keeps more room for names and title than this
    # width has. It is nameless, because Altair links selections by the names of layers, also across
    # charts.
    chart.layer = [layer for layer in chart.layer if layer.to_dict()["mark"].get("opacity") != 0]
    if rewrap and isinstance(chart.title, alt.TitleParams):
        chart.title = title = chart.title.copy()
        room = width - 2 * CONFIG["padding"]
        for part, size, bold in (("text", TITLE, True), ("subtitle", TEXT, False)):
            lines = title[part]
            if lines is not alt.Undefined:
                text = lines if isinstance(lines, str) else " ".join(lines)
                title[part] = wrap_text(text, room, size, bold=bold)


class Panels(_ThemedMixin, alt.ConcatChart):
    """Charts side by side in our theme."""


#: Key in the specification of a chart of charts -> the class of such a chart.
_COMPOUND_CHARTS: dict[str, Any] = {
    "layer": alt.LayerChart,
    "facet": alt.FacetChart,
    "repeat": alt.RepeatChart,
    "concat": alt.ConcatChart,
    "hconcat": alt.HConcatChart,
    "vconcat": alt.VConcatChart,
}


def apply_theme(chart: alt.TopLevelMixin, *, dark: bool = False) -> alt.TopLevelMixin:
    """Draw a chart in the theme of this library, for a light page or a dark one.

    Parameters
    ----------
    chart
        A chart of this library, several of them side by side, or any other chart of Altair.
    dark
        True for light text on a dark ground.

    Returns
    -------
    altair.TopLevelMixin
        The same chart, to be shown or saved.

    Examples
    --------
    >>> from nbrank import charts
    >>> from nbrank.datasets import load_toy_votes
    >>> chart = charts.apply_theme(charts.scores(load_toy_votes()), dark=True)
    >>> chart.to_dict()["config"]["background"]
    '#0d1117'
    """
    # Altair checks the chart when it writes it; a second check takes far longer than drawing.
    spec = _themed_spec(chart.to_dict())
    kind = next((drawn for part, drawn in _COMPOUND_CHARTS.items() if part in spec), alt.Chart)
    themed: alt.TopLevelMixin = kind.from_dict(
        _replace_colors(spec, DARK_COLORS.get) if dark else spec, validate=False
    )
    return themed


def add_dark_mode(svg: str) -> str:
    """Let a drawing, ground and all, turn dark where its page is, as far as the viewer can."""
    turned = "".join(
        f"[{part}='{light}']{{{part}:{dark}}}"
        for light, dark in DARK_COLORS.items()
        if light in svg
        for part in ("fill", "stroke")
    )
    style = f"<style>@media (prefers-color-scheme:dark){{{turned}}}</style>"
    return svg.replace("</svg>", f"{style}</svg>")


def _themed_spec(spec: dict[str, Any]) -> dict[str, Any]:
    """Return the chart's specification with our theme where the chart itself says nothing."""
    own = spec.get("config", {})
    options = {
        key: part for key, part in own.items() if key != "view" or "continuousWidth" not in part
    }
    merged = {
        key: {**CONFIG[key], **part} if isinstance(CONFIG.get(key), dict) else part
        for key, part in options.items()
    }
    return {**spec, "config": {**CONFIG, **merged}}


def _replace_colors(part: Any, colour: Callable[[str], str | None]) -> Any:
    """Replace our colors by others; data and the names of a scale stay as they are."""
    if isinstance(part, str):
        return colour(part) or part
    if isinstance(part, list):
        return [_replace_colors(item, colour) for item in part]
    if not isinstance(part, dict):
        return part
    return {
        key: value
        if key in _UNTHEMED_KEYS and not isinstance(value, dict)
        else _replace_colors(value, colour)
        for key, value in part.items()
    }
