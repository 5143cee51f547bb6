"""The rank sets at a setting, and the ranks at the start, kept until something changes them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from nbrank.comparison.rules_side_by_side import missing_option
from nbrank.findings.labels import display_message, rule_title
from nbrank.findings.overview import error_reason
from nbrank.frontends.workbench.deletions import Deletions
from nbrank.frontends.workbench.tab import LastResult
from nbrank.frontends.workbench.workbench_state import DRAW_CHOICES, WorkbenchState, WorkbenchView
from nbrank.rules.bound_rule import BoundRule
from nbrank.uncertainty.contributions import supports_confidence_sets
from nbrank.uncertainty.rank_sets import pair_tests
from nbrank.uncertainty.sampling_design import DrawOptions
from nbrank.votes.formatting import Label
from nbrank.votes.leaderboard import Leaderboard


class RankSetSearch:
    """Finds rank sets; what doesn't hang on delta is kept until something else changes."""

    def __init__(self) -> None:
        self._tests = LastResult()

    def find(self, bench: WorkbenchState, seen: WorkbenchView) -> WorkbenchView:
        """Add what may be best and the rank sets; or say why not, or of which other rule."""
        by, votes = seen.ordering_rule, seen.votes
        sets, best, pairs, note = None, None, None, ""
        scored = isinstance(votes, Leaderboard)
        # Of comparisons only the model has any.
        known = seen.get_rule(bench.rule)
        if not (scored and known is not None and supports_confidence_sets(known)):
            by = "borda" if scored else "bradley_terry"
        rule = BoundRule.bind(by).label
        if by != seen.ordering_rule:
            whose = (
                f"{rule_title(bench.rule)} has no rank sets: those shown are of {rule_title(rule)}"
            )
            note = f"{whose}. Which systems may be best by {rule_title(bench.rule)} is not known."
        draws: Any = None if bench.draws == DRAW_CHOICES[0] else "tasks"
        search = partial(pair_tests, votes, by, DrawOptions("rank_confidence", draws=draws))
        options = missing_option(by, seen.missing)
        try:
            # The ranking stays, too, so that no other has its id.
            tests, _ = self._tests.find(
                (id(seen.ranking), rule, draws), lambda: (search(**options), seen.ranking)
            )
            sets, best = tests.frame(bench.delta, joint=True), tests.best_frame(bench.delta)
            pairs = tests.different(bench.delta)
        except (ValueError, RuntimeError) as error:
            why = error_reason("rank_confidence", error).removeprefix(f"{rule}: ")
            note = f"Rank sets are not available: {display_message(why, bench.names.short)}."
        return replace(seen, rank_sets=sets, best=best, told_apart=pairs, note=note)


class StartRanks:
    """The ranks by the rule that orders, with weights and scores as they were given."""

    def __init__(self, bench: WorkbenchState) -> None:
        self.board = bench.board
        self._ranks = LastResult()

    def find(self, seen: WorkbenchView) -> dict[Label, int] | None:
        """Return the ranks; None of comparisons, whose weights and scores can't change."""
        if not isinstance(self.board, Leaderboard):
            return None
        ranks: dict[Label, int] = self._ranks.find(
            (seen.rule, seen.missing), lambda: self._rank_at_start(seen)
        )
        return ranks

    def _rank_at_start(self, seen: WorkbenchView) -> dict[Label, int]:
        ranking, is_start = seen.ranking, seen.deletions == Deletions(seed=seen.deletions.seed)
        if not (is_start and np.array_equal(seen.board.weights, self.board.weights)):
            try:
                rule = BoundRule.bind(seen.ordering_rule, **seen.options)
                ranking = rule.function(self.board)
            except (ValueError, RuntimeError):  # of a rule that refuses the start
                return {}
        return ranking["rank"].dropna().astype(int).to_dict()
