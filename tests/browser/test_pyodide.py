"""Every example of the package, run by Pyodide: the Python that browsers have."""

import ast
import re
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.full

ROOT = Path(__file__).parents[2]
#: Examples that need a package which the distribution of the tests has not.
OF_OTHER_PACKAGES = {
    "nbrank/metrics/predictions.py::nbrank.metrics.predictions.global_scores": "scikit-learn",
    "nbrank/readers/large/long.py::nbrank.readers.large.long.from_parquet": "pyarrow",
}


def test_every_example_gives_what_it_shows(pyodide, vega_script, tmp_path):
    settings = tmp_path / "pytest.ini"
    settings.write_text(
        "[pytest]\ndoctest_optionflags = NUMBER ELLIPSIS NORMALIZE_WHITESPACE\n"
        "filterwarnings =\n    error\n    ignore:weights name\n"
    )
    shutil.copytree(ROOT / "nbrank", tmp_path / "nbrank")
    (tmp_path / "nbrank" / "charts" / "vega.js").write_text(vega_script)
    shutil.copy(ROOT / "conftest.py", tmp_path)
    left_out = [f"--deselect={example}" for example in OF_OTHER_PACKAGES]
    command = ["node", str(Path(__file__).parent / "examples.mjs"), str(pyodide), str(tmp_path)]
    options = [
        "-q",
        "-rs",
        "--doctest-modules",
        "--doctest-ignore-import-errors",
        "-p",
        "no:cacheprovider",
    ]
    run = subprocess.run(
        [*command, *options, *left_out, "nbrank"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout[-5000:] + run.stderr[-1000:]
    without_data = re.findall(
        r"^SKIPPED \[(\d+)\] conftest.py.* is not in ", run.stdout, re.MULTILINE
    )
    passed = int(run.stdout.rsplit(" passed")[0].split()[-1])
    assert passed == n_examples() - len(OF_OTHER_PACKAGES) - sum(map(int, without_data)), run.stdout


def n_examples() -> int:
    """How many docstrings of the package show an example."""
    trees = [ast.parse(path.read_text()) for path in (ROOT / "nbrank").rglob("*.py")]
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, documented)]
    return sum(">>>" in (ast.get_docstring(node) or "") for node in nodes)
