"""Pairs: which systems beat which, one against one."""

from __future__ import annotations

from collections.abc import Mapping

import altair as alt
import numpy as np
import pandas as pd

from nbrank.charts.pairs import MODEL_AND_PAIRS, pairs_in_order
from nbrank.explorers.bench import Seen
from nbrank.explorers.tab import Tab
from nbrank.findings.names import Names, listed, verb
from nbrank.findings.overview import task_of
from nbrank.questions.confidence import confidence
from nbrank.questions.pairwise import pairwise
from nbrank.tournament import smith_set
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.naming import Label, counted


class Pairs(Tab):
    """The shares of tasks, or of comparisons, on which each of the first systems beats another."""

    title = "Pairs"

    def show(self, seen: Seen) -> list[str]:
        """Say whom nobody outside beats, and draw the first systems."""
        names, n = self.bench.names, len(seen.votes.systems)
        top = smith_set(seen.votes)
        if len(top) == 1:
            said = f"{names.listed(top)} beats every other system, one against one."
        elif len(top) == n:
            said = "No system beats every other, and no group of them beats all the rest."
        else:
            said = (
                f"No system beats every other, one against one. Each of {len(top)} beats all the "
                f"rest: {names.listed(top, 5)}."
            )
        # Each name stands beside its row and over its column, and both have to fit.
        first = seen.shown(self.bench.system, 18)
        note = f"The first {len(first)} of {n} are drawn." if len(first) < n else ""
        by_model = seen.sets is not None and not isinstance(seen.votes, Leaderboard)
        draw = (lambda: _among(seen, first)) if len(first) > 1 else None
        grouped = isinstance(seen.votes, Leaderboard) and seen.votes.groups is not None
        alone = "Each task is taken as a draw of its own here, also where tasks form groups."
        notes = [said, note, MODEL_AND_PAIRS * by_model, alone * grouped]
        return self.tell(notes, draw=draw)


def _among(seen: Seen, first: Mapping[Label, str]) -> alt.LayerChart:
    """Draw the pairs of the first systems, by their short names."""
    found = confidence(seen.votes, adjust="holm")
    chosen = [found.index.get_level_values(side).isin(list(first)) for side in (0, 1)]
    pairs = found[chosen[0] & chosen[1]].rename(first)
    return pairs_in_order(pairs, pd.Index(first.values()))


def who_beats(seen: Seen, names: Names, system: Label) -> str:
    """Say who beats a system, one against one, by most first, and how many it beats."""
    wins = pairwise(seen.votes)
    row = list(wins.index).index(system)
    won, lost = wins.to_numpy()[row], wins.to_numpy()[:, row]
    net = np.where(np.isclose(won, lost, rtol=1e-12, atol=1e-9), 0.0, won - lost)
    better = np.flatnonzero(net < 0)
    better = better[np.argsort(net[better], kind="stable")]
    beats = counted(int((net > 0).sum()), "system")
    unit = f" {_unit(seen)}"
    if not len(better):
        return f"One against one, nobody beats it, and it beats {beats} of {len(net) - 1}."
    by = [
        f"{names.brief[wins.index[other]]} ({lost[other]:.3g} to {won[other]:.3g}{of})"
        for other, of in zip(better[:3].tolist(), [unit, "", ""], strict=False)
    ]
    more = len(better) - len(by)
    said = listed(by) if not more else f"{', '.join(by)} and {more} more"
    return f"One against one, {said} {verb('beats', len(better))} it; it beats {beats}."


def _unit(seen: Seen) -> str:
    """What is counted where two systems meet."""
    if not isinstance(seen.votes, Leaderboard):
        return "comparisons"
    weighs = seen.votes.weights[seen.votes.weights > 0]
    unit = "instances" if seen.votes.is_instance_level else f"{task_of(seen.votes)}s"
    return unit if np.allclose(weighs, 1) else f"by the weight of the {unit}"
