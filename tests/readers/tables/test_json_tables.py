"""Tables in JSON, however deep: which names are systems, and which stand beside the rows."""

import json
import warnings

import pytest

import nbrank

SYSTEMS, TASKS = ("A", "B", "C"), ("cola", "sst")
SCORES = {(s, t): 50 + 7 * i + 3 * j for i, s in enumerate(SYSTEMS) for j, t in enumerate(TASKS)}


def of_task(system):
    return [{"task": task, "acc": SCORES[system, task]} for task in TASKS]


def of_system(task):
    return [{"model": system, "acc": SCORES[system, task]} for system in SYSTEMS]


@pytest.mark.parametrize(
    "content",
    [
        {s: of_task(s) for s in SYSTEMS},
        {s: {"by": "x", "runs": of_task(s)} for s in SYSTEMS},
        [{"model": s, "tasks": of_task(s)} for s in SYSTEMS],
        {"v": 1, "all": {t: {"n": 10, "results": of_system(t)} for t in TASKS}},
        {"benchmarks": [{"name": t, "results": of_system(t)} for t in TASKS]},
    ],
    ids=["lists", "lists beside texts", "records of systems", "records of tasks", "named tasks"],
)
def test_lists_within_records_are_the_rows_of_their_parts(content):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # 'by' and 'n' are set aside
        board = nbrank.read(json.dumps(content).encode())
    assert {(s, t): board.scores.loc[s, t] for s, t in SCORES} == SCORES


def test_metrics_in_a_list_of_names_and_values_are_tasks():
    content = {
        system: {"metrics": [{"name": "accuracy", "value": n}, {"name": "f1", "value": 9 - n}]}
        for n, system in enumerate(SYSTEMS)
    }
    board = nbrank.read(json.dumps(content).encode())
    assert list(board.systems) == [*SYSTEMS]
    assert list(board.tasks) == ["accuracy", "f1"]


def test_systems_below_tasks_are_lifted_to_the_top():
    content = {t: {s: {"acc": SCORES[s, t], "by": 1 / SCORES[s, t] ** 2} for s in SYSTEMS}
               for t in TASKS}  # fmt: skip
    with pytest.warns(UserWarning, match="'A', 'B' and 1 more are read as systems"):
        board = nbrank.read(json.dumps({"config": {"seed": 1}, "results": content}).encode())
    assert list(board.systems) == [*SYSTEMS]
    assert board.scores.loc["B", "sst.acc"] == SCORES["B", "sst"]


def test_what_stands_beside_named_rows_is_set_aside():
    rows = {s: {"by": s, **{t: SCORES[s, t] for t in TASKS}} for s in SYSTEMS}
    content = json.dumps({"n": 3, **rows, "_meta": {"date": "2026"}})
    with pytest.warns(UserWarning, match="set aside") as warned:
        board = nbrank.read(content.encode())
    assert "set aside, unlike the rows beside: 'n', '_meta'" in str(warned[0].message)
    assert list(board.systems) == [*SYSTEMS]


def test_settings_of_each_system_are_no_tasks():
    content = {s: {"config": {"lr": 0.1 * n, "heat": n}, "results": {"t": n, "u": 9 - n}}
               for n, s in enumerate(SYSTEMS)}  # fmt: skip
    with pytest.warns(UserWarning, match="'config.lr', 'config.heat' .their names"):
        board = nbrank.read(json.dumps(content).encode())
    assert list(board.tasks) == ["results.t", "results.u"]
