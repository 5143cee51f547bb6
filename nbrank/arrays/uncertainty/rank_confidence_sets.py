"""Confidence sets for ranks: which pairs differ, and which ranks that leaves to each system."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from nbrank.arrays.chunking import chunk_slices
from nbrank.arrays.typing import Bools, Floats, Ints, Positions
from nbrank.arrays.uncertainty.influence import Contributions

#: From this many units on, sums of random signs are drawn from the normal distribution with
#: their covariance: a sum of this many signs has it to within what ten thousand draws can show.
MANY_UNITS = 2000

#: Draws computed at a time.
_BLOCK = 2**22

#: Differences computed at a time: they stay in the processor's cache.
_CACHED = 2**17

#: Number of pairs that share their largest draws (more, if needed), and maximum of such runs.
_RUN, _RUNS = 128, 512


class RankConfidenceSets(NamedTuple):
    """The ranks that each system may have."""

    low: Ints  # the best rank in its set
    high: Ints  # the worst


@dataclass(frozen=True)
class PairTests:
    """Tests of all pairs of systems at once, for any level: what it takes is drawn once."""

    observed: Floats  # [i, j]: the studentised difference by which i is ahead of j
    #: Systems x draws, as if no two systems differed: their means; with `pooled_means` their
    #: amounts, and below these their shares.
    sums: Floats
    scale: Floats  # [i, j]: what studentises the difference of two; infinite if none is drawn
    ranked: Bools  # of all systems, those that have an estimate; the others are in no pair
    #: [i, j]: the mean about which the two systems' amounts are taken.
    pooled_means: Floats | None = None

    @classmethod
    def of_equals(cls, n_systems: int) -> PairTests:
        """Make the tests of systems that nothing separates."""
        nothing = np.zeros((n_systems, n_systems))
        return cls(nothing, nothing[:, :1], nothing + 1, np.ones(n_systems, dtype=bool))

    @property
    def n_draws(self) -> int:
        """How many draws there are."""
        return self.sums.shape[1]

    def draw_differences(self, first: Positions, second: Positions) -> Floats:
        """Draw pairs x draws: how far the first of each pair is ahead of the second."""
        ahead = _subtract_rows(self.sums, first, second)
        if self.pooled_means is not None:
            n_known = len(self.observed)
            shares = _subtract_rows(self.sums, n_known + first, n_known + second)
            shares *= self.pooled_means[first, second][:, None]
            ahead -= shares
        ahead /= self.scale[first, second][:, None]
        return ahead

    def different(self, delta: float) -> Bools:
        """Return systems x systems: which pairs differ, with any error with probability delta."""
        better, worse = np.flatnonzero(self.ranked)[
            np.stack(self._step_down_all_pairs.find_significant_pairs(delta))
        ]
        different = np.zeros((len(self.ranked), len(self.ranked)), dtype=bool)
        different[better, worse] = different[worse, better] = True
        return different

    def rank_sets(self, delta: float, *, joint: bool) -> RankConfidenceSets:
        """Rank each system by one plus the better ones, up to all but the worse ones."""
        # They hold with probability 1 - delta, jointly or each for its own system.
        n_known, n_systems = len(self.observed), len(self.ranked)
        above, below = np.zeros((2, n_known), dtype=np.intp)
        if joint:
            better, worse = self._step_down_all_pairs.find_significant_pairs(delta)
            below += np.bincount(better, minlength=n_known)
            above += np.bincount(worse, minlength=n_known)
        else:
            for i in range(n_known):
                others = np.delete(np.arange(n_known), i)
                own = _StepDown.from_pairs(self, np.full(n_known - 1, i), others)
                better, worse = own.find_significant_pairs(delta)
                below[i], above[i] = (better == i).sum(), (worse == i).sum()
        low = np.ones(n_systems, dtype=np.int64)
        high = np.full(n_systems, n_systems, dtype=np.int64)
        low[self.ranked] += above
        high[self.ranked] -= below
        return RankConfidenceSets(low, high)

    def best_p_values(self) -> Floats:
        """Compute how likely others lead each system by as much if it is best; NaN if unranked."""
        # A system is compared with all others at once, one-sided (Gupta, 1956; Hsu, 1981): its
        # largest studentised lag behind any other, against the largest in the draws. Whoever is
        # behind nobody has a lag of 0, and the p-value 1.
        n_known = len(self.observed)
        lags = np.maximum(self.observed.max(axis=0, initial=0.0), 0.0)
        reached = np.zeros((n_known, self.n_draws), dtype=bool)
        # Sums of the same numbers differ by rounding errors.
        lags_in_draws = (lags * (1 - 1e-9))[:, None]
        for i in range(n_known - 1):
            for part in _draw_slices(i + 1, n_known, self.n_draws):
                others = np.arange(part.start, part.stop)
                ahead = self.draw_differences(np.full(len(others), i), others)
                reached[part] |= ahead >= lags_in_draws[part]
                reached[i] |= (ahead <= -lags_in_draws[i]).any(axis=0)
        result = np.full(len(self.ranked), np.nan)
        shares = np.where(lags > 0, reached.mean(axis=1), 1.0)
        result[self.ranked] = np.maximum(shares, 1 / self.n_draws)
        return result

    def significant_pairs(self, delta: float) -> tuple[Positions, Positions, Floats]:
        """Find which system is better than which, with adjusted p-values."""
        known = np.flatnonzero(self.ranked)
        better, worse = self._step_down_all_pairs.find_significant_pairs(delta)
        p_values = self._step_down_all_pairs.adjusted_p_values(len(better))
        return known[better], known[worse], p_values

    @cached_property
    def _step_down_all_pairs(self) -> _StepDown:
        return _StepDown.from_pairs(self, *np.triu_indices(len(self.observed), 1))


@dataclass(frozen=True)
class _StepDown:
    """Claims "the first is better than the second", tested step by step."""

    # A step accepts the claims above a critical value, and leaves open those up to it. So in the
    # order of their statistics the open claims are always the last ones, and it is enough to keep
    # the largest draws of the claims from some places on: none of this depends on the level.

    tests: PairTests
    #: The claims about the system that is ahead in each pair, the highest statistic first; the
    #: opposite ones are never made, but any of them may be in the draws.
    first: Positions
    second: Positions
    chunk_size: int  # how many claims share a row of `largest`
    #: For the start of each such run, and of the opposite claims: the largest draw of the claims
    #: from there on, rows x draws.
    largest: Floats

    @classmethod
    def from_pairs(cls, tests: PairTests, left: Positions, right: Positions) -> _StepDown:
        """Order the claims about these pairs."""
        ahead = tests.observed[left, right]
        better, worse = np.where(ahead >= 0, (left, right), (right, left))
        order = np.argsort(-np.abs(ahead), kind="stable")
        better, worse = better[order], worse[order]
        n_pairs = len(order)
        run = max(_RUN, -(-n_pairs // _RUNS))
        n_runs = -(-n_pairs // run)
        largest = np.full((n_runs + 1, tests.n_draws), -np.inf)
        opposite = largest[-1]
        for row, block in zip(largest, chunk_slices(0, n_pairs, run), strict=False):
            for part in _draw_slices(block.start, block.stop, tests.n_draws):
                drawn = tests.draw_differences(better[part], worse[part])
                np.maximum(row, drawn.max(axis=0), out=row)
                np.maximum(opposite, -drawn.min(axis=0), out=opposite)
        largest = np.maximum.accumulate(largest[::-1])[::-1]
        return cls(tests, better, worse, run, largest)

    def find_significant_pairs(self, delta: float) -> tuple[Positions, Positions]:
        """Find which system is better than which, any error with probability delta."""
        observed = self.tests.observed[self.first, self.second]
        accepted = 0
        while accepted < len(observed):
            largest = self._running_max_draws(accepted)
            # At most delta of the draws lie strictly above the critical value.
            beyond = int(np.floor(delta * len(largest) + 1e-9))
            critical = np.partition(largest, -beyond - 1)[-beyond - 1]
            above = int((observed > max(critical, 0.0) * (1 + 1e-9)).sum())
            if above <= accepted:
                break
            accepted = above
        return self.first[:accepted], self.second[:accepted]

    def adjusted_p_values(self, n_claims: int) -> Floats:
        """Compute at which level each of the first claims is accepted (Romano and Wolf, 2016)."""
        observed = self.tests.observed[self.first, self.second][:n_claims, None]
        largest = self._running_max_draws(n_claims)
        shares = np.empty(n_claims)
        for part in reversed(_draw_slices(0, n_claims, self.tests.n_draws)):
            drawn = self.tests.draw_differences(self.first[part], self.second[part])
            drawn[-1] = np.maximum(drawn[-1], largest)
            drawn = np.maximum.accumulate(drawn[::-1])[::-1]
            largest = drawn[0]
            shares[part] = (drawn * (1 + 1e-9) >= observed[part]).mean(axis=1)
        return np.maximum.accumulate(shares)

    def _running_max_draws(self, place: int) -> Floats:
        """Compute the largest draw of the claims from this place on."""
        row = min(-(-place // self.chunk_size), len(self.largest) - 1)
        largest, end = self.largest[row], min(row * self.chunk_size, len(self.first))
        for part in _draw_slices(place, end, self.tests.n_draws):
            drawn = self.tests.draw_differences(self.first[part], self.second[part])
            largest = np.maximum(largest, drawn.max(axis=0))
        return largest


def _subtract_rows(values: Floats, first: Positions, second: Positions) -> Floats:
    """Subtract rows from others, one by one: three times as fast as all at once."""
    differences = np.empty((len(first), values.shape[1]))
    for row, one, other in zip(differences, first.tolist(), second.tolist(), strict=True):
        np.subtract(values[one], values[other], out=row)
    return differences


def _draw_slices(start: int, end: int, n_draws: int) -> list[slice]:
    """Split the claims from start to end into slices whose draws fit into the cache."""
    return chunk_slices(start, end, max(1, _CACHED // n_draws))


@dataclass(frozen=True)
class UnitParts:
    """Parts of the systems' means, unit by unit, for the differences of two."""

    known: Bools  # of all systems, those that have a mean; the others have no parts
    means: Floats  # of the known systems, about a common centre
    amounts: Floats  # known systems x units: what the unit adds to that mean
    shares: Floats  # known systems x units, or 1 x units: the unit's share of the system's weights
    #: [i, j]: the mean of both systems; None where the units count alike for all systems.
    pooled_means: Floats | None

    @classmethod
    def from_contributions(cls, contributions: Contributions) -> UnitParts:
        """Divide what each unit adds by the system's weights."""
        contributions = contributions.rescaled
        estimates = contributions.estimates
        known = ~np.isnan(estimates)
        common = contributions.weights.shape[0] == 1
        weights = contributions.weights if common else contributions.weights[known]
        totals = weights.sum(axis=1, keepdims=True)
        # A single system has weights that are common, even if nothing is known of it.
        totals[totals == 0] = 1.0
        # About a common centre: the differences stay, and rounding errors get small.
        centre = estimates[known].mean() if known.any() else 0.0
        means = estimates[known] - centre
        shares = weights / totals
        amounts = contributions.amounts[known] / totals - centre * shares
        pooled = None if common else _pooled_means(means, totals[:, 0])
        return cls(known, means, amounts, shares, pooled)

    def differences(self, first: Positions | int, second: Positions | int | slice) -> Floats:
        """Compute pairs x units: what each adds to the lead of the first over the second."""
        # Where the units count differently for two systems (missing scores), it is taken about the
        # mean of the two, which is the mean of each if they are equally good.
        ahead: Floats = self.amounts[first] - self.amounts[second]
        if self.pooled_means is not None:
            shares = self.shares[first] - self.shares[second]
            ahead -= self.pooled_means[first, second][:, None] * shares
        return ahead


def sign_flip_pair_tests(contributions: Contributions, n_draws: int, rng: Generator) -> PairTests:
    """Make the tests of all pairs of means over independent units."""
    # The difference of two systems' means is a sum of one number per unit, d_u. If the two are
    # equally good, and the units' errors are as likely to point one way as the other, then turning
    # the signs of whole units, all systems together, changes nothing in the distribution of the
    # self-normalised sums
    #
    #     sum_u s_u d_u / sqrt(sum_u d_u^2)
    #
    # of all such pairs (Canay, Romano and Shaikh, 2017), however few the units. (Student's t
    # statistic is an increasing function of this one.) So the largest of them over the pairs, in
    # draws of the signs, gives a critical value for all pairs at once; pairs found different are
    # taken out, and the rest tested again (Romano and Wolf, 2005).
    # Of all choices of signs this many are drawn, or every one taken if there are at most twice as
    # many.
    parts = UnitParts.from_contributions(contributions)
    scale = np.zeros((len(parts.means), len(parts.means)))
    for i in range(len(scale)):
        scale[i] = np.sqrt((parts.differences(i, slice(None)) ** 2).sum(axis=1))
    # Rounding errors are not a spread.
    scale[scale <= 1e-12 * np.abs(parts.amounts).max(initial=0.0)] = np.inf

    pooled = parts.pooled_means
    stacked = parts.amounts if pooled is None else np.concatenate([parts.amounts, parts.shares])
    sums = _flipped_sums(stacked, n_draws, rng)
    leads = parts.means[:, None] - parts.means
    return PairTests(leads / scale, sums, scale, parts.known, pooled)


class SummedContributions(NamedTuple):
    """Contributions of many units to the systems' weighted means, summed over the units."""

    amounts: Floats  # the sum of each system's amounts: weight times value
    weights: Floats  # the sum of its weights
    amount_products: Floats  # systems x systems: the sum over units of the product of their amounts
    mixed_products: Floats  # systems x systems: of the row's amount and the column's weight
    weight_products: Floats  # systems x systems: of their weights


def summed_pair_tests(summed: SummedContributions, n_draws: int, rng: Generator) -> PairTests:
    """Make the tests of `sign_flip_pair_tests` for more than `MANY_UNITS` units, from sums."""
    # With many units, the sums under random signs are drawn from the normal law, which needs
    # no more than their covariance.
    known = summed.weights > 0
    pairs = np.ix_(known, known)
    totals = summed.weights[known]
    estimates = summed.amounts[known] / totals
    centre = estimates.mean() if known.any() else 0.0
    means = estimates - centre
    both = totals[:, None] * totals
    # Of the shares, of the amounts about the common centre, and of one with the other.
    shares = summed.weight_products[pairs] / both
    mixed = summed.mixed_products[pairs] / both - centre * shares
    amounts = summed.amount_products[pairs] / both
    amounts -= centre * (mixed + mixed.T) + centre**2 * shares
    pooled = _pooled_means(means, totals)

    squared = _difference_products(amounts) - 2 * pooled * _difference_products(mixed)
    squared += pooled**2 * _difference_products(shares)
    scale = np.sqrt(np.maximum(squared, 0.0))
    # Rounding errors are not a spread.
    largest = np.diag(summed.amount_products[pairs] / both).max(initial=0.0)
    scale[scale <= 1e-6 * np.sqrt(largest)] = np.inf

    sums = normal_draws(np.block([[amounts, mixed], [mixed.T, shares]]), n_draws, rng)
    return PairTests((means[:, None] - means) / scale, sums, scale, known, pooled)


def _difference_products(products: Floats) -> Floats:
    """Turn sums of x_i y_j into those of (x_i - x_j) (y_i - y_j)."""
    own = np.diag(products)
    return own[:, None] + own - products - products.T


def _pooled_means(means: Floats, totals: Floats) -> Floats:
    """Average each pair's two means by the weights behind them: systems x systems."""
    both = totals[:, None] + totals
    return (means[:, None] * totals[:, None] + means * totals) / both


def _flipped_sums(stacked: Floats, n_draws: int, rng: Generator) -> Floats:
    """Sum the rows over units with random signs: rows x draws."""
    n_units = stacked.shape[1]
    if n_units < 60 and 2**n_units <= 2 * n_draws:
        signs = np.array(list(product([1.0, -1.0], repeat=n_units)))
        return stacked @ signs.T
    if n_units > MANY_UNITS:
        return normal_draws(stacked @ stacked.T, n_draws, rng)
    sums = np.empty((len(stacked), n_draws))
    # The units as they are belong to the draws: the test is exact for any number of draws.
    sums[:, 0] = stacked.sum(axis=1)
    size = max(1, _BLOCK // n_units)
    for part in chunk_slices(1, n_draws, size):
        shape = (n_units, part.stop - part.start)
        signs = 2.0 * rng.integers(0, 2, size=shape, dtype=np.int8) - 1.0
        sums[:, part] = stacked @ signs
    return sums


def normal_draws(covariance: Floats, n_draws: int, rng: Generator) -> Floats:
    """Draw variables x draws from a normal distribution of mean 0, which may be degenerate."""
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    return root @ rng.standard_normal((len(covariance), n_draws))


def maximal_cliques(low: Ints, high: Ints) -> list[Positions]:
    """Find the largest sets of intervals that share a point, from the lowest on."""
    # Intervals that meet pairwise share a point, so these are also the largest sets of which no two
    # are apart.
    cliques: list[Positions] = []
    # A largest set shares the highest of its lower ends, and loses a member right after
    # its lowest upper end: it is the one there with no start in between.
    for end in np.unique(high):
        members = np.flatnonzero((low <= end) & (end <= high))
        ended_before = high[high < end].max(initial=low.min() - 1)
        if low[members].max() > ended_before:
            cliques.append(members)
    return cliques
