"""Resampling 62 systems x 48 instances x 15 tasks a thousand times"""

import pytest

from nbrank.datasets import fetch_best_systems_instances
from nbrank.labelled.bootstrap import bootstrap
from nbrank.labelled.leaderboard import Leaderboard
from nbrank.labelled.rank_confidence import rank_confidence


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


@pytest.mark.parametrize("joint", [True, False])
def test_rank_confidence(benchmark, tac_08, joint):
    found = benchmark(rank_confidence, tac_08, "borda", joint=joint, seed=0)
    assert len(found) == 62
    assert benchmark.stats.stats.min < 2
