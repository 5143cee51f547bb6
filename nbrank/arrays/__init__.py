"""The first floor: rules on plain numpy arrays, with no labels and no pandas."""

from typing import TYPE_CHECKING

# What other folders take, each from its module. Written by docs/scripts/write_doors.py.
# fmt: off
if TYPE_CHECKING:
    from nbrank.arrays import paired_comparison_models, rank_correlation, simulation
    from nbrank.arrays.ballots import averages, positional_scoring
    from nbrank.arrays.ballots.averages import (
        CellTransform, TaskSums, interquartile_mean, mean_place,
    )
    from nbrank.arrays.ballots.ballot_counts import (
        BallotCounts, PlaceCounts, Standings, count_ballots, sum_by_key,
    )
    from nbrank.arrays.ballots.instance_bucketing import (
        DuplicateCellError, assign_buckets, hash_integers, hash_text, instance_blocks, n_buckets,
    )
    from nbrank.arrays.ballots.pairwise_counts import (
        ComparisonArrays, PairwiseCounts, combine_weighted, combine_weighted_compatible,
        count_compatible, count_pairs, tabulate_comparisons,
    )
    from nbrank.arrays.ballots.positional_scoring import (
        ScoringVectorFactory, borda, borda_vector, mean_borda, points,
    )
    from nbrank.arrays.ballots.profile import (
        Missing, Profile, Ties, competition_ranks, competition_ranks_columns, compute_places,
        fill_median, fill_worst, power_of_two, safe_divide,
    )
    from nbrank.arrays.chunking import chunk_slices, map_threaded
    from nbrank.arrays.covariate_models import CovariateFit, CovariateModel
    from nbrank.arrays.orders import kemeny_orders, majority_graphs, ranked_pairs_search
    from nbrank.arrays.orders.linear_orders import Deadline, DeadlineExceeded
    from nbrank.arrays.orders.majority_graphs import (
        PAIRWISE_SCORES, SearchLimitError, majority_circles,
    )
    from nbrank.arrays.paired_comparison_models import (
        bradley_terry, find_identifiability_issue, has_infinite_tie_parameter, inverse_information,
    )
    from nbrank.arrays.rank_correlation import (
        RankArray, average_places, cluster_order, kendall_tau, ranks_from_top, task_taus,
    )
    from nbrank.arrays.robust_ranges import usual_range
    from nbrank.arrays.simulation import gumbel_scores
    from nbrank.arrays.typing import Array, Bools, Floats, Ints, Positions
    from nbrank.arrays.uncertainty import (
        measurement_errors, multiple_comparisons, rank_confidence_sets, resampling,
        strength_covariance, win_rate_intervals,
    )
    from nbrank.arrays.uncertainty.clique_covers import clique_cover, group_letters
    from nbrank.arrays.uncertainty.influence import (
        Contributions, gradients_from_ballots, merge_small_units, strength_contributions,
    )
    from nbrank.arrays.uncertainty.measurement_errors import (
        cell_error_pair_tests, covariance_pair_tests, stratified_standard_errors,
    )
    from nbrank.arrays.uncertainty.rank_confidence_sets import (
        PairTests, RankConfidenceSets, SummedContributions,
    )
    from nbrank.arrays.uncertainty.win_rate_intervals import PairwiseWinRates, WinsByUnit
    from nbrank.arrays.weights import smallest_margins, task_subset_search, unit_subsets
    from nbrank.arrays.weights.count_removals import (
        fewest_by_pairs, fewest_by_points, fewest_by_win_rate,
    )
    from nbrank.arrays.weights.extreme_ranks import (
        BoundedExtreme, bound_ranks_of_sums, extreme_ranks, is_linear_for_all_weights,
    )
    from nbrank.arrays.weights.model_removals import ModelRemovals
    from nbrank.arrays.weights.pairwise_sums import PairwiseSums
    from nbrank.arrays.weights.removable_votes import VoteBatches, VoteRemoval, orient_outcomes
    from nbrank.arrays.weights.task_contributions import TaskContributions
    from nbrank.arrays.weights.weight_polytope import WeightPolytope

__all__ = [
    "PAIRWISE_SCORES", "Array", "BallotCounts", "Bools", "BoundedExtreme", "CellTransform",
    "ComparisonArrays", "Contributions", "CovariateFit", "CovariateModel", "Deadline",
    "DeadlineExceeded", "DuplicateCellError", "Floats", "Ints", "Missing", "ModelRemovals",
    "PairTests", "PairwiseCounts", "PairwiseSums", "PairwiseWinRates", "PlaceCounts", "Positions",
    "Profile", "RankArray", "RankConfidenceSets", "ScoringVectorFactory", "SearchLimitError",
    "Standings", "SummedContributions", "TaskContributions", "TaskSums", "Ties", "VoteBatches",
    "VoteRemoval", "WeightPolytope", "WinsByUnit", "assign_buckets", "average_places", "averages",
    "borda", "borda_vector", "bound_ranks_of_sums", "bradley_terry", "cell_error_pair_tests",
    "chunk_slices", "clique_cover", "cluster_order", "combine_weighted",
    "combine_weighted_compatible", "competition_ranks", "competition_ranks_columns",
    "compute_places", "count_ballots", "count_compatible", "count_pairs", "covariance_pair_tests",
    "extreme_ranks", "fewest_by_pairs", "fewest_by_points", "fewest_by_win_rate", "fill_median",
    "fill_worst", "find_identifiability_issue", "gradients_from_ballots", "group_letters",
    "gumbel_scores", "has_infinite_tie_parameter", "hash_integers", "hash_text", "instance_blocks",
    "interquartile_mean", "inverse_information", "is_linear_for_all_weights", "kemeny_orders",
    "kendall_tau", "majority_circles", "majority_graphs", "map_threaded", "mean_borda",
    "mean_place", "measurement_errors", "merge_small_units", "multiple_comparisons", "n_buckets",
    "orient_outcomes", "paired_comparison_models", "points", "positional_scoring", "power_of_two",
    "rank_confidence_sets", "rank_correlation", "ranked_pairs_search", "ranks_from_top",
    "resampling", "safe_divide", "simulation", "smallest_margins", "stratified_standard_errors",
    "strength_contributions", "strength_covariance", "sum_by_key", "tabulate_comparisons",
    "task_subset_search", "task_taus", "unit_subsets", "usual_range", "win_rate_intervals",
]
