"""Votes: scores, their counts, or comparisons, and the views of them that rules work on."""

# What other folders take, each from its module. Written by docs/scripts/write_doors.py.
# ASSUMED, CLUSTERS, CONTAINERS, FILE_SAYS, HIGHER_METRICS, INSTANCES, MISSING_TREATMENTS,
# NAMELESS, REPLICATES, REPLICATE_LEVELS, RUNS, SYSTEMS, TIE_WORDS, TIME_UNITS, BallotData,
# Clusters, Comparisons, CountData, CountsLike, Decimals, Direction, DirectionHint,
# FunctionBySource, Groups, Label, Leaderboard, LowerIsBetter, MethodsMixin, PairOptions, PerTask,
# PickOptions, PlaceOptions, PlacesWarning, RankBoundOptions, ReadColumn, Reading, Role,
# RuleOptions, TableOptions, Tally, TaskIndex, ViewRequest, VoteData, Votes, VotesLike,
# WeightedTally, Weights, ZeroErrorWarning, as_frame, as_leaderboard, as_series, as_votes,
# cells_look_like_places, cells_named, check_choice, check_counts_fit, check_delta,
# check_distinct_columns, check_not_ranking, check_pairs_fit, check_same_labels, clean_axes,
# clean_label, clean_labels, column_key, data_warnings, decode_winners, direction_hint,
# find_default_rule, find_metadata_columns, find_mixed_scales, find_position, find_summary_column,
# find_suspected_lower_is_better, format_labels, from_comparisons, from_wins, group_values,
# has_unit, inner_roles, is_average_name, is_benchmark_name, is_gain_name, is_labelled,
# is_lower_metric, is_metadata_name, is_metric_name, is_named_like, join_truncated, join_words,
# label_parts, looks_like_places, make_rng, make_word_set, name_missing_arguments,
# name_unknown_keywords, names_of_given_options, parse_weight, plain_frame, pluralize,
# progress_bar, register_method, remember_warnings, row_means_and_sums, rows_look_like_tasks,
# scores_to_floats, similar_labels, spell_out_options, split_words, stated_direction,
# unwarned_votes, validate_integer, validate_number, warn_no_common_instances,
# warn_of_merged_names, warn_user, with_call, without_statement
