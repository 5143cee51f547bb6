"""Who wins at each weighting of three groups."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

import nbrank

SCORES = pd.DataFrame(
    np.random.default_rng(3).integers(0, 9, (6, 7)).astype(float),
    index=list("ABCDEF"),
    columns=pd.MultiIndex.from_tuples(
        [("x", 1), ("x", 2), ("x", 3), ("y", 4), ("y", 5), ("z", 6), ("z", 7)]
    ),
)


@pytest.mark.parametrize(
    "rule",
    ["borda", "mean", "plurality", "mean_win_rate", "copeland", "baldwin", "condorcet"],
)
def test_each_point_has_the_winners_of_its_weights(rule):
    found = nbrank.weight_map(SCORES, rule, resolution=7)
    assert len(found) == 36
    for _, row in found.iterrows():
        weights = {group: row[group] for group in "xyz"}
        assert row["winners"] == nbrank.winners(SCORES, [rule], weights=weights)[rule]
    np.testing.assert_allclose(found[["x", "y", "z"]].sum(axis=1), 1)


def test_missing_scores_count_as_the_rule_counts_them():
    gaps = SCORES.mask(SCORES == 4)
    for rule in ("borda", "mean_win_rate", partial(nbrank.mean, missing="ignore")):
        for _, row in nbrank.weight_map(gaps, rule, resolution=4).iterrows():
            weights = {group: row[group] for group in "xyz"}
            assert row["winners"] == nbrank.winners(gaps, {"r": rule}, weights=weights)["r"]


@pytest.mark.parametrize(
    "rule",
    [
        *(rule.function for rule in nbrank.RULES.values() if rule.additive and not rule.arguments),
        partial(nbrank.mean, levels=1),
        partial(nbrank.borda, levels=2),
        partial(nbrank.positional, vector=[3, 1, 0, 0]),
        partial(nbrank.optimality_gap, gamma=7),
    ],
)
def test_instances_count_as_the_rule_counts_them(rule):
    # Six instances of x, two of y and six of z: pooled, y counts for less.
    index = pd.MultiIndex.from_product([list("ABCD"), range(6)], names=["system", "instance"])
    rng = np.random.default_rng(0)
    scores = pd.DataFrame(rng.integers(1, 9, (24, 3)) / 8, index=index, columns=list("xyz"))
    scores.loc[scores.index.get_level_values("instance") >= 2, "y"] = np.nan
    groups = {task: [task] for task in "xyz"}
    for _, row in nbrank.weight_map(scores, rule, resolution=6, groups=groups).iterrows():
        weights = {task: row[task] for task in "xyz"}
        assert row["winners"] == nbrank.winners(scores, {"r": rule}, weights=weights)["r"]


@pytest.mark.filterwarnings("ignore:.*less than 1e-9 of the task's range")
@pytest.mark.parametrize("rule", ["mean", "borda", "plurality", "mean_rank"])
def test_ties_are_those_of_the_rule(rule):
    # Equal everywhere, all but equal, tied by chance at some weightings, and cancelling sums.
    tied = pd.DataFrame(
        {
            "x": [0.1, 0.1, 0.1 + 1e-16, 0.3, 1e9, -1e9],
            "y": [0.2, 0.2, 0.2, 0.3, -1e9, 1e9],
            "z": [0.3, 0.3, 0.3, 0.1, 0.3, 0.3 + 1e-7],
        },
        index=list("ABCDEF"),
    )
    for systems in (list("ABCD"), list("ABCDEF"), ["E", "F"], ["A", "B"]):
        part = tied.loc[systems]
        groups = {task: [task] for task in "xyz"}
        for _, row in nbrank.weight_map(part, rule, resolution=6, groups=groups).iterrows():
            weights = {task: row[task] for task in "xyz"}
            assert row["winners"] == nbrank.winners(part, [rule], weights=weights)[rule]


def test_a_system_without_scores_in_a_group_has_none_where_only_that_group_counts():
    gaps = SCORES.copy()
    gaps.loc["A", "x"] = np.nan
    for rule in ("borda", "plurality", "mean_win_rate", "copeland"):
        for _, row in nbrank.weight_map(gaps, rule, resolution=4).iterrows():
            weights = {group: row[group] for group in "xyz"}
            assert row["winners"] == nbrank.winners(gaps, [rule], weights=weights)[rule]


def test_the_boards_weights_part_the_weight_within_a_group():
    board = nbrank.Leaderboard(SCORES, weights={("x", 1): 2, ("x", 2): 0})
    corner = nbrank.weight_map(board, resolution=1).set_index(["x", "y", "z"])["winners"]
    alone = nbrank.winners(SCORES["x"], ["borda"], weights={1: 2, 2: 0, 3: 1})["borda"]
    assert corner[(1.0, 0.0, 0.0)] == alone


def test_what_a_rule_refuses_of_all_tasks_together_is_refused():
    with pytest.raises(ValueError, match="lower is better on .* can't be averaged"):
        nbrank.weight_map(SCORES, "mean", resolution=4, lower_is_better=[("y", 4), ("y", 5)])


@pytest.mark.parametrize("rule", ["mean", "geometric_mean"])
def test_what_is_refused_names_all_cells_at_fault(rule):
    scores = SCORES.abs().astype(float) + 1
    scores.iloc[0, 0] = scores.iloc[1, -1] = np.nan
    with pytest.raises(ValueError, match=f"{rule}: 2 missing scores"):
        nbrank.weight_map(scores, rule, resolution=4)


def test_it_says_what_it_needs():
    with pytest.raises(ValueError, match="exactly three groups, and there are: none"):
        nbrank.weight_map(SCORES["x"])
    with pytest.raises(ValueError, match="exactly three groups, and there are: 'x', 'y'"):
        nbrank.weight_map(SCORES[["x", "y"]])
    weightless = nbrank.Leaderboard(SCORES, weights={("z", 6): 0, ("z", 7): 0})
    with pytest.raises(ValueError, match="all tasks of 'z' have weight 0"):
        nbrank.weight_map(weightless)
    with pytest.raises(ValueError, match="'winners' is a column of the result and a group here"):
        nbrank.weight_map(SCORES.rename(columns={"z": "winners"}))
    with pytest.raises(ValueError, match="resolution=.* must be at least 1"):
        nbrank.weight_map(SCORES, resolution=0)


def test_nobody_wins_where_only_tasks_without_scores_count():
    scores = pd.DataFrame({"a": [1.0, 2], "b": [3.0, 1], "c": [np.nan, np.nan]}, index=["A", "B"])
    groups = {task: [task] for task in scores}
    found = nbrank.weight_map(
        scores, partial(nbrank.mean, missing="ignore"), groups=groups, resolution=1
    )
    assert found["winners"].tolist() == [[], ["A"], ["B"]]


def test_options_may_name_tasks_of_groups_that_weigh_nothing():
    rule = partial(
        nbrank.normalized_mean, low=dict.fromkeys(SCORES, 0), high=dict.fromkeys(SCORES, 9)
    )
    found = nbrank.weight_map(SCORES, rule, resolution=3)
    pd.testing.assert_frame_equal(found, nbrank.weight_map(SCORES, "mean", resolution=3))
