"""What was tried: each weighting with who was first, and a press goes back to it; and the call.

Executed, the call gives the ranking on the page.
"""

import functools

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

import nbrank
from nbrank.datasets import (
    load_ceval_scores,
    load_llm_chat,
    load_superglue_submissions,
    load_xtreme_missing,
)

pytestmark = pytest.mark.filterwarnings("ignore::nbrank.LeaderboardWarning")


@pytest.fixture
def bench(votes):
    return nbrank.explore(votes, rules=("borda", "plurality", "copeland"))


def titles(bench):
    return [(one.title, one.outcome) for one in bench.trail.tried]


def test_before_anything_was_tried_there_is_no_list(bench):
    assert "Tried so far" not in bench.trail.html.html


def test_each_weighting_is_kept_with_who_was_first_the_latest_above(bench):
    bench.weights = {"t4": 3}
    bench.rule = "plurality"
    assert titles(bench) == [
        ("t4 3, plurality", "D first by plurality and 0 of 2 other rules; else B"),
        ("t4 3, Borda", "B first by Borda and 1 of 2 other rules; else D"),
        ("as at the start, Borda", "B first by Borda and 1 of 2 other rules; else A"),
    ]
    for title, outcome in titles(bench):
        assert f"{title}</button> <small>{outcome}" in bench.trail.html.html


def test_the_rules_are_counted_as_in_the_verdict():
    bench = nbrank.explore(load_superglue_submissions())
    assert bench.verdict.startswith(
        "SS-MoE is first under 4 of 6 rules, though not alone under 2 of them"
    )
    outcome = "SS-MoE first by Borda and 3 of 5 other rules; else "
    bench.weights = {"CB-a": 5}
    assert titles(bench) == [
        ("CB-a 5, Borda", f"{outcome}ERNIE 3.0"),
        ("as at the start, Borda", f"{outcome}SuperGLUE Human Baselines"),
    ]


def test_a_press_goes_back_to_it(bench, press):
    start = dict(bench.weights)
    bench.weights = {"t4": 3}
    bench.rule = "plurality"
    bench.rules = ("plurality", "copeland")
    press(bench.trail.html, "tried", bench.trail.tried[2].key)
    assert (bench.weights, bench.rule) == (start, "borda")
    assert "borda" in bench.rules
    assert titles(bench)[0][0] == "as at the start, Borda"


def test_what_is_tried_again_stands_there_once(bench):
    for weight in (2, 1, 2, 1):
        bench.weights = {"t1": weight}
    assert [title for title, _ in titles(bench)] == ["as at the start, Borda", "t1 2, Borda"]


def test_a_press_is_for_what_it_names_though_the_list_has_moved_meanwhile(bench, press):
    bench.weights = {"t1": 2}
    bench.weights = {"t1": 1}
    start = bench.trail.tried[0].key
    bench.weights = {"t1": 2}
    press(bench.trail.html, "tried", start)
    assert bench.weights["t1"] == 1


def test_a_slider_on_its_way_leaves_no_entry(bench, slide, in_a_kernel):
    in_a_kernel(lambda: [slide(bench, "t4", stop) for stop in (1.2, 2, 3)])
    assert [title for title, _ in titles(bench)] == ["t4 3, Borda", "as at the start, Borda"]


def test_groups_and_single_tasks_are_both_gone_back_to(press):
    bench = nbrank.explore(load_llm_chat(), "borda")
    bench.weights = {"Code": 2}
    before = bench.ranking
    bench.weights_of = "tasks"
    bench.weights = {bench.board.tasks[0]: 4}
    press(bench.trail.html, "tried", bench.trail.tried[2].key)
    assert bench.weights_of == "groups"
    assert bench.weights["Code"] == 2
    pd.testing.assert_frame_equal(bench.ranking, before)


def test_comparisons_have_no_weights_to_try():
    rows = pd.DataFrame({"a": list("AAB"), "b": list("BCC"), "won": list("ACB")})
    bench = nbrank.explore(nbrank.from_comparisons(rows, left="a", right="b", winner="won"))
    assert bench.trail.tried == []


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
