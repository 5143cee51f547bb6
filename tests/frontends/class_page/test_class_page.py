"""The class page as a widget: the text is read anew as it changes, and shown without a kernel."""

import re

import pytest

from nbrank.frontends.class_page import ClassPage
from nbrank.frontends.class_page.class_page import EXAMPLE, render_notes, render_result
from nbrank.frontends.class_page.pasted_ballots import read_pasted
from nbrank.frontends.class_page.vote_result import VoteResult


def test_another_text_has_another_winner():
    page = ClassPage()
    assert "4 winners" in page.html
    page.text = "A > B\nA > B\nB > A"
    assert "1 winner: A." in page.html
    assert "<p>3 ballots on A and B.</p>" in page.notes
    assert list(page.board.systems) == ["A", "B"]


def test_where_a_text_cannot_be_read_the_last_result_stays_and_the_line_is_named():
    page = ClassPage("A > B\nB > A\nA > B")
    before = page.html
    page.text = "A > B\nB > B"
    assert page.error == "Line 2 names 'B' twice; give it one place"
    assert page.html == before
    page.text = "B > A\nB > A"
    assert page.error == ""
    assert page.html != before


def test_a_first_text_that_cannot_be_read_is_refused():
    with pytest.raises(ValueError, match="Line 1, 'A', is not a ballot"):
        ClassPage("A")


def test_without_a_kernel_the_page_stands_as_html_whose_text_is_escaped():
    data, _ = ClassPage("<i>A > B\nB > <i>A")._repr_mimebundle_()
    assert "<main><h1>2 ballots" in data["text/html"]
    assert "&lt;i&gt;A &gt; B" in data["text/html"]
    assert "<i>A" not in data["text/html"]


def page(text):
    result = VoteResult(read_pasted(text))
    return render_notes(result) + render_result(result)


def test_names_with_markup_are_escaped():
    html = page("1st,2nd,3rd\n<b>x</b> & y,Zoo,Lake\nZoo,Lake,<b>x</b> & y\nLake,,")
    assert "<b>x" not in html
    assert "&lt;b&gt;x&lt;/b&gt; &amp; y" in html


def test_an_option_has_the_same_colour_everywhere_and_up_to_five_their_own():
    html = page(EXAMPLE)
    classes = dict(re.findall(r'class="block (o\d)"><title>(\w+)</title>', html))
    assert sorted(classes.items()) == [
        ("o0", "Cinema"), ("o1", "Climbing"), ("o2", "Zoo"), ("o3", "Lake"), ("o4", "Museum"),
    ]  # fmt: skip
    for css, name in re.findall(r'<b class="name (o\d)">(\w+)</b>', html):
        assert classes[css] == name


@pytest.mark.parametrize("n", range(2, 10))
def test_up_to_six_options_are_drawn_as_a_graph_and_more_stand_in_a_table(n):
    names = [f"option {number}" for number in range(n)]
    html = page("\n".join(" > ".join(names[k:] + names[:k]) for k in range(n)) + f"\n{names[0]}")
    assert ('aria-label="who beats whom"' in html) == (n <= 6)
    assert "<table class='pairs'>" in html


@pytest.mark.parametrize("n", range(2, 7))
def test_what_is_drawn_stays_within_its_frame(n):
    names = [f"a long option {number}" for number in range(n)]
    html = page("\n".join(" > ".join(names[k:] + names[:k]) for k in range(n)))
    for width, height, drawn in re.findall(r'viewBox="0 0 (\d+) (\d+)"(.*?)</svg>', html):
        for box in re.findall(r'<rect x="([-\d.]+)" y="([-\d.]+)" width="([\d.]+)"', drawn):
            x, y, wide = map(float, box)
            assert x >= 0
            assert x + wide <= float(width)
            assert 0 <= y < float(height)


def test_level_pairs_are_dashed():
    assert page("A > B\nB > A").count("stroke-dasharray") == 1


def test_three_who_share_a_win_are_listed_as_in_a_sentence():
    html = page("A > B > C\nB > C > A\nC > A > B")
    assert re.search(r"A</b>, <b [^>]*>B</b> and <b [^>]*>C</b> by Copeland", html)
