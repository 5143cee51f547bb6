"""How far two rankings of the same systems agree, on vectors of ranks."""

# Every function takes two vectors with one number for each system, in the same order of systems,
# the smaller the better. Only their order is read, so ranks that number ties in another way give
# the same answer.

import numpy as np
from numpy.typing import NDArray

from nbrank.arrays.chunking import chunk_slices
from nbrank.arrays.typing import Array, Bools, Floats, Positions

RankArray = Array | NDArray[np.integer]

#: Pairs compared at a time, so that thousands of systems do not fill the memory.
_BLOCK = 4_000_000


def count_pair_agreements(a: RankArray, b: RankArray) -> tuple[int, int, int, int]:
    """Count the pairs that two rankings order alike, otherwise, first and second."""
    n_systems = len(a)
    size = max(1, _BLOCK // max(1, n_systems))
    concordant = discordant = ordered_in_first = ordered_in_second = 0
    for rows in chunk_slices(0, n_systems, size):
        above_a, above_b = a[rows, None] < a, b[rows, None] < b
        concordant += int(np.count_nonzero(above_a & above_b))
        discordant += int(np.count_nonzero(above_a & (b[rows, None] > b)))
        ordered_in_first += int(np.count_nonzero(above_a))
        ordered_in_second += int(np.count_nonzero(above_b))
    return concordant, discordant, ordered_in_first, ordered_in_second


def kendall_tau(a: RankArray, b: RankArray) -> float:
    """Compute Kendall's tau-b; NaN if one of the rankings ties all systems."""
    concordant, discordant, in_first, in_second = count_pair_agreements(a, b)
    # The product of two counts can pass the integers that a float holds exactly; the square root
    # of a rounded square is still the count itself, so equal rankings give exactly 1.
    scale = float(np.sqrt(float(in_first) * float(in_second)))
    if scale == 0:
        return float("nan")
    return (concordant - discordant) / scale


def kendall_distance(a: RankArray, b: RankArray) -> float:
    """Count discordant pairs, and half of the pairs tied in exactly one ranking."""
    concordant, _, in_first, in_second = count_pair_agreements(a, b)
    return (in_first + in_second) / 2 - concordant


def ranks_from_top(a: RankArray) -> Positions:
    """Return one more than the number of systems above: 1, 2, 2, 4."""
    return np.searchsorted(np.sort(a), a, side="left") + 1


def ranks_from_bottom(a: RankArray) -> Positions:
    """Return one more than the number of systems below: 4, 2, 2, 1."""
    return ranks_from_top(-a)


def average_places(a: RankArray) -> Floats:
    """Return places from the top, tied systems sharing their average: 1, 2.5, 2.5, 4."""
    return (ranks_from_top(a) + (len(a) + 1 - ranks_from_bottom(a))) / 2


def spearman(a: RankArray, b: RankArray) -> float:
    """Compute Spearman's rho: Pearson's correlation of average places; NaN if one is constant."""
    middle = (len(a) + 1) / 2
    x, y = average_places(a) - middle, average_places(b) - middle
    scale = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / scale if scale > 0 else float("nan")


def overlap_ratio(a: Bools, b: Bools) -> float:
    """Divide the size of the intersection of two sets by that of the larger set."""
    return float(np.count_nonzero(a & b) / max(np.count_nonzero(a), np.count_nonzero(b)))


def top_k_agreement(a: RankArray, b: RankArray, k: int) -> float:
    """Compute the share of systems with rank k or better that both rankings name."""
    return overlap_ratio(ranks_from_top(a) <= k, ranks_from_top(b) <= k)


def last_k_agreement(a: RankArray, b: RankArray, k: int) -> float:
    """Compute the share of systems with rank k or less from the bottom that both rankings name."""
    return overlap_ratio(ranks_from_bottom(a) <= k, ranks_from_bottom(b) <= k)


def rank_biased_overlap(a: RankArray, b: RankArray, p: float) -> float:
    """Extrapolate the rank-biased overlap of two rankings of all systems (Webber et al., 2010)."""
    # With the agreement at depth d, `A(d) = 2 |S(d) & T(d)| / (|S(d)| + |T(d)|)`, S(d) and T(d)
    # being the systems of rank d or better (their equation for rankings with ties), the
    # extrapolated value is `A(n) p^n + (1 - p) sum(p^(d - 1) A(d), d = 1..n)`. Both rankings hold
    # the same n systems, so A(n) is 1 and the sum can be taken over what is lacking from agreement,
    # which makes equal rankings exactly 1.
    n_systems = len(a)
    first, second = ranks_from_top(a), ranks_from_top(b)

    def up_to_depth(ranks: Positions) -> Positions:
        return np.cumsum(np.bincount(ranks, minlength=n_systems + 1)[1:])

    both = up_to_depth(np.maximum(first, second))
    sizes = up_to_depth(first) + up_to_depth(second)
    lacking = 1 - 2 * both / sizes
    return float(1 - (1 - p) * (p ** np.arange(n_systems) @ lacking))
