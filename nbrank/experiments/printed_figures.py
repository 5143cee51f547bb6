"""Compare computed figures with those that a paper prints."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

STATUSES = ["exact", "within rounding", "differs"]


def reproduction(published: pd.DataFrame, ours: pd.DataFrame) -> pd.DataFrame:
    """Which figures of a paper come out?

    Parameters
    ----------
    published
        The printed figures, as `nbrank.datasets.load_published` returns them.
    ours
        The same table, computed: with the rows and columns that are named in print.

    Returns
    -------
    pandas.DataFrame
        A row for each printed figure (index `row`, `column`), with the columns `published`, `ours`,
        `digits` and `status`: "exact" (it is the printed one where rounded as in print; halves may
        go either way), "within rounding" (less than one unit of the last printed digit away, as
        where it was cut off and not rounded) or "differs".

    Raises
    ------
    KeyError
        If a row or column that is printed is not computed.

    Examples
    --------
    >>> from nbrank.datasets import load_published
    >>> printed = load_published("vote_n_rank", "table 1").loc[[("GLUE τ", "Borda")]]
    >>> reproduction(printed, pd.DataFrame({"Borda": [0.4132]}, index=["GLUE τ"]))["status"].item()
    'exact'
    """
    computed = pd.Series([ours[at[1]][at[0]] for at in published.index], index=published.index)
    result = published.assign(ours=computed)
    if (result["digits"] < 0).all():
        exact = near = result["published"] == result["ours"]
    else:
        off, unit = (result["published"] - result["ours"]).abs(), 10.0 ** -result["digits"]
        exact, near = off <= unit / 2 + 1e-9, off < unit - 1e-9
    status = np.select([exact, near], STATUSES[:2], STATUSES[2])
    return result.assign(status=status)


def count_statuses(reproductions: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """How many printed figures of each table come out?

    Parameters
    ----------
    reproductions
        Each table's name, with what `reproduction` returns for it.

    Returns
    -------
    pandas.DataFrame
        A row for each table and a last one, `all`, of their sums, with the columns `exact`, `within
        rounding` and `differs`: how many figures have that status.

    Raises
    ------
    KeyError
        If a table has no column `status`.

    Examples
    --------
    >>> from nbrank.datasets import load_published
    >>> printed = load_published("vote_n_rank", "table 1")
    >>> count_statuses({"table 1": reproduction(printed, printed["published"].unstack())})
             exact  within rounding  differs
    table 1     98                0        0
    all         98                0        0
    """
    counts = pd.DataFrame(
        {name: table["status"].value_counts() for name, table in reproductions.items()}
    )
    counts = counts.reindex(STATUSES).fillna(0).astype(int)
    return counts.assign(all=counts.sum(axis=1)).T.rename_axis(columns=None)
