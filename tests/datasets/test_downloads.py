"""Fetched tables: their size and orientation, and the cells that need care."""

import inspect

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import datasets
from nbrank.datasets import cache, downloads

FETCHERS = sorted({name for name in datasets.__all__ if name.startswith("fetch_")} - {"fetch_file"})
# The sets of a fetcher that takes a name.
SETS = {
    "fetch_best_systems_instances": downloads.BEST_SYSTEMS_SETS,
    "fetch_missing_scores_instances": tuple(downloads.MISSING_SCORES_SETS),
}


@pytest.mark.parametrize("name", FETCHERS)
def test_a_fetcher_takes_scikit_learns_arguments(name):
    parameters = inspect.signature(getattr(datasets, name)).parameters
    assert list(parameters)[-2:] == ["data_home", "download_if_missing"]
    assert parameters["data_home"].default is None
    assert parameters["download_if_missing"].default is True


@pytest.mark.parametrize("name", FETCHERS)
def test_a_fetcher_reads_the_files_that_the_registry_says(name, monkeypatch, tmp_path):
    fetch_file = cache.fetch_file
    asked = []

    def recorded(file, data_home=None, download_if_missing=True):
        asked.append((file, data_home, download_if_missing))
        return fetch_file(file)

    monkeypatch.setattr(downloads, "fetch_file", recorded)
    for arguments in [[name] for name in SETS.get(name, [])] or [[]]:
        getattr(datasets, name)(*arguments, data_home=tmp_path, download_if_missing=False)
    listed = {e.file for e in cache.registry().values() if name in e.fetchers}
    assert {file for file, _, _ in asked} == listed
    assert {(home, download) for _, home, download in asked} == {(tmp_path, False)}


@pytest.mark.parametrize("name", SETS)
def test_an_unknown_set_is_refused_with_the_known_ones(name):
    with pytest.raises(ValueError, match=f"'nothing'; the .* are '{SETS[name][0]}'"):
        getattr(datasets, name)("nothing")


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
    released = pd.read_csv(cache.fetch_file("best_systems/DIALOG_pc.csv"), dtype=str)
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
    assert board.is_lower_better.all()
    metrics = 35 if name.startswith("wmt21") else 32
    assert board.values.shape == (systems, instances * metrics)
    assert np.isnan(board.values).sum() == missing
    assert not any(task.startswith("H:") for task in board.tasks)


def test_the_flipped_metrics_agree_with_each_other_and_not_with_the_human_judges():
    scores = datasets.fetch_missing_scores_instances("wmt21_flores_xh_zu").scores
    assert (scores.corrwith(scores["BERTScore"]) > 0).all()
    judged = pd.read_csv(cache.fetch_file("missing_scores/DIALOGUE_tc_data.csv"))
    scores = datasets.fetch_missing_scores_instances("dialogue_tc").scores
    assert scores["BERTScore"].corr(judged["H:Overall"].set_axis(scores.index)) < 0


def test_missing_dialogue_scores_are_missing_for_a_whole_system():
    holes = datasets.fetch_missing_scores_instances("dialogue_pc_missing").scores
    share = holes.isna().groupby(level="system").mean()
    assert set(np.unique(share)) == {0.0, 1.0}
    whole = datasets.fetch_missing_scores_instances("dialogue_pc").scores
    pd.testing.assert_frame_equal(holes, whole.where(holes.notna()))


def test_llmfao_judgements_are_ready_for_comparison():
    judged = datasets.fetch_llmfao()
    assert len(judged) == 8931
    assert judged["worker"].nunique() == 124
    assert judged["prompt"].nunique() == 13
    sides = {"left": "left", "right": "right", "winner": "winner"}
    comparisons = nbrank.from_comparisons(judged, **sides, cluster="worker")
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


def test_sst5_has_the_published_splits_and_five_labels():
    texts = datasets.fetch_sst5()
    assert texts.groupby("split", sort=False).size().to_dict() == {
        "train": 8544,
        "dev": 1101,
        "test": 2210,
    }
    assert set(texts["label"]) == {1, 2, 3, 4, 5}
    assert texts["text"].str.strip().ne("").all()
    shipped = datasets.load_sst5_baselines()
    assert shipped["label"].tolist() == texts.loc["test", "label"].tolist()
