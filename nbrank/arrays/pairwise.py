"""Who beats whom, how often: the counts from which the majority rules and models start."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nbrank.arrays.parts import each_part
from nbrank.arrays.profile import TOLERANCE, Array, Profile, places

#: Ballots compared at a time: small enough for the rows of a block to stay in cache.
_BLOCK = 1 << 15
#: From this many ballots on, a call for each pair costs less than reducing a table of booleans.
_LONG = 2048


@dataclass(frozen=True)
class PairwiseCounts:
    """The weight of ballots on which each system beats, or ties with, each other.

    Parameters
    ----------
    wins
        `wins[i, j]` is the weight of the ballots on which i stands strictly above j.
    ties
        `ties[i, j]` is the weight of the ballots on which both have the same score.
    total
        The weight of all ballots, the scale on which margins are compared.
    """

    wins: NDArray[np.float64]
    ties: NDArray[np.float64]
    total: float

    @property
    def compared(self) -> NDArray[np.float64]:
        """The weight of the ballots on which both have a score."""
        return self.wins + self.wins.T + self.ties

    @property
    def shares(self) -> NDArray[np.float64]:
        """The weight won, a tie being half to each."""
        return self.wins + self.ties / 2

    @property
    def margins(self) -> NDArray[np.float64]:
        """The weight for minus the weight against; exactly 0 where they agree within rounding."""
        margins = self.wins - self.wins.T
        margins[np.abs(margins) <= TOLERANCE * self.total] = 0.0
        return margins

    def of(self, systems: NDArray[np.bool_]) -> PairwiseCounts:
        """The same counts among these systems only."""
        if systems.all():
            return self
        chosen = np.ix_(systems, systems)
        return PairwiseCounts(self.wins[chosen], self.ties[chosen], self.total)


def count(profile: Profile) -> PairwiseCounts:
    """Compare every pair of systems on every ballot where both have a score.

    >>> found = count(Profile(np.array([[3.0, 1.0], [2.0, 1.0]]), np.array([1.0, 2.0])))
    >>> found.wins.tolist(), found.ties[0].tolist(), found.total
    ([[0.0, 1.0], [0.0, 0.0]], [0.0, 2.0], 3.0)
    """
    n_systems, n_ballots = profile.scores.shape
    weights = profile.weights
    even = bool(n_ballots) and bool(np.all(weights == weights[0]))
    wins, ties = np.zeros((2, n_systems, n_systems))

    def counted(part: slice) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return _counted(profile.scores[:, part], None if even else weights[part])

    for part_wins, part_ties in each_part(counted, n_ballots):
        wins += part_wins
        ties += part_ties
    if even:
        wins *= weights[0]
        ties *= weights[0]
    np.fill_diagonal(ties, 0.0)
    return PairwiseCounts(wins, ties, float(weights.sum()))


def _counted(
    scores: Array, weights: NDArray[np.float64] | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Wins and ties on some ballots; without weights each counts 1, and the counts are exact."""
    n_systems, n_ballots = scores.shape
    wins, ties = np.zeros((2, n_systems, n_systems))
    for start in range(0, n_ballots, _BLOCK):
        block = np.ascontiguousarray(scores[:, start : start + _BLOCK])
        by_pair = weights is None and block.shape[1] >= _LONG
        for i in range(n_systems):
            if by_pair:
                for j in range(i):
                    wins[i, j] += np.count_nonzero(block[i] > block[j])
                    wins[j, i] += np.count_nonzero(block[i] < block[j])
                    level = np.count_nonzero(block[i] == block[j])
                    ties[i, j] += level
                    ties[j, i] += level
                continue
            above, same = block[i] > block, block[i] == block
            if weights is None:
                wins[i] += np.count_nonzero(above, axis=1)
                ties[i] += np.count_nonzero(same, axis=1)
            else:
                # einsum and not @: threads of BLAS inside these threads wait for each other.
                on = weights[start : start + _BLOCK]
                wins[i] += np.einsum("jb,b->j", above, on)
                ties[i] += np.einsum("jb,b->j", same, on)
    return wins, ties


def count_compatible(profile: Profile) -> PairwiseCounts:
    """Compare every pair on every ballot, missing scores by the share of compatible rankings.

    The matrix M of Himmi et al. (2024), entry by entry: with k of n systems
    scored on a ballot, an unscored system falls into each of the k + 1 gaps
    between the scored ones equally often, so the scored system with r others
    below it (0-based) stands above an unscored one with probability
    (r + 1) / (k + 1); two unscored systems stand either way round equally often.

    >>> scores = np.array([[3.0], [1.0], [np.nan]])
    >>> count_compatible(Profile(scores, np.ones(1))).wins.round(3).tolist()
    [[0.0, 1.0, 0.667], [0.0, 0.0, 0.333], [0.333, 0.667, 0.0]]
    """
    counts = count(profile)
    found = places(profile.scores)
    n_observed = found.n_observed
    share = (found.below + found.tied / 2 + 1) / (n_observed + 1)
    observed = found.observed.astype(float)
    unobserved = 1.0 - observed
    above = (np.where(found.observed, share, 0.0) * profile.weights) @ unobserved.T
    under = (np.where(found.observed, 1 - share, 0.0) * profile.weights) @ unobserved.T
    neither = (unobserved * profile.weights) @ unobserved.T / 2
    np.fill_diagonal(neither, 0.0)
    return PairwiseCounts(counts.wins + above + under.T + neither, counts.ties, counts.total)
