"""A Series, frame or mapping that a parameter takes is aligned by its labels, or refused.

The test walks the signatures of the public functions. A parameter that takes labels and is not in
`GIVEN` fails it: say there how to make its value.
"""

import inspect
import json
import warnings
from collections.abc import Mapping
from functools import partial
from types import UnionType
from typing import Union, get_args, get_origin

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import agreement, axioms, charts, consensus, experiments, metrics, synthetic, tournament
from nbrank.rules import normalized_means, paired_comparison, rating_scale
from nbrank.votes import leaderboard
from nbrank.votes.table import numeric_cells, task_options, validation

SYSTEMS, TASKS = list("ABCD"), ["t1", "t2", "t3", "t4"]
#: Of t1 the systems are in this order, of t4 in the reverse.
SCORES = pd.DataFrame(
    [[0.9, 0.6, 0.3, 0.1], [0.7, 0.55, 0.2, 0.4], [0.5, 0.3, 0.9, 0.6], [0.2, 0.5, 0.6, 0.8]],
    index=SYSTEMS,
    columns=TASKS,
)
#: What is known of A and B well, and of C and D badly.
ERRORS = pd.DataFrame([[0.001] * 4, [0.002] * 4, [0.4] * 4, [0.5] * 4], SYSTEMS, TASKS)
RANKS = pd.Series([1, 2, 4, 3], index=SYSTEMS)
#: Battles in which more of something decides, and their rows have names.
_RNG = np.random.default_rng(5)
BATTLES = pd.DataFrame(
    {
        "left": _RNG.permuted(np.tile(["A", "B", "C"], 20)),
        "more": _RNG.normal(size=60),
        "count": _RNG.integers(1, 5, 60),
    },
    index=[f"row {number}" for number in range(60)],
)
BATTLES["right"] = BATTLES["left"].map({"A": "B", "B": "C", "C": "A"})
BATTLES["winner"] = np.where(BATTLES["more"] + _RNG.normal(size=60) > 0, "left", "right")
COMPARISONS = nbrank.from_comparisons(BATTLES, left="left", right="right", winner="winner")
#: Rows of instances, of which those of a cluster are alike.
ITEMS = pd.DataFrame(
    {"t": np.repeat([0.0, 0.3, 0.6, 0.9], 12) + _RNG.normal(size=48)},
    index=pd.MultiIndex.from_product(
        [SYSTEMS, [f"i{number}" for number in range(12)]], names=["system", "instance"]
    ),
)
BALLOTS = pd.Series([list("ABC"), list("BCA"), list("CAB")], index=["u", "v", "w"])
ANSWERS = pd.DataFrame({"A": [1, 0, 1, 1], "B": [0, 0, 1, 0]}, index=list("wxyz"))

#: What functions need, where it has no default.
NEEDED = {
    "rule": "borda",
    "vector": [5, 2, 1, 0],
    "low": 0.0,
    "high": 1.0,
    "gamma": 0.95,
    "rules": ["borda", "copeland"],
    "k": 2,
    "truth": RANKS,
    "ranking": RANKS,
    "rankings": {"published": RANKS},
    "metrics": ["accuracy"],
    "tie_within": 0.05,
    "n": 100,
    "system": "B",
}
#: What a call is given beside that: of a function, or of one parameter of it.
BESIDE = {
    "two_step": {"groups": {"g": ["t1", "t2"], "h": ["t3", "t4"]}},
    "weight_map": {"groups": {"g": ["t1"], "h": ["t2", "t3"], "i": ["t4"]}},
    "tie_groups": {"rule": "borda"},
    "variance_split": {"errors": ERRORS},
    "check": {"n_draws": 10},
    "possible_ranks bounds": {"within": None},
    "geometric_mean penalty": {"missing": "ignore"},
}
#: The data of a function, or for one parameter of it; else `SCORES`.
DATA = {
    "bradley_terry covariates": [COMPARISONS],
    "strengths covariates": [COMPARISONS],
    "from_ballots": [BALLOTS],
    "rank_confidence_from": [pd.Series([3.0, 2.5, 2.0, 0.5], index=SYSTEMS)],
    "global_scores": [ANSWERS],
    "instance_scores": [ANSWERS],
    "check": [SCORES, "borda"],
    "changes": [SCORES, SCORES[::-1].reset_index(drop=True).set_axis(list("ABCD"))],
    "explain_change": [SCORES, SCORES[::-1].reset_index(drop=True).set_axis(list("ABCD"))],
    "geometric_mean penalty": [SCORES.where(SCORES != 0.3)],
    "possible_ranks sets": [nbrank.possible_ranks(SCORES)],
} | {name: [RANKS.rank()] if name == "a" else [["A", "B", "C", "D"]] for name in agreement.__all__}
#: Parameters without labels of systems, tasks or rows, and data that stand second.
ARE_DATA = {"scores", "ours", "intervals", "measures", "after", "since"}

WEIGHTS = pd.Series([50.0, 0.5, 0.25, 0.125], index=TASKS)
#: How to make the value of a parameter that takes labels: by its name, or the function's and its.
GIVEN = {
    "weights": WEIGHTS,
    "groups": pd.Series(["g", "g", "g", "h"], index=TASKS),
    **{
        f"{name} weights": pd.Series([2.0, 2.0, 2.0, 0.0], index=TASKS)
        for name in ("critical_difference", "pairwise_p_values")
    },
    **{
        f"{name} groups": pd.Series(["g", "g", "h", "h"], index=TASKS)
        for name in ("critical_difference", "pairwise_p_values")
    },
    "weight_map groups": pd.Series(["g", "h", "h", "i"], index=TASKS),
    "lower_is_better": pd.Series([True, False, False, False], index=TASKS),
    "low": pd.Series([0.0, 0.05, 0.1, -3.0], index=TASKS),
    "high": pd.Series([1.0, 1.5, 2.0, 9.0], index=TASKS),
    "gamma": pd.Series([0.95, 0.5, 0.5, 0.1], index=TASKS),
    "penalty": pd.Series([0.9, 0.1, 0.01, 0.001], index=TASKS),
    "errors": ERRORS,
    "rank_confidence_from errors": pd.Series([0.01, 0.1, 1.0, 0.02], index=SYSTEMS),
    "n": pd.Series([10, 100, 1000, 10_000], index=TASKS),
    "counts": pd.Series([1, 2, 3, 9], index=TASKS),
    "from_ballots counts": pd.Series([1, 2, 9], index=list("uvw")),
    "decimals": pd.Series([0, 1, 1, 1], index=TASKS).to_dict(),
    "covariates": BATTLES["more"],
    "anchor": None,
    "bounds": {"t1": (0.5, 0.6), "t2": (0.2, 0.3), "t3": (0.0, 0.2), "t4": (0.0, 0.1)},
    "group_weights": {"g": 5.0, "h": 1.0},
    "ranking": RANKS,
    "scores ranking": RANKS.rename("rank").to_frame().assign(score=-RANKS),
    "rankings": {"published": RANKS},
    "rules": {"published": RANKS},
    "b": RANKS,
    "truth": RANKS,
    "reference": pd.Series([1, 0, 0, 1], index=list("wxyz")),
    "descriptions": pd.DataFrame({"size": [7, 13, 70, 1]}, SYSTEMS),
    "roles": {"t1": "lower", "t2": "description", "t3": "task", "t4": "task"},
    "where": pd.Series([0.9, 0.6], index=["t1", "t2"]).to_dict(),
    "sets": None,
    "cluster": pd.Series(list("uvwxyzuvwxyz"), index=[f"i{number}" for number in range(12)]),
}
#: Where nothing is to be aligned: what is drawn, or done, follows the order of the rows.
NOT_ALIGNED = {
    "anchor": "names a single system",
    "sets": "ways to make sets, or what rank_confidence returns",
    "picture groups": "draws the tasks in the order in which the groups have them",
    "leaderboard groups": "draws the tasks in the order in which the groups have them",
    "weight_map groups": "has a column for each group, in their order",
    "scores ranking": "draws the systems in the order of the ranking",
}


def public():
    modules = (nbrank, agreement, axioms, charts, consensus, experiments, metrics, synthetic)
    for module in (*modules, tournament):
        for name in module.__all__:
            one = getattr(module, name)
            if callable(one) and not (isinstance(one, type) and one is not nbrank.Leaderboard):
                yield module.__name__.rpartition(".")[2], name, one
    yield from (("rules", name, rule.function) for name, rule in nbrank.RULES.items())


def takes_labels(annotation, function):
    """Whether a parameter takes a Series, frame or mapping, by its annotation."""
    names = {}
    for module in (
        task_options,
        validation,
        normalized_means,
        rating_scale,
        paired_comparison,
        numeric_cells,
        leaderboard,
    ):
        names |= vars(module)
    inner = getattr(function, "__wrapped__", function)
    names |= getattr(inner, "__globals__", {})
    found = eval(annotation, names) if isinstance(annotation, str) else annotation
    kinds = get_args(found) if get_origin(found) in (Union, UnionType) else (found,)
    return any(kind in (pd.Series, pd.DataFrame) or get_origin(kind) is Mapping for kind in kinds)


def labelled():
    seen = set()
    for module, name, function in public():
        if function in seen or name in ("Tally", "Comparisons"):
            continue
        seen.add(function)
        # The first are the data, whose labels the others go by.
        for parameter in [*inspect.signature(function).parameters.values()][1:]:
            unset = parameter.annotation is inspect.Parameter.empty
            if not unset and takes_labels(parameter.annotation, function):
                yield module, name, parameter.name


CASES = sorted(set(labelled()))


def given_for(name, parameter):
    return GIVEN.get(f"{name} {parameter}", GIVEN.get(parameter, GIVEN))


def test_every_parameter_that_takes_labels_is_in_the_table():
    left = [case for case in CASES if case[2] not in ARE_DATA and given_for(*case[1:]) is GIVEN]
    assert not left, "say in GIVEN how to make a value, so that its alignment is tested"


def changed(value, how):
    """A value with something done to each Series or frame in it."""
    if isinstance(value, dict) and any(isinstance(one, pd.Series) for one in value.values()):
        return {label: changed(one, how) for label, one in value.items()}
    if isinstance(value, dict):
        return changed(pd.Series(value, dtype=object), how).to_dict()
    return how(value)


def shuffled(value):
    order = [2, 0, 3, 1, *range(4, len(value))][: len(value)] if len(value) > 3 else [2, 0, 1]
    order = order[: len(value)] if len(value) > 2 else [1, 0]
    return value.iloc[order]


def by_position(value):
    """The labels of a shuffled value with the numbers of the first: what is read by position."""
    return pd.DataFrame(shuffled(value)).set_axis(value.index).squeeze("columns")


def renamed(value):
    return value.rename(index=lambda label: f"no {label}")


def data_of(name, parameter):
    data = [ITEMS] if parameter == "cluster" else [SCORES]
    return DATA.get(f"{name} {parameter}", DATA.get(name, data))


def outcome(function, name, parameter, value):
    """What a call returns, as a text; or what it raises."""
    parameters = inspect.signature(function).parameters
    data = [] if name == "Leaderboard" else list(data_of(name, parameter))
    validation = {"seed": 0, "n_draws": 200, "n_repeats": 4}
    validation = {key: one for key, one in validation.items() if key in parameters}
    validation |= BESIDE.get(name, {}) | BESIDE.get(f"{name} {parameter}", {})
    for key in [*parameters][len(data) :]:
        if parameters[key].default is inspect.Parameter.empty and key in NEEDED:
            validation.setdefault(key, NEEDED[key])
    if parameter == "groups" and "weights" in parameters:
        validation["weights"] = "balanced"
    validation[parameter] = value
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            if name == "Leaderboard":
                board = nbrank.Leaderboard(*data_of(name, parameter), **validation)
                return (
                    shown(board.borda()) + shown(board.scores) + f"{board.voter_counts}"
                    f"{board.descriptions}"
                )
            return shown(function(*data, **validation))
        except (ValueError, TypeError) as error:
            return f"refused: {error}"


def shown(result):
    if isinstance(result, pd.DataFrame | pd.Series):
        return result.to_csv() + json.dumps(result.attrs, default=str)
    if isinstance(result, nbrank.Leaderboard):
        return f"{result.voter_counts}{result.lower_is_better}" + result.scores.to_csv()
    if hasattr(result, "text"):
        return result.text
    if hasattr(result, "to_dict"):
        return json.dumps(result.to_dict(), default=str)
    return f"{result}"


LABELLED = [
    (module, name, parameter)
    for module, name, parameter in CASES
    if parameter not in ARE_DATA
    and NOT_ALIGNED.keys().isdisjoint((parameter, f"{name} {parameter}"))
]
#: Of the others a rule may refuse a value, wherever its labels are.
REFUSE = {"lower_is_better", "rules"}


@pytest.mark.parametrize(("module", "name", "parameter"), LABELLED)
def test_what_has_labels_goes_by_them_or_is_refused(module, name, parameter):
    function = next(one for of, called, one in public() if (of, called) == (module, name))
    run, value = partial(outcome, function, name, parameter), given_for(name, parameter)
    found = run(value)
    assert run(changed(value, shuffled)) == found
    assert parameter in REFUSE or not found.startswith("refused: ")
    assert run(changed(value, renamed)).startswith("refused: ")


@pytest.mark.parametrize(
    ("function", "parameter"),
    [
        (nbrank.borda, "weights"),
        (nbrank.borda, "groups"),
        (nbrank.borda, "lower_is_better"),
        (nbrank.Leaderboard, "counts"),
        (nbrank.Leaderboard, "decimals"),
        (nbrank.normalized_mean, "low"),
        (nbrank.normalized_mean, "high"),
        (nbrank.optimality_gap, "gamma"),
        (nbrank.geometric_mean, "penalty"),
        (nbrank.rank_confidence, "errors"),
        (nbrank.rank_confidence_from, "errors"),
        (nbrank.binomial_errors, "n"),
        (nbrank.from_ballots, "counts"),
        (nbrank.bradley_terry, "covariates"),
        (nbrank.condorcet_weights, "bounds"),
        (nbrank.two_step, "group_weights"),
        (nbrank.compare, "rules"),
        (agreement.kendall_tau, "b"),
        (consensus.disagreement, "ranking"),
        (consensus.quality, "rankings"),
        (experiments.remove_tasks, "truth"),
        (metrics.global_scores, "reference"),
    ],
)
def test_the_values_would_show_a_parameter_that_goes_by_position(function, parameter):
    name = function.__name__
    run, value = partial(outcome, function, name, parameter), given_for(name, parameter)
    assert run(changed(value, by_position)) != run(value)
