"""Rows that may be meant as instances, and instances that nobody shares."""

import warnings

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import Leaderboard


def rows(*names, n=2):
    levels = [["A", "B"], *[range(n) for _ in names[1:]]]
    index = pd.MultiIndex.from_product(levels, names=names)
    return pd.DataFrame({"t1": np.arange(len(index), dtype=float)}, index=index)


TO_RENAME = {
    ("model", "instance"): "rename the level 'model' to 'system'$",
    ("System", "Instance"): "'System' to 'system' and rename the level 'Instance' to 'instance'$",
    ("system", "Instance"): "rename the level 'Instance' to 'instance'$",
    ("SYSTEM", "instance_id"): "'SYSTEM' to 'system' and rename the level 'instance_id' to",
    ("instance", "system", "task"): "move 'task' into the columns, or drop it$",
    ("model_name", "question id"): "'model_name' to 'system' and rename the level 'question id'",
    ("method", "sampleID"): "rename the level 'sampleID' to 'instance'",
    ("systems", "items"): "'systems' to 'system' and rename the level 'items' to 'instance'$",
    ("llm", "instance"): "rename the level 'llm' to 'system'$",
    (None, "instance"): "rename the level None to 'system'$",
    ("instance", "model"): "rename the level 'model' to 'system'",
}


@pytest.mark.parametrize(("names", "message"), TO_RENAME.items(), ids=map(str, TO_RENAME))
def test_rows_named_like_instances_are_warned_of(names, message):
    with pytest.warns(UserWarning, match=message) as caught:
        nbrank.borda(rows(*names))
    assert [one.filename for one in caught] == [__file__]
    n = 4 if len(names) == 2 else 8
    assert f"each of the {n} rows is taken as a system of its own" in str(caught[0].message)


RUNS_TO_RENAME = {
    ("model", "seed"): "rename the level 'model' to 'system'$",
    ("Model", "Run"): "rename the level 'Model' to 'system'$",
    ("fold", "method"): "rename the level 'method' to 'system'$",
    ("agent", "trial"): "'agent' to 'system' and rename the level 'trial' to 'seed'$",
    (None, "seed"): "rename the level None to 'system'$",
    ("model", "language", "seed"): "'system' and move 'language' into the columns, or drop it$",
    ("system", "run", "size"): "runs of systems, move 'size' into the columns, or drop it$",
}


@pytest.mark.parametrize(("names", "message"), RUNS_TO_RENAME.items(), ids=map(str, RUNS_TO_RENAME))
def test_rows_named_like_runs_are_warned_of(names, message):
    with pytest.warns(UserWarning, match=message) as caught:
        nbrank.borda(rows(*names))
    assert "if these are the runs of systems" in str(caught[0].message)


@pytest.mark.parametrize("names", [("model", "seed"), ("Model", "Run"), ("fold", "method")])
def test_renamed_as_it_says_they_are_runs(names):
    frame = rows(*names)
    frame.index.names = [name if name in ("seed", "Run", "fold") else "system" for name in names]
    assert Leaderboard(frame).replicates is not None


@pytest.mark.parametrize("names", [key for key in TO_RENAME if len(key) == 2])
def test_renamed_as_it_says_they_are_instances(names):
    frame = rows(*names)
    is_system = 1 if names[0] == "instance" else 0
    frame.index.names = ["instance", "system"] if is_system else ["system", "instance"]
    assert Leaderboard(frame).is_instance_level


@pytest.mark.parametrize(
    "names",
    [
        ("model", "size"),
        ("system", "seed"),
        ("organisation", "model"),
        ("model", "prompting"),
        ("sample", "batch"),
        ("category", "item"),
        (None, None),
        ("system", None),
        ("model", "system"),
        (0, 1),
        ("system", "instance"),
    ],
)
def test_other_rows_are_not(names):
    Leaderboard(rows(*names))


def apart(instances=("a", "b", "c", "d")):
    index = pd.MultiIndex.from_arrays([list("AABB"), instances], names=["system", "instance"])
    return pd.DataFrame({"t1": [1.0, 0.0, 1.0, 1.0]}, index=index)


NOTHING_SHARED = "no two systems share an instance, .* call an instance the same for every system"


@pytest.mark.parametrize("rule", ["borda", "copeland", "mean_win_rate", "plurality", "kemeny"])
def test_systems_that_share_no_instance_are_warned_of(rule):
    with pytest.warns(UserWarning, match=NOTHING_SHARED) as caught:
        found = nbrank.RULES[rule].function(apart())
    # By the win rate, each of them has also met no opponent.
    assert {one.filename for one in caught} == {__file__}
    assert len(caught) == 1 + (rule == "mean_win_rate")
    assert len(found) == 2


def test_counted_ones_too(tmp_path):
    with pytest.warns(UserWarning, match=NOTHING_SHARED) as caught:
        nbrank.tally(apart())
    assert len(caught) == 1
    pytest.importorskip("pyarrow")
    path = tmp_path / "long.parquet"
    names = {"system": "system", "instance": "instance", "task": "task", "score": "t1"}
    apart().reset_index().assign(task="t").to_parquet(path)
    with pytest.warns(UserWarning, match=NOTHING_SHARED):
        nbrank.from_parquet(path, **names)
    shared = apart(["a", "b", "a", "c"])
    shared.reset_index().assign(task="t").to_parquet(path)
    assert nbrank.from_parquet(path, **names) == nbrank.tally(shared.set_axis(["t"], axis=1))


def test_one_shared_instance_or_one_system_is_enough_for_silence():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Leaderboard(apart(["a", "b", "a", "c"]))
        Leaderboard(apart().loc[["A"]])


@pytest.mark.parametrize("levels", [("seed", "fold"), ("Run", "repeat"), ("fold", "seed", "run")])
def test_each_combination_of_several_levels_of_runs_is_a_run(levels):
    rows = pd.MultiIndex.from_product(
        [["A", "B"], *([0, 1] for _ in levels)], names=["system", *levels]
    )
    frame = pd.DataFrame({"t": np.arange(len(rows)) % 7}, rows)
    board = Leaderboard(frame)
    n_runs = 2 ** len(levels)
    assert board.systems.tolist() == ["A", "B"]
    assert str(board.replicates) == f"{n_runs} runs"
    expected = frame.groupby(level="system").mean()["t"]
    assert board.values[:, 0].tolist() == expected.tolist()
    with pytest.raises(ValueError, match=r"duplicate rows \(system, "):
        Leaderboard(pd.concat([frame, frame]))


@pytest.mark.parametrize(
    "names",
    [("system", "seed", "trial"), ("model", "seed", "fold"), ("model", "replicate", "trial")],
)
def test_several_levels_called_like_runs_are_warned_of_and_the_call_mends_it(names):
    rows = pd.MultiIndex.from_product([["A", "B"], [0, 1], [0, 1]], names=names)
    frame = pd.DataFrame({"t": range(8)}, rows)
    with pytest.warns(UserWarning, match="each of the 8 rows is taken as a system") as caught:
        Leaderboard(frame)
    call = str(caught[0].message).split("rename the levels, ")[1]
    board = Leaderboard(eval(call, {"df": frame}))
    assert board.systems.tolist() == ["A", "B"]
    assert board.replicates.n_runs.tolist() == [[4], [4]]


def test_a_level_beside_several_of_runs_is_named():
    rows = pd.MultiIndex.from_product(
        [["A"], [0, 1], [0, 1], ["s"]], names=["system", "seed", "fold", "size"]
    )
    with pytest.warns(UserWarning, match="move 'size' into the columns, or drop it"):
        Leaderboard(pd.DataFrame({"t": range(4)}, rows))


@pytest.mark.parametrize("first", [("x", 2), ("x ", 2)])
def test_systems_of_instances_may_be_tuples_beside_other_labels(first):
    systems = pd.Index([first, pd.Timestamp("2020-01-01"), "b"], tupleize_cols=False)
    codes = [[0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 0, 1]]
    index = pd.MultiIndex([systems, [1, 2]], codes, names=["system", "instance"])
    ranking = nbrank.borda(pd.DataFrame({"t1": [6.0, 5, 4, 3, 2, 1]}, index))
    assert ranking.index.tolist() == [("x", 2), pd.Timestamp("2020-01-01"), "b"]
