"""notebooks/app.ipynb as Voila shows it: choose a table, bring a file, go through the explorers."""

import shutil
from pathlib import Path

import pytest

pytestmark = pytest.mark.full

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "app.ipynb"
PATIENCE = 240_000
BUTTONS = {
    "Who could win?": "For Claude-3.5-Sonnet-1022 to lose to no other system",
    "Missing scores": "Nothing is deleted yet",
    "How sure is it?": "are too few to tell anything apart",
    "Round by round": "Round 1 of 6",
    "Rules and weights": "DeepSeek-V3 wins under",
}


@pytest.fixture
def app(opened, notebooks):
    if not (notebooks / NOTEBOOK.name).exists():
        shutil.copy(NOTEBOOK, notebooks)
    return opened("app")


def reads(page, css, text):
    """Wait until what stands there holds a text."""
    page.wait_for_function(
        "([css, text]) => document.querySelector(css)?.innerText.includes(text)",
        arg=[css, text],
        timeout=PATIENCE,
    )


def test_it_opens_on_a_shipped_table_with_nothing_cut_off_at_the_side(app, expect, cut_off):
    reads(app, ".nbrank-about", "7 systems and 22 tasks")
    reads(app, ".nbrank-words", "DeepSeek-V3 wins under")
    expect(app.locator("body")).not_to_contain_text("import")  # no code
    for width in (1200, 800):
        assert cut_off(app, width) <= 0


def test_every_explorer_opens_by_its_button_and_shows_another_table(app, expect):
    for button, words in BUTTONS.items():
        app.get_by_role("button", name=button).click()
        reads(app, ".nbrank-words", words)
        app.wait_for_selector(".vega-embed svg, .vega-embed canvas", timeout=PATIENCE)
        expect(app.locator(".nbrank-words")).to_have_count(1)
    app.get_by_label("table").select_option("Condorcet's 60 voters: a circle")
    reads(app, ".nbrank-about", "3 systems and 5 tasks")
    reads(app, ".nbrank-words", "B wins under mean and borda.")


def test_a_file_of_ones_own_is_explored_and_a_wrong_one_refused(app, expect):
    def upload(name, text):
        with app.expect_file_chooser() as chosen:
            app.get_by_role("button", name="a CSV file of yours").click()
        file = {"name": name, "mimeType": "text/csv", "buffer": text.encode()}
        chosen.value.set_files(file)

    upload("ours.csv", "model,accuracy,seconds\nslow,0.9,3\nquick,0.8,1\n")
    reads(app, ".nbrank-about", "2 systems and 2 tasks")
    reads(app, ".nbrank-words", "slow wins under")
    app.get_by_label("lower is better on").select_option("seconds")
    reads(app, ".nbrank-about", "lower is better on seconds")
    upload("wrong.csv", "model,accuracy\nslow,high\n")
    reads(app, ".nbrank-about", "'accuracy' holds 'high' in the row 'slow'")
    expect(app.locator(".nbrank-words")).to_have_count(0)
