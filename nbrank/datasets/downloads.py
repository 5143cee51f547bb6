"""Data that is downloaded once: judgements of pairs, texts, and scores of instances."""

import os
from collections.abc import Iterable

import pandas as pd

from nbrank.datasets.cache import fetch_file
from nbrank.readers.tables.csv_files import read_csv
from nbrank.votes.leaderboard import Leaderboard

# The paper's name of each system -> the released folder that holds its texts.
CEVAL_SYSTEMS = {
    "Expert": "expert",
    "Crowd": "crowd",
    "MICE": "mice",
    "Llama 2": "llama_02",
    "LLaMA": "llama_1",
    "GBDA": "gbda",
    "Crest": "crest",
}


def fetch_llmfao(
    data_home: str | os.PathLike[str] | None = None, download_if_missing: bool = True
) -> pd.DataFrame:
    """Fetch 8,931 judgements by 124 crowd workers between answers of 59 language models.

    From Ustalov (2025), Evalica, COLING. Licence: Apache-2.0.

    Parameters
    ----------
    data_home
        The folder that holds fetched files. None is the folder that the environment variable
        `NBRANK_DATA_DIR` names, and without that the platform's folder for caches.
    download_if_missing
        Whether to download what is not there yet.

    Returns
    -------
    pandas.DataFrame
        A row for each judgement: `left` and `right`, the models; `winner`: "left", "right" or
        "tie"; `prompt` (13 of them), `worker` (124) and `id` (2,139 pairs of answers), as numbers.
        Ready for `nbrank.from_comparisons(frame, left="left", right="right", winner="winner",
        cluster="worker")`.

    Raises
    ------
    DataUnavailableError
        If a file is neither there nor to be had; the message says where to get it.

    Examples
    --------
    >>> fetch_llmfao().shape
    (8931, 6)
    """
    released = read_csv(fetch_file("llmfao/llmfao.csv", data_home, download_if_missing))
    return released[["left", "right", "winner", "prompt", "worker", "id"]]


def fetch_ceval_texts(
    data_home: str | os.PathLike[str] | None = None, download_if_missing: bool = True
) -> pd.DataFrame:
    """Fetch 488 film reviews turned into their opposite by experts and by six systems.

    From Nguyen, Schlötterer and Seifert (2024), CEval. Licence: Apache-2.0.

    Parameters
    ----------
    data_home
        The folder that holds fetched files. None is the folder that the environment variable
        `NBRANK_DATA_DIR` names, and without that the platform's folder for caches.
    download_if_missing
        Whether to download what is not there yet.

    Returns
    -------
    pandas.DataFrame
        488 rows, index `instance`; a column of texts for `Expert` (the reference), `Crowd`, `MICE`,
        `Llama 2`, `LLaMA`, `GBDA` and `Crest`. Llama 2 left 4 texts empty and LLaMA 7: missing.

    Raises
    ------
    DataUnavailableError
        If a file is neither there nor to be had; the message says where to get it.

    Examples
    --------
    >>> fetch_ceval_texts().shape
    (488, 7)
    """
    texts = {
        system: read_csv(
            fetch_file(f"ceval/imdb_{folder}.csv", data_home, download_if_missing),
            usecols=["gen_text"],
        )["gen_text"]
        for system, folder in CEVAL_SYSTEMS.items()
    }
    return pd.DataFrame(texts).rename_axis(index="instance")


def fetch_sst5(
    data_home: str | os.PathLike[str] | None = None, download_if_missing: bool = True
) -> pd.DataFrame:
    """Fetch 11,855 sentences of film reviews with one of five sentiments: SST-5.

    From Socher et al. (2013), Recursive deep models for semantic compositionality over a sentiment
    treebank; the files are those of prrao87/fine-grained-sentiment at a440166. Licence: MIT.

    Parameters
    ----------
    data_home
        The folder that holds fetched files. None is the folder that the environment variable
        `NBRANK_DATA_DIR` names, and without that the platform's folder for caches.
    download_if_missing
        Whether to download what is not there yet.

    Returns
    -------
    pandas.DataFrame
        Index `split` ("train" 8,544, "dev" 1,101 and "test" 2,210 rows) and `sentence`; columns
        `text` and `label`, from 1 (very negative) to 5 (very positive).

    Raises
    ------
    DataUnavailableError
        If a file is neither there nor to be had; the message says where to get it.

    Examples
    --------
    >>> fetch_sst5().loc["test", "text"].iloc[0]
    'Effective but too-tepid biopic'
    """
    parts = {}
    for split in ("train", "dev", "test"):
        file = fetch_file(f"sst5/sst_{split}.txt", data_home, download_if_missing)
        lines = file.read_text(encoding="utf-8").splitlines()
        labels, texts = zip(*(line.split("\t", 1) for line in lines), strict=True)
        numbers = [int(label.removeprefix("__label__")) for label in labels]
        parts[split] = pd.DataFrame({"text": texts, "label": numbers})
    return pd.concat(parts, names=["split", "sentence"])


BEST_SYSTEMS_SETS = (
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


def fetch_best_systems_instances(
    name: str, data_home: str | os.PathLike[str] | None = None, download_if_missing: bool = True
) -> pd.DataFrame:
    """Fetch one of nine sets of instance-level scores, System and Utterance put right.

    From Colombo et al. (2022), What are the best systems? No licence is given.

    Parameters
    ----------
    name
        The set, one of those listed below.
    data_home
        The folder that holds fetched files. None is the folder that the environment variable
        `NBRANK_DATA_DIR` names, and without that the platform's folder for caches.
    download_if_missing
        Whether to download what is not there yet.

    Returns
    -------
    pandas.DataFrame
        Instance-level scores, complete, higher is better: index `system`, `instance`; a column for
        each metric, human judgements as `H:...`. The released headers System and Utterance are
        exchanged; here they are put right. Systems x instances x metrics: DIALOG_pc 4 x 60 x 19,
        DIALOG_tc 5 x 60 x 19, FLICKR 8 x 108 x 14, MLQE 7 x 1000 x 10 (the "systems" are pairs of
        languages), REAL_SUM 25 x 100 x 15, SUM_EVAL 16 x 100 x 17, TAC_08 62 x 48 x 15, TAC_09
        59 x 44 x 15, TAC_11 54 x 44 x 15.

    Raises
    ------
    DataUnavailableError
        If a file is neither there nor to be had; the message says where to get it.
    ValueError
        If no set has that name.

    Examples
    --------
    >>> fetch_best_systems_instances("TAC_08").shape
    (2976, 15)
    """
    if name not in BEST_SYSTEMS_SETS:
        raise _unknown_set(name, BEST_SYSTEMS_SETS)
    released = read_csv(fetch_file(f"best_systems/{name}.csv", data_home, download_if_missing))
    put_right = released.rename(columns={"System": "instance", "Utterance": "system"})
    scores = put_right.set_index(["system", "instance"]).astype(float)
    # The file alternates the systems; a table of systems has a system's rows together.
    systems = scores.index.unique("system")
    order = pd.MultiIndex.from_product([systems, scores.index.unique("instance")])
    return scores.loc[order].rename_axis(index=["system", "instance"])


MISSING_SCORES_SETS = {
    "dialogue_pc": "DIALOGUE_pc_data.csv",
    "dialogue_pc_missing": "DIALOGUE_pc_missing.csv",
    "dialogue_tc": "DIALOGUE_tc_data.csv",
    "flickr": "Flickr_data.csv",
    "wmt21_challengeset_en_de": "wmt21_challengeset_en-de.csv",
    "wmt21_flores_xh_zu": "wmt21_flores_xh-zu.csv",
    "wmt21_flores_zu_xh": "wmt21_flores_zu-xh.csv",
}


def fetch_missing_scores_instances(
    name: str, data_home: str | os.PathLike[str] | None = None, download_if_missing: bool = True
) -> Leaderboard:
    """Fetch one of the instance-level sets of the study on missing scores: lower is better.

    From Himmi et al. (2024), Towards more robust NLP system evaluation. No licence is given.

    Parameters
    ----------
    name
        The set, one of those listed below.
    data_home
        The folder that holds fetched files. None is the folder that the environment variable
        `NBRANK_DATA_DIR` names, and without that the platform's folder for caches.
    download_if_missing
        Whether to download what is not there yet.

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

    Raises
    ------
    DataUnavailableError
        If a file is neither there nor to be had; the message says where to get it.
    ValueError
        If no set has that name.

    Examples
    --------
    >>> board = fetch_missing_scores_instances("flickr")
    >>> len(board.systems), len(board.tasks), bool(board.is_lower_better.all())
    (8, 32, True)
    """
    if name not in MISSING_SCORES_SETS:
        raise _unknown_set(name, MISSING_SCORES_SETS)
    path = fetch_file(f"missing_scores/{MISSING_SCORES_SETS[name]}", data_home, download_if_missing)
    released = read_csv(path).rename(columns={"System": "system", "Utterance": "instance"})
    metrics = released.set_index(["system", "instance"]).select_dtypes("number")
    judged = [column for column in metrics if str(column).startswith("H:")]
    return Leaderboard(metrics.drop(columns=judged).astype(float), lower_is_better=True)


def _unknown_set(name: str, sets: Iterable[str]) -> ValueError:
    return ValueError(f"no set {name!r}; the sets are {', '.join(map(repr, sets))}")
