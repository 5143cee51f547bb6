"""The sets of the majority graph on labelled tables, and beside two other libraries."""

import itertools

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import votelib.evaluate.condorcet as votelib

from nbrank import from_comparisons
from nbrank.tournament import (
    condorcet_loser,
    majority_graph,
    schwartz_set,
    smith_set,
    uncovered_set,
)
from nbrank.votes.leaderboard import Leaderboard

SETS = [smith_set, schwartz_set, uncovered_set]
FUNCTIONS = [*SETS, condorcet_loser, majority_graph]


CYCLE = pd.DataFrame(
    [[4, 4, 2, 2, 3], [3, 3, 4, 4, 2], [2, 2, 3, 3, 4], [1, 1, 1, 1, 1]],
    index=["A", "B", "C", "D"],
    columns=["t1", "t2", "t3", "t4", "t5"],
)


def random_tables(n_tables, most_systems=5, seed=20261120):
    """Tables with ties within tasks, tied margins and weights."""
    rng = np.random.default_rng(seed)
    for _ in range(n_tables):
        n_systems, n_tasks = int(rng.integers(2, most_systems + 1)), int(rng.integers(1, 8))
        scores = rng.integers(0, rng.integers(2, 7), size=(n_systems, n_tasks))
        table = pd.DataFrame(scores, index=list("abcde"[:n_systems]))
        yield table, {task: float(rng.integers(1, 4)) for task in table}


def votelib_counts(table, weights):
    return {
        (a, b): sum(int(weights[task]) for task in table if table.loc[a, task] > table.loc[b, task])
        for a, b in itertools.permutations(table.index, 2)
    }


def as_battles(table):
    rows = [
        (a, b, "left" if table.loc[a, task] > table.loc[b, task] else "right")
        for task in table
        for a, b in itertools.combinations(table.index, 2)
    ]
    return pd.DataFrame(rows, columns=["l", "r", "winner"])


def test_smith_set_is_votelibs():
    for table, weights in random_tables(250):
        expected = votelib.SmithSet().evaluate(votelib_counts(table, weights))
        assert set(smith_set(table, weights=weights)) == set(expected)


def test_schwartz_set_is_votelibs_where_no_pair_is_tied():
    compared = 0
    for table, weights in random_tables(400):
        votes = votelib_counts(table, weights)
        if all(votes[a, b] != votes[b, a] for a, b in votes):
            compared += 1
            expected = votelib.SchwartzSet().evaluate(votes)
            assert set(schwartz_set(table, weights=weights)) == set(expected)
    assert compared > 100


def test_where_the_schwartz_set_of_votelib_differs():
    """Two systems that tie: neither is beaten, so both are in the set. votelib 0.4.0 goes through
    the wins, finds none, and knows no system at all."""
    table = pd.DataFrame({"t1": [2, 1], "t2": [1, 2]}, index=["a", "b"])
    assert schwartz_set(table) == ["a", "b"]
    assert votelib.SchwartzSet().evaluate({("a", "b"): 1, ("b", "a"): 1}) == []


def test_there_may_be_no_condorcet_loser():
    assert condorcet_loser(CYCLE.loc[["A", "B", "C"]]) is None
    assert condorcet_loser(CYCLE.loc[["A"]]) is None


def test_the_graph_lists_wins_from_the_clearest():
    assert majority_graph(CYCLE).to_dict("list") == {
        "winner": ["A", "B", "C", "B", "A", "C"],
        "loser": ["D", "D", "D", "C", "B", "A"],
        "margin": [5, 5, 5, 3, 1, 1],
    }


def test_the_graph_of_a_table_of_ties_has_no_edge():
    tied = pd.DataFrame({"t1": [1, 1]}, index=["A", "B"])
    graph = majority_graph(tied)
    assert list(graph.columns) == ["winner", "loser", "margin"]
    assert graph.empty


def test_networkx_finds_the_same_sets():
    for table, weights in random_tables(150, seed=3):
        edges = majority_graph(table, weights=weights)
        graph = nx.from_pandas_edgelist(edges, "winner", "loser", "margin", nx.DiGraph)
        graph.add_nodes_from(table.index)
        condensed = nx.condensation(graph)
        sources = [c for c in condensed if condensed.in_degree(c) == 0]
        first = set().union(*(condensed.nodes[c]["members"] for c in sources))
        assert set(schwartz_set(table, weights=weights)) == first


@pytest.mark.parametrize("function", [*SETS, condorcet_loser])
def test_a_system_without_any_score_is_in_no_set(function):
    table = CYCLE.astype(float)
    table.loc["E"] = np.nan
    assert function(table) == function(CYCLE)


def test_a_cycle_and_a_loser():
    assert smith_set(CYCLE) == schwartz_set(CYCLE) == uncovered_set(CYCLE) == ["A", "B", "C"]
    assert condorcet_loser(CYCLE) == "D"


def same(found, expected):
    if isinstance(expected, pd.DataFrame):
        pd.testing.assert_frame_equal(found, expected)
    else:
        assert found == expected


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_frame_a_leaderboard_and_comparisons_give_the_same(function):
    expected = function(CYCLE)
    same(function(Leaderboard(CYCLE)), expected)
    comparisons = from_comparisons(as_battles(CYCLE), left="l", right="r", winner="winner")
    same(function(comparisons), expected)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_weights_and_orientation_count(function):
    copies = CYCLE[["t1", "t1", "t2", "t3", "t4", "t5"]]
    copies.columns = list("uvwxyz")
    weights = {"t1": 2}
    same(function(CYCLE, weights=weights), function(copies))
    same(function(-CYCLE, lower_is_better=True, weights=weights), function(copies))
    with pytest.raises(TypeError):
        function(Leaderboard(CYCLE), weights=weights)


def test_a_table_without_any_score_has_empty_sets():
    table = pd.DataFrame({"t1": [np.nan, np.nan]}, index=["A", "B"])
    assert smith_set(table) == schwartz_set(table) == uncovered_set(table) == []
    assert condorcet_loser(table) is None
    assert majority_graph(table).empty


def test_labels_may_be_tuples():
    index = pd.MultiIndex.from_tuples([("x", 1), ("x", 2), ("y", 1), ("y", 2)])
    table = CYCLE.set_axis(index)
    assert smith_set(table) == [("x", 1), ("x", 2), ("y", 1)]
    assert condorcet_loser(table) == ("y", 2)
    assert majority_graph(table)["winner"].tolist()[:2] == [("x", 1), ("x", 2)]
