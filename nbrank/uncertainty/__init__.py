"""Questions about how sure ranks, scores and pairs are."""

# What other folders take, each from its module. Written by docs/scripts/write_doors.py.
# DELTA, DRAWS, MIN_CLUSTERS, STRENGTH_MODEL, DrawOptions, DrawnUnit, SamplingDesign,
# binomial_errors, bootstrap, check_room, clusters_drawn, compatible_pairs, confidence,
# drop_errors, find_contributions, find_task_values, nearest_rule_with_sets, pair_tests,
# pair_tests_of_votes, strengths, supports_confidence_sets, task_values, tie_groups,
# warn_of_zero_errors, win_probabilities
