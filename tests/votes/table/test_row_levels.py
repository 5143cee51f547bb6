"""Levels of the rows beside system and instance: runs are averaged, clusters hold instances."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import Leaderboard

RUN_LEVELS = ["run", "seed", "fold", "repeat", "sample", "trial", "attempt", "epoch"]
CLUSTER_LEVELS = ["cluster", "passage", "document", "doc_id", "repository", "user", "annotator"]


def repeated(level="seed", n_runs=4, n=6, seed=0):
    """Rows (system, instance, run), of which the runs of an instance differ."""
    index = pd.MultiIndex.from_product(
        [["A", "B", "C"], range(n), range(n_runs)], names=["system", "instance", level]
    )
    values = np.random.default_rng(seed).integers(0, 2, (len(index), 2)).astype(float)
    return pd.DataFrame(values, index=index, columns=["t", "u"])


def clustered(level="passage", sizes=(1, 2, 3, 2, 4, 1, 2), seed=0):
    """Rows (system, cluster, instance), of which the instances are numbered throughout."""
    rng = np.random.default_rng(seed)
    cluster = np.repeat([f"c{number}" for number in range(len(sizes))], sizes)
    n = len(cluster)
    index = pd.MultiIndex.from_arrays(
        [np.repeat(["A", "B", "C"], n), np.tile(cluster, 3), np.tile(np.arange(n), 3)],
        names=["system", level, "instance"],
    )
    return pd.DataFrame({"t": rng.normal(size=3 * n).round(2)}, index=index)


# --------------------------------------------------------------------------------------------- runs


@pytest.mark.parametrize("level", RUN_LEVELS)
def test_runs_are_averaged_within_each_instance(level):
    scores = repeated(level)
    first = scores.groupby(level=["system", "instance"]).mean()
    board = Leaderboard(scores)
    pd.testing.assert_frame_equal(board.scores, Leaderboard(first).scores)
    assert f"averages of 4 {level}s of each instance" in repr(board)
    for question in (nbrank.rank_confidence, nbrank.score_intervals):
        found, expected = (question(one, "mean", seed=0) for one in (scores, first))
        pd.testing.assert_frame_equal(found, expected)
        assert found.attrs == expected.attrs


def test_two_equal_systems_with_samples_are_not_told_apart_by_their_number():
    # Each question has the same answer 8 times: 8 against 3 of 20 questions differ.
    rows = [
        (system, question, seed, float(question < 17 if system == "A" else question >= 8))
        for system in "AB"
        for question in range(20)
        for seed in range(8)
    ]
    frame = pd.DataFrame(rows, columns=["system", "instance", "seed", "maths"])
    sets = frame.set_index(["system", "instance", "seed"]).rank.rank_confidence("mean", seed=0)
    assert sets[["low", "high"]].to_numpy().tolist() == [[1, 2], [1, 2]]
    assert sets.attrs["n"] == 20


def test_averages_take_what_is_there_and_say_how_many():
    scores = repeated(n_runs=3)
    scores.loc[("A", 0, 1), "t"] = np.nan
    scores = scores.drop(index=("B", 1, 2))
    board = Leaderboard(scores)
    assert "averages of 2 to 3 seeds of each instance" in repr(board)
    expected = scores.groupby(level=["system", "instance"]).mean()
    np.testing.assert_allclose(board.scores.sort_index(), expected)


def test_the_average_of_equal_scores_is_that_score():
    index = pd.MultiIndex.from_product([["A"], [0], range(10)], names=["system", "instance", "run"])
    scores = pd.DataFrame({"t": 0.1}, index=index)
    assert Leaderboard(scores).values.tolist() == [[0.1]]


def test_the_order_of_the_rows_changes_no_average():
    scores = repeated() + np.random.default_rng(1).normal(size=(72, 2))
    shuffled = scores.sample(frac=1, random_state=2)
    found = Leaderboard(shuffled).scores.sort_index()
    pd.testing.assert_frame_equal(found, Leaderboard(scores).scores.sort_index())


def test_one_run_of_each_instance_is_no_average():
    board = Leaderboard(repeated(n_runs=1))
    assert board.averaged is None
    assert repr(board) == "Leaderboard: 3 systems x 2 tasks (12 instances)"


def test_rows_that_are_there_twice_are_named():
    scores = pd.concat([repeated(), repeated().iloc[[0]]])
    message = r"duplicate rows \(system, instance, seed\): \('A', 0, 0\); keep one of each"
    with pytest.raises(ValueError, match=message):
        Leaderboard(scores)


def test_a_row_without_a_run_is_refused():
    scores = repeated().reset_index()
    scores["seed"] = scores["seed"].astype(float)
    scores.loc[3, "seed"] = np.nan
    with pytest.raises(ValueError, match="a row has no seed"):
        Leaderboard(scores.set_index(["system", "instance", "seed"]))


@pytest.mark.parametrize("label", ["seed{}", "Seed {}", "run_{}", "fold-{}", "repeat {}"])
def test_instances_that_are_called_like_runs_are_warned_of(label):
    index = pd.MultiIndex.from_product(
        [["A", "B"], [label.format(number) for number in range(3)]], names=["system", "instance"]
    )
    scores = pd.DataFrame({"t": np.arange(6.0)}, index=index)
    with pytest.warns(UserWarning, match="the instances are called .* like runs") as caught:
        nbrank.borda(scores)
    call = str(caught[0].message).split("rename the level, ")[1]
    runs = eval(call, {"df": scores})
    assert Leaderboard(runs).replicates is not None


@pytest.mark.parametrize("label", ["q{}", "{}", "running {}", "seedling"])
def test_other_instances_are_not(label):
    index = pd.MultiIndex.from_product(
        [["A", "B"], list(dict.fromkeys(label.format(n) for n in range(3)))],
        names=["system", "instance"],
    )
    Leaderboard(pd.DataFrame({"t": np.arange(float(len(index)))}, index=index))


# ----------------------------------------------------------------------------------------- clusters


@pytest.mark.parametrize("level", CLUSTER_LEVELS)
def test_a_level_that_holds_instances_is_their_cluster(level):
    board = Leaderboard(clustered(level))
    assert board.clusters.name == level
    assert f"(15 instances in 7 {level}s)" in repr(board)
    np.testing.assert_array_equal(
        board.unit_codes(instances=True), np.repeat(range(7), (1, 2, 3, 2, 4, 1, 2))
    )


def test_the_scores_of_a_board_make_the_same_board():
    board = Leaderboard(clustered())
    again = Leaderboard(board.scores)
    assert board.scores.index.names == ["system", "passage", "instance"]
    np.testing.assert_array_equal(again.values, board.values)
    assert again.clusters.equals(board.clusters)
    assert pickle.loads(pickle.dumps(board)).clusters.equals(board.clusters)


def test_clusters_follow_their_tasks():
    scores = clustered().assign(u=1.0)
    board = Leaderboard(scores).select_tasks(["u"])
    assert len(board.clusters) == 15
    assert board.select_systems(["B"]).clusters.equals(board.clusters)


def test_instances_of_other_tasks_may_have_the_same_names():
    one = clustered().rename_axis(index={"passage": "document"})
    other = one.rename(lambda name: name.replace("c", "d"), level="document").rename(
        columns={"t": "u"}
    )
    board = Leaderboard(pd.concat([one, other]))
    assert board.averaged is None
    assert len(np.unique(board.unit_codes(instances=True))) == 14


@pytest.mark.parametrize("level", ["annotator", "user", "cluster"])
def test_raters_of_the_same_instances_are_averaged_over(level):
    scores = repeated(level)
    with pytest.warns(UserWarning, match=f"averaged over the levels of '{level}'"):
        board = Leaderboard(scores)
    first = scores.groupby(level=["system", "instance"]).mean()
    pd.testing.assert_frame_equal(board.scores, Leaderboard(first).scores)
    assert board.clusters is None
    with pytest.warns(UserWarning, match="averaged over"):
        found = nbrank.rank_confidence(scores, "mean", seed=0, cluster=level)
    pd.testing.assert_frame_equal(found, nbrank.rank_confidence(first, "mean", seed=0))


def test_questions_may_be_numbered_within_each_passage():
    scores = clustered()
    numbers = scores.groupby(level=["system", "passage"]).cumcount()
    local = scores.reset_index("instance", drop=True).set_index(numbers.to_numpy(), append=True)
    local = local.rename_axis(index=["system", "passage", "instance"])
    with pytest.warns(UserWarning, match="numbered within each 'passage'"):
        board = Leaderboard(local)
    expected = Leaderboard(scores)
    np.testing.assert_array_equal(board.values, expected.values)
    assert board.clusters.equals(expected.clusters)
    # The call that the message names, where it is the same question everywhere.
    assert Leaderboard(local.rename_axis(index={"passage": "run"})).averaged is not None


def test_of_clusters_of_clusters_the_largest_count():
    scores = clustered(sizes=(2,) * 12)
    users = scores.index.get_level_values("passage").map(lambda name: f"u{int(name[1:]) % 6}")
    both = scores.set_index(users.rename("user"), append=True)
    assert Leaderboard(both).clusters.name == "user"
    assert Leaderboard(both, cluster="passage").clusters.name == "passage"


def test_clusters_and_runs_go_together():
    scores = clustered()
    runs = pd.concat({0: scores, 1: scores + 2}, names=["sample"])
    board = Leaderboard(runs)
    np.testing.assert_allclose(board.values, Leaderboard(scores).values + 1)
    assert repr(board) == (
        "Leaderboard: 3 systems x 1 task (15 instances in 7 passages) "
        "(averages of 2 samples of each instance)"
    )


@pytest.mark.parametrize("cluster", [dict, pd.Series])
def test_clusters_may_be_given_by_a_mapping(cluster):
    scores = clustered()
    plain = scores.droplevel("passage")
    of = dict(
        zip(*(scores.index.get_level_values(n) for n in ("instance", "passage")), strict=True)
    )
    shuffled = dict(reversed(of.items())) | {"another": "c0"}
    board = Leaderboard(plain, cluster=cluster(shuffled))
    np.testing.assert_array_equal(
        board.unit_codes(instances=True), Leaderboard(scores).column_clusters
    )


def test_a_level_of_any_name_may_be_said_to_be_the_cluster():
    scores = clustered("chapter")
    board = Leaderboard(scores, cluster="chapter")
    assert board.clusters.equals(Leaderboard(clustered()).clusters.rename("chapter"))


REFUSED = {
    "no level": ("chapter", "cluster='chapter' is not a level of the rows.*here 'passage'"),
    "system": ("system", "cluster='system' is not a level"),
    "too few": ({0: "c"}, "cluster= names no cluster of the instances 1, 2, .* name one of each"),
    "a gap": (dict.fromkeys(range(15), np.nan), "no cluster of the instances 0, 1"),
    "twice": (pd.Series("c", index=[0, 0]), "cluster= has the instances 0 twice"),
}


@pytest.mark.parametrize(("cluster", "message"), REFUSED.values(), ids=REFUSED)
def test_clusters_that_do_not_fit_are_refused(cluster, message):
    with pytest.raises(ValueError, match=message):
        Leaderboard(clustered(), cluster=cluster)


def test_clusters_by_position_are_refused():
    with pytest.raises(TypeError, match="a level of the rows, or a mapping or Series .* not list"):
        Leaderboard(clustered(), cluster=list(range(15)))


def test_tasks_have_no_clusters():
    with pytest.raises(ValueError, match="needs a score for each instance.*give groups="):
        Leaderboard(pd.DataFrame({"t": [1, 2]}), cluster={0: "a"})


def test_levels_that_are_only_called_otherwise_are_warned_of():
    scores = clustered().rename_axis(index={"system": "model", "instance": "question"})
    said = "rename the level 'model' to 'system' and rename the level 'question' to 'instance'$"
    with pytest.warns(UserWarning, match=said):
        nbrank.borda(scores)
    runs = repeated().rename_axis(index={"instance": "question"})
    with pytest.warns(UserWarning, match="rename the level 'question' to 'instance'$"):
        nbrank.borda(runs)
    alone = clustered().droplevel("instance").groupby(level=["system", "passage"]).mean()
    with pytest.warns(UserWarning, match="rename the level 'passage' to 'instance'$"):
        nbrank.borda(alone)


def test_levels_with_the_documented_names_are_read_in_silence():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Leaderboard(repeated("run"))
        Leaderboard(clustered("cluster"))


@pytest.mark.parametrize(
    "name", ["rep{}", "epoch {}", "attempt {}", "sample {}", "{}_seed", "cv{}", "Rollout-{}"]
)
def test_instances_called_like_runs_in_other_words_are_warned_of(name):
    rows = pd.MultiIndex.from_product(
        [["A", "B"], [name.format(at) for at in range(1, 4)]], names=["system", "instance"]
    )
    frame = pd.DataFrame({"t": range(6)}, rows)
    with pytest.warns(UserWarning, match="like runs of the systems") as caught:
        Leaderboard(frame)
    call = str(caught[0].message).split("rename the level, ")[1]
    board = Leaderboard(eval(call, {"df": frame}))
    assert board.replicates.n_runs.tolist() == [[3], [3]]


@pytest.mark.parametrize(("name", "n"), [("sample {}", 200), ("q{}", 3), ("sampler {}", 3)])
def test_examples_are_no_runs_whatever_their_number(name, n, recwarn):
    rows = pd.MultiIndex.from_product(
        [["A", "B"], [name.format(at) for at in range(n)]], names=["system", "instance"]
    )
    Leaderboard(pd.DataFrame({"t": np.arange(2 * n) % 7}, rows))
    assert not [item for item in recwarn if "like runs" in str(item.message)]
