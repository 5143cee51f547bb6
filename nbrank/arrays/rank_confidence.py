"""Confidence sets for ranks: which pairs can be told apart, and what that leaves of each rank."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from nbrank.arrays.contributions import Contributions

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: From this many units on, sums of random signs are drawn from the normal distribution with
#: their covariance: a sum of so many signs has it to within what ten thousand draws can show.
MANY_UNITS = 2000

#: Draws computed at a time.
_BLOCK = 2**22


@dataclass(frozen=True)
class RankSets:
    """The ranks that each system may have.

    Parameters
    ----------
    low, high
        The best and the worst rank of each system's set.
    """

    low: NDArray[np.int64]
    high: NDArray[np.int64]


@dataclass(frozen=True)
class _Differences:
    """Studentised differences of all pairs, observed and drawn as if no two systems differed.

    Parameters
    ----------
    observed
        Systems x systems, antisymmetric: how far the row is ahead of the column.
    drawn
        A function from a system to systems x draws: how far it is ahead of each
        system in each draw.
    n_draws
        The number of draws.
    """

    observed: Floats
    drawn: Callable[[int], Floats]
    n_draws: int


def by_sign_flips(
    contributions: Contributions, delta: float, draws: int, rng: np.random.Generator, *, joint: bool
) -> RankSets:
    r"""Confidence sets for the ranks of means over independent units.

    The difference of two systems' means is a sum of one number per unit, d_u. If the two
    are equally good, and the units' errors are as likely to point one way as the other,
    then turning the signs of whole units, all systems together, changes nothing in the
    distribution of the self-normalised sums

        sum_u s_u d_u / sqrt(sum_u d_u^2)

    of all such pairs (Canay, Romano and Shaikh, 2017), however few the units. (Student's t
    statistic is an increasing function of this one.) So the largest of them over the pairs,
    in draws of the signs, gives a critical value for all pairs at once; pairs found
    different are taken out, and the rest tested again (Romano and Wolf, 2005).

    Where the units count differently for two systems (missing scores), d_u is taken about
    the mean of the two, which is the mean of each if they are equally good.

    Parameters
    ----------
    contributions
        What each unit adds to each system's mean.
    delta
        One minus the confidence.
    draws
        The number of draws of the signs; all 2^units of them where they are not more.
    rng
        The source of randomness.
    joint
        Whether the sets hold for all systems at once, or each for its own.
    """
    estimates = contributions.estimates
    known = ~np.isnan(estimates)
    common = contributions.weights.shape[0] == 1
    weights = contributions.weights if common else contributions.weights[known]
    totals = weights.sum(axis=1, keepdims=True)
    # About a common centre: the differences stay, and rounding errors get small.
    centre = estimates[known].mean() if known.any() else 0.0
    means = estimates[known] - centre
    shares = weights / totals
    amounts = contributions.amounts[known] / totals - centre * shares
    pooled = None if common else _pooled(means, totals[:, 0])

    scale = np.zeros((len(means), len(means)))
    for i in range(len(means)):
        difference = amounts[i] - amounts
        if pooled is not None:
            difference -= pooled[i][:, None] * (shares[i] - shares)
        scale[i] = np.sqrt((difference**2).sum(axis=1))
    # Rounding errors are no spread.
    scale[scale <= 1e-12 * np.abs(amounts).max(initial=0.0)] = np.inf

    stacked = amounts if common else np.concatenate([amounts, shares])
    sums = _flipped_sums(stacked, draws, rng)
    return _rank_sets(_flipped(means, scale, pooled, sums), known, delta, joint=joint)


@dataclass(frozen=True)
class SummedContributions:
    """What many units add to the weighted means of the systems, summed over the units.

    Parameters
    ----------
    amounts
        The sum of each system's amounts: weight times value.
    weights
        The sum of its weights.
    amount_products
        Systems x systems: the sum over units of the product of their amounts.
    mixed_products
        Systems x systems: of the row's amount and the column's weight.
    weight_products
        Systems x systems: of their weights.
    """

    amounts: Floats
    weights: Floats
    amount_products: Floats
    mixed_products: Floats
    weight_products: Floats


def by_sums(
    summed: SummedContributions, delta: float, draws: int, rng: np.random.Generator, *, joint: bool
) -> RankSets:
    """The sets of `by_sign_flips` for more than `MANY_UNITS` units, of which only sums are left.

    With so many, the sums under random signs are drawn from the normal
    distribution, which needs no more than their covariance.

    Parameters
    ----------
    summed
        The sums over the units.
    delta, draws, rng, joint
        As for `by_sign_flips`.
    """
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
    pooled = _pooled(means, totals)

    scale = np.sqrt(
        np.maximum(
            _of_differences(amounts)
            - 2 * pooled * _of_differences(mixed)
            + pooled**2 * _of_differences(shares),
            0.0,
        )
    )
    # Rounding errors are no spread.
    largest = np.diag(summed.amount_products[pairs] / both).max(initial=0.0)
    scale[scale <= 1e-6 * np.sqrt(largest)] = np.inf

    sums = _normal(np.block([[amounts, mixed], [mixed.T, shares]]), draws, rng)
    return _rank_sets(_flipped(means, scale, pooled, sums), known, delta, joint=joint)


def _of_differences(products: Floats) -> Floats:
    """From the sums of x_i y_j to those of (x_i - x_j) (y_i - y_j)."""
    own = np.diag(products)
    differences: Floats = own[:, None] + own - products - products.T
    return differences


def _flipped(means: Floats, scale: Floats, pooled: Floats | None, sums: Floats) -> _Differences:
    """The differences of all pairs, from the sums of amounts (and of shares) with random signs."""

    def drawn(i: int) -> Floats:
        ahead: Floats = sums[i] - sums[: len(means)]
        if pooled is not None:
            ahead -= pooled[i][:, None] * (sums[len(means) + i] - sums[len(means) :])
        ahead /= scale[i][:, None]
        return ahead

    observed = (means[:, None] - means) / scale
    return _Differences(observed, drawn, sums.shape[1])


def _pooled(means: Floats, totals: Floats) -> Floats:
    """Systems x systems: the mean of the two systems' means, by the weights behind them."""
    both = totals[:, None] + totals
    pooled: Floats = (means[:, None] * totals[:, None] + means * totals) / both
    return pooled


def _flipped_sums(stacked: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Rows x draws: the rows' sums over units with random signs."""
    n_units = stacked.shape[1]
    if n_units < 60 and 2**n_units <= draws:
        signs = np.array(list(product([1.0, -1.0], repeat=n_units)))
        every: Floats = stacked @ signs.T
        return every
    if n_units > MANY_UNITS:
        return _normal(stacked @ stacked.T, draws, rng)
    sums = np.empty((len(stacked), draws))
    # The units as they are belong to the draws: the test is exact for any number of draws.
    sums[:, 0] = stacked.sum(axis=1)
    size = max(1, _BLOCK // n_units)
    for start in range(1, draws, size):
        shape = (n_units, min(size, draws - start))
        signs = 2.0 * rng.integers(0, 2, size=shape, dtype=np.int8) - 1.0
        sums[:, start : start + shape[1]] = stacked @ signs
    return sums


def _normal(covariance: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Variables x draws from the normal distribution of mean 0, which may be degenerate."""
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    normal: Floats = root @ rng.standard_normal((len(covariance), draws))
    return normal


def by_covariance(
    estimates: Floats,
    covariance: Floats,
    delta: float,
    draws: int,
    rng: np.random.Generator,
    *,
    joint: bool,
    degrees: float = np.inf,
) -> RankSets:
    """Confidence sets for the ranks of normally distributed estimates.

    The studentised differences of all pairs are tested at once against the largest of
    them in draws from the normal distribution, stepping down (Mogstad, Romano, Shaikh and
    Wilhelm, 2024).

    Parameters
    ----------
    estimates
        The estimate of each system, higher is better.
    covariance
        Their covariance matrix.
    delta
        One minus the confidence.
    draws
        The number of draws.
    rng
        The source of randomness.
    joint
        Whether the sets hold for all systems at once, or each for its own.
    degrees
        The degrees of freedom of the covariance; infinite where it is known. A
        finite number compares each difference by its t distribution: with the
        normal value that has the same probability beyond.
    """
    from scipy.special import ndtri, stdtr

    variances = np.diag(covariance)
    squared = variances[:, None] + variances - 2 * covariance
    sums = _normal(covariance, draws, rng)
    certain = squared <= 1e-12 * variances.max(initial=0.0)
    error = np.sqrt(np.where(certain, 1.0, squared))
    ahead = estimates[:, None] - estimates
    observed = np.where(certain & (ahead != 0), np.copysign(np.inf, ahead), ahead / error)
    if np.isfinite(degrees):
        observed = np.copysign(ndtri(stdtr(degrees, -np.abs(observed))), observed)

    def drawn(i: int) -> Floats:
        result: Floats = np.where(certain[i][:, None], 0.0, (sums[i] - sums) / error[i][:, None])
        return result

    differences = _Differences(observed, drawn, draws)
    return _rank_sets(differences, np.ones(len(estimates), dtype=bool), delta, joint=joint)


def _rank_sets(differences: _Differences, known: Bools, delta: float, *, joint: bool) -> RankSets:
    """One plus the systems that are better, up to all but those that are worse."""
    n_known = len(differences.observed)
    if joint:
        everything = ~np.eye(n_known, dtype=bool)
        better = _step_down(differences, everything, range(n_known), delta)
        above, below = better.sum(axis=0), better.sum(axis=1)
    else:
        above, below = np.zeros((2, n_known), dtype=np.intp)
        for i in range(n_known):
            own = np.zeros((n_known, n_known), dtype=bool)
            own[i, :] = own[:, i] = True
            own[i, i] = False
            better = _step_down(differences, own, [i], delta)
            above[i], below[i] = better[:, i].sum(), better[i].sum()
    low = np.ones(len(known), dtype=np.int64)
    high = np.full(len(known), len(known), dtype=np.int64)
    low[known] += above
    high[known] -= below
    return RankSets(low, high)


def _step_down(
    differences: _Differences, tested: Bools, rows: range | list[int], delta: float
) -> Bools:
    """Which of the tested "row is better than column" hold, with an error of any at most delta.

    Parameters
    ----------
    differences
        The pairs' statistics.
    tested
        Systems x systems: the claims to be tested; a pair's two directions are two claims.
    rows
        Systems such that every tested claim has one of them as its row or its column.
    delta
        The probability that any false claim is accepted.
    """
    accepted = np.zeros_like(tested)
    open_ = tested.copy()
    done = np.zeros(len(tested), dtype=bool)
    while open_.any():
        largest = np.full(differences.n_draws, -np.inf)
        done[:] = False
        for i in rows:
            ahead_of, behind = open_[i] & ~done, open_[:, i] & ~done
            done[i] = True
            if not (ahead_of | behind).any():
                continue
            drawn = differences.drawn(i)
            if ahead_of.any():
                np.maximum(largest, drawn[ahead_of].max(axis=0), out=largest)
            if behind.any():
                np.maximum(largest, -drawn[behind].min(axis=0), out=largest)
        # At most delta of the draws lie strictly above the critical value.
        beyond = int(np.floor(delta * len(largest) + 1e-9))
        critical = np.partition(largest, -beyond - 1)[-beyond - 1]
        new = open_ & (differences.observed > critical * (1 + 1e-9))
        if not new.any():
            break
        accepted |= new
        open_ &= ~new
    return accepted


def maximal_cliques(low: NDArray[np.int64], high: NDArray[np.int64]) -> list[NDArray[np.intp]]:
    """The largest sets of intervals that share a point, from the lowest on.

    Intervals that meet pairwise share a point, so these are also the largest
    sets of which no two are apart.

    >>> [one.tolist() for one in maximal_cliques(np.array([1, 1, 3]), np.array([2, 3, 3]))]
    [[0, 1], [1, 2]]
    """
    cliques: list[NDArray[np.intp]] = []
    # A largest set shares the highest of its lower ends, and loses a member right after
    # its lowest upper end: it is the one there with no start in between.
    for end in np.unique(high):
        members = np.flatnonzero((low <= end) & (end <= high))
        ended_before = high[high < end].max(initial=low.min() - 1)
        if low[members].max() > ended_before:
            cliques.append(members)
    return cliques
