"""Disagreement among ballots and with a consensus: against double sums."""

import itertools
import math

import numpy as np
import pytest

from nbrank.arrays.ballots.pairwise_counts import count_pairs
from nbrank.arrays.ballots.profile import Profile
from nbrank.arrays.rank_correlation import kendall_distance
from nbrank.experiments.rule_behavior import disagreement_from_ranking, mean_pairwise_disagreement


def between(profile: Profile) -> float:
    return mean_pairwise_disagreement(profile, count_pairs(profile))


def from_consensus(profile: Profile, ranks) -> float:
    return disagreement_from_ranking(count_pairs(profile), np.asarray(ranks))


def disagreement(x, y) -> tuple[float, int]:
    """The Kendall distance of two columns of scores where both are known, and the pairs there."""
    both = ~np.isnan(x) & ~np.isnan(y)
    size = int(both.sum())
    return kendall_distance(-x[both], -y[both]), size * (size - 1) // 2


def random_profiles(n_profiles: int = 60):
    rng = np.random.default_rng(11)
    for _ in range(n_profiles):
        shape = rng.integers(2, 7), rng.integers(1, 7)
        scores = rng.integers(0, 4, shape).astype(float)
        scores[rng.random(shape) < rng.choice([0, 0.3])] = np.nan
        weights = rng.choice([np.ones(shape[1]), rng.random(shape[1]) + 0.1])
        yield Profile(scores, weights), rng.integers(1, shape[0] + 1, shape[0])


def test_between_ballots_is_the_double_sum_over_pairs_of_ballots():
    for profile, _ in random_profiles():
        total = comparable = 0.0
        for s, t in itertools.combinations(range(profile.scores.shape[1]), 2):
            distance, pairs = disagreement(profile.scores[:, s], profile.scores[:, t])
            total += profile.weights[s] * profile.weights[t] * distance
            comparable += profile.weights[s] * profile.weights[t] * pairs
        expected = total / comparable if comparable else math.nan
        assert between(profile) == pytest.approx(expected, nan_ok=True)


def test_from_ranking_is_the_sum_over_ballots():
    for profile, ranks in random_profiles():
        total = comparable = 0.0
        for t, weight in enumerate(profile.weights):
            scores = profile.scores[:, t]
            known = np.where(np.isnan(scores), np.nan, -ranks)
            distance, pairs = disagreement(scores, known)
            total += weight * distance
            comparable += weight * pairs
        expected = total / comparable if comparable else math.nan
        assert from_consensus(profile, ranks) == pytest.approx(expected, nan_ok=True)


def test_one_ballot_has_nothing_to_disagree_with():
    profile = Profile(np.array([[2.0], [1.0]]), np.array([0.3]))
    assert math.isnan(between(profile))
    assert from_consensus(profile, np.array([2, 1])) == 1


def test_a_ballot_lies_between_half_the_scatter_and_a_consensus():
    # Remark 2 of the paper's appendix C, in its exact finite form: no ranking is nearer to the
    # ballots on average than half their mean distance, self-pairs included.
    for profile, ranks in random_profiles():
        n_ballots = profile.scores.shape[1]
        if np.isnan(profile.scores).any() or n_ballots == 1 or (profile.weights != 1).any():
            continue
        with_itself = between(profile) * (n_ballots - 1) / n_ballots
        assert from_consensus(profile, ranks) >= with_itself / 2 - 1e-12
        best = min(from_consensus(profile, -profile.scores[:, t]) for t in range(n_ballots))
        assert best <= with_itself + 1e-12
