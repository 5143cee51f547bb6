"""The test run itself: what it skips and why, and that it notices what is false."""

import os
import re
import shutil
import subprocess
import sys
from importlib import util
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

ROOT = Path(__file__).parents[1]

FULL = """
import pytest

@pytest.mark.full
def test_that_takes_minutes():
    pass

def test_that_does_not():
    pass
"""
TESTS = """
from nbrank.datasets import fetch_llmfao

def test_of_a_missing_file():
    fetch_llmfao()

def test_of_another_error():
    raise OSError("the disk is full")
"""
EXAMPLE = '''"""
>>> from nbrank.datasets import fetch_llmfao
>>> fetch_llmfao().shape
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


def shown_by(project, files, *options):
    """What is printed by running a small project with this one's settings, offline."""
    for file in ("pyproject.toml", "conftest.py", "tests/nbval_sanitize.cfg"):
        (project / file).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / file, project / file)
    for file, content in files.items():
        (project / file).write_text(content, encoding="utf-8")
    # Nothing listens on the discard port, so that every request fails at once.
    offline = {"HTTPS_PROXY": "http://127.0.0.1:9", "NBRANK_DATA_DIR": str(project / "data")}
    finished = subprocess.run(
        [sys.executable, "-m", "pytest", "-v", *options, *files],
        cwd=project,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | offline,
        capture_output=True,
        text=True,
        check=False,
    )
    return finished.stdout


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    files = {
        "test_it.py": TESTS,
        "example.py": EXAMPLE,
        "missing.ipynb": notebook(
            ("print(0)", "0\n"),
            ("from nbrank.datasets import fetch_llmfao", ""),
            ("print(1)", "1\n"),
        ),
        "false.ipynb": notebook(("print(1 + 1)", "2\n"), ("print(2 + 2)", "5\n")),
    }
    return shown_by(tmp_path_factory.mktemp("project"), files, "-n", "0")


# The ids hold no "::", by which xdist would tell the scope of a test.
@pytest.mark.parametrize(
    "item",
    [
        pytest.param("test_it.py::test_of_a_missing_file", id="test"),
        pytest.param("example.py::example", id="example"),
        pytest.param("missing::ipynb::Cell 1", id="cell"),
        pytest.param("missing::ipynb::Cell 2", id="the cells after it"),
    ],
)
def test_what_needs_a_file_that_cannot_be_had_is_skipped(shown, item):
    assert re.search(rf"^{item} SKIPPED", shown, flags=re.MULTILINE)


def test_the_reason_names_the_file(shown):
    reasons = re.findall(r"^SKIPPED \[\d+\] (.*)$", shown, flags=re.MULTILINE)
    assert reasons
    assert all("llmfao/llmfao.csv (498,018 bytes) is not in" in reason for reason in reasons)


def test_any_other_error_fails(shown):
    assert "test_it.py::test_of_another_error FAILED" in shown


def test_the_cells_before_it_are_run(shown):
    assert re.search(r"^missing::ipynb::Cell 0 PASSED", shown, flags=re.MULTILINE)


def test_a_notebooks_output_is_compared(shown):
    # nbval parts the file name like this.
    assert re.search(r"^false::ipynb::Cell 0 PASSED", shown, flags=re.MULTILINE)
    assert re.search(r"^false::ipynb::Cell 1 FAILED", shown, flags=re.MULTILINE)


def test_the_run_ends_with_pytests_closing_line(shown):
    last = shown.rstrip().splitlines()[-1]
    assert re.fullmatch(r"=+ 2 failed, 2 passed, 4 skipped in [\d.]+s.* =+", last)


def test_the_cell_that_runs_the_baselines_is_skipped_without_the_extra(monkeypatch):
    spec = util.spec_from_file_location("hooks_of_the_run", ROOT / "conftest.py")
    hooks = util.module_from_spec(spec)
    spec.loader.exec_module(hooks)
    monkeypatch.setattr(util, "find_spec", lambda name: None)
    reason = r"textblob, nltk, vaderSentiment, sklearn: pip install 'nbrank\[sentiment\]'"
    with pytest.raises(pytest.skip.Exception, match=reason):
        hooks.skip_without_sentiment_extra()


# ----------------------------------------------------------------------------- what --full runs


@pytest.mark.parametrize("processes", ["0", pytest.param("1", marks=pytest.mark.full)])
def test_what_takes_minutes_is_left_out_and_counted(tmp_path, processes):
    shown = shown_by(tmp_path, {"test_full.py": FULL}, "-n", processes)
    assert re.search(r"^LEFT OUT \[1\] Binder.*: run with --full$", shown, flags=re.MULTILINE)
    assert re.search(r" 1 passed\b.* in [\d.]+s", shown.rstrip().splitlines()[-1])


def test_and_is_run_with_full(tmp_path):
    shown = shown_by(tmp_path, {"test_full.py": FULL}, "-n", "0", "--full")
    assert "LEFT OUT" not in shown
    assert " 2 passed in " in shown.rstrip().splitlines()[-1]


# ----------------------------------------------------------------------- which Python .ci/run takes

#: A Python that says it is of a version that no Python of this machine has.
PYTHON = """#!{executable}
import sys
from types import SimpleNamespace
sys.version_info = SimpleNamespace(major={major}, minor={minor}, releaselevel="{level}")
exec(sys.argv[2])
"""
#: A shim of pyenv with nothing behind it.
SHIM = "#!/bin/sh\necho 'pyenv: command not found' >&2\nexit 127\n"


def python(minor, level="final"):
    return PYTHON.format(executable=sys.executable, major=3, minor=minor, level=level)


@pytest.mark.parametrize(
    ("programs", "chosen"),
    [
        pytest.param(
            {"bin/python3.98": python(98), "bin/python3.99": python(99)},
            "bin/python3.99",
            id="the newest on the PATH",
        ),
        pytest.param(
            {"bin/python3.98": python(98), "pyenv/versions/3.99.2/bin/python": python(99)},
            "pyenv/versions/3.99.2/bin/python",
            id="a newer one of pyenv's",
        ),
        pytest.param(
            {"bin/python3.99": SHIM, "home/.pyenv/versions/3.99.0/bin/python": python(99)},
            "home/.pyenv/versions/3.99.0/bin/python",
            id="what a broken shim stands for",
        ),
        pytest.param(
            {"bin/python3.99": SHIM, "bin/python3.98": python(98)},
            "bin/python3.98",
            id="not a broken shim",
        ),
        pytest.param(
            {
                "pyenv/versions/3.99.9/bin/python": python(99),
                "pyenv/versions/3.99.10/bin/python": python(99),
            },
            "pyenv/versions/3.99.10/bin/python",
            id="the latest of a version",
        ),
        pytest.param(
            {"bin/python3.99": python(99, "candidate"), "bin/python3.98": python(98)},
            "bin/python3.98",
            id="not a pre-release",
        ),
        pytest.param({"bin/python3.97": python(97)}, "", id="none of those asked for"),
    ],
)
def test_the_first_python_that_runs_is_taken(tmp_path, programs, chosen):
    (tmp_path / "bin").mkdir()
    for name in ("bash", "find", "sort"):
        (tmp_path / "bin" / name).symlink_to(shutil.which(name))
    for name, text in programs.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    places = {"PATH": "bin", "PYENV_ROOT": "pyenv", "HOME": "home"}
    run = subprocess.run(
        ["/usr/bin/env", "bash", str(ROOT / ".ci" / "interpreter"), "3.99", "3.98"],
        env={name: str(tmp_path / place) for name, place in places.items()},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.stdout.strip() == (str(tmp_path / chosen) if chosen else "")
    assert run.returncode == (0 if chosen else 1)


def test_what_is_listed_for_full_is_there():
    listed = (ROOT / "tests" / "full_only.txt").read_text(encoding="utf-8").splitlines()
    assert listed == sorted(set(listed))
    for item in listed:
        file, _, name = item.partition("::")
        function = name.partition("[")[0].rpartition("::")[2]
        source = (ROOT / file).read_text(encoding="utf-8")
        assert file.endswith(".ipynb") or f"def {function}(" in source, item
