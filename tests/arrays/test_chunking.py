"""Parts make up the whole, in its order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbrank.arrays import chunking
from nbrank.arrays.ballots.profile import safe_divide
from nbrank.arrays.chunking import chunk_slices, group_sort, map_ballot_chunks, map_threaded


@given(st.integers(0, 5), st.integers(0, 40), st.integers(1, 9))
def test_slices_make_up_the_range_and_are_full_but_the_last(start, stop, size):
    chunking = list(chunk_slices(start, stop, size))
    assert [one for part in chunking for one in range(stop)[part]] == list(range(start, stop))
    assert all(part.stop - part.start == size for part in chunking[:-1])


@pytest.mark.parametrize("shape", [(0, 0), (3, 0), (0, 3), (1, 1), (5, 3_000_000)])
def test_each_part_of_the_ballots_comes_once_and_in_order(shape):
    chunking = list(map_ballot_chunks(lambda part: (part.start, part.stop), shape))
    assert [low for low, _ in chunking[1:]] == [high for _, high in chunking[:-1]]
    assert sum(high - low for low, high in chunking) == shape[1]


@pytest.mark.parametrize("n_threads", [1, 2, 5])
def test_results_come_in_the_order_of_the_items(n_threads):
    assert list(map_threaded(str, range(30), n_threads)) == [str(item) for item in range(30)]


def test_an_error_in_a_thread_is_raised_where_its_result_is_asked_for():
    results = map_threaded(lambda item: 1 // item, [1, 0], 2)
    assert next(results) == 1
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_no_thread_starts_where_python_runs_in_a_browser(monkeypatch):
    monkeypatch.setattr("sys.platform", "emscripten")
    monkeypatch.setattr(chunking, "ThreadPoolExecutor", None)
    assert list(map_threaded(abs, [-1, 2], 2)) == [1, 2]


@given(st.integers(1, 6).flatmap(lambda n: st.permutations([*range(n), *range(n), 0])))
def test_side_by_side_are_the_columns_of_a_unit_in_their_order(unit_of):
    unit_of = np.array(unit_of)
    order, starts = group_sort(unit_of)
    found = [part.tolist() for part in np.split(order, starts[1:])]
    assert found == [np.flatnonzero(unit_of == unit).tolist() for unit in range(len(starts))]


def test_a_ratio_to_nothing_is_what_one_says():
    amounts, totals = np.array([[1.0, 3.0], [np.inf, 0.0]]), np.array([[2.0], [0.0]])
    np.testing.assert_array_equal(safe_divide(amounts, totals, 7.0), [[0.5, 1.5], [7.0, 7.0]])
    np.testing.assert_array_equal(safe_divide(1.0, np.array([4, 0])), [0.25, np.nan])
