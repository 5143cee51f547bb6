"""How far systems move from rule to rule, by ranks that distinguish systems."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from nbrank.arrays.typing import Bools, Floats
from nbrank.votes.formatting import Label


def separates_first(ranks: Floats) -> Bools:
    """Return whether each rule separates the first: at most half of the systems are first."""
    n_first = (ranks == 1).sum(axis=0)
    return np.asarray((n_first > 0) & (2 * n_first <= (~np.isnan(ranks)).sum(axis=0)))


@dataclass(frozen=True, eq=False)
class RankChanges:
    """The ranks that are evidence of a move, and those that are not."""

    #: Systems x the rules that distinguish systems.
    ranks: pd.DataFrame
    #: Whether more than half of the systems share a rank of `ranks`, or it is missing.
    is_shared: pd.DataFrame

    @classmethod
    def from_ranks(cls, ranks: pd.DataFrame) -> RankChanges:
        """Select the rules of a frame of ranks, in which no column is NA throughout."""
        decisive = separates_first(ranks.to_numpy(dtype=float, na_value=np.nan))
        # A rule that only separates winners from the rest has no ranks for the others.
        fine = (ranks.nunique() > (2 if len(ranks) > 3 else 1)).to_numpy()
        selected = ranks.loc[:, decisive & fine]
        often = selected.apply(lambda column: column.map(column.value_counts()))
        return cls(selected, 2 * often.fillna(len(ranks)) > len(ranks))

    def largest_changes(self, systems: pd.Index) -> list[Label]:
        """List those of some systems that move furthest, in their order; empty if none moves."""
        evidence = self.ranks.astype("Float64").mask(self.is_shared).reindex(systems)
        moves = (evidence.max(axis=1) - evidence.min(axis=1)).fillna(0)
        return list(moves.index[(moves == moves.max()) & (moves > 0)])

    def rules_by_rank(self, position: int) -> dict[int, dict[Label, int]]:
        """Map each rank of a system to the rules that give it, and these to how many share it."""
        results: dict[int, dict[Label, int]] = {}
        own, crowd = self.ranks.iloc[position], self.is_shared.iloc[position]
        for rule in own.index[~crowd.to_numpy(dtype=bool)]:
            sharing = int((self.ranks[rule] == own[rule]).sum())
            results.setdefault(int(own[rule]), {})[rule] = sharing
        return dict(sorted(results.items()))
