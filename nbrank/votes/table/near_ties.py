"""A warning of nearly equal scores, whose difference may be rounding."""

import numpy as np
import pandas as pd

from nbrank.arrays.ballots.profile import usual_range
from nbrank.arrays.typing import Array, Bools
from nbrank.votes.formatting import format_labels
from nbrank.votes.user_warnings import NearTieWarning, warn_user

#: Tolerance, relative to a task's range and to the scores, for differences due to rounding.
_NEAR_TIE_TOLERANCE = 1e-9
#: Tolerance, relative to the scores, that holds for any task, however narrow its range.
_ROUNDING = 1e-15


def warn_near_ties(
    values: Array, systems: pd.Index, tasks: pd.Index, counts: Bools, rule: str, _: object = None
) -> None:
    """Warn if places are decided by differences as small as the rounding of a sum."""
    values, tasks = values[:, counts], tasks[counts]
    order = np.argsort(values, axis=0, kind="stable")
    ordered = np.take_along_axis(values, order, axis=0).astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        steps = np.diff(ordered, axis=0)
        size = np.maximum(np.abs(ordered[1:]), np.abs(ordered[:-1]))
        near = (steps > 0) & (steps <= _NEAR_TIE_TOLERANCE * size) & np.isfinite(steps)
        # The scores alone rule out most tables.
        if near.any():
            spread = np.array([usual_range(column) for column in ordered.T])
            near &= (steps <= _NEAR_TIE_TOLERANCE * spread) | (steps <= _ROUNDING * size)
    place, task = np.nonzero(near)
    if not len(place):
        return
    first = order[[place[0], place[0] + 1], task[0]]
    scores = " and ".join(repr(float(score)) for score in values[first, task[0]])
    warn_user(
        f"{rule}: on {format_labels(tasks[np.unique(task)])} scores that differ by less than "
        "1e-9 of the "
        f"task's range take different places, such as those of {format_labels(systems[first])} "
        f"({scores}); if that is rounding, make them tie: Leaderboard(scores, decimals=...)",
        NearTieWarning,
    )
