"""Functions that take the options of a table as `**table` look and behave as if they named them."""

import inspect
from typing import Unpack

import pandas as pd
import pytest

import nbrank
from nbrank import consensus, tournament
from nbrank.votes.required_arguments import OPTION_PARAMETERS, spell_out_options
from nbrank.votes.table.task_options import PickOptions, RuleOptions, TableOptions
from nbrank.votes.table.validation import PairOptions, PlaceOptions

SCORES = pd.DataFrame({"t": [1, 2]}, index=["A", "B"])
FUNCTIONS = [
    *(rule.function for rule in nbrank.RULES.values() if rule.name != "elo"),
    *(getattr(module, name) for module in (consensus, tournament) for name in module.__all__),
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_the_signature_names_the_options_of_the_table(function):
    parameters = inspect.signature(function).parameters
    defaults = {"weights": None, "groups": None, "lower_is_better": ()}
    assert {name: parameters[name].default for name in defaults} == defaults
    assert all(parameters[name].kind == inspect.Parameter.KEYWORD_ONLY for name in defaults)
    kinds = {parameter.kind for parameter in parameters.values()}
    assert inspect.Parameter.VAR_KEYWORD not in kinds


@pytest.mark.parametrize("options", [TableOptions, PlaceOptions, PairOptions])
def test_the_options_in_a_signature_are_those_of_their_type(options):
    annotations = {name: item.__forward_arg__ for name, item in options.__annotations__.items()}
    assert {item.name: item.annotation for item in OPTION_PARAMETERS[options]} == annotations


@pytest.mark.parametrize("options", [RuleOptions, PickOptions])
def test_the_options_of_a_rule_stay_open(options):
    def question(scores, *, n=1, **options):
        """Return nothing."""

    question.__annotations__["options"] = Unpack[options]
    parameters = inspect.signature(spell_out_options(question)).parameters
    assert list(parameters) == [
        *("scores", "weights", "groups", "lower_is_better", "n", "options"),
    ]
    assert parameters["options"].kind is inspect.Parameter.VAR_KEYWORD


def test_a_function_without_such_options_keeps_its_signature():
    def rule(scores, *, n=1):
        """Return nothing."""

    assert spell_out_options(rule) is rule
    assert not hasattr(rule, "__signature__")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: nbrank.borda(SCORES, weight=1),
            r"borda\(\) got .* 'weight'. Did you .* 'weights'",
        ),
        (
            lambda: SCORES.rank.mean(mising="ignore"),
            r"mean\(\) got .* 'mising'. Did you .*'missing'",
        ),
        (lambda: consensus.bound(SCORES, xyz=1), r"bound\(\) got .* argument 'xyz'$"),
        # Keywords of helpers are not keywords of the functions.
        (lambda: nbrank.borda(SCORES, sees="units"), r"borda\(\) got .* argument 'sees'"),
        (lambda: nbrank.pairwise(SCORES, sees="x"), r"pairwise\(\) got .* argument 'sees'"),
        (lambda: nbrank.mean(SCORES, sees="x"), r"mean\(\) got .* argument 'sees'"),
        (lambda: nbrank.plurality(SCORES, sees="x"), r"plurality\(\) got .* argument 'sees'"),
    ],
)
def test_a_keyword_that_is_not_known_is_refused_as_python_does(call, message):
    with pytest.raises(TypeError, match=message):
        call()
