"""`explore_weights`: the weights shown make the system win, and it is said where none do."""

import numpy as np
import pandas as pd
import pytest
import traitlets

import nbrank
from nbrank.datasets import load_llm_chat


def rows_of(figure):
    """The data of a live chart."""
    spec = figure.spec
    inline = [part.get("data", {}).get("values", []) for part in [spec, *spec["layer"]]]
    return [row for rows in [*inline, *spec.get("datasets", {}).values()] for row in rows]


@pytest.fixture
def explorer():
    return nbrank.explore_weights(load_llm_chat())


def test_it_opens_with_the_system_nearest_to_winning(explorer):
    away = explorer.nearest[explorer.nearest > 1e-6]
    assert explorer.system == away.idxmin()
    assert f"{away.min():.0%} of the weight has to move" in explorer.words


def test_under_the_weights_shown_the_system_loses_to_nobody(explorer):
    scores = load_llm_chat()
    found = nbrank.condorcet_weights(scores)
    for system in scores.index:
        explorer.system = system
        if not found.loc[system, "prospective"]:
            assert explorer.weights == {}
            assert np.isnan(explorer.to_move)
            assert f"No weights make {system} win" in explorer.words
            continue
        weights = np.array([explorer.weights[task] for task in scores.columns])
        assert weights.sum() == pytest.approx(1)
        assert explorer.to_move == pytest.approx(np.abs(weights - 1 / 22).sum() / 2)
        differences = np.nan_to_num(scores.loc[system].to_numpy() - scores.to_numpy())
        assert (np.sign(differences) @ weights).min() >= -1e-7


def test_a_system_that_wins_already_needs_no_other_weights(explorer):
    explorer.system = "DeepSeek-V3"
    assert explorer.to_move == pytest.approx(0)
    assert "With equal weights DeepSeek-V3 already loses to no other" in explorer.words
    assert explorer.ranking.index[0] == "DeepSeek-V3"


def test_the_nearest_come_first_and_those_without_weights_last(explorer):
    values = explorer.nearest.to_numpy()
    some = values[~np.isnan(values)]
    assert (np.diff(some) >= 0).all()
    assert np.isnan(values[len(some) :]).all()


def test_the_list_and_the_trait_move_together(explorer):
    explorer._system.value = 0
    assert explorer.system == load_llm_chat().index[0]
    explorer.system = "GPT-4o-0513"
    assert explorer._system.label == "GPT-4o-0513"


def test_the_chart_draws_the_weights(explorer):
    bars = [row for row in rows_of(explorer._figure) if "weight" in row]
    assert [row["weight"] for row in bars] == pytest.approx(list(explorer.weights.values()))


def test_three_groups_have_a_triangle():
    scores = pd.DataFrame(
        {"speed": [3, 2, 1], "size": [1, 3, 2], "skill": [2, 1, 3]}, index=list("ABC")
    )
    explorer = nbrank.explore_weights(scores, groups={g: [g] for g in scores})
    points = [row for row in rows_of(explorer._map) if "winners" in row]
    assert len(points) == 41 * 42 // 2
    corners = {p["winners"] for p in points if 1 in (p["speed"], p["size"], p["skill"])}
    assert corners == {"A", "B", "C"}
    explorer.rule = "antiplurality"
    assert [row for row in rows_of(explorer._map) if "winners" in row] != points
    assert explorer._map in explorer.children


def test_other_numbers_of_groups_have_none(explorer):
    assert explorer._map not in explorer.children


@pytest.mark.parametrize("size", [(1, 1), (3, 2), (300, 50)])
def test_it_stays_usable_from_small_to_large(size):
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=size)).add_prefix("t")
    explorer = nbrank.explore_weights(frame)
    assert len(explorer.nearest) == min(size[0], 20)
    assert len(explorer.words) < 900


def test_a_system_of_a_large_board_is_asked_when_it_is_picked():
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(40, 6))).add_prefix("t")
    explorer = nbrank.explore_weights(frame)
    other = next(s for s in frame.index if s not in explorer.nearest.index)
    explorer.system = other
    assert other in explorer.nearest.index


def test_unknown_systems_are_refused(explorer):
    with pytest.raises(ValueError, match="unknown system 'Z'"):
        nbrank.explore_weights(load_llm_chat(), "Z")
    with pytest.raises(traitlets.TraitError):
        explorer.system = "Z"
