"""What an experiment's runs found: means and bands."""

import pandas as pd
import pytest

from nbrank import charts


def test_robustness_draws_the_mean_and_a_band(rows_of):
    results = pd.DataFrame(
        {"rule": ["a"] * 4, "eta": [0, 0, 1, 1], "kendall_tau": [1.0, 1.0, 0.0, 1.0]}
    )
    rows = rows_of(charts.robustness(results, "eta"))
    assert {(r["setting"], r["mean"]) for r in rows} == {(0, 1.0), (1, 0.5)}
    (at_one,) = (r for r in rows if r["setting"] == 1)
    assert (at_one["low"], at_one["high"]) == pytest.approx((0.1, 0.9))


def test_robustness_says_what_the_band_is(heading):
    results = pd.DataFrame({"rule": "a", "eta": [0, 1] * 5, "kendall_tau": [1.0, 0.5] * 5})
    chart = charts.robustness(results, "eta", band=(0.25, 0.75))
    title, below = heading(chart)
    assert title == "Kendall's tau by eta"
    assert "between the 25 % and the 75 % quantile of the repetitions" in below
    (tooltip,) = (
        layer["encoding"]["tooltip"]
        for layer in chart.to_dict()["layer"]
        if "tooltip" in layer.get("encoding", {})
    )
    assert [line["title"] for line in tooltip[-2:]] == ["25 % quantile", "75 % quantile"]


def test_several_panels_say_once_what_the_band_is(heading):
    results = pd.DataFrame({"rule": "a", "eta": [0, 1] * 5, "kendall_tau": [1.0, 0.5] * 5})
    chart = charts.robustness({"before": results, "after": results}, "eta")
    assert heading(chart) == (
        "Kendall's tau by eta",
        "the band: between the 10 % and the 90 % quantile of the repetitions",
    )
    assert not any(panel["title"]["subtitle"] for panel in chart.to_dict()["concat"])
    one, three = results[:2], pd.concat([results[:2]] * 3)
    assert heading(charts.robustness({"one": one, "three": three}, "eta"))[1] == (
        "the mean of 3 repetitions"
    )
    assert heading(charts.robustness({"one": one}, "eta"))[1] == ""


def test_columns_may_have_any_name(rows_of):
    results = pd.DataFrame({"a.b": ["x", 1, "1"], "c[d]": [0, 0, 0], "e:f": [1.0, 0.5, 0.2]})
    rows = rows_of(charts.robustness(results, "c[d]", "e:f", by="a.b"))
    assert {r["by"]: r["mean"] for r in rows} == {"x": 1.0, "1": 0.5, "'1'": 0.2}


def test_robustness_has_one_legend():
    results = pd.DataFrame(
        {"rule": ["a"] * 2 + ["b"] * 2, "eta": [0, 1, 0, 1], "kendall_tau": [1.0, 0.5, 1.0, 0.2]}
    )
    import vl_convert

    svg = vl_convert.vegalite_to_svg(charts.robustness(results, "eta").to_dict())
    assert svg.count("mark-text role-legend-label") == 2  # one for each rule


@pytest.mark.parametrize(("settings", "whole"), [([1, 2], True), ([1.0, 2.0], False)])
def test_robustness_puts_ticks_at_the_settings_where_they_are_whole_numbers(settings, whole):
    results = pd.DataFrame({"rule": "a", "kept": settings, "kendall_tau": [1.0, 0.5]})
    import vl_convert

    svg = vl_convert.vegalite_to_svg(charts.robustness(results, "kept").to_dict())
    assert (">1.5<" not in svg) == whole


RESULTS = pd.DataFrame({"rule": ["a", "b"], "eta": [0, 1], "kendall_tau": [1.0, 0.5]})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"x": "share"}, "x='share' is not a column of the results; choose from 'rule', 'eta'"),
        ({"x": "eta", "y": "tau"}, "y='tau' is not a column"),
        ({"x": "eta", "by": "system"}, "by='system' is not a column"),
        ({"x": "rule"}, "x='rule' holds no numbers"),
        ({"x": "eta", "y": "rule"}, "y='rule' holds no numbers"),
        ({"x": "eta", "band": (0.9, 0.1)}, "two quantiles, low then high"),
    ],
)
def test_wrong_columns_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        charts.robustness(RESULTS, **arguments)


def test_robustness_refuses_what_is_no_frame():
    with pytest.raises(TypeError, match="what a function of nbrank.experiments returns, not list"):
        charts.robustness([1, 2], "eta")


def runs(settings, repetitions, x="eta", rules=("borda", "mean")):
    rows = [(rule, at, 1 - at / 1000) for rule in rules for at in settings] * repetitions
    return pd.DataFrame(rows, columns=["rule", x, "kendall_tau"])


def marks(chart):
    return [layer["mark"]["type"] for layer in chart.to_dict()["layer"]]


@pytest.mark.parametrize(("repetitions", "band"), [(1, False), (4, False), (5, True)])
def test_a_band_is_drawn_of_five_repetitions_or_more(repetitions, band, heading):
    chart = charts.robustness(runs([0, 1], repetitions), "eta")
    assert ("area" in marks(chart)) == band
    assert ("the band" in heading(chart)[1]) == band


@pytest.mark.parametrize(
    ("settings", "kind"), [([1, 10, 100], "log"), ([1, 2, 3], None), ([0, 10, 100], None)]
)
def test_settings_over_a_wide_range_stand_on_an_axis_of_powers(settings, kind):
    chart = charts.robustness(runs(settings, 1, "factor"), "factor")
    x = chart.to_dict()["layer"][0]["encoding"]["x"]
    assert x.get("scale", {}).get("type") == kind
    assert x["title"] == "factor on one task's scores"


def test_rules_have_the_colour_of_their_family():
    chart = charts.robustness(runs([0, 1], 1), "eta")
    scale = chart.to_dict()["layer"][0]["encoding"]["color"]["scale"]
    families = charts.palette.FAMILY_COLORS
    assert scale == {
        "domain": ["Borda", "mean"], "range": [families["positional"], families["mean"]],
    }  # fmt: skip


def test_rules_are_named_in_words():
    chart = charts.robustness(runs([0, 1], 1, rules=("bradley_terry", "mean")), "eta")
    scale = chart.to_dict()["layer"][0]["encoding"]["color"]["scale"]
    assert scale["domain"] == ["Bradley-Terry", "mean"]


def test_what_is_no_rule_has_not_the_colours_of_the_mean_and_of_borda():
    results = runs([0, 1], 1, rules=("a and b", "a and c")).rename(columns={"rule": "pair"})
    scale = charts.robustness(results, "eta", by="pair").to_dict()["layer"][0]["encoding"]["color"]
    families = charts.palette.FAMILY_COLORS
    taken = {families["mean"], families["positional"]}
    assert len(taken) == 2
    assert not taken & set(scale["scale"]["range"])


def test_several_results_share_their_axes():
    results = {name: runs([0, 1], 1) for name in ("GLUE", "XTREME")}
    spec = charts.robustness(results, "eta").to_dict()
    assert [panel["title"]["text"] for panel in spec["concat"]] == ["GLUE", "XTREME"]
    assert spec["resolve"]["scale"]["y"] == spec["resolve"]["scale"]["x"] == "shared"
    titles = [panel["layer"][0]["encoding"]["y"]["title"] for panel in spec["concat"]]
    assert titles == ["Kendall's tau", ""]
    with pytest.raises(ValueError, match="no results"):
        charts.robustness({}, "eta")
