"""A chart as SVG, also where Python itself runs in a browser."""

from __future__ import annotations

import json
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

_PACKAGE_DIR = Path(__file__).parent
#: Path of the script where Python runs in a browser; the build of the site puts it there.
_BUNDLE_PATH = _PACKAGE_DIR / "vega.js"


def render_svg(spec: dict[str, Any]) -> str:
    """Draw what a chart writes for Vega-Lite, where Python runs in a browser."""
    drawn: str = _browser_renderer()(json.dumps(spec))
    return drawn


@cache
def _browser_renderer() -> Any:
    run_js = import_module("pyodide.code").run_js
    run_js(_BUNDLE_PATH.read_text(encoding="utf-8"))
    return run_js((_PACKAGE_DIR / "svg.js").read_text(encoding="utf-8"))


def register_browser_renderer() -> None:
    """Make Altair's "svg" renderer use our script in a browser; its own needs a binary."""
    if sys.platform == "emscripten" and _BUNDLE_PATH.exists():
        import altair as alt

        alt.renderers.register("svg", lambda spec, **_: {"image/svg+xml": render_svg(spec)})
        if alt.renderers.active in ("default", "svg"):
            alt.renderers.enable("svg")
