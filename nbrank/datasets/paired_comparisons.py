"""Votes between pairs of systems, and the texts that systems are compared on."""

import json
import os

import numpy as np
import pandas as pd

from nbrank.datasets.cache import path_of
from nbrank.readers.exact_csv import read_csv
from nbrank.rules.described import described

# What the four counts of a pair are, in the order of the released file.
ARENA_OUTCOMES = ("left", "right", "tie", "tie (bothbad)")

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


@described
def fetch_chatbot_arena(
    data_home: str | os.PathLike[str] | None = None, download_if_missing: bool = True
) -> pd.DataFrame:
    """Fetch 1,670,250 votes of Chatbot Arena between 129 chat models, up to August 2024.

    {where_it_lies}

    Returns
    -------
    pandas.DataFrame
        A row for each pair of models and outcome that occurred: `left` and `right`, the models;
        `winner`: "left", "right", "tie" or "tie (bothbad)"; `votes`, their number. Ready for
        `nbrank.from_comparisons(frame, left="left", right="right", winner="winner",
        count="votes")`.

    {unless_it_is_there}

    References
    ----------
    Chiang et al. (2024), Chatbot Arena: an open platform for evaluating LLMs by human preference,
    ICML. Counted and released with Ameli, Zhuang, Stoica and Mahoney (2025), A statistical
    framework for ranking LLM-based chatbots, ICLR. Licence: BSD-3-Clause.

    Examples
    --------
    >>> votes = fetch_chatbot_arena()
    >>> int(votes["votes"].sum())
    1670250
    >>> votes.head(4)
                   left       right         winner  votes
    0  RWKV-4-Raven-14B  alpaca-13b           left    103
    1  RWKV-4-Raven-14B  alpaca-13b          right     94
    2  RWKV-4-Raven-14B  alpaca-13b            tie     18
    3  RWKV-4-Raven-14B  alpaca-13b  tie (bothbad)     85
    """
    path = path_of("chatbot_arena/chatbotarena_20240814.json", data_home, download_if_missing)
    released = json.loads(path.read_text(encoding="utf-8"))
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


@described
def fetch_llmfao(
    data_home: str | os.PathLike[str] | None = None, download_if_missing: bool = True
) -> pd.DataFrame:
    """Fetch 8,931 judgements by 124 crowd workers between answers of 59 language models.

    {where_it_lies}

    Returns
    -------
    pandas.DataFrame
        A row for each judgement: `left` and `right`, the models; `winner`: "left", "right" or
        "tie"; `prompt` (13 of them), `worker` (124) and `id` (2,139 pairs of answers), as numbers.
        Ready for `nbrank.from_comparisons(frame, left="left", right="right", winner="winner")`.

    {unless_it_is_there}

    References
    ----------
    Ustalov (2025), Reliable, reproducible, and really fast leaderboards with Evalica, COLING.
    Licence: Apache-2.0.

    Examples
    --------
    >>> fetch_llmfao().shape
    (8931, 6)
    """
    released = read_csv(path_of("llmfao/llmfao.csv", data_home, download_if_missing))
    return released[["left", "right", "winner", "prompt", "worker", "id"]]


@described
def fetch_ceval_texts(
    data_home: str | os.PathLike[str] | None = None, download_if_missing: bool = True
) -> pd.DataFrame:
    """Fetch 488 film reviews turned into their opposite by experts and by six systems.

    {where_it_lies}

    Returns
    -------
    pandas.DataFrame
        488 rows, index `instance`; a column of texts for `Expert` (the reference), `Crowd`, `MICE`,
        `Llama 2`, `LLaMA`, `GBDA` and `Crest`. Llama 2 left 4 texts empty and LLaMA 7: missing.

    {unless_it_is_there}

    References
    ----------
    Nguyen, Schlötterer and Seifert (2024), CEval: a benchmark for evaluating counterfactual text
    generation, INLG. Licence: Apache-2.0.

    Examples
    --------
    >>> texts = fetch_ceval_texts()
    >>> texts.shape
    (488, 7)
    >>> texts.isna().sum().loc[["Llama 2", "LLaMA"]].tolist()
    [4, 7]
    """
    texts = {
        system: read_csv(
            path_of(f"ceval/imdb_{folder}.csv", data_home, download_if_missing),
            usecols=["gen_text"],
        )["gen_text"]
        for system, folder in CEVAL_SYSTEMS.items()
    }
    return pd.DataFrame(texts).rename_axis(index="instance")
