"""The instances of "Towards more robust NLP system evaluation: handling missing scores"."""

import os

from nbrank.datasets.cache import fetch_file
from nbrank.readers.tables.csv_files import read_csv
from nbrank.votes.leaderboard import Leaderboard

INSTANCE_SETS = {
    "dialogue_pc": "DIALOGUE_pc_data.csv",
    "dialogue_pc_missing": "DIALOGUE_pc_missing.csv",
    "dialogue_tc": "DIALOGUE_tc_data.csv",
    "flickr": "Flickr_data.csv",
    "wmt21_challengeset_en_de": "wmt21_challengeset_en-de.csv",
    "wmt21_flores_xh_zu": "wmt21_flores_xh-zu.csv",
    "wmt21_flores_zu_xh": "wmt21_flores_zu-xh.csv",
}


def fetch_missing_scores_instances(
    name: str,
    data_home: str | os.PathLike[str] | None = None,
    download_if_missing: bool = True,
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
        If there is no set of that name.

    Examples
    --------
    >>> board = fetch_missing_scores_instances("flickr")
    >>> len(board.systems), len(board.tasks), bool(board.is_lower_better.all())
    (8, 32, True)
    """
    if name not in INSTANCE_SETS:
        raise ValueError(f"no set {name!r}; the sets are {', '.join(map(repr, INSTANCE_SETS))}")
    path = fetch_file(f"missing_scores/{INSTANCE_SETS[name]}", data_home, download_if_missing)
    released = read_csv(path).rename(columns={"System": "system", "Utterance": "instance"})
    metrics = released.set_index(["system", "instance"]).select_dtypes("number")
    judged = [column for column in metrics if str(column).startswith("H:")]
    return Leaderboard(metrics.drop(columns=judged).astype(float), lower_is_better=True)
