"""The rules of the majority graph on labelled tables, and beside two other libraries."""

import itertools
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import votelib.evaluate.condorcet as votelib
import whalrus
from pandas.testing import assert_frame_equal

from nbrank.arrays.orders.majority_graphs import SearchLimitError
from nbrank.rules.majority import schulze
from nbrank.rules.majority_searches import maximal_lotteries, ranked_pairs
from nbrank.rules.registry import RULES as KNOWN
from nbrank.votes.comparisons import from_comparisons
from nbrank.votes.leaderboard import Leaderboard

RULES = [schulze, ranked_pairs, maximal_lotteries]

#: A beats B by 1, B beats C by 3, C beats A by 1; D loses to all.
CYCLE = pd.DataFrame(
    [[4, 4, 2, 2, 3], [3, 3, 4, 4, 2], [2, 2, 3, 3, 4], [1, 1, 1, 1, 1]],
    index=["A", "B", "C", "D"],
    columns=["t1", "t2", "t3", "t4", "t5"],
)


def winners(ranked):
    return set(ranked.index[ranked["rank"] == 1])


# ------------------------------------------------------------------------ beside other libraries


def random_tables(n_tables, most_systems=5, seed=20261120):
    """Tables with ties within tasks, tied margins and weights."""
    rng = np.random.default_rng(seed)
    for _ in range(n_tables):
        n_systems, n_tasks = int(rng.integers(2, most_systems + 1)), int(rng.integers(1, 8))
        scores = rng.integers(0, rng.integers(2, 7), size=(n_systems, n_tasks))
        table = pd.DataFrame(scores, index=list("abcde"[:n_systems]))
        yield table, {task: float(rng.integers(1, 4)) for task in table}


def whalrus_profile(table, weights):
    ballots = []
    for task in table:
        levels = table[task].groupby(table[task].to_numpy()).groups
        ballots.append([set(levels[score]) for score in sorted(levels, reverse=True)])
    return whalrus.Profile(
        [whalrus.BallotOrder(ballot) for ballot in ballots],
        weights=[int(weight) for weight in weights.values()],
    )


def votelib_counts(table, weights):
    return {
        (a, b): sum(int(weights[task]) for task in table if table.loc[a, task] > table.loc[b, task])
        for a, b in itertools.permutations(table.index, 2)
    }


def test_schulze_has_the_winners_of_whalrus():
    for table, weights in random_tables(250):
        expected = whalrus.RuleSchulze(whalrus_profile(table, weights)).cowinners_
        assert winners(schulze(table, weights=weights)) == set(expected)


def test_ranked_pairs_by_a_fixed_order_has_the_winner_of_whalrus():
    """Ascending by name is our `tie_order` in the order of names, also of tied systems. Tables of
    three systems: with four, see the next test."""
    for table, weights in random_tables(250, most_systems=3):
        rule = whalrus.RuleRankedPairs(
            whalrus_profile(table, weights), tie_break=whalrus.Priority.ASCENDING
        )
        found = ranked_pairs(table, tie_order=sorted(table.index), weights=weights)
        assert winners(found) == set(rule.cowinners_)


def test_where_ranked_pairs_of_whalrus_differs():
    """Three tasks: a > c > d > b, c > d > b > a, d > b > a > c.

    d beats b by 3; all other wins are by 1, and are taken in the order a > c,
    b > a, c > d, c > b, d > a. Once d > b, a > c and b > a are locked, d stands
    above c (through b and a), so c > d closes a cycle and must be refused; so
    must c > b. d wins, by this order. whalrus 0.4.6 notes what is above b and
    what is below a when it locks b > a, but not that the first is above the
    second: it locks c > d, and with it d above a above c above d.
    """
    orders = ["acdb", "cdba", "dbac"]
    table = pd.DataFrame({order: [-order.index(system) for system in "abcd"] for order in orders})
    table.index = list("abcd")
    assert winners(ranked_pairs(table, tie_order="abcd")) == {"d"}
    profile = whalrus_profile(table, dict.fromkeys(table, 1))
    rule = whalrus.RuleRankedPairs(profile, tie_break=whalrus.Priority.ASCENDING)
    locked = rule.matrix_.as_dict_
    assert locked["d", "a"] == locked["a", "c"] == locked["c", "d"] == 1
    assert rule.cowinners_ == {"b", "c"}


def test_the_winner_of_votelibs_ranked_pairs_wins_under_some_order():
    for table, weights in random_tables(250):
        first = votelib.RankedPairs("margins").evaluate(votelib_counts(table, weights))[0]
        assert first in winners(ranked_pairs(table, weights=weights))


# ----------------------------------------------------------------------------------- by hand


def test_a_cycle_and_a_loser():
    assert schulze(CYCLE)["score"].to_dict() == {"A": 0, "B": 0, "C": -1, "D": -3}
    assert ranked_pairs(CYCLE)["score"].to_dict() == {"A": 1, "B": 1, "C": 0, "D": 0}
    assert maximal_lotteries(CYCLE)["score"].to_dict() == pytest.approx(
        {"A": 0.6, "B": 0.2, "C": 0.2, "D": 0}
    )


def test_a_lottery_says_whether_it_is_the_only_one():
    assert maximal_lotteries(CYCLE).attrs == {"rule": "maximal_lotteries", "unique": True}
    tied = pd.DataFrame({"t1": [2, 1], "t2": [1, 2]}, index=["A", "B"])
    found = maximal_lotteries(tied)
    assert found.attrs["unique"] is False
    assert found["score"].to_dict() == {"A": 0.5, "B": 0.5}


def test_margins_too_unequal_for_odds_are_refused_where_the_solver_gives_up():
    rng = np.random.default_rng(66)
    pairs = [rng.permutation(pair) for pair in itertools.combinations("ABCDE", 2)]
    battles = pd.DataFrame(pairs, columns=["left", "right"]).assign(winner="left")
    battles["weight"] = 10.0 ** -rng.integers(0, 10, 10)
    sides = {"left": "left", "right": "right", "winner": "winner"}
    with pytest.raises(ValueError, match="maximal_lotteries: .*, too unequal for odds in floats"):
        maximal_lotteries(from_comparisons(battles, **sides, weight="weight"))


def test_the_tie_order_decides_between_tied_pairs_and_tied_systems():
    assert winners(ranked_pairs(CYCLE, tie_order=["A", "B", "C", "D"])) == {"A"}
    assert winners(ranked_pairs(CYCLE, tie_order=["D", "C", "B", "A"])) == {"B"}
    tied = pd.DataFrame({"t1": [2, 1], "t2": [1, 2]}, index=["A", "B"])
    assert ranked_pairs(tied, tie_order=["B", "A"]).index.tolist() == ["B", "A"]
    assert ranked_pairs(tied, tie_order=["B", "A"])["rank"].tolist() == [1, 2]


@pytest.mark.parametrize(
    ("order", "message"),
    [
        (["A", "B", "C"], "leaves out 'D'"),
        (["A", "B", "C", "D", "E"], "has unknown 'E'"),
        (["A", "B", "C", "D", "B"], "repeats 'B'"),
    ],
)
def test_a_tie_order_names_every_system_once(order, message):
    with pytest.raises(ValueError, match=message):
        ranked_pairs(CYCLE, tie_order=order)


def test_past_the_limit_the_error_names_the_fixed_order_and_that_works():
    noise = pd.DataFrame(np.random.default_rng(10).random((30, 9)))
    with pytest.raises(SearchLimitError, match=r"gave up after 5,000 states.*tie_order"):
        ranked_pairs(noise)
    assert len(winners(ranked_pairs(noise, tie_order=noise.index))) == 1


@pytest.mark.parametrize("missing", ["ignore", "compatible", "median", "worst"])
@pytest.mark.parametrize("levels", [1, 2])
def test_where_others_wait_the_options_count_as_ever(missing, levels):
    scores = CYCLE.astype(float)
    scores.iloc[0, 0] = np.nan
    found = KNOWN["ranked_pairs"].quick_function(scores, missing=missing, levels=levels)
    assert_frame_equal(found, ranked_pairs(scores, missing=missing, levels=levels))


def test_where_others_wait_the_search_gives_up_sooner_on_many_systems():
    assert_frame_equal(KNOWN["ranked_pairs"].quick_function(CYCLE), ranked_pairs(CYCLE))
    noise = pd.DataFrame(np.random.default_rng(10).random((30, 9)))
    with pytest.raises(SearchLimitError, match=r"gave up after 3,333 states.*tie_order"):
        KNOWN["ranked_pairs"].quick_function(noise)


# -------------------------------------------------------------------------- what they all take


def as_battles(table):
    rows = [
        (a, b, "left" if table.loc[a, task] > table.loc[b, task] else "right")
        for task in table
        for a, b in itertools.combinations(table.index, 2)
    ]
    return pd.DataFrame(rows, columns=["l", "r", "winner"])


@pytest.mark.parametrize("rule", RULES)
def test_a_frame_a_leaderboard_and_comparisons_give_the_same(rule):
    expected = rule(CYCLE)
    comparisons = from_comparisons(as_battles(CYCLE), left="l", right="r", winner="winner")
    for source in (Leaderboard(CYCLE), comparisons):
        assert_frame_equal(rule(source), expected)
        assert rule(source).attrs == expected.attrs


def test_comparisons_take_a_tie_order():
    comparisons = from_comparisons(as_battles(CYCLE), left="l", right="r", winner="winner")
    assert winners(ranked_pairs(comparisons, tie_order=["D", "C", "B", "A"])) == {"B"}
    assert winners(ranked_pairs(comparisons, tie_order=["A", "B", "C", "D"])) == {"A"}


@pytest.mark.parametrize("rule", RULES)
def test_weights_and_orientation_count(rule):
    copies = CYCLE[["t1", "t1", "t2", "t3", "t4", "t5"]]
    copies.columns = list("uvwxyz")
    weights = {"t1": 2}
    assert_frame_equal(rule(CYCLE, weights=weights), rule(copies))
    assert_frame_equal(rule(-CYCLE, lower_is_better=True, weights=weights), rule(copies))
    with pytest.raises(TypeError):
        rule(Leaderboard(CYCLE), weights=weights)


@pytest.mark.parametrize("rule", RULES)
def test_a_system_without_any_score_is_last_and_has_none(rule):
    table = CYCLE.astype(float)
    table.loc["E"] = np.nan
    ranked = rule(table)
    assert ranked.index[-1] == "E"
    assert ranked.loc["E", "rank"] == 5
    assert np.isnan(ranked.loc["E", "score"])
    assert_frame_equal(ranked.iloc[:4], rule(CYCLE))
    assert winners(ranked_pairs(table, tie_order=["E", "A", "B", "C", "D"])) == {"A"}


def test_a_table_without_any_score_has_no_score():
    table = pd.DataFrame({"t1": [np.nan, np.nan]}, index=["A", "B"])
    assert schulze(table)["score"].isna().all()
    assert maximal_lotteries(table)["score"].isna().all()


def test_pairs_that_never_met_are_tied():
    table = pd.DataFrame({"t1": [2, 1, np.nan], "t2": [np.nan, np.nan, 1]}, index=["A", "B", "C"])
    assert winners(schulze(table)) == {"A", "C"}
    assert winners(ranked_pairs(table)) == {"A", "C"}
    assert maximal_lotteries(table)["score"].to_dict() == pytest.approx(
        {"A": 0.5, "C": 0.5, "B": 0}
    )


def test_labels_may_be_tuples():
    index = pd.MultiIndex.from_tuples([("x", 1), ("x", 2), ("y", 1), ("y", 2)])
    table = CYCLE.set_axis(index)
    assert winners(ranked_pairs(table, tie_order=list(index))) == {("x", 1)}


@pytest.mark.parametrize("rule", RULES)
def test_two_levels_rank_the_rankings_within_the_tasks(rule):
    rng = np.random.default_rng(21)
    rows = pd.MultiIndex.from_product([list("ABCD"), range(5)], names=["system", "instance"])
    for _ in range(10):
        scores = pd.DataFrame(rng.integers(0, 4, size=(20, 4)), index=rows, columns=list("wxyz"))
        within = {
            task: -rule(scores[task].unstack("instance"))["rank"].reindex(list("ABCD"))
            for task in scores
        }
        expected = rule(pd.DataFrame(within))
        assert_frame_equal(rule(scores, levels=2), expected, check_names=False)


def test_two_levels_with_a_tie_order():
    rng = np.random.default_rng(22)
    rows = pd.MultiIndex.from_product([list("ABCD"), range(4)], names=["system", "instance"])
    order = ["C", "A", "D", "B"]
    for _ in range(10):
        scores = pd.DataFrame(rng.integers(0, 4, size=(16, 4)), index=rows, columns=list("wxyz"))
        within = {
            task: -ranked_pairs(scores[task].unstack("instance"), tie_order=order)["rank"]
            for task in scores
        }
        table = pd.DataFrame(within).reindex(list("ABCD"))
        expected = ranked_pairs(table, tie_order=order)
        found = ranked_pairs(scores, tie_order=order, levels=2)
        assert_frame_equal(found, expected, check_names=False)


def test_the_lottery_of_a_cycle_in_fractions():
    """The share of each system in a cycle of three is the margin between the other two."""
    rng = np.random.default_rng(23)
    for _ in range(30):
        x, y, z = (int(value) for value in rng.integers(1, 20, 3))
        # McGarvey: two tasks give one pair a margin of 2 and all others 0.
        tasks = {}
        for size, (a, b, c) in [(x, "ABC"), (y, "BCA"), (z, "CAB")]:
            for copy in range(size):
                tasks[a, copy, "up"] = {a: 3, b: 2, c: 1}
                tasks[a, copy, "down"] = {c: 3, a: 2, b: 1}
        table = pd.DataFrame({str(task): column for task, column in tasks.items()})
        found = maximal_lotteries(table)["score"]
        expected = {"A": Fraction(y, x + y + z), "B": Fraction(z, x + y + z)}
        assert found[["A", "B"]].to_dict() == pytest.approx(
            {system: float(share) for system, share in expected.items()}
        )


def test_a_lottery_of_margins_too_unequal_for_floats_is_refused_with_what_works():
    scores = pd.DataFrame(
        [
            [6, 5, 3, 7, 2, 1],
            [8, 2, 9, 1, 0, 9],
            [5, 2, 6, 8, 2, 4],
            [6, 6, 2, 9, 7, 7],
            [3, 2, 4, 1, 7, 5],
            [2, 6, 4, 0, 3, 6],
        ],
        index=list("ABCDEF"),
    )
    sizes = np.array([1e-6, 1e6, 1e6, 1, 1e-6, 1e-6])
    far, near = dict(enumerate(sizes)), dict(enumerate(sizes ** (1 / 4)))
    message = r"'A' beats 'B' by 0\.999999 and 'F' beats 'A' by 2e\+06.*nearer.*use schulze"
    with pytest.raises(ValueError, match=message):
        maximal_lotteries(scores, weights=far)
    assert schulze(scores, weights=far)["rank"].notna().all()
    odds = maximal_lotteries(scores, weights=near)["score"].reindex(scores.index).to_numpy()
    sides = np.sign(scores.to_numpy()[:, None] - scores.to_numpy())
    assert (sides @ sizes ** (1 / 4) @ odds).max() < 1e-9
