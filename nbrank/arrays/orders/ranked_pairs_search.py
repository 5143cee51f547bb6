"""Ranked pairs: who wins when wins are locked in, the clearest first, unless they close a cycle."""

# Sets of systems are the bits of an integer here: the search asks for little else than whether one
# system reaches another along locked pairs, and remembers the states it has seen.

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from nbrank.arrays.ballots.pairwise_counts import PairwiseCounts
from nbrank.arrays.orders import majority_graphs
from nbrank.arrays.orders.linear_orders import NO_DEADLINE, Deadline, strong_components
from nbrank.arrays.typing import Bools, Floats

Pair = tuple[int, int]

#: States that the search for the ranked-pairs winners looks at before it gives up.
SEARCH_LIMIT = 5_000
#: Steps of a recursion after which the clock is looked at.
_STEPS = 64


def _bit_positions(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _has_path(reach: Sequence[int], a: int, b: int) -> bool:
    return bool(reach[a] >> b & 1)


def _lock(reach: list[int], pair: Pair) -> None:
    """Lock a pair in: who reaches its winner reaches its loser, and all that this one reaches."""
    winner, loser = pair
    if _has_path(reach, winner, loser):
        return
    gained = reach[loser] | 1 << loser
    for system, reached in enumerate(reach):
        if system == winner or reached >> winner & 1:
            reach[system] = reached | gained


def _closed(reach: Sequence[int], pairs: Iterable[Pair], deadline: Deadline) -> list[int]:
    """Lock many pairs in: for each system the set that it then reaches."""
    reached = list(reach)
    for winner, loser in pairs:
        reached[winner] |= 1 << loser
    # Warshall's recursion takes the same steps however many pairs there are.
    for middle in range(len(reached)):
        if not middle % _STEPS:
            deadline.check()
        here, below = 1 << middle, reached[middle]
        if below:
            reached = [item | below if item & here else item for item in reached]
    return reached


def _find_reachable(start: int, neighbours: Sequence[int]) -> int:
    result, frontier = 1 << start, 1 << start
    while frontier:
        new = 0
        for system in _bit_positions(frontier):
            new |= neighbours[system]
        frontier = new & ~result
        result |= frontier
    return result


@dataclass(frozen=True)
class _State:
    """How far the pairs are settled on one branch of the search."""

    level: int  # the position of the tied pairs that are being settled
    reach: tuple[int, ...]  # for each system the set of those below it along locked pairs
    open: tuple[Pair, ...]  # the pairs of this level that are neither locked nor refused
    #: The pairs of this level that the branch wants refused: by the end of the level their loser
    #: must reach their winner, or no order of the pairs refuses them.
    rejected: frozenset[Pair]


class _RankedPairsSearch:
    """Does a system win under some order of the tied pairs?"""

    # A system wins if no pair that it loses is ever locked, so those are refused from the start.
    # Pairs are settled level by level, the clearest wins first. Pairs of one level that close no
    # cycle together are all locked, whatever their order; where they do close one, two branches
    # lock, or refuse, one pair on it. A branch ends well once the system reaches all that beat it,
    # and badly when a refused pair, or one that will have to be, can no longer be closed to a
    # cycle.

    def __init__(
        self, levels: majority_graphs.MarginLevels, limit: int, looked_at: int, deadline: Deadline
    ) -> None:
        self.limit, self.deadline = limit, deadline
        self.n_visited = looked_at
        self.pairs: list[list[Pair]] = []
        for level in np.unique(levels[levels > 0])[::-1]:
            deadline.check()
            winners, losers = np.nonzero(levels == level)
            self.pairs.append(list(zip(winners.tolist(), losers.tolist(), strict=True)))
        self.defeats = [
            sum(1 << int(winner) for winner in np.flatnonzero(column)) for column in levels.T
        ]

    def wins(self, system: int) -> bool:
        """Return whether the system wins under some order of the tied pairs."""
        stack = [self._start_level(0, [0] * len(self.defeats), system)]
        seen: set[_State] = set()
        while stack:
            state = stack.pop()
            if state in seen:
                continue
            seen.add(state)
            self.deadline.check()
            self.n_visited += 1
            if self.n_visited > self.limit:
                raise majority_graphs.SearchLimitError(f"after {self.limit:,} states of the search")
            settled = self._propagate(state, system)
            if settled is None:
                continue
            if self._is_safe_winner(settled.reach, system):
                return True
            if self._can_still_win(settled, system):
                stack.extend(self._branch(settled, system))
        return False

    def _is_safe_winner(self, reach: Sequence[int], system: int) -> bool:
        """Return whether every pair that the system loses is rejected."""
        return not self.defeats[system] & ~reach[system]

    def _propagate(self, state: _State, system: int) -> _State | None:
        """Do all that leaves no choice; None if the system can't win."""
        while not self._is_safe_winner(state.reach, system):
            if state.level == len(self.pairs):
                return None
            pairs = [pair for pair in state.open if not self._is_decided(state.reach, pair)]
            possible = _closed(state.reach, pairs, self.deadline)
            if not all(_has_path(possible, loser, winner) for winner, loser in state.rejected):
                return None
            on_cycles = tuple(pair for pair in pairs if _has_path(possible, pair[1], pair[0]))
            if on_cycles:
                cyclic = set(on_cycles)
                rest = [pair for pair in pairs if pair not in cyclic]
                reach = _closed(state.reach, rest, self.deadline)
                return replace(state, reach=tuple(reach), open=on_cycles)
            state = self._start_level(state.level + 1, possible, system)
        return state

    def _start_level(self, level: int, reach: Sequence[int], system: int) -> _State:
        """Refuse the pairs of a level that the system loses, and leave its others open."""
        pairs = self.pairs[level] if level < len(self.pairs) else []
        pairs = [pair for pair in pairs if not self._is_decided(reach, pair)]
        lost = {pair for pair in pairs if pair[1] == system}
        rest = tuple(pair for pair in pairs if pair not in lost)
        return _State(level, tuple(reach), rest, frozenset(lost))

    @staticmethod
    def _is_decided(reach: Sequence[int], pair: Pair) -> bool:
        winner, loser = pair
        return _has_path(reach, winner, loser) or _has_path(reach, loser, winner)

    def _can_still_win(self, state: _State, system: int) -> bool:
        """Return whether the system could reach each that beats it by wins at least as clear."""
        available = list(state.reach)
        for winner, loser in state.open:
            available[winner] |= 1 << loser
        reached = _find_reachable(system, available)
        for pairs in self.pairs[state.level + 1 :]:
            self.deadline.check()
            threats = 0
            for winner, loser in pairs:
                if loser == system:
                    threats |= 1 << winner
                elif not _has_path(state.reach, loser, winner):
                    available[winner] |= 1 << loser
            if threats & ~reached:
                reached = _find_reachable(system, available)
                if threats & ~reached:
                    return False
        return True

    def _branch(self, state: _State, system: int) -> tuple[_State, _State]:
        """Refuse the pair that would take the system furthest, or lock it, which is tried first."""
        below = state.reach[system] | 1 << system
        wanted = {winner for winner, _ in state.rejected} | set(
            _bit_positions(self.defeats[system])
        )

        def promise(pair: Pair) -> int:
            winner, loser = pair
            leads_on = below >> winner & 1 and not below >> loser & 1
            return (1 + (loser in wanted)) if leads_on else 0

        chosen = max(state.open, key=promise)
        rest = tuple(pair for pair in state.open if pair != chosen)
        locked = list(state.reach)
        _lock(locked, chosen)
        return (
            replace(state, open=rest, rejected=state.rejected | {chosen}),
            replace(state, open=rest, reach=tuple(locked)),
        )


def ranked_pairs(
    counts: PairwiseCounts, limit: int = SEARCH_LIMIT, deadline: Deadline = NO_DEADLINE
) -> Floats:
    """Return 1 for the systems that win under some order of the tied pairs, else 0."""
    # Raises SearchLimitError after this many states, and DeadlineExceeded at the deadline.
    # Three things keep the search short. A winner must reach each system that beats it by wins at
    # least as clear (so it is a winner by split cycle), which the strongest paths tell. Only pairs
    # within a strongly connected component can close a cycle, so components are searched alone. And
    # the search asks about one system at a time, see `_RankedPairsSearch`.
    levels = majority_graphs.margin_levels(counts)
    possible: Bools = np.all(majority_graphs.strongest_paths(levels) >= levels.T, axis=1)
    component = strong_components(levels > 0)
    result = np.zeros(len(levels))
    looked_at = 0
    for number in np.unique(component[possible]):
        members = np.flatnonzero(component == number)
        search = _RankedPairsSearch(levels[np.ix_(members, members)], limit, looked_at, deadline)
        for position in np.flatnonzero(possible[members]).tolist():
            result[members[position]] = search.wins(position)
        looked_at = search.n_visited
    return result


def ranked_pairs_with_tie_order(counts: PairwiseCounts) -> Floats:
    """Return 1 for the winner if the order of the systems settles tied pairs, else 0."""
    # Of pairs with the same margin the one whose winner stands first goes first, and of those with
    # the same winner the one whose loser stands last. Where two systems tie, the one that stands
    # first counts as the winner, after all wins.
    levels = majority_graphs.margin_levels(counts)
    n = len(levels)
    ties = np.triu((levels == 0) & (levels.T == 0), k=1)
    winners, losers = np.nonzero((levels > 0) | ties)
    reach = [0] * n
    for position in np.lexsort((-losers, winners, -levels[winners, losers])):
        pair = int(winners[position]), int(losers[position])
        if not _has_path(reach, pair[1], pair[0]):
            _lock(reach, pair)
    everyone = (1 << n) - 1
    return np.array([float(reach[system] | 1 << system == everyone) for system in range(n)])
