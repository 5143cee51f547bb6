"""The explorers in a real browser: Voila on a loopback port, and the system's Chromium.

They open with no request to anywhere else, a slider moved by keyboard, a box ticked and a click or
drag on a chart change what is shown, and the console has no error.
"""

import nbformat
import pytest

pytestmark = pytest.mark.full

PATIENCE = 240_000

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


@pytest.fixture(scope="module", autouse=True)
def _a_notebook_for_each_explorer(notebooks):
    for name, code in EXPLORERS.items():
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(CODE + code)],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        )
        nbformat.write(notebook, notebooks / f"{name}.ipynb")


def words(page):
    return page.locator(".nbrank-words").inner_text()


def says(page, text):
    """Wait until the words say something."""
    page.wait_for_function(
        "text => document.querySelector('.nbrank-words').innerText.includes(text)",
        arg=text,
        timeout=PATIENCE,
    )


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


def middles(page, marks):
    """Where the middles of the marks of a chart are in the page, once it stands still there."""
    found = page.locator(f".vega-embed svg g.{marks} > *")
    found.last.scroll_into_view_if_needed()
    found.first.scroll_into_view_if_needed()
    return found.evaluate_all(
        """paths => paths.map(path => {
             const box = path.getBoundingClientRect();
             return [box.x + box.width / 2, box.y + box.height / 2];
           })"""
    )


@pytest.mark.parametrize("name", EXPLORERS)
def test_it_opens_and_says_what_one_sees(opened, expect, cut_off, name):
    page = opened(name)
    assert len(words(page)) > 40
    expect(page.locator(".nbrank-table tbody tr")).not_to_have_count(0)
    assert page.locator(".vega-embed").first.bounding_box()["width"] > 200
    # And nothing is cut off at the side.
    for width in (1200, 800):
        assert cut_off(page, width) <= 0


def test_a_slider_moved_by_keyboard_changes_the_ranking(opened, expect):
    page = opened("explore")
    table = page.locator(".nbrank-table tbody").last
    before = table.inner_text()
    press(page, ["End"])
    says(page, "You changed the weight of")
    press(page, ["End"], which=1)
    press(page, ["End"], which=2)
    expect(table).not_to_have_text(before, use_inner_text=True)


def test_a_rule_that_is_ticked_is_shown(opened):
    page = opened("explore")
    page.get_by_text("Rules: tick those to compare").click()
    box = page.get_by_label("minimax: ")
    box.check()
    says(page, "minimax")
    page.wait_for_selector(".nbrank-table thead >> text=minimax", timeout=PATIENCE)
    box.uncheck()
    page.wait_for_function(
        "() => !document.querySelector('.nbrank-words').innerText.includes('minimax')",
        timeout=PATIENCE,
    )


def test_a_click_on_a_score_deletes_it_and_another_restores_it(opened):
    page = opened("missing")
    says(page, "Nothing is deleted yet")
    cell = middles(page, "cells_marks")[-1]
    page.mouse.click(*cell)
    says(page, "1 score deleted.")
    # The chart was drawn anew, with a cross on that cell.
    page.wait_for_selector(".vega-embed svg g.crosses_marks > text", timeout=PATIENCE)
    (cross,) = middles(page, "crosses_marks")
    page.mouse.click(*cross)
    says(page, "Nothing is deleted yet")
    press(page, ["ArrowRight"])
    says(page, "scores deleted")


def test_the_ring_is_in_the_triangle_from_the_start_where_the_sliders_are(opened):
    page = opened("weights")
    page.wait_for_function(
        """() => {
             const middle = path => {
               const box = path.getBoundingClientRect();
               return [box.x + box.width / 2, box.y + box.height / 2];
             };
             const points = [...document.querySelectorAll("g.points_marks > *")].map(middle);
             const rings = [...document.querySelectorAll("g.ring_marks > path")];
             const shares = [...document.querySelectorAll(".widget-readout")].map(
               readout => parseFloat(readout.innerText) / 100);
             if (rings.length !== 1 || shares.length !== 3) return false;
             // The first point gives all to the third group, the last one to the first.
             const corners = [points.at(-1), points[50], points[0]];
             const at = [0, 1].map(side =>
               corners.reduce((sum, corner, group) => sum + corner[side] * shares[group], 0));
             return rings.every(ring =>
               Math.hypot(middle(ring)[0] - at[0], middle(ring)[1] - at[1]) < 6);
           }""",
        timeout=PATIENCE,
    )


def test_a_click_and_a_drag_in_the_triangle_move_the_weights(opened, expect):
    page = opened("weights")
    points = middles(page, "points_marks")
    left, right = min(points), max(points)
    page.mouse.click(*left)
    says(page, "With 100% on first")
    page.mouse.move(*left)
    page.mouse.down()
    page.mouse.move(*right, steps=12)
    page.mouse.up()
    says(page, "With 0% on first, 100% on second")
    # And without a mouse: the first group's slider, from 0 to its end; the others give way.
    press(page, ["End"])
    says(page, "With 100% on first, 0% on second")
    readouts = page.locator(".widget-readout")
    expect(readouts).to_have_text(["100%", "0%", "0%"])
    press(page, ["ArrowLeft", "ArrowLeft"])
    says(page, "With 98% on first, 1% on second and 1% on third")
    expect(readouts).to_have_text(["98%", "1%", "1%"])


def test_delta_moved_by_keyboard_moves_the_groups(opened):
    page = opened("confidence")
    says(page, "With 95 % confidence")
    press(page, ["End"])
    says(page, "With 50 % confidence")


def test_rounds_are_stepped_through_by_keyboard(opened):
    page = opened("elimination")
    says(page, "Round 1 of")
    press(page, ["ArrowRight"])
    says(page, "Round 2 of")
    press(page, ["End"])
    says(page, "DeepSeek-V3 wins by baldwin.")


def test_rounds_are_played(opened):
    page = opened("elimination")
    page.locator(".noUi-handle").first.press("Home")
    says(page, "Round 1 of")
    play = page.locator(".widget-play button").first
    play.click()
    says(page, "Round 3 of")
    says(page, "DeepSeek-V3 wins by baldwin.")


def test_the_round_in_which_a_system_goes_is_found_by_its_name(opened):
    page = opened("elimination")
    field = page.get_by_label("when does it go?")
    field.fill("DeepSeek-V2-0506")
    field.press("Enter")
    says(page, "DeepSeek-V2-0506 goes, for the fewest Borda points")
    says(page, "DeepSeek-V2-0506 goes in round")


def test_a_system_that_is_looked_at_closely_says_which_ranks_are_open_to_it(opened):
    page = opened("confidence")
    field = page.get_by_label("look closely at")
    field.fill("GPT-4o-0513")
    field.press("Enter")
    says(page, "GPT-4o-0513 has rank")
    page.wait_for_selector(".vega-embed svg >> text=in a group with it", timeout=PATIENCE)


def test_another_system_has_other_weights(opened, expect):
    page = opened("weights")
    expect(page.locator(".vega-embed")).to_have_count(2)
    page.get_by_label("system").select_option("DeepSeek-V2.5-0905")
    says(page, "No weights make DeepSeek-V2.5-0905 win")


def test_the_charts_of_a_page_read_the_drawing_script_once(opened, expect):
    page = opened("weights")
    expect(page.locator(".vega-embed")).to_have_count(2)
    assert page.evaluate("() => globalThis.nbrankScripts.size") == 1
