"""How good other rankings are beside Kemeny's, and which orders are as good as his."""

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import consensus
from nbrank.arrays.orders.majority_graphs import SearchLimitError

CYCLE = pd.DataFrame(
    [[3, 3, 1, 1, 2], [2, 2, 3, 3, 1], [1, 1, 2, 2, 3]],
    index=["A", "B", "C"],
    columns=list("vwxyz"),
)
GAPS = pd.DataFrame(
    {"t1": [3, 2, np.nan], "t2": [np.nan, 2, 3], "t3": [3, 1, np.nan], "t4": [np.nan, 1, 2]},
    index=["A", "B", "C"],
)


def random_boards(n_boards, seed=0):
    rng = np.random.default_rng(seed)
    for number in range(n_boards):
        n_systems, n_tasks = rng.integers(1, 6), rng.integers(1, 6)
        values = rng.integers(0, 4, (n_systems, n_tasks)).astype(float)
        if number % 2:
            values[rng.random(values.shape) < 0.25] = np.nan
        systems = rng.permutation(list("PQRSTU"))[:n_systems]
        scores = pd.DataFrame(values, index=systems, columns=list("vwxyz")[:n_tasks])
        yield scores, dict(zip(scores, rng.choice([0.5, 1, 2, 1 / 3], n_tasks), strict=True))


def rankings(n_systems, n_tasks, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(np.array([rng.permutation(n_systems) for _ in range(n_tasks)]).T)


@pytest.mark.parametrize("question", [consensus.winners, consensus.swaps])
def test_lists_that_would_be_incomplete_are_refused(question):
    with pytest.raises(SearchLimitError, match=f"{question.__name__}.*raise time_limit"):
        question(rankings(60, 9), time_limit=1e-6)


def test_a_tie_in_a_ranking_reverses_nothing():
    assert consensus.disagreement(CYCLE, ["A", "B", "C"]) == 6
    assert consensus.disagreement(CYCLE, pd.Series({"A": 1, "B": 2, "C": 2})) == 5
    assert consensus.disagreement(CYCLE, nbrank.antiplurality(CYCLE)) <= 6


def test_a_ranking_of_other_systems_is_refused():
    with pytest.raises(ValueError, match="'D'"):
        consensus.disagreement(CYCLE, ["A", "B", "C", "D"])
    with pytest.raises(TypeError, match="array"):
        consensus.quality(CYCLE, {"array": np.array([1, 2, 3])})


def test_quality_by_hand():
    quality = consensus.quality(
        CYCLE, {"best": ["B", "C", "A"], "tied": pd.Series(1, index=CYCLE.index)}
    )
    assert quality.loc["best"].to_dict() == {
        "disagreement": 6,
        "undecided": 0,
        "excess": 0,
        "ratio": 1,
        "kendall_distance": 2,
    }
    assert quality.loc["tied"].tolist() == [0, 15, 1.5, 7.5 / 6, 1.5]
    assert quality.attrs == {"optimum": 6, "optimal": True}


def test_no_ranking_is_better_than_the_optimum():
    for scores, weights in random_boards(20, seed=1):
        if not scores.notna().any(axis=None):
            continue
        ranks = {
            rule.__name__: rule(scores, weights=weights)
            for rule in (nbrank.borda, nbrank.copeland, nbrank.plurality, nbrank.mean_win_rate)
        }
        quality = consensus.quality(scores, ranks, weights=weights)
        assert (quality["excess"] >= -1e-9).all()
        assert (quality["ratio"] >= 1 - 1e-9).all()


def test_all_rules_at_once_from_compare():
    with pytest.warns(nbrank.RuleRefusedWarning, match="mean: left empty"):
        ranks = nbrank.compare(GAPS, ["mean", "borda", "copeland", "instant_runoff"])
    quality = consensus.quality(GAPS, ranks)
    assert list(quality.index) == list(ranks.columns)
    assert quality.loc["mean"].isna().all()
    assert quality.drop("mean").notna().all(axis=None)


def test_where_nothing_is_reversed_a_ratio_is_one_or_infinite():
    agreed = pd.DataFrame({"t1": [3, 2, 1], "t2": [9, 8, 7]}, index=list("ABC"))
    quality = consensus.quality(agreed, {"right": list("ABC"), "wrong": list("BAC")})
    assert quality["ratio"].tolist() == [1, np.inf]


@pytest.mark.parametrize("rankings", [[nbrank.borda(CYCLE)], nbrank.borda(CYCLE), CYCLE["v"]])
def test_rankings_without_names_are_refused(rankings):
    with pytest.raises(TypeError, match="a mapping from names to rankings"):
        nbrank.consensus.quality(CYCLE, rankings)
