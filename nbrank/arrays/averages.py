"""Averages over ballots; a missing score is left out of its system's average."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nbrank.arrays.counting import PlaceCounts, Standings, in_short
from nbrank.arrays.kinds import Array, Bools, Floats, Ints, Positions
from nbrank.arrays.parts import slices
from nbrank.arrays.profile import TOLERANCE, Profile, places, power_of_two, ratio, relative

#: Cells that are averaged at a time: what is kept of them in double precision stays small.
_BLOCK = 1 << 22
#: From cells as they are given, in the columns of the slice, to what is averaged.
Cells = Callable[[Array, slice], Array]


def _blocks(n_systems: int, n_ballots: int) -> list[slice]:
    return slices(0, n_ballots, max(_BLOCK // max(n_systems, 1), 1))


def unchanged(scores: Array, _: slice) -> Array:
    """The scores themselves."""
    return scores


def average(
    profile: Profile, values: Array, there: Bools | None = None, cells: Cells = unchanged
) -> Floats:
    """The weighted mean of each system's values where they count; NaN where none does."""
    # Infinite, without a warning, where the sum is too large for a float.
    weights = relative(profile.weights)
    sums, total = np.zeros((2, len(values)))
    with np.errstate(over="ignore", invalid="ignore"):
        for block in _blocks(*values.shape):
            part = values[:, block]
            where = np.logical_not(np.isnan(part)) if there is None else there[:, block]
            weight = where * weights[block]
            sums += (np.where(where, cells(part, block), 0.0) * weight).sum(axis=1)
            total += weight.sum(axis=1)
        return ratio(sums, total)


def largest(profile: Profile, cells: Cells = unchanged) -> Floats:
    """The largest |cell| of each system, 0 for one that has none."""
    found = np.zeros(len(profile.scores))
    with np.errstate(over="ignore", invalid="ignore"):
        for block in _blocks(*profile.scores.shape):
            sizes = np.abs(cells(profile.scores[:, block], block))
            np.fmax(found, np.fmax.reduce(sizes, axis=1, initial=0.0), out=found)
    return found


@dataclass(frozen=True)
class TaskSums:
    """The scores of each system on each task, summed over its instances."""

    sums: Floats  # systems x tasks: the sum of the scores, 0 where there is none
    numbers: Floats  # systems x tasks: how many scores there are
    weights: Floats  # the weight of each task
    largest: Floats  # systems x tasks: the largest |score|, 0 where there is none

    @classmethod
    def of(cls, scores: Array, task_of: Positions, weights: Floats) -> TaskSums:
        """Sum up the ballots (systems x ballots) of each task, by the number of each one's task."""
        if np.array_equal(task_of, np.arange(len(weights))):  # a score for each task
            there = np.logical_not(np.isnan(scores))
            cells = np.where(there, scores, 0.0).astype(np.float64, copy=False)
            return cls(cells, there.astype(np.float64), weights, np.abs(cells))
        shape = (len(scores), len(weights))
        sums, numbers, sizes = np.zeros((3, *shape))
        for task in range(len(weights)):
            columns = np.flatnonzero(task_of == task)
            for block in _blocks(len(scores), len(columns)):
                part = scores[:, columns[block]].astype(np.float64, copy=False)
                there = np.logical_not(np.isnan(part))
                with np.errstate(over="ignore", invalid="ignore"):
                    sums[:, task] += np.where(there, part, 0.0).sum(axis=1)
                numbers[:, task] += there.sum(axis=1)
                largest = np.fmax.reduce(np.abs(part), axis=1, initial=0.0)
                np.fmax(sizes[:, task], largest, out=sizes[:, task])
        return cls(sums, numbers, weights, sizes)

    def summands(self, levels: int) -> tuple[Floats, Floats]:
        """Systems x tasks: what each task adds to a system's mean, and its weight in it."""
        # At level 1 that is the mean of all instances, at level 2 the mean of the task means.
        weights = self.weights
        if levels == 1:
            return self.sums * weights, self.numbers * weights
        return ratio(self.sums, self.numbers, 0.0) * weights, (self.numbers > 0) * weights

    def means(self, levels: int) -> Floats:
        """The mean of each system; NaN where it has no score, infinite where that is too large."""
        with np.errstate(over="ignore", invalid="ignore"):
            amounts, weights = self.summands(levels)
            return ratio(amounts.sum(axis=1), weights.sum(axis=1))


def log_ratios(reference: Floats, shift: float, sign: Floats, penalty: Floats) -> Cells:
    """From oriented scores to the logarithms of what they are, shifted, to a reference."""
    # Per ballot: the reference, -1 where lower is better, and what a missing score counts as (NaN
    # for a gap).
    of_reference = np.log(reference)

    def cells(scores: Array, block: slice) -> Array:
        # In double precision whatever is given, as everywhere here.
        amounts = scores.astype(np.float64) * sign[block]
        amounts = np.where(np.isnan(amounts), penalty[block], amounts)
        with np.errstate(divide="ignore"):
            found: Array = (np.log(amounts + shift) - of_reference[block]) * sign[block]
        return found

    return cells


def interquartile_mean(scores: Floats, weights: Floats) -> float:
    """The mean of scores without a quarter at either end, of whole scores if all weigh alike."""
    times = weights / weights.min()
    whole = np.abs(times - np.rint(times)).max() <= TOLERANCE * times.max()
    times = np.rint(times) if whole else times
    order = np.argsort(scores, kind="stable")
    reached = np.cumsum(times[order])
    total = reached[-1]
    low = total // 4 if whole else total / 4
    high = total - low
    kept = np.clip(np.minimum(reached, high) - np.maximum(reached - times[order], low), 0, None)
    # In a unit near the largest, so that no sum of them is beyond a float.
    unit = power_of_two(float(np.abs(scores).max()) or 1.0)
    return (scores[order] / unit * kept).sum() / kept.sum() * unit


def harmonic_mean(profile: Profile) -> Floats:
    """The weighted harmonic mean of scores that are not negative; 0 if one of them is."""
    smallest = np.fmin.reduce(
        profile.scores, axis=1, initial=np.inf, where=profile.scores > 0
    ).astype(np.float64)
    # One divided by the smallest may be too large for a float: each row is in a unit of its own.
    units = np.ldexp(1.0, np.frexp(np.where(np.isfinite(smallest), smallest, 1.0))[1] - 1)

    def reciprocals(scores: Array, _: slice) -> Array:
        return ratio(units[:, None], scores, 1.0)

    with np.errstate(divide="ignore"):
        means = units / average(profile, profile.scores, cells=reciprocals)
    return np.where((profile.scores == 0).any(axis=1), 0.0, means)


def middle(profile: Profile) -> Floats:
    """Systems x 2: the scores that half of the weight is at or below, and at or above."""
    weights = profile.observed * relative(profile.weights)
    total = weights.sum(axis=1)
    # NaN sorts last, where its weight of 0 leaves the halves as they are.
    order = np.argsort(profile.scores, axis=1, kind="stable")
    reached = np.cumsum(np.take_along_axis(weights, order, axis=1), axis=1)
    half = total[:, None] / 2
    slack = 1e-12 * total[:, None]
    found = [np.argmax(reached >= half - slack, axis=1), np.argmax(reached > half + slack, axis=1)]
    places = np.take_along_axis(order, np.column_stack(found), axis=1)
    scores = np.take_along_axis(profile.scores, places, axis=1).astype(np.float64)
    scores[total == 0] = np.nan
    return scores


def median(profile: Profile) -> Floats:
    """The weighted median: the middle of the two scores with half of the weight on either side."""
    half: Floats = middle(profile) / 2
    return half[:, 0] + half[:, 1]


def mean_place(standings: Standings) -> Floats:
    """The weighted mean of the tie-averaged place among the scored, 1 being the first."""

    def of_ballots(scores: Array) -> tuple[Floats, Bools]:
        found = places(scores)
        return found.place, found.observed

    def of_counts(counts: PlaceCounts) -> tuple[Floats, Ints]:
        k = np.arange(counts.observed.shape[1])
        return k * counts.observed - counts.below - counts.tied / 2, counts.observed

    return _average_of_places(standings, of_ballots, of_counts)


def mean_win_rate(standings: Standings) -> Floats:
    """The weighted mean share of the other scored systems that are beaten, ties half."""
    # A ballot on which a system is alone says nothing of it and is left out.

    def of_counts(counts: PlaceCounts) -> tuple[Floats, Ints]:
        n = len(counts.wins)
        k = np.arange(2, n + 1)
        beaten = (counts.below + counts.tied / 2)[:, k]
        return beaten / np.maximum(k - 1, 1), counts.observed[:, k]

    return _average_of_places(standings, win_rates, of_counts)


def _average_of_places(
    standings: Standings,
    of_ballots: Callable[[Array], tuple[Floats, Bools]],
    of_counts: Callable[[PlaceCounts], tuple[Floats, Ints]],
) -> Floats:
    """The mean of each system, from values and where they count, or sums by k and of how many."""
    standings = in_short(standings)
    if isinstance(standings, Profile):
        return average(standings, *of_ballots(standings.scores))
    sums, total = np.zeros((2, len(next(iter(standings.values())).wins)))
    for weight, counts in standings.items():
        of_k, n = of_counts(counts)
        sums += weight * of_k.sum(axis=1)
        total += weight * n.sum(axis=1)
    return ratio(sums, total)


def win_rates(scores: Array) -> tuple[Floats, Bools]:
    """The share of the others that each system beats on each ballot, and where that counts."""
    found = places(scores)
    others = found.n_observed - 1
    rates = found.beaten / np.maximum(others, 1)
    return rates, found.observed & (others > 0)


def normalized(low: Floats, high: Floats) -> Cells:
    """From scores to (score - low) / (high - low), low and high per ballot."""
    return lambda scores, block: (scores - low[block]) / (high - low)[block]


def shortfalls(gamma: Floats) -> Cells:
    """From scores to how far each falls short of gamma, per ballot."""
    return lambda scores, block: np.maximum(gamma[block] - scores, 0.0)


def up_to(gamma: Floats) -> Cells:
    """From scores to the part of them that counts beside gamma: what is beyond it earns nothing."""
    return lambda scores, block: np.minimum(scores, gamma[block])
