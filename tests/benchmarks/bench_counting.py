"""Counting instance-level scores in memory

Sixteen systems, about as many as the largest of the papers' benchmarks has. Where no score is
missing, Borda's points are the places that `rankdata` gives, less one: whole and half numbers, so
that all contenders have to give the very same sums.
"""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata

import nbrank
from nbrank.arrays.ballots.pairwise_counts import count_pairs
from nbrank.arrays.ballots.positional_scoring import borda
from nbrank.arrays.ballots.profile import Profile

N_SYSTEMS = 16


def profile(n_systems, n_instances, missing=0.0):
    rng = np.random.default_rng(0)
    scores = rng.random((n_systems, n_instances), dtype=np.float32)
    if missing:
        scores[rng.random(scores.shape, dtype=np.float32) < missing] = np.nan
    return Profile(scores, np.ones(n_instances))


def sigma_l(ballots):
    return borda(ballots, "compatible", "average")


def counts_and_sigma_l(ballots):
    return count_pairs(ballots), sigma_l(ballots)


# -------------------------------------------------------------------- against what people use today


@pytest.fixture(scope="module")
def matrix():
    """A million instances, with ties: two digits of a score between 0 and 1."""
    rng = np.random.default_rng(0)
    return np.round(rng.random((N_SYSTEMS, 1_000_000), dtype=np.float32), 2)


@pytest.mark.parametrize("contender", ["nbrank", "pandas.DataFrame.rank", "scipy.stats.rankdata"])
def test_sigma_l(race, matrix, contender):
    ballots = Profile(matrix, np.ones(matrix.shape[1]))
    by_instance = pd.DataFrame(matrix.T)  # the layout in which pandas ranks fastest
    run, at_least = {
        "nbrank": (lambda: sigma_l(ballots), 1),
        "pandas.DataFrame.rank": (lambda: (by_instance.rank(axis=1) - 1).sum().to_numpy(), 2),
        "scipy.stats.rankdata": (lambda: (rankdata(matrix, axis=0) - 1).sum(axis=1), 3),
    }[contender]
    np.testing.assert_array_equal(run(), sigma_l(ballots))
    race("σ^l of 16 systems x 1,000,000 instances, an array", contender, run, at_least=at_least)


def broadcast(scores):
    """Wins by the usual line of numpy, on a hundred thousand instances at a time."""
    return sum(
        (part[:, None] > part[None]).sum(axis=2)
        for part in np.split(scores, range(100_000, scores.shape[1], 100_000), axis=1)
    )


def compiled():
    """The same two comparisons for each pair in a compiled loop on all cores."""
    numba = pytest.importorskip("numba")

    @numba.njit(parallel=True, fastmath=False)
    def wins(scores):
        n_systems, n_instances = scores.shape
        size = 4096
        n_blocks = (n_instances + size - 1) // size
        found = np.zeros((n_blocks, n_systems, n_systems), dtype=np.int64)
        for number in numba.prange(n_blocks):
            block = scores[:, number * size : (number + 1) * size]
            for i in range(n_systems):
                for j in range(i):
                    above, below = 0, 0
                    for ballot in range(block.shape[1]):
                        above += block[i, ballot] > block[j, ballot]
                        below += block[j, ballot] > block[i, ballot]
                    found[number, i, j] = above
                    found[number, j, i] = below
        return found.sum(axis=0)

    return wins


@pytest.mark.parametrize("contender", ["nbrank", "numpy, broadcast", "numba, without compiling"])
def test_pairwise_counts(race, matrix, contender):
    ballots = Profile(matrix, np.ones(matrix.shape[1]))
    wins = {"numpy, broadcast": lambda: broadcast, "numba, without compiling": compiled}
    found = wins.get(contender, lambda: lambda _: count_pairs(ballots).wins)()
    np.testing.assert_array_equal(found(matrix), count_pairs(ballots).wins)
    # Compiled loops are no bar: that they gain little is why numba is not used.
    at_least = 0.4 if "numba" in contender else 1
    question = "who beats whom among 16 systems on 1,000,000 instances"
    race(question, contender, lambda: found(matrix), at_least=at_least)


# ----------------------------------------------------------------------------- how the work grows


def test_growth_in_instances(growth):
    def prepare(n_instances):
        ballots = profile(N_SYSTEMS, n_instances)
        return lambda: counts_and_sigma_l(ballots)

    sizes = [500_000, 1_000_000, 2_000_000, 4_000_000]
    growth("instances, of 16 systems", sizes, prepare, at_most=1.15)


def test_growth_in_systems(growth):
    def prepare(n_systems):
        ballots = profile(n_systems, 300_000)
        return lambda: counts_and_sigma_l(ballots)

    growth("systems, on 300,000 instances", [8, 16, 32, 64], prepare, at_most=2.15, rounds=3)


def test_growth_in_tasks(growth):
    def prepare(n_tasks):
        scores = nbrank.synthetic.gumbel_scores(N_SYSTEMS, n_tasks, 250, dispersion=0.1, seed=0)
        return lambda: nbrank.borda(scores, levels=2)

    # From 16 MB on: smaller tables fit into the processor's cache, and are copied faster.
    sizes = [500, 1000, 2000, 4000]
    what = "tasks of 250 instances, of 16 systems (σ^2l of a frame)"
    growth(what, sizes, prepare, at_most=1.15, rounds=3)


def test_missing_scores(benchmark, within, in_turns):
    shares = [0.0, 0.01, 0.1, 0.3, 0.6]
    ballots = [profile(N_SYSTEMS, 1_000_000, share) for share in shares]
    seconds = in_turns(5, *(lambda one=one: counts_and_sigma_l(one) for one in ballots))
    benchmark.pedantic(counts_and_sigma_l, args=(ballots[2],), rounds=3)
    for share, taken in list(zip(shares, seconds, strict=True))[1:]:
        what = f"{share:.0%} of 16,000,000 scores missing, beside none"
        within(what, taken / seconds[0], 6, "x the work")


# -------------------------------------------------------------------------------------- the limits

IN_MEMORY = """
import json, time
import numpy as np
from nbrank.arrays.ballots.pairwise_counts import count_pairs
from nbrank.arrays.ballots.positional_scoring import borda
from nbrank.arrays.ballots.profile import Profile

scores = np.random.default_rng(0).random((16, 8_200_000), dtype=np.float32)
profile = Profile(scores, np.ones(scores.shape[1]))
before = peak()
count_pairs(profile), borda(profile, "compatible", "average")
print(json.dumps(peak() - before))
"""


def test_131_million_scores(benchmark, within, in_a_fresh_process):
    ballots = profile(N_SYSTEMS, 8_200_000)
    benchmark.pedantic(counts_and_sigma_l, args=(ballots,), rounds=5, warmup_rounds=1)
    what = "131,200,000 scores in memory, counts and σ^l"
    beside = in_a_fresh_process(IN_MEMORY) / 2**20
    within(f"{what}: memory beside the scores", beside, 256, "MiB")
    within(what, benchmark.stats.stats.min, 2.5, "s")


@pytest.mark.parametrize("what", ["one level", "two levels", "pairwise"])
def test_tac_08(benchmark, what):
    scores = nbrank.datasets.fetch_best_systems_instances("TAC_08")  # 62 x 48 instances x 15 tasks
    run = {
        "one level": lambda: nbrank.borda(scores, levels=1),
        "two levels": lambda: nbrank.borda(scores, levels=2),
        "pairwise": lambda: nbrank.pairwise(scores),
    }[what]
    benchmark(run)
    assert benchmark.stats.stats.min < 0.05
