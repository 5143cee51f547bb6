"""`explore_elimination`: round by round, who goes is who the rule's own definition sends."""

import numpy as np
import pandas as pd
import pytest
import traitlets

import nbrank
from nbrank.datasets import load_llm_chat

RULES = ("baldwin", "nanson", "coombs", "instant_runoff")


def board(n_systems, n_tasks, *, missing=0.0, seed=0):
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 6, (n_systems, n_tasks)).astype(float)
    scores[rng.random(scores.shape) < missing] = np.nan
    return pd.DataFrame(scores, index=[f"s{i}" for i in range(n_systems)]).add_prefix("t")


def goes(rule, frame):
    """Who leaves among these, by the definition; nobody where all would."""
    score = {
        "baldwin": nbrank.borda,
        "nanson": nbrank.borda,
        "coombs": nbrank.antiplurality,
        "instant_runoff": nbrank.plurality,
    }[rule](frame)["score"]
    limit = score.mean() - 1e-9 if rule == "nanson" else score.min() + 1e-9
    gone = set(score.index[score < limit if rule == "nanson" else score <= limit])
    return set() if len(gone) == len(score) else gone


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("missing", [0, 0.2])
def test_each_round_sends_those_whom_the_rule_sends(rule, missing):
    for seed in range(5):
        frame = board(7, 5, missing=missing, seed=seed)
        explorer = nbrank.explore_elimination(frame, rule)
        left = list(frame.index)
        for number in range(explorer.n_rounds):
            explorer.round = number
            assert set(explorer.left) == set(left)
            assert set(explorer.out) == goes(rule, frame.loc[left])
            left = [system for system in left if system not in explorer.out]
        explorer.round = explorer.n_rounds
        assert explorer.out == []
        ranked = getattr(nbrank, rule)(frame)
        assert set(explorer.left) == set(left) == set(ranked.index[ranked["rank"] == 1])


def test_the_slider_and_the_trait_move_together():
    explorer = nbrank.explore_elimination(board(6, 5))
    explorer._round.value = 2
    assert explorer.round == 2
    assert explorer.words.startswith("Round 3 of")
    explorer.round = 1
    assert explorer._round.value == 1
    explorer.round = 1000
    assert explorer.round == explorer.n_rounds == explorer._round.max


def test_another_rule_starts_anew():
    explorer = nbrank.explore_elimination(load_llm_chat(), "coombs")
    explorer.round = 2
    explorer._rule.value = "nanson"
    assert (explorer.rule, explorer.round) == ("nanson", 0)
    assert explorer.ranking.attrs["rule"] == "nanson"


def test_words_chart_and_table_say_who_goes():
    explorer = nbrank.explore_elimination(load_llm_chat(), "instant_runoff")
    rows = (
        [r for d in explorer._figure.spec["datasets"].values() for r in d]
        if ("datasets" in explorer._figure.spec)
        else [r for part in explorer._figure.spec["layer"] for r in part["data"]["values"]]
    )
    assert {r["system"] for r in rows if r["next"] == "goes"} == set(explorer.out)
    assert {r["system"]: r["count"] for r in rows} == pytest.approx(explorer.counts.to_dict())
    assert "fewest first places" in explorer.words
    assert all(system in explorer.words for system in explorer.out[:3])
    assert explorer._rows.value.count("<td>goes</td>") == len(explorer.out)


def test_the_end_names_the_winner():
    explorer = nbrank.explore_elimination(load_llm_chat())
    explorer.round = explorer.n_rounds
    assert "DeepSeek-V3 wins by baldwin." in explorer.words


def test_several_winners_win_in_the_end():
    # One against one A and B are level; before C goes, B is above more others.
    scores = pd.DataFrame(
        {"t1": [3, 2, 1], "t2": [3, 2, 1], "t3": [1, 3, 2], "t4": [1, 3, 2]}, index=list("ABC")
    )
    explorer = nbrank.explore_elimination(scores, "baldwin")
    assert explorer.words.endswith("Ahead in this round is B; in the end A and B win.")


def test_systems_that_are_level_win_together():
    tied = pd.DataFrame({"t": [1.0, 1.0], "u": [2.0, 2.0]}, index=["A", "B"])
    explorer = nbrank.explore_elimination(tied)
    assert explorer.n_rounds == 0
    assert "A and B are level" in explorer.words


@pytest.mark.parametrize("size", [(1, 1), (3, 2), (300, 50)])
def test_it_stays_usable_from_small_to_large(size):
    explorer = nbrank.explore_elimination(board(*size), "nanson")
    assert len(explorer.left) == size[0]
    assert len(explorer.words) < 600


def test_other_rules_are_refused():
    with pytest.raises(traitlets.TraitError):
        nbrank.explore_elimination(board(3, 2), "borda")
