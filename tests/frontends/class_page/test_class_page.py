"""The class page as a widget: the text is read anew as it changes, and shown without a kernel."""

import pytest

from nbrank.frontends.class_page import ClassPage


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
