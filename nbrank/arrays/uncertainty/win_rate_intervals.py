"""How sure each pairwise comparison is: intervals for the share of ballots won."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.random import Generator

from nbrank.arrays.ballots.ballot_counts import PlaceCounts, count_by_weight, count_places
from nbrank.arrays.ballots.pairwise_counts import PairwiseCounts, combine_weighted, count_pairs
from nbrank.arrays.ballots.profile import Profile, safe_divide
from nbrank.arrays.chunking import chunk_slices, group_sort
from nbrank.arrays.typing import Bools, Floats, Ints, Positions
from nbrank.arrays.uncertainty.multiple_comparisons import holm

Formula = Literal["hoeffding", "wilson"]
#: From pairs (by the first and the second system of each) and a range of units to
#: pairs x units: the weight that the first wins, and the weight of the ballots with both.
WinsByUnit = Callable[[Positions, Positions, slice], tuple[Floats, Floats]]

#: Cells of a block of the bootstrap's arrays: 32 MB of them at a time.
_BLOCK = 2**22
#: P-values below this are as good as 0.
_MIN_POSITIVE = 1e-300


@dataclass(frozen=True)
class PairwiseWinRates:
    """How often each pair met and how it went, a tie being half a win for each."""

    # Every array is systems x systems; the diagonal means nothing.

    win_rate: Floats  # of the weight of the ballots with both, what the row wins; NaN without any
    n_comparisons: Ints  # the number of ballots on which both have a score
    #: The number of equally weighted ballots that would tell as much: the square of the summed
    #: weights over the sum of the squared weights. It is n where all weights are equal.
    effective_n: Floats
    weight: Floats  # the weight of these ballots

    @classmethod
    def from_profile(cls, profile: Profile, *, untied: bool = False) -> PairwiseWinRates:
        """Count the ballots of a profile, or of each pair those on which the two don't tie."""
        counts = count_by_weight(profile, count_places)
        if counts is not None:
            return cls.from_weighted_counts(counts, untied=untied)
        shares = _normalize(profile.weights)
        powers = np.stack([shares**0, shares, shares**2])
        if untied:
            scores = profile.scores
            differ = (((row > scores) | (row < scores)) @ powers.T for row in scores)
            sums = np.moveaxis(np.stack(list(differ)), 2, 0)
            return cls.from_sums(drop_ties(count_pairs(profile)), *sums)
        observed = profile.observed.astype(np.float64)
        return cls.from_sums(
            count_pairs(profile), *((observed * power) @ observed.T for power in powers)
        )

    def with_clusters(self, profile: Profile, unit_codes: Positions) -> PairwiseWinRates:
        """Take the ballots of each unit as one of their summed weight, if they go together."""
        order, starts = group_sort(unit_codes)
        weights = _normalize(profile.weights)
        sums, squares = np.zeros((2, *self.win_rate.shape))
        for columns in np.split(order, starts[1:]):
            observed = profile.observed[:, columns].astype(np.float64)
            both = (observed * weights[columns]) @ observed.T
            sums += both
            squares += both**2
        np.fill_diagonal(squares, 0.0)
        return replace(self, effective_n=safe_divide(sums**2, squares, 0.0))

    @classmethod
    def from_weighted_counts(
        cls, counts_by_weight: Mapping[float, PlaceCounts], *, untied: bool = False
    ) -> PairwiseWinRates:
        """Take the ballots of each weight, counted."""
        shares = _normalize(np.array(list(counts_by_weight)))
        places = counts_by_weight.values()
        met = np.stack([counts.n_compared - untied * counts.ties for counts in places])
        sums = [np.tensordot(powers, met * 1.0, 1) for powers in (shares**0, shares, shares**2)]
        counts = combine_weighted(counts_by_weight)
        return cls.from_sums(drop_ties(counts) if untied else counts, *sums)

    @classmethod
    def from_sums(
        cls, counts: PairwiseCounts, n: Floats, sums: Floats, squares: Floats
    ) -> PairwiseWinRates:
        """Take the wins and ties, and of the ballots their number, weights and squared weights."""
        for first in (n, squares):
            np.fill_diagonal(first, 0.0)
        weight = np.where(n > 0, counts.compared, 0.0)
        effective = safe_divide(sums**2, squares, 0.0)
        return cls(safe_divide(counts.shares, weight), n.astype(np.int64), effective, weight)


def drop_ties(counts: PairwiseCounts) -> PairwiseCounts:
    """Drop the ballots on which the two systems of a pair tie."""
    return replace(counts, ties=np.zeros_like(counts.ties))


def _normalize(weights: Floats) -> Floats:
    # Their squares stay within reach, also of a pair that met only where next to nothing counts.
    return np.maximum(weights / weights.max(initial=0.0), 1e-150)


@dataclass(frozen=True)
class Intervals:
    """An interval for the share that each system wins against each other."""

    low: Floats  # systems x systems, `low[i, j] == 1 - high[j, i]`
    high: Floats

    @property
    def significant(self) -> Bools:
        """Whether the interval leaves out one half."""
        return (self.low > 0.5) | (self.high < 0.5)


def hoeffding(share: Floats, effective: Floats, delta: Floats) -> tuple[Floats, Floats]:
    """Compute Hoeffding's two-sided interval for a mean of independent numbers between 0 and 1."""
    # With weights a_u that sum to one, P(|sum a_u (x_u - E x_u)| >= t) is at most 2 exp(-2 t^2 /
    # sum a_u^2), and 1 / sum a_u^2 is the effective number of ballots (Hoeffding, 1963, theorem 2).
    # It holds for every number of ballots, and whatever the ties.
    half_width = np.sqrt(safe_divide(np.log(2 / delta), 2 * effective, np.inf))
    middle = np.where(np.isnan(share), 0.5, share)
    return np.maximum(middle - half_width, 0.0), np.minimum(middle + half_width, 1.0)


def hoeffding_p_values(share: Floats, effective: Floats) -> Floats:
    """Find the smallest delta at which Hoeffding's interval excludes one half, at most 1."""
    squared = np.where(effective > 0, (share - 0.5) ** 2, 0.0)
    return np.minimum(1.0, 2 * np.exp(-2 * effective * squared))


def wilson(share: Floats, effective: Floats, delta: Floats) -> tuple[Floats, Floats]:
    """Compute Wilson's score interval for a proportion (Wilson, 1927)."""
    # The shares p for which the observed share is within z standard errors of p, the variance being
    # p (1 - p) / n. A tie counts half a win, and no distribution on 0, 1/2 and 1 has more variance
    # than the one on 0 and 1 with the same mean, so ties make it conservative. It is near its
    # nominal coverage on average over p; for few ballots it can be below it
    # (docs/coverage_pairs.md).
    from scipy.special import ndtri

    low, high = np.zeros(np.shape(share)), np.ones(np.shape(share))
    met = effective > 0
    p, n, squared = share[met], effective[met], ndtri(delta[met] / 2) ** 2
    centre = (p + squared / (2 * n)) / (1 + squared / n)
    half_width = np.sqrt(squared * (p * (1 - p) / n + squared / (4 * n**2))) / (1 + squared / n)
    low[met] = np.maximum(centre - half_width, 0.0)
    high[met] = np.minimum(centre + half_width, 1.0)
    return low, high


def wilson_p_values(share: Floats, effective: Floats) -> Floats:
    """Find the smallest delta at which Wilson's interval excludes one half; 1 without ballots."""
    from scipy.special import ndtr

    away = np.where(effective > 0, np.abs(share - 0.5), 0.0)
    return 2 * ndtr(-2 * away * np.sqrt(effective))


def holm_levels(p_values: Floats, delta: float) -> Floats:
    """Compute the levels at which Holm's step-down procedure tests each of several hypotheses."""
    # The smallest p-value is tested at delta / m, the next at delta / (m - 1), and so on; from the
    # first that is not rejected on, all keep that level. A hypothesis is rejected exactly if its
    # p-value is at most its level, so intervals at these levels make the same decisions; the
    # probability that any true hypothesis is rejected is at most delta, whatever the dependence
    # (Holm, 1979).
    m = len(p_values)
    place = np.argsort(np.argsort(p_values, kind="stable"))
    selected = np.sort(p_values) > delta / np.arange(m, 0, -1)
    return delta / (m - np.minimum(place, np.append(selected, True).argmax()))


def sign_test_p_values(share: Floats, effective: Floats) -> Floats:
    """Bound the probability of a share as far from one half, if either system may win."""
    # The two-sided sign test: twice the binomial tail, by the beta distribution also between whole
    # numbers. With equal weights it is exact. With others the sum of the weights with random signs
    # is taken for one of as many equal weights as they are worth, whose kurtosis is never less.
    # It is not proven to be a bound then: the tests compare it with all signs of many weightings,
    # for p-values up to 0.4.
    from scipy.special import betainc

    p_values = np.ones(np.shape(share))
    met = effective > 0
    n, more = effective[met], np.maximum(share[met], 1 - share[met])
    p_values[met] = np.minimum(1.0, 2 * betainc(n * more, n * (1 - more) + 1, 0.5))
    return p_values


def clopper_pearson(share: Floats, effective: Floats, delta: Floats) -> tuple[Floats, Floats]:
    """Compute Clopper and Pearson's interval for a proportion (1934), from binomial tails."""
    low, high = bounded_mean_interval(share, share * (1 - share), effective, delta)
    met = effective > 0
    return np.where(met, low, 0.0), np.where(met, high, 1.0)


def bounded_mean_interval(
    mean: Floats, variance: Floats, effective: Floats, delta: Floats | float
) -> tuple[Floats, Floats]:
    """Compute an interval for the mean of values within 0 and 1; NaN without values.

    Of zeros and ones it is Clopper and Pearson's.

    >>> low, high = bounded_mean_interval(np.array([1.0]), np.array([0.0]), np.array([8.0]), 0.05)
    >>> low.round(3).tolist(), high.tolist()
    ([0.631], [1.0])
    """
    # Gaffke (2005): the values, and one more at the far end, get random weights, uniform among all
    # weights that sum to 1. The weighted mean has the moments below; of zeros and ones it has
    # a beta distribution.
    from scipy.special import betaincinv

    def lower_limit(mean: Floats) -> Floats:
        middle = effective * mean / (effective + 1)
        spread = effective * (variance + mean**2) / (effective + 1) - middle**2
        size = middle * (1 - middle) * (effective + 2) / spread - 1
        limit = betaincinv(middle * size, (1 - middle) * size, delta / 2)
        return np.where(mean > 0, np.minimum(limit, mean), mean)

    with np.errstate(invalid="ignore", divide="ignore"):
        return lower_limit(mean), 1 - lower_limit(1 - mean)


def sign_intervals(
    meetings: PairwiseWinRates, untied: PairwiseWinRates, delta: float, *, holm: bool
) -> Intervals:
    """Compute intervals that exclude one half wherever the sign test rejects it."""
    # A share of wins, a tie being half, is 1/2 + d (p - 1/2), where d is the share of ballots
    # without a tie, and p the share won of these. The interval has all such shares with d and p
    # from their intervals of Clopper and Pearson, both at the full level: where both matter, their
    # errors partly cancel, since the square root of a sum of squares is less than the sum of the
    # roots; where one matters, its interval holds alone. Leaving out 1/2 depends on p only.
    pairs = np.triu_indices(len(meetings.n_comparisons), 1)
    share, effective = untied.win_rate[pairs], untied.effective_n[pairs]
    levels = np.full(len(share), delta)
    if holm:
        levels = holm_levels(sign_test_p_values(share, effective), delta)
    rate = safe_divide(untied.weight, meetings.weight, 0.0)[pairs]
    least, most = clopper_pearson(rate, meetings.effective_n[pairs], levels)
    low, high = (end - 0.5 for end in clopper_pearson(share, effective, levels))
    low *= np.where(low > 0, least, most)
    high *= np.where(high > 0, most, least)
    return _mirror_pairs(len(meetings.n_comparisons), 0.5 + low, 0.5 + high)


def sign_p_values(untied: PairwiseWinRates, *, adjust: bool) -> Floats:
    """Compute each pair's two-sided p-value, or Holm's for all together; 1 on the diagonal."""
    n_systems = len(untied.n_comparisons)
    pairs = np.triu_indices(n_systems, 1)
    p_values = sign_test_p_values(untied.win_rate[pairs], untied.effective_n[pairs])
    if adjust:
        p_values = holm(p_values)
    result = np.ones((n_systems, n_systems))
    result[pairs] = result.T[pairs] = p_values
    return result


def exact_holm_levels(p_values: Floats, exact: Floats, delta: float) -> Floats:
    """Find levels at which intervals exclude one half only where Holm rejects exact p-values."""
    # Holm's procedure keeps delta if every p-value is valid far into its tail, where Wilson's and
    # the bootstrap's are too small for few ballots. So it is given the larger of the two p-values,
    # and an interval whose own one is smaller takes a level smaller by the same factor.
    valid = np.maximum(p_values, exact)
    # Both may be too small for a number.
    factor = np.maximum(p_values, _MIN_POSITIVE) / np.maximum(valid, _MIN_POSITIVE)
    return holm_levels(valid, delta) * factor


def win_rate_intervals(
    meetings: PairwiseWinRates, delta: float, method: Formula, *, holm: bool
) -> Intervals:
    """Compute Hoeffding's or Wilson's interval for every pair, at delta or at Holm's levels."""
    pairs = np.triu_indices(len(meetings.n_comparisons), 1)
    share, effective = meetings.win_rate[pairs], meetings.effective_n[pairs]
    bounds, p_values = {
        "hoeffding": (hoeffding, hoeffding_p_values),
        "wilson": (wilson, wilson_p_values),
    }[method]
    levels = np.full(len(share), delta)
    if holm:
        exact = sign_test_p_values(share, effective)
        levels = exact_holm_levels(p_values(share, effective), exact, delta)
    return _mirror_pairs(len(meetings.n_comparisons), *bounds(share, effective, levels))


def _mirror_pairs(n_systems: int, low: Floats, high: Floats) -> Intervals:
    """Mirror the pairs i < j to both orders; a system against itself has [0, 1]."""
    pairs = np.triu_indices(n_systems, 1)
    lows, highs = np.zeros((n_systems, n_systems)), np.ones((n_systems, n_systems))
    lows[pairs], highs[pairs] = low, high
    lows.T[pairs], highs.T[pairs] = 1 - high, 1 - low
    return Intervals(lows, highs)


def make_unit_win_counter(profile: Profile, unit_codes: Positions) -> WinsByUnit:
    """Make a function that counts the wins within each unit of a profile's ballots."""
    # Ballots of a unit side by side, so that a range of units is a range of ballots.
    order, starts = group_sort(unit_codes)
    all_scores, all_weights = profile.scores[:, order], profile.weights[order]
    bounds = np.append(starts, len(order))

    def count_unit_wins(first: Positions, second: Positions, units: slice) -> tuple[Floats, Floats]:
        within = bounds[units.start : units.stop + 1]
        ballots = slice(within[0], within[-1])
        scores, weights = all_scores[:, ballots], all_weights[ballots]
        left, right = scores[first], scores[second]
        won = ((left > right) + 0.5 * (left == right)) * weights
        met = ~(np.isnan(left) | np.isnan(right)) * weights
        if len(within) == len(weights) + 1:
            return won, met
        first_of = within[:-1] - within[0]
        return np.add.reduceat(won, first_of, axis=1), np.add.reduceat(met, first_of, axis=1)

    return count_unit_wins


def bootstrap_intervals(
    count_wins: WinsByUnit,
    n_systems: int,
    n_units: int,
    delta: float,
    n_draws: int,
    rng: Generator,
    *,
    holm: bool,
) -> Intervals:
    """Compute intervals by the Bayesian bootstrap over units, with Jeffreys' prior ballots."""
    # Each draw gives every unit (a ballot, or a group of them) a standard exponential weight
    # (Rubin, 1981), and adds to every pair half a win and half a loss with weights from Gamma(1/2).
    # For independent ballots without ties the drawn shares of a pair have the distribution
    # Beta(wins + 1/2, losses + 1/2), so the interval is Jeffreys'. Without the two halves a pair
    # that met once would have an interval of no width. The ends are those of the beta distribution
    # with the draws' mean and variance: Holm's levels reach further into its tails than draws
    # could. There the beta distribution says too much for few units, so Holm's procedure is given
    # the sign test of the units' net wins where that says less. The sign test is valid if a unit is
    # as likely to favour either system by as much, which is so for every single ballot between
    # equally good systems.
    from scipy.special import betainc, betaincinv

    pairs = np.stack(np.triu_indices(n_systems, 1))
    mean, variance, share, exact = np.zeros((4, pairs.shape[1]))
    seed = int(rng.integers(2**63))
    for chunk in chunk_slices(0, len(mean), max(1, 2 * _BLOCK // n_draws)):
        # The same draws for every pair, made anew from the seed.
        draw = np.random.default_rng(seed)
        drawn, share[chunk], exact[chunk] = _bootstrap_win_rates(
            count_wins, pairs[:, chunk], n_units, n_draws, draw
        )
        mean[chunk], variance[chunk] = drawn.mean(axis=1), drawn.var(axis=1, ddof=1)
    met = ~np.isnan(share)
    strength = mean * (1 - mean) / variance - 1
    a, b = mean * strength, (1 - mean) * strength
    levels = np.full(len(mean), delta)
    if holm:
        tail = np.minimum(betainc(a, b, 0.5), betainc(b, a, 0.5))
        levels = exact_holm_levels(np.where(met, 2 * tail, 1.0), exact, delta)
    # A system that never won may never win: the observed share belongs to the interval.
    low = np.where(met, np.minimum(betaincinv(a, b, levels / 2), share), 0.0)
    # From the other end, since a small level is lost in 1 - level.
    high = np.where(met, np.maximum(1 - betaincinv(b, a, levels / 2), share), 1.0)
    return _mirror_pairs(n_systems, low, high)


def _bootstrap_win_rates(
    count_wins: WinsByUnit, pairs: Positions, n_units: int, n_draws: int, rng: Generator
) -> tuple[Floats, Floats, Floats]:
    """Draw pairs x draws: the first's win rate; return the observed one, and its sign test."""
    first, second = pairs
    half_win, half_loss = rng.gamma(0.5, size=(2, n_draws))
    won, met = np.zeros((2, len(first), n_draws))
    sums = np.zeros((6, len(first), 1))
    for units in chunk_slices(0, n_units, max(1, _BLOCK // max(n_draws, len(first)))):
        wins, both = count_wins(first, second, units)
        weight = rng.standard_exponential((wins.shape[1], n_draws))
        won += wins @ weight
        met += both @ weight
        lead = 2 * wins - both
        terms = (wins, both, both**2, lead, np.abs(lead), lead**2)
        sums += [each.sum(axis=1, keepdims=True) for each in terms]
    beaten, total, squares, net, size_of_net, net_squares = sums
    # The prior's half ballots weigh half as much as a typical unit; any weight does without one.
    scale = safe_divide(squares, total, 1.0)
    drawn = (won + scale * half_win) / (met + scale * (half_win + half_loss))
    share = safe_divide(beaten, total)
    # Units without a lead, such as tied ballots, say nothing about its sign.
    leading = safe_divide(net, size_of_net, 0.0)
    effective = safe_divide(size_of_net**2, net_squares, 0.0)
    exact = sign_test_p_values((1 + leading) / 2, effective)
    return drawn, share[:, 0], exact[:, 0]


def comparisons_needed(share: Floats, delta: float, method: Formula, n_pairs: int) -> Floats:
    """Find the fewest ballots at which an interval around each share excludes one half."""
    # Infinite for a share of one half; NaN for NaN.
    from scipy.special import ndtri

    level = delta / n_pairs
    scale = {"hoeffding": np.log(2 / level) / 2, "wilson": ndtri(level / 2) ** 2 / 4}[method]
    away = (np.asarray(share, dtype=float) - 0.5) ** 2
    with np.errstate(divide="ignore"):
        # The interval has to leave one half out, not to end on it.
        exact = scale / away
    return np.where(np.isinf(exact), np.inf, np.floor(exact) + 1)
