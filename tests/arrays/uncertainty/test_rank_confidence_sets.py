"""Confidence sets for ranks: beside another library and slow loops, and how often they hold."""

import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbrank.arrays.ballots.positional_scoring import borda_vector, points
from nbrank.arrays.ballots.profile import Profile
from nbrank.arrays.uncertainty import rank_confidence_sets as module
from nbrank.arrays.uncertainty.influence import Contributions
from nbrank.arrays.uncertainty.measurement_errors import covariance_pair_tests
from nbrank.arrays.uncertainty.rank_confidence_sets import maximal_cliques, sign_flip_pair_tests


def means(scores, weights=None):
    """The contributions of a mean over what is there."""
    weights = np.ones(scores.shape[1]) if weights is None else np.asarray(weights, dtype=float)
    return Contributions.from_values(scores, ~np.isnan(scores), weights)


def borda(scores):
    weights = np.ones(scores.shape[1])
    values = points(Profile(scores, weights), borda_vector, "compatible", "average")
    return Contributions.from_values(values, None, weights)


def sets_of(contributions, delta=0.05, draws=4000, seed=0, *, joint=True):
    tests = sign_flip_pair_tests(contributions, draws, np.random.default_rng(seed))
    return tests.rank_sets(delta, joint=joint)


def covariance_sets(estimates, covariance, delta=0.05, draws=20_000, *, joint=True, degrees=np.inf):
    rng = np.random.default_rng(0)
    tests = covariance_pair_tests(
        np.asarray(estimates, float), covariance, draws, rng, degrees=degrees
    )
    return tests.rank_sets(delta, joint=joint)


def pairs_of(sets):
    return list(zip(sets.low.tolist(), sets.high.tolist(), strict=True))


# ------------------------------------------------------------------------- beside another library


def multiple_inference(estimates, covariance, *, joint):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from multiple_inference.confidence_set import MarginalRanking, SimultaneousRanking

        model = SimultaneousRanking if joint else MarginalRanking
        return [tuple(map(int, one)) for one in model(estimates, covariance).fit().conf_int(0.05)]


@pytest.mark.parametrize("joint", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_sets_from_a_covariance_are_those_of_multiple_inference(seed, joint):
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(8, 8))
    covariance = root @ root.T / 40
    estimates = np.linspace(0, 4, 8) + rng.normal(size=8) / 5
    found = covariance_sets(estimates, covariance, joint=joint)
    assert pairs_of(found) == multiple_inference(estimates, covariance, joint=joint)


@pytest.mark.parametrize("joint", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_sets_of_means_on_complete_data_are_those_of_multiple_inference(seed, joint):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(8, 400)) + np.linspace(0, 2, 8)[:, None] + rng.normal(size=400)
    expected = multiple_inference(scores.mean(axis=1), np.cov(scores) / 400, joint=joint)
    found = pairs_of(sets_of(means(scores), joint=joint))
    # Both critical values come from draws: a pair just at them may fall on either side.
    differences = np.abs(np.array(found) - np.array(expected))
    assert differences.max() <= 1
    assert differences.sum() <= 2


# --------------------------------------------------------------------------- against slow loops


def slow_sets(scores, weights, delta, *, joint):
    """All signs of all ballots, pair by pair, system by system, without a matrix."""
    n_systems, n_ballots = len(scores), len(weights)
    total = [sum(w for x, w in zip(row, weights, strict=True) if x == x) for row in scores]
    estimate = [
        sum(w * x for x, w in zip(row, weights, strict=True) if x == x) / t if t else np.nan
        for row, t in zip(scores, total, strict=True)
    ]
    known = [i for i in range(n_systems) if total[i]]

    def parts(i, j):
        centre = (total[i] * estimate[i] + total[j] * estimate[j]) / (total[i] + total[j])
        found = []
        for x, y, w in zip(scores[i], scores[j], weights, strict=True):
            left = w * (x - centre) / total[i] if x == x else 0.0
            right = w * (y - centre) / total[j] if y == y else 0.0
            found.append(left - right)
        return found

    statistics = {}
    for i, j in itertools.permutations(known, 2):
        part = parts(i, j)
        scale = sum(d * d for d in part) ** 0.5
        statistics[i, j] = [
            sum(s * d for s, d in zip(signs, part, strict=True)) / scale if scale > 1e-12 else 0.0
            for signs in itertools.product([1, -1], repeat=n_ballots)
        ]

    def accepted(claims):
        yes, open_ = set(), set(claims)
        while open_:
            largest = sorted(
                (max(column) for column in zip(*(statistics[c] for c in open_), strict=True)),
                reverse=True,
            )
            critical = largest[int(delta * len(largest) + 1e-9)]
            # Nobody is claimed to be better than a system that is ahead, however low the level.
            new = {c for c in open_ if statistics[c][0] > max(critical, 0.0) * (1 + 1e-9)}
            if not new:
                break
            yes |= new
            open_ -= new
        return yes

    together = accepted(statistics) if joint else None
    sets = []
    for k in range(n_systems):
        if k not in known:
            sets.append((1, n_systems))
            continue
        claims = together if joint else accepted(c for c in statistics if k in c)
        better = sum(j == k for _, j in claims)
        worse = sum(i == k for i, _ in claims)
        sets.append((1 + better, n_systems - worse))
    return sets


@pytest.mark.parametrize("joint", [True, False])
@pytest.mark.parametrize("gaps", [0.0, 0.3])
def test_sign_flips_are_those_of_slow_loops(joint, gaps):
    rng = np.random.default_rng(7)
    narrowed = 0
    for _ in range(25):
        n_systems, n_ballots = int(rng.integers(2, 6)), int(rng.integers(2, 8))
        scores = np.round(rng.normal(size=(n_systems, n_ballots)) + np.arange(n_systems)[:, None])
        scores[rng.random(scores.shape) < gaps] = np.nan
        weights = rng.choice([1.0, 2.0], n_ballots)
        found = pairs_of(sets_of(means(scores, weights), 0.2, joint=joint))
        assert found == slow_sets(scores.tolist(), weights.tolist(), 0.2, joint=joint)
        narrowed += found != [(1, n_systems)] * n_systems
    assert narrowed > 3


@pytest.mark.parametrize("joint", [True, False])
def test_tests_that_were_drawn_once_hold_at_every_level(joint, monkeypatch):
    # Runs of three pairs, so that steps begin within a run, at its end, and behind all of them.
    monkeypatch.setattr(module, "_RUN", 3)
    rng = np.random.default_rng(11)
    for gaps in (0.0, 0.3):
        scores = np.round(rng.normal(size=(6, 7)) + np.arange(6)[:, None])
        scores[rng.random(scores.shape) < gaps] = np.nan
        weights = rng.choice([1.0, 2.0], 7)
        tests = sign_flip_pair_tests(means(scores, weights), 4000, rng)
        levels = [0.9, 0.02, 0.5, 0.1, 0.3, 0.02]
        found = [pairs_of(tests.rank_sets(delta, joint=joint)) for delta in levels]
        assert found == [
            slow_sets(scores.tolist(), weights.tolist(), delta, joint=joint) for delta in levels
        ]
        assert len({tuple(sets) for sets in found}) > 2


def test_two_systems_are_a_sign_test():
    def told_apart(n):
        scores = np.vstack([np.ones(n), np.zeros(n)])
        return pairs_of(sets_of(means(scores))) == [(1, 1), (2, 2)]

    # Two of the 2^n signs are as one-sided as seen: 1/16 for five ballots, 1/32 for six.
    assert not told_apart(5)
    assert told_apart(6)


# ------------------------------------------------------------------------------------ properties


@given(seed=st.integers(0, 10_000), joint=st.booleans())
def test_the_sets_follow_the_systems_and_ignore_the_unit(seed, joint):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(5, 9)) + np.arange(5)[:, None]
    scores[rng.random(scores.shape) < 0.1] = np.nan
    weights = rng.choice([1.0, 2.0], 9)
    found = sets_of(means(scores, weights), joint=joint)
    order = rng.permutation(5)
    permuted = sets_of(means(scores[order], weights), joint=joint)
    assert permuted.low.tolist() == found.low[order].tolist()
    assert permuted.high.tolist() == found.high[order].tolist()
    assert pairs_of(sets_of(means(3 * scores + 100, 5 * weights), joint=joint)) == pairs_of(found)
    turned = sets_of(means(-scores, weights), joint=joint)
    assert turned.low.tolist() == (6 - found.high).tolist()


def test_what_all_systems_share_on_a_task_says_nothing_of_them():
    rng = np.random.default_rng(2)
    scores = rng.normal(size=(6, 30)) + np.arange(6)[:, None] / 2
    shifted = scores + 1e6 * rng.normal(size=30)
    found = sets_of(means(scores))
    assert pairs_of(found) == pairs_of(sets_of(means(shifted)))
    assert (found.high - found.low).max() < 5


def test_a_system_without_a_score_may_have_any_rank_and_leaves_room_for_itself():
    scores = np.vstack([np.full(20, 2.0), np.full(20, np.nan), np.full(20, 1.0)])
    scores[[0, 2]] += np.random.default_rng(0).normal(size=(2, 20)) / 10
    assert pairs_of(sets_of(means(scores))) == [(1, 2), (1, 3), (2, 3)]


def test_equal_systems_are_never_told_apart():
    scores = np.tile(np.random.default_rng(0).normal(size=30), (3, 1))
    assert pairs_of(sets_of(means(scores))) == [(1, 3)] * 3


def test_from_many_units_on_normal_draws_stand_for_the_signs(monkeypatch):
    rng = np.random.default_rng(5)
    scores = rng.normal(size=(6, module.MANY_UNITS + 1)) + np.linspace(0, 0.4, 6)[:, None]
    for case in (scores, np.where(rng.random(scores.shape) < 0.2, np.nan, scores)):
        normal = pairs_of(sets_of(means(case)))
        with monkeypatch.context() as patch:
            patch.setattr(module, "MANY_UNITS", 10**6)
            assert pairs_of(sets_of(means(case))) == normal


# ---------------------------------------------------------------------------- from a covariance


def test_a_shift_of_all_estimates_together_is_no_uncertainty_of_ranks():
    together = np.full((3, 3), 100.0) + np.eye(3) * 0.01
    assert pairs_of(covariance_sets([0, 1, 2], together)) == [(3, 3), (2, 2), (1, 1)]


def test_differences_that_are_known_exactly_are_sure():
    covariance = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    assert pairs_of(covariance_sets([0, 0.001, 0], covariance)) == [(2, 3), (1, 2), (1, 3)]
    assert pairs_of(covariance_sets([1, 1], np.zeros((2, 2)))) == [(1, 2), (1, 2)]


def test_few_degrees_of_freedom_widen_the_sets():
    # One pair: 2.3 standard errors are beyond 1.96, and within Student's 2.57 for 5 degrees.
    covariance = np.eye(2) / 2
    assert pairs_of(covariance_sets([0, 2.3], covariance)) == [(2, 2), (1, 1)]
    assert pairs_of(covariance_sets([0, 2.3], covariance, degrees=5)) == [(1, 2), (1, 2)]
    assert pairs_of(covariance_sets([0, 2.7], covariance, degrees=5)) == [(2, 2), (1, 1)]


# ------------------------------------------------------------------------------------- tie groups


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(0, 3)), min_size=1, max_size=6))
def test_the_largest_sets_of_intervals_with_a_common_point(intervals):
    low = np.array([start for start, _ in intervals])
    high = np.array([start + length for start, length in intervals])
    everyone = range(len(intervals))
    meeting = [
        set(members)
        for size in range(1, len(intervals) + 1)
        for members in itertools.combinations(everyone, size)
        if low[list(members)].max() <= high[list(members)].min()
    ]
    largest = [one for one in meeting if not any(one < other for other in meeting)]
    found = [set(members.tolist()) for members in maximal_cliques(low, high)]
    assert sorted(map(sorted, found)) == sorted(map(sorted, largest))
    assert set().union(*found) == set(everyone)


# -------------------------------------------------------------------------------------- coverage


def holds(sets, low, high):
    """Whether the sets hold the true ranks: for tied systems, every rank that they share."""
    return bool(((sets.low <= low) & (sets.high >= high)).all())


def coverage(n_systems, n_tasks, spread, gaps, rule, n_tables, find):
    """How often the sets hold for all systems at once, and how wide they are on average."""
    rng = np.random.default_rng(20)
    quality = np.linspace(0, spread, n_systems)
    low = high = np.arange(n_systems, 0, -1)
    if spread == 0:
        low, high = np.ones(n_systems), np.full(n_systems, n_systems)
    held, width = 0, 0.0
    for _ in range(n_tables):
        scores = rng.gumbel(size=(n_systems, n_tasks)) + quality[:, None]
        scores[rng.random(scores.shape) < gaps] = np.nan
        sets = find(rule(scores), rng)
        held += holds(sets, low, high)
        width += float((sets.high - sets.low + 1).mean())
    return held / n_tables, width / n_tables


def flips(contributions, rng):
    return sign_flip_pair_tests(contributions, 999, rng).rank_sets(0.05, joint=True)


def normal(contributions, rng):
    values = contributions.amounts
    covariance = np.cov(values) / values.shape[1]
    tests = covariance_pair_tests(contributions.estimates, covariance, 999, rng)
    return tests.rank_sets(0.05, joint=True)


N_TABLES = 300
SIMULATION_ERROR = 3 * np.sqrt(0.05 * 0.95 / N_TABLES)


@pytest.mark.parametrize("rule", [borda, means])
@pytest.mark.parametrize("gaps", [0.0, 0.2])
@pytest.mark.parametrize("n_tasks", [14, 8])
def test_twenty_equal_systems_on_few_tasks_are_covered_jointly(rule, gaps, n_tasks):
    held, _ = coverage(20, n_tasks, 0, gaps, rule, N_TABLES, flips)
    assert held >= 0.95 - SIMULATION_ERROR


def test_a_normal_critical_value_does_not_cover_them():
    held, _ = coverage(20, 14, 0, 0.0, borda, N_TABLES, normal)
    assert held < 0.75


@pytest.mark.parametrize("rule", [borda, means])
@pytest.mark.parametrize("gaps", [0.0, 0.2])
def test_systems_in_order_are_covered_and_told_apart(rule, gaps):
    held, width = coverage(10, 40, 5, gaps, rule, 200, flips)
    assert held >= 0.95
    assert width < 5


def test_each_systems_own_set_holds_for_it():
    rng = np.random.default_rng(21)
    held = [
        (sets.low == 1) & (sets.high == 12)
        for sets in (
            sign_flip_pair_tests(borda(rng.gumbel(size=(12, 14))), 499, rng).rank_sets(
                0.1, joint=False
            )
            for _ in range(200)
        )
    ]
    # Twelve systems a table, which depend on each other.
    assert np.mean(held) >= 0.9 - 0.02
    assert np.mean(held) < 0.98
