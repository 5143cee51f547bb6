"""Orders of n items and what they cost: the pieces from which exact solvers are built."""

# `costs[i, j]`, at least 0, is what an order pays for putting i above j; an order pays for each of
# its pairs.
#
# A solved programme says what all the cheapest orders have in common. That makes a `Face`, in which
# further questions are searched: whether it holds one order only, who may come first, which of its
# orders costs least by another measure.

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from nbrank.arrays.kinds import Bools, Floats, Positions

Costs = Floats
Order = Positions
Relation = Bools

#: Costs this close are equal. Callers scale their costs to fit.
TOLERANCE = 1e-6


class OutOfTime(Exception):
    """The deadline passed before an answer was proven."""


@dataclass(frozen=True)
class Deadline:
    """The moment (on the monotonic clock) after which no more work is begun."""

    # `tick` is called whenever the clock is looked at between two pieces of work.

    moment: float = np.inf
    tick: Callable[[], None] | None = None

    @classmethod
    def after(cls, seconds: float | None) -> Deadline:
        """A deadline that many seconds from now; None: never."""
        return cls() if seconds is None else cls(time.monotonic() + seconds)

    @property
    def left(self) -> float:
        """Seconds left, infinite where there is no limit."""
        return self.moment - time.monotonic()

    def check(self) -> None:
        """Raise OutOfTime once the moment has passed."""
        if self.tick is not None:
            self.tick()
        if self.left <= 0:
            raise OutOfTime


#: For work that may take as long as it takes.
NEVER = Deadline()


def cost_of(costs: Costs, order: Order) -> float:
    """What an order pays."""
    return float(np.triu(costs[np.ix_(order, order)], 1).sum())


def above_in(order: Order) -> Relation:
    """Which item stands above which in an order."""
    place = np.argsort(order)
    return place[:, None] < place


def part_of(order: Order, block: Order) -> Order:
    """The order of a block's items, as numbers within the block."""
    return np.argsort(np.argsort(order)[block])


def closure(above: Relation) -> Relation:
    """The transitive closure of a relation."""
    found = above.copy()
    while True:
        reached = found.astype(np.float32)
        step = found | (reached @ reached > 0)
        if np.array_equal(step, found):
            return found
        found = step


def components(relation: Relation) -> Positions:
    """Number the strongly connected components of a relation, item by item."""
    from scipy.sparse.csgraph import connected_components

    return np.asarray(connected_components(relation, connection="strong")[1], dtype=np.intp)


def insertion_changes(costs: Costs, order: Order) -> Floats:
    """How the cost changes when the item at place a is taken out and put back at place b."""
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


def moved(order: Order, source: int, target: int) -> Order:
    """The order with the item at place `source` put at place `target`."""
    rest = np.delete(order, source)
    return np.insert(rest, target, order[source])


def local_search(levels: Sequence[Costs], order: Order, deadline: Deadline) -> Order:
    """Improve an order by single insertions until none helps, or time is up."""
    # `levels` are compared lexicographically: a later cost counts where the earlier ones do not
    # change. The best insertion is made each time, the first of several, so the outcome depends on
    # the input only.
    while deadline.left > 0:
        allowed = np.ones((len(order), len(order)), dtype=bool)
        for costs in levels:
            changes = np.where(allowed, insertion_changes(costs, order), np.inf)
            best = int(changes.argmin())
            if changes.flat[best] < -TOLERANCE:
                order = moved(order, *divmod(best, len(order)))
                break
            allowed &= changes <= TOLERANCE
        else:
            break
    return order


def sorted_by(score: Floats, above: Relation) -> Order:
    """The items by falling score, but none before an item that has to stand above it."""
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


def chain(relation: Relation) -> list[Order]:
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
class Goal:
    """A cost that every order of a face keeps at its least."""

    costs: Costs  # what it costs to put i above j
    limit: float  # the least cost
    enforced: bool  # a linear programme needs a row for it: the other conditions leave room above


@dataclass(frozen=True)
class Face:
    """The orders that are cheapest by all the goals so far."""

    above: Relation  # [i, j]: i stands above j in every order of the face; transitively closed
    tight: Triples  # (i, j, k): in each order two of "i above j", "j above k", "k above i" hold
    goals: tuple[Goal, ...] = ()  # the first one first
    #: Triples that have proved useful, with which a search begins.
    cuts: Triples = field(default_factory=lambda: NO_TRIPLES)

    @classmethod
    def of_all(cls, n: int) -> Face:
        """The face of all orders of n items."""
        return cls(np.zeros((n, n), dtype=bool), NO_TRIPLES)

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
        """The face of a block, whose items stand all above, or all below, each other item."""
        # `order` is any order of the whole face.
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
    """A lower bound on the cost of orders, and what it charges beyond the bound."""

    # An order costs at least the bound, plus `surcharge[i, j]` for each i above j, plus `duals[t]`
    # for each of the triples `triples[t]` of which one arc holds instead of two. None of these is
    # negative; a surcharge is infinite where the bound looked only at orders that do without.

    bound: float
    surcharge: Costs
    triples: Triples
    duals: Floats

    def narrow(self, face: Face, costs: Costs, value: float) -> Face:
        """The orders of the face that cost `value`, the least there is."""
        room = max(value - self.bound, 0.0) + TOLERANCE
        goal = Goal(costs, value, enforced=room > 2 * TOLERANCE)
        binding = self.duals > room
        tight = np.concatenate([face.tight, self.triples[binding]])
        narrowed = Face(face.above, tight, (*face.goals, goal), self.triples[~binding])
        return narrowed.putting(self.surcharge.T > room)
