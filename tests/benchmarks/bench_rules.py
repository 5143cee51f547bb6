"""Rules on tables: of GLUE's size (100 systems x 14 tasks), and of 1,000 x 100"""

import numpy as np
import pandas as pd
import pytest

import nbrank

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


@pytest.mark.parametrize(("rule", "limit"), [("copeland", 60), ("schulze", 500)])
def test_pairs_of_a_thousand_systems(benchmark, within, rule, limit):
    frame = table("1,000 x 100")
    benchmark.pedantic(nbrank.RULES[rule].function, args=(frame,), rounds=5, warmup_rounds=1)
    within(f"{rule} of 1,000 systems x 100 tasks", 1e3 * benchmark.stats.stats.min, limit, "ms")


def test_compare_on_glues_size(benchmark, within):
    benchmark(nbrank.compare, table("GLUE's size"), VOTE_N_RANK)
    within("19 rules on 100 systems x 14 tasks", 1e3 * benchmark.stats.stats.min, 100, "ms")


def test_compare_on_a_thousand_systems(benchmark):
    frame = table("1,000 x 100")
    benchmark.pedantic(nbrank.compare, args=(frame, VOTE_N_RANK), rounds=2)


def test_sigma_l_with_missing_scores(benchmark, within):
    benchmark(nbrank.borda, table("GLUE's size", missing=0.1))
    seconds = benchmark.stats.stats.min
    within("σ^l of 100 systems x 14 tasks, a tenth missing", 1e3 * seconds, 2, "ms")
