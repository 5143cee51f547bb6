"""The report of the benchmarks says what they measured, and fails where a claim does not hold."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.full

BENCHMARKS = '''"""A file of benchmarks"""

import time

import pytest

@pytest.mark.parametrize("contender", ["nbrank", "a peer", "a fast peer"])
def test_race(race, contender):
    seconds = {"nbrank": 0.1, "a peer": 0.3, "a fast peer": 0.01}[contender]
    race("who sleeps longer", contender, lambda: time.sleep(seconds), rounds=2)

@pytest.mark.parametrize("at_most", [1.5, 0.5])
def test_growth(growth, at_most):
    def prepare(size):
        def work():
            start = time.process_time()
            while time.process_time() - start < size / 1000:
                pass

        return work

    growth("milliseconds", [20, 40, 80], prepare, at_most=at_most, rounds=2)

def test_limits(benchmark, within):
    benchmark(len, "")
    within("what is small", 1.25, 2, "MiB")
    within("what is large", 2.5, 2, "MiB")
'''


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """What is printed by running a few benchmarks of time asleep."""
    project = tmp_path_factory.mktemp("project")
    for file in ("pyproject.toml", "conftest.py", "tests/benchmarks/conftest.py"):
        (project / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, project / file)
    (project / "tests" / "benchmarks" / "bench_sleep.py").write_text(BENCHMARKS, encoding="utf-8")
    # Taken for a worker of this run, pytest-benchmark would refuse to measure.
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "tests/benchmarks", "--benchmark-only"],
        cwd=project, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.stdout, run.stderr
    return run.stdout


def test_a_race_is_a_table_of_times_and_ratios(report):
    summary = report.rpartition("against what people use today")[2].splitlines()
    assert summary[1] == "who sleeps longer"
    assert re.fullmatch(r" +nbrank +[\d.]+ ms", summary[2])
    assert re.fullmatch(r" +a peer +[\d.]+ ms +x [23]\.\d", summary[3])
    assert re.fullmatch(r" +a fast peer +[\d.]+ ms +x 0\.\d", summary[4])


def test_growth_is_the_slope_of_a_fit(report):
    slopes = re.findall(r"^milliseconds +slope (\S+) +at most \d", report, re.MULTILINE)
    assert [float(slope) for slope in slopes] == pytest.approx([1, 1], abs=0.3)
    assert re.search(r"^    20: .* ms, 40: .* ms, 80: .* ms$", report, re.MULTILINE)


def test_a_limit_stands_beside_the_figure(report):
    assert re.search(r"^what is small +1\.25 MiB +at most 2\.00 MiB$", report, re.MULTILINE)


def test_what_is_claimed_and_does_not_hold_fails(report):
    failed = re.findall(r"^_+ (test_.+) _+$", report, re.MULTILINE)
    assert failed == ["test_race[a fast peer]", "test_growth[0.5]", "test_limits"]
    assert "3 failed, 3 passed" in report
    assert re.search(r"^what is large +2\.50 MiB +at most 2\.00 MiB$", report, re.MULTILINE)


def test_the_report_names_the_machine(report):
    assert re.search(r"\d+ cores; Python 3\.\d+\.\d+, numpy \d", report)
