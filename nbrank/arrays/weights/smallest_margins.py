"""Weights under which a system beats every other, and the least change that unseats a winner."""

import numpy as np
from numpy.typing import NDArray

from nbrank.arrays.orders.linear_programming import solve_lp
from nbrank.arrays.typing import Array, Bools, Floats, Positions
from nbrank.arrays.weights.task_weightings import WeightPolytope

#: Marginal values, distances from a bound and slopes below this are rounding: scores enter the
#: programmes only through their signs, so what is not zero is far larger.
ROUNDING = 1e-9
#: A condition is met when it is missed by no more than this.
_FEASIBILITY_TOLERANCE = 1e-12
#: Opponents taken into a programme at a time: the others are checked afterwards, and few matter.
_MAX_OPPONENTS_PER_LP = 40


def find_most_uniform(allowed: WeightPolytope) -> Floats | None:
    """Find the allowed weights nearest to uniform; None where no weights are allowed."""
    if not len(allowed.lower_bounds):
        return allowed.uniform
    nothing = np.zeros(allowed.rows.shape[1])
    return _nearest_optimal_weights(
        np.empty((0, len(nothing))), allowed, nothing, allowed.uniform, floor=0.0
    )


def net_wins(scores: Array, system: int, column_task: Positions, n_tasks: int) -> Floats:
    """Count the ballots that `system` wins minus those it loses, by task and opponent."""
    # Systems x tasks, divided by the most ballots of a task: between -1 and 1. A ballot on which
    # either has no score counts 0.
    own = scores[system]
    # A comparison with NaN is False, which is the 0 that a missing score counts.
    signs: NDArray[np.int8] = (own > scores).view(np.int8) - (own < scores).view(np.int8)
    if np.array_equal(column_task, np.arange(n_tasks)):
        return signs.astype(np.float64)
    of_task = [column_task == task for task in range(n_tasks)]
    largest = max(int(ballots.sum()) for ballots in of_task)
    totals = [signs[:, ballots].sum(axis=1) for ballots in of_task]
    return np.column_stack(totals) / largest


def smallest_margin(wins: Floats, weights: Floats) -> float:
    """Find the smallest weighted sum of the rows; 1 without an opponent."""
    if not len(wins):
        return 1.0
    # A tie that rounding turned into 1e-17 is a tie; adding 0 makes -0.0 a plain 0.
    return round(float((wins @ weights).min()), 12) + 0.0


def maximize_smallest_margin(wins: Floats, allowed: WeightPolytope) -> Floats | None:
    """Maximize the smallest margin; of such weights, return the nearest to uniform."""
    # Maximise v subject to `wins @ w >= v` over the allowed weights w: the value of a matrix game
    # between the tasks and the opponents. `wins` has the net wins against each opponent in a row.
    # None where no weights are allowed.
    centre = find_most_uniform(allowed)
    if centre is None or not len(wins):
        return centre
    # No weights are worth more against an opponent than the best task is.
    if smallest_margin(wins, centre) >= wins.max(axis=1).min() - _FEASIBILITY_TOLERANCE:
        return centre
    return _nearest_optimal_weights(
        wins, allowed, np.zeros(wins.shape[1]), allowed.uniform, floor=None
    )


def maximize_direction(wins: Floats, allowed: WeightPolytope, direction: Floats) -> Floats | None:
    """Find the weights furthest in a direction under which no margin is below 0."""
    # Of the weights that are equally far, the nearest to uniform; None if all lose to another.
    return _nearest_optimal_weights(wins, allowed, direction, allowed.uniform, floor=0.0)


def minimize_weight_transfer(wins: Floats, start: Floats, gains: Bools) -> Floats | None:
    """Find the weights with no margin below 0 for which the least weight moves."""
    # Minimise `sum(max(w - start, 0))`; of the weights that are equally far by that, the nearest in
    # Euclidean distance. None if all lose to another. Only tasks that `gains` may have more.
    n_tasks = len(start)
    # Each task's weight is what it keeps, at most what it has, and what it is given.
    value = np.zeros(int(gains.sum()))
    twice = np.hstack([wins, wins[:, gains]])
    at_most_kept = np.hstack([-np.eye(n_tasks), np.zeros((n_tasks, len(value)))])
    selected, target = np.append(np.ones(n_tasks), value), np.append(start, value)
    result = _nearest_optimal_weights(
        twice, WeightPolytope.from_conditions(at_most_kept, -start), selected, target, floor=0.0
    )
    if result is None:
        return None
    weights = result[:n_tasks]
    weights[gains] += result[n_tasks:]
    return weights


def _nearest_optimal_weights(
    wins: Floats, allowed: WeightPolytope, direction: Floats, target: Floats, floor: float | None
) -> Floats | None:
    """Find the weights furthest in a direction and nearest to the target."""
    from scipy.linalg import null_space

    # Without a floor it is the smallest margin that is maximised.
    wins = _unique_rows(wins)
    results = _solve_margin_lp(wins, allowed, direction, floor)
    if results is None:
        return None
    corner, level, level_opponents, met_limits, free = results
    limits = [direction[np.newaxis], wins[level_opponents], allowed.rows[met_limits]]
    fixed = np.vstack([np.ones_like(direction), *limits])[:, free]
    moves = null_space(fixed, rcond=ROUNDING)
    weights = corner.copy()
    if moves.shape[1]:
        lacking = np.minimum(allowed.lower_bounds - allowed.rows @ corner, 0.0)
        least = np.concatenate([level - wins @ corner, lacking, -corner[free]])
        slopes = np.vstack([wins[:, free] @ moves, allowed.rows[:, free] @ moves, moves])
        step = _project_onto_polyhedron(moves.T @ (target - weights)[free], slopes, least)
        weights[free] += moves @ step
    weights[weights < _FEASIBILITY_TOLERANCE] = 0.0
    return weights / weights.sum()


def _unique_rows(wins: Floats) -> Floats:
    """List each different row once, the opponent hardest under uniform weights first."""
    # Many times faster than numpy.unique over rows.
    positions = {row.tobytes(): position for position, row in enumerate(wins)}
    rows = wins[list(positions.values())]
    return rows[np.argsort(rows.sum(axis=1), kind="stable")]


def _solve_margin_lp(
    wins: Floats, allowed: WeightPolytope, direction: Floats, floor: float | None
) -> tuple[Floats, float, Bools, Bools, Bools] | None:
    """Solve for a corner of largest margin, and what every optimum has in common with it."""
    # That is: whose margins are the level, which limits are met exactly, and which tasks may weigh
    # something. It is solved with a few opponents, and again with those that the answer loses to.
    n_tasks = wins.shape[1]
    # The last variable is what every margin has to reach.
    cost = np.append(-direction, -1.0 if floor is None else 0.0)
    box: list[tuple[float | None, float | None]] = [(0.0, None)] * n_tasks + [(floor, floor)]
    sum_to_one = np.append(np.ones(n_tasks), 0.0)[np.newaxis], np.ones(1)
    limits = np.column_stack([-allowed.rows, np.zeros(len(allowed.rows))])

    working = np.arange(min(_MAX_OPPONENTS_PER_LP, len(wins)))
    while True:
        beaten = np.column_stack([-wins[working], np.ones(len(working))])
        least = np.concatenate([np.zeros(len(working)), -allowed.lower_bounds])
        answer = solve_lp(cost, (np.vstack([beaten, limits]), least), sum_to_one, box)
        if answer is None:
            return None
        weights, level = np.maximum(answer.x[:-1], 0.0), float(answer.x[-1])
        margins = wins @ weights
        lost = np.setdiff1d(np.flatnonzero(margins < level - _FEASIBILITY_TOLERANCE), working)
        if not len(lost):
            break
        worst = np.argsort(margins[lost], kind="stable")[:_MAX_OPPONENTS_PER_LP]
        working = np.concatenate([working, lost[worst]])

    marginals = -answer.ineqlin.marginals
    level_opponents = np.zeros(len(wins), dtype=bool)
    level_opponents[working] = marginals[: len(working)] > ROUNDING
    # The level that is reached, so that rounding leaves no programme without a solution.
    level, may_weigh = min([level, *margins]), answer.lower.marginals[:-1] <= ROUNDING
    return weights, level, level_opponents, marginals[len(working) :] > ROUNDING, may_weigh


def _project_onto_polyhedron(target: Floats, slopes: Floats, lower_bounds: Floats) -> Floats:
    """Project `target` onto the points with `slopes @ point >= least`."""
    # A least distance is a problem of non-negative least squares (Lawson and Hanson, 1974, ch. 23):
    # how hard each condition pulls. Those that pull are met exactly.
    from scipy.optimize import lsq_linear, nnls

    size = np.linalg.norm(slopes, axis=1)
    matters = size > ROUNDING
    slopes = slopes[matters] / size[matters, np.newaxis]
    short = lower_bounds[matters] / size[matters] - slopes @ target
    if short.max(initial=0.0) <= _FEASIBILITY_TOLERANCE:
        return target
    matrix, goal = np.vstack([slopes.T, short]), np.append(np.zeros(len(target)), 1.0)
    try:
        pulls = nnls(matrix, goal)[0]
    except RuntimeError:
        pulls = np.zeros(len(short))
    # Where conditions repeat each other it gives up, or stops too early, now and then.
    gains = matrix.T @ (goal - matrix @ pulls)
    if gains.max() > ROUNDING or abs(gains @ pulls) > ROUNDING:
        pulls = lsq_linear(matrix, goal, (0.0, np.inf), method="bvls").x
    if (goal - matrix @ pulls)[-1] <= ROUNDING:
        raise RuntimeError("conditions on the weights that can't all be met")
    pulling = pulls > ROUNDING * pulls.max()
    return target + np.linalg.lstsq(slopes[pulling], short[pulling], rcond=None)[0]


def minimize_steps_to_negative(leads: Floats, falls: Floats) -> tuple[int, Positions] | None:
    """Find the row whose lead the fewest of its steps bring below 0, and these steps."""
    # An infinite lead isn't asked for; None where no lead falls so far.
    order = np.argsort(-falls, axis=1, kind="stable")
    left = leads[:, None] - np.cumsum(np.take_along_axis(falls, order, axis=1), axis=1)
    below = left < 0
    if not below.any():
        return None
    count = np.where(below.any(axis=1), below.argmax(axis=1), falls.shape[1])
    row = int(count.argmin())
    return row, np.sort(order[row, : count[row] + 1])


def minimize_moved_weight(gaps: Floats, weights: Floats) -> tuple[int, float, Floats] | None:
    """Find the row that falls to 0 with the least weight moved, how much, and the weights."""
    # Weight moves from where the row is largest to where it is smallest. None where no row is below
    # 0 anywhere.
    best: tuple[int, float, Floats] | None = None
    for row, gap in enumerate(gaps):
        to = int(gap.argmin())
        # A row that is nowhere below 0 can only become level.
        if not np.isfinite(gap).all() or gap[to] >= 0:
            continue
        lead = float(gap @ weights)
        order = np.argsort(-gap, kind="stable")
        slopes = (gap - gap[to])[order]
        # How far the lead falls once each task, those that count most first, has lost its weight.
        fallen = np.cumsum(slopes * weights[order])
        full = int(np.searchsorted(fallen, lead, side="left"))
        taken = np.zeros(len(gap))
        taken[order[:full]] = weights[order[:full]]
        if full < len(gap) and slopes[full] > 0:
            before = fallen[full - 1] if full else 0.0
            taken[order[full]] = max(lead - before, 0.0) / slopes[full]
        moved = float(taken.sum() - taken[to])
        if best is None or moved < best[1]:
            after = weights - taken
            after[to] += taken.sum()
            best = row, moved, after
    return best
