"""How often sets of ranks hold: the tables of docs/scripts/coverage_*.py, row by row."""

import importlib
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
sys.path.insert(0, str(DOCS / "scripts"))
RANKS = importlib.import_module("coverage_ranks")
PAGES = {
    "coverage_ranks": RANKS.CASES,
    "coverage_measured": importlib.import_module("coverage_measured").CASES,
}
CASES = {name: case for cases in PAGES.values() for name, case in cases.items()}
#: What the docstrings say falls short.
SHORT = {
    "mean, 20 systems on 14 tasks; skewed errors": 0.77,
    "mean, 7 systems on 40 tasks; skewed errors": 0.89,
    "mean, 40 passages of 10 questions; equal systems; each question taken as independent": 0.41,
    "mean, 2 equal systems on 30 questions with 10 samples each; each taken as a question": 0.82,
}
#: How wide sets may be where systems are apart, so that nobody holds the truth by saying nothing.
NARROW = {
    "15 clusters, the largest .44 of the comparisons"
    "; systems apart, clusters of different tastes": 5.6,
    "30 clusters, the largest .35 of the comparisons"
    "; systems apart, clusters of different tastes": 5.0,
    "15 clusters, of one size; systems apart, clusters of different tastes": 3.8,
    "30 clusters, of one size; systems apart, clusters of different tastes": 3.25,
    "covariance of 20 systems from 8 tasks; systems apart": 19.7,
    "covariance of 20 systems from 14 tasks; systems apart": 17.6,
    "bradley_terry, one with 80 % missing of 30 tasks; systems apart": 5.7,
    "mean, 40 passages of 10 questions; systems apart": 4.0,
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_truth_is_held_as_often_as_it_says(benchmark, case):
    found = benchmark.pedantic(RANKS.coverage, args=(case,), rounds=1)
    benchmark.extra_info["row"] = " | ".join(found.cells)
    if case.name in SHORT:
        assert found.measured == pytest.approx(SHORT[case.name], abs=3 * found.error)
    else:
        assert found.measured >= RANKS.NOMINAL - 3 * found.error
    assert found.width <= NARROW.get(case.name, float("inf"))


def test_every_case_that_is_named_here_is_there():
    assert (SHORT.keys() | NARROW.keys()) <= CASES.keys()


@pytest.mark.parametrize("name", PAGES)
def test_the_page_has_a_row_for_each_case(name):
    page = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    rows = [line.split(" | ")[0].removeprefix("| ") for line in page.splitlines() if "0.95" in line]
    assert rows == list(PAGES[name])
