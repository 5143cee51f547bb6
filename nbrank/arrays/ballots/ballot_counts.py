"""Ballots, counted: sums that add up, whoever counts which of the ballots."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from nbrank.arrays.ballots.profile import Profile
from nbrank.arrays.chunking import chunk_slices, map_ballot_chunks
from nbrank.arrays.typing import Array, Bools, Floats, Ints, Positions

#: Scores compared at a time, few enough to stay in cache, and enough for threads to work side by
#: side: between two calls they hand the interpreter to each other.
_BLOCK = 1 << 20
#: Minimum number of ballots a call, however many systems: shorter calls cost their overhead.
_MIN_CHUNK_BALLOTS = 1 << 13
#: From this many ballots of one weight on, they are counted in whole numbers, and then weighed.
_MIN_LONG_RUN = 2048
#: From this many columns on, a call for each row costs less than reducing a table of booleans.
_LONG_ROW = 256

Counts = TypeVar("Counts", "PlaceCounts", "BallotCounts")
Key = TypeVar("Key")


@dataclass(frozen=True, eq=False)
class _AdditiveCounts:
    """Sums over ballots: those of different ballots of the same systems add up, field by field."""

    def __add__(self, other: Self) -> Self:
        # Infinite and huge scores have no sum; who asks for one is refused.
        with np.errstate(over="ignore", invalid="ignore"):
            names = [field.name for field in fields(self)]
            return type(self)(*(getattr(self, name) + getattr(other, name) for name in names))


@dataclass(frozen=True, eq=False)
class PlaceCounts(_AdditiveCounts):
    """Counts of places and pairs on ballots that all weigh the same."""

    # All numbers are whole, so that the counts of any split of the ballots add up to those of all,
    # to the last bit. Some have a column for each k = 0, ..., N, for the ballots on which exactly k
    # of the N systems are scored: what a place is worth on average over the compatible rankings
    # depends on k.

    wins: Ints  # [i, j]: the ballots on which i stands strictly above j
    ties: Ints  # [i, j]: the ballots on which both have the same score; 0 on the diagonal
    n_below: Ints  # systems x k: how many stand below, summed over the ballots with a score of it
    n_tied: Ints  # systems x k: how many stand level, likewise
    n_observed: Ints  # systems x k: the ballots on which the system is scored
    n_ballots: Ints  # by k; those with k = 0 count nowhere else

    @classmethod
    def zero(cls, n_systems: int) -> PlaceCounts:
        """Return the counts of no ballot."""
        pairs, by_k = (n_systems, n_systems), (n_systems, n_systems + 1)
        shapes = (pairs, pairs, by_k, by_k, by_k, (n_systems + 1,))
        return cls(*(np.zeros(shape, dtype=np.int64) for shape in shapes))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlaceCounts) and all(
            np.array_equal(getattr(self, field.name), getattr(other, field.name))
            for field in fields(self)
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def n_compared(self) -> Ints:
        """On how many ballots both systems are scored; on the diagonal, one."""
        compared: Ints = self.wins + self.wins.T + self.ties
        np.fill_diagonal(compared, self.n_observed.sum(axis=1))
        return compared

    @property
    def scored(self) -> Bools:
        """Mask of the systems scored on at least one ballot."""
        return np.asarray(self.n_observed.any(axis=1))

    def drop_single_scores(self) -> PlaceCounts:
        """Drop scores that are alone on their ballots, since they compare no systems."""
        # With only one system there is nothing to compare, and its scores stay.
        if len(self.wins) == 1 or not self.n_ballots[1]:
            return self
        observed, n_ballots = self.n_observed.copy(), self.n_ballots.copy()
        observed[:, 1] = 0
        n_ballots[0] += n_ballots[1]
        n_ballots[1] = 0
        return replace(self, n_observed=observed, n_ballots=n_ballots)

    @property
    def n_missing(self) -> Ints:
        """On how many ballots each system is not scored, though another one is."""
        return self.n_ballots[1:].sum() - self.n_observed.sum(axis=1)

    def reverse(self) -> PlaceCounts:
        """Return the counts of the same ballots if lower scores are better."""
        k = np.arange(len(self.n_ballots))
        above = (k - 1) * self.n_observed - self.n_below - self.n_tied
        return replace(self, wins=self.wins.T, n_below=above)

    def select_systems(self, systems: Positions) -> PlaceCounts:
        """Select these systems, in this order; those left out are on no ballot."""
        pairs, by_k = np.ix_(systems, systems), np.ix_(systems, np.arange(len(systems) + 1))
        wins, ties = (square[pairs] for square in (self.wins, self.ties))
        below, tied, observed = (row[by_k] for row in (self.n_below, self.n_tied, self.n_observed))
        return PlaceCounts(wins, ties, below, tied, observed, self.n_ballots[: len(systems) + 1])

    def rank_missing_last(self) -> PlaceCounts:
        """Rank missing scores below all others of their ballot, level with each other."""
        n_ballots = self.n_ballots[1:].sum()
        wins = self.wins + self.n_observed.sum(axis=1)[:, None] - self.n_compared
        ties = n_ballots - wins - wins.T
        for square in (wins, ties):
            np.fill_diagonal(square, 0)
        # Not whole numbers where comparisons have weights.
        below, tied, observed = np.zeros((3, *self.n_observed.shape), dtype=self.n_observed.dtype)
        below[:, -1], tied[:, -1], observed[:, -1] = wins.sum(axis=1), ties.sum(axis=1), n_ballots
        by_k = np.zeros_like(self.n_ballots)
        by_k[0], by_k[-1] = self.n_ballots[0], n_ballots
        return PlaceCounts(wins, ties, below, tied, observed, by_k)


#: How high systems stand: on each ballot, or counted over the ballots of each weight.
Standings = Profile | Mapping[float, PlaceCounts]


@dataclass(frozen=True, eq=False)
class Moments(_AdditiveCounts):
    """Sums over ballots of a number that each system has if it is scored, and 0 elsewhere."""

    sums: Floats  # the sum of each system's numbers
    products: Floats  # systems x systems: the sum of the products of two systems' numbers
    cross_sums: (
        Floats  # `beside[i, j]` is the sum of i's numbers over the ballots on which j is scored
    )

    @classmethod
    def zero(cls, n_systems: int) -> Moments:
        """Return the sums over no ballot."""
        pairs = (n_systems, n_systems)
        return cls(np.zeros(n_systems), np.zeros(pairs), np.zeros(pairs))

    def reversed(self) -> Moments:
        """Return the sums of the same numbers with the other sign."""
        return Moments(-self.sums, self.products, -self.cross_sums)

    def select_systems(self, systems: Positions, factor: float = 1.0) -> Moments:
        """Select the sums of these systems' numbers, in this order, each times a factor."""
        pairs = np.ix_(systems, systems)
        return Moments(
            self.sums[systems] * factor,
            self.products[pairs] * factor**2,
            self.cross_sums[pairs] * factor,
        )


@dataclass(frozen=True, eq=False)
class BallotCounts(_AdditiveCounts):
    """All that is kept of ballots that weigh the same, once their scores are gone."""

    # The counts of different ballots of the same systems add up by `+`: the places exactly, the
    # sums of numbers within rounding.

    places: PlaceCounts  # who stands above whom, and how high
    scores: Moments  # the scores, summed
    #: Borda points averaged over the compatible rankings, less the mean of all systems: with k of N
    #: systems scored (N + 1) / (2 (k + 1)) times the systems below minus those above; else 0.
    points: Moments
    max_abs_score: Floats  # the largest absolute score of each system; 0 for one that has none

    @classmethod
    def zero(cls, n_systems: int) -> BallotCounts:
        """Return the counts of no ballot."""
        moments = (Moments.zero(n_systems), Moments.zero(n_systems))
        return cls(PlaceCounts.zero(n_systems), *moments, np.zeros(n_systems))

    def __add__(self, other: BallotCounts) -> BallotCounts:
        return replace(
            super().__add__(other),
            max_abs_score=np.maximum(self.max_abs_score, other.max_abs_score),
        )

    @property
    def n_systems(self) -> int:
        """The number of systems."""
        return len(self.max_abs_score)

    def reversed(self) -> BallotCounts:
        """Return the counts of the same ballots if lower scores are better, and negated."""
        return BallotCounts(
            self.places.reverse(),
            self.scores.reversed(),
            self.points.reversed(),
            self.max_abs_score,
        )

    def select_systems(self, systems: Positions) -> BallotCounts:
        """Select these systems, in this order; those left out are on no ballot."""
        factor = (len(systems) + 1) / (self.n_systems + 1)
        return BallotCounts(
            self.places.select_systems(systems),
            self.scores.select_systems(systems),
            self.points.select_systems(systems, factor),
            self.max_abs_score[systems],
        )


def count_places(scores: Array) -> PlaceCounts:
    """Count places and pairs: systems x ballots, NaN without a score."""
    parts = map_ballot_chunks(lambda part: _count_places_chunk(scores[:, part]), scores.shape)
    return sum(parts, start=PlaceCounts.zero(len(scores)))


def count_ballots(scores: Array) -> BallotCounts:
    """Count all that can be kept of ballots without their scores."""
    parts = map_ballot_chunks(lambda part: _count_ballots_chunk(scores[:, part]), scores.shape)
    return sum(parts, start=BallotCounts.zero(len(scores)))


def sum_by_key(parts: Iterable[tuple[Key, Counts]]) -> dict[Key, Counts]:
    """Add up the counts that have the same key."""
    totals: dict[Key, Counts] = {}
    for key, counts in parts:
        totals[key] = totals[key] + counts if key in totals else counts
    return totals


def count_by_weight(
    profile: Profile, count: Callable[[Array], Counts]
) -> Mapping[float, Counts] | None:
    """Count the ballots of each weight; None if too few in a row weigh the same for it to pay."""
    # What is counted of each weight is exact, so that it doesn't matter in which order the ballots
    # come.
    changes: Positions = np.flatnonzero(np.diff(profile.weights)) + 1
    bounds = [0, *changes.tolist(), len(profile.weights)]
    if len(profile.weights) < _MIN_LONG_RUN * (len(bounds) - 1):
        return None
    results = sum_by_key(
        (float(profile.weights[start]), count(profile.scores[:, start:stop]))
        for start, stop in pairwise(bounds)
    )
    return dict(sorted(results.items()))


def compress_standings(standings: Standings) -> Standings:
    """Compress the ballots to counts if that pays."""
    if isinstance(standings, Mapping):
        return standings
    return count_by_weight(standings, count_places) or standings


def iter_row_comparisons(
    scores: Array, comparisons: Sequence[np.ufunc]
) -> Iterator[tuple[int, tuple[Bools, ...]]]:
    """Compare each system with all that come before it, on each of a few ballots."""
    # The table yielded for a comparison is overwritten by the next.
    buffers = [np.empty(scores.shape, dtype=np.bool_) for _ in comparisons]
    both = list(zip(comparisons, buffers, strict=True))
    for i in range(1, len(scores)):
        yield i, tuple(holds(scores[i], scores[:i], out=buffer[:i]) for holds, buffer in both)


def _count_places_chunk(scores: Array) -> PlaceCounts:
    place_counts = PlaceCounts.zero(len(scores))
    ordered, place_counts.n_ballots[:] = _sort_by_n_scored(scores)
    incomplete, complete = place_counts.n_ballots.copy(), place_counts.n_ballots.copy()
    incomplete[-1], complete[1:-1] = 0, 0
    complete[0] = incomplete.sum()
    for block, sizes in _iter_chunks(incomplete):
        _add_places(place_counts, ordered[:, block], sizes)
    for block, _ in _iter_chunks(complete):
        _count_complete_ballots(place_counts, ordered[:, block])
    return place_counts


def _count_ballots_chunk(scores: Array) -> BallotCounts:
    n_systems = len(scores)
    size = max(_BLOCK // 8 // n_systems, 1)
    ballot_counts = BallotCounts.zero(n_systems)
    ordered, ballot_counts.places.n_ballots[:] = _sort_by_n_scored(scores)
    for block, sizes in _iter_chunks(ballot_counts.places.n_ballots):
        ahead = _add_places(ballot_counts.places, ordered[:, block], sizes)
        stretch = np.repeat((n_systems + 1) / 2 / (np.arange(len(sizes)) + 1), sizes)
        # Numbers of eight bytes, several for each score: again in blocks that stay in cache.
        for some in chunk_slices(0, len(stretch), size):
            numbers = ordered[:, block][:, some].astype(np.float64)
            missing = np.isnan(numbers)
            numbers[missing] = 0.0
            observed = 1.0 - missing
            _add_moments(ballot_counts.points, ahead[:, some] * stretch[some], observed)
            _add_moments(ballot_counts.scores, numbers, observed)
            np.maximum(
                ballot_counts.max_abs_score,
                np.abs(numbers).max(axis=1),
                out=ballot_counts.max_abs_score,
            )
    return ballot_counts


def _sort_by_n_scored(scores: Array) -> tuple[Array, Ints]:
    """Sort the ballots by how many systems are scored on them; count those with each number."""
    n_systems, n_ballots = scores.shape
    sizes = np.zeros(n_systems + 1, dtype=np.int64)
    observed = scores == scores
    if observed.all():
        sizes[-1] = n_ballots
        return scores, sizes
    small = np.uint8 if n_systems < 256 else np.uint16
    n_observed = np.add.reduce(observed.view(np.uint8), axis=0, dtype=small)
    sizes += np.bincount(n_observed, minlength=len(sizes))
    # Stable, so that numpy sorts such small numbers by their digits.
    return np.take(scores, np.argsort(n_observed, kind="stable"), axis=1), sizes


def _iter_chunks(sizes: Ints) -> Iterator[tuple[slice, Ints]]:
    """Yield some ballots at a time, none without a score, and how many have each number scored."""
    ends = np.cumsum(sizes)
    size = max(_BLOCK // len(sizes), _MIN_CHUNK_BALLOTS)
    for block in chunk_slices(int(ends[0]), int(ends[-1]), size):
        within = np.clip(ends, block.start, block.stop)
        yield block, np.diff(within, prepend=block.start).astype(np.intp)


def _count_complete_ballots(place_counts: PlaceCounts, scores: Array) -> None:
    """Count ballots on which all systems are scored, where two comparisons tell of the third."""
    n_systems, n_ballots = scores.shape
    wins = np.zeros_like(place_counts.wins)
    for i, (above, below) in iter_row_comparisons(scores, (np.greater, np.less)):
        wins[i, :i], wins[:i, i] = _row_counts(above), _row_counts(below)
    ties = n_ballots - wins - wins.T
    np.fill_diagonal(ties, 0)
    place_counts.wins[:] += wins
    place_counts.ties[:] += ties
    place_counts.n_below[:, n_systems] += wins.sum(axis=1)
    place_counts.n_tied[:, n_systems] += ties.sum(axis=1)
    place_counts.n_observed[:, n_systems] += n_ballots


def _add_places(place_counts: PlaceCounts, scores: Array, sizes: Ints) -> NDArray[np.signedinteger]:
    """Count ballots in the order of k; return how many are below each system, less those above."""
    n_systems = len(scores)
    small = np.int8 if n_systems <= 128 else np.int16
    ahead: NDArray[np.signedinteger] = np.zeros(scores.shape, dtype=small)
    tied = np.zeros(scores.shape, dtype=small)
    for i, (above, below, level) in iter_row_comparisons(scores, (np.greater, np.less, np.equal)):
        place_counts.wins[i, :i] += _row_counts(above)
        place_counts.wins[:i, i] += _row_counts(below)
        n_level = _row_counts(level)
        place_counts.ties[i, :i] += n_level
        place_counts.ties[:i, i] += n_level
        lead = np.subtract(above.view(np.int8), below.view(np.int8), out=above.view(np.int8))
        ahead[:i] -= lead
        ahead[i] += np.add.reduce(lead, axis=0, dtype=small)
        tied[:i] += level.view(np.int8)
        tied[i] += np.add.reduce(level.view(np.int8), axis=0, dtype=small)
    stops = np.cumsum(sizes)
    for k in np.flatnonzero(sizes).tolist():
        on = slice(stops[k] - sizes[k], stops[k])
        n_tied = tied[:, on].sum(axis=1, dtype=np.int64)
        n_observed = _row_counts(scores[:, on] == scores[:, on])
        place_counts.n_tied[:, k] += n_tied
        place_counts.n_observed[:, k] += n_observed
        # Of the k - 1 others that are scored, those not level are below or above.
        doubled = ahead[:, on].sum(axis=1, dtype=np.int64) + (k - 1) * n_observed - n_tied
        place_counts.n_below[:, k] += doubled // 2
    return ahead


def _row_counts(mask: Bools) -> Ints:
    """Count the true values in each row; numpy counts a long row faster than rows of a table."""
    if mask.shape[1] < _LONG_ROW:
        return np.count_nonzero(mask, axis=1)
    return np.array([np.count_nonzero(row) for row in mask])


def _add_moments(moments: Moments, numbers: Floats, observed: Floats) -> None:
    # Infinite and huge scores have no sum; who asks for one is refused.
    with np.errstate(over="ignore", invalid="ignore"):
        moments.sums[:] += numbers.sum(axis=1)
        moments.products[:] += numbers @ numbers.T
        moments.cross_sums[:] += numbers @ observed.T
