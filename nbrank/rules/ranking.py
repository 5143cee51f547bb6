"""From votes to a ranking: a frame with labels, best first; and rules that are means."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays.ballots.averages import CellTransform
from nbrank.arrays.ballots.positional_scoring import ScoringVectorFactory, points
from nbrank.arrays.ballots.profile import Missing, Profile, Ties, competition_ranks
from nbrank.arrays.chunking import chunk_slices
from nbrank.arrays.typing import Array, Bools, Floats
from nbrank.votes.base import Votes
from nbrank.votes.table.validation import ViewRequest


def build_ranking(
    systems: pd.Index,
    scores: Floats,
    rule: str,
    attrs: Mapping[str, Any] | None = None,
    scale: float | Floats | None = None,
) -> pd.DataFrame:
    """Order the systems by score, best first, tied ones in table order; NaN shares the last rank.

    Scores tie by `scale`, the size of the summands: one number, or one for each system.
    """
    ranks = competition_ranks(scores, scale)
    order = np.argsort(ranks, kind="stable")
    frame = pd.DataFrame(
        {"rank": ranks[order], "score": np.asarray(scores, dtype=float)[order]},
        index=systems[order],
    )
    frame.attrs = {"rule": rule}
    frame.attrs.update(attrs or {})
    return frame


def rank_votes(
    votes: Votes,
    request: ViewRequest,
    score: Callable[[Any], Floats],
    *,
    scale: float | None = None,
    max_per_ballot: float | None = None,
) -> pd.DataFrame:
    """Rank by a function from what it sees to the score of each system, at one level or at two.

    `scale` is the size of the scores, or `max_per_ballot` that of what each ballot adds to them.
    """
    votes.check(request)
    if max_per_ballot is not None:
        scale = max_per_ballot * votes.total_weight(request.levels)
    missing, views = request.missing, votes.data
    if request.levels == 2:
        views = votes.rank_within_tasks(request.view, score, missing)
    scores = getattr(views, request.view)(missing).scores(score)
    return build_ranking(votes.systems, scores, request.rule, scale=scale)


def join_columns(ranked: pd.DataFrame, systems: pd.Index, **columns: NDArray[Any]) -> pd.DataFrame:
    """Join the ranks of a ranking and columns in the order of these systems."""
    at = systems.get_indexer(ranked.index)
    return ranked[["rank"]].assign(**{name: column[at] for name, column in columns.items()})


def stable_sort(frame: pd.DataFrame, *columns: str) -> pd.DataFrame:
    """Sort the rows by these columns, ties in their order, whatever the index is called."""
    return frame.iloc[np.lexsort([frame[column] for column in reversed(columns)])]


#: The value of each system on each ballot, and where it counts (None: everywhere).
BallotValues = tuple[Array, Bools | None]

#: Ballots whose places are looked at a time.
_BALLOTS = 1 << 14


@dataclass(frozen=True)
class AdditiveForm:
    """How a rule, with given arguments, is a mean over ballots."""

    #: From ballots to the value of each system on each of them.
    values: Callable[[Profile], BallotValues]
    #: The largest contribution of a ballot.
    max_value: float = 0.0
    #: From scores to the cells on whose size the ties hang; None for a rule that counts, whose ties
    #: hang on `max_value`.
    transform: CellTransform | None = None
    #: From these means to the rule's scores, in the same order, if they are others.
    score: Callable[[Floats], Floats] | None = None


def additive_from_transform(cells: CellTransform) -> AdditiveForm:
    """Make the form of a rule that averages transformed scores."""
    return AdditiveForm(
        lambda profile: (cells(profile.scores, slice(None)), profile.observed), transform=cells
    )


def additive_from_places(
    value: Callable[[Profile], BallotValues], max_per_ballot: float
) -> AdditiveForm:
    """Make the form of a rule that averages a function of places, for some ballots at a time."""

    def place_values(profile: Profile) -> BallotValues:
        n_ballots = len(profile.weights)
        if n_ballots <= _BALLOTS:
            return value(profile)
        values = np.empty(profile.scores.shape)
        everywhere, counted = True, np.ones(profile.scores.shape, dtype=bool)
        for block in chunk_slices(0, n_ballots, _BALLOTS):
            values[:, block], where = value(profile.select_ballots(block))
            if where is not None:
                everywhere, counted[:, block] = False, where
        return values, None if everywhere else counted

    return AdditiveForm(place_values, max_per_ballot)


def additive_from_points(
    family: ScoringVectorFactory, missing: Missing, ties: Ties, n_systems: int
) -> AdditiveForm:
    """Make the form of a rule that adds up the points of places."""
    most = float(np.abs(family(n_systems)).max())
    return additive_from_places(
        lambda profile: (points(profile, family, missing, ties), None), most
    )
