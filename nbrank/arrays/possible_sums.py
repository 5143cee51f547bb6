"""Scores that are sums, over all weightings: who can be above whom, and where to look."""

from __future__ import annotations

import numpy as np

from nbrank.arrays.extreme_ranks import Known, put_unscored_last
from nbrank.arrays.kinds import Bools, Floats
from nbrank.arrays.profile import TOLERANCE
from nbrank.arrays.task_sets import TaskValues
from nbrank.arrays.weight_space import Weightings

#: Steps of the search for weightings that put a system far up, or far down.
_STEPS = 24


def known_of_sums(values: TaskValues, allowed: Weightings, own: Floats) -> Known:
    """Who is always, and who never, above whom, and weightings that put somebody far up or down.

    Scores that aren't sums (of means that leave missing scores out) are bounded by how large
    and how small each can be.
    """
    pool = _pool(values, allowed, own)
    never, always = (_never_above if values.linear else _never_above_by_bounds)(values, allowed)
    stays = values.scored & (values.linear | ~_may_vanish(values, allowed))
    put_unscored_last(never, always, values.scored, stays)
    return Known(pool, values.ranks(pool), values.scored, never, always)


def _never_above(values: TaskValues, allowed: Weightings) -> tuple[Bools, Bools]:
    """Systems x systems: whether the first is never above the second, and whether it always is."""
    n = len(values.amounts)
    never, always = np.empty((n, n), dtype=bool), np.empty((n, n), dtype=bool)
    for system in range(n):
        rows = values.gaps(system)
        never[:, system] = allowed.most(rows) <= TOLERANCE * (1 - 1e-6)
        always[:, system] = -allowed.most(-rows) > TOLERANCE * (1 + 1e-6)
    return never, always


def _never_above_by_bounds(values: TaskValues, allowed: Weightings) -> tuple[Bools, Bools]:
    """The same, as far as the largest and the smallest score of each tell."""
    high, low = _largest_scores(values, allowed, 1.0), -_largest_scores(values, allowed, -1.0)
    # Under weights that leave a system without a score it is last.
    low[_may_vanish(values, allowed)] = -np.inf
    least = TOLERANCE * np.maximum(values.sizes[:, None], values.sizes)
    with np.errstate(invalid="ignore"):
        never = high[:, None] <= low + least * (1 - 1e-6)
        always = low[:, None] > high + least * (1 + 1e-6)
    return never, always


def _may_vanish(values: TaskValues, allowed: Weightings) -> Bools:
    """Whether all the weight may lie where a system has no score."""
    return allowed.most(-(values.counts > 0).astype(float)) >= -1e-12


def _largest_scores(values: TaskValues, allowed: Weightings, sign: float) -> Floats:
    """The largest score of each system (of sign -1: minus the smallest), by Dinkelbach's steps."""
    counts = np.broadcast_to(values.counts, values.amounts.shape)
    amounts = sign * values.amounts
    with np.errstate(divide="ignore", invalid="ignore"):
        each = np.where(counts > 0, amounts / counts, np.nan)
    top = np.fmax.reduce(each, axis=1)
    level = np.fmin.reduce(each, axis=1)
    for _ in range(60):
        forms = amounts - level[:, None] * counts
        weights = allowed.furthest(np.nan_to_num(forms))
        counted = np.einsum("st,st->s", weights, counts)
        with np.errstate(divide="ignore", invalid="ignore"):
            higher = np.einsum("st,st->s", weights, amounts) / counted
        higher = np.where(counted > 1e-12, np.fmax(higher, level), top)
        if np.allclose(higher, level, rtol=1e-13, atol=0, equal_nan=True):
            break
        level = higher
    return np.minimum(level + 1e-12 * np.abs(level), top)


# --------------------------------------------------------------------- weightings worth looking at


def _pool(values: TaskValues, allowed: Weightings, own: Floats) -> Floats:
    """Weightings that put some system far up, or far down, and the board's own.

    For each system at once, Frank and Wolfe's steps towards as many others below it (or
    above it) as can be: those that are near weigh most, and from step to step nearer ones.
    """
    # The score of each system if all tasks counted for it; exact where they do.
    amounts = values.amounts / np.where(values.sizes > 0, values.sizes, 1.0)[:, None]
    scale = max(float(np.abs(amounts).max(initial=0.0)), 1e-300)
    amounts = amounts / scale
    found = [own[None, :]]
    if len(allowed.rows):
        return np.concatenate([own[None, :], _corners(amounts, allowed)])
    for sign in (1.0, -1.0):
        weights = np.tile(own, (len(amounts), 1))
        width = 0.3 * max(float(np.ptp(amounts @ own)), 1e-12)
        for step in range(_STEPS):
            scores = weights @ amounts.T
            gaps = (np.diagonal(scores)[:, None] - scores) / width
            near = np.exp(-np.minimum(gaps**2, 50.0)) + 1e-6
            forms = sign * (near.sum(axis=1, keepdims=True) * amounts - near @ amounts)
            corners = allowed.furthest(forms)
            found.append(corners)
            weights = weights + (corners - weights) * 2 / (step + 3)
            found.append(weights)
            width *= 0.85
    pool = np.concatenate(found)
    return pool / pool.sum(axis=1, keepdims=True)


def _corners(amounts: Floats, allowed: Weightings) -> Floats:
    """For each system the weights that are best, and worst, for it against the mean."""
    forms = amounts - amounts.mean(axis=0)
    answers = [allowed.solve(form) for form in (*forms, *-forms)]
    return np.array([answer for answer in answers if answer is not None])
