"""Bradley-Terry, Davidson and Elo, against other libraries and the likelihood itself."""

import itertools
import math

import choix
import evalica
import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import linprog, minimize

from nbrank.arrays.ballots.pairwise_counts import ComparisonArrays, PairwiseCounts
from nbrank.arrays.paired_comparison_models import (
    bradley_terry,
    davidson,
    elo,
    expected_win_rates,
    find_identifiability_issue,
    has_infinite_tie_parameter,
    solve_anchored,
)


def random_outcomes(seed, n_systems, n, ties=0.2, spread=1.0, weighted=False):
    rng = np.random.default_rng(seed)
    truth = rng.normal(0, spread, n_systems)
    left = rng.integers(0, n_systems, n)
    right = (left + rng.integers(1, n_systems, n)) % n_systems
    won = np.where(rng.random(n) < 1 / (1 + np.exp(truth[right] - truth[left])), 1, -1)
    outcome = np.where(rng.random(n) < ties, 0, won)
    return ComparisonArrays(
        left.astype(np.int32),
        right.astype(np.int32),
        outcome.astype(np.int8),
        rng.gamma(2.0, 0.5, n) if weighted else None,
    )


def counts_of(wins, ties=None):
    wins = np.asarray(wins, dtype=float)
    ties = np.zeros_like(wins) if ties is None else np.asarray(ties, dtype=float)
    return PairwiseCounts(wins, ties, float(wins.sum() + ties.sum() / 2))


def centred(scores):
    logarithms = np.log(scores)
    return logarithms - logarithms.mean()


def evalica_arguments(rows, n_systems):
    winners = {1: evalica.Winner.X, 0: evalica.Winner.Draw, -1: evalica.Winner.Y}
    return {
        "xs": rows.left.tolist(),
        "ys": rows.right.tolist(),
        "winners": [winners[outcome] for outcome in rows.outcomes.tolist()],
        "weights": None if rows.weights is None else rows.weights.tolist(),
        "index": pd.Index(range(n_systems)),
    }


CASES = [(0, 2, 20), (1, 5, 60), (2, 20, 1000), (3, 70, 4000), (4, 200, 20_000)]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("seed", "n_systems", "n"), CASES)
class TestAgainstOtherLibraries:
    def test_bradley_terry_equals_choix(self, seed, n_systems, n, weighted):
        counts, _ = random_outcomes(seed, n_systems, n, weighted=weighted).tabulate(n_systems)
        fit = bradley_terry(counts)
        expected = choix.ilsr_pairwise_dense(counts.shares, tol=1e-10)
        assert fit.converged
        np.testing.assert_allclose(fit.strengths, expected, atol=1e-6)

    def test_bradley_terry_equals_evalica(self, seed, n_systems, n, weighted):
        rows = random_outcomes(seed, n_systems, n, weighted=weighted)
        arguments = evalica_arguments(rows, n_systems)
        expected = evalica.bradley_terry(**arguments, tolerance=1e-12, limit=10_000)
        expected = centred(expected.scores.sort_index().to_numpy())
        found = bradley_terry(rows.tabulate(n_systems)[0]).strengths
        np.testing.assert_allclose(found, expected, atol=1e-6)

    def test_davidson_equals_evalicas_newman(self, seed, n_systems, n, weighted):
        rows = random_outcomes(seed, n_systems, n, weighted=weighted)
        arguments = evalica_arguments(rows, n_systems)
        expected = evalica.newman(**arguments, tolerance=1e-13, limit=100_000)
        fit = davidson(rows.tabulate(n_systems)[0])
        assert fit.converged
        found = centred(expected.scores.sort_index().to_numpy())
        np.testing.assert_allclose(fit.strengths, found, atol=1e-6)
        # Newman (2023) writes the tie parameter as half of Davidson's.
        assert fit.tie_parameter == pytest.approx(2 * expected.v, abs=1e-6)


def log_likelihood(point, counts, prior, *, with_ties):
    """Both models, pair by pair, as their authors write them."""
    n = len(counts.wins)
    strength = np.exp(point[:n])
    nu = math.exp(point[n]) if with_ties else 0.0
    value = 0.0
    for i, j in itertools.combinations(range(n), 2):
        tie = nu * math.sqrt(strength[i] * strength[j])
        scale = strength[i] + strength[j] + tie
        wins = {(i, j): counts.wins[i, j], (j, i): counts.wins[j, i]}
        if with_ties:
            value += counts.ties[i, j] * math.log(tie / scale)
        else:
            wins = {pair: won + counts.ties[i, j] / 2 for pair, won in wins.items()}
        value += sum(won * math.log(strength[first] / scale) for (first, _), won in wins.items())
    for s in strength:
        value += prior / 2 * (math.log(s / (1 + s)) + math.log(1 / (1 + s)))
    return value


@pytest.mark.parametrize("prior", [0.0, 0.5, 3.0])
@pytest.mark.parametrize("seed", range(3))
def test_the_likelihood_has_its_maximum_there(seed, prior):
    counts, _ = random_outcomes(seed, 4, 50, ties=0.3).tabulate(4)
    for fit, with_ties in ((bradley_terry(counts, prior), False), (davidson(counts, prior), True)):
        start = np.zeros(4 + with_ties)
        best = minimize(
            lambda point, kind=with_ties: -log_likelihood(point, counts, prior, with_ties=kind),
            start,
            tol=1e-12,
        ).x
        np.testing.assert_allclose(fit.strengths, best[:4] - best[:4].mean(), atol=1e-4)
        if with_ties:
            assert fit.tie_parameter == pytest.approx(math.exp(best[4]), abs=1e-4)


@pytest.mark.parametrize("n_systems", [3, 65, 300])
def test_a_chain_of_systems_has_a_solution_by_hand(n_systems):
    # Each system meets only its neighbours and beats the next one 3 times in 4. From 65 systems
    # on, this is where conjugate gradients are slowest.
    wins = np.diag(np.full(n_systems - 1, 3.0), 1) + np.diag(np.ones(n_systems - 1), -1)
    fit = bradley_terry(counts_of(wins))
    assert fit.converged
    np.testing.assert_allclose(-np.diff(fit.strengths), math.log(3), atol=1e-8)


@pytest.mark.parametrize("n_systems", [3, 100])
def test_the_ratio_of_wins_decides_between_two_systems_however_extreme(n_systems):
    wins = np.zeros((n_systems, n_systems))
    wins[0, 1:], wins[1:, 0] = 1e6, 1.0
    fit = bradley_terry(counts_of(wins))
    assert fit.converged
    np.testing.assert_allclose(fit.strengths[0] - fit.strengths[1:], math.log(1e6), atol=1e-8)


def test_numbers_of_comparisons_may_be_very_unequal():
    wins = np.array([[0, 1e9, 1.0], [2e9, 0, 0], [1.0, 1e-3, 0]])
    fit = bradley_terry(counts_of(wins))
    expected = expected_win_rates(fit.strengths)
    won, compared = wins.sum(axis=1), wins + wins.T
    assert fit.converged
    np.testing.assert_allclose((compared * expected).sum(axis=1), won, rtol=1e-9)


@st.composite
def small_counts(draw, largest=3):
    n = draw(st.integers(2, 5))
    cells = st.sampled_from([0, 0, 1, 2, largest])
    wins = np.array(draw(st.lists(cells, min_size=n * n, max_size=n * n)), dtype=float)
    ties = np.array(draw(st.lists(cells, min_size=n * n, max_size=n * n)), dtype=float)
    wins, ties = wins.reshape(n, n), np.triu(ties.reshape(n, n), 1)
    np.fill_diagonal(wins, 0.0)
    return counts_of(wins, ties + ties.T)


def divided(n_systems):
    """All ways to divide the systems in two, as masks of the first part."""
    for size in range(1, n_systems):
        for part in itertools.combinations(range(n_systems), size):
            yield np.isin(np.arange(n_systems), part)


@given(small_counts())
def test_there_is_no_obstacle_just_if_every_part_beat_some_system_outside(counts):
    arcs = counts.shares > 0
    ford = all(arcs[part][:, ~part].any() for part in divided(len(arcs)))
    assert (find_identifiability_issue(counts) is None) == ford


@given(small_counts())
def test_an_obstacle_names_systems_that_are_as_it_says(counts):
    obstacle = find_identifiability_issue(counts)
    assume(obstacle is not None)
    arcs = counts.shares > 0
    everyone = np.arange(len(arcs))
    assert not (arcs | arcs.T)[obstacle.never_compared].any()
    for group in obstacle.unbeaten:
        outside = ~np.isin(everyone, group)
        assert not arcs[outside][:, group].any()
        assert arcs[group][:, outside].any()
    for group in obstacle.winless:
        outside = ~np.isin(everyone, group)
        assert not arcs[group][:, outside].any()
        assert arcs[outside][:, group].any()
    for group in obstacle.disconnected:
        outside = ~np.isin(everyone, group)
        assert not (arcs | arcs.T)[group][:, outside].any()
    named = [obstacle.never_compared, *obstacle.disconnected, *obstacle.unbeaten, *obstacle.winless]
    assert sum(map(len, named)) > 0


@given(small_counts())
def test_the_tie_parameter_is_infinite_just_if_systems_fit_on_levels(counts):
    # A linear programme: a level for each system, the winner at least one above, ties at most one.
    assume((counts.ties > 0).any())
    n = len(counts.wins)
    rows, bounds = [], []
    for i, j in itertools.permutations(range(n), 2):
        row = np.zeros(n)
        row[i], row[j] = -1, 1
        if counts.wins[i, j] > 0:
            rows.append(row)
            bounds.append(-1)
        if counts.ties[i, j] > 0:
            rows.append(row)
            bounds.append(1)
    levels = linprog(np.zeros(n), A_ub=np.array(rows), b_ub=bounds, bounds=(None, None))
    assert has_infinite_tie_parameter(counts) == (levels.status == 0)


@given(small_counts(largest=40))
def test_a_fit_without_obstacle_solves_the_likelihood_equations(counts):
    assume(find_identifiability_issue(counts) is None)
    fit = bradley_terry(counts)
    assert fit.converged
    assert fit.strengths.mean() == pytest.approx(0, abs=1e-12)
    expected = (counts.compared * expected_win_rates(fit.strengths)).sum(axis=1)
    np.testing.assert_allclose(expected, counts.shares.sum(axis=1), rtol=1e-8)


@given(small_counts(largest=40))
def test_a_davidson_fit_without_obstacle_expects_the_wins_and_the_ties(counts):
    assume(find_identifiability_issue(counts) is None and not has_infinite_tie_parameter(counts))
    fit = davidson(counts)
    assert fit.converged
    half = (fit.strengths[:, None] - fit.strengths) / 2
    scale = np.exp(half) + np.exp(-half) + fit.tie_parameter
    win, tie = np.exp(half) / scale, fit.tie_parameter / scale
    expected = (counts.compared * (win + tie / 2)).sum(axis=1)
    np.testing.assert_allclose(expected, counts.shares.sum(axis=1), rtol=1e-7)
    np.testing.assert_allclose((counts.compared * tie).sum(), counts.ties.sum(), rtol=1e-7)


@given(small_counts(), st.integers(0, 10**6), st.sampled_from([0.1, 1.0, 2.0]))
def test_a_prior_makes_any_counts_finite_and_treats_systems_alike(counts, seed, prior):
    fit = bradley_terry(counts, prior)
    assert fit.converged
    assert np.isfinite(fit.strengths).all()
    order = np.random.default_rng(seed).permutation(len(counts.wins))
    chosen = np.ix_(order, order)
    other = bradley_terry(PairwiseCounts(counts.wins[chosen], counts.ties[chosen], 1.0), prior)
    np.testing.assert_allclose(other.strengths, fit.strengths[order], atol=1e-9)


def test_a_larger_prior_draws_the_strengths_together():
    counts = counts_of([[0, 9], [0, 0]])
    apart = [np.ptp(bradley_terry(counts, prior).strengths) for prior in (0.1, 1.0, 10.0)]
    assert apart[0] > apart[1] > apart[2]


def test_weights_scale_out_and_exchanging_wins_and_losses_turns_the_strengths_round():
    counts, _ = random_outcomes(5, 8, 200).tabulate(8)
    fit = bradley_terry(counts).strengths
    scaled = PairwiseCounts(1e-7 * counts.wins, 1e-7 * counts.ties, 1.0)
    np.testing.assert_allclose(bradley_terry(scaled).strengths, fit, atol=1e-9)
    turned = PairwiseCounts(counts.wins.T, counts.ties, counts.total)
    np.testing.assert_allclose(bradley_terry(turned).strengths, -fit, atol=1e-9)


def test_systems_with_the_same_record_tie():
    counts = counts_of([[0, 2, 2], [1, 0, 3], [1, 3, 0]])
    fit = bradley_terry(counts).strengths
    assert abs(fit[1] - fit[2]) < 1e-12


def test_one_system_alone_has_the_strength_0():
    fit = bradley_terry(counts_of([[0.0]]))
    assert fit.strengths.tolist() == [0.0]
    assert fit.converged


def test_without_ties_davidson_is_bradley_terry():
    counts, _ = random_outcomes(6, 5, 100, ties=0.0).tabulate(5)
    fit = davidson(counts)
    assert fit.tie_parameter == 0
    np.testing.assert_array_equal(fit.strengths, bradley_terry(counts).strengths)


def test_equations_that_stall_conjugate_gradients_are_solved_by_elimination():
    # The path's Laplacian, with links from 1 to 10 ** 8.
    n = 120
    links = np.logspace(0, 8, n - 1)
    matrix = np.diag(np.append(links, 0) + np.append(0, links))
    matrix -= np.diag(links, 1) + np.diag(links, -1)
    expected = np.linspace(0, 1, n)
    found = solve_anchored(matrix, matrix @ expected)
    np.testing.assert_allclose(found - found[0], expected, atol=1e-6)


class TestElo:
    def test_ratings_are_evalicas(self):
        rows = random_outcomes(7, 10, 500)
        arguments = evalica_arguments(rows, 10)
        expected = evalica.elo(**arguments, k=24.0).scores.sort_index().to_numpy()
        found = elo(rows, 10, k=24.0, base=10.0, scale=400.0, initial=1000.0)
        np.testing.assert_allclose(found, expected)

    def test_a_weight_multiplies_the_step(self):
        rows = random_outcomes(8, 4, 60, weighted=True)
        ratings = np.full(4, 1500.0)
        for i, j, outcome, weight in zip(
            rows.left, rows.right, rows.outcomes, rows.weights, strict=True
        ):
            expected = 1 / (1 + 3.0 ** ((ratings[j] - ratings[i]) / 100.0))
            step = 20.0 * weight * ((outcome + 1) / 2 - expected)
            ratings[i] += step
            ratings[j] -= step
        found = elo(rows, 4, k=20.0, base=3.0, scale=100.0, initial=1500.0)
        np.testing.assert_allclose(found, ratings)

    def test_the_mean_rating_stays_and_huge_steps_do_not_overflow(self):
        rows = random_outcomes(9, 4, 60)
        ratings = elo(rows, 4, k=1e7, base=10.0, scale=1.0, initial=1000.0)
        assert np.isfinite(ratings).all()
        assert ratings.mean() == pytest.approx(1000.0, rel=1e-6)

    def test_the_order_of_the_comparisons_counts(self):
        first = ComparisonArrays(
            np.array([0, 0], np.int32), np.array([1, 1], np.int32), np.array([1, -1], np.int8)
        )
        ratings = elo(first, 2, k=32.0, base=10.0, scale=400.0, initial=1000.0)
        assert ratings[0] < ratings[1]  # the later win was against the higher rating
