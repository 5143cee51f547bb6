"""The workbench with a list of tables in front of it, and a field for a file of one's own."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets as widgets
import pandas as pd
import traitlets

from nbrank import datasets
from nbrank.charts import label_text
from nbrank.findings.overview import describe_tasks
from nbrank.frontends.workbench.html import HtmlWidget, render_paragraphs
from nbrank.frontends.workbench.tab import make_row
from nbrank.frontends.workbench.workbench import Workbench
from nbrank.readers.tables.table_reader import read
from nbrank.votes.formatting import pluralize
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard

TableLike = pd.DataFrame | Leaderboard

#: Title -> what loads the table; all of them ship with nbrank.
TABLES: dict[str, Callable[[], TableLike]] = {
    "SuperGLUE: 24 submissions": datasets.load_superglue_submissions,
    "Chat models: 7 on 22 benchmarks": datasets.load_llm_chat,
    "Toy votes: 4 systems, 5 tasks": datasets.load_toy_votes,
    "Condorcet's 60 voters: a circle": datasets.load_condorcet_cycle,
    "A paradox of pairs: 3 systems, 6 tasks": datasets.load_pairwise_paradox,
    "XTREME with 18 scores missing": datasets.load_xtreme_missing,
    "CEval: 6 generators on 488 texts": datasets.load_ceval_scores,
    "GLUE: 105 submissions": datasets.load_glue_submissions,
    "Language models: accurate, efficient, fair": datasets.load_user_preferences,
}
_UPLOAD_TITLE = "your file"
_UPLOAD_HELP = (
    "A table has a row for each system, its name in the first column, and a column of numbers "
    "for each task; a cell without a score stays empty. The tasks' groups may stand above their "
    "names."
)


def _read_board(content: bytes, lower: dict[Any, bool] | None) -> Leaderboard:
    """The scores or ballots of a file; comparisons are refused."""
    votes = read(content) if lower is None else read(content, lower_is_better=lower)
    if not isinstance(votes, Leaderboard):
        raise TypeError(
            "this file holds comparisons; open it with nbrank.explore(nbrank.read(...))"
        )
    return votes


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

    table = traitlets.Unicode()
    bench = traitlets.Instance(Workbench, allow_none=True, read_only=True)
    text = traitlets.Unicode()

    def __init__(
        self, tables: Mapping[str, TableLike | Callable[[], TableLike]] | None = None
    ) -> None:
        self._tables = dict(TABLES if tables is None else tables)
        if not self._tables:
            raise ValueError("there is no table to explore; give at least one")
        #: Title -> its workbench and what is to be said of it, once it was opened.
        self._workbenches: dict[str, tuple[Workbench, list[str]]] = {}
        # The title of the user's file, once there is one.
        self._uploaded_title: str | None = None
        self._ready = False
        self._choice = widgets.Dropdown(options=list(self._tables), description="table")
        #: The field that takes a file.
        self.upload = widgets.FileUpload(
            description="or a file of yours",
            accept=".csv,.tsv,.txt,.xlsx,.json,.jsonl,.parquet,.md,.html",
            layout=widgets.Layout(width="auto"),
        )
        #: The tasks of the file where a lower score is better.
        self.lower_is_better = widgets.SelectMultiple(description="lower is better on")
        self._messages = HtmlWidget()
        self._slot = widgets.Box(layout=widgets.Layout(width="100%"))
        row = make_row([self._choice, self.upload])
        super().__init__(
            [row, self.lower_is_better, self._messages, self._slot],
            layout=widgets.Layout(width="100%"),
        )
        self.add_class("nbrank-app")
        self.upload.observe(self._on_upload, "value")
        self.lower_is_better.observe(self._on_orientation_change, "value")
        traitlets.link((self._choice, "value"), (self, "table"))
        self._ready = True
        self._on_table_change(None)

    def __repr__(self) -> str:
        return f"{type(self).__name__}\n{self.text}"

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Show the page, and where no kernel runs, the picture of the table that is open."""
        bundle = super()._repr_mimebundle_(**options)
        picture = {} if self.bench is None else self.bench.image()
        return bundle if bundle is None else {**bundle, **picture}

    @traitlets.validate("table")
    def _validate_table(self, proposal: Any) -> str:
        title = str(proposal["value"])
        if title not in self._tables:
            raise traitlets.TraitError(
                f"table: unknown {title!r}; there are {', '.join(map(repr, self._tables))}"
            )
        return title

    # -------------------------------------------------------------------------- a file of one's own

    def _on_upload(self, _: Any) -> None:
        """Read the file that was uploaded, and offer it as a table."""
        if not self.upload.value:
            return
        file = self.upload.value[0]
        title, content = f"{_UPLOAD_TITLE}: {file['name']}", bytes(file["content"])
        self._ready = False
        self._tables.pop(self._uploaded_title or "", None)
        self._uploaded_title = title
        self._tables[title] = lambda: _read_board(content, self._directions())
        self._choice.options = list(self._tables)
        self.table = title
        self._workbenches.pop(title, None)
        self.lower_is_better.value = ()  # first: the browser can't select what is no longer there
        self.lower_is_better.options = ()
        self._ready = True
        self._on_table_change(None)

    def _on_orientation_change(self, _: Any) -> None:
        """Read the file's scores with other tasks turned round."""
        if self._ready:
            self._workbenches.pop(self.table, None)
            self._on_table_change(None)

    # ------------------------------------------------------------------------------ what is on show

    @traitlets.observe("table")
    def _on_table_change(self, _: Any) -> None:
        if not self._ready:
            return
        own = self.table == self._uploaded_title
        self.lower_is_better.layout.display = None if own else "none"
        if self.table not in self._workbenches:
            self._show_messages(["One moment ..."])
            try:
                board, notes = self._read_upload()
                self._workbenches[self.table] = Workbench(board), notes
            except (OSError, TypeError, ValueError, RuntimeError) as error:
                why = [f"This can't be shown: {line}." for line in str(error).splitlines()]
                self._show_messages([*why, *([_UPLOAD_HELP] if own else [])])
                self.set_trait("bench", None)
                self._slot.children = []
                return
        bench, notes = self._workbenches[self.table]
        systems = pluralize(len(bench.board.systems), "system")
        self._show_messages([f"{systems} on {describe_tasks(bench.scores)}.", *notes])
        self.set_trait("bench", bench)
        self._slot.children = [bench]

    def _read_upload(self) -> tuple[Leaderboard, list[str]]:
        source = self._tables[self.table]
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            table = source() if callable(source) else source
        notes = [f"Note: {warning.message}." for warning in caught]
        if self.table != self._uploaded_title:
            return as_leaderboard(table), notes
        board = as_leaderboard(table)
        if not self.lower_is_better.options:
            self._ready = False
            self.lower_is_better.options = [(label_text(task), task) for task in board.tasks]
            self.lower_is_better.value = board.lower_is_better
            self._ready = True
        return board, notes

    def _directions(self) -> dict[Any, bool] | None:
        """Which way each task of the file is to be read, once they are known."""
        tasks = [task for _, task in self.lower_is_better.options]
        return {task: task in self.lower_is_better.value for task in tasks} or None

    def _show_messages(self, sentences: list[str]) -> None:
        self.text = "\n".join(sentences)
        self._messages.html = render_paragraphs(sentences)
