"""The look of all charts: on a light page, on a dark one, and on a page that changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import altair as alt

from nbrank.charts.colours import FAINT, INK, ON_DARK, PALETTE, PAPER, QUIET, SOFT

#: As wide as Arial, on every system that has one of them.
FONT = "Arial, 'Liberation Sans', Arimo, Helvetica, sans-serif"
#: The sizes of letters, in pixels: of names and numbers, of the words around, of the title.
SMALL, TEXT, TITLE = 10, 12, 15

CONFIG: dict[str, Any] = {
    "background": PAPER,
    "font": FONT,
    "padding": 8,
    "view": {"stroke": None},
    "title": {
        "color": INK,
        "fontSize": TITLE,
        "subtitleColor": SOFT,
        "subtitleFontSize": TEXT,
        "subtitlePadding": 4,
        "anchor": "start",
        "frame": "bounds",
        "offset": 6,
    },
    "axis": {
        "labelColor": INK,
        "labelFontSize": SMALL,
        "titleColor": SOFT,
        "titleFontSize": TEXT,
        "titleFontWeight": "normal",
        "gridColor": FAINT,
        "domainColor": QUIET,
        "tickColor": QUIET,
        "labelFlush": False,
    },
    "legend": {
        "labelColor": INK,
        "labelFontSize": SMALL,
        "titleColor": SOFT,
        "titleFontSize": TEXT,
        "titleFontWeight": "normal",
    },
    "header": {"labelColor": INK, "titleColor": SOFT, "labelFontSize": TEXT},
    "text": {"color": INK, "fontSize": SMALL},
    "range": {"category": list(PALETTE)},
}
_SVG = "image/svg+xml"
#: Parts of a chart that hold words and numbers of what is drawn.
_AS_IT_IS = frozenset({"datasets", "domain", "text", "subtitle", "values"})


class _InTheme:
    def to_dict(self, *args: Any, **options: Any) -> dict[str, Any]:
        """Write it for Vega-Lite, as Altair does, with the theme."""
        context = options.get("context") or {}
        spec: dict[str, Any] = super().to_dict(*args, **options)  # type: ignore[misc]
        return _in_theme(spec) if context.get("top_level", True) else spec

    def _repr_mimebundle_(self, *args: Any, **options: Any) -> Any:
        """Show it as Altair does; as a picture, it goes by the page around it."""
        shown = super()._repr_mimebundle_(*args, **options)  # type: ignore[misc]
        if isinstance(shown, dict) and _SVG in shown:
            shown[_SVG] = light_and_dark(shown[_SVG])
        return shown

    def save(self, fp: Any, *args: Any, **options: Any) -> None:
        """Save it as Altair does; an SVG goes by the page around it."""
        named = isinstance(fp, str | Path)
        kind = args[0] if args else options.get("format") or (named and Path(fp).suffix[1:])
        super().save(fp, *args, **options)  # type: ignore[misc]
        if kind == "svg" and named:
            Path(fp).write_text(light_and_dark(Path(fp).read_text("utf-8")), "utf-8")


class Chart(_InTheme, alt.LayerChart):
    """A chart in our theme, unless it is a part of another chart."""


class Panels(_InTheme, alt.ConcatChart):
    """Charts side by side in our theme."""


def themed(chart: alt.TopLevelMixin, *, dark: bool = False) -> alt.TopLevelMixin:
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
    >>> chart = charts.themed(charts.scores(load_toy_votes()), dark=True)
    >>> chart.to_dict()["config"]["background"]
    '#0d1117'
    """
    written: dict[str, Any] = chart.to_dict()
    spec = _in_theme(written)
    drawn: alt.TopLevelMixin = alt.Chart.from_dict(_recoloured(spec, ON_DARK.get) if dark else spec)
    return drawn


def following(spec: dict[str, Any]) -> dict[str, Any]:
    """Write a chart that turns light or dark as the element around it is, by its `color-scheme`."""
    both = {light: f"light-dark({light}, {dark})" for light, dark in ON_DARK.items()}
    found: dict[str, Any] = _recoloured(spec, both.get)
    found["config"] = {**found.get("config", {}), "background": "transparent"}
    return found


def light_and_dark(svg: str) -> str:
    """Let a drawing, ground and all, turn dark where its page is, as far as the viewer can."""
    turned = "".join(
        f"[{part}='{light}']{{{part}:{dark}}}"
        for light, dark in ON_DARK.items()
        if light in svg
        for part in ("fill", "stroke")
    )
    style = f"<style>@media (prefers-color-scheme:dark){{{turned}}}</style>"
    return svg.replace("</svg>", f"{style}</svg>")


#: For a page around charts that follow it: where such pages say that they are dark.
STYLE = (
    "[data-jp-theme-light=true] .nbrank, [data-theme=light] .nbrank, .vscode-light .nbrank"
    " {color-scheme: light} "
    "[data-jp-theme-light=false] .nbrank, [data-theme=dark] .nbrank, .vscode-dark .nbrank,"
    " .vscode-high-contrast .nbrank, [data-md-color-scheme=slate] .nbrank {color-scheme: dark}"
)


def _in_theme(spec: dict[str, Any]) -> dict[str, Any]:
    """The theme, but for what the chart says itself; not Altair's own, of which it says nothing."""
    own = spec.get("config", {})
    given = {
        key: part for key, part in own.items() if key != "view" or "continuousWidth" not in part
    }
    merged = {
        key: {**CONFIG[key], **part} if isinstance(CONFIG.get(key), dict) else part
        for key, part in given.items()
    }
    return {**spec, "config": {**CONFIG, **merged}}


def _recoloured(part: Any, colour: Callable[[str], str | None]) -> Any:
    """Other colours in the place of ours; data and the names of a scale stay as they are."""
    if isinstance(part, str):
        return colour(part) or part
    if isinstance(part, list):
        return [_recoloured(item, colour) for item in part]
    if not isinstance(part, dict):
        return part
    return {
        key: value
        if key in _AS_IT_IS and not isinstance(value, dict)
        else _recoloured(value, colour)
        for key, value in part.items()
    }
