"""Tests of all pairs of estimates that were each measured with an error."""

from dataclasses import replace

import numpy as np
from numpy.random import Generator

from nbrank.arrays.ballots.profile import power_of_two, safe_divide
from nbrank.arrays.chunking import group_sort
from nbrank.arrays.typing import Floats, Positions
from nbrank.arrays.uncertainty.influence import Contributions
from nbrank.arrays.uncertainty.rank_confidence_sets import PairTests, normal_draws


def covariance_pair_tests(
    estimates: Floats, covariance: Floats, n_draws: int, rng: Generator, *, degrees: float = np.inf
) -> PairTests:
    """Make the tests of all pairs of normally distributed estimates."""
    # The studentised differences of all pairs are tested at once against the largest of them in
    # draws from the normal distribution, stepping down (Mogstad, Romano, Shaikh and Wilhelm, 2024).
    # Finite degrees of freedom take the covariance for that of the mean of degrees + 1 normal
    # draws, and turn those draws at random, all systems together (Langsrud, 2005): that is exact
    # for any number of systems. With a covariance of higher rank than its degrees, which no such
    # draws have, each difference is compared by its t distribution: with the normal value that has
    # the same probability beyond.
    # In a unit near the largest error, whose square may be beyond a float; but not so small a one
    # that the estimates are.
    unit = power_of_two(
        max(np.sqrt(np.diag(covariance).max()), np.abs(estimates).max() * 2.0**-500) or 1.0
    )
    estimates, covariance = estimates / unit, covariance / unit / unit
    variances = np.diag(covariance)
    squared = variances[:, None] + variances - 2 * covariance
    certain = squared <= 1e-12 * variances.max(initial=0.0)
    error = np.where(certain, np.inf, np.sqrt(np.maximum(squared, 0.0)))
    ahead = estimates[:, None] - estimates
    root = _centered_covariance_root(covariance) if np.isfinite(degrees) else None
    if root is not None and root.shape[1] <= degrees:
        # As if from degrees + 1 draws: their mean is one direction, what they differ in the others.
        directions = np.column_stack([estimates - estimates.mean(), root * np.sqrt(degrees)])
        sums = directions @ _random_unit_coordinates(directions.shape[1], degrees + 1, n_draws, rng)
        error = np.hypot(ahead, error * np.sqrt(degrees))
        observed = ahead / error
    else:
        sums = normal_draws(covariance, n_draws, rng)
        observed = _t_to_normal(ahead / error, degrees)
    observed = np.where(certain & (ahead != 0), np.copysign(np.inf, ahead), observed)
    return PairTests(observed, sums, error, np.ones(len(estimates), dtype=bool))


def _t_to_normal(t_values: Floats, degrees: float | Floats) -> Floats:
    """Map t values to normal values with the same probability beyond; certain ones stay."""
    from scipy.special import ndtri, stdtr

    normal = np.copysign(ndtri(stdtr(degrees, -np.abs(t_values))), t_values)
    return np.where(np.isinf(degrees) | np.isinf(t_values), t_values, normal)


def _centered_covariance_root(covariance: Floats) -> Floats:
    """Compute a root of the covariance of the estimates less their mean: systems x its rank."""
    centred = covariance - covariance.mean(axis=0)
    centred = centred - centred.mean(axis=1, keepdims=True)
    values, vectors = np.linalg.eigh((centred + centred.T) / 2)
    some = values > 1e-9 * values.max(initial=0.0)
    return vectors[:, some] * np.sqrt(values[some])


def _random_unit_coordinates(n: int, dimension: float, n_draws: int, rng: Generator) -> Floats:
    """Draw the first n coordinates of random unit vectors: n x draws; the first are as observed."""
    coordinates = rng.standard_normal((n, n_draws))
    rest = rng.chisquare(dimension - n, n_draws) if dimension > n else 0.0
    coordinates /= np.sqrt((coordinates**2).sum(axis=0) + rest)
    coordinates[:, 0] = np.eye(n)[0]
    return coordinates


#: Degrees of freedom of given errors: t distributions with few degrees have heavy tails.
_TAILS = 3


def cell_error_pair_tests(
    estimates: Floats, errors: Floats, degrees: Floats, n_draws: int, rng: Generator
) -> PairTests:
    """Make the tests of all pairs of sums over independent cells."""
    # The standard error of what each cell (systems x cells) adds, and the degrees of freedom with
    # which it is known. Those of a difference are Satterthwaite's (1946), and its t value is
    # compared as the normal one with the same probability beyond.
    unit = power_of_two(max(errors.max(initial=0.0), np.abs(estimates).max() * 2.0**-500) or 1.0)
    estimates, variances = estimates / unit, (errors / unit) ** 2
    of_system = variances.sum(axis=1)
    tests = covariance_pair_tests(estimates, np.diag(of_system), n_draws, rng)
    if np.isinf(degrees[variances > 0]).all():
        return _adjust_tails(tests, variances, rng) if variances.shape[1] > 1 else tests
    both = satterthwaite_degrees(variances, degrees, pairs=True)
    return replace(tests, observed=_t_to_normal(tests.observed, both))


def _adjust_tails(tests: PairTests, variances: Floats, rng: Generator) -> PairTests:
    """Adjust the tests to sums of errors that are not quite normal."""
    # Errors that were given are those of a model: here with the tails of Student's t, as
    # widely spread. Of many cells that is the normal distribution again; of few its middle is
    # narrower, so that no draw is taken for nearer to 0 than in the normal distribution.
    from scipy.special import ndtri

    normal = ndtri((np.arange(tests.n_draws) + 0.5) / tests.n_draws)
    total = variances.sum(axis=1)
    sums = np.empty((len(variances), tests.n_draws))
    for row, variance, spread in zip(sums, variances, np.sqrt(total), strict=True):
        some = variance[variance > 0]
        noise = rng.standard_t(_TAILS, (len(some), tests.n_draws))
        np.matmul(np.sqrt(some * (_TAILS - 2) / _TAILS), noise, out=row)
        order = np.argsort(row)
        row[order] = np.copysign(np.maximum(np.abs(row[order]), np.abs(spread * normal)), normal)
    both = total[:, None] + total
    return replace(tests, sums=sums, scale=np.sqrt(np.where(both > 0, both, 1.0)))


def standard_errors_of_sums(errors: Floats, degrees: Floats) -> tuple[Floats, Floats]:
    """Compute each system's standard error of a sum, and its degrees of freedom."""
    unit = power_of_two(float(np.nanmax(errors, initial=0.0)) or 1.0)
    variances = (errors / unit) ** 2
    return np.sqrt(variances.sum(axis=1)) * unit, satterthwaite_degrees(
        np.nan_to_num(variances), degrees
    )


def satterthwaite_degrees(variances: Floats, degrees: Floats, *, pairs: bool = False) -> Floats:
    """Compute Satterthwaite's degrees of freedom of each system's sum, or of each difference."""
    totals = variances.sum(axis=1)
    uncertain = (variances**2 / degrees).sum(axis=1)
    if pairs:
        totals, uncertain = totals[:, None] + totals, uncertain[:, None] + uncertain
    return safe_divide(totals**2, uncertain, np.inf)


def draw_measurements(values: Floats, errors: Floats, degrees: Floats, rng: Generator) -> Floats:
    """Draw values with new errors: normal ones, or Student's t if few runs estimate them."""
    few = np.isfinite(degrees)
    noise = rng.standard_normal(values.shape)
    # A chi-square of d degrees, over d, is the estimated variance to the true one.
    noise[few] /= np.sqrt(rng.chisquare(degrees[few]) / degrees[few])
    return values + errors * noise


def stratified_standard_errors(
    contributions: Contributions, strata: Positions, expected: Floats | None = None
) -> tuple[Floats, Floats]:
    """Compute standard errors of means over units of strata, and their degrees of freedom."""
    # A unit that weighs more counts for more than one of as many as there would be: k units of
    # unequal weight are worth (sum of weights)^2 / (sum of squared weights). What each unit is
    # expected to add is its weight times its stratum's mean, unless that is given.
    unit = power_of_two(float(np.abs(contributions.amounts).max(initial=0.0)) or 1.0)
    found = Contributions(contributions.amounts / unit, contributions.weights)
    weights = np.broadcast_to(found.weights, found.amounts.shape)
    amounts = found.amounts - found.estimates[:, None] * weights
    stratum = np.unique(strata, return_inverse=True)[1]
    order, starts = group_sort(stratum)

    def sum_by_stratum(cells: Floats) -> Floats:
        """Sum the units of each stratum: systems x strata."""
        return np.add.reduceat(cells[:, order], starts, axis=1)

    weight = sum_by_stratum(weights)
    share = safe_divide(sum_by_stratum(amounts), weight, 0.0)
    if expected is None:
        away = amounts - share[:, stratum] * weights
    else:
        away = found.amounts - expected / unit
    squares = sum_by_stratum(away**2)
    n_effective = safe_divide(weight**2, sum_by_stratum(weights**2), 0.0)
    degrees = np.maximum(n_effective - 1, 1e-9)
    total = weights.sum(axis=1, keepdims=True)
    variances = safe_divide(squares * n_effective, (n_effective - 1) * total**2)
    # A stratum without weight has no say, and takes nothing away.
    variances[n_effective == 0] = 0.0
    freedom = satterthwaite_degrees(np.nan_to_num(variances), degrees)
    result = np.sqrt(variances.sum(axis=1)) * unit
    known = ~np.isnan(result) & np.isfinite(freedom)
    return result, np.where(known, freedom, degrees.sum(axis=1))
