"""Judgements between pairs of systems, and the texts that systems are compared on."""

import os

import pandas as pd

from nbrank.datasets.cache import fetch_file
from nbrank.readers.tables.csv_files import read_csv

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
