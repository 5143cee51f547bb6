"""Maximal lotteries: the optimal strategies of the game whose pay-offs are the margins."""

from __future__ import annotations

import numpy as np

from nbrank.arrays.kinds import Bools, Floats
from nbrank.arrays.linear_programme import cheapest
from nbrank.arrays.majority_graphs import smith_set
from nbrank.arrays.pair_counts import PairwiseCounts
from nbrank.arrays.profile import TOLERANCE, dense_order

#: Probabilities, and slacks of constraints, this small are 0 to the linear programmes.
_SOLVED = 1e-8


def leximin_lottery(counts: PairwiseCounts) -> tuple[Floats, bool]:
    """The maximal lottery with the largest smallest probability, ..., and whether it is alone."""
    # A lottery is maximal if no system is expected to win against a system drawn from it: these are
    # the optimal strategies of the game whose pay-offs are the margins. They form a polytope, on
    # which the leximin one is a single point that depends on nothing but the margins.
    probabilities = np.zeros(len(counts.wins))
    # All maximal lotteries draw from the Smith set only.
    smith = np.flatnonzero(smith_set(counts))
    margins = counts.margins[np.ix_(smith, smith)]
    scale = np.abs(margins).max()
    if scale == 0:
        probabilities[smith] = 1 / len(smith)
        return probabilities, len(smith) == 1
    margins = margins / scale
    drawn = _drawn_by_some(margins)
    essential = smith[drawn]
    # Against a system that some maximal lottery draws, every maximal lottery breaks even: within
    # the essential systems these are the solutions of a linear system. Some maximal lottery draws
    # all of them and beats every other system, so it can move a little along any solution.
    basis = _null_space(margins[np.ix_(drawn, drawn)])
    if basis.shape[1] == 1:
        probabilities[essential] = basis[:, 0] / basis[:, 0].sum()
        return probabilities, True
    probabilities[essential] = _leximin(basis, margins[np.ix_(~drawn, drawn)] @ basis)
    return probabilities, False


def _drawn_by_some(margins: Floats) -> Bools:
    """Which systems have a positive probability in some maximal lottery."""
    # Give those not yet found drawn as much as possible, until that is nothing.
    n = len(margins)
    drawn = np.zeros(n, dtype=bool)
    while not drawn.all():
        lottery, _ = _solve(drawn - 1.0, (margins, np.zeros(n)), np.ones(n), 0.0)
        found = ~drawn & (lottery > _SOLVED)
        if not found.any():
            break
        drawn |= found
    return drawn


def _null_space(matrix: Floats) -> Floats:
    """An orthonormal basis, in columns, of what a skew-symmetric matrix sends to 0."""
    _, sizes, rows = np.linalg.svd(matrix)
    return rows[sizes <= TOLERANCE * max(sizes.max(), 1.0)].T


def _solve(
    cost: Floats, at_most: tuple[Floats, Floats], shares: Floats, least: float | None = None
) -> tuple[Floats, Floats]:
    """Minimise a linear cost, the shares of all coming to 1; with the multipliers."""
    total = shares[None, :], np.ones(1)
    found = cheapest(cost, at_most, total, (least, None), tolerance=1e-10)
    assert found is not None
    return np.asarray(found.x), -np.asarray(found.ineqlin.marginals)


def _leximin(basis: Floats, against: Floats) -> Floats:
    """The leximin point p = basis @ z with p >= 0, sum 1 and against @ z <= 0."""
    # Raise the smallest probability as far as it goes; those that hold it down (a positive
    # multiplier) stay there, then go on with the others.
    n, n_free = basis.shape
    total = basis.sum(axis=0)
    floor = np.zeros(n)
    rising = np.ones(n, dtype=bool)
    while rising.any():
        # p >= floor where it is settled, p >= level where it is rising; the level is maximised.
        at_most = np.block([[-basis, rising[:, None]], [against, np.zeros((len(against), 1))]])
        limits = np.concatenate([np.where(rising, 0.0, -floor), np.zeros(len(against))])
        cost = np.append(np.zeros(n_free), -1.0)
        solution, multipliers = _solve(cost, (at_most, limits), np.append(total, 0.0))
        level = solution[-1]
        held = rising & (multipliers[:n] > 1e-6)
        floor[held] = level
        rising &= ~held
    # The point is the only one with these equal probabilities and these constraints met exactly:
    # the equations give it without the programme's tolerance.
    block = dense_order(floor, _SOLVED)
    leader = np.array([np.flatnonzero(block == number)[0] for number in block])
    met = against[np.abs(against @ solution[:-1]) <= _SOLVED]
    equations = np.vstack([basis - basis[leader], met, total])
    free = np.linalg.lstsq(equations, np.append(np.zeros(len(equations) - 1), 1.0), rcond=None)[0]
    point = np.clip(basis @ free, 0.0, None)
    return point / point.sum()
