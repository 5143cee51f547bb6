"""Arguments that a function needs, and keywords that it knows: errors name them, with a call."""

import functools
import inspect
import re
from typing import Unpack

import pandas as pd
import pytest

import nbrank
from nbrank import consensus, tournament
from nbrank.votes.method_registry import METHODS
from nbrank.votes.required_arguments import OPTION_PARAMETERS, spell_out_options
from nbrank.votes.table.task_options import PickOptions, RuleOptions, TableOptions
from nbrank.votes.table.validation import PairOptions, PlaceOptions

SCORES = pd.DataFrame(
    [[0.1, 0.7, 0.3, 0.9], [0.3, 0.2, 0.8, 0.1], [0.5, 0.4, 0.2, 0.6]],
    index=list("ABC"),
    columns=["t1", "t2", "t3", "t4"],
)
GROUPS = {"x": ["t1", "t2"], "y": ["t3", "t4"]}


def required(function):
    parameters = list(inspect.signature(function).parameters.values())[1:]
    empty = inspect.Parameter.empty
    return [one.name for one in parameters if one.default is empty and one.kind != one.VAR_KEYWORD]


NEEDY = sorted(
    name
    for name, method in METHODS.items()
    if "frame" not in method.requires and required(method.load())
)
RULES = ["normalized_mean", "optimality_gap", "positional"]


def mended(message):
    """Run the call that the message shows."""
    call = message.partition("as in ")[2]
    scores = SCORES
    if "two_step" in call:
        scores = nbrank.Leaderboard(SCORES, groups=GROUPS)
    two_tables = {"before": SCORES, "after": -SCORES}
    names = {"nbrank": nbrank, "scores": scores, "functools": functools, **two_tables}
    return eval(call, names | vars(nbrank))


def test_those_that_need_arguments():
    assert {*RULES, "rank_confidence", "bootstrap", "binomial_errors", "two_step"} <= set(NEEDY)


@pytest.mark.parametrize("name", NEEDY)
@pytest.mark.parametrize("how", ["function", "without scores", "df.rank", "Leaderboard"])
def test_a_function_names_the_arguments_that_it_needs(name, how):
    ask = {
        "function": functools.partial(getattr(nbrank, name, METHODS[name].load()), SCORES),
        "without scores": METHODS[name].load(),
        "df.rank": getattr(SCORES.rank, name),
        "Leaderboard": getattr(nbrank.Leaderboard(SCORES), name),
    }[how]
    first = next(iter(inspect.signature(METHODS[name].load()).parameters))
    needed = [*([first] if how == "without scores" else []), *required(METHODS[name].load())]
    with pytest.raises(TypeError) as caught:
        ask()
    message = str(caught.value)
    *first, last = needed
    said = f"{', '.join(first)} and {last} are" if first else f"{last} is"
    assert message.startswith(f"{name}: {said} not given. ")
    answer = mended(message)
    # So few tasks tell no pair apart, which is said.
    assert len(answer) or "note" in answer.attrs


def test_only_what_is_lacking_is_named():
    with pytest.raises(TypeError, match="^normalized_mean: high is not given"):
        nbrank.normalized_mean(SCORES, 0)
    with pytest.raises(TypeError, match="^normalized_mean: low is not given"):
        nbrank.normalized_mean(SCORES, high=1)
    with pytest.raises(TypeError, match="^rank_confidence_from: errors is not given"):
        nbrank.rank_confidence_from({"A": 1.0})


def test_no_rule_is_none_where_one_is_needed():
    for question in (nbrank.rank_confidence, nbrank.significant_pairs, nbrank.bootstrap):
        with pytest.raises(TypeError, match="rule is not given.*rule='borda'"):
            question(SCORES, None)
        with pytest.raises(ValueError, match="unknown rule ''"):
            question(SCORES, "")


def test_the_old_name_of_read_leads_to_the_new():
    with pytest.raises(AttributeError, match="no attribute 'read_scores': use nbrank.read"):
        nbrank.read_scores  # noqa: B018


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    "question",
    ["rank_confidence", "bootstrap", "leave_one_out", "cherry_pick", "unseat", "possible_ranks",
     "margin_of_victory", "score_intervals", "tie_groups"],
)  # fmt: skip
def test_a_question_names_what_its_rule_needs(question, rule):
    with pytest.raises(TypeError, match=rf"the rule {rule} needs .* as in \w+\(scores, ") as caught:
        getattr(nbrank, question)(SCORES, rule)
    assert len(mended(str(caught.value)))


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("given", [str, lambda rule: getattr(nbrank, rule)])
@pytest.mark.parametrize(
    "ask",
    [
        lambda rule: nbrank.compare(SCORES, [rule]),
        lambda rule: nbrank.compare(SCORES, {"ours": rule}),
        lambda rule: nbrank.winners(SCORES, [rule]),
        lambda rule: nbrank.two_step(SCORES, rule, groups=GROUPS),
        lambda rule: nbrank.picture(SCORES, rule),
        lambda rule: nbrank.experiments.remove_tasks(SCORES, [rule], seed=0, n_repeats=2),
    ],
)
def test_a_list_of_rules_takes_a_rule_with_its_arguments(ask, rule, given):
    with pytest.raises(TypeError, match=rf"^the rule {rule} needs .* as in functools") as caught:
        ask(given(rule))
    told = mended(str(caught.value))
    if rule != "positional":
        ask(told)
    else:
        assert len(nbrank.compare(SCORES, [told])) == 3


def test_functions_stay_what_they_are():
    function = nbrank.normalized_mean
    assert function is nbrank.RULES["normalized_mean"].function
    assert function.__name__ == "normalized_mean"
    assert function.__module__ == "nbrank.rules.normalized_means"
    assert list(inspect.signature(function).parameters)[:3] == ["scores", "low", "high"]
    assert re.match("Which system has the highest average", function.__doc__)
    with pytest.raises(TypeError, match=r"normalized_mean\(\) got an unexpected .*'missin'"):
        nbrank.normalized_mean(SCORES, 0, 1, missin="ignore")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            nbrank.from_comparisons,
            "from_comparisons: winner is not given.*from_comparisons(frame, left='left'",
        ),
        (
            nbrank.from_long,
            "from_long: system, task and score are not given.*from_long(frame, system='model'",
        ),
        (
            lambda _: nbrank.tie_groups(),
            "tie_groups: scores is not given.*tie_groups(scores, rule='borda')",
        ),
        (lambda _: nbrank.report(), "report: scores is not given.*nbrank.report(scores)"),
    ],
)
def test_readers_and_pages_name_what_is_lacking_and_a_call(call, message):
    pattern = ".*".join(map(re.escape, message.split(".*")))
    with pytest.raises(TypeError, match=pattern):
        call(pd.DataFrame({"a": [1]}))


def _public_functions():
    names = "agreement consensus tournament axioms metrics synthetic experiments charts datasets"
    modules = [nbrank, *(getattr(nbrank, name) for name in names.split()), nbrank.readers]
    for module in modules:
        for name in getattr(module, "__all__", dir(module)):
            function = getattr(module, name)
            if inspect.isfunction(function) and not name.startswith("_"):
                yield pytest.param(function, id=f"{module.__name__}.{name}")


@pytest.mark.parametrize("function", list(_public_functions()))
def test_a_call_without_arguments_names_all_that_are_needed(function):
    needed = [
        parameter.name
        for parameter in inspect.signature(function).parameters.values()
        if parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    ]
    if not needed:
        return
    with pytest.raises(TypeError) as caught:
        function()
    assert all(re.search(rf"\b{name}\b", str(caught.value)) for name in needed)
    assert function.__name__ in str(caught.value)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: nbrank.read(b"m,t\na,1\n", role={}), r"^read\(\) .* 'role'\. .* 'roles'\?$"),
        (lambda: nbrank.read(b"m,t\na,1\n", index_col=0), r"^read\(\) .* 'index_col'$"),
        (lambda: nbrank.read(b"m,t\na,1\n", weight=1), r"^read\(\) .* 'weight'\. .* 'weights'\?$"),
        (lambda: SCORES.rank.picture(n=5), r"^picture\(\) .* called top here: give top=$"),
        (lambda: SCORES.rank.report(alpha=0.1), r"^report\(\) .* called delta here: give delta="),
        (lambda: SCORES.rank.confidence(alpha=0.1), "called delta here: give delta="),
        (lambda: SCORES.rank.best_set("borda", alpha=0.1), "'alpha'. It is called delta here"),
        (lambda: SCORES.rank.best_set("borda", confidence=0.95), "give delta=0.05 for a conf"),
        (lambda: SCORES.rank.rank_confidence("borda", alpha=0.1), "give delta=0.05"),
        (lambda: SCORES.rank.significant_pairs("borda", alpha=0.1), "give delta=0.05"),
        (lambda: nbrank.Leaderboard(SCORES).report(SCORES), "give since=, as in nbrank.report"),
    ],
)
def test_a_keyword_of_another_library_is_refused_with_the_one_of_this(ask, message):
    with pytest.raises(TypeError, match=message):
        ask()


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("load_superglue_submissions", "nbrank.datasets.load_superglue_submissions"),
        ("fetch_sst", "nbrank.datasets.fetch_sst5"),
        ("load_nothing_like_it_at_all", "data sets are in nbrank.datasets$"),
    ],
)
def test_data_sets_are_looked_for_where_they_are(name, call):
    with pytest.raises(AttributeError, match=call):
        getattr(nbrank, name)


# ----------------------------------------------- options that functions take together as `**table`

TWO_SYSTEMS = pd.DataFrame({"t": [1, 2]}, index=["A", "B"])
OPTION_FUNCTIONS = [
    *(rule.function for rule in nbrank.RULES.values() if rule.name != "elo"),
    *(getattr(module, name) for module in (consensus, tournament) for name in module.__all__),
]


@pytest.mark.parametrize("function", OPTION_FUNCTIONS, ids=lambda function: function.__name__)
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
            lambda: nbrank.borda(TWO_SYSTEMS, weight=1),
            r"borda\(\) got .* 'weight'. Did you .* 'weights'",
        ),
        (
            lambda: TWO_SYSTEMS.rank.mean(mising="ignore"),
            r"mean\(\) got .* 'mising'. Did you .*'missing'",
        ),
        (lambda: consensus.bound(TWO_SYSTEMS, xyz=1), r"bound\(\) got .* argument 'xyz'$"),
        # Keywords of helpers are not keywords of the functions.
        (lambda: nbrank.borda(TWO_SYSTEMS, sees="units"), r"borda\(\) got .* argument 'sees'"),
        (lambda: nbrank.pairwise(TWO_SYSTEMS, sees="x"), r"pairwise\(\) got .* argument 'sees'"),
        (lambda: nbrank.mean(TWO_SYSTEMS, sees="x"), r"mean\(\) got .* argument 'sees'"),
        (lambda: nbrank.plurality(TWO_SYSTEMS, sees="x"), r"plurality\(\) got .* argument 'sees'"),
    ],
)
def test_a_keyword_that_is_not_known_is_refused_as_python_does(call, message):
    with pytest.raises(TypeError, match=message):
        call()
