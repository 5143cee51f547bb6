"""The model row by row: against a dense regression, numeric influences, and counts of pairs."""

import numpy as np
import pytest
from scipy.optimize import minimize

from nbrank.arrays.ballots.pairwise_counts import ComparisonArrays
from nbrank.arrays.covariate_models import CovariateModel
from nbrank.arrays.uncertainty.strength_covariance import (
    ComparisonSample,
    degrees_of_freedom,
    sandwich_covariance,
)

N = 4


def rows(seed, n=120, *, weighted=False, counted=False):
    rng = np.random.default_rng(seed)
    left = rng.integers(0, N, n)
    right = (left + rng.integers(1, N, n)) % N
    outcomes = rng.choice([-1, 0, 1], n, p=[0.35, 0.1, 0.55]).astype(np.int8)
    weights = rng.choice([0.5, 1.0, 3.0], n) if weighted else None
    repeats = rng.integers(1, 4, n).astype(float) if counted else None
    return ComparisonArrays(left, right, outcomes, weights, repeats)


def columns(seed, n=120):
    rng = np.random.default_rng(100 + seed)
    return np.column_stack([np.ones(n), rng.normal(size=n)])


def dense_sandwich(made, covariates):
    """Minimise minus the log-likelihood of a dense design; the covariance of centred strengths."""
    n = len(made)
    design = np.zeros((n, N))
    design[np.arange(n), made.left] += 1
    design[np.arange(n), made.right] -= 1
    design = np.column_stack([design, covariates])
    # Systems of mean 0: the last is minus the others' sum.
    basis = np.zeros((design.shape[1], design.shape[1] - 1))
    basis[: N - 1, : N - 1] = np.eye(N - 1)
    basis[N - 1, : N - 1] = -1
    basis[N:, N - 1 :] = np.eye(covariates.shape[1])
    free, won = design @ basis, (made.outcomes + 1) / 2
    weights = np.ones(n) if made.weights is None else made.weights
    repeats = np.ones(n) if made.repeats is None else made.repeats

    def loss(point):
        odds = free @ point
        return (weights * repeats * (np.logaddexp(0, odds) - won * odds)).sum()

    point = minimize(loss, np.zeros(free.shape[1]), method="BFGS", options={"gtol": 1e-7}).x
    expected = 1 / (1 + np.exp(-free @ point))
    bread = np.linalg.inv((free.T * weights * repeats * expected * (1 - expected)) @ free)
    meat = (free.T * repeats * (weights * (won - expected)) ** 2) @ free
    covariance = basis @ bread @ meat @ bread @ basis.T
    return (basis @ point)[:N], covariance[:N, :N]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("counted", [False, True])
def test_strengths_and_their_covariance_are_those_of_a_dense_regression(seed, weighted, counted):
    made = rows(seed, weighted=weighted, counted=counted)
    fit = CovariateModel.from_rows(made, N, columns(seed), 0.0).fit(N)
    strengths, covariance = dense_sandwich(made, columns(seed))
    np.testing.assert_allclose(fit.strengths, strengths, atol=1e-5)
    np.testing.assert_allclose(fit.covariance(None), covariance, rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize("prior", [0.0, 2.0])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("clustered", [False, True])
def test_without_covariates_it_is_the_covariance_from_counts(prior, weighted, clustered):
    made = rows(5, weighted=weighted, counted=True)
    units = np.arange(len(made)) % 20 if clustered else None
    fit = CovariateModel.from_rows(made, N, np.zeros((len(made), 0)), prior).fit(N)
    sample = ComparisonSample(*made.tabulate(N), made, units)
    expected = sandwich_covariance(sample, fit.strengths, prior)
    np.testing.assert_allclose(fit.covariance(units), expected, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(
        fit.degrees_of_freedom(units), degrees_of_freedom(sample, fit.strengths, prior), rtol=1e-6
    )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("prior", [0.0, 2.0])
def test_a_units_influence_is_how_strengths_move_with_its_weight(seed, prior):
    made, units = rows(seed), np.arange(120) % 8
    fit = CovariateModel.from_rows(made, N, columns(seed), prior).fit(N)
    added = fit.contributions(units)
    influence = added.amounts - fit.strengths[:, None] * added.weights
    step = 1e-4
    for unit in range(8):
        up, down = (
            CovariateModel.from_rows(
                ComparisonArrays(
                    made.left, made.right, made.outcomes, np.where(units == unit, 1 + by, 1.0)
                ),
                N,
                columns(seed),
                prior,
            ).fit(N)
            for by in (step, -step)
        )
        moved = (up.strengths - down.strengths) / (2 * step)
        total = 1.0 if added.weights.shape[0] == 1 else added.weights.sum(axis=1)
        np.testing.assert_allclose(influence[:, unit] / total, moved, atol=1e-6)


def test_covariance_is_that_of_refits_to_rows_drawn_again():
    made, given = rows(7, n=600), columns(7, n=600)
    fit = CovariateModel.from_rows(made, N, given, 0.0).fit(N)
    rng = np.random.default_rng(0)
    drawn = []
    for _ in range(300):
        times = rng.multinomial(600, np.full(600, 1 / 600)).astype(float)
        again = ComparisonArrays(made.left, made.right, made.outcomes, times)
        drawn.append(CovariateModel.from_rows(again, N, given, 0.0).fit(N).strengths)
    found = np.sqrt(np.diag(fit.covariance(None)))
    np.testing.assert_allclose(found, np.std(drawn, axis=0), rtol=0.12)
