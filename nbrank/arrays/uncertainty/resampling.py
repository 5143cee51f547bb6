"""Ranks under resampling: how often each unit is drawn, and what ranks come of it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import DTypeLike

from nbrank.arrays.ballots.pairwise_counts import PairwiseCounts
from nbrank.arrays.ballots.profile import (
    Profile,
    competition_ranks_columns,
    power_of_two,
    safe_divide,
)
from nbrank.arrays.chunking import chunk_slices, group_sort
from nbrank.arrays.typing import Array, Bools, Floats, Ints, Positions
from nbrank.arrays.uncertainty.influence import Contributions

#: Units drawn at a time, and ballots compared at a time.
_BLOCK = 4096
#: Units x resamples counted at a time, few enough to stay in cache.
_CELLS = 1 << 16
#: Pairs whose comparisons are added up at a time, in one product of matrices.
_PAIRS = 128
#: A function of each pair's counts.
_COMPARISONS = (np.greater, np.less, np.equal)


@dataclass(frozen=True)
class Multiplicities:
    """How often some of the units are drawn."""

    units: Positions
    counts: Array  # units x resamples


def draw_multiplicities(
    strata: Positions,
    n_resamples: int,
    rng: np.random.Generator,
    dtype: DTypeLike = np.float64,
    copies: Ints | None = None,
) -> Iterator[Multiplicities]:
    """Draw as many units of each stratum as it has, with replacement, some units at a time."""
    # Where there are several copies of a unit, each of them is drawn on its own.
    for stratum in np.unique(strata):
        units = np.flatnonzero(strata == stratum)
        blocks = [units[block] for block in chunk_slices(0, len(units), _BLOCK)]
        of_each = [np.ones(len(block)) if copies is None else copies[block] for block in blocks]
        sizes = np.array([number.sum() for number in of_each])
        totals = rng.multinomial(int(sizes.sum()), sizes / sizes.sum(), size=n_resamples)
        for block, number, total in zip(blocks, of_each, totals.T, strict=True):
            if copies is not None:
                drawn = rng.multinomial(total, number / number.sum())
                yield Multiplicities(block, drawn.T.astype(dtype))
                continue
            # Resamples in rows, a few at a time, so that what is counted stays in cache.
            counts = np.empty((n_resamples, len(block)), dtype=dtype)
            size = max(_CELLS // len(block), 1)
            for part in chunk_slices(0, n_resamples, size):
                some, times = counts[part], total[part]
                cell = rng.integers(len(block), size=times.sum())
                cell += np.repeat(np.arange(len(some)) * len(block), times.astype(np.intp))
                some[:] = np.bincount(cell, minlength=some.size).reshape(some.shape)
            yield Multiplicities(block, counts.T)


def n_blocks(strata: Positions) -> int:
    """Count how many times `draw_multiplicities` yields."""
    return int(np.ceil(np.unique(strata, return_counts=True)[1] / _BLOCK).sum())


def resampled_means(
    contributions: Contributions, multiplicities: Iterable[Multiplicities], n_resamples: int
) -> Floats:
    """Average the drawn units: systems x resamples; NaN if none of them counts."""
    # In a unit near the largest, so that no sum of them is beyond a float.
    unit = power_of_two(float(np.abs(contributions.amounts).max(initial=0.0)) or 1.0)
    units = contributions.amounts.T / unit
    amounts = np.zeros((n_resamples, len(contributions.amounts)))
    weights = np.zeros((n_resamples, len(contributions.weights)))
    for item in multiplicities:
        # The long counts on the left: on the right the product takes several times as long.
        amounts += item.counts.T @ units[item.units]
        weights += item.counts.T @ contributions.weights[:, item.units].T
    return safe_divide(amounts.T, weights.T) * unit


def resampled_counts(
    profile: Profile, unit_codes: Positions, resamples: Iterable[Multiplicities], n_resamples: int
) -> Iterator[tuple[PairwiseCounts, Bools]]:
    """Yield the pairwise counts of each resample, and which systems have a score in it."""
    n_systems = len(profile.scores)
    i, j = np.tril_indices(n_systems, -1)
    # Of the pairs: the first above, below, level.
    outcomes = np.zeros((n_resamples, len(i), 3))
    totals = np.zeros(n_resamples)
    observed = np.zeros((n_resamples, n_systems))
    # The ballots of a unit stand together in this order, from its start on.
    ordered, sizes = np.argsort(unit_codes, kind="stable"), np.bincount(unit_codes)
    starts = np.cumsum(sizes) - sizes
    for multiplicities in resamples:
        unit = np.repeat(np.arange(len(multiplicities.units)), sizes[multiplicities.units])
        places = (
            starts[multiplicities.units][unit] + np.arange(len(unit)) - np.searchsorted(unit, unit)
        )
        every = ordered[places]
        for block in chunk_slices(0, len(every), _BLOCK):
            scores, weights = profile.scores[:, every[block]], profile.weights[every[block]]
            times = np.take(multiplicities.counts.T, unit[block], axis=1)
            if (weights == weights[0]).all():
                # These are whole numbers, and the ballots are few enough for float32 to hold them
                # exactly.
                weight, times = float(weights[0]), times.astype(np.float32, copy=False)
            else:
                weight, times = 1.0, times * weights
            present = scores == scores
            total = times.sum(axis=1, dtype=np.float64)
            totals += weight * total
            observed += times @ present.T.astype(times.dtype)
            # Of whole numbers what is neither above nor below is level, without rounding.
            two = times.dtype == np.float32 and bool(present.all())
            asked = _COMPARISONS[: 2 if two else 3]
            for pairs in chunk_slices(0, len(i), _PAIRS):
                left, right = scores[i[pairs]], scores[j[pairs]]
                held = np.empty((len(left), len(asked), len(weights)), dtype=times.dtype)
                for place, holds in enumerate(asked):
                    holds(left, right, out=held[:, place])
                result = (times @ held.reshape(-1, len(weights)).T).astype(np.float64)
                result = result.reshape(len(times), *held.shape[:2])
                outcomes[:, pairs, : len(asked)] += weight * result
                if two:
                    outcomes[:, pairs, 2] += weight * (total[:, None] - result.sum(axis=2))
    for outcome, total, seen in zip(outcomes, totals, observed, strict=True):
        wins, ties = np.zeros((2, n_systems, n_systems))
        wins[i, j], wins[j, i], level = outcome.T
        ties[i, j] = ties[j, i] = level
        yield PairwiseCounts(wins, ties, float(total)), seen > 0


def reweight_unit_counts(
    counts: Sequence[PairwiseCounts], scored: Bools, drawn: Iterable[Multiplicities], n: int
) -> Iterator[tuple[PairwiseCounts, Bools]]:
    """Yield the same of counted units, from systems x units: which has a score in which."""
    times = np.zeros((len(counts), n))
    for multiplicities in drawn:
        times[multiplicities.units] = multiplicities.counts
    wins, ties = np.stack([(count.wins, count.ties) for count in counts], axis=1)
    totals = np.array([count.total for count in counts])
    for each in times.T:
        sums = np.tensordot(each, wins, 1), np.tensordot(each, ties, 1)
        observed = scored[:, each > 0].any(axis=1)
        yield PairwiseCounts(*sums, float(each @ totals)), np.asarray(observed)


def max_abs_by_unit(cells: Array, unit_codes: Positions) -> Floats:
    """Return the largest |cell| of each system and unit, NaN if all are missing."""
    order, starts = group_sort(unit_codes)
    return np.fmax.reduceat(np.abs(cells[:, order]), starts, axis=1)


def ranks_of_means(
    means: Floats,
    largest: Floats,
    sizes: Callable[[], Floats] | None,
    drawn: Callable[[], Iterable[Multiplicities]],
) -> Ints:
    """Rank by means, which tie on the scale of the drawn cells: systems x resamples."""
    # The largest |cell| of each system is given, and what is seldom needed can be made: that of
    # each system in each unit (None if it is always the same), and the same draws again.
    ranks = competition_ranks_columns(means, largest[:, None])
    if sizes is None:
        return ranks
    # No mean is larger than its largest cell.
    least = competition_ranks_columns(means, np.abs(means))
    doubtful = np.flatnonzero((ranks != least).any(axis=0))
    if len(doubtful):
        of_units, result = sizes(), np.zeros((len(means), len(doubtful)))
        for multiplicities in drawn():
            for column, counts in zip(result.T, multiplicities.counts[:, doubtful].T, strict=True):
                observed = of_units[:, multiplicities.units[counts > 0]]
                np.fmax(column, np.fmax.reduce(observed, axis=1, initial=0.0), out=column)
        ranks[:, doubtful] = competition_ranks_columns(means[:, doubtful], result)
    return ranks


def win_shares(scores: Floats, ranks: Ints) -> Floats:
    """Split the win between the scored systems of rank 1: systems x resamples."""
    first = ((ranks == 1) & ~np.isnan(scores)).astype(float)
    return first / np.maximum(first.sum(axis=0), 1.0)


def percentiles(ranks: Ints, delta: float) -> Ints:
    """Compute the lower and the upper percentile of each system's ranks, as ranks that occur."""
    result = np.quantile(ranks, [delta / 2, 1 - delta / 2], axis=1, method="inverted_cdf")
    return result.astype(np.int64)
