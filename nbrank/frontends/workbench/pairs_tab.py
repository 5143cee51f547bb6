"""Pairs: which systems beat which, one against one."""

from __future__ import annotations

from collections.abc import Mapping

import altair as alt
import numpy as np
import pandas as pd

from nbrank.charts.pair_matrix import MODEL_AND_PAIRS, draw_pairs
from nbrank.comparison.pairwise_wins import pairwise
from nbrank.findings.labels import DisplayNames, agree_verb, join_labels
from nbrank.findings.overview import task_noun
from nbrank.frontends.workbench.tab import Tab
from nbrank.frontends.workbench.workbench_state import WorkbenchView
from nbrank.tournament import smith_set
from nbrank.uncertainty.pair_intervals import confidence
from nbrank.votes.formatting import Label, pluralize
from nbrank.votes.leaderboard import Leaderboard


class PairsTab(Tab):
    """The shares of tasks, or of comparisons, on which each of the first systems beats another."""

    title = "Pairs"

    def show(self, seen: WorkbenchView) -> list[str]:
        """Say whom nobody outside beats, and draw the first systems."""
        names, n = self.bench.names, len(seen.votes.systems)
        top = smith_set(seen.votes)
        if len(top) == 1:
            text = f"{names.join(top)} beats every other system, one against one."
        elif len(top) == n:
            text = "No system beats every other, and no group of them beats all the rest."
        else:
            text = (
                f"No system beats every other, one against one. Each of {len(top)} beats all the "
                f"rest: {names.join(top, 5)}."
            )
        # Each name stands beside its row and over its column, and both have to fit.
        first = seen.visible_names(self.bench.system, 18)
        note = f"The first {len(first)} of {n} are drawn." if len(first) < n else ""
        by_model = seen.rank_sets is not None and not isinstance(seen.votes, Leaderboard)
        draw = (lambda: _draw_pairs(seen, first)) if len(first) > 1 else None
        grouped = isinstance(seen.votes, Leaderboard) and seen.votes.groups is not None
        alone = "Each task is taken as a draw of its own here, also where tasks form groups."
        notes = [text, note, MODEL_AND_PAIRS * by_model, alone * grouped]
        return self.render(notes, draw=draw)


def _draw_pairs(seen: WorkbenchView, first: Mapping[Label, str]) -> alt.LayerChart:
    """Draw the pairs of the first systems, by their short names."""
    result = confidence(seen.votes, adjust="holm")
    chosen = [result.index.get_level_values(side).isin(list(first)) for side in (0, 1)]
    pairs = result[chosen[0] & chosen[1]].rename(first)
    return draw_pairs(pairs, pd.Index(first.values()))


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
        return f"One against one, nobody beats it, and it beats {beats} of {len(net) - 1}."
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
