"""Who beats whom, how often: counted on ballots, or from comparisons of two systems at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from nbrank.arrays.ballots.ballot_counts import (
    BallotCounts,
    PlaceCounts,
    count_ballots,
    count_by_weight,
    count_places,
)
from nbrank.arrays.ballots.profile import TOLERANCE, Profile, compute_places
from nbrank.arrays.chunking import chunk_slices
from nbrank.arrays.typing import Array, Bools, Floats, Ints, Positions

#: Ballots compared at a time where each has a weight of its own.
_BLOCK = 1 << 15
#: From this many systems on, all pairs of one ballot are compared at a time.
_MIN_SYSTEMS_PER_BALLOT_LOOP = 32
#: Ballots of more different weights are counted together.
_MAX_WEIGHTS = 3


@dataclass(frozen=True)
class PairwiseCounts:
    """The weight of ballots on which each system beats, or ties with, each other."""

    wins: Floats  # [i, j]: the weight of the ballots on which i stands strictly above j
    ties: Floats  # [i, j]: the weight of the ballots on which both have the same score
    total: float  # the weight of all ballots, the scale on which margins are compared

    @property
    def compared(self) -> Floats:
        """The weight of the ballots on which both have a score."""
        return self.wins + self.wins.T + self.ties

    @property
    def shares(self) -> Floats:
        """The weight won, a tie being half to each."""
        return self.wins + self.ties / 2

    @property
    def margins(self) -> Floats:
        """The weight for minus the weight against; exactly 0 where they agree within rounding."""
        margins = self.wins - self.wins.T
        margins[np.abs(margins) <= TOLERANCE * self.total] = 0.0
        return margins

    def select_systems(self, systems: Bools) -> PairwiseCounts:
        """Select the counts among these systems only."""
        return self if systems.all() else self.take(np.flatnonzero(systems))

    def take(self, positions: Positions) -> PairwiseCounts:
        """Take the counts among the systems at these positions, in this order."""
        chosen = np.ix_(positions, positions)
        return PairwiseCounts(self.wins[chosen], self.ties[chosen], self.total)


def count_pairs(profile: Profile) -> PairwiseCounts:
    """Compare every pair of systems on every ballot where both have a score."""
    counts = count_by_weight(profile, count_places)
    if counts is not None:
        return combine_weighted(counts)
    n_systems, n_ballots = profile.scores.shape
    wins, ties = np.zeros((2, n_systems, n_systems))
    for start in range(0, n_ballots, _BLOCK):
        block = slice(start, start + _BLOCK)
        scores, weights = profile.scores[:, block], profile.weights[block]
        # Ballots that weigh the same are counted first, which is exact.
        units = np.unique(weights)
        alike = len(units) == 1
        unit = weights[0] if alike else 1.0
        if len(units) <= _MAX_WEIGHTS and n_systems >= _MIN_SYSTEMS_PER_BALLOT_LOOP:
            for each in units:
                ahead, level = _count_pairs_per_ballot(scores[:, weights == each])
                wins += each * ahead
                ties += each * level
            continue
        times = weights / unit
        for i in range(n_systems):
            wins[i] += unit * ((scores[i] > scores) @ times)
            ties[i] += unit * ((scores[i] == scores) @ times)
    np.fill_diagonal(ties, 0.0)
    return PairwiseCounts(wins, ties, float(profile.weights.sum()))


def _count_pairs_per_ballot(scores: Array) -> tuple[Ints, Ints]:
    """Count how often each system is above, and level with, each other, one ballot at a time."""
    result, n_systems = compute_places(scores), len(scores)
    codes = result.n_below.astype(np.min_scalar_type(-n_systems - 1))
    # A system without a score is above no other, and no other is above it.
    rows, columns = (
        np.ascontiguousarray(np.where(result.observed, codes, absent).T)
        for absent in (codes.dtype.type(-1), codes.dtype.type(n_systems))
    )
    shape = (n_systems, n_systems)
    holds = np.empty(shape, dtype=np.bool_)
    counts = np.zeros((2, *shape), dtype=np.int64)
    for block in chunk_slices(0, len(rows), 255):  # as many as eight bits count
        few = np.zeros((2, *shape), dtype=np.uint8)
        for row, column in zip(rows[block], columns[block], strict=True):
            for compare, number in zip((np.greater, np.equal), few, strict=True):
                compare(row[:, None], column, out=holds)
                number += holds.view(np.uint8)
        counts += few
    return counts[0], counts[1]


def combine_weighted(counts: Mapping[float, PlaceCounts]) -> PairwiseCounts:
    """Combine the counts of the ballots of each weight into a weighted sum."""
    wins = sum(weight * count.wins for weight, count in counts.items())
    ties = sum(weight * count.ties for weight, count in counts.items())
    total = sum(weight * float(count.n_ballots.sum()) for weight, count in counts.items())
    return PairwiseCounts(np.asarray(wins), np.asarray(ties), total)


def count_compatible(profile: Profile) -> PairwiseCounts:
    """Compare every pair on every ballot, missing scores by the share of compatible rankings."""
    # The matrix M of Himmi et al. (2024), entry by entry: with k of n systems scored on a ballot,
    # an unscored system falls into each of the k + 1 gaps between the scored ones equally often, so
    # the scored system with r others below it (0-based) stands above an unscored one with
    # probability (r + 1) / (k + 1); two unscored systems stand either way round equally often.
    by_weights = count_by_weight(profile, count_ballots)
    if by_weights is not None:
        return combine_weighted_compatible(by_weights)
    counts = count_pairs(profile)
    result = compute_places(profile.scores)
    share = (result.n_beaten + 1) / (result.n_observed + 1)
    observed = result.observed.astype(float)
    unobserved = 1.0 - observed
    above = (np.where(result.observed, share, 0.0) * profile.weights) @ unobserved.T
    under = (np.where(result.observed, 1 - share, 0.0) * profile.weights) @ unobserved.T
    neither = (unobserved * profile.weights) @ unobserved.T / 2
    np.fill_diagonal(neither, 0.0)
    return PairwiseCounts(counts.wins + above + under.T + neither, counts.ties, counts.total)


def combine_weighted_compatible(counts_by_weight: Mapping[float, BallotCounts]) -> PairwiseCounts:
    """Combine the counts of counted ballots, with missing scores by compatible rankings."""
    # The probability (r + 1) / (k + 1) is one half plus the centred Borda points of the scored
    # system divided by n + 1, and the points of the others on the ballots without one of them are
    # those on all ballots less those beside it.
    counts = combine_weighted(
        {weight: ballots.places for weight, ballots in counts_by_weight.items()}
    )
    wins = counts.wins.copy()
    for weight, ballots in counts_by_weight.items():
        place_counts = ballots.places
        # Row scored and column not, and neither of them.
        alone = place_counts.n_observed.sum(axis=1)[:, None] - place_counts.n_compared
        neither = place_counts.n_ballots.sum() - place_counts.n_compared - alone - alone.T
        lead = (ballots.points.sums[:, None] - ballots.points.cross_sums) / (ballots.n_systems + 1)
        above = np.where(alone > 0, alone / 2 + lead, 0.0)
        wins += weight * (above + (alone - above).T + neither / 2)
    np.fill_diagonal(wins, 0.0)
    return PairwiseCounts(wins, counts.ties, counts.total)


@dataclass(frozen=True)
class ComparisonArrays:
    """Comparisons in the order in which they were made, by the numbers of their systems."""

    left: NDArray[np.int32]  # a system in each row
    right: NDArray[np.int32]  # another one
    #: 1 where the left one won, -1 where the right one did, 0 for a tie; or numbers between.
    outcomes: NDArray[np.int8] | Floats
    weights: Floats | None = None  # of one comparison, at least 0; None for 1 each
    #: How many comparisons a row stands for; None for one each. A row that stands for 10
    #: comparisons tells more than one of weight 10.
    repeats: Floats | None = None

    def __len__(self) -> int:
        return len(self.outcomes)

    @property
    def has_shares(self) -> bool:
        """Whether a win may be shared other than evenly."""
        return self.outcomes.dtype.kind == "f"

    @property
    def without_shares(self) -> ComparisonArrays:
        """The same, each shared win in two parts: a win of the side with more, and a tie."""
        if not self.has_shares:
            return self
        part, zeros = np.abs(self.outcomes), np.zeros(len(self))
        weights = 1.0 if self.weights is None else self.weights
        return ComparisonArrays(
            np.tile(self.left, 2),
            np.tile(self.right, 2),
            np.append(np.sign(self.outcomes), zeros).astype(np.int8),
            np.append(weights * part, weights * (1 - part)),
            None if self.repeats is None else np.tile(self.repeats, 2),
        )

    @property
    def total_weights(self) -> Floats | None:
        """The weight of each row: of one comparison, times how many there are; None for 1 each."""
        values = [first for first in (self.weights, self.repeats) if first is not None]
        return np.prod(values, axis=0) if values else None

    def select(self, rows: Bools | Positions) -> ComparisonArrays:
        """Select some of the comparisons."""
        arrays = {name: array[rows] for name, array in vars(self).items() if array is not None}
        return replace(self, **arrays)

    def tabulate(self, n_systems: int) -> tuple[PairwiseCounts, PairwiseCounts]:
        """Count the comparisons of each pair, and the squares of their weights."""
        if self.has_shares:
            ones = np.ones(len(self))
            weights = ones if self.weights is None else self.weights
            both = [
                replace(self, weights=one).without_shares.tabulate(n_systems)[0]
                for one in (weights, weights**2)
            ]
            return both[0], both[1]
        # The weights' sums say how strong the systems are, the sums of their squares how sure that
        # is. One number for each (outcome, left, right), built in place: five million rows are
        # 40 MB.
        cell = self.outcomes.astype(np.intp)
        cell += 1
        for system in (self.left, self.right):
            cell *= n_systems
            cell += system
        counts = _fold_cells(cell, self.total_weights, n_systems)
        if self.weights is None:
            return counts, counts
        squares = replace(self, weights=self.weights**2)
        return counts, _fold_cells(cell, squares.total_weights, n_systems)

    def number_outcomes(self, n_systems: int) -> Positions:
        """Number the pair and the outcome of each row: (first * n + second) * 2, and 1 for a tie.

        The first system is the one that won, or the one with the smaller number.
        """
        tied = self.outcomes == 0
        left, right = self.left.astype(np.intp), self.right.astype(np.intp)
        swapped = (self.outcomes < 0) | (tied & (left > right))
        first, second = np.where(swapped, right, left), np.where(swapped, left, right)
        return (first * n_systems + second) * 2 + tied


def _fold_cells(cell: Positions, weights: Floats | None, n_systems: int) -> PairwiseCounts:
    sums = np.bincount(cell, weights, minlength=3 * n_systems**2).astype(float)
    right_won, tied, left_won = sums.reshape(3, n_systems, n_systems)
    total = float(len(cell) if weights is None else weights.sum())
    return PairwiseCounts(left_won + right_won.T, tied + tied.T, total)
