"""The examples of a page as a notebook, and the link on the page that opens it in the browser."""

from __future__ import annotations

import ast
import doctest
import inspect
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

#: Pages of which all examples stand in one notebook; those of the gallery have one each.
PAGES = ("getting_started", "teaching", "how_to/", "rules/")
CODE = re.compile(r"^```(?:pycon|python)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
#: Notebooks that run on the site, by the beginning of their names.
NOTEBOOKS = ("quickstart", "explorers", "app", "class", "voting_paradoxes_")
#: A notebook's link to Binder, before which the one stands that runs it on the site.
BINDER = re.compile(
    r"\[(?:Run this notebook on )?Binder\](\(https://mybinder\.org/\S+%2F(\w+)\.ipynb\))"
)
LINK = """\
```{{raw}} html
<p><a class="try_in_browser" target="_blank"
href="{up}lite/notebooks/index.html?path={name}.ipynb">Try it in your browser</a></p>
```

"""


def write_notebooks(docs: Path, folder: Path) -> None:
    """Write a notebook for each page, or part of one, that has examples."""
    for page in docs.rglob("*.md"):
        docname = page.relative_to(docs).with_suffix("").as_posix()
        for name, text in parts(docname, page.read_text(encoding="utf-8")):
            if name:
                content = json.dumps(notebook(text))
                (folder / f"{name}.ipynb").write_text(content, encoding="utf-8")


def add_links(_: Any, docname: str, source: list[str]) -> None:
    """Put the link before the first example of each part, and beside those to Binder."""
    up = "../" * docname.count("/")
    if docname.startswith(("teaching", *(f"notebooks/{name}" for name in NOTEBOOKS))):
        # A notebook's text is JSON, in which a " needs an escape.
        run = rf"<a href='{up}lite/notebooks/index.html?path=\2.ipynb'>Run it in your browser</a>"
        source[0] = BINDER.sub(rf"{run} or [on Binder]\1", source[0])
    linked = ""
    for name, text in parts(docname, source[0]):
        first = CODE.search(text)
        if name and first:
            before, after = text[: first.start()], text[first.start() :]
            linked += before + LINK.format(up=up, name=name) + after
        else:
            linked += text
    source[0] = linked


def link_copied_notebooks(_: Any, __: str, source: list[str]) -> None:
    """Have links to notebooks lead to their copies on the site, one folder nearer than they are."""
    source[0] = re.sub(r"\]\(\.\./((?:\.\./)?notebooks/)", r"](\1", source[0])


def parts(docname: str, text: str) -> Iterator[tuple[str, str]]:
    """The parts of a page, each with the name of its notebook; no name where there is none."""
    if docname == "gallery":
        for part in re.split(r"(?=^## )", text, flags=re.MULTILINE):
            heading = re.match(r"## (\S+)", part)
            yield f"gallery-{heading[1]}" if heading and CODE.search(part) else "", part
    else:
        has_notebook = docname.startswith(PAGES) and CODE.search(text)
        yield docname.replace("/", "-") if has_notebook else "", text


def import_what_is_called(
    _: Any, what: str, name: str, told: Any, __: Any, lines: list[str]
) -> None:
    """Begin a docstring's example with the imports that it leaves to its module."""
    first = next((place for place, line in enumerate(lines) if line.startswith(">>>")), None)
    if what in {"function", "class"} and first is not None:
        examples = doctest.DocTestParser().get_examples("\n".join(lines))
        nodes = list(ast.walk(ast.parse("".join(example.source for example in examples))))
        used = {node.id for node in nodes if isinstance(node, ast.Name)}
        made = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        made |= {node.asname or node.name for node in nodes if isinstance(node, ast.alias)}
        known = vars(sys.modules[told.__module__])
        needed = sorted((used - made) & known.keys())
        lines[first:first] = [f">>> {import_of(own, known[own], name)}" for own in needed]


def import_of(own: str, value: Any, name: str) -> str:
    """The line that makes an object known by its own name to the example of a public object."""
    home, _, public = name.rpartition(".")
    if inspect.ismodule(value):
        return f"import {value.__name__}" + (f" as {own}" if own != value.__name__ else "")
    if getattr(sys.modules[home], public) is value and public != own:
        return f"from {home} import {public} as {own}"
    homes = [at for at in (home, "nbrank") if getattr(sys.modules[at], own, None) is value]
    return f"from {(homes or [value.__module__])[0]} import {own}"


def notebook(text: str) -> dict[str, Any]:
    """The words and the examples of a text, the examples without what comes out."""
    cells = [_cell("markdown", "Python runs in your browser. The first cell takes half a minute.")]
    for number, part in enumerate(CODE.split(text)):
        if number % 2 == 0:
            cells += [_cell("markdown", words) for words in [plain(part)] if words]
        elif ">>>" in part:
            cells += list(_examples(part))
        else:
            cells.append(_cell("code", part))
    kernel = {"name": "python", "display_name": "Python (Pyodide)", "language": "python"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 4}


def _examples(session: str) -> Iterator[dict[str, Any]]:
    """A cell ends where something is shown."""
    lines = ""
    for example in doctest.DocTestParser().get_examples(session):
        lines += example.source
        if example.want:
            fails = {"tags": ["raises-exception"]} if example.exc_msg else {}
            yield _cell("code", lines) | {"metadata": fails}
            lines = ""
    if lines:
        yield _cell("code", lines)


def plain(text: str) -> str:
    """A page's words, without what only the site understands and links into it."""
    text = re.sub(r"^(`{3,}|:{3,})\{.*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^```text\n.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"\{[a-z:]+\}(`[^`]+`)", r"\1", text)
    text = re.sub(r"\[([^\]]+)\]\((?!http)[^)]+\)", r"\1", text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _cell(kind: str, source: str) -> dict[str, Any]:
    cell: dict[str, Any] = {"cell_type": kind, "metadata": {}, "source": source.rstrip()}
    return cell | ({"execution_count": None, "outputs": []} if kind == "code" else {})
