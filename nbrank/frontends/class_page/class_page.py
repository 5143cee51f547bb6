"""The class page as a widget: a field for ballots, and their result next to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from nbrank.charts.board_drawing.saved_drawing import PICTURE_STYLE
from nbrank.findings.labels import capitalize, join_labels, rule_title
from nbrank.frontends.class_page.pasted_ballots import read_pasted
from nbrank.frontends.class_page.vote_result import CARDS, VoteResult
from nbrank.frontends.vote_drawing import MAX_GRAPH, VOTE_STYLE, draw_majorities, draw_rounds
from nbrank.votes.formatting import group_values
from nbrank.votes.leaderboard import Leaderboard

_FOLDER = Path(__file__).parent
#: Thirty invented ballots on an outing, from which four rules choose four different options.
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


#: Number of options with a color of their own; all others share the last.
_N_COLOURS = 5
_SHORT = {"instant_runoff": "runoff"}


def render_result(result: VoteResult) -> str:
    """Write all that some ballots come to."""
    first = [name for found in result.winners.values() for name in found]
    order = dict.fromkeys([*first, *result.scores["plurality"]])
    css = {name: f"o{min(number, _N_COLOURS - 1)}" for number, name in enumerate(order)}
    cards = "".join(_render_card(result, rule, css) for rule in CARDS)
    return (
        f"<h1>{escape(result.headline)}</h1><div class='cards'>{cards}</div>"
        f"{_render_further(result, css)}<div class='parts'>{_render_pairs(result, css)}<section>"
        "<h3>Round by round</h3><p>The last drops out; its voters go to their next choice.</p>"
        f"{draw_rounds(result.rounds, css)}</section>{_render_changes(result, css)}</div>"
    )


def render_notes(result: VoteResult) -> str:
    """Write how the text was read."""
    n, options = result.ballots.n_voters, join_labels(result.board.systems, 20)
    notes = [f"{n} ballots on {options}", *result.ballots.notes]
    return "".join(f"<p>{escape(note)}.</p>".replace("?.", "?") for note in notes)


def _render_card(result: VoteResult, rule: str, css: Mapping[str, str]) -> str:
    first, scores = result.winners[rule], result.scores[rule]
    best = css[first[0]] if len(first) == 1 else ""
    most = max(*scores.values(), 1e-9)
    rows = "".join(
        f"<tr{' class=won' if name in first else ''}><th>{escape(name)}</th><td><i "
        f'class="{css[name] if name in first else ""}" style="width:{70 * value / most:.1f}%"></i>'
        f"{value:.4g}</td></tr>"
        for name, value in scores.items()
    )
    long = sum(map(len, first)) > 14
    return (
        f'<section class="card {best}"><p><b>{capitalize(rule_title(rule))}</b>: '
        f"{CARDS[rule]}</p>"
        f"<h2{' class=long' * long}>{_render_names(first, css) or 'nobody'}</h2>"
        f"<p>{escape(result.explain(rule))}</p>"
        f"<table class='bars'>{rows}</table></section>"
    )


def _render_names(names: Sequence[str], css: Mapping[str, str]) -> str:
    return join_labels([f'<b class="name {css[name]}">{escape(name)}</b>' for name in names], 20)


def _render_further(result: VoteResult, css: Mapping[str, str]) -> str:
    by_winner = group_values((tuple(won), rule_title(rule)) for rule, won in result.further.items())
    listed = "; ".join(
        f"{_render_names(first, css)} by {escape(join_labels(rules, 20))}"
        for first, rules in by_winner.items()
    )
    return f"<p class='further'>Further rules: {listed}.</p>"


def _render_pairs(result: VoteResult, css: Mapping[str, str]) -> str:
    first = result.winners["condorcet"]
    says = f"{_render_names(first, css) if first else 'No option'} beats all others."
    names, lead = list(css), result.lead
    drawn = draw_majorities(result.wins, css) if len(names) <= MAX_GRAPH else ""
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    rows = "".join(
        f"<tr><th>{escape(one)}</th>"
        + "".join(
            "<td>–</td>" if one == other else
            f"<td{' class=won' * (lead[one, other] > 0)}>{result.wins[one, other]:.4g}</td>"
            for other in names
        )
        + "</tr>"
        for one in names
    )  # fmt: skip
    table = (
        f"<div class='wide'><table class='pairs'><tr><th>before</th>{head}</tr>{rows}</table></div>"
    )
    folded = f"<details><summary>as a table</summary>{table}</details>" if drawn else table
    return (
        f"<section><h3>Pair by pair: who beats whom?</h3><p>Thicker is clearer. {says}</p>"
        f"{drawn}{folded}</section>"
    )


def _render_changes(result: VoteResult, css: Mapping[str, str]) -> str:
    head = "".join(f"<th>{_SHORT.get(rule, rule_title(rule))}</th>" for rule in CARDS)
    rows = ""
    for name, found in [("as it is", result.winners), *result.winners_without.items()]:
        cells = "".join(
            "<td class='same'>same</td>"
            if rows and set(found[rule]) == set(result.winners[rule])
            else _render_winner(found[rule], css)
            for rule in CARDS
        )
        look = css[name] if rows else ""
        rows += f'<tr><th class="name {look}">{escape(name)}</th>{cells}</tr>'
    table = (
        "<div class='wide'><p>Take one option off the ballot:</p><table class='changes'><tr>"
        f"<th>without</th>{head}</tr>{rows}</table></div>"
    )
    says = "".join(f"<p>{escape(text)}</p>" for text in result.changes)
    return (
        f"<section><h3>What would change it?</h3>{table * bool(result.winners_without)}"
        f"<div>{says}</div></section>"
    )


def _render_winner(first: Sequence[str], css: Mapping[str, str]) -> str:
    if len(first) != 1:
        return f"<td>{'a tie' if first else 'nobody'}</td>"
    return f'<td class="name {css[first[0]]}">{escape(first[0])}</td>'
