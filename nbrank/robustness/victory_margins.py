"""How much can the winner lose and still be first?"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Unpack

import numpy as np
import pandas as pd

from nbrank.arrays.typing import Floats, Positions
from nbrank.arrays.weights import smallest_margins as arrays
from nbrank.robustness.rank_bounds import WEIGHT_HEADING
from nbrank.robustness.vote_removals import find_vote_margin, get_single_winner
from nbrank.robustness.weight_constraints import get_system_position
from nbrank.rules.bound_rule import BoundRule, parse_votes_and_rule
from nbrank.rules.registry import RuleLike
from nbrank.uncertainty.contributions import check_room, find_contributions, find_task_values
from nbrank.uncertainty.sampling_design import SamplingDesign
from nbrank.votes.formatting import Label
from nbrank.votes.leaderboard import Leaderboard, VotesLike
from nbrank.votes.method_registry import register_method
from nbrank.votes.progress import progress_bar
from nbrank.votes.source_functions import FunctionBySource
from nbrank.votes.table.task_options import RuleOptions

#: Relative overshoot of a change when the rule checks that it is large enough.
_RELATIVE_OVERSHOOT = 1e-4


@register_method(WEIGHT_HEADING, sees="units")
def margin_of_victory(
    scores: VotesLike, rule: RuleLike | None = None, **options: Unpack[RuleOptions]
) -> pd.DataFrame:
    """How much can the winner lose and still be first?

    The smallest change of each kind after which another system stands above the
    winner, or would with any more. For comparisons, the fewest votes without which
    another system is above the winner, as `unseat` finds them for each rival.

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance), or a `Leaderboard`.
    rule
        The name of a rule, or a function from a leaderboard to a ranking; with
        arguments by `functools.partial`, or as further arguments here.
    weights
        A mapping from task to weight, or from group to a weight that its tasks share, or "balanced"
        for the same total in every group; None gives every task weight 1. Rules ignore tasks of
        weight 0, and treat a system with scores on such tasks only as one without scores.
    groups
        A mapping from group to its tasks, or from task to its group; MultiIndex
        columns (group, task) give the groups by themselves.
    lower_is_better
        The tasks on which a lower score is better, True for all of them, or a mapping from task to
        True (or "min") where lower is better, and to False (or "max") where higher is.
    **options
        Arguments of the rule, such as `missing="ignore"`.

    Returns
    -------
    pandas.DataFrame
        A row for each kind of change. "tasks" and "weights" are there for rules that
        add up the tasks, where no missing scores are left out of means; "instances"
        too, for scores of instances.

        score
            By how much the winner's score on one task has to fall, in the unit of
            the scores; not below 0 where all scores of the task are from 0 on.
        instances
            On how many instances the winner's score has to turn to the lowest of
            all systems on the task.
        tasks
            The scores of how many tasks have to change, as they like for a rule that looks at
            places, and else between the lowest and the highest of all on the task.
        weights
            Which share of the weight has to move from one task to another.

        The columns are

        least
            How much, or how many; NaN where no change is enough. Missing scores stay missing.
        rival
            The system that is then above the winner; None if no change is enough.
        tasks
            On which tasks, a tuple; of the weights, those whose weight changes.
        proven
            Whether no change is smaller, and the rule itself puts the winner second after that one
            (for a score and the weights, one larger by a ten-thousandth; for a rule that goes by
            places also one to between two scores). Of a score that is not known for a function that
            isn't a rule of this library: it is asked at and between the scores of the others.

        Of comparisons there is one row, "votes", with the columns

        votes
            Number of votes to remove, or an upper bound; NA if none was found. A row counted before
            (`count=`) is as many votes.
        rival
            The system that is first then.
        removed
            Which votes: tuples (left, right, "left" or "tie", how many), the most first; "left"
            means that the first one won. Of votes of different weight the heaviest go.
        proven
            Whether no fewer are enough, and the rule itself ranks another system above the winner
            then.

        `.attrs["winner"]` is the winner, as text.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if several systems share the first rank; of comparisons also as `unseat`.

    References
    ----------
    Xia, Computing the margin of victory for various voting rules, 2012, of the row "tasks"; Huang,
    Shen, Wei and Broderick, Dropping just a handful of preferences can change top large language
    model rankings, 2025, of the row "votes".

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
    votes, bound_rule = parse_votes_and_rule("margin_of_victory", scores, rule, **options)
    return _find_margin(votes, bound_rule)


def _find_margin_of_scores(board: Leaderboard, bound_rule: BoundRule) -> pd.DataFrame:
    board = board.select_tasks(board.tasks[board.weights > 0])
    check_room("margin_of_victory", board)
    order = bound_rule.function(board)
    winner = get_system_position(board, get_single_winner("margin_of_victory", order))
    task_of, tasks = board.voter_task_codes, board.tasks
    if (board.voter_counts > 1).any():
        board = board.select_voters(task_of)
    lead = _WinnerPerturbation(board, bound_rule, winner, tasks, task_of)
    rows: dict[str, _Row] = {}
    if not board.is_instance_level:
        rows["score"] = lead.smallest_score_drop()
    values = find_task_values(board, bound_rule)
    additive = bound_rule.additive(board)
    if values is not None and values.linear and additive is not None:
        if board.is_instance_level:
            turned = lead.with_lowest_scores(np.arange(board.values.shape[1]))
            added = [
                find_contributions(one, bound_rule, SamplingDesign.from_columns(one))
                for one in (board, turned)
            ]
            if added[0] is not None and added[1] is not None:
                rows["instances"] = lead.fewest_instances(added[0].amounts, added[1].amounts)
        gaps = (values.amounts[lead.winner] - values.amounts) * values.scored[:, None]
        rows["tasks"] = lead.fewest_tasks(gaps, at_will=additive.transform is None)
        rows["weights"] = lead.smallest_weight_transfer(gaps)
    columns = ["least", "rival", "tasks", "proven"]
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("change")
    # With a None among them, pandas would turn integer labels into floats.
    frame["rival"] = pd.Series([row[1] for row in rows.values()], frame.index, dtype=object)
    frame.attrs = {"rule": order.attrs.get("rule", ""), "winner": str(board.systems[winner])}
    return frame


_find_margin = FunctionBySource(_find_margin_of_scores, find_vote_margin)


_Row = tuple[float, Label, tuple[Label, ...], bool]
_IMPOSSIBLE_ROW: _Row = (np.nan, None, (), True)
#: Means under which the winner falls at least as far as its task's median, which it moves.
_FALL_FURTHER_THAN_MEDIANS = ("mean", "geometric_mean", "normalized_mean")


def _levels(own: float, others: Floats, most: float) -> list[tuple[float, float]]:
    """List the falls to each score of the others, and just beyond it, with a score there."""
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
    """Find the first step that unseats the winner; if monotone, all later steps do so, too."""

    def passed(step: int) -> bool:
        return steps[step]() is not None

    if not monotone:
        return next(filter(passed, range(len(steps))), None)
    if not steps or not passed(len(steps) - 1):
        return None
    return bisect_left(range(len(steps) - 1), True, key=passed)


@dataclass(frozen=True, eq=False)
class _WinnerPerturbation:
    """The winner of a board, and the smallest changes that unseat it."""

    board: Leaderboard
    rule: BoundRule
    winner: int
    #: The tasks of the voters, and the position of each voter's task among them.
    tasks: pd.Index
    task_positions: Positions

    def task_labels(self, voters: Positions) -> tuple[Label, ...]:
        """Return the tasks of some voters."""
        return tuple(self.tasks[self.task_positions[voters]])

    def find_new_winner(self, changed_board: Leaderboard) -> Label:
        """Return the first system on a changed board; None if it is still the winner."""
        ranked = self.rule.function(changed_board)
        return None if ranked["rank"][self.board.systems[self.winner]] == 1 else ranked.index[0]

    def find_winner_after_score(self, task: int, score: float) -> Label:
        """Return the first system if the winner had this score on a task; None if it still wins."""
        values = self.board.values.astype(float)
        values[self.winner, task] = score
        return self.find_new_winner(self.board.with_values(values))

    @property
    def orientation(self) -> Floats:
        """1 for each column on which higher is better, -1 for the others."""
        return np.where(self.board.is_lower_better[self.board.task_codes], -1.0, 1.0)

    @cached_property
    def monotone(self) -> bool:
        """Whether a winner that isn't first after a fall isn't first after a larger fall either."""
        known = self.rule.registered
        if known is None or not known.properties["monotonicity"]:
            return False
        # The task's median falls with the winner's score, and so do the scores it fills in.
        filled = self.rule.arguments.get("missing") == "median" and np.isnan(self.board.values)
        return not np.any(filled) or known.name in _FALL_FURTHER_THAN_MEDIANS

    def smallest_score_drop(self) -> _Row:
        """Find the smallest fall of the winner's score on one task."""
        values = self.board.values.astype(float)
        own = values[self.winner]
        finite = np.nan_to_num(values, posinf=0.0, neginf=0.0)
        range_ = np.fmax(np.ptp(finite, axis=0), 1.0)
        # Scores don't fall below 0 if none is; otherwise the limit is a million times their range.
        from_0 = (np.fmin.reduce(values, axis=0) >= 0) & (self.orientation > 0)
        most = np.where(from_0, own, 1e6 * range_)
        known = self.rule.registered
        uses_places_only = known is not None and known.uses_places_only
        # For rules on places, a fall between two scores of the others counts as one just beyond
        # the higher. For other rules, the least fall is proven only if the rule is monotone.
        sure = uses_places_only or self.monotone
        best: _Row = (np.nan, None, (), sure)
        # The voters of a task are alike, so one of each suffices.
        each = np.unique(self.task_positions, return_index=True)[1]
        for task in progress_bar(each[np.isfinite(own[each])].tolist(), desc="margin of victory"):
            at, sign = partial(self.find_winner_after_score, task), self.orientation[task]
            limit = float(np.fmin(most[task], best[0]))
            steps = [(limit, own[task] - sign * limit)]
            if uses_places_only or not self.monotone:
                others = np.delete(values[:, task], self.winner) * sign
                levels = _levels(own[task] * sign, others, float(most[task]))
                scores = [(fall, sign * score) for fall, score in levels]
                if not uses_places_only:
                    scores = [(abs(own[task] - score), score) for _, score in scores]
                steps = [step for step in scores if step[0] <= limit] + steps * (
                    not uses_places_only
                )
            place = _first([partial(at, score) for _, score in steps], self.monotone)
            if place is None:
                continue
            high, passing = steps[place]
            if not uses_places_only:
                low = steps[place - 1][0] if place else 0.0
                while high - low > 1e-12 * max(high, 1e-3 * range_[task]):
                    middle = (low + high) / 2
                    unseated = at(own[task] - sign * middle) is not None
                    low, high = (low, middle) if unseated else (middle, high)
            if not high >= best[0] * (1 - 1e-9):  # also true while best is NaN
                fall = float(f"{high:.10g}")
                beyond = min(fall * (1 + _RELATIVE_OVERSHOOT), float(most[task]))
                rival = at(own[task] - sign * beyond)
                if rival is None and uses_places_only:
                    rival = at(passing)
                best = (fall, rival, self.task_labels(np.array([task])), sure and rival is not None)
        return best

    def with_lowest_scores(self, columns: Positions) -> Leaderboard:
        """Set the winner's scores on some instances to the lowest of their tasks."""
        values = self.board.values * self.orientation
        columns = columns[~np.isnan(values[self.winner, columns])]
        for of_task in self.board.columns_by_task():
            observed = np.intersect1d(of_task, columns)
            if len(observed):
                values[self.winner, observed] = np.nanmin(values[:, of_task])
        return self.board.with_values(values * self.orientation)

    def fewest_instances(self, before: Floats, after: Floats) -> _Row:
        """Find the fewest instances of the winner that have to turn."""
        was = before[self.winner] - before
        falls = was - (after[self.winner] - after)
        leads = was.sum(axis=1)
        leads[self.winner] = np.inf
        tie = 1e-9 * np.abs(before).sum(axis=1).max()
        results = arrays.minimize_steps_to_negative(leads + tie, falls)
        if results is None:
            return _IMPOSSIBLE_ROW
        columns = np.flatnonzero(self.board.active_columns)[results[1]]
        tasks = self.task_labels(np.unique(self.board.task_codes[columns]))
        proven = self.find_new_winner(self.with_lowest_scores(columns)) is not None
        return len(columns), self.board.systems[results[0]], tasks, proven

    def fewest_tasks(self, gaps: Floats, *, at_will: bool) -> _Row:
        """Find the fewest tasks whose scores have to change."""
        weights = self.board.weights
        leads = gaps @ weights
        leads[self.winner] = np.inf
        rivals = np.flatnonzero(np.isfinite(leads))
        complete = not np.isnan(self.board.values).any()
        falls, every = np.zeros(gaps.shape), np.arange(gaps.shape[1])
        # Without missing scores, all rivals can be equally far above, so one is enough.
        for rival in rivals[: 1 if complete else None].tolist():
            values = find_task_values(self.turned_to(rival, every, at_will=at_will), self.rule)
            assert values is not None  # the rule added up the tasks before the change, too
            turned_gaps = values.amounts[self.winner] - values.amounts[rival]
            falls[rivals if complete else rival] = -turned_gaps
        tie = 1e-9 * float((np.abs(falls).max(axis=0) * weights).sum())
        falls[rivals] += gaps[rivals]
        results = arrays.minimize_steps_to_negative(leads + tie, falls * weights)
        if results is None:
            return _IMPOSSIBLE_ROW
        rival, tasks = results
        turned = self.turned_to(rival, tasks, at_will=at_will)
        proven = self.find_new_winner(turned) is not None
        return len(tasks), self.board.systems[rival], self.task_labels(tasks), proven

    def turned_to(self, rival: int, tasks: Positions, *, at_will: bool) -> Leaderboard:
        """Set the scores of some tasks to the best possible for a rival."""
        values = self.board.values.astype(float) * self.orientation
        of_tasks = self.board.columns_by_task()
        columns = np.concatenate([of_tasks[task] for task in tasks])
        scores, pair = values[:, columns], [self.winner, rival]
        observed = ~np.isnan(scores)
        if at_will:
            low, high = -np.ones(len(columns)), np.ones(len(columns))
            scores = np.where(observed, 0.0, np.nan)
        else:
            lengths = [len(of_tasks[task]) for task in tasks]
            cells = [values[:, of_tasks[task]] for task in tasks]
            low = np.repeat([np.fmin.reduce(cell, axis=None) for cell in cells], lengths)
            high = np.repeat([np.fmax.reduce(cell, axis=None) for cell in cells], lengths)
            # If one of the two has no score, the scores of others may fill it in.
            others = observed & ~observed[pair].all(axis=0)
            scores = np.where(others, np.where(observed[self.winner], high, low), scores)
        scores[pair] = np.where(observed[pair], [low, high], np.nan)
        values[:, columns] = scores
        return self.board.with_values(values * self.orientation)

    def smallest_weight_transfer(self, gaps: Floats) -> _Row:
        """Find the smallest share of the weight that has to move."""
        own = self.board.weights / self.board.weights.sum()
        gaps[self.winner] = np.inf
        results = arrays.minimize_moved_weight(gaps, own)
        if results is None:
            return _IMPOSSIBLE_ROW
        rival, moved, weights = results
        changed = np.unique(self.task_positions[np.abs(weights - own) > 1e-12])
        beyond = np.clip(own + (weights - own) * (1 + _RELATIVE_OVERSHOOT), 0.0, None)
        proven = self.find_new_winner(self.board.with_task_weights(beyond)) is not None
        return moved, self.board.systems[rival], tuple(self.tasks[changed]), proven
