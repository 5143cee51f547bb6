"""What is drawn on a live page: laid out for its room, clicked, light or dark as the page is."""

import altair as alt
import pandas as pd
import pytest

import nbrank
from nbrank import charts
from nbrank.charts.palette import PICTURE_COLORS
from nbrank.datasets import load_toy_votes
from nbrank.frontends.workbench.live_drawing import LiveChart, LiveDrawing

SCORES = pd.DataFrame({"x": [3.0, 2, 1], "y": [1.0, 3, 2]}, index=["A", "<b>&\"'", "C"])


def make(width):
    return nbrank.picture(SCORES, width=width)


def test_it_is_drawn_anew_for_other_room_and_only_then():
    widths = []
    live = LiveDrawing(lambda fields: None)
    live.draw(lambda width: widths.append(width) or make(width))
    for room in (1200, 1200, 390, 0, -5, "wide", None):
        live._handle_custom_msg({"room": room}, [])
    assert widths[1:] == pytest.approx([1200, 390], abs=1)
    assert 'width="390"' in live.svg
    live.draw(None)
    assert live.svg == ""


def test_a_click_calls_back_with_the_names():
    clicked = []
    live = LiveDrawing(clicked.append)
    live._handle_custom_msg({"system": "A", "task": "x"}, [])
    assert clicked == [{"system": "A", "task": "x"}]


def test_it_needs_no_script_but_its_own_few_lines():
    live = LiveDrawing(lambda fields: None)
    assert len(live._esm) < 3500
    assert "import" not in live._esm
    assert "prefers-reduced-motion" in live._esm


def test_its_style_has_both_themes():
    for light, dark in PICTURE_COLORS.values():
        assert f"light-dark({light}, {dark})" in LiveDrawing._css


def test_labels_with_markup_are_no_markup_on_the_page():
    bench = nbrank.explore(SCORES, rules=("borda", "plurality"))
    bench.system = "<b>&\"'"
    for html in (bench._figure.svg, bench._html.html, bench._closely.html.html):
        assert "<b>&" not in html
    assert 'data-name="&lt;b&gt;&amp;&quot;&#x27;"' in bench._figure.svg


@pytest.fixture
def chart():
    drawn = LiveChart()
    drawn.draw(lambda: charts.scores(load_toy_votes()), "the <scores>")
    return drawn


def test_a_chart_is_drawn_by_python_so_that_its_page_needs_no_script_for_it(chart):
    assert "<svg" in chart.html
    assert "http" not in chart.html.replace("http://www.w3.org/", "")
    assert chart.layout.display is None


def test_it_says_what_it_shows(chart):
    assert 'role="figure" aria-label="the &lt;scores&gt;"' in chart.html


def test_nothing_is_hidden(chart):
    chart.draw(None)
    assert (chart.html, chart.layout.display) == ("", "none")


def test_its_colours_are_those_of_the_page(chart):
    assert "light-dark(#1f2328, #e6edf3)" in chart.html


def test_the_users_own_charts_are_left_alone(chart):
    assert alt.data_transformers.active == "default"
    assert alt.data_transformers.consolidate_datasets


def test_a_click_calls_back_with_the_number_of_the_mark():
    clicked = []
    LiveChart(lambda *sent: clicked.append(sent))._handle_custom_msg(["point", "3"], [])
    assert clicked == [("point", "3")]
