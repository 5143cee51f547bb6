"""Linear and mixed-integer programmes, solved by HiGHS."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

import numpy as np

from nbrank.arrays.orders.linear_orders import NO_DEADLINE, Deadline, DeadlineExceeded
from nbrank.arrays.typing import Floats

if TYPE_CHECKING:
    from scipy.optimize import OptimizeResult

# How scipy.optimize.linprog says that it is done, that it stopped early, and that nothing fits.
_SOLVED, _STOPPED, _INFEASIBLE = 0, 1, 2
#: Tolerance of conditions, unless a smaller one is asked for, and HiGHS's names of it.
_TOLERANCE = 1e-7
_TOLERANCE_OPTIONS = ("primal_feasibility_tolerance", "dual_feasibility_tolerance")


def solve_lp(
    cost: Floats,
    ub_constraints: tuple[Any, Floats],
    eq_constraints: tuple[Any, Floats],
    bounds: Any,
    tolerance: float = _TOLERANCE,
    deadline: Deadline = NO_DEADLINE,
) -> OptimizeResult | None:
    """Solve a linear program with rows (a matrix, sparse or not) up to, or equal to, limits."""
    # None if nothing meets the rows.
    from scipy import optimize

    linprog: Any = optimize.linprog  # the stubs know no sparse rows
    # The second where the first is in difficulties, as on some programmes without an answer.
    for method, missed in (("highs-ds", tolerance), ("highs-ipm", _TOLERANCE)):
        options: dict[str, float] = dict.fromkeys(_TOLERANCE_OPTIONS, missed)
        if np.isfinite(deadline.moment):
            options["time_limit"] = max(deadline.seconds_left, 1e-3)
        result: OptimizeResult = linprog(
            cost, *ub_constraints, *eq_constraints, bounds, method=method, options=options
        )
        if result.status == _INFEASIBLE:
            return None
        if result.status == _STOPPED and "time_limit" in options:
            raise DeadlineExceeded
        if result.status == _SOLVED:
            return result
    raise RuntimeError(f"HiGHS could not solve a linear programme: {result.message}")


#: How the lines begin that HiGHS prints whatever it is asked (1.12, in SciPy 1.17 and 1.18).
_NOISE = b"HighsMipSolverData::"


def solve_milp(
    cost: Floats, integral: Any, bounds: Any, constraints: Any, seconds: float
) -> OptimizeResult:
    """Minimize `cost @ x` over mixed-integer x, to the last digit, within a time limit."""
    from scipy import optimize

    with _suppress_solver_output():
        return optimize.milp(
            cost,
            integrality=integral,
            bounds=bounds,
            constraints=constraints,
            options={"time_limit": min(max(seconds, 0.01), 1e6), "mip_rel_gap": 0.0},
        )


@contextmanager
def _suppress_solver_output() -> Iterator[None]:
    """Keep what HiGHS prints from the standard output of the process."""
    # No option stops these lines. Output of other threads is written afterwards. A
    # thread other than the main one leaves the descriptor alone, and so does the browser.
    if sys.platform == "emscripten" or threading.current_thread() is not threading.main_thread():
        yield
        return
    try:
        own = os.dup(1)
    except OSError:  # without a standard output
        yield
        return
    with TemporaryFile() as taken:
        _flush_output()
        os.dup2(taken.fileno(), 1)
        try:
            yield
        finally:
            _flush_output()
            os.dup2(own, 1)
            os.close(own)
            taken.seek(0)
            others = b"".join(line for line in taken if not line.startswith(_NOISE))
            while others:
                others = others[os.write(1, others) :]


def _flush_output() -> None:
    """Write out what C has buffered, so that it goes where it was meant to."""
    with suppress(OSError, TypeError, AttributeError):  # Windows has no such library
        ctypes.CDLL(None).fflush(None)
