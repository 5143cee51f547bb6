"""The explorers in a real browser: Voila on a loopback port, and the system's Chromium.

They open with no request to anywhere else, a slider moved by keyboard changes what is shown, and
the console has no error.
"""

import nbformat
import pytest

PATIENCE = 60_000

EXPLORERS = {
    "explore": "nbrank.explore(scores)",
    "weights": "nbrank.explore_weights(scores, groups=three)",
    "missing": "nbrank.explore_missing(scores)",
    "confidence": "nbrank.explore_confidence(scores)",
    "elimination": "nbrank.explore_elimination(scores)",
}
CODE = """
import nbrank
from nbrank.datasets import load_llm_chat
scores = load_llm_chat().droplevel("group", axis=1)
three = {"first": scores.columns[:9], "second": scores.columns[9:16], "third": scores.columns[16:]}
"""


@pytest.fixture(scope="module")
def address(voila, tmp_path_factory):
    """Where Voila serves a notebook for each explorer."""
    folder = tmp_path_factory.mktemp("voila")
    for name, code in EXPLORERS.items():
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(CODE + code)],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        )
        nbformat.write(notebook, folder / f"{name}.ipynb")
    return voila(folder)


def words(page):
    return page.locator(".nbrank-words").inner_text()


def press(page, keys, which=0):
    """Move a slider by keyboard, and wait until the words say something else."""
    before = words(page)
    handle = page.locator(".noUi-handle").nth(which)
    handle.focus()
    for key in keys:
        handle.press(key)
    page.wait_for_function(
        "before => document.querySelector('.nbrank-words').innerText !== before",
        arg=before,
        timeout=PATIENCE,
    )


@pytest.mark.parametrize("name", EXPLORERS)
def test_it_opens_and_says_what_one_sees(opened, name):
    page = opened(name)
    assert len(words(page)) > 40
    assert page.locator(".nbrank-table tbody tr").count() > 0
    assert page.locator(".vega-embed").first.bounding_box()["width"] > 200


@pytest.mark.parametrize("width", [1200, 800])
def test_nothing_is_cut_off_at_the_side(opened, width):
    page = opened("explore")
    page.set_viewport_size({"width": width, "height": 900})
    wider = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert wider <= 0


def test_a_slider_moved_by_keyboard_changes_the_ranking(opened):
    page = opened("explore")
    table = page.locator(".nbrank-table tbody")
    before = table.inner_text()
    press(page, ["End"])
    assert "You changed the weight of" in words(page)
    press(page, ["End"], which=1)
    press(page, ["End"], which=2)
    assert table.inner_text() != before


def test_a_share_deleted_by_keyboard_is_said(opened):
    page = opened("missing")
    assert "Nothing is deleted yet" in words(page)
    press(page, ["ArrowRight"])
    assert "scores deleted" in words(page)


def test_delta_moved_by_keyboard_moves_the_groups(opened):
    page = opened("confidence")
    assert "With 95 % confidence" in words(page)
    press(page, ["End"])
    assert "With 50 % confidence" in words(page)


def test_rounds_are_stepped_through_by_keyboard(opened):
    page = opened("elimination")
    assert words(page).startswith("Round 1 of")
    press(page, ["ArrowRight"])
    assert words(page).startswith("Round 2 of")
    press(page, ["End"])
    assert "DeepSeek-V3 wins by baldwin." in words(page)


def test_another_system_has_other_weights(opened):
    page = opened("weights")
    assert page.locator(".vega-embed").count() == 2
    before = words(page)
    page.get_by_label("system").select_option("DeepSeek-V2.5-0905")
    page.wait_for_function(
        "before => document.querySelector('.nbrank-words').innerText !== before", arg=before
    )
    assert "No weights make DeepSeek-V2.5-0905 win" in words(page)
