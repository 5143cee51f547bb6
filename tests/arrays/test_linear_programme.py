"""The one place that asks HiGHS: what it answers, and what it says where there is no answer."""

import numpy as np
import pytest
import scipy.optimize
from hypothesis import given
from hypothesis import strategies as st

from nbrank.arrays.linear_programme import cheapest
from nbrank.arrays.orders import Deadline, OutOfTime

SUM_TO_ONE = np.ones((1, 3)), np.ones(1)
NOTHING_ELSE = np.empty((0, 3)), np.empty(0)


@given(st.lists(st.integers(-9, 9), min_size=3, max_size=3))
def test_all_goes_to_what_costs_least(costs):
    found = cheapest(np.array(costs, dtype=float), NOTHING_ELSE, SUM_TO_ONE, (0, None))
    assert found.fun == pytest.approx(min(costs))


def test_what_nothing_meets_has_no_answer():
    above_two = -np.eye(3)[:1], np.array([-2.0])
    assert cheapest(np.ones(3), above_two, SUM_TO_ONE, (0, None)) is None


def test_where_one_method_is_in_difficulties_the_other_is_asked(monkeypatch):
    linprog, asked = scipy.optimize.linprog, []

    def stuck(*args, method, options):
        asked.append((method, options["primal_feasibility_tolerance"]))
        found = linprog(*args, method=method, options=options)
        found.status = 4 if method == "highs-ds" else found.status
        return found

    monkeypatch.setattr(scipy.optimize, "linprog", stuck)
    found = cheapest(np.arange(3.0), NOTHING_ELSE, SUM_TO_ONE, (0, None), tolerance=1e-9)
    assert found.x == pytest.approx([1, 0, 0], abs=1e-6)
    assert asked == [("highs-ds", 1e-9), ("highs-ipm", 1e-7)]


@pytest.mark.parametrize(("deadline", "error"), [(5, OutOfTime), (None, RuntimeError)])
def test_who_stopped_is_out_of_time_only_if_there_was_a_limit(monkeypatch, deadline, error):
    stopped = scipy.optimize.OptimizeResult(status=1, x=None, message="limit reached")
    monkeypatch.setattr(scipy.optimize, "linprog", lambda *_, **__: stopped)
    with pytest.raises(error):
        cheapest(np.ones(3), NOTHING_ELSE, SUM_TO_ONE, (0, None), deadline=Deadline.after(deadline))
