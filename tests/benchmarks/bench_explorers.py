"""How long an explorer takes from a trait's change to the new chart, on GLUE (105 x 14)."""

import itertools

import pytest

import nbrank
from nbrank.datasets import fetch_glue_submissions


@pytest.fixture(scope="module")
def glue():
    return fetch_glue_submissions()


def test_explore_with_all_rules_but_kemeny(benchmark, glue):
    explorer = nbrank.explore(glue)
    explorer.rules = tuple(rule for rule in explorer.boxes if rule != "kemeny")
    weights = itertools.cycle([1.5, 2.0, 2.5])
    benchmark(lambda: explorer.set_trait("weights", {"WNLI": next(weights)}))


def test_explore_with_the_usual_rules(benchmark, glue):
    explorer = nbrank.explore(glue)
    weights = itertools.cycle([1.5, 2.0, 2.5])
    benchmark(lambda: explorer.set_trait("weights", {"WNLI": next(weights)}))


def test_a_weight_triangle_of_5_151_points(benchmark, glue):
    groups = {"a": glue.columns[:5], "b": glue.columns[5:10], "c": glue.columns[10:]}
    board = nbrank.Leaderboard(glue, groups=groups)
    chart = nbrank.charts.weight_map
    benchmark(lambda: chart(nbrank.weight_map(board, "borda", resolution=100)))
