"""The tables of "Towards more robust NLP system evaluation: handling missing scores"."""

import os

import pandas as pd

from nbrank.datasets.cache import path_of
from nbrank.datasets.submissions import read_submissions
from nbrank.readers.exact_csv import read_csv
from nbrank.rules.described import described
from nbrank.votes.leaderboard import Leaderboard

# Set -> file, and the field of a row's first cell that is the model's name.
TASK_SETS = {
    "gem_filtered": ("gem_filtered.csv", 0),
    "glue_filtered": ("glue_filtered.csv", 1),
    "superglue_filtered": ("superglue_filtered.csv", 1),
    "xtreme": ("xtrem.csv", 0),
    "xtreme_filtered": ("xtrem_filtered.csv", 0),
    "xtreme_missing": ("xtreme_missing.csv", 0),
}
INSTANCE_SETS = {
    "dialogue_pc": "DIALOGUE_pc_data.csv",
    "dialogue_pc_missing": "DIALOGUE_pc_missing.csv",
    "dialogue_tc": "DIALOGUE_tc_data.csv",
    "flickr": "Flickr_data.csv",
    "wmt21_challengeset_en_de": "wmt21_challengeset_en-de.csv",
    "wmt21_flores_xh_zu": "wmt21_flores_xh-zu.csv",
    "wmt21_flores_zu_xh": "wmt21_flores_zu-xh.csv",
}
# In the table with missing scores the fields of a name run together; the systems are those of
# fetch_xtreme, in its order.
XTREME_SYSTEMS = (
    "Turing ULR v5",
    "CoFe",
    "InfoXLM-XFT",
    "VECO + HICTL",
    "Polyglot",
    "Unicoder + ZCode",
    "ERNIE-M",
    "HiCTL",
    "T-ULRv2 + StableTune",
    "Anonymous3",
    "FILTER",
    "Creative",
    "X-STILTs",
    "XLM",
    "Anonymous5",
)


@described
def fetch_gem(
    data_home: str | os.PathLike[str] | None = None, download_if_missing: bool = True
) -> pd.DataFrame:
    """Fetch the GEM benchmark of text generation: 22 systems on 66 automatic measures.

    {where_it_lies}

    Returns
    -------
    pandas.DataFrame
        22 systems x 66 columns. Some are quality (ROUGE, BLEU, BLEURT, BERTScore), many describe a
        text (lengths, vocabulary, entropy) and have no better side; the study takes the higher
        value of each for the better one.

    {unless_it_is_there}

    References
    ----------
    Himmi et al. (2024), Towards more robust NLP system evaluation: handling missing scores in
    benchmarks. Gehrmann et al. (2021), The GEM benchmark. No licence is given.

    Examples
    --------
    >>> fetch_gem().shape
    (22, 66)
    """
    path = path_of("missing_scores/gem.csv", data_home, download_if_missing)
    return read_submissions(path, model_field=0)


@described
def fetch_missing_scores_tasks(
    name: str,
    data_home: str | os.PathLike[str] | None = None,
    download_if_missing: bool = True,
) -> pd.DataFrame:
    """Fetch one of the task-level tables of the study on missing scores.

    Parameters
    ----------
    name
        The table: "gem_filtered", "glue_filtered", "superglue_filtered", "xtreme",
        "xtreme_filtered" or "xtreme_missing".
    {data_home}

    Returns
    -------
    pandas.DataFrame
        Systems x tasks, higher is better; the leaderboards' own average is left out.
        "gem_filtered" has 5 systems x 66 measures; "glue_filtered" the first 14 systems x 14 tasks
        of GLUE; "superglue_filtered" the first 10 x 14 of SuperGLUE; "xtreme" 15 x 4, equal to
        `fetch_xtreme`; "xtreme_filtered" its first 10 systems; "xtreme_missing" its 15 systems
        with 7 scores removed.

    {unless_it_is_there}
    ValueError
        If there is no table of that name.

    References
    ----------
    Himmi et al. (2024), Towards more robust NLP system evaluation: handling missing scores in
    benchmarks. No licence is given.

    Examples
    --------
    >>> fetch_missing_scores_tasks("glue_filtered").shape
    (14, 14)
    """
    if name not in TASK_SETS:
        raise ValueError(f"no table {name!r}; the tables are {', '.join(map(repr, TASK_SETS))}")
    file, model_field = TASK_SETS[name]
    path = path_of(f"missing_scores/{file}", data_home, download_if_missing)
    scores = read_submissions(path, model_field).drop(columns="Score", errors="ignore")
    if name == "xtreme_missing":
        return scores.set_axis(pd.Index(XTREME_SYSTEMS, name="system"))
    return scores


@described
def fetch_missing_scores_instances(
    name: str,
    data_home: str | os.PathLike[str] | None = None,
    download_if_missing: bool = True,
) -> Leaderboard:
    """Fetch one of the instance-level sets of the study on missing scores: lower is better.

    Parameters
    ----------
    name
        The set: "dialogue_pc", "dialogue_pc_missing", "dialogue_tc", "flickr",
        "wmt21_challengeset_en_de", "wmt21_flores_xh_zu" or "wmt21_flores_zu_xh".
    {data_home}

    Returns
    -------
    Leaderboard
        Instance-level scores, a task for each automatic metric (32, for WMT21 35). The released
        signs are flipped where needed so that lower is better on every one of them, and so says
        the board; the texts and the human judgements of the files, which are not flipped, are left
        out. Systems x instances: dialogue_pc 4 x 60, dialogue_tc 5 x 60, flickr 8 x 108,
        wmt21_challengeset_en_de 2 x 177, wmt21_flores_xh_zu 6 x 503, wmt21_flores_zu_xh 5 x 509;
        dialogue_pc_missing is dialogue_pc without 1,320 of its scores, always all of a system on a
        task.

    {unless_it_is_there}
    ValueError
        If there is no set of that name.

    References
    ----------
    Himmi et al. (2024), Towards more robust NLP system evaluation: handling missing scores in
    benchmarks. No licence is given.

    Examples
    --------
    >>> board = fetch_missing_scores_instances("flickr")
    >>> len(board.systems), len(board.tasks), bool(board.lower.all())
    (8, 32, True)
    """
    if name not in INSTANCE_SETS:
        raise ValueError(f"no set {name!r}; the sets are {', '.join(map(repr, INSTANCE_SETS))}")
    path = path_of(f"missing_scores/{INSTANCE_SETS[name]}", data_home, download_if_missing)
    released = read_csv(path).rename(columns={"System": "system", "Utterance": "instance"})
    metrics = released.set_index(["system", "instance"]).select_dtypes("number")
    judged = [column for column in metrics if str(column).startswith("H:")]
    return Leaderboard(metrics.drop(columns=judged).astype(float), lower_is_better=True)
