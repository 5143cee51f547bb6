"""Shipped tables: of the published size, with the published figures, and with no network."""

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import datasets
from nbrank.datasets import cache

LOADERS = [name for name in datasets.__all__ if name.startswith("load_")]
# What papers print, what their runs found, and answers are no tables of scores.
for summary in ("missing_scores_runs", "missing_scores_sets", "published", "sst5_baselines"):
    LOADERS.remove(f"load_{summary}")
ARGUMENTS = {"load_global_and_pairwise": ["jigsaw"]}


@pytest.mark.parametrize("name", LOADERS)
def test_a_shipped_table_needs_no_file_and_can_be_ranked(name, monkeypatch):
    monkeypatch.setattr(cache, "fetch_file", lambda *args: pytest.fail("looked for a file"))
    loaded = getattr(datasets, name)(*ARGUMENTS.get(name, []))
    if name == "load_chatbot_arena":
        loaded = nbrank.from_comparisons(
            loaded, left="left", right="right", winner="winner", count="votes"
        )
    else:
        scores = loaded.scores if isinstance(loaded, nbrank.Leaderboard) else loaded
        assert scores.index.names[0] == "system"
    assert not nbrank.borda(loaded)["rank"].isna().any()


def test_llm_chat_has_four_groups_and_two_missing_scores():
    scores = datasets.load_llm_chat()
    assert scores.columns.names == ["group", "task"]
    sizes = scores.columns.get_level_values("group").value_counts(sort=False).to_dict()
    assert sizes == {"English": 9, "Code": 7, "Math": 3, "Chinese": 3}
    missing = scores.loc["DeepSeek-V2-0506"].isna()
    assert scores.isna().sum().sum() == missing.sum() == 2
    assert missing["Code"][["SWE Verified (Resolved)", "Aider-Polyglot (Acc.)"]].all()
    assert scores.loc["DeepSeek-V3", ("Math", "MATH-500 (EM)")] == 90.2


def test_each_call_gives_a_table_of_its_own():
    scores = datasets.load_llm_chat()
    scores.iloc[0, 0] = 0.0
    assert datasets.load_llm_chat().iloc[0, 0] == 78.2


def test_toy_votes_give_the_papers_borda_scores():
    scores = datasets.load_toy_votes()
    assert scores.sum(axis="columns").to_dict() == {"m_A": 6, "m_B": 9, "m_C": 8, "m_D": 7}
    best = scores.idxmax()
    assert best.tolist() == ["m_A", "m_A", "m_B", "m_C", "m_D"]


def test_in_the_pairwise_paradox_the_mean_and_the_pairs_disagree():
    board = datasets.load_pairwise_paradox()
    sums = board.scores.sum(axis="columns")
    assert sums.round(2).to_dict() == {"A": 16.72, "B": 19.61, "C": 20.23}
    better = {
        pair: int((board.scores.loc[pair[0]] < board.scores.loc[pair[1]]).sum())
        for pair in ("BA", "CB", "AC")
    }
    assert better == {"BA": 4, "CB": 4, "AC": 3}


def test_condorcets_voters_go_round_in_a_circle():
    wins = nbrank.pairwise(datasets.load_condorcet_cycle())
    assert wins.loc["A", "B"] == 33
    assert wins.loc["B", "C"] == 42
    assert wins.loc["C", "A"] == 35
    assert wins.to_numpy().sum() == 3 * 60


def test_the_missing_xtreme_scores_are_those_of_the_leaderboard():
    shown = datasets.load_xtreme_missing()
    whole = datasets.load_xtreme().head(10).set_axis(shown.index)
    assert int(shown.isna().sum().sum()) == 18
    pd.testing.assert_frame_equal(shown, whole.where(shown.notna()))


def test_ceval_means_are_the_published_ones():
    board = datasets.load_ceval_scores()
    assert board.is_lower_better.tolist() == [True, True, False]
    means = board.scores.groupby(level="system", sort=False).mean()
    published = datasets.load_global_and_pairwise("ceval").scores.drop(columns="Bradley-Terry")
    exact = ["Crowd", "MICE", "GBDA", "Crest"]
    np.testing.assert_array_equal(means.loc[exact].round(3), published.loc[exact])
    assert (means - published).abs().max().max() < 0.05
    assert board.values.shape == (6, 3 * 488)


def test_ceval_scores_come_from_the_texts(script):
    texts = datasets.fetch_ceval_texts()
    # Every system, with the texts that a LLaMA left empty.
    some = texts.iloc[[0, 1, 85, 287, 487]]
    computed = script("make_ceval_scores").ceval_scores(some)
    shipped = datasets.load_ceval_scores().scores
    pd.testing.assert_frame_equal(
        computed.astype(float), shipped.loc[computed.index], check_index_type=False
    )


@pytest.mark.parametrize(
    ("table", "shape"),
    [
        ("jigsaw", (9, 5)),
        ("jigsaw_binarized", (18, 4)),
        ("jigsaw_penalized", (18, 4)),
        ("sst5", (8, 3)),
        ("sst5_decision", (8, 3)),
        ("ceval", (6, 4)),
        ("ceval_penalized", (12, 4)),
    ],
)
def test_the_published_global_and_pairwise_scores(table, shape):
    board = datasets.load_global_and_pairwise(table)
    assert board.scores.shape == shape
    assert not board.scores.isna().any().any()
    assert set(board.lower_is_better) == ({"edit distance", "WER"} & set(board.tasks))


def test_an_unknown_table_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="no table 'imdb'; the tables are 'jigsaw', "):
        datasets.load_global_and_pairwise("imdb")


def test_published_figures_are_numbers_with_their_decimals_and_words():
    table = datasets.load_published("vote_n_rank", "table 3")
    assert table.loc[("1", "Borda")].tolist() == [260.5, 2]
    assert ("2", "Minimax") not in table.index, "what is illegible is left out"
    words = datasets.load_published("vote_n_rank", "table 7")
    assert words.loc[("1", "Task 5")].tolist() == ["m_D", -1]
    assert len(datasets.load_published("missing_scores", "table 2")) == 8


def test_an_unknown_study_or_item_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match=r"no study 'votes'; the studies are .*'vote_n_rank'"):
        datasets.load_published("votes", "table 3")
    with pytest.raises(
        ValueError, match=r"no item 'table 6'; of vote_n_rank there are .*'table 5'"
    ):
        datasets.load_published("vote_n_rank", "table 6")


@pytest.mark.parametrize(
    ("study", "item", "figures"),
    [
        ("best_systems", "table 2", 24),
        ("best_systems", "figure 6", 27),
        ("global_and_pairwise", "table 2", 10),
    ],
)
def test_published_figures_keep_the_decimals_of_print(study, item, figures):
    found = datasets.load_published(study, item)
    assert len(found) == figures
    assert found["digits"].min() > 0, "a printed 1.0 or 0.00 is no whole number"


def test_the_released_removal_runs_are_of_34_sets_and_21_shares():
    runs, sets = datasets.load_missing_scores_runs(), datasets.load_missing_scores_sets()
    assert runs.index.levshape == (34, 21)
    assert not runs.isna().any(axis=None)
    assert (runs.xs(0.0, level="share") > 0.99).all(axis=None)  # means may tie by a hair
    assert list(sets.index) == list(runs.index.unique("set"))
    assert (sets["systems"].min(), sets["systems"].max()) == (2, 62)
    assert sets["runs"].between(2090, 2100).all()


def test_the_leads_of_the_released_runs_are_those_of_their_curves():
    runs, sets = datasets.load_missing_scores_runs(), datasets.load_missing_scores_sets()
    partly = runs.query("0 < share < 1").groupby(level="set").mean()
    leads = sets["lead of one level over mean"]
    # A few seeds lack a share, so that the mean of means is a trifle off.
    np.testing.assert_allclose(partly["one level"] - partly["mean"], leads, atol=2e-3)
