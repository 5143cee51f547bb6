"""The page itself: its sentences as text, and all of it as HTML."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from html import escape
from importlib.resources import files
from pathlib import Path

from nbrank.charts.board_drawing.saved_drawing import Drawing
from nbrank.charts.palette import COLOR_VARIABLES, PICTURE_COLORS, PLACE_STYLE
from nbrank.frontends.report_page.origin import Origin
from nbrank.frontends.report_page.section import Section, render_section, render_text
from nbrank.frontends.sortable_tables import SORT_SCRIPT, SORT_STYLE


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
    medium, narrow
        The same for a sheet of paper, and for the screen of a telephone.
    scores
        The ranks, descriptions and scores of the systems, as a table in HTML.
    sections
        A question each.
    origin
        The call, the version and the data that the page is from.
    """

    title: str
    lead: str
    picture: Drawing
    medium: Drawing
    narrow: Drawing
    scores: str
    sections: tuple[Section, ...]
    origin: Origin

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
        # Pages in one notebook have sections of their own to link to.
        ids = [f"nbrank-{self.origin.key}-{at}" for at in range(len(self.sections))]
        sections = "".join(map(render_section, self.sections, ids))
        return (
            f'<div class="nbrank nbrank-report"><style>{_page_style()}</style>'
            f'<h1>{render_text(self.title)}</h1><p class="lead">{render_text(self.lead)}</p>'
            f"{self._pictures}{self._render_figures(ids)}{self.scores}{sections}"
            f"{self.origin.to_html()}<script>({SORT_SCRIPT})(document)</script></div>"
        )

    def _render_figures(self, ids: list[str]) -> str:
        """Write the answers that are numbers, each with a link to its section."""
        figures = "".join(
            f'<a href="#{link}"><b>{render_text(section.figure[0])}</b> '
            f"{render_text(section.figure[1])}</a>"
            for section, link in zip(self.sections, ids, strict=True)
            if section.figure
        )
        return f'<nav class="figures" aria-label="Answers">{figures}</nav>'

    @cached_property
    def _pictures(self) -> str:
        # Without the styles of the page, only the wide picture is visible.
        return (
            f'<div class="picture">{self.picture._repr_html_()}</div>'
            f'<div class="medium" style="display: none">{self.medium._repr_html_()}</div>'
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
        ground = ", ".join(PICTURE_COLORS["ground"])
        path.write_text(
            '<!doctype html><html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width">'
            f"<title>{escape(self.title)}</title>"
            f"<style>:root {{color-scheme: light dark}} @media print {{:root {{color-scheme: light"
            f"}}}} body {{margin: 0; background: light-dark({ground})}}</style></head>"
            f"<body>{self._repr_html_()}</body></html>\n",
            encoding="utf-8",
        )


def _page_style() -> str:
    """Write the colours, light and dark, and the style of the page."""
    css = files(__package__).joinpath("page.css").read_text("utf-8")
    return f".nbrank-report {{{COLOR_VARIABLES}}} {PLACE_STYLE} {SORT_STYLE} {css}"
