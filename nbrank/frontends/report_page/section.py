"""A section of the page, and its HTML: the answer, and a picture in bars or ranks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from itertools import islice
from typing import Any

import pandas as pd

from nbrank.charts.board_drawing.sizes import place_class
from nbrank.findings.context import MAX_BARS, MAX_CHART_SYSTEMS, ReportContext
from nbrank.votes.formatting import Label

#: Maximum number of rows of a table on the page; the section's frame has them all.
MAX_ROWS = 500


@dataclass(frozen=True)
class Bar:
    """A row of a bar chart: a name, a text about it, and a bar of a length from 0 to 1.

    The colour is "first" for winners, "best" for systems that may be best, "strong" for what
    stands out, or "" for none.
    """

    name: str
    says: str
    length: float
    colour: str = ""


@dataclass(frozen=True, eq=False)
class Section:
    """A question, the answer from the table, and a picture of it.

    Parameters
    ----------
    title
        The question.
    sentences
        The answer in one sentence, and its necessary qualifications.
    details
        Further details to look up.
    bars
        The rows of a bar chart, or else:
    ranks
        ranks, systems x rules, which are shaded by rank.
    table
        The numbers.
    figure
        The answer as a number, with a unit or none, and what it counts.
    """

    title: str
    sentences: tuple[str, ...]
    details: tuple[str, ...] = ()
    bars: tuple[Bar, ...] = field(default=(), repr=False)
    table: pd.DataFrame | None = field(default=None, repr=False)
    figure: tuple[str, str] | None = None
    ranks: pd.DataFrame | None = field(default=None, repr=False)


def system_bars(case: ReportContext, rows: Iterable[tuple[Label, str, float]]) -> tuple[Bar, ...]:
    """Make bars of the first rows, each a system, what is said of it, and a length."""
    return tuple(
        Bar(case.system_names.short[system], says, length, "first" * (system in case.winners))
        for system, says, length in islice(rows, MAX_BARS)
    )


def render_section(section: Section, link: str) -> str:
    """Write a section: the answer, the picture, and what is looked up."""
    ranks = section.ranks
    picture = _render_bars(section.bars) if ranks is None else _render_ranks(ranks)
    folded = _render_paragraphs(section.details)
    if section.table is not None:
        folded += render_cut("rows", len(section.table), MAX_ROWS)
        html = section.table.head(MAX_ROWS).to_html(border=0, na_rep="", index_names=False)
        folded += f'<div class="wide">{html}</div>'
    if folded:
        what = "more" if section.table is None else "the numbers"
        folded = f"<details><summary>{what}</summary>{folded}</details>"
    answer = f"<h2>{escape(section.title)}</h2>{_render_paragraphs(section.sentences)}"
    if not picture:
        return f'<section id="{link}">{answer}{folded}</section>'
    # Ranks under all rules have the width of the page.
    columns = "" if ranks is not None else ' class="columns"'
    return (
        f'<section id="{link}"{columns}><div>{answer}</div><div>{picture}</div>{folded}</section>'
    )


def render_cut(what: str, whole: int, most: int) -> str:
    """Say that a table has the first rows or tasks only, if it has not all of them."""
    return f"<p>The table has the first {most:,} of {whole:,} {what}.</p>" * (whole > most)


def render_text(words: str) -> str:
    """Write words as HTML; a number stays on one line with its percent sign."""
    return escape(words).replace(" %", "&#160;%")


def _render_paragraphs(sentences: Iterable[str]) -> str:
    return "".join(f"<p>{render_text(sentence)}</p>" for sentence in sentences)


def _render_bars(bars: Iterable[Bar]) -> str:
    rows = "".join(
        f'<li class="{bar.colour}">'
        f'<b>{escape(bar.name)}</b><i style="width: {100 * bar.length:.4g}%"></i>'
        f"<span>{render_text(bar.says)}</span></li>"
        for bar in bars
    )
    return f'<ul class="bars">{rows}</ul>' if rows else ""


def _render_ranks(ranks: pd.DataFrame) -> str:
    """Write the first ranks as cells that are darker the better they are; = marks a shared one."""
    heads = "".join(f'<th scope="col"><span>{escape(str(rule))}</span></th>' for rule in ranks)
    columns = [_shaded_cells(column.tolist()) for _, column in ranks.items()]
    rows = "".join(
        f'<tr><th scope="row">{escape(str(name))}</th>{"".join(cells)}</tr>'
        for name, *cells in list(zip(ranks.index, *columns, strict=True))[:MAX_CHART_SYSTEMS]
    )
    return (
        f'<div class="wide"><table class="ranks" style="max-width: {18 + 5 * len(columns)}em">'
        f"<thead><tr><td></td>{heads}</tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
        f"{render_cut('systems', len(ranks), MAX_CHART_SYSTEMS)}"
    )


def _shaded_cells(ranks: list[Any]) -> list[str]:
    number = Counter(ranks)
    return [
        "<td>–</td>"
        if pd.isna(rank)
        else f'<td class="p{place_class(rank, len(ranks))}">{"=" * (number[rank] > 1)}{rank}</td>'
        for rank in ranks
    ]
