"""The leaderboards of the studies, task by task: `docs/scripts/make_task_tables.py` writes them."""

import json

import numpy as np
import pandas as pd

from nbrank.datasets.bundle import TABLES, read_bundled_table
from nbrank.votes.leaderboard import Leaderboard

# The outcomes of the four counts of a pair, in the order of the released file.
ARENA_OUTCOMES = ("left", "right", "tie", "tie (bothbad)")
# Tasks of case study 4 that have two metrics.
_TWO_METRIC_TASKS = ("stsb", "mrpc", "qqp")


def load_glue() -> Leaderboard:
    """Load the GLUE leaderboard as Vote'n'Rank ranks it: 100 systems on 14 columns.

    From Rofin et al. (2023), Vote'n'Rank; the benchmark: Wang et al. (2018), GLUE.

    Returns
    -------
    Leaderboard
        In leaderboard order, percentages, higher is better. MRPC, STS-B and QQP
        have two metrics each: two columns of weight 0.5. The diagnostic set AX has weight 0, all
        else weight 1. The groups are the ten tasks, MNLI-m and MNLI-mm together. Systems of the
        same name are numbered. The paper ranks the first 30 of the 97 rows without a missing score.

    Examples
    --------
    >>> load_glue().values.shape
    (100, 14)
    """
    return _load_weighted("glue")


def load_superglue() -> Leaderboard:
    """Load the SuperGLUE leaderboard as Vote'n'Rank ranks it: 24 systems on 14 columns.

    From Rofin et al. (2023), Vote'n'Rank; the benchmark: Wang et al. (2019), SuperGLUE.

    Returns
    -------
    Leaderboard
        In leaderboard order, percentages, higher is better. CB, MultiRC and ReCoRD
        have two metrics each: two columns of weight 0.5. The diagnostic sets AX-b and AX-g (two
        columns) have weight 0, all else weight 1. The groups are the ten tasks. The paper's studies
        use the 22 rows without a missing score.

    Examples
    --------
    >>> load_superglue().values.shape
    (24, 14)
    """
    return _load_weighted("superglue")


def load_value() -> Leaderboard:
    """Load the VALUE leaderboard of video-and-language systems: 7 systems on 11 tasks.

    From Rofin et al. (2023), Vote'n'Rank; the benchmark: Li et al. (2021), VALUE.

    Returns
    -------
    Leaderboard
        In leaderboard order, higher is better, in three groups: `retrieval` (4
        tasks), `question answering` (4), `captioning` (3, a CIDEr score that may exceed 100). The
        human baseline has no score on 5 tasks.

    Examples
    --------
    >>> load_value().values.shape
    (7, 11)
    """
    return _load_weighted("value")


def load_user_preferences() -> Leaderboard:
    """Load encoders fine-tuned on GLUE with their performance, efficiency and fairness.

    From Rofin et al. (2023), Vote'n'Rank, section 3.4.

    Returns
    -------
    Leaderboard
        8 systems, the columns a MultiIndex (`group`, `task`): `performance`, 13 scores in percent,
        of which the two of STS-B, MRPC and QQP have weight 0.5 each; `efficiency`, 40 measurements
        of fine-tuning (ten tasks; GPU hours, kilograms of carbon, total power, hours), on which
        lower is better; `fairness`, 5 scores. All else has weight 1. The paper's study leaves out
        t5-base, which lacks some of them.

    Examples
    --------
    >>> board = load_user_preferences()
    >>> {group: len(tasks) for group, tasks in board.groups.items()}
    {'performance': 13, 'efficiency': 40, 'fairness': 5}
    """
    scores = read_bundled_table("user_preferences", index=["group", "task"]).T
    of_two = [task for task in scores["performance"] if task.split(".")[0] in _TWO_METRIC_TASKS]
    return Leaderboard(
        scores.rename_axis(index="system"),
        weights=dict.fromkeys(scores.columns, 1.0)
        | {("performance", task): 0.5 for task in of_two},
        lower_is_better=[("efficiency", task) for task in scores["efficiency"]],
    )


def load_glue_submissions() -> pd.DataFrame:
    """Load the GLUE leaderboard of 105 submissions, each metric a column of its own.

    From Colombo et al. (2022), What are the best systems?; the benchmark: Wang et al. (2018), GLUE.

    Returns
    -------
    pandas.DataFrame
        Index `system`, in leaderboard order; percentages, higher is better; the two metrics of
        MRPC, STS-B and QQP are `-a` and `-b`. Two of the zeros stand for a score that was not
        reported ("GLUE Human Baselines" on AX, "MaChAmp (bert-large single task)" on STS-B-a), as
        the study used them. Systems of the same name are numbered.

    Examples
    --------
    >>> load_glue_submissions().shape
    (105, 14)
    """
    return read_bundled_table("glue_submissions")


def load_mteb() -> pd.DataFrame:
    """Load the 103 embedding models that have a score on all 41 tasks of MTEB (eng, v2).

    Read on 20 August 2026 from the main scores of the test splits in embeddings-benchmark/results
    (CC0-1.0). Of the 258 models there, 155 lack a task and are left out. The benchmark: Enevoldsen
    et al. (2025), MMTEB: Massive Multilingual Text Embedding Benchmark.

    Returns
    -------
    pandas.DataFrame
        Index `system`, in alphabetical order; shares of 1, higher is better.

    Examples
    --------
    >>> load_mteb().shape
    (103, 41)
    >>> load_mteb().rank.borda().index[0]
    'jcorners/ingot-8b-r3'
    """
    return read_bundled_table("mteb")


def load_superglue_submissions() -> pd.DataFrame:
    """Load the SuperGLUE leaderboard of 24 submissions, each metric a column of its own.

    From Colombo et al. (2022), What are the best systems?; the benchmark: Wang et al. (2019).

    Returns
    -------
    pandas.DataFrame
        Index `system`, in leaderboard order; percentages, higher is better; the two metrics of CB,
        MultiRC, ReCoRD and AX-g are `-a` and `-b`.

    Examples
    --------
    >>> load_superglue_submissions().shape
    (24, 14)
    """
    return read_bundled_table("superglue_submissions")


def load_xtreme() -> pd.DataFrame:
    """Load the XTREME leaderboard: 15 multilingual systems on four tasks.

    From Colombo et al. (2022), What are the best systems?; the benchmark: Hu et al. (2020), XTREME.

    Returns
    -------
    pandas.DataFrame
        Index `system`; the columns `Classification`, `Structured Prediction`, `Question Answering`
        and `Sentence Retrieval`, percentages, higher is better. The released rows have one field
        more than their header; here every score stands under its own name.

    Examples
    --------
    >>> load_xtreme().iloc[0].tolist()
    [90.3, 81.7, 76.3, 93.7]
    """
    return read_bundled_table("xtreme")


def load_xtreme_as_released() -> pd.DataFrame:
    """Load the XTREME leaderboard with its columns one place to the left, as the study read them.

    From Colombo et al. (2022), What are the best systems?, table 3.

    Returns
    -------
    pandas.DataFrame
        Under the names of `load_xtreme`: `Classification` holds the leaderboard's own average, each
        other column the score of the task before it; the retrieval score is lost.

    Examples
    --------
    >>> load_xtreme_as_released().iloc[0].tolist()
    [84.5, 90.3, 81.7, 76.3]
    """
    return read_bundled_table("xtreme_as_released")


def load_gem() -> pd.DataFrame:
    """Load the GEM benchmark of text generation: 22 systems on 66 automatic measures.

    From Himmi et al. (2024), Towards more robust NLP system evaluation; Gehrmann et al. (2021),
    GEM.

    Returns
    -------
    pandas.DataFrame
        Index `system`. Some columns are quality (ROUGE, BLEU, ...), many describe a text (lengths,
        vocabulary) and have no better side; the study takes the higher value of each for the better
        one.

    Examples
    --------
    >>> load_gem().shape
    (22, 66)
    """
    return read_bundled_table("gem")


def load_chatbot_arena() -> pd.DataFrame:
    """Load 1,670,250 votes of Chatbot Arena between 129 chat models, up to August 2024.

    From Chiang et al. (2024), Chatbot Arena; counted by Ameli, Zhuang, Stoica and Mahoney (2025).

    Returns
    -------
    pandas.DataFrame
        A row for each pair of models and outcome that occurred: `left` and `right`, the models;
        `winner`: "left", "right", "tie" or "tie (bothbad)"; `votes`, their number. Ready for
        `nbrank.from_comparisons(frame, left="left", right="right", winner="winner",
        count="votes")`.

    Examples
    --------
    >>> load_chatbot_arena().head(2)
                   left       right winner  votes
    0  RWKV-4-Raven-14B  alpaca-13b   left    103
    1  RWKV-4-Raven-14B  alpaca-13b  right     94
    """
    released = json.loads(TABLES.joinpath("chatbot_arena.json").read_text(encoding="utf-8"))
    models = np.asarray(released["models"], dtype=object)
    left, right = models[np.asarray(released["X"])].T
    counts = np.asarray(released["Y"])
    votes = pd.DataFrame(
        {
            "left": np.repeat(left, len(ARENA_OUTCOMES)),
            "right": np.repeat(right, len(ARENA_OUTCOMES)),
            "winner": np.tile(np.asarray(ARENA_OUTCOMES, dtype=object), len(counts)),
            "votes": counts.ravel(),
        }
    )
    occurred: pd.DataFrame = votes[votes["votes"] > 0]
    return occurred.reset_index(drop=True)


def _load_weighted(name: str) -> Leaderboard:
    """Read a leaderboard with the weights and the groups that `columns.csv` gives its tasks."""
    columns = read_bundled_table("columns", index="table").loc[name].set_index("task")
    groups = {group: list(part.index) for group, part in columns.groupby("group", sort=False)}
    return Leaderboard(read_bundled_table(name), weights=columns["weight"].to_dict(), groups=groups)
