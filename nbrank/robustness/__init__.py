"""Questions about other weights and other sets of tasks."""

# What other folders take, each from its module. Written by docs/scripts/write_doors.py.
# FirstByWeight, NearestWeights, RankChanges, WeightSpan, cherry_pick, find_nearest_weights,
# leave_one_out, possible_ranks, separates_first, unseat
