"""`explore_weights`: the weights shown make the system win, and it is said where none do."""

import json

import numpy as np
import pandas as pd
import pytest
import traitlets
from pandas.testing import assert_frame_equal

import nbrank
from nbrank.charts.names import in_brief
from nbrank.datasets import load_llm_chat


@pytest.fixture
def explorer():
    return nbrank.explore_weights(load_llm_chat())


def test_it_opens_with_the_system_nearest_to_winning(explorer):
    away = explorer.nearest[explorer.nearest > 1e-6]
    assert explorer.system == away.idxmin()
    assert f"{100 * away.min():.3g}% of the weight has to move" in explorer.words


def test_under_the_weights_shown_the_system_loses_to_nobody(explorer):
    scores = load_llm_chat()
    found = nbrank.condorcet_weights(scores)
    for system in scores.index:
        explorer.system = system
        if not found.loc[system, "prospective"]:
            assert explorer.weights == {}
            assert np.isnan(explorer.to_move)
            assert f"No weights make {system} win" in explorer.words
            continue
        weights = np.array([explorer.weights[task] for task in scores.columns])
        assert weights.sum() == pytest.approx(1)
        assert explorer.to_move == pytest.approx(np.abs(weights - 1 / 22).sum() / 2)
        differences = np.nan_to_num(scores.loc[system].to_numpy() - scores.to_numpy())
        assert (np.sign(differences) @ weights).min() >= -1e-7


def test_a_system_that_wins_already_needs_no_other_weights(explorer):
    explorer.system = "DeepSeek-V3"
    assert explorer.to_move == pytest.approx(0)
    assert "With equal weights DeepSeek-V3 already loses to no other" in explorer.words
    assert explorer.ranking.index[0] == "DeepSeek-V3"


def test_the_nearest_come_first_and_those_without_weights_last(explorer):
    values = explorer.nearest.to_numpy()
    some = values[~np.isnan(values)]
    assert (np.diff(some) >= 0).all()
    assert np.isnan(values[len(some) :]).all()


def test_the_list_and_the_trait_move_together(explorer):
    explorer._system.value = 0
    assert explorer.system == load_llm_chat().index[0]
    explorer.system = "GPT-4o-0513"
    assert explorer._system.label == "GPT-4o-0513"


def test_the_chart_draws_the_weights(explorer, rows_of):
    bars = [row for row in rows_of(explorer._figure) if "weight" in row]
    assert [row["weight"] for row in bars] == pytest.approx(list(explorer.weights.values()))


@pytest.fixture
def scores():
    return pd.DataFrame(
        {"speed": [3, 2, 1], "size": [1, 3, 2], "skill": [2, 1, 3]}, index=list("ABC")
    )


@pytest.fixture
def triangle(scores):
    return nbrank.explore_weights(scores, groups={group: [group] for group in scores})


def click(explorer, point):
    """What the chart sends when a point of the triangle is clicked, as Altair's own tests do it."""
    explorer._map._vl_selections = {
        "weighting": {
            "value": {"vlPoint": {"or": [{"point": point}]}, "point": [point]},
            "store": [],
        }
    }


def point_at(explorer, **shares):
    """The number of the point with these shares."""
    grid = explorer.triangle[list(shares)].to_numpy()
    return int(np.abs(grid - list(shares.values())).sum(axis=1).argmin())


def test_three_groups_have_a_triangle(triangle, scores, rows_of):
    points = [row for row in rows_of(triangle._map) if "winners" in row]
    assert len(points) == 51 * 52 // 2
    board = {"groups": {group: [group] for group in scores}}
    assert triangle.triangle.equals(nbrank.weight_map(scores, "borda", resolution=50, **board))
    triangle.rule = "antiplurality"
    assert [row for row in rows_of(triangle._map) if "winners" in row] != points


def test_a_click_in_the_triangle_moves_the_weights_and_says_who_wins(triangle, scores):
    click(triangle, point_at(triangle, speed=0.5, size=0.3, skill=0.2))
    weights = {"speed": 0.5, "size": 0.3, "skill": 0.2}
    assert triangle.group_weights == pytest.approx(weights)
    assert triangle.weights == pytest.approx(weights)
    assert triangle.system is None
    assert_frame_equal(triangle.ranking, nbrank.borda(scores, weights=triangle.weights))
    words = triangle.words
    assert words.startswith(
        "With 50% on speed, 30% on size and 20% on skill, A wins by borda, before B and C."
    )
    click(triangle, point_at(triangle, skill=1))
    assert "C wins by borda" in triangle.words


def test_an_empty_selection_and_a_click_beside_the_points_change_nothing(triangle):
    before = triangle.words
    triangle._map._vl_selections = {"weighting": {"value": {}, "store": []}}
    click(triangle, None)
    assert triangle.words == before


def test_sliders_triangle_and_trait_move_together(triangle):
    click(triangle, point_at(triangle, speed=0.5, size=0.5))
    assert [slider.value for slider in triangle.sliders.values()] == pytest.approx([0.5, 0.5, 0])
    triangle.sliders["skill"].value = 0.4
    assert triangle.group_weights == pytest.approx({"speed": 0.3, "size": 0.3, "skill": 0.4})
    assert [slider.value for slider in triangle.sliders.values()] == pytest.approx([0.3, 0.3, 0.4])
    params = triangle._map.params
    assert (params.at_x, params.at_y) == pytest.approx((0.5, 0.4 * np.sqrt(3) / 2))
    triangle.group_weights = {"speed": 3, "size": 1, "skill": 0}
    assert [slider.value for slider in triangle.sliders.values()] == pytest.approx([0.75, 0.25, 0])


def test_whatever_a_slider_says_the_three_share_the_weight(triangle):
    one, two, three = triangle.sliders.values()
    for slider, value in [(one, 1), (one, 0.9), (two, 0.5), (three, 0), (two, 0), (three, 1)]:
        slider.value = value
        shown = [each.value for each in triangle.sliders.values()]
        assert slider.value == value
        assert sum(shown) == pytest.approx(1, abs=0.011)  # each is rounded by itself
        assert list(triangle.group_weights.values()) == pytest.approx(shown, abs=0.0051)
        assert sum(triangle.group_weights.values()) == pytest.approx(1)
    one.value = 0.2  # of two groups that have nothing, or the same, each takes half
    assert triangle.group_weights == pytest.approx({"speed": 0.2, "size": 0, "skill": 0.8})
    three.value = 1
    three.value = 0.6
    assert triangle.group_weights == pytest.approx({"speed": 0.2, "size": 0.2, "skill": 0.6})


def test_sliders_and_words_say_the_same_whole_percents(triangle):
    triangle.group_weights = {"speed": 0.22941, "size": 0.43277, "skill": 0.33782}
    shown = [f"{slider.value:.0%}" for slider in triangle.sliders.values()]
    assert shown == ["23%", "43%", "34%"]
    assert triangle.words.startswith("With 23% on speed, 43% on size and 34% on skill, ")
    for slider in triangle.sliders.values():
        assert slider.readout_format == ".0%"
        # The browser has no nearer value to move it to.
        assert slider.value / slider.step == pytest.approx(round(slider.value / slider.step))
    assert triangle.group_weights["speed"] == pytest.approx(0.22941)


def test_a_system_picked_takes_the_weights_back_from_the_triangle(triangle):
    click(triangle, point_at(triangle, speed=1))
    assert triangle._system.label == "none: a point of the triangle"
    triangle._system.value = 1
    assert (triangle.system, triangle.group_weights) == ("B", {})
    assert "B wins by borda at " in triangle.words
    triangle._system.value = -1
    assert triangle.group_weights == pytest.approx(dict.fromkeys(triangle.sliders, 1 / 3))


def test_the_ring_is_there_from_the_start_and_where_the_sliders_are(triangle):
    for system in "ABC":
        triangle.system = system
        shares = np.array([triangle.weights[task] for task in triangle.sliders])
        at = shares @ [[0, 0], [1, 0], [0.5, np.sqrt(3) / 2]]
        params = triangle._map.params
        assert (params.at_x, params.at_y) == pytest.approx(tuple(at))
        # A page that is opened anew, and sends where the ring was drawn, does not move it.
        params.at_x, params.at_y = 0.5, 0.3
        assert (params.at_x, params.at_y) == pytest.approx(tuple(at))
        triangle.rule = {"A": "plurality", "B": "antiplurality", "C": "borda"}[system]
        drawn = {param["name"]: param.get("value") for param in triangle._map.spec["params"]}
        assert (drawn["at_x"], drawn["at_y"]) == pytest.approx(tuple(at))


def test_a_system_keeps_its_colour_as_the_rule_changes():
    rng = np.random.default_rng(1)
    scores = pd.DataFrame(rng.normal(size=(30, 12)), index=[f"s{i}" for i in range(30)])
    scores.columns = [f"t{j}" for j in scores]
    groups = {g: [f"t{j}" for j in range(k, 12, 3)] for k, g in enumerate("xyz")}
    explorer = nbrank.explore_weights(scores, groups=groups)
    before = {}
    for rule in ("borda", "mean", "dowdall", "borda"):
        explorer.rule = rule
        colour = explorer._map.spec["layer"][0]["encoding"]["color"]
        names = json.loads(colour["legend"]["labelExpr"].split(")[")[0].removeprefix("("))
        numbers, told = colour["scale"]["domain"], colour["scale"]["range"]
        drawn = {names[str(number)]: one for number, one in zip(numbers, told, strict=True)}
        assert len(set(told)) == len(told) > 3
        assert {name: drawn.get(name, one) for name, one in before.items()} == before
        before = drawn


def test_a_system_without_a_score_can_not_win_and_it_is_said_why():
    scores = pd.DataFrame({"t1": [1, 2, np.nan], "t2": [2, 1, np.nan]}, index=list("ABC"))
    explorer = nbrank.explore_weights(scores, "C")
    assert "No weights make C win: it has no score." in explorer.words
    assert "With equal weights A and B lose to no other" in explorer.words


def test_who_wins_already_is_not_among_those_near_to_winning(scores):
    frame = pd.concat([scores, scores.loc[["A"]].rename(index={"A": "twin"})])
    frame["speed"] += 1
    explorer = nbrank.explore_weights(frame, weights={"speed": 4})
    already = explorer.nearest[explorer.nearest <= 1e-6].index
    assert list(already) == ["A", "twin"]
    assert "With the weights as given A and twin lose to no other. Nearest" in explorer.words
    near = explorer.words.split("Nearest to winning are ")[1]
    assert near.startswith(f"{explorer.system} (")


def test_long_names_are_brief_in_the_sentences():
    rng = np.random.default_rng(0)
    scores = pd.DataFrame(rng.normal(size=(12, 9)))
    scores.index = [f"an organisation / {'very ' * 15} long name of number {i}" for i in range(12)]
    scores.columns = [f"a benchmark {'of benchmarks ' * 6} {j}" for j in range(9)]
    explorer = nbrank.explore_weights(scores)
    words = " ".join(explorer.words.split())
    assert not any(" ".join(name.split()) in words for name in [*scores.index, *scores.columns])
    assert [name for name, _ in explorer._system.options] == in_brief(scores.index)


def test_the_sliders_show_the_groups_of_the_weights_in_the_words():
    rng = np.random.default_rng(3)
    scores = pd.DataFrame(rng.normal(size=(5, 7)), index=list("ABCDE")).add_prefix("t")
    groups = {"one": ["t0", "t1", "t2"], "two": ["t3", "t4"], "three": ["t5", "t6"]}
    explorer = nbrank.explore_weights(scores, groups=groups)
    for system in scores.index:
        explorer.system = system
        weights = explorer.weights or dict.fromkeys(scores, 1 / 7)
        shares = [sum(weights[task] for task in tasks) for tasks in groups.values()]
        shown = [slider.value for slider in explorer.sliders.values()]
        assert shown == pytest.approx(shares, abs=0.0051)
        assert explorer.group_weights == {}
        told = [f"{round(100 * value)}%" for value in shown]
        assert f"give {told[0]} to one, {told[1]} to two and {told[2]} to three;" in explorer.words
        # In the triangle the tasks of a group are alike, and it goes by another rule.
        alike = {
            task: share / len(groups[group])
            for group, share in zip(groups, shares, strict=True)
            for task in groups[group]
        }
        winner = nbrank.borda(scores, weights=alike).index[0]
        assert f"With every task of a group alike, {winner} wins there by borda." in explorer.words


def test_the_nearest_other_outcome_is_named(triangle):
    triangle.group_weights = {"speed": 1, "size": 0, "skill": 0}
    found = triangle.triangle
    others = found[[winners != ["A"] for winners in found["winners"]]]
    least = (1 - others["speed"]).min()
    assert f"another outcome are {1 - least:.0%} on speed, " in triangle.words
    alone = sum(winners == ["A"] for winners in found["winners"]) / len(found)
    assert f"A at {alone:.0%}" in triangle.words


def test_the_ring_is_drawn_where_it_is_and_not_filled(triangle):
    triangle.group_weights = {"speed": 0, "size": 1, "skill": 0}
    triangle.rule = "plurality"
    spec = triangle._map.spec
    params = {param["name"]: param.get("value") for param in spec["params"]}
    assert (params["at_x"], params["at_y"]) == pytest.approx((1, 0))
    assert set(triangle._map._vl_selections) <= params.keys()
    rings = [part["mark"] for part in spec["layer"] if part["mark"].get("size") == 320]
    assert [ring["filled"] for ring in rings] == [False, False]
    names = [part["name"] for part in spec["layer"] if "name" in part]
    assert len(set(names)) == len(names)  # or the browser draws nothing


def test_a_rule_that_refuses_the_table_hides_the_triangle_and_says_why():
    chat = load_llm_chat().drop(columns="Chinese", level="group")
    explorer = nbrank.explore_weights(chat)
    explorer.group_weights = {"English": 1, "Code": 1, "Math": 2}
    explorer.rule = "mean"
    assert explorer.triangle is None
    assert explorer._map.layout.display == "none"
    assert "mean can&#x27;t rank this" in explorer._refused.value
    assert explorer.words == "mean can't rank this: 2 missing scores; choose another rule."
    assert explorer.ranking is None
    explorer.rule = "borda"
    assert explorer._map.layout.display is None
    assert explorer._refused.value == ""
    assert "50% on Math" in explorer.words


@pytest.mark.parametrize(
    "weights",
    [
        {"speed": 1},
        {"speed": 1, "size": 1, "x": 1},
        {"speed": 0, "size": 0, "skill": 0},
        {"speed": 1, "size": -1, "skill": 1},
        {"speed": 1, "size": float("inf"), "skill": 1},
        {"speed": 1, "size": "much", "skill": 1},
    ],
)
def test_wrong_weights_of_groups_are_refused(triangle, weights):
    with pytest.raises(traitlets.TraitError, match="group_weights"):
        triangle.group_weights = weights


def test_group_weights_need_three_groups(explorer):
    with pytest.raises(traitlets.TraitError, match="three groups"):
        explorer.group_weights = {"English": 1}


def test_no_system_and_no_point_is_the_system_to_begin_with(explorer, triangle):
    for one in (explorer, triangle):
        begun = one.system
        one.system = one.nearest.index[-1]
        one.system = None
        assert one.system == begun
    triangle.group_weights = dict.fromkeys(triangle.sliders, 1)
    triangle.group_weights = {}
    assert triangle.system == begun


def test_other_numbers_of_groups_have_none(explorer):
    assert explorer.triangle is None
    assert explorer.sliders == {}


@pytest.mark.parametrize("size", [(1, 1), (3, 2), (300, 50)])
def test_it_stays_usable_from_small_to_large(size):
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=size)).add_prefix("t")
    explorer = nbrank.explore_weights(frame)
    asked = explorer.nearest
    assert asked.notna().sum() == 40 if size[0] == 300 else len(asked) == size[0]
    assert len(explorer.words) < 900


def test_a_system_of_a_large_board_is_asked_when_it_is_picked():
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(80, 20))).add_prefix("t")
    explorer = nbrank.explore_weights(frame)
    other = next(s for s in frame.index if s not in explorer.nearest.index)
    explorer.system = other
    assert other in explorer.nearest.index


def test_what_has_to_move_is_counted_from_the_weights_that_are_given():
    frame = pd.DataFrame({"t": [2, 1], "u": [1, 2], "v": [1, 2]}, index=["A", "B"])
    explorer = nbrank.explore_weights(frame, weights={"t": 5})
    assert explorer.system == "B"
    assert explorer.to_move == pytest.approx(3 / 14)
    assert "21.4% of the weight has to move from where the weights as given put it" in (
        explorer.words
    )
    assert "less t (50% instead of 71.4%)" in explorer.words
    explorer.system = "A"
    assert "With the weights as given A already loses to no other system." in explorer.words
    frame.loc["C"] = [0, 0, 0]
    assert "1 of the 3 systems can't win" in nbrank.explore_weights(frame).words


def test_unknown_systems_are_refused(explorer):
    with pytest.raises(ValueError, match="unknown system 'Z'"):
        nbrank.explore_weights(load_llm_chat(), "Z")
    with pytest.raises(traitlets.TraitError):
        explorer.system = "Z"
