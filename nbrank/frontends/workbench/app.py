"""The workbench with a list of tables in front of it, and a field for a file of one's own."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Iterable, Mapping
from html import escape
from pathlib import Path
from typing import Any, get_args
from urllib.parse import quote

import anywidget
import ipywidgets as widgets
import pandas as pd
import traitlets

from nbrank import datasets
from nbrank.findings.labels import agree_verb
from nbrank.findings.overview import describe_tasks, task_noun
from nbrank.frontends.named_calls import find_calls, rewrite_calls
from nbrank.frontends.shared_html import render_paragraphs
from nbrank.frontends.workbench.html import HtmlWidget, render_button, wrap_table
from nbrank.frontends.workbench.tab import make_row
from nbrank.frontends.workbench.workbench import Workbench
from nbrank.readers.tables.proposed_readings import format_options
from nbrank.readers.tables.table_reader import load_frame, read
from nbrank.votes.base import Votes
from nbrank.votes.formatting import pluralize
from nbrank.votes.leaderboard import Leaderboard, as_votes
from nbrank.votes.table.reading import ReadColumn, Reading, Role, column_key

TableLike = pd.DataFrame | Votes


def load_condorcet_ballots() -> Leaderboard:
    """Load Condorcet's election as kinds of ballot with their numbers of voters."""
    board = datasets.load_condorcet_cycle()
    return Leaderboard(board.scores.rename_axis(columns="ballot"), counts=board.weights.astype(int))


_FRONT = Path(__file__).parent / "front"

#: Title -> what loads the table; all of them ship with nbrank.
TABLES: dict[str, Callable[[], TableLike]] = {
    "SuperGLUE: 24 submissions": datasets.load_superglue_submissions,
    "Chat models: 7 on 22 benchmarks": datasets.load_llm_chat,
    "Toy votes: 4 systems, 5 tasks": datasets.load_toy_votes,
    "Condorcet's 60 voters: a circle": load_condorcet_ballots,
    "A paradox of pairs: 3 systems, 6 tasks": datasets.load_pairwise_paradox,
    "XTREME with 18 scores missing": datasets.load_xtreme_missing,
    "CEval: 6 generators on 488 texts": datasets.load_ceval_scores,
    "GLUE: 105 submissions": datasets.load_glue_submissions,
    "Language models: accurate, efficient, fair": datasets.load_user_preferences,
}
_UPLOAD_HELP = (
    "A table has a row for each system, its name in the first column, and a column of numbers "
    "for each task; a cell without a score stays empty. The tasks' groups may stand above their "
    "names. Ballots have a line for each order, such as 5: A > B = C."
)


class DropField(anywidget.AnyWidget):
    """Takes a file that is dropped or chosen, or text that is pasted.

    Parameters
    ----------
    given
        What is called with the name of the file and its bytes.
    """

    _esm = (_FRONT / "drop.js").read_text(encoding="utf-8")

    def __init__(self, given: Callable[[str, bytes], None]) -> None:
        super().__init__()
        self.add_class("nbrank-drop")
        self.on_msg(lambda _, sent, files: given(sent["name"], bytes(files[0])))


class ExplorerApp(widgets.VBox):  # type: ignore[misc]
    """Choose a table, or upload one, and explore it.

    A table that was left is found again as it was. The command
    `voila notebooks/app.ipynb` shows it as a page of its own.

    Parameters
    ----------
    tables
        Title -> a frame of scores, a leaderboard, or a function that returns one and is called when
        its title is chosen. None offers tables that ship with nbrank.

    Attributes
    ----------
    table : str
        The title of the table explored.
    bench : Workbench or None
        The workbench on display, as `nbrank.explore` returns it; None where the
        table is refused (read only).
    text : str
        What the table holds, or why it is refused.

    Raises
    ------
    ValueError
        If there is no table.

    Examples
    --------
    >>> from nbrank.frontends.workbench import ExplorerApp
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 1, 2]}, index=list("ABC"))
    >>> app = ExplorerApp({"ours": scores})
    >>> app.text
    '3 systems on 2 tasks, higher is better on all.'
    >>> app.bench.rule = "plurality"
    >>> app.bench.winners["plurality"]
    ['A']
    """

    def __init__(
        self, tables: Mapping[str, TableLike | Callable[[], TableLike]] | None = None
    ) -> None:
        self._tables = dict(TABLES if tables is None else tables)
        if not self._tables:
            raise ValueError("no tables to explore; give at least one")
        #: Title -> its workbench, its reading, and a text about it, once it was opened.
        self._workbenches: dict[str, tuple[Workbench, Reading | None, list[str]]] = {}
        self.bench: Workbench | None = None
        self.text = ""
        #: Title and content of the user's file, empty before one is given.
        self._own_title, self._content = "", b""
        self.roles: dict[str, str] = {}
        #: The other options of `read` that the user chose.
        self.options: dict[str, Any] = {}
        self._choice = widgets.Dropdown(options=list(self._tables), description="table")
        #: The field that takes a file, and how the file was read.
        self.source = DropField(self._on_file)
        self.reading = HtmlWidget(pressed=self._on_correction)
        self._messages = HtmlWidget()
        self._slot = widgets.Box(layout=widgets.Layout(width="100%"))
        super().__init__(
            [make_row([self._choice, self.source]), self._messages, self.reading, self._slot],
            layout=widgets.Layout(width="100%"),
        )
        for name in ("nbrank", "nbrank-app"):
            self.add_class(name)
        self._choice.observe(self._open, "value")
        self._open()

    def __repr__(self) -> str:
        return f"{type(self).__name__}\n{self.text}"

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Show the page, and where no kernel runs, the picture of the table that is open."""
        bundle = super()._repr_mimebundle_(**options)
        picture = {} if self.bench is None else self.bench.image()
        return bundle if bundle is None else {**bundle, **picture}

    @property
    def table(self) -> str:
        """The title of the table explored."""
        return str(self._choice.value)

    @table.setter
    def table(self, title: str) -> None:
        if title not in self._tables:
            raise traitlets.TraitError(
                f"table: unknown {title!r}; there are {', '.join(map(repr, self._tables))}"
            )
        self._choice.value = title

    # -------------------------------------------------------------------------- a file of one's own

    def _on_file(self, name: str, content: bytes) -> None:
        """Read a file, and offer it as a table in the place of the last one."""
        title = f"your file: {name}"
        self._tables.pop(self._own_title, None)
        self._workbenches.pop(self._own_title, None)
        self._own_title, self._content, self.roles, self.reading.html = title, content, {}, ""
        self.options = {}
        self._tables[title] = lambda: read(content, roles=self.roles or None, **self.options)
        # A new list selects its first table, which isn't a choice of the user.
        self._choice.unobserve(self._open, "value")
        self._choice.options = list(self._tables)
        self._choice.value = title
        self._choice.observe(self._open, "value")
        self._open()

    def _on_correction(self, name: str, value: str) -> None:
        """Read the file anew as the user says, of a column or all of it, if it can be read so."""
        kind, subject = json.loads(name)
        before, bench = (self.roles, self.options), self._workbenches.pop(self.table, None)
        if kind == "read":
            self.roles = {**self.roles, **subject.get("roles", {})} if subject else {}
            chosen = {name: choice for name, choice in subject.items() if name != "roles"}
            self.options = {**self.options, **chosen} if subject else {}
        else:
            roles = {**self.roles, subject: value}
            self.roles = {name: role for name, role in roles.items() if role}
        self._open()
        if self.bench is None and bench is not None:
            why, (self.roles, self.options) = self.text, before
            self._workbenches[self.table] = bench
            self._open()
            wish = "the file" if kind == "read" else f"“{subject}”"
            self._show_messages([f"{wish} can't be read {f'as {value}' * (kind == 'role')}.", why])

    # ------------------------------------------------------------------------------ what is on show

    def _open(self, _: Any = None) -> None:
        """Show the table that is chosen, as it was left; or say why it can't be shown."""
        own = self.table == self._own_title
        if self.table not in self._workbenches:
            self._show_messages(["One moment ..."])
            try:
                self._workbenches[self.table] = self._load()
            except (OSError, TypeError, ValueError, RuntimeError) as error:
                # What a call would say is a sentence here.
                lines = re.sub(r"\bsay (?=\w+=)", "", str(error)).splitlines()
                why = [
                    f"This can't be shown: {rewrite_calls(line, _WORDS, ', and ')}."
                    for line in lines
                ]
                self._show_messages([*why, *([_UPLOAD_HELP] if own else [])])
                self.bench, self._slot.children = None, []
                self.reading.html = self._render_choices(str(error)) if own else ""
                return
        bench, reading, notes = self._workbenches[self.table]
        self._show_messages([*notes, describe_votes(bench.board)])
        self.reading.html = (
            render_reading(reading, bench.board)
            if own and reading is not None and not holds_lines(bench.board)
            else ""
        )
        self.bench, self._slot.children = bench, [bench]

    def _render_choices(self, message: str) -> str:
        """Set what a refusal recommends as buttons, above a choice of role for each column."""
        calls = find_calls(message)
        buttons = [
            render_button(json.dumps(["read", call]), "", describe_call(call)) for call in calls
        ]
        if self.roles or self.options:
            buttons.append(render_button(json.dumps(["read", {}]), "", "Forget what I said"))
        columns = render_columns(self._content, self.roles, self.options.get("table"))
        return f"<p>{' '.join(buttons)}</p>" * bool(buttons) + columns

    def _load(self) -> tuple[Workbench, Reading | None, list[str]]:
        source = self._tables[self.table]
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            table = source() if callable(source) else source
        said = [warning.message.args[0] for warning in caught]  # type: ignore[union-attr]
        notes = [f"Note: {getattr(text, 'fact', text)}." for text in said]
        bench = Workbench(as_votes(table, "units"))
        if self.table == self._own_title:
            name = self.table.partition(": ")[2]
            given = format_options({"roles": self.roles, **self.options})
            bench.trail.name_source(f"nbrank.read({name!r}{f', {given}' * bool(given)})")
            if self.options:
                notes.append(f"Read as you said: {describe_call(self.options)}.")
        return bench, getattr(table, "reading", None), notes

    def _show_messages(self, sentences: list[str]) -> None:
        self.text = "\n".join(sentences)
        self._messages.html = render_paragraphs(sentences)


def describe_votes(votes: Votes) -> str:
    """Say what there is."""
    systems = pluralize(len(votes.systems), "system")
    if isinstance(votes, Leaderboard):
        return f"{systems} on {describe_tasks(votes)}."
    return f"{systems}, compared in pairs."


_WAYS = {"higher": "▲ higher", "lower": "▼ lower"}
_HEAD = "".join(f"<th>{name}</th>" for name in ("column", "read as", "better is", "why"))
_ROLES = tuple(dict.fromkeys(("task", *get_args(Role))))
_COUNTED = ("task", "score")
_LEFT_OUT = ("average", "description", "error", "low", "high", "n")


def render_reading(reading: Reading, votes: Votes) -> str:
    """Set the columns as a table, with a choice of role and direction for each."""
    columns = [ReadColumn(*row) for row in reading.itertuples(index=False)]
    named = (vars(reading).get("task_directions") or {}).values()
    # A doubt is shown without its call, because users of the page choose from a list.
    facts: dict[str, str] = vars(reading).get("facts") or {}
    rows = [
        _render_row(row, facts.get(row.doubt, row.doubt))
        for row in sorted([*columns, *named], key=lambda row: not row.doubt)
    ]
    title = escape(_describe_reading(reading, votes))
    return (
        f"<details{' open' * bool(reading.doubts)}><summary><h3>{title}</h3></summary>"
        f'{wrap_table("nbrank-reading", _HEAD, rows)}<p><a download="reading.toml" '
        f'href="data:text/plain;charset=utf-8,{quote(reading.to_toml() or "")}">'
        "keep this reading (reading.toml)</a></p></details>"
    )


def _describe_roles(roles: Mapping[str, str]) -> str:
    columns = [f"“{name}” the role {role}" for name, role in roles.items()]
    return f"give {', '.join(columns)} below"


def _describe_rows(where: Mapping[str, Any]) -> str:
    cells = [f"“{name}” is {' or '.join(map(str, cell if isinstance(cell, list) else [cell]))}"
             for name, cell in where.items()]  # fmt: skip
    return f"keep the rows in which {' and '.join(cells)}"


#: Option of `read` -> the function that says it in words.
_WORDS: dict[str, Callable[[Any], str]] = {
    "roles": _describe_roles,
    "where": _describe_rows,
    "duplicates": lambda how: f"take the {how} of the rows of the same name",
    "transpose": lambda _: "turn rows into columns",
    "table": lambda table: f"read the table {table}",
    "na": lambda marks: f"take {', '.join(f'“{mark}”' for mark in marks)} for no score",
    "lower_is_better": lambda _: "say that lower is better below",
}


def describe_call(call: Mapping[str, Any]) -> str:
    """Say in words what a call of `read` does.

    >>> describe_call({"roles": {"seed": "run"}, "where": {"split": "test"}})
    'Give “seed” the role run below, and keep the rows in which “split” is test'
    """
    text = ", and ".join(_WORDS[name](choice) for name, choice in call.items())
    return text[:1].upper() + text[1:]


def render_columns(content: bytes, roles: Mapping[str, str], table: int | str | None = None) -> str:
    """Set the columns of a file that is refused as a table, with a choice of role for each."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            frame = load_frame(content, table=table)
    except (OSError, TypeError, ValueError):
        return ""  # It is not a table.
    rows = []
    for at, name in enumerate(frame.columns):
        cells = ", ".join(map(repr, map(str, frame.iloc[:3, at])))
        item = ReadColumn(name, roles.get(column_key(name), ""), why=f"it begins with {cells}")
        rows.append(_render_row(item, "", ("", *_ROLES)))
    return f"<h3>Say what its columns are</h3>{wrap_table('nbrank-reading', _HEAD, rows)}"


def holds_lines(votes: Any) -> bool:
    """Return whether votes were read from lines, a ballot each: without columns to be read."""
    reading = getattr(votes, "reading", None)
    ballots = isinstance(votes, Leaderboard) and task_noun(votes) == "ballot"
    return ballots and reading is not None and len(reading) == 1


def _describe_reading(reading: Reading, votes: Votes) -> str:
    """Say how many columns count and how many don't, and of how many there is a doubt."""
    parts = [pluralize(len(votes.systems), "system")]
    if isinstance(votes, Leaderboard) and task_noun(votes) == "ballot":
        parts.append(describe_tasks(votes))
    elif isinstance(votes, Leaderboard):
        tasks = int((votes.weights > 0).sum())
        parts.append(f"{pluralize(tasks, 'task')} {agree_verb('is', tasks)} ranked")
    if out := int(reading["role"].isin(_LEFT_OUT).sum()):
        parts.append(f"{pluralize(out, 'column')} left out")
    doubts = len(reading.doubts)
    yours = f"; {pluralize(doubts, 'doubt')} {agree_verb('is', doubts)} yours to settle"
    return f"{', '.join(parts)}{yours * bool(doubts)}"


def _render_row(row: ReadColumn, doubt: str, roles: Iterable[str] = _ROLES) -> str:
    key, name = column_key(row.column), json.dumps(["role", column_key(row.column)])
    options = "".join(
        f"<option{' selected' * (role == row.role)}>{role}</option>" for role in roles
    )
    better = "–"
    if row.role in _COUNTED:
        better = " ".join(
            render_button(name, way, text, pressed=way == row.direction)
            for way, text in _WAYS.items()
        )
    why = f"<b>A doubt.</b> {escape(doubt)}" if doubt else escape(row.why)
    look = "doubt" if doubt else "out" if row.role in _LEFT_OUT else ""
    return (
        f'<tr class="nbrank-{look}"><th>{escape(key)}</th><td><select data-name="{escape(name)}" '
        f'aria-label="role of {escape(key)}">{options}</select></td><td>{better}</td>'
        f"<td>{why}</td></tr>"
    )
