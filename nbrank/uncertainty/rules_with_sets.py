"""Which rules have confidence sets of ranks, and for which votes?"""

from nbrank.rules.bound_rule import BoundRule
from nbrank.rules.registry import RULES, Rule
from nbrank.uncertainty.contributions import STRENGTH_MODEL
from nbrank.uncertainty.sampling_design import DrawOptions
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.source_functions import FunctionBySource
from nbrank.votes.tallies import Tally, WeightedTally

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


def _check_for_comparisons(_: Comparisons, rule: BoundRule, options: DrawOptions) -> None:
    if rule.name != STRENGTH_MODEL:
        raise ValueError(
            f"{options.function}: {rule.label} has no confidence sets from comparisons; choose "
            f"{STRENGTH_MODEL!r}"
        )
    if options.over is not None or options.errors is not None:
        raise TypeError(
            f"{options.function}: over and errors don't go with comparisons; give "
            "clusters to from_comparisons(..., cluster=...)"
        )


def _check_for_scores(board: Leaderboard, rule: BoundRule, options: DrawOptions) -> None:
    if options.errors is None and options.over != "seeds":
        _require_sets(options.function, rule, runs=board.replicates is not None)


def _check_for_counts(_: WeightedTally, rule: BoundRule, options: DrawOptions) -> None:
    able = [
        known.name
        for known in RULES.values()
        if known.supports(Tally.provides) and known.additive is not None
    ]
    if _require_sets(options.function, rule).name not in able:
        raise ValueError(
            f"{options.function}: how {rule.label} varies needs the scores themselves, and these "
            f"are counted; choose one of {', '.join(able)}, or give the frame of scores"
        )


#: Fail for a rule without confidence sets of these votes, or units they don't have.
check_rule_has_sets = FunctionBySource(_check_for_scores, _check_for_comparisons, _check_for_counts)


def _require_sets(function: str, rule: BoundRule, *, runs: bool = False) -> Rule:
    """Fail for a rule without confidence sets, and name those that have them."""
    name, known = rule.label, rule.registered
    if known is not None and supports_confidence_sets(known):
        return known
    offered = [item.name for item in RULES.values() if supports_confidence_sets(item)]
    seeds = ", over='seeds'" if runs else ""
    nearest = f"{nearest_rule_with_sets(known)!r}, the nearest that has them, or " if known else ""
    raise ValueError(
        f"{function}: {name} does not rank by means over tasks or instances, on which these "
        f"confidence sets rest; choose {nearest}one of {', '.join(offered[:-1])} or {offered[-1]}"
        f"{', or take those of the runs alone' if runs else ''}{seeds}, or see how the ranks "
        f"spread with bootstrap(scores, {name!r}{seeds}), which claims no coverage"
    )


def nearest_rule_with_sets(rule: Rule) -> str:
    """Name the rule with confidence sets whose question is nearest to that of a rule without."""
    return _NEAREST_RULES.get(rule.name, _NEAREST_RULES[rule.family])
