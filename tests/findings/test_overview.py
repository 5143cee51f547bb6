"""What picture, report, workbench and terminal say of a table before they rank it."""

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.findings.best_set_text import describe_sample
from nbrank.findings.overview import compute_overview, describe_tasks
from nbrank.votes.user_warnings import PlacesWarning


def test_it_says_what_was_ranked_on_and_what_speaks_against_the_orientation():
    places = pd.DataFrame({t: np.roll([1.0, 2, 3, 4, 5, 6], t) for t in range(4)}, list("ABCDEF"))
    with pytest.warns(PlacesWarning):
        board = nbrank.Leaderboard(places)
    said = "4 tasks, higher is better on all, though the scores look like places, where 1 is best"
    assert describe_tasks(board) == said
    board = nbrank.Leaderboard(places, lower_is_better=True)
    assert describe_tasks(board) == "4 tasks, lower is better on all"


def test_it_says_by_which_score_of_a_file_unless_it_is_only_called_score():
    rows = b"model,data,{},n\nA,x,1,9\nA,y,2,9\nB,x,3,9\nB,y,4,9\n"
    said = {"acc": "2 tasks by acc, higher is better on all", "score": "2 tasks, higher is"}
    for name, text in said.items():
        roles = {"data": "task", name: "score", "n": "description"}
        board = nbrank.read(rows.replace(b"{}", name.encode()), roles=roles)
        assert describe_tasks(board).startswith(text)


def test_it_says_how_many_runs_were_averaged_and_what_was_drawn():
    rows = pd.MultiIndex.from_product([list("AB"), [0, 1, 2]], names=["system", "seed"])
    runs = pd.DataFrame({"t": [1.0, 2, 3, 4, 5, 6], "u": [1.0, 3, 3, 4, 5, 7]}, index=rows)
    board = nbrank.Leaderboard(runs)
    assert describe_tasks(board) == "2 tasks, averages of 3 seeds, higher is better on all"
    assert describe_sample(nbrank.rank_confidence(board, "borda", seed=0)) == "2 tasks"


def test_of_an_order_that_nobody_proved_it_does_not_say_that_several_are_best():
    scores = pd.DataFrame({"t": [2, 1, 0], "u": [1, 2, 0]}, index=list("ABC"))
    seen = compute_overview(scores, rules=["kemeny"])
    assert seen.non_unique_rules == ["kemeny"]
    seen.rankings["kemeny"].attrs["unique"] = None  # as by kemeny(..., accept="best")
    assert seen.non_unique_rules == []


def test_ballots_are_called_so_in_picture_report_and_terminal(heading):
    orders = [["M", "N", "C"], ["N", "C", "M"], ["C", "N", "M"]]
    ballots = nbrank.from_ballots(orders, counts=[42, 26, 15])
    assert describe_tasks(ballots) == "3 kinds of ballot by 83 voters"
    assert describe_tasks(nbrank.from_ballots(orders)) == "3 ballots"
    chart = ballots.picture()
    title, below = heading(chart)
    assert "higher is better" not in title
    assert below.startswith("3 kinds of ballot by 83 voters;")
    assert "as wide as the ballots' weights" in below
    assert describe_sample(nbrank.rank_confidence(ballots, "borda", seed=0)) == "83 voters"


def test_a_report_of_ballots_says_how_many_voters_decide():
    orders = [
        ["M", "N", "C", "K"],
        ["N", "C", "K", "M"],
        ["C", "K", "N", "M"],
        ["K", "C", "N", "M"],
    ]
    page = nbrank.from_ballots(orders, counts=[42, 26, 15, 17]).report(rules=["borda", "plurality"])
    assert "4 systems on 4 kinds of ballot by 100 voters" in page.lead
    assert "task" not in page.lead
    decide = next(section for section in page.sections if section.title == "Which ballots decide?")
    # 21 are too few, 22 are enough.
    fewer = nbrank.from_ballots(orders, counts=[20, 26, 15, 17]).borda()
    assert nbrank.from_ballots(orders, counts=[21, 26, 15, 17]).borda().index[0] == "N"
    assert list(fewer.index[fewer["rank"] == 1]) == ["C"]
    assert "leave out 22 ballots: ballot 1 (22 times). Then C is first." in decide.sentences[1]
