"""Disagreement among ballots and with a consensus: against double sums, and its sampling."""

import itertools
import math

import numpy as np
import pytest

from nbrank.arrays.dispersion import (
    Estimate,
    between_ballots,
    from_ranking,
    sampled_between_ballots,
    sampled_from_ranking,
    stopped_mean,
)
from nbrank.arrays.pair_counts import count
from nbrank.arrays.profile import Profile
from nbrank.arrays.rank_correlation import kendall_distance
from nbrank.arrays.simulated import mallows_places


def between(profile: Profile) -> Estimate:
    return between_ballots(profile, count(profile))


def from_consensus(profile: Profile, ranks) -> Estimate:
    return from_ranking(count(profile), np.asarray(ranks))


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
        assert between(profile).share == pytest.approx(expected, nan_ok=True)


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
        assert from_consensus(profile, ranks).share == pytest.approx(expected, nan_ok=True)


def test_one_ballot_has_nothing_to_disagree_with():
    profile = Profile(np.array([[2.0], [1.0]]), np.array([0.3]))
    assert math.isnan(between(profile).share)
    assert from_consensus(profile, np.array([2, 1])).share == 1


def test_a_ballot_lies_between_half_the_scatter_and_a_consensus():
    # Remark 2 of the paper's appendix C, in its exact finite form: no ranking is nearer to the
    # ballots on average than half their mean distance, self-pairs included.
    for profile, ranks in random_profiles():
        n_ballots = profile.scores.shape[1]
        if np.isnan(profile.scores).any() or n_ballots == 1 or (profile.weights != 1).any():
            continue
        with_itself = between(profile).share * (n_ballots - 1) / n_ballots
        assert from_consensus(profile, ranks).share >= with_itself / 2 - 1e-12
        best = min(from_consensus(profile, -profile.scores[:, t]).share for t in range(n_ballots))
        assert best <= with_itself + 1e-12


# ---------------------------------------------------------------------------------------- sampling


def test_sampling_estimates_the_exact_shares():
    rng = np.random.default_rng(5)
    scores = -mallows_places(12, 60, 0.8, rng).astype(float)
    scores = np.round(scores / 2)  # ties
    scores[rng.random(scores.shape) < 0.2] = np.nan
    profile = Profile(scores, rng.random(60) + 0.2)
    ranks = np.array([1, 1, 3, 4, 5, 6, 6, 6, 9, 10, 12, 11])
    for sampled, exact in (
        (sampled_between_ballots(profile, 0.01, 0.01, rng), between(profile)),
        (sampled_from_ranking(profile, ranks, 0.01, 0.01, rng), from_consensus(profile, ranks)),
    ):
        assert sampled.low <= exact.share <= sampled.high
        assert sampled.high - sampled.low <= 0.02
        assert sampled.n > 0
        assert exact.n == 0


def test_sampling_repeats_with_its_generator():
    profile = Profile(np.random.default_rng(0).random((6, 9)), np.ones(9))
    first, second = (
        sampled_between_ballots(profile, 0.02, 0.05, np.random.default_rng(3)) for _ in range(2)
    )
    assert first == second


def test_sampling_gives_up_where_nothing_can_be_compared():
    profile = Profile(np.array([[1.0, np.nan], [2.0, np.nan]]), np.ones(2))
    found = sampled_between_ballots(profile, 0.05, 0.05, np.random.default_rng(0))
    assert math.isnan(found.share)
    assert (found.low, found.high, found.n) == (0, 1, 0)


@pytest.mark.parametrize("probability", [0.0, 0.02, 0.3, 0.5])
def test_the_stopped_interval_covers_and_is_as_narrow_as_asked(probability):
    rng = np.random.default_rng(17)
    missed = 0
    for _ in range(200):
        found = stopped_mean(
            lambda size: (rng.random(size) < probability).astype(float), tolerance=0.04, delta=0.1
        )
        assert found.high - found.low <= 0.08
        missed += not found.low <= probability <= found.high
    assert missed <= 0.1 * 200


def test_a_small_variance_stops_early():
    def of(probability: float) -> Estimate:
        rng = np.random.default_rng(1)
        return stopped_mean(lambda size: (rng.random(size) < probability) * 1.0, 0.01, 0.05)

    assert of(0.01).n < of(0.5).n / 4
    # Hoeffding's bound would ask for this many whatever the variance.
    assert of(0.01).n < math.log(2 / 0.05) / (2 * 0.01**2)


def test_draws_may_return_fewer_values_than_asked_for():
    rng = np.random.default_rng(2)
    found = stopped_mean(lambda size: rng.random(size // 2 + 1), tolerance=0.05, delta=0.05)
    assert found.low <= 0.5 <= found.high
