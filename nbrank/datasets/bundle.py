"""Toy tables and published figures that ship with the package: no network needed."""

from importlib.resources import files
from typing import Any

import pandas as pd

from nbrank.readers.tables.csv_files import read_csv
from nbrank.votes.formatting import format_labels
from nbrank.votes.leaderboard import Leaderboard

TABLES = files("nbrank.datasets").joinpath("tables")


def load_llm_chat() -> pd.DataFrame:
    """Load seven chat models on 22 benchmarks in four groups, as the DeepSeek-V3 report has them.

    From DeepSeek-AI (2024), DeepSeek-V3 technical report, arXiv:2412.19437.

    Returns
    -------
    pandas.DataFrame
        7 systems x 22 tasks; index `system`, columns a MultiIndex (`group`, `task`) of the four
        groups English (9 tasks), Code (7), Math (3) and Chinese (3). All scores are percentages,
        higher is better; 2 are missing (DeepSeek-V2-0506 on SWE Verified and Aider-Polyglot).

    Examples
    --------
    >>> load_llm_chat()["Math"].round(1).head(2)
    task                AIME 2024 (Pass@1)  MATH-500 (EM)  CNMO 2024 (Pass@1)
    system
    DeepSeek-V2-0506                   4.6           56.3                 2.8
    DeepSeek-V2.5-0905                16.7           74.7                10.8
    """
    return read_bundled_table("llm_chat", index=["group", "task"]).T.rename_axis(index="system")


def load_toy_votes() -> pd.DataFrame:
    """Load the toy leaderboard on which the rules of Vote'n'Rank are explained.

    From Rofin et al. (2023), Vote'n'Rank, table 6.

    Returns
    -------
    pandas.DataFrame
        The paper prints an order of the systems for each task; a score is the number placed below.

    Examples
    --------
    >>> load_toy_votes()
            Task 1  Task 2  Task 3  Task 4  Task 5
    system
    m_A          3       3       0       0       0
    m_B          2       0       3       2       2
    m_C          1       2       1       3       1
    m_D          0       1       2       1       3
    """
    return read_bundled_table("toy_votes")


def load_pairwise_paradox() -> Leaderboard:
    """Load three systems for which pairwise comparison gives no order: B beats A, C beats B, A = C.

    From Colombo et al. (2022), What are the best systems?, table 1.

    Returns
    -------
    Leaderboard
        Lower is better on all tasks: under that reading the paper's caption holds.

    Examples
    --------
    >>> load_pairwise_paradox().scores
            Task1  Task2  Task3  Task4  Task5  Task6
    system
    A         0.3    5.0   10.0   0.02    1.0    0.4
    B         0.1    4.0   13.0   0.01    2.2    0.3
    C         0.0    3.0   15.0   0.03    2.0    0.2
    """
    return Leaderboard(read_bundled_table("pairwise_paradox"), lower_is_better=True)


def load_condorcet_cycle() -> Leaderboard:
    """Load Condorcet's election of 60 voters: A beats B, B beats C, and C beats A.

    From Condorcet (1785), Essai, as given by Young (1988), Condorcet's theory of voting.

    Returns
    -------
    Leaderboard
        A task is an order of the candidates, named by it, and its weight is the number of voters
        who hold it. A score is the number of candidates placed below; higher is better.

    Examples
    --------
    >>> board = load_condorcet_cycle()
    >>> board.scores.astype(int)
            A > B > C  B > C > A  B > A > C  C > A > B  C > B > A
    system
    A               2          0          1          1          0
    B               1          2          2          0          1
    C               0          1          0          2          2
    >>> board.weights.tolist()
    [23.0, 17.0, 2.0, 10.0, 8.0]
    """
    voters = {"A > B > C": 23, "B > C > A": 17, "B > A > C": 2, "C > A > B": 10, "C > B > A": 8}
    below = {
        order: {name: 2 - place for place, name in enumerate(order.split(" > "))}
        for order in voters
    }
    scores = pd.DataFrame(below, index=pd.Index(["A", "B", "C"], name="system"))
    return Leaderboard(scores, weights=voters)


def load_xtreme_missing() -> pd.DataFrame:
    """Load ten systems on the four XTREME tasks with 18 of the 40 scores removed.

    From Himmi et al. (2024), Towards more robust NLP system evaluation, table 5.

    Returns
    -------
    pandas.DataFrame
        10 systems (M0 ... M9) x 4 tasks; higher is better; M5 has no score at all. M0 ... M9 are
        the first ten systems of `load_xtreme`.

    Examples
    --------
    >>> load_xtreme_missing().notna().sum().sum().item()
    22
    """
    return read_bundled_table("xtreme_missing")


def load_ceval_scores() -> Leaderboard:
    """Load, text by text, how far six generators of counterfactual reviews are from the experts'.

    After Levtsov and Ustalov (2025), appendix C.1; texts by Nguyen et al. (2024), CEval.

    `docs/scripts/make_ceval_scores.py` computes them from the texts (`fetch_ceval_texts`).

    Returns
    -------
    Leaderboard
        Instance-level: 6 systems x 488 texts on `edit distance` (Levenshtein's, in characters),
        `WER` (the word error rate; on both lower is better) and `chrF` (sacreBLEU's, of sentences,
        in percent). An empty generation (Llama 2 has 4, LLaMA 7) counts as the text "nan".

    Examples
    --------
    >>> load_ceval_scores().scores.groupby(level="system", sort=False).mean().round(3).head(2)
            edit distance    WER    chrF
    system
    Crowd         162.041  0.239  81.326
    MICE          229.711  0.299  73.674
    """
    scores = read_bundled_table("ceval_scores", index=["system", "instance"])
    return Leaderboard(scores, lower_is_better=["edit distance", "WER"])


def load_global_and_pairwise(table: str) -> Leaderboard:
    """Load a table of global scores and Bradley-Terry scores, as published.

    From Levtsov and Ustalov (2025), Confidence and stability of global and pairwise scores.

    Parameters
    ----------
    table
        The table's name: "jigsaw" (appendix A.1), "jigsaw_binarized" (A.2), "jigsaw_penalized"
        (A.3), "sst5" (B.1), "sst5_decision" (B.2), "ceval" (C.1) or "ceval_penalized" (C.2).

    Returns
    -------
    Leaderboard
        A column for each published score: `accuracy`, `ROC AUC`, `F1`, `Bradley-Terry` and
        `Bradley-Terry (binary)` for Jigsaw; `accuracy`, `Bradley-Terry` and `F1` for SST-5; `edit
        distance`, `WER` (on these two lower is better), `chrF` and `Bradley-Terry` for CEval.

    Raises
    ------
    ValueError
        If no table has that name.

    Examples
    --------
    >>> load_global_and_pairwise("ceval").scores.head(2)
            edit distance    WER    chrF  Bradley-Terry
    system
    Crowd         162.041  0.239  81.326          0.444
    MICE          229.711  0.299  73.674          0.163
    """
    published = read_bundled_table("global_and_pairwise", index="table")
    if table not in published.index:
        known = ", ".join(repr(name) for name in published.index.unique())
        raise ValueError(f"no table {table!r}; the tables are {known}")
    long = published.loc[table]
    scores = long.pivot(index="system", columns="metric", values="score")
    scores = scores.loc[long["system"].unique(), long["metric"].unique()].rename_axis(columns=None)
    lower = [metric for metric in ("edit distance", "WER") if metric in scores]
    return Leaderboard(scores, lower_is_better=lower)


def load_sst5_baselines() -> pd.DataFrame:
    """Load what four baselines answer on the test sentences of SST-5.

    Computed from the texts of `fetch_sst5` by `nbrank.experiments.sentiment_baselines`, as
    prrao87/fine-grained-sentiment does it.

    Returns
    -------
    pandas.DataFrame
        A row for each of the 2,210 test sentences, in the order of `fetch_sst5`; the columns
        `label`, `TextBlob`, `VADER`, `Logistic Regression` and `SVM`: a sentiment from 1 (very
        negative) to 5 (very positive).

    Examples
    --------
    >>> answers = load_sst5_baselines()
    >>> answers.drop(columns="label").eq(answers["label"], axis=0).mean().round(3).to_dict()
    {'TextBlob': 0.284, 'VADER': 0.316, 'Logistic Regression': 0.409, 'SVM': 0.414}
    """
    return read_bundled_table("sst5_baselines", index="sentence")


def load_published(study: str, item: str) -> pd.DataFrame:
    """Load the figures of a table or a figure as a paper, or its released code, prints them.

    Parameters
    ----------
    study
        The study's notebook: "vote_n_rank", "missing_scores", ...
    item
        What is printed: "table 3", or, of the authors' own saved notebooks, "saved table 1".

    Returns
    -------
    pandas.DataFrame
        A row for each figure that is legible, by its `row` and `column` in print (two index
        levels), with the columns `published` (the number; the text, where words are printed) and
        `digits` (how many decimals are printed; -1 for words).

    Raises
    ------
    ValueError
        If the study or the item is unknown.

    Examples
    --------
    >>> load_published("vote_n_rank", "table 1").loc[("GLUE τ", "Borda")].tolist()
    [0.41, 2.0]
    """
    studies = [file.name[10:-4] for file in TABLES.iterdir() if file.name.startswith("published_")]
    if study not in studies:
        raise ValueError(f"no study {study!r}; the studies are {format_labels(sorted(studies))}")
    printed = read_bundled_table(f"published_{study}", index="item", dtype=str)
    if item not in printed.index:
        raise ValueError(
            f"no item {item!r}; of {study} there are {format_labels(printed.index.unique())}"
        )
    result = printed.loc[[item]].set_index(["row", "column"])["value"]
    numbers = pd.to_numeric(result, errors="coerce")
    digits = result.str.partition(".")[2].str.len().where(numbers.notna(), -1)
    published = result.astype(object).where(numbers.isna(), numbers).infer_objects()
    return pd.DataFrame({"published": published, "digits": digits})


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


def read_bundled_table(
    name: str, index: str | list[str] = "system", **options: Any
) -> pd.DataFrame:
    """Read one of the tables in this module's folder."""
    with TABLES.joinpath(f"{name}.csv").open("rb") as stream:
        return read_csv(stream, index_col=index, encoding="utf-8", **options)
