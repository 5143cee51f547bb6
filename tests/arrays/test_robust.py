"""How large numbers are, and how far they spread, whatever a few wild ones among them are."""

import numpy as np
import pytest

from nbrank.arrays.robust import usual_range, usual_size


@pytest.mark.parametrize("n", [2, 3, 9, 10, 30])
def test_one_wild_cell_is_no_usual_size(n):
    table = np.linspace(0.1, 0.9, n)[:, None] * [1.0, -2.0]
    wild = table.copy()
    wild[0] = 1e8
    assert (usual_size(wild) <= np.abs(table).max(axis=0)).all()
    assert (usual_size(table) >= 0.5 * np.abs(table).max(axis=0)).all() or n < 3


def test_sizes_without_a_score_are_0():
    assert usual_size(np.array([[np.nan, 1.0], [np.nan, np.nan]])).tolist() == [0, 1]


def test_ranges_are_whole_unless_one_cell_is_far_off_many():
    column = np.arange(30.0)
    assert usual_range(column) == 29
    assert usual_range(np.append(column, np.nan)) == 29
    assert usual_range(np.append(column, [1e8, -np.inf])) <= 290
    assert usual_range(np.array([0.3, 0.3, 0.9])) == pytest.approx(0.6)
    assert usual_range(np.array([np.nan])) == 0
