"""Sets of tasks: all of them if there are few, else the best by integer programmes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from typing import Any

import numpy as np

from nbrank.arrays.ballots.profile import TOLERANCE
from nbrank.arrays.orders.linear_programming import solve_milp
from nbrank.arrays.typing import Bools, Floats, Ints, Positions
from nbrank.arrays.weights.task_weightings import TaskContributions

#: Up to this many tasks (or groups) every set of them is tried.
MAX_EXHAUSTIVE_UNITS = 14
#: Scale of the rows, so that what a solver lets pass (1e-6) is a tie by the rule.
_SCALE = 1e3
#: A row that has to be above 0 has to reach this much of its largest entry: less is a tie to the
#: search. Still less is so near to what a solver lets pass that HiGHS of 2024 left sets out.
_STRICTLY = 1e-6
#: How often a set that the solver lets pass, and that isn't one, is forbidden before giving up.
_MAX_EXCLUDED_SETS = 200
#: Sets looked at a time.
_SETS = 1 << 12


def iter_subsets(required: Bools) -> Iterator[Bools]:
    """Yield all nonempty sets of units in blocks (sets x units), required units in all of them."""
    free = np.flatnonzero(~required)
    for start in range(0, 1 << len(free), _SETS):
        numbers = np.arange(start, min(start + _SETS, 1 << len(free)))
        block = np.tile(required, (len(numbers), 1))
        block[:, free] = (numbers[:, None] >> np.arange(len(free)) & 1).astype(bool)
        yield block[block.any(axis=1)] if len(required) else block


@dataclass(frozen=True, eq=False)
class TaskUnits:
    """The tasks, or the whole groups, that are left out or kept together."""

    values: TaskContributions
    weights: Floats  # of the tasks
    unit_codes: Positions  # the unit of each task

    @property
    def n_units(self) -> int:
        """How many there are."""
        return int(self.unit_codes.max()) + 1

    @property
    def sizes(self) -> Ints:
        """How many tasks each has."""
        return np.bincount(self.unit_codes)

    @property
    def there(self) -> Bools:
        """Systems x units: where each has a score."""
        return self._sum_by_unit(self.values.observed) > 0

    def select_systems(self, systems: Bools) -> TaskUnits:
        """Select some of the systems."""
        return TaskUnits(self.values.select_systems(systems), self.weights, self.unit_codes)

    def subset_weights(self, sets: Bools) -> Floats:
        """Return sets x tasks: the weights of the tasks that are in."""
        return np.where(sets[:, self.unit_codes], self.weights, 0.0)

    def ranks(self, sets: Bools) -> Ints:
        """Rank on the tasks of each set: sets x systems."""
        return self.values.ranks(self.subset_weights(sets))

    def is_first(self, sets: Bools) -> Bools:
        """Return sets x systems: which is first there, alone or shared."""
        scores = self.values.scores(self.subset_weights(sets))
        filled = np.nan_to_num(scores, nan=-np.inf)
        leader = filled.argmax(axis=1)[:, None]
        tie = TOLERANCE * np.maximum(self.values.sizes, self.values.sizes[leader])
        with np.errstate(invalid="ignore"):
            return (np.take_along_axis(filled, leader, axis=1) - filled <= tie) & ~np.isnan(scores)

    def is_above(self, system: int, sets: Bools) -> Bools:
        """Return sets x systems: which is above this one there."""
        scores = self.values.scores(self.subset_weights(sets))
        tie = TOLERANCE * np.maximum(self.values.sizes, self.values.sizes[system])
        lead = np.nan_to_num(scores[:, [system]], nan=-np.inf)
        return ~np.isnan(scores) & (scores > lead + tie)

    def gaps(self, system: int) -> Floats:
        """Return systems x units: how far this one is above each, in units of a tie."""
        # Only of scores that are sums. The sum over the units that are in is below 0 by more than
        # `TOLERANCE` of the sum of `shares` where the other is above.
        return self._sum_by_unit(-self.values.gaps(system) * self.weights)

    def _sum_by_unit(self, cells: Floats | Bools) -> Floats:
        """Sum over the tasks of each unit: systems x units."""
        return np.stack([np.bincount(self.unit_codes, row) for row in cells])

    @property
    def shares(self) -> Floats:
        """The weight of each unit in the scale of ties."""
        counts = self.values.counts[0] * self.weights / self.values.counts.max()
        return np.bincount(self.unit_codes, weights=counts).astype(np.float64)


@dataclass(frozen=True)
class SubsetSolution:
    """The set of units that was found, if any, whether none is better, and how good one may be."""

    units: Bools | None
    proven: bool
    upper_bound: float = np.inf


@dataclass(frozen=True, eq=False)
class SubsetConstraints:
    """What a set of units has to meet: the sum of each row over them at least 0, or above it."""

    rows: Floats  # conditions x units
    strict: Bools  # which sums have to be above 0
    shares: Floats  # what each unit counts in what ties hang on
    observed: Bools  # systems x units: where those have scores who have to have one in the set
    #: Alternatives x conditions x units, and how many alternatives have to meet all of theirs.
    either: Floats | None = None
    n_either: int = 0

    def is_met(self, units: Bools) -> bool:
        """Return whether a set meets the constraints, with the rule's tie tolerance."""
        sums, tie = self.rows @ units, TOLERANCE * float(self.shares @ units)
        if not np.where(self.strict, sums > tie, sums >= -tie).all():
            return False
        if self.either is None:
            return True
        return int((self.either @ units >= -tie).all(axis=1).sum()) >= self.n_either

    def _drop_forced_units(self, is_kept: Bools) -> tuple[Floats, Bools]:
        """Drop the units that no set can have; return the rows left, and these units."""
        # What the others can't make up for is out: it would make their differences too small to
        # see. Remainders of rounding are not differences, however small the others are.
        rows = np.where(np.abs(self.rows) <= TOLERANCE * self.shares, 0.0, self.rows)
        out = np.zeros(len(is_kept), dtype=bool)
        while True:
            most = np.maximum(rows, 0.0).sum(axis=1, keepdims=True)
            tie = TOLERANCE * float(self.shares.sum())
            hopeless = ((rows < 0) & (most + rows < -tie)).any(axis=0) & ~is_kept & ~out
            if not hopeless.any():
                return rows, out
            out |= hopeless
            rows[:, hopeless] = 0.0

    def _alternatives(self, out: Bools) -> tuple[Any, Floats]:
        """Make conditions x (units, alternatives): each holds if its alternative is chosen."""
        from scipy.sparse import csr_array, hstack

        n_units = len(self.shares)
        either = np.empty((0, 0, n_units)) if self.either is None else self.either
        number = np.repeat(np.arange(len(either)), either.shape[1])
        rows = either.reshape(-1, n_units)
        rows = np.where((np.abs(rows) <= TOLERANCE * self.shares) | out, 0.0, rows)
        may_fail = (rows < 0).any(axis=1)
        rows, number = _to_scale(rows[may_fail]), number[may_fail]
        # One that isn't chosen may be below 0 as far as it can be.
        miss = np.maximum(-rows, 0.0).sum(axis=1)
        switches = csr_array(
            (-miss, (np.arange(len(rows)), number)), shape=(len(rows), len(either))
        )
        return hstack([csr_array(rows), switches]), -miss

    def _linear_constraints(
        self, rows: Floats, out: Bools, sizes: Floats, total: tuple[float, float]
    ) -> tuple[list[Any], int]:
        """Make the solver's constraints, and count the variables that follow those of the units."""
        from scipy.optimize import LinearConstraint

        alternatives, least_met = self._alternatives(out)
        n_units = rows.shape[1]
        n_more = alternatives.shape[1] - n_units
        least = np.where(self.strict, _STRICTLY * _SCALE, 0.0)
        met = [
            _constrain_units(_to_scale(rows), n_more, least),
            _constrain_units(self.observed.astype(float), n_more, 1.0),
            _constrain_units(sizes[None, :], n_more, *total),
        ]
        if n_more:
            chosen = np.repeat([[0.0, 1.0]], [n_units, n_more], axis=1)
            met.append(LinearConstraint(chosen, self.n_either, np.inf))
            met.append(LinearConstraint(alternatives, least_met, np.inf))
        return met, n_more

    def solve(
        self, sizes: Floats, kept: Bools, deadline: float, *, n_tasks: int | None = None
    ) -> SubsetSolution:
        """Find the set whose sizes sum to the most (of a given total: any set that is feasible)."""
        most = float(np.maximum(sizes, 0.0).sum())
        if time.monotonic() >= deadline:
            return SubsetSolution(None, False, most)
        from scipy.optimize import Bounds

        rows, out = self._drop_forced_units(kept)
        if (self.strict & (rows == 0).all(axis=1)).any():
            return SubsetSolution(None, True)
        total = (0.0, np.inf) if n_tasks is None else (n_tasks, n_tasks)
        met, n_more = self._linear_constraints(rows, out, np.abs(sizes), total)
        n_units = len(sizes)
        # HiGHS stops within 1e-6 of the best, which is to be little next to any difference.
        costs = sizes * (_SCALE / np.abs(sizes).max())
        ends = np.pad(kept.astype(float), (0, n_more)), np.append(1.0 - out, np.ones(n_more))
        for _ in range(_MAX_EXCLUDED_SETS):
            if (left := deadline - time.monotonic()) <= 0:
                break
            integral = np.ones(n_units + n_more, dtype=np.int64)
            answer = solve_milp(np.pad(-costs, (0, n_more)), integral, Bounds(*ends), met, left)
            if answer.status == 2:
                return SubsetSolution(None, True, 0.0)
            if answer.mip_dual_bound is not None:
                most = min(most, -answer.mip_dual_bound * np.abs(sizes).max() / _SCALE)
            if answer.x is None:
                break
            units = answer.x[:n_units] > 0.5
            if self.is_met(units):
                return SubsetSolution(units, answer.status == 0, most)
            # Let pass by the solver, but no such set by the rule.
            differs = np.where(units, -1.0, 1.0)[None, :]
            met.append(_constrain_units(differs, n_more, 1.0 - units.sum()))
        return SubsetSolution(None, False, most)


def _constrain_units(rows: Floats, n_more: int, low: Floats | float, high: float = np.inf) -> Any:
    """Constrain sums over units, in a program with more variables after them."""
    from scipy.optimize import LinearConstraint

    return LinearConstraint(np.pad(rows, ((0, 0), (0, n_more))), low, high)


def _to_scale(rows: Floats) -> Floats:
    """Scale rows so that the largest entry is `_SCALE`."""
    largest = np.abs(rows).max(axis=1, initial=0.0, keepdims=True)
    return rows * (_SCALE / np.where(largest > 0, largest, 1.0))


# --------------------------------------------------------------------------- who can be first


def largest_sets(
    units: TaskUnits, required: Bools, seconds: float
) -> Iterator[tuple[int, SubsetSolution]]:
    """Yield for each system the largest set on which it is first, alone or shared."""
    # A system that chance puts first on some set can be first; the others are searched until time
    # is up, and are mostly found soon.
    sets, all_tried, until = _subsets_to_try(units, required, seconds)
    results = _best_subsets(sets, units, lambda some: some @ units.sizes, units.is_first)
    if all_tried:
        yield from enumerate(results)
        return
    sizes = units.sizes.astype(float)
    in_time = True
    for system in sorted(range(len(results)), key=lambda system: results[system].units is not None):
        if not units.values.scored[system]:
            yield system, SubsetSolution(None, True)
            continue
        best, chosen = SubsetSolution(None, False, sizes.sum()), results[system].units
        if in_time := in_time and time.monotonic() < until:
            best = winning_constraints(units, system).solve(sizes, required, until)
        least = -1 if best.units is None else best.units @ sizes
        if not best.proven and chosen is not None and chosen @ sizes > least:
            best = SubsetSolution(chosen, False, best.upper_bound)
        yield system, best


def winning_constraints(units: TaskUnits, system: int) -> SubsetConstraints:
    """Make the constraints on a set for a system to be first on it."""
    rows = units.gaps(system)[units.values.scored]
    # Of equal rows one is enough.
    rows = np.unique(rows, axis=0)
    return SubsetConstraints(
        rows, np.zeros(len(rows), dtype=bool), units.shares, units.there[[system]]
    )


def _best_subsets(
    blocks: Iterable[Bools],
    units: TaskUnits,
    worth: Callable[[Bools], Floats | Ints],
    holds: Callable[[Bools], Bools],
) -> list[SubsetSolution]:
    """Find for each system the most valuable set that meets its constraints."""
    n = len(units.values.amounts)
    most, best = np.full(n, -np.inf), [SubsetSolution(None, True)] * n
    for block in blocks:
        asked = np.where(holds(block), worth(block)[:, None], -np.inf)
        place = asked.argmax(axis=0)
        for system in np.flatnonzero(asked[place, np.arange(n)] > most):
            best[system] = SubsetSolution(block[place[system]], True)
            most[system] = asked[place[system], system]
    return best


def _subsets_to_try(
    units: TaskUnits, required: Bools, seconds: float
) -> tuple[Iterator[Bools], bool, float]:
    """Return blocks of sets, whether these are all, and when the time for programmes is up."""
    began = time.monotonic()
    if units.n_units <= MAX_EXHAUSTIVE_UNITS:
        return iter_subsets(required), True, began + seconds
    rng, sizes = np.random.default_rng(0), range(1, units.n_units + 1)
    # Half of the time at most is for sets by chance, some of each size.
    in_time = takewhile(lambda _: time.monotonic() < began + seconds / 2, sizes)
    drawn = (rng.random((_SETS // 4, units.n_units)).argsort(axis=1) < k for k in in_time)
    return (block | required for block in drawn), False, began + seconds


def winners_by_size(units: TaskUnits, required: Bools, seconds: float) -> tuple[Bools, Bools]:
    """Return sizes (from 1 task on) x systems: which can be first, and which may be."""
    # The two differ where the time limit left it open.
    n, n_tasks = len(units.values.amounts), int(units.sizes.sum())
    able = np.zeros((n_tasks + 1, n), dtype=bool)
    # Sets found by chance need no program.
    sets, all_tried, until = _subsets_to_try(units, required, seconds)
    for block in sets:
        first, size = units.is_first(block), block @ units.sizes
        for k in np.unique(size):
            able[k] |= first[size == k].any(axis=0)
    if all_tried:
        return able[1:], able[1:]
    maybe, in_time = able.copy(), True
    sizes = units.sizes.astype(float)
    for system in np.flatnonzero(units.values.scored).tolist():
        in_time = in_time and time.monotonic() < until
        if not in_time:
            maybe[:, system] = True
            continue
        wanted = winning_constraints(units, system)
        whole = wanted.solve(sizes, required, until)
        last = 0 if whole.proven else n_tasks
        if whole.units is not None and whole.proven:
            last = int(whole.units @ units.sizes)
            able[last, system] = maybe[last, system] = True
        for k in np.flatnonzero(~able[1 : last + 1, system]) + 1:
            of_size = wanted.solve(sizes, required, until, n_tasks=int(k))
            able[k, system] = of_size.units is not None
            maybe[k, system] = able[k, system] or not of_size.proven
    return able[1:], maybe[1:]


# ------------------------------------------------------------------------- who can pass the winner


def minimize_removed(
    units: TaskUnits, winner: int, costs: Floats, seconds: float
) -> Iterator[SubsetSolution]:
    """Yield for each system the units left after the cheapest removal that puts it above."""
    # Of scores that are sums, and units that cost the same, those in which the winner gains most on
    # it go first; else every set is tried, or a programme solved.
    nothing, observed = np.zeros(units.n_units, dtype=bool), units.there
    alike, few = (costs == costs[0]).all(), units.n_units <= MAX_EXHAUSTIVE_UNITS
    if not units.values.linear or (few and not (alike and observed.all())):
        yield from _best_subsets(
            iter_subsets(nothing),
            units,
            lambda sets: -(~sets @ costs),
            lambda sets: units.is_above(winner, sets),
        )
        return
    until = time.monotonic() + seconds
    minimize = _minimize_count_removed if alike else partial(_minimize_cost_removed, costs, until)
    result = minimize(units, winner)
    # A system without a score on the tasks left is last there, and has no sum.
    without = ~observed[winner]
    for system, chosen in enumerate(result):
        dearer = chosen.units is None or costs[~chosen.units].sum() > costs[~without].sum()
        passed = dearer and (observed[system] & without).any()
        yield SubsetSolution(without, chosen.proven) if passed else chosen


def _minimize_cost_removed(
    costs: Floats, deadline: float, units: TaskUnits, winner: int
) -> Iterator[SubsetSolution]:
    nothing = np.zeros(units.n_units, dtype=bool)
    for system, gaps in enumerate(units.gaps(winner)):
        above = SubsetConstraints(
            -gaps[None, :], np.array([True]), units.shares, units.there[[system]]
        )
        scored = units.values.scored[system]
        yield above.solve(costs, nothing, deadline) if scored else SubsetSolution(None, True)


def _minimize_count_removed(units: TaskUnits, winner: int) -> Iterator[SubsetSolution]:
    gaps = units.gaps(winner) + TOLERANCE * units.shares
    order = np.argsort(-gaps, axis=1, kind="stable")
    ordered = np.take_along_axis(gaps, order, axis=1)
    # Added up from the end, so that what is gone leaves no rounding behind.
    left = np.cumsum(ordered[:, ::-1], axis=1)[:, ::-1]
    # left[:, r]: the winner's lead if the r units are left out where it gains most.
    passed = left < 0
    passable = passed.any(axis=1) & units.values.scored
    for system in range(len(gaps)):
        selected = np.ones(units.n_units, dtype=bool)
        selected[order[system, : int(passed[system].argmax())]] = False
        yield SubsetSolution(selected if passable[system] else None, True)
