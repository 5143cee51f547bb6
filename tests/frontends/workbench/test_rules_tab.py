"""The tab of rules and weights: its sliders and boxes and the traits move together."""

import re
from html import escape

import pandas as pd
import pytest
import traitlets
from pandas.testing import assert_frame_equal

import nbrank
from nbrank.datasets import load_llm_chat
from nbrank.findings.labels import describe_score, rule_title

RULES = ("borda", "plurality", "copeland")


@pytest.fixture
def bench(votes):
    return nbrank.explore(votes, rules=RULES)


@pytest.fixture
def tick(press):
    return lambda bench, rule: press(bench.get_tab_result("rules").boxes, "compare", rule)


def ticked(bench):
    html = bench.get_tab_result("rules").boxes.html
    return re.findall(r'value="(\w+)" checked', html)


def test_weights_set_from_python_move_the_sliders(bench):
    bench.weights = {"t1": 7}
    assert bench.weights == {"t1": 7, "t2": 1, "t3": 1, "t4": 1}
    assert bench.sliders.weights == [7, 1, 1, 1]
    assert bench.sliders.most >= 7


def test_a_slider_that_is_moved_sets_its_weight_and_no_other(bench, slide):
    bench.weights = {"t1": 1.03}
    slide(bench, "t2", 1.2)
    assert bench.weights == {"t1": 1.03, "t2": 1.2, "t3": 1, "t4": 1}
    assert bench.sliders.weights == [1.03, 1.2, 1, 1]


@pytest.mark.parametrize("weights", [[9, 7, 3, 3], [1, 1], [0.5, 1, 1], [0.25, 1]])
def test_the_sliders_show_the_weights_to_begin_with(weights):
    scores = pd.DataFrame([[1] * len(weights), [2] * len(weights)]).add_prefix("t")
    given = dict(zip(scores, weights, strict=True))
    bench = nbrank.explore(scores, rules=("borda",), weights=given)
    assert bench.sliders.weights == bench.sliders.start == weights
    for weight in weights:
        steps = weight / bench.sliders.step
        assert steps == pytest.approx(round(steps))
    assert 20 <= bench.sliders.most / bench.sliders.step <= 100


def test_the_start_can_be_had_back(bench, votes, slide):
    bench.weights = {"t1": 0}
    slide(bench, None, 0)
    assert_frame_equal(bench.ranking, nbrank.borda(votes))


def test_a_box_ticked_adds_a_rule_and_leaves_the_order_as_it_was(bench, tick, votes):
    bench.rule = "plurality"
    tick(bench, "minimax")
    assert bench.rules == (*RULES, "minimax")
    assert bench.rule == "plurality"
    assert bench.ranks["minimax"].to_dict() == nbrank.minimax(votes)["rank"].to_dict()
    tick(bench, "plurality")
    assert bench.rule == "borda"
    assert_frame_equal(bench.ranking, nbrank.borda(votes))


def test_the_last_rule_stays(votes):
    bench = nbrank.explore(votes, rules=("borda",))
    html = bench.get_tab_result("rules").boxes.html
    assert 'value="borda" checked disabled' in html
    assert html.count("disabled") == 1


def test_rules_set_from_python_are_all_kept_and_ticked(bench):
    rules = tuple(rule for rule in bench.known if rule != "kemeny")
    bench.rules = rules
    assert bench.rules == rules
    assert ticked(bench) == list(rules)
    assert list(bench.ranks) == list(rules)


def test_each_rule_says_what_it_asks_where_it_is_ticked_and_what_it_counts(bench):
    html = bench.get_tab_result("rules").boxes.html
    for rule in bench.known:
        known = nbrank.RULES[rule]
        assert escape(f"{rule_title(rule)}: {known.answers}") in html
        assert known.score_description
        assert not set("{}") & set(
            describe_score(known.score_description, "instance", weighed=True)
        ), rule


def test_who_wins_under_which_rules_is_said_where_they_differ(bench):
    assert "A wins under plurality." in bench.text
    bench.rules = ("borda", "copeland")
    assert "wins under" not in bench.text


def test_all_ranks_are_folded_below_with_a_mark_on_those_that_are_shared(bench):
    html = bench.get_tab_result("rules").html.html
    assert "<summary>all ranks</summary>" in html
    assert re.findall("<th scope=.col. [^>]*>(.*?)</th>", html) == [*map(rule_title, RULES)]
    rows = re.findall(r"<tr><th scope=.row.>.*?>(\w)</button></th>(.*?)</tr>", html)
    assert [system for system, _ in rows] == list(bench.ranks.index)
    for (_, cells), ranks in zip(rows, bench.ranks.itertuples(index=False), strict=True):
        assert re.findall(r">=?(\d)</td>", cells) == [*map(str, ranks)]
    table = [[">=" in cell for cell in re.findall("<td.*?</td>", cells)] for _, cells in rows]
    assert (
        table == bench.ranks.apply(lambda ranks: ranks.duplicated(keep=False)).to_numpy().tolist()
    )


def test_groups_have_a_slider_each_and_share_their_weight():
    scores = load_llm_chat()
    bench = nbrank.explore(scores, rules=("borda",))
    assert list(bench.sliders.by_label) == ["English", "Code", "Math", "Chinese"]
    assert bench.weights == {"English": 9, "Code": 7, "Math": 3, "Chinese": 3}
    bench.weights = {"English": 0, "Code": 1, "Math": 0, "Chinese": 0}
    expected = nbrank.borda(scores, weights=dict(bench.weights))
    assert bench.ranking["rank"].to_dict() == expected["rank"].to_dict()


def test_on_the_boards_groups_one_can_turn_to_single_tasks_and_back(slide):
    scores = load_llm_chat()
    bench = nbrank.explore(scores, rules=("borda",))
    bench.weights = {"Code": 3.5}
    ranking = bench.ranking
    bench.get_tab_result("rules")._weight_level.value = "tasks"
    assert bench.weights_of == "tasks"
    assert list(bench.weights) == list(bench.sliders.by_label) == list(scores.columns)
    assert {w for (group, _), w in bench.weights.items() if group == "Code"} == {0.5}
    assert_frame_equal(bench.ranking, ranking)
    assert bench.changes == (
        "You changed the sliders from groups to tasks: no winner and no rank changed."
    )
    one = next(task for task in scores if task[0] == "Code")
    slide(bench, one, 4)
    weights = {task: 0.5 if task[0] == "Code" else 1 for task in scores} | {one: 4}
    assert_frame_equal(bench.ranking, nbrank.borda(scores, weights=weights))
    bench.weights_of = "groups"
    assert bench.weights == {"English": 9, "Code": 7, "Math": 3, "Chinese": 3} | {
        "Code": pytest.approx(6 * 0.5 + 4)
    }
    old = bench.sliders
    bench.weights_of = "tasks"
    old.moved = [1, 1.0, 7]  # one of those replaced still moves
    assert bench.weights[scores.columns[0]] == 1


def test_a_task_of_a_group_may_be_called_by_its_own_name():
    bench = nbrank.explore(load_llm_chat(), rules=("borda",))
    bench.weights_of = "tasks"
    bench.weights = {"MMLU (EM)": 3}
    assert bench.weights["English", "MMLU (EM)"] == 3


def test_a_board_without_groups_has_no_switch(bench):
    assert (
        bench.get_tab_result("rules")._weight_level
        not in bench.get_tab_result("rules")._sliders.children
    )
    with pytest.raises(traitlets.TraitError, match="no groups"):
        bench.weights_of = "groups"
