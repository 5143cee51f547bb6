"""Weights under which a system wins: optimal, nearest to uniform, and the same on every machine."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.optimize import OptimizeResult, linprog

from nbrank.arrays.weights import smallest_margins as rules
from nbrank.arrays.weights.smallest_margins import (
    maximize_direction,
    maximize_smallest_margin,
    net_wins,
    smallest_margin,
)
from nbrank.arrays.weights.task_weightings import WeightPolytope

# ------------------------------------------------------------------------------------------ oracles


def all_weights(n_tasks):
    """Every choice of weights for so many tasks."""
    return WeightPolytope.from_conditions(np.empty((0, n_tasks)), np.empty(0))


def corners(wins: np.ndarray, allowed: WeightPolytope, floor: float | None) -> list[np.ndarray]:
    """Every corner (weights, level) of the programme, by trying all sets of tight conditions."""
    n_tasks = wins.shape[1]
    level = np.eye(n_tasks + 1)[-1]
    rows = [*(np.append(row, -1.0) for row in wins), *np.eye(n_tasks + 1)[:-1]]
    rows += [np.append(row, 0.0) for row in allowed.rows]
    least = [0.0] * (len(wins) + n_tasks) + [*allowed.lower_bounds]
    equal = [np.append(np.ones(n_tasks), 0.0)] + ([] if floor is None else [level])
    goal = [1.0] + ([] if floor is None else [floor])
    found = []
    for tight in combinations(range(len(rows)), n_tasks + 1 - len(equal)):
        system = np.array(equal + [rows[i] for i in tight])
        if abs(np.linalg.det(system)) > 1e-9:
            corner = np.linalg.solve(system, goal + [least[i] for i in tight])
            if (np.array(rows) @ corner >= np.array(least) - 1e-9).all():
                found.append(corner)
    return found


def best_level(wins: np.ndarray, allowed: WeightPolytope) -> float | None:
    """The largest smallest margin, by an interior-point method on the whole programme at once."""
    n_tasks = wins.shape[1]
    answer = linprog(
        [0.0] * n_tasks + [-1.0],
        A_ub=np.vstack(
            [np.c_[-wins, np.ones(len(wins))], np.c_[-allowed.rows, 0 * allowed.lower_bounds]]
        ),
        b_ub=[*np.zeros(len(wins)), *-allowed.lower_bounds],
        A_eq=[[1.0] * n_tasks + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * n_tasks + [(None, None)],
        method="highs-ipm",
    )
    return None if answer.status == 2 else -answer.fun


def distance_to_go(
    weights: np.ndarray,
    wins: np.ndarray,
    allowed: WeightPolytope,
    level: float,
    direction: np.ndarray,
) -> float:
    """0 if the weights are the nearest to uniform of those with this level (and this direction).

    That is so if the way back to uniform is a combination, with no negative
    factor, of the conditions that are met exactly (Karush, Kuhn and Tucker).
    """
    n_tasks = len(weights)
    held = [np.ones(n_tasks), -np.ones(n_tasks), direction]
    held += [row for row in wins if abs(row @ weights - level) < 1e-9]
    held += [
        row
        for row, least in zip(allowed.rows, allowed.lower_bounds, strict=True)
        if abs(row @ weights - least) < 1e-9
    ]
    held += [row for row, weight in zip(np.eye(n_tasks), weights, strict=True) if weight < 1e-9]
    # Least absolute errors: older versions of SciPy's `nnls` give up where conditions depend on
    # each other.
    errors = np.vstack([np.eye(n_tasks), -np.eye(n_tasks)])
    costs = np.repeat([0.0, 1.0], [len(held), 2 * n_tasks])
    # Magnified, since the solver takes less than 1e-7 for nothing.
    goal = 1e6 * (weights - 1 / n_tasks)
    return float(linprog(costs, A_eq=np.vstack([held, errors]).T, b_eq=goal).fun) / 1e6


def assert_allowed(weights: np.ndarray, allowed: WeightPolytope) -> None:
    assert (weights >= 0).all()
    assert weights.sum() == pytest.approx(1, abs=1e-15)
    assert (allowed.rows @ weights >= allowed.lower_bounds - 1e-9).all()


def tables(most_systems: int, most_tasks: int) -> st.SearchStrategy[np.ndarray]:
    """Scores with ties (few values) and missing cells."""
    shapes = st.tuples(st.integers(1, most_systems), st.integers(1, most_tasks))
    return shapes.flatmap(
        lambda shape: hnp.arrays(float, shape, elements=st.sampled_from([0, 1, 2, 3, np.nan]))
    )


@st.composite
def conditions(draw: st.DrawFn, n_tasks: int) -> WeightPolytope:
    n_rows = draw(st.integers(0, 3))
    rows = draw(hnp.arrays(float, (n_rows, n_tasks), elements=st.sampled_from([-1, 0, 1])))
    least = draw(hnp.arrays(float, n_rows, elements=st.sampled_from([-0.6, -0.25, 0, 0.1, 0.5])))
    return WeightPolytope.from_conditions(rows, least)


@st.composite
def programmes(
    draw: st.DrawFn, most_systems: int, most_tasks: int
) -> tuple[np.ndarray, WeightPolytope, np.ndarray]:
    scores = draw(tables(most_systems, most_tasks))
    n_tasks = scores.shape[1]
    direction = draw(hnp.arrays(float, n_tasks, elements=st.sampled_from([-1, 0, 1])))
    return over_others(scores, 0), draw(conditions(n_tasks)), direction


def over_others(scores: np.ndarray, system: int) -> np.ndarray:
    n_tasks = scores.shape[1]
    return np.delete(net_wins(scores, system, np.arange(n_tasks), n_tasks), system, axis=0)


# -------------------------------------------------------------------------------- hand calculations


def test_net_wins_are_signs_where_a_tie_and_a_missing_score_count_nothing():
    scores = np.array([[2.0, 2.0, 2.0, 2.0], [1.0, 2.0, 3.0, np.nan]])
    assert over_others(scores, 0).tolist() == [[1, 0, -1, 0]]
    assert over_others(scores, 1).tolist() == [[-1, 0, 1, 0]]


def test_infinite_scores_are_above_and_below_everything():
    scores = np.array([[np.inf, -np.inf], [1.0, 1.0]])
    assert over_others(scores, 0).tolist() == [[1, -1]]


def test_net_wins_over_instances_are_in_units_of_the_largest_task():
    scores = np.array([[2.0, 2.0, 0.0, 5.0], [1.0, 1.0, 1.0, 1.0]])
    found = net_wins(scores, 0, np.array([0, 0, 0, 1]), 2)
    assert found[1].tolist() == pytest.approx([1 / 3, 1 / 3])


def test_a_task_without_any_instance_decides_nothing():
    found = net_wins(np.array([[2.0], [1.0]]), 0, np.array([1]), 2)
    assert found[1].tolist() == [0, 1]


def test_more_instances_than_a_byte_counts():
    found = net_wins(np.array([[1.0] * 300, [0.0] * 300]), 0, np.zeros(300, dtype=int), 1)
    assert found[1].tolist() == [1]


def test_rock_paper_scissors_needs_equal_weights():
    # Above one opponent on each task, below another: the value of the game is 0.
    wins = np.array([[0.0, 1.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.0]])
    weights = maximize_smallest_margin(wins, all_weights(3))
    assert weights == pytest.approx([1 / 3, 1 / 3, 1 / 3])
    assert smallest_margin(wins, weights) == 0.0


def test_an_unequal_game_has_its_known_value():
    # Indifference between the opponents: w - (1 - w) = -w / 2 + (1 - w), so w = 4/7, v = 1/7.
    wins = np.array([[1.0, -1.0], [-0.5, 1.0]])
    weights = maximize_smallest_margin(wins, all_weights(2))
    assert weights == pytest.approx([4 / 7, 3 / 7])
    assert smallest_margin(wins, weights) == pytest.approx(1 / 7)


def test_of_the_best_weights_the_nearest_to_uniform():
    # Tasks 1 and 2 alone win everything, task 3 nothing: any weights on the first two are best.
    wins = np.array([[1.0, 1.0, -1.0]])
    assert maximize_smallest_margin(wins, all_weights(3)) == pytest.approx([0.5, 0.5, 0])


def test_nearest_in_euclidean_distance_with_a_condition_that_bends_the_best_weights():
    # Best: w1 + w2 + w3 = 1 with w1 >= 0.6. Nearest to (1/4, ..., 1/4): the rest shared equally.
    wins = np.array([[1.0, 1.0, 1.0, -1.0]])
    allowed = WeightPolytope.from_conditions(np.array([[1.0, 0.0, 0.0, 0.0]]), np.array([0.6]))
    assert maximize_smallest_margin(wins, allowed) == pytest.approx([0.6, 0.2, 0.2, 0])


def test_without_opponents_the_weights_are_uniform_and_the_margin_1():
    nobody = np.empty((0, 3))
    weights = maximize_smallest_margin(nobody, all_weights(3))
    assert weights.tolist() == [1 / 3] * 3
    assert smallest_margin(nobody, weights) == 1.0


def test_pushed_weights_stop_where_the_first_margin_reaches_0():
    # Task 2 is lost to the first opponent, which task 1 has to make good; task 3 is free.
    wins = np.array([[1.0, -1.0, 0.0], [1.0, 1.0, 1.0]])
    most = maximize_direction(wins, all_weights(3), np.array([0.0, 1.0, 0.0]))
    assert most == pytest.approx([0.5, 0.5, 0])
    # With as little of it as can be, 0, the other two share.
    least = maximize_direction(wins, all_weights(3), np.array([0.0, -1.0, 0.0]))
    assert least == pytest.approx([0.5, 0, 0.5])


def test_a_dominated_system_can_not_be_pushed():
    assert (
        maximize_direction(np.array([[-1.0, -1.0]]), all_weights(2), np.array([1.0, 0.0])) is None
    )


def test_conditions_that_exclude_each_other_leave_no_weights():
    allowed = WeightPolytope.from_conditions(
        np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([0.6, 0.6])
    )
    assert rules.find_most_uniform(allowed) is None
    assert maximize_smallest_margin(np.array([[1.0, 1.0]]), allowed) is None
    assert maximize_smallest_margin(np.empty((0, 2)), allowed) is None
    assert maximize_direction(np.array([[1.0, 1.0]]), allowed, np.array([1.0, 0.0])) is None


def test_conditions_that_leave_a_single_choice():
    rows = np.array([[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    allowed = WeightPolytope.from_conditions(rows, np.array([0.7, -0.7, 0.3]))
    assert rules.find_most_uniform(allowed) == pytest.approx([0.7, 0.3, 0])


def test_where_the_simplex_method_gives_up_another_is_asked(monkeypatch):
    wins = np.array([[1.0, -1.0, 1.0], [-1.0, 1.0, 0.5]])
    allowed = WeightPolytope.from_conditions(np.array([[0.0, 0.0, -1.0]]), np.array([-0.5]))
    expected = maximize_smallest_margin(wins, allowed)
    asked = []

    def stuck(*args, **options):
        asked.append(options["method"])
        if asked[-1] == "highs-ds":
            return OptimizeResult(status=4, x=None, message="unknown")
        return linprog(*args, **options)

    monkeypatch.setattr("scipy.optimize.linprog", stuck)
    np.testing.assert_allclose(maximize_smallest_margin(wins, allowed), expected, atol=1e-12)
    assert "highs-ipm" in asked


def test_a_programme_that_is_given_up_is_an_error(monkeypatch):
    class Stopped:
        status, x, message = 1, None, "iteration limit reached"

    monkeypatch.setattr("scipy.optimize.linprog", lambda *_, **__: Stopped())
    with pytest.raises(RuntimeError, match="iteration limit reached"):
        maximize_smallest_margin(np.array([[1.0, -1.0], [-1.0, 1.0], [1.0, 0.0]]), all_weights(2))


def test_conditions_with_no_common_point_are_an_error_of_the_projection():
    with pytest.raises(RuntimeError, match="can't all be met"):
        rules._project_onto_polyhedron(np.zeros(1), np.array([[1.0], [-1.0]]), np.array([1.0, 1.0]))


# ---------------------------------------------------------------------------------- against oracles


@settings(max_examples=150)
@given(programmes(4, 4))
def test_margins_equal_the_best_corner_of_brute_force(programme):
    wins, allowed, _ = programme
    weights = maximize_smallest_margin(wins, allowed)
    found = corners(wins, allowed, floor=None) if len(wins) else None
    if weights is None:
        assert not found
        return
    assert_allowed(weights, allowed)
    if found is not None:
        assert smallest_margin(wins, weights) == pytest.approx(
            max(corner[-1] for corner in found), abs=1e-9
        )


@settings(max_examples=150)
@given(programmes(4, 4))
def test_pushed_weights_equal_the_best_corner_of_brute_force(programme):
    wins, allowed, direction = programme
    weights = maximize_direction(wins, allowed, direction)
    found = corners(wins, allowed, floor=0.0)
    if weights is None:
        assert not found
        return
    assert_allowed(weights, allowed)
    assert (wins @ weights >= -1e-9).all()
    assert direction @ weights == pytest.approx(
        max(direction @ corner[:-1] for corner in found), abs=1e-9
    )


@settings(max_examples=150)
@given(programmes(12, 7))
def test_weights_are_the_nearest_to_uniform_of_the_best(programme):
    wins, allowed, direction = programme
    for weights, goal in (
        (maximize_smallest_margin(wins, allowed), np.zeros(len(direction))),
        (maximize_direction(wins, allowed, direction), direction),
    ):
        if weights is not None:
            level = float((wins @ weights).min(initial=1.0)) if not goal.any() else 0.0
            assert distance_to_go(weights, wins, allowed, level, goal) < 1e-9


@pytest.mark.parametrize(
    ("n_systems", "n_tasks", "spread", "decimals", "missing"),
    [(100, 14, 0.5, 1, 0.0), (60, 40, 0.3, 0, 0.4), (300, 60, 0.2, 2, 0.0), (20, 90, 1.0, 1, 0.5)],
)
def test_larger_tables_by_interior_points_and_optimality_conditions(
    n_systems, n_tasks, spread, decimals, missing
):
    rng = np.random.default_rng(n_systems)
    scores = rng.normal(size=(n_systems, 1)) * spread + rng.normal(size=(n_systems, n_tasks))
    scores = np.round(scores, decimals)
    scores[rng.random(scores.shape) < missing] = np.nan
    everything = all_weights(n_tasks)
    for system in range(0, n_systems, n_systems // 10):
        wins = over_others(scores, system)
        weights = maximize_smallest_margin(wins, everything)
        assert_allowed(weights, everything)
        margin = smallest_margin(wins, weights)
        assert margin == pytest.approx(best_level(wins, everything), abs=1e-9)
        level = float((wins @ weights).min())
        assert distance_to_go(weights, wins, everything, level, np.zeros(n_tasks)) < 1e-9


def test_opponents_taken_in_later_count_as_much(monkeypatch):
    rng = np.random.default_rng(3)
    wins = rng.integers(-1, 2, size=(80, 12)).astype(float)
    expected = maximize_smallest_margin(wins, all_weights(12))
    for at_a_time in (1, 5, 1000):
        monkeypatch.setattr(rules, "_MAX_OPPONENTS_PER_LP", at_a_time)
        assert maximize_smallest_margin(wins, all_weights(12)) == pytest.approx(expected, abs=1e-12)


# --------------------------------------------------------------------------------------- properties


@settings(max_examples=100)
@given(programmes(8, 6), st.randoms(use_true_random=False))
def test_the_order_of_opponents_tasks_and_conditions_changes_nothing(programme, random):
    wins, allowed, direction = programme
    tasks, opponents = [*range(wins.shape[1])], [*range(len(wins))]
    order = [*range(len(allowed.lower_bounds))]
    for listed in (tasks, opponents, order):
        random.shuffle(listed)
    shuffled = WeightPolytope.from_conditions(
        allowed.rows[order][:, tasks], allowed.lower_bounds[order]
    )
    for weights, again in (
        (
            maximize_smallest_margin(wins, allowed),
            maximize_smallest_margin(wins[opponents][:, tasks], shuffled),
        ),
        (
            maximize_direction(wins, allowed, direction),
            maximize_direction(wins[opponents][:, tasks], shuffled, direction[tasks]),
        ),
    ):
        assert (weights is None) == (again is None)
        if weights is not None:
            assert again == pytest.approx(weights[tasks], abs=1e-9)


@settings(max_examples=50)
@given(tables(8, 5))
def test_an_opponent_twice_or_one_beaten_more_easily_changes_nothing(scores):
    wins = over_others(scores, 0)
    easier = np.minimum(wins + 1.0, 1.0)
    everything = all_weights(wins.shape[1])
    expected = maximize_smallest_margin(wins, everything)
    assert maximize_smallest_margin(np.vstack([wins, wins, easier]), everything) == pytest.approx(
        expected, abs=1e-9
    )


@settings(max_examples=50)
@given(tables(8, 5))
def test_a_system_that_wins_every_task_has_margin_1_under_uniform_weights(scores):
    best = np.vstack([np.full(scores.shape[1], 4.0), np.nan_to_num(scores)])
    weights = maximize_smallest_margin(over_others(best, 0), all_weights(scores.shape[1]))
    assert weights == pytest.approx(all_weights(scores.shape[1]).uniform)
    assert smallest_margin(over_others(best, 0), weights) == 1.0


@settings(max_examples=50)
@given(programmes(8, 5))
def test_a_further_condition_never_makes_the_margin_larger(programme):
    wins, allowed, _ = programme
    free = smallest_margin(wins, maximize_smallest_margin(wins, all_weights(wins.shape[1])))
    weights = maximize_smallest_margin(wins, allowed)
    if weights is not None:
        assert smallest_margin(wins, weights) <= free + 1e-9


@settings(max_examples=50)
@given(st.integers(1, 6).flatmap(conditions))
def test_the_centre_is_the_allowed_point_nearest_to_uniform(allowed):
    n_tasks = allowed.rows.shape[1]
    nobody = np.empty((0, n_tasks))
    centre = rules.find_most_uniform(allowed)
    corner = corners(nobody, allowed, floor=0.0)
    assert (centre is None) == (not corner)
    if centre is not None:
        assert_allowed(centre, allowed)
        assert distance_to_go(centre, nobody, allowed, 0.0, np.zeros(n_tasks)) < 1e-9
