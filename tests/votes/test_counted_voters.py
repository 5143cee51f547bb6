"""A task with a count is as many equal tasks: what asks task by task answers as for all of them."""

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.experiments import dispersion


def drawn(seed, most=4, kinds=4):
    """A leaderboard with counts, and the same tasks one by one, with the kind of each."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(2, 5)), int(rng.integers(2, kinds + 1))
    cells = rng.integers(0, 5, (n, m)).astype(float)
    rows, tasks = list("ABCDE")[:n], [f"t{i}" for i in range(m)]
    counts = rng.integers(1, most, m)
    weights = rng.integers(1, 4, m).astype(float)
    board = nbrank.Leaderboard(
        pd.DataFrame(cells, rows, tasks),
        counts=dict(zip(tasks, counts.tolist(), strict=True)),
        weights=dict(zip(tasks, weights.tolist(), strict=True)),
    )
    kind = np.repeat(np.arange(m), counts)
    single = pd.DataFrame(cells[:, kind], rows, np.arange(len(kind)))
    return board, nbrank.Leaderboard(single, weights=dict(enumerate(weights[kind]))), kind


def kinds_of(tasks, kind):
    return tuple(f"t{kind[task]}" for task in tasks)


RULES = ["borda", "plurality", "mean", "mean_win_rate"]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("rule", [*RULES, "copeland"])
def test_leaving_one_out_leaves_out_one_voter(seed, rule):
    board, single, kind = drawn(seed)
    counted = nbrank.leave_one_out(board, rule)
    one_by_one = nbrank.leave_one_out(single, rule).reset_index(drop=True)
    first = pd.Index(kind).drop_duplicates()
    assert list(counted.index) == list(board.tasks)
    expected = one_by_one.iloc[[list(kind).index(one) for one in first]]
    pd.testing.assert_frame_equal(counted.reset_index(drop=True), expected.reset_index(drop=True))


def test_a_whole_group_is_left_out_with_all_its_voters():
    scores = pd.DataFrame({"t1": [3, 2], "t2": [1, 2]}, index=["A", "B"])
    board = nbrank.Leaderboard(scores, counts=[2, 3], groups={"g": ["t1"], "h": ["t2"]})
    found = nbrank.leave_one_out(board, "borda", whole_groups=True)
    assert found["winners"].tolist() == [["B"], ["A"]]


def test_the_only_task_can_lose_one_of_its_voters():
    board = nbrank.Leaderboard(pd.DataFrame({"t1": [2, 1]}, index=["A", "B"]), counts=[3])
    assert nbrank.leave_one_out(board, "borda")["winners"].tolist() == [["A"]]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("least", ["tasks", "weight"])
def test_the_winner_is_unseated_by_leaving_out_voters(seed, rule, least):
    board, single, kind = drawn(seed)
    if getattr(board, rule)()["rank"].eq(1).sum() > 1:
        with pytest.raises(ValueError, match="share the first rank"):
            nbrank.unseat(board, rule)
        return
    counted, by_one = (
        nbrank.unseat(board, rule, least=least),
        nbrank.unseat(single, rule, least=least),
    )
    by_one["tasks"] = [kinds_of(tasks, kind) for tasks in by_one["tasks"]]
    same = ["removed", "weight", "proven"]
    pd.testing.assert_frame_equal(counted[same], by_one[same])
    assert [len(tasks) for tasks in counted["tasks"]] == counted["removed"].fillna(0).tolist()
    if least == "tasks":
        assert counted["tasks"].tolist() == by_one["tasks"].tolist()


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("rule", RULES)
def test_voters_are_picked_one_by_one(seed, rule):
    board, single, kind = drawn(seed)
    counted, by_one = nbrank.cherry_pick(board, rule), nbrank.cherry_pick(single, rule)
    same = ["kept", "at_most", "proven"]
    pd.testing.assert_frame_equal(counted[same], by_one[same])
    assert [len(tasks) for tasks in counted["tasks"]] == counted["kept"].tolist()
    pd.testing.assert_frame_equal(
        nbrank.cherry_picking_curve(board, rule), nbrank.cherry_picking_curve(single, rule)
    )
    few, fewest = nbrank.core_tasks(board, rule), nbrank.core_tasks(single, rule)
    assert few["size"].tolist() == fewest["size"].tolist()
    assert list(few["tasks"][0]) == list(kinds_of(fewest["tasks"][0], kind))


def test_all_voters_of_a_kept_task_are_kept():
    scores = pd.DataFrame({"t1": [1, 2], "t2": [2, 1]}, index=["A", "B"])
    board = nbrank.Leaderboard(scores, counts=[3, 4])
    found = nbrank.cherry_pick(board, keep=["t1"])
    assert found.loc["A", "tasks"] == ("t1",) * 3 + ("t2",) * 4
    assert found.loc["B", "tasks"] == ("t1",) * 3 + ("t2",) * 3


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("rule", [*RULES, "copeland"])
def test_the_margin_of_victory_is_in_voters(seed, rule):
    board, single, kind = drawn(seed)
    try:
        by_one = nbrank.margin_of_victory(single, rule)
    except ValueError:
        with pytest.raises(ValueError, match="the first rank"):
            nbrank.margin_of_victory(board, rule)
        return
    counted = nbrank.margin_of_victory(board, rule)
    for change, row in by_one.iterrows():
        found = counted.loc[change]
        assert found["least"] == pytest.approx(row["least"], nan_ok=True)
        assert (found["rival"], found["proven"]) == (row["rival"], row["proven"])
        # Weight that moves is on the task, whoever of its voters has it.
        each = kinds_of(row["tasks"], kind)
        assert found["tasks"] == (tuple(dict.fromkeys(each)) if change == "weights" else each)


@pytest.mark.parametrize("seed", range(20))
def test_ballots_of_one_task_agree(seed):
    board, single, _ = drawn(seed, most=6)
    pd.testing.assert_frame_equal(dispersion(board, RULES), dispersion(single, RULES))


def test_an_election_with_thousands_of_voters_is_answered_at_once():
    rng = np.random.default_rng(0)
    orders = [list(rng.permutation(list("ABCDEF"))) for _ in range(60)]
    board = nbrank.from_ballots(orders, counts=rng.integers(1, 99, 60).tolist())
    found = nbrank.unseat(board)
    assert found["proven"].all()
    assert found["removed"].min() > 5
