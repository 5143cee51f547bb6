"""Demsar's diagram: mean ranks, bars over what can't be told apart, and the ruler."""

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import charts
from nbrank.datasets import load_llm_chat


def found(n, groups):
    """Mean ranks of n systems; the groups are given as (first, last) positions."""
    letters = [
        " ".join(chr(97 + i) for i, (a, b) in enumerate(groups) if a <= row <= b)
        for row in range(n)
    ]
    means = np.linspace(1.5, n - 0.5, n)
    return pd.DataFrame(
        {"rank": range(1, n + 1), "mean_rank": means, "groups": letters},
        index=[f"a system with a long name, number {i}" for i in range(n)],
    )


@pytest.mark.parametrize("n", [2, 3, 9, 105])
def test_every_system_is_named_at_its_mean_rank(n, rows_of):
    table = found(n, [(0, 1)])
    rows = rows_of(charts.critical_difference(table))
    drawn = {r["system"]: r["mean_rank"] for r in rows if "system" in r}
    assert drawn == table["mean_rank"].to_dict()


def test_the_better_half_stands_to_the_left_and_no_two_names_on_one_line(rows_of):
    rows = [r for r in rows_of(charts.critical_difference(found(9, [(0, 8)]))) if "system" in r]
    side = {r["system"]: r["edge"] for r in rows}
    assert list(side.values()).count(min(side.values())) == 5
    places = {(r["edge"], r["line"]) for r in rows}
    assert len(places) == 9
    on_left = sorted((r["line"], r["mean_rank"]) for r in rows if r["edge"] == min(side.values()))
    # The best stands highest, so that no line to a name crosses another.
    assert [mean for _, mean in on_left] == sorted(mean for _, mean in on_left)


def test_a_bar_joins_each_group_of_more_than_one_and_no_two_bars_overlap(rows_of):
    groups = [(0, 2), (1, 4), (3, 5), (6, 6), (7, 8)]
    table = found(9, groups)
    rows = rows_of(charts.critical_difference(table))
    bars = sorted((r["from"], r["to"], r["line"]) for r in rows if "together" in r)
    means = table["mean_rank"].tolist()
    joined = [(means[a], means[b]) for a, b in groups if a < b]
    np.testing.assert_allclose([bar[:2] for bar in bars], joined, atol=0.1)
    for a, b, line in bars:
        others = [bar for bar in bars if bar[2] == line and bar[:2] != (a, b)]
        assert all(end < a or start > b for start, end, _ in others)


def lettered(n, groups):
    """As `found`, with groups of any positions."""
    table = found(n, [])
    table["groups"] = [
        " ".join(chr(97 + i) for i, group in enumerate(groups) if row in group) for row in range(n)
    ]
    return table


def test_where_a_group_skips_systems_its_bar_is_thin_with_dots_on_its_members(heading):
    table = lettered(9, [[0, 1, 4], [2, 3, 6, 7], [5], [8]])
    means = table["mean_rank"].tolist()
    spec = charts.critical_difference(table).to_dict()
    drawn = {}
    for layer in spec["layer"]:
        rows = spec["datasets"][layer["data"]["name"]]
        if rows and "together" in rows[0]:
            mark = layer["mark"]
            drawn[mark["type"], mark.get("strokeWidth")] = [
                (row["from"], row["to"], row["line"]) for row in rows
            ]
    (first, second), thick, (dot,) = drawn["rule", 1], drawn["rule", 5], drawn["circle", None]
    assert (first[:2], second[:2]) == ((means[0], means[4]), (means[2], means[7]))
    pieces = [(means[a], means[b]) for a, b in ((0, 1), (2, 3), (6, 7))]
    np.testing.assert_allclose([bar[:2] for bar in thick], pieces, atol=0.05)
    assert [bar[2] for bar in thick] == [first[2], second[2], second[2]]
    assert dot == (means[4], means[4], first[2])
    subtitle = "a thin line passes over systems that are not in its group"
    assert subtitle in heading(charts.critical_difference(table))[1]
    assert "thin" not in heading(charts.critical_difference(found(9, [(0, 4)])))[1]


def test_without_letters_the_chart_that_draws_the_pairs_is_named():
    table = found(3, []).assign(groups=None)
    call = r"charts.pairwise_p_values\(nbrank.pairwise_p_values\(scores, method=method\)\)"
    with pytest.raises(ValueError, match=call):
        charts.critical_difference(table)


def test_the_ruler_is_as_long_as_the_critical_difference(rows_of):
    table = found(9, [(0, 8)])
    rows = rows_of(charts.critical_difference(table, distance=2.5))
    (ruler,) = (r for r in rows if "text" in r)
    assert ruler["to"] - ruler["from"] == 2.5
    assert "2.50" in ruler["text"]
    assert not any("text" in r for r in rows_of(charts.critical_difference(table)))
    # Longer than the systems are apart, it still fits.
    wide = charts.critical_difference(table, distance=20.0).to_dict()
    low, high = wide["layer"][0]["encoding"]["x"]["scale"]["domain"]
    assert high - low >= 20


def test_it_draws_what_the_function_returns(frame, rows_of):
    complete = frame.fillna(10.0)
    table = nbrank.critical_difference(complete)
    distance = table.attrs["critical_difference"]
    rows = rows_of(charts.critical_difference(table, distance=distance))
    assert {r["system"]: r["mean_rank"] for r in rows if "mean_rank" in r} == pytest.approx(
        table["mean_rank"].to_dict()
    )


def test_equal_mean_ranks_are_drawn(rows_of):
    table = pd.DataFrame({"rank": 1, "mean_rank": 2.0, "groups": "a"}, index=["A", "B", "C"])
    assert {
        r["system"]
        for r in rows_of(charts.critical_difference(table, distance=2.3))
        if "system" in r
    }


def test_the_ruler_is_that_of_the_frame_unless_it_has_none(rows_of):
    scores = load_llm_chat().fillna(0)
    table = nbrank.critical_difference(scores)
    (ruler,) = (row for row in rows_of(charts.critical_difference(table)) if "text" in row)
    assert ruler["to"] - ruler["from"] == pytest.approx(table.attrs["critical_difference"])
    del table.attrs["critical_difference"]
    assert not [row for row in rows_of(charts.critical_difference(table)) if "text" in row]


def test_a_distance_is_above_0():
    with pytest.raises(ValueError, match="distance=0 must be above 0"):
        charts.critical_difference(found(3, []), distance=0)


def test_an_axis_of_two_ranks_has_a_tick_for_each_whole_rank():
    import re

    import vl_convert

    svg = vl_convert.vegalite_to_svg(charts.critical_difference(found(3, [(0, 1)])).to_json())
    assert re.findall(r">(\d+)</text>", svg) == ["1", "2", "3"]
