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
    message = r"\('B', 't2', 0\) \(model, bench, item\); keep one of each, or .*\(run=\)"
    with pytest.raises(ValueError, match=message):
        nbrank.from_long(twice, **COLUMNS, instance="item")


REPEATED = pd.DataFrame(
    [
        (model, passage, 3 * passage + item, seed, seed + passage * item * (model == "A"))
        for model in "AB"
        for passage in range(6)
        for item in range(3)
        for seed in range(2)
    ],
    columns=["model", "passage", "item", "seed", "value"],
).assign(bench="t1")


def test_what_tells_scores_apart_is_named_and_does():
    runs = REPEATED[REPEATED["item"] == 0]
    with pytest.raises(ValueError, match="or name what tells them apart, run='seed'$"):
        nbrank.from_long(runs, **COLUMNS)
    assert nbrank.Leaderboard(nbrank.from_long(runs, **COLUMNS, run="seed")).replicates is not None
    with pytest.raises(ValueError, match="or name what tells them apart, run='seed'$"):
        nbrank.from_long(REPEATED, **COLUMNS, instance="item")
    with pytest.raises(ValueError, match="or name what tells them apart, instance='item'$"):
        nbrank.from_long(LONG, **COLUMNS)
    nameless = REPEATED.rename(columns={"seed": "a", "item": "b", "passage": "c"})
    message = r"name the column of the runs \(run=\), such as seeds, or of the instances"
    with pytest.raises(ValueError, match=message):
        nbrank.from_long(nameless, **COLUMNS)


def test_runs_and_clusters_are_levels_of_the_rows():
    wide = nbrank.from_long(REPEATED, **COLUMNS, instance="item", run="seed", cluster="passage")
    assert wide.index.names == ["system", "passage", "instance", "seed"]
    cell = REPEATED.set_index(["model", "passage", "item", "seed"])["value"]
    assert (wide["t1"] == cell.rename_axis(wide.index.names)).all()
    found = nbrank.rank_confidence(wide, "mean", seed=0).attrs
    assert (found["n"], found["cluster"]) == (6, "passage")
    others = REPEATED.rename(columns={"seed": "trial", "passage": "chapter"})
    named = {"instance": "item", "run": "trial", "cluster": "chapter"}
    wide = nbrank.from_long(others, **COLUMNS, **named)
    assert wide.index.names == ["system", "cluster", "instance", "trial"]
    runs = nbrank.from_long(others[others["item"] == 0], **COLUMNS, run="trial")
    assert runs.index.names == ["system", "run"]
    with pytest.raises(ValueError, match="cluster='passage' holds instances; name their column"):
        nbrank.from_long(REPEATED, **COLUMNS, cluster="passage")


@pytest.mark.parametrize("level", ["seed", "run", "fold", "repeat"])
def test_runs_that_are_named_as_instances_are_warned_of(level):
    runs = REPEATED[REPEATED["item"] == 0].rename(columns={"seed": level})
    with pytest.warns(UserWarning, match=f"to average the runs, say run='{level}' instead"):
        wide = nbrank.from_long(runs, **COLUMNS, instance=level)
    assert wide.index.names == ["system", "instance"]
    assert nbrank.from_long(runs, **COLUMNS, run=level).index.names == ["system", level]


def test_counted_ones_too(tmp_path):
    pytest.importorskip("pyarrow")
    REPEATED[REPEATED["item"] == 0].to_parquet(tmp_path / "runs.parquet")
    with pytest.warns(UserWarning, match=r"from_long\(frame, ..., run='seed'\)"):
        nbrank.from_parquet(tmp_path / "runs.parquet", **COLUMNS, instance="seed")


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
    with pytest.raises(
        TypeError, match="takes a pandas DataFrame, not builtins.list; .*nbrank.from_parquet"
    ):
        nbrank.from_long([1], **COLUMNS)
    with pytest.raises(ValueError, match="the long table is empty"):
        nbrank.from_long(LONG.iloc[:0], **COLUMNS)
