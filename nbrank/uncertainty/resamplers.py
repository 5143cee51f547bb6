"""Resampling of tasks, instances or comparisons, as cheaply as a rule allows."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np
from numpy.random import Generator

from nbrank.arrays.ballots.ballot_counts import sum_by_key
from nbrank.arrays.ballots.pairwise_counts import (
    ComparisonArrays,
    PairwiseCounts,
    combine_weighted,
)
from nbrank.arrays.typing import Bools, Floats, Ints, Positions
from nbrank.arrays.uncertainty import resampling as arrays
from nbrank.arrays.uncertainty.influence import Contributions
from nbrank.arrays.weights.removable_votes import VoteBatches, count_cells
from nbrank.rules.bound_rule import BoundRule
from nbrank.uncertainty import contributions as means
from nbrank.uncertainty.cell_errors import CellErrors
from nbrank.uncertainty.sampling_design import (
    DrawOptions,
    OverErrors,
    ResampledUnit,
    SamplingDesign,
)
from nbrank.votes.base import Votes
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.source_functions import FunctionBySource
from nbrank.votes.tallies import Tally, WeightedTally

#: The pairwise counts of a resample, and which systems have a score in it.
ResampledPairs = tuple[PairwiseCounts, Bools]
#: Each unit's contribution, if sums of these rank any resample, and the sizes on which ties hang.
ResampledMean = tuple[Contributions, means.TieSizes] | None


@dataclass(frozen=True)
class Resampler:
    """Resamples of votes, and what a rule may rank by instead of them, at less cost."""

    #: Facts for `.attrs`: what is drawn (`over`), and whether that is too little.
    facts: dict[Any, Any]
    #: Yields a number of resamples.
    resamples: Callable[[int, Generator], Iterator[Votes]]
    #: The units that are drawn; None where cells are measured anew.
    draws: SamplingDesign | None = None
    #: Finds the units' contributions to a rule's means; None if means don't rank resamples.
    find_means: Callable[[BoundRule], ResampledMean] = lambda _: None
    #: Counts the pairs in a number of drawn resamples.
    count_pairs: Callable[[Iterable[arrays.Multiplicities], int], Iterator[ResampledPairs]] = (
        lambda *_: iter(())
    )


def _is_complete(board: Leaderboard) -> bool:
    return not np.isnan(board.values[:, board.active_columns]).any()


def _resample_scores(board: Leaderboard, rule: BoundRule, options: DrawOptions, /) -> Resampler:
    plain = options.cluster is None and board.column_clusters is None and board.replicates is None
    if options.over is None and options.errors is None and plain:
        options = replace(options, over="tasks")
    options = options.resolve(board)
    if options.over in get_args(OverErrors):
        return _resample_measurements(board, options)
    unit: ResampledUnit = "instances" if options.over == "instances" else "tasks"
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
        return _resample_tally(WeightedTally.from_board(board), rule, options)
    return _resample_ballots(
        board.expand_voters(), SamplingDesign.from_board(board, unit, options.draws)
    )


def _keeps_contributions(board: Leaderboard, rule: BoundRule, draws: SamplingDesign) -> bool:
    """Return whether each unit contributes the same to the means of all resamples."""
    if _is_complete(board):
        return True
    if rule.name == "mean" and rule.arguments["levels"] == 2 and draws.of_instances:
        # The number of scores behind a task's mean changes from resample to resample.
        return False
    of_points = "ties" in rule.arguments
    # Otherwise a system without a score in a resample would keep its points.
    return rule.arguments["missing"] in ("compatible", *(() if of_points else ("ignore",)))


def _repeat_units(board: Leaderboard, draws: SamplingDesign, times: Ints) -> Leaderboard:
    """Return the board on which each unit counts as often as it was drawn."""
    columns = np.flatnonzero(board.active_columns)
    if draws.unit_kind == "instances":
        values = board.values.copy()
        # A task contributes as many instances as it has, so they fit into its columns.
        values[:, columns] = board.values[:, np.repeat(columns, times)]
        return board.with_values(values)
    if draws.unit_kind == "clusters":
        return board.with_columns(np.repeat(columns, times[draws.unit_codes]))
    drawn = np.zeros(len(board.tasks))
    drawn[board.task_codes[columns]] = times[draws.unit_codes]
    # By position, because a task and a group may share a name.
    return board.with_task_weights(board.weights * drawn)


def _resample_ballots(board: Leaderboard, draws: SamplingDesign) -> Resampler:
    """Draw the tasks or the instances of a leaderboard."""

    def find_means(rule: BoundRule) -> ResampledMean:
        additive = rule.additive(board)
        if additive is None or not _keeps_contributions(board, rule, draws):
            return None
        result = means.find_contributions(board, rule, draws)
        return None if result is None else (result, means.tie_sizes(board, additive, draws))

    def count_pairs(drawn: Iterable[arrays.Multiplicities], n: int) -> Iterator[ResampledPairs]:
        return arrays.resampled_counts(board.profile(), draws.unit_codes, drawn, n)

    def resamples(n: int, rng: Generator) -> Iterator[Votes]:
        for times in draws.draw_one_by_one(n, rng):
            yield _repeat_units(board, draws, times)

    facts = {"over": draws.unit_kind, **draws.facts}
    return Resampler(facts, resamples, draws, find_means, count_pairs)


def _resample_measurements(board: Leaderboard, options: DrawOptions) -> Resampler:
    """Draw the errors, or the runs, of each cell anew; over "both" the tasks, too."""
    both = options.over == "both"

    def resamples(n: int, rng: Generator) -> Iterator[Leaderboard]:
        runs = board.replicates
        if options.errors is not None:
            cells = CellErrors.from_board("bootstrap", board, options.errors)
            tables = cells.simulate_boards(board, n, rng)
        elif runs is None or (runs.n_runs < 2).all():
            raise ValueError("bootstrap: no cell has two runs, so all resamples are the same")
        else:
            tables = (board.with_replicates(runs.resample(rng)) for _ in range(n))
        return draw_tasks(tables, rng) if both else tables

    def draw_tasks(tables: Iterator[Leaderboard], rng: Generator) -> Iterator[Leaderboard]:
        draws = SamplingDesign.from_board(board, "tasks", options.draws)
        for table in tables:
            times = rng.multinomial(draws.n_units, np.full(draws.n_units, 1 / draws.n_units))
            drawn = np.zeros(len(board.tasks))
            drawn[board.ballot_task_codes] = times[draws.unit_codes]
            yield table.with_task_weights(board.weights * drawn)

    units = {"draws": options.draws or board.default_unit_kind} if both else {}
    return Resampler({"over": options.over} | units, resamples)


def _resample_tally(tasks: WeightedTally, _: BoundRule, options: DrawOptions, /) -> Resampler:
    """Draw tasks whose instances were counted: a resample of tasks is a weighting of them."""
    if options.errors is not None:
        raise TypeError("bootstrap: errors= go with a table of scores, and these are counted")
    if options.over is not None:
        options.check_over(tasks)
    tasks = tasks.select_scored_tasks()
    draws = SamplingDesign.from_tally(tasks, options.draws)

    def find_means(rule: BoundRule) -> ResampledMean:
        if not rule.is_additive:
            return None
        of_places = rule.name != "mean" and rule.arguments["missing"] != "compatible"
        if of_places and not tasks.is_complete:
            # A system without a score in a resample would keep its points.
            return None
        contributions = means.tally_contributions(tasks, rule).sum_by_unit(draws.unit_codes)
        return contributions, means.tally_tie_sizes(tasks, rule, draws)

    def count_pairs(drawn: Iterable[arrays.Multiplicities], n: int) -> Iterator[ResampledPairs]:
        units = [
            sum_by_key((tasks.weights[at], tasks.counts[at].places) for at in np.flatnonzero(own))
            for own in draws.unit_codes == np.arange(draws.n_units)[:, None]
        ]
        scored = [
            np.any([place_counts.scored for place_counts in by_weight.values()], axis=0)
            for by_weight in units
        ]
        counts = [combine_weighted(by_weight) for by_weight in units]
        return arrays.reweight_unit_counts(counts, np.column_stack(scored), drawn, n)

    def resamples(n: int, rng: Generator) -> Iterator[Votes]:
        for times in draws.draw_one_by_one(n, rng):
            yield tasks.with_weights(tasks.weights * times[draws.unit_codes])

    facts = {"over": draws.unit_kind, **draws.facts}
    return Resampler(facts, resamples, draws, find_means, count_pairs)


def _design_of_comparisons(comparisons: Comparisons, batches: VoteBatches | None) -> SamplingDesign:
    """Draw the clusters of comparisons, else their batches, else each row by itself."""
    if comparisons.clusters is not None:
        kind, units, copies = "clusters", comparisons.clusters, None
    elif batches is not None:
        kind, units, copies = "comparisons", np.arange(len(batches)), batches.numbers
    else:
        rows = comparisons.outcomes
        kind, units, copies = "comparisons", np.arange(len(rows)), rows.repeats
    strata = np.zeros(int(units.max(initial=-1)) + 1, dtype=np.intp)
    return SamplingDesign(kind, units, strata, None if copies is None else copies.astype(np.int64))


def _repeat_comparisons(rows: ComparisonArrays, times: Ints, are_counted: bool) -> ComparisonArrays:
    """Take each row as often as it was drawn; a row of several votes stays a single row."""
    if not are_counted:
        return rows.select(np.repeat(np.arange(len(rows)), times))
    return replace(rows.select(np.flatnonzero(times)), repeats=times[times > 0].astype(float))


def _sum_drawn_weights(
    weights: Floats,
    places: tuple[Positions, Positions],
    resamples: Iterable[arrays.Multiplicities],
    n: int,
) -> Floats:
    """Sum weights, each at a place (cell, unit), over the drawn units: `n` resamples x cells."""
    from scipy.sparse import csr_array

    n_cells, n_units = (int(codes.max(initial=-1)) + 1 for codes in places)
    amounts = csr_array((weights, places), shape=(n_cells, n_units))
    sums = np.zeros((n_cells, n))
    for item in resamples:
        sums += amounts[:, item.units] @ item.counts
    return sums.T


def _resample_comparisons(
    comparisons: Comparisons, rule: BoundRule, options: DrawOptions, /
) -> Resampler:
    """Draw clusters if the comparisons have any; else draw identical comparisons together."""
    if options.over is not None or options.errors is not None:
        raise TypeError(
            "bootstrap: comparisons, or their clusters, are resampled; leave out "
            f"{'over=' if options.over is not None else 'errors='}"
        )
    made, systems = comparisons.outcomes, comparisons.systems
    # The order of the rows is kept if the rule depends on it.
    in_order = rule.registered is None or "sequence" in rule.registered.requires
    alike = comparisons.clusters is None and not in_order and not made.has_shares
    batches = VoteBatches.from_comparisons(made, len(systems)) if alike else None
    draws = _design_of_comparisons(comparisons, batches)
    units = draws.unit_codes

    def count_pairs(drawn: Iterable[arrays.Multiplicities], n: int) -> Iterator[ResampledPairs]:
        if batches is not None:
            cells, weights, codes = batches.cells, batches.weights, units
        else:
            rows = made.without_shares
            cells, codes = rows.number_outcomes(len(systems)), np.resize(units, len(rows))
            each = rows.total_weights if draws.multiplicity is None else rows.weights
            weights = np.ones(len(rows)) if each is None else each
        occupied, place = np.unique(cells, return_inverse=True)
        for column in _sum_drawn_weights(weights, (place, codes), drawn, n):
            pairs = count_cells(occupied, column, len(systems))
            yield pairs, np.asarray((pairs.compared > 0).any(axis=1))

    def resamples(n: int, rng: Generator) -> Iterator[Votes]:
        if not in_order:
            for pairs, _ in count_pairs(draws.draw(n, rng), n):
                yield Comparisons.from_counts(systems, pairs)
            return
        for times in draws.draw_one_by_one(n, rng):
            outcomes = _repeat_comparisons(made, times[units], draws.multiplicity is not None)
            sums, squares = outcomes.tabulate(len(systems))
            yield Comparisons(systems, outcomes, sums, squares, silent=True)

    facts = {"over": draws.unit_kind, **draws.facts}
    return Resampler(facts, resamples, draws, count_pairs=count_pairs)


#: Build a resampler of votes for a rule: what is drawn is validated, or inferred if it is None.
make_resampler = FunctionBySource(_resample_scores, _resample_comparisons, _resample_tally)
