"""From votes to a ranking: a frame with labels, best first."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays.ballots.profile import competition_ranks
from nbrank.arrays.typing import Floats
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
