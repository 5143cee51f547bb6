"""Every public function describes its parameters, all of them and no others, in its source."""

import ast
import importlib
import inspect
import re
import textwrap
from pathlib import Path
from typing import Any

import pytest

import nbrank
from nbrank.votes.method_registry import METHODS

pytestmark = pytest.mark.source

PACKAGE = Path(nbrank.__file__).parent
MODULES = (
    *("nbrank", "nbrank.agreement", "nbrank.axioms", "nbrank.charts"),
    *("nbrank.consensus", "nbrank.datasets", "nbrank.experiments", "nbrank.frontends.workbench"),
    *("nbrank.metrics", "nbrank.readers", "nbrank.synthetic", "nbrank.tournament"),
)
SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
SNAKE_CASE = re.compile(r"`([a-z]+(?:_[a-z]+)+)`")
PLACEHOLDER = re.compile(r"^\s*\{\w+\}$", re.MULTILINE)


def public_functions() -> dict[str, Any]:
    objects: dict[str, Any] = {name: method.load() for name, method in METHODS.items()}
    for module in map(importlib.import_module, MODULES):
        objects |= {f"{module.__name__}.{name}": getattr(module, name) for name in module.__all__}
    return {name: item for name, item in objects.items() if inspect.isfunction(item)}


def section(function: Any, heading: str) -> str:
    parts = SECTION.split(inspect.getdoc(function) or "")
    return dict(zip(parts[1::2], parts[2::2], strict=True)).get(heading, "")


def documented_parameters(function: Any) -> list[list[str]]:
    """Return the parameters in the docstring; those described together are in one list."""
    lines = [line for line in section(function, "Parameters").splitlines() if line[:1].strip()]
    return [[name.lstrip("*") for name in line.split(", ")] for line in lines]


@pytest.mark.parametrize(("name", "function"), public_functions().items())
def test_its_parameters_are_described_in_their_order(name: str, function: Any) -> None:
    documented = documented_parameters(function)
    parameters = list(inspect.signature(function).parameters)
    assert sorted(name for names in documented for name in names) == sorted(parameters)
    positions = [parameters.index(names[0]) for names in documented]
    assert positions == sorted(positions)


@pytest.mark.parametrize("source", [nbrank.Leaderboard, nbrank.Tally, nbrank.Comparisons])
def test_what_a_source_is_made_of_is_described_in_its_order(source: type) -> None:
    described = [name for names in documented_parameters(source) for name in names]
    assert described == list(inspect.signature(source).parameters)


def test_names_in_backticks_of_what_is_returned_exist() -> None:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    docstrings = {
        ast.get_docstring(node, clean=False)
        for node in nodes
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
    }
    texts = [node.value for node in nodes if isinstance(node, ast.Constant)]
    known = {text for text in texts if isinstance(text, str) and text not in docstrings}
    known |= {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    known |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    unknown = {
        (name, word)
        for name, function in public_functions().items()
        for word in SNAKE_CASE.findall(section(function, "Returns"))
        if word not in known
    }
    assert unknown == set()


@pytest.mark.parametrize(("name", "function"), public_functions().items())
def test_a_signature_names_types_that_its_defaults_have(name: str, function: Any) -> None:
    for item in inspect.signature(function).parameters.values():
        assert not isinstance(item.default, bool) or "bool" in str(item.annotation), item
        options = item.kind is item.VAR_KEYWORD and str(item.annotation).endswith("Options")
        assert not options, item


@pytest.mark.parametrize(("name", "function"), public_functions().items())
def test_it_describes_its_result_and_shows_an_example(name: str, function: Any) -> None:
    headings = SECTION.split(inspect.getdoc(function) or "")[1::2]
    returns = inspect.signature(function).return_annotation
    assert "Returns" in headings or returns in (None, "None")
    assert "Examples" in headings


@pytest.mark.parametrize(("name", "function"), public_functions().items())
def test_its_docstring_is_the_one_in_the_source(name: str, function: Any) -> None:
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(definition, ast.FunctionDef)
    assert inspect.getdoc(function) == ast.get_docstring(definition)


def test_no_docstring_has_placeholders() -> None:
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    placeholders = {
        path.relative_to(PACKAGE).as_posix(): names
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, documented)
        and (names := PLACEHOLDER.findall(ast.get_docstring(node) or ""))
    }
    assert placeholders == {}
