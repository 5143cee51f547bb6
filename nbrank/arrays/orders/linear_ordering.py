"""The linear ordering problem by branch and cut: an order that costs least."""

# Lower bounds are computed from the dual values, which give a valid bound however inexact they are.
# A linear programme over the pairs of items, solved by HiGHS: a triangle constraint (no three items
# may chase each other round) enters when it is violated, and the search branches where the solution
# is fractional (Grötschel, Jünger and Reinelt, 1984).

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from nbrank.arrays.orders import linear_orders as orders
from nbrank.arrays.orders.linear_programming import solve_lp
from nbrank.arrays.typing import Bools, Floats, Positions

if TYPE_CHECKING:
    from scipy.sparse import csr_array


#: At most this many cuts enter at a time, or one for every pair if that is more: with all of them
#: the first programmes would take long, and give no bound before they are solved.
_MAX_CUTS = 3_000


@lru_cache(maxsize=8)
def item_pairs(n: int) -> tuple[orders.Order, orders.Order, Positions]:
    """List the pairs (i, j) with i < j, and the number of each in either direction."""
    first, second = np.triu_indices(n, 1)
    number = np.zeros((n, n), dtype=np.intp)
    number[first, second] = number[second, first] = np.arange(len(first))
    return first, second, number


def find_violated_triples(above: Floats, deadline: orders.Deadline) -> orders.Triples:
    """Find triples (i, j, k), i the lowest, with more than two of their three arcs."""
    # All of them, or an even choice if there are very many.
    n = len(above)
    most = max(_MAX_CUTS, n * (n - 1) // 2)
    results = [orders.NO_TRIPLES]
    for i in range(n - 2):
        deadline.check()
        held = above[i, i + 1 :, None] + above[i + 1 :, i + 1 :] + above[i + 1 :, i]
        j, k = np.nonzero(held > 2 + orders.TOLERANCE)
        triples = np.column_stack([np.full(len(j), i), j + i + 1, k + i + 1])
        results.append(triples[:: 1 + len(j) * n // (10 * most)])
    triples = np.concatenate(results)
    return triples[:: 1 + len(triples) // most]


def cycle_packing_bound(costs: orders.Costs, deadline: orders.Deadline) -> float:
    """Bound the cost of every order by disjoint circles of three."""
    # An order breaks each circle somewhere, so it pays at least its cheapest arc; that much is
    # taken off its arcs before the next circle is looked at.
    # Whatever part of the circles is looked at in time, they prove a bound.
    left = costs.T.tolist()  # left[i][j] is what it costs to break "i above j"
    bound = 0.0
    triples = find_violated_triples((costs.T > 0).astype(float), deadline)
    for number, (i, j, k) in enumerate(triples.tolist()):
        if not number % 1_000 and deadline.seconds_left <= 0:
            break
        least = min(left[i][j], left[j][k], left[k][i])
        bound += least
        left[i][j] -= least
        left[j][k] -= least
        left[k][i] -= least
    return bound


def _triangle_constraints(triples: orders.Triples, n: int) -> tuple[csr_array, Floats]:
    """Make the rows that allow a triple at most two arcs, on the variables "i above j", i < j."""
    from scipy.sparse import csr_array

    first, _, number = item_pairs(n)
    columns, signs = [], []
    room = np.full(len(triples), 2.0)
    for a, b in ((0, 1), (1, 2), (2, 0)):
        upper, lower = triples[:, a], triples[:, b]
        forward = upper < lower
        columns.append(number[upper, lower])
        signs.append(np.where(forward, 1.0, -1.0))
        room -= ~forward
    cells = np.tile(np.arange(len(triples)), 3), np.concatenate(columns)
    return csr_array((np.concatenate(signs), cells), shape=(len(triples), len(first))), room


def solve_relaxation(
    costs: orders.Costs,
    face: orders.OrderFace,
    above: orders.Relation,
    triples: orders.Triples,
    deadline: orders.Deadline,
) -> tuple[Floats, orders.Certificate, Bools] | None:
    """Solve the programme of a face's orders that keep `above`, under some of the triangles."""
    # How far i stands above j, what that proves, and which of the triangles are idle.
    # None where no order can meet its conditions.
    from scipy.sparse import csr_array, vstack

    first, second, _ = item_pairs(len(costs))
    low = above[first, second].astype(float)
    high = (~above[second, first]).astype(float)
    cost = costs[first, second] - costs[second, first]
    base = costs[second, first].sum()
    upper, upper_room = _triangle_constraints(triples, len(costs))
    equal, equal_room = _triangle_constraints(face.tight_triples, len(costs))
    for goal in face.goals:
        if goal.enforced:
            row = goal.costs[first, second] - goal.costs[second, first]
            room = goal.limit + orders.TOLERANCE - goal.costs[second, first].sum()
            upper = vstack([upper, csr_array(row[None, :])], format="csr")
            upper_room = np.append(upper_room, room)
    box = np.column_stack([low, high])
    result = solve_lp(
        cost, (upper, upper_room), (equal, equal_room), box, tolerance=1e-9, deadline=deadline
    )
    if result is None:
        return None
    x, duals = np.clip(result.x, 0.0, 1.0), np.maximum(-result.ineqlin.marginals, 0.0)
    # Any dual values that are at least 0 prove a bound; that of the solver's is the best up
    # to rounding.
    reduced = cost + upper.T @ duals - equal.T @ result.eqlin.marginals
    bound = base - duals @ upper_room + result.eqlin.marginals @ equal_room
    bound += np.minimum(reduced * low, reduced * high).sum()
    held = np.zeros_like(costs)
    held[first, second], held[second, first] = x, 1.0 - x
    free = low < high
    surcharge = np.where(above.T, np.inf, 0.0)
    surcharge[first[free], second[free]] = np.maximum(reduced[free], 0.0)
    surcharge[second[free], first[free]] = np.maximum(-reduced[free], 0.0)
    n = len(triples)
    idle = result.ineqlin.residual[:n] > orders.TOLERANCE
    return held, orders.Certificate(float(bound), surcharge, triples, duals[:n]), idle


#: A node is split when this many rounds of cuts have closed less than this share of the gap.
_PATIENCE, _PROGRESS = 3, 0.05

#: At most this many parts are made of a face.
_MAX_FACES = 200


@dataclass(order=True)
class _Node:
    """A part of the search: orders that keep `above`, and cost at least `bound`."""

    bound: float
    number: int
    above: orders.Relation = field(compare=False)
    triples: orders.Triples = field(compare=False)
    certificate: orders.Certificate = field(compare=False)


@dataclass
class BranchAndCut:
    """The search for an order of a face that costs least, by branch and cut, and what it found."""

    costs: orders.Costs
    face: orders.OrderFace
    step: float  # the smallest difference between two costs
    deadline: orders.Deadline
    order: orders.Order | None = None  # the best order known
    limit: float = np.inf  # orders that cost more are of no interest
    bound: float = field(default=-np.inf, init=False)  # no order of interest costs less
    proven: bool = field(default=False, init=False)  # whether there is nothing better

    def __post_init__(self) -> None:
        #: The cost of the best order, infinite if none is known.
        self.value = np.inf if self.order is None else orders.order_cost(self.costs, self.order)
        #: The certificate of the linear program over the whole face.
        self.certificate = orders.Certificate(0.0, self.costs, orders.NO_TRIPLES, np.empty(0))
        self._numbers = itertools.count()

    @property
    def cutoff(self) -> float:
        """Orders that cost more are of no interest."""
        return min(self.value - self.step, self.limit) + orders.TOLERANCE

    def run(self, target_cost: float = -np.inf) -> BranchAndCut:
        """Search until nothing better is left, or an order costs no more than `target_cost`."""
        nodes = [] if self.face.empty else [self._make_root()]
        with suppress(orders.DeadlineExceeded):
            while nodes and self.value > target_cost and nodes[0].bound <= self.cutoff:
                # It stays in the heap until it is done: its bound counts.
                undecided = self._explore(nodes[0], target_cost)
                for child in self._branch(heapq.heappop(nodes), undecided):
                    heapq.heappush(nodes, child)
        left = [node.bound for node in nodes if node.bound <= self.cutoff]
        self.bound, self.proven = min([self.value, *left]), not left
        return self

    def split_face(self) -> list[orders.OrderFace]:
        """Split the face until each part's programme proves the cost of its orders exactly."""
        # `limit` is that cost, and `step` is 0. Where the parts become too many, or time is up, the
        # rest keep a row for the cost.
        done: list[_Node] = []
        nodes = [self._make_root()]
        with suppress(orders.DeadlineExceeded):
            while nodes and len(done) + len(nodes) < _MAX_FACES:
                undecided = self._explore(nodes[-1], -np.inf)
                node = nodes.pop()
                nodes.extend(self._branch(node, undecided))
                if undecided is None and node.bound <= self.limit + orders.TOLERANCE:
                    done.append(node)
        return [
            node.certificate.narrow(replace(self.face, above=node.above), self.costs, self.limit)
            for node in done + nodes
        ]

    def cheapest_faces(self) -> list[orders.OrderFace]:
        """Return the faces of orders as cheap as the best."""
        assert self.order is not None
        best = self.certificate.narrow(self.face, self.costs, self.value)
        if not best.goals[-1].enforced:
            return [best]
        face = replace(best, goals=self.face.goals)
        search = BranchAndCut(self.costs, face, 0.0, self.deadline, self.order, self.value)
        return search.split_face()

    def _make_root(self) -> _Node:
        return _Node(0.0, next(self._numbers), self.face.above, orders.NO_TRIPLES, self.certificate)

    def _branch(self, node: _Node, pair: tuple[int, int] | None) -> Iterator[_Node]:
        """Yield the two parts of a node in which a pair is ordered one way, and the other."""
        if pair is None:
            return
        for i, j in (pair, pair[::-1]):
            above = node.above.copy()
            above[i, j] = True
            part = self.face.with_above(above)
            if not part.empty:
                yield replace(node, number=next(self._numbers), above=part.above)

    def _initial_triples(self) -> orders.Triples:
        """Find the triples that the preferred orders of all pairs violate."""
        # Pairs that cost nothing either way wish to stay as they are.
        wish = np.sign(self.costs.T - self.costs)
        if self.order is not None:
            wish = np.where(wish == 0, 2.0 * orders.order_relation(self.order) - 1, wish)
        above = self.face.above
        wished = np.where(above, 1.0, np.where(above.T, 0.0, (wish + 1) / 2))
        return np.concatenate([self.face.cuts, find_violated_triples(wished, self.deadline)])

    def _explore(self, node: _Node, enough: float) -> tuple[int, int] | None:
        """Bound a node; where that does not settle it, the pair to split it by."""
        bounds: list[float] = []
        if node.number == 0:
            node.triples = self._initial_triples()
        while True:
            self.deadline.check()
            relaxed = self._relax(node)
            if relaxed is None:
                return None
            held, proof = relaxed
            # The first program's proof about all cheapest orders is needed afterwards, so
            # it is solved to its end even when the answer is known before.
            exactly = node.number == 0 or self.step == 0
            target = self.value - orders.TOLERANCE if exactly else self.cutoff
            if self.value <= enough or node.bound > min(target, self.limit + orders.TOLERANCE):
                return None
            cuts = find_violated_triples(held, self.deadline)
            if not len(cuts):
                return None if node.bound > self.cutoff else self._find_branching_pair(held)
            bounds.append(proof.bound)
            gained = node.bound - bounds[-_PATIENCE - 1 :][0]
            if len(bounds) > _PATIENCE and gained < _PROGRESS * (self.value - node.bound):
                pair = self._find_branching_pair(held)
                if pair is not None:
                    return pair
            node.triples = np.concatenate([node.triples, cuts])
            self._fix_pairs(node, proof, target)
            if node.bound == np.inf:
                return None

    def _relax(self, node: _Node) -> tuple[Floats, orders.Certificate] | None:
        """Bound a node by its linear program; return the solution and its proof, if it has one."""
        relaxed = solve_relaxation(self.costs, self.face, node.above, node.triples, self.deadline)
        if relaxed is None:
            node.bound = np.inf
            return None
        held, proof, idle = relaxed
        if proof.bound >= node.certificate.bound:
            node.certificate = proof
            if node.number == 0:
                self.certificate = proof
        self._round_solution(held)
        # Idle rows may go once the bound has risen: it can't walk in the same circle again.
        if proof.bound > node.bound + orders.TOLERANCE:
            node.triples = node.triples[~idle]
        node.bound = max(node.bound, proof.bound)
        return held, proof

    def _fix_pairs(self, node: _Node, proof: orders.Certificate, target: float) -> None:
        """Order the pairs whose other order costs too much; if none can, the node is done."""
        room = max(target - proof.bound, 0.0) + 2 * orders.TOLERANCE
        fixed = (proof.surcharge.T > room) & ~node.above
        if fixed.any():
            part = self.face.with_above(node.above | fixed)
            node.above = part.above
            if part.empty:
                node.bound = np.inf

    def _find_branching_pair(self, above: Floats) -> tuple[int, int] | None:
        """Find the least decided pair (the costliest of them); None if all are decided."""
        first, second, _ = item_pairs(len(above))
        openness = np.minimum(above, above.T)[first, second]
        if openness.max() <= orders.TOLERANCE:
            return None
        stake = np.abs(self.costs - self.costs.T)[first, second]
        widest = np.flatnonzero(openness >= openness.max() - orders.TOLERANCE)
        pair = widest[stake[widest].argmax()]
        return int(first[pair]), int(second[pair])

    def _round_solution(self, above: Floats) -> None:
        """Make an order of a solution, improve it, and keep it if it is the best so far."""
        order = orders.sort_topologically(above.sum(axis=1), self.face.above)
        order = orders.local_search([*self.face.levels, self.costs], order, self.deadline)
        value = orders.order_cost(self.costs, order)
        limit = min(self.value, self.limit + 2 * orders.TOLERANCE) - orders.TOLERANCE
        if value < limit and self.face.contains(order):
            self.order, self.value = order, value
