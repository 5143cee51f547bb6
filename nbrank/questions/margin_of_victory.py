"""How much can the winner lose and still be first?"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays import least_change as arrays
from nbrank.arrays.kinds import Floats, Positions
from nbrank.questions.cherry_picking import one_winner
from nbrank.questions.contributions import contributions_of, values_if_additive
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
            How much, or how many; NaN where no change is enough. Missing scores stay missing.
        rival
            Who is then above the winner; None where nobody is.
        tasks
            On which tasks, a tuple; of the weights, those whose weight changes.
        proven
            Whether no change is smaller, and the rule itself puts the winner second after that one
            (for a score and the weights, one larger by a ten-thousandth; for a rule that goes by
            places also one to between two scores). Of a score that is not known for a function that
            isn't a rule of this library: it is asked at and between the scores of the others.

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
        gaps = (values.amounts[lead.winner] - values.amounts) * values.scored[:, None]
        rows["tasks"] = lead.fewest_tasks(gaps, at_will=additive.cells is None)
        rows["weights"] = lead.least_moved(gaps)
    columns = ["least", "rival", "tasks", "proven"]
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("change")
    # A label stays what it is beside a None: pandas would make numbers of whole numbers.
    frame["rival"] = pd.Series([row[1] for row in rows.values()], frame.index, dtype=object)
    frame.attrs = {"rule": order.attrs.get("rule", ""), "winner": str(board.systems[winner])}
    return frame


_Row = tuple[float, Label, tuple[Label, ...], bool]
_NEVER: _Row = (np.nan, None, (), True)
#: Means under which the winner falls at least as far as the median of a task that it is part of.
_FALL_FURTHER_THAN_MEDIANS = ("mean", "geometric_mean", "normalized_mean")


def _levels(own: float, others: Floats, most: float) -> list[tuple[float, float]]:
    """The falls to each score of the others, and just beyond it: how far, and a score there."""
    below = np.unique(others[np.isfinite(others) & (others <= own)])[::-1].tolist()
    levels: list[tuple[float, float]] = []
    for place, level in enumerate(below):
        if level < own:
            levels.append((own - level, level))
        last = place + 1 == len(below)
        beyond = own - most if last else (level + below[place + 1]) / 2
        if beyond < level:
            levels.append((own - level, beyond))
    return [(fall, score) for fall, score in levels if fall <= most]


def _first(steps: Sequence[Callable[[], Label]], monotone: bool) -> int | None:
    """The first step after which the winner is passed; if monotone, it is after any further."""

    def passed(step: int) -> bool:
        return steps[step]() is not None

    if not monotone:
        return next(filter(passed, range(len(steps))), None)
    if not steps or not passed(len(steps) - 1):
        return None
    return bisect_left(range(len(steps) - 1), True, key=passed)


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

    @cached_property
    def monotone(self) -> bool:
        """Whether the winner, where it isn't first any more, isn't first after a larger fall."""
        known = self.rule.known
        if known is None or not known.properties["monotonicity"]:
            return False
        # A median of the task falls with the winner's score, and with it who is filled by it.
        filled = self.rule.arguments.get("missing") == "median" and np.isnan(self.board.values)
        return not np.any(filled) or known.name in _FALL_FURTHER_THAN_MEDIANS

    def least_fall(self) -> _Row:
        """The least fall of the winner's score on one task."""
        values = self.board.values.astype(float)
        own = values[self.winner]
        finite = np.nan_to_num(values, posinf=0.0, neginf=0.0)
        range_ = np.fmax(np.ptp(finite, axis=0), 1.0)
        # No score below 0 where there is none, and a million times all that is seen elsewhere.
        most = np.where((np.fmin.reduce(values, axis=0) >= 0) & (self.up > 0), own, 1e6 * range_)
        by_places = self.rule.known is not None and self.rule.known.by_places
        # By places a fall between two scores of the others counts as one just beyond the higher.
        # Otherwise the least fall is sure only of a monotone rule.
        sure = by_places or self.monotone
        best: _Row = (np.nan, None, (), sure)
        # The voters of a task are alike.
        each = np.unique(self.task_of, return_index=True)[1]
        for task in progress(each[np.isfinite(own[each])].tolist(), desc="margin of victory"):

            def at(score: float, task: int = task) -> Label:
                changed = values.copy()
                changed[self.winner, task] = score
                return self.passed_by(self.board.with_values(changed))

            def after(fall: float, task: int = task, at: Callable[[float], Label] = at) -> Label:
                return at(own[task] - self.up[task] * fall)

            limit = float(np.fmin(most[task], best[0]))
            steps = [(limit, own[task] - self.up[task] * limit)]
            if by_places or not self.monotone:
                others = np.delete(values[:, task], self.winner) * self.up[task]
                levels = _levels(own[task] * self.up[task], others, float(most[task]))
                scores = [(fall, self.up[task] * score) for fall, score in levels]
                if not by_places:
                    scores = [(abs(own[task] - score), score) for _, score in scores]
                steps = [step for step in scores if step[0] <= limit] + steps * (not by_places)
            place = _first([partial(at, score) for _, score in steps], self.monotone)
            if place is None:
                continue
            high, passing = steps[place]
            if not by_places:
                low = steps[place - 1][0] if place else 0.0
                while high - low > 1e-12 * max(high, 1e-3 * range_[task]):
                    middle = (low + high) / 2
                    low, high = (low, middle) if after(middle) is not None else (middle, high)
            if not high >= best[0] * (1 - 1e-9):  # or there is none so far
                fall = float(f"{high:.10g}")
                rival = after(min(fall * (1 + _BEYOND), float(most[task])))
                if rival is None and by_places:
                    rival = at(passing)
                best = (fall, rival, self.named(np.array([task])), sure and rival is not None)
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

    def fewest_tasks(self, gaps: Floats, *, at_will: bool) -> _Row:
        """The fewest tasks whose scores have to change."""
        weights = self.board.weights
        leads = gaps @ weights
        leads[self.winner] = np.inf
        rivals = np.flatnonzero(np.isfinite(leads))
        complete = not np.isnan(self.board.values).any()
        falls, every = np.zeros(gaps.shape), np.arange(gaps.shape[1])
        # Where no score is missing, all rivals can be as far above.
        for rival in rivals[: 1 if complete else None].tolist():
            values = values_if_additive(self.turned_to(rival, every, at_will=at_will), self.rule)
            assert values is not None  # as before the change
            turned_gaps = values.amounts[self.winner] - values.amounts[rival]
            falls[rivals if complete else rival] = -turned_gaps
        tie = 1e-9 * float((np.abs(falls).max(axis=0) * weights).sum())
        falls[rivals] += gaps[rivals]
        found = arrays.fewest_steps(leads + tie, falls * weights)
        if found is None:
            return _NEVER
        rival, tasks = found
        turned = self.turned_to(rival, tasks, at_will=at_will)
        proven = self.passed_by(turned) is not None
        return len(tasks), self.board.systems[rival], self.named(tasks), proven

    def turned_to(self, rival: int, tasks: Positions, *, at_will: bool) -> Leaderboard:
        """The board on which the scores of some tasks are as good for a rival as they can be."""
        values = self.board.values.astype(float) * self.up
        of_tasks = self.board.columns_by_task()
        columns = np.concatenate([of_tasks[task] for task in tasks])
        scores, pair = values[:, columns], [self.winner, rival]
        there = ~np.isnan(scores)
        if at_will:
            low, high = -np.ones(len(columns)), np.ones(len(columns))
            scores = np.where(there, 0.0, np.nan)
        else:
            lengths = [len(of_tasks[task]) for task in tasks]
            cells = [values[:, of_tasks[task]] for task in tasks]
            low = np.repeat([np.fmin.reduce(one, axis=None) for one in cells], lengths)
            high = np.repeat([np.fmax.reduce(one, axis=None) for one in cells], lengths)
            # Where one of the two has no score, it may be filled by what the others have.
            others = there & ~there[pair].all(axis=0)
            scores = np.where(others, np.where(there[self.winner], high, low), scores)
        scores[pair] = np.where(there[pair], [low, high], np.nan)
        values[:, columns] = scores
        return self.board.with_values(values * self.up)

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
