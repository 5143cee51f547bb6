"""Bring up to date what is generated: the table of rules in docs/rules.md, the README's picture."""

import re
from pathlib import Path

import nbrank
from nbrank.datasets import load_superglue_submissions
from nbrank.rules.registry import PROPERTIES

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs" / "images"
START, END = "<!-- rules: start -->", "<!-- rules: end -->"
HEADINGS = {
    "transitivity": "order",
    "anonymity": "anonymous",
    "unanimity": "unanimity",
    "iia": "IIA",
    "monotonicity": "monotone",
    "reinforcement": "reinforcement",
    "majority": "majority",
    "condorcet_winner": "Condorcet winner",
    "condorcet_loser": "Condorcet loser",
}


def rules_table() -> str:
    """The table of the rules in Markdown."""
    columns = ["rule", "what it answers", "source", *HEADINGS.values(), "ties", "missing"]
    lines = [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]
    for name, rule in nbrank.RULES.items():
        held = ["✓" if rule.properties[key] else "" for key in HEADINGS]
        call = f"`{name}({', '.join(rule.arguments)})`"
        cells = [call, rule.answers, rule.source, *held, rule.ties, rule.default_missing]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def with_table(page: str) -> str:
    """The page with the table between its marks.

    Parameters
    ----------
    page
        The text of docs/rules.md.
    """
    pattern = re.compile(f"{re.escape(START)}.*{re.escape(END)}", re.DOTALL)
    return pattern.sub(lambda _: f"{START}\n{rules_table()}\n{END}", page)


def pictures(folder: Path) -> None:
    """Draw the README's picture, wide and narrow, each for a light page and for a dark one."""
    for size, width in [("", 1000), ("-narrow", 400)]:
        picture = nbrank.picture(load_superglue_submissions(), top=10, width=width)
        for name, dark in [("light", False), ("dark", True)]:
            picture.save(folder / f"superglue{size}-{name}.svg", dark=dark)


def main() -> None:
    """Write both."""
    assert HEADINGS.keys() == PROPERTIES.keys()
    path = ROOT / "docs" / "rules.md"
    path.write_text(with_table(path.read_text(encoding="utf-8")), encoding="utf-8")
    pictures(IMAGES)


if __name__ == "__main__":
    main()
