"""Pairs: which systems beat which, one against one."""

from __future__ import annotations

import math
from functools import partial
from html import escape

import numpy as np
import pandas as pd

from nbrank import charts
from nbrank.comparison.pairwise_wins import pairwise
from nbrank.findings.labels import DisplayNames, agree_verb, format_ranks, join_labels, rule_title
from nbrank.findings.overview import task_noun
from nbrank.frontends.shared_html import render_paragraphs
from nbrank.frontends.workbench.html import HtmlWidget
from nbrank.frontends.workbench.tab import Tab
from nbrank.frontends.workbench.workbench_state import WorkbenchState, WorkbenchView
from nbrank.tournament import smith_set
from nbrank.uncertainty.pair_intervals import confidence
from nbrank.votes.formatting import Label, pluralize
from nbrank.votes.leaderboard import Leaderboard

#: So many systems have a row and a column each, and so many an arrow to others.
_MAX_ROWS, _MAX_ARROWS = 24, 10
_KEY = (
    "A number is the percentage on which the row beats the column, ties half; the larger, the more "
    "it stands out. In bold and underlined: the two can be told apart. Columns stand in the order "
    "of the rows."
)


class PairsTab(Tab):
    """The shares of tasks, or of comparisons, on which each of the first systems beats another."""

    title = "Pairs"

    def __init__(self, bench: WorkbenchState) -> None:
        super().__init__(bench)
        self.matrix = HtmlWidget(pressed=bench.on_button)
        self.wide = (self.matrix, self.map)
        self.pane.children = [self.html]

    def show(self, seen: WorkbenchView) -> list[str]:
        """Say whom nobody outside beats, and set the first systems against each other."""
        names, n = self.bench.names, len(seen.votes.systems)
        top = smith_set(seen.votes)
        if len(top) == 1:
            text = f"{names.join(top)} beats every other system, one against one."
        elif len(top) == n:
            text = "No system beats every other, and no group of them beats all the rest."
        else:
            text = (
                f"No system beats every other, one against one. Each of these {len(top)} beats "
                f"every system that is not one of them: {names.join(top, 5)}."
            )
        first = [*seen.ranking.index[:_MAX_ROWS]]
        if (looked_at := seen.looked_at(self.bench.system)) not in (None, *first):
            first.append(looked_at)
        note = f"The table has {len(first)} of {n} systems." if len(first) < n else ""
        by_model = seen.rank_sets is not None and not isinstance(seen.votes, Leaderboard)
        self.matrix.html = self._render_matrix(seen, first) if n > 1 else ""
        from nbrank.charts.pair_matrix import MODEL_AND_PAIRS

        draw = partial(charts.majority_graph, seen.votes, max_systems=_MAX_ARROWS)
        notes = [text, note, MODEL_AND_PAIRS * by_model]
        return self.render(notes, draw=draw if n > 1 else None)

    def _render_matrix(self, seen: WorkbenchView, first: list[Label]) -> str:
        """Set a row and a column for each system, with the shares and what is sure."""
        pairs, systems, names = (
            confidence(seen.votes, adjust="holm"),
            seen.votes.systems,
            self.bench.names,
        )
        n = len(systems)
        sides = tuple(systems.get_indexer(pairs.index.get_level_values(side)) for side in (0, 1))
        wins, sure = np.full((n, n), np.nan), np.zeros((n, n), bool)
        wins[sides], sure[sides] = pairs["wins"], pairs["significant"]
        key = _KEY
        if isinstance(seen.votes, Leaderboard):
            # The tests that stand under How sure, so that both tabs tell the same pairs apart.
            apart, sets = seen.told_apart, seen.rank_sets
            sure = np.zeros((n, n), bool) if apart is None or apart.shape != (n, n) else apart
            if sets is not None:
                rule = rule_title(sets.attrs["rule"])
                key += f" The test is that of all ranks by {rule}, as under How sure."
        rows = systems.get_indexer(pd.Index(first, tupleize_cols=False))
        places = dict(zip(seen.ranking.index, format_ranks(seen.ranking["rank"]), strict=True))
        ranks = [places[system] for system in first]
        head = "".join(
            f'<th title="{escape(names.full[system])}">{rank}</th>'
            for system, rank in zip(first, ranks, strict=True)
        )
        body = []
        for row, system, rank in zip(rows, first, ranks, strict=True):
            cells = "".join(
                _render_share(wins[row, other], told_apart=bool(sure[row, other])) for other in rows
            )
            button = self.bench.system_button(system)
            body.append(f"<tr><th><small>{rank}</small> {button}</th>{cells}</tr>")
        number = f"{told:,}" if (told := int(sure.sum()) // 2) else "None"
        return (
            f"<h4>{number} of {pluralize(math.comb(n, 2), 'pair')} can be told apart</h4>"
            f'<div class="nbrank-matrix nbrank-pairs"><table><thead><tr><th></th>{head}</tr>'
            f"</thead><tbody>{''.join(body)}</tbody></table></div>{render_paragraphs([key])}"
        )


def _render_share(share: float, *, told_apart: bool) -> str:
    """Write a cell of the matrix: one that never met, or the share that the row won, shaded."""
    if np.isnan(share):
        return "<td></td>"
    shade = 5 - min(4, int(5 * share))
    text = f"{100 * share:.0f}"
    return f'<td class="p{shade}">{f"<b>{text}</b>" if told_apart else text}</td>'


def describe_pairwise_record(seen: WorkbenchView, names: DisplayNames, system: Label) -> str:
    """Say who beats a system, one against one, by most first, and how many it beats."""
    wins = pairwise(seen.votes)
    row = list(wins.index).index(system)
    won, lost = wins.to_numpy()[row], wins.to_numpy()[:, row]
    net = np.where(np.isclose(won, lost, rtol=1e-12, atol=1e-9), 0.0, won - lost)
    better = np.flatnonzero(net < 0)
    better = better[np.argsort(net[better], kind="stable")]
    beats = pluralize(int((net > 0).sum()), "system")
    unit = f" {_counted_unit(seen)}"
    if not len(better):
        return f"One against one, no system beats it, and it beats {beats} of {len(net) - 1}."
    by = [
        f"{names.short[wins.index[other]]} ({lost[other]:.3g} to {won[other]:.3g}{of})"
        for other, of in zip(better[:3].tolist(), [unit, "", ""], strict=False)
    ]
    more = len(better) - len(by)
    text = join_labels(by) if not more else f"{', '.join(by)} and {more} more"
    return f"One against one, {text} {agree_verb('beats', len(better))} it; it beats {beats}."


def _counted_unit(seen: WorkbenchView) -> str:
    """What is counted where two systems meet."""
    if not isinstance(seen.votes, Leaderboard):
        return "comparisons"
    weighs = seen.votes.weights[seen.votes.weights > 0]
    unit = "instances" if seen.votes.is_instance_level else f"{task_noun(seen.votes)}s"
    return unit if np.allclose(weighs, 1) else f"by the weight of the {unit}"
