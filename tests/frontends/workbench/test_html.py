"""HTML on a page: escaped, laid out for its room, in both themes; and clicks that come back."""

import pandas as pd
import pytest

import nbrank
from nbrank.charts.palette import PICTURE_COLORS
from nbrank.frontends.shared_html import render_paragraphs
from nbrank.frontends.workbench.html import (
    HtmlWidget,
    LiveDrawing,
    render_bars,
    render_button,
    render_details,
    render_table,
    render_tabs,
)

SCORES = pd.DataFrame({"x": [3.0, 2, 1], "y": [1.0, 3, 2]}, index=["A", "<b>&\"'", "C"])


def test_a_column_of_long_texts_stands_at_the_left_with_its_heading_and_its_short_ones():
    frame = pd.DataFrame({"low": [1, 2], "systems": ["A", "one, two, three and four"]})
    html = render_table(frame)
    assert '<th>low</th><th class="text">systems</th>' in html
    assert '<td>1</td><td class="text">A</td>' in html
    assert 'class="text"' not in render_table(frame.assign(systems=["A", "B"]))


def test_what_is_written_is_escaped():
    written = [
        render_paragraphs(["<b>"]),
        render_button("system", "<b>", "<b>"),
        render_details("<b>", "x"),
        render_table(pd.DataFrame({"<b>": ["<b>"]}, index=["<b>"])),
        render_bars("<b>", [("x", 1.0, "<b>")]),
        render_tabs({"rules": "<b>"}, "rules"),
    ]
    assert all("<b>" not in html and "&lt;b&gt;" in html for html in written)


def test_an_empty_sentence_and_an_empty_fold_are_left_out():
    assert render_paragraphs(["", "A"]) == "<p>A</p>"
    assert render_details("why?", "") == ""


def test_bars_are_as_long_as_their_amounts():
    html = render_bars("points", [("A", 4.0, "4"), ("B", 1.0, "1"), ("C", None, "never")])
    assert [part.split("%")[0] for part in html.split("width:")[1:]] == ["60.00", "15.00", "0.00"]


def test_of_the_tabs_one_is_chosen_and_reached_by_the_tabulator():
    html = render_tabs({"a": "A", "b": "B"}, "b")
    assert html.count('aria-selected="true" tabindex="0"') == 1
    assert 'data-value="b" aria-selected="true"' in html


def test_a_button_calls_back_with_its_name_and_value():
    pressed = []
    prose = HtmlWidget(pressed=lambda *sent: pressed.append(sent))
    prose._handle_custom_msg(["tab", "pairs"], [])
    assert pressed == [("tab", "pairs")]


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
