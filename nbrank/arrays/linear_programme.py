"""Linear programmes, solved by HiGHS."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nbrank.arrays.kinds import Floats
from nbrank.arrays.orders import NEVER, Deadline, OutOfTime

if TYPE_CHECKING:
    from scipy.optimize import OptimizeResult

# How scipy.optimize.linprog says that it is done, that it stopped early, and that nothing fits.
_SOLVED, _STOPPED, _INFEASIBLE = 0, 1, 2
#: By how much a condition may be missed, unless it is asked for less, and how HiGHS is told.
_TOLERANCE = 1e-7
_HOW_FAR = ("primal_feasibility_tolerance", "dual_feasibility_tolerance")


def cheapest(
    cost: Floats,
    at_most: tuple[Any, Floats],
    equal: tuple[Any, Floats],
    bounds: Any,
    tolerance: float = _TOLERANCE,
    deadline: Deadline = NEVER,
) -> OptimizeResult | None:
    """What costs least where rows (a matrix, sparse or not) come to at most, or to, some limits."""
    # None where nothing meets the rows.
    from scipy import optimize

    linprog: Any = optimize.linprog  # the stubs know no sparse rows
    # The second where the first is in difficulties, as on some programmes without an answer.
    for method, missed in (("highs-ds", tolerance), ("highs-ipm", _TOLERANCE)):
        options: dict[str, float] = dict.fromkeys(_HOW_FAR, missed)
        if np.isfinite(deadline.left):
            options["time_limit"] = max(deadline.left, 1e-3)
        found: OptimizeResult = linprog(
            cost, *at_most, *equal, bounds, method=method, options=options
        )
        if found.status == _INFEASIBLE:
            return None
        if found.status == _STOPPED and "time_limit" in options:
            raise OutOfTime
        if found.status == _SOLVED:
            return found
    raise RuntimeError(f"HiGHS could not solve a linear programme: {found.message}")
