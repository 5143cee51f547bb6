"""Fetched tables: their size, weights, groups and orientation, and the cells that need care."""

import inspect

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import datasets
from nbrank.datasets import best_systems, cache, missing_scores

FETCHERS = [name for name in datasets.__all__ if name.startswith("fetch_")]
# The sets of a fetcher that takes a name.
SETS = {
    "fetch_best_systems_instances": best_systems.INSTANCE_SETS,
    "fetch_missing_scores_instances": tuple(missing_scores.INSTANCE_SETS),
    "fetch_missing_scores_tasks": tuple(missing_scores.TASK_SETS),
}


@pytest.mark.parametrize("name", FETCHERS)
def test_a_fetcher_takes_scikit_learns_arguments(name):
    parameters = inspect.signature(getattr(datasets, name)).parameters
    assert list(parameters)[-2:] == ["data_home", "download_if_missing"]
    assert parameters["data_home"].default is None
    assert parameters["download_if_missing"].default is True


@pytest.mark.parametrize("name", FETCHERS)
def test_a_fetcher_reads_the_files_that_the_registry_says(name, monkeypatch, tmp_path):
    path_of = cache.path_of
    asked = []

    def recorded(file, data_home=None, download_if_missing=True):
        asked.append((file, data_home, download_if_missing))
        return path_of(file)

    for module in (best_systems, missing_scores, datasets.vote_n_rank, datasets.paired_comparisons):
        monkeypatch.setattr(module, "path_of", recorded)
    for arguments in [[name] for name in SETS.get(name, [])] or [[]]:
        getattr(datasets, name)(*arguments, data_home=tmp_path, download_if_missing=False)
    listed = {e.file for e in cache.registry().values() if name in e.fetchers}
    assert {file for file, _, _ in asked} == listed
    assert {(home, download) for _, home, download in asked} == {(tmp_path, False)}


@pytest.mark.parametrize("name", SETS)
def test_an_unknown_set_is_refused_with_the_known_ones(name):
    with pytest.raises(ValueError, match=f"'nothing'; the .* are '{SETS[name][0]}'"):
        getattr(datasets, name)("nothing")


def test_glue_has_the_weights_of_the_study():
    board = datasets.fetch_glue()
    weights = board.task_weights
    assert weights.sum() == 10
    assert set(weights[weights == 0.5].index) == {
        "MRPC (F1)", "MRPC (accuracy)", "STS-B (Pearson)", "STS-B (Spearman)", "QQP (F1)",
        "QQP (accuracy)",
    }  # fmt: skip
    assert weights[weights == 0].index.tolist() == ["AX"]
    assert board.groups["MNLI"] == ("MNLI-m", "MNLI-mm")
    assert len(board.groups) == 10
    assert not board.lower.any()


def test_glue_misses_three_scores_of_three_systems():
    scores = datasets.fetch_glue().scores
    missing = scores.isna()
    rows, columns = np.nonzero(missing.to_numpy())
    assert list(zip(scores.index[rows], scores.columns[columns], strict=True)) == [
        ("MaChAmp (bert-large, single task)", "STS-B (Pearson)"),
        ("XLNet (ensemble)", "QNLI"),
        ("ALBERT (Ensemble)", "QNLI"),
    ]
    assert scores.loc["RefBERT (4)", "AX"] == -10.3


def test_glue_scores_average_to_the_leaderboards_own():
    board = datasets.fetch_glue()
    # GLUE itself takes the two test sets of MNLI for one task.
    board = board.with_weights(board.task_weights.to_dict() | {"MNLI-m": 0.5, "MNLI-mm": 0.5})
    ours = board.scores.mul(board.task_weights / 9).sum(axis="columns", skipna=False)
    printed = pd.read_csv(cache.path_of("votenrank/glue.csv"))["Score"].replace("-", np.nan)
    difference = ours - printed.astype(float).to_numpy()
    assert difference.notna().sum() == 97
    assert difference.abs().max() < 0.07  # both are rounded


def test_superglue_has_the_weights_of_the_study():
    board = datasets.fetch_superglue()
    weights = board.task_weights
    assert weights.sum() == 8
    assert (weights == 0.5).sum() == 6
    assert weights[weights == 0].index.tolist() == [
        "AX-b",
        "AX-g (gender parity)",
        "AX-g (accuracy)",
    ]
    incomplete = board.scores.isna().any(axis="columns")
    assert incomplete[incomplete].index.tolist() == ["Outside Best", "Snorkel [SuperGLUE v1.9]"]
    assert board.scores.loc["ADAPET (ALBERT) - few-shot", "AX-b"] == -0.4


def test_value_has_clean_names_and_three_groups():
    board = datasets.fetch_value()
    assert board.systems[1] == "craig.starr (ensemble)"
    assert not board.systems.str.contains("\n|<|  ").any()
    assert {group: len(tasks) for group, tasks in board.groups.items()} == {
        "retrieval": 4,
        "question answering": 4,
        "captioning": 3,
    }
    missing = board.scores.isna().sum(axis="columns")
    assert missing[missing > 0].to_dict() == {"Human VALUE baseline": 5}
    # The leaderboard's Meta-Ave is the mean of the eleven.
    assert round(board.scores.loc["DuKG"].mean(), 2) == 60.00


def test_user_preferences_give_the_released_borda_scores():
    board = datasets.fetch_user_preferences()
    board = board.with_systems(board.systems.drop("t5-base"))
    ranked = nbrank.borda(board, ties="max")
    # What the released notebook prints; the paper's table 5 has other figures.
    assert ranked["score"].tolist() == [251.0, 247.0, 167.0, 158.5, 144.0, 107.0, 72.5]


def test_in_user_preferences_only_efficiency_is_better_when_lower():
    board = datasets.fetch_user_preferences()
    assert {group for group, _ in board.lower_is_better} == {"efficiency"}
    assert len(board.lower_is_better) == 40
    assert board.systems.name == "system"
    assert board.scores.loc["t5-base", "efficiency"].isna().all()


def test_submissions_keep_their_zeros_and_number_their_namesakes():
    scores = datasets.fetch_glue_submissions()
    assert not scores.isna().any().any()
    assert scores.loc["GLUE Human Baselines", "AX"] == 0
    assert scores.loc["MaChAmp (bert-large single task)", "STS-B-a"] == 0
    assert scores.index.is_unique
    assert [name for name in scores.index if name.startswith("RefBERT")] == [
        f"RefBERT ({number})" for number in (1, 2, 3, 4)
    ]
    assert scores.index[[0, -1]].tolist() == ["Turing NLR v5", "QQP"]
    assert scores.index.equals(scores.index.str.strip())


def test_superglue_submissions_are_read_cell_by_cell():
    scores = datasets.fetch_superglue_submissions()
    assert not scores.isna().any().any()
    assert scores.index[-3:].tolist() == ["BERT", "Most Frequent Class", "CBoW"]
    assert (
        scores.loc["AILabs Team, Transformers", ["AX-b", "AX-g-b", "AX-g-a"]].tolist()
        == [100.0] * 3
    )
    assert scores.loc["Most Frequent Class", "MultiRC-b"] == 0.3


def test_xtreme_is_put_right_and_can_be_had_as_the_study_read_it():
    right = datasets.fetch_xtreme()
    pd.testing.assert_frame_equal(right, datasets.fetch_missing_scores_tasks("xtreme"))
    shifted = datasets.fetch_xtreme_as_released()
    assert shifted.columns.equals(right.columns)
    np.testing.assert_array_equal(shifted.iloc[:, 1:], right.iloc[:, :-1])
    points = shifted.rank(method="average").sub(1).sum(axis="columns")
    assert points.sort_values(ascending=False).head(3).tolist() == [55.0, 50.0, 44.0]


def test_the_xtreme_table_with_missing_scores_is_xtreme_with_holes():
    holes = datasets.fetch_missing_scores_tasks("xtreme_missing")
    right = datasets.fetch_xtreme()
    assert int(holes.isna().sum().sum()) == 7
    pd.testing.assert_frame_equal(holes, right.where(holes.notna()))


@pytest.mark.parametrize(
    ("name", "whole", "n"),
    [
        ("glue_filtered", datasets.fetch_glue_submissions, 14),
        ("superglue_filtered", datasets.fetch_superglue_submissions, 10),
        ("xtreme_filtered", datasets.fetch_xtreme, 10),
    ],
)
def test_the_filtered_tables_are_the_first_rows(name, whole, n):
    pd.testing.assert_frame_equal(datasets.fetch_missing_scores_tasks(name), whole().head(n))


def test_gem_filtered_is_five_rows_of_gem():
    few = datasets.fetch_missing_scores_tasks("gem_filtered")
    pd.testing.assert_frame_equal(few, datasets.fetch_gem().loc[few.index])


@pytest.mark.parametrize(
    ("name", "systems", "instances", "metrics"),
    [
        ("DIALOG_pc", 4, 60, 19),
        ("DIALOG_tc", 5, 60, 19),
        ("FLICKR", 8, 108, 14),
        ("MLQE", 7, 1000, 10),
        ("REAL_SUM", 25, 100, 15),
        ("SUM_EVAL", 16, 100, 17),
        ("TAC_08", 62, 48, 15),
        ("TAC_09", 59, 44, 15),
        ("TAC_11", 54, 44, 15),
    ],
)
def test_instances_are_complete_with_system_and_instance_put_right(
    name, systems, instances, metrics
):
    scores = datasets.fetch_best_systems_instances(name)
    assert scores.index.names == ["system", "instance"]
    assert not scores.isna().any().any()
    board = nbrank.Leaderboard(scores)
    assert board.is_instance_level
    assert board.values.shape == (systems, instances * metrics)


def test_a_score_stays_with_its_system_and_instance():
    scores = datasets.fetch_best_systems_instances("DIALOG_pc")
    released = pd.read_csv(cache.path_of("best_systems/DIALOG_pc.csv"), dtype=str)
    row = released[(released["System"] == "37") & (released["Utterance"] == "M2")].iloc[0]
    np.testing.assert_array_equal(scores.loc[("M2", 37)], row[scores.columns].astype(float))


@pytest.mark.parametrize(
    ("name", "systems", "instances", "missing"),
    [
        ("dialogue_pc", 4, 60, 0),
        ("dialogue_pc_missing", 4, 60, 1320),
        ("dialogue_tc", 5, 60, 0),
        ("flickr", 8, 108, 0),
        ("wmt21_challengeset_en_de", 2, 177, 0),
        ("wmt21_flores_xh_zu", 6, 503, 0),
        ("wmt21_flores_zu_xh", 5, 509, 0),
    ],
)
def test_flipped_instances_are_metrics_only_and_lower_is_better(name, systems, instances, missing):
    board = datasets.fetch_missing_scores_instances(name)
    assert board.lower.all()
    metrics = 35 if name.startswith("wmt21") else 32
    assert board.values.shape == (systems, instances * metrics)
    assert np.isnan(board.values).sum() == missing
    assert not any(task.startswith("H:") for task in board.tasks)


def test_the_flipped_metrics_agree_with_each_other_and_not_with_the_human_judges():
    scores = datasets.fetch_missing_scores_instances("wmt21_flores_xh_zu").scores
    assert (scores.corrwith(scores["BERTScore"]) > 0).all()
    judged = pd.read_csv(cache.path_of("missing_scores/DIALOGUE_tc_data.csv"))
    scores = datasets.fetch_missing_scores_instances("dialogue_tc").scores
    assert scores["BERTScore"].corr(judged["H:Overall"].set_axis(scores.index)) < 0


def test_missing_dialogue_scores_are_missing_for_a_whole_system():
    holes = datasets.fetch_missing_scores_instances("dialogue_pc_missing").scores
    share = holes.isna().groupby(level="system").mean()
    assert set(np.unique(share)) == {0.0, 1.0}
    whole = datasets.fetch_missing_scores_instances("dialogue_pc").scores
    pd.testing.assert_frame_equal(holes, whole.where(holes.notna()))


def test_arena_votes_add_up():
    votes = datasets.fetch_chatbot_arena()
    assert votes.groupby("winner")["votes"].sum().to_dict() == {
        "left": 595_570,
        "right": 498_305,
        "tie": 281_121,
        "tie (bothbad)": 295_254,
    }
    assert len(set(votes["left"]) | set(votes["right"])) == 129
    assert (votes["votes"] > 0).all()
    comparisons = nbrank.from_comparisons(
        votes, left="left", right="right", winner="winner", weight="votes"
    )
    assert nbrank.compared(comparisons).to_numpy().sum() == 2 * 1_670_250


def test_llmfao_judgements_are_ready_for_comparison():
    judged = datasets.fetch_llmfao()
    assert len(judged) == 8931
    assert judged["worker"].nunique() == 124
    assert judged["prompt"].nunique() == 13
    comparisons = nbrank.from_comparisons(judged, left="left", right="right", winner="winner")
    wins = nbrank.pairwise(comparisons)
    assert wins.shape == (59, 59)
    assert wins.to_numpy().sum() == 8931


def test_ceval_texts_are_aligned():
    texts = datasets.fetch_ceval_texts()
    assert texts.index.tolist() == list(range(488))
    empty = texts.isna().sum()
    assert empty[empty > 0].to_dict() == {"Llama 2": 4, "LLaMA": 7}
    # GBDA lost the capitals, Crest the wording; all speak of the same film.
    assert texts.iloc[0].str.lower().str.contains("brain|movie").all()
    shared = texts["Expert"].str.split().str[0] == texts["Crowd"].str.split().str[0]
    assert shared.mean() > 0.9
