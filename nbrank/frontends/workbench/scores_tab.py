"""Scores: all of them in a table, sorted by a click, with a field to find systems."""

from __future__ import annotations

from html import escape

import ipywidgets as widgets
import numpy as np

from nbrank.charts.board_drawing.sizes import place_class
from nbrank.findings.overview import task_names
from nbrank.findings.score_text import format_score_column
from nbrank.frontends.workbench.html import HtmlWidget, render_button
from nbrank.frontends.workbench.tab import Tab
from nbrank.frontends.workbench.workbench_state import WorkbenchState, WorkbenchView

#: So many rows stand in the table; the field finds the others.
_MAX_ROWS = 60
_KEY = (
    "Press the name of a task to sort by it, and again to begin with the worst. The more a "
    "score stands out, the better its place; a dash is a missing score."
)


class ScoresTab(Tab):
    """The scores, shaded by their places, in the order of the rule or of a task."""

    title = "Scores"

    def __init__(self, bench: WorkbenchState) -> None:
        self._find = widgets.Text(
            description="find", placeholder="systems by a part of their names"
        )
        super().__init__(bench)
        self.table = HtmlWidget(pressed=self._on_button)
        self.wide = (self._find, self.table)
        #: The task by which rows are sorted, None for the rule that orders; whether worst first.
        self.sorted_by: int | None = None
        self.is_reversed = False
        self._find.observe(lambda _: bench.render(), "value")

    def _on_button(self, name: str, value: str) -> None:
        if name != "sort":
            self.bench.on_button(name, value)
            return
        task = int(value) if value else None
        self.is_reversed = task == self.sorted_by and not self.is_reversed
        self.sorted_by = task
        self.bench.render()

    def clear(self) -> list[str]:
        """Show nothing of an earlier setting."""
        self.table.html = ""
        return super().clear()

    def show(self, seen: WorkbenchView) -> list[str]:
        """Set the scores of the systems that are looked for."""
        names = self.bench.names
        order = self._sorted_rows(seen)
        typed = self._find.value.strip().casefold()
        systems = seen.votes.systems
        found = [row for row in order if typed in names.full[systems[row]].casefold()]
        shown = found[:_MAX_ROWS]
        self.table.html = self._render_table(seen, shown)
        more = len(found) - len(shown)
        notes = [
            f"{len(found)} of {len(systems)} systems have “{typed}” in their names." * bool(typed),
            f"The first {len(shown)} of {len(found)} are shown." * (more > 0),
            _KEY,
        ]
        return self.render(notes)

    def _sorted_rows(self, seen: WorkbenchView) -> list[int]:
        """The systems' places in the table, in the order that was asked for."""
        rows = seen.votes.systems.get_indexer(seen.ranking.index)
        if self.sorted_by is not None:
            assert seen.places is not None
            places = seen.places.to_numpy()[rows, self.sorted_by]
            rows = rows[np.argsort(-places if self.is_reversed else places, kind="stable")]
        elif self.is_reversed:
            rows = rows[::-1]
        return [int(row) for row in rows]

    def _render_table(self, seen: WorkbenchView, rows: list[int]) -> str:
        """Set the rows of systems as a table, whose headings are buttons."""
        assert seen.places is not None
        scores, places = seen.board.task_scores().to_numpy(), seen.places.to_numpy()
        texts = [format_score_column(column) for column in scores.T]
        head = self._heading(None, "rank", seen)
        for task, text in enumerate(task_names(seen.board).short.values()):
            head += self._heading(task, text, seen)
        ranks = dict(zip(seen.ranking.index, seen.ranking["rank"], strict=True))
        body = []
        for row in rows:
            system = seen.votes.systems[row]
            cells = "".join(
                f'<td class="nbrank-p{place_class(place, len(scores))}">{column[row]}</td>'
                if column[row]
                else "<td>–</td>"
                for place, column in zip(places[row], texts, strict=True)
            )
            name = self.bench.system_button(system)
            body.append(f"<tr><th>{name}</th><td>{ranks[system]}</td>{cells}</tr>")
        return (
            f'<div class="nbrank-matrix nbrank-scores"><table><thead><tr><th></th>{head}</tr>'
            f"</thead><tbody>{''.join(body)}</tbody></table></div>"
        )

    def _heading(self, task: int | None, text: str, seen: WorkbenchView) -> str:
        """Write the heading of a column, with an arrow if it is the one that is sorted by."""
        here, state, arrow = task == self.sorted_by, "none", ""
        if here:
            state = "ascending" if self.is_reversed else "descending"
            arrow = " ▲" if self.is_reversed else " ▼"
        lower = task is not None and bool(seen.board.is_lower_better[task])
        title = f' title="{escape(text)}{": lower is better" * lower}"'
        button = render_button("sort", "" if task is None else task, text + arrow)
        return f'<th aria-sort="{state}"{title}>{button}</th>'
