"""The page itself: its sentences, all of it as HTML, and where it comes from."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from hashlib import sha256
from html import escape
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from nbrank.charts.board_drawing.saved_drawing import Drawing, write_page
from nbrank.charts.palette import COLOR_VARIABLES, PLACE_STYLE
from nbrank.comparison.pairwise_wins import pairwise
from nbrank.frontends.report_page.section import Section, render_section
from nbrank.frontends.shared_html import SORT_SCRIPT, TABLE_STYLE, render_heading, render_text
from nbrank.votes.base import Votes
from nbrank.votes.leaderboard import Leaderboard


@dataclass(frozen=True)
class Origin:
    """The call or command of a page, and the SHA-256 of its data by their names."""

    call: str
    hashes: Mapping[str, str]

    @classmethod
    def from_call(
        cls, name: str, options: Mapping[str, Any], tables: Mapping[str, Votes]
    ) -> Origin:
        """Describe a call in Python; tables and functions are given by their names alone."""
        given = [
            f"{option}={value!r}" if isinstance(value, str | int | float | list) else f"{option}=…"
            for option, value in options.items()
            if option != "scores"
        ]
        hashes = {f"labels and numbers of {key}": hash_votes(tables[key]) for key in tables}
        return cls(f"nbrank.{name}({', '.join(['scores', *given])})", hashes)

    @classmethod
    def from_command(cls, words: Sequence[str], paths: Iterable[str]) -> Origin:
        """Describe a command, and the files that it read."""
        hashes = {
            path: sha256(Path(path).read_bytes()).hexdigest()
            for path in paths
            if Path(path).is_file()
        }
        return cls(shlex.join(["nbrank", *words]), hashes)

    @property
    def key(self) -> str:
        """A few letters that differ from page to page."""
        return sha256(repr(self).encode()).hexdigest()[:8]

    def to_html(self) -> str:
        """Write it as the foot of a page."""
        day = _today()
        hashes = "".join(
            f"<dt>{escape(name)}</dt><dd>SHA-256 <code>{digest}</code></dd>"
            for name, digest in self.hashes.items()
        )
        return (
            f"<footer><dl><dt>report of</dt><dd>{day.day} {day:%B %Y}, by nbrank "
            f"{escape(version('nbrank'))}</dd><dt>made by</dt><dd><code>{escape(self.call)}</code>"
            f"</dd>{hashes}</dl></footer>"
        )


def _today() -> date:
    """Return the day, or that of SOURCE_DATE_EPOCH, so that a build can be repeated."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    moment = datetime.fromtimestamp(int(seconds), UTC) if seconds else datetime.now(UTC)
    return moment.date()


def hash_votes(votes: Votes) -> str:
    """Hash the labels and the scores, or the wins of each pair of systems."""
    table: pd.DataFrame = votes.scores if isinstance(votes, Leaderboard) else pairwise(votes)
    digest = sha256("\n".join(map(str, [*table.index, *table.columns])).encode())
    digest.update(np.ascontiguousarray(table.to_numpy(dtype="<f8")).tobytes())
    return digest.hexdigest()


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
        css = files(__package__).joinpath("page.css").read_text("utf-8")
        # Pages in one notebook have sections of their own to link to.
        ids = [f"nbrank-{self.origin.key}-{at}" for at in range(len(self.sections))]
        sections = "".join(map(render_section, self.sections, ids))
        drawings = {"picture": self.picture, "medium": self.medium, "narrow": self.narrow}
        # Without the styles of the page, only the wide picture is visible.
        hidden = ' style="display: none"'
        pictures = "".join(
            f'<div class="{name}"{hidden * (name != "picture")}>{drawing._repr_html_()}</div>'
            for name, drawing in drawings.items()
        )
        return (
            f'<div class="nbrank nbrank-report"><style>.nbrank-report {{{COLOR_VARIABLES}}} '
            f"{PLACE_STYLE} {TABLE_STYLE} {css}</style>"
            f'<h1>{render_heading(self.title)}</h1><p class="lead">{render_text(self.lead)}</p>'
            f"{pictures}{self._render_figures(ids)}{self.scores}{sections}"
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
        style = (
            f":root {{color-scheme: light dark; {COLOR_VARIABLES}}} "
            "@media print {:root {color-scheme: light}} "
            "body {margin: 0; background: var(--ground)}"
        )
        path.write_text(write_page(self.title, style, self._repr_html_()), encoding="utf-8")
