"""notebooks/app.ipynb as Voila shows it: choose a table, bring a file, go through the tabs."""

import shutil
from pathlib import Path

import pytest

pytestmark = pytest.mark.full

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "app.ipynb"
PATIENCE = 60_000
TABS = {
    "Who could win": "would be unbeaten under other weights",
    "Pairs": "No system beats every other",
    "Scores": "Press the name of a task",
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


def test_no_column_of_24_pairs_is_cut_off(app):
    app.get_by_role("tab", name="Pairs", exact=True).click()
    reads(app, "128 of 276 pairs can be told apart")
    table = app.locator(".nbrank-pairs")
    assert table.evaluate("box => box.scrollWidth - box.clientWidth") <= 0


def test_every_tab_opens_and_another_table_as_well(app, expect):
    for tab, words in TABS.items():
        app.get_by_role("tab", name=tab, exact=True).click()
        reads(app, words)
        expect(app.get_by_role("tab", name=tab, exact=True)).to_have_attribute(
            "aria-selected", "true"
        )
    app.get_by_label("table", exact=True).select_option("Condorcet's 60 voters: a circle")
    reads(app, "3 systems on 5 kinds of ballot by 60 voters")
    expect(app.locator(".nbrank-prose h2")).to_have_count(1)


def upload(app, name, text):
    with app.expect_file_chooser() as chosen:
        app.get_by_text("Drop a file here, or choose one").click()
    chosen.value.set_files({"name": name, "mimeType": "text/csv", "buffer": text.encode()})


def test_a_file_of_ones_own_is_read_corrected_by_a_click_and_ranked(app, expect):
    upload(app, "mine.csv", "model,accuracy,pages\nslow,0.9,3\nquick,0.9,1\n")
    reads(app, "2 systems, 2 tasks are ranked")
    reads(app, "slow is first under all 6 rules")
    app.get_by_text("2 systems, 2 tasks are ranked").click()  # the reading is folded
    row = app.locator(".nbrank-reading tr", has_text="pages")
    row.get_by_role("button", name="lower").click()
    reads(app, "lower is better on pages (as you say)")
    reads(app, "quick is first under all 6 rules")
    row.get_by_label("role of pages").select_option("description")
    reads(app, "1 column left out")
    expect(app.locator(".nbrank-prose h2")).to_have_count(1)


def test_a_wrong_file_is_refused_with_what_it_should_be(app, expect):
    upload(app, "wrong.csv", "model,accuracy\nslow,high\nquick,0.8\n")
    reads(app, "'accuracy' holds 'high' in the row 'slow'")
    expect(app.locator(".nbrank-prose h2")).to_have_count(0)


def test_a_file_can_be_dropped(app):
    app.evaluate(
        """() => {
             const data = new DataTransfer();
             data.items.add(new File(["model,t\\nA,1\\nB,2\\n"], "dropped.csv"));
             document.querySelector(".nbrank-drop").dispatchEvent(
               new DragEvent("drop", {dataTransfer: data, bubbles: true}));
           }"""
    )
    reads(app, "B is first under all 6 rules")


def test_ballots_can_be_pasted(app):
    app.get_by_text("or paste a table, or ballots").click()
    app.get_by_label("a table or ballots").fill("5: A > B = C\n3: B > A > C\n")
    app.get_by_role("button", name="read it").click()
    reads(app, "8 voters")
    reads(app, "A is first under all 6 rules")
    app.get_by_text("or paste a table, or ballots").click()
