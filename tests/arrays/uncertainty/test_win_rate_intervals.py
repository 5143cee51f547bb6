"""Intervals for the share of ballots won: each bound, Holm's levels, and how often they hold."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from nbrank.arrays.ballots.profile import Profile
from nbrank.arrays.uncertainty.win_rate_intervals import (
    PairwiseWinRates,
    bootstrap_intervals,
    comparisons_needed,
    exact_holm_levels,
    hoeffding,
    hoeffding_p_values,
    holm_levels,
    make_unit_win_counter,
    sign_test_p_values,
    wilson,
    wilson_p_values,
    win_rate_intervals,
)

BOUNDS = {"hoeffding": (hoeffding, hoeffding_p_values), "wilson": (wilson, wilson_p_values)}


def random_profiles(n_profiles, seed=1):
    """Small tables with ties, gaps and weights."""
    rng = np.random.default_rng(seed)
    for _ in range(n_profiles):
        n_systems, n_ballots = int(rng.integers(2, 6)), int(rng.integers(1, 9))
        scores = rng.integers(0, 4, size=(n_systems, n_ballots)).astype(float)
        scores[rng.random(scores.shape) < 0.3] = np.nan
        weights = (
            rng.choice([0.5, 1.0, 3.0], n_ballots) if rng.random() < 0.7 else np.ones(n_ballots)
        )
        yield Profile(scores, weights)


def bootstrapped(profile, unit_of=None, delta=0.05, draws=4000, seed=0, *, holm=False):
    n_systems, n_ballots = profile.scores.shape
    unit_of = np.arange(n_ballots) if unit_of is None else np.asarray(unit_of)
    outcomes = make_unit_win_counter(profile, unit_of)
    rng = np.random.default_rng(seed)
    n_units = int(unit_of.max()) + 1
    return bootstrap_intervals(outcomes, n_systems, n_units, delta, draws, rng, holm=holm)


# ---------------------------------------------------------------------------------- the meetings


def test_meetings_are_the_ballots_with_both_systems():
    for profile in random_profiles(50):
        met = PairwiseWinRates.from_profile(profile)
        for i, left in enumerate(profile.scores):
            for j, right in enumerate(profile.scores):
                if i == j:
                    continue
                both = ~np.isnan(left) & ~np.isnan(right)
                weights = profile.weights[both]
                won = np.where(
                    left[both] > right[both], 1.0, np.where(left[both] == right[both], 0.5, 0.0)
                )
                assert met.n_comparisons[i, j] == both.sum()
                if both.any():
                    assert met.win_rate[i, j] == pytest.approx(np.average(won, weights=weights))
                    effective = weights.sum() ** 2 / (weights**2).sum()
                    assert met.effective_n[i, j] == pytest.approx(effective)
                else:
                    assert np.isnan(met.win_rate[i, j])
                    assert met.effective_n[i, j] == 0


def test_meetings_without_ties_are_those_with_the_tied_scores_missing():
    rng = np.random.default_rng(4)
    for profile in random_profiles(50):
        some_weights = Profile(
            profile.scores, profile.weights * (1 + rng.random(len(profile.weights)))
        )
        for ballots in (profile, some_weights):
            untied = PairwiseWinRates.from_profile(ballots, untied=True)
            for i, j in product(range(len(ballots.scores)), repeat=2):
                if i != j:
                    two = np.where(ballots.scores[i] == ballots.scores[j], np.nan, ballots.scores)
                    expected = PairwiseWinRates.from_profile(Profile(two[[i, j]], ballots.weights))
                    for field in ("win_rate", "n_comparisons", "effective_n", "weight"):
                        found = getattr(untied, field)[i, j]
                        assert found == pytest.approx(getattr(expected, field)[0, 1], nan_ok=True)


# ------------------------------------------------------------------------------------ the bounds


def test_hoeffding_by_hand():
    low, high = hoeffding(np.array([0.5]), np.array([50.0]), np.array([0.1]))
    half_width = np.sqrt(np.log(20) / 100)
    assert low == pytest.approx([0.5 - half_width])
    assert high == pytest.approx([0.5 + half_width])


def test_hoeffding_is_two_sided():
    # The constant of the paper's equation 4, sqrt(-log(delta) / 2n), would be narrower.
    low, _ = hoeffding(np.array([0.5]), np.array([100.0]), np.array([0.05]))
    assert 0.5 - low[0] > np.sqrt(-np.log(0.05) / 200) + 0.01


@given(n=st.integers(1, 200), wins=st.integers(0, 200), delta=st.floats(0.001, 0.5))
def test_wilson_is_scipys(n, wins, delta):
    wins = min(wins, n)
    low, high = wilson(np.array([wins / n]), np.array([float(n)]), np.array([delta]))
    expected = stats.binomtest(wins, n).proportion_ci(1 - delta, method="wilson")
    assert (low[0], high[0]) == pytest.approx((expected.low, expected.high), abs=1e-9)


@pytest.mark.parametrize("method", BOUNDS)
@given(share=st.floats(0, 1), n=st.floats(1, 500), delta=st.floats(0.001, 0.5))
def test_the_p_value_is_where_the_interval_ends_on_one_half(method, share, n, delta):
    bounds, p_values = BOUNDS[method]
    p_value = p_values(np.array([share]), np.array([n]))[0]
    low, high = bounds(np.array([share]), np.array([n]), np.array([delta]))
    if abs(p_value - delta) > 1e-9:
        assert (low[0] > 0.5 or high[0] < 0.5) == (p_value < delta)


@pytest.mark.parametrize("method", BOUNDS)
def test_a_pair_that_never_met_may_have_any_share(method):
    bounds, p_values = BOUNDS[method]
    low, high = bounds(np.array([np.nan]), np.zeros(1), np.array([0.05]))
    assert (low[0], high[0]) == (0, 1)
    assert p_values(np.array([np.nan]), np.zeros(1)) == [1]


@pytest.mark.parametrize("method", [*BOUNDS, "bootstrap"])
@pytest.mark.parametrize("holm", [False, True])
def test_the_two_orders_of_a_pair_mirror_each_other(method, holm):
    for profile in random_profiles(10):
        if method == "bootstrap":
            found = bootstrapped(profile, draws=50, holm=holm)
        else:
            found = win_rate_intervals(
                PairwiseWinRates.from_profile(profile), 0.3, method, holm=holm
            )
        others = ~np.eye(len(profile.scores), dtype=bool)
        np.testing.assert_allclose((found.low + found.high.T)[others], 1)
        np.testing.assert_array_equal(found.significant, found.significant.T)
        assert not found.significant.diagonal().any()


# ------------------------------------------------------------------------------------------ Holm


def rejected_step_by_step(p_values, delta):
    """Holm's procedure as it is told: test the smallest left at delta over how many are left."""
    left = sorted(range(len(p_values)), key=lambda k: p_values[k])
    rejected = set()
    while left and p_values[left[0]] <= delta / len(left):
        rejected.add(left.pop(0))
    return rejected


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.floats(0.01, 0.5))
def test_holms_levels_reject_what_the_steps_reject(p_values, delta):
    levels = holm_levels(np.array(p_values), delta)
    rejected = {k for k, p_value in enumerate(p_values) if p_value <= levels[k]}
    assert rejected == rejected_step_by_step(p_values, delta)


@pytest.mark.parametrize("method", ["hoeffding", "wilson"])
def test_intervals_at_holms_levels_leave_out_one_half_where_it_rejects(method):
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(8, 60)) + np.linspace(0, 2, 8)[:, None]
    meetings = PairwiseWinRates.from_profile(Profile(scores, np.ones(60)))
    pairs = np.triu_indices(8, 1)
    met = meetings.win_rate[pairs], meetings.effective_n[pairs]
    p_values = np.maximum(BOUNDS[method][1](*met), sign_test_p_values(*met))
    found = win_rate_intervals(meetings, 0.05, method, holm=True)
    rejected = rejected_step_by_step(p_values.tolist(), 0.05)
    assert set(np.flatnonzero(found.significant[pairs])) == rejected
    assert (
        0
        < len(rejected)
        < win_rate_intervals(meetings, 0.05, method, holm=False).significant.sum() / 2
    )


# ------------------------------------------------------------------------------------ the sign test


@given(n=st.integers(1, 300), wins=st.integers(0, 300))
def test_the_sign_test_is_scipys_for_whole_numbers(n, wins):
    wins = min(wins, n)
    found = sign_test_p_values(np.array([wins / n]), np.array([float(n)]))
    assert found[0] == pytest.approx(stats.binomtest(wins, n).pvalue, rel=1e-9)


def test_no_ballots_say_nothing():
    assert sign_test_p_values(np.array([np.nan, 1.0]), np.array([0.0, 0.0])).tolist() == [1, 1]


WEIGHTINGS = {
    "equal": lambda rng, m: np.ones(m),
    "uniform": lambda rng, m: rng.random(m),
    "heavy tails": lambda rng, m: rng.exponential(size=m) ** 3,
    "two kinds": lambda rng, m: rng.choice([1.0, rng.choice([1.5, 2, 5, 10])], m),
    "one heavier": lambda rng, m: np.append(np.ones(m - 1), rng.random() * m),
    "nearly equal": lambda rng, m: 1 + rng.random(m) / 10,
}


@pytest.mark.parametrize("draw", WEIGHTINGS.values(), ids=WEIGHTINGS)
@pytest.mark.parametrize("ties", [0, 3])
def test_the_sign_test_bounds_every_weighting(draw, ties):
    """The chance of a sum as large, over all signs; tied ballots may count as half wins."""
    rng = np.random.default_rng(6)
    for _ in range(60):
        m = int(rng.integers(1, 12))
        weights = draw(rng, m + ties)
        decided = weights[:m]
        sums = np.sort(np.array(list(product([-1, 1], repeat=m))) @ decided)
        attained = np.unique(sums[sums > 1e-9])
        chance = 2 * (len(sums) - np.searchsorted(sums, attained - 1e-9)) / len(sums)
        share = np.minimum((1 + attained / weights.sum()) / 2, 1.0)
        effective = np.full(len(share), weights.sum() ** 2 / (weights**2).sum())
        bound = sign_test_p_values(share, effective)
        told = bound <= 0.4
        assert (chance[told] <= bound[told] * (1 + 1e-9)).all()


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=20))
def test_exact_levels_reject_where_holm_rejects_the_larger_p_value(pairs):
    p_values, exact = np.array(pairs).T
    valid = np.maximum(p_values, exact)
    levels = exact_holm_levels(p_values, exact, 0.3)
    assert (levels <= holm_levels(valid, 0.3) * (1 + 1e-12)).all()
    rejected = rejected_step_by_step(valid.tolist(), 0.3)
    clear = (p_values > 1e-300) & ~np.isclose(valid, holm_levels(valid, 0.3))
    expected = np.array([k in rejected for k in range(len(pairs))])
    assert ((p_values <= levels) == expected)[clear].all()


@pytest.mark.parametrize(
    ("n_ballots", "significant"), [(8, False), (9, False), (10, False), (11, True)]
)
@pytest.mark.parametrize("method", ["wilson", "bootstrap"])
def test_holm_asks_an_unbeaten_system_for_as_many_wins_as_chance_needs(
    method, n_ballots, significant
):
    """Of 28 pairs one may be called at .05 / 28 = .0018; eleven wins have a chance of .0010."""
    rng = np.random.default_rng(12)
    scores = np.full((8, n_ballots), np.nan)
    scores[0], scores[1] = 1.0, 0.0
    scores[2:, 0] = rng.normal(size=6)
    profile = Profile(scores, np.ones(n_ballots))
    if method == "bootstrap":
        found = bootstrapped(profile, holm=True)
    else:
        found = win_rate_intervals(PairwiseWinRates.from_profile(profile), 0.05, method, holm=True)
    assert found.significant[0, 1] == significant == (2 * 0.5**n_ballots <= 0.05 / 28)
    assert (found.low[0, 1] > 0.5) == significant
    assert found.significant.sum() == 2 * significant


@pytest.mark.parametrize("n_ballots", [2000, 20_000])
@pytest.mark.parametrize("method", ["wilson", "bootstrap"])
def test_p_values_too_small_for_a_number_are_significant(method, n_ballots):
    scores = np.vstack([np.ones(n_ballots), np.zeros(n_ballots), np.zeros(n_ballots)])
    scores[1, 0] = 2.0
    profile = Profile(scores, np.ones(n_ballots))
    if method == "bootstrap":
        found = bootstrapped(profile, draws=100, holm=True)
    else:
        found = win_rate_intervals(PairwiseWinRates.from_profile(profile), 0.05, method, holm=True)
    assert found.significant[0].tolist() == [False, True, True]
    assert found.significant[:, 0].tolist() == [False, True, True]
    assert found.low[0, 1] > 0.99


# ----------------------------------------------------------------------------------- the bootstrap


@pytest.mark.parametrize(("wins", "losses"), [(1, 0), (5, 0), (7, 3), (30, 50)])
def test_for_independent_ballots_the_bootstrap_is_jeffreys_interval(wins, losses):
    scores = np.array([[1.0] * wins + [0.0] * losses, [0.0] * wins + [1.0] * losses])
    found = bootstrapped(Profile(scores, np.full(wins + losses, 2.0)), draws=40_000)
    expected = stats.beta.ppf([0.025, 0.975], wins + 0.5, losses + 0.5)
    if losses == 0:
        expected[1] = 1.0
    assert (found.low[0, 1], found.high[0, 1]) == pytest.approx(tuple(expected), abs=0.02)


def test_one_win_is_not_certainty():
    assert not bootstrapped(Profile(np.array([[1.0], [0.0]]), np.ones(1))).significant.any()


def test_a_pair_that_never_met_has_the_whole_interval_from_the_bootstrap():
    scores = np.array([[1.0, np.nan, 1.0], [np.nan, 1.0, 0.0], [0.0, np.nan, np.nan]])
    found = bootstrapped(Profile(scores, np.ones(3)))
    assert (found.low[1, 2], found.high[1, 2]) == (0, 1)
    assert found.low[0, 1] > 0


def test_ballots_of_one_unit_are_drawn_together():
    rng = np.random.default_rng(4)
    scores = rng.normal(size=(4, 10)) + np.arange(4)[:, None] / 2
    single = bootstrapped(Profile(scores, np.ones(10)))
    copies = np.tile(scores, 3)
    tripled = bootstrapped(Profile(copies, np.ones(30)), unit_of=np.tile(np.arange(10), 3))
    np.testing.assert_allclose(tripled.low, single.low)
    as_if_independent = bootstrapped(Profile(copies, np.ones(30)))
    others = ~np.eye(4, dtype=bool)
    width, narrower = single.high - single.low, as_if_independent.high - as_if_independent.low
    assert (narrower[others] < width[others]).all()


def test_blocks_of_pairs_and_units_change_nothing(monkeypatch):
    profile = next(random_profiles(1, seed=8))
    unit_of = np.arange(profile.scores.shape[1]) // 2
    whole = bootstrapped(profile, unit_of, draws=50)
    monkeypatch.setattr("nbrank.arrays.uncertainty.win_rate_intervals._BLOCK", 50)
    np.testing.assert_allclose(bootstrapped(profile, unit_of, draws=50).low, whole.low)


# -------------------------------------------------------------------------------------- how many


@pytest.mark.parametrize("method", BOUNDS)
@given(
    share=st.floats(0, 1).filter(lambda share: abs(share - 0.5) > 0.02), pairs=st.integers(1, 99)
)
def test_the_comparisons_needed_are_the_fewest(method, share, pairs):
    needed = comparisons_needed(np.array([share]), 0.05, method, pairs)[0]

    def sure(n):
        low, high = BOUNDS[method][0](np.array([share]), np.array([n]), np.array([0.05 / pairs]))
        return low[0] > 0.5 or high[0] < 0.5

    assert sure(needed * (1 + 1e-9))
    assert needed == 1 or not sure((needed - 1) * (1 - 1e-9))


# ------------------------------------------------------------------------------------- coverage


def battles(rng, share, n_ballots, n_systems=4):
    """Scores in which each system beats the next with a known probability, with gaps."""
    # Logistic noise: P(x_i > x_j) is 1 / (1 + exp(mu_j - mu_i)) for Gumbel scores.
    mu = np.arange(n_systems)[::-1] * np.log(share / (1 - share))
    scores = rng.gumbel(size=(n_systems, n_ballots)) + mu[:, None]
    scores[rng.random(scores.shape) < 0.2] = np.nan
    truth = 1 / (1 + np.exp(mu[None, :] - mu[:, None]))
    return scores, truth


@pytest.mark.parametrize("share", [0.5, 0.8])
@pytest.mark.parametrize(
    ("method", "least"), [("hoeffding", 0.95), ("wilson", 0.95), ("bootstrap", 0.95)]
)
def test_intervals_cover_the_truth_and_say_something(method, least, share):
    rng = np.random.default_rng(10)
    covered, widths, n_tables = 0, [], 1000
    for _ in range(n_tables):
        scores, truth = battles(rng, share, 60)
        profile = Profile(scores, rng.choice([1.0, 2.0], 60))
        if method == "bootstrap":
            found = bootstrapped(profile, draws=400, seed=int(rng.integers(2**31)))
        else:
            found = win_rate_intervals(
                PairwiseWinRates.from_profile(profile), 0.05, method, holm=False
            )
        others = ~np.eye(4, dtype=bool)
        covered += ((found.low <= truth) & (truth <= found.high))[others].mean()
        widths.append((found.high - found.low)[others].mean())
    # Six pairs a table: the standard error of the mean coverage is below 0.005.
    assert covered / n_tables >= least - 0.01
    assert np.mean(widths) < {"hoeffding": 0.5, "wilson": 0.35, "bootstrap": 0.35}[method]


@pytest.mark.parametrize("method", ["hoeffding", "wilson", "bootstrap"])
def test_holm_keeps_the_chance_of_any_wrong_claim(method):
    rng = np.random.default_rng(11)
    n_tables, wrong, wrong_without = 1000, 0, 0
    for _ in range(n_tables):
        profile = Profile(rng.normal(size=(8, 40)), np.ones(40))
        if method == "bootstrap":
            with_holm, without = (
                bootstrapped(profile, draws=400, seed=5, holm=holm) for holm in (True, False)
            )
        else:
            meetings = PairwiseWinRates.from_profile(profile)
            with_holm, without = (
                win_rate_intervals(meetings, 0.05, method, holm=holm) for holm in (True, False)
            )
        wrong += with_holm.significant.any()
        wrong_without += without.significant.any()
    assert wrong / n_tables <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / n_tables)
    if method != "hoeffding":
        assert wrong_without / n_tables > 0.3


@pytest.mark.parametrize("weights", [1.0, 5.0], ids=["even", "uneven"])
@pytest.mark.parametrize("shape", [(8, 8), (5, 7), (12, 10), (8, 20)])
@pytest.mark.parametrize("method", ["wilson", "bootstrap"])
def test_holm_keeps_the_chance_of_any_wrong_claim_with_few_ballots(method, shape, weights):
    rng = np.random.default_rng(13)
    n_tables, wrong = 500, 0
    for _ in range(n_tables):
        profile = Profile(rng.normal(size=shape), np.where(np.arange(shape[1]) < 3, weights, 1.0))
        if method == "bootstrap":
            found = bootstrapped(profile, draws=200, seed=5, holm=True)
        else:
            found = win_rate_intervals(
                PairwiseWinRates.from_profile(profile), 0.05, method, holm=True
            )
        wrong += found.significant.any()
    assert wrong / n_tables <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / n_tables)
