"""What explains one system: its places, who beats it, its nearest weights, what the rules count."""

from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd

import nbrank
from nbrank.datasets import load_llm_chat
from nbrank.findings.labels import rule_title

RULES = ("borda", "plurality", "copeland")


def card(bench):
    return bench._closely.html.html


def test_its_ranks_and_its_places_are_said(votes):
    bench = nbrank.explore(votes, rules=RULES)
    bench.system = "D"
    for said in (
        "<h3>D</h3>",
        "<p>Rank 2 under plurality (shared by 2); rank 4 under Borda and Copeland; on average in ",
        "<p>Good at: t4 (place 1 of 4).</p>",
        "<p>Bad at: t2 (place 4 of 4), t1 (4) and t3 (3).</p>",
    ):
        assert said in card(bench)


def test_places_count_only_where_a_task_weighs_and_by_its_weight(votes):
    bench = nbrank.explore(votes, rules=RULES, weights={"t1": 0, "t4": 3})
    bench.system = "D"
    assert "t1" not in card(bench).split("why?")[0].split("Pair by pair")[0]
    places = votes.rank(ascending=False).loc["D"]
    average = (places * [0, 1, 1, 3]).sum() / 5
    assert f"on average in place {average:.1f}" in card(bench)


def test_of_ballots_no_word_is_said_of_tasks():
    orders = [["A", "B", "C"], ["B", ["A", "C"]], ["C", "A"]]
    bench = nbrank.explore(nbrank.from_ballots(orders, counts=[3, 2, 2]), rules=RULES)
    bench.system = "C"
    assert "<p>Good at: ballot 3 (place 1 of 3).</p>" in card(bench)
    assert "B (5 to 2 by the weight of the ballots)" in card(bench)
    assert "task" not in card(bench)
    bench.tab = "confidence"
    assert "on ever more voters like these." in bench.text
    assert "task" not in bench.text
    assert "with other voters like these" in bench._lists


def test_who_beats_it_is_said_by_most_first(votes):
    bench = nbrank.explore(votes, rules=RULES)
    bench.system = "D"
    wins = nbrank.pairwise(votes)
    assert wins.loc["B", "D"] == 3
    assert "Pair by pair, B (3 to 1 tasks) and C (3 to 1) beat it; it beats 0 systems." in card(
        bench
    )
    bench.system = "B"
    assert "Pair by pair, no system beats it, and it beats 2 systems of 3." in card(bench)


def test_the_nearest_weights_can_be_tried(votes, press):
    bench = nbrank.explore(votes, rules=RULES)
    bench.system = "D"
    nearest = bench.get_tab_result("weights").nearest
    share = nearest.moved_shares()["D"]
    assert f"if {100 * share:.3g}&#160;% of the weight moved to t4 (" in card(bench)
    press(bench._closely.html, "take", "")
    assert bench.rule == "minimax"
    assert sum(bench.weights.values()) == 4
    wins = nbrank.pairwise(votes, weights=bench.weights)
    assert (wins.loc["D"] >= wins["D"] - 1e-9).all()
    assert bench.ranking["rank"]["D"] == 1
    # They are set: there is nothing more to try.
    assert 'data-name="take"' not in card(bench)
    assert "With the weights that you set D loses to no other system" in card(bench)


def test_its_place_on_every_task_is_folded_away():
    scores = load_llm_chat()
    bench = nbrank.explore(scores, rules=("borda",))
    bench.system = "DeepSeek-V2-0506"
    html = card(bench).split("its place on every task</summary>")[1]
    body = ET.fromstring(html[html.index("<table>") : html.index("</table>") + 8]).find(".//tbody")
    read = [[cell.text for cell in row.iter("td")] for row in body]
    places = scores.rank(ascending=False).loc[bench.system].sort_values()
    of = scores.notna().sum()
    assert sorted(read) == sorted(
        ["none" if np.isnan(place) else f"{place:g}", str(of[task])]
        for task, place in places.items()
    )


def test_a_system_that_never_wins_has_nothing_to_try():
    scores = pd.DataFrame({"t1": [2, 1], "t2": [2, 1]}, index=["A", "B"])
    bench = nbrank.explore(scores, rules=RULES)
    bench.system = "B"
    assert "No weights make B unbeaten: under any of them another system beats it." in card(bench)
    assert 'data-name="take"' not in card(bench)


def test_what_each_rule_counts_for_it_and_the_first_is_folded_away(votes):
    bench = nbrank.explore(votes, rules=RULES)
    bench.system = "D"
    first = bench.ranking.index[0]
    table = card(bench)[card(bench).index("<table>") : card(bench).index("</table>") + 8]
    body = ET.fromstring(table).find(".//tbody")
    cells = {row.find("th").text: [cell.text for cell in row.iter("td")] for row in body}
    assert list(cells) == list(map(rule_title, RULES))
    for rule in RULES:
        ranked = getattr(nbrank, rule)(votes)
        for system, cell in zip(("D", first), cells[rule_title(rule)][1:], strict=True):
            rank, score = ranked.loc[system]
            assert cell == f"{score:g}: rank {rank:g}"


def test_what_a_task_costs_in_the_mean_is_weighed_and_oriented():
    scores = pd.DataFrame(
        {"error": [8.0, 2.0], "t2": [4.0, 5.0], "t3": [4.0, 5.0]}, index=["A", "B"]
    )
    bench = nbrank.explore(
        scores, rules=("mean", "plurality"), weights={"error": 2}, lower_is_better=list(scores)
    )
    bench.weights = {"error": 1.5}
    bench.system = "A"
    behind = f"A is {(1.5 * 6 - 2) / 3.5:.3g} behind B, and of that error costs {9 / 3.5:.3g} "
    assert f"{behind}(8 against 2)." in bench.text


def test_a_zero_that_costs_the_mean_much_is_asked_about():
    scores = pd.DataFrame(
        {"t1": [9.0, 8, 1], "t2": [9.0, 8, 1], "t3": [0.0, 8, 7], "t4": [5.0, 8, 7]},
        index=["A", "B", "C"],
    )
    bench = nbrank.explore(scores, rules=("mean", "plurality"))
    bench.system = "A"
    assert "Was the 0 on t3 ever reported?" in bench.text
    bench.weights = {"t3": 0}
    assert "ever reported" not in bench.text


def test_a_zero_that_was_perhaps_not_reported_is_not_called_bad():
    scores = np.random.default_rng(0).uniform(40, 90, (12, 4)).round(1)
    frame = (
        pd.DataFrame(scores + np.arange(12)[:, None] * 5).add_prefix("t").add_prefix("s", axis=0)
    )
    frame.loc["s11", "t2"] = 0
    bench = nbrank.explore(frame, rules=RULES)
    bench.system = "s11"
    assert "t2: 0, perhaps not reported (counted as place 12 of 12)." in card(bench)
    assert "Bad at" not in card(bench)
    # A bad system with a 0 is bad at the task.
    frame.loc["s11", "t2"], frame.loc["s0", "t1"] = 60.5, 0
    bench = nbrank.explore(frame, rules=RULES)
    bench.system = "s0"
    assert "t1 (" in card(bench).split("Bad at: ")[1].split("</p>")[0]
    assert "perhaps not reported" not in card(bench)


def test_without_a_sum_of_costs_the_mean_is_not_taken_apart():
    scores = pd.DataFrame({"t1": [9.0, 8], "t2": [1.0, 8], "t3": [9.0, np.nan]}, index=["A", "B"])
    bench = nbrank.explore(scores, rules=("mean", "plurality"))
    bench.missing = "ignore"
    bench.system = "A"
    assert "behind" not in bench.text


def test_what_is_missing_is_said():
    bench = nbrank.explore(load_llm_chat(), rules=("borda",))
    bench.system = "DeepSeek-V2-0506"
    assert "Without a score on 2 tasks." in bench.text


def test_of_instances_it_says_that_these_are_counted():
    rng = np.random.default_rng(0)
    rows = pd.MultiIndex.from_product([list("ABCD"), range(10)], names=["system", "instance"])
    scores = pd.DataFrame(rng.permutation(120).reshape(40, 3), rows).add_prefix("t")
    bench = nbrank.explore(scores, rules=("mean", "plurality"))
    bench.system = "B"
    firsts = int((scores.unstack("instance").rank(ascending=False).loc["B"] == 1).sum())
    rank = bench.ranks.loc["B", "plurality"]
    assert (
        f'<td class="text">the instances on which it is first (shared places in part), and nothing '
        f"else</td><td>{firsts}: rank {rank}</td>"
    ) in card(bench)


def test_it_follows_what_is_moved(votes):
    bench = nbrank.explore(votes, rules=RULES)
    bench.system = "D"
    before = card(bench)
    bench.weights = {"t4": 9}
    assert card(bench) != before
    assert "Rank 1 under" in card(bench)


def test_than_whom_it_is_surely_better_is_said_as_the_pairs_have_it():
    glue = nbrank.datasets.load_superglue_submissions()
    pairs = nbrank.significant_pairs(glue, "borda")
    bench = nbrank.explore(glue, "borda")
    for system in bench.ranking.index[[0, 6, 23]]:
        bench.system = system
        beaten = int((pairs["better"] == system).sum())
        above = pairs["better"][pairs["worse"] == system]
        than = f"than {beaten}: " if beaten else "than no system; "
        assert f"By Borda it is surely better {than}" in bench.text
        assert ("; none surely above it." in bench.text) == above.empty
        assert all(bench.names.short[one] in bench.text for one in above.iloc[:6])
