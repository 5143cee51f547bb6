"""Round by round: who goes by the rule's definition, in words and in bars."""

import numpy as np
import pandas as pd
import pytest

import nbrank

RULES = ("baldwin", "nanson", "coombs", "instant_runoff")


def board(n_systems, n_tasks, *, missing=0.0, seed=0):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(n_systems, n_tasks)).round(1)
    scores[rng.random(scores.shape) < missing] = np.nan
    return pd.DataFrame(scores).rename(index="s{}".format).add_prefix("t")


def goes(rule, frame):
    """Who leaves among these, by the definition; nobody where all would."""
    if rule in ("baldwin", "nanson"):
        scores = nbrank.borda(frame)["score"]
        limit = scores.min() if rule == "baldwin" else scores.mean()
        out = scores <= limit + 1e-9 if rule == "baldwin" else scores < limit - 1e-9
    else:
        counted = nbrank.antiplurality if rule == "coombs" else nbrank.plurality
        scores = counted(frame)["score"]
        out = scores <= scores.min() + 1e-9
    names = set(scores.index[out])
    return set() if len(names) == len(frame) else names


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("missing", [0, 0.2])
def test_each_round_sends_those_whom_the_rule_sends(rule, missing):
    scores = board(9, 7, missing=missing)
    bench = nbrank.explore(scores, rule, tab="elimination")
    tab = bench.get_tab_result("elimination")
    left = list(scores.index)
    for number in range(tab.n_rounds + 1):
        bench.round = number
        assert set(tab.remaining) == set(left)
        expected = goes(rule, scores.loc[left])
        assert set(tab.eliminated) == expected
        left = [system for system in left if system not in expected]
    assert set(tab.remaining) == set(bench.winners[rule])


def test_the_slider_and_the_trait_move_together():
    bench = nbrank.explore(board(6, 5), tab="elimination")
    tab = bench.get_tab_result("elimination")
    assert tab._slider.max == tab._play.max == tab.n_rounds
    tab._slider.value = 2
    assert bench.round == 2
    bench.round = 1
    assert tab._slider.value == 1
    bench.round = 99
    assert bench.round == tab.n_rounds


def test_words_and_bars_say_who_goes():
    bench = nbrank.explore(board(6, 5), tab="elimination")
    tab = bench.get_tab_result("elimination")
    names = " and ".join(filter(None, [", ".join(tab.eliminated[:-1]), tab.eliminated[-1]]))
    assert f"Round 1 of {tab.n_rounds}: 6 systems of 6 left. {names} go" in bench.text
    for system in tab.remaining:
        count = f"{tab.counts[system]:.4g}"
        ending = ", goes" if system in tab.eliminated else ""
        row = tab.html.html.split(f">{system}</button>")[1].split("</td>")[0]
        assert row.endswith(f" {count}{ending}")


@pytest.mark.parametrize("rule", RULES)
def test_of_many_systems_those_at_the_edge_are_in_sight_in_every_round(rule):
    bench = nbrank.explore(board(60, 9), rule, tab="elimination")
    tab = bench.get_tab_result("elimination")
    for number in range(0, tab.n_rounds, 7):
        bench.round = number
        order = list(tab.counts.index)
        edge = len(order) - len(tab.eliminated)
        for system in (order[0], order[max(0, edge - 1)], order[edge]):
            assert f">{system}</button>" in tab.html.html
        assert tab.html.html.count("<tr>") <= 22


def test_a_system_is_found_in_the_round_in_which_it_goes():
    bench = nbrank.explore(board(30, 9), tab="elimination")
    tab = bench.get_tab_result("elimination")
    last = bench.ranking.index[-1]
    bench.round = 5
    bench.system = last
    assert last in tab.eliminated
    assert (
        f"{last} goes in round {bench.round + 1} of {tab.n_rounds}, and has rank 30." in bench.text
    )
    bench.round += 1
    assert f"{last} went in round" in bench.text
    bench.system = bench.ranking.index[0]
    assert f"{bench.system} never goes: it stays to the end, and has rank 1." in bench.text


def test_labels_that_are_tuples_are_followed():
    scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 2, 1]})
    scores.index = pd.Index([("a", 1), ("a", 2), ("b", 1)], tupleize_cols=False)
    bench = nbrank.explore(scores, tab="elimination")
    bench.system = ("b", 1)
    assert "b / 1 goes in round 1 of 2, and has rank 3." in bench.text


def test_the_end_names_the_winner_and_level_systems_win_together():
    bench = nbrank.explore(board(6, 5), tab="elimination")
    bench.round = bench.get_tab_result("elimination").n_rounds
    assert f"{bench.ranking.index[0]} wins by Baldwin." in bench.text
    level = pd.DataFrame({"t1": [1, 2], "t2": [2, 1]}, index=list("AB"))
    words = nbrank.explore(level, tab="elimination").text
    assert "A and B are level: all would go at once, so they stay and win together." in words


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        ("baldwin", "The systems that it is above, added up over the tasks"),
        ("instant_runoff", "The tasks"),
    ],
)
def test_the_bars_say_what_is_counted_on_this_table(rule, says):
    bench = nbrank.explore(board(4, 3), rule, tab="elimination")
    assert f"<th>{says}" in bench.get_tab_result("elimination").html.html
    bench.weights = {"t1": 2}
    assert "by weight" in bench.get_tab_result("elimination").html.html


def test_another_rule_and_another_weight_play_anew_and_one_without_rounds_offers_those_with(press):
    bench = nbrank.explore(board(8, 5), tab="elimination")
    bench.weights = {"t1": 4}
    tab = bench.get_tab_result("elimination")
    assert tab.n_rounds == nbrank.baldwin(board(8, 5), weights={"t1": 4})["score"].max()
    bench.rule = "borda"
    assert (
        "Borda doesn't go in rounds: Baldwin, Nanson, Coombs and instant runoff do." in bench.text
    )
    press(tab.html, "rule", "coombs")
    assert bench.rule == "coombs"
    assert "Round 1 of" in bench.text


def test_the_rounds_can_be_played():
    few = nbrank.explore(board(4, 5), tab="elimination").get_tab_result("elimination")
    many = nbrank.explore(board(60, 9), tab="elimination").get_tab_result("elimination")
    assert few._play.interval > many._play.interval >= 300
