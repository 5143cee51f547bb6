"""How many runs are missing behind the averages, and of which systems on which tasks."""

import numpy as np
import pandas as pd
import pytest

import nbrank

TASKS = ["abalone", "bike", "cpu", "wine", "yacht"]


def runs(systems="ABCD", seeds=4, level="seed"):
    rows = pd.MultiIndex.from_product([list(systems), range(seeds)], names=["system", level])
    scores = np.random.default_rng(0).random((len(rows), len(TASKS)))
    return pd.DataFrame(scores, index=rows, columns=TASKS)


def said(frame, **options):
    return nbrank.Leaderboard(frame, **options).describe_missing_runs()


def test_nothing_is_said_where_none_is_missing_or_there_are_no_runs():
    assert said(runs()) == ""
    assert said(runs(seeds=1)) == ""
    gap = runs(seeds=1)
    gap.loc["A", "bike"] = np.nan  # a missing score, and not one of several runs
    assert said(gap) == ""
    assert said(pd.DataFrame({"t": [1.0, np.nan]}, index=list("AB"))) == ""


def test_a_run_is_missing_be_it_an_empty_cell_or_a_row_that_is_not_there():
    frame = runs()
    frame.loc[("B", 2), "bike"] = np.nan
    assert said(frame) == "1 of 80 runs is missing, of B on bike"
    assert said(runs().drop(("C", 3))) == "5 of 80 runs are missing, of C on all 5 tasks"


def test_the_systems_with_most_are_first_and_many_are_counted():
    frame = runs("ABCDE")
    frame.loc[("B", 2), "bike"] = np.nan
    frame.loc[("C", [0, 1]), ["cpu", "wine"]] = np.nan
    frame.loc["D", ["abalone", "bike", "cpu", "wine"]] = np.nan
    frame.loc[("E", 0), "yacht"] = np.nan
    assert said(frame) == (
        "22 of 100 runs are missing, of D on abalone, bike, cpu and 1 more (16), "
        "C on cpu and wine (4), B on bike (1) and 1 more"
    )


def test_a_run_that_no_system_has_on_a_task_is_missing_too():
    frame = runs("AB", level="fold")
    frame.loc[(slice(None), 3), "cpu"] = np.nan
    assert said(frame) == "2 of 40 runs are missing, of A on cpu, B on cpu"


def test_groups_and_names_are_written_as_the_page_writes_them():
    frame = runs("AB")
    frame.columns = pd.MultiIndex.from_product([["small"], TASKS])
    frame.loc[("B", 1), ("small", "cpu")] = np.nan
    board = nbrank.Leaderboard(frame)
    assert (
        board.describe_missing_runs(str.lower, "/".join)
        == "1 of 40 runs is missing, of b on small/cpu"
    )


# ----------------------------------------------------------------------- runs within instances


def instance_runs(level="seed", n_runs=3):
    names = ["system", "instance", level]
    rows = pd.MultiIndex.from_product([list("ABC"), range(10), range(n_runs)], names=names)
    return pd.DataFrame({"t": np.random.default_rng(0).random(len(rows))}, index=rows)


@pytest.mark.parametrize("level", ["seed", "run", "attempt", "annotator"])
@pytest.mark.filterwarnings("ignore:scores are averaged over the levels of 'annotator'")
def test_a_run_within_an_instance_is_missing_be_it_an_empty_cell_or_no_row(level):
    frame = instance_runs(level)
    assert said(frame) == ""
    empty = frame.copy()
    empty.iloc[3, 0] = np.nan
    for gap in (empty, frame.drop(frame.index[3])):
        assert said(gap) == "1 of 90 runs is missing, of A on t"


def test_nobody_says_that_nothing_is_missing_where_a_run_within_an_instance_is():
    frame = instance_runs()
    frame.iloc[3, 0] = np.nan
    sentence = "1 of 90 runs is missing, of A on t"
    assert sentence in str(nbrank.recommend(frame))
    page = nbrank.report(frame, rules=["borda"])._repr_html_()
    assert "No score is missing" not in page
    assert "1 of 90 runs is missing" in page


def test_a_run_that_no_system_has_on_an_instance_is_missing_and_a_rater_is_not():
    frame = instance_runs().reset_index()
    gap = frame[(frame["instance"] > 0) | (frame["seed"] < 2)]
    levels = ["system", "instance", "seed"]
    assert said(gap.set_index(levels)) == ("3 of 90 runs are missing, of A on t, B on t, C on t")
    rated = gap.rename(columns={"seed": "annotator"}).set_index(["system", "instance", "annotator"])
    with pytest.warns(UserWarning, match="averaged over the levels of 'annotator'"):
        assert said(rated) == ""


def test_tasks_may_have_other_numbers_of_runs_within_their_instances():
    frame = instance_runs().assign(u=1.0)
    frame.loc[frame.index.get_level_values("seed") > 0, "u"] = np.nan
    assert said(frame) == ""


def test_parts_of_a_table_know_the_runs_of_theirs():
    frame = instance_runs().assign(u=lambda rows: rows["t"])
    frame.iloc[3, 1] = np.nan
    board = nbrank.Leaderboard(frame)
    assert board.describe_missing_runs() == "1 of 180 runs is missing, of A on u"
    assert board.select_tasks(["t"]).describe_missing_runs() == ""
    assert board.select_tasks(["u"]).describe_missing_runs() == "1 of 90 runs is missing, of A on u"
    assert board.select_systems(["C", "A"]).describe_missing_runs().startswith("1 of 120 runs")
    assert board.select_systems(["C", "B"]).describe_missing_runs() == ""
    assert str(board.averaged) == "2 to 3 seeds of each instance"
