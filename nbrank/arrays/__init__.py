"""The first floor: rules on plain numpy arrays, with no labels and no pandas."""

# What other folders take, each from its module. Written by docs/scripts/write_doors.py.
# MAX_LETTERS, Array, BallotCounts, Bools, CellTransform, ComparisonArrays, Contributions,
# CovariateFit, CovariateModel, Deadline, DeadlineExceeded, Floats, Ints, Missing, ModelRemovals,
# PairwiseCounts, PairwiseSums, PlaceCounts, Positions, Profile, SearchLimitError, Standings,
# TaskContributions, Ties, VoteBatches, WeightPolytope, averages, borda, borda_vector,
# chunk_slices, clique_cover, combine_weighted, competition_ranks, compute_places, count_ballots,
# count_cells, count_pairs, extreme_ranks, group_letters, group_sort, influence, kemeny_orders,
# majority_circles, majority_graphs, map_threaded, mean_borda, measurement_errors,
# multiple_comparisons, pairwise_counts, positional_scoring, power_of_two, rank_confidence_sets,
# ranked_pairs_search, removable_votes, resampling, safe_divide, skewed_pair_tests,
# smallest_margins, strength_covariance, sum_by_key, task_subset_search, unit_subsets, usual_range,
# win_rate_intervals
