"""Pairwise counts against loops, and the matrix M against all compatible rankings."""

import itertools

import numpy as np
import pytest

from nbrank.arrays.ballots.pairwise_counts import PairwiseCounts, count_compatible, count_pairs
from nbrank.arrays.ballots.profile import Profile


def random_profile(rng, n, m, gaps=0.3, weighted=True):
    scores = rng.integers(0, 4, (n, m)).astype(float)
    scores[rng.random((n, m)) < gaps] = np.nan
    return Profile(scores, rng.random(m) + 0.1 if weighted else np.full(m, 2.0))


@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("m", [1, 7, 20_000])
def test_counts_are_those_of_a_loop_over_pairs(m, weighted):
    profile = random_profile(np.random.default_rng(m), 5, m, weighted=weighted)
    found = count_pairs(profile)
    for i, j in itertools.permutations(range(5), 2):
        a, b = profile.scores[i], profile.scores[j]
        assert found.wins[i, j] == pytest.approx(profile.weights[a > b].sum())
        assert found.ties[i, j] == pytest.approx(profile.weights[a == b].sum())
        assert found.compared[i, j] == pytest.approx(
            profile.weights[~np.isnan(a) & ~np.isnan(b)].sum()
        )
    assert not found.wins.diagonal().any()
    assert not found.ties.diagonal().any()
    assert found.total == pytest.approx(profile.weights.sum())


def test_counts_of_equal_weights_are_exact():
    scores = np.random.default_rng(0).normal(size=(4, 100_000)).astype(np.float32)
    found = count_pairs(Profile(scores, np.ones(100_000)))
    assert (found.wins + found.wins.T)[0, 1] == 100_000


def test_margins_within_rounding_are_ties():
    wins = np.array([[0.0, 0.1 + 0.2], [0.3, 0.0]])
    counts = PairwiseCounts(wins, np.zeros((2, 2)), 0.6)
    assert wins[0, 1] != wins[1, 0]
    assert counts.margins.tolist() == [[0.0, 0.0], [0.0, 0.0]]


def matrix_m(ballot):
    """M of one ballot: the share of compatible complete rankings with i above j."""
    n = len(ballot)
    orders = [
        order
        for order in itertools.permutations(range(n))
        if all(
            np.isnan(ballot[a]) or np.isnan(ballot[b]) or ballot[a] >= ballot[b]
            for a, b in itertools.combinations(order, 2)
        )
    ]
    above = np.zeros((n, n))
    for order in orders:
        for a, b in itertools.combinations(order, 2):
            above[a, b] += 1 / len(orders)
    return above


@pytest.mark.parametrize("n", range(2, 8))
def test_matrix_m_is_the_share_of_compatible_rankings(n):
    rng = np.random.default_rng(n)
    for _ in range(20 if n < 6 else 3):
        profile = random_profile(rng, n, 1, gaps=0.5)
        found = count_compatible(profile).shares / profile.weights
        np.testing.assert_allclose(found, matrix_m(profile.scores[:, 0]), atol=1e-12)


def test_row_sums_of_matrix_m_are_bordas_points():
    from nbrank.arrays.ballots.positional_scoring import borda_vector, positional

    profile = random_profile(np.random.default_rng(3), 8, 50)
    np.testing.assert_allclose(
        count_compatible(profile).shares.sum(axis=1),
        positional(profile, borda_vector, "compatible", "average"),
    )


def test_a_sub_table_keeps_the_total():
    counts = count_pairs(random_profile(np.random.default_rng(4), 5, 10))
    part = counts.select_systems(np.array([True, False, True, True, False]))
    assert part.wins.shape == (3, 3)
    assert part.total == counts.total
