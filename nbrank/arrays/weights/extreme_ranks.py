"""The best and the worst rank of each system over all weightings allowed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import takewhile

import numpy as np

from nbrank.arrays.ballots.profile import TOLERANCE, competition_ranks_columns
from nbrank.arrays.chunking import chunk_slices
from nbrank.arrays.orders.linear_programming import solve_lp, solve_milp
from nbrank.arrays.orders.majority_graphs import PairwiseScore, condorcet, copeland
from nbrank.arrays.typing import Bools, Floats, Ints
from nbrank.arrays.weights.task_weightings import TaskContributions, WeightPolytope

#: A dual value below this is rounding.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class BoundedExtreme:
    """How far one gets: what is proven, what is reached, and by which weights."""

    bound: int  # no weighting goes further
    attained: int
    weights: Floats

    @property
    def proven(self) -> bool:
        """Whether there is nothing between what is proven and what is reached."""
        return self.bound == self.attained


def maximize_satisfied_rows(
    rows: Floats, polytope: WeightPolytope, start: Floats, *, strict: bool, deadline: float
) -> BoundedExtreme:
    """How many of the rows can be above 0 (not below, unless strict) under the same weights?"""
    # An integer programme with a yes or no for each row finds rows that go together but for what
    # the solver lets pass. Whether they truly do is then asked of a linear programme for the
    # largest smallest row. If they don't, its dual names a few that don't, which are forbidden from
    # then on. At the time limit `bound` and `attained` differ.
    best = BoundedExtreme(len(rows), _count_satisfied(rows, start, strict), start)
    cuts: list[Bools] = []
    while best.attained < best.bound:
        if (left := deadline - time.monotonic()) <= 0:
            return best
        status, bound, chosen = _solve_row_selection(rows, polytope, best.attained + 1, cuts, left)
        if status == 2:
            return replace(best, bound=best.attained)
        best = replace(best, bound=max(min(best.bound, bound), best.attained))
        if chosen is None:
            return best
        level, weights, against = maximize_smallest_row(rows[chosen], polytope)
        if weights is not None:
            n = _count_satisfied(rows, weights, strict)
            if n > best.attained:
                best = BoundedExtreme(max(best.bound, n), n, weights)
        if level <= TOLERANCE if strict else level < -TOLERANCE:
            cuts.append(np.isin(np.arange(len(rows)), np.flatnonzero(chosen)[against]))
        elif best.attained < chosen.sum():
            # The programme and the weights disagree by rounding: leave it open.
            return best
    return best


def _count_satisfied(rows: Floats, weights: Floats, strict: bool) -> int:
    met = rows @ weights
    return int((met > TOLERANCE).sum() if strict else (met >= -TOLERANCE).sum())


def _solve_row_selection(
    rows: Floats, allowed: WeightPolytope, min_rows: int, cuts: list[Bools], seconds: float
) -> tuple[int, int, Bools | None]:
    """Solve for at least this many rows: the solver's status, a bound on how many, and which."""
    from scipy.optimize import Bounds, LinearConstraint

    n_rows, n_tasks = rows.shape
    n_more, n_cuts = len(allowed.rows), len(cuts)
    size = np.maximum(np.abs(rows).max(axis=1), 1e-300)
    # The largest distance of each row below 0.
    miss = np.maximum(allowed.upper_bounds(-rows), 0.0) / size
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
    low = np.concatenate([-miss, [1.0, min_rows], allowed.lower_bounds, [-np.inf] * n_cuts])
    high = np.concatenate([[np.inf] * n_rows, [1.0, np.inf], [np.inf] * n_more, most])
    box = np.append(allowed.low, np.zeros(n_rows)), np.append(allowed.high, np.ones(n_rows))
    answer = solve_milp(
        np.repeat([0.0, -1.0], [n_tasks, n_rows]),
        np.repeat([0, 1], [n_tasks, n_rows]),
        Bounds(*box),
        LinearConstraint(matrix, low, high),
        seconds,
    )
    dual = answer.mip_dual_bound
    bound = n_rows if dual is None or not np.isfinite(dual) else int(np.floor(-dual + 1e-6))
    chosen = None if answer.x is None else answer.x[n_tasks:] > 0.5
    return int(answer.status), bound, chosen


def maximize_smallest_row(
    rows: Floats, allowed: WeightPolytope
) -> tuple[float, Floats | None, Bools]:
    """Maximize the smallest row; return it, the weights, and the rows that keep it there."""
    n_rows, n_tasks = rows.shape
    size = np.maximum(np.abs(rows).max(axis=1, keepdims=True), 1e-300)
    more = np.zeros((len(allowed.rows), 1))
    at_most = np.block([[-rows / size, np.ones((n_rows, 1))], [-allowed.rows, more]])
    limits = np.append(np.zeros(n_rows), -allowed.lower_bounds)
    total = np.append(np.ones(n_tasks), 0.0)[None, :], np.ones(1)
    box = [*zip(allowed.low, allowed.high, strict=True), (-1.0, 1.0)]
    answer = solve_lp(np.append(np.zeros(n_tasks), -1.0), (at_most, limits), total, box)
    if answer is None:
        return -1.0, None, np.ones(n_rows, dtype=bool)
    weights = np.clip(answer.x[:-1], 0.0, None)
    weights /= weights.sum()
    against = -answer.ineqlin.marginals[:n_rows] > _ROUNDING
    return float((rows @ weights).min()), weights, against if against.any() else ~against


@dataclass(frozen=True, eq=False)
class RankBounds:
    """Bounds on the ranks under all weightings, before any program is solved."""

    best: tuple[Ints, Floats]  # of each system the best rank seen, and weights (a row) for it
    worst: tuple[Ints, Floats]
    scored: Bools  # who has a score at all
    never_above: Bools  # systems x systems: whether the first is never above the second
    always_above: Bools  # whether it always is
    max_above: int | None = None  # how many can be above one at once, if that is known


def rank_unscored_last(
    never_unscored: Bools, always_unscored: Bools, scored: Bools, stays: Bools
) -> None:
    """Rank systems without a score below all that have one under all weightings."""
    never_unscored[:, ~scored] = False
    always_unscored[:, ~scored] = stays[:, None]


@dataclass(frozen=True, eq=False)
class _RankSearch:
    """The search for a system's extreme ranks where scores are sums: what is known so far."""

    system: int
    best: BoundedExtreme
    worst: BoundedExtreme
    rivals: Bools  # those that are above it under some weightings only
    min_rank: int  # its rank if none of them is above it

    def narrow(self, gaps: Floats, allowed: WeightPolytope, deadline: float) -> _RankSearch:
        """Search for the ranks that are not proven; `gaps` says how far others are above it."""
        rows, best, worst = gaps[self.rivals], self.best, self.worst
        if not best.proven:
            met = maximize_satisfied_rows(
                -rows, allowed, best.weights, strict=False, deadline=deadline
            )
            rank = self.min_rank + len(rows)
            best = BoundedExtreme(
                max(best.bound, rank - met.bound), rank - met.attained, met.weights
            )
        if not worst.proven:
            met = maximize_satisfied_rows(
                rows, allowed, worst.weights, strict=True, deadline=deadline
            )
            rank = min(worst.bound, self.min_rank + met.bound)
            worst = BoundedExtreme(rank, self.min_rank + met.attained, met.weights)
        return replace(self, best=best, worst=worst)


def extreme_ranks(
    bounds: RankBounds,
    gaps: Callable[[int], Floats] | None,
    allowed: WeightPolytope,
    deadline: float,
) -> Iterator[tuple[int, BoundedExtreme, BoundedExtreme]]:
    """Yield each system with its best and its worst rank, once no more is searched for."""
    # Where scores are sums, `gaps` says how far all others are above a system on each task, and
    # `maximize_satisfied_rows` proves what is open. Otherwise a bound is proven if it is reached.
    n = len(bounds.scored)
    searches: list[_RankSearch] = []
    for system in range(n):
        others = bounds.scored & (np.arange(n) != system)
        surely = 1 + int((bounds.always_above[:, system] & others).sum())
        open_ = others & ~bounds.always_above[:, system] & ~bounds.never_above[:, system]
        last = surely + int(open_.sum())
        if bounds.max_above is not None and bounds.scored[system]:
            last = min(last, 1 + bounds.max_above)
        best, worst = (
            BoundedExtreme(bound, int(ranks[system]), weights[system])
            for bound, (ranks, weights) in ((surely, bounds.best), (last, bounds.worst))
        )
        if gaps is None or (best.proven and worst.proven):
            yield system, best, worst
        else:
            searches.append(_RankSearch(system, best, worst, open_, surely))
    # Each search has its part of the time that is left; those that end leave it to the others.
    while gaps is not None and searches and time.monotonic() < deadline:
        still = []
        for place, unproven in enumerate(searches):
            until = (now := time.monotonic()) + (deadline - now) / (len(searches) - place)
            search = unproven.narrow(gaps(unproven.system), allowed, until)
            if search.best.proven and search.worst.proven:
                yield search.system, search.best, search.worst
            else:
                still.append(search)
        searches = still
    for search in searches:
        yield search.system, search.best, search.worst


# ------------------------------------------------------------- what is known before any programme

#: Steps of the search for weightings that put a system far up, or far down.
_STEPS = 24


def bound_ranks_of_sums(
    values: TaskContributions, allowed: WeightPolytope, board_weights: Floats, deadline: float
) -> RankBounds:
    """Bound ranks of sums: which pairs always compare alike, and weightings of extreme ranks."""
    # Past the deadline no order is known, and no more weightings are tried.
    sums = values.is_linear_for_all(allowed)
    if sums:
        never, always = _dominance_matrix(values, allowed, deadline)
    else:
        never, always = _dominance_by_bounds(values, allowed)
    pool = _candidate_weights(values, allowed, board_weights, deadline)
    stays = values.scored & (sums | ~values.can_lose_all_weight(allowed))
    rank_unscored_last(never, always, values.scored, stays)
    best, worst = find_extremes(pool, values.ranks, len(values.amounts), deadline)
    return RankBounds(best, worst, values.scored, never, always)


#: Weightings x systems ranked at a time, which stay in the cache.
_BLOCK_CELLS = 1 << 18


def find_extremes(
    pool: Floats,
    rank_by_weights: Callable[[Floats], Ints],
    n_systems: int,
    deadline: float,
    block_size: int | None = None,
) -> tuple[tuple[Ints, Floats], tuple[Ints, Floats]]:
    """Find each system's best and worst rank under some weightings, and the first such ones."""
    # At least the first weighting is tried.
    extremes = [(rank_by_weights(pool[:1])[0], np.tile(pool[0], (n_systems, 1))) for _ in range(2)]
    for some in chunk_slices(1, len(pool), block_size or max(1, _BLOCK_CELLS // n_systems)):
        if time.monotonic() >= deadline:
            break
        block = pool[some]
        ranks = rank_by_weights(block)
        for sign, (reached, weights) in zip((1, -1), extremes, strict=True):
            place = (sign * ranks).argmin(axis=0)
            value = ranks[place, np.arange(n_systems)]
            further = sign * value < sign * reached
            reached[further], weights[further] = value[further], block[place[further]]
    return extremes[0], extremes[1]


def _dominance_matrix(
    values: TaskContributions, allowed: WeightPolytope, deadline: float
) -> tuple[Bools, Bools]:
    """Return systems x systems: whether the first is never above the second, and whether always."""
    n = len(values.amounts)
    never, always = np.zeros((n, n), dtype=bool), np.zeros((n, n), dtype=bool)
    for system in range(n):
        if time.monotonic() >= deadline:
            break
        # If the largest lead of another system over it is below 0, the other is never above it.
        furthest = allowed.upper_bounds(values.gaps(system))
        never[:, system] = furthest <= TOLERANCE * (1 - 1e-6)
        always[system] = -furthest > TOLERANCE * (1 + 1e-6)
    return never, always


def _dominance_by_bounds(values: TaskContributions, allowed: WeightPolytope) -> tuple[Bools, Bools]:
    """Return the same, as far as the largest and the smallest score of each show it."""
    high, low = values.maximize_scores(allowed, 1.0), -values.maximize_scores(allowed, -1.0)
    # Under weights that leave a system without a score it is last.
    low[values.can_lose_all_weight(allowed)] = -np.inf
    least = TOLERANCE * np.maximum(values.sizes[:, None], values.sizes)
    with np.errstate(invalid="ignore"):
        never = high[:, None] <= low + least * (1 - 1e-6)
        always = low[:, None] > high + least * (1 + 1e-6)
    return never, always


# --------------------------------------------------------------------- weightings worth looking at


def _candidate_weights(
    values: TaskContributions, allowed: WeightPolytope, board_weights: Floats, deadline: float
) -> Floats:
    """List weightings that put some system far up, or far down, and the board's own."""
    # For each system at once, Frank and Wolfe's steps towards as many others below it (or above it)
    # as can be: those that are near weigh most, and from step to step nearer ones.
    # The score of each system if all tasks counted for it; exact where they do.
    amounts = values.amounts / np.where(values.sizes > 0, values.sizes, 1.0)[:, None]
    scale = max(float(np.abs(amounts).max(initial=0.0)), 1e-300)
    amounts = amounts / scale
    results = [board_weights[None, :]]
    if len(allowed.rows):
        # For each system the weights that are best, and worst, for it against the mean.
        forms = amounts - amounts.mean(axis=0)
        in_time = takewhile(lambda _: time.monotonic() < deadline, (*forms, *-forms))
        ends = [allowed.maximize(form) for form in in_time]
        return np.array([board_weights, *(end for end in ends if end is not None)])
    for sign in (1.0, -1.0):
        weights = np.tile(board_weights, (len(amounts), 1))
        width = 0.3 * max(float(np.ptp(amounts @ board_weights)), 1e-12)
        for step in range(_STEPS):
            if time.monotonic() >= deadline:
                break
            scores = weights @ amounts.T
            # In place: of many systems most of the time would go into fresh memory.
            near = np.diagonal(scores)[:, None] - scores
            near /= width
            near *= near
            np.negative(np.minimum(near, 50.0, out=near), out=near)
            np.exp(near, out=near)
            near += 1e-6
            forms = sign * (near.sum(axis=1, keepdims=True) * amounts - near @ amounts)
            corners = allowed.maximize_within_bounds(forms)
            results.append(corners)
            weights = weights + (corners - weights) * 2 / (step + 3)
            results.append(weights)
            width *= 0.85
    pool = np.concatenate(results)
    return pool / pool.sum(axis=1, keepdims=True)


#: Weightings x pairs of systems looked at a time.
_CELLS = 1 << 22
#: This many weightings are drawn to look at, and this many corners.
_DRAWN, _CORNERS = 500, 1500


@dataclass(frozen=True, eq=False)
class PairwiseSums:
    """Rules that look at who beats whom: `weights @ wins` is the weight for the row."""

    score: PairwiseScore
    wins: Floats  # tasks x systems x systems: per unit of the task's weight
    sizes: Floats  # of the tasks: how many ballots each has
    scored: Bools  # systems x tasks

    def ranks(self, weights: Floats) -> Ints:
        """Rank under each weighting: weightings x systems; systems without a score are last."""
        n, unscored = self.wins.shape[1], np.asarray(~self.scored.any(axis=1))
        result = np.empty((len(weights), n), dtype=np.int64)
        for some in chunk_slices(0, len(weights), max(1, _CELLS // n**2)):
            block = weights[some]
            wins = np.tensordot(block, self.wins, axes=1)
            total = (block @ self.sizes)[:, None, None]
            margins = wins - wins.transpose(0, 2, 1)
            margins[np.abs(margins) <= TOLERANCE * total] = 0.0
            beside = np.eye(n, dtype=bool) | unscored
            scores = self.score(margins, wins.transpose(0, 2, 1), beside)
            # A system that is alone has lost to no other.
            scores[np.isinf(scores)] = 0.0
            scores[block @ self.scored.T <= 0] = np.nan
            result[some] = competition_ranks_columns(scores.T, total[:, 0, 0]).T
        return result

    def bound_ranks(
        self, allowed: WeightPolytope, board_weights: Floats, deadline: float
    ) -> RankBounds:
        """Bound the ranks by the largest and the smallest margins over all weightings."""
        # Of Condorcet's rule that is all there is to tell: a linear programme says who can beat all
        # others at once. Of Copeland's and minimax it is a bound.
        n, scored = self.wins.shape[1], np.asarray(self.scored.any(axis=1))
        pool = [board_weights[None, :], allowed.sample(_DRAWN, np.random.default_rng(0))]
        # A margin that the deadline leaves open may be as large as all ballots.
        largest = float(self.sizes.max())
        low, high = np.full((n, n), -largest), np.full((n, n), largest)
        least, most = np.zeros((n, n)), np.full((n, n), largest)
        for system in range(n):
            if time.monotonic() >= deadline:
                break
            against = self.wins[:, :, system].T
            margins = self.wins[:, system].T - against
            low[system], high[system] = allowed.ranges(margins)
            least[system], most[system] = allowed.ranges(against)
            open_ = (low[system] <= 0) & (high[system] >= 0) & (low[system] < high[system])
            corners = margins[open_][: max(1, _CORNERS // n)]
            pool += [allowed.maximize_within_bounds(forms) for forms in (corners, -corners)]
        for ends in (low, high):
            ends[np.abs(ends) <= TOLERANCE * self.sizes.max()] = 0.0
        # Under weights that leave a system without a score it is last, and no system's opponent.
        vanishes = allowed.upper_bounds(-self.scored.astype(float)) >= -1e-12
        itself = np.eye(n, dtype=bool)
        up = self.score(high, least, itself | vanishes)
        down = self.score(low, most, itself | ~scored)
        if self.score is condorcet:
            winning = []
            for system in np.flatnonzero((up == 1) & scored).tolist():
                others = ~vanishes & (np.arange(n) != system)
                if not others.any() or time.monotonic() >= deadline:
                    continue
                rows = (self.wins[:, system].T - self.wins[:, :, system].T)[others]
                level, weights, _ = maximize_smallest_row(rows, allowed)
                up[system] = float(level > TOLERANCE)
                winning += [weights] if weights is not None and up[system] else []
            winning += self._find_weights_without_winner(winning)
            pool.append(np.reshape(winning, (-1, len(board_weights))))
        at_most = 1 if self.score is condorcet else n
        tie = TOLERANCE * self.sizes.max() if self.score not in (condorcet, copeland) else 0.0
        never, always = up[:, None] <= down + tie, down[:, None] > up + tie
        if vanishes[scored].any():
            never, always, at_most = never & ~vanishes, always & ~vanishes[:, None], n
        rank_unscored_last(never, always, scored, ~vanishes)
        tried = np.concatenate(pool)
        tried = tried[[allowed.contains(weights) for weights in tried]]
        best, worst = find_extremes(
            tried, self.ranks, n, deadline, block_size=max(1, _CELLS // n**2)
        )
        return RankBounds(best, worst, scored, never, always, at_most)

    def _find_weights_without_winner(self, winning: list[Floats]) -> list[Floats]:
        """Find weights without an unbeaten system between two weightings with different winners."""
        # Where the first winner's least margin is 0 it ties, and no other beats it.
        if len(winning) < 2:
            return []
        here, observed = winning[:2]
        first = int(self.ranks(here[None, :])[0].argmin())
        others = self.scored.any(axis=1) & (np.arange(self.wins.shape[1]) != first)
        for _ in range(60):
            middle = (here + observed) / 2
            wins = np.tensordot(middle, self.wins, axes=1)
            lead = (wins[first] - wins[:, first])[others].min()
            here, observed = (middle, observed) if lead > 0 else (here, middle)
        return [here]
