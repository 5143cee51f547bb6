"""Who is first at each weight of one task: exact, also where scores are missing."""

import itertools

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.datasets import load_glue_submissions
from nbrank.robustness.weight_regions import FirstByWeight, WeightSpan

pytestmark = pytest.mark.filterwarnings("ignore::nbrank.LeaderboardWarning")


def spans(board, rule, task, most=5.0, **options):
    board = nbrank.Leaderboard(board) if isinstance(board, pd.DataFrame) else board
    place = list(board.tasks).index(task)
    direction = np.eye(len(board.tasks))[place]
    rest = board.weights * (1 - direction)
    return FirstByWeight.from_board(board, rule, **options).spans(rest, direction, most)


def test_two_lines_cross_where_one_computes_by_hand():
    # A has 3 + 1 w, and B 2 + 3 w: they are level at one half.
    scores = pd.DataFrame({"x": [3.0, 2.0], "y": [1.0, 3.0]}, index=["A", "B"])
    assert spans(scores, "mean", "y") == [
        WeightSpan(0.0, pytest.approx(0.5), ("A",)),
        WeightSpan(pytest.approx(0.5), 5.0, ("B",)),
    ]


def test_systems_that_are_always_level_share_a_span():
    scores = pd.DataFrame({"x": [3, 3, 1], "y": [1, 1, 9]}, index=list("ABC"))
    found = spans(scores, "mean", "y")
    assert [span.systems for span in found] == [("A", "B"), ("C",)]
    assert found[0].high == pytest.approx(2 / 8)


def test_who_is_first_whatever_the_weight_has_all_of_the_track():
    scores = pd.DataFrame({"x": [3, 2], "y": [3, 2]}, index=["A", "B"])
    assert spans(scores, "borda", "y") == [WeightSpan(0.0, 5.0, ("A",))]


def test_a_task_that_is_alone_decides_at_every_weight():
    assert spans(pd.DataFrame({"x": [1, 2]}, index=["A", "B"]), "borda", "x") == [
        WeightSpan(0.0, 5.0, ("B",))
    ]


def test_a_rule_that_does_not_add_up_the_tasks_has_none():
    board = nbrank.Leaderboard(load_glue_submissions())
    assert FirstByWeight.from_board(board, "copeland") is None


@pytest.mark.parametrize(
    ("rule", "options"),
    [
        ("mean", {"missing": "ignore"}),
        ("borda", {}),
        ("borda", {"missing": "ignore"}),
        ("mean_win_rate", {}),
        ("plurality", {}),
    ],
)
@pytest.mark.parametrize("seed", range(6))
def test_the_rule_itself_says_the_same_at_any_weight(rule, options, seed):
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 6, (7, 5)).astype(float)
    table[rng.random(table.shape) < 0.2 * (seed % 2)] = np.nan
    table[:, 0] = rng.integers(0, 6, 7)
    scores = pd.DataFrame(table).add_prefix("t")
    board = nbrank.Leaderboard(
        scores, weights=dict(zip(scores, rng.integers(1, 4, 5), strict=True))
    )
    found = spans(board, rule, "t3", **options)
    assert found[0].low == 0
    assert found[-1].high == 5
    for before, after in itertools.pairwise(found):
        assert before.high == after.low
        assert before.systems != after.systems
    for weight in [*rng.uniform(0.01, 5, 40), *(span.low + 1e-5 for span in found)]:
        weights = dict(zip(board.tasks, board.weights, strict=True)) | {"t3": weight}
        ranked = nbrank.RULES[rule].function(scores, weights=weights, **options)
        (here,) = [span for span in found if span.low <= weight < span.high]
        assert {*here.systems} == {*ranked.index[ranked["rank"] == 1]}


def test_of_glue_the_ends_are_where_the_rule_changes_its_first():
    scores, changes = load_glue_submissions(), 0
    for task in scores:
        for before, after in itertools.pairwise(spans(scores, "mean", task)):
            changes += 1
            for weight, span in ((before.high - 1e-4, before), (before.high + 1e-4, after)):
                ranked = nbrank.mean(scores, weights={task: weight})
                assert span.systems == tuple(ranked.index[ranked["rank"] == 1])
    assert changes
