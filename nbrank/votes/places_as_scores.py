"""Recognition of tables that hold places instead of scores."""

from __future__ import annotations

from math import exp, inf, lgamma, log, log1p

import numpy as np

from nbrank.arrays.kinds import Floats, Ints
from nbrank.votes.votes import Votes

#: Whole numbers look so much like places at most once in so many tables.
_PLACES_BY_CHANCE = 5e-3


def are_places(board: Votes) -> bool:
    """Return whether higher is better, and scores are the systems' places, hardly by chance.

    Systems that a column leaves out may be below those it ranks (lists of the best few), or at
    the places that it doesn't show.
    """
    if board.instances is not None or board.lower.any():
        return False
    values = np.asarray(board.values[:, board.weights > 0], dtype=float)
    highest = np.nanmax(values, initial=1.0)
    if highest > len(values) or (values < 1).any() or (2 * values % 1 > 0).any():
        return False
    telling, as_lists, with_gaps = 0, 0.0, 0.0
    for column in values.T:
        cells, lacking = np.sort(column[~np.isnan(column)]), int(np.isnan(column).sum())
        if not len(cells):
            continue
        chances = _chances_of_places(cells, lacking, highest)
        if chances is None:
            return False
        telling += min(chances) < 0
        as_lists, with_gaps = as_lists + chances[0], with_gaps + chances[1]
    return telling >= 2 and min(as_lists, with_gaps) < log(_PLACES_BY_CHANCE)


def _chances_of_places(cells: Floats, lacking: int, highest: float) -> tuple[float, float] | None:
    """Return how likely a task's scores are places by chance: the first ones, or some with gaps.

    Logarithms: 0 where they say little, infinite where they are not the first ones. None if these
    sorted scores can't be places, although as many are lacking.
    """
    levels, times = np.unique(cells, return_counts=True)
    m, k = len(cells), len(levels)
    ways = (_ends(levels, times, averaged=averaged) for averaged in (False, True))
    ends = min((last for last in ways if last is not None and last - m <= lacking), default=None)
    if ends is not None:
        # Whole numbers up to the highest of the table are equally likely; of those that leave
        # systems out, up to 5 at least, as grades are.
        n = max(int(highest), m) if lacking else m
        orders = lgamma(m + 1) - (0.0 if k == m else log(2) + (m + 1) * log(log(2)))
        first = orders - m * log(max(n, 5) if lacking else n)
        gaps = min(lacking, n - m) if k == m else lacking
        some = orders + _log_choices(m + gaps, m) - m * log(n)
        says = k >= 4 or (lacking > 0 and k == m > 1)
    elif not (levels % 1).any() and 1 <= levels[0] and levels[-1] - k <= lacking:
        # Dense places: so likely are the numbers up to the last, of whatever scale, all there.
        n, ends = int(levels[-1]), m + int(levels[-1]) - k
        filled = log1p(-exp(-m / n))
        first, some = n * filled, max(n - lacking, 0) * filled + _log_choices(n, min(lacking, n))
        says = k >= 4
    else:
        return None
    if not says:
        first = some = 0.0
    return min(first, 0.0) if ends == m else inf, min(some, 0.0)


def _log_choices(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def _ends(levels: Floats, times: Ints, *, averaged: bool) -> int | None:
    """Return the last place that scores take if they are places; None if they can't be."""
    # Tied systems share the first of their places, or the average; then one more may be lacking.
    sizes = times + (averaged & ((2 * levels - times) % 2 == 0))
    first = levels - (sizes - 1) / 2 if averaged else levels
    apart = np.diff(first) >= sizes[:-1]
    if (first % 1).any() or first[0] < 1 or not apart.all():
        return None
    return int(first[-1] + sizes[-1] - 1)
