"""Choose rules, weights and how missing scores count, and see the ranking change."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Mapping
from functools import partial
from typing import Any

import ipywidgets as widgets
import numpy as np
import pandas as pd
import traitlets

from nbrank import charts
from nbrank.charts import name_of
from nbrank.explorers.panel import Panel, WeightSliders, folded, in_paragraphs
from nbrank.labelled.compare import RuleRefusedWarning, compare
from nbrank.labelled.leaderboard import (
    Groups,
    Label,
    Leaderboard,
    LowerIsBetter,
    TaskNames,
    Weights,
    as_leaderboard,
)
from nbrank.labelled.registry import RULES, Rule
from nbrank.reporting import MISSING_IN_WORDS, in_words, listed

#: What an explorer shows to begin with: one rule of each kind.
USUAL = ("mean", "borda", "plurality", "copeland", "instant_runoff")
_AS_EACH_DOES = "as each rule does"
_MOST_DRAWN = 20
_NEAR_THE_TOP = 5


class RankingExplorer(Panel):
    """Rules, weights and the treatment of missing scores, and the ranks that follow.

    Made by `explore`. Every trait below can be set from Python, and the widgets
    follow.

    Attributes
    ----------
    rules : tuple of str
        The names of the rules shown.
    order_by : str
        The rule by which the systems are ordered, one of `rules`.
    weights : dict
        Task or group -> weight.
    missing : str
        How a missing score counts: "as each rule does", "compatible",
        "ignore", "median" or "worst".
    system : label
        The system that is looked at closely.
    ranking : pandas.DataFrame
        The ranking by `order_by`, as its function returns it (read only).
    ranks : pandas.DataFrame
        The ranks, systems x rules, best first (read only).
    winners : dict
        Rule -> list of its winners (read only).
    changes : str
        What changed since the last setting (read only).
    words : str
        What one sees.
    """

    rules = traitlets.Tuple()
    order_by = traitlets.Unicode()
    weights = traitlets.Dict()
    missing = traitlets.Enum([_AS_EACH_DOES, *MISSING_IN_WORDS], _AS_EACH_DOES)
    system = traitlets.Any()
    ranking = traitlets.Instance(pd.DataFrame, read_only=True)
    ranks = traitlets.Instance(pd.DataFrame, read_only=True)
    winners = traitlets.Dict(read_only=True)
    changes = traitlets.Unicode(read_only=True)

    def __init__(self, board: Leaderboard, rules: tuple[str, ...], weights_of: str) -> None:
        self._ready = False
        self._before: pd.DataFrame | None = None
        self._names = TaskNames.of(board.tasks, board.groups)
        start: dict[Hashable, float]
        if weights_of == "groups":
            start = {
                group: float(board.weights[members].sum())
                for group, members in (self._names.members or {}).items()
            }
        else:
            start = dict(zip(board.tasks, board.weights.tolist(), strict=True))
        self.sliders = WeightSliders(start)
        self.boxes = {
            name: widgets.Checkbox(
                name in rules,
                description=in_words(name),
                tooltip=rule.answers,
                indent=False,
                layout=widgets.Layout(width="12em"),
            )
            for name, rule in RULES.items()
            if rule.leaderboards and not rule.arguments
        }
        self._order = widgets.Dropdown(description="order by")
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
            description="look at",
            options=[name_of(system) for system in board.systems],
            placeholder="a system's name",
            ensure_option=True,
            continuous_update=False,
        )
        grid = widgets.Box(
            list(self.boxes.values()), layout=widgets.Layout(flex_flow="row wrap", width="100%")
        )
        self._asks = widgets.HTML()
        what = "groups" if weights_of == "groups" else "tasks"
        controls = [
            folded(
                {
                    f"Weights of the {len(start)} {what}": self.sliders,
                    "Rules": grid,
                    "What the chosen rules ask": self._asks,
                },
                opened=0,
            ),
            widgets.Box(
                [self._order, self._missing, self._look],
                layout=widgets.Layout(flex_flow="row wrap", width="100%"),
            ),
        ]
        super().__init__(board, controls)
        for box in self.boxes.values():
            box.observe(self._read_boxes, "value")
        self.weights = self.sliders.value
        self.sliders.observe(lambda change: self.set_trait("weights", change["new"]), "value")
        traitlets.link((self._missing, "value"), (self, "missing"))
        self._order.observe(self._read_order, "value")
        self._look.observe(self._read_look, "value")
        self.rules = rules
        self.order_by = self._first_that_ranks()
        self._ready = True
        self._update()

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

    @traitlets.validate("system")
    def _listed(self, proposal: Any) -> Label:
        system: Label = proposal["value"]
        if system is not None and system not in list(self.board.systems):
            raise traitlets.TraitError(f"system: unknown {system!r}")
        return system

    def _read_boxes(self, _: Any) -> None:
        chosen = tuple(name for name, box in self.boxes.items() if box.value)
        if chosen and set(chosen) != set(self.rules):
            self.rules = chosen

    def _read_order(self, change: Any) -> None:
        if change["new"] in self.rules:
            self.order_by = change["new"]

    def _read_look(self, change: Any) -> None:
        by_name = {name_of(system): system for system in self.board.systems}
        self.system = by_name.get(change["new"])

    @traitlets.observe("rules")
    def _follow_rules(self, _: Any) -> None:
        ready, self._ready = self._ready, False
        for name, box in self.boxes.items():
            box.value = name in self.rules
        if self.order_by not in self.rules:
            self.order_by = self.rules[0]
        self._order.options = [(in_words(rule), rule) for rule in self.rules]
        self._order.value = self.order_by
        asked = [f"{in_words(rule)}: {RULES[rule].answers}" for rule in self.rules]
        self._asks.value = in_paragraphs(asked)
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
        self._look.value = "" if self.system is None else name_of(self.system)
        self._update()

    # ----------------------------------------------------------------------------- what follows

    def _weighted(self) -> Leaderboard:
        weights = np.zeros(len(self.board.tasks))
        for label, weight in self.weights.items():
            members = self._names.members_of(label, "weights")
            own = self.board.weights[members]
            shares = own / own.sum() if own.any() else np.full(len(members), 1 / len(members))
            weights[members] = weight * shares
        return self.board.with_task_weights(weights)

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
            if self.missing == _AS_EACH_DOES or "missing" not in rule.parameters:
                return rule.function
            return partial(rule.function, missing=self.missing)

        return {name: told(RULES[name]) for name in self.rules}

    def _update(self) -> None:
        if not self._ready:
            return
        if not any(self.weights.values()):
            self.show(["All weights are 0: give at least one of them a weight."], None, None)
            return
        board = self._weighted()
        functions = self._functions()
        rankings: dict[str, pd.DataFrame] = {}

        def kept(source: Leaderboard, name: str) -> pd.DataFrame:
            rankings[name] = functions[name](source)
            return rankings[name]

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            ranks = compare(board, {name: partial(kept, name=name) for name in functions})
        refused = [
            str(w.message).partition(". ")[0].replace("left empty; ", "")
            for w in caught
            if issubclass(w.category, RuleRefusedWarning)
        ]
        elected = {name: self._elected(name, rankings[name]) for name in rankings}
        if self.order_by not in rankings:
            said = [
                f"{in_words(self.order_by)} can't rank this table: {' '.join(refused)}.",
                "Choose another treatment of missing scores, or order by another rule.",
            ]
            self.show(said, None, None)
            return
        ranking = rankings[self.order_by]
        ranks = ranks.loc[ranking.index]
        self.set_trait("changes", self._changed(ranks, elected))
        self.set_trait("ranking", ranking)
        self.set_trait("ranks", ranks)
        self.set_trait("winners", elected)
        self._before = ranks
        self._setting = (dict(self.weights), self.missing)
        closely = self._looked_at()
        top = list(ranks.index[:_MOST_DRAWN])
        top += [closely] if closely is not None and closely not in top else []
        drawn = ranks.loc[top].dropna(axis=1, how="all")
        cut = len(drawn) < len(ranks)
        drawn = drawn.rank(method="min").astype("Int64") if cut else drawn
        sentences = [*self._who_wins(), self.changes, *self._why(board), *refused]
        if cut:
            sentences.append(
                f"The chart shows the first {_MOST_DRAWN} by {in_words(self.order_by)} and the "
                f"system looked at, ranked among each other; the table has all {len(ranks)}."
            )
        named = drawn.rename(columns=in_words)
        first = [system for found in elected.values() for system in found if system in top]
        highlight = list(dict.fromkeys([*first[:6], *([] if closely is None else [closely])]))
        table = ranks.rename(index=name_of, columns=in_words)
        self.show([s for s in sentences if s], partial(charts.ranks, named, highlight), table)

    def _elected(self, name: str, ranking: pd.DataFrame) -> list[Label]:
        first = list(ranking.index[(ranking["rank"] == 1) & ranking["score"].notna()])
        # Where nobody beats everybody, all share the first rank, and nobody is elected.
        return [] if name == "condorcet" and ranking["score"].max() != 1 else first

    def _who_wins(self) -> list[str]:
        by_winner: dict[tuple[Label, ...], list[str]] = {}
        for rule, found in self.winners.items():
            by_winner.setdefault(tuple(found), []).append(in_words(rule))
        return [
            f"{listed(found, 3) or 'Nobody'} {'win' if len(found) > 1 else 'wins'} "
            f"under {listed(rules, 30)}."
            for found, rules in by_winner.items()
        ]

    def _changed(self, ranks: pd.DataFrame, elected: Mapping[str, list[Label]]) -> str:
        before = self._before
        if before is None:
            return ""
        weights, missing = self._setting
        settings = [
            f"the weight of {name_of(label)} from {weights.get(label, 0):g} to {weight:g}"
            for label, weight in self.weights.items()
            if weights.get(label) != weight
        ]
        if missing != self.missing:
            settings.append(f"missing scores from “{missing}” to “{self.missing}”")
        if not settings:
            return self.changes
        parts = []
        for rule in elected:
            if rule not in before or before[rule].isna().all():
                continue
            if set(elected[rule]) != set(self.winners.get(rule, [])):
                was = listed(self.winners.get(rule, []), 3) or "nobody"
                now = listed(elected[rule], 3) or "nobody"
                verb = "win" if len(elected[rule]) > 1 else "wins"
                parts.append(f"under {in_words(rule)} {now} {verb} instead of {was}")
        if self.order_by in before:
            moved = (before[self.order_by].reindex(ranks.index) - ranks[self.order_by]).dropna()
            climbed, fell = int((moved > 0).sum()), int((moved < 0).sum())
            if climbed or fell:
                most = moved.abs().sort_values(ascending=False, kind="stable").index[0]
                position = list(ranks.index).index(most)
                rank = ranks[self.order_by].iloc[position]
                was_rank = before[self.order_by].loc[[most]].iloc[0]
                parts.append(
                    f"by {in_words(self.order_by)} {climbed} rose and {fell} fell, "
                    f"most of all {name_of(most)}, from rank {was_rank} to {rank}"
                )
        return (
            f"You changed {listed(settings, 3)}: "
            f"{'; '.join(parts) if parts else 'no winner and no rank changed'}."
        )

    def _looked_at(self) -> Label:
        """The system chosen; or, of those near the top somewhere, the one that moves most."""
        ranks = self.ranks.dropna(axis=1, how="all")
        chosen: Label = self.system
        if chosen is not None or len(ranks) < 2:
            return chosen
        moves = (ranks.max(axis=1) - ranks.min(axis=1)).iloc[1:]
        near = moves[ranks.iloc[1:].min(axis=1) <= _NEAR_THE_TOP]
        near = near if len(near) else moves
        found: list[Label] = list(near.sort_values(ascending=False, kind="stable").index)
        return found[0]

    def _why(self, board: Leaderboard) -> list[str]:
        """Say what on the tasks makes the ranks of the system looked at, and of the first."""
        ranks = self.ranks.dropna(axis=1, how="all")
        if len(ranks) < 2:
            return []
        system = self._looked_at()
        first = ranks.index[0]
        row = ranks.loc[[system]].iloc[0]
        by_rank: dict[int, list[str]] = {}
        for rule, rank in row.items():
            by_rank.setdefault(int(rank), []).append(in_words(str(rule)))
        own = "; ".join(f"rank {rank} under {listed(by_rank[rank])}" for rank in sorted(by_rank))
        chosen = "" if self.system is not None else " (of those near the top it moves most)"
        said = [f"{name_of(system)}{chosen}: {own}. {_on_the_tasks(board, system)}"]
        if first != system:
            said.append(f"{name_of(first)}, for comparison: {_on_the_tasks(board, first)}")
        return said


def _on_the_tasks(board: Leaderboard, system: Label) -> str:
    """Say on how many tasks a system is first, and on how many in the lower half."""
    frame = board.scores
    if board.is_instance_level:
        frame = frame.groupby(level="system", sort=False).mean()
    places = frame.mul(np.where(board.lower, -1.0, 1.0), axis=1).rank(ascending=False)
    row = places.to_numpy()[list(frame.index).index(system)]
    counts = frame.notna().sum().to_numpy()
    here = board.weights > 0
    best = here & (row == np.nanmin(places.to_numpy(), axis=0, initial=np.inf))
    low = here & (row > (counts + 1) / 2)
    absent = here & np.isnan(row)
    parts = [
        f"first on {best.sum()} of {here.sum()} tasks"
        + (f" ({listed(board.tasks[best], 3)})" if best.any() else ""),
        f"in the lower half on {low.sum()}"
        + (f" ({listed(board.tasks[low], 3)})" if low.any() else ""),
    ]
    if (here & ~np.isnan(row)).any():
        parts.append(f"in place {np.nanmean(row[here]):.1f} on average")
    if absent.any():
        parts.append(f"without a score on {absent.sum()}")
    return f"On the tasks it is {', '.join(parts)}."


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
        each group, whose weight its tasks share as they do on the board;
        without, one for each task.
    rules
        The names of the rules to begin with; any rule that needs no argument.
    weights, groups, lower_is_better
        As for `nbrank.Leaderboard`.

    Returns
    -------
    RankingExplorer
        A widget, also of use from Python: set its `rules`, `weights`,
        `missing`, `order_by` or `system`, and read `ranking`, `ranks`,
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
    board = as_leaderboard(scores, weights, groups, lower_is_better)
    return RankingExplorer(board, tuple(rules), "tasks" if board.groups is None else "groups")
