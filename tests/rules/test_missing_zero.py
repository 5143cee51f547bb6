"""A missing score that gets no points: Borda as the Massive Text Embedding Benchmark counts it."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata

import nbrank

HOSTS = Path(__file__).parents[2] / "notebooks" / "data" / "leaderboards"
RULES = ["plurality", "antiplurality", "borda", "dowdall"]
VECTORS = {
    "plurality": lambda n: [1.0] + [0.0] * (n - 1),
    "antiplurality": lambda n: [1.0] * (n - 1) + [0.0],
    "borda": lambda n: list(range(n - 1, -1, -1)),
    "dowdall": lambda n: [1 / place for place in range(1, n + 1)],
}


def gaps(seed, n_systems=6, n_tasks=5):
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 4, (n_systems, n_tasks)).astype(float)
    scores[rng.random(scores.shape) < 0.4] = np.nan
    scores[:, 0] = rng.integers(0, 4, n_systems)
    return pd.DataFrame(scores, index=list("ABCDEF")[:n_systems]).add_prefix("t")


def by_hand(scores, vector, weights, ties):
    """The points of the whole table's places, shared by those who tie, nothing for a gap."""
    total = np.zeros(len(scores))
    for task, weight in zip(scores, weights, strict=True):
        column = scores[task].to_numpy()
        for system, score in enumerate(column):
            if np.isnan(score):
                continue
            above, level = int((column > score).sum()), int((column == score).sum())
            shared = vector[above : above + level]
            points = {"average": np.mean(shared), "min": shared[0], "max": shared[-1]}[ties]
            total[system] += weight * points
    return total


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("ties", ["average", "min", "max"])
def test_the_scored_get_the_points_of_the_whole_tables_places(rule, ties):
    for seed in range(20):
        scores = gaps(seed)
        weights = np.random.default_rng(seed).integers(1, 4, scores.shape[1])
        found = getattr(nbrank, rule)(
            scores, missing="zero", ties=ties, weights=dict(zip(scores, weights, strict=True))
        )
        expected = by_hand(scores, VECTORS[rule](len(scores)), weights, ties)
        np.testing.assert_allclose(found["score"].reindex(scores.index), expected)


def test_a_vector_of_ones_own_counts_so_too():
    scores = pd.DataFrame({"t1": [3, 2, np.nan], "t2": [1, np.nan, np.nan]}, index=list("ABC"))
    found = nbrank.positional(scores, [5, 2, 1], missing="zero")
    assert found["score"].iloc[:2].to_dict() == {"A": 10.0, "B": 2.0}


def test_a_system_without_any_score_is_last_and_still_counts_as_one_of_the_table():
    scores = pd.DataFrame({"t1": [3.0, 2.0, np.nan]}, index=list("ABC"))
    found = nbrank.borda(scores, missing="zero")
    assert found["score"].iloc[:2].to_dict() == {"A": 2.0, "B": 1.0}
    assert found["rank"]["C"] == 3
    assert np.isnan(found["score"]["C"])


def test_complete_tables_are_counted_as_ever():
    scores = gaps(0).fillna(0)
    pd.testing.assert_frame_equal(nbrank.borda(scores, missing="zero"), nbrank.borda(scores))


@pytest.mark.parametrize("levels", [1, 2])
def test_counted_instances_give_the_same(levels):
    rng = np.random.default_rng(1)
    rows = pd.MultiIndex.from_product([list("ABCD"), range(5)], names=["system", "instance"])
    values = rng.integers(0, 3, (20, 2)).astype(float)
    values[rng.random(values.shape) < 0.3] = np.nan
    frame = pd.DataFrame(values, index=rows, columns=["t1", "t2"])
    of_scores = nbrank.borda(frame, missing="zero", levels=levels)
    of_counts = nbrank.borda(nbrank.tally(frame), missing="zero", levels=levels)
    pd.testing.assert_frame_equal(of_scores, of_counts)


@pytest.mark.parametrize("rule", ["mean", "copeland", "mean_rank", "baldwin", "kemeny", "bucklin"])
def test_other_rules_say_that_they_do_not_know_it(rule):
    with pytest.raises(ValueError, match=f"{rule}: missing='zero' is unknown; choose"):
        getattr(nbrank, rule)(gaps(0), missing="zero")


def test_uncertainty_counts_it_alike():
    scores = gaps(3, n_tasks=9)
    found = nbrank.rank_confidence(scores, "borda", missing="zero", seed=0)
    assert found["rank"].to_dict() == nbrank.borda(scores, missing="zero")["rank"].to_dict()
    spread = nbrank.bootstrap(scores, "borda", missing="zero", n_draws=50, seed=0)
    assert (spread["low"] <= spread["high"]).all()


@pytest.mark.filterwarnings("ignore:.*less than 1e-9 of the task's range")
def test_the_published_points_are_exact():
    scores = pd.read_csv(HOSTS / "mteb_eng_v2.csv", index_col=0)
    published = pd.read_csv(HOSTS / "mteb_eng_v2_host_borda.csv", index_col=0)
    found = nbrank.borda(scores, missing="zero").reindex(published.index)
    assert (found["score"] == published["borda"]).all()
    assert (found["rank"] == rankdata(-published["borda"], method="min")).all()
