"""Questions about how sure ranks, scores and pairs are."""

from typing import TYPE_CHECKING

# What other folders take, each from its module. Written by docs/scripts/write_doors.py.
# fmt: off
if TYPE_CHECKING:
    from nbrank.uncertainty.cell_errors import OverErrors
    from nbrank.uncertainty.compatible_pairs_intervals import compatible_pairs
    from nbrank.uncertainty.contributions import (
        STRENGTH_MODEL, check_room, find_contributions, find_pairwise_sums, find_task_values,
        task_values,
    )
    from nbrank.uncertainty.estimate_rank_sets import DELTA, DRAWS, check_n_draws
    from nbrank.uncertainty.mean_rank_tests import MAX_LETTERS
    from nbrank.uncertainty.pair_intervals import confidence
    from nbrank.uncertainty.rank_sets import TestedPairs, pair_tests, pair_tests_of_votes
    from nbrank.uncertainty.resampled_ranks import bootstrap
    from nbrank.uncertainty.rules_with_sets import nearest_rule_with_sets, supports_confidence_sets
    from nbrank.uncertainty.standard_errors import binomial_errors, warn_of_zero_errors
    from nbrank.uncertainty.strength_intervals import strengths, win_probabilities
    from nbrank.uncertainty.tied_groups import tie_groups

__all__ = [
    "DELTA", "DRAWS", "MAX_LETTERS", "STRENGTH_MODEL", "OverErrors", "TestedPairs",
    "binomial_errors", "bootstrap", "check_n_draws", "check_room", "compatible_pairs",
    "confidence", "find_contributions", "find_pairwise_sums", "find_task_values",
    "nearest_rule_with_sets", "pair_tests", "pair_tests_of_votes", "strengths",
    "supports_confidence_sets", "task_values", "tie_groups", "warn_of_zero_errors",
    "win_probabilities",
]
