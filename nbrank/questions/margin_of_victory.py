"""How much can the winner lose and still be first?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays import least_change as arrays
from nbrank.arrays.kinds import Floats, Positions
from nbrank.questions.cherry_picking import one_winner
from nbrank.questions.contributions import contributions_of, places_worth, values_if_additive
from nbrank.questions.possible_ranks import HEADING
from nbrank.questions.told_rule import ToldRule, board_and_rule
from nbrank.questions.weight_conditions import position_of
from nbrank.rules.rule import RuleLike
from nbrank.votes.draws import Draws, each_voter, of_voters
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.methods import question
from nbrank.votes.naming import Label
from nbrank.votes.progress import progress
from nbrank.votes.task_names import RuleOptions

#: By which share of itself a change is larger where the rule is asked whether it is enough.
_BEYOND = 1e-4


@question(HEADING, sees="ballots")
def margin_of_victory(
    scores: pd.DataFrame | Leaderboard, rule: RuleLike = "borda", **options: RuleOptions
) -> pd.DataFrame:
    """How much can the winner lose and still be first?

    The smallest change of each kind after which another system stands above the
    winner, or would with any more.

    Parameters
    ----------
    {board}
    {any_rule}
    {rule_options}

    {returns_frame}
        A row for each kind of change. "tasks" and "weights" are there for rules that
        add up the tasks, where no missing scores are left out of means; "instances"
        too, for scores of instances.

        score
            By how much the winner's score on one task has to fall, in the unit of
            the scores; not below 0 where all scores of the task are from 0 on.
        instances
            Of how many instances the winner's score has to turn to the lowest that
            anybody has on the task.
        tasks
            The scores of how many tasks have to change, as they like for a rule that looks at
            places, and else between the lowest and the highest that anybody has on the task.
        weights
            Which share of the weight has to move from one task to another.

        The columns are

        least
            How much, or how many; NaN where no change is enough.
        rival
            Who is then above the winner; None where nobody is.
        tasks
            On which tasks, a tuple; of the weights, those whose weight changes.
        proven
            Whether the rule itself puts the winner second after that change (for a
            score and the weights, one larger by a ten-thousandth).

        `.attrs["winner"]` is the winner, as text.

    {raises}
        Also if several systems share the first rank.

    References
    ----------
    Xia, Computing the margin of victory for various voting rules, 2012, of the row "tasks".

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"maths": [90, 60], "code": [60, 80]}, index=["A", "B"])
    >>> margin_of_victory(scores, "mean")
             least rival          tasks  proven
    change
    score     10.0     B       (maths,)    True
    tasks      1.0     B       (maths,)    True
    weights    0.1     B  (maths, code)    True
    """
    board, told = board_and_rule("margin_of_victory", scores, rule, **options)
    board = board.with_tasks(board.tasks[board.weights > 0])
    order = told.run(board)
    winner = position_of(board, one_winner("margin_of_victory", order))
    task_of, tasks = each_voter(board), board.tasks
    if (board.counts > 1).any():
        board = of_voters(board, task_of)
    lead = _Lead(board, told, winner, tasks, task_of)
    rows: dict[str, _Row] = {}
    if not board.is_instance_level:
        rows["score"] = lead.least_fall()
    values = values_if_additive(board, told)
    additive = told.additive(board)
    if values is not None and values.linear and additive is not None:
        if board.is_instance_level:
            turned = lead.turned(np.arange(board.values.shape[1]))
            each = ((one, told, Draws.each_column(one)) for one in (board, turned))
            added = [contributions_of(*one) for one in each]
            if added[0] is not None and added[1] is not None:
                rows["instances"] = lead.fewest_instances(added[0].amounts, added[1].amounts)
        if additive.cells is None:
            swing = values.counts[0] * np.ptp(places_worth(additive, len(board.systems)))
        else:
            swing = np.ptp(values.amounts[values.scored], axis=0)
        gaps = (values.amounts[lead.winner] - values.amounts) * values.scored[:, None]
        rows["tasks"] = lead.fewest_tasks(gaps, swing, at_will=additive.cells is None)
        rows["weights"] = lead.least_moved(gaps)
    columns = ["least", "rival", "tasks", "proven"]
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("change")
    # A label stays what it is beside a None: pandas would make numbers of whole numbers.
    frame["rival"] = pd.Series([row[1] for row in rows.values()], frame.index, dtype=object)
    frame.attrs = {"rule": order.attrs.get("rule", ""), "winner": str(board.systems[winner])}
    return frame


_Row = tuple[float, Label, tuple[Label, ...], bool]
_NEVER: _Row = (np.nan, None, (), True)


@dataclass(frozen=True, eq=False)
class _Lead:
    """The winner of a board, and what happens to it when something changes."""

    board: Leaderboard
    rule: ToldRule
    winner: int
    #: The tasks, and the position of the task of each voter, which is a task of the board.
    tasks: pd.Index
    task_of: Positions

    def named(self, voters: Positions) -> tuple[Label, ...]:
        """The tasks of some voters."""
        return tuple(self.tasks[self.task_of[voters]])

    def passed_by(self, changed: Leaderboard) -> Label:
        """Who is first and above the winner on a changed board; None if it is first itself."""
        ranked = self.rule.run(changed)
        return None if ranked["rank"][self.board.systems[self.winner]] == 1 else ranked.index[0]

    @property
    def up(self) -> NDArray[np.float64]:
        """1 for each column on which higher is better, -1 for the others."""
        return np.where(self.board.lower[self.board.column_task], -1.0, 1.0)

    def least_fall(self) -> _Row:
        """The least fall of the winner's score on one task."""
        values = self.board.values.astype(float)
        own = values[self.winner]
        finite = np.nan_to_num(values, posinf=0.0, neginf=0.0)
        range_ = np.fmax(np.ptp(finite, axis=0), 1.0)
        # No score below 0 where there is none, and a million times all that is seen elsewhere.
        most = np.where((np.fmin.reduce(values, axis=0) >= 0) & (self.up > 0), own, 1e6 * range_)
        best = _NEVER
        # The voters of a task are alike.
        each = np.unique(self.task_of, return_index=True)[1]
        for task in progress(each[np.isfinite(own[each])].tolist(), desc="margin of victory"):

            def after(fall: float, task: int = task) -> Label:
                changed = values.copy()
                changed[self.winner, task] -= self.up[task] * fall
                return self.passed_by(self.board.with_values(changed))

            low, high = 0.0, float(most[task] if best is _NEVER else min(most[task], best[0]))
            if after(high) is None:
                continue
            while high - low > 1e-12 * max(high, 1e-3 * range_[task]):
                middle = (low + high) / 2
                low, high = (low, middle) if after(middle) is not None else (middle, high)
            if best is _NEVER or high < best[0] * (1 - 1e-9):
                fall = float(f"{high:.10g}")
                rival = after(min(fall * (1 + _BEYOND), float(most[task])))
                best = (fall, rival, self.named(np.array([task])), rival is not None)
        return best

    def turned(self, columns: Positions) -> Leaderboard:
        """The board on which the winner has the lowest score of its task on some instances."""
        values = self.board.values * self.up
        columns = columns[~np.isnan(values[self.winner, columns])]
        for of_task in self.board.columns_by_task():
            there = np.intersect1d(of_task, columns)
            if len(there):
                values[self.winner, there] = np.nanmin(values[:, of_task])
        return self.board.with_values(values * self.up)

    def fewest_instances(self, before: Floats, after: Floats) -> _Row:
        """The fewest instances of the winner that have to turn."""
        was = before[self.winner] - before
        falls = was - (after[self.winner] - after)
        leads = was.sum(axis=1)
        leads[self.winner] = np.inf
        found = arrays.fewest_steps(leads + 1e-9 * np.abs(before).sum(axis=1).max(), falls)
        if found is None:
            return _NEVER
        columns = np.flatnonzero(self.board.that_count)[found[1]]
        tasks = self.named(np.unique(self.board.column_task[columns]))
        proven = self.passed_by(self.turned(columns)) is not None
        return len(columns), self.board.systems[found[0]], tasks, proven

    def fewest_tasks(self, gaps: Floats, swing: Floats, *, at_will: bool) -> _Row:
        """The fewest tasks whose scores have to change."""
        weights = self.board.weights
        leads = gaps @ weights
        leads[self.winner] = np.inf
        tie = 1e-9 * float((np.abs(swing) * weights).sum())
        found = arrays.fewest_steps(leads + tie, (gaps + swing) * weights)
        if found is None:
            return _NEVER
        rival, tasks = found
        values = self.board.values.astype(float)
        for column in np.flatnonzero(np.isin(self.board.column_task, tasks)):
            seen = values[:, column] * self.up[column]
            low = np.fmin.reduce(seen, initial=np.inf) - at_will
            high = np.fmax.reduce(seen, initial=-np.inf) + at_will
            values[[self.winner, rival], column] = self.up[column] * np.nan_to_num(
                [low, high], posinf=-1.0, neginf=1.0
            )
        proven = self.passed_by(self.board.with_values(values)) is not None
        return len(tasks), self.board.systems[rival], self.named(tasks), proven

    def least_moved(self, gaps: Floats) -> _Row:
        """The least share of the weight that has to move."""
        own = self.board.weights / self.board.weights.sum()
        gaps[self.winner] = np.inf
        found = arrays.least_moved(gaps, own)
        if found is None:
            return _NEVER
        rival, moved, weights = found
        changed = np.unique(self.task_of[np.abs(weights - own) > 1e-12])
        beyond = np.clip(own + (weights - own) * (1 + _BEYOND), 0.0, None)
        proven = self.passed_by(self.board.with_task_weights(beyond)) is not None
        return moved, self.board.systems[rival], tuple(self.tasks[changed]), proven
