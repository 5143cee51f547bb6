"""Whether the numbers of a table are places, of which 1 is best, hardly by chance."""

from math import ceil, exp, inf, lgamma, log, log1p

import numpy as np

from nbrank.arrays.typing import Floats, Ints
from nbrank.votes.base import Votes

#: Maximum probability that whole numbers look like places by chance.
_PLACES_BY_CHANCE = 5e-3
#: Number of rows per dropped row; with fewer, grades up to 7 look like such places.
_ROWS_PER_DROPPED = 7
_FEWEST_ROWS_PER_DROPPED = 4  # for lists that are very unlikely by chance
#: Maximum probability that a table of points matches places.
_CHANCE_THRESHOLD = 1e-6


def looks_like_places(board: Votes) -> bool:
    """Return whether higher is better although the scores are places, too regular for chance.

    Systems without a score in a column may be below those it ranks (lists of the best few), or
    at the places that it doesn't contain; so may a few systems whose rows were dropped.
    """
    if board.instances is not None or board.is_lower_better.any():
        return False
    values: Floats = np.asarray(board.values[:, board.weights > 0], dtype=float)
    return cells_look_like_places(values)


def cells_look_like_places(table: Floats) -> bool:
    """Return whether the cells of a table are the places of its rows, hardly by chance.

    >>> places = np.array([[1, 2, 1, 1], [2, 1, 2, 3], [3, 3, 4, 2], [4, 4, 3, 5], [5, 5, 5, 4.0]])
    >>> cells_look_like_places(places), cells_look_like_places(places * 10)
    (True, False)
    """
    values = np.asarray(table, dtype=float)
    highest = np.nanmax(values, initial=1.0)
    n_dropped = max(ceil(highest) - len(values), 0) if np.isfinite(highest) else inf
    many = n_dropped > len(values) // _FEWEST_ROWS_PER_DROPPED
    if many or (values < 1).any() or (2 * values % 1 > 0).any():
        return False
    # A place missing from all lists is not a dropped system's, whose places would differ.
    if n_dropped and not np.isin(np.arange(1, ceil(highest) + 1), values).all():
        return False
    telling, as_lists, with_gaps = 0, 0.0, 0.0
    for column in values.T:
        cells, lacking = np.sort(column[~np.isnan(column)]), int(np.isnan(column).sum())
        if not len(cells):
            continue
        chances = _chances_of_places(cells, lacking, highest, int(n_dropped))
        if chances is None:
            return False
        telling += min(chances) < 0
        as_lists, with_gaps = as_lists + chances[0], with_gaps + chances[1]
    few = n_dropped <= len(values) // _ROWS_PER_DROPPED
    by_chance = _PLACES_BY_CHANCE if few else _CHANCE_THRESHOLD
    return telling >= 2 + (n_dropped > 0) and min(as_lists, with_gaps) < log(by_chance)


def _chances_of_places(
    cells: Floats, n_missing: int, highest: float, n_dropped: int
) -> tuple[float, float] | None:
    """Return how likely a task's scores are places by chance: the first ones, or with gaps.

    Values are logarithms: 0 if the scores reveal little, infinite if they are not the first
    places. None if these sorted scores can't be places, even with the missing ones.
    """
    levels, times = np.unique(cells, return_counts=True)
    m, k, lacking = len(cells), len(levels), n_missing + n_dropped
    ways = (_ends(levels, times, averaged=averaged) for averaged in (False, True))
    ends = min((last for last in ways if last is not None and last - m <= lacking), default=None)
    if ends is not None:
        # Whole numbers up to the table's highest are equally likely; if systems are left out,
        # those up to at least 5, as with grades.
        n = max(int(highest), m) if lacking else m
        orders = lgamma(m + 1) - (0.0 if k == m else log(2) + (m + 1) * log(log(2)))
        first = orders - m * log(max(n, 5) if lacking else n)
        gaps = min(lacking, n - m) if k == m else lacking
        some = orders + _log_choices(m + gaps, m) - m * log(n)
        says = k >= 4 or (n_missing > 0 and k == m > 1)
    elif not (levels % 1).any() and 1 <= levels[0] and levels[-1] - k <= lacking:
        # For dense places, this is the chance that all numbers up to the last occur.
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
    # Tied systems share the first of their places, or the average, which may add one more gap.
    sizes = times + (averaged & ((2 * levels - times) % 2 == 0))
    first = levels - (sizes - 1) / 2 if averaged else levels
    apart = np.diff(first) >= sizes[:-1]
    if (first % 1).any() or first[0] < 1 or not apart.all():
        return None
    return int(first[-1] + sizes[-1] - 1)
