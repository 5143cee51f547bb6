"""Pairs: shares, significance, the missing-scores paper's matrix, and the majority graph."""

import pandas as pd
import pytest

import nbrank
from nbrank import charts
from nbrank.labelled.compatible_pairs import compatible_pairs as decided_pairs


def test_pairs_show_shares_and_significance(small, rows_of):
    pairs = nbrank.confidence(small)
    chart = charts.pairwise(pairs)
    rows = {(r["system"], r["opponent"]): r for r in rows_of(chart)}
    dots = chart.to_dict()["layer"][1]
    assert dots["mark"]["type"] == "circle"
    assert dots["transform"] == [{"filter": "datum.significant"}]
    assert len(rows) == len(pairs)
    for key, pair in pairs.iterrows():
        assert rows[key]["wins"] == pytest.approx(pair["wins"], abs=1e-6)
        assert rows[key]["significant"] == pair["significant"]


def test_of_many_pairs_those_that_are_not_sure_are_faint():
    systems = range(160)
    index = pd.MultiIndex.from_product([systems, systems]).drop([(s, s) for s in systems])
    pairs = pd.DataFrame(
        {"wins": 0.5, "low": 0.4, "high": 0.6, "n": 5, "significant": False}, index=index
    )
    spec = charts.pairwise(pairs).to_dict()
    cells, _ = spec["layer"]
    assert cells["encoding"]["opacity"]["value"] < 1
    assert spec["title"]["subtitle"] == "faint: neither of the two is significantly better"


def test_pairs_that_never_met_are_said_to_be_grey(rows_of):
    frame = pd.DataFrame({"t1": [2, None], "t2": [None, 1]}, index=["A", "B"], dtype=float)
    chart = charts.pairwise(nbrank.confidence(frame))
    assert [r["wins"] for r in rows_of(chart)] == [None, None]
    assert "grey: the two never met" in chart.to_dict()["title"]["subtitle"]


def test_pairs_need_both_directions(small):
    pairs = nbrank.confidence(small)
    with pytest.raises(ValueError, match="have no rows of their own"):
        charts.pairwise(pairs.loc[[small.index[0]]])
    with pytest.raises(ValueError, match="a row for each system and opponent"):
        charts.pairwise(pairs.reset_index(drop=True))


def test_compatible_pairs_are_green_where_they_are_decided(small, rows_of):
    chart = charts.compatible_pairs(small, delta=0.5)
    drawn = {(r["system"], r["opponent"]): r["lead"] for r in rows_of(chart)}
    pairs = decided_pairs(small, delta=0.5)
    assert drawn == pytest.approx((pairs["low"] - 0.5).clip(lower=0).to_dict())
    assert {pair for pair, lead in drawn.items() if lead > 0} == set(pairs.index[pairs["decided"]])
    assert any(drawn.values())
    order = chart.to_dict()["layer"][0]["encoding"]["y"]["scale"]["domain"]
    assert order == list(nbrank.borda(small).index)


def test_compatible_pairs_say_that_they_claim_no_coverage(gaps):
    chart = charts.compatible_pairs(gaps)
    assert "no coverage claimed" in chart.to_dict()["title"]["subtitle"]
    with pytest.raises(ValueError, match="delta=1 must be between 0 and 1"):
        charts.compatible_pairs(gaps, delta=1)


def test_the_majority_graph_has_an_arrow_for_each_win(frame, rows_of):
    rows = rows_of(charts.majority_graph(frame))
    arrows = {(r["winner"], r["loser"]): r["margin"] for r in rows if "winner" in r}
    chosen = nbrank.copeland(frame).index[:12]
    wins = nbrank.pairwise(frame).loc[chosen, chosen]
    margins = wins - wins.T
    expected = {(a, b): margins.loc[a, b] for a in chosen for b in chosen if margins.loc[a, b] > 0}
    assert arrows == pytest.approx(expected)


def test_the_majority_graph_says_what_it_does_not_draw(frame):
    subtitle = charts.majority_graph(frame, most=5).to_dict()["title"]["subtitle"]
    assert ("5 by Copeland" in subtitle) == (len(frame) > 5)
    level = pd.DataFrame({"t1": [1, 2], "t2": [2, 1]}, index=["A", "B"])
    assert charts.majority_graph(level).to_dict()["title"]["subtitle"] == "no arrow: level"
    clear = pd.DataFrame({"t1": [1, 2]}, index=["A", "B"])
    assert charts.majority_graph(clear).to_dict()["title"]["subtitle"] == ""


def test_the_majority_graph_takes_comparisons(rows_of):
    battles = pd.DataFrame({"left": ["A", "C"], "right": ["B", "B"], "winner": ["A", "B"]})
    comparisons = nbrank.from_comparisons(battles, left="left", right="right", winner="winner")
    rows = rows_of(charts.majority_graph(comparisons))
    assert {(r["winner"], r["loser"]) for r in rows if "winner" in r} == {("A", "B"), ("B", "C")}
