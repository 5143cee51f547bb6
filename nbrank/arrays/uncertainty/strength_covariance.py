"""How sure Bradley-Terry strengths are: sandwich covariances and bootstrap refits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator

from nbrank.arrays import paired_comparison_models as models
from nbrank.arrays.ballots.pairwise_counts import ComparisonArrays, PairwiseCounts
from nbrank.arrays.ballots.profile import Profile
from nbrank.arrays.chunking import chunk_slices
from nbrank.arrays.covariate_models import CovariateModel
from nbrank.arrays.typing import Floats, Positions
from nbrank.arrays.uncertainty.influence import UnitGradients, gradients_from_ballots
from nbrank.arrays.uncertainty.win_rate_intervals import make_unit_win_counter

if TYPE_CHECKING:
    from scipy.sparse import csr_array

#: Numbers in one block of resamples: a few megabytes, so that a block stays in the cache.
_BLOCK = 400_000
#: The same where the resamples are products of large matrices.
_LARGE_BLOCK = 4_000_000
#: A refit whose strengths move less than this has settled; standard errors are far larger.
_CONVERGENCE_TOLERANCE = 1e-8
#: Steps with the whole sample's Hessian before a resample gets Newton steps of its own.
_SHARED_STEPS = 25
#: The least that a resample keeps of a prior, whose draws can be too small for a number.
_MIN_INFORMATION = 1e-9
#: Pairs x resamples: the weight that the first of a pair wins, and that of its comparisons.
Resamples = tuple[Floats, Floats]


@dataclass(frozen=True)
class ComparedPairs:
    """The pairs of systems that met, the first having the smaller number."""

    first: Positions
    second: Positions
    n_systems: int

    @classmethod
    def from_counts(cls, counts: PairwiseCounts) -> ComparedPairs:
        """Select the pairs with a comparison."""
        first, second = np.nonzero(np.triu(counts.compared, 1) > 0)
        return cls(first, second, len(counts.wins))

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def incidence_matrix(self) -> csr_array:
        """Systems x pairs: sums what the first of a pair gains, and the second loses."""
        from scipy.sparse import csr_array

        signs = np.repeat([1.0, -1.0], len(self))
        systems = np.concatenate([self.first, self.second])
        cells = (systems, np.tile(np.arange(len(self)), 2))
        return csr_array((signs, cells), shape=(self.n_systems, len(self)))


def _block_sizes(n: int, rows: int, numbers: int = _BLOCK) -> list[int]:
    return [part.stop - part.start for part in chunk_slices(0, n, max(numbers // max(rows, 1), 1))]


@dataclass(frozen=True)
class ComparisonSample:
    """Comparisons together with what is independent in them."""

    counts: PairwiseCounts  # the comparisons' weights
    squares: PairwiseCounts  # the squares of their weights
    #: Comparisons, or ballots (a task's, or an instance's) whose pairs depend on each other.
    outcomes: ComparisonArrays | Profile
    #: The number of each row's, or ballot's, unit, from 0; None where each comparison is a unit.
    units: Positions | None

    @property
    def n_units(self) -> float:
        """How many independent units there are; infinite where each comparison is one."""
        return np.inf if self.units is None else float(self.units.max(initial=-1) + 1)

    def gradients(self, strengths: Floats) -> UnitGradients | None:
        """Compute the gradients of the units; None where each comparison is one."""
        if self.units is None:
            return None
        if isinstance(self.outcomes, Profile):
            return gradients_from_ballots(self.outcomes, self.units, strengths)
        model = CovariateModel.from_rows(self.outcomes, len(strengths))
        return model.gradients(self.units, strengths)

    def resamples(self, pairs: ComparedPairs, n: int, rng: Generator) -> Iterator[Resamples]:
        """Yield blocks of resamples: sums of exponential weights, one of each unit."""
        if self.units is None:
            yield from self._resample_cells(pairs, n, rng)
        elif isinstance(self.outcomes, Profile):
            yield from _resample_ballots(self.outcomes, self.units, pairs, n, rng)
        else:
            yield from _resample_clusters(self.outcomes, self.units, pairs, n, rng)

    def _resample_cells(self, pairs: ComparedPairs, n: int, rng: Generator) -> Iterator[Resamples]:
        """Draw gamma variables: sums by cell of exponential weights on comparisons."""
        # So the cost does not depend on the number of comparisons. Where the comparisons of a cell
        # have different weights, the gamma variable has the mean and the variance of their sum.
        i, j = pairs.first, pairs.second
        mean, variance = (
            np.stack([of.wins[i, j], of.wins[j, i], of.ties[i, j]])
            for of in (self.counts, self.squares)
        )
        some = mean > 0
        scale = (variance[some] / mean[some])[:, None]
        shape = mean[some][:, None] / scale
        for size in _block_sizes(n, len(pairs)):
            drawn = np.zeros((*mean.shape, size))
            drawn[some] = rng.standard_gamma(shape, (len(shape), size)) * scale
            won, lost, tied = drawn
            yield won + tied / 2, won + lost + tied


def _resample_clusters(
    comparisons: ComparisonArrays, clusters: Positions, pairs: ComparedPairs, n: int, rng: Generator
) -> Iterator[Resamples]:
    """Draw one exponential weight for each cluster, such as one worker's comparisons."""
    from scipy.sparse import csr_array

    number = np.zeros((pairs.n_systems, pairs.n_systems), dtype=np.intp)
    number[pairs.first, pairs.second] = number[pairs.second, pairs.first] = np.arange(len(pairs))
    cells = number[comparisons.left, comparisons.right], clusters
    outcome = np.where(
        comparisons.left < comparisons.right, comparisons.outcomes, -comparisons.outcomes
    )
    weights = (
        np.ones(len(comparisons))
        if comparisons.total_weights is None
        else comparisons.total_weights
    )
    shape = (len(pairs), int(clusters.max(initial=-1)) + 1)
    met = csr_array((weights, cells), shape=shape)
    won = csr_array((weights * (outcome + 1) / 2, cells), shape=shape)
    for size in _block_sizes(n, max(shape)):
        drawn = rng.standard_exponential((shape[1], size))
        yield np.asarray(won @ drawn), np.asarray(met @ drawn)


def _resample_ballots(
    profile: Profile, units: Positions, pairs: ComparedPairs, n: int, rng: Generator
) -> Iterator[Resamples]:
    """Draw one exponential weight for each unit; compare the pairs anew for each block."""
    wins_in = make_unit_win_counter(profile, units)
    # Few large products: each may have to wait for the threads of BLAS to wake.
    step = max(_LARGE_BLOCK // max(len(pairs), 1), 1)
    for size in _block_sizes(n, len(pairs), _LARGE_BLOCK):
        won, met = np.zeros((2, len(pairs), size))
        for some in chunk_slices(0, int(units.max(initial=-1)) + 1, step):
            wins, both = wins_in(pairs.first, pairs.second, some)
            weights = rng.standard_exponential((wins.shape[1], size))
            won += wins @ weights
            met += both @ weights
        yield won, met


def sandwich_covariance(evidence: ComparisonSample, strengths: Floats, prior: float) -> Floats:
    """Compute the robust covariance of the strengths, whose mean is held at 0."""
    # The inverse information on either side of the scores' products (Huber, 1967; White, 1982):
    # right for ties as half wins, for weights, for clusters, and if the model does not quite hold.
    # Scores are corrected for the share of their unit in what is known of a system (Bell and
    # McCaffrey, 2002): G units that know alike have their products scaled by G / (G - 1). The
    # comparisons of a prior vary as any others do: a system without other comparisons is
    # uncertain.
    n = len(strengths)
    gradients = evidence.gradients(strengths)
    products = (
        cell_products(evidence.squares, strengths)
        if gradients is None
        else gradients.meat(_information_with_prior(evidence, strengths, prior))
    )
    counts, strengths = models.add_average_prior_opponent(evidence.counts, strengths, prior)
    if prior:
        own = models.add_prior_opponent(
            PairwiseCounts(np.zeros((n, n)), np.zeros((n, n)), 0.0), prior
        )
        products = np.pad(products, (0, 1))
        products += cell_products(own, strengths)
    inverse = models.inverse_information(counts, strengths)
    # Corrected scores no longer sum to 0, so no strength may be held: only their mean.
    inverse -= inverse.mean(axis=0)
    inverse -= inverse.mean(axis=1, keepdims=True)
    covariance = (inverse @ products @ inverse)[:n, :n]
    covariance -= covariance.mean(axis=0)
    covariance -= covariance.mean(axis=1, keepdims=True)
    covariance = (covariance + covariance.T) / 2
    # Rounding must not leave a variance of 0 below it.
    np.fill_diagonal(covariance, np.maximum(covariance.diagonal(), 0.0))
    return covariance


def cell_products(squares: PairwiseCounts, strengths: Floats) -> Floats:
    """Sum the outer products of the scores of comparisons, which share one residual by cell."""
    expected = models.expected_win_rates(strengths)
    won = squares.wins * expected.T**2
    summed = won + won.T + squares.ties * (0.5 - expected) ** 2
    return np.diag(summed.sum(axis=1)) - summed


def degrees_of_freedom(evidence: ComparisonSample, strengths: Floats, prior: float) -> Floats:
    """Compute the degrees of freedom of the sandwich's variance of each strength."""
    gradients = evidence.gradients(strengths)
    if gradients is None:  # Comparisons are taken to be many.
        return np.full(len(strengths), np.inf)
    return gradients.degrees_of_freedom(_information_with_prior(evidence, strengths, prior))


def t_half_width_factor(errors: Floats, degrees: Floats, delta: float) -> Floats:
    """Return the half widths of intervals by Student's t; infinite without degrees of freedom."""
    from scipy.special import ndtri, stdtrit

    level = 1 - delta / 2
    quantiles = np.where(np.isinf(degrees), ndtri(level), stdtrit(degrees, level))
    return np.where(degrees > 0, quantiles * errors, np.inf)


def _information_with_prior(evidence: ComparisonSample, strengths: Floats, prior: float) -> Floats:
    """Sum the information on each system, also from the prior's comparisons."""
    known = np.diag(
        models.fisher_information(
            *models.add_average_prior_opponent(evidence.counts, strengths, prior)
        )
    )
    return known[: len(strengths)].copy()


def bootstrap_strengths(
    evidence: ComparisonSample, strengths: Floats, prior: float, n: int, rng: Generator
) -> Floats:
    """Refit strengths to n resamples by the Bayesian bootstrap (Rubin, 1981): systems x n."""
    # Each independent unit gets an exponential weight of mean 1 instead of the number of times that
    # it is drawn. The spread is the same, and no resample loses a win on which the existence of the
    # estimate depends. So do the comparisons of a prior: what nothing else is known of then spreads
    # as the prior itself does.
    pairs = all_pairs = ComparedPairs.from_counts(evidence.counts)
    n_systems = len(strengths)
    counts, strengths = models.add_average_prior_opponent(evidence.counts, strengths, prior)
    if prior:
        each, last = np.arange(n_systems), np.full(n_systems, n_systems)
        all_pairs = ComparedPairs(
            np.append(pairs.first, each), np.append(pairs.second, last), n_systems + 1
        )
    inverse = models.inverse_information(counts, strengths)
    blocks = []
    for won, met in evidence.resamples(pairs, n, rng):
        if prior:
            against = rng.standard_gamma(prior / 2, (2, n_systems, won.shape[1]))
            against = np.maximum(against, _MIN_INFORMATION)
            won, met = np.append(won, against[0], 0), np.append(met, against.sum(axis=0), 0)
        blocks.append(_refit(all_pairs, (won, met), strengths, inverse))
    refitted = np.concatenate(blocks, axis=1)[:n_systems]
    refitted -= refitted.mean(axis=0)
    return refitted


def _refit(
    pairs: ComparedPairs, resamples: Resamples, strengths: Floats, inverse: Floats
) -> Floats:
    """Refit all resamples of a block at once, from the whole sample's strengths and Hessian."""
    # One Hessian for all makes every step a product of matrices. Strengths not settled
    # after a while (few comparisons, drawn very unevenly) are fitted alone.
    resampled_wins, n_compared = resamples
    current = np.repeat(strengths[:, None], resampled_wins.shape[1], axis=1)
    result = current.copy()
    left = np.arange(resampled_wins.shape[1])
    for _ in range(_SHARED_STEPS):
        difference = current[pairs.first] - current[pairs.second]
        residual = resampled_wins - n_compared * (0.5 + 0.5 * np.tanh(difference / 2))
        # Not `@`: threads for products this small stall on a busy machine (see `solve`).
        step = np.einsum("ij,jb->ib", inverse, pairs.incidence_matrix @ residual)
        current = current + step
        moved = np.abs(step).max(axis=0) > _CONVERGENCE_TOLERANCE
        if not moved.all():
            result[:, left[~moved]] = current[:, ~moved]
            left, current = left[moved], current[:, moved]
            resampled_wins, n_compared = resampled_wins[:, moved], n_compared[:, moved]
        if not len(left):
            break
    for column, number in enumerate(left):
        wins = np.zeros((pairs.n_systems, pairs.n_systems))
        wins[pairs.first, pairs.second] = resampled_wins[:, column]
        wins[pairs.second, pairs.first] = n_compared[:, column] - resampled_wins[:, column]
        counts = PairwiseCounts(wins, np.zeros_like(wins), float(n_compared[:, column].sum()))
        result[:, number] = models.bradley_terry(counts).strengths
    return result
