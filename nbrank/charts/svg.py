"""A chart as SVG, also where Python itself runs in a browser; and the script that draws."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

_PACKAGE_DIR = Path(__file__).parent
#: The script, where Python runs in a browser: the site's build puts it there.
_BUNDLE_PATH = _PACKAGE_DIR / "vega.js"


def render_svg(spec: dict[str, Any]) -> str:
    """Draw what a chart writes for Vega-Lite."""
    if sys.platform == "emscripten":
        drawn: str = _browser_renderer()(json.dumps(spec))
        return drawn
    import vl_convert  # (a browser's Python has none)

    image: str = vl_convert.vegalite_to_svg(spec)
    return image


def drawing_script() -> str:
    """All that draws a chart on a page, as JavaScript: it sets `nbrankVega`."""
    return _BUNDLE_PATH.read_text(encoding="utf-8") if _BUNDLE_PATH.exists() else _build_script()


@cache
def _build_script() -> str:
    """The script, kept in the platform's cache: bundling takes longer than the rest of a page."""
    import pooch
    import vl_convert
    from altair.utils._importers import vl_version_for_vl_convert

    vega_lite = vl_version_for_vl_convert()
    folder = Path(pooch.os_cache("nbrank"))
    selected = folder / f"vega-{version('vl-convert-python')}-{vega_lite}.js"
    with suppress(OSError, UnicodeError):
        return selected.read_text("utf-8")
    bundled = vl_convert.javascript_bundle("globalThis.nbrankVega = {vegaEmbed};", vega_lite)
    script = f"(() => {{{bundled}}})();\n"
    # Where nothing can be kept, each process bundles anew.
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile("w", encoding="utf-8", dir=folder, delete=False) as part:
            part.write(script)
        Path(part.name).replace(selected)
    return script


@cache
def _browser_renderer() -> Any:
    run_js = import_module("pyodide.code").run_js
    run_js(drawing_script())
    return run_js((_PACKAGE_DIR / "svg.js").read_text(encoding="utf-8"))


def register_browser_renderer() -> None:
    """In a browser, have Altair's "svg" draw by our script, since its own needs a binary."""
    if sys.platform == "emscripten" and _BUNDLE_PATH.exists():
        import altair as alt

        alt.renderers.register("svg", lambda spec, **_: {"image/svg+xml": render_svg(spec)})
        if alt.renderers.active in ("default", "svg"):
            alt.renderers.enable("svg")
