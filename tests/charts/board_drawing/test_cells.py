"""The cells of the picture of comparisons: who won how often against whom."""

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.charts.palette import PLACE_COLORS


def rows(chart, *fields):
    datasets = chart.to_dict()["datasets"].values()
    return [row for data in datasets for row in data if {*fields} <= row.keys()]


def few_met(n, seed=0):
    """Comparisons in which most pairs never met, and some tied."""
    rng = np.random.default_rng(seed)
    left = rng.integers(0, n, 6 * n)
    right = (left + rng.integers(1, 4, 6 * n)) % n
    frame = pd.DataFrame({"a": left, "b": right, "won": rng.choice(["a", "b", "tie"], 6 * n)})
    frame[["a", "b"]] = "system " + frame[["a", "b"]].astype(str)
    return nbrank.from_comparisons(frame, left="a", right="b", winner="won")


@pytest.mark.parametrize("n", [4, 12, 100])
def test_cells_are_the_shares_won(n):
    source = few_met(n)
    chart = source.picture("borda", rules=["copeland"], top=n)
    shares = nbrank.pairwise(source) / nbrank.compared(source)
    cells = rows(chart, "opponent")
    assert len(cells) == n * (n - 1)
    for cell in cells:
        share = shares.loc[cell["system"], cell["opponent"]]
        met = nbrank.compared(source).loc[cell["system"], cell["opponent"]] if n < 100 else None
        if np.isnan(share):
            assert cell["share"] is None
            assert cell["shade"] == 0
            assert cell["says"] == f"{cell['system']} and {cell['opponent']} never met"
            continue
        assert cell["share"] == share
        assert cell["shade"] == round(1 + 8 * share)
        if met is not None:
            who = f"{cell['system']} won {100 * share:.3g} % of {met:g} against {cell['opponent']}"
            assert cell["says"] == who


def test_columns_are_the_opponents_in_the_order_of_the_rows():
    source = few_met(9)
    chart = source.picture("copeland", rules=["borda"], top=5)
    order = list(nbrank.copeland(source).index[:5])
    assert [row["system"] for row in rows(chart, "brief")] == order
    at = {cell["opponent"]: cell["from"] for cell in rows(chart, "opponent")}
    assert sorted(at, key=at.get) == order


def test_who_stands_in_row_and_column_is_crossed_out_and_never_met_is_in_the_key():
    source = few_met(9)
    chart = source.picture("borda", rules=["copeland"])
    crosses = [layer for layer in chart.to_dict()["layer"] if layer["mark"].get("type") == "rule"]
    datasets = chart.to_dict()["datasets"]
    crossed = datasets[crosses[0]["data"]["name"]]
    assert len(crossed) == 9
    cells = rows(chart, "opponent")
    assert not {(row["from"], row["above"]) for row in crossed} & {
        (cell["from"], cell["above"]) for cell in cells
    }
    said = {row["says"] for row in rows(chart, "says", "x", "y")}
    assert {"% won by the row", "never met", "0", "50", "100"} <= said
    everybody = nbrank.from_comparisons(
        pd.DataFrame({"w": ["A", "B"], "l": ["B", "A"]}), winner="w", loser="l"
    )
    assert "never met" not in {row["says"] for row in rows(everybody.picture(), "says", "x", "y")}


def test_the_darker_the_more_often_the_row_won():
    frame = pd.DataFrame({"w": ["A"] * 3 + ["B"], "l": ["B"] * 3 + ["A"]})
    source = nbrank.from_comparisons(frame, winner="w", loser="l")
    shade = {cell["system"]: cell["shade"] for cell in rows(source.picture(), "opponent")}
    assert shade == {"A": 7, "B": 3}
    assert len(PLACE_COLORS) == 9


def test_of_a_tally_the_cells_are_shares_of_its_instances():
    index = pd.MultiIndex.from_product([["A", "B"], [1, 2]], names=["system", "instance"])
    tally = nbrank.tally(pd.DataFrame({"x": [1.0, 0, 1, 2], "y": [1, 2, 3, 4]}, index))
    cells = rows(tally.picture(rules=["copeland"]), "opponent")
    says = {cell["system"]: cell["says"] for cell in cells}
    assert says == {"B": "B won 87.5 % of 4 against A", "A": "A won 12.5 % of 4 against B"}
