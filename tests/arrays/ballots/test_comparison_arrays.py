"""Comparisons of two systems at a time, against loops."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbrank.arrays.ballots.pairwise_counts import ComparisonArrays
from nbrank.arrays.ballots.positional_scoring import borda_vector, positional
from nbrank.arrays.ballots.profile import Profile


@st.composite
def duels(draw, n_systems=4):
    rows = draw(
        st.lists(
            st.tuples(
                st.permutations(range(n_systems)),
                st.sampled_from([-1, 0, 1]),
                st.integers(0, 5),
                st.integers(0, 4),
            ),
            min_size=1,
            max_size=12,
        )
    )
    pairs = np.array([pair[:2] for pair, *_ in rows], dtype=np.int32)
    result = np.array([row[1] for row in rows], dtype=np.int8)
    weights = np.array([row[2] / 2 for row in rows])
    repeats = np.array([float(row[3]) for row in rows])
    return ComparisonArrays(
        pairs[:, 0],
        pairs[:, 1],
        result,
        draw(st.sampled_from([None, weights])),
        draw(st.sampled_from([None, repeats])),
    )


@given(duels())
def test_counts_are_those_of_going_through_the_rows_one_by_one(rows):
    wins, ties, win_squares, tie_squares = np.zeros((4, 4, 4))
    total = 0.0
    for row in range(len(rows)):
        weight = 1.0 if rows.weights is None else rows.weights[row]
        times = 1.0 if rows.repeats is None else rows.repeats[row]
        left, right = rows.left[row], rows.right[row]
        if rows.outcomes[row] == 0:
            for i, j in ((left, right), (right, left)):
                ties[i, j] += times * weight
                tie_squares[i, j] += times * weight**2
        else:
            winner, loser = (left, right) if rows.outcomes[row] == 1 else (right, left)
            wins[winner, loser] += times * weight
            win_squares[winner, loser] += times * weight**2
        total += times * weight
    counts, squares = rows.tabulate(4)
    np.testing.assert_allclose(counts.wins, wins)
    np.testing.assert_allclose(counts.ties, ties)
    np.testing.assert_allclose(squares.wins, win_squares)
    np.testing.assert_allclose(squares.ties, tie_squares)
    assert counts.total == pytest.approx(total)


def ballots_of(rows, n_systems):
    """The same comparisons as ballots with two scores."""
    scores = np.full((n_systems, len(rows)), np.nan)
    column = np.arange(len(rows))
    scores[rows.left, column] = rows.outcomes
    scores[rows.right, column] = 0.0
    return scores


def test_a_win_is_worth_a_sixth_of_the_systems_and_one():
    # Himmi et al.: winner and loser of two among n stand (n + 1) / 6 from the middle.
    rows = ComparisonArrays(
        np.array([0], np.int32), np.array([1], np.int32), np.array([1], np.int8)
    )
    for n in range(2, 9):
        ballot = Profile(ballots_of(rows, n), np.ones(1))
        found = positional(ballot, borda_vector, "compatible", "average")
        middle = (n - 1) / 2
        expected = np.full(n, middle)
        expected[:2] += np.array([1, -1]) * (n + 1) / 6
        np.testing.assert_allclose(found, expected)
