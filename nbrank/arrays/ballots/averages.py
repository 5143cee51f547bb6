"""Averages over ballots; a missing score is left out of its system's average."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from nbrank.arrays.ballots.ballot_counts import PlaceCounts, Standings, compress_standings
from nbrank.arrays.ballots.profile import (
    TOLERANCE,
    Profile,
    compute_places,
    power_of_two,
    safe_divide,
)
from nbrank.arrays.typing import Array, Bools, CellTransform, Floats, Ints, Positions

#: Cells that are averaged at a time: what is kept of them in double precision stays small.
_CHUNK_CELLS = 1 << 22


def _ballot_slices(n_systems: int, n_ballots: int) -> list[slice]:
    size = max(_CHUNK_CELLS // max(n_systems, 1), 1)
    return [slice(low, min(low + size, n_ballots)) for low in range(0, n_ballots, size)]


def _normalize_scale(weights: Floats) -> Floats:
    """Scale the weights so that the largest is from 1 to 2, since only their ratios matter."""
    return weights / power_of_two(float(weights.max())) if len(weights) else weights


def identity_transform(scores: Array, _: slice) -> Array:
    """Return the scores themselves."""
    return scores


def weighted_mean(
    profile: Profile,
    values: Array,
    observed: Bools | None = None,
    transform: CellTransform = identity_transform,
) -> Floats:
    """Return the weighted mean of each system's values where they count; NaN if none does."""
    # Infinite, without a warning, where the sum is too large for a float.
    weights = _normalize_scale(profile.weights)
    sums, total = np.zeros((2, len(values)))
    with np.errstate(over="ignore", invalid="ignore"):
        for block in _ballot_slices(*values.shape):
            part = values[:, block]
            where = np.logical_not(np.isnan(part)) if observed is None else observed[:, block]
            weight = where * weights[block]
            sums += (np.where(where, transform(part, block), 0.0) * weight).sum(axis=1)
            total += weight.sum(axis=1)
        return np.asarray(sums / total)


def max_abs_cell(profile: Profile, cells: CellTransform = identity_transform) -> Floats:
    """Return the largest |cell| of each system, 0 for one that has none."""
    result = np.zeros(len(profile.scores))
    with np.errstate(over="ignore", invalid="ignore"):
        for block in _ballot_slices(*profile.scores.shape):
            sizes = np.abs(cells(profile.scores[:, block], block))
            np.fmax(result, np.fmax.reduce(sizes, axis=1, initial=0.0), out=result)
    return result


@dataclass(frozen=True)
class TaskSums:
    """The scores of each system on each task, summed over its instances."""

    sums: Floats  # systems x tasks: the sum of the scores, 0 without any
    n_scores: Floats  # systems x tasks: how many scores there are
    weights: Floats  # the weight of each task
    max_abs_score: Floats  # systems x tasks: the largest |score|, 0 without any

    @classmethod
    def from_scores(cls, scores: Array, ballot_tasks: Positions, weights: Floats) -> TaskSums:
        """Sum up the ballots (systems x ballots) of each task, by the number of each one's task."""
        if np.array_equal(ballot_tasks, np.arange(len(weights))):  # a score for each task
            observed = np.logical_not(np.isnan(scores))
            cells = np.where(observed, scores, 0.0).astype(np.float64, copy=False)
            return cls(cells, observed.astype(np.float64), weights, np.abs(cells))
        shape = (len(scores), len(weights))
        sums, numbers, sizes = np.zeros((3, *shape))
        for task in range(len(weights)):
            columns = np.flatnonzero(ballot_tasks == task)
            for block in _ballot_slices(len(scores), len(columns)):
                part = scores[:, columns[block]].astype(np.float64, copy=False)
                observed = np.logical_not(np.isnan(part))
                with np.errstate(over="ignore", invalid="ignore"):
                    sums[:, task] += np.where(observed, part, 0.0).sum(axis=1)
                numbers[:, task] += observed.sum(axis=1)
                largest = np.fmax.reduce(np.abs(part), axis=1, initial=0.0)
                np.fmax(sizes[:, task], largest, out=sizes[:, task])
        return cls(sums, numbers, weights, sizes)

    def weighted_terms(self, levels: int) -> tuple[Floats, Floats]:
        """Return systems x tasks: what each task adds to a system's mean, and its weight in it."""
        # At level 1 that is the mean of all instances, at level 2 the mean of the task means.
        weights = self.weights
        if levels == 1:
            return self.sums * weights, self.n_scores * weights
        # Without a score the sum is 0.
        means = self.sums / np.maximum(self.n_scores, 1)
        return means * weights, (self.n_scores > 0) * weights

    def means(self, levels: int) -> Floats:
        """Average each system; NaN without a score, infinite if the mean is too large."""
        with np.errstate(over="ignore", invalid="ignore"):
            amounts, weights = self.weighted_terms(levels)
            return np.asarray(amounts.sum(axis=1) / weights.sum(axis=1))


def interquartile_means(
    samples: Sequence[tuple[Floats, Floats]], smallest: float
) -> tuple[Floats, Floats]:
    """Average samples of scores and their weights without a quarter at either end.

    Return the largest |score| of each sample, too. Both are NaN of an empty sample. If all weights
    are multiples of the smallest, a quarter is a number of scores that weigh as little as that.
    """
    times = np.concatenate([weights for _, weights in samples]) / smallest
    whole = bool((np.abs(times - np.rint(times)) <= TOLERANCE * times).all())
    sizes = np.array([np.abs(scores).max() if len(scores) else np.nan for scores, _ in samples])
    # In a unit near the largest, so that no sum of scores is beyond a float.
    units = power_of_two(np.where(sizes > 0, sizes, 1.0))
    means = [
        _interquartile_mean(scores / unit, weights / smallest, whole) * unit
        if len(scores)
        else np.nan
        for (scores, weights), unit in zip(samples, units, strict=True)
    ]
    return np.array(means, dtype=np.float64), sizes


def _interquartile_mean(scores: Floats, times: Floats, all_scored: bool) -> float:
    times = np.rint(times) if all_scored else times
    order = np.argsort(scores, kind="stable")
    reached = np.cumsum(times[order])
    total = reached[-1]
    low = total // 4 if all_scored else total / 4
    high = total - low
    selected = np.clip(np.minimum(reached, high) - np.maximum(reached - times[order], low), 0, None)
    return float((scores[order] * selected).sum() / selected.sum())


def harmonic_mean(profile: Profile) -> Floats:
    """Return the weighted harmonic mean of scores that are not negative; 0 if one of them is."""
    smallest = np.fmin.reduce(
        profile.scores, axis=1, initial=np.inf, where=profile.scores > 0
    ).astype(np.float64)
    # One divided by the smallest may be too large for a float: each row is in a unit of its own.
    units = power_of_two(np.where(np.isfinite(smallest), smallest, 1.0))

    def reciprocals(scores: Array, _: slice) -> Array:
        return safe_divide(units[:, None], scores, 1.0)

    with np.errstate(divide="ignore"):
        means = units / weighted_mean(profile, profile.scores, transform=reciprocals)
    return np.where((profile.scores == 0).any(axis=1), 0.0, means)


def weighted_median_bounds(profile: Profile) -> Floats:
    """Return systems x 2: the scores that half of the weight is at or below, and at or above."""
    weights = profile.observed * _normalize_scale(profile.weights)
    total = weights.sum(axis=1)
    # NaN sorts last, where its weight of 0 leaves the halves as they are.
    order = np.argsort(profile.scores, axis=1, kind="stable")
    reached = np.cumsum(np.take_along_axis(weights, order, axis=1), axis=1)
    half = total[:, None] / 2
    slack = 1e-12 * total[:, None]
    bounds = [np.argmax(reached >= half - slack, axis=1), np.argmax(reached > half + slack, axis=1)]
    places = np.take_along_axis(order, np.column_stack(bounds), axis=1)
    scores = np.take_along_axis(profile.scores, places, axis=1).astype(np.float64)
    scores[total == 0] = np.nan
    return scores


def median(profile: Profile) -> Floats:
    """Compute the weighted median.

    It is the middle of the two scores with half of the weight on either side.
    """
    half: Floats = weighted_median_bounds(profile) / 2
    return half[:, 0] + half[:, 1]


def mean_place(standings: Standings) -> Floats:
    """Return the weighted mean of the tie-averaged place among the scored, 1 being the first."""

    def of_ballots(scores: Array) -> tuple[Floats, Bools]:
        result = compute_places(scores)
        return result.place, result.observed

    def of_counts(counts: PlaceCounts) -> tuple[Floats, Ints]:
        k = np.arange(counts.n_observed.shape[1])
        return k * counts.n_observed - counts.n_below - counts.n_tied / 2, counts.n_observed

    return _mean_over_ballots(standings, of_ballots, of_counts)


def mean_win_rate(standings: Standings) -> Floats:
    """Return the weighted mean share of the other scored systems that are beaten, ties half."""
    # A ballot on which a system is alone tells nothing of it and is left out.

    def of_counts(counts: PlaceCounts) -> tuple[Floats, Ints]:
        n = len(counts.wins)
        k = np.arange(2, n + 1)
        beaten = (counts.n_below + counts.n_tied / 2)[:, k]
        return beaten / np.maximum(k - 1, 1), counts.n_observed[:, k]

    return _mean_over_ballots(standings, win_rates, of_counts)


def _mean_over_ballots(
    standings: Standings,
    from_ballots: Callable[[Array], tuple[Floats, Bools]],
    from_counts: Callable[[PlaceCounts], tuple[Floats, Ints]],
) -> Floats:
    """Average values over the ballots on which they count, or sums by the number scored."""
    standings = compress_standings(standings)
    if isinstance(standings, Profile):
        return weighted_mean(standings, *from_ballots(standings.scores))
    sums, total = np.zeros((2, len(next(iter(standings.values())).wins)))
    for weight, counts in standings.items():
        of_k, n = from_counts(counts)
        sums += weight * of_k.sum(axis=1)
        total += weight * n.sum(axis=1)
    return safe_divide(sums, total)


def win_rates(scores: Array) -> tuple[Floats, Bools]:
    """Return the share of the others that each system beats on each ballot, if that counts."""
    result = compute_places(scores)
    others = result.n_observed - 1
    rates = result.n_beaten / np.maximum(others, 1)
    return rates, result.observed & (others > 0)


def make_normalizing_transform(low: Floats, high: Floats) -> CellTransform:
    """Make the map from scores to (score - low) / (high - low), low and high per ballot."""
    return lambda scores, block: (scores - low[block]) / (high - low)[block]


def make_shortfall_transform(gamma: Floats) -> CellTransform:
    """Make the map from scores to how far each falls short of gamma, per ballot."""
    return lambda scores, block: np.maximum(gamma[block] - scores, 0.0)


def make_clipping_transform(gamma: Floats) -> CellTransform:
    """Make the map from scores to their part up to gamma: what is beyond it earns nothing."""
    return lambda scores, block: np.minimum(scores, gamma[block])
