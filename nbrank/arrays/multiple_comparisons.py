"""Demsar's comparison of systems over tasks: Friedman, Nemenyi, and Wilcoxon with Holm's steps."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np

from nbrank.arrays.kinds import Array, Bools, Floats
from nbrank.arrays.profile import TOLERANCE, dense_order, places

#: Up to so many tasks the signed-rank test counts all assignments of signs.
_EXACT = 50


def friedman(scores: Array) -> dict[Any, float]:
    """Friedman's test (1937), and Iman and Davenport's (1980), of systems x tasks, none missing."""
    from scipy.special import chdtrc, fdtrc

    k, n = scores.shape
    ranks = places(scores).place
    centre = n * k * (k + 1) ** 2 / 4
    spread = (ranks**2).sum() - centre
    between = (k - 1) * ((ranks.sum(axis=1) ** 2).sum() - n * centre)
    chi_square = float(between / spread) if spread else 0.0
    # What is left to the tasks' disagreement; rounding may leave a trace of nothing.
    rest = n * (k - 1) - chi_square
    f = (n - 1) * chi_square / rest if rest > TOLERANCE * n * k else math.inf
    p_value = float(fdtrc(k - 1, (k - 1) * (n - 1), f)) if math.isfinite(f) else 0.0
    return {
        "friedman_chi_square": chi_square,
        "friedman_p_value": float(chdtrc(k - 1, chi_square)),
        "iman_davenport_f": f,
        "iman_davenport_p_value": p_value,
    }


def nemenyi_distance(delta: float, k: int, n: int) -> float:
    """The difference of two mean places from which Nemenyi's test (1963) calls it significant."""
    from scipy.stats import studentized_range

    quantile = studentized_range.ppf(1 - delta, k, np.inf)
    return float(quantile / math.sqrt(2)) * _standard_error(k, n)


def _standard_error(k: int, n: int) -> float:
    return math.sqrt(k * (k + 1) / (6 * n))


def nemenyi_p_values(means: Floats, n: int) -> Floats:
    """Systems x systems: the probability that any two of k equal systems differ as much."""
    from scipy.stats import studentized_range

    k = len(means)
    distances = np.abs(means[:, None] - means) / _standard_error(k, n) * math.sqrt(2)
    distinct, which = np.unique(distances, return_inverse=True)
    p_values = studentized_range.sf(distinct, k, np.inf)
    return np.clip(p_values[which].reshape(k, k), 0.0, 1.0)


def signed_rank_p_value(differences: Array) -> float:
    """Wilcoxon's signed-rank test (1945), two-sided, with zeros as Pratt (1959) has them."""
    # Differences of zero are ranked and shared by the two sums. Up to 50 tasks the probability is
    # exact, over all assignments of signs to the ranks as they are, with ties; beyond that it is
    # normal. Differences within 1e-9 of the largest are equal, since 0.3 - 0.2 and 0.2 - 0.1 should
    # be.
    from scipy.special import ndtr

    sizes = np.abs(differences)
    tolerance = TOLERANCE * float(sizes.max())
    numbers = dense_order(sizes, tolerance)
    tied = np.bincount(numbers)
    # Twice the average rank, which is a whole number.
    doubled = (2 * np.cumsum(tied) - tied + 1)[numbers]
    some = sizes > tolerance
    ranks = doubled[some]
    if not len(ranks):
        return 1.0
    total = int(ranks.sum())
    positive = int(doubled[some & (differences > 0)].sum())
    if len(sizes) > _EXACT:
        distance = abs(positive - total / 2) / (math.sqrt((ranks.astype(float) ** 2).sum()) / 2)
        return float(2 * ndtr(-distance))
    below = _chances_up_to(tuple(np.sort(ranks).tolist()))
    return min(1.0, 2 * float(below[min(positive, total - positive)]))


@lru_cache(maxsize=256)  # without ties all pairs of systems have the same ranks
def _chances_up_to(ranks: tuple[int, ...]) -> Floats:
    """The chance that ranks, each of them counted or not, sum to at most 0, 1, 2, ..."""
    chances = np.zeros(sum(ranks) + 1)
    chances[0] = 1.0
    for rank in ranks:
        raised = np.zeros(len(chances))
        raised[rank:] = chances[:-rank]
        chances = (chances + raised) / 2
    return np.cumsum(chances)


def holm(p_values: Floats) -> Floats:
    """Adjust p-values for their number, from the smallest on (Holm, 1979)."""
    m = len(p_values)
    order = np.argsort(p_values, kind="stable")
    adjusted = np.empty(m)
    adjusted[order] = np.maximum.accumulate(p_values[order] * np.arange(m, 0, -1))
    return np.minimum(adjusted, 1.0)


def wilcoxon_holm_p_values(scores: Array) -> Floats:
    """Systems x systems: signed-rank p-values of all pairs, adjusted by Holm's steps."""
    from scipy.spatial.distance import squareform

    p_values = [signed_rank_p_value(one - other) for one, other in combinations(scores, 2)]
    return squareform(holm(np.array(p_values))) + np.eye(len(scores))


def runs(different: Bools) -> list[tuple[int, int]]:
    """The longest runs of neighbours among which no two are different, as (first, last)."""
    # A run that another contains is left out.
    k = len(different)
    found: list[tuple[int, int]] = []
    for first in range(k):
        last = first
        while last + 1 < k and not different[first : last + 2, last + 1].any():
            last += 1
        if not found or last > found[-1][1]:
            found.append((first, last))
    return found
