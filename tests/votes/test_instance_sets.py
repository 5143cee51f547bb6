"""Both levels of Borda, and the mean, on the nine sets of "What are the best systems?".

The yardstick is written in plain Python, one comparison of two scores after the other, and shares
nothing with the package. Borda's points are counted in halves, so that they are whole numbers.
"""

from functools import cache
from math import fsum

import pytest

import nbrank
from nbrank.datasets import fetch_best_systems_instances
from nbrank.datasets.downloads import BEST_SYSTEMS_SETS

#: MLQE has no ties as it is; with its scores rounded it has many.
SETS = [*BEST_SYSTEMS_SETS, "MLQE, rounded"]


# Fetched within each test and not by a fixture: a test whose data can't be had is skipped.
@cache
def scores_of(name):
    frame = fetch_best_systems_instances(name.removesuffix(", rounded"))
    return frame.round(1) if name.endswith("rounded") else frame


@cache
def tasks_of(name):
    return by_task(scores_of(name))


def half_points(scores):
    """Twice the points on one ballot: 2 for each system that is below, 1 for each that is level."""
    return {
        system: sum(
            2 * (other < own) + (other == own) for rival, other in scores.items() if rival != system
        )
        for system, own in scores.items()
    }


def added(ballots):
    total = dict.fromkeys(ballots[0], 0)
    for ballot in ballots:
        for system, points in half_points(ballot).items():
            total[system] += points
    return total


def by_task(frame):
    """Task -> one mapping from system to score for each instance."""
    tasks = {}
    for task in frame.columns:
        instances = {}
        for (system, instance), score in frame[task].items():
            instances.setdefault(instance, {})[system] = score
        tasks[task] = list(instances.values())
    return tasks


def one_level(tasks):
    return added([ballot for ballots in tasks.values() for ballot in ballots])


def two_levels(tasks):
    return added([added(ballots) for ballots in tasks.values()])


def mean_of_means(tasks):
    systems = next(iter(tasks.values()))[0]
    return {
        system: fsum(
            fsum(ballot[system] for ballot in ballots) / len(ballots) for ballots in tasks.values()
        )
        / len(tasks)
        for system in systems
    }


def ranks_of(scores, tolerance=0.0):
    return {
        system: 1 + sum(other > own + tolerance for other in scores.values())
        for system, own in scores.items()
    }


@pytest.mark.parametrize("name", [name for name in SETS if name != "MLQE"])
def test_the_sets_have_ties(name):
    ballots = [ballot for ballots in tasks_of(name).values() for ballot in ballots]
    assert any(len(set(ballot.values())) < len(ballot) for ballot in ballots)


@pytest.mark.parametrize(("levels", "slow"), [(1, one_level), (2, two_levels)])
@pytest.mark.parametrize("name", SETS)
def test_borda_is_the_sum_of_the_points_counted_one_by_one(name, levels, slow):
    expected = slow(tasks_of(name))
    found = nbrank.borda(scores_of(name), levels=levels)
    assert (found["score"] * 2).to_dict() == expected
    assert found["rank"].to_dict() == ranks_of(expected)


@pytest.mark.parametrize("name", SETS)
def test_the_mean_is_that_of_the_tasks_means(name):
    expected = mean_of_means(tasks_of(name))
    found = nbrank.mean(scores_of(name))
    assert found["score"].to_dict() == pytest.approx(expected, rel=1e-12, abs=1e-12)
    largest = max(abs(score) for score in expected.values())
    assert found["rank"].to_dict() == ranks_of(expected, 1e-9 * largest)


@pytest.mark.parametrize(("levels", "slow"), [(1, one_level), (2, two_levels)])
@pytest.mark.parametrize("name", ["DIALOG_pc", "DIALOG_tc"])
def test_with_the_headers_exchanged_as_released_sixty_systems_tie_often(name, levels, slow):
    exchanged = scores_of(name).swaplevel().rename_axis(index=["system", "instance"])
    expected = slow(by_task(exchanged))
    assert len(expected) == 60
    found = nbrank.borda(exchanged, levels=levels)
    assert (found["score"] * 2).to_dict() == expected
    assert found["rank"].to_dict() == ranks_of(expected)
