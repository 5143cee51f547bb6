"""A live chart: what its page gets, and what comes back."""

import altair as alt
import pytest

from nbrank import charts
from nbrank.datasets import load_toy_votes
from nbrank.frontends.workbench.tab import LiveChart


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
