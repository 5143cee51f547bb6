"""Branch and cut: that its proofs are proofs, and its faces hold the cheapest orders."""

import itertools

import numpy as np
import pytest
import scipy.optimize

from nbrank.arrays.orders.linear_ordering import (
    BranchAndCut,
    cycle_packing_bound,
    find_violated_triples,
)
from nbrank.arrays.orders.linear_orders import Deadline, OrderFace, order_cost, order_relation
from nbrank.arrays.orders.optimal_order_faces import OptimalOrderFaces

NO_LIMIT = Deadline()
SIZE = 7
ORDERS = [np.array(order) for order in itertools.permutations(range(SIZE))]
ABOVE = np.array([order_relation(order) for order in ORDERS])


def random_costs(seed):
    """One side of each pair costs something, as a margin does."""
    net = np.random.default_rng(seed).integers(-4, 5, (SIZE, SIZE))
    return np.maximum(np.triu(net, 1) - np.triu(net, 1).T, 0).astype(float)


def split_cheapest(costs, order, deadline):
    face, cost = OrderFace.from_n_items(SIZE), order_cost(costs, order)
    return BranchAndCut(costs, face, 0.0, deadline, order, cost).split_face()


def solved(costs, face=None, **options):
    face = OrderFace.from_n_items(len(costs)) if face is None else face
    return BranchAndCut(costs, face, 1.0, NO_LIMIT, **options).run()


def all_costs(costs):
    return (ABOVE * costs).sum(axis=(1, 2))


@pytest.mark.parametrize("seed", range(10))
def test_finds_the_least_cost(seed):
    costs = random_costs(seed)
    found = solved(costs)
    assert found.proven
    assert found.value == found.bound == order_cost(costs, found.order) == all_costs(costs).min()


@pytest.mark.parametrize("seed", range(10))
def test_a_certificate_holds_for_every_order_that_costs_no_more_than_the_best(seed):
    costs = random_costs(seed)
    found = solved(costs)
    proof = found.certificate
    i, j, k = proof.triples.T
    for above, cost in zip(ABOVE, all_costs(costs), strict=True):
        if cost > found.value:
            continue
        arcs = above[i, j].astype(int) + above[j, k] + above[k, i]
        charged = proof.surcharge[above].sum() + proof.duals @ (2 - arcs)
        assert cost >= proof.bound + charged - 1e-6
    assert (proof.duals >= 0).all()
    assert (proof.surcharge >= 0).all()


@pytest.mark.parametrize("seed", range(10))
def test_a_face_keeps_all_cheapest_orders_and_no_other(seed):
    costs, then = random_costs(seed), random_costs(100 + seed)
    found = solved(costs)
    faces = found.cheapest_faces()
    cheapest = all_costs(costs) == found.value
    assert [sum(face.contains(order) for face in faces) for order in ORDERS] == cheapest.tolist()
    for face in faces:
        assert (face.above <= ABOVE[[face.contains(order) for order in ORDERS]].all(axis=0)).all()

    # And once more within it, by other costs.
    least = all_costs(then)[cheapest].min()
    assert min(solved(then, face).value for face in faces) == least


def fences(n_fences):
    """Costs with a fractional relaxation: fences of six items (Groetschel et al., 1985).

    In a fence, each upper item stands above its own lower item, and each lower
    item above the upper items of the two others, at 1 each. An order breaks two
    of the nine arcs; the relaxation pays 1.5. One item besides stands anywhere.
    """
    costs = np.zeros((6 * n_fences + 1, 6 * n_fences + 1))
    for start in range(0, 6 * n_fences, 6):
        for upper, lower in itertools.product(range(3), repeat=2):
            arc = (upper, 3 + lower) if upper == lower else (3 + lower, upper)
            costs[start + arc[1], start + arc[0]] = 1.0
    return costs


def test_branches_where_the_relaxation_is_fractional():
    found = solved(fences(2))
    assert found.certificate.bound == pytest.approx(3.0)
    assert (found.value, found.bound, found.proven) == (4.0, 4.0, True)


def test_the_parts_of_a_fence_hold_its_cheapest_orders():
    costs = fences(1)
    found = solved(costs)
    assert found.certificate.bound == pytest.approx(1.5)
    parts = found.cheapest_faces()
    assert len(parts) > 1
    assert not any(part.goals[0].enforced for part in parts)
    cheapest = all_costs(costs) == 2
    assert [sum(part.contains(order) for part in parts) for order in ORDERS] == cheapest.tolist()
    best = OptimalOrderFaces(parts, found.order, NO_LIMIT)
    assert not best.is_unique()
    assert (best.possible_above() == ABOVE[cheapest].any(axis=0)).all()
    assert set(np.flatnonzero(best.possible_first_items())) == {
        order[0] for order in np.array(ORDERS)[cheapest]
    }
    preference = (np.arange(SIZE)[:, None] < np.arange(SIZE)).astype(float)
    nearest = min(
        np.array(ORDERS)[cheapest].tolist(),
        key=lambda order: (order_cost(preference, np.array(order)), order),
    )
    assert (
        OptimalOrderFaces(parts, found.order, NO_LIMIT).choose_order(preference)[0].tolist()
        == nearest
    )


@pytest.mark.parametrize("seed", range(5))
def test_parts_share_no_order(seed):
    costs = random_costs(seed)
    parts = split_cheapest(costs, solved(costs).order, NO_LIMIT)
    cheapest = all_costs(costs) == all_costs(costs).min()
    assert [sum(part.contains(order) for part in parts) for order in ORDERS] == cheapest.tolist()


@pytest.mark.parametrize("seed", range(5))
def test_without_time_to_split_the_face_still_holds_the_cheapest_orders_only(seed):
    costs = random_costs(seed)
    order = solved(costs).order
    (part,) = split_cheapest(costs, order, Deadline.after(0))
    assert part.goals[0].enforced or all_costs(costs).min() == 0
    best = OptimalOrderFaces([part], order, NO_LIMIT)
    cheapest = all_costs(costs) == all_costs(costs).min()
    assert (best.possible_above() == ABOVE[cheapest].any(axis=0)).all()


def test_orders_above_the_limit_are_of_no_interest():
    costs = random_costs(0)
    least = all_costs(costs).min()
    assert solved(costs, limit=least).value == least
    assert solved(costs, limit=least - 1).order is None
    assert solved(costs, limit=least - 1).proven


def test_a_face_that_contradicts_itself_has_no_order():
    above = np.zeros((SIZE, SIZE), dtype=bool)
    above[0, 1] = above[1, 0] = True
    found = solved(random_costs(0), OrderFace.from_n_items(SIZE).with_above(above))
    assert found.order is None
    assert found.proven


def test_cuts_are_all_circles_and_an_even_choice_of_very_many():
    rng = np.random.default_rng(0)
    above = np.triu(rng.random((20, 20)) < 0.5, 1)
    above = above | (~above.T & ~np.eye(20, dtype=bool) & np.tri(20, dtype=bool))
    circles = {
        (i, j, k)
        for i, j, k in itertools.permutations(range(20), 3)
        if i < min(j, k) and above[i, j] and above[j, k] and above[k, i]
    }
    assert set(map(tuple, find_violated_triples(above.astype(float), NO_LIMIT).tolist())) == circles
    above = rng.random((90, 90))
    few = find_violated_triples(above, NO_LIMIT)
    assert 0 < len(few) <= 90 * 89 // 2
    held = above[few[:, 0], few[:, 1]] + above[few[:, 1], few[:, 2]] + above[few[:, 2], few[:, 0]]
    assert (held > 2).all()
    assert len(np.unique(few[:, 0])) > 60


@pytest.mark.parametrize("seed", range(10))
def test_disjoint_circles_bound_the_cost(seed):
    costs = random_costs(seed)
    assert 0 <= cycle_packing_bound(costs, NO_LIMIT) <= all_costs(costs).min()


def test_the_other_method_steps_in_where_the_first_has_numerical_difficulties(monkeypatch):
    costs, tried = random_costs(0), []
    linprog = scipy.optimize.linprog

    def difficult(*args, method, **options):
        tried.append(method)
        found = linprog(*args, method=method, **options)
        if method == "highs-ds":
            found.status = 4
        return found

    monkeypatch.setattr(scipy.optimize, "linprog", difficult)
    assert solved(costs).value == all_costs(costs).min()
    assert tried[:2] == ["highs-ds", "highs-ipm"]


def test_a_programme_that_cannot_be_solved_is_an_error_and_no_guess(monkeypatch):
    result = scipy.optimize.OptimizeResult(status=4, message="numerical difficulties")
    monkeypatch.setattr(scipy.optimize, "linprog", lambda *args, **options: result)
    with pytest.raises(RuntimeError, match="numerical difficulties"):
        solved(random_costs(0))
