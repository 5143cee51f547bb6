"""The rank sets at a setting, which those at another delta are found from."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd

from nbrank.comparison.rules_side_by_side import missing_option
from nbrank.findings.labels import display_message, rule_title
from nbrank.findings.overview import error_reason
from nbrank.frontends.workbench.workbench_state import DRAW_CHOICES, WorkbenchState, WorkbenchView
from nbrank.rules.bound_rule import BoundRule
from nbrank.uncertainty.estimate_rank_sets import DRAWS
from nbrank.uncertainty.rank_sets import TestedPairs, pair_tests
from nbrank.uncertainty.rules_with_sets import supports_confidence_sets
from nbrank.votes.leaderboard import Leaderboard


class RankSetSearch:
    """Finds rank sets; what doesn't hang on delta is kept until something else changes."""

    def __init__(self) -> None:
        self._last_tests: tuple[Any, TestedPairs, pd.DataFrame] | None = None

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
        asked = (id(seen.ranking), rule, bench.draws)
        try:
            if self._last_tests is None or self._last_tests[0] != asked:
                tests = pair_tests(
                    votes,
                    by,
                    0,
                    over=None,
                    draws=None if bench.draws == DRAW_CHOICES[0] else "tasks",
                    n_draws=DRAWS,
                    **missing_option(by, seen.missing),
                )
                self._last_tests = (asked, tests, seen.ranking)  # which keeps its id
            tests = self._last_tests[1]
            sets, best = tests.frame(bench.delta, joint=True), tests.best_frame(bench.delta)
            pairs = tests.different(bench.delta)
        except (ValueError, RuntimeError) as error:
            why = error_reason("rank_confidence", error).removeprefix(f"{rule}: ")
            note = f"Rank sets are not available: {display_message(why, bench.names.short)}."
        return replace(seen, rank_sets=sets, best=best, told_apart=pairs, note=note)
