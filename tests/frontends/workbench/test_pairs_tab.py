"""Pairs: whom nobody outside beats, and the first systems drawn."""

import re

import numpy as np
import pandas as pd
import pytest

import nbrank


@pytest.fixture
def pairs_of():
    def read(scores):
        bench = nbrank.explore(scores, rules=("borda", "copeland"))
        bench.tab = "pairs"
        return bench, bench.get_tab_result("pairs")

    return read


def test_a_system_that_beats_every_other_is_named(pairs_of):
    scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 1, 2]}, index=list("ABC"))
    assert "A beats every other system, pair by pair." in pairs_of(scores)[0].text


def test_a_circle_at_the_top_is_named(pairs_of):
    scores = pd.DataFrame({"a": [4, 3, 2, 1], "b": [2, 4, 3, 1], "c": [3, 2, 4, 1]}, list("ABCD"))
    said = (
        "No system beats every other, pair by pair. Each of these 3 beats every system that is "
        "not one of them: A, B and C."
    )
    assert said in pairs_of(scores)[0].text


def test_where_no_group_beats_the_rest_that_is_said(pairs_of):
    scores = pd.DataFrame({"a": [3, 2, 1], "b": [1, 3, 2], "c": [2, 1, 3]}, index=list("ABC"))
    assert "no group of them beats all the rest" in pairs_of(scores)[0].text


def test_of_many_the_first_and_the_one_looked_at_are_drawn(pairs_of):
    scores = pd.DataFrame(np.random.default_rng(0).random((30, 9))).rename(index="s{}!".format)
    bench, pairs = pairs_of(scores)
    bench.system = bench.ranking.index[-1]
    drawn = {system for system in scores.index if f">{system}</button>" in pairs.matrix.html}
    assert drawn == {*bench.ranking.index[:24], bench.system}
    assert "The table has 25 of 30 systems." in pairs.html.html


def test_one_system_alone_draws_nothing(pairs_of):
    _, pairs = pairs_of(pd.DataFrame({"t": [1]}, index=["A"]))
    assert pairs.matrix.html == pairs.graph.html == ""


def test_of_comparisons_it_is_said_why_the_bars_tell_more_apart(pairs_of):
    rows = pd.DataFrame({"a": list("AAB") * 9, "b": list("BCC") * 9, "won": list("ACB") * 9})
    comparisons = nbrank.from_comparisons(rows, left="a", right="b", winner="won")
    bench = nbrank.explore(comparisons)
    bench.tab = "pairs"
    bench.rule = "bradley_terry"
    assert bench.rank_sets is not None
    assert "each pair by its own comparisons alone" in bench.get_tab_result("pairs").html.html
    scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 1, 2]}, index=list("ABC"))
    assert "own comparisons" not in pairs_of(scores)[0].text


def test_as_many_pairs_are_told_apart_as_the_report_says():
    rng = np.random.default_rng(5)
    rows = pd.DataFrame(rng.integers(0, 6, (150, 2)), columns=["a", "b"]).query("a != b")
    rows["won"] = np.where(rng.random(len(rows)) < 0.75, rows.min(axis=1), rows.max(axis=1))
    battles = nbrank.from_comparisons(rows, left="a", right="b", winner="won")
    page = nbrank.report(battles, rules=["bradley_terry", "copeland"])
    (section,) = [part for part in page.sections if part.title == "Who beats whom?"]
    bench = nbrank.explore(battles)
    bench.tab = "pairs"
    matrix = bench.get_tab_result("pairs").matrix.html
    by_itself = int(nbrank.confidence(battles)["significant"].sum()) // 2
    sure = len(section.table)
    assert f"For {sure} of these it is sure" in section.sentences[0]
    assert f"<h4>{sure} of 15 pairs can be told apart</h4>" in matrix
    assert sure != by_itself


def cells(pairs):
    """The numbers of the matrix, row by row; None on the diagonal, and of pairs that never met."""
    rows = re.findall(r"<tr>(.*?)</tr>", pairs.matrix.html.partition("<tbody>")[2])
    texts = [re.findall(r"<td.*?>(?:<b>)?(\d*)(?:</b>)?</td>", row) for row in rows]
    return [[int(text) if text else None for text in row] for row in texts]


def names(pairs):
    return re.findall(r">([^<]*)</button>", pairs.matrix.html)


def test_the_systems_stand_in_the_order_of_the_ranking_in_force(votes):
    bench = nbrank.explore(votes, rules=("plurality", "borda"))
    bench.tab = "pairs"
    orders = []
    for rule in ("plurality", "borda", "antiplurality"):
        bench.rule = rule
        orders.append(names(bench.get_tab_result("pairs")))
        assert orders[-1] == list(bench.ranking.index)
    assert orders[0] != orders[1]


def test_the_numbers_are_the_shares_that_the_row_won(pairs_of):
    scores = pd.DataFrame(np.random.default_rng(2).integers(0, 4, (5, 8)), index=list("ABCDE"))
    bench, pairs = pairs_of(scores)
    order = list(bench.ranking.index)
    wins = nbrank.pairwise(scores).loc[order, order] / 8
    expected = [
        [None if i == j else round(100 * share) for j, share in enumerate(row)]
        for i, row in enumerate(wins.to_numpy().tolist())
    ]
    assert cells(pairs) == expected


def test_those_that_are_told_apart_are_bold(pairs_of):
    scores = pd.DataFrame([range(2, 62), range(1, 61), range(60)], index=list("ABC"))
    _, pairs = pairs_of(scores)
    assert "<h4>3 of 3 pairs can be told apart</h4>" in pairs.matrix.html
    assert pairs.matrix.html.count("<b>100</b>") == pairs.matrix.html.count("<b>0</b>") == 3


def test_as_many_are_told_apart_as_under_how_sure():
    bench = nbrank.explore(nbrank.datasets.load_superglue_submissions())
    bench.tab = "pairs"
    matrix = bench.get_tab_result("pairs").matrix.html
    told = re.search(r"<h4>(\d+ of 276) pairs", matrix)[1]
    assert "The test is that of all ranks by Borda, as under How sure." in matrix
    bench.tab = "confidence"
    assert f"{told} pairs of systems are told apart" in bench.text


def test_a_press_on_a_name_looks_at_the_system(pairs_of, press):
    bench, pairs = pairs_of(pd.DataFrame({"t1": [3, 2, 1]}, index=list("ABC")))
    press(pairs.matrix, "system", 1)
    assert bench.system == "B"


def test_the_graph_of_the_first_six_stands_below_the_numbers(pairs_of):
    scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 1, 2], "t3": [1, 2, 3]}, index=list("ABC"))
    bench, pairs = pairs_of(scores)
    assert bench._shown.children[:2] == pairs.wide == (pairs.matrix, pairs.graph)
    assert "<h4>Who beats whom?</h4>" in pairs.graph.html
    assert ">2:1</text>" in pairs.graph.html
    assert "The numbers count tasks." in pairs.graph.html
    bench.tab = "rules"
    assert pairs.matrix not in bench._shown.children
    many = pd.DataFrame(np.random.default_rng(0).random((9, 3))).rename(index="s{}".format)
    bench, pairs = pairs_of(many)
    assert "Who beats whom of the first 6?" in pairs.graph.html
    drawn = re.findall(r"<title>(\w+)</title>", pairs.graph.html)
    assert sorted(drawn) == sorted(bench.ranking.index[:6])
