"""How far systems move from rule to rule, by ranks that tell systems apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.votes.formatting import Label


def separates_first(ranks: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether each rule tells the first from the rest: at most half of the systems are first."""
    first: NDArray[np.intp] = (ranks == 1).sum(axis=0)
    bound: NDArray[np.bool_] = (first > 0) & (2 * first <= (~np.isnan(ranks)).sum(axis=0))
    return bound


@dataclass(frozen=True, eq=False)
class RankChanges:
    """The ranks that are evidence of a move, and what is none."""

    #: Systems x the rules that count.
    ranks: pd.DataFrame
    #: Where a rank of `ranks` is that of more than half of the systems, or there is none.
    is_shared: pd.DataFrame

    @classmethod
    def from_ranks(cls, ranks: pd.DataFrame) -> RankChanges:
        """Sort out the rules of a frame of ranks, in which no column is NA throughout."""
        bound = separates_first(ranks.to_numpy(dtype=float, na_value=np.nan))
        # A rule that only tells winners from the rest says nothing of the others' ranks.
        fine = (ranks.nunique() > (2 if len(ranks) > 3 else 1)).to_numpy()
        selected = ranks.loc[:, bound & fine]
        often = selected.apply(lambda column: column.map(column.value_counts()))
        return cls(selected, 2 * often.fillna(len(ranks)) > len(ranks))

    def largest_changes(self, among: pd.Index) -> list[Label]:
        """The systems of some that move furthest, in their order; none where nobody moves."""
        evidence = self.ranks.astype("Float64").mask(self.is_shared).reindex(among)
        moves = (evidence.max(axis=1) - evidence.min(axis=1)).fillna(0)
        return list(moves.index[(moves == moves.max()) & (moves > 0)])

    def rules_by_rank(self, position: int) -> dict[int, dict[Label, int]]:
        """Rank -> the rules under which a system has it -> how many have it there."""
        results: dict[int, dict[Label, int]] = {}
        own, crowd = self.ranks.iloc[position], self.is_shared.iloc[position]
        for rule in own.index[~crowd.to_numpy(dtype=bool)]:
            sharing = int((self.ranks[rule] == own[rule]).sum())
            results.setdefault(int(own[rule]), {})[rule] = sharing
        return dict(sorted(results.items()))
