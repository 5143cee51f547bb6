"""Hold one rule against another, on the tables that both of them ranked."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd


def lead(
    runs: pd.DataFrame | Mapping[str, pd.DataFrame],
    ahead: str,
    behind: str,
    setting: str,
    *,
    measure: str = "kendall_tau",
) -> pd.DataFrame:
    """How far is one rule ahead of another?

    All rules see the same table in a repetition, so the differences are taken within repetitions.

    Parameters
    ----------
    runs
        The runs of an experiment, as `remove_scores` and its like return them; or several such
        frames by their names, as `charts.robustness` takes them.
    ahead, behind
        The labels of the two rules.
    setting
        The column that tells the settings apart: `share`, `kept`, `corrupted`, ...
    measure
        The column to compare by.

    Returns
    -------
    pandas.DataFrame
        A row for each setting: `mean`, by how much the first rule's measure exceeds the second's on
        average, and `sem`, the standard error of that mean over the repetitions. Of several runs
        the names come first in the index.

    Raises
    ------
    KeyError
        If the runs have no such rule, setting or measure.

    Examples
    --------
    >>> from nbrank.datasets import load_toy_votes
    >>> from nbrank.experiments import remove_tasks
    >>> runs = remove_tasks(
    ...     load_toy_votes(), ["borda", "plurality"], kept=[3], n_repeats=10, seed=0
    ... )
    >>> lead(runs, "borda", "plurality", "kept").round(2)
          mean   sem
    kept
    3     0.49  0.24
    """
    if isinstance(runs, Mapping):
        leads = {
            name: lead(of, ahead, behind, setting, measure=measure) for name, of in runs.items()
        }
        return pd.concat(leads)
    wide = runs.pivot(index=[setting, "repetition"], columns="rule", values=measure)
    return (wide[ahead] - wide[behind]).groupby(level=setting).agg(["mean", "sem"])
