"""The instances of "Towards more robust NLP system evaluation: handling missing scores"."""

import os

import pandas as pd

from nbrank.datasets.bundle import read_bundled_table
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
        If no set has that name.

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


def load_missing_scores_runs() -> pd.DataFrame:
    """Load how far the released instance-level runs keep their ranking when scores go missing.

    From the run files of Himmi et al. (2024), Towards more robust NLP system evaluation: 34 sets,
    100 seeds each, summed up from AnasHimmi/MissingDataRanking at 45ed757,
    `instance_level_correlations`.

    Returns
    -------
    pandas.DataFrame
        A row for each `set` and `share` of (system, task) pairs removed (0, 0.05, ..., 1); the
        columns `one level`, `two levels` and `mean` hold Kendall's tau of each rule with its own
        ranking of the complete table, averaged over the seeds. Where a ranking ties all systems,
        tau counts as 0.

    Examples
    --------
    >>> load_missing_scores_runs().loc[("TAC/TAC_08", 0.2)].round(2).to_dict()
    {'one level': 0.87, 'two levels': 0.88, 'mean': 0.3}
    """
    return read_bundled_table("removal_runs", index=["set", "share"])


def load_missing_scores_sets() -> pd.DataFrame:
    """Load a row for each of the 34 sets of the released instance-level runs.

    From the same files as `load_missing_scores_runs`.

    Returns
    -------
    pandas.DataFrame
        Index `set`; `systems` and `runs` (how many: 100 seeds x 21 shares, a few are missing). For
        each pair of rules, such as "one level and mean": `..., τ` and `..., ±` (mean and standard
        deviation over the runs), `..., top 1` and `..., top 3` (how many runs have the same first,
        and the same third system). `lead of one level over mean` and its like: the difference in
        tau where some scores are missing, averaged over the shares, and `..., se`, its standard
        error over the seeds. `one level, complete` and its like: the ranking of the complete table,
        a number for each row of the set's file, 0 for the first place.

    Examples
    --------
    >>> load_missing_scores_sets().loc["Captioning/Flickr_data", "one level, complete"]
    '7 6 5 4 3 2 1 0'
    """
    return read_bundled_table("removal_sets", index="set")
