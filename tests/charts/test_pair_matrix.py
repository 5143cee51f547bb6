"""Pairs: shares, significance, the missing-scores paper's matrix, and the majority graph."""

import re

import pandas as pd
import pytest
import vl_convert

import nbrank
from nbrank import charts
from nbrank.charts.palette import LEADER, LOOKED_AT, QUIET
from nbrank.uncertainty.pair_intervals import compatible_pairs as decided_pairs


def test_pairs_show_shares_and_significance(small, rows_of):
    pairs = nbrank.confidence(small)
    chart = charts.pairwise(pairs)
    rows = {(r["system"], r["opponent"]): r for r in rows_of(chart)}
    dots = chart.to_dict()["layer"][1]
    assert dots["mark"]["type"] == "circle"
    assert dots["transform"][-1] == {"filter": "datum.significant"}
    assert len(rows) == len(pairs)
    for key, pair in pairs.iterrows():
        assert rows[key]["wins"] == round(pair["wins"], 3)
        assert (rows[key]["low"], rows[key]["high"]) == (
            round(pair["low"], 3),
            round(pair["high"], 3),
        )
        assert (rows[key]["n"], rows[key]["significant"]) == (pair["n"], pair["significant"])


def cells_drawn(chart):
    """What the cells say to those who listen, and their colours, as they are drawn."""
    svg = vl_convert.vegalite_to_svg(chart.to_json())
    cells = re.findall(r'aria-label="([^"]*opponent: [^"]*)"[^>]*?fill="([^"]*)"', svg)
    return {
        tuple(re.search(rf"{field}: ([^;]*)", text)[1] for field in ("system", "opponent")): (
            float(re.search(r"\bn: ([^;]*)", text)[1]),
            colour,
        )
        for text, colour in cells
    }


def test_each_cell_stands_in_the_row_and_column_of_its_pair():
    frame = pd.DataFrame({"t": [3, 2, 1], "u": [3, None, 2], "v": [2, 1, None]}, list("ABC"))
    pairs = nbrank.confidence(frame)
    drawn = cells_drawn(charts.pairwise(pairs))
    assert {pair: n for pair, (n, _) in drawn.items()} == pairs["n"].to_dict()
    met = nbrank.compared(frame)
    assert {pair: n for pair, (n, _) in cells_drawn(charts.compatible_pairs(frame)).items()} == {
        (a, b): met.loc[a, b] for a in met for b in met if a != b
    }


def test_the_page_of_many_pairs_is_small():
    systems = [f"a system with a rather long name, number {i}" for i in range(160)]
    index = pd.MultiIndex.from_product([systems, systems])
    index = index[index.get_level_values(0) != index.get_level_values(1)]
    pairs = pd.DataFrame(
        {"wins": 1 / 3, "low": 0.123456, "high": 0.654321, "n": 50, "significant": True}, index
    )
    assert len(charts.pairwise(pairs).to_json(indent=None)) < 40 * len(pairs)


def test_the_caption_says_at_which_level_pairs_were_tested_and_whether_by_themselves(heading):
    frame = pd.DataFrame({f"t{i}": [2, 1] for i in range(40)}, index=list("AB"))

    def caption(pairs):
        return heading(charts.pairwise(pairs))[1]

    colours = "blue: the row is better, orange: the column"
    start = f"{colours}; a dot: one of the two is significantly better"
    assert caption(nbrank.confidence(frame)) == f"{start} (each pair tested by itself, level 5 %)"
    adjusted = nbrank.confidence(frame, delta=0.01, adjust="holm")
    assert caption(adjusted) == f"{start} (over all pairs at once, level 1 %)"
    clusters = pd.MultiIndex.from_tuples(
        [(system, item // 2, item) for system in "AB" for item in range(18)],
        names=["system", "passage", "instance"],
    )
    items = pd.DataFrame({"t": [2] * 18 + [1] * 18}, index=clusters)
    drawn = nbrank.confidence(items, cluster="passage")
    assert caption(drawn) == f"{start} (each pair tested by itself, level 5 %, over passages)"
    unknown = nbrank.confidence(frame)
    unknown.attrs = {}
    assert caption(unknown) == start
    few = caption(nbrank.confidence(frame[["t0"]]))
    assert (
        few == f"{colours}; no pair differs significantly (each pair tested by itself, level 5 %)"
    )


def test_of_many_pairs_those_that_are_not_sure_are_faint(heading):
    systems = range(160)
    index = pd.MultiIndex.from_product([systems, systems]).drop([(s, s) for s in systems])
    pairs = pd.DataFrame(
        {"wins": 0.5, "low": 0.4, "high": 0.6, "n": 5, "significant": False}, index=index
    )
    pairs.loc[[(0, 1), (1, 0)], "significant"] = True
    chart = charts.pairwise(pairs)
    cells, _ = chart.to_dict()["layer"]
    assert "datum.significant ? 1 : 0.4" in cells["transform"][-1]["calculate"]
    assert heading(chart)[1].endswith("; faint: neither of the two is significantly better")


def test_pairs_that_never_met_are_grey(heading):
    frame = pd.DataFrame({"t1": [2, None, 1], "t2": [None, 1, 2]}, index=list("ABC"), dtype=float)
    chart = charts.pairwise(nbrank.confidence(frame))
    grey = {
        pair for pair, (_, colour) in cells_drawn(chart).items() if colour == charts.palette.QUIET
    }
    assert grey == {("A", "B"), ("B", "A")}
    assert "grey: the two never met" in heading(chart)[1]


def test_pairs_need_both_directions(small):
    pairs = nbrank.confidence(small)
    with pytest.raises(ValueError, match="have no rows of their own"):
        charts.pairwise(pairs.loc[[small.index[0]]])
    with pytest.raises(ValueError, match="a row for each system and opponent"):
        charts.pairwise(pairs.reset_index(drop=True))


def test_compatible_pairs_are_blue_where_they_are_decided(small, rows_of):
    chart = charts.compatible_pairs(small, delta=0.5)
    drawn = {(r["system"], r["opponent"]): r["lead"] for r in rows_of(chart)}
    pairs = decided_pairs(small, delta=0.5)
    assert drawn == pytest.approx((pairs["low"] - 0.5).clip(lower=0).to_dict())
    assert {pair for pair, lead in drawn.items() if lead > 0} == set(pairs.index[pairs["decided"]])
    assert any(drawn.values())
    order = chart.to_dict()["layer"][0]["encoding"]["y"]["scale"]["domain"]
    assert order == list(nbrank.borda(small).index)


def test_compatible_pairs_say_that_they_claim_no_coverage(gaps, heading):
    chart = charts.compatible_pairs(gaps)
    assert "no coverage claimed" in heading(chart)[1]
    with pytest.raises(ValueError, match="delta=1 must be between 0 and 1"):
        charts.compatible_pairs(gaps, delta=1)


def margins_of(frame, systems):
    wins = nbrank.pairwise(frame).loc[systems, systems]
    return wins - wins.T


def test_on_a_circle_there_is_an_arrow_for_each_win_with_its_margin_on_it(frame, rows_of):
    rows = rows_of(charts.majority_graph(frame, max_systems=7))
    arrows = {(r["winner"], r["loser"]): r for r in rows if "winner" in r}
    chosen = nbrank.copeland(frame).index[:7]
    margins = margins_of(frame, chosen)
    expected = {(a, b): margins.loc[a, b] for a in chosen for b in chosen if margins.loc[a, b] > 0}
    assert {pair: r["margin"] for pair, r in arrows.items()} == pytest.approx(expected)
    for r in arrows.values():
        assert r["says"] == f"{r['margin']:.3g}"
        # The number stands on its line, and no two on each other.
        along = (r["across"] - r["x"]) * (r["y2"] - r["y"])
        assert along == pytest.approx((r["up"] - r["y"]) * (r["x2"] - r["x"]), abs=1e-6)


def test_of_many_there_is_an_arrow_for_each_win_against_the_order(gaps, rows_of, heading):
    chart = charts.majority_graph(gaps, max_systems=15)
    rows = rows_of(chart)
    arrows = {(r["winner"], r["loser"]): r["margin"] for r in rows if "winner" in r}
    chosen = list(nbrank.copeland(gaps).index[:15])
    margins = margins_of(gaps, chosen)
    pairs = [(a, b) for place, a in enumerate(chosen) for b in chosen[place + 1 :]]
    expected = {(b, a): margins.loc[b, a] for a, b in pairs if margins.loc[b, a] > 0}
    assert arrows == pytest.approx(expected)
    assert expected
    level = {(r["system"], r["other"]) for r in rows if r.get("what") == "level"}
    assert level == {(a, b) for a, b in pairs if margins.loc[a, b] == 0}
    # What no line contradicts holds: each beats all with higher numbers.
    assert "each beats all with higher numbers, but for the arrows" in heading(chart)[1]
    names = [r["says"] for r in rows if "says" in r and "margin" not in r]
    assert {int(name.partition(".")[0]) for name in names} == {*range(1, 16)}
    shown = {r["system"]: r["score"] for r in rows if "score" in r}
    assert shown == {
        a: f"{(margins.loc[a] > 0).sum()} : {(margins.loc[a] < 0).sum()}" for a in chosen
    }


def test_the_title_says_whether_one_system_beats_all_others(frame, heading):
    title = heading(charts.majority_graph(frame, max_systems=3))[0]
    won = list(nbrank.winners(frame, ["condorcet"])["condorcet"])
    assert title.endswith("beats every other system pair by pair") == bool(won)
    cycle = pd.DataFrame([[3, 1, 2], [2, 3, 1], [1, 2, 3]], index=list("ABC"), columns=list("xyz"))
    assert heading(charts.majority_graph(cycle))[0] == "No system beats every other pair by pair"
    clear = pd.DataFrame({"t1": [1, 2]}, index=["A", "B"])
    assert heading(charts.majority_graph(clear))[0] == "B beats every other system pair by pair"
    assert heading(charts.majority_graph(clear.loc[["A"]]))[0] == "A is the only system"


def test_the_majority_graph_says_what_it_does_not_draw(frame, heading):
    assert ("5 by Copeland" in heading(charts.majority_graph(frame, max_systems=5))[1]) == (
        len(frame) > 5
    )
    level = pd.DataFrame({"t1": [1, 2], "t2": [2, 1]}, index=["A", "B"])
    assert heading(charts.majority_graph(level))[1] == "dotted: level"
    unscored = pd.DataFrame({"t1": [1, 2, None]}, index=list("ABC"))
    below = heading(charts.majority_graph(unscored))[1]
    assert below == "1 system without a score not drawn; a number is the margin"


def test_the_majority_graph_takes_comparisons(rows_of):
    battles = pd.DataFrame({"left": ["A", "C"], "right": ["B", "B"], "winner": ["A", "B"]})
    comparisons = nbrank.from_comparisons(battles, left="left", right="right", winner="winner")
    rows = rows_of(charts.majority_graph(comparisons))
    assert {(r["winner"], r["loser"]) for r in rows if "winner" in r} == {("A", "B"), ("B", "C")}


def test_two_that_never_met_are_not_said_to_be_level(rows_of, heading):
    battles = pd.DataFrame({"left": ["A", "C"], "right": ["B", "B"], "winner": ["A", "B"]})
    comparisons = nbrank.from_comparisons(battles, left="left", right="right", winner="winner")
    chart = charts.majority_graph(comparisons)
    assert heading(chart)[1] == "a number is the margin; dotted and pale: never met"
    (never,) = [r for r in rows_of(chart) if "what" in r]
    assert ({never["system"], never["other"]}, never["what"]) == ({"A", "C"}, "never met")


@pytest.mark.parametrize(("most", "error"), [(0, ValueError), (-1, ValueError), (2.5, TypeError)])
def test_how_many_systems_to_draw_is_a_whole_number_from_1_on(small, most, error):
    with pytest.raises(error, match="max_systems"):
        charts.majority_graph(small, max_systems=most)


def test_of_a_level_pair_neither_is_drawn_as_the_better_one():
    frame = pd.DataFrame({"t": [2, 1], "u": [1, 2]}, index=list("AB"))
    (scale,) = (
        layer["encoding"]["color"]["scale"]
        for layer in charts.pairwise(nbrank.confidence(frame)).to_dict()["layer"]
        if "scale" in layer["encoding"].get("color", {})
    )
    below, above = scale["domain"]
    assert below < 0.5 < above
    assert scale["range"] == [LOOKED_AT, QUIET, LEADER]


def test_a_cell_is_blue_where_the_p_value_is_at_most_delta(heading, rows_of):
    p_values = pd.DataFrame(
        [[1.0, 0.01, 0.2], [0.01, 1.0, 0.05], [0.2, 0.05, 1.0]], list("ABC"), list("ABC")
    )
    chart = charts.pairwise_p_values(p_values)
    assert heading(chart)[0] == "2 of 3 pairs can be told apart"
    drawn = {(row["system"], row["opponent"]): row["p_value"] for row in rows_of(chart)}
    assert drawn == {
        (one, other): p_values.loc[one, other] for one in "ABC" for other in "ABC" if one != other
    }
    colour = chart.to_dict()["layer"][0]["encoding"]["color"]
    assert colour["condition"]["test"] == "datum.p_value <= 0.05"
    assert (
        heading(charts.pairwise_p_values(p_values, delta=0.001))[0]
        == "None of 3 pairs can be told apart"
    )


def test_what_is_no_square_frame_of_p_values_is_refused():
    square = pd.DataFrame(1.0, list("AB"), list("AB"))
    with pytest.raises(
        TypeError, match=r"the square frame that nbrank.pairwise_p_values\(scores\)"
    ):
        charts.pairwise_p_values(square.iloc[:1])
    with pytest.raises(ValueError, match="between 0 and 1"):
        charts.pairwise_p_values(square + 1)
