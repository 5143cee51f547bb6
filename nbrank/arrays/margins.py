"""Rules that look only at who beats whom, and by how much."""

from __future__ import annotations

import numpy as np

from nbrank.arrays.kinds import Floats
from nbrank.arrays.pair_counts import PairwiseCounts


def condorcet(counts: PairwiseCounts) -> Floats:
    """1 for the system that beats every other, 0 for all others.

    >>> wins = np.array([[0.0, 2.0, 2.0], [1.0, 0.0, 3.0], [1.0, 0.0, 0.0]])
    >>> condorcet(PairwiseCounts(wins, np.zeros((3, 3)), 3.0)).tolist()
    [1.0, 0.0, 0.0]
    """
    beaten = np.count_nonzero(counts.margins > 0, axis=1)
    return np.where(beaten == len(beaten) - 1, 1.0, 0.0)


def copeland(counts: PairwiseCounts) -> Floats:
    """The number of systems beaten minus the number it is beaten by.

    >>> wins = np.array([[0.0, 2.0, 2.0], [1.0, 0.0, 3.0], [1.0, 0.0, 0.0]])
    >>> copeland(PairwiseCounts(wins, np.zeros((3, 3)), 3.0)).tolist()
    [2.0, 0.0, -2.0]
    """
    return np.sign(counts.margins).sum(axis=1)


def _minus_worst(defeats: Floats) -> Floats:
    """Minus the largest entry of each row, the diagonal left out; 0 where there is no opponent."""
    if len(defeats) == 1:
        return np.zeros(1)
    against = defeats.copy()
    np.fill_diagonal(against, -np.inf)
    # Adding 0 turns the -0.0 of an undefeated system into 0.0.
    worst: Floats = against.max(axis=1)
    return -worst + 0.0


def minimax_winning_votes(counts: PairwiseCounts) -> Floats:
    """Minus the most votes that a system which beats it has against it, 0 if none beats it."""
    return _minus_worst(np.where(counts.margins.T > 0, counts.wins.T, 0.0))


def minimax_margins(counts: PairwiseCounts) -> Floats:
    """Minus the largest margin against it; positive for a system that beats every other."""
    return _minus_worst(counts.margins.T)


def minimax_opposition(counts: PairwiseCounts) -> Floats:
    """Minus the most votes that any system has against it."""
    return _minus_worst(counts.wins.T)
