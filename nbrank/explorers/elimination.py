"""Step through an elimination rule, round by round."""

from __future__ import annotations

from typing import Any

import altair as alt
import ipywidgets as widgets
import pandas as pd
import traitlets

from nbrank.charts import PALETTE, name_of, names_of
from nbrank.charts.names import in_brief_on_axis, in_words, listed
from nbrank.explorers.panel import Panel, board_to_explore
from nbrank.labelled.leaderboard import (
    Groups,
    Label,
    Leaderboard,
    LowerIsBetter,
    Weights,
    counted,
)
from nbrank.labelled.registry import RULES

_POINTS = "Borda points: systems that it is above, over all tasks"
#: Rule -> whose scores decide who goes, what they count, and who goes by them.
STEPS = {
    "baldwin": ("borda", _POINTS, "the fewest Borda points"),
    "nanson": ("borda", _POINTS, "Borda points below their mean"),
    "coombs": ("antiplurality", "weight of the tasks where it is not last", "most last places"),
    "instant_runoff": ("plurality", "weight of the tasks where it is first", "fewest first places"),
}


class EliminationExplorer(Panel):
    """The rounds of an elimination rule. Made by `explore_elimination`.

    Attributes
    ----------
    rule : str
        "baldwin", "nanson", "coombs" or "instant_runoff".
    round : int
        How many rounds have been played, from 0.
    n_rounds : int
        How many there are (read only).
    left : list
        The systems that are still in, best first (read only).
    out : list
        Those of them that go next; empty at the end (read only).
    counts : pandas.Series
        What decides the next round, for each system left (read only).
    ranking : pandas.DataFrame
        The ranking by the rule (read only).
    words : str
        What one sees.
    """

    rule = traitlets.Enum(list(STEPS), "baldwin")
    round = traitlets.Int(0, min=0)
    n_rounds = traitlets.Int(read_only=True)
    left: traitlets.List[Any] = traitlets.List(read_only=True)
    out: traitlets.List[Any] = traitlets.List(read_only=True)
    counts = traitlets.Instance(pd.Series, read_only=True)
    ranking = traitlets.Instance(pd.DataFrame, read_only=True)

    def __init__(self, board: Leaderboard, rule: str) -> None:
        self._rule = widgets.Dropdown(
            options=[(in_words(name), name) for name in STEPS], description="rule"
        )
        self._round = widgets.IntSlider(0, 0, 1, description="rounds played")
        self._round.style.description_width = "initial"
        super().__init__(
            board,
            [
                widgets.Box(
                    [self._rule, self._round],
                    layout=widgets.Layout(flex_flow="row wrap", width="100%"),
                )
            ],
        )
        self.set_trait("rule", rule)
        self._rule.value = rule
        self._rule.observe(lambda change: self.set_trait("rule", change["new"]), "value")
        self._round.observe(lambda change: self.set_trait("round", change["new"]), "value")
        self._start(None)

    @traitlets.validate("round")
    def _within(self, proposal: Any) -> int:
        return min(int(proposal["value"]), max(self.n_rounds, 0))

    @traitlets.observe("rule")
    def _start(self, _: Any) -> None:
        ranking = RULES[self.rule].function(self.board)
        self.set_trait("ranking", ranking)
        self.set_trait("n_rounds", int(ranking["score"].max()))
        self._rule.value = self.rule
        self._round.max = max(self.n_rounds, 0)
        self.round = 0
        self._step(None)

    @traitlets.observe("round")
    def _step(self, _: Any) -> None:
        self._round.value = self.round
        survived = self.ranking["score"]
        left = self.ranking.index[(survived >= self.round).to_numpy()]
        out: list[Label] = []
        if self.round < self.n_rounds:
            out = list(self.ranking.index[(survived == self.round).to_numpy()])
        deciding, what, why = STEPS[self.rule]
        counts = RULES[deciding].function(self.board.with_systems(left))["score"]
        self.set_trait("left", list(left))
        self.set_trait("out", out)
        self.set_trait("counts", counts)
        winners = self.ranking.index[self.ranking["rank"] == 1]
        first, verb = listed(winners), "win" if len(winners) > 1 else "wins"
        said = [f"{counted(len(left), 'system')} of {len(self.ranking)} left."]
        if out:
            go = "goes" if len(out) == 1 else "go together"
            said.insert(0, f"Round {self.round + 1} of {self.n_rounds}:")
            said.append(f"{listed(out)} {go}, for {why} among those left.")
            said.append("The others close up, and are counted anew.")
        elif len(left) > 1:
            said.append(f"{first} are level: all would go at once, so they stay and win together.")
        else:
            said.append(f"{first} wins by {in_words(self.rule)}.")
        if left[0] != counts.index[0] or counts.index[0] not in self.ranking.index[:1]:
            said.append(
                f"Ahead in this round is {name_of(counts.index[0])}; in the end {first} {verb}."
            )
        table = pd.DataFrame({what: counts.round(2)}).rename(index=name_of)
        table["goes"] = ["goes" if system in out else "" for system in counts.index]
        self.show([" ".join(said)], lambda: _bars(counts, out, what), table)


def _bars(counts: pd.Series, out: list[Label], what: str) -> alt.LayerChart:
    names = names_of(counts.index)
    rows = [
        {"system": name, "count": float(count), "next": "goes" if system in out else "stays"}
        for name, system, count in zip(names, counts.index, counts, strict=True)
    ]
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        y=alt.Y(
            "system:N",
            sort=names,
            axis=alt.Axis(labelLimit=280, labelExpr=in_brief_on_axis(names), title=None),
        ),
        x=alt.X("count:Q", title=what),
    )
    bars = base.mark_bar().encode(
        color=alt.Color(
            "next:N",
            scale=alt.Scale(domain=["stays", "goes"], range=[PALETTE[0], PALETTE[1]]),
            legend=alt.Legend(title="next round", orient="top"),
        ),
        tooltip=["system:N", "count:Q", "next:N"],
    )
    return alt.LayerChart(layer=[bars]).properties(width=420, height=alt.Step(20))


def explore_elimination(
    scores: pd.DataFrame | Leaderboard,
    rule: str = "baldwin",
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> EliminationExplorer:
    """Step through an elimination rule round by round: who goes, and why?

    Parameters
    ----------
    scores
        A frame of scores or a leaderboard.
    rule
        "baldwin", "nanson", "coombs" or "instant_runoff".
    weights, groups, lower_is_better
        As for `nbrank.Leaderboard`.

    Returns
    -------
    EliminationExplorer
        A widget, also of use from Python: set its `rule` and `round`, and read
        `left`, `out`, `counts`, `ranking` and `words`.

    Raises
    ------
    TypeError, ValueError
        As `nbrank.Leaderboard`.
    traitlets.TraitError
        If the rule is none of the four.

    Examples
    --------
    >>> scores = pd.DataFrame(
    ...     {"t1": [3, 2, 1], "t2": [3, 2, 1], "t3": [1, 3, 2]}, index=["A", "B", "C"]
    ... )
    >>> explorer = explore_elimination(scores)
    >>> explorer.out
    ['C']
    >>> explorer.round = 1
    >>> explorer.left, explorer.out
    (['A', 'B'], ['B'])
    """
    board = board_to_explore("explore_elimination", scores, weights, groups, lower_is_better)
    return EliminationExplorer(board, rule)
