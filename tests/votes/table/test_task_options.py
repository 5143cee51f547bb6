"""On which tasks lower is better, in all the ways of saying so."""

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import Leaderboard
from nbrank.frontends.workbench import explore

SCORES = pd.DataFrame({"acc": [0.9, 0.8, 0.7], "sec": [3.0, 2.0, 1.0]}, index=list("ABC"))
GROUPED = SCORES.set_axis(pd.MultiIndex.from_tuples([("good", "acc"), ("fast", "sec")]), axis=1)
NUMBERED = SCORES.set_axis([0, 1], axis=1)

SAID = {
    "a list": (SCORES, ["sec"], [False, True]),
    "a name": (SCORES, "sec", [False, True]),
    "a set": (SCORES, {"sec"}, [False, True]),
    "an iterator": (SCORES, iter(["sec"]), [False, True]),
    "one True": (SCORES, {"sec": True}, [False, True]),
    "one False": (SCORES, {"acc": False}, [False, False]),
    "all tasks": (SCORES, {"acc": False, "sec": True}, [False, True]),
    "truths of numpy": (SCORES, {"acc": np.False_, "sec": np.True_}, [False, True]),
    "min and max": (SCORES, {"acc": "max", "sec": "min"}, [False, True]),
    "nothing said": (SCORES, {}, [False, False]),
    "a Series of truths": (SCORES, pd.Series({"acc": False, "sec": True}), [False, True]),
    "a Series of words": (SCORES, pd.Series({"acc": "max", "sec": "min"}), [False, True]),
    "a Series of names": (SCORES, pd.Series(["sec"]), [False, True]),
    "truths of numbered tasks": (NUMBERED, pd.Series([False, True]), [False, True]),
    "a bare name": (GROUPED, {"acc": False, "sec": True}, [False, True]),
    "a full name": (GROUPED, {("fast", "sec"): "min"}, [False, True]),
    "a truth of numpy for all": (SCORES, np.True_, [True, True]),
    "a number that is a name": (NUMBERED, 1, [False, True]),
}


@pytest.mark.parametrize(("scores", "said", "lower"), SAID.values(), ids=SAID)
def test_it_is_read_as_it_is_said(scores, said, lower):
    assert Leaderboard(scores, lower_is_better=said).is_lower_better.tolist() == lower


WRONG = {
    "another word": ({"acc": "max", "sec": "low"}, ValueError, "says 'sec': 'low'; say True or"),
    "numbers": ({"acc": 0, "sec": 1}, ValueError, "says 'acc': 0, 'sec': 1; say True or 'min'"),
    "nothing": ({"sec": None}, ValueError, "says 'sec': None; say"),
    "a missing truth": ({"sec": pd.NA}, ValueError, "says 'sec': <NA>; say"),
    "a Series of numbers": (pd.Series({"sec": 1}), ValueError, "says 'sec': 1; say"),
    "an unknown task": (
        {"secs": True},
        ValueError,
        "lower_is_better: unknown 'secs' .did you mean 'sec'..; tasks: 'a",
    ),
    "an unknown task said not": ({"secs": False}, ValueError, "unknown 'secs'"),
    "an unknown name": ("secs", ValueError, "lower_is_better: unknown 'secs'"),
    "a list of truths": ([False, True], TypeError, "is a list with False in it; name the tasks"),
    "twice": (pd.Series([True, False], ["sec", "sec"]), ValueError, "'sec' given more than once"),
    "a frame": (pd.DataFrame({"sec": [True]}), TypeError, "must be tasks, a mapping"),
    "a number": (1.5, TypeError, "or True for all tasks, not 1.5"),
}


@pytest.mark.parametrize(("said", "error", "message"), WRONG.values(), ids=WRONG)
def test_anything_else_is_refused(said, error, message):
    with pytest.raises(error, match=message):
        Leaderboard(SCORES, lower_is_better=said)


def test_truths_are_no_numbers_of_tasks():
    with pytest.raises(TypeError, match="is a list with True in it; name the tasks"):
        Leaderboard(NUMBERED, lower_is_better=[True, False])


def test_a_task_twice_by_two_names_is_refused():
    with pytest.raises(ValueError, match=r"\('fast', 'sec'\) given more than once"):
        Leaderboard(GROUPED, lower_is_better={"sec": True, ("fast", "sec"): False})


ROWS = pd.MultiIndex.from_product([list("ABC"), ["i"]], names=["system", "instance"])
ENTRIES = {
    "a rule": lambda said: nbrank.borda(SCORES, lower_is_better=said),
    "a rule on pairs": lambda said: nbrank.copeland(SCORES, lower_is_better=said),
    "the accessor": lambda said: SCORES.rank.borda(lower_is_better=said),
    "counts": lambda said: nbrank.tally(SCORES.set_axis(ROWS)).borda(lower_is_better=said),
    "a report of rules": lambda said: nbrank.compare(SCORES, ["borda"], lower_is_better=said),
    "counts compared": lambda said: nbrank.compare(
        nbrank.tally(SCORES.set_axis(ROWS)), ["borda"], lower_is_better=said
    ),
    "confidence": lambda said: nbrank.confidence(SCORES, lower_is_better=said),
    "an explorer": lambda said: explore(SCORES, lower_is_better=said).board.scores,
    "pairs": lambda said: nbrank.pairwise(SCORES, lower_is_better=said),
}


@pytest.mark.parametrize("ask", ENTRIES.values(), ids=ENTRIES)
def test_every_way_in_reads_it_alike(ask):
    plain = ask(["sec"])
    for said in ({"acc": False, "sec": True}, {"acc": "max", "sec": "min"}):
        pd.testing.assert_frame_equal(ask(said), plain)
    with pytest.raises(ValueError, match="says 'sec': 'low'"):
        ask({"sec": "low"})


def test_a_mapping_is_no_option_beside_a_leaderboard_or_comparisons():
    for said in ({"sec": False}, 7, np.True_):
        with pytest.raises(
            TypeError, match="lower_is_better can't be given together with a Leaderboard"
        ):
            nbrank.borda(Leaderboard(SCORES), lower_is_better=said)
