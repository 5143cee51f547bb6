"""What picture, report, workbench and terminal say of a table before they rank it."""

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.charts.overview import drawn_from, one_of_several_orders, overview, tasks_of
from nbrank.votes.doubts import PlacesWarning


def test_it_says_what_was_ranked_on_and_what_speaks_against_the_orientation():
    places = pd.DataFrame({t: np.roll([1.0, 2, 3, 4, 5, 6], t) for t in range(4)}, list("ABCDEF"))
    with pytest.warns(PlacesWarning):
        board = nbrank.Leaderboard(places)
    said = (
        "4 tasks, higher is better on all, though the scores look like places, of which 1 is best"
    )
    assert tasks_of(board) == said
    board = nbrank.Leaderboard(places, lower_is_better=True)
    assert tasks_of(board) == "4 tasks, lower is better on all"


def test_it_says_how_many_runs_were_averaged_and_what_was_drawn():
    rows = pd.MultiIndex.from_product([list("AB"), [0, 1, 2]], names=["system", "seed"])
    runs = pd.DataFrame({"t": [1.0, 2, 3, 4, 5, 6], "u": [1.0, 3, 3, 4, 5, 7]}, index=rows)
    board = nbrank.Leaderboard(runs)
    assert tasks_of(board) == "2 tasks, averages of 3 seeds, higher is better on all"
    assert drawn_from(nbrank.rank_confidence(board, "borda", seed=0)) == "2 tasks"


def test_of_an_order_that_nobody_proved_it_does_not_say_that_several_are_best():
    scores = pd.DataFrame({"t": [2, 1, 0], "u": [1, 2, 0]}, index=list("ABC"))
    seen = overview(scores, rules=["kemeny"])
    assert one_of_several_orders(seen) == ["kemeny"]
    seen.rankings["kemeny"].attrs["unique"] = None  # as by kemeny(..., accept="best")
    assert one_of_several_orders(seen) == []
