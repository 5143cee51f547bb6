"""All cheapest orders: of a few items by a table of their subsets, of many by their faces."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from nbrank.arrays.orders import linear_orders as orders
from nbrank.arrays.orders.linear_ordering import BranchAndCut
from nbrank.arrays.typing import Floats, Positions

#: Up to this many items the table is faster than a few linear programmes.
MAX_SUBSET_TABLE_ITEMS = 12


@lru_cache(maxsize=MAX_SUBSET_TABLE_ITEMS + 1)
def _subset_membership(n: int) -> tuple[orders.Relation, tuple[Positions, ...]]:
    """Return whether each item is in each subset (a bit mask), and the subsets by size."""
    masks = np.arange(1 << n)
    member = (masks[:, None] >> np.arange(n) & 1).astype(bool)
    size = member.sum(axis=1)
    return member, tuple(np.flatnonzero(size == k) for k in range(n + 1))


class OptimalOrderTable:
    """All cheapest orders of a few items, from the cost of every set that may come first."""

    def __init__(self, costs: orders.Costs) -> None:
        self.n = len(costs)
        self._member, self._layers = _subset_membership(self.n)
        #: What each item costs when it comes right after each set: its pairs with all later items.
        step = self._step_costs(costs)
        rest = self._completion_costs(step)
        self.value = float(rest[0])
        #: Mask of the items that may follow each set in a cheapest order.
        self._tight = np.zeros(step.shape, dtype=bool)
        so_far = np.full(len(rest), np.inf)
        so_far[0] = 0.0
        for sets in self._layers[:-1]:
            grown = self._add_each_item(sets)
            paid = so_far[sets][:, None] + step[sets]
            tight = self._tight[sets] = paid + rest[grown] <= rest[0] + orders.TOLERANCE
            np.minimum.at(so_far, grown[tight], paid[tight])

    def _step_costs(self, costs: orders.Costs) -> Floats:
        later = (~self._member).astype(float)
        steps: Floats = later @ costs.T
        steps[self._member] = np.inf
        return steps

    def _add_each_item(self, sets: Positions) -> Positions:
        """Add each item to each set."""
        return sets[:, None] | (1 << np.arange(self.n))

    def _completion_costs(self, step: Floats) -> Floats:
        """Compute the least cost from each set, put first, to the end."""
        rest = np.zeros(len(step))
        for sets in reversed(self._layers[:-1]):
            rest[sets] = (step[sets] + rest[self._add_each_item(sets)]).min(axis=1)
        return rest

    def is_unique(self) -> bool:
        """Return whether there is only one cheapest order."""
        return bool(self._tight.sum() == self.n)

    def possible_first_items(self) -> orders.Relation:
        """Return which items come first in some cheapest order."""
        return self._tight[0].copy()

    def possible_above(self) -> orders.Relation:
        """Return a relation: whether i is above j in some cheapest order."""
        sets = self._tight.any(axis=1)
        inside = self._member[sets].astype(float)
        return inside.T @ (1 - inside) > 0

    def choose_order(self, preference: orders.Costs) -> tuple[orders.Order, bool]:
        """Choose the cheapest order that costs least by `preference`, then the first by item."""
        # The order that names the lowest item at the first place where two differ comes first.
        # Returns the order, and True: it is the one.
        step = np.where(self._tight, self._step_costs(preference), np.inf)
        rest = self._completion_costs(step)
        order: list[int] = []
        reached = 0
        while len(order) < self.n:
            cost = step[reached] + rest[reached | (1 << np.arange(self.n))]
            order.append(int(np.flatnonzero(cost <= rest[reached] + orders.TOLERANCE)[0]))
            reached |= 1 << order[-1]
        return np.array(order, dtype=np.intp), True


class OptimalOrderFaces:
    """The cheapest orders, from disjoint faces that hold them, and one of them."""

    # Its methods raise DeadlineExceeded where the deadline leaves the answer unproven.

    def __init__(
        self, faces: Sequence[orders.OrderFace], order: orders.Order, deadline: orders.Deadline
    ) -> None:
        self._faces = tuple(faces)
        self._open = list(faces)
        self._deadline = deadline
        self._witnesses = [order]
        self._known_above = orders.order_relation(order)
        self._record_neighbors(order)

    def _record_neighbors(self, order: orders.Order) -> None:
        """Note who stands above whom in an order, and in those that one insertion makes of it."""
        self._known_above |= orders.order_relation(order)
        goals = self._faces[0].goals
        changes = [np.abs(orders.insertion_changes(goal.costs, order)) for goal in goals]
        free = np.max(changes, axis=0) <= orders.TOLERANCE
        for a, b in np.argwhere(free):
            if a > b:
                self._known_above[order[a], order[b:a]] = True
            elif a < b:
                self._known_above[order[a + 1 : b + 1], order[a]] = True

    def _find_new_order(self) -> bool:
        """Find a cheapest order with a pair the other way round than in all that are known."""
        while self._open:
            face = self._open[-1]
            unseen = ~self._known_above & ~face.above.T
            np.fill_diagonal(unseen, False)
            if unseen.any():
                # Every such pair that stays as it always was costs 1.
                costs, enough = unseen.T.astype(float), unseen.sum() - 0.5
                search = BranchAndCut(costs, face, 1.0, self._deadline, limit=enough).run(enough)
                if search.order is not None:
                    self._witnesses.append(search.order)
                    self._record_neighbors(search.order)
                    return True
                if not search.proven:
                    raise orders.DeadlineExceeded
            self._open.pop()
        return False

    def is_unique(self) -> bool:
        """Return whether there is only one cheapest order."""
        n = len(self._known_above)
        return bool(self._known_above.sum() == n * (n - 1) // 2) and not self._find_new_order()

    def possible_above(self) -> orders.Relation:
        """Return a relation: whether i is above j in some cheapest order."""
        while self._find_new_order():
            pass
        return self._known_above.copy()

    def possible_first_items(self) -> orders.Relation:
        """Return which items come first in some cheapest order."""
        itself = np.eye(len(self._known_above), dtype=bool)
        heads: orders.Relation = np.all(self.possible_above() | itself, axis=1)
        for item in np.flatnonzero(heads):
            heads[item] = (
                self._find_constrained_order(self._faces, self._witnesses, 0, item) is not None
            )
        return heads

    def _find_constrained_order(
        self,
        faces: Sequence[orders.OrderFace],
        known: Sequence[orders.Order],
        place: int,
        item: np.intp,
    ) -> orders.Order | None:
        """Find an order with an item at a place before which all orders of the faces agree."""
        for order in known:
            trial = orders.move_item(order, int(np.flatnonzero(order == item)[0]), place)
            if any(face.contains(trial) for face in faces):
                return trial
        first = np.zeros_like(self._known_above)
        first[item, known[0][place:]] = True
        first[item, item] = False
        for face in faces:
            goal, part = face.goals[-1], face.with_above(first)
            search = BranchAndCut(
                goal.costs, part, 2 * orders.TOLERANCE, self._deadline, limit=goal.limit
            )
            result = search.run(goal.limit + orders.TOLERANCE)
            if result.order is not None:
                return result.order
            if not result.proven:
                raise orders.DeadlineExceeded
        return None

    def choose_order(self, preference: orders.Costs) -> tuple[orders.Order, bool]:
        """Choose as `OptimalOrderTable.choose_order` does, by a preference in whole numbers."""
        # Returns the order, and whether it is proven to be the one.
        goals = [goal.costs for goal in self._faces[0].goals]
        best = orders.local_search([*goals, preference], self._witnesses[-1], self._deadline)
        value = orders.order_cost(preference, best)
        results: list[BranchAndCut] = []
        for face in self._faces:
            start = best if face.contains(best) else None
            search = BranchAndCut(preference, face, 1.0, self._deadline, start, value).run()
            if search.order is not None:
                results.append(search)
                best, value = search.order, search.value
            if not search.proven:
                return best, False
        try:
            cheapest = [search for search in results if search.value < value + orders.TOLERANCE]
            faces = [part for search in cheapest for part in search.cheapest_faces()]
            return OptimalOrderFaces(faces, best, self._deadline)._first_by_item(), True
        except orders.DeadlineExceeded:
            return best, False

    def _first_by_item(self) -> orders.Order:
        order = self._witnesses[-1]
        may, faces = self.possible_above(), self._faces
        for place in range(len(order)):
            rest = np.sort(order[place:])
            free = may[np.ix_(rest, rest)] | np.eye(len(rest), dtype=bool)
            for item in rest[free.all(axis=1)]:
                result = self._find_constrained_order(faces, [order], place, item)
                if result is not None:
                    order = result
                    break
            settled = np.zeros_like(may)
            settled[order[place], order[place + 1 :]] = True
            narrowed = (face.with_above(settled) for face in faces)
            faces = tuple(face for face in narrowed if not face.empty)
        return order
