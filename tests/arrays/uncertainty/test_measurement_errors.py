"""Tests from a covariance that was estimated from few draws: beside the draws themselves."""

import numpy as np
import pytest
from scipy.stats import t as student

from nbrank.arrays.uncertainty.influence import Contributions
from nbrank.arrays.uncertainty.measurement_errors import covariance_pair_tests
from nbrank.arrays.uncertainty.rank_confidence_sets import sign_flip_pair_tests


def estimated(scores, draws=2000, seed=0):
    n = scores.shape[1]
    covariance = np.cov(scores) / n
    rng = np.random.default_rng(seed)
    return covariance_pair_tests(scores.mean(axis=1), covariance, draws, rng, degrees=n - 1)


@pytest.mark.parametrize("shape", [(2, 5), (6, 9), (20, 8)])
def test_the_statistics_are_those_of_the_draws_themselves(shape):
    scores = np.random.default_rng(1).normal(size=shape)
    flips = sign_flip_pair_tests(
        Contributions.from_values(scores, None, np.ones(shape[1])), 10, np.random.default_rng(0)
    )
    np.testing.assert_allclose(estimated(scores).observed * np.sqrt(shape[1]), flips.observed)


def test_the_draws_of_each_pair_are_students():
    n_tasks = 6
    tests = estimated(np.random.default_rng(2).normal(size=(5, n_tasks)), draws=40_000)
    first, second = np.triu_indices(5, 1)
    drawn = tests.draw_differences(first, second)
    np.testing.assert_allclose(drawn[:, 0], tests.observed[first, second])
    t = drawn * np.sqrt(n_tasks - 1) / np.sqrt(1 - drawn**2)
    for level in (0.7, 0.9, 0.975):
        within = (t < student.ppf(level, n_tasks - 1)).mean(axis=1)
        np.testing.assert_allclose(within, level, atol=0.01)


def test_the_draws_are_those_of_turned_data():
    """The largest of all pairs, beside whole tables turned by random rotations."""
    scores = np.random.default_rng(3).normal(size=(7, 5))
    tests = estimated(scores, draws=20_000)
    first, second = np.triu_indices(7, 1)
    found = np.abs(tests.draw_differences(first, second)).max(axis=0)
    differences = scores[first] - scores[second]
    rng = np.random.default_rng(4)
    directions = rng.normal(size=(5, 20_000))
    directions /= np.linalg.norm(directions, axis=0)
    lengths = np.linalg.norm(differences, axis=1)[:, None]
    expected = np.abs(differences @ directions / lengths).max(axis=0)
    levels = [0.1, 0.5, 0.9, 0.95]
    np.testing.assert_allclose(np.quantile(found, levels), np.quantile(expected, levels), atol=0.01)


def test_many_systems_from_few_draws_are_covered_jointly():
    rng = np.random.default_rng(5)
    held = []
    for _ in range(300):
        sets = estimated(rng.gumbel(size=(20, 8)), 499, rng).rank_sets(0.05, joint=True)
        held.append((sets.low == 1).all() and (sets.high == 20).all())
    assert np.mean(held) >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / 300)


def test_a_covariance_that_no_such_draws_have_is_compared_by_students_t():
    # Every system has an error of its own: rank 5, with 3 degrees of freedom.
    covariance, degrees = np.eye(6) / 2, 3
    gap = student.ppf(0.999, degrees)
    estimates = np.array([gap, 0, 0, 0, 0, 0])
    found = covariance_pair_tests(
        estimates, covariance, 2000, np.random.default_rng(0), degrees=degrees
    )
    drawn = found.draw_differences(np.array([0]), np.array([1]))
    assert found.observed[0, 1] == pytest.approx(3.0902, abs=1e-3)
    assert drawn.std() == pytest.approx(1, abs=0.05)


def test_equal_estimates_and_exact_differences():
    covariance = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    rng = np.random.default_rng(0)
    tests = covariance_pair_tests(np.array([0, 0.001, 0]), covariance, 999, rng, degrees=5)
    sets = tests.rank_sets(0.05, joint=True)
    assert sets.low.tolist() == [2, 1, 1]
    assert sets.high.tolist() == [3, 2, 3]
    zero = covariance_pair_tests(np.ones(2), np.zeros((2, 2)), 999, rng, degrees=5)
    assert zero.rank_sets(0.05, joint=True).high.tolist() == [2, 2]
