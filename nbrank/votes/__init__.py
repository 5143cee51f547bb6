"""Votes: scores, their counts, or comparisons, and the views of them that rules work on."""

from typing import TYPE_CHECKING

# What other folders take, each from its module. Written by docs/scripts/write_doors.py.
# fmt: off
if TYPE_CHECKING:
    from nbrank.votes import progress
    from nbrank.votes.base import Votes, build_task_ballots, iter_task_majorities, rank_within_tasks
    from nbrank.votes.comparison_outcomes import TIE_WORDS, decode_winners
    from nbrank.votes.comparisons import (
        Comparisons, check_distinct_columns, from_comparisons, has_shared_wins,
    )
    from nbrank.votes.docstrings import spell_out_options
    from nbrank.votes.formatting import (
        Label, cells_named, check_same_labels, find_position, format_labels, group_values,
        join_truncated, pluralize,
    )
    from nbrank.votes.label_cleaning import (
        clean_axes, clean_label, clean_labels, spell_out, spellings,
    )
    from nbrank.votes.labeled_values import (
        Labelled, as_frame, as_series, is_labelled, mapping_to_frame, plain_frame,
    )
    from nbrank.votes.leaderboard import (
        Leaderboard, VotesLike, as_leaderboard, as_votes, task_scores, unwarned_votes,
    )
    from nbrank.votes.method_registry import (
        METHODS, Method, MethodsMixin, describe_renamed_keyword, register_method,
    )
    from nbrank.votes.missing_runs import missing_runs
    from nbrank.votes.progress import progress_bar
    from nbrank.votes.required_arguments import (
        format_example_arguments, join_words, name_missing_arguments, name_unknown_keywords,
        suggest_renamed, with_call,
    )
    from nbrank.votes.sampling_design import (
        MIN_CLUSTERS, ResampledUnit, SamplingDesign, UnitKind, board_of_voters, check_over,
        check_units, clusters_drawn, expand_voters, voter_task_codes,
    )
    from nbrank.votes.table.data_warnings import (
        find_mixed_scales, find_summary_column, find_suspected_lower_is_better, row_means_and_sums,
        warn_mixed_scales, warn_of_merged_names, warn_of_no_opponents,
    )
    from nbrank.votes.table.direction_names import (
        Direction, DirectionHint, direction_hint, has_unit, is_lower_metric, is_metric_name,
        stated_direction, without_statement,
    )
    from nbrank.votes.table.name_heuristics import (
        CLUSTERS, CONTAINERS, COUNTS, ERRORS, INSTANCES, REPLICATES, RUNS, SCORES, SYSTEMS, TASKS,
        find_metadata_columns, inner_roles, is_average_name, is_metadata_name, is_named_like,
        label_parts, level_name, make_word_set, split_words,
    )
    from nbrank.votes.table.name_hints import infer_name_hints, is_benchmark_name
    from nbrank.votes.table.near_ties import Decimals
    from nbrank.votes.table.numeric_cells import check_integer_precision
    from nbrank.votes.table.place_detection import cells_look_like_places, looks_like_places
    from nbrank.votes.table.reading import ReadColumn, Reading, Role, column_key
    from nbrank.votes.table.replicates import REPLICATE_LEVELS
    from nbrank.votes.table.row_levels import Clusters
    from nbrank.votes.table.score_frame import (
        check_not_ranking, is_instance_level, scores_to_floats, warn_no_common_instances,
    )
    from nbrank.votes.table.task_options import (
        CountsLike, Groups, LowerIsBetter, PerTask, PickOptions, RankBoundOptions, RuleOptions,
        TableOptions, TaskIndex, Weights, names_of_given_options, parse_weight,
    )
    from nbrank.votes.table.validation import (
        MISSING_TREATMENTS, PairOptions, PlaceOptions, ViewRequest, check_choice, check_counts_fit,
        check_delta, check_pairs_fit, make_rng, validate_integer, validate_number,
    )
    from nbrank.votes.tallies import BYTES_PER_PAIR, Tally, WeightedTally, count_board
    from nbrank.votes.user_warnings import warn_user
    from nbrank.votes.views import BallotData, CountData, View, VoteData, select_systems
    from nbrank.votes.warning_categories import (
        LeaderboardWarning, NoOpponentsWarning, PartialWeightsWarning, PlacesWarning,
        ZeroErrorWarning,
    )
    from nbrank.votes.win_matrix import from_wins

__all__ = [
    "BYTES_PER_PAIR", "CLUSTERS", "CONTAINERS", "COUNTS", "ERRORS", "INSTANCES", "METHODS",
    "MIN_CLUSTERS", "MISSING_TREATMENTS", "REPLICATES", "REPLICATE_LEVELS", "RUNS", "SCORES",
    "SYSTEMS", "TASKS", "TIE_WORDS", "BallotData", "Clusters", "Comparisons", "CountData",
    "CountsLike", "Decimals", "Direction", "DirectionHint", "Groups", "Label", "Labelled",
    "Leaderboard", "LeaderboardWarning", "LowerIsBetter", "Method", "MethodsMixin",
    "NoOpponentsWarning", "PairOptions", "PartialWeightsWarning", "PerTask", "PickOptions",
    "PlaceOptions", "PlacesWarning", "RankBoundOptions", "ReadColumn", "Reading", "ResampledUnit",
    "Role", "RuleOptions", "SamplingDesign", "TableOptions", "Tally", "TaskIndex", "UnitKind",
    "View", "ViewRequest", "VoteData", "Votes", "VotesLike", "WeightedTally", "Weights",
    "ZeroErrorWarning", "as_frame", "as_leaderboard", "as_series", "as_votes", "board_of_voters",
    "build_task_ballots", "cells_look_like_places", "cells_named", "check_choice",
    "check_counts_fit", "check_delta", "check_distinct_columns", "check_integer_precision",
    "check_not_ranking", "check_over", "check_pairs_fit", "check_same_labels", "check_units",
    "clean_axes", "clean_label", "clean_labels", "clusters_drawn", "column_key", "count_board",
    "decode_winners", "describe_renamed_keyword", "direction_hint", "expand_voters",
    "find_metadata_columns", "find_mixed_scales", "find_position", "find_summary_column",
    "find_suspected_lower_is_better", "format_example_arguments", "format_labels",
    "from_comparisons", "from_wins", "group_values", "has_shared_wins", "has_unit",
    "infer_name_hints", "inner_roles", "is_average_name", "is_benchmark_name", "is_instance_level",
    "is_labelled", "is_lower_metric", "is_metadata_name", "is_metric_name", "is_named_like",
    "iter_task_majorities", "join_truncated", "join_words", "label_parts", "level_name",
    "looks_like_places", "make_rng", "make_word_set", "mapping_to_frame", "missing_runs",
    "name_missing_arguments", "name_unknown_keywords", "names_of_given_options", "parse_weight",
    "plain_frame", "pluralize", "progress", "progress_bar", "rank_within_tasks", "register_method",
    "row_means_and_sums", "scores_to_floats", "select_systems", "spell_out", "spell_out_options",
    "spellings", "split_words", "stated_direction", "suggest_renamed", "task_scores",
    "unwarned_votes", "validate_integer", "validate_number", "voter_task_codes",
    "warn_mixed_scales", "warn_no_common_instances", "warn_of_merged_names",
    "warn_of_no_opponents", "warn_user", "with_call", "without_statement",
]
