"""What the written pages of the site show is what comes out."""

import doctest
import json
import re
import sys
import tomllib
from pathlib import Path

import pytest

import nbrank

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
LESSONS = sorted((ROOT / "notebooks").glob("voting_paradoxes_*.ipynb"))
sys.path.insert(0, str(DOCS))
import page_notebooks  # noqa: E402
import pages  # noqa: E402

WRITTEN = [
    DOCS / "getting_started.md",
    DOCS / "teaching.md",
    *sorted((DOCS / "how_to").glob("*.md")),
]


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.stem)
def test_what_a_page_shows_is_what_comes_out(page):
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert doctest.testfile(str(page), module_relative=False, optionflags=flags).failed == 0


def test_every_rule_says_when_to_use_it_and_when_not():
    said = tomllib.loads((DOCS / "rules.toml").read_text(encoding="utf-8"))
    assert said.keys() == nbrank.RULES.keys()
    assert all(entry.keys() == {"use", "avoid"} and all(entry.values()) for entry in said.values())


def code_of(text):
    """The code cells of a page's notebook."""
    return [cell for cell in page_notebooks.notebook(text)["cells"] if cell["cell_type"] == "code"]


@pytest.mark.parametrize("rule", ["borda", "normalized_mean", "elo"])
def test_the_example_on_a_rules_page_runs_as_a_notebook(rule, tmp_path):
    text = "\n".join(pages.worked_example(nbrank.RULES[rule], tmp_path))
    space = {}
    for cell in code_of(text):
        exec(cell["source"], space)
    assert f"{rule}(" in "".join(cell["source"] for cell in code_of(text))
    shown = text.split("```pycon\n")[1].split("```")[0]
    example = doctest.DocTestParser().get_doctest(shown, space, rule, None, 0)
    assert doctest.DocTestRunner(verbose=False).run(example).failed == 0


def test_a_page_says_in_its_notebook_what_it_says_and_leaves_out_what_comes_out():
    text = (
        "# A page\n\nSee [the rules](../rules.md) and {py:obj}`nbrank.borda`.\n\n"
        "```pycon\n>>> x = 1\n>>> x + 1\n2\n>>> 1 / 0\nTraceback (most recent call last):\n"
        "ZeroDivisionError: division by zero\n```\n\n```{toctree}\nothers\n```\n\nThe end.\n"
    )
    cells = page_notebooks.notebook(text)["cells"]
    assert [cell["source"] for cell in cells[1:]] == [
        "# A page\n\nSee the rules and `nbrank.borda`.",
        "x = 1\nx + 1",
        "1 / 0",
        "The end.",
    ]
    assert [cell["metadata"].get("tags") for cell in cells[2:4]] == [None, ["raises-exception"]]


def test_every_page_with_examples_links_to_its_notebook(tmp_path):
    for page in WRITTEN:
        name = page.relative_to(DOCS).with_suffix("").as_posix()
        source = [page.read_text(encoding="utf-8")]
        linked = re.search("```pycon", source[0]) is not None
        page_notebooks.add_links(None, name, source)
        assert source[0].count("Try it in your browser") == linked


def test_the_lessons_run_in_the_browser_and_on_binder():
    source = [(DOCS / "teaching.md").read_text(encoding="utf-8")]
    listed = re.findall(r"^\| \[.*?\]\(\.\./notebooks/(\w+)\.ipynb\)", source[0], re.MULTILINE)
    assert {"class", *(path.stem for path in LESSONS)} <= set(listed)
    page_notebooks.add_links(None, "teaching", source)
    for name in listed:
        assert f"href='lite/notebooks/index.html?path={name}.ipynb'" in source[0]
        assert f"%2Fnotebooks%2F{name}.ipynb" in source[0]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_the_page_of_a_lesson_links_to_the_lesson_that_runs_in_the_browser(lesson):
    source = [lesson.read_text(encoding="utf-8")]
    page_notebooks.add_links(None, f"notebooks/{lesson.stem}", source)
    first = "".join(json.loads(source[0])["cells"][0]["source"])
    assert f"href='../lite/notebooks/index.html?path={lesson.name}'" in first


@pytest.mark.parametrize(("page", "up"), [("hosts", ""), ("how_to/robust", "../")])
def test_a_link_to_a_notebook_leads_to_its_copy_on_the_site(page, up):
    source = [(DOCS / f"{page}.md").read_text(encoding="utf-8")]
    notebook = re.search(r"\]\(../(\S*notebooks/\w+\.ipynb)\)", source[0])[1]
    page_notebooks.link_copied_notebooks(None, page, source)
    assert notebook.startswith(f"{up}notebooks/")
    assert f"]({notebook})" in source[0]
    assert f"](../{notebook})" not in source[0]


def test_each_chart_of_the_gallery_has_a_notebook_of_its_own():
    source = ["# Gallery\n\n## ranks\n\n```python\nranks()\n```\n\n## other\n\nNo example.\n"]
    page_notebooks.add_links(None, "gallery", source)
    assert re.findall(r"path=(\S+)\.ipynb", source[0]) == ["gallery-ranks"]


def test_an_example_begins_with_the_import_that_it_needs():
    docstring = ["Say.", "", ">>> x = 1", ">>> kendall_tau(x)"]
    called = nbrank.agreement.kendall_tau
    page_notebooks.import_what_is_called(
        None, "function", "nbrank.agreement.kendall_tau", called, None, docstring
    )
    assert docstring[2] == ">>> from nbrank.agreement import kendall_tau"
    again = list(docstring)
    page_notebooks.import_what_is_called(
        None, "function", "nbrank.agreement.kendall_tau", called, None, again
    )
    assert again == docstring
