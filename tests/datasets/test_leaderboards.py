"""The studies' leaderboards: weights, groups, orientation, and the cells that need care."""

import re

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import datasets
from nbrank.datasets import cache
from nbrank.datasets.bundle import TABLES

BY_HAND = {
    "ceval_scores.csv", "global_and_pairwise.csv", "llm_chat.csv", "mteb.csv",
    "pairwise_paradox.csv", "removal_runs.csv", "removal_sets.csv", "sst5_baselines.csv",
    "toy_votes.csv", "xtreme_missing.csv",
    *(path.name for path in TABLES.iterdir() if path.name.startswith("published_")),
}  # fmt: skip


# ----------------------------------------------------------------------------- where they are from


def test_the_script_writes_what_ships_byte_for_byte(script, tmp_path):
    script("make_task_tables").write(tmp_path)
    shipped = {path.name: path for path in TABLES.iterdir() if path.suffix in (".csv", ".json")}
    written = {path.name: path for path in tmp_path.iterdir()}
    assert written.keys() == shipped.keys() - BY_HAND
    for name, path in written.items():
        assert path.read_bytes() == shipped[name].read_bytes(), name


def test_the_readme_names_every_table_with_its_source():
    readme = TABLES.joinpath("README.md").read_text(encoding="utf-8")
    for path in TABLES.iterdir():
        assert path.name == "README.md" or f"`{path.name}`" in readme
    named = set(
        re.findall(r"`((?:votenrank|best_systems|missing_scores|chatbot_arena)/\S+)`", readme)
    )
    assert named <= set(cache.registry())


@pytest.mark.parametrize(
    ("name", "model_field", "whole", "n"),
    [
        ("glue_filtered", 1, datasets.load_glue_submissions, 14),
        ("superglue_filtered", 1, datasets.load_superglue_submissions, 10),
        ("xtrem_filtered", 0, datasets.load_xtreme, 10),
        ("xtrem", 0, datasets.load_xtreme, 15),
    ],
)
def test_the_tables_of_the_study_of_missing_scores_are_the_first_rows(
    script, name, model_field, whole, n
):
    read = script("make_task_tables").submissions(f"missing_scores/{name}.csv", model_field)
    pd.testing.assert_frame_equal(read.drop(columns="Score"), whole().head(n))


@pytest.mark.parametrize(
    ("name", "model_field", "item"),
    [("glue", 1, "GLUE"), ("superglue", 1, "SuperGLUE"), ("xtrem", 0, "XTREME")],
)
def test_its_averages_stand_in_the_alphabetical_order_of_the_released_names(
    script, name, model_field, item
):
    file = f"missing_scores/{name}_filtered.csv"
    read = script("make_task_tables").submissions(file, model_field)
    alphabetical = pd.read_csv(cache.fetch_file(file))["Model"].argsort(kind="stable")
    average = datasets.load_published("missing_scores", f"average {item}")["published"]
    assert average.droplevel("column").to_dict() == read["Score"].to_dict()
    assert list(average.index.unique("row")) == list(read.index[alphabetical])


def test_its_gem_table_is_five_rows_of_gem(script):
    few = script("make_task_tables").submissions("missing_scores/gem_filtered.csv", 0)
    assert len(few) == 5
    pd.testing.assert_frame_equal(few, datasets.load_gem().loc[few.index])


# ---------------------------------------------------------------------------------- what they hold


def test_glue_has_the_weights_of_the_study():
    board = datasets.load_glue()
    weights = board.task_weights
    assert weights.sum() == 10
    assert set(weights[weights == 0.5].index) == {
        "MRPC (F1)", "MRPC (accuracy)", "STS-B (Pearson)", "STS-B (Spearman)", "QQP (F1)",
        "QQP (accuracy)",
    }  # fmt: skip
    assert weights[weights == 0].index.tolist() == ["AX"]
    assert board.groups["MNLI"] == ("MNLI-m", "MNLI-mm")
    assert len(board.groups) == 10
    assert not board.is_lower_better.any()


def test_glue_misses_three_scores_of_three_systems():
    scores = datasets.load_glue().scores
    missing = scores.isna()
    rows, columns = np.nonzero(missing.to_numpy())
    assert list(zip(scores.index[rows], scores.columns[columns], strict=True)) == [
        ("MaChAmp (bert-large, single task)", "STS-B (Pearson)"),
        ("XLNet (ensemble)", "QNLI"),
        ("ALBERT (Ensemble)", "QNLI"),
    ]
    assert scores.loc["RefBERT (4)", "AX"] == -10.3


def test_glue_scores_average_to_the_leaderboards_own():
    board = datasets.load_glue()
    # GLUE itself takes the two test sets of MNLI for one task.
    board = board.with_weights(board.task_weights.to_dict() | {"MNLI-m": 0.5, "MNLI-mm": 0.5})
    ours = board.scores.mul(board.task_weights / 9).sum(axis="columns", skipna=False)
    printed = pd.read_csv(datasets.fetch_file("votenrank/glue.csv"))["Score"].replace("-", np.nan)
    difference = ours - printed.astype(float).to_numpy()
    assert difference.notna().sum() == 97
    assert difference.abs().max() < 0.07  # both are rounded


def test_superglue_has_the_weights_of_the_study():
    board = datasets.load_superglue()
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
    board = datasets.load_value()
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
    board = datasets.load_user_preferences()
    board = board.select_systems(board.systems.drop("t5-base"))
    ranked = nbrank.borda(board, ties="max")
    # What the released notebook prints; the paper's table 5 has other figures.
    assert ranked["score"].tolist() == [251.0, 247.0, 167.0, 158.5, 144.0, 107.0, 72.5]


def test_in_user_preferences_only_efficiency_is_better_when_lower():
    board = datasets.load_user_preferences()
    assert {group for group, _ in board.lower_is_better} == {"efficiency"}
    assert len(board.lower_is_better) == 40
    assert board.systems.name == "system"
    assert board.scores.loc["t5-base", "efficiency"].isna().all()


def test_submissions_keep_their_zeros_and_number_their_namesakes():
    scores = datasets.load_glue_submissions()
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
    scores = datasets.load_superglue_submissions()
    assert not scores.isna().any().any()
    assert scores.index[-3:].tolist() == ["BERT", "Most Frequent Class", "CBoW"]
    assert (
        scores.loc["AILabs Team, Transformers", ["AX-b", "AX-g-b", "AX-g-a"]].tolist()
        == [100.0] * 3
    )
    assert scores.loc["Most Frequent Class", "MultiRC-b"] == 0.3


def test_xtreme_is_put_right_and_can_be_had_as_the_study_read_it():
    right = datasets.load_xtreme()
    shifted = datasets.load_xtreme_as_released()
    assert shifted.columns.equals(right.columns)
    np.testing.assert_array_equal(shifted.iloc[:, 1:], right.iloc[:, :-1])
    points = shifted.rank(method="average").sub(1).sum(axis="columns")
    assert points.sort_values(ascending=False).head(3).tolist() == [55.0, 50.0, 44.0]


def test_arena_votes_add_up():
    votes = datasets.load_chatbot_arena()
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


def test_mteb_is_complete_and_its_leaders_are_those_of_the_board():
    scores = datasets.load_mteb()
    assert scores.shape == (103, 41)
    assert scores.notna().all().all()
    assert scores.min().min() >= -1
    assert scores.max().max() <= 1
    assert nbrank.borda(scores).index[0] == "jcorners/ingot-8b-r3"
    assert nbrank.mean(scores).index[0] == "Kingsoft-LLM/QZhou-Embedding"
