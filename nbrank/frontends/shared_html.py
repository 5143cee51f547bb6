"""What pages write alike: sentences, tables that a click on a heading sorts, and ranks by rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

import pandas as pd

from nbrank.charts.board_drawing.headings import level_headings
from nbrank.charts.board_drawing.sizes import place_class
from nbrank.findings.labels import format_ranks

_FOLDER = Path(__file__).parent
#: A function of the part of a page whose tables of the class `sortable` are to be sorted.
SORT_SCRIPT = (_FOLDER / "sort.js").read_text(encoding="utf-8")
#: The look of these tables, and of ranks by rules.
TABLE_STYLE = (_FOLDER / "tables.css").read_text(encoding="utf-8")
#: Explanation of why pairs may be equal although ranks differ, for systems compared in pairs.
MODEL_AND_PAIRS = (
    "The bars of ranks may tell more apart than this: they use the model, which takes all "
    "comparisons together, while the tests look at each pair by its own comparisons alone."
)


def render_text(words: str) -> str:
    """Write words as HTML; a number stays on one line with its percent sign."""
    return escape(words).replace(" %", "&#160;%")


def render_heading(words: str) -> str:
    """Write a heading, in which names such as e5-v3 stay on one line if they fit."""
    return re.sub("[^ ]+[-/][^ ]+", r"<span>\g<0></span>", render_text(words))


def render_paragraphs(sentences: Iterable[str]) -> str:
    """Write sentences as HTML, a paragraph each."""
    return "".join(f"<p>{render_text(sentence)}</p>" for sentence in sentences if sentence)


def render_sortable_heading(
    title: str, *, is_lower_better: bool = True, is_sorted: bool = False, attributes: str = ""
) -> str:
    """Write the heading of a column: whether its best are low, and more attributes."""
    first = ' data-best="low"' * is_lower_better + ' aria-sort="ascending"' * is_sorted
    return f'<th scope="col"{first}{attributes}><button type="button">{escape(title)}</button></th>'


def render_rank_table(ranks: pd.DataFrame, names: Sequence[str], wide: float, max_rows: int) -> str:
    """Write the first ranks by each rule, darker the better they are; = marks a shared one.

    `names` are the headings of the rows as HTML, `wide` is the width of a column in letters.
    """
    rules = list(map(str, ranks))
    styles = level_headings(rules, [wide] * len(rules), bold=False)
    heads = "".join(
        f'<th scope="col" style="{style}">{escape(rule)}</th>'
        for rule, style in zip(rules, styles, strict=True)
    )
    columns = [
        [
            f"<td>{text}</td>"
            if pd.isna(rank)
            else f'<td class="p{place_class(rank, len(ranks))}">{text}</td>'
            for rank, text in zip(column.tolist()[:max_rows], format_ranks(column), strict=False)
        ]
        for _, column in ranks.items()
    ]
    rows = "".join(
        f'<tr><th scope="row">{name}</th>{"".join(cells)}</tr>'
        for name, *cells in zip(names[:max_rows], *columns, strict=True)
    )
    return (
        f'<table class="ranks" style="--cell: {wide:.3g}; --wide: {wide * len(rules):.1f}"><thead>'
        f"<tr><td></td>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    )
