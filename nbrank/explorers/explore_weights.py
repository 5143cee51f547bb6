"""Pick a system, and see how little of the weight has to move for it to win."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import altair as alt
import ipywidgets as widgets
import numpy as np
import pandas as pd
import traitlets

from nbrank import charts
from nbrank.charts import PALETTE, names_of
from nbrank.charts.names import in_brief, in_brief_on_axis, in_words, listed
from nbrank.explorers.controls import chooser, in_a_row
from nbrank.explorers.live_chart import draw_live, live_chart, scrolling
from nbrank.explorers.panel import Panel, board_to_explore, said_in_a_panel
from nbrank.explorers.refusals import why_refused
from nbrank.explorers.weight_sliders import is_a_weight
from nbrank.questions.condorcet_weights import NearestWeights, nearest_weights
from nbrank.questions.weight_map import weight_map
from nbrank.rules.majority import copeland
from nbrank.rules.rule import RULES
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.naming import Label, counted, named
from nbrank.votes.orientation import LowerIsBetter
from nbrank.votes.task_names import Groups, TaskNames, Weights

#: The first systems are asked for the weights that make them win, until so many can: with 300
#: systems on 50 tasks a second's work.
_MOST_ABLE = 40
#: Into how many steps each side of the triangle is divided: whole percents, as on the sliders.
_RESOLUTION = 50
#: Where `charts.weight_map` puts the corner of each group.
_CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]])
#: Where the ring is that marks the weights shown.
_AT = {"at_x": 0.5, "at_y": 0.3}
#: The colours of the triangle's winners, of which `charts.weight_map` shows so many.
_COLOURS = PALETTE[:-1]
#: From so many tasks on the axis of their weights is above them, where one sees it.
_MANY_TASKS = 25
_RULES = [name for name, rule in RULES.items() if rule.additive and not rule.arguments]


class WeightExplorer(Panel):
    """The weights under which a system wins. Made by `explore_weights`.

    With three groups there are two ways to weights: a `system` that is to win,
    or a point of the triangle, `group_weights`. The one set last holds.

    Parameters
    ----------
    board
        The leaderboard.
    system
        The system to begin with; None takes, of those that the table doesn't put
        first, the one that is nearest to it.

    Attributes
    ----------
    system : label
        The system that is to win; None while a point of the triangle is chosen.
        Set to None otherwise, it becomes the one to begin with.
    group_weights : dict
        Group -> its share of the weight, at the point of the triangle that is
        chosen; empty while a system is. Set it, and the shares are made to
        sum to 1.
    weights : dict
        Task -> weight: at the point chosen, or of those under which the system
        loses to no other the nearest to the table's own; empty where there are
        none (read only).
    to_move : float
        The share of the weight that has to move from where the table's own
        weights put it (equal ones, if it has none); NaN where no weights are
        enough (read only).
    ranking : pandas.DataFrame or None
        The ranking under those weights: by `rule` at a point of the triangle,
        by `nbrank.copeland` for a system (under the table's own weights where
        none are enough); None where the rule refuses the table (read only).
    nearest : pandas.Series
        System -> the share of the weight that has to move, nearest first; of
        the systems by `nbrank.copeland` down to the 40th that can win, and those
        looked at (read only).
    triangle : pandas.DataFrame or None
        Who wins at each point, as `nbrank.weight_map` returns it; None where
        there are no three groups, or the rule refuses the table (read only).
    rule : str
        The rule of the triangle.
    words : str
        What one sees.

    Raises
    ------
    ValueError
        If the system to begin with is unknown.
    traitlets.TraitError
        If a trait is set to what is unknown, or `group_weights` to what are no
        weights.

    Examples
    --------
    >>> scores = pd.DataFrame({"t1": [2, 1], "t2": [1, 2], "t3": [1, 2]}, index=["A", "B"])
    >>> explorer = WeightExplorer(Leaderboard(scores), "A")
    >>> print(explorer.words.splitlines()[0])
    For A to lose to no other system, 16.7% of the weight has to move from where equal weights
    put it.
    """

    system = traitlets.Any()
    group_weights: traitlets.Dict[Any, Any] = traitlets.Dict()
    weights: traitlets.Dict[Any, Any] = traitlets.Dict(read_only=True)
    to_move = traitlets.Float(read_only=True)
    ranking = traitlets.Instance(pd.DataFrame, allow_none=True, read_only=True)
    nearest = traitlets.Instance(pd.Series, read_only=True)
    triangle = traitlets.Instance(pd.DataFrame, allow_none=True, read_only=True)
    rule = traitlets.Enum(_RULES, "borda")

    def __init__(self, board: Leaderboard, system: Label) -> None:
        self._ready = False
        self._found: dict[Label, NearestWeights | None] = {}
        self._start = board.weights / board.weights.sum()
        self._start_is = "equal weights" if np.ptp(self._start) == 0 else "the weights as given"
        order = list(copeland(board).index)
        self._systems = list(board.systems)
        self._brief = dict(zip(board.systems, in_brief(board.systems), strict=True))
        for asked in order:
            self._ask(board, asked)
            if sum(found is not None for found in self._found.values()) == _MOST_ABLE:
                break
        self._rival = self._nearest_rival(order)
        system = self._rival if system is None else system
        if system not in self._systems:
            raise ValueError(f"unknown system {system!r}; there are {named(self._systems)}")
        self._groups: list[Label] = [] if board.groups is None else list(board.groups)
        self._groups = self._groups if len(self._groups) == 3 else []
        self._members = [
            TaskNames.of(board.tasks, board.groups).positions((board.groups or {})[group], "groups")
            for group in self._groups
        ]
        self._system = chooser("system that is to win", self._systems)
        if self._groups:
            chosen = ("none: a point of the triangle", -1)
            self._system.options = [chosen, *self._system.options]
        self._rule = widgets.Dropdown(
            options=[(in_words(name), name) for name in _RULES],
            value="borda",
            description="rule of the triangle",
            style={"description_width": "initial"},
        )
        self.sliders = {
            group: widgets.FloatSlider(
                0.5,
                min=0,
                max=1,
                step=0.01,
                readout_format=".0%",
                description=brief,
                tooltip=name,
                style={"description_width": "12em"},
                layout=widgets.Layout(width="28em", max_width="98%"),
            )
            for group, name, brief in zip(
                self._groups, names_of(self._groups), in_brief(self._groups, 22), strict=True
            )
        }
        self._shown: list[float] = []
        self._colours: dict[Label, str] = {}
        self._map = live_chart({"weighting": ["point"]}, _AT)
        self._refused = widgets.HTML()
        super().__init__(board, self._controls())
        self._system.observe(self._read_system, "value")
        self._rule.observe(lambda change: self.set_trait("rule", change["new"]), "value")
        for slider in self.sliders.values():
            slider.observe(self._read_sliders, "value")
        self._map.selections.observe(self._read_click, "weighting")
        self.system = system
        self._ready = True
        self._draw_triangle(None)
        self._update()

    def _controls(self) -> list[widgets.Widget]:
        to_win = (
            "To win means here to lose to no other system, one against one: on the tasks where the "
            "two differ, at least half of the weight is with those where it is better."
        )
        asked = widgets.HTML(said_in_a_panel([to_win]))
        if not self._groups:
            return [in_a_row([self._system]), asked]
        how = (
            "Or the other way round: who wins by the rule of the triangle if the groups count so "
            "much? Click or drag in the triangle, or move a slider (also with the arrow keys): the "
            "other two give way. The ring is where the sliders are; in each group every task has "
            "the same weight."
        )
        moves = widgets.VBox(
            [widgets.HTML(said_in_a_panel([how])), self._rule, *self.sliders.values()],
            layout=widgets.Layout(width="30em", max_width="98%", padding="0 0 0 1em"),
        )
        return [
            in_a_row([self._system]),
            asked,
            self._refused,
            in_a_row([scrolling(self._map), moves]),
        ]

    def _ask(self, board: Leaderboard, system: Label) -> None:
        if system not in self._found:
            self._found[system] = nearest_weights(board, system)

    def _nearest_rival(self, order: list[Label]) -> Label:
        """Of those that the table doesn't put first, the one nearest to it; else the first."""
        shares = {system: self._share(system) for system in self._found}
        possible = [s for s, share in shares.items() if np.isfinite(share) and not share <= 1e-6]
        return min(possible, key=shares.__getitem__) if possible else order[0]

    def _share(self, system: Label) -> float:
        found = self._found[system]
        return float("nan") if found is None else found.moved

    # ------------------------------------------------------------------------------ the traits

    @traitlets.validate("system")
    def _known(self, proposal: Any) -> Label:
        system: Label = proposal["value"]
        if system is not None and system not in self._systems:
            raise traitlets.TraitError(
                f"system: unknown {system!r}; there are {named(self._systems)}"
            )
        return system

    @traitlets.validate("group_weights")
    def _shares(self, proposal: Any) -> dict[Label, float]:
        given = dict(proposal["value"])
        if not given:
            return {}
        if not self._groups:
            raise traitlets.TraitError(
                "group_weights: there are no three groups; give groups={group: [tasks]}"
            )
        unknown = [group for group in given if group not in self._groups]
        if unknown or len(given) < len(self._groups):
            raise traitlets.TraitError(
                f"group_weights: give a weight to each of {listed(map(repr, self._groups))}, "
                f"not to {listed(map(repr, given)) or 'none'}"
            )
        values = [given[group] for group in self._groups]
        if not all(map(is_a_weight, values)) or not 0 < sum(values) < np.inf:
            raise traitlets.TraitError(
                f"group_weights: {listed(map(repr, values))} can't be weights; give numbers from 0 "
                f"on, not all of them 0"
            )
        return {
            group: value / sum(values) for group, value in zip(self._groups, values, strict=True)
        }

    def _read_system(self, change: Any) -> None:
        if change["new"] >= 0:
            self.system = self._systems[change["new"]]
        elif self.system is not None:
            self.group_weights = dict.fromkeys(self._groups, 1.0)

    def _read_sliders(self, change: Any) -> None:
        """Give one group what its slider says; the others share the rest as they did."""
        if self._holding:
            return
        moved = [slider is change["owner"] for slider in self.sliders.values()]
        rest = np.where(moved, 0.0, self._shown)
        rest = rest if rest.any() else np.where(moved, 0.0, 1.0)
        shares = np.where(moved, change["new"], (1 - change["new"]) * rest / rest.sum())
        self.group_weights = dict(zip(self._groups, shares.tolist(), strict=True))

    def _read_click(self, change: Any) -> None:
        # Between two charts the selection is empty, and the ring around the point has no number.
        points = [place.get("point") for place in change["new"].value]
        if points and points[0] is not None and self.triangle is not None:
            row = self.triangle[self._groups].to_numpy()[int(points[0])]
            self.group_weights = dict(zip(self._groups, row.tolist(), strict=True))

    _holding = False

    @traitlets.observe("system")
    def _follow_system(self, _: Any) -> None:
        if self.system is not None:
            self.group_weights = {}
        elif not self.group_weights:
            self.system = self._rival
        self._update()

    @traitlets.observe("group_weights")
    def _follow_group_weights(self, _: Any) -> None:
        if self.group_weights:
            self._move_to(list(self.group_weights.values()))
            ready, self._ready = self._ready, False
            self.system = None
            self._ready = ready
            self._update()
        elif self.system is None:
            self.system = self._rival

    def _move_to_the_system(self) -> str:
        """Go to what the groups have of the weights spoken of, and say who wins there."""
        found = self._found[self.system]
        weights = self._start if found is None else found.weights
        self._move_to([float(weights[members].sum()) for members in self._members])
        which = "These weights" if found is not None else self._start_is.capitalize()
        said = f"{which} give {self._told('to')}; the sliders and the ring show that."
        if self.triangle is None:
            return said
        spread = self.board.with_task_weights(self._spread(self._shown))
        ranking = RULES[self.rule].function(spread)
        there = _win([self._brief[s] for s in ranking.index[ranking["rank"] == 1]])
        return (
            f"{said} With every task of a group alike, {there} there by {in_words(self.rule)}. "
            f"{self._shares_of([self.system])}"
        )

    def _spread(self, shares: list[float]) -> np.ndarray:
        """The weights of the tasks where those of a group are alike."""
        weights = np.zeros(len(self.board.tasks))
        for members, share in zip(self._members, shares, strict=True):
            weights[members] = share / len(members)
        return weights

    def _told(self, word: str, shares: Iterable[float] | None = None) -> str:
        """The shares of the groups, as the sliders show them."""
        shown = self._shown if shares is None else shares
        names = in_brief(self._groups)
        return listed(
            [f"{_whole(share):.0%} {word} {name}" for share, name in zip(shown, names, strict=True)]
        )

    def _move_to(self, shares: list[float]) -> None:
        """Put the sliders and the ring at these shares of the groups."""
        self._shown = shares
        self._map.put(dict(zip(_AT, (np.array(shares) @ _CORNERS).tolist(), strict=True)))
        self._holding = True
        for slider, share in zip(self.sliders.values(), shares, strict=True):
            # What the words say too; and the browser would move another value to it.
            slider.value = _whole(share)
        self._holding = False

    @traitlets.observe("rule")
    def _draw_triangle(self, _: Any) -> None:
        self._rule.value = self.rule
        if not self._groups or not self._ready:
            return
        try:
            equal = self.board.with_task_weights(np.ones(len(self.board.tasks)))
            found = weight_map(equal, self.rule, resolution=_RESOLUTION)
        except ValueError as error:
            reason = why_refused(self.rule, self.board, error, choosable=False)
            self.set_trait("triangle", None)
            self._map.layout.display = "none"
            self._refused.value = said_in_a_panel(
                [f"{in_words(self.rule)} can't rank this, so there is no triangle: {reason}."]
            )
        else:
            self.set_trait("triangle", found)
            self._map.layout.display = None
            self._refused.value = ""
        self._update()
        if self.triangle is not None:  # only now: the ring is where it was moved to
            draw_live(self._map, self._drawn_triangle)

    def _drawn_triangle(self) -> alt.LayerChart:
        won = self._won()
        chart: Any = charts.weight_map(won)
        # In the chart colours go by who wins most; here they stay with a system at another rule.
        colours = chart.layer[0].encoding.color["scale"]
        shown = list(_alone(won))[: len(_COLOURS)]
        self._colours = _kept(self._colours, shown)
        colours["range"] = [
            self._colours[shown[number]] if number < len(shown) else other
            for number, other in zip(colours["domain"], colours["range"], strict=True)
        ]
        ring = alt.Chart(alt.InlineData(values=[{}])).encode(
            x=alt.XDatum(alt.ExprRef("at_x"), type="quantitative", axis=None),
            y=alt.YDatum(alt.ExprRef("at_y"), type="quantitative", axis=None),
        )
        # Not filled: what lies under the ring can still be clicked.
        marks = [
            ring.mark_point(
                size=320, filled=False, stroke=colour, strokeWidth=width, opacity=1
            ).properties(name=name)
            for name, colour, width in (("halo", "white", 6), ("ring", "black", 2.5))
        ]
        chart.layer = [*chart.layer, *marks]
        at: Any = self._map.params
        given = [alt.VariableParameter(name=name, value=getattr(at, name)) for name in _AT]
        chart.params = [*chart.params, *given]
        drawn: alt.LayerChart = chart
        return drawn

    def _won(self) -> pd.DataFrame:
        triangle: Any = self.triangle
        won: pd.DataFrame = triangle
        return won

    # ----------------------------------------------------------------------------- what follows

    def _update(self) -> None:
        if not self._ready:
            return
        if self.system is None:
            self._show_the_point()
        else:
            self._show_the_system()

    def _show_the_point(self) -> None:
        self._system.value = -1
        found = self._spread(list(self.group_weights.values()))
        self.set_trait("weights", dict(zip(self.board.tasks, found, strict=True)))
        self.set_trait("to_move", float(np.maximum(found - self._start, 0).sum()))
        rule = RULES[self.rule]
        try:
            ranking = rule.function(self.board.with_task_weights(found))
        except ValueError as error:
            self.set_trait("ranking", None)
            reason = why_refused(self.rule, self.board, error, choosable=False)
            self.show([f"{in_words(self.rule)} can't rank this: {reason}."], None, None)
            return
        self.set_trait("ranking", ranking)
        first = list(ranking.index[ranking["rank"] == 1])
        winners = _win([self._brief[system] for system in first])
        said = [f"With {self._told('on')}, {winners} by {in_words(self.rule)}."]
        behind = [self._brief[system] for system in ranking.index[ranking["rank"] > 1][:3]]
        if behind:
            said[0] = f"{said[0][:-1]}, before {listed(behind)}."
        if self.triangle is not None:
            said.append(self._nearest_change(first))
            said.append(self._shares_of(list(_alone(self._won()))))
        table = ranking.assign(score=ranking["score"].round(3))
        self.show(said, lambda: self._weights_chart(found, "Weights at the point"), table)

    def _nearest_change(self, first: list[Label]) -> str:
        """Say where the nearest point is at which others win."""
        here = np.array(list(self.group_weights.values()))
        grid = self._won()[self._groups].to_numpy()
        far = np.abs(grid - here).sum(axis=1) / 2
        others = [set(found) != set(first) for found in self._won()["winners"]]
        if not any(others):
            return "Nobody else wins anywhere in the triangle."
        nearest = int(np.argmin(np.where(others, far, np.inf)))
        there = self._told("on", grid[nearest])
        winners = [self._brief[system] for system in self._won()["winners"].iloc[nearest]]
        return f"The nearest weights with another outcome are {there}: there {_win(winners)}."

    def _shares_of(self, systems: list[Label]) -> str:
        """Say how much of the triangle some systems win alone."""
        alone, n = _alone(self._won()), len(self._won())
        if len(systems) == 1:
            part = alone[systems[0]] / n
            by = in_words(self.rule)
            return f"{self._brief[systems[0]]} wins by {by} at {part:.0%} of the triangle's points."
        parts = [f"{self._brief[system]} at {alone[system] / n:.0%}" for system in systems]
        several = n - alone.total()
        if several:
            parts.append(f"several systems at {several / n:.0%}")
        return f"Of the triangle's points, the winner is {listed(parts, 4)}."

    def _show_the_system(self) -> None:
        system = self.system
        # The place in the list, which has one entry more where there is a triangle.
        self._system.value = self._systems.index(system)
        self._ask(self.board, system)
        found, start = self._found[system], self._start
        shares = pd.Series({s: self._share(s) for s in self._found}, dtype=float)
        shares.index = pd.Index(list(self._found), tupleize_cols=False)
        self.set_trait("nearest", shares.sort_values(kind="stable").rename("weight to move"))
        weights = start if found is None else found.weights
        shown = [] if found is None else weights
        self.set_trait("weights", dict(zip(self.board.tasks, shown, strict=False)))
        self.set_trait("to_move", self._share(system))
        self.set_trait("ranking", copeland(self.board.with_task_weights(weights)))
        whom = self._brief[system]
        if found is None:
            said = [f"No weights make {whom} win: it has no score."]
            if not np.isnan(self.board.values[self._systems.index(system)]).all():
                said = [f"No weights make {whom} win: whatever the tasks count, another beats it."]
        elif self.to_move <= 1e-6:
            said = [f"With {self._start_is} {whom} already loses to no other system."]
        else:
            share = f"{_percent(self.to_move)} of the weight has to move from where "
            share += f"{self._start_is} put it"
            said = [f"For {whom} to lose to no other system, {share}."]
            said.append(self._told_what_moves(weights))
        said.append(self._told_who_is_near(system))
        if self._groups:
            said.append(self._move_to_the_system())
        title = "The nearest weights under which it wins"
        if found is None:
            title = self._start_is.capitalize()
        table = self.nearest.map(lambda w: "never" if np.isnan(w) else _percent(w)).to_frame()
        self.show(said, lambda: self._weights_chart(weights, title), table)

    def _told_who_is_near(self, system: Label) -> str:
        """Say who wins already, and for whom least of the weight has to move."""
        shares = self.nearest.dropna()
        already = [s for s, share in shares.items() if share <= 1e-6]
        near = [f"{self._brief[s]} ({_percent(w)})" for s, w in shares.items() if s not in already]
        told = []
        if already and system not in already:
            verb = "lose" if len(already) > 1 else "loses"
            names = listed([self._brief[s] for s in already], 3)
            told.append(f"With {self._start_is} {names} {verb} to no other")
        if near:
            told.append(f"Nearest to winning are {listed(near, 5)}")
        n_never = int(self.nearest.isna().sum())
        if n_never:
            asked = "" if len(self.nearest) == len(self._systems) else " that were asked"
            told.append(
                f"{n_never} of the {counted(len(self.nearest), 'system')}{asked} can't win by any "
                f"weights"
            )
        return ". ".join([*told, ""]).strip()

    def _told_what_moves(self, weights: np.ndarray) -> str:
        """Say which tasks count more than they do now, and which less."""
        # Equal but for rounding, tasks stand in the table's order.
        gained = (weights - self._start).round(9)
        names = in_brief(self.board.tasks)
        equal = np.ptp(self._start) == 0

        def told(order: list[int]) -> str:
            before = [f"({_percent(w)})" for w in weights]
            if not equal:
                before = [
                    f"({_percent(new)} instead of {_percent(old)})"
                    for new, old in zip(weights, self._start, strict=True)
                ]
            return listed([f"{names[i]} {before[i]}" for i in order], 5)

        more = [int(i) for i in np.argsort(-gained, kind="stable") if gained[i] > 1e-6]
        less = [int(i) for i in np.argsort(gained, kind="stable") if gained[i] < -1e-6]
        each = f"; with equal weights each has {_percent(1 / len(names))}" if equal else ""
        return f"More counts {told(more)}; less {told(less)}{each}."

    def _weights_chart(self, weights: np.ndarray, title: str) -> alt.LayerChart:
        names = names_of(self.board.tasks)
        rows = [
            {"task": name, "weight": now, "before": before}
            for name, now, before in zip(names, weights.tolist(), self._start.tolist(), strict=True)
        ]
        base = alt.Chart(alt.InlineData(values=rows)).encode(
            y=alt.Y(
                "task:N",
                sort=names,
                axis=alt.Axis(labelLimit=280, labelExpr=in_brief_on_axis(names), title=None),
            ),
            x=alt.X(
                "weight:Q",
                title="share of the weight",
                axis=alt.Axis(format="%", orient="top" if len(names) > _MANY_TASKS else "bottom"),
            ),
            tooltip=[
                "task:N",
                alt.Tooltip("weight:Q", format=".1%"),
                alt.Tooltip("before:Q", format=".1%", title=self._start_is),
            ],
        )
        bars = base.mark_bar(color=PALETTE[0])
        ticks = base.mark_tick(color="#222222", thickness=2, size=15).encode(x="before:Q")
        return alt.LayerChart(layer=[bars, ticks]).properties(
            width=420,
            height=alt.Step(18),
            title=alt.TitleParams(
                title,
                subtitle=f"the black marks: {self._start_is}",
                anchor="start",
            ),
        )


def _percent(share: float) -> str:
    return f"{100 * share:.3g}%"


def _whole(share: float) -> float:
    """A share in whole percents, as sliders and words have it."""
    return round(share, 2)


def _win(names: list[str]) -> str:
    return f"{listed(names, 3) or 'nobody'} {'win' if len(names) > 1 else 'wins'}"


def _alone(triangle: pd.DataFrame) -> Counter[Label]:
    """At how many weightings a system is the only winner, the most first."""
    found = Counter(winners[0] for winners in triangle["winners"] if len(winners) == 1)
    return Counter(dict(found.most_common()))


def _kept(colours: Mapping[Label, str], winners: Iterable[Label]) -> dict[Label, str]:
    """Let each winner have the colour that it had; new ones take those that nobody has now.

    >>> _kept({"A": "#0072B2", "B": "#D55E00"}, ["C", "B"])
    {'A': '#0072B2', 'B': '#D55E00', 'C': '#009E73'}
    """
    shown = list(winners)
    kept = {system: colours[system] for system in shown if system in colours}
    never = [colour for colour in _COLOURS if colour not in colours.values()]
    free = [*never, *(c for c in _COLOURS if c not in never and c not in kept.values())]
    new = dict(zip([system for system in shown if system not in kept], free, strict=False))
    before = {system: c for system, c in colours.items() if c not in new.values()}
    return before | kept | new


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
    groups, a triangle shows who wins at each weighting of them: click or drag in
    it, or move a slider, and the weights follow.

    Parameters
    ----------
    scores
        A frame of scores or a leaderboard. Its weights are where one starts:
        what has to move is counted from there.
    system
        The system to begin with; None takes, of those that lose to another by
        the table's own weights, the one for which the least has to move.
    weights, groups, lower_is_better
        As for `nbrank.Leaderboard`.

    Returns
    -------
    WeightExplorer
        A widget, also of use from Python: set its `system`, or with three groups
        its `group_weights` and the `rule` of the triangle, and read `weights`,
        `to_move`, `nearest`, `triangle`, `ranking` and `words`.

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
