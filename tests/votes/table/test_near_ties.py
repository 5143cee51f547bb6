"""Scores that are all but equal: they tie if one says so, and else there is a warning."""

import warnings

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import Leaderboard
from nbrank.votes.user_warnings import UnscoredWarning

SUMS = pd.DataFrame({"t1": [0.1 + 0.2, 0.3, 0.9], "t2": [1.0, 2.0, 3.0]}, index=list("ABC"))


@pytest.mark.parametrize("rule", ["borda", "copeland", "plurality", "kemeny", "instant_runoff"])
def test_rounding_that_decides_places_is_warned_of(rule):
    message = (
        rf"{rule}: on 't1' scores that differ by less than 1e-9 .* such as those of 'B', 'A' "
        r"\(0.3 and 0.30000000000000004\); if that is rounding, .*decimals="
    )
    with pytest.warns(UserWarning, match=message):
        getattr(nbrank, rule)(SUMS)


@pytest.mark.parametrize("rule", ["mean", "median", "geometric_mean"])
def test_averages_of_scores_need_no_warning(rule):
    getattr(nbrank, rule)(SUMS)


def test_rounded_scores_tie():
    board = Leaderboard(SUMS, decimals=6)
    assert board.scores["t1"].tolist() == [0.3, 0.3, 0.9]
    assert nbrank.borda(board)["score"].to_dict() == {"C": 4.0, "B": 1.5, "A": 0.5}


def test_decimals_by_task_or_group():
    scores = pd.DataFrame({"t1": [0.126], "t2": [0.126], "t3": [126.0]})
    board = Leaderboard(scores, decimals={"t1": 1, "t3": -1})
    assert board.values.tolist() == [[0.1, 0.126, 130.0]]
    groups = {"fine": ["t1", "t2"], "coarse": ["t3"]}
    board = Leaderboard(scores, groups=groups, decimals={"fine": 2, "coarse": 0})
    assert board.values.tolist() == [[0.13, 0.13, 126.0]]


@pytest.mark.parametrize("decimals", [2.0, "2", True, {"t1": 0.5}])
def test_what_is_no_number_of_decimals_is_refused(decimals):
    with pytest.raises(TypeError, match="not a whole number of decimals"):
        Leaderboard(SUMS, decimals=decimals)


def test_unknown_tasks_are_refused():
    with pytest.raises(ValueError, match="decimals: .*'x'"):
        Leaderboard(SUMS, decimals={"x": 1})


def test_a_narrow_range_can_be_rounding_as_a_whole():
    with pytest.warns(UserWarning, match="borda: on 't1' scores that differ"):
        nbrank.borda(SUMS.iloc[:2])


@pytest.mark.parametrize(
    "column",
    [
        [1.0, 2.0, 1e12],  # a range of many orders of magnitude
        [1e9, 1e9 + 1, 1e9 + 2],  # small differences of large numbers
        [1e-300, 2e-300, 1.0],
        [0.0, 0.0, 1.0],
        [np.nan, 0.3, 0.3],
        [-np.inf, 1.0, np.inf],
    ],
)
def test_other_differences_are_taken_as_they_are(column):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UnscoredWarning)  # of A, where it has none
        nbrank.borda(pd.DataFrame({"t": column}, index=list("ABC")))


def test_a_board_warns_once():
    board = Leaderboard(SUMS)
    with pytest.warns(UserWarning, match="borda: on 't1'"):
        nbrank.borda(board)
    nbrank.borda(board)
    nbrank.bootstrap(board, "copeland", n_draws=5, seed=0)


RUNS = pd.DataFrame(
    {"t1": [0.1, 0.2, 0.3, 0.12, 0.22, 0.28], "t2": [0.1, 0.2, 0.3, 0.11, 0.15, 0.3]},
    pd.MultiIndex.from_product([["A", "B"], range(3)], names=["system", "seed"]),
)


@pytest.mark.parametrize(
    "question",
    [
        nbrank.probability_of_improvement,
        nbrank.interquartile_mean,
        lambda runs: nbrank.optimality_gap(runs, 0.45),
    ],
)
@pytest.mark.parametrize("decimals", [0, 1, {"t2": 1}, pd.Series({"t1": 1, "t2": 0})])
def test_decimals_round_single_runs(question, decimals):
    by_hand = RUNS.round(dict(decimals) if not isinstance(decimals, int) else decimals)
    board = Leaderboard(RUNS, decimals=decimals)
    pd.testing.assert_frame_equal(question(board), question(by_hand))


def test_averages_of_runs_are_rounded_and_not_those_of_rounded_runs():
    runs = pd.DataFrame(
        {"t": [0.4, 0.4, 0.9, 0.0]},
        pd.MultiIndex.from_tuples(
            [("A", 1), ("A", 2), ("A", 3), ("B", 1)], names=["system", "seed"]
        ),
    )
    assert nbrank.mean(Leaderboard(runs, decimals=0))["score"].to_dict() == {"A": 1, "B": 0}


@pytest.mark.parametrize("over", ["seeds", "both"])
def test_averages_of_runs_drawn_anew_are_rounded(over):
    found = nbrank.bootstrap(Leaderboard(RUNS, decimals=0), "borda", over=over, n_draws=200, seed=0)
    assert found["high"].tolist() == [1, 1]
    assert nbrank.bootstrap(RUNS, "borda", over=over, n_draws=200, seed=0)["high"].max() == 2


@pytest.mark.parametrize("over", ["errors", "both"])
def test_scores_with_errors_drawn_anew_are_rounded(over):
    scores = RUNS.groupby(level="system").mean()
    board, errors = Leaderboard(scores, decimals=0), scores * 0 + 0.05
    found = nbrank.bootstrap(board, "borda", over=over, errors=errors, n_draws=200, seed=0)
    assert found["high"].tolist() == [1, 1]


def test_rounding_leaves_a_mean_its_errors():
    scores = RUNS.groupby(level="system").mean()
    found = nbrank.rank_confidence(Leaderboard(scores, decimals=0), "mean", errors=scores * 0 + 1)
    assert found[["low", "high"]].to_numpy().tolist() == [[1, 2], [1, 2]]


def test_what_is_taken_of_a_board_is_rounded_alike():
    board = Leaderboard(RUNS, decimals={"t2": 0})
    for part in (board.select_tasks(["t2"]), board.select_systems(["B", "A"]), board):
        anew = part.measured_anew(part.values + 0.4)
        assert set(anew.values[:, -1]) == {0.0}
    assert board.measured_anew(board.values + 0.4).values[0, 0] == pytest.approx(0.6)
    assert board.exact().measured_anew(board.values + 0.4).values[0, 1] == pytest.approx(0.4)
