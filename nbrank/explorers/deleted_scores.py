"""Missing scores: delete some, and see which ranks survive."""

from __future__ import annotations

from functools import partial

import ipywidgets as widgets
import pandas as pd

from nbrank import charts
from nbrank.explorers.bench import AS_EACH_DOES, Bench, Seen
from nbrank.explorers.changes import wins_instead
from nbrank.explorers.tab import Tab, in_a_row
from nbrank.findings.names import MISSING_IN_WORDS, in_brief, in_words, verb
from nbrank.rules.rule import called, outcome
from nbrank.votes.naming import counted

_MOST_DRAWN = 20


class MissingScores(Tab):
    """How missing scores count, a share that is deleted at random, and cells one by one."""

    title = "Missing scores"

    def __init__(self, bench: Bench) -> None:
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
            description="another number deletes others",
            tooltip="The same number deletes the same scores again.",
            layout=widgets.Layout(width="22em"),
        )
        bench.tie(missing=missing, share=share, seed=seed)
        # A list that is closed shows the beginning of a name, which may be that of all.
        self._system, self._task = (
            widgets.Dropdown(options=[*zip(in_brief(of), of, strict=True)], description=what)
            for what, of in {"score of": board.systems, "on": board.tasks}.items()
        )
        self.delete = widgets.Button(
            description="delete it, or bring it back", layout=widgets.Layout(width="auto")
        )
        self.restore = widgets.Button(description="bring all back")
        self.delete.on_click(lambda _: bench.toggle(self._system.value, self._task.value))
        self.restore.on_click(lambda _: bench.put(share=0.0, cells=(), kept=()))
        buttons = in_a_row([self.delete, self.restore])
        controls = [missing, share, seed, self._system, self._task, buttons]
        super().__init__(bench, *controls)
        self.pane.children = [self.said, *controls, self.map]

    def show(self, seen: Seen) -> list[str]:
        """Say which ranks survive, and draw them before and after."""
        gone = int(self.bench.deletions.gone(self.board).sum())
        if not gone:
            return self.tell(
                ["Nothing is deleted yet: click a score in the picture, or move the slider."]
            )
        rule = partial(called(seen.by), **seen.options)
        before, was = outcome(rule, seen.whole)
        # A system without any score left has no rank: it doesn't survive, and moves nowhere.
        old = before["rank"].astype("Int64")
        new = seen.ranking["rank"].astype("Int64").reindex(before.index)
        ranks = pd.DataFrame({"all scores": old, "some deleted": new})
        kept = f"{(old == new).sum()} of {len(ranks)} ranks by {in_words(seen.rule)} survive."
        names, now = self.bench.names, seen.first[seen.rule]
        said = [f"{counted(gone, 'score')} deleted. {kept}"]
        if {*was} != {*now}:
            said.append(f"By {in_words(seen.rule)} {wins_instead(now, was, names)}.")
        elif was:
            said.append(f"{names.listed(was, 3)} {verb('stays', len(was))} first.")
        else:
            said.append("Nobody wins, as before.")
        if (moves := (new - old).abs().fillna(0).to_numpy()).any():
            far = int(moves.argmax())
            whom = names.brief[ranks.index[far]]
            said.append(f"{whom} moves most, from rank {old.iloc[far]} to {new.iloc[far]}.")
        ranks = ranks.dropna()
        shown = ranks.iloc[:_MOST_DRAWN]
        if len(shown) < len(ranks):
            shown = shown.rank(method="min").astype("Int64")
            said.append(f"Drawn are the first {len(shown)}, numbered among each other.")
        return self.tell(said, draw=(lambda: charts.ranks(shown)) if len(shown) > 1 else None)
