"""Comparisons of rules and of pairs of systems."""

from typing import TYPE_CHECKING

# What other folders take, each from its module. Written by docs/scripts/write_doors.py.
# fmt: off
if TYPE_CHECKING:
    from nbrank.comparison.options_of_two_tables import select_table_options
    from nbrank.comparison.pairwise_wins import compared, get_pair_view, pairwise, stack_pairs
    from nbrank.comparison.rules_side_by_side import (
        PublishedRanks, RuleList, RuleRefusedWarning, drop_published_ranks, label_rules,
        missing_option, rank_by_missing_treatment, resolve_rules, winners,
    )
    from nbrank.comparison.table_changes import STEPS, BoardPair

__all__ = [
    "STEPS", "BoardPair", "PublishedRanks", "RuleList", "RuleRefusedWarning", "compared",
    "drop_published_ranks", "get_pair_view", "label_rules", "missing_option", "pairwise",
    "rank_by_missing_treatment", "resolve_rules", "select_table_options", "stack_pairs", "winners",
]
