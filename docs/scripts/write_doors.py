"""Write the door of each folder: the names that other folders take, in its `__init__.py`.

`python docs/scripts/write_doors.py` writes them anew; a test compares. A name is imported from the
module that defines it, so that nothing slow is loaded; the door, a comment, says which names those
are. What users take from a folder is in its `__all__` and not said again.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "nbrank"
MARK = "# What other folders take, each from its module. Written by docs/scripts/write_doors.py."

#: Module that defines it, name.
Name = tuple[str, str]


def module_name(path: Path) -> str:
    """Return the dotted name of a file."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def folder_of(module: str) -> str:
    """Return the folder directly below nbrank that a module is in; empty for one in none."""
    part = module.split(".")[1] if "." in module else ""
    return part if (PACKAGE / part).is_dir() else ""


@cache
def find_modules() -> set[str]:
    """Find the modules of nbrank."""
    return {module_name(file) for file in PACKAGE.rglob("*.py")}


def iter_taken(path: Path) -> Iterator[Name]:
    """Iterate over the names that a file takes from other files of nbrank."""
    modules = find_modules()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module in modules:
            for alias in node.names:
                yield str(node.module), alias.name


def find_doors() -> dict[str, set[Name]]:
    """Find the names of each folder that a file outside it takes."""
    doors: dict[str, set[Name]] = {}
    for folder in sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py")):
        doors[folder] = set()
    for path in PACKAGE.rglob("*.py"):
        if path == PACKAGE / "__init__.py":  # what users take
            continue
        for module, name in iter_taken(path):
            folder = folder_of(module)
            if folder and folder != folder_of(module_name(path)):
                doors[folder].add((module, name))
    return doors


def sort_key(name: str) -> tuple[int, str]:
    """Sort as ruff does: constants, classes, the rest."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


def make_door(text: str, folder: str, taken: set[Name]) -> str:
    """Return the text of a folder's `__init__.py` with these names in its door."""
    public = re.search(r"^__all__ = \[(.*?)\]", text, re.DOTALL | re.MULTILINE)
    names = {name for module, name in taken if module != f"nbrank.{folder}"}
    names -= set(re.findall(r'"(\w+)"', public[1] if public else ""))
    text = text.partition(f"\n{MARK}")[0].rstrip()
    if not names:
        return f"{text}\n"
    listed = textwrap.fill(
        ", ".join(sorted(names, key=sort_key)), 99, initial_indent="# ", subsequent_indent="# "
    )
    return f"{text}\n\n{MARK}\n{listed}\n"


if __name__ == "__main__":
    for folder, taken in find_doors().items():
        door = PACKAGE / folder / "__init__.py"
        door.write_text(make_door(door.read_text(encoding="utf-8"), folder, taken), "utf-8")
