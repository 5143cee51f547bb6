"""Bring the README up to date: the table of the rules from the registry, and the picture."""

import re
from pathlib import Path

import nbrank
from nbrank import charts
from nbrank.datasets import load_llm_chat
from nbrank.rules.rule import PROPERTIES

ROOT = Path(__file__).parents[1]
START, END = "<!-- rules: start -->", "<!-- rules: end -->"
HEADINGS = {
    "transitivity": "order",
    "anonymity": "anonymous",
    "unanimity": "unanimity",
    "iia": "IIA",
    "monotonicity": "monotone",
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
        cells = [call, rule.answers, rule.source, *held, rule.ties, rule.missing]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def with_table(readme: str) -> str:
    """The README with the table between its marks.

    Parameters
    ----------
    readme
        The text of the README.
    """
    pattern = re.compile(f"{re.escape(START)}.*{re.escape(END)}", re.DOTALL)
    return pattern.sub(lambda _: f"{START}\n{rules_table()}\n{END}", readme)


def main() -> None:
    """Write both."""
    assert HEADINGS.keys() == PROPERTIES.keys()
    path = ROOT / "README.md"
    path.write_text(with_table(path.read_text(encoding="utf-8")), encoding="utf-8")
    rules = ["mean_win_rate", "plurality", "borda", "nanson", "copeland"]
    chart = charts.ranks(nbrank.compare(load_llm_chat(), rules))
    chart.save(ROOT / "notebooks" / "images" / "ranks.svg")


if __name__ == "__main__":
    main()
