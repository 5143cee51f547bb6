"""Ranks that somebody has published, to stand beside those of rules."""

from __future__ import annotations

from typing import Any

import pandas as pd

from nbrank.agreement import ranks_of
from nbrank.rules.rule import RuleFunction, no_systems_of
from nbrank.votes.naming import named


def published_ranks(label: str, ranking: pd.Series | pd.DataFrame) -> RuleFunction:
    """A rule that finds these ranks in every table."""
    _, values = ranks_of(ranking, f"rules={{{label!r}: ...}}")
    ranks = pd.Series(values, ranking.index)
    if (values % 1).any():  # tied systems have the average of their places; ours share the best
        ranks = ranks.rank(method="min")
    found = pd.DataFrame({"rank": ranks, "score": -ranks}).sort_values("rank", kind="stable")

    def as_published(scores: Any, missing: str | None = None) -> pd.DataFrame:  # noqa: ARG001
        if unknown := no_systems_of(scores, ranking.index):
            raise TypeError(
                f"rules={{{label!r}: ...}} ranks {named(unknown, most=5)}, which are no systems of "
                f"the table; leave them out, and rank the others among themselves: "
                f"ranks[ranks.index.isin(scores.index)].rank(method='min')"
            )
        return found  # however missing scores count

    as_published.__name__ = str(label)
    return as_published
