"""Rules and sets that look only at who beats whom, by how much, and through whom."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nbrank.arrays.kinds import Bools, Floats, Positions
from nbrank.arrays.orders import components
from nbrank.arrays.pair_counts import PairwiseCounts
from nbrank.arrays.profile import TOLERANCE, dense_order

Levels = Positions


class SearchLimitError(ValueError):
    """An exact answer needs a longer search than the stated limit."""


#: The score of each row, from its margins over the columns, the weight of each column against it,
#: and which columns are no opponents of it.
Score = Callable[[Floats, Floats, Bools], Floats]


def condorcet(margins: Floats, _: Floats, beside: Bools) -> Floats:
    """1 for the system that beats every other, 0 for all others."""
    return np.asarray(((margins > 0) | beside).all(axis=-1), dtype=np.float64)


def copeland(margins: Floats, _: Floats, beside: Bools) -> Floats:
    """The number of systems beaten minus the number it is beaten by."""
    return np.asarray(np.where(beside, 0.0, np.sign(margins)).sum(axis=-1))


def winning_votes(margins: Floats, against: Floats, beside: Bools) -> Floats:
    """Minus the most votes that a system which beats it has against it, 0 if none beats it."""
    return opposition(margins, np.where(margins < 0, against, 0.0), beside)


def least_margin(margins: Floats, _: Floats, beside: Bools) -> Floats:
    """Minus the largest margin against it; positive for a system that beats every other."""
    return opposition(margins, -margins, beside)


def opposition(_: Floats, against: Floats, beside: Bools) -> Floats:
    """Minus the most votes that any system has against it; infinite where it has no opponent."""
    # Adding 0 turns the -0.0 of an undefeated system into 0.0.
    return 0.0 - np.where(beside, -np.inf, against).max(axis=-1)


#: What can be told of majorities.
SCORES: dict[str, Score] = {
    "condorcet": condorcet,
    "copeland": copeland,
    "winning_votes": winning_votes,
    "margins": least_margin,
    "opposition": opposition,
}


def one_against_one(counts: PairwiseCounts, score: Score) -> Floats:
    """The score of each system against all others; 0 for one that is alone."""
    itself = np.eye(len(counts.wins), dtype=bool)
    found = score(counts.margins, counts.wins.T, itself)
    return np.where(np.isinf(found), 0.0, found)


def margin_levels(counts: PairwiseCounts) -> Levels:
    """Number the sizes of the wins from the narrowest (1); 0 where the row doesn't win."""
    # Margins within the tolerance of each other are one size: rounding must not say which of two
    # wins is the clearer one.
    margins = counts.margins
    levels = np.zeros(margins.shape, dtype=np.intp)
    beats = margins > 0
    levels[beats] = dense_order(margins[beats], TOLERANCE * counts.total) + 1
    return levels


def strongest_paths(levels: Levels) -> Levels:
    """The level of the weakest win on the best path from each to each other; 0 for no path."""
    # Floyd and Warshall's recursion, one middle system at a time.
    # As small as the levels allow, so that the square stays in the cache.
    paths = levels.astype(np.min_scalar_type(levels.max(initial=0)))
    by_way_of = np.empty_like(paths)
    for middle in range(len(paths)):
        np.minimum(paths[:, middle, None], paths[middle], out=by_way_of)
        np.maximum(paths, by_way_of, out=paths)
    return paths.astype(levels.dtype)


def schulze(counts: PairwiseCounts) -> Floats:
    """Minus the number of systems whose strongest path to it is stronger than the one back."""
    paths = strongest_paths(margin_levels(counts))
    # Adding 0 turns the -0.0 of an undefeated system into 0.0.
    beaten_by: Positions = np.count_nonzero(paths > paths.T, axis=0)
    return -beaten_by.astype(np.float64) + 0.0


def unentered(relation: Bools) -> Bools:
    """The members of the components that nobody outside stands in relation to."""
    component = components(relation)
    into = relation & (component[:, None] != component)
    entered = np.unique(component[into.any(axis=0)])
    return ~np.isin(component, entered)


def smith_set(counts: PairwiseCounts) -> Bools:
    """The smallest set whose members each beat every system outside."""
    return unentered(counts.margins >= 0)


def schwartz_set(counts: PairwiseCounts) -> Bools:
    """The union of the smallest sets that no system outside beats any member of."""
    return unentered(counts.margins > 0)


def uncovered_set(counts: PairwiseCounts) -> Bools:
    """The systems that no other covers."""
    # One covers another if it beats it, beats all that the other beats, and is beaten only by such
    # as beat the other too.
    beats = counts.margins > 0
    edges = beats.astype(np.intp)
    missed = (1 - edges) @ edges.T  # [x, y]: systems that y beats and x does not
    exposed = edges.T @ (1 - edges)  # [x, y]: systems that beat x and do not beat y
    covered: Bools = (beats & (missed == 0) & (exposed == 0)).any(axis=0)
    return ~covered


def condorcet_loser(counts: PairwiseCounts) -> Bools:
    """Which system loses to every other: one at most, and none where it has no opponent."""
    beaten_by = np.count_nonzero(counts.margins < 0, axis=1)
    return beaten_by == max(len(beaten_by) - 1, 1)
