"""The ranks at the start, of which the picture keeps a mark as weights and scores change."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from nbrank.frontends.workbench.deletions import Deletions
from nbrank.frontends.workbench.workbench_state import WorkbenchState, WorkbenchView
from nbrank.rules.bound_rule import BoundRule
from nbrank.votes.formatting import Label
from nbrank.votes.leaderboard import Leaderboard


class StartRanks:
    """The ranks by the rule that orders, with weights and scores as they were given."""

    def __init__(self, bench: WorkbenchState) -> None:
        self.board = bench.board
        #: The settings of the last search, and its ranks.
        self._last: tuple[Any, dict[Label, int]] | None = None

    def find(self, seen: WorkbenchView) -> dict[Label, int] | None:
        """Return the ranks; None of comparisons, whose weights and scores can't change."""
        if not isinstance(self.board, Leaderboard):
            return None
        settings = (seen.rule, seen.missing)
        if self._last is None or self._last[0] != settings:
            ranking = None
            is_start = seen.deletions == Deletions(seed=seen.deletions.seed)
            if is_start and np.array_equal(seen.board.weights, self.board.weights):
                ranking = seen.ranking
            else:
                with suppress(ValueError, RuntimeError):  # of a rule that refuses the start
                    ranking = BoundRule.bind(seen.ordering_rule, **seen.options).function(
                        self.board
                    )
            ranks = {} if ranking is None else ranking["rank"].dropna().to_dict()
            self._last = (settings, {system: int(rank) for system, rank in ranks.items()})
        return self._last[1]
