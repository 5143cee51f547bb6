"""A chart as SVG by the script of a browser's Python is the chart as Vega draws it."""

import json
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
import vl_convert

import nbrank
from nbrank import charts
from nbrank.charts import svg
from nbrank.datasets import load_toy_votes

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def in_javascript(vega_script, tmp_path_factory):
    """Draw by `svg.js` and by Vega itself, in JavaScript with no page."""
    vega = tmp_path_factory.mktemp("vega") / "vega.js"
    vega.write_text(vega_script, encoding="utf-8")
    svg_js = (Path(svg.__file__).parent / "svg.js").read_text(encoding="utf-8")

    def drawn(spec):
        program = f"""
            const text = {json.dumps(json.dumps(spec))};
            require({json.dumps(str(vega))});
            const asSvg = {svg_js};
            const {{vega, vegaLite}} = globalThis.nbrankVega;
            const parsed = vega.parse(vegaLite.compile(JSON.parse(text)).spec);
            const atOnce = asSvg(text);
            new vega.View(parsed, {{renderer: "none"}}).toSVG().then(
                (later) => console.log(JSON.stringify([atOnce, later])));
        """
        run = subprocess.run(["node"], input=program, capture_output=True, text=True, check=True)
        return json.loads(run.stdout)

    return drawn


CHARTS = {
    "ranks": lambda: charts.ranks(nbrank.compare(load_toy_votes(), ["borda", "copeland"])),
    "pairs": lambda: charts.pairwise(nbrank.confidence(load_toy_votes())),
    "scores": lambda: charts.scores(load_toy_votes()),
}


@pytest.mark.parametrize("chart", CHARTS.values(), ids=CHARTS)
def test_a_chart_is_drawn_at_once_as_vega_draws_it(chart, in_javascript):
    spec = chart().to_dict()
    at_once, later = in_javascript(spec)
    assert at_once == later
    assert words(at_once) == words(vl_convert.vegalite_to_svg(spec))


def words(drawn):
    return sorted(part.text for part in ET.fromstring(drawn).iter() if part.text)
