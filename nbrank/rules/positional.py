"""Positional rules: points for places, summed over the tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Unpack

import numpy as np
import pandas as pd

from nbrank.arrays import points as arrays
from nbrank.arrays.profile import Missing, Ties
from nbrank.rules.additive import Additive, of_points
from nbrank.rules.ranking import rank
from nbrank.rules.rule import rule
from nbrank.votes.leaderboard import Leaderboard, Source, as_leaderboard, as_votes
from nbrank.votes.options import EVERY_MISSING, Asked, PlaceOptions
from nbrank.votes.task_names import TableOptions

#: A missing score may also get no points, where places have the points of the whole table.
_TREATMENTS: tuple[Missing, ...] = (*EVERY_MISSING, "zero")


#: What is known of all these rules, unless they say otherwise.
_adds_points = partial(rule, "positional", sees="ballots", ties="share their places (`ties=`)")


def _points(
    family: arrays.VectorFamily, board: Leaderboard, arguments: Mapping[str, Any]
) -> Additive:
    return of_points(family, arguments["missing"], arguments["ties"], len(board.systems))


def _given(vector: Sequence[float]) -> arrays.VectorFamily:
    points = np.asarray(vector, dtype=float)
    return lambda n: points[:n]


def _rank(
    scores: pd.DataFrame | Leaderboard,
    rule: str,
    family: arrays.VectorFamily,
    /,
    *,
    missing: Missing = "compatible",
    ties: Ties = "average",
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    board = as_leaderboard(scores, **table)
    score = partial(arrays.positional, family=family, missing=missing, ties=ties)
    most = float(np.abs(family(len(board.systems))).max())
    asked = Asked(rule, "ballots", missing, ties=ties, treatments=_TREATMENTS)
    return rank(board, asked, score, per_ballot=most)


@_adds_points(
    source="folklore",
    counts="the {tasks}{weighed} on which it is first (shared places in part), and nothing else",
    holds="transitivity anonymity monotonicity majority",
    additive=partial(_points, arrays.plurality_vector),
)
def plurality(scores: pd.DataFrame | Leaderboard, **options: Unpack[PlaceOptions]) -> pd.DataFrame:
    """Which system comes first on most tasks?

    {takes_points}

    {returns_ranking}
        score
            The weight of the tasks on which the system is first.

    {raises}

    References
    ----------
    Brandt et al. (eds.), Handbook of Computational Social Choice, 2016, chapter 2.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 3, 1]}, index=["A", "B", "C"])
    >>> plurality(scores)
       rank  score
    A     1    1.5
    B     2    0.5
    C     3    0.0
    """
    return _rank(scores, "plurality", arrays.plurality_vector, **options)


@_adds_points(
    source="folklore",
    counts="the {tasks}{weighed} on which it is not last (shared ones in part), and nothing else",
    holds="transitivity anonymity monotonicity",
    additive=partial(_points, arrays.antiplurality_vector),
)
def antiplurality(
    scores: pd.DataFrame | Leaderboard, **options: Unpack[PlaceOptions]
) -> pd.DataFrame:
    """Which system comes last on fewest tasks?

    {takes_points}

    {returns_ranking}
        score
            The weight of the tasks on which the system is not last.

    {raises}

    References
    ----------
    Brandt et al. (eds.), Handbook of Computational Social Choice, 2016, chapter 2 ("veto").

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 2, 3]}, index=["A", "B", "C"])
    >>> antiplurality(scores)
       rank  score
    A     1    2.0
    B     2    1.0
    C     2    1.0
    """
    return _rank(scores, "antiplurality", arrays.antiplurality_vector, **options)


@_adds_points(
    sees="standings",
    source="Borda 1781",
    counts="the systems that it is above, added up over the {tasks}{weighed}",
    holds="transitivity anonymity unanimity monotonicity condorcet_loser",
    additive=partial(_points, arrays.borda_vector),
)
def borda(
    scores: Source,
    *,
    missing: Missing = "compatible",
    ties: Ties = "average",
    levels: int = 1,
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    """Which system stands above most others, summed over the tasks?

    Parameters
    ----------
    {source}
    {missing_points}
    {ties_of_places}
    {levels}

    {returns_ranking}
        score
            The number of systems below it, summed over the tasks by weight.

    {raises}

    Notes
    -----
    With missing scores, `missing="compatible"` orders as sigma^l of Himmi et
    al. (2024), without enumeration: each of the n - k unscored systems falls into every gap
    between the k scored ones with probability 1 / (k + 1), so the scored system that has r
    others below it has r + (n - k)(r + 1) / (k + 1) = (r + 1)(n + 1) / (k + 1) - 1 below it
    on average, and an unscored one (n - 1) / 2.

    The Massive Text Embedding Benchmark ranks by `missing="zero"` (Enevoldsen et al., MMTEB, 2025).

    References
    ----------
    Borda, Mémoire sur les élections au scrutin, 1781; with missing scores Himmi, Irurozki, Noiry,
    Clémençon and Colombo, Towards more robust NLP system evaluation, 2024; at two levels Colombo,
    Noiry, Irurozki and Clémençon, What are the best systems?, 2022.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 3, 1]}, index=["A", "B", "C"])
    >>> borda(scores)
       rank  score
    A     1    3.5
    B     2    2.5
    C     3    0.0

    An unscored system stands in the middle of its task, on average; or it gets no points:

    >>> scores["t2"] = [3, 2, None]
    >>> borda(scores)
       rank     score
    A     1  3.666667
    B     2  1.333333
    C     3  1.000000
    >>> borda(scores, missing="zero")
       rank  score
    A     1    4.0
    B     2    2.0
    C     3    0.0
    """
    votes = as_votes(scores, **table)
    score = partial(arrays.borda, missing=missing, ties=ties)
    asked = Asked("borda", "standings", missing, levels, ties, _TREATMENTS)
    return rank(votes, asked, score, per_ballot=len(votes.systems) - 1)


@_adds_points(
    source="Dowdall 1971",
    counts="1 for a first place, 1/2 for a second, 1/3 for a third, and so on, added up{weighed}",
    holds="transitivity anonymity unanimity monotonicity",
    additive=partial(_points, arrays.dowdall_vector),
)
def dowdall(scores: pd.DataFrame | Leaderboard, **options: Unpack[PlaceOptions]) -> pd.DataFrame:
    """Which system has the best places, if the first counts 1, the second 1/2, the third 1/3?

    {takes_points}

    {returns_ranking}
        score
            The sum over the tasks, by weight, of 1 / place.

    {raises}

    References
    ----------
    Fraenkel and Grofman, The Borda Count and its real-world alternatives, 2014.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 3, 1]}, index=["A", "B", "C"])
    >>> dowdall(scores)
       rank     score
    A     1  1.750000
    B     2  1.250000
    C     3  0.666667
    """
    return _rank(scores, "dowdall", arrays.dowdall_vector, **options)


@_adds_points(
    source="Young 1975",
    counts="the points of its place on each {task}, added up{weighed}",
    holds="transitivity anonymity monotonicity",
    additive=lambda board, arguments: _points(_given(arguments["vector"]), board, arguments),
)
def positional(
    scores: pd.DataFrame | Leaderboard,
    vector: Sequence[float],
    *,
    missing: Missing = "compatible",
    ties: Ties = "average",
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    """Which system has the most points, if you choose the points of each place?

    {takes_points}
    vector
        The points of each place, best first: one number for every system,
        none larger than the one before it.

    {returns_ranking}
        score
            The sum of the points over the tasks, by weight.

    {raises}

    References
    ----------
    Young, Social choice scoring functions, 1975.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 3, 1]}, index=["A", "B", "C"])
    >>> positional(scores, [5, 1, 0])
       rank  score
    A     1    8.0
    B     2    4.0
    C     3    0.0
    """
    board = as_leaderboard(scores, **table)
    given = _vector(vector, len(board.systems))
    return _rank(board, "positional", lambda n: given[:n], missing=missing, ties=ties)


#: Sums of more points, and squares of them, may be out of a float's reach.
_MOST_POINTS = 1e100


def _vector(vector: Sequence[float], n_systems: int) -> arrays.Vector:
    try:
        given = np.asarray(vector, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"positional: vector={vector!r} must be a list of numbers") from None
    if given.shape != (n_systems,):
        raise ValueError(
            f"positional: vector has the shape {given.shape}, and there are {n_systems} systems; "
            f"give the points of every place, zeros included"
        )
    if not np.isfinite(given).all():
        raise ValueError("positional: vector must be finite numbers")
    if np.abs(given).max(initial=0.0) > _MOST_POINTS:
        raise ValueError(
            f"positional: vector holds {np.abs(given).max():g}, and sums of points above "
            f"{_MOST_POINTS:g} may be too large for a float; divide all by the same number"
        )
    rises = np.flatnonzero(np.diff(given) > 0)
    if len(rises):
        place = int(rises[0]) + 2
        raise ValueError(
            f"positional: place {place} gets {given[place - 1]} points and place {place - 1} only "
            f"{given[place - 2]}; a better place can't be worth less"
        )
    return given
