"""notebooks/app.ipynb as Voila shows it: choose a table, bring a file, go through the tabs."""

import shutil
from pathlib import Path

import pytest

pytestmark = pytest.mark.full

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "app.ipynb"
PATIENCE = 60_000
TABS = {
    "Who could win": "would be beaten by nobody under other weights",
    "Pairs": "No system beats every other",
    "Missing scores": "Nothing is deleted yet",
    "How sure": "the best is one of these",
    "Round by round": "doesn't go in rounds",
    "Rules and weights": "which rules to compare",
}


@pytest.fixture
def app(opened, notebooks):
    if not (notebooks / NOTEBOOK.name).exists():
        shutil.copy(NOTEBOOK, notebooks)
    return opened("app")


def reads(page, text):
    """Wait until the page says a text."""
    page.wait_for_function(
        "text => document.body.innerText.includes(text)", arg=text, timeout=PATIENCE
    )


def test_it_opens_on_a_shipped_table_with_nothing_cut_off_at_the_side(app, expect, cut_off):
    reads(app, "24 systems on 14 tasks")
    reads(app, "SS-MoE is first under")
    expect(app.locator("body")).not_to_contain_text("import")  # no code
    for width in (1200, 800):
        assert cut_off(app, width) <= 0


def test_every_tab_opens_and_another_table_as_well(app, expect):
    for tab, words in TABS.items():
        app.get_by_role("tab", name=tab).click()
        reads(app, words)
        expect(app.get_by_role("tab", name=tab)).to_have_attribute("aria-selected", "true")
    app.get_by_label("table", exact=True).select_option("Condorcet's 60 voters: a circle")
    reads(app, "3 systems on 5 tasks")
    expect(app.locator(".nbrank-prose h2")).to_have_count(1)


def test_a_file_of_ones_own_is_explored_and_a_wrong_one_refused(app, expect):
    def upload(name, text):
        with app.expect_file_chooser() as chosen:
            app.get_by_role("button", name="a file of yours").click()
        file = {"name": name, "mimeType": "text/csv", "buffer": text.encode()}
        chosen.value.set_files(file)

    upload("ours.csv", "model,accuracy,pages\nslow,0.9,3\nquick,0.8,1\n")
    reads(app, "2 systems on 2 tasks")
    reads(app, "slow is first under all six rules")
    app.get_by_label("lower is better on").select_option("pages")
    reads(app, "lower is better on pages")
    upload("wrong.csv", "model,accuracy\nslow,high\nquick,0.8\n")
    reads(app, "'accuracy' holds 'high' in the row 'slow'")
    expect(app.locator(".nbrank-prose h2")).to_have_count(0)
