"""Long tables into wide ones."""

import numpy as np
import pandas as pd
import pytest

import nbrank

LONG = pd.DataFrame(
    {
        "model": ["B", "A", "B", "A", "A"],
        "bench": ["t2", "t2", "t1", "t1", "t1"],
        "item": [0, 0, 0, 0, 1],
        "value": [0.1, 0.2, 0.3, 0.4, np.nan],
    }
)
COLUMNS = {"system": "model", "task": "bench", "score": "value"}


def test_a_row_for_each_system_in_order_of_appearance():
    wide = nbrank.from_long(LONG.query("item == 0"), **COLUMNS)
    assert list(wide.index) == ["B", "A"]
    assert list(wide.columns) == ["t2", "t1"]
    assert wide.to_numpy().tolist() == [[0.1, 0.3], [0.2, 0.4]]


def test_a_row_for_each_system_and_instance():
    wide = nbrank.from_long(LONG, **COLUMNS, instance="item")
    assert list(wide.index) == [("B", 0), ("A", 0), ("A", 1)]
    assert wide.index.names == ["system", "instance"]
    assert np.isnan(wide.loc[("A", 1)]).all()
    assert nbrank.borda(wide, levels=2)["score"].to_dict() == {"A": 2.0, "B": 0.0}


def test_it_agrees_with_a_pivot_on_random_rows():
    rng = np.random.default_rng(0)
    cells = rng.choice(5 * 7 * 3, size=60, replace=False)
    long = pd.DataFrame(
        {
            "system": cells // 21,
            "instance": cells // 3 % 7,
            "task": cells % 3,
            "score": rng.random(60).astype("float32"),
        }
    )
    wide = nbrank.from_long(long, system="system", task="task", score="score", instance="instance")
    pivot = long.pivot(index=["system", "instance"], columns="task", values="score")
    pd.testing.assert_frame_equal(
        wide.sort_index().sort_index(axis=1), pivot, check_names=False, check_column_type=False
    )
    assert set(wide.dtypes) == {np.dtype("float32")}


def test_two_scores_of_one_cell_are_refused_by_name():
    message = r"more than one score for \('A', 't1'\) \(model, bench\); keep one of each, or name "
    with pytest.raises(ValueError, match=message):
        nbrank.from_long(LONG, **COLUMNS)
    twice = pd.concat([LONG, LONG.iloc[[0]]])
    message = r"\('B', 't2', 0\) \(model, bench, item\); keep one of each$"
    with pytest.raises(ValueError, match=message):
        nbrank.from_long(twice, **COLUMNS, instance="item")


def test_wrong_columns_are_named():
    with pytest.raises(KeyError, match="no column 'Model'"):
        nbrank.from_long(LONG, system="Model", task="bench", score="value")
    with pytest.raises(TypeError, match="'value' holds something else"):
        nbrank.from_long(LONG.assign(value="good"), **COLUMNS)
    with pytest.raises(ValueError, match=r"rows without a name \(NaN\) in 'bench'"):
        nbrank.from_long(LONG.assign(bench=LONG["bench"].where(LONG["item"] == 0)), **COLUMNS)


@pytest.mark.parametrize("thing", ["system", "task", "score"])
def test_a_column_given_for_two_things_is_refused(thing):
    given = {**COLUMNS, "instance": "item", thing: "item"}
    with pytest.raises(ValueError, match="the column 'item' is given for two things"):
        nbrank.from_long(LONG, **given)


def test_a_name_of_several_columns_is_refused():
    double = LONG.set_axis(["model", "bench", "bench", "value"], axis=1)
    with pytest.raises(ValueError, match="several columns are called 'bench'; give each its own"):
        nbrank.from_long(double, **COLUMNS)


@pytest.mark.parametrize("dtype", ["int64", "Int64", "uint64"])
def test_integers_that_would_become_one_float_are_refused(dtype):
    huge = LONG.assign(value=pd.array([1, 2, 3, 2**53, 2**53 + 1], dtype=dtype))
    with pytest.raises(ValueError, match=r"'value' holds integers from 2 \*\* 53 on, which can't"):
        nbrank.from_long(huge, **COLUMNS, instance="item")
    largest = huge.assign(value=pd.array([1, 2, 3, 4, 2**53 - 1], dtype=dtype))
    wide = nbrank.from_long(largest, **COLUMNS, instance="item")
    assert wide.loc[("A", 1), "t1"] == 2**53 - 1


@pytest.mark.parametrize(
    ("dtype", "message"),
    [
        (np.longdouble, "'value' holds long doubles, which are compared as float64; convert"),
        (complex, "scores must be numbers, but 'value' holds something else"),
    ],
)
def test_scores_that_floats_cannot_hold_are_refused(dtype, message):
    with pytest.raises(TypeError, match=message):
        nbrank.from_long(LONG.astype({"value": dtype}), **COLUMNS, instance="item")


@pytest.mark.parametrize("dtype", ["bool", "boolean", "bool[pyarrow]"])
def test_booleans_are_0_and_1(dtype):
    right = LONG.assign(value=pd.array([True, False, True, True, False], dtype=dtype))
    wide = nbrank.from_long(right, **COLUMNS, instance="item")
    assert wide.loc[("B", 0)].tolist() == [1, 1]
    assert wide.loc[("A", 0)].tolist() == [0, 1]


def test_no_frame_and_no_rows_are_refused():
    with pytest.raises(TypeError, match="from_long takes a pandas or a Dask DataFrame, not list"):
        nbrank.from_long([1], **COLUMNS)
    with pytest.raises(ValueError, match="the long table is empty"):
        nbrank.from_long(LONG.iloc[:0], **COLUMNS)
