"""Which rule is this? Names, functions, and either inside a partial with its options."""

from functools import partial

import pandas as pd
import pytest

import nbrank
from nbrank.rules.registry import (
    RULES,
    elect_winners,
    find_registered_rule,
    rank_and_elect,
    resolve_rule,
    rule_label,
    unwrap_partial,
)

CYCLE = pd.DataFrame({"t1": [3, 2, 1], "t2": [1, 3, 2], "t3": [2, 1, 3]}, index=list("ABC"))


def own(scores):
    """Somebody's own rule: everybody else in table order."""
    return nbrank.borda(scores).iloc[::-1].assign(rank=range(1, len(scores) + 1))


@pytest.mark.parametrize("name", RULES)
def test_a_rule_is_known_by_its_name_its_function_and_inside_a_partial(name):
    rule = RULES[name]
    assert resolve_rule(name) is rule.function
    for given in (name, rule.function, partial(rule.function), partial(rule.function, x=1)):
        assert find_registered_rule(given) is rule
        assert rule_label(given) == name


def test_somebody_elses_function_is_no_rule_of_ours():
    def borda(scores):
        return nbrank.borda(scores)

    for given in (own, borda, partial(own), partial(nbrank.borda, CYCLE)):
        assert find_registered_rule(given) is None
    assert rule_label(partial(own)) == "own"
    assert rule_label(partial(nbrank.borda, CYCLE)) == "borda"


def test_an_unknown_name_is_refused_and_so_is_what_cannot_be_called():
    for function in (resolve_rule, find_registered_rule):
        with pytest.raises(ValueError, match="unknown rule 'brda'"):
            function("brda")
        with pytest.raises(TypeError, match="a rule is a name or a function, not int"):
            function(3)


def test_the_options_nearest_to_the_call_count():
    rule = partial(partial(nbrank.minimax, variant="margins", missing="worst"), missing="ignore")
    assert unwrap_partial(rule) == (nbrank.minimax, {"variant": "margins", "missing": "ignore"})
    assert unwrap_partial(rule, {"variant": "opposition"})[1]["variant"] == "opposition"
    assert unwrap_partial("borda", {"ties": "min"}) == ("borda", {"ties": "min"})


def test_who_is_elected_is_told_with_the_rules_own_options():
    assert elect_winners("condorcet", CYCLE) == []
    assert rank_and_elect("condorcet", CYCLE)[1] == []
    assert "nobody wins" in nbrank.condorcet(CYCLE).attrs["note"]
    assert "note" not in nbrank.condorcet(CYCLE[["t1"]]).attrs
    assert elect_winners("plurality", CYCLE) == ["A", "B", "C"]
    one_missing = CYCLE.assign(t1=[3, 2, None])
    beaten = partial(nbrank.condorcet, missing="worst")
    assert elect_winners(beaten, one_missing.assign(t2=[3, 2, 1])) == ["A"]
    assert elect_winners(own, CYCLE) == ["C"]


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, rule in RULES.items()
        if rule.supports(nbrank.Leaderboard.provides) and not rule.arguments
    ],
)
def test_the_outcome_is_the_ranking_and_the_elected(name):
    ranked, winners = rank_and_elect(name, CYCLE)
    pd.testing.assert_frame_equal(ranked, resolve_rule(name)(CYCLE))
    assert winners == elect_winners(name, CYCLE)


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, rule in RULES.items()
        if rule.supports(nbrank.Leaderboard.provides) and not rule.arguments
    ],
)
@pytest.mark.parametrize("option", ["weigths", "rule", "source", "score", "function", "family"])
def test_an_unknown_option_is_refused_by_the_name_of_the_rule(name, option):
    with pytest.raises(TypeError, match=rf"{name}\(\) got an unexpected .*'{option}'"):
        resolve_rule(name)(CYCLE, **{option: "B"})
