"""Delete scores, and see which ranks survive."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets
import numpy as np
import pandas as pd
import traitlets

from nbrank import charts
from nbrank.charts import name_of
from nbrank.explorers.panel import Panel, board_to_explore, chooser
from nbrank.labelled.agreement import kendall_tau
from nbrank.labelled.leaderboard import (
    Groups,
    Label,
    Leaderboard,
    LowerIsBetter,
    Weights,
)
from nbrank.labelled.registry import RULES
from nbrank.reporting import MISSING_IN_WORDS, counted, in_words, listed

_MOST_DRAWN = 25
_AS_THE_RULE_DOES = "as the rule does"
_RULES = [
    name
    for name, rule in RULES.items()
    if rule.leaderboards and not rule.arguments and "missing" in rule.parameters
]


class MissingExplorer(Panel):
    """The ranking with all scores and with some deleted. Made by `explore_missing`.

    Attributes
    ----------
    share : float
        The share of the scores that is deleted at random, from 0 to 0.9.
    seed : int
        Which scores those are.
    cells : tuple of (system, task)
        Scores deleted one by one; of instance-level scores, all of the task.
    rule : str
        The rule.
    missing : str
        How a missing score counts: "as the rule does", "compatible", "ignore",
        "median" or "worst".
    ranking : pandas.DataFrame
        The ranking after the deletion (read only).
    ranks : pandas.DataFrame
        The ranks with all scores (`before`) and after the deletion (`after`),
        in the order of the first (read only).
    words : str
        What one sees.
    """

    share = traitlets.Float(0.0)
    seed = traitlets.Int(0)
    cells = traitlets.Tuple()
    rule = traitlets.Enum(_RULES, "borda")
    missing = traitlets.Enum([_AS_THE_RULE_DOES, *MISSING_IN_WORDS], _AS_THE_RULE_DOES)
    ranking = traitlets.Instance(pd.DataFrame, read_only=True)
    ranks = traitlets.Instance(pd.DataFrame, read_only=True)

    def __init__(self, board: Leaderboard, rule: str) -> None:
        self._ready = False
        wide = {"description_width": "initial"}
        self._controls = {
            "share": widgets.FloatSlider(
                0, min=0, max=0.9, step=0.05, description="share deleted", style=wide
            ),
            "seed": widgets.BoundedIntText(
                0, min=0, max=10**6, description="draw number", style=wide
            ),
            "rule": widgets.Dropdown(
                options=[(in_words(name), name) for name in _RULES], description="rule"
            ),
            "missing": widgets.Dropdown(
                options=[_AS_THE_RULE_DOES, *MISSING_IN_WORDS],
                description="missing scores",
                style=wide,
            ),
        }
        self._system = chooser("score of", board.systems)
        self._task = chooser("on", board.tasks)
        self.delete = widgets.Button(description="delete, or restore")
        self.restore = widgets.Button(description="restore all")
        wrapped = widgets.Layout(flex_flow="row wrap", width="100%")
        super().__init__(
            board,
            [
                widgets.Box(list(self._controls.values()), layout=wrapped),
                widgets.Box([self._system, self._task, self.delete, self.restore], layout=wrapped),
            ],
        )
        self.rule = rule
        self._controls["rule"].value = rule
        for name, control in self._controls.items():
            control.observe(lambda change, name=name: self.set_trait(name, change["new"]), "value")
        self.delete.on_click(self._toggle)
        self.restore.on_click(self._restore)
        self._ready = True
        self._update(None)

    def _toggle(self, _: Any) -> None:
        cell = (
            list(self.board.systems)[self._system.value],
            list(self.board.tasks)[self._task.value],
        )
        rest = tuple(other for other in self.cells if other != cell)
        self.cells = rest if len(rest) < len(self.cells) else (*rest, cell)

    def _restore(self, _: Any) -> None:
        self._ready = False
        self.share, self.cells = 0.0, ()
        self._ready = True
        self._update(None)

    @traitlets.validate("share")
    def _possible(self, proposal: Any) -> float:
        share = float(proposal["value"])
        if not 0 <= share <= 0.9:
            raise traitlets.TraitError(f"share={share:g} must be between 0 and 0.9")
        return share

    @traitlets.validate("cells")
    def _known(self, proposal: Any) -> tuple[tuple[Label, Label], ...]:
        systems, tasks = list(self.board.systems), list(self.board.tasks)
        for cell in proposal["value"]:
            if len(cell) != 2 or cell[0] not in systems or cell[1] not in tasks:
                raise traitlets.TraitError(f"cells: {cell!r} is no pair of a system and a task")
        return tuple(proposal["value"])

    def deleted(self) -> Leaderboard:
        """Make the leaderboard without the scores deleted."""
        values = self.board.values.copy()
        present = np.flatnonzero(~np.isnan(values))
        n_gone = round(self.share * len(present))
        gone = np.random.default_rng(self.seed).permutation(present)[:n_gone]
        values.ravel()[gone] = np.nan
        systems, tasks = list(self.board.systems), list(self.board.tasks)
        for system, task in self.cells:
            values[systems.index(system), self.board.column_task == tasks.index(task)] = np.nan
        return self.board.with_values(values)

    @traitlets.observe("share", "seed", "cells", "rule", "missing")
    def _update(self, change: Any) -> None:
        if change is not None and change["name"] in self._controls:
            self._controls[change["name"]].value = change["new"]
        if not self._ready:
            return
        self._controls["share"].value = self.share
        rule = RULES[self.rule]
        options = {} if self.missing == _AS_THE_RULE_DOES else {"missing": self.missing}
        board = self.deleted()
        n_gone = int(np.isnan(board.values).sum() - np.isnan(self.board.values).sum())
        try:
            before = rule.function(self.board, **options)
            after = rule.function(board, **options)
        except (ValueError, RuntimeError) as error:
            self.show([f"{in_words(self.rule)} can't rank this: {error}."], None, None)
            return
        ranks = pd.DataFrame(
            {"before": before["rank"], "after": after["rank"].reindex(before.index)}
        )
        self.set_trait("ranking", after)
        self.set_trait("ranks", ranks)
        shown = ranks.iloc[:_MOST_DRAWN]
        said = self._in_words(ranks, n_gone)
        if len(shown) < len(ranks):
            said.append(
                f"The chart shows the first {len(shown)}, ranked among each other; the table has "
                f"all."
            )
            shown = shown.rank(method="min").astype("int64")
        drawn = shown.rename(columns={"before": "as given", "after": "after deleting"})
        table = ranks.rename(index=name_of)
        self.show(said, lambda: charts.ranks(drawn), table)

    def _in_words(self, ranks: pd.DataFrame, n_gone: int) -> list[str]:
        was = list(ranks.index[ranks["before"] == 1])
        now = list(ranks.index[ranks["after"] == 1])
        by = in_words(self.rule)
        if not n_gone:
            return [f"{listed(was, 4)} is first by {by}. Nothing is deleted yet: move the slider."]
        moves = (ranks["after"] - ranks["before"]).abs()
        kept = int((moves == 0).sum())
        said = [
            f"{counted(n_gone, 'score')} deleted. {kept} of {len(ranks)} ranks by {by} survive.",
            f"{listed(was, 4)} stays first."
            if set(was) == set(now)
            else f"{listed(now, 4)} is first now, and was not before: {listed(was, 4)} was."
            if not set(was) & set(now)
            else f"First were {listed(was, 4)}, and now {listed(now, 4)}.",
        ]
        if kept < len(ranks):
            far = moves.sort_values(ascending=False, kind="stable").index[:1]
            old, new = ranks.loc[far].iloc[0]
            said.append(f"{name_of(far[0])} moves most, from rank {old} to {new}.")
            if ranks["before"].nunique() > 1 and ranks["after"].nunique() > 1:
                tau = kendall_tau(ranks["before"], ranks["after"])
                said.append(f"Kendall's tau of the two orders is {tau:.2f} (1 is the same).")
        return said


def explore_missing(
    scores: pd.DataFrame | Leaderboard,
    rule: str = "borda",
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> MissingExplorer:
    """Delete scores, by share or one by one, and see which ranks survive.

    Parameters
    ----------
    scores
        A frame of scores or a leaderboard.
    rule
        The name of a rule that treats missing scores and needs no argument.
    weights, groups, lower_is_better
        As for `nbrank.Leaderboard`.

    Returns
    -------
    MissingExplorer
        A widget, also of use from Python: set its `share`, `seed`, `cells`,
        `rule` and `missing`, and read `ranking`, `ranks` and `words`.

    Raises
    ------
    TypeError, ValueError
        As `nbrank.Leaderboard`.
    traitlets.TraitError
        If the rule is unknown, or has no way to treat missing scores.

    Examples
    --------
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 2, 1]}, index=list("ABC"))
    >>> explorer = explore_missing(scores, "borda")
    >>> explorer.missing = "worst"
    >>> explorer.cells = [("A", "t1"), ("A", "t2")]
    >>> explorer.ranks
       before  after
    A       1      3
    B       2      1
    C       3      2
    """
    board = board_to_explore("explore_missing", scores, weights, groups, lower_is_better)
    return MissingExplorer(board, rule)
