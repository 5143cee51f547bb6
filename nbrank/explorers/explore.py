"""Choose rules, weights and how missing scores count, and see the ranking change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import ipywidgets as widgets
import numpy as np
import pandas as pd
import traitlets
from numpy.typing import NDArray

from nbrank import charts
from nbrank.charts import names_of
from nbrank.charts.names import in_brief, in_words, listed
from nbrank.explorers.controls import folded, in_a_row
from nbrank.explorers.panel import Panel, board_to_explore, in_a_table
from nbrank.explorers.refusals import why_refused
from nbrank.explorers.weight_sliders import WeightSliders
from nbrank.questions.rank_moves import tell_who_is_first
from nbrank.charts.names import MISSING_IN_WORDS
from nbrank.rules.rule import RULES, Rule
from nbrank.rules.wording import what_counts
from nbrank.votes.leaderboard import (
    Groups,
    Label,
    Leaderboard,
    LowerIsBetter,
    TaskNames,
    Weights,
    counted,
    named,
)

#: What an explorer shows to begin with: one rule of each kind.
USUAL = ("mean", "borda", "plurality", "copeland", "instant_runoff")
_AS_EACH_DOES = "as each rule does"
_MOST_DRAWN = 20
_NEAR_THE_TOP = 5
_MOST_COSTS = 3


class RankingExplorer(Panel):
    """Rules, weights and the treatment of missing scores, and the ranks that follow.

    Made by `explore`. Every trait below can be set from Python, and the widgets
    follow.

    Parameters
    ----------
    board
        The leaderboard.
    rules
        The names of the rules to begin with.

    Attributes
    ----------
    rules : tuple of str
        The names of the rules shown.
    order_by : str
        The rule by which the systems are ordered, one of `rules`.
    weights_of : str
        Whether the sliders weigh "groups" (whose tasks share the weight as they
        do on the board; only where there are groups) or single "tasks".
    weights : dict
        Task or group -> weight.
    missing : str
        How a missing score counts: "as each rule does", "compatible",
        "ignore", "median" or "worst".
    system : label
        The system that is looked at closely; None looks at the one near the top
        whose rank depends most on the rule.
    ranking : pandas.DataFrame or None
        The ranking by `order_by`, as its function returns it; None where that
        rule refuses the table, or all weights are 0 (read only).
    ranks : pandas.DataFrame or None
        The ranks, systems x rules, best first; None likewise (read only).
    winners : dict
        Rule -> list of its winners; empty likewise (read only).
    changes : str
        What changed since the last setting that had a ranking (read only).
    words : str
        What one sees.

    Raises
    ------
    traitlets.TraitError
        If a trait is set to what is unknown: a rule, task, group, treatment or
        system that is not there, or a weight that is no number from 0 on.

    Examples
    --------
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [1, 2, 3]}, index=list("ABC"))
    >>> explorer = RankingExplorer(Leaderboard(scores), ("borda", "plurality"))
    >>> explorer.weights = {"t2": 2}
    >>> explorer.winners["borda"], explorer.sliders.sliders["t2"].value
    (['C'], 2.0)
    """

    rules = traitlets.Tuple()
    order_by = traitlets.Unicode()
    weights_of = traitlets.Enum(["groups", "tasks"], "tasks")
    weights: traitlets.Dict[Any, Any] = traitlets.Dict()
    _holding = False
    missing = traitlets.Enum([_AS_EACH_DOES, *MISSING_IN_WORDS], _AS_EACH_DOES)
    system = traitlets.Any()
    ranking = traitlets.Instance(pd.DataFrame, allow_none=True, read_only=True)
    ranks = traitlets.Instance(pd.DataFrame, allow_none=True, read_only=True)
    winners = traitlets.Dict(read_only=True)
    changes = traitlets.Unicode(read_only=True)

    def __init__(self, board: Leaderboard, rules: tuple[str, ...]) -> None:
        self._ready = False
        self.board = board
        self._before: _Before | None = None
        self._names = TaskNames.of(board.tasks, board.groups)
        self._places = _Places.on(board)
        self._named = dict(zip(names_of(board.systems), board.systems, strict=True))
        self._written = dict(zip(board.systems, self._named, strict=True))
        self._brief = dict(zip(board.systems, in_brief(board.systems), strict=True))
        self.weights_of = "tasks" if board.groups is None else "groups"
        self.sliders = self._new_sliders()
        self.boxes = {
            name: widgets.Checkbox(
                name in rules,
                description=f"{in_words(name)}: {rule.answers}",
                tooltip=rule.answers,
                indent=False,
                style={"description_width": "initial"},
                layout=widgets.Layout(width="98%"),
            )
            for name, rule in RULES.items()
            if rule.takes(Leaderboard.offers) and not rule.arguments
        }
        self._order = widgets.Dropdown(
            description="order systems by", style={"description_width": "initial"}
        )
        self._missing = widgets.Dropdown(
            description="missing scores",
            options=[
                (_AS_EACH_DOES, _AS_EACH_DOES),
                *((f"{how}: {words}", how) for how, words in MISSING_IN_WORDS.items()),
            ],
            style={"description_width": "initial"},
            layout=widgets.Layout(max_width="98%"),
        )
        self._look = widgets.Combobox(
            description="look closely at",
            options=list(self._named),
            placeholder="a system's name",
            ensure_option=True,
            continuous_update=False,
            style={"description_width": "initial"},
        )
        self._weights_of = widgets.ToggleButtons(
            options=[("groups of tasks", "groups"), ("single tasks", "tasks")],
            value=self.weights_of,
            description="sliders for",
        )
        self._pane = widgets.VBox()
        grid = widgets.VBox(
            list(self.boxes.values()),
            layout=widgets.Layout(max_height="240px", overflow="auto", display="block"),
        )
        self._closely = widgets.HTML()
        self._folds = folded(
            {"weights": self._pane, "Rules: tick those to compare, and read what each asks": grid},
            opened=0,
        )
        super().__init__(
            board,
            [self._folds, in_a_row([self._order, self._missing, self._look])],
            below=[self._closely],
        )
        self._show_sliders()
        for box in self.boxes.values():
            box.observe(self._read_boxes, "value")
        self.weights = self.sliders.value
        traitlets.link((self._missing, "value"), (self, "missing"))
        self._order.observe(self._read_order, "value")
        self._look.observe(self._read_look, "value")
        self._weights_of.observe(
            lambda change: self.set_trait("weights_of", change["new"]), "value"
        )
        self.rules = rules
        self.order_by = self._first_that_ranks()
        self._ready = True
        self._update()

    def _new_sliders(self) -> WeightSliders:
        start: dict[Label, float]
        if self.weights_of == "groups":
            start = self._grouped(self.board.weights)
        else:
            start = dict(zip(self.board.tasks, self.board.weights.tolist(), strict=True))
        sliders = WeightSliders(start)
        sliders.observe(self._read_sliders, "value")
        return sliders

    def _grouped(self, weights: NDArray[np.float64]) -> dict[Label, float]:
        members = self._names.members or {}
        return {group: float(weights[positions].sum()) for group, positions in members.items()}

    def _show_sliders(self) -> None:
        switch = [] if self.board.groups is None else [self._weights_of]
        self._pane.children = [*switch, self.sliders]
        title = (
            f"Weights: how much each of the {len(self.sliders.sliders)} {self.weights_of} counts"
        )
        self._folds.set_title(0, title)

    # ------------------------------------------------------------------------------ the traits

    @traitlets.validate("rules")
    def _known_rules(self, proposal: Any) -> tuple[str, ...]:
        rules = tuple(proposal["value"])
        unknown = [rule for rule in rules if rule not in self.boxes]
        if unknown or not rules:
            raise traitlets.TraitError(
                f"rules: {', '.join(map(repr, unknown)) or 'none'}; choose from "
                f"{', '.join(self.boxes)}"
            )
        return rules

    @traitlets.validate("weights")
    def _known_weights(self, proposal: Any) -> dict[Label, float]:
        return self.sliders.completed(proposal["value"])

    @traitlets.validate("order_by")
    def _chosen(self, proposal: Any) -> str:
        rule = str(proposal["value"])
        if rule not in self.rules:
            raise traitlets.TraitError(f"order_by: {rule!r} is none of {', '.join(self.rules)}")
        return rule

    @traitlets.validate("weights_of")
    def _grouped_board(self, proposal: Any) -> str:
        of = str(proposal["value"])
        if of == "groups" and self.board.groups is None:
            raise traitlets.TraitError(
                "weights_of='groups': this board has no groups; give groups={group: [tasks]}"
            )
        return of

    @traitlets.validate("system")
    def _listed(self, proposal: Any) -> Label:
        system: Label = proposal["value"]
        if system is not None and system not in list(self.board.systems):
            raise traitlets.TraitError(
                f"system: unknown {system!r}; there are {named(self.board.systems)}"
            )
        return system

    def _read_sliders(self, change: Any) -> None:
        if change["owner"] is self.sliders:
            self.weights = change["new"]

    def _read_boxes(self, _: Any) -> None:
        if self._holding:
            return
        chosen = tuple(name for name, box in self.boxes.items() if box.value)
        if chosen and set(chosen) != set(self.rules):
            # In the order in which they stand already, the new ones at the end.
            kept = [name for name in self.rules if name in chosen]
            self.rules = (*kept, *(name for name in chosen if name not in kept))

    def _read_order(self, change: Any) -> None:
        if change["new"] in self.rules and not self._holding:
            self.order_by = change["new"]

    def _read_look(self, change: Any) -> None:
        self.system = self._named.get(change["new"])

    @traitlets.observe("rules")
    def _follow_rules(self, _: Any) -> None:
        ready, self._ready = self._ready, False
        self._holding = True
        for name, box in self.boxes.items():
            box.value = name in self.rules
        if self.order_by not in self.rules:
            self.order_by = self.rules[0]
        self._order.options = [(in_words(rule), rule) for rule in self.rules]
        # New options put the list back on its first one, which nobody chose.
        self._order.value = self.order_by
        self._holding = False
        self._ready = ready
        self._update()

    @traitlets.observe("order_by")
    def _follow_order(self, _: Any) -> None:
        if self.order_by in [value for _, value in self._order.options]:
            self._order.value = self.order_by
        self._update()

    @traitlets.observe("weights", "missing")
    def _follow(self, _: Any) -> None:
        self.sliders.value = self.weights
        self._update()

    @traitlets.observe("system")
    def _follow_system(self, _: Any) -> None:
        self._look.value = "" if self.system is None else self._written[self.system]
        self._update()

    @traitlets.observe("weights_of")
    def _follow_weights_of(self, change: Any) -> None:
        if not self._ready:
            return
        by_task = self._by_task(self.weights, change["old"])
        self._ready = False
        self._weights_of.value = self.weights_of
        self.sliders = self._new_sliders()
        self.sliders.value = (
            self._grouped(by_task)
            if self.weights_of == "groups"
            else dict(zip(self.board.tasks, by_task.tolist(), strict=True))
        )
        self.weights = self.sliders.value
        self._show_sliders()
        self._ready = True
        self._update()

    # ----------------------------------------------------------------------------- what follows

    def _by_task(self, by_label: Mapping[Any, float], weights_of: str) -> NDArray[np.float64]:
        """The weight of each task, where groups share theirs as they do on the board."""
        if weights_of == "tasks":
            return np.array([by_label[task] for task in self.board.tasks])
        weights = np.zeros(len(self.board.tasks))
        for group, members in (self._names.members or {}).items():
            own = self.board.weights[members]
            shares = own / own.sum() if own.any() else np.full(len(members), 1 / len(members))
            weights[members] = by_label[group] * shares
        return weights

    def _first_that_ranks(self) -> str:
        """The first of the rules that does not refuse the table, to open with a ranking."""
        for name in self.rules:
            try:
                RULES[name].function(self.board)
            except (ValueError, RuntimeError):
                continue
            return str(name)
        return str(self.rules[0])

    def _functions(self) -> dict[str, Any]:
        def told(rule: Rule) -> Any:
            # Where the rule itself would search for long, the search that stops.
            function = rule.side_by_side or rule.function
            if self.missing == _AS_EACH_DOES or "missing" not in rule.parameters:
                return function
            return partial(function, missing=self.missing)

        return {name: told(RULES[name]) for name in self.rules}

    def _update(self) -> None:
        if not self._ready:
            return
        if not any(self.weights.values()):
            self._show_nothing(["All weights are 0: give at least one of them a weight."])
            return
        board = self.board.with_task_weights(self._by_task(self.weights, self.weights_of))
        found, refused = self._ranked(board)
        if self.order_by not in found.ranking:
            said = [f"{in_words(self.order_by)} can't rank this table.", *refused]
            if found.ranking:
                said.append(f"Or order the systems by {listed(map(in_words, found.ranking), 30)}.")
            self._show_nothing(said)
            return
        elected = {name: found.elected(name) for name in found.ranking}
        ranking = found.ranking[self.order_by]
        ranks = found.table(self.rules, self.order_by)
        self.set_trait("changes", self._changed(ranks, elected))
        self.set_trait("ranking", ranking)
        self.set_trait("ranks", ranks)
        self.set_trait("winners", elected)
        self._before = _Before(
            ranks, elected, dict(self.weights), self.missing, self.weights_of, self.changes
        )
        closely = self._looked_at(ranks)
        top = list(ranks.index[:_MOST_DRAWN])
        top += [closely] if closely is not None and closely not in top else []
        drawn = ranks.loc[top, list(found.ranking)]
        cut = len(drawn) < len(ranks)
        drawn = drawn.rank(method="min").astype("Int64") if cut else drawn
        ranked = bool(drawn.notna().any(axis=None))
        sentences = [*self._who_wins(), self.changes, *refused]
        if cut:
            sentences.append(
                f"The chart shows the first {_MOST_DRAWN} by {in_words(self.order_by)} and the "
                f"system looked at, and numbers these {len(drawn)} only; the table at the end has "
                f"the ranks among all {len(ranks)}."
            )
        named = drawn.rename(columns=in_words)
        first = [system for systems in elected.values() for system in systems if system in top]
        first += [] if closely is None else [closely]
        highlight = list(dict.fromkeys([*first[:6], *first[-1:]]))
        table = ranks.rename(columns=in_words)
        reasons = self._why(board, closely, found)
        said = [sentence for sentence in sentences if sentence]
        draw = partial(charts.ranks, named, highlight) if ranked else None
        self.show(said, draw, table, reasons)

    def _show_nothing(self, sentences: list[str]) -> None:
        """Say why there is no ranking, and leave none of an earlier setting on show."""
        self.set_trait("changes", "")
        self.set_trait("ranking", None)
        self.set_trait("ranks", None)
        self.set_trait("winners", {})
        self._closely.value = ""
        self.show(sentences, None, None)

    def _ranked(self, board: Leaderboard) -> tuple[_Found, list[str]]:
        """Rank by each rule, and say which of them refuse the table, and why."""
        found: dict[str, pd.DataFrame] = {}
        refused: dict[str, list[str]] = {}
        for name, function in self._functions().items():
            try:
                found[name] = function(board)
            except (ValueError, RuntimeError) as error:
                reason = why_refused(name, board, error)
                refused.setdefault(reason, []).append(in_words(name))
        said = [
            f"Not shown {'is' if len(rules) == 1 else 'are'} {listed(rules, 30)}: {reason}."
            for reason, rules in refused.items()
        ]
        return _Found.of(board.systems, found), said

    def _who_wins(self) -> list[str]:
        by_winner: dict[tuple[Label, ...], list[str]] = {}
        for rule, found in self.winners.items():
            by_winner.setdefault(tuple(found), []).append(in_words(rule))
        return [
            f"{self._in_brief(found) or 'Nobody'} {'win' if len(found) > 1 else 'wins'} "
            f"under {listed(rules, 30)}."
            for found, rules in by_winner.items()
        ]

    def _in_brief(self, systems: Iterable[Label]) -> str:
        """Name the first of some systems, in brief."""
        return listed([self._brief[system] for system in systems], 3)

    def _changed(self, ranks: pd.DataFrame, elected: Mapping[str, list[Label]]) -> str:
        if self._before is None:
            return ""
        before, winners = self._before.ranks, self._before.winners
        names = dict(zip(self.weights, in_brief(self.weights), strict=True))
        settings = [
            f"the weight of {names[label]} from {self._before.weights.get(label, 0):g} "
            f"to {weight:g}"
            for label, weight in self.weights.items()
            if self._before.weights.get(label) != weight
        ]
        if self._before.weights_of != self.weights_of:
            settings = [f"the sliders from {self._before.weights_of} to {self.weights_of}"]
        if self._before.missing != self.missing:
            settings.append(f"missing scores from “{self._before.missing}” to “{self.missing}”")
        if not settings:
            return self._before.changes
        parts = []
        for rule in elected:
            if rule not in winners:
                continue
            if set(elected[rule]) != set(winners[rule]):
                was = self._in_brief(winners[rule]) or "nobody"
                now = self._in_brief(elected[rule]) or "nobody"
                verb = "win" if len(elected[rule]) > 1 else "wins"
                parts.append(f"under {in_words(rule)} {now} {verb} instead of {was}")
        if self.order_by in before:
            was_ranked = before[self.order_by].reindex(ranks.index).to_numpy(float, na_value=np.nan)
            moved = was_ranked - ranks[self.order_by].to_numpy(float, na_value=np.nan)
            climbed, fell = int((moved > 0).sum()), int((moved < 0).sum())
            if climbed or fell:
                most = int(np.argmax(np.nan_to_num(np.abs(moved))))
                parts.append(
                    f"by {in_words(self.order_by)} {climbed} rose and {fell} fell, "
                    f"most of all {self._brief[ranks.index[most]]}, from rank "
                    f"{was_ranked[most]:.0f} to {was_ranked[most] - moved[most]:.0f}"
                )
        return (
            f"You changed {listed(settings, 3)}: "
            f"{'; '.join(parts) if parts else 'no winner and no rank changed'}."
        )

    def _looked_at(self, table: pd.DataFrame) -> Label:
        """The system chosen; or, of those near the top somewhere, the one that moves most.

        Near the top are the first few, of whom half of the systems are worse. To share the first
        rank with more than half of the systems is no move.
        """
        chosen: Label = self.system
        if chosen is not None or len(table) < 2:
            return chosen
        ranks = table.to_numpy(dtype=float, na_value=np.nan)
        there, told = ~np.isnan(ranks).all(axis=0), tell_who_is_first(ranks)
        if not there.any():
            return None
        ranks = ranks[:, told if told.any() else there]
        worse = (ranks[:, None] < ranks).sum(axis=1)
        at_top = (ranks <= _NEAR_THE_TOP) & (worse >= len(ranks) / 2)
        moves = np.ptp(ranks, axis=1)
        near = moves * at_top.any(axis=1)
        near[0] = moves[0] = 0.0
        moves = near if near.any() else moves
        found: Label = table.index[int(np.argmax(moves))]
        return found if moves.any() else None

    def _why(self, board: Leaderboard, system: Label, found: _Found) -> list[str]:
        """Say what makes the ranks of the system looked at, beside those of the first."""
        self._closely.value = ""
        if system is None:
            return []
        first: Label = found.ranking[self.order_by].index[0]
        looked_at = _Looked.at(self._places.position[system], found)
        whom = self._brief[system]
        if self.system is None:
            whom += " (looked at because its rank depends much on the rule)"
        own = "; ".join(
            f"rank {rank} under {listed(map(in_words, rules))}"
            for rank, rules in looked_at.by_rank().items()
        )
        said = [f"{whom}: {own or 'no rank'}. {self._places.said(board, system)}"]
        if first == system:
            return said
        others = _Looked.at(self._places.position[first], found)
        said.append(f"{self._brief[first]}, for comparison: {self._places.said(board, first)}")
        if looked_at.moves:
            told = [looked_at.best, looked_at.worst, self.order_by]
            parts = [
                f"{in_words(rule)} counts {self._what_counts(board, rule)}"
                + (
                    f": {number} for {self._brief[system]}, {others.numbers[rule]} for "
                    f"{self._brief[first]}"
                    if (number := looked_at.numbers[rule])
                    else ""
                )
                + self._in_part(board, rule, (system, first))
                for rule in dict.fromkeys(told)
            ]
            said.append(f"Why the ranks differ: {'. '.join(parts)}.")
            said += self._what_the_mean_sees(board, system, found, looked_at)
        table = pd.DataFrame(
            {
                "what it counts": [self._what_counts(board, rule) for rule in found.ranking],
                self._brief[system]: looked_at.cells(),
                self._brief[first]: others.cells(),
            },
            index=[in_words(rule) for rule in found.ranking],
        )
        self._closely.value = f'<div class="nbrank-table nbrank-why">{in_a_table(table)}</div>'
        return said

    def _what_counts(self, board: Leaderboard, rule: str) -> str:
        unit = "instance" if board.is_instance_level else "task"
        return what_counts(
            RULES[rule].counts, unit, not np.allclose(board.weights[board.weights > 0], 1)
        )

    def _in_part(self, board: Leaderboard, rule: str, systems: Iterable[Label]) -> str:
        """Say where a count of places has a fraction that comes from missing scores."""
        if rule not in ("plurality", "antiplurality") or self.missing not in (
            _AS_EACH_DOES,
            "compatible",
        ):
            return ""
        here = board.weights > 0
        holes = [s for s in dict.fromkeys(systems) if self._places.absent(s)[here].any()]
        if not holes:
            return ""
        place = "first" if rule == "plurality" else "not last"
        whom = listed([self._brief[system] for system in holes])
        return (
            f" (a missing score, as of {whom}, counts in part too: for the share of the places "
            f"it might have that are {place})"
        )

    def _what_the_mean_sees(
        self, board: Leaderboard, system: Label, found: _Found, looked_at: _Looked
    ) -> list[str]:
        """Say which tasks cost a system most in the mean, where another rule ranks it higher."""
        ranks = looked_at.ranks
        if "mean" not in ranks or ranks["mean"] == ranks[looked_at.best]:
            return []
        best: Label = found.ranking["mean"].index[0]
        row, other = self._places.position[system], self._places.position[best]
        sign = np.where(board.lower, -1.0, 1.0)
        gaps = sign * (self._places.score[other] - self._places.score[row])
        costs = gaps * board.weights / board.weights.sum()
        column = list(found.ranking).index("mean")
        behind = float(found.scores[other, column] - found.scores[row, column])
        # With scores filled in or left out, the gap is not the sum of those on the tasks.
        if not behind > 0 or not np.isclose(costs.sum(), behind):
            return []
        most = [i for i in np.argsort(-costs, kind="stable")[:_MOST_COSTS].tolist() if costs[i] > 0]
        scores = self._places.score
        told = [
            f"{self._places.task[i]} costs {costs[i]:.3g} ({scores[row, i]:.4g} against "
            f"{scores[other, i]:.4g})"
            for i in most
        ]
        said = (
            f"The mean counts every task, also each bad one: {self._brief[system]} is "
            f"{behind:.3g} behind {self._brief[best]}, and of that {listed(told)}."
        )
        unlikely = [self._places.task[i] for i in most if scores[row, i] == 0 != scores[other, i]]
        if unlikely:
            said += (
                f" Is the 0 on {listed(unlikely)} a score, or was it never reported? If it was "
                f"not, leave that cell empty in the table, or give the task the weight 0 above."
            )
        # Who is first nowhere owes a good rank under plurality to those who are not either.
        if ranks.get("plurality", ranks["mean"]) < ranks["mean"] and (
            found.scores[row, list(found.ranking).index("plurality")] > 0
        ):
            above = ranks["plurality"] - 1
            more = f"only {counted(above, 'system')} of {len(found.systems)} have"
            more = more.replace("have", "has") if above == 1 else more
            said = (
                f"For plurality first places are enough: {more if above else 'no system has'} more "
                f"of them than {self._brief[system]}, whatever it scores elsewhere. {said}"
            )
        return [said]


@dataclass(frozen=True, eq=False)
class _Before:
    """What stood there at the last setting under which there was a ranking.

    Parameters
    ----------
    ranks, winners
        The ranks, and who won by each rule.
    weights, missing, weights_of
        The setting.
    changes
        What had changed.
    """

    ranks: pd.DataFrame
    winners: Mapping[str, list[Label]]
    weights: Mapping[Label, float]
    missing: str
    weights_of: str
    changes: str


@dataclass(frozen=True, eq=False)
class _Found:
    """The rankings by several rules, lined up; pandas would take longer than the rules do.

    Parameters
    ----------
    systems
        The systems in table order.
    ranking
        Rule -> its ranking.
    row
        Rule -> the position in the table of each system of the ranking.
    ranks, scores
        Systems in table order x rules.
    """

    systems: pd.Index
    ranking: Mapping[str, pd.DataFrame]
    row: Mapping[str, NDArray[np.intp]]
    ranks: NDArray[np.int64]
    scores: NDArray[np.float64]

    @classmethod
    def of(cls, systems: pd.Index, ranking: Mapping[str, pd.DataFrame]) -> _Found:
        ranks = np.zeros((len(systems), len(ranking)), dtype=np.int64)
        scores = np.zeros(ranks.shape)
        row = {}
        for column, (rule, found) in enumerate(ranking.items()):
            row[rule] = systems.get_indexer(found.index)
            ranks[row[rule], column] = found["rank"].to_numpy()
            scores[row[rule], column] = found["score"].to_numpy()
        return cls(systems, ranking, row, ranks, scores)

    def table(self, rules: Iterable[str], order_by: str) -> pd.DataFrame:
        """The ranks in the order of one rule; NA where a rule refuses, or elects nobody."""
        order = self.row[order_by]
        column = {rule: place for place, rule in enumerate(self.ranking)}
        refused = np.ones(len(self.systems), dtype=bool)
        columns = {
            rule: pd.arrays.IntegerArray(
                self.ranks[order, column[rule]] if rule in column else np.zeros_like(order),
                ~refused if rule in column and not self.elects_nobody(rule) else refused.copy(),
            )
            for rule in rules
        }
        return pd.DataFrame(columns, index=self.ranking[order_by].index)

    def elects_nobody(self, rule: str) -> bool:
        """Whether a rule ranks nobody, since nobody beats everybody."""
        return rule == "condorcet" and not (self.ranking[rule]["score"].to_numpy() == 1).any()

    def elected(self, rule: str) -> list[Label]:
        """Who wins by a rule."""
        if self.elects_nobody(rule):
            return []
        place = list(self.ranking).index(rule)
        order, scores = self.row[rule], self.scores[:, place]
        first = order[(self.ranks[order, place] == 1) & ~np.isnan(scores[order])]
        return [self.systems[row] for row in first.tolist()]


@dataclass(frozen=True)
class _Looked:
    """One system under each rule: its rank, and the number that the rule counts for it.

    `telling` has the ranks by the rules that tell the first from the rest; all, where those agree.
    """

    ranks: Mapping[str, int]
    telling: Mapping[str, int]
    numbers: Mapping[str, str]

    @classmethod
    def at(cls, row: int, found: _Found) -> _Looked:
        ranks, telling, numbers = {}, {}, {}
        told = tell_who_is_first(found.ranks.astype(float))
        for column, rule in enumerate(found.ranking):
            if not found.elects_nobody(rule):
                ranks[rule] = int(found.ranks[row, column])
                if told[column]:
                    telling[rule] = ranks[rule]
            score, written = float(found.scores[row, column]), RULES[rule].written
            numbers[rule] = "" if written is None or np.isnan(score) else written(score)
        return cls(ranks, telling if len(set(telling.values())) > 1 else ranks, numbers)

    @property
    def best(self) -> str:
        return min(self.telling, key=self.telling.__getitem__)

    @property
    def worst(self) -> str:
        return max(self.telling, key=self.telling.__getitem__)

    @property
    def moves(self) -> bool:
        return len(set(self.telling.values())) > 1

    def by_rank(self) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        for rule, rank in sorted(self.ranks.items(), key=lambda item: item[1]):
            found.setdefault(rank, []).append(rule)
        return found

    def cells(self) -> list[str]:
        return [
            ": ".join(
                part
                for part in (number, f"rank {self.ranks[rule]}" if rule in self.ranks else "")
                if part
            )
            or "no rank"
            for rule, number in self.numbers.items()
        ]


@dataclass(frozen=True, eq=False)
class _Places:
    """The places within each task, which no weight and no rule changes.

    Parameters
    ----------
    place
        Systems x tasks; NaN where there is no score.
    score
        The scores of these places; of instances, their mean.
    position
        System -> its row.
    task
        What the tasks are called, in brief.
    """

    place: NDArray[np.float64]
    score: NDArray[np.float64]
    position: Mapping[Label, int]
    task: Sequence[str]

    @classmethod
    def on(cls, board: Leaderboard) -> _Places:
        frame = board.scores
        if board.is_instance_level:
            frame = frame.groupby(level="system", sort=False).mean()
        places = frame.mul(np.where(board.lower, -1.0, 1.0), axis=1).rank(ascending=False)
        places = places.reindex(board.systems)
        position = {system: row for row, system in enumerate(board.systems)}
        scores = frame.reindex(board.systems).to_numpy()
        return cls(places.to_numpy(), scores, position, in_brief(board.tasks))

    def absent(self, system: Label) -> NDArray[np.bool_]:
        """On which tasks a system has no score."""
        found: NDArray[np.bool_] = np.isnan(self.score[self.position[system]])
        return found

    def said(self, board: Leaderboard, system: Label) -> str:
        """Say on how many tasks a system is first, and on how many in the lower half, worst first.

        The worst places come with their scores, since these may be what pulls a mean down.
        """
        row, scores = self.place[self.position[system]], self.score[self.position[system]]
        counts = (~np.isnan(self.place)).sum(axis=0)
        here = board.weights > 0
        best = here & (row == np.nanmin(self.place, axis=0, initial=np.inf))
        low = np.flatnonzero(here & (row > (counts + 1) / 2))
        low = low[np.argsort(-row[low] / counts[low], kind="stable")]
        worst = [
            f"{self.task[task]} with {scores[task]:.4g}, place {row[task]:g}"
            for task in low.tolist()
        ]
        absent = here & np.isnan(row)
        parts = [
            f"first on {best.sum()} of {here.sum()} tasks"
            + (
                f" ({listed([self.task[i] for i in np.flatnonzero(best).tolist()], 3)})"
                if best.any()
                else ""
            ),
            f"in the lower half on {len(low)}" + (f" ({_worst_first(worst)})" if worst else ""),
        ]
        placed = here & ~np.isnan(row)
        if placed.any():
            average = float(np.average(row[placed], weights=board.weights[placed]))
            even = np.ptp(board.weights[here]) == 0
            parts.append(f"in place {average:.1f} on average{'' if even else ' by weight'}")
        if absent.any():
            parts.append(f"without a score on {absent.sum()}")
        mean = ", by the mean of its instances on each," if board.is_instance_level else ""
        return f"On the tasks{mean} it is {', '.join(parts)}."


def _worst_first(told: list[str]) -> str:
    more = f"; and {len(told) - _MOST_COSTS} more" if len(told) > _MOST_COSTS else ""
    return f"{'the worst: ' if more else ''}{'; '.join(told[:_MOST_COSTS])}{more}"


def explore(
    scores: pd.DataFrame | Leaderboard,
    rules: tuple[str, ...] = USUAL,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> RankingExplorer:
    """Choose rules, weights and how missing scores count, and see the ranking change.

    Parameters
    ----------
    scores
        A frame of scores or a leaderboard. With groups there is a slider for
        each group, whose weight its tasks share as they do on the board, and a
        switch to one for each task; without groups, one for each task.
    rules
        The names of the rules to begin with; any rule that needs no argument.
    weights, groups, lower_is_better
        As for `nbrank.Leaderboard`.

    Returns
    -------
    RankingExplorer
        A widget, also of use from Python: set its `rules`, `weights`,
        `weights_of`, `missing`, `order_by` or `system`, and read `ranking`, `ranks`,
        `winners`, `changes` and `words`.

    Raises
    ------
    TypeError, ValueError
        As `nbrank.Leaderboard`.
    traitlets.TraitError
        If a rule is unknown, or needs an argument.

    Examples
    --------
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [1, 2, 3]}, index=list("ABC"))
    >>> explorer = explore(scores, ("borda", "plurality"))
    >>> explorer.weights = {"t2": 2}
    >>> explorer.winners
    {'borda': ['C'], 'plurality': ['C']}
    >>> print(explorer.changes)
    You changed the weight of t2 from 1 to 2: under borda C wins instead of A, B and C; under
    plurality C wins instead of A and C; by borda 0 rose and 2 fell, most of all A,
    from rank 1 to 3.
    """
    board = board_to_explore("explore", scores, weights, groups, lower_is_better)
    return RankingExplorer(board, tuple(rules))
