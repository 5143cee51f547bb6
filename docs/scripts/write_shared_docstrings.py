"""Write the texts of shared_docstrings.toml into the docstrings of the functions that share them.

A docstring is whole in the source, as users read it there; what several functions say of a
parameter, or of an error, is written once in that file, with the functions that say it. After a
change there, run this script. With `--check` it writes nothing and fails where the source differs.
"""

import argparse
import ast
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXTS = Path(__file__).with_name("shared_docstrings.toml")


@dataclass(frozen=True)
class SharedText:
    """An entry of a docstring's section: its header, the lines below, and who says it."""

    section: str
    header: str
    lines: tuple[str, ...]
    #: Module within nbrank -> its functions and classes; a method as `Class.method`.
    functions: dict[str, list[str]]


@dataclass(frozen=True)
class Docstring:
    """Where a docstring is among the lines of its file."""

    first: int
    end: int
    indent: str

    def find_entry(self, lines: list[str], section: str, header: str) -> slice | None:
        """Return the lines of an entry below its header; None if it isn't there.

        Parameters
        ----------
        lines
            The lines of the file.
        section
            The heading of the section, such as "Parameters".
        header
            The line that begins the entry, such as the name of a parameter.
        """
        own = [line.removeprefix(self.indent) for line in lines[self.first : self.end - 1]]
        current = ""
        for number, line in enumerate(own):
            if set(own[number + 1 : number + 2]) == {"-" * len(line)} and line:
                current = line
            elif (current, line) == (section, header):
                end = last = number + 1
                while last < len(own) and (own[last].startswith(" ") or not own[last]):
                    last += 1
                    # A blank line belongs to the entry if another line of it follows.
                    end = last if own[last - 1] else end
                return slice(self.first + number + 1, self.first + end)
        return None


def read_texts(path: Path = TEXTS) -> list[SharedText]:
    """Read the shared texts.

    Parameters
    ----------
    path
        The file with the texts.
    """
    entries = tomllib.loads(path.read_text(encoding="utf-8"))
    return [
        SharedText(section, entry["entry"], tuple(entry["text"].splitlines()), entry["functions"])
        for section, listed in entries.items()
        for entry in listed
    ]


@cache
def find_docstrings(source: str) -> dict[str, Docstring]:
    """Find the docstrings of a module's functions, classes and methods, by their names.

    Parameters
    ----------
    source
        The text of the module.
    """

    def walk(nodes: list[ast.stmt], prefix: str) -> Iterator[tuple[str, Docstring]]:
        for node in nodes:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                if ast.get_docstring(node) is not None:
                    text = node.body[0]
                    yield (
                        prefix + node.name,
                        Docstring(text.lineno - 1, text.end_lineno or 0, " " * text.col_offset),
                    )
                if isinstance(node, ast.ClassDef):
                    yield from walk(node.body, f"{prefix}{node.name}.")

    return dict(walk(ast.parse(source).body, ""))


def module_path(module: str, package: Path) -> Path:
    """Return the file of a module, given as "rules.means".

    Parameters
    ----------
    module
        Its name within the package.
    package
        The folder of the package.
    """
    path = package.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def write_text(source: str, text: SharedText, module: str) -> str:
    """Return the module's source with this text in the docstrings that share it.

    Parameters
    ----------
    source
        The text of the module.
    text
        The shared text.
    module
        The module's name, for the error about a function or entry that isn't there.
    """
    for name in text.functions[module]:
        lines = source.splitlines()
        docstring = find_docstrings(source).get(name)
        if docstring is None:
            raise ValueError(f"{TEXTS.name}: nbrank.{module} has no documented {name!r}")
        entry = docstring.find_entry(lines, text.section, text.header)
        if entry is None:
            raise ValueError(
                f"{TEXTS.name}: {text.section} of nbrank.{module}.{name} has no {text.header!r}"
            )
        lines[entry] = textwrap.indent("\n".join(text.lines), docstring.indent + "    ").split("\n")
        source = "\n".join(lines) + "\n"
    return source


def write_all(texts: list[SharedText], package: Path) -> dict[Path, str]:
    """Return the files whose docstrings differ from the shared texts, with what they should be.

    Parameters
    ----------
    texts
        The shared texts.
    package
        The folder of the package.
    """
    before: dict[Path, str] = {}
    after: dict[Path, str] = {}
    for text in texts:
        for module in text.functions:
            path = module_path(module, package)
            if not path.exists():
                raise ValueError(f"{TEXTS.name}: there is no module nbrank.{module}")
            if path not in before:
                before[path] = after[path] = path.read_text(encoding="utf-8")
            after[path] = write_text(after[path], text, module)
    return {path: source for path, source in after.items() if source != before[path]}


def main() -> None:
    """Write the docstrings, or fail where they differ."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing, fail on differences")
    check = parser.parse_args().check
    changed = write_all(read_texts(), ROOT / "nbrank")
    for path, source in changed.items():
        print(path.relative_to(ROOT))
        if not check:
            path.write_text(source, encoding="utf-8")
    sys.exit(1 if check and changed else 0)


if __name__ == "__main__":
    main()
