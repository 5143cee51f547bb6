"""Scores that are all but equal: they tie if one says so, and else there is a warning."""

import warnings

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import Leaderboard
from nbrank.votes.doubts import UnscoredWarning

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
    with pytest.raises(TypeError, match="no whole number of decimals"):
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
    nbrank.bootstrap(board, "copeland", n=5, seed=0)
