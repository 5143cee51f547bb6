"""From a frame of instance-level scores to a ranking"""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata

import nbrank
from nbrank.arrays.ballots.positional_scoring import borda
from nbrank.arrays.ballots.profile import Profile

N_SYSTEMS, N_INSTANCES = 16, 2_000_000


@pytest.fixture(scope="module")
def scores():
    """Systems x instances, 2 % of them missing."""
    rng = np.random.default_rng(0)
    scores = rng.random((N_SYSTEMS, N_INSTANCES), dtype=np.float32)
    scores[rng.random(scores.shape, dtype=np.float32) < 0.02] = np.nan
    return scores


@pytest.fixture(scope="module")
def frame(scores):
    rows = pd.MultiIndex.from_product(
        [[f"s{i:02}" for i in range(N_SYSTEMS)], range(N_INSTANCES)], names=["system", "instance"]
    )
    return pd.DataFrame({"task": scores.ravel()}, index=rows)


@pytest.mark.parametrize("contender", ["nbrank", "scipy.stats.rankdata"])
def test_borda_of_a_frame(race, frame, scores, contender):
    points = borda(Profile(scores, np.ones(N_INSTANCES)), "compatible", "average")
    np.testing.assert_allclose(nbrank.borda(frame)["score"].sort_index(), points, rtol=1e-12)
    by_instance = np.ascontiguousarray(scores.T)
    run = {
        "nbrank": lambda: nbrank.borda(frame),
        "scipy.stats.rankdata": lambda: rankdata(by_instance, axis=1),
    }[contender]
    question = "borda of 16 systems x 2,000,000 instances in a frame, 2 % missing"
    race(question, contender, run, rounds=2, warmup_rounds=0)
