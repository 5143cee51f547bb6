"""The rank sets at a setting, which those at another delta are found from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

from nbrank.comparison.rules_side_by_side import missing_option
from nbrank.findings.labels import display_message, rule_title
from nbrank.findings.overview import best_systems, error_reason
from nbrank.frontends.workbench.workbench_state import DRAW_CHOICES, WorkbenchState, WorkbenchView
from nbrank.rules.registry import rule_label
from nbrank.uncertainty.rank_sets import prepare_rank_confidence
from nbrank.uncertainty.rules_with_sets import supports_confidence_sets
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.sampling_design import UnitKind


class RankSetSearch:
    """Finds rank sets; what doesn't hang on delta is kept until something else changes."""

    def __init__(self) -> None:
        self._best: tuple[Any, pd.DataFrame] | None = None
        self._sets_by_delta: tuple[Any, Callable[[float], pd.DataFrame], pd.DataFrame] | None = None

    def find(self, bench: WorkbenchState, seen: WorkbenchView) -> tuple[pd.DataFrame | None, str]:
        """Find the rank sets, if there are any, and say why not, or of which other rule."""
        by, votes = seen.ordering_rule, seen.votes
        sets, note, scored = None, "", isinstance(votes, Leaderboard)
        # Of comparisons only the model has any.
        known = seen.get_rule(bench.rule)
        if not (scored and known is not None and supports_confidence_sets(known)):
            by = "borda" if scored else "bradley_terry"
        rule = rule_label(by)
        if by != seen.ordering_rule:
            whose = (
                f"{rule_title(bench.rule)} has no rank sets: those shown are of {rule_title(rule)}"
            )
            note = f"{whose}, so who could be first by {rule_title(bench.rule)} is not known."
        asked = (id(seen.ranking), rule, bench.draws)
        try:
            if self._sets_by_delta is None or self._sets_by_delta[0] != asked:
                by_delta = prepare_rank_confidence(
                    votes,
                    by,
                    seed=0,
                    draws=None if bench.draws == DRAW_CHOICES[0] else "tasks",
                    **missing_option(by, seen.missing),
                )
                self._sets_by_delta = (asked, by_delta, seen.ranking)  # which keeps its id
            sets = self._sets_by_delta[1](bench.delta)
        except (ValueError, RuntimeError) as error:
            why = error_reason("rank_confidence", error).removeprefix(f"{rule}: ")
            note = f"There are no rank sets: {display_message(why, bench.names.short)}."
        return sets, note

    def find_best(self, bench: WorkbenchState, seen: WorkbenchView) -> pd.DataFrame | None:
        """Find which systems may be the best by the rule that orders, if that can be told."""
        asked = (id(seen.ranking), bench.draws)
        if self._best is None or self._best[0] != asked:
            draws: UnitKind | None = None if bench.draws == DRAW_CHOICES[0] else "tasks"
            votes, rule = seen.votes, seen.ordering_rule
            table = best_systems(votes, rule, delta=bench.delta, missing=seen.missing, draws=draws)
            self._best = None if table is None else (asked, table)
        if self._best is None:
            return None
        table = self._best[1]
        best = table.assign(best=table["p_value"] > bench.delta)
        best.attrs = {**table.attrs, "delta": bench.delta}
        return best
