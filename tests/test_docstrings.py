"""Every public function says what it takes: its parameters, all of them and no others."""

import importlib
import inspect
import re
from typing import Any

import pytest

from nbrank.votes.method_registry import METHODS

MODULES = (
    *("nbrank", "nbrank.agreement", "nbrank.axioms", "nbrank.charts"),
    *("nbrank.consensus", "nbrank.datasets", "nbrank.experiments", "nbrank.frontends.workbench"),
    *("nbrank.metrics", "nbrank.readers", "nbrank.synthetic", "nbrank.tournament"),
)
SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)


def public() -> dict[str, Any]:
    found: dict[str, Any] = {name: method.load() for name, method in METHODS.items()}
    for module in map(importlib.import_module, MODULES):
        found |= {f"{module.__name__}.{name}": getattr(module, name) for name in module.__all__}
    return {name: one for name, one in found.items() if inspect.isfunction(one)}


def documented(function: Any) -> list[list[str]]:
    """Parameters that are described, those together that are described together."""
    sections = SECTION.split(inspect.getdoc(function) or "")
    told = dict(zip(sections[1::2], sections[2::2], strict=True))
    lines = [line for line in told.get("Parameters", "").splitlines() if line[:1].strip()]
    return [[name.lstrip("*") for name in line.split(", ")] for line in lines]


@pytest.mark.parametrize(("name", "function"), public().items())
def test_its_parameters_are_described_in_their_order(name: str, function: Any) -> None:
    told, taken = documented(function), list(inspect.signature(function).parameters)
    assert sorted(name for names in told for name in names) == sorted(taken)
    places = [taken.index(names[0]) for names in told]
    assert places == sorted(places)


@pytest.mark.parametrize(("name", "function"), public().items())
def test_a_signature_names_types_that_its_defaults_have(name: str, function: Any) -> None:
    for one in inspect.signature(function).parameters.values():
        assert not isinstance(one.default, bool) or "bool" in str(one.annotation), one
        assert one.kind is not one.VAR_KEYWORD or not str(one.annotation).endswith("Options"), one


@pytest.mark.parametrize(("name", "function"), public().items())
def test_it_says_what_comes_back_and_shows_an_example(name: str, function: Any) -> None:
    said = inspect.getdoc(function) or ""
    headings = SECTION.split(said)[1::2]
    returns = inspect.signature(function).return_annotation
    assert "Returns" in headings or returns in (None, "None")
    assert "Examples" in headings
    assert not re.search(r"^\s*\{\w+\}$", said, re.MULTILINE), "a shared sentence isn't filled in"
