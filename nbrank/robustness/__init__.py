"""Questions about other weights and other sets of tasks."""

from typing import TYPE_CHECKING

# What other folders take, each from its module. Written by docs/scripts/write_doors.py.
# fmt: off
if TYPE_CHECKING:
    from nbrank.robustness.cherry_picking import cherry_pick, unseat
    from nbrank.robustness.first_by_weight import FirstByWeight, WeightSpan
    from nbrank.robustness.rank_bounds import possible_ranks
    from nbrank.robustness.rank_changes import RankChanges, separates_first
    from nbrank.robustness.single_removals import leave_one_out
    from nbrank.robustness.victory_margins import margin_of_victory
    from nbrank.robustness.weight_regions import weight_map
    from nbrank.robustness.winning_weights import NearestWeights, find_nearest_weights

__all__ = [
    "FirstByWeight", "NearestWeights", "RankChanges", "WeightSpan", "cherry_pick",
    "find_nearest_weights", "leave_one_out", "margin_of_victory", "possible_ranks",
    "separates_first", "unseat", "weight_map",
]
