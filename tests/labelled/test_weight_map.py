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


def test_the_boards_weights_part_the_weight_within_a_group():
    board = nbrank.Leaderboard(SCORES, weights={("x", 1): 2, ("x", 2): 0})
    corner = nbrank.weight_map(board, resolution=1).set_index(["x", "y", "z"])["winners"]
    alone = nbrank.winners(SCORES["x"], ["borda"], weights={1: 2, 2: 0, 3: 1})["borda"]
    assert corner[(1.0, 0.0, 0.0)] == alone


def test_it_says_what_it_needs():
    with pytest.raises(ValueError, match="exactly three groups, and there are: none"):
        nbrank.weight_map(SCORES["x"])
    with pytest.raises(ValueError, match="exactly three groups, and there are: 'x', 'y'"):
        nbrank.weight_map(SCORES[["x", "y"]])
    weightless = nbrank.Leaderboard(SCORES, weights={("z", 6): 0, ("z", 7): 0})
    with pytest.raises(ValueError, match="all tasks of 'z' have weight 0"):
        nbrank.weight_map(weightless)
    with pytest.raises(ValueError, match="resolution must be 1 or more"):
        nbrank.weight_map(SCORES, resolution=0)
