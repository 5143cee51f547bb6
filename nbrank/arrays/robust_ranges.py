"""How large numbers are, and how far they spread, whatever a few wild ones among them are."""

from __future__ import annotations

import numpy as np

from nbrank.arrays.typing import Floats


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
    n_wild = int(_wild(len(ordered)))
    ranges = ordered[len(ordered) - n_wild - 1 :] - ordered[: n_wild + 1]
    return min(span, 10 * float(ranges.min()))


def _wild(n_cells: int | np.ndarray) -> np.ndarray:
    return np.maximum(np.asarray(n_cells) // 10, 1)
