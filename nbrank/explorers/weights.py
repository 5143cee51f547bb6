"""Pick a system, and see the weights nearest to equal ones under which it wins."""

from __future__ import annotations

from typing import Any

import altair as alt
import ipywidgets as widgets
import numpy as np
import pandas as pd
import traitlets

from nbrank import charts
from nbrank.charts import PALETTE, name_of
from nbrank.explorers.panel import Panel, board_to_explore, chooser
from nbrank.labelled.condorcet_weights import nearest_weights
from nbrank.labelled.leaderboard import (
    Groups,
    Label,
    Leaderboard,
    LowerIsBetter,
    Weights,
)
from nbrank.labelled.majority import copeland
from nbrank.labelled.registry import RULES
from nbrank.labelled.weight_map import weight_map
from nbrank.reporting import counted, in_words, listed

#: So many of the systems are asked for the weights that make them win.
_MOST_ASKED = 20
_RULES = [name for name, rule in RULES.items() if rule.additive and not rule.arguments]


class WeightExplorer(Panel):
    """The weights under which a system wins. Made by `explore_weights`.

    Attributes
    ----------
    system : label
        The system that is to win.
    weights : dict
        Task -> weight, of those under which it loses to no other the nearest to
        equal ones; empty where there are none (read only).
    to_move : float
        The share of the weight that has to move from equal weights; NaN where
        no weights are enough (read only).
    ranking : pandas.DataFrame
        The ranking by `nbrank.copeland` under those weights, or under equal ones
        where none are enough (read only).
    nearest : pandas.Series
        System -> the share of the weight that has to move, nearest first; of
        the first 20 by `nbrank.copeland` and those looked at (read only).
    rule : str
        The rule of the triangle, which is drawn where there are three groups.
    words : str
        What one sees.
    """

    system = traitlets.Any()
    weights: traitlets.Dict[Any, Any] = traitlets.Dict(read_only=True)
    to_move = traitlets.Float(read_only=True)
    ranking = traitlets.Instance(pd.DataFrame, read_only=True)
    nearest = traitlets.Instance(pd.Series, read_only=True)
    rule = traitlets.Enum(_RULES, "borda")

    def __init__(self, board: Leaderboard, system: Label) -> None:
        self._ready = False
        self._found: dict[Label, np.ndarray | None] = {}
        equal = board.with_task_weights(np.ones(len(board.tasks)))
        order = list(copeland(equal).index)
        self._equal = equal
        self._systems = list(board.systems)
        for asked in order[:_MOST_ASKED]:
            self._ask(board, asked)
        if system is None:
            shares = {s: self._share(s) for s in order[:_MOST_ASKED]}
            rivals = [s for s in order[:_MOST_ASKED] if not shares[s] <= 1e-6]
            possible = [s for s in rivals if np.isfinite(shares[s])]
            system = min(possible, key=lambda s: shares[s]) if possible else order[0]
        if system not in self._systems:
            raise ValueError(f"unknown system {system!r}; systems: {listed(self._systems)}")
        self._system = chooser("system", self._systems, self._systems.index(system))
        self._rule = widgets.Dropdown(
            options=[(in_words(name), name) for name in _RULES],
            value="borda",
            description="rule of the triangle",
            style={"description_width": "initial"},
        )
        self._triangle = board.groups is not None and len(board.groups) == 3
        controls = [self._system, self._rule] if self._triangle else [self._system]
        alt.JupyterChart.enable_offline()
        self._map = alt.JupyterChart(
            alt.Chart(alt.InlineData(values=[])).mark_point(), embed_options={"actions": False}
        )
        row = widgets.Box(controls, layout=widgets.Layout(flex_flow="row wrap", width="100%"))
        super().__init__(board, [row, *([self._map] if self._triangle else [])])
        self._system.observe(
            lambda change: self.set_trait("system", self._systems[change["new"]]), "value"
        )
        self._rule.observe(lambda change: self.set_trait("rule", change["new"]), "value")
        self.system = system
        self._ready = True
        self._update(None)
        self._draw_triangle(None)

    def _ask(self, board: Leaderboard, system: Label) -> None:
        if system not in self._found:
            found = nearest_weights(board, system)
            self._found[system] = None if found is None else found.to_numpy()

    def _share(self, system: Label) -> float:
        found = self._found[system]
        return float("nan") if found is None else float(np.abs(found - 1 / len(found)).sum() / 2)

    @traitlets.validate("system")
    def _known(self, proposal: Any) -> Label:
        system: Label = proposal["value"]
        if system is not None and system not in self._systems:
            raise traitlets.TraitError(f"system: unknown {system!r}")
        return system

    @traitlets.observe("rule")
    def _draw_triangle(self, _: Any) -> None:
        self._rule.value = self.rule
        if self._triangle and self._ready:
            try:
                found = weight_map(self._equal, self.rule, resolution=40)
            except ValueError:
                self._map.spec = {}
                return
            self._map.spec = charts.weight_map(found).to_dict(validate=False)

    @traitlets.observe("system")
    def _update(self, _: Any) -> None:
        if not self._ready:
            return
        system = self.system
        self._system.value = self._systems.index(system)
        self._ask(self.board, system)
        found, tasks = self._found[system], list(self.board.tasks)
        n = len(tasks)
        shares = pd.Series({s: self._share(s) for s in self._found}, dtype=float)
        shares.index = pd.Index(list(self._found), tupleize_cols=False)
        self.set_trait("nearest", shares.sort_values(kind="stable").rename("weight to move"))
        self.set_trait("weights", {} if found is None else dict(zip(tasks, found, strict=True)))
        self.set_trait("to_move", self._share(system))
        board = self._equal if found is None else self.board.with_task_weights(found)
        self.set_trait("ranking", copeland(board))
        if found is None:
            never = f"No weights make {name_of(system)} win: "
            said = [never + "whatever the tasks count, some other system beats it."]
        elif self.to_move <= 1e-6:
            said = [f"With equal weights {name_of(system)} already loses to no other system."]
        else:
            more = [i for i in np.argsort(-found, kind="stable") if found[i] > 1 / n + 1e-6]
            less = [i for i in np.argsort(found, kind="stable") if found[i] < 1 / n - 1e-6]
            shown = [f"{name_of(task)} ({weight:.0%})" for task, weight in self.weights.items()]
            share = f"{self.to_move:.0%} of the weight has to move from where equal weights put it"
            said = [f"For {name_of(system)} to lose to no other system, {share}."]
            said.append(
                f"More counts {listed([shown[i] for i in more], 5)}; less "
                f"{listed([shown[i] for i in less], 5)}; with equal weights each has {1 / n:.0%}."
            )
        order = self.nearest.dropna()
        nearest = [f"{name_of(s)} ({w:.0%})" for s, w in order.items()]
        n_never = int(self.nearest.isna().sum())
        said.append(
            f"Nearest to winning are {listed(nearest, 5)}; {counted(n_never, 'system')} of "
            f"{len(self.nearest)} asked can't win by any weights."
        )
        table = self.nearest.map(lambda w: "never" if np.isnan(w) else f"{w:.0%}").to_frame()
        self.show(said, lambda: _weights_chart(self.board, found), table.rename(index=name_of))


def _weights_chart(board: Leaderboard, found: np.ndarray | None) -> alt.LayerChart:
    names = [name_of(task) for task in board.tasks]
    equal = 1 / len(names)
    weights = np.full(len(names), equal) if found is None else found
    rows = [{"task": name, "weight": float(w)} for name, w in zip(names, weights, strict=True)]
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        y=alt.Y("task:N", sort=names, axis=alt.Axis(labelLimit=260, title=None)),
        x=alt.X("weight:Q", title="share of the weight", axis=alt.Axis(format="%")),
        tooltip=["task:N", alt.Tooltip("weight:Q", format=".1%")],
    )
    bars = base.mark_bar(color=PALETTE[0])
    line = (
        alt.Chart(alt.InlineData(values=[{"equal": equal}]))
        .mark_rule(strokeDash=[4, 3], color="#222222")
        .encode(x="equal:Q")
    )
    return alt.LayerChart(layer=[bars, line]).properties(
        width=420,
        height=alt.Step(18),
        title=alt.TitleParams(
            "The nearest weights under which it wins" if found is not None else "Equal weights",
            subtitle="the dashed line: equal weights",
            anchor="start",
        ),
    )


def explore_weights(
    scores: pd.DataFrame | Leaderboard,
    system: Label = None,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> WeightExplorer:
    """Pick a system, and see the nearest weights that make it win, or that there are none.

    To win means to lose to no other system, one against one. With exactly three
    groups, a triangle shows who wins at each weighting of them.

    Parameters
    ----------
    scores
        A frame of scores or a leaderboard; its own weights are not used.
    system
        The system to begin with; None takes, of those that equal weights don't
        put first, the one that is nearest to it.
    weights, groups, lower_is_better
        As for `nbrank.Leaderboard`.

    Returns
    -------
    WeightExplorer
        A widget, also of use from Python: set its `system` (and the `rule` of
        the triangle), and read `weights`, `to_move`, `nearest`, `ranking` and
        `words`.

    Raises
    ------
    TypeError, ValueError
        As `nbrank.Leaderboard`; also if the system is unknown.

    Examples
    --------
    >>> scores = pd.DataFrame(
    ...     {"t1": [2, 1, 0], "t2": [1, 2, 0], "t3": [1, 2, 0]}, index=["A", "B", "C"]
    ... )
    >>> explorer = explore_weights(scores)
    >>> explorer.system, round(explorer.to_move, 2)
    ('A', 0.17)
    >>> {task: round(float(weight), 2) for task, weight in explorer.weights.items()}
    {'t1': 0.5, 't2': 0.25, 't3': 0.25}
    >>> explorer.system = "C"
    >>> explorer.weights
    {}
    """
    board = board_to_explore("explore_weights", scores, weights, groups, lower_is_better)
    return WeightExplorer(board, system)
