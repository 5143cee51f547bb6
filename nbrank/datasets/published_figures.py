"""Published figures of the studies' papers, to compare with your own."""

from __future__ import annotations

import pandas as pd

from nbrank.datasets.bundle import TABLES, read_bundled_table
from nbrank.votes.formatting import format_labels


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
