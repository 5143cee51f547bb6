"""Missing scores: delete some, and see which ranks survive."""

from __future__ import annotations

from functools import partial

import ipywidgets as widgets
import pandas as pd

from nbrank import charts
from nbrank.charts.names import MISSING_IN_WORDS, Names, in_brief, in_words, verb
from nbrank.explorers.bench import AS_EACH_DOES, Bench, Seen
from nbrank.explorers.controls import in_a_row
from nbrank.explorers.live_chart import LiveChart
from nbrank.explorers.prose import Prose, in_paragraphs
from nbrank.rules.rule import called, outcome
from nbrank.votes.naming import Label, counted

_MOST_DRAWN = 20


class MissingScores:
    """How missing scores count, a share that is deleted at random, and cells one by one."""

    title = "Missing scores"

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.board = board = bench.scores
        ways = [(f"{how}: {words}", how) for how, words in MISSING_IN_WORDS.items()]
        missing = widgets.Dropdown(
            description="a missing score counts", options=[(AS_EACH_DOES, AS_EACH_DOES), *ways]
        )
        share = widgets.FloatSlider(
            min=0,
            max=0.9,
            step=0.05,
            description="share deleted at random",
            # No percent: who types 30 there would be given the most.
            readout_format=".2f",
        )
        seed = widgets.BoundedIntText(
            min=0,
            max=10**6,
            description="random choice no.",
            tooltip="Another number deletes other scores; the same one, the same again.",
            layout=widgets.Layout(width="16em"),
        )
        bench.tie(missing=missing, share=share, seed=seed)
        # A list that is closed shows the beginning of a name, which may be that of all.
        self._system, self._task = (
            widgets.Dropdown(
                options=[(name, at) for at, name in enumerate(in_brief(of))], description=what
            )
            for what, of in {"score of": board.systems, "on": board.tasks}.items()
        )
        self.delete = widgets.Button(
            description="delete it, or bring it back", layout=widgets.Layout(width="auto")
        )
        self.restore = widgets.Button(description="bring all back")
        self.delete.on_click(lambda _: self._toggle())
        self.restore.on_click(lambda _: self._restore())
        self.said = Prose(pressed=bench.press)
        self.map = LiveChart(bench.script, bench.clicked)
        buttons = in_a_row([self.delete, self.restore])
        controls = [missing, share, seed, self._system, self._task, buttons]
        self.pane = widgets.VBox([self.said, *controls, self.map])

    def _toggle(self) -> None:
        systems, tasks = list(self.board.systems), list(self.board.tasks)
        self.bench.toggle(systems[self._system.value], tasks[self._task.value])

    def _restore(self) -> None:
        self.bench.put(share=0.0, cells=(), kept=())

    def show(self, seen: Seen) -> list[str]:
        """Say which ranks survive, and draw them before and after."""
        gone = int(self.bench.deletions.gone(self.board).sum())
        if not gone:
            self.map.draw(None)
            said = ["Nothing is deleted yet: click a score in the picture, or move the slider."]
            self.said.html = in_paragraphs(said)
            return said
        rule = partial(called(seen.by), **seen.options)
        before, was = outcome(rule, seen.whole)
        old, new = before["rank"], seen.ranking["rank"].reindex(before.index)
        ranks = pd.DataFrame({"all scores": old, "some deleted": new})
        kept = f"{(old == new).sum()} of {len(ranks)} ranks by {in_words(seen.rule)} survive."
        names, now = self.bench.names, list(seen.first[seen.rule])
        said = [f"{counted(gone, 'score')} deleted. {kept}", _who_is_first(names, was, now)]
        if (moves := (new - old).abs().to_numpy()).any():
            far = int(moves.argmax())
            whom = names.brief[ranks.index[far]]
            said.append(f"{whom} moves most, from rank {old.iloc[far]} to {new.iloc[far]}.")
        shown = ranks.iloc[:_MOST_DRAWN]
        if len(shown) < len(ranks):
            shown = shown.rank(method="min").astype("int64")
            said.append(f"Drawn are the first {len(shown)}, numbered among each other.")
        self.map.draw((lambda: charts.ranks(shown)) if len(shown) > 1 else None, " ".join(said))
        self.said.html = in_paragraphs(said)
        return said


def _who_is_first(names: Names, was: list[Label], now: list[Label]) -> str:
    """Who was first, and who is."""
    before, after = names.listed(was, 3) or "nobody", names.listed(now, 3) or "Nobody"
    if set(was) == set(now):
        return f"{before} {verb('stays', len(was))} first." if was else "Nobody wins, as before."
    if set(was) & set(now):
        return f"First were {before}, and now {after}."
    return f"{after} {verb('is', len(now))} first now, and {before} {verb('was', len(was))} before."
