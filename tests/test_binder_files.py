"""What binder/ names is there: its files, the packages that notebooks import, what badges open.

test_binder.py builds the environment; these tests need no network.
"""

import ast
import functools
import os
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import nbformat
import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
BINDER = ROOT / "binder"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PAGES = [ROOT / "README.md", ROOT / "docs" / "teaching.md"]
LINKS = sorted(
    {link for page in PAGES
     for link in re.findall(r"\((https://mybinder\.org/v2/[^)]+)\)", page.read_text("utf-8"))}
)  # fmt: skip
EXTRAS = re.fullmatch(
    r"-e \./\[([\w,]+)\]", (BINDER / "requirements.txt").read_text(encoding="utf-8").strip()
)[1].split(",")


def required(extra):
    """The names of the packages of an extra, those of extras within it included."""
    named = set()
    for requirement in map(Requirement, PROJECT["optional-dependencies"][extra]):
        if requirement.name == PROJECT["name"]:
            named |= {name for other in requirement.extras for name in required(other)}
        named.add(canonicalize_name(requirement.name))
    return named


@functools.cache
def homes():
    """The packages of each module that is installed."""
    return packages_distributions()


def imported(notebook):
    """The top-level modules that the cells of a notebook import."""
    for cell in nbformat.read(notebook, as_version=4).cells:
        for node in ast.walk(ast.parse(cell.source)) if cell.cell_type == "code" else ():
            if isinstance(node, ast.Import):
                yield from (alias.name.split(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                yield node.module.split(".")[0]


def test_the_requirements_are_the_project_with_extras_that_it_has():
    assert set(EXTRAS) <= PROJECT["optional-dependencies"].keys()


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda p: p.stem)
def test_every_module_that_a_notebook_imports_is_of_a_package_that_is_named(path):
    named = {"nbrank"}.union(*map(required, EXTRAS))
    named |= {canonicalize_name(Requirement(of).name) for of in PROJECT["dependencies"]}
    for module in set(imported(path)) - sys.stdlib_module_names:
        assert {canonicalize_name(home) for home in homes().get(module, [module])} & named, module


def test_the_python_is_one_that_the_project_takes():
    version = (BINDER / "runtime.txt").read_text(encoding="utf-8").strip().removeprefix("python-")
    assert version in SpecifierSet(PROJECT["requires-python"])


def test_what_is_run_after_the_build_can_be_run():
    post_build = BINDER / "postBuild"
    assert os.access(post_build, os.X_OK)
    assert post_build.read_text(encoding="utf-8").startswith("#!/usr/bin/env python\n")


@pytest.mark.parametrize("link", LINKS)
def test_a_link_to_binder_opens_a_notebook_that_is_there(link):
    opened = parse_qs(urlsplit(link).query)["urlpath"][0]
    for start in ("lab/tree/", "voila/render/"):
        if opened.startswith(start):
            assert (ROOT / opened.removeprefix(start)).is_file()
            return
    pytest.fail(f"{opened} is opened by neither JupyterLab nor Voila")
