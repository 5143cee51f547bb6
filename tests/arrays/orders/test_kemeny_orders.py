"""Kemeny's consensus on pairwise counts, against all orders and an independent programme."""

import itertools
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, milp

from nbrank.arrays.ballots.pairwise_counts import PairwiseCounts, count_pairs
from nbrank.arrays.ballots.profile import Profile, competition_ranks
from nbrank.arrays.orders import kemeny_orders as rule
from nbrank.arrays.orders import linear_orders
from nbrank.arrays.orders.kemeny_orders import (
    OptimalOrderTable,
    disagreement_bound,
    greatest_common_unit,
    kemeny,
    possible_above,
    possible_winners,
    reversed_weight,
    tied_weight,
)
from nbrank.arrays.orders.linear_orders import Deadline, DeadlineExceeded

WEIGHTS = {
    "equal": lambda rng, n: np.ones(n),
    "fractions": lambda rng, n: rng.choice([0.5, 1.0, 1 / 3, 2.0], n),
    "any": lambda rng, n: rng.random(n) + 0.1,
}


def random_tables(n_tables, systems, seed=0):
    """Small tables with ties and tied margins; half with missing cells, in all kinds of weights."""
    rng = np.random.default_rng(seed)
    kinds = itertools.cycle(itertools.product(WEIGHTS.values(), (False, True)))
    for _, (weights, missing) in zip(range(n_tables), kinds, strict=False):
        n_systems, n_tasks = rng.choice(systems), rng.integers(1, 9)
        scores = rng.integers(0, rng.integers(2, 9), (n_systems, n_tasks)).astype(float)
        if missing:
            scores[rng.random(scores.shape) < 0.2] = np.nan
        yield count_pairs(Profile(scores, weights(rng, n_tasks)))


def random_rankings(n_systems, n_tasks, seed):
    rng = np.random.default_rng(seed)
    scores = np.array([rng.permutation(n_systems) for _ in range(n_tasks)], dtype=float).T
    return count_pairs(Profile(scores, np.ones(n_tasks)))


def borda_ranks(counts):
    return competition_ranks((counts.wins - counts.wins.T).sum(axis=1))


class AllOrders:
    """Everything that is asked of the consensus, by trying every order."""

    def __init__(self, counts, reference):
        n = len(reference)
        orders = np.array(list(itertools.permutations(range(n))), dtype=int)
        place = np.argsort(orders, axis=1)
        above = place[:, :, None] < place[:, None, :]
        cost = (above * counts.wins.T).sum(axis=(1, 2))
        self.disagreement = cost.min()
        best = cost <= cost.min() + 1e-9 * counts.total
        away = (above * (reference[:, None] > reference)).sum(axis=(1, 2))
        nearest = best & (away == away[best].min())
        self.order = orders[nearest][0]  # permutations come in lexicographic order
        self.unique = best.sum() == 1
        self.heads = np.isin(np.arange(n), orders[best][:, 0])
        self.above = above[best].any(axis=0)


@pytest.fixture(params=["table of subsets", "linear programme"])
def way(request, monkeypatch):
    """Both ways to solve a block: small tables would otherwise never see the programme."""
    if request.param == "linear programme":
        monkeypatch.setattr(rule, "_MAX_SUBSET_TABLE_ITEMS", 1)


@pytest.mark.parametrize("systems", [(1, 2, 3), (4, 5), (6,), (7,)], ids=str)
def test_agrees_with_all_orders(way, systems):
    for counts in random_tables(60, systems):
        reference = borda_ranks(counts)
        expected = AllOrders(counts, reference)
        found = kemeny(counts, reference)
        assert found.disagreement == pytest.approx(expected.disagreement, abs=1e-9)
        assert found.order.tolist() == expected.order.tolist()
        assert found.unique == expected.unique
        assert (found.optimal, found.gap, found.is_reference_choice) == (True, 0.0, True)
        assert possible_winners(counts).tolist() == expected.heads.tolist()
        assert possible_above(counts).tolist() == expected.above.tolist()
        assert disagreement_bound(counts) <= expected.disagreement + 1e-9


def test_the_choice_follows_any_reference(way):
    rng = np.random.default_rng(1)
    for counts in random_tables(60, (4, 5), seed=1):
        reference = rng.integers(1, 4, len(counts.wins))
        assert (
            kemeny(counts, reference).order.tolist() == AllOrders(counts, reference).order.tolist()
        )


def everything(counts):
    reference = borda_ranks(counts)
    found = kemeny(counts, reference)
    return (
        found.order.tolist(),
        round(found.disagreement, 9),
        found.unique,
        found.optimal,
        found.is_reference_choice,
        possible_winners(counts).tolist(),
        possible_above(counts).tolist(),
    )


def both_ways(counts, monkeypatch):
    table = everything(counts)
    with monkeypatch.context() as patch:
        patch.setattr(rule, "_MAX_SUBSET_TABLE_ITEMS", 1)
        return table, everything(counts)


def test_both_ways_agree_beyond_all_orders(monkeypatch):
    for counts in random_tables(60, (8, 10, 12), seed=2):
        table, programme = both_ways(counts, monkeypatch)
        assert table == programme


def dense_tournament(n, seed):
    """Margins that come from no few tasks: relaxations of these are often fractional."""
    rng = np.random.default_rng(seed)
    wins = rng.integers(0, 8, (n, n)).astype(float)
    np.fill_diagonal(wins, 0)
    return PairwiseCounts(wins, np.zeros((n, n)), 8.0)


@pytest.mark.parametrize("most_parts", [200, 2])
def test_both_ways_agree_where_the_relaxation_is_fractional(monkeypatch, most_parts):
    from nbrank.arrays.orders import linear_ordering

    split = []
    children = linear_ordering.BranchAndCut._branch
    monkeypatch.setattr(
        linear_ordering.BranchAndCut,
        "_branch",
        lambda self, node, pair: split.append(pair) or children(self, node, pair),
    )
    monkeypatch.setattr(linear_ordering, "_MAX_FACES", most_parts)
    for seed in range(12):
        table, programme = both_ways(dense_tournament(12, seed), monkeypatch)
        assert table == programme
    assert any(pair is not None for pair in split), "nothing was branched on"


def test_no_proof_rests_on_a_lucky_local_search(monkeypatch):
    monkeypatch.setattr(linear_orders, "local_search", lambda levels, order, deadline: order)
    for seed in range(12):
        table, programme = both_ways(dense_tournament(11, seed), monkeypatch)
        assert table == programme


def optimum_by_another_programme(counts):
    """The least disagreement by HiGHS' own branch and cut, all triangles written down."""
    n = len(counts.wins)
    number = {pair: k for k, pair in enumerate(itertools.combinations(range(n), 2))}
    cost = [counts.wins[j, i] - counts.wins[i, j] for i, j in number]
    triples = list(itertools.combinations(range(n), 3))
    triangles = np.zeros((len(triples), len(number)))
    for row, (i, j, k) in zip(triangles, triples, strict=True):
        row[[number[i, j], number[j, k], number[i, k]]] = 1, 1, -1
    solved = milp(
        cost,
        integrality=np.ones(len(number)),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(triangles, 0, 1),
        options={"mip_rel_gap": 0},
    )
    return solved.fun + sum(counts.wins[i, j] for i, j in number)


@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_another_programme(seed):
    counts = random_rankings(22, 7, seed)
    found = kemeny(counts, borda_ranks(counts))
    assert found.optimal
    assert found.disagreement == pytest.approx(optimum_by_another_programme(counts), abs=1e-6)
    assert found.disagreement == reversed_weight(counts, np.argsort(found.order))


def test_fifty_systems_and_nine_random_rankings():
    for seed in range(2):
        found = kemeny(random_rankings(50, 9, seed), np.ones(50, dtype=int))
        assert found.optimal
        assert found.is_reference_choice


def mallows_profile(n_systems, n_tasks, phi, seed):
    """Rankings drawn around the table order, by repeated insertion."""
    rng = np.random.default_rng(seed)
    scores = np.empty((n_systems, n_tasks))
    for task in range(n_tasks):
        order = []
        for system in range(n_systems):
            weight = phi ** np.arange(system, -1, -1)
            order.insert(rng.choice(system + 1, p=weight / weight.sum()), system)
        scores[order, task] = -np.arange(n_systems)
    return Profile(scores, np.ones(n_tasks))


def test_a_hundred_systems_with_a_strong_consensus():
    counts = count_pairs(mallows_profile(100, 9, 0.8, seed=0))
    found = kemeny(counts, borda_ranks(counts))
    assert found.optimal
    assert found.is_reference_choice


# ------------------------------------------------------------------------------ running out of time


def test_out_of_time_the_gap_is_proven_and_said():
    counts = random_rankings(80, 9, seed=0)
    optimum = 10_637.0  # proven with more time
    began = time.monotonic()
    found = kemeny(counts, borda_ranks(counts), Deadline.after(1.0))
    assert time.monotonic() - began < 4
    assert found.bound <= optimum <= found.disagreement
    assert found.gap == found.disagreement - found.bound
    assert not found.optimal
    assert not found.is_reference_choice
    assert found.unique is None
    assert sorted(found.order) == list(range(80))
    assert found.disagreement == reversed_weight(counts, np.argsort(found.order))
    assert found.bound >= disagreement_bound(counts)


def test_out_of_time_at_once_still_gives_an_order_and_a_bound():
    counts = random_rankings(60, 9, seed=0)
    found = kemeny(counts, borda_ranks(counts), Deadline.after(0))
    assert found.bound >= disagreement_bound(counts)
    assert found.disagreement > found.bound
    with pytest.raises(DeadlineExceeded):
        possible_winners(counts, Deadline.after(0))
    with pytest.raises(DeadlineExceeded):
        possible_above(counts, Deadline.after(0))


def test_small_tables_need_no_time():
    counts = random_rankings(10, 5, seed=0)
    assert kemeny(counts, borda_ranks(counts), Deadline.after(0)).is_reference_choice


def test_another_optimal_order_is_known_although_one_block_is_not_solved():
    # Two systems that tie stand above all others: they may swap, whatever comes below them.
    below = random_rankings(60, 9, seed=0)
    wins = np.zeros((62, 62))
    wins[:2, 2:] = 9.0
    wins[2:, 2:] = below.wins
    counts = PairwiseCounts(wins, np.zeros_like(wins), 9.0)
    found = kemeny(counts, np.arange(62), Deadline.after(0))
    assert (found.optimal, found.unique, found.is_reference_choice) == (False, False, False)
    assert found.order[:2].tolist() == [0, 1]


# ---------------------------------------------------------------------------- all kinds of weights


@pytest.mark.parametrize("unit", [1.0, 0.1, 1 / 3, 1 / 105, 1e-7, 2.5e8])
def test_the_common_unit_of_multiples(unit):
    amounts = unit * np.array([[0.0, 6.0, -4.0], [10.0, 0.0, 14.0], [4.0, -4.0, 0.0]])
    assert greatest_common_unit(amounts) == pytest.approx(2 * unit)


@pytest.mark.parametrize("amounts", [[1.0, np.sqrt(2)], [1.0, 1 + 1e-9], [2.0**40, 1.0]], ids=str)
def test_amounts_without_a_common_unit_worth_the_name(amounts):
    assert greatest_common_unit(np.array(amounts)) is None


def test_no_preferences_have_any_unit():
    assert greatest_common_unit(np.zeros((2, 2))) == 1.0


@pytest.mark.parametrize("factor", [1e-12, 1 / 3, 7e9])
def test_the_scale_of_the_weights_does_not_matter(way, factor):
    for counts in random_tables(30, (5, 6), seed=3):
        reference = borda_ranks(counts)
        scaled = PairwiseCounts(factor * counts.wins, factor * counts.ties, factor * counts.total)
        a, b = kemeny(counts, reference), kemeny(scaled, reference)
        assert a.order.tolist() == b.order.tolist()
        assert a.unique == b.unique
        assert b.disagreement == pytest.approx(factor * a.disagreement)


def test_sums_that_differ_by_rounding_only_are_as_good(way):
    # A, B, C beat each other round by 0.1 + 0.2, 0.3 and 0.3: every break costs the same.
    wins = np.array([[0, 0.1 + 0.2, 0], [0, 0, 0.3], [0.3, 0, 0]])
    assert wins[0, 1] != wins[1, 2]
    counts = PairwiseCounts(wins, np.zeros((3, 3)), 1.0)
    assert possible_winners(counts).all()
    wins = np.array([[0, 0.1 + 0.2, 0], [0, 0, np.sqrt(0.09)], [0.3 * np.sqrt(2), 0, 0]])
    counts = PairwiseCounts(wins, np.zeros((3, 3)), 1.0)
    assert possible_winners(counts).tolist() == [False, True, True]


def test_margins_within_rounding_of_the_total_are_ties(way):
    wins = np.array([[0.0, 1.0 + 5e-10], [1.0, 0.0]])
    counts = PairwiseCounts(wins, np.zeros((2, 2)), 2.0)
    found = kemeny(counts, np.array([2, 1]))
    assert found.order.tolist() == [1, 0]
    assert not found.unique


# --------------------------------------------------------------------------------- what must hold


profiles = st.integers(1, 6).flatmap(
    lambda n: st.lists(
        st.lists(st.integers(0, 3), min_size=n, max_size=n), min_size=1, max_size=6
    ).map(lambda rows: Profile(np.array(rows, dtype=float).T, np.ones(len(rows))))
)


@given(profiles)
@settings(max_examples=60)
def test_a_condorcet_winner_comes_first(profile):
    counts = count_pairs(profile)
    found = kemeny(counts, borda_ranks(counts))
    beats = counts.margins > 0
    for system in range(len(beats)):
        if beats[system].sum() == len(beats) - 1:
            assert found.order[0] == system
            assert possible_winners(counts).sum() == 1


@given(profiles)
@settings(max_examples=60)
def test_reversing_all_preferences_reverses_what_may_stand_where(profile):
    counts = count_pairs(profile)
    reversed_counts = PairwiseCounts(counts.wins.T, counts.ties, counts.total)
    assert (possible_above(reversed_counts) == possible_above(counts).T).all()


@given(profiles, st.randoms())
@settings(max_examples=60)
def test_other_numbers_for_the_systems_change_no_answer_but_the_table_order(profile, random):
    shuffle = list(range(len(profile.scores)))
    random.shuffle(shuffle)
    a, b = count_pairs(profile), count_pairs(Profile(profile.scores[shuffle], profile.weights))
    assert (possible_above(b) == possible_above(a)[np.ix_(shuffle, shuffle)]).all()
    assert (possible_winners(b) == possible_winners(a)[shuffle]).all()
    found_a, found_b = kemeny(a, borda_ranks(a)), kemeny(b, borda_ranks(b))
    assert found_a.disagreement == found_b.disagreement
    assert found_a.unique == found_b.unique


def test_what_a_ranking_reverses_and_ties():
    wins = np.array([[0.0, 5.0, 2.0], [1.0, 0.0, 3.0], [4.0, 0.0, 0.0]])
    counts = PairwiseCounts(wins, np.zeros((3, 3)), 6.0)
    ranks = np.array([1, 2, 2])
    assert reversed_weight(counts, ranks) == 1 + 4
    assert tied_weight(counts, ranks) == 3


def test_nobody_and_one_system_alone():
    nobody = PairwiseCounts(np.zeros((0, 0)), np.zeros((0, 0)), 0.0)
    assert kemeny(nobody, np.zeros(0, dtype=int)).order.tolist() == []
    assert possible_winners(nobody).tolist() == []
    alone = PairwiseCounts(np.zeros((1, 1)), np.zeros((1, 1)), 0.0)
    found = kemeny(alone, np.ones(1, dtype=int))
    assert (found.order.tolist(), found.unique, found.disagreement) == ([0], True, 0.0)


def test_the_table_of_all_subsets_knows_everything_about_the_cheapest_orders():
    rng = np.random.default_rng(0)
    for n in [0, 1, 2, 3, 4, 5] * 10:
        costs, preference = rng.integers(0, 3, (2, n, n)).astype(float)
        np.fill_diagonal(costs, 0)
        np.fill_diagonal(preference, 0)
        table = OptimalOrderTable(costs)
        orders = [np.array(order, dtype=int) for order in itertools.permutations(range(n))]
        least = min(linear_orders.order_cost(costs, order) for order in orders)
        best = [order for order in orders if linear_orders.order_cost(costs, order) == least]
        assert table.value == least
        assert table.is_unique() == (len(best) == 1)
        assert set(np.flatnonzero(table.possible_first_items())) == {
            order[0] for order in best if n
        }
        assert (
            table.possible_above()
            == np.any([linear_orders.order_relation(o) for o in best], axis=0)
        ).all()
        nearest = min(
            best, key=lambda order: (linear_orders.order_cost(preference, order), order.tolist())
        )
        assert table.choose_order(preference)[0].tolist() == nearest.tolist()
