"""A few tables of each new row of docs/coverage_ranks.md, and what the page says of all."""

import importlib.util
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"


def script():
    name = "coverage_ranks"
    spec = importlib.util.spec_from_file_location(name, DOCS / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up by its name.
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


RANKS = script()
PAGE = {
    cells[0]: cells
    for line in (DOCS / "coverage_ranks.md").read_text("utf-8").splitlines()
    if len(cells := line.strip("| ").split(" | ")) == 6
}
INSTANCES = {case.name: case for case in RANKS._instance_cases()}
SAFE = [name for name in INSTANCES if "taken as" not in name]


@pytest.mark.parametrize("name", INSTANCES)
def test_a_few_tables_agree_with_the_page(name):
    found = RANKS.coverage(INSTANCES[name], tables=40)
    measured = float(PAGE[name][2])
    error = max(measured * (1 - measured), 0.01) ** 0.5 / 40**0.5
    assert found.measured == pytest.approx(measured, abs=4 * error)
    assert found.width == pytest.approx(float(PAGE[name][5]), abs=0.3)


@pytest.mark.parametrize("name", SAFE)
def test_clusters_and_averages_hold_what_they_say(name):
    assert float(PAGE[name][2]) >= 0.94
    assert int(PAGE[name][4].replace(",", "")) == INSTANCES[name].tables


def test_what_is_taken_as_independent_does_not():
    wrong = [name for name in INSTANCES if name not in SAFE]
    assert len(wrong) == 2
    assert all(float(PAGE[name][2]) < 0.85 for name in wrong)
