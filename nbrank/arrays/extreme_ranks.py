"""The best and the worst rank of each system over all weightings allowed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from nbrank.arrays.kinds import Bools, Floats, Ints
from nbrank.arrays.linear_programme import cheapest
from nbrank.arrays.profile import TOLERANCE
from nbrank.arrays.weight_space import Weightings

#: A dual value below this is rounding.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Extreme:
    """How far one gets: what is proven, what is reached, and by which weights."""

    bound: int  # no weighting goes further
    reached: int
    weights: Floats

    @property
    def proven(self) -> bool:
        """Whether there is nothing between what is proven and what is reached."""
        return self.bound == self.reached


def most_met(
    rows: Floats, allowed: Weightings, start: Floats, *, strict: bool, until: float
) -> Extreme:
    """How many of the rows can be above 0 (not below, unless strict) under the same weights?"""
    # An integer programme with a yes or no for each row finds rows that go together but for what
    # the solver lets pass. Whether they truly do is then asked of a linear programme for the
    # largest smallest row. If they don't, its dual names a few that don't, which are forbidden from
    # then on. At the time limit `bound` and `reached` differ.
    best = Extreme(len(rows), _n_met(rows, start, strict), start)
    cuts: list[Bools] = []
    while best.reached < best.bound:
        left = until - time.monotonic()
        if left <= 0:
            return best
        status, bound, chosen = _chosen(rows, allowed, best.reached + 1, cuts, left)
        if status == 2:
            return replace(best, bound=best.reached)
        best = replace(best, bound=max(min(best.bound, bound), best.reached))
        if chosen is None:
            return best
        level, weights, against = together(rows[chosen], allowed)
        if weights is not None:
            n = _n_met(rows, weights, strict)
            if n > best.reached:
                best = Extreme(max(best.bound, n), n, weights)
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


def _chosen(
    rows: Floats, allowed: Weightings, least: int, cuts: list[Bools], seconds: float
) -> tuple[int, int, Bools | None]:
    """At least so many rows: the solver's status, a bound on how many, and which."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    n_rows, n_tasks = rows.shape
    n_more, n_cuts = len(allowed.rows), len(cuts)
    size = np.maximum(np.abs(rows).max(axis=1), 1e-300)
    # How far each row is below 0 at most.
    miss = np.maximum(allowed.most(-rows), 0.0) / size
    # A row that is not to be met may be below 0 as far as it can be.
    matrix = np.block(
        [
            [rows / size[:, None], np.diag(-miss)],
            [np.ones((1, n_tasks)), np.zeros((1, n_rows))],
            [np.zeros((1, n_tasks)), np.ones((1, n_rows))],
            [allowed.rows, np.zeros((n_more, n_rows))],
            [np.zeros((n_cuts, n_tasks)), np.reshape(cuts, (n_cuts, n_rows))],
        ]
    )
    most = [np.sum(cut) - 1.0 for cut in cuts]
    low = np.concatenate([-miss, [1.0, least], allowed.least, [-np.inf] * n_cuts])
    high = np.concatenate([[np.inf] * n_rows, [1.0, np.inf], [np.inf] * n_more, most])
    answer = milp(
        np.repeat([0.0, -1.0], [n_tasks, n_rows]),
        integrality=np.repeat([0, 1], [n_tasks, n_rows]),
        bounds=Bounds(
            np.concatenate([allowed.low, np.zeros(n_rows)]),
            np.concatenate([allowed.high, np.ones(n_rows)]),
        ),
        constraints=LinearConstraint(matrix, low, high),
        options={"time_limit": min(max(seconds, 0.01), 1e6), "mip_rel_gap": 0.0},
    )
    dual = answer.mip_dual_bound
    bound = n_rows if dual is None or not np.isfinite(dual) else int(np.floor(-dual + 1e-6))
    chosen = None if answer.x is None else answer.x[n_tasks:] > 0.5
    return int(answer.status), bound, chosen


def together(rows: Floats, allowed: Weightings) -> tuple[float, Floats | None, Bools]:
    """The largest smallest row, the weights that make it so, and the rows that keep it there."""
    n_rows, n_tasks = rows.shape
    size = np.maximum(np.abs(rows).max(axis=1, keepdims=True), 1e-300)
    more = np.column_stack([-allowed.rows, np.zeros(len(allowed.rows))])
    answer = cheapest(
        np.append(np.zeros(n_tasks), -1.0),
        (
            np.vstack([np.column_stack([-rows / size, np.ones(n_rows)]), more]),
            np.concatenate([np.zeros(n_rows), -allowed.least]),
        ),
        (np.append(np.ones(n_tasks), 0.0)[None, :], np.ones(1)),
        [*zip(allowed.low, allowed.high, strict=True), (-1.0, 1.0)],
    )
    if answer is None:
        return -1.0, None, np.ones(n_rows, dtype=bool)
    weights = np.clip(answer.x[:-1], 0.0, None)
    weights /= weights.sum()
    against = -answer.ineqlin.marginals[:n_rows] > _ROUNDING
    return float((rows @ weights).min()), weights, against if against.any() else ~against


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
    """The best and the worst rank of each system."""
    # Where scores are sums, `gaps` says how far all others are above a system on each task, and
    # `most_met` proves what is open. Otherwise a bound is proven where it is reached. `done` is
    # called for each system that no more is searched for.
    started = time.monotonic()
    n = len(known.scored)
    found: dict[int, tuple[Extreme, Extreme]] = {}
    searches: list[tuple[int, Floats, int]] = []
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
            searches.append((system, gaps(system)[open_], surely))
        else:
            done()
    # Each search has its part of the time that is left; those that end leave it to the others.
    while searches and time.monotonic() - started < seconds:
        still = []
        for place, (system, rows, surely) in enumerate(searches):
            now = time.monotonic()
            until = now + (seconds - (now - started)) / (len(searches) - place)
            best, worst = found[system]
            # Rows say how far others are above it; `surely` is its rank if none of them is.
            if not best.proven:
                met = most_met(-rows, allowed, best.weights, strict=False, until=until)
                rank = surely + len(rows)
                best = Extreme(max(best.bound, rank - met.bound), rank - met.reached, met.weights)
            if not worst.proven:
                met = most_met(rows, allowed, worst.weights, strict=True, until=until)
                rank = min(worst.bound, surely + met.bound)
                worst = Extreme(rank, surely + met.reached, met.weights)
            found[system] = best, worst
            if best.proven and worst.proven:
                done()
            else:
                still.append((system, rows, surely))
        searches = still
    return found
