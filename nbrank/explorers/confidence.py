"""Move delta, and see which systems can be told apart."""

from __future__ import annotations

import math
from typing import Any

import ipywidgets as widgets
import pandas as pd
import traitlets

from nbrank import charts
from nbrank.charts import name_of
from nbrank.charts.names import in_words, listed
from nbrank.explorers.panel import Panel
from nbrank.labelled.comparisons import Comparisons
from nbrank.labelled.leaderboard import (
    Groups,
    Leaderboard,
    LowerIsBetter,
    Weights,
    as_leaderboard,
    counted,
    refuse_options,
)
from nbrank.labelled.rank_confidence import rank_confidence, tie_groups
from nbrank.labelled.registry import RULES

_MOST_DRAWN = 40
_MOST_GROUPS = 4
_MODEL = "bradley_terry"
_RULES = [name for name, rule in RULES.items() if rule.additive and not rule.arguments]
_RULES += [_MODEL]
_LOWEST = math.log10(0.05) - 1.7  # 0.001, all but
_DRAWS = ("as on the board", "each task alone")


class ConfidenceExplorer(Panel):
    """Rank confidence sets as delta moves. Made by `explore_confidence`.

    Attributes
    ----------
    delta : float
        One minus the confidence, between 0.001 and 0.5.
    rule : str
        A rule that is a mean over tasks or instances, or "bradley_terry", the
        only one for comparisons.
    draws : str
        "as on the board" (whole groups of tasks where there are any) or "each
        task alone".
    ranking : pandas.DataFrame
        What `nbrank.rank_confidence` returns (read only).
    groups : pandas.DataFrame
        What `nbrank.tie_groups` returns (read only).
    changes : str
        What changed since the last setting (read only).
    words : str
        What one sees.
    """

    delta = traitlets.Float(0.05)
    rule = traitlets.Enum(_RULES, "borda")
    draws = traitlets.Enum(_DRAWS, _DRAWS[0])
    ranking = traitlets.Instance(pd.DataFrame, read_only=True)
    groups = traitlets.Instance(pd.DataFrame, read_only=True)
    changes = traitlets.Unicode(read_only=True)

    def __init__(self, board: Leaderboard | Comparisons, rule: str | None, delta: float) -> None:
        self._ready = False
        self._rules = [_MODEL] if isinstance(board, Comparisons) else _RULES
        if rule is None:
            rule = "borda" if "borda" in self._rules else _MODEL
        self._delta = widgets.FloatLogSlider(
            0.05,
            # The browser moves a value to the nearest step, so 0.05 has to be one.
            min=_LOWEST,
            max=math.log10(0.5),
            step=0.05,
            description="delta",
            readout_format=".3f",
        )
        self._rule = widgets.Dropdown(
            options=[(in_words(name), name) for name in self._rules], description="rule"
        )
        self._draws = widgets.Dropdown(options=_DRAWS, description="draws")
        controls = [self._delta, self._rule]
        if isinstance(board, Leaderboard) and board.groups is not None:
            controls.append(self._draws)
        row = widgets.Box(controls, layout=widgets.Layout(flex_flow="row wrap", width="100%"))
        super().__init__(board, [row])
        self.rule, self.delta = rule, delta
        for name in ("delta", "rule", "draws"):
            control = getattr(self, f"_{name}")
            control.value = getattr(self, name)
            control.observe(lambda change, name=name: self._read(name, change["new"]), "value")
        self._ready = True
        self._update(None)

    def _read(self, name: str, value: Any) -> None:
        # The browser moves a value that it is given to the nearest step, which nobody asked for.
        if name != "delta" or abs(math.log10(value / self.delta)) > 0.51 * self._delta.step:
            self.set_trait(name, value)

    @traitlets.validate("delta")
    def _possible(self, proposal: Any) -> float:
        delta = float(proposal["value"])
        if not 10**_LOWEST <= delta <= 0.5:
            raise traitlets.TraitError(f"delta={delta:g} must be between 0.001 and 0.5")
        return delta

    @traitlets.validate("rule")
    def _possible_rule(self, proposal: Any) -> str:
        rule = str(proposal["value"])
        if rule not in self._rules:
            raise traitlets.TraitError(
                f"rule={rule!r} needs scores, and these are comparisons; take 'bradley_terry'"
            )
        return rule

    @traitlets.validate("draws")
    def _possible_draws(self, proposal: Any) -> str:
        draws = str(proposal["value"])
        if draws != _DRAWS[0] and not isinstance(self.board, Leaderboard):
            raise traitlets.TraitError(f"draws={draws!r}: comparisons have no tasks")
        return draws

    @traitlets.observe("delta", "rule", "draws")
    def _update(self, change: Any) -> None:
        if not self._ready:
            return
        if change is not None:
            getattr(self, f"_{change['name']}").value = change["new"]
        board = self.board
        if isinstance(board, Leaderboard) and self.draws != _DRAWS[0]:
            board = board.with_numbered_tasks()
        sets = rank_confidence(board, self.rule, self.delta, seed=0)
        groups = tie_groups(sets[["rank", "low", "high"]])
        before = None if change is None else self.groups
        sure = f"{100 * (1 - self.delta):.4g} %"
        drawn = "the comparisons"
        if "n" in sets.attrs:
            drawn = f"{sets.attrs['n']} {sets.attrs['over']}"
        many = [row for row in groups["systems"] if len(row) > 1]
        said = []
        if "note" in sets.attrs:
            said.append(
                f"{drawn} are too few to tell anything apart with {sure} confidence, whatever the "
                f"scores are: move delta up, or think of other draws."
            )
        elif not many:
            said.append(f"With {sure} confidence all {len(sets)} systems can be told apart.")
        else:
            said.append(
                f"With {sure} confidence, from {drawn}: {counted(len(many), 'group')} of systems "
                f"that can't be told apart."
            )
            said += [f"Level are {listed(row, 8)}." for row in many[:_MOST_GROUPS]]
            if len(many) > _MOST_GROUPS:
                said.append(f"And {len(many) - _MOST_GROUPS} more groups, in the table.")
        first = sets.index[sets["low"] == 1]
        said.append(
            f"Only {name_of(first[0])} may be first."
            if len(first) == 1
            else f"{counted(len(first), 'system')} may be first: {listed(first, 8)}."
        )
        changes = "" if before is None else _changed(before, groups)
        said += [changes] if changes else []
        self.set_trait("changes", changes)
        self.set_trait("ranking", sets)
        self.set_trait("groups", groups)
        shown = sets.iloc[:_MOST_DRAWN][["rank", "low", "high"]]
        if len(shown) < len(sets):
            said.append(
                f"The chart shows the first {len(shown)}; a bar that ends at its right edge may go "
                f"on beyond."
            )
            shown = shown.clip(upper=len(shown))
        table = groups.assign(systems=[listed(row, 20) for row in groups["systems"]])
        self.show(said, lambda: charts.rank_intervals(shown), table)


def _changed(before: pd.DataFrame, after: pd.DataFrame) -> str:
    was = {frozenset(row) for row in before["systems"] if len(row) > 1}
    now = {frozenset(row) for row in after["systems"] if len(row) > 1}
    formed, dissolved = len(now - was), len(was - now)
    if not formed and not dissolved:
        return "The groups are what they were before."
    return (
        f"Since the last setting {counted(dissolved, 'group')} dissolved and "
        f"{counted(formed, 'group')} formed."
    )


def explore_confidence(
    scores: pd.DataFrame | Leaderboard | Comparisons,
    rule: str | None = None,
    delta: float = 0.05,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> ConfidenceExplorer:
    """Move delta, and see which systems can be told apart.

    Parameters
    ----------
    scores
        A frame of scores, a leaderboard, or comparisons.
    rule
        The name of a rule that is a mean over tasks or instances, or
        "bradley_terry", as for `nbrank.rank_confidence`. None takes "borda",
        or of comparisons "bradley_terry", the only one there is.
    delta
        One minus the confidence to begin with, between 0.001 and 0.5.
    weights, groups, lower_is_better
        As for `nbrank.Leaderboard`.

    Returns
    -------
    ConfidenceExplorer
        A widget, also of use from Python: set its `delta`, `rule` and `draws`,
        and read `ranking`, `groups`, `changes` and `words`.

    Raises
    ------
    TypeError, ValueError
        As `nbrank.Leaderboard`; also if the rule refuses the table.
    traitlets.TraitError
        If the rule or delta is none of these.

    Examples
    --------
    >>> scores = pd.DataFrame(
    ...     [[9, 8, 9, 9, 8, 9, 8, 9], [5, 6, 4, 6, 5, 6, 5, 4], [4, 5, 6, 5, 6, 4, 6, 5]],
    ...     index=["A", "B", "C"],
    ... )
    >>> explorer = explore_confidence(scores)
    >>> explorer.groups["systems"].tolist()
    [['A'], ['B', 'C']]
    >>> explorer.delta = 0.001
    >>> explorer.groups["systems"].tolist()
    [['A', 'B', 'C']]
    """
    if isinstance(scores, Comparisons):
        refuse_options("explore_confidence", weights, groups, lower_is_better)
        return ConfidenceExplorer(scores, rule, delta)
    board = as_leaderboard(scores, weights, groups, lower_is_better)
    return ConfidenceExplorer(board, rule, delta)
