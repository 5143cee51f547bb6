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
