"""Each chart looks at its frame first, and says where such a frame is from."""

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import charts

SCORES = pd.DataFrame({"x": [3.0, 2, 1], "y": [1.0, 3, 2], "z": [2.0, 1, 3]}, index=["A", "B", "C"])
RANKED = nbrank.borda(SCORES)
SETS = pd.DataFrame({"rank": [1, 2], "low": [1, 1], "high": [2, 2]}, index=["A", "B"])


@pytest.mark.parametrize(
    ("chart", "frame", "missing", "source"),
    [
        ("pairwise", nbrank.pairwise(SCORES), "'wins', 'low', 'high', 'n'", "nbrank.confidence("),
        ("rank_intervals", RANKED, "'low', 'high'", "nbrank.rank_confidence("),
        ("rank_intervals", RANKED, "'low', 'high'", "nbrank.bootstrap("),
        ("tie_groups", SETS, "'systems'", "nbrank.tie_groups("),
        ("tie_groups", RANKED, "'low', 'high', 'systems'", "nbrank.tie_groups("),
        ("strengths", RANKED, "'strength', 'low', 'high'", "nbrank.strengths("),
        ("critical_difference", RANKED, "'mean_rank', 'groups'", "nbrank.critical_difference("),
        ("weight_map", SCORES, "'winners'", "nbrank.weight_map("),
    ],
)
def test_another_frame_is_refused_by_what_it_lacks(chart, frame, missing, source):
    with pytest.raises(ValueError, match=f"charts.{chart} draws what") as refusal:
        getattr(charts, chart)(frame)
    assert f"has no {missing}" in str(refusal.value)
    assert source in str(refusal.value)


FROM_FRAMES = [
    "ranks", "pairwise", "rank_intervals", "tie_groups", "strengths", "critical_difference",
    "weight_map",
]  # fmt: skip


@pytest.mark.parametrize("chart", FROM_FRAMES)
def test_what_is_no_frame_is_refused(chart):
    with pytest.raises(TypeError, match=f"charts.{chart} draws what nbrank.* returns.*not ndarray"):
        getattr(charts, chart)(np.eye(3))


def test_the_intervals_beside_groups_and_the_ranking_beside_scores_are_checked_too():
    with pytest.raises(ValueError, match="takes as intervals what nbrank.rank_confidence"):
        charts.tie_groups(nbrank.tie_groups(SETS), RANKED)
    with pytest.raises(ValueError, match="orders rows by what a rule such as nbrank.borda"):
        charts.scores(SCORES, SCORES)


def test_no_rows_and_duplicate_rows_are_refused():
    with pytest.raises(ValueError, match="this frame has no rows"):
        charts.rank_intervals(SETS.iloc[:0])
    with pytest.raises(ValueError, match="duplicate rows: 'A'"):
        charts.rank_intervals(SETS.set_axis(["A", "A"], axis=0))
