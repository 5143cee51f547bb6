"""Who beats whom on how many tasks, and how often each pair met."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays.pairwise import PairwiseCounts, count, count_compatible
from nbrank.arrays.profile import Missing, Profile
from nbrank.labelled.ballots import (
    EVERY_MISSING,
    refuse_missing,
    task_rankings,
    treated,
)
from nbrank.labelled.leaderboard import (
    Groups,
    Leaderboard,
    LowerIsBetter,
    Weights,
    as_leaderboard,
    refuse_options,
)
from nbrank.labelled.options import check_choice

if TYPE_CHECKING:
    from nbrank.labelled.comparisons import Comparisons

CountScoring = Callable[[PairwiseCounts], NDArray[np.float64]]


def counts_of(
    source: pd.DataFrame | Leaderboard | Comparisons,
    *,
    rule: str,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "ignore",
    levels: int = 1,
    within: CountScoring | None = None,
) -> tuple[pd.Index, PairwiseCounts, NDArray[np.bool_]]:
    """Count the pairs: where every rule starts that needs nothing else.

    Parameters
    ----------
    source
        A frame of scores, a leaderboard, or comparisons.
    rule
        The name of the rule or function that asks, for messages.
    weights, groups, lower_is_better
        As for `Leaderboard`; only beside a frame.
    missing
        "ignore": a pair counts where both have a score. "compatible": by the
        share of compatible complete rankings. "median", "worst" and "raise" as
        for every rule.
    levels
        1 counts all instances of all tasks; 2 counts tasks, on the ranking
        within each.
    within
        The rule that ranks within a task at two levels; None lets the majority
        of its instances decide each pair.

    Returns
    -------
    tuple
        The systems, the counts, and which systems have a score at all (or are
        given a place by `missing`).
    """
    from nbrank.labelled.comparisons import Comparisons

    if isinstance(source, Comparisons):
        refuse_options(rule, weights, groups, lower_is_better)
        if missing != "ignore" or levels != 1:
            raise TypeError(f"{rule}: comparisons have no missing scores and one level only")
        return source.systems, source.counts, np.ones(len(source.systems), dtype=bool)
    board = as_leaderboard(source, weights, groups, lower_is_better)
    check_choice(rule, "missing", missing, EVERY_MISSING)
    check_choice(rule, "levels", levels, (1, 2))
    if missing == "raise":
        refuse_missing(board, rule, "choose how they count, such as missing='ignore'")
    if levels == 1:
        return board.systems, *_counted(board.profile(), missing)
    if within is None:
        return board.systems, *_majorities(board, missing)
    score = within
    profile = task_rankings(board, lambda ballots: score(_counts(ballots, missing)), missing)
    return board.systems, *_counted(profile, missing)


def _counts(profile: Profile, missing: Missing) -> PairwiseCounts:
    return count_compatible(profile) if missing == "compatible" else count(profile)


def _counted(profile: Profile, missing: Missing) -> tuple[PairwiseCounts, NDArray[np.bool_]]:
    seen, part = treated(profile, missing)
    counts = _counts(seen, missing)
    scored = part if missing == "compatible" else profile.scored
    if part.all():
        return counts, scored
    everyone = np.ix_(part, part)
    wins, ties = np.zeros((2, len(part), len(part)))
    wins[everyone], ties[everyone] = counts.wins, counts.ties
    return PairwiseCounts(wins, ties, counts.total), scored


def _majorities(board: Leaderboard, missing: Missing) -> tuple[PairwiseCounts, NDArray[np.bool_]]:
    """The weight of the tasks on which most instances favour the one, or neither."""
    n = len(board.systems)
    wins, ties, scored = np.zeros((n, n)), np.zeros((n, n)), np.zeros(n, dtype=bool)
    total = 0.0
    for task, profile in board.task_profiles():
        counts, part = _counted(profile, missing)
        weight = float(board.weights[task])
        margins = counts.margins
        wins += weight * (margins > 0)
        ties += weight * ((margins == 0) & (counts.compared > 0))
        scored |= part
        total += weight
    np.fill_diagonal(ties, 0.0)
    return PairwiseCounts(wins, ties, total), scored


def pairwise(
    scores: pd.DataFrame | Leaderboard | Comparisons,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "ignore",
    levels: int = 1,
) -> pd.DataFrame:
    """On how many tasks does each system beat each other?

    Parameters
    ----------
    scores
        A frame of scores (systems x tasks), a leaderboard, or comparisons.
    weights, groups, lower_is_better
        As for `Leaderboard`; only beside a frame.
    missing
        "ignore" (a pair counts where both have a score), "compatible" (by the
        share of compatible complete rankings: the matrix M of Himmi et al.,
        2024), "median", "worst" or "raise".
    levels
        For instance-level scores: 1 counts the instances of all tasks, 2 the
        tasks on which the majority of instances favours the system.

    Returns
    -------
    pandas.DataFrame
        Square, a row and a column for each system in table order: the weight
        of the tasks (or instances) on which the row beats the column, a tie
        being half to each; 0 on the diagonal.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2], "t2": [1, 1], "t3": [2, None]}, index=["A", "B"])
    >>> pairwise(scores)
         A    B
    A  0.0  1.5
    B  0.5  0.0
    """
    systems, counts, _ = counts_of(
        scores,
        rule="pairwise",
        weights=weights,
        groups=groups,
        lower_is_better=lower_is_better,
        missing=missing,
        levels=levels,
    )
    return pd.DataFrame(counts.shares, index=systems, columns=systems)


def compared(
    scores: pd.DataFrame | Leaderboard | Comparisons,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "ignore",
    levels: int = 1,
) -> pd.DataFrame:
    """How often did each pair of systems meet?

    Parameters
    ----------
    scores
        A frame of scores (systems x tasks), a leaderboard, or comparisons.
    weights, groups, lower_is_better
        As for `Leaderboard`; only beside a frame.
    missing
        As for `pairwise`: with "ignore" a pair meets where both have a score.
    levels
        As for `pairwise`.

    Returns
    -------
    pandas.DataFrame
        Square, a row and a column for each system in table order: the weight
        of the tasks (or instances) on which both were scored; 0 on the
        diagonal.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2], "t2": [1, 1], "t3": [2, None]}, index=["A", "B"])
    >>> compared(scores)
         A    B
    A  0.0  2.0
    B  2.0  0.0
    """
    systems, counts, _ = counts_of(
        scores,
        rule="compared",
        weights=weights,
        groups=groups,
        lower_is_better=lower_is_better,
        missing=missing,
        levels=levels,
    )
    return pd.DataFrame(counts.compared, index=systems, columns=systems)
