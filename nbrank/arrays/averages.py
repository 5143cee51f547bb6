"""Averages over ballots; a missing score is left out of its system's average."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from nbrank.arrays.counting import PlaceCounts, by_weight, count_places
from nbrank.arrays.profile import Profile, places


def _weights_where(
    profile: Profile, counted: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    weights: NDArray[np.float64] = counted * profile.weights
    total: NDArray[np.float64] = weights.sum(axis=1)
    return weights, total


def average(
    profile: Profile, values: NDArray[np.floating], counted: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """The weighted mean of each system's values where they count; NaN where none does."""
    weights, total = _weights_where(profile, counted)
    means = np.full(len(weights), np.nan)
    sums = (np.where(counted, values, 0.0) * weights).sum(axis=1)
    np.divide(sums, total, out=means, where=total > 0)
    return means


def mean(profile: Profile) -> NDArray[np.float64]:
    """The weighted arithmetic mean.

    >>> mean(Profile(np.array([[1.0, 4.0], [2.0, np.nan]]), np.array([1.0, 2.0]))).tolist()
    [3.0, 2.0]
    """
    return average(profile, profile.scores, profile.observed)


def geometric_mean(profile: Profile) -> NDArray[np.float64]:
    """The weighted geometric mean of scores that are not negative; 0 if one of them is.

    >>> geometric_mean(Profile(np.array([[1.0, 4.0]]), np.ones(2))).tolist()
    [2.0]
    """
    observed = profile.observed
    zero = (profile.scores == 0).any(axis=1)
    positive = profile.scores > 0
    logarithms = np.log(profile.scores, out=np.zeros(positive.shape), where=positive)
    means = np.exp(average(profile, logarithms, observed))
    return np.where(zero, 0.0, means)


def harmonic_mean(profile: Profile) -> NDArray[np.float64]:
    """The weighted harmonic mean of scores that are not negative; 0 if one of them is.

    >>> harmonic_mean(Profile(np.array([[1.0, 3.0]]), np.ones(2))).tolist()
    [1.5]
    """
    positive = profile.scores > 0
    reciprocals = np.divide(1.0, profile.scores, out=np.ones(positive.shape), where=positive)
    means = 1.0 / average(profile, reciprocals, profile.observed)
    return np.where((profile.scores == 0).any(axis=1), 0.0, means)


def median(profile: Profile) -> NDArray[np.float64]:
    """The weighted median: half of the weight on either side, the middle of the two if it is even.

    >>> median(Profile(np.array([[1.0, 2.0, 9.0], [1.0, 4.0, np.nan]]), np.ones(3))).tolist()
    [2.0, 2.5]
    """
    observed = profile.observed
    weights, total = _weights_where(profile, observed)
    # NaN sorts last, where its weight of 0 leaves the halves as they are.
    order = np.argsort(profile.scores, axis=1, kind="stable")
    ordered = np.take_along_axis(profile.scores, order, axis=1)
    reached = np.cumsum(np.take_along_axis(weights, order, axis=1), axis=1)
    half = total[:, None] / 2
    slack = 1e-12 * total[:, None]
    lower = np.argmax(reached >= half - slack, axis=1)[:, None]
    upper = np.argmax(reached > half + slack, axis=1)[:, None]
    middle = np.take_along_axis(ordered, lower, 1) / 2 + np.take_along_axis(ordered, upper, 1) / 2
    return np.where(total > 0, middle[:, 0], np.nan)


def mean_place(profile: Profile) -> NDArray[np.float64]:
    """The weighted mean of the tie-averaged place among the scored, 1 being the first.

    >>> mean_place(Profile(np.array([[3.0, 1.0], [2.0, 1.0]]), np.ones(2))).tolist()
    [1.25, 1.75]
    """
    counted = by_weight(profile, count_places)
    if counted is not None:
        return mean_place_of_counts(counted)
    found = places(profile.scores)
    return average(profile, found.above + found.tied / 2 + 1, found.observed)


def mean_place_of_counts(counted: Mapping[float, PlaceCounts]) -> NDArray[np.float64]:
    """The same on the ballots of each weight, counted.

    >>> mean_place_of_counts({1.0: count_places(np.array([[3.0, 1.0], [2.0, 1.0]]))}).tolist()
    [1.25, 1.75]
    """
    k = np.arange(1 + len(next(iter(counted.values())).wins))
    return _weighed_mean(
        (weight, k * found.observed - found.below - found.tied / 2, found.observed)
        for weight, found in counted.items()
    )


def _weighed_mean(
    parts: Iterable[tuple[float, NDArray[np.float64], NDArray[np.int64]]],
) -> NDArray[np.float64]:
    """The mean of each system from weights, sums by k, and how many numbers were summed."""
    sums, total = np.sum(
        [(weight * part.sum(axis=1), weight * n.sum(axis=1)) for weight, part, n in parts], axis=0
    )
    means = np.full(len(sums), np.nan)
    np.divide(sums, total, out=means, where=total > 0)
    return means


def mean_win_rate(profile: Profile) -> NDArray[np.float64]:
    """The weighted mean share of the other scored systems that are beaten, ties half.

    A ballot on which a system is alone says nothing of it and is left out.

    >>> mean_win_rate(Profile(np.array([[3.0, 1.0], [2.0, 1.0]]), np.ones(2))).tolist()
    [0.75, 0.25]
    """
    counted = by_weight(profile, count_places)
    if counted is not None:
        return mean_win_rate_of_counts(counted)
    found = places(profile.scores)
    others = found.n_observed - 1
    rates = (found.below + found.tied / 2) / np.maximum(others, 1)
    return average(profile, rates, found.observed & (others > 0))


def mean_win_rate_of_counts(counted: Mapping[float, PlaceCounts]) -> NDArray[np.float64]:
    """The same on the ballots of each weight, counted.

    >>> mean_win_rate_of_counts({1.0: count_places(np.array([[3.0, 1.0], [2.0, 1.0]]))}).tolist()
    [0.75, 0.25]
    """
    others = np.arange(1, len(next(iter(counted.values())).wins))
    return _weighed_mean(
        (weight, (found.below + found.tied / 2)[:, 2:] / others, found.observed[:, 2:])
        for weight, found in counted.items()
    )


def normalized_mean(
    profile: Profile, low: NDArray[np.float64], high: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The weighted mean of (score - low) / (high - low), low and high per ballot.

    >>> ballots = Profile(np.array([[0.6, 75.0]]), np.ones(2))
    >>> normalized_mean(ballots, np.array([0.5, 0.0]), np.array([1.0, 100.0])).round(3).tolist()
    [0.475]
    """
    return average(profile, (profile.scores - low) / (high - low), profile.observed)


def optimality_gap(profile: Profile, gamma: NDArray[np.float64]) -> NDArray[np.float64]:
    """Minus the weighted mean of how far each score falls short of gamma, per ballot.

    >>> optimality_gap(Profile(np.array([[0.5, 0.99]]), np.ones(2)), np.full(2, 0.95)).tolist()
    [-0.225]
    """
    return -average(profile, np.maximum(gamma - profile.scores, 0.0), profile.observed)
