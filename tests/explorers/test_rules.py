"""`explore`: what is set from Python or by a widget is what is shown, in ranks and in words."""

from html import escape
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import pytest
import traitlets
from pandas.testing import assert_frame_equal

import nbrank
from nbrank.datasets import load_llm_chat

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


def drawn(explorer):
    """The rows of the live chart."""
    spec = explorer._figure.spec
    return [row for part in spec["layer"] for row in part["data"].get("values", [])] + [
        row for rows in spec.get("datasets", {}).values() for row in rows
    ]


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


def test_the_start_can_be_had_back(explorer, votes):
    explorer.weights = {"t1": 0}
    button = explorer.sliders.children[0].children[0]
    button.click()
    assert_frame_equal(explorer.ranking, nbrank.borda(votes))


def test_chart_and_table_show_the_ranks(explorer):
    explorer.weights = {"t4": 3}
    ranks = {(r["system"], r["rule"]): r["rank"] for r in drawn(explorer) if "drawn" in r}
    assert ranks == explorer.ranks.stack().to_dict()
    body = ET.fromstring(explorer._rows.value).find(".//tbody")
    shown = {row.find("th").text: [int(cell.text) for cell in row.iter("td")] for row in body}
    assert shown == {system: list(row) for system, row in explorer.ranks.iterrows()}


def test_a_box_ticked_adds_a_rule(explorer, votes):
    explorer.boxes["minimax"].value = True
    assert explorer.rules == ("plurality", "borda", "copeland", "minimax")
    assert explorer.ranks["minimax"].to_dict() == nbrank.minimax(votes)["rank"].to_dict()
    explorer.boxes["borda"].value = False
    assert "borda" not in explorer.rules
    assert explorer.order_by == "plurality"
    assert_frame_equal(explorer.ranking, nbrank.plurality(votes))


def test_the_last_rule_stays(votes):
    explorer = nbrank.explore(votes, ("borda",))
    explorer.boxes["borda"].value = False
    assert explorer.rules == ("borda",)


def test_systems_stand_in_the_order_of_the_rule_chosen(explorer, votes):
    explorer.order_by = "plurality"
    assert list(explorer.ranks.index) == list(nbrank.plurality(votes).index)


def test_what_the_rules_ask_can_be_read(explorer):
    for rule in RULES:
        assert escape(f"{rule}: {nbrank.RULES[rule].answers}") in explorer._asks.value


def test_missing_scores_count_as_chosen():
    scores = load_llm_chat()
    explorer = nbrank.explore(scores, ("borda", "mean"))
    assert explorer.ranks["mean"].isna().all()
    assert "mean: 2 missing scores" in explorer.words
    explorer.missing = "ignore"
    assert (
        explorer.ranks["mean"].to_dict()
        == nbrank.mean(scores, missing="ignore")["rank"].astype("Int64").to_dict()
    )
    assert "missing scores from “as each rule does” to “ignore”" in explorer.changes


def test_a_rule_that_refuses_says_why_where_it_orders():
    explorer = nbrank.explore(load_llm_chat(), ("mean", "borda"))
    assert explorer.order_by == "borda"
    explorer._order.value = "mean"
    assert "mean can't rank this table" in explorer.words
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
    before = explorer.ranking
    explorer.weights = dict.fromkeys(["t1", "t2", "t3", "t4"], 0)
    assert explorer.words == "All weights are 0: give at least one of them a weight."
    assert explorer.ranking is before
    explorer.weights = {"t1": 1}
    assert "A wins" in explorer.words


def test_the_system_looked_at_is_explained_by_its_places(explorer):
    explorer.system = "D"
    assert "D: rank 2 under plurality" in explorer.words
    assert "first on 1 of 4 tasks (t4), in the lower half on 3 (t1, t2 and t3)" in explorer.words
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
    assert "specialist (of those near the top it moves most)" in words
    assert "first on 2 of 4 tasks (t1 and t2), in the lower half on 2 (t3 and t4)" in words
    assert "all-rounder, for comparison: On the tasks it is first on 1 of 4 tasks" in words


def test_nobody_wins_where_condorcet_elects_nobody():
    cycle = pd.DataFrame({"a": [3, 2, 1], "b": [1, 3, 2], "c": [2, 1, 3]}, index=list("ABC"))
    explorer = nbrank.explore(cycle, ("condorcet", "borda"))
    assert explorer.winners == nbrank.winners(cycle, ("condorcet", "borda")).to_dict()
    assert "Nobody wins under condorcet." in explorer.words


@pytest.mark.parametrize(
    "setting",
    [
        {"weights": {"t9": 1}},
        {"weights": {"t1": -1}},
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
def test_it_stays_usable_from_small_to_large(size):
    explorer = nbrank.explore(board(*size, missing=0.1 if size[0] > 1 else 0), RULES)
    assert explorer.sliders.children[1].layout.max_height == "240px"
    assert len({r["system"] for r in drawn(explorer) if "drawn" in r}) == min(size[0], 20)
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
