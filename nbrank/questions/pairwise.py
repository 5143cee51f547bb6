"""Who beats whom on how many tasks, and how often each pair met."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays.pair_counts import PairwiseCounts
from nbrank.arrays.profile import Missing
from nbrank.votes.leaderboard import Source, as_votes
from nbrank.votes.methods import question
from nbrank.votes.options import Asked, PairOptions
from nbrank.votes.task_names import TableOptions
from nbrank.votes.views import Seen
from nbrank.votes.votes import majorities


def pairs_seen(
    function: str,
    scores: Source,
    /,
    *,
    missing: Missing = "ignore",
    levels: int = 1,
    **table: Unpack[TableOptions],
) -> tuple[pd.Index, Seen[PairwiseCounts]]:
    """The systems, and their pairs on all ballots, or on the majorities within the tasks."""
    votes = as_votes(scores, **table)
    votes.check(Asked(function, "pairs", missing, levels))
    seen = votes.views.pairs(missing)
    if levels == 1:
        return votes.systems, seen
    wins, ties = np.zeros((2, *seen.view.wins.shape))
    total = 0.0
    for counts in majorities(votes, missing):
        wins += counts.wins
        ties += counts.ties
        total += counts.total
    return votes.systems, Seen(PairwiseCounts(wins, ties, total), seen.part, seen.scored)


def by_pair(systems: pd.Index, columns: Mapping[str, NDArray[Any]]) -> pd.DataFrame:
    """A row for each ordered pair, in table order, of columns that are systems x systems."""
    others = ~np.eye(len(systems), dtype=bool)
    # Systems may be tuples; each is one label.
    labels = pd.Index(systems.tolist(), tupleize_cols=False)
    codes = [of_level.tolist() for of_level in np.nonzero(others)]
    pairs = pd.MultiIndex(levels=[labels, labels], codes=codes, names=["system", "opponent"])
    return pd.DataFrame({name: of[others] for name, of in columns.items()}, index=pairs)


@question("pairs of systems", sees="pairs")
def pairwise(scores: Source, **options: Unpack[PairOptions]) -> pd.DataFrame:
    """On how many tasks does each system beat each other?

    Parameters
    ----------
    {source}
    missing
        "ignore" (a pair counts where both have a score), "compatible" (by the share of compatible
        complete rankings: the matrix M of Himmi et al., 2024), "median", "worst" or "raise".
    {levels_of_pairs}

    {returns_frame}
        Square, a row and a column for each system in table order: the weight of the tasks (or
        instances) on which the row beats the column, a tie being half to each; 0 on the diagonal.

    {raises}

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2], "t2": [1, 1], "t3": [2, None]}, index=["A", "B"])
    >>> pairwise(scores)
         A    B
    A  0.0  1.5
    B  0.5  0.0
    """
    systems, seen = pairs_seen("pairwise", scores, **options)
    return pd.DataFrame(seen.view.shares, index=systems, columns=systems)


@question("pairs of systems", sees="pairs")
def compared(scores: Source, **options: Unpack[PairOptions]) -> pd.DataFrame:
    """How often did each pair of systems meet?

    Parameters
    ----------
    {source}
    missing, levels
        As for `pairwise`; with "ignore" a pair meets where both have a score.

    {returns_frame}
        Square, a row and a column for each system in table order: the weight of the tasks (or
        instances) on which both were scored; 0 on the diagonal.

    {raises}

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2], "t2": [1, 1], "t3": [2, None]}, index=["A", "B"])
    >>> compared(scores)
         A    B
    A  0.0  2.0
    B  2.0  0.0
    """
    systems, seen = pairs_seen("compared", scores, **options)
    return pd.DataFrame(seen.view.compared, index=systems, columns=systems)
