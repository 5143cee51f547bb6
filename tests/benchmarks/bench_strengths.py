"""Counting, fitting and resampling comparisons, next to evalica and choix in the same run.

    python -m pytest tests/benchmarks/bench_strengths.py -s

Every time is the shortest of a few rounds, so that what else the machine does weighs less; the
two libraries take turns.
"""

import gc
import time

import choix
import evalica
import numpy as np
import pandas as pd
import pytest

from nbrank import bradley_terry, from_comparisons, strengths
from nbrank.arrays.strengths import bradley_terry as fit_counts

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


def evalicas(frame):
    winners = frame["winner"].map(WINNERS)
    return evalica.bradley_terry(frame["model_a"], frame["model_b"], winners).scores


def shortest(rounds, *functions):
    """The shortest time of each function in seconds, taking turns."""
    times = [[] for _ in functions]
    for _ in range(rounds):
        for function, taken in zip(functions, times, strict=True):
            gc.collect()
            start = time.perf_counter()
            function()
            taken.append(time.perf_counter() - start)
    return [min(taken) for taken in times]


def say(what, **seconds):
    listed = ", ".join(f"{name} {1e3 * value:.2f} ms" for name, value in seconds.items())
    first, *others = seconds.values()
    ratios = "".join(f" (x {other / first:.1f})" for other in others)
    print(f"\n{what}: {listed}{ratios}", end="")  # noqa: T201 - benchmarks say what they found


@pytest.mark.parametrize("dtype", ["object", "str", "category"])
@pytest.mark.parametrize("n_systems", [20, 200])
@pytest.mark.parametrize("n", [100_000, 1_000_000, 5_000_000])
def test_from_a_table_of_names_to_strengths_no_slower_than_evalica(n, n_systems, dtype):
    frame = battles(n, n_systems, dtype)
    found, expected = ours(frame), np.log(evalicas(frame))
    expected -= expected.mean()
    # evalica stops at its default tolerance here; the equality to 1e-6 is tested elsewhere.
    np.testing.assert_allclose(found.sort_index(), expected.sort_index(), atol=1e-2)
    rounds = 2 if n > 1_000_000 else 5
    own, theirs = shortest(rounds, lambda: ours(frame), lambda: evalicas(frame))
    say(f"{n:,} comparisons of {n_systems} systems, {dtype}", nbrank=own, evalica=theirs)
    assert own <= theirs


@pytest.mark.parametrize("dtype", ["object", "str", "category"])
def test_a_thousand_comparisons_in_three_milliseconds(dtype):
    frame = battles(1000, 20, dtype)
    own, theirs = shortest(50, lambda: ours(frame), lambda: evalicas(frame))
    say(f"1,000 comparisons of 20 systems, {dtype}", nbrank=own, evalica=theirs)
    assert own < 3e-3


@pytest.mark.parametrize("n_systems", [20, 200])
def test_a_ready_matrix_no_slower_than_twice_choix(n_systems):
    counts = from_comparisons(battles(1_000_000, n_systems, "category"), **COLUMNS).counts
    shares = counts.shares
    own, theirs = shortest(
        10, lambda: fit_counts(counts), lambda: choix.ilsr_pairwise_dense(shares)
    )
    say(f"a ready matrix of {n_systems} systems", nbrank=own, choix=theirs)
    assert own <= 2 * theirs


@pytest.mark.parametrize(("n_systems", "limit"), [(20, 1.0), (200, 10.0)])
def test_a_thousand_resamples_of_five_million_comparisons(n_systems, limit):
    comparisons = from_comparisons(battles(5_000_000, n_systems, "category"), **COLUMNS)
    (own,) = shortest(2, lambda: strengths(comparisons, method="bootstrap", n=1000, seed=0))
    say(f"1,000 resamples of 5,000,000 comparisons of {n_systems} systems", nbrank=own)
    assert own < limit
