"""Votes drawn again: what each resample's ranking is made from, as cheaply as the rule allows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import cast

import numpy as np

from nbrank.arrays import resampling as arrays
from nbrank.arrays.counting import added_up
from nbrank.arrays.influence import Contributions
from nbrank.arrays.kinds import Bools, Positions
from nbrank.arrays.pair_counts import PairwiseCounts, weighed
from nbrank.questions.contributions import Sizes, contributions_of
from nbrank.questions.counted_contributions import counted_contributions, counted_sizes
from nbrank.questions.told_rule import ToldRule
from nbrank.votes.draws import Draws, Over, Units, of_single_voters
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.tally import Tally, WeighedTally, counted_board
from nbrank.votes.votes import Votes

#: The pairwise counts of a resample, and which systems have a score in it.
Pairs = tuple[PairwiseCounts, Bools]
#: What each draw adds, where adding it up gives the ranks of any resample, and how its means tie.
Added = tuple[Contributions, Sizes] | None

#: How often units are drawn is kept for so many units and resamples at a time.
_CELLS = 2**24


def resampled(votes: Votes, over: Over, rule: ToldRule, units: Units | None) -> Resampled:
    """The votes, counted first where the rule needs no more than counts of a task's instances."""
    if "ballots" not in votes.offers:
        return _Counted.of(cast("WeighedTally", votes), units)
    board = cast("Leaderboard", votes)
    if over == "tasks" and board.is_instance_level and _counts_suffice(board, rule):
        # How often the task of an instance is drawn is all that a resample changes for it.
        return _Counted.of(counted_board(board), units)
    return _Ballots(of_single_voters(board), Draws.of(board, over, units))


def _times(draws: Draws, n: int, rng: np.random.Generator) -> Iterator[Positions]:
    """How often each unit is drawn, in one resample after the other."""
    size = max(1, _CELLS // draws.n_units)
    for start in range(0, n, size):
        counts = np.empty((draws.n_units, min(size, n - start)), dtype=np.intp)
        # The units come in parts where they are many.
        for one in arrays.multiplicities(draws.strata, counts.shape[1], rng, copies=draws.counts):
            counts[one.units] = one.counts
        yield from counts.T


def _counts_suffice(board: Leaderboard, rule: ToldRule) -> bool:
    """Whether the rule needs no more of a task's instances than what is counted of them."""
    if rule.known is None or not rule.known.takes(Tally.offers):
        return False
    # Whoever fills in medians looks at scores.
    return _is_complete(board) or rule.arguments.get("missing") != "median"


def _is_complete(board: Leaderboard) -> bool:
    return not np.isnan(board.values[:, board.that_count]).any()


@dataclass(frozen=True)
class _Ballots:
    """A leaderboard, of which tasks or instances are drawn."""

    board: Leaderboard
    draws: Draws

    def added(self, rule: ToldRule) -> Added:
        additive = rule.additive(self.board)
        if additive is None:
            return None
        if not _is_complete(self.board):
            of_points = "ties" in rule.arguments
            if rule.arguments["missing"] not in ("compatible", *(() if of_points else ("ignore",))):
                # A system that is left without a score in a resample would keep its points.
                return None
            of_tasks = rule.label == "mean" and rule.arguments["levels"] == 2
            if of_tasks and self.draws.what == "instances":
                # How many scores a task's mean is over changes from resample to resample.
                return None
        found = contributions_of(self.board, rule, self.draws)
        return None if found is None else (found, Sizes.of(self.board, additive, self.draws))

    def pairs(self, drawn: Iterable[arrays.Multiplicities], n: int) -> Iterator[Pairs]:
        return arrays.resampled_counts(self.board.profile(), self.draws.unit_of, drawn, n)

    def resamples(self, n: int, rng: np.random.Generator) -> Iterator[Votes]:
        board, draws = self.board, self.draws
        columns = np.flatnonzero(board.that_count)
        for times in _times(draws, n, rng):
            if draws.what == "instances":
                values = board.values.copy()
                # A task gives as many instances as it has, so each takes a place of its own.
                values[:, columns] = board.values[:, np.repeat(columns, times)]
                yield board.with_values(values)
            else:
                drawn = np.zeros(len(board.tasks))
                drawn[board.column_task[columns]] = times[draws.unit_of]
                # By position: a task may have the name of a group.
                yield board.with_task_weights(board.weights * drawn)


@dataclass(frozen=True)
class _Counted:
    """Tasks whose instances were counted: a resample of tasks is a weighting of them."""

    tasks: WeighedTally
    draws: Draws

    @classmethod
    def of(cls, tasks: WeighedTally, units: Units | None) -> _Counted:
        """The tasks in which somebody has a score."""
        tasks = tasks.with_scores()
        return cls(tasks, Draws.of_counted(tasks, units))

    def added(self, rule: ToldRule) -> Added:
        if rule.known is None or rule.known.additive is None:
            return None
        of_places = rule.label != "mean" and rule.arguments["missing"] != "compatible"
        if of_places and not self.tasks.complete:
            # A system that is left without a score in a resample would keep its points.
            return None
        found = counted_contributions(self.tasks, rule).by_unit(self.draws.unit_of)
        return found, counted_sizes(self.tasks, rule, self.draws)

    def pairs(self, drawn: Iterable[arrays.Multiplicities], n: int) -> Iterator[Pairs]:
        tasks = self.tasks
        units = [np.flatnonzero(self.draws.unit_of == unit) for unit in range(self.draws.n_units)]
        places = [
            added_up((tasks.weights[task], tasks.counts[task].places) for task in unit)
            for unit in units
        ]
        scored = [
            np.any([one.scored for one in by_weight.values()], axis=0) for by_weight in places
        ]
        counts = [weighed(by_weight) for by_weight in places]
        return arrays.reweighed_counts(counts, np.column_stack(scored), drawn, n)

    def resamples(self, n: int, rng: np.random.Generator) -> Iterator[Votes]:
        for times in _times(self.draws, n, rng):
            yield self.tasks.with_weights(self.tasks.weights * times[self.draws.unit_of])


#: Votes of which units are drawn again and again.
Resampled = _Ballots | _Counted
