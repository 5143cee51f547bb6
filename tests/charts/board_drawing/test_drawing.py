"""The picture of a leaderboard: where its columns stand, what its cells say, who is pointed at."""

import json

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.charts.board_drawing.drawing import draw_overview
from nbrank.charts.board_drawing.layout import NARROW, LiveOptions
from nbrank.datasets import load_glue_submissions, load_llm_chat
from nbrank.findings.labels import rule_title
from nbrank.findings.overview import compute_overview

SCORES = pd.DataFrame(
    {"x": [3.0, 2, 1], "y": [1.0, np.nan, 2], "z": [2.0, 1, 3]}, index=["A", "B", "C"]
)


def rows(chart, *fields):
    """The rows of data of a chart that have these fields."""
    datasets = chart.to_dict()["datasets"].values()
    return [row for data in datasets for row in data if {*fields} <= row.keys()]


def cells(chart):
    return rows(chart, "task", "shade")


def names_over_columns(chart):
    """Text -> where it stands, for the texts higher than all rows."""
    above = min(row["above"] for row in cells(chart))
    return {row["says"]: row["x"] for row in rows(chart, "says", "x", "y") if row["y"] < above}


def test_columns_are_as_wide_as_the_weights_of_their_tasks():
    weights = {"x": 1, "y": 2, "z": 5}
    found = cells(nbrank.picture(SCORES, weights=weights))
    wide = {cell["task"]: cell["to"] - cell["from"] + 2 for cell in found}
    assert wide["y"] == pytest.approx(2 * wide["x"], abs=0.01)
    assert wide["z"] == pytest.approx(5 * wide["x"], abs=0.01)
    assert {cell["task"]: cell["weight"] for cell in found} == {"x": 1 / 8, "y": 2 / 8, "z": 5 / 8}


def test_a_task_of_no_weight_has_no_column_and_is_counted(heading):
    chart = nbrank.picture(SCORES, weights={"x": 0})
    assert {cell["task"] for cell in cells(chart)} == {"y", "z"}
    assert "1 task of weight 0" in heading(chart)[1]


def test_a_missing_score_has_no_cell_and_a_cell_says_the_place(heading):
    chart = nbrank.picture(SCORES)
    places = {(cell["system"], cell["task"]): cell["place"] for cell in cells(chart)}
    assert places == {
        ("A", "x"): 1, ("B", "x"): 2, ("C", "x"): 3,
        ("A", "y"): 2, ("C", "y"): 1,
        ("A", "z"): 2, ("B", "z"): 3, ("C", "z"): 1,
    }  # fmt: skip
    assert "an empty cell is a missing score" in heading(chart)[1]
    assert "empty" not in heading(nbrank.picture(SCORES[["x", "z"]]))[1]


def test_who_has_no_score_is_named_also_where_it_is_not_drawn(heading):
    scores = pd.concat([SCORES, pd.DataFrame(np.nan, ["D"], SCORES.columns)])
    assert (
        "an empty cell is a missing score (1 of 9); D is left out, without a single score"
        in (heading(nbrank.picture(scores))[1])
    )
    scores.loc["B", "x"] = np.nan
    few = heading(nbrank.picture(scores, "mean_win_rate", rules=["borda"], top=1))[1]
    assert "2 of 9 scores are missing; D is left out, without a single score" in few
    errors = scores * 0 + 0.1
    errors.loc["D"] = 0.1  # of which there is no score
    assert "D is left out" in heading(nbrank.picture(scores, errors=errors))[1]


def test_runs_that_are_missing_are_counted_and_named(heading):
    rows = pd.MultiIndex.from_product([list("ABC"), range(3)], names=["system", "seed"])
    runs = pd.DataFrame(np.arange(18.0).reshape(9, 2), index=rows, columns=["x", "y"])
    assert "runs" not in heading(nbrank.picture(runs))[1]
    runs.loc[("B", 1), "y"] = np.nan
    assert "1 of 18 runs is missing, of B on y" in heading(nbrank.picture(runs))[1]


def test_a_ranking_that_is_given_is_drawn_and_said_to_be_no_rule(heading):
    given = {"last week": pd.Series({"C": 1, "A": 2, "B": 3}), "borda": "borda"}
    chart = nbrank.picture(SCORES[["x", "z"]], rules=given)
    assert "under all" not in heading(chart)[0]
    assert (
        "“last week” is a ranking that is given, not one of the rules: C is first"
        in (heading(chart)[1])
    )
    assert "last week" in str(chart.to_dict()["datasets"])


@pytest.mark.parametrize(
    ("lower", "said"),
    [
        ((), "3 tasks, higher is better on all;"),
        (["x", "z"], "3 tasks, lower is better on x and z, higher on all others;"),
        (True, "3 tasks, lower is better on all;"),
    ],
)
def test_it_says_which_scores_were_taken_as_better(heading, lower, said):
    assert said in heading(nbrank.picture(SCORES, lower_is_better=lower))[1]


def test_the_better_the_darker_and_lower_may_be_better():
    found = cells(nbrank.picture(SCORES, lower_is_better=["x"]))
    shade = {(cell["system"], cell["task"]): cell["shade"] for cell in found}
    assert shade["C", "x"] > shade["B", "x"] > shade["A", "x"]
    assert shade["A", "z"] > shade["B", "z"]
    assert {shade["A", "z"], shade["B", "z"]} <= set(range(1, 9))
    assert shade["C", "z"] == shade["C", "x"] == 9


def test_instances_have_the_places_of_their_means():
    index = pd.MultiIndex.from_product([["A", "B"], [1, 2]], names=["system", "instance"])
    scores = pd.DataFrame({"x": [1.0, 0, 1, np.nan], "y": [np.nan, np.nan, 3, 4]}, index)
    found = cells(nbrank.picture(scores))
    assert {(cell["system"], cell["task"]): cell["place"] for cell in found} == {
        ("A", "x"): 2, ("B", "x"): 1, ("B", "y"): 1,
    }  # fmt: skip


def test_groups_are_named_over_the_middle_of_their_columns():
    columns = pd.MultiIndex.from_tuples([("math", "x"), ("code", "y"), ("math", "z")])
    chart = nbrank.picture(SCORES.set_axis(columns, axis=1))
    found = {cell["task"]: (cell["from"], cell["to"]) for cell in cells(chart)}
    # The tasks of a group stand together, in whatever order the table has them.
    assert found["math / x"][1] < found["math / z"][0] < found["math / z"][1] < found["code / y"][0]
    names = names_over_columns(chart)
    assert names["math"] == pytest.approx((found["math / x"][0] + found["math / z"][1]) / 2, abs=3)
    assert not {"x", "y", "z"} & names.keys()


@pytest.mark.parametrize("weights", [{}, {"t0": 40}, {"t5": 40}, {"t11": 40}])
@pytest.mark.parametrize("n_tasks", [12, 40])
def test_every_task_is_named_also_beside_a_heavy_one(weights, n_tasks):
    values = np.random.default_rng(0).random((4, n_tasks))
    scores = pd.DataFrame(values, columns=[f"t{at}" for at in range(n_tasks)])
    chart = nbrank.picture(scores, weights=weights)
    names = names_over_columns(chart)
    places = [names[task] for task in scores]
    assert np.diff(places).min() >= 9 - 1e-2
    # Where a name moved aside, a line leads to it from the middle of its column.
    lines = rows(chart, "from", "to", "above", "below")
    leads = {row["to"]: row["from"] for row in lines if len(row) == 4}
    for cell in cells(chart)[:n_tasks]:
        middle, at = (cell["from"] + cell["to"]) / 2, names[cell["task"]]
        assert abs(leads[at] - middle) < 2 if leads else abs(at - middle) < 6


def test_beside_controls_every_task_of_glue_is_named_whatever_weighs_most():
    glue = load_glue_submissions()
    for task in glue:
        chart = draw_overview(
            compute_overview(glue, rules=["borda"], weights={task: 20}), 5, LiveOptions(640)
        )
        assert set(glue.columns) <= names_over_columns(chart).keys()
        assert min(names_over_columns(chart).values()) >= 8


def test_of_more_tasks_than_have_room_some_are_named_and_it_says_so(heading):
    chart = nbrank.picture(pd.DataFrame(np.eye(3, 90)).add_prefix("t"))
    named = len([name for name in names_over_columns(chart) if name[0] == "t"])
    assert f"{named} of the tasks are named" in heading(chart)[1]


def test_long_names_of_groups_stand_over_a_line_as_long_as_their_columns():
    columns = [
        ("everything that is hard", "x"),
        ("all that is easy", "y"),
        ("all that is easy", "z"),
    ]
    chart = nbrank.picture(SCORES.set_axis(pd.MultiIndex.from_tuples(columns), axis=1))
    assert {group for group, _ in columns} <= names_over_columns(chart).keys()
    ends = {
        task[-1]: (cell["from"], cell["to"]) for cell in cells(chart) for task in [cell["task"]]
    }
    top = min(cell["above"] for cell in cells(chart))
    level = [row for row in rows(chart, "from", "to", "above") if row["above"] == row["below"]]
    lines = [row for row in level if row["above"] < top]
    assert [(row["from"], row["to"]) for row in lines] == [
        pytest.approx(span, abs=2) for span in [ends["x"], (ends["y"][0], ends["z"][1])]
    ]


def test_a_narrow_picture_fits_a_telephone_and_says_what_is_left_out(frame, heading):
    seen = compute_overview(frame, "mean_win_rate")
    chart = draw_overview(seen.with_confidence("mean_win_rate"), look=NARROW)
    assert not cells(chart)
    assert len(rows(chart, "rule", "says")) == len(rows(chart, "brief")) * seen.ranks.shape[1]
    assert chart.to_dict()["width"] <= 380
    assert "the tasks are left out, for want of room" in heading(chart)[1]
    assert "empty" not in heading(chart)[1]


def test_rows_are_the_first_by_the_rule_and_ranks_those_of_the_rules():
    chat = load_llm_chat()
    chart = nbrank.picture(chat, "copeland", rules=["borda", "minimax"], top=4)
    best = nbrank.copeland(chat).index[:4]
    assert [row["system"] for row in rows(chart, "brief")] == list(best)
    ranks = nbrank.compare(chat, ["copeland", "borda", "minimax"])
    shown = {(row["system"], row["rule"]): row["says"] for row in rows(chart, "rule", "says")}
    assert shown == {
        (system, rule_title(rule)): str(ranks.loc[system, rule])
        for system in best
        for rule in ranks
    }


def test_a_refused_rule_has_dashes_and_is_named(heading):
    with pytest.warns(nbrank.RuleRefusedWarning, match=r"mean: left empty.*missing"):
        chart = nbrank.picture(SCORES, rules=["mean", "copeland"])
    assert {row["says"] for row in rows(chart, "rule") if row["rule"] == "mean"} == {"–"}
    assert "no ranks by mean" in heading(chart)[1]


def test_of_several_best_orders_it_says_that_one_is_shown(heading):
    scores = pd.DataFrame({"t": [2, 1, 0], "u": [1, 2, 0]}, index=list("ABC"))
    assert list(nbrank.winners(scores, ["kemeny"])["kemeny"]) == ["A", "B"]
    said = heading(nbrank.picture(scores, "borda", rules=["kemeny"]))[1]
    assert "of several best orders by Kemeny, one is shown" in said
    scores.loc["A", "u"] = 3
    assert "best orders" not in heading(nbrank.picture(scores, "borda", rules=["kemeny"]))[1]


def test_rank_sets_are_those_of_rank_confidence():
    scores = pd.DataFrame(np.random.default_rng(0).normal(size=(6, 12)) + np.arange(6)[:, None])
    sets = nbrank.rank_confidence(scores, "mean", seed=0)
    found = {row["system"]: row for row in rows(nbrank.picture(scores, "mean"), "low", "high")}
    for system, (rank, low, high) in sets.iterrows():
        row = found[str(system)]
        assert (row["rank"], row["low"], row["high"]) == (rank, low, high)
        assert row["from"] - 3 <= row["at"] <= row["to"] + 3  # its round ends reach so far
    ends = {row["low"]: row["from"] for row in found.values()}
    assert sorted(ends.values()) == [ends[low] for low in sorted(ends)]


def test_a_rule_without_rank_sets_is_drawn_without_them():
    chart = nbrank.picture(SCORES, "copeland")
    assert not rows(chart, "low")
    assert "may be best" not in str(chart.to_dict()["title"])
    assert "mean_win_rate" in str(chart.to_dict()["title"]["subtitle"])


def test_everything_stands_within_the_frame(frame):
    chart = nbrank.picture(frame, "mean_win_rate", rules=["borda"], top=8)
    spec = chart.to_dict()
    for row in rows(chart):
        across = [row[field] for field in ("from", "to", "x", "left", "right") if field in row]
        assert all(0 <= at <= spec["width"] for at in across if "system" in row or "says" in row)


def test_comparisons_and_tallies_have_no_columns_of_tasks():
    battles = pd.DataFrame(
        {"a": ["A", "B", "A", "C"], "b": ["B", "C", "C", "A"], "won": ["a", "b", "a", "b"]}
    )
    comparisons = nbrank.from_comparisons(battles, left="a", right="b", winner="won")
    index = pd.MultiIndex.from_product([["A", "B"], [1, 2]], names=["system", "instance"])
    instances = pd.DataFrame({"x": [1.0, 0, 1, 2], "y": [1, 2, 3, 4]}, index)
    for source in (comparisons, nbrank.tally(instances)):
        chart = source.picture(rules=["borda", "copeland"])
        assert not cells(chart)
        assert len(rows(chart, "brief")) == len(source.borda())


def test_the_accessor_draws_the_same():
    chat = load_llm_chat()
    assert chat.rank.picture(seed=1).to_dict() == nbrank.picture(chat, seed=1).to_dict()


def test_pointing_at_a_row_fades_the_others():
    spec = nbrank.picture(SCORES).to_dict()
    params = {param["name"]: param for param in spec["params"]}
    assert params["hover"]["select"]["fields"] == ["row"]
    fading = [layer for layer in spec["layer"] if "hover" in json.dumps(layer["encoding"])]
    assert len(fading) == 3
    positions = {row["system"]: row["position"] for row in rows(nbrank.picture(SCORES), "brief")}
    assert positions == {"A": 0, "B": 1, "C": 2}


def test_rank_sets_that_tell_nothing_apart_are_said_and_not_drawn(heading):
    chart = nbrank.picture(SCORES)
    assert "too few to say which system is best" in heading(chart)[0]
    assert not rows(chart, "low", "high")
    assert "could have" not in json.dumps(chart.to_dict())
    assert rows(nbrank.picture(load_glue_submissions()), "low", "high")


def test_the_key_says_which_places_each_shade_stands_for():
    n = 40
    scores = pd.DataFrame({f"task {i}": range(n) for i in range(10)})
    chart = nbrank.picture(scores, top=n)
    shade = {cell["place"]: cell["shade"] for cell in cells(chart)}
    squares = [row for row in rows(chart, "shade", "from") if "task" not in row]
    key = {}
    for square in squares:
        middle = (square["from"] + square["to"]) / 2
        said = [row for row in rows(chart, "says", "x", "y") if row["y"] > square["below"] + 8]
        below = [row for row in said if row["y"] < square["below"] + 12]
        below.sort(key=lambda row: abs(row["x"] - middle))
        key[below[0]["says"]] = square["shade"]
    told = {}
    for span, of in key.items():
        low, _, high = span.partition("–")
        told |= dict.fromkeys(range(int(low), int(high or low) + 1), of)
    assert told == shade


def test_a_place_that_is_shared_has_a_shade_of_the_key():
    scores = pd.DataFrame({"x": [4, 4, 2, 1], "y": [4, 3, 2, 1]}, index=list("ABCD"))
    chart = nbrank.picture(scores)
    shade = {(cell["system"], cell["task"]): cell["shade"] for cell in cells(chart)}
    places = {(cell["system"], cell["task"]): cell["place"] for cell in cells(chart)}
    assert places["A", "x"] == places["B", "x"] == 1.5
    assert shade["A", "x"] == shade["B", "x"] == shade["A", "y"]
    assert {*shade.values()} == {shade[system, "y"] for system in "ABCD"}


def test_a_row_that_was_clicked_stays_lit_whatever_is_pointed_at():
    spec = nbrank.picture(SCORES).to_dict()
    assert [param["value"] for param in spec["params"] if param["name"] == "clicked"] == [[]]
    faded = [layer["encoding"].get("opacity") for layer in spec["layer"]]
    chosen = {"param": "clicked", "empty": False}
    lit = {"test": {"or": [{"param": "hover"}, chosen]}, "value": 1}
    assert [one["condition"] for one in faded if one] == [lit] * 3


@pytest.mark.parametrize("top", [0, 1.5, "all"])
def test_top_is_a_whole_number(top):
    with pytest.raises((TypeError, ValueError), match="top"):
        nbrank.picture(SCORES, top=top)


def test_the_rule_that_orders_the_rows_must_take_the_table():
    with pytest.raises(ValueError, match="missing"):
        nbrank.picture(SCORES, "mean")
