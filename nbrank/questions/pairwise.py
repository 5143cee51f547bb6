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
from nbrank.votes.options import Asked
from nbrank.votes.task_names import TableOptions
from nbrank.votes.views import Seen
from nbrank.votes.votes import Votes, majorities


def pairs_seen(
    function: str, votes: Votes, missing: Missing = "ignore", levels: int = 1
) -> Seen[PairwiseCounts]:
    """The pairs of all ballots, or at two levels of the majorities within the tasks."""
    votes.check(Asked(function, "pairs", missing, levels))
    seen = votes.views.pairs(missing)
    if levels == 1:
        return seen
    wins, ties = np.zeros((2, *seen.view.wins.shape))
    total = 0.0
    for counts in majorities(votes, missing):
        wins += counts.wins
        ties += counts.ties
        total += counts.total
    return Seen(PairwiseCounts(wins, ties, total), seen.part, seen.scored)


def by_pair(systems: pd.Index, columns: Mapping[str, NDArray[Any]]) -> pd.DataFrame:
    """A row for each ordered pair, in table order, of columns that are systems x systems."""
    others = ~np.eye(len(systems), dtype=bool)
    # Systems may be tuples; each is one label.
    labels = pd.Index(systems.tolist(), tupleize_cols=False)
    codes = [of_level.tolist() for of_level in np.nonzero(others)]
    pairs = pd.MultiIndex(levels=[labels, labels], codes=codes, names=["system", "opponent"])
    return pd.DataFrame({name: of[others] for name, of in columns.items()}, index=pairs)


@question("pairs of systems", sees="pairs")
def pairwise(
    scores: Source, *, missing: Missing = "ignore", levels: int = 1, **table: Unpack[TableOptions]
) -> pd.DataFrame:
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
    votes = as_votes(scores, **table)
    counts = pairs_seen("pairwise", votes, missing, levels).view
    return pd.DataFrame(counts.shares, index=votes.systems, columns=votes.systems)


@question("pairs of systems", sees="pairs")
def compared(
    scores: Source, *, missing: Missing = "ignore", levels: int = 1, **table: Unpack[TableOptions]
) -> pd.DataFrame:
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
    votes = as_votes(scores, **table)
    counts = pairs_seen("compared", votes, missing, levels).view
    return pd.DataFrame(counts.compared, index=votes.systems, columns=votes.systems)
