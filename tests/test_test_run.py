"""The test run itself: what it skips and why, and that it notices what is false."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

ROOT = Path(__file__).parents[1]

TESTS = """
from nbrank.datasets import fetch_value

def test_of_a_missing_file():
    fetch_value()

def test_of_another_error():
    raise OSError("the disk is full")
"""
EXAMPLE = '''"""
>>> from nbrank.datasets import fetch_value
>>> fetch_value().systems
"""
'''


def notebook(*cells):
    """A notebook's text, from pairs of a cell's code and its printed output."""
    return nbformat.writes(
        new_notebook(
            cells=[
                new_code_cell(
                    code,
                    execution_count=count,
                    outputs=[new_output("stream", name="stdout", text=printed)] if printed else [],
                )
                for count, (code, printed) in enumerate(cells, start=1)
            ]
        )
    )


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """What is printed by running a small project with this one's settings, offline."""
    project = tmp_path_factory.mktemp("project")
    for file in ("pyproject.toml", "conftest.py", "tests/nbval_sanitize.cfg"):
        (project / file).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / file, project / file)
    files = {
        "test_it.py": TESTS,
        "example.py": EXAMPLE,
        "missing.ipynb": notebook(
            ("from nbrank.datasets import fetch_value", ""), ("print(1)", "1\n")
        ),
        "false.ipynb": notebook(("print(1 + 1)", "2\n"), ("print(2 + 2)", "5\n")),
    }
    for file, content in files.items():
        (project / file).write_text(content, encoding="utf-8")
    # Nothing listens on the discard port, so that every request fails at once.
    offline = {"HTTPS_PROXY": "http://127.0.0.1:9", "NBRANK_DATA_DIR": str(project / "data")}
    finished = subprocess.run(
        [sys.executable, "-m", "pytest", "-n", "0", "-v", *files],
        cwd=project,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | offline,
        capture_output=True,
        text=True,
        check=False,
    )
    return finished.stdout


# The ids hold no "::", by which xdist would tell the scope of a test.
@pytest.mark.parametrize(
    "item",
    [
        pytest.param("test_it.py::test_of_a_missing_file", id="test"),
        pytest.param("example.py::example", id="example"),
        pytest.param("missing::ipynb::Cell 1", id="notebook"),
    ],
)
def test_what_needs_a_file_that_cannot_be_had_is_skipped(shown, item):
    assert re.search(rf"^{item} SKIPPED", shown, flags=re.MULTILINE)


def test_the_reason_names_the_file(shown):
    reasons = re.findall(r"^SKIPPED \[\d+\] (.*)$", shown, flags=re.MULTILINE)
    assert reasons
    assert all("votenrank/value.csv (871 bytes) is not in" in reason for reason in reasons)


def test_any_other_error_fails(shown):
    assert "test_it.py::test_of_another_error FAILED" in shown


def test_a_notebooks_output_is_compared(shown):
    # nbval parts the file name like this.
    assert re.search(r"^false::ipynb::Cell 0 PASSED", shown, flags=re.MULTILINE)
    assert re.search(r"^false::ipynb::Cell 1 FAILED", shown, flags=re.MULTILINE)


def test_the_run_ends_with_pytests_closing_line(shown):
    last = shown.rstrip().splitlines()[-1]
    assert re.fullmatch(r"=+ 2 failed, 1 passed, 4 skipped in [\d.]+s.* =+", last)
