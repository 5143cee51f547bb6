"""Rules and sets that follow paths in the weighted majority graph: who beats whom, through whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from nbrank.arrays.pair_counts import PairwiseCounts
from nbrank.arrays.profile import TOLERANCE, dense_order

Levels = NDArray[np.intp]
Mask = NDArray[np.bool_]
Pair = tuple[int, int]

#: States that the search for the ranked-pairs winners looks at before it gives up.
SEARCH_LIMIT = 5_000


class SearchLimitError(ValueError):
    """An exact answer needs a longer search than the stated limit."""


def margin_levels(counts: PairwiseCounts) -> Levels:
    """Number the sizes of the wins from the narrowest (1); 0 where the row doesn't beat the column.

    Margins within the tolerance of each other are one size: rounding must not
    say which of two wins is the clearer one.

    >>> wins = np.array([[0.0, 2.0, 1.0], [1.0, 0.0, 3.0], [2.0, 0.0, 0.0]])
    >>> margin_levels(PairwiseCounts(wins, np.zeros((3, 3)), 3.0)).tolist()
    [[0, 1, 0], [0, 0, 2], [1, 0, 0]]
    """
    margins = counts.margins
    levels = np.zeros(margins.shape, dtype=np.intp)
    beats = margins > 0
    levels[beats] = dense_order(margins[beats], TOLERANCE * counts.total) + 1
    return levels


def strongest_paths(levels: Levels) -> Levels:
    """The level of the weakest win on the best path from each system to each other; 0 for no path.

    Floyd and Warshall's recursion, one middle system at a time.

    >>> strongest_paths(np.array([[0, 1, 0], [0, 0, 2], [3, 0, 0]])).tolist()
    [[1, 1, 1], [2, 1, 2], [3, 1, 1]]
    """
    paths = levels.copy()
    for middle in range(len(paths)):
        np.maximum(paths, np.minimum(paths[:, middle, None], paths[middle]), out=paths)
    return paths


def schulze(counts: PairwiseCounts) -> NDArray[np.float64]:
    """Minus the number of systems whose strongest path to it is stronger than the one back.

    >>> wins = np.array([[0.0, 4.0, 2.0], [1.0, 0.0, 3.0], [3.0, 2.0, 0.0]])
    >>> schulze(PairwiseCounts(wins, np.zeros((3, 3)), 5.0)).tolist()
    [0.0, -1.0, 0.0]
    """
    paths = strongest_paths(margin_levels(counts))
    # Adding 0 turns the -0.0 of an undefeated system into 0.0.
    beaten_by: NDArray[np.intp] = np.count_nonzero(paths > paths.T, axis=0)
    return -beaten_by.astype(np.float64) + 0.0


# ------------------------------------------------------------------------------------- sets


def _components(relation: Mask) -> NDArray[np.intp]:
    """Number the strongly connected components of a relation."""
    from scipy.sparse.csgraph import connected_components

    return np.asarray(connected_components(relation, connection="strong")[1], dtype=np.intp)


def _unentered(relation: Mask) -> Mask:
    """The members of the components that nobody outside stands in relation to."""
    component = _components(relation)
    into = relation & (component[:, None] != component)
    entered = np.unique(component[into.any(axis=0)])
    return ~np.isin(component, entered)


def smith_set(counts: PairwiseCounts) -> Mask:
    """The smallest set whose members each beat every system outside.

    >>> wins = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 2.0], [0.0, 0.0, 0.0]])
    >>> smith_set(PairwiseCounts(wins, np.zeros((3, 3)), 2.0)).tolist()
    [True, True, False]
    """
    return _unentered(counts.margins >= 0)


def schwartz_set(counts: PairwiseCounts) -> Mask:
    """The union of the smallest sets that no system outside beats any member of.

    >>> wins = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    >>> schwartz_set(PairwiseCounts(wins, np.zeros((3, 3)), 2.0)).tolist()
    [True, True, False]
    """
    return _unentered(counts.margins > 0)


def uncovered_set(counts: PairwiseCounts) -> Mask:
    """The systems that no other covers.

    One covers another if it beats it, beats all that the other beats, and is
    beaten only by such as beat the other too.

    >>> wins = np.array([[0.0, 2.0, 1.0], [1.0, 0.0, 3.0], [2.0, 0.0, 0.0]])
    >>> uncovered_set(PairwiseCounts(wins, np.zeros((3, 3)), 3.0)).tolist()
    [True, True, True]
    """
    beats = counts.margins > 0
    edges = beats.astype(np.intp)
    missed = (1 - edges) @ edges.T  # [x, y]: systems that y beats and x does not
    exposed = edges.T @ (1 - edges)  # [x, y]: systems that beat x and do not beat y
    covered: Mask = (beats & (missed == 0) & (exposed == 0)).any(axis=0)
    return ~covered


def condorcet_loser(counts: PairwiseCounts) -> Mask:
    """Which system loses to every other: one at most, and none where it has no opponent.

    >>> wins = np.array([[0.0, 2.0], [1.0, 0.0]])
    >>> condorcet_loser(PairwiseCounts(wins, np.zeros((2, 2)), 3.0)).tolist()
    [False, True]
    """
    beaten_by = np.count_nonzero(counts.margins < 0, axis=1)
    loser: Mask = beaten_by == max(len(beaten_by) - 1, 1)
    return loser


# ----------------------------------------------------------------------------- ranked pairs

# Sets of systems are the bits of an integer here: the search asks for little else than whether
# one system reaches another along locked pairs, and remembers the states it has seen.


def _members(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _reaches(reach: Sequence[int], a: int, b: int) -> bool:
    return bool(reach[a] >> b & 1)


def _lock(reach: list[int], pair: Pair) -> None:
    """Lock a pair in: who reaches its winner reaches its loser, and all that this one reaches."""
    winner, loser = pair
    gained = reach[loser] | 1 << loser
    for system, reached in enumerate(reach):
        if system == winner or reached >> winner & 1:
            reach[system] = reached | gained


def _closure(reach: Sequence[int]) -> list[int]:
    """Follow a relation to its end (Warshall); cycles are welcome."""
    closed = list(reach)
    for middle in range(len(closed)):
        for system, reached in enumerate(closed):
            if reached >> middle & 1:
                closed[system] = reached | closed[middle]
    return closed


def _reached_from(start: int, neighbours: Sequence[int]) -> int:
    found, frontier = 1 << start, 1 << start
    while frontier:
        new = 0
        for system in _members(frontier):
            new |= neighbours[system]
        frontier = new & ~found
        found |= frontier
    return found


@dataclass(frozen=True)
class _State:
    """How far the pairs are settled on one branch of the search.

    Parameters
    ----------
    level
        The position of the tied pairs that are being settled.
    reach
        For each system the set of those below it along locked pairs.
    open
        The pairs of this level that are neither locked nor refused; None before the level is begun.
    refused
        The pairs of this level that the branch wants refused: by the end of the level their loser
        must reach their winner, or no order of the pairs refuses them.
    """

    level: int
    reach: tuple[int, ...]
    open: tuple[Pair, ...] | None = None
    refused: frozenset[Pair] = frozenset()


class _RankedPairsSearch:
    """Does a system win under some order of the tied pairs?

    A system wins if no pair that it loses is ever locked, so those are refused
    from the start. Pairs are settled level by level, the clearest wins first.
    Pairs of one level that close no cycle together are all locked, whatever
    their order; where they do close one, two branches lock, or refuse, one pair
    on it. A branch ends well once the system reaches all that beat it, and badly
    when a refused pair, or one that will have to be, can no longer be closed to
    a cycle.

    Parameters
    ----------
    levels
        The levels of the wins, as from `margin_levels`.
    limit
        How many states may be looked at, over all systems asked about.
    looked_at
        How many of those an earlier search has used.
    """

    def __init__(self, levels: Levels, limit: int, looked_at: int) -> None:
        self.limit = limit
        self.looked_at = looked_at
        self.pairs: list[list[Pair]] = [
            [(int(winner), int(loser)) for winner, loser in np.argwhere(levels == level)]
            for level in np.unique(levels[levels > 0])[::-1]
        ]
        self.beaten_by = [
            sum(1 << int(winner) for winner in np.flatnonzero(column)) for column in levels.T
        ]

    def wins(self, system: int) -> bool:
        """Whether the system wins under some order of the tied pairs."""
        stack = [_State(0, (0,) * len(self.beaten_by))]
        seen: set[_State] = set()
        while stack:
            state = stack.pop()
            if state in seen:
                continue
            seen.add(state)
            self.looked_at += 1
            if self.looked_at > self.limit:
                raise SearchLimitError(f"after {self.limit:,} states of the search")
            settled = self._settle(state, system)
            if settled is None:
                continue
            if self._safe(settled.reach, system):
                return True
            if self._hopeful(settled, system):
                stack.extend(self._branches(settled, system))
        return False

    def _safe(self, reach: Sequence[int], system: int) -> bool:
        """Whether every pair that the system loses will be refused: it reaches all that beat it."""
        return not self.beaten_by[system] & ~reach[system]

    def _settle(self, state: _State, system: int) -> _State | None:
        """Do all that leaves no choice; None if the system can't win."""
        while not self._safe(state.reach, system):
            if state.open is None:
                if state.level == len(self.pairs):
                    return None
                state = self._begin(state, system)
            assert state.open is not None
            reach = list(state.reach)
            pairs = [pair for pair in state.open if not self._decided(reach, pair)]
            trial = list(reach)
            if self._lock_all(trial, pairs):
                if not self._refusals_closed(state.refused, trial):
                    return None
                state = _State(state.level + 1, tuple(trial))
                continue
            possible = list(reach)
            for winner, loser in pairs:
                possible[winner] |= 1 << loser
            possible = _closure(possible)
            if not self._refusals_closed(state.refused, possible):
                return None
            for pair in pairs:
                if not _reaches(possible, pair[1], pair[0]):
                    _lock(reach, pair)
            on_cycles = tuple(pair for pair in pairs if _reaches(possible, pair[1], pair[0]))
            return replace(state, reach=tuple(reach), open=on_cycles)
        return state

    def _begin(self, state: _State, system: int) -> _State:
        pairs = [pair for pair in self.pairs[state.level] if not self._decided(state.reach, pair)]
        return replace(
            state,
            open=tuple(pair for pair in pairs if pair[1] != system),
            refused=frozenset(pair for pair in pairs if pair[1] == system),
        )

    @staticmethod
    def _decided(reach: Sequence[int], pair: Pair) -> bool:
        winner, loser = pair
        return _reaches(reach, winner, loser) or _reaches(reach, loser, winner)

    @staticmethod
    def _lock_all(reach: list[int], pairs: Iterable[Pair]) -> bool:
        """Lock the pairs one after another; False at the first that closes a cycle."""
        for pair in pairs:
            if _reaches(reach, pair[1], pair[0]):
                return False
            if not _reaches(reach, *pair):
                _lock(reach, pair)
        return True

    @staticmethod
    def _refusals_closed(refused: Iterable[Pair], reach: Sequence[int]) -> bool:
        return all(_reaches(reach, loser, winner) for winner, loser in refused)

    def _hopeful(self, state: _State, system: int) -> bool:
        """Whether the system could reach each that beats it by wins at least as clear."""
        available = list(state.reach)
        for winner, loser in state.open or ():
            available[winner] |= 1 << loser
        reached = _reached_from(system, available)
        for pairs in self.pairs[state.level + 1 :]:
            threats = 0
            for winner, loser in pairs:
                if loser == system:
                    threats |= 1 << winner
                elif not _reaches(state.reach, loser, winner):
                    available[winner] |= 1 << loser
            if threats & ~reached:
                reached = _reached_from(system, available)
                if threats & ~reached:
                    return False
        return True

    def _branches(self, state: _State, system: int) -> tuple[_State, _State]:
        """Refuse the pair that would take the system furthest, or lock it, which is tried first."""
        assert state.open
        below = state.reach[system] | 1 << system
        wanted = {winner for winner, _ in state.refused} | set(_members(self.beaten_by[system]))

        def promise(pair: Pair) -> int:
            winner, loser = pair
            leads_on = below >> winner & 1 and not below >> loser & 1
            return (1 + (loser in wanted)) if leads_on else 0

        chosen = max(state.open, key=promise)
        rest = tuple(pair for pair in state.open if pair != chosen)
        locked = list(state.reach)
        _lock(locked, chosen)
        return (
            replace(state, open=rest, refused=state.refused | {chosen}),
            replace(state, open=rest, reach=tuple(locked)),
        )


def ranked_pairs(counts: PairwiseCounts, limit: int = SEARCH_LIMIT) -> NDArray[np.float64]:
    """1 for the systems that win under some order of the tied pairs, else 0.

    Three things keep the search short. A winner must reach each system that
    beats it by wins at least as clear (so it is a winner by split cycle), which
    the strongest paths tell. Only pairs within a strongly connected component
    can close a cycle, so components are searched alone. And the search asks
    about one system at a time, see `_RankedPairsSearch`.

    >>> wins = np.array([[0.0, 2.0, 1.0], [1.0, 0.0, 2.0], [2.0, 1.0, 0.0]])
    >>> ranked_pairs(PairwiseCounts(wins, np.zeros((3, 3)), 3.0)).tolist()
    [1.0, 1.0, 1.0]
    """
    levels = margin_levels(counts)
    possible: Mask = np.all(strongest_paths(levels) >= levels.T, axis=1)
    component = _components(levels > 0)
    result = np.zeros(len(levels))
    looked_at = 0
    for number in np.unique(component[possible]):
        members = np.flatnonzero(component == number)
        search = _RankedPairsSearch(levels[np.ix_(members, members)], limit, looked_at)
        for position in np.flatnonzero(possible[members]).tolist():
            result[members[position]] = search.wins(position)
        looked_at = search.looked_at
    return result


def ranked_pairs_in_order(counts: PairwiseCounts) -> NDArray[np.float64]:
    """1 for the winner by ranked pairs if the order of the systems settles tied pairs, else 0.

    Of pairs with the same margin the one whose winner stands first goes first,
    and of those with the same winner the one whose loser stands last. Where two
    systems tie, the one that stands first counts as the winner, after all wins.

    >>> wins = np.array([[0.0, 2.0, 1.0], [1.0, 0.0, 2.0], [2.0, 1.0, 0.0]])
    >>> ranked_pairs_in_order(PairwiseCounts(wins, np.zeros((3, 3)), 3.0)).tolist()
    [1.0, 0.0, 0.0]
    """
    levels = margin_levels(counts)
    n = len(levels)
    ties = np.triu((levels == 0) & (levels.T == 0), k=1)
    winners, losers = np.nonzero((levels > 0) | ties)
    reach = [0] * n
    for position in np.lexsort((-losers, winners, -levels[winners, losers])):
        pair = int(winners[position]), int(losers[position])
        if not _reaches(reach, pair[1], pair[0]):
            _lock(reach, pair)
    everyone = (1 << n) - 1
    return np.array([float(reach[system] | 1 << system == everyone) for system in range(n)])


# ----------------------------------------------------------------------- maximal lotteries


@dataclass(frozen=True)
class Lottery:
    """A maximal lottery.

    Parameters
    ----------
    probabilities
        One for each system, with sum 1.
    unique
        Whether no other lottery is maximal.
    """

    probabilities: NDArray[np.float64]
    unique: bool


#: Probabilities, and slacks of constraints, this small are 0 to the linear programmes.
_SOLVED = 1e-8


def maximal_lotteries(counts: PairwiseCounts) -> NDArray[np.float64]:
    """The probabilities of the leximin maximal lottery.

    >>> wins = np.array([[0.0, 5.0, 2.0], [0.0, 0.0, 4.0], [3.0, 1.0, 0.0]])
    >>> maximal_lotteries(PairwiseCounts(wins, np.zeros((3, 3)), 5.0)).round(3).tolist()
    [0.333, 0.111, 0.556]
    """
    return leximin_lottery(counts).probabilities


def leximin_lottery(counts: PairwiseCounts) -> Lottery:
    """The maximal lottery whose smallest probability is largest, then the second smallest, ...

    A lottery is maximal if no system is expected to win against a system drawn
    from it: these are the optimal strategies of the game whose pay-offs are the
    margins. They form a polytope, on which the leximin one is a single point
    that depends on nothing but the margins.

    Parameters
    ----------
    counts
        Who beats whom.
    """
    probabilities = np.zeros(len(counts.wins))
    # All maximal lotteries draw from the Smith set only.
    smith = np.flatnonzero(smith_set(counts))
    margins = counts.margins[np.ix_(smith, smith)]
    scale = np.abs(margins).max()
    if scale == 0:
        probabilities[smith] = 1 / len(smith)
        return Lottery(probabilities, unique=len(smith) == 1)
    margins = margins / scale
    drawn = _drawn_by_some(margins)
    essential = smith[drawn]
    # Against a system that some maximal lottery draws, every maximal lottery breaks even: within
    # the essential systems these are the solutions of a linear system. Some maximal lottery draws
    # all of them and beats every other system, so it can move a little along any solution.
    basis = _null_space(margins[np.ix_(drawn, drawn)])
    if basis.shape[1] == 1:
        probabilities[essential] = basis[:, 0] / basis[:, 0].sum()
        return Lottery(probabilities, unique=True)
    probabilities[essential] = _leximin(basis, margins[np.ix_(~drawn, drawn)] @ basis)
    return Lottery(probabilities, unique=False)


def _drawn_by_some(margins: NDArray[np.float64]) -> Mask:
    """Which systems have a positive probability in some maximal lottery.

    Give those not yet found drawn as much as possible, until that is nothing.
    """
    n = len(margins)
    drawn = np.zeros(n, dtype=bool)
    while not drawn.all():
        lottery = _solve(
            drawn - 1.0, margins, np.zeros(n), equal=np.ones(n), bounds=[(0, 1)] * n
        ).values
        found = ~drawn & (lottery > _SOLVED)
        if not found.any():
            break
        drawn |= found
    return drawn


def _null_space(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """An orthonormal basis, in columns, of what a skew-symmetric matrix sends to 0."""
    _, sizes, rows = np.linalg.svd(matrix)
    basis: NDArray[np.float64] = rows[sizes <= TOLERANCE * max(sizes.max(), 1.0)].T
    return basis


@dataclass(frozen=True)
class _Solution:
    values: NDArray[np.float64]
    multipliers: NDArray[np.float64]


def _solve(
    cost: NDArray[np.float64],
    at_most: NDArray[np.float64],
    limits: NDArray[np.float64],
    *,
    equal: NDArray[np.float64],
    bounds: list[tuple[float | None, float | None]],
) -> _Solution:
    """Minimise a linear cost; `equal` is one row that must come to 1."""
    from scipy.optimize import linprog

    found = linprog(
        cost,
        A_ub=at_most,
        b_ub=limits,
        A_eq=equal[None, :],
        b_eq=np.ones(1),
        bounds=bounds,
        method="highs-ds",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if not found.success:
        raise RuntimeError(f"the linear programme of a maximal lottery failed: {found.message}")
    return _Solution(np.asarray(found.x), -np.asarray(found.ineqlin.marginals))


def _leximin(basis: NDArray[np.float64], against: NDArray[np.float64]) -> NDArray[np.float64]:
    """The leximin point p = basis @ z with p >= 0, sum 1 and against @ z <= 0.

    Raise the smallest probability as far as it goes; those that hold it down
    (a positive multiplier) stay there, then go on with the others.
    """
    n, n_free = basis.shape
    total = basis.sum(axis=0)
    floor = np.zeros(n)
    rising = np.ones(n, dtype=bool)
    while rising.any():
        # p >= floor where it is settled, p >= level where it is rising; the level is maximised.
        at_most = np.vstack(
            [
                np.column_stack([-basis, rising.astype(float)]),
                np.column_stack([against, np.zeros(len(against))]),
            ]
        )
        solution = _solve(
            np.append(np.zeros(n_free), -1.0),
            at_most,
            np.concatenate([np.where(rising, 0.0, -floor), np.zeros(len(against))]),
            equal=np.append(total, 0.0),
            bounds=[(None, None)] * (n_free + 1),
        )
        level = solution.values[-1]
        held = rising & (solution.multipliers[:n] > 1e-6)
        floor[held] = level
        rising &= ~held
    # The point is the only one with these equal probabilities and these constraints met exactly:
    # the equations give it without the programme's tolerance.
    block = dense_order(floor, _SOLVED)
    leader = np.array([np.flatnonzero(block == number)[0] for number in block])
    met = against[np.abs(against @ solution.values[:-1]) <= _SOLVED]
    equations = np.vstack([basis - basis[leader], met, total])
    free = np.linalg.lstsq(equations, np.append(np.zeros(len(equations) - 1), 1.0), rcond=None)[0]
    point = np.clip(basis @ free, 0.0, None)
    leximin: NDArray[np.float64] = point / point.sum()
    return leximin
