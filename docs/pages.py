"""The pages that the package writes itself: a page for each rule, each chart and each function."""

from __future__ import annotations

import doctest
import importlib
import inspect
import json
import shutil
import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import altair as alt
import pandas as pd
from page_notebooks import import_what_is_called

import nbrank
from nbrank import axioms, charts, datasets
from nbrank.charts.board_drawing.saved_drawing import Drawing
from nbrank.rules.registry import FAMILY_NAMES, PROPERTIES, Rule
from nbrank.votes.method_registry import METHODS

#: Modules whose names are part of the public surface, in the order of the pages.
MODULES = (
    *("agreement", "consensus", "tournament", "axioms", "metrics", "synthetic"),
    *("experiments", "charts", "datasets", "readers"),
)

#: Five tasks that four systems share among themselves, so that the rules disagree.
EXAMPLE = """\
import nbrank
import pandas as pd
scores = {
    "reading": [90, 70, 80, 60],
    "maths": [40, 80, 70, 60],
    "code": [50, 60, 70, 80],
    "chat": [90, 60, 80, 70],
    "recall": [50, 90, 70, 60],
}
df = pd.DataFrame(scores, index=["Ada", "Bea", "Cleo", "Dora"])
"""
#: What the rules that ask for something are told on it.
ARGUMENTS: Mapping[str, Mapping[str, Any]] = {
    "normalized_mean": {"low": 25, "high": 100},
    "optimality_gap": {"gamma": 80},
    "positional": {"vector": [3, 1, 0, 0]},
}
#: The axiom that a property's name stands for, where it has another one.
AXIOM_OF = {"iia": "independence_of_irrelevant_alternatives"}
#: Where a witness is looked for, from the smallest tables on.
SEARCHES: tuple[Mapping[str, int], ...] = (
    {"n_systems": 3, "n_tasks": 3, "n_tables": 30},
    {"n_systems": 3, "n_tasks": 13, "n_tables": 100},
    {"n_systems": 4, "n_tasks": 7, "n_tables": 3000},
    {"n_systems": 6, "n_tasks": 5, "n_tables": 3000},
)


class Page(NamedTuple):
    """A page: where it stands, and its Markdown."""

    path: str
    text: str


def write_pages(docs: Path) -> None:
    """Write all generated pages, and copy the notebooks beside them."""
    for folder in ("rules", "api", "gallery", "notebooks"):
        shutil.rmtree(docs / folder, ignore_errors=True)
        (docs / folder).mkdir()
    for notebook in (docs.parent / "notebooks").glob("*.ipynb"):
        # A link to a document leads elsewhere from here.
        text = notebook.read_text(encoding="utf-8").replace("](../docs/", "](../")
        (docs / "notebooks" / notebook.name).write_text(text, encoding="utf-8")
    write_live_picture(docs / "_static")
    used = tomllib.loads((docs / "rules.toml").read_text(encoding="utf-8"))
    for page in (*rule_pages(used, docs / "rules"), *api_pages(), *gallery_pages(docs / "gallery")):
        (docs / page.path).write_text(page.text, encoding="utf-8")


# ------------------------------------------------------------------------------------------- rules


def rule_pages(used: Mapping[str, Mapping[str, str]], pictures: Path) -> Iterable[Page]:
    """A page for each rule, and the page that lists them by family."""
    families: dict[str, list[Rule]] = {}
    for rule in nbrank.RULES.values():
        families.setdefault(rule.family, []).append(rule)
        yield Page(f"rules/{rule.name}.md", rule_page(rule, used[rule.name], pictures))
    index = ["# Rules", "", "Each page shows a worked example, when to use the rule and when not,"]
    index += ["and what it promises. [One table](../rules.md) has all of them.", ""]
    for family, rules in families.items():
        title = FAMILY_NAMES[family].capitalize()
        index += [f"## {title}", "", "| rule | what it answers |", "|---|---|"]
        index += [f"| [{rule.name}]({rule.name}.md) | {rule.answers} |" for rule in rules]
        index += ["", *toctree([rule.name for rule in rules], title)]
    index += toctree(["../rules"])
    yield Page("rules/index.md", "\n".join(index))


def rule_page(rule: Rule, used: Mapping[str, str], pictures: Path) -> str:
    """One rule: what it answers, an example, its use, its promises."""
    lines = [f"# {rule.name}", "", f"**{rule.answers}**", ""]
    if rule.source:
        lines += [f"Source: {rule.source}.", ""]
    lines += [f"Ties within a task: {rule.ties}.", ""]
    lines += ["## An example", ""]
    lines += worked_example(rule, pictures)
    lines += ["## When to use it", "", used["use"], "", "## When not", "", used["avoid"], ""]
    lines += ["## What it promises", "", *promises(rule)]
    lines += ["", "## Reference", "", f"{{py:obj}}`nbrank.{rule.name}` has all options.", ""]
    return "\n".join(lines)


def worked_example(rule: Rule, pictures: Path) -> list[str]:
    """The example table ranked, as text and as a picture."""
    if "sequence" in rule.requires:
        examples = inspect.cleandoc(rule.function.__doc__ or "").partition("Examples\n--------")[2]
        return ["```pycon", f">>> from nbrank import {rule.name}", examples.strip(), "```", ""]
    space: dict[str, Any] = {}
    exec(EXAMPLE, space)
    df, options = space["df"], ARGUMENTS.get(rule.name, {})
    given = "".join(f", {name}={value!r}" for name, value in options.items())
    ranking = rule.function(df, **options)
    picture = nbrank.picture(df, partial(rule.function, **options))
    asked = f"partial(nbrank.{rule.name}{given})" if options else f'"{rule.name}"'
    imported = ["from functools import partial"] if options else []
    lines = ["Four systems, five tasks:", "", "```python", EXAMPLE + "df", "```", ""]
    lines += ["```text", df.to_string(), "```", ""]
    lines += ["```pycon", f">>> df.rank.{rule.name}({given[2:]})", ranking.to_string(), "```", ""]
    lines += ["```python", *imported, f"df.rank.picture({asked})", "```", ""]
    shown = save_for_both(picture, pictures / rule.name, f"The example, ranked by {rule.name}")
    return [*lines, *shown]


def promises(rule: Rule) -> list[str]:
    """Every property, and a table that breaks each that doesn't hold."""
    lines = ["| property | holds | meaning |", "|---|---|---|"]
    for name, meaning in PROPERTIES.items():
        mark = "yes" if rule.properties[name] else "no"
        lines.append(f"| {name.replace('_', ' ')} | {mark} | {meaning} |")
    lines += ["", "These hold, or fail, on complete tables without ties within a task.", ""]
    broken = [name for name, holds in rule.properties.items() if not holds]
    if "sequence" in rule.requires:
        return [
            *lines,
            "There is no table to show: this rule ranks games in the order of play.",
            "",
        ]
    if rule.name == "positional":
        lines += ["The tables show it for 3 points for a first place, 1 for a second.", ""]
    for name in broken:
        witness = find_witness(rule, name)
        if witness is not None:
            title = f"A table on which {name.replace('_', ' ')} fails"
            lines += [f":::{{dropdown}} {title}", "```text", str(witness), "```", ":::", ""]
    return lines


def find_witness(rule: Rule, name: str) -> axioms.Witness | None:
    """The smallest witness that a short search finds."""
    axiom = AXIOM_OF.get(name, name)
    if axiom not in axioms.AXIOMS:
        return None
    asked: Callable[[nbrank.Leaderboard], pd.DataFrame] = (
        three_and_one
        if rule.name == "positional"
        else partial(rule.function, **ARGUMENTS.get(rule.name, {}))
    )
    for size in SEARCHES:
        found = axioms.search(asked, axiom, **size)
        if found.witness is not None:
            return found.witness
    return None


def three_and_one(board: nbrank.Leaderboard) -> pd.DataFrame:
    """The positional rule with the points of the example, for any number of systems."""
    return nbrank.positional(board, [3, 1] + [0] * (len(board.systems) - 2))


# --------------------------------------------------------------------------------------------- API


#: What a reader looks for first stands first; the modules follow.
HEADINGS = (
    "sources, readers and warnings",
    "rules side by side",
    *(f"rules: {family}" for family in FAMILY_NAMES.values()),
    "how sure it is",
    "who could win",
    "tasks and their weights",
    "pairs of systems",
    "scores too many for memory",
    "to look at",
)


def api_pages() -> Iterable[Page]:
    """A page for each public object, and their list by heading."""
    headings: dict[str, list[str]] = {heading: [] for heading in HEADINGS}
    for name in nbrank.__all__:
        if callable(getattr(nbrank, name)):
            headings[heading_of(name)].append(f"nbrank.{name}")
    for module in MODULES:
        for name in importlib.import_module(f"nbrank.{module}").__all__:
            if callable(getattr(importlib.import_module(f"nbrank.{module}"), name)):
                headings.setdefault(f"nbrank.{module}", []).append(f"nbrank.{module}.{name}")
    index = ["# Reference", ""]
    for heading, names in headings.items():
        title = heading if heading.startswith("nbrank.") else heading[0].upper() + heading[1:]
        index += [f"## {title}", "", "| | |", "|---|---|"]
        for name in names:
            index.append(f"| [{name.removeprefix('nbrank.')}]({name}.md) | {first_line(name)} |")
            yield Page(f"api/{name}.md", api_page(name))
        index += ["", *toctree(names, title)]
    yield Page("api/index.md", "\n".join(index))


def heading_of(name: str) -> str:
    """The heading under which a function or a class of `nbrank` is listed."""
    if name in METHODS:
        return METHODS[name].heading
    is_source = inspect.isclass(getattr(nbrank, name)) or name.startswith(("from_", "read_"))
    return "sources, readers and warnings" if is_source else "how sure it is"


def public(name: str) -> Any:
    """The object of this name."""
    module, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(module), attribute)


def first_line(name: str) -> str:
    """The first sentence of its docstring, fit for a cell."""
    return (inspect.getdoc(public(name)) or "").partition("\n")[0].replace("|", "\\|")


def api_page(name: str) -> str:
    """The docstring, by Sphinx."""
    kind = "autoclass" if inspect.isclass(public(name)) else "autofunction"
    members = ["   :members:"] if kind == "autoclass" else []
    directive = [f".. {kind}:: {name}", *members]
    title = name.removeprefix("nbrank.")
    return "\n".join([f"# {title}", "", "```{eval-rst}", *directive, "```", ""])


# ----------------------------------------------------------------------------------------- gallery


def gallery_pages(pictures: Path) -> Iterable[Page]:
    """Every chart, drawn by the example in its docstring."""
    lines = ["# Gallery", "", "Every chart, and the call that draws it.", ""]
    # The picture that says it all stands first.
    for path in ("nbrank.picture", *(f"nbrank.charts.{name}" for name in charts.__all__)):
        module, _, name = path.rpartition(".")
        function = getattr(importlib.import_module(module), name)
        drawn = drawn_by_example(path, function) if inspect.isfunction(function) else None
        if drawn is None:
            continue
        code, chart = drawn
        answers = first_line(path)
        shown = save_for_both(chart, pictures / name, answers, "gallery/")
        lines += [f"## {name}", "", answers, "", *shown]
        lines += ["```python", *code, "```", "", f"{{py:obj}}`{path}`", ""]
    yield Page("gallery.md", "\n".join(lines))


def drawn_by_example(
    path: str, function: Any
) -> tuple[list[str], alt.TopLevelMixin | Drawing] | None:
    """Return the code of a docstring's example, and the chart that it ends with."""
    lines = (inspect.getdoc(function) or "").splitlines()
    import_what_is_called(None, "function", path, function, None, lines)
    examples = doctest.DocTestParser().get_examples("\n".join(lines))
    code = "".join(example.source for example in examples)
    space: dict[str, Any] = {}
    exec(code, space)
    made = [key for key, value in space.items() if isinstance(value, alt.TopLevelMixin | Drawing)]
    return ([*code.splitlines(), made[-1]], space[made[-1]]) if made else None


def save_for_both(
    chart: alt.TopLevelMixin | Drawing, path: Path, says: str, folder: str = ""
) -> list[str]:
    """Save a chart for light pages and for dark ones; the lines that show the one that fits."""
    lines = [":::{div} picture"]
    for ground, dark in (("light", False), ("dark", True)):
        name = f"{path.name}-{ground}.svg"
        if isinstance(chart, Drawing):
            chart.save(path.with_name(name), dark=dark)
        else:
            charts.apply_theme(chart, dark=dark).save(path.with_name(name))
        lines += [
            f"```{{image}} {folder}{name}",
            f":class: only-{ground}",
            f":alt: {says}",
            "```",
            "",
        ]
    return [*lines, ":::", ""]


def write_live_picture(static: Path) -> None:
    """The picture of the landing page, which answers when one points at a row."""
    scores = datasets.load_superglue_submissions()
    wide, narrow = (
        json.dumps(nbrank.picture(scores, top=12, width=width, title=False)._repr_html_())
        for width in (1000, 320)
    )
    # A script and no HTML: a page that is opened from a disk may not fetch anything.
    script = f"const picture = matchMedia('(max-width: 720px)').matches ? {narrow} : {wide};"
    (static / "picture.js").write_text(script, encoding="utf-8")


def toctree(pages: Iterable[str], heading: str = "") -> list[str]:
    """A hidden table of contents, for the navigation at the side."""
    caption = [f":caption: {heading}"] if heading else []
    return ["```{toctree}", ":hidden:", *caption, "", *pages, "```", ""]


def slug(title: str) -> str:
    """The anchor of a heading, as Jupyter makes it: the notebooks' own links go by it."""
    return title.replace(" ", "-")
