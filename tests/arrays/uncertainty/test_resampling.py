"""Resampling on arrays: what is drawn, and that adding up what is drawn is drawing anew."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbrank.arrays.ballots.averages import weighted_mean
from nbrank.arrays.ballots.pairwise_counts import count_pairs
from nbrank.arrays.ballots.profile import Profile, competition_ranks, competition_ranks_columns
from nbrank.arrays.uncertainty import resampling as module
from nbrank.arrays.uncertainty.influence import Contributions
from nbrank.arrays.uncertainty.resampling import (
    draw_multiplicities,
    n_blocks,
    percentiles,
    resampled_counts,
    resampled_means,
    reweight_unit_counts,
    win_shares,
)


def drawn_counts(strata, n_resamples, seed=0):
    counts = np.full((len(strata), n_resamples), -1.0)
    for one in draw_multiplicities(np.asarray(strata), n_resamples, np.random.default_rng(seed)):
        counts[one.units] = one.counts
    return counts


def random_profile(seed):
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 4, size=(4, 9)).astype(float)
    scores[rng.random(scores.shape) < 0.3] = np.nan
    return Profile(scores, rng.choice([1.0, 2.5], 9))


# ----------------------------------------------------------------------------------- what is drawn


def test_each_stratum_gives_as_many_as_it_has():
    strata = np.array([0, 1, 0, 2, 1, 0])
    counts = drawn_counts(strata, 50)
    for stratum in range(3):
        assert (counts[strata == stratum].sum(axis=0) == (strata == stratum).sum()).all()


@pytest.mark.parametrize("block", [2, 4096])
def test_units_are_drawn_alike_in_blocks_or_not(monkeypatch, block):
    monkeypatch.setattr(module, "_BLOCK", block)
    strata = np.zeros(5, dtype=int)
    assert n_blocks(strata) == len(list(draw_multiplicities(strata, 1, np.random.default_rng(0))))
    counts = drawn_counts(strata, 20_000)
    # Multinomial: mean 1, variance 4/5, and -1/5 between two units.
    np.testing.assert_allclose(counts.mean(axis=1), 1, atol=0.03)
    np.testing.assert_allclose(np.cov(counts), np.eye(5) - 0.2, atol=0.04)


def test_the_same_seed_draws_the_same():
    strata = np.zeros(30, dtype=int)
    np.testing.assert_array_equal(drawn_counts(strata, 5), drawn_counts(strata, 5))
    assert (drawn_counts(strata, 5) != drawn_counts(strata, 5, seed=1)).any()


def test_how_many_are_counted_at_a_time_changes_nothing_in_what_is_drawn(monkeypatch):
    strata = np.repeat([0, 1], [25, 8])
    expected = drawn_counts(strata, 40)
    monkeypatch.setattr(module, "_CELLS", 70)
    np.testing.assert_array_equal(drawn_counts(strata, 40), expected)


# ----------------------------------------------------------------------- adding up, drawing anew


@pytest.mark.parametrize("seed", range(5))
def test_means_of_a_resample_are_those_of_its_ballots(seed):
    profile = random_profile(seed)
    contributions = Contributions.from_values(profile.scores, profile.observed, profile.weights)
    strata = np.array([0, 0, 0, 0, 1, 1, 1, 2, 2])
    means = resampled_means(
        contributions, draw_multiplicities(strata, 20, np.random.default_rng(1)), 20
    )
    for times, found in zip(drawn_counts(strata, 20, seed=1).T.astype(int), means.T, strict=True):
        which = np.repeat(np.arange(9), times)
        again = Profile(profile.scores[:, which], profile.weights[which])
        np.testing.assert_allclose(found, weighted_mean(again, again.scores, again.observed))


def by_resample(profile, unit_of, strata, found):
    """The pairwise counts of each resample, with the ballots that were drawn for it."""
    times_of_each = drawn_counts(strata, 20, seed=2).T.astype(int)
    for times, (counts, scored) in zip(times_of_each, found, strict=True):
        drawn = np.repeat(np.arange(len(strata)), times)
        which = np.concatenate([np.flatnonzero(unit_of == unit) for unit in drawn])
        again = Profile(profile.scores[:, which], profile.weights[which])
        yield again, counts, scored


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n_systems", [1, 2, 4])
def test_counts_of_a_resample_are_those_of_its_ballots(seed, n_systems, monkeypatch):
    # Of two ballots, and of few pairs, at a time.
    if seed % 2:
        monkeypatch.setattr(module, "_BLOCK", 2)
        monkeypatch.setattr(module, "_PAIRS", 1)
    profile = random_profile(seed)
    profile = Profile(profile.scores[:n_systems], profile.weights)
    unit_of = np.array([0, 2, 1, 1, 2, 0, 3, 3, 3])
    strata = np.zeros(4, dtype=int)
    rng = np.random.default_rng(2)
    found = resampled_counts(profile, unit_of, draw_multiplicities(strata, 20, rng), 20)
    for again, counts, scored in by_resample(profile, unit_of, strata, found):
        np.testing.assert_allclose(counts.wins, count_pairs(again).wins)
        np.testing.assert_allclose(counts.ties, count_pairs(again).ties)
        assert counts.total == pytest.approx(again.weights.sum())
        np.testing.assert_array_equal(scored, again.scored)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("gaps", [0.0, 0.3])
@pytest.mark.parametrize("weight", [1.0, 0.1])
def test_counts_of_ballots_that_weigh_the_same_are_exact(dtype, gaps, weight):
    rng = np.random.default_rng(0)
    scores = rng.integers(0, 3, (5, 40)).astype(dtype)
    scores[rng.random(scores.shape) < gaps] = np.nan
    profile, unit_of = Profile(scores, np.full(40, weight)), np.arange(40)
    strata = np.repeat([0, 1], [30, 10])
    drawn = draw_multiplicities(strata, 20, np.random.default_rng(2), np.float32)
    found = resampled_counts(profile, unit_of, drawn, 20)
    for again, counts, scored in by_resample(profile, unit_of, strata, found):
        once = count_pairs(Profile(again.scores, np.ones(40)))
        np.testing.assert_allclose(counts.wins, weight * once.wins, rtol=1e-15)
        np.testing.assert_allclose(counts.ties, weight * once.ties, rtol=1e-15)
        # Where nobody is level, there is no rounding error to look like a tie.
        assert ((counts.ties == 0) == (once.ties == 0)).all()
        np.testing.assert_array_equal(scored, again.scored)


@pytest.mark.parametrize("seed", range(3))
def test_counts_of_units_add_up_to_those_of_a_resample(seed):
    profile, unit_of = random_profile(seed), np.array([0, 2, 1, 1, 2, 0, 3, 3, 3])
    strata = np.zeros(4, dtype=int)
    of_units = [
        Profile(profile.scores[:, unit_of == unit], profile.weights[unit_of == unit])
        for unit in range(4)
    ]
    scored = np.column_stack([one.scored for one in of_units])
    drawn = draw_multiplicities(strata, 20, np.random.default_rng(2))
    found = reweight_unit_counts([count_pairs(one) for one in of_units], scored, drawn, 20)
    for again, counts, scored in by_resample(profile, unit_of, strata, found):
        np.testing.assert_allclose(counts.wins, count_pairs(again).wins)
        np.testing.assert_allclose(counts.ties, count_pairs(again).ties)
        assert counts.total == pytest.approx(again.weights.sum())
        np.testing.assert_array_equal(scored, again.scored)


@given(st.integers(0, 1000))
def test_a_units_ballots_are_added_up(seed):
    profile = random_profile(seed)
    contributions = Contributions.from_values(profile.scores, profile.observed, profile.weights)
    unit_of = np.random.default_rng(seed).permutation([0, 0, 0, 1, 1, 2, 3, 3, 3])
    units = contributions.sum_by_unit(unit_of)
    assert units.n_units == 4
    np.testing.assert_allclose(units.estimates, contributions.estimates)
    for unit in range(4):
        np.testing.assert_allclose(
            units.amounts[:, unit], contributions.amounts[:, unit_of == unit].sum(axis=1)
        )
        np.testing.assert_allclose(
            units.weights[:, unit], contributions.weights[:, unit_of == unit].sum(axis=1)
        )


def test_a_single_ballot_a_unit_may_be_numbered_in_any_order():
    contributions = Contributions.from_values(np.array([[1.0, 2.0, 3.0]]), None, np.ones(3))
    assert contributions.sum_by_unit(np.array([2, 0, 1])).amounts.tolist() == [[2.0, 3.0, 1.0]]


# ----------------------------------------------------------------------------------------- ranks

SCORES = st.sampled_from([0.0, 1.0, 1.0 + 1e-12, 2.0, -3.0, np.nan])


@given(st.lists(st.lists(SCORES, min_size=4, max_size=4), min_size=1, max_size=6))
def test_ranks_are_those_of_each_resample_alone(columns):
    scores = np.array(columns).T
    expected = np.array([competition_ranks(column) for column in scores.T]).T
    largest = np.abs(np.nan_to_num(scores)).max(axis=0)
    np.testing.assert_array_equal(competition_ranks_columns(scores, largest), expected)


def test_tied_winners_share_a_resample_and_nobody_wins_without_a_score():
    scores = np.array([[1.0, 2.0, np.nan], [1.0, 3.0, np.nan], [0.0, 0.0, np.nan]])
    wins = win_shares(scores, competition_ranks_columns(scores, np.ones(3)))
    assert wins.tolist() == [[0.5, 0, 0], [0.5, 1, 0], [0, 0, 0]]


def test_percentiles_are_ranks_that_occur():
    ranks = np.array([[1] * 3 + [2] * 94 + [9] * 3])
    assert percentiles(ranks, 0.05).tolist() == [[1], [9]]
    assert percentiles(ranks, 0.06)[1].tolist() == [2]
