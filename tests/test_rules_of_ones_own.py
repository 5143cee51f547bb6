"""A function given as a rule has to return a ranking; the same words wherever it does not."""

import re
from functools import partial

import pandas as pd
import pytest

import nbrank
from nbrank import axioms, experiments
from nbrank.votes.leaderboard import Leaderboard

SCORES = pd.DataFrame(
    [[3.0, 1, 2, 5, 6, 7], [2, 2, 1, 4, 5, 5], [1, 3, 3, 3, 6, 4]],
    index=list("ABC"),
    columns=[f"t{number}" for number in range(6)],
)
GROUPS = {"g1": ["t0", "t1"], "g2": ["t2", "t3"], "g3": ["t4", "t5"]}
BATTLES = nbrank.from_comparisons(
    pd.DataFrame({"left": list("ABC"), "right": list("BCA"), "winner": "left"}),
    left="left",
    right="right",
    winner="winner",
)
COUNTED = nbrank.tally(
    pd.DataFrame(
        {"t": [3.0, 2, 1, 2]},
        index=pd.MultiIndex.from_product([["A", "B"], [1, 2]], names=["system", "instance"]),
    )
)

#: Every function that takes a rule, as a function of the rule alone.
TAKEN = {
    "compare": lambda rule: nbrank.compare(SCORES, [rule]),
    "compare beside options": lambda rule: nbrank.compare(SCORES, [rule], weights={"t1": 2}),
    "compare of comparisons": lambda rule: nbrank.compare(BATTLES, [rule]),
    "compare of a tally": lambda rule: nbrank.compare(COUNTED, [rule]),
    "winners": lambda rule: nbrank.winners(SCORES, [rule]),
    "winners beside options": lambda rule: nbrank.winners(SCORES, [rule], weights={"t1": 2}),
    "two_step": lambda rule: nbrank.two_step(SCORES, rule, groups=GROUPS),
    "bootstrap": lambda rule: nbrank.bootstrap(SCORES, rule, n_draws=3, seed=0),
    "changes": lambda rule: nbrank.changes(SCORES, SCORES, rule),
    "leave_one_out": lambda rule: nbrank.leave_one_out(SCORES, rule),
    "weight_map": lambda rule: nbrank.weight_map(SCORES, rule, groups=GROUPS, resolution=2),
    "axioms.check": lambda rule: axioms.check(SCORES, rule, "monotonicity"),
    "axioms.search": lambda rule: axioms.search(rule, "monotonicity"),
    "remove_scores": lambda rule: experiments.remove_scores(SCORES, [rule], n_repeats=1, seed=0),
    "dispersion": lambda rule: experiments.dispersion(SCORES, [rule]),
    "discriminative_power": lambda rule: experiments.discriminative_power(SCORES, [rule]),
}


def nothing(scores):
    """Return None, as a function without a return does."""


def numbers(scores):
    return [1, 2, 3]


def by_mean(scores):
    return nbrank.mean(SCORES)["score"]


def winner(scores):
    return "A"


def ranks(scores):
    return nbrank.mean(SCORES)[["rank"]]


def scored(scores):
    return nbrank.mean(SCORES)[["score"]]


def words(scores):
    return nbrank.mean(SCORES).assign(rank="first")


def halves(scores):
    return nbrank.mean(SCORES).assign(rank=[1, 2.5, 2.5])


def numbered(scores):
    return nbrank.mean(SCORES).reset_index(drop=True)


def twice(scores):
    return pd.concat([nbrank.mean(SCORES)] * 2)


WRONG = [
    (nothing, "a NoneType"),
    (numbers, "a list"),
    (by_mean, "a Series"),
    (winner, "a str"),
    (ranks, "a frame without 'score'"),
    (scored, "a frame without 'rank'"),
    (words, "a frame whose ranks are not whole numbers"),
    (halves, "a frame whose ranks are not whole numbers"),
    (numbered, "rows for 0, 1, 2, which are not systems of the table"),
    (twice, "several rows for 'A', 'C', 'B'"),
]


@pytest.mark.parametrize("name", TAKEN)
@pytest.mark.parametrize(("rule", "what"), WRONG, ids=lambda part: getattr(part, "__name__", ""))
def test_what_is_no_ranking_is_refused_in_the_same_words(name, rule, what):
    for given in (rule, partial(rule)):
        with pytest.raises(TypeError) as refusal:
            TAKEN[name](given)
        assert str(refusal.value).startswith(f"the rule '{rule.__name__}' returned {what}; a rule")
        assert "what nbrank.borda(scores) does" in str(refusal.value)


@pytest.mark.parametrize("name", TAKEN)
def test_what_is_neither_a_name_nor_a_function_is_refused(name):
    with pytest.raises(TypeError, match="a rule is a name or a function, not int|rules"):
        TAKEN[name](3)


def own(source):
    return nbrank.borda(source)


@pytest.mark.parametrize(
    "name", sorted(TAKEN.keys() - {"discriminative_power", "axioms.search", "axioms.check"})
)
def test_a_rule_of_ones_own_does_as_the_rule_that_it_calls(name):
    found, expected = TAKEN[name](own), TAKEN[name]("borda")
    assert re.sub("own|borda", "", str(found)).split() == (
        re.sub("own|borda", "", str(expected)).split()
    )


def test_a_rule_of_ones_own_may_leave_systems_out():
    found = nbrank.compare(SCORES, {"two": lambda scores: nbrank.mean(SCORES.loc[["A", "B"]])})
    assert found["two"].isna().to_dict() == {"A": False, "B": False, "C": True}


class OfScores:
    """A rule with a state of its own."""

    def __init__(self):
        self.seen = []

    def __call__(self, scores):
        self.seen.append(scores)
        return nbrank.mean(scores)


def test_an_object_that_can_be_called_is_a_rule():
    rule = OfScores()
    nbrank.two_step(SCORES, rule, groups=GROUPS)
    assert len(rule.seen) == 4
    assert all(isinstance(board, Leaderboard) for board in rule.seen)
