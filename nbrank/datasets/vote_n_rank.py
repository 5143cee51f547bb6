"""The leaderboards that Vote'n'Rank re-ranks, with its weights."""

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.datasets.cache import path_of
from nbrank.datasets.submissions import numbered
from nbrank.readers.exact_csv import read_csv
from nbrank.rules.described import described
from nbrank.votes.leaderboard import Leaderboard

# Tasks with two metrics: the leaderboards print "93.9/91.8", in this order.
GLUE_METRICS = {
    "MRPC": ("F1", "accuracy"),
    "STS-B": ("Pearson", "Spearman"),
    "QQP": ("F1", "accuracy"),
}
SUPERGLUE_METRICS = {
    "CB": ("F1", "accuracy"),
    "MultiRC": ("F1a", "exact match"),
    "ReCoRD": ("F1", "exact match"),
    "AX-g": ("gender parity", "accuracy"),
}
# The released names carry the web page's line breaks, comments and the teams' names.
VALUE_SYSTEMS = (
    "Human VALUE baseline",
    "craig.starr (ensemble)",
    "DuKG",
    "HERO (AT->ST, PT+FT)",
    "HERO (AT->ST, FT-only)",
    "HERO (ST, PT+FT)",
    "HERO (ST, FT-only)",
)
VALUE_GROUPS = {
    "retrieval": ["TVR", "How2R", "YC2R", "VATEX-EN-R"],
    "question answering": ["TVQA", "How2QA", "VIOLIN", "VLEP"],
    "captioning": ["TVC", "YC2C", "VATEX-EN-C"],
}


@described
def fetch_glue(
    data_home: str | os.PathLike[str] | None = None, download_if_missing: bool = True
) -> Leaderboard:
    """Fetch the GLUE leaderboard as Vote'n'Rank ranks it: 100 systems on 14 columns.

    {where_it_lies}

    Returns
    -------
    Leaderboard
        100 systems x 14 tasks in leaderboard order, percentages, higher is better. MRPC, STS-B and
        QQP have two metrics each: two columns of weight 0.5. The diagnostic set AX has weight 0,
        all else weight 1. The groups are the ten tasks, MNLI-m and MNLI-mm together. Three rows
        have a missing score (XLNet, ALBERT and MaChAmp). Systems of the same name are numbered.

    {unless_it_is_there}

    Notes
    -----
    The paper's studies use the rows without a missing score: the first 30 of them for rankings (its
    |M| = 30), all 97 for prospective winners. That is a choice of the study:
    `board.with_systems(board.systems[:30])`.

    References
    ----------
    Rofin et al. (2023), Vote'n'Rank: revision of benchmarking with social choice theory, EACL.
    Wang et al. (2018), GLUE: a multi-task benchmark and analysis platform for natural language
    understanding. Licence: Apache-2.0 repository; the results belong to the benchmark's holders.

    Examples
    --------
    >>> board = fetch_glue()
    >>> board.values.shape
    (100, 14)
    >>> board.scores.iloc[0].head(5).tolist()
    [75.5, 97.8, 93.9, 91.8, 93.0]
    """
    path = path_of("votenrank/glue.csv", data_home, download_if_missing)
    scores, columns = _split_metrics(path, "CoLA", GLUE_METRICS)
    weights = _weights(columns, diagnostic=["AX"])
    groups: dict[str, list[str]] = {}
    for task, names in columns.items():
        groups.setdefault("MNLI" if task.startswith("MNLI") else task, []).extend(names)
    return Leaderboard(scores, weights=weights, groups=groups)


@described
def fetch_superglue(
    data_home: str | os.PathLike[str] | None = None, download_if_missing: bool = True
) -> Leaderboard:
    """Fetch the SuperGLUE leaderboard as Vote'n'Rank ranks it: 24 systems on 14 columns.

    {where_it_lies}

    Returns
    -------
    Leaderboard
        24 systems x 14 tasks in leaderboard order, percentages, higher is better. CB, MultiRC and
        ReCoRD have two metrics each: two columns of weight 0.5. The diagnostic sets AX-b and AX-g
        (two columns) have weight 0, all else weight 1. The groups are the ten tasks. Two rows have
        missing scores (Outside Best and Snorkel); the paper's studies use the other 22.

    {unless_it_is_there}

    References
    ----------
    Rofin et al. (2023), Vote'n'Rank: revision of benchmarking with social choice theory, EACL.
    Wang et al. (2019), SuperGLUE: a stickier benchmark for general-purpose language understanding
    systems. Licence: Apache-2.0 repository; the results belong to the benchmark's holders.

    Examples
    --------
    >>> fetch_superglue().values.shape
    (24, 14)
    """
    path = path_of("votenrank/superglue.csv", data_home, download_if_missing)
    scores, columns = _split_metrics(path, "BoolQ", SUPERGLUE_METRICS)
    return Leaderboard(
        scores, weights=_weights(columns, diagnostic=["AX-b", "AX-g"]), groups=columns
    )


@described
def fetch_value(
    data_home: str | os.PathLike[str] | None = None, download_if_missing: bool = True
) -> Leaderboard:
    """Fetch the VALUE leaderboard of video-and-language systems: 7 systems on 11 tasks.

    {where_it_lies}

    Returns
    -------
    Leaderboard
        7 systems x 11 tasks in leaderboard order, higher is better, all of weight 1, in three
        groups: `retrieval` (4 tasks), `question answering` (4), `captioning` (3, a CIDEr score that
        may exceed 100). The human baseline has no score on 5 tasks.

    {unless_it_is_there}

    References
    ----------
    Rofin et al. (2023), Vote'n'Rank: revision of benchmarking with social choice theory, EACL.
    Li et al. (2021), VALUE: a multi-task benchmark for video-and-language understanding evaluation.
    Licence: Apache-2.0 repository; the results belong to the benchmark's holders.

    Examples
    --------
    >>> fetch_value().values.shape
    (7, 11)
    """
    path = path_of("votenrank/value.csv", data_home, download_if_missing)
    raw = read_csv(path, na_values="-").loc[:, "TVR":]
    scores = raw.set_axis(pd.Index(VALUE_SYSTEMS, name="system"))
    return Leaderboard(scores, groups=VALUE_GROUPS)


@described
def fetch_user_preferences(
    data_home: str | os.PathLike[str] | None = None, download_if_missing: bool = True
) -> Leaderboard:
    """Fetch encoders fine-tuned on GLUE with their performance, efficiency and fairness.

    {where_it_lies}

    Returns
    -------
    Leaderboard
        8 systems x 58 tasks in three groups, the columns a MultiIndex (`group`, `task`):
        `performance`, 13 scores in percent, of which the two of STS-B, MRPC and QQP have weight 0.5
        each; `efficiency`, 40 measurements of fine-tuning (ten tasks; GPU hours, kilograms of
        carbon, total power, hours), on which lower is better; `fairness`, 5 scores. All else has
        weight 1. t5-base was not measured for efficiency, nor scored on STS-B: the paper's study
        leaves it out.

    {unless_it_is_there}

    References
    ----------
    Rofin et al. (2023), Vote'n'Rank: revision of benchmarking with social choice theory, EACL,
    section 3.4. Licence: Apache-2.0.

    Examples
    --------
    >>> board = fetch_user_preferences()
    >>> {group: len(tasks) for group, tasks in board.groups.items()}
    {'performance': 13, 'efficiency': 40, 'fairness': 5}
    """
    parts = {
        group: read_csv(
            path_of(f"votenrank/case4_{group}.csv", data_home, download_if_missing),
            index_col="model_name",
        )
        for group in ("performance", "efficiency", "fairness")
    }
    scores = pd.concat(parts, axis="columns", names=["group", "task"]).rename_axis(index="system")
    # concat may sort the systems by name; they stand as in the table of performance.
    scores = scores.loc[parts["performance"].index]
    two_metrics = {
        ("performance", task): 0.5
        for task in parts["performance"]
        if str(task).split(".")[0] in ("stsb", "mrpc", "qqp")
    }
    efficiency = [("efficiency", task) for task in parts["efficiency"]]
    return Leaderboard(
        scores.rename_axis(index="system"), weights=two_metrics, lower_is_better=efficiency
    )


def _split_metrics(
    path: Path, first_task: str, metrics: Mapping[str, tuple[str, str]]
) -> tuple[pd.DataFrame, dict[str, list[str]]]:
    """Read a leaderboard as printed, "a/b" into two columns; return also task -> its columns."""
    printed = pd.read_csv(path, dtype=str)
    scores: dict[str, NDArray[np.float64]] = {}
    columns: dict[str, list[str]] = {}
    tasks = [str(task) for task in printed.loc[:, first_task:]]
    for task in tasks:
        names = [f"{task} ({metric})" for metric in metrics[task]] if task in metrics else [task]
        for part, name in enumerate(names):
            cells = printed[task].str.split("/").str[part]
            scores[name] = cells.mask(cells.isin(["-", "NaN"])).to_numpy(float)
        columns[task] = names
    systems = pd.Index(numbered(printed["Model"]), name="system")
    return pd.DataFrame(scores, index=systems), columns


def _weights(columns: Mapping[str, list[str]], diagnostic: list[str]) -> dict[str, float]:
    """Weigh a task 1 (two metrics 0.5 each) and a diagnostic set 0."""
    return {
        name: 0.0 if task in diagnostic else 1 / len(names)
        for task, names in columns.items()
        for name in names
    }
