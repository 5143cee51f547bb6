"""How large numbers are, and how far they spread, whatever a few wild ones among them are."""

import numpy as np
import pytest

from nbrank.arrays.ballots.profile import usual_range


def test_ranges_are_whole_unless_one_cell_is_far_off_many():
    column = np.arange(30.0)
    assert usual_range(column) == 29
    assert usual_range(np.append(column, np.nan)) == 29
    assert usual_range(np.append(column, [1e8, -np.inf])) <= 290
    assert usual_range(np.array([0.3, 0.3, 0.9])) == pytest.approx(0.6)
    assert usual_range(np.array([np.nan])) == 0
