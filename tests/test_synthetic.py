"""Synthetic leaderboards: their distributions, against exact enumeration, and their shape."""

import itertools
import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import nbrank
from nbrank.agreement import kendall_distance, kendall_tau
from nbrank.synthetic import gumbel_scores, mallows, single_peaked, true_ranking
from nbrank.votes.leaderboard import Leaderboard

#: A seed fixed once; a test at this level fails by chance for one seed in a thousand.
LEVEL = 0.001


def order_counts(scores: np.ndarray) -> Counter[tuple[int, ...]]:
    """How often each order of the rows (best first) occurs among the columns."""
    return Counter(map(tuple, np.argsort(-scores, axis=0, kind="stable").T.tolist()))


def p_value(counts: Counter, probabilities: dict) -> float:
    n = sum(counts.values())
    observed = [counts[order] for order in probabilities]
    assert sum(observed) == n, "an order came up that has no probability"
    expected = [n * probability for probability in probabilities.values()]
    return stats.chisquare(observed, expected).pvalue


# ------------------------------------------------------------------------------------------ gumbel


@pytest.mark.parametrize("dispersion", [0.0, 0.3, 1.0])
def test_gumbel_scores_rank_as_plackett_luce_with_exponential_weights(dispersion):
    n = 4
    weights = np.exp(dispersion * np.arange(1, n + 1))
    probabilities = {}
    for order in itertools.permutations(range(n)):
        left = [weights[list(order[k:])].sum() for k in range(n)]
        probabilities[order] = math.prod(weights[i] / left[k] for k, i in enumerate(order))
    assert sum(probabilities.values()) == pytest.approx(1)
    scores = nbrank.synthetic.draw_gumbel_scores(n, (40_000,), dispersion, np.random.default_rng(1))
    assert p_value(order_counts(scores), probabilities) > LEVEL


def test_gumbel_scores_are_independent_gumbels_about_their_centres():
    scores = gumbel_scores(3, 4, 2_000, dispersion=0.7, seed=2)
    for number, system in enumerate(["s1", "s2", "s3"], start=1):
        noise = scores.loc[system].to_numpy().ravel() - 0.7 * number
        assert stats.kstest(noise, "gumbel_r").pvalue > LEVEL
    flat = scores.to_numpy().reshape(3, 2_000, 4).transpose(1, 0, 2).reshape(2_000, 12)
    correlations = np.corrcoef(flat.T)[~np.eye(12, dtype=bool)]
    assert np.abs(correlations).max() < 5 / math.sqrt(2_000)


def test_gumbel_scores_are_an_instance_level_leaderboard():
    scores = gumbel_scores(12, 10, 3, dispersion=0.1, seed=0)
    assert scores.index.names == ["system", "instance"]
    assert list(scores.columns) == [f"t{k:02d}" for k in range(1, 11)]
    board = Leaderboard(scores)
    assert board.is_instance_level
    assert list(board.systems) == [f"s{k:02d}" for k in range(1, 13)]
    assert board.values.shape == (12, 30)
    assert not np.isnan(board.values).any()


def test_a_clear_dispersion_gives_the_true_ranking():
    scores = gumbel_scores(20, 20, 20, dispersion=1.0, seed=4)
    ranks = scores.groupby("system").mean().mean(axis=1).rank(ascending=False)
    assert kendall_tau(ranks, true_ranking(20)) == 1


# ----------------------------------------------------------------------------------------- mallows


@pytest.mark.parametrize("dispersion", [0.05, 0.4, 0.9, 0.999999, 1.0])
def test_mallows_probabilities_are_powers_of_the_distance(dispersion):
    n = 4
    centre = range(n)
    weight = {
        order: dispersion
        ** sum(order.index(i) > order.index(j) for i, j in itertools.combinations(centre, 2))
        for order in itertools.permutations(centre)
    }
    total = sum(weight.values())
    # Orders too rare for the chi-square approximation are pooled into one class.
    n_draws = 40_000
    probabilities = {order: w / total for order, w in weight.items() if n_draws * w / total >= 5}
    places = nbrank.synthetic.draw_mallows_places(n, n_draws, dispersion, np.random.default_rng(3))
    counts = order_counts(-places)
    rest = 1 - sum(probabilities.values())
    pooled = Counter({order: counts[order] for order in probabilities})
    if rest > 1e-12:
        pooled["rare"] = n_draws - sum(pooled.values())
        probabilities["rare"] = rest
    assert p_value(pooled, probabilities) > LEVEL


def test_mallows_mean_distance_is_the_models():
    # The v inserted systems of a step are independent, each a truncated geometric number.
    n, q, draws = 30, 0.8, 4_000
    means, variances = [], []
    for size in range(1, n + 1):
        values = np.arange(size)
        weights = q**values / (q**values).sum()
        means.append(weights @ values)
        variances.append(weights @ values**2 - means[-1] ** 2)
    places = nbrank.synthetic.draw_mallows_places(n, draws, q, np.random.default_rng(8))
    first, second = np.triu_indices(n, 1)
    distances = (places[first] > places[second]).sum(axis=0)
    standard_error = math.sqrt(sum(variances) / draws)
    assert abs(distances.mean() - sum(means)) < 4 * standard_error


def test_mallows_is_a_leaderboard_of_minus_places():
    scores = mallows(5, 7, dispersion=0.5, seed=0)
    assert list(scores.index) == ["s1", "s2", "s3", "s4", "s5"]
    assert list(scores.columns) == [f"t{k}" for k in range(1, 8)]
    for task in scores:
        assert sorted(-scores[task]) == [1, 2, 3, 4, 5]
    assert not Leaderboard(scores).is_instance_level


def test_without_dispersion_every_ranking_is_the_centre():
    scores = mallows(6, 3, dispersion=0, seed=9)
    for task in scores:
        assert kendall_distance((-scores[task]).rename(None), true_ranking(6)) == 0


def test_the_centre_may_be_given():
    center = [("x", 2), ("y", 1), ("x", 1)]
    scores = mallows(3, 4, dispersion=0, seed=0, center=center)
    assert list(scores.index) == center
    assert scores.to_numpy().tolist() == [[-1] * 4, [-2] * 4, [-3] * 4]
    named = mallows(3, 50, dispersion=0.6, seed=5, center=["C", "A", "B"])
    unnamed = mallows(3, 50, dispersion=0.6, seed=5)
    assert (named.loc[["C", "A", "B"]].to_numpy() == unnamed.loc[true_ranking(3)].to_numpy()).all()


# ----------------------------------------------------------------------------------- single-peaked


def is_interval(positions):
    return max(positions) - min(positions) == len(positions) - 1


def test_single_peaked_rankings_are_equally_likely_and_no_others_occur():
    n = 5
    # The first k of a single-peaked order stand next to each other on the axis, for every k.
    orders = [
        order
        for order in itertools.permutations(range(n))
        if all(is_interval(order[:k]) for k in range(1, n))
    ]
    assert len(orders) == 2 ** (n - 1)
    places = nbrank.synthetic.draw_single_peaked_places(n, 40_000, np.random.default_rng(5))
    assert p_value(order_counts(-places), dict.fromkeys(orders, 1 / len(orders))) > LEVEL


@pytest.mark.parametrize("seed", range(5))
def test_the_peak_of_the_median_voter_beats_every_other(seed):
    """Black 1948."""
    scores = single_peaked(6, 7, seed=seed)
    peaks = scores.reset_index(drop=True).idxmax()
    median = scores.index[int(peaks.median())]
    assert nbrank.winners(scores, ["condorcet"])["condorcet"] == [median]


def test_the_axis_may_be_given():
    scores = single_peaked(3, 50, seed=1, axis=["left", "center", "right"])
    assert list(scores.index) == ["left", "center", "right"]
    assert not (scores.loc["center"] == -3).any()
    assert (scores.to_numpy() == single_peaked(3, 50, seed=1).to_numpy()).all()
    with pytest.raises(ValueError, match="axis names 'x' more than once"):
        single_peaked(2, 1, axis=["x", "x"])


# ------------------------------------------------------------------------------------------- seeds


@pytest.mark.parametrize(
    "draw",
    [
        lambda seed: gumbel_scores(4, 3, 2, dispersion=0.2, seed=seed),
        lambda seed: mallows(6, 5, dispersion=0.7, seed=seed),
        lambda seed: single_peaked(6, 5, seed=seed),
    ],
)
def test_the_same_seed_gives_the_same_table(draw):
    pd.testing.assert_frame_equal(draw(1), draw(1))
    assert not draw(1).equals(draw(2))
    with pytest.raises(TypeError, match="seed=None must be a whole number"):
        draw(None)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"n_systems": 0}, ValueError, "n_systems=0 must be at least 1"),
        ({"n_tasks": 2.5}, TypeError, "n_tasks=2.5 must be a whole number"),
        ({"dispersion": 1.5}, ValueError, "dispersion must be between 0 and 1, not 1.5"),
        ({"dispersion": math.nan}, ValueError, "dispersion must be between 0 and 1"),
        ({"center": "abc"}, TypeError, "center must be a list of systems, not str"),
        ({"center": ["A", "B"]}, ValueError, "center names 2 systems, and n_systems is 3"),
        ({"center": ["A", "B", "A"]}, ValueError, "center names 'A' more than once"),
    ],
)
def test_mallows_refuses(arguments, error, message):
    with pytest.raises(error, match=message):
        mallows(**({"n_systems": 3, "n_tasks": 2, "dispersion": 0.5, "seed": 0} | arguments))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"n_instances": 0}, ValueError, "n_instances=0 must be at least 1"),
        ({"n_systems": "3"}, TypeError, "n_systems='3' must be a whole number"),
        ({"dispersion": -1}, ValueError, "dispersion must be a finite number from 0 on, not -1"),
        ({"dispersion": math.inf}, ValueError, "dispersion must be a finite number"),
    ],
)
def test_gumbel_scores_refuse(arguments, error, message):
    defaults = {"n_systems": 3, "n_tasks": 2, "n_instances": 2, "dispersion": 0.5, "seed": 0}
    with pytest.raises(error, match=message):
        gumbel_scores(**(defaults | arguments))
