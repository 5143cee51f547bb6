"""`explore_confidence`: what is shown is what rank_confidence and tie_groups give."""

import numpy as np
import pandas as pd
import pytest
import traitlets
from pandas.testing import assert_frame_equal

import nbrank
from nbrank.datasets import load_llm_chat


@pytest.fixture
def scores():
    rng = np.random.default_rng(1)
    values = rng.normal(np.arange(6)[:, None], 1.5, (6, 20))
    return pd.DataFrame(values, index=list("ABCDEF")).add_prefix("t")


@pytest.fixture
def explorer(scores):
    return nbrank.explore_confidence(scores)


def test_it_shows_the_sets_and_groups(explorer, scores):
    sets = nbrank.rank_confidence(scores, "borda", seed=0)
    assert_frame_equal(explorer.ranking, sets)
    assert_frame_equal(explorer.groups, nbrank.tie_groups(sets))
    first = sets.index[sets["low"] == 1]
    assert len(first) > 1
    assert f"{len(first)} systems may be first: " in explorer.words


def test_the_slider_dissolves_and_forms_groups(explorer, scores):
    before = explorer.groups
    explorer._delta.value = 0.4
    assert explorer.delta == 0.4
    assert_frame_equal(explorer.ranking, nbrank.rank_confidence(scores, "borda", 0.4, seed=0))
    was = {tuple(row) for row in before["systems"] if len(row) > 1}
    now = {tuple(row) for row in explorer.groups["systems"] if len(row) > 1}
    assert was != now
    assert f"{len(was - now)} group" in explorer.changes
    assert f"{len(now - was)} group" in explorer.changes
    assert explorer.changes in explorer.words


def test_a_slider_that_the_browser_moves_to_its_step_changes_nothing(explorer):
    explorer._delta.value = 0.0501
    assert (explorer.delta, explorer.changes) == (0.05, "")
    explorer._delta.value = 0.0561
    assert explorer.delta == 0.0561


def test_less_confidence_never_widens_a_set(explorer):
    explorer.delta = 0.01
    strict = explorer.ranking
    explorer.delta = 0.3
    loose = explorer.ranking.loc[strict.index]
    assert (loose["low"] >= strict["low"]).all()
    assert (loose["high"] <= strict["high"]).all()


def test_traits_move_the_controls(explorer):
    explorer.delta = 0.2
    explorer.rule = "mean"
    assert (explorer._delta.value, explorer._rule.value) == (0.2, "mean")
    assert explorer.ranking.attrs["rule"] == "mean"


def test_the_chart_draws_the_sets(explorer):
    text = str(explorer._figure.spec)
    for system, row in explorer.ranking.iterrows():
        assert f"'rank': {row['rank']}, 'low': {row['low']}, 'high': {row['high']}, " in text
        assert system in text


def test_too_few_groups_say_so_and_tasks_alone_are_offered():
    explorer = nbrank.explore_confidence(load_llm_chat())
    assert "4 groups are too few to tell anything apart" in explorer.words
    explorer._draws.value = "each task alone"
    assert explorer.ranking.attrs["n"] == 22
    assert "Only DeepSeek-V3 may be first." in explorer.words


@pytest.fixture
def battles():
    rng = np.random.default_rng(0)
    left, right = rng.integers(0, 4, (2, 400))
    left, right = left[left != right], right[left != right]
    won = rng.random(len(left)) < 1 / (1 + np.exp(0.5 * (left - right)))
    names = np.array(list("ABCD"))
    frame = pd.DataFrame({"l": names[left], "r": names[right]})
    frame["w"] = np.where(won, frame["l"], frame["r"])
    return nbrank.from_comparisons(frame, left="l", right="r", winner="w")


def test_comparisons_are_told_apart_by_their_strengths(battles):
    explorer = nbrank.explore_confidence(battles)
    sets = nbrank.rank_confidence(battles, "bradley_terry", seed=0)
    assert_frame_equal(explorer.ranking, sets)
    assert explorer.words.startswith("With 95 % confidence")
    assert [value for _, value in explorer._rule.options] == ["bradley_terry"]
    explorer.delta = 0.001
    assert explorer.ranking.attrs["delta"] == 0.001


def test_comparisons_refuse_what_needs_scores(battles):
    with pytest.raises(traitlets.TraitError, match="needs scores.*bradley_terry"):
        nbrank.explore_confidence(battles, "borda")
    with pytest.raises(TypeError, match="don't go with comparisons"):
        nbrank.explore_confidence(battles, weights={"t": 1})
    explorer = nbrank.explore_confidence(battles)
    with pytest.raises(traitlets.TraitError, match="no tasks"):
        explorer.draws = "each task alone"


def test_strengths_of_scores_have_sets_as_well(explorer, scores):
    explorer.rule = "bradley_terry"
    assert_frame_equal(explorer.ranking, nbrank.rank_confidence(scores, "bradley_terry", seed=0))


def test_systems_that_can_all_be_told_apart():
    clear = pd.DataFrame({f"t{i}": [3.0, 2.0, 1.0] for i in range(14)}, index=list("ABC"))
    assert "all 3 systems can be told apart" in nbrank.explore_confidence(clear).words


@pytest.mark.parametrize("size", [(3, 2), (300, 50)])
def test_it_stays_usable_from_small_to_large(size):
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=size)).add_prefix("t")
    explorer = nbrank.explore_confidence(frame)
    assert len(explorer.words) < 1500
    assert len(explorer.ranking) == size[0]


@pytest.mark.parametrize("setting", [("delta", 0.0), ("delta", 0.9), ("rule", "copeland")])
def test_wrong_settings_are_refused(explorer, setting):
    with pytest.raises(traitlets.TraitError):
        setattr(explorer, *setting)
