"""Points for places against the enumeration of every compatible ranking."""

import itertools

import numpy as np
import pytest

from nbrank.arrays.ballots.positional_scoring import (
    antiplurality_vector,
    borda_vector,
    dowdall_vector,
    expected_vectors,
    place_weights,
    plurality_vector,
    points,
)
from nbrank.arrays.ballots.profile import Profile

FAMILIES = [plurality_vector, antiplurality_vector, borda_vector, dowdall_vector]


def enumerated(vector, n, k):
    """The mean points of the k scored systems over all rankings of n that keep their order."""
    total, count = np.zeros(k), 0
    for order in itertools.permutations(range(n)):
        places = [order.index(system) for system in range(k)]
        if places == sorted(places):
            total += vector[places]
            count += 1
    return total / count


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("n", range(1, 8))
def test_expected_points_are_the_mean_over_all_compatible_rankings(family, n):
    vectors = expected_vectors(family(n), 1)
    for k in range(1, n + 1):
        np.testing.assert_allclose(vectors[k], enumerated(family(n), n, k), atol=1e-12)


@pytest.mark.parametrize("n", range(1, 15))
def test_bordas_expected_points_have_a_closed_form(n):
    vectors = expected_vectors(borda_vector(n), 1)
    for k in range(1, n + 1):
        below = np.arange(k)[::-1]
        np.testing.assert_allclose(vectors[k], (below + 1) * (n + 1) / (k + 1) - 1)


def test_expected_points_stay_accurate_for_hundreds_of_systems():
    n, k = 400, 3
    vectors = expected_vectors(borda_vector(n), k)
    np.testing.assert_allclose(vectors[k], [3 * 401 / 4 - 1, 2 * 401 / 4 - 1, 401 / 4 - 1])


@pytest.mark.parametrize("ties", ["average", "min", "max"])
@pytest.mark.parametrize("missing", ["compatible", "ignore"])
@pytest.mark.parametrize("family", FAMILIES)
def test_points_are_those_of_the_place_weights(family, missing, ties):
    rng = np.random.default_rng(0)
    for _ in range(50):
        n = int(rng.integers(2, 7))
        scores = rng.integers(0, 3, (n, 4)).astype(float)
        if missing == "compatible":
            scores[rng.random((n, 4)) < 0.3] = np.nan
        profile = Profile(scores, rng.random(4) + 0.1)
        weights = place_weights(profile, missing, ties)
        np.testing.assert_allclose(
            weights @ family(n), points(profile, family, missing, ties) @ profile.weights
        )


@pytest.mark.parametrize("missing", ["compatible", "ignore"])
def test_place_weights_add_up(missing):
    rng = np.random.default_rng(1)
    scores = rng.integers(0, 3, (6, 9)).astype(float)
    scores[rng.random((6, 9)) < 0.4] = np.nan
    profile = Profile(scores, rng.random(9) + 0.1)
    for from_last in (False, True):
        weights = place_weights(profile, missing, "average", from_last=from_last)
        if missing == "compatible":
            np.testing.assert_allclose(weights.sum(axis=0), profile.weights.sum())
            np.testing.assert_allclose(weights.sum(axis=1), profile.weights.sum())
        else:
            np.testing.assert_allclose(weights.sum(axis=1), profile.observed @ profile.weights)


def test_complete_places_give_exact_points():
    scores = np.random.default_rng(2).normal(size=(50, 30))
    found = points(Profile(scores, np.ones(30)), dowdall_vector, "compatible", "average")
    assert set(found.ravel()) == set(dowdall_vector(50))
