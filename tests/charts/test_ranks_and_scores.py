"""Ranks from rule to rule, and the scores behind them."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import nbrank
from nbrank import charts
from nbrank.findings.labels import rule_title

RULES = ["borda", "plurality", "copeland"]


def test_ranks_show_every_rank(frame, rows_of):
    table = nbrank.compare(frame, RULES).rename(columns=rule_title)
    rows = rows_of(charts.ranks(table))
    drawn = {
        (r["system"], r["rule"]): r["rank"]
        for r in rows
        if "slot" in r and "system" in r and "rank" in r
    }
    for (system, rule), rank in drawn.items():
        assert table.loc[system, rule] == rank
    assert len(drawn) == table.size


def test_ranks_name_the_rules_that_refused_and_refuse_when_all_did(gaps):
    with pytest.warns(nbrank.RuleRefusedWarning):
        table = nbrank.compare(gaps, ["borda", "mean"])
    assert "mean" in charts.ranks(table).to_dict()["title"]["subtitle"]
    with pytest.raises(ValueError, match="no rule ranked the systems: 'mean' are NA"):
        charts.ranks(table[["mean"]])
    with pytest.raises(ValueError, match="highlight: unknown 'Z'"):
        charts.ranks(table, highlight=["Z"])


def coloured(rows):
    """The systems drawn in colour: all but the last colour, which is the quiet one."""
    quiet = max(r["colour"] for r in rows if "rank" in r and "colour" in r)
    return {r["system"] for r in rows if "rank" in r and r.get("colour", quiet) != quiet}


def test_those_first_somewhere_are_coloured(rows_of):
    table = pd.DataFrame({"r": [1, 2, 3, 4], "s": [2, 1, 3, 4]}, index=list("ABCD"))
    assert coloured(rows_of(charts.ranks(table))) == {"A", "B"}
    assert coloured(rows_of(charts.ranks(table, highlight=["C"]))) == {"C"}


def test_no_colour_of_a_system_is_grey_as_the_others_are():
    channels = [[int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in charts.PALETTE]
    assert min(max(one) - min(one) for one in channels) > 64
    assert len(set(charts.PALETTE)) == 7


def test_of_many_systems_seven_are_coloured_and_named(rows_of):
    table = pd.DataFrame({rule: range(1, 301) for rule in "rs"})
    rows = rows_of(charts.ranks(table))
    assert coloured(rows) == set("0123456")
    said = " ".join(r["label"] for r in rows if "label" in r)
    assert all(f"{rank}. {rank - 1}" in said for rank in range(1, 8))


def test_who_shares_a_rank_stands_side_by_side_joined_by_a_bar(rows_of, heading):
    few = pd.DataFrame({"r": [3, 2, 1, 4], "s": [1, 1, 1, 4]}, index=list("ABCD"))
    chart = charts.ranks(few)
    rows = rows_of(chart)
    assert [r["label"] for r in rows if r.get("rule") == "s" and "label" in r] == [
        "1. C", "1. B", "1. A", "4. D",
    ]  # fmt: skip
    points = {(r["system"], r["rule"]): r["slot"] for r in rows if "rank" in r and "system" in r}
    # In the order of the rule before.
    assert [points[system, "s"] for system in "ABCD"] == [3, 2, 1, 4]
    (bar,) = [r for r in rows if "last" in r]
    assert bar == {"rule": "s", "rank": 1, "slot": 1, "last": 3, "shared by": "A, B and C"}
    assert "a grey bar joins systems that share a rank" in heading(chart)[1]
    assert heading(charts.ranks(few[["r"]]))[1] == ""


@settings(max_examples=20, deadline=None)
@given(arrays(int, st.tuples(st.integers(1, 9), st.integers(1, 4)), elements=st.integers(0, 4)))
def test_no_two_systems_stand_at_the_same_place(points):
    places = pd.DataFrame(points).rank(ascending=False, method="min")
    found = [r for r in rows_of_chart(charts.ranks(places.add_prefix("r"))) if "rank" in r]
    drawn = [(r["rule"], r["slot"]) for r in found if "system" in r]
    assert len(set(drawn)) == len(drawn) == places.size
    for row in found:
        if "system" in row:
            ranks = places.add_prefix("r").rename(str)[row["rule"]]
            assert row["rank"] <= row["slot"] < row["rank"] + (ranks == row["rank"]).sum()


def rows_of_chart(chart):
    return [row for rows in chart.to_dict()["datasets"].values() for row in rows]


def test_labels_keep_apart(rows_of):
    many = pd.DataFrame({rule: range(1, 301) for rule in "rs"})
    chart = charts.ranks(many, highlight=range(20, 27))
    spec = chart.to_dict()
    step = spec["height"] / 300
    places = sorted({r["slot"] for r in rows_of(chart) if "label" in r})
    assert np.diff(places).min() * step >= 10


def test_each_of_those_in_colour_has_a_label_of_its_own_where_only_they_are_named(rows_of):
    names = [f"a family of models with a long name, version {i}" for i in range(300)]
    many = pd.DataFrame({"r": range(1, 301), "s": [*range(300, 0, -1)]}, index=names)
    chart = charts.ranks(many, highlight=names[290:])
    labels = [r for r in rows_of(chart) if "label" in r]
    for rule in "rs":
        own = {r["system"]: r for r in labels if r["rule"] == rule}
        assert list(own) == sorted(names[290:], key=lambda name: many.loc[name, rule])
        # The first in colour has the first colour, also where it is last.
        assert [own[name]["colour"] for name in names[290:]] == list(range(10))
        assert all(r["label"].startswith(f"{many.loc[name, rule]}. ") for name, r in own.items())
    assert max(r["slot"] for r in labels) <= 300


def test_rules_are_named_in_words_unless_two_would_be_alike(rows_of):
    table = pd.DataFrame({"mean_win_rate": [1, 2], "borda": [2, 1]}, index=list("AB"))
    assert {r["rule"] for r in rows_of(charts.ranks(table))} == {"mean win rate", "Borda"}
    alike = table.set_axis(["a_b", "a b"], axis=1)
    assert {r["rule"] for r in rows_of(charts.ranks(alike))} == {"a_b", "a b"}


def test_the_names_at_both_ends_of_many_rules_are_in_sight():
    table = pd.DataFrame({f"rule {i}": [1, 2] for i in range(21)}, index=list("AB"))
    assert charts.ranks(table).to_dict()["width"] <= 560


def test_a_ranking_is_no_comparison():
    scores = pd.DataFrame({"t": [3, 2, 1]}, index=list("ABC"))
    with pytest.raises(ValueError, match="this is the ranking of one rule, with its scores"):
        charts.ranks(nbrank.borda(scores))


def test_scores_speak_of_empty_cells_only_where_there_are_any(small, heading):
    below = heading(charts.scores(small))[1]
    assert ("an empty cell is a missing score" in below) == small.isna().any(axis=None)


def test_ranks_of_the_first_few_systems_stay_within_the_drawing():
    table = pd.DataFrame({"r": [1, 2], "s": [40, 1]}, index=["A", "B"])
    spec = charts.ranks(table).to_dict()
    assert spec["layer"][0]["encoding"]["y"]["scale"]["domain"] == [40.5, 0.5]


@pytest.mark.parametrize(
    ("table", "at_fault"),
    [
        (pd.DataFrame({"t": [0.5, 1.0]}, index=["A", "B"]), "0.5 of 'A' in 't'"),
        (pd.DataFrame({"t": [1, 0]}, index=["A", "B"]), "of 'B' in 't'"),
        (pd.DataFrame({"t": ["1", "first"]}, index=["A", "B"]), "'first' of 'B' in 't'"),
        (pd.DataFrame({"s": [1, 2], "t": [1, -2]}, index=["A", "B"]), "of 'B' in 't'"),
        (pd.DataFrame({"t": [np.inf, 1.0]}, index=["A", "B"]), "inf of 'A' in 't'"),
    ],
)
def test_what_are_no_ranks_is_refused_with_a_hint(table, at_fault):
    with pytest.raises(ValueError, match="whole numbers from 1 on") as refusal:
        charts.ranks(table)
    assert at_fault in str(refusal.value)
    assert "nbrank.compare(scores, rules)" in str(refusal.value)
    assert "charts.scores" in str(refusal.value)


def test_charts_of_ranks_stand_side_by_side(rows_of):
    import altair as alt

    tables = [pd.DataFrame({"r": [1, 2]}, index=names) for names in (["A", "B"], ["A", "C"])]
    # Altair warns where two charts share a selection, and here warnings are errors.
    rows = rows_of(alt.hconcat(*map(charts.ranks, tables)))
    assert {r["system"] for r in rows if "colour" in r} == {"A", "B", "C"}


def test_rules_of_one_name_are_refused():
    table = pd.DataFrame([[1, 1], [2, 2]], columns=["r", "r"])
    with pytest.raises(ValueError, match="duplicate rules: 'r'"):
        charts.ranks(table)


def test_scores_show_every_cell_in_the_order_of_the_ranking(frame, rows_of):
    chart = charts.scores(frame)
    rows = rows_of(chart)
    assert len({(r["system"], r["task"]) for r in rows}) == frame.size
    for row in rows[:500]:
        score = frame.loc[row["system"].split(". ", 1)[1], row["task"]]
        assert row["score"] is None if np.isnan(score) else row["score"] == score
    first = chart.to_dict()["layer"][0]["encoding"]["y"]["scale"]["domain"][0]
    assert first == f"1. {nbrank.borda(frame).index[0]}"


def test_scores_are_coloured_by_orientation(rows_of):
    frame = pd.DataFrame({"seconds": [1.0, 2.0, 3.0]}, index=["A", "B", "C"])
    rows = rows_of(charts.scores(frame, lower_is_better=True))
    assert {r["system"][3:]: r["shade"] for r in rows} == {"A": 1.0, "B": 0.535, "C": 0.07}


def test_infinite_scores_are_shown_as_such(rows_of):
    frame = pd.DataFrame({"t": [np.inf, 1.0, -np.inf, np.nan]}, index=list("ABCD"))
    shown = {r["system"][3:]: r["shown"] for r in rows_of(charts.scores(frame))}
    assert shown == {"A": "∞", "B": "1", "C": "−∞", "D": ""}


def test_instance_level_scores_are_drawn_as_the_means_of_the_tasks(rows_of):
    index = pd.MultiIndex.from_product([["B", "A"], [1, 2]], names=["system", "instance"])
    frame = pd.DataFrame({"t": [1.0, 0.0, 1.0, 1.0]}, index=index)
    drawn = {r["system"]: r["score"] for r in rows_of(charts.scores(frame))}
    assert drawn == {"2. B": 0.5, "1. A": 1.0}


def test_a_ranking_of_other_systems_is_refused(small):
    with pytest.raises(ValueError, match="have different systems: 'Z'"):
        charts.scores(small, nbrank.borda(small.rename(index={small.index[0]: "Z"})))


def test_a_tie_of_most_in_first_place_colours_nobody(rows_of):
    table = pd.DataFrame(
        {"borda": range(1, 13), "antiplurality": [1] * 11 + [12]}, index=list("ABCDEFGHIJKL")
    )
    assert coloured(rows_of(charts.ranks(table))) == {"A"}
    # Where no rule says more, all who are first are in colour, as far as there are colours.
    assert len(coloured(rows_of(charts.ranks(table[["antiplurality"]])))) == 7


@given(arrays(int, (7, 3), elements=st.integers(0, 3)))
def test_the_title_says_that_first_place_moves_only_where_nobody_keeps_it(points):
    ranks = pd.DataFrame(points, index=list("ABCDEFG")).rank(method="min").astype(int)
    told = ranks.loc[:, (ranks == 1).sum() <= 3]
    said = " ".join(np.atleast_1d(charts.ranks(ranks.add_prefix("rule ")).title.text))
    keeps = list(told.index[(told == 1).all(axis=1)]) if told.shape[1] else []
    assert said.startswith("First place moves") == (told.shape[1] > 0 and not keeps)
    if keeps:
        assert ("throughout" in said) == (told.shape[1] == ranks.shape[1])
        others = told.index[(told == 1).any(axis=1)].difference(keeps)
        assert ("at times" in said) == (len(others) > 0)
        beside = said.partition(" with ")[2]
        assert beside == (" and ".join(others) if len(others) < 3 else f"{len(others)} others")


def test_a_rule_without_ranks_is_named_and_not_said_to_refuse(heading):
    cycle = pd.DataFrame([[3, 1, 2], [2, 3, 1], [1, 2, 3]], index=list("ABC"), columns=list("xyz"))
    chart = charts.ranks(nbrank.compare(cycle, ["borda", "condorcet"]))
    assert "left out, since they give no ranks: Condorcet" in heading(chart)[1]


def test_the_title_says_who_is_first(heading):
    def title(**columns):
        return heading(charts.ranks(pd.DataFrame(columns, index=list("ABCDE"))))[0]

    assert title(x=[1, 2, 3, 4, 5], y=[1, 3, 2, 4, 5]) == "A is first throughout"
    assert title(x=[1, 2, 3, 4, 5], y=[2, 1, 3, 4, 5]) == "First place moves between A and B"
    assert title(x=[1, 2, 3, 4, 5], y=[1, 1, 1, 1, 5]) == "A is first where one is"
    shared = title(x=[1, 2, 3, 4, 5], y=[1, 1, 3, 4, 5])
    assert shared == "A is first throughout, at times shared with B"
    of_few = title(x=[1, 2, 3, 4, 5], y=[1, 1, 3, 4, 5], z=[2, 1, 1, 1, 5])
    assert of_few == "A is first where few are, at times shared with B"
    tied = {"x": [1, 1, 3, 4, 5], "y": [1, 1, 4, 3, 5]}
    assert title(**tied) == "A and B share first place throughout"
    assert title(x=[2, 3, 4, 5, 6]) == "How the ranks move"
