"""How long an exact consensus takes, and how long a peer needs for the same.

Run with `python -m pytest -n 0 tests/benchmarks/bench_kemeny.py`. The peer is corankco
(`pip install corankco`), whose free solver is the one that pulp brings along.
"""

import time

import numpy as np
import pandas as pd
import pytest

from nbrank.datasets import fetch_glue_submissions
from nbrank.labelled.consensus import disagreement, kemeny, kemeny_winners


def random_rankings(n_systems, n_tasks, seed):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(np.array([rng.permutation(n_systems) for _ in range(n_tasks)]).T)


def mallows(n_systems, n_tasks, phi, seed):
    """Rankings drawn around the table order, by repeated insertion."""
    rng = np.random.default_rng(seed)
    scores = np.empty((n_systems, n_tasks))
    for task in range(n_tasks):
        order = []
        for system in range(n_systems):
            weight = phi ** np.arange(system, -1, -1)
            order.insert(rng.choice(system + 1, p=weight / weight.sum()), system)
        scores[order, task] = -np.arange(n_systems)
    return pd.DataFrame(scores)


def proven(found):
    return found.attrs["optimal"] and found.attrs["canonical"] and found.attrs["unique"] is not None


def test_glue_of_105_submissions(benchmark):
    scores = fetch_glue_submissions()
    found = benchmark(kemeny, scores)
    assert proven(found)
    assert found.attrs["disagreement"] == 7248
    assert benchmark.stats.stats.median < 0.1


def test_all_winners_of_glue(benchmark):
    scores = fetch_glue_submissions()
    assert len(benchmark(kemeny_winners, scores)) == 1


@pytest.mark.parametrize("n_tasks", [5, 9, 20])
@pytest.mark.parametrize("phi", [0.5, 0.8])
def test_a_hundred_systems_with_a_strong_consensus(benchmark, phi, n_tasks):
    found = benchmark(kemeny, mallows(100, n_tasks, phi, seed=0))
    assert proven(found)
    assert benchmark.stats.stats.max < 0.5


@pytest.mark.parametrize("seed", range(30))
def test_fifty_systems_and_nine_random_rankings(benchmark, seed):
    found = benchmark.pedantic(kemeny, args=(random_rankings(50, 9, seed),), rounds=1)
    assert proven(found)
    assert benchmark.stats.stats.max < 3


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n_tasks", [5, 9])
def test_eighty_systems_in_random_rankings(benchmark, n_tasks, seed):
    scores = random_rankings(80, n_tasks, seed)
    found = benchmark.pedantic(kemeny, args=(scores,), kwargs={"time_limit": 60}, rounds=1)
    benchmark.extra_info.update(found.attrs)
    assert benchmark.stats.stats.max < 62
    assert found.attrs["optimal"] == (found.attrs["gap"] == 0)
    assert found.attrs["gap"] < 0.001 * found.attrs["disagreement"]


@pytest.mark.filterwarnings(
    "ignore::DeprecationWarning:pulp", "ignore:.*PuLP 4.0.*:DeprecationWarning"
)
@pytest.mark.parametrize("n_systems", [10, 20, 30])
def test_a_peer_needs_longer_for_the_same(benchmark, n_systems):
    pulp = pytest.importorskip("corankco.algorithms.exact.exactalgorithmpulp")
    from corankco.dataset import Dataset
    from corankco.scoringscheme import ScoringScheme

    scores = random_rankings(n_systems, 9, seed=0)
    found = benchmark(kemeny, scores)
    assert proven(found)
    rankings = [
        [{system} for system in column.sort_values().index[::-1]] for _, column in scores.items()
    ]
    # Kendall's distance between rankings without ties.
    scheme = ScoringScheme([[0.0, 1.0, 1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 1.0, 1.0, 0.0]])
    began = time.perf_counter()
    theirs = pulp.ExactAlgorithmPulp().compute_consensus_rankings(
        Dataset.from_raw_list(rankings), scheme, return_at_most_one_ranking=True
    )
    took = time.perf_counter() - began
    benchmark.extra_info["corankco"] = took
    assert theirs.kemeny_score == found.attrs["disagreement"]
    assert disagreement(scores, list(found.index)) == theirs.kemeny_score
    assert benchmark.stats.stats.median < took
