"""Clique covers: against all covers by maximal cliques of small graphs, and at some size."""

import itertools

import numpy as np
import pytest

from nbrank.arrays.uncertainty.clique_covers import clique_cover
from nbrank.arrays.uncertainty.multiple_comparisons import wilcoxon_holm_p_values


def share(n, cliques):
    together = np.eye(n, dtype=bool)
    for clique in cliques:
        together[np.ix_(clique, clique)] = True
    return together


def check(different):
    """The cover, whose members are together just where they are not different."""
    cliques = clique_cover(different)
    np.testing.assert_array_equal(share(len(different), cliques), ~different)
    return cliques


def random_graph(rng, n):
    different = np.triu(rng.random((n, n)) < rng.random(), 1)
    return different | different.T


def signed_ranks(rng, n):
    """Which of n systems signed ranks tell apart over some tasks."""
    n_tasks = rng.integers(6, 20)
    scores = rng.normal(size=(n, n_tasks)) + np.linspace(0, rng.uniform(0, 4), n)[:, None]
    scores *= rng.uniform(0.5, 2, (n, 1))
    return wilcoxon_holm_p_values(scores) <= 0.1


def smallest_cover(different):
    """How many cliques the smallest cover takes, by trying all sets of maximal cliques."""
    n = len(different)
    sets = [
        frozenset(chosen)
        for size in range(1, n + 1)
        for chosen in itertools.combinations(range(n), size)
        if not different[np.ix_(chosen, chosen)].any()
    ]
    maximal = [one for one in sets if not any(one < other for other in sets)]
    pairs = [(i, j) for i in range(n) for j in range(i + 1) if not different[i, j]]
    covers = [sum(1 << at for at, (i, j) in enumerate(pairs) if {i, j} <= one) for one in maximal]
    every, size, reached = (1 << len(pairs)) - 1, 0, {0}
    while every not in reached:
        reached = {so_far | cover for so_far in reached for cover in covers}
        size += 1
    return size


@pytest.mark.parametrize("draw", [random_graph, signed_ranks])
def test_two_share_a_clique_just_if_they_are_not_different(draw):
    rng = np.random.default_rng(1)
    for _ in range(200):
        check(draw(rng, int(rng.integers(1, 25)) if draw is random_graph else 9))


@pytest.mark.parametrize("draw", [random_graph, signed_ranks])
def test_of_few_systems_the_cover_is_mostly_the_smallest(draw):
    rng = np.random.default_rng(2)
    spare = []
    for _ in range(120):
        different = draw(rng, int(rng.integers(2, 8)))
        spare.append(len(check(different)) - smallest_cover(different))
    assert min(spare) >= 0
    assert np.mean(spare) < 0.02


def test_on_a_line_the_cliques_are_the_longest_runs_of_neighbors():
    rng = np.random.default_rng(3)
    for _ in range(50):
        places = np.sort(rng.uniform(0, 10, rng.integers(1, 40)))
        different = np.abs(places[:, None] - places) > 1
        ends = [int(np.flatnonzero(row).max()) for row in ~different]
        runs = [
            list(range(first, last + 1))
            for first, last in enumerate(ends)
            if first == 0 or last > ends[first - 1]
        ]
        assert [clique.tolist() for clique in check(different)] == runs


def test_a_system_that_differs_from_all_others_is_on_its_own():
    different = ~np.eye(3, dtype=bool)
    assert [clique.tolist() for clique in check(different)] == [[0], [1], [2]]


def test_where_there_are_a_trillion_maximal_cliques_few_cover_all_pairs():
    different = np.zeros((80, 80), dtype=bool)
    for one in range(0, 80, 2):
        different[one, one + 1] = different[one + 1, one] = True
    assert len(check(different)) < 16


def test_many_systems_that_are_all_alike_are_one_clique():
    assert len(check(np.zeros((1000, 1000), dtype=bool))) == 1
