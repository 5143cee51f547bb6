"""What floats can't hold, and on which scale scores tie: every rule, and what looks at its ties."""

import inspect
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

import nbrank
from nbrank import RULES
from nbrank.votes.method_registry import METHODS

# Tables here are as small as they can be, and their tasks are called as it comes.
pytestmark = pytest.mark.filterwarnings("ignore::nbrank.LeaderboardWarning")

ARGUMENTS = {
    "normalized_mean": {"low": 0, "high": 30},
    "optimality_gap": {"gamma": 20},
    "positional": {"vector": [7, 4, 1, 1, 0]},
}
OF_SCORES = [rule for rule in RULES.values() if rule.supports(nbrank.Leaderboard.provides)]
OF_COMPARISONS = [
    name
    for name, rule in RULES.items()
    if rule.supports(nbrank.Comparisons.provides) and name != "elo"
]
RANDOM = np.random.default_rng(0)
BOARD = pd.DataFrame(
    RANDOM.integers(1, 9, (5, 7)) * 3.0, index=list("ABCDE"), columns=[f"t{i}" for i in range(7)]
)
WEIGHTS = dict(zip(BOARD.columns, [1, 2, 3, 1, 1, 2, 5], strict=True))
ROWS = pd.MultiIndex.from_product([list("ABCD"), range(6)], names=["system", "instance"])
INSTANCES = pd.DataFrame(RANDOM.integers(1, 9, (24, 3)) * 1.0, index=ROWS, columns=list("xyz"))


def every(rule, scores, **options):
    return rule.function(scores, **ARGUMENTS.get(rule.name, {}), **options)


def options_of(name):
    return inspect.signature(METHODS[name].load()).parameters


def ranks(scores, rule, **options):
    return getattr(nbrank, rule)(scores, **options)["rank"].reindex(list(scores.index)).tolist()


# --------------------------------------------------------------------------- numbers beside a frame


@pytest.mark.parametrize("name", [name for name in METHODS if "delta" in options_of(name)])
def test_what_is_said_beside_a_frame_is_pythons_own_numbers(name):
    given_ = {"delta": np.float64(0.1), "joint": np.bool_(True), "rule": "borda", "seed": 0}
    found = METHODS[name].load()(
        BOARD, **{k: v for k, v in given_.items() if k in options_of(name)}
    )
    assert type(getattr(found, "attrs", {}).get("delta", 0.1)) is float
    assert type(getattr(found, "attrs", {}).get("joint", True)) is bool


def test_labels_and_shares_beside_possible_ranks_are_pythons_own():
    numbered = BOARD.set_axis(pd.Index([np.int64(i) for i in range(5)], dtype=object))
    attrs = nbrank.possible_ranks(numbered, within=np.float64(0.2)).attrs
    assert type(attrs["within"]) is float
    assert {type(system) for system in attrs["necessary"] + attrs["possible"]} == {int}


# ------------------------------------------------------------------------------- single precision


@pytest.mark.parametrize("dtype", ["float32", "float16", "int8", "Float32", "Int64"])
@pytest.mark.parametrize("rule", OF_SCORES, ids=lambda rule: rule.name)
def test_a_rule_computes_in_double_precision_whatever_is_given(rule, dtype):
    given_ = BOARD.astype(dtype)
    assert_frame_equal(every(rule, given_), every(rule, given_.astype(float)), check_exact=True)


@pytest.mark.parametrize("rule", OF_SCORES, ids=lambda rule: rule.name)
def test_medians_of_single_precision_are_taken_in_double(rule):
    narrow = (BOARD / 7).astype("float32")
    narrow.iloc[[0, 2], [1, 3]] = np.nan
    if "missing" in rule.parameters:
        found, expected = (
            every(rule, scores, missing="median") for scores in (narrow, narrow.astype(float))
        )
        assert_frame_equal(found, expected, check_exact=True)


@pytest.mark.parametrize("rule", ["harmonic_mean", "geometric_mean"])
def test_an_exact_tie_of_single_precision_is_a_tie(rule):
    tied = {"harmonic_mean": [[3, 24], [4, 8]], "geometric_mean": [[3, 12], [4, 9]]}[rule]
    assert ranks(pd.DataFrame(tied, dtype="float32"), rule) == [1, 1]


def test_cells_are_compared_as_they_are_given():
    scores = pd.DataFrame({"t": np.array([0.1, 0.1 + 1e-9, 0.2], dtype="float32")})
    assert ranks(scores, "borda") == [2, 2, 1]
    assert ranks(pd.DataFrame({"t": [0.1, 0.1 + 1e-9, 0.2]}), "borda") == [3, 2, 1]


# ------------------------------------------------------------------------------------------ weights

FACTORS = [2e307, 1e200, 1e-200, 1e-300]
QUESTIONS = {
    "confidence": nbrank.confidence,
    "wilson": partial(nbrank.confidence, method="wilson"),
    "sign": partial(nbrank.confidence, method="sign"),
    "resampled": partial(nbrank.confidence, method="bootstrap", seed=0),
    "sets of borda": partial(nbrank.rank_confidence, rule="borda", seed=0),
    "sets of mean": partial(nbrank.rank_confidence, rule="mean", seed=0),
    "sets of strengths": partial(nbrank.rank_confidence, rule="bradley_terry", seed=0),
    "bootstrap of borda": partial(nbrank.bootstrap, rule="borda", seed=0, n_draws=50),
    "bootstrap of copeland": partial(nbrank.bootstrap, rule="copeland", seed=0, n_draws=50),
    "bootstrap of harmonic_mean": partial(
        nbrank.bootstrap, rule="harmonic_mean", seed=0, n_draws=50
    ),
    "condorcet_weights": nbrank.condorcet_weights,
    "leave_one_out": partial(nbrank.leave_one_out, rule="borda"),
    "compare": nbrank.compare,
    "strengths": nbrank.strengths,
}


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("rule", OF_SCORES, ids=lambda rule: rule.name)
def test_weights_of_any_size_rank_as_their_ratios(rule, factor):
    far = {task: weight * factor for task, weight in WEIGHTS.items()}
    found, expected = every(rule, BOARD, weights=far), every(rule, BOARD, weights=WEIGHTS)
    assert found["rank"].to_dict() == expected["rank"].to_dict()
    assert np.isfinite(found["score"]).all()


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("question", QUESTIONS)
def test_weights_of_any_size_answer_as_their_ratios(question, factor):
    ask = QUESTIONS[question]
    far = {task: weight * factor for task, weight in WEIGHTS.items()}
    assert_frame_equal(ask(BOARD, weights=far), ask(BOARD, weights=WEIGHTS), rtol=1e-6)


@pytest.mark.parametrize("factor", FACTORS)
def test_weights_of_any_size_count_in_a_tally_as_their_ratios(factor):
    counted = nbrank.tally(INSTANCES)
    weights = {"x": 1, "y": 0.5, "z": 0.25}
    far = {task: weight * factor for task, weight in weights.items()}
    for rule in OF_SCORES:
        if rule.supports(nbrank.Tally.provides):
            found, expected = (every(rule, counted, weights=one) for one in (far, weights))
            assert found["rank"].to_dict() == expected["rank"].to_dict()


@pytest.mark.parametrize("factor", [5e307, 1e-300])
@pytest.mark.parametrize("rule", OF_COMPARISONS)
def test_weights_of_any_size_count_in_comparisons_as_their_ratios(rule, factor):
    frame = pd.DataFrame(
        {
            "l": list("ABCABC"),
            "r": list("BCABCA"),
            "w": ["left"] * 5 + ["right"],
            "by": [1, 2, 3] * 2,
        }
    )
    read = partial(nbrank.from_comparisons, left="l", right="r", winner="w", weight="by")
    options = {"prior": 1.0} if rule == "bradley_terry" else {}
    if rule == "davidson":
        frame.loc[len(frame)] = ["A", "B", "tie", 1]
        frame.loc[len(frame)] = ["C", "A", "left", 1]
    found = RULES[rule].function(read(frame.assign(by=frame["by"] * factor)), **options)
    assert found["rank"].to_dict() == RULES[rule].function(read(frame), **options)["rank"].to_dict()


def test_ordinary_weights_stay_as_they_are_given():
    weights = {task: weight * 1e13 for task, weight in WEIGHTS.items()}
    board = nbrank.Leaderboard(BOARD, weights=weights)
    assert board.task_weights.to_dict() == weights
    expected = nbrank.borda(BOARD, weights=WEIGHTS)["score"] * 1e13
    np.testing.assert_allclose(nbrank.borda(board)["score"], expected, rtol=1e-12)


def test_a_task_of_next_to_no_weight_still_counts_where_it_is_alone():
    alone = BOARD.copy()
    alone.loc[["A", "B"], "t1"] = np.nan
    found = nbrank.confidence(alone, weights={"t1": 1e300}).loc[("A", "B")]
    expected = nbrank.confidence(alone.drop(columns="t1")).loc[("A", "B")]
    np.testing.assert_allclose(
        found[["wins", "low", "high"]].astype(float),
        expected[["wins", "low", "high"]].astype(float),
    )
    # Also once the heavy task is gone.
    assert (
        ranks(BOARD.drop(columns="t1"), "borda")
        == (
            nbrank.borda(
                nbrank.Leaderboard(BOARD, weights={"t1": 1e300}).select_tasks(
                    [t for t in BOARD if t != "t1"]
                )
            )
        )["rank"]
        .reindex(list("ABCDE"))
        .tolist()
    )
    both = nbrank.Leaderboard(BOARD, weights={"t1": 1e300, "t2": 1e-300})
    assert (both.weights > 0).all()


def test_an_integer_beyond_floats_is_no_weight():
    with pytest.raises(ValueError, match="'t1'"):
        nbrank.borda(BOARD, weights={"t1": 10**400})


# -------------------------------------------------------------------------------------- huge scores

TABLE = pd.DataFrame({"t1": [1e308, 1.0], "t2": [1e308, 2.0], "t3": [0.0, 1.0]}, index=["A", "B"])
REFUSED = [
    ("mean", {}, "mean: the average of 'A' is too large .* on 't1', 't2'"),
    ("normalized_mean", {"low": -1e308, "high": 1e308}, "on 't1', 't2', 't3' high - low"),
    ("normalized_mean", {"low": 0, "high": 1e-3}, "average of 'A' is too large .* on 't1', 't2'"),
    ("normalized_mean", {"low": -1e308, "high": 0}, "average of 'A' is too large .* on 't1', 't2'"),
    ("optimality_gap", {"gamma": 1.7e308}, "average of 'A', 'B' is too large"),
]


@pytest.mark.parametrize(("rule", "options", "message"), REFUSED)
def test_what_overflows_is_refused_by_the_cells_at_fault(rule, options, message):
    with pytest.raises(ValueError, match=message):
        getattr(nbrank, rule)(TABLE, **options)


def test_a_tally_refuses_too_and_names_the_task():
    scores = INSTANCES.copy()
    scores.loc["B", "y"] = 1e308
    with pytest.raises(ValueError, match="average of 'B' is too large .* on 'y'"):
        nbrank.tally(scores).mean()
    with pytest.raises(ValueError, match="average of 'B' is too large .* on 'y'"):
        nbrank.mean(scores)
    assert nbrank.tally(scores).borda()["rank"].to_dict() == nbrank.borda(scores)["rank"].to_dict()


SMALL = [
    ("harmonic_mean", [[1e-310, 1e-310], [2e-310, 2e-310]], [1e-310, 2e-310]),
    ("harmonic_mean", [[1e-310, 1.0], [2e-310, 1.0]], [2e-310, 4e-310]),
    ("harmonic_mean", [[1e308, 1e308], [1e-310, 1e308]], [1e308, 2e-310]),
    ("geometric_mean", [[1e-310, 1e-310], [1e308, 1e308]], [1e-310, 1e308]),
    ("median", [[1e308, 1.6e308], [1.0, 2.0]], [1.3e308, 1.5]),
]


@pytest.mark.parametrize(("rule", "cells", "expected"), SMALL)
def test_what_fits_a_float_is_right_at_its_limits(rule, cells, expected):
    found = getattr(nbrank, rule)(pd.DataFrame(cells))["score"].sort_index()
    np.testing.assert_allclose(found, expected, rtol=1e-10)


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_confidence_sets_of_means_have_no_unit(size):
    found, expected = (
        nbrank.rank_confidence(scores, "mean", seed=0) for scores in (BOARD * size, BOARD)
    )
    assert_frame_equal(found, expected)


# --------------------------------------------------------------------------------------------- ties


def test_a_diverged_system_does_not_tie_the_others():
    seconds = pd.DataFrame({"t": [12.3, 25.7, 3e11]}, index=list("ABC"))
    assert ranks(seconds, "mean", lower_is_better=True) == [1, 2, 3]
    assert ranks(seconds, "median", lower_is_better=True) == [1, 2, 3]
    assert ranks(seconds, "optimality_gap", gamma=1, lower_is_better=True) == [1, 2, 3]
    assert ranks(seconds, "normalized_mean", low=100, high=0, lower_is_better=True) == [1, 2, 3]


@pytest.mark.parametrize("rule", ["mean", "geometric_mean", "harmonic_mean", "median"])
@pytest.mark.parametrize("third", [[1e15] * 3, [1e15, 1e-15, 1.0], [0.0] * 3, [1e300, 2.0, 2.0]])
def test_no_third_system_decides_a_tie_of_means(rule, third):
    scores = pd.DataFrame([[1, 2, 3], [1, 2, 3.001], [3, 2, 1], third], index=list("ABCX"))
    found = getattr(nbrank, rule)(scores)["rank"]
    alone = getattr(nbrank, rule)(scores.drop("X"))["rank"]
    for one in "ABC":
        for other in "ABC":
            assert np.sign(found[one] - found[other]) == np.sign(alone[one] - alone[other])


def test_a_system_whose_cells_cancel_between_two_others_does_not_tie_them():
    scores = pd.DataFrame([[25.7, 25.7], [3e11, -3e11 + 40], [12.3, 12.3]], index=["B", "X", "A"])
    # X ties with each, and shares the place of the better; B and A are 13.4 apart.
    assert ranks(scores, "mean") == [1, 1, 3]


def test_cells_far_from_a_median_or_a_product_do_not_blur_it():
    assert ranks(pd.DataFrame([[1, 2, 1e12], [1, 2.5, 1e12]]), "median") == [2, 1]
    assert ranks(pd.DataFrame([[1e-6, 1e6], [1e-6, 1.0001e6]]), "geometric_mean") == [2, 1]
    assert ranks(pd.DataFrame([[1e-12, 1.0], [2e-12, 1.0]]), "harmonic_mean") == [2, 1]
    assert ranks(pd.DataFrame([[1e12, 0.1], [1e12, 0.2]]), "optimality_gap", gamma=1) == [2, 1]


def test_cells_that_cancel_tie_within_their_rounding():
    scores = pd.DataFrame([[1e9, -1e9, 0.1], [0.1, 1e9, -1e9], [0.0, 0.0, 30.0]])
    assert ranks(scores, "mean") == [2, 2, 1]


CELLS = st.sampled_from([-1.0, 0.0, 0.1, 0.2, 0.3, 1.0, 1 + 1e-9, 1e9, -1e9, 1e9 + 1.5, 3e11])


@given(st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=5))
def test_means_are_ranked_as_by_hand(rows):
    scores = pd.DataFrame(rows)
    found = nbrank.mean(scores).sort_index()
    score, rank = found["score"].to_numpy(), found["rank"].to_numpy()
    largest = scores.abs().max(axis=1).to_numpy()
    for i in range(len(rows)):
        for j in range(len(rows)):
            gap, tolerance = score[i] - score[j], 1e-9 * max(largest[i], largest[j])
            assert not (gap > tolerance and rank[i] >= rank[j])
            assert not (score[i] > score[j] and rank[i] > rank[j])
        assert rank[i] == 1 + (rank < rank[i]).sum()
    if len(rows) == 2:
        assert (rank[0] == rank[1]) == (abs(score[0] - score[1]) <= 1e-9 * largest.max())
    turned = nbrank.mean(scores.iloc[::-1]).sort_index()["rank"].to_numpy()
    np.testing.assert_array_equal(turned, rank)


@pytest.mark.parametrize("rule", ["plurality", "borda", "dowdall", "minimax", "mean_rank"])
def test_rules_that_count_tie_by_the_total_weight_alone(rule):
    # Two systems that differ by one task of very little weight: tied whoever else is there.
    scores = pd.DataFrame({"t1": [2, 1, 0], "t2": [1, 2, 0], "t3": [2, 1, 0]}, index=list("ABC"))
    for weight, tied in ((1e-12, True), (1e-6, False)):
        found = getattr(nbrank, rule)(scores, weights={"t3": weight})["rank"]
        assert bool(found["A"] == found["B"]) is tied
        # Systems of few points, far down, are told apart on the same scale.
        more = pd.concat([scores + 10 * (i + 1) for i in range(3)] + [scores])
        more.index = [f"{system}{part}" for part in range(4) for system in "ABC"]
        found = getattr(nbrank, rule)(more, weights={"t3": weight})["rank"]
        assert bool(found["A0"] == found["B0"]) is tied or rule in ("plurality", "minimax")


@pytest.mark.parametrize("rule", ["copeland", "condorcet", "schulze", "ranked_pairs"])
def test_numbers_of_systems_never_tie_for_the_weight_behind_them(rule):
    weights = dict.fromkeys(BOARD, 1e15)
    found, expected = (getattr(nbrank, rule)(BOARD, weights=one) for one in (weights, None))
    assert found["rank"].to_dict() == expected["rank"].to_dict()


# A cell of t1 diverged: X is far off where t1 is drawn, and an ordinary system elsewhere.
DIVERGED = pd.DataFrame(
    [[5, 3, 4, 6, 2], [4, 4, 3, 5, 3], [3e11, 2, 2, 3, 2], [-3e11, 5, 3, 4, 2.5]],
    index=list("ABXY"),
    columns=[f"t{i}" for i in range(5)],
)


@pytest.mark.parametrize(
    ("rule", "options"),
    [
        ("mean", {}),
        ("optimality_gap", {"gamma": 1e12}),
        ("normalized_mean", {"low": 0, "high": 2}),
    ],
)
def test_bootstrap_tells_ties_of_a_resample_as_the_rule_does(rule, options):
    def one_by_one(scores):
        return getattr(nbrank, rule)(scores, **options)

    found = nbrank.bootstrap(DIVERGED, rule, seed=1, n_draws=300, **options)
    assert_frame_equal(
        found, nbrank.bootstrap(DIVERGED, one_by_one, seed=1, n_draws=300), check_like=True
    )


@pytest.mark.parametrize("rule", ["mean", "borda", "mean_rank", "mean_win_rate"])
def test_bootstrap_of_counts_tells_ties_as_the_rule_does(rule):
    scores = INSTANCES.copy()
    scores.loc[("A", 0), "x"], scores.loc[("B", 0), "x"] = 3e11, -3e11
    counted = nbrank.tally(scores)

    def one_by_one(source, **options):
        return getattr(nbrank, rule)(source, **options)

    found = nbrank.bootstrap(counted, rule, seed=1, n_draws=100)
    assert_frame_equal(found, nbrank.bootstrap(counted, one_by_one, seed=1, n_draws=100))


def test_the_map_of_weights_tells_ties_as_the_rule_does():
    groups = {"a": ["t0"], "b": ["t1", "t2"], "c": ["t3", "t4"]}
    found = nbrank.weight_map(DIVERGED, "mean", groups=groups, resolution=5)
    for row in found.itertuples():
        weights = {"a": row.a, "b": row.b, "c": row.c}
        ranked = nbrank.mean(DIVERGED, weights=weights, groups=groups)
        assert row.winners == list(ranked.index[ranked["rank"] == 1])


def test_a_tally_tells_ties_of_means_as_the_frame_does():
    scores = INSTANCES.copy()
    scores.loc["D", "x"] = [3e11, -3e11, 1, 2, 3, 4]
    for options in ({}, {"levels": 1}, {"weights": {"x": 0}}, {"lower_is_better": True}):
        expected = nbrank.mean(scores, **options)["rank"].to_dict()
        assert nbrank.tally(scores).mean(**options)["rank"].to_dict() == expected


# ------------------------------------------------------------------------------------- one system


@pytest.mark.parametrize(
    ("rule", "missing"),
    [
        pytest.param(rule, missing, id=f"{rule.name}-{missing}")
        for rule in OF_SCORES
        for missing in ("ignore", "compatible", "worst", "median", "raise")
        # Most means know no places among which a missing score could stand.
        if rule.default_missing != "raise"
        or rule.name == "mean_rank"
        or missing not in ("compatible", "worst")
    ],
)
def test_the_only_system_wins(rule, missing):
    options = ARGUMENTS.get(rule.name, {}) | {"missing": missing}
    if rule.name == "positional":
        options["vector"] = [1]
    one = BOARD.iloc[[0]]
    try:
        ranked = rule.function(one, **options)
    except ValueError:
        # Who meets nobody has no strength.
        assert rule.family == "model"
        return
    assert ranked["rank"].tolist() == [1]
    # A system that met no other has no win rate.
    met = rule.name != "mean_win_rate"
    assert ranked["score"].notna().all() == met
    assert rule.winners(one, **options) == ["A"] * met


def test_the_only_system_has_no_win_rate_wherever_it_is_asked():
    one = INSTANCES.loc[["A"]]
    for scores in (BOARD.iloc[[0]], one, nbrank.tally(one)):
        assert nbrank.mean_win_rate(scores)["score"].isna().all()


def test_nobody_without_a_score_wins():
    nothing = pd.DataFrame({"t1": [np.nan, np.nan], "t2": [np.nan, np.nan]})
    for name in ("mean_win_rate", "copeland", "schulze"):
        assert RULES[name].winners(nothing) == []


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_where_nobody_met_anybody_there_are_no_scores_and_no_warnings():
    scores = pd.DataFrame({"x": [3, np.nan], "y": [np.nan, 7]}, index=["A", "B"])
    found = nbrank.score_intervals(scores, "mean_win_rate", seed=0)
    assert found[["score", "standard_error", "low", "high"]].isna().all(axis=None)
    alone = pd.DataFrame({"x": [np.nan, np.nan], "y": [0.3, np.nan]}, index=["A", "B"])
    influence = nbrank.task_influence(alone, "mean_win_rate")
    assert influence["influence"].tolist() == [0, 0]
    assert influence["share"].isna().all()


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("rule", ["plurality", "antiplurality", "borda", "mean_win_rate"])
def test_instances_without_any_score_have_no_intervals(rule):
    rows = pd.MultiIndex.from_product([["A", "B"], range(3)], names=["system", "instance"])
    empty = pd.DataFrame({"x": np.full(6, np.nan)}, rows)
    found = nbrank.score_intervals(empty, rule, missing="ignore", seed=0)
    assert found[["score", "low", "high"]].isna().all(axis=None)
    ranks = nbrank.rank_confidence(empty, rule, missing="ignore", seed=0)
    assert ranks[["low", "high"]].to_numpy().tolist() == [[1, 2], [1, 2]]


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_scores_whose_sums_overflow_are_looked_at_without_a_warning():
    scores = pd.DataFrame([[1e308, -1e308], [1e308, 1e308], [5e307, 1e-308]], index=list("ABC"))
    assert nbrank.borda(scores)["rank"].to_dict() == {"B": 1, "A": 2, "C": 3}
    near = pd.DataFrame({"x": [9e307, 8e307, 1e307], "y": [-8e307, 7e307, 2e307]}, list("ABC"))
    assert nbrank.recommend(near).family == "mean"
