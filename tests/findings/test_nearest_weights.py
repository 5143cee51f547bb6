"""The least weight that has to move for a system to lose to no other, in sentences."""

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.datasets import load_llm_chat, load_superglue_submissions
from nbrank.findings.labels import DisplayNames
from nbrank.findings.nearest_weights import NearestWeightsText

pytestmark = pytest.mark.filterwarnings("ignore::nbrank.LeaderboardWarning")


def nearest(scores, **options):
    board = nbrank.Leaderboard(scores, **options)
    return NearestWeightsText(board, DisplayNames.from_labels(board.systems))


def test_systems_that_no_weights_help_are_counted():
    scores = load_llm_chat()
    # No weight moves to a task on which a system has no score.
    kept = {
        s: {task: (0, 1 / 22) for task in scores if np.isnan(scores.loc[s, task])}
        for s in scores.index
    }
    able = sum(
        nbrank.condorcet_weights(scores, system, bounds=bounds or None)["prospective"]
        for system, bounds in kept.items()
    )
    said = nearest(scores).describe_all()
    assert able == 5
    assert f"{able - 1} others would be unbeaten under other weights" in said
    assert "2 of the 7 systems are beaten by another system whatever the weights." in said


def test_who_already_loses_to_nobody_is_told_from_those_that_would():
    scores, human = load_superglue_submissions(), "SuperGLUE Human Baselines"
    others = nbrank.condorcet_weights(scores)["prospective"].sum() - 1
    assert (
        nearest(scores)
        .describe_all()
        .startswith(
            f"With equal weights {human} loses to no other system, pair by pair. {others} "
            "others would be unbeaten under other weights, first "
        )
    )


def test_weights_are_counted_from_those_given():
    scores = pd.DataFrame({"t": [2, 1.0], "u": [1, 2.0], "v": [1, 2.0]}, index=["A", "B"])
    found = nearest(scores, weights={"t": 5})
    # A has 5 of 7; for B to lose to nobody, half of the weight has to be on its tasks.
    share = f"{100 * (5 / 7 - 1 / 2):.3g} %"
    assert f"first B ({share} of the weight would have to move)." in found.describe_all()
    each = f"25 % instead of {100 / 7:.3g} %"
    assert found.describe_moves("B") == f"to u ({each}) and v ({each}), away from t"


def test_those_who_share_every_place_all_lose_to_nobody():
    scores = pd.DataFrame(1.0, index=list("ABCD"), columns=list("xyz"))
    everybody = "With equal weights A, B, C and D lose to no other system, pair by pair."
    assert nearest(scores).describe_all() == everybody
