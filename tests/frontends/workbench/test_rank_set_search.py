"""A moved weight leaves a mark of the ranks at the start, in the picture and in words."""

import pandas as pd
import pytest

import nbrank


@pytest.fixture
def bench(votes):
    return nbrank.explore(votes, rules=("borda", "plurality"))


def moves(bench):
    """What stands beside the names: ▲ or ▼ and how far."""
    return [text for text in "▲▼" if text in bench._figure.svg]


def test_at_the_start_nothing_has_moved(bench):
    assert moves(bench) == []
    assert "at the start" not in bench._figure.svg


def test_a_moved_weight_leaves_the_old_rank_of_each_system_that_moved(bench, votes):
    before = nbrank.borda(votes)["rank"]
    bench.weights = {"t4": 4}
    now = bench.ranking["rank"]
    assert moves(bench) == ["▲", "▼"]
    for system in votes.index:
        was, rank = before[system], now[system]
        said = f"{system}: rank {rank} by Borda, {was} at the start"
        assert (said in bench._figure.svg.replace("=", "")) == (was != rank)
        mark = "▲" if rank < was else "▼"
        assert rank == was or f">{mark}{abs(was - rank)}</text>" in bench._figure.svg
    bench.weights = {"t4": 1}
    assert moves(bench) == []


def test_deleted_scores_leave_it_too(bench):
    bench.cells = [("B", "t1"), ("B", "t2")]
    assert moves(bench)


def test_another_rule_is_told_from_its_own_ranks_at_the_start(bench, votes):
    bench.weights = {"t4": 4}
    bench.rule = "plurality"
    was = nbrank.plurality(votes)["rank"]["D"]
    assert f"D: rank 1 by plurality, {was} at the start" in bench._figure.svg


def test_where_a_rule_refuses_the_start_there_is_no_mark():
    scores = pd.DataFrame({"x": [3, 2, None], "y": [1, 2, 3]}, index=list("ABC"))
    bench = nbrank.explore(scores, rules=("mean", "borda"), rule="borda")
    bench.weights = {"x": 0}
    bench.rule = "mean"
    assert bench.ranking is not None
    assert moves(bench) == []


def test_of_comparisons_there_is_none():
    rows = pd.DataFrame({"a": list("AAB"), "b": list("BCC"), "won": list("ACB")})
    bench = nbrank.explore(nbrank.from_comparisons(rows, left="a", right="b", winner="won"))
    assert moves(bench) == []
