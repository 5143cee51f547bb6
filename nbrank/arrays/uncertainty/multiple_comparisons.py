"""Demsar's comparison of systems over tasks: tests of all systems at once, and of each pair."""

import math
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np

from nbrank.arrays.ballots.profile import TOLERANCE, compute_places, dense_ranks
from nbrank.arrays.typing import Array, Floats

#: Up to this many tasks the signed-rank test counts all assignments of signs.
_MAX_EXACT_N = 50


def friedman(scores: Array) -> dict[Any, float]:
    """Test systems x tasks by Friedman (1937) and Iman and Davenport (1980), none missing."""
    from scipy.special import chdtrc, fdtrc

    k, n = scores.shape
    ranks = compute_places(scores).place
    centre = n * k * (k + 1) ** 2 / 4
    spread = (ranks**2).sum() - centre
    between = (k - 1) * ((ranks.sum(axis=1) ** 2).sum() - n * centre)
    chi_square = float(between / spread) if spread else 0.0
    # The tasks' disagreement; rounding may leave a trace of nothing.
    rest = n * (k - 1) - chi_square
    f = (n - 1) * chi_square / rest if rest > TOLERANCE * n * k else math.inf
    p_value = float(fdtrc(k - 1, (k - 1) * (n - 1), f)) if math.isfinite(f) else 0.0
    return {
        "friedman_chi_square": chi_square,
        "friedman_p_value": float(chdtrc(k - 1, chi_square)),
        "iman_davenport_f": f,
        "iman_davenport_p_value": p_value,
    }


def skillings_mack(scores: Array) -> dict[Any, float]:
    """Test systems x tasks by Skillings and Mack (1981): Friedman's test, with missing scores."""
    # A task compares the k systems that are scored on it, and counts by the square root of
    # 12 / (k + 1). Ties are corrected for as in Friedman's test, by the variance of the ranks as
    # they are: where no score is missing, the two tests are the same.
    from scipy.special import chdtrc

    result = compute_places(scores)
    k = result.n_observed
    centred = result.place - (k + 1) / 2
    centred = np.where(result.observed, centred * np.sqrt(12 / (k + 1)), 0.0)
    spread = (centred**2).sum(axis=0) / np.maximum(k - 1, 1)
    observed = result.observed.astype(np.float64)
    covariance = np.diag(observed @ spread) - (observed * spread / np.maximum(k, 1)) @ observed.T
    values, vectors = np.linalg.eigh(covariance)
    positive = values > TOLERANCE * max(float(values[-1]), 1.0)
    along = centred.sum(axis=1) @ vectors[:, positive]
    chi_square = float((along**2 / values[positive]).sum())
    degrees = int(positive.sum())
    return {
        "skillings_mack_chi_square": chi_square,
        "skillings_mack_p_value": float(chdtrc(degrees, chi_square)) if degrees else 1.0,
    }


def nemenyi_distance(delta: float, k: int, n: int) -> float:
    """Compute the difference of two mean places that Nemenyi's test (1963) calls significant."""
    from scipy.stats import studentized_range

    quantile = studentized_range.ppf(1 - delta, k, np.inf)
    return float(quantile / math.sqrt(2)) * _standard_error(k, n)


def _standard_error(k: int, n: int) -> float:
    return math.sqrt(k * (k + 1) / (6 * n))


def nemenyi_p_values(means: Floats, n: int) -> Floats:
    """Compute the probability that any two of k equal systems differ as much: systems x systems."""
    from scipy.stats import studentized_range

    k = len(means)
    distances = np.abs(means[:, None] - means) / _standard_error(k, n) * math.sqrt(2)
    distinct, which = np.unique(distances, return_inverse=True)
    p_values = studentized_range.sf(distinct, k, np.inf)
    return np.clip(p_values[which].reshape(k, k), 0.0, 1.0)


def signed_rank_p_value(differences: Array) -> float:
    """Test by Wilcoxon's signed ranks (1945), two-sided, with zeros as Pratt (1959) has them."""
    # Differences of zero are ranked and shared by the two sums. Up to 50 tasks the probability is
    # exact, over all assignments of signs to the ranks as they are, with ties; beyond that it is
    # normal. Differences within 1e-9 of the largest are equal, since 0.3 - 0.2 and 0.2 - 0.1 should
    # be.
    from scipy.special import ndtr

    sizes = np.abs(differences)
    tolerance = TOLERANCE * float(sizes.max(initial=0.0))
    numbers = dense_ranks(sizes, tolerance)
    tied = np.bincount(numbers)
    # Twice the average rank, which is a whole number.
    doubled = (2 * np.cumsum(tied) - tied + 1)[numbers]
    some = sizes > tolerance
    ranks = doubled[some]
    if not len(ranks):
        return 1.0
    total = int(ranks.sum())
    positive = int(doubled[some & (differences > 0)].sum())
    if len(sizes) > _MAX_EXACT_N:
        distance = abs(positive - total / 2) / (math.sqrt((ranks.astype(float) ** 2).sum()) / 2)
        return float(2 * ndtr(-distance))
    below = _rank_sum_cdf(tuple(np.sort(ranks).tolist()))
    return min(1.0, 2 * float(below[min(positive, total - positive)]))


@lru_cache(maxsize=256)  # without ties all pairs of systems have the same ranks
def _rank_sum_cdf(ranks: tuple[int, ...]) -> Floats:
    """Compute the probability that ranks, each counted or not, sum to at most 0, 1, 2, ..."""
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
    """Compute signed-rank p-values of all pairs, adjusted by Holm's steps: systems x systems."""
    # Each pair is tested on the tasks where both are scored.
    from scipy.spatial.distance import squareform

    differences = (item - other for item, other in combinations(scores, 2))
    p_values = [signed_rank_p_value(each[~np.isnan(each)]) for each in differences]
    return squareform(holm(np.array(p_values))) + np.eye(len(scores))
