"""A live chart: what it loads, and from where."""

import json

import altair as alt
import pytest

from nbrank.frontends.workbench.live_chart import LiveChart, drawing_script


@pytest.fixture(scope="module")
def script():
    """What returns all that draws."""
    shared = drawing_script()
    return lambda: shared


def test_a_live_chart_loads_nothing_from_elsewhere_and_leaves_the_users_own_charts_alone(script):
    before = alt.JupyterChart._esm
    chart = LiveChart(script)
    assert "https://" not in chart._esm
    assert "import vegaEmbed" not in script().value
    assert "https://esm.sh" not in script().value
    assert alt.JupyterChart._esm == before


def test_a_live_chart_starts_by_a_few_lines(script):
    # The browser gives a widget two seconds to start, of which the drawing script has no part.
    assert len(LiveChart(script)._esm) < 1200 < 500_000 < len(script().value)


def test_the_charts_of_a_page_share_what_draws(script):
    first, second = LiveChart(script), LiveChart(script)
    assert first.get_state()["script"] is None  # until there is something to draw
    for chart in (first, second):
        chart.draw(lambda: alt.Chart(alt.InlineData([])).mark_point())
    assert first.get_state()["script"] is not None
    assert first.get_state()["script"] == second.get_state()["script"]


def test_what_is_drawn_is_sent_with_its_description_or_hidden(script):
    chart = LiveChart(script)
    chart.draw(lambda: alt.Chart(alt.InlineData(values=[{"a": 1}])).mark_point(), "a point")
    assert chart.spec["mark"] == {"type": "point"}
    assert chart.label == "a point"
    assert chart.layout.display is None
    chart.draw(None)
    assert (chart.spec, chart.layout.display) == ({}, "none")


def test_what_is_drawn_is_sent_as_text_so_that_no_null_is_lost(script):
    chart = LiveChart(script)
    chart.draw(lambda: alt.Chart(alt.InlineData([])).mark_point().encode(x=alt.X("a:Q", axis=None)))
    sent = chart.get_state()["spec"]
    assert isinstance(sent, str)
    assert json.loads(sent) == chart.spec
    assert json.loads(sent)["encoding"]["x"]["axis"] is None


def test_a_click_calls_back_with_the_fields_of_the_mark(script):
    clicked = []
    LiveChart(script, clicked.append)._handle_custom_msg({"system": "A"}, [])
    assert clicked == [{"system": "A"}]
