"""The linear programme of the linear ordering problem: no three items chase each other round."""

# Lower bounds are not the solver's word: they are computed from the dual values, which give a valid
# bound however inexact they are.

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from nbrank.arrays.faces import NO_TRIPLES, Certificate, Face, Triples
from nbrank.arrays.kinds import Bools, Floats, Positions
from nbrank.arrays.orders import TOLERANCE, Costs, Deadline, Order, OutOfTime, Relation

if TYPE_CHECKING:
    from scipy.sparse import csr_array

#: At most so many cuts enter at a time, or one for every pair if that is more: with all of them
#: the first programmes would take long, and give no bound before they are solved.
_MOST_CUTS = 3_000

# How scipy.optimize.linprog says that it is done, that it stopped early, and that nothing fits.
_SOLVED, _STOPPED, _INFEASIBLE = 0, 1, 2

#: How HiGHS is asked, and with which tolerance: the second where the first is in difficulties.
_METHODS = (("highs-ds", 1e-9), ("highs-ipm", 1e-7))


@dataclass(frozen=True)
class Relaxed:
    """A solved linear programme: how far i stands above j, what that proves, idle rows."""

    above: Floats
    certificate: Certificate
    idle: Bools


@lru_cache(maxsize=8)
def pairs(n: int) -> tuple[Order, Order, Positions]:
    """The pairs (i, j) with i < j, and the number of each, whichever way round it is asked for."""
    first, second = np.triu_indices(n, 1)
    number = np.zeros((n, n), dtype=np.intp)
    number[first, second] = number[second, first] = np.arange(len(first))
    return first, second, number


def violated(above: Floats, deadline: Deadline) -> Triples:
    """Triples (i, j, k), i the lowest, of which more than two of three arcs hold."""
    # All of them, or an even choice where there are very many.
    n = len(above)
    most = max(_MOST_CUTS, n * (n - 1) // 2)
    found = [NO_TRIPLES]
    for i in range(n - 2):
        deadline.check()
        held = above[i, i + 1 :, None] + above[i + 1 :, i + 1 :] + above[i + 1 :, i]
        j, k = np.nonzero(held > 2 + TOLERANCE)
        triples = np.column_stack([np.full(len(j), i), j + i + 1, k + i + 1])
        found.append(triples[:: 1 + len(j) * n // (10 * most)])
    triples = np.concatenate(found)
    return triples[:: 1 + len(triples) // most]


def packing_bound(costs: Costs, deadline: Deadline) -> float:
    """What disjoint circles of three cost every order: a quick lower bound."""
    # An order breaks each circle somewhere, so it pays at least its cheapest arc; that much is
    # taken off its arcs before the next circle is looked at.
    left = costs.T.tolist()  # left[i][j] is what it costs to break "i above j"
    bound = 0.0
    for i, j, k in violated((costs.T > 0).astype(float), deadline).tolist():
        least = min(left[i][j], left[j][k], left[k][i])
        bound += least
        left[i][j] -= least
        left[j][k] -= least
        left[k][i] -= least
    return bound


def _rows(triples: Triples, n: int) -> tuple[csr_array, Floats]:
    """The rows that allow a triple at most two arcs, on the variables "i above j", i < j."""
    from scipy.sparse import csr_array

    first, _, number = pairs(n)
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


def relax(
    costs: Costs, face: Face, above: Relation, triples: Triples, deadline: Deadline
) -> Relaxed | None:
    """Solve the programme of a face's orders that keep `above`, under some of the triangles."""
    # None where no order can meet its conditions.
    from scipy.sparse import csr_array, vstack

    first, second, _ = pairs(len(costs))
    low = above[first, second].astype(float)
    high = (~above[second, first]).astype(float)
    cost = costs[first, second] - costs[second, first]
    base = costs[second, first].sum()
    upper, upper_room = _rows(triples, len(costs))
    equal, equal_room = _rows(face.tight, len(costs))
    for goal in face.goals:
        if goal.enforced:
            row = goal.costs[first, second] - goal.costs[second, first]
            room = goal.limit + TOLERANCE - goal.costs[second, first].sum()
            upper = vstack([upper, csr_array(row[None, :])], format="csr")
            upper_room = np.append(upper_room, room)
    solved = _solve(cost, (upper, upper_room), (equal, equal_room), low, high, deadline)
    if solved is None:
        return None
    x, duals, equal_duals = solved
    # Any dual values that are at least 0 prove a bound; that of the solver's is the best up
    # to rounding.
    reduced = cost + upper.T @ duals + equal.T @ equal_duals
    bound = base - duals @ upper_room - equal_duals @ equal_room
    bound += np.minimum(reduced * low, reduced * high).sum()
    held = np.zeros_like(costs)
    held[first, second], held[second, first] = x, 1.0 - x
    free = low < high
    surcharge = np.where(above.T, np.inf, 0.0)
    surcharge[first[free], second[free]] = np.maximum(reduced[free], 0.0)
    surcharge[second[free], first[free]] = np.maximum(-reduced[free], 0.0)
    n = len(triples)
    idle = (upper_room - upper @ x)[:n] > TOLERANCE
    return Relaxed(held, Certificate(float(bound), surcharge, triples, duals[:n]), idle)


def _solve(
    cost: Floats,
    upper: tuple[csr_array, Floats],
    equal: tuple[csr_array, Floats],
    low: Floats,
    high: Floats,
    deadline: Deadline,
) -> tuple[Floats, Floats, Floats] | None:
    """Minimise a linear cost under rows; the solution and the rows' dual values, or None."""
    # Variables with one value left are taken out first, and with them the rows that have no others.
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
