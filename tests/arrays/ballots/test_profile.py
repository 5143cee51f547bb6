"""Places, ranks, and what a missing score is turned into."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from nbrank.arrays.ballots.profile import competition_ranks, compute_places, fill_median, fill_worst

CELLS = st.one_of(st.just(np.nan), st.just(-np.inf), st.integers(0, 3).map(float))


@given(hnp.arrays(float, st.tuples(st.integers(1, 6), st.integers(1, 5)), elements=CELLS))
def test_places_are_those_of_a_count(scores):
    found = compute_places(scores)
    for (i, t), score in np.ndenumerate(scores):
        assert found.observed[i, t] == (not np.isnan(score))
        if found.observed[i, t]:
            others = np.delete(scores[:, t], i)
            assert found.n_below[i, t] == (others < score).sum()
            assert found.n_tied[i, t] == (others == score).sum()
            assert found.n_above[i, t] == (others > score).sum()


@given(hnp.arrays(float, st.tuples(st.integers(1, 6), st.integers(1, 5)), elements=CELLS))
def test_worst_keeps_the_order_and_puts_missing_scores_below(scores):
    filled = fill_worst(scores)
    before, after = compute_places(scores), compute_places(filled)
    assert not np.isnan(filled).any()
    missing = ~before.observed
    np.testing.assert_array_equal(
        (after.n_below - missing.sum(axis=0))[before.observed], before.n_below[before.observed]
    )
    assert (after.n_below[missing] == 0).all()


def test_median_is_that_of_the_scored():
    filled = fill_median(np.array([[1.0, np.nan], [5.0, 2.0], [np.nan, 7.0], [np.nan, 3.0]]))
    assert filled.tolist() == [[1.0, 3.0], [5.0, 2.0], [3.0, 7.0], [3.0, 3.0]]


@pytest.mark.parametrize(
    ("scores", "ranks"),
    [
        ([3, 2, 2, 1], [1, 2, 2, 4]),
        ([np.nan, 1, np.nan], [2, 1, 2]),
        ([np.nan], [1]),
        ([0.1 + 0.2, 0.3], [1, 1]),
        ([1e9, 1e9 + 0.5, 1e9 + 3], [2, 2, 1]),
        ([0, 0, 0], [1, 1, 1]),
        ([-1e-12, 0, -5], [1, 1, 3]),
    ],
)
def test_ranks_share_the_smallest_and_tie_within_rounding(scores, ranks):
    assert competition_ranks(np.array(scores, dtype=float)).tolist() == ranks
