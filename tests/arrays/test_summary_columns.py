"""A column that sums up the others is found wherever it stands, and noise is none."""

import numpy as np
import pytest

from nbrank.arrays.summary_columns import column_like, means_and_sums


def found_in(table):
    return {what: column_like(table, others) for what, others in means_and_sums(table).items()}


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("what", ["mean", "sum"])
@pytest.mark.parametrize("written", [lambda one: one, np.float32, lambda one: one.round(2)])
def test_a_summary_is_found_where_it_stands(seed, what, written):
    rng = np.random.default_rng(seed)
    table = written(100 * rng.random((9, 5)))
    table[rng.random(table.shape) < 0.1] = np.nan
    place = int(rng.integers(6))
    summary = written(getattr(np, f"nan{what}")(table, axis=1))
    whole = np.insert(table, place, summary, axis=1).astype(float)
    assert found_in(whole)[f"the {what}"] == place
    # As it would be of rows turned around, and not of cells exchanged.
    assert found_in(whole[::-1])[f"the {what}"] == place
    whole[:, place] = np.roll(whole[:, place], 1)
    assert set(found_in(whole).values()) == {None}


def test_noise_copies_and_small_tables_have_none():
    rng = np.random.default_rng(0)
    for shape in ((3, 3), (5, 20), (30, 4)):
        for _ in range(50):
            assert set(found_in(rng.random(shape).round(2)).values()) == {None}
    assert set(found_in(np.tile(rng.random((9, 1)), 4)).values()) == {None}
    assert set(found_in(np.array([[1.0, 1.0, 1.0], [2.0, 4.0, 3.0]])).values()) == {None}
    assert set(found_in(np.array([[1.0, np.inf, 3.0]] * 4)).values()) == {None}
