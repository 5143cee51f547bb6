"""Scores: all of them in a table that a click sorts, with a field to find systems."""

from __future__ import annotations

from html import escape

from nbrank.charts.board_drawing.sizes import place_class
from nbrank.findings.labels import format_ranks, format_score_column
from nbrank.findings.overview import task_names
from nbrank.frontends.shared_html import render_sortable_heading
from nbrank.frontends.workbench.html import HtmlWidget, wrap_table
from nbrank.frontends.workbench.tab import Tab
from nbrank.frontends.workbench.workbench_state import WorkbenchState, WorkbenchView

#: Maximum number of rows of the table.
_MAX_ROWS = 500
_KEY = (
    "Press the name of a task to sort by it, and again to begin with the worst. The more a "
    "score stands out, the better its place; an empty cell is a missing score."
)


class ScoresTab(Tab):
    """The scores, shaded by their places, in the order of the rule."""

    title = "Scores"

    def __init__(self, bench: WorkbenchState) -> None:
        super().__init__(bench)
        self.table = HtmlWidget(pressed=bench.on_button)
        self.wide = (self.table,)

    def show(self, view: WorkbenchView) -> list[str]:
        """Set the scores of the systems, best first."""
        rows = view.votes.systems.get_indexer(view.ranking.index)[:_MAX_ROWS].tolist()
        self.table.html = self._render_table(view, rows)
        n = len(view.votes.systems)
        return self.render([f"The first {len(rows)} of {n} are shown." * (len(rows) < n), _KEY])

    def _render_table(self, seen: WorkbenchView, rows: list[int]) -> str:
        """Set the rows of systems as a table, whose headings are buttons."""
        assert seen.places is not None
        scores, places = seen.board.task_scores().to_numpy(), seen.places.to_numpy()
        texts = [format_score_column(column) for column in scores.T]
        head = render_sortable_heading("system") + render_sortable_heading("rank", is_sorted=True)
        lower = seen.board.is_lower_better.tolist()
        for text, is_lower in zip(task_names(seen.board).short.values(), lower, strict=True):
            title = f' title="{escape(text)}{": lower is better" * is_lower}"'
            head += render_sortable_heading(text, is_lower_better=is_lower, attributes=title)
        ranks = dict(zip(seen.ranking.index, format_ranks(seen.ranking["rank"]), strict=True))
        body = []
        for row in rows:
            system = seen.votes.systems[row]
            cells = "".join(
                f'<td class="p{place_class(place, len(scores))}">{column[row]}</td>'
                if column[row]
                else "<td></td>"
                for place, column in zip(places[row], texts, strict=True)
            )
            name = self.bench.system_button(system)
            body.append(f"<tr><th>{name}</th><td>{ranks[system]}</td>{cells}</tr>")
        return wrap_table("nbrank-matrix nbrank-scores", head, body, ' class="sortable"')
