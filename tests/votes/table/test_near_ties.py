"""Scores that are all but equal: where rounding decides places, every question warns."""

import inspect
import warnings

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import Leaderboard
from nbrank.rules.registry import RULES
from nbrank.votes.method_registry import METHODS
from nbrank.votes.user_warnings import NearTieWarning, UnscoredWarning

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


#: On t1 the scores of A and B are the same sum, added up in another order.
SCORES = pd.DataFrame(
    {
        "t1": [0.1 + 0.2, 0.3, 0.9, 0.5],
        "t2": [1.0, 2, 3, 0],
        "t3": [5.0, 4, 1, 2],
        **{f"t{i}": [1.0, 2, 3, 0] for i in range(4, 8)},
    },
    index=list("ABCD"),
)
GROUPS = {"a": ["t1", "t2", "t3"], "b": ["t4", "t5"], "c": ["t6", "t7"]}
#: What they need to be told.
TOLD = {
    "two_step": {"groups": GROUPS},
    "weight_map": {"groups": GROUPS, "resolution": 2},
    "bootstrap": {"n_draws": 5},
    "rank_acceptability": {"n_draws": 5},
    "central_weights": {"n_draws": 5},
    "core_tasks": {"size": 2},
    "changes": {"after": SCORES.round(6)},
    "explain_change": {"after": SCORES.round(6), "system": "A"},
}
#: These look at scores, and no place hangs on a difference that is rounding.
OF_SCORES = {"binomial_errors", "variance_split"}
QUESTIONS = [
    name
    for name, method in METHODS.items()
    if name not in {*RULES, *OF_SCORES} and method.requires <= nbrank.Leaderboard.provides
]


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_tells_of_near_ties_once(name):
    function = METHODS[name].load()
    options = dict(TOLD.get(name, {}))
    if "rule" in inspect.signature(function).parameters and name not in ("report", "explore"):
        options["rule"] = "borda"
    board = nbrank.Leaderboard(SCORES, groups=options.pop("groups", None))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function(board, **options)
    (said,) = [str(one.message) for one in caught if one.category is NearTieWarning]
    assert "on 't1' scores that differ by less than 1e-9" in said
    assert "'B', 'A'" in said


@pytest.mark.parametrize("name", ["cherry_pick", "condorcet_weights", "weight_map"])
def test_tables_without_them_pass_in_silence(name):
    options = TOLD.get(name, {})
    METHODS[name].load()(SCORES.assign(t1=[0.2, 0.3, 0.9, 0.5]), **options)


def test_parts_of_a_board_are_told_of_with_it():
    board = nbrank.Leaderboard(SCORES)
    with pytest.warns(NearTieWarning, match="borda: on 't1'"):
        board.select_tasks(["t1", "t2"]).borda()
    board.borda()
    board.with_weights({"t1": 2}).copeland()


def test_other_scores_are_another_table():
    board = nbrank.Leaderboard(SCORES)
    board.with_values(board.values.round(3)).borda()
