"""Functions that take the options of a table as `**table` look and behave as if they named them."""

import inspect

import pandas as pd
import pytest

import nbrank
from nbrank import consensus, tournament

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
    assert all(one.kind != inspect.Parameter.VAR_KEYWORD for one in parameters.values())


@pytest.mark.parametrize(
    ("call", "said"),
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
        # Words that helpers know are no words of the functions.
        (lambda: nbrank.borda(SCORES, sees="units"), r"borda\(\) got .* argument 'sees'"),
        (lambda: nbrank.pairwise(SCORES, sees="x"), r"pairwise\(\) got .* argument 'sees'"),
        (lambda: nbrank.mean(SCORES, sees="x"), r"mean\(\) got .* argument 'sees'"),
        (lambda: nbrank.plurality(SCORES, sees="x"), r"plurality\(\) got .* argument 'sees'"),
    ],
)
def test_a_keyword_that_is_not_known_is_refused_as_python_does(call, said):
    with pytest.raises(TypeError, match=said):
        call()
