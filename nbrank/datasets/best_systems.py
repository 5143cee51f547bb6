"""The instance-level scores of "What are the best systems?"."""

import os

import pandas as pd

from nbrank.datasets.cache import fetch_file
from nbrank.readers.tables.csv_files import read_csv

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


def fetch_best_systems_instances(
    name: str,
    data_home: str | os.PathLike[str] | None = None,
    download_if_missing: bool = True,
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
    if name not in INSTANCE_SETS:
        raise ValueError(f"no set {name!r}; the sets are {', '.join(map(repr, INSTANCE_SETS))}")
    released = read_csv(fetch_file(f"best_systems/{name}.csv", data_home, download_if_missing))
    put_right = released.rename(columns={"System": "instance", "Utterance": "system"})
    scores = put_right.set_index(["system", "instance"]).astype(float)
    # The file alternates the systems; a table of systems has a system's rows together.
    systems = scores.index.unique("system")
    order = pd.MultiIndex.from_product([systems, scores.index.unique("instance")])
    return scores.loc[order].rename_axis(index=["system", "instance"])
