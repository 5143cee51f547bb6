"""Sandwich covariances and the bootstrap: against sums over single comparisons, and by coverage."""

import math

import numpy as np
import pytest

from nbrank.arrays.ballots.pairwise_counts import ComparisonArrays, PairwiseCounts, count_pairs
from nbrank.arrays.ballots.profile import Profile
from nbrank.arrays.paired_comparison_models import (
    bradley_terry,
    expected_win_rates,
    find_identifiability_issue,
)
from nbrank.arrays.uncertainty.strength_covariance import (
    ComparedPairs,
    ComparisonSample,
    bootstrap_strengths,
    cell_products,
    degrees_of_freedom,
    sandwich_covariance,
)


def each_alone(counts, squares):
    """Comparisons that are each a unit."""
    return ComparisonSample(counts, squares, Profile(np.empty((0, 0)), np.empty(0)), None)


def in_units(counts, outcomes, units):
    """Comparisons in clusters, or ballots in units."""
    return ComparisonSample(counts, counts, outcomes, units)


def drawn(rng, strengths, n, ties=0.2):
    """Comparisons for which Bradley-Terry is true, a tie being half a win."""
    k = len(strengths)
    left = rng.integers(0, k, n)
    right = (left + rng.integers(1, k, n)) % k
    share = 1 / (1 + np.exp(strengths[right] - strengths[left]))
    tied = ties * np.minimum(share, 1 - share)
    draw = rng.random(n)
    outcome = np.where(draw < share - tied / 2, 1, np.where(draw < share + tied / 2, 0, -1))
    return ComparisonArrays(left.astype(np.int32), right.astype(np.int32), outcome.astype(np.int8))


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    plain = drawn(rng, np.array([0.0, 0.3, 0.8, 1.0]), 80)
    return ComparisonArrays(plain.left, plain.right, plain.outcomes, rng.gamma(2.0, 0.5, 80))


def scores_one_by_one(rows, strengths):
    """The derivative of each comparison's log-likelihood."""
    scores = np.zeros((len(rows), len(strengths)))
    for row in range(len(rows)):
        i, j = rows.left[row], rows.right[row]
        expected = 1 / (1 + math.exp(strengths[j] - strengths[i]))
        residual = rows.weights[row] * ((rows.outcomes[row] + 1) / 2 - expected)
        scores[row, i], scores[row, j] = residual, -residual
    return scores


def corrected(scores, information):
    """Each unit's scores, larger by what the unit itself takes from them; units x systems."""
    return scores / np.sqrt(1 - information / information.sum(axis=0))


def information_one_by_one(rows, strengths):
    """The variance of each comparison's result, for both of its systems."""
    found = np.zeros((len(rows), len(strengths)))
    for row in range(len(rows)):
        i, j = rows.left[row], rows.right[row]
        expected = 1 / (1 + math.exp(strengths[j] - strengths[i]))
        found[row, [i, j]] = rows.weights[row] * expected * (1 - expected)
    return found


def pseudo_sandwich(counts, strengths, products):
    expected = expected_win_rates(strengths)
    variances = counts.compared * expected * (1 - expected)
    inverse = np.linalg.pinv(np.diag(variances.sum(axis=1)) - variances)
    return inverse @ products @ inverse


class TestSandwich:
    def test_of_independent_comparisons_sums_over_single_ones(self, rows):
        counts, squares = rows.tabulate(4)
        strengths = bradley_terry(counts).strengths
        scores = scores_one_by_one(rows, strengths)
        evidence = each_alone(counts, squares)
        found = cell_products(squares, strengths)
        np.testing.assert_allclose(found, scores.T @ scores)
        expected = pseudo_sandwich(counts, strengths, scores.T @ scores)
        np.testing.assert_allclose(
            sandwich_covariance(evidence, strengths, 0.0), expected, atol=1e-12
        )

    def test_of_clusters_sums_over_whole_clusters(self, rows):
        counts, _ = rows.tabulate(4)
        strengths = bradley_terry(counts).strengths
        clusters = np.random.default_rng(1).integers(0, 9, 80)
        scores = scores_one_by_one(rows, strengths)
        known = information_one_by_one(rows, strengths)
        whole = corrected(
            *(
                np.array([each[clusters == cluster].sum(axis=0) for cluster in range(9)])
                for each in (scores, known)
            )
        )
        expected = pseudo_sandwich(counts, strengths, whole.T @ whole)
        found = sandwich_covariance(in_units(counts, rows, clusters), strengths, 0.0)
        np.testing.assert_allclose(found, expected, atol=1e-12)

    def test_of_ballots_with_two_scores_is_that_of_comparisons(self, rows):
        counts, squares = rows.tabulate(4)
        strengths = bradley_terry(counts).strengths
        scores = np.full((4, 80), np.nan)
        scores[rows.left, np.arange(80)] = rows.outcomes
        scores[rows.right, np.arange(80)] = 0.0
        ballots = in_units(counts, Profile(scores, rows.weights), np.arange(80))
        comparisons = in_units(counts, rows, np.arange(80))
        expected = sandwich_covariance(comparisons, strengths, 0.0)
        np.testing.assert_allclose(
            sandwich_covariance(ballots, strengths, 0.0), expected, atol=1e-12
        )
        # What a single comparison takes from its own residual is little.
        independent = sandwich_covariance(each_alone(counts, squares), strengths, 0.0)
        np.testing.assert_allclose(np.diag(expected), np.diag(independent), rtol=0.15)

    def test_of_ballots_with_many_scores_takes_the_pairs_of_one_together(self):
        rng = np.random.default_rng(2)
        scores = rng.integers(0, 4, (5, 12)) + np.arange(5)[:, None] / 3
        scores[rng.random((5, 12)) < 0.2] = np.nan
        profile = Profile(scores, rng.gamma(2.0, 0.5, 12))
        counts = count_pairs(profile)
        strengths = bradley_terry(counts).strengths
        expected = expected_win_rates(strengths)
        units = np.repeat([0, 1, 2, 3], 3)
        whole, known = np.zeros((4, 5)), np.zeros((4, 5))
        for ballot, unit in enumerate(units):
            for i in range(5):
                for j in set(range(5)) - {i}:
                    a, b = scores[i, ballot], scores[j, ballot]
                    if not np.isnan(a + b):
                        result = (np.sign(a - b) + 1) / 2
                        whole[unit, i] += profile.weights[ballot] * (result - expected[i, j])
                        variance = expected[i, j] * expected[j, i]
                        known[unit, i] += profile.weights[ballot] * variance
        whole = corrected(whole, known)
        products = pseudo_sandwich(counts, strengths, whole.T @ whole)
        found = sandwich_covariance(in_units(counts, profile, units), strengths, 0.0)
        np.testing.assert_allclose(found, products, atol=1e-12)

    def test_of_units_that_know_alike_is_the_plain_one_times_g_by_g_minus_1(self):
        rng = np.random.default_rng(3)
        profile = Profile(rng.normal(size=(5, 12)), np.ones(12))
        counts = count_pairs(profile)
        strengths = bradley_terry(counts).strengths
        expected = expected_win_rates(strengths)
        np.fill_diagonal(expected, 0.0)
        scores = (profile.scores[:, None] > profile.scores).sum(axis=1) - expected.sum(axis=1)[
            :, None
        ]
        ballots = in_units(counts, profile, np.arange(12))
        products = pseudo_sandwich(counts, strengths, scores @ scores.T) * 12 / 11
        np.testing.assert_allclose(
            sandwich_covariance(ballots, strengths, 0.0), products, atol=1e-12
        )
        degrees = degrees_of_freedom(ballots, strengths, 0.0)
        np.testing.assert_allclose(degrees, 11)

    def test_its_rows_sum_to_zero_and_a_prior_narrows_it(self, rows):
        counts, squares = rows.tabulate(4)
        evidence = each_alone(counts, squares)
        errors = []
        for prior in (0.0, 2.0, 20.0):
            strengths = bradley_terry(counts, prior).strengths
            covariance = sandwich_covariance(evidence, strengths, prior)
            np.testing.assert_allclose(covariance.sum(axis=0), 0, atol=1e-12)
            errors.append(np.trace(covariance))
        assert errors[0] > errors[1] > errors[2]

    def test_repeats_count_as_observations_and_weights_do_not(self):
        left, right = np.array([0, 0], np.int32), np.array([1, 1], np.int32)
        outcome, tens = np.array([1, -1], np.int8), np.array([10.0, 10.0])
        variances = []
        for rows in (
            ComparisonArrays(left, right, outcome),
            ComparisonArrays(left, right, outcome, weights=tens),
            ComparisonArrays(left, right, outcome, repeats=tens),
        ):
            counts, squares = rows.tabulate(2)
            evidence = each_alone(counts, squares)
            variances.append(sandwich_covariance(evidence, np.zeros(2), 0.0)[0, 0])
        assert variances[0] == pytest.approx(variances[1])
        assert variances[0] == pytest.approx(10 * variances[2])


def resampled_counts(evidence, n, seed):
    blocks = list(
        evidence.resamples(
            ComparedPairs.from_counts(evidence.counts), n, np.random.default_rng(seed)
        )
    )
    return [np.concatenate(parts, axis=1) for parts in zip(*blocks, strict=True)]


def all_evidence(rows):
    """The same comparisons as cells, as clusters of one, and as ballots of two."""
    counts, squares = rows.tabulate(4)
    scores = np.full((4, len(rows)), np.nan)
    scores[rows.left, np.arange(len(rows))] = rows.outcomes
    scores[rows.right, np.arange(len(rows))] = 0.0
    each = np.arange(len(rows))
    return [
        each_alone(counts, squares),
        in_units(counts, rows, each),
        in_units(counts, Profile(scores, rows.weights), each),
    ]


@pytest.mark.parametrize("kind", range(3), ids=["cells", "clusters", "ballots"])
class TestBootstrap:
    def test_resampled_counts_have_the_mean_and_the_variance_of_weighted_sums(self, rows, kind):
        evidence = all_evidence(rows)[kind]
        counts, squares = rows.tabulate(4)
        pairs = ComparedPairs.from_counts(counts)
        won, met = resampled_counts(evidence, 20_000, seed=3)
        share, compared = (
            matrix[pairs.first, pairs.second] for matrix in (counts.shares, counts.compared)
        )
        np.testing.assert_allclose(won.mean(axis=1), share, rtol=0.03)
        np.testing.assert_allclose(met.mean(axis=1), compared, rtol=0.03)
        spread = (squares.wins + squares.ties / 4)[pairs.first, pairs.second]
        np.testing.assert_allclose(won.var(axis=1), spread, rtol=0.1)
        spread = squares.compared[pairs.first, pairs.second]
        np.testing.assert_allclose(met.var(axis=1), spread, rtol=0.1)

    def test_every_refit_is_that_of_its_own_counts(self, rows, kind):
        evidence = all_evidence(rows)[kind]
        pairs = ComparedPairs.from_counts(evidence.counts)
        strengths = bradley_terry(evidence.counts).strengths
        found = bootstrap_strengths(evidence, strengths, 0.0, 50, np.random.default_rng(4))
        won, met = resampled_counts(evidence, 50, seed=4)
        for column in range(50):
            wins = np.zeros((4, 4))
            wins[pairs.first, pairs.second] = won[:, column]
            wins[pairs.second, pairs.first] = (met - won)[:, column]
            alone = bradley_terry(PairwiseCounts(wins, np.zeros((4, 4)), 1.0))
            np.testing.assert_allclose(found[:, column], alone.strengths, atol=1e-6)

    def test_it_repeats_for_the_same_seed(self, rows, kind):
        evidence = all_evidence(rows)[kind]
        strengths = bradley_terry(evidence.counts).strengths
        runs = [
            bootstrap_strengths(evidence, strengths, 0.0, 20, np.random.default_rng(seed))
            for seed in (5, 5, 6)
        ]
        np.testing.assert_array_equal(runs[0], runs[1])
        assert not np.allclose(runs[0], runs[2])


class TestPrior:
    """A system that was never compared is as uncertain as the prior: logistic, for prior=2."""

    @pytest.fixture
    def evidence(self):
        # The first two are as good as known, and equal; of the third nothing is known.
        wins = np.zeros((3, 3))
        wins[0, 1] = wins[1, 0] = 1e8
        counts = PairwiseCounts(wins, np.zeros((3, 3)), 2e8)
        return each_alone(counts, counts)

    @pytest.mark.parametrize("prior", [0.5, 2.0])
    def test_the_sandwich_is_the_curvature_of_the_log_prior(self, evidence, prior):
        covariance = sandwich_covariance(evidence, np.zeros(3), prior)
        difference = covariance[2, 2] + covariance[0, 0] - 2 * covariance[0, 2]
        # The opponent itself is known from two comparisons with each of two equals.
        own, opponents = 4 / prior, 4 / (2 * prior)
        assert difference == pytest.approx(own + opponents, rel=1e-3)

    def test_the_bootstrap_spreads_as_the_prior(self, evidence):
        refitted = bootstrap_strengths(evidence, np.zeros(3), 2.0, 20_000, np.random.default_rng(0))
        third = refitted[2] - refitted[0]
        # Its log-odds against the opponent are logistic, and so are those of the two equals,
        # who won a sum of two exponential variables and lost another.
        draws = np.random.default_rng(1).gamma([[1.0], [1.0], [2.0], [2.0]], size=(4, 20_000))
        expected = np.log(draws[0] / draws[1]) - np.log(draws[2] / draws[3])
        levels = [0.025, 0.25, 0.5, 0.75, 0.975]
        np.testing.assert_allclose(
            np.quantile(third, levels), np.quantile(expected, levels), atol=0.15
        )

    def test_a_prior_so_small_that_draws_vanish_still_gives_numbers(self, evidence):
        refitted = bootstrap_strengths(evidence, np.zeros(3), 1e-3, 50, np.random.default_rng(2))
        assert np.isfinite(refitted).all()

    def test_without_need_of_it_a_small_prior_changes_little(self, rows):
        counts, squares = rows.tabulate(4)
        evidence = each_alone(counts, squares)
        found = [
            sandwich_covariance(evidence, bradley_terry(counts, prior).strengths, prior)
            for prior in (0.0, 1e-4)
        ]
        np.testing.assert_allclose(found[1], found[0], rtol=1e-2, atol=1e-4)


def test_the_bootstrap_spreads_as_the_sandwich_says():
    rows = drawn(np.random.default_rng(7), np.linspace(-1, 1, 70), 100_000)
    counts, squares = rows.tabulate(70)
    evidence = each_alone(counts, squares)
    strengths = bradley_terry(counts).strengths
    resampled = bootstrap_strengths(evidence, strengths, 0.0, 2000, np.random.default_rng(8))
    expected = sandwich_covariance(evidence, strengths, 0.0)
    np.testing.assert_allclose(resampled.var(axis=1), np.diag(expected), rtol=0.15)
    np.testing.assert_allclose(resampled.mean(axis=1), strengths, atol=0.005)


def test_no_resample_loses_the_only_win_that_keeps_the_strengths_finite():
    wins = np.array([[0.0, 30.0, 30.0], [1.0, 0.0, 15.0], [0.0, 15.0, 0.0]])
    counts = PairwiseCounts(wins, np.zeros((3, 3)), 91.0)
    strengths = bradley_terry(counts).strengths
    evidence = each_alone(counts, counts)
    resampled = bootstrap_strengths(evidence, strengths, 0.0, 3000, np.random.default_rng(9))
    assert np.isfinite(resampled).all()
    assert resampled[0].max() > strengths[0] + 2


def test_intervals_cover_at_their_level():
    # 300 tables of 400 comparisons between six systems; the binomial error of 0.95 is below 0.006.
    truth = np.linspace(-1, 1, 6)
    rng = np.random.default_rng(10)
    within = {"sandwich": 0, "bootstrap": 0}
    for _ in range(300):
        counts, squares = drawn(rng, truth, 400).tabulate(6)
        assert find_identifiability_issue(counts) is None
        strengths = bradley_terry(counts).strengths
        evidence = each_alone(counts, squares)
        error = np.sqrt(np.diag(sandwich_covariance(evidence, strengths, 0.0)))
        within["sandwich"] += (np.abs(strengths - truth) < 1.96 * error).sum()
        low, high = np.quantile(
            bootstrap_strengths(evidence, strengths, 0.0, 300, rng), [0.025, 0.975], axis=1
        )
        within["bootstrap"] += ((low < truth) & (truth < high)).sum()
    coverage = {method: hits / (300 * 6) for method, hits in within.items()}
    assert 0.935 < coverage["sandwich"] < 0.965
    assert 0.92 < coverage["bootstrap"] < 0.96


def test_intervals_cover_where_each_judge_has_a_taste_of_their_own():
    # Each of 25 judges sees the systems differently, and judges 40 times. Taken as independent,
    # the comparisons promise too much.
    taste = np.random.default_rng(11).normal(0, 1.0, (4000, 4))
    everyone = np.arange(4000 * 60)

    def judged(rng, tastes, judges):
        n = len(judges)
        left = rng.integers(0, 4, n)
        right = (left + rng.integers(1, 4, n)) % 4
        gap = tastes[judges, left] - tastes[judges, right] + (left - right) / 2
        outcome = np.where(rng.random(n) < 1 / (1 + np.exp(-gap)), 1, -1)
        return ComparisonArrays(
            left.astype(np.int32), right.astype(np.int32), outcome.astype(np.int8)
        )

    many = judged(np.random.default_rng(12), taste, everyone % 4000)
    truth = bradley_terry(many.tabulate(4)[0]).strengths
    rng = np.random.default_rng(13)
    within = {"clustered": 0.0, "independent": 0.0, "bootstrap": 0.0}
    for _ in range(250):
        judges = np.repeat(np.arange(25), 40)
        rows = judged(rng, rng.normal(0, 1.0, (25, 4)), judges)
        counts, squares = rows.tabulate(4)
        strengths = bradley_terry(counts).strengths
        clustered = in_units(counts, rows, judges)
        for kind, evidence, quantile in (
            ("clustered", clustered, 2.064),  # Student's, 24 degrees of freedom
            ("independent", each_alone(counts, squares), 1.960),
        ):
            error = np.sqrt(np.diag(sandwich_covariance(evidence, strengths, 0.0)))
            within[kind] += (np.abs(strengths - truth) < quantile * error).mean() / 250
        resampled = bootstrap_strengths(clustered, strengths, 0.0, 200, rng)
        low, high = np.quantile(resampled, [0.025, 0.975], axis=1)
        within["bootstrap"] += ((low < truth) & (truth < high)).mean() / 250
    assert 0.92 < within["clustered"] < 0.97
    assert 0.88 < within["bootstrap"] < within["clustered"]
    assert within["independent"] < 0.7
