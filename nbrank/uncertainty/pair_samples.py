"""The ballots of each pair of systems: their number, their outcomes and their units."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from nbrank.arrays.ballots.ballot_counts import PlaceCounts
from nbrank.arrays.ballots.pairwise_counts import PairwiseCounts, count_pairs
from nbrank.arrays.ballots.profile import Profile, safe_divide
from nbrank.arrays.typing import Floats, Positions
from nbrank.arrays.uncertainty import win_rate_intervals as arrays
from nbrank.uncertainty.sampling_design import clusters_drawn
from nbrank.votes.base import Votes
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.source_functions import FunctionBySource
from nbrank.votes.tallies import WeightedTally


@dataclass(frozen=True)
class PairwiseSample:
    """The ballots of all pairs and, if known, the wins in each of their units."""

    win_rates: arrays.PairwiseWinRates
    #: The ballots of each pair on which the two systems don't tie.
    untied: Callable[[], arrays.PairwiseWinRates]
    #: How many ballots the row wins against the column, but for rounding.
    n_won: Callable[[], NDArray[Any]]
    outcomes: Callable[[], arrays.WinsByUnit] | None = None
    n_units: int = 0
    #: Facts for `.attrs` about clusters of instances.
    facts: Mapping[Any, Any] = field(default_factory=dict)


def _sample_from_counts(tally: WeightedTally) -> PairwiseSample:
    results = cast("dict[float, PlaceCounts]", tally.data.standings("ignore").data)
    return PairwiseSample(
        arrays.PairwiseWinRates.from_weighted_counts(results),
        partial(arrays.PairwiseWinRates.from_weighted_counts, results, untied=True),
        lambda: np.sum([counts.wins for counts in results.values()], axis=0),
    )


def _sample_from_scores(board: Leaderboard) -> PairwiseSample:
    board = board.expand_voters(each=True)
    profile, unit_of = board.profile(), board.unit_codes(instances=board.is_instance_level)
    count = arrays.PairwiseWinRates.from_profile
    meetings = count(profile)
    untied: Callable[[], arrays.PairwiseWinRates] = partial(count, profile, untied=True)
    if board.column_clusters is not None:
        meetings, untied = meetings.with_clusters(profile, unit_of), _refuse_signs_of_clusters
    alike = Profile(profile.scores, (profile.weights > 0).astype(float))
    return PairwiseSample(
        meetings,
        untied,
        lambda: count_pairs(alike).wins,
        # Sorting the scores by unit doubles their memory, and only the bootstrap needs it.
        partial(arrays.make_unit_win_counter, profile, unit_of),
        int(unit_of.max(initial=-1)) + 1,
        clusters_drawn(board),
    )


def _refuse_signs_of_clusters() -> arrays.PairwiseWinRates:
    raise ValueError(
        "confidence: method='sign' takes every instance as independent, and these lie in clusters; "
        "choose method='bootstrap', which draws whole clusters, or cluster='instance' if the "
        "instances of a cluster don't depend on each other"
    )


def sample_majorities(votes: Votes) -> PairwiseSample:
    """Take each task as a ballot, won by the system that most of its instances favour."""
    counts = list(votes.iter_task_majorities("ignore"))
    units, unit = np.unique(votes.scored_task_group_codes(), return_inverse=True)
    shape = (len(counts), len(votes.systems), len(votes.systems))
    won = np.reshape([of_task.shares for of_task in counts], shape)
    met = np.reshape([of_task.compared for of_task in counts], shape)
    decided = 2 * won != met
    won_in, met_in = np.zeros((2, len(units), *shape[1:]))
    np.add.at(won_in, unit, won)
    np.add.at(met_in, unit, met)

    def outcomes(first: Positions, second: Positions, units: slice) -> tuple[Floats, Floats]:
        return won_in[units, first, second].T, met_in[units, first, second].T

    untied = partial(_meetings, won * decided, met * decided)
    ahead = partial(np.sum, 2 * won > met, axis=0)
    return PairwiseSample(_meetings(won, met), untied, ahead, lambda: outcomes, len(units))


def _meetings(won_parts: Floats, weights: Floats) -> arrays.PairwiseWinRates:
    """Summarize the ballots of pairs, from each ballot's weight and the part that the row wins."""
    weight, n = weights.sum(axis=0), (weights > 0).sum(axis=0)
    effective = safe_divide(weight**2, (weights**2).sum(axis=0), 0.0)
    return arrays.PairwiseWinRates(safe_divide(won_parts.sum(axis=0), weight), n, effective, weight)


def _sample_from_comparisons(comparisons: Comparisons) -> PairwiseSample:
    """Take each comparison as a ballot; those of a cluster are drawn together."""
    counts, squares = comparisons.counts, comparisons.squared_weights.compared
    n = _numbers(comparisons).compared
    if comparisons.clusters is not None:
        made, (of_cell, sum_by_pair) = comparisons.outcomes, _cells(comparisons)
        upper = sum_by_pair(np.bincount(of_cell, made.total_weights) ** 2)
        squares = upper + upper.T
    return PairwiseSample(
        arrays.PairwiseWinRates.from_sums(counts, n, counts.compared, squares),
        partial(_untied_comparisons, comparisons),
        lambda: _numbers(comparisons).wins,
    )


#: Take each task, or each instance of each task, or each comparison as a ballot.
sample_ballots = FunctionBySource(
    _sample_from_scores, _sample_from_comparisons, _sample_from_counts
)


def _untied_comparisons(comparisons: Comparisons) -> arrays.PairwiseWinRates:
    """Keep comparisons without a tie; a cluster is a single one, won by the side ahead in it."""
    if comparisons.outcomes.has_shares:
        raise ValueError(
            "confidence: method='sign' counts wins, and some are shared; choose method='wilson'"
        )
    n = arrays.drop_ties(_numbers(comparisons)).compared
    counts = arrays.drop_ties(comparisons.counts)
    squares = arrays.drop_ties(comparisons.squared_weights).compared
    if comparisons.clusters is not None:
        made, (of_cell, sum_by_pair) = comparisons.outcomes, _cells(comparisons)
        lead = np.where(made.left < made.right, made.outcomes, -made.outcomes).astype(float)
        weights = made.total_weights
        lead = np.bincount(of_cell, lead if weights is None else lead * weights)
        ahead, behind = (sum_by_pair(np.maximum(each, 0.0)) for each in (lead, -lead))
        counts = replace(counts, wins=ahead + behind.T)
        upper = sum_by_pair(lead**2)
        squares = upper + upper.T
    return arrays.PairwiseWinRates.from_sums(counts, n, counts.compared, squares)


def _numbers(comparisons: Comparisons) -> PairwiseCounts:
    """Count the comparisons of each pair and their outcomes, without those of weight 0."""
    made = comparisons.outcomes
    if made.weights is None:
        return comparisons.counts
    present = (made.weights > 0).astype(float)
    return replace(made, weights=present).tabulate(len(comparisons.systems))[0]


def _cells(comparisons: Comparisons) -> tuple[Positions, Callable[[NDArray[Any]], Floats]]:
    """Number each comparison's cell (a pair in a cluster); also return a sum of cells by pair."""
    # The systems of a pair are sorted, so that the sums are above the diagonal.
    made, n_systems = comparisons.outcomes, len(comparisons.systems)
    clusters = cast("Positions", comparisons.clusters)
    n_clusters = int(clusters.max()) + 1
    low, high = np.minimum(made.left, made.right), np.maximum(made.left, made.right)
    pair = low.astype(np.intp) * n_systems + high
    cell, of_cell = np.unique(pair * n_clusters + clusters, return_inverse=True)

    def sum_by_pair(values: NDArray[Any]) -> Floats:
        sums = np.bincount(cell // n_clusters, values, n_systems**2)
        return sums.reshape(n_systems, n_systems).astype(float)

    return of_cell, sum_by_pair
