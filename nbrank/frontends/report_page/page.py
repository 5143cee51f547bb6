"""The page itself: its sentences as text, and all of it as HTML."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from importlib.resources import files
from pathlib import Path

import altair as alt
import pandas as pd

from nbrank.charts.board_drawing.saved_drawing import Drawing
from nbrank.charts.palette import BASE_COLORS
from nbrank.charts.svg import render_svg
from nbrank.charts.theme import STYLE, adaptive_spec

#: Maximum number of rows of a table on the page; the section's frame has them all.
MOST_ROWS = 500


@dataclass(frozen=True)
class Bar:
    """A row of a bar chart: a name, a text about it, and a bar of a length from 0 to 1.

    Only the leader's is in colour; one that is `strong` stands out in grey.
    """

    name: str
    says: str
    length: float
    leads: bool = False
    strong: bool = False

    @property
    def colour(self) -> str:
        """The name of the bar's colour."""
        return "leader" if self.leads else "soft" if self.strong else "quiet"


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
    chart
        The picture, or else:
    bars
        the rows of a bar chart.
    table
        The numbers.
    figure
        The answer as a number, with a unit or none, and what it counts.
    small
        The picture for the screen of a telephone, if that needs its own.
    """

    title: str
    sentences: tuple[str, ...]
    details: tuple[str, ...] = ()
    chart: alt.LayerChart | None = field(default=None, repr=False)
    bars: tuple[Bar, ...] = field(default=(), repr=False)
    table: pd.DataFrame | None = field(default=None, repr=False)
    figure: tuple[str, str] | None = None
    small: alt.LayerChart | None = field(default=None, repr=False)


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """A page: in a notebook it shows itself, `save` writes it, `print` gives its sentences.

    Parameters
    ----------
    title
        The verdict.
    lead
        A description of the data, and how it was read.
    picture
        The leaderboard in one picture.
    narrow
        The same for the screen of a telephone: without the tasks.
    sections
        A question each.
    """

    title: str
    lead: str
    picture: Drawing
    narrow: Drawing
    sections: tuple[Section, ...]

    @property
    def summary(self) -> tuple[str, ...]:
        """The answer to each question in one sentence."""
        return tuple(section.sentences[0] for section in self.sections)

    @property
    def figures(self) -> tuple[tuple[str, str], ...]:
        """The answers that are numbers, and what each counts."""
        return tuple(section.figure for section in self.sections if section.figure)

    def __repr__(self) -> str:
        width = max((len(number) for number, _ in self.figures), default=0)
        parts = [self.title, self.lead, ""]
        parts += [f"  {number:>{width}}  {counts}" for number, counts in self.figures]
        for section in self.sections:
            parts += ["", section.title, *(f"  {sentence}" for sentence in section.sentences)]
            parts += [f"  - {bar.name}: {bar.says}" for bar in section.bars]
            parts += [f"  {sentence}" for sentence in section.details]
        return "\n".join(parts)

    def _repr_html_(self) -> str:
        figures = "".join(
            f"<div><dt>{_render_text(number)}</dt><dd>{_render_text(counts)}</dd></div>"
            for number, counts in self.figures
        )
        style = f"{_load_css('page.css', '.nbrank-report')} {STYLE}"
        return (
            f'<div class="nbrank nbrank-report"><style>{style}</style>'
            f'<h1>{escape(self.title)}</h1><p class="lead">{_render_text(self.lead)}</p>'
            f'{self._pictures}<dl class="figures">{figures}</dl>'
            f"{''.join(map(_render_section, self.sections))}</div>"
        )

    @cached_property
    def _pictures(self) -> str:
        # Without the styles of the page, only the wide picture is visible.
        return (
            f'<div class="picture">{self.picture._repr_html_()}</div>'
            f'<div class="narrow" style="display: none">{self.narrow._repr_html_()}</div>'
        )

    def save(self, path: str | Path) -> None:
        """Write the page as one HTML file that loads nothing from elsewhere.

        Parameters
        ----------
        path
            Where to write it; the name has to end in .html.

        Raises
        ------
        ValueError
            If the name has another ending.
        """
        path = Path(path)
        if path.suffix != ".html":
            raise ValueError(f"a report is saved as HTML; call it {path.with_suffix('.html').name}")
        path.write_text(
            '<!doctype html><html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width">'
            f"<title>{escape(self.title)}</title>"
            f"<style>{_load_css('saved.css', ':root')}</style></head>"
            f"<body>{self._repr_html_()}</body></html>\n",
            encoding="utf-8",
        )


#: The colours of the charts, light and dark.
_COLOURS = "; ".join(f"--{name}: light-dark({a}, {b})" for name, (a, b) in BASE_COLORS.items())


def _load_css(name: str, scope: str) -> str:
    """Load a style of the page, with the colors of the charts."""
    css = files("nbrank.frontends.report_page").joinpath(name).read_text(encoding="utf-8")
    return f"{scope} {{{_COLOURS}}} {css}"


def _render_section(section: Section) -> str:
    picture = _render_bars(section.bars)
    if section.chart is not None:
        picture = _render_chart(section.chart, "large" if section.small is not None else "")
    if section.small is not None:
        picture += _render_chart(section.small, "small")
    folded = _render_paragraphs(section.details)
    if section.table is not None:
        rows = len(section.table)
        if rows > MOST_ROWS:
            folded += _render_paragraphs(
                [f"The table has the first {MOST_ROWS:,} of {rows:,} rows."]
            )
        html = section.table.head(MOST_ROWS).to_html(border=0, na_rep="", index_names=False)
        folded += f'<div class="wide">{html}</div>'
    if folded:
        what = "more" if section.table is None else "the numbers"
        folded = f"<details><summary>{what}</summary>{folded}</details>"
    title, text = escape(section.title), _render_paragraphs(section.sentences)
    return f"<section><h2>{title}</h2>{picture}{text}{folded}</section>"


def _render_paragraphs(sentences: Iterable[str]) -> str:
    return "".join(f"<p>{_render_text(sentence)}</p>" for sentence in sentences)


def _render_text(words: str) -> str:
    """Write words as HTML; a number stays on one line with its percent sign."""
    return escape(words).replace(" %", "&#160;%")


def _render_bars(bars: Iterable[Bar]) -> str:
    rows = "".join(
        f'<li class="{bar.colour}">'
        f'<b>{escape(bar.name)}</b><i style="width: {100 * bar.length:.4g}%"></i>'
        f"<span>{_render_text(bar.says)}</span></li>"
        for bar in bars
    )
    return f'<ul class="bars">{rows}</ul>' if rows else ""


def _render_chart(chart: alt.LayerChart, size: str) -> str:
    svg = _render_svg(chart)
    # The picture shrinks while its letters are readable, and scrolls beyond that.
    least = 0.7 * float(svg.partition(' width="')[2].partition('"')[0])
    # Without the styles of the page, only the large picture is visible.
    hidden = "; display: none" * (size == "small")
    return f'<div class="wide {size}" style="--least: {least:.0f}px{hidden}">{svg}</div>'


def _render_svg(chart: alt.LayerChart) -> str:
    return render_svg(adaptive_spec(chart.to_dict()))
