"""The class page as a widget: a field for ballots, and beside it what they come to."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from nbrank.charts.board_drawing.saved_drawing import PICTURE_STYLE
from nbrank.frontends.class_page.pasted_ballots import read_pasted
from nbrank.frontends.class_page.vote_html import render_notes, render_result
from nbrank.frontends.class_page.vote_result import VoteResult
from nbrank.frontends.vote_drawing import VOTE_STYLE
from nbrank.votes.leaderboard import Leaderboard

_FOLDER = Path(__file__).parent
#: Thirty invented ballots on an outing, of which four rules choose four options.
EXAMPLE = """\
6: Cinema > Zoo > Museum > Climbing > Lake
5: Cinema > Zoo > Lake > Museum > Climbing
7: Museum > Lake > Zoo > Climbing > Cinema
5: Climbing > Lake > Zoo > Museum > Cinema
4: Lake > Zoo > Climbing > Museum > Cinema
3: Zoo > Cinema > Lake > Climbing > Museum
"""
_STYLE = (
    PICTURE_STYLE.replace(".nbrank-picture", ".nbrank-class")
    + VOTE_STYLE
    + (_FOLDER / "class_page.css").read_text(encoding="utf-8")
)


class ClassPage(anywidget.AnyWidget):
    r"""Paste the ballots of a class, and see who wins under each rule.

    The command `voila notebooks/class.ipynb` shows it as a page of its own.

    Parameters
    ----------
    text
        The ballots: a line each, best first, as A > B = C, or 5: A > B for five alike; or what a
        form exports, with columns of places (1st, 2nd, ...), a column for each option that holds
        its place, or one of texts. None shows an example of thirty.

    Attributes
    ----------
    text : str
        What is in the field.
    board : Leaderboard
        The last ballots that could be read (read only).
    error : str
        Why the text can't be read, with the line at fault; empty if it can (read only).

    Raises
    ------
    ValueError
        If the text that it begins with can't be read.

    Examples
    --------
    >>> from nbrank.frontends.class_page import ClassPage
    >>> page = ClassPage("5: Lake > Zoo > Museum\n4: Zoo > Lake > Museum")
    >>> page.board.plurality().index[0]
    'Lake'
    >>> page.text = "Lake > Zoo\nZoo > Zoo"
    >>> page.error
    "Line 2 names 'Zoo' twice; give it one place"
    """

    _esm = (_FOLDER / "class_page.js").read_text(encoding="utf-8")
    _css = _STYLE
    text = traitlets.Unicode().tag(sync=True)
    html = traitlets.Unicode().tag(sync=True)
    notes = traitlets.Unicode().tag(sync=True)
    error = traitlets.Unicode().tag(sync=True)
    example = traitlets.Unicode(EXAMPLE).tag(sync=True)
    board = traitlets.Instance(Leaderboard)

    def __init__(self, text: str | None = None) -> None:
        super().__init__(text=EXAMPLE if text is None else text)
        for name in ("nbrank", "nbrank-class"):
            self.add_class(name)
        self._count()
        if self.error:
            raise ValueError(self.error)
        self.observe(lambda _: self._count(), "text")

    def _count(self) -> None:
        """Count the ballots anew; where they can't be read, the last ones stay."""
        try:
            result = VoteResult(read_pasted(self.text))
        except (TypeError, ValueError) as error:
            self.error = str(error)
            return
        html, notes = render_result(result), render_notes(result)
        with self.hold_sync():
            self.board, self.html, self.notes, self.error = result.board, html, notes, ""

    def __repr__(self) -> str:
        return f"{type(self).__name__}\n{self.text}"

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Show the page, and where no kernel runs, what the ballots come to."""
        bundle = super()._repr_mimebundle_(**options)
        if bundle is None:
            return None
        page = (
            f'<div class="nbrank nbrank-class"><style>{_STYLE}</style><aside>{self.notes}<pre>'
            f"{escape(self.text)}</pre></aside><main>{self.html}</main></div>"
        )
        return {**bundle[0], "text/html": page}, bundle[1]
