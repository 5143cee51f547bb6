"""What pages write alike: sentences, and tables that a click on a heading sorts."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from pathlib import Path

#: A function of the part of a page whose tables of the class `sortable` are to be sorted.
SORT_SCRIPT = (Path(__file__).parent / "sort.js").read_text(encoding="utf-8")
SORT_STYLE = """
.nbrank [aria-sort=ascending] button::after {content: " ▲" / ""}
.nbrank [aria-sort=descending] button::after {content: " ▼" / ""}
.nbrank .tools {display: flex; gap: 1.2em; align-items: center; margin: .5em 0}
.nbrank .tools input {font: inherit; width: 14em; min-height: 40px; box-sizing: border-box;
  padding: .3em .6em; color: inherit; background: var(--ground); border: 1px solid var(--second);
  border-radius: 4px}
.nbrank .tools a {color: inherit}
"""
#: Why fewer pairs may be told apart than ranks, where systems were compared in pairs.
MODEL_AND_PAIRS = (
    "The bars of ranks may tell more apart than this: they use the model, which takes all "
    "comparisons together, while the tests look at each pair by its own comparisons alone."
)


def render_text(words: str) -> str:
    """Write words as HTML; a number stays on one line with its percent sign."""
    return escape(words).replace(" %", "&#160;%")


def render_paragraphs(sentences: Iterable[str]) -> str:
    """Write sentences as HTML, a paragraph each."""
    return "".join(f"<p>{render_text(sentence)}</p>" for sentence in sentences if sentence)


def render_sortable_heading(
    title: str, *, is_lower_better: bool = True, is_sorted: bool = False, more: str = ""
) -> str:
    """Write the heading of a column: whether its best are low, and more attributes."""
    first = ' data-best="low"' * is_lower_better + ' aria-sort="ascending"' * is_sorted
    return f'<th scope="col"{first}{more}><button type="button">{escape(title)}</button></th>'
