"""Friedman, Nemenyi and signed ranks: against scipy, the published tables, and all signs."""

import itertools

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from nbrank.arrays.ballots.averages import mean_place
from nbrank.arrays.ballots.profile import Profile
from nbrank.arrays.uncertainty.multiple_comparisons import (
    friedman,
    holm,
    nemenyi_distance,
    nemenyi_p_values,
    signed_rank_p_value,
    skillings_mack,
    wilcoxon_holm_p_values,
)

# The ranks in table 6 of Demsar (2006): four versions of C4.5 on 14 data sets.
DEMSAR = -np.array(
    [
        [4, 3, 2, 1],
        [1, 2, 3, 4],
        [4, 1, 2, 3],
        [4, 1, 3, 2],
        [4, 2, 3, 1],
        [1, 2.5, 4, 2.5],
        [3, 2, 4, 1],
        [2.5, 2.5, 4, 1],
        [4, 3, 2, 1],
        [2.5, 2.5, 2.5, 2.5],
        [4, 2.5, 1, 2.5],
        [3, 2, 4, 1],
        [4, 1, 2, 3],
        [3, 1, 4, 2],
    ]
).T


class TestFriedman:
    def test_mean_places_are_those_published_by_demsar(self):
        means = mean_place(Profile(DEMSAR, np.ones(14)))
        np.testing.assert_allclose(means, [3.143, 2.000, 2.893, 1.964], atol=5e-4)

    def test_the_statistic_is_demsars_corrected_for_ties(self):
        # His 9.28 leaves the ties out: two, two and two systems tie, and once all four.
        correction = 1 - (3 * (2**3 - 2) + (4**3 - 4)) / (14 * (4**3 - 4))
        found = friedman(DEMSAR)
        assert found["friedman_chi_square"] * correction == pytest.approx(9.28, abs=0.005)
        assert found["iman_davenport_p_value"] < found["friedman_p_value"] < 0.05

    @pytest.mark.parametrize("levels", [3, 1000])
    @pytest.mark.parametrize(("k", "n"), [(3, 4), (5, 20), (10, 7)])
    def test_it_is_scipys(self, k, n, levels):
        scores = np.random.default_rng(k * n).integers(0, levels, (k, n)).astype(float)
        expected = scipy.stats.friedmanchisquare(*scores)
        found = friedman(scores)
        assert found["friedman_chi_square"] == pytest.approx(expected.statistic)
        assert found["friedman_p_value"] == pytest.approx(expected.pvalue)

    def test_iman_and_davenports_form_is_an_analysis_of_variance_of_the_ranks(self):
        scores = np.random.default_rng(1).integers(0, 4, (4, 12)).astype(float)
        ranks = scipy.stats.rankdata(scores, axis=0)
        between = 12 * ((ranks.mean(axis=1) - ranks.mean()) ** 2).sum() / 3
        rest = ranks - ranks.mean(axis=1, keepdims=True) - ranks.mean(axis=0) + ranks.mean()
        expected = between / ((rest**2).sum() / (3 * 11))
        found = friedman(scores)
        assert found["iman_davenport_f"] == pytest.approx(expected)
        assert found["iman_davenport_p_value"] == pytest.approx(scipy.stats.f.sf(expected, 3, 33))

    def test_if_all_tasks_agree_nothing_is_left_to_chance(self):
        found = friedman(np.arange(4.0)[:, None] + np.arange(6.0))
        assert found["iman_davenport_f"] == np.inf
        assert found["iman_davenport_p_value"] == 0

    def test_if_all_systems_tie_there_is_no_difference(self):
        assert friedman(np.ones((3, 5)))["iman_davenport_p_value"] == 1


def by_definition(scores):
    """Skillings and Mack's statistic, task by task; without ties."""
    sums, covariance = np.zeros(len(scores)), np.zeros((len(scores), len(scores)))
    for task in scores.T:
        scored = np.flatnonzero(~np.isnan(task))
        k = len(scored)
        ranks = scipy.stats.rankdata(task[scored])
        sums[scored] += np.sqrt(12 / (k + 1)) * (ranks - (k + 1) / 2)
        covariance[np.ix_(scored, scored)] += k * np.eye(k) - 1
    return float(sums @ np.linalg.pinv(covariance) @ sums)


def with_gaps(rng, k, n, share):
    scores = rng.normal(size=(k, n))
    scores[rng.random((k, n)) < share] = np.nan
    return scores


class TestSkillingsMack:
    def test_the_statistic_is_that_published_for_assembly_times(self):
        # Skillings and Mack (1981), table 1: four methods of assembly, nine assemblers.
        nan = np.nan
        times = np.array(
            [
                [3.2, 3.1, 4.3, 3.5, 3.6, 4.5, nan, 4.3, 3.5],
                [4.1, 3.9, 3.5, 3.6, 4.2, 4.7, 4.2, 4.6, nan],
                [3.8, 3.4, 4.6, 3.9, 3.7, 3.7, 3.4, 4.4, 3.7],
                [4.2, 4.0, 4.8, 4.0, 3.9, nan, nan, 4.9, 3.9],
            ]
        )
        found = skillings_mack(times)
        assert found["skillings_mack_chi_square"] == pytest.approx(15.493, abs=5e-4)
        expected = scipy.stats.chi2.sf(15.493, 3)
        assert found["skillings_mack_p_value"] == pytest.approx(expected, rel=1e-3)

    @pytest.mark.parametrize("levels", [2, 5, 1000])
    def test_without_missing_scores_it_is_friedmans_test(self, levels):
        rng = np.random.default_rng(levels)
        for k, n in rng.integers(2, 9, (50, 2)):
            scores = rng.integers(0, levels, (k, n)).astype(float)
            found, expected = skillings_mack(scores), friedman(scores)
            assert found["skillings_mack_chi_square"] == pytest.approx(
                expected["friedman_chi_square"], abs=1e-9
            )

    def test_with_missing_scores_it_is_the_definition(self):
        rng = np.random.default_rng(6)
        for k, n in rng.integers(2, 9, (100, 2)):
            scores = with_gaps(rng, k, n, 0.3)
            found = skillings_mack(scores)["skillings_mack_chi_square"]
            assert found == pytest.approx(by_definition(scores), abs=1e-9)

    @pytest.mark.parametrize("levels", [None, 3])
    def test_its_statistic_is_chi_square_over_all_permutations_within_tasks(self, levels):
        # The mean over the permutations is the degrees of freedom, with ties, too; the tail beyond
        # the 5 % point is lighter than 5 %.
        rng = np.random.default_rng(8)
        scores = (
            rng.normal(size=(3, 5)) if levels is None else rng.integers(0, levels, (3, 5)) * 1.0
        )
        scores[0, 0] = scores[2, 3] = np.nan
        ways = []
        for task in scores.T:
            scored = np.flatnonzero(~np.isnan(task))
            columns = np.full((0, 3), np.nan)
            for permuted in itertools.permutations(task[scored]):
                column = np.full(3, np.nan)
                column[scored] = permuted
                columns = np.vstack([columns, column])
            ways.append(columns)
        drawn = [np.array(chosen).T for chosen in itertools.product(*ways)]
        found = [skillings_mack(table) for table in drawn[:: 1 if len(drawn) < 2000 else 3]]
        chi_squares = np.array([one["skillings_mack_chi_square"] for one in found])
        p_values = np.array([one["skillings_mack_p_value"] for one in found])
        assert chi_squares.mean() == pytest.approx(2, abs=0.05)
        exact = (chi_squares[:, None] <= chi_squares + 1e-9).mean(axis=1)
        assert (p_values <= 0.05).mean() <= 0.05
        assert np.abs(p_values - exact)[exact < 0.2].max() < 0.08

    def test_under_equality_it_rejects_at_most_as_often_as_it_says(self):
        rng = np.random.default_rng(7)
        p_values = [
            skillings_mack(with_gaps(rng, 5, 20, 0.3))["skillings_mack_p_value"]
            for _ in range(1500)
        ]
        assert 0.03 < np.mean(np.array(p_values) <= 0.05) <= 0.06

    def test_tasks_that_compare_nobody_say_nothing(self):
        alone = np.array([[1.0, np.nan], [np.nan, 2.0], [np.nan, np.nan]])
        assert skillings_mack(alone)["skillings_mack_p_value"] == 1
        assert skillings_mack(np.ones((3, 4)))["skillings_mack_p_value"] == 1


class TestNemenyi:
    @pytest.mark.parametrize(
        ("k", "at_5", "at_10"),
        [(2, 1.960, 1.645), (3, 2.343, 2.052), (4, 2.569, 2.291), (5, 2.728, 2.459),
         (7, 2.949, 2.693), (10, 3.164, 2.920)],
    )  # fmt: skip
    def test_the_distance_has_the_quantiles_of_demsars_table(self, k, at_5, at_10):
        error = np.sqrt(k * (k + 1) / (6 * 30))
        assert nemenyi_distance(0.05, k, 30) / error == pytest.approx(at_5, abs=1.1e-3)
        assert nemenyi_distance(0.10, k, 30) / error == pytest.approx(at_10, abs=1.1e-3)

    def test_p_values_fall_below_delta_just_beyond_the_distance(self):
        for delta in (0.01, 0.05, 0.2):
            distance = nemenyi_distance(delta, 4, 14)
            means = np.array([1.0, 1.0 + distance, 2.0, 3.0])
            assert nemenyi_p_values(means, 14)[0, 1] == pytest.approx(delta, rel=1e-6)

    def test_two_systems_are_compared_by_the_normal_distribution(self):
        p_values = nemenyi_p_values(np.array([1.3, 1.7]), 10)
        expected = 2 * scipy.stats.norm.sf(0.4 / np.sqrt(2 * 3 / 60))
        assert p_values[0, 1] == p_values[1, 0] == pytest.approx(expected, rel=1e-6)


def by_all_signs(differences):
    """The two-sided probability, from every assignment of signs to the ranks."""
    sizes = np.round(np.abs(differences), 9)
    ranks = scipy.stats.rankdata(sizes)[sizes > 0]
    positive = (differences > 0)[sizes > 0]
    sums = np.array([np.dot(s, ranks) for s in itertools.product([0, 1], repeat=len(ranks))])
    centre = ranks.sum() / 2
    return float((np.abs(sums - centre) >= abs(ranks[positive].sum() - centre) - 1e-9).mean())


class TestSignedRanks:
    @given(arrays(int, st.integers(1, 9), elements=st.integers(-4, 4)))
    def test_small_samples_count_all_signs_with_ties_and_zeros(self, differences):
        found = signed_rank_p_value(differences / 10)
        assert found == pytest.approx(by_all_signs(differences / 10))

    @pytest.mark.parametrize("n", [5, 20, 50])
    def test_without_ties_it_is_scipys_exact_test(self, n):
        differences = np.random.default_rng(n).normal(0.3, 1, n)
        expected = scipy.stats.wilcoxon(differences, mode="exact").pvalue
        assert signed_rank_p_value(differences) == pytest.approx(expected)

    def test_large_samples_are_scipys_normal_test_with_pratts_zeros(self):
        differences = np.random.default_rng(0).integers(-5, 8, 200).astype(float)
        expected = scipy.stats.wilcoxon(differences, zero_method="pratt", mode="approx").pvalue
        assert signed_rank_p_value(differences) == pytest.approx(expected)

    def test_exact_and_normal_nearly_agree_at_the_border(self):
        differences = np.random.default_rng(3).normal(0.2, 1, 51)
        normal = signed_rank_p_value(differences)
        exact = scipy.stats.wilcoxon(differences, mode="exact").pvalue
        assert normal == pytest.approx(exact, rel=0.05)

    def test_differences_that_only_rounding_parts_are_ties(self):
        # 0.3 - 0.2 and 0.2 - 0.1 differ in the last digit.
        found = signed_rank_p_value(np.array([0.3 - 0.2, -(0.2 - 0.1), 0.5, 0.4]))
        assert found == by_all_signs(np.array([0.1, -0.1, 0.5, 0.4]))

    def test_no_difference_is_no_evidence(self):
        assert signed_rank_p_value(np.zeros(7)) == 1

    def test_under_equality_it_rejects_as_often_as_it_says(self):
        rng = np.random.default_rng(5)
        rejected = np.mean([signed_rank_p_value(rng.normal(size=15)) <= 0.05 for _ in range(2000)])
        assert 0.035 < rejected <= 0.055


class TestHolm:
    @given(arrays(float, st.integers(1, 8), elements=st.floats(0, 1)), st.floats(0.01, 0.3))
    def test_it_rejects_what_stepping_down_rejects(self, p_values, delta):
        order = np.argsort(p_values, kind="stable")
        rejected = np.zeros(len(p_values), dtype=bool)
        for step, position in enumerate(order):
            if p_values[position] * (len(p_values) - step) > delta:
                break
            rejected[position] = True
        np.testing.assert_array_equal(holm(p_values) <= delta, rejected)

    def test_a_pair_is_tested_on_its_common_tasks(self):
        scores = np.random.default_rng(3).normal(size=(3, 14)) + np.arange(3)[:, None]
        scores[0, :4] = scores[1, 10:] = np.nan
        scores[2, 3:12] = np.nan
        pairs = list(itertools.combinations(range(3), 2))
        single = []
        for i, j in pairs:
            both = ~np.isnan(scores[i] + scores[j])
            single.append(scipy.stats.wilcoxon(scores[i, both] - scores[j, both]).pvalue)
        found = wilcoxon_holm_p_values(scores)
        for (i, j), p_value in zip(pairs, holm(np.array(single)), strict=True):
            assert found[i, j] == pytest.approx(p_value)

    def test_a_pair_without_a_common_task_is_not_told_apart(self):
        scores = np.array([[1.0, 2.0, np.nan, np.nan], [np.nan, np.nan, 5.0, 6.0]])
        np.testing.assert_array_equal(wilcoxon_holm_p_values(scores), np.ones((2, 2)))

    def test_pairs_are_corrected_together(self):
        scores = np.random.default_rng(2).normal(size=(4, 10)) + np.arange(4)[:, None] / 2
        found = wilcoxon_holm_p_values(scores)
        pairs = list(itertools.combinations(range(4), 2))
        single = np.array([scipy.stats.wilcoxon(scores[i] - scores[j]).pvalue for i, j in pairs])
        expected = holm(single)
        for (i, j), p_value in zip(pairs, expected, strict=True):
            assert found[i, j] == found[j, i] == pytest.approx(p_value)
