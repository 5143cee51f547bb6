"""Demsar's analysis by label: groups, pairs, and what it refuses."""

import string

import numpy as np
import pandas as pd
import pytest
import scipy.stats

import nbrank
from nbrank import Leaderboard, charts
from nbrank.arrays.uncertainty.multiple_comparisons import holm
from nbrank.uncertainty.mean_rank_tests import critical_difference, pairwise_p_values

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


def share_a_letter(found):
    """System x system: whether two have a letter in common."""
    letters = found["groups"].str.split().map(set)
    return pd.DataFrame(
        [[bool(one & other) for other in letters] for one in letters], found.index, found.index
    )


@pytest.mark.parametrize("method", ["nemenyi", "wilcoxon_holm"])
class TestGroups:
    def test_systems_share_a_letter_just_if_their_pair_does_not_differ(self, scores, method):
        found = critical_difference(scores, method=method)
        alike = ~(p_values(found) <= 0.05)
        pd.testing.assert_frame_equal(share_a_letter(found), alike)

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


@pytest.mark.parametrize("load", ["load_superglue_submissions", "load_gem"])
def test_letters_of_real_tables_skip_what_is_told_apart(load):
    scores = getattr(nbrank.datasets, load)()
    found = critical_difference(scores, method="wilcoxon_holm")
    alike = ~(p_values(found) <= 0.05)
    pd.testing.assert_frame_equal(share_a_letter(found), alike)
    assert alike.to_numpy().sum() > len(found)


def test_the_first_of_superglue_shares_a_letter_with_a_system_it_is_not_told_from():
    scores = nbrank.datasets.load_superglue_submissions()
    found = critical_difference(scores, method="wilcoxon_holm")
    p_value = pairwise_p_values(scores, method="wilcoxon_holm").loc["SS-MoE", "PAI Albert"]
    assert p_value == 1
    assert share_a_letter(found).loc["SS-MoE", "PAI Albert"]


@pytest.mark.parametrize("method", ["nemenyi", "wilcoxon_holm"])
def test_p_values_come_with_labels_in_the_order_of_the_result(scores, method):
    found, pairs = (
        critical_difference(scores, method=method),
        pairwise_p_values(scores, method=method),
    )
    assert pairs.index.equals(found.index)
    assert pairs.columns.equals(found.index)
    assert pairs.to_numpy().tolist() == found.attrs["p_values"]
    assert pairs.attrs["iman_davenport_p_value"] == found.attrs["iman_davenport_p_value"]
    pd.testing.assert_frame_equal(scores.rank.pairwise_p_values(method=method), pairs)


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


@pytest.fixture
def many():
    """Systems in a row, which all tasks order alike: each is told from most others."""
    return pd.DataFrame(np.arange(60.0)[:, None] + np.linspace(0, 1e-3, 3000))


def test_beyond_26_letters_there_are_none_and_a_warning_names_the_frame_of_pairs(many):
    call = r"more than 26 letters .*\. .*pairwise_p_values\(scores, method='nemenyi'\)"
    with pytest.warns(UserWarning, match=call):
        found = critical_difference(many)
    assert found["groups"].isna().all()
    drawn = charts.pairwise_p_values(pairwise_p_values(many, method="nemenyi")).to_dict()
    assert drawn["title"]["text"] == "1,711 of 1,770 pairs can be told apart"


def test_26_letters_are_a_to_z(many):
    found = critical_difference(many.iloc[:26])
    assert found["groups"].tolist() == list(string.ascii_lowercase)


class TestMissingScores:
    @pytest.fixture
    def with_gaps(self, scores):
        scores.loc["C", "task 3"] = scores.loc["E", "task 7"] = np.nan
        scores.loc[["A", "B"], "task 8"] = np.nan
        return scores

    def test_nemenyi_refuses_them_by_name_and_names_the_call_that_takes_them(self, scores):
        scores.loc["C", "task 3"] = np.nan
        with pytest.raises(
            ValueError,
            match=r"1 missing score, of 'C' on 'task 3'; .*method='wilcoxon_holm'.*dropna",
        ):
            critical_difference(scores)
        assert critical_difference(scores, method="wilcoxon_holm").shape == (5, 3)
        assert critical_difference(scores.dropna(axis="columns")).shape == (5, 3)
        assert critical_difference(scores.dropna()).shape == (4, 3)

    def test_the_first_test_is_skillings_and_macks(self, with_gaps):
        attrs = critical_difference(with_gaps, method="wilcoxon_holm").attrs
        assert attrs["skillings_mack_p_value"] < 1e-6
        assert not {"friedman_p_value", "iman_davenport_p_value"} & set(attrs)
        assert attrs["n_tasks"] == 20
        # Of A and E, B and E.
        assert attrs["least_common_tasks"] == 18

    def test_no_pair_differs_unless_it_rejects(self):
        values = np.random.default_rng(4).normal(size=(6, 12))
        values[0, :3] = np.nan
        found = critical_difference(pd.DataFrame(values), method="wilcoxon_holm")
        assert found.attrs["skillings_mack_p_value"] > 0.05
        assert (found["groups"] == "a").all()

    def test_a_pair_is_tested_on_its_common_tasks(self, with_gaps):
        found = pairwise_p_values(with_gaps, method="wilcoxon_holm")
        pairs = {}
        for i, one in enumerate("ABCDE"):
            for other in "ABCDE"[:i]:
                differences = (with_gaps.loc[one] - with_gaps.loc[other]).dropna()
                pairs[one, other] = scipy.stats.wilcoxon(differences, mode="exact").pvalue
        expected = holm(np.array(list(pairs.values())))
        for (one, other), p_value in zip(pairs, expected, strict=True):
            assert found.loc[one, other] == pytest.approx(p_value)
        critical = critical_difference(with_gaps, method="wilcoxon_holm")
        pd.testing.assert_frame_equal(share_a_letter(critical), ~(found <= 0.05))

    def test_mean_ranks_are_those_of_the_rule_over_compatible_rankings(self, with_gaps):
        found = critical_difference(with_gaps, method="wilcoxon_holm")
        expected = -nbrank.mean_rank(with_gaps, missing="compatible")["score"]
        pd.testing.assert_series_equal(found["mean_rank"], expected, check_names=False)

    def test_systems_that_no_task_links_with_the_others_are_refused(self, with_gaps):
        apart = with_gaps.copy()
        apart.loc[["A", "B"], apart.columns[:10]] = np.nan
        apart.loc[["C", "D", "E"], apart.columns[10:]] = np.nan
        call = r"no task links 'B', 'A' with the other .*scores.drop\(index=\['B', 'A'\]\)"
        with pytest.raises(ValueError, match=call):
            critical_difference(apart, method="wilcoxon_holm")
        rest = apart.drop(index=["B", "A"]).dropna(axis="columns", how="all")
        assert critical_difference(rest, method="wilcoxon_holm").shape == (3, 3)
        apart.loc["B", "task 0"] = 1.0
        assert critical_difference(apart, method="wilcoxon_holm").shape == (5, 3)

    def test_a_system_without_a_score_is_refused(self, scores):
        scores.loc["C"] = np.nan
        with pytest.raises(ValueError, match=r"no task links 'C' with .*drop\(index=\['C'\]\)"):
            critical_difference(scores, method="wilcoxon_holm")
