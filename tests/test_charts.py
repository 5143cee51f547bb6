"""Charts: every one draws what its frame says, at every size, with gaps, ties and long names."""

import json

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import charts
from nbrank.labelled.compatible_pairs import compatible_pairs as decided_pairs

RULES = ["borda", "plurality", "copeland"]


def board(n_systems, n_tasks, *, missing=0.0):
    rng = np.random.default_rng(0)
    scores = rng.integers(0, 20, (n_systems, n_tasks)).astype(float)
    scores[rng.random(scores.shape) < missing] = np.nan
    names = [f"a system with a rather long name, number {i}" for i in range(n_systems)]
    return pd.DataFrame(scores, index=names).add_prefix("task.with[marks]:")


SIZES = {
    "3 x 2": board(3, 2),
    "20 x 9 with gaps": board(20, 9, missing=0.2),
    "300 x 50": board(300, 50, missing=0.05),
}


def rows_of(chart):
    """All rows of data of a chart, after it was drawn without a network."""
    import vl_convert

    spec = chart.to_dict()
    svg = vl_convert.vegalite_to_svg(spec)
    assert "<svg" in svg
    assert "null,null" not in svg
    text = json.dumps(spec)
    assert "NaN" not in text
    inline = [
        part["data"]["values"]
        for part in [spec, *spec["layer"]]
        if "values" in part.get("data", {})
    ]
    return [row for rows in [*spec.get("datasets", {}).values(), *inline] for row in rows]


@pytest.mark.parametrize("size", SIZES)
def test_ranks_show_every_rank(size):
    table = nbrank.compare(SIZES[size], RULES)
    rows = rows_of(charts.ranks(table))
    drawn = {(r["system"], r["rule"]): r["rank"] for r in rows if "colour" in r}
    for (system, rule), rank in drawn.items():
        assert table.loc[system, rule] == rank
    assert len(drawn) == table.size


def test_ranks_name_the_rules_that_refused_and_refuse_when_all_did():
    gaps = SIZES["20 x 9 with gaps"]
    with pytest.warns(nbrank.RuleRefusedWarning):
        table = nbrank.compare(gaps, ["borda", "mean"])
    assert "mean" in charts.ranks(table).to_dict()["title"]["subtitle"]
    with pytest.raises(ValueError, match="no rule ranked the systems: 'mean' are NA"):
        charts.ranks(table[["mean"]])
    with pytest.raises(ValueError, match="highlight: unknown 'Z'"):
        charts.ranks(table, highlight=["Z"])


@pytest.mark.parametrize("size", SIZES)
def test_scores_show_every_cell_in_the_order_of_the_ranking(size):
    frame = SIZES[size]
    chart = charts.scores(frame)
    rows = rows_of(chart)
    assert len({(r["system"], r["task"]) for r in rows}) == frame.size
    for row in rows[:500]:
        score = frame.loc[row["system"].split(". ", 1)[1], row["task"]]
        assert row["score"] is None if np.isnan(score) else row["score"] == score
    first = chart.to_dict()["layer"][0]["encoding"]["y"]["scale"]["domain"][0]
    assert first == f"1. {nbrank.borda(frame).index[0]}"


def test_scores_are_coloured_by_orientation():
    frame = pd.DataFrame({"seconds": [1.0, 2.0, 3.0]}, index=["A", "B", "C"])
    rows = rows_of(charts.scores(frame, lower_is_better=True))
    assert {r["system"][3:]: r["goodness"] for r in rows} == {"A": 1.0, "B": 0.5, "C": 0.0}


@pytest.mark.parametrize("size", ["3 x 2", "20 x 9 with gaps"])
def test_pairs_show_shares_and_significance(size):
    pairs = nbrank.confidence(SIZES[size])
    drawn = rows_of(charts.pairwise(pairs))
    rows = {(r["system"], r["opponent"]): r for r in drawn if "n" in r}
    dots = {(r["system"], r["opponent"]) for r in drawn if "n" not in r}
    assert len(rows) == len(pairs)
    for key, pair in pairs.iterrows():
        assert rows[key]["wins"] == pytest.approx(pair["wins"], abs=1e-6)
        assert (key in dots) == rows[key]["significant"] == pair["significant"]


@pytest.mark.parametrize("size", SIZES)
def test_the_majority_graph_has_an_arrow_for_each_win(size):
    frame = SIZES[size]
    rows = rows_of(charts.majority_graph(frame))
    arrows = {(r["winner"], r["loser"]) for r in rows if "winner" in r}
    chosen = nbrank.copeland(frame).index[:12]
    wins = nbrank.pairwise(frame).loc[chosen, chosen]
    expected = {(a, b) for a in chosen for b in chosen if wins.loc[a, b] > wins.loc[b, a]}
    assert arrows == expected


@pytest.mark.parametrize("size", SIZES)
def test_intervals_run_from_low_to_high(size):
    spread = nbrank.bootstrap(SIZES[size], "borda", n=20, seed=0)
    rows = {r["system"]: r for r in rows_of(charts.rank_intervals(spread))}
    for system, row in spread.iterrows():
        assert (rows[system]["low"], rows[system]["high"]) == (row["low"], row["high"])


def test_rank_intervals_of_the_first_few_stay_on_the_axis():
    sets = pd.DataFrame({"rank": [1, 2, 3], "low": [1, 1, 2], "high": [2, 7, 9]}, index=list("ABC"))
    domains = {
        tuple(layer["encoding"]["x"]["scale"]["domain"])
        for layer in charts.rank_intervals(sets).to_dict()["layer"]
    }
    assert domains == {(0.5, 9.5)}


def test_robustness_draws_the_mean_and_a_band():
    results = pd.DataFrame(
        {"rule": ["a"] * 4, "eta": [0, 0, 1, 1], "kendall_tau": [1.0, 1.0, 0.0, 1.0]}
    )
    rows = rows_of(charts.robustness(results, "eta"))
    assert {(r["setting"], r["mean"]) for r in rows} == {(0, 1.0), (1, 0.5)}


def test_the_weight_map_draws_a_point_for_each_weighting():
    frame = SIZES["20 x 9 with gaps"]
    groups = {"a.b": frame.columns[:3], "c[d]": frame.columns[3:6], "e:f": frame.columns[6:]}
    points = nbrank.weight_map(frame, groups=groups, resolution=10)
    rows = [r for r in rows_of(charts.weight_map(points)) if "winners" in r]
    assert len(rows) == 66
    assert [r["winners"] for r in rows] == [", ".join(f) or "nobody" for f in points["winners"]]


@pytest.mark.parametrize("size", ["3 x 2", "20 x 9 with gaps"])
def test_compatible_pairs_are_green_where_they_are_decided(size):
    frame = SIZES[size]
    chart = charts.compatible_pairs(frame, delta=0.5)
    drawn = {(r["system"], r["opponent"]): r["lead"] for r in rows_of(chart)}
    pairs = decided_pairs(frame, delta=0.5)
    assert drawn == pytest.approx((pairs["low"] - 0.5).clip(lower=0).to_dict())
    assert {pair for pair, lead in drawn.items() if lead > 0} == set(pairs.index[pairs["decided"]])
    assert any(drawn.values())
    order = chart.to_dict()["layer"][0]["encoding"]["y"]["scale"]["domain"]
    assert order == list(nbrank.borda(frame).index)


def test_compatible_pairs_say_that_they_claim_no_coverage():
    chart = charts.compatible_pairs(SIZES["3 x 2"])
    assert "no coverage claimed" in chart.to_dict()["title"]["subtitle"]
    with pytest.raises(ValueError, match="delta=1 must be between 0 and 1"):
        charts.compatible_pairs(SIZES["3 x 2"], delta=1)


#: Labels that print alike, and some that look like what an axis or a legend says.
ALIKE = [1, "1", ("a", "b"), "a / b", "several systems", "nobody", "'1'"]


def test_names_are_never_alike():
    names = charts.names_of(ALIKE)
    assert len(set(names)) == len(ALIKE)
    assert names[4:6] == ["several systems", "nobody"]
    assert charts.names_of(["A", ("B", 2)]) == ["A", "B / 2"]


def test_a_click_on_a_cell_of_the_scores_leads_back_to_its_labels():
    frame = pd.DataFrame(np.arange(21.0).reshape(7, 3), index=ALIKE, columns=["t", 1, "1"])
    chart = charts.scores(frame)
    drawn = {(r["row"], r["column"]): r["score"] for r in rows_of(chart)}
    assert drawn == {(i, j): frame.iloc[i, j] for i in range(7) for j in range(3)}
    spec = chart.to_dict()
    cell = next(param for param in spec["params"] if param["name"] == "cell")
    assert cell["select"]["fields"] == ["row", "column"]
    assert cell["views"] == [spec["layer"][0]["name"]]


def test_a_click_on_the_weight_map_leads_back_to_the_weighting():
    frame = pd.DataFrame(np.eye(7)[:, :3], index=ALIKE, columns=["x", "y", "winner"])
    points = nbrank.weight_map(frame, "mean", groups={g: [g] for g in frame}, resolution=4)
    chart = charts.weight_map(points)
    rows = [r for r in rows_of(chart) if "point" in r]
    assert [r["point"] for r in rows] == list(range(len(points)))
    spec = chart.to_dict()
    (param,) = spec["params"]
    assert (param["name"], param["select"]["fields"]) == ("weighting", ["point"])
    assert param["views"] == [spec["layer"][0]["name"]]


def test_robustness_has_one_legend():
    results = pd.DataFrame(
        {"rule": ["a"] * 2 + ["b"] * 2, "eta": [0, 1, 0, 1], "kendall_tau": [1.0, 0.5, 1.0, 0.2]}
    )
    import vl_convert

    svg = vl_convert.vegalite_to_svg(charts.robustness(results, "eta").to_dict())
    assert svg.count("role-legend-title") == 1


@pytest.mark.parametrize(("settings", "whole"), [([1, 2], True), ([1.0, 2.0], False)])
def test_robustness_puts_ticks_at_the_settings_where_they_are_whole_numbers(settings, whole):
    results = pd.DataFrame({"rule": "a", "kept": settings, "kendall_tau": [1.0, 0.5]})
    import vl_convert

    svg = vl_convert.vegalite_to_svg(charts.robustness(results, "kept").to_dict())
    assert (">1.5<" not in svg) == whole
