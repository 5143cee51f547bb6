"""What the explorers share: the live chart, and the table under it."""

import altair as alt
import pandas as pd

from nbrank.explorers.panel import in_a_table, live_chart


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


def test_a_column_of_long_texts_stands_at_the_left_with_its_heading_and_its_short_ones():
    frame = pd.DataFrame({"low": [1, 2], "systems": ["A", "one, two, three and four"]})
    html = in_a_table(frame)
    assert '<th>low</th><th class="text">systems</th>' in html
    assert '<td>1</td><td class="text">A</td>' in html
    assert 'class="text"' not in in_a_table(frame.assign(systems=["A", "B"]))
