"""Who beats whom on how many tasks, and how often each pair met."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from weakref import WeakKeyDictionary

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
from nbrank.labelled.comparisons import Comparisons
from nbrank.labelled.described import described
from nbrank.labelled.leaderboard import (
    Groups,
    Leaderboard,
    LowerIsBetter,
    Weights,
    as_leaderboard,
    refuse_options,
)
from nbrank.labelled.options import check_choice
from nbrank.labelled.tally import CountedTasks, Source, Tally, pairs_of

CountScoring = Callable[[PairwiseCounts], NDArray[np.float64]]
#: The counts, and which systems have a score.
_Pairs = tuple[PairwiseCounts, NDArray[np.bool_]]


def counts_of(
    source: Source,
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
        A frame of scores, a leaderboard, a tally, or comparisons.
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
    if isinstance(source, Comparisons):
        refuse_options(rule, weights, groups, lower_is_better)
        if missing != "ignore" or levels != 1:
            raise TypeError(f"{rule}: comparisons have no missing scores and one level only")
        return source.systems, source.counts, np.ones(len(source.systems), dtype=bool)
    advice = "choose how they count, such as missing='ignore'"
    if isinstance(source, Tally):
        tasks = source.weighed(weights, groups, lower_is_better)
        tasks.check(rule, missing, levels, advice)
        return tasks.systems, *_of_tally(tasks, missing, levels, within)
    board = as_leaderboard(source, weights, groups, lower_is_better)
    check_choice(rule, "missing", missing, EVERY_MISSING)
    check_choice(rule, "levels", levels, (1, 2))
    if missing == "raise":
        refuse_missing(board, rule, advice)
    if levels == 1:
        return board.systems, *_pairs_of(board, missing)
    if within is None:
        return board.systems, *_added(task_majorities(board, missing), len(board.systems))
    score = within
    profile = task_rankings(board, lambda ballots: score(_counts(ballots, missing)), missing)
    return board.systems, *_counted(profile, missing)


#: The pairs of each leaderboard that is still in use, by how missing scores count: a dozen rules
#: on one leaderboard start from the same counts.
_PAIRS: WeakKeyDictionary[Leaderboard, dict[Missing, _Pairs]] = WeakKeyDictionary()


def _pairs_of(board: Leaderboard, missing: Missing) -> _Pairs:
    found = _PAIRS.setdefault(board, {})
    if missing not in found:
        counts, scored = _counted(board.profile(), missing)
        for shared in (counts.wins, counts.ties, scored):
            shared.flags.writeable = False
        found[missing] = counts, scored
    return found[missing]


def _of_tally(
    tasks: CountedTasks, missing: Missing, levels: int, within: CountScoring | None
) -> tuple[PairwiseCounts, NDArray[np.bool_]]:
    if levels == 1:
        scored = np.ones_like(tasks.scored) if missing == "compatible" else tasks.scored
        return pairs_of(tasks.by_weight(), missing), scored
    if within is None:
        return _added(task_majorities(tasks, missing), len(tasks.systems))
    score = within
    profile = tasks.rankings(lambda counts: score(pairs_of(counts, missing)))
    return _counted(profile, missing)


def _counts(profile: Profile, missing: Missing) -> PairwiseCounts:
    return count_compatible(profile) if missing == "compatible" else count(profile)


def _counted(profile: Profile, missing: Missing) -> tuple[PairwiseCounts, NDArray[np.bool_]]:
    seen = treated(profile, missing)
    counts, part = _counts(seen.ballots, missing), seen.part
    if part.all():
        return counts, seen.ranked
    everyone = np.ix_(part, part)
    wins, ties = np.zeros((2, len(part), len(part)))
    wins[everyone], ties[everyone] = counts.wins, counts.ties
    return PairwiseCounts(wins, ties, counts.total), seen.ranked


def task_majorities(
    board: Leaderboard | CountedTasks, missing: Missing
) -> Iterator[tuple[PairwiseCounts, NDArray[np.bool_]]]:
    """For each task its weight, given to the one of each pair that most of its instances favour.

    Parameters
    ----------
    board
        The tasks.
    missing
        How a missing score counts within a task.

    Yields
    ------
    tuple
        The counts: a task's weight for the one of a pair, or as a tie where
        neither is favoured; and the systems with a score.
    """
    if isinstance(board, CountedTasks):
        for weight, found in zip(board.weights.tolist(), board.counts, strict=True):
            everyone = missing == "compatible"
            part = np.ones(len(board.systems), bool) if everyone else found.places.scored
            yield _majority(pairs_of({1.0: found}, missing), weight), part
        return
    for task, profile in board.task_profiles():
        counts, part = _counted(profile, missing)
        yield _majority(counts, float(board.weights[task])), part


def _majority(counts: PairwiseCounts, weight: float) -> PairwiseCounts:
    margins = counts.margins
    ties = (margins == 0) & (counts.compared > 0)
    np.fill_diagonal(ties, False)
    ahead = np.where(margins > 0, weight, 0.0)
    return PairwiseCounts(ahead, np.where(ties, weight, 0.0), weight)


def _added(
    majorities: Iterable[tuple[PairwiseCounts, NDArray[np.bool_]]], n_systems: int
) -> tuple[PairwiseCounts, NDArray[np.bool_]]:
    wins, ties = np.zeros((2, n_systems, n_systems))
    scored, total = np.zeros(n_systems, dtype=bool), 0.0
    for counts, part in majorities:
        wins += counts.wins
        ties += counts.ties
        scored |= part
        total += counts.total
    return PairwiseCounts(wins, ties, total), scored


@described
def pairwise(
    scores: Source,
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
    {source}
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

    Raises
    ------
    {errors}

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


@described
def compared(
    scores: Source,
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
    {source}
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

    Raises
    ------
    {errors}

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
