"""What the explorers share: the table under the chart."""

import pandas as pd

from nbrank.explorers.panel import in_a_table


def test_a_column_of_long_texts_stands_at_the_left_with_its_heading_and_its_short_ones():
    frame = pd.DataFrame({"low": [1, 2], "systems": ["A", "one, two, three and four"]})
    html = in_a_table(frame)
    assert '<th>low</th><th class="text">systems</th>' in html
    assert '<td>1</td><td class="text">A</td>' in html
    assert 'class="text"' not in in_a_table(frame.assign(systems=["A", "B"]))
