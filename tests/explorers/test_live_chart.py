"""A live chart: what it loads, and from where."""

import altair as alt

from nbrank.explorers.live_chart import live_chart


def test_a_live_chart_loads_nothing_from_elsewhere_and_leaves_the_users_own_charts_alone():
    # Chart by chart: JupyterChart's own script, online or not, is the user's choice.
    before = alt.JupyterChart._esm
    chart = live_chart()
    assert "import vegaEmbed" not in chart._script
    assert "https://esm.sh" not in chart._esm + chart._script
    assert alt.JupyterChart._esm == before


def test_a_live_chart_starts_by_a_few_lines():
    # The browser gives a widget two seconds to start, of which the drawing script has no part.
    assert len(live_chart()._esm) < 1000 < 500_000 < len(live_chart()._script)
