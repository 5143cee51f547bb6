"""Majority rules: from who beats whom, and by how much."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays import majority as arrays
from nbrank.arrays.profile import Missing
from nbrank.labelled.described import described
from nbrank.labelled.leaderboard import Groups, LowerIsBetter, Weights
from nbrank.labelled.options import check_choice
from nbrank.labelled.pairwise import CountScoring, counts_of
from nbrank.labelled.ranking import ranking
from nbrank.labelled.tally import Source

_MINIMAX = {
    "winning_votes": arrays.minimax_winning_votes,
    "margins": arrays.minimax_margins,
    "opposition": arrays.minimax_opposition,
}


def rank_by_counts(
    source: Source,
    rule: str,
    score: CountScoring,
    *,
    weights: Weights,
    groups: Groups,
    lower_is_better: LowerIsBetter,
    missing: Missing,
    levels: int,
) -> pd.DataFrame:
    """Rank by a rule that needs only pairwise counts.

    Parameters
    ----------
    source
        A frame of scores, a leaderboard, a tally, or comparisons.
    rule
        The name of the rule.
    score
        The rule, on counts.
    weights, groups, lower_is_better, missing, levels
        As for `counts_of`.

    Returns
    -------
    pandas.DataFrame
        The ranking; a system with no score at all is last, with a score of NaN.
    """
    systems, result, _ = _score_by_counts(
        source, rule, score, weights, groups, lower_is_better, missing, levels
    )
    return ranking(systems, result, rule)


def _score_by_counts(
    source: Source,
    rule: str,
    score: CountScoring,
    weights: Weights,
    groups: Groups,
    lower_is_better: LowerIsBetter,
    missing: Missing,
    levels: int,
) -> tuple[pd.Index, NDArray[np.float64], float]:
    """The systems, their scores, and the weight of all that was counted."""
    systems, counts, scored = counts_of(
        source,
        rule=rule,
        weights=weights,
        groups=groups,
        lower_is_better=lower_is_better,
        missing=missing,
        levels=levels,
        within=score,
    )
    result = np.full(len(systems), np.nan)
    if scored.any():
        # Below all others is a place, so that the unscored are opponents there.
        part = np.ones_like(scored) if missing == "worst" else scored
        result[part] = score(counts.of(part))
        result[~scored] = np.nan
    return systems, result, counts.total


@described
def condorcet(
    scores: Source,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "ignore",
    levels: int = 1,
) -> pd.DataFrame:
    """Is there a system that beats every other on a majority of the tasks?

    Parameters
    ----------
    {source}
    {missing_pairs}
    {levels}

    Returns
    -------
    {ranking}
        score
            1 for the Condorcet winner, 0 for the others; without one all tie,
            and `winners` is empty.

    Raises
    ------
    {errors}

    References
    ----------
    Condorcet, Essai sur l'application de l'analyse a la probabilite des
    decisions rendues a la pluralite des voix, 1785.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     {"t1": [3, 2, 1], "t2": [3, 2, 1], "t3": [1, 3, 2]}, index=["A", "B", "C"]
    ... )
    >>> condorcet(scores)
       rank  score
    A     1    1.0
    B     2    0.0
    C     2    0.0
    """
    return rank_by_counts(
        scores,
        "condorcet",
        arrays.condorcet,
        weights=weights,
        groups=groups,
        lower_is_better=lower_is_better,
        missing=missing,
        levels=levels,
    )


@described
def copeland(
    scores: Source,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "ignore",
    levels: int = 1,
) -> pd.DataFrame:
    """Which system beats most others one against one?

    Parameters
    ----------
    {source}
    {missing_pairs}
    {levels}

    Returns
    -------
    {ranking}
        score
            The number of systems it beats on a majority of the tasks, minus
            the number that beat it.

    Raises
    ------
    {errors}

    References
    ----------
    Copeland, A reasonable social welfare function, University of Michigan,
    1951.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     {"t1": [3, 2, 1], "t2": [3, 2, 1], "t3": [1, 3, 2]}, index=["A", "B", "C"]
    ... )
    >>> copeland(scores)
       rank  score
    A     1    2.0
    B     2    0.0
    C     3   -2.0
    """
    return rank_by_counts(
        scores,
        "copeland",
        arrays.copeland,
        weights=weights,
        groups=groups,
        lower_is_better=lower_is_better,
        missing=missing,
        levels=levels,
    )


@described
def minimax(
    scores: Source,
    variant: Literal["winning_votes", "margins", "opposition"] = "winning_votes",
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "ignore",
    levels: int = 1,
) -> pd.DataFrame:
    """Which system's worst defeat is the mildest?

    Parameters
    ----------
    {source}
    variant
        How a defeat is measured: "winning_votes", the weight for the other
        system where it wins, and 0 where it doesn't; "margins", the weight for
        the other minus the weight against it, below 0 where it loses;
        "opposition", the weight for the other, whether it wins or not. Ties
        are not votes.
    {missing_pairs}
    {levels}

    Returns
    -------
    {ranking}
        score
            Minus the worst defeat.

    Raises
    ------
    {errors}

    References
    ----------
    Simpson, On defining areas of voter choice, Quarterly Journal of Economics,
    1969; Kramer, A dynamical model of political equilibrium, Journal of
    Economic Theory, 1977.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     {"t1": [3, 2, 1], "t2": [3, 2, 1], "t3": [1, 3, 2]}, index=["A", "B", "C"]
    ... )
    >>> minimax(scores)
       rank  score
    A     1    0.0
    B     2   -2.0
    C     3   -3.0
    >>> minimax(scores, variant="margins")["score"].tolist()
    [1.0, -1.0, -3.0]
    """
    check_choice("minimax", "variant", variant, tuple(_MINIMAX))
    systems, result, total = _score_by_counts(
        scores,
        "minimax",
        _MINIMAX[variant],
        weights,
        groups,
        lower_is_better,
        missing,
        levels,
    )
    return ranking(systems, result, "minimax", scale=total)
