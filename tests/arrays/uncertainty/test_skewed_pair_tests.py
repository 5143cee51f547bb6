"""Which means of skewed scores may be the best: whoever signs or the bootstrap leave in."""

import numpy as np
import pytest

from nbrank.arrays.uncertainty.influence import Contributions
from nbrank.arrays.uncertainty.rank_confidence_sets import sign_flip_pair_tests
from nbrank.arrays.uncertainty.skewed_pair_tests import SkewedPairTests

DRAWS = 1999


def contributions(n_systems=6, n_units=16, missing=0.0, seed=0):
    rng = np.random.default_rng(seed)
    values = rng.exponential(size=(n_systems, n_units)) + 0.4 * np.arange(n_systems)[:, None]
    observed = rng.random(values.shape) >= missing
    observed[:, 0] = True
    return Contributions.from_values(values, observed, np.ones(n_units))


def skewed(added, seed=0):
    return SkewedPairTests.from_contributions(added, DRAWS, np.random.default_rng(seed))


def lead(added, i, j):
    """What each unit adds to the lead of i over j, about the mean of all that is known of both."""
    totals = added.weights.sum(axis=1) * np.ones(len(added.amounts))
    weights = np.broadcast_to(added.weights, added.amounts.shape)
    both = (added.amounts[i].sum() + added.amounts[j].sum()) / (totals[i] + totals[j])
    own = [(added.amounts[k] - both * weights[k]) / totals[k] for k in (i, j)]
    return own[0] - own[1]


def t_value(values, expected=0.0):
    return (values.mean() - expected) / (values.std(ddof=1) / np.sqrt(len(values)))


@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("seed", range(3))
def test_p_values_are_the_larger_ones_of_signs_and_of_units_redrawn_one_by_one(missing, seed):
    added = contributions(missing=missing, seed=seed)
    tests = skewed(added)
    assert (tests.counts.sum(axis=0) == 15).all()
    by_signs = sign_flip_pair_tests(added, DRAWS, np.random.default_rng(0)).best_p_values()
    rivals = np.flatnonzero(by_signs > 0.05)
    for system, p_value in enumerate(tests.best_p_values_of_both(0.05)):
        if system in rivals:
            assert p_value == by_signs[system]
            continue
        leads = [lead(added, rival, system) for rival in rivals]
        observed = max((t_value(values) for values in leads), default=0.0)
        expected = 1.0
        if observed > 0:
            largest = [
                max(t_value(np.repeat(values, counts), values.mean()) for values in leads)
                for counts in tests.counts.T.astype(int)
            ]
            expected = (1 + np.sum(np.array(largest) >= observed)) / DRAWS
        assert p_value == pytest.approx(max(expected, by_signs[system]))


def test_pairs_are_told_apart_by_signs_alone():
    added = contributions()
    flips = sign_flip_pair_tests(added, DRAWS, np.random.default_rng(0))
    assert (skewed(added).different(0.05) == flips.different(0.05)).all()


def test_a_lead_that_never_varies_is_certain():
    values = np.random.default_rng(0).exponential(size=15)
    tests = skewed(Contributions(np.stack([values + 1, values, values]), np.ones((1, 15))))
    assert tests.best_p_values_of_both(0.05)[0] == 1
    assert (tests.best_p_values_of_both(0.05)[1:] <= 2 / DRAWS).all()


def test_units_that_count_for_no_system_change_no_draw():
    added = contributions(missing=0.2)
    more = Contributions(
        np.insert(added.amounts, 4, 0.0, axis=1), np.insert(added.weights, 4, 0.0, axis=1)
    )
    assert skewed(more).counts.shape == skewed(added).counts.shape


def test_a_system_without_a_mean_is_in_no_pair():
    added = contributions(missing=0.2)
    amounts, weights = added.amounts.copy(), added.weights.copy()
    amounts[2] = weights[2] = 0.0
    p_values = skewed(Contributions(amounts, weights)).best_p_values_of_both(0.05)
    assert np.flatnonzero(np.isnan(p_values)).tolist() == [2]
