"""Elimination rules: in rounds, or by going down the places until somebody has a majority."""

from __future__ import annotations

from functools import partial

import pandas as pd

from nbrank.arrays import elimination as arrays
from nbrank.arrays import positional as place_arrays
from nbrank.arrays.profile import Missing, Ties
from nbrank.labelled.ballots import Scoring, score_ballots
from nbrank.labelled.described import described
from nbrank.labelled.leaderboard import (
    Groups,
    Leaderboard,
    LowerIsBetter,
    Weights,
    as_leaderboard,
)
from nbrank.labelled.options import check_choice
from nbrank.labelled.positional import EVERY_TIES
from nbrank.labelled.ranking import ranking


def _rank(
    board: Leaderboard, rule: str, score: Scoring, missing: Missing, ties: Ties
) -> pd.DataFrame:
    check_choice(rule, "ties", ties, EVERY_TIES)
    return ranking(board.systems, score_ballots(board, score, rule, missing, 1), rule)


def _rank_in_rounds(
    board: Leaderboard, rule: str, eliminate: arrays.Eliminate, missing: Missing, ties: Ties
) -> pd.DataFrame:
    score = partial(arrays.rounds_survived, eliminate=eliminate, missing=missing, ties=ties)
    return _rank(board, rule, score, missing, ties)


@described
def threshold(
    scores: pd.DataFrame | Leaderboard,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "compatible",
    ties: Ties = "average",
) -> pd.DataFrame:
    """Which system is worst on fewest tasks, then last or last but one on fewest, and so on?

    Parameters
    ----------
    {board}
    {missing_places}
    {ties}

    Returns
    -------
    {ranking}
        score
            Minus the number of distinct positions above it, so 0 for the best.

    Raises
    ------
    {errors}

    References
    ----------
    Aleskerov, Chistyakov and Kalyagin, The threshold aggregation, Economics
    Letters, 2010.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [1, 2, 3]}, index=["A", "B", "C"])
    >>> threshold(scores)
       rank  score
    B     1    0.0
    A     2   -1.0
    C     2   -1.0
    """
    board = as_leaderboard(scores, weights, groups, lower_is_better)
    score = partial(place_arrays.threshold, missing=missing, ties=ties)
    return _rank(board, "threshold", score, missing, ties)


@described
def baldwin(
    scores: pd.DataFrame | Leaderboard,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "compatible",
    ties: Ties = "average",
) -> pd.DataFrame:
    """Which system is left if the lowest Borda score goes, again and again?

    Systems tied for elimination go together; if all are tied they win together.

    Parameters
    ----------
    {board}
    {missing_places}
    {ties}

    Returns
    -------
    {ranking}
        score
            The number of rounds survived.

    Raises
    ------
    {errors}

    References
    ----------
    Baldwin, The technique of the Nanson preferential majority system of
    election, Proceedings of the Royal Society of Victoria, 1926.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     {"t1": [3, 2, 1], "t2": [3, 2, 1], "t3": [1, 3, 2]}, index=["A", "B", "C"]
    ... )
    >>> baldwin(scores)
       rank  score
    A     1    2.0
    B     2    1.0
    C     3    0.0
    """
    board = as_leaderboard(scores, weights, groups, lower_is_better)
    return _rank_in_rounds(board, "baldwin", arrays.lowest_borda, missing, ties)


@described
def nanson(
    scores: pd.DataFrame | Leaderboard,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "compatible",
    ties: Ties = "average",
) -> pd.DataFrame:
    """Which system is left if all strictly below the mean Borda score go, again and again?

    Parameters
    ----------
    {board}
    {missing_places}
    {ties}

    Returns
    -------
    {ranking}
        score
            The number of rounds survived.

    Raises
    ------
    {errors}

    References
    ----------
    Nanson, Methods of election, Transactions and Proceedings of the Royal
    Society of Victoria, 1882; Niou, A note on Nanson's rule, Public Choice,
    1987, on strictly below against at or below.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     {"t1": [3, 2, 1], "t2": [3, 2, 1], "t3": [1, 3, 2]}, index=["A", "B", "C"]
    ... )
    >>> nanson(scores)
       rank  score
    A     1    2.0
    B     2    1.0
    C     3    0.0
    """
    board = as_leaderboard(scores, weights, groups, lower_is_better)
    return _rank_in_rounds(board, "nanson", arrays.below_mean_borda, missing, ties)


@described
def coombs(
    scores: pd.DataFrame | Leaderboard,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "compatible",
    ties: Ties = "average",
) -> pd.DataFrame:
    """Which system is left if the one with the most last places goes, again and again?

    There is no stop at a majority of first places, so that the order below the
    winner has the same meaning on every table. Systems tied for elimination go
    together; if all are tied they win together.

    Parameters
    ----------
    {board}
    {missing_places}
    {ties}

    Returns
    -------
    {ranking}
        score
            The number of rounds survived.

    Raises
    ------
    {errors}

    References
    ----------
    Coombs, A Theory of Data, 1964; Grofman and Feld, If you like the
    alternative vote, then you ought to know about the Coombs rule, Electoral
    Studies, 2004, on the two variants.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     {"t1": [3, 2, 1], "t2": [3, 2, 1], "t3": [1, 3, 2]}, index=["A", "B", "C"]
    ... )
    >>> coombs(scores)
       rank  score
    A     1    2.0
    B     2    1.0
    C     3    0.0
    """
    board = as_leaderboard(scores, weights, groups, lower_is_better)
    return _rank_in_rounds(board, "coombs", arrays.most_last_places, missing, ties)


@described
def instant_runoff(
    scores: pd.DataFrame | Leaderboard,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "compatible",
    ties: Ties = "average",
) -> pd.DataFrame:
    """Which system is left if the one with the fewest first places goes, again and again?

    Systems tied for elimination go together; if all are tied they win together.

    Parameters
    ----------
    {board}
    {missing_places}
    {ties}

    Returns
    -------
    {ranking}
        score
            The number of rounds survived.

    Raises
    ------
    {errors}

    References
    ----------
    Tideman, Collective Decisions and Voting, 2006 (as alternative vote).

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     {"t1": [3, 2, 1], "t2": [3, 2, 1], "t3": [1, 3, 2]}, index=["A", "B", "C"]
    ... )
    >>> instant_runoff(scores)
       rank  score
    A     1    2.0
    B     2    1.0
    C     3    0.0
    """
    board = as_leaderboard(scores, weights, groups, lower_is_better)
    return _rank_in_rounds(board, "instant_runoff", arrays.fewest_first_places, missing, ties)


@described
def bucklin(
    scores: pd.DataFrame | Leaderboard,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "compatible",
    ties: Ties = "average",
) -> pd.DataFrame:
    """Which system is placed first, or first or second, or ... by a majority of the tasks, soonest?

    Parameters
    ----------
    {board}
    {missing_places}
    {ties}

    Returns
    -------
    {ranking}
        score
            Minus the first depth at which more than half of the weight places
            the system there or higher, plus the share that does: between
            -depth + 1/2 and -depth + 1, so that an earlier depth always beats
            a later one. With `missing="ignore"` a system placed on half of the
            weight at most gets there nowhere, and comes after the last depth;
            the weight is that of the tasks on which two systems are scored. With
            `missing="compatible"` any other task counts as all orders alike.

    Raises
    ------
    {errors}

    References
    ----------
    Hoag and Hallett, Proportional Representation, 1926; Brams and Sanver,
    Voting systems that combine approval and preference, 2009.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     {"t1": [3, 2, 1], "t2": [3, 2, 1], "t3": [1, 3, 2]}, index=["A", "B", "C"]
    ... )
    >>> bucklin(scores)
       rank     score
    A     1 -0.333333
    B     2 -1.000000
    C     3 -2.000000
    """
    board = as_leaderboard(scores, weights, groups, lower_is_better)
    score = partial(place_arrays.bucklin, missing=missing, ties=ties)
    return _rank(board, "bucklin", score, missing, ties)
