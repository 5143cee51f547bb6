"""Resampling of tasks, instances or comparisons, as cheaply as a rule allows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np
import pandas as pd

from nbrank.arrays.ballots.ballot_counts import sum_by_key
from nbrank.arrays.ballots.pairwise_counts import PairwiseCounts, combine_weighted
from nbrank.arrays.typing import Bools, Positions
from nbrank.arrays.uncertainty import resampling as arrays
from nbrank.arrays.uncertainty.influence import Contributions
from nbrank.arrays.weights.removable_votes import VoteBatches
from nbrank.rules.bound_rule import BoundRule
from nbrank.uncertainty import contributions as means
from nbrank.uncertainty.cell_errors import CellErrors, OverErrors, resolve_error_source
from nbrank.uncertainty.sampling_design import ResampledUnit, SamplingDesign, UnitKind, check_over
from nbrank.votes.base import Votes
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.source_functions import FunctionBySource
from nbrank.votes.table.row_levels import Clusters
from nbrank.votes.tallies import Tally, WeightedTally

#: The pairwise counts of a resample, and which systems have a score in it.
ResampledPairs = tuple[PairwiseCounts, Bools]
#: Each unit's contribution, if sums of these rank any resample, and the sizes on which ties hang.
ResampledMean = tuple[Contributions, means.TieSizes] | None


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
        result = means.find_contributions(self.board, rule, self.draws)
        if result is None:
            return None
        return result, means.tie_sizes(self.board, additive, self.draws)

    def pairs(self, drawn: Iterable[arrays.Multiplicities], n: int) -> Iterator[ResampledPairs]:
        return arrays.resampled_counts(self.board.profile(), self.draws.unit_codes, drawn, n)

    def resamples(self, n: int, rng: np.random.Generator) -> Iterator[Votes]:
        board, draws = self.board, self.draws
        columns = np.flatnonzero(board.active_columns)
        for times in draws.draw_one_by_one(n, rng):
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
        contributions = means.tally_contributions(self.tasks, rule).sum_by_unit(
            self.draws.unit_codes
        )
        return contributions, means.tally_tie_sizes(self.tasks, rule, self.draws)

    def pairs(self, drawn: Iterable[arrays.Multiplicities], n: int) -> Iterator[ResampledPairs]:
        weights, tasks = self.tasks.weights, self.tasks.counts
        units = [
            sum_by_key((weights[task], tasks[task].places) for task in np.flatnonzero(in_unit))
            for in_unit in self.draws.unit_codes == np.arange(self.draws.n_units)[:, None]
        ]
        scored = [
            np.any([place_counts.scored for place_counts in by_weight.values()], axis=0)
            for by_weight in units
        ]
        counts = [combine_weighted(by_weight) for by_weight in units]
        return arrays.reweight_unit_counts(counts, np.column_stack(scored), drawn, n)

    def resamples(self, n: int, rng: np.random.Generator) -> Iterator[Votes]:
        for times in self.draws.draw_one_by_one(n, rng):
            yield self.tasks.with_weights(self.tasks.weights * times[self.draws.unit_codes])


@dataclass(frozen=True)
class _ComparisonResampler:
    """Comparisons, and the units that a resample draws."""

    comparisons: Comparisons
    draws: SamplingDesign
    #: Whether the rule depends on the order of the comparisons.
    in_order: bool

    def resampled_mean(self, _: BoundRule) -> None:
        """Return None: the ranks come from counts, which are as cheap."""

    def pairs(self, drawn: Iterable[arrays.Multiplicities], n: int) -> Iterator[ResampledPairs]:
        made, n_systems = self.comparisons.outcomes, len(self.comparisons.systems)
        units = self.draws.unit_codes
        if self.draws.unit_kind == "clusters" or made.has_shares:
            made = made.without_shares
            units = np.resize(units, len(made))
            cells = made.number_outcomes(n_systems)
            weights = np.ones(len(made)) if made.total_weights is None else made.total_weights
        else:
            batches = VoteBatches.from_comparisons(made, n_systems)
            cells, weights = batches.cells, batches.weights
        return arrays.resample_cells(cells, weights, units, n_systems, drawn, n)

    def resamples(self, n: int, rng: np.random.Generator) -> Iterator[Votes]:
        """Yield resampled comparisons, in the order of the rows if the rule depends on it."""
        if self.in_order:
            for times in self.draws.draw_one_by_one(n, rng):
                yield self._repeat_rows(times[self.draws.unit_codes])
        else:
            for counts, _ in self.pairs(self.draws.draw(n, rng), n):
                yield Comparisons.from_counts(self.comparisons.systems, counts)

    def _repeat_rows(self, times: Positions) -> Comparisons:
        """Repeat each row as often as it was drawn; a row of several votes stays a single row."""
        made = self.comparisons.outcomes
        if self.draws.multiplicity is not None:
            repeats = times[times > 0].astype(float)
            outcomes = replace(made.select(np.flatnonzero(times)), repeats=repeats)
        else:
            outcomes = made.select(np.repeat(np.arange(len(made)), times))
        counts, squares = outcomes.tabulate(len(self.comparisons.systems))
        return Comparisons(self.comparisons.systems, outcomes, counts, squares, silent=True)


#: Votes whose units can be resampled.
UnitResampler = _BallotResampler | _TallyResampler | _ComparisonResampler


@dataclass(frozen=True)
class MeasurementResampler:
    """A leaderboard whose cells are measured anew; over "both", its tasks are drawn, too."""

    board: Leaderboard
    over: str
    errors: pd.DataFrame | None
    units: UnitKind | None

    @property
    def facts(self) -> dict[Any, Any]:
        """Facts for `.attrs`: which units of tasks are drawn, if any."""
        return {"draws": self.units or self.board.default_unit_kind} if self.over == "both" else {}

    def resamples(self, n: int, rng: np.random.Generator) -> Iterator[Leaderboard]:
        """Yield tables with errors, or the runs of each cell, drawn again."""
        board, runs = self.board, self.board.replicates
        if self.errors is not None:
            cells = CellErrors.from_board("bootstrap", board, self.errors)
            tables = cells.iter_boards(board, n, rng)
        elif runs is None or (runs.n_runs < 2).all():
            raise ValueError("bootstrap: no cell has two runs, so all resamples are the same")
        else:
            tables = (board.with_replicates(runs.resample(rng)) for _ in range(n))
        return self._draw_tasks(tables, rng) if self.over == "both" else tables

    def _draw_tasks(
        self, tables: Iterator[Leaderboard], rng: np.random.Generator
    ) -> Iterator[Leaderboard]:
        """Yield the tables with weights for how often each task is drawn."""
        board, draws = self.board, SamplingDesign.from_board(self.board, "tasks", self.units)
        for table in tables:
            times = rng.multinomial(draws.n_units, np.full(draws.n_units, 1 / draws.n_units))
            drawn = np.zeros(len(board.tasks))
            drawn[board.ballot_task_codes] = times[draws.unit_codes]
            yield table.with_task_weights(board.weights * drawn)


def _resampler_of_scores(
    board: Leaderboard,
    rule: BoundRule,
    over: str | None,
    errors: pd.DataFrame | None,
    units: UnitKind | None,
    cluster: Clusters,
) -> UnitResampler | MeasurementResampler:
    plain = cluster is None and board.column_clusters is None and board.replicates is None
    if over is None and errors is None and plain:
        over = "tasks"
    over, errors = resolve_error_source("bootstrap", board, over, errors, cluster)
    if over in get_args(OverErrors):
        return MeasurementResampler(board, over, errors, units)
    unit: ResampledUnit = "instances" if over == "instances" else "tasks"
    counted = (
        unit == "tasks"
        and board.is_instance_level
        and rule.registered is not None
        and rule.registered.supports(Tally.provides)
        # Filling in medians takes the scores themselves.
        and (rule.arguments.get("missing") != "median" or _is_complete(board))
    )
    if counted:
        # A resample of tasks changes only how often the task of an instance is drawn.
        return _TallyResampler.from_tally(WeightedTally.from_board(board), units)
    return _BallotResampler(board.expand_voters(), SamplingDesign.from_board(board, unit, units))


def _resampler_of_counts(
    tally: WeightedTally,
    _: object,
    over: str | None,
    errors: object,
    units: UnitKind | None,
    __: object,
) -> UnitResampler | MeasurementResampler:
    if errors is not None:
        raise TypeError("bootstrap: errors= go with a table of scores, and these are counted")
    check_over(tally, over or "tasks", "bootstrap")
    return _TallyResampler.from_tally(tally, units)


def _resampler_of_comparisons(
    comparisons: Comparisons, rule: BoundRule, over: str | None, errors: object, *_: object
) -> UnitResampler | MeasurementResampler:
    """Draw clusters if the comparisons have any; else draw identical comparisons together."""
    if over is not None or errors is not None:
        raise TypeError(
            "bootstrap: comparisons, or their clusters, are resampled; leave out "
            f"{'over=' if over is not None else 'errors='}"
        )
    made = comparisons.outcomes
    in_order = rule.registered is None or "sequence" in rule.registered.requires
    if comparisons.clusters is not None:
        units, copies, kind = comparisons.clusters, None, "clusters"
    elif in_order or made.has_shares:
        units, copies, kind = np.arange(len(made)), made.repeats, "comparisons"
    else:
        batches = VoteBatches.from_comparisons(made, len(comparisons.systems))
        units, copies, kind = np.arange(len(batches)), batches.numbers, "comparisons"
    counts = None if copies is None else copies.astype(np.int64)
    n_units = int(units.max(initial=-1)) + 1
    draws = SamplingDesign(kind, units, np.zeros(n_units, dtype=np.intp), counts)
    return _ComparisonResampler(comparisons, draws, in_order)


#: Build a resampler of votes for a rule: what is drawn is validated, or inferred if it is None.
make_resampler = FunctionBySource(
    _resampler_of_scores, _resampler_of_comparisons, _resampler_of_counts
)
