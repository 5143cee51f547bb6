"""Who wins at each weighting of three groups."""

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import charts


def test_there_is_a_point_for_each_weighting(gaps, rows_of):
    groups = {"a.b": gaps.columns[:3], "c[d]": gaps.columns[3:6], "e:f": gaps.columns[6:]}
    points = nbrank.weight_map(gaps, groups=groups, resolution=10)
    rows = [r for r in rows_of(charts.weight_map(points)) if "winners" in r]
    assert len(rows) == 66
    assert [r["winners"] for r in rows] == [", ".join(f) or "nobody" for f in points["winners"]]


def legend_of(chart):
    """Colour number -> what the legend says."""
    import json

    colour = chart.to_dict()["layer"][0]["encoding"]["color"]
    texts = json.loads(colour["legend"]["labelExpr"].removesuffix("[datum.value]").strip("()"))
    assert sorted(map(int, texts)) == colour["scale"]["domain"]
    return {int(number): text for number, text in texts.items()}


def test_no_system_is_taken_for_several_or_nobody(alike, rows_of):
    weights = np.array([(i, j, 6 - i - j) for i in range(7) for j in range(7 - i)]) / 6
    winners = [[system] for system in alike.index] * 2 + [[], list(alike.index)]
    points = pd.DataFrame(weights[: len(winners)], columns=["x", "y", "winner"])
    points["winners"] = winners
    chart = charts.weight_map(points)
    rows = [r for r in rows_of(chart) if "winners" in r]
    legend = legend_of(chart)
    said = [legend[r["winner"]] for r in rows]
    assert said[-2:] == ["nobody", "several systems"]
    numbers = [r["winner"] for r in rows]
    alone = numbers[:7]
    assert len(set(alone)) == 7
    assert not set(alone) & set(numbers[-2:])


def test_its_marks_stand_in_the_order_of_the_weightings(alike, rows_of):
    frame = alike.iloc[:, :3].set_axis(["x", "y", "winner"], axis=1)
    points = nbrank.weight_map(frame, "mean", groups={g: [g] for g in frame}, resolution=4)
    chart = charts.weight_map(points)
    rows = [r for r in rows_of(chart) if "winners" in r]
    # A group may be called as a field of the chart.
    drawn = np.array([[r["weight 0"], r["weight 1"], r["weight 2"]] for r in rows])
    np.testing.assert_allclose(drawn, points[["x", "y", "winner"]], atol=1e-3)


def test_the_weights_of_three_groups_are_needed():
    two = pd.DataFrame({"x": [0.0, 1.0], "y": [1.0, 0.0], "winners": [["A"], ["B"]]})
    with pytest.raises(ValueError, match="three groups and the winners; this frame has 'x', 'y'"):
        charts.weight_map(two)


def test_the_title_says_who_wins_most_often(heading):
    def title(*winners):
        frame = pd.DataFrame({"x": [1.0, 0, 0], "y": [0.0, 1, 0], "z": [0.0, 0, 1]})
        return heading(charts.weight_map(frame.assign(winners=list(winners))))[0]

    assert title(["A"], ["A"], ["A"]) == "A wins at every weighting"
    assert title(["A"], ["B"], ["B"]) == "B wins at 67 % of the weightings"
    assert title(["A", "B"], [], ["A", "B"]) == "No system wins alone at any weighting"
