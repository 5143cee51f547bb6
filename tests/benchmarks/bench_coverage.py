"""How often intervals and sets of ranks hold what they claim, measured again.

    python -m pytest tests/benchmarks/bench_coverage.py

What is claimed, and on which tables, is in docs/scripts/coverage_pairs.py; what was found is in
docs/coverage_pairs.md. tests/test_coverage_pairs.py holds that table against the docstrings.
"""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location(
    "pairs", ROOT / "docs" / "scripts" / "coverage_pairs.py"
)
pairs = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(pairs)


@pytest.mark.parametrize("case", pairs.CASES, ids=lambda case: f"{case.claim} ({case.on})")
def test_a_claim_holds_as_often_as_the_table_says(benchmark, case):
    said = pairs.written()[case.claim, case.on]
    figure = benchmark.pedantic(pairs.measured, args=(case, said.tables // case.times), rounds=1)
    # The same seeds: only rounding differs from machine to machine.
    assert figure.held == pytest.approx(said.held, abs=0.005)
