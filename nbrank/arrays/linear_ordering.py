"""The linear ordering problem by branch and cut: the orders that cost least, and all of them.

A linear programme over the pairs of items, solved by HiGHS: a triangle
constraint (no three items may chase each other round) enters when it is
violated, and the search branches where the solution is fractional (Grötschel,
Jünger and Reinelt, 1984). Lower bounds are not the solver's word: they are
computed from the dual values, which give a valid bound however inexact they
are.

A solved programme also says what all the cheapest orders have in common. That
makes a `Face`, in which further questions are searched: whether it holds one
order only, who may come first, which of its orders costs least by another
measure.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nbrank.arrays.orders import (
    TOLERANCE,
    Costs,
    Deadline,
    Order,
    OutOfTime,
    Relation,
    above_in,
    closure,
    cost_of,
    insertion_changes,
    local_search,
    moved,
    part_of,
    sorted_by,
    with_pair,
)

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Triples = NDArray[np.intp]

#: A node is split when so many rounds of cuts have closed less than this share of the gap.
_PATIENCE, _PROGRESS = 3, 0.05

#: At most so many parts are made of a face.
_MOST_PARTS = 200

#: At most so many cuts enter at a time, or one for every pair if that is more: with all of them
#: the first programmes would take long, and give no bound before they are solved.
_MOST_CUTS = 3_000

# How scipy.optimize.linprog says that it is done, that it stopped early, and that nothing fits.
_SOLVED, _STOPPED, _INFEASIBLE = 0, 1, 2

#: How HiGHS is asked, and with which tolerance: the second where the first is in difficulties.
_METHODS = (("highs-ds", 1e-9), ("highs-ipm", 1e-7))

_NO_TRIPLES: Triples = np.empty((0, 3), dtype=np.intp)


@dataclass(frozen=True)
class Goal:
    """A cost that every order of a face keeps at its least.

    Parameters
    ----------
    costs
        What it costs to put i above j.
    limit
        The least cost.
    enforced
        Whether the face's other conditions leave room above the limit, so that
        a linear programme needs a row for it.
    """

    costs: Costs
    limit: float
    enforced: bool


@dataclass(frozen=True)
class Face:
    """The orders that are cheapest by all the goals so far.

    Parameters
    ----------
    above
        Entry (i, j): i stands above j in every order of the face. Transitively
        closed.
    tight
        Triples (i, j, k): in every order of the face exactly two of "i above
        j", "j above k", "k above i" hold.
    goals
        The costs that the face keeps at their least, the first one first.
    cuts
        Triples that have proved useful, with which a search begins.
    """

    above: Relation
    tight: Triples
    goals: tuple[Goal, ...] = ()
    cuts: Triples = field(default_factory=lambda: _NO_TRIPLES)

    @classmethod
    def of_all(cls, n: int) -> Face:
        """The face of all orders of n items."""
        return cls(np.zeros((n, n), dtype=bool), _NO_TRIPLES)

    @property
    def empty(self) -> bool:
        """Whether the face contradicts itself at sight."""
        return bool((self.above & self.above.T).any())

    @property
    def levels(self) -> list[Costs]:
        """Costs that a local search must keep at their least, the first one first, to stay."""
        return [self.above.T.astype(float), *(goal.costs for goal in self.goals)]

    def has(self, order: Order) -> bool:
        """Whether an order belongs to the face."""
        return not (self.above & above_in(order).T).any() and all(
            cost_of(goal.costs, order) <= goal.limit + TOLERANCE for goal in self.goals
        )

    def putting(self, above: Relation) -> Face:
        """The orders of the face in which i also stands above j wherever `above` says so."""
        found = closure(self.above | above)
        i, j, k = self.tight.T
        while True:
            # Where one arc of a tight triple is out, both others are in.
            grown = found.copy()
            for a, b, c in ((i, j, k), (j, k, i), (k, i, j)):
                out = found[b, a]
                grown[b[out], c[out]] = grown[c[out], a[out]] = True
            if np.array_equal(grown, found):
                return replace(self, above=found)
            found = closure(grown)

    def within(self, block: Order, order: Order) -> Face:
        """The face of a block, whose items stand all above, or all below, each other item.

        `order` is any order of the whole face.
        """
        number = np.full(len(self.above), -1)
        number[block] = np.arange(len(block))
        tight, cuts = number[self.tight], number[self.cuts]
        among, inner = np.ix_(block, block), part_of(order, block)
        goals = (replace(goal, costs=goal.costs[among]) for goal in self.goals)
        return Face(
            self.above[among],
            tight[(tight >= 0).all(axis=1)],
            tuple(replace(goal, limit=cost_of(goal.costs, inner)) for goal in goals),
            cuts[(cuts >= 0).all(axis=1)],
        )


@dataclass(frozen=True)
class Certificate:
    """A lower bound on the cost of orders, and what it charges beyond the bound.

    An order costs at least the bound, plus `surcharge[i, j]` for each i above
    j, plus `duals[t]` for each of the triples `triples[t]` of which one arc
    holds instead of two. None of these is negative; a surcharge is infinite
    where the bound looked only at orders that do without.
    """

    bound: float
    surcharge: Costs
    triples: Triples
    duals: NDArray[np.float64]

    def narrow(self, face: Face, costs: Costs, value: float) -> Face:
        """The orders of the face that cost `value`, the least there is."""
        room = max(value - self.bound, 0.0) + TOLERANCE
        goal = Goal(costs, value, enforced=room > 2 * TOLERANCE)
        binding = self.duals > room
        tight = np.concatenate([face.tight, self.triples[binding]])
        narrowed = Face(face.above, tight, (*face.goals, goal), self.triples[~binding])
        return narrowed.putting(self.surcharge.T > room)


@dataclass(frozen=True)
class Solution:
    """The best order found, and what is proven about it.

    Parameters
    ----------
    order
        The order, or None where none was found.
    value
        Its cost; infinite where none was found.
    bound
        No order costs less.
    proven
        Whether the search came to its end: there is nothing better.
    certificate
        What the linear programme over the whole face proves.
    """

    order: Order | None
    value: float
    bound: float
    proven: bool
    certificate: Certificate


@dataclass(frozen=True)
class _Relaxed:
    """A solved linear programme: how far i stands above j, what that proves, idle rows."""

    above: NDArray[np.float64]
    certificate: Certificate
    idle: NDArray[np.bool_]


@dataclass(order=True)
class _Node:
    """A part of the search: orders that keep `above`, none of which costs less than `bound`."""

    bound: float
    number: int
    above: Relation = field(compare=False)
    triples: Triples = field(compare=False)
    certificate: Certificate = field(compare=False)


@lru_cache(maxsize=8)
def _pairs(n: int) -> tuple[Order, Order, NDArray[np.intp]]:
    """The pairs (i, j) with i < j, and the number of each, whichever way round it is asked for."""
    first, second = np.triu_indices(n, 1)
    number = np.zeros((n, n), dtype=np.intp)
    number[first, second] = number[second, first] = np.arange(len(first))
    return first, second, number


def violated(above: NDArray[np.float64], deadline: Deadline) -> Triples:
    """Triples (i, j, k), i the lowest, of which more than two of three arcs hold.

    All of them, or an even choice where there are very many.

    >>> circle = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=float)
    >>> violated(circle, Deadline()).tolist()
    [[0, 1, 2]]
    """
    n = len(above)
    most = max(_MOST_CUTS, n * (n - 1) // 2)
    found = [_NO_TRIPLES]
    for i in range(n - 2):
        deadline.check()
        held = above[i, i + 1 :, None] + above[i + 1 :, i + 1 :] + above[i + 1 :, i]
        j, k = np.nonzero(held > 2 + TOLERANCE)
        triples = np.column_stack([np.full(len(j), i), j + i + 1, k + i + 1])
        found.append(triples[:: 1 + len(j) * n // (10 * most)])
    triples = np.concatenate(found)
    return triples[:: 1 + len(triples) // most]


def packing_bound(costs: Costs, deadline: Deadline) -> float:
    """What disjoint circles of three cost every order: a quick lower bound.

    An order breaks each circle somewhere, so it pays at least its cheapest
    arc; that much is taken off its arcs before the next circle is looked at.

    >>> packing_bound(np.array([[0.0, 0.0, 2.0], [1.0, 0.0, 0.0], [0.0, 3.0, 0.0]]), Deadline())
    1.0
    """
    left = costs.T.tolist()  # left[i][j] is what it costs to break "i above j"
    bound = 0.0
    for i, j, k in violated((costs.T > 0).astype(float), deadline).tolist():
        least = min(left[i][j], left[j][k], left[k][i])
        bound += least
        left[i][j] -= least
        left[j][k] -= least
        left[k][i] -= least
    return bound


class _Search:
    """Branch and cut over the orders of a face."""

    def __init__(
        self,
        costs: Costs,
        face: Face,
        start: Order | None,
        step: float,
        limit: float,
        deadline: Deadline,
    ) -> None:
        self.costs, self.face, self.step, self.limit = costs, face, step, limit
        self.deadline = deadline
        self.best = start
        self.value = np.inf if start is None else cost_of(costs, start)
        self.certificate = Certificate(0.0, costs, _NO_TRIPLES, np.empty(0))
        self._first, self._second, self._number = _pairs(len(costs))
        self._numbers = itertools.count()

    @property
    def cutoff(self) -> float:
        """Orders that cost more are of no interest."""
        return min(self.value - self.step, self.limit) + TOLERANCE

    def run(self, enough: float) -> Solution:
        """Search until nothing better is left, or an order costs no more than `enough`."""
        nodes = [self._root()]
        try:
            nodes[0].triples = self._wished()
            while nodes and self.value > enough:
                if nodes[0].bound > self.cutoff:
                    nodes = []
                    break
                node = nodes[0]  # it stays in the heap until it is done: its bound counts
                undecided = self._explore(node, enough)
                heapq.heappop(nodes)
                for child in self._children(node, undecided):
                    heapq.heappush(nodes, child)
        except OutOfTime:
            pass
        bound = min([self.value, *(node.bound for node in nodes)])
        return Solution(self.best, self.value, bound, not nodes, self.certificate)

    def parts(self) -> list[Face]:
        """Split the face until each part's programme proves the cost of its orders exactly.

        `limit` is that cost, and `step` is 0. Where the parts become too many,
        or time is up, the rest keep a row for the cost.
        """
        done: list[Face] = []
        nodes = [self._root()]
        try:
            nodes[0].triples = self._wished()
            while nodes and len(done) + len(nodes) < _MOST_PARTS:
                node = nodes[-1]
                undecided = self._explore(node, -np.inf)
                nodes.pop()
                nodes.extend(self._children(node, undecided))
                if undecided is None and node.bound <= self.limit + TOLERANCE:
                    done.append(self._part(node))
        except OutOfTime:
            pass
        return done + [self._part(node) for node in nodes]

    def _part(self, node: _Node) -> Face:
        face = replace(self.face, above=node.above)
        return node.certificate.narrow(face, self.costs, self.limit)

    def _root(self) -> _Node:
        return _Node(0.0, next(self._numbers), self.face.above, _NO_TRIPLES, self.certificate)

    def _children(self, node: _Node, pair: tuple[int, int] | None) -> Iterator[_Node]:
        """The two parts of a node in which a pair stands one way, and the other."""
        if pair is None:
            return
        for i, j in (pair, pair[::-1]):
            above = self.face.putting(with_pair(node.above, i, j)).above
            if not (above & above.T).any():
                yield replace(node, number=next(self._numbers), above=above)

    def _wished(self) -> Triples:
        """The triples that the wishes of all pairs violate.

        Pairs that cost nothing either way wish to stay as they are.
        """
        wish = np.sign(self.costs.T - self.costs)
        if self.best is not None:
            wish = np.where(wish == 0, 2.0 * above_in(self.best) - 1, wish)
        above = self.face.above
        wished = np.where(above, 1.0, np.where(above.T, 0.0, (wish + 1) / 2))
        return np.concatenate([self.face.cuts, violated(wished, self.deadline)])

    def _explore(self, node: _Node, enough: float) -> tuple[int, int] | None:
        """Bound a node; where that does not settle it, the pair to split it by."""
        bounds: list[float] = []
        while True:
            self.deadline.check()
            relaxed = self._relax(node)
            if relaxed is None:
                node.bound = np.inf
                return None
            proof = relaxed.certificate
            if proof.bound >= node.certificate.bound:
                node.certificate = proof
                if node.number == 0:
                    self.certificate = proof
            self._round(relaxed.above)
            improved = proof.bound > node.bound + TOLERANCE
            node.bound = max(node.bound, proof.bound)
            # What the first programme proves about all cheapest orders is wanted afterwards, so
            # it is solved to its end even when the answer is known before.
            exactly = node.number == 0 or self.step == 0
            target = self.value - TOLERANCE if exactly else self.cutoff
            if self.value <= enough or node.bound > min(target, self.limit + TOLERANCE):
                return None
            # Idle rows may go once the bound has risen: it can't walk in the same circle again.
            if improved:
                node.triples = node.triples[~relaxed.idle]
            cuts = violated(relaxed.above, self.deadline)
            if not len(cuts):
                return None if node.bound > self.cutoff else self._most_open(relaxed.above)
            bounds.append(proof.bound)
            gained = node.bound - bounds[-_PATIENCE - 1 :][0]
            if len(bounds) > _PATIENCE and gained < _PROGRESS * (self.value - node.bound):
                pair = self._most_open(relaxed.above)
                if pair is not None:
                    return pair
            node.triples = np.concatenate([node.triples, cuts])
            room = max(target - proof.bound, 0.0) + 2 * TOLERANCE
            fixed = (proof.surcharge.T > room) & ~node.above
            if fixed.any():
                node.above = self.face.putting(node.above | fixed).above
                if (node.above & node.above.T).any():
                    node.bound = np.inf
                    return None

    def _most_open(self, above: NDArray[np.float64]) -> tuple[int, int] | None:
        """The pair that is least decided (the costliest of them); None where all are decided."""
        openness = np.minimum(above, above.T)[self._first, self._second]
        if openness.max() <= TOLERANCE:
            return None
        stake = np.abs(self.costs - self.costs.T)[self._first, self._second]
        widest = np.flatnonzero(openness >= openness.max() - TOLERANCE)
        pair = widest[stake[widest].argmax()]
        return int(self._first[pair]), int(self._second[pair])

    def _round(self, above: NDArray[np.float64]) -> None:
        """Make an order of a solution, improve it, and keep it if it is the best so far."""
        order = sorted_by(above.sum(axis=1), self.face.above)
        order = local_search([*self.face.levels, self.costs], order, self.deadline)
        value = cost_of(self.costs, order)
        if value < min(self.value, self.limit + 2 * TOLERANCE) - TOLERANCE and self.face.has(order):
            self.best, self.value = order, value

    def _rows(self, triples: Triples) -> tuple[csr_array, NDArray[np.float64]]:
        """The rows that allow a triple at most two arcs, on the variables "i above j", i < j."""
        from scipy.sparse import csr_array

        columns, signs = [], []
        room = np.full(len(triples), 2.0)
        for a, b in ((0, 1), (1, 2), (2, 0)):
            upper, lower = triples[:, a], triples[:, b]
            forward = upper < lower
            columns.append(self._number[upper, lower])
            signs.append(np.where(forward, 1.0, -1.0))
            room -= ~forward
        rows = np.tile(np.arange(len(triples)), 3)
        shape = (len(triples), len(self._first))
        matrix = csr_array((np.concatenate(signs), (rows, np.concatenate(columns))), shape=shape)
        return matrix, room

    def _relax(self, node: _Node) -> _Relaxed | None:
        """Solve a node's linear programme; None where no order can meet its conditions."""
        from scipy.sparse import csr_array, vstack

        first, second = self._first, self._second
        low = node.above[first, second].astype(float)
        high = (~node.above[second, first]).astype(float)
        cost = self.costs[first, second] - self.costs[second, first]
        base = self.costs[second, first].sum()
        upper, upper_room = self._rows(node.triples)
        equal, equal_room = self._rows(self.face.tight)
        for goal in self.face.goals:
            if goal.enforced:
                row = goal.costs[first, second] - goal.costs[second, first]
                room = goal.limit + TOLERANCE - goal.costs[second, first].sum()
                upper = vstack([upper, csr_array(row[None, :])], format="csr")
                upper_room = np.append(upper_room, room)
        solved = _solve(cost, (upper, upper_room), (equal, equal_room), low, high, self.deadline)
        if solved is None:
            return None
        x, duals, equal_duals = solved
        # Any dual values that are at least 0 prove a bound; that of the solver's is the best up
        # to rounding.
        reduced = cost + upper.T @ duals + equal.T @ equal_duals
        bound = base - duals @ upper_room - equal_duals @ equal_room
        bound += np.minimum(reduced * low, reduced * high).sum()
        above = np.zeros_like(self.costs)
        above[first, second], above[second, first] = x, 1.0 - x
        free = low < high
        surcharge = np.where(node.above.T, np.inf, 0.0)
        surcharge[first[free], second[free]] = np.maximum(reduced[free], 0.0)
        surcharge[second[free], first[free]] = np.maximum(-reduced[free], 0.0)
        n = len(node.triples)
        idle = (upper_room - upper @ x)[:n] > TOLERANCE
        certificate = Certificate(float(bound), surcharge, node.triples, duals[:n])
        return _Relaxed(above, certificate, idle)


def _solve(
    cost: NDArray[np.float64],
    upper: tuple[csr_array, NDArray[np.float64]],
    equal: tuple[csr_array, NDArray[np.float64]],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    deadline: Deadline,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]] | None:
    """Minimise a linear cost under rows; the solution and the rows' dual values, or None.

    Variables with one value left are taken out first, and with them the rows
    that have no others.
    """
    from scipy import optimize

    # The stubs know no sparse rows.
    linprog: Any = optimize.linprog

    free = np.flatnonzero(low < high)
    x = low.copy()
    systems = []
    for rows, room in (upper, equal):
        room = room - rows @ low
        kept = rows[:, free]
        used = np.diff(kept.indptr) > 0
        systems.append((kept[used], room[used], used, room[~used]))
    (a, b, upper_used, upper_rest), (e, f, equal_used, equal_rest) = systems
    if (upper_rest < -TOLERANCE).any() or (np.abs(equal_rest) > TOLERANCE).any():
        return None
    duals, equal_duals = np.zeros(len(upper_used)), np.zeros(len(equal_used))
    if not len(b) and not len(f):
        x[free] = np.where(cost[free] < 0, 1.0, 0.0)
        return x, duals, equal_duals
    for method, tolerance in _METHODS:
        options = {
            "primal_feasibility_tolerance": tolerance,
            "dual_feasibility_tolerance": tolerance,
        }
        if np.isfinite(deadline.left):
            options["time_limit"] = max(deadline.left, 1e-3)
        found = linprog(
            cost[free],
            A_ub=a if len(b) else None,
            b_ub=b if len(b) else None,
            A_eq=e if len(f) else None,
            b_eq=f if len(f) else None,
            bounds=(0.0, 1.0),
            method=method,
            options=options,
        )
        if found.status == _INFEASIBLE:
            return None
        if found.status == _STOPPED:
            raise OutOfTime
        if found.status == _SOLVED:
            break
    else:
        raise RuntimeError(f"HiGHS could not solve a linear programme: {found.message}")
    x[free] = np.clip(found.x, 0.0, 1.0)
    if len(b):
        duals[upper_used] = np.maximum(-found.ineqlin.marginals, 0.0)
    if len(f):
        equal_duals[equal_used] = -found.eqlin.marginals
    return x, duals, equal_duals


def minimise(
    costs: Costs,
    face: Face,
    *,
    step: float,
    deadline: Deadline,
    start: Order | None = None,
    limit: float = np.inf,
    enough: float = -np.inf,
) -> Solution:
    """Find an order of a face that costs least, by branch and cut.

    Parameters
    ----------
    costs
        What it costs to put i above j.
    face
        The orders to choose from.
    step
        Two orders whose costs differ, differ by at least this much.
    deadline
        When to stop, and return what has been found.
    start
        An order of the face, where one is known.
    limit
        Orders that cost more are of no interest.
    enough
        Stop as soon as an order is known that costs no more.

    >>> circle = np.array([[0.0, 0.0, 2.0], [1.0, 0.0, 0.0], [0.0, 3.0, 0.0]])
    >>> found = minimise(circle, Face.of_all(3), step=1.0, deadline=Deadline())
    >>> found.order.tolist(), found.value, found.bound, found.proven
    ([1, 2, 0], 1.0, 1.0, True)
    """
    if face.empty:
        certificate = Certificate(np.inf, costs, _NO_TRIPLES, np.empty(0))
        return Solution(None, np.inf, np.inf, proven=True, certificate=certificate)
    return _Search(costs, face, start, step, limit, deadline).run(enough)


def split(costs: Costs, face: Face, order: Order, deadline: Deadline) -> list[Face]:
    """The orders of a face that cost as little as one of them does, in disjoint parts.

    In each part the linear programme proves that cost, unless they are too
    many or time is up.

    Parameters
    ----------
    costs
        What it costs to put i above j.
    face
        Where to look.
    order
        An order of the face that costs least.
    deadline
        When to stop splitting.
    """
    return _Search(costs, face, order, 0.0, cost_of(costs, order), deadline).parts()


def cheapest_faces(costs: Costs, face: Face, solution: Solution, deadline: Deadline) -> list[Face]:
    """The same from a solution: a single part where its own programme proves the cost.

    Parameters
    ----------
    costs
        What it costs to put i above j.
    face
        The orders that were searched.
    solution
        What `minimise` found and proved there.
    deadline
        When to stop splitting.
    """
    assert solution.order is not None
    best = solution.certificate.narrow(face, costs, solution.value)
    if not best.goals[-1].enforced:
        return [best]
    return split(costs, replace(best, goals=face.goals), solution.order, deadline)


class CheapestOrders:
    """The cheapest orders of many items: what differs among them, and the choice of one.

    Its methods raise OutOfTime where the deadline leaves the answer unproven.

    Parameters
    ----------
    faces
        The orders, in disjoint parts.
    order
        One of them.
    deadline
        When to stop.
    """

    def __init__(self, faces: Sequence[Face], order: Order, deadline: Deadline) -> None:
        self._faces = tuple(faces)
        self._open = list(faces)
        self._deadline = deadline
        self._witnesses = [order]
        self._seen = above_in(order)
        self._look_around(order)

    def _look_around(self, order: Order) -> None:
        """Note who stands above whom in an order, and in those that one insertion makes of it."""
        self._seen |= above_in(order)
        goals = self._faces[0].goals
        changes = [np.abs(insertion_changes(goal.costs, order)) for goal in goals]
        free = np.max(changes, axis=0) <= TOLERANCE
        for a, b in np.argwhere(free):
            if a > b:
                self._seen[order[a], order[b:a]] = True
            elif a < b:
                self._seen[order[a + 1 : b + 1], order[a]] = True

    def _another(self) -> bool:
        """Find a cheapest order with a pair the other way round than in all that are known."""
        while self._open:
            face = self._open[-1]
            unseen = ~self._seen & ~face.above.T
            np.fill_diagonal(unseen, False)
            order = self._turning(face, unseen) if unseen.any() else None
            if order is not None:
                self._witnesses.append(order)
                self._look_around(order)
                return True
            self._open.pop()
        return False

    def _turning(self, face: Face, unseen: Relation) -> Order | None:
        """An order of the face in which i stands above j for one of the unseen pairs."""
        # Every such pair that stays as it always was costs 1.
        costs, enough = unseen.T.astype(float), unseen.sum() - 0.5
        known = next((order for order in reversed(self._witnesses) if face.has(order)), None)
        if known is not None:
            order = local_search([*face.levels, costs], known, self._deadline)
            if cost_of(costs, order) < enough:
                return order
        found = minimise(
            costs, face, step=1.0, limit=enough, enough=enough, deadline=self._deadline
        )
        if found.order is None and not found.proven:
            raise OutOfTime
        return found.order

    def unique(self) -> bool:
        """Whether there is one cheapest order only."""
        n = len(self._seen)
        return bool(self._seen.sum() == n * (n - 1) // 2) and not self._another()

    def may_stand_above(self) -> Relation:
        """Entry (i, j): whether i stands above j in some cheapest order."""
        while self._another():
            pass
        return self._seen.copy()

    def heads(self) -> Relation:
        """Which items come first in some cheapest order."""
        itself = np.eye(len(self._seen), dtype=bool)
        heads: Relation = np.all(self.may_stand_above() | itself, axis=1)
        for item in np.flatnonzero(heads):
            heads[item] = self._starting(self._faces, self._witnesses, 0, item) is not None
        return heads

    def _starting(
        self, faces: Sequence[Face], known: Sequence[Order], place: int, item: np.intp
    ) -> Order | None:
        """An order with an item at a place; before it all orders of the faces agree."""
        for order in known:
            trial = moved(order, int(np.flatnonzero(order == item)[0]), place)
            if any(face.has(trial) for face in faces):
                return trial
        first = np.zeros_like(self._seen)
        first[item, known[0][place:]] = True
        first[item, item] = False
        for face in faces:
            goal = face.goals[-1]
            found = minimise(
                goal.costs,
                face.putting(first),
                step=2 * TOLERANCE,
                limit=goal.limit,
                enough=goal.limit + TOLERANCE,
                deadline=self._deadline,
            )
            if found.order is not None:
                return found.order
            if not found.proven:
                raise OutOfTime
        return None

    def choose(self, preference: Costs) -> tuple[Order, bool]:
        """Choose as `SubsetTable.choose` does, by a preference in whole numbers.

        Returns the order, and whether it is proven to be the one.
        """
        goals = [goal.costs for goal in self._faces[0].goals]
        best = local_search([*goals, preference], self._witnesses[-1], self._deadline)
        value = cost_of(preference, best)
        found: list[tuple[Face, Solution]] = []
        for face in self._faces:
            solution = minimise(
                preference,
                face,
                start=best if face.has(best) else None,
                step=1.0,
                limit=value,
                deadline=self._deadline,
            )
            if solution.order is not None:
                found.append((face, solution))
                best, value = solution.order, solution.value
            if not solution.proven:
                return best, False
        try:
            faces = [
                part
                for face, solution in found
                if solution.value < value + TOLERANCE
                for part in cheapest_faces(preference, face, solution, self._deadline)
            ]
            return CheapestOrders(faces, best, self._deadline)._first_by_item(), True
        except OutOfTime:
            return best, False

    def _first_by_item(self) -> Order:
        order = self._witnesses[-1]
        # An order that comes earlier puts some item above a higher one that is now above it.
        raised = np.triu(np.ones_like(self._seen), 1) & ~above_in(order)
        if self._without(raised):
            return order
        may, faces = self.may_stand_above(), self._faces
        for place in range(len(order)):
            rest = np.sort(order[place:])
            free = may[np.ix_(rest, rest)] | np.eye(len(rest), dtype=bool)
            for item in rest[free.all(axis=1)]:
                found = self._starting(faces, [order], place, item)
                if found is not None:
                    order = found
                    break
            settled = np.zeros_like(may)
            settled[order[place], order[place + 1 :]] = True
            narrowed = (face.putting(settled) for face in faces)
            faces = tuple(face for face in narrowed if not face.empty)
        return order

    def _without(self, pairs: Relation) -> bool:
        """Whether no cheapest order has i above j for any of these pairs."""
        for face in self._faces:
            wanted = pairs & ~face.above.T
            if wanted.any() and self._turning(face, wanted) is not None:
                return False
        return True
