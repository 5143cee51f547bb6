"""Who could win: the nearest weights of each system, and the triangle of three groups."""

import re

import numpy as np
import pandas as pd
import pytest
import traitlets

import nbrank
from nbrank.datasets import load_glue_submissions, load_llm_chat
from nbrank.findings.labels import format_range


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(3)
    return pd.DataFrame(rng.integers(0, 30, (6, 9)), index=list("ABCDEF")).add_prefix("t")


@pytest.fixture
def bench():
    return nbrank.explore(load_llm_chat(), tab="weights")


@pytest.fixture
def triangle(scores):
    groups = {
        "first": ["t0", "t1", "t2"],
        "second": ["t3", "t4", "t5"],
        "third": ["t6", "t7", "t8"],
    }
    return nbrank.explore(scores, groups=groups, tab="weights")


def test_the_nearest_come_first_and_those_without_weights_last(bench):
    shares = bench.get_tab_result("weights").nearest.moved_shares()
    known = shares.dropna()
    assert (np.diff(known) >= 0).all()
    assert shares.index[0] == "DeepSeek-V3"
    # Where it ties with all on tasks on which it has no score, DeepSeek-V2 would be prospective.
    strict = nbrank.condorcet_weights(load_llm_chat())["strict"]
    assert set(known.index) == set(strict.index[strict])


def test_under_the_weights_tried_the_system_loses_to_nobody(bench):
    chat = load_llm_chat()
    bench.weights_of = "tasks"
    equal = dict(bench.weights)
    for system, share in bench.get_tab_result("weights").nearest.moved_shares().dropna().items():
        bench.weights = equal
        bench.system = system
        bench.get_tab_result("weights").apply_nearest_weights(system)
        weights = {task: weight for (_, task), weight in bench.weights.items()}
        wins = nbrank.pairwise(chat, weights=weights)
        assert (wins.loc[system] >= wins[system] - 1e-6).all()
        shares = np.array(list(bench.weights.values())) / 22
        assert np.maximum(shares - 1 / 22, 0).sum() == pytest.approx(share, abs=1e-6)


def test_a_press_on_a_name_looks_at_the_system(bench, press):
    row = list(bench.board.systems).index("GPT-4o-0513")
    press(bench.get_tab_result("weights").html, "system", row)
    assert bench.system == "GPT-4o-0513"
    assert "GPT-4o-0513 would lose to no other system if " in bench.text


def test_who_is_near_and_who_never_wins_is_said(bench):
    loses = "With equal weights DeepSeek-V3 loses to no other system, pair by pair."
    others = "4 others would be unbeaten under other weights, first Claude"
    assert f"{loses} {others}" in bench.text
    never = "2 of the 7 systems are beaten by another system whatever the weights."
    assert f"{never} No weight moves to a task on which a system has no score." in bench.text


def test_who_could_be_first_without_some_tasks_is_listed_by_name(press):
    bench = nbrank.explore(load_glue_submissions(), tab="weights")
    kept = nbrank.cherry_pick(load_glue_submissions())["kept"]
    said = bench.get_tab_result("weights").html
    kept = kept.drop("Turing NLR v5")  # which is first
    assert (
        f"{(kept > 0).sum()} systems other than Turing NLR v5 would be first if some tasks"
        in said.html
    )
    names = said.html.partition("who would be, without some tasks</summary>")[2].partition("</ul>")[
        0
    ]
    assert all(f">{bench.names.short[system]}<" in names for system in kept.index[kept > 0])
    press(said, "system", list(bench.board.systems).index("ERNIE"))
    assert bench.system == "ERNIE"


def test_who_could_be_first_without_some_tasks_is_said(bench):
    chat = load_llm_chat()
    could = int((nbrank.cherry_pick(chat)["kept"] > 0).sum())
    fewest = nbrank.unseat(chat)["removed"].iloc[0]
    others = f"{could - 1} systems other than DeepSeek-V3"
    assert f"{others} would be first if some tasks were left out" in bench.text
    assert f"To unseat DeepSeek-V3, leave out {fewest} tasks:" in bench.text
    out = list(nbrank.unseat(chat)["tasks"].iloc[0])
    gains = nbrank.borda(chat, weights=dict.fromkeys(out, 0))
    assert f"Then {gains.index[0]} is first." in bench.text
    bench.rule = "copeland"
    assert "if some tasks were left out" not in bench.text


def test_what_has_to_move_is_counted_from_the_weights_that_are_given():
    scores = pd.DataFrame({"t1": [2, 1], "t2": [1, 2], "t3": [1, 2]}, index=["A", "B"])
    bench = nbrank.explore(scores, system="B", weights={"t1": 3}, tab="weights")
    assert bench.get_tab_result("weights").nearest.moved_shares().to_dict() == {
        "A": 0,
        "B": pytest.approx(0.1),
    }
    assert "B would lose to no other system if 10 % of the weight moved to t2 (" in bench.text
    assert "With the weights as given A loses to no other system" in bench.text


def test_what_has_to_move_is_counted_from_the_weights_that_are_set(press):
    scores = pd.DataFrame({"t1": [2, 1], "t2": [1, 2], "t3": [1, 2]}, index=["A", "B"])
    bench = nbrank.explore(scores, system="A", tab="weights")
    moved = "moved to t1 (50 % instead of 33.3 %), away from t2 and t3."
    assert f"A would lose to no other system if 16.7 % of the weight {moved}" in bench.text
    bench.weights = {"t1": 3}
    assert bench.get_tab_result("weights").nearest.moved_shares().to_dict() == {
        "A": 0,
        "B": pytest.approx(0.1),
    }
    assert "With the weights that you set A loses to no other system" in bench.text
    bench.system = "B"
    moved = "moved to t2 (25 % instead of 20 %) and t3 (25 % instead of 20 %), away from t1."
    assert f"B would lose to no other system if 10 % of the weight {moved}" in bench.text
    press(bench._closely.html, "take", "")
    assert "With the weights that you set B loses to no other system" in bench.text
    assert bench.get_tab_result("weights").nearest.moved_shares().max() == pytest.approx(
        0, abs=1e-6
    )


def test_what_is_deleted_counts_no_more(votes):
    bench = nbrank.explore(votes, tab="weights")
    before = bench.get_tab_result("weights").nearest.moved_shares()
    bench.cells = [("D", "t4")]
    assert bench.get_tab_result("weights").nearest.moved_shares()["D"] != before["D"]
    bench.cells = ()
    pd.testing.assert_series_equal(bench.get_tab_result("weights").nearest.moved_shares(), before)


def test_a_system_without_a_score_can_not_win_and_it_is_said_why():
    scores = pd.DataFrame({"t1": [2, np.nan], "t2": [1, np.nan]}, index=["A", "B"])
    with pytest.raises(traitlets.TraitError, match="'B' is left out, without a single score"):
        nbrank.explore(scores, system="B", tab="weights")
    bench = nbrank.explore(scores, system="A", tab="weights")
    assert bench.verdict == "A is the only system with a score"
    assert "B is left out, without a single score." in bench.text


def test_of_many_systems_the_first_are_asked_and_one_that_is_looked_at():
    scores = pd.DataFrame(np.random.default_rng(0).random((120, 30))).add_prefix("t")
    bench = nbrank.explore(scores, tab="weights")
    shares = bench.get_tab_result("weights").nearest.moved_shares()
    assert len(shares) < 120
    other = next(system for system in scores.index if system not in shares.index)
    bench.system = other
    assert other in bench.get_tab_result("weights").nearest.moved_shares().index


def test_three_groups_have_a_triangle_and_others_none(triangle, scores):
    shown = triangle.get_tab_result("weights")
    expected = nbrank.weight_map(scores, "borda", resolution=40, groups=triangle.board.groups)
    pd.testing.assert_frame_equal(shown.triangle.winners_by_point, expected)
    assert shown.map in triangle._shown.children
    two = nbrank.explore(
        scores, groups={"a": scores.columns[:4], "b": scores.columns[4:]}, tab="weights"
    )
    assert two.get_tab_result("weights").map.html == ""


def test_a_click_in_the_triangle_moves_the_weights_and_the_ring(triangle, scores):
    shown = triangle.get_tab_result("weights")
    won = shown.triangle.winners_by_point
    row = won.reset_index(drop=True)
    point = int(row.index[(row["first"] == 0.25) & (row["second"] == 0.5)][0])
    shown.map._handle_custom_msg(["point", f"{point}"], [])
    assert triangle.weights == pytest.approx({"first": 9 / 4, "second": 9 / 2, "third": 9 / 4})
    assert triangle.winners["borda"] == won["winners"].iloc[point]
    *_, ring = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="9"', shown.map.html)
    marks = shown.map.html.partition('class="points">')[2].split("<path")[1:]
    x, y = re.search(r'd="M([\d.]+),([\d.]+)m', marks[point]).groups()
    assert [*map(float, ring)] == pytest.approx([float(x), float(y)], abs=0.1)


def test_each_point_of_the_triangle_says_who_wins_there_and_has_the_color_of_its_winner(triangle):
    html = triangle.get_tab_result("weights").map.html
    won = triangle.get_tab_result("weights").triangle.winners_by_point["winners"]
    said = re.findall(r'fill="var\(--s(\d)\)"><title>(.*?) \(first: ', html)
    assert [names for _, names in said] == [" and ".join(systems) for systems in won]
    assert len({number for number, name in said if " and " not in name}) == len(
        {name for _, name in said if " and " not in name}
    )
    assert {number for number, name in said if " and " in name} <= {"0"}
    assert html.count("several or another") == 1


def test_the_triangle_is_by_the_rule_that_orders_where_that_is_a_mean(triangle):
    triangle.rule = "plurality"
    assert "The winner by plurality as first, second and third count more or less" in triangle.text
    triangle.rule = "copeland"
    assert "The winner by Borda as" in triangle.text


def test_a_rule_that_refuses_the_table_says_so_in_place_of_the_triangle(scores):
    groups = {"a": ["t0"], "b": ["t1"], "c": [f"t{i}" for i in range(2, 9)]}
    gap = scores.astype(float)
    gap.loc["A", "t0"] = np.nan
    bench = nbrank.explore(gap, groups=groups, tab="weights")
    bench.missing = "ignore"
    bench.rule = "mean"
    assert "The triangle can't be drawn for mean: " in bench.text
    assert bench.get_tab_result("weights").map.html == ""


def test_unknown_systems_are_refused(scores):
    with pytest.raises(traitlets.TraitError, match="unknown 'Z'"):
        nbrank.explore(scores, system="Z", tab="weights")


def test_the_ranks_that_weights_leave_open_are_listed(press):
    chat = load_llm_chat().droplevel("group", axis=1)
    bench = nbrank.explore(chat, tab="weights")
    found = nbrank.possible_ranks(chat)
    html = bench.get_tab_result("weights").html.html
    table = html.partition("ranks under such weights</summary>")[2]
    for system, row in found.iterrows():
        ends = format_range(row["best"], row["worst"])
        cells = f"<th>{system}</th><td>{row['rank']}</td><td>{ends}"
        assert cells in table
    assert "no weight changes by more than a fifth, DeepSeek-V3 stays first by Borda." in bench.text


def test_a_rule_whose_ranks_no_programme_finds_has_no_such_list(bench):
    bench.rule = "instant_runoff"
    assert "ranks under such weights" not in bench.get_tab_result("weights").html.html
    assert "Ranks by instant runoff under other weights are unknown" in bench.text


def test_in_a_kernel_they_follow_a_moment_later(in_a_kernel):
    scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [2, 3, 1]}, index=list("ABC"))
    bench = nbrank.explore(scores)
    shown = bench.get_tab("weights")

    def move():
        bench.tab = "weights"
        assert "One moment ..." in shown.html.html

    in_a_kernel(move)
    assert "nobody but A and B would be first by Borda" in shown.html.html
    assert "ranks under such weights" in shown.html.html
    assert "nbrank-waits" not in shown.pane._dom_classes

    def weigh():
        bench.weights = {"t1": 3}
        assert "nobody but A and B would be first by Borda" in shown.html.html
        assert "nbrank-waits" in shown.pane._dom_classes

    in_a_kernel(weigh)
    assert "A stays first by Borda" in shown.html.html
    assert "nbrank-waits" not in shown.pane._dom_classes


def test_who_reads_the_words_in_a_kernel_gets_those_that_follow(in_a_kernel):
    scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [2, 3, 1]}, index=list("ABC"))
    bench = nbrank.explore(scores)

    def move():
        bench.tab = "weights"
        return bench.text

    assert "nobody but A and B would be first by Borda" in in_a_kernel(move)
