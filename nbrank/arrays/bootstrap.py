"""Ranks under resampling: how often each unit is drawn, and what ranks come of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nbrank.arrays.contributions import Contributions
from nbrank.arrays.pairwise import PairwiseCounts
from nbrank.arrays.profile import TOLERANCE, Profile

Floats = NDArray[np.float64]
Ranks = NDArray[np.int64]

#: Units drawn at a time; what is drawn for them fits in cache next to their scores.
_BLOCK = 4096


@dataclass(frozen=True)
class Spread:
    """What the resamples say of each system.

    Parameters
    ----------
    low, high
        The percentiles of its rank.
    p_best
        The share of the resamples that it wins, tied winners sharing one equally.
    """

    low: Ranks
    high: Ranks
    p_best: Floats


@dataclass(frozen=True)
class Drawn:
    """How often some of the units are drawn.

    Parameters
    ----------
    units
        The units.
    counts
        Units x resamples: how often each is drawn.
    """

    units: NDArray[np.intp]
    counts: Floats


def draws(strata: NDArray[np.intp], n_resamples: int, rng: np.random.Generator) -> Iterator[Drawn]:
    """Draw as many units of each stratum as it has, with replacement, some units at a time.

    >>> strata = np.array([0, 0, 0, 1])
    >>> drawn = list(draws(strata, 2, np.random.default_rng(0)))
    >>> [(one.units.tolist(), one.counts.sum(axis=0).tolist()) for one in drawn]
    [([0, 1, 2], [3.0, 3.0]), ([3], [1.0, 1.0])]
    """
    for stratum in np.unique(strata):
        units = np.flatnonzero(strata == stratum)
        blocks = [units[start : start + _BLOCK] for start in range(0, len(units), _BLOCK)]
        share = np.array([len(block) for block in blocks]) / len(units)
        totals = rng.multinomial(len(units), share, size=n_resamples)
        for block, total in zip(blocks, totals.T, strict=True):
            resample = np.repeat(np.arange(n_resamples), total)
            which = rng.integers(len(block), size=len(resample))
            counts = np.bincount(which * n_resamples + resample, minlength=len(block) * n_resamples)
            yield Drawn(block, counts.reshape(len(block), n_resamples).astype(float))


def n_blocks(strata: NDArray[np.intp]) -> int:
    """How many times `draws` yields."""
    return int(np.ceil(np.unique(strata, return_counts=True)[1] / _BLOCK).sum())


def resampled_means(
    contributions: Contributions, drawn: Iterable[Drawn], n_resamples: int
) -> Floats:
    """Systems x resamples: the means of the drawn units; NaN where none of them counts.

    >>> values = Contributions.of(np.array([[1.0, 4.0]]), None, np.ones(2))
    >>> twice_the_first = Drawn(np.array([0, 1]), np.array([[2.0], [0.0]]))
    >>> resampled_means(values, [twice_the_first], 1).tolist()
    [[1.0]]
    """
    amounts = np.zeros((len(contributions.amounts), n_resamples))
    weights = np.zeros((len(contributions.weights), n_resamples))
    for one in drawn:
        amounts += contributions.amounts[:, one.units] @ one.counts
        weights += contributions.weights[:, one.units] @ one.counts
    weights = np.broadcast_to(weights, amounts.shape)
    means = np.full(amounts.shape, np.nan)
    np.divide(amounts, weights, out=means, where=weights > 0)
    return means


def resampled_counts(
    profile: Profile, unit_of: NDArray[np.intp], drawn: Iterable[Drawn], n_resamples: int
) -> Iterator[tuple[PairwiseCounts, NDArray[np.bool_]]]:
    """The pairwise counts of each resample, and which systems have a score in it.

    Parameters
    ----------
    profile
        The ballots.
    unit_of
        The unit of each ballot.
    drawn
        How often the units are drawn.
    n_resamples
        The number of resamples.
    """
    n_systems = len(profile.scores)
    first, second = np.triu_indices(n_systems, 1)
    up, down, level = np.zeros((3, len(first), n_resamples))
    totals = np.zeros(n_resamples)
    observed = np.zeros((n_systems, n_resamples))
    for one in drawn:
        position = np.full(unit_of.max() + 1, -1)
        position[one.units] = np.arange(len(one.units))
        ballots = np.flatnonzero(position[unit_of] >= 0)
        weights = profile.weights[ballots, None] * one.counts[position[unit_of[ballots]]]
        scores = profile.scores[:, ballots]
        left, right = scores[first], scores[second]
        up += (left > right) @ weights
        down += (left < right) @ weights
        level += (left == right) @ weights
        totals += weights.sum(axis=0)
        observed += ~np.isnan(scores) @ weights
    for resample, total in enumerate(totals):
        wins, ties = np.zeros((2, n_systems, n_systems))
        wins[first, second], wins[second, first] = up[:, resample], down[:, resample]
        ties[first, second] = ties[second, first] = level[:, resample]
        yield PairwiseCounts(wins, ties, float(total)), observed[:, resample] > 0


def ranks_of(scores: Floats) -> Ranks:
    """Systems x resamples: the ranks, the best 1, tied systems sharing the smallest, NaN last.

    >>> ranks_of(np.array([[5.0, 1.0], [7.0, np.nan], [5.0, 2.0]])).T.tolist()
    [[2, 1, 2], [2, 3, 1]]
    """
    missing = np.isnan(scores)
    worse = np.where(missing, np.inf, -scores)
    order = np.argsort(worse, axis=0, kind="stable")
    ordered = np.take_along_axis(worse, order, axis=0)
    tolerance = TOLERANCE * np.abs(np.where(missing, 0.0, scores)).max(axis=0)
    starts = np.ones(scores.shape, dtype=bool)
    # Two systems without a score are level, and infinity minus infinity is not above zero.
    with np.errstate(invalid="ignore"):
        starts[1:] = ordered[1:] - ordered[:-1] > tolerance
    places = np.arange(1, len(scores) + 1)[:, None]
    ranks = np.empty(scores.shape, dtype=np.int64)
    np.put_along_axis(ranks, order, np.maximum.accumulate(np.where(starts, places, 0)), axis=0)
    return ranks


def winners_of(scores: Floats, ranks: Ranks) -> Floats:
    """Systems x resamples: the share of the win, split between those of rank 1 with a score."""
    first = ((ranks == 1) & ~np.isnan(scores)).astype(float)
    shares: Floats = first / np.maximum(first.sum(axis=0), 1.0)
    return shares


def spread(ranks: Ranks, wins: Floats, delta: float) -> Spread:
    """The percentiles of the ranks, as ranks that occur, and the mean share of the wins.

    >>> ranks = np.array([[1, 1, 2, 1], [2, 2, 1, 2]])
    >>> found = spread(ranks, (ranks == 1).astype(float), 0.2)
    >>> found.low.tolist(), found.high.tolist(), found.p_best.tolist()
    ([1, 1], [2, 2], [0.75, 0.25])
    """
    low, high = np.quantile(ranks, [delta / 2, 1 - delta / 2], axis=1, method="inverted_cdf")
    return Spread(low.astype(np.int64), high.astype(np.int64), wins.mean(axis=1))
