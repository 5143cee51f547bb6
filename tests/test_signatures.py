"""One vocabulary of parameters: data first, then `rule`, and what is optional by keyword."""

import inspect

import pandas as pd
import pytest

import nbrank
from nbrank import agreement, axioms, charts, consensus, experiments, metrics, synthetic, tournament

MODULES = (nbrank, agreement, axioms, charts, consensus, experiments, metrics, synthetic)
PUBLIC = {
    f"{module.__name__}.{name}": getattr(module, name)
    for module in (*MODULES, tournament)
    for name in module.__all__
    if inspect.isfunction(getattr(module, name))
}
#: What may be left out and still be given by position.
POSITIONAL = {
    **dict.fromkeys(["rule", "rules"], "what is asked"),
    "nbrank.condorcet_weights system": "what is asked",
    "nbrank.axioms.check axiom": "what is asked",
    "nbrank.from_ballots counts": "data",
    "nbrank.from_ballots unranked": "as the reader of PrefLib's files has it",
    "nbrank.agreement.rank_biased_overlap p": "as in the literature: rbo(a, b, p)",
    "nbrank.charts.possible_ranks sets": "data",
    "nbrank.charts.scores ranking": "data",
    "nbrank.charts.tie_groups intervals": "data",
    "nbrank.charts.robustness y": "an axis, after the other",
    "nbrank.synthetic.gumbel_scores seed": "the last of its numbers",
    "nbrank.synthetic.mallows seed": "the last of its numbers",
}
#: Where delta is not a probability of error at the usual level.
OTHER_DELTAS = {"nbrank.charts.compatible_pairs": 0.01}
SCORES = pd.DataFrame({"t1": [3.0, 2.0, 1.0], "t2": [3.0, 1.0, 2.0]}, index=list("ABC"))


def parameters_of(name):
    return inspect.signature(PUBLIC[name]).parameters


@pytest.mark.parametrize("name", PUBLIC)
def test_what_can_be_left_out_is_given_by_keyword(name):
    for position, parameter in enumerate(parameters_of(name).values()):
        optional = parameter.default is not parameter.empty
        if position and optional and parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
            assert parameter.name in POSITIONAL or f"{name} {parameter.name}" in POSITIONAL


@pytest.mark.parametrize("name", PUBLIC)
def test_the_rule_comes_after_the_data(name):
    names = [parameter for parameter in parameters_of(name) if parameter != "after"]
    assert "rule" not in names[:1] + names[2:] or name == "nbrank.axioms.search"


@pytest.mark.parametrize("name", PUBLIC)
def test_the_seed_is_0_and_delta_one_in_twenty(name):
    parameters = parameters_of(name)
    if "seed" in parameters:
        assert parameters["seed"].default == 0
    if "delta" in parameters:
        assert parameters["delta"].default == OTHER_DELTAS.get(name, 0.05)


@pytest.mark.parametrize("name", PUBLIC)
def test_numbers_of_draws_and_repetitions_have_one_name_each(name):
    names = parameters_of(name).keys()
    assert not names & {"n_samples", "samples", "n_bootstrap", "most", "found"}
    assert "n" not in names or name == "nbrank.binomial_errors"
    assert ("n_repeats" in names) <= name.startswith("nbrank.experiments.")


@pytest.mark.parametrize("name", PUBLIC)
def test_groups_are_a_grouping(name):
    parameters = parameters_of(name)
    if "groups" in parameters and not name.startswith("nbrank.charts.tie_groups"):
        assert parameters["groups"].default in (None, inspect.Parameter.empty)


def test_an_unset_seed_repeats():
    for call in (nbrank.bootstrap, nbrank.rank_confidence, nbrank.rank_acceptability):
        pd.testing.assert_frame_equal(call(SCORES, "borda"), call(SCORES, "borda", seed=0))


@pytest.mark.parametrize(
    ("call", "new"),
    [
        (lambda: nbrank.bootstrap(SCORES, "borda", n=10), "n_draws"),
        (lambda: nbrank.rank_acceptability(SCORES, n=10), "n_draws"),
        (lambda: nbrank.strengths(SCORES, n=10), "n_draws"),
        (lambda: SCORES.rank.task_influence(n=10), "n_draws"),
        (lambda: experiments.remove_scores(SCORES, ["borda"], n=1), "n_repeats"),
        (lambda: axioms.check(SCORES, "borda", samples=10), "n_draws"),
        (lambda: nbrank.leave_one_out(SCORES, "borda", over="groups"), "whole_groups"),
    ],
)
def test_a_keyword_of_other_libraries_is_refused_with_ours(call, new):
    with pytest.raises(TypeError, match=f"It is called {new} here"):
        call()


def test_groups_are_not_picked_by_groups():
    with pytest.raises(TypeError, match="to pick whole groups, give whole_groups=True"):
        nbrank.cherry_pick(SCORES, groups=True)


def test_the_scores_come_before_the_rule():
    with pytest.raises(TypeError, match=r"Call axioms.check\(scores, rule, axiom\)"):
        axioms.check("borda", SCORES)
