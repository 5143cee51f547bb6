"""Strengths from paired comparisons: Bradley-Terry, Davidson and Elo."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nbrank.arrays.ballots.pairwise_counts import ComparisonArrays, PairwiseCounts
from nbrank.arrays.orders.linear_orders import strong_components
from nbrank.arrays.orders.majority_graphs import undominated_components
from nbrank.arrays.typing import Bools, Floats, Positions

#: Maximum number of Newton steps; a fit takes five to ten.
_LIMIT = 200
#: A step this short is the last: the error that it leaves is about its square.
_LAST_STEP = 1e-7
#: Up to this many unknowns a system of equations is solved by elimination.
_MAX_DIRECT_SOLVE = 64
#: Conjugate gradients: the relative and the absolute error at which they stop, and the products
#: that they may take.
_ACCURACY = 1e-9
_NEGLIGIBLE = 1e-13
_PRODUCTS = 200


@dataclass(frozen=True)
class ModelFit:
    """Estimated strengths, and what else was estimated."""

    strengths: Floats  # the log-strengths, of mean 0
    converged: bool  # whether the iterations reached the maximum of the likelihood
    iterations: int  # how many Newton steps that took
    tie_parameter: float = 0.0  # Davidson's nu: what a tie of equals is to a win of the first


@dataclass(frozen=True)
class IdentifiabilityIssue:
    """Why the counts determine no finite strengths: systems by number."""

    never_compared: Positions
    disconnected: list[
        Positions
    ]  # groups of the others that never met, the largest first, if several
    #: Groups that lost to, and tied with, no system outside them that they are connected with.
    unbeaten: list[Positions]
    #: Groups that beat, and tied with, no system outside them that they are connected with.
    winless: list[Positions]


def _is_strongly_connected(arcs: Bools) -> bool:
    seen = np.zeros(len(arcs), dtype=bool)
    seen[0] = True
    size = 0
    while size < (size := int(seen.sum())) < len(seen):
        seen = seen | arcs[seen].any(axis=0)
    return bool(seen.all())


def find_identifiability_issue(counts: PairwiseCounts) -> IdentifiabilityIssue | None:
    """Find why the strengths are infinite or undetermined; None if they are not."""
    # A finite and unique maximum of the Bradley-Terry likelihood exists if and only if, however the
    # systems are divided in two, some system of the first part beat (or tied with) some system of
    # the second: the graph of wins is strongly connected (Ford, 1957).
    arcs = counts.shares > 0
    if _is_strongly_connected(arcs) and _is_strongly_connected(arcs.T):
        return None
    from scipy.sparse.csgraph import connected_components

    strong, weak = strong_components(arcs), connected_components(arcs, connection="weak")[1]
    compared = np.asarray((arcs | arcs.T).any(axis=1))
    never_beaten, never_won = undominated_components(arcs), undominated_components(arcs.T)
    apart = _group_members(weak.astype(np.intp), compared)
    return IdentifiabilityIssue(
        never_compared=np.flatnonzero(~compared),
        disconnected=sorted(apart, key=len, reverse=True) if len(apart) > 1 else [],
        unbeaten=_group_members(strong, never_beaten & ~never_won),
        winless=_group_members(strong, never_won & ~never_beaten),
    )


def _group_members(group: Positions, systems: Bools) -> list[Positions]:
    """List the members of each group that any of these systems belongs to."""
    return [np.flatnonzero(group == item) for item in np.unique(group[systems])]


def expected_win_rates(strengths: Floats) -> Floats:
    """Compute the probability that the row wins against the column, a tie being half a win."""
    with np.errstate(over="ignore"):
        return 1.0 / (1.0 + np.exp(strengths - strengths[:, None]))


def add_prior_opponent(counts: PairwiseCounts, prior: float) -> PairwiseCounts:
    """Add an opponent whom each system met `prior` times, and beat half of them; it comes last."""
    # This is what a prior means. Since all systems together win half of these comparisons, the
    # opponent is of average strength.
    if not prior:
        return counts
    wins = np.pad(counts.wins, (0, 1), constant_values=prior / 2)
    wins[-1, -1] = 0.0
    total = counts.total + prior * len(counts.wins)
    return PairwiseCounts(wins, np.pad(counts.ties, (0, 1)), total)


def add_average_prior_opponent(
    counts: PairwiseCounts, strengths: Floats, prior: float
) -> tuple[PairwiseCounts, Floats]:
    """Add the prior's opponent, which wins half of all comparisons on average."""
    if not prior:
        return counts, strengths
    low, high = float(strengths.min()), float(strengths.max())
    while low < (middle := (low + high) / 2) < high:
        with np.errstate(over="ignore"):
            won = float((1.0 / (1.0 + np.exp(middle - strengths))).mean())
        low, high = (middle, high) if won > 0.5 else (low, middle)
    return add_prior_opponent(counts, prior), np.append(strengths, middle)


def fisher_information(counts: PairwiseCounts, strengths: Floats) -> Floats:
    """Compute minus the second derivatives of the Bradley-Terry log-likelihood."""
    return _information_at(counts.compared, expected_win_rates(strengths))


def _information_at(compared: Floats, expected: Floats) -> Floats:
    variances = compared * expected * expected.T
    matrix = -variances
    np.fill_diagonal(matrix, variances.sum(axis=1))
    return matrix


def inverse_information(counts: PairwiseCounts, strengths: Floats, prior: float = 0.0) -> Floats:
    """Invert the information, with some strength held fixed."""
    # Strengths are free to move together, so one must be held: the last, which with a prior is that
    # of its opponent. Differences have the same covariance whichever it is.
    matrix = fisher_information(*add_average_prior_opponent(counts, strengths, prior))
    inverse = np.zeros_like(matrix)
    inverse[:-1, :-1] = np.linalg.inv(matrix[:-1, :-1])
    return inverse[: len(strengths), : len(strengths)]


def solve_anchored(matrix: Floats, values: Floats) -> Floats:
    """Solve symmetric equations that are positive definite once the first unknown is held."""
    # From about a hundred unknowns on, BLAS solves with several threads, and waiting for them to
    # wake takes a hundred times as long as solving does if the machine has anything else to do.
    # Conjugate gradients take about ten products here, each of them a plain loop. What they don't
    # solve to full accuracy, such as a long chain of systems, is eliminated directly.
    if len(values) > _MAX_DIRECT_SOLVE:
        result = _conjugate_gradients(matrix, values)
        if result is not None:
            return result
    solution = np.zeros(len(values))
    solution[1:] = np.linalg.solve(matrix[1:, 1:], values[1:])
    return solution


def _conjugate_gradients(matrix: Floats, values: Floats) -> Floats | None:
    """Solve by conjugate gradients, scaled by the diagonal; None if they don't settle."""
    diagonal = matrix.diagonal()
    if not (diagonal > 0).all():
        return None
    # In relation to the solution, or so small that rounding hides the rest.
    enough = max(_ACCURACY**2 * (values**2 / diagonal).sum(), _NEGLIGIBLE**2 * diagonal.sum())
    solution, direction, size = np.zeros(len(values)), np.zeros(len(values)), np.inf
    residual = values
    for _ in range(_PRODUCTS):
        scaled = residual / diagonal
        previous, size = size, (residual * scaled).sum()
        if size <= enough:
            return solution
        direction = scaled + size / previous * direction
        # Not `@`, which would be the threads again.
        image = np.einsum("ij,j->i", matrix, direction)
        length = size / (direction * image).sum()
        solution = solution + length * direction
        residual = residual - length * image
    return None


def maximize_newton(
    derivatives: Callable[[Floats], tuple[Floats, Floats]],
    max_log_odds_change: Callable[[Floats], float],
    start: Floats,
) -> tuple[Floats, bool, int]:
    """Maximise a concave log-likelihood by Newton's method with steps that can't overshoot."""
    # The log-likelihood of a logistic model is generalised self-concordant, so a step shortened to
    # log(1 + r) / r, where r bounds how far it moves any log-odds, always climbs (Sun and
    # Tran-Dinh, 2019); near the maximum r vanishes, and the convergence is Newton's own.
    point = start
    for iteration in range(1, _LIMIT + 1):
        gradient, hessian = derivatives(point)
        try:
            step = solve_anchored(hessian, gradient)
        except np.linalg.LinAlgError:
            return point, False, iteration
        r = max_log_odds_change(step)
        if not math.isfinite(r):
            return point, False, iteration
        if r < _LAST_STEP:
            return point + step, True, iteration
        point = point + step * (math.log1p(r) / r)
    return point, False, _LIMIT


def bradley_terry(counts: PairwiseCounts, prior: float = 0.0) -> ModelFit:
    """Fit the model of Bradley and Terry (1952) by Newton's method."""
    # The i-th of two systems wins with probability 1 / (1 + exp(s_j - s_i)); a tie is half a win
    # for each. A prior adds this many comparisons of each system with an average opponent, half
    # of them won; without it the model must be identified (`find_identifiability_issue`).
    n = len(counts.wins)
    counts = add_prior_opponent(counts, prior)
    compared, shares = counts.compared, counts.shares
    won, lost = shares.sum(axis=1), shares.sum(axis=0)

    def derivatives(strengths: Floats) -> tuple[Floats, Floats]:
        expected = expected_win_rates(strengths)
        return won - (compared * expected).sum(axis=1), _information_at(compared, expected)

    # The log-odds of each system's own share of wins, shrunk by one comparison won and lost.
    start = np.log((won + 1) / (lost + 1))
    strengths, converged, iterations = maximize_newton(
        derivatives, lambda step: float(np.ptp(step)), start
    )
    strengths = strengths[:n]
    return ModelFit(strengths - strengths.mean(), converged, iterations)


def has_infinite_tie_parameter(counts: PairwiseCounts) -> bool:
    """Return whether Davidson's tie parameter is infinite.

    It is if the systems are on levels, and those that tie are one level apart.
    """
    # The likelihood grows for ever with nu if a number for each system exists that is at least 1
    # larger for the winner of each comparison, and at most 1 apart for a tie; that is, if on no
    # cycle wins outnumber ties.
    won, tied = counts.wins > 0, counts.ties > 0
    if not tied.any() or (won & won.T).any():
        return False
    # Bellman and Ford: shortest paths settle unless some cycle is shorter than nothing.
    lengths = np.where(won, -1.0, np.where(tied, 1.0, np.inf))
    distances = np.zeros(len(won))
    for _ in range(len(won) + 1):
        nearer = np.minimum(distances, (distances[:, None] + lengths).min(axis=0))
        if (nearer == distances).all():
            return True
        distances = nearer
    return False


def davidson(counts: PairwiseCounts, prior: float = 0.0) -> ModelFit:
    """Fit the model of Davidson (1970), which has a parameter nu for ties, by Newton's method."""
    # The probabilities that the first wins, the second wins and that they tie are as
    # exp((s_i - s_j) / 2) to exp((s_j - s_i) / 2) to nu. Without a prior it must be identified,
    # and ties must not explain the wins (`has_infinite_tie_parameter`).
    fit = bradley_terry(counts, prior)
    tied = float(np.triu(counts.ties).sum())
    if tied == 0:
        return fit
    n_systems = len(counts.wins)
    counts, start = add_average_prior_opponent(counts, fit.strengths, prior)
    n = len(counts.wins)
    compared = counts.compared
    won = counts.shares.sum(axis=1)
    # The prior's opponent has no ties, and tells nothing of how likely they are.
    may_tie = np.ones((n, n))
    may_tie[n_systems:] = may_tie[:, n_systems:] = 0.0

    def derivatives(point: Floats) -> tuple[Floats, Floats]:
        strengths, nu = point[:n], math.exp(point[n]) * may_tie
        half = np.clip((strengths[:, None] - strengths) / 2, -350, 350)
        odds = np.exp(half)
        scale = odds + odds.T + nu
        win, tie = odds / scale, nu / scale
        gradient = np.append(
            won - (compared * (win + tie / 2)).sum(axis=1), tied - (compared * tie).sum() / 2
        )
        difference = win - win.T
        variances = compared * (win + win.T - difference**2) / 4
        hessian = np.empty((n + 1, n + 1))
        hessian[:n, :n] = -variances
        np.fill_diagonal(hessian[:n, :n], variances.sum(axis=1))
        hessian[n, :n] = hessian[:n, n] = -(compared * difference * tie).sum(axis=1) / 2
        hessian[n, n] = (compared * tie * (1 - tie)).sum() / 2
        return gradient, hessian

    def spread(step: Floats) -> float:
        apart = float(np.ptp(step[:n]))
        return max(apart, apart / 2 + abs(float(step[n])))

    # Half of the comparisons tied between equals is nu = 2; pairs far apart tie less than that.
    decided = float(counts.wins[:n_systems, :n_systems].sum())
    start = np.append(start, math.log(2 * tied / decided))
    point, converged, iterations = maximize_newton(derivatives, spread, start)
    strengths = point[:n_systems] - point[:n_systems].mean()
    return ModelFit(strengths, converged, fit.iterations + iterations, math.exp(point[n]))


def elo(
    duels: ComparisonArrays, n_systems: int, k: float, base: float, scale: float, initial: float
) -> Floats:
    """Rate systems after the comparisons one by one, in their order (Elo, 1978)."""
    # After each comparison the rating of the left system rises, and that of the right one falls, by
    # k times the weight times (outcome - expected outcome); the expected outcome is
    # 1 / (1 + base ** ((r_right - r_left) / scale)).
    ratings = [initial] * n_systems
    half = math.log(base) / scale / 2
    tanh = math.tanh
    results = ((duels.outcomes + 1) / 2).tolist()
    weights = np.ones(len(duels)) if duels.weights is None else duels.weights
    steps = (k * weights).tolist()
    systems = duels.left.tolist(), duels.right.tolist()
    for left, right, result, step in zip(*systems, results, steps, strict=True):
        # (1 + tanh(x / 2)) / 2 is the logistic function, and never overflows.
        expected = 0.5 + 0.5 * tanh((ratings[left] - ratings[right]) * half)
        change = step * (result - expected)
        ratings[left] += change
        ratings[right] -= change
    return np.array(ratings)
