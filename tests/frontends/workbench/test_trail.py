"""What was tried: each weighting with who was first, and a press goes back to it."""

import pandas as pd
import pytest

import nbrank
from nbrank.datasets import load_llm_chat, load_superglue_submissions


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
