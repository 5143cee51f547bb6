"""Resampling of tasks or instances, as cheaply as a rule allows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from nbrank.arrays.ballots.ballot_counts import sum_by_key
from nbrank.arrays.ballots.pairwise_counts import PairwiseCounts, combine_weighted
from nbrank.arrays.typing import Bools
from nbrank.arrays.uncertainty import resampling as arrays
from nbrank.arrays.uncertainty.influence import Contributions
from nbrank.rules.bound_rule import BoundRule
from nbrank.uncertainty.comparison_resampler import ComparisonResampler
from nbrank.uncertainty.contributions import (
    TieScales,
    find_contributions,
    tally_contributions,
    tally_tie_scales,
)
from nbrank.uncertainty.sampling_design import ResampledUnit, SamplingDesign, UnitKind
from nbrank.votes.base import Votes
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.source_functions import FunctionBySource
from nbrank.votes.tallies import Tally, WeightedTally

#: The pairwise counts of a resample, and which systems have a score in it.
ResampledPairs = tuple[PairwiseCounts, Bools]
#: Each draw's contribution, if sums of these rank any resample, and the scales of ties.
ResampledMean = tuple[Contributions, TieScales] | None


def _make_score_resampler(
    board: Leaderboard, over: ResampledUnit, rule: BoundRule, units: UnitKind | None, /
) -> Resampler:
    """Build a resampler; it counts the instances first if the rule needs only their counts."""
    if over == "tasks" and board.is_instance_level and _needs_counts_only(board, rule):
        # A resample of tasks changes only how often the task of an instance is drawn.
        return _TallyResampler.from_tally(WeightedTally.from_board(board), units)
    return _BallotResampler(board.expand_voters(), SamplingDesign.from_board(board, over, units))


def _needs_counts_only(board: Leaderboard, rule: BoundRule) -> bool:
    """Return whether the rule needs only the counts of a task's instances."""
    if rule.registered is None or not rule.registered.supports(Tally.provides):
        return False
    # Filling in medians takes the scores themselves.
    return _is_complete(board) or rule.arguments.get("missing") != "median"


def _is_complete(board: Leaderboard) -> bool:
    return not np.isnan(board.values[:, board.active_columns]).any()


@dataclass(frozen=True)
class _BallotResampler:
    """A leaderboard whose tasks or instances are resampled."""

    board: Leaderboard
    draws: SamplingDesign

    def resampled_mean(self, rule: BoundRule) -> ResampledMean:
        additive = rule.additive(self.board)
        if additive is None:
            return None
        if not _is_complete(self.board):
            of_points = "ties" in rule.arguments
            if rule.arguments["missing"] not in ("compatible", *(() if of_points else ("ignore",))):
                # A system without a score in a resample would keep its points.
                return None
            of_tasks = rule.label == "mean" and rule.arguments["levels"] == 2
            if of_tasks and self.draws.of_instances:
                # The number of scores behind a task's mean changes from resample to resample.
                return None
        result = find_contributions(self.board, rule, self.draws)
        if result is None:
            return None
        return result, TieScales.from_board(self.board, additive, self.draws)

    def pairs(self, drawn: Iterable[arrays.Multiplicities], n: int) -> Iterator[ResampledPairs]:
        return arrays.resampled_counts(self.board.profile(), self.draws.unit_codes, drawn, n)

    def resamples(self, n: int, rng: np.random.Generator) -> Iterator[Votes]:
        board, draws = self.board, self.draws
        columns = np.flatnonzero(board.active_columns)
        for times in arrays.iter_multiplicity_rows(draws.strata, n, rng, draws.multiplicity):
            if draws.unit_kind == "instances":
                values = board.values.copy()
                # A task contributes as many instances as it has, so they fit into its columns.
                values[:, columns] = board.values[:, np.repeat(columns, times)]
                yield board.with_values(values)
            elif draws.unit_kind == "clusters":
                yield board.with_columns(np.repeat(columns, times[draws.unit_codes]))
            else:
                drawn = np.zeros(len(board.tasks))
                drawn[board.task_codes[columns]] = times[draws.unit_codes]
                # By position, because a task and a group may share a name.
                yield board.with_task_weights(board.weights * drawn)


@dataclass(frozen=True)
class _TallyResampler:
    """Tasks whose instances were counted: a resample of tasks is a weighting of them."""

    tasks: WeightedTally
    draws: SamplingDesign

    @classmethod
    def from_tally(cls, tasks: WeightedTally, units: UnitKind | None) -> _TallyResampler:
        """Select the tasks with any score."""
        tasks = tasks.select_scored_tasks()
        return cls(tasks, SamplingDesign.from_tally(tasks, units))

    def resampled_mean(self, rule: BoundRule) -> ResampledMean:
        if rule.registered is None or rule.registered.additive is None:
            return None
        of_places = rule.label != "mean" and rule.arguments["missing"] != "compatible"
        if of_places and not self.tasks.is_complete:
            # A system without a score in a resample would keep its points.
            return None
        contributions = tally_contributions(self.tasks, rule).sum_by_unit(self.draws.unit_codes)
        return contributions, tally_tie_scales(self.tasks, rule, self.draws)

    def pairs(self, drawn: Iterable[arrays.Multiplicities], n: int) -> Iterator[ResampledPairs]:
        tasks = self.tasks
        units = [
            np.flatnonzero(self.draws.unit_codes == unit) for unit in range(self.draws.n_units)
        ]
        places = [
            sum_by_key((tasks.weights[task], tasks.counts[task].places) for task in unit)
            for unit in units
        ]
        scored = [
            np.any([place_counts.scored for place_counts in by_weight.values()], axis=0)
            for by_weight in places
        ]
        counts = [combine_weighted(by_weight) for by_weight in places]
        return arrays.reweight_unit_counts(counts, np.column_stack(scored), drawn, n)

    def resamples(self, n: int, rng: np.random.Generator) -> Iterator[Votes]:
        for times in arrays.iter_multiplicity_rows(
            self.draws.strata, n, rng, self.draws.multiplicity
        ):
            yield self.tasks.with_weights(self.tasks.weights * times[self.draws.unit_codes])


#: Votes whose units can be resampled.
Resampler = _BallotResampler | _TallyResampler | ComparisonResampler

#: Build a resampler: of votes, the kind of unit, the rule, and the units of tasks.
make_resampler = FunctionBySource(
    _make_score_resampler,
    comparisons=lambda comparisons, _over, rule, _units: ComparisonResampler.from_comparisons(
        comparisons, rule
    ),
    counts=lambda tally, _over, _rule, units: _TallyResampler.from_tally(tally, units),
)
