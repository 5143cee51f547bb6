"""notebooks/class.ipynb as Voila shows it: ballots are pasted, and letters are large."""

import shutil
from pathlib import Path

import pytest

pytestmark = pytest.mark.full

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "class.ipynb"


@pytest.fixture
def page(opened, notebooks):
    if not (notebooks / NOTEBOOK.name).exists():
        shutil.copy(NOTEBOOK, notebooks)
    return opened("class", [".nbrank-class h1"])


def test_ballots_that_are_typed_are_counted_and_a_wrong_line_is_named(page, expect):
    expect(page.locator(".nbrank-class h1")).to_contain_text("4 winners")
    page.get_by_role("button", name="paste others").click()
    field = page.get_by_label("ballots")
    field.fill("who,1st,2nd\nAnn,A,B\nBob,A,B\nCy,B,A")
    expect(page.locator(".nbrank-class h1")).to_have_text("3 ballots, 4 rules, 1 winner: A.")
    expect(page.get_by_role("status")).to_contain_text("Not a ballot: who.")
    field.fill("A > B\nB > B")
    expect(page.get_by_role("status")).to_have_text("Line 2 names 'B' twice; give it one place.")
    expect(page.locator("main.stale")).to_be_visible()
    page.get_by_role("button", name="the example").click()
    expect(page.locator(".nbrank-class h1")).to_contain_text("4 winners")


@pytest.mark.parametrize("width", [1024, 1920])
def test_no_letter_is_smaller_than_18_pixels_and_nothing_is_cut_off(page, cut_off, width):
    assert cut_off(page, width) <= 0
    smallest = page.evaluate(
        """() => Math.min(...[...document.querySelectorAll(".nbrank-class *")]
             .filter(part => part.value
               || [...part.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
             .filter(part => part.getBoundingClientRect().width)
             .map(part => parseFloat(getComputedStyle(part).fontSize)
               * (part.ownerSVGElement ? part.ownerSVGElement.getBoundingClientRect().width
                 / part.ownerSVGElement.viewBox.baseVal.width : 1)))"""
    )
    assert smallest >= 17.9
