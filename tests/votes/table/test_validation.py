"""The same words for the same mistake, wherever an option is refused."""

import re
import tracemalloc
from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import axioms, charts, experiments, metrics, synthetic
from nbrank.rules.registry import RULES
from nbrank.votes.table.validation import (
    MAX_PAIRED_SYSTEMS,
    check_choice,
    check_delta,
    check_pairs_fit,
    validate_integer,
)

SCORES = pd.DataFrame({"a": [3, 1], "b": [2, 1], "c": [1, 2]}, index=["A", "B"])
THREE = {task: [task] for task in SCORES}

#: (function, option, least): every option that is a whole number.
WHOLE = [
    (partial(nbrank.bootstrap, SCORES, "borda"), "n_draws", 1),
    (partial(nbrank.confidence, SCORES, method="bootstrap"), "n_draws", 2),
    (partial(nbrank.rank_confidence, SCORES, "borda"), "n_draws", 1),
    (partial(nbrank.strengths, SCORES, method="bootstrap"), "n_draws", 1),
    (partial(nbrank.weight_map, SCORES, groups=THREE), "resolution", 1),
    (partial(nbrank.agreement.top_k_agreement, ["A"], ["A"]), "k", 1),
    (partial(nbrank.agreement.last_k_agreement, ["A"], ["A"]), "k", 1),
    (partial(axioms.check, SCORES, "borda"), "n_draws", 1),
    (partial(axioms.search, "borda", "majority"), "n_systems", 3),
    (partial(axioms.search, "borda", "majority"), "n_tasks", 1),
    (partial(axioms.search, "borda", "majority"), "n_tables", 1),
    (partial(axioms.search, "borda", "majority"), "n_draws", 1),
    (partial(experiments.remove_scores, SCORES, ["borda"], seed=0), "n_repeats", 1),
    (partial(experiments.remove_scores, SCORES, ["borda"], n_repeats=1), "seed", 0),
    (partial(synthetic.true_ranking), "n_systems", 1),
    (partial(synthetic.mallows, 3, n_tasks=2, dispersion=0.5), "seed", 0),
    (partial(metrics.sampled, pd.DataFrame({"left": ["A"], "right": ["B"]})), "per_pair", 1),
]


@pytest.mark.parametrize(
    ("function", "option", "least"), WHOLE, ids=[f"{f.func.__name__} {o}" for f, o, _ in WHOLE]
)
def test_every_whole_number_is_refused_in_the_same_words(function, option, least):
    name = getattr(function.func, "__name__", "")
    if function.func is experiments.remove_scores:
        name = "experiments"
    for wrong in (2.5, 2.0, "3", True):
        message = re.escape(f"{name}: {option}={wrong!r} must be a whole number")
        with pytest.raises(TypeError, match=f"^{message}$"):
            function(**{option: wrong})
    message = f"^{name}: {option}={least - 1} must be at least {least}$"
    with pytest.raises(ValueError, match=message):
        function(**{option: least - 1})


def test_integers_of_numpy_are_whole_numbers():
    for given in (3, np.int64(3), np.uint8(3)):
        found = validate_integer("f", "n", given)
        assert found == 3
        assert type(found) is int


def test_a_share_at_the_ends_is_no_error_probability():
    for delta in (0, 1, -0.1, np.nan):
        with pytest.raises(ValueError, match="f: delta=.* must be between 0 and 1"):
            check_delta("f", delta)
    check_delta("f", 0.05)


def test_what_may_be_chosen_is_listed():
    with pytest.raises(ValueError, match="^f: how='c' is unknown; choose 'a' or 'b'$"):
        check_choice("f", "how", "c", ("a", "b"))
    with pytest.raises(ValueError, match="^f: how='c' is unknown; choose 'a'$"):
        check_choice("f", "how", "c", ("a",))


BATTLES = nbrank.from_comparisons(
    pd.DataFrame({"left": list("ABC"), "right": list("BCA"), "winner": "left"}),
    left="left",
    right="right",
    winner="winner",
)
STRENGTHS = nbrank.strengths(SCORES, prior=1)["strength"]
BY_COVARIANCE = (STRENGTHS, pd.DataFrame(np.eye(2), STRENGTHS.index, STRENGTHS.index))
RUNS = pd.DataFrame({"rule": ["a"], "x": [1], "kendall_tau": [1]})
OUTCOMES = pd.DataFrame({"left": ["A"], "right": ["B"]})
ROWS = pd.MultiIndex.from_product([["A", "B"], [1, 2]], names=["system", "instance"])

#: (function, option): every option that is a number, and need not be whole.
REAL = [
    (partial(nbrank.bradley_terry, SCORES), "prior"),
    (partial(nbrank.davidson, SCORES), "prior"),
    (partial(nbrank.strengths, SCORES), "prior"),
    (partial(nbrank.strengths, SCORES, prior=1), "delta"),
    (partial(nbrank.win_probabilities, SCORES), "prior"),
    (partial(nbrank.elo, BATTLES), "k"),
    (partial(nbrank.elo, BATTLES), "base"),
    (partial(nbrank.elo, BATTLES), "scale"),
    (partial(nbrank.elo, BATTLES), "initial"),
    (partial(nbrank.agreement.rank_biased_overlap, ["A"], ["A"]), "p"),
    (nbrank.comparisons_needed, "share"),
    (partial(nbrank.comparisons_needed, 0.7), "delta"),
    (partial(nbrank.confidence, SCORES), "delta"),
    (partial(nbrank.bootstrap, SCORES, "borda"), "delta"),
    (partial(nbrank.critical_difference, SCORES), "delta"),
    (partial(nbrank.rank_confidence, SCORES, "borda"), "delta"),
    (partial(nbrank.tie_groups, SCORES, "borda"), "delta"),
    (partial(nbrank.rank_confidence_from, *BY_COVARIANCE), "delta"),
    (partial(nbrank.rank_confidence_from, *BY_COVARIANCE), "degrees_of_freedom"),
    (partial(nbrank.report, SCORES), "delta"),
    (partial(charts.pairwise_p_values, nbrank.pairwise_p_values(SCORES)), "delta"),
    (partial(charts.critical_difference, nbrank.critical_difference(SCORES)), "distance"),
    (partial(metrics.pairwise_outcomes, pd.DataFrame({"t": 1}, index=ROWS)), "tie_within"),
]


@pytest.mark.parametrize("value", ["1", "x", [1], {}, True], ids=repr)
@pytest.mark.parametrize(("function", "option"), REAL)
def test_what_is_no_number_is_refused_by_the_name_of_its_option(function, option, value):
    said = rf"\w: {option}={re.escape(repr(value))} must be a number$"
    with pytest.raises(TypeError, match=said):
        function(**{option: value})


@pytest.mark.parametrize("value", [np.float32(0.5), np.float64(0.5), Fraction(1, 2)], ids=repr)
def test_numbers_of_any_library_are_taken(value):
    assert nbrank.agreement.rank_biased_overlap(["A"], ["A"], p=value) == 1
    expected = nbrank.bradley_terry(SCORES, prior=0.5)
    pd.testing.assert_frame_equal(nbrank.bradley_terry(SCORES, prior=value), expected)


@pytest.mark.parametrize("seed", ["1", -1, 0.5], ids=repr)
@pytest.mark.parametrize(
    "function",
    [
        partial(nbrank.bootstrap, SCORES, "borda"),
        partial(nbrank.confidence, SCORES, method="bootstrap"),
        partial(nbrank.strengths, SCORES, method="bootstrap", prior=1),
        partial(nbrank.rank_confidence, SCORES, "borda"),
        partial(nbrank.rank_confidence_from, *BY_COVARIANCE),
        partial(nbrank.report, SCORES),
        partial(axioms.check, SCORES, "borda", "monotonicity"),
        partial(axioms.search, "borda", "monotonicity"),
        partial(metrics.sampled, OUTCOMES, per_pair=1),
    ],
)
def test_what_is_no_seed_is_refused_by_its_name(function, seed):
    said = rf"\w: seed={re.escape(repr(seed))} must be a whole number from 0, or None"
    with pytest.raises((TypeError, ValueError), match=said):
        function(seed=seed)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (partial(nbrank.positional, SCORES, "x"), "positional: vector='x' must be a list of"),
        (
            partial(nbrank.positional, SCORES, [1e308, 1]),
            "positional: vector must be finite numbers up to 1e+100",
        ),
        (partial(nbrank.positional, SCORES, [10**400, 1]), "must be a list of numbers"),
        (partial(nbrank.bradley_terry, SCORES, prior=1e308), "prior=1e+308; it must be a number"),
        (partial(nbrank.ranked_pairs, SCORES, tie_order=3), "ranked_pairs: tie_order=3 must be a"),
        (partial(nbrank.comparisons_needed, 0.7, pairs="x"), "pairs='x' must be a whole number"),
        (
            partial(
                experiments.remove_scores, SCORES, ["borda"], shares=["x"], n_repeats=1, seed=0
            ),
            "remove_scores: shares='x' must be a number",
        ),
        (
            partial(
                experiments.remove_tasks, SCORES, ["borda"], n_repeats=1, seed=0, measures="tau"
            ),
            "measures must be a mapping from name to function, not str",
        ),
        (partial(charts.robustness, RUNS, "x", band="x"), "band='x' must be two quantiles"),
    ],
)
def test_other_options_are_refused_by_their_names(call, said):
    with pytest.raises((TypeError, ValueError), match=re.escape(said)):
        call()


@pytest.mark.parametrize("function", [nbrank.confidence, nbrank.bootstrap, nbrank.rank_confidence])
def test_delta_as_large_as_a_confidence_is_warned_of(function):
    scores = pd.DataFrame({f"t{i}": [3, 2, 1] for i in range(8)}, index=["A", "B", "C"])
    given = () if function is nbrank.confidence else ("borda",)
    with pytest.warns(UserWarning, match=r"delta=0\.95 is one minus the confidence, .* 5%"):
        function(scores, *given, delta=0.95)


def test_options_that_no_rule_knows_are_laid_to_who_was_given_them():
    scores = pd.DataFrame({"t1": [3, 2], "t2": [1, 2], "t3": [2, 1]}, index=["A", "B"])
    for function in (nbrank.bootstrap, nbrank.rank_confidence, nbrank.leave_one_out):
        with pytest.raises(TypeError, match=f"^{function.__name__}: unknown options: 'tie'"):
            function(scores, "borda", tie="min")
    with pytest.raises(TypeError, match="^kemeny: unknown options: 'limit'"):
        nbrank.RULES["kemeny"].winners(scores, limit=1)
    with pytest.raises(ValueError, match="joint='x' is unknown; choose True or False"):
        nbrank.rank_confidence(scores, "borda", joint="x")


MANY = pd.DataFrame(np.arange(32_002.0).reshape(16_001, 2), columns=["maths", "code"])
#: What compares all pairs of systems.
OF_PAIRS = {
    **{
        name: rule.function
        for name, rule in RULES.items()
        if "pairs" in rule.requires and not rule.arguments
    },
    "rank_confidence": partial(nbrank.rank_confidence, rule="borda"),
    "tie_groups": partial(nbrank.tie_groups, rule="borda"),
    "confidence": nbrank.confidence,
    "critical_difference": nbrank.critical_difference,
    "pairwise_p_values": nbrank.pairwise_p_values,
    "rank_confidence_from": lambda scores: nbrank.rank_confidence_from(
        scores["maths"], scores["code"]
    ),
}


@pytest.mark.filterwarnings("ignore::nbrank.LeaderboardWarning")
@pytest.mark.parametrize("function", OF_PAIRS.values(), ids=OF_PAIRS)
def test_pairs_of_more_systems_than_fit_are_refused_before_anything_is_allocated(function):
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=r"all pairs of 16,001 systems.* 4\.1 GB.*borda"):
            function(MANY)
        assert tracemalloc.get_traced_memory()[1] < 50e6
    finally:
        tracemalloc.stop()


@pytest.mark.filterwarnings("ignore::nbrank.LeaderboardWarning")
def test_the_first_of_too_many_systems_are_kept_as_the_message_says():
    with pytest.raises(ValueError, match="all pairs of 16,001") as refused:
        nbrank.copeland(MANY)
    call = str(refused.value).rpartition(": ")[2]
    assert call == "scores.loc[nbrank.borda(scores).index[:1000]]"
    scores = MANY
    assert len(scores.loc[nbrank.borda(scores).index[:1000]]) == 1000
    check_pairs_fit("copeland", MAX_PAIRED_SYSTEMS)


def test_counts_of_too_many_systems_are_refused_before_they_take_memory():
    many = pd.DataFrame({"left": range(20_000), "right": range(1, 20_001), "winner": "left"})
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=r"from_comparisons: .* 20,001 systems .* 19\.2 GB"):
            nbrank.from_comparisons(many, left="left", right="right", winner="winner")
        rows = pd.MultiIndex.from_product([range(15_000), [0]], names=["system", "instance"])
        with pytest.raises(ValueError, match=r"tally: .* 15,000 systems .* 16\.2 GB"):
            nbrank.tally(pd.DataFrame({"t": 1.0}, rows))
        assert tracemalloc.get_traced_memory()[1] < 50e6
    finally:
        tracemalloc.stop()
    assert len(nbrank.borda(pd.DataFrame({"t": 1.0}, rows))) == 15_000


def test_the_comparisons_of_fewer_systems_are_kept_as_the_message_says():
    frame = pd.DataFrame({"left": range(20_000), "right": range(1, 20_001), "winner": "left"})
    names = {"left": "left", "right": "right", "winner": "winner"}
    with pytest.raises(ValueError, match="often = ") as refused:
        nbrank.from_comparisons(frame, **names)
    first, _, second = str(refused.value).partition("often = ")[2].partition(", then ")
    often = eval(first)
    kept = eval(second, {"often": often, "frame": frame})
    assert len(nbrank.from_comparisons(kept, **names).systems) <= 1000
