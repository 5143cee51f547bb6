"""How sure each pair is, on labelled tables, instance-level scores and comparisons."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from nbrank.arrays.uncertainty.multiple_comparisons import holm
from nbrank.arrays.uncertainty.win_rate_intervals import (
    PairwiseWinRates,
    sign_intervals,
    sign_test_p_values,
)
from nbrank.comparison.pairwise_wins import compared, pairwise
from nbrank.uncertainty.pair_intervals import comparisons_needed, confidence
from nbrank.votes.comparisons import from_comparisons
from nbrank.votes.leaderboard import Leaderboard

METHODS = ["hoeffding", "wilson", "bootstrap", "sign"]

SCORES = pd.DataFrame(
    [[5, 4, 5, 2, 3, np.nan], [3, 4, 2, 3, 1, np.nan], [1, np.nan, 1, 1, 2, np.nan]],
    index=["A", "B", "C"],
    columns=[f"t{number}" for number in range(1, 7)],
)


def table(n_systems=5, n_tasks=30, seed=0):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(n_systems, n_tasks)) + np.arange(n_systems)[:, None] / 2
    scores[rng.random(scores.shape) < 0.1] = np.nan
    return pd.DataFrame(scores, index=list("ABCDE")[:n_systems]).add_prefix("t")


def instances(n_instances=8):
    rng = np.random.default_rng(3)
    index = pd.MultiIndex.from_product(
        [list("ABC"), range(n_instances)], names=["system", "instance"]
    )
    scores = pd.DataFrame(rng.normal(size=(len(index), 4)), index, columns=list("wxyz"))
    scores.loc[["A"]] += 1.0
    return scores.mask(rng.random(scores.shape) < 0.1)


# -------------------------------------------------------------------------------------- the frame


@pytest.mark.parametrize("method", METHODS)
def test_there_is_a_row_for_each_ordered_pair_in_table_order(method):
    found = confidence(SCORES, method=method, seed=0)
    pairs = [("A", "B"), ("A", "C"), ("B", "A"), ("B", "C"), ("C", "A"), ("C", "B")]
    assert found.index.tolist() == pairs
    assert found.index.names == ["system", "opponent"]
    columns = ["wins", "n", "low", "high", "significant"]
    if method == "sign":
        columns = ["wins", "n", "won", "ties", "lost", "low", "high", "p_value", "significant"]
    assert found.columns.tolist() == columns
    assert found["n"].dtype == np.int64
    assert found["significant"].dtype == bool


def test_the_sign_test_is_the_default():
    pd.testing.assert_frame_equal(confidence(SCORES), confidence(SCORES, method="sign"))
    votes = battles(cluster=[1, 1, 1, 2, 3, 4])
    assert confidence(votes).attrs["method"] == "sign"


def test_the_share_is_that_of_the_tasks_where_both_were_scored():
    found = confidence(SCORES, method="hoeffding")
    # On t1 to t5: three wins, a tie, a loss.
    assert found.loc[("A", "B"), ["wins", "n"]].tolist() == [3.5 / 5, 5]
    assert found.loc[("C", "B"), ["wins", "n"]].tolist() == [1 / 4, 4]
    half_width = np.sqrt(np.log(2 / 0.05) / (2 * 4))
    assert found.loc[("B", "C"), "low"] == pytest.approx(max(0.75 - half_width, 0))
    assert found.loc[("C", "B"), "high"] == pytest.approx(0.25 + half_width)


@pytest.mark.parametrize("levels", [1, 2])
@pytest.mark.parametrize("scores", [table(), instances()], ids=["tasks", "instances"])
def test_wins_are_what_pairwise_counts(scores, levels):
    weights = {scores.columns[0]: 3.0}
    found = confidence(scores, weights=weights, levels=levels)["wins"].unstack("opponent")
    expected = pairwise(scores, weights=weights, levels=levels) / compared(
        scores, weights=weights, levels=levels
    )
    np.testing.assert_allclose(found.reindex_like(expected), expected.where(expected.notna()))


def test_two_levels_count_tasks():
    found = confidence(instances(), levels=2)
    assert (found["n"] == 4).all()
    assert (confidence(instances())["n"] > 20).all()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("adjust", [None, "holm"])
def test_the_two_rows_of_a_pair_say_the_same(method, adjust):
    found = confidence(table(), method=method, adjust=adjust, seed=1)
    swapped = found.swaplevel().reindex(found.index)
    np.testing.assert_allclose(found["wins"], 1 - swapped["wins"])
    np.testing.assert_allclose(found["low"], 1 - swapped["high"])
    assert (found["significant"] == swapped["significant"]).all()
    excludes = (found["low"] > 0.5) | (found["high"] < 0.5)
    assert (found["significant"] == excludes).all()
    assert ((found["low"] <= found["wins"]) & (found["wins"] <= found["high"])).all()


@pytest.mark.parametrize("method", METHODS)
def test_a_pair_that_never_met_is_open(method):
    scores = pd.DataFrame([[1, np.nan], [np.nan, 2]], index=["A", "B"])
    row = confidence(scores, method=method, seed=0).loc[("A", "B")]
    assert np.isnan(row["wins"])
    assert (row["n"], row["low"], row["high"], row["significant"]) == (0, 0, 1, False)


# ------------------------------------------------------------------------------------- the options


def test_adjusting_for_many_pairs_only_takes_claims_away():
    plain = confidence(table(), method="wilson")
    holm = confidence(table(), method="wilson", adjust="holm")
    assert (holm["low"] <= plain["low"]).all()
    assert 0 < holm["significant"].sum() < plain["significant"].sum()


EIGHT_GROUPS = {f"g{number}": [f"t{3 * number + k}" for k in range(3)] for number in range(8)}


@pytest.mark.parametrize(
    ("n_tasks", "options", "methods"),
    [
        (8, {}, METHODS),
        (10, {}, METHODS),
        (11, {"weights": {"t0": 4.0}}, METHODS),
        # The others take every task as a draw of its own.
        (24, {"groups": EIGHT_GROUPS}, ["bootstrap"]),
    ],
    ids=["8 tasks", "10 tasks", "weighted", "8 groups"],
)
def test_few_draws_are_not_enough_for_holm(n_tasks, options, methods):
    # System 0 wins everything, which is likelier than .05 / 28 by chance in so few draws.
    scores = pd.DataFrame(np.random.default_rng(1).normal(size=(8, n_tasks))).add_prefix("t")
    scores.iloc[0] = 9.0
    for method in methods:
        found = confidence(scores, method=method, adjust="holm", seed=0, **options)
        assert not found["significant"].any()
        assert (found.loc[0, "low"] <= 0.5).all()
    assert confidence(scores, method="bootstrap", seed=0, **options)["significant"].any()


@pytest.mark.parametrize("method", METHODS)
def test_a_smaller_delta_takes_wider_intervals(method):
    wide, narrow = (
        confidence(table(), delta=delta, method=method, seed=0) for delta in (0.01, 0.2)
    )
    assert ((wide["high"] - wide["low"]) > (narrow["high"] - narrow["low"])).all()


@pytest.mark.parametrize("method", METHODS)
def test_only_the_weights_proportions_count(method):
    once = confidence(table(), method=method, seed=0, weights={"t0": 3.0, "t1": 0.0})
    weights = {**dict.fromkeys(table(), 7.0), "t0": 21.0, "t1": 0.0}
    again = confidence(table(), method=method, seed=0, weights=weights)
    pd.testing.assert_frame_equal(once, again)


@pytest.mark.parametrize("method", ["hoeffding", "wilson"])
def test_unequal_weights_widen_the_interval_but_leave_n(method):
    scores = pd.DataFrame(np.tile([[1.0], [0.0]], 20), index=["A", "B"])
    even = confidence(scores, method=method)
    uneven = confidence(scores, method=method, weights={0: 20.0})
    assert (uneven["n"] == even["n"]).all()
    assert uneven["low"].iloc[0] < even["low"].iloc[0]


def test_the_bootstrap_draws_groups_whole():
    one = table(n_tasks=12)
    copies = pd.concat({name: one.add_suffix(f"/{name}") for name in ("a", "b", "c")}, axis=1)
    copies.columns = copies.columns.droplevel(0)
    groups = {task: [f"{task}/{name}" for name in "abc"] for task in one}
    expected = confidence(one, method="bootstrap", seed=4)
    grouped = confidence(copies, method="bootstrap", seed=4, groups=groups)
    np.testing.assert_allclose(grouped["low"], expected["low"])
    assert (grouped["n"] == 3 * expected["n"]).all()
    single = confidence(copies, method="bootstrap", seed=4)
    assert ((single["high"] - single["low"]) < (grouped["high"] - grouped["low"])).all()


def test_the_bootstrap_at_two_levels_draws_tasks():
    scores = instances(40)
    found = confidence(scores, method="bootstrap", levels=2, seed=0)
    # Four tasks, of which A wins each: Beta(4.5, 0.5).
    assert found.loc[("A", "B"), "wins"] == 1
    assert found.loc[("A", "B"), "low"] == pytest.approx(0.5549, abs=0.02)


def test_the_same_seed_gives_the_same_intervals():
    one, two, other = (confidence(table(), method="bootstrap", seed=seed) for seed in (1, 1, 2))
    pd.testing.assert_frame_equal(one, two)
    assert (one["low"] != other["low"]).any()


def test_lower_is_better_turns_the_pairs_round():
    found = confidence(SCORES, lower_is_better=True)["wins"]
    np.testing.assert_allclose(found, 1 - confidence(SCORES)["wins"])


def test_systems_may_be_tuples():
    scores = SCORES.set_axis(pd.MultiIndex.from_tuples([("x", 1), ("x", 2), ("y", 1)]))
    found = confidence(scores)
    assert found.index[0] == (("x", 1), ("x", 2))
    assert found["wins"].tolist() == confidence(SCORES)["wins"].tolist()


def test_a_single_system_has_no_pairs():
    assert confidence(SCORES.loc[["A"]]).empty


# ------------------------------------------------------------------------------------ the sign test


def items(first, second, both, neither=0):
    """Instances that the first system alone solves, the second alone, both, or neither."""
    numbers = (first, second, both, neither)
    scores = {"A": np.repeat([1.0, 0.0, 1.0, 0.0], numbers), "B": np.repeat([0, 1, 1, 0], numbers)}
    index = pd.MultiIndex.from_product(
        [["A", "B"], range(sum(numbers))], names=["system", "instance"]
    )
    return pd.DataFrame({"correct": np.concatenate(list(scores.values()))}, index)


def test_a_lead_of_30_to_10_among_400_instances_is_found_by_the_sign_test():
    scores = items(30, 10, 200, 160)
    found = confidence(scores, method="sign").loc[("A", "B")]
    assert found[["wins", "n", "ties"]].tolist() == [(30 + 180) / 400, 400, 360]
    assert found["significant"]
    assert not confidence(scores, method="wilson")["significant"].any()


@pytest.mark.parametrize("delta", [0.01, 0.05, 0.3])
def test_it_is_mcnemars_exact_test_whatever_ties(delta):
    for first, second in itertools.product(range(9), repeat=2):
        found = confidence(items(first, second, 5, 3), delta=delta, method="sign")
        p_value = stats.binomtest(first, first + second).pvalue if first + second else 1.0
        assert found["significant"].tolist() == [p_value <= delta] * 2
        assert found["ties"].tolist() == [8, 8]


def test_the_interval_is_made_of_those_of_clopper_and_pearson():
    def exact(successes, n):
        return stats.binomtest(successes, n).proportion_ci(0.95, method="exact")

    for first, second, ties in ((12, 1, 30), (3, 4, 10), (0, 6, 0), (0, 0, 9), (1, 9, 200)):
        found = confidence(items(first, second, ties), method="sign").loc[("A", "B")]
        untied = first + second
        decided = exact(untied, untied + ties)
        won = exact(first, untied) if untied else stats.binomtest(1, 2).proportion_ci(1 - 1e-16)
        ends = (won.low, won.high) if untied else (0, 1)
        shares = [0.5 + rate * (end - 0.5) for rate in (decided.low, decided.high) for end in ends]
        assert (found["low"], found["high"]) == pytest.approx((min(shares), max(shares)))


@pytest.mark.parametrize("n", [4, 13, 30])
@pytest.mark.parametrize("untied", [0.05, 0.3, 0.7, 0.9, 1.0])
@pytest.mark.parametrize("won", [0.5, 0.6, 0.8, 0.95, 1.0])
def test_its_interval_holds_in_95_percent_of_all_outcomes(n, untied, won):
    first, second = (np.ravel(each) for each in np.indices((n + 1, n + 1)))
    possible = first + second <= n
    first, second = first[possible], second[possible]
    chance = stats.binom.pmf(first + second, n, untied) * stats.binom.pmf(
        first, np.maximum(first + second, 1), won
    )
    chance[first + second == 0] = stats.binom.pmf(0, n, untied)
    held = 0.0
    for one, other, probability in zip(first, second, chance, strict=True):
        if probability > 1e-9:
            meetings, of_untied = (
                PairwiseWinRates(*(np.full((2, 2), value) for value in values))
                for values in (
                    ((one + (n - one - other) / 2) / n, n, n, n),
                    (one / (one + other) if one + other else np.nan, *(one + other,) * 3),
                )
            )
            found = sign_intervals(meetings, of_untied, 0.05, holm=False)
            truth = 0.5 + untied * (won - 0.5)
            inside = found.low[0, 1] - 1e-12 <= truth <= found.high[0, 1] + 1e-12
            held += probability * inside
    assert held >= 0.95 - 1e-6


def test_holm_steps_down_through_the_sign_tests():
    scores = table(n_tasks=40)
    found = confidence(scores, method="sign", adjust="holm")["significant"]
    pairs = list(itertools.combinations(scores.index, 2))
    p_values = [
        stats.binomtest(
            int((scores.loc[one] > scores.loc[other]).sum()),
            int((scores.loc[one] - scores.loc[other]).notna().sum()),
        ).pvalue
        for one, other in pairs
    ]
    expected = holm(np.array(p_values)) <= 0.05
    assert [found[pair] for pair in pairs] == expected.tolist()
    assert 0 < expected.sum() < len(pairs)


def test_ties_of_weighted_ballots_are_left_out_whatever_they_weigh():
    scores = pd.DataFrame([[1.0] * 12 + [0.0] * 3, [0.0] * 10 + [1.0] * 5], list("AB"))
    scores = scores.add_prefix("t")  # ten wins, two ties, three losses
    found = confidence(scores, method="sign", weights={"t10": 7.0})
    plain = confidence(scores, method="sign")
    assert found["ties"].tolist() == plain["ties"].tolist() == [2, 2]
    assert found.loc[("A", "B"), "significant"] == plain.loc[("A", "B"), "significant"]
    # One of ten wins weighs as much as all else: the signs say less.
    heavy = confidence(scores.drop(columns=["t12", "t13"]), method="sign", weights={"t0": 12.0})
    assert not heavy["significant"].any()
    assert confidence(scores.drop(columns=["t12", "t13"]), method="sign")["significant"].all()


def test_weights_that_all_differ_are_counted_pair_by_pair():
    rng = np.random.default_rng(2)
    scores = pd.DataFrame(rng.integers(0, 3, (3, 60)) * 1.0).add_prefix("t")
    weights = dict(zip(scores, 1 + rng.random(60) * 1e-9, strict=True))
    pd.testing.assert_frame_equal(
        confidence(scores, method="sign", weights=weights), confidence(scores, method="sign")
    )


def test_at_two_levels_a_task_without_a_majority_is_a_tie():
    index = pd.MultiIndex.from_product([["A", "B"], range(4)], names=["system", "instance"])
    scores = pd.DataFrame(
        {"x": [1, 1, 1, 0, 0, 0, 0, 0], "y": [1, 1, 0, 0, 0, 0, 1, 1]}, index, dtype=float
    )
    found = confidence(scores, method="sign", levels=2).loc[("A", "B")]
    assert found[["wins", "n", "ties"]].tolist() == [0.75, 2, 1]


# ------------------------------------------------------------------------------------ comparisons


def battles(**columns):
    frame = pd.DataFrame(
        {
            "left": ["A", "B", "A", "C", "A", "B"],
            "right": ["B", "A", "B", "A", "C", "C"],
            "winner": ["left", "left", "tie", "left", "left", "right"],
            **columns,
        }
    )
    options = {name: name for name in columns}
    return from_comparisons(frame, left="left", right="right", winner="winner", **options)


def test_comparisons_are_ballots_of_two():
    found = confidence(battles())
    assert found.loc[("A", "B"), ["wins", "n"]].tolist() == [0.5, 3]
    assert found.loc[("A", "C"), ["wins", "n"]].tolist() == [0.5, 2]
    assert found.loc[("C", "B"), ["wins", "n"]].tolist() == [1.0, 1]


def test_weighted_comparisons_count_as_their_effective_number():
    found = confidence(battles(weight=[2.0, 1.0, 1.0, 0.0, 1.0, 1.0]), method="wilson")
    same = confidence(
        pd.DataFrame([[1.0, 0, 1], [0, 1, 1]], index=["A", "B"], columns=["x", "y", "z"]),
        method="wilson",
        weights={"x": 2.0},
    )
    columns = ["wins", "n", "low", "high"]
    assert found.loc[("A", "B"), columns].tolist() == pytest.approx(
        same.loc[("A", "B"), columns].tolist()
    )
    assert found.loc[("A", "C"), "n"] == 1


def test_counted_comparisons_are_as_many():
    found = confidence(battles(count=[10, 1, 1, 1, 1, 1]))
    assert found.loc[("A", "B"), ["wins", "n"]].tolist() == [10.5 / 12, 12]
    again = battles().outcomes
    assert len(again) == 6


def test_comparisons_of_a_cluster_are_one_draw():
    alone = confidence(battles(), method="wilson")
    in_one = confidence(battles(cluster=[1, 1, 1, 2, 3, 4]), method="wilson")
    single = confidence(pd.DataFrame([[1.0], [1.0]], index=["A", "B"]), method="wilson")
    assert in_one.loc[("A", "B"), "low"] == pytest.approx(single.loc[("A", "B"), "low"])
    assert in_one.loc[("A", "C")].tolist() == alone.loc[("A", "C")].tolist()


def test_the_sign_test_of_comparisons_leaves_out_ties():
    found = confidence(battles(), method="sign")
    # Of A and B: A won, B won, a tie.
    assert found.loc[("A", "B"), ["wins", "n", "ties"]].tolist() == [0.5, 3, 1]
    counts = confidence(battles(count=[10, 1, 5, 1, 1, 1]), method="sign").loc[("A", "B")]
    scores = confidence(items(10, 1, 5), method="sign").loc[("A", "B")]
    assert counts.tolist() == pytest.approx(scores.tolist())
    weights = confidence(battles(weight=[2.0, 2.0, 2.0, 0.0, 2.0, 2.0]), method="sign")
    assert weights.loc[("A", "B")].tolist() == pytest.approx(found.loc[("A", "B")].tolist())
    assert weights.loc[("A", "C"), ["n", "ties"]].tolist() == [1, 0]


def test_the_sign_test_says_how_many_ballots_were_won_tied_and_lost():
    rng = np.random.default_rng(0)
    scores = pd.DataFrame(rng.integers(0, 3, (4, 15)).astype(float), list("ABCD")).add_prefix("t")
    scores = scores.mask(rng.random(scores.shape) < 0.2)
    boards = [scores, Leaderboard(scores, weights={"t0": 3.0, "t1": 0.5})]
    for board in boards:
        found = confidence(board, method="sign")
        for (first, second), row in found.iterrows():
            own, other = scores.loc[first], scores.loc[second]
            expected = (own > other).sum(), (own == other).sum(), (own < other).sum()
            assert tuple(row[["won", "ties", "lost"]]) == expected
            assert row["n"] == sum(expected)
    found = confidence(battles(count=[10, 1, 5, 1, 1, 1]), method="sign")
    assert found.loc[("A", "B"), ["won", "ties", "lost"]].tolist() == [10, 5, 1]
    assert found.loc[("B", "A"), ["won", "ties", "lost"]].tolist() == [1, 5, 10]


@pytest.mark.parametrize("adjust", [None, "holm"])
def test_the_p_value_of_the_sign_test_is_the_binomial_one(adjust):
    rng = np.random.default_rng(1)
    scores = pd.DataFrame(rng.integers(0, 4, (5, 40)) + np.arange(5)[:, None] * 0.6, list("ABCDE"))
    found = confidence(scores, method="sign", adjust=adjust)
    pairs = found[[first < second for first, second in found.index]]
    p_values = np.array(
        [
            stats.binomtest(won, won + lost).pvalue
            for won, lost in zip(pairs["won"], pairs["lost"], strict=True)
        ]
    )
    if adjust:
        order = np.argsort(p_values)
        steps = p_values[order] * (len(p_values) - np.arange(len(p_values)))
        p_values[order] = np.minimum(np.maximum.accumulate(steps), 1)
    np.testing.assert_allclose(pairs["p_value"], p_values)
    assert (found["significant"] == (found["p_value"] <= 0.05)).all()
    assert found["significant"].nunique() == 2
    swapped = found["p_value"].swaplevel().reindex(found.index)
    np.testing.assert_array_equal(found["p_value"], swapped)


def test_a_cluster_of_comparisons_has_one_sign():
    def found(cluster, winners):
        frame = pd.DataFrame({"left": "A", "right": "B", "winner": winners, "cluster": cluster})
        names = {name: name for name in ("left", "right", "winner", "cluster")}
        return confidence(from_comparisons(frame, **names), method="sign").loc[("A", "B")]

    alone = found(list(range(10)), ["left"] * 9 + ["right"])
    tenfold = found(np.repeat(np.arange(10), 10), ["left"] * 90 + ["right"] * 10)
    assert (
        tenfold[["low", "high", "significant"]].tolist()
        == alone[["low", "high", "significant"]].tolist()
    )
    assert tenfold["n"] == 100
    # A cluster of which each won as much is a tie, though none of its comparisons is.
    level = found([0, 0, 1], ["left", "right", "left"])
    assert level[["n", "ties"]].tolist() == [3, 0]
    assert not level["significant"]


# --------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"delta": 0}, "delta=0 must be between 0 and 1"),
        ({"delta": 95}, "between 0 and 1"),
        ({"method": "normal"}, "method='normal' is unknown; choose None, 'hoeffding', 'wilson'"),
        ({"adjust": "bonferroni"}, "adjust='bonferroni' is unknown"),
        ({"levels": 3}, "levels=3 is unknown"),
        ({"method": "bootstrap", "n_draws": 1}, "n_draws=1 must be at least 2"),
    ],
)
def test_wrong_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        confidence(SCORES, **options)


def test_a_leaderboard_has_its_own_options():
    with pytest.raises(TypeError, match="weights"):
        confidence(Leaderboard(SCORES), weights={"t1": 2})


def test_comparisons_have_no_bootstrap_and_no_levels():
    with pytest.raises(ValueError, match="choose 'wilson', 'sign' or 'hoeffding'"):
        confidence(battles(), method="bootstrap")
    with pytest.raises(TypeError, match="comparisons"):
        confidence(battles(), levels=2)
    with pytest.raises(TypeError, match="don't go with comparisons"):
        confidence(battles(), weights={"t1": 2})


# ------------------------------------------------------------------------------- how many it takes


def test_so_many_comparisons_make_a_lead_sure():
    assert comparisons_needed(0.6) == 185
    half_width = np.sqrt(np.log(40) / (2 * np.array([184, 185])))
    assert (0.6 - half_width <= 0.5).tolist() == [True, False]
    assert comparisons_needed(0.4) == 185
    assert comparisons_needed(0.6, delta=0.01) > 185
    assert comparisons_needed(0.6, method="wilson") < 185


@pytest.mark.parametrize("share", [0.55, 0.6, 0.75, 0.9, 1.0])
@pytest.mark.parametrize("pairs", [1, 28, 190])
def test_the_sign_test_takes_as_many_more_as_it_says(share, pairs):
    needed = comparisons_needed(share, method="wilson", pairs=pairs)
    enough = np.arange(np.ceil(needed + 1 / (share - 0.5)), 3000)
    p_values = sign_test_p_values(np.full(len(enough), share), enough)
    assert (p_values <= 0.05 / pairs).all()
    if (share, pairs) == (0.6, 28):
        few = sign_test_p_values(np.full(2, 0.6), np.array([252.0, 253.0]))
        assert needed == 244
        assert (few <= 0.05 / 28).tolist() == [False, True]


def test_shares_of_pairs_keep_their_labels_and_a_half_is_never_enough():
    wins = confidence(SCORES)["wins"]
    wins.iloc[0] = 0.5
    wins.iloc[1] = np.nan
    found = comparisons_needed(wins, pairs=3)
    assert found.index.equals(wins.index)
    assert found.isna().tolist() == [True, True, False, False, False, False]
    assert found.iloc[2] == comparisons_needed(float(wins.iloc[2]), delta=0.05 / 3)


def test_what_no_number_of_comparisons_answers_is_refused():
    with pytest.raises(ValueError, match="no number of comparisons"):
        comparisons_needed(0.5)
    with pytest.raises(ValueError, match="between 0 and 1"):
        comparisons_needed(60)
    with pytest.raises(ValueError, match="pairs=0"):
        comparisons_needed(0.6, pairs=0)
    with pytest.raises(ValueError, match="delta"):
        comparisons_needed(0.6, delta=2)


@pytest.mark.parametrize("others", [["t1", "t3"], []])
def test_a_task_on_which_nobody_is_scored_says_nothing_at_two_levels(others):
    scores = pd.DataFrame({"t1": [2.0, 1], "t2": np.nan, "t3": [1.0, 2]}, index=["A", "B"])
    found = confidence(scores[[*others, "t2"]], levels=2)
    if others:
        pd.testing.assert_frame_equal(found, confidence(scores[others], levels=2))
    else:
        assert found["n"].eq(0).all()


def test_shares_may_be_nullable():
    shares = pd.Series([0.6, None, 0.5], dtype="Float64")
    found = comparisons_needed(shares)
    assert found.isna().tolist() == [False, True, True]
    assert found[0] == comparisons_needed(0.6)
