"""Comparing two labelled rankings: the forms taken, the alignment by system, and the refusals."""

import inspect
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from nbrank import agreement
from nbrank.agreement import (
    kendall_distance,
    kendall_tau,
    last_k_agreement,
    rank_biased_overlap,
    spearman,
    top_k_agreement,
)
from nbrank.rules.ranking import build_ranking
from nbrank.votes.leaderboard import Leaderboard

COMPARE = {
    "kendall_tau": kendall_tau,
    "kendall_distance": kendall_distance,
    "spearman": spearman,
    "top_k_agreement": lambda a, b: top_k_agreement(a, b, 2),
    "last_k_agreement": lambda a, b: last_k_agreement(a, b, 2),
    "rank_biased_overlap": rank_biased_overlap,
}
every_comparison = pytest.mark.parametrize("compare", COMPARE.values(), ids=COMPARE)


def ranked(**scores: float) -> pd.DataFrame:
    return build_ranking(pd.Index(scores), np.array(list(scores.values()), dtype=float), "demo")


# ------------------------------------------------------------------------------------------- forms


@every_comparison
def test_a_frame_its_ranks_and_a_list_are_the_same_ranking(compare):
    other = ["C", "A", "D", "B"]
    frame = ranked(A=9, B=7, C=5, D=1)
    expected = compare(["A", "B", "C", "D"], other)
    for form in (
        frame,
        frame["rank"],
        frame["rank"].astype("Int64"),
        frame["rank"].astype(float),
        frame["rank"].sample(frac=1, random_state=1),
        ("A", "B", "C", "D"),
        pd.Index(["A", "B", "C", "D"]),
        frame.index,
    ):
        assert compare(form, other) == expected
        assert compare(other, form) == compare(other, ["A", "B", "C", "D"])


@every_comparison
def test_systems_are_aligned_by_label_not_by_row(compare):
    a, b = ranked(A=4, B=3, C=3, D=1), ranked(A=1, B=3, C=4, D=2)
    expected = compare(a, b)
    rng = np.random.default_rng(0)
    for _ in range(5):
        assert compare(a.iloc[rng.permutation(4)], b.iloc[rng.permutation(4)]) == expected


@every_comparison
def test_how_ties_are_numbered_does_not_matter(compare):
    scores = pd.Series({"A": 3, "B": 3, "C": 1, "D": 3, "E": 0})
    other = ["E", "A", "B", "D", "C"]
    found = {
        compare(scores.rank(ascending=False, method=method), other)
        for method in ("min", "max", "average", "dense")
    }
    assert len(found) == 1


@every_comparison
def test_results_are_plain_floats(compare):
    assert type(compare(ranked(A=2, B=1, C=1), ["A", "C", "B"])) is float


@every_comparison
def test_labels_may_be_tuples_or_numbers(compare):
    pairs = [("x", 1), ("x", 2), ("y", 1)]
    levels = pd.MultiIndex.from_tuples(pairs, names=["team", "run"])
    frame = build_ranking(levels, np.array([3.0, 2.0, 1.0]), "demo")
    swapped = [pairs[1], pairs[0], pairs[2]]
    expected = compare(["A", "B", "C"], ["B", "A", "C"])
    assert compare(frame, swapped) == expected
    assert compare(frame["rank"], pd.MultiIndex.from_tuples(swapped)) == expected
    assert compare([10, 20, 30], pd.Series({20: 1, 10: 2, 30: 3})) == expected


def test_a_ranking_of_systems_with_no_score_is_welcome():
    # A system without a score is last in its ranking.
    assert kendall_tau(ranked(A=2, B=1, C=math.nan), ["A", "B", "C"]) == 1


# ------------------------------------------------------------------------------------------ values


def test_agreement_with_scipy_on_random_rankings_of_shuffled_systems():
    rng = np.random.default_rng(5)
    for _ in range(100):
        n = rng.integers(3, 12)
        systems = [f"system {i}" for i in range(n)]
        a = pd.Series(rng.integers(1, n, n), systems)
        b = pd.Series(rng.integers(1, n, n), systems)
        a.iloc[0], b.iloc[0] = n, n  # never all tied
        shuffled = b.sample(frac=1, random_state=int(n))
        assert kendall_tau(a, shuffled) == pytest.approx(stats.kendalltau(a, b).statistic)
        assert spearman(a, shuffled) == pytest.approx(stats.spearmanr(a, b).statistic)


def test_lists_of_labels_are_orders_not_columns_of_numbers():
    # Read letter by letter as two variables, these lists have Kendall's tau 1/3 (the mistake behind
    # two published tables); as rankings, one is the reverse of the other.
    a, b = ["A", "D", "C", "B"], ["B", "C", "D", "A"]
    letters = [[ord(label) for label in order] for order in (a, b)]
    assert stats.kendalltau(*letters).statistic == pytest.approx(1 / 3)
    assert kendall_tau(a, b) == -1
    assert kendall_distance(a, b) == 6


def test_all_tied_rankings_have_no_correlation_but_a_distance():
    tied, strict = ranked(A=1, B=1, C=1), ["A", "B", "C"]
    assert math.isnan(kendall_tau(tied, strict))
    assert math.isnan(spearman(tied, strict))
    assert kendall_distance(tied, strict) == 1.5
    assert kendall_distance(tied, tied) == 0
    assert rank_biased_overlap(tied, tied) == 1
    assert top_k_agreement(tied, strict, 1) == pytest.approx(1 / 3)


def test_ties_at_the_cut_enlarge_the_set_on_both_ends():
    # Ranks from the top 1, 2, 2, 4; from the bottom 4, 2, 2, 1.
    tied = ranked(A=9, B=5, C=5, D=1)
    strict = ["A", "B", "C", "D"]
    assert top_k_agreement(tied, strict, 2) == pytest.approx(2 / 3)
    assert last_k_agreement(tied, strict, 2) == pytest.approx(2 / 3)
    assert top_k_agreement(tied, strict, 3) == 1
    assert last_k_agreement(tied, strict, 1) == 1
    assert top_k_agreement(tied, strict, 10) == 1


def test_last_k_is_top_k_read_upwards():
    rng = np.random.default_rng(2)
    for _ in range(50):
        a = pd.Series(rng.integers(1, 7, 6), list("ABCDEF"))
        b = pd.Series(rng.integers(1, 7, 6), list("ABCDEF"))
        for k in range(1, 7):
            assert last_k_agreement(a, b, k) == top_k_agreement(7 - a, 7 - b, k)


def test_equal_rankings_overlap_exactly_whatever_p():
    rng = np.random.default_rng(3)
    for p in (1e-6, 0.1, 0.5, 0.9, 0.98, 1 - 1e-9):
        ranks = pd.Series(rng.integers(1, 40, 50), range(50))
        assert rank_biased_overlap(ranks, ranks, p) == 1


# ---------------------------------------------------------------------------------------- refusals


@every_comparison
@pytest.mark.parametrize(
    "array", [np.array([1, 2, 3]), pd.array([1, 2, 3])], ids=["numpy", "pandas"]
)
def test_arrays_are_refused(compare, array):
    with pytest.raises(TypeError, match=r"is an array: it carries no systems.*give a ranking"):
        compare(array, ["A", "B", "C"])
    with pytest.raises(TypeError, match="the second ranking is an array"):
        compare(["A", "B", "C"], array)


@every_comparison
def test_a_series_of_scores_is_refused(compare):
    r = ranked(A=3, B=2, C=1)
    with pytest.raises(ValueError, match="named 'score', where higher is better"):
        compare(r, r["score"])
    accuracies = pd.Series({"A": 0.9, "B": 0.8, "C": 1.0})
    refused = r"can't be ranks, for 'A', 'B' among 3 systems; .*rank\(ascending=False\)"
    with pytest.raises(ValueError, match=refused):
        compare(r, accuracies)


@every_comparison
@pytest.mark.parametrize(
    ("numbers", "wrong"),
    [
        pytest.param([90, 70, 1], "'A', 'B'", id="scores above the number of systems"),
        pytest.param([1, 2, 4], "'C'", id="one above it"),
        pytest.param([1, 2, 3.5], "'C'", id="half above it"),
        pytest.param([0, 1, 2], "'A'", id="counted from 0"),
        pytest.param([0.5, 1, 2], "'A'", id="half below 1"),
        pytest.param([-3, 2, 1], "'A'", id="negative"),
        pytest.param([1, 2, math.inf], "'C'", id="infinite"),
        pytest.param([1, 1.3, 2], "'B'", id="neither whole nor a half"),
    ],
)
@pytest.mark.parametrize(
    "form",
    [
        pytest.param(lambda numbers: pd.Series(numbers, list("ABC")), id="series"),
        pytest.param(lambda numbers: pd.Series(numbers, list("ABC"), dtype="Float64"), id="masked"),
        pytest.param(lambda numbers: pd.Series(numbers, list("ABC"), dtype=object), id="objects"),
    ],
)
def test_numbers_that_cannot_be_ranks_are_refused(compare, numbers, wrong, form):
    refused = rf"{{}} ranking holds numbers that can't be ranks, for {wrong} among 3 systems"
    with pytest.raises(ValueError, match=refused.format("the first")):
        compare(form(numbers), ["A", "B", "C"])
    with pytest.raises(ValueError, match=refused.format("the second")):
        compare(["A", "B", "C"], form(numbers))


@every_comparison
@pytest.mark.parametrize("number", [-3, 0, 0.5, 1.3, math.inf])
def test_nor_does_a_frame_hold_them(compare, number):
    frame = pd.DataFrame({"rank": [number, 2, 3], "score": 0.0}, list("ABC"))
    with pytest.raises(ValueError, match="the first ranking holds numbers that can't be ranks"):
        compare(frame, ["A", "B", "C"])


@every_comparison
def test_a_part_of_a_ranking_keeps_its_order_and_its_ranks_alone_are_counted_anew(compare):
    part = ranked(A=5, B=4, C=4, D=2, E=1).loc[["B", "C", "E"]]
    expected = compare(pd.Series({"B": 1, "C": 1, "E": 3}), ["B", "C", "E"])
    assert compare(part, ["B", "C", "E"]) == expected
    with pytest.raises(ValueError, match=r"for 'E' .*ranks of these: series\.rank\(\)"):
        compare(part["rank"], ["B", "C", "E"])
    assert compare(part["rank"].rank(), ["B", "C", "E"]) == expected


@given(
    numbers=st.lists(st.integers(1, 18).map(lambda halves: halves / 2), min_size=1, max_size=8),
    method=st.sampled_from(["min", "max", "average", "dense", "first"]),
)
def test_ranks_by_any_method_are_taken_and_only_numbers_in_their_range(numbers, method):
    scores = pd.Series(numbers)
    order = list(scores.index)
    kendall_distance(scores.rank(method=method), order)
    if min(numbers) < 1 or max(numbers) > len(numbers):
        with pytest.raises(ValueError, match="can't be ranks"):
            kendall_distance(scores, order)
    else:
        assert kendall_distance(scores, order) == kendall_distance(scores.rank(), order)


@every_comparison
def test_different_systems_are_named(compare):
    with pytest.raises(ValueError, match=r"'B' only in the first; 'X', 'Y' only in the second"):
        compare(["A", "B", "C"], ["X", "A", "C", "Y"])
    with pytest.raises(ValueError, match=r"not about the same systems: 'C' only in the first;"):
        compare(["A", "B", "C"], ranked(A=1, B=2))


@every_comparison
def test_a_system_given_twice_is_named(compare):
    with pytest.raises(ValueError, match="the second ranking holds 'A' more than once"):
        compare(["A", "B"], ["A", "B", "A"])
    with pytest.raises(ValueError, match="the first ranking holds 'A' more than once"):
        compare(pd.Series([1, 2], index=["A", "A"]), ["A"])


@every_comparison
def test_missing_ranks_and_names_are_refused(compare):
    with pytest.raises(ValueError, match=r"no rank \(NaN\) to 'B'"):
        compare(pd.Series({"A": 1, "B": math.nan}), ["A", "B"])
    with pytest.raises(ValueError, match=r"no rank \(NaN\) to 'B'"):
        compare(pd.Series({"A": 1, "B": None}, dtype="Int64"), ["A", "B"])
    with pytest.raises(ValueError, match="a system without a name"):
        compare(["A", math.nan], ["A", "B"])
    with pytest.raises(ValueError, match="the first ranking is empty"):
        compare([], [])


@every_comparison
@pytest.mark.parametrize(
    ("thing", "message"),
    [
        ("ABC", "of type str"),
        ({"A": 1, "B": 2}, "of type dict"),
        ({"A", "B"}, "of type set"),
        (pd.Series(["A", "B"]), r"does not hold ranks.*list\(series\)"),
        (pd.Series({"A": True, "B": False}), "does not hold ranks"),
        (
            pd.DataFrame({"rank": [1, 2]}, index=["A", "B"]),
            "without the columns 'rank' and 'score'",
        ),
        (Leaderboard(pd.DataFrame({"t": [1, 2]}, index=["A", "B"])), "is a Leaderboard: rank it"),
        ([["A"], ["B"]], "can't be the label of a system"),
    ],
)
def test_other_things_are_refused(compare, thing, message):
    with pytest.raises(TypeError, match=message):
        compare(thing, ["A", "B"])


@pytest.mark.parametrize("compare", [top_k_agreement, last_k_agreement])
def test_k_is_a_whole_number_from_one(compare):
    with pytest.raises(ValueError, match="k=0 must be at least 1"):
        compare(["A"], ["A"], 0)
    for k in (1.5, "2", True):
        with pytest.raises(TypeError, match="k=.* must be a whole number"):
            compare(["A"], ["A"], k)
    assert compare(["A"], ["A"], np.int64(1)) == 1


@pytest.mark.parametrize("p", [0, 1, -0.5, 1.5, math.nan])
def test_p_is_strictly_between_zero_and_one(p):
    with pytest.raises(ValueError, match="p must be strictly between 0 and 1"):
        rank_biased_overlap(["A", "B"], ["A", "B"], p)


def test_every_public_function_is_tested_here():
    public = {
        name
        for name, function in inspect.getmembers(agreement, inspect.isfunction)
        if function.__module__ == agreement.__name__ and not name.startswith("_")
    }
    assert public - {"align_ranks", "parse_ranking"} == set(COMPARE)
