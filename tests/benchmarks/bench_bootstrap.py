"""Resampling 62 systems x 48 instances x 15 tasks a thousand times"""

import numpy as np
import pytest

from nbrank.arrays.ballots.profile import Profile
from nbrank.arrays.uncertainty.resampling import draw_multiplicities, resampled_counts
from nbrank.datasets import fetch_best_systems_instances
from nbrank.uncertainty.rank_sets import rank_confidence
from nbrank.uncertainty.resampled_ranks import bootstrap
from nbrank.votes.leaderboard import Leaderboard


@pytest.fixture(scope="module")
def tac_08():
    return Leaderboard(fetch_best_systems_instances("TAC_08"))


@pytest.mark.parametrize("over", ["tasks", "instances"])
@pytest.mark.parametrize("rule", ["borda", "mean", "mean_rank", "mean_win_rate"])
def test_a_thousand_resamples(benchmark, tac_08, rule, over):
    found = benchmark(bootstrap, tac_08, rule, over, n=1000, seed=0)
    assert len(found) == 62
    assert benchmark.stats.stats.min < 2


@pytest.mark.parametrize("over", ["tasks", "instances"])
def test_a_thousand_resamples_of_pairwise_counts(benchmark, tac_08, over):
    found = benchmark.pedantic(
        bootstrap, args=(tac_08, "copeland", over), kwargs={"seed": 0}, rounds=1
    )
    assert len(found) == 62
    assert benchmark.stats.stats.min < 15


# ------------------------------------------------------------------------------- many instances

MANY = """
import json, sys, time
from pathlib import Path
import numpy as np, pandas as pd
import nbrank

scores = np.random.default_rng(0).normal(np.arange(16)[:, None] / 300, 1.0, (16, 200_000))
names = [f"s{number:02}" for number in range(16)]
rows = pd.MultiIndex.from_product([names, range(200_000)], names=["system", "instance"])
board = nbrank.Leaderboard(pd.DataFrame({"task": scores.ravel().astype("float32")}, rows))
del scores, rows
if sys.platform == "linux":
    # From here on: to make the table took more.
    Path("/proc/self/clear_refs").write_text("5")
before, start = peak(), time.process_time()
nbrank.bootstrap(board, sys.argv[1], over="instances", seed=0)
print(json.dumps([time.process_time() - start, peak() - before]))
"""


@pytest.mark.parametrize("rule", ["borda", "copeland", "bradley_terry"])
def test_many_instances(benchmark, within, in_a_fresh_process, rule):
    seconds, beside = benchmark.pedantic(in_a_fresh_process, args=(MANY, rule), rounds=1)
    what = f"1,000 resamples of 16 x 200,000 instances, {rule}"
    within(f"{what}: memory beside the scores", beside / 2**20, 128, "MiB")
    within(f"{what}: work", seconds, 20, "s")


def test_instances(growth):
    def prepare(n_instances):
        scores = np.random.default_rng(0).random((16, n_instances), dtype=np.float32)
        profile, strata = Profile(scores, np.ones(n_instances)), np.zeros(n_instances, dtype=int)

        def run():
            drawn = draw_multiplicities(strata, 300, np.random.default_rng(0), np.float32)
            return list(resampled_counts(profile, np.arange(n_instances), drawn, 300))

        return run

    sizes = [16_384, 32_768, 65_536, 131_072]
    growth("instances in 300 resamples of pairwise counts", sizes, prepare, at_most=1.15, rounds=3)


@pytest.mark.parametrize("joint", [True, False])
def test_rank_confidence(benchmark, tac_08, joint):
    found = benchmark(rank_confidence, tac_08, "borda", joint=joint, seed=0)
    assert len(found) == 62
    assert benchmark.stats.stats.min < 2
