"""What units say of strengths: against sums over rows, and against whole covariance matrices."""

import numpy as np
import pytest

from nbrank.arrays.ballots.pairwise_counts import ComparisonArrays
from nbrank.arrays.ballots.profile import Profile
from nbrank.arrays.covariate_models import CovariateModel
from nbrank.arrays.paired_comparison_models import expected_win_rates
from nbrank.arrays.uncertainty.influence import (
    UnitGradients,
    _satterthwaite,
    gradients_from_ballots,
    merge_small_units,
    strength_contributions,
)


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    left = rng.integers(0, 4, 60)
    right = (left + rng.integers(1, 4, 60)) % 4
    outcome = rng.integers(-1, 2, 60)
    return ComparisonArrays(
        left.astype(np.int32),
        right.astype(np.int32),
        outcome.astype(np.int8),
        rng.gamma(2.0, 1, 60),
    )


def gradients_from_comparisons(rows, units, strengths):
    return CovariateModel.from_rows(rows, len(strengths)).gradients(units, strengths)


STRENGTHS = np.array([0.5, 0.1, -0.1, -0.5])


def test_scores_and_information_are_sums_over_the_rows_of_a_unit(rows):
    units = np.random.default_rng(1).permutation(60) % 7
    found = gradients_from_comparisons(rows, units, STRENGTHS)
    expected = expected_win_rates(STRENGTHS)
    scores, known = np.zeros((7, 4)), np.zeros((7, 4))
    for unit, i, j, result, weight in zip(
        units, rows.left, rows.right, rows.outcomes, rows.weights, strict=True
    ):
        residual = weight * ((result + 1) / 2 - expected[i, j])
        scores[unit, i] += residual
        scores[unit, j] -= residual
        known[unit, [i, j]] += weight * expected[i, j] * expected[j, i]
    np.testing.assert_allclose(found.scores.toarray(), scores, atol=1e-12)
    np.testing.assert_allclose(found.information.toarray(), known, atol=1e-12)


def test_a_ballot_of_two_is_a_comparison(rows):
    scores = np.full((4, 60), np.nan)
    scores[rows.left, np.arange(60)] = rows.outcomes
    scores[rows.right, np.arange(60)] = 0.0
    units = np.arange(60) % 7
    found = gradients_from_ballots(Profile(scores, rows.weights), units, STRENGTHS)
    expected = gradients_from_comparisons(rows, units, STRENGTHS)
    for one, other in zip(vars(found).values(), vars(expected).values(), strict=True):
        np.testing.assert_allclose(one.toarray(), other.toarray(), atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_degrees_of_freedom_are_those_of_the_whole_covariance_of_the_residuals(seed):
    rng = np.random.default_rng(seed)
    variances = rng.gamma(0.5, size=9)
    share = variances / variances.sum()
    # A unit's residual: what it adds, less its share of the sum of what all add.
    residual = np.eye(9) - share[:, None]
    covariance = residual @ np.diag(share) @ residual.T
    covariance /= np.sqrt((1 - share)[:, None] * (1 - share))
    expected = np.trace(covariance) ** 2 / np.trace(covariance @ covariance)
    assert _satterthwaite(variances) == pytest.approx(expected)
    assert 1 <= expected <= 8
    # The estimated variance is right on average.
    assert np.trace(covariance) == pytest.approx(1)


def test_of_what_a_single_unit_tells_there_is_no_degree_of_freedom():
    from scipy.sparse import csr_array

    known = csr_array(np.array([[1.0, 0.0, 1.0], [1.0, 2.0, 1.0], [1.0, 0.0, 1.0]]))
    found = UnitGradients(known, known).degrees_of_freedom(np.asarray(known.sum(axis=0)))
    assert found[1] == 0
    assert (found[[0, 2]] >= 1).all()


def test_units_put_together_are_whole_and_leave_the_largest_alone():
    rng = np.random.default_rng(2)
    units = np.concatenate([np.zeros(500, dtype=np.intp), rng.permutation(np.arange(1, 301))])
    weights = np.ones(len(units))
    found = merge_small_units(units, weights, 20)
    assert set(found) == set(range(20))
    # No unit is torn, and the large one is alone.
    assert all(len(set(found[units == unit])) == 1 for unit in range(301))
    assert set(units[found == found[0]]) == {0}
    sizes = np.bincount(found)
    assert sizes[10:].max() - sizes[10:].min() <= 1
    np.testing.assert_array_equal(merge_small_units(units, None, 301), units)


def test_a_unit_counts_as_much_as_it_knows(rows):
    # Twice the weight of a cluster's comparisons is twice its share.
    units = np.arange(60) % 5
    found = gradients_from_comparisons(rows, units, STRENGTHS)
    contributions = strength_contributions(found, STRENGTHS, np.zeros((4, 4)))
    known = found.information.toarray().T
    np.testing.assert_allclose(contributions.weights, known)
    np.testing.assert_allclose(contributions.estimates, STRENGTHS)


def test_units_that_know_alike_share_alike():
    scores = np.random.default_rng(3).normal(size=(4, 10))
    units = gradients_from_ballots(Profile(scores, np.ones(10)), np.arange(10), STRENGTHS)
    found = strength_contributions(units, STRENGTHS, np.eye(4))
    np.testing.assert_allclose(found.weights, np.full((1, 10), 0.1))
    weighed = gradients_from_ballots(Profile(scores, np.arange(1.0, 11)), np.arange(10), STRENGTHS)
    found = strength_contributions(weighed, STRENGTHS, np.eye(4))
    np.testing.assert_allclose(found.weights, np.arange(1.0, 11)[None, :] / 55)
