"""Charts as SVG, also where Python runs in a browser; and the script that draws live charts."""

import altair as alt
import pytest

from nbrank import charts
from nbrank.charts import svg
from nbrank.datasets import load_toy_votes


def test_a_browser_draws_by_the_script(monkeypatch):
    monkeypatch.setattr("sys.platform", "emscripten")
    monkeypatch.setattr(svg, "_browser_renderer", lambda: lambda text: f"<svg>{text}</svg>")
    assert svg.render_svg({"mark": None}) == '<svg>{"mark": null}</svg>'


@pytest.fixture
def renderers():
    """Altair's renderers, as they are again afterwards."""
    with alt.renderers.enable("svg"):
        own = alt.renderers.get()
    with alt.renderers.enable("default"):
        yield alt.renderers
    alt.renderers.register("svg", own)


def test_in_a_browser_altair_draws_by_the_script_unless_told_otherwise(
    renderers, monkeypatch, tmp_path
):
    monkeypatch.setattr("sys.platform", "emscripten")
    monkeypatch.setattr(svg, "_BUNDLE_PATH", tmp_path)
    monkeypatch.setattr(svg, "_browser_renderer", lambda: lambda text: "<svg/>")
    svg.register_browser_renderer()
    chart = charts.scores(load_toy_votes())
    assert chart._repr_mimebundle_() == {"image/svg+xml": "<svg/>"}
    renderers.enable("html")
    svg.register_browser_renderer()
    assert renderers.active == "html"


def test_in_a_browser_without_the_script_altair_keeps_its_own_renderers(renderers, monkeypatch):
    monkeypatch.setattr("sys.platform", "emscripten")
    svg.register_browser_renderer()
    assert renderers.active == "default"


def test_elsewhere_altair_keeps_its_own_renderers(renderers):
    svg.register_browser_renderer()
    assert renderers.active == "default"
