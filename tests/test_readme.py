"""The README shows what the library does; the table of rules and the picture are as generated."""

import doctest
import re
from pathlib import Path

import pytest

import nbrank
from nbrank.datasets import load_superglue_submissions

ROOT = Path(__file__).parents[1]
IN_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_its_examples_run():
    found = doctest.testfile(
        str(ROOT / "README.md"),
        module_relative=False,
        optionflags=doctest.NORMALIZE_WHITESPACE,
        encoding="utf-8",
    )
    assert found.attempted > 2
    assert found.failed == 0


def test_what_it_says_of_superglue_is_so():
    scores, human = load_superglue_submissions(), "SuperGLUE Human Baselines"
    assert scores.shape == (24, 14)
    for rule in (nbrank.mean, nbrank.borda):
        assert rule(scores)["rank"].loc[["SS-MoE", human]].tolist() == [1, 4]
    wins = nbrank.pairwise(scores)
    assert (wins.loc[human].drop(human) >= wins[human].drop(human)).all()
    with pytest.warns(nbrank.RuleRefusedWarning, match="negative scores"):
        by_rule = nbrank.winners(scores)
    sole = [rule for rule, found in by_rule.items() if found == [human]]
    assert {"minimax", "instant_runoff"} < set(sole)
    assert human in by_rule["copeland"]
    assert f"and {IN_WORDS[len(sole) - 2]} more of the {len(by_rule)} rules that need" in README
    best = nbrank.best_set(scores, "borda")
    *names, last = [name.replace(human, "the humans") for name in best.index[best["best"]]]
    number = IN_WORDS[len(names) + 1]
    assert number == "four"
    for page in (README, (ROOT / "docs" / "index.md").read_text(encoding="utf-8")):
        said = f"is one of these {number}, {', '.join(names)} or {last}"
        assert said in " ".join(page.split())


def test_the_table_of_rules_is_the_registrys(script):
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    assert script("update_readme").with_table(page) == page, "run docs/scripts/update_readme.py"
    assert "| `optimality_gap(gamma)` |" in page


def test_its_picture_is_what_the_library_draws(script, tmp_path):
    script("update_readme").pictures(tmp_path)
    drawn = sorted(tmp_path.glob("*.svg"))
    assert len(drawn) == 4
    for path in drawn:
        shown = ROOT / "docs" / "images" / path.name
        assert f"docs/images/{path.name}" in README
        assert parts(path) == parts(shown), "run docs/scripts/update_readme.py"


def parts(path):
    """The words and the colours of a drawing: where they stand depends on the fonts there are."""
    svg = path.read_text(encoding="utf-8")
    return re.findall(r">([^<>]+)</text>", svg), sorted(re.findall(r'fill="(#\w+)"', svg))


def test_every_relative_link_leads_to_a_file_that_is_there():
    docs = ROOT / "docs"
    pages = [*ROOT.glob("*.md"), ROOT / "notebooks" / "README.md"]
    pages += [*docs.glob("*.md"), *(docs / "how_to").glob("*.md")]
    lost = set()
    for page in pages:
        text = page.read_text(encoding="utf-8")
        found = re.findall(r'\]\(([^)#:\s]+)(?:#[^)]*)?\)|(?:src|srcset)="([^":]+)"', text)
        lost |= {
            (page.name, target)
            for target in map("".join, found)
            if not (page.parent / target).exists()
        }
    assert lost - {("index.md", "_static/picture.js")} == set()  # which the site's build writes
