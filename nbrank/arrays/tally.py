"""Ballots, counted: sums that add up, whoever counts which of the ballots."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from nbrank.arrays.parts import each_part
from nbrank.arrays.profile import Array

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: Ballots compared at a time: few enough for the rows of a block to stay in cache, and so many
#: that a call takes longer than threads need to hand the interpreter to each other.
_BLOCK = 1 << 16
#: From this many ballots on, a call for each pair costs less than reducing a table of booleans.
LONG = 2048


@dataclass(frozen=True, eq=False)
class PlaceCounts:
    """Who stands above whom on ballots that all weigh the same, and how high.

    All numbers are whole, so that the counts of any split of the ballots add up
    to those of all, to the last bit. Some have a column for each k = 0, ..., N,
    for the ballots on which exactly k of the N systems are scored: what a place
    is worth on average over the compatible rankings depends on k.

    Parameters
    ----------
    wins
        `wins[i, j]` is the number of ballots on which i stands strictly above j.
    ties
        `ties[i, j]` is the number of ballots on which both have the same score; 0
        on the diagonal.
    below, tied
        Systems x k: how many scored systems stand below each, and level with
        it, summed over the ballots on which it is scored.
    observed
        Systems x k: the number of ballots on which the system is scored.
    n_ballots
        The number of ballots, by k; those with k = 0 count nowhere else.
    """

    wins: Ints
    ties: Ints
    below: Ints
    tied: Ints
    observed: Ints
    n_ballots: Ints

    @classmethod
    def zero(cls, n_systems: int) -> PlaceCounts:
        """The counts of no ballot."""
        pairs, by_k = (n_systems, n_systems), (n_systems, n_systems + 1)
        shapes = (pairs, pairs, by_k, by_k, by_k, (n_systems + 1,))
        return cls(*(np.zeros(shape, dtype=np.int64) for shape in shapes))

    def __add__(self, other: PlaceCounts) -> PlaceCounts:
        return PlaceCounts(
            *(getattr(self, one.name) + getattr(other, one.name) for one in fields(self))
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlaceCounts) and all(
            np.array_equal(getattr(self, one.name), getattr(other, one.name))
            for one in fields(self)
        )

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, eq=False)
class Moments:
    """Sums over ballots of a number that each system has where it is scored, and 0 elsewhere.

    Parameters
    ----------
    sums
        The sum of each system's numbers.
    products
        Systems x systems: the sum of the products of two systems' numbers.
    beside
        `beside[i, j]` is the sum of i's numbers over the ballots on which j is scored.
    """

    sums: Floats
    products: Floats
    beside: Floats

    @classmethod
    def zero(cls, n_systems: int) -> Moments:
        """The sums over no ballot."""
        pairs = (n_systems, n_systems)
        return cls(np.zeros(n_systems), np.zeros(pairs), np.zeros(pairs))

    def __add__(self, other: Moments) -> Moments:
        return Moments(
            self.sums + other.sums, self.products + other.products, self.beside + other.beside
        )


@dataclass(frozen=True, eq=False)
class BallotCounts:
    """All that is kept of ballots that weigh the same, once their scores are gone.

    The counts of different ballots of the same systems add up by `+`: the places
    exactly, the sums of numbers within rounding.

    Parameters
    ----------
    places
        Who stands above whom, and how high.
    scores
        The scores, summed.
    points
        The Borda points, summed: averages over the compatible rankings, less the
        mean of all systems, so that a system without a score has 0. With k of N
        systems scored they are (N + 1) / (2 (k + 1)) times the number of
        systems below minus the number above.
    largest
        The largest absolute score of each system; 0 for one that has none.
    """

    places: PlaceCounts
    scores: Moments
    points: Moments
    largest: Floats

    @classmethod
    def zero(cls, n_systems: int) -> BallotCounts:
        """The counts of no ballot."""
        return cls(
            PlaceCounts.zero(n_systems),
            Moments.zero(n_systems),
            Moments.zero(n_systems),
            np.zeros(n_systems),
        )

    def __add__(self, other: BallotCounts) -> BallotCounts:
        return BallotCounts(
            self.places + other.places,
            self.scores + other.scores,
            self.points + other.points,
            np.maximum(self.largest, other.largest),
        )

    @property
    def n_systems(self) -> int:
        """The number of systems."""
        return len(self.largest)


def count_places(scores: Array) -> PlaceCounts:
    """Count who stands above whom, and how high.

    Parameters
    ----------
    scores
        Systems x ballots, higher is better, NaN where a system was not scored.

    Examples
    --------
    >>> found = count_places(np.array([[3.0, 1.0], [2.0, 1.0], [np.nan, 0.0]]))
    >>> found.wins.tolist(), found.ties[0].tolist(), found.n_ballots.tolist()
    ([[0, 1, 1], [0, 0, 1], [0, 0, 0]], [0, 1, 0], [0, 0, 1, 1])
    """
    total = PlaceCounts.zero(len(scores))
    for part in each_part(lambda part: _places(scores[:, part]), scores.shape[1]):
        total += part
    return total


def count_ballots(scores: Array) -> BallotCounts:
    """Count all that can be kept of ballots without their scores.

    Parameters
    ----------
    scores
        Systems x ballots, float32 or float64, higher is better, NaN where a
        system was not scored. Ballots without any score are counted as such.

    Examples
    --------
    >>> found = count_ballots(np.array([[3.0, 1.0], [2.0, 1.0], [np.nan, 0.0]]))
    >>> found.scores.sums.tolist(), found.largest.tolist()
    ([4.0, 3.0, 0.0], [3.0, 2.0, 0.0])
    >>> found.points.sums.round(3).tolist()
    [1.167, -0.167, -1.0]
    """
    total = BallotCounts.zero(len(scores))
    for part in each_part(lambda part: _ballots(scores[:, part]), scores.shape[1]):
        total += part
    return total


def _by_size(scores: Array) -> tuple[Array, NDArray[np.intp]]:
    """The ballots in the order of the number of systems scored on them, and how many have each."""
    n_systems, n_ballots = scores.shape
    missing = np.isnan(scores)
    sizes = np.zeros(n_systems + 1, dtype=np.intp)
    if not missing.any():
        sizes[n_systems] = n_ballots
        return scores, sizes
    n_missing = missing.sum(axis=0, dtype=np.uint8 if n_systems < 256 else np.uint16)
    # Stable, so that numpy sorts such small numbers by their digits.
    order = np.argsort(n_missing, kind="stable")[::-1]
    sizes[:] = np.bincount(n_missing, minlength=n_systems + 1)[::-1]
    return np.take(scores, order, axis=1), sizes


def _blocks(sizes: NDArray[np.intp]) -> Iterator[tuple[slice, NDArray[np.intp]]]:
    """Some ballots at a time that somebody is scored on, and how many of them have each k."""
    ends = np.cumsum(sizes)
    for start in range(int(ends[0]), int(ends[-1]), _BLOCK):
        stop = min(start + _BLOCK, int(ends[-1]))
        within = np.clip(ends, start, stop)
        within[1:] -= within[:-1].copy()
        within[0] -= start
        yield slice(start, stop), within


def _places(scores: Array) -> PlaceCounts:
    ordered, sizes = _by_size(scores)
    found = PlaceCounts.zero(len(scores))
    found.n_ballots[:] = sizes
    for block, within in _blocks(sizes):
        _compare(np.ascontiguousarray(ordered[:, block]), within, found)
    return found


def _ballots(scores: Array) -> BallotCounts:
    ordered, sizes = _by_size(scores)
    found = BallotCounts.zero(len(scores))
    found.places.n_ballots[:] = sizes
    for block, within in _blocks(sizes):
        part = np.ascontiguousarray(ordered[:, block])
        ahead = _compare(part, within, found.places)
        observed = np.logical_not(np.isnan(part))
        k = np.repeat(np.arange(len(sizes)), within)
        _add_up(found.points, ahead * ((len(scores) + 1) / 2 / (k + 1)), observed)
        known = np.where(observed, part, 0).astype(np.float64)
        _add_up(found.scores, known, observed)
        np.maximum(found.largest, np.abs(known).max(axis=1), out=found.largest)
    return found


def _add_up(moments: Moments, numbers: Floats, observed: Bools) -> None:
    with np.errstate(invalid="ignore"):
        moments.sums[:] += numbers.sum(axis=1)
        moments.products[:] += numbers @ numbers.T
        moments.beside[:] += numbers @ observed.T


def _compare(
    scores: Array, sizes: NDArray[np.intp], found: PlaceCounts
) -> NDArray[np.signedinteger]:
    """Add a block's counts; return how many systems are below each, minus those above it."""
    n_systems, n_ballots = scores.shape
    small = np.int8 if n_systems <= 128 else np.int16
    ahead = np.zeros((n_systems, n_ballots), dtype=small)
    tied = np.zeros((n_systems, n_ballots), dtype=small)
    for i in range(n_systems):
        for j in range(i):
            above, below = scores[i] > scores[j], scores[i] < scores[j]
            level = scores[i] == scores[j]
            found.wins[i, j] += np.count_nonzero(above)
            found.wins[j, i] += np.count_nonzero(below)
            n_level = np.count_nonzero(level)
            found.ties[i, j] += n_level
            found.ties[j, i] += n_level
            lead = above.view(np.int8) - below.view(np.int8)
            ahead[i] += lead
            ahead[j] -= lead
            tied[i] += level
            tied[j] += level
    stops = np.cumsum(sizes)
    for k in np.flatnonzero(sizes).tolist():
        on = slice(stops[k] - sizes[k], stops[k])
        n_tied = tied[:, on].sum(axis=1, dtype=np.int64)
        n_observed = np.count_nonzero(scores[:, on] == scores[:, on], axis=1)
        found.tied[:, k] += n_tied
        found.observed[:, k] += n_observed
        # The other k - 1 scored are below, level or above.
        doubled = ahead[:, on].sum(axis=1, dtype=np.int64) + (k - 1) * n_observed - n_tied
        found.below[:, k] += doubled // 2
    return ahead
