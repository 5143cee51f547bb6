"""What is drawn: tasks one by one, or whole groups of them."""

import numpy as np
import pandas as pd
import pytest

import nbrank

GROUPS = {"g": ["t0", "t1", "t2"], "h": ["t3", "t4"], "k": ["t5", "t6", "t7"]}
WEIGHTS = {"g": 1, "h": 4, "k": 1}
OF_TASKS = {task: WEIGHTS[group] / len(tasks) for group, tasks in GROUPS.items() for task in tasks}


def table(rows=("A", "B", "C"), seed=0):
    values = np.random.default_rng(seed).integers(0, 5, (len(rows), 8))
    return pd.DataFrame(values, index=rows).add_prefix("t")


def runs(level="seed"):
    rows = pd.MultiIndex.from_product([["A", "B", "C"], range(3)], names=["system", level])
    return table(rows, seed=1)


@pytest.mark.parametrize(
    ("scores", "function", "rule", "over"),
    [
        (table(), nbrank.rank_confidence, "borda", None),
        (table(), nbrank.rank_confidence, "bradley_terry", None),
        (nbrank.tally(runs("instance")), nbrank.rank_confidence, "borda", "tasks"),
        (table(), nbrank.bootstrap, "borda", None),
        (table(), nbrank.bootstrap, "copeland", None),
        (table(), nbrank.bootstrap, "instant_runoff", None),
        (nbrank.tally(runs("instance")), nbrank.bootstrap, "borda", None),
        (runs(), nbrank.bootstrap, "mean", "both"),
        (runs(), nbrank.rank_confidence, "mean", "both"),
        (table(), nbrank.score_intervals, "mean", None),
        (runs(), nbrank.score_intervals, "mean", "both"),
    ],
)
def test_groups_that_only_weigh_leave_each_task_a_draw(scores, function, rule, over):
    options = {} if function is nbrank.score_intervals else {"seed": 0}
    options |= {"prior": 1} if rule == "bradley_terry" else {}
    grouped = {"weights": WEIGHTS, "groups": GROUPS}
    found = function(scores, rule, over=over, draws="tasks", **grouped, **options)
    expected = function(scores, rule, over=over, weights=OF_TASKS, **options)
    pd.testing.assert_frame_equal(found, expected)
    assert found.attrs == expected.attrs
    said = function(scores, rule, over=over, **grouped, **options)
    assert (
        said.attrs == function(scores, rule, over=over, draws="groups", **grouped, **options).attrs
    )
    assert said.attrs.get("draws", said.attrs["over"]) == "groups"
    assert found.attrs.get("draws", found.attrs["over"]) == "tasks"


def test_a_floor_of_a_group_is_found_though_tasks_are_drawn():
    floors = {"low": {"g": 0, "h": 1, "k": 0}, "high": 9}
    options = {"groups": GROUPS, "draws": "tasks", "seed": 0}
    found = nbrank.bootstrap(table(), "normalized_mean", **floors, **options)
    assert found.attrs["over"] == "tasks"


def test_too_few_groups_say_what_to_do():
    found = nbrank.rank_confidence(table(), "borda", groups=GROUPS, seed=0)
    assert found.attrs["note"].startswith("3 groups can tell nothing apart")
    assert found.attrs["note"].endswith("with draws='tasks', each task is a draw")


def test_what_is_not_there_is_not_drawn():
    for function in (nbrank.rank_confidence, nbrank.bootstrap, nbrank.score_intervals):
        with pytest.raises(ValueError, match="draws='groups' needs groups"):
            function(table(), "borda", draws="groups")
        with pytest.raises(ValueError, match="draws=9 is unknown; choose None, 'tasks'"):
            function(table(), "borda", draws=9)
    battles = pd.DataFrame({"l": ["A", "B"], "r": ["B", "A"], "w": ["A", "B"]})
    comparisons = nbrank.from_comparisons(battles, left="l", right="r", winner="w")
    with pytest.raises(TypeError, match="draws='tasks' is for tasks, and these are comparisons"):
        nbrank.rank_confidence(comparisons, "bradley_terry", draws="tasks")
