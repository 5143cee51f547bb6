"""How little of the weight has to move for a system to win, and from where to where."""

from __future__ import annotations

from functools import partial
from typing import Literal

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.charts import PALETTE, names_of
from nbrank.charts.data import data_of
from nbrank.charts.names import Names, in_brief, in_brief_on_axis, in_percent, listed, verb
from nbrank.questions.condorcet_weights import NearestWeights, nearest_weights
from nbrank.rules.majority import copeland
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.naming import Label, counted

#: The first systems are asked for the weights that make them win, until so many can: with 300
#: systems on 50 tasks a second's work.
_MOST_ABLE = 40
#: From so many tasks on the axis of their weights is above them, where one sees it.
_MANY_TASKS = 25
_percent = partial(in_percent, sign="%")


class Nearest:
    """The nearest weights under which each system wins, of the systems that were asked."""

    def __init__(self, board: Leaderboard, names: Names) -> None:
        self.board = board
        self.names = names
        self.start = board.weights / board.weights.sum()
        self.start_is = "equal weights" if np.ptp(self.start) == 0 else "the weights as given"
        self._found: dict[Label, NearestWeights | None] = {}
        order = list(copeland(board).index)
        for asked in order:
            self.of(asked)
            if sum(found is not None for found in self._found.values()) == _MOST_ABLE:
                break
        shares = {s: share for s, share in self.shares().items() if share > 1e-6}
        #: Of those that the table doesn't put first, the one nearest to it; else the first.
        self.rival: Label = min(shares, key=shares.__getitem__) if shares else order[0]

    def of(self, system: Label) -> NDArray[np.float64] | None:
        """The weights for one system; None if it can't win by any."""
        if system not in self._found:
            self._found[system] = nearest_weights(self.board, system)
        found = self._found[system]
        return None if found is None else found.weights

    def shares(self) -> pd.Series:
        """System -> the share of the weight that has to move, nearest first."""
        index = pd.Index(list(self._found), tupleize_cols=False)
        moved = [np.nan if one is None else one.moved for one in self._found.values()]
        shares = pd.Series(moved, index, dtype=float, name="weight to move")
        return shares.sort_values(kind="stable")

    def told(self, system: Label) -> list[str]:
        """Say how much has to move for a system, and for whom the least."""
        whom, weights, found = self.names.brief[system], self.of(system), self._found[system]
        if weights is None or found is None:
            row = list(self.board.systems).index(system)
            why = "it has no score"
            if not np.isnan(self.board.values[row]).all():
                why = "whatever the tasks count, another beats it"
            return [f"No weights make {whom} win: {why}.", self._who_is_near(system)]
        if found.moved <= 1e-6:
            said = [f"With {self.start_is} {whom} already loses to no other system."]
        else:
            share = f"{_percent(found.moved)} of the weight has to move from where "
            share += f"{self.start_is} put it"
            said = [f"For {whom} to lose to no other system, {share}."]
            said.append(self._what_moves(weights))
        return [*said, self._who_is_near(system)]

    def table(self) -> pd.DataFrame:
        """The shares in percent."""
        return self.shares().map(lambda w: "never" if np.isnan(w) else _percent(w)).to_frame()

    def _who_is_near(self, system: Label) -> str:
        """Say who wins already, and for whom least of the weight has to move."""
        every = self.shares()
        shares = every.dropna()
        already = [s for s, share in shares.items() if share <= 1e-6]
        near = [
            f"{self.names.brief[s]} ({_percent(w)})" for s, w in shares.items() if s not in already
        ]
        told = []
        if already and system not in already:
            loses = f"{self.names.listed(already, 3)} {verb('loses', len(already))}"
            told.append(f"With {self.start_is} {loses} to no other")
        if near:
            told.append(f"Nearest to winning are {listed(near, 5)}")
        n_never = int(every.isna().sum())
        if n_never:
            asked = "" if len(every) == len(self.board.systems) else " that were asked"
            told.append(
                f"{n_never} of the {counted(len(every), 'system')}{asked} can't win by any weights"
            )
        return ". ".join([*told, ""]).strip()

    def _what_moves(self, weights: np.ndarray) -> str:
        """Say which tasks count more than they do now, and which less."""
        # Equal but for rounding, tasks stand in the table's order.
        gained = (weights - self.start).round(9)
        names = in_brief(self.board.tasks)
        equal = np.ptp(self.start) == 0

        now = [_percent(share) for share in weights]
        if not equal:
            now = [
                f"{new} instead of {_percent(w)}" for new, w in zip(now, self.start, strict=True)
            ]

        def told(order: list[int]) -> str:
            return listed([f"{names[i]} ({now[i]})" for i in order], 5)

        more = [int(i) for i in np.argsort(-gained, kind="stable") if gained[i] > 1e-6]
        less = [int(i) for i in np.argsort(gained, kind="stable") if gained[i] < -1e-6]
        each = f"; with equal weights each has {_percent(1 / len(names))}" if equal else ""
        return f"More counts {told(more)}; less {told(less)}{each}."

    def chart(self, weights: NDArray[np.float64], title: str) -> alt.LayerChart:
        """Draw the weights, and from where they moved."""
        names = names_of(self.board.tasks)
        data = {"task": names, "weight": weights.tolist(), "before": self.start.tolist()}
        axis = alt.Axis(labelLimit=280, labelExpr=in_brief_on_axis(names), title=None)
        side: Literal["top", "bottom"] = "top" if len(names) > _MANY_TASKS else "bottom"
        base = alt.Chart(data_of(data)).encode(
            y=alt.Y("task:N", sort=names, axis=axis),
            x=alt.X(
                "weight:Q", title="share of the weight", axis=alt.Axis(format="%", orient=side)
            ),
            tooltip=[
                "task:N",
                alt.Tooltip("weight:Q", format=".1%"),
                alt.Tooltip("before:Q", format=".1%", title=self.start_is),
            ],
        )
        bars = base.mark_bar(color=PALETTE[0])
        ticks = base.mark_tick(color="#222222", thickness=2, size=15).encode(x="before:Q")
        heading = alt.TitleParams(
            title, subtitle=f"the black marks: {self.start_is}", anchor="start"
        )
        return alt.LayerChart(layer=[bars, ticks], width=420, height=alt.Step(18), title=heading)
