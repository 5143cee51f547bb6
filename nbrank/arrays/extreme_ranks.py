"""The best and the worst rank of each system over all weightings allowed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nbrank.arrays.kinds import Bools, Floats, Ints
from nbrank.arrays.profile import TOLERANCE
from nbrank.arrays.weight_space import Weightings

#: A dual value below this is rounding.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Met:
    """How many conditions can be met at once: no more than `bound`, and `reached` of them."""

    bound: int
    reached: int
    weights: Floats


def most_met(
    rows: Floats, allowed: Weightings, start: Floats, *, strict: bool, until: float
) -> Met:
    """How many of the rows can be above 0 (not below, unless strict) under the same weights?

    An integer programme with a yes or no for each row finds rows that go together
    but for what the solver lets pass. Whether they truly do is then asked of a linear
    programme for the largest smallest row. If they don't, its dual names a few that don't, which
    are forbidden from then on. At the time limit `bound` and `reached` differ.

    >>> rows = np.array([[1.0, -1.0], [-1.0, 1.0], [-1.0, 0.5]])
    >>> weightings = Weightings.near(np.array([0.5, 0.5]), None)
    >>> one = np.array([1.0, 0.0])
    >>> [most_met(rows, weightings, one, strict=s, until=np.inf).reached for s in (True, False)]
    [2, 2]
    """
    best = Met(len(rows), _n_met(rows, start, strict), start)
    programme = _Programme.of(rows, allowed)
    cuts: list[Bools] = []
    while best.reached < best.bound:
        left = until - time.monotonic()
        if left <= 0:
            return best
        status, bound, chosen = programme.solve(best.reached + 1, cuts, left)
        if status == 2:
            return Met(best.reached, best.reached, best.weights)
        best = Met(max(min(best.bound, bound), best.reached), best.reached, best.weights)
        if chosen is None:
            return best
        level, weights, against = together(rows[chosen], allowed)
        if weights is not None:
            n = _n_met(rows, weights, strict)
            if n > best.reached:
                best = Met(max(best.bound, n), n, weights)
        if level <= TOLERANCE if strict else level < -TOLERANCE:
            cut = np.zeros(len(rows), dtype=bool)
            cut[np.flatnonzero(chosen)[against]] = True
            cuts.append(cut)
        elif best.reached < chosen.sum():
            # The programme and the weights disagree by rounding: leave it open.
            return best
    return best


def _n_met(rows: Floats, weights: Floats, strict: bool) -> int:
    met = rows @ weights
    return int((met > TOLERANCE).sum() if strict else (met >= -TOLERANCE).sum())


@dataclass(frozen=True, eq=False)
class _Programme:
    """Weights, and for each row whether it is to be met."""

    rows: Floats
    allowed: Weightings
    miss: Floats  # how far each row is below 0 at most

    @classmethod
    def of(cls, rows: Floats, allowed: Weightings) -> _Programme:
        return cls(rows, allowed, np.maximum(allowed.most(-rows), 0.0))

    def solve(self, least: int, cuts: list[Bools], seconds: float) -> tuple[int, int, Bools | None]:
        """At least so many rows: the solver's status, a bound on how many, and which."""
        from scipy.optimize import Bounds, LinearConstraint, milp

        n_rows, n_tasks = self.rows.shape
        n_more, n_cuts = len(self.allowed.rows), len(cuts)
        size = np.maximum(np.abs(self.rows).max(axis=1), 1e-300)
        # A row that is not to be met may be below 0 as far as it can be.
        matrix = np.block(
            [
                [self.rows / size[:, None], np.diag(-self.miss / size)],
                [np.ones((1, n_tasks)), np.zeros((1, n_rows))],
                [np.zeros((1, n_tasks)), np.ones((1, n_rows))],
                [self.allowed.rows, np.zeros((n_more, n_rows))],
                [np.zeros((n_cuts, n_tasks)), np.reshape(cuts, (n_cuts, n_rows))],
            ]
        )
        most = [np.sum(cut) - 1.0 for cut in cuts]
        low = np.concatenate(
            [-self.miss / size, [1.0, least], self.allowed.least, [-np.inf] * n_cuts]
        )
        high = np.concatenate([[np.inf] * n_rows, [1.0, np.inf], [np.inf] * n_more, most])
        answer = milp(
            np.repeat([0.0, -1.0], [n_tasks, n_rows]),
            integrality=np.repeat([0, 1], [n_tasks, n_rows]),
            bounds=Bounds(
                np.concatenate([self.allowed.low, np.zeros(n_rows)]),
                np.concatenate([self.allowed.high, np.ones(n_rows)]),
            ),
            constraints=LinearConstraint(matrix, low, high),
            options={"time_limit": min(max(seconds, 0.01), 1e6), "mip_rel_gap": 0.0},
        )
        bound = n_rows
        dual = getattr(answer, "mip_dual_bound", None)
        if dual is not None and np.isfinite(dual):
            bound = int(np.floor(-dual + 1e-6))
        chosen = None if answer.x is None else answer.x[n_tasks:] > 0.5
        return int(answer.status), bound, chosen


def together(rows: Floats, allowed: Weightings) -> tuple[float, Floats | None, Bools]:
    """The largest smallest row, the weights that make it so, and the rows that keep it there."""
    from scipy.optimize import linprog

    n_rows, n_tasks = rows.shape
    size = np.maximum(np.abs(rows).max(axis=1, keepdims=True), 1e-300)
    answer = linprog(
        np.append(np.zeros(n_tasks), -1.0),
        A_ub=np.vstack(
            [
                np.column_stack([-rows / size, np.ones(n_rows)]),
                np.column_stack([-allowed.rows, np.zeros(len(allowed.rows))]),
            ]
        ),
        b_ub=np.concatenate([np.zeros(n_rows), -allowed.least]),
        A_eq=np.append(np.ones(n_tasks), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[*zip(allowed.low, allowed.high, strict=True), (-1.0, 1.0)],
        method="highs-ds",
    )
    if answer.x is None:
        return -1.0, None, np.ones(n_rows, dtype=bool)
    weights = np.clip(answer.x[:-1], 0.0, None)
    weights /= weights.sum()
    against = -answer.ineqlin.marginals[:n_rows] > _ROUNDING
    return float((rows @ weights).min()), weights, against if against.any() else ~against


@dataclass(frozen=True)
class Extreme:
    """How far up, or down, a system gets: what is proven, what is reached, and by which weights."""

    bound: int  # no weighting gives a better (or a worse) rank
    reached: int
    weights: Floats

    @property
    def proven(self) -> bool:
        """Whether there is nothing between what is proven and what is reached."""
        return self.bound == self.reached


@dataclass(frozen=True, eq=False)
class Known:
    """What is known of all weightings before any programme is asked."""

    pool: Floats  # weightings x tasks: some that are allowed
    ranks: Ints  # weightings x systems: the ranks there
    scored: Bools  # who has a score at all
    never: Bools  # systems x systems: whether the first is never above the second
    always: Bools  # whether it always is
    most_above: int | None = None  # how many can be above one at once, if that is known


def put_unscored_last(never: Bools, always: Bools, scored: Bools, stays: Bools) -> None:
    """Who has no score at all is below everybody whom all weightings leave a score."""
    never[:, ~scored] = False
    always[:, ~scored] = stays[:, None]


def extreme_ranks(
    known: Known,
    gaps: Callable[[int], Floats] | None,
    allowed: Weightings,
    seconds: float,
    done: Callable[[], object],
) -> dict[int, tuple[Extreme, Extreme]]:
    """The best and the worst rank of each system.

    Where scores are sums, `gaps` says how far all others are above a system on each task,
    and `most_met` proves what is open. Otherwise a bound is proven where it is reached.
    `done` is called for each system that no more is searched for.
    """
    started = time.monotonic()
    n = len(known.scored)
    found: dict[int, tuple[Extreme, Extreme]] = {}
    searches: list[tuple[int, _Search]] = []
    for system in range(n):
        others = known.scored & (np.arange(n) != system)
        ranks = known.ranks[:, system]
        surely = 1 + int((known.always[:, system] & others).sum())
        open_ = others & ~known.always[:, system] & ~known.never[:, system]
        last = surely + int(open_.sum())
        if known.most_above is not None and known.scored[system]:
            last = min(last, 1 + known.most_above)
        best, worst = (
            Extreme(bound, int(rank), known.pool[int((ranks == rank).argmax())])
            for bound, rank in ((surely, ranks.min()), (last, ranks.max()))
        )
        found[system] = best, worst
        if gaps is not None and not (best.proven and worst.proven):
            searches.append((system, _Search(gaps(system)[open_], surely)))
        else:
            done()
    # Each search has its part of the time that is left; those that end leave it to the others.
    while searches and time.monotonic() - started < seconds:
        still = []
        for place, (system, search) in enumerate(searches):
            now = time.monotonic()
            until = now + (seconds - (now - started)) / (len(searches) - place)
            best, worst = found[system]
            best = search.best(best, allowed, until)
            worst = search.worst(worst, allowed, until)
            found[system] = best, worst
            if best.proven and worst.proven:
                done()
            else:
                still.append((system, search))
        searches = still
    return found


@dataclass(frozen=True, eq=False)
class _Search:
    """One system, and those that are above it under some weightings and under some not."""

    rows: Floats  # how far they are above it
    surely: int  # its rank if none of them is above

    def best(self, so_far: Extreme, allowed: Weightings, until: float) -> Extreme:
        if so_far.proven:
            return so_far
        met = most_met(-self.rows, allowed, so_far.weights, strict=False, until=until)
        last = self.surely + len(self.rows)
        return Extreme(max(so_far.bound, last - met.bound), last - met.reached, met.weights)

    def worst(self, so_far: Extreme, allowed: Weightings, until: float) -> Extreme:
        if so_far.proven:
            return so_far
        met = most_met(self.rows, allowed, so_far.weights, strict=True, until=until)
        return Extreme(
            min(so_far.bound, self.surely + met.bound), self.surely + met.reached, met.weights
        )
