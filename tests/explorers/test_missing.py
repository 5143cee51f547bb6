"""`explore_missing`: the ranks shown are those of the table without the scores deleted."""

import numpy as np
import pandas as pd
import pytest
import traitlets
from pandas.testing import assert_frame_equal

import nbrank
from nbrank.datasets import load_llm_chat


@pytest.fixture
def scores():
    rng = np.random.default_rng(0)
    return pd.DataFrame(rng.normal(size=(8, 10)), index=list("ABCDEFGH")).add_prefix("t")


@pytest.fixture
def explorer(scores):
    return nbrank.explore_missing(scores)


def test_it_opens_with_nothing_deleted(explorer, scores):
    assert_frame_equal(explorer.ranking, nbrank.borda(scores))
    assert (explorer.ranks["before"] == explorer.ranks["after"]).all()
    assert "Nothing is deleted yet" in explorer.words


def test_the_slider_deletes_that_share_and_the_same_scores_for_the_same_seed(explorer, scores):
    explorer._controls["share"].value = 0.25
    frame = explorer.deleted().scores
    assert int(frame.isna().sum().sum()) == 20
    assert_frame_equal(explorer.ranking, nbrank.borda(frame))
    again = nbrank.explore_missing(scores)
    again.share = 0.25
    assert_frame_equal(again.ranking, explorer.ranking)
    explorer.seed = 1
    assert not explorer.deleted().scores.equals(frame)
    assert explorer._controls["seed"].value == 1


def test_what_is_missing_already_is_not_deleted_again():
    frame = load_llm_chat()
    explorer = nbrank.explore_missing(frame)
    explorer.share = 0.5
    assert int(explorer.deleted().scores.isna().sum().sum()) == 2 + 76


def test_a_score_is_deleted_and_restored_by_its_button(explorer, scores):
    explorer._system.value = 2
    explorer._task.value = 3
    explorer.delete.click()
    assert explorer.cells == (("C", "t3"),)
    changed = scores.copy()
    changed.loc["C", "t3"] = np.nan
    assert_frame_equal(explorer.deleted().scores, changed)
    assert_frame_equal(explorer.ranking, nbrank.borda(changed))
    assert "1 score deleted." in explorer.words
    explorer.delete.click()
    assert explorer.cells == ()
    assert "Nothing is deleted yet" in explorer.words


def test_restore_brings_everything_back(explorer, scores):
    explorer.share = 0.4
    explorer.cells = [("A", "t0")]
    explorer.restore.click()
    assert (explorer.share, explorer.cells, explorer._controls["share"].value) == (0.0, (), 0.0)
    assert_frame_equal(explorer.ranking, nbrank.borda(scores))


def test_the_words_count_what_survives(explorer):
    explorer.share = 0.5
    ranks = explorer.ranks
    kept = int((ranks["before"] == ranks["after"]).sum())
    assert f"40 scores deleted. {kept} of 8 ranks by borda survive." in explorer.words
    tau = nbrank.kendall_tau(ranks["before"], ranks["after"])
    assert f"{tau:.2f}" in explorer.words


def test_a_new_winner_is_named():
    frame = pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 2, 1]}, index=list("ABC"))
    explorer = nbrank.explore_missing(frame)
    explorer.missing = "worst"
    explorer.cells = [("A", "t1"), ("A", "t2")]
    assert "B is first now, and was not before: A was." in explorer.words
    assert "A moves most, from rank 1 to 3." in explorer.words


def test_rule_and_treatment_are_those_chosen(explorer):
    explorer.share = 0.3
    explorer._controls["rule"].value = "copeland"
    explorer._controls["missing"].value = "worst"
    expected = nbrank.copeland(explorer.deleted(), missing="worst")
    assert_frame_equal(explorer.ranking, expected)


def test_a_rule_that_refuses_says_why(explorer):
    explorer.rule = "mean"
    explorer.share = 0.3
    assert "mean can't rank this: " in explorer.words
    assert "missing scores" in explorer.words
    explorer.missing = "ignore"
    assert "ranks by mean survive" in explorer.words


def test_the_chart_draws_before_and_after(explorer):
    explorer.share = 0.3
    spec = str(explorer._figure.spec)
    for system, row in explorer.ranks.iterrows():
        assert f"'system': '{system}', 'rule': 'as given', 'rank': {row['before']}" in spec
        assert f"'system': '{system}', 'rule': 'after deleting', 'rank': {row['after']}" in spec


@pytest.mark.parametrize("size", [(3, 2), (300, 50)])
def test_it_stays_usable_from_small_to_large(size):
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=size)).add_prefix("t")
    explorer = nbrank.explore_missing(frame)
    explorer.share = 0.5
    assert len(explorer.words) < 700


@pytest.mark.parametrize(
    "setting", [("share", 1.0), ("rule", "positional"), ("cells", [("A", "t99")])]
)
def test_wrong_settings_are_refused(explorer, setting):
    with pytest.raises(traitlets.TraitError):
        setattr(explorer, *setting)
