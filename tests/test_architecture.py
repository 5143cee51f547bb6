"""Three floors, imports only downward, and an import that loads nothing it doesn't need."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "nbrank"
MODULES = sorted(PACKAGE.rglob("*.py"))


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path: Path) -> set[str]:
    """The modules that a file imports, at its top or inside functions."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: imports are absolute"
            names.add(node.module)
            if node.module == "nbrank":
                names |= {f"nbrank.{alias.name}" for alias in node.names}
    return names


def floor(name: str) -> int:
    """1 for the arrays, 2 for the labelled tables, 3 for the faces."""
    return {"arrays": 1, "labelled": 2}.get(name.split(".")[1] if "." in name else "", 3)


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_imports_go_downward(path):
    own = floor(module_name(path))
    inside = {name for name in imported(path) if name.split(".")[0] == "nbrank"}
    upward = sorted(name for name in inside if floor(name) > own)
    assert not upward, f"floor {own} imports from above: {upward}"


@pytest.mark.parametrize(
    "path", [path for path in MODULES if floor(module_name(path)) == 1], ids=module_name
)
def test_the_arrays_know_nothing_of_labels(path):
    top_level = {name.split(".")[0] for name in imported(path)}
    assert top_level <= {"numpy", "scipy", "nbrank"} | set(sys.stdlib_module_names)


def test_a_file_of_the_floors_is_on_one_of_them():
    floors = [PACKAGE / "arrays", PACKAGE / "labelled"]
    assert all(list(folder.glob("*.py")) for folder in floors)


SLOW = [
    "IPython", "altair", "anywidget", "dask", "great_tables", "ipywidgets", "networkx", "numba",
    "pooch", "requests", "scipy", "sklearn", "tqdm",
]  # fmt: skip


def loaded_by(statement: str) -> set[str]:
    """The slow libraries that a fresh interpreter holds after a statement."""
    code = f"{statement}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parent
    )
    return {name.split(".")[0] for name in json.loads(run.stdout)} & set(SLOW)


@pytest.mark.parametrize(
    "statement",
    [
        "import nbrank",
        "import nbrank, nbrank.datasets",
        "import nbrank; nbrank.datasets.load_llm_chat()",
        "import nbrank; nbrank.datasets.load_llm_chat().rank.borda()",
    ],
)
def test_importing_loads_only_numpy_and_pandas(statement):
    assert loaded_by(statement) == loaded_by("import pandas")
