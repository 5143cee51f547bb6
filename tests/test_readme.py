"""The README shows what the library does, and its table is the registry's."""

import doctest
import importlib.util
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_its_examples_run():
    found = doctest.testfile(
        str(ROOT / "README.md"),
        module_relative=False,
        optionflags=doctest.NORMALIZE_WHITESPACE,
        encoding="utf-8",
    )
    assert found.attempted > 2
    assert found.failed == 0


def test_its_table_of_rules_is_the_registrys():
    spec = importlib.util.spec_from_file_location(
        "update_readme", ROOT / "scripts" / "update_readme.py"
    )
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert script.with_table(readme) == readme, "run scripts/update_readme.py"
    assert "| `optimality_gap(gamma)` |" in readme


def test_the_files_it_points_to_are_there():
    import re

    for target in re.findall(r"\]\(([^)#:]+)\)", (ROOT / "README.md").read_text(encoding="utf-8")):
        assert (ROOT / target).exists(), target
