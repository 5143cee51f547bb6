"""`explore`: what is set from Python or by a widget is what is shown, in ranks and in words."""

import dataclasses
import importlib
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import pytest
import traitlets
from pandas.testing import assert_frame_equal

import nbrank
from nbrank.datasets import load_llm_chat
from nbrank.explorers import ranked
from nbrank.rules.wording import what_counts

# The package has the function under the module's name.
MODULE = importlib.import_module("nbrank.explorers.explore")
RULES = ("borda", "plurality", "copeland")


def board(n_systems, n_tasks, *, missing=0.0):
    rng = np.random.default_rng(0)
    scores = rng.integers(0, 20, (n_systems, n_tasks)).astype(float)
    scores[rng.random(scores.shape) < missing] = np.nan
    names = [f"a system with a <long> name & number {i}" for i in range(n_systems)]
    return pd.DataFrame(scores, index=names).add_prefix("task ")


@pytest.fixture
def votes():
    return pd.DataFrame(
        {"t1": [9, 5, 1, 0], "t2": [9, 5, 1, 0], "t3": [0, 5, 6, 1], "t4": [0, 5, 4, 6]},
        index=list("ABCD"),
    ).astype(float)


@pytest.fixture
def explorer(votes):
    return nbrank.explore(votes, RULES)


@pytest.fixture
def drawn(rows_of):
    """The ranks in the live chart: (system, rule) -> rank."""

    def read(explorer):
        rows = rows_of(explorer._figure)
        return {
            (r["system"], r["rule"]): r["rank"]
            for r in rows
            if {"system", "rule", "rank"} <= r.keys()
        }

    return read


def test_it_opens_with_the_rankings_of_its_rules(explorer, votes):
    expected = nbrank.compare(votes, RULES)
    assert_frame_equal(explorer.ranks.loc[votes.index], expected)
    assert_frame_equal(explorer.ranking, nbrank.borda(votes))
    assert explorer.winners == nbrank.winners(votes, RULES).to_dict()
    assert explorer.changes == ""


def test_a_slider_moved_changes_the_ranking_and_says_so(explorer, votes):
    explorer.sliders.sliders["t4"].value = 3.0
    assert explorer.weights == {"t1": 1, "t2": 1, "t3": 1, "t4": 3}
    expected = nbrank.borda(votes, weights={"t4": 3})
    assert_frame_equal(explorer.ranking, expected)
    assert explorer.winners["plurality"] == ["D"]
    assert explorer.changes.startswith("You changed the weight of t4 from 1 to 3: ")
    assert "under plurality D wins instead of A" in explorer.changes
    assert explorer.changes in explorer.words
    assert explorer.changes in explorer._said.value


def test_weights_set_from_python_move_the_sliders(explorer):
    explorer.weights = {"t1": 7}
    assert explorer.weights == {"t1": 7, "t2": 1, "t3": 1, "t4": 1}
    assert explorer.sliders.sliders["t1"].value == 7
    assert explorer.sliders.sliders["t1"].max >= 7


def test_a_slider_that_the_browser_moves_to_its_step_changes_nothing(explorer):
    explorer.weights = {"t1": 1.03}
    changes = explorer.changes
    explorer.sliders.sliders["t1"].value = 1.0
    assert explorer.weights["t1"] == 1.03
    assert explorer.changes == changes
    explorer.sliders.sliders["t1"].value = 1.2
    assert explorer.weights["t1"] == 1.2


@pytest.mark.parametrize("weights", [[9, 7, 3, 3], [1, 1], [0.5, 1, 1], [0.25, 1]])
def test_the_sliders_show_the_weights_to_begin_with(weights):
    scores = pd.DataFrame([[1] * len(weights), [2] * len(weights)]).add_prefix("t")
    given = dict(zip(scores, weights, strict=True))
    explorer = nbrank.explore(scores, ("borda",), weights=given)
    for task, slider in explorer.sliders.sliders.items():
        steps = given[task] / slider.step
        assert steps == pytest.approx(round(steps))  # so the browser has no nearer one
        assert 20 <= slider.max / slider.step <= 100


def test_the_start_can_be_had_back(explorer, votes):
    explorer.weights = {"t1": 0}
    button = explorer.sliders.children[0].children[0]
    button.click()
    assert_frame_equal(explorer.ranking, nbrank.borda(votes))


def test_chart_and_table_show_the_ranks(explorer, drawn):
    explorer.weights = {"t4": 3}
    ranks = drawn(explorer)
    assert ranks == explorer.ranks.stack().to_dict()
    body = ET.fromstring(explorer._rows.value).find(".//tbody")
    shown = {row.find("th").text: [int(cell.text) for cell in row.iter("td")] for row in body}
    assert shown == {system: list(row) for system, row in explorer.ranks.iterrows()}


def test_a_box_ticked_adds_a_rule(explorer, votes):
    explorer.boxes["minimax"].value = True
    assert explorer.rules == (*RULES, "minimax")
    assert explorer.ranks["minimax"].to_dict() == nbrank.minimax(votes)["rank"].to_dict()
    explorer.boxes["borda"].value = False
    assert "borda" not in explorer.rules
    assert explorer.order_by == "plurality"
    assert_frame_equal(explorer.ranking, nbrank.plurality(votes))


def test_a_box_ticked_leaves_the_order_as_it_was():
    explorer = nbrank.explore(load_llm_chat(), ("mean", "borda", "plurality"))
    explorer.order_by = "plurality"
    explorer.boxes["minimax"].value = True
    assert (explorer.order_by, explorer._order.value) == ("plurality", "plurality")
    assert explorer.ranking.attrs["rule"] == "plurality"


def test_the_last_rule_stays(votes):
    explorer = nbrank.explore(votes, ("borda",))
    explorer.boxes["borda"].value = False
    assert explorer.rules == ("borda",)


def test_systems_stand_in_the_order_of_the_rule_chosen(explorer, votes):
    explorer.order_by = "plurality"
    assert list(explorer.ranks.index) == list(nbrank.plurality(votes).index)


def test_rules_set_from_python_are_all_kept_and_ticked(explorer):
    rules = tuple(rule for rule in explorer.boxes if rule != "kemeny")
    explorer.rules = rules
    assert explorer.rules == rules
    assert [name for name, box in explorer.boxes.items() if box.value] == list(rules)
    assert list(explorer.ranks) == list(rules)


def test_each_rule_says_what_it_asks_where_it_is_ticked(explorer):
    for rule, box in explorer.boxes.items():
        asked = nbrank.RULES[rule].answers
        assert box.description == f"{rule.replace('_', ' ')}: {asked}"
        assert box.tooltip == asked


def test_every_rule_that_is_offered_says_what_it_counts(explorer):
    for rule in explorer.boxes:
        known = nbrank.RULES[rule]
        assert known.counts
        weighed = what_counts(known.counts, "instance", weighed=True)
        assert not set("{}") & set(weighed), rule


def test_a_search_that_takes_too_long_is_stopped_and_said(votes, monkeypatch):
    def slow(*_, **__):
        raise nbrank.SearchLimitError("kemeny: no proof within 10 s; drop systems")

    stopped = dataclasses.replace(nbrank.RULES["kemeny"], side_by_side=slow)
    monkeypatch.setattr(ranked, "RULES", {**nbrank.RULES, "kemeny": stopped})
    explorer = nbrank.explore(votes, ("borda", "kemeny"))
    assert "Not shown is kemeny: no proof within 10 s; drop systems." in explorer.words


def test_where_ranked_pairs_would_search_for_long_a_slider_does_not_wait_for_it():
    scores = pd.DataFrame(np.random.default_rng(10).random((30, 9))).add_prefix("t")
    explorer = nbrank.explore(scores, ("borda", "ranked_pairs"))
    assert "Not shown is ranked pairs: so many pairs have the same margin" in explorer.words
    assert "gave up after 3,333 states" in explorer.words  # nbrank.ranked_pairs, after 5,000


def test_missing_scores_count_as_chosen():
    scores = load_llm_chat()
    explorer = nbrank.explore(scores, ("borda", "mean"))
    assert explorer.ranks["mean"].isna().all()
    assert "Not shown is mean: 2 missing scores" in explorer.words
    explorer.missing = "ignore"
    assert (
        explorer.ranks["mean"].to_dict()
        == nbrank.mean(scores, missing="ignore")["rank"].astype("Int64").to_dict()
    )
    assert "missing scores from “as each rule does” to “ignore”" in explorer.changes


def test_a_treatment_that_a_rule_does_not_know_is_said_in_words():
    explorer = nbrank.explore(load_llm_chat(), ("borda", "mean"))
    explorer.missing = "compatible"
    assert "mean: 2 missing scores; above you can choose to count them by “ignore”" in (
        explorer.words
    )
    assert "is unknown" not in explorer.words


def test_a_rule_that_refuses_says_why_where_it_orders():
    explorer = nbrank.explore(load_llm_chat(), ("mean", "borda"))
    assert explorer.order_by == "borda"
    explorer._order.value = "mean"
    assert explorer.words == (
        "mean can't rank this table.\n"
        "Not shown is mean: 2 missing scores; above you can choose to count them by “ignore” or "
        "“median”.\n"
        "Or order the systems by borda."
    )
    shows_nothing(explorer)
    explorer.missing = "median"
    assert explorer.ranking.attrs["rule"] == "mean"


def test_groups_have_a_slider_each_and_share_their_weight():
    scores = load_llm_chat()
    explorer = nbrank.explore(scores, ("borda",))
    assert list(explorer.sliders.sliders) == ["English", "Code", "Math", "Chinese"]
    assert explorer.weights == {"English": 9, "Code": 7, "Math": 3, "Chinese": 3}
    explorer.weights = {"English": 0, "Code": 1, "Math": 0, "Chinese": 0}
    expected = nbrank.borda(scores, weights=dict(explorer.weights))
    assert explorer.ranking["rank"].to_dict() == expected["rank"].to_dict()


def test_weights_of_zero_everywhere_are_refused_in_words(explorer):
    explorer.weights = dict.fromkeys(["t1", "t2", "t3", "t4"], 0)
    assert explorer.words == "All weights are 0: give at least one of them a weight."
    shows_nothing(explorer)
    explorer.weights = {"t1": 1}
    assert "A wins" in explorer.words
    assert "under plurality A wins" not in explorer.changes  # as it did when last there were ranks
    assert explorer._figure.layout.display is None


def shows_nothing(explorer):
    """Nothing of an earlier setting is left on show."""
    assert (explorer.ranking, explorer.ranks, explorer.winners) == (None, None, {})
    assert explorer.changes == explorer._closely.value == ""
    assert explorer._figure.layout.display == "none"
    assert "<td>" not in explorer._rows.value


def test_the_system_looked_at_is_explained_by_its_places(explorer):
    explorer.system = "D"
    assert "D: rank 2 under plurality" in explorer.words
    assert (
        "first on 1 of 4 tasks (t4), in the lower half on 3 "
        "(t1 with 0, place 4; t2 with 0, place 4; t3 with 1, place 3), in place"
    ) in explorer.words
    explorer._look.value = "A"
    assert explorer.system == "A"
    assert "A: rank" in explorer.words


def test_a_newcomer_reads_why_mean_and_plurality_differ():
    # One system is best on few tasks and bad on the rest; another is second everywhere.
    scores = pd.DataFrame(
        {"t1": [100, 90, 1], "t2": [100, 90, 1], "t3": [0, 90, 95], "t4": [0, 90, 80]},
        index=["specialist", "all-rounder", "third"],
    )
    words = nbrank.explore(scores, ("mean", "plurality")).words
    assert "all-rounder wins under mean." in words
    assert "specialist wins under plurality." in words
    assert "specialist (looked at because its rank depends much on the rule)" in words
    assert (
        "first on 2 of 4 tasks (t1 and t2), in the lower half on 2 "
        "(t3 with 0, place 3; t4 with 0, place 3)"
    ) in words
    assert "all-rounder, for comparison: On the tasks it is first on 1 of 4 tasks" in words
    assert (
        "plurality counts the tasks on which it is first (shared places in part), and nothing "
        "else: 2 for specialist, 1 for all-rounder. mean counts the average of all "
        "scores: 50 for specialist, 90 for all-rounder."
    ) in words
    assert (
        "For plurality first places are enough: no system has more of them than specialist, "
        "whatever it scores elsewhere. The mean counts every task, also each bad "
        "one: specialist is 40 behind all-rounder, and of that t3 costs 22.5 (0 against 90) and "
        "t4 costs 22.5 (0 against 90)."
    ) in words


def test_with_weights_it_says_that_weights_are_counted(votes):
    explorer = nbrank.explore(votes, ("mean", "plurality", "copeland"), weights={"t3": 3})
    explorer.system = "C"
    assert (
        "plurality counts the tasks by weight on which it is first (shared places in part), and "
        "nothing else: 3 for C"
    ) in explorer.words
    assert "first on 1 of 4 tasks (t3)" in explorer.words
    places = votes.rank(ascending=False).loc["C"]
    average = (places * [1, 1, 3, 1]).sum() / 6
    assert f"in place {average:.1f} on average by weight" in explorer.words
    explorer.weights = dict.fromkeys(votes, 1)
    assert "by weight" not in explorer.words
    explorer.weights = {"t1": 0}  # whose other tasks count one each
    assert "by weight" not in explorer.words


def test_of_instances_it_says_that_these_are_counted():
    rng = np.random.default_rng(0)
    rows = pd.MultiIndex.from_product([list("ABCD"), range(10)], names=["system", "instance"])
    scores = pd.DataFrame(rng.permutation(120).reshape(40, 3), rows).add_prefix("t")
    explorer = nbrank.explore(scores, ("mean", "plurality"))
    explorer.system = "B"
    unstacked = scores.unstack("instance")
    firsts = int((unstacked.rank(ascending=False).loc["B"] == 1).sum())
    rank = explorer.ranks.loc["B", "plurality"]
    assert (
        f'<td class="text">the instances on which it is first (shared places in part), and nothing '
        f"else</td><td>{firsts}: rank {rank}</td>"
    ) in explorer._closely.value
    means = scores.groupby("system").mean().rank(ascending=False).loc["B"]
    told = f"by the mean of its instances on each, it is first on {(means == 1).sum()} of 3 tasks"
    assert told in explorer.words


def test_a_zero_that_costs_the_mean_much_is_asked_about():
    scores = pd.DataFrame(
        {"t1": [9.0, 8, 1], "t2": [9.0, 8, 1], "t3": [0.0, 8, 7], "t4": [5.0, 8, 7]},
        index=["A", "B", "C"],
    )
    explorer = nbrank.explore(scores, ("mean", "plurality"))
    explorer.system = "A"
    assert "Is the 0 on t3 a score, or was it never reported?" in explorer.words
    explorer.weights = {"t3": 0}
    assert "never reported" not in explorer.words


def test_a_task_of_a_group_may_be_called_by_its_own_name():
    scores = load_llm_chat()
    explorer = nbrank.explore(scores, ("borda",))
    explorer.weights_of = "tasks"
    explorer.weights = {"MMLU (EM)": 3}
    assert explorer.weights["English", "MMLU (EM)"] == 3


def test_who_wins_stands_above_the_chart_and_why_below(explorer):
    explorer.system = "D"
    above, below = explorer._said.value, explorer._reasons.value
    assert "wins under" in above
    assert "rank 2 under plurality" not in above
    assert "rank 2 under plurality" in below
    place = {id(widget): number for number, widget in enumerate(explorer.children)}
    (chart,) = [w for w in explorer.children if explorer._figure in getattr(w, "children", ())]
    order = [explorer._said, chart, explorer._reasons, explorer._closely, explorer._rows]
    assert [place[id(widget)] for widget in order] == sorted(place[id(widget)] for widget in order)


def test_the_worst_places_are_named_first_whatever_the_order_of_the_tasks():
    rng = np.random.default_rng(0)
    scores = pd.DataFrame(rng.normal(size=(9, 6)) + 5, index=list("ABCDEFGHI")).add_prefix("t")
    scores.loc["A"] = [9, 9, 1, 1, 1, -90]
    scores.loc["B"] = [0, 0, 0, 0, 0, 0]
    explorer = nbrank.explore(scores, ("mean", "plurality"))
    explorer.system = "A"
    assert "(the worst: t5 with -90, place 9; " in explorer.words
    assert "; and 1 more)" in explorer.words


def test_what_a_task_costs_in_the_mean_is_weighed_and_oriented():
    scores = pd.DataFrame(
        {"error": [8.0, 2.0], "t2": [4.0, 5.0], "t3": [4.0, 5.0]}, index=["A", "B"]
    )
    explorer = nbrank.explore(
        scores, ("mean", "plurality"), weights={"error": 2}, lower_is_better=list(scores)
    )
    explorer.weights = {"error": 1.5}
    explorer.system = "A"
    behind = f"A is {(1.5 * 6 - 2) / 3.5:.3g} behind B, and of that error costs {9 / 3.5:.3g} "
    assert f"{behind}(8 against 2)." in explorer.words


def test_without_a_sum_of_costs_the_mean_is_not_taken_apart():
    scores = pd.DataFrame({"t1": [9.0, 8], "t2": [1.0, 8], "t3": [9.0, np.nan]}, index=["A", "B"])
    explorer = nbrank.explore(scores, ("mean", "plurality"))
    explorer.missing = "ignore"
    explorer.system = "A"
    assert "behind" not in explorer.words


def test_a_fraction_of_first_places_that_comes_from_a_missing_score_is_said_to():
    explorer = nbrank.explore(load_llm_chat(), ("borda", "plurality"))
    explorer.system = "DeepSeek-V2-0506"
    told = "(a missing score, as of DeepSeek-V2-0506, counts in part too: for the share of the "
    assert f"{told}places it might have that are first)" in explorer.words
    explorer.missing = "worst"
    assert told not in explorer.words


def test_a_refusal_is_given_whole_whatever_the_systems_are_called():
    name = "Delta, Inc. v2; new"
    scores = pd.DataFrame({"t1": [1, -2.0], "t2": [1.0, np.nan]}, index=["A", name])
    explorer = nbrank.explore(scores, ("borda", "mean", "median", "geometric_mean"))
    assert (
        "Not shown are mean and median: 1 missing score; above you can choose to count them "
        "by “ignore” or “median”.\n"
    ) in explorer.words
    assert (
        f"Not shown is geometric mean: 1 negative score, of '{name}' on 't1'; rescale those tasks, "
        f"or use mean, borda or copeland."
    ) in explorer.words


def test_what_each_rule_counts_stands_in_a_table(explorer, votes):
    explorer.system = "D"
    body = ET.fromstring(explorer._closely.value).find(".//tbody")
    cells = {row.find("th").text: [cell.text for cell in row.iter("td")] for row in body}
    assert list(cells) == list(RULES)
    for rule in RULES:
        ranked = getattr(nbrank, rule)(votes)
        for system, cell in zip("DB", cells[rule][1:], strict=True):
            rank, score = ranked.loc[system]
            assert cell == f"{score:g}: rank {rank:g}"


def test_on_the_boards_groups_one_can_turn_to_single_tasks_and_back():
    scores = load_llm_chat()
    explorer = nbrank.explore(scores, ("borda",))
    explorer.weights = {"Code": 3.5}
    ranking = explorer.ranking
    explorer._weights_of.value = "tasks"
    assert explorer.weights_of == "tasks"
    assert list(explorer.weights) == list(explorer.sliders.sliders) == list(scores.columns)
    assert {w for (group, _), w in explorer.weights.items() if group == "Code"} == {0.5}
    assert_frame_equal(explorer.ranking, ranking)
    assert explorer.sliders in explorer._pane.children
    assert "You changed the sliders from groups to tasks: no winner and no rank changed" in (
        explorer.words
    )
    one = next(task for task in scores if task[0] == "Code")
    explorer.sliders.sliders[one].value = 4
    weights = {task: 0.5 if task[0] == "Code" else 1 for task in scores} | {one: 4}
    assert_frame_equal(explorer.ranking, nbrank.borda(scores, weights=weights))
    explorer.weights_of = "groups"
    assert explorer._weights_of.value == "groups"
    assert explorer.weights == {"English": 9, "Code": 7, "Math": 3, "Chinese": 3}
    old = explorer.sliders
    explorer.weights_of = "tasks"
    old.sliders["Code"].value = 1
    assert explorer.weights[scores.columns[0]] == 1


def test_a_board_without_groups_has_no_switch(explorer):
    assert explorer._weights_of not in explorer._pane.children
    with pytest.raises(traitlets.TraitError, match="no groups"):
        explorer.weights_of = "groups"


@pytest.mark.parametrize(
    "function",
    [
        nbrank.explore,
        nbrank.explore_weights,
        nbrank.explore_missing,
        nbrank.explore_elimination,
    ],
)
def test_comparisons_and_rankings_are_refused_and_the_way_out_is_said(function, votes):
    battles = nbrank.from_comparisons(
        pd.DataFrame({"left": ["A", "B"], "right": ["B", "C"], "winner": ["A", "C"]}),
        left="left",
        right="right",
        winner="winner",
    )
    with pytest.raises(TypeError, match=f"{function.__name__} needs scores.*comparisons.*explore_"):
        function(battles)
    with pytest.raises(ValueError, match="this is a ranking"):
        function(nbrank.borda(votes))


def test_where_no_rank_moves_nobody_is_looked_at_unasked(votes):
    explorer = nbrank.explore(votes, ("borda",))
    assert "looked at" not in explorer.words
    assert explorer._closely.value == ""
    explorer.system = "D"
    assert "D: rank 4 under borda. On the tasks it is first on 1" in explorer.words


def test_nobody_wins_where_condorcet_elects_nobody():
    cycle = pd.DataFrame({"a": [3, 2, 1], "b": [1, 3, 2], "c": [2, 1, 3]}, index=list("ABC"))
    explorer = nbrank.explore(cycle, ("condorcet", "borda"))
    assert explorer.winners == nbrank.winners(cycle, ("condorcet", "borda")).to_dict()
    assert "Nobody wins under condorcet." in explorer.words
    # There is no rank then, as in compare's table.
    assert explorer.ranks["condorcet"].isna().all()
    ranks = nbrank.compare(cycle, ("condorcet", "borda"))
    pd.testing.assert_frame_equal(explorer.ranks.loc[ranks.index], ranks)
    explorer.system = "B"
    assert "B: rank 1 under borda." in explorer.words
    explorer.weights = {"a": 3, "b": 1, "c": 1}
    assert "under condorcet A wins instead of nobody" in explorer.changes
    assert explorer.ranks["condorcet"].to_dict() == {"A": 1, "B": 2, "C": 2}
    explorer.weights = {"a": 1, "b": 1, "c": 1}
    assert "under condorcet nobody wins instead of A" in explorer.changes


def test_a_rule_that_ranks_nobody_draws_nothing():
    cycle = pd.DataFrame({"a": [3, 2, 1], "b": [1, 3, 2], "c": [2, 1, 3]}, index=list("ABC"))
    explorer = nbrank.explore(cycle, ("condorcet",))
    assert explorer.words.splitlines()[-1] == "Nobody wins under condorcet."
    explorer.system = "A"
    assert "A: no rank." in explorer.words


def test_a_tie_of_most_in_first_place_is_no_reason_to_look_at_a_system():
    scores = pd.DataFrame(
        {f"t{i}": np.arange(12, 0, -1.0) for i in range(5)}, index=list("ABCDEFGHIJKL")
    )
    scores.loc["E", "t0"] = 100
    explorer = nbrank.explore(scores, ("borda", "mean", "antiplurality"))
    assert (explorer.ranks["antiplurality"] == 1).sum() > 6
    # K goes from rank 1 to 11 by antiplurality; E moves by the mean.
    assert "E (looked at because its rank depends much on the rule)" in explorer.words
    assert "antiplurality counts" not in explorer.words


@pytest.mark.parametrize(
    "setting",
    [
        {"weights": {"t9": 1}},
        {"weights": {"t1": -1}},
        {"weights": {"t1": float("inf")}},
        {"weights": {"t1": float("nan")}},
        {"weights": {"t1": "a"}},
        {"rules": ("best",)},
        {"rules": ()},
        {"rules": ("positional",)},
        {"order_by": "minimax"},
        {"missing": "drop"},
        {"system": "Z"},
    ],
)
def test_wrong_settings_are_refused(explorer, setting):
    (name, value) = next(iter(setting.items()))
    with pytest.raises(traitlets.TraitError):
        setattr(explorer, name, value)


@pytest.mark.parametrize("size", [(1, 1), (3, 2), (20, 9), (300, 50)])
def test_it_stays_usable_from_small_to_large(size, drawn):
    explorer = nbrank.explore(board(*size, missing=0.1 if size[0] > 1 else 0), RULES)
    assert explorer.sliders.children[1].layout.max_height == "240px"
    assert len({system for system, _ in drawn(explorer)}) == min(size[0], 20)
    assert len(explorer.ranks) == size[0]
    if size[0] > 20:
        assert "The chart shows the first 20 by borda" in explorer.words


def test_many_sliders_are_found_by_name():
    explorer = nbrank.explore(board(5, 30), RULES)
    find = explorer.sliders.children[0].children[1]
    find.value = "TASK 2"
    shown = [k for k, s in explorer.sliders.sliders.items() if s.layout.display != "none"]
    assert shown == ["task 2", *(f"task {i}" for i in range(20, 30))]
    find.value = ""
    assert all(s.layout.display != "none" for s in explorer.sliders.sliders.values())


def test_labels_are_escaped():
    explorer = nbrank.explore(board(3, 2), RULES)
    shown = explorer._rows.value + explorer._said.value
    assert "<long>" not in shown
    assert "&lt;long&gt;" in shown


def test_a_frame_offers_it():
    explorer = board(3, 2).rank.explore(RULES)
    assert type(explorer).__name__ == "RankingExplorer"


def test_where_there_is_no_browser_its_words_are_printed(explorer):
    assert repr(explorer) == f"RankingExplorer\n{explorer.words}"


def test_who_is_first_nowhere_is_not_said_to_have_first_places_enough():
    # B, C and D share rank 2 under plurality: none of them is first on a task.
    scores = pd.DataFrame({"t1": [9, 5, 3, 1], "t2": [9, 6, 3, 1]}, index=list("ABCD"))
    explorer = nbrank.explore(scores, ("mean", "plurality"))
    assert explorer.ranks.loc["D"].tolist() == [4, 2]
    assert "D (looked at" in explorer.words
    assert "first places are enough" not in explorer.words
    explorer = nbrank.explore(scores.assign(t3=[8, 7, 6, 9]), ("mean", "plurality"))
    assert "first places are enough: only 1 system of 4 has more of them than D" in explorer.words
