"""Task weights under which each system wins: GLUE, and 1,000 systems x 100 tasks"""

import numpy as np
import pandas as pd
import pytest

from nbrank.datasets import load_glue
from nbrank.robustness.winning_weights import condorcet_weights


def test_all_systems_of_glue(benchmark):
    board = load_glue()
    found = benchmark(condorcet_weights, board)
    assert found["prospective"].sum() == 12
    assert benchmark.stats.stats.min < 0.2


@pytest.mark.parametrize("spread", [1.0, 0.3], ids=["some systems better", "nearly all alike"])
def test_a_thousand_systems(benchmark, spread):
    rng = np.random.default_rng(0)
    quality = spread * rng.normal(size=(1000, 1))
    scores = pd.DataFrame(np.round(quality + rng.normal(size=(1000, 100)), 2)).add_prefix("task ")
    found = benchmark.pedantic(condorcet_weights, args=(scores,), rounds=1)
    assert found["margin"].notna().all()
