"""The first floor: rules on plain numpy arrays, with no labels and no pandas."""

# What other folders take, each from its module. Written by docs/scripts/write_doors.py.
# fmt: off
_SHARED = (
    "MAX_LETTERS", "PAIRWISE_SCORES", "Array", "BallotCounts", "Bools", "CellTransform",
    "ComparisonArrays", "Contributions", "CovariateFit", "CovariateModel", "Deadline",
    "DeadlineExceeded", "Floats", "Ints", "Missing", "ModelRemovals", "PairTests",
    "PairwiseCounts", "PairwiseSums", "PairwiseWinRates", "PlaceCounts", "Positions", "Profile",
    "SearchLimitError", "Standings", "SummedContributions", "TaskContributions", "Ties",
    "VoteBatches", "WeightPolytope", "WinsByUnit", "average_places", "averages", "borda",
    "borda_vector", "chunk_slices", "clique_cover", "combine_weighted",
    "combine_weighted_compatible", "competition_ranks", "compute_places", "count_ballots",
    "count_compatible", "count_pairs", "covariance_pair_tests", "extreme_ranks",
    "find_identifiability_issue", "gradients_from_ballots", "group_letters", "inverse_information",
    "kemeny_orders", "majority_circles", "majority_graphs", "map_threaded", "mean_borda",
    "mean_place", "measurement_errors", "merge_small_units", "multiple_comparisons",
    "positional_scoring", "power_of_two", "rank_confidence_sets", "ranked_pairs_search",
    "removable_votes", "resampling", "safe_divide", "skewed_pair_tests", "smallest_margins",
    "stratified_standard_errors", "strength_contributions", "strength_covariance", "sum_by_key",
    "task_subset_search", "unit_subsets", "usual_range", "win_rate_intervals",
)
# fmt: on
