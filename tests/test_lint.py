"""The code passes its own style checks, as configured in pyproject.toml; types have their file."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.full


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["ruff", "check"], id="ruff check"),
        pytest.param(["ruff", "format", "--check"], id="ruff format"),
    ],
)
def test_the_checker_has_nothing_to_say(command):
    run = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
