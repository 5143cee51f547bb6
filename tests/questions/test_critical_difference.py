"""Demsar's analysis by label: groups, pairs, and what it refuses."""

import numpy as np
import pandas as pd
import pytest

from nbrank import Leaderboard
from nbrank.questions.critical_difference import critical_difference

# Tables here are as small as they can be, and their tasks are called as it comes.
pytestmark = pytest.mark.filterwarnings("ignore::nbrank.LeaderboardWarning")


@pytest.fixture
def scores():
    rng = np.random.default_rng(0)
    quality = np.array([0.0, 0.2, 3.0, 3.1, 8.0])
    values = quality[:, None] + rng.normal(size=(5, 20))
    return pd.DataFrame(values, index=list("EDCBA")).add_prefix("task ")


def p_values(found):
    """System x system, in the frame's order."""
    return pd.DataFrame(found.attrs["p_values"], found.index, found.index)


@pytest.mark.parametrize("method", ["nemenyi", "wilcoxon_holm"])
class TestGroups:
    def test_systems_share_a_letter_just_if_no_pair_between_them_differs(self, scores, method):
        found = critical_difference(scores, method=method)
        pairs = p_values(found) <= 0.05
        order = found.index
        for first in range(5):
            for last in range(first + 1, 5):
                between = order[first : last + 1]
                differ = any(pairs.loc[a, b] for a in between for b in between if a != b)
                shared = set(found["groups"].iloc[first].split()) & set(
                    found["groups"].iloc[last].split()
                )
                assert bool(shared) == (not differ)

    def test_the_table_is_best_first_with_mean_ranks(self, scores, method):
        found = critical_difference(scores, method=method)
        expected = scores.rank(ascending=False).mean(axis=1)
        pd.testing.assert_series_equal(
            found["mean_rank"], expected.sort_values(), check_names=False
        )
        assert found["rank"].tolist() == sorted(found["rank"])
        assert found.index[0] == "A"

    def test_the_p_values_are_those_of_the_pairs_in_the_frames_order(self, scores, method):
        found = critical_difference(scores, method=method)
        pairs = p_values(found)
        np.testing.assert_array_equal(pairs, pairs.T)
        assert (np.diag(pairs) == 1).all()
        ahead = found["mean_rank"].to_numpy()
        leads = np.abs(ahead[:, None] - ahead)
        if method == "nemenyi":  # one distance for all pairs
            assert (np.diff(pairs.to_numpy().ravel()[np.argsort(leads, axis=None)]) <= 1e-12).all()

    def test_no_pair_differs_unless_friedmans_test_rejects(self, method):
        values = np.random.default_rng(4).normal(size=(6, 12))
        found = critical_difference(pd.DataFrame(values), method=method)
        assert found.attrs["iman_davenport_p_value"] > 0.05
        assert (found["groups"] == "a").all()

    def test_a_lower_score_may_be_better(self, scores, method):
        turned = critical_difference(-scores, method=method, lower_is_better=True)
        pd.testing.assert_frame_equal(turned, critical_difference(scores, method=method))

    def test_a_missing_score_is_refused_by_name(self, scores, method):
        scores.loc["C", "task 3"] = np.nan
        with pytest.raises(ValueError, match=r"1 missing score, of 'C' on 'task 3'; .*dropna"):
            critical_difference(scores, method=method)
        assert critical_difference(scores.dropna(axis="columns"), method=method).shape == (5, 3)

    def test_a_task_that_does_not_count_may_have_gaps(self, scores, method):
        expected = critical_difference(scores.drop(columns="task 3"), method=method)
        scores.loc["C", "task 3"] = np.nan
        board = Leaderboard(scores, weights={"task 3": 0})
        pd.testing.assert_frame_equal(critical_difference(board, method=method), expected)

    def test_different_weights_are_refused(self, scores, method):
        with pytest.raises(ValueError, match="different weights"):
            critical_difference(Leaderboard(scores, weights={"task 3": 2}), method=method)

    def test_too_little_is_refused(self, scores, method):
        with pytest.raises(ValueError, match="1 system on 20 tasks"):
            critical_difference(scores.iloc[:1], method=method)
        with pytest.raises(ValueError, match="5 systems on 1 task"):
            critical_difference(scores.iloc[:, :1], method=method)


def test_attrs_are_plain_numbers_and_words(scores):
    attrs = critical_difference(scores).attrs
    assert {type(value) for value in attrs.values()} <= {int, float, str, list}
    assert attrs["n_tasks"] == 20
    assert "critical_difference" not in critical_difference(scores, method="wilcoxon_holm").attrs


def test_instances_are_the_tasks_of_instance_level_scores(scores):
    long = scores.stack().rename_axis(["system", "instance"]).to_frame("only")
    pd.testing.assert_frame_equal(
        critical_difference(long), critical_difference(scores), check_names=False
    )


def test_infinite_scores_have_ranks_but_no_differences(scores):
    scores.loc["A", "task 0"] = np.inf
    assert critical_difference(scores).index[0] == "A"
    with pytest.raises(ValueError, match="infinite score, of 'A'"):
        critical_difference(scores, method="wilcoxon_holm")


def test_an_unknown_method_or_level_is_refused(scores):
    with pytest.raises(ValueError, match="method='tukey' is unknown; choose 'nemenyi' or"):
        critical_difference(scores, method="tukey")
    with pytest.raises(ValueError, match=r"delta=1\.5"):
        critical_difference(scores, delta=1.5)


def test_many_groups_have_letters_beyond_z():
    values = np.arange(60.0)[:, None] + np.linspace(0, 1e-3, 3000)
    found = critical_difference(pd.DataFrame(values))
    assert found["groups"].iloc[-1].split()[-1] > "a"
    assert any(len(letter) == 2 for letters in found["groups"] for letter in letters.split())
