"""Columns of instances, of their clusters and of runs, by their names and by what they hold."""

import numpy as np
import pandas as pd
import pytest
from short_forms import read_frame

import nbrank

#: Two systems that answer 8 and 3 of the 11 questions on which they differ, each asked 8 times.
ASKED = pd.DataFrame(
    [
        (model, question, seed, float(question < 17 if model == "A" else question >= 8))
        for model in "AB"
        for question in range(20)
        for seed in range(8)
    ],
    columns=["model", "question", "seed", "score"],
)
INSTANCES = ["question", "prompt", "instance", "item", "example", "query", "sentence"]
RUNS = ["seed", "run", "trial", "fold", "repeat", "sample", "attempt", "epoch"]


def shapes(table):
    """The same as a long table, a wide one, and one with labels."""
    keys = list(table.columns[:-1])
    return [table.assign(task="maths"), table, table.set_index(keys)]


@pytest.mark.parametrize("shape", range(3))
@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("instance", INSTANCES)
def test_runs_of_instances_are_a_level_of_their_own(instance, run, shape):
    table = shapes(ASKED.rename(columns={"question": instance, "seed": run}))[shape]
    said = rf"'{run}' is read as runs of each instance \('{instance}'\), over which .* averaged"
    with pytest.warns(UserWarning, match=said):
        scores = read_frame(table)
    assert scores.index.names == ["system", "instance", run]
    sets = nbrank.rank_confidence(scores, "mean", seed=0)
    assert sets.attrs["n"] == 20
    assert sets[["low", "high"]].to_numpy().tolist() == [[1, 2], [1, 2]]


def test_the_call_that_keeps_them_as_instances_does():
    with pytest.warns(UserWarning, match="'question': 'instance', 'seed': 'instance'"):
        read_frame(ASKED)
    said = r"makes each 'seed' an instance .* to average the runs, say roles=.'seed': 'run'"
    with pytest.warns(UserWarning, match=said):
        scores = read_frame(ASKED, instance=["question", "seed"])
    assert scores.index.names == ["system", "instance"]
    assert scores.shape == (320, 1)


def test_a_question_that_is_named_has_the_runs_that_are_called_so():
    with pytest.warns(UserWarning, match="'seed' is read as runs"):
        scores = read_frame(ASKED.rename(columns={"question": "what"}), instance="what")
    assert scores.index.names == ["system", "instance", "seed"]


@pytest.mark.parametrize("run", ["seed", "run", "fold", "repeat", "trial"])
def test_runs_that_are_named_as_instances_are_warned_of(run):
    table = ASKED[ASKED["question"] == 0].drop(columns="question").rename(columns={"seed": run})
    said = f"makes each '{run}' an instance of its own.*say roles=.'{run}': 'run'"
    for one in shapes(table):
        with pytest.warns(UserWarning, match=said):
            assert read_frame(one, instance=run).index.names == ["system", "instance"]
        assert read_frame(one).index.names == ["system", "seed"]


def passages(level="passage", local=False):
    """Rows (model, passage, question): 8 passages with 3 questions each."""
    index = pd.MultiIndex.from_product([["A", "B"], range(8), range(3)])
    table = index.to_frame(index=False).set_axis(["model", level, "question"], axis=1)
    if not local:
        table["question"] += 3 * table[level]
    return table.assign(score=np.random.default_rng(0).normal(size=len(table)))


@pytest.mark.parametrize("local", [False, True], ids=["numbered throughout", "within each"])
@pytest.mark.parametrize("level", ["passage", "document", "doc_id", "repository", "conversation"])
def test_a_column_that_holds_instances_is_their_cluster(level, local):
    for table in shapes(passages(level, local)):
        said = f"8 clusters of instances are read from '{level}': .*'{level}': 'description'"
        with pytest.warns(UserWarning, match=said):
            scores = read_frame(table)
        assert scores.index.names == ["system", level, "instance"]
        found = nbrank.rank_confidence(scores, "mean", seed=0)
        assert (found.attrs["n"], found.attrs["cluster"]) == (8, level)


def test_the_call_that_leaves_the_cluster_out_does():
    scores = read_frame(passages(), drop=["passage"])
    assert scores.index.names == ["system", "instance"]


def test_people_may_have_asked_questions_of_their_own():
    with pytest.warns(UserWarning, match="8 clusters of instances are read from 'user'"):
        scores = read_frame(passages("user"))
    assert scores.index.names == ["system", "user", "instance"]


@pytest.mark.parametrize("level", ["annotator", "user", "judge"])
def test_people_who_rate_the_same_instances_are_averaged_over(level):
    scores = read_frame(passages(level, local=True))
    assert scores.index.names == ["system", level, "instance"]
    with pytest.warns(UserWarning, match=f"averaged over the levels of '{level}'"):
        assert nbrank.rank_confidence(scores, "mean", seed=0).attrs["n"] == 3


@pytest.mark.parametrize("level", ["passage", "annotator", "user", "repository"])
def test_alone_they_are_the_instances(level):
    table = passages(level).groupby(["model", level])["score"].mean().reset_index()
    for one in shapes(table):
        assert read_frame(one).index.names == ["system", "instance"]


NO_CLUSTERS = {
    "one of each question": lambda table: table.assign(document=table["question"]),
    "the same of all": lambda table: table.assign(document="x"),
    "another for each system": lambda table: table.assign(user=table["model"]),
    "scores": lambda table: table.assign(image=table["score"]),
}


@pytest.mark.parametrize("change", NO_CLUSTERS.values(), ids=NO_CLUSTERS)
@pytest.mark.filterwarnings("ignore:the table. 1 column set aside")
def test_other_columns_called_so_are_no_clusters(change):
    table = change(passages().drop(columns="passage"))
    assert read_frame(table, tasks="score").index.names == ["system", "instance"]


def test_questions_of_two_subjects_may_have_the_same_numbers():
    tables = {task: passages() for task in ("law", "maths")}
    table = pd.concat(tables, names=["task", None]).reset_index("task")
    table["passage"] = table["task"] + table["passage"].astype(str)
    with pytest.warns(UserWarning, match="16 clusters of instances are read from 'passage'"):
        scores = read_frame(table.reset_index(drop=True))
    assert nbrank.rank_confidence(scores, "mean", seed=0).attrs["n"] == 16
