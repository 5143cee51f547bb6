"""Write the stub that lists the methods of Leaderboard, Tally and Comparisons for type checkers.

`python docs/scripts/write_method_stubs.py` writes it anew; a test compares.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from nbrank import Comparisons, Leaderboard, Tally
from nbrank.votes.method_registry import METHODS, Method

SOURCES = (Leaderboard, Tally, Comparisons)
PACKAGE = Path(__file__).parents[2] / "nbrank"
STUB = PACKAGE / "votes" / "source_methods.pyi"
HEADING = (
    '"""The methods of each source of votes. Written by docs/scripts/write_method_stubs.py."""'
)


def parse_module(module: str) -> ast.Module:
    """Return the syntax tree of one of our modules."""
    path = PACKAGE.parent.joinpath(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.parse(path.read_text(encoding="utf-8"))


def import_statement(name: str, module: str) -> str:
    """Return the import of a name that one of our modules uses, from where it is defined."""
    for node in ast.walk(parse_module(module)):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        for alias in node.names:
            if (alias.asname or alias.name) != name:
                continue
            if isinstance(node, ast.Import):
                return f"import {ast.unparse(alias)}"
            if str(node.module).startswith("nbrank.") and alias.asname is None:
                return import_statement(name, str(node.module))
            return f"from {node.module} import {ast.unparse(alias)}"
    return f"from {module} import {name}"


def iter_definitions(method: Method) -> Iterator[tuple[ast.FunctionDef, str]]:
    """Iterate over the signatures of a method's function, overloads too, with its module."""
    function = inspect.unwrap(method.load())
    definitions = [
        node
        for node in parse_module(function.__module__).body
        if isinstance(node, ast.FunctionDef) and node.name == function.__name__
    ]
    for node in definitions[:-1] or definitions:
        yield node, function.__module__


class _Values(ast.NodeTransformer):
    """Puts the values of a module's constants in the place of their names."""

    def __init__(self, module: str) -> None:
        self.constants = vars(sys.modules[module])

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.parse(repr(self.constants[node.id]), mode="eval").body

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        value = eval(ast.unparse(node), self.constants)
        return ast.parse(repr(value), mode="eval").body


def make_method(node: ast.FunctionDef, module: str, question: str) -> tuple[str, set[str]]:
    """Return the source of a method, and the names that its signature uses."""
    arguments = node.args
    positional = arguments.posonlyargs or arguments.args
    positional[0] = ast.arg("self")
    values = _Values(module)
    arguments.defaults = [values.visit(default) for default in arguments.defaults]
    arguments.kw_defaults = [item and values.visit(item) for item in arguments.kw_defaults]
    names = {item.id for item in ast.walk(arguments) if isinstance(item, ast.Name)}
    returns = ast.unparse(node.returns or ast.Name("None"))
    names |= {item.id for item in ast.walk(ast.parse(returns)) if isinstance(item, ast.Name)}
    overload = any(ast.unparse(item) == "overload" for item in node.decorator_list)
    lines = ["@overload"] if overload else []
    lines += [f"def {node.name}({ast.unparse(arguments)}) -> {returns}:", f'    """{question}"""']
    return "\n".join(lines), (names | {"overload"} if overload else names) - set(dir(builtins))


def make_stub() -> str:
    """Return the text of the stub: a class for the methods that the same sources share."""
    imports: dict[str, str] = {}
    shared: dict[tuple[str, ...], list[str]] = {}
    for name, method in sorted(METHODS.items()):
        sources = tuple(source.__name__ for source in SOURCES if method.requires <= source.provides)
        for node, module in iter_definitions(method) if sources else ():
            text, names = make_method(node, module, method.question)
            shared.setdefault(sources, []).extend(f"    {line}" for line in text.splitlines())
            for used in names:
                statement = import_statement(used, module)
                if imports.setdefault(used, statement) != statement:
                    raise ValueError(f"{name}: {statement}, but also {imports[used]}; rename one")
    classes = []
    for sources, lines in shared.items():
        if len(sources) > 1:
            classes += [f"class _{'And'.join(sources)}Methods:", *lines]
    for source in SOURCES:
        bases = [f"_{'And'.join(many)}Methods" for many in shared if len(many) > 1]
        bases = [base for base in bases if source.__name__ in base]
        own = shared.get((source.__name__,), ["    pass"])
        classes += [f"class {source.__name__}Methods({', '.join(bases)}):", *own]
    text = "\n".join([HEADING, "", *sorted(imports.values()), "", *classes, ""])
    for command in (["check", "--select=I", "--fix-only", "--quiet"], ["format", "--quiet"]):
        ruff = [sys.executable, "-m", "ruff", *command, f"--stdin-filename={STUB}", "-"]
        text = subprocess.run(
            ruff, input=text, capture_output=True, text=True, check=True, cwd=PACKAGE.parent
        ).stdout
    return text


if __name__ == "__main__":
    STUB.write_text(make_stub(), encoding="utf-8")
