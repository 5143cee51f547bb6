"""The page itself: its sentences as text, and all of it as HTML."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from pathlib import Path

import altair as alt
import pandas as pd


@dataclass(frozen=True, eq=False)
class Section:
    """A question, and what the table answers: a paragraph each, the numbers, and a picture."""

    title: str
    sentences: tuple[str, ...]
    table: pd.DataFrame | None = field(default=None, repr=False)
    chart: alt.LayerChart | None = field(default=None, repr=False)


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """A page: in a notebook it shows itself, `save` writes it, `print` gives its sentences."""

    title: str
    summary: tuple[str, ...]
    sections: tuple[Section, ...]

    def __repr__(self) -> str:
        parts = [self.title, "", *(f"* {sentence}" for sentence in self.summary)]
        for section in self.sections:
            parts += ["", section.title, *(f"  {sentence}" for sentence in section.sentences)]
        return "\n".join(parts)

    def _repr_html_(self) -> str:
        summary = "".join(f"<li>{escape(sentence)}</li>" for sentence in self.summary)
        body = "".join(_section(section) for section in self.sections)
        return (
            f'<div class="nbrank-report"><style>{_STYLE}</style>'
            f"<h2>{escape(self.title)}</h2><ul>{summary}</ul>{body}</div>"
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
            f"<title>{escape(self.title)}</title><style>{_PAGE}</style></head>"
            f"<body>{self._repr_html_()}</body></html>\n",
            encoding="utf-8",
        )


_STYLE = """
.nbrank-report {max-width: 70em; line-height: 1.45}
.nbrank-report p, .nbrank-report li {max-width: 46em; margin: .35em 0}
.nbrank-report .wide {overflow: auto; max-height: 48em; margin: .8em 0}
.nbrank-report .wide svg {background: white; max-width: none; height: auto}
@media print {.nbrank-report .wide {max-height: none}
  .nbrank-report .wide svg {max-width: 100%}}
.nbrank-report table {border-collapse: collapse; font-size: .92em}
.nbrank-report th, .nbrank-report td {padding: .2em .7em; text-align: right;
  border-bottom: 1px solid rgba(128, 128, 128, .35)}
.nbrank-report tbody th {text-align: left; font-weight: normal}
"""
_PAGE = """
:root {color-scheme: light dark}
body {font-family: system-ui, sans-serif; margin: 1.5em auto; padding: 0 1em; max-width: 72em}
"""


def _section(section: Section) -> str:
    text = "".join(f"<p>{escape(sentence)}</p>" for sentence in section.sentences)
    table = chart = ""
    if section.table is not None:
        html = section.table.to_html(border=0, na_rep="", index_names=False)
        table = f'<div class="wide">{html}</div>'
    if section.chart is not None:
        chart = f'<div class="wide">{_drawn(section.chart)}</div>'
    return f"<h3>{escape(section.title)}</h3>{text}{chart}{table}"


def _drawn(chart: alt.LayerChart) -> str:
    import vl_convert

    svg: str = vl_convert.vegalite_to_svg(chart.to_dict())
    return svg
