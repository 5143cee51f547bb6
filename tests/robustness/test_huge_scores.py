"""Scores near the end of what floats hold: answered as any others, or refused with the remedy."""

import pandas as pd
import pytest

import nbrank

HUGE = pd.DataFrame(
    [[1e308, -1e308, 3e307], [-1e308, 1e308, 1e307], [5e307, 2e307, -9e307], [1.0, 2.0, 3.0]],
    list("ABCD"),
    ["t1", "t2", "t3"],
)
QUESTIONS = (
    "margin_of_victory",
    "task_influence",
    "possible_ranks",
    "cherry_pick",
    "cherry_picking_curve",
    "core_tasks",
    "unseat",
    "score_intervals",
)


@pytest.mark.parametrize("question", QUESTIONS)
def test_means_of_huge_scores_are_refused_with_the_call_that_answers(question):
    message = f"^{question}: the score of 'A' on 't1' is too large.*1e100"
    with pytest.raises(ValueError, match=message):
        getattr(nbrank, question)(HUGE, "mean")
    getattr(nbrank, question)(HUGE / 1e100, "mean")


@pytest.mark.parametrize("question", [name for name in QUESTIONS if name != "margin_of_victory"])
@pytest.mark.parametrize("rule", ["borda", "mean_rank"])
def test_places_of_huge_scores_are_those_of_any(question, rule):
    pd.testing.assert_frame_equal(
        getattr(nbrank, question)(HUGE, rule), getattr(nbrank, question)(HUGE / 1e300, rule)
    )


def test_the_margin_of_victory_changes_scores_whatever_the_rule():
    with pytest.raises(ValueError, match="margin_of_victory: the score of 'A' on 't1'"):
        nbrank.margin_of_victory(HUGE, "borda")
    nbrank.margin_of_victory(HUGE / 1e100, "borda")


@pytest.mark.parametrize("rule", ["mean", "median", "borda", "kemeny"])
def test_rules_rank_huge_scores_as_any(rule):
    huge, small = (nbrank.RULES[rule].function(scores) for scores in (HUGE, HUGE / 1e300))
    assert huge["rank"].to_dict() == small["rank"].to_dict()
