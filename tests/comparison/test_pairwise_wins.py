"""Who beats whom: the pairs of a leaderboard are counted once, whoever asks for them."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

import nbrank
from nbrank.arrays.ballots import pairwise_counts
from nbrank.arrays.uncertainty.win_rate_intervals import bounded_mean_interval
from nbrank.tournament import majority_graph, smith_set
from nbrank.votes.leaderboard import Leaderboard

SCORES = pd.DataFrame({"t1": [3, 2, 1], "t2": [1, 3, 2], "t3": [2, 1, np.nan]}, index=list("ABC"))


def test_the_rules_on_one_leaderboard_share_its_counts(monkeypatch):
    asked, count = [], pairwise_counts.count_pairs
    monkeypatch.setattr(
        pairwise_counts, "count_pairs", lambda profile: asked.append(profile) or count(profile)
    )
    nbrank.compare(SCORES, ["copeland", "minimax", "schulze", "ranked_pairs", "condorcet"])
    assert len(asked) == 1


def test_each_treatment_of_missing_scores_has_counts_of_its_own():
    board = Leaderboard(SCORES)
    tables = {
        missing: nbrank.pairwise(board, missing=missing)
        for missing in ("ignore", "compatible", "worst", "ignore")
    }
    for missing, table in tables.items():
        assert table.equals(nbrank.pairwise(SCORES, missing=missing))
    assert tables["ignore"].loc["B", "C"] == 2
    assert tables["worst"].loc["B", "C"] == 3


def test_what_is_returned_is_the_users_to_change():
    board = Leaderboard(SCORES)
    first = nbrank.pairwise(board)
    first.loc["A", "B"] = 100
    assert nbrank.pairwise(board).loc["A", "B"] == 2


@pytest.mark.parametrize("option", ["function", "rule", "name", "chosen"])
@pytest.mark.parametrize(
    "question",
    [nbrank.pairwise, nbrank.compared, smith_set, majority_graph],
    ids=lambda f: f.__name__,
)
def test_an_unknown_option_is_refused_by_the_name_of_the_function(question, option):
    with pytest.raises(TypeError, match=rf"{question.__name__}\(\) got an unexpected .*'{option}'"):
        question(SCORES, **{option: "B"})


# ---------------------------------------------------- the interval of a probability of improvement


def test_where_all_tasks_point_one_way_the_interval_is_clopper_and_pearsons():
    for won, n in ((8, 8), (0, 8), (7, 9), (1, 1), (40, 40)):
        scores = pd.DataFrame([np.arange(n) < won, np.arange(n) >= won], ["A", "B"], dtype=float)
        found = nbrank.probability_of_improvement(scores).loc[("A", "B"), ["low", "high"]]
        exact = binomtest(won, n).proportion_ci(0.95, method="exact")
        assert found.tolist() == pytest.approx([exact.low, exact.high])


def test_shares_within_the_ends_narrow_the_interval():
    rows = pd.MultiIndex.from_product([["A", "B"], [0, 1]], names=["system", "seed"])
    runs = pd.DataFrame(np.repeat([[1.0], [3], [2], [0]], 20, axis=1), rows)  # half of the pairs
    half = nbrank.probability_of_improvement(runs).loc[("A", "B")]
    single = pd.DataFrame([[0.0, 1] * 10, [1.0, 0] * 10], ["A", "B"])
    whole = nbrank.probability_of_improvement(single).loc[("A", "B")]
    assert whole["probability"] == 0.5
    assert half["probability"] == 0.75
    assert half["high"] - half["low"] < 0.6 * (whole["high"] - whole["low"])


@pytest.mark.parametrize("probability", [0.5, 0.7, 0.9])
@pytest.mark.parametrize("ties", [0.0, 0.1])
def test_the_interval_covers_with_few_tasks(probability, ties):
    rng = np.random.default_rng(0)
    won = probability - ties / 2
    for n in (9, 14, 40):
        outcomes = rng.choice([1, 0.5, 0], size=(400, n), p=[won, ties, 1 - won - ties])
        means, variances = outcomes.mean(axis=1), outcomes.var(axis=1)
        low, high = bounded_mean_interval(means, variances, np.full(400, float(n)), 0.05)
        assert ((low <= probability) & (probability <= high)).mean() >= 0.94
