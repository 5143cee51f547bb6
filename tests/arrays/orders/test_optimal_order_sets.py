"""The table of all subsets, against all orders."""

import itertools

import numpy as np

from nbrank.arrays.orders.linear_orders import order_cost, order_relation
from nbrank.arrays.orders.optimal_order_sets import OptimalOrderTable


def test_everything_about_the_cheapest_orders():
    rng = np.random.default_rng(0)
    for n in [0, 1, 2, 3, 4, 5] * 10:
        costs, preference = rng.integers(0, 3, (2, n, n)).astype(float)
        np.fill_diagonal(costs, 0)
        np.fill_diagonal(preference, 0)
        table = OptimalOrderTable(costs)
        orders = [np.array(order, dtype=int) for order in itertools.permutations(range(n))]
        least = min(order_cost(costs, order) for order in orders)
        best = [order for order in orders if order_cost(costs, order) == least]
        assert table.value == least
        assert table.is_unique() == (len(best) == 1)
        assert set(np.flatnonzero(table.possible_first_items())) == {
            order[0] for order in best if n
        }
        assert (table.possible_above() == np.any([order_relation(o) for o in best], axis=0)).all()
        nearest = min(best, key=lambda order: (order_cost(preference, order), order.tolist()))
        assert table.choose_order(preference)[0].tolist() == nearest.tolist()
