"""Rank intervals, groups that can't be told apart, and strengths."""

import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import pytest
import vl_convert

import nbrank
from nbrank import charts

SETS = pd.DataFrame(
    {"rank": [1, 2, 3, 4], "low": [1, 1, 3, 4], "high": [2, 3, 3, 4]}, index=list("ABCD")
)


def test_intervals_run_from_low_to_high(frame, rows_of):
    spread = nbrank.bootstrap(frame, "borda", n_draws=20, seed=0)
    rows = {r["system"]: r for r in rows_of(charts.rank_intervals(spread))}
    for system, row in spread.iterrows():
        assert (rows[system]["low"], rows[system]["high"]) == (row["low"], row["high"])


def test_rank_intervals_of_the_first_few_stay_on_the_axis():
    sets = pd.DataFrame({"rank": [1, 2, 3], "low": [1, 1, 2], "high": [2, 7, 9]}, index=list("ABC"))
    domains = {
        tuple(layer["encoding"]["x"]["scale"]["domain"])
        for layer in charts.rank_intervals(sets).to_dict()["layer"][:-1]
    }
    assert domains == {(0.5, 9.5)}


def test_intervals_of_strengths_are_no_intervals_of_ranks(frame):
    strengths = nbrank.strengths(frame, prior=1)
    with pytest.raises(ValueError, match=r"'low' is not a rank.* are drawn by charts.strengths"):
        charts.rank_intervals(strengths)
    groups = nbrank.tie_groups(nbrank.rank_confidence(frame, "borda", seed=0))
    with pytest.raises(
        ValueError, match="takes as intervals what nbrank.rank_confidence.*not a rank"
    ):
        charts.tie_groups(groups, strengths)


@pytest.mark.parametrize("wrong", [0, -1, 2.5, np.nan, np.inf, "two"])
def test_a_bound_that_is_no_rank_is_refused_by_its_system(wrong):
    high = pd.Series([2, wrong, 3, 4], index=list("ABCD"))
    with pytest.raises(
        ValueError, match="'high' is not a rank, a whole number from 1 on, for 'B';"
    ):
        charts.rank_intervals(SETS.assign(high=high))


def test_the_title_says_what_the_intervals_are_and_how_sure(small):
    def heading(frame):
        title = charts.rank_intervals(frame).to_dict()["title"]
        return title["text"], title["subtitle"]

    assert heading(nbrank.bootstrap(small, "borda", n_draws=20, seed=0)) == (
        "How far the ranks spread",
        "in 95 % of the draws of tasks, which claims no coverage",
    )
    sets = nbrank.rank_confidence(small, "borda", delta=0.1, seed=0)
    confident = "with 90 % confidence, of all systems at once, over tasks"
    could = int((sets["low"] == 1).sum())
    assert heading(sets) == (f"Rank 1 is in {could} of {len(sets)} rank sets", confident)
    single = nbrank.rank_confidence(small, "borda", joint=False, seed=0)
    assert heading(single)[1] == "with 95 % confidence, of each system by itself, over tasks"
    assert heading(SETS) == ("Rank 1 is in 2 of 4 rank sets", "")
    spread = nbrank.bootstrap(
        small, "borda", n_draws=20, seed=0, over="errors", errors=small * 0 + 1
    )
    assert "the draws of the standard errors of the scores" in str(heading(spread)[1])
    # Of some systems only, nobody knows how many there are.
    assert heading(SETS.iloc[:2]) == ("Which ranks are possible", "")


def test_the_caption_says_over_what_the_confidence_holds():
    def caption(sets):
        lines = charts.rank_intervals(sets).to_dict()["title"]["subtitle"]
        text = lines if isinstance(lines, str) else " ".join(lines)
        return text.removeprefix("with 95 % confidence, of all systems at once")

    rows = pd.MultiIndex.from_product([list("ABC"), range(3)], names=["system", "seed"])
    runs = pd.DataFrame({f"t{k}": [(k + 3) * n % 7 for n in range(9)] for k in range(8)}, rows)
    for over, text in (("tasks", "tasks"), ("seeds", "runs"), (None, "tasks and errors of the")):
        sets = nbrank.rank_confidence(runs, "mean", over=over, seed=0)
        assert caption(sets).startswith(f", over {text}")
    clusters = pd.MultiIndex.from_tuples(
        [(system, item // 2, item) for system in "AB" for item in range(18)],
        names=["system", "passage", "instance"],
    )
    items = pd.DataFrame({"t": [number % 5 for number in range(36)]}, index=clusters)
    sets = nbrank.rank_confidence(items, "mean", cluster="passage", seed=0)
    assert caption(sets) == ", over passages"
    battles = pd.DataFrame({"left": list("ABCAB"), "right": list("BCABC"), "winner": list("ABCBC")})
    compared = nbrank.from_comparisons(battles, left="left", right="right", winner="winner")
    sets = compared.rank_confidence("bradley_terry", seed=0)
    assert caption(sets) == ", over comparisons"
    # Nobody knows where estimates come from.
    sets = nbrank.rank_confidence_from({"A": 1.0, "B": 2.0}, {"A": 0.1, "B": 0.1}, seed=0)
    assert caption(sets) == ""


@pytest.mark.parametrize("n", [1, 2, 3, 4, 12])
def test_the_axis_has_a_tick_for_each_rank(n):
    intervals = pd.DataFrame({"rank": range(1, n + 1), "low": 1, "high": n}).set_index(
        pd.Index([f"system {i}" for i in range(n)])
    )
    drawn = ET.fromstring(vl_convert.vegalite_to_svg(charts.rank_intervals(intervals).to_json()))
    texts = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert [int(text) for text in texts if text.isdigit()] == list(range(1, n + 1))


@pytest.mark.parametrize("intervals", [None, SETS])
def test_a_group_has_a_dot_in_the_row_of_each_of_its_systems(intervals, rows_of, heading):
    chart = charts.tie_groups(nbrank.tie_groups(SETS), intervals)
    rows = rows_of(chart)
    dots = [(r["group"], r["system"]) for r in rows if "group" in r]
    assert dots == [("1", "A"), ("1", "B"), ("2", "B"), ("2", "C"), ("3", "D")]
    joints = [(r["first"], r["last"], r["lane"]) for r in rows if "first" in r]
    assert [joint[:2] for joint in joints] == [("A", "B"), ("B", "C")]
    # Each is called by its label, at its upper end, and a group of one is no line.
    assert {(r["label"], r["system"]) for r in rows if "label" in r} == {
        ("1", "A"), ("2", "B"), ("3", "D"),
    }  # fmt: skip
    spans = {r["group"]: r["ranks"] for r in rows if "group" in r}
    assert spans == {"1": "1 to 2", "2": "3", "3": "4"}
    lanes = {r["group"]: r["lane"] for r in rows if "group" in r}
    assert [lane for *_, lane in joints] == [lanes["1"], lanes["2"]]
    title, below = heading(chart)
    assert title == "2 groups of systems that may share a rank"
    assert "two systems may be told apart although they may share a rank" in below
    assert ("its dot: its rank" in below) == (intervals is not None)


def test_the_title_of_groups_says_where_nothing_or_all_is_told_apart(heading):
    together = pd.DataFrame({"rank": [1, 2], "low": 1, "high": 2}, index=list("AB"))
    apart = pd.DataFrame({"rank": [1, 2], "low": [1, 2], "high": [1, 2]}, index=list("AB"))
    for sets, said in (
        (together, "All systems may share a rank"),
        (apart, "Every system can be told apart from every other"),
    ):
        assert heading(charts.tie_groups(nbrank.tie_groups(sets), sets))[0] == said


def test_groups_of_pairs_are_called_so(heading):
    groups = pd.DataFrame({"low": [1, 3], "high": [2, 3], "systems": [["A", "B"], ["C"]]})
    groups.attrs["of"] = "pairs"
    title, below = heading(charts.tie_groups(groups))
    assert title == "1 group of systems that can't be told apart"
    assert "a line joins systems that can't be told apart" in below
    assert "although" not in below
    one = groups.iloc[:1]
    assert heading(charts.tie_groups(one))[0] == "No two systems can be told apart"


def test_a_group_that_shares_no_rank_says_so(rows_of):
    groups = pd.DataFrame({"low": pd.NA, "high": pd.NA, "systems": [["A", "B"]]}, index=[1])
    groups = groups.astype({"low": "Int64", "high": "Int64"})
    assert {row["ranks"] for row in rows_of(charts.tie_groups(groups)) if "group" in row} == {
        "none"
    }


def test_behind_the_groups_are_the_ranks_open_to_each_system(frame, rows_of):
    n = len(frame)
    low = np.maximum(np.arange(1, n + 1) - 3, 1)
    sets = pd.DataFrame(
        {"rank": range(1, n + 1), "low": low, "high": np.minimum(low + 6, n)}, index=frame.index
    )
    groups = nbrank.tie_groups(sets)
    rows = rows_of(charts.tie_groups(groups, sets))
    drawn = {r["system"]: (r["low"], r["high"]) for r in rows if "low" in r}
    assert drawn == {s: (row["low"], row["high"]) for s, row in sets.iterrows()}
    assert sum("group" in r for r in rows) == groups["systems"].map(len).sum()


def test_many_groups_stand_in_lanes_that_they_share_only_where_they_do_not_touch(rows_of):
    n = 40
    low = np.maximum(np.arange(1, n + 1) - 3, 1)
    sets = pd.DataFrame({"rank": range(1, n + 1), "low": low, "high": np.minimum(low + 6, n)})
    groups = nbrank.tie_groups(sets)
    rows = rows_of(charts.tie_groups(groups, sets))
    lines = [r for r in rows if "first" in r]
    assert [(r["first"], r["last"]) for r in lines] == [
        (str(systems[0]), str(systems[-1])) for systems in groups["systems"]
    ]
    dots = {(r["group"], r["system"]): r["lane"] for r in rows if "group" in r}
    # Beyond the ranks, and one system a row has one dot at most in each lane.
    assert min(dots.values()) > n
    assert len({(system, lane) for (_, system), lane in dots.items()}) == len(dots)
    for one in lines:
        for other in lines:
            if one is not other and one["lane"] == other["lane"]:
                assert int(one["last"]) < int(other["first"]) or int(other["last"]) < int(
                    one["first"]
                )


def test_of_very_many_groups_those_not_drawn_are_counted(rows_of, heading):
    members = [[0, place] for place in range(1, 71)]
    groups = pd.DataFrame({"low": 1, "high": range(2, 72), "systems": members})
    chart = charts.tie_groups(groups)
    assert heading(chart)[1].endswith("; 10 groups more not drawn")
    assert len({r["lane"] for r in rows_of(chart) if "first" in r}) == 60


def test_rows_stand_in_the_order_of_the_ranks_in_every_layer():
    sets = SETS.iloc[::-1].set_axis(list("ABCD"), axis=0)
    spec = charts.tie_groups(nbrank.tie_groups(sets), sets).to_dict()
    *layers, _ = spec["layer"]  # the last one keeps room for the names
    orders = [layer["encoding"]["y"]["scale"]["domain"] for layer in layers]
    assert orders == [list("DCBA")] * len(orders)


def test_groups_and_intervals_are_of_the_same_systems():
    with pytest.raises(ValueError, match="the groups and the intervals have different systems"):
        charts.tie_groups(nbrank.tie_groups(SETS), SETS.iloc[:3])


def test_strengths_have_a_point_within_an_interval_and_a_line_at_the_average(frame, rows_of):
    found = nbrank.strengths(frame, prior=1)
    chart = charts.strengths(found)
    rows = rows_of(chart)
    drawn = {r["system"]: r for r in rows if "system" in r}
    for system, row in found.iterrows():
        assert [drawn[system][key] for key in ("low", "strength", "high")] == pytest.approx(
            row[["low", "strength", "high"]].tolist()
        )
    assert [r for r in rows if "system" not in r] == [{"strength": 0.0}]
    order = chart.to_dict()["layer"][1]["encoding"]["y"]["scale"]["domain"]
    assert order == list(found.index)


def test_strengths_without_a_bound_are_still_drawn(rows_of):
    found = pd.DataFrame(
        {"rank": [1, 2], "strength": [0.5, -0.5], "low": [-np.inf, -1.0], "high": [np.inf, 0.0]},
        index=["A", "B"],
    )
    drawn = {r["system"]: r for r in rows_of(charts.strengths(found)) if "system" in r}
    assert (drawn["A"]["low"], drawn["A"]["strength"]) == (None, 0.5)
