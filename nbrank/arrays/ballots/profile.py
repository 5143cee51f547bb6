"""Ballots, the places on them, and the meaning of a missing score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from nbrank.arrays.typing import Array, Bools, Floats, Ints, Positions

Missing = Literal["compatible", "ignore", "raise", "median", "worst", "zero"]
Ties = Literal["average", "min", "max"]

#: Rule scores, and pairwise margins, this close (relative to the scale of what is
#: counted) are tied: sums of the same weights in another order must not decide a
#: ranking.
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Profile:
    """Ballots: one column of scores for each task, or for each instance of each task."""

    scores: Array  # systems x ballots, higher is better, NaN where a system was not evaluated
    weights: Floats  # the weight of each ballot, above zero

    @property
    def observed(self) -> Bools:
        """Mask of the scores: systems x ballots."""
        return np.logical_not(np.isnan(self.scores))

    @property
    def scored(self) -> Bools:
        """Mask of the systems with a score on at least one ballot."""
        return np.asarray(self.observed.any(axis=1))

    def select_ballots(self, ballots: slice) -> Profile:
        """Select some of the ballots."""
        return Profile(self.scores[:, ballots], self.weights[ballots])

    def drop_single_scores(self) -> Profile:
        """Drop scores that are alone on their ballots, since they compare no systems."""
        # With only one system there is nothing to compare, and its scores stay.
        alone = np.count_nonzero(self.observed, axis=0) == 1
        if len(self.scores) == 1 or not alone.any():
            return self
        return Profile(np.where(alone, np.nan, self.scores), self.weights)

    def fill(self, missing: Missing) -> Profile:
        """Fill in missing scores by the worst or the median of their ballot, if that is asked."""
        scores = self.scores
        if missing == "worst":
            scores = fill_worst(scores)
        elif missing == "median":
            # A system without a score gets none.
            scored = self.observed.any(axis=1, keepdims=True)
            scores = np.where(scored, fill_median(scores), np.nan)
        return Profile(scores, self.weights)

    def select_systems(self, systems: Bools) -> Profile:
        """Select the ballots with only these systems on them."""
        return self if systems.all() else Profile(self.scores[systems], self.weights)


@dataclass(frozen=True)
class Places:
    """Where each system stands on each ballot among the systems scored there."""

    n_below: Positions  # systems x ballots: how many scored systems stand strictly below
    n_tied: Positions  # systems x ballots: how many other systems share the score
    observed: Bools  # whether there is a score at all: where not, the other two mean nothing

    def select_ballots(self, ballots: Bools) -> Places:
        """Select the places on some of the ballots."""
        return Places(self.n_below[:, ballots], self.n_tied[:, ballots], self.observed[:, ballots])

    @property
    def n_observed(self) -> Positions:
        """How many systems are scored on each ballot."""
        return np.count_nonzero(self.observed, axis=0)

    def place_bounds(self, ties: Ties) -> tuple[Positions, Positions]:
        """Return systems x ballots: the first and last place, from 0, that a system shares."""
        best = self.n_above
        worst = best + self.n_tied
        return worst if ties == "max" else best, best if ties == "min" else worst

    @property
    def n_beaten(self) -> Floats:
        """Systems x ballots: how many scored systems stand below, those level counting half."""
        return self.n_below + self.n_tied / 2

    @property
    def place(self) -> Floats:
        """Systems x ballots: the place, 1 being the first, tied systems sharing their average."""
        return self.n_above + self.n_tied / 2 + 1

    @property
    def n_above(self) -> Positions:
        """Systems x ballots: how many scored systems stand strictly above."""
        return self.n_observed - 1 - self.n_below - self.n_tied


def power_of_two(numbers: Array | float) -> Floats:
    """Return the largest power of two that is at most each number: dividing by it is exact."""
    return np.ldexp(1.0, np.frexp(numbers)[1] - 1)


def safe_divide(amounts: Array | float, totals: Array | Ints, fill_value: float = np.nan) -> Floats:
    """Divide the amounts by the totals; use another value if a total is not above zero."""
    out = np.full(np.broadcast_shapes(np.shape(amounts), totals.shape), fill_value)
    return np.divide(amounts, totals, out=out, where=totals > 0)


def compute_places(scores: Array) -> Places:
    """Count, on each ballot, the systems below and level with each system."""
    n_systems, n_ballots = scores.shape
    ballots = np.ascontiguousarray(scores.T)
    order = np.argsort(ballots, axis=1, kind="stable")
    ordered = np.take_along_axis(ballots, order, axis=1)
    starts = np.ones((n_ballots, n_systems), dtype=bool)
    starts[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    # Systems that are level form a group; the first of each ballot starts one.
    group = np.cumsum(starts) - 1
    first, size = np.flatnonzero(starts) % n_systems, np.bincount(group)
    below, tied = np.empty((2, n_ballots, n_systems), dtype=np.intp)
    np.put_along_axis(below, order, first[group].reshape(starts.shape), axis=1)
    np.put_along_axis(tied, order, size[group].reshape(starts.shape) - 1, axis=1)
    return Places(below.T, tied.T, ~np.isnan(scores))


def fill_median(scores: Array) -> Array:
    """Give each missing score the median of its ballot."""
    missing = np.isnan(scores)
    # A ballot without any score has no median, and stays as it is.
    incomplete = missing.any(axis=0) & ~missing.all(axis=0)
    # The middle of two numbers of single precision need not be one.
    filled = scores.astype(np.float64)
    medians = np.nanmedian(filled[:, incomplete], axis=0)
    filled[:, incomplete] = np.where(missing[:, incomplete], medians, scores[:, incomplete])
    return filled


def fill_worst(scores: Array) -> Array:
    """Put each missing score below every score of its ballot, level with the other missing ones."""
    # A score of minus infinity that was observed must stay above, so scores are replaced by their
    # places if there is one.
    if not np.isneginf(scores).any():
        return np.where(np.isnan(scores), -np.inf, scores)
    result = compute_places(scores)
    return np.where(result.observed, result.n_below.astype(float), -1.0)


def dense_ranks(values: Floats, tolerance: float) -> Positions:
    """Number the distinct values from the smallest (0), those within the tolerance being one."""
    # The columns of a matrix are numbered each on its own.
    order = np.argsort(values, axis=0, kind="stable")
    ordered = np.take_along_axis(values, order, axis=0)
    steps = np.diff(ordered, axis=0, prepend=ordered[:1]) > tolerance
    numbers = np.empty(values.shape, dtype=np.intp)
    np.put_along_axis(numbers, order, np.cumsum(steps, axis=0), axis=0)
    return numbers


def competition_ranks(scores: Floats, scale: float | Floats | None = None) -> Ints:
    """Rank with the best first; tied systems share the smallest rank: 1, 2, 2, 4."""
    # A NaN is last. Two scores tie if they differ by at most `TOLERANCE` of the scale: of one for
    # all, or of the larger one of the two systems. None takes the largest |score|. Such ties may
    # not close: A ties with B and B with C, but A is above C. So systems take a place from the best
    # score down, and one that doesn't tie with all that share the place so far starts the next:
    # whoever else is there, no two systems that don't tie share a rank.
    known = ~np.isnan(scores)
    ranks = np.full(len(scores), known.sum() + 1, dtype=np.int64)
    if known.any():
        finite = scores[known]
        if scale is None:
            scale = float(np.abs(finite).max())
        tolerance = TOLERANCE * np.broadcast_to(np.asarray(scale, dtype=float), known.shape)[known]
        # Of equal scores the more exact comes first, so that the order of the rows decides nothing.
        order = np.lexsort((tolerance, -finite))
        starts = _starts_new_place(finite[order], tolerance[order])
        places = np.maximum.accumulate(np.where(starts, np.arange(1, len(order) + 1), 0))
        ranks[np.flatnonzero(known)[order]] = places
    return ranks


def _starts_new_place(scores: Floats, tolerance: Floats) -> Bools:
    """Return whether a new place starts, from the best score down; see `competition_ranks`."""
    starts = np.ones(len(scores), dtype=bool)
    starts[1:] = scores[:-1] - scores[1:] > tolerance.max()
    firsts = np.flatnonzero(starts)
    stops = np.append(firsts[1:], len(scores))
    long = scores[firsts] - scores[stops - 1] > np.minimum.reduceat(tolerance, firsts)
    for first, stop in zip(firsts[long].tolist(), stops[long].tolist(), strict=True):
        for item in range(first + 1, stop):
            above = slice(first, item)
            if (scores[above] - scores[item] > np.maximum(tolerance[above], tolerance[item])).any():
                starts[item], first = True, item
    return starts


def competition_ranks_columns(scores: Floats, scale: Floats) -> Ints:
    """Rank such scores in each resample (systems x resamples), as `competition_ranks` does."""
    # The scale broadcasts to the scores. Resamples are rows here: each is sorted where it lies.
    rows, scale = np.ascontiguousarray(scores.T), np.broadcast_to(scale, scores.shape).T
    missing = np.isnan(rows)
    most = TOLERANCE * np.where(missing, 0.0, scale).max(axis=1, initial=0.0)
    least = (TOLERANCE * np.where(missing, np.inf, scale).min(axis=1, initial=np.inf))[:, None]
    worse = np.where(missing, np.inf, -rows)
    order = np.argsort(worse, axis=1, kind="stable")
    ordered = np.take_along_axis(worse, order, axis=1)
    starts = np.ones(rows.shape, dtype=bool)
    first = np.broadcast_to(np.arange(rows.shape[1]), rows.shape)
    # Two systems without a score are level, and infinity minus infinity is not above zero.
    with np.errstate(invalid="ignore"):
        steps = ordered[:, 1:] - ordered[:, :-1]
        starts[:, 1:] = steps > least
        # If it hangs on more than the narrowest tolerance, ties are found by single resamples.
        near = (starts[:, 1:] & (steps <= most[:, None])).any(axis=1)
        if (tied := ~starts.all(axis=1)).any():
            first = first.copy()
            first[tied] = np.maximum.accumulate(np.where(starts[tied], first[tied], 0), axis=1)
            top = np.take_along_axis(ordered[tied], first[tied], axis=1)
            near[tied] |= (ordered[tied] - top > least[tied]).any(axis=1)
    ranks = np.empty(rows.shape, dtype=np.int64)
    np.put_along_axis(ranks, order, first + 1, axis=1)
    for resample in np.flatnonzero(near).tolist():
        ranks[resample] = competition_ranks(rows[resample], scale[resample])
    return ranks.T


def usual_range(column: Floats) -> float:
    """Return the range of the cells; at most ten times the shortest that holds nine tenths of them.

    Of fewer than ten cells all count: of a few, one apart is no less likely than one that is wild.

    >>> usual_range(np.array([0.5, 0.25, 0.75])), usual_range(np.append(np.arange(20), 1e8))
    (0.5, 180.0)
    """
    ordered = np.sort(column[np.isfinite(column)])
    if not len(ordered):
        return 0.0
    span = float(ordered[-1] - ordered[0])
    if len(ordered) < 10:
        return span
    n_wild = len(ordered) // 10
    ranges = ordered[len(ordered) - n_wild - 1 :] - ordered[: n_wild + 1]
    return min(span, 10 * float(ranges.min()))
