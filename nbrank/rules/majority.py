"""Majority rules: from who beats whom, and by how much."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal, Unpack

import pandas as pd

from nbrank.arrays import majority_graphs as arrays
from nbrank.arrays.profile import Missing
from nbrank.rules import wording
from nbrank.rules.ranking import rank
from nbrank.rules.rule import rule
from nbrank.votes.leaderboard import Source, as_votes
from nbrank.votes.naming import Label
from nbrank.votes.options import Asked, PairOptions, check_choice
from nbrank.votes.task_names import TableOptions
from nbrank.votes.votes import Votes

#: What is known of all rules on majorities.
of_majorities = partial(rule, "majority", sees="pairs", ties="no vote for either")

_MINIMAX = ("winning_votes", "margins", "opposition")


def asked_of_pairs(
    rule: str,
    source: Source,
    /,
    *,
    missing: Missing = "ignore",
    levels: int = 1,
    **table: Unpack[TableOptions],
) -> tuple[Votes, Asked]:
    """The votes, and what a rule asks of their pairs."""
    return as_votes(source, **table), Asked(rule, "pairs", missing, levels)


def _rank(rule: str, source: Source, score: str, /, **options: Unpack[PairOptions]) -> pd.DataFrame:
    votes, asked = asked_of_pairs(rule, source, **options)
    told = partial(arrays.one_against_one, score=arrays.SCORES[score])
    return rank(votes, asked, told, per_ballot=1.0 if score in _MINIMAX else None)


def _condorcet_winners(*args: Any, **options: Any) -> list[Label]:
    ranked = condorcet(*args, **options)
    return list(ranked.index[ranked["score"] == 1])


@of_majorities(
    source="Condorcet 1785",
    counts="whether it beats every other system on a majority of {tasks}{weighed}",
    holds="transitivity anonymity monotonicity majority condorcet_winner condorcet_loser",
    written=wording.yes_or_no,
    elect=_condorcet_winners,
)
def condorcet(scores: Source, **options: Unpack[PairOptions]) -> pd.DataFrame:
    """Is there a system that beats every other on a majority of the tasks?

    {takes_pairs}

    {returns_ranking}
        score
            1 for the Condorcet winner, 0 for the others; without one all tie,
            `winners` is empty, and `.attrs["note"]` says so.

    {raises}

    References
    ----------
    Condorcet, Essai sur l'application de l'analyse, 1785.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame([[3, 3, 1], [2, 2, 3], [1, 1, 2]], index=["A", "B", "C"])
    >>> condorcet(scores)
       rank  score
    A     1    1.0
    B     2    0.0
    C     2    0.0
    """
    ranked = _rank("condorcet", scores, "condorcet", **options)
    if not (ranked["score"] == 1).any():
        ranked.attrs["note"] = "no system beats every other one, so nobody wins and all tie"
    return ranked


@of_majorities(
    source="Copeland 1951",
    counts="the systems that it beats on most {tasks}{weighed}, less those that beat it",
    holds="transitivity anonymity unanimity monotonicity majority condorcet_winner condorcet_loser",
)
def copeland(scores: Source, **options: Unpack[PairOptions]) -> pd.DataFrame:
    """Which system beats most others one against one?

    {takes_pairs}

    {returns_ranking}
        score
            The number of systems it beats on a majority of the tasks, minus
            the number that beat it.

    {raises}

    References
    ----------
    Copeland, A reasonable social welfare function, 1951.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame([[3, 3, 1], [2, 2, 3], [1, 1, 2]], index=["A", "B", "C"])
    >>> copeland(scores)
       rank  score
    A     1    2.0
    B     2    0.0
    C     3   -2.0
    """
    return _rank("copeland", scores, "copeland", **options)


@of_majorities(
    source="Simpson 1969; Kramer 1977",
    counts="the {tasks}{weighed} on which the one that beats it worst is above it",
    holds="transitivity anonymity monotonicity majority condorcet_winner",
    written=wording.negated,
)
def minimax(
    scores: Source,
    variant: Literal["winning_votes", "margins", "opposition"] = "winning_votes",
    **options: Unpack[PairOptions],
) -> pd.DataFrame:
    """Which system's worst defeat is the mildest?

    {takes_pairs}
    variant
        How a defeat is measured: "winning_votes", the weight for the other system where it wins,
        and 0 where it doesn't; "margins", the weight for the other minus the weight against it,
        below 0 where it loses; "opposition", the weight for the other, whether it wins or not. Ties
        are not votes.

    {returns_ranking}
        score
            Minus the worst defeat.

    {raises}

    References
    ----------
    Simpson, On defining areas of voter choice, 1969; Kramer, A dynamical model of political
    equilibrium, 1977.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame([[3, 3, 1], [2, 2, 3], [1, 1, 2]], index=["A", "B", "C"])
    >>> minimax(scores)
       rank  score
    A     1    0.0
    B     2   -2.0
    C     3   -3.0
    >>> minimax(scores, variant="margins")["score"].tolist()
    [1.0, -1.0, -3.0]
    """
    check_choice("minimax", "variant", variant, _MINIMAX)
    return _rank("minimax", scores, variant, **options)
