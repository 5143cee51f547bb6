"""Pairs: which systems beat which, pair by pair."""

from __future__ import annotations

import math
from html import escape

import numpy as np
import pandas as pd

from nbrank.findings.labels import DisplayNames, agree_verb, format_ranks, join_labels, rule_title
from nbrank.findings.overview import task_noun
from nbrank.frontends.shared_html import MODEL_AND_PAIRS, render_paragraphs
from nbrank.frontends.vote_drawing import MAX_GRAPH, draw_majorities
from nbrank.frontends.workbench.html import HtmlWidget, wrap_table
from nbrank.frontends.workbench.tab import Tab
from nbrank.frontends.workbench.workbench_state import WorkbenchState, WorkbenchView
from nbrank.tournament import smith_set
from nbrank.votes.formatting import Label, pluralize
from nbrank.votes.leaderboard import Leaderboard

#: Maximum number of systems in the matrix.
_MAX_ROWS = 24
_KEY = (
    "A number is the percentage on which the row beats the column, ties half; the larger, the more "
    "it stands out. In bold and underlined: the two can be told apart. Columns stand in the order "
    "of the rows."
)
_GRAPH_KEY = (
    "Arrows go from winners to losers, the thicker, the clearer; blue are those of who beats all."
)


class PairsTab(Tab):
    """The shares of tasks, or of comparisons, on which each of the first systems beats another."""

    title = "Pairs"

    def __init__(self, bench: WorkbenchState) -> None:
        super().__init__(bench)
        self.matrix, self.graph = (HtmlWidget(pressed=bench.on_button) for _ in range(2))
        self.wide = (self.matrix, self.graph)

    def show(self, seen: WorkbenchView) -> list[str]:
        """Say which systems no other beats, and show the matrix of the first systems."""
        names, n = self.bench.names, len(seen.votes.systems)
        top = smith_set(seen.votes)
        if len(top) == 1:
            text = f"{names.join(top)} beats every other system, pair by pair."
        elif len(top) == n:
            text = "No system beats every other, and no group of them beats all the rest."
        else:
            text = (
                f"No system beats every other, pair by pair. Each of these {len(top)} beats "
                f"every system that is not one of them: {names.join(top, 5)}."
            )
        first = [*seen.ranking.index[:_MAX_ROWS]]
        if (looked_at := seen.looked_at(self.bench.system)) not in (None, *first):
            first.append(looked_at)
        note = f"The table has {len(first)} of {n} systems." if len(first) < n else ""
        self.matrix.html = self._render_matrix(seen, first) if n > 1 else ""
        self.graph.html = self._render_graph(seen, first[:MAX_GRAPH]) if n > 1 else ""
        notes = [text, note]
        if seen.rank_sets is not None and not isinstance(seen.votes, Leaderboard):
            notes.append(MODEL_AND_PAIRS)
        return self.render(notes)

    def _render_graph(self, seen: WorkbenchView, first: list[Label]) -> str:
        """Draw an arrow from the winner to the loser of each of the first systems."""
        wins, names = seen.votes.pairwise(), self.bench.names.short
        rows = wins.index.get_indexer(pd.Index(first, tupleize_cols=False))
        table = wins.to_numpy()[np.ix_(rows, rows)].tolist()
        number = {
            (names[one], names[other]): count
            for one, row in zip(first, table, strict=True)
            for other, count in zip(first, row, strict=True)
            if one != other
        }
        among = f" of the first {len(first)}" * (len(first) < len(wins))
        key = f"{_GRAPH_KEY} The numbers count {_counted_unit(seen)}."
        graph = draw_majorities(number, {})
        return f"<h4>Who beats whom{among}?</h4>{graph}{render_paragraphs([key])}"

    def _render_matrix(self, seen: WorkbenchView, first: list[Label]) -> str:
        """Set a row and a column for each system, with the shares and what is sure."""
        pairs, systems = seen.votes.confidence(adjust="holm"), seen.votes.systems
        n = len(systems)
        sides = tuple(systems.get_indexer(pairs.index.get_level_values(side)) for side in (0, 1))
        wins, sure = np.full((n, n), np.nan), np.zeros((n, n), bool)
        wins[sides], sure[sides] = pairs["wins"], pairs["significant"]
        key = _KEY
        if isinstance(seen.votes, Leaderboard):
            # The tests are those of the tab "How sure", so that both tabs agree on each pair.
            apart, sets = seen.told_apart, seen.rank_sets
            sure = np.zeros((n, n), bool) if apart is None or apart.shape != (n, n) else apart
            if sets is not None:
                rule = rule_title(sets.attrs["rule"])
                key += f" The test is that of all ranks by {rule}, as under How sure."
        rows = systems.get_indexer(pd.Index(first, tupleize_cols=False))
        places = dict(zip(seen.ranking.index, format_ranks(seen.ranking["rank"]), strict=True))
        head = "".join(
            f'<th title="{escape(self.bench.names.full[system])}">{places[system]}</th>'
            for system in first
        )
        body = [
            f"<tr><th><small>{places[system]}</small> {self.bench.system_button(system)}</th>"
            + "".join(
                _render_share(share, told_apart=apart)
                for share, apart in zip(wins[row, rows].tolist(), sure[row, rows], strict=True)
            )
            + "</tr>"
            for row, system in zip(rows, first, strict=True)
        ]
        number = f"{told:,}" if (told := int(sure.sum()) // 2) else "None"
        table = wrap_table("nbrank-matrix nbrank-pairs", f"<th></th>{head}", body)
        of = pluralize(math.comb(n, 2), "pair")
        return f"<h4>{number} of {of} can be told apart</h4>{table}{render_paragraphs([key])}"


def _render_share(share: float, *, told_apart: bool) -> str:
    """Write a cell of the matrix: one that never met, or the share that the row won, shaded."""
    if math.isnan(share):
        return "<td></td>"
    text, shade = f"{100 * share:.0f}", 5 - min(4, int(5 * share))
    return f'<td class="p{shade}">{f"<b>{text}</b>" if told_apart else text}</td>'


def describe_pairwise_record(view: WorkbenchView, names: DisplayNames, system: Label) -> str:
    """Say who beats a system, pair by pair, by most first, and how many it beats."""
    wins = view.votes.pairwise()
    row = list(wins.index).index(system)
    won, lost = wins.to_numpy()[row], wins.to_numpy()[:, row]
    net = np.where(np.isclose(won, lost, rtol=1e-12, atol=1e-9), 0.0, won - lost)
    better = np.flatnonzero(net < 0)
    better = better[np.argsort(net[better], kind="stable")]
    beats = pluralize(int((net > 0).sum()), "system")
    unit = f" {_counted_unit(view)}"
    if not len(better):
        return f"Pair by pair, no system beats it, and it beats {beats} of {len(net) - 1}."
    by = [
        f"{names.short[wins.index[other]]} ({lost[other]:.3g} to {won[other]:.3g}{of})"
        for other, of in zip(better[:3].tolist(), [unit, "", ""], strict=False)
    ]
    more = len(better) - len(by)
    text = join_labels(by) if not more else f"{', '.join(by)} and {more} more"
    return f"Pair by pair, {text} {agree_verb('beats', len(better))} it; it beats {beats}."


def _counted_unit(seen: WorkbenchView) -> str:
    """Name the unit that is counted when two systems are compared."""
    if not isinstance(seen.votes, Leaderboard):
        return "comparisons"
    weighs = seen.votes.weights[seen.votes.weights > 0]
    unit = "instances" if seen.votes.is_instance_level else f"{task_noun(seen.votes)}s"
    return unit if np.allclose(weighs, 1) else f"by the weight of the {unit}"
