"""Who beats whom: the pairs of a leaderboard are counted once, whoever asks for them."""

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.tournament import majority_graph, smith_set
from nbrank.votes import views
from nbrank.votes.leaderboard import Leaderboard

SCORES = pd.DataFrame({"t1": [3, 2, 1], "t2": [1, 3, 2], "t3": [2, 1, np.nan]}, index=list("ABC"))


def test_the_rules_on_one_leaderboard_share_its_counts(monkeypatch):
    asked, count = [], views.count_pairs
    monkeypatch.setattr(
        views, "count_pairs", lambda profile: asked.append(profile) or count(profile)
    )
    nbrank.compare(SCORES, ["copeland", "minimax", "schulze", "ranked_pairs", "condorcet"])
    assert len(asked) == 1


def test_each_treatment_of_missing_scores_has_counts_of_its_own():
    board = Leaderboard(SCORES)
    tables = {
        missing: nbrank.pairwise(board, missing=missing)
        for missing in ("ignore", "compatible", "worst", "ignore")
    }
    for missing, table in tables.items():
        assert table.equals(nbrank.pairwise(SCORES, missing=missing))
    assert tables["ignore"].loc["B", "C"] == 2
    assert tables["worst"].loc["B", "C"] == 3


def test_what_is_returned_is_the_users_to_change():
    board = Leaderboard(SCORES)
    first = nbrank.pairwise(board)
    first.loc["A", "B"] = 100
    assert nbrank.pairwise(board).loc["A", "B"] == 2


@pytest.mark.parametrize("option", ["function", "rule", "name", "chosen"])
@pytest.mark.parametrize(
    "question",
    [nbrank.pairwise, nbrank.compared, smith_set, majority_graph],
    ids=lambda f: f.__name__,
)
def test_an_unknown_option_is_refused_by_the_name_of_the_function(question, option):
    with pytest.raises(TypeError, match=rf"{question.__name__}\(\) got an unexpected .*'{option}'"):
        question(SCORES, **{option: "B"})
