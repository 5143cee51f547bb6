"""Equation 4 of the missing-scores paper: which pairs it calls decided."""

import numpy as np
import pandas as pd
import pytest

from nbrank.uncertainty.pair_intervals import compatible_pairs


def board(n_systems, n_tasks, missing):
    rng = np.random.default_rng(0)
    scores = rng.integers(0, 20, (n_systems, n_tasks)).astype(float)
    scores[rng.random(scores.shape) < missing] = np.nan
    return pd.DataFrame(scores).add_prefix("t")


def by_loop(frame, delta):
    """Pair -> the share of the ballots, missing ones filled in, and the lower end below it."""
    n_tasks = frame.shape[1]
    found = {}
    for a in frame.index:
        for b in frame.index.drop(a):
            won, met = 0.0, 0
            for task in frame:
                column = frame[task].dropna()
                x, y = frame.loc[a, task], frame.loc[b, task]
                k = len(column)
                if a in column.index and b in column.index:
                    won += 1.0 if x > y else 0.5 if x == y else 0.0
                    met += 1
                elif a in column.index:
                    others = column.drop(a)
                    won += ((others < x).sum() + (others == x).sum() / 2 + 1) / (k + 1)
                elif b in column.index:
                    others = column.drop(b)
                    won += 1 - ((others < y).sum() + (others == y).sum() / 2 + 1) / (k + 1)
                else:
                    won += 0.5
            half_width = np.sqrt(-np.log(delta) / (2 * met)) if met else np.inf
            found[a, b] = won / n_tasks, met, max(0.0, won / n_tasks - half_width)
    return found


@pytest.mark.parametrize("frame", [board(3, 2, 0.0), board(12, 9, 0.2), board(6, 30, 0.6)])
def test_it_is_the_papers_interval(frame):
    pairs = compatible_pairs(frame, delta=0.5)
    expected = by_loop(frame, delta=0.5)
    assert list(pairs.index) == list(expected)
    np.testing.assert_allclose(pairs[["share", "n", "low"]], list(expected.values()))
    assert (pairs["decided"] == (pairs["low"] > 0.5)).all()


def test_meetings_are_counted_and_not_their_weight():
    frame = pd.DataFrame({"t1": [2, 1], "t2": [2, 1], "t3": [1, np.nan]}, index=["A", "B"])
    pairs = compatible_pairs(frame, weights={"t1": 5, "t2": 1, "t3": 0})
    assert pairs["n"].to_dict() == {("A", "B"): 2, ("B", "A"): 2}
    assert pairs["share"].to_dict() == {("A", "B"): 1.0, ("B", "A"): 0.0}


def test_pairs_that_never_met_are_not_decided():
    frame = pd.DataFrame({"t1": [2, np.nan], "t2": [np.nan, 1]}, index=["A", "B"])
    with pytest.warns(UserWarning, match="one minus the confidence, which is then 10%"):
        pairs = compatible_pairs(frame, delta=0.9)
    assert (pairs["n"] == 0).all()
    assert (pairs["low"] == 0).all()
    assert not pairs["decided"].any()


def test_the_level_is_checked():
    with pytest.raises(ValueError, match="compatible_pairs: delta=1 must be between 0 and 1"):
        compatible_pairs(board(3, 2, 0.0), delta=1)


def test_a_clear_lead_over_many_tasks_is_decided_and_a_lead_over_few_is_not():
    long = pd.DataFrame([[2.0] * 30, [1.0] * 30], index=["A", "B"])
    assert compatible_pairs(long, delta=0.01)["decided"].to_dict() == {
        ("A", "B"): True,
        ("B", "A"): False,
    }
    assert not compatible_pairs(long.iloc[:, :5], delta=0.01)["decided"].any()
