"""The leaderboards and instance-level scores of "What are the best systems?"."""

import os

import pandas as pd

from nbrank.datasets.cache import path_of
from nbrank.datasets.submissions import read_submissions
from nbrank.readers.exact_csv import read_csv
from nbrank.rules.described import described

INSTANCE_SETS = (
    "DIALOG_pc",
    "DIALOG_tc",
    "FLICKR",
    "MLQE",
    "REAL_SUM",
    "SUM_EVAL",
    "TAC_08",
    "TAC_09",
    "TAC_11",
)


@described
def fetch_glue_submissions(
    data_home: str | os.PathLike[str] | None = None, download_if_missing: bool = True
) -> pd.DataFrame:
    """Fetch the GLUE leaderboard of 105 submissions, each metric a column of its own.

    {where_it_lies}

    Returns
    -------
    pandas.DataFrame
        105 systems x 14 columns in leaderboard order, percentages, higher is better; the two
        metrics of MRPC, STS-B and QQP are `-a` and `-b`. Two of the zeros stand for a score that
        was not reported: "GLUE Human Baselines" on AX, and "MaChAmp (bert-large single task)" on
        STS-B-a. They are left as the study used them. Systems of the same name are numbered. The
        leaderboard's own average is not a task and is left out.

    {unless_it_is_there}

    References
    ----------
    Colombo et al. (2022), What are the best systems? New perspectives on NLP benchmarking,
    NeurIPS. Wang et al. (2018), GLUE. No licence is given.

    Examples
    --------
    >>> fetch_glue_submissions().shape
    (105, 14)
    """
    path = path_of("best_systems/glue.csv", data_home, download_if_missing)
    return read_submissions(path, model_field=1).drop(columns="Score")


@described
def fetch_superglue_submissions(
    data_home: str | os.PathLike[str] | None = None, download_if_missing: bool = True
) -> pd.DataFrame:
    """Fetch the SuperGLUE leaderboard of 24 submissions, each metric a column of its own.

    {where_it_lies}

    Returns
    -------
    pandas.DataFrame
        24 systems x 14 columns in leaderboard order, percentages, higher is better; the two
        metrics of CB, MultiRC, ReCoRD and AX-g are `-a` and `-b`. The leaderboard's own average is
        left out.

    {unless_it_is_there}

    References
    ----------
    Colombo et al. (2022), What are the best systems? New perspectives on NLP benchmarking,
    NeurIPS. Wang et al. (2019), SuperGLUE. No licence is given.

    Examples
    --------
    >>> fetch_superglue_submissions().shape
    (24, 14)
    """
    path = path_of("best_systems/superglue.csv", data_home, download_if_missing)
    return read_submissions(path, model_field=1).drop(columns="Score")


@described
def fetch_xtreme(
    data_home: str | os.PathLike[str] | None = None, download_if_missing: bool = True
) -> pd.DataFrame:
    """Fetch the XTREME leaderboard: 15 multilingual systems on four tasks.

    {where_it_lies}

    Returns
    -------
    pandas.DataFrame
        15 systems x 4 tasks (`Classification`, `Structured Prediction`, `Question Answering`,
        `Sentence Retrieval`), percentages, higher is better. The released rows have one field more
        than their header; here every score stands under its own name. The leaderboard's own
        average is left out.

    {unless_it_is_there}

    See Also
    --------
    fetch_xtreme_as_released : The columns as the study read them.

    References
    ----------
    Colombo et al. (2022), What are the best systems? New perspectives on NLP benchmarking,
    NeurIPS. Hu et al. (2020), XTREME. No licence is given.

    Examples
    --------
    >>> fetch_xtreme().iloc[0].tolist()
    [90.3, 81.7, 76.3, 93.7]
    """
    path = path_of("best_systems/xtreme.csv", data_home, download_if_missing)
    return read_submissions(path, model_field=0).drop(columns="Score")


@described
def fetch_xtreme_as_released(
    data_home: str | os.PathLike[str] | None = None, download_if_missing: bool = True
) -> pd.DataFrame:
    """Fetch the XTREME leaderboard with its columns one place to the left, as the study read them.

    {where_it_lies}

    Returns
    -------
    pandas.DataFrame
        15 systems x 4 columns of the names of `fetch_xtreme`: `Classification` holds the
        leaderboard's own average, `Structured Prediction` the classification score,
        `Question Answering` the structured prediction, `Sentence Retrieval` the question
        answering; the retrieval score is lost. Table 3 of the paper comes from these.

    {unless_it_is_there}

    References
    ----------
    Colombo et al. (2022), What are the best systems? New perspectives on NLP benchmarking,
    NeurIPS, table 3. No licence is given.

    Examples
    --------
    >>> shifted = fetch_xtreme_as_released()
    >>> float(shifted.mean(axis="columns").iloc[0].round(1))
    83.2
    """
    path = path_of("best_systems/xtreme.csv", data_home, download_if_missing)
    table = read_submissions(path, model_field=0)
    return table.iloc[:, :-1].set_axis(table.columns[1:], axis="columns")


@described
def fetch_best_systems_instances(
    name: str,
    data_home: str | os.PathLike[str] | None = None,
    download_if_missing: bool = True,
) -> pd.DataFrame:
    """Fetch one of nine sets of instance-level scores, System and Utterance put right.

    Parameters
    ----------
    name
        The set: "DIALOG_pc", "DIALOG_tc", "FLICKR", "MLQE", "REAL_SUM", "SUM_EVAL", "TAC_08",
        "TAC_09" or "TAC_11".
    {data_home}

    Returns
    -------
    pandas.DataFrame
        Instance-level scores, complete, higher is better: index `system`, `instance`; a column for
        each metric, human judgements as `H:...`. The released headers System and Utterance are
        exchanged; here they are put right. Systems x instances x metrics: DIALOG_pc 4 x 60 x 19,
        DIALOG_tc 5 x 60 x 19, FLICKR 8 x 108 x 14, MLQE 7 x 1000 x 10 (the "systems" are pairs of
        languages), REAL_SUM 25 x 100 x 15, SUM_EVAL 16 x 100 x 17, TAC_08 62 x 48 x 15, TAC_09
        59 x 44 x 15, TAC_11 54 x 44 x 15.

    {unless_it_is_there}
    ValueError
        If there is no set of that name.

    References
    ----------
    Colombo et al. (2022), What are the best systems? New perspectives on NLP benchmarking,
    NeurIPS. No licence is given.

    Examples
    --------
    >>> fetch_best_systems_instances("TAC_08").shape
    (2976, 15)
    """
    if name not in INSTANCE_SETS:
        raise ValueError(f"no set {name!r}; the sets are {', '.join(map(repr, INSTANCE_SETS))}")
    released = read_csv(path_of(f"best_systems/{name}.csv", data_home, download_if_missing))
    put_right = released.rename(columns={"System": "instance", "Utterance": "system"})
    scores = put_right.set_index(["system", "instance"]).astype(float)
    # Instances ran fastest over the systems; a table of systems has a system's rows together.
    systems = scores.index.unique("system")
    order = pd.MultiIndex.from_product([systems, scores.index.unique("instance")])
    return scores.loc[order].rename_axis(index=["system", "instance"])
