"""A square table of wins as comparisons: counts, ties, weights, and what is refused."""

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import from_wins
from nbrank.votes.user_warnings import NeverMetWarning

NAMES = ["A", "B", "C"]


def square(cells, rows=NAMES, columns=NAMES):
    return pd.DataFrame(cells, index=rows, columns=columns)


WINS = square([[0, 3, 1], [2, 0, 4], [1, 0, 0]])


def test_it_is_the_comparisons_one_by_one():
    rows = [
        {"left": a, "right": b, "winner": a}
        for a in NAMES for b in NAMES for _ in range(WINS.loc[a, b])
    ]  # fmt: skip
    single = nbrank.from_comparisons(
        pd.DataFrame(rows), left="left", right="right", winner="winner"
    )
    counted = from_wins(WINS)
    assert len(counted) == len(single) == 11
    assert counted.pairwise().equals(single.pairwise().loc[NAMES, NAMES])
    pd.testing.assert_frame_equal(counted.strengths(), single.strengths())


def test_columns_may_come_in_another_order():
    assert from_wins(WINS[["C", "A", "B"]]).pairwise().equals(from_wins(WINS).pairwise())


def test_halves_are_ties_and_empty_cells_no_comparisons():
    comparisons = from_wins(square([[9, 1.5, np.nan], [0.5, 9, 2], [np.nan, 1, 9]]))
    assert comparisons.counts.ties.tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 0]]
    assert comparisons.compared().loc["A", "C"] == 0


def test_other_numbers_are_weights():
    assert from_wins(square([[0, 1.2, 0], [0.4, 0, 1], [0, 2, 0]])).outcomes.weights is not None


def test_a_system_that_never_met_anybody_stays_and_is_last():
    comparisons = from_wins(square([[0, 0, 0], [0, 0, 2.5], [0, 0.5, 0]]))
    assert list(comparisons.systems) == ["A", "B", "C"]
    assert len(comparisons) == 3
    with pytest.warns(NeverMetWarning, match="'A'"):
        ranking = comparisons.minimax()
    assert ranking["rank"].to_dict() == {"B": 1, "C": 2, "A": 3}
    assert np.isnan(ranking.loc["A", "score"])


def test_shares_are_warned_of():
    with pytest.warns(UserWarning, match="give numbers of wins"):
        from_wins(square([[0.5, 0.7], [0.3, 0.5]], NAMES[:2], NAMES[:2]))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (square([[0, 1], [1, 0]], ["A", "B"], ["A", "C"]), "'B', 'C' is only on one side"),
        (square([[0, 1], [1, 0]], ["A", "A"], ["A", "B"]), "more than once"),
        (square([[0, -1], [1, 0]], ["A", "B"], ["A", "B"]), "not below 0"),
        (square([[0, np.inf], [1, 0]], ["A", "B"], ["A", "B"]), "finite"),
        (square([[1, 0], [0, 1]], ["A", "B"], ["A", "B"]), "some above"),
        (square([[1]], ["A"], ["A"]), "at least two"),
    ],
)
def test_what_is_no_square_of_wins_is_refused(table, message):
    with pytest.raises(ValueError, match=message):
        from_wins(table)


@pytest.mark.parametrize(
    "table", [[[0, 1], [1, 0]], square([[0, "x"], [1, 0]], ["A", "B"], ["A", "B"])]
)
def test_what_is_no_frame_of_numbers_is_refused(table):
    with pytest.raises(TypeError, match="from_wins"):
        from_wins(table)
