"""All orders that cost least, as faces of the orders' polytope, and one of them."""

from collections.abc import Sequence

import numpy as np

from nbrank.arrays.orders import linear_orders as orders
from nbrank.arrays.orders.linear_ordering import BranchAndCut


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
        known_orders: Sequence[orders.Order],
        place: int,
        item: np.intp,
    ) -> orders.Order | None:
        """Find an order with an item at a place before which all orders of the faces agree."""
        moved = orders.find_moved_order(faces, known_orders, item, place)
        if moved is not None:
            return moved
        first = np.zeros_like(self._known_above)
        first[item, known_orders[0][place:]] = True
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
        order, may = self._witnesses[-1], self.possible_above()
        settled = np.zeros_like(may)
        for place in range(len(order)):
            rest = np.sort(order[place:])
            free = may[np.ix_(rest, rest)] | np.eye(len(rest), dtype=bool)
            for item in rest[free.all(axis=1)]:
                if item == order[place]:
                    break
                faces = orders.narrow_faces(self._faces, settled)
                result = self._find_constrained_order(faces, [order], place, item)
                if result is not None:
                    order = result
                    break
            settled[order[place], order[place + 1 :]] = True
        return order
