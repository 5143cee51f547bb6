"""Which rules have confidence sets of ranks, and for which votes?"""

from __future__ import annotations

from typing import cast

import pandas as pd

from nbrank.rules.bound_rule import BoundRule
from nbrank.rules.registry import RULES, Rule
from nbrank.uncertainty.cell_errors import OverErrors
from nbrank.uncertainty.contributions import STRENGTH_MODEL
from nbrank.uncertainty.sampling_design import ResampledUnit
from nbrank.votes.base import Votes
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.tallies import Tally

#: The rule with confidence sets whose question is nearest: by family, and for some rules.
_NEAREST_RULES = {
    "mean": "mean",
    "positional": "borda",
    "elimination": "borda",
    "majority": "mean_win_rate",
    "consensus": "borda",
    "model": STRENGTH_MODEL,
    "threshold": "antiplurality",
    "coombs": "antiplurality",
    "instant_runoff": "plurality",
}


def supports_confidence_sets(rule: Rule) -> bool:
    """Return whether `rank_confidence` supports the rule on a leaderboard: a mean, or the model."""
    return rule.additive is not None or rule.name == STRENGTH_MODEL


def check_rule_has_sets(
    function: str,
    votes: Votes,
    rule: BoundRule,
    over: ResampledUnit | OverErrors | None,
    errors: pd.DataFrame | None,
) -> None:
    """Fail for a rule without confidence sets of these votes, or units they don't have."""
    name, known = rule.label, rule.registered
    if "sequence" in votes.provides:
        if name != STRENGTH_MODEL:
            raise ValueError(
                f"{function}: {name} has no confidence sets from comparisons; choose "
                f"{STRENGTH_MODEL!r}"
            )
        if over is not None or errors is not None:
            raise TypeError(
                f"{function}: over and errors don't go with comparisons; give "
                "clusters to from_comparisons(..., cluster=...)"
            )
        return
    of_ballots = "ballots" in votes.provides
    if of_ballots and (errors is not None or over == "seeds"):
        return
    if known is None or not supports_confidence_sets(known):
        offered = [item.name for item in RULES.values() if supports_confidence_sets(item)]
        runs = of_ballots and cast("Leaderboard", votes).replicates is not None
        seeds = ", over='seeds'" if runs else ""
        raise ValueError(
            f"{function}: {name} does not rank by means over tasks or instances, on which these "
            f"confidence sets rest; choose {_nearest_rule(known)}one of {', '.join(offered[:-1])} "
            f"or {offered[-1]}{', or take those of the runs alone' if runs else ''}{seeds}, or see "
            f"how the ranks spread with bootstrap(scores, {name!r}{seeds}), which claims no "
            "coverage"
        )
    if not of_ballots and known.name not in _rules_for_tally():
        raise ValueError(
            f"{function}: how {name} varies needs the scores themselves, and these are "
            f"counted; choose one of {', '.join(_rules_for_tally())}, or give the frame of scores"
        )


def _nearest_rule(known: Rule | None) -> str:
    """Name the registered rule nearest to a rule without confidence sets; empty if unknown."""
    if known is None:
        return ""
    return f"{nearest_rule_with_sets(known)!r}, the nearest that has them, or "


def nearest_rule_with_sets(known: Rule) -> str:
    """Name the rule with confidence sets whose question is nearest to that of a rule without."""
    return _NEAREST_RULES.get(known.name, _NEAREST_RULES[known.family])


def _rules_for_tally() -> list[str]:
    """List the rules that are means of numbers whose sums and products a tally has."""
    rules = RULES.values()
    return [
        rule.name for rule in rules if rule.supports(Tally.provides) and rule.additive is not None
    ]
