"""Orders of n items and what they cost: the pieces from which exact solvers are built."""

# `costs[i, j]`, at least 0, is what an order pays for putting i above j; an order pays for each of
# its pairs.
#
# A solved programme says what all the cheapest orders have in common. That makes a `OrderFace`, in
# which
# further questions are searched: whether it holds one order only, who may come first, which of its
# orders costs least by another measure.

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from nbrank.arrays.typing import Bools, Floats, Positions

Costs = Floats
Order = Positions
Relation = Bools

#: Costs this close are equal. Callers scale their costs to fit.
TOLERANCE = 1e-6


class DeadlineExceeded(Exception):
    """The deadline passed before an answer was proven."""


@dataclass(frozen=True)
class Deadline:
    """The moment (on the monotonic clock) after which no more work is begun."""

    # `on_check` is called whenever the clock is looked at between two pieces of work, from the
    # moment `quiet_until` on.

    moment: float = np.inf
    on_check: Callable[[], None] | None = None
    quiet_until: float = -np.inf

    @classmethod
    def after(cls, seconds: float | None) -> Deadline:
        """Set a deadline this many seconds from now; None sets none."""
        return cls() if seconds is None else cls(time.monotonic() + seconds)

    @property
    def seconds_left(self) -> float:
        """Seconds left, infinite without a limit."""
        return self.moment - time.monotonic()

    def check(self) -> None:
        """Raise DeadlineExceeded once the moment has passed."""
        now = time.monotonic()
        if self.on_check is not None and now >= self.quiet_until:
            self.on_check()
        if now >= self.moment:
            raise DeadlineExceeded


#: For work that may take as long as it takes.
NO_DEADLINE = Deadline()


def order_cost(costs: Costs, order: Order) -> float:
    """Sum the costs of an order's pairs."""
    return float(np.triu(costs[np.ix_(order, order)], 1).sum())


def order_relation(order: Order) -> Relation:
    """Return which item is above which in an order."""
    place = np.argsort(order)
    return place[:, None] < place


def restrict_order(order: Order, block: Order) -> Order:
    """Restrict an order to a block's items, as numbers within the block."""
    return np.argsort(np.argsort(order)[block])


def transitive_closure(above: Relation) -> Relation:
    """Compute the transitive closure of a relation."""
    result = above.copy()
    while True:
        reached = result.astype(np.float32)
        step = result | (reached @ reached > 0)
        if np.array_equal(step, result):
            return result
        result = step


def strong_components(relation: Relation) -> Positions:
    """Number the strongly connected components of a relation, item by item."""
    from scipy.sparse.csgraph import connected_components

    return np.asarray(connected_components(relation, connection="strong")[1], dtype=np.intp)


def insertion_changes(costs: Costs, order: Order) -> Floats:
    """Compute how the cost changes if the item at place a is moved to place b."""
    seen = costs[np.ix_(order, order)]
    n = len(order)
    # raised[a, k]: the change when the item at a passes above all items before place k.
    raised = np.zeros((n, n + 1))
    np.cumsum(seen - seen.T, axis=1, out=raised[:, 1:])
    place = np.arange(n)
    up = raised[:, :-1]
    changes = raised[place, place][:, None] - np.where(place > place[:, None], raised[:, 1:], up)
    changes[place, place] = 0.0
    return changes


def move_item(order: Order, source: int, target: int) -> Order:
    """Move the item at place `source` to place `target`."""
    rest = np.delete(order, source)
    return np.insert(rest, target, order[source])


def find_moved_order(
    faces: Sequence[OrderFace], known_orders: Sequence[Order], item: np.intp, place: int
) -> Order | None:
    """Find an order of a face by moving an item of a known one to a place."""
    for order in known_orders:
        trial = move_item(order, int(np.flatnonzero(order == item)[0]), place)
        if any(face.contains(trial) for face in faces):
            return trial
    return None


def narrow_faces(faces: Iterable[OrderFace], above: Relation) -> tuple[OrderFace, ...]:
    """Narrow faces to the orders with i above j wherever `above` is true; drop empty ones."""
    narrowed = (face.with_above(above) for face in faces)
    return tuple(face for face in narrowed if not face.empty)


def local_search(levels: Sequence[Costs], order: Order, deadline: Deadline) -> Order:
    """Improve an order by single insertions until none helps, or time is up."""
    # `levels` are compared lexicographically: a later cost counts where the earlier ones do not
    # change. The best insertion is made each time, the first of several, so the outcome depends on
    # the input only.
    while deadline.seconds_left > 0:
        allowed = np.ones((len(order), len(order)), dtype=bool)
        for costs in levels:
            changes = np.where(allowed, insertion_changes(costs, order), np.inf)
            best = int(changes.argmin())
            if changes.flat[best] < -TOLERANCE:
                order = move_item(order, *divmod(best, len(order)))
                break
            allowed &= changes <= TOLERANCE
        else:
            break
    return order


def sort_topologically(score: Floats, above: Relation) -> Order:
    """Sort the items by falling score, none before an item that has to be above it."""
    order = np.argsort(-score, kind="stable")
    if not np.triu(above[np.ix_(order, order)].T, 1).any():
        return order
    waiting = above.sum(axis=0).astype(float)
    left, chosen = score.astype(float), []
    for _ in order:
        item = int(np.where(waiting == 0, left, -np.inf).argmax())
        chosen.append(item)
        waiting[item] = np.inf
        waiting -= above[item]
    return np.array(chosen, dtype=np.intp)


def split_chain(relation: Relation) -> list[Order]:
    """Split the items into blocks so that every item is `relation` to all items of later blocks."""
    # `relation` holds at most one way for each pair. The blocks, first to last, are as small as
    # possible; within a block the items keep their order.
    n = len(relation)
    # Where all pairs across a cut are related, an item before the cut has more relations for and
    # fewer against than one after it: sorted by the difference, every cut is a prefix.
    score = relation.sum(axis=1) - relation.sum(axis=0)
    order = np.argsort(-score, kind="stable")
    size = np.arange(1, n + 1)
    # A prefix of k items gathers at most k(n - k): the relations across the cut.
    cuts = size[np.cumsum(score[order]) == size * (n - size)]
    return [np.sort(order[a:b]) for a, b in itertools.pairwise([0, *cuts.tolist()])]


Triples = Positions

NO_TRIPLES: Triples = np.empty((0, 3), dtype=np.intp)


@dataclass(frozen=True)
class CostGoal:
    """A cost that every order of a face keeps at its least."""

    costs: Costs  # what it costs to put i above j
    limit: float  # the least cost
    enforced: bool  # a linear programme needs a row for it: the other conditions leave room above


@dataclass(frozen=True)
class OrderFace:
    """The orders that are cheapest by all the goals so far."""

    above: Relation  # [i, j]: i stands above j in every order of the face; transitively closed
    tight_triples: (
        Triples  # (i, j, k): in each order two of "i above j", "j above k", "k above i" hold
    )
    goals: tuple[CostGoal, ...] = ()  # the first one first
    #: Triples that have proved useful, with which a search begins.
    cuts: Triples = field(default_factory=lambda: NO_TRIPLES)

    @classmethod
    def from_n_items(cls, n: int) -> OrderFace:
        """Make the face of all orders of n items."""
        return cls(np.zeros((n, n), dtype=bool), NO_TRIPLES)

    @property
    def empty(self) -> bool:
        """Whether the face contradicts itself at sight."""
        return bool((self.above & self.above.T).any())

    @property
    def levels(self) -> list[Costs]:
        """Costs that a local search must keep at their least, the first one first, to stay."""
        return [self.above.T.astype(float), *(goal.costs for goal in self.goals)]

    def contains(self, order: Order) -> bool:
        """Return whether an order belongs to the face."""
        return not (self.above & order_relation(order).T).any() and all(
            order_cost(goal.costs, order) <= goal.limit + TOLERANCE for goal in self.goals
        )

    def with_above(self, above: Relation) -> OrderFace:
        """Select the orders of the face with i also above j wherever `above` is true."""
        result = transitive_closure(self.above | above)
        i, j, k = self.tight_triples.T
        while True:
            # Where one arc of a tight triple is out, both others are in.
            grown = result.copy()
            for a, b, c in ((i, j, k), (j, k, i), (k, i, j)):
                out = result[b, a]
                grown[b[out], c[out]] = grown[c[out], a[out]] = True
            if np.array_equal(grown, result):
                return replace(self, above=result)
            result = transitive_closure(grown)

    def restrict_to_block(self, block: Order, order: Order) -> OrderFace:
        """Restrict the face to a block whose items are all above, or all below, each other item."""
        # `order` is any order of the whole face.
        number = np.full(len(self.above), -1)
        number[block] = np.arange(len(block))
        tight, cuts = number[self.tight_triples], number[self.cuts]
        among, inner = np.ix_(block, block), restrict_order(order, block)
        goals = (replace(goal, costs=goal.costs[among]) for goal in self.goals)
        return OrderFace(
            self.above[among],
            tight[(tight >= 0).all(axis=1)],
            tuple(replace(goal, limit=order_cost(goal.costs, inner)) for goal in goals),
            cuts[(cuts >= 0).all(axis=1)],
        )


@dataclass(frozen=True)
class Certificate:
    """A lower bound on the cost of orders, and what it charges beyond the bound."""

    # An order costs at least the bound, plus `surcharge[i, j]` for each i above j, plus `duals[t]`
    # for each of the triples `triples[t]` of which one arc holds instead of two. None of these is
    # negative; a surcharge is infinite where the bound looked only at orders that do without.

    bound: float
    surcharge: Costs
    triples: Triples
    duals: Floats

    def narrow(self, face: OrderFace, costs: Costs, value: float) -> OrderFace:
        """Narrow the face to the orders that cost `value`, the least possible."""
        room = max(value - self.bound, 0.0) + TOLERANCE
        goal = CostGoal(costs, value, enforced=room > 2 * TOLERANCE)
        binding = self.duals > room
        tight = np.concatenate([face.tight_triples, self.triples[binding]])
        narrowed = OrderFace(face.above, tight, (*face.goals, goal), self.triples[~binding])
        return narrowed.with_above(self.surcharge.T > room)
