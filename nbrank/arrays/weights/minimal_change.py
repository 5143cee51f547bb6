"""The least that has to change for a sum to fall below 0."""

from __future__ import annotations

import numpy as np

from nbrank.arrays.typing import Floats, Positions


def minimize_steps_to_negative(leads: Floats, falls: Floats) -> tuple[int, Positions] | None:
    """Find the row whose lead the fewest of its steps bring below 0, and these steps."""
    # An infinite lead isn't asked for; None where no lead falls so far.
    order = np.argsort(-falls, axis=1, kind="stable")
    left = leads[:, None] - np.cumsum(np.take_along_axis(falls, order, axis=1), axis=1)
    below = left < 0
    if not below.any():
        return None
    count = np.where(below.any(axis=1), below.argmax(axis=1), falls.shape[1])
    row = int(count.argmin())
    return row, np.sort(order[row, : count[row] + 1])


def minimize_moved_weight(gaps: Floats, weights: Floats) -> tuple[int, float, Floats] | None:
    """Find the row that falls to 0 with the least weight moved, how much, and the weights."""
    # Weight moves from where the row is largest to where it is smallest. None where no row is below
    # 0 anywhere.
    best: tuple[int, float, Floats] | None = None
    for row, gap in enumerate(gaps):
        to = int(gap.argmin())
        # A row that is nowhere below 0 can only become level.
        if not np.isfinite(gap).all() or gap[to] >= 0:
            continue
        lead = float(gap @ weights)
        order = np.argsort(-gap, kind="stable")
        slopes = (gap - gap[to])[order]
        # How far the lead falls once each task, those that count most first, has lost its weight.
        fallen = np.cumsum(slopes * weights[order])
        full = int(np.searchsorted(fallen, lead, side="left"))
        taken = np.zeros(len(gap))
        taken[order[:full]] = weights[order[:full]]
        if full < len(gap) and slopes[full] > 0:
            before = fallen[full - 1] if full else 0.0
            taken[order[full]] = max(lead - before, 0.0) / slopes[full]
        moved = float(taken.sum() - taken[to])
        if best is None or moved < best[1]:
            after = weights - taken
            after[to] += taken.sum()
            best = row, moved, after
    return best
