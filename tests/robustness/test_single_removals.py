"""Which tasks decide: each left out by hand, groups, and what the rule refuses."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.datasets import load_llm_chat
from nbrank.robustness.single_removals import leave_one_out

SCORES = pd.DataFrame(
    {"t1": [4, 1, 0, 0], "t2": [1, 2, 0, 0], "t3": [1, 2, 3, 0]}, index=list("ABCD")
)


def by_hand(scores, rule, parts):
    """The answer by the rule itself, on frames without the columns of each part."""
    before = rule(scores)["rank"]
    winners = set(before.index[before == 1])
    rows = []
    for part in parts:
        after = rule(scores.drop(columns=part))["rank"]
        first = [system for system in scores.index if after[system] == 1]
        change = (after - before).abs()
        rows.append((set(first) != winners, first, (change > 0).sum(), change.max()))
    return rows


def told(found):
    assert found["refused"].isna().all()
    return list(found.drop(columns="refused").itertuples(index=False, name=None))


@pytest.mark.parametrize("rule", [nbrank.borda, nbrank.plurality, nbrank.copeland, nbrank.mean])
def test_each_task_is_left_out_as_if_its_column_were_not_there(rule):
    rng = np.random.default_rng(0)
    scores = pd.DataFrame(rng.integers(0, 9, (6, 5)), index=list("ABCDEF")).add_prefix("t")
    found = leave_one_out(scores, rule.__name__)
    assert list(found.index) == list(scores.columns)
    assert told(found) == by_hand(scores, rule, scores.columns)
    assert found["decides"].any()


def test_groups_are_left_out_whole():
    scores = load_llm_chat()
    found = leave_one_out(scores, "borda", whole_groups=True)
    parts = [[column for column in scores if column[0] == group] for group in found.index]
    assert list(found.index) == list(dict.fromkeys(scores.columns.get_level_values(0)))
    flat = scores.set_axis([" ".join(column) for column in scores], axis=1)
    assert told(found) == by_hand(
        flat, nbrank.borda, [[" ".join(column) for column in part] for part in parts]
    )


def test_tasks_in_groups_keep_their_full_names():
    scores = load_llm_chat()
    assert leave_one_out(scores, "borda").index.equals(scores.columns)


def test_what_the_rule_is_told_reaches_it():
    expected = told(leave_one_out(SCORES, partial(nbrank.borda, ties="min")))
    assert told(leave_one_out(SCORES, "borda", ties="min")) == expected
    assert told(leave_one_out(SCORES, "borda")) != expected


def test_winners_are_those_whom_the_rule_elects():
    found = leave_one_out(SCORES, "condorcet")
    for task, winners in found["winners"].items():
        assert winners == nbrank.winners(SCORES.drop(columns=task), ["condorcet"])["condorcet"]
    assert [] in list(found["winners"])


def test_where_the_rule_refuses_the_rest_it_says_why():
    scores = pd.DataFrame(
        {"t1": [3, 2, 1], "t2": [3, 2, 1], "t3": [1, 2, 3]}, index=list("ABC"), dtype=float
    )
    found = leave_one_out(scores, "bradley_terry")
    assert found["refused"].notna().tolist() == [False, False, True]
    assert "never" in found.loc["t3", "refused"]
    refused = found.loc["t3"]
    assert refused["winners"] == []
    assert refused[["decides", "ranks_changed", "largest_change"]].isna().all()


def test_a_task_of_weight_0_is_not_left_out_since_it_has_no_say():
    found = leave_one_out(SCORES, "borda", weights={"t1": 0})
    assert list(found.index) == ["t2", "t3"]


def test_a_single_task_or_group_cannot_be_left_out():
    with pytest.raises(ValueError, match="only 't1' has a weight"):
        leave_one_out(SCORES[["t1"]], "borda")
    with pytest.raises(ValueError, match="only 'g' has a weight, .* at least two groups"):
        leave_one_out(SCORES, "borda", whole_groups=True, groups={"g": list(SCORES)})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"whole_groups": True}, "whole_groups=True needs groups"),
        ({"rule": "brda"}, "unknown rule 'brda'"),
    ],
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        leave_one_out(SCORES, **{"rule": "borda", **options})


def test_a_rule_that_refuses_the_whole_table_says_so():
    with pytest.raises(ValueError, match="missing score"):
        leave_one_out(SCORES.astype(float).replace(4, np.nan), "mean")


def test_it_is_a_method_of_df_rank():
    pd.testing.assert_frame_equal(
        SCORES.rank.leave_one_out("borda"), leave_one_out(SCORES, "borda")
    )


def test_instances_leave_with_their_task():
    index = pd.MultiIndex.from_product([list("AB"), range(3)], names=["system", "instance"])
    scores = pd.DataFrame({"t": [3, 3, 3, 1, 1, 1], "u": [1, 1, 1, 2, 2, 2]}, index=index)
    assert leave_one_out(scores, "mean")["winners"].to_dict() == {"t": ["B"], "u": ["A"]}
