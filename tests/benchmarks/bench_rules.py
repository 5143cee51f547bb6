"""How long the rules take: on GLUE's size (100 systems x 14 tasks), and on 1,000 x 100.

Run with `python -m pytest tests/benchmarks --benchmark-only`.
"""

import warnings

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.arrays.pairwise import count
from nbrank.arrays.positional import borda
from nbrank.arrays.profile import Profile
from nbrank.datasets import fetch_best_systems_instances

SIZES = {"GLUE's size": (100, 14), "1,000 x 100": (1000, 100)}
VOTE_N_RANK = [
    "mean",
    "geometric_mean",
    "harmonic_mean",
    "median",
    "mean_rank",
    "mean_win_rate",
    "plurality",
    "antiplurality",
    "borda",
    "dowdall",
    "threshold",
    "baldwin",
    "nanson",
    "coombs",
    "instant_runoff",
    "bucklin",
    "condorcet",
    "copeland",
    "minimax",
]


def table(size, missing=0.0):
    rng = np.random.default_rng(0)
    n_systems, n_tasks = SIZES[size]
    quality = rng.normal(80, 8, size=(n_systems, 1))
    scores = (quality + rng.normal(0, 3, size=(n_systems, n_tasks))).clip(1, 100).round(1)
    scores[rng.random(scores.shape) < missing] = np.nan
    return pd.DataFrame(scores).add_prefix("t")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("rule", ["borda", "copeland", "baldwin"])
def test_rule(benchmark, rule, size):
    frame = table(size)
    benchmark.pedantic(nbrank.RULES[rule].function, args=(frame,), rounds=3, warmup_rounds=1)


def test_compare_is_interactive_on_glue(benchmark):
    frame = table("GLUE's size")
    benchmark(nbrank.compare, frame, VOTE_N_RANK)
    assert benchmark.stats["median"] < 0.1


def test_compare_on_a_large_table(benchmark):
    frame = table("1,000 x 100")
    benchmark.pedantic(nbrank.compare, args=(frame, VOTE_N_RANK), rounds=2)


def test_sigma_l_on_glue_with_missing_scores(benchmark):
    frame = table("GLUE's size", missing=0.1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        benchmark(nbrank.borda, frame)
    assert benchmark.stats["median"] < 0.002


@pytest.fixture(scope="module")
def sixteen_million_scores():
    rng = np.random.default_rng(0)
    scores = rng.random((16, 1_000_000), dtype=np.float32)
    scores[rng.random(scores.shape, dtype=np.float32) < 0.02] = np.nan
    return Profile(scores, np.ones(1_000_000))


def both(profile):
    return count(profile), borda(profile, "compatible", "average")


def test_counts_and_sigma_l_of_131_million_scores(benchmark):
    scores = np.random.default_rng(0).random((16, 8_200_000), dtype=np.float32)
    profile = Profile(scores, np.ones(scores.shape[1]))
    benchmark.pedantic(both, args=(profile,), rounds=3)
    assert benchmark.stats["median"] < 2.5


def test_counts_and_sigma_l_of_sixteen_million_scores(benchmark, sixteen_million_scores):
    benchmark.pedantic(both, args=(sixteen_million_scores,), rounds=3, warmup_rounds=1)
    assert benchmark.stats["median"] < 1.5


@pytest.mark.parametrize("what", ["one level", "two levels", "pairwise"])
def test_tac_08_at_instance_level(benchmark, what):
    scores = fetch_best_systems_instances("TAC_08")  # 62 systems x 48 instances x 15 metrics
    run = {
        "one level": lambda: nbrank.borda(scores, levels=1),
        "two levels": lambda: nbrank.borda(scores, levels=2),
        "pairwise": lambda: nbrank.pairwise(scores),
    }[what]
    benchmark(run)
    assert benchmark.stats["median"] < 0.05
