"""The rules: each a function of one view of the votes, with its facts next to it."""

from typing import TYPE_CHECKING

# What other folders take, each from its module. Written by docs/scripts/write_doors.py.
# fmt: off
if TYPE_CHECKING:
    from nbrank.rules.additive import AdditiveForm, additive_from_points
    from nbrank.rules.bound_rule import (
        BoundRule, find_unknown_systems, parse_board_and_rule, parse_votes_and_rule,
        ranks_of_all_systems, top_ranked,
    )
    from nbrank.rules.covariates import fit_with_covariates
    from nbrank.rules.kemeny_rule import Accept, Preferences
    from nbrank.rules.majority import copeland, make_pair_request
    from nbrank.rules.means import mean
    from nbrank.rules.paired_comparison import (
        bradley_terry, count_model_pairs, tie_scale, warn_unless_converged,
    )
    from nbrank.rules.place_averages import mean_win_rate
    from nbrank.rules.positional_rules import borda
    from nbrank.rules.ranking import build_ranking, join_columns, stable_sort
    from nbrank.rules.rating_scale import Anchor, rating_transform
    from nbrank.rules.registry import (
        MAX_PAIRWISE_SYSTEMS, RULES, Family, Rounds, Rule, RuleFunction, RuleLike, get_rule,
    )
    from nbrank.rules.score_formatters import describe_score, format_score_column
    from nbrank.rules.search_limits import DEFAULT_SECONDS, TimeLimit

__all__ = [
    "DEFAULT_SECONDS", "MAX_PAIRWISE_SYSTEMS", "RULES", "Accept", "AdditiveForm", "Anchor",
    "BoundRule", "Family", "Preferences", "Rounds", "Rule", "RuleFunction", "RuleLike",
    "TimeLimit", "additive_from_points", "borda", "bradley_terry", "build_ranking", "copeland",
    "count_model_pairs", "describe_score", "find_unknown_systems", "fit_with_covariates",
    "format_score_column", "get_rule", "join_columns", "make_pair_request", "mean",
    "mean_win_rate", "parse_board_and_rule", "parse_votes_and_rule", "ranks_of_all_systems",
    "rating_transform", "stable_sort", "tie_scale", "top_ranked", "warn_unless_converged",
]
