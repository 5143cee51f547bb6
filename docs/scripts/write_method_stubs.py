"""Write the stub that lists the methods of Leaderboard, Tally and Comparisons for type checkers.

Each method is the public function itself, so its signature and docstring are read where they are
defined. `python docs/scripts/write_method_stubs.py` writes the stub anew; a test compares.
"""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

from nbrank import Comparisons, Leaderboard, Tally
from nbrank.votes.method_registry import METHODS

SOURCES = (Leaderboard, Tally, Comparisons)
PACKAGE = Path(__file__).parents[2] / "nbrank"
STUB = PACKAGE / "votes" / "source_methods.pyi"
HEADING = (
    '"""The methods of each source of votes. Written by docs/scripts/write_method_stubs.py."""'
)


def make_stub() -> str:
    """Return the text of the stub: a class for the methods that the same sources share."""
    imports: set[str] = set()
    shared: dict[tuple[str, ...], list[str]] = {}
    for name, method in sorted(METHODS.items()):
        sources = tuple(source.__name__ for source in SOURCES if method.requires <= source.provides)
        if sources:
            folder, _, module = inspect.unwrap(method.load()).__module__.rpartition(".")
            imports.add(f"from {folder} import {module}")
            shared.setdefault(sources, []).append(f"    {name} = {module}.{name}")
    classes = []
    for sources, lines in shared.items():
        if len(sources) > 1:
            classes += [f"class _{'And'.join(sources)}Methods:", *lines]
    for source in SOURCES:
        bases = [f"_{'And'.join(many)}Methods" for many in shared if len(many) > 1]
        bases = [base for base in bases if source.__name__ in base]
        own = shared.get((source.__name__,), ["    pass"])
        classes += [f"class {source.__name__}Methods({', '.join(bases)}):", *own]
    text = "\n".join([HEADING, "", *sorted(imports), "", *classes, ""])
    for command in (["check", "--select=I", "--fix-only", "--quiet"], ["format", "--quiet"]):
        ruff = [sys.executable, "-m", "ruff", *command, f"--stdin-filename={STUB}", "-"]
        text = subprocess.run(
            ruff, input=text, capture_output=True, text=True, check=True, cwd=PACKAGE.parent
        ).stdout
    return text


if __name__ == "__main__":
    STUB.write_text(make_stub(), encoding="utf-8")
