"""The lesson's slider in a real browser: A gets better, and instant runoff drops it."""

from pathlib import Path

import nbformat
import pytest

pytestmark = pytest.mark.full

LESSON = Path(__file__).parents[2] / "notebooks" / "voting_paradoxes_of_rules.ipynb"


@pytest.fixture(scope="module", autouse=True)
def _notebooks(notebooks):
    lesson = nbformat.read(LESSON, as_version=4)
    code = [cell for cell in lesson.cells if cell.cell_type == "code"]
    (slider,) = [cell for cell in code if 'tab="elimination"' in cell.source]
    lesson.cells = [code[0], slider]
    nbformat.write(lesson, notebooks / "lesson.ipynb")


def test_the_slider_raises_a_until_c_wins(opened, expect):
    page = opened("lesson")
    expect(page.get_by_text("in the end A wins")).to_be_visible()
    handle = page.locator(".widget-slider", has_text="A raised on").locator(".noUi-handle")
    handle.focus()
    for _ in range(6):
        handle.press("ArrowRight")
    expect(page.get_by_text("in the end C wins")).to_be_visible()
