"""Fitting and resampling paired comparisons"""

import choix
import evalica
import numpy as np
import pandas as pd
import pytest

from nbrank import bradley_terry, from_comparisons, strengths
from nbrank.arrays.paired_comparison_models import bradley_terry as fit_counts

COLUMNS = {"left": "model_a", "right": "model_b", "winner": "winner"}
WINNERS = {
    "model_a": evalica.Winner.X,
    "model_b": evalica.Winner.Y,
    "tie": evalica.Winner.Draw,
}


def battles(n, n_systems, dtype):
    """Battles between systems with names, a sixth of them tied."""
    rng = np.random.default_rng(n_systems)
    truth = rng.normal(0, 1, n_systems)
    left = rng.integers(0, n_systems, n)
    right = (left + rng.integers(1, n_systems, n)) % n_systems
    won = rng.random(n) < 1 / (1 + np.exp(truth[right] - truth[left]))
    side = np.where(rng.random(n) < 1 / 6, 2, np.where(won, 0, 1))
    names = np.array([f"model-{number:03d}" for number in range(n_systems)], dtype=object)
    sides = np.array(list(WINNERS), dtype=object)
    columns = {"model_a": names[left], "model_b": names[right], "winner": sides[side]}
    return pd.DataFrame(
        {name: pd.Series(values, dtype=object) for name, values in columns.items()}
    ).astype(dtype)


def ours(frame):
    return bradley_terry(from_comparisons(frame, **COLUMNS))["score"]


def evalicas(frame, winners):
    return evalica.bradley_terry(frame["model_a"], frame["model_b"], winners).scores


@pytest.fixture(scope="module")
def table():
    """Tables of battles, each made once."""
    made = {}

    def of(n, n_systems, dtype):
        key = (n, n_systems, dtype)
        if key not in made:
            made.clear()
            made[key] = battles(*key)
        return made[key]

    return of


@pytest.mark.parametrize("contender", ["nbrank", "evalica"])
@pytest.mark.parametrize(
    ("n", "n_systems", "dtype"),
    [
        (100_000, 20, "str"),
        (1_000_000, 20, "object"),
        (1_000_000, 20, "str"),
        (1_000_000, 200, "category"),
        (5_000_000, 200, "category"),
    ],
)
def test_names_to_strengths(race, table, n, n_systems, dtype, contender):
    frame = table(n, n_systems, dtype)
    winners = frame["winner"].map(WINNERS)  # in evalica's own type before the clock starts
    if contender == "evalica":
        found, expected = ours(frame), np.log(evalicas(frame, winners))
        expected -= expected.mean()
        # evalica stops at its default tolerance here; tests compare them to 1e-6.
        np.testing.assert_allclose(found.sort_index(), expected.sort_index(), atol=1e-2)
    fit = {"nbrank": lambda: ours(frame), "evalica": lambda: evalicas(frame, winners)}[contender]
    question = f"Bradley-Terry from {n:,} rows, {n_systems} systems ({dtype})"
    race(question, contender, fit, rounds=2 if n > 1_000_000 else 5)


@pytest.mark.parametrize("dtype", ["object", "str", "category"])
def test_a_thousand_comparisons(benchmark, dtype):
    frame = battles(1000, 20, dtype)
    benchmark(ours, frame)
    assert benchmark.stats.stats.min < 3e-3


@pytest.mark.parametrize("contender", ["nbrank", "choix.ilsr_pairwise_dense"])
@pytest.mark.parametrize("n_systems", [20, 200])
def test_ready_matrix(race, table, n_systems, contender):
    counts = from_comparisons(table(1_000_000, n_systems, "category"), **COLUMNS).counts
    shares = counts.shares
    if contender != "nbrank":
        expected = choix.ilsr_pairwise_dense(shares, tol=1e-10)
        np.testing.assert_allclose(fit_counts(counts).strengths, expected, atol=1e-6)
    fit = {
        "nbrank": lambda: fit_counts(counts),
        "choix.ilsr_pairwise_dense": lambda: choix.ilsr_pairwise_dense(shares),
    }[contender]
    question = f"Bradley-Terry from a ready matrix of {n_systems} systems"
    race(question, contender, fit, rounds=20, at_least=0.5)


@pytest.mark.parametrize(("n_systems", "limit"), [(20, 1.0), (200, 10.0)])
def test_a_thousand_resamples_of_five_million(benchmark, within, n_systems, limit):
    comparisons = from_comparisons(battles(5_000_000, n_systems, "category"), **COLUMNS)
    options = {"method": "bootstrap", "n": 1000, "seed": 0}
    benchmark.pedantic(strengths, args=(comparisons,), kwargs=options, rounds=2)
    what = f"1,000 resamples of 5,000,000 comparisons, {n_systems} systems"
    within(what, benchmark.stats.stats.min, limit, "s")
