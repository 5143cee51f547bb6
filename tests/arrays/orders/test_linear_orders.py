"""The pieces of the exact solvers, each against its definition."""

import itertools

import numpy as np

from nbrank.arrays.orders.linear_orders import (
    Deadline,
    insertion_changes,
    local_search,
    move_item,
    order_cost,
    order_relation,
    sort_topologically,
    split_chain,
    transitive_closure,
)


def random_costs(rng, n):
    return rng.integers(0, 5, (n, n)).astype(float)


def test_the_cost_of_an_order_is_the_sum_over_its_pairs():
    rng = np.random.default_rng(0)
    for n in range(6):
        costs, order = random_costs(rng, n), rng.permutation(n)
        pairs = itertools.combinations(order, 2)
        assert order_cost(costs, order) == sum(costs[i, j] for i, j in pairs)


def test_every_insertion_is_priced():
    rng = np.random.default_rng(0)
    for n in range(1, 7):
        costs, order = random_costs(rng, n), rng.permutation(n)
        changes = insertion_changes(costs, order)
        for a, b in itertools.product(range(n), repeat=2):
            after = order_cost(costs, move_item(order, a, b))
            assert changes[a, b] == after - order_cost(costs, order)


def test_local_search_ends_where_no_insertion_helps():
    rng = np.random.default_rng(0)
    for _ in range(30):
        first, second = random_costs(rng, 7), random_costs(rng, 7)
        begun = rng.permutation(7)
        order = local_search([first, second], begun, Deadline())
        change, then = insertion_changes(first, order), insertion_changes(second, order)
        assert (change >= 0).all()
        assert (then[change == 0] >= 0).all()
        assert order_cost(first, order) <= order_cost(first, begun)


def test_local_search_without_time_changes_nothing():
    costs = np.array([[0.0, 1.0], [0.0, 0.0]])
    assert local_search([costs], np.array([0, 1]), Deadline.after(0)).tolist() == [0, 1]


def test_closures():
    rng = np.random.default_rng(0)
    for _ in range(30):
        above = np.triu(rng.random((7, 7)) < 0.3, 1)
        closed = above.copy()
        for k, i, j in itertools.product(range(7), repeat=3):
            closed[i, j] |= closed[i, k] & closed[k, j]
        assert (transitive_closure(above) == closed).all()


def test_sorting_respects_who_has_to_stand_above():
    rng = np.random.default_rng(0)
    for _ in range(30):
        above = transitive_closure(np.triu(rng.random((6, 6)) < 0.3, 1))
        renamed = rng.permutation(6)
        above = above[np.ix_(renamed, renamed)]
        order = sort_topologically(rng.random(6), above)
        assert sorted(order) == list(range(6))
        assert (above <= order_relation(order)).all()
    assert sort_topologically(np.array([1.0, 3.0, 2.0]), np.zeros((3, 3), dtype=bool)).tolist() == [
        1,
        2,
        0,
    ]


def test_a_chain_has_the_smallest_blocks():
    rng = np.random.default_rng(0)
    for _ in range(200):
        n = rng.integers(1, 7)
        margins = np.sign(np.triu(rng.integers(-1, 3, (n, n)), 1))
        relation = (margins - margins.T) > 0
        blocks = split_chain(relation)
        assert sorted(np.concatenate(blocks)) == list(range(n))
        tops = [set()]
        for block in blocks:
            tops.append(tops[-1] | set(block.tolist()))
        # Exactly the sets that stand above all others.
        assert [set(), *tops[1:]] == [
            set(top)
            for size in range(n + 1)
            for top in itertools.combinations(range(n), size)
            if all(relation[i, j] for i in top for j in set(range(n)) - set(top))
        ]
