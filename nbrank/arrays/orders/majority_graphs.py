"""Rules, lotteries and sets that look only at who beats whom, by how much, and through whom."""

from collections.abc import Callable, Iterable
from contextlib import suppress

import numpy as np

from nbrank.arrays.ballots.pairwise_counts import PairwiseCounts
from nbrank.arrays.ballots.profile import TOLERANCE, dense_ranks
from nbrank.arrays.chunking import chunk_slices
from nbrank.arrays.orders.linear_orders import strong_components
from nbrank.arrays.orders.linear_programming import solve_lp
from nbrank.arrays.typing import Bools, Floats, Positions

MarginLevels = Positions

#: Systems in a block of strongest paths: such a block of rows fits into the cache.
_MIDDLES = 64


class SearchLimitError(ValueError):
    """An exact answer needs a longer search than the stated limit."""


class UnevenMarginsError(ValueError):
    """Margins are too different in size for a linear programme in floats."""


#: The score of each row, from its margins over the columns, the weight of each column against it,
#: and which columns are not opponents of it.
PairwiseScore = Callable[[Floats, Floats, Bools], Floats]


def condorcet(margins: Floats, _: Floats, no_opponent: Bools) -> Floats:
    """Return 1 for the system that beats every other, 0 for all others."""
    return np.asarray(((margins > 0) | no_opponent).all(axis=-1), dtype=np.float64)


def copeland(margins: Floats, _: Floats, no_opponent: Bools) -> Floats:
    """Count the systems beaten minus those it is beaten by."""
    return np.asarray(np.where(no_opponent, 0.0, np.sign(margins)).sum(axis=-1))


def winning_votes(margins: Floats, votes_against: Floats, no_opponent: Bools) -> Floats:
    """Return minus the most votes for a system that beats it; 0 if none beats it."""
    return opposition(margins, np.where(margins < 0, votes_against, 0.0), no_opponent)


def worst_margin(margins: Floats, _: Floats, no_opponent: Bools) -> Floats:
    """Return minus the largest margin against it; positive if it beats every other."""
    return opposition(margins, -margins, no_opponent)


def opposition(_: Floats, against: Floats, no_opponent: Bools) -> Floats:
    """Return minus the most votes that any system has against it; infinite without an opponent."""
    # Adding 0 turns the -0.0 of an undefeated system into 0.0.
    return 0.0 - np.where(no_opponent, -np.inf, against).max(axis=-1)


#: Scores by majorities.
PAIRWISE_SCORES: dict[str, PairwiseScore] = {
    "condorcet": condorcet,
    "copeland": copeland,
    "winning_votes": winning_votes,
    "margins": worst_margin,
    "opposition": opposition,
}


def score_pairwise(counts: PairwiseCounts, score: PairwiseScore) -> Floats:
    """Score each system against all others; 0 for one that is alone."""
    itself = np.eye(len(counts.wins), dtype=bool)
    result = score(counts.margins, counts.wins.T, itself)
    return np.where(np.isinf(result), 0.0, result)


def margin_levels(counts: PairwiseCounts) -> MarginLevels:
    """Number the sizes of the wins from the narrowest (1); 0 if the row doesn't win."""
    # Margins within the tolerance of each other are one size: rounding must not say which of two
    # wins is the clearer one.
    margins = counts.margins
    levels = np.zeros(margins.shape, dtype=np.intp)
    beats = margins > 0
    levels[beats] = dense_ranks(margins[beats], TOLERANCE * counts.total) + 1
    return levels


def strongest_paths(levels: MarginLevels) -> MarginLevels:
    """Find the level of the weakest win on the best path of each pair; 0 without a path."""
    # Floyd and Warshall's recursion by blocks of middle systems, so that what is worked on stays in
    # the cache: first the rows of the block, then all others, a few at a time.
    paths = levels.astype(np.min_scalar_type(levels.max(initial=0)))
    for block in chunk_slices(0, len(paths), _MIDDLES):
        middles = range(block.start, block.stop)
        _extend_paths(paths[block], paths, middles)
        for rows in chunk_slices(0, len(paths), _MIDDLES):
            if rows != block:
                _extend_paths(paths[rows], paths, middles)
    return paths.astype(levels.dtype)


def _extend_paths(rows: MarginLevels, paths: MarginLevels, middles: Iterable[int]) -> None:
    """Replace paths from some systems by better ones through each of the middle systems."""
    by_way_of = np.empty_like(rows)
    for middle in middles:
        np.minimum(rows[:, middle, None], paths[middle], out=by_way_of)
        np.maximum(rows, by_way_of, out=rows)


def schulze(counts: PairwiseCounts) -> Floats:
    """Return minus the number of systems whose strongest path to it beats the one back."""
    paths = strongest_paths(margin_levels(counts))
    # Adding 0 turns the -0.0 of an undefeated system into 0.0.
    beaten_by: Positions = np.count_nonzero(paths > paths.T, axis=0)
    return -beaten_by.astype(np.float64) + 0.0


def undominated_components(relation: Bools) -> Bools:
    """Return the members of components that no outside system is related to."""
    component = strong_components(relation)
    into = relation & (component[:, None] != component)
    entered = np.unique(component[into.any(axis=0)])
    return ~np.isin(component, entered)


def smith_set(counts: PairwiseCounts) -> Bools:
    """Find the smallest set whose members each beat every system outside."""
    return undominated_components(counts.margins >= 0)


def schwartz_set(counts: PairwiseCounts) -> Bools:
    """Unite the smallest sets whose members are unbeaten from outside."""
    return undominated_components(counts.margins > 0)


def uncovered_set(counts: PairwiseCounts) -> Bools:
    """Return which systems no other covers."""
    # One covers another if it beats it, beats all that the other beats, and is beaten only by such
    # as beat the other too.
    beats = counts.margins > 0
    edges = beats.astype(np.intp)
    missed = (1 - edges) @ edges.T  # [x, y]: systems that y beats and x does not
    exposed = edges.T @ (1 - edges)  # [x, y]: systems that beat x and do not beat y
    covered: Bools = (beats & (missed == 0) & (exposed == 0)).any(axis=0)
    return ~covered


def condorcet_loser(counts: PairwiseCounts) -> Bools:
    """Return which system loses to every other: at most one, and none without an opponent."""
    beaten_by = np.count_nonzero(counts.margins < 0, axis=1)
    return beaten_by == max(len(beaten_by) - 1, 1)


#: Probabilities, and slacks of constraints, this small are 0 to the linear programmes.
_SOLVED = 1e-8
#: Margins that differ by more than 2 to the power of this are balanced for them.
_MAX_MARGIN_RATIO = 10


def majority_circles(counts: PairwiseCounts) -> int:
    """Count the circles of three systems in which each beats the next."""
    beats = (counts.margins > 0).astype(np.float32)
    # Each path of two wins that a third one closes, counted from each of its three systems.
    return round(float(np.einsum("ij,ji->", beats @ beats, beats, dtype=np.float64)) / 3)


def leximin_lottery(counts: PairwiseCounts) -> tuple[Floats, bool]:
    """Find the maximal lottery with the largest smallest probability, and so on."""
    from scipy.linalg import null_space

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
    # Odds in other units, a power of two for each system: who is drawn stays the same.
    units = _balancing_units(margins / scale)
    margins = margins / scale * units * units[:, None]
    drawn = _lottery_support(margins)
    essential = smith[drawn]
    # Against a system that some maximal lottery draws, every maximal lottery breaks even: within
    # the essential systems these are the solutions of a linear system. Some maximal lottery draws
    # all of them and beats every other system, so it can move a little along any solution.
    basis = null_space(margins[np.ix_(drawn, drawn)], rcond=TOLERANCE)
    odds = basis * units[drawn, None]
    unique = basis.shape[1] == 1
    if unique:
        probabilities[essential] = odds[:, 0] / odds[:, 0].sum()
    else:
        probabilities[essential] = _leximin_point(odds, margins[np.ix_(~drawn, drawn)] @ basis)
    if (units != 1).any():
        _check_lottery(margins, probabilities[smith] / units, drawn, strictly=unique)
    return probabilities, unique


def _check_lottery(margins: Floats, odds: Floats, support: Bools, *, strictly: bool) -> None:
    """Refuse a lottery that isn't maximal, or whose support is uncertain."""
    gains, sizes = margins @ odds, np.abs(margins) @ odds
    even = np.abs(gains) <= _SOLVED * sizes
    positive = odds[support] > 0
    if not (positive.all() and even[support].all() and (even | (gains < 0)).all()) or (
        strictly and even[~support].any()
    ):
        raise UnevenMarginsError("the margins are too unequal for odds in floats")


def _balancing_units(margins: Floats) -> Floats:
    """Return powers of two that bring margins of very different sizes near to 1, row by column."""
    observed = margins != 0
    sizes = np.log2(np.where(observed, np.abs(margins), 1.0))
    if np.ptp(sizes[observed]) <= _MAX_MARGIN_RATIO:
        return np.ones(len(margins))
    sums = observed + np.diag(observed.sum(axis=0))
    exponents = np.linalg.lstsq(sums, -sizes.sum(axis=0), rcond=None)[0]
    return np.exp2(np.rint(exponents))


def _lottery_support(margins: Floats) -> Bools:
    """Return which systems have a positive probability in some maximal lottery."""
    # Give those not yet found drawn as much as possible, until that is nothing.
    n = len(margins)
    drawn = np.zeros(n, dtype=bool)
    while not drawn.all():
        lottery, _ = _solve_simplex_lp(drawn - 1.0, (margins, np.zeros(n)), np.ones(n), 0.0)
        result = ~drawn & (lottery > _SOLVED)
        if not result.any():
            break
        drawn |= result
    return drawn


def _solve_simplex_lp(
    cost: Floats, at_most: tuple[Floats, Floats], shares: Floats, floor: float | None = None
) -> tuple[Floats, Floats]:
    """Minimise a linear cost, the shares of all coming to 1; with the multipliers."""
    total = shares[None, :], np.ones(1)
    result = None
    with suppress(RuntimeError):  # where the solver gives up
        result = solve_lp(cost, at_most, total, (floor, None), tolerance=1e-10)
    if result is None:
        # There always is a lottery: only rounding can say otherwise.
        raise UnevenMarginsError("the margins are too unequal for odds in floats")
    return np.asarray(result.x), -np.asarray(result.ineqlin.marginals)


def _leximin_point(basis: Floats, against: Floats) -> Floats:
    """Find the leximin point p = basis @ z with p >= 0, sum 1 and against @ z <= 0."""
    # Raise the smallest probability as far as it goes; those that hold it down (a positive
    # multiplier) stay there, then go on with the others.
    n, n_free = basis.shape
    total = basis.sum(axis=0)
    floor = np.zeros(n)
    rising = np.ones(n, dtype=bool)
    while rising.any():
        # p >= floor if it is settled, p >= level if it is rising; the level is maximised.
        at_most = np.block([[-basis, rising[:, None]], [against, np.zeros((len(against), 1))]])
        limits = np.concatenate([np.where(rising, 0.0, -floor), np.zeros(len(against))])
        cost = np.append(np.zeros(n_free), -1.0)
        solution, multipliers = _solve_simplex_lp(cost, (at_most, limits), np.append(total, 0.0))
        level = solution[-1]
        held = rising & (multipliers[:n] > 1e-6)
        floor[held] = level
        rising &= ~held
    # The point is the only one with these equal probabilities and these constraints met exactly:
    # the equations give it without the programme's tolerance.
    block = dense_ranks(floor, _SOLVED)
    leader = np.array([np.flatnonzero(block == number)[0] for number in block])
    met = against[np.abs(against @ solution[:-1]) <= _SOLVED]
    equations = np.vstack([basis - basis[leader], met, total])
    free = np.linalg.lstsq(equations, np.append(np.zeros(len(equations) - 1), 1.0), rcond=None)[0]
    point = np.clip(basis @ free, 0.0, None)
    return point / point.sum()
