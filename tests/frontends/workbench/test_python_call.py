"""What one sees, as Python: executed, the text gives the ranking on the page."""

import functools

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

import nbrank
from nbrank.datasets import load_ceval_scores, load_llm_chat, load_xtreme_missing

pytestmark = pytest.mark.filterwarnings("ignore::nbrank.LeaderboardWarning")


def executed(bench, **names):
    """The ranking that the last line of the text gives."""
    *lines, call = bench.trail.python.splitlines()
    exec("\n".join(lines), names)
    return eval(call, names)


def same(bench, df):
    assert_frame_equal(executed(bench, df=df), bench.ranking)


@pytest.fixture
def scores():
    rng = np.random.default_rng(1)
    return pd.DataFrame(rng.integers(0, 9, (6, 4)), index=list("ABCDEF")).add_prefix("t")


def test_at_the_start_it_is_the_rule_alone(scores):
    bench = nbrank.explore(scores, "plurality")
    assert bench.trail.python == "df.rank.plurality()"
    same(bench, scores)


def test_weights_that_were_moved_are_in_it(scores):
    bench = nbrank.explore(scores, "borda")
    bench.weights = {"t1": 0.25, "t3": 3}
    assert bench.trail.python == "df.rank.borda(weights={'t1': 0.25, 't3': 3})"
    same(bench, scores)


def test_directions_groups_and_the_way_of_counting_missing_scores_are_in_it():
    chat = load_llm_chat()
    bench = nbrank.explore(chat, "borda", lower_is_better=[chat.columns[0]])
    bench.weights = {"Code": 3}
    bench.missing = "worst"
    assert "lower_is_better=[(" in bench.trail.python
    assert "missing='worst'" in bench.trail.python
    same(bench, chat)
    bench.weights_of = "tasks"
    bench.weights = {chat.columns[3]: 0}
    same(bench, chat)


def test_deleted_scores_are_deleted(scores):
    before = scores.copy()
    bench = nbrank.explore(scores, "borda", tab="missing")
    bench.cells = [("B", "t2"), ("C", "t0")]
    bench.share = 0.2
    same(bench, scores)
    assert_frame_equal(scores, before)


def test_systems_without_a_score_are_left_out():
    xtreme = load_xtreme_missing().astype(float)
    xtreme.iloc[3] = np.nan
    bench = nbrank.explore(xtreme, "borda")
    assert bench.trail.python.startswith('df = df.dropna(how="all")\n')
    same(bench, xtreme)


def test_scores_of_instances_are_taken_as_they_are():
    ceval = load_ceval_scores()
    bench = nbrank.explore(ceval, "borda")
    scores = bench.board.scores
    same(bench, scores)
    bench.cells = [(bench.board.systems[0], bench.board.tasks[1])]
    same(bench, scores)


def test_ballots_count_as_often_as_they_were_cast():
    board = nbrank.from_ballots([["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]], [3, 2, 2])
    same(nbrank.explore(board, "plurality"), board.scores)


def test_comparisons_have_a_call_of_their_own():
    rows = pd.DataFrame({"a": list("AAB"), "b": list("BCC"), "won": list("ACB")})
    votes = nbrank.from_comparisons(rows, left="a", right="b", winner="won")
    bench = nbrank.explore(votes, "copeland")
    assert_frame_equal(executed(bench, comparisons=votes), bench.ranking)


def test_arguments_of_a_rule_of_ones_own_making_are_kept(scores):
    rule = functools.partial(nbrank.positional, vector=[5, 3, 1, 0, 0, 0])
    bench = nbrank.explore(scores, rules={"mine": rule})
    assert bench.trail.python == "df.rank.positional(vector=[5, 3, 1, 0, 0, 0])"
    same(bench, scores)


def test_a_function_of_ones_own_has_no_call(scores):
    def mine(board):
        return nbrank.borda(board)

    bench = nbrank.explore(scores, rules={"mine": mine})
    assert bench.trail.python == "# mine is a function or a ranking of your own."


def test_labels_that_are_numbers_or_have_quotes_are_written_so_that_python_reads_them():
    scores = pd.DataFrame([[1, 2, 0], [2, 1, 1]], columns=["it's", 'a "b"', 7], index=["A", "B"])
    bench = nbrank.explore(scores, "borda")
    bench.weights = dict(zip(scores, (2, 3, 4), strict=True))
    same(bench, scores)
    numbers = scores.set_axis(np.array([1, 2, 3]), axis=1)
    bench = nbrank.explore(numbers, "borda")
    bench.weights = {2: 1.5}
    assert bench.trail.python == "df.rank.borda(weights={2: 1.5})"
    same(bench, numbers)


def test_where_no_ranking_is_there_is_no_call(scores):
    bench = nbrank.explore(scores, "borda")
    bench.weights = dict.fromkeys(scores, 0)
    assert bench.trail.python == ""
    assert "As Python" not in bench.trail.html.html


def test_the_text_is_on_the_page_escaped():
    scores = pd.DataFrame({"<b>": [1, 2], "y": [2, 1]}, index=["A", "B"])
    bench = nbrank.explore(scores, "borda")
    bench.weights = {"<b>": 2}
    assert "{&#x27;&lt;b&gt;&#x27;: 2}" in bench.trail.html.html
    assert "data-copy" in bench.trail.html.html
