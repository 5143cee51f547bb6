"""What the studies say of how many printed figures come out is what their last cell counts."""

import re
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[1]
PAPERS = ["vote_n_rank", "best_systems", "missing_scores", "global_and_pairwise"]
STATUSES = ("exact", "within rounding", "differ")


def cells(study):
    return nbformat.read(ROOT / "notebooks" / f"{study}.ipynb", as_version=4).cells


def counted(study):
    """The tally that the study shows: a table's name -> how many figures have each status."""
    (shown,) = [
        cell.outputs[0].data["text/plain"]
        for cell in cells(study)
        if "experiments.count_statuses(found)" in cell.source
    ]
    rows = re.findall(r"(?m)^(\S.*?) +(\d+) +(\d+) +(\d+)$", shown)
    return {name: tuple(map(int, numbers)) for name, *numbers in rows}


def rows_of(markdown):
    """The rows of a table in Markdown, without links."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", markdown)
    rows = [line.strip("| ").split("|") for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in row] for row in rows]


def said(ours):
    """The counts that a cell of the opening table names: "20 exact, 3 differ"."""
    named = {status: re.search(rf"(\d+) {status}", ours) for status in STATUSES}
    return tuple(int(of[1]) if of else 0 for of in named.values())


@pytest.mark.parametrize("study", PAPERS)
def test_the_opening_table_says_of_every_item_what_is_counted(study):
    opening = [row for row in rows_of(cells(study)[0].source) if any(said(row[2]))]
    tally = counted(study)
    total = tally.pop("all")
    assert total == tuple(map(sum, zip(*tally.values(), strict=True)))
    for name, counts in tally.items():
        begins = re.compile(rf"{re.escape(name)}\b", re.IGNORECASE)
        (row,) = [row for row in opening if begins.match(row[0])]
        assert said(row[2]) == counts, row
    assert len(opening) == len(tally)  # and no item is counted that isn't in the tally


@pytest.mark.parametrize(("place", "study"), list(enumerate(PAPERS)))
def test_the_page_of_the_studies_has_the_totals(place, study):
    page = (ROOT / "docs" / "studies.md").read_text(encoding="utf-8")
    rows = [row[1:] for row in rows_of(page) if len(row) == 7 and row[1].isdigit()]
    _, *opening = rows_of(cells(study)[0].source)
    tally = counted(study)["all"]
    assert len(rows) == len(PAPERS)
    *counts, left_open = map(int, rows[place])
    assert counts == [len(opening), sum(tally), *tally]
    assert (left_open > 0) == any(re.search(r"\bopen\b", row[-1]) for row in opening)
