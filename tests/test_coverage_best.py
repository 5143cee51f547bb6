"""What docs/coverage_best.md says of the sets of the best, and a few of its tables drawn anew."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

import nbrank
from nbrank.arrays.uncertainty.skewed_pair_tests import SkewedPairTests

#: Tables of skewed scores are among those that are drawn.
pytestmark = pytest.mark.filterwarnings("ignore:best_set.*few for scores so skewed")

DOCS = Path(__file__).parents[1] / "docs"


def script():
    name = "coverage_best"
    spec = importlib.util.spec_from_file_location(name, DOCS / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up by its name.
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


BEST = script()
PAGE = {
    cells[0]: cells
    for line in (DOCS / "coverage_best.md").read_text("utf-8").splitlines()
    if len(cells := line.strip("| ").split(" | ")) >= 5 and cells[1].replace(",", "").isdigit()
}
#: Where means owe much to few tasks.
SHORT = [
    *(name for name in PAGE if name.startswith("mean, rare big wins")),
    *(name for name in PAGE if name.startswith("mean, skewed") and name.endswith(" 8 tasks")),
]


def test_the_page_has_a_row_for_each_kind_of_table():
    assert list(PAGE) == list(BEST.rows())


@pytest.mark.parametrize("name", PAGE)
def test_the_best_are_kept_as_often_as_promised(name):
    assert int(PAGE[name][1].replace(",", "")) >= 2000
    assert float(PAGE[name][2]) >= (0.88 if name in SHORT else 0.94)


@pytest.mark.parametrize(
    "name",
    [
        "mean, normal, equal, 8 tasks",
        "borda, skewed, one leader, 14 tasks",
        "mean, 30 % missing, spread, 14 tasks",
        "mean, 15 passages of 1 to 29 questions, equal",
    ],
)
def test_a_few_tables_agree_with_the_page(name):
    row = next(iter(BEST.measure(name, 30)))
    kept = float(PAGE[name][2])
    assert row.kept == pytest.approx(kept, abs=4 * max(kept * (1 - kept) / 30, 0.0005) ** 0.5)
    assert row.size == pytest.approx(float(PAGE[name][5]), rel=0.2)


@pytest.mark.parametrize("rule", ["mean", "borda"])
@pytest.mark.parametrize("kind", ["normal", "ties", "30 % missing"])
def test_it_measures_what_best_set_says(rule, kind):
    rng = np.random.default_rng(0)
    tables = [BEST.KINDS[kind].scores(rng, BEST.SHAPES["spread"], 8) for _ in range(3)]
    added = BEST.contributions(np.concatenate(tables, axis=1), rule)
    # All 2^8 sign patterns, whatever the seed.
    p_values = BEST.best_p_values(added, BEST.draw_signs(rng, 8, 999))
    options = {"missing": "ignore"} if rule == "mean" else {}
    for values, expected in zip(tables, p_values, strict=True):
        found = nbrank.best_set(BEST.pd.DataFrame(values), rule, **options)
        assert found["p_value"].sort_index().tolist() == pytest.approx(expected.tolist())


def test_it_redraws_tasks_as_best_set_does():
    rng = np.random.default_rng(0)
    scores = BEST.KINDS["skewed"].scores(rng, BEST.SHAPES["spread"], 14)
    tests = SkewedPairTests.from_contributions(BEST.contributions(scores, "mean"), 999, rng)
    by_signs = tests.best_p_values()
    redrawn = BEST.bootstrap_p_values(
        BEST.contributions(scores, "mean"), tests.counts, by_signs > 0.05
    )
    left_out = by_signs <= 0.05
    assert (redrawn > by_signs)[left_out].any()
    expected = np.where(left_out, np.maximum(by_signs, redrawn), by_signs)
    assert tests.best_p_values_of_both(0.05) == pytest.approx(expected)
