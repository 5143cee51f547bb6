"""A new rule is one function with its decorator, and then it is everywhere."""

import sys
from inspect import signature
from pathlib import Path
from typing import Unpack

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.arrays.ballots.pairwise_counts import count_pairs
from nbrank.arrays.ballots.positional_scoring import borda
from nbrank.arrays.orders.majority_graphs import condorcet, score_pairwise
from nbrank.rules import registry
from nbrank.rules.ranking import rank_votes
from nbrank.votes.leaderboard import as_votes
from nbrank.votes.method_registry import METHODS
from nbrank.votes.table.task_options import TableOptions
from nbrank.votes.table.validation import ViewRequest

# The Condorcet winner A is second by Borda; without t3, B is first by both.
SCORES = pd.DataFrame(
    [[3, 3, 3, 1, 1], [2, 2, 2, 3, 3], [1, 1, 1, 2, 2]], index=list("ABC"), dtype=float
)


@pytest.fixture
def black():
    """Black's rule, in the registry for one test."""
    rules, methods = dict(registry._rules), dict(METHODS)

    @registry.register_rule(
        "majority",
        requires="ballots",
        source="Black 1958",
        score_description=(
            "whether it beats every other system, and else the systems that it is above"
        ),
        ties="no vote for either",
        holds="transitivity anonymity majority condorcet_winner condorcet_loser",
        format_score=registry.format_number,
    )
    def black(scores, *, missing="ignore", **table: Unpack[TableOptions]):
        """Which system beats every other, and if there is none, which has the most points?"""

        def score(ballots):
            winner = score_pairwise(count_pairs(ballots), condorcet)
            return winner if winner.any() else borda(ballots, missing, "average")

        votes = as_votes(scores, **table)
        return rank_votes(votes, ViewRequest("black", "ballots", missing), score)

    yield black
    for table, before in ((registry._rules, rules), (METHODS, methods)):
        table.clear()
        table.update(before)


def test_it_takes_the_options_of_a_table(black):
    assert list(signature(black).parameters)[1:4] == ["weights", "groups", "lower_is_better"]
    assert black(SCORES, weights={0: 0, 1: 0, 2: 0}).index[0] == "B"
    with pytest.raises(TypeError, match="unexpected keyword argument 'weigths'"):
        black(SCORES, weigths={0: 0})


def test_it_ranks(black):
    assert black(SCORES)["score"].to_dict() == {"A": 1.0, "B": 0.0, "C": 0.0}
    cycle = pd.DataFrame({"t1": [3, 2, 1], "t2": [1, 3, 2], "t3": [2, 1, 3]}, index=list("ABC"))
    assert black(cycle)["score"].tolist() == [3.0, 3.0, 3.0]


def test_it_is_on_frames_and_boards_alike(black):
    expected = black(SCORES)
    pd.testing.assert_frame_equal(SCORES.rank.black(), expected)
    pd.testing.assert_frame_equal(nbrank.Leaderboard(SCORES).black(), expected)
    assert "black" in dir(SCORES.rank)
    assert "black" in repr(SCORES.rank)
    assert SCORES.rank.black.__doc__ == black.__doc__


def test_it_is_compared_with_the_others(black):
    assert "black" in nbrank.RULES
    assert nbrank.compare(SCORES)["black"].tolist() == [1, 2, 2]
    assert nbrank.winners(SCORES, ["black"])["black"] == ["A"]
    assert nbrank.compare(SCORES, ["black"], lower_is_better=True).index.tolist() == list("ABC")
    spread = nbrank.bootstrap(SCORES, "black", n_draws=20, seed=0)
    assert np.isfinite(spread["p_best"]).all()


def test_it_is_in_the_readmes_table_and_the_explorers_list(black, monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "docs" / "scripts"))
    import update_readme

    assert "| `black()` | Which system beats every other" in update_readme.rules_table()
    sys.modules.pop("update_readme")
    assert nbrank.explore(SCORES, rules=("black",)).winners == {"black": ["A"]}


def test_a_property_that_nobody_knows_is_refused():
    with pytest.raises(ValueError, match="unknown properties: fairness"):
        registry.register_rule(
            "mean", requires="ballots", source="", score_description="", ties="", holds="fairness"
        )
