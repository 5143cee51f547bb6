"""Exact consensus

The peers are corankco, whose free solver (CBC) is the one that PuLP brings along, and the usual
integer programme (a variable for each pair, no circle of three) given whole to HiGHS, the solver
in scipy. nbrank's time includes what they don't say: whether another order is as good, and which.
"""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, sparse

from nbrank import pairwise
from nbrank.consensus import disagreement, winners
from nbrank.datasets import load_glue_submissions
from nbrank.rules.kemeny_rule import kemeny


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


# -------------------------------------------------------------------- against what people use today


def consensus(scores):
    found = kemeny(scores)
    assert proven(found)
    return found.attrs["disagreement"]


def corankco(scores):
    from corankco.algorithms.exact.exactalgorithmpulp import ExactAlgorithmPulp
    from corankco.dataset import Dataset
    from corankco.scoringscheme import ScoringScheme

    rankings = [
        [{system} for system in column.sort_values().index[::-1]] for _, column in scores.items()
    ]
    # Kendall's distance between rankings without ties.
    scheme = ScoringScheme([[0.0, 1.0, 1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 1.0, 1.0, 0.0]])
    return (
        ExactAlgorithmPulp()
        .compute_consensus_rankings(
            Dataset.from_raw_list(rankings), scheme, return_at_most_one_ranking=True
        )
        .kemeny_score
    )


def integer_programme(scores):
    """The variable of a pair (i, j), i < j, says that i stands above j."""
    wins = pairwise(scores).sort_index().sort_index(axis=1).to_numpy()
    n_systems = len(wins)
    pairs = {pair: at for at, pair in enumerate(itertools.combinations(range(n_systems), 2))}
    cost = np.array([wins[j, i] - wins[i, j] for i, j in pairs])
    triples = list(itertools.combinations(range(n_systems), 3))
    columns = [[pairs[i, j], pairs[j, k], pairs[i, k]] for i, j, k in triples]
    rows = np.repeat(np.arange(len(triples)), 3)
    circles = sparse.csr_array(
        (np.tile([1.0, 1.0, -1.0], len(triples)), (rows, np.ravel(columns))),
        shape=(len(triples), len(pairs)),
    )
    found = optimize.milp(
        cost,
        integrality=np.ones(len(pairs)),
        bounds=optimize.Bounds(0, 1),
        constraints=optimize.LinearConstraint(circles, 0, 1),
    )
    return round(found.fun + sum(wins[i, j] for i, j in pairs))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of PuLP, about itself
@pytest.mark.parametrize("contender", ["nbrank", "scipy.optimize.milp", "corankco"])
@pytest.mark.parametrize("n_systems", [10, 20, 30])
def test_random_rankings(race, n_systems, contender):
    scores = random_rankings(n_systems, 9, seed=0)
    solve, rounds, at_least = {
        "nbrank": (consensus, 10, 1),
        "scipy.optimize.milp": (integer_programme, 5, 0.3),
        "corankco": (corankco, 1, 3),
    }[contender]
    found = kemeny(scores)
    assert solve(scores) == found.attrs["disagreement"] == disagreement(scores, list(found.index))
    question = f"exact Kemeny consensus of 9 random rankings of {n_systems}"
    race(question, contender, lambda: solve(scores), rounds=rounds, at_least=at_least)


# -------------------------------------------------------------------------------------- the limits


def test_glue(benchmark, within):
    scores = load_glue_submissions()
    found = benchmark(kemeny, scores)
    assert proven(found)
    assert found.attrs["disagreement"] == 7248
    within("exact Kemeny consensus of GLUE's 105 submissions", benchmark.stats.stats.min, 0.1, "s")


def test_all_winners_of_glue(benchmark):
    scores = load_glue_submissions()
    assert len(benchmark(winners, scores)) == 1


@pytest.mark.parametrize("n_tasks", [5, 9, 20])
@pytest.mark.parametrize("phi", [0.5, 0.8])
def test_a_hundred_systems_that_mostly_agree(benchmark, phi, n_tasks):
    found = benchmark(kemeny, mallows(100, n_tasks, phi, seed=0))
    assert proven(found)
    assert benchmark.stats.stats.min < 0.5


def test_fifty_systems_in_nine_random_rankings(benchmark, within):
    seeds = iter(range(30))
    found = []

    def solve(scores):
        found.append(kemeny(scores))

    def setup():
        return (random_rankings(50, 9, next(seeds)),), {}

    benchmark.pedantic(solve, setup=setup, rounds=30)
    assert all(proven(one) for one in found)
    what = "exact Kemeny consensus of 9 random rankings of 50, slowest of 30"
    within(what, benchmark.stats.stats.max, 3, "s")


@pytest.mark.parametrize("n_tasks", [5, 9])
def test_eighty_systems_in_random_rankings(benchmark, n_tasks):
    scores = random_rankings(80, n_tasks, seed=0)
    found = benchmark.pedantic(kemeny, args=(scores,), kwargs={"time_limit": 60}, rounds=1)
    benchmark.extra_info.update(found.attrs)
    assert benchmark.stats.stats.max < 62
    assert found.attrs["optimal"] == (found.attrs["gap"] == 0)
    assert found.attrs["gap"] < 0.001 * found.attrs["disagreement"]
