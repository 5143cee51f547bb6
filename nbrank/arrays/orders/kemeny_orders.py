"""Kemeny's consensus from pairwise counts: the order that reverses the least weight, exactly."""

# What an order pays beyond the smaller side of every pair is the size of each margin that it turns
# round. A system that beats all others further down is above them in every optimal order, so the
# work is done block by block of the weak majority graph and, within a block, for one component of
# the strict majority graph at a time. Pairs with a margin of 0 cost nothing either way, but they
# decide how many orders are optimal.

from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from nbrank.arrays.ballots import profile
from nbrank.arrays.ballots.pairwise_counts import PairwiseCounts
from nbrank.arrays.orders import linear_ordering as search
from nbrank.arrays.orders import linear_orders as orders
from nbrank.arrays.orders.optimal_order_faces import OptimalOrderFaces
from nbrank.arrays.typing import Bools, Floats, Positions

#: Margins are taken for multiples of a unit if the largest has no more of them: of a whole
#: number, and of a fraction, which has to be guessed from rounded numbers.
_MOST_WHOLE, _MOST_UNITS = 10_000_000, 100_000

#: Seconds granted beyond the limit for a quick bound on what was not solved in time.
_MIN_SECONDS_LEFT = 0.5


#: Up to this many items the table is faster than a few linear programmes.
_MAX_SUBSET_TABLE_ITEMS = 12


@lru_cache(maxsize=_MAX_SUBSET_TABLE_ITEMS + 1)
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


@dataclass(frozen=True)
class Consensus:
    """An order of the systems, and what is proven about it."""

    order: orders.Order  # the systems, best first
    disagreement: float  # the weight of the preferences that the order reverses
    bound: float  # no order reverses less; the disagreement itself if the order is proven optimal
    unique: bool | None  # whether no other order is as good; None where that is not known
    is_reference_choice: (
        bool  # whether it is proven to be the one that is chosen among the optimal orders
    )

    @property
    def optimal(self) -> bool:
        """Whether it is proven that no order reverses less."""
        return self.bound == self.disagreement

    @property
    def gap(self) -> float:
        """The largest weight by which another order could be better."""
        return self.disagreement - self.bound


@dataclass(frozen=True)
class _OrderBlock:
    """Systems that stand together: a good order of them, and all their optimal orders if known."""

    # `bound` is a lower bound on the cost of any order. `optimal_orders` numbers them within the
    # block, as `order` does.

    systems: orders.Order
    order: orders.Order
    bound: float
    optimal_orders: OptimalOrderTable | OptimalOrderFaces | None


def greatest_common_unit(amounts: Floats) -> float | None:
    """Find the largest common divisor, within rounding; None if it is tiny."""
    # Weights are mostly whole numbers or simple fractions. In their common unit sums are exact, and
    # two orders differ by nothing or by at least 1.
    sizes = np.unique(np.abs(amounts[amounts != 0]))
    if not len(sizes):
        return 1.0
    if sizes[-1] < 2**53 and (sizes == np.rint(sizes)).all():
        unit = float(np.gcd.reduce(sizes.astype(np.int64)))
        return unit if sizes[-1] / unit <= _MOST_WHOLE else None
    ratios = sizes / sizes[-1]
    parts = 1
    while (off := np.abs(ratios - np.rint(ratios * parts) / parts) > 1e-12).any():
        missed = Fraction(ratios[off.argmax()] * parts)
        more = missed.limit_denominator(_MOST_UNITS // parts).denominator
        if more == 1:
            return None
        parts *= more
    return float(sizes[-1] / parts)


def _scale_costs(counts: PairwiseCounts) -> tuple[orders.Costs, float, float]:
    """Return the costs of putting i above j, the weight of a unit, and the smallest difference."""
    margins = counts.margins
    unit = greatest_common_unit(margins)
    if unit is not None:
        return np.maximum(np.rint(margins.T / unit), 0.0), unit, 1.0
    # Costs that are equal within 1e-9 of the total weight are then equal for the solver.
    unit = counts.total * profile.TOLERANCE / orders.TOLERANCE
    return np.maximum(margins.T / unit, 0.0), unit, 2 * orders.TOLERANCE


def _split_into_blocks(
    counts: PairwiseCounts, deadline: orders.Deadline
) -> tuple[list[_OrderBlock], float]:
    """Split the systems into blocks, best first; return them with the weight of a unit of cost."""
    costs, unit, step = _scale_costs(counts)
    blocks = []
    for systems in orders.split_chain(costs.T > 0):
        among = costs[np.ix_(systems, systems)]
        if len(systems) <= _MAX_SUBSET_TABLE_ITEMS:
            blocks.append(_solve_small_block(systems, among))
        else:
            blocks += _solve_large_block(systems, among, step, deadline)
    return blocks, unit


def _solve_small_block(systems: orders.Order, costs: orders.Costs) -> _OrderBlock:
    best = OptimalOrderTable(costs)
    return _OrderBlock(systems, np.arange(len(systems)), best.value, best)


def _solve_large_block(
    systems: orders.Order, costs: orders.Costs, step: float, deadline: orders.Deadline
) -> list[_OrderBlock]:
    """Solve a block, then split it further, where its optimal orders agree."""
    wins = costs.T > 0
    component = orders.strong_components(wins)
    between = wins & (component[:, None] != component)
    above = between.copy()
    inside = np.zeros_like(wins)
    tight, cuts, bound, loose = [orders.NO_TRIPLES], [orders.NO_TRIPLES], 0.0, False
    for number in np.flatnonzero(np.bincount(component) > 1):
        members = np.flatnonzero(component == number)
        among = np.ix_(members, members)
        every = orders.OrderFace.from_n_items(len(members))
        # Borda's order, improved by insertions, to begin with.
        score = (costs[among].T - costs[among]).sum(axis=1)
        start = orders.local_search([costs[among]], np.argsort(-score, kind="stable"), deadline)
        solved = search.BranchAndCut(costs[among], every, step, deadline, start).run()
        assert solved.order is not None
        inside[among] = orders.order_relation(solved.order)
        bound += _proven_bound(solved)
        best = solved.certificate.narrow(every, costs[among], solved.value)
        above[among] |= best.above
        tight.append(members[best.tight_triples])
        cuts.append(members[best.cuts])
        loose |= best.goals[0].enforced
    order = orders.sort_topologically(
        (costs.T - costs).sum(axis=1), orders.transitive_closure(between | inside)
    )
    value = orders.order_cost(costs, order)
    if value - bound > orders.TOLERANCE:
        return [_OrderBlock(systems, order, bound, None)]
    every = orders.OrderFace.from_n_items(len(systems))
    face = replace(
        every, tight_triples=np.concatenate(tight), cuts=np.concatenate(cuts)
    ).with_above(above)
    blocks = []
    for block in orders.split_chain(face.above):
        among = np.ix_(block, block)
        if len(block) <= _MAX_SUBSET_TABLE_ITEMS:
            blocks.append(_solve_small_block(systems[block], costs[among]))
            continue
        inner = orders.restrict_order(order, block)
        cost = orders.order_cost(costs[among], inner)
        part = face.restrict_to_block(block, order)
        if loose:
            parts = search.BranchAndCut(costs[among], part, 0.0, deadline, inner, cost).split_face()
        else:
            parts = [replace(part, goals=(orders.CostGoal(costs[among], cost, enforced=False),))]
        best_orders = OptimalOrderFaces(parts, inner, deadline)
        blocks.append(_OrderBlock(systems[block], inner, cost, best_orders))
    return blocks


def _proven_bound(solved: search.BranchAndCut) -> float:
    """Bound the cost of every order from below, rounded up if costs are whole numbers."""
    if solved.proven:
        return solved.value
    bound = solved.bound
    with suppress(orders.DeadlineExceeded):
        bound = max(
            bound,
            search.cycle_packing_bound(solved.costs, orders.Deadline.after(_MIN_SECONDS_LEFT)),
        )
    return float(np.ceil(bound - orders.TOLERANCE)) if solved.step == 1.0 else bound


def kemeny(
    counts: PairwiseCounts,
    reference: NDArray[np.integer],
    deadline: orders.Deadline = orders.NO_DEADLINE,
) -> Consensus:
    """Find the order that reverses the least weight of pairwise preferences."""
    # Of several such orders the one that has the fewest pairs the other way round than the
    # reference, and of those the one that names the first system by table order at the first place
    # where two differ. Pairs that the reference ties are free.
    blocks, unit = _split_into_blocks(counts, deadline)
    reverses = (reference[:, None] > reference).astype(float)
    chosen = [
        _choose_order(block, reverses[np.ix_(block.systems, block.systems)]) for block in blocks
    ]
    order = np.concatenate([np.empty(0, dtype=np.intp), *(order for order, _, _ in chosen)])
    disagreement = bound = orders.order_cost(counts.wins.T, order)
    if any(block.optimal_orders is None for block in blocks):
        bound = _minority_bound(counts) + unit * sum(block.bound for block in blocks)
    alone = [unique for _, unique, _ in chosen]
    unique = False if False in alone else None if None in alone else True
    return Consensus(order, disagreement, bound, unique, all(known for _, _, known in chosen))


def _choose_order(
    block: _OrderBlock, preference: orders.Costs
) -> tuple[orders.Order, bool | None, bool]:
    """Choose the order of a block; return if it is the only optimal one, and if proven."""
    if block.optimal_orders is None:
        return block.systems[block.order], None, False
    unique = None
    with suppress(orders.DeadlineExceeded):
        unique = block.optimal_orders.is_unique()
    order, known = block.optimal_orders.choose_order(preference)
    return block.systems[order], unique, known


def _optimal_blocks(
    counts: PairwiseCounts, deadline: orders.Deadline
) -> list[tuple[orders.Order, OptimalOrderTable | OptimalOrderFaces]]:
    """Return the blocks of the optimal orders, best first, with the optimal orders of each."""
    blocks, _ = _split_into_blocks(counts, deadline)
    results = [
        (block.systems, block.optimal_orders)
        for block in blocks
        if block.optimal_orders is not None
    ]
    if len(results) < len(blocks):
        raise orders.DeadlineExceeded
    return results


def possible_winners(
    counts: PairwiseCounts, deadline: orders.Deadline = orders.NO_DEADLINE
) -> Bools:
    """Return which systems come first in some optimal order."""
    # Raises DeadlineExceeded where that is not known in time.
    result = np.zeros(len(counts.wins), dtype=bool)
    for systems, best in _optimal_blocks(counts, deadline)[:1]:
        result[systems] = best.possible_first_items()
    return result


def possible_above(
    counts: PairwiseCounts, deadline: orders.Deadline = orders.NO_DEADLINE
) -> orders.Relation:
    """Return a relation: whether i is above j in some optimal order."""
    # Raises DeadlineExceeded where that is not known in time.
    n = len(counts.wins)
    result, lower = np.zeros((n, n), dtype=bool), np.ones(n, dtype=bool)
    for systems, best in _optimal_blocks(counts, deadline):
        lower[systems] = False
        result[np.ix_(systems, np.flatnonzero(lower))] = True
        result[np.ix_(systems, systems)] = best.possible_above()
    return result


def _minority_bound(counts: PairwiseCounts) -> float:
    """Sum the smaller side of every pair, a lower bound on what every order reverses."""
    return float(np.triu(np.minimum(counts.wins, counts.wins.T), 1).sum())


def disagreement_bound(counts: PairwiseCounts) -> float:
    """Bound what any order reverses from below, by smaller sides and disjoint circles."""
    costs, unit, _ = _scale_costs(counts)
    return _minority_bound(counts) + unit * search.cycle_packing_bound(costs, orders.NO_DEADLINE)


def reversed_weight(counts: PairwiseCounts, ranks: NDArray[np.number]) -> float:
    """Sum the weight of the preferences that a ranking reverses; those it ties don't count."""
    return float(counts.wins[ranks[:, None] > ranks].sum())


def tied_weight(counts: PairwiseCounts, ranks: NDArray[np.number]) -> float:
    """Sum the weight of the preferences between systems that a ranking ties."""
    return float(counts.wins[ranks[:, None] == ranks].sum())
