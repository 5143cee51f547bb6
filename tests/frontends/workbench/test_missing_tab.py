"""Missing scores: deleted by share, one by one and by clicks, and what survives of the ranks."""

import numpy as np
import pandas as pd
import pytest
import traitlets
from pandas.testing import assert_frame_equal

import nbrank
from nbrank.datasets import load_llm_chat


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(1)
    return pd.DataFrame(rng.integers(0, 30, (6, 8)), index=list("ABCDEF")).add_prefix("t")


@pytest.fixture
def bench(scores):
    return nbrank.explore(scores, tab="missing")


def gone(bench):
    return bench.deletions.deleted_mask(bench.board)


def test_it_opens_with_nothing_deleted(bench, scores):
    assert_frame_equal(bench.ranking, nbrank.borda(scores))
    assert "Nothing is deleted yet: click a score in the picture" in bench.text


def test_the_slider_deletes_that_share_and_the_same_scores_for_the_same_seed(bench, scores):
    bench.share = 0.5
    first = gone(bench)
    assert first.sum() == 24
    expected = nbrank.borda(scores.astype(float).mask(first))
    assert_frame_equal(bench.ranking, expected)
    bench.seed = 1
    assert (gone(bench) != first).any()
    bench.seed = 0
    assert (gone(bench) == first).all()


def test_what_is_missing_already_is_not_deleted_again():
    chat = load_llm_chat()
    bench = nbrank.explore(chat, tab="missing")
    bench.share = 0.5
    assert gone(bench).sum() == round(0.5 * chat.notna().sum().sum())


def test_a_click_on_a_score_deletes_it_and_another_brings_it_back(bench, scores, click, cells):
    click(bench, system="C", task="t3")
    assert bench.cells == (("C", "t3"),)
    assert bench.system is None
    assert cells(bench)["C", "t3"].fill == "none"  # a cell that can be clicked, and is empty
    expected = scores.astype(float)
    expected.loc["C", "t3"] = np.nan
    assert_frame_equal(bench.ranking, nbrank.borda(expected))
    assert "1 score deleted." in bench.text
    click(bench, system="C", task="t3")
    assert bench.cells == ()
    assert_frame_equal(bench.ranking, nbrank.borda(scores))


def test_in_another_tab_a_click_on_a_score_looks_at_its_system(bench, click):
    bench.tab = "rules"
    click(bench, system="C", task="t3")
    assert (bench.cells, bench.system) == ((), "C")


def test_a_score_is_deleted_and_restored_by_the_buttons(bench, scores):
    tab = bench.get_tab_result("missing")
    tab._system.index, tab._task.index = 2, 3
    tab.delete.click()
    assert bench.cells == (("C", "t3"),)
    tab.delete.click()
    assert bench.cells == ()
    bench.share = 0.4
    tab.restore.click()
    assert (bench.share, bench.cells, bench.kept) == (0, (), ())
    assert_frame_equal(bench.ranking, nbrank.borda(scores))


def test_a_click_brings_back_what_the_share_deleted_and_deletes_it_again(bench):
    bench.share = 0.5
    row, column = np.argwhere(gone(bench))[0]
    cell = (bench.board.systems[row], bench.board.tasks[column])
    bench.toggle(*cell)
    assert bench.kept == (cell,)
    assert not gone(bench)[row, column]
    bench.toggle(*cell)
    assert bench.kept == ()
    assert gone(bench)[row, column]


def test_where_there_is_no_score_a_click_does_nothing():
    bench = nbrank.explore(load_llm_chat(), tab="missing")
    row, column = np.argwhere(np.isnan(bench.board.values))[0]
    words = bench.text
    bench.toggle(bench.board.systems[row], bench.board.tasks[column])
    assert (bench.cells, bench.text) == ((), words)


def test_a_click_on_instance_level_scores_deletes_the_whole_task():
    rows = pd.MultiIndex.from_product([list("AB"), range(4)], names=["system", "instance"])
    scores = pd.DataFrame({"t1": range(8), "t2": range(8, 0, -1)}, rows)
    bench = nbrank.explore(scores, tab="missing")
    bench.toggle("A", "t2")
    assert gone(bench).sum() == 4


def test_the_words_count_what_survives(bench, scores):
    bench.share = 0.3
    before = nbrank.borda(scores)["rank"]
    after = bench.ranking["rank"].reindex(before.index)
    assert (
        f"14 scores deleted. {(before == after).sum()} of 6 ranks by Borda survive." in bench.text
    )


def test_a_new_winner_is_named():
    scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 2, 1]}, index=list("ABC"))
    bench = nbrank.explore(scores, tab="missing")
    bench.missing = "worst"
    bench.cells = [("A", "t1"), ("A", "t2")]
    assert "By Borda B wins instead of A." in bench.text
    assert "A is left out, without a single score." in bench.text
    assert "B moves most, from rank 2 to 1." in bench.text


def test_a_system_whose_scores_are_all_deleted_can_not_be_crowned_and_comes_back():
    scores = pd.DataFrame({"t1": [3.0, 2, 1], "t2": [3.0, 2, 1]}, index=list("ABC"))
    bench = nbrank.explore(
        scores, rules={"borda": "borda", "host": pd.Series({"A": 1, "B": 2, "C": 3})}
    )
    bench.system = "A"
    bench.cells = [("A", "t1"), ("A", "t2")]
    for tab in ("rules", "weights", "pairs", "missing", "confidence", "elimination"):
        bench.tab = tab
        assert "A is left out, without a single score." in bench.text
    assert bench.winners == {"borda": ["B"], "host": []}
    assert "A has no score at this setting, and is left out." in bench.text
    bench.cells = [(system, task) for system in "ABC" for task in scores]
    assert bench.verdict == (
        "Borda can't rank this table: no system has a score at this setting; bring some back"
    )
    bench.cells = []
    assert bench.ranking["rank"].to_dict() == {"A": 1, "B": 2, "C": 3}
    assert "left out" not in bench.text


def test_where_nobody_wins_nobody_is_called_first():
    circle = pd.DataFrame({"t1": [3, 2, 1], "t2": [2, 1, 3], "t3": [1, 3, 2]}, index=list("ABC"))
    bench = nbrank.explore(circle, "condorcet", tab="missing")
    bench.cells = [("A", "t1")]
    assert "No system wins, as before." in bench.text
    bench.cells = [("A", "t1"), ("A", "t2")]
    assert "By Condorcet B wins instead of nobody." in bench.text


def test_the_picture_says_where_the_systems_were_before(bench):
    before = bench.ranking["rank"]
    bench.share = 0.5
    for system, rank in bench.ranking["rank"].items():
        said = f"rank {rank} by Borda, {before[system]} at the start"
        assert (f"{system}: {said}" in bench._figure.svg) == (rank != before[system])


def test_missing_scores_count_as_chosen(bench, scores):
    bench.share = 0.3
    bench.missing = "median"
    assert_frame_equal(
        bench.ranking, nbrank.borda(scores.astype(float).mask(gone(bench)), missing="median")
    )
    assert "missing scores from “as each rule does” to “median”" in bench.changes


def test_a_rule_that_refuses_what_is_left_says_why(bench):
    bench.rule = "mean"
    bench.cells = [("A", "t1")]
    assert bench.text.startswith("mean can't rank this table: 1 missing score; under")
    assert bench.ranking is None
    bench.cells = ()
    assert bench.ranking.attrs["rule"] == "mean"


def test_a_cell_that_is_not_there_is_refused(bench):
    with pytest.raises(
        traitlets.TraitError, match="toggle: .* is not a pair of a system and a task"
    ):
        bench.toggle("A", "t99")
