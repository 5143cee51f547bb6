"""Who is first: each number has the names behind it, and a click on one looks at the system."""

import re

import pandas as pd
import pytest

import nbrank
from nbrank.datasets import load_glue_submissions


def lists(bench):
    """What stands in each fold: its title -> the names."""
    assert bench.text
    folds = re.findall(r"<summary>(.*?)</summary><ul>(.*?)</ul>", bench._html.html)
    return {title: re.findall(r"<button[^>]*>(.*?)</button>", names) for title, names in folds}


@pytest.fixture(scope="module")
def glue():
    return nbrank.explore(load_glue_submissions())


def test_the_systems_that_may_be_best_are_listed_first_and_by_name(glue):
    best = nbrank.best_set(load_glue_submissions(), "borda")
    title = next(iter(lists(glue)))
    assert title == f"{best['best'].sum()} may be best with other tasks like these"
    assert lists(glue)[title] == list(best.index[best["best"]])
    assert f"the best is one of these {best['best'].sum()}: " in glue.verdict


def test_the_first_screen_searches_no_weights(votes):
    bench = nbrank.explore(votes)
    assert bench.text
    assert "weights" not in bench._tabs_made


def test_who_is_first_under_some_rule_is_listed_with_the_rules(votes):
    bench = nbrank.explore(votes, rules=("borda", "plurality", "copeland"))
    won = {system for winners in bench.winners.values() for system in winners}
    (names,) = (
        found for title, found in lists(bench).items() if "first under some of the 3 rules" in title
    )
    assert set(names) == won
    assert "<small>plurality</small>" in bench._html.html


def test_labels_are_written_as_they_are(votes):
    bench = nbrank.explore(votes, rules={"<i>mine": "borda", "plurality": "plurality"})
    assert "&lt;i&gt;mine" in (bench.text and bench._lists)
    assert "<i>" not in bench._html.html


def test_of_a_single_rule_its_name_is_said(votes):
    bench = nbrank.explore(votes, rules=("borda",))
    assert f"{len(bench.winners['borda'])} first under Borda" in lists(bench)


def test_a_click_on_a_name_looks_at_the_system(glue, press):
    row = list(glue.board.systems).index("ERNIE")
    press(glue._html, "system", row)
    assert glue.system == "ERNIE"


def test_without_a_ranking_nobody_is_listed(votes):
    bench = nbrank.explore(votes, rules=("borda",))
    bench.weights = dict.fromkeys(votes.columns, 0)
    assert lists(bench) == {}


def test_comparisons_have_no_weights_to_move():
    pairs = pd.DataFrame({"left": list("ABA"), "right": list("BCC"), "winner": list("ABC")})
    battles = nbrank.from_comparisons(pairs, left="left", right="right", winner="winner")
    titles = " ".join(lists(nbrank.explore(battles)))
    assert "first under all 6 rules" in titles
