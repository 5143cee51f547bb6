"""Which rule is this? Names, functions, and either inside a partial with its options."""

from functools import partial

import pandas as pd
import pytest

import nbrank
from nbrank.rules.bound_rule import BoundRule
from nbrank.rules.registry import RULES

CYCLE = pd.DataFrame({"t1": [3, 2, 1], "t2": [1, 3, 2], "t3": [2, 1, 3]}, index=list("ABC"))
RANKING = [
    name
    for name, rule in RULES.items()
    if rule.supports(nbrank.Leaderboard.provides) and not rule.arguments
]


def own(scores):
    """Somebody's own rule: everybody else in table order."""
    return nbrank.borda(scores).iloc[::-1].assign(rank=range(1, len(scores) + 1))


@pytest.mark.parametrize("name", RULES)
def test_a_rule_is_known_by_its_name_its_function_and_inside_a_partial(name):
    rule = RULES[name]
    assert BoundRule.bind(name).function is rule.function
    for given in (name, rule.function, partial(rule.function), partial(rule.function, x=1)):
        assert BoundRule.bind(given).registered is rule
        assert BoundRule.bind(given).label == BoundRule.bind(given).name == name


def test_somebody_elses_function_is_no_rule_of_ours():
    def borda(scores):
        return nbrank.borda(scores)

    for given in (own, borda, partial(own), partial(nbrank.borda, CYCLE)):
        assert BoundRule.bind(given).registered is None
        assert BoundRule.bind(given).name == ""
    assert BoundRule.bind(partial(own)).label == "own"
    assert BoundRule.bind(partial(nbrank.borda, CYCLE)).label == "borda"


@pytest.mark.parametrize("asked", ["registered", "function", "arguments"])
def test_an_unknown_name_is_refused_and_so_is_what_cannot_be_called(asked):
    with pytest.raises(ValueError, match="unknown rule 'brda'"):
        getattr(BoundRule.bind("brda"), asked)
    with pytest.raises(TypeError, match="a rule is a name or a function, not int"):
        getattr(BoundRule.bind(3), asked)


def test_the_options_nearest_to_the_call_count():
    rule = partial(partial(nbrank.minimax, variant="margins", missing="worst"), missing="ignore")
    bound = BoundRule.bind(rule)
    assert bound.rule is nbrank.minimax
    assert bound.options == {"variant": "margins", "missing": "ignore"}
    assert BoundRule.bind(rule, variant="opposition").options["variant"] == "opposition"
    assert BoundRule.bind("borda", ties="min").options == {"ties": "min"}


def test_options_that_a_rule_does_not_take_and_those_that_it_lacks_are_named():
    with pytest.raises(TypeError, match="^bootstrap: unknown options: 'tie'; the rule borda takes"):
        BoundRule.from_options("bootstrap", "borda", {"tie": "min"})
    with pytest.raises(TypeError, match=r"in bootstrap\(scores, rule='positional', vector=\["):
        BoundRule.from_options("bootstrap", "positional", {})
    with pytest.raises(TypeError, match=r"as in functools.partial\(nbrank.positional, vector=\["):
        BoundRule.bind("positional").check_arguments()
    BoundRule.bind(partial(nbrank.positional, vector=[2, 1, 0])).check_arguments()


def test_who_is_elected_is_told_with_the_rules_own_options():
    assert BoundRule.bind("condorcet").elect(CYCLE) == []
    assert BoundRule.bind("condorcet").rank_and_elect(CYCLE)[1] == []
    assert "none wins" in nbrank.condorcet(CYCLE).attrs["note"]
    assert "note" not in nbrank.condorcet(CYCLE[["t1"]]).attrs
    assert BoundRule.bind("plurality").elect(CYCLE) == ["A", "B", "C"]
    gapped = CYCLE.assign(t1=[3, 2, None], t2=[3, 2, 1])
    assert BoundRule.bind(partial(nbrank.condorcet, missing="worst")).elect(gapped) == ["A"]
    assert BoundRule.bind(own).elect(CYCLE) == ["C"]


@pytest.mark.parametrize("name", RANKING)
def test_the_outcome_is_the_ranking_and_the_elected(name):
    rule = BoundRule.bind(name)
    ranked, winners = rule.rank_and_elect(CYCLE)
    pd.testing.assert_frame_equal(ranked, rule.function(CYCLE))
    pd.testing.assert_frame_equal(ranked, rule.rank_quickly(CYCLE))
    assert winners == rule.elect(CYCLE)


@pytest.mark.parametrize("name", RANKING)
@pytest.mark.parametrize("option", ["weigths", "rule", "source", "score", "function", "family"])
def test_an_unknown_option_is_refused_by_the_name_of_the_rule(name, option):
    with pytest.raises(TypeError, match=rf"{name}\(\) got an unexpected .*'{option}'"):
        BoundRule.bind(name, **{option: "B"}).function(CYCLE)
