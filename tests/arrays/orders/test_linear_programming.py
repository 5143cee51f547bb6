"""The one place that asks HiGHS: what it answers, and what it says where there is no answer."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy.optimize
from hypothesis import given
from hypothesis import strategies as st

import nbrank
from nbrank.arrays.orders.linear_orders import Deadline, DeadlineExceeded
from nbrank.arrays.orders.linear_programming import solve_lp

SUM_TO_ONE = np.ones((1, 3)), np.ones(1)
NOTHING_ELSE = np.empty((0, 3)), np.empty(0)


@given(st.lists(st.integers(-9, 9), min_size=3, max_size=3))
def test_all_goes_to_what_costs_least(costs):
    found = solve_lp(np.array(costs, dtype=float), NOTHING_ELSE, SUM_TO_ONE, (0, None))
    assert found.fun == pytest.approx(min(costs))


def test_what_nothing_meets_has_no_answer():
    above_two = -np.eye(3)[:1], np.array([-2.0])
    assert solve_lp(np.ones(3), above_two, SUM_TO_ONE, (0, None)) is None


def test_where_one_method_is_in_difficulties_the_other_is_asked(monkeypatch):
    linprog, asked = scipy.optimize.linprog, []

    def stuck(*args, method, options):
        asked.append((method, options["primal_feasibility_tolerance"]))
        found = linprog(*args, method=method, options=options)
        found.status = 4 if method == "highs-ds" else found.status
        return found

    monkeypatch.setattr(scipy.optimize, "linprog", stuck)
    found = solve_lp(np.arange(3.0), NOTHING_ELSE, SUM_TO_ONE, (0, None), tolerance=1e-9)
    assert found.x == pytest.approx([1, 0, 0], abs=1e-6)
    assert asked == [("highs-ds", 1e-9), ("highs-ipm", 1e-7)]


@pytest.mark.parametrize(("deadline", "error"), [(5, DeadlineExceeded), (None, RuntimeError)])
def test_who_stopped_is_out_of_time_only_if_there_was_a_limit(monkeypatch, deadline, error):
    stopped = scipy.optimize.OptimizeResult(status=1, x=None, message="limit reached")
    monkeypatch.setattr(scipy.optimize, "linprog", lambda *_, **__: stopped)
    with pytest.raises(error):
        solve_lp(np.ones(3), NOTHING_ELSE, SUM_TO_ONE, (0, None), deadline=Deadline.after(deadline))


# ------------------------------------------------------- what a process prints while HiGHS works

#: HiGHS 1.12 prints a line of its own while it finds the least weight to leave out of this table.
UNSEAT = """
import nbrank, pandas as pd
rows = ["1030131100331123", "1220312123013012", "3322001120323210",
        "2012002131101103", "2332301332131330"]
table = pd.DataFrame([list(map(float, row)) for row in rows])
weights = dict(enumerate([4, 4, 6, 1, 6, 1, 5, 4, 3, 8, 7, 1, 5, 7, 7, 8]))
print("before", flush=True)
nbrank.unseat(table, least="weight", weights=weights)
print("after")
"""
#: A solver that prints so while another thread prints, asked by the main thread, by another one,
#: and without a standard output.
PRINTING = """
import os, threading
import numpy as np, scipy.optimize
from nbrank.arrays.orders.linear_programming import solve_milp
NOISE = b"HighsMipSolverData::transformNewIntegerFeasibleSolution tmpSolver.run();"
def printing(*args, **options):
    os.write(1, NOISE + b"\\nfrom another thread\\n")
scipy.optimize.milp = printing
programme = np.ones(1), 1, None, (), 1.0
solve_milp(*programme)
thread = threading.Thread(target=solve_milp, args=programme)
thread.start()
thread.join()
scipy.optimize.milp = lambda *args, **options: None
os.close(1)
solve_milp(*programme)
"""


def printed(code):
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return run.stdout.splitlines()


def test_a_process_prints_nothing_of_the_solver():
    assert printed(UNSEAT) == ["before", "after"]


def test_only_lines_of_the_solver_are_taken_out_and_only_by_the_main_thread():
    noise = "HighsMipSolverData::transformNewIntegerFeasibleSolution tmpSolver.run();"
    assert printed(PRINTING) == ["from another thread", noise, "from another thread"]


def test_no_other_file_asks_for_integer_programmes():
    files = Path(nbrank.__file__).parent.rglob("*.py")
    asking = [path.name for path in files if re.search(r"\bmilp\b", path.read_text("utf-8"))]
    assert asking == ["linear_programming.py"]
